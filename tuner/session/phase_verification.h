/*
 * The verification phase: runs a winner on other data and on sizes that it was not
 * tuned for, one case after the other, and makes the checks beside the device's own
 * verifications (record/verification.h) as far as there is time: the host's check runs
 * beside the cases, the sanitizers after them. Which branches the cases reach is
 * measured beside them, and may add cases. It ends when one of them fails or all have
 * passed. Threads: the evaluator's loop.
 */
#ifndef AT_SESSION_PHASE_VERIFICATION_H
#define AT_SESSION_PHASE_VERIFICATION_H

#include "session/visit.h"

/* Outcome OK: the configuration is verified, and *verification says how. Else it
   failed, and detail says where, in one line. With err there is no outcome and no
   verification. */
typedef void at_verification_ended(void *context, enum at_outcome outcome,
	const char *detail, const struct at_verification *verification,
	const struct at_error *err);

/* Copied. */
struct at_verification_phase_options {
	/* Borrowed until the end. It is told on which cases the configuration was not
	   verified, and why: a note for those in a row with the same reason. */
	struct at_visit *visit;
	const uint16_t *configuration; /* borrowed until the end */
	/* for the checks: see at_evaluator_ops; NULL: none exists. Borrowed until the
	   end. */
	const uint16_t *witness;
	/* The same for racecheck and synccheck, which see nothing of a kernel without
	   shared memory: that it passes says nothing. */
	const uint16_t *shared_witness;
	/* The first case, recorded counterexamples and failed_case are made in any
	   case, others if they are expected to end after so many seconds; 0: no limit.
	   A case takes as long as the longest so far that held no more data. The first
	   of its size is tried. Where `before` is NULL, a case that would outlast the
	   budget is cut and stays unknown. */
	double seconds;
	/* The case that refused the previous finalist, which often shares its mistake
	   with the next one; 0: none. It comes first. */
	size_t failed_case;
	/* An earlier verification of the configuration, which this one adds to: if it
	   left cases, those that it made and the checks that passed are not made again,
	   except for recorded counterexamples. Borrowed until begin() returns; NULL: it
	   is the first. */
	const struct at_verification *before;
	/*
	 * Seconds for all checks together. They count from the beginning where
	 * `seconds` is a limit, else from the end of the cases. Sanitizers that
	 * the session asks for (AT_SANITIZE_FINALISTS) are not limited by it; each has
	 * its own deadline.
	 */
	double check_seconds;
	/* Measures which branches the cases reach, in the time for the cases, or
	   without a limit of that in the time for the checks. At night it is not
	   measured again. */
	bool covers;
	/* run the sanitizers only: for a finalist that is not the winner */
	bool sanitizers_only;
	at_verification_ended *ended; /* once */
	void *context;
};

/* The phase's state; at_verification_phase_begin() fills it. */
struct at_verification_phase {
	struct at_verification_phase_options options;
	size_t next; /* the case that runs or comes next, in the order in which they
			are made */
	size_t more_count; /* cases of this phase, without urgent ones */
	/* cases that an earlier run left, and that this evaluator does not list */
	uint32_t unlisted;
	bool repeats; /* the cases of each run are made again, since none was left */
	uint64_t begun_ns;
	uint64_t case_begun_ns;
	/* the longest that a case took, by the binary digits of its bytes */
	double case_seconds[65];
	size_t next_check; /* the check to begin next (enum at_check) */
	/* the check has its result, or will not be made */
	bool is_settled[AT_CHECK_COUNT];
	bool case_is_out; /* case `next` is running */
	/* Case `next` has met its deadline, and is made once more while nothing runs
	   beside it: only what is late then too is refused. */
	bool is_late;
	bool was_cut; /* case `next` took too long, and is called off */
	bool coverage_is_out; /* coverage is being measured */
	bool host_is_out; /* the host's check is running */
	bool sanitizer_is_out; /* a sanitizer is running: the check before next_check */
	uint64_t sanitizer_begun_ns;
	uint64_t checks_begun_ns; /* when the time of the checks began; 0: not yet */
	/* cases in a row on which it is not verified, for one reason, not told yet */
	struct {
		size_t count;
		char names[400], why[400];
	} passed_over;
	double longest_seconds; /* the longest that a sanitizer took, in seconds */
	/* The failed check that is reported: of several the first in the order of enum
	   at_check. NONE: none failed. */
	enum at_outcome failed;
	enum at_check failed_check;
	char failure[640]; /* what to tell of it */
	double error; /* of the case that failed; 0: not known, or a check failed */
	size_t failed_case; /* the last case that failed, else that of the options */
	struct at_verification verification;
	bool ended;
};

/* Begins the verification. ended() will come, never from inside this call. */
void at_verification_phase_begin(struct at_verification_phase *self,
	const struct at_verification_phase_options *options);
/* To be called a few times a second. A case is called off if it still sets up after
   twice the time for the cases, or at_budget_late_seconds() after that time, since its
   reference may take a hundred times as long as that of the tuned problem. The first
   case and recorded counterexamples are not, nor a case whose kernel runs: that has its
   deadline. */
void at_verification_phase_step(struct at_verification_phase *self);
/*
 * Whether all cases have passed and only checks are left. Then *out is the verification
 * so far; in it, checks that were not made are marked as not run because of an
 * interruption. False: *out is not touched.
 */
bool at_verification_phase_passed(
	const struct at_verification_phase *self, struct at_verification *out);
/* The number of the case that runs or comes next, or on which the phase ended. */
size_t at_verification_phase_case(const struct at_verification_phase *self);
/* How many of the cases that each run lists the verification does not know. */
size_t at_verification_phase_left(const struct at_evaluator *evaluator,
	const struct at_verification *verification);
/* Ends the phase: no callback follows. */
void at_verification_phase_end(struct at_verification_phase *self);

#endif
