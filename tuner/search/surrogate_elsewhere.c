/* What is known from other problems, other devices and older sources, as a model. */
#include "base/memory.h"
#include "search/surrogate_parts.h"

#include <math.h>
#include <stdlib.h>

/* The most observations that this model learns from. */
#define PRIOR_MOST 256

static int compare_costs(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

static int compare_known_indices(const void *a, const void *b)
{
	const struct at_surrogate_known *left = a, *right = b;

	return (left->index > right->index) - (left->index < right->index);
}

static int compare_known_targets(const void *a, const void *b)
{
	const struct at_surrogate_known *left = a, *right = b;

	if (left->target != right->target)
		return left->target < right->target ? -1 : 1;
	return compare_known_indices(a, b);
}

/* Adds a prior. Its targets are standardized ranks within it, since costs of two priors
   are not comparable. */
enum at_status at_surrogate_prior(struct at_strategy *strategy,
	const struct at_prior *prior, struct at_error *err)
{
	struct at_surrogate *self = (struct at_surrogate *)strategy;
	double *costs = at_calloc(prior->count + 1, sizeof(*costs));
	double sum = 0, squares = 0;
	size_t ok = 0, first = self->known_count;

	(void)err;
	AT_GROW(self->known, self->known_capacity, first + prior->count);
	for (size_t i = 0; i < prior->count; i++)
		if (prior->told[i].outcome == AT_OUTCOME_OK &&
			isfinite(prior->told[i].cost))
			costs[ok++] = prior->told[i].cost;
	/* with one success nothing is better or worse */
	if (ok < 2) {
		free(costs);
		return AT_OK;
	}
	qsort(costs, ok, sizeof(*costs), compare_costs);
	for (size_t i = 0; i < prior->count; i++) {
		const struct at_told *told = &prior->told[i];
		double rank = (double)ok / 2;

		if (told->outcome == AT_OUTCOME_OK && isfinite(told->cost))
			rank = (double)at_surrogate_count_below(costs, ok, told->cost);
		self->known[first + i] = (struct at_surrogate_known){ told->index,
			at_surrogate_log_rank(rank), prior->likeness };
		sum += at_surrogate_log_rank(rank);
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

/* Makes a model of all priors: the mean, weighted by likeness, of those that know a
   configuration. False: the model is too large for the memory, and nothing is known. */
bool at_surrogate_learn_elsewhere(struct at_surrogate *self)
{
	struct at_gaussian_options options = {
		.feature_count = self->features.count,
		.observations_most = PRIOR_MOST,
		.candidates_most = at_gaussian_stride(self->models[0]),
		.points_of = self->models[0],
	};
	double *priors = at_calloc(self->features.count + 1, sizeof(*priors));
	double *targets = at_calloc(PRIOR_MOST, sizeof(*targets));
	size_t merged = 0, chosen = 0;

	qsort(self->known, self->known_count, sizeof(*self->known),
		compare_known_indices);
	for (size_t i = 0; i < self->known_count; i++) {
		struct at_surrogate_known *known = &self->known[i];

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
		priors[i] = at_surrogate_weight_priors[self->features.kinds[i]];
	options.weight_priors = priors;
	if (at_gaussian_new(&options, &self->elsewhere, NULL))
		goto out;
	/* the first half of the room gets the best, the second others at even
	   distances */
	for (size_t i = 0; chosen < PRIOR_MOST && i < merged; chosen++) {
		size_t left = PRIOR_MOST - chosen;

		at_surrogate_features(self, self->known[i].index, self->point, 1);
		at_gaussian_observe(self->elsewhere, self->point, 0, 0);
		targets[chosen] = self->known[i].target;
		i += chosen < PRIOR_MOST / 2 || merged - i <= left
			     ? 1
			     : (merged - i) / left;
	}
	at_gaussian_fit(self->elsewhere, targets,
		chosen < AT_SURROGATE_FIT_MOST ? chosen : AT_SURROGATE_FIT_MOST,
		AT_SURROGATE_PROPOSALS, &self->base.pool.random);
	at_gaussian_factor(self->elsewhere);
	at_gaussian_condition(self->elsewhere, targets, chosen);
out:
	free(priors);
	free(targets);
	if (!self->elsewhere)
		self->known_count = 0;
	return self->elsewhere != NULL;
}

/* The best configuration by all priors that is not taken yet. */
uint64_t at_surrogate_ask_elsewhere(struct at_surrogate *self)
{
	for (size_t i = 0; i < self->known_count; i++)
		if (!at_tried_test(&self->base.pool.taken, self->known[i].index))
			return self->known[i].index;
	return AT_NO_CONFIGURATION;
}
