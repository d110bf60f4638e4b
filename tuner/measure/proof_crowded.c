/* Launches of a winner while a filler occupies multiprocessors: with few for itself,
   and with one block that finds no room until late. */
#include "measure/proof_parts.h"
#include "measure/calls.h"
#include "measure/support.h"
#include "base/memory.h"

#include <stdio.h>

/* A kernel that takes longer than this is not crowded: on two multiprocessors it would
   take many seconds. */
#define CROWD_NS 20000000.0
/* The time limit of a crowded launch: so many times what its share of the device
   explains, and this much more. Only a kernel that never ends is to be caught, and
   another process may be using the board. */
#define CROWD_SLOWER 8
#define CROWD_LEAST_NS 300000000.0
/* A launch has begun after less than this, counted from the call on. */
#define LATE_NS 200000u

/*
 * A launch of which one block begins when all others have had the time to end. What
 * waits for all but a few blocks, or for none, where it should wait for all, goes on
 * without that one.
 */
static enum at_outcome prove_late(
	struct trial *self, double launch_ns, struct at_error *err)
{
	struct at_bench *bench = self->bench;
	const struct staging staging = { 0, SIDE_END };
	const struct at_kernel *kernel =
		self->candidate->calls[staging.set][staging.side]
			.kernel.invocation.kernel;
	uint64_t hold_ns = LATE_NS + (uint64_t)launch_ns;
	struct at_error reason = { 0 };
	enum at_outcome outcome;

	/* what is impossible is not claimed: see trial_crowd() */
	if (support_hold_back(bench, kernel, hold_ns, &reason))
		return AT_OUTCOME_OK;
	outcome = trial_launch(self, staging, FINDS_POISON, err);
	if (!bench->device->is_lost)
		support_hold_back(bench, NULL, 0, &reason);
	return outcome;
}

/*
 * Launches on half of the multiprocessors, and on two. A kernel that needs all of its
 * blocks to be resident at once does not end; one that relies on the order of its
 * blocks may give wrong results.
 */
enum at_outcome trial_crowd(struct trial *self, struct at_error *err)
{
	struct at_bench *bench = self->bench;
	const enum at_property count = AT_PROPERTY_MULTIPROCESSOR_COUNT;
	const struct at_properties *properties = &bench->device->info.properties;
	const double launch_ns = self->launch_ns; /* on the whole device */
	double limit_ns;
	unsigned all =
		properties->known[count] ? (unsigned)properties->value[count] : 0;
	const unsigned taken[] = { all / 2, all - 2 };
	struct at_error reason = { 0 };
	enum at_outcome outcome = AT_OUTCOME_OK;

	/* the quickest launch tells how long the kernel takes where others use the
	   board as well, and the last one how long to wait for it there */
	if (!bench->device->ops->crowd || all < 4 || self->least_launch_ns > CROWD_NS)
		return AT_OUTCOME_OK;
	for (size_t i = 0; i < AT_COUNT_OF(taken) && outcome == AT_OUTCOME_OK; i++) {
		/* the fewer multiprocessors are left, the longer it may take */
		limit_ns = CROWD_SLOWER * self->launch_ns * all / (all - taken[i]) +
			   CROWD_LEAST_NS;
		/* where crowding is impossible the proof does not claim it */
		if (support_crowd(bench, taken[i], (uint64_t)limit_ns, &reason))
			return AT_OUTCOME_OK;
		outcome = trial_launch(self,
			(struct staging){ (unsigned)i % bench->set_count, SIDE_END },
			FINDS_POISON, err);
		if (outcome == AT_OUTCOME_TIMED_OUT)
			snprintf(self->result->detail, sizeof(self->result->detail),
				"beside another kernel, on %u of %u multiprocessors, it did not end: it needs all its blocks to run at once",
				all - taken[i], all);
		if (!bench->device->is_lost)
			support_crowd(bench, 0, 0, &reason);
	}
	if (outcome == AT_OUTCOME_OK)
		outcome = prove_late(self, launch_ns, err);
	self->result->proved.crowded = outcome == AT_OUTCOME_OK;
	return outcome;
}
