/* Result files: configurations written and read back, and when files are written. */
#include "record_fixture.h"
#include "record/result.h"

#include "base/json.h"
#include "base/memory.h"
#include "record/evaluation_json.h"
#include "space/spec_load.h"

#define DATA AT_TEST_DIR "/data/result"

/* ---- a directory and a store of its own for every test ---- */

struct place {
	struct record_place record;
	const char *directory; /* of results */
	char header[128], json[160]; /* of matmul */
	struct at_store *store;
	int64_t device_id;
};

static struct at_record_device a_device(void)
{
	static const struct {
		enum at_property property;
		int64_t value;
	} rows[] = {
		{ AT_PROPERTY_COMPUTE_CAPABILITY, 90 },
		{ AT_PROPERTY_MULTIPROCESSOR_COUNT, 132 },
		{ AT_PROPERTY_WARP_SIZE, 32 },
		{ AT_PROPERTY_MEMORY_BYTES, 150754820096 },
		{ AT_PROPERTY_CLOCK_HZ, 1980000000 },
	};
	struct at_record_device device = record_device("cuda", "NVIDIA H200",
		"nvidia-h200", "sm_90", "580.1 (CUDA 13.0)", "GPU-1");

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++)
		at_properties_set(&device.properties, rows[i].property, rows[i].value);
	return device;
}

static void open_place(struct place *place, const char *directory)
{
	struct at_record_device device = a_device();

	place->directory = directory;
	snprintf(place->header, sizeof(place->header), "%s/matmul.h", directory);
	snprintf(place->json, sizeof(place->json), "%s/nvidia-h200/matmul.json",
		directory);
	place->store = record_open(directory);
	assert_ok(at_store_put_device(
		place->store, &device, &place->device_id, &failure));
}

static void make_place(struct place *place)
{
	record_place_make(&place->record);
	open_place(place, place->record.results);
}

static void remove_place(struct place *place)
{
	at_store_close(place->store);
	record_place_remove(&place->record);
}

#define TEST_HERE(name) TEST_ON(name, struct place, place, make_place, remove_place)

/* ---- specs, evaluations, winners ----------------------------------------- */

static struct at_spec *load(const char *name)
{
	struct at_spec *spec;
	char path[256];

	snprintf(path, sizeof(path), DATA "/%s", name);
	assert_ok(at_spec_load(path, &spec, &failure));
	return spec;
}

static struct at_spec *parse(const char *text)
{
	struct at_spec *spec;

	assert_ok(at_spec_parse(text, strlen(text), "inline.cfg", &spec, &failure));
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
	assert_ok(at_store_add(place->store, evaluation, &failure));
	return evaluation->id;
}

static struct at_winner a_winner(const struct place *place, const char *space,
	const char *problem, int64_t winner, int64_t baseline)
{
	struct at_winner best = {
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
		.verification =
			"{\"problems\": 3, \"data_sets\": 2, \"patterns\": 6, \"launches\": 45, \"guarded\": true, \"zones\": true, \"crowded\": false, \"passed\": [\"host\"], \"not_run\": {\"racecheck\": \"compute-sanitizer is not installed\"}}",
		.options = "[\"--ptxas-options=-dlcm=cg\", \"-DTEXT=\\\"a\\\"\"]",
		.created_seconds = 1763715900,
	};

	return best;
}

#define SQUARE "{\"M\": 4096, \"N\": 4096, \"K\": 4096}"
#define TALL "{\"M\": 65536, \"N\": 64, \"K\": 1024}"
#define SQUARE_WINNER \
	"{\"BLOCK_X\": 32, \"BLOCK_Y\": 2, \"OFFSET\": -1, \"USE_LDG\": true, " \
	"\"SCALE\": 0.1, \"CACHE\": \"cg\", \"GRID_Y\": 2}"
