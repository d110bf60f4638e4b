/* Result files read back: written out again they are the same, errors name their line,
   and files that do not belong are left alone. */
#include "folder.h"
#include "record/results.h"

#include "base/memory.h"
#include "base/random.h"
#include "record/result.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "suite.h"

#define DATA AT_TEST_DIR "/data/result"
#define H200 "nvidia-h200"

/* ---- a folder of its own for every test ------------------------------------ */

static char folder[] = "/tmp/autotune-shipped-XXXXXX";

static int make_folder(void **state)
{
	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	assert_non_null(folder_make(folder));
	return 0;
}

#define IN_FOLDER(name) TEST_WITH(name, make_folder, NULL)

/* <folder>/<name>, whose own folder is made */
static void put(const char *name, const char *text)
{
	OWNED(free)
	char *path = at_path_join(folder, name), *parent = at_path_directory(path);

	assert_ok(at_directory_make(parent, &failure));
	file_write(path, text);
}

/* The text with the first `from` made `to`; the caller's. */
static char *changed(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);
	struct at_strbuf out = { 0 };

	if (!at)
		fail_msg("the text has no %s", from);
	at_strbuf_add_bytes(&out, text, (size_t)(at - text));
	at_strbuf_add(&out, to);
	at_strbuf_add(&out, at + strlen(from));
	return at_strbuf_detach(&out);
}

/* ---- what was written ------------------------------------------------------- */

static char *write_again(const struct at_results *results, const char *spec_name)
{
	const struct at_result **items = calloc(results->count, sizeof(*items));
	struct at_strbuf out = { 0 };
	OWNED(at_spec_free) struct at_spec *spec;
	char path[256];

	snprintf(path, sizeof(path), DATA "/%s", spec_name);
	assert_ok(at_spec_load(path, &spec, &failure));
	for (size_t i = 0; i < results->count; i++)
		items[i] = &results->items[i];
	assert_ok(at_result_json(spec, &results->items[0].device, items, results->count,
		&results->counterexamples, &out, &failure));
	free(items);
	return at_strbuf_detach(&out);
}

TEST(gives_the_bytes_that_it_read_when_it_writes_them)
{
	static const char *const names[][3] = { { "matmul.json", "matmul.cfg", H200 },
		{ "vector-add.json", "vector-add.cfg", H200 },
		/* as a run left it */
		{ "copy.json", "../../../spaces/copy.cfg",
			"intel-r-xeon-r-processor-2-50ghz-2-cores" } };

	for (size_t i = 0; i < AT_COUNT_OF(names); i++) {
		RELEASED(at_results_release) struct at_results results = { 0 };
		char path[256];
		OWNED(free) char *text, *again;

		snprintf(path, sizeof(path), DATA "/%s", names[i][0]);
		text = file_text(path);
		assert_ok(at_bundled_parse(
			text, strlen(text), path, names[i][2], &results, &failure));
		again = write_again(&results, names[i][1]);
		assert_string_equal(again, text);
	}
}

/* In decimals that 15 digits cut off: what is computed of them must not differ. */
TEST(gives_the_same_bytes_for_any_times)
{
	RELEASED(at_results_release) struct at_results results = { 0 };
	struct at_random random;
	OWNED(free) char *text = file_text(DATA "/matmul.json");

	at_random_init(&random, 7);
	assert_ok(at_bundled_parse(
		text, strlen(text), "a.json", H200, &results, &failure));
	for (int i = 0; i < 200; i++) {
		RELEASED(at_results_release) struct at_results read = { 0 };
		struct at_winner *best = &results.items[0].best;
		OWNED(free) char *once, *twice;

		best->score.value = 1e3 + 1e6 * at_random_unit(&random);
		best->score.low = best->score.high = best->score.value;
		best->speedup = 1 + 9 * at_random_unit(&random);
		best->speedup_low = best->speedup - 0.5;
		best->speedup_high = best->speedup + 1.0 / 3;
		/* of no width, as where a clock has steps */
		best->baseline_low = best->score.value * best->speedup;
		best->baseline_high = best->baseline_low;
		once = write_again(&results, "matmul.cfg");
		assert_ok(at_bundled_parse(
			once, strlen(once), "a.json", H200, &read, &failure));
		twice = write_again(&read, "matmul.cfg");
		assert_string_equal(twice, once);
	}
}

