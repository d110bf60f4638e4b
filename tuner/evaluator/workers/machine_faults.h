/*
 * Failures that may be the machine's fault and not the work's: memory, disk, processes
 * or descriptors run out, something kills a process, a channel carries garbage. None of
 * this is a property of a configuration, unless it repeats while the work runs alone on
 * a healthy machine. Recorded as an outcome, it would blame the configuration for good.
 *
 * The at_fault_of_...() functions say whether a failure may be the machine's. What
 * follows is decided by at_recovery_...(), for compilers and boards alike, without a
 * clock or a process:
 *
 *   struct at_recovery recovery = { 0 };          nothing has failed
 *   step = at_recovery_failed(&recovery, fault, text, now_ns);
 *   AT_STEP_WAIT    until recovery.due_ns, then at_recovery_waited()
 *   AT_STEP_PROBE   see whether the machine is well, alone; at_recovery_probed()
 *   AT_STEP_TRY     the work again, alone; if it fails the same way
 *                   at_recovery_failed(), else at_recovery_end()
 *   AT_STEP_BLAME   it is the work's own fault after all
 *   AT_STEP_GIVE_UP the machine has not become well in time: at_recovery_error()
 *
 * A failure counts against the work only between two probes that find the machine well.
 * While the machine is not well the run is *paused*: a person is told, and the pause
 * has a bound.
 *
 * Threads: pure functions of their arguments and of the machine's own counters.
 */
#ifndef AT_WORKERS_MACHINE_FAULTS_H
#define AT_WORKERS_MACHINE_FAULTS_H

#include "evaluator/workers/process.h"

/* What may have caused a failure. NONE: it is the work's own fault. */
enum at_fault {
	AT_FAULT_NONE = 0,
	AT_FAULT_KILLED, /* by a signal that no program sends to itself */
	AT_FAULT_STOPPED, /* by SIGSTOP, so that it missed its deadline */
	AT_FAULT_MEMORY,
	AT_FAULT_DISK,
	AT_FAULT_PROCESSES, /* or open files; or a program that does not start */
	AT_FAULT_GARBAGE, /* a message that no worker sends */
	AT_FAULT_UNCLEAR, /* the process died, or its answer is incomplete */
};

/* Of a worker's process that has ended, whatever it was doing. */
enum at_fault at_fault_of_end(const struct at_worker_end *end);
/* Of an error that a worker reported. */
enum at_fault at_fault_of_error(const struct at_error *err);
/* Of what a compiler made of a unit. */
enum at_fault at_fault_of_compiled(const struct at_compile_result *result);

/* What the owner of the work has to do next: see above. */
enum at_recovery_step {
	AT_STEP_NONE = 0,
	AT_STEP_WAIT,
	AT_STEP_PROBE,
	AT_STEP_TRY,
	AT_STEP_BLAME,
	AT_STEP_GIVE_UP,
};

/* How one piece of work fares. All zero: nothing has failed. */
struct at_recovery {
	enum at_recovery_step step;
	enum at_fault fault; /* of the last failure */
	uint64_t due_ns; /* WAIT: until when */
	uint64_t pause_ns; /* the length of the next wait */
	uint64_t unwell_ns; /* since when the machine is not well; 0: it is */
	unsigned failures; /* of the work, all of them */
	unsigned repeated; /* failures of the work alone on a healthy machine */
	bool was_tried; /* the probe that is out follows a try */
	char text[400]; /* what went wrong last: one line */
	char unwell[400]; /* what is wrong with the machine; "": nothing */
};

/* How long a run waits for the machine to become well: $AUTOTUNE_PATIENCE in seconds,
   or five minutes. */
uint64_t at_patience_ns(void);

/*
 * The events of the protocol above: the work failed, the wait is over, the probe is
 * done, the work is done. The first three return the next step. text: what went wrong,
 * one line.
 */
enum at_recovery_step at_recovery_failed(struct at_recovery *self, enum at_fault fault,
	const char *text, uint64_t now_ns);
enum at_recovery_step at_recovery_waited(struct at_recovery *self, uint64_t now_ns);
/* unwell: what is wrong with the machine, as a whole sentence; "" where it is well. */
enum at_recovery_step at_recovery_probed(struct at_recovery *self, const char *unwell,
	uint64_t patience_ns, uint64_t now_ns);
void at_recovery_end(struct at_recovery *self);
/* Whether anything is being tried again. */
bool at_recovery_is_on(const struct at_recovery *self);
/* Writes what a person should know while the machine is not well. The text stays the
   same as long as that lasts; "" while the machine is well. */
void at_recovery_describe(const struct at_recovery *self, char *text, size_t size);
/* Fails with AT_EMACHINE, a line about the machine and what to do. */
enum at_status at_recovery_error(const struct at_recovery *self, struct at_error *err);
/* Writes what a person should know of work that is blamed: "tried alone it failed
   again, ...". */
void at_recovery_verdict(const struct at_recovery *self, char *text, size_t size);

/*
 * Looks whether the machine has what was lacking: room where temporary files go
 * (folder, else $TMPDIR), memory, processes. *why gets one line about what it lacks, or
 * "". The machine may have other faults that this does not see.
 */
void at_machine_check(enum at_fault fault, const char *folder, char *why, size_t size);

#endif
