#include "base/heard.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
#define COUNT (sizeof(numbers) / sizeof(numbers[0]))

/* also by handlers and other threads */
static atomic_bool heard;
static struct sigaction before[COUNT];
static bool is_ours[COUNT];

static void note(int number, siginfo_t *info, void *context)
{
	heard = true;
	for (size_t i = 0; i < COUNT; i++) {
		if (numbers[i] != number)
			continue;
		if (before[i].sa_flags & SA_SIGINFO)
			before[i].sa_sigaction(number, info, context);
		else
			before[i].sa_handler(number);
	}
}

void at_heard_begin(void)
{
	heard = false;
	for (size_t i = 0; i < COUNT; i++) {
		struct sigaction ours;

		is_ours[i] = false;
		if (sigaction(numbers[i], NULL, &before[i]))
			continue;
		if (!(before[i].sa_flags & SA_SIGINFO) &&
			(before[i].sa_handler == SIG_DFL ||
				before[i].sa_handler == SIG_IGN))
			continue;
		ours = before[i];
		ours.sa_flags |= SA_SIGINFO;
		ours.sa_sigaction = note;
		is_ours[i] = !sigaction(numbers[i], &ours, NULL);
	}
}

void at_heard_tell(void)
{
	heard = true;
}

bool at_heard_any(void)
{
	return heard;
}

void at_heard_end(void)
{
	for (size_t i = 0; i < COUNT; i++)
		if (is_ours[i])
			sigaction(numbers[i], &before[i], NULL);
}
