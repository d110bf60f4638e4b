/* The models of the surrogate: what they learn from, which candidates they score, and
   which candidate promises most. */
#include "search/surrogate_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * A space of up to AT_SURROGATE_WHOLE_MOST configurations is scored whole as long as
 * the table of candidates times observations is no larger than this: a millisecond for
 * an ask.
 */
#define TABLE_MOST 1500000
/* The most told configurations that a model learns from: half of them the best, the
   others random. The time of making its factor grows with their cube. */
#define TOLD_MOST 224
/* So many of AT_SURROGATE_OBSERVED_MOST are kept for later observations, however many
   are out: otherwise the model would be made anew at each ask. */
#define ROOM_LEAST 32
/* The models are made anew whenever the number of told configurations has grown by this
   factor. */
#define REFIT_GROWTH 1.12
/* With more than so many told, one model is used: several would expect nearly the same,
   and an ask should take no more than a millisecond. */
#define MODELS_TOLD_MOST 288
/*
 * A candidate must be better than the best by an amount that is drawn anew for each
 * ask, from 0 to this many deviations of the target. A small amount asks for what is
 * sure, a large one for what is unknown. The more are out, the larger it may be:
 * otherwise all that are out would be alike.
 */
#define IMPROVEMENT_MOST 0.3
#define IMPROVEMENT_EACH_OUT 0.03
#define IMPROVEMENT_OUT_MOST 16
#define CLIMB 64 /* candidates that are replaced at once */
#define CLIMB_STEPS 2 /* climbs in each ask */
#define BEST_MOST 8 /* so many of the best have their neighbours as candidates */
/*
 * When twice as many have been told as it took to find the best, and NEAR_AFTER more,
 * every NEAR_EVERY asks consider only the neighbours of one of the NEAR_MOST best. A
 * model that is wrong about them never finds out by itself, while descent does. Earlier
 * this would only slow the search down.
 */
#define NEAR_AFTER 64
#define NEAR_EVERY 4
#define NEAR_MOST 5
/* With more neighbours, only adjacent ones of the best are all tried before the end. */
#define NEIGHBOURS_FEW 256

const double at_surrogate_weight_priors[] = {
	[AT_FEATURE_VALUE] = -1.25,
	[AT_FEATURE_TWOS] = -1.75,
};

/* ---- targets --------------------------------------------------------------------- */

static bool is_told(const struct at_surrogate *self, size_t row)
{
	return self->seen[self->rows[row]].state != AT_SURROGATE_OUT;
}

/*
 * Fills the targets of all observations up to the last one that was told, and returns
 * how many these are. One that is out has the cost that was expected of it as its
 * target; those that are out behind the last told one have no target.
 */