/* A winner by another objective has the times of single evaluations beside it. */
TEST(gives_the_same_winners_by_energy)
{
	RELEASED(at_results_release) struct at_results results = { 0 }, read = { 0 };
	OWNED(free) char *text = file_text(DATA "/matmul.json"), *once, *twice, *wrong;
	struct at_winner *best;

	assert_ok(at_bundled_parse(
		text, strlen(text), "a.json", H200, &results, &failure));
	best = &results.items[0].best;
	best->objective = &at_objective_energy;
	best->score = (struct at_score){ 0.25, 0.2, 0.5 };
	best->baseline_low = 0.3;
	best->baseline_high = 0.9;
	results.items[0].winner.time_ns = 7000;
	results.items[0].winner.low_ns = 6000;
	results.items[0].winner.high_ns = 8000;
	once = write_again(&results, "matmul.cfg");
	assert_ok(
		at_bundled_parse(once, strlen(once), "a.json", H200, &read, &failure));
	twice = write_again(&read, "matmul.cfg");
	assert_string_equal(twice, once);
	best = &read.items[0].best;
	assert_ptr_equal(best->objective, &at_objective_energy);
	assert_true(best->score.value == 0.25 && best->score.high == 0.5);
	assert_true(best->baseline_low == 0.3 && best->baseline_high == 0.9);
	assert_true(read.items[0].winner.time_ns == 7000);
	assert_ptr_equal(read.items[1].best.objective, &at_objective_time);
	at_results_release(&read);
	memset(&read, 0, sizeof(read));
	wrong = changed(once, "\"energy\"", "\"beauty\"");
	assert_fails_with(
		at_bundled_parse(wrong, strlen(wrong), "a.json", H200, &read, &failure),
		AT_EINVAL, "this version does not know \"beauty\"");
}

TEST(reads_what_a_file_has_of_a_winner)
{
	RELEASED(at_results_release) struct at_results results = { 0 };
	const struct at_result *square;
	OWNED(free) char *text = file_text(DATA "/matmul.json");

	assert_ok(at_bundled_parse(
		text, strlen(text), "a.json", H200, &results, &failure));
	assert_int_equal(results.count, 2);
	square = &results.items[0];
	assert_true(square->is_bundled);
	assert_string_equal(square->device.kind, "cuda");
	assert_string_equal(square->device.slug, H200);
	assert_string_equal(square->device.driver, "580.1 (CUDA 13.0)");
	assert_true(square->device.properties.known[AT_PROPERTY_WARP_SIZE]);
	assert_int_equal(square->device.properties.value[AT_PROPERTY_WARP_SIZE], 32);
	assert_string_equal(square->best.space, "matmul");
	assert_string_equal(square->best.problem, "square 4096");
	assert_int_equal(square->best.created_seconds, 1763715900);
	assert_true(square->best.speedup_high == 2.0375);
	assert_true(square->best.baseline_low == 2490000);
	assert_false(square->best.is_unverified);
	assert_int_equal(square->winner.outcome, AT_OUTCOME_OK);
	assert_string_equal(
		square->winner.problem_json, "{\"M\": 4096, \"N\": 4096, \"K\": 4096}");
	assert_true(square->winner.time_ns == 1234567.25);
	assert_true(square->winner.bytes == 201326592);
	assert_int_equal(square->winner.facts.resident_blocks, 16);
	assert_int_equal(square->winner.facts.spill_load_bytes, -1);
	assert_string_equal(
		square->winner.facts.limiting_factor, "registers, shared memory");
	assert_true(square->has_baseline);
	assert_true(square->baseline.time_ns == 2499998.68125);
	assert_int_equal(square->baseline.facts.shared_bytes, 8192);
	assert_false(results.items[1].has_baseline);
	assert_true(isnan(results.items[1].best.speedup));
	assert_true(isnan(results.items[1].best.score.low));
}

