/*
 * The whole program while an allocation fails, its own or a library's, in any of its
 * processes. It must end as it does otherwise, or with exit code 1 and one line that
 * says why. It must not crash, hang, or silently do less.
 *
 * Every AT_MEMORY_STRIDE-th allocation is tried (1: each; takes long). With
 * AT_MEMORY_REST set all later allocations fail as well.
 */
#define _GNU_SOURCE
#include "suite.h"

#include "memory_shim.h"
#include "program.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* a run that takes longer never ends */
#define SECONDS_MAX 120

/* of each command, where nobody says otherwise */
#define TRIES 4
#define TRIES_LONG 24
static unsigned long tries = TRIES;

static const char space[] = AT_TEST_DIR "/spaces/scale.cfg";

struct fixture {
	char *folder;
	char *results;
	bool is_recorded; /* the results are there */
	char *plan_path;
	struct memory_plan *plan;
	char *own_space; /* NULL, or a space whose kernel is another one in each run */
};

struct run {
	int exit_status; /* 128 + signal */
	char *output;
	char *errors;
};

static void release(struct run *self)
{
	free(self->output);
	free(self->errors);
}

static void exec_program(const struct fixture *self, const char *const *arguments)
{
	const char *list[32] = { AT_PROGRAM };
	size_t count = 1;
	char *output = scratch_path(self->folder, "output");
	char *errors = scratch_path(self->folder, "errors");
	int out = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	int err = open(errors, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	for (; *arguments && count < 31; arguments++)
		list[count++] = *arguments;
	dup2(out, 1);
	dup2(err, 2);
	setenv("LD_PRELOAD", AT_MEMORY_SHIM, 1);
	setenv(MEMORY_PLAN, self->plan_path, 1);
	setenv(MEMORY_PROGRAM, AT_PROGRAM, 1);
	alarm(SECONDS_MAX);
	execv(AT_PROGRAM, (char *const *)list);
	_exit(127);
}

/* Nothing of it was compiled or measured before, while what the tuner has of its own,
   which takes ten times as long to compile, is kept from run to run as ever. */
static void write_own_space(struct fixture *self, unsigned long number)
{
	static const char template[] = "../kernels/scale.cu";
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	OWNED(free) char *path = scratch_path(self->folder, "scale.cu");
	char *old, *name;

	old = file_text(AT_TEST_DIR "/kernels/scale.cu");
	at_strbuf_addf(&text, "%s\n// run %lu\n", old, number);
	free(old);
	assert_ok(at_file_replace(path, text.data, text.length, NULL));
	at_strbuf_clear(&text);
	old = file_text(space);
	name = strstr(old, template);
	assert_non_null(name);
	at_strbuf_addf(&text, "%.*sscale.cu%s", (int)(name - old), old,
		name + strlen(template));
	free(old);
	assert_ok(at_file_replace(self->own_space, text.data, text.length, NULL));
}

/* The allocations first..end-1 fail; none where first is end. */
static struct run run_with(struct fixture *self, const char *const *arguments,
	unsigned long first, unsigned long end)
{
	OWNED(free)
	char *output = scratch_path(self->folder, "output"),
	     *errors = scratch_path(self->folder, "errors");
	struct run run;
	pid_t child;
	int state;

	if (self->own_space)
		write_own_space(self, first);
	*self->plan = (struct memory_plan){ 0, first, end, 0 };
	child = fork();
	assert_true(child >= 0);
	if (child == 0)
		exec_program(self, arguments);
	assert_int_equal(waitpid(child, &state, 0), child);
	run.exit_status = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
	run.output = file_text(output);
	run.errors = file_text(errors);
	return run;
}

static int set_up(void **state)
{
	struct fixture *self = calloc(1, sizeof(*self));
	int file;

	assert_non_null(self);
	self->folder = scratch_folder("memory");
	self->results = scratch_path(self->folder, "results");
	self->plan_path = realpath(self->folder, NULL);
	assert_non_null(self->plan_path);
	{
		char *path = scratch_path(self->plan_path, "plan");

		free(self->plan_path);
		self->plan_path = path;
	}
	file = open(self->plan_path, O_RDWR | O_CREAT, 0600);
	assert_true(file >= 0);
	assert_int_equal(ftruncate(file, sizeof(*self->plan)), 0);
	self->plan = mmap(
		NULL, sizeof(*self->plan), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	assert_true(self->plan != MAP_FAILED);
	close(file);
	*state = self;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *self = *state;

	munmap(self->plan, sizeof(*self->plan));
	scratch_remove(self->folder);
	free(self->folder);
	free(self->results);
	free(self->plan_path);
	free(self->own_space);
	free(self);
	return 0;
}

static unsigned long number_of(const char *name, unsigned long standard)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 10) : standard;
}

