/* Counting a space that takes long: it ends at its limit and when it is interrupted,
   and `check` reports what it knows by then. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "program.h"
#include "base/file.h"
#include "base/watch.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- how much is done -------------------------------------------------------------
 */

static void work_ends_at_its_limit(void **state)
{
	struct at_watch watch = { .limit = 100000 };
	enum at_status status = AT_OK;
	uint64_t steps = 0;

	(void)state;
	for (; !status; steps++)
		status = at_watch_spend(&watch, 1, NULL);
	assert_int_equal(status, AT_EOVERFLOW);
	assert_int_equal(steps, 100001);
	/* and goes on where it is given more */
	watch.limit = 200000;
	watch.next = 0;
	assert_int_equal(at_watch_spend(&watch, 1, NULL), AT_OK);
}

static enum at_status refuse(void *context, double done, struct at_error *err)
{
	(void)context;
	(void)done;
	return at_fail(err, AT_EINTERRUPTED, NULL, 0, "enough");
}

static void work_ends_when_it_is_told_to(void **state)
{
	struct at_watch watch = { .poll = refuse };
	struct at_error err = { 0 };

	(void)state;
	assert_int_equal(at_watch_spend(&watch, 1, &err), AT_EINTERRUPTED);
	assert_string_equal(err.text, "enough");
}

/* ---- the program ------------------------------------------------------------------
 */

static const char endless[] =
	"kernel: { name = \"scale\"; template = \"" AT_TEST_DIR
	"/kernels/scale.cu\"; reference = \"scale_reference\"; };\n"
	"problems = ( { name = \"small\"; N = 4096; } );\n"
	"parameters: { BLOCK = [ 32, 64 ]; UNROLL = [ 1, 2 ];\n"
	"  A = { from = 1; to = 65535; step = 1; };\n"
	"  B = { from = 1; to = 65535; step = 1; }; };\n"
	"defaults: { BLOCK = 32; UNROLL = 1; A = 1; B = 3; };\n"
	"constraints = ( \"%s\" );\n"
	"launch: { block = ( \"BLOCK\" ); grid = ( \"ceil_div(N, BLOCK * UNROLL)\" ); };\n"
	"arguments = ( { name = \"x\"; type = \"float\"; count = \"N\"; access = \"in\"; },\n"
	"  { name = \"y\"; type = \"float\"; count = \"N\"; access = \"out\"; },\n"
	"  { name = \"factor\"; type = \"float\"; value = \"2.5\"; },\n"
	"  { name = \"n\"; type = \"int\"; value = \"N\"; } );\n";

/* Where a space is that nobody can count, of this constraint; heap. */
static char *write_endless(const char *folder, const char *constraint)
{
	char *path = scratch_path(folder, "endless.cfg");
	char text[sizeof(endless) + 100];

	snprintf(text, sizeof(text), endless, constraint);
	assert_int_equal(at_file_replace(path, text, strlen(text), NULL), AT_OK);
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

static void a_signal_ends_a_run_that_counts(void **state)
{
	char *folder = scratch_folder("counting");
	/* seconds on any machine: it is told of after one */
	char *path = write_endless(folder,
		"(pow(A, 2) * B + pow(B, 2) * A + pow(A + B, 2) * B) % 65521 == 60");
	char *results = scratch_path(folder, "results");
	const char *const arguments[] = { AT_PROGRAM, "tune", path, "--device", "host",
		"--results", results, NULL };
	bool told = false;
	char line[4096];
	FILE *errors;
	pid_t child;
	int ended;

	(void)state;
	errors = start(arguments, &child);
	/* so it is told what is waited for */
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
	free(folder);
	free(path);
	free(results);
}

static void check_tells_what_it_knows_of_a_space_that_it_cannot_count(void **state)
{
	char *folder = scratch_folder("counting");
	char *path = write_endless(folder, "(A * B) % 65521 == 3");
	const char *const arguments[] = { "check", path, "--json", NULL };
	struct program_result result;
	struct at_json *counts;
	const struct at_json *count;

	(void)state;
	program_run(arguments, &result);
	if (result.exit_status)
		fail_msg("%s", result.errors);
	assert_int_equal(at_json_parse(result.output, strlen(result.output), "output",
				 &counts, NULL),
		AT_OK);
	count = counts;
	/* A * B % 65521: one of 65521 */
	assert_int_equal(at_json_kind_of(at_json_get(count, "valid")), AT_JSON_NULL);
	assert_true(at_json_whole(at_json_get(count, "at_least"), 0) >= 76);
	assert_true(at_json_whole(at_json_get(count, "at_least"), 0) < 1000000);
	assert_true(at_json_whole(at_json_get(count, "at_most"), 0) ==
		    INT64_C(65535) * 65535 * 4);
	assert_true(at_json_whole(at_json_get(count, "searchable"), 0) > 0);
	at_json_free(counts);
	program_release(&result);
	scratch_remove(folder);
	free(folder);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(work_ends_at_its_limit),
		cmocka_unit_test(work_ends_when_it_is_told_to),
		cmocka_unit_test(a_signal_ends_a_run_that_counts),
		cmocka_unit_test(
			check_tells_what_it_knows_of_a_space_that_it_cannot_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