#define TALL_OPTIONS "[\"--ptxas-options=-dlcm=ca\", \"-DTEXT=\\\"a\\\"\"]"
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
	struct at_winner best;

	square.facts.resident_blocks = 16;
	square.facts.occupancy = 0.5;
	strcpy(square.facts.limiting_factor, "registers, shared memory");
	best = a_winner(place, "matmul", "tall", add(place, &tall), 0);
	best.speedup = best.speedup_low = best.speedup_high = (double)NAN;
	best.baseline_low = best.baseline_high = (double)NAN;
	best.metrics = "{}";
	best.options = "[]";
	best.launch =
		"{\"block\": [8, 8, 1], \"grid\": [8, 8192, 1], \"shared_bytes\": 0}";
	best.score = (struct at_score){ 812.5, NAN, NAN };
	assert_ok(at_store_put_winner(place->store, &best, &failure));
	best = a_winner(place, "matmul", "square 4096", add(place, &square),
		add(place, &baseline));
	best.gains =
		"[{\"to\": {\"BLOCK_X\": 32, \"CACHE\": \"cg\"}, \"from\": {\"BLOCK_X\": 16, \"CACHE\": \"ca\"}, \"time_ns\": 1300000.5, \"share\": 0.925}, {\"to\": {\"USE_LDG\": true}, \"from\": {\"USE_LDG\": false}, \"time_ns\": 1234567.25, \"share\": 0.075}]";
	assert_ok(at_store_put_winner(place->store, &best, &failure));
}

static void record_vector_add(struct place *place)
{
	struct at_evaluation winner = an_evaluation(place, "vector-add", "million",
		"{\"N\": 1000000}", "{\"BLOCK_X\": 128, \"PER_THREAD\": 3}");
	struct at_winner best;

	best = a_winner(place, "vector-add", "million", add(place, &winner), 0);
	best.metrics = "{\"bytes\": 12000000.0}";
	best.options = "[]";
	best.launch = "{\"block\": [128], \"grid\": [2605], \"shared_bytes\": 0}";
	assert_ok(at_store_put_winner(place->store, &best, &failure));
}

/* The path of the header that was written; freed by the caller. */
static char *write_results(struct place *place, const struct at_spec *spec)
{
	char *written = NULL;

	assert_ok(at_result_write(place->store,
		&(struct at_result_options){ .directory = place->directory }, spec,
		place->device_id, &written, &failure));
	return written;
}

/* ---- configurations ----------------------------------------------------- */

TEST(writes_a_configuration_with_typed_values)
{
	OWNED(at_spec_free) struct at_spec *spec = load("matmul.cfg");
	const uint16_t configuration[] = { 2, 1, 0, 1, 0, 1, 1 };
	OWNED(free) char *json = at_configuration_to_json(spec, configuration);

	assert_string_equal(json, SQUARE_WINNER);
}

static bool fits(const struct at_spec *spec, const char *json, uint16_t *configuration)
{
	bool fits = false;

	at_configuration_from_json(spec, json, configuration, &fits);
	return fits;
}

TEST(reads_back_every_configuration_that_it_writes)
{
	OWNED(at_spec_free) struct at_spec *spec = load("matmul.cfg");
	uint16_t configuration[7] = { 0 }, read[7];
	size_t count = 0;

	for (;;) {
		OWNED(free) char *json = at_configuration_to_json(spec, configuration);
		size_t place = 0;

		memset(read, 0xff, sizeof(read));
		assert_true(fits(spec, json, read));
		assert_memory_equal(read, configuration, sizeof(read));
		count++;
		while (place < 7 &&
			++configuration[place] == spec->parameters[place].value_count)
			configuration[place++] = 0;
		if (place == 7)
			break;
	}
	assert_int_equal(count, 3 * 4 * 2 * 2 * 3 * 3 * 2);
}

TEST(tells_which_configurations_do_not_fit)
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
	OWNED(at_spec_free)
	struct at_spec *spec =
		parse("parameters: { A = [ 0, 1, 2 ]; B = [ false, true ];"
		      " R = [ 0.1, 0.5 ]; W = [ \"x\", \"y\" ]; };");
	uint16_t read[4];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (fits(spec, cases[i].json, read) != cases[i].fits)
			fail_msg("%s", cases[i].json);
}

