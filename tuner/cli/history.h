/* The nights of a kernel for "autotune history": text with a plot for people, JSON for
   programs. They depend on the nights alone, so the same record gives the same bytes.
   Threads: safe. */
#ifndef AT_CLI_HISTORY_H
#define AT_CLI_HISTORY_H

#include "base/json.h"
#include "cli/page.h"
#include "record/history.h"

/* The nights of one problem on one board, oldest first, including those of earlier
   winners. */
struct at_kernel_nights {
	const struct at_record_device *device; /* borrowed */
	bool names_board; /* the record has several boards of this device */
	size_t count; /* at least 1 */
	const struct at_revisit *const *nights; /* borrowed */
};

/* All nights of a record, by space, problem, device, board and time. */
struct at_nights {
	struct at_revisits all;
	const struct at_revisit **items; /* of `all` */
	struct at_record_device *devices; /* for each kernel */
	size_t kernel_count;
	struct at_kernel_nights *kernels;
};

/* The caller releases *self, also after a failure. */
enum at_status at_nights_read(
	struct at_nights *self, struct at_store *store, struct at_error *err);
void at_nights_release(struct at_nights *self);

/* Appends a heading, the plot and a table. */
void at_history_write_text(const struct at_kernel_nights *self, struct at_page *page);
/* The nights as a JSON object; the caller's. */
struct at_json *at_history_to_json(const struct at_kernel_nights *self);

#endif
