/*
 * Shows the progress of a run on stderr: on a terminal a few lines that are redrawn,
 * else a line whenever the incumbent changes. Threads: one.
 */
#ifndef AT_CLI_PROGRESS_H
#define AT_CLI_PROGRESS_H

#include "cli/lane.h"

/* The state of the display. */
struct at_progress_display {
	bool redraws; /* stderr is a terminal */
	bool color;
	int rows; /* lines on the screen now */
	uint64_t drawn_ns; /* when it was last drawn */
};

/* Starts the display. From now on at_say() and at_print() hide it before they print. */
void at_progress_begin(struct at_progress_display *self);
/* Wipes the display off the terminal. */
void at_progress_end(struct at_progress_display *self);
/* Draws at most ten times a second; does nothing where stderr is no terminal. */
void at_progress_draw(struct at_progress_display *self, const struct at_lanes *lanes,
	uint64_t now_ns);

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
