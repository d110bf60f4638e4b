/* What the files workers*.c share; no other file includes this. */
#ifndef AT_WORKERS_WORKERS_PARTS_H
#define AT_WORKERS_WORKERS_PARTS_H

#include "base/hash_index.h"
#include "evaluator/cases_coverage.h"
#include "evaluator/cases.h"
#include "evaluator/workers/workers.h"

/* Where a configuration is on its way. */
enum stage {
	STAGE_NONE = 0,
	STAGE_COMPILING,
	STAGE_READY,
	STAGE_WAITING, /* for the result of a trial with the same image */
	STAGE_AT_BOARD,
	STAGE_TOLD, /* its answer is known, and the loop reports it */
};

/* A compiled unit that a setup needs: the support kernels, or a reference. */
struct setup_unit {
	struct workers *owner;
	enum setup_role { SETUP_SUPPORT, SETUP_REFERENCE, SETUP_WIDE } role;
	struct at_hash id;
	char *path; /* NULL: not compiled yet */
	char *symbol; /* of the kernel to launch; "": none is */
	bool is_wanted; /* the compile queue has the request */
	bool is_off; /* done without: it does not compile, or a board died of it */
};

/* A problem with its data: the tuned one, or one that winners are verified on. */
struct workload {
	struct workers *owner;
	struct at_plan plan;
	struct setup_unit reference;
	struct setup_unit wide; /* the reference in double; done without if it fails */
	struct at_board_setup setup;
	bool is_needed; /* something is to run on it */
	bool is_set_up; /* `setup` is complete */
	const struct at_case *from; /* NULL: the space names the problem */
	uint32_t id; /* case_id() */
	bool baseline_fits; /* of default cases: the baseline is right there */
	bool is_unfit; /* and here it is not, or the reference fails */
	bool reference_fails;
};

/* Whether nothing in the space promises that a kernel is right on it. */
static inline bool workers_is_default(const struct workload *self)
{
	return self->from && self->from->is_default;
}
/* Whether it is a case of the domain. */
static inline bool workers_is_of_domain(const struct workload *self)
{
	return self->from && !self->from->is_default;
}

/* How the baseline does on a case on which a winner has failed. */
struct second_opinion {
	bool is_of_baseline; /* the winner is the baseline */
	struct at_finding finding; /* of the winner; NONE: not known yet */
	bool asks_baseline; /* else the winner */
};

/* A winner has failed on a case: a simpler one is looked for. */
struct shrinking {
	struct workload *smallest; /* on which it failed last; NULL: it has not yet */
	struct at_finding finding; /* there */
	size_t next; /* which number is the next that gets another value */
	uint16_t configuration[]; /* the winner's: the task may be the baseline's */
};

/* The most cases that are added on the way. */
#define ADDED_MOST 64

/* A board's place in this search. */
struct slot {
	struct workers *owner;
	struct at_board *board;
	const struct at_device_info *info;
	bool is_left_out;
	bool agrees; /* it measures the calibration run as the first board does */
	bool is_compared; /* it is measuring the calibration run */
	uint64_t agreed_ns; /* when it agreed last */
	/* the calibration run's time, interval and board when the comparison began */
	double expected_ns;
	double expected_low_ns;
	double expected_high_ns;
	const char *expected_on;
	uint64_t waited_before_ns; /* the board's waits before this problem */
};

/* A task, for an evaluation or a verification. */
struct task {
	struct at_task base;
	struct task *next;
	struct task *next_ready;
	struct workers *owner;
	struct workload *workload;
	enum stage stage;
	struct slot *slot; /* AT_BOARD: which */
	char *unit; /* path; NULL: not compiled yet */
	bool was_compiled_again; /* its unit had gone, and that happens once */
	bool is_held_back; /* its unit waits while another task is the first */
	at_verified verified; /* set for verifications, in place of base.answered */
	/* for default cases: until its outcome is known this task is the winner,
	   afterwards the baseline */
	struct second_opinion *second_opinion;
	struct shrinking *shrinking; /* for verifications on cases */
};

/* The finals that are being prepared or made. */
struct finals {
	struct at_measure_finals how;
	struct task *tasks[AT_FINALISTS_MAX];
	size_t count;
	size_t compiled; /* tasks whose unit is there */
	struct slot *slot; /* the board that makes them; NULL: not begun */
	bool was_compiled_again;
	at_finals_answered answered; /* NULL: there are no finals */
	void *context;
};

/* The kind of device on which winners of other kinds are run too, since it can shuffle
   the order of threads and blocks. */
#define AT_CROSS_VERIFICATION_KIND "host"

struct image; /* workers.c */
struct checks; /* workers_checks.c */
struct coverage; /* workers_coverage.c */

