#!/bin/bash
# Everything that only a GPU can show, in one go, with executables built elsewhere:
#   cmake -B build-gpu -G Ninja -DAT_STATIC=ON -DCMAKE_BUILD_TYPE=Release && cmake --build build-gpu
# usage: tests/bench/gpu_suite.sh BUILD OUTPUT_FOLDER [seconds of tuning]
set -u
build=$(realpath "$1") out=$(realpath "$2") seconds=${3:-90}
export LD_LIBRARY_PATH=$build/lib:${LD_LIBRARY_PATH:-}
program=$build/autotune
section() { echo; echo "== $*"; }

section devices
"$program" devices --results "$out/results"
section tests
(cd "$build/tests" && for test in test_cuda test_cuda_occupancy test_measure test_program_devices \
  test_session test_mutants; do
  ./$test >"$out/$test.log" 2>&1; echo "$test: $? ($(grep -c '  OK' "$out/$test.log") ok)"
  grep -E 'ERROR|FAILED|: error' "$out/$test.log" | head -20
done)
section sanitizer
# with a cold cache, so that the kernel that empties it is looked at too
sed -e 's/ cache = "warm";//' -e "s|\"\.\./|\"$PWD/tests/|" tests/spaces/scale.cfg >"$out/cold.cfg"
for tool in memcheck racecheck initcheck; do
  # a kernel's parameters are counted by asking for one too many: not an error
  compute-sanitizer --target-processes all --report-api-errors no --tool $tool "$program" tune \
    "$out/cold.cfg" --device cuda:0 --problem small --budget 3 \
    --results "$out/san-$tool" >"$out/sanitizer-$tool.log" 2>&1
  echo "$tool: exit $?; $(grep 'SUMMARY' "$out/sanitizer-$tool.log" | sort | uniq -c | tr '\n' ';')"
done
section matmul
"$program" spaces/matmul.cfg --device cuda:0 --results "$out/results" --budget "${seconds}s" \
  --json >"$out/matmul.json" 2>"$out/matmul.log"
"$program" results --results "$out/results" --top 5 matmul
grep -E '"event": "(summary|session)"' "$out/matmul.json"
section cublas
bash tests/bench/matmul_cublas.sh "$program" spaces/matmul.cfg "$out/results" 4096 4096 4096 1000 1000 1000
rm -rf "$out"/san-*
# a rerun finds everything in the record
"$program" spaces/matmul.cfg --device cuda:0 --results "$out/results" --budget 5s --json \
  2>/dev/null | grep '"event": "session"'
tar -C "$out" -czf "$out/results.tgz" results/nvidia-h200 && rm -r "$out/results"
