/*
 * The search loop of strategies that move: local search, annealing, tabu search,
 * genetic algorithms, differential evolution, swarms. A strategy adds a rule: where
 * to go next, and which result to accept.
 *
 *   ask:   first a start of configurations far apart; then the rule proposes. A free
 *          proposal goes out. A known result costs no evaluation: the search
 *          considers it at once, and the rule proposes again. After `attempts` such
 *          proposals a random configuration goes out.
 *   tell:  the search considers the result: a walk moves there, or a member of the
 *          population takes it.
 *
 * Several proposals may be in flight, and results arrive in any order: the search
 * never waits for the slowest member of a generation.
 *
 * A strategy is one file: a struct that begins with struct at_moves, its options, a
 * rule and a kind with AT_MOVES(rule).
 */
#ifndef AT_SEARCH_MOVES_H
#define AT_SEARCH_MOVES_H

#include "search/pool.h"

#include <math.h>

/* Scratch configurations of a rule. */
#define AT_MOVES_ROWS 5

struct at_member {
	struct at_pool_cost at; /* its present configuration */
	uint64_t out; /* its proposal in flight, or AT_NO_CONFIGURATION */
};

struct at_moves {
	struct at_pooled base;
	struct at_elite elite; /* the best results */
	/* of a walk: its place. AT_NO_CONFIGURATION: no result has passed yet */
	uint64_t current;
	double current_cost;
	/* the walk moves here at any cost; AT_NO_CONFIGURATION: nowhere */
	uint64_t jump;
	size_t looked; /* proposals sent out since the move to `current` */
	/* a population; a walk has no members */
	size_t population; /* the most members */
	struct at_member members[AT_ELITE_MOST];
	size_t member_count;
	size_t next; /* the member of the last proposal */
	size_t start; /* configurations before the first proposal of the rule */
	uint16_t *rows[AT_MOVES_ROWS]; /* scratch: parameter_count values each */
	void *memory; /* the rule's, from open(); freed with the strategy */
};

struct at_move_rule {
	size_t bytes; /* size of the strategy's struct */
	const struct at_search_option *options;
	size_t option_count;
	int attempts; /* proposals in one ask */
	size_t least; /* the least elite from which the rule can propose, at least 1 */
	/* Checks options and allocates `memory`; may be NULL. */
	enum at_status (*open)(struct at_moves *self, struct at_error *err);
	/* The next configuration, taken or not. attempt: how many proposals of this
	   ask were already taken. AT_NO_CONFIGURATION: no proposal, so a random one
	   goes out. */
	uint64_t (*propose)(struct at_moves *self, int attempt);
	/* Whether a walk accepts this cost, for a configuration that is neither the
	   best nor a jump. NULL: no. */
	bool (*accepts)(struct at_moves *self, double cost);
	/* Called when a member restarts at a new place; may be NULL. */
	void (*on_restart)(struct at_moves *self, size_t member);
};

/* The start option of all these strategies. */
/* clang-format off */
#define AT_MOVES_START(type) \
	{ "start", AT_OPTION(type, base.start), AT_START_DEFAULT, NULL, 1, \
		AT_START_MOST }
/* clang-format on */
/* The functions of a strategy with this rule. */
#define AT_MOVES(rule) \
	.moves = &(rule), .open = at_moves_open, .close = at_moves_close, \
	.prior = at_pooled_prior, .ask = at_moves_ask, .tell = at_moves_tell, \
	.exclude = at_pooled_exclude

/* The functions of struct at_strategy_kind. */
enum at_status at_moves_open(const struct at_strategy_kind *kind,
	const struct at_search_space *space, const char *options, uint64_t seed,
	struct at_strategy **out, struct at_error *err);
void at_moves_close(struct at_strategy *strategy);
enum at_ask at_moves_ask(struct at_strategy *strategy, uint64_t *index);
void at_moves_tell(struct at_strategy *strategy, const struct at_told *told);

/* Moves a walk. */
void at_moves_go(struct at_moves *self, struct at_pool_cost to);
/* The member with the least cost; the population must not be empty. */
size_t at_moves_best_member(const struct at_moves *self);

#endif
