#!/bin/bash
# Are finals as warm as a row of launches? A small matmul with `cache = "warm"`, whose
# configurations are four, tuned by fresh runs with other seeds: the time of the winner in
# finals, with its interval, beside that of the same configuration in the search, where
# launches follow each other. By hand, on a GPU:
#   tests/bench/warm.sh EXECUTABLE OUTPUT_FOLDER [runs, 4] [device, cuda:0] [executable...]
# More executables are compared in turn, on the same board.
set -u
[ $# -ge 2 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2; }
root=$(cd "$(dirname "$0")/../.." && pwd) runs=${3:-4} device=${4:-cuda:0}
programs=("$(realpath "$1")")
for other in "${@:5}"; do programs+=("$(realpath "$other")"); done
mkdir -p "$2" && out=$(realpath "$2") || exit 1
export AUTOTUNE_CACHE=$out/units AUTOTUNE_LOCKS=$out
LD_LIBRARY_PATH=$(dirname "${programs[0]}")/lib:${LD_LIBRARY_PATH:-}
export LD_LIBRARY_PATH

sed -e '/name = "square_128"/d' \
  -e 's|{ name = "square_4096".*|{ name = "square_1024"; M = 1024; N = 1024; K = 1024; }|' \
  -e "s|\"../templates/|\"$root/templates/|" \
  -e 's|^search: .*|search: { strategy = "exhaustive"; budget = "60s"; cache = "warm"; };|' \
  "$root/spaces/matmul.cfg" >"$out/matmul_warm.cfg"
set_=(BLOCK_X=16 BLOCK_Y=16 TILE_M=4 TILE_N=4 TILE_K=8 LANES=4 SLICES=1 CLUSTER=1 VECTOR=2 USE_LDG=true
  PAD=0,4 STAGES=1,2 COPY=registers SPREAD=1 UNROLL=8 FRAGMENTS=1 ORDER=rows LOOSE=false RESIDENT=1)

printf '%-24s %4s  %26s  %10s  %s\n' executable seed "finals, 95 %" search "finals / search"
for seed in $(seq "$runs"); do
  for program in "${programs[@]}"; do
    rm -rf "$out/record"
    "$program" tune "$out/matmul_warm.cfg" --device "$device" --results "$out/record" --json \
      --sanitize never --seed "$seed" "${set_[@]/#/--set=}" >"$out/log" 2>"$out/errors" </dev/null ||
      head -3 "$out/errors"
    python3 - "$out/log" "$program" "$seed" <<'END'
import json, sys
events = [json.loads(line) for line in open(sys.argv[1])]
won = [e for e in events if e.get("event") == "summary"][-1]
alone = [e for e in events if e.get("event") == "evaluation"
         and e["configuration"] == won["configuration"]][0]["time_ns"]
print("%-24s %4s  %8.3f %8.3f %8.3f  %10.3f  %.4f" % (sys.argv[2][-24:], sys.argv[3],
      won["low_ns"] / 1e3, won["time_ns"] / 1e3, won["high_ns"] / 1e3, alone / 1e3,
      won["time_ns"] / alone))
END
  done
done