TEST(keeps_reals_apart_that_differ_in_the_fifteenth_digit)
{
	OWNED(at_spec_free)
	struct at_spec *spec = parse("parameters: { R = [ 0.333333333333333,"
				     " 0.3333333333333334, 0.333333333333334 ]; };");
	uint16_t read;

	for (uint16_t i = 0; i < 3; i += 2) {
		OWNED(free) char *json = at_configuration_to_json(spec, &i);

		assert_true(fits(spec, json, &read));
		assert_int_equal(read, i);
	}
}

/* ---- the files ---------------------------------------------------------- */

/* With AUTOTUNE_WRITE_EXPECTED set, what is found becomes what is expected. */
static void assert_same_text(const char *text, size_t size, const char *expected_path)
{
	size_t expected_size, same = 0, line = 1;
	OWNED(free) char *expected;

	if (getenv("AUTOTUNE_WRITE_EXPECTED"))
		assert_ok(at_file_replace(expected_path, text, size, &failure));
	assert_ok(at_file_read(expected_path, 0, &expected, &expected_size, &failure));
	for (; same < size && text[same] == expected[same]; same++)
		line += text[same] == '\n';
	if (same != expected_size)
		fail_msg("%s:%zu: what was written goes on with \"%.60s\"",
			expected_path, line, text + same);
	assert_int_equal(size, expected_size);
}

static void assert_same_file(const char *path, const char *expected_path)
{
	size_t size;
	OWNED(free) char *text;

	assert_ok(at_file_read(path, 0, &text, &size, &failure));
	assert_same_text(text, size, expected_path);
}

/* Without the stamp. */
static void assert_same_header(const char *path, const char *expected_path)
{
	OWNED(free) char *text = file_text(path);
	char *from;

	/* a number of all of it */
	from = strstr(text, "_CONTENTS 0x");
	assert_non_null(from);
	from += strlen("_CONTENTS 0x");
	assert_int_equal(strspn(from, "0123456789abcdef"), 16);
	memset(from, '0', 16);
	from = strstr(text, "*/\n");
	assert_non_null(from);
	assert_same_text(from + 3, strlen(from + 3), expected_path);
}

TEST_HERE(writes_what_is_expected_for_several_problems)
{
	OWNED(at_spec_free) struct at_spec *spec = load("matmul.cfg");
	OWNED(free) char *written;

	record_matmul(place);
	written = write_results(place, spec);
	assert_string_equal(written, place->header);
	assert_same_header(written, DATA "/matmul.h");
	assert_same_file(place->json, DATA "/matmul.json");
}

TEST_HERE(writes_what_is_expected_for_one_problem)
{
	OWNED(at_spec_free) struct at_spec *spec = load("vector-add.cfg");
	char path[160];
	OWNED(free) char *written;

	record_vector_add(place);
	written = write_results(place, spec);
	assert_same_header(written, DATA "/vector-add.h");
	snprintf(
		path, sizeof(path), "%s/nvidia-h200/vector-add.json", place->directory);
	assert_same_file(path, DATA "/vector-add.json");
}

TEST_HERE(leaves_files_alone_that_would_not_change)
{
	struct at_record_device device = a_device();
	OWNED(at_spec_free) struct at_spec *spec = load("matmul.cfg");
	OWNED(free) char *first, *second;
	struct stat before[2], after[2];

	record_matmul(place);
	first = write_results(place, spec);
	assert_int_equal(stat(first, &before[0]), 0);
	assert_int_equal(stat(place->json, &before[1]), 0);
	/* the same winners, though another board and a newer driver were seen since */
	device.driver = "590.2";
	device.uuid = "GPU-2";
	assert_ok(at_store_put_device(
		place->store, &device, &place->device_id, &failure));
	second = write_results(place, spec);
	assert_int_equal(stat(second, &after[0]), 0);
	assert_int_equal(stat(place->json, &after[1]), 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(before[i].st_ino, after[i].st_ino);
		assert_int_equal(before[i].st_mtim.tv_sec, after[i].st_mtim.tv_sec);
		assert_int_equal(before[i].st_mtim.tv_nsec, after[i].st_mtim.tv_nsec);
	}
}

