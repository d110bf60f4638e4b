/*
 * Every space that comes with the tool: its file is valid, and its baseline and one
 * more configuration are compiled, verified and measured on the CPU; for a few spaces
 * every day. The spaces are read from the folder, so a new one is tested as soon as it
 * exists.
 *
 * A copy is tuned that asks for few samples, a warm cache and fewer values: emptying
 * the cache of a large server, or running a million threads one after the other, takes
 * longer than all that is tested here.
 */
#define _GNU_SOURCE
#include "program.h"
#include "base/outcome.h"

#include <glob.h>

#include "suite.h"

static int find_spaces(void **state)
{
	static glob_t found;

	*state = &found;
	return glob(AT_TEST_DIR "/../spaces/*.cfg", 0, NULL, &found);
}

static int forget_spaces(void **state)
{
	globfree(*state);
	return 0;
}

static void check(const char *space, const char *option, const char *value)
{
	RELEASED(program_release) struct program_result result;

	program_run(
		(const char *const[]){ "check", space, option, value, NULL }, &result);
	if (result.exit_status)
		fail_msg("check %s %s %s: exit status %d: %s", space, option, value,
			result.exit_status, result.errors);
}

TEST(every_space_makes_sense)
{
	const glob_t *spaces = *state;

	assert_true(spaces->gl_pathc > 0);
	for (size_t i = 0; i < spaces->gl_pathc; i++) {
		check(spaces->gl_pathv[i], "--device", "host");
		check(spaces->gl_pathv[i], "--arch", "sm_80");
	}
}

/*
 * A configuration may ask for more than the device has; nothing else may happen. In
 * the summary is also what the cases of verification found out after an evaluation was
 * ok.
 */
static void judge(const char *space, const struct at_json *summary, const char *errors)
{
	const struct at_json *outcomes = at_json_get(summary, "outcomes");

	for (int i = AT_OUTCOME_OK + 1; i < AT_OUTCOME_COUNT; i++) {
		int64_t count = at_json_whole(
			at_json_get(outcomes, at_outcome_name((enum at_outcome)i)), 0);

		if (i != AT_OUTCOME_TOO_MANY_RESOURCES && count)
			fail_msg("%s: %s: %s", space,
				at_outcome_name((enum at_outcome)i), errors);
	}
	if (at_json_whole(at_json_get(outcomes, "ok"), 0) < 1)
		fail_msg("%s: no configuration passed: %s", space, errors);
}

/* A quarter of a size, of six digits and more a sixteenth, that leaves as much when
   divided by 8, so that it is as even or ragged as the size for each width of a vector.
 */
static long less_of(long size)
{
	return size / (size < 100000 ? 4 : 16) / 8 * 8 + size % 8;
}

/* Numbers of three digits and more in lines with on = "host" become less. */
static void tune_on_less(const char *path)
{
	RELEASED(at_strbuf_release) struct at_strbuf out = { 0 };
	OWNED(free) char *text = file_text(path);
	for (char *at = text; *at;) {
		char *end = at + strcspn(at, "\n"), *on;

		end += *end == '\n';
		on = strstr(at, "on = \"host\"");
		while (at < end) {
			size_t digits = strspn(at, "0123456789");

			if (digits >= 3 && on && on < end)
				at_strbuf_addf(&out, "%ld", less_of(atol(at)));
			else
				at_strbuf_add_bytes(&out, at, digits ? digits : 1);
			at += digits ? digits : 1;
		}
	}
	assert_ok(at_file_replace(path, out.data, out.length, NULL));
}

static void tune(const char *space)
{
	OWNED(free)
	char *results = scratch_folder("templates"),
	     *copy = program_quick_space(space, results);
	RELEASED(program_release) struct program_result result;
	OWNED(at_json_free) struct at_json *summaries;

	tune_on_less(copy);
	program_run((const char *const[]){ "tune", copy, "--device", "host", "--budget",
			    "2", "--results", results, "--json", NULL },
		&result);
	if (result.exit_status)
		fail_msg("tune %s: exit status %d: %s", space, result.exit_status,
			result.errors);
	summaries = program_events(result.output, "summary");
	assert_true(at_json_count(summaries) > 0);
	for (size_t i = 0; i < at_json_count(summaries); i++)
		judge(space, at_json_at(summaries, i), result.errors);
	scratch_remove(results);
}

/* One of each kind of kernel: what moves, what adds up, what is irregular. */
static bool is_everyday(const char *space)
{
	static const char *const names[] = { "/copy.cfg", "/reduction.cfg",
		"/histogram.cfg" };

	for (size_t i = 0; i < AT_COUNT_OF(names); i++)
		if (strstr(space, names[i]))
			return true;
	return false;
}

static void tune_all(const glob_t *spaces, bool everyday)
{
	size_t count = 0;

	for (size_t i = 0; i < spaces->gl_pathc; i++)
		if (is_everyday(spaces->gl_pathv[i]) == everyday) {
			tune(spaces->gl_pathv[i]);
			count++;
		}
	assert_true(count >= 3);
}

TEST(a_template_of_each_kind_is_verified_on_the_cpu)
{
	tune_all(*state, true);
}

LONG_TEST(every_other_template_is_verified_on_the_cpu)
{
	tune_all(*state, false);
}

RUN_SUITE(find_spaces, forget_spaces)
