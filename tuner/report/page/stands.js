/* ---- where it stands: the roofline, other devices, other nights ------------------------ */

/* {flops a byte, flops a second} of a result; NaN if unknown */
const intensityOf = (result) => result && known(result.intensity) ? result.intensity : NaN;
const speedOf = (result) => result && known(result.flops_per_second) ? result.flops_per_second : NaN;

/* roofs: [name, ceiling of operations] below that of bytes */
function roofs(group) {
	const { ceilings, winner } = group, out = [];
	const isDouble = winner && winner.is_double;
	if (known(ceilings.float_flops_per_second) && !isDouble)
		out.push(['float FMA', ceilings.float_flops_per_second]);
	if (known(ceilings.double_flops_per_second) && isDouble)
		out.push(['double FMA', ceilings.double_flops_per_second]);
	return out;
}

function rooflineDots(group) {
	const { evaluations, prepared } = group;
	if (!evaluations)
		return { count: 0, x: () => NaN, y: () => NaN };
	const flops = (i) => cell(evaluations, 'flops', i), moved = (i) => cell(evaluations, 'bytes', i);
	return {
		count: evaluations.count,
		x: (i) => flops(i) / moved(i),
		y: (i) => flops(i) / prepared.time[i] * 1e9,
	};
}

function roofline(group, place) {
	const { ceilings, winner, baseline } = group, dots = rooflineDots(group);
	dots.marks = [['baseline', intensityOf(baseline), speedOf(baseline)], ['winner', intensityOf(winner), speedOf(winner)]];
	const copy = ceilings.copy_bytes_per_second, tops = roofs(group);
	const ridge = tops.length ? tops[0][1] / copy : winner ? intensityOf(winner) : dots.x(0);
	let x = [ridge / 30, ridge * 30], y = [];
	for (let i = 0; i < dots.count; i++)
		if (dots.x(i) > 0 && dots.y(i) > 0) {
			x = [Math.min(x[0], dots.x(i) / 2), Math.max(x[1], dots.x(i) * 2)];
			y.push(dots.y(i));
		}
	for (const [, at, speed] of dots.marks)
		if (known(at) && known(speed)) {
			x = [Math.min(x[0], at / 3), Math.max(x[1], at * 3)];
			y.push(speed);
		}
	const top = tops.length ? tops[0][1] : copy * x[1];
	const low = Math.min(y.reduce((a, b) => Math.min(a, b), top), Math.min(copy * x[0], top) * 4);
	/* beyond the ends of the axis, which clips them */
	x = [x[0] / 1.6, x[1] * 1.6];
	const line = (points) => ({ data: points.map(([x, y]) => ({ x, y })), showLine: true, pointRadius: 0, borderWidth: 2 });
	const lines = tops.length ? tops.map(([, most]) => line([[x[0], copy * x[0]], [most / copy, most], [x[1], most]])) :
		[line([[x[0], copy * x[0]], [x[1], copy * x[1]]])];
	const chart = plot(place, 'roofline of ' + group.device.model, {
		type: 'scatter',
		data: { datasets: lines },
		options: {
			layout: { padding: { top: 8, right: 10 } },
			scales: {
				x: logAxis('intensity, flop/B', x[0] * 1.6, x[1] / 1.6, (value) => Number(value.toPrecision(3))),
				y: logAxis('FLOP/s', low, top * 1.3, axisRate),
			},
		},
		plugins: [{ id: 'roofs', afterDatasetsDraw: (self) => {
			const { ctx: context, scales, chartArea: area } = self;
			context.save();
			context.fillStyle = ink('soft');
			context.font = '12px ' + Chart.defaults.font.family;
			context.textBaseline = 'bottom';
			for (const [name, most] of tops) {
				context.textAlign = 'right';
				context.fillText(name + ' ' + rate(most, 'FLOP/s'), area.right - 4, scales.y.getPixelForValue(most) - 10);
			}
			const at = Math.sqrt(x[0] * (tops.length ? tops[0][1] / copy : x[1]));
			const here = [scales.x.getPixelForValue(at), scales.y.getPixelForValue(copy * at)];
			const there = [scales.x.getPixelForValue(at * 2), scales.y.getPixelForValue(copy * at * 2)];
			context.translate(here[0], here[1]);
			context.rotate(Math.atan2(there[1] - here[1], there[0] - here[0]));
			context.textAlign = 'center';
			context.fillText('copy ' + rate(copy, 'B/s'), 0, -5);
			context.restore();
		} }, dotsPlugin(dots)],
	}, (self) => { for (const set of self.config.data.datasets) set.borderColor = ink('soft'); });
	pointAt(chart, (px, py) => {
		for (const [kind, at, speed] of dots.marks) {
			const dx = chart.scales.x.getPixelForValue(at) - px, dy = chart.scales.y.getPixelForValue(speed) - py;
			if (dx * dx + dy * dy < 140)
				return { x: px - -dx, y: py - -dy, children: [el('b', '', kind), el('div', '', rate(speed, 'FLOP/s')),
					el('div', 'faint', Number(at.toPrecision(3)) + ' flop/B')] };
		}
		const i = dots.count ? nearestDot(dots, px, py) : -1;
		return i < 0 ? null : { x: dots.at.x[i], y: dots.at.y[i],
			children: [el('div', '', rate(dots.y(i), 'FLOP/s')), ...describe(group, i)] };
	});
}

