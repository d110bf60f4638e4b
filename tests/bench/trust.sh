#!/bin/bash
# Can results be trusted? By hand, on a GPU, with a static build:
#   tests/bench/trust.sh BUILD OUTPUT_FOLDER [runs, 10] [device]
# Subspaces that are searched through whole, by fresh runs with other seeds and records: how
# often they select the same configuration, and how far the winners' times are apart. Then
# what part of a minute all verifications take.
set -u
program=$(realpath "$1")/autotune out=$(realpath "$2") runs=${3:-10} device=${4:-cuda:0}
export LD_LIBRARY_PATH=$(realpath "$1")/lib:${LD_LIBRARY_PATH:-} AUTOTUNE_CACHE=$out/units
mkdir -p "$out"

# space, problem, and what is left of the space
subspaces=(
  "matmul square_4096 BLOCK_X=16 BLOCK_Y=16 TILE_M=8 TILE_N=8 TILE_K=8 LANES=4 SLICES=1 CLUSTER=1 VECTOR=4 USE_LDG=false PAD=0,4 STAGES=2,3 COPY=mixed,async SPREAD=1 UNROLL=0 FRAGMENTS=2 ORDER=across LOOSE=true RESIDENT=1"
  "reduction hundred_million BLOCK=256,512 VECTOR=4 METHOD=shuffle FINISH=atomic UNROLL=1,2,4,8 BLOCKS_PER_MULTIPROCESSOR=8,16"
  "transpose square_8192 METHOD=padded,swizzled TILE=32,64 ROWS=8 ELEMENTS=4 VECTOR=1 ORDER=rows,diagonal"
  "softmax rows_of_1024 BLOCK_X=128,256 ROWS_PER_BLOCK=1,2 VECTOR=4 METHOD=online USE_LDG=false PARTS=1"
  "copy floats_2_26 BLOCK=128,256 VECTOR=4 USE_LDG=false L1=plain ELEMENTS=4,8 BLOCKS_PER_MULTIPROCESSOR=0,8,16"
)

printf '%-10s %5s  %9s  %8s  %7s  %s\n' space runs winners apart held seconds
for line in "${subspaces[@]}"; do
  read -r space problem rest <<<"$line"
  arguments=(tune "spaces/$space.cfg" --device "$device" --strategy exhaustive --sanitize never --json)
  [ "$problem" = - ] || arguments+=(--problem "$problem")
  for set in $rest; do arguments+=(--set "$set"); done
  rm -f "$out/$space.jsonl"; start=$SECONDS
  for run in $(seq "$runs"); do
    "$program" "${arguments[@]}" --seed "$run" --results "$out/$space.$run" 2>>"$out/$space.log" |
      grep '"event": "summary"' >>"$out/$space.jsonl"
    rm -rf "$out/$space.$run"
  done
  python3 - "$out/$space.jsonl" "$space" $((SECONDS - start)) <<'END'
import collections, json, statistics, sys
rows = collections.defaultdict(list)
for line in open(sys.argv[1]):
    event = json.loads(line)
    if event.get("time_ns"):
        rows[event["problem"]].append(event)
for problem, events in rows.items():
    times = [event["time_ns"] for event in events]
    middle = statistics.median(times)
    winners = len({json.dumps(event["configuration"], sort_keys=True) for event in events})
    held = sum(event.get("low_ns") is not None and event["low_ns"] <= middle <= event["high_ns"]
               for event in events)
    print("%-10s %5d  %9d  %6.2f %%  %3d of %d  %s  %s, %.4g us" % (sys.argv[2], len(events), winners,
          100 * (max(times) / min(times) - 1), held, len(events), sys.argv[3], problem, middle / 1e3))
END
done
