/* Chooses a cover (cover.h): greedy first, then branch and bound for fewer members,
   then exchanges that lower the mean loss. */
#include "session/cover.h"

#include "base/memory.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* most nodes of the branch and bound: some milliseconds */
#define NODES 200000

struct search {
	const struct at_cover_costs *costs;
	double *losses; /* in the order of costs; INFINITY where there is no cost */
	/* of the loss, for the current search */
	double limit;
	size_t *chosen; /* members of the current branch; `depth` of them */
	size_t depth;
	size_t *best;
	size_t best_count;
	/* nodes left */
	unsigned nodes;
};

static double loss(const struct search *self, size_t problem, size_t configuration)
{
	return self->losses[problem * self->costs->configuration_count + configuration];
}

static bool serves(const struct search *self, size_t problem, size_t configuration)
{
	return loss(self, problem, configuration) <= self->limit;
}

static bool is_served(
	const struct search *self, size_t problem, const size_t *members, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (serves(self, problem, members[i]))
			return true;
	return false;
}

/* ---- losses --------------------------------------------------------------------- */

/* Fills in the losses. False: a problem has no configuration. */
static bool fill_losses(struct search *self)
{
	const struct at_cover_costs *costs = self->costs;
	size_t width = costs->configuration_count;

	for (size_t p = 0; p < costs->problem_count; p++) {
		const double *row = costs->costs + p * width;
		double least = INFINITY;

		for (size_t c = 0; c < width; c++)
			if (row[c] > 0 && row[c] < least)
				least = row[c];
		if (isinf(least))
			return false;
		for (size_t c = 0; c < width; c++)
			self->losses[p * width + c] =
				row[c] > 0 ? row[c] / least - 1 : (double)INFINITY;
	}
	return true;
}

/* ---- the fewest within a limit --------------------------------------------------- */

/* Takes the configuration that serves the most unserved problems, until there is
   none. */
static void cover_greedily(struct search *self)
{
	self->best_count = 0;
	for (;;) {
		size_t best = 0, best_gain = 0;

		for (size_t c = 0; c < self->costs->configuration_count; c++) {
			size_t gain = 0;

			for (size_t p = 0; p < self->costs->problem_count; p++)
				gain += serves(self, p, c) &&
					!is_served(
						self, p, self->best, self->best_count);
			if (gain > best_gain) {
				best_gain = gain;
				best = c;
			}
		}
		if (!best_gain)
			return;
		self->best[self->best_count++] = best;
	}
}

/* The unserved problem with the fewest configurations that can serve it; the number of
   problems: all are served. */
static size_t find_hardest(const struct search *self)
{
	size_t hardest = self->costs->problem_count, fewest = SIZE_MAX;

	for (size_t p = 0; p < self->costs->problem_count; p++) {
		size_t choice = 0;

		if (is_served(self, p, self->chosen, self->depth))
			continue;
		for (size_t c = 0; c < self->costs->configuration_count; c++)
			choice += serves(self, p, c);
		if (choice < fewest) {
			fewest = choice;
			hardest = p;
		}
	}
	return hardest;
}

/* Tries each configuration that can serve the hardest problem, recursively. */
static void branch(struct search *self)
{
	size_t problem = find_hardest(self);

	if (problem == self->costs->problem_count) {
		self->best_count = self->depth;
		memcpy(self->best, self->chosen, self->depth * sizeof(*self->best));
		return;
	}
	for (size_t c = 0; c < self->costs->configuration_count; c++) {
		/* with one more member, it must still beat the best so far */
		if (self->depth + 1 >= self->best_count || self->nodes == 0)
			return;
		if (!serves(self, problem, c))
			continue;
		self->nodes--;
		self->chosen[self->depth++] = c;
		branch(self);
		self->depth--;
	}
}

/* Fills `best` with the fewest members found that serve every problem within a
   limit. */
static void cover(struct search *self, double limit)
{
	self->limit = limit;
	self->nodes = NODES;
	self->depth = 0;
	cover_greedily(self);
	branch(self);
}

