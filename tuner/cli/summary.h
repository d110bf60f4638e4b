/*
 * The end of a problem on a device, for people: who won and by how much, what
 * failed, how often and why, and what to do next. Threads: safe.
 */
#ifndef AT_CLI_SUMMARY_H
#define AT_CLI_SUMMARY_H

#include "cli/lane.h"

/* event is the SUMMARY; lane holds the first reasons of the failures. */
void at_summary_write(const struct at_event *event, const struct at_lane *lane,
	bool color, struct at_strbuf *out);

/*
 * The rows "   12  wrong_result  differs from the reference", most frequent
 * first after ok. details[outcome] adds the first reason; NULL: none are known.
 */
void at_summary_write_outcomes(const uint64_t by_outcome[AT_OUTCOME_COUNT],
	const char (*details)[AT_LANE_DETAIL_SIZE], struct at_strbuf *out);

#endif
