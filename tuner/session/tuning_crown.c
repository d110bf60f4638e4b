/*
 * The winner once more with other data and on ragged sizes; then its crown: the
 * record, the result file, the header.
 */
#include "session/tuning_parts.h"
#include "base/clock.h"
#include "measure/statistics.h"
#include "record/result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VERIFY_SEED 20011

/* case 0: the tuned problem with another seed; then those that the space names */
static const struct at_problem *case_problem(const struct at_tuning *self)
{
	if (self->verify_case == 0)
		return self->options.problem;
	return &self->options.spec->verify.problems[self->verify_case - 1];
}

static const uint16_t *winner_row(const struct at_tuning *self)
{
	return tuning_row(self, self->finalists[self->winner].contender->index);
}

static void next_case(struct at_tuning *self);

/* a plan for the case at hand; a case that the winner is not for is passed over */
static void begin_case(struct at_tuning *self)
{
	struct at_error err = { 0 };

	if (self->verify_planned)
		at_plan_release(&self->verify_plan);
	self->verify_planned = false;
	self->verify_sent = false;
	if (self->verify_case > self->options.spec->verify.problem_count) {
		tuning_crown(self);
		return;
	}
	if (at_plan_init(&self->verify_plan, self->options.spec, self->options.template,
		    case_problem(self), self->options.problem, self->options.device,
		    self->options.toolchain_version, VERIFY_SEED + self->verify_case,
		    &err)) {
		tuning_end(self, &err);
		return;
	}
	self->verify_planned = true;
	if (!at_plan_admits(&self->verify_plan, winner_row(self))) {
		char text[256];

		snprintf(text, sizeof(text),
			"the winner is not verified on \"%s\": its constraints exclude it there",
			case_problem(self)->name);
		tuning_emit(self, AT_EVENT_NOTE, text, NULL, NULL, false);
		next_case(self);
		return;
	}
	tuning_pump(self);
}

static void next_case(struct at_tuning *self)
{
	self->verify_case++;
	begin_case(self);
}

void tuning_begin_verify(struct at_tuning *self)
{
	self->phase = PHASE_VERIFY;
	self->verify_case = 0;
	tuning_emit(self, AT_EVENT_PHASE, "verifying the winner", NULL, NULL, false);
	begin_case(self);
}

/* the record must not go on calling it ok */
static enum at_status record_refusal(struct at_tuning *self,
	const struct at_measure_result *result, struct at_error *err)
{
	const struct contender *contender = self->finalists[self->winner].contender;
	struct at_evaluation evaluation;
	char detail[640];
	enum at_status status;

	snprintf(detail, sizeof(detail), "on problem \"%s\" with other data: %s",
		case_problem(self)->name, result->detail);
	status = at_store_get(
		self->options.store, contender->evaluation.id, true, &evaluation, err);
	if (status)
		return status;
	free(evaluation.detail);
	evaluation.detail = at_strdup(detail);
	evaluation.id = 0;
	evaluation.outcome = result->outcome;
	evaluation.run_id = self->options.run_id;
	evaluation.time_ns = evaluation.low_ns = evaluation.high_ns = NAN;
	evaluation.created_seconds = at_clock_wall_seconds();
	evaluation.sample_count = 0;
	status = evaluation.detail ? at_store_add(self->options.store, &evaluation, err)
				   : at_fail_memory(err);
	if (!status) {
		self->progress.by_outcome[AT_OUTCOME_OK]--;
		self->progress.by_outcome[result->outcome]++;
		tuning_emit(self, AT_EVENT_NOTE, detail, winner_row(self), &evaluation,
			false);
	}
	at_evaluation_release(&evaluation);
	return status;
}

static void case_measured(void *context, struct at_measure_result *results,
	size_t count, const struct at_error *err)
{
	struct at_tuning *self = context;
	struct at_error problem = { 0 };

	(void)count;
	if (self->phase != PHASE_VERIFY)
		return;
	if (err) {
		tuning_end(self, err);
	} else if (results[0].outcome == AT_OUTCOME_OK) {
		next_case(self);
	} else if (record_refusal(self, &results[0], &problem)) {
		tuning_end(self, &problem);
	} else {
		tuning_next_winner(self);
	}
}

static void send_case(struct at_tuning *self, struct unit *unit)
{
	struct at_measure_request request;
	struct at_measure_result refused = { .outcome = unit->result.outcome };
	struct at_error err = { 0 };

	if (unit->result.outcome != AT_OUTCOME_OK) {
		snprintf(refused.detail, sizeof(refused.detail), "does not compile");
		case_measured(self, &refused, 1, NULL);
		return;
	}
	if (at_plan_request(&self->verify_plan, winner_row(self), &request, &err)) {
		tuning_end(self, &err);
		return;
	}
	if (!tuning_set_image(&unit->result, self->options.spec, &request)) {
		at_fail_memory(&err);
		tuning_end(self, &err);
	} else {
		tuning_set_sampling(self, &request);
		request.verify_only = true;
		request.seed = VERIFY_SEED;
		at_remote_evaluate(self->options.remote, &request,
			tuning_deadline(self), case_measured, self);
	}
	at_measure_request_release(&request);
}

