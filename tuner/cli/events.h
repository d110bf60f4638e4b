/*
 * The events of a session as JSON, one object a line: what --json prints.
 * Threads: safe.
 */
#ifndef AT_CLI_EVENTS_H
#define AT_CLI_EVENTS_H

#include "base/json.h"
#include "session/session.h"

/*
 * The best of a problem on a device: of the crown where there is one, else of
 * the incumbent. Borrowed from the event.
 */
struct at_best {
	const uint16_t *configuration;
	const struct at_objective *objective;
	struct at_score score;
	struct at_score speedup; /* over the baseline; NAN where that is not known */
	/* what it achieved where the speed-up comes from; NAN where not known */
	double baseline;
	const struct at_evaluation *evaluation; /* NULL where the event lacks it */
	struct at_roofline roofline; /* NAN where the space gives no metrics */
};
/* false when no configuration passed; *out then has the objective and is otherwise
   NULL and NAN throughout */
bool at_event_best(const struct at_event *event, struct at_best *out);

/* By the event's objective; NAN when there is no baseline or it did not pass. */
double at_event_baseline(const struct at_event *event);

/*
 * False for events that are talk and have no object. Else *out becomes the caller's,
 * for at_print_json(), which also knows what NULL means: no memory.
 */
bool at_event_to_json(const struct at_event *event, struct at_json **out);

#endif
