/* ---- the search: every evaluation, the best so far, and what failed ------------------- */

function searchPlot(group, place, by) {
	const { evaluations, prepared } = group;
	const at = by === 'time' ? (i) => evaluations.seconds[i] : (i) => i + 1;
	const last = evaluations.count - 1;
	const dots = {
		count: evaluations.count,
		x: at,
		y: (i) => prepared.time[i],
		failures: true,
		marks: [['baseline', at(prepared.baseline), prepared.time[prepared.baseline]],
			['winner', at(prepared.winner), prepared.time[prepared.winner]]],
	};
	const best = prepared.steps.map((i) => ({ x: at(i), y: prepared.time[i] }));
	best.push({ x: at(last), y: best[best.length - 1].y });
	const most = Math.max(at(last), 1);
	const chart = plot(place, 'times of ' + count(evaluations.count) +
		' evaluations and the best so far; arrow keys tell of one after the other', {
		type: 'scatter',
		data: { datasets: [{ data: best, showLine: true, stepped: true, pointRadius: 0, borderWidth: 2 }] },
		options: {
			layout: { padding: { right: 12 } },
			scales: {
				x: axis(by === 'time' ? 'time of searching' : 'evaluations', {
					type: 'linear', min: 0, max: most,
					grid: { display: false },
					ticks: { padding: 6, maxRotation: 0, precision: 0, maxTicksLimit: 7,
						callback: (value) => by === 'time' ? seconds(value) : count(value) },
				}),
				y: logAxis('time of a launch', prepared.least, prepared.most, axisTime),
			},
		},
		plugins: [dotsPlugin(dots)],
	}, (self) => { self.config.data.datasets[0].borderColor = ink('winner'); });
	const tell = (i) => ({ x: dots.at.x[i], y: dots.at.y[i], children: describe(group, i) });
	pointAt(chart, (x, y) => {
		const i = nearestDot(dots, x, y);
		return i < 0 ? null : tell(i);
	});
	stepThrough(chart, dots.count, prepared.winner, tell);
	return chart;
}

function failures(group) {
	const rows = group.outcomes.filter((outcome) => outcome.name !== 'ok').map((outcome) => ({
		cells: [outcome.name.replace(/_/g, ' '), count(outcome.count), outcome.first || '–', ],
	}));
	return rows.length ?
		table([['reason', ''], ['how often', 'number'], ['first message', 'message']], rows) :
		el('p', 'note', 'None: whatever was tried passed.');
}

function bestTable(group) {
	const { evaluations, prepared } = group, order = [];
	for (let i = 0; i < evaluations.count; i++) {
		if (isNaN(prepared.time[i]) || (order.length === 10 && !(prepared.time[i] < prepared.time[order[9]])))
			continue;
		order.push(i);
		order.sort((a, b) => prepared.time[a] - prepared.time[b]);
		order.length = Math.min(order.length, 10);
	}
	const first = evaluations.parameters.map((parameter, p) => p);
	const rows = order.slice(0, 10).map((i) => ({
		cells: [time(prepared.time[i]), share(cell(evaluations, 'occupancy', i)),
			writeConfiguration(first.map((p) => configurationOf(evaluations, i)[p]))],
	}));
	return el('details', '', el('summary', '', 'The ten best, as they were measured in the search'),
		table([['time', 'number'], ['occupancy', 'number wider'], ['configuration', 'message']], rows));
}

function showSearch(group, out) {
	const { evaluations } = group;
	out.append(el('h2', '', 'The search'));
	if (!evaluations) {
		out.append(group.bundled ?
			missing('Evaluations are not in result files.',
				'What else was tried is in the record of the run that found this winner, `autotune.db`, which is not bundled. Tune here with `autotune tune ' + group.space + '.cfg --results DIR`, and report with the same --results.') :
			missing('No evaluation can be told of.',
				'The record has none, or none that can be read: `autotune tune` adds them.'));
		return;
	}
	const { prepared } = group, total = evaluations.count;
	const took = evaluations.seconds[total - 1];
	out.append(el('p', 'note', count(total) + ' configurations were tried' + (took > 0 ? ' in ' + seconds(took) +
		' of searching' + (evaluations.pauses ? ' (' + (evaluations.pauses === 1 ? 'a pause' : 'pauses') + ' of more than ten minutes left out)' : '') : '') + ', ' + count(prepared.passed) + ' passed.' +
		(evaluations.left_out ? ' ' + count(evaluations.left_out) + ' evaluations are not shown: they were repeated since, or have other parameters.' : '')));
	if (prepared.passed) {
		let place = el('div', 'plot');
		const tools = el('div', 'tools', choice('what the axis counts', [['evaluation', 'by evaluation'], ['time', 'by time']], 'evaluation', (by) => {
			const old = plots.findIndex((made) => made.chart === chart);
			plots.splice(old, 1);
			chart.destroy();
			place.replaceChildren();
			chart = searchPlot(group, place, by);
		}));
		let chart;
		out.append(tools, place, key(['', 'an evaluation'], ['line', 'best so far'], ['winner', 'winner'],
			['baseline', 'baseline'], ['bad', 'failed']));
		later(() => { chart = searchPlot(group, place, 'evaluation'); });
	}
	out.append(el('h3', '', 'What failed'), failures(group));
	if (prepared.passed)
		out.append(bestTable(group));
}
