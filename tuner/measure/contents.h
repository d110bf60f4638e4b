/* What inputs hold, set by set, and with it what is expected of outputs. */
#ifndef AT_MEASURE_CONTENTS_H
#define AT_MEASURE_CONTENTS_H

#include "measure/bench_parts.h"

/* what no kernel can do without: the widest loads and stores of a thread, a bulk copy
 */
#define ALIGNMENT_LEAST 32u

/* Fills the sets of a new bench with what the space declares. */
enum at_status contents_begin(struct at_bench *self, struct at_error *err);
/* Makes the expectations of all sets. AT_EINVAL as reference_run(). */
enum at_status contents_expect(struct at_bench *self, struct at_error *err);
/* Gives an input of a set its contents, in zones of their own, and makes it read-only.
 */
enum at_status contents_fill(
	struct at_bench *self, size_t argument, unsigned set, struct at_error *err);

/*
 * Gives a set other contents, and makes its expectation. AT_ENOENT: there is none, as
 * the reference gave numbers that cannot be compared; what the set holds is then of no
 * use until it is given others.
 */
enum at_status bench_use_data(struct at_bench *self, unsigned set,
	const struct at_data *data, struct at_error *err);
/* Gives the sets what the space declares, where a proof gave them other contents. */
enum at_status bench_settle(struct at_bench *self, struct at_error *err);
/*
 * From the next bench_use_data() of set 0 on, until bench_settle(), variables that
 * inputs are copied into have other contents: of that set alone, and of modules whose
 * symbols are set after it. False: none of them may have any.
 */
bool bench_vary_symbols(struct at_bench *self);
/*
 * Nearly all numbers of a set's inputs become others that are close by, in place, so
 * that a kernel takes nearly the same turns on them. What is expected stays that of the
 * ones before: another bench_use_data() has to come. False: there are none, or they
 * were not changed.
 */
bool bench_jolt(struct at_bench *self, unsigned set, struct at_error *err);
/* Two sets trade contents and expectations: other data at the same addresses. */
enum at_status bench_exchange(struct at_bench *self, struct at_error *err);
/* Lets what is fitted to the ends of its pages end there as exactly as `alignment`. */
enum at_status bench_align(
	struct at_bench *self, uint64_t alignment, struct at_error *err);

/* What the space declares for a set, from a seed. */
struct at_data contents_declared(uint64_t seed, unsigned set);

#endif
