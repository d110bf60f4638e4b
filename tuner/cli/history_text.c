/* Writes the nights of a kernel as text and as JSON. */
#include "cli/history.h"

#include "cli/format.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Columns of the table, counted from the start of a line. */
#define TIME_COLUMN 24
#define SPREAD_COLUMN 36
#define SPEEDUP_COLUMN 46
#define CHANGE_COLUMN 55
#define VERDICT_COLUMN 65
#define NOTE_COLUMN 4

static enum at_style style_of(enum at_verdict verdict)
{
	switch (verdict) {
	case AT_VERDICT_SLOWER:
	case AT_VERDICT_INCORRECT:
		return AT_STYLE_BAD;
	case AT_VERDICT_FASTER:
		return AT_STYLE_GOOD;
	case AT_VERDICT_NONE:
	case AT_VERDICT_FIRST:
	case AT_VERDICT_SAME:
	case AT_VERDICT_UNCLEAR:
	case AT_VERDICT_COUNT:
		break;
	}
	return AT_STYLE_FAINT;
}

/* Whether the nights are of different kernels, whose times cannot be compared. */
static bool is_other(const struct at_revisit *a, const struct at_revisit *b)
{
	return strcmp(a->configuration, b->configuration) != 0 ||
	       strcmp(a->source_hash, b->source_hash) != 0;
}

static void add_note(
	const char *text, const struct at_history_style *style, struct at_strbuf *out)
{
	struct at_strbuf plain = { 0 };

	at_format_plain(&plain, text);
	at_strbuf_addf(
		out, "%*s%s", NOTE_COLUMN, "", at_style(AT_STYLE_FAINT, style->color));
	at_format_wrap(
		out, at_strbuf_text(&plain), NOTE_COLUMN, NOTE_COLUMN, style->columns);
	at_strbuf_addf(out, "%s\n", at_style(AT_STYLE_END, style->color));
	at_strbuf_release(&plain);
}

