/* Is it correct? One launch of a candidate, and what it and others left. */
#ifndef AT_MEASURE_VERIFY_H
#define AT_MEASURE_VERIFY_H

#include "measure/candidate.h"

/* What a launch finds in outputs, scratch and shared memory. */
enum finds {
	FINDS_POISON, /* nothing that a launch left */
	/* what the launch before it left there, of these very buffers if that was its
	   own */
	FINDS_LAST,
	/* what one with the other data left that is right ahead of it */
	FINDS_OTHERS,
};

/* One proof of a candidate. */
struct proof {
	struct staging staging;
	unsigned poison; /* in outputs and scratch before it */
	enum finds finds;
	/* look at the borders too; else a later proof of this candidate has to */
	bool watches_borders;
	/* above 0: time the launch of the kernel, and where it takes longer than this
	   look at the borders, since no other proof will follow */
	double limit_ns;
	double launch_ns; /* out: an upper estimate; 0: not timed, or not to be trusted
			   */
};

/* prepare, kernel, finish from poisoned outputs, and what they left. */
enum at_outcome verify_once(struct at_bench *self, struct candidate *candidate,
	struct proof *proof, struct at_measure_result *result, struct at_error *err);
/* What the last of timed launches left. */
enum at_outcome verify_sampled(struct at_bench *self, struct candidate *candidate,
	bool watches_borders, struct at_measure_result *result, struct at_error *err);
/* The borders alone. */
enum at_outcome verify_borders(
	struct at_bench *self, struct at_measure_result *result, struct at_error *err);

#endif
