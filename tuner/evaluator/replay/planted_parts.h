/*
 * What the files of a planted space share; no other file includes this. planted_space.c
 * makes parameters, configurations and times from a seed; planted.c reads the text that
 * names a space, and makes a recording of it.
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

/* A row of AT_PLANTED_KINDS, which explains the columns. */
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

/* A parameter, and the bowl of the times along it. */
struct parameter {
	enum at_type type;
	size_t count;
	int64_t values[32];
	double centre; /* the rank of the bowl's lowest point, 0 to 1 */
	double depth; /* of the bowl */
	double offsets[8]; /* for words and booleans, in place of the bowl */
};

/* Two parameters that interact: the time is lowest where a weighted sum of their ranks
   is `centre`, a valley that crosses both axes. */
struct pair {
	size_t a, b;
	double slope;
	double centre;
	double depth;
};

/* A limit on a weighted sum of ranks; beyond it the time is higher by `height`. */
struct cliff {
	double weights[PARAMETERS_MAX];
	double limit;
	double height;
};

/* A flag on which other parameters depend: where it is not set, their values change
   nothing. */
struct gate {
	size_t flag; /* a parameter */
	bool is_gated[PARAMETERS_MAX]; /* depends on the flag */
	double off; /* the height where the flag is not set */
};

/* A planted space. */
struct planted {
	/* set by the caller; planted_plant() sets the rest */
	const struct kind *kind;
	uint64_t seed;
	size_t size;
	struct at_random random;
	struct parameter parameters[PARAMETERS_MAX];
	size_t parameter_count;
	int64_t product_limit; /* for the product of the first two parameters */
	struct pair pairs[PAIRS_MAX];
	size_t pair_count;
	struct cliff cliffs[CLIFFS_MAX];
	struct gate gates[GATES_MAX];
	size_t gate_count;
	bool is_pinned; /* a parameter that does not count has only its first value */
	struct cliff failing; /* a configuration above its limit fails */
	uint16_t needle[PARAMETERS_MAX]; /* values at the needle */
	bool is_needle[PARAMETERS_MAX]; /* which three parameters place it */
	/* configurations, parameter_count values each */
	uint16_t *rows;
	size_t count;
	size_t row_capacity;
};

/* Makes the space from kind, seed and size. The caller frees rows. */
enum at_status planted_plant(struct planted *self, struct at_error *err);
/* A nearly normal number: the sum of twelve uniform ones. Its tails end at 6
   deviations, as tails of measured times end somewhere. */
double planted_normal(struct at_random *random);
/* The rank of a value among those of its parameter, from 0 to 1. */
double planted_rank(const struct parameter *parameter, uint16_t value);
/* The weighted sum that is compared with a cliff's limit. */
double planted_weigh(
	const struct planted *self, const struct cliff *cliff, const uint16_t *row);
/* Whether the configuration fails. */
bool planted_fails(const struct planted *self, const uint16_t *row);
/* The natural logarithm of the time, up to a constant. */
double planted_height(const struct planted *self, const uint16_t *row);
/* The time in nanoseconds. lowest: the lowest planted_height() of all that do not
   fail. */
double planted_time(const struct planted *self, const uint16_t *row, double lowest);

#endif
