/* What the record knows of a search that is to have a share of time
   (session/allot.h). */
#ifndef AT_SESSION_ALLOT_RECORD_H
#define AT_SESSION_ALLOT_RECORD_H

#include "record/store.h"
#include "session/allot.h"

/*
 * Fills in, from the record, how many evaluations the problem has on the device, their
 * gains and their average time. Leaves `need`, `valid`, `lost` and `is_done` as they
 * are. The costs are those of the objective. Threads: the store's.
 */
enum at_status at_allot_read(struct at_store *store, const char *space,
	const char *device_slug, const char *problem,
	const struct at_objective *objective, struct at_allot_item *item,
	struct at_error *err);

#endif
