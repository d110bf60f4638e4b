/* Times short launches a second way, as nodes of a graph, and launches of an empty
   kernel, so that the finals can report what a launch itself costs. */
#include "measure/graph.h"
#include "measure/statistics.h"
#include "measure/support.h"
#include "measure/trip.h"
#include "base/memory.h"

#include <stdlib.h>

/* Launches of a graph; fewer where the calls ahead of each take long. */
#define LAUNCHES_MIN 8
#define LAUNCHES_MAX 50
/* Samples of a graph; the median counts: one may be disturbed. */
#define SAMPLES 7
/* The time that one run of a graph should take at most. */
#define RUN_NS 10e6

/* A launch, and the calls ahead of it. */
struct turn {
	const struct call_list *before;
	const struct at_invocation *timed;
};

/*
 * What one launch adds to a graph: the median time of a graph with the launches minus
 * that of one without, divided by their number, so that the graph's own cost and all
 * other calls cancel out. Where launches are timed alone, each has its calls ahead of
 * it; else they follow each other directly, and the second graph has half as many. 0:
 * no graph of these can be made, or there is no difference.
 */
static enum at_outcome time_turns(struct at_measure_context *self,
	const struct turn *turns, size_t turn_count, bool alone, unsigned launches,
	double *launch_ns, struct at_error *err)
{
	const struct at_device_ops *ops = self->device->ops;
	size_t with_count = 0, without_count = 0, room = 2 * (size_t)launches;
	struct at_invocation *with, *without;
	double with_ns[SAMPLES], without_ns[SAMPLES];
	enum at_outcome outcome;

	for (unsigned i = 0; i < launches && alone; i++)
		room += turns[i % turn_count].before->count;
	with = at_calloc(room, sizeof(*with));
	without = at_calloc(room, sizeof(*without));
	*launch_ns = 0;
	for (unsigned i = 0; i < (alone ? launches : 2 * launches); i++) {
		const struct turn *turn = &turns[i % turn_count];

		for (size_t j = 0; j < turn->before->count && alone; j++)
			with[with_count++] = without[without_count++] =
				turn->before->calls[j];
		with[with_count++] = *turn->timed;
		if (!alone && i < launches)
			without[without_count++] = *turn->timed;
	}
	outcome = ops->time_graph(
		self->device, without, without_count, without_ns, SAMPLES, err);
	/* the graph with all launches runs last, so that their output can be checked */
	if (outcome == AT_OUTCOME_OK)
		outcome = ops->time_graph(
			self->device, with, with_count, with_ns, SAMPLES, err);
	if (outcome == AT_OUTCOME_OK)
		*launch_ns = (at_statistics_median(with_ns, SAMPLES).median -
				     at_statistics_median(without_ns, SAMPLES).median) /
			     launches;
	if (!(*launch_ns > 0))
		*launch_ns = 0;
	if (outcome == AT_OUTCOME_NOT_APPLICABLE) {
		at_error_clear(err);
		outcome = AT_OUTCOME_OK;
	}
	free(with);
	free(without);
	return outcome;
}

/* Where launches are timed alone, the flush ahead of each takes most of the time. */
static unsigned graph_launches(const struct at_measure_context *self, bool alone)
{
	double launches = RUN_NS / (self->part_wall_ns > 1 ? self->part_wall_ns : 1);

	if (!alone || launches > LAUNCHES_MAX)
		return LAUNCHES_MAX;
	return launches < LAUNCHES_MIN ? LAUNCHES_MIN : (unsigned)launches;
}

enum at_outcome graph_time(struct at_measure_context *self, struct candidate *candidate,
	double *launch_ns, struct at_error *err)
{
	bool alone = candidate_is_alone(self, candidate);
	unsigned launches = graph_launches(self, alone);
	struct turn turns[SETS];

	*launch_ns = 0;
	/* no graph loads a module */
	if (!self->device->ops->time_graph || candidate->reloads || !self->set_count)
		return AT_OUTCOME_OK;
	for (unsigned i = 0; i < self->set_count; i++) {
		unsigned set = (candidate->next_set + i) % self->set_count;

		turns[i] = (struct turn){ &candidate->before[set],
			&candidate->timed[set] };
	}
	self->is_unwatched = true;
	candidate->last_set =
		(candidate->next_set + (alone ? launches : 2 * launches) - 1) %
		self->set_count;
	candidate->next_set = (candidate->last_set + 1) % self->set_count;
	return time_turns(
		self, turns, self->set_count, alone, launches, launch_ns, err);
}

/* The same for an empty kernel; before: the calls ahead of each of its launches. */
static enum at_outcome graph_time_nothing(struct at_measure_context *self,
	const struct call_list *before, const struct at_invocation *nothing,
	double *launch_ns, struct at_error *err)
{
	bool alone = before->count > 0;
	const struct turn turn = { before, nothing };

	*launch_ns = 0;
	if (!self->device->ops->time_graph)
		return AT_OUTCOME_OK;
	return time_turns(
		self, &turn, 1, alone, graph_launches(self, alone), launch_ns, err);
}

/* The samples of the empty kernel: enough for a median in steps of 10 ns. */
#define EMPTY_SAMPLES 11

/* Takes a sample of the empty kernel as sample_once() takes one of a candidate;
 *time_ns: the time of one launch. */
static enum at_outcome sample_nothing(struct at_measure_context *context,
	const struct call_list *before, const struct at_invocation *nothing,
	unsigned launches, double *time_ns)
{
	/* with a flush ahead of each launch, each is timed alone */
	unsigned parts = before->count ? launches : 1;
	enum at_outcome outcome = AT_OUTCOME_OK;
	double duration_ns = 0;

	for (unsigned i = 0; i < parts && outcome == AT_OUTCOME_OK; i++) {
		double part_ns = 0;

		outcome = context->device->ops->time(context->device, before->calls,
			before->count, nothing, 1, launches / parts, &part_ns, NULL);
		duration_ns += part_ns;
	}
	*time_ns = duration_ns / launches;
	return outcome;
}

enum at_status nothing_time(struct at_measure_context *self,
	const struct at_measure_result *beside,
	struct at_measure_conditions *conditions, struct at_error *err)
{
	struct at_invocation nothing;
	struct call_list before = { 0 };
	double samples_ns[EMPTY_SAMPLES];
	enum at_outcome outcome;
	enum at_status status = call_list_init(&before, SUPPORT_FLUSH_CALLS, err);

	if (!status) {
		support_nothing(self, &self->queue);
		nothing = self->queue.calls[self->queue.count - 1];
		if (self->setup->cache == AT_CACHE_COLD)
			support_flush(self, &before);
		/* a kernel has to run once before time() may be called (device.h) */
		outcome = bench_run(self, NULL);
		for (int i = 0; i < EMPTY_SAMPLES && outcome == AT_OUTCOME_OK; i++)
			outcome = sample_nothing(self, &before, &nothing,
				beside->launches_per_sample, &samples_ns[i]);
		if (outcome == AT_OUTCOME_OK)
			conditions->empty_ns =
				at_statistics_median(samples_ns, EMPTY_SAMPLES).median;
		if (outcome == AT_OUTCOME_OK && beside->graph_ns > 0)
			graph_time_nothing(self, &before, &nothing,
				&conditions->empty_graph_ns, NULL);
	}
	call_list_release(&before);
	return status;
}
