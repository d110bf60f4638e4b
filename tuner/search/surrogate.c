/*
 * The surrogate strategy, Bayesian optimization: a Gaussian process learns from all
 * results, and the configuration with the largest expected improvement comes next.
 * Jones, Schonlau and Welch, "Efficient Global Optimization of Expensive Black-Box
 * Functions" (1998). It differs from the textbook where recorded and planted spaces
 * showed a gain:
 *
 * - It learns the logarithm of the rank of a cost, not the cost: the many slow
 *   configurations are distinguished no more than necessary, and units do not matter.
 * - If many configurations fail, a failure says nothing about costs: the best often
 *   lies next to configurations that need too much of a resource, and an invented cost
 *   would bend the model. If few fail, a failure counts as the median of the successes.
 *   A separate model learns the probability of failure ("failures" below), which
 *   reduces the promise of a candidate.
 * - Weights of the features are sampled, not maximized: see search/gaussian.h.
 * - A configuration in flight counts as observed with its expected cost, so that the
 *   next one lies elsewhere ("kriging believer": Ginsbourger, Le Riche, Carraro 2010).
 *
 * A space of some thousand configurations is scored whole. A larger space has
 * candidates: random configurations, the neighbours of the best, and, at each ask, the
 * neighbours of the most promising candidate. So the candidates climb from ask to ask
 * to the highest expectation.
 */
#include "search/features.h"
#include "search/gaussian.h"
#include "search/pool.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number of models whose expectations are averaged: other samples of the weights
   fit the results equally well, and expect other costs. */
#define MODELS 3
/* Larger spaces are scored by candidates only. */
#define WHOLE_MOST 20000
/* The most observations of a model, including pending ones. */
#define OBSERVED_MOST 336
/* The most observations for sampling weights: weights need fewer than the means do. */
#define FIT_MOST 160
/* Metropolis proposals for each sample of weights. With fewer the weights hardly
   move; more gain nothing on recordings. */
#define PROPOSALS 60
/* Candidates in a larger space: random ones, neighbours of the best, and neighbours
   of those that are promising at the moment. */
#define RANDOM_CANDIDATES 2048
#define NEAR_CANDIDATES 1536
#define CLIMBING_CANDIDATES 512
/* The search does not stop before this many results. */
#define STOP_LEAST 192
#define STOP_MORE 96

/*
 * How many configurations far apart precede the model. After a small start a model's
 * weights are little more than their priors, and its proposals are still better than
 * a longer start: after 100 evaluations the area is .62, .68 and .68 with 12, 8 and 5
 * (six recordings, 24 runs each), and 8 is better than 12 on each of the six.
 */
#define START_DEFAULT 8
/*
 * While half of the start's results are pending, or hardly any has passed, further
 * configurations far apart follow, up to this number; beyond it the choice would take
 * too long.
 */
#define START_SPREAD_MOST 64
/*
 * Each of these is the best of this many random ones. With 400 the area is .797, .804
 * and .760, .749 with 16 in flight; with 100 it is .795, .794 and .752, .738 (six
 * recordings, 40 and 100 runs each, with separate seeds). 1,000 is no better.
 */
#define START_TRIES 400
/*
 * With the option "stop" the search ends when all of these hold: the space has more
 * than EXHAUSTED_MOST configurations; STOP_LEAST results are known (these take less
 * time than confirmation and verification); as many evaluations again as it took to
 * find the best, and STOP_MORE, have gained less than WORTH; and all neighbours of
 * the best are tried.
 */
#define EXHAUSTED_MOST 512
#define FAILURES_MOST 1024 /* if none has passed by then, the kernel is wrong */
/* How many of the best of a prior come first. Several, since problems are known to
   differ. */
#define PRIOR_START 4

/* A space of up to WHOLE_MOST configurations is scored whole while the table of
   candidates times observations is at most this large: a millisecond per ask. */
#define TABLE_MOST 1500000
/* The most results that a model learns from: half of them the best, the others
   random. The time to factor the covariance grows with their cube. */
#define TOLD_MOST 224
/* This many of OBSERVED_MOST are reserved for later observations, however many are in
   flight: otherwise each ask would remake the model. */
#define ROOM_LEAST 32
/* The models are remade whenever the number of results has grown by this factor. */
#define REFIT_GROWTH 1.12
/* With more results than this, one model is used: several would expect nearly the
   same, and an ask should take at most a millisecond. */
#define MODELS_TOLD_MOST 288
/*
 * A candidate must improve on the best by a margin that is redrawn for each ask, from
 * 0 to this many deviations of the target. A small margin exploits, a large one
 * explores. The margin grows with the number in flight: otherwise all of these would
 * be alike.
 */
#define IMPROVEMENT_MOST 0.3
#define IMPROVEMENT_EACH_OUT 0.03
#define IMPROVEMENT_OUT_MOST 16
#define CLIMB 64 /* candidates replaced at once */
#define CLIMB_STEPS 2 /* climbs per ask */
#define BEST_MOST 8 /* the neighbours of this many of the best become candidates */
/*
 * When twice as many results are known as it took to find the best, and NEAR_AFTER
 * more, every NEAR_EVERY asks consider only the neighbours of one of the NEAR_MOST
 * best. A model that is wrong about these never corrects itself, while descent does.
 * Earlier this would only slow the search down.
 */
#define NEAR_AFTER 64
#define NEAR_EVERY 4
#define NEAR_MOST 5
/* With more neighbours than this, the search tries only adjacent ones before it
   stops. */
#define NEIGHBOURS_FEW 256

