/* Evaluations and winners as JSON (record/evaluation_json.h). */
#include "record/evaluation_json.h"

#include "record/result.h"

#include <stdio.h>
#include <string.h>

struct at_json *at_json_configuration(
	const struct at_spec *spec, const uint16_t *configuration)
{
	struct at_json *out;

	if (!configuration)
		return at_json_null();
	out = at_json_object();
	for (size_t i = 0; i < spec->parameter_count; i++) {
		const struct at_parameter *parameter = &spec->parameters[i];

		at_json_set(out, parameter->name,
			at_value_to_json(parameter->values[configuration[i]]));
	}
	return out;
}

struct at_json *at_json_embedded(const char *text)
{
	struct at_json *out;

	return text && !at_json_parse(text, strlen(text), NULL, &out, NULL)
		       ? out
		       : at_json_null();
}

struct at_json *at_json_outcomes(const uint64_t by_outcome[AT_OUTCOME_COUNT])
{
	struct at_json *out = at_json_object();

	for (size_t i = AT_OUTCOME_OK; i < AT_OUTCOME_COUNT; i++)
		if (by_outcome[i])
			at_json_set(out, at_outcome_name((enum at_outcome)i),
				by_outcome[i]);
	return out;
}

void at_json_set_outcome(
	struct at_json *out, enum at_outcome outcome, const char *detail)
{
	at_json_set(out, "outcome", at_outcome_name(outcome));
	at_json_set(out, "detail", detail);
}

void at_json_set_score(struct at_json *out, const struct at_objective *objective,
	struct at_score score)
{
	at_json_set(out, objective->key, score.value);
	at_json_set(out, objective->low_key, score.low);
	at_json_set(out, objective->high_key, score.high);
}

void at_json_set_speedup(struct at_json *out, struct at_score speedup)
{
	at_json_set(out, "speedup", speedup.value);
	at_json_set(out, "speedup_low", speedup.low);
	at_json_set(out, "speedup_high", speedup.high);
}

static const char *line_or_null(const char *line)
{
	return *line ? line : NULL;
}

#define JSON_KNOWN at_json_known
#define JSON_REAL(value) value
#define JSON_LINE line_or_null
#define SET(name, kind) at_json_set(out, #name, JSON_##kind(facts->name));

void at_json_set_facts(struct at_json *out, const struct at_facts *facts)
{
	static const struct at_facts unknown = AT_FACTS_UNKNOWN;

	if (!facts)
		facts = &unknown;
	AT_FACTS(SET)
}

struct at_json *at_json_resources(const struct at_facts *facts)
{
	struct at_json *out = at_json_object();
	struct at_json *occupancy = at_json_null();

	AT_RESOURCE_FACTS(SET)
	/* 0 blocks: not launched, which no winner is */
	if (facts->resident_blocks > 0 && facts->occupancy > 0) {
		occupancy = at_json_object();
		at_json_set(occupancy, "resident_blocks",
			at_json_known(facts->resident_blocks));
		at_json_set(occupancy, "fraction", facts->occupancy);
		at_json_set(occupancy, "limiting_factor",
			line_or_null(facts->limiting_factor));
	}
	at_json_set(out, "occupancy", occupancy);
	return out;
}

void at_json_set_rates(struct at_json *out, const struct at_roofline *roofline)
{
	at_json_set(out, "intensity", roofline->intensity);
	at_json_set(out, "flops_per_second", roofline->flops_per_second);
	at_json_set(out, "bytes_per_second", roofline->bytes_per_second);
	at_json_set(out, "ceiling_fraction", roofline->fraction);
	at_json_set(out, "bound", line_or_null(at_bound_text(roofline->bound)));
}