TEST(reads_every_file_that_this_repository_ships)
{
	RELEASED(at_results_release) struct at_results results = { 0 };

	assert_ok(at_results_read(
		NULL, AT_TEST_DIR "/../results", NULL, &results, &failure));
	for (size_t i = 0; i < results.failed_count; i++)
		fail_msg("%s: %s", results.failed[i].file, results.failed[i].text);
	assert_true(results.count >= 34);
	for (size_t i = 0; i < results.count; i++)
		assert_true(results.items[i].best.score.value > 0);
}

/* Of version 1 without what was added since. */
TEST(takes_what_older_versions_did_not_write_as_unknown)
{
	static const char text[] =
		"{\"version\": 1, \"kernel\": \"k\", \"device\": {\"kind\": \"cuda\","
		" \"model\": \"NVIDIA H200\", \"architecture\": \"sm_90\", \"properties\": {}},"
		" \"problems\": [{\"problem\": \"p\", \"sizes\": {\"N\": 4},"
		" \"configuration\": {\"A\": 1}, \"time_ns\": 10.0, \"low_ns\": 9.0,"
		" \"high_ns\": 11.0, \"speedup\": 3.0, \"baseline\": {\"configuration\":"
		" {\"A\": 0}, \"time_ns\": 29.0, \"low_ns\": 28.5, \"high_ns\": 29.5},"
		" \"evaluation_count\": 3, \"ok_count\": 2, \"launch\": {\"block\": [1],"
		" \"grid\": [4], \"shared_bytes\": 0}, \"options\": [], \"metrics\": {},"
		" \"measured\": \"2025-11-21T09:05:00Z\", \"new\": [{}]}], \"newer\": 1}";
	RELEASED(at_results_release) struct at_results results = { 0 };
	const struct at_result *only;

	assert_ok(at_bundled_parse(
		text, strlen(text), "a.json", H200, &results, &failure));
	assert_int_equal(results.count, 1);
	only = &results.items[0];
	/* of another time than the finals', as it was then */
	assert_true(only->baseline.time_ns == 29.0);
	assert_true(isnan(only->best.baseline_low));
	assert_true(at_winner_baseline(&only->best).value == 30.0);
	assert_true(isnan(only->best.speedup_low));
	assert_false(only->best.is_unverified);
	assert_string_equal(only->best.verification, "");
	assert_string_equal(only->best.gains, "");
	assert_string_equal(only->best.source_hash, "");
	assert_int_equal(only->winner.facts.registers, -1);
}

/* ---- what is wrong ----------------------------------------------------------- */