/* Appends what differs from the night before, and what the verdict is based on. */
static void add_notes(const struct at_revisit *night, const struct at_revisit *before,
	const struct at_history_style *style, struct at_strbuf *out)
{
	struct at_strbuf text = { 0 };

	if (before && strcmp(before->configuration, night->configuration) != 0) {
		at_strbuf_add(&text, "now ");
		at_format_configuration(&text, night->configuration);
		add_note(at_strbuf_text(&text), style, out);
	} else if (before && is_other(before, night)) {
		add_note("now of another source", style, out);
	}
	at_strbuf_clear(&text);
	if (before)
		at_conditions_compare(before->conditions, night->conditions, &text);
	if (text.length)
		add_note(at_strbuf_text(&text), style, out);
	at_strbuf_release(&text);
	if (night->detail && night->detail[0])
		add_note(night->detail, style, out);
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
		at_format_value(out, objective, value);
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

/* Appends blanks up to a column of characters; UTF-8 continuation bytes take no
   column. */
static void pad(struct at_strbuf *out, size_t start, size_t column)
{
	size_t more = 0;

	for (size_t i = start; i < out->length; i++)
		more += ((unsigned char)out->data[i] & 0xc0) == 0x80;
	at_format_pad(out, start, column + more);
}

static void add_night(const struct at_revisit *night, const struct at_revisit *before,
	const struct at_history_style *style, struct at_strbuf *out)
{
	size_t start = out->length;

	at_strbuf_add(out, "  ");
	at_format_date(out, night->created_seconds);
	pad(out, start, TIME_COLUMN);
	if (night->outcome == AT_OUTCOME_OK) {
		add_value(out, night->objective, &night->score);
		pad(out, start, SPREAD_COLUMN);
		add_spread(out, &night->score, style->is_utf8);
		pad(out, start, SPEEDUP_COLUMN);
		at_format_speedup(out, night->speedup.value);
		pad(out, start, CHANGE_COLUMN);
		if (isfinite(night->change.value))
			at_strbuf_addf(
				out, "%+.1f %%", 100 * (night->change.value - 1));
	} else {
		at_strbuf_add(out, at_outcome_name(night->outcome));
	}
	pad(out, start, VERDICT_COLUMN);
	at_strbuf_add(out, at_style(style_of(night->verdict), style->color));
	at_strbuf_add(out, at_verdict_name(night->verdict));
	at_strbuf_addf(out, "%s\n", at_style(AT_STYLE_END, style->color));
	add_notes(night, before, style, out);
}

static void add_table_head(const struct at_revisit *night, struct at_strbuf *out)
{
	size_t start = out->length;

	at_strbuf_add(out, "  night");
	pad(out, start, TIME_COLUMN);
	at_strbuf_add(out, night->objective->name);
	pad(out, start, SPREAD_COLUMN);
	at_strbuf_add(out, "95 %");
	pad(out, start, SPEEDUP_COLUMN);
	at_strbuf_add(out, "gain");
	pad(out, start, CHANGE_COLUMN);
	at_strbuf_add(out, "change");
	pad(out, start, VERDICT_COLUMN);
	at_strbuf_add(out, "verdict\n");
}

static void add_head(const struct at_kernel_nights *self,
	const struct at_history_style *style, struct at_strbuf *out)
{
	const struct at_revisit *last = self->nights[self->count - 1];
	struct at_strbuf text = { 0 };

	at_strbuf_add(out, at_style(AT_STYLE_STRONG, style->color));
	at_format_plain(out, last->space);
	at_strbuf_add(out, ", ");
	at_format_plain(out, last->problem);
	at_strbuf_add(out, ", ");
	at_format_plain(out, self->device->model);
	if (self->names_board && last->board[0]) {
		at_strbuf_add(out, ", ");
		at_format_plain(out, last->board);
	}
	at_strbuf_addf(out, "%s\n", at_style(AT_STYLE_END, style->color));
	at_format_configuration(&text, self->nights[0]->configuration);
	at_strbuf_add(out, "  ");
	at_format_wrap(out, at_strbuf_text(&text), 2, 2, style->columns);
	at_strbuf_add_char(out, '\n');
	at_strbuf_release(&text);
}

void at_history_write_text(const struct at_kernel_nights *self,
	const struct at_history_style *style, struct at_strbuf *out)
{
	if (out->length)
		at_strbuf_add_char(out, '\n');
	add_head(self, style, out);
	at_history_write_plot(self, style, out);
	add_table_head(self->nights[0], out);
	for (size_t i = 0; i < self->count; i++)
		add_night(self->nights[i], i ? self->nights[i - 1] : NULL, style, out);
}

/* ---- JSON ------------------------------------------------------------------ */

/* A text that was recorded as JSON; null where it is none. */
static struct at_json *kept(const char *text)
{
	struct at_json *value = NULL;

	if (!text || !*text || at_json_parse(text, strlen(text), "", &value, NULL))
		return at_json_null();
	return value;
}

static void set_score(
	struct at_json *out, const char *const keys[3], struct at_score score)
{
	at_json_set(out, keys[0], at_json_real(score.value));
	at_json_set(out, keys[1], at_json_real(score.low));
	at_json_set(out, keys[2], at_json_real(score.high));
}

static struct at_json *night_to_json(
	const struct at_revisit *night, const struct at_revisit *before)
{
	static const char *const speedup[] = { "speedup", "speedup_low",
		"speedup_high" };
	static const char *const change[] = { "change", "change_low", "change_high" };
	const struct at_objective *objective = night->objective;
	const char *const score[] = { objective->key, objective->low_key,
		objective->high_key };
	struct at_json *out = at_json_object();
	struct at_strbuf changed = { 0 };

	if (before)
		at_conditions_compare(before->conditions, night->conditions, &changed);
	at_json_set(out, "created_seconds", at_json_integer(night->created_seconds));
	at_json_set(out, "configuration", kept(night->configuration));
	at_json_set(out, "source_hash", at_json_string(night->source_hash));
	at_json_set(out, "outcome", at_json_string(at_outcome_name(night->outcome)));
	at_json_set(out, "verdict", at_json_string(at_verdict_name(night->verdict)));
	at_json_set(out, "detail", at_json_string(night->detail));
	set_score(out, score, night->score);
	at_json_set(out, objective->baseline_key, at_json_real(night->baseline.value));
	set_score(out, speedup, night->speedup);
	set_score(out, change, night->change);
	at_json_set(out, "clock_hz", at_json_known(night->clock_hz));
	at_json_set(out, "looks", at_json_integer(night->look_count));
	at_json_set(out, "conditions", kept(night->conditions));
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
