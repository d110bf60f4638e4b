/* Recordings of other tools and our own: read, damaged, refused, and written; failures
   in all their forms, other objectives, and files that a script converts. */
#include "record_fixture.h"
#include "scarce_memory.h"

#include "base/gzip.h"
#include "record/import.h"
#include "record/recording.h"
#include "record/store.h"

#include <math.h>
#include <unistd.h>

#include "suite.h"

#define DATA AT_TEST_DIR "/data/recording/"

static struct at_recording *read_recording(const char *path)
{
	struct at_recording *recording = NULL;

	assert_ok(at_recording_read(path, &recording, &failure));
	return recording;
}

static struct at_recording *read_whole(const char *text)
{
	file_write("other", text);
	return read_recording("other");
}

/* The file is refused with this message, which says where. */
static void assert_refused(const char *path, const char *message)
{
	struct at_recording *recording = NULL;
	struct at_error err = { 0 };
	char text[1400];

	assert_int_not_equal(at_recording_read(path, &recording, &err), AT_OK);
	assert_string_equal(at_error_format(&err, text, sizeof(text)), message);
	/* the error is the same, and no crash, if its text is not wanted */
	assert_int_equal(at_recording_read(path, &recording, NULL), err.status);
	assert_null(recording);
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
	assert_string_equal(result->reason, "CompilationFailedConfig");
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

TEST(reads_a_cache_of_kernel_tuner_compressed_or_not)
{
	static const char *const paths[] = { DATA "cache.json", DATA "cache.json.gz" };

	for (size_t i = 0; i < AT_COUNT_OF(paths); i++) {
		OWNED(at_recording_free)
		struct at_recording *recording = read_recording(paths[i]);

		assert_false(recording->is_cut);
		check_cache(recording);
	}
}

TEST(a_parameters_values_get_one_type_and_their_order)
{
	OWNED(at_recording_free)
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
}

TEST(every_row_is_found_by_its_configuration)
{
	OWNED(at_recording_free)
	struct at_recording *recording = read_recording(DATA "cache.json");
	uint16_t other[5] = { 0, 0, 0, 0, 0 };

	for (size_t i = 0; i < recording->count; i++)
		assert_int_equal(
			at_recording_find(recording, recording->rows + i * 5), i);
	assert_true(at_recording_find(recording, other) == SIZE_MAX);
}

/* Wherever it is cut: the rows that another one follows are there, and nothing else. */
TEST(a_cache_may_end_anywhere_in_its_rows)
{
	OWNED(free) char *text;
	size_t size, first, rows_before = 0;

	assert_ok(at_file_read(DATA "cache.json", 0, &text, &size, NULL));
	first = (size_t)(strstr(text, "\"cache\": {") - text) + strlen("\"cache\": {");
	for (size_t end = first; end + 1 < size; end++) {
		OWNED(at_recording_free) struct at_recording *recording = NULL;
		struct at_error err = { 0 };
		enum at_status status;

		assert_ok(at_file_replace("cut.json", text, end, &failure));
		status = at_recording_read("cut.json", &recording, &err);
		if (status) {
			/* before the first row is whole */
			assert_int_equal(rows_before, 0);
			assert_int_equal(status, AT_ESYNTAX);
			assert_string_not_equal(err.text, "");
			continue;
		}
		assert_true(recording->count == rows_before ||
			    recording->count == rows_before + 1);
		rows_before = recording->count;
		assert_true(recording->is_cut);
	}
	/* the last one is taken once the file is whole */
	assert_int_equal(rows_before, 5);
}

TEST(reads_a_t4_file)
{
	OWNED(at_recording_free)
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
}

/* What is not in order, and what is said of it. */
static const struct {
	const char *text;
	const char *error;
} broken[] = {
	{ "7", "x.json:1: has no column \"time_ns\", as CSV of autotune has: convert it with share/autotune/to_t4.py csv" },
	{ "[1, 2]",
		"x.json: has neither \"results\", as T4 files, nor \"cache\", as files of Kernel Tuner: convert it to one of these, or to CSV with a column time_ns" },
	{ "{\"Metadata\": {}, \"Results\": []}",
		"x.json: is JSON of KTT: convert it with share/autotune/to_t4.py ktt" },
	{ "{\"metadata\": {\"autotuner\": \"KTT\"}, \"results\": []}",
		"x.json: is a T4 file of KTT: convert it with share/autotune/to_t4.py ktt" },
	{ "{\"kernel_family\": \"xgemm_1\", \"results\": []}",
		"x.json: is JSON of a tuner of CLBlast: convert it with share/autotune/to_t4.py clblast" },
	{ "{\n\"a\": 1", "x.json:2: '}' expected near end of file" },
	{ "{\n\"a\" 1}", "x.json:2: ':' expected near '1'" },
	{ "{\"cache\": {}}",
		"x.json: has neither \"tune_params_keys\" nor \"tune_params\": the parameters are not known" },
	{ "{\"tune_params_keys\": [\"a\", \"a\"], \"cache\": {}}",
		"x.json: has the parameter \"a\" twice" },
	{ "{\"tune_params_keys\": [1], \"cache\": {}}",
		"x.json: has a parameter without a name" },
	{ "{\"tune_params_keys\": [\"a\"], \"cache\": {}}",
		"x.json: holds no configurations" },
	{ "{\"tune_params_keys\": [\"a\"], \"cache\": {\"1\": 3}}",
		"x.json: configuration 1 is a number, and should be an object" },
	{ "{\"tune_params_keys\": [\"a\"], \"cache\": {\"1\": {\"time\": 2}}}",
		"x.json: configuration 1 has no \"a\"" },
	{ "{\"tune_params_keys\": [\"a\"], \"cache\": {\"1\": {\"a\": 1}}}",
		"x.json: no configuration has a \"time\"" },
	{ "{\"tune_params_keys\": [\"a\"], \"cache\": {\"1\": {\"a\": NaN, \"time\": 2}}}",
		"x.json: configuration 1 has no number, word, true or false as value of \"a\"" },
	{ "{\"tune_params_keys\": [\"a\"], \"cache\": {\"1\": {\"a\": [1], \"time\": 2}}}",
		"x.json: configuration 1 has no number, word, true or false as value of \"a\"" },
	{ "{\"tune_params\": {\"a\": [1]}, \"objective\": \"score\", \"cache\": {\"1\": {\"a\": 1, \"score\": 0.5}}}",
		"x.json: no configuration has a \"time\": the objective is \"score\", and only times are read" },
	{ "{\"tune_params\": {\"a\\u001b\": [1]}, \"cache\": {}}",
		"x.json: the name of parameter 1 is too long, or has a control character in it, or one that is not UTF-8: rename it in the file" },
	{ "a,time_ns\n\xf6,1\n",
		"x.json: has a value of \"a\" that is longer than 1000 bytes, or not UTF-8: change it in the file" },
	{ "{\"results\": []}", "x.json: holds no configurations" },
	{ "{\"results\": [\n", "x.json:2: ']' expected near end of file" },
	{ "{\"results\": [{\"invalidity\": \"compile\"}]}",
		"x.json: configuration 1 has no parameters" },
	{ "{\"results\": [{\"configuration\": {\"a\": 1}, \"times\": {}, \"invalidity\": \"correct\"}]}",
		"x.json: no configuration has a \"time\"" },
	{ "{\"results\": [{\"configuration\": {\"a\": 1}, \"invalidity\": \"compile\"},\n{\"configuration\": {\"b\": 1}, \"invalidity\": \"compile\"}]}",
		"x.json: configuration 2 has a parameter \"b\", which the first one has not" },
	{ "{\"results\": [{\"configuration\": {\"a\": 1, \"a\": 2}}]}",
		"x.json:1: duplicate object key near '\"a\"'" },
	{ "{\"results\": [{\"configuration\": {\"a\": 1}, \"measurements\": [{\"name\": \"time\", \"unit\": \"weeks\", \"value\": 1}]}]}",
		"x.json: configuration 1 has a time in \"weeks\": known are ns, us, ms and s" },
	{ "{\"metadata\": {\"timeunit\": \"weeks\"}, \"results\": []}",
		"x.json: unknown unit of time \"weeks\"" },
};

TEST(says_what_is_wrong_with_a_file_and_where)
{
	for (size_t i = 0; i < AT_COUNT_OF(broken); i++) {
		file_write("x.json", broken[i].text);
		assert_refused("x.json", broken[i].error);
	}
}

TEST(rows_may_stand_in_front_of_the_parameters)
{
	OWNED(at_recording_free)
	struct at_recording *recording = read_whole(
		"{\"cache\": {\"first\": {\"a\": 1, \"time\": \"odd\"}, \"1\": {\"a\": 1, \"time\": 7}}, \"tune_params\": {\"a\": [1, 2]}}");

	/* and of the same configuration the last one counts */
	assert_int_equal(recording->count, 1);
	assert_float_equal(recording->results[0].time_ns, 7e6, 1e-6);
	assert_string_equal(recording->device, "");
}

TEST(a_word_for_a_failure_that_is_not_known_is_its_reason)
{
	OWNED(at_recording_free)
	struct at_recording *recording = read_whole(
		"{\"tune_params_keys\": [\"a\"], \"objective\": \"energy\", \"cache\": {\"1\": {\"a\": 1, \"time\": \"OddConfig\"}, \"2\": {\"a\": 2, \"time\": 3, \"energy\": \"InvalidConfig\"}}}");

	assert_int_equal(recording->results[0].outcome, AT_OUTCOME_LAUNCH_FAILED);
	assert_string_equal(recording->results[0].reason, "OddConfig");
	/* a failure may stand at what the file was tuned for */
	assert_int_equal(recording->results[1].outcome, AT_OUTCOME_NOT_APPLICABLE);
	assert_true(isnan(recording->results[1].time_ns));
	assert_string_equal(recording->objective, "energy");
}

TEST(damaged_gzip_is_refused)
{
	OWNED(free) char *data;
	size_t size;
	struct at_recording *recording = NULL;

	assert_ok(at_file_read(DATA "cache.json.gz", 0, &data, &size, NULL));
	assert_ok(at_file_replace("short.json.gz", data, size - 20, &failure));
	assert_fails(at_recording_read("short.json.gz", &recording, &failure),
		AT_ESYNTAX, "is gzip that ends too early");
	data[30] ^= 0x55;
	assert_ok(at_file_replace("damaged.json.gz", data, size, &failure));
	assert_fails_with(at_recording_read("damaged.json.gz", &recording, &failure),
		AT_ESYNTAX, "is damaged gzip: ");
}

TEST(gzip_that_expands_too_far_is_refused)
{
	OWNED(free) char *data;
	char *text;
	size_t size, text_size;

	assert_ok(at_file_read(DATA "cache.json.gz", 0, &data, &size, NULL));
	assert_fails(
		at_gzip_expand(data, size, 100, "x.gz", &text, &text_size, &failure),
		AT_EINVAL,
		"is larger than 100 bytes when it is expanded, the most that is read");
}

TEST(a_file_that_is_not_there_is_said_to_be_missing)
{
	struct at_recording *recording = NULL;

	assert_fails_with(
		at_recording_read("none.json", &recording, &failure), AT_ENOENT, "");
	assert_string_equal(failure.file, "none.json");
}

/* ---- files of other tools ----------------------------------------------------- */

/* text: format's %s is replaced by it. The caller frees. */
static struct at_recording *read_filled(const char *format, const char *text)
{
	char whole[4000];

	assert_true(snprintf(whole, sizeof(whole), format, text) < (int)sizeof(whole));
	return read_whole(whole);
}

static const struct at_recorded *row_of(
	const struct at_recording *recording, int64_t value)
{
	for (size_t i = 0; i < recording->count; i++)
		if (recording->parameters[0]
				.values[recording->rows[i * recording->parameter_count]]
				.integer == value)
			return &recording->results[i];
	fail_msg("no row %lld", (long long)value);
	return NULL;
}

static const char cache[] =
	"{\"tune_params_keys\": [\"a\"], \"objective\": [\"time\"], \"cache\": {\"1\": {\"a\": 1, \"time\": 2.0}, \"2\": {\"a\": 2, %s}}}";

TEST(a_configuration_without_a_time_is_a_failure)
{
	static const struct {
		const char *members;
		enum at_outcome outcome;
	} cases[] = {
		/* versions since 1.1, and with what they measured before they failed */
		{ "\"__error__\": \"InvalidConfig\", \"compile_time\": 0",
			AT_OUTCOME_NOT_APPLICABLE },
		{ "\"__error__\": \"CompilationFailedConfig\"",
			AT_OUTCOME_COMPILE_FAILED },
		{ "\"__error__\": \"RuntimeFailedConfig\"", AT_OUTCOME_LAUNCH_FAILED },
		{ "\"time\": 0.5, \"times\": [0.5], \"__error__\": \"RuntimeFailedConfig\"",
			AT_OUTCOME_LAUNCH_FAILED },
		{ "\"__error__\": \"something new\"", AT_OUTCOME_LAUNCH_FAILED },
		/* older ones, whatever they were tuned for */
		{ "\"GFLOP/s\": \"CompilationFailedConfig\", \"time\": 0.5",
			AT_OUTCOME_COMPILE_FAILED },
		/* what people write by hand */
		{ "\"time\": -1", AT_OUTCOME_LAUNCH_FAILED },
		{ "\"time\": 0", AT_OUTCOME_LAUNCH_FAILED },
		{ "\"time\": 1e20", AT_OUTCOME_LAUNCH_FAILED },
		{ "\"time\": Infinity", AT_OUTCOME_LAUNCH_FAILED },
		{ "\"time\": -Infinity", AT_OUTCOME_LAUNCH_FAILED },
		{ "\"time\": NaN", AT_OUTCOME_LAUNCH_FAILED },
		{ "\"time\": null", AT_OUTCOME_LAUNCH_FAILED },
		{ "\"time\": \"inf\"", AT_OUTCOME_LAUNCH_FAILED },
		{ "\"time\": []", AT_OUTCOME_LAUNCH_FAILED },
		{ "\"comment\": \"none\"", AT_OUTCOME_LAUNCH_FAILED },
	};

	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		OWNED(at_recording_free)
		struct at_recording *recording = read_filled(cache, cases[i].members);
		const struct at_recorded *failed = row_of(recording, 2);

		assert_int_equal(recording->count, 2);
		assert_int_equal(row_of(recording, 1)->outcome, AT_OUTCOME_OK);
		assert_int_equal(failed->outcome, cases[i].outcome);
		assert_true(isnan(failed->time_ns));
		assert_int_equal(failed->sample_count, 0);
		assert_string_not_equal(failed->reason, "");
	}
}