TEST(says_what_is_wrong_and_where)
{
	static const struct {
		const char *from;
		const char *to;
		const char *expected;
	} cases[] = {
		{ "\"version\": 1", "\"version\": 2",
			"version: was written by a newer autotune (version 2 of result files, this program knows 1): use that one" },
		{ "\"version\": 1", "\"version\": \"1\"",
			"version: expected 1, as result files have; found \"1\"" },
		{ "\"version\": 1,", "",
			"version: is not there; expected 1, as result files have" },
		{ "\"kernel\": \"matmul\"", "\"kernel\": 7",
			"kernel: expected a string; found 7" },
		{ "\"kernel\": \"matmul\"", "\"kernel\": \"\"",
			"kernel: is a text of 0 bytes; expected 1 to 199" },
		{ "\"kind\": \"cuda\"", "\"kind\": \"a b\"",
			"device.kind: expected names as C has them; found \"a b\"" },
		{ "\"model\": \"NVIDIA H200\"", "\"model\": \"NVIDIA H100\"",
			"device.model: is \"NVIDIA H100\", whose results belong into the folder nvidia-h100, not nvidia-h200" },
		{ "\"warp_size\": 32", "\"warp_size\": -1",
			"device.properties.warp_size: expected an integer from 0; found -1" },
		{ "\"warp_size\": 32", "\"warp_size\": 32.5",
			"device.properties.warp_size: expected an integer from 0; found 32.5" },
		{ "\"problem\": \"tall\"", "\"problem\": \"square 4096\"",
			"problems[1].problem: \"square 4096\" is there twice" },
		{ "\"BLOCK_X\": 32", "\"BLOCK_X\": [ 32 ]",
			"problems[0].configuration: has something else than values in it" },
		{ "\"time_ns\": 1234567.25", "\"time_ns\": -1",
			"problems[0].time_ns: expected a number above 0; found -1" },
		{ "\"time_ns\": 1234567.25", "\"time_ns\": 0",
			"problems[0].time_ns: expected a number above 0; found 0" },
		{ "\"time_ns\": 1234567.25", "\"time_ns\": null",
			"problems[0].time_ns: expected a number above 0; found null" },
		{ "\"time_ns\": 1234567.25", "\"time_ns\": 1240001",
			"problems[0].time_ns: 1240001 is not in its interval, low_ns 1230000 to high_ns 1240000.5" },
		{ "\"low_ns\": 1230000.0", "\"low_ns\": 1240001.0",
			"problems[0].time_ns: 1234567.25 is not in its interval, low_ns 1240001 to high_ns 1240000.5" },
		{ "\"low_ns\": 1230000.0", "\"low_ns\": null",
			"problems[0].low_ns: is not there, but the other end of the interval is" },
		{ "\"speedup\": 2.025", "\"speedup\": 2.03",
			"problems[0].baseline.time_ns: 2499998.68125 is not the speed-up times the winner's time, 2506171.5175" },
		{ "\"speedup\": 2.025", "\"speedup\": 3",
			"problems[0].speedup: 3 is not in its interval, speedup_low 2.0125 to speedup_high 2.0375" },
		{ "\"evaluation_count\": 400", "\"evaluation_count\": 379",
			"problems[0].ok_count: 380 of 379 evaluations" },
		{ "\"evaluation_count\": 400", "\"evaluation_count\": 1e3",
			"problems[0].evaluation_count: expected an integer from 0; found 1000" },
		{ "\"block\": [\n          32,\n          2\n        ]",
			"\"block\": []", "problems[0].launch: is no launch" },
		{ "\"block\": [\n          32", "\"block\": [\n          -1",
			"problems[0].launch: is no launch" },
		{ "\"-DTEXT=\\\"a\\\"\"", "{}",
			"problems[0].options: has an option in it that is no text, too long, or not shown" },
		{ "\"flops\": 137438953472.0", "\"flops\": -1.0",
			"problems[0].flops: expected a number from 0; found -1" },
		{ "\"registers\": 128,\n        \"local",
			"\"registers\": \"128\",\n        \"local",
			"problems[0].registers: expected an integer from 0; found \"128\"" },
		{ "\"fraction\": 0.5", "\"fraction\": 1.5",
			"problems[0].fraction: expected up to 1; found 1.5" },
		{ "\"verified\": true", "\"verified\": 1",
			"problems[0].verified: expected true or false; found 1" },
		{ "\"measured\": \"2025-11-21T09", "\"measured\": \"2025-13-21T09",
			"problems[0].measured: expected a moment as 2025-11-21T09:05:00Z; found \"2025-13-21T09:05:00Z\"" },
		{ "\"measured\": \"2025-11-21T09", "\"measured\": \"+025-11-21T09",
			"problems[0].measured: expected a moment as 2025-11-21T09:05:00Z; found \"+025-11-21T09:05:00Z\"" },
		/* what a terminal would obey */
		{ "\"problem\": \"tall\"", "\"problem\": \"\\u001b[2J\"",
			"has a control character in a text, which no result has" },
		{ "\"BLOCK_X\": 32", "\"BLOCK\\n_X\": 32",
			"has a control character in a name, which no result has" },
		{ "NVRTC 13.0", "NVRTC \xc2\x9b",
			"has a control character in a text, which no result has" },
		{ "NVRTC 13.0", "NVRTC \x7f",
			"has a control character in a text, which no result has" },
	};
	OWNED(free) char *text = file_text(DATA "/matmul.json");

	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		OWNED(free) char *wrong = changed(text, cases[i].from, cases[i].to);
		RELEASED(at_results_release) struct at_results results = { 0 };
		struct at_error err = { 0 };

		assert_int_not_equal(at_bundled_parse(wrong, strlen(wrong), "a.json",
					     H200, &results, &err),
			AT_OK);
		assert_string_equal(err.text, cases[i].expected);
		assert_string_equal(err.file, "a.json");
		/* the first problem was fine: all or none */
		assert_int_equal(results.count, 0);
	}
}

