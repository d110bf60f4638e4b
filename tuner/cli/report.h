/*
 * What "autotune report" tells: everything that is known of each space, problem and
 * device, gathered once, and told as a page for a browser (report/page.h), as text for
 * a terminal, or as the JSON that the page is made from.
 *
 *   at_report_gather(&report, recorded, err);
 *   at_report_write_json(&report, now, NULL, &text);  or at_report_write_text(...)
 *   at_report_release(&report);
 *
 * The JSON, one object: version 1; program; created_seconds; record (the folder);
 * shipped (there is no record, and this is of result files); reasons_most (of a group);
 * groups, an array of objects with
 *   space, problem, sizes, device {slug, kind, model, architecture, driver}, shipped
 *   ceilings        as "autotune devices --json" has them, or null
 *   winner          configuration, time_ns, low_ns, high_ns, facts, rates, what
 *                   at_json_set_crown() says; in words measured, proved_by, not_run;
 *                   includes (lines for C, none where it is not proved); or null
 *   speedup, speedup_low, speedup_high
 *   baseline        configuration, time_ns, low_ns, high_ns, facts, rates; or null
 *   baseline_wins
 *   outcomes        [{name, text, count, first}], ok first, then the most frequent
 *   evaluations     null where none are recorded, else columns: count, parameters
 *                   [{name, values}], values (of each parameter the number of the value
 *                   of each evaluation), outcomes (names), outcome, reasons, reason,
 *                   and of each of the columns of numbers an array, or one number
 *                   where it is the same throughout, or nothing where it is not known;
 *                   in the order in which they were evaluated; left_out: evaluations
 *                   that were repeated since, or have other parameters
 *   importance      shares, an array by parameter, learned_count, judged_count,
 * explained; or null nights          as "autotune history --json" has them, for each
 * board
 *
 * Threads: one.
 */
#ifndef AT_CLI_REPORT_H
#define AT_CLI_REPORT_H

#include "cli/groups.h"
#include "record/history.h"
#include "report/evaluations.h"

/* The nights of one board: a range of those of the report. */
struct at_report_board {
	size_t begin;
	size_t count;
};

/* One space, problem and device. */
struct at_report_part {
	const struct at_group *group; /* borrowed */
	struct at_report_evaluations evaluations;
	char **includes; /* lines of C; NULL: there is no winner */
	size_t include_count;
	size_t board_count;
	struct at_report_board *boards;
};

struct at_report {
	const char *directory; /* of the record; borrowed */
	bool is_shipped;
	struct at_groups groups; /* by space, problem, device */
	size_t count;
	struct at_report_part *parts; /* one of each group */
	struct at_revisits all_nights;
	size_t night_count;
	const struct at_revisit **nights; /* by part, board and time */
};

/*
 * groups holds what is to be told of, collected and completed with all evaluations; it
 * becomes the report's. *self is to be released also after a failure.
 */
enum at_status at_report_gather(struct at_report *self, struct at_groups *groups,
	struct at_recorded *recorded, struct at_error *err);
void at_report_release(struct at_report *self);

/*
 * The whole object on one line, without '<', so that it can lie in a page. Where blocks
 * is not NULL (one for each part, empty), evaluations are written there, each by
 * itself, and stand in the object as true: a page shows the rest before it has read
 * them. Fails as at_strbuf does.
 */
void at_report_write_json(const struct at_report *self, int64_t created_seconds,
	struct at_strbuf *blocks, struct at_strbuf *out);
/* One part, in `columns` columns. */
void at_report_write_text(const struct at_report *self,
	const struct at_report_part *part, bool color, int columns,
	struct at_strbuf *out);
/* What is asked for all parts together: devices side by side. */
void at_report_write_devices(const struct at_report *self, struct at_strbuf *out);

#endif