/* log(8 + rank): separates the best few ranks, but not much more than the others */
#define RANK_OFFSET 8
#define WORTH 0.998 /* a gain of less than 0.2 % is noise */

enum state {
	STATE_OUT = 0, /* proposed or excluded, without a result */
	STATE_OK,
	STATE_FAILED,
};

/* A configuration that was proposed, told or excluded. */
struct seen {
	uint64_t index;
	enum state state;
	double cost; /* if OK */
	/* the log-rank that the models expected when it was proposed; NAN: without a
	   model */
	double expected;
	double failing; /* the probability of failure then; 0 without a model */
};

struct surrogate {
	struct at_pooled base; /* first member: the taken set, and random draws */
	size_t start;

	struct seen *seen; /* in the order of the pool's `taken` */
	size_t seen_count;
	size_t seen_capacity;
	double *costs; /* of those that are OK, ascending */
	size_t ok_count;
	size_t cost_capacity;
	size_t told_count;

	struct at_features features;
	/* all share observations and candidates, but each has its own weights */
	struct at_gaussian *models[MODELS];
	size_t model_count; /* number of models in use */
	struct at_gaussian *failing; /* learns 1 for a failure, 0 for a success */
	bool learns_failures; /* `failing` is in use */
	size_t *rows; /* for each observation its place in seen */
	double *targets; /* of the observations, standardized */
	double target_mean; /* the mean and deviation for standardization */
	double target_deviation;
	double *failures; /* the targets of `failing`, standardized likewise */
	double failure_mean;
	double failure_deviation;
	size_t considered_count; /* seen[0 .. considered_count) was passed to the models
				  */
	size_t fitted_told; /* told_count when the models were made; 0: not yet */
	uint64_t *candidates;
	float *promises; /* scratch: for each candidate an upper bound */
	size_t candidate_count;
	size_t candidates_most;
	bool is_whole; /* candidate i is configuration i */
	size_t climbing; /* the slot of the next climbing candidates */
	uint16_t *configuration;
	float *point; /* features of one configuration */
	float *layout; /* features of the first `laid_out` seen, consecutively */
	size_t laid_out;
	size_t asked;

	/* a process that learned the priors, with the same candidates; NULL: no
	   priors */
	struct at_gaussian *elsewhere;
	struct known {
		uint64_t index;
		double target; /* standardized within its prior, times similarity */
		double similarity; /* the sum over its priors */
	} * known; /* sorted by target, best first, after learn_elsewhere() */
	size_t known_count;
	size_t known_capacity;
	double similarity; /* the largest of any prior */

	size_t stops; /* the option "stop": 0 no, 1 yes */
	double worth; /* the last cost that was a worthwhile improvement */
	size_t worth_told; /* told_count at that moment */
	bool is_descending; /* before it stops: only neighbours of the best remain */
	uint64_t below; /* one of these neighbours */
	bool stopped;
	char why[128];
};

/* The prior mean of a weight's logarithm, by the kind of feature. */
static const double weight_priors[] = {
	[AT_FEATURE_VALUE] = -1.25,
	[AT_FEATURE_TWOS] = -1.75,
};

/* ---- what was seen --------------------------------------------------------------- */

static struct seen *see(struct surrogate *self, uint64_t index)
{
	size_t place = at_tried_set(&self->base.pool.taken, index);

	if (place == self->seen_count) {
		AT_GROW(self->seen, self->seen_capacity, self->seen_count + 1);
		self->seen[self->seen_count++] =
			(struct seen){ .index = index, .expected = NAN };
	}
	return &self->seen[place];
}

/* How many of the ascending costs are less. */
static size_t count_below(const double *costs, size_t count, double cost)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (costs[middle] < cost)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static size_t rank_of(const struct surrogate *self, double cost)
{
	return count_below(self->costs, self->ok_count, cost);
}

static void tell(struct at_strategy *strategy, const struct at_told *told)
{
	struct surrogate *self = (struct surrogate *)strategy;
	struct seen *seen = see(self, told->index);
	size_t rank;

	self->told_count += seen->state == STATE_OUT;
	if (seen->state == STATE_OK) {
		/* a second result: the last one counts */
		if (told->outcome == AT_OUTCOME_OK && told->cost == seen->cost)
			return;
		rank = rank_of(self, seen->cost);
		self->ok_count--;
		memmove(self->costs + rank, self->costs + rank + 1,
			(self->ok_count - rank) * sizeof(*self->costs));
		/* the best was withdrawn: restart the count from now for the new
		   best */
		if (self->ok_count > 0 && self->costs[0] > self->worth) {
			self->worth = self->costs[0];
			self->worth_told = self->told_count;
		}
	}
	seen->state = STATE_FAILED;
	if (told->outcome != AT_OUTCOME_OK || !isfinite(told->cost))
		return;
	AT_GROW(self->costs, self->cost_capacity, self->ok_count + 1);
	if (self->ok_count == 0 || told->cost < WORTH * self->worth) {
		self->worth = told->cost;
		self->worth_told = self->told_count;
	}
	seen->state = STATE_OK;
	seen->cost = told->cost;
	rank = rank_of(self, told->cost);
	memmove(self->costs + rank + 1, self->costs + rank,
		(self->ok_count - rank) * sizeof(*self->costs));
	self->costs[rank] = told->cost;
	self->ok_count++;
}

static double log_rank(double rank)
{
	return log(RANK_OFFSET + rank);
}

static int compare_seen(const void *a, const void *b)
{
	const struct seen *left = *(const struct seen *const *)a;
	const struct seen *right = *(const struct seen *const *)b;

	if (left->cost != right->cost)
		return left->cost < right->cost ? -1 : 1;
	return (left > right) - (left < right);
}