/* Where a device's files lie says what else than its name it is. */
TEST(takes_a_file_in_the_folder_of_its_device_alone)
{
	static const struct {
		const char *model;
		const char *more;
		const char *property;
		const char *slug;
		const char *named; /* NULL: it is not its folder */
	} cases[] = {
		/* where older versions put it */
		{ "NVIDIA GeForce RTX 3060", "\"memory_gib\": 12,", "",
			"nvidia-geforce-rtx-3060", "nvidia-geforce-rtx-3060-12gb" },
		{ "NVIDIA H200", "", "", "nvidia-h200", "nvidia-h200" },
		{ "NVIDIA H200", "", "", "nvidia-h200-132sm", "nvidia-h200-132sm" },
		{ "NVIDIA H200", "", "", "nvidia-h200-66sm", NULL },
		{ "NVIDIA H200", "", "", "nvidia-h200-500w", NULL },
		{ "NVIDIA H200", "\"memory_gib\": 140,", "", "nvidia-h200-132sm-140gib",
			"nvidia-h200-132sm-140gib" },
		{ "NVIDIA H200", "",
			"\"power_limit_watts\": 500, \"default_power_limit_watts\": 700,",
			"nvidia-h200-500w", "nvidia-h200-500w" },
		{ "NVIDIA H200", "",
			"\"power_limit_watts\": 500, \"default_power_limit_watts\": 700,",
			"nvidia-h200", NULL },
		{ "NVIDIA GeForce RTX 3060", "\"memory_gib\": 12,", "",
			"nvidia-geforce-rtx-3060-12gb",
			"nvidia-geforce-rtx-3060-12gb" },
		{ "NVIDIA GeForce RTX 3060", "\"memory_gib\": 12,", "",
			"nvidia-geforce-rtx-3060-8gb", NULL },
		/* by an older version, which did not say */
		{ "NVIDIA GeForce RTX 3060", "", "", "nvidia-geforce-rtx-3060",
			"nvidia-geforce-rtx-3060" },
	};
	OWNED(free)
	char *text = file_text(DATA "/vector-add.json"),
	     *bare = changed(text, "    \"memory_gib\": 141,\n", "");

	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		char lines[256];
		OWNED(free)
		char *named = changed(bare, "NVIDIA H200", cases[i].model), *with;
		char *whole;
		RELEASED(at_results_release) struct at_results results = { 0 };
		struct at_error err = { 0 };
		enum at_status status;

		snprintf(lines, sizeof(lines), "%s\"properties\": {%s", cases[i].more,
			cases[i].property);
		with = changed(named, "\"properties\": {", lines);
		status = at_bundled_parse(
			with, strlen(with), "a.json", cases[i].slug, &results, &err);
		if ((status == AT_OK) != (cases[i].named != NULL))
			fail_msg("case %zu: %s", i, err.text);
		if (cases[i].named) {
			assert_string_equal(
				results.items[0].device.slug, cases[i].named);
			whole = write_again(&results, "vector-add.cfg");
			assert_int_equal(
				!!strstr(whole, "\"memory_gib\""), !!cases[i].more[0]);
			free(whole);
		}
	}
}

TEST(names_the_line_of_what_is_no_json)
{
	static const struct {
		const char *text;
		int line;
	} cases[] = {
		{ "", 1 },
		{ "{\n\"version\": 1,\n", 3 },
		{ "{\"version\": 1,\n\"version\": 1}", 2 },
		{ "{\"version\": 1e999}", 1 },
		{ "{\"version\": \n\"\\ud800\"}", 2 },
	};

	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		RELEASED(at_results_release) struct at_results results = { 0 };
		struct at_error err = { 0 };

		assert_int_equal(at_bundled_parse(cases[i].text, strlen(cases[i].text),
					 "a.json", H200, &results, &err),
			AT_ESYNTAX);
		assert_int_equal(err.line, cases[i].line);
	}
}

