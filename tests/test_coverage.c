/* `check --cover`: what the cases of a verification reached, on device host. */
#include "executable.h"
#include "kernel/coverage.h"

#include <glob.h>
#include <unistd.h>

#include "suite.h"

#define NAME "covered"
/* cold caches would take most of the time: a CPU's are larger than all data */
#define EXHAUSTIVE "search: { strategy = \"exhaustive\"; cache = \"warm\"; };"
#define KERNEL "reference = \"covered_reference\";"

/* Writes a space of kernels/covered.cu: with a fault in the baseline, and sections. */
static void write_space(const char *fault, const char *reference, const char *more)
{
	char text[4096];

	snprintf(text, sizeof(text),
		"kernel: { name = \"covered\"; function = \"covered\"; template = \"" AT_TEST_DIR
		"/kernels/covered.cu\"; %s };\n"
		"problems = ( { name = \"few\"; N = 100; } );\n"
		"parameters: { FAULT = [ \"none\", \"wrong\", \"ends\", \"hangs\", \"third\" ]; };\n"
		"defaults: { FAULT = \"%s\"; };\n"
		"launch: { block = ( 32 ); grid = ( \"ceil_div(N, 32)\" ); };\n"
		"arguments = (\n"
		"  { name = \"x\"; type = \"int\"; count = \"N\"; access = \"in\"; },\n"
		"  { name = \"y\"; type = \"int\"; count = \"N\"; access = \"out\"; },\n"
		"  { name = \"kind\"; type = \"int\"; value = \"0\"; },\n"
		"  { name = \"mode\"; type = \"int\"; value = \"0\"; },\n"
		"  { name = \"n\"; type = \"int\"; value = \"N\"; } );\n%s\n",
		reference, fault, more);
	executable_write(NAME ".cfg", text);
}

static char *run_cover(const char *more)
{
	RELEASED(executable_drop) struct executable_outcome outcome;
	char line[128];
	char *out;

	snprintf(line, sizeof(line), "check " NAME ".cfg --cover%s", more);
	outcome = executable_run(line);
	if (outcome.code)
		fail_msg("code %d\n%s%s", outcome.code, outcome.out, outcome.err);
	out = outcome.out;
	outcome.out = NULL;
	return out;
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no \"%s\" in\n%s", part, text);
}

static void assert_lacks(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("\"%s\" in\n%s", part, text);
}

/* The default list itself gives kind and mode 0 and 1. Constants are found in a macro,
   a template's argument, a switch, and behind a condition that none of its cases
   fulfils, and are tried. */
TEST(names_what_no_case_reached)
{
	OWNED(free) char *out;

	write_space("none", KERNEL, "");
	out = run_cover("");
	assert_has(out, "coverage: 22 of 22 cases ran\n");
	assert_has(out, "\n  15 of 16 branches of the reference ran; never one way of: "
			"covered.cu:65 (value == 1234567)\n");
	/* only a pattern of data has three values that are equal, and none is run */
	assert_has(out, "\n  17 of 22 branches of the baseline ran; never one way of: "
			"covered.cu:38 (i > 8 && x[0] == x[4] && x[4] == x[8])\n");
	assert_lacks(out, "is compared");
	assert_has(out, "domain: {\n  N = \"1 .. 5000\";\n  kind = [ 0, 1, 2, 3, 4 ];\n"
			"  mode = [ 0, 1, 2, 3 ];\n};\n");
}

/* the proposal, taken over, reaches all but what depends on the data */
TEST(finds_nothing_more_in_the_domain_that_it_proposes)
{
	OWNED(free) char *out;

	write_space("none", KERNEL,
		"domain: { N = \"1 .. 5000\"; kind = [ 0, 1, 2, 3, 4 ]; mode = [ 0, 1, 2, 3 ]; };");
	out = run_cover("");
	assert_has(out, "  15 of 16 branches of the reference ran; never one way of: "
			"covered.cu:65 (value == 1234567)\n");
	assert_lacks(out, "is compared with");
	assert_lacks(out, "lacks");
}

/* mode has one value in all cases: other ones are tried, and do not count. Of a
   function that never ran the line of its caller tells. */