function showRoofline(group, out) {
	const { ceilings, winner, prepared } = group;
	out.append(el('h2', '', 'Where it stands'));
	if (!winner && !(prepared && prepared.passed)) {
		out.append(missing('Nothing passed that could stand here.', ''));
		return;
	}
	if (winner && !known(winner.intensity) && !known(winner.bytes_per_second) && !known(winner.flops_per_second)) {
		out.append(missing('It is not known what a launch computes and moves.',
			'Say so in the space file: `metrics: { flops = "2.0 * M * N * K"; bytes = "4.0 * (M * K + K * N + M * N)"; };`'));
		return;
	}
	if (!ceilings || !known(ceilings.copy_bytes_per_second)) {
		out.append(missing('The ceilings of this device are not measured.',
			'Run `autotune devices` once on that machine, with the same --results: it measures what a copy and fused multiply-adds come to. ' +
			(winner ? 'The winner achieves ' + [rate(winner.flops_per_second, 'FLOP/s'), rate(winner.bytes_per_second, 'B/s')]
				.filter((text) => text !== '–').join(' and ') + (known(winner.intensity) ? ', at ' + Number(winner.intensity.toPrecision(3)) + ' flop/B.' : '.') : '')));
		return;
	}
	const dots = rooflineDots(group);
	if (winner ? !known(winner.intensity) : !(dots.count && dots.x(0) > 0)) {
		out.append(el('p', 'note', 'The space file says what it moves or what it computes, and not both: so it stands beside one ceiling alone.'),
			ceilingBars(group));
		return;
	}
	out.append(el('p', 'note', 'The roofline (Williams, Waterman and Patterson 2009): lines are what this device was measured to do at best, dots all evaluations that passed. Left of the ridge bytes decide, right of it operations.'));
	const place = el('div', 'plot');
	out.append(place, key(['', 'an evaluation'], ['winner', 'winner, of its finals'], ['baseline', 'baseline']));
	later(() => roofline(group, place));
}

/* Without intensity there is no roofline: rates are shown with their ceiling. */
function ceilingBars(group) {
	const { ceilings, winner, baseline } = group, tops = roofs(group);
	const isBytes = !winner || known(winner.bytes_per_second) || !tops.length;
	const [ceiling, of, unit, name] = isBytes ? [ceilings.copy_bytes_per_second, 'bytes_per_second', 'B/s', 'a copy'] :
		[tops[0][1], 'flops_per_second', 'FLOP/s', tops[0][0]];
	const results = [['baseline', baseline, 'begin'], ['winner', winner, 'end']]
		.filter(([, result]) => result && known(result[of]));
	const most = Math.max(ceiling, ...results.map(([, result]) => result[of]));
	const rows = results.map(([title, result, style]) => ({
		kind: 'devices', name: title, from: 0, to: result[of] / most, style,
		amount: rate(result[of], unit) + ', ' + share(result[of] / ceiling),
	}));
	rows.push({ kind: 'devices', name, from: 0, to: ceiling / most, amount: rate(ceiling, unit) });
	return bars(rows);
}

/* ---- devices ------------------------------------------------------------------------ */

function showDevices(group, groups, out) {
	const others = groups.filter((other) => other.space === group.space && other.problem === group.problem && other.winner);
	out.append(el('h2', '', 'Devices side by side'));
	if (others.length < 2) {
		out.append(missing('Only one device has a winner of this problem.',
			'Tune it on others, and bring their records together: `autotune import OTHER/autotune.db`, or report of a folder that has the result files of several.'));
		return;
	}
	const most = Math.max(...others.map((other) => other.winner.high_ns || other.winner.time_ns));
	others.sort((a, b) => a.winner.time_ns - b.winner.time_ns);
	out.append(el('p', 'note', 'Times of the winners, each from its own finals, with 95 % intervals.'), bars(others.map((other) => ({
		kind: 'devices', name: other.device.model, from: 0, to: other.winner.time_ns / most,
		style: other === group ? 'end' : '',
		low: other.winner.low_ns / most, high: other.winner.high_ns / most,
		amount: time(other.winner.time_ns) + ', ' + gainText(other) + ' over its baseline',
	}))));
	const names = Object.keys(group.winner ? group.winner.configuration || {} : {});
	const rows = names.map((name) => {
		const values = others.map((other) => Object.hasOwn(other.winner.configuration || {}, name) ?
			valueText(other.winner.configuration[name]) : '–');
		return { style: new Set(values).size > 1 ? 'changed' : '', cells: [name, ...values] };
	});
	out.append(table([['parameter', 'name'], ...others.map((other) => [other.device.model, 'device'])], rows));
}

/* ---- nights ----------------------------------------------------------------------------- */

