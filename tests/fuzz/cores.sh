#!/usr/bin/env bash
# All fuzz targets at once on a machine with many cores, which need not have a compiler.
#
#   cores.sh pack [-o FOUND] ARCHIVE [NAME]...
#   cores.sh run [-c] [-n EXECUTIONS] [-s SECONDS] [-j CORES] [-o OUT] [NAME]...
#
# pack: builds the targets, or those whose names are given, with and without sanitizers,
# with every library but libc in them, and packs them with their corpora, with what was
# learned in FOUND (build-fuzz/found) and with this script: tar -xJf ARCHIVE makes the
# folder "fuzz". The other machine needs a libc and libstdc++ that are no older. Programs
# are stripped; with symbols they stay in build-fuzz-static and build-fuzz-plain, where
# llvm-symbolizer reads what a report tells.
#
# run: in that folder. Cores are shared out by what an execution of a target costs, one
# each at least. Each has a process without sanitizers, which is two to four times as
# fast. Beside the first one of a target, with a quarter of its core, goes a process with
# sanitizers; all of a target learn from each other, and in the end whatever was learned
# is run with sanitizers. -c: all processes have sanitizers. -n: executions of each
# target by its processes together, those beside them not counted (no limit); -s: seconds
# (600), and some for the end; -j: cores (all); -o: where reports and inputs that fail go
# (out), with what was learned in one archive, if it is below 16 MiB. SIGINT and SIGTERM
# end it as its time does. The exit status is 1 if anything was found, or if a target did
# not run.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

# microseconds an execution without sanitizers: see tests/faults/README.md
declare -A cost=([object]=4 [protocol]=7 [recording]=14 [expression]=21 [cubin]=24
	[command]=25 [json]=25 [text]=30 [csv]=38 [spec]=44 [unit]=57 [result]=79
	[source]=140 [record]=250)
# bytes: as in run.sh
declare -A length=([source]=1024 [record]=512)
# how a failure is reported; an input that is quoted in a log may have such words as well
failure='^SUMMARY: |^==[0-9]+== ?ERROR: |runtime error: '
# what is removed in the end
folder="" work=""

pack() {
	local found=build-fuzz/found
	while getopts o: option; do
		case $option in
		o) found=$OPTARG ;;
		*) exit 2 ;;
		esac
	done
	shift $((OPTIND - 1))
	[ $# -gt 0 ] || exit 2
	local archive=$1 root=$here/../.. target
	shift
	case $archive in /*) ;; *) archive=$PWD/$archive ;; esac
	cd "$root"
	local targets=("$@")
	[ ${#targets[@]} -gt 0 ] ||
		mapfile -t targets < <(sed -n 's/^at_fuzz(fuzz_\([a-z]*\) .*/\1/p' tests/CMakeLists.txt)
	cmake --fresh --preset fuzz -B build-fuzz-static -DAT_STATIC=ON >/dev/null
	# one that was made otherwise keeps the libraries that it found
	cmake --fresh --preset fuzz-plain -DAT_STATIC=ON >/dev/null
	ninja -C build-fuzz-static "${targets[@]/#/fuzz_}" >/dev/null
	ninja -C build-fuzz-plain "${targets[@]/#/fuzz_}" >/dev/null
	folder=$(mktemp -d)
	trap 'rm -rf "$folder"' EXIT
	mkdir -p "$folder/fuzz/bin" "$folder/fuzz/plain" "$folder/fuzz/corpus"
	cp "$here/cores.sh" "$folder/fuzz/"
	for target in "${targets[@]}"; do
		strip -o "$folder/fuzz/bin/$target" "build-fuzz-static/tests/fuzz_$target"
		strip -o "$folder/fuzz/plain/$target" "build-fuzz-plain/tests/fuzz_$target"
		cp -r "tests/fuzz/corpus/$target" "$folder/fuzz/corpus/"
		# names are those of what is in them: none is there twice
		[ ! -d "$found/$target" ] ||
			cp -r "$found/$target/." "$folder/fuzz/corpus/$target/"
	done
	tar -C "$folder" -cJf "$archive" fuzz
	ls -lh "$archive"
}

