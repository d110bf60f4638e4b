/* ---- what mattered: the ablation, the model, values, pairs ---------------------------- */

/* rows of {name, from, to (0 to 1), style, amount, title} */
function bars(rows) {
	const out = el('div', 'bars');
	for (const row of rows) {
		const mark = el('div', row.style || '');
		mark.style.left = 100 * Math.min(row.from, row.to) + '%';
		mark.style.width = 100 * Math.abs(row.to - row.from) + '%';
		const track = el('div', 'track', mark);
		if (known(row.low) && known(row.high)) {
			const whisker = el('i');
			whisker.style.left = 100 * row.low + '%';
			whisker.style.width = 100 * (row.high - row.low) + '%';
			track.append(whisker);
		}
		const line = el('div', 'bar ' + (row.kind || ''), el('div', 'mono', row.name), track,
			el('div', 'amount', row.amount));
		if (row.title)
			line.title = row.title;
		out.append(line);
	}
	return out;
}

function waterfall(group) {
	const { gains } = group.winner, start = group.baseline && group.baseline.time_ns;
	const steps = Array.isArray(gains) ? gains.filter((step) => known(step.time_ns) && step.time_ns > 0) : [];
	if (!steps.length || !known(start))
		return null;
	const all = [start, ...steps.map((step) => step.time_ns)];
	const least = Math.min(...all) / 1.15, most = Math.max(...all) * 1.02;
	const place = (ns) => Math.log(ns / least) / Math.log(most / least);
	const rows = [{ name: 'baseline', from: 0, to: place(start), style: 'begin', amount: time(start) }];
	let before = start;
	for (const step of steps) {
		const name = Object.keys(step.to || {}).map((key) => key + ' ' +
			valueText((step.from || {})[key]) + ' → ' + valueText(step.to[key])).join(', ');
		rows.push({ name, from: place(before), to: place(step.time_ns),
			style: step.time_ns > before ? 'worse' : '', amount: (before / step.time_ns).toFixed(2) + '×',
			title: time(before) + ' → ' + time(step.time_ns) });
		before = step.time_ns;
	}
	rows.push({ name: 'winner', from: 0, to: place(before), style: 'end', amount: time(before) });
	return bars(rows);
}

function showGains(group, out) {
	out.append(el('h3', '', 'From the baseline to the winner'));
	if (!group.winner) {
		out.append(missing('There is no winner yet.', 'The way to it is looked into after the finals.'));
		return;
	}
	const steps = group.baseline_wins ? null : waterfall(group);
	if (steps)
		out.append(el('p', 'note', 'Each change, the most helpful one first, with its factor; bars are on a logarithmic scale of time. What only works together is one step.'), steps);
	else if (group.baseline_wins)
		out.append(missing('The baseline is the winner.', 'No configuration is significantly faster (95 %), so there is no gain to explain.'));
	else
		out.append(missing('The way is not recorded.', 'A run looks into it after its finals, where its budget leaves time: give `--budget` some more.'));
}

/* two bars, one above the other, as fractions of the longer bar */
function pair(baseline, winner) {
	const most = Math.max(baseline, winner, 1e-300), out = el('div', 'pair');
	for (const [value, style] of [[baseline, 'begin'], [winner, 'end']]) {
		const mark = el('div', style);
		mark.style.width = 100 * value / most + '%';
		out.append(mark);
	}
	return out;
}

function showReasons(group, out) {
	const reasons = group.winner && group.winner.reasons;
	out.append(el('h3', '', 'By the hardware counters'));
	if (!reasons) {
		out.append(missing('No counters were read.', '`autotune explain` reads those of winner and baseline, on a GPU.'));
		return;
	}
	if (!reasons.length) {
		out.append(missing('The counters give no reason.', 'None of them differs enough from that of the baseline.'));
		return;
	}
	const short = (value) => Math.abs(value) >= 1e5 ? value.toExponential(1) : Number(value.toPrecision(3)).toString();
	out.append(table([['why', 'name'], ['baseline', ''], ['winner', 'to'], ['', 'paired']], reasons.map((reason) => ({
		cells: [(reason.kernel ? reason.kernel + ': ' : '') + reason.text, short(reason.baseline), short(reason.figure),
			pair(reason.baseline, reason.figure)],
	}))));
}

