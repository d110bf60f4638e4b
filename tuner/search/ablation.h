/*
 * Which parameter mattered: splits the gain from one configuration to another among the
 * parameters. The method is the ablation of Fawcett and Hoos, "Analysing differences
 * between algorithm configurations through ablation" (2016). It begins with the
 * baseline. In each round every parameter that still differs is tried at the winner's
 * value, and the one that gains most is kept. The times along this path show what each
 * change was worth. Where no single change is possible (constraints, configurations
 * that fail) or known, the remaining parameters change in one step.
 *
 *   at_ablation_new(count, baseline, winner, baseline_cost, winner_cost, &ablation,
 * &err) while (at_ablation_ask(ablation, configuration) == AT_ASK_CONFIGURATION)
 *           at_ablation_tell(ablation, configuration, its cost or INFINITY);
 *   at_ablation_steps(ablation, &count)
 *   at_ablation_free(ablation)
 *
 * Several configurations of a round may be out before the first result, and
 * costs may be told in any order. A caller without time for a configuration tells NAN,
 * "not known". Must not know: what a cost is. Threads: one.
 */
#ifndef AT_SEARCH_ABLATION_H
#define AT_SEARCH_ABLATION_H

#include "search/strategy.h"

#include <stddef.h>
#include <stdint.h>

/* One step of the path: these parameters changed to the winner's values together. */
struct at_ablation_step {
	size_t parameter_count; /* at least 1 */
	const size_t *parameters; /* indices, ascending; borrowed from the ablation */
	double cost; /* after the step */
	/*
	 * its part of the whole gain: log(before / after) over log(baseline / winner).
	 * The shares of a path add up to 1; a step that makes it slower has a negative
	 * share
	 */
	double share;
};

struct at_ablation; /* opaque */

/* Begins an ablation. Configurations are value indices, and are copied. Costs must be
   above 0. */
void at_ablation_new(size_t parameter_count, const uint16_t *baseline,
	const uint16_t *winner, double baseline_cost, double winner_cost,
	struct at_ablation **out);
/* Releases the ablation with its path; self may be NULL. */
void at_ablation_free(struct at_ablation *self);

/* The next configuration whose cost is needed. WAIT: none before one that is out is
   told; DONE: the path is complete. */
enum at_ask at_ablation_ask(struct at_ablation *self, uint16_t *configuration);
/* Tells a cost: INFINITY where the configuration is not in the space or did not pass,
   NAN where it is not known. A configuration that was not asked for is ignored. */
void at_ablation_tell(
	struct at_ablation *self, const uint16_t *configuration, double cost);

/*
 * The path, borrowed until at_ablation_free(). While it is not complete, all that is
 * left is one step. *count 0: the two configurations are the same, or the winner is no
 * better.
 */
const struct at_ablation_step *at_ablation_steps(
	struct at_ablation *self, size_t *count);

#endif
