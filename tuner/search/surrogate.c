/*
 * The surrogate strategy, Bayesian optimization: a Gaussian process learns from all
 * results, and the configuration of which it expects most is tried next. Jones,
 * Schonlau and Welch, "Efficient Global Optimization of Expensive Black-Box Functions"
 * (1998). Where it differs from the textbook, this was found on recorded and on planted
 * spaces:
 *
 * - It learns the logarithm of the rank of a cost, not the cost: the many slow
 *   configurations are told apart no more than necessary, and no unit matters.
 * - Where many fail, a failure says nothing about costs: the best often lies beside
 * what needs too much of something, and any cost made up for that bends the model.
 * Where few do, a failure counts like the median of the successes. How likely a
 * candidate fails is learned separately (surrogate_failures.c), and reduces its
 * promise.
 * - Weights of the features are drawn, not maximized: see search/gaussian.h.
 * - A configuration that is out counts as observed, with the cost that was expected of
 *   it, so that the next one lies elsewhere ("kriging believer": Ginsbourger, Le Riche,
 *   Carraro 2010).
 *
 * A space of some thousand configurations is scored whole. In a larger one these are
 * candidates: some random configurations, the neighbours of the best, and, at each ask,
 * the neighbours of the most promising candidate, so that from ask to ask the
 * candidates climb to where the expectation is highest.
 */
#include "search/surrogate_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * How many configurations that lie apart are tried before a model is asked. With few of
 * them a model's weights are little more than their priors, and it still asks for
 * better ones: after 100 evaluations the area is .62, .68 and .68 with 12, 8 and 5 (six
 * recordings, 24 runs each), and 8 are better than 12 on each of the six.
 */
#define START_DEFAULT 8
/*
 * While half of the start's answers are out, or hardly any has passed, further
 * configurations are chosen to lie apart, up to this number; beyond it choosing would
 * take too long.
 */
#define START_SPREAD_MOST 64
/*
 * Each of these is the best of so many random ones. With 400 the area is .797, .804 and
 * .760, .749 with 16 out at once; with 100 it is .795, .794 and .752, .738 (six
 * recordings, 40 and 100 runs each, with seeds of their own). 1,000 are no better.
 */
#define START_TRIES 400
/*
 * With the option "stop" the search ends by itself when all of this holds: the space
 * has more than EXHAUSTED_MOST configurations; AT_SURROGATE_STOP_LEAST are told, which
 * take less long than finals and proof; as many evaluations again as it took to find
 * the best, and AT_SURROGATE_STOP_MORE, have gained nothing of worth; and all
 * neighbours of the best are tried.
 */
#define EXHAUSTED_MOST 512
#define FAILURES_MOST 1024 /* if none has passed by then, the kernel is wrong */
/* How many of the best of a prior are tried first. Several, since problems are known to
   differ. */
#define PRIOR_START 4

/* The squared distance of self->point from the middle of all features. */
static double distance_from_middle(const struct at_surrogate *self)
{
	double distance = 0;

	for (size_t c = 0; c < self->features.count; c++) {
		double difference = self->point[c] - 0.5;

		distance += difference * difference;
	}
	return distance;
}

/*
 * Of some random configurations the one that is farthest from all that were seen, with
 * features weighed as by a model that has not learned: Johnson, Moore and Ylvisaker,
 * "Minimax and maximin distance designs" (1990). The farthest lie at the borders, and
 * without a point inside their common effect stays unknown. So the first is the most
 * central one, a centre point as in factorial designs (Box and Wilson, "On the
 * Experimental Attainment of Optimum Conditions", 1951).
 */
static uint64_t ask_start(struct at_surrogate *self)
{
	struct at_pool *pool = &self->base.pool;
	size_t d = self->features.count;
	uint64_t farthest = AT_NO_CONFIGURATION;
	double most = -INFINITY;
	const double weights[] = {
		[AT_FEATURE_VALUE] = exp(at_surrogate_weight_priors[AT_FEATURE_VALUE]),
		[AT_FEATURE_TWOS] = exp(at_surrogate_weight_priors[AT_FEATURE_TWOS]),
	};

	for (; self->laid_out < self->seen_count; self->laid_out++)
		at_surrogate_features(self, self->seen[self->laid_out].index,
			self->layout + self->laid_out * d, 1);
	for (int i = 0; i < START_TRIES; i++) {
		uint64_t drawn = at_search_space_draw(pool->space, &pool->random);
		double nearest = INFINITY;

		if (at_tried_test(&pool->taken, drawn))
			continue;
		at_surrogate_features(self, drawn, self->point, 1);
		if (self->seen_count == 0)
			nearest = -distance_from_middle(self);
		for (size_t j = 0; j < self->seen_count && nearest > most; j++) {
			const float *other = self->layout + j * d;
			double distance = 0;

			for (size_t c = 0; c < d; c++) {
				double difference = self->point[c] - other[c];

				distance += weights[self->features.kinds[c]] *
					    difference * difference;
			}
			nearest = fmin(nearest, distance);
		}
		if (nearest > most) {
			most = nearest;
			farthest = drawn;
		}
	}
	return farthest;
}

