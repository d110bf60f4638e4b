/* Verifies a candidate: one launch, and the comparison of what it and others left. */
#ifndef AT_MEASURE_VERIFY_H
#define AT_MEASURE_VERIFY_H

#include "measure/candidate.h"

/* What a launch finds in outputs, scratch and shared memory when it begins. */
enum finds {
	FINDS_POISON, /* poison: nothing of any earlier launch */
	FINDS_LAST, /* what the previous launch left in these buffers */
	FINDS_OTHERS, /* what a launch on the other set's data left just before */
};

/* One verified launch of a candidate. */
struct verification {
	struct staging staging;
	unsigned poison; /* in outputs and scratch before the launch */
	enum finds finds;
	/* check the zones too; else a later verification of this candidate must */
	bool watches_borders;
	/* Above 0: time the launch of the kernel, and check the zones if it takes
	   longer than this, since no other verification will follow then. */
	double limit_ns;
	/* out: what the launch took at least; 0: not timed, or not known */
	double launch_ns;
};

/* Launches prepare, kernel and finish from restored buffers and checks their output. */
enum at_outcome verify_once(struct at_measure_context *self,
	struct candidate *candidate, struct verification *verification,
	struct at_measure_result *result, struct at_error *err);
/* Checks what the last timed launch left. */
enum at_outcome verify_sampled(struct at_measure_context *self,
	struct candidate *candidate, bool watches_borders,
	struct at_measure_result *result, struct at_error *err);
/* Checks the zones alone. */
enum at_outcome verify_borders(struct at_measure_context *self,
	struct at_measure_result *result, struct at_error *err);

#endif
