/*
 * Real processes that misbehave: kernels and compilers that fork, start sessions of
 * their own, keep files open, or stop or kill the processes that watch them; and a run
 * that is killed. This program adopts processes below it that lose their parent. Having
 * no child at the end shows that none is left; it would wait for one until the alarm.
 */
#define _GNU_SOURCE /* syscall() */
#include "program.h"

#include "base/interrupt.h"
#include "base/processes.h"
#include "evaluator/workers/guard.h"
#include "evaluator/workers/process.h"
#include "evaluator/workers/worker.h"
#include "kernel/cxx_tool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "suite.h"

/* a test that has to wait for something that does not come ends there */
#define ALARM_SECONDS 120

/* ---- workers that misbehave ------------------------------------------------------ */

/* as the system does it: no message is sent, and all descriptors stay open */
static pid_t fork_unseen(void)
{
	return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

static _Noreturn void stay(void)
{
	for (;;)
		pause();
}

/* in a session of its own, without a parent that anybody knows */
static void leave_a_daemon(void)
{
	int ends[2];
	char byte;

	if (pipe(ends))
		_exit(9);
	if (!fork_unseen()) {
		setsid();
		if (!fork_unseen()) {
			for (int number = 1; number < 32; number++)
				signal(number, SIG_IGN);
			close(ends[0]);
			(void)!write(ends[1], "", 1);
			stay();
		}
		_exit(0);
	}
	/* until it is there */
	(void)!read(ends[0], &byte, 1);
	close(ends[0]);
	close(ends[1]);
}

static void answer(enum at_message type, uint64_t number)
{
	const struct at_message_header header = { AT_MESSAGE_MAGIC, type, 0, number };

	(void)!write(AT_WORKER_DESCRIPTOR, &header, sizeof(header));
}

static void answer_now(void)
{
	answer(AT_MESSAGE_STARTED, 1);
}

/* each says twice that it has begun, and then what it came to */
static void answers_twice(void)
{
	answer_now();
	answer_now();
	answer(AT_MESSAGE_VERSION, 1);
	answer(AT_MESSAGE_VERSION, 1);
	stay();
}

static void answers_what_nobody_asked_yet(void)
{
	answer(AT_MESSAGE_VERSION, 1);
	answer(AT_MESSAGE_VERSION, 3);
	stay();
}

static void answers_in_turn(void)
{
	answer(AT_MESSAGE_VERSION, 1);
	answer(AT_MESSAGE_STARTED, 2);
	answer(AT_MESSAGE_FAILED, 2);
	_exit(7);
}

static void forks_and_exits(void)
{
	if (!fork_unseen())
		stay();
	_exit(7);
}

static void answers_and_forks_and_crashes(void)
{
	if (!fork_unseen())
		stay();
	answer_now();
	fprintf(stderr, "its last words\n");
	abort();
}

static void leaves_a_daemon_and_hangs(void)
{
	leave_a_daemon();
	answer_now();
	stay();
}

/* a new process in a new session every moment: a list of them is old when it is read */
static void hops_and_hangs(void)
{
	if (!fork_unseen())
		for (;;) {
			setsid();
			if (fork_unseen() > 0)
				_exit(0);
		}
	answer_now();
	stay();
}

static void leaves_a_daemon_and_kills_its_guard(void)
{
	leave_a_daemon();
	kill(getppid(), SIGKILL);
	stay();
}

static void stops_its_guard(void)
{
	kill(getppid(), SIGSTOP);
	answer_now();
	stay();
}

static void signals_all_of_its_group(void)
{
	kill(0, SIGTERM);
	kill(0, SIGKILL);
}

static void answers_a_little_late(void)
{
	const struct timespec late = { 0, 150000000 };
	const char *path = getenv("FAULT_FIFO");
	char byte;

	nanosleep(&late, NULL);
	answer_now();
	/* whoever waits for that does not look at the channel meanwhile */
	close(open(path, O_WRONLY));
	while (read(AT_WORKER_DESCRIPTOR, &byte, 1) > 0)
		;
	_exit(5);
}

static void hangs(void)
{
	stay();
}

static void answers_and_is_stopped(void)
{
	answer_now();
	raise(SIGSTOP);
	stay();
}

static void answers_and_hangs(void)
{
	answer_now();
	stay();
}

static const struct fault {
	const char *name;
	void (*commit)(void);
} faults[] = {
	{ "forks", forks_and_exits },
	{ "answers", answers_and_forks_and_crashes },
	{ "daemon", leaves_a_daemon_and_hangs },
	{ "hops", hops_and_hangs },
	{ "kills_guard", leaves_a_daemon_and_kills_its_guard },
	{ "stops_guard", stops_its_guard },
	{ "group", signals_all_of_its_group },
	{ "late", answers_a_little_late },
	{ "hangs", hangs },
	{ "stopped", answers_and_is_stopped },
	{ "silent", answers_and_hangs },
	{ "twice", answers_twice },
	{ "ahead", answers_what_nobody_asked_yet },
	{ "in_turn", answers_in_turn },
};

static int misbehave(char *const *words)
{
	at_guard_begin();
	at_guard_keep(AT_WORKER_DESCRIPTOR);
	for (size_t i = 0; i < AT_COUNT_OF(faults); i++)
		if (!strcmp(faults[i].name, words[0]))
			faults[i].commit();
	return 1;
}

/* ---- one worker ------------------------------------------------------------------ */

struct watched {
	struct at_loop *loop;
	struct at_worker *worker;
	double deadline; /* from its first word on; 0: none; less: not even an end */
	unsigned messages;
	bool ended;
	struct at_worker_end end;
};

static void on_message(
	void *context, enum at_message type, const void *body, size_t size)
{
	struct watched *self = context;

	assert_true(type == AT_MESSAGE_STARTED || self->deadline < 0);
	self->messages++;
	if (self->deadline >= 0)
		at_worker_deadline(self->worker, self->deadline);
	if (self->deadline == 0)
		at_loop_stop(self->loop);
}

static void on_ended(void *context, const struct at_worker_end *end)
{
	struct watched *self = context;

	self->ended = true;
	self->end = *end;
	at_loop_stop(self->loop);
}

static const struct at_worker_events events = { on_message, on_ended };

static void begin(struct watched *self, const char *fault, double deadline)
{
	memset(self, 0, sizeof(*self));
	self->deadline = deadline;
	assert_ok(at_loop_new(NULL, &self->loop, &failure));
	assert_ok(at_worker_spawn(
		self->loop, fault, &events, self, &self->worker, &failure));
}

static void end(struct watched *self)
{
	at_worker_free(self->worker);
	at_loop_free(self->loop);
}

/* Waits for all that have come to this process; who does not end is waited for. */
static void assert_nothing_is_left(void)
{
	while (waitpid(-1, NULL, 0) > 0)
		;
	assert_int_equal(errno, ECHILD);
}

static void count_call(void *context)
{
	++*(unsigned *)context;
}

/* Whoever asked for it is gone when the loop ends, and the loop runs once more then:
   one call is due at once, one while it waits for its workers. */
TEST(a_call_that_is_not_due_when_the_loop_ends_is_dropped)
{
	struct watched self;
	unsigned calls = 0;

	begin(&self, "answers", 10);
	at_loop_later(self.loop, count_call, &calls);
	at_loop_after(self.loop, 1, count_call, &calls);
	usleep(5000);
	end(&self);
	assert_int_equal(calls, 0);
	/* on a busy machine its guard ends later than its loop */
	assert_nothing_is_left();
}

/* else a second answer would be that of the next configuration */
TEST(an_answer_is_of_the_oldest_request_or_none)
{
	static const struct {
		const char *fault;
		unsigned messages;
		bool protocol;
	} rows[] = { { "twice", 3, true }, { "ahead", 1, true },
		{ "in_turn", 3, false } };

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct watched watched;

		begin(&watched, rows[i].fault, -1);
		at_loop_run(watched.loop);
		assert_true(watched.ended);
		assert_int_equal(watched.messages, rows[i].messages);
		assert_int_equal(watched.end.protocol, rows[i].protocol);
		end(&watched);
		assert_nothing_is_left();
	}
}

