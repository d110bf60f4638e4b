/* The placement of threads that share a core; test_host.c tests the device "host"
   itself. */
/* affinity is Linux's own */
#define _GNU_SOURCE

#include "device/host/pool.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "suite.h"

#define STAYS AT_CORE_STAYS

TEST(moves_all_but_the_first_of_a_core_where_others_are_free)
{
	static const struct {
		unsigned count;
		int at[4];
		unsigned allowed_count;
		int allowed[4], to[4];
	} rows[] = {
		/* each has a core */
		{ 3, { 3, 0, 2 }, 4, { 0, 1, 2, 3 }, { STAYS, STAYS, STAYS } },
		{ 2, { 1, 1 }, 2, { 0, 1 }, { STAYS, 0 } },
		{ 4, { 1, 1, 1, 3 }, 4, { 0, 1, 2, 3 }, { STAYS, 0, 2, STAYS } },
		/* a core whose thread is about to leave it is no free one */
		{ 4, { 5, 5, 7, 7 }, 4, { 4, 5, 6, 7 }, { STAYS, 4, STAYS, 6 } },
		/* no free core is left; one that runs where the caller may not */
		{ 3, { 0, 0, 0 }, 2, { 0, 1 }, { STAYS, 1, STAYS } },
		{ 3, { 0, 6, 6 }, 1, { 0 }, { STAYS, STAYS, STAYS } },
		/* nothing is known of two */
		{ 3, { STAYS, STAYS, 1 }, 3, { 0, 1, 2 }, { STAYS, STAYS, STAYS } },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		int to[4];

		at_host_cores_spread(rows[i].at, rows[i].count, rows[i].allowed,
			rows[i].allowed_count, to);
		for (unsigned k = 0; k < rows[i].count; k++)
			if (to[k] != rows[i].to[k])
				fail_msg(
					"row %zu: thread %u is to go to %d, expected %d",
					i, k, to[k], rows[i].to[k]);
	}
}

/* ---- real ones ---------------------------------------------------------- */

static void *stand_still(void *gate)
{
	pthread_mutex_lock(gate);
	pthread_mutex_unlock(gate);
	return NULL;
}

TEST(moves_for_once_and_not_for_good)
{
	pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
	int core = sched_getcpu();
	cpu_set_t before, after;
	pthread_t threads[2];

	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	if (CPU_COUNT(&before) < 2)
		skip_because("one core");
	assert_in_range(core, 0, CPU_SETSIZE - 1);
	pthread_mutex_lock(&gate);
	threads[0] = pthread_self();
	assert_int_equal(pthread_create(&threads[1], NULL, stand_still, &gate), 0);
	assert_false(at_host_cores_move(threads, (const int[]){ STAYS, core }, 2));
	assert_true(at_host_cores_move(threads, (const int[]){ core, core }, 2));
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(
			pthread_getaffinity_np(threads[i], sizeof(after), &after), 0);
		assert_true(CPU_EQUAL(&before, &after));
	}
	pthread_mutex_unlock(&gate);
	pthread_join(threads[1], NULL);
}

/* Ends whoever sets an affinity from now on; false: there are no filters here. */
static bool forbid_affinity(void)
{
	struct sock_filter steps[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_sched_setaffinity, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { 4, steps };

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* and not in whichever launch first has two threads on a core */
TEST(shows_a_filter_when_it_is_opened)
{
	struct at_host_pool *pool;
	int how;
	pid_t child = fork();

	assert_true(child >= 0);
	if (!child) {
		if (!forbid_affinity())
			_exit(77);
		_exit(at_host_pool_open(2, &pool, NULL) ? 1 : 0);
	}
	assert_int_equal(waitpid(child, &how, 0), child);
	if (WIFEXITED(how) && WEXITSTATUS(how) == 77)
		skip_because("no filters of system calls");
	assert_true(WIFSIGNALED(how));
	assert_int_equal(WTERMSIG(how), SIGSYS);
}

RUN_SUITE(NULL, NULL)
