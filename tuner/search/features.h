/*
 * A configuration as numbers from 0 to 1, from which a model can learn:
 *
 * - an integer, floating-point or boolean parameter: the rank of its value in its list;
 * - an integer with more than four positive values: also how often 2 divides it, unless
 *   the rank implies this. Alignment and bank conflicts depend on it, and neither the
 *   order nor the size of 48, 64 and 80 shows it;
 * - a word with more than two values: one number for each word, 1 for the present word.
 *
 * A parameter with one value has no feature. Threads: constant once made.
 */
#ifndef AT_SEARCH_FEATURES_H
#define AT_SEARCH_FEATURES_H

#include "space/search_space.h"

enum at_feature_kind {
	AT_FEATURE_VALUE = 0, /* a rank, or whether it is this word */
	AT_FEATURE_TWOS, /* how often 2 divides the value */
};

struct at_features {
	size_t count; /* may be 0: the space has one configuration */
	enum at_feature_kind *kinds; /* one for each feature */
	size_t parameter_count;
	/* for each parameter: its features are first to first + count - 1, with the
	   numbers table[value * count + i] */
	struct at_features_parameter {
		size_t first;
		size_t count;
		float *table;
	} * parameters;
};

/* Copies what it needs of the space. Must be released. */
void at_features_init(struct at_features *self, const struct at_search_space *space);
void at_features_release(struct at_features *self);

/* Writes the features of a configuration: the i-th at features[i * stride]. */
void at_features_write(const struct at_features *self, const uint16_t *configuration,
	float *features, size_t stride);

#endif