TEST(a_time_may_be_a_text_or_several)
{
	static const char *const members[] = { "\"time\": \"2.5\"",
		"\"time\": [2.0, 3.0]", "\"times\": [2.25, 2.75]",
		"\"power\": [[0, 60.5]], \"time\": 2.5" };

	for (size_t i = 0; i < AT_COUNT_OF(members); i++) {
		OWNED(at_recording_free)
		struct at_recording *recording = read_filled(cache, members[i]);

		assert_int_equal(row_of(recording, 2)->outcome, AT_OUTCOME_OK);
		assert_float_equal(row_of(recording, 2)->time_ns, 2.5e6, 1e-6);
	}
}

TEST(what_a_file_was_tuned_for_may_be_a_list)
{
	static const char *const cases[][2] = {
		{ "\"objective\": [\"GFLOP/s\"],", "GFLOP/s" },
		{ "\"objective\": [\"time\", \"energy\"],", "time" },
		{ "\"objective\": \"energy\",", "energy" },
		{ "\"objective\": [],", "time" },
		{ "", "time" },
	};
	struct at_recording *recording;

	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		recording = read_filled(
			"{\"tune_params\": {\"a\": [1]}, %s \"cache\": {\"1\": {\"a\": 1, \"time\": 2, \"energy\": 7}}}",
			cases[i][0]);
		assert_string_equal(recording->objective, cases[i][1]);
		/* only the time is read */
		assert_float_equal(recording->results[0].time_ns, 2e6, 1e-6);
		at_recording_free(recording);
	}
	recording = read_whole(
		"{\"results\": [{\"configuration\": {\"a\": 1}, \"times\": {\"runtimes\": [3]}, \"invalidity\": \"correct\", \"objectives\": [\"score\"]}]}");
	assert_string_equal(recording->objective, "score");
	at_recording_free(recording);
}

