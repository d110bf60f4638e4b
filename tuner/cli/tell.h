/*
 * A session as it happens: for people a display, lines and a summary of each problem;
 * for programs a line of JSON for each event. Only the teller prints. Threads: one.
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

/* ---- lanes: what is known of each problem that is being tuned on a device. They copy
   what events only lend */

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

/* Seconds in which the run's clock stood still, since another run had the device. */
double at_lane_waited_seconds(const struct at_lane *self);
/* Seconds until the search or the budget ends; NAN where it cannot be estimated. */
double at_lane_seconds_left(const struct at_lane *self, uint64_t now_ns);

/* ---- events as JSON */

/*
 * The best configuration of a problem on a device: the recorded winner where there is a
 * winner, else the incumbent. Pointers are borrowed from the event.
 */
struct at_best {
	const uint16_t *configuration;
	const struct at_objective *objective;
	struct at_score score;
	struct at_score speedup; /* over the baseline; NAN where not known */
	/* what the baseline achieved in the same comparison; NAN where not known */
	double baseline;
	const struct at_evaluation *evaluation; /* NULL where the event has none */
	struct at_roofline roofline; /* NAN where the space has no metrics */
};
/* Returns false when no configuration passed; *out then has the objective, and else
   NULL and NAN. */
bool at_event_best(const struct at_event *event, struct at_best *out);

/* The baseline's time; NAN where there is no baseline or it did not pass. */
double at_event_baseline(const struct at_event *event);

/* {"value", "low", "high"}; JSON's null where the value is not known. */
struct at_json *at_json_interval(struct at_score score);

/*
 * Returns false for events that are only messages and have no object. Else *out gets
 * the object for at_print_json(), which takes it over. *out is NULL when memory ran
 * out, which at_print_json() reports.
 */
bool at_event_to_json(const struct at_event *event, struct at_json **out);

/* ---- the summary of a problem on a device */

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

/* The outcomes that occurred: OK first, then the most frequent. Returns their number.
 */
size_t at_outcomes_sort(const uint64_t by_outcome[AT_OUTCOME_COUNT],
	enum at_outcome out[AT_OUTCOME_COUNT]);

/* The one line of a run without a summary (--quiet): that nothing passed, and why. */
void at_summary_write_failure(const struct at_event *event, const struct at_lane *lane,
	struct at_strbuf *out);

/* ---- portfolios */

/* Appends the text; event is of the kind PORTFOLIO. */
void at_portfolio_write_text(
	const struct at_event *event, bool wide, struct at_strbuf *out);
/*
 * Sets in out: {"worst_loss", "limit" (null: none), "most" (null: any number),
 * "members": [{"configuration", "problems": [{"problem", score, "loss", "loss_low",
 * "loss_high"}]}]}. A loss is null where the member is the winner itself.
 */
void at_portfolio_set_json(const struct at_event *event, struct at_json *out);

/* Reads "5%" or "0.05" into a fraction of 0 or more. AT_EINVAL says how it is
   written. */
enum at_status at_portfolio_parse_limit(
	const char *text, double *out, struct at_error *err);

/* ---- the teller */

/* What shows a session's events; json, quiet and lanes.wide are set by the caller. */
struct at_teller {
	bool json;
	bool quiet;
	struct at_lanes lanes;
	/* the display */
	bool redraws; /* stderr is a terminal */
	bool color;
	int rows; /* lines on the screen now */
	uint64_t drawn_ns; /* when it was last drawn */
};

/* Starts the display. teller must stay where it is until at_teller_end(). */
void at_teller_begin(struct at_teller *self);
/* For struct at_session_options; context is the teller. */
void at_teller_listen(void *context, const struct at_event *event);
/* Redraws the display, at most ten times a second; context is the teller. */
void at_teller_tick(void *context);
/* Ends the display and frees the lanes. */
void at_teller_end(struct at_teller *self);

/* ---- the lines, for tests */

/*
 * Appends a lane's status as one line of any length, without a newline: what matters
 * most comes first, since the display cuts it to the width of the terminal.
 */
void at_progress_write_status(
	const struct at_lane *lane, uint64_t now_ns, bool color, struct at_strbuf *out);
/* The same for the line below it: phase, what it waits for, time left, configuration.
 */
void at_progress_write_activity(
	const struct at_lane *lane, uint64_t now_ns, bool color, struct at_strbuf *out);
/* Appends the line about a new incumbent, for output that is not redrawn. */
void at_progress_write_incumbent(const struct at_lane *lane, struct at_strbuf *out);

#endif
