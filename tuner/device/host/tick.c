/* Ticks: a timer for each thread whose signal calls a function; see tick.h. */
/* SIGEV_THREAD_ID and gettid() are Linux's own */
#define _GNU_SOURCE
#include "device/host/tick.h"

#include <errno.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

/*
 * Time between two ticks. The timer expires once, and each tick sets it again. A
 * periodic timer would send signals even while a tick is late: ticks would then
 * interrupt each other until the stack is used up (seen with sanitizers under load). A
 * tick must take less than this, because its handler does not block the signal; see
 * at_host_tick_begin().
 */
#define INTERVAL_NS 200000

uint64_t at_host_tick_cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
/* older C libraries do not define this name */
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/*
 * Libraries take real-time signals from the low end, so nothing else should use this
 * one.
 */
#define SIGNAL (SIGRTMAX - 3)

static _Thread_local struct at_host_tick *current;

static void set_timer(struct at_host_tick *self)
{
	struct itimerspec once = { .it_value = { .tv_nsec = INTERVAL_NS } };

	timer_settime(self->timer, 0, &once, NULL);
}

static void on_tick(int number, siginfo_t *info, void *context)
{
	const ucontext_t *machine = context;
	struct at_host_tick *self = current;
	int error = errno;

	(void)number;
	(void)info;
	if (!self || !self->has_timer)
		return;
	set_timer(self);
#if defined(__x86_64__)
	self->call(self->argument, (uint64_t)machine->uc_mcontext.gregs[REG_RIP]);
#else
	self->call(self->argument, machine->uc_mcontext.pc);
#endif
	errno = error;
}

static void unblock(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGNAL);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

void at_host_tick_leave(void)
{
	unblock();
}

void at_host_tick_begin(struct at_host_tick *self)
{
	/* SA_NODEFER: the function may leave the handler for another fiber, which then
	   runs outside of any handler and must get its ticks */
	struct sigaction action = { .sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART };
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID };

	action.sa_sigaction = on_tick;
	sigemptyset(&action.sa_mask);
	event.sigev_signo = SIGNAL;
	event.sigev_notify_thread_id = gettid();
	if (sigaction(SIGNAL, &action, NULL) < 0)
		return;
	unblock();
	self->has_timer = timer_create(CLOCK_MONOTONIC, &event, &self->timer) == 0;
	current = self;
	if (self->has_timer)
		set_timer(self);
}

void at_host_tick_end(struct at_host_tick *self)
{
	/* a signal that is still on its way finds no tick to call */
	current = NULL;
	if (self->has_timer)
		timer_delete(self->timer);
	self->has_timer = false;
}
#else
void at_host_tick_begin(struct at_host_tick *self)
{
	(void)self;
}

void at_host_tick_end(struct at_host_tick *self)
{
	(void)self;
}

void at_host_tick_leave(void)
{
}
#endif
