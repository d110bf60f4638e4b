/* The flag and the shield of base/interrupt.h. */
#include "base/interrupt.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

/* in milliseconds */
#define AWAIT_MS 1000

static atomic_bool was_noted;

void at_interrupt_note(void)
{
	atomic_store(&was_noted, true);
}

bool at_interrupt_was_noted(void)
{
	return atomic_load(&was_noted);
}

void at_interrupt_forget(void)
{
	atomic_store(&was_noted, false);
}

/* ---- the shield ------------------------------------------------------------------ */

/* held by the owner of a shield */
static pthread_mutex_t shielded = PTHREAD_MUTEX_INITIALIZER;

void at_shield_raise(struct at_shield *self)
{
	/* signals by which a terminal, a user or a batch system ends a program */
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1,
		SIGUSR2, SIGXCPU };
	sigset_t blocked;

	sigemptyset(&blocked);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sigaddset(&blocked, numbers[i]);
	pthread_sigmask(SIG_BLOCK, &blocked, &self->mask);
	pthread_mutex_lock(&shielded);
}

void at_shield_drop(struct at_shield *self)
{
	pthread_mutex_unlock(&shielded);
	pthread_sigmask(SIG_SETMASK, &self->mask, NULL);
}

void at_shield_await(void)
{
	const struct timespec moment = { 0, 1000000 };

	for (int waited_ms = 0; waited_ms < AWAIT_MS; waited_ms++) {
		if (pthread_mutex_trylock(&shielded) == 0)
			return;
		nanosleep(&moment, NULL);
	}
}
