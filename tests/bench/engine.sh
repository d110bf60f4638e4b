#!/bin/bash
# The figures of the engine, of two builds in turn on one machine: what one of them is
# worth without the other, minutes later, is not known. Every row is printed at once.
# usage: tests/bench/engine.sh [options] OLD [NEW]
#   OLD, NEW: executables, or folders of builds; the spaces are those of this folder
#   --parts LIST      of families,matmul,cache,boards (all, in this order)
#   --rounds N        how often each is run, in turn (1)
#   --device DEVICE   (cuda:0; host works too)
#   --seconds N       budget of a matmul run (60)
#   --family-seconds N  budget of a problem of the families (5)
#   --configurations N  of the run with and without what was compiled before (44)
#   --board-configurations N  of the runs on several boards (600)
#
# families  evaluations a second over all spaces, whole processes
# matmul    the same of one long run, and the coordinator's own processor time for each
# cache     few configurations, compiled now and compiled before, beside the time in
#           which the device is measured on, below which no run can get
# boards    evaluations a second on 1, 2, 4, 8 boards, compiled before
#
# "a second" is of whole processes, with set-up, finals and verifications, and behind it of
# the searches alone, from the first evaluation to the last before the finals. So are
# compiling and measuring. where.py tells what a run does besides.
set -u
parts=families,matmul,cache,boards rounds=1 device=cuda:0 seconds=60 family_seconds=5 configurations=44
board_configurations=600
usage() { sed -n '2,22s/^# \{0,1\}//p' "$0"; exit 2; }
while [ $# -gt 0 ]; do
  case $1 in
  --parts) parts=$2; shift 2 ;;
  --rounds) rounds=$2; shift 2 ;;
  --device) device=$2; shift 2 ;;
  --seconds) seconds=$2; shift 2 ;;
  --family-seconds) family_seconds=$2; shift 2 ;;
  --configurations) configurations=$2; shift 2 ;;
  --board-configurations) board_configurations=$2; shift 2 ;;
  -*) usage ;;
  *) break ;;
  esac
