/* Writes a report as JSON; cli/report.h describes the object. */
#include "cli/report.h"

#include "cli/words.h"
#include "cli/summary.h"
#include "record/evaluation_json.h"
#include "record/verification.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The most different reasons of failures of a group, and their length in bytes: without
   limits a page would consist mainly of compilers' messages. */
#define REASONS_MOST 1000
#define REASON_LENGTH 400

/* ---- everything but evaluations ------------------------------------------------ */

static struct at_json *text_of(struct at_strbuf *text)
{
	struct at_json *out =
		text->length ? at_json_string(at_strbuf_text(text)) : at_json_null();

	at_strbuf_release(text);
	return out;
}

static struct at_json *includes_of(const struct at_report_part *part)
{
	struct at_json *out = at_json_array();

	for (size_t i = 0; i < part->include_count; i++)
		at_json_append(out, at_json_string(part->includes[i]));
	return out;
}

static struct at_json *winner_of(const struct at_report_part *part)
{
	const struct at_group *group = part->group;
	const struct at_winner *best = &group->best;
	struct at_strbuf text = { 0 };
	struct at_roofline roofline;
	struct at_json *out;

	if (!group->has_winner)
		return at_json_null();
	out = at_json_object();
	at_json_set(
		out, "configuration", at_json_embedded(group->winner.configuration));
	at_json_set_score(out, best->objective, best->score);
	at_json_set_facts(out, &group->winner.facts);
	at_group_winner_roofline(group, &roofline);
	at_json_set_rates(out, &roofline);
	at_json_set_winner(out, best);
	at_measurement_write(best->measurement, &text);
	at_json_set(out, "measured", text_of(&text));
	at_verification_write(best, &text);
	at_json_set(out, "verified_by", text_of(&text));
	at_verification_write_not_run(best, &text);
	at_json_set(out, "not_run", text_of(&text));
	at_verification_write_unfit(best, &text);
	at_json_set(out, "not_for", text_of(&text));
	at_json_set(out, "created_seconds", best->created_seconds);
	at_json_set(out, "evaluation_count", best->evaluation_count);
	at_json_set(out, "ok_count", best->ok_count);
	at_json_set(out, "is_double", group->winner.is_double);
	at_json_set(out, "includes", includes_of(part));
	at_reasons_set(out, group->defaults.counters, group->winner.counters);
	return out;
}

static struct at_json *baseline_of(const struct at_group *group)
{
	const struct at_winner *best = &group->best;
	struct at_score score = { group->baseline, best->baseline_low,
		best->baseline_high };
	struct at_roofline roofline;
	struct at_json *out;

	if (!group->has_baseline)
		return at_json_null();
	out = at_json_object();
	at_json_set(
		out, "configuration", at_json_embedded(group->defaults.configuration));
	/* An end of 0 is not known. */
	if (!(score.low > 0) || !(score.high > 0))
		score.low = score.high = NAN;
	at_json_set_score(out, group->objective, score);
	at_json_set_facts(out, &group->defaults.facts);
	at_roofline(group->defaults.flops, group->defaults.bytes, group->baseline,
		&group->ceilings.ceilings, group->defaults.is_double, &roofline);
	at_json_set_rates(out, &roofline);
	return out;
}

static struct at_json *outcomes_of(const struct at_group *group)
{
	bool done[AT_OUTCOME_COUNT] = { false };
	struct at_json *out = at_json_array();
	size_t i;

	while ((i = at_summary_most_frequent(group->by_outcome, done)) <
		AT_OUTCOME_COUNT) {
		struct at_json *row = at_json_object();
		const char *first = group->first_detail[i];

		done[i] = true;
		at_json_set(row, "name", at_outcome_name((enum at_outcome)i));
		at_json_set(row, "text", at_outcome_text((enum at_outcome)i));
		at_json_set(row, "count", group->by_outcome[i]);
		at_json_set(row, "first", *first ? first : NULL);
		at_json_append(out, row);
	}
	return out;
}

static struct at_json *device_of(const struct at_record_device *device)
{
	struct at_json *out = at_json_object();

	at_json_set(out, "slug", device->slug);
	at_json_set(out, "kind", device->kind);
	at_json_set(out, "model", device->model);
	at_json_set(out, "architecture", device->architecture);
	at_json_set(out, "driver", device->driver);
	return out;
}

