/*
 * The parts of the surrogate: what was seen (surrogate_seen.c), the models and what
 * they promise (surrogate_model.c), what is likely to fail (surrogate_failures.c), what
 * is known from elsewhere (surrogate_elsewhere.c). Private to surrogate*.c. Threads: as
 * a strategy, one.
 */
#ifndef AT_SEARCH_SURROGATE_PARTS_H
#define AT_SEARCH_SURROGATE_PARTS_H

#include "base/hash_index.h"
#include "search/features.h"
#include "search/gaussian.h"
#include "search/pool.h"

/*
 * Models whose expectations are averaged: weights that are drawn anew fit as well, and
 * promise other things.
 */
#define AT_SURROGATE_MODELS 3
/* Larger spaces are not scored whole. */
#define AT_SURROGATE_WHOLE_MOST 20000
/* A model has so many observations at most, those that are out among them. */
#define AT_SURROGATE_OBSERVED_MOST 336
/* Weights are drawn by so many of them, at most: they need less than the model. */
#define AT_SURROGATE_FIT_MOST 160
/* Fewer leave the weights where they were; more change nothing that recordings show. */
#define AT_SURROGATE_PROPOSALS 60
/* Candidates in a space that is not scored whole: anywhere, around the best, and around
   what is promising at the moment. */
#define AT_SURROGATE_RANDOM_CANDIDATES 2048
#define AT_SURROGATE_NEAR_CANDIDATES 1536
#define AT_SURROGATE_CLIMBING_CANDIDATES 512
/* It does not stop before so many are told; see surrogate.c. */
#define AT_SURROGATE_STOP_LEAST 256
#define AT_SURROGATE_STOP_MORE 64

enum at_surrogate_state {
	AT_SURROGATE_OUT = 0, /* asked for, or excluded: nothing is known yet */
	AT_SURROGATE_OK,
	AT_SURROGATE_FAILED,
};

struct at_surrogate_seen {
	uint64_t index;
	enum at_surrogate_state state;
	double cost; /* of OK */
	/* what the model expected of it when it was asked for, as log-rank; NAN: it was
	   asked for without a model */
	double expected;
	double failing; /* how likely it was to fail, then; 0 without a model */
};

struct at_surrogate {
	struct at_pooled base; /* first: what is taken, and random draws */
	size_t start;

	struct at_surrogate_seen *seen; /* in the order in which they came up */
	size_t seen_count;
	size_t seen_capacity;
	struct at_hash_index places; /* of configurations in seen */
	double *costs; /* of those that are OK, ascending */
	size_t ok_count;
	size_t cost_capacity;
	size_t told_count;

	struct at_features features;
	/* of the same observations and candidates, each with weights of its own */
	struct at_gaussian *models[AT_SURROGATE_MODELS];
	size_t model_count; /* of these that are in use */
	struct at_gaussian *failing; /* likewise: 1 of what fails, 0 of what passes */
	bool learns_failures; /* it is in use */
	size_t *rows; /* observation of the model -> place in seen */
	double *targets; /* of the observations, standardized */
	double target_mean; /* what they were standardized by */
	double target_deviation;
	double *failures; /* the targets of `failing`, standardized likewise */
	double failure_mean;
	double failure_deviation;
	size_t taken_in; /* seen[0 .. taken_in) is in the model, or left out of it */
	size_t fitted_told; /* told_count when the model was made; 0: there is none */
	uint64_t *candidates;
	float *promises; /* scratch: of each, what it promises at most */
	size_t candidate_count;
	size_t candidates_most;
	bool is_whole; /* candidate i is configuration i */
	size_t climbing; /* where the next climbing candidates go */
	uint16_t *configuration;
	float *point; /* features of one configuration */
	float *layout; /* of the first that were seen, one after the other */
	size_t laid_out; /* how many of these are written */
	size_t asked;

	/* what is known from elsewhere: candidates as those of the model; NULL: nothing
	 */
	struct at_gaussian *elsewhere;
	struct at_surrogate_known {
		uint64_t index;
		double target; /* standardized in its prior, times likeness */
		double likeness; /* the sum, of those of its priors */
	} * known; /* by target once it is begun, the best first */
	size_t known_count;
	size_t known_capacity;
	double likeness; /* the most of any prior */

	size_t stops; /* word of the option: 0 no, 1 yes */
	double worth; /* the last cost that was an improvement worth something */
	size_t worth_told; /* told_count then */
	bool is_descending; /* only what is left around the best is asked for */
	uint64_t below; /* one of these */
	bool stopped;
	char why[128];
};

/* ---- surrogate_seen.c */

/* Its place among what was seen, where it is taken from now on. NULL: memory ran out,
   and the strategy ends at the next ask. */
struct at_surrogate_seen *at_surrogate_see(struct at_surrogate *self, uint64_t index);
void at_surrogate_tell(struct at_strategy *strategy, const struct at_told *told);
/* How many of these, which ascend, are less. */
size_t at_surrogate_count_below(const double *costs, size_t count, double cost);
/* How many of those that are OK cost less. */
size_t at_surrogate_rank(const struct at_surrogate *self, double cost);
double at_surrogate_log_rank(double rank);
/* The best that were told, best first; returns how many, at most `most`. */
size_t at_surrogate_best(const struct at_surrogate *self, size_t most,
	const struct at_surrogate_seen **best);

/* ---- surrogate_model.c */

/* Prior of the logarithm of a feature's weight, by its kind. */
extern const double at_surrogate_weight_priors[];

void at_surrogate_features(
	struct at_surrogate *self, uint64_t index, float *features, size_t stride);
/*
 * What the models promise most of. AT_NO_CONFIGURATION: all candidates are taken.
 * *expected: what they expect it to cost, as log-rank; *failing: how likely it fails.
 * At least two must be OK.
 */
uint64_t at_surrogate_ask_model(
	struct at_surrogate *self, double *expected, double *failing);
/* The neighbours that are tried before it stops. */
enum at_neighbours at_surrogate_descended(const struct at_surrogate *self);

/* ---- surrogate_failures.c */

/* Whether enough has failed to learn from. */
bool at_surrogate_has_failures(const struct at_surrogate *self);
/* Fills failures of the first `count` observations; what is out stands for what was
   expected of it. */
void at_surrogate_fill_failures(struct at_surrogate *self, size_t count);
/* How likely a candidate fails, 0 to 1; 0 where it is not learned. */
double at_surrogate_failing(const struct at_surrogate *self, size_t slot);
/* What is left of a candidate's promise, since it may fail: above 0, at most 1. */
double at_surrogate_passing(const struct at_surrogate *self, size_t slot);

/* ---- surrogate_elsewhere.c */

enum at_status at_surrogate_prior(struct at_strategy *strategy,
	const struct at_prior *prior, struct at_error *err);
/* False: memory ran out, and nothing is known. */
bool at_surrogate_learn_elsewhere(struct at_surrogate *self);
/* The best of what is known from elsewhere that was not tried here. */
uint64_t at_surrogate_ask_elsewhere(struct at_surrogate *self);

#endif
