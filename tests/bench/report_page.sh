#!/usr/bin/env bash
# How long the page of a report takes to be there, in headless Chromium, and what it
# costs to make: a made-up record of 100,000 evaluations.
#
#   tests/bench/report_page.sh BUILD [EVALUATIONS]
#
# first paint is the browser's own (paint timing), from the start of navigation; drawn is
# when the last plot is there; hover is the time that one move of the pointer takes over
# the plot of all evaluations; empty page is the first paint of a page that says one word.
# Of five runs in turn, each in a fresh browser.
set -euo pipefail
build=$(cd "$1" && pwd)
count=${2:-100000}
[ -x "$build/tests/bench_report" ] || ninja -C "$build" bench_report >/dev/null
chromium=$(command -v chromium || command -v chromium-browser) || {
	echo "no chromium here: apt-get install chromium" >&2
	exit 1
}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
"$build/tests/bench_report" "$place/record" "$count"
/usr/bin/env time -f 'autotune report: %e s, %M KiB' \
	"$build/autotune" report --results "$place/record" --device nvidia-h200 -o "$place/report.html"
echo "page: $(wc -c <"$place/report.html") bytes, $count evaluations"

# told on the browser's log, when two frames have passed without anything to draw
cat >"$place/probe.html" <<'PROBE'
<script>
const probe = () => {
	const paint = performance.getEntriesByType('paint').find((entry) => entry.name === 'first-contentful-paint');
	if (!paint || autotuneReport.waiting()) {
		setTimeout(probe, 10);
		return;
	}
	const drawn = performance.now(), canvas = document.querySelector('.plot canvas'), box = canvas.getBoundingClientRect();
	const moves = 50, start = performance.now();
	for (let i = 0; i < moves; i++)
		canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: box.left + 80 + i * 7, clientY: box.top + 120 }));
	console.log('PROBE ' + [paint.startTime, drawn, (performance.now() - start) / moves].map((value) => value.toFixed(1)).join(' '));
};
requestAnimationFrame(probe);
</script>
PROBE
awk -v probe="$place/probe.html" '/^<\/body>/ { while ((getline line < probe) > 0) print line } { print }' \
	"$place/report.html" >"$place/probed.html"
# what the browser and the machine take by themselves: a page that says one word
cat >"$place/empty.html" <<'EMPTY'
<!doctype html><p>empty<script>
const probe = () => {
	const paint = performance.getEntriesByType('paint').find((entry) => entry.name === 'first-contentful-paint');
	if (paint)
		console.log('PROBE ' + paint.startTime.toFixed(1));
	else
		setTimeout(probe, 10);
};
requestAnimationFrame(probe);
</script>
EMPTY

# the line that a page tells, from a fresh browser
look() {
	: >"$place/log"
	"$chromium" --headless --no-sandbox --disable-gpu --enable-logging=stderr --v=0 --remote-debugging-port=0 \
		--user-data-dir="$place/profile" --window-size=1440,1000 "file://$place/$1" >/dev/null 2>"$place/log" &
	local browser=$!
	for _ in $(seq 600); do
		grep -q 'PROBE ' "$place/log" && break
		sleep 0.1
	done
	kill "$browser" 2>/dev/null || true
	wait "$browser" 2>/dev/null || true
	rm -rf "$place/profile" 2>/dev/null || true
	sed -n 's/.*PROBE \([0-9. ]*\).*/\1/p' "$place/log" | head -1
}
for _ in 1 2 3 4 5; do
	echo "$(look probed.html) $(look empty.html)"
done >"$place/figures"
for column in 1 2 3 4; do
	name=$(echo 'first paint,all drawn,hover,empty page' | cut -d, -f$column)
	sort -n -k$column "$place/figures" | awk -v c=$column -v name="$name" \
		'{ v[NR] = $c } END { if (!NR) exit 1; printf "%-12s best %.1f ms, median %.1f ms, worst %.1f ms (%d runs)\n", name, v[1], v[int((NR + 1) / 2)], v[NR], NR }'
done
