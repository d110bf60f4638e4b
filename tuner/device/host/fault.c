/* The handlers of SIGSEGV and SIGBUS, which leave a faulting fiber; see fault.h. */
/* sigaltstack() needs XSI in POSIX 2008, REG_ERR is the C library's own */
#define _GNU_SOURCE
#include "device/host/fault.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>

static const int numbers[] = { SIGSEGV, SIGBUS };

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The previous handlers, in the order of numbers[]. */
static struct sigaction previous[COUNT(numbers)];
static unsigned user_count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static _Thread_local struct at_host_fault *watched;

/* ---- the handler: calls only async-signal-safe functions ---------------------- */

/* Does what would happen without our handler: sanitizers have their own handlers. */
static void pass_on(int number, siginfo_t *info, void *context)
{
	const struct sigaction *action = &previous[number == numbers[0] ? 0 : 1];
	struct sigaction standard = { .sa_handler = SIG_DFL };
	/* Sent by kill() or similar. Without a handler, a signal of the processor
	   recurs, since its instruction is repeated. */
	bool is_sent = info->si_code <= 0;

	if (action->sa_flags & SA_SIGINFO) {
		action->sa_sigaction(number, info, context);
		return;
	}
	if (action->sa_handler == SIG_IGN && is_sent)
		return;
	if (action->sa_handler != SIG_IGN && action->sa_handler != SIG_DFL) {
		action->sa_handler(number);
		return;
	}
	sigaction(number, &standard, NULL);
	if (is_sent)
		raise(number);
}

static enum at_host_access access_of(const void *context)
{
#if defined(__x86_64__) && defined(REG_ERR)
	/* the processor's page-fault error code: bit 1 is set for a write */
	enum { PAGE_FAULT = 14, WRITE = 2 };
	const ucontext_t *machine = context;

	if (machine->uc_mcontext.gregs[REG_TRAPNO] != PAGE_FAULT)
		return AT_HOST_ACCESS_UNKNOWN;
	return machine->uc_mcontext.gregs[REG_ERR] & WRITE ? AT_HOST_ACCESS_WRITE
							   : AT_HOST_ACCESS_READ;
#else
	(void)context;
	return AT_HOST_ACCESS_UNKNOWN;
#endif
}

/*
 * Does not return if the fault is a kernel's: the handler's frame is abandoned with the
 * kernel's. Nothing must be unblocked, since SA_NODEFER does not block the signal. The
 * handlers' stack is free again, since the system checks only the stack pointer.
 */
static void on_signal(int number, siginfo_t *info, void *context)
{
	struct at_host_fault *fault = watched;
	int error = errno;

	if (!fault || info->si_code <= 0) {
		pass_on(number, info, context);
		errno = error;
		return;
	}
	/* a second fault would be the runtime's own */
	watched = NULL;
	fault->caught = true;
	fault->access = access_of(context);
#ifdef SI_KERNEL
	/* x86: a non-canonical address raises no page fault, and is not reported */
	if (info->si_code != SI_KERNEL)
#endif
		fault->address = (uint64_t)(uintptr_t)info->si_addr;
	at_fiber_switch(&fault->abandoned, fault->home);
}

/*
 * ---- users of the handlers --------------------------------------------------------
 */

static bool is_ours(const struct sigaction *action)
{
	return action->sa_flags & SA_SIGINFO && action->sa_sigaction == on_signal;
}

enum at_status at_host_faults_catch(struct at_error *err)
{
	struct sigaction action = { .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };
	enum at_status status = AT_OK;

	action.sa_sigaction = on_signal;
	sigemptyset(&action.sa_mask);
	pthread_mutex_lock(&mutex);
	user_count++;
	/* each time, because another handler may have been set since */
	for (size_t i = 0; i < COUNT(numbers) && !status; i++) {
		struct sigaction current;

		if (sigaction(numbers[i], NULL, &current) < 0) {
			status = at_fail(err, AT_EUNAVAILABLE, NULL, 0,
				"cannot look at the handler of signal %d: %s",
				numbers[i], strerror(errno));
		} else if (!is_ours(&current)) {
			/* before our handler is set, which may run at once and read
			   it */
			previous[i] = current;
			if (sigaction(numbers[i], &action, NULL) < 0)
				status = at_fail(err, AT_EUNAVAILABLE, NULL, 0,
					"cannot set a handler for signal %d: %s",
					numbers[i], strerror(errno));
		}
	}
	pthread_mutex_unlock(&mutex);
	if (status)
		at_host_faults_leave();
	return status;
}

void at_host_faults_leave(void)
{
	pthread_mutex_lock(&mutex);
	user_count--;
	for (size_t i = 0; i < COUNT(numbers) && !user_count; i++) {
		struct sigaction current;

		if (sigaction(numbers[i], NULL, &current) == 0 && is_ours(&current))
			sigaction(numbers[i], &previous[i], NULL);
	}
	pthread_mutex_unlock(&mutex);
}

/* ---- threads ---------------------------------------------------------------- */

void at_host_fault_arm(void *stack, size_t bytes)
{
	stack_t current, wanted = { .ss_sp = stack, .ss_size = bytes };

	/* sanitizers give their threads such a stack, and release the present one at
	   the end */
	if (sigaltstack(NULL, &current) == 0 && current.ss_flags & SS_DISABLE)
		sigaltstack(&wanted, NULL);
}

void at_host_fault_disarm(const void *stack)
{
	stack_t current, none = { .ss_flags = SS_DISABLE };

	if (sigaltstack(NULL, &current) == 0 && !(current.ss_flags & SS_DISABLE) &&
		current.ss_sp == stack)
		sigaltstack(&none, NULL);
}

void at_host_fault_watch(struct at_host_fault *fault)
{
	watched = fault;
}

void at_host_fault_forget(void)
{
	stack_t current;

	/* Forget the frames of the handler, which never returned. A sanitizer's stack
	   may soon be reused. */
	if (sigaltstack(NULL, &current) == 0 && !(current.ss_flags & SS_DISABLE))
		at_fiber_forget(current.ss_sp, current.ss_size);
}
