/*
 * Winners in memory: each with its device, its evaluation and the baseline's
 * evaluation, whether they come from the record or from result files. Headers, reports,
 * comparisons and exports are made from these and know nothing of the store.
 *
 * Threads: the store's; constant after they were read.
 */
#ifndef AT_RECORD_RESULTS_H
#define AT_RECORD_RESULTS_H

#include "record/counterexample.h"
#include "record/store.h"
#include "space/spec.h"

/* The result of one problem of one space on one device model. It owns all that it
   points to. */
struct at_result {
	struct at_record_device device;
	struct at_winner best; /* names space and problem */
	/*
	 * The winner's evaluation, without samples and log. Zeroed, with configuration
	 * NULL, where there is no winner and only the baseline is given:
	 * at_results_add_defaults().
	 */
	struct at_evaluation winner;
	struct at_evaluation baseline; /* zeroed where the winner has none */
	bool has_baseline;
	/* It comes from a result file (record/bundled.h): its ids mean nothing in a
	   record, and the times of winner and baseline are those of the finals. */
	bool is_bundled;
	/* The portfolio's configuration for this problem, of the same device, space and
	   source; its `device` is empty. NULL: none exists. */
	struct at_result *member;
};

/* The order of results: by space, device (kind, slug), problem. */
int at_result_order(const struct at_result *a, const struct at_result *b);

/* Results, and what went wrong with result files. */
struct at_results {
	size_t count;
	size_t capacity;
	struct at_result *items; /* by at_result_order() */
	/* of the same spaces, from the record and from files, each once */
	struct at_counterexamples counterexamples;
	/* result files that could not be used, and why, for messages */
	size_t failed_count;
	size_t failed_capacity;
	struct at_error *failed;
};

/*
 * Reads the winners of a space (NULL: of all) from the record and from the result files
 * in `directory`. Where both have a winner for one device, space and problem, the
 * verified one is taken; if that does not decide, the newer one; else the record's. A
 * winner of the record that was withdrawn loses only to a newer one. store NULL: no
 * record; directory NULL: no files. *out must be released, also after a failure:
 * at_results_release().
 */
enum at_status at_results_read(struct at_store *store, const char *directory,
	const char *space, struct at_results *out, struct at_error *err);
/*
 * AT_EINVAL with the file and the reason where a result file could not be used: files
 * that are made from these results would lack its winners, and may not replace any.
 */
enum at_status at_results_need_files(
	const struct at_results *self, struct at_error *err);
/*
 * Adds the results to a store: devices, winners and baselines as evaluations, and
 * winners; sets their ids. Meant for a store in memory: in a real record results would
 * then be twice.
 */
enum at_status at_results_record(
	struct at_results *self, struct at_store *store, struct at_error *err);
/*
 * For a space without any record: adds the defaults of the space, which were not
 * measured, as a baseline without a winner for each problem of GPUs, on a device that
 * stands for none. Only for headers, whose choose() then falls back to them. AT_ENOENT:
 * the space has no defaults. The results must be released as usual, also after a
 * failure.
 */
enum at_status at_results_add_defaults(
	struct at_results *self, const struct at_spec *spec, struct at_error *err);
/* Replaces each winner by its portfolio member; results without a member are
   removed. */
void at_results_take_members(struct at_results *self);
/* Release all that they hold, and zero themselves; at_result_release() accepts NULL. */
void at_results_release(struct at_results *self);
void at_result_release(struct at_result *self);

#endif
