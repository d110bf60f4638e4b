/*
 * Bayesian optimization: a Gaussian process learns from all that was told, and what is
 * tried next is what it expects the most of. Jones, Schonlau and Welch, "Efficient
 * Global Optimization of Expensive Black-Box Functions" (1998). What differs from the
 * textbook was found on recorded and on planted spaces:
 *
 *   - What is learned is the logarithm of the rank of a cost, not the cost: the many
 *     slow configurations are told apart no more than need be, and no unit matters.
 *   - A failure counts like the median of what passed: far from the best, and no cliff
 *     that would bend the model around it.
 *   - Weights of the features are drawn, not maximized: see search/gaussian.h.
 *   - What is out counts as observed, at the cost that was expected of it, so that the
 *     next to be asked for lies elsewhere ("kriging believer": Ginsbourger, Le Riche
 * and Carraro 2010).
 *
 * A space of up to WHOLE_MOST configurations is scored whole. Of a larger one
 * candidates are: some drawn at random, the surroundings of the best, and, at each ask,
 * those of the candidate of which most is expected, so that from ask to ask the
 * candidates climb to where the expectation is highest.
 */
#include "base/memory.h"
#include "search/features.h"
#include "search/gaussian.h"
#include "search/pool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Configurations that lie apart, before a model is of use. */
#define START_DEFAULT 12
/* Each of these is the best of so many random ones. */
#define START_TRIES 100
/* Larger spaces are not scored whole; nor is one whose table would grow beyond so many
   numbers: a millisecond an ask. */
#define WHOLE_MOST 20000
#define TABLE_MOST 1500000
/* The model learns from so many told configurations at most: the best half of them, and
   others at random. Its factor grows with their cube. */
#define TOLD_MOST 224
/* ... and, until it is made anew, from so many with those that came since or are out.
 */
#define OBSERVED_MOST 336
/* ... of which so many are left for those to come, however many are out: else the model
   would be made anew at each ask. */
#define ROOM_LEAST 32
/* Weights are drawn by so many of them, at most: they need less than the model. */
#define FIT_MOST 160
/* Fewer leave the weights where they were; more change nothing that recordings show. */
#define PROPOSALS 60
/* The model is made anew whenever so much more has been told. */
#define REFIT_GROWTH 1.12
/*
 * Models whose expectations are averaged: weights that are drawn anew fit as well, and
 * promise other things.
 */
#define MODELS 3
/* With more than so many told, one is left: what they promise differs little then, and
   an ask is to take no more than a millisecond. */
#define MODELS_TOLD_MOST 288
/* log(8 + rank): the best few ranks are worth telling apart, not more than the rest. */
#define RANK_OFFSET 8
/*
 * What is asked for has to be better than the best by as much as this, in deviations of
 * the target, drawn anew for each ask: little asks for what is sure, much for what is
 * unknown. The more are out at once, the more the most: else all are of one kind.
 */
#define IMPROVEMENT_MOST 0.3
#define IMPROVEMENT_EACH_OUT 0.03
#define IMPROVEMENT_OUT_MOST 16

/* Candidates in a space that is not scored whole. */
#define RANDOM_CANDIDATES 2048
#define NEAR_CANDIDATES 1536
#define CLIMBING_CANDIDATES 512
#define CLIMB 64 /* candidates that are replaced at once */
#define CLIMB_STEPS 2 /* at each ask */
#define BEST_MOST 8 /* whose surroundings are candidates */

/*
 * When twice as many have been told as it took to find the best, every so many asks the
 * neighbours of one of the best NEAR_MOST alone are considered: a model that is wrong
 * about them never finds out, and descent does. Before that it would only hold up.
 */
#define NEAR_EVERY 4
#define NEAR_MOST 5

/*
 * When it stops by itself, where it may: not in a space that is soon exhausted; not
 * before it has tried as many as take about as long as finals and proof; and not before
 * all neighbours of the best are tried and as many evaluations again as it took to find
 * the best, and some, have brought nothing of worth.
 */
#define EXHAUSTED_MOST 512
#define STOP_LEAST 256
#define STOP_MORE 64
#define FAILURES_MOST 1024 /* with none that passed: it is the kernel then */
#define WORTH 0.998 /* less than 0.2 % less is noise */

