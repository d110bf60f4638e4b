/*
 * A strategy decides which configurations to try next. It sees the search space and the
 * results of configurations, and nothing else: no kernels, no devices, no files, no
 * clock.
 *
 *   at_strategy_find("random", &kind, &options, &err);
 *   kind->open(kind, space, options, seed, &strategy, &err);
 *   while (kind->ask(strategy, &index) == AT_ASK_CONFIGURATION)
 *           ... begin it; sooner or later kind->tell(strategy, &told) ...
 *   kind->close(strategy);
 *
 * Several configurations may be out at once, and results may be told in any order. A
 * strategy may be told of configurations that it never asked for (the baseline,
 * recorded ones), and must not ask for those afterwards. A configuration that was asked
 * for and is never told was cancelled: the search is over.
 *
 * The same seed, space, options and sequence of calls give the same sequence of
 * configurations, also on another machine. The surrogate is an exception: it takes
 * logarithms from the C library, whose last bit may differ.
 *
 * To add a strategy: one file with one struct at_strategy_kind, one line in
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

/* The answer of ask(). */
enum at_ask {
	AT_ASK_CONFIGURATION = 0, /* *index is what to try next */
	AT_ASK_WAIT, /* nothing more before a result of one that is out arrives */
	AT_ASK_DONE, /* nothing is left to try, or it is not worth it */
};

/* The result of a configuration. */
struct at_told {
	uint64_t index;
	enum at_outcome outcome;
	/* OK: what it costs, above 0, less is better; every other outcome: INFINITY */
	double cost;
	/* it was dropped as soon as it was clear that it cannot win: `cost` is only
	   what was seen until then, and more than the best cost of that moment */
	bool is_raced;
};

/* What is known of the same configurations from elsewhere: another problem, another
   device, an older source. Costs are comparable only within one prior. */
struct at_prior {
	size_t count;
	const struct at_told *told; /* count of them */
	/* how similar it is to what is searched now: above 0, up to 1, which is the
	   same kernel */
	double likeness;
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
	 * Opens a strategy of this kind; options: "key=value,key=value" as typed behind
	 * the name, or "". Unknown keys are errors that name the known ones. space is
	 * borrowed until close().
	 */
	enum at_status (*open)(const struct at_strategy_kind *kind,
		const struct at_search_space *space, const char *options, uint64_t seed,
		struct at_strategy **out, struct at_error *err);
	void (*close)(struct at_strategy *self);
	/*
	 * Called before the first ask, once for each prior, which is copied. A prior
	 * only influences the order: its configurations may still be asked for. NULL:
	 * the strategy makes no use of priors.
	 */
	enum at_status (*prior)(struct at_strategy *self, const struct at_prior *prior,
		struct at_error *err);
	/* The next configuration: never the same twice, never one that was told or
	   excluded. */
	enum at_ask (*ask)(struct at_strategy *self, uint64_t *index);
	/* Tells a result, which is copied. If an index comes again, the last result
	   counts. */
	void (*tell)(struct at_strategy *self, const struct at_told *told);
	/* Excludes a configuration that others are trying: it must not be asked for,
	   and its cost is not known yet. It may be told later. */
	void (*exclude)(struct at_strategy *self, uint64_t index);
	/* After DONE: one line for people that says why, static or the strategy's own.
	   NULL: everything was tried, and so for a strategy without this function. */
	const char *(*why_done)(const struct at_strategy *self);
	/* for search/moves.h; NULL for strategies with a loop of their own */
	const struct at_move_rule *moves;
};

/* The strategies in the order of their list; NULL behind the last. */
const struct at_strategy_kind *at_strategy_kind_at(size_t index);
/* Finds a strategy by a text like "random" or "random,key=value"; *options points into
   text. AT_ENOENT suggests the nearest name. */
enum at_status at_strategy_find(const char *text, const struct at_strategy_kind **kind,
	const char **options, struct at_error *err);
/* The same, and also checks the options: AT_EINVAL. */
enum at_status at_strategy_check(const char *text, struct at_error *err);

#endif
