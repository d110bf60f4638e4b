/*
 * A session's events: a display, lines and a summary of each problem for people; a line
 * of JSON for each event for programs. Only the teller prints. Threads: one.
 *
 *   at_teller_begin(&teller);   with json and quiet set, and the rest zero
 *   ... options.listen = at_teller_listen, options.tick = at_teller_tick
 *   at_teller_end(&teller);
 */
#ifndef AT_CLI_TELL_H
#define AT_CLI_TELL_H

#include "base/json.h"
#include "cli/page.h"
#include "session/session.h"

/* ---- lanes: the state of each problem that is being tuned on a device. They copy what
   events only lend */

/* Bytes kept of a reason. */
#define AT_LANE_DETAIL_SIZE 512

/* Configurations that the summary lists. */
#define AT_LANE_TOP 5

/* A configuration that one evaluation measured. */
struct at_lane_row {
	double value; /* of the objective */
	char *configuration; /* as text; heap */
};

/* A problem that is being tuned on a device. */
struct at_lane {
	char *label; /* "matmul square_4096 cuda:0": distinguishes lanes */
	struct at_progress progress;
	/* the last report of progress, by at_clock_now_ns() */
	uint64_t progress_ns;
	char phase[64]; /* "finals"; "" while it searches */
	char state[256]; /* "waiting for another autotune on cuda:0"; "" */
	char told_state[256]; /* the last state printed as a line, or "" */
	/* The incumbent; NAN and "" before the first one. */
	const struct at_objective *objective; /* the objective of `value` */
	double value;
	double speedup;
	double flops_per_second;
	double bytes_per_second;
	struct at_strbuf configuration;
	/* Write all parameters, not only those that differ from the baseline. */
	bool wide;
	/* The run's best evaluations, best first. */
	struct at_lane_row top[AT_LANE_TOP];
	size_t top_count;
	/* The first event, by at_clock_now_ns() and by the run's clock. */
	uint64_t begun_ns;
	double begun_seconds;
	/* The first reported reason of each outcome: "UNROLL=2: y[0] is ...". */
	char first_detail[AT_OUTCOME_COUNT][AT_LANE_DETAIL_SIZE];
	/* Of each parameter: whether a wrong result had its default, or a right result
	   another value. NULL: no result was wrong or right yet. */
	bool *is_exonerated;
};

/* All lanes of a run. */
struct at_lanes {
	bool wide; /* `wide` of new lanes */
	size_t count;
	size_t capacity;
	struct at_lane **items; /* in the order of their start */
};

/* The lane of the event's problem and device, created on first use. */
struct at_lane *at_lanes_find(struct at_lanes *self, const struct at_event *event);
/* Removes and frees a lane, when its problem is done. */
void at_lanes_remove(struct at_lanes *self, struct at_lane *lane);
/* Frees all lanes. */
void at_lanes_release(struct at_lanes *self);

/* Updates the lane from an event; now_ns is at_clock_now_ns(). */
void at_lane_update(
	struct at_lane *self, const struct at_event *event, uint64_t now_ns);

/* The single parameter that explains the wrong results: all right results have its
   default, and all wrong ones, at least a few, have another value. parameter_count: no
   parameter does, or several do. */
size_t at_lane_find_culprit(const struct at_lane *self, const struct at_spec *spec);

/* Seconds in which the run's clock stopped because another run had the device. */
double at_lane_waited_seconds(const struct at_lane *self);
/* Seconds until the search or the budget ends; NAN: no estimate. */
double at_lane_seconds_left(const struct at_lane *self, uint64_t now_ns);

/* ---- events as JSON */

/* The best configuration of a problem on a device: the recorded winner, else the
   incumbent. Pointers are borrowed from the event. */
