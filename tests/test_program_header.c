/* `autotune header`, from result files alone and beside a record. */
#include "executable.h"
#include "record/store.h"

#include <unistd.h>

#include "suite.h"

#define JSON "shipped/nvidia-h200/matmul.json"

static char *data(const char *name)
{
	char path[256], *text;

	snprintf(path, sizeof(path), AT_TEST_DIR "/data/result/%s", name);
	text = file_text(path);
	return text;
}

static void copy(const char *name, const char *to)
{
	OWNED(free) char *text = data(name);

	executable_write(to, text);
}

static bool is_there(const char *name)
{
	OWNED(free) char *path = executable_path(name);
	bool exists = at_file_exists(path);

	return exists;
}

static int make_files(void **state)
{
	OWNED(free) char *path;

	executable_begin(state);
	path = executable_path("shipped/nvidia-h200");
	assert_ok(at_directory_make(path, &failure));
	copy("matmul.json", JSON);
	copy("matmul.cfg", "matmul.cfg");
	copy("matmul.cu", "matmul.cu");
	return 0;
}

TEST(writes_a_header_from_result_files)
{
	OWNED(free) char *before = executable_read(JSON), *after, *header;

	executable_expect(
		"header matmul.cfg --results shipped", 0, "shipped/matmul.h\n", "");
	header = executable_read("shipped/matmul.h");
	assert_non_null(
		strstr(header, "#define MATMUL_NVIDIA_H200_TALL_CONFIGURATION 1\n"));
	after = executable_read(JSON);
	assert_string_equal(before, after);
	assert_false(is_there("shipped/autotune.db"));
	assert_false(is_there("results"));
}

TEST(prints_it_and_nothing_else)
{
	OWNED(free) char *header = executable_read("shipped/matmul.h");
	OWNED(at_json_free) struct at_json *line;
	RELEASED(executable_drop) struct executable_outcome outcome;

	executable_expect("header matmul.cfg --results shipped -o -", 0, header, "");
	executable_expect(
		"header matmul.cfg --results shipped -o - --json", 0, header, "");
	executable_expect(
		"header matmul.cfg --results shipped -o tuned.h", 0, "tuned.h\n", "");
	executable_expect("header matmul.cfg --results shipped --quiet", 0, "", "");
	assert_true(is_there("tuned.h"));
	assert_false(is_there("-"));
	outcome = executable_run("header matmul.cfg --results shipped --json");
	line = executable_json_line(outcome.out, 0);
	assert_string_equal(
		at_json_text(at_json_get(line, "header")), "shipped/matmul.h");
	assert_int_equal(at_json_count(at_json_get(line, "devices")), 1);
}

TEST(fails_where_a_header_is_stale_and_writes_nothing)
{
	OWNED(free) char *before = executable_read("shipped/matmul.h"), *after;

	executable_expect("header --check matmul.cfg --results shipped", 0,
		"shipped/matmul.h is up to date\n", "");
	executable_expect(
		"header --check matmul.cfg --results shipped --quiet", 0, "", "");
	executable_write("matmul.cu", "__global__ void matmul() {}\n");
	executable_expect("header --check matmul.cfg --results shipped", 1, "",
		"<...>shipped/matmul.h: stale: the template changed: matmul.cu; write it with: autotune header matmul.cfg\n<...>");
	after = executable_read("shipped/matmul.h");
	assert_string_equal(before, after);
	copy("matmul.cu", "matmul.cu");
	executable_expect("header --check matmul.cfg --results shipped -o other.h", 1,
		"", "<...>other.h: stale: it is not there<...>");
	assert_false(is_there("other.h"));
	executable_expect("header --check matmul.cfg --results shipped -o -", 2, "",
		"<...>--check looks at a file<...>");
}