/* some days between the first night and the last, evenly spaced */
function dayTicks(scale, first, last) {
	const days = Math.max(1, Math.round((last - first) / 86400));
	const step = Math.max(1, Math.ceil(days / Math.max(2, Math.floor(scale.width / 110))));
	scale.ticks = [];
	for (let i = 0; i <= days; i += step)
		scale.ticks.push({ value: first + 86400 * i });
}

function nightsPlot(nights, place) {
	const points = nights.filter((night) => night.outcome === 'ok' && known(night.time_ns));
	const low = Math.min(...points.map((night) => known(night.low_ns) ? night.low_ns : night.time_ns));
	const high = Math.max(...points.map((night) => known(night.high_ns) ? night.high_ns : night.time_ns));
	const room = Math.max((high - low) * 0.1, high * 0.002);
	/* rehearsals take a second: then their number replaces the time */
	const span = points[points.length - 1].created_seconds - points[0].created_seconds;
	const isDaily = span >= 43200 * (points.length - 1);
	const at = new Map(points.map((night, i) => [night, isDaily ? night.created_seconds : i + 1]));
	const first = at.get(points[0]), last = at.get(points[points.length - 1]);
	const aside = isDaily ? Math.max(span * 0.03, 43200) : 0.5;
	const isBad = (night) => night.verdict === 'slower' || night.verdict === 'incorrect';
	const chart = plot(place, 'times of ' + nights.length + ' nights', {
		type: 'scatter',
		data: { datasets: [{ data: points.map((night) => ({ x: at.get(night), y: night.time_ns })),
			showLine: true, pointRadius: 0, borderWidth: 1.5 }] },
		options: {
			layout: { padding: { right: 10 } },
			scales: {
				x: axis('night', { type: 'linear', min: first - aside, max: last + aside, grid: { display: false },
					afterBuildTicks: (self) => { if (isDaily) dayTicks(self, first, last); },
					ticks: { padding: 6, maxRotation: 0, precision: 0, callback: (value) => isDaily ? day(value) :
						Number.isInteger(value) ? String(value) : '' } }),
				y: axis('time of a launch', { type: 'linear', suggestedMin: low - room, suggestedMax: high + room,
					ticks: { padding: 6, maxTicksLimit: 6, callback: (value) => axisTime(value) } }),
			},
		},
		plugins: [{ id: 'nights', afterDatasetsDraw: (self) => {
			const { ctx: context, scales: { x, y } } = self;
			context.save();
			for (const night of points) {
				const place = x.getPixelForValue(at.get(night));
				context.strokeStyle = context.fillStyle = isBad(night) ? ink('bad') : night.verdict === 'faster' ? ink('good') : ink('accent');
				context.lineWidth = 1.5;
				if (known(night.low_ns) && known(night.high_ns)) {
					context.beginPath();
					context.moveTo(place, y.getPixelForValue(night.low_ns));
					context.lineTo(place, y.getPixelForValue(night.high_ns));
					context.stroke();
				}
				context.beginPath();
				context.arc(place, y.getPixelForValue(night.time_ns), isBad(night) ? 5 : 3.5, 0, 2 * Math.PI);
				context.fill();
			}
			context.restore();
		} }],
	}, (self) => { self.config.data.datasets[0].borderColor = ink('line'); });
	pointAt(chart, (px) => {
		let best = 24, found = null;
		for (const night of points) {
			const distance = Math.abs(chart.scales.x.getPixelForValue(at.get(night)) - px);
			if (distance < best) {
				best = distance;
				found = night;
			}
		}
		return found && { x: chart.scales.x.getPixelForValue(at.get(found)), y: chart.scales.y.getPixelForValue(found.time_ns),
			children: [el('b', '', time(found.time_ns)), el('div', isBad(found) ? 'verdict-bad' : '', found.verdict),
				el('div', 'faint', moment(found.created_seconds)), found.detail ? el('div', 'faint', found.detail) : ''] };
	});
}

function showNights(group, out) {
	out.append(el('h2', '', 'Nights'));
	if (!group.nights.length)
		out.append(missing('No night is recorded.', '`autotune nightly` measures this winner and its baseline again, tells what became slower, and adds a night to the record.'));
	for (const board of group.nights) {
		const { nights } = board, bad = nights.filter((night) => night.verdict === 'slower' || night.verdict === 'incorrect');
		if (group.nights.length > 1)
			out.append(el('h3', '', 'Board ' + (board.board || 'without a name')));
		out.append(el('p', 'note', count(nights.length) + (nights.length === 1 ? ' night' : ' nights') + ', the last one ' +
			moment(nights[nights.length - 1].created_seconds) + ': ' + nights[nights.length - 1].verdict + '. ' +
			(bad.length ? count(bad.length) + ' of them slower or no longer correct.' : 'None of them slower or no longer correct.')));
		if (nights.filter((night) => night.outcome === 'ok' && known(night.time_ns)).length > 1) {
			const place = el('div', 'plot');
			out.append(place);
			later(() => nightsPlot(nights, place));
		}
		if (bad.length)
			out.append(table([['night', ''], ['time', 'number'], ['verdict', 'verdict-bad'], ['', 'faint']], bad.slice(-10).map((night) => ({
				cells: [moment(night.created_seconds), time(night.time_ns), night.verdict, night.detail || ''],
			}))));
	}
}