TEST(what_a_worker_leaves_ends_with_it)
{
	static const struct {
		const char *fault;
		unsigned messages;
		bool timed_out;
		int exit_status, signal;
		const char *text;
	} rows[] = {
		{ "forks", 0, false, 7, 0, "" },
		{ "answers", 1, false, 0, SIGABRT, "its last words" },
		{ "daemon", 1, true, 0, SIGKILL, "" },
		{ "hops", 1, true, 0, SIGKILL, "" },
		{ "stops_guard", 1, true, 0, SIGKILL, "" },
		{ "group", 0, false, 0, SIGTERM, "" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		RELEASED(end) struct watched watched;

		print_message("%s\n", rows[i].fault);
		/* who ends by himself has all the time that he may need */
		begin(&watched, rows[i].fault,
			rows[i].timed_out ? 0.05 : ALARM_SECONDS);
		at_loop_run(watched.loop);
		assert_true(watched.ended);
		/* not later: the next one gets its place */
		assert_false(at_processes_has_children());
		assert_int_equal(watched.messages, rows[i].messages);
		assert_int_equal(watched.end.timed_out, rows[i].timed_out);
		assert_int_equal(watched.end.exit_status, rows[i].exit_status);
		assert_int_equal(watched.end.signal, rows[i].signal);
		assert_string_equal(watched.end.text, rows[i].text);
	}
}

TEST(what_a_guard_leaves_that_was_killed_ends_too)
{
	struct watched watched;

	begin(&watched, "kills_guard", 0);
	at_loop_run(watched.loop);
	assert_true(watched.ended);
	assert_int_equal(watched.end.signal, SIGKILL);
	assert_false(watched.end.timed_out);
	end(&watched);
	assert_nothing_is_left();
}

TEST(a_worker_that_is_freed_leaves_nothing)
{
	struct watched watched;

	begin(&watched, "daemon", 0);
	at_loop_run(watched.loop);
	assert_int_equal(watched.messages, 1);
	end(&watched);
	assert_nothing_is_left();
}

/* Somebody may have stopped it, and a configuration is not to blame for that. */
TEST(a_deadline_says_whether_who_was_late_was_stopped)
{
	static const struct {
		const char *fault;
		bool was_stopped;
	} rows[] = { { "stopped", true }, { "silent", false } };

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct watched watched;

		begin(&watched, rows[i].fault, .5);
		at_loop_run(watched.loop);
		assert_true(watched.ended && watched.end.timed_out);
		assert_int_equal(watched.end.was_stopped, rows[i].was_stopped);
		end(&watched);
		assert_nothing_is_left();
	}
}

