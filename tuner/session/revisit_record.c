/* Reads what a revisit needs from the record, and records its night or the refusal of
   the winner (revisit_parts.h). */
#include "session/revisit_parts.h"

#include "base/clock.h"
#include "base/memory.h"
#include "record/result.h"
#include "session/conditions.h"
#include "session/crown.h"
#include "session/finals.h"
#include "session/journal.h"

#include <stdlib.h>
#include <string.h>

/* most nights to read; nights.c uses the newest of them */
#define HISTORY_MAX 90

enum at_status revisit_read_history(struct at_revisiting *self, struct at_error *err)
{
	const struct at_visit *visit = &self->visit;
	const struct at_evaluator_info *info = &visit->evaluator->info;
	char hex[AT_HASH_HEX_SIZE];
	const struct at_revisit_query query = {
		.space = visit->spec->name,
		.problem = visit->problem->name,
		.device_id = visit->device_id,
		.board = info->device.uuid,
		.configuration = self->winner.configuration,
		.source_hash = at_hash_hex(info->source, hex),
		.limit = HISTORY_MAX,
	};
	enum at_status status =
		at_store_revisits(visit->store, &query, &self->history, err);

	if (status)
		return status;
	self->nights = at_calloc(self->history.count + 1, sizeof(*self->nights));
	/* with another source the crown belongs to another kernel */
	if (at_visit_has_same_source(&self->visit, &self->crown) &&
		!at_crown_is_undecided(&self->crown))
		self->nights[self->night_count++] = at_night_of_crown(&self->crown);
	for (size_t i = 0; i < self->history.count; i++)
		self->nights[self->night_count++] =
			at_night_of_revisit(&self->history.items[i],
				i ? &self->history.items[i - 1] : NULL);
	return AT_OK;
}

const struct at_revisit *revisit_last_night(const struct at_revisiting *self)
{
	return self->history.count ? &self->history.items[self->history.count - 1]
				   : NULL;
}

void revisit_fill(struct at_revisiting *self, const struct at_final *final)
{
	const struct at_visit *visit = &self->visit;
	const struct at_evaluator_info *info = &visit->evaluator->info;
	const struct at_measure_conditions *conditions =
		final ? &final->result.conditions : NULL;
	struct at_revisit *out = &self->revisit;
	char hex[AT_HASH_HEX_SIZE];

	at_revisit_release(out);
	*out = (struct at_revisit){
		.device_id = visit->device_id,
		.run_id = visit->run_id,
		.outcome = self->contestants[WINNER].outcome,
		.objective = visit->objective,
		.score = AT_SCORE_UNKNOWN,
		.baseline = AT_SCORE_UNKNOWN,
		.speedup = AT_SCORE_UNKNOWN,
		.change = AT_SCORE_UNKNOWN,
		.clock_hz = conditions && conditions->last_clock_hz
				    ? (int64_t)conditions->last_clock_hz
				    : -1,
		.look_count = (int64_t)self->look_count,
		.board = at_strdup(info->device.uuid),
		.space = at_strdup(visit->spec->name),
		.problem = at_strdup(visit->problem->name),
		.configuration = at_strdup(self->winner.configuration),
		.source_hash = at_strdup(at_hash_hex(info->source, hex)),
		.detail = at_strdup(self->contestants[WINNER].detail),
		.measurement = at_crown_measurement(final, false),
		.conditions = at_conditions_json(info, conditions),
		.created_seconds = at_clock_wall_seconds(),
	};
}

void revisit_fill_scores(struct at_revisiting *self, const struct at_final *winner,
	const struct at_final *baseline)
{
	struct at_revisit *out = &self->revisit;
	struct at_finals_gain gain;

	out->score = at_final_score(winner);
	if (self->contestants[BASELINE].index == self->contestants[WINNER].index) {
		out->baseline = out->score;
		out->speedup = (struct at_score){ 1, 1, 1 };
		return;
	}
	if (!baseline || !at_final_was_sampled(baseline))
		return;
	gain = at_finals_gain_of(self->visit.objective, baseline, winner);
	out->baseline = gain.baseline;
	out->speedup = gain.speedup;
}

enum at_status revisit_record_proof(
	struct at_revisiting *self, const struct at_proof *proof, struct at_error *err)
{
	const struct at_visit *visit = &self->visit;
	const struct at_result_options results = {
		.directory = visit->session->results,
	};
	struct at_proof noted = *proof;
	char *text = at_proof_to_json(&noted);
	enum at_status status = AT_OK;

	/* without a new case files stay byte for byte */
	if (!strcmp(text, self->crown.proof)) {
		free(text);
		return AT_OK;
	}
	free(text);
	noted.night = (uint32_t)visit->session->night;
	text = at_proof_to_json(&noted);
	status = at_store_set_proof(visit->store, &self->crown, text, err);
	free(text);
	return status ? status
		      : at_result_write(visit->store, &results, visit->whole_spec,
				visit->device_id, NULL, err);
}

enum at_status revisit_record_refusal(struct at_revisiting *self, struct at_error *err)
{
	const struct at_visit *visit = &self->visit;
	const struct contestant *winner = &self->contestants[WINNER];
	const struct at_result_options results = {
		.directory = visit->session->results,
		.removes_header = true,
	};
	struct at_evaluation refused;
	struct at_journal *journal;
	enum at_status status = AT_OK;

	at_journal_new(&self->visit, false, &journal);

	status = at_journal_refuse(journal, self->crown.evaluation_id, winner->outcome,
		winner->detail, &refused, err);
	at_journal_free(journal);
	if (status)
		return status;
	at_evaluation_release(&refused);
	status = at_store_withdraw(visit->store, &self->crown, winner->detail, err);
	if (!status)
		status = at_result_write(visit->store, &results, visit->whole_spec,
			visit->device_id, NULL, err);
	return status;
}
