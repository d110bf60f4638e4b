/*
 * The nights of a kernel as "autotune history" shows them: text with a plot for people,
 * JSON for programs. They depend on the nights alone, so the same record gives the same
 * bytes. Threads: safe.
 */
#ifndef AT_CLI_HISTORY_H
#define AT_CLI_HISTORY_H

#include "base/json.h"
#include "cli/page.h"
#include "record/history.h"

/* All nights of a record, by space, problem, device, board and time. */
struct at_nights {
	struct at_revisits all;
	size_t count;
	const struct at_revisit **items; /* of `all` */
};

/* The caller releases *self, also after a failure. */
enum at_status at_nights_read(
	struct at_nights *self, struct at_store *store, struct at_error *err);
/* The index past the nights of the same problem on the same board. */
size_t at_nights_end(const struct at_nights *self, size_t begin);
void at_nights_release(struct at_nights *self);

/* The nights of one problem on one board, oldest first, including nights of earlier
   winners. */
struct at_kernel_nights {
	const struct at_record_device *device; /* borrowed */
	bool names_board; /* names the board, since there are several of this device */
	size_t count; /* at least 1 */
	const struct at_revisit *const *nights; /* borrowed */
};

/* Appends the nights as text: a heading, the plot and a table. */
void at_history_write_text(const struct at_kernel_nights *self, struct at_page *page);
/* The nights as a JSON object, the caller's. */
struct at_json *at_history_to_json(const struct at_kernel_nights *self);

#endif