/* It answers, and ends when it is told to. */
static void assert_it_goes_on(struct watched *self)
{
	at_loop_run(self->loop);
	assert_int_equal(self->messages, 1);
	assert_false(self->ended);
	at_worker_finish(self->worker);
	at_loop_run(self->loop);
	assert_true(self->ended);
	assert_false(self->end.timed_out);
	assert_int_equal(self->end.exit_status, 5);
}

/* the coordinator was busy, and finds deadline and answer at once */
TEST(an_answer_that_is_there_counts_after_its_deadline)
{
	OWNED(free)
	char *folder = scratch_folder("late"), *path = scratch_path(folder, "fifo");
	struct watched watched;

	assert_int_equal(mkfifo(path, 0600), 0);
	setenv("FAULT_FIFO", path, 1);
	begin(&watched, "late", 0);
	at_worker_deadline(watched.worker, 0.1);
	close(open(path, O_RDONLY));
	assert_it_goes_on(&watched);
	end(&watched);
	assert_nothing_is_left();
	scratch_remove(folder);
}

/* How much later it is each time that the clock is asked. */
static uint64_t standstill_ns;
static unsigned times_asked;

uint64_t __real_at_clock_now_ns(void);
uint64_t __wrap_at_clock_now_ns(void);
uint64_t __wrap_at_clock_now_ns(void)
{
	static uint64_t stood_ns;

	stood_ns += standstill_ns;
	times_asked++;
	return __real_at_clock_now_ns() + stood_ns;
}

