#!/bin/bash
# Recorded winners of a matmul space beside cuBLAS, in one run on this GPU.
# usage: tests/bench/matmul_cublas.sh AUTOTUNE [SPACE [RESULTS [M N K]...]]
#   AUTOTUNE  executable; SPACE  spaces/matmul_shapes.cfg without one; RESULTS  results
set -eu
program=$(realpath "$1")
cd "$(dirname "$0")/../.."
space=${2:-spaces/matmul_shapes.cfg} results=${3:-results} build=$(mktemp -d)
shift $(($# < 3 ? $# : 3))
trap 'rm -r "$build"' EXIT
kernel=$(basename "$space" .cfg)
"$program" header "$space" --results "$results" -o "$build/$kernel.h"
"$program" header "$space" --results "$results" --cubins -o "$build/${kernel}_cubins.h"
nvcc -O3 -arch=native -I"$build" -DKERNEL="$kernel" -include "$build/${kernel}_cubins.h" \
  tests/bench/matmul_cublas.cu -o "$build/matmul_cublas" -lcublas -lcuda
"$build/matmul_cublas" "$@"
