/* A loaded configuration: its calls, and what goes ahead of those that are timed. */
#ifndef AT_MEASURE_CANDIDATE_H
#define AT_MEASURE_CANDIDATE_H

#include "measure/calls.h"
#include "measure/support.h"

/* What a configuration launches, on one staging. */
struct bound_calls {
	struct bound_call kernel;
	struct bound_call prepare; /* .invocation.kernel NULL: none */
	struct bound_call finish;
};

struct candidate {
	const struct at_measure_request *request;
	struct at_module *module;
	struct bound_calls calls[SETS][SIDE_COUNT]; /* those that are bound */
	struct call_list before[SETS]; /* what goes ahead of a timed launch */
	/* the timed launches of all sets in turns, from any of them on */
	struct at_invocation timed[2 * SETS];
	unsigned next_set; /* of the next timed launch */
	unsigned last_set; /* of the last launch of all */
	/* what its module keeps from launch to launch, as it was when loaded */
	struct saved_variables saved;
	/* launches have changed it: ahead of those that are timed it is put back */
	bool keeps_state;
	/* it has variables that cannot be put back: timed launches begin by loading it
	 */
	bool reloads;
};

/*
 * Whatever it gives, release it, after which the device may be lost. Scratch must fit
 * already, since the calls keep its address.
 */
enum at_outcome candidate_load(struct at_bench *self,
	const struct at_measure_request *request, struct candidate *out,
	struct at_error *err);
/* Its calls with the places as they are now: after any of them has moved. */
enum at_status candidate_bind(
	struct at_bench *self, struct candidate *candidate, struct at_error *err);
/* Its module as it was when it was loaded first. */
enum at_outcome candidate_reload(
	struct at_bench *self, struct candidate *candidate, struct at_error *err);
/* Lists anew what goes ahead of timed launches: after keeps_state has changed. */
void candidate_list(struct at_bench *self, struct candidate *candidate);
/* Lists all as it was before the very first launch, except for the cache. */
void candidate_list_anew(struct at_bench *self, struct candidate *candidate,
	struct call_list *list, struct staging staging);
/* Every timed launch has to be alone: with its own things ahead of it. */
bool candidate_is_alone(const struct at_bench *self, const struct candidate *candidate);
void candidate_release(struct at_bench *self, struct candidate *candidate);

#endif
