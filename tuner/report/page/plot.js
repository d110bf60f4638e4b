/* ---- plots: Chart.js draws axes and lines, dense marks are drawn on its canvas ---- */

const root = document.documentElement;
const ink = (name) => getComputedStyle(root).getPropertyValue('--' + name).trim();
const hover = document.getElementById('hover');
let plots = []; /* {chart, paint} of the plots on the page */
let waiting = []; /* pending plots, so that the first appears soon */
let scheduled = false;

Chart.defaults.animation = false;
Chart.defaults.responsive = true;
Chart.defaults.maintainAspectRatio = false;
Chart.defaults.events = [];
Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
Chart.defaults.font.size = 12;
Chart.defaults.plugins.legend.display = false;
Chart.defaults.plugins.tooltip.enabled = false;

function later(work) {
	waiting.push(work);
	soon();
}

/* after the present contents have been painted */
function soon() {
	if (scheduled)
		return;
	scheduled = true;
	requestAnimationFrame(() => setTimeout(() => {
		scheduled = false;
		next();
	}, 0));
}

function next() {
	/* elements after the script are still loading */
	if (document.readyState === 'loading') {
		document.addEventListener('DOMContentLoaded', soon, { once: true });
		return;
	}
	const work = waiting.shift();
	if (work)
		work();
	if (waiting.length)
		soon();
}

function flush() {
	while (waiting.length)
		waiting.shift()();
}

function clearPlots() {
	waiting = [];
	for (const plot of plots)
		plot.chart.destroy();
	plots = [];
	hover.hidden = true;
}

/* the fewer decades, the more ticks in each: 1 to 9, or 1, 2 and 5, or powers of ten
   alone */
function logTicks(axis, write) {
	const decades = Math.log10(axis.max / axis.min);
	const wanted = decades < 0.75 ? [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9] :
		decades < 3.2 ? [1, 2, 5] : [1];
	const step = decades > 7 ? 2 : 1;
	let out = [];
	for (let e = Math.floor(Math.log10(axis.min)); e <= Math.ceil(Math.log10(axis.max)); e += step)
		for (const factor of wanted) {
			const value = factor * 10 ** e;
			if (value >= axis.min * 0.999999 && value <= axis.max * 1.000001)
				out.push({ value, label: write(value) });
		}
	/* a short axis may lie between two ticks */
	if (out.length < 2)
		out = [0.15, 0.5, 0.85].map((part) => ({ value: axis.min + (axis.max - axis.min) * part }));
	axis.ticks = out;
}

function axis(title, more) {
	return Object.assign({
		title: { display: !!title, text: title },
		grid: { drawTicks: false },
		ticks: { padding: 6, maxRotation: 0 },
	}, more);
}

/* A logarithmic axis that ends near its marks. */
function logAxis(title, least, most, write, more) {
	const room = Math.max(Math.log10(most / least) * 0.06, 0.02);
	return axis(title, Object.assign({
		type: 'logarithmic',
		min: least / 10 ** room,
		max: most * 10 ** room,
		afterBuildTicks: (self) => logTicks(self, write),
		ticks: { padding: 6, maxRotation: 0, autoSkip: true, callback: (value) => write(value) },
	}, more));
}

function paintAxes(chart) {
	for (const scale of Object.values(chart.options.scales)) {
		scale.grid.color = scale.grid.display === false ? 'transparent' : ink('grid');
		scale.grid.borderColor = ink('line');
		scale.border = { color: ink('line') };
		scale.ticks.color = ink('soft');
		scale.title.color = ink('soft');
	}
}

/* place: an element of style plot. config: for Chart.js; paint(chart) sets the colours,
   now and whenever the theme changes. label: the text for screen readers. */
function plot(place, label, config, paint) {
	const canvas = el('canvas');
	canvas.setAttribute('role', 'img');
	canvas.setAttribute('aria-label', label);
	place.append(canvas);
	const made = { chart: null, paint };
	config.plugins = [...(config.plugins || []), {
		id: 'paint',
		beforeInit: (chart) => {
			if (paint)
				paint(chart);
		},
	}];
	config.options.scales && paintAxes({ options: config.options });
	made.chart = new Chart(canvas, config);
	plots.push(made);
	return made.chart;
}

function repaint() {
	for (const { chart, paint } of plots) {
		paintAxes(chart);
		if (paint)
			paint(chart);
		chart.update('none');
	}
}

/* ---- the mark under the pointer ------------------------------------------------ */