/* Whether the search ends, by the rule at EXHAUSTED_MOST. If only neighbours of the
   best are left to try, sets is_descending, so that these are asked for next. */
static bool is_enough(struct at_surrogate *self)
{
	struct at_pool *pool = &self->base.pool;
	const struct at_surrogate_seen *best;
	size_t count;

	self->is_descending = false;
	if (self->told_count >= FAILURES_MOST && self->ok_count == 0) {
		self->stopped = true;
		snprintf(self->why, sizeof(self->why),
			"the search stops: none of %zu configurations passed",
			self->told_count);
		return true;
	}
	if (at_search_space_count(pool->space) <= EXHAUSTED_MOST ||
		self->told_count < AT_SURROGATE_STOP_LEAST ||
		self->told_count < 2 * self->worth_told + AT_SURROGATE_STOP_MORE ||
		!at_surrogate_best(self, 1, &best))
		return false;
	count = at_search_space_neighbours(pool->space, best->index,
		at_surrogate_descended(self), pool->neighbours);
	for (size_t i = 0; i < count; i++)
		if (!at_tried_test(&pool->taken, pool->neighbours[i])) {
			self->is_descending = true;
			self->below = pool->neighbours[i];
			return false;
		}
	self->stopped = true;
	snprintf(self->why, sizeof(self->why),
		"the search stops: evaluation %zu was the best, %zu more have not gained 0.2 %%",
		self->worth_told, self->told_count - self->worth_told);
	return true;
}

static const char *surrogate_why_done(const struct at_strategy *strategy)
{
	const struct at_surrogate *self = (const struct at_surrogate *)strategy;

	return self->stopped ? self->why : NULL;
}

static void surrogate_exclude(struct at_strategy *strategy, uint64_t index)
{
	at_surrogate_see((struct at_surrogate *)strategy, index);
}

static enum at_ask surrogate_ask(struct at_strategy *strategy, uint64_t *index)
{
	struct at_surrogate *self = (struct at_surrogate *)strategy;
	struct at_pool *pool = &self->base.pool;
	double expected = NAN, failing = 0;
	struct at_surrogate_seen *seen;

	if (pool->taken.count >= at_search_space_count(pool->space))
		return AT_ASK_DONE;
	if (self->stops && is_enough(self))
		return AT_ASK_DONE;
	*index = AT_NO_CONFIGURATION;
	if (self->known_count > 0 && !self->elsewhere)
		at_surrogate_learn_elsewhere(self);
	/* what is known from elsewhere says more than configurations that lie apart */
	if (self->elsewhere && self->told_count < self->start &&
		(self->asked < PRIOR_START || self->ok_count < 2))
		*index = at_surrogate_ask_elsewhere(self);
	else if (!self->elsewhere && self->seen_count < self->start)
		*index = ask_start(self);
	else if (self->ok_count >= 2 &&
		 (self->elsewhere || self->told_count >= self->start / 2))
		*index = at_surrogate_ask_model(self, &expected, &failing);
	else if (self->is_descending)
		*index = self->below;
	else if (self->seen_count < START_SPREAD_MOST)
		*index = ask_start(self);
	/* otherwise a random one: a model of failures alone, or of one success, says
	   nothing */
	if (*index == AT_NO_CONFIGURATION && !at_pool_draw(pool, index))
		return AT_ASK_DONE;
	seen = at_surrogate_see(self, *index);
	seen->expected = expected;
	seen->failing = failing;
	self->asked++;
	return AT_ASK_CONFIGURATION;
}

