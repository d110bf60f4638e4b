/* Times an empty kernel, so that the finals can report what a launch itself costs. */
#include "measure/nothing.h"

#include "measure/graph.h"
#include "measure/statistics.h"
#include "measure/support.h"
#include "measure/trip.h"

/* The samples of the empty kernel: enough for a median in steps of 10 ns. */
#define EMPTY_SAMPLES 11

/* Takes a sample of the empty kernel as sample_once() takes one of a candidate;
 *time_ns: the time of one launch. */
static enum at_outcome sample_nothing(struct at_bench *bench,
	const struct call_list *before, const struct at_invocation *nothing,
	unsigned launches, double *time_ns)
{
	/* with a flush ahead of each launch, each is timed alone */
	unsigned parts = before->count ? launches : 1;
	enum at_outcome outcome = AT_OUTCOME_OK;
	double duration_ns = 0;

	for (unsigned i = 0; i < parts && outcome == AT_OUTCOME_OK; i++) {
		double part_ns = 0;

		outcome = bench->device->ops->time(bench->device, before->calls,
			before->count, nothing, 1, launches / parts, &part_ns, NULL);
		duration_ns += part_ns;
	}
	*time_ns = duration_ns / launches;
	return outcome;
}

enum at_status nothing_time(struct at_bench *self,
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
