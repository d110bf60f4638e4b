/* autotune history: reads the nights of kernels and shows them as text, a plot, and
   JSON. */
#include "cli/history.h"

#include "cli/cli.h"
#include "cli/output.h"
#include "cli/recorded.h"

#include "base/memory.h"
#include "record/evaluation_json.h"
#include "record/export.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOTE_COLUMN 4

/* ---- the nights -------------------------------------------------------------- */

static int compare_kernels(const struct at_revisit *a, const struct at_revisit *b)
{
	int order = strcmp(a->space, b->space);

	if (!order)
		order = strcmp(a->problem, b->problem);
	if (!order)
		order = (a->device_id > b->device_id) - (a->device_id < b->device_id);
	return order ? order : strcmp(a->board, b->board);
}

static int compare(const void *a, const void *b)
{
	const struct at_revisit *x = *(const struct at_revisit *const *)a;
	const struct at_revisit *y = *(const struct at_revisit *const *)b;
	int order = compare_kernels(x, y);

	/* the nights of `all` are sorted by time */
	return order ? order : (x > y) - (x < y);
}

enum at_status at_nights_read(
	struct at_nights *self, struct at_store *store, struct at_error *err)
{
	const struct at_revisit_query query = { 0 };
	size_t count, end;
	enum at_status status;

	memset(self, 0, sizeof(*self));
	status = at_store_revisits(store, &query, &self->all, err);
	count = self->all.count;
	self->items = at_calloc(count + 1, sizeof(*self->items));
	self->devices = at_calloc(count + 1, sizeof(*self->devices));
	self->kernels = at_calloc(count + 1, sizeof(*self->kernels));
	for (size_t i = 0; i < count; i++)
		self->items[i] = &self->all.items[i];
	qsort((void *)self->items, count, sizeof(*self->items), compare);
	for (size_t begin = 0; begin < count && !status; begin = end) {
		struct at_kernel_nights *kernel = &self->kernels[self->kernel_count];

		end = begin + 1;
		while (end < count &&
			!compare_kernels(self->items[begin], self->items[end]))
			end++;
		*kernel = (struct at_kernel_nights){
			.device = &self->devices[self->kernel_count],
			.count = end - begin,
			.nights = self->items + begin,
		};
		for (size_t i = 0; i < count; i++)
			kernel->names_board |= self->items[i]->device_id ==
						       kernel->nights[0]->device_id &&
					       strcmp(self->items[i]->board,
						       kernel->nights[0]->board) != 0;
		status = at_store_get_device(store, kernel->nights[0]->device_id,
			&self->devices[self->kernel_count++], err);
	}
	return status;
}

void at_nights_release(struct at_nights *self)
{
	for (size_t i = 0; i < self->kernel_count; i++)
		at_record_device_release(&self->devices[i]);
	free(self->devices);
	free(self->kernels);
	free((void *)self->items);
	at_revisits_release(&self->all);
	memset(self, 0, sizeof(*self));
}

/* ---- a plot in a terminal ------------------------------------------------------- */

#define ROWS 6
#define WIDTH_MAX 120
#define FILE_COLUMNS 80 /* width of text for a file */
#define LABEL 12 /* columns before the plot: "  1.234 ms |" */
#define LEFT 2
#define DAY_LENGTH 10 /* 2025-11-21 */
/* The least range, relative to the middle: smaller differences are noise. */
#define SPAN_MIN 0.02

/* A Braille character has two by four dots. */
#define DOT_COLUMNS 2
#define DOT_ROWS 4
#define BRAILLE 0x2800

struct canvas {
	const struct at_kernel_nights *kernel;
	bool is_braille;
	int columns; /* in characters */
	int width; /* in dots */
	/* in dots */
	int height;
	double low, high; /* values of the lowest and the highest row */
	unsigned char cells[ROWS][WIDTH_MAX];
};