TEST(a_repeated_configuration_is_counted)
{
	OWNED(at_recording_free)
	struct at_recording *recording = read_whole(
		"{\"tune_params\": {\"a\": [1]}, \"cache\": {\"x\": {\"a\": 1, \"time\": 2}, \"y\": {\"a\": 1, \"time\": 3}, \"z\": {\"a\": 2, \"time\": 3}}}");

	assert_int_equal(recording->count, 2);
	assert_int_equal(recording->repeated_count, 1);
	assert_float_equal(row_of(recording, 1)->time_ns, 3e6, 1e-6);
}

#define SAMPLED(value, time) \
	"\"" value "\": {\"a\": " value ", \"time\": " time ", \"times\": [2.0, 2.1]}"

/* A file that has another tool's times beside the samples: its finals would select what
   was not the fastest. */
TEST(samples_that_are_not_of_the_times_are_left_out)
{
	static const char format[] = "{\"tune_params\": {\"a\": [1]}, \"cache\": {%s}}";
	struct at_recording *recording =
		read_filled(format, SAMPLED("1", "52.5") ", " SAMPLED("2", "2.05"));

	assert_int_equal(recording->outside_count, 1);
	assert_int_equal(row_of(recording, 1)->sample_count, 0);
	assert_int_equal(row_of(recording, 2)->sample_count, 0);
	assert_float_equal(row_of(recording, 1)->time_ns, 52.5e6, 1e-6);
	at_recording_free(recording);
	/* the least, the mean, and the most, rounded */
	recording = read_filled(format,
		SAMPLED("1", "2") ", " SAMPLED("2", "2.05") ", " SAMPLED("3", "2.101"));
	assert_int_equal(recording->outside_count, 0);
	assert_int_equal(row_of(recording, 3)->sample_count, 2);
	at_recording_free(recording);
	/* one of eleven is a slip of the file */
	recording = read_filled(
		format, SAMPLED("1", "2") ", " SAMPLED("2", "2") ", " SAMPLED(
				"3", "2") ", " SAMPLED("4", "2") ", " SAMPLED("5",
				"2") ", " SAMPLED("6", "2") ", " SAMPLED("7",
				"2") ", " SAMPLED("8", "2") ", " SAMPLED("9",
				"2") ", " SAMPLED("10", "2") ", " SAMPLED("11", "1.9"));
	assert_int_equal(recording->outside_count, 0);
	assert_int_equal(row_of(recording, 11)->sample_count, 2);
	at_recording_free(recording);
}

