/* Recordings of other tools and our own: read, damaged, refused, and written. */
#include "scarce_memory.h"

#include "base/file.h"
#include "base/gzip.h"
#include "base/json_reader.h"
#include "record/recording.h"
#include "record/store.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define DATA AT_TEST_DIR "/data/recording/"

static struct at_recording *read_recording(const char *path)
{
	struct at_recording *recording = NULL;
	struct at_error err = { 0 };
	char text[1400];

	if (at_recording_read(path, &recording, &err))
		fail_msg("%s", at_error_format(&err, text, sizeof(text)));
	return recording;
}

static void write_file(const char *path, const char *text, size_t size)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

/* by the values of its first two parameters, the second a word */
static const struct at_recorded *find(
	const struct at_recording *recording, int64_t block, const char *cache)
{
	for (size_t i = 0; i < recording->count; i++) {
		const uint16_t *row = recording->rows + i * recording->parameter_count;

		if (recording->parameters[0].values[row[0]].integer == block &&
			!strcmp(recording->parameters[1].values[row[1]].word, cache))
			return &recording->results[i];
	}
	fail_msg("no row %lld %s", (long long)block, cache);
	return NULL;
}

static void check_cache(const struct at_recording *recording)
{
	const struct at_recorded *result;

	assert_string_equal(recording->name, "cache");
	assert_string_equal(recording->device, "A board");
	assert_string_equal(recording->kernel, "scale");
	assert_string_equal(recording->objective, "time");
	assert_int_equal(recording->count, 6);
	assert_null(recording->facts);
	result = find(recording, 32, "ca");
	assert_int_equal(result->outcome, AT_OUTCOME_OK);
	assert_string_equal(result->reason, "");
	assert_float_equal(result->time_ns, 2.5e6, 1e-6);
	assert_int_equal(result->sample_count, 2);
	assert_float_equal(recording->samples_ns[result->sample_begin], 2.25e6, 1e-6);
	assert_float_equal(
		recording->samples_ns[result->sample_begin + 1], 2.75e6, 1e-6);
	assert_float_equal(result->compile_seconds, 0.12, 1e-9);
	assert_int_equal(result->created_seconds, 1703238845);
	/* with its verification */
	assert_float_equal(result->measure_seconds, 0.04, 1e-9);
	result = find(recording, 32, "cg");
	assert_float_equal(result->time_ns, 1.5e6, 1e-6);
	assert_true(isnan(result->compile_seconds));
	assert_true(isnan(result->measure_seconds));
	result = find(recording, 16, "ca");
	assert_int_equal(result->outcome, AT_OUTCOME_COMPILE_FAILED);
	assert_string_equal(
		result->reason, "does not compile (CompilationFailedConfig)");
	assert_true(isnan(result->time_ns));
	assert_float_equal(result->compile_seconds, 0.08, 1e-9);
	assert_float_equal(result->measure_seconds, 0, 0);
	assert_int_equal(find(recording, 16, "cg")->outcome, AT_OUTCOME_LAUNCH_FAILED);
	/* it has one, that of the attempt */
	assert_float_equal(find(recording, 16, "cg")->measure_seconds, 0, 0);
	assert_int_equal(find(recording, 64, "cg")->outcome, AT_OUTCOME_NOT_APPLICABLE);
	/* a number in place of a word */
	assert_int_equal(find(recording, 64, "ca")->outcome, AT_OUTCOME_LAUNCH_FAILED);
	assert_int_equal(find(recording, 64, "ca")->sample_count, 0);
}

static void reads_a_cache_of_kernel_tuner(void **state)
{
	struct at_recording *recording = read_recording(DATA "cache.json");

	assert_false(recording->is_cut);
	check_cache(recording);
	at_recording_free(recording);
}

static void reads_the_same_when_it_is_compressed(void **state)
{
	struct at_recording *recording = read_recording(DATA "cache.json.gz");

	check_cache(recording);
	at_recording_free(recording);
}

