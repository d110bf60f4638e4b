/*
 * The page of a report in a browser, as a person sees it: in Debian's Chromium without
 * a window, at the width of a phone and of a desktop, light and dark. What must be
 * visible is looked for in the document and in the picture; pictures stay in the folder
 * in which the test runs. Skipped where Chromium is not installed.
 */
#include "base/json.h"
#include "png.h"
#include "program.h"
#include "report_fixture.h"

#include <sys/wait.h>
#include <unistd.h>

#include "suite.h"

#define HOSTILE \
	"</script><script>window.hacked = 1</script><img src=x onerror=window.hacked=2><!--"

static const char *const browsers[] = { "chromium", "chromium-browser",
	"google-chrome" };
static const char *browser; /* NULL: none */
static char *folder;
static char *page, *bundled, *hostile, *lengthy; /* paths */

static void find_browser(void)
{
	for (size_t i = 0; i < AT_COUNT_OF(browsers) && !browser; i++) {
		char line[128];

		snprintf(line, sizeof(line), "command -v %s >/dev/null 2>&1",
			browsers[i]);
		if (!system(line))
			browser = browsers[i];
	}
}

/* The page of a record of these; its path. */
static char *make_page(
	const char *name, const struct report_fixture *fixtures, size_t count)
{
	OWNED(free) char *record = scratch_path(folder, name);
	char *path;
	char file[64];
	RELEASED(program_release) struct program_result result;
	struct at_store *store;

	snprintf(file, sizeof(file), "%s.html", name);
	path = scratch_path(folder, file);
	assert_ok(at_store_open(record, &store, &failure));
	for (size_t i = 0; i < count; i++)
		report_fixture_fill(store, &fixtures[i]);
	at_store_close(store);
	program_run((const char *const[]){ "report", "--results", record, "-o", path,
			    NULL },
		&result);
	assert_string_equal(result.errors, "");
	assert_int_equal(result.exit_status, 0);
	return path;
}

static const struct report_fixture usual = {
	.space = "matmul",
	.problem = "square",
	.model = "NVIDIA H200",
	.slug = "nvidia-h200",
	.count = 400,
	.nights = 12,
	.has_ceilings = true,
};

static int make_pages(void **state)
{
	struct report_fixture fixtures[] = { usual, usual };
	RELEASED(program_release) struct program_result result;
	OWNED(free) char *relative = scratch_folder("report-page");

	folder = realpath(relative, NULL);
	assert_non_null(folder);
	fixtures[1].model = "NVIDIA RTX 6000";
	fixtures[1].slug = "nvidia-rtx-6000";
	fixtures[1].factor = 1.5;
	fixtures[1].count = 200;
	page = make_page("usual", fixtures, 2);
	fixtures[0].space = fixtures[0].problem = fixtures[0].model =
		fixtures[0].detail = HOSTILE;
	hostile = make_page("hostile", fixtures, 1);
	fixtures[0] = fixtures[1];
	fixtures[0].problem = fixtures[1].problem =
		"a_problem_with_a_name_that_is_wider_than_any_phone_is";
	fixtures[0].model = "NVIDIA H200";
	fixtures[0].slug = "nvidia-h200";
	fixtures[0].factor = 1;
	lengthy = make_page("lengthy", fixtures, 2);
	bundled = scratch_path(folder, "shipped.html");
	program_run(
		(const char *const[]){ "report", "matmul", "--device", "nvidia-h200",
			"--results", AT_TEST_DIR "/../results", "-o", bundled, NULL },
		&result);
	assert_int_equal(result.exit_status, 0);
	return 0;
}

static int remove_pages(void **state)
{
	scratch_drop(folder);
	free(page);
	free(hostile);
	free(lengthy);
	free(bundled);
	return 0;
}

/* ---- the browser ----------------------------------------------------------- */

/*
 * Draws all, does what a test asks for, and tells what it finds: whether something is
 * wider than the page, errors, the places of plots and bars, and what the hover says.
 */