static struct at_json *importance_of(const struct at_report_part *part)
{
	const struct at_importance *importance = &part->evaluations.importance;
	struct at_json *out, *shares;

	if (!importance->count)
		return at_json_null();
	out = at_json_object();
	shares = at_json_array();
	for (size_t i = 0; i < importance->count; i++)
		at_json_append(shares, at_json_real(importance->shares[i]));
	at_json_set(out, "shares", shares);
	at_json_set(out, "learned_count", importance->learned_count);
	at_json_set(out, "judged_count", importance->judged_count);
	at_json_set(out, "explained", importance->explained);
	return out;
}

static struct at_json *nights_of(const struct at_report_part *part)
{
	struct at_json *out = at_json_array();

	for (size_t i = 0; i < part->board_count; i++)
		at_json_append(out, at_history_to_json(&part->boards[i]));
	return out;
}

static struct at_json *sizes_of(const struct at_group *group)
{
	const char *text = group->winner.problem_json;

	if (!text && group->row_count)
		text = group->rows[0].problem_json;
	return at_json_embedded(text);
}

static struct at_json *group_of(const struct at_report_part *part)
{
	const struct at_group *group = part->group;
	struct at_json *out = at_json_object();

	at_json_set(out, "space", group->space);
	at_json_set(out, "problem", group->problem);
	at_json_set(out, "sizes", sizes_of(group));
	at_json_set(out, "device", device_of(&group->device));
	at_json_set(out, "bundled", group->is_bundled);
	at_json_set(out, "ceilings",
		at_ceilings_to_json(group->has_ceilings ? &group->ceilings : NULL));
	at_json_set(out, "winner", winner_of(part));
	if (group->has_winner)
		at_json_set_speedup(out, at_winner_speedup(&group->best));
	at_json_set(out, "baseline", baseline_of(group));
	at_json_set(out, "baseline_wins",
		at_json_boolean(group->has_winner && group->baseline_wins));
	at_json_set(out, "outcomes", outcomes_of(group));
	at_json_set(out, "importance", importance_of(part));
	at_json_set(out, "nights", nights_of(part));
	return out;
}

/* ---- evaluations, by columns: a JSON tree would take a hundred megabytes ------- */

enum kind {
	TIME, /* of what passed */
	FACT, /* below 0: not known */
	SHARE,
	METRIC, /* 0: the space has none */
	FLAG,
};

#define AT(member) offsetof(struct at_evaluation, member)

static const struct column {
	const char *name;
	enum kind kind;
	size_t offset;
} columns[] = {
	{ "time_ns", TIME, AT(time_ns) },
	{ "low_ns", TIME, AT(low_ns) },
	{ "high_ns", TIME, AT(high_ns) },
	{ "raced", FLAG, AT(raced) },
	{ "registers", FACT, AT(facts.registers) },
	{ "local_bytes", FACT, AT(facts.local_bytes) },
	{ "spill_store_bytes", FACT, AT(facts.spill_store_bytes) },
	{ "shared_bytes", FACT, AT(facts.shared_bytes) },
	{ "threads_per_block", FACT, AT(facts.threads_per_block) },
	{ "blocks", FACT, AT(facts.blocks) },
	{ "resident_blocks", FACT, AT(facts.resident_blocks) },
	{ "occupancy", SHARE, AT(facts.occupancy) },
	{ "flops", METRIC, AT(flops) },
	{ "bytes", METRIC, AT(bytes) },
};

/* NAN: not known. */
static double value_at(const struct column *column, const struct at_evaluation *row)
{
	const char *at = (const char *)row + column->offset;
	int64_t fact;
	double real;

	switch (column->kind) {
	case TIME:
		memcpy(&real, at, sizeof(real));
		return row->outcome == AT_OUTCOME_OK ? real : (double)NAN;
	case FACT:
		memcpy(&fact, at, sizeof(fact));
		return fact < 0 ? (double)NAN : (double)fact;
	case METRIC:
		memcpy(&real, at, sizeof(real));
		return real > 0 ? real : (double)NAN;
	case FLAG:
		return *(const bool *)at;
	case SHARE:
		break;
	}
	memcpy(&real, at, sizeof(real));
	return real;
}

