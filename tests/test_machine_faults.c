/* Whose fault a failure of a compiler or worker is, and what follows from it; with a
   made-up clock. */
#include "base/memory.h"
#include "evaluator/workers/machine_faults.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#define SECOND UINT64_C(1000000000)

/* ---- whose it may be ----------------------------------------------------------- */

static void a_log_of_the_machine_is_told_from_a_verdict(void **state)
{
	static const struct {
		const char *log;
		enum at_fault fault;
	} rows[] = {
		{ "unit.cu:3: error: expected ';'", AT_FAULT_NONE },
		{ "x.cu:1:10: fatal error: cub/cub.cuh: No such file or directory",
			AT_FAULT_NONE },
		/* a library of the compiler's own may be there tomorrow */
		{ "cc1plus: error while loading shared libraries: libz.so: cannot open shared object file: No such file or directory",
			AT_FAULT_UNCLEAR },
		{ "g++: fatal error: Killed signal terminated program cc1plus",
			AT_FAULT_KILLED },
		{ "/tmp/w: line 3: 812 Killed  g++", AT_FAULT_KILLED },
		{ "c++ was killed by signal 9 (Killed)", AT_FAULT_KILLED },
		{ "/usr/bin/w ended with status 137: killed by signal 9",
			AT_FAULT_KILLED },
		{ "fatal error: error writing to u.s: No space left on device",
			AT_FAULT_DISK },
		{ "final close failed: Disk quota exceeded", AT_FAULT_DISK },
		{ "ld: final link failed: Input/output error", AT_FAULT_DISK },
		{ "internal compiler error: Bus error", AT_FAULT_DISK },
		{ "g++: fatal error: cannot execute 'as': vfork: Resource temporarily unavailable",
			AT_FAULT_PROCESSES },
		{ "error: Too many open files", AT_FAULT_PROCESSES },
		{ "cc1plus: out of memory allocating 65536 bytes", AT_FAULT_MEMORY },
		{ "virtual memory exhausted: Cannot allocate memory", AT_FAULT_MEMORY },
		{ "error: the C++ compiler ended well, but wrote no object file",
			AT_FAULT_UNCLEAR },
		{ "u.o: file not recognized: file truncated", AT_FAULT_UNCLEAR },
		{ "internal compiler error: in tree_ssa, at x.c:3", AT_FAULT_UNCLEAR },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct at_compile_result result = {
			.outcome = AT_OUTCOME_COMPILE_FAILED,
			.is_verdict = at_compile_log_is_verdict(rows[i].log),
			.log = (char *)(uintptr_t)rows[i].log,
		};

		if (at_fault_of_compiled(&result) != rows[i].fault)
			fail_msg("%s: %d", rows[i].log, at_fault_of_compiled(&result));
		result.outcome = AT_OUTCOME_OK;
		assert_int_equal(at_fault_of_compiled(&result), AT_FAULT_NONE);
	}
}

static void the_end_of_a_process_tells_who_may_have_ended_it(void **state)
{
	static const struct {
		struct at_worker_end end;
		enum at_fault fault;
	} rows[] = {
		{ { .signal = SIGKILL }, AT_FAULT_KILLED },
		{ { .exit_status = 137 }, AT_FAULT_KILLED },
		{ { .signal = SIGKILL, .timed_out = true }, AT_FAULT_NONE },
		{ { .signal = SIGKILL, .timed_out = true, .was_stopped = true },
			AT_FAULT_STOPPED },
		{ { .signal = SIGKILL, .protocol = true }, AT_FAULT_GARBAGE },
		{ { .signal = SIGBUS }, AT_FAULT_DISK },
		{ { .signal = SIGSYS }, AT_FAULT_UNCLEAR },
		{ { .signal = SIGSEGV }, AT_FAULT_NONE },
		{ { .exit_status = 3 }, AT_FAULT_NONE },
		/* a worker whose channel took nothing, and one without a channel */
		{ { .exit_status = 1, .text = "cannot answer: Input/output error" },
			AT_FAULT_DISK },
		{ { .exit_status = 1,
			  .text = "cannot answer: No buffer space available" },
			AT_FAULT_MEMORY },
		{ { .exit_status = 1, .text = "cannot answer: Bad file descriptor" },
			AT_FAULT_NONE },
		{ { .exit_status = 1,
			  .text = "autotune: out of memory; raise `ulimit -v`" },
			AT_FAULT_MEMORY },
		{ { .signal = SIGABRT }, AT_FAULT_NONE },
		{ { .signal = SIGABRT, .text = "what(): std::bad_alloc" },
			AT_FAULT_MEMORY },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++)
		assert_int_equal(at_fault_of_end(&rows[i].end), rows[i].fault);
}

