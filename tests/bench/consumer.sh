#!/usr/bin/env bash
# Both consumers on a machine with a GPU: winners in a program of nvcc by the CMake package,
# and winners as cubins by the driver API. By hand; needs nvcc, cmake and a C compiler, and
# of autotune the executable alone (a static one will do):
#   tests/bench/consumer.sh AUTOTUNE OUTPUT_FOLDER
# OUTPUT_FOLDER gets what is built and the logs. Prints a line for each run and a sum; exit
# status 1 where anything is wrong, 77 where nothing could be run on a GPU.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
program=$(realpath "$1"); mkdir -p "$2"; out=$(realpath "$2")
PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin
export AUTOTUNE_LOCKS=$out AUTOTUNE_CACHE=$out/units
failed=0 ran=0 architecture=90
nvidia-smi -L 2>/dev/null | grep -q GPU && architecture=native

# What is installed, without installing: the program, and what goes with it.
prefix=$out/prefix
rm -rf "$prefix" "$out/build"
mkdir -p "$prefix/bin" "$prefix/share/cmake/autotune" "$prefix/share/autotune"
cp "$program" "$prefix/bin/autotune"
cp -r "$root/spaces" "$root/templates" "$root/results" "$prefix/share/autotune/"
cp "$root/tuner/share/cmake/autotune-kernels.cmake" "$prefix/share/cmake/autotune/"
sed -e 's|@PACKAGE_INIT@||' -e "s|@PACKAGE_CMAKE_INSTALL_BINDIR@|$prefix/bin|" \
  -e "s|@PACKAGE_AT_DATA@|$prefix/share/autotune|" \
  "$root/tuner/share/cmake/autotune-config.cmake.in" >"$prefix/share/cmake/autotune/autotune-config.cmake"

# a step whose output is kept; what it is, its log, its words
step() {
  local what=$1 log=$2 begin=$SECONDS code=0
  shift 2
  "$@" >"$out/$log" 2>&1 || code=$?
  case $code in
  0) ;;
  77) echo "$what: $(grep -m 1 '^skipped' "$out/$log")"; return 77 ;;
  *) echo "$what: FAILED ($code)"; tail -20 "$out/$log"; failed=1; return 1 ;;
  esac
  echo "$what: $((SECONDS - begin)) s"
}
table() {
  grep -E '^(transpose|stencil) ' "$1" | sed 's/^/  /'
  ran=$((ran + $(grep -cE '^(transpose|stencil) [0-9]+ x' "$1")))
}

echo "== by nvcc and the CMake package"
if step configure nvcc-configure.log cmake -S "$root/tests/consumer" -B "$out/build" \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CUDA_ARCHITECTURES=$architecture &&
  step build nvcc-build.log cmake --build "$out/build" -j &&
  step choose nvcc-choose.log "$out/build/consumer" choose; then
  step run nvcc-run.log "$out/build/consumer" run; table "$out/nvcc-run.log"
fi

echo "== as cubins by the driver"
made=0
for kernel in transpose stencil; do
  step "header of $kernel" "$kernel.log" "$prefix/bin/autotune" header \
    "$prefix/share/autotune/spaces/$kernel.cfg" --results "$prefix/share/autotune/results" \
    --device nvidia-h200 -o "$out/$kernel.h" &&
    step "cubins of $kernel" "$kernel-cubins.log" "$prefix/bin/autotune" header --cubins \
      "$prefix/share/autotune/spaces/$kernel.cfg" --results "$prefix/share/autotune/results" \
      --device nvidia-h200 -o "$out/${kernel}_cubins.h" && made=$((made + 1))
  grep -h '^autotune: note\|^note' "$out/$kernel-cubins.log"
done
if [ $made = 2 ] && step build cubins-build.log "${CC:-cc}" -std=c99 -O2 -Wall -Wextra -I"$out" \
    "$root/tests/consumer/cubins.c" -o "$out/cubins" -ldl -lm; then
  step run cubins-run.log "$out/cubins" run; table "$out/cubins-run.log"
fi

echo "$ran runs on a GPU, $([ $failed = 0 ] && echo none failed || echo something FAILED)"
[ $failed = 0 ] || exit 1
[ $ran -gt 0 ] || exit 77
