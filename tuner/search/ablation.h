/*
 * Which parameter mattered: the gain from one configuration to another, parameter
 * by parameter. The method is the ablation of Fawcett and Hoos, "Analysing
 * differences between algorithm configurations through ablation" (2016): starting
 * from the baseline, in each round every parameter that still differs is tried at
 * the winner's value, and the one that gains most is kept; the times along this
 * path tell what each change was worth. Where no single change is possible
 * (constraints, configurations that fail) or known, what is left is one step.
 *
 *   at_ablation_new(count, baseline, winner, baseline_cost, winner_cost, &ablation,
 * err) while (at_ablation_ask(ablation, configuration) == AT_ASK_CONFIGURATION)
 *           at_ablation_tell(ablation, configuration, its cost or INFINITY);
 *   at_ablation_steps(ablation, &count)
 *   at_ablation_free(ablation)
 *
 * Asking runs ahead of telling: all configurations of a round may be out at once,
 * and answers come in any order. Whoever has no time for one tells NAN, "not
 * known". Must not know: what is a cost. Threads: one.
 */
#ifndef AT_SEARCH_ABLATION_H
#define AT_SEARCH_ABLATION_H

#include "search/strategy.h"

#include <stddef.h>
#include <stdint.h>

/* One step of the path: these parameters went to the winner's values together. */
struct at_ablation_step {
	size_t parameter_count; /* at least 1 */
	const size_t *parameters; /* indices, ascending; borrowed from the ablation */
	double cost; /* after it */
	/* of the whole gain: log(before / after) over log(baseline / winner); the
	   shares of a path add up to 1, and one that costs is below 0 */
	double share;
};

struct at_ablation; /* opaque */

/* Configurations are value indices, copied. Costs above 0. */
enum at_status at_ablation_new(size_t parameter_count, const uint16_t *baseline,
	const uint16_t *winner, double baseline_cost, double winner_cost,
	struct at_ablation **out, struct at_error *err);
void at_ablation_free(struct at_ablation *self);

/*
 * The next configuration whose cost is wanted; WAIT: nothing more before one that
 * is out is told; DONE: the path is complete.
 */
enum at_ask at_ablation_ask(struct at_ablation *self, uint16_t *configuration);
/*
 * cost: INFINITY where it is not in the space or did not pass; NAN not known.
 * What was not asked for is passed over.
 */
void at_ablation_tell(
	struct at_ablation *self, const uint16_t *configuration, double cost);

/*
 * The path, borrowed until at_ablation_free(); before it is complete, what is left
 * is one step. *count 0: the configurations are the same, or the winner is no
 * better than the baseline.
 */
const struct at_ablation_step *at_ablation_steps(
	struct at_ablation *self, size_t *count);

#endif