#define MEASURED(list) \
	"{\"results\": [{\"configuration\": {\"a\": 1}, \"times\": {\"runtimes\": [3]}, \"measurements\": [{\"name\": \"time\", \"value\": 3, \"unit\": \"ms\"}]}, " \
	"{\"configuration\": {\"a\": 2}, \"times\": {\"runtimes\": [0.005]}, \"measurements\": [" list \
	"]}]}"
#define TOTAL "{\"name\": \"TotalDuration\", \"value\": 5, \"unit\": \"us\"}"
#define NAMED_TIME(value) "{\"name\": \"time\", \"value\": " value "}"

TEST(a_time_counts_before_one_of_another_name_in_any_order)
{
	static const struct {
		const char *text;
		double time_ns; /* NAN: a failure */
	} cases[] = {
		{ MEASURED(TOTAL), 5e3 },
		{ MEASURED(TOTAL ", " NAMED_TIME("2")), 2e6 },
		{ MEASURED(NAMED_TIME("2") ", " TOTAL), 2e6 },
		{ MEASURED(TOTAL ", " NAMED_TIME("-1")), NAN },
		{ MEASURED(NAMED_TIME("-1") ", " TOTAL), NAN },
		{ MEASURED(NAMED_TIME("null")), NAN },
		/* the samples say it where there is no measurement */
		{ MEASURED("{\"name\": \"power\", \"value\": 7}"), 5e3 },
	};

	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		OWNED(at_recording_free)
		struct at_recording *recording = read_whole(cases[i].text);
		const struct at_recorded *result = row_of(recording, 2);

		if (isnan(cases[i].time_ns)) {
			assert_int_equal(result->outcome, AT_OUTCOME_LAUNCH_FAILED);
			assert_true(isnan(result->time_ns));
		} else {
			assert_int_equal(result->outcome, AT_OUTCOME_OK);
			assert_float_equal(result->time_ns, cases[i].time_ns, 1e-6);
		}
	}
}

