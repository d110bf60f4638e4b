/* ---- the overview of results, and the winner of the one that is shown ---------- */

const addressOf = (group) => '#' + [group.space, group.problem, group.device.slug]
	.map(encodeURIComponent).join('/');

function gainText(group) {
	if (!group.winner)
		return '–';
	return group.baseline_wins ? 'none' : times(group.speedup);
}

/* the overview's columns: title, class, sort key; below, the present sorting */
const columns = [
	['space', '', (group) => group.space],
	['problem', 'wider', (group) => group.problem],
	['device', 'wider', (group) => group.device.model],
	['baseline', 'number wider', (group) => group.baseline && group.baseline.time_ns],
	['winner', 'number', (group) => group.winner && group.winner.time_ns],
	['speed-up', 'number', (group) => group.winner && group.speedup],
	['verification', 'wider', verificationText],
];
let sorting = null, falls = false;

function verificationText(group) {
	return !group.winner ? 'no winner' : group.winner.verified ? 'verified' : 'not verified';
}

/* Unknown values come last, in either direction. */
function sorted(groups) {
	const of = (group) => sorting[2](group);
	const isThere = (value) => known(value) || typeof value === 'string';
	return !sorting ? groups : [...groups].sort((a, b) => {
		const x = of(a), y = of(b);
		if (!isThere(x) || !isThere(y))
			return isThere(y) - isThere(x);
		return (x < y ? -1 : x > y ? 1 : 0) * (falls ? -1 : 1);
	});
}

function overview(groups, shown) {
	const rows = sorted(groups).map((group) => {
		const link = el('a', '', group.space);
		link.href = addressOf(group);
		return {
			style: group === shown ? 'chosen' : '',
			cells: [
				el('span', '', link, el('span', 'narrow', group.problem), el('span', 'narrow', group.device.model)),
				group.problem, group.device.model,
				time(group.baseline && group.baseline.time_ns),
				time(group.winner && group.winner.time_ns),
				gainText(group),
				el('span', 'faint', verificationText(group)),
			],
		};
	});
	const titles = columns.map((column) => {
		const title = el('button', 'sorts', column[0]);
		title.type = 'button';
		title.addEventListener('click', () => {
			falls = sorting === column && !falls;
			sorting = column;
			const made = overview(groups, shown);
			out.replaceWith(made);
			made.querySelectorAll('.sorts')[columns.indexOf(column)].focus();
		});
		return [title, column[1]];
	});
	const out = table(titles, rows, 'overview');
	if (sorting)
		out.querySelectorAll('th')[columns.indexOf(sorting)].setAttribute('aria-sort', falls ? 'descending' : 'ascending');
	if (groups.length > 12)
		out.classList.add('scroll');
	return out;
}

function figure(label, value, under, style) {
	return el('div', 'figure', el('div', 'label', label),
		el('div', 'value ' + (style || ''), value), el('div', 'under', under || ' '));
}

function figures(group) {
	const { winner, baseline } = group, out = el('div', 'figures');
	out.append(figure('winner', time(winner.time_ns), '95 %: ' + (interval(winner.low_ns, winner.high_ns, time) || 'not known'), 'winner'));
	for (const [key, ends, name, unit] of [['energy_joules', 'joules', 'energy', 'J'],
		['edp_joule_seconds', 'joule_seconds', 'energy times time', 'Js']]) {
		const write = (value) => small(value, unit);
		if (known(winner[key]))
			out.append(figure(name, write(winner[key]), '95 %: ' + (interval(winner['low_' + ends], winner['high_' + ends], write) || 'not known'), 'winner'));
	}
	if (baseline && !group.baseline_wins)
		out.append(figure('baseline', time(baseline.time_ns), '95 %: ' + (interval(baseline.low_ns, baseline.high_ns, time) || 'not known')));
	const gain = !winner.objective || winner.objective === 'time' ? 'speed-up' : 'gain';
	if (group.baseline_wins)
		out.append(figure(gain, 'none', 'nothing was better than the baseline'));
	else if (known(group.speedup))
		out.append(figure(gain, times(group.speedup), '95 %: ' + (interval(group.speedup_low, group.speedup_high, times) || 'not known')));
	const memory = winner.bound === 'memory-bound' || !known(winner.flops_per_second);
	const speed = memory ? rate(winner.bytes_per_second, 'B/s') : rate(winner.flops_per_second, 'FLOP/s');
	if (speed !== '–')
		out.append(figure('rate', speed, known(winner.ceiling_fraction) ?
			share(winner.ceiling_fraction) + ' of the measured ceiling' : 'no ceiling is measured'));
	return out;
}

function configurationTable(group) {
	const winner = group.winner.configuration || {};
	const baseline = group.baseline && group.baseline.configuration || {};
	const rows = Object.keys(winner).map((name) => {
		const from = Object.hasOwn(baseline, name) ? valueText(baseline[name]) : '–';
		const to = valueText(winner[name]);
		return { style: from !== to ? 'changed' : '', cells: [el('span', 'mono', name), from, to] };
	});
	return table([['parameter', 'name'], ['baseline', ''], ['winner', 'to']], rows);
}

/* No other finalist is better in time or energy and as good in both. */
function frontTable(finalists) {
	const front = finalists.filter((one) => one.on_front).sort((a, b) => a.time_ns - b.time_ns);
	return table([['configuration', 'name'], ['time', 'number'], ['energy', 'number']], front.map((one) => ({
		cells: [
			el('span', 'mono', Object.entries(one.configuration || {}).map(([name, value]) => name + '=' + valueText(value)).join(' ')),
			time(one.time_ns), joules(one.energy_joules),
		],
	})));
}