static void a_parameters_values_get_one_type_and_their_order(void **state)
{
	struct at_recording *recording = read_recording(DATA "cache.json");
	static const struct {
		const char *name;
		enum at_type type;
		size_t count;
	} expected[] = {
		{ "block", AT_TYPE_INTEGER, 3 },
		{ "cache", AT_TYPE_WORD, 2 },
		{ "unroll", AT_TYPE_BOOLEAN, 2 },
		{ "ratio", AT_TYPE_REAL, 2 }, /* 0.5 and 1 */
		{ "loop", AT_TYPE_INTEGER, 1 },
	};

	assert_int_equal(recording->parameter_count, 5);
	for (size_t i = 0; i < 5; i++) {
		const struct at_search_parameter *parameter = &recording->parameters[i];

		assert_string_equal(parameter->name, expected[i].name);
		assert_int_equal(parameter->type, expected[i].type);
		assert_int_equal(parameter->value_count, expected[i].count);
	}
	/* numbers ascend though the first row has the second value */
	assert_int_equal(recording->parameters[0].values[0].integer, 16);
	assert_int_equal(recording->parameters[0].values[2].integer, 64);
	assert_float_equal(recording->parameters[3].values[0].real, 0.5, 0);
	assert_float_equal(recording->parameters[3].values[1].real, 1, 0);
	at_recording_free(recording);
}

static void every_row_is_found_by_its_configuration(void **state)
{
	struct at_recording *recording = read_recording(DATA "cache.json");
	uint16_t other[5] = { 0, 0, 0, 0, 0 };

	for (size_t i = 0; i < recording->count; i++)
		assert_int_equal(
			at_recording_find(recording, recording->rows + i * 5), i);
	assert_true(at_recording_find(recording, other) == SIZE_MAX);
	at_recording_free(recording);
}

/* Wherever it is cut: what is whole is there, and nothing else. */
static void a_cache_may_end_anywhere_in_its_rows(void **state)
{
	char *text;
	size_t size, first, rows_before = 0;

	assert_int_equal(at_file_read(DATA "cache.json", 0, &text, &size, NULL), AT_OK);
	first = (size_t)(strstr(text, "\"cache\": {") - text) + strlen("\"cache\": {");
	for (size_t end = first; end + 1 < size; end++) {
		struct at_recording *recording = NULL;
		struct at_error err = { 0 };
		enum at_status status;

		write_file("cut.json", text, end);
		status = at_recording_read("cut.json", &recording, &err);
		if (status) {
			/* before the first row is whole */
			assert_int_equal(rows_before, 0);
			assert_string_equal(err.text, "holds no configurations");
			continue;
		}
		assert_true(recording->count == rows_before ||
			    recording->count == rows_before + 1);
		rows_before = recording->count;
		/* the last two braces are the cache's and the file's */
		assert_int_equal(recording->is_cut, end + 3 < size);
		at_recording_free(recording);
	}
	assert_int_equal(rows_before, 6);
	free(text);
}

static void reads_a_t4_file(void **state)
{
	struct at_recording *recording = read_recording(DATA "t4.json");
	const struct at_recorded *result = find(recording, 32, "ca");

	assert_int_equal(recording->count, 6);
	assert_int_equal(result->outcome, AT_OUTCOME_OK);
	assert_float_equal(result->time_ns, 2.5e6, 1e-6);
	assert_int_equal(result->sample_count, 2);
	assert_float_equal(result->compile_seconds, 0.12, 1e-9);
	assert_float_equal(result->measure_seconds, 0.04, 1e-9);
	/* its time is in microseconds */
	assert_float_equal(find(recording, 32, "cg")->time_ns, 1.5e6, 1e-6);
	result = find(recording, 16, "ca");
	assert_int_equal(result->outcome, AT_OUTCOME_COMPILE_FAILED);
	assert_float_equal(result->compile_seconds, 0.08, 1e-9);
	assert_int_equal(find(recording, 16, "cg")->outcome, AT_OUTCOME_TIMED_OUT);
	result = find(recording, 64, "cg");
	assert_int_equal(result->outcome, AT_OUTCOME_WRONG_RESULT);
	/* it has one, of a wrong result */
	assert_true(isnan(result->time_ns));
	assert_int_equal(find(recording, 64, "ca")->outcome, AT_OUTCOME_NOT_APPLICABLE);
	at_recording_free(recording);
}