TEST(many_values_are_put_in_order)
{
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	struct at_recording *recording;

	at_strbuf_add(&text, "x,w,time_ns\n");
	for (int i = 3000; i > 0; i--)
		at_strbuf_addf(&text, "%d.5,w%d,%d\n", i % 2 ? i : -i, i, i);
	recording = read_whole(at_strbuf_text(&text));
	assert_int_equal(recording->parameters[0].value_count, 3000);
	assert_int_equal(recording->parameters[1].value_count, 3000);
	for (size_t i = 0; i < recording->count; i++) {
		const uint16_t *row = recording->rows + i * 2;
		double x = recording->parameters[0].values[row[0]].real;
		char word[16];

		assert_int_equal(row[0], i); /* the rows ascend, as the values do */
		assert_float_equal(fabs(x) - .5, recording->results[i].time_ns, 0);
		snprintf(word, sizeof(word), "w%.0f", recording->results[i].time_ns);
		assert_string_equal(recording->parameters[1].values[row[1]].word, word);
	}
	at_recording_free(recording);
	at_strbuf_clear(&text);
	at_strbuf_add(&text, "x,time_ns\n");
	for (int i = 0; i < 65536; i++)
		at_strbuf_addf(&text, "%d,1\n", i);
	file_write("other", at_strbuf_text(&text));
	assert_fails(at_recording_read("other", &recording, &failure), AT_EINVAL,
		"has more than 65535 values of \"x\": is it a measurement, not a parameter?");
}

