/*
 * Before each timed launch the tool restores all places in which a kernel could keep
 * results, as far as it knows them: outputs, scratch, variables of the module. It does
 * not know all: unset shared memory and local arrays hold what the last launch left
 * there, the heap of malloc() belongs to the driver, and on a processor there are
 * files. A kernel that keeps its results there, looked up by all of its input, is right
 * in any proof, and only the look-up would be timed, since timed launches use just two
 * sets of data.
 *
 * So a winner is timed on data that it cannot have met, and on the same data again.
 */
#include "measure/unseen.h"
#include "measure/checks.h"
#include "measure/contents.h"
#include "measure/trip.h"
#include "measure/verify.h"

#include <math.h>

/* A first launch that is slower by less than this may be explained by caches, on a
   device that shares cores also by what branch predictors learn, */
#define SLOWER 2.0
#define SLOWER_SHARED 5.0
/* and one by less than this by the time that threads or a board take to wake up. */
#define SLOWER_NS 20000.0
/* Repeated launches; the fastest counts, since others may have waited for a processor.
 */
#define LAUNCHES_AGAIN 3
/* Launches on the other set ahead of the first one: after the pause in which the data
   were made, one thread of a processor may run for milliseconds before the others wake
   up. */
#define LAUNCHES_AHEAD 3

bool unseen_is_slower(
	const struct unseen_times *times, double first_ns, double again_ns)
{
	return first_ns > times->factor * again_ns && first_ns > again_ns + SLOWER_NS;
}

bool unseen_is_kept(const struct unseen_times *times)
{
	return unseen_is_slower(times, times->first_ns, times->fastest_ns) &&
	       (times->near_ns == 0 ||
		       unseen_is_slower(times, times->near_ns, times->fastest_ns));
}

/*
 * Times one launch on a set, behind a launch on the set `before` if that is another
 * one, as in samples. Ahead of the timed launch the inputs are read, since the
 * reference and the kernel that filled them left other parts of them in the caches than
 * a launch does.
 */
static enum at_outcome time_launch(struct at_bench *self, struct candidate *candidate,
	unsigned set, unsigned before, double *time_ns, struct at_error *err)
{
	const struct staging staging = { set, SIDE_END };
	const struct staging other = { before, SIDE_END };
	enum at_outcome outcome = AT_OUTCOME_OK;

	if (candidate->reloads)
		outcome = candidate_reload(self, candidate, err);
	if (outcome != AT_OUTCOME_OK)
		return outcome;
	check_begin(self);
	if (before != set) {
		candidate_list_anew(self, candidate, &self->queue, other);
		call_list_add(&self->queue,
			&candidate->calls[other.set][other.side].kernel.invocation);
	}
	candidate_list_anew(self, candidate, &self->queue, staging);
	for (uint32_t i = 0; i < self->setup->argument_count; i++)
		if (self->setup->arguments[i].access == AT_ACCESS_IN)
			check_queue_input(self, i, set);
	self->is_unwatched = true;
	candidate->last_set = set;
	outcome = self->device->ops->time(self->device, self->queue.calls,
		self->queue.count, &candidate->timed[set], 1, 1, time_ns, err);
	self->queue.count = 0;
	return outcome;
}

enum at_outcome unseen_time(struct at_bench *self, struct candidate *candidate,
	struct at_measure_result *result, struct unseen_times *out,
	struct at_error *err)
{
	double time_ns;
	struct at_error ignored = { 0 };
	unsigned other = self->set_count - 1;
	enum at_outcome outcome = AT_OUTCOME_OK;

	out->fastest_ns = INFINITY;
	out->factor = self->device->info.shares_cores ? SLOWER_SHARED : SLOWER;
	for (unsigned i = 0; i < LAUNCHES_AHEAD && other && outcome == AT_OUTCOME_OK;
		i++)
		outcome = time_launch(self, candidate, other, other, &time_ns, err);
	if (outcome == AT_OUTCOME_OK)
		outcome = time_launch(self, candidate, 0, other, &out->first_ns, err);
	for (uint32_t i = 0; i < LAUNCHES_AGAIN && outcome == AT_OUTCOME_OK; i++) {
		outcome = time_launch(self, candidate, 0, other, &time_ns, err);
		if (outcome == AT_OUTCOME_OK)
			out->fastest_ns = fmin(out->fastest_ns, time_ns);
	}
	if (outcome == AT_OUTCOME_OK)
		outcome = verify_sampled(self, candidate, true, result, err);
	out->near_ns = 0;
	/* the output of this launch is not checked: there is no expectation for it */
	if (outcome == AT_OUTCOME_OK &&
		unseen_is_slower(out, out->first_ns, out->fastest_ns) &&
		bench_jolt(self, 0, &ignored))
		outcome = time_launch(self, candidate, 0, other, &out->near_ns, err);
	return outcome;
}
