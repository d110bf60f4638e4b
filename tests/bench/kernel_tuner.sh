#!/bin/bash
# autotune beside Kernel Tuner (github.com/KernelTuner/kernel_tuner) on this GPU: the same
# sources, parameters, restrictions and problems, every configuration, in turn, with
# nothing compiled before; the whole process counts. autotune verifies each result; Kernel
# Tuner does with an answer to compare with, and does not as in its own examples: both.
# usage: tests/bench/kernel_tuner.sh EXECUTABLE SITE_PACKAGES [rounds] [space...]
#   SITE_PACKAGES holds kernel_tuner and what it imports: python-constraint2, jsonschema,
#   jsonschema-specifications, referencing, rpds-py, attrs, xmltodict, packaging, numpy,
#   and cuda-python or CuPy
# BACKENDS="NVCUDA CUPY": which of Kernel Tuner's to try, the first that works is used
set -u
[ $# -ge 2 ] || { sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 2; }
program=$(realpath "$1") site=$(realpath "$2") rounds=${3:-2}
shift $(($# < 3 ? $# : 3))
spaces=${*:-matmul transpose}
here=$(cd "$(dirname "$0")" && pwd)
peer="python3 $here/kernel_tuner.py"
# before what python3 has itself: the same versions for everybody
export PYTHONPATH=$site${PYTHONPATH:+:$PYTHONPATH} PYTHONDONTWRITEBYTECODE=1
# neither NVRTC's nor the driver's nor CuPy's cache gives what an earlier run compiled
export CUDA_CACHE_DISABLE=1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# from a folder without kernel_tuner.py, which bears the same name
version='import kernel_tuner, importlib.metadata as data; print(data.version("kernel_tuner"))'
if ! version=$(cd "$work" && python3 -c "$version" 2>why); then
  echo "kernel_tuner.sh: Kernel Tuner cannot be imported with $site: $(tail -n 1 "$work/why")"
  exit 1
fi
if ! "$program" devices --device cuda:0 --results "$work/results" >"$work/device" 2>"$work/why"; then
  echo "kernel_tuner.sh: no GPU: $(tail -n 1 "$work/why")"
  exit 1
fi
head -n 1 "$work/device"
backend=
for one in ${BACKENDS:-NVCUDA CUPY}; do
  if CUPY_CACHE_DIR=$work/cupy $peer matmul probe "$one" >"$work/probe" 2>&1; then
    backend=$one
    break
  fi
  echo "Kernel Tuner with $one does not run: $(tail -n 1 "$work/probe")"
done
[ -n "$backend" ] || exit 1
echo "Kernel Tuner $version, $backend"

# NAME SPACE VERIFIED: a row of what the run left in $work/out, after $seconds
row() {
  python3 - "$@" "$seconds" "$work/out" "$work/rows" <<'PYTHON'
import json, sys
tool, space, verified, seconds, path, rows = sys.argv[1:]
lines = [json.loads(l) for l in open(path) if l.startswith("{")]
if tool == "autotune":
    all = [l for l in lines if l["event"] == "evaluation"]
    count, ok = len(all), sum(l["outcome"] == "ok" for l in all)
    best = next((l["time_ns"] for l in lines if l["event"] == "summary"), None)
else:
    count, ok, best = lines[-1]["configurations"], lines[-1]["ok"], lines[-1]["best_ns"]
seconds = float(seconds)
best = "-" if best is None else f"{best / 1e3:.1f} us"
print(f"{space:<10} {tool:<13} {verified:<9} {count:>14} {ok:>5} {seconds:>9.2f} {count / seconds:>9.1f}  {best}",
      flush=True)
open(rows, "a").write(f"{space}\t{tool}\t{verified}\t{count / seconds}\n")
PYTHON
}

# seconds of a whole process; its output is in $work/out
timed() {
  local started ended
  started=$(date +%s%N)
  "$@" >"$work/out" 2>"$work/err"
  local code=$?
  ended=$(date +%s%N)
  seconds=$(((ended - started) / 1000000))
  seconds=$((seconds / 1000)).$(printf %03d $((seconds % 1000)))
  [ $code = 0 ] || echo "exit $code: $(tail -n 1 "$work/err")"
  return $code
}

printf '%-10s %-13s %-9s %14s %5s %9s %9s  %s\n' space tool verified configurations ok seconds "a second" "best"
for space in $spaces; do
  $peer "$space" answer "$work/answer.npy" >/dev/null || exit 1
  for round in $(seq "$rounds"); do
    timed "$program" tune "$here/spaces/peer_$space.cfg" --device cuda:0 --strategy exhaustive \
      --fresh --results "$work/results-$round" --json --quiet && row autotune "$space" yes
    rm -rf "$work/results-$round" "$work/cupy"
    CUPY_CACHE_DIR=$work/cupy timed $peer "$space" tune "$backend" && row "Kernel Tuner" "$space" no
    rm -rf "$work/cupy"
    CUPY_CACHE_DIR=$work/cupy timed $peer "$space" tune "$backend" "$work/answer.npy" &&
      row "Kernel Tuner" "$space" yes
  done
  rm -f "$work/answer.npy"
done
[ -f "$work/rows" ] || exit 1
python3 - "$work/rows" <<'PYTHON'
import collections, statistics, sys
rates = collections.defaultdict(list)
for line in open(sys.argv[1]):
    space, tool, verified, rate = line.rstrip("\n").split("\t")
    rates[space, tool, verified].append(float(rate))
for (space, tool, verified), values in rates.items():
    ours = rates.get((space, "autotune", "yes"))
    if tool != "autotune" and ours:
        ratio = statistics.median(ours) / statistics.median(values)
        print(f"{space}: autotune {ratio:.1f}x as many a second as Kernel Tuner "
              f"{'verifying' if verified == 'yes' else 'without verification'}")
PYTHON
