/*
 * The search loop that strategies of moves share: local search, annealing, tabu search,
 * genetic algorithms, differential evolution, swarms. A strategy adds a rule: where to
 * go next, and which result it accepts.
 *
 *   ask:   a start of configurations that lie apart; then the rule proposes. A proposal
 *          that is not taken yet goes out. One that was told costs no evaluation: the
 *          search considers its result at once, and the rule proposes again. After
 *          `attempts` such proposals a random configuration goes out.
 *   tell:  the search considers the result: a walk moves there, or a member of the
 *          population takes it.
 *
 * Several proposals may be out, and results arrive in any order: nothing waits for the
 * slowest member of a generation.
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

/* A member of a population. */
struct at_member {
	struct at_pool_cost at; /* its place */
	uint64_t out; /* its proposal that is out; AT_NO_CONFIGURATION: none */
};

struct at_moves {
	struct at_pooled base;
	struct at_elite elite; /* the best that were told */
	/* a walk: where it is. AT_NO_CONFIGURATION: nothing that passed was told */
	uint64_t current;
	double current_cost;
	/* it goes here whatever the cost; AT_NO_CONFIGURATION: nowhere */
	uint64_t jump;
	size_t looked; /* proposals that went out since it came to `current` */
	/* a population, without members for a walk */
	size_t population; /* the most members */
	struct at_member members[AT_ELITE_MOST];
	size_t member_count;
	size_t next; /* the member of the last proposal */
	size_t start; /* configurations before the first proposal */
	uint16_t *rows[AT_MOVES_ROWS]; /* scratch: parameter_count values each */
	void *memory; /* the rule's, from open(); freed with the strategy */
};

/* How a strategy moves. */
struct at_move_rule {
	size_t bytes; /* of its struct */
	const struct at_search_option *options;
	size_t option_count;
	int attempts; /* of proposals in one ask */
	size_t least; /* the elite that the rule needs for a proposal, at least 1 */
	/* Checks options and allocates `memory`; may be NULL. */
	enum at_status (*open)(struct at_moves *self, struct at_error *err);
	/* The next configuration, taken or not. attempt: how many proposals of this ask
	   were taken. AT_NO_CONFIGURATION: none, a random one goes out. */
	uint64_t (*propose)(struct at_moves *self, int attempt);
	/* Whether a walk moves to a configuration of this cost, which is neither the
	   best nor a jump. NULL: no. */
	bool (*accepts)(struct at_moves *self, double cost);
	/* Called when a member of a population begins at a new place; may be NULL. */
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
/* The member with the least cost; there must be one. */
size_t at_moves_best_member(const struct at_moves *self);

#endif