static void surrogate_close(struct at_strategy *strategy)
{
	struct at_surrogate *self = (struct at_surrogate *)strategy;

	if (!self)
		return;
	at_features_release(&self->features);
	for (size_t i = 0; i < AT_SURROGATE_MODELS; i++)
		at_gaussian_free(self->models[i]);
	at_gaussian_free(self->failing);
	at_gaussian_free(self->elsewhere);
	free(self->known);
	at_pooled_release(&self->base);
	free(self->seen);
	at_hash_index_release(&self->places);
	free(self->costs);
	free(self->rows);
	free(self->targets);
	free(self->failures);
	free(self->candidates);
	free(self->promises);
	free(self->configuration);
	free(self->point);
	free(self->layout);
	free(self);
}

/* Allocates what depends on the size of the space. */
static enum at_status reserve(struct at_surrogate *self, struct at_error *err)
{
	struct at_pool *pool = &self->base.pool;
	uint64_t space_count = at_search_space_count(pool->space);
	size_t feature_count = self->features.count;
	struct at_gaussian_options options = { .feature_count = feature_count,
		.observations_most = AT_SURROGATE_OBSERVED_MOST };
	double *priors = at_calloc(feature_count + 1, sizeof(*priors));
	enum at_status status = AT_OK;

	for (size_t i = 0; i < feature_count; i++)
		priors[i] = at_surrogate_weight_priors[self->features.kinds[i]];
	self->candidates_most = AT_SURROGATE_RANDOM_CANDIDATES +
				AT_SURROGATE_NEAR_CANDIDATES +
				AT_SURROGATE_CLIMBING_CANDIDATES;
	/* a space that is scored whole at first may need candidates later */
	options.candidates_most = self->candidates_most;
	if (space_count <= AT_SURROGATE_WHOLE_MOST &&
		space_count > options.candidates_most)
		options.candidates_most = (size_t)space_count;
	options.weight_priors = priors;
	for (size_t i = 0; i < AT_SURROGATE_MODELS && !status; i++) {
		status = at_gaussian_new(&options, &self->models[i], err);
		options.points_of = self->models[0];
	}
	if (!status)
		status = at_gaussian_new(&options, &self->failing, err);
	free(priors);
	if (status)
		return status;
	self->rows = at_calloc(AT_SURROGATE_OBSERVED_MOST, sizeof(*self->rows));
	self->targets = at_calloc(AT_SURROGATE_OBSERVED_MOST, sizeof(*self->targets));
	self->failures = at_calloc(AT_SURROGATE_OBSERVED_MOST, sizeof(*self->failures));
	self->candidates =
		at_calloc(options.candidates_most, sizeof(*self->candidates));
	self->promises = at_calloc(options.candidates_most, sizeof(*self->promises));
	self->configuration =
		at_calloc(pool->parameter_count + 1, sizeof(*self->configuration));
	self->point = at_calloc(feature_count + 1, sizeof(*self->point));
	self->layout = at_calloc(
		(self->start > START_SPREAD_MOST ? self->start : START_SPREAD_MOST) *
				feature_count +
			1,
		sizeof(*self->layout));
	return AT_OK;
}

static enum at_status surrogate_open(const struct at_search_space *space,
	const char *options, uint64_t seed, struct at_strategy **out,
	struct at_error *err)
{
	static const char *const no_and_yes[] = { "no", "yes", NULL };
	struct at_surrogate *self = at_calloc(1, sizeof(*self));
	enum at_status status = AT_OK;

	self->start = START_DEFAULT;
	status = at_search_options_parse("surrogate", options,
		(struct at_search_option[]){
			{ "start", .whole = &self->start, .low = 2,
				.high = AT_START_MOST },
			{ "stop", .word = &self->stops, .words = no_and_yes },
		},
		2, err);
	if (status) {
		free(self);
		return status;
	}
	status = at_pooled_init(&self->base, &at_strategy_surrogate, space, seed, err);
	if (status) {
		free(self);
		return status;
	}
	at_features_init(&self->features, space);
	status = reserve(self, err);
	if (status) {
		surrogate_close(&self->base.strategy);
		return status;
	}
	*out = &self->base.strategy;
	return AT_OK;
}

const struct at_strategy_kind at_strategy_surrogate = {
	.name = "surrogate",
	.summary =
		"learns from all results with a Gaussian process, and tries what promises most",
	.open = surrogate_open,
	.close = surrogate_close,
	.prior = at_surrogate_prior,
	.ask = surrogate_ask,
	.tell = at_surrogate_tell,
	.exclude = surrogate_exclude,
	.why_done = surrogate_why_done,
};