static double value_of(const struct canvas *self, size_t night)
{
	const struct at_revisit *revisit = self->kernel->nights[night];

	return revisit->outcome == AT_OUTCOME_OK ? revisit->score.value : (double)NAN;
}

/* False: there is nothing to plot. */
static bool choose_range(struct canvas *self)
{
	size_t known = 0;

	self->low = INFINITY;
	self->high = -INFINITY;
	for (size_t i = 0; i < self->kernel->count; i++) {
		double value = value_of(self, i);

		if (!isfinite(value))
			continue;
		known++;
		self->low = fmin(self->low, value);
		self->high = fmax(self->high, value);
	}
	if (known < 2)
		return false;
	if (self->high - self->low < SPAN_MIN * self->low) {
		double middle = (self->low + self->high) / 2;

		self->low = middle * (1 - SPAN_MIN / 2);
		self->high = middle * (1 + SPAN_MIN / 2);
	}
	return self->high > self->low;
}

static int column_of(const struct canvas *self, size_t night)
{
	size_t count = self->kernel->count;

	return count < 2
		       ? 0
		       : (int)((double)night * (self->width - 1) / (double)(count - 1) +
				 0.5);
}

/* The row of dots, counted from the top. */
static int row_of(const struct canvas *self, double value)
{
	double part = (value - self->low) / (self->high - self->low);

	return (int)((1 - fmax(0, fmin(1, part))) * (self->height - 1) + 0.5);
}

static void set_dot(struct canvas *self, int x, int y)
{
	/* the bit of each dot in a Unicode Braille character */
	static const unsigned char bits[DOT_ROWS][DOT_COLUMNS] = { { 0x01, 0x08 },
		{ 0x02, 0x10 }, { 0x04, 0x20 }, { 0x40, 0x80 } };

	if (self->is_braille)
		self->cells[y / DOT_ROWS][x / DOT_COLUMNS] |=
			bits[y % DOT_ROWS][x % DOT_COLUMNS];
	else
		self->cells[y][x] = '*';
}

static void add_cell(
	const struct canvas *self, unsigned char cell, struct at_strbuf *out)
{
	unsigned code = BRAILLE + cell;

	if (!cell) {
		at_strbuf_add_char(out, ' ');
	} else if (self->is_braille) {
		at_strbuf_add_char(out, (char)(0xe0 | code >> 12));
		at_strbuf_add_char(out, (char)(0x80 | (code >> 6 & 0x3f)));
		at_strbuf_add_char(out, (char)(0x80 | (code & 0x3f)));
	} else {
		at_strbuf_add_char(out, (char)cell);
	}
}

/* Labels the highest and the lowest row with their values. */
static void add_label(const struct canvas *self, int row, struct at_strbuf *out)
{
	const struct at_objective *objective = self->kernel->nights[0]->objective;
	double value = row == 0          ? self->high
		       : row == ROWS - 1 ? self->low
					 : (double)NAN;

	at_strbuf_addf(out, "%*s%*s |", LEFT, "", LABEL - LEFT - 2,
		at_format_value(objective, value).text);
}

static char mark_of(enum at_verdict verdict)
{
	static const char marks[AT_VERDICT_COUNT] = {
		[AT_VERDICT_SLOWER] = 's',
		[AT_VERDICT_FASTER] = 'f',
		[AT_VERDICT_INCORRECT] = '!',
	};

	return marks[verdict] ? marks[verdict] : ' ';
}

/* The days of the first and the last night. */
static void add_days(const struct canvas *self, struct at_strbuf *out)
{
	const struct at_kernel_nights *kernel = self->kernel;
	struct at_short first = at_format_date(kernel->nights[0]->created_seconds);
	struct at_short last =
		at_format_date(kernel->nights[kernel->count - 1]->created_seconds);
	/* in a narrow plot the last day follows directly */
	int between = self->columns - 2 * DAY_LENGTH;

	if (strncmp(first.text, last.text, DAY_LENGTH) != 0)
		at_strbuf_addf(out, "%*s%.*s%*s%.*s\n", LABEL, "", DAY_LENGTH,
			first.text, between < 4 ? 4 : between,
			between < 4 ? " to " : "", DAY_LENGTH, last.text);
}

