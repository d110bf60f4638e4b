/*
 * What other tools measured, taken into the record: evaluations of a device of its own,
 * of kind "imported", so that they never stand beside what a board did. They are shown
 * by `results`, and a search learns from them (session/experience.h). They are never
 * taken for a measurement of today, since no plan has their key, and never crowned.
 *
 * Threads: as the store.
 */
#ifndef AT_RECORD_FOREIGN_H
#define AT_RECORD_FOREIGN_H

#include "record/recording.h"
#include "record/store.h"

/* the kind of devices that other tools measured on */
#define AT_FOREIGN_KIND "imported"

struct at_foreign_options {
	const char *space; /* NULL: as the recording says, else it is refused */
	const char *problem; /* NULL: as it says, else "imported" */
	const char *device; /* NULL: as it says, else "unknown device" */
	const char *origin; /* where it is from; kept with its run */
	const char *version; /* of this program */
};

struct at_foreign {
	int64_t added;
	int64_t known; /* of the same outcome, time and samples: nothing was added */
	char *slug; /* of the device, heap: the caller's */
};

/*
 * All of it or nothing. Of one configuration on such a device the newest counts, as
 * ever.
 */
enum at_status at_store_add_foreign(struct at_store *self,
	const struct at_recording *recording, const struct at_foreign_options *options,
	struct at_foreign *out, struct at_error *err);

#endif
