/*
 * Measures on the host which branches the cases of a verification reach, in a compile
 * worker (evaluator/cases_coverage.h), and adds the cases that constants ask for.
 */
#include "evaluator/workers/workers_internal.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The part of the time in which the worker has to end by itself. */
#define WORKER_PART 0.8
/* of a processor; what takes longer without optimisation is no small case */
#define PROCESSOR_SECONDS 5.0

struct coverage {
	struct workers *owner;
	uint64_t end_ns;
	at_covered covered; /* NULL: nothing is out */
	void *context;
};

static void answer(
	struct coverage *self, const char *reference, const char *tuned, bool is_whole)
{
	at_covered covered = self->covered;

	self->covered = NULL;
	covered(self->context, reference, tuned, is_whole);
}

static void answer_why(struct coverage *self, const char *why)
{
	char text[400];

	snprintf(text, sizeof(text), "not measured (%.380s)", why);
	answer(self, text, "", false);
}

/* Adds the cases of values that the kernels compare numbers with, where the space
   leaves it to the default list what winners are verified on. */
static enum at_status add_cases(
	struct workers *owner, const struct at_json *values, struct at_error *err)
{
	const struct at_workers_options *options = &owner->options;
	enum at_status status = AT_OK;

	if (options->spec->domain.line || !options->spec->verify.derives_problems)
		return AT_OK;
	for (size_t i = 0;
		i < at_json_count(values) && !status && owner->added_count < ADDED_MOST;
		i++) {
		const struct at_json *value = at_json_at(values, i);
		const char *name = at_json_text(at_json_get(value, "number"));
		struct at_case *one = &owner->added[owner->added_count];
		bool is_there = false;

		at_case_of_value(&owner->source, name ? name : "",
			at_json_whole(at_json_get(value, "constant"), 0), one);
		for (size_t k = 1; k < owner->workload_count && one->problem.name; k++)
			is_there |= !strcmp(one->problem.name,
				owner->workloads[k].plan.problem->name);
		if (is_there || !one->problem.name) {
			at_case_release(one);
			continue;
		}
		owner->added_count++;
		status = workers_add_case(owner, one, err);
	}
	if (!status)
		workers_count_cases(owner);
	return status;
}

static void covered(void *context, const char *text, const struct at_error *problem)
{
	struct coverage *self = context;
	struct at_json *json = NULL;
	struct at_error err = { 0 };
	const char *reason, *reference, *tuned;
	char late[160] = "";
	struct at_strbuf line = { 0 };
	int64_t cases;

	if (!self->covered)
		return;
	if (problem || at_json_parse(text, strlen(text), NULL, &json, &err)) {
		answer_why(self, problem ? problem->text : err.text);
		return;
	}
	reason = at_json_text(at_json_get(json, "reason"));
	reference = at_json_text(at_json_get(at_json_get(json, "reference"), "text"));
	tuned = at_json_text(at_json_get(at_json_get(json, "tuned"), "text"));
	cases = at_json_whole(at_json_get(json, "cases"), 0);
	if (at_json_whole(at_json_get(json, "late"), 0) > 0)
		snprintf(late, sizeof(late),
			"in the time for it, on %lld of %lld cases: ",
			(long long)(cases -
				    at_json_whole(at_json_get(json, "late"), 0)),
			(long long)cases);
	if (add_cases(self->owner, at_json_get(json, "tried"), &err))
		reason = err.text;
	if (reason || !reference) {
		answer_why(self, reason ? reason : "its worker sent an odd answer");
	} else {
		at_strbuf_addf(&line, "%s%s", late, reference);
		answer(self, at_strbuf_text(&line), tuned ? tuned : "", !late[0]);
	}
	at_strbuf_release(&line);
	at_json_free(json);
}

void workers_cover(struct at_evaluator *base, const uint16_t *configuration,
	double seconds, at_covered done, void *context)
{
	struct workers *owner = (struct workers *)base;
	const struct at_spec *spec = owner->options.spec;
	struct coverage *self = owner->coverage;
	struct at_wire_writer body = { { 0 } };
	uint16_t *whole = at_calloc(spec->parameter_count + 1, sizeof(*whole));

	if (!self)
		self = owner->coverage = at_calloc(1, sizeof(*self));
	workers_widen(spec, owner->options.whole_spec, configuration, whole);
	*self = (struct coverage){ owner, at_clock_now_ns() + (uint64_t)(seconds * 1e9),
		done, context };
	at_wire_put_text(&body, spec->path);
	at_wire_put_text(&body, owner->options.problem->name);
	at_wire_put_real(
		&body, seconds < PROCESSOR_SECONDS ? seconds : PROCESSOR_SECONDS);
	at_wire_put_u64(
		&body, at_clock_now_ns() + (uint64_t)(seconds * WORKER_PART * 1e9));
	at_wire_put_u32(&body, (uint32_t)spec->parameter_count);
	for (size_t i = 0; i < spec->parameter_count; i++)
		at_wire_put_u32(&body, whole[i]);
	free(whole);
	at_compilers_cover(at_compile_queue_compilers(owner->options.compile_queue),
		&body, covered, self);
}

void workers_tick_coverage(struct workers *owner)
{
	struct coverage *self = owner->coverage;

	if (!self || !self->covered || at_clock_now_ns() < self->end_ns)
		return;
	at_compilers_forget(
		at_compile_queue_compilers(owner->options.compile_queue), self);
	answer_why(self, "there was no time for it");
}

void workers_drop_coverage(struct workers *owner)
{
	if (!owner->coverage)
		return;
	at_compilers_forget(at_compile_queue_compilers(owner->options.compile_queue),
		owner->coverage);
	owner->coverage->covered = NULL;
}
