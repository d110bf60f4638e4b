/*
 * The seam between searching and evaluating: something that takes configurations of
 * one space, for one problem and one model of device, and says what became of each.
 * Behind it stand workers/ (compilers and boards) and, in tests, a script; whoever
 * stands in front of it (session/) knows neither processes nor units nor images.
 *
 *   ops->plan(evaluator, configuration, &planned, &err);
 *   ... planned->key is looked up in the record ...
 *   ops->begin(evaluator, planned, &options, answered, context);
 *   ... answered(context, &answer, NULL), later, in any order ...
 *   ops->close(evaluator);
 *
 * Every begin(), finals(), prove() and check() is answered exactly once, never from
 * inside the call that asked for it, unless stop(), close() or, for a check,
 * drop_checks() comes first: then it is not answered at all. An answer with an error
 * means that the evaluator can do nothing more; nothing is answered after it.
 *
 * Time is the evaluator's: now_ns() is a clock that may stand still while another
 * program has the board, and that may be virtual. Nobody in front of it asks another.
 *
 * Threads: the evaluator's loop; all calls and all answers on it.
 */
#ifndef AT_EVALUATOR_EVALUATOR_H
#define AT_EVALUATOR_EVALUATOR_H

#include "base/error.h"
#include "base/hash.h"
#include "base/outcome.h"
#include "device/device.h"
#include "evaluator/plan.h"
#include "kernel/facts.h"
#include "measure/measure.h"
#include "record/proof.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What it is. Constant from open to close. */
struct at_evaluator_info {
	struct at_device_info device; /* of several boards of one model the first's */
	char toolchain[256]; /* version and all: "NVRTC 13.0" */
	/* what winners of this problem are made from, whatever the configuration or
	   --set: where it changes, an older winner is no longer one */
	struct at_hash source;
	/* problems to prove a winner on: case 0 is the tuned one with other data */
	size_t case_count;
	/* check() may find something to do */
	bool has_checks;
};

struct at_trial_options {
	bool first; /* measured before all others: the baseline */
	bool full; /* never dropped early, however slow */
	/* nor this one, but whether it would have been is told: result.was_hopeless */
	bool audit;
	uint64_t seed; /* of thread orders, where a device can shuffle them */
};

/* Seconds of a proof that nobody waits for. */
#define AT_PATIENT 0.0

/* What became of one configuration. */
struct at_answer {
	/* as it was begun; given back: whoever wants to keep it sets this to NULL */
	struct at_planned *planned;
	enum at_outcome outcome; /* NONE: it was called off, and nothing is known */
	const char *detail; /* one line; "" when OK */
	const char *log; /* the compiler's; "" */
	struct at_facts facts; /* unknown where it was not compiled */
	/* NULL: it was never measured; samples may be taken by setting them to NULL */
	struct at_measure_result *result;
	/* of the image and all that its launch is given: what has the same was measured
	   once, and its result copied; zero: it did not come to that */
	struct at_hash image;
	bool is_copy;
	const char *board; /* uuid of the board that measured it; "" */
};

/* err NULL, or why nothing more can be done; answer is borrowed, NULL with an err. */
typedef void (*at_answered)(
	void *context, struct at_answer *answer, const struct at_error *err);

struct at_final {
	struct at_facts facts;
	/* outcome, and blocks of samples as at_bench_finals() gives them */
	struct at_measure_result result;
};

/* finals: as many and in the order of what was asked; what is taken is zeroed. */
typedef void (*at_finals_answered)(void *context, struct at_final *finals, size_t count,
	const struct at_error *err);

/* What came of one proof, or of a check beside it. */
struct at_proof_answer {
	/* NOT_APPLICABLE: the configuration is not for this case, or the check cannot
	   be made; detail says why */
	enum at_outcome outcome;
	const char *detail; /* one line; "" when OK */
	struct at_measure_proof proved; /* OK: what it was held to */
};

/* err NULL, or why nothing more can be done; answer is borrowed, NULL with an err. */
typedef void (*at_proved)(void *context, const struct at_proof_answer *answer,
	const struct at_error *err);

/* What is going on, for whoever watches. */
struct at_evaluator_load {
	size_t compiling; /* waiting for a compiler, or in one */
	size_t waiting; /* compiled, not yet at a board */
	size_t measuring;
	double setup_seconds; /* the longest setup so far: reference and all */
};

