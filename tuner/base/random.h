/*
 * Seeded random numbers, the same on every machine: xoshiro256** (Blackman and
 * Vigna 2021, "Scrambled Linear Pseudorandom Number Generators"), seeded by
 * SplitMix64. Not for secrets. Threads: one generator, one thread.
 */
#ifndef AT_BASE_RANDOM_H
#define AT_BASE_RANDOM_H

#include <stdint.h>

struct at_random {
	uint64_t state[4];
};

void at_random_init(struct at_random *self, uint64_t seed);
uint64_t at_random_next(struct at_random *self);
/* Uniform in [0, bound), without bias; bound must not be 0. */
uint64_t at_random_below(struct at_random *self, uint64_t bound);
/* Uniform in [0, 1): a multiple of 2^-53, exact on every machine. */
double at_random_unit(struct at_random *self);
/* Standard normal; consumes two numbers. */
double at_random_normal(struct at_random *self);

#endif
