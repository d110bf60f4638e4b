/* ---- the page ----------------------------------------------------------------------- */

const main = document.getElementById('main');
const groups = data.groups;

function choose() {
	const wanted = groups.find((group) => addressOf(group) === location.hash);
	return wanted || groups[0];
}

function sizesText(sizes) {
	return sizes ? Object.entries(sizes).map(([name, value]) => name + ' = ' + valueText(value)).join(', ') : '';
}

/* The evaluations of a group are in an element of their own, after the script: the
   other contents are shown before they are read. */
function load(group) {
	const place = document.getElementById('evaluations-' + groups.indexOf(group));
	if (group.evaluations === true && place) {
		group.evaluations = JSON.parse(place.textContent);
		place.remove();
	}
	prepare(group);
}

function showRest(group, out) {
	load(group);
	showSearch(group, out);
	showMattered(group, out);
	showRoofline(group, out);
	showDevices(group, groups, out);
	showNights(group, out);
}

function show() {
	const group = choose();
	clearPlots();
	const out = el('div');
	if (groups.length > 1)
		out.append(el('h1', '', count(groups.length) + ' results'), overview(groups, group));
	const title = el('h1', '', group.space + ', ' + group.problem);
	title.id = 'result';
	out.append(title, el('p', 'sub', [group.device.model, group.device.architecture, sizesText(group.sizes)]
		.filter((text) => text).join(' · ')));
	showWinner(group, out);
	main.replaceChildren(out);
	later(() => showRest(group, out));
	document.title = group.space + ', ' + group.problem + ': autotune report';
}

/* ---- light and dark ------------------------------------------------------------------ */

const dark = matchMedia('(prefers-color-scheme: dark)');
const button = document.getElementById('theme');
const themes = ['auto', 'light', 'dark'];
let theme = 'auto', printing = false;

function applyTheme() {
	const isDark = !printing && (theme === 'dark' || (theme === 'auto' && dark.matches));
	root.dataset.theme = isDark ? 'dark' : 'light';
	button.textContent = { auto: '◐ as the system', light: '○ light', dark: '● dark' }[theme];
	button.setAttribute('aria-label', 'colours: ' + { auto: 'as the system', light: 'light', dark: 'dark' }[theme]);
	repaint();
}

try {
	theme = themes.includes(localStorage.getItem('autotune-theme')) ? localStorage.getItem('autotune-theme') : 'auto';
} catch (refused) {
	/* files may have no storage: then the system's setting applies */
}
button.addEventListener('click', () => {
	theme = themes[(themes.indexOf(theme) + 1) % themes.length];
	try {
		localStorage.setItem('autotune-theme', theme);
	} catch (refused) {
		/* it lasts until the page is closed */
	}
	applyTheme();
});
dark.addEventListener('change', applyTheme);
/* On paper everything has the style's fixed width, and finer dots. */
function setPrinting(value) {
	printing = value;
	root.classList.toggle('printing', value);
	applyTheme();
	for (const { chart } of plots) {
		chart.options.devicePixelRatio = value ? 3 : undefined;
		chart.resize();
	}
}
addEventListener('beforeprint', () => {
	flush();
	setPrinting(true);
});
addEventListener('afterprint', () => setPrinting(false));
addEventListener('hashchange', () => {
	show();
	document.getElementById('result').scrollIntoView();
});

document.getElementById('made').textContent = [data.program,
	data.bundled ? 'result files of ' + data.record : 'record of ' + data.record, moment(data.created_seconds)].join(' · ');
applyTheme();
show();
/* for tests: draws everything that is pending at once */
window.autotuneReport = { flush, waiting: () => waiting.length, applyTheme: (name) => { theme = name; applyTheme(); } };