TEST(tells_which_numbers_a_domain_lacks)
{
	struct at_json *object;
	OWNED(free) char *out;

	write_space("none", KERNEL, "domain: { N = \"1 .. 200\"; kind = [ 0, 1 ]; };");
	out = run_cover(" --json");
	object = executable_json_line(out, 1);
	assert_string_equal(at_json_text(at_json_get(object, "event")), "coverage");
	assert_int_equal(at_json_kind_of(at_json_get(object, "reason")), AT_JSON_NULL);
	assert_int_equal(at_json_whole(at_json_get(object, "ran"), -1),
		at_json_whole(at_json_get(object, "cases"), -2));
	assert_true(
		at_json_whole(at_json_get(at_json_get(object, "reference"), "reached"),
			-1) < 12);
	assert_lacks(out, "\"line\":23");
	assert_lacks(out, "\"line\": 23");
	at_json_free(object);
	object = executable_json_line(out, 2);
	assert_string_equal(at_json_text(at_json_get(object, "domain")),
		"  N = \"1 .. 5000\";\n  kind = [ 0, 1, 2, 3, 4 ];\n  mode = [ 0, 1, 2, 3 ];\n");
	at_json_free(object);
}

/* also where the template lies in the working folder, so that its name for the compiler
   has no folder */
TEST(names_lines_of_included_files)
{
	RELEASED(executable_drop) struct executable_outcome outcome;

	executable_write("inner.h",
		"__device__ inline int pick(int value, int kind)\n{\n"
		"\tif (kind == 7)\n\t\treturn value * 3;\n\treturn value;\n}\n");
	executable_write("outer.cu",
		"#include \"inner.h\"\n"
		"extern \"C\" __global__ void k(const int *x, int *y, int kind, int n)\n{\n"
		"\tint i = blockIdx.x * blockDim.x + threadIdx.x;\n"
		"\tif (i < n)\n\t\ty[i] = pick(x[i], kind);\n}\n"
		"extern \"C\" __global__ void r(const int *x, int *y, int kind, int n)\n{\n"
		"\tfor (int i = threadIdx.x; i < n && !blockIdx.x; i += blockDim.x)\n"
		"\t\ty[i] = kind == 7 ? x[i] * 3 : x[i];\n}\n");
	executable_write("outer.cfg",
		"kernel: { name = \"k\"; template = \"outer.cu\"; reference = \"r\"; };\n"
		"problems = ( { name = \"few\"; N = 100; } );\n"
		"parameters: { BLOCK = [ 32, 64 ]; };\n"
		"launch: { block = ( \"BLOCK\" ); grid = ( \"ceil_div(N, BLOCK)\" ); };\n"
		"arguments = (\n"
		"  { name = \"x\"; type = \"int\"; count = \"N\"; access = \"in\"; },\n"
		"  { name = \"y\"; type = \"int\"; count = \"N\"; access = \"out\"; },\n"
		"  { name = \"kind\"; type = \"int\"; value = \"0\"; },\n"
		"  { name = \"n\"; type = \"int\"; value = \"N\"; } );\n"
		"domain: { N = \"1 .. 100\"; };\n");
	outcome = executable_run("check outer.cfg --cover");
	assert_has(outcome.out, "never one way of: inner.h:3 (kind == 7)\n");
	assert_has(outcome.out, " outer.cu:11 (y[i] = kind == 7 ? x[i] * 3 : x[i];)\n");
}

/* a verification drops them, so they reach nothing */
TEST(drops_cases_on_which_the_baseline_is_wrong)
{
	OWNED(free) char *out;

	write_space("wrong", KERNEL, "");
	out = run_cover("");
	assert_has(out,
		"coverage: 14 of 19 cases ran; on 5 the reference or the baseline fails\n");
	assert_has(out, " covered.cu:67 (kind == 1)");
	assert_has(out, "  kind = [ 0 ];\n");
}

TEST(goes_on_behind_a_case_that_ends_its_process)
{
	OWNED(free) char *out;

	write_space("ends", KERNEL, "");
	out = run_cover("");
	assert_has(out, "coverage: 14 of 19 cases ran\n");
	assert_has(out,
		"  not counted: case kind=1: its process died (it ended itself)\n");
}

