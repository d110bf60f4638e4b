/* Shared by the files workers*.c only. */
#ifndef AT_WORKERS_WORKERS_PARTS_H
#define AT_WORKERS_WORKERS_PARTS_H

#include "base/hash_index.h"
#include "evaluator/cases_coverage.h"
#include "evaluator/cases.h"
#include "evaluator/workers/workers.h"

/* The progress of a configuration. */
enum stage {
	STAGE_NONE = 0,
	STAGE_COMPILING,
	STAGE_READY,
	STAGE_WAITING, /* for the result of a task with the same image */
	STAGE_AT_BOARD,
	STAGE_TOLD, /* the answer is known, and the loop reports it */
};

/* A compiled unit that a setup needs: the support kernels, or a reference. */
struct setup_unit {
	struct workers *owner;
	enum setup_role { SETUP_SUPPORT, SETUP_REFERENCE, SETUP_WIDE } role;
	struct at_hash id;
	char *path; /* NULL: not compiled yet */
	char *symbol; /* of the kernel to launch, or "" */
	bool is_wanted; /* requested from the compile queue */
	bool is_off; /* omitted: it does not compile, or a board died of it */
};

/* A problem with its data: the tuned one, or one for verification. */
struct workload {
	struct workers *owner;
	struct at_plan plan;
	struct setup_unit reference;
	struct setup_unit wide; /* the reference in double; omitted if it fails */
	struct at_board_setup setup;
	bool is_needed; /* required by some task */
	bool is_set_up; /* `setup` is complete */
	const struct at_case *from; /* NULL: the space names the problem */
	uint32_t id; /* case_id() */
	bool baseline_fits; /* of default cases: the baseline is right there */
	bool is_unfit; /* the baseline is wrong there, or the reference fails */
	bool reference_fails;
};

/* Whether the space does not promise that a kernel is right on it. */
static inline bool workers_is_default(const struct workload *self)
{
	return self->from && self->from->is_default;
}
/* Whether it is a case of the domain. */
static inline bool workers_is_of_domain(const struct workload *self)
{
	return self->from && !self->from->is_default;
}

/* The baseline's result on a case on which a winner has failed. */
struct second_opinion {
	bool is_of_baseline; /* the winner is the baseline */
	struct at_finding finding; /* of the winner; NONE: unknown yet */
	bool asks_baseline; /* runs the baseline, else the winner */
};

/* The search for a simpler case after a winner has failed on a case. */
struct shrinking {
	struct workload *smallest; /* the last failing case; NULL: none yet */
	struct at_finding finding; /* there */
	size_t next; /* index of the next number to change */
	uint16_t configuration[]; /* the winner's: the task may be the baseline's */
};

/* The most cases added during a run. */
#define ADDED_MOST 64

/* A board's place in this search. */
struct slot {
	struct workers *owner;
	struct at_board *board;
	const struct at_device_info *info;
	bool is_left_out;
	bool agrees; /* it measures the calibration run as the first board does */
	bool is_compared; /* it is measuring the calibration run */
	uint64_t agreed_ns; /* the last agreement */
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
	struct slot *slot; /* AT_BOARD: its board */
	char *unit; /* path; NULL: not compiled yet */
	bool was_compiled_again; /* its unit was lost, which is repaired once */
	bool is_held_back; /* its unit waits while another task is the first */
	at_verified verified; /* set for verifications, instead of base.answered */
	/* for default cases: until its outcome is known this task is the winner,
	   afterwards the baseline */
	struct second_opinion *second_opinion;
	struct shrinking *shrinking; /* for verifications on cases */
};

/* The pending finals. */
struct finals {
	struct at_measure_finals how;
	struct task *tasks[AT_FINALISTS_MAX];
	size_t count;
	size_t compiled; /* tasks with a compiled unit */
	struct slot *slot; /* the board that runs them; NULL: not begun */
	bool was_compiled_again;
	at_finals_answered answered; /* NULL: there are no finals */
	void *context;
};

/* The device kind on which winners of other kinds are run too, since it can shuffle the
   order of threads and blocks. */
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
	/* for values that coverage suggests, and simplified failing cases */
	struct at_case added[ADDED_MOST];
	size_t added_count;
	struct coverage *coverage; /* NULL: not measured yet */
	unsigned late_count; /* default cases on which the baseline was late */
	bool has_told_default; /* the user was notified of the default list */
	struct setup_unit support;
	struct slot slots[AT_BOARDS_MAX];
	size_t slot_count;
	struct task *tasks;
	/* compiled tasks that wait for a board */
	struct task *ready_first;
	struct task **ready_last;
	struct task *first; /* measured before all others; NULL: none */
	struct finals finals;
	/* for each argument: a unit has the variable of its symbol */
	bool *symbols_found;
	bool saw_reference, saw_baseline; /* their units were searched for variables */
	/* measured images */
	struct at_hash_index image_numbers;
	struct image *images;
	size_t image_count, image_capacity;
	struct checks
		*checks[2]; /* the host's and the sanitizers'; NULL before the first */
	double incumbent_ns;
	/* the best fully measured task, by which boards are compared */
	struct task *calibration;
	const struct slot *calibration_slot;
	double longest_seconds; /* of this problem's evaluations; 0: none yet */
	bool has_timed_out; /* an evaluation reached its deadline */
	struct at_hash left_out; /* the last note about omitted code */
	uint64_t cut_ns; /* when evaluations at boards are cancelled; 0: never */
	bool has_dropped_dear; /* the user was notified of units that take too long */
	bool holding; /* compilers are held while a device needs their cores */
	bool is_telling_later; /* tell_due() is pending on the loop */
	bool failed; /* an error was reported: nothing more is answered */
	struct at_error error; /* that error */
	char state[256]; /* the last reported state */
	const char *step; /* the last reported step; NULL: none yet */
	bool has_answered;
	char trouble[800]; /* the last reported trouble with the machine, or "" */
	/* at_workers_open(), for the second evaluator that runs winners on the host */
	enum at_status (*open)(const struct at_workers_options *options,
		struct at_evaluator **out, struct at_error *err);
};