/* Writes the best results, best first; returns how many, at most `most`. */
static size_t list_best(
	const struct surrogate *self, size_t most, const struct seen **best)
{
	size_t count = 0;
	double worst;

	if (self->ok_count == 0)
		return 0;
	if (most > self->ok_count)
		most = self->ok_count;
	worst = self->costs[most - 1];
	for (size_t i = 0; i < self->seen_count && count < most; i++)
		if (self->seen[i].state == STATE_OK && self->seen[i].cost <= worst)
			best[count++] = &self->seen[i];
	qsort(best, count, sizeof(*best), compare_seen);
	return count;
}

/* Writes the features of a configuration, `stride` elements apart. */
static void write_features(
	struct surrogate *self, uint64_t index, float *features, size_t stride)
{
	at_search_space_get(self->base.pool.space, index, self->configuration);
	at_features_write(&self->features, self->configuration, features, stride);
}

/* ---- failures -------------------------------------------------------------------- */

/*
 * The probability of failure. A failure costs an evaluation and says nothing about
 * times. Failures lie together: if a configuration needs too much of a resource,
 * those that need more also fail. A separate Gaussian process learns 1 for a failure
 * and 0 for a success. Its weights are fitted to failures alone, since other
 * parameters matter for them. Its mean, clipped to 0 .. 1, is the probability
 * ("probability of feasibility" by regression: Gelbart, Snoek and Adams, "Bayesian
 * Optimization with Unknown Constraints", 2014).
 */

/* A single failure does not define a region. */
#define FAILURES_LEAST 2
/* Failures are many if they exceed the successes divided by this. */
#define FAILURES_MANY 2
/*
 * The factor is the square of the probability of passing. Far from all successes the
 * models of costs are unsure and expect improvement, and the model of failures knows
 * little more than the rate of failures. The probability itself would bring the
 * search back there too often.
 *
 * The model may be wrong however sure it is: at least this much of a promise is left.
 */
#define PASSING_LEAST 0.001

static bool has_failures(const struct surrogate *self)
{
	return self->told_count - self->ok_count >= FAILURES_LEAST;
}

/*
 * Whether the models of costs ignore failures. A failure has no cost. If few fail,
 * the median of the successes as their cost is as good as ignoring them, or better.
 * If many fail, it would hide good configurations near them.
 */
static bool doubts_failures(const struct surrogate *self)
{
	return self->learns_failures &&
	       FAILURES_MANY * (self->told_count - self->ok_count) > self->ok_count;
}

/* Fills the failure targets of the first `count` observations. A pending one has its
   expected value. */
static void fill_failures(struct surrogate *self, size_t count)
{
	double sum = 0, told = 0;

	for (size_t i = 0; i < count; i++) {
		const struct seen *seen = &self->seen[self->rows[i]];

		if (seen->state == STATE_OUT) {
			self->failures[i] = seen->failing;
			continue;
		}
		self->failures[i] = seen->state == STATE_FAILED;
		sum += self->failures[i];
		told++;
	}
	self->failure_mean = told > 0 ? sum / told : 0;
	self->failure_deviation =
		sqrt(self->failure_mean * (1 - self->failure_mean)) + 1e-9;
	for (size_t i = 0; i < count; i++)
		self->failures[i] = (self->failures[i] - self->failure_mean) /
				    self->failure_deviation;
}

/* The probability that a candidate fails; 0 while failures are not learned. */
static double failing_of(const struct surrogate *self, size_t slot)
{
	double failing;

	if (!self->learns_failures)
		return 0;
	failing = at_gaussian_mean(self->failing, slot) * self->failure_deviation +
		  self->failure_mean;
	return fmin(fmax(failing, 0), 1);
}

/* The factor of a candidate's promise for its risk of failure: above 0, at most 1. */
static double passing_of(const struct surrogate *self, size_t slot)
{
	double passing = 1 - failing_of(self, slot);

	return fmax(passing * passing, PASSING_LEAST);
}

/* ---- targets --------------------------------------------------------------------- */

static bool is_told(const struct surrogate *self, size_t row)
{
	return self->seen[self->rows[row]].state != STATE_OUT;
}

/*
 * Fills the targets of all observations up to the last one with a result, and returns
 * their number. A pending one has its expected cost as its target; pending ones after
 * the last result have no target.
 */
static size_t fill_targets(struct surrogate *self)
{
	double median = log_rank((double)self->ok_count / 2);
	double sum = 0, squares = 0;
	size_t count = at_gaussian_count(self->models[0]), told = 0;

	while (count > 0 && !is_told(self, count - 1))
		count--;
	for (size_t i = 0; i < count; i++) {
		const struct seen *seen = &self->seen[self->rows[i]];

		switch (seen->state) {
		case STATE_OUT:
			self->targets[i] =
				isnan(seen->expected) ? median : seen->expected;
			continue;
		case STATE_OK:
			self->targets[i] = log_rank((double)rank_of(self, seen->cost));
			break;
		case STATE_FAILED:
			self->targets[i] = median;
			break;
		}
		told++;
		sum += self->targets[i];
	}
	if (told == 0)
		return 0;
	self->target_mean = sum / (double)told;
	for (size_t i = 0; i < count; i++) {
		self->targets[i] -= self->target_mean;
		if (is_told(self, i))
			squares += self->targets[i] * self->targets[i];
	}
	/* if all are equal, the deviation is 0 */
	self->target_deviation = sqrt(squares / (double)told) + 1e-9;
	for (size_t i = 0; i < count; i++)
		self->targets[i] /= self->target_deviation;
	return count;
}

