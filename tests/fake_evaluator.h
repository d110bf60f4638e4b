/*
 * An evaluator that follows a script in virtual time, for tests of everything that uses
 * an evaluator. It needs no process, no compiler and no clock.
 *
 *   evaluator = fake_evaluator_new(&script);
 *   ... give it to a tuning ...
 *   fake_run(evaluator);       runs until nothing is due any more
 */
#ifndef AT_TESTS_FAKE_EVALUATOR_H
#define AT_TESTS_FAKE_EVALUATOR_H

#include "evaluator/evaluator.h"

/* The results of one configuration. */
struct fake_fate {
	enum at_outcome outcome; /* NONE means OK */
	double time_ns; /* of one launch */
	double final_ns; /* the same in the finals; 0: time_ns */
	enum at_outcome final_outcome; /* in the finals; NONE means OK */
	double joules; /* of one launch in the finals, where these measure energy */
	double floor_ns; /* the least time that its plan allows; 0: none */
	uint64_t measure_ns; /* how long its evaluation took, for the record */
	bool loses_device; /* in the finals, which ends them for all */
	/* in the finals blocks are less and more than final_ns in turns, by this
	   deviation of the logarithm */
	double spread;
	double seconds; /* the duration of an evaluation; 0: 0.01 */
	double error; /* of a wrong result, here and in verifications; 0: not known */
	/* racing drops it, unless it is to be measured in full or audited */
	bool raced;
	uint64_t image; /* the hash of its image; 0: one that no other has */
	int64_t registers;
	int64_t shared_bytes;
};

struct fake_script {
	const char *kind; /* of its device; NULL: an unknown kind */
	void (*fate)(
		void *context, const uint16_t *configuration, struct fake_fate *fate);
	/* the outcome of a verification, which may be NOT_APPLICABLE; NULL: all are OK
	 */
	enum at_outcome (*verify)(
		void *context, const uint16_t *configuration, size_t verification_case);
	/*
	 * The outcome of a check; *seconds: its duration. With NOT_APPLICABLE *why is
	 * the reason why it could not be made. NULL: the evaluator has no checks.
	 */
	enum at_outcome (*check)(void *context, const uint16_t *configuration,
		const uint16_t *witness, enum at_check check, double *seconds,
		const char **why);
	struct at_measure_verification verified; /* of every verification that passes */
	/* the case of a verification that fails, with its line; NULL: the space names
	 * it */
	const char *instance;
	const char *line;
	/* what verifications that are NOT_APPLICABLE say of the case */
	bool is_unfit;
	bool reference_fails;
	/* called each half second while something is out; may be NULL */
	void (*waiting)(void *context);
	/* called before each answer, with the number of answers so far; may be NULL */
	void (*answering)(void *context, size_t answers);
	void *context;
	size_t parameter_count;
	size_t capacity; /* 0: 4 */
	size_t case_count; /* 0: 1 */
	size_t replay_count; /* of these, behind the first, recorded counterexamples */
	size_t night_count; /* of these, the last, drawn by the night */
	const uint32_t *ids; /* what the cases are; NULL: their numbers */
	/* how long cover() takes; 0: the evaluator has none. What it adds to
	   case_count. */
	double cover_seconds;
	bool cover_is_cut; /* and adds none of them */
	size_t more_cases;
	/* the duration of the whole verification of a case, if it is given so much
	   time, and instead that of each case */
	double case_seconds;
	const double *seconds_of_cases;
	bool cuts_cases; /* a case ends when its patterns have had their time */
	const uint64_t *case_bytes; /* of each case; NULL: they are not known */
	/* why energy cannot be measured: known at first, and in the finals alone */
	const char *no_energy, *refuses_energy;
	/* why hardware counters cannot be read; NULL: they can, and each is the time */
	const char *no_counters;
	bool has_floors; /* fates are asked for when a configuration is planned, too */
	bool backwards; /* of answers due at one time the last begun comes first */
	double block_seconds; /* of finals; 0: all the time that these may take */
	uint32_t blocks_most; /* of finals: the time ends them then; 0: no limit */
	size_t fails_after; /* this many answers are followed by an error; 0: never */
	uint64_t source; /* stands for the template: another value, another template */
};

/* What the evaluator was asked to do. */
struct fake_counts {
	size_t compiled_plan;
	size_t begun;
	size_t most_out; /* the most evaluations out at once */
	size_t finals;
	size_t finalists; /* of the last finals */
	uint32_t blocks; /* of the last finals */
	uint32_t launches; /* of the first finalist, as the last finals were given */
	double energy_seconds; /* the windows of the last finals */
	size_t counted; /* configurations whose counters were asked for */
	size_t verifications;
	size_t checks;
	double check_seconds; /* the time that the last check was given */
	double cover_seconds; /* the time that the last cover() was given */
	size_t dropped_checks;
	size_t called_off;
	double dear_deadline; /* of the last drop_slow_compiles() */
	double dear_seconds; /* the virtual time of the first drop_slow_compiles(); 0:
				none */
	size_t cut; /* evaluations that were called off at the board */
	size_t ticks;
	size_t audited; /* evaluations begun as audits */
	bool closed;
	double race_ns; /* the time of the last incumbent given to race() */
	double longest_seconds; /* the longest evaluation that race() was given */
};

/* The script is borrowed. *counts is zeroed here, is counted in, and must outlive the
   evaluator. */
struct at_evaluator *fake_evaluator_new(
	const struct fake_script *script, struct fake_counts *counts);
/* Advances virtual time from answer to answer until nothing is out or due. */
void fake_run(struct at_evaluator *evaluator);
/* Calls `call` once, after the board finished everything and then idled this long. */
void fake_after(struct at_evaluator *evaluator, double seconds, void (*call)(void *),
	void *context);
/* The virtual time. */
double fake_seconds(const struct at_evaluator *evaluator);

#endif