/* What is not in order, and what is said of it. */
static const struct {
	const char *text;
	const char *error;
} broken[] = {
	{ "7", "x.json:1: is no recording: neither a JSON object, nor CSV whose first line names a time_ns, time_us, time_ms or time_s, nor a record of autotune" },
	{ "[1, 2]",
		"x.json:1: is a list of results, as the value that tune_kernel() returns: give the cache file of Kernel Tuner or a T4 file, which name the parameters, or CSV" },
	{ "{\"a\": 1}",
		"x.json: has neither \"cache\", as Kernel Tuner's files, nor \"results\", as T4 files; of anything else make CSV whose first line names the parameters and a time_ms" },
	{ "{\n\"a\": 1", "x.json:2: ends where ',' or '}' should be" },
	{ "{\n\"a\" 1}", "x.json:2: expected ':', found '1'" },
	{ "{'a': 1}",
		"x.json:1: expected a string, found ''': texts have double quotes in JSON; is this a dict of Python?" },
	{ "{\"a\": 1, // one\n \"b\": 2}",
		"x.json:1: expected a string, found '/': JSON has no comments" },
	{ "{\"tune_params\": {\"a\": [1]}, \"cache\": {\"1\": {\"a\": True}}}",
		"x.json:1: expected a plain value, found 'T': JSON writes true; is this a dict of Python?" },
	{ "{\"a\": 1,\n<<<<<<< HEAD\n}",
		"x.json:2: expected a string, found '<': a merge of git has left both sides here" },
	{ "{\"a\": \"b\nc\"}",
		"x.json:1: expected the end of a string on its line, found '?'" },
	{ "{\"device_name\": \"\\x\"}",
		"x.json:1: expected an escape of JSON, found '\\'" },
	{ "{\"cache\": {}}",
		"x.json: has neither \"tune_params_keys\" nor \"tune_params\": the parameters are not known" },
	{ "{\"tune_params_keys\": [\"a\", \"a\"], \"cache\": {}}",
		"x.json: has the parameter \"a\" twice" },
	{ "{\"tune_params_keys\": [1], \"cache\": {}}",
		"x.json:1: \"tune_params_keys\" should be a string, and is a number" },
	{ "{\"tune_params_keys\": [\"a\"], \"cache\": {}}",
		"x.json: holds no configurations" },
	{ "{\"tune_params_keys\": [\"a\"], \"cache\": {\n\"1\": 3}}",
		"x.json:2: expected an object, found '3'" },
	{ "{\"tune_params_keys\": [\"a\"], \"cache\": {\n\"1\": {\"time\": 2}}}",
		"x.json:2: configuration 1 has no \"a\"" },
	{ "{\"tune_params_keys\": [\"a\"], \"cache\": {\n\"1\": {\"a\": 1}}}",
		"x.json: no configuration has a \"time\"" },
	{ "{\"tune_params_keys\": [\"a\"], \"cache\": {\"1\": {\"a\": NaN, \"time\": 2}}}",
		"x.json:1: configuration 1 has a value of \"a\" that is not finite" },
	{ "{\"tune_params_keys\": [\"a\"], \"cache\": {\"1\": {\"a\": [1], \"time\": 2}}}",
		"x.json:1: configuration 1 has an array as value of \"a\": a value is a number, a word, or true or false" },
	{ "{\"results\": []}", "x.json: holds no configurations" },
	{ "{\"results\": [\n", "x.json:2: ends where ']' should be" },
	{ "{\"results\": [{\"configuration\": {\"a\": 1}, \"times\": {}, \"invalidity\": \"correct\"}]}",
		"x.json: no configuration has a \"time\"" },
	{ "{\"results\": [{\"configuration\": {\"a\": 1}, \"invalidity\": \"compile\"},\n{\"configuration\": {\"b\": 1}, \"invalidity\": \"compile\"}]}",
		"x.json:2: configuration 2 has a parameter \"b\", which the first one has not" },
	{ "{\"metadata\": {\"timeunit\": \"weeks\"}, \"results\": []}",
		"x.json:1: unknown unit of time \"weeks\"" },
};