static void add_number(double value, struct at_strbuf *out)
{
	if (isfinite(value))
		at_strbuf_addf(out, "%.7g", value);
	else
		at_strbuf_add(out, "null");
}

static bool is_same(double a, double b)
{
	return (!isfinite(a) && !isfinite(b)) || !(a < b || a > b);
}

static void add_column(const struct column *column, const struct at_report_part *part,
	struct at_strbuf *out)
{
	size_t count = part->evaluations.count;
	double first = value_at(column, part->evaluations.rows[0]);
	bool constant = true;

	for (size_t i = 1; i < count && constant; i++)
		constant = isfinite(first) == isfinite(value_at(column,
						      part->evaluations.rows[i])) &&
			   is_same(first, value_at(column, part->evaluations.rows[i]));
	if (constant && !isfinite(first))
		return;
	at_strbuf_addf(out, ",\"%s\":", column->name);
	if (constant) {
		add_number(first, out);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		at_strbuf_add_char(out, i ? ',' : '[');
		add_number(value_at(column, part->evaluations.rows[i]), out);
	}
	at_strbuf_add_char(out, ']');
}

static void add_json(struct at_json *value, struct at_strbuf *out)
{
	at_json_write(value, 0, out);
	at_json_free(value);
}

static void add_parameters(
	const struct at_report_evaluations *evaluations, struct at_strbuf *out)
{
	struct at_json *parameters = at_json_array();

	for (size_t i = 0; i < evaluations->parameter_count; i++) {
		const struct at_search_parameter *parameter =
			&evaluations->parameters[i];
		struct at_json *row = at_json_object(), *values = at_json_array();

		for (size_t k = 0; k < parameter->value_count; k++)
			at_json_append(values, at_value_to_json(parameter->values[k]));
		at_json_set(row, "name", parameter->name);
		at_json_set(row, "values", values);
		at_json_append(parameters, row);
	}
	at_strbuf_add(out, "\"parameters\":");
	add_json(parameters, out);
}

static void add_values(const struct at_report_part *part, struct at_strbuf *out)
{
	const struct at_report_evaluations *evaluations = &part->evaluations;
	size_t width = evaluations->parameter_count;

	at_strbuf_add(out, ",\"values\":[");
	for (size_t p = 0; p < width; p++) {
		at_strbuf_add(out, p ? ",[" : "[");
		for (size_t i = 0; i < evaluations->count; i++)
			at_strbuf_addf(out, "%s%u", i ? "," : "",
				evaluations->values[i * width + p]);
		at_strbuf_add_char(out, ']');
	}
	at_strbuf_add_char(out, ']');
}

static void add_outcomes(const struct at_report_part *part, struct at_strbuf *out)
{
	struct at_json *names = at_json_array();

	for (size_t i = 0; i < AT_OUTCOME_COUNT; i++)
		at_json_append(
			names, at_json_string(at_outcome_name((enum at_outcome)i)));
	at_strbuf_add(out, ",\"outcomes\":");
	add_json(names, out);
	for (size_t i = 0; i < part->evaluations.count; i++)
		at_strbuf_addf(out, "%s%d", i ? "," : ",\"outcome\":[",
			(int)part->evaluations.rows[i]->outcome);
	at_strbuf_add_char(out, ']');
}

/* Cuts a text to REASON_LENGTH, but not within a character: a page needs no whole
   log. */
static struct at_json *short_text(const char *text)
{
	size_t length = strlen(text);
	struct at_json *out;
	char *copy;

	if (length > REASON_LENGTH) {
		length = REASON_LENGTH;
		while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80)
			length--;
	}
	copy = at_strndup(text, length);
	out = at_json_string(copy);
	free(copy);
	return out;
}

/* For each evaluation the number of its reason; -1: it did not fail, gives no reason,
   or there are too many reasons. */
