/* The executable prints the compiler options of each configuration of a header. */
#include "base/memory.h"
#include "executable.h"
#include "record/results.h"

#include "suite.h"

#define SPACE(space) AT_TEST_DIR "/../spaces/" space ".cfg"
/* of one device: what others have won is no matter here */
#define H200 " --device nvidia-h200"
#define RESULTS " --results " AT_TEST_DIR "/../results"
#define SHIPS(space) SPACE(space) H200 RESULTS

/* a size in an option makes another configuration of the same parameters */
TEST(prints_a_line_for_each_configuration)
{
	executable_expect("header --flags " SHIPS("stencil"), 0,
		"0\tstencil_0\t-DRADIUS=1\n"
		"1\tstencil_1\t-DRADIUS=6\n"
		"2\tstencil_2\t-DRADIUS=1\n"
		"3\tstencil_3\t-DRADIUS=6\n",
		"");
	executable_expect(
		"header --flags " SHIPS("copy"), 0, "0\tcopy_0\t\n1\tcopy_1\t\n", "");
}

TEST(leaves_other_problems_out)
{
	executable_expect("header --flags --problem radius_6 " SHIPS("stencil"), 0,
		"0\tstencil_0\t-DRADIUS=6\n1\tstencil_1\t-DRADIUS=6\n", "");
}

TEST(tells_builds_all_that_they_need)
{
	RELEASED(executable_drop)
	struct executable_outcome outcome =
		executable_run("header --flags --json " SHIPS("stencil"));
	OWNED(at_json_free) struct at_json *object;

	assert_int_equal(outcome.code, 0);
	assert_int_equal(executable_count_lines(outcome.out), 4);
	object = executable_json_line(outcome.out, 1);
	assert_string_equal(at_json_text(at_json_get(object, "space")), "stencil");
	assert_string_equal(at_json_text(at_json_get(object, "macro")), "STENCIL");
	assert_string_equal(at_json_text(at_json_get(object, "kernel")), "stencil_1");
	assert_string_equal(at_json_text(at_json_get(object, "template")),
		AT_TEST_DIR "/../spaces/../templates/stencil.cu");
	assert_string_equal(at_json_text(at_json_at(at_json_get(object, "flags"), 0)),
		"-DRADIUS=6");
	assert_string_equal(at_json_text(at_json_at(at_json_get(object, "devices"), 0)),
		"nvidia-h200");
}

/* A result file of a model "some": the winner is A = 2, compiled with these options
   (the elements of a JSON array). */
static void write_result(const char *kernel, const char *options)
{
	static const char format[] =
		"{\"version\": 1, \"kernel\": \"%s\", \"function\": \"%s\","
		"\"device\": {\"kind\": \"cuda\", \"model\": \"some\", \"architecture\": \"sm_90\","
		" \"properties\": {}},"
		"\"problems\": [{\"problem\": \"one\", \"sizes\": {\"N\": 1}, \"configuration\": {\"A\": 2},"
		" \"time_ns\": 1000.0, \"low_ns\": null, \"high_ns\": null, \"speedup\": null,"
		" \"evaluation_count\": 2, \"ok_count\": 2, \"baseline\": null,"
		" \"launch\": {\"block\": [1, 1, 1], \"grid\": [1, 1, 1], \"shared_bytes\": 0},"
		" \"options\": [%s], \"metrics\": {}, \"resources\": null,"
		" \"gains\": null, \"toolchain\": \"NVRTC 13.0\", \"driver\": \"580\","
		" \"source_hash\": \"00\", \"measured\": \"2026-11-21T22:01:09Z\"}]}\n";
	OWNED(free) char *path = executable_path("results/some");
	char name[64], text[1000];

	assert_ok(at_directory_make(path, &failure));
	snprintf(name, sizeof(name), "results/some/%s.json", kernel);
	snprintf(text, sizeof(text), format, kernel, kernel, options);
	executable_write(name, text);
}

/* A kernel whose options need quotes, with a result file that names its baseline as the
   winner. */