/* ---- the model ------------------------------------------------------------------- */

/* The i-th model in use: those of costs, then the one of failures. */
static struct at_gaussian *used(const struct surrogate *self, size_t i)
{
	return i < self->model_count ? self->models[i] : self->failing;
}

static size_t count_used(const struct surrogate *self)
{
	return self->model_count + self->learns_failures;
}

/* Puts a configuration into a slot, which all models share. It takes effect with
   at_gaussian_extend(). */
static void set_candidate(struct surrogate *self, size_t slot, uint64_t index)
{
	self->candidates[slot] = index;
	write_features(self, index, at_gaussian_point(self->models[0], slot),
		at_gaussian_stride(self->models[0]));
}

/* Sets the trends of candidates with new features from the priors. */
static void set_trends(struct surrogate *self, size_t first, size_t count)
{
	if (!self->elsewhere)
		return;
	at_gaussian_extend(self->elsewhere, first, count);
	for (size_t slot = first; slot < first + count; slot++)
		for (size_t i = 0; i < self->model_count; i++)
			at_gaussian_set_trend(self->models[i], slot,
				(float)(self->similarity *
					at_gaussian_mean(self->elsewhere, slot)));
}

/* Adds an observation to all models in use; place: in seen. */
static void observe(struct surrogate *self, size_t place)
{
	double trend = 0;
	double doubt = doubts_failures(self) && self->seen[place].state == STATE_FAILED
			       ? AT_GAUSSIAN_UNKNOWN
			       : 0;

	self->rows[at_gaussian_count(self->models[0])] = place;
	write_features(self, self->seen[place].index, self->point, 1);
	if (self->elsewhere)
		trend = self->similarity *
			at_gaussian_predict(self->elsewhere, self->point);
	for (size_t i = 0; i < self->model_count; i++)
		at_gaussian_observe(self->models[i], self->point, (float)trend, doubt);
	/* priors hold costs, not failures */
	if (self->learns_failures)
		at_gaussian_observe(self->failing, self->point, 0, 0);
}

/*
 * Chooses the observations of the models: all results, or the TOLD_MOST / 2 best and
 * as many others; then pending ones. Weights are sampled from the first observations,
 * so the best and the others alternate.
 */
static void observe_all(struct surrogate *self)
{
	const struct seen *best[TOLD_MOST / 2];
	size_t best_count = 0, left = self->told_count, room = TOLD_MOST;
	size_t out = 0, first_out = self->seen_count, room_for_out;
	double worst_best = -1;

	for (size_t i = 0; i < self->model_count; i++)
		at_gaussian_clear(self->models[i]);
	at_gaussian_clear(self->failing);
	if (self->told_count > FIT_MOST) {
		best_count = list_best(self,
			self->told_count > TOLD_MOST ? TOLD_MOST / 2 : FIT_MOST / 2,
			best);
		room = (self->told_count < TOLD_MOST ? self->told_count : TOLD_MOST) -
		       best_count;
		left -= best_count;
		if (best_count)
			worst_best = best[best_count - 1]->cost;
	}
	for (size_t i = 0, next = 0; i < self->seen_count; i++) {
		const struct seen *seen = &self->seen[i];
		bool is_best = seen->state == STATE_OK && seen->cost <= worst_best;

		/* several may tie with the worst of the best, and some of these may
		   not be among the best */
		for (size_t j = 0; is_best && j < best_count; j++)
			if (best[j] == seen)
				break;
			else if (j + 1 == best_count)
				is_best = false;
		if (seen->state == STATE_OUT || is_best)
			continue;
		/* `room` of the `left` remaining, each equally likely: Knuth, "The
		   Art of Computer Programming", volume 2, 3.4.2, algorithm S */
		if (room > 0 && at_random_below(&self->base.pool.random, left) < room) {
			if (next < best_count)
				observe(self, (size_t)(best[next++] - self->seen));
			observe(self, i);
			room--;
		}
		left--;
		/* after the last of the others, the remaining best follow */
		if (left == 0 || room == 0)
			while (next < best_count)
				observe(self, (size_t)(best[next++] - self->seen));
	}
	room_for_out = OBSERVED_MOST - ROOM_LEAST - at_gaussian_count(self->models[0]);
	/*
	 * If too many are pending, take the newest: the caller most likely abandoned
	 * the oldest. They are observed in the order of their proposals. Most results
	 * come in that order, so few pending ones precede a result (fill_targets()).
	 */
	for (size_t i = self->seen_count; i-- > 0 && out < room_for_out;)
		if (self->seen[i].state == STATE_OUT) {
			out++;
			first_out = i;
		}
	for (size_t i = first_out; i < self->seen_count; i++)
		if (self->seen[i].state == STATE_OUT)
			observe(self, i);
	self->considered_count = self->seen_count;
}

/* Puts random free neighbours of a configuration into the slots first .. first + most
   - 1; returns how many. */
static size_t set_neighbours(struct surrogate *self, uint64_t center,
	enum at_neighbours kind, size_t first, size_t most)
{
	struct at_pool *pool = &self->base.pool;
	size_t count =
		at_search_space_neighbours(pool->space, center, kind, pool->neighbours);
	size_t filled = 0;

	while (count > 0 && filled < most) {
		size_t drawn = (size_t)at_random_below(&pool->random, count);

		if (!at_tried_test(&pool->taken, pool->neighbours[drawn]))
			set_candidate(self, first + filled++, pool->neighbours[drawn]);
		pool->neighbours[drawn] = pool->neighbours[--count];
	}
	return filled;
}

