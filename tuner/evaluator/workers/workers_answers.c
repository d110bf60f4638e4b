/* Items and their outcomes: what the other files workers*.c build on. */
#include "evaluator/workers/workers_parts.h"

#include <stdio.h>
#include <string.h>
#include <stdlib.h>

void workers_tell(struct workers *self, enum at_notice_kind kind, const char *text)
{
	if (self->base.tell)
		self->base.tell(self->base.tell_context, kind, text);
}

/* ---- trials ---- */

void workers_free_trial(struct trial *trial)
{
	at_planned_free(trial->planned);
	at_measure_result_release(&trial->result);
	free(trial->second_opinion);
	workers_free_shrinking(trial->shrinking);
	free(trial->unit);
	free(trial->log);
	free(trial);
}

void workers_set_first(struct workers *self, struct trial *trial)
{
	struct at_compilers *compilers = at_farm_compilers(self->options.farm);

	if (!self->first != !trial)
		at_compilers_reserve(compilers, trial ? 1 : -1);
	self->first = trial;
}

void workers_unlink_trial(struct workers *self, struct trial *trial)
{
	struct trial **link = &self->trials;

	while (*link && *link != trial)
		link = &(*link)->next;
	if (!*link)
		return;
	*link = trial->next;
	if (trial == self->first)
		workers_set_first(self, NULL);
}

struct trial *workers_pop_ready(struct workers *self)
{
	struct trial *trial = self->ready_first;

	self->ready_first = trial->next_ready;
	if (!self->ready_first)
		self->ready_last = &self->ready_first;
	return trial;
}

/* Adds a trial that is ready for a board; before: ahead of all others. */
void workers_push_ready(struct workers *self, struct trial *trial, bool before)
{
	trial->stage = STAGE_READY;
	trial->next_ready = NULL;
	if (before) {
		trial->next_ready = self->ready_first;
		self->ready_first = trial;
		if (!trial->next_ready)
			self->ready_last = &trial->next_ready;
	} else {
		*self->ready_last = trial;
		self->ready_last = &trial->next_ready;
	}
}

/* ---- their outcomes ---- */

void workers_tell_later(struct workers *self)
{
	if (self->is_telling_later)
		return;
	self->is_telling_later = true;
	at_loop_later(self->options.loop, self->tell_due, self);
}

void workers_decide(struct workers *self, struct trial *trial, enum at_outcome outcome,
	const char *detail)
{
	trial->stage = STAGE_TOLD;
	trial->outcome = outcome;
	snprintf(trial->detail, sizeof(trial->detail), "%s", detail);
	workers_tell_later(self);
}

/* Nothing more can be done: one of those that wait for an answer is told, once. */
void workers_fail(struct workers *self, const struct at_error *err)
{
	struct trial *trial = self->trials;
	bool is_of_reference;

	if (self->failed)
		return;
	self->failed = true;
	/* if nobody waits now, the next one that asks is refused with it */
	self->error = *err;
	/* a worker that finds a request senseless, or that fails with the reference,
	   does not know the space file's name */
	is_of_reference =
		err->status != AT_ENOMEM && strstr(err->text, "the reference");
	if ((err->status == AT_EINVAL || is_of_reference) && !err->file[0]) {
		snprintf(self->error.file, sizeof(self->error.file), "%s",
			self->options.spec->path);
		self->error.line =
			is_of_reference ? self->options.spec->reference.line : 0;
	}
	err = &self->error;
	if (self->finals.answered)
		self->finals.answered(self->finals.context, NULL, 0, err);
	else if (trial && trial->proved)
		trial->proved(trial->context, NULL, err);
	else if (trial)
		trial->answered(trial->context, NULL, err);
}

enum at_status workers_refuse(const struct workers *self, struct at_error *err)
{
	if (err && !err->status)
		*err = self->error;
	return self->error.status;
}
