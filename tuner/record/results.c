#include "record/results.h"

#include "base/hash.h"
#include "base/memory.h"
#include "record/proof.h"
#include "record/shipped.h"

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
	free(self->items);
	free(self->failed);
	memset(self, 0, sizeof(*self));
}

static int compare(const void *a, const void *b)
{
	const struct at_result *left = a, *right = b;
	int order = strcmp(left->crown.space, right->crown.space);

	if (!order)
		order = strcmp(left->device.kind, right->device.kind);
	if (!order)
		order = strcmp(left->device.slug, right->device.slug);
	return order ? order : strcmp(left->crown.problem, right->crown.problem);
}

/* Takes the crown over. */
static enum at_status read_result(struct at_store *store, struct at_crown *crown,
	struct at_result *out, struct at_error *err)
{
	enum at_status status;

	out->crown = *crown;
	memset(crown, 0, sizeof(*crown));
	status =
		at_store_get(store, out->crown.evaluation_id, false, &out->winner, err);
	if (status || !out->crown.baseline_id)
		return status;
	out->has_baseline = true;
	return at_store_get(store, out->crown.baseline_id, false, &out->baseline, err);
}

/* What was chosen for another template is no member of this problem's portfolio. */
static enum at_status read_member(struct at_store *store,
	const struct at_portfolio *portfolio, struct at_result *result,
	struct at_error *err)
{
	for (size_t i = 0; i < portfolio->count; i++) {
		struct at_crown *member = &portfolio->members[i];

		if (!member->problem || !member->source_hash ||
			strcmp(member->problem, result->crown.problem) != 0 ||
			strcmp(member->source_hash, result->crown.source_hash) != 0)
			continue;
		result->member = calloc(1, sizeof(*result->member));
		if (!result->member)
			return at_fail_memory(err);
		return read_result(store, member, result->member, err);
	}
	return AT_OK;
}

/* crowns come ordered by device and space */
static enum at_status read_members(
	struct at_store *store, struct at_results *self, struct at_error *err)
{
	struct at_portfolio portfolio = { 0 };
	enum at_status status = AT_OK;
	bool found;

	for (size_t i = 0; i < self->count && !status; i++) {
		const struct at_crown *crown = &self->items[i].crown;

		if (!portfolio.space || portfolio.device_id != crown->device_id ||
			strcmp(portfolio.space, crown->space) != 0) {
			at_portfolio_release(&portfolio);
			status = at_store_get_portfolio(store, crown->device_id,
				crown->space, &portfolio, &found, err);
		}
		if (!status && portfolio.count)
			status = read_member(store, &portfolio, &self->items[i], err);
	}
	at_portfolio_release(&portfolio);
	return status;
}

static enum at_status read_record(struct at_store *store, const char *space,
	struct at_results *out, struct at_error *err)
{
	struct at_crown *crowns = NULL;
	size_t count = 0;
	enum at_status status = at_store_crowns(store, space, 0, &crowns, &count, err);

	if (!status)
		status = AT_RESERVE(out->items, out->capacity, count, err);
	for (size_t i = 0; i < count && !status; i++) {
		struct at_result *result = &out->items[out->count++];

		memset(result, 0, sizeof(*result));
		status = at_store_get_device(
			store, crowns[i].device_id, &result->device, err);
		if (!status)
			status = read_result(store, &crowns[i], result, err);
	}
	at_store_free_crowns(crowns, count);
	return status ? status : read_members(store, out, err);
}

/*
 * The record has more of a winner, every sample of it, but a file is what a team
 * shares: after a pull, whoever has an older winner in a record of his own must get the
 * header that everybody else gets. A run compares its winner with the recorded one,
 * measured anew, so that the newer of two has seen more.
 */
static bool counts_more(const struct at_crown *shipped, const struct at_crown *recorded)
{
	/* what a file calls proved and the record found wrong since is wrong */
	if (shipped->is_unproved != recorded->is_unproved &&
		!at_proof_is_withdrawn(recorded))
		return recorded->is_unproved;
	return shipped->created_seconds > recorded->created_seconds;
}

/* Of several of one device, space and problem the one that counts; they are sorted. */
static void keep_one(struct at_results *self)
{
	size_t kept = 0;

	for (size_t i = 0; i < self->count; i++) {
		struct at_result *last = kept ? &self->items[kept - 1] : NULL;
		struct at_result *next = &self->items[i];
		struct at_result moved = *next;

		if (last && !compare(last, next)) {
			bool takes_over =
				next->is_shipped
					? counts_more(&next->crown, &last->crown)
					: !counts_more(&last->crown, &next->crown);

			at_result_release(takes_over ? last : next);
			if (takes_over)
				*last = moved;
			continue;
		}
		self->items[kept++] = moved;
	}
	self->count = kept;
}

enum at_status at_results_read(struct at_store *store, const char *directory,
	const char *space, struct at_results *out, struct at_error *err)
{
	enum at_status status = AT_OK;

	memset(out, 0, sizeof(*out));
	if (store)
		status = read_record(store, space, out, err);
	if (!status && directory)
		status = at_shipped_read(directory, space, out, err);
	if (!status && out->count)
		qsort(out->items, out->count, sizeof(*out->items), compare);
	if (!status)
		keep_one(out);
	return status;
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

/* What an evaluation is told from others by; of one that was read there is no more. */
static enum at_status make_key(const struct at_result *self,
	struct at_evaluation *evaluation, struct at_error *err)
{
	const char *const texts[] = { self->device.kind, self->device.slug,
		evaluation->space, evaluation->problem, evaluation->configuration,
		self->crown.source_hash };
	struct at_hasher *hasher;
	enum at_status status = at_hasher_new(&hasher, err);

	if (status)
		return status;
	for (size_t i = 0; i < AT_COUNT_OF(texts); i++)
		at_hasher_add_text(hasher, texts[i]);
	evaluation->key = at_hasher_result(hasher);
	at_hasher_free(hasher);
	return AT_OK;
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
	status = make_key(self, &self->winner, err);
	if (!status)
		status = at_store_add(store, &self->winner, err);
	if (!status && self->has_baseline && !is_same) {
		status = make_key(self, &self->baseline, err);
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