TEST_HERE(writes_the_header_where_it_is_asked_to)
{
	OWNED(at_spec_free) struct at_spec *spec = load("vector-add.cfg");
	char path[160];
	OWNED(free) char *written = NULL;

	record_vector_add(place);
	snprintf(path, sizeof(path), "%s/tuned.h", place->directory);
	assert_ok(at_result_write(place->store,
		&(struct at_result_options){
			.directory = place->directory, .header_path = path },
		spec, place->device_id, &written, &failure));
	assert_string_equal(written, path);
	assert_same_header(path, DATA "/vector-add.h");
	snprintf(path, sizeof(path), "%s/vector-add.h", place->directory);
	assert_false(at_file_exists(path));
}

/* one problem's winner is verified, the other's is not */
TEST_HERE(leaves_out_of_the_header_what_is_not_verified)
{
	OWNED(at_spec_free) struct at_spec *spec = load("matmul.cfg");
	struct at_result_options options = { .directory = place->directory };
	struct at_evaluation winner =
		an_evaluation(place, "matmul", "tall", TALL, TALL_WINNER);
	struct at_winner best;
	char *written, *text;

	best = a_winner(place, "matmul", "tall", add(place, &winner), 0);
	best.is_unverified = true;
	best.verification = "";
	best.options = TALL_OPTIONS;
	assert_ok(at_store_put_winner(place->store, &best, &failure));
	/* nobody else is there: no header at all, but the file for programs */
	assert_ok(at_result_write(
		place->store, &options, spec, place->device_id, &written, &failure));
	assert_null(written);
	assert_false(at_file_exists(place->header));
	text = file_text(place->json);
	assert_non_null(
		strstr(text, "\"verified\": false,\n      \"verification\": null"));
	free(text);
	best = a_winner(place, "matmul", "square 4096", best.evaluation_id, 0);
	best.options = TALL_OPTIONS;
	assert_ok(at_store_put_winner(place->store, &best, &failure));
	written = write_results(place, spec);
	text = file_text(written);
	assert_non_null(strstr(text, "\n * square 4096 on NVIDIA H200"));
	assert_non_null(strstr(text,
		" *   verified       2 data sets, 3 problems, 6 patterns, guarded, host\n"));
	assert_null(strstr(text, "\n * tall on NVIDIA H200"));
	assert_null(strstr(text, "UNVERIFIED"));
	free(text);
	free(written);
	options.with_unverified = true;
	assert_ok(at_result_write(
		place->store, &options, spec, place->device_id, &written, &failure));
	text = file_text(written);
	assert_non_null(strstr(text, "\n * tall on NVIDIA H200"));
	assert_non_null(strstr(text, " *   UNVERIFIED: its run was interrupted."));
	assert_non_null(strstr(text, "#define MATMUL_NVIDIA_H200_TALL_UNVERIFIED 1\n"));
	assert_null(strstr(text, "#define MATMUL_NVIDIA_H200_SQUARE_4096_UNVERIFIED"));
	free(text);
	free(written);
}

TEST_HERE(says_when_nothing_is_recorded)
{
	OWNED(at_spec_free) struct at_spec *spec = load("matmul.cfg");
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
}

/* In a process of its own: winners on its device, and writes what is there by now. */
static void winner_and_write(const char *directory, const char *model)
{
	struct at_record_device device = a_device();
	struct place place = { .directory = directory };
	OWNED(at_spec_free) struct at_spec *spec = load("vector-add.cfg");

	device.model = device.slug = (char *)model;
	if (at_store_open(directory, &place.store, NULL) ||
		at_store_put_device(place.store, &device, &place.device_id, NULL))
		_exit(1);
	record_vector_add(&place);
	free(write_results(&place, spec));
	at_store_close(place.store);
	_exit(0);
}

