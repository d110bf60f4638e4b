/* What the files of the simulation share; nobody else includes it. */
#ifndef AT_SESSION_SIMULATE_PARTS_H
#define AT_SESSION_SIMULATE_PARTS_H

#include "search/strategy.h"
#include "session/simulate.h"

/* A recording as a strategy gets to see it. */
struct at_simulate_bed {
	const struct at_recording *recording;
	struct at_search_space *space;
	size_t *rows; /* the recording's row of each index of the space */
};

enum at_status at_simulate_bed_init(struct at_simulate_bed *self,
	const struct at_recording *recording, struct at_error *err);
void at_simulate_bed_release(struct at_simulate_bed *self);

/*
 * One search. strategy: as typed. A strategy that breaks its contract is AT_EINVAL; run
 * is the caller's, also after a failure. err must not be NULL.
 */
enum at_status at_simulate_search(const struct at_simulate_bed *bed,
	const char *strategy, const struct at_simulate_options *options, uint64_t seed,
	struct at_simulate_run *run, struct at_error *err);

/*
 * The recorded time of whom finals would have crowned, with noise as recorded; NAN:
 * nothing passed. The same seed, the same winner.
 */
enum at_status at_simulate_crown(const struct at_recording *recording,
	const struct at_simulate_run *run, uint64_t seed, double *crowned_ns,
	struct at_error *err);

/* Fills in figures and quartiles of all cells, and the totals. */
enum at_status at_simulate_evaluate(struct at_simulation *self,
	const struct at_simulate_bed *beds, uint64_t seed, struct at_error *err);

#endif
