/*
 * A strategy that searches one part of a space (at_search_space_part()) but looks
 * like a strategy for the whole space: its indices are those of the whole, and
 * results from other parts do not reach it. So the tuning of a part can still
 * evaluate the baseline and the recorded winner, which may lie in other parts.
 *
 * Threads: as strategies.
 */
#ifndef AT_SEARCH_PART_H
#define AT_SEARCH_PART_H

#include "search/strategy.h"

/* One of `count` parts that together make up a space; count 0: no parts. */
struct at_part {
	uint64_t index; /* below count */
	uint64_t count;
};

/* Opens a strategy on a part; `whole` is borrowed until close(). *size: the number of
   configurations in the part. For an empty part ask() returns DONE at once. */
enum at_status at_part_strategy_open(const struct at_strategy_kind *kind,
	const struct at_search_space *whole, const struct at_part *part,
	const char *options, uint64_t seed, struct at_strategy **out, uint64_t *size,
	struct at_error *err);

#endif
