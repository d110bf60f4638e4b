#!/bin/bash
# Launches of PyTorch, CuPy and Triton: captured, replayed bit by bit, and tuned. By hand,
# on a GPU machine that has them:
#   tests/bench/capture.sh AUTOTUNE OUTPUT_FOLDER [program...]
# Prints a line for each program: launches recorded, launches that replayed as expected,
# spaces tuned, seconds of all three. A program may launch more than what it is named after,
# such as the generator of its random input.
set -u
[ $# -ge 2 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 2; }
program=$(realpath "$1"); mkdir -p "$2"; out=$(realpath "$2"); shift 2
export AUTOTUNE_LOCKS=$out AUTOTUNE_CACHE=$out/units
launches=$(dirname "$(realpath "$0")")/launches.py
list=("$@")
[ $# -gt 0 ] || mapfile -t list < <(python3 "$launches")
failed=0
for name in "${list[@]}"; do
  folder=$out/$name; rm -rf "$folder"; mkdir -p "$folder"; cd "$folder" || exit 1
  start=${EPOCHREALTIME/./}
  "$program" capture -o captured -- python3 "$launches" "$name" >capture.log 2>&1
  "$program" check --replay captured/*-captured.cfg >replay.log 2>&1
  tuned=0
  for space in captured/*-captured.cfg; do
    "$program" tune "$space" --device cuda:0 --budget 5s --sanitize never --results results \
      >>tune.log 2>&1 && tuned=$((tuned + 1))
  done
  recorded=$(find captured -name '*-captured.cfg' | wc -l)
  replayed=$(grep -c ': as expected' replay.log)
  [ "$recorded" -gt 0 ] && [ "$replayed" = "$recorded" ] && [ "$tuned" = "$recorded" ] || failed=1
  printf '%-18s recorded %d, replayed %d, tuned %d, %d ms\n' "$name" "$recorded" "$replayed" \
    "$tuned" $(((${EPOCHREALTIME/./} - start) / 1000))
done
exit $failed
