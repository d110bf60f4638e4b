#!/bin/bash
# Do NVIDIA's own profiler and autotune agree on how long kernels take? Eight kernels from
# 2 us to 20 ms: each is tuned with all parameters set (finals, verification and all), then the
# same machine code is launched outside autotune under Nsight Compute, with the clocks left
# alone and the caches emptied. Beside each the profiler looks at a kernel
# that does nothing: it counts less of a launch than two events do. And the same program
# runs without the profiler and times itself by events. And do the two read the same hardware
# counters (autotune explain)? The last lines are the tables. By hand:
#
#   tests/bench/ncu.sh EXECUTABLE OUTPUT_FOLDER [device, cuda:0] [row...]
#
# Rows: numbers from 1, all without any. NCU: the profiler (ncu, else that of $CUDA_HOME).
# RESULTS: whose winners are taken (results/nvidia-h200). LAUNCHES: how many are profiled
# of each (30). OUTPUT_FOLDER keeps logs, programs and ncu's CSV.
set -u
[ $# -ge 2 ] || { sed -n '2,15s/^# \{0,1\}//p' "$0"; exit 2; }
here=$(cd "$(dirname "$0")" && pwd) root=$(cd "$(dirname "$0")/../.." && pwd)
program=$(realpath "$1") device=${3:-cuda:0} launches=${LAUNCHES:-30}
results=$(realpath "${RESULTS:-$root/results/nvidia-h200}")
mkdir -p "$2" && out=$(realpath "$2") || exit 1
wanted=("${@:4}")
ncu=${NCU:-$(command -v ncu || echo "${CUDA_HOME:-/usr/local/cuda}/bin/ncu")}
LD_LIBRARY_PATH=$(dirname "$program")/lib:${LD_LIBRARY_PATH:-}
export LD_LIBRARY_PATH AUTOTUNE_CACHE=${AUTOTUNE_CACHE:-$out/units}

# space, the problem whose winner is taken, sizes, arguments of the kernel
rows=(
  "copy floats_2_26 N=65536 float:N out:N long:N"
  "transpose square_8192 M=1024,N=1024 float:M*N out:M*N int:M int:N"
  "softmax rows_of_1024 ROWS=65536,COLUMNS=1024 float:ROWS*COLUMNS out:ROWS*COLUMNS int:ROWS int:COLUMNS"
  "matmul square_4096 M=4096,N=4096,K=4096 float:M*K float:K*N out:M*N int:M int:N int:K"
  "matmul square_4096 M=7680,N=7680,K=7680 float:M*K float:K*N out:M*N int:M int:N int:K"
  "copy floats_2_26 N=67108864 float:N out:N long:N"
  "transpose square_8192 M=8192,N=8192 float:M*N out:M*N int:M int:N"
  "reduction hundred_million N=100000000 float:N out:1 int:N"
)

# NAME SPACE PROBLEM SIZES: the space with these sizes alone, and what sets all parameters
prepare() {
  python3 - "$root" "$results" "$out/$1" "${@:2}" <<'END_OF_PYTHON'
import json, re, sys
root, results, out, space, problem, sizes = sys.argv[1:]
text = open(f"{root}/spaces/{space}.cfg").read()
members = " ".join(f"{pair.replace('=', ' = ')};" for pair in sizes.split(","))
text, count = re.subn(r"(?ms)^problems = \(.*?^\);",
                      f'problems = ( {{ name = "ncu"; {members} }} );', text, count=1)
if count != 1:
    sys.exit(f"{space}.cfg: no list of problems")
open(f"{out}.cfg", "w").write(text.replace('"../templates/', f'"{root}/templates/'))
winners = json.load(open(f"{results}/{space}.json"))["problems"]
values = next(w["configuration"] for w in winners if w["problem"] == problem)
with open(f"{out}.sets", "w") as sets:
    for name, value in values.items():
        print("--set", f"{name}={str(value).lower() if isinstance(value, bool) else value}",
              file=sets, sep="\n")
END_OF_PYTHON
}

# NAME: from what was tuned, line by line: function, launch
describe() {
  python3 - "$out/$1" <<'END_OF_PYTHON'
import glob, json, sys
paths = glob.glob(f"{sys.argv[1]}.results/*/*.json")
if len(paths) != 1:
    sys.exit("no result file")
result = json.load(open(paths[0]))
launch = result["problems"][0]["launch"]
print(result["function"])
print(*launch["grid"], *launch["block"], launch["shared_bytes"])
END_OF_PYTHON
}

# NAME SIZES: a row of the table
row() {
  python3 - "$out/$1" "$@" <<'END_OF_PYTHON'
import csv, glob, json, os, re, statistics, sys
out, name, sizes = sys.argv[1:4]
winner = json.load(open(glob.glob(f"{out}.results/*/*.json")[0]))["problems"][0]
measurement = winner.get("measurement") or {}
ours, low, high = (winner.get(key) for key in ("time_ns", "low_ns", "high_ns"))
graph = measurement.get("graph_ns")
# reported beside short winners only; it is the board's, so another row's does as well
empty = measurement.get("empty_ns") or next(
    (found for path in glob.glob(f"{os.path.dirname(out)}/*.results/*/*.json")
     if (found := (json.load(open(path))["problems"][0].get("measurement") or {}).get("empty_ns"))),
    None)
clocks = [measurement.get(key) for key in ("first_clock_hz", "last_clock_hz")]
scales = {"ns": 1, "nsecond": 1, "us": 1e3, "usecond": 1e3, "ms": 1e6, "msecond": 1e6,
          "s": 1e9, "second": 1e9, "hz": 1, "cycle/second": 1, "cycle/nsecond": 1e9}
try:
    lines = list(csv.reader(l for l in open(f"{out}.csv") if not l.startswith("==")))
except OSError:
    lines = []
# the names of the columns, their units, then a line for each launch
names = next((i for i, cells in enumerate(lines) if "Kernel Name" in cells), None)
theirs, nothings, their_clocks = [], [], []
if names is not None and len(lines) > names + 1:
    header, units = lines[names], lines[names + 1]
    def read(cells, metric):
        column = header.index(metric)
        return float(cells[column].replace(",", "")) * scales[units[column].lower()]
    for cells in lines[names + 2:]:
        time = read(cells, "gpu__time_duration.sum")
        if "ncu_nothing" in cells[header.index("Kernel Name")]:
            nothings.append(time)
        else:
            theirs.append(time)
            their_clocks.append(read(cells, "gpc__cycles_elapsed.avg.per_second"))
def us(value):
    return "-" if value is None else f"{value / 1e3:.3f}"
try:
    events, _ = (float(word) for word in open(f"{out}.events").read().split())
except (OSError, ValueError):
    events = None
def median(values):
    values = [value for value in values if value]
    return statistics.median(values) if values else None
middle, nothing = median(theirs), median(nothings)
spread = f"{100 * (max(theirs) / min(theirs) - 1):.1f}" if theirs else "-"
def off(value, other):
    return "-" if not value or not other else f"{100 * (value / other - 1):+.2f}"
def mhz(value):
    return "-" if not value else f"{value / 1e6:.0f}"
# a launch's own part, as each of the two counts it, taken away
work = ours - empty if empty else None
their_work = middle - nothing if middle and nothing else None
print(f"{name:12} {sizes:28} {us(ours):>10} {'-' if low is None else f'{50 * (high - low) / ours:.2f}':>6}"
      f" {us(events):>10} {off(ours, events):>7} {us(graph):>9} {us(empty):>7} {mhz(median(clocks)):>6} {us(middle):>10} {spread:>8}"
      f" {len(theirs):4} {us(nothing):>7} {mhz(median(their_clocks)):>6} {off(ours, middle):>8}"
      f" {off(work, their_work):>8}")
END_OF_PYTHON
}

# NAME SIZES: the counters of the winner, by autotune and by ncu, a line each
counters() {
  python3 - "$out/$1" "$@" <<'END_OF_PYTHON'
import csv, json, statistics, sys
out, name, sizes = sys.argv[1:4]
try:
    lines = [json.loads(line) for line in open(f"{out}.explained") if line.startswith("{")]
    told = next(line for line in lines if line.get("event") == "explanation")
    ours = told["counters"][0]
    rows = list(csv.reader(l for l in open(f"{out}.counters.csv") if not l.startswith("==")))
    names = next(i for i, cells in enumerate(rows) if "Kernel Name" in cells)
except (OSError, StopIteration, TypeError, ValueError) as problem:
    sys.exit(f"{name:12} {sizes:28} no counters: {problem}")
for reason in told["reasons"]:
    print(f"{name:12} {reason['text']}")
for metric, value in ours.items():
    if metric == "kernel" or metric not in rows[names]:
        continue
    theirs = [float(cells[rows[names].index(metric)].replace(",", "")) for cells in rows[names + 2:]]
    middle = statistics.median(theirs)
    off = f"{100 * (value / middle - 1):+8.2f}" if middle else "       -"
    spread = f"{100 * (max(theirs) / min(theirs) - 1):8.2f}" if min(theirs) > 0 else "       -"
    print(f"{name:12} {metric:75} {value:12.6g} {middle:12.6g} {off} {spread}")
END_OF_PYTHON
}

: >"$out/table"
: >"$out/counters"
number=0
for line in "${rows[@]}"; do
  number=$((number + 1))
  [ ${#wanted[@]} -eq 0 ] || [[ " ${wanted[*]} " == *" $number "* ]] || continue
  read -r space problem sizes arguments <<<"$line"
  name=$space$number
  echo "$name: $sizes" >&2
  rm -rf "$out/$name.results" "$out/$name.csv"
  if ! prepare "$name" "$space" "$problem" "$sizes"; then
    echo "$name         not prepared" >>"$out/table"
    continue
  fi
  mapfile -t sets <"$out/$name.sets"
  if ! "$program" tune "$out/$name.cfg" --device "$device" "${sets[@]}" --sanitize never \
      --results "$out/$name.results" --seed "$number" >"$out/$name.tuned" 2>&1; then
    echo "$name         not tuned: $(tail -n 1 "$out/$name.tuned")" >>"$out/table"
    continue
  fi
  grep -E "^  (time|measured|verified)" "$out/$name.tuned" >&2
  if ! describe "$name" >"$out/$name.launch"; then
    echo "$name         not tuned: no result file" >>"$out/table"
    continue
  fi
  mapfile -t facts <"$out/$name.launch"
  # each size a variable of its own, so that arguments are sums the shell can do
  values=()
  for argument in $arguments; do
    values+=("${argument%%:*}:$(
      for pair in ${sizes//,/ }; do declare -i "${pair%%=*}=${pair##*=}"; done
      echo $((${argument##*:})))")
  done
  if ! "$program" header "$out/$name.cfg" --results "$out/$name.results" --cubins \
      >"$out/$name.header" 2>&1 ||
    ! nvcc -O3 -DKERNEL="${facts[0]}" -DCUBINS="\"$out/$name.results/${facts[0]}_cubins.h\"" \
      "$here/ncu_launch.cu" -o "$out/$name" >"$out/$name.nvcc" 2>&1; then
    echo "$name         $(grep -h -m 1 error "$out/$name.header" "$out/$name.nvcc")" >>"$out/table"
    continue
  fi
  # shellcheck disable=SC2086
  "$out/$name" $((launches + 6)) ${facts[1]} "${values[@]}" >"$out/$name.events" 2>&1
  # what is launched first fetches code and sets things up: it is not profiled
  # shellcheck disable=SC2086
  "$ncu" --metrics gpu__time_duration.sum,gpc__cycles_elapsed.avg.per_second --clock-control none --cache-control all \
    --csv --page raw --print-units base --kernel-name "regex:^(${facts[0]}|ncu_nothing)$" \
    --launch-skip 12 --launch-count $((2 * launches)) \
    "$out/$name" $((launches + 6)) ${facts[1]} "${values[@]}" >"$out/$name.csv" 2>"$out/$name.ncu" ||
    echo "$name: ncu: $(grep -h -m 1 -E 'ERROR|rror' "$out/$name.csv" "$out/$name.ncu" || tail -n 1 "$out/$name.ncu")" >&2
  row "$name" "$sizes" >>"$out/table"
  "$program" explain "$out/$name.cfg" --device "$device" --results "$out/$name.results" --json \
    >"$out/$name.explained" 2>&1
  metrics=$(python3 -c 'import json, sys
for line in open(sys.argv[1]):
    if "\"explanation\"" in line:
        print(",".join(m for m in (json.loads(line)["counters"] or [{}])[0] if m != "kernel"))' "$out/$name.explained")
  # shellcheck disable=SC2086
  [ -z "$metrics" ] || "$ncu" --metrics "$metrics" --clock-control none --cache-control all \
    --csv --page raw --print-units base --kernel-name "regex:^${facts[0]}$" \
    --launch-skip 6 --launch-count 5 \
    "$out/$name" 12 ${facts[1]} "${values[@]}" >"$out/$name.counters.csv" 2>>"$out/$name.ncu"
  counters "$name" "$sizes" >>"$out/counters" 2>&1
done
echo
printf '%-12s %-28s %10s %6s %10s %7s %9s %7s %6s %10s %8s %4s %7s %6s %8s %8s\n' kernel sizes "autotune" \
  "+- %" "events" "off %" "graph" "empty" MHz "ncu" "spread %" n "empty" MHz "off %" "less %"
cat "$out/table"
echo "times in us; events: the same program without the profiler; off: autotune's over ncu's median; less: the same, an empty kernel taken from both"
echo
printf '%-12s %-75s %12s %12s %8s %8s\n' kernel counter autotune ncu "off %" "spread %"
cat "$out/counters"
