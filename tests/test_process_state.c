/*
 * Changes that a kernel leaves in the process of the device "host" are noticed
 * (device/host/process_state.h).
 */
#define _GNU_SOURCE
#include "device/host/process_state.h"

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "suite.h"

static sem_t never;

static void *wait_for_ever(void *context)
{
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

/* Whether a change is seen that only a child process makes. */
static bool is_seen(void (*change)(void))
{
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		struct at_process_state before, after;

		at_process_state_note(&before);
		change();
		at_process_state_note(&after);
		_exit(at_process_state_differs(&before, &after));
	}
	return exit_of(child);
}

TEST(sees_what_a_kernel_leaves_in_its_process)
{
	static void (*const changes[])(void) = { start_thread, open_file, close_file,
		ignore_signal, mask_signal, set_timer, lower_limit, step_back,
		mask_modes, go_elsewhere, set_variable };

	if (access("/proc/self/status", R_OK))
		skip();
	assert_false(is_seen(do_nothing));
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++)
		/* under nice there is no last place that is another one */
		if (!is_seen(changes[i]) &&
			(changes[i] != step_back || getpriority(PRIO_PROCESS, 0) < 19))
			fail_msg("change %zu is not seen", i);
}

RUN_SUITE(NULL, NULL)