/* The letters below the plot, and their legend. */
static void add_marks(const struct canvas *self, struct at_strbuf *out)
{
	static const enum at_verdict marked[] = { AT_VERDICT_SLOWER, AT_VERDICT_FASTER,
		AT_VERDICT_INCORRECT };
	char marks[WIDTH_MAX + 1];
	const char *before = "";
	int last = 0;

	memset(marks, ' ', sizeof(marks));
	for (size_t i = 0; i < self->kernel->count; i++) {
		char mark = mark_of(self->kernel->nights[i]->verdict);
		int at = column_of(self, i) / (self->is_braille ? DOT_COLUMNS : 1);

		/* of several nights in one column, the worst is shown */
		if (mark == ' ' || marks[at] == '!' ||
			(marks[at] == 's' && mark == 'f'))
			continue;
		marks[at] = mark;
		last = at + 1 > last ? at + 1 : last;
	}
	if (!last)
		return;
	at_strbuf_addf(out, "%*s%.*s\n%*s", LABEL, "", last, marks, LABEL, "");
	for (size_t i = 0; i < AT_COUNT_OF(marked); i++) {
		if (!memchr(marks, mark_of(marked[i]), (size_t)last))
			continue;
		at_strbuf_addf(out, "%s%c %s", before, mark_of(marked[i]),
			at_verdict_name(marked[i]));
		before = ", ";
	}
	at_strbuf_add_char(out, '\n');
}

/* Appends a plot of the nights' times, and below it marks for nights whose winner
   became slower (s), faster (f) or incorrect (!). Nothing if fewer than two nights have
   a time. */
static void write_plot(const struct at_kernel_nights *self, struct at_page *page)
{
	struct canvas canvas = { .kernel = self, .is_braille = page->is_utf8 };
	int columns = page->columns ? page->columns : FILE_COLUMNS;
	int room = columns - LABEL - 1;

	canvas.columns = room < 10 ? 10 : room < WIDTH_MAX ? room : WIDTH_MAX;
	/* a few nights are drawn close together */
	if ((size_t)canvas.columns > 2 * self->count)
		canvas.columns = (int)(2 * self->count);
	canvas.width = canvas.columns * (canvas.is_braille ? DOT_COLUMNS : 1);
	canvas.height = ROWS * (canvas.is_braille ? DOT_ROWS : 1);
	if (!choose_range(&canvas))
		return;
	for (size_t i = 0; i < self->count; i++)
		if (isfinite(value_of(&canvas, i)))
			set_dot(&canvas, column_of(&canvas, i),
				row_of(&canvas, value_of(&canvas, i)));
	for (int row = 0; row < ROWS; row++) {
		int last = 0;

		for (int i = 0; i < canvas.columns; i++)
			last = canvas.cells[row][i] ? i + 1 : last;
		add_label(&canvas, row, page->out);
		for (int i = 0; i < last; i++)
			add_cell(&canvas, canvas.cells[row][i], page->out);
		at_strbuf_add_char(page->out, '\n');
	}
	add_marks(&canvas, page->out);
	add_days(&canvas, page->out);
}

/* ---- text -------------------------------------------------------------------- */

static void add_note(const char *text, struct at_page *page)
{
	struct at_strbuf plain = { 0 };

	at_format_plain(&plain, text);
	at_strbuf_addf(page->out, "%*s%s", NOTE_COLUMN, "",
		at_style(AT_STYLE_FAINT, page->color));
	at_format_wrap(page->out, at_strbuf_text(&plain), NOTE_COLUMN, NOTE_COLUMN,
		page->columns ? page->columns : INT_MAX);
	at_strbuf_addf(page->out, "%s\n", at_style(AT_STYLE_END, page->color));
	at_strbuf_release(&plain);
}

