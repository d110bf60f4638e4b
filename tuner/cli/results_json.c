/* Writes what is recorded of a group as JSON. */
#include "cli/results.h"

#include "cli/ceilings.h"
#include "record/evaluation_json.h"

/* 0 means that the space has no such metric. */
static struct at_json *amount(double value)
{
	return value > 0 ? at_json_real(value) : at_json_null();
}

static struct at_json *row_to_json(
	const struct at_group *group, const struct at_evaluation *row)
{
	struct at_json *out = at_json_object();
	struct at_roofline roofline;

	at_group_roofline(group, row, &roofline);
	at_json_set(out, "configuration", at_json_embedded(row->configuration));
	at_json_set_evaluation(out, row);
	at_json_set(out, "speedup", at_json_real(at_group_gain(group, row)));
	at_json_set(out, "winner",
		at_json_boolean(
			group->has_crown && row->id == group->crown.evaluation_id));
	at_json_set(out, "older_source",
		at_json_boolean(at_sources_is_older(&group->sources, row)));
	at_json_set(out, "flops", amount(row->flops));
	at_json_set(out, "bytes", amount(row->bytes));
	at_json_set_rates(out, &roofline);
	return out;
}

static struct at_json *winner_to_json(const struct at_group *group)
{
	const struct at_crown *crown = &group->crown;
	struct at_roofline roofline;
	struct at_json *out;

	if (!group->has_crown)
		return at_json_null();
	at_group_winner_roofline(group, &roofline);
	out = at_json_object();
	at_json_set(
		out, "configuration", at_json_embedded(group->winner.configuration));
	at_json_set_score(out, crown->objective, crown->score);
	at_json_set_speedup(out, at_crown_speedup(crown));
	at_json_set(out, "created_seconds", at_json_integer(crown->created_seconds));
	at_json_set(out, "older_source", at_json_boolean(group->winner_is_older));
	at_json_set_facts(out, &group->winner.facts);
	at_json_set_rates(out, &roofline);
	at_json_set_crown(out, crown);
	return out;
}

struct at_json *at_results_to_json(const struct at_group *group)
{
	struct at_json *out = at_json_object();
	struct at_json *rows = at_json_array();

	for (size_t i = 0; i < group->row_count; i++)
		at_json_append(rows, row_to_json(group, &group->rows[i]));
	at_json_set(out, "space", at_json_string(group->space));
	at_json_set(out, "problem", at_json_string(group->problem));
	at_json_set(out, "device", at_json_string(group->device.slug));
	at_json_set(out, "model", at_json_string(group->device.model));
	at_json_set(out, "architecture", at_json_string(group->device.architecture));
	at_json_set(out, "shipped", at_json_boolean(group->is_shipped));
	at_json_set(out, "ceilings",
		at_ceilings_to_json(group->has_ceilings ? &group->ceilings : NULL));
	at_json_set(out, "outcomes", at_json_outcomes(group->by_outcome));
	at_json_set(out, "older_source_count",
		at_json_integer((int64_t)group->older_count));
	at_json_set(out, group->objective->baseline_key, at_json_real(group->baseline));
	at_json_set(out, "winner", winner_to_json(group));
	at_json_set(out, "evaluations", rows);
	return out;
}
