/*
 * The three forms in which "autotune results" shows what is recorded: text for
 * people, JSON for programs, and the winners as one table in Markdown. All are
 * made from the groups alone: the same record gives the same bytes. Threads: safe.
 */
#ifndef AT_CLI_RESULTS_H
#define AT_CLI_RESULTS_H

#include "base/json.h"
#include "cli/groups.h"

/* A group with its winner, its outcomes and a table of its evaluations. */
struct at_results_view {
	bool color;
	bool wide; /* all columns, and configurations with all their parameters */
	int columns; /* of the terminal; INT_MAX: no such limit */
};
void at_results_write_text(const struct at_group *group,
	const struct at_results_view *view, struct at_strbuf *out);
/* How to get the ceilings, where there is something to compare with them. */
void at_results_write_hint(const struct at_groups *groups, struct at_strbuf *out);

/* The caller's. */
struct at_json *at_results_to_json(const struct at_group *group);

/*
 * A row a group, then a line a device with the ceilings that the shares are of.
 * The time of the baseline is the winner's times the speed-up: finals pair them.
 */
void at_results_write_table(const struct at_groups *groups, struct at_strbuf *out);

#endif
