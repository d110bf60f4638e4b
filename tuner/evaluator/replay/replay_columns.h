/*
 * Configurations as somebody else numbers them, found in a recording: parameters and
 * values are matched by what they are called and worth. Used by replay.c alone.
 */
#ifndef AT_REPLAY_REPLAY_COLUMNS_H
#define AT_REPLAY_REPLAY_COLUMNS_H

#include "record/recording.h"

struct at_replay_column; /* opaque */

struct at_replay_columns {
	const struct at_recording *recording; /* borrowed until release */
	struct at_replay_column *items; /* of each parameter; NULL: numbered the same */
	uint16_t *configuration; /* scratch, as the recording numbers it */
};

/*
 * parameters: theirs, needed for this call alone; NULL: as the recording numbers them.
 * AT_EINVAL: one of the two has a parameter with several values that the other lacks.
 * Release it also after a failure.
 */
enum at_status at_replay_columns_init(struct at_replay_columns *self,
	const struct at_recording *recording,
	const struct at_search_parameter *parameters, size_t count,
	struct at_error *err);
void at_replay_columns_release(struct at_replay_columns *self);
/* The recording's row; SIZE_MAX: it was not recorded. */
size_t at_replay_columns_find(
	struct at_replay_columns *self, const uint16_t *configuration);

#endif
