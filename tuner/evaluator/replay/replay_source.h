/*
 * A recording as a replay answers from it: what each row took and would give, in this
 * night or in that of the recording.
 *
 * It must not know of queues, compilers or boards. Threads: pure functions.
 */
#ifndef AT_REPLAY_REPLAY_SOURCE_H
#define AT_REPLAY_REPLAY_SOURCE_H

#include "base/hash.h"
#include "base/random.h"
#include "evaluator/replay/replay_night.h"
#include "measure/measure.h"
#include "record/recording.h"

struct at_replay_source {
	const struct at_recording *recording; /* borrowed */
	struct at_replay_night night;
	/* means of what is recorded, for what the recording has no time for; 0 where
	   it has none at all */
	double compile_seconds;
	double measure_seconds;
	size_t fastest; /* row; SIZE_MAX: nothing passed */
};

/* Nothing in it needs to be released. */
void at_replay_source_init(struct at_replay_source *self,
	const struct at_recording *recording, const struct at_replay_night *night);

const struct at_recorded *at_replay_source_row(
	const struct at_replay_source *self, size_t row);
double at_replay_compile_seconds(const struct at_replay_source *self, size_t row);
/* 0 for what failed: it does not come to the board. */
double at_replay_measure_seconds(const struct at_replay_source *self, size_t row);
/* Of the night: the fastest gives wrong results, as was asked for. */
bool at_replay_is_wrong(const struct at_replay_source *self, size_t row);

/* The row as it was measured. AT_ENOMEM; release *out in any case. */
enum at_status at_replay_result(const struct at_replay_source *self, size_t row,
	struct at_measure_result *out, struct at_error *err);
/*
 * The row in finals: samples drawn from the recorded ones with replacement, which is
 * what another measurement of it would have given, as far as the recording can tell.
 * AT_ENOMEM; release *out in any case.
 */
enum at_status at_replay_final(const struct at_replay_source *self, size_t row,
	const struct at_measure_finals *how, struct at_random *random,
	struct at_measure_result *out, struct at_error *err);

/* By contents: a recording that was made anew is another source. AT_ENOMEM. */
enum at_status at_replay_hash(const struct at_recording *recording, struct at_hash *out,
	struct at_error *err);

#endif
