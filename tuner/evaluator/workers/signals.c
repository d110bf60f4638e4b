/* Hears signals on a thread, by sigwait(), so that no handler interrupts anything. */
#include "evaluator/workers/signals.h"

#include "base/memory.h"

#include <stdbool.h>
#include <string.h>

/* A batch system sends one of the last three shortly before the time is up. */
static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU };

/*
 * Ends the thread. pthread_cancel() cannot be used: it needs a signal that can be
 * queued, and never returns where the user may queue none (ulimit -i), or where the
 * user's other processes have used them all. SIGURG needs no place in a queue.
 */
#define END_SIGNAL SIGURG

static bool is_ignored(int number)
{
	struct sigaction current;

	return !sigaction(number, NULL, &current) && current.sa_handler == SIG_IGN;
}

/* Waits for a signal. False: the thread is to end. */
static bool hear_one(struct at_signals *self)
{
	int number;

	/* a SIGURG that somebody else sends has no meaning here */
	do
		if (sigwait(&self->heard, &number))
			number = END_SIGNAL;
	while (number == END_SIGNAL && !atomic_load(&self->ends));
	return number != END_SIGNAL;
}

static void *hear(void *argument)
{
	struct at_signals *self = argument;

	if (!hear_one(self))
		return NULL;
	atomic_store(&self->has_heard, true);
	self->events->first(self->context);
	if (hear_one(self))
		self->events->second(self->context);
	return NULL;
}

enum at_status at_signals_begin(struct at_signals *self,
	const struct at_signals_events *events, void *context, struct at_error *err)
{
	int code;

	sigemptyset(&self->heard);
	for (size_t i = 0; i < AT_COUNT_OF(numbers); i++) {
		if (numbers[i] == SIGHUP && is_ignored(SIGHUP))
			continue;
		/*
		 * A shell without job control starts programs in the background with
		 * some signals ignored, and an ignored signal never becomes pending for
		 * sigwait().
		 */
		if (is_ignored(numbers[i]))
			signal(numbers[i], SIG_DFL);
		sigaddset(&self->heard, numbers[i]);
	}
	sigaddset(&self->heard, END_SIGNAL);
	self->context = context;
	self->events = events;
	atomic_store(&self->ends, false);
	atomic_store(&self->has_heard, false);
	code = pthread_sigmask(SIG_BLOCK, &self->heard, &self->mask);
	if (!code) {
		code = pthread_create(&self->thread, NULL, hear, self);
		if (code)
			pthread_sigmask(SIG_SETMASK, &self->mask, NULL);
	}
	if (!code)
		return AT_OK;
	self->events = NULL;
	return at_fail(
		err, AT_EIO, NULL, 0, "cannot watch signals: %s", strerror(code));
}

void at_signals_end(struct at_signals *self)
{
	if (!self->events)
		return;
	atomic_store(&self->ends, true);
	pthread_kill(self->thread, END_SIGNAL);
	pthread_join(self->thread, NULL);
	if (!atomic_load(&self->has_heard))
		pthread_sigmask(SIG_SETMASK, &self->mask, NULL);
	self->events = NULL;
}
