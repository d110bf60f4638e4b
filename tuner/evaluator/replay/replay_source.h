/*
 * A recording as a replay answers from it: what each row took and gives, on this night
 * or as it was recorded.
 *
 * Must not know: queues, compilers, boards. Threads: pure functions.
 */
#ifndef AT_REPLAY_REPLAY_SOURCE_H
#define AT_REPLAY_REPLAY_SOURCE_H

#include "base/hash.h"
#include "base/random.h"
#include "device/device.h"
#include "evaluator/replay/replay_night.h"
#include "measure/measure.h"
#include "record/recording.h"

/* The name of a device that is a recording begins with this: "replay:FILE". */
#define AT_REPLAY_PREFIX "replay:"

struct at_replay_source {
	const struct at_recording *recording; /* borrowed */
	struct at_replay_night night;
	/* means of the recorded times, for rows without a time of their own; 0 where no
	   row has one */
	double compile_seconds;
	double measure_seconds;
	size_t fastest; /* row; SIZE_MAX: none passed */
};

/* Nothing in it has to be released. */
void at_replay_source_init(struct at_replay_source *self,
	const struct at_recording *recording, const struct at_replay_night *night);

/* The recorded row. */
const struct at_recorded *at_replay_source_row(
	const struct at_replay_source *self, size_t row);
/* How long a compiler takes for the row. */
double at_replay_compile_seconds(const struct at_replay_source *self, size_t row);
/* How long the board takes for the row; 0 for a row that failed, which never gets
   there. */
double at_replay_measure_seconds(const struct at_replay_source *self, size_t row);
/* Whether the night makes this row wrong: it is the fastest, and `wrong` was asked
   for. */
bool at_replay_is_wrong(const struct at_replay_source *self, size_t row);

/* The row's result as it was recorded. AT_ENOMEM; *out must be released in any case. */
enum at_status at_replay_result(const struct at_replay_source *self, size_t row,
	struct at_measure_result *out, struct at_error *err);
/*
 * The row's result in finals: samples drawn from the recorded ones with replacement,
 * which is what another measurement would have given as far as the recording can tell.
 * AT_ENOMEM; *out must be released in any case.
 */
enum at_status at_replay_final(const struct at_replay_source *self, size_t row,
	const struct at_measure_finals *how, struct at_random *random,
	struct at_measure_result *out, struct at_error *err);

/* Identifies a recording by its contents: one that was recorded again is another.
   AT_ENOMEM. */
enum at_status at_replay_hash(const struct at_recording *recording, struct at_hash *out,
	struct at_error *err);

/* Describes a recording as a device: of kind "replay" and with a model of its own, so
   that what is replayed is never taken for a result of the board that was recorded. */
void at_replay_describe(
	const struct at_recording *recording, struct at_device_info *out);

#endif