function showHover(event, children) {
	hover.replaceChildren(...children);
	hover.hidden = false;
	const width = hover.offsetWidth, height = hover.offsetHeight;
	const right = window.scrollX + root.clientWidth - 12;
	let x = event.pageX + 16, y = event.pageY + 16;
	if (x + width > right)
		x = Math.max(window.scrollX + 12, event.pageX - width - 16);
	if (y + height > window.scrollY + window.innerHeight - 8)
		y = Math.max(window.scrollY + 8, event.pageY - height - 16);
	hover.style.left = x + 'px';
	hover.style.top = y + 'px';
}

/* A mark chosen by touch stays until a touch elsewhere. */
let chosen = null; /* {canvas, leave} */

document.addEventListener('pointerdown', (event) => {
	if (chosen && event.target !== chosen.canvas)
		chosen.leave();
});

/* find(x, y) in pixels of the canvas: {x, y, children} of the nearest mark, or null.
   The mark gets a ring, so that nothing is redrawn. */
function pointAt(chart, find) {
	const canvas = chart.canvas, ring = el('div', 'ring');
	ring.hidden = true;
	canvas.parentNode.append(ring);
	const leave = () => {
		ring.hidden = true;
		hover.hidden = true;
		chosen = null;
	};
	const move = (event) => {
		const box = canvas.getBoundingClientRect();
		const found = find(event.clientX - box.left, event.clientY - box.top);
		if (!found) {
			leave();
			return;
		}
		ring.hidden = !!found.plain;
		ring.style.left = found.x + 'px';
		ring.style.top = found.y + 'px';
		showHover(event, found.children);
		chosen = { canvas, leave };
	};
	canvas.addEventListener('pointermove', move);
	canvas.addEventListener('pointerdown', move);
	canvas.addEventListener('pointerleave', (event) => {
		/* the user has read nothing yet when the finger is lifted */
		if (event.pointerType !== 'touch')
			leave();
	});
}

/* The same by keyboard: tell(i) is as find(), for the dots 0 to all - 1; the first is
   `start`, or 0 if that is -1. */
function stepThrough(chart, all, start, tell) {
	const canvas = chart.canvas, steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -all, End: all };
	const ring = el('div', 'ring');
	let at = -1;
	ring.hidden = true;
	canvas.parentNode.append(ring);
	canvas.tabIndex = 0;
	const leave = () => {
		ring.hidden = true;
		hover.hidden = true;
	};
	canvas.addEventListener('keydown', (event) => {
		if (event.key === 'Escape')
			leave();
		if (!Object.hasOwn(steps, event.key) || event.ctrlKey || event.altKey || event.metaKey)
			return;
		event.preventDefault();
		at = at < 0 && Math.abs(steps[event.key]) < all ? Math.max(0, start) :
			Math.min(all - 1, Math.max(0, at + steps[event.key]));
		const found = tell(at), box = canvas.getBoundingClientRect();
		ring.hidden = false;
		ring.style.left = found.x + 'px';
		ring.style.top = found.y + 'px';
		showHover({ pageX: box.left + window.scrollX + found.x, pageY: box.top + window.scrollY + found.y }, found.children);
	});
	canvas.addEventListener('blur', leave);
}

/* ---- marks --------------------------------------------------------------------------- */

function drawMark(context, kind, x, y) {
	context.save();
	context.lineWidth = 2;
	if (kind === 'winner') {
		context.fillStyle = ink('winner');
		context.strokeStyle = ink('ground');
		context.beginPath();
		context.arc(x, y, 6, 0, 2 * Math.PI);
		context.fill();
		context.stroke();
	} else {
		context.fillStyle = ink('ground');
		context.strokeStyle = ink('baseline');
		context.beginPath();
		context.moveTo(x, y - 6);
		context.lineTo(x + 6, y);
		context.lineTo(x, y + 6);
		context.lineTo(x - 6, y);
		context.closePath();
		context.fill();
		context.stroke();
	}
	context.restore();
}