/* on a CPU, beside what is shipped */
static void add_to_record(void)
{
	/* a record has all that a device says; a result file leaves out what changes */
	struct at_record_device device = {
		.properties = { .value = { [AT_PROPERTY_WARP_SIZE] = 32,
					[AT_PROPERTY_L2_BYTES] = 33554432,
					[AT_PROPERTY_MEMORY_BYTES] = 25282592768,
					[AT_PROPERTY_CLOCK_HZ] = 2450000000,
					[AT_PROPERTY_MEMORY_CLOCK_HZ] = 1593000000 },
			.known = { [AT_PROPERTY_WARP_SIZE] = true,
				[AT_PROPERTY_L2_BYTES] = true,
				[AT_PROPERTY_MEMORY_BYTES] = true,
				[AT_PROPERTY_CLOCK_HZ] = true,
				[AT_PROPERTY_MEMORY_CLOCK_HZ] = true } },
		.kind = "host",
		.model = "A CPU",
		.slug = "a-cpu",
		.architecture = "x86_64",
		.driver = "6",
		.uuid = "",
	};
	struct at_evaluation evaluation = {
		.key = { 1, 1 },
		.space = "matmul",
		.problem = "host",
		.problem_json = "{\"M\": 64, \"N\": 64, \"K\": 64}",
		.configuration =
			"{\"BLOCK_X\": 16, \"BLOCK_Y\": 1, \"OFFSET\": 0, \"USE_LDG\": false, \"SCALE\": 2.0, \"CACHE\": \"ca\", \"GRID_Y\": 1}",
		.outcome = AT_OUTCOME_OK,
		/* more digits than result files have */
		.time_ns = 1e6 / 3,
		.low_ns = 0.99e6 / 3,
		.high_ns = 1.01e6 / 3,
	};
	struct at_winner best = {
		.space = "matmul",
		.problem = "host",
		.objective = &at_objective_time,
		.score = { 1e6 / 3, 0.99e6 / 3, 1.01e6 / 3 },
		.speedup = 1,
		.speedup_low = 1,
		.speedup_high = 1,
		.toolchain = "g++",
		.driver = "6",
		.source_hash = "00",
		.metrics = "{}",
		.options = "[]",
		.verification = "{\"problems\": 1}",
	};
	OWNED(free) char *directory = executable_path("shipped");
	OWNED(at_store_close) struct at_store *store;

	assert_ok(at_store_open(directory, &store, &failure));
	assert_ok(at_store_put_device(store, &device, &evaluation.device_id, &failure));
	assert_ok(at_store_add(store, &evaluation, &failure));
	best.device_id = evaluation.device_id;
	best.evaluation_id = evaluation.id;
	assert_ok(at_store_put_winner(store, &best, &failure));
}

/* a fresh clone in which somebody tunes on his own device */
TEST(has_both_of_the_record_and_of_files)
{
	OWNED(free) char *before = executable_read(JSON), *after;
	char *header;

	add_to_record();
	executable_expect("header --check matmul.cfg --results shipped", 1, "",
		"<...>shipped/matmul.h: stale: the record changed, or it is of other devices; write it with: autotune header matmul.cfg\n<...>");
	executable_expect(
		"header matmul.cfg --results shipped", 0, "shipped/matmul.h\n", "");
	header = executable_read("shipped/matmul.h");
	assert_non_null(
		strstr(header, "#define MATMUL_NVIDIA_H200_TALL_CONFIGURATION "));
	assert_non_null(strstr(header, "#define MATMUL_A_CPU_HOST_CONFIGURATION "));
	free(header);
	/* the file of the device that is in the record, and no other */
	assert_true(is_there("shipped/a-cpu/matmul.json"));
	after = executable_read(JSON);
	assert_string_equal(before, after);
	executable_expect(
		"header matmul.cfg --results shipped --device host -o tuned.h", 0,
		"tuned.h\n", "");
	header = executable_read("tuned.h");
	assert_null(strstr(header, "NVIDIA_H200"));
	assert_non_null(strstr(header, "#define MATMUL_DEVICE_COUNT 1\n"));
	free(header);
	executable_expect("header matmul.cfg --results shipped --device sm_80", 1, "",
		"<...>no winner of \"matmul\" is recorded in \"shipped\" for this device: tune it first<...>");
}

/* who tunes commits result files and header; who clones them checks that header */
TEST(a_header_is_the_same_without_the_record)
{
	OWNED(free) char *database = executable_path("shipped/autotune.db");

	assert_int_equal(unlink(database), 0);
	assert_false(is_there("shipped/autotune.db-wal"));
	executable_expect("header --check matmul.cfg --results shipped", 0,
		"shipped/matmul.h is up to date\n", "");
}

/* ---- winners of another template ----------------------------------------------------
 */

static const char scale_cu[] =
	"#include \"factor.h\"\n"
	"extern \"C\" __global__ void scale(const float *x, float *y, int n)\n"
	"{\n"
	"	for (int i = threadIdx.x; i < n; i += BLOCK)\n"
	"		y[i] = FACTOR * x[i];\n"
	"}\n"
	"extern \"C\" __global__ void scale_reference(const float *x, float *y, int n)\n"
	"{\n"
	"	for (int i = threadIdx.x; i < n; i += blockDim.x)\n"
	"		y[i] = FACTOR * x[i];\n"
	"}\n";
static const char factor_h[] = "#define FACTOR 2\n";

