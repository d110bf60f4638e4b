#!/bin/bash
# Compares recorded winners of a matmul space with cuBLAS, in one run on this GPU.
# usage: tests/bench/matmul_cublas.sh AUTOTUNE [SPACE [RESULTS [M N K]...]]
#   AUTOTUNE  executable; SPACE  spaces/matmul_shapes.cfg without one; RESULTS  results
set -eu
program=$(realpath "$1")
cd "$(dirname "$0")/../.."
space=${2:-spaces/matmul_shapes.cfg} results=${3:-results} build=$(mktemp -d)
shift $(($# < 3 ? $# : 3))
trap 'rm -r "$build"' EXIT
kernel=$(basename "$space" .cfg)
upper=${kernel^^} header=$build/$kernel.h sequence=
"$program" header "$space" --results "$results" -o "$header"
grep -q "${kernel}_repeat_1(" "$header" && sequence=-DSEQUENCE
# as in a build: each configuration is a unit of its own
count=$(sed -n "s/^#define ${upper}_CONFIGURATION_COUNT //p" "$header")
for ((i = 0; i < count; i++)); do
  printf '#define %s_%s\n' "$upper" "CONFIGURATION $i" "$upper" BARE >"$build/$i.cu"
  printf '#include "%s"\n' "$header" "$PWD/templates/matmul.cu" >>"$build/$i.cu"
  nvcc -cubin -arch=native "$build/$i.cu" -o "$build/$i.cubin" &
done
nvcc -O3 -arch=native -DKERNEL="$kernel" $sequence -include "$header" \
  tests/bench/matmul_cublas.cu -o "$build/matmul_cublas" -lcublas -lcuda
wait
"$build/matmul_cublas" "$build" "$@"
