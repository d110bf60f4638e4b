/* Answers that are due, told from the loop. */
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
