/*
 * A strategy decides which configurations to try next. It sees the search space, what
 * became of configurations, and nothing else: no kernels, no devices, no files, no
 * clock.
 *
 *   at_strategy_find("random", &kind, &options, &err);
 *   kind->open(space, options, seed, &strategy, &err);
 *   while (kind->ask(strategy, &index) == AT_ASK_CONFIGURATION)
 *           ... begin it; sooner or later kind->tell(strategy, &told) ...
 *   kind->close(strategy);
 *
 * Asking runs ahead of telling: several configurations may be out at once, and answers
 * come in any order. A strategy may be told of configurations that it never asked for
 * (the baseline, what was recorded before), and must not ask for those again. What was
 * asked for and is never told was called off: the search is over.
 *
 * The same seed, space, options and sequence of calls give the same sequence of
 * configurations. On another machine too, but for strategies that say so: the surrogate
 * takes logarithms from the C library, whose last bit may differ.
 *
 * To add a strategy: one file with one struct at_strategy_kind, one line in
 * search/registry.c. Threads: one strategy, one thread.
 */
#ifndef AT_SEARCH_STRATEGY_H
#define AT_SEARCH_STRATEGY_H

#include "base/error.h"
#include "base/outcome.h"
#include "kernel/facts.h"
#include "space/search_space.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum at_ask {
	AT_ASK_CONFIGURATION = 0, /* *index is what to try next */
	AT_ASK_WAIT, /* nothing more before something that is out is told */
	AT_ASK_DONE, /* nothing more to try, or not worth it */
};

/* What became of a configuration. */
struct at_told {
	uint64_t index;
	enum at_outcome outcome;
	/* of OK: what it costs, above 0, the less the better; INFINITY for every other
	 */
	double cost;
	/* the interval that holds it; both `cost` where it is not known */
	double cost_low;
	double cost_high;
	/* it was dropped as soon as it was clear that it cannot win: `cost` is what was
	   seen until then, no measurement; it costs more than the best of its time */
	bool is_raced;
	/* what the compiler and the launch make of it; NULL: not known. Borrowed. */
	const struct at_facts *facts;
	/* seconds that it took to compile, on one core, and to measure; NAN: not known
	 */
	double compile_seconds;
	double measure_seconds;
};

/*
 * What is known of the same configurations from elsewhere: another problem, another
 * device, an older source. Costs compare within one prior, and with nothing else.
 */
struct at_prior {
	size_t count;
	const struct at_told *told;
	/* above 0 to 1: how much it is like what is searched now; 1: the same kernel */
	double likeness;
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
	/*
	 * Before the first ask, once for each prior; copied. A prior biases: none of
	 * its configurations is excluded by it. NULL: this strategy makes nothing of
	 * it.
	 */
	enum at_status (*prior)(struct at_strategy *self, const struct at_prior *prior,
		struct at_error *err);
	/* Never the same index twice; never one that was told or excluded. */
	enum at_ask (*ask)(struct at_strategy *self, uint64_t *index);
	/* Copied. The same index may be told again: the last one counts. */
	void (*tell)(struct at_strategy *self, const struct at_told *told);
	/* It is tried by others: not to be asked for, and nothing is known yet of what
	   it costs. It may be told later. */
	void (*exclude)(struct at_strategy *self, uint64_t index);
	/* After DONE: one line that says why, for people; static or the strategy's own.
	   NULL: everything was tried. */
	const char *(*why_done)(const struct at_strategy *self);
};

/* NULL after the last. */
const struct at_strategy_kind *at_strategy_kind_at(size_t index);
/*
 * "random" or "random,key=value": *options points into text. AT_ENOENT suggests the
 * nearest.
 */
enum at_status at_strategy_find(const char *text, const struct at_strategy_kind **kind,
	const char **options, struct at_error *err);
/* The same, and whether its options would do: AT_EINVAL. */
enum at_status at_strategy_check(const char *text, struct at_error *err);

#endif
