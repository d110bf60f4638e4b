/*
 * Adds measurements of other tools to the record, as evaluations of a device of kind
 * "imported". So they are never compared with measurements of a board here. `results`
 * shows them, and searches learn from them (session/experience.h). They never replace a
 * measurement of this tool, since no plan computes their key, and are never selected.
 *
 * Threads: as the store.
 */
#ifndef AT_RECORD_IMPORT_H
#define AT_RECORD_IMPORT_H

#include "record/recording.h"
#include "record/store.h"

/* kind of device of other tools' measurements */
#define AT_IMPORTED_KIND "imported"

/* The user's description of a recording. Borrowed texts. */
struct at_import_options {
	/* NULL: from the recording; AT_EINVAL if it has none */
	const char *space;
	const char *problem; /* NULL: from the recording, else "imported" */
	const char *device; /* NULL: from the recording, else "unknown device" */
	const char *origin; /* of the recording; stored with the run */
	const char *version; /* of this program; stored with the run */
};

struct at_imported {
	int64_t added; /* new evaluations */
	int64_t known; /* already recorded with the same outcome, time and samples */
	char *slug; /* of the device; heap, the caller's */
};

/* Adds all rows of the recording in one transaction, or none. If the record has another
   result of a configuration, the newer evaluation counts, as always. */
enum at_status at_store_import(struct at_store *self,
	const struct at_recording *recording, const struct at_import_options *options,
	struct at_imported *out, struct at_error *err);

#endif