/* As many as a space can have, and no more: without the limit the time would grow with
   the square of their number. */
TEST(too_many_parameters_are_refused_at_once)
{
	static const struct {
		const char *begin, *each, *behind, *end;
	} formats[] = {
		{ "{\"results\": [{\"times\": {\"runtimes\": [1]}, \"configuration\": {",
			"\"x", "\": 1", "}}]}" },
		{ "", "x", "", ",time_ns\n" },
	};

	for (size_t f = 0; f < AT_COUNT_OF(formats); f++) {
		for (int count = 1024; count <= 1025; count++) {
			OWNED(at_recording_free) struct at_recording *recording = NULL;
			RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };

			at_strbuf_add(&text, formats[f].begin);
			for (int i = 0; i < count; i++) {
				at_strbuf_add(&text, i ? "," : "");
				at_strbuf_addf(&text, "%s%d%s", formats[f].each, i,
					formats[f].behind);
			}
			at_strbuf_add(&text, formats[f].end);
			if (f == 1)
				for (int i = 0; i <= count; i++)
					at_strbuf_addf(&text, "%s1", i ? "," : "");
			file_write("other", text.data);
			if (count == 1024) {
				assert_ok(at_recording_read(
					"other", &recording, &failure));
				assert_int_equal(recording->parameter_count, 1024);
			} else {
				assert_fails(at_recording_read(
						     "other", &recording, &failure),
					AT_EINVAL, "has more than 1024 parameters");
			}
		}
	}
}

TEST(words_keep_their_order_through_the_record)
{
	const struct at_import_options options = { "s", "p", "d", "x", "0" };
	OWNED(at_recording_free)
	struct at_recording *before = read_whole(
		"a,w,time_ns\n1,low,5\n1,mid,6\n1,high,7\n2,low,8\n2,high,9\n");
	OWNED(at_recording_free) struct at_recording *after;
	struct at_imported added;
	OWNED(at_store_close) struct at_store *store;

	assert_int_equal(system("rm -rf words"), 0);
	assert_ok(at_store_open("words", &store, &failure));
	assert_ok(at_store_import(store, before, &options, &added, &failure));
	assert_ok(at_recording_from_store(
		store, "words", "s", "p", added.slug, &after, &failure));
	assert_int_equal(after->count, before->count);
	assert_memory_equal(
		after->rows, before->rows, before->count * 2 * sizeof(*before->rows));
	for (size_t i = 0; i < 3; i++)
		assert_string_equal(after->parameters[1].values[i].word,
			before->parameters[1].values[i].word);
	assert_int_equal(after->repeated_count, 0);
	free(added.slug);
}

/* ---- the script that converts ---------------------------------------------------- */

#define KTT_ROW(value, status, duration) \
	"{\"CompilationOverhead\": 2000, \"Configuration\": [{\"Value\": " value \
	", \"Name\": \"a\", \"ValueType\": \"UnsignedInt\"}], \"KernelName\": \"sum\", \"Status\": \"" status \
	"\", \"TotalDuration\": " duration "}"
#define KTT_FILE(rows) \
	"{\"Metadata\": {\"TimeUnit\": \"Microseconds\", \"Device\": \"board\"}, \"Results\": [" rows \
	"]}"

