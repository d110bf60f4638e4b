/* Records the state of the process as counts and hashes, and compares two records. */
/* affinity and sched_getscheduler() are Linux's own */
#define _GNU_SOURCE
#include "device/host/process_state.h"

#include <fenv.h>
#include <fcntl.h>
#include <locale.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

extern char **environ;

/* signals above these are used by the C library and by our own ticks */
#define SIGNALS 31

/* /proc/self/status has less than 2 KB, for any number of groups */
#define STATUS_BYTES 8192

static void mix(struct at_hash *hash, const void *data, size_t size)
{
	struct at_hash both[2] = { *hash, at_hash_bytes(data, size) };

	*hash = at_hash_bytes(both, sizeof(both));
}

/* Records /proc/self/status, and the lowest free descriptor, which the file gets. */
static void note_status(struct at_process_state *out)
{
	static const char *const rights[] = { "Umask:", "Uid:", "Gid:", "Groups:",
		"CapEff:", "NoNewPrivs:", "Seccomp:" };
	char status[STATUS_BYTES];
	size_t length = 0;
	ssize_t got = 1;
	int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);

	mix(&out->rest, &file, sizeof(file));
	if (file < 0)
		return;
	while (got > 0 && length + 1 < sizeof(status)) {
		got = read(file, status + length, sizeof(status) - 1 - length);
		length += got > 0 ? (size_t)got : 0;
	}
	close(file);
	status[length] = '\0';
	for (const char *line = status; *line; line += length, line += *line == '\n') {
		length = strcspn(line, "\n");
		if (!strncmp(line, "Threads:", 8))
			out->thread_count = strtoull(line + 8, NULL, 10);
		for (size_t i = 0; i < sizeof(rights) / sizeof(rights[0]); i++)
			if (!strncmp(line, rights[i], strlen(rights[i])))
				mix(&out->rest, line, length);
	}
}

static void note_signals(struct at_hash *hash)
{
	static const int timers[] = { ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF };
	sigset_t mask;
	bool blocked[SIGNALS];

	sigemptyset(&mask);
	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	for (int i = 0; i < SIGNALS; i++) {
		struct sigaction action = { .sa_handler = SIG_DFL };

		blocked[i] = sigismember(&mask, i + 1) == 1;
		sigaction(i + 1, NULL, &action);
		/* sa_handler is in the same union */
		mix(hash, &action.sa_sigaction, sizeof(action.sa_sigaction));
	}
	mix(hash, blocked, sizeof(blocked));
	for (size_t i = 0; i < sizeof(timers) / sizeof(timers[0]); i++) {
		struct itimerval timer = { { 0, 0 }, { 0, 0 } };
		bool runs;

		getitimer(timers[i], &timer);
		runs = timer.it_value.tv_sec || timer.it_value.tv_usec;
		mix(hash, &runs, sizeof(runs));
	}
}

static void note_limits(struct at_hash *hash)
{
	int priority = getpriority(PRIO_PROCESS, 0), kind = sched_getscheduler(0);
	cpu_set_t cores;

	for (int i = 0; i < (int)RLIM_NLIMITS; i++) {
		struct rlimit limit = { 0, 0 };

		getrlimit(i, &limit);
		mix(hash, &limit, sizeof(limit));
	}
	CPU_ZERO(&cores);
	sched_getaffinity(0, sizeof(cores), &cores);
	mix(hash, &priority, sizeof(priority));
	mix(hash, &kind, sizeof(kind));
	mix(hash, &cores, sizeof(cores));
}

static void note_folders(struct at_hash *hash)
{
	static const char *const folders[] = { ".", "/" };

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		struct stat facts;
		uint64_t place[2] = { 0, 0 };

		if (!stat(folders[i], &facts)) {
			place[0] = (uint64_t)facts.st_dev;
			place[1] = (uint64_t)facts.st_ino;
		}
		mix(hash, place, sizeof(place));
	}
}

void at_process_state_note(struct at_process_state *out)
{
	const char *locale = setlocale(LC_ALL, NULL);

	memset(out, 0, sizeof(*out));
	note_status(out);
	note_signals(&out->rest);
	note_limits(&out->rest);
	note_folders(&out->rest);
	mix(&out->rest, locale ? locale : "", locale ? strlen(locale) : 0);
	for (char **entry = environ; entry && *entry; entry++)
		mix(&out->rest, *entry, strlen(*entry));
}

bool at_process_state_differs(
	const struct at_process_state *before, const struct at_process_state *after)
{
	return before->thread_count != after->thread_count ||
	       !at_hash_equal(before->rest, after->rest);
}

/*
 * The rounding mode and the floating-point exceptions belong to the thread and outlive
 * a launch. A kernel's changes, or those of loading an image (-ffast-math permanently
 * flushes small numbers to zero), would change the results of all others, and our own
 * arithmetic. Checked first, because setting takes a hundred times as long.
 */
void at_process_restore_arithmetic(void)
{
	bool is_usual = fegetround() == FE_TONEAREST;

#if defined(__SSE__)
	/* the lowest six bits are sticky status flags and do not affect results */
	is_usual = is_usual && (_mm_getcsr() & ~0x3fu) == _MM_MASK_MASK;
#endif
	if (!is_usual)
		fesetenv(FE_DFL_ENV);
}
