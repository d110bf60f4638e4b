#!/bin/sh
# Nights of a small recording by the whole program: how many without a change are called
# slower, and how many with a planted slowdown of the winner are found.
#   tests/bench/nights.sh build/autotune [NIGHTS] [TIMES]
set -eu
autotune=$(realpath "$1")
nights=${2:-100}
times=${3:-30}
place=$(mktemp -d)
trap 'rm -r "$place"' EXIT
cd "$place"

cat > scale.cu <<'END'
__global__ void scale(float *x) {}
__global__ void plain(float *x) {}
END
cat > scale.cfg <<'END'
kernel: { name = "scale"; template = "scale.cu"; reference = "plain"; };
problems = ( { name = "p"; N = 64; } );
parameters: { UNROLL = [ 4, 2, 1 ]; BLOCK = [ 32, 64, 128, 256 ]; };
defaults: { UNROLL = 1; BLOCK = 32; };
launch: { block = ( "BLOCK" ); grid = ( "N" ); };
arguments = ( { name = "x"; type = "float"; count = "N"; access = "out"; } );
END
# samples vary by 0.3 %
awk 'BEGIN {
	srand(3)
	printf "{\"kernel_name\": \"scale\", \"device_name\": \"A board\", \"tune_params_keys\": [\"BLOCK\", \"UNROLL\"], \"cache\": {"
	for (b = 32; b <= 256; b *= 2) for (u = 1; u <= 4; u *= 2) {
		t = b == 128 && u == 2 ? 0.5 : 1 + 0.1 * u + 0.001 * b
		printf "%s\"%d,%d\": {\"BLOCK\": %d, \"UNROLL\": %d, \"time\": %g, \"times\": [", c++ ? "," : "", b, u, b, u, t
		for (i = 0; i < 15; i++) {
			n = -6
			for (j = 0; j < 12; j++) n += rand()
			printf "%s%.9g", i ? ", " : "", t * (1 + 0.003 * n)
		}
		printf "], \"compile_time\": 200, \"benchmark_time\": 50}"
	}
	print "}}" }' > a.json

tune() { "$autotune" scale.cfg --device replay:a.json --budget 1h --quiet --results "$1"; }
# number, noise, what is planted, results: the exit code
night() {
	code=0
	"$autotune" nightly scale.cfg --device "replay:a.json,night=$1,noise=$2$3" \
		--budget 20s --quiet --results "$4" > out.txt 2>&1 || code=$?
	echo $code
}

false_alarms=0
for seed in 1 2 3; do
	tune "quiet$seed"
	for number in $(seq 1 "$nights"); do
		[ "$(night "$number" $seed "" "quiet$seed")" != 4 ] ||
			false_alarms=$((false_alarms + 1))
	done
done
echo "false alarms: $false_alarms of $((3 * nights)) nights"
for factor in 1.02 1.05 1.10; do
	found=0
	for seed in $(seq 11 $((10 + times))); do
		rm -rf planted
		tune planted
		for number in $(seq 1 15); do night "$number" "$seed" "" planted > code.txt; done
		[ "$(night 16 "$seed" ",slower=$factor" planted)" != 4 ] || found=$((found + 1))
	done
	echo "slower by $factor: found in $found of $times the same night"
done
