#!/bin/bash
# The tuned matmul beside its baseline and cuBLAS, in one run on this GPU.
# usage: tests/bench/matmul_cublas.sh RESULT_FOLDER [size]
#   RESULT_FOLDER holds matmul.json, and the one around it matmul.h (results/nvidia-h200)
set -eu
here=$(dirname "$0") folder=$(realpath "$1") size=${2:-4096} build=$(mktemp -d)
baseline=$(python3 - "$folder/matmul.json" <<'PYTHON'
import json, sys
problem = json.load(open(sys.argv[1]))["problems"][0]
for name, value in problem["baseline"]["configuration"].items():
    if isinstance(value, str):  # a word: any number but that of the undefined others
        print(f"-D{name}_{value}=1 -D{name}=1", end=" ")
    else:
        print(f"-D{name}={int(value)}", end=" ")
PYTHON
)
flags="-O3 -arch=native"
nvcc $flags -c "$here/matmul_launch.cu" -o "$build/baseline.o" -DKERNEL=matmul_baseline \
  -DREFERENCE=reference_baseline -DLAUNCH=launch_baseline $baseline
nvcc $flags -c "$here/matmul_launch.cu" -o "$build/tuned.o" -DKERNEL=matmul_tuned \
  -DREFERENCE=reference_tuned -DLAUNCH=launch_tuned -DMATMUL_BARE -DMATMUL_PROBLEM=SQUARE_4096 \
  -DMATMUL_DEVICE=$(basename "$folder" | tr a-z- A-Z_) -include "$folder/../matmul.h"
nvcc $flags "$here/matmul_cublas.cu" "$build/baseline.o" "$build/tuned.o" \
  -o "$build/matmul_cublas" -lcublas
"$build/matmul_cublas" "$size"
rm -r "$build"