function showImportance(group, out) {
	const { importance, evaluations } = group;
	out.append(el('h3', '', 'What a model needs to know'));
	if (!importance) {
		out.append(missing('There is no model of it.', 'Too few evaluations passed to learn from and to be judged on, or all of them take the same time: 48 is the least.'));
		return;
	}
	const most = Math.max(...importance.shares, 1e-9);
	const rows = importance.shares.map((value, p) => ({ name: evaluations.parameters[p].name, value }))
		.filter((row) => row.value >= 0.001).sort((a, b) => b.value - a.value)
		.map((row) => ({ name: row.name, from: 0, to: row.value / most, amount: share(row.value) }));
	out.append(el('p', 'note', 'Permutation importance. A Gaussian process of the kind that the search uses learned from ' +
		count(importance.learned_count) + ' evaluations, and explains ' + share(Math.max(0, importance.explained)) + ' of how the times of ' +
		count(importance.judged_count) + ' others vary. A bar is the share of that which it owes to one parameter, alone and together with others.' +
		(importance.explained < 0.5 ? ' That is too little to believe it.' : '')), bars(rows));
}

/* ---- each parameter ---------------------------------------------------------------- */

function quantile(sorted, part) {
	const place = part * (sorted.length - 1), below = Math.floor(place);
	return below + 1 < sorted.length ?
		sorted[below] + (place - below) * (sorted[below + 1] - sorted[below]) : sorted[below];
}

/* For each value of a parameter: count, best, quantiles; null if none passed. */
function distribution(group, p) {
	const { evaluations, prepared } = group;
	const lists = evaluations.parameters[p].values.map(() => []);
	for (let i = 0; i < evaluations.count; i++)
		if (!isNaN(prepared.time[i]))
			lists[evaluations.values[p][i]].push(prepared.time[i]);
	return lists.map((list) => {
		if (!list.length)
			return null;
		const sorted = Float64Array.from(list).sort();
		return { count: list.length, best: sorted[0], low: quantile(sorted, 0.05), quarter: quantile(sorted, 0.25),
			half: quantile(sorted, 0.5), most: quantile(sorted, 0.75), high: quantile(sorted, 0.95) };
	});
}

function boxesPlugin(boxes) {
	return {
		id: 'boxes',
		afterDatasetsDraw(chart) {
			const { ctx: context, scales: { x: across, y: down } } = chart;
			const half = Math.min(13, Math.max(2, (across.getPixelForValue(1) - across.getPixelForValue(0)) * 0.3));
			const y = (value) => down.getPixelForValue(value);
			context.save();
			boxes.forEach((box, i) => {
				if (!box)
					return;
				const x = across.getPixelForValue(i);
				context.strokeStyle = ink('accent');
				context.fillStyle = ink('accent-soft');
				context.lineWidth = 1.25;
				context.beginPath();
				context.moveTo(x, y(box.high));
				context.lineTo(x, y(box.low));
				context.stroke();
				context.fillRect(x - half, y(box.most), 2 * half, y(box.quarter) - y(box.most));
				context.strokeRect(x - half, y(box.most), 2 * half, y(box.quarter) - y(box.most));
				context.lineWidth = 2.5;
				context.beginPath();
				context.moveTo(x - half, y(box.half));
				context.lineTo(x + half, y(box.half));
				context.stroke();
				context.fillStyle = ink('winner');
				context.beginPath();
				context.arc(x, y(box.best), 3.5, 0, 2 * Math.PI);
				context.fill();
			});
			context.restore();
		},
	};
}

/* the part of a text that fits between two values of an axis, or next to it */
function shorten(text, axis, values) {
	const letters = axis.isHorizontal() ? Math.max(9, Math.floor(axis.width / (values.length + 0.2) / 8)) : 16;
	return text.length > letters ? text.slice(0, letters - 1) + '…' : text;
}

function valuesAxis(title, values) {
	return axis(title, {
		type: 'linear', min: -0.6, max: values.length - 0.4,
		grid: { display: false },
		afterBuildTicks: (self) => { self.ticks = values.map((value, i) => ({ value: i })); },
		ticks: { padding: 6, maxRotation: 50, autoSkip: true, callback(i) { return shorten(valueText(values[i]), this, values); } },
	});
}