static void an_error_tells_what_is_lacking(void **state)
{
	static const struct {
		struct at_error err;
		enum at_fault fault;
	} rows[] = {
		{ { .status = AT_ENOMEM }, AT_FAULT_MEMORY },
		{ { .status = AT_EPROTOCOL }, AT_FAULT_GARBAGE },
		{ { .status = AT_EIO, .file = "/tmp/a", .text = "cannot write it" },
			AT_FAULT_DISK },
		{ { .status = AT_EIO, .text = "the reference cannot run" },
			AT_FAULT_NONE },
		{ { .status = AT_EUNAVAILABLE, .text = "Too many open files" },
			AT_FAULT_PROCESSES },
		{ { .status = AT_EINVAL, .text = "no such kernel" }, AT_FAULT_NONE },
		{ { .status = AT_EINVAL,
			  .text = "cannot allocate memory in static TLS block" },
			AT_FAULT_NONE },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++)
		assert_int_equal(at_fault_of_error(&rows[i].err), rows[i].fault);
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

static enum at_recovery_step fail_with(struct life *self, enum at_fault fault)
{
	return at_recovery_failed(
		&self->recovery, fault, "it failed\nand more", self->now_ns);
}

/* Fails whenever it is tried, with a machine that is always well. */
static void fail_always(struct life *self, enum at_fault fault)
{
	assert_int_equal(fail_with(self, fault), AT_STEP_WAIT);
	for (;;) {
		assert_int_equal(sleep_over(self), AT_STEP_PROBE);
		assert_int_equal(probe(self, ""), AT_STEP_TRY);
		self->tries++;
		assert_int_equal(fail_with(self, fault), AT_STEP_PROBE);
		if (probe(self, "") == AT_STEP_BLAME)
			return;
	}
}

static void what_repeats_alone_on_a_healthy_machine_is_blamed(void **state)
{
	static const struct {
		enum at_fault fault;
		unsigned tries;
		double seconds; /* at least */
	} rows[] = {
		{ AT_FAULT_UNCLEAR, 1, 0.5 },
		{ AT_FAULT_GARBAGE, 1, 0.5 },
		{ AT_FAULT_DISK, 2, 1.5 },
		{ AT_FAULT_MEMORY, 2, 1.5 },
		/* whoever kills may do so for seconds */
		{ AT_FAULT_KILLED, 4, 7 },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct life life = { 0 };
		char text[200];

		fail_always(&life, rows[i].fault);
		assert_int_equal(life.tries, rows[i].tries);
		assert_true((double)life.now_ns >= rows[i].seconds * (double)SECOND);
		at_recovery_verdict(&life.recovery, text, sizeof(text));
		assert_non_null(strstr(text, "alone"));
		at_recovery_end(&life.recovery);
		assert_false(at_recovery_is_on(&life.recovery));
	}
}

static void failures_of_an_ill_machine_do_not_count(void **state)
{
	struct life life = { 0 };
	char text[1024];

	fail_with(&life, AT_FAULT_DISK);
	at_recovery_describe(&life.recovery, text, sizeof(text));
	assert_string_equal(text, "");
	for (int i = 0; i < 20; i++) {
		assert_int_equal(sleep_over(&life), AT_STEP_PROBE);
		assert_int_equal(probe(&life, ""), AT_STEP_TRY);
		assert_int_equal(fail_with(&life, AT_FAULT_DISK), AT_STEP_PROBE);
		assert_int_equal(
			probe(&life, "/tmp has 0 kB left\nreally"), AT_STEP_WAIT);
		at_recovery_describe(&life.recovery, text, sizeof(text));
		assert_non_null(strstr(text, "/tmp has 0 kB left; make room"));
		assert_null(strchr(text, '\n'));
	}
	/* well again: it is as if it had failed for the first time */
	assert_int_equal(sleep_over(&life), AT_STEP_PROBE);
	assert_int_equal(probe(&life, ""), AT_STEP_TRY);
	at_recovery_describe(&life.recovery, text, sizeof(text));
	assert_string_equal(text, "");
	fail_with(&life, AT_FAULT_DISK);
	assert_int_equal(probe(&life, ""), AT_STEP_WAIT);
}

static void patience_has_an_end(void **state)
{
	struct life life = { 0 };
	struct at_error err = { 0 };
	uint64_t begun_ns;

	fail_with(&life, AT_FAULT_MEMORY);
	sleep_over(&life);
	begun_ns = life.now_ns;
	while (probe(&life, "only 3 MB of memory are left") != AT_STEP_GIVE_UP)
		assert_int_equal(sleep_over(&life), AT_STEP_PROBE);
	assert_true(life.now_ns - begun_ns >= 300 * SECOND);
	assert_true(life.now_ns - begun_ns <= 306 * SECOND);
	/* it was looked after all the time, but not all the time */
	assert_true(life.waits > 60 && life.waits < 80);
	assert_int_equal(at_recovery_error(&life.recovery, &err), AT_EMACHINE);
	assert_non_null(strstr(err.text, "only 3 MB of memory are left; end what"));
}

static void a_machine_that_is_never_well_for_long_is_given_up(void **state)
{
	struct life life = { 0 };
	unsigned tries = 0;

	fail_with(&life, AT_FAULT_DISK);
	while (sleep_over(&life) == AT_STEP_PROBE) {
		if (probe(&life, "") != AT_STEP_TRY)
			continue;
		assert_true(++tries < 100);
		if (fail_with(&life, AT_FAULT_DISK) == AT_STEP_PROBE)
			probe(&life, "/tmp has 0 kB left");
	}
	assert_int_equal(life.recovery.step, AT_STEP_GIVE_UP);
	assert_int_equal(tries, 50);
}

static void patience_is_what_the_environment_says(void **state)
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

static void a_folder_that_is_gone_is_an_ill_machine(void **state)
{
	char why[200];

	at_machine_check(AT_FAULT_DISK, "/nowhere/at/all", why, sizeof(why));
	assert_non_null(strstr(why, "/nowhere/at/all: No such file"));
	/* what is not about files does not ask for it */
	at_machine_check(AT_FAULT_KILLED, "/nowhere/at/all", why, sizeof(why));
	assert_null(strstr(why, "/nowhere"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_log_of_the_machine_is_told_from_a_verdict),
		cmocka_unit_test(the_end_of_a_process_tells_who_may_have_ended_it),
		cmocka_unit_test(an_error_tells_what_is_lacking),
		cmocka_unit_test(what_repeats_alone_on_a_healthy_machine_is_blamed),
		cmocka_unit_test(failures_of_an_ill_machine_do_not_count),
		cmocka_unit_test(patience_has_an_end),
		cmocka_unit_test(a_machine_that_is_never_well_for_long_is_given_up),
		cmocka_unit_test(patience_is_what_the_environment_says),
		cmocka_unit_test(a_folder_that_is_gone_is_an_ill_machine),
	};

	unsetenv("AUTOTUNE_PATIENCE");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
