/*
 * The proof: a winner once more, on other data and on the sizes that it was not tuned
 * for, one case after the other, until one fails or all are passed.
 * Threads: the evaluator's loop.
 */
#ifndef AT_SESSION_PHASE_PROOF_H
#define AT_SESSION_PHASE_PROOF_H

#include "evaluator/evaluator.h"

struct at_proof_phase_options {
	struct at_evaluator *evaluator;
	const uint16_t *configuration; /* borrowed until the end */
	/* a case that the configuration is not for is passed over, and told */
	void (*passed_over)(void *context, const char *text);
	/* outcome OK: proved; else how it failed, and where in a line */
	void (*ended)(void *context, enum at_outcome outcome, const char *detail,
		const struct at_error *err);
	void *context;
};

struct at_proof_phase {
	struct at_proof_phase_options options;
	size_t next; /* case */
	bool ended;
};

/* AT_OK: ended() will come. */
enum at_status at_proof_phase_begin(struct at_proof_phase *self,
	const struct at_proof_phase_options *options, struct at_error *err);
/* No callback follows. */
void at_proof_phase_end(struct at_proof_phase *self);

#endif