static void says_what_is_wrong_with_a_file_and_where(void **state)
{
	for (size_t i = 0; i < AT_COUNT_OF(broken); i++) {
		struct at_recording *recording = NULL;
		struct at_error err = { 0 };
		char text[1400];

		write_file("x.json", broken[i].text, strlen(broken[i].text));
		assert_int_not_equal(
			at_recording_read("x.json", &recording, &err), AT_OK);
		assert_string_equal(
			at_error_format(&err, text, sizeof(text)), broken[i].error);
		/* the error is the same, and no crash, where nobody wants its text */
		assert_int_equal(
			at_recording_read("x.json", &recording, NULL), err.status);
		assert_null(recording);
	}
}

static void a_folder_is_told_from_one_of_results(void **state)
{
	struct at_recording *recording = NULL;
	struct at_error err = { 0 };

	assert_int_equal(system("rm -rf files && mkdir files"), 0);
	assert_int_equal(at_recording_read("files", &recording, &err), AT_EINVAL);
	assert_string_equal(
		err.text, "is a folder: name the files in it, as in files/*.json");
	at_error_clear(&err);
	write_file("files/autotune.db", "x", 1);
	assert_int_equal(at_recording_read("files", &recording, &err), AT_EINVAL);
	assert_string_equal(err.text,
		"is a folder of results: name the record in it, files/autotune.db");
}

static void rows_may_stand_in_front_of_the_parameters(void **state)
{
	static const char text[] =
		"{\"cache\": {\"\\u0031\": {\"a\": 1, \"time\": \"odd\"}, \"1\": {\"a\": 1, \"time\": 7}}, \"tune_params\": {\"a\": [1, 2]}}";
	struct at_recording *recording;

	write_file("early.json", text, strlen(text));
	recording = read_recording("early.json");
	/* and of the same configuration the last one counts */
	assert_int_equal(recording->count, 1);
	assert_float_equal(recording->results[0].time_ns, 7e6, 1e-6);
	assert_string_equal(recording->device, "");
	at_recording_free(recording);
}

static void a_word_for_a_failure_that_is_not_known_is_its_reason(void **state)
{
	static const char text[] =
		"{\"tune_params_keys\": [\"a\"], \"objective\": \"energy\", \"cache\": {\"1\": {\"a\": 1, \"time\": \"OddConfig\"}, \"2\": {\"a\": 2, \"time\": 3, \"energy\": \"InvalidConfig\"}}}";
	struct at_recording *recording;

	write_file("words.json", text, strlen(text));
	recording = read_recording("words.json");
	assert_int_equal(recording->results[0].outcome, AT_OUTCOME_LAUNCH_FAILED);
	assert_string_equal(recording->results[0].reason, "OddConfig");
	/* a failure may stand at what the file was tuned for */
	assert_int_equal(recording->results[1].outcome, AT_OUTCOME_NOT_APPLICABLE);
	assert_true(isnan(recording->results[1].time_ns));
	assert_string_equal(recording->objective, "energy");
	at_recording_free(recording);
}

