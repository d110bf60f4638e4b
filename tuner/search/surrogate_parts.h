/*
 * The parts of the surrogate strategy: what was seen (surrogate_seen.c), the models and
 * what they promise (surrogate_model.c), which configurations are likely to fail
 * (surrogate_failures.c), and what is known from elsewhere (surrogate_elsewhere.c).
 * Private to surrogate*.c. Threads: one, as a strategy.
 */
#ifndef AT_SEARCH_SURROGATE_PARTS_H
#define AT_SEARCH_SURROGATE_PARTS_H

#include "base/hash_index.h"
#include "search/features.h"
#include "search/gaussian.h"
#include "search/pool.h"

/* How many models' expectations are averaged: other draws of weights fit the results as
   well, and expect other things. */
#define AT_SURROGATE_MODELS 3
/* In larger spaces only some candidates are scored. */
#define AT_SURROGATE_WHOLE_MOST 20000
/* The most observations of a model, including those whose cost is pending. */
#define AT_SURROGATE_OBSERVED_MOST 336
/* The most observations by which weights are drawn: weights need fewer than the means
   do. */
#define AT_SURROGATE_FIT_MOST 160
/* Proposals in each draw of weights. With fewer they stay where they were; more change
   nothing that recordings show. */
#define AT_SURROGATE_PROPOSALS 60
/* How many candidates are scored in a larger space: random ones, some around the best,
   and some around those that are promising at the moment. */
#define AT_SURROGATE_RANDOM_CANDIDATES 2048
#define AT_SURROGATE_NEAR_CANDIDATES 1536
#define AT_SURROGATE_CLIMBING_CANDIDATES 512
/* Before so many are told it does not stop; see surrogate.c for both. */
#define AT_SURROGATE_STOP_LEAST 192
#define AT_SURROGATE_STOP_MORE 96

/* What is known of a configuration. */
enum at_surrogate_state {
	AT_SURROGATE_OUT = 0, /* asked for or excluded, not told */
	AT_SURROGATE_OK,
	AT_SURROGATE_FAILED,
};

/* A configuration that was asked for, told or excluded. */
struct at_surrogate_seen {
	uint64_t index;
	enum at_surrogate_state state;
	double cost; /* OK */
	/* the log-rank that the models expected when it was asked for; NAN: no model
	   was asked */
	double expected;
	double failing; /* the likelihood of failure then; 0 without a model */
};

struct at_surrogate {
	struct at_pooled base; /* first member: what is taken, and random draws */
	size_t start;

	struct at_surrogate_seen *seen; /* in the order in which they came up */
	size_t seen_count;
	size_t seen_capacity;
	struct at_hash_index places; /* finds configurations in seen */
	double *costs; /* of those that are OK, ascending */
	size_t ok_count;
	size_t cost_capacity;
	size_t told_count;

	struct at_features features;
	/* all have the same observations and candidates, but each has weights of its
	   own */
	struct at_gaussian *models[AT_SURROGATE_MODELS];
	size_t model_count; /* of the models, so many are in use */
	struct at_gaussian *failing; /* learns 1 for a failure, 0 for a success */
	bool learns_failures; /* `failing` is in use */
	size_t *rows; /* for each observation its place in seen */
	double *targets; /* of the observations, standardized */
	double target_mean; /* the mean and deviation that standardized them */
	double target_deviation;
	double *failures; /* the targets of `failing`, standardized in the same way */
	double failure_mean;
	double failure_deviation;
	size_t taken_in; /* seen[0 .. taken_in) was considered for the models */
	size_t fitted_told; /* told_count when the models were made; 0: none yet */
	uint64_t *candidates;
	float *promises; /* scratch: for each candidate an upper bound */
	size_t candidate_count;
	size_t candidates_most;
	bool is_whole; /* candidate i is configuration i */
	size_t climbing; /* the slot of the next climbing candidates */
	uint16_t *configuration;
	float *point; /* features of one configuration */
	float *layout; /* features of the first that were seen, one after the other */
	size_t laid_out; /* for how many it holds them */
	size_t asked;

