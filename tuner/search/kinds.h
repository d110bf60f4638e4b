/* The strategies that search/registry.c lists, and what their files share. */
#ifndef AT_SEARCH_KINDS_H
#define AT_SEARCH_KINDS_H

#include "search/strategy.h"

#include <stdbool.h>

extern const struct at_strategy_kind at_strategy_auto;
extern const struct at_strategy_kind at_strategy_exhaustive;
extern const struct at_strategy_kind at_strategy_random;
extern const struct at_strategy_kind at_strategy_surrogate;
extern const struct at_strategy_kind at_strategy_local;
extern const struct at_strategy_kind at_strategy_annealing;
extern const struct at_strategy_kind at_strategy_tabu;
extern const struct at_strategy_kind at_strategy_genetic;
extern const struct at_strategy_kind at_strategy_differential;
extern const struct at_strategy_kind at_strategy_swarm;
extern const struct at_strategy_kind at_strategy_bandit;

/*
 * A set of configurations: those that are not to be asked for any more. It costs
 * memory by what is in it, at most 32 bytes each, whatever the size of the space.
 */
struct at_tried {
	uint64_t *slots;
	size_t slot_count; /* a power of two */
	size_t count;
	/* memory ran out, and something that was set is missing: whoever must not ask
	   for anything twice has to say AT_ASK_DONE, and why */
	bool failed;
};

/* What why_done() may say of a set that failed. */
extern const char at_tried_failure[];

enum at_status at_tried_init(struct at_tried *self, struct at_error *err);
void at_tried_release(struct at_tried *self);
bool at_tried_test(const struct at_tried *self, uint64_t index);
/* An index that is in it already stays. */
void at_tried_set(struct at_tried *self, uint64_t index);

/* For strategies without options: any text is an error. */
enum at_status at_strategy_no_options(
	const char *name, const char *options, struct at_error *err);

#endif
