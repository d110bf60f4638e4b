/* Results in memory: released, replaced by portfolio members, added to a store. */
#include "record/results.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void at_result_release(struct at_result *self)
{
	if (!self)
		return;
	at_record_device_release(&self->device);
	at_crown_release(&self->crown);
	at_evaluation_release(&self->winner);
	at_evaluation_release(&self->baseline);
	at_result_release(self->member);
	free(self->member);
	memset(self, 0, sizeof(*self));
}

void at_results_release(struct at_results *self)
{
	for (size_t i = 0; i < self->count; i++)
		at_result_release(&self->items[i]);
	at_counterexamples_release(&self->counterexamples);
	free(self->items);
	free(self->failed);
	memset(self, 0, sizeof(*self));
}

void at_results_take_members(struct at_results *self)
{
	size_t kept = 0;

	for (size_t i = 0; i < self->count; i++) {
		struct at_result *item = &self->items[i];
		struct at_result *member = item->member;

		if (member) {
			member->device = item->device;
			member->is_shipped = item->is_shipped;
			memset(&item->device, 0, sizeof(item->device));
			item->member = NULL;
		}
		at_result_release(item);
		if (member)
			self->items[kept++] = *member;
		free(member);
	}
	self->count = kept;
}

/* Makes a key from what tells evaluations apart: a result file has no key. */
static void make_key(const struct at_result *self, struct at_evaluation *evaluation)
{
	const char *const texts[] = { self->device.kind, self->device.slug,
		evaluation->space, evaluation->problem, evaluation->configuration,
		self->crown.source_hash };
	struct at_hasher *hasher = at_hasher_new();

	for (size_t i = 0; i < AT_COUNT_OF(texts); i++)
		at_hasher_add_text(hasher, texts[i]);
	evaluation->key = at_hasher_result(hasher);
	at_hasher_free(hasher);
}

static enum at_status record_one(
	struct at_result *self, struct at_store *store, struct at_error *err)
{
	struct at_crown *crown = &self->crown;
	bool is_same = self->has_baseline && !strcmp(self->winner.configuration,
						     self->baseline.configuration);
	enum at_status status =
		at_store_put_device(store, &self->device, &crown->device_id, err);

	if (status)
		return status;
	self->winner.device_id = self->baseline.device_id = crown->device_id;
	make_key(self, &self->winner);
	status = at_store_add(store, &self->winner, err);
	if (!status && self->has_baseline && !is_same) {
		make_key(self, &self->baseline);
		if (!status)
			status = at_store_add(store, &self->baseline, err);
	}
	if (is_same)
		self->baseline.id = self->winner.id;
	crown->evaluation_id = self->winner.id;
	crown->baseline_id = self->baseline.id;
	return status ? status : at_store_put_crown(store, crown, err);
}

enum at_status at_results_record(
	struct at_results *self, struct at_store *store, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (size_t i = 0; i < self->count && !status; i++)
		status = record_one(&self->items[i], store, err);
	return status;
}
