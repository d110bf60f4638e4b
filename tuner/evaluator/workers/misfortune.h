/*
 * What a machine does to work that may be sound: memory, disk, processes or
 * descriptors run out, somebody kills a process, a channel carries garbage. None of it
 * is a property of a configuration, unless it repeats alone on a healthy machine; and
 * whoever records it as one blames the configuration for good.
 *
 * Whose a failure may be is said by the at_fault_of_...() functions. What comes of it
 * is decided here, in one place for compilers and boards, without a clock or a process
 * of its own:
 *
 *   struct at_recovery recovery = { 0 };          nothing has failed
 *   step = at_recovery_failed(&recovery, fault, text, now_ns);
 *   AT_STEP_WAIT    until recovery.due_ns, then at_recovery_waited()
 *   AT_STEP_PROBE   see whether the machine is well, alone; at_recovery_probed()
 *   AT_STEP_TRY     the work again, alone; if it fails so again at_recovery_failed(),
 *                   whatever else comes of it at_recovery_end()
 *   AT_STEP_BLAME   it is the work's own after all
 *   AT_STEP_GIVE_UP the machine has not become well in time: at_recovery_error()
 *
 * A failure of the work counts only between two probes that find the machine well.
 * While it is not, that is the work of a *pause*, which is told and bounded.
 *
 * Threads: pure functions of what they are given, and of the machine's own counters.
 */
#ifndef AT_WORKERS_MISFORTUNE_H
#define AT_WORKERS_MISFORTUNE_H

#include "evaluator/workers/process.h"

/* What it may be for want of. NONE: it is the work's own, whatever it is. */
enum at_fault {
	AT_FAULT_NONE = 0,
	AT_FAULT_KILLED, /* by a signal that nothing sends itself */
	AT_FAULT_STOPPED, /* SIGSTOP, and it did not end in its time */
	AT_FAULT_MEMORY,
	AT_FAULT_DISK,
	AT_FAULT_PROCESSES, /* or open files; or a program that does not start */
	AT_FAULT_GARBAGE, /* what no worker says */
	AT_FAULT_UNCLEAR, /* it died, or its answer is half there */
};

/* Of a worker's process that is gone, whatever it was doing. */
enum at_fault at_fault_of_end(const struct at_worker_end *end);
/* Of what a worker could not do. */
enum at_fault at_fault_of_error(const struct at_error *err);
/* Of what a compiler made of a unit. */
enum at_fault at_fault_of_compiled(const struct at_compile_result *result);

enum at_recovery_step {
	AT_STEP_NONE = 0,
	AT_STEP_WAIT,
	AT_STEP_PROBE,
	AT_STEP_TRY,
	AT_STEP_BLAME,
	AT_STEP_GIVE_UP,
};

/* How one piece of work fares. Zeroed: nothing has failed. */
struct at_recovery {
	enum at_recovery_step step;
	enum at_fault fault; /* the last one */
	uint64_t due_ns; /* WAIT: until then */
	uint64_t pause_ns; /* the next one */
	uint64_t unwell_ns; /* since then the machine is not well; 0: it is */
	unsigned failures; /* all */
	unsigned repeated; /* it failed so often alone, on a healthy machine */
	bool was_tried; /* the probe that is out comes after a try */
	char text[400]; /* what went wrong last: one line */
	char unwell[400]; /* what is wrong with the machine; "" */
};

/* How long a run waits for a machine to become well: $AUTOTUNE_PATIENCE, in seconds,
   or five minutes. */
uint64_t at_patience_ns(void);

enum at_recovery_step at_recovery_failed(struct at_recovery *self, enum at_fault fault,
	const char *text, uint64_t now_ns);
enum at_recovery_step at_recovery_waited(struct at_recovery *self, uint64_t now_ns);
/* unwell: "" or what is wrong with the machine, in words that go on with nothing. */
enum at_recovery_step at_recovery_probed(struct at_recovery *self, const char *unwell,
	uint64_t patience_ns, uint64_t now_ns);
void at_recovery_end(struct at_recovery *self);
bool at_recovery_is_on(const struct at_recovery *self);
/* What a person should know while the machine is not well, the same text as long as it
   stays so; "" while it is. */
void at_recovery_describe(const struct at_recovery *self, char *text, size_t size);
/* AT_EMACHINE, and what to do. */
enum at_status at_recovery_error(const struct at_recovery *self, struct at_error *err);
/* "it does so alone as well, ...": what a person should know of work that is blamed. */
void at_recovery_verdict(const struct at_recovery *self, char *text, size_t size);

/*
 * Whether the machine has what was lacking: room where temporary files go (the folder
 * of the loop, else $TMPDIR), memory, processes. *why: "" or one line. A machine
 * may be unwell beyond what this sees.
 */
void at_machine_look(enum at_fault fault, const char *folder, char *why, size_t size);

#endif
