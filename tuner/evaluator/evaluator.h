/*
 * The interface between searching and evaluating. An evaluator takes configurations of
 * one space, for one problem and one model of device, and answers with the outcome of
 * each. Behind the interface stand workers/ (compilers and boards), replay/
 * (recordings) and, in tests, a script. In front of it stands session/, which knows
 * nothing of processes, units or images.
 *
 *   ops->plan(evaluator, configuration, &task, &err);
 *   ... task->plan.key is looked up in the record ...
 *   ops->begin(evaluator, task, &err);
 *   ... task->answered(task, NULL), later, in any order ...
 *   at_task_free(task);
 *   ops->close(evaluator);
 *
 * Every begin(), finals(), verify() and check() is answered exactly once, and never
 * from inside the call that asked for it. There is no answer if stop(), close() or, for
 * a check, drop_checks() comes first. An answer with an error means that the evaluator
 * can do nothing more; no answer follows it.
 *
 * The time of a tuning is the evaluator's now_ns(). That clock may be virtual, and it
 * may stand still while another program has the board; callers of an evaluator must use
 * no other clock.
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

/* What an evaluator tells about itself. Constant from open to close, except that
   cover() may add cases. */
struct at_evaluator_info {
	struct at_device_info device; /* the first of several boards of one model */
	char toolchain[256]; /* name and version: "NVRTC 13.0" */
	/*
	 * the key of the defaults as the space file gives them, whatever --set makes of
	 * them: where it changes, a recorded winner was made from another source and no
	 * longer counts
	 */
	struct at_hash source;
	/*
	 * number of cases on which a winner is verified; case 0 is the tuned problem
	 * with other data. Behind it come replay_count recorded counterexamples, which
	 * every winner is verified on first, and from night_first on those that only
	 * this night draws (case_count: none exist)
	 */
	size_t case_count;
	size_t replay_count;
	size_t night_first;
};

/* Receives the end of finals, whose measurements are in the tasks. On failure err says
   why. */
typedef void (*at_finals_answered)(void *context, const struct at_error *err);

/* The result of one verification, or of a check beside the verifications. */
struct at_verification_answer {
	/* NOT_APPLICABLE: the configuration does not fit this case, or the check cannot
	   be made; detail says why */
	enum at_outcome outcome;
	const char *detail; /* one line; "" when OK */
	/* the max_relative_error of the result; 0: not known */
	double error;
	struct at_measure_verification verified; /* when OK: what it was held to */
	/* NOT_APPLICABLE, and no space names the case: nothing can be verified there,
	   since the reference fails or no configuration that was asked is right */
	bool is_unfit;
	bool reference_fails;
	/* not OK, on a case that no space names: the case as a space file says it, "{ M
	   = 33; }", and as the record keeps it (at_case_instance()); else NULL */
	const char *line;
	const char *instance;
};

/* Receives the result of a verification; answer is borrowed. On failure answer is NULL
   and err says why the evaluator can do nothing more. */
typedef void (*at_verified)(void *context, const struct at_verification_answer *answer,
	const struct at_error *err);

/* Receives what the cases of a verification reach, as lines: "31 of 33 branches of the
   reference ran; ...", or "not measured (...)", and the same of the configuration, or
   "". is_whole: of all cases, and all that it adds are added. */
typedef void (*at_covered)(
	void *context, const char *reference, const char *tuned, bool is_whole);

/* What the evaluator is doing, for the progress display. */
struct at_evaluator_load {
	size_t compiling; /* configurations at a compiler or in its queue */
	size_t waiting; /* configurations that are compiled and not yet at a board */
	size_t measuring;
};

/* What a text given to tell() is about. */
enum at_notice_kind {
	AT_NOTICE_NONE = 0,
	AT_NOTICE_NOTE, /* a person should know it, now or the next morning */
	AT_NOTICE_JUDGED, /* how outputs are judged, once the baseline is measured */
	AT_NOTICE_STATE, /* what is being done or waited for; "": nothing special */
	AT_NOTICE_STEP, /* what is done ahead of the first answer; "": that is over */
};

struct at_evaluator;

