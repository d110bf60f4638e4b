/* Items and their answers: what everything else here stands on. */
#include "evaluator/workers/workers_parts.h"

#include "base/clock.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void workers_tell(struct workers *self, enum at_told_kind kind, const char *text)
{
	if (self->base.tell)
		self->base.tell(self->base.tell_context, kind, text);
}

/* ---- items ---- */

void workers_free_item(struct item *item)
{
	at_planned_free(item->planned);
	at_measure_result_release(&item->result);
	workers_free_doubt(item->doubt);
	free(item->unit);
	free(item->log);
	free(item);
}

void workers_unlink_item(struct workers *self, struct item *item)
{
	struct item **link = &self->items;

	while (*link && *link != item)
		link = &(*link)->next;
	if (!*link)
		return;
	*link = item->next;
	if (item == self->first)
		self->first = NULL;
}

struct item *workers_pop_ready(struct workers *self)
{
	struct item *item = self->ready_first;

	self->ready_first = item->next_ready;
	if (!self->ready_first)
		self->ready_last = &self->ready_first;
	return item;
}

/* before = true: whatever else is ready waits for it */
void workers_push_ready(struct workers *self, struct item *item, bool before)
{
	item->stage = STAGE_READY;
	item->next_ready = NULL;
	if (before) {
		item->next_ready = self->ready_first;
		self->ready_first = item;
		if (!item->next_ready)
			self->ready_last = &item->next_ready;
	} else {
		*self->ready_last = item;
		self->ready_last = &item->next_ready;
	}
}

/* ---- answers ---- */

void workers_answer(struct workers *self, struct item *item)
{
	struct at_answer answer = {
		.planned = item->planned,
		.outcome = item->outcome,
		.detail = item->detail,
		.log = item->log ? item->log : "",
		.facts = item->facts,
		.result = item->is_measured ? &item->result : NULL,
		.image = item->image,
		.is_copy = item->is_copy,
		.board = item->seat ? item->seat->info->uuid : "",
	};

	if (item->proved && workers_asks_others(self, item))
		return;
	workers_unlink_item(self, item);
	self->has_answered = true;
	if (item->proved) {
		const struct at_proof_answer proof = {
			.outcome = item->outcome,
			.detail = item->detail,
			.proved = item->result.proved,
		};

		item->proved(item->context, &proof, NULL);
	} else {
		item->answered(item->context, &answer, NULL);
		item->planned = answer.planned;
	}
	/* whoever was told may have kept what it is launched with */
	if (item == self->yardstick && !item->planned)
		self->yardstick = NULL;
	if (item != self->yardstick)
		workers_free_item(item);
}

/* whether support and reference compile is known: if not, that is what to tell, and
   not what became of configurations beside them */
static bool parts_are_known(const struct workers *self, const struct scene *scene)
{
	return self->support.path &&
	       (scene->reference.path ||
		       self->options.spec->reference.kind != AT_REFERENCE_KERNEL);
}

void workers_tell_due(void *context)
{
	struct workers *self = context;
	struct item *item = self->items;

	self->is_telling_later = false;
	while (item && !self->failed) {
		if (item->stage != STAGE_TOLD) {
			item = item->next;
			continue;
		}
		/* one that did not come to a board waits until parts are known */
		if (item->outcome != AT_OUTCOME_NONE && !item->is_measured &&
			item->planned->outcome == AT_OUTCOME_OK &&
			!parts_are_known(self, item->scene)) {
			item = item->next;
			continue;
		}
		/* what it is told may begin others, stop all or end the search */
		workers_answer(self, item);
		item = self->items;
	}
	self->pump(self);
}

void workers_tell_later(struct workers *self)
{
	if (self->is_telling_later)
		return;
	/* without memory for that the tick of the session comes to it */
	self->is_telling_later =
		!at_loop_later(self->options.loop, workers_tell_due, self, NULL);
}

void workers_decide(struct workers *self, struct item *item, enum at_outcome outcome,
	const char *detail)
{
	item->stage = STAGE_TOLD;
	item->outcome = outcome;
	snprintf(item->detail, sizeof(item->detail), "%s", detail);
	workers_tell_later(self);
}

/* Nothing more can be done: whoever waits hears of it once. */
void workers_fail(struct workers *self, const struct at_error *err)
{
	struct item *item = self->items;

	if (self->failed)
		return;
	self->failed = true;
	/* where nobody waits now, whoever asks next is told */
	self->error = *err;
	if (self->finals.answered)
		self->finals.answered(self->finals.context, NULL, 0, err);
	else if (item && item->proved)
		item->proved(item->context, NULL, err);
	else if (item)
		item->answered(item->context, NULL, err);
}

enum at_status workers_refuse(const struct workers *self, struct at_error *err)
{
	if (err && !err->status)
		*err = self->error;
	return self->error.status;
}