/* So many of what is known from elsewhere are learned from. */
#define PRIOR_MOST 256
/* The best of these are tried first: some, since it is known that they differ. */
#define PRIOR_START 4

/* Prior of the logarithm of a feature's weight, by its kind. */
static const double weight_priors[] = {
	[AT_FEATURE_VALUE] = -1.25,
	[AT_FEATURE_TWOS] = -1.75,
};

enum state {
	STATE_OUT = 0, /* asked for, or excluded: nothing is known yet */
	STATE_OK,
	STATE_FAILED,
};

struct seen {
	uint64_t index;
	enum state state;
	double cost; /* of OK */
	/* what the model expected of it when it was asked for, as log-rank; NAN: it was
	   asked for without a model */
	double expected;
};

struct surrogate {
	struct at_pooled base; /* first: what is taken, and random draws */
	size_t start;

	struct seen *seen; /* in the order in which they came up */
	size_t seen_count;
	size_t seen_capacity;
	struct place {
		uint64_t index; /* AT_NO_CONFIGURATION: a free slot */
		size_t seen;
	} * places; /* hash table with open addressing */
	size_t place_count; /* slots: a power of two */
	double *costs; /* of those that are OK, ascending */
	size_t ok_count;
	size_t cost_capacity;
	size_t told_count;

	struct at_features features;
	/* of the same observations and candidates, each with weights of its own */
	struct at_gaussian *models[MODELS];
	size_t model_count; /* of these that are in use */
	size_t *rows; /* observation of the model -> place in seen */
	double *targets; /* of the observations, standardized */
	double target_mean; /* what they were standardized by */
	double target_deviation;
	size_t taken_in; /* seen[0 .. taken_in) is in the model, or left out of it */
	size_t fitted_told; /* told_count when the model was made; 0: there is none */
	uint64_t *candidates;
	size_t candidate_count;
	size_t candidates_most;
	bool is_whole; /* candidate i is configuration i */
	size_t climbing; /* where the next climbing candidates go */
	uint16_t *configuration;
	float *point; /* features of one configuration */
	size_t asked;