/* ---- the best set of a given size ------------------------------------------ */

static int compare_doubles(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return left < right ? -1 : left > right;
}

/* Finds, by bisection over the losses, the smallest limit that `most` members can keep.
   Limits up to `least` are known to be too small. */
static void cover_with(struct search *self, double least, size_t most)
{
	size_t cells = self->costs->problem_count * self->costs->configuration_count;
	size_t low = 0, high = 0, count = 0;
	double *sorted = at_malloc((cells + 1) * sizeof(*sorted));

	for (size_t i = 0; i < cells; i++)
		if (isfinite(self->losses[i]) && self->losses[i] > least)
			sorted[count++] = self->losses[i];
	if (count)
		qsort(sorted, count, sizeof(*sorted), compare_doubles);
	/* sorted[high] works, if any limit does */
	for (high = count ? count - 1 : 0; count && low < high;) {
		size_t middle = low + (high - low) / 2;

		cover(self, sorted[middle]);
		if (self->best_count <= most)
			high = middle;
		else
			low = middle + 1;
	}
	/* even the largest limit may need more, if problems share too few
	   configurations */
	if (count)
		cover(self, sorted[high]);
	free(sorted);
}

/* ---- which member serves which problem ------------------------------------------ */

/* The mean over the problems of the best member's loss; *worst is the largest. */
static double mean_loss(
	const struct search *self, const size_t *members, size_t count, double *worst)
{
	double sum = 0;

	*worst = 0;
	for (size_t p = 0; p < self->costs->problem_count; p++) {
		double least = INFINITY;

		for (size_t i = 0; i < count; i++)
			least = fmin(least, loss(self, p, members[i]));
		sum += least;
		*worst = fmax(*worst, least);
	}
	return sum / (double)self->costs->problem_count;
}

/* Exchanges members for other configurations while that lowers the mean loss and keeps
   the worst loss within the limit. */
static void polish(struct search *self)
{
	size_t *members = self->best;
	double worst, mean = mean_loss(self, members, self->best_count, &worst);
	bool again = true;

	while (again) {
		again = false;
		for (size_t i = 0; i < self->best_count; i++) {
			size_t kept = members[i];

			for (size_t c = 0; c < self->costs->configuration_count; c++) {
				double other;

				members[i] = c;
				other = mean_loss(
					self, members, self->best_count, &worst);
				if (other < mean && worst <= self->limit) {
					mean = other;
					kept = c;
					again = true;
				}
			}
			members[i] = kept;
		}
	}
}

enum at_status at_cover_find(const struct at_cover_costs *costs, double limit,
	size_t most, size_t **out, struct at_error *err)
{
	size_t problems = costs->problem_count, width = costs->configuration_count;
	struct search self = { .costs = costs };
	enum at_status status = AT_OK;

	*out = NULL;
	self.losses = at_calloc(problems * width + 1, sizeof(*self.losses));
	self.chosen = at_calloc(problems + 1, sizeof(*self.chosen));
	self.best = at_calloc(problems + 1, sizeof(*self.best));
	if (!fill_losses(&self))
		status = at_fail(err, AT_ENOENT, NULL, 0,
			"a problem has no configuration that is right for it");
	if (!status) {
		/*
		 * With only a number of members, start from limit 0; cover_with()
		 * raises it to the smallest that they can keep. Without limit and
		 * number, a single configuration that serves all problems is enough, if
		 * there is one.
		 */
		cover(&self, isinf(limit) && most ? 0 : fmin(limit, 1e300));
		if (most && self.best_count > most)
			cover_with(&self, self.limit, most);
	}
	if (!status) {
		polish(&self);
		*out = at_calloc(problems + 1, sizeof(**out));
		for (size_t p = 0; p < problems; p++) {
			size_t *member = &(*out)[p];

			*member = self.best[0];
			for (size_t i = 1; i < self.best_count; i++)
				if (loss(&self, p, self.best[i]) <
					loss(&self, p, *member))
					*member = self.best[i];
		}
	}
	free(self.losses);
	free(self.chosen);
	free(self.best);
	return status;
}
