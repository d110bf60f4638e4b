#!/bin/bash
# Tunes every space on one device and prints what won, one block a problem.
# usage: tests/bench/families.sh EXECUTABLE RESULT_FOLDER [budget] [device]
set -u
program=$1 results=$2 budget=${3:-10s} device=${4:-cuda:0}
for space in spaces/*.cfg; do
  "$program" "$space" --device "$device" --results "$results" --budget "$budget" 2>/dev/null ||
    echo "$space: exit $?"
done
