#!/usr/bin/env bash
# The page "From a program to a tuned launch" (tuner/capture/README.md): its program, its
# commands. Called by ctest, in a folder to work in, and by hand:
#
#   captured.sh AUTOTUNE
#
# Exit status 77: no GPU, or no nvcc.
set -euo pipefail
program=$(realpath "$1")
page=$(cd "$(dirname "$0")/../.." && pwd)/tuner/capture/README.md

PATH=$(dirname "$program"):$PATH:${CUDA_HOME:-/usr/local/cuda}/bin
command -v nvcc >/dev/null && nvidia-smi -L 2>/dev/null | grep -q GPU || {
	echo "skipped 1: no GPU with nvcc, to tune a launch of a program"
	exit 77
}
work=$(mktemp -d "$PWD/captured-XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

# the first block of a kind
block() {
	awk -v begin="\`\`\`$1" '/^```/ {
		inside = !open && $0 == begin && !seen
		seen += inside
		open = !open
		next
	}
	inside' "$page"
}
block cuda >blur.cu
block "" >commands
[ "$(wc -l <commands)" = 5 ] || { echo "captured: FAILED: the page has no five commands" >&2; exit 1; }
bash -euxo pipefail commands >output 2>&1 || { cat output >&2; exit 1; }
cat output
grep -q ': as expected' output
# larger blocks, where the program has 32, and the same result
grep -qE '^ *baseline .* as fast$' output
grep -qE '^(64|128|256|512|1024) threads a block, the last value is 998.667$' output