/* The functions of an evaluator. NULL only where it says so. */
struct at_evaluator_ops {
	/* Ends all work that is out, without answers, and frees the evaluator. */
	void (*close)(struct at_evaluator *self);
	/*
	 * Makes a configuration (value indices, one a parameter) concrete, once for all
	 * later steps. One that cannot be launched gives AT_OK with the outcome
	 * NOT_APPLICABLE in (*out)->plan. The caller drops *out with at_task_free().
	 */
	enum at_status (*plan)(struct at_evaluator *self, const uint16_t *configuration,
		struct at_task **out, struct at_error *err);
	/* Begins the evaluation of a task that plan() made. */
	enum at_status (*begin)(
		struct at_evaluator *self, struct at_task *task, struct at_error *err);
	/*
	 * Allows dropping, from now on, any evaluation that cannot come near
	 * incumbent_ns nanoseconds a launch. With 0 none is dropped. The longest
	 * evaluation so far, measured now or recorded, took longest_seconds (0: none is
	 * known): deadlines follow it.
	 */
	void (*race)(
		struct at_evaluator *self, double incumbent_ns, double longest_seconds);
	/*
	 * Called before anything is begun: the caller has `seconds` for the whole
	 * problem, so making things ready for the first evaluation must not take
	 * longer, even if something hangs. NULL where nothing has to be made ready.
	 */
	void (*hurry)(struct at_evaluator *self, double seconds);
	/*
	 * Measures 1 to AT_FINALISTS_MAX configurations again, interleaved, on one
	 * board, after everything begun earlier is answered. Each task gets its facts
	 * and its result.
	 */
	enum at_status (*finals)(struct at_evaluator *self,
		struct at_task *const *tasks, size_t count,
		const struct at_measure_finals *how, at_finals_answered answered,
		void *context, struct at_error *err);
	/* Verifies a configuration, untimed, on one case (0 to case_count - 1). */
	enum at_status (*verify)(struct at_evaluator *self,
		const uint16_t *configuration, size_t verification_case,
		at_verified verified, void *context, struct at_error *err);
	/*
	 * Makes a check of a configuration beside the device's own verifications. A
	 * failure counts only if the witness, a configuration that is held to be right,
	 * passes the same check; NULL: without a witness, so that a failure counts as
	 * NOT_APPLICABLE. Both configurations are copied. The host's check may be out
	 * beside all other work; of the other checks only one at a time. The answer is
	 * NOT_APPLICABLE with the reason where the check cannot be made here, or does
	 * not end within `seconds`, and NOT_APPLICABLE with "" where it makes no sense
	 * for this device. NULL: there are no checks.
	 */
	void (*check)(struct at_evaluator *self, const uint16_t *configuration,
		const uint16_t *witness, enum at_check check, double seconds,
		at_verified verified, void *context);
	/* Ends the checks that are out, and cover(); they are not answered. NULL where
	   check is NULL. */
	void (*drop_checks)(struct at_evaluator *self);
	/*
	 * Measures in at most `seconds` which branches the cases of a verification of
	 * the configuration reach, beside all other work. Ahead of the answer cases may
	 * be added behind the last. One at a time. NULL: it cannot.
	 */
	void (*cover)(struct at_evaluator *self, const uint16_t *configuration,
		double seconds, at_covered covered, void *context);
	/* The name of a case, for messages; borrowed. */
	const char *(*case_name)(
		const struct at_evaluator *self, size_t verification_case);
	/* A hash of what the case is: its sizes, scalar arguments and contents,
	   whatever its name and number are. */
	uint32_t (*case_id)(const struct at_evaluator *self, size_t verification_case);
	/* How many bytes the buffers of a case hold, from which its time is guessed; 0:
	   it is not known. */
	uint64_t (*case_bytes)(struct at_evaluator *self, size_t verification_case);
	/* Answers with NONE the evaluations and verifications that are at no board yet,
	   and after `seconds` those that are at a board then. begin() and verify() end
	   that wait. */
	void (*cancel)(struct at_evaluator *self, double seconds);
	/* Answers with NONE what has been compiling for ten times as long as the median
	   of the units before. NULL where nothing is compiled. */
	void (*drop_dear)(struct at_evaluator *self);
	/* Ends all work that is out, without answers. New work may be begun
	   afterwards. */
	void (*stop)(struct at_evaluator *self);
	/* How many evaluations may usefully be out at once: at least 1. */
	size_t (*capacity)(const struct at_evaluator *self);
	/* What the evaluator is doing at the moment. */
	void (*load)(const struct at_evaluator *self, struct at_evaluator_load *out);
	/* The evaluator's clock in nanoseconds, from an arbitrary origin. */
	uint64_t (*now_ns)(const struct at_evaluator *self);
	/* Called a few times a second while something is out. */
	void (*tick)(struct at_evaluator *self);
	/* Calls `call` once, from the loop, after the current callback has returned. */
	void (*later)(struct at_evaluator *self, void (*call)(void *), void *context);
};

/* The base of all evaluators. */
struct at_evaluator {
	const struct at_evaluator_ops *ops;
	struct at_evaluator_info info;
	/* set by the caller that wants to be told, else NULL; text is borrowed */
	void (*tell)(void *context, enum at_notice_kind kind, const char *text);
	void *tell_context;
};

#endif