struct at_best {
	const uint16_t *configuration;
	const struct at_objective *objective;
	struct at_score score;
	struct at_score speedup; /* over the baseline; NAN if unknown */
	/* the baseline's value in the same comparison; NAN if unknown */
	double baseline;
	const struct at_evaluation *evaluation; /* NULL: the event has none */
	struct at_roofline roofline; /* NAN without metrics */
};
/* False: no configuration passed; *out then has the objective, and otherwise NULL and
   NAN. */
bool at_event_best(const struct at_event *event, struct at_best *out);

/* The baseline's time; NAN: no baseline, or it failed. */
double at_event_baseline(const struct at_event *event);

/* {"value", "low", "high"}; null for unknown values. */
struct at_json *at_json_interval(struct at_score score);

/* Returns false for events that are only messages and have no object. Else *out gets
   the object, for at_print_json(), which frees it. */
bool at_event_to_json(const struct at_event *event, struct at_json **out);

/* ---- the summary of a problem on a device */

/* Appends the summary. event is a SUMMARY; lane has the first reason of each kind of
   failure. */
void at_summary_write(
	const struct at_event *event, const struct at_lane *lane, struct at_page *page);

/* Appends rows such as "   12  wrong_result  differs from the reference", ok first,
   then the most frequent. details[outcome]: the first reason, which is added; may be
   NULL. */
void at_summary_write_outcomes(const uint64_t by_outcome[AT_OUTCOME_COUNT],
	const char (*details)[AT_LANE_DETAIL_SIZE], struct at_strbuf *out);

/* The outcomes that occurred: OK first, then the most frequent. Returns their
   number. */
size_t at_outcomes_sort(const uint64_t by_outcome[AT_OUTCOME_COUNT],
	enum at_outcome out[AT_OUTCOME_COUNT]);

/* The line of a run without a summary (--quiet): that nothing passed, and why. */
void at_summary_write_failure(const struct at_event *event, const struct at_lane *lane,
	struct at_strbuf *out);

/* ---- portfolios */

/* Appends the text; event is of the kind PORTFOLIO. */
void at_portfolio_write_text(
	const struct at_event *event, bool wide, struct at_strbuf *out);
/* Sets in out: {"worst_loss", "limit" (null: none), "most" (null: any number),
   "members": [{"configuration", "problems": [{"problem", score, "loss", "loss_low",
   "loss_high"}]}]}. A loss is null if the member is the winner itself. */
void at_portfolio_set_json(const struct at_event *event, struct at_json *out);

/* Reads "5%" or "0.05" into a fraction of 0 or more. AT_EINVAL explains the
   notation. */
enum at_status at_portfolio_parse_limit(
	const char *text, double *out, struct at_error *err);

/* ---- the teller */

/* The display of a session's events; the caller sets json, quiet and lanes.wide. */
struct at_teller {
	bool json;
	bool quiet;
	struct at_lanes lanes;
	/* the display */
	bool redraws; /* stderr is a terminal */
	bool color;
	int rows; /* lines on the screen */
	uint64_t drawn_ns; /* the last redraw */
};

/* Starts the display. teller must not move until at_teller_end(). */
void at_teller_begin(struct at_teller *self);
/* For struct at_session_options; context is the teller. */
void at_teller_listen(void *context, const struct at_event *event);
/* Redraws the display, at most ten times a second; context is the teller. */
void at_teller_tick(void *context);
/* Ends the display and frees the lanes. */
void at_teller_end(struct at_teller *self);

/* ---- the lines, for tests */

/* Appends a lane's status as one line of any length, without a newline. The most
   important part comes first, since the display cuts it to the terminal's width. */
void at_progress_write_status(
	const struct at_lane *lane, uint64_t now_ns, bool color, struct at_strbuf *out);
/* The same for the line below: phase, reason for waiting, time left, configuration. */
void at_progress_write_activity(
	const struct at_lane *lane, uint64_t now_ns, bool color, struct at_strbuf *out);
/* Appends the line about a new incumbent, for output that is not redrawn. */
void at_progress_write_incumbent(const struct at_lane *lane, struct at_strbuf *out);

#endif
