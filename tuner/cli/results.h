/*
 * The three forms in which "autotune results" shows the record: text for people, JSON
 * for programs, and a Markdown table of the winners. They depend on the groups alone,
 * so the same record gives the same bytes. Threads: safe.
 */
#ifndef AT_CLI_RESULTS_H
#define AT_CLI_RESULTS_H

#include "base/json.h"
#include "cli/groups.h"

/* How to show a group with its winner, its outcomes and a table of its evaluations. */
struct at_results_view {
	bool color;
	bool wide; /* all columns, and configurations with all their parameters */
	int columns; /* of the terminal; INT_MAX: no limit */
};
/* Appends a group as text. */
void at_results_write_text(const struct at_group *group,
	const struct at_results_view *view, struct at_strbuf *out);
/* Appends how to measure ceilings, where there are rates to compare with them. */
void at_results_write_hint(const struct at_groups *groups, struct at_strbuf *out);

/* A group as a JSON object, the caller's. */
struct at_json *at_results_to_json(const struct at_group *group);

/*
 * Appends a row per group, then for each device a line with the ceilings that the
 * shares refer to. The time of the baseline is the winner's times the speed-up, since
 * the finals measured them in pairs.
 */
void at_results_write_table(const struct at_groups *groups, struct at_strbuf *out);

#endif