static const char probe[] =
	"<script>(() => {\n"
	"autotuneReport.applyTheme('%s'); autotuneReport.flush();\n"
	"const told = { errors: window.failures, hacked: window.hacked || 0 };\n"
	"const all = (what) => [...document.querySelectorAll(what)];\n"
	"%s\n"
	"autotuneReport.flush();\n"
	"told.width = document.documentElement.scrollWidth;\n"
	"told.height = document.documentElement.scrollHeight;\n"
	"told.inner = document.documentElement.clientWidth;\n"
	"told.text = document.getElementById('main').innerText.replace(/\\u00a0/g, ' ');\n"
	"told.canvases = all('canvas').length;\n"
	"const box = (place) => { const box = place.getBoundingClientRect(); return {\n"
	"  name: place.getAttribute('aria-label') || place.className,\n"
	"  x: box.left + scrollX, y: box.top + scrollY, width: box.width, height: box.height }; };\n"
	"told.plots = [...all('.plot canvas'), ...all('.bars')].map(box);\n"
	"parent.postMessage(btoa(unescape(encodeURIComponent(JSON.stringify(told)))), '*');\n"
	"})();</script></body>";

/* A window is 500 wide at least; a frame may be as narrow as a phone. */
static const char frame[] =
	"<!doctype html><body style=\"margin:0;overflow:hidden\">\n"
	"<script>addEventListener('message', (event) => { const out = document.createElement('pre');\n"
	"out.id = 'probe'; out.hidden = true; out.textContent = '@@' + event.data + '@@'; document.body.append(out); });</script>\n"
	"<iframe src=\"probed.html\" style=\"border:0;display:block;width:%dpx;height:9000px\"></iframe>\n";

static const char watcher[] =
	"<head><script>window.failures = []; addEventListener('error', (event) => failures.push(String(event.message)));</script>";

static char *replaced(const char *text, const char *what, const char *by)
{
	const char *at = strstr(text, what);
	struct at_strbuf out = { 0 };

	assert_non_null(at);
	at_strbuf_add_bytes(&out, text, (size_t)(at - text));
	at_strbuf_add(&out, by);
	at_strbuf_add(&out, at + strlen(what));
	return at_strbuf_detach(&out);
}

static int digit_of(char c)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* What the probe told: base64 between two @@. */
static struct at_json *told_in(const char *dom)
{
	const char *at = strstr(dom, "<pre id=\"probe\"");
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	unsigned bits = 0, count = 0;
	struct at_json *told;

	at = at ? strstr(at, "@@") : NULL;
	if (!at)
		fail_msg("the page told nothing: its script failed\n%.2000s", dom);
	for (at += 2; *at != '@' && *at != '='; at++) {
		bits = bits << 6 | (unsigned)digit_of(*at);
		count += 6;
		if (count >= 8) {
			count -= 8;
			at_strbuf_add_char(&text, (char)(bits >> count & 0xff));
		}
	}
	assert_ok(at_json_parse(text.data, text.length, "probe", &told, &failure));
	return told;
}

/* Shows a page with the probe in it. picture: its name, here; NULL: none is made. */
static struct at_json *show(const char *path, int width, const char *theme,
	const char *action, const char *picture)
{
	OWNED(free)
	char *probed = scratch_path(folder, "probed.html"),
	     *outer = scratch_path(folder, "frame.html"),
	     *dom_path = scratch_path(folder, "dom.txt");
	char *text;
	OWNED(free) char *with, *dom;
	RELEASED(at_strbuf_release) struct at_strbuf script = { 0 }, line = { 0 };
	struct at_json *told;
	size_t size;

	assert_ok(at_file_read(path, 0, &text, &size, &failure));
	at_strbuf_addf(&script, probe, theme, action);
	with = replaced(text, "</body>", at_strbuf_text(&script));
	free(text);
	text = replaced(with, "<head>", watcher);
	file_write(probed, text);
	free(text);
	at_strbuf_clear(&script);
	at_strbuf_addf(&script, frame, width);
	assert_ok(at_file_replace(outer, script.data, script.length, &failure));
	at_strbuf_addf(&line,
		"timeout 120 %s --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir='%s/browser' --window-size=%d,9000 --virtual-time-budget=4000 --dump-dom",
		browser, folder, width);
	if (picture)
		at_strbuf_addf(&line, " --screenshot=\"$PWD/%s\"", picture);
	at_strbuf_addf(&line, " 'file://%s' >'%s' 2>'%s.log' </dev/null", outer,
		dom_path, dom_path);
	if (system(line.data))
		fail_msg("the browser failed: %s", line.data);
	assert_ok(at_file_read(dom_path, 0, &dom, &size, &failure));
	told = told_in(dom);
	return told;
}

