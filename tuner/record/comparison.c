/* Compares two sets of results by the rules of record/comparison.h. */
#include "record/comparison.h"

#include "base/memory.h"
#include "space/device_key.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* a wider interval, to one side, is too wide for "same" */
#define WIDE 0.05

static const char *const names[AT_COMPARED_COUNT] = {
#define NAME(symbol, name) name,
	AT_COMPARISONS(NAME)
#undef NAME
};

const char *at_compared_name(enum at_compared compared)
{
	return (unsigned)compared < AT_COMPARED_COUNT ? names[compared] : "";
}

static double log_cost(const struct at_objective *objective, double value)
{
	return log(at_objective_cost(objective, value));
}

/* Half-width of the interval, as a logarithm; NAN: not known. */
static double half_of(const struct at_winner *best)
{
	return fabs(log_cost(best->objective, best->score.high) -
		       log_cost(best->objective, best->score.low)) /
	       2;
}

/* The runs are independent, so the squares of their errors add. */
static struct at_score ratio_of(const struct at_winner *a, const struct at_winner *b)
{
	double middle = log_cost(b->objective, b->score.value) -
			log_cost(a->objective, a->score.value);
	double half = hypot(half_of(a), half_of(b));

	if (!isfinite(middle))
		return (struct at_score)AT_SCORE_UNKNOWN;
	if (!isfinite(half))
		return (struct at_score){ exp(middle), (double)NAN, (double)NAN };
	return (struct at_score){ exp(middle), exp(middle - half), exp(middle + half) };
}

static enum at_compared judge(struct at_score ratio, double margin)
{
	if (isnan(ratio.low))
		return AT_COMPARED_UNCLEAR;
	if (ratio.value > 1 + margin || ratio.value < 1 / (1 + margin)) {
		if (ratio.low > 1)
			return AT_COMPARED_SLOWER;
		return ratio.high < 1 ? AT_COMPARED_FASTER : AT_COMPARED_UNCLEAR;
	}
	return ratio.high / ratio.value > 1 + WIDE ? AT_COMPARED_UNCLEAR
						   : AT_COMPARED_SAME;
}

static void compare_pair(struct at_comparison_row *row, double margin)
{
	const struct at_winner *a = &row->a->best, *b = &row->b->best;

	row->other_configuration =
		strcmp(row->a->winner.configuration, row->b->winner.configuration) != 0;
	row->ratio = (struct at_score)AT_SCORE_UNKNOWN;
	/* two records may use one slug for different devices */
	if (!at_device_is_same(row->a->device.kind, &row->a->device.properties,
		    &row->b->device.properties) ||
		a->objective != b->objective ||
		strcmp(row->a->winner.problem_json, row->b->winner.problem_json) != 0) {
		row->compared = AT_COMPARED_OTHER;
		return;
	}
	/* one result is a copy, or the file, of the other */
	if (!row->other_configuration && a->created_seconds == b->created_seconds &&
		a->score.value == b->score.value) {
		row->ratio = (struct at_score){ 1, 1, 1 };
		row->compared = AT_COMPARED_SAME;
		return;
	}
	row->ratio = ratio_of(a, b);
	row->compared = judge(row->ratio, margin);
}

void at_results_compare(const struct at_results *a, const struct at_results *b,
	double margin, struct at_comparison *out)
{
	size_t i = 0, k = 0;

	memset(out, 0, sizeof(*out));
	out->rows = at_calloc(a->count + b->count + 1, sizeof(*out->rows));
	while (i < a->count || k < b->count) {
		struct at_comparison_row *row = &out->rows[out->count++];
		int order = i == a->count ? 1
			    : k == b->count
				    ? -1
				    : at_result_order(&a->items[i], &b->items[k]);

		row->ratio = (struct at_score)AT_SCORE_UNKNOWN;
		if (order <= 0)
			row->a = &a->items[i++];
		if (order >= 0)
			row->b = &b->items[k++];
		if (order == 0)
			compare_pair(row, margin);
		else
			row->compared =
				order < 0 ? AT_COMPARED_ONLY_A : AT_COMPARED_ONLY_B;
		out->counts[row->compared]++;
	}
}

void at_comparison_release(struct at_comparison *self)
{
	free(self->rows);
	memset(self, 0, sizeof(*self));
}
