/*
 * The ceilings of devices, for commands that show them: read from the record, or else
 * measured and recorded. Threads: one.
 */
#ifndef AT_CLI_CEILINGS_H
#define AT_CLI_CEILINGS_H

#include "base/error.h"
#include "base/json.h"
#include "base/memory.h"
#include "device/device.h"
#include "record/store.h"

#include <stdbool.h>

/* The ceilings of one device; all boards that count as that device share them. */
struct at_known_ceilings {
	struct at_device_info device;
	struct at_record_ceilings record;
};

/* Where ceilings come from, and those that were found already. */
struct at_ceilings_source {
	const char *results; /* the record's folder; borrowed */
	bool fresh; /* measure even what is recorded */
	struct at_store *store; /* NULL: not opened, or it cannot be opened */
	bool is_opened; /* it was opened, or opening it failed */
	struct at_known_ceilings *known; /* found or measured by this process */
	size_t known_count;
	size_t known_capacity;
};

/* results is borrowed. Nothing is opened or created yet. */
void at_ceilings_source_init(
	struct at_ceilings_source *self, const char *results, bool fresh);
/* Closes the record and frees what was found. */
void at_ceilings_source_release(struct at_ceilings_source *self);

/*
 * *out is borrowed until the next call. It is NULL, with the reason in err, when the
 * ceilings are not recorded and cannot be measured. AT_EINTERRUPTED: a signal ended the
 * measurement. A record that cannot be read or written is reported on stderr and is no
 * failure.
 */
enum at_status at_ceilings_source_get(struct at_ceilings_source *self,
	const struct at_device_info *device, const struct at_record_ceilings **out,
	struct at_error *err);

/* Appends "copy 4.21 TB/s, FMA 60.1 TFLOP/s float, ...; measured 2026-11-21". */
void at_ceilings_format(
	struct at_strbuf *out, const struct at_record_ceilings *ceilings);
/* The caller's; JSON null for NULL. */
struct at_json *at_ceilings_to_json(const struct at_record_ceilings *ceilings);

#endif
