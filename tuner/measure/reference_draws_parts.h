/*
 * Runs of the reference on copies of a set's buffers; private to reference_draws.c,
 * what rounding does to each value, and reference_excuses.c, what it decides.
 */
#ifndef AT_MEASURE_REFERENCE_DRAWS_PARTS_H
#define AT_MEASURE_REFERENCE_DRAWS_PARTS_H

#include "measure/calls.h"

/* No further draw after so long: there are many kinds of data, with draws for each. */
#define DRAWS_NS 3e8
/* The times here are those of a machine that does nothing else, or verdicts would
   depend on its load: as many times the fastest draw. But no more than BUSY times as
   long is waited, for the evaluation has a deadline. */
#define BUSY 2.0

/* How long draws take. */
struct pace {
	uint64_t start_ns;
	double before_ns; /* the last draw's end, since then */
	double least_ns; /* of one draw; only if there was one */
};

struct pace pace_begin(void);
/* Call after each draw. Whether so many draws have taken as long as they may. */
bool pace_is_over(struct pace *self, unsigned draws, double limit_ns);

/* An input of floats or doubles, whose last bit rounding may as well have had
   otherwise. */
bool draws_is_jolted(const struct at_bench *self, size_t argument);
/* Makes a copy of each buffer of the reference, and with_reach memory for the reach.
   NULL: there is no room. */
struct at_memory **draws_make_copies(
	struct at_bench *self, unsigned set, bool with_reach);
/* NULL is allowed. */
void draws_free_copies(struct at_bench *self, struct at_memory **copies);
/* Lists the calls that fill the copies for a draw: inputs, nudged but for draw 0, and
   poisoned outputs. */
void draws_list_copies(
	struct at_bench *self, unsigned set, struct at_memory **copies, unsigned draw);
/* Chooses how the results of a reference with random roundings are rounded. False: it
   cannot be. */
bool draws_round(struct at_bench *self, struct at_module *module, uint32_t draw,
	struct at_error *err);

/* What to do with the reference bound to the copies. False: it failed. */
typedef bool (*take_draws)(struct at_bench *self, unsigned set,
	struct at_module *module, const struct bound_call *call,
	struct at_memory **copies, void *context, struct at_error *err);

/* Loads the reference, of random roundings if is_rounded, and takes draws of it. False:
   it or `take` failed. */
bool draws_run(struct at_bench *self, unsigned set, bool is_rounded,
	struct at_memory **copies, take_draws take, void *context,
	struct at_error *err);

#endif
