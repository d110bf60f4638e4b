/* Finds the constraint that makes a space empty, for the error message. */
#include "base/memory.h"
#include "space/search_space_parts.h"

#include <inttypes.h>
#include <stdlib.h>

/*
 * The most steps of each test whether constraints leave anything: a twelfth of a
 * second. The binary search makes about ten tests, so that the message does not take
 * long.
 */
#define EXPLAIN_STEPS_MAX ((uint64_t)1 << 23)

/*
 * Whether any configuration satisfies the constraints number first to last - 1. Also
 * true when that takes too long to find out or a constraint fails to evaluate.
 */
static bool may_exist(const struct at_spec *spec, const struct at_value *slots,
	size_t first, size_t last)
{
	struct at_enumerator enumerator;
	bool is_empty = false;
	enum at_status status;

	at_enumerate_init(&enumerator, spec, slots, first, last, NULL);
	enumerator.watch.limit = EXPLAIN_STEPS_MAX;
	status = at_enumerate_divide(&enumerator, &is_empty);
	for (size_t i = 0; i < enumerator.group_count && !is_empty && !status; i++) {
		struct at_group *group = &enumerator.groups[i];
		size_t *order = at_calloc(group->parameter_count, sizeof(*order));
		struct at_diagram diagram = { 0 };

		status = at_group_diagram(&enumerator, group, 1, &diagram, order);
		is_empty = !status && !at_diagram_count(&diagram);
		at_diagram_release(&diagram);
		free(order);
	}
	at_enumerate_release(&enumerator);
	return !is_empty;
}

/*
 * The least `last` for which the constraints before it leave nothing, or 0 where that
 * takes too long to find. More constraints leave less, so a binary search finds it.
 */
static size_t find_end(const struct at_spec *spec, const struct at_value *slots)
{
	size_t some = 0, none = spec->constraint_count;

	if (may_exist(spec, slots, 0, none))
		return 0;
	while (none - some > 1) {
		size_t middle = some + (none - some) / 2;

		if (may_exist(spec, slots, 0, middle))
			some = middle;
		else
			none = middle;
	}
	return none;
}

/* A less precise answer: the constraint that removed most, of which the counts exist
   already. */
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
	size_t end, guilty;
	bool together;

	if (statistics->valid > 0 || spec->constraint_count == 0)
		return at_fail(err, AT_EINVAL, spec->path, 0,
			"the space is not empty: it has %" PRIu64 " configurations",
			statistics->valid);
	end = find_end(spec, slots);
	guilty = end ? end - 1 : most_removing(spec, statistics);
	/* If the last constraint leaves nothing by itself, it alone is named. */
	together = end > 1 && may_exist(spec, slots, guilty, end);
	expression = spec->constraints[guilty].expression;
	at_strbuf_add(&text, "the space is empty: ");
	if (end)
		at_strbuf_add(&text, "no configuration satisfies");
	else
		at_strbuf_addf(
			&text, "of %" PRIu64 " configurations", statistics->cartesian);
	at_strbuf_addf(&text, " \"%.300s\"", at_expression_text(expression));
	at_enumerate_add_values(spec, expression, slots, false, &text);
	if (!end)
		at_strbuf_addf(&text, " is the first to remove %" PRIu64,
			statistics->removed[guilty]);
	else if (together)
		at_strbuf_add(&text, " and the constraints before it");
	/* Easily overlooked, since such a constraint reads as if it could hold. */
	if (statistics->divisions_by_zero[guilty])
		at_strbuf_addf(&text,
			", which divides by zero in %" PRIu64 " of %" PRIu64,
			statistics->divisions_by_zero[guilty],
			statistics->removed[guilty]);
	return at_enumerate_fail_at(spec, guilty, AT_EINVAL, &text, err);
}
