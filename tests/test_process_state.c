/*
 * Changes that a kernel leaves in the process of the device "host" are noticed
 * (device/host/process_state.h).
 */
#define _GNU_SOURCE
#include "device/host/process_state.h"

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static sem_t never;

static void *wait_for_ever(void *context)
{
	(void)context;
	while (sem_wait(&never))
		;
	return NULL;
}

static void start_thread(void)
{
	pthread_t thread;

	sem_init(&never, 0, 0);
	pthread_create(&thread, NULL, wait_for_ever, NULL);
}

static void open_file(void)
{
	(void)!open("/dev/null", O_RDONLY);
}

static void close_file(void)
{
	close(0);
}

static void ignore_signal(void)
{
	signal(SIGSEGV, SIG_IGN);
}

static void mask_signal(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

static void set_timer(void)
{
	const struct itimerval soon = { { 0, 0 }, { 1000, 0 } };

	setitimer(ITIMER_REAL, &soon, NULL);
}

static void lower_limit(void)
{
	struct rlimit limit;

	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = 12345;
	setrlimit(RLIMIT_FSIZE, &limit);
}

static void step_back(void)
{
	setpriority(PRIO_PROCESS, 0, 19);
}

static void mask_modes(void)
{
	umask(umask(0) ^ 07);
}

static void go_elsewhere(void)
{
	(void)!chdir("/dev");
}

static void set_variable(void)
{
	setenv("PROCESS_STATE_TEST", "1", 1);
}

static void do_nothing(void)
{
	free(malloc(100000));
	close(open("/dev/null", O_RDONLY));
	raise(SIGURG);
}

/* What is told of a change, of which this process is to see nothing. */
static void assert_seen(void (*change)(void), const char *wanted)
{
	int ends[2], status;
	char said[64];
	ssize_t got;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		struct at_process_state before, after;
		const char *text;

		at_process_state_note(&before);
		change();
		at_process_state_note(&after);
		text = at_process_state_differs(&before, &after);
		text = text ? text : "nothing";
		_exit(write(ends[1], text, strlen(text)) < 0);
	}
	close(ends[1]);
	got = read(ends[0], said, sizeof(said) - 1);
	assert_true(got > 0);
	said[got] = '\0';
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_string_equal(said, wanted);
}

static void sees_what_a_kernel_leaves_in_its_process(void **state)
{
	static const struct {
		void (*change)(void);
		const char *wanted;
	} cases[] = {
		{ do_nothing, "nothing" },
		{ start_thread, "its threads" },
		{ open_file, "its descriptors" },
		{ close_file, "its descriptors" },
		{ ignore_signal, "its signals" },
		{ mask_signal, "its signals" },
		{ set_timer, "its signals" },
		{ lower_limit, "its limits" },
		{ step_back, "its limits" },
		{ mask_modes, "its rights" },
		{ go_elsewhere, "its folders" },
		{ set_variable, "its environment" },
	};

	(void)state;
	if (access("/proc/self/status", R_OK))
		skip();
	/* under nice there is no last place that is another one */
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (cases[i].change != step_back || getpriority(PRIO_PROCESS, 0) < 19)
			assert_seen(cases[i].change, cases[i].wanted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sees_what_a_kernel_leaves_in_its_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
