/* Fills the inputs, set by set, and makes the expected outputs that belong to them. */
#ifndef AT_MEASURE_CONTENTS_H
#define AT_MEASURE_CONTENTS_H

#include "measure/bench_parts.h"

/* The least alignment that kernels need, in bytes: that of the widest loads and stores
   of a thread, and of bulk copies. */
#define ALIGNMENT_LEAST 32u

/* Fills the sets of a new bench with what the space declares. */
enum at_status contents_begin(struct at_measure_context *self, struct at_error *err);
/* Makes the expectations of all sets. AT_EINVAL as reference_run(). */
enum at_status contents_expect(struct at_measure_context *self, struct at_error *err);
/* Fills an input of a set, gives it zones with another byte, and makes it read-only. */
enum at_status contents_fill(struct at_measure_context *self, size_t argument,
	unsigned set, struct at_error *err);

/*
 * Gives a set other contents and makes its expected outputs. AT_ENOENT: none exist,
 * as the reference's output cannot be compared; the set must then be given other
 * contents before it is used.
 */
enum at_status bench_use_data(struct at_measure_context *self, unsigned set,
	const struct at_data *data, struct at_error *err);
/* Gives the sets the contents that the space declares, if a verification gave them
 * others. */
enum at_status bench_settle(struct at_measure_context *self, struct at_error *err);
/*
 * From the next bench_use_data() of set 0 on until bench_settle(), variables into which
 * inputs are copied get other contents, too. That holds for set 0 alone, and for
 * modules whose symbols are set after it. False: no such variable may change.
 */
bool bench_vary_symbols(struct at_measure_context *self);
/*
 * Changes nearly all numbers of a set's inputs a little, in place, so that a kernel
 * takes nearly the same branches on them. The expected outputs stay those of the old
 * inputs: call bench_use_data() before anything is compared. False: there is no such
 * input, or nothing was changed.
 */
bool bench_jolt(struct at_measure_context *self, unsigned set, struct at_error *err);
/* Swaps contents and expectations of the two sets: other data at the same addresses. */
enum at_status bench_exchange(struct at_measure_context *self, struct at_error *err);
/* Moves data that ends at the end of its pages as near to it as `alignment` allows. */
enum at_status bench_align(
	struct at_measure_context *self, uint64_t alignment, struct at_error *err);

/* The data that the space declares for a set, from a seed. */
struct at_data contents_declared(uint64_t seed, unsigned set);

#endif
