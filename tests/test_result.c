#include "record/result.h"

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"

#include <ftw.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define DATA AT_TEST_DIR "/data/result"

/* ---- a directory and a store of its own for every test ------------------ */

struct place {
	char directory[64];
	struct at_store *store;
	int64_t device_id;
};

#define assert_ok(call) \
	do { \
		if ((call) != AT_OK) \
			fail_msg("%s: %s: %s", #call, err.file, err.text); \
	} while (0)

static const char *const property_names[] = { "compute_capability",
	"multiprocessor_count", "warp_size", "memory_bytes", "clock_hz" };
static const int64_t property_values[] = { 90, 132, 32, 150754820096, 1980000000 };

static struct at_record_device a_device(void)
{
	struct at_record_device device = {
		.kind = "cuda",
		.model = "NVIDIA H200",
		.slug = "nvidia-h200",
		.architecture = "sm_90",
		.driver = "580.1 (CUDA 13.0)",
		.uuid = "GPU-1",
		.property_count = 5,
		.property_names = (const char **)property_names,
		.property_values = (int64_t *)property_values,
	};

	return device;
}

static int make_place(void **state)
{
	struct at_record_device device = a_device();
	struct place *place = calloc(1, sizeof(*place));
	struct at_error err = { 0 };

	assert_non_null(place);
	strcpy(place->directory, "/tmp/autotune-result-XXXXXX");
	assert_non_null(mkdtemp(place->directory));
	assert_ok(at_store_open(place->directory, &place->store, &err));
	assert_ok(at_store_put_device(place->store, &device, &place->device_id, &err));
	*state = place;
	return 0;
}

static int remove_entry(
	const char *path, const struct stat *facts, int kind, struct FTW *where)
{
	(void)facts;
	(void)kind;
	(void)where;
	return remove(path);
}

static int remove_place(void **state)
{
	struct place *place = *state;

	at_store_close(place->store);
	nftw(place->directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	free(place);
	return 0;
}

/* ---- specs, evaluations, crowns ----------------------------------------- */

static struct at_spec *load(const char *name)
{
	struct at_error err = { 0 };
	struct at_spec *spec;
	char path[256];

	snprintf(path, sizeof(path), DATA "/%s", name);
	assert_ok(at_spec_load(path, &spec, &err));
	return spec;
}

static struct at_spec *parse(const char *text)
{
	struct at_error err = { 0 };
	struct at_spec *spec;

	assert_ok(at_spec_parse(text, strlen(text), "inline.cfg", &spec, &err));
	return spec;
}

static struct at_evaluation an_evaluation(const struct place *place, const char *space,
	const char *problem, const char *problem_json, const char *configuration)
{
	struct at_evaluation evaluation = {
		.device_id = place->device_id,
		.space = (char *)space,
		.problem = (char *)problem,
		.problem_json = (char *)problem_json,
		.configuration = (char *)configuration,
		.outcome = AT_OUTCOME_OK,
		.time_ns = 2500000,
		.low_ns = 2400000.5,
		.high_ns = 2600000,
		.launches_per_sample = 1,
		.facts.registers = 128,
		.facts.local_bytes = 0,
		.facts.spill_store_bytes = -1,
		.facts.spill_load_bytes = -1,
		.facts.shared_bytes = 8192,
		.facts.threads_per_block = 64,
		.facts.blocks = 131072,
		.max_relative_error = 1e-6,
	};

	return evaluation;
}

static int64_t add(struct place *place, struct at_evaluation *evaluation)
{
	struct at_error err = { 0 };

	assert_ok(at_store_add(place->store, evaluation, &err));
	return evaluation->id;
}

static struct at_crown a_crown(const struct place *place, const char *space,
	const char *problem, int64_t winner, int64_t baseline)
{
	struct at_crown crown = {
		.device_id = place->device_id,
		.space = (char *)space,
		.problem = (char *)problem,
		.evaluation_id = winner,
		.baseline_id = baseline,
		.evaluation_count = 400,
		.ok_count = 380,
		.objective = &at_objective_time,
		.score = { 1234567.25, 1230000, 1240000.5 },
		.speedup = 2.025,
		.speedup_low = 2.0125,
		.speedup_high = 2.0375,
		.baseline_low = 2490000,
		.baseline_high = 2510000.5,
		.measurement = "{\"blocks\": 6, \"samples\": 30}",
		.toolchain = "NVRTC 13.0",
		.driver = "580.1 (CUDA 13.0)",
		.source_hash = "00112233445566778899aabbccddeeff",
		.metrics = "{\"flops\": 137438953472.0, \"bytes\": 201326592.0}",
		.launch =
			"{\"block\": [32, 2], \"grid\": [128, 1024], \"shared_bytes\": 8192}",
		.proof =
			"{\"problems\": 3, \"data_sets\": 2, \"patterns\": 6, \"launches\": 45, \"guarded\": true, \"zones\": true, \"crowded\": false, \"passed\": [\"host\"], \"not_run\": {\"racecheck\": \"compute-sanitizer is not installed\"}}",
		.options = "[\"--ptxas-options=-dlcm=cg\", \"-DTEXT=\\\"a\\\"\"]",
		.created_seconds = 1763715900,
	};

	return crown;
}

#define SQUARE "{\"M\": 4096, \"N\": 4096, \"K\": 4096}"
#define TALL "{\"M\": 65536, \"N\": 64, \"K\": 1024}"
#define SQUARE_WINNER \
	"{\"BLOCK_X\": 32, \"BLOCK_Y\": 2, \"OFFSET\": -1, \"USE_LDG\": true, " \
	"\"SCALE\": 0.1, \"CACHE\": \"cg\", \"GRID_Y\": 2}"
#define TALL_WINNER \
	"{\"BLOCK_X\": 8, \"BLOCK_Y\": 8, \"OFFSET\": 0, \"USE_LDG\": false, " \
	"\"SCALE\": -1.5, \"CACHE\": \"ca\", \"GRID_Y\": 1}"
#define BASELINE \
	"{\"BLOCK_X\": 16, \"BLOCK_Y\": 1, \"OFFSET\": 0, \"USE_LDG\": false, " \
	"\"SCALE\": 2.0, \"CACHE\": \"ca\", \"GRID_Y\": 1}"

/* Two problems of matmul, recorded against the order of the file. */
static void record_matmul(struct place *place)
{
	struct at_evaluation tall =
		an_evaluation(place, "matmul", "tall", TALL, TALL_WINNER);
	struct at_evaluation square =
		an_evaluation(place, "matmul", "square 4096", SQUARE, SQUARE_WINNER);
	struct at_evaluation baseline =
		an_evaluation(place, "matmul", "square 4096", SQUARE, BASELINE);
	struct at_error err = { 0 };
	struct at_crown crown;

	square.facts.resident_blocks = 16;
	square.facts.occupancy = 0.5;
	strcpy(square.facts.limiting_factor, "registers, shared memory");
	crown = a_crown(place, "matmul", "tall", add(place, &tall), 0);
	crown.speedup = crown.speedup_low = crown.speedup_high = (double)NAN;
	crown.baseline_low = crown.baseline_high = (double)NAN;
	crown.metrics = "{}";
	crown.options = "[]";
	crown.launch =
		"{\"block\": [8, 8, 1], \"grid\": [8, 8192, 1], \"shared_bytes\": 0}";
	crown.score = (struct at_score){ 812.5, NAN, NAN };
	assert_ok(at_store_put_crown(place->store, &crown, &err));
	crown = a_crown(place, "matmul", "square 4096", add(place, &square),
		add(place, &baseline));
	crown.gains =
		"[{\"to\": {\"BLOCK_X\": 32, \"CACHE\": \"cg\"}, \"from\": {\"BLOCK_X\": 16, \"CACHE\": \"ca\"}, \"time_ns\": 1300000.5, \"share\": 0.925}, {\"to\": {\"USE_LDG\": true}, \"from\": {\"USE_LDG\": false}, \"time_ns\": 1234567.25, \"share\": 0.075}]";
	assert_ok(at_store_put_crown(place->store, &crown, &err));
}

static void record_vector_add(struct place *place)
{
	struct at_evaluation winner = an_evaluation(place, "vector-add", "million",
		"{\"N\": 1000000}", "{\"BLOCK_X\": 128, \"PER_THREAD\": 3}");
	struct at_error err = { 0 };
	struct at_crown crown;

	crown = a_crown(place, "vector-add", "million", add(place, &winner), 0);
	crown.metrics = "{\"bytes\": 12000000.0}";
	crown.options = "[]";
	crown.launch = "{\"block\": [128], \"grid\": [2605], \"shared_bytes\": 0}";
	assert_ok(at_store_put_crown(place->store, &crown, &err));
}

/* The path of the header that was written; freed by the caller. */
static char *write_results(struct place *place, const struct at_spec *spec)
{
	struct at_error err = { 0 };
	char *written = NULL;

	assert_ok(at_result_write(place->store,
		&(struct at_result_options){ .directory = place->directory }, spec,
		place->device_id, &written, &err));
	return written;
}

/* ---- configurations ----------------------------------------------------- */

static void writes_a_configuration_with_typed_values(void **state)
{
	struct at_spec *spec = load("matmul.cfg");
	const uint16_t configuration[] = { 2, 1, 0, 1, 0, 1, 1 };
	char *json = at_configuration_to_json(spec, configuration);

	(void)state;
	assert_string_equal(json, SQUARE_WINNER);
	free(json);
	at_spec_free(spec);
}

static bool fits(const struct at_spec *spec, const char *json, uint16_t *configuration)
{
	struct at_error err = { 0 };
	bool fits = false;

	assert_ok(at_configuration_from_json(spec, json, configuration, &fits, &err));
	return fits;
}

static void reads_back_every_configuration_that_it_writes(void **state)
{
	struct at_spec *spec = load("matmul.cfg");
	uint16_t configuration[7] = { 0 }, read[7];
	size_t count = 0;

	(void)state;
	for (;;) {
		char *json = at_configuration_to_json(spec, configuration);
		size_t place = 0;

		memset(read, 0xff, sizeof(read));
		assert_true(fits(spec, json, read));
		assert_memory_equal(read, configuration, sizeof(read));
		free(json);
		count++;
		while (place < 7 &&
			++configuration[place] == spec->parameters[place].value_count)
			configuration[place++] = 0;
		if (place == 7)
			break;
	}
	assert_int_equal(count, 3 * 4 * 2 * 2 * 3 * 3 * 2);
	at_spec_free(spec);
}

static void tells_which_configurations_do_not_fit(void **state)
{
	static const struct {
		const char *json;
		bool fits;
	} cases[] = {
		{ "{\"A\": 1, \"B\": true, \"R\": 0.1, \"W\": \"x\"}", true },
		/* the order is free, and so are blanks */
		{ "{\"W\":\"x\",\"R\":0.1,\n \"B\":true,\"A\":1}", true },
		{ "{\"A\": 2, \"B\": true, \"R\": 0.1, \"W\": \"y\"}", true },
		{ "{\"A\": 3, \"B\": true, \"R\": 0.1, \"W\": \"x\"}", false },
		{ "{\"A\": 1.0, \"B\": true, \"R\": 0.1, \"W\": \"x\"}", false },
		{ "{\"A\": true, \"B\": true, \"R\": 0.1, \"W\": \"x\"}", false },
		{ "{\"A\": 1, \"B\": 1, \"R\": 0.1, \"W\": \"x\"}", false },
		{ "{\"A\": 1, \"B\": true, \"R\": 0.2, \"W\": \"x\"}", false },
		{ "{\"A\": 1, \"B\": true, \"R\": \"0.1\", \"W\": \"x\"}", false },
		{ "{\"A\": 1, \"B\": true, \"R\": 0.1, \"W\": \"z\"}", false },
		{ "{\"A\": 1, \"B\": true, \"R\": 0.1, \"W\": null}", false },
		/* a parameter too few, and one too many */
		{ "{\"A\": 1, \"B\": true, \"R\": 0.1}", false },
		{ "{\"A\": 1, \"B\": true, \"R\": 0.1, \"W\": \"x\", \"C\": 1}",
			false },
		{ "[1, true, 0.1, \"x\"]", false },
		{ "{\"A\": 1", false },
		{ "", false },
	};
	struct at_spec *spec =
		parse("parameters: { A = [ 0, 1, 2 ]; B = [ false, true ];"
		      " R = [ 0.1, 0.5 ]; W = [ \"x\", \"y\" ]; };");
	uint16_t read[4];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (fits(spec, cases[i].json, read) != cases[i].fits)
			fail_msg("%s", cases[i].json);
	at_spec_free(spec);
}

static void keeps_reals_apart_that_differ_in_the_fifteenth_digit(void **state)
{
	struct at_spec *spec = parse("parameters: { R = [ 0.333333333333333,"
				     " 0.3333333333333334, 0.333333333333334 ]; };");
	uint16_t read;

	(void)state;
	for (uint16_t i = 0; i < 3; i += 2) {
		char *json = at_configuration_to_json(spec, &i);

		assert_true(fits(spec, json, &read));
		assert_int_equal(read, i);
		free(json);
	}
	at_spec_free(spec);
}

/* ---- the files ---------------------------------------------------------- */

/* With AUTOTUNE_WRITE_EXPECTED set, what is found becomes what is expected. */
static void assert_same_file(const char *path, const char *expected_path)
{
	struct at_error err = { 0 };
	size_t size, expected_size, same = 0, line = 1;
	char *text, *expected;

	assert_ok(at_file_read(path, 0, &text, &size, &err));
	if (getenv("AUTOTUNE_WRITE_EXPECTED"))
		assert_ok(at_file_replace(expected_path, text, size, &err));
	assert_ok(at_file_read(expected_path, 0, &expected, &expected_size, &err));
	for (; same < size && text[same] == expected[same]; same++)
		line += text[same] == '\n';
	if (same != expected_size)
		fail_msg("%s:%zu: what was written goes on with \"%.60s\"",
			expected_path, line, text + same);
	assert_int_equal(size, expected_size);
	free(text);
	free(expected);
}

static void writes_what_is_expected_for_several_problems(void **state)
{
	struct place *place = *state;
	struct at_spec *spec = load("matmul.cfg");
	char path[128], *written;

	record_matmul(place);
	written = write_results(place, spec);
	snprintf(path, sizeof(path), "%s/nvidia-h200/matmul.h", place->directory);
	assert_string_equal(written, path);
	assert_same_file(path, DATA "/matmul.h");
	snprintf(path, sizeof(path), "%s/nvidia-h200/matmul.json", place->directory);
	assert_same_file(path, DATA "/matmul.json");
	free(written);
	at_spec_free(spec);
}

static void writes_what_is_expected_for_one_problem(void **state)
{
	struct place *place = *state;
	struct at_spec *spec = load("vector-add.cfg");
	char path[128], *written;

	record_vector_add(place);
	written = write_results(place, spec);
	assert_same_file(written, DATA "/vector-add.h");
	snprintf(
		path, sizeof(path), "%s/nvidia-h200/vector-add.json", place->directory);
	assert_same_file(path, DATA "/vector-add.json");
	free(written);
	at_spec_free(spec);
}

static void leaves_files_alone_that_would_not_change(void **state)
{
	struct at_record_device device = a_device();
	struct place *place = *state;
	struct at_spec *spec = load("matmul.cfg");
	struct at_error err = { 0 };
	char json[128], *first, *second;
	struct stat before[2], after[2];

	record_matmul(place);
	snprintf(json, sizeof(json), "%s/nvidia-h200/matmul.json", place->directory);
	first = write_results(place, spec);
	assert_int_equal(stat(first, &before[0]), 0);
	assert_int_equal(stat(json, &before[1]), 0);
	/* the same crowns, though another board and a newer driver were seen since */
	device.driver = "590.2";
	device.uuid = "GPU-2";
	assert_ok(at_store_put_device(place->store, &device, &place->device_id, &err));
	second = write_results(place, spec);
	assert_int_equal(stat(second, &after[0]), 0);
	assert_int_equal(stat(json, &after[1]), 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(before[i].st_ino, after[i].st_ino);
		assert_int_equal(before[i].st_mtim.tv_sec, after[i].st_mtim.tv_sec);
		assert_int_equal(before[i].st_mtim.tv_nsec, after[i].st_mtim.tv_nsec);
	}
	free(first);
	free(second);
	at_spec_free(spec);
}

static void writes_the_header_where_it_is_asked_to(void **state)
{
	struct place *place = *state;
	struct at_spec *spec = load("vector-add.cfg");
	struct at_error err = { 0 };
	char path[128], *written = NULL;

	record_vector_add(place);
	snprintf(path, sizeof(path), "%s/tuned.h", place->directory);
	assert_ok(at_result_write(place->store,
		&(struct at_result_options){
			.directory = place->directory, .header_path = path },
		spec, place->device_id, &written, &err));
	assert_string_equal(written, path);
	assert_same_file(path, DATA "/vector-add.h");
	snprintf(
		path, sizeof(path), "%s/nvidia-h200/vector-add.json", place->directory);
	assert_true(at_file_exists(path));
	snprintf(path, sizeof(path), "%s/nvidia-h200/vector-add.h", place->directory);
	assert_false(at_file_exists(path));
	free(written);
	at_spec_free(spec);
}

/* one problem's winner is proved, the other's is not */
static void leaves_out_of_the_header_what_is_not_proved(void **state)
{
	struct place *place = *state;
	struct at_spec *spec = load("matmul.cfg");
	struct at_result_options options = { .directory = place->directory };
	struct at_error err = { 0 };
	struct at_evaluation winner =
		an_evaluation(place, "matmul", "tall", TALL, TALL_WINNER);
	struct at_crown crown;
	char *written, *text, path[128];
	size_t size;

	crown = a_crown(place, "matmul", "tall", add(place, &winner), 0);
	crown.is_unproved = true;
	crown.proof = "";
	assert_ok(at_store_put_crown(place->store, &crown, &err));
	/* nobody else is there: no header at all, but the file for programs */
	assert_ok(at_result_write(
		place->store, &options, spec, place->device_id, &written, &err));
	assert_null(written);
	snprintf(path, sizeof(path), "%s/nvidia-h200/matmul.h", place->directory);
	assert_false(at_file_exists(path));
	snprintf(path, sizeof(path), "%s/nvidia-h200/matmul.json", place->directory);
	assert_ok(at_file_read(path, 0, &text, &size, &err));
	assert_non_null(strstr(text, "\"proved\": false,\n      \"proof\": null"));
	free(text);
	crown = a_crown(place, "matmul", "square 4096", crown.evaluation_id, 0);
	assert_ok(at_store_put_crown(place->store, &crown, &err));
	written = write_results(place, spec);
	assert_ok(at_file_read(written, 0, &text, &size, &err));
	assert_non_null(strstr(text, "Problem square 4096"));
	assert_non_null(strstr(text,
		" *   proved         2 data sets, 3 problems, 6 patterns, guarded, host\n"));
	assert_null(strstr(text, "Problem tall"));
	assert_null(strstr(text, "UNPROVED"));
	free(text);
	free(written);
	options.with_unproved = true;
	assert_ok(at_result_write(
		place->store, &options, spec, place->device_id, &written, &err));
	assert_ok(at_file_read(written, 0, &text, &size, &err));
	assert_non_null(strstr(text, "Problem tall"));
	assert_non_null(strstr(text, " *   UNPROVED: its run was interrupted."));
	assert_non_null(strstr(text, "#define MATMUL_TALL_UNPROVED 1\n"));
	assert_null(strstr(text, "#define MATMUL_SQUARE_4096_UNPROVED"));
	free(text);
	free(written);
	at_spec_free(spec);
}

static void says_when_nothing_is_recorded(void **state)
{
	struct place *place = *state;
	struct at_spec *spec = load("matmul.cfg");
	struct at_error err = { 0 };
	char *written = NULL;

	record_vector_add(place);
	assert_int_equal(
		at_result_write(place->store,
			&(struct at_result_options){ .directory = place->directory },
			spec, place->device_id, &written, &err),
		AT_ENOENT);
	assert_string_equal(err.file, DATA "/matmul.cfg");
	assert_string_equal(err.text,
		"nothing is recorded for \"matmul\" on NVIDIA H200 that fits this file: tune it there first");
	assert_null(written);
	at_spec_free(spec);
}

static void leaves_out_a_winner_that_no_longer_fits(void **state)
{
	struct place *place = *state;
	struct at_spec *spec = load("matmul.cfg");
	struct at_error err = { 0 };
	struct at_json *root;
	char path[128], *text;
	size_t size;

	record_matmul(place);
	/* the square's winner has a BLOCK_X of 32 */
	assert_ok(at_spec_restrict(spec, "BLOCK_X=8,16", &err));
	free(write_results(place, spec));
	snprintf(path, sizeof(path), "%s/nvidia-h200/matmul.json", place->directory);
	assert_ok(at_file_read(path, 0, &text, &size, &err));
	assert_ok(at_json_parse(text, size, path, &root, &err));
	assert_int_equal(at_json_count(at_json_get(root, "problems")), 1);
	assert_string_equal(
		at_json_text(at_json_get(
			at_json_at(at_json_get(root, "problems"), 0), "problem")),
		"tall");
	at_json_free(root);
	free(text);
	at_spec_free(spec);
}

static void keeps_the_names_of_others_from_leading_out_of_the_directory(void **state)
{
	struct place *place = *state;
	struct at_spec *spec = load("vector-add.cfg");
	char path[128], *written;
	struct at_evaluation winner;
	struct at_error err = { 0 };
	struct at_crown crown;

	free(spec->name);
	spec->name = at_strdup("../*/x.y");
	winner = an_evaluation(place, spec->name, "million", "{\"N\": 1000000}",
		"{\"BLOCK_X\": 128, \"PER_THREAD\": 3}");
	crown = a_crown(place, spec->name, "million", add(place, &winner), 0);
	assert_ok(at_store_put_crown(place->store, &crown, &err));
	written = write_results(place, spec);
	snprintf(path, sizeof(path), "%s/nvidia-h200/-.---x.y.h", place->directory);
	assert_string_equal(written, path);
	free(written);
	at_spec_free(spec);
}

/* ---- the header in other hands ------------------------------------------ */

static bool runs(const char *format, ...) AT_PRINTF(1, 2);

static bool runs(const char *format, ...)
{
	struct at_strbuf command = { 0 };
	va_list arguments;
	int outcome;

	va_start(arguments, format);
	at_strbuf_addv(&command, format, arguments);
	va_end(arguments);
	assert_false(command.failed);
	outcome = system(command.data);
	at_strbuf_release(&command);
	return outcome != -1 && WIFEXITED(outcome) && WEXITSTATUS(outcome) == 0;
}

static const struct language {
	const char *name;
	const char *compiler; /* with what it needs to be strict */
	const char *file;
	bool is_optional;
} languages[] = {
	{ "C99", "cc -std=c99 -pedantic -Wall -Wextra -Werror", "main.c", false },
	{ "C11", "cc -std=c11 -pedantic -Wall -Wextra -Werror -Wconversion", "main.c",
		false },
	{ "C++11", "c++ -std=c++11 -pedantic -Wall -Wextra -Werror", "main.cpp",
		false },
	{ "CUDA", "nvcc -Werror all-warnings", "main.cu", true },
};

#define LANGUAGE_COUNT (sizeof(languages) / sizeof(languages[0]))

static bool is_there(const struct language *language)
{
	if (runs("%.*s --version >/dev/null 2>&1",
		    (int)strcspn(language->compiler, " "), language->compiler))
		return true;
	if (!language->is_optional)
		fail_msg("%s is not there", language->compiler);
	print_message("[  NOTE    ] no compiler for %s\n", language->name);
	return false;
}

/* Compiles source against the golden headers and runs it. */
static void assert_runs_in_every_language(const struct place *place,
	const char *directory, const char *options, const char *source)
{
	for (size_t i = 0; i < LANGUAGE_COUNT; i++) {
		const struct language *language = &languages[i];
		struct at_error err = { 0 };
		char path[128];

		if (!is_there(language))
			continue;
		snprintf(path, sizeof(path), "%s/%s", place->directory, language->file);
		assert_ok(at_file_replace(path, source, strlen(source), &err));
		if (!runs("%s %s -I %s -o %s/program %s -lm 2>%s/log || { head -n 20 %s/log >&2; false; }",
			    language->compiler, options, directory, place->directory,
			    path, place->directory, place->directory))
			fail_msg("%s does not compile", language->name);
		if (!runs("%s/program", place->directory))
			fail_msg("%s: wrong", language->name);
	}
}

#define CHECK \
	"#include <stdio.h>\n" \
	"#include <string.h>\n" \
	"static int failures;\n" \
	"static void check(int right, int line)\n" \
	"{\n" \
	"	if (!right)\n" \
	"		fprintf(stderr, \"line %d is wrong\\n\", line);\n" \
	"	failures += !right;\n" \
	"}\n" \
	"#define CHECK(condition) check((condition) ? 1 : 0, __LINE__)\n"

static void offers_the_first_problem_under_short_names(void **state)
{
	assert_runs_in_every_language(*state, DATA, "",
		"#include \"matmul.h\"\n"
		"#include \"matmul.h\"\n"
		"#include \"vector-add.h\"\n" CHECK
		"#if MATMUL_CACHE != MATMUL_CACHE_cg || MATMUL_CACHE == MATMUL_CACHE_ca\n"
		"#error words\n"
		"#endif\n"
		"#if MATMUL_OFFSET != -1 || MATMUL_USE_LDG != 1 || MATMUL_BLOCK_X != 32\n"
		"#error integers\n"
		"#endif\n"
		"#ifdef BLOCK_X\n"
		"#error bare names were not asked for\n"
		"#endif\n"
		"int main(void)\n"
		"{\n"
		"	CHECK(MATMUL_BLOCK_X == 32 && MATMUL_BLOCK_Y == 2);\n"
		"	CHECK(MATMUL_SCALE == 0.1);\n"
		"	CHECK(MATMUL_CACHE_ca == 1 && MATMUL_CACHE_cg == 2);\n"
		"	CHECK(MATMUL_CACHE_cs == 3);\n"
		"	CHECK(!strcmp(MATMUL_CACHE_NAME, \"cg\"));\n"
		"	CHECK(!strcmp(MATMUL_OPTIONS,\n"
		"		\"--ptxas-options=-dlcm=cg -DTEXT=\\\"a\\\"\"));\n"
		"	CHECK(MATMUL_BLOCK_DIM_X == 32 && MATMUL_BLOCK_DIM_Y == 2);\n"
		"	CHECK(MATMUL_BLOCK_DIM_Z == 1 && MATMUL_SHARED_BYTES == 8192);\n"
		"	CHECK(MATMUL_GRID_X(257, 129, 67) == 5);\n"
		"	CHECK(MATMUL_GRID_X(257, 1 << 20, 67) == 528);\n"
		"	CHECK(MATMUL_GRID_Y_(257, 129, 67) == 64);\n"
		"	CHECK(MATMUL_GRID_Y == 2);\n"
		"	CHECK(MATMUL_GRID_Z(257, 129, 67) == 1);\n"
		"	CHECK(MATMUL_GRID_Y_(1000 + 1000, 1, 1) == 500);\n"
		"	CHECK(MATMUL_SHARED_BYTES_FOR(257, 129, 67) == 8192);\n"
		"	CHECK(MATMUL_SHARED_BYTES_FOR(257, 129, 7) == 896);\n"
		"	CHECK(MATMUL_SQUARE_4096_BLOCK_X == 32);\n"
		"	CHECK(MATMUL_TALL_BLOCK_X == 8 && MATMUL_TALL_SCALE == -1.5);\n"
		"	CHECK(MATMUL_TALL_CACHE == MATMUL_TALL_CACHE_ca);\n"
		"	CHECK(MATMUL_TALL_GRID_X(257, 129, 67) == 17);\n"
		"	CHECK(MATMUL_TALL_SHARED_BYTES_FOR(257, 129, 67) == 0);\n"
		"	CHECK(!strcmp(MATMUL_TALL_OPTIONS, \"\"));\n"
		"	CHECK(VECTOR_ADD_BLOCK_X == 128 && VECTOR_ADD_PER_THREAD == 3);\n"
		"	CHECK(VECTOR_ADD_GRID_X(1000000) == 2605);\n"
		"	return failures != 0;\n"
		"}\n");
}

static void offers_another_problem_where_it_is_chosen(void **state)
{
	assert_runs_in_every_language(*state, DATA, "-DMATMUL_PROBLEM_TALL",
		"#include \"matmul.h\"\n" CHECK "int main(void)\n"
		"{\n"
		"	CHECK(MATMUL_BLOCK_X == 8 && MATMUL_BLOCK_Y == 8);\n"
		"	CHECK(MATMUL_CACHE == MATMUL_CACHE_ca);\n"
		"	CHECK(MATMUL_GRID_X(257, 129, 67) == 17);\n"
		"	CHECK(MATMUL_BLOCK_DIM_Y == 8 && MATMUL_SHARED_BYTES == 0);\n"
		"	CHECK(MATMUL_SQUARE_4096_BLOCK_X == 32);\n"
		"	return failures != 0;\n"
		"}\n");
}

static void compiles_the_template_from_the_header_alone(void **state)
{
	/* included once for its own names, again for the bare ones, and after
	   another kernel's that has parameters of the same names */
	assert_runs_in_every_language(*state, DATA, "",
		"#include \"matmul.h\"\n"
		"#define VECTOR_ADD_BARE\n"
		"#include \"vector-add.h\"\n" CHECK
		"static int vector_add_block(void) { return BLOCK_X * PER_THREAD; }\n"
		"#define MATMUL_BARE\n"
		"#include \"matmul.h\"\n"
		"#include \"matmul.h\"\n"
		"#if CACHE == CACHE_ca\n"
		"#error CACHE is cg\n"
		"#elif CACHE == CACHE_cg && USE_LDG && OFFSET < 0\n"
		"static int tile[BLOCK_X * BLOCK_Y];\n"
		"#endif\n"
		"#ifdef __CUDACC__\n"
		"__global__ void matmul(float *out)\n"
		"{\n"
		"	__shared__ float shared[BLOCK_X];\n"
		"	shared[threadIdx.x] = float(SCALE);\n"
		"	out[threadIdx.x] = shared[BLOCK_X - 1 - threadIdx.x];\n"
		"}\n"
		"#endif\n"
		"int main(void)\n"
		"{\n"
		"	CHECK(sizeof(tile) / sizeof(tile[0]) == 64 && tile[63] == 0);\n"
		"	CHECK(SCALE == 0.1 && CACHE_cs == 3 && CACHE == 2 && GRID_Y == 2);\n"
		"	CHECK(vector_add_block() == 384);\n"
		"	return failures != 0;\n"
		"}\n");
}

/* A = 12, B = 18, MODE = slow, RATIO = 1.5 */
static const uint16_t functions_winner[] = { 0, 0, 1, 0 };

/* CHECK(FUNCTIONS_GRID_X(...) == what the expression evaluates to); */
static void add_check(const struct at_spec *spec, const struct at_value *slots,
	const char *name, const struct at_expression *expression, struct at_strbuf *out)
{
	struct at_error err = { 0 };
	int64_t expected = 0;

	assert_ok(at_spec_integer(
		spec, expression, slots, name, 0, 0, INT32_MAX, &expected, &err));
	at_strbuf_addf(out, "\tCHECK(FUNCTIONS_%s(", name);
	for (size_t i = 0; i < spec->size_count; i++) {
		at_strbuf_add(out, i ? ", " : "");
		at_value_format(slots[spec->parameter_count + i], out);
	}
	at_strbuf_addf(out, ") == %lld);\n", (long long)expected);
}

static void add_all_checks(const struct at_spec *spec, struct at_strbuf *out)
{
	static const int64_t sizes[] = { 1, 2, 3, 11, 12, 13, 64, 100, 1023, 65536 };
	enum { COUNT = sizeof(sizes) / sizeof(sizes[0]) };
	struct at_value *slots = calloc(spec->slot_count, sizeof(*slots));
	struct at_value *n = NULL, *m = NULL;

	assert_non_null(slots);
	at_spec_bind(spec, &spec->problems[0], NULL, NULL, slots);
	at_spec_bind_configuration(spec, functions_winner, slots);
	for (size_t i = 0; i < spec->size_count; i++) {
		if (!strcmp(spec->size_names[i], "N"))
			n = &slots[spec->parameter_count + i];
		if (!strcmp(spec->size_names[i], "M"))
			m = &slots[spec->parameter_count + i];
	}
	assert_true(n && m);
	for (size_t i = 0; i < COUNT * COUNT; i++) {
		n->integer = sizes[i / COUNT];
		m->integer = sizes[i % COUNT];
		add_check(spec, slots, "BLOCK_DIM_X_FOR", spec->launch.block[0], out);
		add_check(spec, slots, "BLOCK_DIM_Y_FOR", spec->launch.block[1], out);
		add_check(spec, slots, "BLOCK_DIM_Z_FOR", spec->launch.block[2], out);
		add_check(spec, slots, "GRID_X", spec->launch.grid[0], out);
		add_check(spec, slots, "GRID_Y", spec->launch.grid[1], out);
		add_check(spec, slots, "GRID_Z", spec->launch.grid[2], out);
	}
	free(slots);
}

static void computes_the_launch_as_the_tuner_does(void **state)
{
	struct place *place = *state;
	struct at_spec *spec = load("functions.cfg");
	char *json = at_configuration_to_json(spec, functions_winner);
	struct at_evaluation winner =
		an_evaluation(place, "functions", "million", "{}", json);
	struct at_crown crown = a_crown(place, "functions", "million", 1, 0);
	struct at_record_device device = a_device();
	struct at_strbuf header = { 0 }, source = { 0 };
	struct at_error err = { 0 };
	char path[128];

	assert_ok(at_result_header(spec, &device, &crown, &winner, 1, &header, &err));
	/* what cannot be said with integers is left out and says so */
	assert_null(strstr(header.data, "#define FUNCTIONS_SHARED_BYTES_FOR"));
	assert_non_null(strstr(header.data,
		"/* no FUNCTIONS_SHARED_BYTES_FOR: it needs reals: ceil_div(N * HALF, A) + device.warp_size */"));
	snprintf(path, sizeof(path), "%s/functions.h", place->directory);
	assert_ok(at_file_replace(path, header.data, header.length, &err));
	at_strbuf_add(
		&source, "#include \"functions.h\"\n" CHECK "int main(void)\n{\n");
	add_all_checks(spec, &source);
	at_strbuf_add(&source, "\treturn failures != 0;\n}\n");
	assert_false(source.failed);
	assert_runs_in_every_language(place, place->directory, "", source.data);
	at_strbuf_release(&source);
	at_strbuf_release(&header);
	free(json);
	at_spec_free(spec);
}

static void writes_nothing_that_ends_its_comment(void **state)
{
	struct place *place = *state;
	struct at_spec *spec = load("vector-add.cfg");
	struct at_record_device device = a_device();
	struct at_evaluation winner = an_evaluation(place, "vector-add", "million",
		"{\"N\": 1000000}", "{\"BLOCK_X\": 128, \"PER_THREAD\": 3}");
	struct at_crown crown = a_crown(place, "vector-add", "million", 1, 0);
	struct at_strbuf header = { 0 };
	struct at_error err = { 0 };
	char path[128];

	device.model = "a */ b\n#error */";
	crown.toolchain = "**/";
	crown.options = "[\"-D?\?/\", \"\\\\\"]";
	assert_ok(at_result_header(spec, &device, &crown, &winner, 1, &header, &err));
	snprintf(path, sizeof(path), "%s/vector-add.h", place->directory);
	assert_ok(at_file_replace(path, header.data, header.length, &err));
	assert_runs_in_every_language(place, place->directory, "",
		"#include \"vector-add.h\"\n" CHECK "int main(void)\n"
		"{\n"
		"	CHECK(!strcmp(VECTOR_ADD_OPTIONS, \"-D?\" \"?/ \\\\\"));\n"
		"	return failures != 0;\n"
		"}\n");
	at_strbuf_release(&header);
	at_spec_free(spec);
}

#define test(function) \
	cmocka_unit_test_setup_teardown(function, make_place, remove_place)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_a_configuration_with_typed_values),
		cmocka_unit_test(reads_back_every_configuration_that_it_writes),
		cmocka_unit_test(tells_which_configurations_do_not_fit),
		cmocka_unit_test(keeps_reals_apart_that_differ_in_the_fifteenth_digit),
		test(writes_what_is_expected_for_several_problems),
		test(writes_what_is_expected_for_one_problem),
		test(leaves_files_alone_that_would_not_change),
		test(writes_the_header_where_it_is_asked_to),
		test(leaves_out_of_the_header_what_is_not_proved),
		test(says_when_nothing_is_recorded),
		test(leaves_out_a_winner_that_no_longer_fits),
		test(keeps_the_names_of_others_from_leading_out_of_the_directory),
		test(offers_the_first_problem_under_short_names),
		test(offers_another_problem_where_it_is_chosen),
		test(compiles_the_template_from_the_header_alone),
		test(computes_the_launch_as_the_tuner_does),
		test(writes_nothing_that_ends_its_comment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
