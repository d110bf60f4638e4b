/*
 * Which parameter mattered: splits the gain from one configuration to another among
 * the parameters, by the ablation of Fawcett and Hoos, "Analysing differences between
 * algorithm configurations through ablation" (2016). The path starts at the baseline.
 * Each round tries every parameter that still differs at the winner's value, and
 * keeps the change that gains most. The costs along the path show what each change
 * was worth. If no single change is possible (constraints, failures) or known, the
 * remaining parameters change in one step.
 *
 *   at_ablation_new(count, baseline, winner, baseline_cost, winner_cost, &ablation);
 *   while (at_ablation_ask(ablation, configuration) == AT_ASK_CONFIGURATION)
 *           at_ablation_tell(ablation, configuration, its cost or INFINITY);
 *   at_ablation_steps(ablation, &count)
 *   at_ablation_free(ablation)
 *
 * Several configurations of a round may be in flight, and costs arrive in any order.
 * A caller without time for a configuration tells NAN, "not known". Must not know:
 * what a cost is. Threads: one.
 */
#ifndef AT_SEARCH_ABLATION_H
#define AT_SEARCH_ABLATION_H

#include "search/strategy.h"

#include <stddef.h>
#include <stdint.h>

/* One step of the path: these parameters change to the winner's values together. */
struct at_ablation_step {
	size_t parameter_count; /* at least 1 */
	const size_t *parameters; /* indices, ascending; borrowed from the ablation */
	double cost; /* after the step */
	/*
	 * the step's part of the whole gain: log(before / after) over log(baseline /
	 * winner). The shares of a path add up to 1; a step that slows the kernel
	 * down has a negative share
	 */
	double share;
};

struct at_ablation;

/* Begins an ablation. Configurations are value indices and are copied. Costs must be
   above 0. */
void at_ablation_new(size_t parameter_count, const uint16_t *baseline,
	const uint16_t *winner, double baseline_cost, double winner_cost,
	struct at_ablation **out);
/* Releases the ablation with its path; self may be NULL. */
void at_ablation_free(struct at_ablation *self);

/* The next configuration whose cost is needed. WAIT: the next result must arrive
   first; DONE: the path is complete. */
enum at_ask at_ablation_ask(struct at_ablation *self, uint16_t *configuration);
/* Reports a cost: INFINITY if the configuration is not in the space or did not pass,
   NAN if the cost is unknown. A configuration that was not proposed is ignored. */
void at_ablation_tell(
	struct at_ablation *self, const uint16_t *configuration, double cost);

/*
 * The path, borrowed until at_ablation_free(). While the path is incomplete, all
 * remaining changes form one step. *count 0: the configurations are the same, or the
 * winner is no better.
 */
const struct at_ablation_step *at_ablation_steps(
	struct at_ablation *self, size_t *count);

#endif
