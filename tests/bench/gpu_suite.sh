#!/bin/bash
# Everything that only a GPU can show, with executables built elsewhere. On the machine that
# builds:
#   cmake -B build-gpu -G Ninja -DAT_STATIC=ON -DCMAKE_BUILD_TYPE=Release && cmake --build build-gpu
#   tests/bench/gpu_suite.sh bundle build-gpu build-run
# On the GPU machine, from the same folder:
#   tests/bench/gpu_suite.sh build-run OUTPUT_FOLDER [SECTION...]
# Sections (default: the first five, about ten minutes):
#   devices tests sanitizer matmul launches   explain energy capture mutants
# BUDGET: seconds of tuning matmul (90). SUITES: of the mutants (gpu memory order reach).
set -u
[ $# -ge 2 ] || { sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 2; }
tests="test_cuda test_cuda_occupancy test_cuda_verification test_measure"

if [ "$1" = bundle ]; then # what the rest needs of a build, without symbols
  mkdir -p "$3/tests" "$3/lib" || exit 1
  strip -o "$3/autotune" "$2/autotune" || exit 1
  for test in $tests; do strip -o "$3/tests/$test" "$2/tests/$test" || exit 1; done
  cp -L "$(ldd "$2/tests/test_cuda" | awk '/libcmocka/ { print $3 }')" "$3/lib/" && du -sh "$3"
  exit
fi

build=$(realpath "$1"); mkdir -p "$2"; out=$(realpath "$2"); shift 2
here=$(dirname "$(realpath "$0")") program=$build/autotune
export LD_LIBRARY_PATH=$build/lib:${LD_LIBRARY_PATH:-}
export AUTOTUNE_LOCKS=$out AUTOTUNE_CACHE=$out/units

devices() { "$program" devices --results "$out/results"; }

tests() {
  local test
  for test in $tests; do
    (cd "$build/tests" && "./$test") >"$out/$test.log" 2>&1
    echo "$test: $? ($(grep -c '  OK' "$out/$test.log") ok)"
    grep -E 'ERROR|FAILED|: error' "$out/$test.log" | head -20
  done
}

# With a cold cache, so that the kernel that empties it is looked at, too.
sanitizer() {
  local tool
  sed -e 's/ cache = "warm";//' -e "s|\"\.\./|\"$PWD/tests/|" tests/spaces/scale.cfg >"$out/cold.cfg"
  for tool in memcheck racecheck initcheck; do
    # a kernel's parameters are counted by asking for one too many: not an error
    compute-sanitizer --target-processes all --report-api-errors no --tool $tool "$program" tune \
      "$out/cold.cfg" --device cuda:0 --problem small --budget 3 \
      --results "$out/san-$tool" >"$out/sanitizer-$tool.log" 2>&1
    echo "$tool: exit $?; $(grep 'SUMMARY' "$out/sanitizer-$tool.log" | sort | uniq -c | tr '\n' ';')"
  done
  rm -rf "$out"/san-*
}

matmul() {
  "$program" spaces/matmul.cfg --device cuda:0 --results "$out/results" --budget "${BUDGET:-90}s" \
    --json >"$out/matmul.json" 2>"$out/matmul.log"
  "$program" results --results "$out/results" --top 5 matmul
  grep -E '"event": "(summary|session)"' "$out/matmul.json"
  bash "$here/matmul_cublas.sh" "$program" spaces/matmul.cfg "$out/results" 4096 4096 4096 1000 1000 1000
  # a rerun finds everything in the record
  "$program" spaces/matmul.cfg --device cuda:0 --results "$out/results" --budget 5s --json \
    2>/dev/null | grep '"event": "session"'
}

# Sequences, attributes of launches, tensor maps, textures, padded rows: a verified winner of each.
launches() {
  local space
  for space in $(grep -lE '\b(launches|cluster|cooperative|dependent|tensor_map|image|ALIGNMENT) *=|"tensor_map"|texture' \
    tests/spaces/sound_*.cfg) tests/spaces/mutant_doubling.cfg; do
    "$program" tune "$space" --device cuda:0 --budget 10s --thorough --results "$out/launches" \
      $(grep -q MISTAKE "$space" && echo --set MISTAKE=none) >"$out/launches.log" 2>&1
    echo "exit $?: $(basename "$space" .cfg), $(grep -c '^  verified ' "$out/launches.log") verified"
  done
}

# The reasons of winners in memory families, by counters.
explain() {
  local space
  for space in convolution spmv histogram stencil scan heat softmax; do
    "$program" tune spaces/$space.cfg --device cuda:0 --budget 8s --results "$out/explain" \
      >/dev/null 2>"$out/explain-$space.log"
    "$program" explain spaces/$space.cfg --device cuda:0 --results "$out/explain" 2>&1
  done
}

# A confirmation by energy takes four minutes for three finalists, and more for more.
energy() {
  local space
  for space in ${SPACES:-matmul}; do
    sed -e 's/^search: {/& objective = "energy";/' -e "s|\"\.\./|\"$PWD/|" "spaces/$space.cfg" \
      >"$out/$space.cfg"
    "$program" tune "$out/$space.cfg" --device cuda:0 --budget 60 --results "$out/energy" 2>&1 | tail -20
    "$program" results --results "$out/energy" --top 5
  done
}

capture() {
  mkdir -p "$out/capture"
  (cd "$out/capture" && bash "$here/../consumer/captured.sh" "$program" 2>&1 | tail -40)
  bash "$here/capture.sh" "$program" "$out/capture"
}

mutants() {
  # shellcheck disable=SC2086
  bash "$here/mutants.sh" "$program" "$out/mutants" cuda:0 14 ${SUITES:-gpu memory order reach} |
    tee "$out/mutants.txt" | grep -v '^right'
}

[ $# -gt 0 ] || set -- devices tests sanitizer matmul launches
for section in "$@"; do
  echo; echo "== $section"
  "$section"
done
rm -rf "$out/units"
tar -C "$out" -czf "$out/results.tgz" --ignore-failed-read results launches explain energy 2>/dev/null
rm -rf "$out/results" "$out/launches" "$out/explain" "$out/energy"