static void damaged_gzip_is_refused(void **state)
{
	char *data;
	size_t size;
	struct at_recording *recording = NULL;
	struct at_error err = { 0 };

	assert_int_equal(
		at_file_read(DATA "cache.json.gz", 0, &data, &size, NULL), AT_OK);
	write_file("short.json.gz", data, size - 20);
	assert_int_equal(
		at_recording_read("short.json.gz", &recording, &err), AT_ESYNTAX);
	assert_string_equal(err.text, "is gzip that ends too early");
	at_error_clear(&err);
	data[30] ^= 0x55;
	write_file("damaged.json.gz", data, size);
	assert_int_equal(
		at_recording_read("damaged.json.gz", &recording, &err), AT_ESYNTAX);
	assert_memory_equal(err.text, "is damaged gzip: ", 17);
	free(data);
}

static void gzip_that_expands_too_far_is_refused(void **state)
{
	char *data, *text;
	size_t size, text_size;
	struct at_error err = { 0 };

	assert_int_equal(
		at_file_read(DATA "cache.json.gz", 0, &data, &size, NULL), AT_OK);
	assert_int_equal(
		at_gzip_expand(data, size, 100, "x.gz", &text, &text_size, &err),
		AT_EINVAL);
	assert_string_equal(err.text,
		"is larger than 100 bytes when it is expanded, the most that is read");
	free(data);
}

static void a_file_that_is_not_there_is_said_to_be_missing(void **state)
{
	struct at_recording *recording = NULL;
	struct at_error err = { 0 };

	assert_int_equal(at_recording_read("none.json", &recording, &err), AT_ENOENT);
	assert_string_equal(err.file, "none.json");
}

static void what_is_written_reads_back_the_same(void **state)
{
	static const char *const paths[] = { DATA "cache.json", DATA "t4.json" };
	static enum at_status (*const write[])(const struct at_recording *self,
		struct at_strbuf *out,
		struct at_error *err) = { at_recording_write, at_recording_write_t4 };

	for (size_t p = 0; p < 2 * AT_COUNT_OF(paths); p++) {
		struct at_recording *before = read_recording(paths[p / 2]), *after;
		struct at_strbuf text = { 0 };

		/* times that milliseconds do not hold exactly, and a word of ours */
		for (size_t i = 0; i < before->count; i++) {
			before->results[i].time_ns /= 3e3;
			for (size_t j = 0; j < before->results[i].sample_count; j++)
				before->samples_ns[before->results[i].sample_begin +
						   j] /= 3e3;
			before->results[i].created_seconds = 1763715600 + (int64_t)i;
			if (before->results[i].outcome == AT_OUTCOME_LAUNCH_FAILED)
				before->results[i].outcome = AT_OUTCOME_CRASHED;
		}
		assert_int_equal(write[p % 2](before, &text, NULL), AT_OK);
		write_file("written.json", text.data, text.length);
		at_strbuf_release(&text);
		after = read_recording("written.json");
		assert_int_equal(before->count, after->count);
		assert_int_equal(before->parameter_count, after->parameter_count);
		assert_memory_equal(before->rows, after->rows,
			before->count * before->parameter_count * sizeof(uint16_t));
		for (size_t i = 0; i < before->count; i++) {
			const struct at_recorded *a = &before->results[i],
						 *b = &after->results[i];

			assert_int_equal(a->outcome, b->outcome);
			assert_string_equal(a->reason, b->reason);
			assert_int_equal(a->created_seconds, b->created_seconds);
			assert_int_equal(a->sample_count, b->sample_count);
			assert_true(a->time_ns == b->time_ns ||
				    (isnan(a->time_ns) && isnan(b->time_ns)));
			if (!isnan(a->compile_seconds))
				assert_float_equal(
					a->compile_seconds, b->compile_seconds, 1e-12);
		}
		at_recording_free(before);
		at_recording_free(after);
	}
}

/* ---- our own record ----------------------------------------------------------- */

