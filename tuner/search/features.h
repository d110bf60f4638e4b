/*
 * A configuration as numbers that a model can learn from, each from 0 to 1:
 *
 *   - of an integer, a real or a boolean the rank of its value among the values;
 *   - of an integer with more than four positive values also how often 2 divides it,
 *     unless that says the same: alignment and bank conflicts go by it, and neither
 *     the order nor the size of 48, 64 and 80 shows it;
 *   - of a word with more than two values a number each, 1 where it is that word.
 *
 * A parameter with one value gives none. Threads: constant after it was made.
 */
#ifndef AT_SEARCH_FEATURES_H
#define AT_SEARCH_FEATURES_H

#include "space/search_space.h"

enum at_feature_kind {
	AT_FEATURE_VALUE = 0,
	AT_FEATURE_TWOS, /* how often 2 divides the value */
};

struct at_features {
	size_t count; /* may be 0: there is one configuration */
	enum at_feature_kind *kinds; /* of each */
	size_t parameter_count;
	/* of each parameter: its features are first .. first + count - 1, and
	   table[value * count + i] are their numbers */
	struct at_features_parameter {
		size_t first;
		size_t count;
		float *table;
	} * parameters;
};

/* Nothing of the space is kept. Release it also after a failure. */
enum at_status at_features_init(struct at_features *self,
	const struct at_search_space *space, struct at_error *err);
void at_features_release(struct at_features *self);

/* features[i * stride] gets the i-th. */
void at_features_write(const struct at_features *self, const uint16_t *configuration,
	float *features, size_t stride);

#endif
