/*
 * The events of a session as JSON, one object a line, as --json prints them. Threads:
 * safe.
 */
#ifndef AT_CLI_EVENTS_H
#define AT_CLI_EVENTS_H

#include "base/json.h"
#include "session/session.h"

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

/* What the baseline achieved, by the event's objective; NAN where there is no baseline
   or it did not pass. */
double at_event_baseline(const struct at_event *event);

/* {"value", "low", "high"}; JSON's null where the value is not known. */
struct at_json *at_json_interval(struct at_score score);

/*
 * Returns false for events that are only messages and have no object. Else *out gets
 * the object for at_print_json(), which takes it over. *out is NULL when memory ran
 * out, which at_print_json() reports.
 */
bool at_event_to_json(const struct at_event *event, struct at_json **out);

#endif