static size_t lines_of(const char *text)
{
	size_t count = 0;

	for (const char *c = text; *c; c++)
		count += *c == '\n';
	return count;
}

/* changes: what it prints differs from run to run */
static void assert_survives(struct fixture *self, const char *name,
	const char *const *arguments, bool changes)
{
	struct run sound = run_with(self, arguments, 0, 0);
	unsigned long count = self->plan->count, tried = 0, refused = 0, wrong = 0;
	unsigned long stride = number_of("AT_MEMORY_STRIDE", count / tries + 1);
	unsigned long first = number_of("AT_MEMORY_FIRST", 0);

	if (sound.exit_status)
		fail_msg("%s: exit status %d: %s", name, sound.exit_status,
			sound.errors);
	assert_true(count > 50);
	for (unsigned long at = first; at < count; at += stride) {
		RELEASED(release)
		struct run run = run_with(self, arguments, at,
			getenv("AT_MEMORY_REST") ? ULONG_MAX : at + 1);
		size_t lines = lines_of(run.errors);
		const char *why = NULL;

		tried++;
		refused += run.exit_status == 1;
		if (run.exit_status == 128 + 14)
			why = "no end";
		else if (run.exit_status > 1)
			why = "a crash, or an exit code that says something else";
		else if (run.exit_status == 1 && !lines)
			why = "exit code 1 without a word";
		else if (run.exit_status == 1 && lines > lines_of(sound.errors) + 1)
			why = "exit code 1 with more than a line";
		else if (!run.exit_status && !changes &&
			 (strcmp(run.output, sound.output) != 0 ||
				 strcmp(run.errors, sound.errors) != 0))
			why = "exit code 0 with something else";
		if (why) {
			wrong++;
			print_error(
				"%s: allocation %lu of %lu: %s (exit code %d)\n%s\n",
				name, at, count, why, run.exit_status, run.errors);
		}
	}
	print_message(
		"%s: %lu of %lu allocations failed: %lu ended with exit code 1, %lu as ever, %lu were wrong\n",
		name, tried, count, refused, tried - refused - wrong, wrong);
	release(&sound);
	assert_int_equal(wrong, 0);
}

TEST(checks_a_space_or_says_that_memory_ran_out)
{
	const char *const arguments[] = { "check", AT_TEST_DIR "/../spaces/matmul.cfg",
		"--arch", "sm_90", NULL };

	assert_survives(*state, "check", arguments, true);
}

/* what the others read; as short as a tuning gets */
static void record(struct fixture *self)
{
	const char *const arguments[] = { "tune", space, "--device", "host",
		"--results", self->results, "--budget", "2", "--quiet", NULL };

	if (self->is_recorded)
		return;
	RELEASED(release) struct run run = run_with(self, arguments, 0, 0);

	if (run.exit_status)
		fail_msg("exit status %d: %s", run.exit_status, run.errors);
	self->is_recorded = true;
}

TEST(lists_results_or_says_that_memory_ran_out)
{
	struct fixture *self = *state;
	const char *const arguments[] = { "results", "--results", self->results, NULL };

	record(self);
	assert_survives(self, "results", arguments, false);
}

TEST(writes_a_header_or_says_that_memory_ran_out)
{
	struct fixture *self = *state;
	const char *const arguments[] = { "header", space, "--results", self->results,
		NULL };

	record(self);
	assert_survives(self, "header", arguments, false);
}

TEST(tunes_or_says_that_memory_ran_out)
{
	struct fixture *self = *state;
	/* a second problem would ask for memory at the same places */
	const char *arguments[] = { "tune", NULL, "--device", "host", "--results", NULL,
		"--problem", "small", "--budget", "2", "--quiet", "--jobs", "1", NULL };
	OWNED(free) char *results = scratch_path(self->folder, "own_results");

	record(self);
	arguments[5] = results;
	self->own_space = scratch_path(self->folder, "scale.cfg");
	arguments[1] = self->own_space;
	assert_survives(self, "tune", arguments, true);
}

/* usage: test_program_memory [long] */
int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "long"))
		tries = TRIES_LONG;
	if (getenv("AT_MEMORY_ONLY"))
		cmocka_set_test_filter(getenv("AT_MEMORY_ONLY"));
	/* each case is longer then, and none is left out */
	return run_suite(1, argv, set_up, tear_down);
}
