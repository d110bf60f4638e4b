/*
 * A round of checks: queue the kernels to be checked, check_begin(), any checks, no
 * argument's twice, check_end(). Then check_result() has the rows.
 */
#ifndef AT_MEASURE_CHECKS_H
#define AT_MEASURE_CHECKS_H

#include "measure/support.h"

/* What is looked at for an argument; each has a row of results. */
enum check {
	CHECK_BEFORE, /* the zone before the data */
	CHECK_BEHIND,
	CHECK_INPUT, /* a row a set: the checksum, and zones */
	CHECK_INPUT_BEFORE = CHECK_INPUT + SETS,
	CHECK_INPUT_BEHIND = CHECK_INPUT_BEFORE + SETS,
	CHECK_EXPECTED = CHECK_INPUT_BEHIND + SETS, /* what the reference gave */
	CHECK_OUTPUT = CHECK_EXPECTED + SETS, /* against what the reference gave */
	CHECK_COUNT
};

/* What the kernel of a check adds to. All zero before it: one fill begins them all. */
struct check_row {
	uint64_t words[7];
};

/* Rows of a bench: at_bench.rows and at_bench.results. */
uint64_t check_row_count(const struct at_bench *self);

void check_begin(struct at_bench *self);
/* before, behind: where the results go */
void check_queue_zones(struct at_bench *self, size_t argument,
	const struct place *place, enum check before, enum check behind);
void check_queue_input(struct at_bench *self, size_t argument, unsigned set);
void check_queue_expected(struct at_bench *self, size_t argument, unsigned set);
/* mask 0: what is expected is not masked (yet) */
void check_queue_output(struct at_bench *self, size_t argument,
	const struct place *actual, const struct place *expected, uint64_t mask,
	struct tolerance tolerance);
/* these three in the output's row, which thus has no other check in the round */
void check_queue_scale(struct at_bench *self, size_t argument,
	const struct place *expected, struct tolerance tolerance);
void check_queue_narrow(struct at_bench *self, size_t argument,
	const struct place *expected, struct at_memory *wide, double scale,
	bool replace);
void check_queue_reach(struct at_bench *self, size_t argument, unsigned set,
	struct at_memory *drawn, bool is_first);
/* Whether the variables are still as they were saved: check_variables_differ(). */
void check_queue_variables(struct at_bench *self, const struct saved_variables *saved);
/* Two trips: the kernels and checks, and the rows back. */
enum at_outcome check_end(struct at_bench *self, struct at_error *err);

const uint64_t *check_result(
	const struct at_bench *self, size_t argument, enum check check);
/* The lowest offset or index at which a check found something. */
uint64_t check_first(const struct at_bench *self, size_t argument, enum check check);
bool check_variables_differ(const struct at_bench *self);

/*
 * Looks for writes into zones in the results of a round. expected: the round was of the
 * reference, which writes there. Says in the result what was written where.
 */
enum at_outcome judge_zones(const struct at_bench *self, struct staging staging,
	bool expected, struct at_measure_result *result);

#endif