/* ---- folders -------------------------------------------------------------------- */

static bool has_failure(
	const struct at_results *results, const char *name, const char *text)
{
	for (size_t i = 0; i < results->failed_count; i++)
		if (strstr(results->failed[i].file, name) &&
			strstr(results->failed[i].text, text))
			return true;
	return false;
}

IN_FOLDER(loses_one_file_to_what_is_wrong_with_it)
{
	OWNED(free)
	char *matmul = file_text(DATA "/matmul.json"),
	     *add = file_text(DATA "/vector-add.json"),
	     *bad = changed(add, "\"verified\": true", "\"verified\": 7"),
	     *path = at_path_join(folder, H200 "/pipe.json"),
	     *link = at_path_join(folder, H200 "/link.json"),
	     *device = at_path_join(folder, H200 "/device.json"),
	     *large = at_path_join(folder, H200 "/large.json"),
	     *elsewhere = at_path_join(folder, "nvidia-h100");
	struct at_results results = { 0 };
	FILE *file;

	put(H200 "/matmul.json", matmul);
	put(H200 "/vector-add.json", bad);
	put(H200 "/other.json", add); /* of another kernel than its name */
	put(H200 "/empty.json", "");
	put(H200 "/matmul.h", "no result\n");
	put(H200 "/.hidden.json", "not ours\n");
	put(H200 "/\033[2J.json", "not ours\n");
	put("README.md", "no folder\n");
	put("Not a device/matmul.json", "no folder of ours\n");
	put("nvidia-a100/matmul.json", matmul);
	assert_int_equal(mkfifo(path, 0666), 0);
	assert_int_equal(symlink("matmul.json", link), 0);
	assert_int_equal(symlink("/dev/zero", device), 0);
	assert_int_equal(symlink(H200, elsewhere), 0);
	file = fopen(large, "w");
	assert_non_null(file);
	assert_int_equal(ftruncate(fileno(file), AT_BUNDLED_BYTES_MAX + 1), 0);
	fclose(file);

	assert_ok(at_results_read(NULL, folder, NULL, &results, &failure));
	assert_int_equal(results.count, 2);
	assert_string_equal(results.items[0].best.problem, "square 4096");
	assert_string_equal(results.items[1].best.problem, "tall");
	assert_true(has_failure(&results, "vector-add.json",
		"problems[0].verified: expected true or false; found 7"));
	assert_true(has_failure(&results, "other.json",
		"kernel: is \"vector-add\", whose results belong into vector-add.json"));
	assert_true(has_failure(&results, "empty.json", ""));
	assert_true(has_failure(&results, "pipe.json", "is a pipe, not a file"));
	assert_true(has_failure(&results, "link.json", "is a link"));
	assert_true(has_failure(&results, "device.json", "is a link"));
	assert_true(
		has_failure(&results, "large.json", "is larger than 8388608 bytes"));
	assert_true(has_failure(&results, "nvidia-h100", "is a link"));
	assert_true(has_failure(&results, "nvidia-a100/matmul.json", "device.model"));
	assert_int_equal(results.failed_count, 9);
	at_results_release(&results);

	/* one space alone: only its files are looked at */
	assert_ok(at_results_read(NULL, folder, "matmul", &results, &failure));
	assert_int_equal(results.count, 2);
	assert_int_equal(results.failed_count, 2);
	at_results_release(&results);
	assert_ok(at_results_read(
		NULL, folder, "../" H200 "/matmul", &results, &failure));
	assert_int_equal(results.count, 0);
	at_results_release(&results);
}

/* what a night said, and the records of shares, are not a device's */
IN_FOLDER(leaves_the_folders_of_nights_and_shares_alone)
{
	RELEASED(at_results_release) struct at_results results;

	put("nights/host.json", "{}");
	put("shards/scale.json", "{}");
	assert_ok(at_results_read(NULL, folder, NULL, &results, &failure));
	assert_false(has_failure(&results, "nights", ""));
	assert_false(has_failure(&results, "shards", ""));
}