TEST(quotes_options_as_a_shell_reads_them)
{
	OWNED(free) char *text;
	char *at;

	executable_write("quoted.cu",
		"extern \"C\" __global__ void quoted(float *y) { y[0] = A; }\n");
	executable_write("quoted.cfg",
		"kernel: { name = \"quoted\"; template = \"quoted.cu\"; reference = \"quoted\"; };\n"
		"problems = ( { name = \"one\"; N = 1; } );\n"
		"parameters: { A = [ 1, 2 ]; };\n"
		"defaults: { A = 1; };\n"
		"options = ( \"-DTEXT=it's two\", \"-DA_IS=${A}\" );\n"
		"launch: { block = ( \"1\" ); grid = ( \"1\" ); };\n"
		"arguments = ( { name = \"y\"; type = \"float\"; count = \"N\"; access = \"out\"; } );\n");
	write_result("quoted", "\"-DTEXT=it's two\", \"-DA_IS=2\"");
	executable_expect("header --flags quoted.cfg", 0,
		"0\tquoted_0\t'-DTEXT=it'\\''s two' -DA_IS=2\n", "");
	/* a build would give them to its compiler, whoever has recorded them */
	text = executable_read("results/some/quoted.json");
	at = strstr(text, "-DA_IS=2");
	assert_non_null(at);
	memcpy(at, "@evil.so", 8);
	executable_write("results/some/quoted.json", text);
	executable_expect("header --flags quoted.cfg", 1, "",
		"<...>quoted.cfg: no winner of \"quoted\" is verified and fits the space: tune it to the end<...>");
	/* nor is it the space that is trusted */
	executable_expect("header --flags --trust quoted.cfg", 1, "",
		"<...>quoted.cfg: no winner of \"quoted\" is verified and fits the space: tune it to the end<...>");
}

/* An option and its value are two words: each is the space's, but not where it stands.
 */
TEST(refuses_options_that_were_recorded_in_another_order)
{
	executable_write("turned.cu",
		"extern \"C\" __global__ void turned(float *y) { y[0] = A; }\n");
	executable_write("turned.cfg",
		"kernel: { name = \"turned\"; template = \"turned.cu\"; reference = \"turned\"; };\n"
		"problems = ( { name = \"one\"; N = 1; } );\n"
		"parameters: { A = [ 1, 2 ]; };\n"
		"defaults: { A = 1; };\n"
		"options = ( \"-D\", \"A_IS=${A}\" );\n"
		"launch: { block = ( \"1\" ); grid = ( \"1\" ); };\n"
		"arguments = ( { name = \"y\"; type = \"float\"; count = \"N\"; access = \"out\"; } );\n");
	write_result("turned", "\"-D\", \"A_IS=2\"");
	executable_expect(
		"header --flags turned.cfg", 0, "0\tturned_0\t-D A_IS=2\n", "");
	write_result("turned", "\"A_IS=2\", \"-D\"");
	executable_expect("header --flags turned.cfg", 1, "",
		"<...>configuration 0 was recorded with the option \"A_IS=2\"<...>");
}

/* those of problems that are a GPU's, with the options that their sizes make */
TEST(makes_do_with_the_defaults_where_nothing_is_recorded)
{
	char *header;

	executable_expect("header --flags " SPACE("stencil") " --results nowhere", 1,
		"", "<...>nothing is recorded in \"nowhere\"<...>");
	executable_expect(
		"header --flags --defaults " SPACE("stencil") " --results nowhere", 0,
		"0\tstencil_0\t-DRADIUS=1\n1\tstencil_1\t-DRADIUS=6\n", "");
	/* what is recorded comes first */
	executable_expect("header --flags --defaults " SHIPS("copy"), 0,
		"0\tcopy_0\t\n1\tcopy_1\t\n", "");
	executable_expect("header --defaults --quiet -o header.h " SPACE(
				  "stencil") " --results nowhere",
		0, "", "");
	header = executable_read("header.h");
	assert_non_null(strstr(header, "\n * stencil: nothing is recorded."));
	assert_non_null(strstr(header, "\n#define STENCIL_CONFIGURATION_COUNT 2\n"));
	assert_non_null(strstr(header, "\n#define STENCIL_0_BLOCK_X 16\n"));
	assert_null(strstr(header, "_TIME_NS"));
	free(header);
	executable_expect("header --defaults " SPACE("stencil") " --results nowhere", 2,
		"", "<...>name its file with -o<...>");
}

