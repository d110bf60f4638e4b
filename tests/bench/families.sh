#!/bin/bash
# Tunes every space on one device, one block a problem, then what it teaches: the table of
# what won and why, beside the measured ceilings.
# usage: tests/bench/families.sh EXECUTABLE RESULT_FOLDER [budget] [device]
set -u
program=$1 results=$2 budget=${3:-10s} device=${4:-cuda:0}
"$program" devices --device "$device" --results "$results"
for space in spaces/*.cfg; do
  "$program" "$space" --device "$device" --results "$results" --budget "$budget" 2>/dev/null ||
    echo "$space: exit $?"
done
"$program" results --table --device "$device" --results "$results"