static void choose_candidates(struct surrogate *self)
{
	struct at_pool *pool = &self->base.pool;
	uint64_t space_count = at_search_space_count(pool->space);
	const struct seen *best[BEST_MOST];
	size_t best_count = list_best(self, BEST_MOST, best), filled = 0;
	bool was_whole = self->is_whole && self->candidate_count > 0;

	self->is_whole = space_count <= WHOLE_MOST &&
			 space_count * at_gaussian_count(self->models[0]) <= TABLE_MOST;
	if (self->is_whole) {
		self->candidate_count = (size_t)space_count;
		for (uint64_t i = 0; i < space_count && !was_whole; i++)
			set_candidate(self, (size_t)i, i);
		if (!was_whole)
			set_trends(self, 0, self->candidate_count);
		return;
	}
	for (size_t i = 0; i < best_count; i++)
		filled += set_neighbours(self, best[i]->index, AT_NEIGHBOURS_ANY,
			filled, (NEAR_CANDIDATES - filled) / (best_count - i));
	/* all other slots, and those of missing neighbours, get random
	   configurations */
	for (; filled < self->candidates_most; filled++)
		set_candidate(
			self, filled, at_search_space_draw(pool->space, &pool->random));
	set_trends(self, 0, filled);
	self->candidate_count = filled;
	self->climbing = filled - CLIMBING_CANDIDATES;
}

/* Remakes the models: observations, candidates, weights. */
static void make_model(struct surrogate *self)
{
	size_t told;

	self->model_count = self->told_count > MODELS_TOLD_MOST ? 1 : MODELS;
	/* there is no time for a model of failures then either */
	self->learns_failures =
		self->told_count <= MODELS_TOLD_MOST && has_failures(self);
	observe_all(self);
	told = fill_targets(self);
	if (self->learns_failures)
		fill_failures(self, told);
	choose_candidates(self);
	for (size_t i = 0; i < count_used(self); i++) {
		at_gaussian_fit(used(self, i),
			i < self->model_count ? self->targets : self->failures,
			told < FIT_MOST ? told : FIT_MOST, PROPOSALS,
			&self->base.pool.random);
		at_gaussian_factor(used(self, i));
		at_gaussian_extend(used(self, i), 0, self->candidate_count);
	}
	self->fitted_told = self->told_count;
}

static bool is_outdated(const struct surrogate *self)
{
	size_t more = self->seen_count - self->considered_count;

	return !self->fitted_told ||
	       (double)self->told_count >= REFIT_GROWTH * (double)self->fitted_told ||
	       at_gaussian_count(self->models[0]) + more > OBSERVED_MOST;
}

/* The expected improvement by a candidate, summed over the models, times its factor
   for the risk of failure. */
static double promise_of(const struct surrogate *self, size_t slot, double incumbent)
{
	double expected = 0;

	for (size_t i = 0; i < self->model_count; i++)
		expected += at_gaussian_improvement(self->models[i], slot, incumbent);
	return expected * passing_of(self, slot);
}

/*
 * The most promising slot of first .. first + count - 1, the first of equals;
 * SIZE_MAX: none. Computes a cheap upper bound for all, and the promise itself only
 * if the bound reaches the promise of the slot with the highest bound.
 */
static size_t find_most_promising(const struct surrogate *self, size_t first,
	size_t count, double incumbent, double *improvement)
{
	const struct at_tried *taken = &self->base.pool.taken;
	size_t most_promising = SIZE_MAX, likely = 0;
	float *most = self->promises;
	double least = -1;

	*improvement = -1;
	memset(most, 0, count * sizeof(*most));
	for (size_t i = 0; i < self->model_count; i++)
		at_gaussian_add_improvements_most(
			self->models[i], first, count, incumbent, most);
	for (size_t i = 1; i < count; i++)
		if (most[i] > most[likely])
			likely = i;
	if (count > 1 && !at_tried_test(taken, self->candidates[first + likely]))
		least = promise_of(self, first + likely, incumbent);
	for (size_t i = 0; i < count; i++) {
		double expected;

		if (most[i] < least || most[i] <= *improvement ||
			at_tried_test(taken, self->candidates[first + i]))
			continue;
		expected = promise_of(self, first + i, incumbent);
		if (expected > *improvement) {
			*improvement = expected;
			most_promising = first + i;
		}
	}
	return most_promising;
}

/* Makes neighbours of a configuration climbing candidates. Returns their first slot;
 *count: their number. */
static size_t climb(
	struct surrogate *self, uint64_t center, enum at_neighbours kind, size_t *count)
{
	size_t first = self->climbing;

	*count = set_neighbours(self, center, kind, first, CLIMB);
	set_trends(self, first, *count);
	for (size_t i = 0; i < count_used(self); i++)
		at_gaussian_extend(used(self, i), first, *count);
	self->climbing += CLIMB;
	if (self->climbing == self->candidates_most)
		self->climbing -= CLIMBING_CANDIDATES;
	return first;
}

/* All neighbours, or only adjacent ones: a parameter with thousands of values has too
   many. */
static enum at_neighbours descended(const struct surrogate *self)
{
	return at_search_space_neighbours_max(self->base.pool.space) > NEIGHBOURS_FEW
		       ? AT_NEIGHBOURS_ADJACENT
		       : AT_NEIGHBOURS_ANY;
}

/* The most promising neighbour of one of the best, or of the best alone while the
   search descends; SIZE_MAX: all are tried. */
