/* Plots the nights of a kernel in a terminal. */
#include "cli/history.h"

#include <math.h>
#include <string.h>

#define ROWS 6
#define WIDTH_MAX 120
#define FILE_COLUMNS 80 /* of text that no terminal shows */
#define LABEL 12 /* columns before the plot: "  1.234 ms |" */
#define LEFT 2
#define DAY_LENGTH 10 /* 2025-11-21 */
/* The least range, relative to the middle: smaller differences are noise and must not
   fill the plot. */
#define SPAN_MIN 0.02

/* A character of Braille has two by four dots. */
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
	double low, high; /* values at the lowest and the highest row */
	unsigned char cells[ROWS][WIDTH_MAX];
};

static double value_of(const struct canvas *self, size_t night)
{
	const struct at_revisit *revisit = self->kernel->nights[night];

	return revisit->outcome == AT_OUTCOME_OK ? revisit->score.value : (double)NAN;
}

/* Returns false where there is nothing to plot. */
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
	/* The bit of each dot in a Braille character of Unicode. */
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
	struct at_strbuf text = { 0 };

	if (row == 0)
		at_strbuf_add(&text, at_format_value(objective, self->high).text);
	else if (row == ROWS - 1)
		at_strbuf_add(&text, at_format_value(objective, self->low).text);
	at_strbuf_addf(
		out, "%*s%*s |", LEFT, "", LABEL - LEFT - 2, at_strbuf_text(&text));
	at_strbuf_release(&text);
}

static void add_rows(const struct canvas *self, struct at_strbuf *out)
{
	for (int row = 0; row < ROWS; row++) {
		int last = 0;

		for (int i = 0; i < self->columns; i++)
			last = self->cells[row][i] ? i + 1 : last;
		add_label(self, row, out);
		for (int i = 0; i < last; i++)
			add_cell(self, self->cells[row][i], out);
		at_strbuf_add_char(out, '\n');
	}
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

/* The first night and the last, by their days. */
static void add_days(const struct canvas *self, struct at_strbuf *out)
{
	struct at_strbuf first = { 0 }, last = { 0 };
	int between;

	at_strbuf_add(
		&first, at_format_date(self->kernel->nights[0]->created_seconds).text);
	at_strbuf_add(&last,
		at_format_date(
			self->kernel->nights[self->kernel->count - 1]->created_seconds)
			.text);
	/* where the plot is narrow the last day stands beside it */
	between = self->columns - 2 * DAY_LENGTH;
	if (strncmp(at_strbuf_text(&first), at_strbuf_text(&last), DAY_LENGTH) != 0)
		at_strbuf_addf(out, "%*s%.*s%*s%.*s\n", LABEL, "", DAY_LENGTH,
			at_strbuf_text(&first), between < 4 ? 4 : between,
			between < 4 ? " to " : "", DAY_LENGTH, at_strbuf_text(&last));
	at_strbuf_release(&first);
	at_strbuf_release(&last);
}

/* The letters below the plot, and behind them what they say. */
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

		/* Of several nights in one column, the worst is shown. */
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

void at_history_write_plot(const struct at_kernel_nights *self, struct at_page *page)
{
	struct canvas canvas = { .kernel = self, .is_braille = page->is_utf8 };
	int columns = page->columns ? page->columns : FILE_COLUMNS;
	int room = columns - LABEL - 1;

	canvas.columns = room < 10 ? 10 : room < WIDTH_MAX ? room : WIDTH_MAX;
	/* A few nights are drawn close to each other. */
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
	add_rows(&canvas, page->out);
	add_marks(&canvas, page->out);
	add_days(&canvas, page->out);
}
