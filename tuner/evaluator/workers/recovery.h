/*
 * Work whose failure may be the machine's fault and not its own: its process died of
 * something that it did not do itself, or an answer says that something was lacking.
 * Recorded as an outcome, that would blame a configuration for good. So the work is
 * tried once more, alone, and what it does then while the machine is well is its
 * outcome. While the machine lacks disk, memory or processes the run is *paused*: a
 * person gets a message, and the pause has a bound.
 *
 * Compilers and boards go through these steps, without a clock or a process in here:
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

/* Whether a process ended by what it did itself: it computed until its deadline, or a
   signal ended it that a fault of a program raises. */
bool at_end_is_own(const struct at_worker_end *end);
/* Whether it was ended by a SIGKILL that this program did not send. */
bool at_end_is_kill(const struct at_worker_end *end);
/* Whether an error that a worker reported says that the machine lacked something. */
bool at_error_is_lack(const struct at_error *err);

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
	bool was_killed; /* the last time */
	uint64_t due_ns; /* WAIT: until when */
	uint64_t pause_ns; /* the length of the next wait */
	uint64_t waited_ns; /* in all */
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
enum at_recovery_step at_recovery_failed(
	struct at_recovery *self, bool was_killed, const char *text, uint64_t now_ns);
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
/* What a person should know of work that is blamed, after what went wrong. */
#define AT_RECOVERY_VERDICT \
	"(tried alone it failed again, while everything else worked on this machine)"

/* Looks whether the machine has room where temporary files go (folder, else $TMPDIR)
   and memory. *why gets one line about what it lacks, or "". */
void at_machine_check(const char *folder, char *why, size_t size);

#endif