static size_t fill_targets(struct at_surrogate *self)
{
	double median = at_surrogate_log_rank((double)self->ok_count / 2);
	double sum = 0, squares = 0;
	size_t count = at_gaussian_count(self->models[0]), told = 0;

	while (count > 0 && !is_told(self, count - 1))
		count--;
	for (size_t i = 0; i < count; i++) {
		const struct at_surrogate_seen *seen = &self->seen[self->rows[i]];

		switch (seen->state) {
		case AT_SURROGATE_OUT:
			self->targets[i] =
				isnan(seen->expected) ? median : seen->expected;
			continue;
		case AT_SURROGATE_OK:
			self->targets[i] = at_surrogate_log_rank(
				(double)at_surrogate_rank(self, seen->cost));
			break;
		case AT_SURROGATE_FAILED:
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
	/* if all are equal, there is nothing to learn */
	self->target_deviation = sqrt(squares / (double)told) + 1e-9;
	for (size_t i = 0; i < count; i++)
		self->targets[i] /= self->target_deviation;
	return count;
}

/* ---- the model ------------------------------------------------------------------- */

void at_surrogate_features(
	struct at_surrogate *self, uint64_t index, float *features, size_t stride)
{
	at_search_space_get(self->base.pool.space, index, self->configuration);
	at_features_write(&self->features, self->configuration, features, stride);
}

/* The i-th model in use: those of costs, then the one of failures. */
static struct at_gaussian *used(const struct at_surrogate *self, size_t i)
{
	return i < self->model_count ? self->models[i] : self->failing;
}

static size_t count_used(const struct at_surrogate *self)
{
	return self->model_count + self->learns_failures;
}

/* Puts a configuration into a slot, which all models share. They know nothing of it
   before at_gaussian_extend(). */
static void set_candidate(struct at_surrogate *self, size_t slot, uint64_t index)
{
	self->candidates[slot] = index;
	at_surrogate_features(self, index, at_gaussian_point(self->models[0], slot),
		at_gaussian_stride(self->models[0]));
}

/* Sets the trends of candidates with new features from what is known from elsewhere. */
static void set_trends(struct at_surrogate *self, size_t first, size_t count)
{
	if (!self->elsewhere)
		return;
	at_gaussian_extend(self->elsewhere, first, count);
	for (size_t slot = first; slot < first + count; slot++)
		for (size_t i = 0; i < self->model_count; i++)
			at_gaussian_set_trend(self->models[i], slot,
				(float)(self->likeness *
					at_gaussian_mean(self->elsewhere, slot)));
}

/* Gives all models in use an observation; place: in seen. */
static void observe(struct at_surrogate *self, size_t place)
{
	double trend = 0;
	double doubt = at_surrogate_doubts_failures(self) &&
				       self->seen[place].state == AT_SURROGATE_FAILED
			       ? AT_GAUSSIAN_UNKNOWN
			       : 0;

	self->rows[at_gaussian_count(self->models[0])] = place;
	at_surrogate_features(self, self->seen[place].index, self->point, 1);
	if (self->elsewhere)
		trend = self->likeness *
			at_gaussian_predict(self->elsewhere, self->point);
	for (size_t i = 0; i < self->model_count; i++)
		at_gaussian_observe(self->models[i], self->point, (float)trend, doubt);
	/* what is known from elsewhere are costs, not failures */
	if (self->learns_failures)
		at_gaussian_observe(self->failing, self->point, 0, 0);
}

/*
 * Chooses what the models learn from: all that was told, or the TOLD_MOST / 2 best and
 * as many others; then what is out. Weights are drawn by the first observations, so
 * that the best and the others alternate.
 */
static void observe_all(struct at_surrogate *self)
{
	const struct at_surrogate_seen *best[TOLD_MOST / 2];
	size_t best_count = 0, left = self->told_count, room = TOLD_MOST;
	size_t out = 0, first_out = self->seen_count, room_for_out;
	double worst_best = -1;

	for (size_t i = 0; i < self->model_count; i++)
		at_gaussian_clear(self->models[i]);
	at_gaussian_clear(self->failing);
	if (self->told_count > AT_SURROGATE_FIT_MOST) {
		best_count = at_surrogate_best(self,
			self->told_count > TOLD_MOST ? TOLD_MOST / 2
						     : AT_SURROGATE_FIT_MOST / 2,
			best);
		room = (self->told_count < TOLD_MOST ? self->told_count : TOLD_MOST) -
		       best_count;
		left -= best_count;
		if (best_count)
			worst_best = best[best_count - 1]->cost;
	}
	for (size_t i = 0, next = 0; i < self->seen_count; i++) {
		const struct at_surrogate_seen *seen = &self->seen[i];
		bool is_best =
			seen->state == AT_SURROGATE_OK && seen->cost <= worst_best;

		/* of several with the worst best cost, some may not be among the
		   best */
		for (size_t j = 0; is_best && j < best_count; j++)
			if (best[j] == seen)
				break;
			else if (j + 1 == best_count)
				is_best = false;
		if (seen->state == AT_SURROGATE_OUT || is_best)
			continue;
		/* `room` of the `left` ones, each equally likely: Knuth, "The Art of
		   Computer Programming", volume 2, 3.4.2, algorithm S */
		if (room > 0 && at_random_below(&self->base.pool.random, left) < room) {
			if (next < best_count)
				observe(self, (size_t)(best[next++] - self->seen));
			observe(self, i);
			room--;
		}
		left--;
		/* after the last of the others, the remaining best ones follow */
		if (left == 0 || room == 0)
			while (next < best_count)
				observe(self, (size_t)(best[next++] - self->seen));
	}
	room_for_out = AT_SURROGATE_OBSERVED_MOST - ROOM_LEAST -
		       at_gaussian_count(self->models[0]);
	/*
	 * Of too many that are out take the newest: the oldest were most likely
	 * abandoned by the caller. They are observed in the order in which they were
	 * asked for. Most results come in that order, so that few that are out stand
	 * ahead of a told one (fill_targets()).
	 */
	for (size_t i = self->seen_count; i-- > 0 && out < room_for_out;)
		if (self->seen[i].state == AT_SURROGATE_OUT) {
			out++;
			first_out = i;
		}
	for (size_t i = first_out; i < self->seen_count; i++)
		if (self->seen[i].state == AT_SURROGATE_OUT)
			observe(self, i);
	self->taken_in = self->seen_count;
}

/* Puts random neighbours of a configuration that are not taken into the slots first ..
   first + most - 1; returns how many. */
static size_t set_neighbours(struct at_surrogate *self, uint64_t center,
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

/* Chooses the candidates that the models score. */
static void choose_candidates(struct at_surrogate *self)
{
	struct at_pool *pool = &self->base.pool;
	uint64_t space_count = at_search_space_count(pool->space);
	const struct at_surrogate_seen *best[BEST_MOST];
	size_t best_count = at_surrogate_best(self, BEST_MOST, best), filled = 0;
	bool was_whole = self->is_whole && self->candidate_count > 0;

	self->is_whole = space_count <= AT_SURROGATE_WHOLE_MOST &&
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
			filled,
			(AT_SURROGATE_NEAR_CANDIDATES - filled) / (best_count - i));
	/* all other slots, and those for neighbours that do not exist, get random
	   configurations */
	for (; filled < self->candidates_most; filled++)
		set_candidate(
			self, filled, at_search_space_draw(pool->space, &pool->random));
	set_trends(self, 0, filled);
	self->candidate_count = filled;
	self->climbing = filled - AT_SURROGATE_CLIMBING_CANDIDATES;
}

/* Makes the models anew: observations, candidates, weights. */
static void make_model(struct at_surrogate *self)
{
	size_t told;

	self->model_count =
		self->told_count > MODELS_TOLD_MOST ? 1 : AT_SURROGATE_MODELS;
	/* no time is left then for a model of failures either */
	self->learns_failures =
		self->told_count <= MODELS_TOLD_MOST && at_surrogate_has_failures(self);
	observe_all(self);
	told = fill_targets(self);
	if (self->learns_failures)
		at_surrogate_fill_failures(self, told);
	choose_candidates(self);
	for (size_t i = 0; i < count_used(self); i++) {
		at_gaussian_fit(used(self, i),
			i < self->model_count ? self->targets : self->failures,
			told < AT_SURROGATE_FIT_MOST ? told : AT_SURROGATE_FIT_MOST,
			AT_SURROGATE_PROPOSALS, &self->base.pool.random);
		at_gaussian_factor(used(self, i));
		at_gaussian_extend(used(self, i), 0, self->candidate_count);
	}
	self->fitted_told = self->told_count;
}

static bool is_outdated(const struct at_surrogate *self)
{
	size_t more = self->seen_count - self->taken_in;

	return !self->fitted_told ||
	       (double)self->told_count >= REFIT_GROWTH * (double)self->fitted_told ||
	       at_gaussian_count(self->models[0]) + more > AT_SURROGATE_OBSERVED_MOST;
}

/* The expected improvement by a candidate, summed over the models, less its likelihood
   of failure. */
static double promise_of(const struct at_surrogate *self, size_t slot, double incumbent)
{
	double expected = 0;

	for (size_t i = 0; i < self->model_count; i++)
		expected += at_gaussian_improvement(self->models[i], slot, incumbent);
	return expected * at_surrogate_passing(self, slot);
}

/*
 * The slot of first .. first + count - 1 that promises most, the first of equals;
 * SIZE_MAX: none. An upper bound is computed for all, which is cheap. The promise
 * itself is computed only where the bound is no less than the promise of the slot with
 * the highest bound.
 */
static size_t find_most_promising(const struct at_surrogate *self, size_t first,
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

/* Makes neighbours of a configuration climbing candidates. Returns the first of their
   slots; *count: how many they are. */
static size_t climb(struct at_surrogate *self, uint64_t center, enum at_neighbours kind,
	size_t *count)
{
	size_t first = self->climbing;

	*count = set_neighbours(self, center, kind, first, CLIMB);
	set_trends(self, first, *count);
	for (size_t i = 0; i < count_used(self); i++)
		at_gaussian_extend(used(self, i), first, *count);
	self->climbing += CLIMB;
	if (self->climbing == self->candidates_most)
		self->climbing -= AT_SURROGATE_CLIMBING_CANDIDATES;
	return first;
}

/* All neighbours, or only adjacent ones: a parameter with thousands of values has too
   many. */
enum at_neighbours at_surrogate_descended(const struct at_surrogate *self)
{
	return at_search_space_neighbours_max(self->base.pool.space) > NEIGHBOURS_FEW
		       ? AT_NEIGHBOURS_ADJACENT
		       : AT_NEIGHBOURS_ANY;
}

/* The most promising neighbour of one of the best, or of the best alone while the
   search descends; SIZE_MAX: none is left. */
static size_t find_near(struct at_surrogate *self, double incumbent)
{
	struct at_pool *pool = &self->base.pool;
	const struct at_surrogate_seen *best[NEAR_MOST];
	size_t best_count =
		at_surrogate_best(self, self->is_descending ? 1 : NEAR_MOST, best);
	enum at_neighbours kind =
		self->is_descending ? at_surrogate_descended(self) : AT_NEIGHBOURS_ANY;
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

static double mean_of(const struct at_surrogate *self, size_t slot)
{
	double sum = 0;

	for (size_t i = 0; i < self->model_count; i++)
		sum += at_gaussian_mean(self->models[i], slot);
	return sum / (double)self->model_count;
}

/* See surrogate_parts.h. In larger spaces the choice climbs: its neighbours become
   candidates too, CLIMB_STEPS times. */
uint64_t at_surrogate_ask_model(
	struct at_surrogate *self, double *expected, double *failing)
{
	double incumbent, improvement, best_improvement;
	size_t slot = SIZE_MAX, told, out;
	bool is_near = self->is_descending ||
		       (self->asked % NEAR_EVERY == 0 &&
			       self->told_count >= 2 * self->worth_told + NEAR_AFTER);
	uint64_t chosen;

	if (is_outdated(self))
		make_model(self);
	for (; self->taken_in < self->seen_count; self->taken_in++)
		observe(self, self->taken_in);
	told = fill_targets(self);
	for (size_t i = 0; i < self->model_count; i++)
		at_gaussian_condition(self->models[i], self->targets, told);
	if (self->learns_failures) {
		at_surrogate_fill_failures(self, told);
		at_gaussian_condition(self->failing, self->failures, told);
	}
	out = self->seen_count - self->told_count;
	if (out > IMPROVEMENT_OUT_MOST)
		out = IMPROVEMENT_OUT_MOST;
	incumbent = (at_surrogate_log_rank(0) - self->target_mean) /
			    self->target_deviation -
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
	*failing = at_surrogate_failing(self, slot);
	for (int step = 0; step < CLIMB_STEPS && !self->is_whole && !is_near; step++) {
		size_t count, first = climb(self, chosen, AT_NEIGHBOURS_ANY, &count);

		slot = find_most_promising(self, first, count, incumbent, &improvement);
		if (slot == SIZE_MAX || improvement <= best_improvement)
			break;
		best_improvement = improvement;
		chosen = self->candidates[slot];
		*expected = mean_of(self, slot);
		*failing = at_surrogate_failing(self, slot);
	}
	*expected = *expected * self->target_deviation + self->target_mean;
	return chosen;
}
