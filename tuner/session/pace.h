/*
 * How fast the board is now, beside the times in the record. Clocks that were locked
 * or capped since, heat, or other programs make every time of today longer or shorter
 * than recorded ones by one factor. Racing against a recorded time would then drop what
 * is better, and recorded configurations would look better than new ones, or worse.
 *
 * So as soon as something new is being measured beside an earlier record, two of its
 * configurations are measured once more: the best, which may have been lucky, and the
 * baseline, which was not chosen for its time. The factor is the smaller of the two
 * that they show. These measurements are not recorded and are no candidates: they would
 * take the place of those that the winner's finals go back to. Threads: the evaluator's
 * loop.
 */
#ifndef AT_SESSION_PACE_H
#define AT_SESSION_PACE_H

#include "session/candidates.h"
#include "session/visit.h"

#define AT_PACE_MEASURED 2

/* Copied; all pointers are borrowed until the answer, or until the evaluator's
   stop(). */
struct at_pace_options {
	const struct at_visit *visit;
	/*
	 * Once: a launch takes `factor` times as long as when it was recorded; 1 where
	 * the measurements do not tell. NAN: they were called off, so nothing is known.
	 * err: the evaluator can do nothing more; else NULL.
	 */
	void (*answered)(void *context, double factor, const struct at_error *err);
	void *context;
};

/* One comparison; zeroed, none was asked for. */
struct at_pace {
	struct at_pace_options options;
	struct at_pace_measured {
		struct at_pace *owner;
		struct at_candidate recorded;
		uint64_t clock_hz; /* now; 0: not known */
		double time_ns; /* now; 0: it has none */
		double factor; /* 0: it was not measured */
	} measured[AT_PACE_MEASURED];
	size_t count; /* of those that are measured */
	size_t out; /* of those, not answered yet */
	bool was_asked;
	bool was_called_off;
};

/* Measures candidates of the record again, as many as are not NULL; answered() follows,
   from the loop. After an error nothing follows but what is out. */
enum at_status at_pace_ask(struct at_pace *self, const struct at_pace_options *options,
	const struct at_candidate *const recorded[AT_PACE_MEASURED],
	struct at_error *err);
/* Writes a line for people about a factor; "" where it is 1. */
void at_pace_tell(const struct at_pace *self, double factor, char *text, size_t size);

#endif
