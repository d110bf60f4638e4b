/* Reads from the record what allot.c needs to know of a search. */
#include "session/allot_record.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* An evaluation: its id, which orders by time of recording, its cost (INFINITY: it
   failed) and the seconds that it took. */
struct seen {
	int64_t id;
	double cost;
	double seconds;
};

struct seen_list {
	struct seen *items;
	size_t count;
	size_t capacity;
};

static enum at_status see(void *context, const struct at_evaluation *evaluation)
{
	struct seen_list *self = context;
	struct seen *one;
	double nanoseconds = 0;

	if (AT_RESERVE(self->items, self->capacity, self->count + 1, NULL))
		return AT_ENOMEM;
	one = &self->items[self->count++];
	if (evaluation->measure_ns > 0)
		nanoseconds += (double)evaluation->measure_ns;
	if (evaluation->facts.compile_ns > 0)
		nanoseconds += (double)evaluation->facts.compile_ns;
	*one = (struct seen){ evaluation->id, INFINITY, nanoseconds * 1e-9 };
	if (evaluation->outcome == AT_OUTCOME_OK && evaluation->time_ns > 0)
		one->cost = evaluation->time_ns;
	return AT_OK;
}

static int compare_seen(const void *a, const void *b)
{
	const struct seen *left = a, *right = b;

	return left->id < right->id ? -1 : left->id > right->id;
}

enum at_status at_allot_read(struct at_store *store, const char *space,
	const char *device_slug, const char *problem, struct at_allot_item *item,
	struct at_error *err)
{
	struct seen_list seen = { 0 };
	double *costs, seconds = 0;
	enum at_status status =
		at_store_list(store, space, device_slug, problem, 0, see, &seen, err);

	costs = calloc(seen.count + 1, sizeof(*costs));
	if (!status && !costs)
		status = at_fail_memory(err);
	if (!status && seen.count) {
		qsort(seen.items, seen.count, sizeof(*seen.items), compare_seen);
		for (size_t i = 0; i < seen.count; i++) {
			costs[i] = seen.items[i].cost;
			seconds += seen.items[i].seconds;
		}
		item->seconds_each = seconds / (double)seen.count;
	}
	if (!status)
		at_allot_observe(item, costs, seen.count);
	free(costs);
	free(seen.items);
	return status;
}
