/*
 * A strategy decides which configurations to try next. It sees configurations
 * and costs, nothing else: no kernels, no devices, no files, no clock.
 *
 *   at_strategy_find("random", &kind, &err);
 *   kind->open(&space, options, seed, &strategy, &err);
 *   while (strategy->kind->ask(strategy, &index) ...) ... tell(...)
 *   strategy->kind->close(strategy);
 *
 * Asking runs ahead of telling: several configurations may be out at once, and
 * answers come in any order. The caller has its own record of what was tried; a
 * strategy may be told of configurations it never asked for (the baseline, what
 * was recorded before) and must not ask for those again.
 *
 * To add a strategy: one file with one struct at_strategy_kind, one line in
 * search/registry.c. Threads: one strategy, one thread.
 */
#ifndef AT_SEARCH_STRATEGY_H
#define AT_SEARCH_STRATEGY_H

#include "base/error.h"
#include "space/enumerate.h"

#include <stddef.h>
#include <stdint.h>

struct at_search_space {
	/* the valid configurations; an index is a row of it */
	const struct at_configurations *configurations;
	/* how many values each parameter has */
	const size_t *value_counts;
};

enum at_ask {
	AT_ASK_CONFIGURATION = 0, /* *index is what to try next */
	AT_ASK_WAIT, /* nothing more before something that is out is told */
	AT_ASK_DONE, /* nothing more to try */
};

struct at_strategy_kind;

struct at_strategy {
	const struct at_strategy_kind *kind;
};

struct at_strategy_kind {
	const char *name;
	const char *summary; /* for --help, one line */
	/*
	 * options: "key=value,key=value" as typed after the name, or "". Unknown
	 * keys are errors that name the known. space is borrowed until close().
	 */
	enum at_status (*open)(const struct at_search_space *space, const char *options,
		uint64_t seed, struct at_strategy **out, struct at_error *err);
	void (*close)(struct at_strategy *self);
	/* Never the same index twice; never one that was told. */
	enum at_ask (*ask)(struct at_strategy *self, size_t *index);
	/* What it costs, the less the better; INFINITY for every outcome but ok. */
	void (*tell)(struct at_strategy *self, size_t index, double cost);
	/* It is tried by others, or was: not to be asked for, and nothing is known of
	   what it costs. It may be told later. */
	void (*exclude)(struct at_strategy *self, size_t index);
};

/* NULL after the last. */
const struct at_strategy_kind *at_strategy_kind_at(size_t index);
/*
 * "random" or "random,key=value": *options points into text. "auto" is a name
 * too: "exhaustive" where the budget (0: none) covers the space, else "random".
 * AT_ENOENT suggests the nearest.
 */
enum at_status at_strategy_find(const char *text, uint64_t configuration_count,
	uint64_t budget_evaluations, const struct at_strategy_kind **kind,
	const char **options, struct at_error *err);

#endif