static void add_evaluation(struct at_store *store, int64_t run, int64_t device,
	const char *problem, const char *configuration, double time_ns)
{
	static char empty[] = "", space[] = "scale", detail[] = "too many registers";
	double samples[2] = { time_ns, time_ns + 2 };
	struct at_evaluation evaluation = {
		.run_id = run,
		.device_id = device,
		.space = space,
		.problem_json = (char *)"{}",
		.log = empty,
		.board = empty,
		.detail = isnan(time_ns) ? detail : empty,
		.outcome =
			isnan(time_ns) ? AT_OUTCOME_TOO_MANY_RESOURCES : AT_OUTCOME_OK,
		.time_ns = time_ns,
		.low_ns = NAN,
		.high_ns = NAN,
		.sample_count = isnan(time_ns) ? 0 : 2,
		.samples_ns = samples,
		.launches_per_sample = 1,
		.facts = AT_FACTS_UNKNOWN,
		.flops = NAN,
		.bytes = NAN,
		.max_relative_error = NAN,
		.measure_ns = 5000000,
	};
	char problem_copy[32], configuration_copy[128];

	snprintf(problem_copy, sizeof(problem_copy), "%s", problem);
	snprintf(configuration_copy, sizeof(configuration_copy), "%s", configuration);
	evaluation.problem = problem_copy;
	evaluation.configuration = configuration_copy;
	evaluation.facts.registers = 40;
	evaluation.facts.compile_ns = 250000000;
	evaluation.key = at_hash_bytes(configuration, strlen(configuration));
	evaluation.key.high ^= (uint64_t)problem[0];
	assert_int_equal(at_store_add(store, &evaluation, NULL), AT_OK);
}

static void make_record(void)
{
	static char text[] = "", kind[] = "cuda", model[] = "A board",
		    slug[] = "a-board";
	struct at_record_device record = { .kind = kind,
		.model = model,
		.slug = slug,
		.architecture = text,
		.driver = text,
		.uuid = text };
	struct at_store *store;
	int64_t device, run;

	(void)!system("rm -rf record");
	assert_int_equal(at_store_open("record", &store, NULL), AT_OK);
	assert_int_equal(at_store_put_device(store, &record, &device, NULL), AT_OK);
	assert_int_equal(at_store_begin_run(
				 store, device, "scale", "random", 0, "0", &run, NULL),
		AT_OK);
	/* of an older state of the space, and the fastest */
	add_evaluation(store, run, device, "large", "{\"BLOCK\": 16}", 900);
	add_evaluation(store, run, device, "large",
		"{\"BLOCK\": 32, \"CACHE\": \"ca\", \"ON\": true}", 1000);
	add_evaluation(store, run, device, "large",
		"{\"BLOCK\": 16, \"CACHE\": \"ca\", \"ON\": true}", NAN);
	add_evaluation(store, run, device, "large",
		"{\"BLOCK\": 16, \"CACHE\": \"cg\", \"ON\": false}", 2000);
	add_evaluation(store, run, device, "small",
		"{\"BLOCK\": 64, \"CACHE\": \"cg\", \"ON\": false}", 500);
	assert_int_equal(at_store_end_run(store, run, "done", NULL), AT_OK);
	at_store_close(store);
}

static void reads_our_own_record_with_its_facts(void **state)
{
	struct at_recording *recording;
	const struct at_recorded *result;

	make_record();
	recording = read_recording("record/autotune.db,problem=large");
	assert_string_equal(recording->kernel, "scale");
	assert_string_equal(recording->device, "A board");
	assert_string_equal(recording->name, "scale large a-board");
	assert_int_equal(recording->count, 3);
	assert_int_equal(recording->parameter_count, 3);
	assert_non_null(recording->facts);
	for (size_t i = 0; i < recording->count; i++)
		assert_int_equal(recording->facts[i].registers, 40);
	result = find(recording, 32, "ca");
	assert_float_equal(result->time_ns, 1000, 0);
	assert_int_equal(result->sample_count, 2);
	assert_float_equal(recording->samples_ns[result->sample_begin + 1], 1002, 0);
	assert_float_equal(result->compile_seconds, 0.25, 1e-9);
	assert_float_equal(result->measure_seconds, 0.005, 1e-9);
	result = find(recording, 16, "ca");
	assert_int_equal(result->outcome, AT_OUTCOME_TOO_MANY_RESOURCES);
	assert_string_equal(result->reason, "too many registers");
	assert_float_equal(result->measure_seconds, 0, 0);
	at_recording_free(recording);
}

