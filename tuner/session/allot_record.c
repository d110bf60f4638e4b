/* Reads from the record what allot.c needs to know of a search. */
#include "session/allot_record.h"

#include "base/memory.h"
#include "record/sources.h"

#include <math.h>
#include <stdlib.h>

/* The parts of an evaluation that count here. Its id orders by time of recording. */
struct seen {
	struct at_evaluation from; /* id, device, run and time alone */
	double cost; /* INFINITY: it failed */
	double seconds; /* that compiling and measuring took */
};

struct seen_list {
	const struct at_objective *objective;
	struct seen *items;
	size_t count;
	size_t capacity;
};

static enum at_status see(void *context, const struct at_evaluation *evaluation)
{
	struct seen_list *self = context;
	struct seen *one;
	double nanoseconds = 0;

	AT_GROW(self->items, self->capacity, self->count + 1);
	one = &self->items[self->count++];
	if (evaluation->measure_ns > 0)
		nanoseconds += (double)evaluation->measure_ns;
	if (evaluation->facts.compile_ns > 0)
		nanoseconds += (double)evaluation->facts.compile_ns;
	*one = (struct seen){
		.from = { .id = evaluation->id,
			.device_id = evaluation->device_id,
			.run_id = evaluation->run_id,
			.created_seconds = evaluation->created_seconds },
		/* of a configuration that failed: INFINITY */
		.cost = at_objective_cost(self->objective,
			at_evaluation_score(evaluation, self->objective).value),
		.seconds = nanoseconds * 1e-9,
	};
	return AT_OK;
}

/* By device, then by time of recording. */
static int compare_devices(const void *a, const void *b)
{
	const struct at_evaluation *left = &((const struct seen *)a)->from;
	const struct at_evaluation *right = &((const struct seen *)b)->from;

	if (left->device_id != right->device_id)
		return left->device_id < right->device_id ? -1 : 1;
	return left->id < right->id ? -1 : left->id > right->id;
}

static int compare_seen(const void *a, const void *b)
{
	const struct at_evaluation *left = &((const struct seen *)a)->from;
	const struct at_evaluation *right = &((const struct seen *)b)->from;

	return left->id < right->id ? -1 : left->id > right->id;
}

/*
 * Removes evaluations of an older source, compiler or driver. No search would use them
 * any more: after a driver update a space that was searched whole has all of it left to
 * find.
 */
static enum at_status drop_older(struct seen_list *self, struct at_store *store,
	const char *space, const char *problem, struct at_error *err)
{
	struct at_sources sources = { 0 };
	enum at_status status = AT_OK;
	size_t kept = 0;

	qsort(self->items, self->count, sizeof(*self->items), compare_devices);
	for (size_t i = 0; i < self->count && !status; i++) {
		const struct at_evaluation *from = &self->items[i].from;

		if (i == 0 || from->device_id != self->items[i - 1].from.device_id) {
			at_sources_release(&sources);
			status = at_store_sources(
				store, from->device_id, space, problem, &sources, err);
		}
		if (!status && !at_sources_is_older(&sources, from))
			self->items[kept++] = self->items[i];
	}
	at_sources_release(&sources);
	self->count = kept;
	qsort(self->items, self->count, sizeof(*self->items), compare_seen);
	return status;
}

enum at_status at_allot_read(struct at_store *store, const char *space,
	const char *device_slug, const char *problem,
	const struct at_objective *objective, struct at_allot_item *item,
	struct at_error *err)
{
	struct seen_list seen = { .objective = objective };
	double *costs, seconds = 0;
	enum at_status status =
		at_store_list(store, space, device_slug, problem, 0, see, &seen, err);

	if (!status && seen.count)
		status = drop_older(&seen, store, space, problem, err);
	costs = at_calloc(seen.count + 1, sizeof(*costs));
	if (!status && seen.count) {
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
