/* Finds configurations in a recording although the caller numbers parameters and values
   in another way: both are matched by name and value. Used by replay.c alone. */
#ifndef AT_REPLAY_REPLAY_COLUMNS_H
#define AT_REPLAY_REPLAY_COLUMNS_H

#include "record/recording.h"

struct at_replay_column; /* opaque */

struct at_replay_columns {
	const struct at_recording *recording; /* borrowed until release */
	struct at_replay_column *items; /* one a parameter; NULL: same numbers */
	uint16_t *configuration; /* scratch, numbered as in the recording */
};

/*
 * parameters: the caller's, borrowed for this call; NULL: numbered as the recording
 * does. AT_EINVAL: one side has a parameter with several values that the other side
 * lacks. Must be released also after a failure.
 */
enum at_status at_replay_columns_init(struct at_replay_columns *self,
	const struct at_recording *recording,
	const struct at_search_parameter *parameters, size_t count,
	struct at_error *err);
/* Releases the tables. */
void at_replay_columns_release(struct at_replay_columns *self);
/* The row of a configuration in the recording; SIZE_MAX: it was not recorded. */
size_t at_replay_columns_find(
	struct at_replay_columns *self, const uint16_t *configuration);

#endif