/* Half of the interval, relative to the value. */
static double spread_of(const struct at_score *score)
{
	return (score->high - score->low) / 2 / score->value;
}

/* Whether digits after the third are meaningless. */
static bool is_rough(const struct at_score *score)
{
	return spread_of(score) >= 0.1;
}

/* "1.2341 ms": nights differ in digits that other tables omit. */
static void add_value(struct at_strbuf *out, const struct at_objective *objective,
	const struct at_score *score)
{
	double value = score->value;
	const struct at_objective_unit *unit = at_objective_unit(objective, value);

	if (!isfinite(value))
		return;
	if (is_rough(score)) {
		at_strbuf_add(out, at_format_value(objective, value).text);
		return;
	}
	value /= unit->size;
	at_strbuf_addf(out, "%.*f %s",
		value < 10     ? 4
		: value < 100  ? 3
		: value < 1000 ? 2
			       : 1,
		value, unit->name);
}

static void add_night(const struct at_revisit *night, const struct at_revisit *before,
	struct at_page *page)
{
	bool passed = night->outcome == AT_OUTCOME_OK;
	bool is_bad = night->verdict == AT_VERDICT_SLOWER ||
		      night->verdict == AT_VERDICT_INCORRECT;
	double half = passed ? spread_of(&night->score) : NAN;
	struct at_strbuf *out = at_page_cell(page);
	struct at_strbuf text = { 0 };

	at_strbuf_addf(out, "  %s", at_format_date(night->created_seconds).text);
	at_page_cell(page);
	if (passed)
		add_value(out, night->objective, &night->score);
	else
		at_strbuf_add(out, at_outcome_name(night->outcome));
	at_page_cell(page);
	if (isfinite(half))
		at_strbuf_addf(out, "%s%.*f %%", page->is_utf8 ? "\xc2\xb1" : "+-",
			is_rough(&night->score) ? 0 : 2, 100 * half);
	at_page_text(page, passed ? at_format_speedup(night->speedup.value).text : "");
	at_page_text(page, passed ? at_format_percent(night->change.value).text : "");
	at_strbuf_addf(at_page_cell(page), "%s%s%s",
		at_style(is_bad                                ? AT_STYLE_BAD
			 : night->verdict == AT_VERDICT_FASTER ? AT_STYLE_GOOD
							       : AT_STYLE_FAINT,
			page->color),
		at_verdict_name(night->verdict), at_style(AT_STYLE_END, page->color));
	at_page_row_end(page);
	/* the changes since the previous night, and the basis of the verdict */
	if (before && strcmp(before->configuration, night->configuration) != 0) {
		at_strbuf_add(&text, "now ");
		at_format_configuration(&text, night->configuration);
		add_note(at_strbuf_text(&text), page);
	} else if (before && strcmp(before->source_hash, night->source_hash) != 0) {
		add_note("now of another source", page);
	}
	at_strbuf_clear(&text);
	if (before)
		at_conditions_compare(before->conditions, night->conditions, &text);
	if (text.length)
		add_note(at_strbuf_text(&text), page);
	at_strbuf_release(&text);
	if (night->detail && night->detail[0])
		add_note(night->detail, page);
}

void at_history_write_text(const struct at_kernel_nights *self, struct at_page *page)
{
	const struct at_page_column columns[] = { { "  night", 24 },
		{ self->nights[0]->objective->name, 12 }, { "95 %", 10 }, { "gain", 9 },
		{ "change", 10 }, { "verdict", 0 } };
	const struct at_revisit *last = self->nights[self->count - 1];
	struct at_strbuf text = { 0 };

	if (self->names_board && last->board[0])
		at_strbuf_addf(&text, ", %s", last->board);
	at_page_title(page, last->space, last->problem, self->device->model,
		at_strbuf_text(&text));
	at_strbuf_clear(&text);
	at_format_configuration(&text, self->nights[0]->configuration);
	at_strbuf_add(page->out, "  ");
	at_format_wrap(page->out, at_strbuf_text(&text), 2, 2,
		page->columns ? page->columns : INT_MAX);
	at_strbuf_add_char(page->out, '\n');
	at_strbuf_release(&text);
	write_plot(self, page);
	at_page_head(page, columns, AT_COUNT_OF(columns));
	for (size_t i = 0; i < self->count; i++)
		add_night(self->nights[i], i ? self->nights[i - 1] : NULL, page);
}

