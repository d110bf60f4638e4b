/* The generator xoshiro256**, and its seeding. */
#include "base/random.h"

#include <assert.h>
#include <math.h>

static uint64_t splitmix64(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static uint64_t rotate_left(uint64_t value, int count)
{
	return (value << count) | (value >> (64 - count));
}

void at_random_init(struct at_random *self, uint64_t seed)
{
	/* As its authors advise: similar seeds give different states, and never the
	   all-zero state, which xoshiro would never leave. */
	for (int i = 0; i < 4; i++)
		self->state[i] = splitmix64(&seed);
}

uint64_t at_random_next(struct at_random *self)
{
	uint64_t *s = self->state;
	uint64_t result = rotate_left(s[1] * 5, 7) * 9;
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate_left(s[3], 45);
	return result;
}

uint64_t at_random_below(struct at_random *self, uint64_t bound)
{
	uint64_t refuse, value;

	assert(bound > 0);
	/* 2^64 mod bound: without this many values, the number of the others is a
	   multiple of the bound, so all results are equally frequent. */
	refuse = (0 - bound) % bound;
	do
		value = at_random_next(self);
	while (value < refuse);
	return value % bound;
}

double at_random_unit(struct at_random *self)
{
	return (double)(at_random_next(self) >> 11) * 0x1p-53;
}

/* Box and Muller 1958, "A note on the generation of random normal deviates" */
double at_random_normal(struct at_random *self)
{
	double radius = sqrt(-2 * log(1 - at_random_unit(self)));

	return radius * cos(6.283185307179586 * at_random_unit(self));
}
