/* Tells the answers that are due; called from the loop. */
#include "evaluator/workers/workers_parts.h"

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
	/* The caller may have kept planned; without it the item cannot be the yardstick
	   any more. */
	if (item == self->yardstick && !item->planned)
		self->yardstick = NULL;
	if (item != self->yardstick)
		workers_free_item(item);
}

/*
 * Whether the units of the setup are compiled. If the reference does not compile, the
 * user must be told that, and not the outcome of configurations, which were compiled
 * beside it.
 */
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
		/* an outcome without a measurement waits until the setup's units are
		   known to compile */
		if (item->outcome != AT_OUTCOME_NONE && !item->is_measured &&
			item->planned->outcome == AT_OUTCOME_OK &&
			!parts_are_known(self, item->scene)) {
			item = item->next;
			continue;
		}
		/* the callback may begin others, stop everything or end the search:
		   start again */
		workers_answer(self, item);
		item = self->items;
	}
	self->pump(self);
}