TEST_HERE(has_the_winners_of_all_processes_that_write_at_once)
{
	static const char *const models[] = { "one", "two", "three" };
	char path[160], *text;

	for (int round = 0; round < 5; round++) {
		char folder[128];
		pid_t children[3];

		snprintf(folder, sizeof(folder), "%s/%d", place->directory, round);
		assert_ok(at_directory_make(folder, &failure));
		for (int i = 0; i < 3; i++) {
			children[i] = fork();
			assert_true(children[i] >= 0);
			if (!children[i])
				winner_and_write(folder, models[i]);
		}
		for (int i = 0; i < 3; i++)
			assert_int_equal(exit_of(children[i]), 0);
		snprintf(path, sizeof(path), "%s/vector-add.h", folder);
		text = file_text(path);
		assert_non_null(strstr(text, "#define VECTOR_ADD_DEVICE_COUNT 3\n"));
		free(text);
	}
}

TEST_HERE(leaves_out_a_winner_that_no_longer_fits)
{
	OWNED(at_spec_free) struct at_spec *spec = load("matmul.cfg");
	OWNED(at_json_free) struct at_json *root;
	OWNED(free) char *text;

	record_matmul(place);
	/* the square's winner has a BLOCK_X of 32 */
	assert_ok(at_spec_restrict(spec, "BLOCK_X=8,16", &failure));
	free(write_results(place, spec));
	text = file_text(place->json);
	assert_ok(at_json_parse(text, strlen(text), "json", &root, &failure));
	assert_int_equal(at_json_count(at_json_get(root, "problems")), 1);
	assert_string_equal(
		at_json_text(at_json_get(
			at_json_at(at_json_get(root, "problems"), 0), "problem")),
		"tall");
}

/* What a file that cannot be read has would be lacking in the header, and in the file.
 */
TEST_HERE(replaces_nothing_while_a_file_cannot_be_read)
{
	static const char *const slugs[] = { "nvidia-h100", "nvidia-h200" };
	OWNED(at_spec_free) struct at_spec *spec = load("matmul.cfg");
	char path[160];

	record_matmul(place);
	free(write_results(place, spec));
	for (size_t i = 0; i < AT_COUNT_OF(slugs); i++) {
		struct at_error err = { 0 };
		char *written = NULL;

		snprintf(path, sizeof(path), "%s/%s", place->directory, slugs[i]);
		assert_ok(at_directory_make(path, &failure));
		snprintf(path, sizeof(path), "%s/%s/matmul.json", place->directory,
			slugs[i]);
		assert_ok(at_file_replace(path, "{\n", 2, &failure));
		assert_int_equal(at_result_write(place->store,
					 &(struct at_result_options){
						 .directory = place->directory },
					 spec, place->device_id, &written, &err),
			AT_EINVAL);
		assert_string_equal(err.file, path);
		assert_null(written);
		assert_non_null(
			strstr(err.text, "; nothing is written that would lack"));
		assert_int_equal(remove(path), 0);
	}
	/* as before, and no file in the other one's place */
	assert_false(at_file_exists(path));
	assert_same_header(place->header, DATA "/matmul.h");
}

TEST_HERE(keeps_the_names_of_others_from_leading_out_of_the_directory)
{
	OWNED(at_spec_free) struct at_spec *spec = load("vector-add.cfg");
	char path[160];
	OWNED(free) char *written;
	struct at_evaluation winner;
	struct at_winner best;

	spec->name = at_spec_own(spec, at_strdup("../*/x.y"));
	winner = an_evaluation(place, spec->name, "million", "{\"N\": 1000000}",
		"{\"BLOCK_X\": 128, \"PER_THREAD\": 3}");
	best = a_winner(place, spec->name, "million", add(place, &winner), 0);
	best.options = "[]";
	assert_ok(at_store_put_winner(place->store, &best, &failure));
	written = write_results(place, spec);
	snprintf(path, sizeof(path), "%s/-.---x.y.h", place->directory);
	assert_string_equal(written, path);
}

RUN_SUITE(NULL, NULL)
