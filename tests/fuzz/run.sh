#!/usr/bin/env bash
# All fuzz targets, or those whose names are given, from their corpora on, one after the
# other; what is found goes into FOUND and makes the exit status 1.
#
#   run.sh [-n EXECUTIONS] [-s SECONDS] [-o FOUND] [NAME]...
#   run.sh -c [-o FOUND] [NAME]...
#
# -n: of each (100000); -s: of each at most (no limit); -o: a folder for inputs that fail,
# and for what was learned, from which the next run goes on (build-fuzz/found). Needs
# clang. Prints a line a target: executions, executions a second, edges reached of those
# that there are in the program, inputs kept. A night is -n 100000000 with one process a
# core: run.sh -o DIR NAME for each.
#
# -c: nothing is tried; tells how many lines all inputs that are kept reach, of those of
# the files in which they reach any. Which lines, and how often, is then in
# FOUND/NAME.lines (llvm-cov).
set -euo pipefail
cd "$(dirname "$0")/../.."

executions=100000 seconds=0 found=build-fuzz/found lines=0
while getopts cn:s:o: option; do
	case $option in
	c) lines=1 ;;
	n) executions=$OPTARG ;;
	s) seconds=$OPTARG ;;
	o) found=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))

command -v clang >/dev/null || {
	echo "skipped 1: no clang, whose libFuzzer this is"
	exit 77
}
targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(sed -n 's/^at_fuzz(fuzz_\([a-z]*\) .*/\1/p' tests/CMakeLists.txt)
case $found in /*) ;; *) found=$PWD/$found ;; esac
mkdir -p "$found"

if [ $lines = 1 ]; then
	command -v llvm-cov llvm-profdata >/dev/null || {
		echo "skipped 1: no llvm-cov, which counts lines"
		exit 77
	}
	[ -f build-coverage/build.ninja ] || cmake --preset coverage >/dev/null
	ninja -C build-coverage "${targets[@]/#/replay_fuzz_}" >/dev/null
	printf '%-12s %7s %6s %16s %15s\n' target inputs files functions lines
	mkdir -p build-coverage/work
	for target in "${targets[@]}"; do
		kept=$found/$target.lines
		program=$PWD/build-coverage/tests/replay_fuzz_$target
		folders=("$PWD/tests/fuzz/corpus/$target")
		[ ! -d "$found/$target" ] || folders+=("$found/$target")
		inputs=$(cd build-coverage/work && LLVM_PROFILE_FILE="$kept.raw" "$program" -w "${folders[@]}" |
			sed -n 's/^replayed \([0-9]*\) files$/\1/p')
		llvm-profdata merge -o "$kept.profile" "$kept.raw"
		llvm-cov show "$program" -instr-profile="$kept.profile" -ignore-filename-regex="/tests/" >"$kept"
		# a file a row: its name, regions, functions, lines, branches; of each how many
		# there are, how many were not reached, and a percentage
		llvm-cov report "$program" -instr-profile="$kept.profile" |
			awk -v target="$target" -v inputs="$inputs" '
				$1 ~ /^tuner\// && NF >= 10 && $5 > $6 {
					files++
					functions += $5
					entered += $5 - $6
					lines += $8
					reached += $8 - $9
				}
				END {
					printf "%-12s %7d %6d %10d/%5d %8d/%6d %4d %%\n", target, inputs, files,
						entered, functions, reached, lines, lines ? 100 * reached / lines : 0
				}'
		rm -f "$kept.raw" "$kept.profile"
	done
	exit 0
fi

[ -f build-fuzz/build.ninja ] || cmake --preset fuzz >/dev/null
ninja -C build-fuzz "${targets[@]/#/fuzz_}" >/dev/null

# bytes: what a template does at its length it does at a tenth of it, and a column is one
declare -A length=([source]=1024 [record]=512)

code=0
# what an input is read as may be a file that it names
mkdir -p build-fuzz/work
printf '%-12s %12s %9s %15s %7s\n' target executions per_s edges inputs
for target in "${targets[@]}"; do
	learned=$found/$target
	mkdir -p "$learned"
	log=$learned.log
	words=()
	[ -f tests/fuzz/$target.dict ] && words=(-dict="$PWD/tests/fuzz/$target.dict")
	# libFuzzer goes back to a fork of its own after a leak or a slow input: none of them
	# counts as a success
	(cd build-fuzz/work && exec ../tests/fuzz_$target -runs="$executions" \
		-max_total_time="$seconds" -max_len="${length[$target]:-8192}" -timeout=20 -rss_limit_mb=2048 \
		-print_final_stats=1 -artifact_prefix="$learned.failed." "${words[@]}" \
		"$learned" "../../tests/fuzz/corpus/$target") >"$log" 2>&1 || {
		code=1
		echo "fuzz_$target found something: $(grep -m1 -E 'ERROR|runtime error|SUMMARY' "$log" || tail -1 "$log")"
		ls "$learned".failed.* 2>/dev/null || true
	}
	awk -v target="$target" '
		/stat::number_of_executed_units/ { executions = $2 }
		/stat::average_exec_per_sec/ { rate = $2 }
		/Loaded 1 modules/ { match($0, /\([0-9]+ inline/); edges = substr($0, RSTART + 1, RLENGTH - 8) }
		/ cov: / { for (i = 1; i < NF; i++) { if ($i == "cov:") reached = $(i + 1); if ($i == "corp:") inputs = $(i + 1) } }
		END { sub("/.*", "", inputs); printf "%-12s %12d %9d %7d/%7d %7d\n", target, executions, rate, reached, edges, inputs }' "$log"
done
exit $code
