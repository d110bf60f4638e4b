/* What the files of proof.h share. */
#ifndef AT_MEASURE_PROOF_PARTS_H
#define AT_MEASURE_PROOF_PARTS_H

#include "measure/candidate.h"
#include "measure/verify.h"

/* A proof that is under way. */
struct trial {
	struct at_bench *bench;
	struct candidate *candidate;
	const struct at_measure_request *request;
	struct at_measure_result *result;
	uint64_t start_ns;
	unsigned round; /* of launches so far: each begins with other garbage */
	double launch_ns; /* work of the last launch with its checks */
	double least_launch_ns; /* the same of the quickest so far */
	unsigned patterns; /* of data, that the kernel has stood so far */
	double least_pattern_ns; /* how long the quickest of them took */
};

/* One launch with all checks. */
enum at_outcome trial_launch(struct trial *self, struct staging staging,
	enum finds finds, struct at_error *err);

/* proof_crowded.c: launches beside a filler, and with a block that is late. */
enum at_outcome trial_crowd(struct trial *self, struct at_error *err);

#endif