/* stopped, asleep, or short of everything: what it did meanwhile says nothing of it */
TEST(a_deadline_begins_anew_where_nobody_ran)
{
	OWNED(free)
	char *folder = scratch_folder("late"), *path = scratch_path(folder, "fifo");
	struct watched watched;
	unsigned asked = 0;
	int file;

	assert_int_equal(mkfifo(path, 0600), 0);
	/* it has somebody who reads */
	file = open(path, O_RDWR);
	setenv("FAULT_FIFO", path, 1);
	standstill_ns = UINT64_C(2000000000);
	begin(&watched, "late", 0);
	at_worker_deadline(watched.worker, 0.1);
	assert_it_goes_on(&watched);
	end(&watched);
	/* but not for ever, and not at all if nothing waits for it */
	for (unsigned i = 0; i < 2; i++) {
		begin(&watched, "hangs", 0);
		times_asked = 0;
		(i ? at_worker_end_after : at_worker_deadline)(watched.worker, 0.01);
		at_loop_run(watched.loop);
		assert_true(watched.ended && watched.end.timed_out);
		if (i)
			assert_true(times_asked < asked);
		asked = times_asked;
		end(&watched);
	}
	standstill_ns = 0;
	assert_nothing_is_left();
	close(file);
	scratch_remove(folder);
}

/* ---- signals --------------------------------------------------------------------- */

static void not_heard(void *context)
{
}

/* Entries of a folder. */
static size_t count_entries(const char *path)
{
	DIR *folder = opendir(path);
	size_t count = 0;

	assert_non_null(folder);
	while (readdir(folder))
		count++;
	closedir(folder);
	return count - 2;
}

/* A coordinator that is busy for ever; says through the pipe that it has begun. */
static _Noreturn void be_busy(int begun)
{
	struct watched watched;

	alarm(ALARM_SECONDS);
	begin(&watched, "daemon", 0);
	if (at_loop_watch_signals(watched.loop, not_heard, NULL, NULL))
		_exit(99);
	at_loop_run(watched.loop);
	(void)!write(begun, "", 1);
	stay();
}

TEST(a_second_signal_ends_a_busy_run_orderly)
{
	static const int signals[][2] = { { SIGTERM, SIGTERM }, { SIGINT, SIGINT },
		{ SIGUSR1, SIGTERM }, { SIGXCPU, SIGINT } };
	OWNED(free)
	char *folder = scratch_folder("busy"), *here = realpath(folder, NULL);
	sigset_t blocked;

	/* a case that failed left its loop here, whose thread for signals the child
	   would miss for ever */
	assert_int_equal(pthread_sigmask(SIG_BLOCK, NULL, &blocked), 0);
	assert_false(sigismember(&blocked, SIGTERM));
	setenv("TMPDIR", here, 1);
	for (size_t i = 0; i < AT_COUNT_OF(signals); i++) {
		int ends[2], status;
		char byte;
		pid_t child;

		assert_int_equal(pipe(ends), 0);
		child = fork();
		assert_true(child >= 0);
		if (!child)
			be_busy(ends[1]);
		assert_int_equal(read(ends[0], &byte, 1), 1);
		assert_int_equal(count_entries(here), 1);
		kill(child, signals[i][0]);
		/* two of one kind at once are one: the first has to be taken */
		for (sigset_t pending; signals[i][0] == signals[i][1];) {
			char path[64];
			OWNED(free) char *text;
			char *at;

			snprintf(path, sizeof(path), "/proc/%ld/status", (long)child);
			text = file_text(path);
			at = strstr(text, "ShdPnd:");
			assert_non_null(at);
			sigemptyset(&pending);
			status = strtoull(at + 7, NULL, 16) != 0;
			if (!status)
				break;
		}
		kill(child, signals[i][1]);
		assert_int_equal(exit_of(child), 130);
		assert_nothing_is_left();
		assert_int_equal(count_entries(here), 0);
		close(ends[0]);
		close(ends[1]);
	}
	unsetenv("TMPDIR");
	scratch_remove(folder);
}

/* the first one, by what runs no loop meanwhile */
TEST(a_signal_is_heard_by_what_is_busy)
{
	RELEASED(end) struct watched watched;

	begin(&watched, "hangs", 0);
	assert_ok(at_loop_watch_signals(watched.loop, not_heard, NULL, NULL));
	at_interrupt_forget();
	assert_false(at_interrupt_was_noted());
	kill(getpid(), SIGINT);
	while (!at_interrupt_was_noted())
		sched_yield();
	at_interrupt_forget();
}

/* ---- whole runs ------------------------------------------------------------------ */

