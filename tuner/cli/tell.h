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
#include "cli/progress.h"

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

#endif