static const char *text_of(const struct at_json *told)
{
	return at_json_text(at_json_get(told, "text"));
}

static void assert_shows(const struct at_json *told, const char *part)
{
	if (!strstr(text_of(told), part))
		fail_msg("no \"%s\" in\n%s", part, text_of(told));
}

static void assert_sound(const struct at_json *told)
{
	const struct at_json *errors = at_json_get(told, "errors");

	for (size_t i = 0; i < at_json_count(errors); i++)
		fail_msg("the script failed: %s", at_json_text(at_json_at(errors, i)));
	assert_int_equal(at_json_whole(at_json_get(told, "hacked"), -1), 0);
	if (at_json_number(at_json_get(told, "width"), 1e9) >
		at_json_number(at_json_get(told, "inner"), 0))
		fail_msg("the page is %g wide, and there is room for %g",
			at_json_number(at_json_get(told, "width"), 0),
			at_json_number(at_json_get(told, "inner"), 0));
}

/* ---- the picture ----------------------------------------------------------- */

static int brightness(const unsigned char *pixel)
{
	return (299 * pixel[0] + 587 * pixel[1] + 114 * pixel[2]) / 1000;
}

static int difference(const unsigned char *a, const unsigned char *b)
{
	return abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(a[2] - b[2]);
}

/* Blue or red, as marks are; texts, axes and grounds are close to grey. */
static bool is_coloured(const unsigned char *pixel)
{
	int most = pixel[0], least = pixel[0];

	for (size_t i = 1; i < 3; i++) {
		most = pixel[i] > most ? pixel[i] : most;
		least = pixel[i] < least ? pixel[i] : least;
	}
	return most - least > 60;
}

static size_t part_of(const struct at_json *box, const char *key, size_t most)
{
	double value = at_json_number(at_json_get(box, key), 0);

	return value < 0 ? 0 : value > (double)most ? most : (size_t)value;
}

/* Axes and words on the ground, and marks in colour. */
static void assert_has_ink(const struct png *picture, const struct at_json *box)
{
	const char *name = at_json_text(at_json_get(box, "name"));
	const unsigned char *ground = png_at(picture, 2, 2);
	size_t left = part_of(box, "x", picture->width);
	size_t top = part_of(box, "y", picture->height);
	size_t right = left + part_of(box, "width", picture->width - left);
	size_t bottom = top + part_of(box, "height", picture->height - top);
	size_t ink = 0, colour = 0;

	if (right - left < 100 || bottom - top < 50)
		fail_msg(
			"%s has no room: %zu by %zu", name, right - left, bottom - top);
	for (size_t y = top; y < bottom; y++)
		for (size_t x = left; x < right; x++) {
			ink += difference(png_at(picture, x, y), ground) > 60;
			colour += is_coloured(png_at(picture, x, y));
		}
	if (ink < 400 || colour < 60)
		fail_msg("%s is empty: %zu of %zu pixels have ink, %zu colour", name,
			ink, (right - left) * (bottom - top), colour);
}

static const char *const visible[] = { "matmul, square", "NVIDIA H200", "2.00 ms",
	"32.1 ms", "16.1×", "2 data sets, 3 problems, 10 patterns",
	"compute-sanitizer is not installed", "#define MATMUL_DEVICE NVIDIA_H200",
	"#include \"", "400 configurations were tried in 15 s", "wrong result",
	"C[17] is 3.25, the reference has 3.5: off by 7.7 %", "TILE 1 → 16", "8.00×",
	"Permutation importance", "SWIZZLE", "Two parameters together",
	"Where it stands", "NVIDIA RTX 6000", "12 nights", "slower",
	"The front of time and energy", "12.5 mJ" };

/* 6 parameters and a seventh, the search, two together, the roofline, nights */
#define PLOTS 11
/* the ablation, the model, the devices */
#define BARS 3