	/* what is known from elsewhere: candidates as those of the model; NULL: nothing
	 */
	struct at_gaussian *elsewhere;
	struct known {
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

/* ---- what was seen ------------------------------------------------------------- */

static struct place *find_place(struct place *places, size_t count, uint64_t index)
{
	/* Fibonacci hashing, as in search/pool.c */
	size_t slot =
		(size_t)((index * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (count - 1);

	while (places[slot].index != AT_NO_CONFIGURATION && places[slot].index != index)
		slot = (slot + 1) & (count - 1);
	return &places[slot];
}

static struct place *new_places(size_t count)
{
	struct place *places = malloc(count * sizeof(*places));

	for (size_t i = 0; places && i < count; i++)
		places[i].index = AT_NO_CONFIGURATION;
	return places;
}

/* NULL where memory ran out: the strategy ends then, at the next ask */
static struct seen *see(struct surrogate *self, uint64_t index)
{
	struct place *place = find_place(self->places, self->place_count, index);

	if (place->index != AT_NO_CONFIGURATION)
		return &self->seen[place->seen];
	at_pool_take(&self->base.pool, index);
	if (self->seen_count == self->place_count / 2) {
		size_t more = self->place_count * 2;
		struct place *grown = new_places(more);

		if (!grown) {
			self->base.pool.taken.failed = true;
			return NULL;
		}
		for (size_t i = 0; i < self->place_count; i++)
			if (self->places[i].index != AT_NO_CONFIGURATION)
				*find_place(grown, more, self->places[i].index) =
					self->places[i];
		free(self->places);
		self->places = grown;
		self->place_count = more;
		place = find_place(grown, more, index);
	}
	if (AT_RESERVE(self->seen, self->seen_capacity, self->seen_count + 1, NULL)) {
		self->base.pool.taken.failed = true;
		return NULL;
	}
	*place = (struct place){ index, self->seen_count };
	self->seen[self->seen_count] = (struct seen){ .index = index, .expected = NAN };
	return &self->seen[self->seen_count++];
}

/* how many of those that are OK cost less */
static size_t rank_of(const struct surrogate *self, double cost)
{
	size_t low = 0, high = self->ok_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (self->costs[middle] < cost)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void surrogate_tell(struct at_strategy *strategy, const struct at_told *told)
{
	struct surrogate *self = (struct surrogate *)strategy;
	struct seen *seen = see(self, told->index);
	size_t rank;

	if (!seen)
		return;
	self->told_count += seen->state == STATE_OUT;
	if (seen->state == STATE_OK) {
		/* told again: the last one counts */
		if (told->outcome == AT_OUTCOME_OK && told->cost == seen->cost)
			return;
		rank = rank_of(self, seen->cost);
		self->ok_count--;
		memmove(self->costs + rank, self->costs + rank + 1,
			(self->ok_count - rank) * sizeof(*self->costs));
		/* the best is none any more: who is it now, and since when, begins anew
		 */
		if (self->ok_count > 0 && self->costs[0] > self->worth) {
			self->worth = self->costs[0];
			self->worth_told = self->told_count;
		}
	}
	seen->state = STATE_FAILED;
	if (told->outcome != AT_OUTCOME_OK || !isfinite(told->cost))
		return;
	if (AT_RESERVE(self->costs, self->cost_capacity, self->ok_count + 1, NULL)) {
		self->base.pool.taken.failed = true;
		return;
	}
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

static void surrogate_exclude(struct at_strategy *strategy, uint64_t index)
{
	see((struct surrogate *)strategy, index);
}

/* ---- targets --------------------------------------------------------------------- */

static double log_rank(double rank)
{
	return log(RANK_OFFSET + rank);
}

static bool is_told(const struct surrogate *self, size_t row)
{
	return self->seen[self->rows[row]].state != STATE_OUT;
}

/*
 * Fills targets of the observations up to the last that was told, and returns how many
 * these are: what is out after it has no say. What is out before it stands for what was
 * expected of it.
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
	/* all the same: whatever the unit, there is nothing to learn */
	self->target_deviation = sqrt(squares / (double)told) + 1e-9;
	for (size_t i = 0; i < count; i++)
		self->targets[i] /= self->target_deviation;
	return count;
}

/* ---- the model ------------------------------------------------------------------- */

static void write_features(
	struct surrogate *self, uint64_t index, float *features, size_t stride)
{
	at_search_space_get(self->base.pool.space, index, self->configuration);
	at_features_write(&self->features, self->configuration, features, stride);
}

/* after it, and before extend(), the model knows nothing of it yet */
static void set_candidate(struct surrogate *self, size_t slot, uint64_t index)
{
	self->candidates[slot] = index;
	for (size_t i = 0; i < self->model_count; i++)
		write_features(self, index, at_gaussian_point(self->models[i], slot),
			at_gaussian_stride(self->models[i]));
	if (self->elsewhere)
		write_features(self, index, at_gaussian_point(self->elsewhere, slot),
			at_gaussian_stride(self->elsewhere));
}

/* what is known from elsewhere is the trend of candidates whose features are new */
static void set_trends(struct surrogate *self, size_t first, size_t count)
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

static void observe(struct surrogate *self, size_t place)
{
	double trend = 0;

	self->rows[at_gaussian_count(self->models[0])] = place;
	write_features(self, self->seen[place].index, self->point, 1);
	if (self->elsewhere)
		trend = self->likeness *
			at_gaussian_predict(self->elsewhere, self->point);
	for (size_t i = 0; i < self->model_count; i++)
		at_gaussian_observe(self->models[i], self->point, (float)trend);
}

static int compare_seen(const void *a, const void *b)
{
	const struct seen *left = *(const struct seen *const *)a;
	const struct seen *right = *(const struct seen *const *)b;

	if (left->cost != right->cost)
		return left->cost < right->cost ? -1 : 1;
	return (left > right) - (left < right);
}

/* The best that were told, best first; returns how many, at most `most`. */
static size_t find_best(
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

/*
 * Chooses what the model learns from: all that was told, or the best half of TOLD_MOST
 * and as many others; then what is out. Those the weights are drawn by come first, and
 * are the best and others in turn.
 */
static void observe_all(struct surrogate *self)
{
	const struct seen *best[TOLD_MOST / 2];
	size_t best_count = 0, left = self->told_count, room = TOLD_MOST;
	size_t out = 0, first_out = self->seen_count, room_for_out;
	double worst_best = -1;

	for (size_t i = 0; i < self->model_count; i++)
		at_gaussian_clear(self->models[i]);
	if (self->told_count > FIT_MOST) {
		best_count = find_best(self,
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

		/* of equals some may not be among the best */
		for (size_t j = 0; is_best && j < best_count; j++)
			if (best[j] == seen)
				break;
			else if (j + 1 == best_count)
				is_best = false;
		if (seen->state == STATE_OUT || is_best)
			continue;
		/* room of those that are left, each as likely as another: Knuth, "The
		   Art of Computer Programming", volume 2, 3.4.2, algorithm S */
		if (room > 0 && at_random_below(&self->base.pool.random, left) < room) {
			if (next < best_count)
				observe(self, (size_t)(best[next++] - self->seen));
			observe(self, i);
			room--;
		}
		left--;
		/* the last of the others: what is left of the best follows */
		if (left == 0 || room == 0)
			while (next < best_count)
				observe(self, (size_t)(best[next++] - self->seen));
	}
	room_for_out = OBSERVED_MOST - ROOM_LEAST - at_gaussian_count(self->models[0]);
	/*
	 * The newest, where there are too many: the oldest have most likely been
	 * forgotten by whoever asked. In the order in which they were asked for: most
	 * are told in it, and then none that is out stands before one that was told
	 * (fill_targets()).
	 */
	for (size_t i = self->seen_count; i-- > 0 && out < room_for_out;)
		if (self->seen[i].state == STATE_OUT) {
			out++;
			first_out = i;
		}
	for (size_t i = first_out; i < self->seen_count; i++)
		if (self->seen[i].state == STATE_OUT)
			observe(self, i);
	self->taken_in = self->seen_count;
}

/* Some of the neighbours of a configuration, into the slots first .. first + most - 1;
   returns how many. Those that are taken are no candidates. */
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
	size_t best_count = find_best(self, BEST_MOST, best), filled = 0;
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
	/* what surroundings are too small to fill, and all else, is drawn */
	for (; filled < self->candidates_most; filled++)
		set_candidate(
			self, filled, at_search_space_draw(pool->space, &pool->random));
	set_trends(self, 0, filled);
	self->candidate_count = filled;
	self->climbing = filled - CLIMBING_CANDIDATES;
}

static void make_model(struct surrogate *self)
{
	size_t told;

	self->model_count = self->told_count > MODELS_TOLD_MOST ? 1 : MODELS;
	observe_all(self);
	told = fill_targets(self);
	choose_candidates(self);
	for (size_t i = 0; i < self->model_count; i++) {
		at_gaussian_fit(self->models[i], self->targets,
			told < FIT_MOST ? told : FIT_MOST, PROPOSALS,
			&self->base.pool.random);
		at_gaussian_factor(self->models[i]);
		at_gaussian_extend(self->models[i], 0, self->candidate_count);
	}
	self->fitted_told = self->told_count;
}

static bool is_outdated(const struct surrogate *self)
{
	size_t more = self->seen_count - self->taken_in;

	return !self->fitted_told ||
	       (double)self->told_count >= REFIT_GROWTH * (double)self->fitted_told ||
	       at_gaussian_count(self->models[0]) + more > OBSERVED_MOST;
}

/* the slot of first .. first + count - 1 of which most is expected; SIZE_MAX: none */
static size_t find_most_promising(const struct surrogate *self, size_t first,
	size_t count, double incumbent, double *improvement)
{
	size_t most_promising = SIZE_MAX;

	*improvement = -1;
	for (size_t slot = first; slot < first + count; slot++) {
		double expected = 0, most = 0;

		for (size_t i = 0; i < self->model_count; i++)
			most += at_gaussian_improvement_most(
				self->models[i], slot, incumbent);
		if (most <= *improvement ||
			at_tried_test(&self->base.pool.taken, self->candidates[slot]))
			continue;
		for (size_t i = 0; i < self->model_count; i++)
			expected += at_gaussian_improvement(
				self->models[i], slot, incumbent);
		if (expected > *improvement) {
			*improvement = expected;
			most_promising = slot;
		}
	}
	return most_promising;
}

/*
 * Neighbours of a configuration as climbing candidates: the first of their slots, and
 * how many they are.
 */
static size_t climb(
	struct surrogate *self, uint64_t center, enum at_neighbours kind, size_t *count)
{
	size_t first = self->climbing;

	*count = set_neighbours(self, center, kind, first, CLIMB);
	set_trends(self, first, *count);
	for (size_t i = 0; i < self->model_count; i++)
		at_gaussian_extend(self->models[i], first, *count);
	self->climbing += CLIMB;
	if (self->climbing == self->candidates_most)
		self->climbing -= CLIMBING_CANDIDATES;
	return first;
}

/* The neighbours that are tried before it stops: a parameter with thousands of values
   has too many. */
static enum at_neighbours descended(const struct surrogate *self)
{
	return at_search_space_neighbours_max(self->base.pool.space) > STOP_LEAST
		       ? AT_NEIGHBOURS_ADJACENT
		       : AT_NEIGHBOURS_ANY;
}

/* of the neighbours that are left of one of the best, of the best where it descends;
   SIZE_MAX: none is */
static size_t find_near(struct surrogate *self, double incumbent)
{
	struct at_pool *pool = &self->base.pool;
	const struct seen *best[NEAR_MOST];
	size_t best_count = find_best(self, self->is_descending ? 1 : NEAR_MOST, best);
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
 * What the models promise most of. AT_NO_CONFIGURATION: all candidates are taken.
 * *expected: what it expects it to cost, as log-rank.
 */
static uint64_t ask_model(struct surrogate *self, double *expected)
{
	double incumbent, improvement, best_improvement;
	size_t slot = SIZE_MAX, told, out;
	bool is_near = self->is_descending ||
		       (self->asked % NEAR_EVERY == 0 &&
			       self->told_count >= 2 * self->worth_told + STOP_MORE);
	uint64_t chosen;

	if (is_outdated(self))
		make_model(self);
	for (; self->taken_in < self->seen_count; self->taken_in++)
		observe(self, self->taken_in);
	told = fill_targets(self);
	for (size_t i = 0; i < self->model_count; i++)
		at_gaussian_condition(self->models[i], self->targets, told);
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
	for (int step = 0; step < CLIMB_STEPS && !self->is_whole && !is_near; step++) {
		size_t count, first = climb(self, chosen, AT_NEIGHBOURS_ANY, &count);

		slot = find_most_promising(self, first, count, incumbent, &improvement);
		if (slot == SIZE_MAX || improvement <= best_improvement)
			break;
		best_improvement = improvement;
		chosen = self->candidates[slot];
		*expected = mean_of(self, slot);
	}
	*expected = *expected * self->target_deviation + self->target_mean;
	return chosen;
}

/* ---- what is known from elsewhere ---------------------------------------------- */

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

/* Its targets are ranks in it, standardized: costs of two priors do not compare. */
static enum at_status surrogate_prior(struct at_strategy *strategy,
	const struct at_prior *prior, struct at_error *err)
{
	struct surrogate *self = (struct surrogate *)strategy;
	double *costs = calloc(prior->count + 1, sizeof(*costs));
	double sum = 0, squares = 0;
	size_t ok = 0, first = self->known_count;
	enum at_status status = costs ? AT_RESERVE(self->known, self->known_capacity,
						first + prior->count, err)
				      : at_fail_memory(err);

	for (size_t i = 0; i < prior->count && !status; i++)
		if (prior->told[i].outcome == AT_OUTCOME_OK &&
			isfinite(prior->told[i].cost))
			costs[ok++] = prior->told[i].cost;
	/* of one success there is no better and no worse */
	if (status || ok < 2) {
		free(costs);
		return status;
	}
	qsort(costs, ok, sizeof(*costs), compare_costs);
	for (size_t i = 0; i < prior->count; i++) {
		const struct at_told *told = &prior->told[i];
		double rank = (double)ok / 2;

		if (told->outcome == AT_OUTCOME_OK && isfinite(told->cost)) {
			size_t low = 0, high = ok;

			while (low < high) {
				size_t middle = low + (high - low) / 2;

				if (costs[middle] < told->cost)
					low = middle + 1;
				else
					high = middle;
			}
			rank = (double)low;
		}
		self->known[first + i] =
			(struct known){ told->index, log_rank(rank), prior->likeness };
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
		self->known[i].target *= prior->likeness / squares;
	if (prior->likeness > self->likeness)
		self->likeness = prior->likeness;
	free(costs);
	return AT_OK;
}

/*
 * A model of what is known from elsewhere: the mean of all priors that know of a
 * configuration, by likeness. False: memory ran out, and nothing is known.
 */
static bool learn_from_elsewhere(struct surrogate *self)
{
	struct at_gaussian_options options = {
		.feature_count = self->features.count,
		.observations_most = PRIOR_MOST,
		.candidates_most = at_gaussian_stride(self->models[0]),
	};
	double *priors = calloc(self->features.count + 1, sizeof(*priors));
	double *targets = calloc(PRIOR_MOST, sizeof(*targets));
	size_t merged = 0, chosen = 0;

	if (!priors || !targets)
		goto out;
	qsort(self->known, self->known_count, sizeof(*self->known),
		compare_known_indices);
	for (size_t i = 0; i < self->known_count; i++) {
		struct known *known = &self->known[i];

		if (merged > 0 && self->known[merged - 1].index == known->index) {
			self->known[merged - 1].target += known->target;
			self->known[merged - 1].likeness += known->likeness;
		} else {
			self->known[merged++] = *known;
		}
	}
	self->known_count = merged;
	for (size_t i = 0; i < merged; i++)
		self->known[i].target /= self->known[i].likeness;
	qsort(self->known, merged, sizeof(*self->known), compare_known_targets);
	for (size_t i = 0; i < self->features.count; i++)
		priors[i] = weight_priors[self->features.kinds[i]];
	options.weight_priors = priors;
	if (at_gaussian_new(&options, &self->elsewhere, NULL))
		goto out;
	/* the best half of what there is room for, and others at even distances */
	for (size_t i = 0; chosen < PRIOR_MOST && i < merged; chosen++) {
		size_t left = PRIOR_MOST - chosen;

		write_features(self, self->known[i].index, self->point, 1);
		at_gaussian_observe(self->elsewhere, self->point, 0);
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

/* the best of what is known from elsewhere that was not tried here */
static uint64_t ask_elsewhere(struct surrogate *self)
{
	for (size_t i = 0; i < self->known_count; i++)
		if (!at_tried_test(&self->base.pool.taken, self->known[i].index))
			return self->known[i].index;
	return AT_NO_CONFIGURATION;
}

/* ---- asking ---------------------------------------------------------------------- */

/*
 * Of some random configurations the one that is farthest from all that were seen, each
 * feature weighed as the model does before it has learned: Johnson, Moore and
 * Ylvisaker, "Minimax and maximin distance designs" (1990).
 */
static uint64_t ask_start(struct surrogate *self)
{
	struct at_pool *pool = &self->base.pool;
	uint64_t farthest = AT_NO_CONFIGURATION;
	double most = -1;

	for (int i = 0; i < START_TRIES; i++) {
		uint64_t drawn = at_search_space_draw(pool->space, &pool->random);
		double nearest = INFINITY;

		if (at_tried_test(&pool->taken, drawn))
			continue;
		at_search_space_get(pool->space, drawn, self->configuration);
		at_features_write(&self->features, self->configuration, self->point, 1);
		for (size_t j = 0; j < self->seen_count && nearest > most; j++) {
			float *other = self->point + self->features.count;
			double distance = 0;

			at_search_space_get(
				pool->space, self->seen[j].index, self->configuration);
			at_features_write(
				&self->features, self->configuration, other, 1);
			for (size_t c = 0; c < self->features.count; c++) {
				double difference = self->point[c] - other[c];

				distance +=
					exp(weight_priors[self->features.kinds[c]]) *
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

/* As is said at STOP_LEAST. What is left of the best one's neighbours is asked for
   before anything else then. */
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
		!find_best(self, 1, &best))
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

	return self->stopped ? self->why : at_pooled_why_done(strategy);
}

static enum at_ask surrogate_ask(struct at_strategy *strategy, uint64_t *index)
{
	struct surrogate *self = (struct surrogate *)strategy;
	struct at_pool *pool = &self->base.pool;
	double expected = NAN;
	struct seen *seen;

	if (pool->taken.failed ||
		pool->taken.count >= at_search_space_count(pool->space))
		return AT_ASK_DONE;
	if (self->stops && is_enough(self))
		return AT_ASK_DONE;
	*index = AT_NO_CONFIGURATION;
	if (self->known_count > 0 && !self->elsewhere)
		learn_from_elsewhere(self);
	/* what is known from elsewhere says more than configurations that lie apart */
	if (self->elsewhere && self->told_count < self->start &&
		(self->asked < PRIOR_START || self->ok_count < 2))
		*index = ask_elsewhere(self);
	else if (!self->elsewhere && self->seen_count < self->start)
		*index = ask_start(self);
	else if (self->ok_count >= 2)
		*index = ask_model(self, &expected);
	else if (self->is_descending)
		*index = self->below;
	/* a model of failures alone, or of one point, says nothing */
	if (*index == AT_NO_CONFIGURATION && !at_pool_draw(pool, index))
		return AT_ASK_DONE;
	seen = see(self, *index);
	if (!seen)
		return AT_ASK_DONE;
	seen->expected = expected;
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
	at_gaussian_free(self->elsewhere);
	free(self->known);
	at_pooled_release(&self->base);
	free(self->seen);
	free(self->places);
	free(self->costs);
	free(self->rows);
	free(self->targets);
	free(self->candidates);
	free(self->configuration);
	free(self->point);
	free(self);
}

/* what depends on the size of the space */
static enum at_status reserve(struct surrogate *self, struct at_error *err)
{
	struct at_pool *pool = &self->base.pool;
	uint64_t space_count = at_search_space_count(pool->space);
	size_t feature_count = self->features.count;
	struct at_gaussian_options options = { .feature_count = feature_count,
		.observations_most = OBSERVED_MOST };
	double *priors = calloc(feature_count + 1, sizeof(*priors));
	enum at_status status = AT_OK;

	if (!priors)
		return at_fail_memory(err);
	for (size_t i = 0; i < feature_count; i++)
		priors[i] = weight_priors[self->features.kinds[i]];
	self->candidates_most =
		RANDOM_CANDIDATES + NEAR_CANDIDATES + CLIMBING_CANDIDATES;
	/* a space that is whole for a while may need candidates later */
	options.candidates_most = self->candidates_most;
	if (space_count <= WHOLE_MOST && space_count > options.candidates_most)
		options.candidates_most = (size_t)space_count;
	options.weight_priors = priors;
	for (size_t i = 0; i < MODELS && !status; i++)
		status = at_gaussian_new(&options, &self->models[i], err);
	free(priors);
	if (status)
		return status;
	self->rows = calloc(OBSERVED_MOST, sizeof(*self->rows));
	self->targets = calloc(OBSERVED_MOST, sizeof(*self->targets));
	self->candidates = calloc(options.candidates_most, sizeof(*self->candidates));
	self->configuration =
		calloc(pool->parameter_count + 1, sizeof(*self->configuration));
	self->point = calloc(2 * feature_count + 1, sizeof(*self->point));
	self->place_count = 64;
	self->places = new_places(self->place_count);
	return self->rows && self->targets && self->candidates && self->configuration &&
			       self->point && self->places
		       ? AT_OK
		       : at_fail_memory(err);
}

static enum at_status surrogate_open(const struct at_search_space *space,
	const char *options, uint64_t seed, struct at_strategy **out,
	struct at_error *err)
{
	static const char *const no_and_yes[] = { "no", "yes", NULL };
	struct surrogate *self = calloc(1, sizeof(*self));
	enum at_status status;

	if (!self)
		return at_fail_memory(err);
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
	status = at_features_init(&self->features, space, err);
	if (!status)
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
	.summary = "a Gaussian process that learns from all results",
	.open = surrogate_open,
	.close = surrogate_close,
	.prior = surrogate_prior,
	.ask = surrogate_ask,
	.tell = surrogate_tell,
	.exclude = surrogate_exclude,
	.why_done = surrogate_why_done,
};
