#!/bin/bash
# From result to production on a GPU, in one go: a portfolio, headers, consumers that are
# built of them, and nights. By hand, with a static build:
#   tests/bench/production.sh EXECUTABLE OUTPUT_FOLDER [device, cuda:0] [nights, 4]
# Logs are kept in OUTPUT_FOLDER; the last lines are a table.
set -u
[ $# -ge 2 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 2; }
program=$(realpath "$1") device=${3:-cuda:0} nights=${4:-4}
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$2" && out=$(realpath "$2") || exit 1
LD_LIBRARY_PATH=$(dirname "$program")/lib:${LD_LIBRARY_PATH:-}
export LD_LIBRARY_PATH AUTOTUNE_CACHE=$out/units AUTOTUNE_LOCKS=$out
cd "$root" || exit 1
spaces=(spaces/softmax.cfg spaces/strided_copy.cfg spaces/transpose.cfg)
table=()
note() { table+=("$(printf '%-34s %s' "$1" "$2")"); }

# ---- winners, and the few that serve all problems
for space in "${spaces[@]}"; do
  start=$SECONDS
  "$program" tune "$space" --device "$device" --budget 8s --portfolio 5% --sanitize never \
    --results "$out/results" --json >"$out/$(basename "$space").jsonl" 2>>"$out/tune.log"
  code=$?
  note "portfolio of $(basename "$space" .cfg)" "$(python3 - "$out/$(basename "$space").jsonl" <<'END'
import json, sys
for line in open(sys.argv[1]):
    event = json.loads(line)
    if event.get("event") == "portfolio":
        problems = sum(len(m["problems"]) for m in event["members"])
        print(f"{len(event['members'])} configurations for {problems} problems, worst loss {100 * event['worst_loss']:.2f} %")
END
), exit $code, $((SECONDS - start)) s"
done

# ---- headers are up to date, and say what was measured
"$program" header "${spaces[@]}" --results "$out/results" --check >"$out/check.log" 2>&1
note "header --check" "exit $?"

# ---- nights on an unchanged machine change nothing
"$program" nightly "${spaces[@]}" --device "$device" --budget 60s --results "$out/results" \
  >"$out/night0.log" 2>&1
note "night 1" "exit $?"
cat "$out"/results/*.h | md5sum >"$out/before.md5"
start=$SECONDS
for night in $(seq 2 "$nights"); do
  "$program" nightly "${spaces[@]}" --device "$device" --budget 40s --results "$out/results" \
    >"$out/night$night.log" 2>&1
  note "night $night" "exit $?"
done
cat "$out"/results/*.h | md5sum >"$out/after.md5"
cmp -s "$out/before.md5" "$out/after.md5" && same=unchanged || same=CHANGED
note "headers after $nights nights" "$same, $((SECONDS - start)) s"
"$program" history "${spaces[@]}" --results "$out/results" >"$out/history.txt" 2>&1
tail -30 "$out/night$nights.log"
printf '\n'
printf '%s\n' "${table[@]}"
