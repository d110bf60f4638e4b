/*
 * A round of checks: queue the launches to be checked, call check_begin(), queue checks
 * (each kind at most once for an argument), call check_end(). Then check_result() gives
 * the rows of results.
 */
#ifndef AT_MEASURE_CHECKS_H
#define AT_MEASURE_CHECKS_H

#include "measure/support.h"

#include <string.h>

/* The kinds of checks of an argument; each has a row of results. */
enum check {
	CHECK_BEFORE, /* the zone before the data of what kernels write */
	CHECK_BEHIND, /* the zone behind it */
	CHECK_INPUT, /* the checksum of an input; a row for each set */
	CHECK_INPUT_BEFORE = CHECK_INPUT + SETS, /* its zones, likewise */
	CHECK_INPUT_BEHIND = CHECK_INPUT_BEFORE + SETS,
	CHECK_EXPECTED = CHECK_INPUT_BEHIND + SETS, /* checksum of expected output */
	CHECK_OUTPUT = CHECK_EXPECTED + SETS, /* the output against the expected one */
	CHECK_PADDING, /* the padding of rows */
	CHECK_COUNT
};

/* The words to which the kernel of a check adds. check_begin() sets them all to 0. */
struct check_row {
	uint64_t words[7];
};

/* How many rows at_measure_context.rows and at_measure_context.results have. */
uint64_t check_row_count(const struct at_measure_context *self);

/* Makes room in the queue, which is empty, for verifications of so many launches. */
void check_make_room(struct at_measure_context *self, size_t launches);
void check_begin(struct at_measure_context *self);
/* before, behind: the rows for the results */
void check_queue_zones(struct at_measure_context *self, size_t argument,
	const struct place *place, enum check before, enum check behind);
void check_queue_input(struct at_measure_context *self, size_t argument, unsigned set);
/* The same with the zones of the input. */
void check_queue_read_only(
	struct at_measure_context *self, size_t argument, unsigned set);
void check_queue_expected(
	struct at_measure_context *self, size_t argument, unsigned set);
/* Compares `actual` with the expected output; mask 0: that is not masked (yet). */
void check_queue_output(struct at_measure_context *self, size_t argument,
	const struct place *actual, const struct place *expected, uint64_t mask,
	struct tolerance tolerance);
/* These two use the row of the output, which can have no other check in the round. The
   scale of an expected output that is not masked yet; values above tolerance.scale do
   not count, unless that is 0. */
void check_queue_scale(struct at_measure_context *self, size_t argument,
	const struct place *expected, struct tolerance tolerance);
/* Compares the output of the reference in double with the expected output, not masked;
   replace: takes its place, rounded. */
void check_queue_narrow(struct at_measure_context *self, size_t argument,
	const struct place *expected, struct at_memory *wide, double scale,
	double agrees, bool replace);
/* The address of a row, for the kernel of a check. */
struct at_parameter_value check_row(
	const struct at_measure_context *self, size_t argument, enum check check);
/* Compares variables with their saved copies; see check_variables_differ(). */
void check_queue_variables(
	struct at_measure_context *self, const struct saved_variables *saved);
/* Sends launches and checks, then reads the rows back: two trips. */
enum at_outcome check_end(struct at_measure_context *self, struct at_error *err);
/* The same where a failure is no configuration's: "summing the inputs failed: ...". */
enum at_status check_finish(
	struct at_measure_context *self, const char *what, struct at_error *err);

const uint64_t *check_result(
	const struct at_measure_context *self, size_t argument, enum check check);
/* A checksum of the round, of CHECK_INPUT or CHECK_EXPECTED. */
uint64_t check_sum(const struct at_measure_context *self, size_t argument,
	enum check kind, unsigned set);
/* The double that a word of a row holds. */
static inline double check_real(uint64_t word)
{
	double value;

	memcpy(&value, &word, sizeof(value));
	return value;
}
/* The lowest offset or index at which a check found something. */
uint64_t check_first(
	const struct at_measure_context *self, size_t argument, enum check check);
bool check_variables_differ(const struct at_measure_context *self);

/*
 * Looks for writes into zones among the results of a round, and words what was written
 * where in result->detail. expected: the round was that of the reference, which writes
 * to the expected outputs.
 */
enum at_outcome judge_zones(const struct at_measure_context *self,
	struct staging staging, bool expected, struct at_measure_result *result);
/* The same for the padding of rows. */
enum at_outcome judge_padding(
	const struct at_measure_context *self, struct at_measure_result *result);

#endif
