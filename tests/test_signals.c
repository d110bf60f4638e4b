/* Signals that ask the program to end: who gets them, and how the process ends. Each
   case is a process of its own. */
#define _GNU_SOURCE
#include "folder.h"
#include "base/interrupt.h"
#include "base/scratch.h"
#include "evaluator/workers/signals.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "suite.h"

/* exit codes of cases: what was expected happened, or did not */
#define AS_EXPECTED 3
#define OTHERWISE 4
#define ENDED 130

struct listener {
	struct at_signals signals;
	atomic_int firsts;
	bool knows; /* what first() says */
};

static bool hear_first(void *context)
{
	struct listener *self = context;

	atomic_fetch_add(&self->firsts, 1);
	return self->knows;
}

static void hear_second(void *context)
{
	at_scratch_remove_all();
}

static const struct at_signals_events events = { hear_first, hear_second };

static void listen_to(struct listener *self)
{
	if (at_signals_begin(&self->signals, &events, self, NULL))
		_exit(OTHERWISE);
}

static void wait_for_first(const struct listener *self)
{
	while (!atomic_load(&self->firsts))
		usleep(1000);
}

/* How a process that does this ends: its status as of waitpid(). */
static int end_of(void (*what)(void))
{
	int status = 0;
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		/* a case that hangs ends by this */
		alarm(20);
		what();
		_exit(OTHERWISE);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

static void assert_exits(void (*what)(void), int code)
{
	int status = end_of(what);

	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), code);
}

/* ---- who gets it ---------------------------------------------------------------- */

static void listen_twice(void)
{
	struct listener outer = { .knows = true }, inner = { .knows = true };

	listen_to(&outer);
	listen_to(&inner);
	kill(getpid(), SIGTERM);
	wait_for_first(&outer);
	wait_for_first(&inner);
	at_signals_end(&inner.signals);
	at_signals_end(&outer.signals);
	_exit(atomic_load(&outer.firsts) == 1 && atomic_load(&inner.firsts) == 1
			? AS_EXPECTED
			: OTHERWISE);
}

/* a night waits for its session, and the session for a board: either alone would go on
 */
TEST(every_listener_is_told)
{
	assert_exits(listen_twice, AS_EXPECTED);
}

static void listen_late(void)
{
	struct listener outer = { .knows = true }, inner = { .knows = true };

	listen_to(&outer);
	kill(getpid(), SIGHUP);
	wait_for_first(&outer);
	listen_to(&inner);
	_exit(atomic_load(&inner.firsts) == 1 ? AS_EXPECTED : OTHERWISE);
}

TEST(who_begins_later_is_told_at_once)
{
	assert_exits(listen_late, AS_EXPECTED);
}

static void listen_again(void)
{
	struct listener first = { .knows = true }, next = { .knows = true };

	listen_to(&first);
	kill(getpid(), SIGINT);
	wait_for_first(&first);
	at_signals_end(&first.signals);
	listen_to(&next);
	if (atomic_load(&next.firsts) || at_interrupt_was_noted())
		_exit(OTHERWISE);
	kill(getpid(), SIGINT);
	wait_for_first(&next);
	_exit(AS_EXPECTED);
}

TEST(the_first_listener_forgets_what_came_before)
{
	assert_exits(listen_again, AS_EXPECTED);
}

/* ---- how the process ends -------------------------------------------------------- */

static void hear_two(void)
{
	struct listener self = { .knows = true };

	listen_to(&self);
	kill(getpid(), SIGTERM);
	wait_for_first(&self);
	kill(getpid(), SIGINT);
	for (;;)
		pause();
}

static void hear_one_unknown(void)
{
	struct listener self = { .knows = false };

	listen_to(&self);
	kill(getpid(), SIGTERM);
	for (;;)
		pause();
}

/* as while the last lines are written to a pipe without a reader */
static void hear_one_behind(void)
{
	struct listener self = { .knows = true };

	listen_to(&self);
	kill(getpid(), SIGTERM);
	wait_for_first(&self);
	at_signals_end(&self.signals);
	kill(getpid(), SIGTERM);
	for (;;)
		pause();
}

TEST(a_second_signal_ends_the_process)
{
	assert_exits(hear_two, ENDED);
	assert_exits(hear_one_unknown, ENDED);
	assert_exits(hear_one_behind, ENDED);
}

static void hear_nothing(void)
{
	struct listener self = { .knows = true };

	listen_to(&self);
	at_signals_end(&self.signals);
	kill(getpid(), SIGTERM);
	for (;;)
		pause();
}

TEST(without_listeners_a_signal_does_what_it_does)
{
	int status = end_of(hear_nothing);

	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGTERM);
}

TEST(stops_to_hear_signals_where_none_can_be_queued)
{
#ifdef RLIMIT_SIGPENDING
	struct listener self = { .knows = true };
	struct rlimit had, none;

	assert_int_equal(getrlimit(RLIMIT_SIGPENDING, &had), 0);
	none = had;
	none.rlim_cur = 0;
	assert_int_equal(setrlimit(RLIMIT_SIGPENDING, &none), 0);
	for (int i = 0; i < 3; i++) {
		assert_ok(at_signals_begin(&self.signals, &events, &self, NULL));
		/* nobody's: is no signal that asks for the end */
		kill(getpid(), SIGURG);
		at_signals_end(&self.signals);
		assert_null(self.signals.events);
	}
	assert_int_equal(atomic_load(&self.firsts), 0);
	setrlimit(RLIMIT_SIGPENDING, &had);
#else
	skip();
#endif
}

/* ---- what must not be left half done --------------------------------------------- */

#define DONE "test_signals.done"

/* The signal comes while the file is half written. */
static void write_halfway(void)
{
	struct listener self = { .knows = false };
	struct at_shield shield;

	listen_to(&self);
	at_shield_raise(&shield);
	kill(getpid(), SIGTERM);
	wait_for_first(&self);
	usleep(50000);
	close(creat(DONE, 0600));
	at_shield_drop(&shield);
	for (;;)
		pause();
}

static void listen_to_nobody(void)
{
	struct at_shield shield;

	at_shield_raise(&shield);
	kill(getpid(), SIGTERM);
	close(creat(DONE, 0600));
	at_shield_drop(&shield);
}

static void leave_a_folder(void)
{
	struct listener self = { .knows = false };
	struct at_scratch folder;

	listen_to(&self);
	if (at_scratch_make(&folder, "autotune-signals", NULL))
		_exit(OTHERWISE);
	kill(getpid(), SIGTERM);
	for (;;)
		pause();
}

TEST(what_is_shielded_is_done_whole)
{
	int status;

	unlink(DONE);
	assert_exits(write_halfway, ENDED);
	assert_int_equal(unlink(DONE), 0);
	status = end_of(listen_to_nobody);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGTERM);
	assert_int_equal(unlink(DONE), 0);
}

TEST(no_temporary_folder_is_left)
{
	char place[] = "test_signals.XXXXXX";

	assert_non_null(folder_make(place));
	setenv("TMPDIR", place, 1);
	assert_exits(leave_a_folder, ENDED);
	/* it is empty */
	assert_int_equal(rmdir(place), 0);
}

RUN_SUITE(NULL, NULL)