static void case_ready(void *context, const struct at_error *err)
{
	struct at_tuning *self = context;
	struct at_compile_request request;
	struct at_error problem = { 0 };
	struct unit *unit;

	if (self->phase != PHASE_VERIFY)
		return;
	if (err) {
		tuning_end(self, err);
		return;
	}
	if (at_plan_compile(&self->verify_plan, winner_row(self), AT_UNIT_TUNED,
		    &request, &problem)) {
		tuning_end(self, &problem);
		return;
	}
	unit = tuning_unit(self, &request);
	if (unit)
		send_case(self, unit);
}

void tuning_verify(struct at_tuning *self)
{
	struct at_compile_request request;
	struct at_error err = { 0 };
	struct unit *reference, *unit;
	bool is_good;

	if (self->verify_sent || !self->verify_planned)
		return;
	is_good = tuning_reference_unit(self, &self->verify_plan, &reference);
	if (self->phase != PHASE_VERIFY)
		return;
	if (at_plan_compile(&self->verify_plan, winner_row(self), AT_UNIT_TUNED,
		    &request, &err)) {
		tuning_end(self, &err);
		return;
	}
	unit = tuning_unit(self, &request);
	if (!is_good || !unit || !unit->done)
		return;
	self->verify_sent = true;
	tuning_send_setup(self, &self->verify_plan, reference, case_ready);
}

static double paired_speedup(const struct at_tuning *self)
{
	const struct finalist *winner = &self->finalists[self->winner];

	for (size_t i = 0; i < self->finalist_count; i++) {
		const struct finalist *finalist = &self->finalists[i];
		size_t count = finalist->result.sample_count;
		struct at_interval ratio;
		double *scratch;

		if (!self->baseline.evaluation.id || !count ||
			!winner->result.sample_count ||
			finalist->contender->index != self->baseline.index)
			continue;
		if (i == self->winner)
			return 1;
		if (count > winner->result.sample_count)
			count = winner->result.sample_count;
		scratch = calloc(count, sizeof(*scratch));
		if (!scratch)
			break;
		ratio = at_statistics_ratio(finalist->result.samples_ns,
			winner->result.samples_ns, count, scratch);
		free(scratch);
		return ratio.median;
	}
	return NAN;
}

static enum at_status fill_crown(struct at_tuning *self,
	const struct contender *contender, struct at_crown *crown, struct at_error *err)
{
	const uint16_t *row = tuning_row(self, contender->index);
	struct at_measure_request request;
	char hex[AT_HASH_HEX_SIZE];
	double flops, bytes;

	if (at_plan_request(&self->plan, row, &request, err))
		return AT_EINVAL;
	at_plan_metrics(&self->plan, row, &flops, &bytes);
	crown->device_id = self->options.device_id;
	crown->evaluation_id = contender->evaluation.id;
	crown->baseline_id = self->baseline.evaluation.id;
	crown->evaluation_count = (int64_t)self->progress.evaluated;
	crown->ok_count = (int64_t)self->progress.by_outcome[AT_OUTCOME_OK];
	crown->created_seconds = at_clock_wall_seconds();
	crown->space = at_strdup(self->options.spec->name);
	crown->problem = at_strdup(self->options.problem->name);
	crown->toolchain = at_strdup(self->options.toolchain_version);
	crown->driver = at_strdup(self->options.device->driver);
	crown->source_hash = at_strdup(at_hash_hex(self->source_hash, hex));
	crown->metrics = at_plan_metrics_json(flops, bytes);
	crown->launch = at_plan_launch_json(&request.kernel.geometry);
	crown->options = at_plan_options_json(&self->plan, row);
	at_measure_request_release(&request);
	if (!crown->space || !crown->problem || !crown->toolchain || !crown->driver ||
		!crown->source_hash || !crown->metrics || !crown->launch ||
		!crown->options)
		return at_fail_memory(err);
	return AT_OK;
}

enum at_status tuning_write_files(
	struct at_tuning *self, char **header, struct at_error *err)
{
	return at_result_write(self->options.store, self->options.session->results,
		self->options.whole_spec, self->options.device_id, NULL, header, err);
}

static void emit_summary(struct at_tuning *self, const char *header)
{
	const struct at_session_options *session = self->options.session;
	const struct at_evaluation *evaluation = &self->crowned.evaluation;
	const uint16_t *row = tuning_row(self, self->crowned.index);
	struct at_event event = {
		.kind = AT_EVENT_SUMMARY,
		.spec = self->options.spec,
		.problem = self->options.problem,
		.device = self->options.device,
		.progress = &self->progress,
		.objective = &at_objective_time,
		.configuration = row,
		.evaluation = evaluation,
		.incumbent = evaluation,
		.incumbent_configuration = row,
		.crown = self->worn,
		.header_path = header,
		.ceilings = self->has_ceilings ? &self->ceilings.ceilings : NULL,
	};

	if (self->baseline.evaluation.id)
		event.baseline = &self->baseline.evaluation;
	self->progress.elapsed_seconds =
		(double)(at_clock_now_ns() - self->start_ns) * 1e-9;
	at_plan_metrics(&self->plan, row, &event.flops, &event.bytes);
	if (session->listen)
		session->listen(session->context, &event);
}

