/*
 * The options of a strategy, as typed after its name: "population=20,rate=0.5".
 *
 *   struct at_search_option options[] = {
 *           { "population", .whole = &self->population, .low = 2, .high = 256 },
 *           { "rate", .real = &self->rate, .low = 0, .high = 1 },
 *           { "neighbours", .word = &self->neighbours, .words = neighbour_words },
 *           { "arms", .set = &self->arms, .words = arm_words },
 *   };
 *   self->population = 20; ... the defaults ...
 *   at_search_options_parse("genetic", text, options, AT_COUNT_OF(options), &err);
 *
 * Threads: pure.
 */
#ifndef AT_SEARCH_OPTIONS_H
#define AT_SEARCH_OPTIONS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* One option. Exactly one of whole, real, word and set points to the place for the
   value, which holds the default before. */
struct at_search_option {
	const char *key;
	size_t *whole;
	double *real;
	size_t *word; /* becomes the index of one of the words */
	uint32_t *set; /* "this+that": a bit for each of the words, 32 at most */
	const char *const *words; /* NULL behind the last */
	double low, high; /* for whole and real: the least and the largest value */
};

/*
 * Reads text: "key=value,key=value" or "". AT_EINVAL names the strategy, what is wrong
 * and what is known: a key that is not in the list or comes twice; a value that is no
 * number, out of its range, or none of the words.
 */
enum at_status at_search_options_parse(const char *strategy, const char *text,
	const struct at_search_option *options, size_t count, struct at_error *err);

#endif
