#!/usr/bin/env bash
# A project that uses the installed package: built with nvcc, linked, its choice tried;
# on a GPU its results too. And what it does where nothing is recorded, and when what it
# is made of changes. Called by ctest, in a folder to work in:
#
#   consumer.sh BUILD CMAKE GENERATOR
#
# Exit status 77: no nvcc.
set -euo pipefail
build=$1 cmake=$2 generator=$3
here=$(cd "$(dirname "$0")" && pwd)

PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin
command -v nvcc >/dev/null || {
	echo "skipped 1: no nvcc, to build a project that uses the package"
	exit 77
}
work=$(mktemp -d "$PWD/consumer-XXXXXX")
trap 'rm -rf "$work"' EXIT

fail() {
	echo "consumer: FAILED: $*" >&2
	exit 1
}
has() {
	grep -qF -- "$2" "$1" || {
		cat "$1" >&2
		fail "\"$2\" is not in what is said above"
	}
}
configure() {
	"$cmake" -S "$here" -B "$work/build" -G "$generator" -DCMAKE_BUILD_TYPE=Release \
		-DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_CUDA_ARCHITECTURES="$architecture" \
		-DSPACES="$work/data/spaces" "$@" >"$work/log" 2>&1
}
compile() {
	"$cmake" --build "$work/build" "$@" >"$work/log" 2>&1 || {
		cat "$work/log" >&2
		fail "it does not build"
	}
}

"$cmake" --install "$build" --prefix "$work/prefix" >/dev/null
# its own copy of what ships, to change
cp -r "$work/prefix/share/autotune" "$work/data"
results=$work/data/results
gpu=no architecture=90
if nvidia-smi -L 2>/dev/null | grep -q GPU; then
	gpu=yes architecture=native
fi

# ---- all winners in one executable ------------------------------------------------
configure -DRESULTS="$results" || {
	cat "$work/log" >&2
	fail "it cannot be configured"
}
has "$work/log" "stencil_0: -DRADIUS="
compile
"$work/build/consumer" choose
if [ $gpu = yes ]; then
	"$work/build/consumer" run
else
	echo "skipped 1: no GPU, to run what was built"
fi

# ---- what it is made of changes ------------------------------------------------------
compile
if grep -q Building "$work/log"; then
	cat "$work/log" >&2
	fail "what is up to date is built again"
fi