IN_FOLDER(finds_nothing_where_there_is_no_folder)
{
	OWNED(free) char *path = at_path_join(folder, "missing");
	RELEASED(at_results_release) struct at_results results = { 0 };

	assert_ok(at_results_read(NULL, path, NULL, &results, &failure));
	assert_int_equal(results.count, 0);
	assert_int_equal(results.failed_count, 0);
}

/* ---- a record beside them -------------------------------------------------- */

/* One winner of matmul, tall, in a record of its own, at so many seconds. */
static struct at_store *record(int64_t created_seconds, bool is_unverified)
{
	RELEASED(at_results_release) struct at_results results = { 0 };
	struct at_result *tall;
	struct at_store *store;
	int64_t device = 0;
	OWNED(free) char *text = file_text(DATA "/matmul.json");

	assert_ok(at_store_open(folder, &store, &failure));
	assert_ok(at_bundled_parse(
		text, strlen(text), "a.json", H200, &results, &failure));
	tall = &results.items[1];
	assert_ok(at_store_put_device(store, &tall->device, &device, &failure));
	tall->winner.device_id = device;
	assert_ok(at_store_add(store, &tall->winner, &failure));
	tall->best.device_id = device;
	tall->best.evaluation_id = tall->winner.id;
	tall->best.created_seconds = created_seconds;
	tall->best.is_unverified = is_unverified;
	assert_ok(at_store_put_winner(store, &tall->best, &failure));
	return store;
}

IN_FOLDER(takes_the_one_that_is_verified_and_newer)
{
	/* the file's is of this moment */
	const int64_t file_seconds = 1763715900;
	static const struct {
		int later;
		bool record_unverified;
		bool file_unverified;
		bool is_file;
	} cases[] = {
		{ 0, false, false, false }, /* the same: the record has more of it */
		{ 1, false, false, false },
		{ -1, false, false, true },
		{ 1, true, false, true },
		{ -1, false, true, false },
		{ -1, true, true, true },
	};
	OWNED(free)
	char *text = file_text(DATA "/matmul.json"),
	     *path = at_path_join(folder, "autotune.db");

	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		struct at_store *store = record(
			file_seconds + cases[i].later, cases[i].record_unverified);
		const char *tall = strstr(text, "\"problem\": \"tall\"");
		OWNED(free)
		char *flag = changed(tall, "\"verified\": true",
			cases[i].file_unverified ? "\"verified\": false"
						 : "\"verified\": true");
		OWNED(free) char *file = changed(text, tall, flag);
		RELEASED(at_results_release) struct at_results results = { 0 };

		put(H200 "/matmul.json", file);
		assert_ok(at_results_read(store, folder, "matmul", &results, &failure));
		/* one the record has, and one that it has not */
		assert_int_equal(results.count, 2);
		assert_true(results.items[0].is_bundled);
		assert_string_equal(results.items[1].best.problem, "tall");
		if (results.items[1].is_bundled != cases[i].is_file)
			fail_msg("case %zu", i);
		at_store_close(store);
		assert_int_equal(remove(path), 0);
	}
}

/* It was written while a clock was years ahead: any winner that is recorded counts
   more. */
IN_FOLDER(a_file_of_the_future_is_not_the_newer_one)
{
	OWNED(free) char *text = file_text(DATA "/matmul.json");
	const char *tall = strstr(text, "\"problem\": \"tall\"");
	OWNED(free)
	char *late = changed(tall, "\"measured\": \"2025-", "\"measured\": \"2096-"),
	     *file = changed(text, tall, late);
	OWNED(at_store_close) struct at_store *store = record(1763715900, false);
	RELEASED(at_results_release) struct at_results results = { 0 };

	put(H200 "/matmul.json", file);
	assert_ok(at_results_read(store, folder, "matmul", &results, &failure));
	assert_int_equal(results.count, 2);
	assert_string_equal(results.items[1].best.problem, "tall");
	assert_false(results.items[1].is_bundled);
}

RUN_SUITE(NULL, NULL)
