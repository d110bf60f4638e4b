/* Says what went wrong: a constraint that fails to evaluate, an empty space. */
#include "space/enumerate_parts.h"
#include "base/text.h"

#include <inttypes.h>

/*
 * Each look into why a space is empty may take so many steps: a twelfth of a second.
 * The binary search looks about ten times, and nobody waits long for an error.
 */
#define EXPLAIN_STEPS_MAX ((uint64_t)1 << 23)

/*
 * " with A = 3, N = 64": the names of an expression that have a value. Of an empty
 * space only sizes and properties are told: no parameter has one value there.
 */
static void add_values(const struct at_spec *spec,
	const struct at_expression *expression, const struct at_value *slots,
	bool parameters_too, struct at_strbuf *out)
{
	size_t count, start = out->length;
	const int *used = at_expression_slots(expression, &count);

	for (size_t i = 0; i < count; i++) {
		const struct at_value *value = &slots[used[i]];

		if (value->type == AT_TYPE_NONE ||
			(!parameters_too && (size_t)used[i] < spec->parameter_count))
			continue;
		at_strbuf_addf(out, "%s%s = ", out->length > start ? ", " : " with ",
			at_spec_slot_name(spec, used[i]));
		at_value_format(*value, out);
	}
}

/* The text on one line, whatever the constraint has in it; releases it. */
static enum at_status fail_at(const struct at_spec *spec, size_t constraint,
	struct at_strbuf *text, struct at_error *err)
{
	int line = spec->constraints[constraint].line;
	enum at_status status;

	/* half a sentence would name the wrong cause */
	if (text->failed) {
		status = at_fail_memory(err);
	} else {
		at_text_flatten(text->data);
		status = at_fail(err, AT_EINVAL, spec->path, line, "%s", text->data);
	}
	at_strbuf_release(text);
	return status;
}

enum at_status at_enumerate_check(struct at_enumerator *self, const struct at_tie *tie,
	enum at_evaluated evaluation, int unbound_slot)
{
	const struct at_spec *spec = self->spec;
	struct at_strbuf text = { 0 };

	/*
	 * A division by zero only means that the configuration is not in the
	 * space: "N % TILE == 0" with a TILE of 0. Overflows and types are the
	 * file's mistakes, and would remove configurations for no reason.
	 */
	if (!evaluation || evaluation == AT_EVALUATION_DIVISION_BY_ZERO)
		return AT_OK;
	at_strbuf_addf(
		&text, "constraint \"%.300s\" ", at_expression_text(tie->expression));
	if (evaluation != AT_EVALUATION_UNBOUND) {
		at_strbuf_add(&text, at_evaluation_text(evaluation));
		add_values(spec, tie->expression, self->slots, true, &text);
		return fail_at(spec, tie->constraint, &text, self->err);
	}
	at_strbuf_addf(&text, "uses %s, %s", at_spec_slot_name(spec, unbound_slot),
		(size_t)unbound_slot < spec->parameter_count + spec->size_count
			? "to which this problem gives no value"
			: "which this device does not tell");
	return fail_at(spec, tie->constraint, &text, self->err);
}

/*
 * Whether any configuration satisfies the constraints first..last-1; *exists is set
 * also when that would take too long to say, or fails to evaluate. AT_ENOMEM when
 * memory ran out, which must not pass for an answer.
 */
static enum at_status may_exist(const struct at_spec *spec,
	const struct at_value *slots, size_t first, size_t last, bool *exists)
{
	struct at_enumerator enumerator = { .spec = spec };
	uint64_t valid = 0;
	enum at_status status =
		at_enumerate_init(&enumerator, spec, slots, first, last, NULL);

	enumerator.stop_at_first = true;
	enumerator.watch.limit = EXPLAIN_STEPS_MAX;
	if (!status)
		status = at_enumerate_run(&enumerator, &valid);
	at_enumerate_release(&enumerator);
	*exists = status || valid > 0;
	return status == AT_ENOMEM ? status : AT_OK;
}

/*
 * The least `last` for which the constraints before it leave nothing, or 0 where
 * that takes too long to find. More constraints leave less: so a binary search.
 */
static enum at_status find_end(
	const struct at_spec *spec, const struct at_value *slots, size_t *end)
{
	size_t some = 0, none = spec->constraint_count;
	bool exists;
	enum at_status status = may_exist(spec, slots, 0, none, &exists);

	*end = 0;
	if (status || exists)
		return status;
	while (none - some > 1 && !status) {
		size_t middle = some + (none - some) / 2;

		status = may_exist(spec, slots, 0, middle, &exists);
		if (exists)
			some = middle;
		else
			none = middle;
	}
	*end = none;
	return status;
}

/* The second best answer: counts are there already. */
static size_t most_removing(
	const struct at_spec *spec, const struct at_enumeration *statistics)
{
	size_t most = 0;

	for (size_t i = 1; i < spec->constraint_count; i++)
		if (statistics->removed[i] > statistics->removed[most])
			most = i;
	return most;
}

enum at_status at_enumeration_explain_empty(const struct at_spec *spec,
	const struct at_enumeration *statistics, const struct at_value *slots,
	struct at_error *err)
{
	struct at_strbuf text = { 0 };
	const struct at_expression *expression;
	enum at_status status;
	bool together = false;
	size_t end, guilty;

	if (statistics->valid > 0 || spec->constraint_count == 0)
		return at_fail(err, AT_EINVAL, spec->path, 0,
			"the space is not empty: it has %" PRIu64 " configurations",
			statistics->valid);
	status = find_end(spec, slots, &end);
	guilty = end ? end - 1 : most_removing(spec, statistics);
	/* the last constraint alone is to blame where it leaves nothing by itself */
	if (!status && end > 1)
		status = may_exist(spec, slots, guilty, end, &together);
	if (status)
		return at_fail_memory(err);
	expression = spec->constraints[guilty].expression;
	at_strbuf_add(&text, "the space is empty: ");
	if (end)
		at_strbuf_add(&text, "no configuration satisfies");
	else
		at_strbuf_addf(
			&text, "of %" PRIu64 " configurations", statistics->cartesian);
	at_strbuf_addf(&text, " \"%.300s\"", at_expression_text(expression));
	add_values(spec, expression, slots, false, &text);
	if (!end)
		at_strbuf_addf(&text, " is the first to remove %" PRIu64,
			statistics->removed[guilty]);
	else if (together)
		at_strbuf_add(&text, " and the constraints before it");
	/* easily overlooked: such a constraint reads as if it could hold */
	if (statistics->divisions_by_zero[guilty])
		at_strbuf_addf(&text,
			", which divides by zero in %" PRIu64 " of %" PRIu64,
			statistics->divisions_by_zero[guilty],
			statistics->removed[guilty]);
	return fail_at(spec, guilty, &text, err);
}