TEST(ends_a_case_that_hangs)
{
	OWNED(free) char *out;

	write_space("hangs", KERNEL,
		"domain: { N = [ 90, 100 ]; }; verify: { problems = ( { name = \"one\"; N = 100; kind = 1; } ); };");
	out = run_cover("");
	assert_has(out, "  not counted: one: it takes more than ");
	assert_has(out, " branches of the reference ran");
}

TEST(says_why_nothing_is_measured)
{
	static const struct {
		const char *compiler, *reference, *reason;
	} cases[] = {
		{ "/nonexistent", KERNEL, "not measured: no C++ compiler; tried " },
		{ "g++ -DBROKEN=1 -include /nonexistent.h", KERNEL,
			"not measured: the reference does not compile for host: " },
		{ NULL, "reference = { files = ( { argument = \"y\"; path = \"y.bin\"; } ); };",
			"not measured: the reference is a library or a file" },
	};

	executable_write("y.bin", "");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		OWNED(free) char *out;

		if (cases[i].compiler)
			setenv("AUTOTUNE_CXX", cases[i].compiler, 1);
		write_space("none", cases[i].reference, "");
		out = run_cover("");
		unsetenv("AUTOTUNE_CXX");
		assert_has(out, cases[i].reason);
		assert_lacks(out, "domain");
	}
}

static struct executable_outcome run_tune(const char *fault, const char *more)
{
	char line[256];

	snprintf(line, sizeof(line),
		"tune " NAME
		".cfg --device host --set FAULT=%s --results results --json --thorough%s",
		fault, more);
	return executable_run(line);
}

/* no value of the default list is 3, nor does the space's text name it as one */
TEST(tries_what_the_reference_compares_with)
{
	RELEASED(executable_drop) struct executable_outcome outcome;

	write_space("none", KERNEL, EXHAUSTIVE);
	outcome = run_tune("third", "");
	assert_has(outcome.err, "FAULT=third: for { kind = 3; }: y[0] is 7");
	assert_has(outcome.err, "domain: { kind = [ 0 ]; }");
}

TEST(a_winner_says_what_its_verification_reached)
{
	static const char *const lines[] = {
		"15 of 16 branches of the reference ran; never one way of: covered.cu:65 (value == 1234567)",
		"17 of 22 branches of the winner ran; never one way of: covered.cu:38 (",
	};
	RELEASED(executable_drop) struct executable_outcome outcome;
	OWNED(free) char *pattern = executable_path("results/*/" NAME ".json"), *result;
	RELEASED(globfree) glob_t found;

	write_space("none", KERNEL, EXHAUSTIVE);
	outcome = run_tune("none", "");
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	result = file_text(found.gl_pathv[0]);
	for (size_t i = 0; i < 2; i++) {
		assert_has(outcome.out, lines[i]);
		assert_has(result, lines[i]);
	}
}

TEST(a_winner_says_why_coverage_was_not_measured)
{
	OWNED(free) char *compiler = executable_path("g++");
	struct executable_outcome outcome;

	/* it has no gcov beside it */
	if (symlink("/usr/bin/g++", compiler) || access(compiler, X_OK))
		skip();
	setenv("AUTOTUNE_CXX", compiler, 1);
	write_space("none", KERNEL, EXHAUSTIVE);
	outcome = run_tune("none", "");
	unsetenv("AUTOTUNE_CXX");
	assert_has(outcome.out, "\"not measured (");
	assert_has(outcome.out, "/gcov cannot be run; install it, it comes with gcc)");
	executable_drop(&outcome);
}

/* what a process wrote that was ended on the way */
TEST(reads_comparisons_up_to_a_line_that_is_cut)
{
	OWNED(free) struct at_compared *rows;
	size_t count;

	executable_write("compared", "7 -1 -9223372036854775808 5\n8 2 3 4\n9 1");
	assert_ok(at_coverage_take_compared(executable_place, &rows, &count, &failure));
	assert_int_equal(count, 2);
	assert_true(rows[0].place == 7 && rows[0].constant == -1 &&
		    rows[0].low == INT64_MIN && rows[0].high == 5);
	assert_int_equal(rows[1].high, 4);
}

RUN_SUITE(executable_begin, executable_end)
