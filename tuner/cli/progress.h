/*
 * Progress of a run on stderr: on a terminal a few lines that are drawn again
 * and again, elsewhere a line whenever the incumbent changes. Threads: one.
 */
#ifndef AT_CLI_PROGRESS_H
#define AT_CLI_PROGRESS_H

#include "cli/lane.h"

struct at_progress_display {
	bool redraws; /* stderr is a terminal */
	bool color;
	int rows; /* on the screen right now */
	uint64_t drawn_ns;
};

/* Starts it; from here on at_say() and at_print() hide it while they print. */
void at_progress_begin(struct at_progress_display *self);
/* Wipes it off the terminal. */
void at_progress_end(struct at_progress_display *self);
/* Draws, but not more than ten times a second; does nothing off a terminal. */
void at_progress_draw(struct at_progress_display *self, const struct at_lanes *lanes,
	uint64_t now_ns);

/* The status of a lane on one line, without a newline, whatever its length. */
void at_progress_write_status(
	const struct at_lane *lane, uint64_t now_ns, bool color, struct at_strbuf *out);
/* The line for a new incumbent where nothing is redrawn. */
void at_progress_write_incumbent(const struct at_lane *lane, struct at_strbuf *out);

#endif
