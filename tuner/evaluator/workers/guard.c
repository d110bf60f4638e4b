/* The guard process (Linux), and descriptors that children must not inherit. */
/* for syscall() */
#define _GNU_SOURCE
#include "evaluator/workers/guard.h"
#include "evaluator/workers/clocks.h"

#include "base/clock.h"
#include "base/processes.h"
#include "base/scratch.h"
#include "evaluator/workers/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* a real-time signal that terminals and batch systems do not send */
#define END_SIGNAL (SIGRTMIN + 3)
/* By now only the kernel keeps the processes from vanishing; they execute nothing
   more. */
#define GIVE_UP_NS UINT64_C(10000000000)
/* Passes without a pause: a process that forks all the time must be caught between two
   forks. */
#define QUICK_PASSES 100
#define PASS_NS 2000000
/* one second of passes in all, for other guards to finish */
#define FOLDER_PASSES 500

/* ---- the guard ------------------------------------------------------------------- */

struct guard {
	pid_t worker; /* 0: it has ended */
	int status; /* of the worker, as waitpid() gives it; initially SIGKILL */
};

/* Other processes may wait for ever for these descriptors: for a pipe's end, for a
   lock. */
static void drop_descriptors(void)
{
	int nothing = open("/dev/null", O_RDWR);

	for (int file = 0; nothing >= 0 && file <= STDERR_FILENO; file++)
		dup2(nothing, file);
#ifdef SYS_close_range
	if (!syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, 0))
		return;
#endif
	for (int file = STDERR_FILENO + 1; file < 1024; file++)
		close(file);
}

/* Reaps all dead children; false: no child is left. */
static bool reap(struct guard *self)
{
	siginfo_t info = { 0 };
	pid_t child;
	int status;

	/* kill the worker's group while its zombie still prevents reuse of the
	   number */
	if (self->worker &&
		!waitid(P_PID, (id_t)self->worker, &info,
			WEXITED | WNOHANG | WNOWAIT) &&
		info.si_pid == self->worker)
		kill(-self->worker, SIGKILL);
	while ((child = waitpid(-1, &status, WNOHANG)) > 0)
		if (child == self->worker) {
			self->status = status;
			self->worker = 0;
		}
	return child == 0;
}

static void end_all(struct guard *self)
{
	const uint64_t begun_ns = at_clock_now_ns();
	const struct timespec moment = { 0, PASS_NS };
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	if (self->worker) {
		kill(self->worker, SIGKILL);
		kill(-self->worker, SIGKILL);
	}
	for (unsigned pass = 0; reap(self); pass++) {
		if (at_clock_now_ns() - begun_ns > GIVE_UP_NS)
			return;
		at_processes_kill_below(getpid(), NULL);
		if (pass < QUICK_PASSES)
			sched_yield();
		else
			sigtimedwait(&child, NULL, &moment);
	}
}

/* Ends this process as the worker ended, so that the coordinator sees the worker's
   end. */
static _Noreturn void end_like(int status)
{
	const struct rlimit none = { 0, 0 };
	sigset_t signals;

	if (WIFEXITED(status))
		_exit(WEXITSTATUS(status));
	/* one core dump is enough, and the guard's is of no interest */
	setrlimit(RLIMIT_CORE, &none);
	signal(WTERMSIG(status), SIG_DFL);
	sigemptyset(&signals);
	sigaddset(&signals, WTERMSIG(status));
	sigprocmask(SIG_UNBLOCK, &signals, NULL);
	raise(WTERMSIG(status));
	_exit(128 + WTERMSIG(status));
}

