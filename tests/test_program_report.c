/* The executable's reports of the bundled result files: as text, data and a page. */
#include "base/memory.h"
#include "executable.h"

#include "suite.h"

#define BUNDLED " --results shipped"

/* The files of the boards that results are shipped for, and nothing that somebody who
   has tuned in this folder finds beside them: a record, another device. */
static int begin(void **state)
{
	char command[1024];

	executable_begin(state);
	snprintf(command, sizeof(command),
		"mkdir '%s/shipped' && cp -R '" AT_TEST_DIR
		"'/../results/nvidia-h[12]00* '%s/shipped'",
		executable_place, executable_place);
	return system(command);
}

static struct executable_outcome run(const char *line, int code)
{
	struct executable_outcome outcome = executable_run(line);

	if (outcome.code != code)
		fail_msg("autotune %s: exit code %d\n%s", line, outcome.code,
			outcome.err);
	return outcome;
}

static size_t count_of(const char *text, const char *part)
{
	size_t count = 0;

	for (text = strstr(text, part); text; text = strstr(text + 1, part))
		count++;
	return count;
}

TEST(tells_a_space_once_however_it_is_named)
{
	RELEASED(executable_drop)
	struct executable_outcome outcome =
		run("report matmul matmul " AT_TEST_DIR
		    "/../spaces/matmul.cfg --device nvidia-h200" BUNDLED,
			0);

	assert_int_equal(count_of(outcome.out, " on NVIDIA H200\n"), 1);
	assert_int_equal(count_of(outcome.out, "  winner    "), 1);
	assert_int_equal(count_of(outcome.out, "result files have winners"), 1);
}

TEST(gives_its_data_as_one_object)
{
	RELEASED(executable_drop)
	struct executable_outcome outcome = run(
		"report matmul --json --problem square_4096 --device nvidia-h200" BUNDLED,
		0);
	OWNED(at_json_free) struct at_json *json = executable_json_line(outcome.out, 0);

	assert_int_equal(executable_count_lines(outcome.out), 1);
	assert_true(at_json_is_true(at_json_get(json, "bundled")));
	assert_int_equal(at_json_count(at_json_get(json, "groups")), 1);
}

/* Everything is in it, and nothing comes from elsewhere. */
TEST(writes_a_page_that_needs_no_other_file)
{
	static const char *const never[] = { "src=", "<link", "@import", "url(",
		"@STYLE@", "@DATA@", "@SCRIPT@", "@LIBRARY@", "@LICENSE@", "@BLOCKS@" };
	static const char *const always[] = { "<!doctype html>",
		"Content-Security-Policy\" content=\"default-src 'none'",
		"Permission is hereby granted, free of charge", "Chart.js v",
		"\"problem\": \"square_4096\"", "prefers-color-scheme" };
	RELEASED(executable_drop)
	struct executable_outcome outcome = run("report -o page.html" BUNDLED, 0),
				  printed = run("report -o -" BUNDLED, 0);
	OWNED(free) char *page = executable_read("page.html");

	assert_string_equal(outcome.out, "");
	for (size_t i = 0; i < AT_COUNT_OF(never); i++)
		if (strstr(page, never[i]))
			fail_msg("there is %s in the page", never[i]);
	for (size_t i = 0; i < AT_COUNT_OF(always); i++)
		if (!strstr(page, always[i]))
			fail_msg("there is no %s in the page", always[i]);
	/* theme, data, library and script; no evaluations */
	assert_int_equal(count_of(page, "<script"), 4);
	assert_int_equal(count_of(page, "</script>"), 4);
	assert_int_equal(count_of(printed.out, "</html>"), 1);
}

TEST(says_in_a_line_what_is_wrong)
{
	static const struct {
		const char *line;
		int code;
		const char *text;
	} rows[] = {
		{ "report nothing" BUNDLED, 1,
			"autotune: nothing is recorded of \"nothing\"; recorded: attention, convolution, " },
		{ "report matmull" BUNDLED, 1,
			"autotune: nothing is recorded of \"matmull\"; did you mean \"matmul\"?\n" },
		{ "report --results nowhere", 1,
			"autotune: nothing is recorded in \"nowhere\"" },
		{ "report --problem none" BUNDLED, 1,
			"autotune: nothing of this is recorded" },
		{ "report --json -o page.html" BUNDLED, 2,
			"autotune: --json and -o exclude each other" },
		{ "report -o no/such/page.html" BUNDLED, 1, "no/such/page.html" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		RELEASED(executable_drop)
		struct executable_outcome outcome = run(rows[i].line, rows[i].code);

		if (!strstr(outcome.err, rows[i].text) ||
			executable_count_lines(outcome.err) != 1)
			fail_msg("autotune %s: %s", rows[i].line, outcome.err);
		assert_string_equal(outcome.out, "");
	}
}

RUN_SUITE(begin, executable_end)
