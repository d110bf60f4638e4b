/*
 * What the files of the simulation share; no other file includes this. simulate.c
 * starts the runs, simulate_run.c is one run, simulate_figures.c makes figures of the
 * runs, and simulate_finals.c works out which configuration finals would have crowned.
 */
#ifndef AT_SESSION_SIMULATE_PARTS_H
#define AT_SESSION_SIMULATE_PARTS_H

#include "search/strategy.h"
#include "session/simulate.h"

/* A recording as a search space for strategies. */
struct at_simulate_bed {
	const struct at_recording *recording;
	struct at_search_space *space;
	size_t *rows; /* for each index of the space, the recording's row */
};

/* Makes the space; the recording is borrowed. After a failure there is nothing to
   release. */
enum at_status at_simulate_bed_init(struct at_simulate_bed *self,
	const struct at_recording *recording, struct at_error *err);
/* Frees the space; a zeroed bed is allowed. */
void at_simulate_bed_release(struct at_simulate_bed *self);

/*
 * One search, in the process that calls it. strategy: as on the command line.
 * AT_EINVAL: the strategy breaks its contract. run->steps is the caller's, also after a
 * failure. err must not be NULL.
 */
enum at_status at_simulate_search(const struct at_simulate_bed *bed,
	const char *strategy, const struct at_simulate_options *options, uint64_t seed,
	struct at_simulate_run *run, struct at_error *err);

/*
 * The recorded time, in ns, of the configuration that finals would have crowned, with
 * noise drawn from the recorded samples; NAN: nothing passed. The same seed gives the
 * same winner.
 */
void at_simulate_crown(const struct at_recording *recording,
	const struct at_simulate_run *run, uint64_t seed, double *crowned_ns);

/* Fills in the figures and quartiles of all cells, and the totals. beds: one for each
   recording. */
void at_simulate_evaluate(
	struct at_simulation *self, const struct at_simulate_bed *beds, uint64_t seed);

#endif
