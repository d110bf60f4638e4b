/*
 * How fast the board is now, beside the times in the record. Clocks that were locked
 * or capped since, heat, or other programs make every time of today longer or shorter
 * than recorded ones by one factor. Racing against a recorded time would then drop what
 * is better, and recorded configurations would look better than new ones, or worse.
 *
 * So before a search believes in a recorded time, it measures the leader of the record
 * once more. The measurement is not recorded and is no candidate: it would take the
 * place of the one that the winner's finals go back to.
 * Threads: the evaluator's loop.
 */
#ifndef AT_SESSION_PACE_H
#define AT_SESSION_PACE_H

#include "evaluator/evaluator.h"
#include "session/candidates.h"
#include "space/search_space.h"

/* Copied; all pointers are borrowed until the answer, or until the evaluator's
   stop(). */
struct at_pace_options {
	struct at_evaluator *evaluator;
	const struct at_search_space *space;
	/*
	 * Once: a launch takes `factor` times as long as when it was recorded; 1 where
	 * the two measurements cannot be told apart, or the new one failed. err: the
	 * evaluator can do nothing more; else NULL.
	 */
	void (*answered)(void *context, double factor, const struct at_error *err);
	void *context;
};

/* One comparison; zeroed, none was asked for. */
struct at_pace {
	struct at_pace_options options;
	struct at_candidate recorded; /* what is measured again */
	uint64_t clock_hz; /* of the new measurement; 0: not known */
	double time_ns; /* of the new measurement; 0: it has none */
	bool was_asked;
	bool is_out; /* asked for and not answered yet */
};

/* Measures a candidate of the record again; answered() follows, from the loop. */
enum at_status at_pace_ask(struct at_pace *self, const struct at_pace_options *options,
	const struct at_candidate *recorded, struct at_error *err);
/* Writes a line for people about a factor that matters; "" where it does not. */
void at_pace_tell(const struct at_pace *self, double factor, char *text, size_t size);

#endif
