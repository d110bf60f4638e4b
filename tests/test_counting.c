/* Counting a space that takes long: it ends at its limit and when it is
   interrupted. */
#define _GNU_SOURCE
#include "suite.h"

#include "program.h"
#include "base/watch.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- how much is done ------------------------------------------------------ */

TEST(work_ends_at_its_limit)
{
	struct at_watch watch = { .limit = 100000 };
	enum at_status status = AT_OK;
	uint64_t steps = 0;

	for (; !status; steps++)
		status = at_watch_spend(&watch, 1, NULL);
	assert_int_equal(status, AT_EOVERFLOW);
	assert_int_equal(steps, 100001);
	/* and goes on where it is given more */
	watch.limit = 200000;
	watch.next = 0;
	assert_ok(at_watch_spend(&watch, 1, NULL));
}

static enum at_status refuse(void *context, struct at_error *err)
{
	return at_fail(err, AT_EINTERRUPTED, NULL, 0, "enough");
}

TEST(work_ends_when_it_is_told_to)
{
	struct at_watch watch = { .poll = refuse };

	assert_fails(at_watch_spend(&watch, 1, &failure), AT_EINTERRUPTED, "enough");
}

/* ---- the program ----------------------------------------------------------- */

static const char endless[] =
	"kernel: { name = \"scale\"; template = \"" AT_TEST_DIR
	"/kernels/scale.cu\"; reference = \"scale_reference\"; };\n"
	"problems = ( { name = \"small\"; N = 4096; } );\n"
	"parameters: { BLOCK = [ 32, 64 ]; UNROLL = [ 1, 2 ];\n%s };\n"
	"constraints = ( %s );\n"
	"launch: { block = ( \"BLOCK\" ); grid = ( \"ceil_div(N, BLOCK * UNROLL)\" ); };\n"
	"arguments = ( { name = \"x\"; type = \"float\"; count = \"N\"; access = \"in\"; },\n"
	"  { name = \"y\"; type = \"float\"; count = \"N\"; access = \"out\"; },\n"
	"  { name = \"factor\"; type = \"float\"; value = \"2.5\"; },\n"
	"  { name = \"n\"; type = \"int\"; value = \"N\"; } );\n";

/* Where a space with these parameters and constraints is; heap. */
static char *write_endless(
	const char *folder, const char *parameters, const char *constraints)
{
	char *path = scratch_path(folder, "endless.cfg");
	char text[sizeof(endless) + 4000];

	snprintf(text, sizeof(text), endless, parameters, constraints);
	file_write(path, text);
	return path;
}

/* Its stderr, to be read; the caller closes it and waits. */
static FILE *start(const char *const *arguments, pid_t *child)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	*child = fork();
	assert_true(*child >= 0);
	if (*child == 0) {
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		close(ends[1]);
		execv(AT_PROGRAM, (char *const *)arguments);
		_exit(127);
	}
	close(ends[1]);
	return fdopen(ends[0], "r");
}

TEST(a_signal_ends_a_run_that_counts)
{
	OWNED(free) char *folder = scratch_folder("counting");
	RELEASED(at_strbuf_release)
	struct at_strbuf parameters = { 0 }, constraints = { 0 };
	OWNED(free) char *results = scratch_path(folder, "results");
	const char *arguments[] = { AT_PROGRAM, "tune", NULL, "--device", "host",
		"--results", results, NULL };
	bool told = false;
	OWNED(free) char *path;
	char line[4096];
	FILE *errors;
	pid_t child;
	int ended;

	/* Each group takes more than a second on any machine. */
	for (int group = 0; group < 4; group++) {
		for (char name = 'A'; name <= 'F'; name++)
			at_strbuf_addf(&parameters,
				"  %c%d = { from = 1; to = 100; step = 1; };\n", name,
				group);
		at_strbuf_addf(&constraints,
			"%s\"A%d * A%d + B%d * B%d + C%d * C%d + D%d * D%d + E%d * E%d + F%d * F%d < 30000\"",
			group ? ", " : "", group, group, group, group, group, group,
			group, group, group, group, group, group);
	}
	path = write_endless(
		folder, at_strbuf_text(&parameters), at_strbuf_text(&constraints));
	arguments[2] = path;
	errors = start(arguments, &child);
	/* so it learns what is waited for */
	while (!told && fgets(line, sizeof(line), errors))
		told = strstr(line, "counting the space") != NULL;
	assert_true(told);
	kill(child, SIGTERM);
	while (fgets(line, sizeof(line), errors))
		assert_null(strstr(line, "tried"));
	fclose(errors);
	assert_int_equal(waitpid(child, &ended, 0), child);
	assert_true(WIFEXITED(ended));
	assert_int_equal(WEXITSTATUS(ended), 130);
	scratch_remove(folder);
}

TEST(a_space_that_cannot_be_counted_is_refused_with_its_constraint)
{
	OWNED(scratch_drop) char *folder = scratch_folder("counting");
	OWNED(free)
	char *path = write_endless(folder,
		"  A = { from = 1; to = 65535; step = 1; };\n"
		"  B = { from = 1; to = 65535; step = 1; };\n",
		"\"(A * B) % 65521 == 3\"");
	const char *const arguments[] = { "check", path, NULL };
	RELEASED(program_release) struct program_result result;

	program_run(arguments, &result);
	assert_int_equal(result.exit_status, 1);
	assert_non_null(strstr(result.errors,
		"endless.cfg:7: constraint \"(A * B) % 65521 == 3\" ties the values of A, B so that"));
}

RUN_SUITE(NULL, NULL)