enum at_told_kind {
	AT_TOLD_NONE = 0,
	AT_TOLD_NOTE, /* a person should know, now or in the morning */
	AT_TOLD_JUDGED, /* what outputs are judged by, once the baseline was measured */
	AT_TOLD_STATE, /* what is being done or waited for; "": nothing special */
	AT_TOLD_STEP, /* what is done ahead of the first answer; "": there it is */
};

struct at_evaluator;

struct at_evaluator_ops {
	/* Ends all that is out, unanswered, and frees it. */
	void (*close)(struct at_evaluator *self);
	/*
	 * Makes a configuration (value indices) concrete: once, here, for everything
	 * that follows. What cannot be launched is AT_OK with the outcome
	 * NOT_APPLICABLE in it. *out is the caller's: at_planned_free().
	 */
	enum at_status (*plan)(struct at_evaluator *self, const uint16_t *configuration,
		struct at_planned **out, struct at_error *err);
	/* Takes planned over, also when it fails. */
	enum at_status (*begin)(struct at_evaluator *self, struct at_planned *planned,
		const struct at_trial_options *options, at_answered answered,
		void *context, struct at_error *err);
	/*
	 * From now on evaluations that cannot come near so many nanoseconds a launch
	 * may be dropped early. 0: none is.
	 */
	void (*race)(struct at_evaluator *self, double incumbent_ns);
	/*
	 * The max_relative_error of the baseline, as it was measured now or recorded:
	 * from now on configurations may be off by what that says of rounding. NULL
	 * where nothing is judged.
	 */
	void (*judge_by)(struct at_evaluator *self, double baseline_error);
	/*
	 * Measures 1 to AT_FINALISTS_MAX of them again, interleaved, on one board, when
	 * what was begun before has been answered. planned: borrowed until answered.
	 */
	enum at_status (*finals)(struct at_evaluator *self,
		const struct at_planned *const *planned, size_t count,
		const struct at_measure_finals *how, at_finals_answered answered,
		void *context, struct at_error *err);
	/*
	 * Proves a configuration, untimed, on case 0 .. case_count - 1. After so many
	 * seconds it is proved by little more: no case is left out, but what is tried
	 * on it (AT_PATIENT: all).
	 */
	enum at_status (*prove)(struct at_evaluator *self,
		const uint16_t *configuration, size_t proof_case, double seconds,
		at_proved proved, void *context, struct at_error *err);
	/*
	 * Holds a configuration to something else than the device's own proofs. The
	 * host's may be out beside all else, of the others one at a time. Answered
	 * with NOT_APPLICABLE and the reason where that cannot be done here, or does
	 * not end within so many seconds; with "" as the reason where it makes no sense
	 * for this device. NULL: there are no such checks.
	 */
	enum at_status (*check)(struct at_evaluator *self,
		const uint16_t *configuration, enum at_check check, double seconds,
		at_proved proved, void *context, struct at_error *err);
	/* The checks that are out are not answered. NULL where check is. */
	void (*drop_checks)(struct at_evaluator *self);
	/* The case's name, for messages; borrowed. */
	const char *(*case_name)(const struct at_evaluator *self, size_t proof_case);
	/* What was begun and is at no board yet is answered with NONE. */
	void (*cancel)(struct at_evaluator *self);
	/* All that is out ends now and is not answered. New work may be begun. */
	void (*stop)(struct at_evaluator *self);
	/* How many may usefully be out at once: at least 1. */
	size_t (*capacity)(const struct at_evaluator *self);
	void (*load)(const struct at_evaluator *self, struct at_evaluator_load *out);
	uint64_t (*now_ns)(const struct at_evaluator *self);
	/* A moment has passed: called a few times a second while something is out. */
	void (*tick)(struct at_evaluator *self);
	/* Calls `call` once, from the loop, after what runs now has returned. */
	enum at_status (*later)(struct at_evaluator *self, void (*call)(void *),
		void *context, struct at_error *err);
};

struct at_evaluator {
	const struct at_evaluator_ops *ops;
	struct at_evaluator_info info;
	/* set by whoever wants to hear; may be NULL. text is borrowed. */
	void (*tell)(void *context, enum at_told_kind kind, const char *text);
	void *tell_context;
};

#endif
