/*
 * A planted space, as its files share it; nobody else includes this. planted_space.c
 * makes it, its configurations and their times from a seed; planted.c reads what is
 * asked for, and makes a recording of it.
 */
#ifndef AT_REPLAY_PLANTED_PARTS_H
#define AT_REPLAY_PLANTED_PARTS_H

#include "base/error.h"
#include "base/random.h"
#include "space/value.h"

#include <stdbool.h>

#define PARAMETERS_MAX 16
#define PAIRS_MAX 6
#define CLIFFS_MAX 4
#define GATES_MAX 2

/* A row of AT_PLANTED_KINDS. */
struct kind {
	const char *name;
	double pairs;
	size_t cliffs;
	double failing;
	double plateau;
	double needle;
	size_t gates;
	double noise;
};

struct parameter {
	enum at_type type;
	size_t count;
	int64_t values[32];
	bool is_power; /* of two */
	double centre; /* of its bowl, 0 to 1 */
	double depth;
	double offsets[8]; /* of words and booleans */
};

/* Two parameters whose sum of ranks is best at `centre`: a valley that is crooked. */
struct pair {
	size_t a, b;
	double slope;
	double centre;
	double depth;
};

struct cliff {
	double weights[PARAMETERS_MAX];
	double limit;
	double height;
};

/* A flag without which what others are set to counts nothing: the time is the same. */
struct gate {
	size_t flag;
	bool is_gated[PARAMETERS_MAX];
	double off; /* the height without it */
};

struct planted {
	/* of whoever asks; the rest is planted_plant()'s */
	const struct kind *kind;
	uint64_t seed;
	size_t size;
	struct at_random random;
	struct parameter parameters[PARAMETERS_MAX];
	size_t parameter_count;
	int64_t product_limit; /* of the first two */
	struct pair pairs[PAIRS_MAX];
	size_t pair_count;
	struct cliff cliffs[CLIFFS_MAX];
	struct gate gates[GATES_MAX];
	size_t gate_count;
	bool is_pinned; /* what does not count has its first value alone */
	struct cliff failing; /* above its limit it fails */
	uint16_t needle[PARAMETERS_MAX]; /* where it is, in three parameters */
	bool is_needle[PARAMETERS_MAX];
	uint16_t *rows;
	size_t count;
	size_t row_capacity;
};

/* All of it by kind, seed and size; rows are the caller's to free. */
enum at_status planted_plant(struct planted *self, struct at_error *err);
/* Nearly normal: the sum of twelve uniform ones. Its tails end at 6, as those of times
   that were measured do somewhere. */
double planted_normal(struct at_random *random);
/* The place of a value among those of its parameter, 0 to 1. */
double planted_rank(const struct parameter *parameter, uint16_t value);
double planted_weigh(
	const struct planted *self, const struct cliff *cliff, const uint16_t *row);
bool planted_fails(const struct planted *self, const uint16_t *row);
/* The logarithm of the time, from some level. */
double planted_height(const struct planted *self, const uint16_t *row);
/* In nanoseconds. lowest: of planted_height(), over all that do not fail. */
double planted_time(const struct planted *self, const uint16_t *row, double lowest);

#endif