/* ---- JSON ------------------------------------------------------------------ */

static struct at_json *night_to_json(
	const struct at_revisit *night, const struct at_revisit *before)
{
	struct at_json *out = at_json_object();
	struct at_strbuf changed = { 0 };

	if (before)
		at_conditions_compare(before->conditions, night->conditions, &changed);
	at_json_set(out, "created_seconds", night->created_seconds);
	at_json_set(out, "configuration", at_json_embedded(night->configuration));
	at_json_set(out, "source_hash", night->source_hash);
	at_json_set(out, "outcome", at_outcome_name(night->outcome));
	at_json_set(out, "verdict", at_verdict_name(night->verdict));
	at_json_set(out, "detail", night->detail);
	at_json_set_score(out, night->objective, night->score);
	at_json_set(out, night->objective->baseline_key, night->baseline.value);
	at_json_set_speedup(out, night->speedup);
	at_json_set(out, "change", night->change.value);
	at_json_set(out, "change_low", night->change.low);
	at_json_set(out, "change_high", night->change.high);
	at_json_set(out, "clock_hz", at_json_known(night->clock_hz));
	at_json_set(out, "looks", night->look_count);
	at_json_set(out, "conditions", at_json_embedded(night->conditions));
	at_json_set(out, "changed", at_strbuf_text(&changed));
	at_strbuf_release(&changed);
	return out;
}

struct at_json *at_history_to_json(const struct at_kernel_nights *self)
{
	const struct at_revisit *last = self->nights[self->count - 1];
	struct at_json *out = at_json_object(), *nights = at_json_array();

	at_json_set(out, "event", "history");
	at_json_set(out, "space", last->space);
	at_json_set(out, "problem", last->problem);
	at_json_set(out, "device", self->device->slug);
	at_json_set(out, "board", last->board);
	for (size_t i = 0; i < self->count; i++)
		at_json_append(nights,
			night_to_json(self->nights[i], i ? self->nights[i - 1] : NULL));
	at_json_set(out, "nights", nights);
	return out;
}

/* ---- the command --------------------------------------------------------------- */

/* A month of nights. */
#define LAST_DEFAULT 30

struct history {
	const struct at_cli_arguments *arguments;
	struct at_recorded recorded;
	struct at_nights nights;
};

/* ---- selection ----------------------------------------------------------------- */

/* AT_ENOENT for a space without nights; the message lists the spaces with nights, or
   else those in the record. */
static enum at_status fail_nothing_of(
	const struct history *self, const char *space, struct at_error *err)
{
	struct at_export_groups groups = { 0 };
	struct at_strbuf names = { 0 };
	enum at_status status =
		at_export_list(self->recorded.store, space, NULL, &groups, err);

	if (!status && !groups.count)
		status =
			at_recorded_fail_nothing_of(&self->recorded, space, false, err);
	at_export_release(&groups);
	if (status)
		return status;
	for (size_t i = 0; i < self->nights.all.count; i++) {
		const char *name = self->nights.items[i]->space;

		if (!i || strcmp(self->nights.items[i - 1]->space, name) != 0)
			at_strbuf_addf(&names, "%s%s", i ? ", " : "", name);
	}
	status = at_fail(err, AT_ENOENT, NULL, 0, "no night is recorded of \"%s\"%s%s",
		space,
		names.length ? "; there are nights of "
			     : ": \"autotune nightly\" measures recorded winners again",
		at_strbuf_text(&names));
	at_strbuf_release(&names);
	return status;
}

