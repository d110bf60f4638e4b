/*
 * The interface between search and evaluation. An evaluator takes configurations of one
 * space, for one problem and one device model, and answers with the outcome of each.
 * Implementations: workers/ (compilers and boards), replay/ (recordings) and, in tests,
 * a script. The caller is session/, which knows nothing of processes, units or images.
 *
 *   ops->plan(evaluator, configuration, &task, &err);
 *   ... task->plan.key is looked up in the record ...
 *   ops->begin(evaluator, task, &err);
 *   ... task->answered(task, NULL), later, in any order ...
 *   at_task_free(task);
 *   ops->close(evaluator);
 *
 * Every begin(), finals(), verify() and check() is answered exactly once, and never
 * from inside the call itself. stop(), close() and, for a check, drop_checks() discard
 * pending answers. An answer with an error means that the evaluator can do nothing
 * more; no answer follows it.
 *
 * A tuning run is timed by the evaluator's now_ns(). That clock may be virtual, and may
 * stop while another program has the board, so callers must use no other clock.
 *
 * Threads: all calls and all answers are made on the thread of the evaluator's loop.
 */
#ifndef AT_EVALUATOR_EVALUATOR_H
#define AT_EVALUATOR_EVALUATOR_H

#include "base/error.h"
#include "device/device.h"
#include "evaluator/task.h"
#include "measure/measure.h"
#include "record/verification.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A time limit that is over, in seconds: 0 means no limit. */
#define AT_SECONDS_OVER 1e-3

/* Properties of an evaluator. Constant from open to close, except that cover() may add
   cases. */
struct at_evaluator_info {
	struct at_device_info device; /* the first of several boards of one model */
	char toolchain[256]; /* name and version: "NVRTC 13.0" */
	/* Key of the space file's own defaults, ignoring --set. If it changes, a
	   recorded winner was made from another source and no longer counts. */
	struct at_hash source;
	/*
	 * Number of cases on which a winner is verified. Case 0 is the tuned problem
	 * with other data. replay_count recorded counterexamples follow, which every
	 * winner is verified on first. Cases from night_first on are drawn only tonight
	 * (case_count: there are none).
	 */
	size_t case_count;
	size_t replay_count;
	size_t night_first;
};

/* Receives the end of finals, whose measurements are in the tasks; err: the failure. */
typedef void (*at_finals_answered)(void *context, const struct at_error *err);

/* The result of one verification or check. */
struct at_verification_answer {
	/* NOT_APPLICABLE: the configuration does not fit this case, or the check cannot
	   be made; detail says why */
	enum at_outcome outcome;
	const char *detail; /* one line; "" when OK */
	/* the max_relative_error of the result; 0: unknown */
	double error;
	struct at_measure_verification verified; /* when OK: the criteria applied */
	/* NOT_APPLICABLE on a case that no space file names, because nothing can be
	   verified there: the reference fails, or no configuration that was tried is
	   right */
	bool is_unfit;
	bool reference_fails;
	/* not OK, on a case that no space file names: the case in space-file syntax, "{
	   M = 33; }", and as the record keeps it (at_case_instance()); else NULL */
	const char *line;
	const char *instance;
};

/* Receives the result of a verification; answer is borrowed. On failure answer is NULL
   and err says why the evaluator can do nothing more. */
typedef void (*at_verified)(void *context, const struct at_verification_answer *answer,
	const struct at_error *err);

/* Receives the coverage of a verification's cases as text: "31 of 33 branches of the
   reference ran; ..." or "not measured (...)". tuned: the same for the configuration,
   or "". is_whole: all cases ran, and every case that coverage suggests was added. */
typedef void (*at_covered)(
	void *context, const char *reference, const char *tuned, bool is_whole);

/* What the evaluator is doing, for the progress display. */
struct at_evaluator_load {
	size_t compiling; /* configurations at a compiler or in its queue */
	size_t waiting; /* compiled configurations that wait for a board */
	size_t measuring;
};

/* The subject of a text passed to tell(). */
enum at_notice_kind {
	AT_NOTICE_NONE = 0,
	AT_NOTICE_NOTE, /* for the user, now or the next morning */
	AT_NOTICE_JUDGED, /* how outputs are compared, once the baseline is measured */
	AT_NOTICE_STATE, /* current work or wait; "": nothing special */
	AT_NOTICE_STEP, /* work before the first answer; "": it is done */
};

struct at_evaluator;

