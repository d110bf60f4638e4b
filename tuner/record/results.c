#include "record/results.h"

#include <stdlib.h>
#include <string.h>

static void release(struct at_result *self)
{
	at_record_device_release(&self->device);
	at_crown_release(&self->crown);
	at_evaluation_release(&self->winner);
	at_evaluation_release(&self->baseline);
}

void at_results_release(struct at_results *self)
{
	for (size_t i = 0; i < self->count; i++)
		release(&self->items[i]);
	free(self->items);
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

enum at_status at_results_read(struct at_store *store, const char *space,
	struct at_results *out, struct at_error *err)
{
	struct at_crown *crowns = NULL;
	enum at_status status;
	size_t count = 0;

	memset(out, 0, sizeof(*out));
	if (!store)
		return AT_OK;
	status = at_store_crowns(store, space, 0, &crowns, &count, err);
	if (status)
		return status;
	out->items = calloc(count + 1, sizeof(*out->items));
	if (!out->items)
		status = at_fail_memory(err);
	for (size_t i = 0; i < count && !status; i++)
		status = read_result(store, &crowns[i], &out->items[out->count++], err);
	if (!status && out->count)
		qsort(out->items, out->count, sizeof(*out->items), compare);
	at_store_free_crowns(crowns, count);
	return status;
}