void at_json_set_evaluation(struct at_json *out, const struct at_evaluation *evaluation)
{
	at_json_set_outcome(out, evaluation->outcome, evaluation->detail);
	at_json_set_score(out, &at_objective_time,
		at_evaluation_score(evaluation, &at_objective_time));
	at_json_set(out, "raced", evaluation->raced);
	at_json_set_facts(out, &evaluation->facts);
	at_json_set(out, "measure_ns", at_json_known(evaluation->measure_ns));
}

void at_json_set_winner(struct at_json *out, const struct at_winner *best)
{
	static const struct at_winner nobody;

	at_json_set(out, "verified",
		best ? at_json_boolean(!best->is_unverified) : at_json_null());
	if (!best)
		best = &nobody;
	at_json_set(out, "objective", best->objective ? best->objective->name : NULL);
	at_json_set(out, "gains", at_json_embedded(best->gains));
	at_json_set(out, "measurement", at_json_embedded(best->measurement));
	at_json_set(out, "verification", at_json_embedded(best->verification));
	at_json_set(out, "launch", at_json_embedded(best->launch));
	at_json_set(out, "options", at_json_embedded(best->options));
	at_json_set(out, "toolchain", best->toolchain);
	at_json_set(out, "driver", best->driver);
}

/* ---- configurations and sizes, from and to the record's JSON --------------- */

char *at_configuration_to_json(
	const struct at_spec *spec, const uint16_t *configuration)
{
	struct at_json *object = at_json_configuration(spec, configuration);

	return at_json_finish(object);
}

char *at_problem_to_json(const struct at_spec *spec, const struct at_problem *problem)
{
	struct at_json *object = at_json_object();

	/* in the common order of all problems of the space */
	for (size_t i = 0; i < spec->size_count; i++)
		for (size_t k = 0; k < problem->size_count; k++)
			if (!strcmp(spec->size_names[i], problem->sizes[k].name))
				at_json_set(object, spec->size_names[i],
					at_value_to_json(problem->sizes[k].value));
	return at_json_finish(object);
}

static bool is_same(const struct at_value *value, const struct at_json *node)
{
	struct at_strbuf text = { 0 };
	char digits[2][32];
	const char *word;
	bool same;

	switch (value->type) {
	case AT_TYPE_NONE:
		return false;
	case AT_TYPE_INTEGER:
		/* at_json_whole() returns the fallback for anything but an integer: one
		   of two different fallbacks differs from the value */
		return at_json_whole(node, 0) == value->integer &&
		       at_json_whole(node, 1) == value->integer;
	case AT_TYPE_BOOLEAN:
		if (value->integer)
			return at_json_is_true(node);
		at_json_write(node, 0, &text);
		same = !strcmp(at_strbuf_text(&text), "false");
		at_strbuf_release(&text);
		return same;
	case AT_TYPE_REAL:
		/* JSON has 15 digits: equal digits, equal reals */
		snprintf(digits[0], sizeof(digits[0]), "%.15g",
			at_json_number(node, value->real + 1));
		snprintf(digits[1], sizeof(digits[1]), "%.15g", value->real);
		return !strcmp(digits[0], digits[1]);
	case AT_TYPE_WORD:
		word = at_json_text(node);
		return word && !strcmp(word, value->word);
	}
	return false;
}

void at_configuration_from_json(const struct at_spec *spec, const char *json,
	uint16_t *configuration, bool *fits)
{
	struct at_json *object = at_json_embedded(json);

	/* more members than parameters do not fit */
	*fits = at_json_kind_of(object) == AT_JSON_OBJECT &&
		!at_json_key_at(object, spec->parameter_count);
	for (size_t i = 0; i < spec->parameter_count && *fits; i++) {
		const struct at_parameter *parameter = &spec->parameters[i];
		const struct at_json *node = at_json_get(object, parameter->name);
		size_t value = 0;

		while (node && value < parameter->value_count &&
			!is_same(&parameter->values[value], node))
			value++;
		*fits = node && value < parameter->value_count;
		configuration[i] = (uint16_t)value;
	}
	at_json_free(object);
}