done
case $# in 1 | 2) ;; *) usage ;; esac
names=() programs=()
for name in old new; do
  [ $# -ge 1 ] || break
  program=$(realpath "$1")
  [ -d "$program" ] && program=$program/autotune
  [ -x "$program" ] || { echo "engine.sh: no executable $program" >&2; exit 1; }
  names+=("$name") programs+=("$program")
  shift
done
[ ${#names[@]} = 2 ] || names=(this)
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# neither NVRTC's nor the driver's cache gives what an earlier run compiled
export CUDA_CACHE_DISABLE=1

# each line behind the moment in seconds at which it came
stamped() {
  python3 -uc 'import sys, time
for line in sys.stdin:
    print("%.6f" % time.monotonic(), line, end="")'
}

# PROGRAM CACHE_FOLDER ARGUMENT...: tunes with an empty record; appends its lines and one
# {"event": "process", "seconds": ...} to $work/out
tune() {
  local program=$1 cache=$2 started ended code
  shift 2
  rm -rf "$work/results"
  started=$(date +%s%N)
  AUTOTUNE_CACHE=$cache "$program" tune "$@" --results "$work/results" --json --quiet \
    2>"$work/err" | stamped >>"$work/out"
  code=${PIPESTATUS[0]}
  ended=$(date +%s%N)
  # 3: no configuration passed, which is an answer
  [ $code = 0 ] || [ $code = 3 ] ||
    echo "engine.sh: exit $code of $program $*: $(tail -n 1 "$work/err")" >&2
  echo "0 {\"event\": \"process\", \"seconds\": $((ended - started))e-9}" >>"$work/out"
}

# PART BUILD: the row of what lies in $work/out, which is removed
row() {
  python3 - "$@" "$work/out" <<'PYTHON'
import json, sys
part, build, path = sys.argv[1:]
events = []
for line in open(path):
    at, _, text = line.partition(" ")
    if text.startswith("{"):
        events.append(json.loads(text) | {"at": float(at)})
of = lambda name: [e for e in events if e["event"] == name]
measured = [e for e in of("evaluation") if not e.get("reused")]
seconds = sum(e["seconds"] for e in of("process"))
total = lambda key: sum(e.get(key) or 0 for e in searched) * 1e-9
overhead = sum(e.get("overhead_seconds") or 0 for e in of("session"))
best = [e["time_ns"] for e in of("summary") if e.get("time_ns")]
count = len(measured)
# of each problem from its first evaluation to the last that the budget counts: what an
# explanation evaluates comes after finals and verifications, which are no search
searching, problem, searched = 0, [], []
for event in events:
    if event["event"] == "evaluation" and not event.get("reused"):
        problem.append(event)
    elif event["event"] == "summary" and problem:
        problem = problem[:max(event["evaluated"] - event["reused"], 1)]
        searching += problem[-1]["at"] - problem[0]["at"]
        searched, problem = searched + problem, []
print(f"{part:<10} {build:<5} {count:>11} {sum(e['outcome'] == 'ok' for e in measured):>6} {seconds:>9.2f} "
      f"{count / seconds if seconds else 0:>9.1f} {1e3 * overhead / count if count else 0:>12.3f} "
      f"{searching:>9.2f} {len(searched) / searching if searching else 0:>9.1f} "
      f"{total('compile_ns'):>9.2f} {total('measure_ns'):>9.2f}  "
      + (f"{best[0] / 1e3:.1f} us" if len(best) == 1 else f"{len(best)} problems"), flush=True)
PYTHON
  rm -f "$work/out"
}

wants() { case ,$parts, in *,$1,*) return 0 ;; esac; return 1; }

printf '%-10s %-5s %11s %6s %9s %9s %12s %9s %9s %9s %9s  %s\n' part build evaluations ok seconds "a second" \
  "ms own each" searching "a second" compiling measuring best
for _ in $(seq "$rounds"); do
  if wants families; then
    # space by space in turn: what changes on the machine meanwhile changes for both
    for space in spaces/*.cfg; do
      for i in "${!names[@]}"; do
        tune "${programs[i]}" "$work/units" "$space" --device "$device" --budget "${family_seconds}s"
        cat "$work/out" >>"$work/families-$i"
        rm -rf "$work/out" "$work/units"
      done
    done
    for i in "${!names[@]}"; do
      mv "$work/families-$i" "$work/out"
      row families "${names[i]}"
    done
  fi
  if wants matmul; then
    for i in "${!names[@]}"; do
      tune "${programs[i]}" "$work/units" spaces/matmul.cfg --device "$device" --budget "${seconds}s"
      rm -rf "$work/units"
      row matmul "${names[i]}"
    done
  fi
  if wants cache; then
    for i in "${!names[@]}"; do
      for kind in cold warm; do
        tune "${programs[i]}" "$work/units" spaces/matmul.cfg --device "$device" \
          --strategy random --seed 1 --budget "$configurations"
        row "$kind" "${names[i]}"
      done
      rm -rf "$work/units"
    done
  fi
  if wants boards; then
    # near the best, where measuring takes longest; compiled before, so that it is the
    # boards that decide
    near=(--set TILE_M=8,16 --set TILE_N=8 --set VECTOR=4 --set TILE_K=8,16 --set SLICES=1 --set CLUSTER=1
      --set UNROLL=0 --set STAGES=2,3,4 --set FRAGMENTS=2 --set LOOSE=true
      --strategy random --seed 1 --budget "$board_configurations")
    boards=$("${programs[0]}" devices --results "$work/results" 2>/dev/null | grep -c '^cuda:')
    for i in "${!names[@]}"; do
      [ "$boards" -gt 0 ] || continue
      tune "${programs[i]}" "$work/units" spaces/matmul.cfg --device cuda:0 "${near[@]}"
      rm -f "$work/out"
      for count in 1 2 4 8; do
        [ "$count" -le "$boards" ] || break
        list=$(seq -s , -f 'cuda:%g' 0 $((count - 1)))
        tune "${programs[i]}" "$work/units" spaces/matmul.cfg --device "$list" "${near[@]}"
        row "boards $count" "${names[i]}"
      done
      rm -rf "$work/units"
    done
    [ "$boards" -gt 0 ] || echo "boards: no GPU here"
  fi
done