	/* a process that learned what is known from elsewhere, with the same
	   candidates; NULL: nothing is known */
	struct at_gaussian *elsewhere;
	struct at_surrogate_known {
		uint64_t index;
		double target; /* standardized within its prior, times likeness */
		double likeness; /* the sum over its priors */
	} * known; /* sorted by target, the best first, once it is begun */
	size_t known_count;
	size_t known_capacity;
	double likeness; /* the largest of any prior */

	size_t stops; /* the option "stop": 0 no, 1 yes */
	double worth; /* the last cost that was a worthwhile improvement */
	size_t worth_told; /* told_count at that moment */
	bool is_descending; /* before it stops: only neighbours of the best are left */
	uint64_t below; /* one of these neighbours */
	bool stopped;
	char why[128];
};

/* ---- surrogate_seen.c */

/* Takes a configuration, and returns its entry in seen. */
struct at_surrogate_seen *at_surrogate_see(struct at_surrogate *self, uint64_t index);
/* The strategy's tell(). */
void at_surrogate_tell(struct at_strategy *strategy, const struct at_told *told);
/* How many of the ascending costs are less. */
size_t at_surrogate_count_below(const double *costs, size_t count, double cost);
/* How many of the configurations that are OK cost less. */
size_t at_surrogate_rank(const struct at_surrogate *self, double cost);
/* The logarithm of a rank, which is what the models learn. */
double at_surrogate_log_rank(double rank);
/* Writes the best configurations that were told, best first; returns how many, at most
   `most`. */
size_t at_surrogate_best(const struct at_surrogate *self, size_t most,
	const struct at_surrogate_seen **best);

/* ---- surrogate_model.c */

/* The mean of the prior of a weight's logarithm, by the kind of feature. */
extern const double at_surrogate_weight_priors[];

/* Writes the features of a configuration, `stride` elements apart. */
void at_surrogate_features(
	struct at_surrogate *self, uint64_t index, float *features, size_t stride);
/*
 * The candidate of which the models expect most. AT_NO_CONFIGURATION: all candidates
 * are taken. *expected: its expected cost as a log-rank; *failing: how likely it fails.
 * At least two configurations must be OK.
 */
uint64_t at_surrogate_ask_model(
	struct at_surrogate *self, double *expected, double *failing);
/* Which neighbours of the best are tried before the search stops. */
enum at_neighbours at_surrogate_descended(const struct at_surrogate *self);

/* ---- surrogate_failures.c */

/* Whether there are enough failures to learn from. */
bool at_surrogate_has_failures(const struct at_surrogate *self);
/* Whether a failure has no part in the models of costs. */
bool at_surrogate_doubts_failures(const struct at_surrogate *self);
/* Fills the failures of the first `count` observations. For one that is out, the
   expected value is used. */
void at_surrogate_fill_failures(struct at_surrogate *self, size_t count);
/* How likely a candidate fails, 0 to 1; 0 while failures are not learned. */
double at_surrogate_failing(const struct at_surrogate *self, size_t slot);
/* The factor for a candidate's promise, since it may fail: above 0, at most 1. */
double at_surrogate_passing(const struct at_surrogate *self, size_t slot);

/* ---- surrogate_elsewhere.c */

/* The strategy's prior(). */
enum at_status at_surrogate_prior(struct at_strategy *strategy,
	const struct at_prior *prior, struct at_error *err);
/* Makes `elsewhere` from the priors. False: the model is too large for the memory, and
   nothing is known. */
bool at_surrogate_learn_elsewhere(struct at_surrogate *self);
/* The best configuration by what is known from elsewhere that is not taken yet. */
uint64_t at_surrogate_ask_elsewhere(struct at_surrogate *self);

#endif
