/*
 * The summary of a problem on a device, for people: who won and by how much, what
 * failed, how often and why, and what to do next. Threads: safe.
 */
#ifndef AT_CLI_SUMMARY_H
#define AT_CLI_SUMMARY_H

#include "cli/lane.h"
#include "cli/page.h"

/* Appends the summary. event is a SUMMARY; lane has the first reason of each kind of
   failure. */
void at_summary_write(
	const struct at_event *event, const struct at_lane *lane, struct at_page *page);

/*
 * Appends rows such as "   12  wrong_result  differs from the reference", ok first,
 * then the most frequent. details[outcome]: the first reason, which is added; NULL:
 * none are known.
 */
void at_summary_write_outcomes(const uint64_t by_outcome[AT_OUTCOME_COUNT],
	const char (*details)[AT_LANE_DETAIL_SIZE], struct at_strbuf *out);

/* OK, or else the most frequent outcome that is not marked in `done`; COUNT when all
   are. */
size_t at_summary_most_frequent(
	const uint64_t by_outcome[AT_OUTCOME_COUNT], const bool *done);

/* The one line of a run without a summary (--quiet): that nothing passed, and why. */
void at_summary_write_failure(const struct at_event *event, const struct at_lane *lane,
	struct at_strbuf *out);

#endif
