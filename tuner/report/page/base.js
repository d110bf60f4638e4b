/* ---- elements, numbers, data: everything from a record is shown as text -------- */

const data = JSON.parse(document.getElementById('data').textContent);

/* el('p', 'note', 'text', child, ...): strings become text nodes, whatever they
   contain */
function el(name, style, ...children) {
	const out = document.createElement(name);
	if (style)
		out.className = style;
	for (const child of children)
		if (child !== null && child !== undefined)
			out.append(child);
	return out;
}

/* titles: [text, class] of each column; rows: {style, cells}; a cell is a text or an
   element. */
function table(titles, rows, style) {
	const head = el('tr'), body = el('tbody');
	for (const [title, kind] of titles) {
		const cell = el('th', kind, title);
		cell.scope = 'col';
		head.append(cell);
	}
	for (const row of rows) {
		const line = el('tr', row.style || '');
		row.cells.forEach((cell, i) => line.append(el('td', titles[i][1], cell)));
		body.append(line);
	}
	return el('div', 'wide', el('table', style, el('thead', '', head), body));
}

const known = (value) => typeof value === 'number' && isFinite(value);

/* Prevents a line break between a number and its unit. */
const GAP = '\u00a0';

/* three digits */
function digits(value) {
	const size = Math.abs(value);
	return value.toFixed(size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

function time(ns) {
	if (!known(ns))
		return '–';
	const units = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']];
	const [size, name] = units.find(([size]) => Math.abs(ns) >= 0.9995 * size) || units[3];
	return digits(ns / size) + GAP + name;
}

/* for an axis: only the digits that are needed */
function axisTime(ns) {
	const units = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']];
	const [size, name] = units.find(([size]) => ns >= 0.9995 * size) || units[3];
	return Number((ns / size).toPrecision(3)) + ' ' + name;
}

function rate(value, unit) {
	if (!known(value))
		return '–';
	let prefix = 0;
	while (value >= 999.5 && prefix < 6) {
		value /= 1000;
		prefix++;
	}
	return digits(value) + GAP + ['', 'k', 'M', 'G', 'T', 'P', 'E'][prefix] + unit;
}

function axisRate(value) {
	let prefix = 0;
	while (value >= 999.5 && prefix < 6) {
		value /= 1000;
		prefix++;
	}
	return Number(value.toPrecision(3)) + ' ' + ['', 'k', 'M', 'G', 'T', 'P', 'E'][prefix];
}

function small(value, unit) {
	if (!known(value))
		return '–';
	const prefixes = [[1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n'], [1e-12, 'p']];
	const [size, prefix] = prefixes.find(([size]) => value >= 0.9995 * size) || prefixes[4];
	return digits(value / size) + GAP + prefix + unit;
}

const joules = (value) => small(value, 'J');
const times = (value) => known(value) ? digits(value) + '×' : '–';
const share = (value) => known(value) ?
	(Math.abs(value) > 0 && Math.abs(value) < 0.0095 ? (100 * value).toFixed(1) : (100 * value).toFixed(0)) + GAP + '%' : '–';
const count = (value) => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
const bytes = (value) => value >= 1024 ? Number((value / 1024).toPrecision(3)) + GAP + 'KiB' : value + GAP + 'B';

function seconds(value) {
	if (value < 60)
		return Math.round(value) + GAP + 's';
	if (value < 3600)
		return Math.floor(value / 60) + GAP + 'min ' + Math.round(value % 60) + GAP + 's';
	return Math.floor(value / 3600) + GAP + 'h ' + Math.floor(value % 3600 / 60) + GAP + 'min';
}

const day = (at) => new Date(1000 * at).toISOString().slice(0, 10);
const moment = (at) => new Date(1000 * at).toISOString().slice(0, 16).replace('T', ' ') + ' UTC';
const interval = (low, high, write) => known(low) && known(high) ? write(low) + ' to ' + write(high) : '';
const valueText = (value) => value === null ? '–' : String(value);

/* Missing data, and how to get it; commands are in backticks. */
function missing(title, text) {
	const out = el('p', 'missing', el('b', '', title + ' '));
	text.split('`').forEach((part, i) => out.append(i % 2 ? el('code', '', part) : part));
	return out;
}

/* ---- evaluations -------------------------------------------------------------------- */

/* A column is an array, one number for all rows, or missing. */
function cell(evaluations, column, i) {
	const values = evaluations[column];
	const value = Array.isArray(values) ? values[i] : values;
	return value === undefined ? null : value;
}

function configurationOf(evaluations, i) {
	return evaluations.parameters.map((parameter, p) =>
		[parameter.name, parameter.values[evaluations.values[p][i]]]);
}

const writeConfiguration = (pairs) =>
	pairs.map(([name, value]) => name + '=' + valueText(value)).join(' ');

/* The evaluation of this configuration, or -1. */
function findConfiguration(evaluations, configuration) {
	if (!configuration)
		return -1;
	const wanted = evaluations.parameters.map((parameter) =>
		Object.hasOwn(configuration, parameter.name) ?
			parameter.values.indexOf(configuration[parameter.name]) : -1);
	if (wanted.includes(-1))
		return -1;
	for (let i = 0; i < evaluations.count; i++)
		if (wanted.every((value, p) => evaluations.values[p][i] === value))
			return i;
	return -1;
}

/* Computed once for a group: times, the best so far. */
function prepare(group) {
	const evaluations = group.evaluations;
	if (!evaluations || group.prepared)
		return group.prepared;
	const all = evaluations.count, steps = [];
	const time = new Float64Array(all);
	let best = Infinity, least = Infinity, most = 0, passed = 0;
	for (let i = 0; i < all; i++) {
		const value = cell(evaluations, 'time_ns', i);
		time[i] = known(value) && value > 0 ? value : NaN;
		if (isNaN(time[i]))
			continue;
		passed++;
		least = Math.min(least, time[i]);
		most = Math.max(most, time[i]);
		if (time[i] < best) {
			best = time[i];
			steps.push(i);
		}
	}
	group.prepared = {
		time, steps, least, most, passed,
		winner: findConfiguration(evaluations, group.winner && group.winner.configuration),
		baseline: findConfiguration(evaluations, group.baseline && group.baseline.configuration),
	};
	return group.prepared;
}

/* The text next to a dot under the pointer. */
function describe(group, i) {
	const evaluations = group.evaluations, out = [], facts = [];
	const outcome = evaluations.outcomes[evaluations.outcome[i]];
	const value = cell(evaluations, 'time_ns', i);
	const low = cell(evaluations, 'low_ns', i), high = cell(evaluations, 'high_ns', i);
	const prepared = group.prepared;
	out.push(el('b', '', (known(value) ? time(value) + ', ' : '') + outcome.replace(/_/g, ' ')));
	if (i === prepared.winner || i === prepared.baseline)
		out.push(el('div', '', i === prepared.winner ? 'the winner, before its finals' : 'the baseline'));
	if (cell(evaluations, 'raced', i))
		out.push(el('div', 'faint', 'dropped early: it could not win'));
	else if (known(low) && known(high))
		out.push(el('div', 'faint', '95 % interval ' + interval(low, high, time)));
	if (evaluations.reason[i] >= 0)
		out.push(el('div', 'faint', evaluations.reasons[evaluations.reason[i]]));
	out.push(el('div', 'mono', writeConfiguration(configurationOf(evaluations, i))));
	const registers = cell(evaluations, 'registers', i), shared = cell(evaluations, 'shared_bytes', i);
	const spilled = cell(evaluations, 'spill_store_bytes', i), occupancy = cell(evaluations, 'occupancy', i);
	if (known(registers))
		facts.push(registers + ' registers');
	if (spilled > 0)
		facts.push(bytes(spilled) + ' spilled');
	if (shared > 0)
		facts.push(bytes(shared) + ' shared');
	if (known(occupancy))
		facts.push('occupancy ' + share(occupancy));
	if (facts.length)
		out.push(el('div', '', facts.join(', ')));
	out.push(el('div', 'faint', 'evaluation ' + count(i + 1) + ', after ' + seconds(evaluations.seconds[i])));
	return out;
}