#define KERNELS \
	"#pragma GCC visibility push(default)\n" \
	"#include <signal.h>\n" \
	"#include <stdlib.h>\n" \
	"#include <sys/syscall.h>\n" \
	"#include <unistd.h>\n" \
	"#pragma GCC visibility pop\n" \
	"#if BAD\n" \
	"static void stay() { for (;;) syscall(SYS_pause); }\n" \
	"static void misbehave()\n" \
	"{\n" \
	"\tif (BAD == 1) { if (!fork()) stay(); _exit(0); }\n" \
	"\tif (BAD == 2) { if (!syscall(SYS_clone, 17, 0, 0, 0, 0)) stay(); _exit(0); }\n" \
	"\tif (BAD == 3) { if (!fork()) { setsid(); if (!fork()) for (;;); _exit(0); } stay(); }\n" \
	"\tif (BAD == 4) { if (!fork()) { setsid(); if (!fork()) for (;;); _exit(0); } }\n" \
	"\tif (BAD == 5 && syscall(SYS_wait4, -1, 0, 1, 0) != -1) _exit(0);\n" \
	"}\n" \
	"#endif\n" \
	"extern \"C\" __global__ void scale(const float *x, float *y, int n)\n" \
	"{\n" \
	"\tint i = blockIdx.x * blockDim.x + threadIdx.x;\n" \
	"#if BAD\n" \
	"\tif (i == 0) misbehave();\n" \
	"#endif\n" \
	"\tif (i < n) y[i] = 2 * x[i];\n" \
	"}\n" \
	"extern \"C\" __global__ void ref(const float *x, float *y, int n)\n" \
	"{\n" \
	"\tfor (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)\n" \
	"\t\ty[i] = 2 * x[i];\n" \
	"}\n"

#define SPACE \
	"kernel: { name = \"scale\"; template = \"scale.cu\"; reference = \"ref\"; };\n" \
	"problems = ( { name = \"small\"; N = 256; } );\n" \
	"parameters: { BAD = [ %s ]; };\n" \
	"launch: { block = ( \"64\" ); grid = ( \"ceil_div(N, 64)\" ); };\n" \
	"arguments = ( { name = \"x\"; type = \"float\"; count = \"N\"; access = \"in\"; }, " \
	"{ name = \"y\"; type = \"float\"; count = \"N\"; access = \"out\"; }, " \
	"{ name = \"n\"; type = \"int\"; value = \"N\"; } );\n" \
	"search: { strategy = \"exhaustive\"; deadline = \"2s\"; samples = [ 3, 5 ]; cache = \"warm\"; };\n" \
	"defaults: { BAD = 0; };\n"

/* A folder, its whole path, with all that a run needs; its temporary files too. */
struct place {
	char *folder, *space, *results, *temporary;
};

static void write_in(const struct place *self, const char *name, const char *text)
{
	OWNED(free) char *path = scratch_path(self->folder, name);

	file_write(path, text);
	assert_int_equal(chmod(path, 0755), 0);
}

static void set_up(struct place *self, const char *values)
{
	char *folder = scratch_folder("place"), text[2048];

	self->folder = realpath(folder, NULL);
	free(folder);
	self->space = scratch_path(self->folder, "space.cfg");
	self->results = scratch_path(self->folder, "results");
	self->temporary = scratch_path(self->folder, "temporary");
	assert_int_equal(mkdir(self->temporary, 0700), 0);
	setenv("TMPDIR", self->temporary, 1);
	setenv("AUTOTUNE_LOCKS", self->folder, 1);
	snprintf(text, sizeof(text), SPACE, values);
	write_in(self, "space.cfg", text);
	write_in(self, "scale.cu", KERNELS);
}

static void tear_down(struct place *self)
{
	unsetenv("TMPDIR");
	unsetenv("AUTOTUNE_CXX");
	unsetenv("AUTOTUNE_SANDBOX");
	scratch_remove(self->folder);
	free(self->folder);
	free(self->space);
	free(self->results);
	free(self->temporary);
}

#define TUNE(place, ...) \
	((const char *const[]){ "tune", (place)->space, "--device", "host", \
		"--results", (place)->results, "--jobs", "1", __VA_ARGS__, NULL })

