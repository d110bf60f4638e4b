/*
 * What other tools measured, taken into the record as evaluations of a device of kind
 * "imported", so that they are never compared with what a board here did. `results`
 * shows them, and a search learns from them (session/experience.h). They never stand
 * for a measurement of this tool, since no plan computes their key, and they are never
 * selected.
 *
 * Threads: as the store.
 */
#ifndef AT_RECORD_IMPORT_H
#define AT_RECORD_IMPORT_H

#include "record/recording.h"
#include "record/store.h"

/* the kind of the devices that other tools measured on */
#define AT_IMPORTED_KIND "imported"

/* What the user says about a recording. All texts are borrowed. */
struct at_import_options {
	/* NULL: as the recording says; AT_EINVAL where it does not */
	const char *space;
	const char *problem; /* NULL: as the recording says, else "imported" */
	const char *device; /* NULL: as the recording says, else "unknown device" */
	const char *origin; /* where the recording is from; kept with the run */
	const char *version; /* of this program; kept with the run */
};

/* What an import did. */
struct at_imported {
	int64_t added; /* evaluations that were added */
	int64_t known; /* already recorded with the same outcome, time and samples */
	char *slug; /* of the device; heap, the caller's */
};

/* Adds all rows of the recording in one transaction, or none. Where the record already
   has a configuration with another result, the newer evaluation counts, as always. */
enum at_status at_store_import(struct at_store *self,
	const struct at_recording *recording, const struct at_import_options *options,
	struct at_imported *out, struct at_error *err);

#endif
