/* Makes winners and their measurement (winner.h). */
#include "session/winner.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/memory.h"
#include "record/evaluation_json.h"
#include "session/standings.h"

#include <math.h>
#include <string.h>

/* A number, or null for 0, "not known". */
static struct at_json *known(uint64_t value)
{
	return value ? at_json_integer((int64_t)value) : at_json_null();
}

/* A clock set by the user; the board's default is not a setting. */
static struct at_json *by_user(uint64_t clock_hz, uint64_t default_hz)
{
	return known(clock_hz == default_hz ? 0 : clock_hz);
}

static struct at_json *known_real(double value)
{
	return value > 0 ? at_json_real(value) : at_json_null();
}

/* By what part of its time a launch takes longer (or less) in a graph than alone. The
   time of an empty launch, measured in the same way, is subtracted first. */
static struct at_json *graph_off(const struct at_measure_result *result)
{
	const struct at_measure_conditions *conditions = &result->conditions;

	if (!(result->graph_ns > 0 && result->time_ns > 0 && conditions->empty_ns > 0 &&
		    conditions->empty_graph_ns > 0))
		return at_json_null();
	return at_json_real((result->graph_ns - conditions->empty_graph_ns -
				    (result->time_ns - conditions->empty_ns)) /
			    result->time_ns);
}

char *at_winner_measurement(const struct at_measure_result *final, bool is_undecided,
	struct at_hash template, const char *energy)
{
	char hex[AT_HASH_HEX_SIZE];
	struct at_json *out;
	struct at_strbuf reasons = { 0 };
	const struct at_measure_conditions *conditions;

	if (!final)
		return at_strdup("");
	conditions = &final->conditions;
	out = at_json_object();
	if (is_undecided)
		at_json_set(out, "undecided", at_json_boolean(true));
	at_json_set(out, "blocks", known(final->block_count));
	at_json_set(out, "samples", known(final->sample_count));
	at_json_set(out, "launches_per_sample", known(final->launches_per_sample));
	at_json_set(out, "first_clock_hz", known(conditions->first_clock_hz));
	at_json_set(out, "last_clock_hz", known(conditions->last_clock_hz));
	at_json_set(out, "repeated_rounds", conditions->repeated_rounds);
	at_json_set(out, "throttled_rounds", conditions->throttled_rounds);
	at_device_add_reasons(&reasons, conditions->clock_reasons);
	at_json_set(out, "clock_reasons",
		reasons.length ? at_json_string(at_strbuf_text(&reasons))
			       : at_json_null());
	at_strbuf_release(&reasons);
	at_json_set(out, "set_clock_hz",
		by_user(conditions->set_clock_hz, conditions->default_clock_hz));
	at_json_set(out, "set_memory_clock_hz",
		by_user(conditions->set_memory_clock_hz,
			conditions->default_memory_clock_hz));
	at_json_set(
		out, "power_limit_watts", known_real(conditions->power_limit_watts));
	if (conditions->unmoved_blocks)
		at_json_set(out, "unmoved_blocks", known(conditions->unmoved_blocks));
	if (conditions->is_ungated)
		at_json_set(out, "ungated", at_json_boolean(true));
	at_json_set(out, "empty_ns", known_real(conditions->empty_ns));
	at_json_set(out, "graph_ns", known_real(final->graph_ns));
	at_json_set(out, "empty_graph_ns", known_real(conditions->empty_graph_ns));
	at_json_set(out, "graph_off", graph_off(final));
	if (!at_hash_equal(template, (struct at_hash){ 0 }))
		at_json_set(out, "template", at_hash_hex(template, hex));
	if (energy)
		at_json_set(out, "energy", at_json_embedded(energy));
	return at_json_finish(out);
}

bool at_winner_is_undecided(const struct at_winner *self)
{
	struct at_json *object;
	bool is_undecided;

	if (!self->measurement || !*self->measurement ||
		at_json_parse(self->measurement, strlen(self->measurement), NULL,
			&object, NULL))
		return false;
	is_undecided = at_json_is_true(at_json_get(object, "undecided"));
	at_json_free(object);
	return is_undecided;
}

void at_winner_make(const struct at_selection *facts, struct at_winner *out)
{
	const struct at_visit *visit = facts->visit;
	char hex[AT_HASH_HEX_SIZE];

	memset(out, 0, sizeof(*out));
	out->device_id = visit->device_id;
	out->evaluation_id = facts->evaluation_id;
	out->baseline_id = facts->baseline_id;
	out->evaluation_count = (int64_t)facts->evaluation_count;
	out->ok_count = (int64_t)facts->ok_count;
	out->objective = visit->objective;
	out->score = facts->score;
	out->speedup = facts->speedup.value;
	out->speedup_low = facts->speedup.low;
	out->speedup_high = facts->speedup.high;
	out->baseline_low = facts->baseline.low;
	out->baseline_high = facts->baseline.high;
	/* an interval of an incomplete first look means nothing */
	if (facts->is_undecided &&
		facts->final->sample_count < at_standings_blocks(0) * AT_FINALS_ROUNDS)
		out->score.low = out->score.high = out->baseline_low =
			out->baseline_high = (double)NAN;
	out->created_seconds = at_clock_wall_seconds();
	out->space = at_strdup(visit->spec->name);
	out->problem = at_strdup(visit->problem->name);
	out->toolchain = at_strdup(visit->evaluator->info.toolchain);
	out->driver = at_strdup(visit->evaluator->info.device.driver);
	out->source_hash = at_strdup(at_hash_hex(visit->evaluator->info.source, hex));
	out->metrics = at_compiled_plan_metrics_json(facts->plan);
	out->launch = at_compiled_plan_launch_json(facts->plan, visit->spec);
	out->options = at_compiled_plan_options_json(facts->plan);
	out->measurement = at_winner_measurement(facts->final, facts->is_undecided,
		facts->plan->compile.includes, facts->energy);
	out->part = at_strdup(facts->part ? facts->part : "");
	out->met = at_strdup(facts->met ? facts->met : "");
	out->is_unverified = !facts->verification;
	out->verification = facts->verification
				    ? at_verification_to_json(facts->verification)
				    : at_strdup("");
}