static _Noreturn void guard(pid_t worker, pid_t coordinator)
{
	struct guard self = { .worker = worker, .status = SIGKILL };
	const char *folder = getenv(AT_WORKER_FOLDER);
	siginfo_t info = { 0 };
	sigset_t heard;

	prctl(PR_SET_NAME, "autotune-guard");
	drop_descriptors();
	sigemptyset(&heard);
	sigaddset(&heard, SIGCHLD);
	sigaddset(&heard, END_SIGNAL);
	/* earlier signals were blocked, and are still pending */
	while (self.worker && sigwaitinfo(&heard, &info) != END_SIGNAL)
		reap(&self);
	end_all(&self);
	/* Either the signal came since the coordinator (perhaps only its first thread)
	   died, not from at_guard_end(); or the coordinator has gone without waiting
	   for this guard. */
	if ((info.si_signo == END_SIGNAL && info.si_code != SI_QUEUE) ||
		getppid() != coordinator) {
		at_clocks_rescue(NULL);
		if (folder) {
			/* Removes the folder of a dead coordinator. Other guards may be
			   removing it, too, and processes below them may still write
			   there: the last guard succeeds. */
			const struct timespec moment = { 0, PASS_NS };

			for (int pass = 0;
				pass < FOLDER_PASSES && !access(folder, F_OK); pass++) {
				at_scratch_sweep_one(folder, NULL, NULL);
				nanosleep(&moment, NULL);
			}
		}
	}
	end_like(self.status);
}

/* ---- start --------------------------------------------------------------------- */

/* Splits the process into guard and worker; returns in the worker. */
static void divide(bool adopts)
{
	const char *parent = getenv(AT_WORKER_PARENT);
	pid_t coordinator = getppid(), self = getpid(), child;
	sigset_t all, before;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	prctl(PR_SET_PDEATHSIG, END_SIGNAL);
	/* the coordinator may have died before that took effect */
	if (parent && atol(parent) != (long)coordinator)
		_exit(1);
	/* it may be inherited as ignored; then no SIGCHLD would arrive */
	signal(SIGCHLD, SIG_DFL);
	at_processes_adopt();
	child = fork();
	if (child < 0) {
		fprintf(stderr, "cannot start a process: %s\n", strerror(errno));
		_exit(1);
	}
	if (child > 0)
		guard(child, coordinator);
	/* so that a kernel that signals its group or terminal hits only itself */
	setsid();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != self)
		_exit(1);
	/* orphans of a kernel become the worker's children: none outlives its
	   configuration */
	if (adopts)
		at_processes_adopt();
	sigprocmask(SIG_SETMASK, &before, NULL);
}

void at_guard_begin(void)
{
	divide(true);
}

_Noreturn void at_guard_run(char *const *command)
{
	divide(false);
	execvp(command[0], command);
	fprintf(stderr, "cannot start %s: %s\n", command[0], strerror(errno));
	_exit(127);
}

void at_guard_end(pid_t guard)
{
	/* it may have been stopped */
	kill(guard, SIGCONT);
	/* sigqueue() distinguishes this order from the signal of the parent's death */
	sigqueue(guard, END_SIGNAL, (union sigval){ 0 });
}

/* ---- descriptors ----------------------------------------------------------------- */

#define KEPT_MAX 4
static int kept[KEPT_MAX];
static size_t kept_count;

/* Runs in a child after fork(), so it makes only async-signal-safe calls. */
static void drop_dangling(void)
{
	for (size_t i = 0; i < kept_count; i++) {
		int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

		/* the number stays in use, so that writes to it reach no other file */
		if (nothing >= 0 && nothing != kept[i]) {
			dup2(nothing, kept[i]);
			fcntl(kept[i], F_SETFD, FD_CLOEXEC);
			close(nothing);
		} else if (nothing < 0) {
			close(kept[i]);
		}
	}
}

void at_guard_keep(int descriptor)
{
	if (descriptor < 0 || kept_count == KEPT_MAX)
		return;
	fcntl(descriptor, F_SETFD, FD_CLOEXEC);
	if (!kept_count)
		pthread_atfork(NULL, NULL, drop_dangling);
	kept[kept_count++] = descriptor;
}