static size_t find_near(struct surrogate *self, double incumbent)
{
	struct at_pool *pool = &self->base.pool;
	const struct seen *best[NEAR_MOST];
	size_t best_count = list_best(self, self->is_descending ? 1 : NEAR_MOST, best);
	enum at_neighbours kind =
		self->is_descending ? descended(self) : AT_NEIGHBOURS_ANY;
	size_t most_promising = SIZE_MAX;
	size_t count, first;
	double improvement, most_improvement = -1;
	uint64_t center = best[at_random_below(&pool->random, best_count)]->index;

	if (!self->is_whole) {
		first = climb(self, center, kind, &count);
		return find_most_promising(self, first, count, incumbent, &improvement);
	}
	count = at_search_space_neighbours(pool->space, center, kind, pool->neighbours);
	for (size_t i = 0; i < count; i++) {
		size_t slot = find_most_promising(
			self, (size_t)pool->neighbours[i], 1, incumbent, &improvement);

		if (slot != SIZE_MAX && improvement > most_improvement) {
			most_improvement = improvement;
			most_promising = slot;
		}
	}
	return most_promising;
}

static double mean_of(const struct surrogate *self, size_t slot)
{
	double sum = 0;

	for (size_t i = 0; i < self->model_count; i++)
		sum += at_gaussian_mean(self->models[i], slot);
	return sum / (double)self->model_count;
}

/*
 * The candidate with the largest promise. AT_NO_CONFIGURATION: all candidates are
 * taken. *expected: its expected cost as a log-rank; *failing: its probability of
 * failure. At least two configurations must be OK. In larger spaces its neighbours
 * become candidates too, CLIMB_STEPS times.
 */
static uint64_t ask_model(struct surrogate *self, double *expected, double *failing)
{
	double incumbent, improvement, best_improvement;
	size_t slot = SIZE_MAX, told, out;
	bool is_near = self->is_descending ||
		       (self->asked % NEAR_EVERY == 0 &&
			       self->told_count >= 2 * self->worth_told + NEAR_AFTER);
	uint64_t chosen;

	if (is_outdated(self))
		make_model(self);
	for (; self->considered_count < self->seen_count; self->considered_count++)
		observe(self, self->considered_count);
	told = fill_targets(self);
	for (size_t i = 0; i < self->model_count; i++)
		at_gaussian_condition(self->models[i], self->targets, told);
	if (self->learns_failures) {
		fill_failures(self, told);
		at_gaussian_condition(self->failing, self->failures, told);
	}
	out = self->seen_count - self->told_count;
	if (out > IMPROVEMENT_OUT_MOST)
		out = IMPROVEMENT_OUT_MOST;
	incumbent = (log_rank(0) - self->target_mean) / self->target_deviation -
		    (IMPROVEMENT_MOST + IMPROVEMENT_EACH_OUT * (double)out) *
			    at_random_unit(&self->base.pool.random);
	if (is_near)
		slot = find_near(self, incumbent);
	if (slot == SIZE_MAX) {
		is_near = false;
		slot = find_most_promising(
			self, 0, self->candidate_count, incumbent, &best_improvement);
	}
	if (slot == SIZE_MAX)
		return AT_NO_CONFIGURATION;
	chosen = self->candidates[slot];
	*expected = mean_of(self, slot);
	*failing = failing_of(self, slot);
	for (int step = 0; step < CLIMB_STEPS && !self->is_whole && !is_near; step++) {
		size_t count, first = climb(self, chosen, AT_NEIGHBOURS_ANY, &count);

		slot = find_most_promising(self, first, count, incumbent, &improvement);
		if (slot == SIZE_MAX || improvement <= best_improvement)
			break;
		best_improvement = improvement;
		chosen = self->candidates[slot];
		*expected = mean_of(self, slot);
		*failing = failing_of(self, slot);
	}
	*expected = *expected * self->target_deviation + self->target_mean;
	return chosen;
}

/* ---- other problems, devices and sources ------------------------------------------
 */

/* The most observations of this model. */
#define PRIOR_MOST 256

