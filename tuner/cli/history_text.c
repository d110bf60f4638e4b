/* Reads nights, and writes those of a kernel as text and as JSON. */
#include "cli/history.h"

#include "record/evaluation_json.h"

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

	/* The nights of `all` are sorted by time. */
	return order ? order : (x > y) - (x < y);
}

enum at_status at_nights_read(
	struct at_nights *self, struct at_store *store, struct at_error *err)
{
	const struct at_revisit_query query = { 0 };
	enum at_status status;

	memset(self, 0, sizeof(*self));
	status = at_store_revisits(store, &query, &self->all, err);
	self->items = at_calloc(self->all.count + 1, sizeof(*self->items));
	for (; self->count < self->all.count; self->count++)
		self->items[self->count] = &self->all.items[self->count];
	qsort((void *)self->items, self->count, sizeof(*self->items), compare);
	return status;
}

size_t at_nights_end(const struct at_nights *self, size_t begin)
{
	size_t end = begin + 1;

	while (end < self->count &&
		!compare_kernels(self->items[begin], self->items[end]))
		end++;
	return end;
}

void at_nights_release(struct at_nights *self)
{
	free((void *)self->items);
	at_revisits_release(&self->all);
	memset(self, 0, sizeof(*self));
}

/* ---- text -------------------------------------------------------------------- */

static enum at_style style_of(enum at_verdict verdict)
{
	return verdict == AT_VERDICT_SLOWER || verdict == AT_VERDICT_INCORRECT
		       ? AT_STYLE_BAD
	       : verdict == AT_VERDICT_FASTER ? AT_STYLE_GOOD
					      : AT_STYLE_FAINT;
}

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

/* Appends what differs from the night before, and what the verdict is based on. */
static void add_notes(const struct at_revisit *night, const struct at_revisit *before,
	struct at_page *page)
{
	struct at_strbuf text = { 0 };

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

/* Half of the interval, relative to the value. */
static double spread_of(const struct at_score *score)
{
	return (score->high - score->low) / 2 / score->value;
}

/* Whether digits behind the third say nothing. */
static bool is_rough(const struct at_score *score)
{
	return spread_of(score) >= 0.1;
}

/* "1.2341 ms": nights differ in digits that other tables do not show. */
static void add_value(struct at_strbuf *out, const struct at_objective *objective,
	const struct at_score *score)
{
	double value = score->value;
	size_t unit = 0;

	if (!isfinite(value))
		return;
	if (is_rough(score)) {
		at_strbuf_add(out, at_format_value(objective, value).text);
		return;
	}
	while (objective->units[unit].size > 1 &&
		fabs(value) < objective->units[unit].size)
		unit++;
	value /= objective->units[unit].size;
	at_strbuf_addf(out, "%.*f %s",
		value < 10     ? 4
		: value < 100  ? 3
		: value < 1000 ? 2
			       : 1,
		value, objective->units[unit].name);
}

/* "+-0.31 %", "+-31 %" */
static void add_spread(
	struct at_strbuf *out, const struct at_score *score, bool is_utf8)
{
	double half = spread_of(score);

	if (isfinite(half))
		at_strbuf_addf(out, "%s%.*f %%", is_utf8 ? "\xc2\xb1" : "+-",
			is_rough(score) ? 0 : 2, 100 * half);
}

static void add_night(const struct at_revisit *night, const struct at_revisit *before,
	struct at_page *page)
{
	bool passed = night->outcome == AT_OUTCOME_OK;
	struct at_strbuf *out = at_page_cell(page);

	at_strbuf_addf(out, "  %s", at_format_date(night->created_seconds).text);
	at_page_cell(page);
	if (passed)
		add_value(out, night->objective, &night->score);
	else
		at_strbuf_add(out, at_outcome_name(night->outcome));
	at_page_cell(page);
	if (passed)
		add_spread(out, &night->score, page->is_utf8);
	at_page_cell(page);
	if (passed)
		at_strbuf_add(out, at_format_speedup(night->speedup.value).text);
	at_page_cell(page);
	if (passed)
		at_strbuf_add(out, at_format_percent(night->change.value).text);
	at_strbuf_addf(at_page_cell(page), "%s%s%s",
		at_style(style_of(night->verdict), page->color),
		at_verdict_name(night->verdict), at_style(AT_STYLE_END, page->color));
	at_page_row_end(page);
	add_notes(night, before, page);
}

static void add_head(const struct at_kernel_nights *self, struct at_page *page)
{
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
}

void at_history_write_text(const struct at_kernel_nights *self, struct at_page *page)
{
	const struct at_column columns[] = { { "  night", 24 },
		{ self->nights[0]->objective->name, 12 }, { "95 %", 10 }, { "gain", 9 },
		{ "change", 10 }, { "verdict", 0 } };

	add_head(self, page);
	at_history_write_plot(self, page);
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
	at_json_set(out, "created_seconds", at_json_integer(night->created_seconds));
	at_json_set(out, "configuration", at_json_embedded(night->configuration));
	at_json_set(out, "source_hash", at_json_string(night->source_hash));
	at_json_set(out, "outcome", at_json_string(at_outcome_name(night->outcome)));
	at_json_set(out, "verdict", at_json_string(at_verdict_name(night->verdict)));
	at_json_set(out, "detail", at_json_string(night->detail));
	at_json_set_score(out, night->objective, night->score);
	at_json_set(out, night->objective->baseline_key,
		at_json_real(night->baseline.value));
	at_json_set_speedup(out, night->speedup);
	at_json_set(out, "change", at_json_real(night->change.value));
	at_json_set(out, "change_low", at_json_real(night->change.low));
	at_json_set(out, "change_high", at_json_real(night->change.high));
	at_json_set(out, "clock_hz", at_json_known(night->clock_hz));
	at_json_set(out, "looks", at_json_integer(night->look_count));
	at_json_set(out, "conditions", at_json_embedded(night->conditions));
	at_json_set(out, "changed", at_json_string(at_strbuf_text(&changed)));
	at_strbuf_release(&changed);
	return out;
}

struct at_json *at_history_to_json(const struct at_kernel_nights *self)
{
	const struct at_revisit *last = self->nights[self->count - 1];
	struct at_json *out = at_json_object(), *nights = at_json_array();

	at_json_set(out, "event", at_json_string("history"));
	at_json_set(out, "space", at_json_string(last->space));
	at_json_set(out, "problem", at_json_string(last->problem));
	at_json_set(out, "device", at_json_string(self->device->slug));
	at_json_set(out, "board", at_json_string(last->board));
	for (size_t i = 0; i < self->count; i++)
		at_json_append(nights,
			night_to_json(self->nights[i], i ? self->nights[i - 1] : NULL));
	at_json_set(out, "nights", nights);
	return out;
}
