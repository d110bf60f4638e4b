/* Items and their outcomes: what the other files workers*.c build on. */
#include "evaluator/workers/workers_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void workers_tell(struct workers *self, enum at_told_kind kind, const char *text)
{
	if (self->base.tell)
		self->base.tell(self->base.tell_context, kind, text);
}

/* ---- items ---- */

void workers_free_doubt(struct doubt *doubt)
{
	if (!doubt)
		return;
	free(doubt->winner);
	free(doubt->other);
	free(doubt);
}

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

/* Adds an item that is ready for a board; before: ahead of all others. */
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

/* ---- their outcomes ---- */

void workers_tell_later(struct workers *self)
{
	if (self->is_telling_later)
		return;
	/* if there is no memory for that, the session's tick tells the answers */
	self->is_telling_later =
		!at_loop_later(self->options.loop, self->tell_due, self, NULL);
}

void workers_decide(struct workers *self, struct item *item, enum at_outcome outcome,
	const char *detail)
{
	item->stage = STAGE_TOLD;
	item->outcome = outcome;
	snprintf(item->detail, sizeof(item->detail), "%s", detail);
	workers_tell_later(self);
}

/* Nothing more can be done: one of those that wait for an answer is told, once. */
void workers_fail(struct workers *self, const struct at_error *err)
{
	struct item *item = self->items;

	if (self->failed)
		return;
	self->failed = true;
	/* if nobody waits now, the next one that asks is refused with it */
	self->error = *err;
	/* a worker that finds a request senseless does not know the space file's
	   name */
	if (err->status == AT_EINVAL && !err->file[0])
		snprintf(self->error.file, sizeof(self->error.file), "%s",
			self->options.spec->path);
	err = &self->error;
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