struct workers {
	struct at_evaluator base;
	struct at_workers_options options;
	struct workload *workloads; /* the tuned problem is the first */
	size_t workload_count;
	struct at_case_source source; /* of the cases */
	struct at_case *cases; /* at_cases_make() */
	size_t case_count;
	/* of values that coverage asked for, and simpler ones than a case that failed
	 */
	struct at_case added[ADDED_MOST];
	size_t added_count;
	struct coverage *coverage; /* NULL: none was measured yet */
	unsigned late_count; /* default cases on which the baseline was late */
	bool has_told_default; /* the user has read of the default list */
	struct setup_unit support;
	struct slot slots[AT_BOARDS_MAX];
	size_t slot_count;
	struct task *tasks;
	/* tasks that are compiled and wait for a board */
	struct task *ready_first;
	struct task **ready_last;
	struct task *first; /* to be measured before all others; NULL: none */
	struct finals finals;
	/* of each argument: a unit has the variable of its symbol */
	bool *symbols_found;
	bool saw_reference, saw_baseline; /* their units were looked at for that */
	/* what was measured, by image */
	struct at_hash_index image_numbers;
	struct image *images;
	size_t image_count, image_capacity;
	struct checks
		*checks[2]; /* the host's and the sanitizers'; NULL before the first */
	double incumbent_ns;
	/* the best trial that was measured in full: boards are compared by it */
	struct task *calibration;
	const struct slot *calibration_slot;
	double longest_seconds; /* of the evaluations of this problem; 0: none was */
	bool has_timed_out; /* an evaluation reached its deadline */
	struct at_hash left_out; /* the last note about code that is left out */
	uint64_t cut_ns; /* when evaluations at boards are called off; 0: never */
	bool has_dropped_dear; /* the user has read of units that take too long */
	bool holding; /* compilers are held while a device needs their cores */
	bool is_telling_later; /* tell_due() is called from the loop soon */
	bool failed; /* an error was told: nothing more is answered */
	struct at_error error; /* that error */
	char state[256]; /* the state that was told last */
	const char *step; /* the step that was told last; NULL: none yet */
	bool has_answered;
	char trouble[800]; /* with the machine, told last; "": none */
	/* at_workers_open(), for the second evaluator that runs winners on the host */
	enum at_status (*open)(const struct at_workers_options *options,
		struct at_evaluator **out, struct at_error *err);
};

/* ---- workers.c */
/* Tells a text to whoever listens to the evaluator. */
void workers_tell(struct workers *self, enum at_notice_kind kind, const char *text);
/* Plans a configuration for the workload, by its plan or by another one that shares the
   plan's setup. The caller drops *out with at_task_free(). */
enum at_status workers_new_task(struct workload *workload, struct at_plan *plan,
	const uint16_t *configuration, struct task **out, struct at_error *err);
/* Nothing more can be done: everything that is out gets this error. */
void workers_fail(struct workers *self, const struct at_error *err);

/* Sets how samples of a request are taken. */
void workers_set_sampling(
	const struct workers *self, struct at_measure_request *request);
/* Begins `next` in place of a verification, whose receiver gets the answer of `next`.
   Drops the caller's references to both. */
void workers_replace_task(struct workers *self, struct task *task, struct task *next);
/* The first board that is not left out: it makes finals and verifications. */
struct slot *workers_lead_slot(struct workers *self);
/* Makes the message of a workload's setup, whose units must be there. watched: for a
   process under compute-sanitizer. */
enum at_status workers_put_setup(struct workers *self, struct workload *workload,
	bool watched, struct at_board_setup *out, struct at_error *err);

/* ---- workers_workloads.c: the tuned problem, and those on which winners are verified
 */
/* Adds the workload of a case, which stays the caller's; a default case for which the
   space cannot be evaluated is left out. */
enum at_status workers_add_case(
	struct workers *self, const struct at_case *one, struct at_error *err);
/* Takes all workloads but the first into the evaluator's cases, with their ids. */
void workers_count_cases(struct workers *self);
enum at_status workers_add_workloads(struct workers *self, struct at_error *err);
/* The bytes of all buffers of a workload; 0: it cannot be made. */
uint64_t workers_bytes_of(struct workload *self);
/*
 * Picks a problem for a check that runs a kernel slowly: one that launches more than
 * one block, where there is one, since a mistake between blocks, or at the end of one,
 * does not show with a single block; of these the largest whose buffers have 256 KiB or
 * less, since races show where there are many threads, or else the smallest. The tuned
 * problem is among them, as a verification with other data. *out NULL: the
 * configuration fits none. only_promised: leave out default cases. most_bytes: leave
 * out those whose buffers have more.
 */
void workers_pick_workload(struct workers *workers, const uint16_t *configuration,
	bool is_set_up_only, bool only_promised, uint64_t most_bytes,
	struct workload **out);
/* Sets info.source: the key of the file's own defaults, whatever --set makes of
   them. */
enum at_status workers_identify_source(struct workers *self, struct at_error *err);

/* Tells once that winners are verified on the default list. */
void workers_tell_default(struct workers *self);

/* ---- workers_failure.c: what follows where a winner fails on a case */
/* Finds a configuration of the spec that --set has restricted among those of the whole
   spec. */
void workers_widen(const struct at_spec *spec, const struct at_spec *whole,
	const uint16_t *configuration, uint16_t *out);
/* Prepares asking the baseline about the verification of a configuration; heap. */
struct second_opinion *workers_new_second_opinion(
	const struct workers *self, const uint16_t *configuration);
/* What to do when a verification on a case has ended. True: the baseline is asked
   first, or a simpler case is tried; the task is not to be answered, and is gone. */
bool workers_goes_on(struct workers *self, struct task *task);

/* ---- workers_checks.c: checks of a winner beside the device's own verifications */
void workers_check(struct at_evaluator *base, const uint16_t *configuration,
	const uint16_t *witness, enum at_check check, double seconds,
	at_verified verified, void *context);
/* Called while time passes. */
void workers_tick_checks(struct workers *self);
/* Ends the checks without answers; and releases them at the end. */
void workers_drop_checks(struct at_evaluator *base);
void workers_close_checks(struct workers *self);

/* ---- workers_coverage.c: which branches the cases reach, and cases for more */
void workers_cover(struct at_evaluator *base, const uint16_t *configuration,
	double seconds, at_covered done, void *context);
/* Called while time passes. */
void workers_tick_coverage(struct workers *self);
/* Ends it without an answer. */
void workers_drop_coverage(struct workers *self);

#endif