function parameterPlot(group, p, place) {
	const { values, name } = group.evaluations.parameters[p];
	const boxes = distribution(group, p), { least, most } = group.prepared;
	const chart = plot(place, 'times by ' + name, {
		type: 'scatter',
		data: { datasets: [] },
		options: {
			scales: { x: valuesAxis('', values), y: logAxis('', least, most, axisTime) },
		},
		plugins: [boxesPlugin(boxes)],
	});
	pointAt(chart, (x, y) => {
		const i = Math.round(chart.scales.x.getValueForPixel(x));
		const box = boxes[i];
		if (!box || y < chart.chartArea.top || y > chart.chartArea.bottom)
			return null;
		return { x: chart.scales.x.getPixelForValue(i), y: chart.scales.y.getPixelForValue(box.best), children: [
			el('b', '', name + ' = ' + valueText(values[i])),
			el('div', '', 'best ' + time(box.best) + ', median ' + time(box.half)),
			el('div', 'faint', 'half of them ' + time(box.quarter) + ' to ' + time(box.most)),
			el('div', 'faint', count(box.count) + ' passed'),
		] };
	});
}

function varied(group) {
	return group.evaluations.parameters.map((parameter, p) => p)
		.filter((p) => group.evaluations.parameters[p].values.length > 1);
}

/* the most important first, if known */
function byImportance(group) {
	const shares = group.importance ? group.importance.shares : [];
	return varied(group).sort((a, b) => (shares[b] || 0) - (shares[a] || 0) || a - b);
}

function showParameters(group, out) {
	const order = byImportance(group), place = el('div', 'grid');
	/* a single further parameter needs no button */
	const first = order.length > 7 ? 6 : 7;
	const add = (p) => {
		const box = el('div', 'plot small');
		place.append(el('div', '', el('h3', '', el('span', 'mono', group.evaluations.parameters[p].name)), box));
		later(() => parameterPlot(group, p, box));
	};
	out.append(el('h3', '', 'Times by the values of each parameter'),
		el('p', 'note', 'Boxes are half of the times of a launch, the bar their median, whiskers nine tenths; the dot is the best with that value. On a logarithmic scale. The search looks more often where it is fast, so that boxes are no fair sample.'), place);
	order.slice(0, first).forEach(add);
	if (order.length > first) {
		const more = el('button', '', 'the other ' + (order.length - first) + ' parameters');
		more.type = 'button';
		more.addEventListener('click', () => {
			more.remove();
			order.slice(first).forEach(add);
		});
		out.append(el('div', 'tools', more));
	}
}

/* ---- two parameters -------------------------------------------------------------------- */

function mix(a, b, part) {
	const read = (colour) => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
	const from = read(a), to = read(b);
	return from.map((value, i) => Math.round(value + (to[i] - value) * part));
}

