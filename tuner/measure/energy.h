/*
 * The energy of one launch, by the board's counter, in windows of seconds. The counter
 * moves in steps of 20 to 100 ms, and on some boards its sensor sees a quarter of the
 * time (Yang, Adamek and Armour 2024, "Part-time power measurements: nvidia-smi's lack
 * of attention"). So a window begins and ends on a step, and random gaps ahead of it
 * shift launches against the sensor.
 *
 *   energy_begin(&energy, candidate, &err);        in each block, ahead of its windows
 *   energy_measure(&energy, candidate, &joules, &err);       for each candidate
 *   energy_end(&energy, &err);
 *
 * NOT_APPLICABLE: energy cannot be measured on this device now, whatever the candidate;
 * err says why. Else the outcomes of run(). Time is that of the counter's readings.
 */
#ifndef AT_MEASURE_ENERGY_H
#define AT_MEASURE_ENERGY_H

#include "measure/candidate.h"
#include "base/random.h"

/* Zeroed but for the first members. */
struct energy {
	struct at_measure_context *context;
	struct at_random *random;
	struct at_measure_conditions *conditions; /* gets power and temperatures */
	double seconds; /* of a window, at least */
	bool is_warm; /* an earlier block heated the board */
	bool knows_before;
	double before_joules; /* of what precedes each launch; in this block */
};

/*
 * Refuses a board that other processes use. The first time it measures the idle board's
 * power. Then it launches the candidate until the temperature is steady.
 */
enum at_outcome energy_begin(
	struct energy *self, struct candidate *candidate, struct at_error *err);
/*
 * The energy of one launch. What precedes each timed launch (restoring buffers,
 * emptying the cache) is measured in a window of its own and taken off. The output of
 * the last launch can be checked by verify_sampled() afterwards.
 */
enum at_outcome energy_measure(struct energy *self, struct candidate *candidate,
	double *joules, struct at_error *err);
/* Refuses a board that other processes have begun to use. */
enum at_outcome energy_end(struct energy *self, struct at_error *err);

#endif
