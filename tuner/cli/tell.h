/*
 * Shows the events of a session as they happen: redrawn on a terminal, as lines
 * elsewhere, or as JSON. Threads: one.
 *
 *   at_teller_begin(&teller);   with json and quiet set, and the rest zero
 *   ... options.listen = at_teller_listen, options.tick = at_teller_tick
 *   at_teller_end(&teller);
 */
#ifndef AT_CLI_TELL_H
#define AT_CLI_TELL_H

#include "cli/lane.h"

/* The state of the display. */
struct at_progress_display {
	bool redraws; /* stderr is a terminal */
	bool color;
	int rows; /* lines on the screen now */
	uint64_t drawn_ns; /* when it was last drawn */
};

/* What shows a session's events; json, quiet and lanes.wide are set by the caller. */
struct at_teller {
	bool json;
	bool quiet;
	struct at_lanes lanes;
	struct at_progress_display display;
};

/* Starts the display. teller must stay where it is until at_teller_end(). */
void at_teller_begin(struct at_teller *self);
/* For struct at_session_options; context is the teller. */
void at_teller_listen(void *context, const struct at_event *event);
/* Redraws the display; context is the teller. */
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
