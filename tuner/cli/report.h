/*
 * The contents of "autotune report": each space, problem and device, gathered once.
 * They are written as a page for a browser (report/page.h), as text for a terminal, or
 * as the page's JSON.
 *
 *   at_report_gather(&report, &groups, recorded, &err);
 *   at_report_write_json(&report, now, NULL, &text);  or at_report_write_text(...)
 *   at_report_release(&report);
 *
 * The JSON is one object: version (1); program; created_seconds; record (the folder);
 * bundled (there is no record, only result files); reasons_most (the most reasons of a
 * group); groups, an array of objects with
 *
 *   space, problem, sizes, device {slug, kind, model, architecture, driver}, bundled
 *   ceilings        as in "autotune devices --json", or null
 *   winner          configuration, time_ns, low_ns, high_ns, facts, rates, the keys of
 *                   at_json_set_winner(); in words measured, verified_by, not_run,
 *                   not_for; includes (lines for C, none if not verified); or null
 *   speedup, speedup_low, speedup_high
 *   baseline        configuration, time_ns, low_ns, high_ns, facts, rates; or null
 *   baseline_wins
 *   outcomes        [{name, text, count, first}], ok first, then the most frequent
 *   evaluations     null if none are recorded, else columns: count, parameters
 *                   [{name, values}], values (for each parameter an array with the
 *                   index of each evaluation's value), outcomes (names), outcome,
 *                   reasons, reason, seconds; and for each column of numbers an
 *                   array, or one number if all are equal, or no key if unknown.
 *                   In the order of evaluation. left_out: evaluations that were
 *                   repeated since, or have other parameters; pauses: pauses that
 *                   seconds leave out
 *   importance      shares (an array by parameter), learned_count, judged_count,
 *                   explained; or null
 *   nights          as in "autotune history --json", for each board
 *
 * Threads: one.
 */
#ifndef AT_CLI_REPORT_H
#define AT_CLI_REPORT_H

#include "cli/recorded.h"
#include "cli/history.h"
#include "cli/page.h"
#include "report/evaluations.h"

/* One space, problem and device. */
struct at_report_part {
	const struct at_group *group; /* borrowed */
	struct at_report_evaluations evaluations;
	char **includes; /* lines of C; NULL: no winner */
	size_t include_count;
	size_t board_count;
	const struct at_kernel_nights *boards; /* borrowed */
};

/* The whole report; it owns the groups and everything made from them. */
struct at_report {
	const char *directory; /* of the record; borrowed */
	bool is_bundled; /* there is no record, only result files */
	struct at_groups groups; /* by space, problem, device */
	size_t count;
	struct at_report_part *parts; /* one per group */
	struct at_nights nights;
};

/* groups: collected and completed with all evaluations; the report takes it over. The
   caller releases *self, also after a failure. */
enum at_status at_report_gather(struct at_report *self, struct at_groups *groups,
	struct at_recorded *recorded, struct at_error *err);
/* Frees what self owns. */
void at_report_release(struct at_report *self);

/*
 * Appends the object on one line, without '<', for embedding in a page. blocks: NULL,
 * or an empty buffer for each part, which gets that part's evaluations; the object then
 * has `true` in their place, so that a page shows the rest before it reads them.
 */
void at_report_write_json(const struct at_report *self, int64_t created_seconds,
	struct at_strbuf *blocks, struct at_strbuf *out);
/* Appends one part as text; 80 columns wide if the page has no width. */
void at_report_write_text(const struct at_report_part *part, struct at_page *page);
/* Appends the comparison of devices, for problems with parts on several. */
void at_report_write_devices(const struct at_report *self, struct at_page *page);

#endif
