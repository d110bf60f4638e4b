# Prints what bash would be given for "autotune LINE<Tab>", a line each.
#   bash complete.bash FILE LINE
source "$1"
COMP_LINE="autotune $2"
COMP_POINT=${#COMP_LINE}
_autotune
printf '%s\n' "${COMPREPLY[@]}"
