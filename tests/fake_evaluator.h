/*
 * An evaluator that does what a script says, in virtual time: for tests of everything
 * that stands in front of one. No process, no compiler, no clock.
 *
 *   evaluator = fake_evaluator_new(&script);
 *   ... hand it over ...
 *   fake_run(evaluator);       until nothing is due any more
 */
#ifndef AT_TESTS_FAKE_EVALUATOR_H
#define AT_TESTS_FAKE_EVALUATOR_H

#include "evaluator/evaluator.h"

/* What becomes of a configuration. */
struct fake_fate {
	enum at_outcome outcome; /* NONE means OK */
	double time_ns; /* of one launch */
	double final_ns; /* in the finals; 0: time_ns */
	enum at_outcome final_outcome; /* there; NONE: OK */
	bool loses_device; /* there, and all with it */
	/* of the finals' blocks every other one takes about so much of it less, and
	   those between so much more */
	double spread;
	double seconds; /* that an evaluation takes; 0: 0.01 */
	/* it is dropped early, unless it is to be measured in full, or audited */
	bool raced;
	uint64_t image; /* 0: one of its own */
	int64_t registers;
};

struct fake_script {
	const char *kind; /* of its device; NULL: one that nobody knows */
	void (*fate)(
		void *context, const uint16_t *configuration, struct fake_fate *fate);
	/* of a proof; NULL: all are OK. NOT_APPLICABLE is an answer too. */
	enum at_outcome (*prove)(
		void *context, const uint16_t *configuration, size_t proof_case);
	/*
	 * Of a check, and how many seconds it takes; *why is what kept it from being
	 * made, with NOT_APPLICABLE. NULL: the evaluator has no checks.
	 */
	enum at_outcome (*check)(void *context, const uint16_t *configuration,
		enum at_check check, double *seconds, const char **why);
	struct at_measure_proof proved; /* what a proof that passes says */
	/* called before each answer, with how many were given; may be NULL */
	void (*answering)(void *context, size_t answers);
	void *context;
	size_t parameter_count;
	size_t capacity; /* 0: 4 */
	size_t case_count; /* 0: 1 */
	/* that all of a case's proof takes, where it is given as much */
	double case_seconds;
	bool backwards; /* of what is due at one time the last begun comes first */
	double block_seconds; /* of finals; 0: all the time that these may take */
	size_t fails_after; /* so many answers, then an error; 0: never */
	uint64_t source; /* another one: another template */
};

/* What was asked of it. */
struct fake_counts {
	size_t planned;
	size_t begun;
	size_t most_out; /* at once */
	size_t finals;
	size_t finalists; /* of the last finals */
	uint32_t blocks; /* of the last finals */
	uint32_t launches; /* that these were told, of the first */
	size_t proofs;
	size_t checks;
	double check_seconds; /* that the last one was given */
	size_t dropped_checks;
	size_t called_off;
	size_t ticks;
	size_t audited; /* begun as such */
	bool closed;
	double race_ns; /* the last incumbent */
	unsigned judge_count;
	double baseline_error; /* told last */
};

/* The script is borrowed; counts (zeroed here) outlive the evaluator. */
struct at_evaluator *fake_evaluator_new(
	const struct fake_script *script, struct fake_counts *counts);
/* Answers what is due, in the order of time, until nothing is out or due. */
void fake_run(struct at_evaluator *evaluator);
double fake_seconds(const struct at_evaluator *evaluator);

#endif
