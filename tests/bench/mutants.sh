#!/bin/bash
# Every mutant by itself, and every sound kernel, on one device: what became of it, and
# whether it was selected. Needs the executable and this folder, nothing else.
# usage: tests/bench/mutants.sh build/autotune FOLDER [device[,device...] [jobs [suite...]]]
#   FOLDER  gets the record and the output of each run; cuda:0, 4 and all suites otherwise
#   jobs    runs at a time, of all devices together; of several devices each has its share
# MUTANTS: another table of rows, in place of tests/data/mutants.txt.
# SHARES: runs that use one device at the same time (1). More are faster and make times
# worthless; what is refused must not depend on it.
# Prints a line for each: right or WRONG, suite, space, value, outcome, selected, how long,
# what found the mistake, note; then how many mistakes of each suite were found by what.
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
program=$(realpath "$1"); mkdir -p "$2"; out=$(realpath "$2")
devices=${3:-cuda:0} jobs=${4:-4}
shift $(($# < 4 ? $# : 4))
suites=${*:-classic memory reach data kinds sizes order sound beside gpu}
export LD_LIBRARY_PATH=$(dirname "$program")/lib:${LD_LIBRARY_PATH:-}
shares=${SHARES:-1}
export AUTOTUNE_CACHE=$out/units

# what a key has in the first evaluation of that value of a parameter; nothing where it is null
value_of() { # FILE KEY PARAMETER VALUE
  grep "\"event\": \"evaluation\".*\"$3\": \"$4\"" "$1" |
    sed -n "s/.*\"$2\": \"//; t found; d; :found; s/\", \".*//; s/\\\\\"/'/g; p" | head -1
}

# whether it is what won
is_winner() { # FILE PARAMETER VALUE
  grep -q "\"event\": \"summary\".*\"configuration\": {[^}]*\"$2\": \"$3\"" "$1"
}

# what found a mistake that was refused, by the words of the refusal
finder() { # OUTCOME-OF-THE-FIRST-RUN NOTE PROBLEM
  case $2 in
    "on problem '$3'"*': with data '*) [ "$1" = ok ] && echo data && return ;;
  esac
  case $1,$2 in
    ok,"on problem '$3'"*) echo launches ;;
    ok,'on problem '*) echo problems ;;
    ok,*'with other contents of'*) echo contents ;;
    ok,'for {'*'the baseline is right there'*) echo default ;;
    ok,'for {'*) echo domain ;;
    ok,host:* | ok,*check:*) echo checks ;;
    ok,*) echo confirmation ;;
    *) echo evaluation ;;
  esac
}

one() { # SUITE SPACE VALUE OUTCOMES
  local suite=$1 space=$2 value=$3 outcomes=$4 folder=$out/$2.$3 parameter=MISTAKE beside=
  local outcome selected=no after verdict=WRONG note found=- start=${EPOCHREALTIME/./}
  local all device
  IFS=, read -ra all <<<"$devices"
  device=${all[$((SLOT % ${#all[@]}))]}
  # a run waits for those that have their locks in the same folder
  export AUTOTUNE_LOCKS=$out/locks$((SLOT / ${#all[@]} % shares))
  mkdir -p "$AUTOTUNE_LOCKS"
  case $suite in sound | beside) parameter=METHOD ;; esac
  # a sound one has to win where a slow one shows on which sizes something is right
  [ "$suite" = beside ] && beside=,slow
  # what is right on no other size is not refused where nothing else is right either
  [ "$suite" = sizes ] && beside=,none
  rm -rf "$folder"; mkdir -p "$folder"
  for run in first again; do
    # again: the winner was refused, and the record knows from now on
    "$program" tune "$here/spaces/$space.cfg" --device "$device" --thorough \
      --set "$parameter=$value$beside" --results "$folder" --json \
      >"$folder/$run" 2>"$folder/$run.errors" </dev/null
    after=$(value_of "$folder/$run" outcome "$parameter" "$value")
    note=$(value_of "$folder/$run" detail "$parameter" "$value")
    is_winner "$folder/$run" "$parameter" "$value" && selected=SELECTED
    [ $run = first ] && outcome=$after
    [ $selected = no ] && [ "$after" = ok ] || break
  done
  [ -n "$note" ] || note=$(head -1 "$folder/first.errors")
  if [ $parameter = METHOD ]; then
    [ "$after" = ok ] && [ "$selected" = SELECTED ] && verdict=right selected=selected
  elif [ "$selected" = no ] && [ "$after" != ok ]; then
    [[ ,$outcomes, == *,$outcome,* && ,$outcomes, == *,$after,* ]] && verdict=right
  fi
  [ $parameter = MISTAKE ] && [ "$after" != ok ] &&
    found=$(finder "$outcome" "$note" "$(value_of "$folder/first" problem MISTAKE "$value")")
  [ "$outcome" = "$after" ] || outcome="$outcome, then $after"
  printf '%-5s  %-7s  %-18s  %-26s  %-28s  %-7s  %5d ms  %-12s  %s\n' $verdict "$suite" \
    "$space" "$value" "${outcome:-none}" $selected \
    $(((${EPOCHREALTIME/./} - start) / 1000)) "$found" "$note"
}
export -f one finder value_of is_winner
export here program out devices shares

grep -v '^#' "${MUTANTS:-$here/data/mutants.txt}" | while read -r suite space value kinds outcomes _; do
  [ -n "${suite:-}" ] && [[ " $suites " == *" $suite "* ]] || continue
  [ "$kinds" = both ] || [ "$kinds" = "${devices%%:*}" ] || continue
  echo "$suite $space $value $outcomes"
done | xargs -P "$jobs" --process-slot-var=SLOT -L 1 bash -c 'one "$@"' one | tee "$out/table"
awk '{ count[$1]++ } / SELECTED / { selected++ } END {
  printf "%d right, %d wrong; %d mistakes were selected\n", count["right"], count["WRONG"], selected }' "$out/table"
sed -n 's/^[a-zA-Z]* *\([a-z]*\) .* ms  \([a-z]*\) .*/\1 \2/p' "$out/table" | awk '
  BEGIN { count = split("evaluation confirmation launches data problems domain default contents checks", by)
    printf "| suite |"; for (i = 1; i <= count; i++) printf " %s |", by[i]
    printf "\n| --- |"; for (i = 1; i <= count; i++) printf " --- |"; print "" }
  !($1 in seen) { seen[$1] = 1; suites[++suite_count] = $1 }
  { found[$1, $2]++; found["all", $2]++ }
  END { suites[++suite_count] = "all"
    for (s = 1; s <= suite_count; s++) { printf "| %s |", suites[s]
      for (i = 1; i <= count; i++) printf " %d |", found[suites[s], by[i]]
      print "" } }'
! grep -q '^WRONG' "$out/table"