static void assert_outcome(
	const struct at_json *evaluations, int value, const char *outcome)
{
	for (size_t i = 0; i < at_json_count(evaluations); i++) {
		const struct at_json *evaluation = at_json_at(evaluations, i);
		const struct at_json *configuration =
			at_json_get(evaluation, "configuration");

		if (at_json_whole(at_json_get(configuration, "BAD"), -1) != value)
			continue;
		assert_string_equal(
			at_json_text(at_json_get(evaluation, "outcome")), outcome);
		return;
	}
	fail_msg("no evaluation of %d", value);
}

TEST(a_kernel_that_forks_costs_one_evaluation)
{
	RELEASED(program_release) struct program_result result;
	OWNED(at_json_free) struct at_json *evaluations;
	RELEASED(tear_down) struct place place;

	set_up(&place, "0, 1, 2, 3, 4, 5");
	program_run(TUNE(&place, "--json"), &result);
	if (result.exit_status != 0)
		fail_msg("%s%s", result.output, result.errors);
	/* what it left has ended with it, or does so now */
	assert_nothing_is_left();
	evaluations = program_events(result.output, "evaluation");
	assert_outcome(evaluations, 0, "ok");
	assert_outcome(evaluations, 1, "crashed");
	assert_outcome(evaluations, 2, "crashed");
	assert_outcome(evaluations, 3, "timed_out");
	assert_outcome(evaluations, 4, "ok");
	/* which finds nothing that the one before it has started */
	assert_outcome(evaluations, 5, "ok");
	assert_int_equal(count_entries(place.temporary), 0);
}

/* A compiler that never ends, nor do those that it starts, whatever they are told. */
static const char hanging_compiler[] =
	"#!/bin/sh\n"
	"case $1 in --version) echo 'g++ (Fake) 12.2.0'; exit;; esac\n"
	"trap '' TERM INT HUP QUIT USR1 USR2\n"
	"setsid sleep 100000 &\n"
	"echo > $FAULT_FIFO\n"
	"sleep 100000\n";

/* Returns when the compiler hangs. */
static pid_t start_hanging(struct place *self)
{
	OWNED(free) char *compiler, *path;
	pid_t child;

	set_up(self, "0, 1");
	write_in(self, "compiler", hanging_compiler);
	/* it says through a pipe beside it that it hangs */
	setenv("AUTOTUNE_SANDBOX", "off", 1);
	compiler = scratch_path(self->folder, "compiler");
	path = scratch_path(self->folder, "fifo");
	assert_int_equal(mkfifo(path, 0600), 0);
	setenv("FAULT_FIFO", path, 1);
	setenv("AUTOTUNE_CXX", compiler, 1);
	child = program_start(self->folder, TUNE(self, "--fresh", "--quiet"));
	close(open(path, O_RDONLY));
	return child;
}

TEST(a_run_that_is_killed_leaves_nothing)
{
	RELEASED(tear_down) struct place place;
	pid_t child = start_hanging(&place);

	assert_true(count_entries(place.temporary) > 0);
	kill(child, SIGKILL);
	assert_nothing_is_left();
	assert_int_equal(count_entries(place.temporary), 0);
}

TEST(a_run_that_is_interrupted_leaves_nothing)
{
	RELEASED(tear_down) struct place place;
	pid_t child = start_hanging(&place);

	kill(child, SIGTERM);
	assert_int_equal(exit_of(child), 130);
	assert_nothing_is_left();
	assert_int_equal(count_entries(place.temporary), 0);
}

/* all of it at once, so that nobody can tidy up */
TEST(what_is_left_of_a_run_goes_with_the_next)
{
	struct at_processes all = { 0 };
	RELEASED(tear_down) struct place place;
	pid_t child = start_hanging(&place);
	struct at_loop *loop;
	char path[64];

	at_processes_below(child, &all);
	/* first those that would notice */
	for (size_t i = 0; i < all.count; i++)
		kill(all.ids[i], SIGSTOP);
	kill(child, SIGKILL);
	for (size_t i = 0; i < all.count; i++) {
		char *name;
		size_t size;

		snprintf(path, sizeof(path), "/proc/%ld/comm", (long)all.ids[i]);
		if (at_file_read(path, 0, &name, &size, NULL))
			continue;
		kill(all.ids[i], strncmp(name, "autotune", 8) ? SIGCONT : SIGKILL);
		free(name);
	}
	at_processes_release(&all);
	/* the compilers are still there, and so is the folder */
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_true(at_processes_has_children());
	assert_int_equal(count_entries(place.temporary), 1);
	assert_ok(at_loop_new(NULL, &loop, &failure));
	assert_nothing_is_left();
	/* its own */
	assert_int_equal(count_entries(place.temporary), 1);
	at_loop_free(loop);
	assert_int_equal(count_entries(place.temporary), 0);
}