# How many processes each target has: one, and what is left where most is to be done.
share_out() {
	local cores=$1 target most
	for target in "${targets[@]}"; do jobs_of[$target]=1; done
	for ((left = cores - ${#targets[@]}; left > 0; left--)); do
		most=${targets[0]}
		for target in "${targets[@]}"; do
			if ((${cost[$target]:-100} * jobs_of[$most] > ${cost[$most]:-100} * jobs_of[$target])); then
				most=$target
			fi
		done
		jobs_of[$most]=$((jobs_of[$most] + 1))
	done
}

# start KIND TARGET NAME CORE [OPTION]...: a process of bin or plain, whose log is
# TARGET.NAME.log, with its own settings beyond those of all.
start() {
	local kind=$1 target=$2 name=$3 core=$4 words=()
	shift 4
	# what an input is read as may be a file that it names
	mkdir -p "$work/$target.$name"
	# a sanitizer of an older clang does not always find its place among 32 random bits
	! setarch -R true 2>/dev/null || words+=(setarch -R)
	! taskset -c "$core" true 2>/dev/null || words+=(taskset -c "$core")
	[ "$name" != beside ] || words+=(nice -n 5)
	(cd "$work/$target.$name" && exec "${words[@]}" "$here/$kind/$target" "$@" \
		-max_len="${length[$target]:-8192}" -timeout=20 -rss_limit_mb=2048 \
		-print_final_stats=1 -artifact_prefix="$out/$target.failed." \
		"$work/learned/$target" "$here/corpus/$target") >"$out/logs/$target.$name.log" 2>&1 &
}

# A process that is asked to end says so by 72, which is right if we asked it.
await() {
	local status=0
	# a signal to this script ends the wait as well
	while kill -0 "$1" 2>/dev/null; do wait "$1" || true; done
	wait "$1" || status=$?
	[ $status = 0 ] || { [ $status = 72 ] && [ $asked = 1 ]; } || code=1
}

# A line a target, out of the logs of its processes.
tell() {
	awk -v target="$1" -v jobs="${jobs_of[$1]}" '
		FNR == 1 { beside = FILENAME ~ /\.(beside|checked)\.log$/ }
		/stat::number_of_executed_units/ { if (beside) checked += $2; else { executions += $2; ended++ } }
		/stat::average_exec_per_sec/ && !beside { rate += $2 }
		/stat::peak_rss_mb/ && $2 > peak { peak = $2 }
		/Loaded 1 modules/ && !beside { match($0, /\([0-9]+ inline/); edges = substr($0, RSTART + 1, RLENGTH - 8) }
		/ cov: / && !beside { for (i = 1; i < NF; i++) if ($i == "cov:" && $(i + 1) > reached) reached = $(i + 1) }
		END {
			printf "%-12s %5d %5d %12.0f %9d %11.0f %7d/%7d %7d\n", target, jobs, ended, executions,
				rate, checked, reached, edges, peak
		}' "$out/logs/$1".*.log
}

run() {
	local executions=0 seconds=600 cores out=out kind=plain
	cores=$(nproc)
	while getopts cn:s:j:o: option; do
		case $option in
		c) kind=bin ;;
		n) executions=$OPTARG ;;
		s) seconds=$OPTARG ;;
		j) cores=$OPTARG ;;
		o) out=$OPTARG ;;
		*) exit 2 ;;
		esac
	done
	shift $((OPTIND - 1))
	case $out in /*) ;; *) out=$PWD/$out ;; esac
	local targets=("$@") target i core=0 code=0 limits pids=() beside=() asked=0
	[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(ls "$here/bin")
	declare -A jobs_of
	share_out "$cores"
	mkdir -p "$out/logs"
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	trap 'asked=1; kill -TERM "${pids[@]}" 2>/dev/null || true' INT TERM
	for target in "${targets[@]}"; do
		mkdir -p "$work/learned/$target"
		[ $kind = bin ] || {
			start bin "$target" beside "$core" -max_total_time="$seconds"
			beside+=($!)
		}
		limits=(-max_total_time="$seconds")
		[ "$executions" = 0 ] ||
			limits+=(-runs=$(((executions + jobs_of[$target] - 1) / jobs_of[$target])))
		for ((i = 0; i < jobs_of[$target]; i++)); do
			start $kind "$target" "$i" "$core" "${limits[@]}"
			pids+=($!)
			core=$(((core + 1) % $(nproc)))
		done
	done
	for i in "${pids[@]}"; do await "$i"; done
	asked=1
	[ ${#beside[@]} = 0 ] || kill -TERM "${beside[@]}" 2>/dev/null || true
	for i in ${beside[@]+"${beside[@]}"}; do await "$i"; done
	if [ $kind = plain ]; then
		pids=()
		for target in "${targets[@]}"; do
			start bin "$target" checked "$core" -runs=0
			pids+=($!)
			core=$(((core + 1) % $(nproc)))
		done
		for i in "${pids[@]}"; do await "$i"; done
	fi
	printf '%-12s %5s %5s %12s %9s %11s %15s %7s\n' target cores ended executions per_s sanitized edges peak_MB
	for target in "${targets[@]}"; do tell "$target"; done
	grep -h -E "$failure" "$out"/logs/*.log | sort | uniq -c || true
	# of logs what a failure says is enough
	for i in "$out"/logs/*.log; do
		if grep -q -E "$failure" "$i"; then
			tail -c 20000 "$i" >"$i.end"
		elif [ $code = 1 ] && grep -q 'run interrupted' "$i" && [[ $i != *.beside.log ]]; then
			echo "ended by somebody else: $(basename "$i")"
		elif ! grep -q 'stat::number_of_executed_units' "$i"; then
			echo "did not end: $(basename "$i"): $(tail -1 "$i")"
			code=1
		fi
		rm -f "$i"
	done
	tar -C "$work/learned" -cJf "$out/learned.tar.xz" .
	[ "$(stat -c %s "$out/learned.tar.xz")" -lt $((16 << 20)) ] || rm "$out/learned.tar.xz"
	exit $code
}

command=${1:-}
shift || true
case $command in
pack) pack "$@" ;;
run) run "$@" ;;
*)
	sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
	exit 2
	;;
esac
