#!/bin/sh
# Do the printed intervals hold between processes? Tunes each space, fixed to one
# configuration, in N processes of their own, each with a record of its own, and
# compares the times told with the intervals told: how far apart the times are, and how
# many of the intervals hold the median of the times of all. By hand:
#
#   tests/bench/spread.sh [-n N] [-d DEVICE] SPACE [--problem NAME] [--set PARAM=VALUE...]
#
# AUTOTUNE: the program (build/autotune). Without --set the space's defaults alone, as
# "--budget 1" measures nothing else.
set -eu

program=${AUTOTUNE:-build/autotune}
runs=10
device=
while getopts n:d: option; do
	case $option in
	n) runs=$OPTARG ;;
	d) device="--device $OPTARG" ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
if [ $# -eq 0 ]; then
	sed -n '2,11s/^# \{0,1\}//p' "$0"
	exit 2
fi

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
for run in $(seq "$runs"); do
	# shellcheck disable=SC2086
	"$program" tune "$@" $device --budget 1 --seed "$run" --json \
		--results "$place/$run" 2>>"$place/log" | grep '"event": "summary"' \
		>>"$place/summaries" || {
		tail -5 "$place/log" >&2
		exit 1
	}
done
python3 - "$place/summaries" <<'END'
import json, statistics, sys

groups = {}
for line in open(sys.argv[1]):
    summary = json.loads(line)
    if summary.get("time_ns"):
        key = (summary["space"], summary["problem"], summary["device"])
        groups.setdefault(key, []).append(summary)
print(f"{'space, problem, device':40} {'runs':>4} {'median':>12} {'spread %':>8} "
      f"{'told +- %':>9} {'held':>7}")
for key, runs in groups.items():
    times = [run["time_ns"] for run in runs]
    middle = statistics.median(times)
    told = [run for run in runs if run["low_ns"] and run["high_ns"]]
    held = sum(run["low_ns"] <= middle <= run["high_ns"] for run in told)
    half = statistics.median(
        [(run["high_ns"] - run["low_ns"]) / 2 / run["time_ns"] for run in told] or [float("nan")])
    print(f"{', '.join(key):40} {len(runs):4} {middle / 1e3:9.3f} us "
          f"{100 * (max(times) - min(times)) / middle:8.2f} {100 * half:9.2f} "
          f"{held:3} of {len(told)}")
END
