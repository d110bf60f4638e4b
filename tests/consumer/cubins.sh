#!/usr/bin/env bash
# A program that loads winners as cubins: its headers are written, it is built without any
# library of CUDA, and run as far as this machine goes. Called by ctest, in a folder to
# work in, and by hand:
#
#   cubins.sh AUTOTUNE
#
# Exit status 77: no NVRTC, which compiles the cubins.
set -euo pipefail
program=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
work=$(mktemp -d "$PWD/cubins-XXXXXX")
trap 'rm -rf "$work"' EXIT

for kernel in transpose stencil; do
	"$program" header "$root/spaces/$kernel.cfg" --results "$root/results" --device nvidia-h200 \
		-o "$work/$kernel.h" --quiet
	"$program" header --cubins "$root/spaces/$kernel.cfg" --results "$root/results" \
		--device nvidia-h200 -o "$work/${kernel}_cubins.h" --quiet 2>"$work/log" || {
		cat "$work/log" >&2
		grep -q NVRTC "$work/log" || exit 1
		echo "skipped 1: no NVRTC, to compile cubins"
		exit 77
	}
	# what is not as it was measured
	cat "$work/log"
done
"${CC:-cc}" -std=c99 -O2 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -I"$work" \
	"$here/cubins.c" -o "$work/cubins" -ldl -lm
status=0
"$work/cubins" run || status=$?
# without a GPU all else was tried
[ $status = 77 ] || exit $status