/* Each file has a row 1 of 3.5 us and a row 2 that failed, or is refused. */
static const struct {
	const char *arguments;
	const char *text;
	enum at_outcome outcome; /* of row 2 */
	const char *kernel;
	const char *device;
	const char *error; /* NULL: it is converted */
} conversions[] = {
	{ "ktt",
		KTT_FILE(KTT_ROW("1", "Ok", "3.5") ", " KTT_ROW(
			"2", "ValidationFailed", "1.5")),
		AT_OUTCOME_WRONG_RESULT, "sum", "board", NULL },
	{ "ktt",
		KTT_FILE(KTT_ROW("1", "Ok", "3.5") ", " KTT_ROW(
			"2", "CompilationFailed", "0")),
		AT_OUTCOME_COMPILE_FAILED, "sum", "board", NULL },
	{ "ktt --kernel sum",
		KTT_FILE(KTT_ROW("1", "Ok", "3.5") ", " KTT_ROW("2",
			"ComputationFailed",
			"0") ", {\"KernelName\": \"scan\", \"TotalDuration\": 1, \"Configuration\": []}"),
		AT_OUTCOME_LAUNCH_FAILED, "sum", "board", NULL },
	{ "ktt", KTT_FILE(KTT_ROW("1", "Ok", "3.5") ", {\"KernelName\": \"scan\"}"),
		AT_OUTCOME_NONE, NULL, NULL,
		"to_t4.py: in: has results of scan, sum: choose one with --kernel\n" },
	/* T4, whose values are texts */
	{ "ktt",
		"{\"metadata\": {\"autotuner\": \"KTT\", \"timeunit\": \"microseconds\"}, \"results\": ["
		"{\"configuration\": {\"a\": \"1\"}, \"measurements\": [{\"name\": \"time\", \"value\": 3.5, \"unit\": \"\"}]}, "
		"{\"configuration\": {\"a\": \"2\"}, \"invalidity\": \"timeout\"}]}",
		AT_OUTCOME_TIMED_OUT, "", "", NULL },
	{ "clblast",
		"{\"kernel_family\": \"xgemm_1\", \"clblast_device_name\": \"Tesla\", \"device\": \"GV100\", \"results\": ["
		"{\"kernel\": \"Xgemm\", \"time\": 0.0035, \"parameters\": {\"a\": 1}},"
		"{\"kernel\": \"Xgemm\", \"time\": -1, \"parameters\": {\"a\": 2}}]}",
		AT_OUTCOME_LAUNCH_FAILED, "xgemm_1", "Tesla", NULL },
	{ "clblast", "{\"results\": [{}]}", AT_OUTCOME_NONE, NULL, NULL,
		"to_t4.py: in: has no 'parameters', as clblast would write it\n" },
	{ "csv --time 'Time (us)' --unit us --parameters a --delimiter ';'",
		"a;GFLOP/s;Time (us)\n1;7;3.5\n2;0;nan\n", AT_OUTCOME_LAUNCH_FAILED, "",
		"", NULL },
	{ "csv --time t --unit ns --parameters a --valid ok",
		"ok,t,a\r\nTrue,3500,1\r\nFalse,7,2\r\n", AT_OUTCOME_WRONG_RESULT, "",
		"", NULL },
	{ "csv --time t --unit ns --parameters b", "a,t\n1,1\n", AT_OUTCOME_NONE, NULL,
		NULL, "to_t4.py: in: has no column \"b\"; its columns are: a, t\n" },
	{ "csv --time t --unit ns --parameters a", "a,t\n1,2.5ms\n", AT_OUTCOME_NONE,
		NULL, NULL,
		"to_t4.py: in: line 2: expected a time such as 1.5, found \"2.5ms\"\n" },
	{ "csv --time t --unit ns --parameters a", "a,t\n1\n", AT_OUTCOME_NONE, NULL,
		NULL,
		"to_t4.py: in: line 2 has another number of cells than line 1\n" },
};

TEST(a_script_converts_files_of_other_tools)
{
	if (system("python3 -c 0 2>/dev/null") != 0)
		skip_because("no python3, in which the script is written");
	for (size_t i = 0; i < AT_COUNT_OF(conversions); i++) {
		struct at_recording *recording;
		char command[1000], *error;
		int code;

		file_write("in", conversions[i].text);
		snprintf(command, sizeof(command),
			"python3 -B " AT_TEST_DIR
			"/../tuner/share/to_t4.py %s in >out.json 2>error",
			conversions[i].arguments);
		code = system(command);
		error = file_text("error");
		assert_string_equal(
			error, conversions[i].error ? conversions[i].error : "");
		free(error);
		assert_true((code != 0) == (conversions[i].error != NULL));
		if (code)
			continue;
		recording = read_recording("out.json");
		assert_string_equal(recording->kernel, conversions[i].kernel);
		assert_string_equal(recording->device, conversions[i].device);
		assert_string_equal(recording->objective, "time");
		assert_int_equal(recording->count, 2);
		assert_int_equal(recording->parameter_count, 1);
		assert_int_equal(recording->parameters[0].type, AT_TYPE_INTEGER);
		assert_float_equal(row_of(recording, 1)->time_ns, 3500, 1e-9);
		assert_int_equal(row_of(recording, 2)->outcome, conversions[i].outcome);
		at_recording_free(recording);
	}
}

/* ---- our own record ----------------------------------------------------------- */