static void add_reasons(const struct at_report_part *part, struct at_strbuf *out)
{
	const char *known[REASONS_MOST];
	struct at_json *reasons = at_json_array();
	size_t known_count = 0;

	at_strbuf_add(out, ",\"reason\":[");
	for (size_t i = 0; i < part->evaluations.count; i++) {
		const struct at_evaluation *row = part->evaluations.rows[i];
		const char *text = row->detail ? row->detail : "";
		size_t at = known_count;

		at_strbuf_add(out, i ? "," : "");
		if (row->outcome == AT_OUTCOME_OK || !text[0]) {
			at_strbuf_add(out, "-1");
			continue;
		}
		while (at > 0 && strcmp(known[at - 1], text) != 0)
			at--;
		if (!at && known_count < REASONS_MOST) {
			at_json_append(reasons, short_text(text));
			known[known_count++] = text;
			at = known_count;
		}
		at_strbuf_addf(out, "%d", (int)at - 1);
	}
	at_strbuf_add(out, "],\"reasons\":");
	add_json(reasons, out);
}

static void add_seconds(const struct at_report_part *part, struct at_strbuf *out)
{
	for (size_t i = 0; i < part->evaluations.count; i++)
		at_strbuf_addf(out, "%s%.0f", i ? "," : ",\"seconds\":[",
			part->evaluations.seconds[i]);
	at_strbuf_add_char(out, ']');
}

static void add_evaluations(const struct at_report_part *part, struct at_strbuf *out)
{
	if (!part->evaluations.count) {
		at_strbuf_add(out, "null");
		return;
	}
	at_strbuf_addf(out, "{\"count\":%zu,\"left_out\":%zu,\"pauses\":%zu,",
		part->evaluations.count, part->evaluations.left_out,
		part->evaluations.pause_count);
	add_parameters(&part->evaluations, out);
	add_values(part, out);
	add_outcomes(part, out);
	add_reasons(part, out);
	add_seconds(part, out);
	for (size_t i = 0; i < AT_COUNT_OF(columns); i++)
		add_column(&columns[i], part, out);
	at_strbuf_add_char(out, '}');
}

/* ---- the whole object ---------------------------------------------------------- */

/* Writes the object without its last brace, so that members can be added. */
static void add_open(struct at_json *object, struct at_strbuf *out)
{
	add_json(object, out);
	while (out->length && out->data[out->length - 1] != '}')
		out->length--;
	if (out->length)
		out->data[--out->length] = '\0';
}

/* Escapes '<'. In JSON it occurs only in strings, where the escape means the same. */
static void escape(struct at_strbuf *text)
{
	struct at_strbuf out = { 0 };
	const char *at = at_strbuf_text(text), *next;

	for (; (next = strchr(at, '<')); at = next + 1) {
		at_strbuf_add_bytes(&out, at, (size_t)(next - at));
		at_strbuf_add(&out, "\\u003c");
	}
	at_strbuf_add(&out, at);
	at_strbuf_release(text);
	*text = out;
}

static void add_block(const struct at_report_part *part, struct at_strbuf *block)
{
	if (part->evaluations.count)
		add_evaluations(part, block);
	escape(block);
}

void at_report_write_json(const struct at_report *self, int64_t created_seconds,
	struct at_strbuf *blocks, struct at_strbuf *out)
{
	struct at_json *head = at_json_object();
	struct at_strbuf text = { 0 };

	at_json_set(head, "version", at_json_integer(1));
	at_json_set(head, "program", "autotune " AT_VERSION);
	at_json_set(head, "created_seconds", created_seconds);
	at_json_set(head, "record", self->directory);
	at_json_set(head, "bundled", self->is_bundled);
	at_json_set(head, "reasons_most", at_json_integer(REASONS_MOST));
	add_open(head, &text);
	at_strbuf_add(&text, ",\"groups\":[");
	for (size_t i = 0; i < self->count; i++) {
		if (i)
			at_strbuf_add_char(&text, ',');
		add_open(group_of(&self->parts[i]), &text);
		at_strbuf_add(&text, ",\"evaluations\":");
		if (!blocks)
			add_evaluations(&self->parts[i], &text);
		else
			at_strbuf_add(&text,
				self->parts[i].evaluations.count ? "true" : "null");
		if (blocks)
			add_block(&self->parts[i], &blocks[i]);
		at_strbuf_add_char(&text, '}');
	}
	at_strbuf_add(&text, "]}");
	escape(&text);
	at_strbuf_add(out, at_strbuf_text(&text));
	at_strbuf_release(&text);
}
