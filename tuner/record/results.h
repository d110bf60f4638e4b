/*
 * Winners, as whoever tells of them needs them: each with its device, its evaluation
 * and the baseline's, wherever they are kept. Headers, reports, comparisons and exports
 * are made of these, and know nothing of the store.
 *
 * Threads: the store's; what was read is constant.
 */
#ifndef AT_RECORD_RESULTS_H
#define AT_RECORD_RESULTS_H

#include "record/store.h"

/* One problem of one space on one model of device. All of it belongs to it. */
struct at_result {
	struct at_record_device device;
	struct at_crown crown; /* names space and problem */
	struct at_evaluation winner; /* of the crown; no samples, no log */
	struct at_evaluation baseline; /* zeroed where the crown has none */
	bool has_baseline;
};

struct at_results {
	size_t count;
	struct at_result *items; /* by space, device (kind, slug), problem */
};

/*
 * The winners of a space (NULL: of all). store NULL, or one that has none: *out is
 * empty. *out is the caller's, also after a failure: at_results_release().
 */
enum at_status at_results_read(struct at_store *store, const char *space,
	struct at_results *out, struct at_error *err);
void at_results_release(struct at_results *self);

#endif