static void add_evaluation(struct at_store *store, int64_t run, const char *problem,
	const char *configuration, double time_ns)
{
	const bool is_ok = !isnan(time_ns);
	double samples[2] = { time_ns, time_ns + 2 };
	struct at_evaluation evaluation = record_evaluation(
		1, at_hash_bytes(configuration, strlen(configuration)).low, time_ns);

	evaluation.run_id = run;
	evaluation.space = "scale";
	evaluation.problem = (char *)problem;
	evaluation.configuration = (char *)configuration;
	evaluation.outcome = is_ok ? AT_OUTCOME_OK : AT_OUTCOME_TOO_MANY_RESOURCES;
	evaluation.detail = is_ok ? "" : "too many registers";
	evaluation.sample_count = is_ok ? 2 : 0;
	evaluation.samples_ns = samples;
	evaluation.facts.registers = 40;
	evaluation.facts.compile_ns = 250000000;
	evaluation.measure_ns = 5000000;
	assert_ok(at_store_add(store, &evaluation, &failure));
}

static void make_record(void)
{
	const struct at_record_device board =
		record_device("cuda", "A board", "a-board", "", "", "");
	OWNED(at_store_close) struct at_store *store;
	int64_t device, run;

	(void)!system("rm -rf record");
	store = record_open("record");
	assert_ok(at_store_put_device(store, &board, &device, &failure));
	assert_ok(at_store_begin_run(
		store, device, "scale", "random", 0, "0", &run, &failure));
	/* of an older state of the space, and the fastest */
	add_evaluation(store, run, "large", "{\"BLOCK\": 16}", 900);
	add_evaluation(store, run, "large",
		"{\"BLOCK\": 32, \"CACHE\": \"ca\", \"ON\": true}", 1000);
	add_evaluation(store, run, "large",
		"{\"BLOCK\": 16, \"CACHE\": \"ca\", \"ON\": true}", NAN);
	add_evaluation(store, run, "large",
		"{\"BLOCK\": 16, \"CACHE\": \"cg\", \"ON\": false}", 2000);
	add_evaluation(store, run, "small",
		"{\"BLOCK\": 64, \"CACHE\": \"cg\", \"ON\": false}", 500);
	assert_ok(at_store_end_run(store, run, "done", &failure));
}

TEST(reads_our_own_record_with_its_facts)
{
	OWNED(at_recording_free) struct at_recording *recording;
	const struct at_recorded *result;

	make_record();
	recording = read_recording("record/autotune.db,problem=large");
	assert_string_equal(recording->kernel, "scale");
	assert_string_equal(recording->device, "A board");
	assert_string_equal(recording->name, "scale large a-board");
	assert_int_equal(recording->count, 3);
	assert_int_equal(recording->parameter_count, 3);
	for (size_t i = 0; i < recording->count; i++)
		assert_int_equal(recording->results[i].facts.registers, 40);
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
}

TEST(a_record_of_several_wants_a_choice)
{
	static const struct {
		const char *path;
		const char *error;
	} cases[] = {
		{ "record/autotune.db",
			"record/autotune.db: choose one with \"autotune.db,space=...,problem=...,device=...\": space=scale,problem=large,device=a-board; space=scale,problem=small,device=a-board" },
		{ "record/autotune.db,problem=none",
			"record/autotune.db,problem=none: nothing of this is recorded there" },
		{ "record/autotune.db,kernel=scale",
			"record/autotune.db: expected space=NAME, problem=NAME or device=MODEL after the comma, found \"kernel\"" },
		{ DATA "t4.json,problem=large", DATA
			"t4.json: is no record of autotune, and \"problem=large\" chooses from a record" },
	};

	make_record();
	for (size_t i = 0; i < AT_COUNT_OF(cases); i++)
		assert_refused(cases[i].path, cases[i].error);
}

static bool is_read(void *context)
{
	struct at_recording *recording = NULL;
	struct at_error err = { 0 };
	enum at_status status = at_recording_read(context, &recording, &err);

	return err.status == status &&
	       (status == AT_ENOMEM || (!status && recording->count >= 3));
}

TEST(reads_everything_or_says_that_memory_ran_out)
{
	static const char *const paths[] = { DATA "cache.json", DATA "t4.json",
		DATA "cache.json.gz", "record/autotune.db,problem=large" };

	make_record();
	for (size_t p = 0; p < AT_COUNT_OF(paths); p++)
		assert_true(assert_bears_each_failure(
				    is_read, (void *)(uintptr_t)paths[p]) > 20);
}

RUN_SUITE(NULL, NULL)
