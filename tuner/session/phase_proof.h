/*
 * The proof: a winner once more, on other data and on the sizes that it was not tuned
 * for, one case after the other; and the checks that are made beside the device's own
 * proofs (record/proof.h), as far as there is time for them: the host's beside all
 * else, the others behind the cases. Until one fails or all are passed. Threads: the
 * evaluator's loop.
 */
#ifndef AT_SESSION_PHASE_PROOF_H
#define AT_SESSION_PHASE_PROOF_H

#include "evaluator/evaluator.h"
#include "session/budget.h"
#include "session/session.h"

struct at_proof_phase_options {
	struct at_evaluator *evaluator;
	const uint16_t *configuration; /* borrowed until the end */
	enum at_sanitize sanitize;
	/* borrowed until the end: what the cases may take; NULL: as long as it takes */
	const struct at_budget *budget;
	/* for all checks together: from the beginning where the budget has a time, else
	   beyond what the cases take; where `sanitize` asks for them, each may take as
	   long as its own deadline says */
	double check_seconds;
	/* the sanitizers alone: of one that is not the winner */
	bool sanitizers_only;
	/* what the configuration was not held to, and why */
	void (*passed_over)(void *context, const char *text);
	/* outcome OK: proved, and how; else how it failed, and where in a line */
	void (*ended)(void *context, enum at_outcome outcome, const char *detail,
		const struct at_proof *proof, const struct at_error *err);
	void *context;
};

struct at_proof_phase {
	struct at_proof_phase_options options;
	size_t next; /* case */
	size_t next_check;
	bool is_settled[AT_CHECK_COUNT]; /* nothing more will be known of it */
	bool host_is_out;
	bool sanitizer_is_out; /* the one ahead of next_check */
	uint64_t sanitizer_begun_ns;
	uint64_t checks_begun_ns; /* 0: not yet */
	double longest_seconds; /* that a sanitizer took */
	/* the first of the checks that failed; NONE: none did */
	enum at_outcome failed;
	enum at_check failed_check;
	char failure[640];
	struct at_proof proof;
	bool ended;
};

/* AT_OK: ended() will come. */
enum at_status at_proof_phase_begin(struct at_proof_phase *self,
	const struct at_proof_phase_options *options, struct at_error *err);
/*
 * Whether all cases are passed, and only checks are left, of which what was not made is
 * `interrupted` in *out. False: there is nothing in *out.
 */
bool at_proof_phase_passed(const struct at_proof_phase *self, struct at_proof *out);
/* No callback follows. */
void at_proof_phase_end(struct at_proof_phase *self);

#endif
