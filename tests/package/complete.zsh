# Prints what zsh offers for "autotune LINE<Tab>", a line each.
#   zsh -f complete.zsh FOLDER LINE
# In a zsh of its own behind a terminal, whose compadd tells what it is given.
zmodload zsh/zpty
setup=$(mktemp)
trap 'rm -f $setup' EXIT
cat >$setup <<'END'
PROMPT=
autoload -Uz compinit
compinit -u -D
bindkey '^I' complete-word
begin() { print -n -- '<<' }
finish() { print -n -- '>>'; exit }
compprefuncs=(begin)
comppostfuncs=(finish)
zstyle ':completion:*' insert-tab false
compadd() {
	if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
		builtin compadd "$@"
		return
	fi
	local -a hits
	builtin compadd -A hits "$@"
	# with quotes, as they would stand on the line
	print -rl -- ${(Q)hits}
	builtin compadd "$@"
}
print rea''dy
END
zpty shell zsh -f -i
zpty -w shell "fpath=(${(q)1} \$fpath); source ${(q)setup}"
zpty -r shell out '*ready*'
zpty -w -n shell "autotune $2"$'\t'
zpty -r shell out '*<<*>>' || exit 1
out=${${out##*<<}%%>>*}
# as a terminal has it, and a path without what stands in front of the last part
for word in ${(f)${out//$'\r'/}}; do
	[[ $2 == *[a-z]/ && $word != */* ]] && word=${2##* }$word
	print -r -- $word
done
