#!/bin/bash
# A first look on a GPU machine with a carried executable: devices, faults, matmul.
# usage: tests/bench/gpu_first.sh EXECUTABLE OUTPUT_FOLDER [seconds]
set -u
program=$1 out=$2 seconds=${3:-60}
"$program" devices
time "$program" tests/spaces/faults.cfg --device cuda:0 --results "$out/faults" --json >"$out/faults.json"
"$program" results --results "$out/faults" --top 0 faults
time "$program" spaces/matmul.cfg --results "$out/matmul" --budget "${seconds}s" --json >"$out/matmul.json"
"$program" results --results "$out/matmul" --top 8 matmul
grep '"summary"' "$out/matmul.json"
