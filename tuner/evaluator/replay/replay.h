/*
 * An evaluator that answers from a recording, in virtual time, with a number of
 * compilers and one board. Each takes as long as was recorded. There are no processes
 * and no real clock: hours of tuning take seconds, and every run gives the same result.
 *
 *   at_replay_open(&options, &evaluator, &err);
 *   ... begin(), finals(), verify() ...
 *   at_replay_run(evaluator);      answers, in the order of time, until nothing is due
 *   evaluator->ops->close(evaluator);
 *
 * It answers with the recorded outcome, reason and samples. A failed configuration
 * takes its compilation time, and no time at the board. Configurations compile in the
 * order of begin(), and are measured in the order in which they were compiled. Finals
 * resample the recorded samples with replacement, so that the noise is the recording's.
 * Verifications always pass, since the recorded configurations count as correct. Racing
 * has no effect: a recording does not say how long a dropped configuration would take.
 *
 * Threads: one.
 */
#ifndef AT_REPLAY_REPLAY_H
#define AT_REPLAY_REPLAY_H

#include "evaluator/evaluator.h"
#include "evaluator/replay/replay_night.h"
#include "record/recording.h"

/* Prefix of the name of a recorded device: "replay:FILE". */
#define AT_REPLAY_PREFIX "replay:"

struct at_replay_options {
	const struct at_recording *recording; /* borrowed until close() */
	size_t compilers; /* at least 1 */
	uint64_t seed; /* for resampling in finals */
	struct at_replay_night night; /* all zero: as recorded */
	/*
	 * The caller's numbering of parameters and values; NULL: the recording's.
	 * Borrowed for the call of at_replay_open(). They are matched by name and
	 * value. A configuration that was not recorded is not applicable. A parameter
	 * that only one side has must have a single value.
	 */
	const struct at_search_parameter *parameters;
	size_t parameter_count;
	/* For callers with their own loop instead of at_replay_run(): called when
	   at_replay_step() has something to do. May be NULL. */
	void (*wake)(void *context);
	void *context;
};

/* Opens the evaluator. AT_EINVAL: the parameters do not match the recorded ones. */
enum at_status at_replay_open(const struct at_replay_options *options,
	struct at_evaluator **out, struct at_error *err);
/* Advances the clock to the next event and handles it; false: nothing is due. */
bool at_replay_step(struct at_evaluator *self);
/* Steps until nothing is due or the evaluator is closed. */
void at_replay_run(struct at_evaluator *self);

/* The mean seconds of an evaluation with this many compilers, if compilers and board
   are always busy in parallel. 0: the recording has no times. */
double at_replay_mean_seconds(const struct at_recording *recording, size_t compilers);

/* Describes a recording as a device of kind "replay" with its own model: a replayed
   result never counts as one of the recorded board. */
void at_replay_describe(
	const struct at_recording *recording, struct at_device_info *out);

#endif