/* The functions of an evaluator. A slot may be NULL only where its comment says so. */
struct at_evaluator_ops {
	/* Ends all pending work without answers and frees the evaluator. */
	void (*close)(struct at_evaluator *self);
	/* Makes a configuration (value indices, one a parameter) concrete for all later
	   steps. A configuration that cannot be launched gives AT_OK with the outcome
	   NOT_APPLICABLE in (*out)->plan. The caller drops *out with at_task_free(). */
	enum at_status (*plan)(struct at_evaluator *self, const uint16_t *configuration,
		struct at_task **out, struct at_error *err);
	/* Begins the evaluation of a task from plan(). */
	enum at_status (*begin)(
		struct at_evaluator *self, struct at_task *task, struct at_error *err);
	/*
	 * From now on, allows dropping any evaluation that cannot come near
	 * incumbent_ns nanoseconds a launch; 0: none is dropped. The longest evaluation
	 * so far, measured or recorded, took longest_seconds (0: unknown); deadlines
	 * follow from it.
	 */
	void (*race)(
		struct at_evaluator *self, double incumbent_ns, double longest_seconds);
	/* Called before anything is begun: the whole problem has a budget of `seconds`,
	   so preparing the first evaluation must not take longer, even if something
	   hangs. NULL: there is nothing to prepare. */
	void (*hurry)(struct at_evaluator *self, double seconds);
	/* Measures 1 to AT_FINALISTS_MAX configurations again, interleaved, on one
	   board, after everything begun earlier is answered. Fills each task's facts
	   and result. */
	enum at_status (*finals)(struct at_evaluator *self,
		struct at_task *const *tasks, size_t count,
		const struct at_measure_finals *how, at_finals_answered answered,
		void *context, struct at_error *err);
	/* Verifies a configuration, untimed, on one case (0 to case_count - 1). After
	   `seconds` (0: no limit), set-up included, it leaves data patterns out, and
	   answers with was_cut. */
	enum at_status (*verify)(struct at_evaluator *self,
		const uint16_t *configuration, size_t verification_case, double seconds,
		at_verified verified, void *context, struct at_error *err);
	/*
	 * Makes a check that is not one of the device's own verifications. A failure
	 * counts only if the witness, a configuration assumed correct, passes the same
	 * check. Without a witness (NULL) a failure is answered as NOT_APPLICABLE. Both
	 * configurations are copied. The host check may run alongside all other work;
	 * only one other check may run at a time. The answer is NOT_APPLICABLE with the
	 * reason if the check is impossible here or exceeds `seconds`. The reason is ""
	 * if the check makes no sense for this device. NULL: there are no checks.
	 */
	void (*check)(struct at_evaluator *self, const uint16_t *configuration,
		const uint16_t *witness, enum at_check check, double seconds,
		at_verified verified, void *context);
	/* Ends pending checks and cover() without answers. NULL where check is NULL. */
	void (*drop_checks)(struct at_evaluator *self);
	/* Measures, in at most `seconds` and alongside all other work, which branches
	   the verification cases reach in a configuration. May append cases before it
	   answers. One at a time. NULL: not supported. */
	void (*cover)(struct at_evaluator *self, const uint16_t *configuration,
		double seconds, at_covered covered, void *context);
	/* The name of a case for messages; borrowed. */
	const char *(*case_name)(
		const struct at_evaluator *self, size_t verification_case);
	/* A hash of the case's sizes, scalar arguments and contents, not of its name or
	   number. */
	uint32_t (*case_id)(const struct at_evaluator *self, size_t verification_case);
	/* How many bytes the buffers of a case hold, to estimate its time; 0: unknown.
	 */
	uint64_t (*case_bytes)(struct at_evaluator *self, size_t verification_case);
	/* Answers evaluations and verifications with NONE: at once if they are at no
	   board yet, else after `seconds`. begin() and verify() end this wait. */
	void (*cancel)(struct at_evaluator *self, double seconds);
	/* Answers with NONE the units that have been compiling for ten times the
	   median, and for `seconds`, the space's deadline; 0: a budget is the reason.
	   NULL: nothing is compiled. */
	void (*drop_slow_compiles)(struct at_evaluator *self, double seconds);
	/* Ends all pending work without answers. New work may be begun afterwards. */
	void (*stop)(struct at_evaluator *self);
	/* How many evaluations may usefully be pending at once: at least 1. */
	size_t (*capacity)(const struct at_evaluator *self);
	/* Current activity. */
	void (*load)(const struct at_evaluator *self, struct at_evaluator_load *out);
	/* The evaluator's clock in nanoseconds, from an arbitrary origin. */
	uint64_t (*now_ns)(const struct at_evaluator *self);
	/* Called a few times a second while something is pending. */
	void (*tick)(struct at_evaluator *self);
	/* Calls `call` once, from the loop, after the current callback has returned. */
	void (*later)(struct at_evaluator *self, void (*call)(void *), void *context);
};

/* The base of all evaluators. */
struct at_evaluator {
	const struct at_evaluator_ops *ops;
	struct at_evaluator_info info;
	/* set by a caller that wants notices, else NULL; text is borrowed */
	void (*tell)(void *context, enum at_notice_kind kind, const char *text);
	void *tell_context;
};

#endif