static int compare_costs(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

static int compare_known_indices(const void *a, const void *b)
{
	const struct known *left = a, *right = b;

	return (left->index > right->index) - (left->index < right->index);
}

static int compare_known_targets(const void *a, const void *b)
{
	const struct known *left = a, *right = b;

	if (left->target != right->target)
		return left->target < right->target ? -1 : 1;
	return compare_known_indices(a, b);
}

/* Adds a prior. Its targets are standardized ranks within it, since costs of
   different priors are not comparable. */
static enum at_status add_prior(struct at_strategy *strategy,
	const struct at_prior *prior, struct at_error *err)
{
	struct surrogate *self = (struct surrogate *)strategy;
	double *costs = at_calloc(prior->count + 1, sizeof(*costs));
	double sum = 0, squares = 0;
	size_t ok = 0, first = self->known_count;

	(void)err;
	AT_GROW(self->known, self->known_capacity, first + prior->count);
	for (size_t i = 0; i < prior->count; i++)
		if (prior->told[i].outcome == AT_OUTCOME_OK &&
			isfinite(prior->told[i].cost))
			costs[ok++] = prior->told[i].cost;
	/* a single success has no rank */
	if (ok < 2) {
		free(costs);
		return AT_OK;
	}
	qsort(costs, ok, sizeof(*costs), compare_costs);
	for (size_t i = 0; i < prior->count; i++) {
		const struct at_told *told = &prior->told[i];
		double rank = (double)ok / 2;

		if (told->outcome == AT_OUTCOME_OK && isfinite(told->cost))
			rank = (double)count_below(costs, ok, told->cost);
		self->known[first + i] = (struct known){ told->index, log_rank(rank),
			prior->similarity };
		sum += log_rank(rank);
	}
	self->known_count += prior->count;
	sum /= (double)prior->count;
	for (size_t i = first; i < self->known_count; i++) {
		self->known[i].target -= sum;
		squares += self->known[i].target * self->known[i].target;
	}
	squares = sqrt(squares / (double)prior->count) + 1e-9;
	for (size_t i = first; i < self->known_count; i++)
		self->known[i].target *= prior->similarity / squares;
	if (prior->similarity > self->similarity)
		self->similarity = prior->similarity;
	free(costs);
	return AT_OK;
}

/* The prior means of all features' weights, on the heap. */
static double *new_weight_priors(const struct surrogate *self)
{
	double *priors = at_calloc(self->features.count + 1, sizeof(*priors));

	for (size_t i = 0; i < self->features.count; i++)
		priors[i] = weight_priors[self->features.kinds[i]];
	return priors;
}

/* Makes a model of all priors: for each configuration the mean over its priors,
   weighted by similarity. False: the model does not fit into memory, and the priors are
   unused. */
static bool learn_elsewhere(struct surrogate *self)
{
	struct at_gaussian_options options = {
		.feature_count = self->features.count,
		.observations_most = PRIOR_MOST,
		.candidates_most = at_gaussian_stride(self->models[0]),
		.points_of = self->models[0],
	};
	double *priors = new_weight_priors(self);
	double *targets = at_calloc(PRIOR_MOST, sizeof(*targets));
	size_t merged = 0, chosen = 0;

	qsort(self->known, self->known_count, sizeof(*self->known),
		compare_known_indices);
	for (size_t i = 0; i < self->known_count; i++) {
		struct known *known = &self->known[i];

		if (merged > 0 && self->known[merged - 1].index == known->index) {
			self->known[merged - 1].target += known->target;
			self->known[merged - 1].similarity += known->similarity;
		} else {
			self->known[merged++] = *known;
		}
	}
	self->known_count = merged;
	for (size_t i = 0; i < merged; i++)
		self->known[i].target /= self->known[i].similarity;
	qsort(self->known, merged, sizeof(*self->known), compare_known_targets);
	options.weight_priors = priors;
	if (at_gaussian_new(&options, &self->elsewhere, NULL))
		goto out;
	/* the best get the first half of the room, others at even distances the
	   second */
	for (size_t i = 0; chosen < PRIOR_MOST && i < merged; chosen++) {
		size_t left = PRIOR_MOST - chosen;

		write_features(self, self->known[i].index, self->point, 1);
		at_gaussian_observe(self->elsewhere, self->point, 0, 0);
		targets[chosen] = self->known[i].target;
		i += chosen < PRIOR_MOST / 2 || merged - i <= left
			     ? 1
			     : (merged - i) / left;
	}
	at_gaussian_fit(self->elsewhere, targets, chosen < FIT_MOST ? chosen : FIT_MOST,
		PROPOSALS, &self->base.pool.random);
	at_gaussian_factor(self->elsewhere);
	at_gaussian_condition(self->elsewhere, targets, chosen);
out:
	free(priors);
	free(targets);
	if (!self->elsewhere)
		self->known_count = 0;
	return self->elsewhere != NULL;
}

/* The best free configuration by all priors. */
static uint64_t ask_elsewhere(struct surrogate *self)
{
	for (size_t i = 0; i < self->known_count; i++)
		if (!at_tried_test(&self->base.pool.taken, self->known[i].index))
			return self->known[i].index;
	return AT_NO_CONFIGURATION;
}

/* ---- the strategy -----------------------------------------------------------------
 */

static double distance_from_middle(const struct surrogate *self)
{
	double distance = 0;

	for (size_t c = 0; c < self->features.count; c++) {
		double difference = self->point[c] - 0.5;

		distance += difference * difference;
	}
	return distance;
}

/*
 * Of some random configurations the one that is farthest from all seen ones, with the
 * feature weights of a model without results: Johnson, Moore and Ylvisaker, "Minimax
 * and maximin distance designs" (1990). The farthest lie at the borders, and without
 * a point inside their common effect stays unknown. So the first is the most central
 * one, a centre point as in factorial designs (Box and Wilson, "On the Experimental
 * Attainment of Optimum Conditions", 1951).
 */
static uint64_t ask_start(struct surrogate *self)
{
	struct at_pool *pool = &self->base.pool;
	size_t d = self->features.count;
	uint64_t farthest = AT_NO_CONFIGURATION;
	double most = -INFINITY;
	const double weights[] = {
		[AT_FEATURE_VALUE] = exp(weight_priors[AT_FEATURE_VALUE]),
		[AT_FEATURE_TWOS] = exp(weight_priors[AT_FEATURE_TWOS]),
	};

	for (; self->laid_out < self->seen_count; self->laid_out++)
		write_features(self, self->seen[self->laid_out].index,
			self->layout + self->laid_out * d, 1);
	for (int i = 0; i < START_TRIES; i++) {
		uint64_t drawn = at_search_space_draw(pool->space, &pool->random);
		double nearest = INFINITY;

		if (at_tried_test(&pool->taken, drawn))
			continue;
		write_features(self, drawn, self->point, 1);
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
   best remain, sets is_descending, so that these come next. */
static bool is_enough(struct surrogate *self)
{
	struct at_pool *pool = &self->base.pool;
	const struct seen *best;
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
		self->told_count < STOP_LEAST ||
		self->told_count < 2 * self->worth_told + STOP_MORE ||
		!list_best(self, 1, &best))
		return false;
	count = at_search_space_neighbours(
		pool->space, best->index, descended(self), pool->neighbours);
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
	const struct surrogate *self = (const struct surrogate *)strategy;

	return self->stopped ? self->why : NULL;
}

static void surrogate_exclude(struct at_strategy *strategy, uint64_t index)
{
	see((struct surrogate *)strategy, index);
}

static enum at_ask surrogate_ask(struct at_strategy *strategy, uint64_t *index)
{
	struct surrogate *self = (struct surrogate *)strategy;
	struct at_pool *pool = &self->base.pool;
	double expected = NAN, failing = 0;
	struct seen *seen;

	if (pool->taken.count >= at_search_space_count(pool->space))
		return AT_ASK_DONE;
	if (self->stops && is_enough(self))
		return AT_ASK_DONE;
	*index = AT_NO_CONFIGURATION;
	if (self->known_count > 0 && !self->elsewhere)
		learn_elsewhere(self);
	/* priors say more than configurations far apart */
	if (self->elsewhere && self->told_count < self->start &&
		(self->asked < PRIOR_START || self->ok_count < 2))
		*index = ask_elsewhere(self);
	else if (!self->elsewhere && self->seen_count < self->start)
		*index = ask_start(self);
	else if (self->ok_count >= 2 &&
		 (self->elsewhere || self->told_count >= self->start / 2))
		*index = ask_model(self, &expected, &failing);
	else if (self->is_descending)
		*index = self->below;
	else if (self->seen_count < START_SPREAD_MOST)
		*index = ask_start(self);
	/* otherwise a random one: a model of failures alone, or of one success, says
	   nothing */
	if (*index == AT_NO_CONFIGURATION && !at_pool_draw(pool, index))
		return AT_ASK_DONE;
	seen = see(self, *index);
	seen->expected = expected;
	seen->failing = failing;
	self->asked++;
	return AT_ASK_CONFIGURATION;
}

static void surrogate_close(struct at_strategy *strategy)
{
	struct surrogate *self = (struct surrogate *)strategy;

	if (!self)
		return;
	at_features_release(&self->features);
	for (size_t i = 0; i < MODELS; i++)
		at_gaussian_free(self->models[i]);
	at_gaussian_free(self->failing);
	at_gaussian_free(self->elsewhere);
	free(self->known);
	at_pooled_release(&self->base);
	free(self->seen);
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
static enum at_status reserve(struct surrogate *self, struct at_error *err)
{
	struct at_pool *pool = &self->base.pool;
	uint64_t space_count = at_search_space_count(pool->space);
	size_t feature_count = self->features.count;
	double *priors = new_weight_priors(self);
	struct at_gaussian_options options = { .feature_count = feature_count,
		.weight_priors = priors,
		.observations_most = OBSERVED_MOST };
	enum at_status status = AT_OK;

	self->candidates_most =
		RANDOM_CANDIDATES + NEAR_CANDIDATES + CLIMBING_CANDIDATES;
	/* a space that is scored whole at first may need candidates later */
	options.candidates_most = self->candidates_most;
	if (space_count <= WHOLE_MOST && space_count > options.candidates_most)
		options.candidates_most = (size_t)space_count;
	for (size_t i = 0; i < MODELS && !status; i++) {
		status = at_gaussian_new(&options, &self->models[i], err);
		options.points_of = self->models[0];
	}
	if (!status)
		status = at_gaussian_new(&options, &self->failing, err);
	free(priors);
	if (status)
		return status;
	self->rows = at_calloc(OBSERVED_MOST, sizeof(*self->rows));
	self->targets = at_calloc(OBSERVED_MOST, sizeof(*self->targets));
	self->failures = at_calloc(OBSERVED_MOST, sizeof(*self->failures));
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

/* Opens both kinds; `auto` is the surrogate with "stop", and takes no options. */
static enum at_status surrogate_open(const struct at_strategy_kind *kind,
	const struct at_search_space *space, const char *options, uint64_t seed,
	struct at_strategy **out, struct at_error *err)
{
	static const char *const no_and_yes[] = { "no", "yes", NULL };
	static const struct at_search_option known[] = {
		{ "start", AT_OPTION(struct surrogate, start), START_DEFAULT, .low = 2,
			.high = AT_START_MOST },
		{ "stop", AT_OPTION(struct surrogate, stops), 0, no_and_yes },
	};
	struct surrogate *self = at_calloc(1, sizeof(*self));
	bool is_auto = kind == &at_strategy_auto;
	enum at_status status;

	at_pooled_init(&self->base, kind, space, seed);
	at_features_init(&self->features, space);
	self->start = START_DEFAULT;
	self->stops = is_auto;
	status = at_search_options_parse(kind->name, options, known,
		is_auto ? 0 : AT_COUNT_OF(known), self, err);
	if (!status)
		status = reserve(self, err);
	if (status) {
		surrogate_close(&self->base.strategy);
		return status;
	}
	*out = &self->base.strategy;
	return AT_OK;
}

#define FUNCTIONS \
	.open = surrogate_open, .close = surrogate_close, .prior = add_prior, \
	.ask = surrogate_ask, .tell = tell, .exclude = surrogate_exclude, \
	.why_done = surrogate_why_done

const struct at_strategy_kind at_strategy_surrogate = {
	.name = "surrogate",
	.summary =
		"learns from all results with a Gaussian process, and tries what promises most",
	FUNCTIONS,
};

/* The default strategy: the best of all on recorded and planted spaces, from the
   first few evaluations on. It exhausts a small space. */
const struct at_strategy_kind at_strategy_auto = {
	.name = "auto",
	.summary =
		"learns as surrogate does, and stops when more evaluations would not pay",
	FUNCTIONS,
};
