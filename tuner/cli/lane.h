/*
 * What is going on: a lane for each problem that is being tuned on a device,
 * brought up to date by the session's events. It keeps copies of what events only
 * lend, for the display and the summary. Threads: one.
 */
#ifndef AT_CLI_LANE_H
#define AT_CLI_LANE_H

#include "session/session.h"

#define AT_LANE_DETAIL_SIZE 256

struct at_lane {
	char *label; /* "matmul square_4096 cuda:0": what tells lanes apart */
	struct at_progress progress;
	uint64_t progress_ns; /* when it was told, by at_clock_now_ns() */
	char phase[64]; /* "finals"; "" while it searches */
	char state[256]; /* "waiting for another autotune on cuda:0"; "" */
	char told_state[256]; /* the last one that was said in a line; "" */
	/* the incumbent; NAN and "" before there is one */
	const struct at_objective *objective; /* of value */
	double value;
	double speedup;
	double flops_per_second;
	double bytes_per_second;
	struct at_strbuf configuration;
	bool wide; /* of it all, and not only what differs from the baseline */
	/* of each outcome the first reason that was told */
	char first_detail[AT_OUTCOME_COUNT][AT_LANE_DETAIL_SIZE];
};

struct at_lanes {
	bool wide; /* of those that are made */
	size_t count;
	size_t capacity;
	struct at_lane **items; /* in the order in which they began */
};

/* The lane of the event, made when there is none; NULL when memory ran out. */
struct at_lane *at_lanes_find(struct at_lanes *self, const struct at_event *event);
void at_lanes_remove(struct at_lanes *self, struct at_lane *lane);
void at_lanes_release(struct at_lanes *self);

/* Takes over what the event tells; now_ns is at_clock_now_ns(). */
void at_lane_update(
	struct at_lane *self, const struct at_event *event, uint64_t now_ns);

/* How many evaluations it will end at; 0: not known. */
uint64_t at_lane_goal(const struct at_lane *self);
/* Evaluations a second that were not in the record. */
double at_lane_rate(const struct at_lane *self, uint64_t now_ns);
/* NAN where it cannot be told. */
double at_lane_seconds_left(const struct at_lane *self, uint64_t now_ns);

#endif