LONG_TEST(shows_everything_on_phones_and_desks_light_and_dark)
{
	static const struct {
		int width;
		const char *theme;
		const char *picture;
	} rows[] = {
		{ 390, "light", "report-390-light.png" },
		{ 390, "dark", "report-390-dark.png" },
		{ 1440, "light", "report-1440-light.png" },
		{ 1440, "dark", "report-1440-dark.png" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		OWNED(at_json_free)
		struct at_json *told =
			show(page, rows[i].width, rows[i].theme, "", rows[i].picture);
		const struct at_json *plots = at_json_get(told, "plots");
		struct png picture;
		int ground;

		assert_sound(told);
		for (size_t k = 0; k < AT_COUNT_OF(visible); k++)
			assert_shows(told, visible[k]);
		assert_int_equal(at_json_count(plots), PLOTS + BARS);
		assert_true(png_read(rows[i].picture, &picture));
		assert_int_equal(picture.width, rows[i].width);
		assert_in_range(at_json_whole(at_json_get(told, "height"), 0), 2000,
			picture.height);
		ground = brightness(png_at(&picture, 2, 2));
		assert_true(
			!strcmp(rows[i].theme, "dark") ? ground < 50 : ground > 220);
		for (size_t k = 0; k < at_json_count(plots); k++)
			assert_has_ink(&picture, at_json_at(plots, k));
		png_release(&picture);
	}
}

/* Points at a dot, turns to time, chooses other parameters, goes to the other device.
 */
TEST(answers_to_what_a_person_does)
{
	static const char action[] =
		"const point = () => { const canvas = all('.plot canvas')[0], box = canvas.getBoundingClientRect();\n"
		"  for (let y = 60; y < box.height - 60; y += 3) for (let x = 80; x < 400; x += 3) {\n"
		"    canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: box.left + x, clientY: box.top + y, bubbles: true }));\n"
		"    const hover = document.getElementById('hover');\n"
		"    if (!hover.hidden && hover.textContent.includes('registers')) return hover.innerText.replace(/\\u00a0/g, ' '); }\n"
		"  return 'nothing'; };\n"
		"told.hover = point();\n"
		/* a finger that is lifted leaves what it chose, until it goes elsewhere
		 */
		"const hover = document.getElementById('hover'), canvas = all('.plot canvas')[0];\n"
		"canvas.dispatchEvent(new PointerEvent('pointerleave', { pointerType: 'touch' }));\n"
		"told.lifted = !hover.hidden;\n"
		"document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));\n"
		"told.elsewhere = hover.hidden;\n"
		"const press = (key) => canvas.dispatchEvent(new KeyboardEvent('keydown', { key }));\n"
		"press('ArrowRight'); told.key = hover.innerText; press('End'); told.end = hover.innerText;\n"
		"press('Escape'); told.escaped = hover.hidden;\n"
		"all('.group button')[1].click(); told.byTime = point();\n"
		"const select = all('select')[0]; select.value = '4'; select.dispatchEvent(new Event('change'));\n"
		"told.heat = all('.plot canvas').map((canvas) => canvas.getAttribute('aria-label')).find((label) => label.startsWith('best time by'));\n"
		"location.hash = all('.overview a')[1].getAttribute('href'); dispatchEvent(new Event('hashchange'));\n"
		"autotuneReport.flush();\n";
	OWNED(at_json_free) struct at_json *told;
	const char *hover;

	told = show(page, 1440, "light", action, NULL);
	assert_sound(told);
	hover = at_json_text(at_json_get(told, "hover"));
	if (!strstr(hover, "TILE=") || !strstr(hover, "occupancy") ||
		!strstr(hover, "95 % interval") || !strstr(hover, "evaluation "))
		fail_msg("the dot says: %s", hover);
	assert_true(at_json_is_true(at_json_get(told, "lifted")));
	assert_true(at_json_is_true(at_json_get(told, "elsewhere")));
	assert_true(at_json_is_true(at_json_get(told, "escaped")));
	assert_non_null(strstr(at_json_text(at_json_get(told, "key")), "the winner"));
	assert_non_null(
		strstr(at_json_text(at_json_get(told, "end")), "evaluation 400"));
	assert_non_null(strstr(at_json_text(at_json_get(told, "byTime")), "TILE="));
	assert_string_equal(at_json_text(at_json_get(told, "heat")),
		"best time by UNROLL and BLOCK");
	assert_shows(told, "#define MATMUL_DEVICE NVIDIA_RTX_6000");
	assert_int_equal(at_json_count(at_json_get(told, "plots")), PLOTS + BARS);
}

/* The times of all winners are seen without moving the table aside. */
LONG_TEST(shows_all_winners_on_a_phone_whatever_their_names)
{
	OWNED(at_json_free)
	struct at_json *told = show(lengthy, 390, "light",
		"const wide = all('.wide')[0];\n"
		"told.table = wide.scrollWidth; told.room = wide.clientWidth;\n"
		"told.space = all('.overview td a')[0].getClientRects().length;\n",
		NULL);

	assert_sound(told);
	assert_true(at_json_whole(at_json_get(told, "room"), 0) > 200);
	assert_true(at_json_whole(at_json_get(told, "table"), 1 << 20) <=
		    at_json_whole(at_json_get(told, "room"), 0));
	/* the space's name stands in one line */
	assert_int_equal(at_json_whole(at_json_get(told, "space"), 0), 1);
}

LONG_TEST(sorts_results_by_the_title_that_is_clicked)
{
	static const char action[] =
		"const first = () => all('.overview tbody tr')[0].innerText;\n"
		"const click = (name) => all('.overview .sorts').find((title) => title.textContent === name).click();\n"
		"const way = () => all('.overview th[aria-sort]').map((title) => title.textContent + ' ' + title.getAttribute('aria-sort')).join();\n"
		"click('winner'); told.least = first(); told.up = way();\n"
		"click('winner'); told.most = first(); told.down = way();\n"
		"click('device'); told.byName = first(); told.named = way();\n"
		"told.held = document.activeElement.textContent;\n";
	OWNED(at_json_free)
	struct at_json *told = show(page, 1440, "light", action, NULL);
	static const char *const expected[][2] = { { "least", "NVIDIA H200" },
		{ "up", "winner ascending" }, { "most", "NVIDIA RTX 6000" },
		{ "down", "winner descending" }, { "byName", "NVIDIA H200" },
		{ "named", "device ascending" }, { "held", "device" } };

	assert_sound(told);
	for (size_t i = 0; i < AT_COUNT_OF(expected); i++)
		if (!strstr(at_json_text(at_json_get(told, expected[i][0])),
			    expected[i][1]))
			fail_msg("%s: %s", expected[i][0],
				at_json_text(at_json_get(told, expected[i][0])));
}

/* What stands beside a plot would be hidden by one that is wider than the paper. */
TEST(is_as_wide_as_paper_and_light_when_it_is_printed)
{
	OWNED(at_json_free)
	struct at_json *told = show(page, 1440, "dark",
		"dispatchEvent(new Event('beforeprint'));\n"
		"told.widest = Math.max(...all('canvas').map((canvas) => canvas.getBoundingClientRect().width));\n"
		"told.theme = document.documentElement.dataset.theme;\n"
		"dispatchEvent(new Event('afterprint'));\n"
		"told.after = Math.max(...all('canvas').map((canvas) => canvas.getBoundingClientRect().width));\n",
		NULL);
	double widest = at_json_number(at_json_get(told, "widest"), 0);

	assert_sound(told);
	if (widest < 600 || widest > 700)
		fail_msg("%g wide", widest);
	assert_string_equal(at_json_text(at_json_get(told, "theme")), "light");
	assert_true(at_json_number(at_json_get(told, "after"), 0) > 1000);
}

TEST(shows_hostile_texts_as_texts)
{
	OWNED(at_json_free) struct at_json *told;

	told = show(hostile, 390, "light", "", NULL);
	assert_sound(told);
	assert_shows(told, "window.hacked = 1");
	assert_shows(told, "<img src=x onerror=window.hacked=2><!--");
}

/* Result files have neither evaluations nor ceilings nor nights: no empty plots. */
TEST(says_what_is_missing_instead_of_empty_plots)
{
	static const char *const parts[] = { "matmul, square_4096", "NVIDIA H200",
		"TILE_N 1 → ", "Evaluations are not in result files.",
		"No counters were read.", "How each parameter did is not known.",
		"The ceilings of this device are not measured.", "autotune devices",
		"Only one device has a winner of this problem.",
		"No night is recorded." };
	OWNED(at_json_free) struct at_json *told;

	told = show(bundled, 390, "dark", "", NULL);
	assert_sound(told);
	for (size_t i = 0; i < AT_COUNT_OF(parts); i++)
		assert_shows(told, parts[i]);
	assert_int_equal(at_json_whole(at_json_get(told, "canvases"), -1), 0);
}

int main(int argc, char **argv)
{
	find_browser();
	if (!browser)
		return skip_all(
			"no Chromium to look at the page with (apt-get install chromium)");
	return run_suite(argc, argv, make_pages, remove_pages);
}