static void write_scale(const char *folder, const char *factor, const char *grid)
{
	char name[64], text[1024];

	snprintf(name, sizeof(name), "%sfactor.h", folder);
	executable_write(name, factor);
	snprintf(name, sizeof(name), "%sscale.cu", folder);
	executable_write(name, scale_cu);
	snprintf(text, sizeof(text),
		"kernel: { name = \"scale\"; template = \"scale.cu\"; reference = \"scale_reference\"; };\n"
		"problems = ( { name = \"all\"; N = 1000; } );\n"
		"parameters: { BLOCK = [ 32, 64 ]; };\n"
		"launch: { block = ( \"BLOCK\" ); grid = ( \"%s\" ); };\n"
		"arguments = (\n"
		"  { name = \"x\"; type = \"float\"; count = \"N\"; access = \"in\"; },\n"
		"  { name = \"y\"; type = \"float\"; count = \"N\"; access = \"out\"; },\n"
		"  { name = \"n\"; type = \"int\"; value = \"N\"; }\n"
		");\n"
		"search: { cache = \"warm\"; };\n",
		grid);
	snprintf(name, sizeof(name), "%sscale.cfg", folder);
	executable_write(name, text);
}

static void tune_scale(void)
{
	RELEASED(executable_drop)
	struct executable_outcome outcome = executable_run(
		"first/scale.cfg --device host --budget 2 --results own");

	if (outcome.code)
		fail_msg("%s", outcome.err);
}

TEST(knows_a_winner_that_another_template_won)
{
	static const char fresh[] = "header --check first/scale.cfg --results own";
	RELEASED(executable_drop) struct executable_outcome lines = { 0 };
	OWNED(at_json_free) struct at_json *line = NULL;
	OWNED(free) char *first = executable_path("first");
	OWNED(free) char *moved = executable_path("moved");

	assert_ok(at_directory_make(first, &failure));
	write_scale("first/", factor_h, "1");
	tune_scale();
	executable_expect(fresh, 0, "own/scale.h is up to date\n", "");
	/* another place is no other template */
	assert_ok(at_directory_make(moved, &failure));
	write_scale("moved/", factor_h, "1");
	executable_expect("header --check moved/scale.cfg --results own", 0,
		"own/scale.h is up to date\n", "");
	/* a file that it includes */
	write_scale("first/", "#define FACTOR 3\n", "1");
	executable_expect(fresh, 1, "",
		"<...>was measured with another template; tune it again: autotune tune first/scale.cfg<...>");
	executable_expect("header first/scale.cfg --results own", 0, "own/scale.h\n",
		"<...>note: first/scale.cfg: the winner of all on <...>");
	/* a header that is new is stale all the same */
	executable_expect(fresh, 1, "", "<...>was measured with another template<...>");
	lines = executable_run("header --flags --json first/scale.cfg --results own");
	line = executable_json_line(lines.out, 0);
	assert_non_null(strstr(at_json_text(at_json_get(line, "stale")),
		"was measured with another template"));
	tune_scale();
	executable_expect(fresh, 0, "own/scale.h is up to date\n", "");
	/* the launch, which the header takes from the space file of now */
	write_scale("first/", "#define FACTOR 3\n", "1 + N / 100000 + 1");
	executable_expect(fresh, 1, "", "<...>was measured with another launch<...>");
	write_scale("first/", "#define FACTOR 3\n", "1 + N / 100000");
	executable_expect(
		"header first/scale.cfg --results own", 0, "own/scale.h\n", "");
	executable_expect(fresh, 0, "own/scale.h is up to date\n", "");
}

/* Where nothing is recorded and the time is short, a night only takes the sizes in. */
TEST(a_night_makes_problems_of_sizes_that_programs_met)
{
	static const char night[] =
		"nightly first/scale.cfg --device host --budget 1s --results other --met met --report report";
	static const char key[] = "devices[] = {\n\t\t{ \"";
	OWNED(free) char *header = executable_read("own/scale.h");
	OWNED(free) char *problems = NULL;
	const char *model = strstr(header, key);
	char line[512];

	/* the name of this device */
	assert_non_null(model);
	model += strlen(key);
	snprintf(line, sizeof(line),
		"{\"kernel\": \"scale\", \"device\": \"%.*s\", \"sizes\": {\"N\": 5000}, \"rung\": \"same device\", \"calls\": 1}\n"
		"torn {\n",
		(int)strcspn(model, "\""), model);
	executable_write("met", line);
	executable_expect(night, 0, NULL,
		"<...>met:2: 1 lines are not as AUTOTUNE_RECORD writes them, and are left out<...>");
	problems = executable_read("other/scale_met.cfg");
	assert_non_null(strstr(problems,
		"  { name = \"met_host_5000\"; on = \"host\"; N = 5000; }\n"));
	/* every command has them from now on */
	executable_expect(
		"header first/scale.cfg --results other --problem met_host_5000 -o x.h",
		1, "", "<...>no winner of \"scale\" is recorded in \"other\"<...>");
	executable_expect(
		"header first/scale.cfg --results own --problem met_host_5000 -o x.h",
		1, NULL, "<...>met_host_5000<...>");
}

RUN_SUITE(make_files, executable_end)