static void a_record_of_several_wants_a_choice(void **state)
{
	static const struct {
		const char *path;
		const char *error;
	} cases[] = {
		{ "record/autotune.db",
			"record/autotune.db: choose one with \"autotune.db,space=...,problem=...,device=...\": space=scale,problem=small,device=a-board; space=scale,problem=large,device=a-board" },
		{ "record/autotune.db,problem=none",
			"record/autotune.db,problem=none: nothing of this is recorded there" },
		{ "record/autotune.db,kernel=scale",
			"record/autotune.db: expected space=NAME, problem=NAME or device=MODEL after the comma, found \"kernel\"" },
		{ DATA "t4.json,problem=large", DATA
			"t4.json: is no record of autotune, of which \"problem=large\" could choose" },
	};

	make_record();
	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		struct at_recording *recording = NULL;
		struct at_error err = { 0 };
		char text[1400];

		assert_int_not_equal(
			at_recording_read(cases[i].path, &recording, &err), AT_OK);
		assert_string_equal(
			at_error_format(&err, text, sizeof(text)), cases[i].error);
	}
}

/* Whichever allocation fails: it says so, and nothing is left behind (which the build
   with sanitizers sees). */
static void says_so_when_memory_runs_out(void **state)
{
	static const char *const paths[] = { DATA "cache.json", DATA "t4.json",
		DATA "cache.json.gz", "record/autotune.db,problem=large" };

	make_record();
	for (size_t p = 0; p < AT_COUNT_OF(paths); p++) {
		struct at_recording *recording = NULL;
		enum at_status status = AT_ENOMEM;
		long allowed = 0;

		for (; status; allowed++) {
			struct at_error err = { 0 };

			allocations_left = allowed;
			status = at_recording_read(paths[p], &recording, &err);
			if (allocations_left >= 0)
				assert_int_equal(status, AT_OK);
			allocations_left = -1;
			if (status)
				assert_int_equal(status, AT_ENOMEM);
			assert_int_equal(err.status, status);
		}
		assert_true(allowed > 20);
		assert_true(recording->count >= 3);
		at_recording_free(recording);
	}
}

/* ---- the reader of JSON ------------------------------------------------------- */

static void the_reader_unescapes_strings(void **state)
{
	char text[] =
		"[\"a\\\"\\\\\\/\\n\\u00e9\\ud83d\\ude00\\ud800x\\udc00\", 12345678901234567890, -7, 1e3, true, null]";
	struct at_json_reader reader;
	struct at_json_scalar value;
	struct at_error err = { 0 };

	at_json_reader_init(&reader, text, strlen(text), "x");
	assert_int_equal(at_json_reader_enter(&reader, AT_JSON_ARRAY, &err), AT_OK);
	assert_true(at_json_reader_item(&reader, &err));
	assert_int_equal(at_json_reader_scalar(&reader, &value, &err), AT_OK);
	/* halves of pairs that are alone are no characters */
	assert_string_equal(value.text,
		"a\"\\/\n\xc3\xa9\xf0\x9f\x98\x80\xef\xbf\xbdx\xef\xbf\xbd");
	assert_true(at_json_reader_item(&reader, &err));
	assert_int_equal(at_json_reader_scalar(&reader, &value, &err), AT_OK);
	assert_false(value.is_whole); /* beyond 64 bits */
	assert_float_equal(value.real, 12345678901234567890.0, 1);
	assert_true(at_json_reader_item(&reader, &err));
	assert_int_equal(at_json_reader_scalar(&reader, &value, &err), AT_OK);
	assert_true(value.is_whole);
	assert_int_equal(value.whole, -7);
	assert_true(at_json_reader_item(&reader, &err));
	assert_int_equal(at_json_reader_scalar(&reader, &value, &err), AT_OK);
	assert_false(value.is_whole);
	assert_float_equal(value.real, 1000, 0);
	assert_true(at_json_reader_item(&reader, &err));
	assert_int_equal(at_json_reader_scalar(&reader, &value, &err), AT_OK);
	assert_int_equal(value.kind, AT_JSON_BOOLEAN);
	assert_int_equal(value.whole, 1);
	assert_true(at_json_reader_item(&reader, &err));
	assert_int_equal(at_json_reader_scalar(&reader, &value, &err), AT_OK);
	assert_int_equal(value.kind, AT_JSON_NULL);
	assert_false(at_json_reader_item(&reader, &err));
	assert_int_equal(err.status, AT_OK);
}

