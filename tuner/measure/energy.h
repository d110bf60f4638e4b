/*
 * The energy of one launch, by the GPU's counter, in windows of seconds. The counter
 * moves in steps of 20 to 100 ms, and on some GPUs its sensor sees only a quarter of
 * the time (Yang, Adamek and Armour 2024, "Part-time power measurements: nvidia-smi's
 * lack of attention"). So a window begins and ends on a step, and random gaps before it
 * shift launches against the sensor.
 *
 *   energy_begin(&energy, candidate, &err);   in each block, before its windows
 *   energy_measure(&energy, candidate, &joules, &err);       for each candidate
 *   energy_end(&energy, &err);
 *
 * NOT_APPLICABLE: energy cannot be measured on this device now, whatever the candidate;
 * err says why. Else the outcomes of run(). Times are those of the counter's readings.
 */
#ifndef AT_MEASURE_ENERGY_H
#define AT_MEASURE_ENERGY_H

#include "measure/candidate.h"
#include "base/random.h"

/* Zero all but the first four members. */
struct energy {
	struct at_measure_context *context;
	struct at_random *random;
	struct at_measure_conditions *conditions; /* gets power and temperatures */
	double seconds; /* least length of a window */
	bool is_warm; /* an earlier block heated the GPU */
	bool knows_before;
	double before_joules; /* of the calls before each launch, in this block */
};

/* Refuses a GPU that other processes use. The first call measures the idle GPU's power.
   Then it launches the candidate until the temperature is steady. */
enum at_outcome energy_begin(
	struct energy *self, struct candidate *candidate, struct at_error *err);
/* The energy of one launch. The calls before each timed launch (restoring buffers,
   flushing the cache) are measured in a separate window and subtracted.
   verify_sampled() can then check the output of the last launch. */
enum at_outcome energy_measure(struct energy *self, struct candidate *candidate,
	double *joules, struct at_error *err);
/* Refuses a GPU that other processes have begun to use. */
enum at_outcome energy_end(struct energy *self, struct at_error *err);

#endif
