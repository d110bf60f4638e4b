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
#include "space/spec.h"

/* One problem of one space on one model of device. All of it belongs to it. */
struct at_result {
	struct at_record_device device;
	struct at_crown crown; /* names space and problem */
	/* of the crown; no samples, no log. Zeroed, its configuration NULL, where
	   nobody won and only the baseline is there: at_results_add_defaults() */
	struct at_evaluation winner;
	struct at_evaluation baseline; /* zeroed where the crown has none */
	bool has_baseline;
	/* of a result file (record/shipped.h): its ids are none of a record, and winner
	   and baseline have of their times what the finals told */
	bool is_shipped;
	/*
	 * Who serves the problem in the portfolio of its device and space, of the same
	 * source; without a device of its own. NULL: there is none.
	 */
	struct at_result *member;
};

struct at_results {
	size_t count;
	size_t capacity;
	struct at_result *items; /* by space, device (kind, slug), problem */
	/* result files that could not be used, and why: for whoever tells of them */
	size_t failed_count;
	size_t failed_capacity;
	struct at_error *failed;
};

/*
 * The winners of a space (NULL: of all): of the record, and of the result files in
 * `directory`. Where both have one of the same device, space and problem, it is the one
 * that is proved, else the newer one, else the record's; one that was withdrawn counts
 * against all that are not newer. store NULL: no record;
 * directory NULL: no files. *out is the caller's, also after a failure:
 * at_results_release().
 */
enum at_status at_results_read(struct at_store *store, const char *directory,
	const char *space, struct at_results *out, struct at_error *err);
/*
 * Records them: devices, winners and baselines as evaluations, crowns, whose ids they
 * then have. Meant for a store in memory: who has a record gets what is in it twice.
 */
enum at_status at_results_record(
	struct at_results *self, struct at_store *store, struct at_error *err);
/*
 * Where nothing is recorded: the defaults of the space, which nobody measured, for each
 * problem that is one of GPUs, as baselines without a winner, on a device that is none.
 * Only for headers, which then choose them for want of better. AT_ENOENT where the
 * space has none. After a failure what was added is still to be released.
 */
enum at_status at_results_add_defaults(
	struct at_results *self, const struct at_spec *spec, struct at_error *err);
/* Members in the places of winners; a problem that has none is left out. */
void at_results_take_members(struct at_results *self);
void at_results_release(struct at_results *self);
void at_result_release(struct at_result *self);

#endif
