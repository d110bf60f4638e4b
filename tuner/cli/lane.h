/*
 * The state of a run: a lane for each problem that is being tuned on a device, updated
 * from the session's events. It copies what events only lend, for the progress display
 * and the summary. Threads: one.
 */
#ifndef AT_CLI_LANE_H
#define AT_CLI_LANE_H

#include "session/session.h"

/* Bytes of a reason that a lane keeps. */
#define AT_LANE_DETAIL_SIZE 256

/* Configurations that the summary lists. */
#define AT_LANE_TOP 5

/* A configuration that was measured, by one evaluation. */
struct at_lane_row {
	double value; /* of the objective */
	char *configuration; /* as text; heap */
};

/* A problem that is being tuned on a device. */
struct at_lane {
	char *label; /* "matmul square_4096 cuda:0": distinguishes lanes */
	struct at_progress progress;
	/* When progress was last reported, by at_clock_now_ns(). */
	uint64_t progress_ns;
	char phase[64]; /* "finals"; "" while it searches */
	char state[256]; /* "waiting for another autotune on cuda:0"; "" */
	char told_state[256]; /* the last state that was printed as a line; "" */
	/* The incumbent; NAN and "" before there is one. */
	const struct at_objective *objective; /* that value is of */
	double value;
	double speedup;
	double flops_per_second;
	double bytes_per_second;
	struct at_strbuf configuration;
	/* Write all parameters, not only those that differ from the baseline. */
	bool wide;
	/* The best evaluations of the run, the best one first. */
	struct at_lane_row top[AT_LANE_TOP];
	size_t top_count;
	/* The first event, by at_clock_now_ns() and by the run's clock. */
	uint64_t begun_ns;
	double begun_seconds;
	/* For each outcome, the first reason that was reported. */
	char first_detail[AT_OUTCOME_COUNT][AT_LANE_DETAIL_SIZE];
	/* Of each parameter: whether a wrong result had its default, or a right one
	   another value. NULL: no result was wrong or right yet. */
	bool *is_innocent;
};

/* All lanes of a run. */
struct at_lanes {
	bool wide; /* the wide of new lanes */
	size_t count;
	size_t capacity;
	struct at_lane **items; /* in the order in which they began */
};

/* The lane of the event's problem and device, created when it is new. */
struct at_lane *at_lanes_find(struct at_lanes *self, const struct at_event *event);
/* Removes and frees a lane, when its problem is done. */
void at_lanes_remove(struct at_lanes *self, struct at_lane *lane);
/* Frees all lanes. */
void at_lanes_release(struct at_lanes *self);

/* Updates the lane from an event; now_ns is at_clock_now_ns(). */
void at_lane_update(
	struct at_lane *self, const struct at_event *event, uint64_t now_ns);

/*
 * The parameter on which alone it depends whether results are right: all right ones
 * have its default; all wrong ones, at least a few, have not.
 * parameter_count: none exists, or more than one.
 */
size_t at_lane_guilty(const struct at_lane *self, const struct at_spec *spec);

/* The number of evaluations at which the search will end; 0: not known. */
uint64_t at_lane_goal(const struct at_lane *self);
/* Seconds since the problem began, without those in which it waited for other runs. */
double at_lane_elapsed_seconds(const struct at_lane *self, uint64_t now_ns);
/* Seconds in which the run's clock stood still, since another run had the device. */
double at_lane_waited_seconds(const struct at_lane *self);
/* Evaluations a second, without those that were taken from the record. */
double at_lane_rate(const struct at_lane *self, uint64_t now_ns);
/* Seconds until the search or the budget ends; NAN where it cannot be estimated. */
double at_lane_seconds_left(const struct at_lane *self, uint64_t now_ns);

#endif
