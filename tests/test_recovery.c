/* Whose fault a failure of a compiler or worker is, and what follows from it; with a
   made-up clock. */
#include "base/memory.h"
#include "evaluator/workers/recovery.h"

#include <signal.h>
#include <sys/stat.h>

#include "suite.h"

#define SECOND UINT64_C(1000000000)

/* ---- whose it may be ----------------------------------------------------------- */

TEST(the_end_of_a_process_tells_whether_it_did_that_itself)
{
	static const struct {
		struct at_worker_end end;
		bool is_own, is_kill;
	} rows[] = {
		{ { .signal = SIGKILL }, false, true },
		{ { .exit_status = 137 }, false, true },
		{ { .signal = SIGKILL, .timed_out = true }, true, false },
		{ { .signal = SIGKILL, .timed_out = true, .was_stopped = true }, false,
			false },
		{ { .signal = SIGKILL, .timed_out = true, .was_quiet = true }, false,
			false },
		{ { .signal = SIGKILL, .protocol = true }, false, false },
		{ { .signal = SIGBUS }, false, false },
		{ { .signal = SIGSYS }, false, false },
		{ { .signal = SIGABRT }, false, false },
		{ { .exit_status = 1 }, false, false },
		{ { .signal = SIGSEGV }, true, false },
		{ { .signal = SIGFPE }, true, false },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		assert_int_equal(at_end_is_own(&rows[i].end), rows[i].is_own);
		assert_int_equal(at_end_is_kill(&rows[i].end), rows[i].is_kill);
	}
}

TEST(an_error_tells_whether_something_was_lacking)
{
	static const struct {
		struct at_error err;
		bool is_lack;
	} rows[] = {
		{ { .status = AT_ENOMEM }, true },
		{ { .status = AT_EPROTOCOL }, true },
		{ { .status = AT_EIO, .file = "/tmp/a", .text = "cannot write it" },
			true },
		{ { .status = AT_EIO, .text = "the reference cannot run" }, false },
		{ { .status = AT_EINVAL, .text = "no such kernel" }, false },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++)
		assert_int_equal(at_error_is_lack(&rows[i].err), rows[i].is_lack);
}

/* ---- what comes of it ------------------------------------------------------------ */

struct life {
	struct at_recovery recovery;
	uint64_t now_ns;
	unsigned waits;
	unsigned tries;
};

/* On to the next step that is not waiting. */
static enum at_recovery_step sleep_over(struct life *self)
{
	while (self->recovery.step == AT_STEP_WAIT) {
		assert_true(self->recovery.due_ns > self->now_ns);
		/* a moment too early is no time yet */
		assert_int_equal(
			at_recovery_waited(&self->recovery, self->recovery.due_ns - 1),
			AT_STEP_WAIT);
		self->now_ns = self->recovery.due_ns;
		self->waits++;
		at_recovery_waited(&self->recovery, self->now_ns);
	}
	return self->recovery.step;
}

static enum at_recovery_step probe(struct life *self, const char *unwell)
{
	return at_recovery_probed(
		&self->recovery, unwell, at_patience_ns(), self->now_ns);
}

static enum at_recovery_step fail_with(struct life *self, bool was_killed)
{
	return at_recovery_failed(
		&self->recovery, was_killed, "it failed\nand more", self->now_ns);
}

/* Fails whenever it is tried, with a machine that is always well. */
static void fail_always(struct life *self, bool was_killed)
{
	assert_int_equal(fail_with(self, was_killed), AT_STEP_WAIT);
	for (;;) {
		assert_int_equal(sleep_over(self), AT_STEP_PROBE);
		assert_int_equal(probe(self, ""), AT_STEP_TRY);
		self->tries++;
		assert_int_equal(fail_with(self, was_killed), AT_STEP_PROBE);
		if (probe(self, "") == AT_STEP_BLAME)
			return;
	}
}

