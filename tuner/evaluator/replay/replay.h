/*
 * An evaluator that answers from a recording, in virtual time: a number of compilers
 * and one board, each of which takes as long as was recorded. No process, no clock:
 * hours of tuning are through in seconds, and come out the same every time.
 *
 *   at_replay_open(&options, &evaluator, &err);
 *   ... begin(), finals(), prove() ...
 *   at_replay_run(evaluator);      answers, in the order of time, until nothing is due
 *   evaluator->ops->close(evaluator);
 *
 * What is recorded is what is answered: outcome, reason, samples. A failed
 * configuration costs the time that compiling it took, and none at the board.
 * Configurations are compiled in the order in which they were begun and measured in the
 * order in which they were compiled. Finals draw their samples, with replacement, from
 * those recorded: the noise is the recording's. Proofs pass: whoever recorded it took
 * it for correct. Racing changes nothing, since how long a configuration takes that is
 * dropped early was not recorded.
 *
 * Threads: one.
 */
#ifndef AT_REPLAY_REPLAY_H
#define AT_REPLAY_REPLAY_H

#include "evaluator/evaluator.h"
#include "evaluator/replay/replay_night.h"
#include "record/recording.h"

/* What a device is called that is a recording: "replay:FILE". */
#define AT_REPLAY_PREFIX "replay:"

struct at_replay_options {
	const struct at_recording *recording; /* borrowed until close() */
	size_t compilers; /* at least 1 */
	uint64_t seed; /* of what finals draw */
	struct at_replay_night night; /* zeroed: as it was recorded */
	/*
	 * How whoever asks numbers parameters and values; NULL: as the recording does.
	 * Borrowed for the call of open. They are matched by name and value; a
	 * configuration that was not recorded is not applicable. Of parameters that
	 * only one of the two has there must be no more than one value.
	 */
	const struct at_search_parameter *parameters;
	size_t parameter_count;
	/*
	 * For whoever has a loop of their own and does not call at_replay_run(): called
	 * when something has become due that at_replay_step() would do; may be NULL.
	 */
	void (*wake)(void *context);
	void *context;
};

/* AT_EINVAL: the parameters are others than those that were recorded. */
enum at_status at_replay_open(const struct at_replay_options *options,
	struct at_evaluator **out, struct at_error *err);
/* Goes on to the next moment at which something happens; false: nothing is due. */
bool at_replay_step(struct at_evaluator *self);
/* Steps until nothing is due, or it was closed. */
void at_replay_run(struct at_evaluator *self);

/* What a recording is as a device: of kind "replay", and with a model of its own, since
   what is replayed is no result of the board that it was recorded on. */
void at_replay_describe(
	const struct at_recording *recording, struct at_device_info *out);

/*
 * What an evaluation takes on average with so many compilers, where nothing waits:
 * compilers and the board work side by side. 0: the recording has no times.
 */
double at_replay_mean_seconds(const struct at_recording *recording, size_t compilers);

#endif