/* while a process becomes another program it has no environment that can be read */
TEST(a_process_that_is_being_started_is_found_by_its_mark)
{
	OWNED(free)
	char *folder = scratch_folder("marked"), *path = scratch_path(folder, "again");
	char mark[] = "FAULT_MARK=here";

	file_write(path, "#!/bin/sh\n[ \"$1\" ] || echo >&3\nexec \"$0\" again 3>&-\n");
	assert_int_equal(chmod(path, 0700), 0);
	for (int i = 0; i < 20; i++) {
		int ends[2];
		char byte;
		pid_t child;

		assert_int_equal(pipe(ends), 0);
		child = fork();
		assert_true(child >= 0);
		if (!child) {
			dup2(ends[1], 3);
			execle(path, path, NULL, (char *[]){ mark, NULL });
			_exit(1);
		}
		assert_int_equal(read(ends[0], &byte, 1), 1);
		at_processes_kill_marked(mark);
		assert_int_equal(waitpid(child, NULL, 0), child);
		close(ends[0]);
		close(ends[1]);
	}
	scratch_remove(folder);
}

/* ---- compilers ------------------------------------------------------------------- */

/* as those do that start a server: its end is not waited for, nor that of its output */
TEST(a_compiler_that_leaves_a_server_is_not_waited_for)
{
	const struct at_processes none = { 0 };
	RELEASED(at_cxx_tool_release) struct at_cxx_tool tool;
	RELEASED(tear_down) struct place place;
	OWNED(free) char *compiler;

	set_up(&place, "0");
	write_in(&place, "compiler",
		"#!/bin/sh\nsetsid sleep 100000 &\necho 'g++ (Fake) 12.2.0'\n");
	compiler = scratch_path(place.folder, "compiler");
	setenv("AUTOTUNE_CXX", compiler, 1);
	assert_ok(at_cxx_tool_find(&tool, &failure));
	assert_string_equal(tool.version, "g++ (Fake) 12.2.0");
	/* it may be of use to the next one */
	assert_true(at_processes_has_children());
	assert_int_equal(at_processes_kill_new(&none), 1);
	assert_nothing_is_left();
}

/* as the system does to a wrapper when memory runs out */
TEST(what_a_killed_compiler_has_started_ends)
{
	RELEASED(at_words_release) struct at_words words = { 0 };
	RELEASED(at_strbuf_release) struct at_strbuf log = { 0 };
	RELEASED(at_cxx_tool_release) struct at_cxx_tool tool;
	RELEASED(tear_down) struct place place;
	bool succeeded = true;
	OWNED(free) char *compiler;

	set_up(&place, "0");
	write_in(&place, "compiler",
		"#!/bin/sh\n"
		"case $1 in --version) echo 'g++ (Fake) 12.2.0'; exit;; esac\n"
		"sleep 100000 &\nkill -9 $$\n");
	compiler = scratch_path(place.folder, "compiler");
	setenv("AUTOTUNE_CXX", compiler, 1);
	assert_ok(at_cxx_tool_find(&tool, &failure));
	at_words_add(&words, "-c");
	assert_ok(at_cxx_tool_run(&tool, NULL, &words, &log, &succeeded, &failure));
	assert_false(succeeded);
	assert_non_null(strstr(at_strbuf_text(&log), "was killed by signal 9"));
	assert_nothing_is_left();
}

int main(int argc, char **argv)
{
	if (argc >= 3 && !strcmp(argv[1], AT_WORKER_OPTION))
		return misbehave(argv + 2);
	if (!at_processes_adopt())
		return skip_all(
			"this system does not hand processes on that lose their parent");
	alarm(ALARM_SECONDS);
	return run_suite(argc, argv, NULL, NULL);
}
