/* Draws the results of a simulation. Threads: one. */
#ifndef AT_CLI_SIMULATE_H
#define AT_CLI_SIMULATE_H

#include "base/memory.h"
#include "record/recording.h"
#include "session/simulate.h"

/* A simulation and what it was made from; everything is borrowed. */
struct at_simulate_view {
	struct at_recording **recordings;
	char **strategies;
	const struct at_simulation *simulation;
};

/*
 * Appends convergence curves as one SVG: a panel for each recording and one for all,
 * with the median of each strategy and its quartiles.
 */
void at_simulate_write_plot(const struct at_simulate_view *view, struct at_strbuf *out);

#endif
