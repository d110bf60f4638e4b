/*
 * A strategy that searches one part of a space (at_search_space_part()), seen from
 * outside as one that searches the whole: it is asked and told in the whole's indices,
 * and what is told of other parts does not reach it. So whoever tunes a part has
 * baseline and recorded winner, which may lie in other parts, beside it.
 *
 * Threads: as of strategies.
 */
#ifndef AT_SEARCH_PART_H
#define AT_SEARCH_PART_H

#include "search/strategy.h"

/* Which of several that together search a space; none where count is 0. */
struct at_part {
	uint64_t index; /* below count */
	uint64_t count;
};

/*
 * The whole is borrowed until close(). *size: how many configurations the part has; of
 * an empty one the strategy is done at once.
 */
enum at_status at_part_strategy_open(const struct at_strategy_kind *kind,
	const struct at_search_space *whole, const struct at_part *part,
	const char *options, uint64_t seed, struct at_strategy **out, uint64_t *size,
	struct at_error *err);

#endif
