/*
 * A strategy decides which configurations to try next. It sees the search space and
 * the results of configurations. It must not know kernels, devices, files or clocks.
 *
 *   at_strategy_find("random", &kind, &options, &err);
 *   kind->open(kind, space, options, seed, &strategy, &err);
 *   while (kind->ask(strategy, &index) == AT_ASK_CONFIGURATION)
 *           ... begin it; sooner or later kind->tell(strategy, &told) ...
 *   kind->close(strategy);
 *
 * Several configurations may be in flight, and results arrive in any order. The
 * caller may report configurations that the strategy did not propose (the baseline,
 * recorded ones). The strategy must not propose these afterwards. A proposed
 * configuration without a result was cancelled, because the search is over.
 *
 * The same seed, space, options and sequence of calls give the same sequence of
 * configurations on every machine. The surrogate is an exception: it takes logarithms
 * from the C library, whose last bit may differ.
 *
 * To add a strategy: one file with one struct at_strategy_kind, and one line in
 * search/kinds.h. Threads: one strategy, one thread.
 */
#ifndef AT_SEARCH_STRATEGY_H
#define AT_SEARCH_STRATEGY_H

#include "base/error.h"
#include "base/outcome.h"
#include "space/search_space.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum at_ask {
	AT_ASK_CONFIGURATION = 0, /* *index is what to try next */
	AT_ASK_WAIT, /* nothing to try before the next result arrives */
	AT_ASK_DONE, /* nothing worth trying is left */
};

struct at_told {
	uint64_t index;
	enum at_outcome outcome;
	/* OK: above 0, less is better; every other outcome: INFINITY */
	double cost;
	/* racing dropped it once it could no longer win: `cost` is what was measured
	   until then, and exceeds the best cost at that moment */
	bool is_raced;
};

/* Results of the same configurations from another problem, another device or an older
   source. Costs are comparable only within one prior. */
struct at_prior {
	size_t count;
	const struct at_told *told; /* `count` of them */
	/* similarity to the present search: above 0, up to 1 (the same kernel) */
	double similarity;
};

struct at_strategy_kind;

struct at_strategy {
	const struct at_strategy_kind *kind;
};

struct at_move_rule;

struct at_strategy_kind {
	const char *name;
	const char *summary; /* for --help, one line */
	/*
	 * Opens a strategy of this kind. options: "key=value,key=value" as typed
	 * after the name, or "". An unknown key is an error that names the known
	 * keys. space is borrowed until close().
	 */
	enum at_status (*open)(const struct at_strategy_kind *kind,
		const struct at_search_space *space, const char *options, uint64_t seed,
		struct at_strategy **out, struct at_error *err);
	void (*close)(struct at_strategy *self);
	/*
	 * Called before the first ask, once for each prior, which is copied. A prior
	 * only influences the order: its configurations may still be proposed. NULL:
	 * the strategy ignores priors.
	 */
	enum at_status (*prior)(struct at_strategy *self, const struct at_prior *prior,
		struct at_error *err);
	/* Proposes the next configuration: never one that was already proposed, told
	   or excluded. */
	enum at_ask (*ask)(struct at_strategy *self, uint64_t *index);
	/* Reports a result, which is copied. A later result for the same index
	   replaces it. */
	void (*tell)(struct at_strategy *self, const struct at_told *told);
	/* Excludes a configuration that others are trying: it must not be proposed,
	   and its cost is unknown. Its result may be told later. */
	void (*exclude)(struct at_strategy *self, uint64_t index);
	/* After DONE: a line for the user that says why, static or owned by the
	   strategy. If the result or the function is NULL, everything was tried. */
	const char *(*why_done)(const struct at_strategy *self);
	/* for search/moves.h; NULL for a strategy with its own loop */
	const struct at_move_rule *moves;
};

/* The strategies in the order of their list; NULL after the last. */
const struct at_strategy_kind *at_strategy_kind_at(size_t index);
/* Finds a strategy by a text such as "random" or "random,key=value". *options points
   into text. AT_ENOENT suggests the nearest name. */
enum at_status at_strategy_find(const char *text, const struct at_strategy_kind **kind,
	const char **options, struct at_error *err);
/* Like at_strategy_find(), and also checks the options: AT_EINVAL. */
enum at_status at_strategy_check(const char *text, struct at_error *err);

#endif
