/* Receives signals on a thread with sigwait(), so that no handler interrupts
   anything. */
#include "evaluator/workers/signals.h"

#include "base/interrupt.h"
#include "base/memory.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* A batch system sends one of the last three shortly before the time limit. */
static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU };

/* Ends the thread. pthread_cancel() cannot be used: it needs a queued signal, and never
   returns if the user's queue is full or has no places (ulimit -i). SIGURG needs no
   place in a queue. */
#define END_SIGNAL SIGURG
#define EXIT_INTERRUPTED 130

/* The single thread that receives signals for all listeners. */
static struct hearing {
	pthread_mutex_t lock; /* of all below */
	/* the last to begin; NULL: there are no listeners */
	struct at_signals *innermost;
	bool runs; /* the thread exists */
	bool has_begun; /* the thread runs; signalled by the condition */
	pthread_cond_t begun;
	bool ends; /* the thread is to end */
	bool has_heard; /* the first signal came */
	pthread_t thread;
	sigset_t heard; /* the signals it waits for */
	sigset_t mask; /* the previous mask of the listeners' thread */
} hearing = { .lock = PTHREAD_MUTEX_INITIALIZER, .begun = PTHREAD_COND_INITIALIZER };

static bool is_ignored(int number)
{
	struct sigaction current;

	return !sigaction(number, NULL, &current) && current.sa_handler == SIG_IGN;
}

/* Ends the process. Keeps the lock. */
static void leave(struct hearing *self)
{
	at_shield_await();
	for (struct at_signals *one = self->innermost; one; one = one->outer)
		one->events->second(one->context);
	/* exit here, since main() is busy */
	_exit(EXIT_INTERRUPTED);
}

static void *hear(void *argument)
{
	struct hearing *self = argument;
	bool ends = false;
	int number;

	pthread_mutex_lock(&self->lock);
	self->has_begun = true;
	pthread_cond_signal(&self->begun);
	pthread_mutex_unlock(&self->lock);
	while (!ends && !sigwait(&self->heard, &number)) {
		pthread_mutex_lock(&self->lock);
		ends = self->ends;
		/* a SIGURG from another sender has no meaning here */
		if (!ends && number != END_SIGNAL) {
			bool is_known = false;

			if (self->has_heard)
				leave(self);
			self->has_heard = true;
			for (struct at_signals *one = self->innermost; one;
				one = one->outer)
				is_known = one->events->first(one->context) || is_known;
			if (!is_known)
				leave(self);
		}
		pthread_mutex_unlock(&self->lock);
	}
	return NULL;
}

static void choose(sigset_t *heard)
{
	sigemptyset(heard);
	for (size_t i = 0; i < AT_COUNT_OF(numbers); i++) {
		if (numbers[i] == SIGHUP && is_ignored(SIGHUP))
			continue;
		/* A shell without job control starts background programs with some
		   signals ignored, and an ignored signal never becomes pending for
		   sigwait(). */
		if (is_ignored(numbers[i]))
			signal(numbers[i], SIG_DFL);
		sigaddset(heard, numbers[i]);
	}
	sigaddset(heard, END_SIGNAL);
}

/* Starts the thread, and waits until it runs; returns 0 or an errno. A starting thread
   holds locks of the C library or of a sanitizer: a process forked meanwhile would wait
   for them for ever. */
static int start(struct hearing *self)
{
	int code;

	choose(&self->heard);
	self->ends = false;
	self->has_begun = false;
	code = pthread_sigmask(SIG_BLOCK, &self->heard, &self->mask);
	if (code)
		return code;
	code = pthread_create(&self->thread, NULL, hear, self);
	if (code)
		pthread_sigmask(SIG_SETMASK, &self->mask, NULL);
	self->runs = !code;
	while (self->runs && !self->has_begun)
		pthread_cond_wait(&self->begun, &self->lock);
	return code;
}

enum at_status at_signals_begin(struct at_signals *self,
	const struct at_signals_events *events, void *context, struct at_error *err)
{
	int code = 0;

	pthread_mutex_lock(&hearing.lock);
	if (!hearing.innermost) {
		hearing.has_heard = false;
		at_interrupt_forget();
	}
	if (!hearing.runs)
		code = start(&hearing);
	if (!code) {
		*self = (struct at_signals){ events, context, hearing.innermost };
		hearing.innermost = self;
		if (hearing.has_heard)
			events->first(context);
	}
	pthread_mutex_unlock(&hearing.lock);
	if (!code)
		return AT_OK;
	return at_fail(
		err, AT_EIO, NULL, 0, "cannot watch signals: %s", strerror(code));
}

void at_signals_end(struct at_signals *self)
{
	struct at_signals **link = &hearing.innermost;
	bool is_last;

	if (!self->events)
		return;
	pthread_mutex_lock(&hearing.lock);
	while (*link != self)
		link = &(*link)->outer;
	*link = self->outer;
	self->events = NULL;
	is_last = !hearing.innermost && !hearing.has_heard;
	if (is_last) {
		hearing.ends = true;
		hearing.runs = false;
		pthread_kill(hearing.thread, END_SIGNAL);
	}
	pthread_mutex_unlock(&hearing.lock);
	if (!is_last)
		return;
	pthread_join(hearing.thread, NULL);
	pthread_sigmask(SIG_SETMASK, &hearing.mask, NULL);
}