/* By WCAG 2: above 0.179 black is more readable than white. */
function luminance(colour) {
	const [red, green, blue] = colour.map((value) => {
		const part = value / 255;
		return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function heatPlugin(heat) {
	return {
		id: 'heat',
		afterDatasetsDraw(chart) {
			const { ctx: context, scales: { x: across, y: down } } = chart;
			const low = ink('heat-low'), high = ink('heat-high');
			const width = across.getPixelForValue(1) - across.getPixelForValue(0);
			const height = Math.abs(down.getPixelForValue(1) - down.getPixelForValue(0));
			context.save();
			context.font = '11.5px ' + Chart.defaults.font.family;
			context.textAlign = 'center';
			context.textBaseline = 'middle';
			for (let i = 0; i < heat.cells.length; i++) {
				const value = heat.cells[i];
				const x = across.getPixelForValue(i % heat.width), y = down.getPixelForValue(Math.floor(i / heat.width));
				if (!isFinite(value)) {
					context.fillStyle = ink('panel');
					context.fillRect(x - width / 2 + 1, y - height / 2 + 1, width - 2, height - 2);
					continue;
				}
				const part = heat.most > heat.least ? Math.log(heat.most / value) / Math.log(heat.most / heat.least) : 1;
				const colour = mix(low, high, part);
				context.fillStyle = 'rgb(' + colour.join(',') + ')';
				context.fillRect(x - width / 2 + 1, y - height / 2 + 1, width - 2, height - 2);
				if (width > 52 && height > 17) {
					context.fillStyle = luminance(colour) > 0.179 ? '#000' : '#fff';
					context.fillText(time(value), x, y);
				}
			}
			context.restore();
		},
	};
}

function heatPlot(group, a, b, place) {
	const { evaluations, prepared } = group;
	const across = evaluations.parameters[a], down = evaluations.parameters[b];
	const heat = { width: across.values.length, cells: new Float64Array(across.values.length * down.values.length).fill(Infinity),
		least: Infinity, most: 0, at: new Int32Array(across.values.length * down.values.length) };
	for (let i = 0; i < evaluations.count; i++) {
		const place = evaluations.values[b][i] * heat.width + evaluations.values[a][i];
		if (prepared.time[i] < heat.cells[place]) {
			heat.cells[place] = prepared.time[i];
			heat.at[place] = i;
		}
	}
	for (const value of heat.cells)
		if (isFinite(value)) {
			heat.least = Math.min(heat.least, value);
			heat.most = Math.max(heat.most, value);
		}
	place.style.height = Math.min(560, Math.max(200, 76 + 30 * down.values.length)) + 'px';
	const chart = plot(place, 'best time by ' + across.name + ' and ' + down.name, {
		type: 'scatter',
		data: { datasets: [] },
		options: { scales: { x: valuesAxis(across.name, across.values),
			y: Object.assign(valuesAxis(down.name, down.values), { reverse: true }) } },
		plugins: [heatPlugin(heat)],
	});
	for (const scale of [chart.options.scales.x, chart.options.scales.y])
		scale.grid.display = false;
	pointAt(chart, (x, y) => {
		const i = Math.round(chart.scales.x.getValueForPixel(x)), k = Math.round(chart.scales.y.getValueForPixel(y));
		if (i < 0 || k < 0 || i >= heat.width || k >= down.values.length)
			return null;
		const at = k * heat.width + i, value = heat.cells[at];
		const title = across.name + ' = ' + valueText(across.values[i]) + ', ' + down.name + ' = ' + valueText(down.values[k]);
		return { plain: true, children: isFinite(value) ? describe(group, heat.at[at]) :
			[el('b', '', 'none passed'), el('div', 'mono', title)] };
	});
	return [heat.least, heat.most];
}

function showPairs(group, out) {
	const order = byImportance(group);
	if (order.length < 2) {
		out.append(missing('There are no two parameters to compare.', 'Fewer than two of them were given several values.'));
		return;
	}
	let a = order[0], b = order[1];
	const place = el('div', 'plot'), legend = el('div', 'key');
	const draw = () => {
		const old = plots.findIndex((made) => made.chart.canvas.parentNode === place);
		if (old >= 0)
			plots.splice(old, 1)[0].chart.destroy();
		place.replaceChildren();
		const [least, most] = heatPlot(group, a, b, place);
		legend.replaceChildren(el('span', '', 'best with both: ' + time(least)), el('span', 'scale'), el('span', '', time(most)));
	};
	const select = (current, set, label) => {
		const out = el('select');
		out.setAttribute('aria-label', label);
		for (const p of varied(group)) {
			const option = el('option', '', group.evaluations.parameters[p].name);
			option.value = String(p);
			option.selected = p === current;
			out.append(option);
		}
		out.addEventListener('change', () => { set(Number(out.value)); draw(); });
		return out;
	};
	/* a parameter chosen twice moves to the other axis */
	const across = select(a, (p) => {
		if (p === b) {
			b = a;
			down.value = String(b);
		}
		a = p;
	}, 'parameter across');
	const down = select(b, (p) => {
		if (p === a) {
			a = b;
			across.value = String(a);
		}
		b = p;
	}, 'parameter down');
	out.append(el('h3', '', 'Two parameters together'),
		el('div', 'tools', el('label', '', 'across', across), el('label', '', 'down', down)), place, legend);
	later(draw);
}

function showMattered(group, out) {
	out.append(el('h2', '', 'What mattered'));
	const left = el('div'), right = el('div');
	showGains(group, left);
	showReasons(group, left);
	if (!group.evaluations) {
		out.append(left, missing('How each parameter did is not known.', 'That takes the evaluations of a search, which are in a record and not in result files.'));
		return;
	}
	showImportance(group, right);
	out.append(el('div', 'two', left, right));
	if (!group.prepared.passed)
		return;
	showParameters(group, out);
	showPairs(group, out);
}
