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
	# CMake folds its messages, wherever the paths in them are long
	tr -s '[:space:]' ' ' <"$1" | grep -qF -- "$2" || {
		cat "$1" >&2
		fail "\"$2\" is not in what is said above"
	}
}
configure() {
	"$cmake" -S "$here" -B "$work/build" -G "$generator" -DCMAKE_BUILD_TYPE=Release \
		-DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_CUDA_ARCHITECTURES="$architecture" \
		-DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DSPACES="$work/data/spaces" "$@" >"$work/log" 2>&1
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
# each with its own options
for n in 0 1; do
	options=$(sed -n "s/^stencil_$n://p" <<<"$("$work/prefix/bin/autotune" header --flags \
		"$work/data/spaces/stencil.cfg" --results "$results" | awk '{ print $2 ":" $3 }')")
	grep -q -- " $options .*stencil_$n\.cu" "$work/build/compile_commands.json" ||
		fail "stencil_$n.cu is not compiled with $options"
done
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
# not a build, which would compile: whether one would begin with configuring
if [ "$generator" = Ninja ]; then
	for changed in "$results/nvidia-h200/stencil.json" "$work/data/spaces/transpose.cfg" \
		"$work/data/templates/transpose.cu" "$work/prefix/bin/autotune"; do
		# a second later than what was built, whatever the clock
		touch -r "$work/build/build.ninja" -d '+1 second' "$changed"
		compile -- -n
		has "$work/log" "Re-running CMake"
		touch -r "$work/prefix/share/autotune/spaces/copy.cfg" "$changed"
	done
fi
# another winner is another header, and one of the configurations has another number
"$work/prefix/bin/autotune" header "$work/data/spaces/stencil.cfg" --results "$results" \
	-o "$work/before.h" --quiet
sed -i 's/"TILE_Y": 4/"TILE_Y": 2/; s/"UNROLL": 4/"UNROLL": 2/' "$results/nvidia-h200/stencil.json"
# the launch in the record is that of the winner before
if configure -DRESULTS="$results"; then
	fail "a winner with another launch is built in silence"
fi
has "$work/log" "tune it again"
configure -DRESULTS="$results" -DON_STALE=IGNORE || {
	cat "$work/log" >&2
	fail "ON_STALE IGNORE is an error"
}
header=$work/build/autotune/kernels/stencil.h
grep -q '^#define STENCIL_0_TILE_Y 4' "$work/before.h" || fail "the winner before is another one"
grep -q '^#define STENCIL_0_TILE_Y 2' "$header" || fail "the header has the winner before"

# ---- instances of a template of C++ ----------------------------------------------------
# two problems, each with a winner of its own, on a device that is everywhere
cp -r "$here/instance" "$work/instance"
for only in "small --set BLOCK=64" "large --set BLOCK=128"; do
	# shellcheck disable=SC2086
	"$work/prefix/bin/autotune" "$work/instance/scale.cfg" --device host --set REPEAT=1 \
		--problem $only --results "$work/instances" --budget 20s >"$work/log" 2>&1 || {
		cat "$work/log" >&2
		fail "the instance is not tuned"
	}
done
"$cmake" -S "$work/instance" -B "$work/build-instance" -G "$generator" \
	-DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$work/prefix" \
	-DCMAKE_CUDA_ARCHITECTURES="$architecture" -DRESULTS="$work/instances" >"$work/log" 2>&1 || {
	cat "$work/log" >&2
	fail "the project with instances cannot be configured"
}
grep -q "SCALE_ENTRY; // tools::scale<128, float>" \
	"$work"/build-instance/autotune/kernels/scale_?.cu || fail "no unit makes the instance"
"$cmake" --build "$work/build-instance" >"$work/log" 2>&1 || {
	cat "$work/log" >&2
	fail "the project with instances does not build"
}
"$work/build-instance/instance" >"$work/log" || fail "instances are not what they should be"
has "$work/log" "2 instances of 192 threads in all"

# ---- the template changes after it was tuned -------------------------------------------
echo "// edited" >>"$work/instance/scale.cu"
stale() {
	"$cmake" -S "$work/instance" -B "$work/build-edited" -G "$generator" \
		-DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_CUDA_ARCHITECTURES="$architecture" \
		-DRESULTS="$work/instances" "$@" >"$work/log" 2>&1
}
if stale; then
	fail "winners of another template are built in silence"
fi
has "$work/log" "was measured with another template: tune it again"
stale -DON_STALE=WARN || fail "ON_STALE WARN is an error"
has "$work/log" "was measured with another template: tune it again"
stale -DON_STALE=IGNORE || fail "ON_STALE IGNORE is an error"
if grep -q "another template" "$work/log"; then
	fail "ON_STALE IGNORE is not silent"
fi

# ---- nothing is recorded -----------------------------------------------------------
if configure -DRESULTS="$results" "-DDEVICES=nvidia-h200;nvidia-of-late"; then
	fail "a device without a record is taken"
fi
has "$work/log" "nvidia-of-late"
has "$work/log" "no winner of \"transpose\" is recorded"
configure -DRESULTS="$results" "-DDEVICES=nvidia-h200;nvidia-of-late" -DON_MISSING=FALLBACK || {
	cat "$work/log" >&2
	fail "it does not do without a device that is not recorded"
}
has "$work/log" "nvidia-of-late"
configure -DRESULTS="$results" -DDEVICES=nvidia-of-late -DON_MISSING=FALLBACK ||
	fail "what is recorded of other devices is not taken"
configure -DRESULTS="$results" -DDEVICES= -DPORTFOLIO=5% -DON_MISSING=FALLBACK ||
	fail "winners are not taken where there is no portfolio"
has "$work/log" "no portfolio of \"stencil\" is recorded"
has "$work/log" "stencil_3: -DRADIUS=6"
mkdir "$work/empty"
if configure -DRESULTS="$work/empty" -DDEVICES= -DON_MISSING=FAIL; then
	fail "it is built of nothing"
fi
has "$work/log" "$work/empty"
configure -DRESULTS="$work/empty" -DDEVICES= -DPORTFOLIO= -DON_MISSING=FALLBACK || {
	cat "$work/log" >&2
	fail "the defaults are not taken where nothing is recorded"
}
has "$work/log" "are not measured"
has "$work/log" "stencil_1: -DRADIUS=6"
# they are the baseline of every GPU, for the sizes that their options are made for
cat >"$work/defaults.c" <<'END'
#include "stencil.h"
int main(void)
{
	struct autotune_device device = { "NVIDIA A100-SXM4-80GB", 8, 0, 108 };
	struct autotune_choice near = stencil_choose(&device, 100, 100, 1);
	struct autotune_choice far = stencil_choose(&device, 100, 100, 6);
	struct autotune_choice none = stencil_choose(&device, 100, 100, 2);

	return !(near.configuration == 0 && near.rung == AUTOTUNE_BASELINE &&
		far.configuration == 1 && far.rung == AUTOTUNE_BASELINE &&
		none.configuration == -1 && none.rung == AUTOTUNE_NONE &&
		stencil_launch(1, &device, 100, 100, 6).grid[0] == 7);
}
END
"${CC:-cc}" -I"$work/build/autotune/kernels" "$work/defaults.c" -o "$work/defaults"
"$work/defaults" || fail "the defaults are not chosen as they should be"
