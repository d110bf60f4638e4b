/*
 * An evaluator that answers from a recording, in virtual time: a number of compilers
 * and one board; each takes as long as was recorded. There is no process and
 * no clock: hours of tuning take seconds, and come out the same every time.
 *
 *   at_replay_open(&options, &evaluator, &err);
 *   ... begin(), finals(), verify() ...
 *   at_replay_run(evaluator);      answers, in the order of time, until nothing is due
 *   evaluator->ops->close(evaluator);
 *
 * It answers what was recorded: outcome, reason, samples. A failed configuration takes
 * the time of its compilation, and none at the board. Configurations are compiled in
 * the order in which they were begun, and measured in the order in which they were
 * compiled. Finals draw samples from the recorded ones, with replacement, so that the
 * noise is the recording's. Verifications always pass, since what is recorded was taken
 * as correct. Racing changes nothing: no recording says how long a configuration takes
 * that is dropped early.
 *
 * Threads: one.
 */
#ifndef AT_REPLAY_REPLAY_H
#define AT_REPLAY_REPLAY_H

#include "evaluator/evaluator.h"
#include "evaluator/replay/replay_night.h"
#include "record/recording.h"

/* The name of a device that is a recording begins with this: "replay:FILE". */
#define AT_REPLAY_PREFIX "replay:"

struct at_replay_options {
	const struct at_recording *recording; /* borrowed until close() */
	size_t compilers; /* at least 1 */
	uint64_t seed; /* for the draws of finals */
	struct at_replay_night night; /* all zero: as it was recorded */
	/*
	 * How the caller numbers parameters and values; NULL: as the recording does.
	 * Borrowed for the call of at_replay_open(). They are matched by name and
	 * value. A configuration that was not recorded is not applicable. A parameter
	 * that only one side has must have a single value.
	 */
	const struct at_search_parameter *parameters;
	size_t parameter_count;
	/* For callers that have a loop of their own and do not call at_replay_run():
	   called when there is something for at_replay_step() to do. May be NULL. */
	void (*wake)(void *context);
	void *context;
};

/* Opens the evaluator. AT_EINVAL: the parameters do not match the recorded ones. */
enum at_status at_replay_open(const struct at_replay_options *options,
	struct at_evaluator **out, struct at_error *err);
/* Moves on to the next moment at which something happens, and does it; false: nothing
   is due. */
bool at_replay_step(struct at_evaluator *self);
/* Steps until nothing is due, or the evaluator is closed. */
void at_replay_run(struct at_evaluator *self);

/* The seconds that an evaluation takes on average with so many compilers, if compilers
   and board are always busy side by side. 0: the recording has no times. */
double at_replay_mean_seconds(const struct at_recording *recording, size_t compilers);

/* Describes a recording as a device: of kind "replay" and with a model of its own, so
   that what is replayed is never taken for a result of the board that was recorded. */
void at_replay_describe(
	const struct at_recording *recording, struct at_device_info *out);

#endif