/* The bundled winners of transpose in a record of their own, and a portfolio in which
   that of the first problem serves the second one too, at a loss of 4 %. */
static void record_portfolio(const char *folder)
{
	struct at_portfolio portfolio = { .space = (char *)"transpose", .count = 2 };
	struct at_winner members[2];
	const struct at_result *items;
	RELEASED(at_results_release) struct at_results results;
	RELEASED(at_evaluation_release) struct at_evaluation both;
	OWNED(at_store_close) struct at_store *store;

	assert_ok(at_results_read(
		NULL, AT_TEST_DIR "/../results", "transpose", &results, &failure));
	assert_ok(at_store_open(folder, &store, &failure));
	assert_ok(at_results_record(&results, store, &failure));
	/* by device, then problem: ragged_8191, square_8192 */
	assert_true(results.count >= 2);
	items = results.items + results.count - 2;
	assert_string_equal(items[0].device.slug, "nvidia-h200");
	assert_string_equal(items[1].device.slug, "nvidia-h200");
	assert_string_equal(items[1].best.problem, "square_8192");
	at_evaluation_copy(&items[0].winner, &both);
	free(both.configuration);
	both.configuration = at_strdup(items[1].winner.configuration);
	both.key.low ^= 1;
	assert_ok(at_store_add(store, &both, &failure));
	members[0] = items[0].best;
	members[0].evaluation_id = both.id;
	members[0].loss = 0.04;
	members[1] = items[1].best;
	portfolio.device_id = members[0].device_id;
	portfolio.loss_limit = 0.05;
	portfolio.members = members;
	assert_ok(at_store_put_portfolio(store, &portfolio, &failure));
}

TEST(takes_the_few_of_a_portfolio_where_they_lose_little)
{
	OWNED(free) char *folder = executable_path("few");
	char *header;

	record_portfolio(folder);
	/* two winners and a baseline, or one that serves both and the baseline */
	executable_expect("header --flags " SPACE("transpose") H200 " --results few", 0,
		"0\ttranspose_0\t\n1\ttranspose_1\t\n2\ttranspose_2\t\n", "");
	executable_expect("header --flags --portfolio 5% " SPACE("transpose") H200
		" --results few",
		0, "0\ttranspose_0\t\n1\ttranspose_1\t\n", "");
	executable_expect("header --quiet -o few.h --portfolio 5% " SPACE("transpose")
				  H200 " --results few",
		0, "", "");
	header = executable_read("few.h");
	assert_non_null(strstr(header, " *   loss           4 % against the winner"));
	free(header);
	executable_expect("header --flags --portfolio 3% " SPACE("transpose") H200
		" --results few",
		1, "",
		"<...>the recorded portfolio of \"transpose\" loses up to 4.0 %<...>");
	executable_expect("header --flags --portfolio 5% --device host " SPACE(
				  "transpose") " --results few",
		1, "",
		"<...>no winner of \"transpose\" is recorded in \"few\" for this device<...>");
	executable_expect("header --flags --portfolio 5% " SHIPS("copy"), 1, "",
		"<...>no portfolio of \"copy\" is recorded<...>");
}

TEST(refuses_what_it_would_not_do)
{
	executable_expect("header --flags -o here " SHIPS("copy"), 2, "",
		"<...>--flags writes no header<...>");
	executable_expect("header --flags --check " SHIPS("copy"), 2, "",
		"<...>--flags writes no header<...>");
	/* a file in the usual place is for all problems */
	executable_expect("header --problem stride_2 " SPACE("strided_copy") RESULTS, 2,
		"", "<...>name the file with -o<...>");
	executable_expect("header --flags --device nvidia-of-late " SPACE("copy")
				  RESULTS,
		1, "", "<...>no winner of \"copy\" is recorded<...>");
	executable_expect("header --flags --problem radius_7 " SHIPS("stencil"), 1, "",
		"<...>there is no problem \"radius_7\"; did you mean \"radius_1\"?<...>");
}

RUN_SUITE(executable_begin, executable_end)