static void the_reader_skips_what_nobody_wants(void **state)
{
	char text[] = "{\"a\": {\"b\": [1, {\"c\": \"]}\\\"\"}], \"d\": {}}, \"e\": 5}";
	struct at_json_reader reader;
	struct at_json_scalar value;
	struct at_error err = { 0 };
	const char *key;

	at_json_reader_init(&reader, text, strlen(text), "x");
	assert_int_equal(at_json_reader_enter(&reader, AT_JSON_OBJECT, &err), AT_OK);
	assert_true(at_json_reader_member(&reader, &key, &err));
	assert_int_equal(at_json_reader_skip(&reader, &err), AT_OK);
	assert_true(at_json_reader_member(&reader, &key, &err));
	assert_string_equal(key, "e");
	assert_int_equal(at_json_reader_scalar(&reader, &value, &err), AT_OK);
	assert_int_equal(value.whole, 5);
	assert_false(at_json_reader_member(&reader, &key, &err));
	assert_int_equal(err.status, AT_OK);
}

static void the_reader_refuses_what_is_nested_too_deep(void **state)
{
	char text[201];
	struct at_json_reader reader;
	struct at_error err = { 0 };

	memset(text, '[', 200);
	text[200] = '\0';
	at_json_reader_init(&reader, text, 200, "x");
	assert_int_equal(at_json_reader_skip(&reader, &err), AT_ESYNTAX);
	assert_string_equal(err.text, "is nested more than 64 deep");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_a_cache_of_kernel_tuner),
		cmocka_unit_test(reads_the_same_when_it_is_compressed),
		cmocka_unit_test(a_parameters_values_get_one_type_and_their_order),
		cmocka_unit_test(every_row_is_found_by_its_configuration),
		cmocka_unit_test(a_cache_may_end_anywhere_in_its_rows),
		cmocka_unit_test(reads_a_t4_file),
		cmocka_unit_test(says_what_is_wrong_with_a_file_and_where),
		cmocka_unit_test(a_folder_is_told_from_one_of_results),
		cmocka_unit_test(rows_may_stand_in_front_of_the_parameters),
		cmocka_unit_test(a_word_for_a_failure_that_is_not_known_is_its_reason),
		cmocka_unit_test(damaged_gzip_is_refused),
		cmocka_unit_test(gzip_that_expands_too_far_is_refused),
		cmocka_unit_test(a_file_that_is_not_there_is_said_to_be_missing),
		cmocka_unit_test(what_is_written_reads_back_the_same),
		cmocka_unit_test(reads_our_own_record_with_its_facts),
		cmocka_unit_test(a_record_of_several_wants_a_choice),
		cmocka_unit_test(says_so_when_memory_runs_out),
		cmocka_unit_test(the_reader_unescapes_strings),
		cmocka_unit_test(the_reader_skips_what_nobody_wants),
		cmocka_unit_test(the_reader_refuses_what_is_nested_too_deep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
