/*
 * Second tries for work whose failure may be the machine's fault: its process died of
 * an outside cause, or an answer reports a lack. Recorded as an outcome, such a failure
 * would blame a configuration permanently. So the work is tried once more, alone; its
 * result on a healthy machine is its outcome. While the machine lacks disk, memory or
 * processes the run is *paused*: the user gets a message, and the pause is bounded.
 *
 * Compilers and boards go through these steps. This module has no clock and no process:
 *
 *   struct at_recovery recovery = { 0 };          nothing has failed
 *   step = at_recovery_failed(&recovery, was_killed, text, now_ns);
 *   AT_STEP_WAIT    until recovery.due_ns, then at_recovery_waited()
 *   AT_STEP_PROBE   see whether the machine is well, alone; at_recovery_probed()
 *   AT_STEP_TRY     the work again, alone; if it fails the same way
 *                   at_recovery_failed(), else at_recovery_end()
 *   AT_STEP_BLAME   it is the work's own fault after all
 *   AT_STEP_GIVE_UP the machine has not become well in time: at_recovery_error()
 *
 * Threads: pure functions of their arguments and of the machine's own counters.
 */
#ifndef AT_WORKERS_RECOVERY_H
#define AT_WORKERS_RECOVERY_H

#include "evaluator/workers/process.h"

/* Whether the process ended through its own fault: it computed until its deadline, or
   died of a signal that a program error raises. */
bool at_end_is_own(const struct at_worker_end *end);
/* Whether a SIGKILL ended it that this program did not send. */
bool at_end_is_kill(const struct at_worker_end *end);
/* Whether a worker's error reports a lack of some resource of the machine. */
bool at_error_is_lack(const struct at_error *err);

/* The owner's next step: see above. */
enum at_recovery_step {
	AT_STEP_NONE = 0,
	AT_STEP_WAIT,
	AT_STEP_PROBE,
	AT_STEP_TRY,
	AT_STEP_BLAME,
	AT_STEP_GIVE_UP,
};

/* The state of one piece of work. All zero: nothing has failed. */
struct at_recovery {
	enum at_recovery_step step;
	bool was_killed; /* the last time */
	uint64_t due_ns; /* WAIT: its end */
	uint64_t pause_ns; /* the length of the next wait */
	uint64_t waited_ns; /* in all */
	unsigned repeated; /* failures of the work alone on a healthy machine */
	bool was_tried; /* the pending probe follows a try */
	char text[400]; /* the last failure: one line */
	char unwell[400]; /* the machine's fault; "": none */
};

/* How long a run waits for the machine to recover: $AUTOTUNE_PATIENCE seconds, or five
   minutes. */
uint64_t at_patience_ns(void);

/* The events of the protocol above: the work failed, the wait is over, the probe is
   done, the work is done. The first three return the next step. text: the failure, one
   line. */
enum at_recovery_step at_recovery_failed(
	struct at_recovery *self, bool was_killed, const char *text, uint64_t now_ns);
enum at_recovery_step at_recovery_waited(struct at_recovery *self, uint64_t now_ns);
/* unwell: the machine's fault, as a whole sentence; "": it is well. */
enum at_recovery_step at_recovery_probed(struct at_recovery *self, const char *unwell,
	uint64_t patience_ns, uint64_t now_ns);
void at_recovery_end(struct at_recovery *self);
/* Whether anything is being tried again. */
bool at_recovery_is_on(const struct at_recovery *self);
/* Writes a message for the user while the machine is unwell, constant for this time; ""
   while it is well. */
void at_recovery_describe(const struct at_recovery *self, char *text, size_t size);
/* Fails with AT_EMACHINE, a line about the machine and what to do. */
enum at_status at_recovery_error(const struct at_recovery *self, struct at_error *err);
/* Follows the description of a failure that is the work's own fault. */
#define AT_RECOVERY_VERDICT \
	"(tried alone it failed again, while everything else worked on this machine)"

/* Checks that the machine has memory and disk space for temporary files (folder, else
   $TMPDIR). *why gets one line about a lack, or "". */
void at_machine_check(const char *folder, char *why, size_t size);

#endif
