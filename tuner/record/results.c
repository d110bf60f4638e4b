#include "record/results.h"

#include "base/memory.h"
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
	status = at_store_get_device(store, out->crown.device_id, &out->device, err);
	if (!status)
		status = at_store_get(
			store, out->crown.evaluation_id, false, &out->winner, err);
	if (status || !out->crown.baseline_id)
		return status;
	out->has_baseline = true;
	return at_store_get(store, out->crown.baseline_id, false, &out->baseline, err);
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
		status = read_result(store, &crowns[i], result, err);
	}
	at_store_free_crowns(crowns, count);
	return status;
}

/*
 * The record has more of a winner, every sample of it, but a file is what a team
 * shares: after a pull, whoever has an older winner in a record of his own must get the
 * header that everybody else gets. A run compares its winner with the recorded one,
 * measured anew, so that the newer of two has seen more.
 */
static bool counts_more(const struct at_crown *shipped, const struct at_crown *recorded)
{
	if (shipped->is_unproved != recorded->is_unproved)
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
