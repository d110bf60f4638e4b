#include "base/interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

#define SIGNALS_MAX 65

static atomic_bool was_noted;
/* written before the handler that reads it is there */
static struct sigaction handlers[SIGNALS_MAX];

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

static void note(int number, siginfo_t *info, void *context)
{
	const struct sigaction *next = &handlers[number];

	at_interrupt_note();
	if (next->sa_flags & SA_SIGINFO)
		next->sa_sigaction(number, info, context);
	else
		next->sa_handler(number);
}

void at_interrupt_watch(int number)
{
	struct sigaction action;

	if (number <= 0 || number >= SIGNALS_MAX || sigaction(number, NULL, &action) ||
		action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN ||
		action.sa_sigaction == note)
		return;
	handlers[number] = action;
	action.sa_flags |= SA_SIGINFO;
	action.sa_sigaction = note;
	(void)!sigaction(number, &action, NULL);
}