TEST(what_repeats_alone_on_a_healthy_machine_is_blamed)
{
	static const struct {
		bool was_killed;
		unsigned tries;
		double seconds; /* at least */
	} rows[] = {
		{ false, 1, 0.5 },
		/* whoever kills may do so for seconds */
		{ true, 4, 7 },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct life life = { 0 };

		fail_always(&life, rows[i].was_killed);
		assert_int_equal(life.tries, rows[i].tries);
		assert_true((double)life.now_ns >= rows[i].seconds * (double)SECOND);
		at_recovery_end(&life.recovery);
		assert_false(at_recovery_is_on(&life.recovery));
	}
}

TEST(failures_of_an_ill_machine_do_not_count)
{
	struct life life = { 0 };
	char text[1024];

	fail_with(&life, false);
	at_recovery_describe(&life.recovery, text, sizeof(text));
	assert_string_equal(text, "");
	for (int i = 0; i < 20; i++) {
		assert_int_equal(sleep_over(&life), AT_STEP_PROBE);
		assert_int_equal(probe(&life, ""), AT_STEP_TRY);
		assert_int_equal(fail_with(&life, false), AT_STEP_PROBE);
		assert_int_equal(
			probe(&life, "/tmp has 0 kB left\nreally"), AT_STEP_WAIT);
		at_recovery_describe(&life.recovery, text, sizeof(text));
		assert_non_null(strstr(text, "/tmp has 0 kB left; see that the disk"));
		assert_null(strchr(text, '\n'));
	}
	/* well again: it is as if it had failed for the first time */
	assert_int_equal(sleep_over(&life), AT_STEP_PROBE);
	assert_int_equal(probe(&life, ""), AT_STEP_TRY);
	at_recovery_describe(&life.recovery, text, sizeof(text));
	assert_string_equal(text, "");
	fail_with(&life, false);
	assert_int_equal(probe(&life, ""), AT_STEP_BLAME);
}

TEST(patience_has_an_end)
{
	struct life life = { 0 };
	uint64_t begun_ns;

	fail_with(&life, false);
	sleep_over(&life);
	begun_ns = life.now_ns;
	while (probe(&life, "only 3 MB of memory are left") != AT_STEP_GIVE_UP)
		assert_int_equal(sleep_over(&life), AT_STEP_PROBE);
	assert_true(life.now_ns - begun_ns >= 300 * SECOND);
	assert_true(life.now_ns - begun_ns <= 306 * SECOND);
	/* it was looked after all the time, but not all the time */
	assert_true(life.waits > 60 && life.waits < 80);
	assert_fails_with(at_recovery_error(&life.recovery, &failure), AT_EMACHINE,
		"only 3 MB of memory are left; see that");
}

TEST(a_machine_that_is_never_well_for_long_is_given_up)
{
	struct life life = { 0 };
	unsigned tries = 0;

	fail_with(&life, false);
	while (sleep_over(&life) == AT_STEP_PROBE) {
		if (probe(&life, "") != AT_STEP_TRY)
			continue;
		assert_true(++tries < 100);
		if (fail_with(&life, false) == AT_STEP_PROBE)
			probe(&life, "/tmp has 0 kB left");
	}
	assert_int_equal(life.recovery.step, AT_STEP_GIVE_UP);
	assert_true(tries > 50 && life.now_ns >= 300 * SECOND);
}

TEST(patience_is_what_the_environment_says)
{
	setenv("AUTOTUNE_PATIENCE", "7", 1);
	assert_true(at_patience_ns() == 7 * SECOND);
	setenv("AUTOTUNE_PATIENCE", "0", 1);
	assert_true(at_patience_ns() == 0);
	setenv("AUTOTUNE_PATIENCE", "soon", 1);
	assert_true(at_patience_ns() == 300 * SECOND);
	unsetenv("AUTOTUNE_PATIENCE");
	assert_true(at_patience_ns() == 300 * SECOND);
}

TEST(a_folder_that_is_gone_is_an_ill_machine)
{
	char why[200];

	at_machine_check("/nowhere/at/all", why, sizeof(why));
	assert_non_null(strstr(why, "/nowhere/at/all: No such file"));
}

int main(int argc, char **argv)
{
	unsetenv("AUTOTUNE_PATIENCE");
	return run_suite(argc, argv, NULL, NULL);
}
