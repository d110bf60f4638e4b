#include "evaluator/workers/signals.h"

#include "base/memory.h"

#include <stdbool.h>
#include <string.h>

/* Batch systems announce with one of the last three that the time is nearly up. */
static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU };

static bool is_ignored(int number)
{
	struct sigaction current;

	return !sigaction(number, NULL, &current) && current.sa_handler == SIG_IGN;
}

static void *hear(void *argument)
{
	struct at_signals *self = argument;
	int number;

	while (sigwait(&self->heard, &number))
		;
	self->events->first(self->context);
	while (sigwait(&self->heard, &number))
		;
	/* to its end: from here on nobody else ends the process */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &number);
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
		/* a shell without job control has those in the background ignore some,
		   and what is ignored does not wait to be heard */
		if (is_ignored(numbers[i]))
			signal(numbers[i], SIG_DFL);
		sigaddset(&self->heard, numbers[i]);
	}
	self->context = context;
	self->events = events;
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
	pthread_cancel(self->thread);
	pthread_join(self->thread, NULL);
	pthread_sigmask(SIG_SETMASK, &self->mask, NULL);
	self->events = NULL;
}