static bool is_wanted(const struct history *self, const struct at_kernel_nights *kernel)
{
	return at_recorded_names(&self->recorded, kernel->nights[0]->space) &&
	       at_cli_wants_problem(self->arguments, kernel->nights[0]->problem) &&
	       at_recorded_wants(&self->recorded, kernel->device);
}

/* Reads the nights, and keeps the requested kernels. */
static enum at_status collect(struct history *self, struct at_error *err)
{
	struct at_nights *nights = &self->nights;
	enum at_status status =
		at_recorded_read_spaces(&self->recorded, self->arguments, err);
	size_t kept = 0;

	if (!status)
		status = at_nights_read(nights, self->recorded.store, err);
	if (status)
		return status;
	for (size_t i = 0; i < nights->kernel_count; i++)
		if (is_wanted(self, &nights->kernels[i]))
			nights->kernels[kept++] = nights->kernels[i];
	for (size_t i = 0; i < self->recorded.space_count && !status; i++) {
		size_t k = 0;

		while (k < kept && strcmp(nights->kernels[k].nights[0]->space,
					   self->recorded.spaces[i]) != 0)
			k++;
		if (k == kept)
			status = fail_nothing_of(self, self->recorded.spaces[i], err);
	}
	for (size_t i = kept; i < nights->kernel_count; i++)
		nights->kernels[i].count = 0;
	if (!status && !kept)
		status = at_fail(err, AT_ENOENT, NULL, 0,
			"no night of this is recorded: \"autotune nightly\" measures winners again and records it");
	return status;
}

/* ---- printing ------------------------------------------------------------------ */

static void print_all(const struct history *self)
{
	size_t last = (size_t)at_cli_whole(self->arguments, "last", LAST_DEFAULT);
	struct at_strbuf out = { 0 };
	struct at_page page = at_page_of_stdout(&out);

	for (size_t i = 0; i < self->nights.kernel_count; i++) {
		struct at_kernel_nights kernel = self->nights.kernels[i];

		if (!kernel.count)
			break;
		if (last && kernel.count > last) {
			kernel.nights += kernel.count - last;
			kernel.count = last;
		}
		if (at_cli_given(self->arguments, "json")) {
			at_print_json(at_history_to_json(&kernel));
			continue;
		}
		at_strbuf_add(&out, i ? "\n" : "");
		at_history_write_text(&kernel, &page);
	}
	if (out.length)
		at_print_folded(&out);
}

static enum at_exit run_history(
	const struct at_cli_arguments *arguments, struct at_error *err)
{
	struct history self = { .arguments = arguments };
	enum at_status status = at_recorded_open(arguments, &self.recorded, err);

	if (!status)
		status = collect(&self, err);
	if (!status)
		print_all(&self);
	at_nights_release(&self.nights);
	at_recorded_close(&self.recorded);
	return AT_EXIT_DONE;
}

static const struct at_cli_option options[] = {
	{ "last", AT_CLI_WHOLE, "N",
		.help = "show the newest N nights of each kernel; 0 shows all (default: 30)",
		.minimum = 0, .maximum = INT64_MAX },
	{ .name = NULL },
};

const struct at_cli_command at_command_history = {
	.name = "history",
	.operands = "[SPACE...]",
	.summary = "show the nights of a kernel, with a plot",
	.details =
		"SPACE is a space file or the name of a space; without one everything is shown. A night is what \"autotune nightly\" measured of a winner and its baseline. Each row shows the time with its interval, the gain over the baseline in the same finals, and the verdict against the nights before. Below it stands what changed since the night before: driver, compiler, clocks. Each board is shown apart. In the plot, s marks a night that was slower, f one that was faster, ! one that was no longer correct. It is drawn with Braille characters if the locale is UTF-8.\n"
		"\n"
		"  autotune history matmul --last 90\n"
		"  autotune history --json > nights.jsonl",
	.options = "device problem results last json",
	.own = options,
	.run = run_history,
};