/* Draws thousands of dots by counting them for each pixel: more dots are darker. */
function drawDense(chart, at, size, alpha) {
	const { ctx: context, chartArea: area, currentDevicePixelRatio: ratio } = chart;
	const width = Math.ceil(area.width * ratio), height = Math.ceil(area.height * ratio);
	if (!(width > 0 && height > 0))
		return;
	const counts = new Uint16Array(width * height), side = Math.max(1, Math.round(size * ratio));
	for (let i = 0; i < at.x.length; i++) {
		if (isNaN(at.y[i]))
			continue;
		const left = Math.round((at.x[i] - area.left) * ratio - side / 2), top = Math.round((at.y[i] - area.top) * ratio - side / 2);
		for (let y = Math.max(0, top); y < Math.min(height, top + side); y++)
			for (let x = Math.max(0, left); x < Math.min(width, left + side); x++)
				counts[y * width + x]++;
	}
	const off = el('canvas');
	off.width = width;
	off.height = height;
	const image = off.getContext('2d').createImageData(width, height), [red, green, blue] = mix(ink('accent'), ink('accent'), 0);
	const covers = new Uint8Array(64).map((value, n) => Math.round(255 * (1 - (1 - alpha) ** n)));
	for (let i = 0; i < counts.length; i++)
		if (counts[i]) {
			image.data[4 * i] = red;
			image.data[4 * i + 1] = green;
			image.data[4 * i + 2] = blue;
			image.data[4 * i + 3] = covers[Math.min(63, counts[i])];
		}
	off.getContext('2d').putImageData(image, 0, 0);
	context.save();
	context.globalAlpha = 1;
	context.drawImage(off, area.left, area.top, width / ratio, height / ratio);
	context.restore();
}

/* A plugin that draws thousands of dots: dots() gives {count, x(i), y(i), colour,
   marks: [[kind, x, y]], failed(i)}. The more dots, the smaller and fainter they are.
   If y is NaN the evaluation failed, and is a tick at the upper edge. */
function dotsPlugin(dots) {
	return {
		id: 'dots',
		afterDatasetsDraw(chart) {
			const { ctx: context, chartArea: area, scales: { x: across, y: down } } = chart;
			const dense = dots.count / area.width; /* dots per column */
			const size = dense > 16 ? 2 : dense > 2 ? 3 : 5;
			dots.at = dots.at || { x: new Float32Array(dots.count), y: new Float32Array(dots.count) };
			context.save();
			context.beginPath();
			context.rect(area.left - 4, area.top - 4, area.width + 8, area.height + 8);
			context.clip();
			context.fillStyle = ink('accent');
			context.globalAlpha = dense > 16 ? 0.35 : dense > 2 ? 0.6 : 0.75;
			context.beginPath();
			for (let i = 0; i < dots.count; i++) {
				const value = dots.y(i);
				dots.at.x[i] = across.getPixelForValue(dots.x(i));
				dots.at.y[i] = isNaN(value) ? NaN : down.getPixelForValue(value);
				if (isNaN(value) || size < 5)
					continue;
				context.moveTo(dots.at.x[i] + 2.8, dots.at.y[i]);
				context.arc(dots.at.x[i], dots.at.y[i], 2.8, 0, 2 * Math.PI);
			}
			context.fill();
			if (size < 5)
				drawDense(chart, dots.at, size, context.globalAlpha);
			context.globalAlpha = 1;
			if (dots.failures) {
				context.fillStyle = ink('bad');
				for (let i = 0; i < dots.count; i++)
					if (isNaN(dots.at.y[i])) {
						dots.at.y[i] = area.top + 5;
						context.fillRect(dots.at.x[i] - 1, area.top, 2, 9);
					}
			}
			context.restore();
			for (const [kind, x, y] of dots.marks || [])
				if (known(x) && known(y))
					drawMark(context, kind, across.getPixelForValue(x), down.getPixelForValue(y));
		},
	};
}

/* The dot nearest to a position, if it is within reach. */
function nearestDot(dots, x, y) {
	let best = 18 * 18, found = -1;
	for (let i = 0; i < dots.count; i++) {
		const dx = dots.at.x[i] - x, dy = dots.at.y[i] - y, distance = dx * dx + dy * dy;
		if (distance < best) {
			best = distance;
			found = i;
		}
	}
	return found;
}

function key(...items) {
	return el('div', 'key', ...items.map(([style, text]) => el('span', '', el('i', style), text)));
}

/* items: [value, text]; chosen(value) is called on a click. label: for screen
   readers. */
function choice(label, items, current, chosen) {
	const out = el('div', 'group');
	out.setAttribute('role', 'group');
	out.setAttribute('aria-label', label);
	for (const [value, text] of items) {
		const button = el('button', '', text);
		button.type = 'button';
		button.setAttribute('aria-pressed', String(value === current));
		button.addEventListener('click', () => {
			for (const other of out.children)
				other.setAttribute('aria-pressed', String(other === button));
			chosen(value);
		});
		out.append(button);
	}
	return out;
}