function resourceTable(group) {
	const parts = [['registers', 'registers a thread', String], ['spill_store_bytes', 'spilled a thread', bytes],
		['shared_bytes', 'shared memory a block', bytes], ['threads_per_block', 'threads a block', count],
		['blocks', 'blocks of the launch', count], ['resident_blocks', 'blocks on a multiprocessor', count],
		['occupancy', 'occupancy', share], ['limiting_factor', 'limited by', String]];
	const of = (result, name, write) => result && result[name] !== null && result[name] !== undefined ?
		write(result[name]) : '–';
	const rows = parts.map(([name, title, write]) => ({
		cells: [title, of(group.baseline, name, write), of(group.winner, name, write)],
	})).filter((row) => row.cells[1] !== '–' || row.cells[2] !== '–');
	return rows.length ? table([['', ''], ['baseline', ''], ['winner', '']], rows) :
		missing('No resources are recorded.', 'The compiler of this device does not tell them.');
}

/* A launch's attributes beyond its size, and for a sequence the resources of each
   launch. */
function launchText(launch) {
	const size = (list) => list.join(' × ').replace(/( × 1)+$/, '');
	const out = ['grid ' + size(launch.grid), 'block ' + size(launch.block)];
	if (launch.registers)
		out.push(launch.registers + ' registers', bytes(launch.static_shared_bytes + launch.shared_bytes) + ' shared');
	for (const name of ['cluster', 'preferred_cluster'])
		if (launch[name])
			out.push(name.replace('_', ' ') + ' ' + size(launch[name]));
	out.push(...['cooperative', 'dependent'].filter((name) => launch[name]));
	if (known(launch.carveout))
		out.push('carveout ' + launch.carveout + ' %');
	if (known(launch.l2_window_percent))
		out.push('L2 window ' + launch.l2_window_percent + ' %');
	return out.join(', ');
}

function launchWords(launch) {
	if (!launch || !launch.grid || !launch.block)
		return null;
	return launch.launches ? launch.launches.map((one) => one.launch + ': ' + launchText(one)).join('; ') : launchText(launch);
}

function copyBlock(lines) {
	const text = lines.join('\n'), out = el('div', 'copy', el('pre', '', text));
	const button = el('button', '', 'copy');
	button.type = 'button';
	button.addEventListener('click', () => {
		const done = () => { button.textContent = 'copied'; };
		const fail = () => {
			getSelection().selectAllChildren(out.firstChild);
			button.textContent = 'selected';
		};
		/* pages opened as files may have no clipboard */
		if (navigator.clipboard)
			navigator.clipboard.writeText(text).then(done, fail);
		else
			fail();
	});
	out.append(button);
	return out;
}

function verification(group) {
	const { winner } = group, list = el('dl');
	const add = (name, text) => text && list.append(el('dt', '', name), el('dd', '', text));
	add('launch', launchWords(winner.launch));
	add('not for', winner.not_for);
	add('verified', winner.verified_by);
	add('not run', winner.not_run);
	add('measured', winner.measured);
	add('chosen from', known(winner.evaluation_count) && winner.evaluation_count > 0 ?
		count(winner.evaluation_count) + ' evaluations; ' + count(winner.ok_count) + ' passed' : null);
	add('compiled by', winner.toolchain);
	add('driver', winner.driver);
	add('selected', winner.created_seconds > 0 ? moment(winner.created_seconds) : null);
	return list;
}

function showWinner(group, out) {
	if (!group.winner && group.device.kind === 'imported') {
		out.append(missing('There is no winner here.',
			'This was measured elsewhere and imported: it has times, and no confirmation or verification of ours. A search on a device of that model learns from it.'));
		return;
	}
	const tried = group.outcomes.reduce((sum, outcome) => sum + outcome.count, 0);
	if (!group.winner && tried && !group.outcomes.some((outcome) => outcome.name === 'ok' && outcome.count)) {
		out.append(missing('There is no winner: no configuration passed.',
			count(tried) + (tried === 1 ? ' was' : ' were') + ' tried. Why they failed is below' +
			(group.outcomes.some((outcome) => outcome.name === 'compile_failed') ?
				'; `autotune check --compile` compiles some without a run.' : '.')));
		return;
	}
	if (!group.winner) {
		out.append(missing('No winner is recorded.',
			'No run came to its finals. `autotune tune` with a longer --budget goes on where the last run ended.'));
		return;
	}
	out.append(figures(group));
	const left = el('div', '', el('h3', '', 'Configuration'), configurationTable(group),
		el('h3', '', 'Resources'), resourceTable(group));
	const energy = group.winner.measurement && group.winner.measurement.energy;
	if (energy && Array.isArray(energy.finalists))
		left.append(el('h3', '', 'The front of time and energy'), frontTable(energy.finalists));
	const right = el('div', '', el('h3', '', 'How it was verified'), verification(group),
		el('h3', '', 'For your build'));
	if (group.winner.includes.length)
		right.append(copyBlock(group.winner.includes));
	else
		right.append(missing('It is in no header.', 'What is not verified is not: the next run verifies it, or replaces it.'));
	out.append(el('div', 'two', left, right));
}