void tuning_finish(struct at_tuning *self)
{
	struct at_error err = { 0 };
	char *header = NULL;
	enum at_status status = tuning_write_files(self, &header, &err);

	if (!status)
		emit_summary(self, header);
	free(header);
	tuning_end(self, status ? &err : NULL);
}

/* takes what is in crown */
static void put_crown(struct at_tuning *self, const struct contender *contender,
	struct at_crown *crown)
{
	struct at_error err = { 0 };
	enum at_status status = fill_crown(self, contender, crown, &err);

	self->crown = *crown;
	self->worn = &self->crown;
	self->crowned.index = contender->index;
	self->crowned.reused = contender->reused;
	if (!status && !tuning_copy_evaluation(
			       &contender->evaluation, &self->crowned.evaluation))
		status = at_fail_memory(&err);
	if (!status)
		status = at_store_put_crown(self->options.store, crown, &err);
	if (status)
		tuning_end(self, &err);
	else if (self->interrupted)
		tuning_finish(self);
	else
		tuning_begin_explain(self);
}

/* what --set keeps out of this run cannot lose to it by not being there */
static bool outsider_is_faster(
	const struct at_tuning *self, const struct finalist *winner)
{
	return self->options.session->set_count > 0 && tuning_same_source(self) &&
	       !tuning_find_holder(self) &&
	       self->recorded.score.high < winner->result.low_ns;
}

void tuning_crown(struct at_tuning *self)
{
	const struct finalist *winner = &self->finalists[self->winner];
	struct at_crown crown = {
		.objective = &at_objective_time,
		.score = { winner->result.time_ns, winner->result.low_ns,
			winner->result.high_ns },
		.speedup = paired_speedup(self),
	};

	if (outsider_is_faster(self, winner)) {
		tuning_emit(self, AT_EVENT_NOTE,
			"the recorded winner, which --set leaves out, is faster and stays",
			NULL, NULL, false);
		tuning_emit(self, AT_EVENT_SUMMARY, NULL, winner_row(self),
			&winner->contender->evaluation, false);
		tuning_end(self, NULL);
		return;
	}
	put_crown(self, winner->contender, &crown);
}

/*
 * With --set, and in a run without it after one with it, the baseline is another one
 * than that which the crown is told beside.
 */
static bool may_explain_recorded(const struct at_tuning *self)
{
	const struct at_crown *crown = &self->recorded;

	return (!crown->gains || !crown->gains[0]) &&
	       crown->baseline_id == self->baseline.evaluation.id;
}

void tuning_keep_crown(struct at_tuning *self)
{
	const struct passed *passed = tuning_find_holder(self);
	struct at_error err = { 0 };

	self->worn = &self->recorded;
	self->crowned.index = passed->index;
	self->crowned.reused = passed->reused;
	if (at_store_get(self->options.store, passed->evaluation_id, false,
		    &self->crowned.evaluation, &err))
		tuning_end(self, &err);
	else if (may_explain_recorded(self))
		tuning_begin_explain(self);
	else
		tuning_finish(self);
}

static bool was_refused(const struct at_tuning *self, const struct contender *contender)
{
	for (size_t i = 0; i < self->passed_count; i++)
		if (self->passed[i].index == contender->index)
			return self->passed[i].refused;
	return false;
}

void tuning_crown_best(struct at_tuning *self)
{
	struct at_crown crown = { .speedup = NAN };
	const struct contender *best = NULL;

	for (size_t i = 0; i < self->podium_count && !best; i++)
		if (!was_refused(self, &self->podium[i]))
			best = &self->podium[i];
	if (!best) {
		self->podium_count = 0; /* nobody passed, or all were refused */
		tuning_emit(self, AT_EVENT_SUMMARY, NULL, NULL, NULL, false);
		tuning_end(self, NULL);
		return;
	}
	/* an interrupted search does not dethrone who won a whole one unless it
	   found something clearly faster */
	if (self->recorded.space && self->recorded.score.value > 0 &&
		best->evaluation.high_ns >= self->recorded.score.low) {
		tuning_emit(self, AT_EVENT_SUMMARY,
			"interrupted: the recorded winner stands", NULL, NULL, false);
		tuning_end(self, NULL);
		return;
	}
	crown.objective = &at_objective_time;
	crown.score = at_evaluation_score(&best->evaluation, crown.objective);
	if (self->baseline.evaluation.id)
		crown.speedup = at_objective_gain(crown.objective,
			self->baseline.evaluation.time_ns, crown.score.value);
	put_crown(self, best, &crown);
}
