/*
 * Winners in memory, from the record or from result files, each with its device, its
 * evaluation and the baseline's. Headers, reports, comparisons and exports are made
 * from these and know nothing of the store.
 *
 * Result files (record/result.h has their keys) come from others, so everything in them
 * is checked, and a single error rejects the whole file. Keys that an older version did
 * not write are unknown; keys of newer versions are ignored. A file lacks samples,
 * boards, all evaluations except winner and baseline, and their times from the search
 * (it has those of the finals).
 *
 * Threads: the store's; constant after reading.
 */
#ifndef AT_RECORD_RESULTS_H
#define AT_RECORD_RESULTS_H

#include "record/counterexample.h"
#include "record/store.h"
#include "space/spec.h"

/* The result of one problem of one space on one model of device. It owns everything it
   points to. */
struct at_result {
	struct at_record_device device;
	struct at_winner best; /* names space and problem */
	/* The winner's evaluation, without samples and log. Zeroed, with configuration
	   NULL, for a baseline without a winner: at_results_add_defaults(). */
	struct at_evaluation winner;
	struct at_evaluation baseline; /* zeroed if none exists */
	bool has_baseline;
	/* From a result file: its ids are not those of a record, and
	   the times of winner and baseline are those of the finals. */
	bool is_bundled;
	/* The portfolio's configuration for this problem, of the same device, space and
	   source; its `device` is empty. NULL: none. */
	struct at_result *member;
};

/* The order of results: by space, device (kind, slug), problem. */
int at_result_order(const struct at_result *a, const struct at_result *b);

struct at_results {
	size_t count;
	size_t capacity;
	struct at_result *items; /* by at_result_order() */
	/* of the same spaces, from record and files, each once */
	struct at_counterexamples counterexamples;
	/* unusable result files with reasons, for messages */
	size_t failed_count;
	size_t failed_capacity;
	struct at_error *failed;
};

/*
 * Reads the winners of a space (NULL: of all) from the record and from the result files
 * in `directory`. Of two winners for one device, space and problem, the verified one is
 * taken, else the newer one, else the record's. A withdrawn winner of the record loses
 * only to a newer one. store NULL: no record; directory NULL: no files. *out must be
 * released, also after a failure.
 */
enum at_status at_results_read(struct at_store *store, const char *directory,
	const char *space, struct at_results *out, struct at_error *err);
/* the largest result file; a problem takes some kilobytes */
#define AT_BUNDLED_BYTES_MAX ((size_t)8 << 20)
/* Adds the results of a file's text, all or none. path: named in errors, with the key.
   slug: the file's folder, which must be that of its device; NULL: any place. */
enum at_status at_bundled_parse(const char *text, size_t size, const char *path,
	const char *slug, struct at_results *out, struct at_error *err);
/* AT_EINVAL with the file and the reason if a result file is unusable: files made from
   these results would lack its winners, and must not replace any. */
enum at_status at_results_need_files(
	const struct at_results *self, struct at_error *err);
/* Adds the results to a store: devices, winners and baselines as evaluations, and
   winners; sets their ids. For a store in memory: a real record would then have the
   results twice. */
enum at_status at_results_record(
	struct at_results *self, struct at_store *store, struct at_error *err);
/*
 * For a space without any record: adds the space's defaults, not measured, as a
 * baseline without a winner for each problem for GPUs, on a fictitious device. Only for
 * headers, whose choose() then falls back to them. AT_ENOENT: the space has no
 * defaults. The results must be released, also after a failure.
 */
enum at_status at_results_add_defaults(
	struct at_results *self, const struct at_spec *spec, struct at_error *err);
/* Replaces each winner by its portfolio member; removes results without one. */
void at_results_take_members(struct at_results *self);
/* Free everything and zero it; at_result_release() accepts NULL. */
void at_results_release(struct at_results *self);
void at_result_release(struct at_result *self);

#endif
