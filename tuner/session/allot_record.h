/* What the record knows of a search, for who shares time out (session/allot.h). */
#ifndef AT_SESSION_ALLOT_RECORD_H
#define AT_SESSION_ALLOT_RECORD_H

#include "record/store.h"
#include "session/allot.h"

/*
 * What was evaluated of the problem on the device, its gains and what one takes.
 * `need`, `valid`, `lost` and `is_done` stay. Threads: the store's.
 */
enum at_status at_allot_read(struct at_store *store, const char *space,
	const char *device_slug, const char *problem, struct at_allot_item *item,
	struct at_error *err);

#endif