/* ---- workers.c */
/* Passes a text to the evaluator's listener. */
void workers_tell(struct workers *self, enum at_notice_kind kind, const char *text);
/* Plans a configuration for the workload, by its plan or by another plan with the same
   setup. The caller drops *out with at_task_free(). */
enum at_status workers_new_task(struct workload *workload, struct at_plan *plan,
	const uint16_t *configuration, struct task **out, struct at_error *err);
/* Stops everything with this error: one waiting caller gets it, and nothing else is
   answered. */
void workers_fail(struct workers *self, const struct at_error *err);

/* Sets how samples of a request are taken. */
void workers_set_sampling(
	const struct workers *self, struct at_measure_request *request);
/* Begins `next` instead of a verification, whose receiver gets the answer of `next`.
   Drops the caller's references to both. */
void workers_replace_task(struct workers *self, struct task *task, struct task *next);
/* The first board that is not left out: it runs finals and verifications. */
struct slot *workers_lead_slot(struct workers *self);
/* Encodes a workload's setup, whose units must be compiled. watched: for a process
   under compute-sanitizer. */
enum at_status workers_put_setup(struct workers *self, struct workload *workload,
	bool watched, struct at_board_setup *out, struct at_error *err);

/* ---- workers_workloads.c: the tuned problem, and those for verification */
/* Adds the workload of a case, which stays the caller's; omits a default case for which
   the space cannot be evaluated. */
enum at_status workers_add_case(
	struct workers *self, const struct at_case *one, struct at_error *err);
/* Adds all workloads but the first to the evaluator's cases, with their ids. */
void workers_count_cases(struct workers *self);
enum at_status workers_add_workloads(struct workers *self, struct at_error *err);
/* The bytes of all buffers of a workload; 0: it cannot be made. */
uint64_t workers_bytes_of(struct workload *self);
/*
 * Picks a problem for a check that runs a kernel slowly. Prefers problems with more
 * than one block, since a single block hides mistakes between blocks or at a block's
 * end. Among these it takes the largest whose buffers have 256 KiB or less, since races
 * need many threads, or else the smallest. The tuned problem is included, with other
 * data. *out NULL: the configuration fits no problem. only_promised: omit default
 * cases. most_bytes: omit problems with larger buffers.
 */
void workers_pick_workload(struct workers *workers, const uint16_t *configuration,
	bool is_set_up_only, bool only_promised, uint64_t most_bytes,
	struct workload **out);
/* Sets info.source: the key of the file's own defaults, ignoring --set. */
enum at_status workers_identify_source(struct workers *self, struct at_error *err);

/* Reports once that winners are verified on the default list. */
void workers_tell_default(struct workers *self);

/* ---- workers_failure.c: what follows when a winner fails on a case */
/* Converts a configuration of the spec that --set restricts to one of the whole
   spec. */
void workers_widen(const struct at_spec *spec, const struct at_spec *whole,
	const uint16_t *configuration, uint16_t *out);
/* Prepares a run of the baseline on the case of a configuration's verification; heap.
 */
struct second_opinion *workers_new_second_opinion(
	const struct workers *self, const uint16_t *configuration);
/* Called when the verification on a case has ended. True: the baseline, or a simpler
   case, runs first; the task needs no answer, and is gone. */
bool workers_goes_on(struct workers *self, struct task *task);

/* ---- workers_checks.c: checks of a winner outside the device's own verifications */
void workers_check(struct at_evaluator *base, const uint16_t *configuration,
	const uint16_t *witness, enum at_check check, double seconds,
	at_verified verified, void *context);
/* Called while time passes. */
void workers_tick_checks(struct workers *self);
/* Ends the checks without answers; and releases them at the end. */
void workers_drop_checks(struct at_evaluator *base);
void workers_close_checks(struct workers *self);

/* ---- workers_coverage.c: coverage of the cases, and further cases */
void workers_cover(struct at_evaluator *base, const uint16_t *configuration,
	double seconds, at_covered done, void *context);
/* Called while time passes. */
void workers_tick_coverage(struct workers *self);
/* Ends it without an answer. */
void workers_drop_coverage(struct workers *self);

#endif
