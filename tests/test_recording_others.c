/* Recordings as other people's tools leave them: failures in all their forms, other
   objectives, several tools' T4, CSV of spreadsheets, and what is no recording. */
#include "base/file.h"
#include "record/foreign.h"
#include "record/recording.h"
#include "record/store.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FILE_NAME "other"

static enum at_status read_text(
	const char *text, size_t size, struct at_recording **out, struct at_error *err)
{
	*out = NULL;
	assert_int_equal(at_file_replace(FILE_NAME, text, size, err), AT_OK);
	return at_recording_read(FILE_NAME, out, err);
}

static struct at_recording *read_whole(const char *text)
{
	struct at_recording *recording;
	struct at_error err = { 0 };

	if (read_text(text, strlen(text), &recording, &err))
		fail_msg("%s: %s", text, err.text);
	return recording;
}

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

static void a_configuration_without_a_time_is_a_failure(void **state)
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

	(void)state;
	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		struct at_recording *recording = read_filled(cache, cases[i].members);
		const struct at_recorded *failed = row_of(recording, 2);

		assert_int_equal(recording->count, 2);
		assert_int_equal(row_of(recording, 1)->outcome, AT_OUTCOME_OK);
		assert_int_equal(failed->outcome, cases[i].outcome);
		assert_true(isnan(failed->time_ns));
		assert_int_equal(failed->sample_count, 0);
		assert_string_not_equal(failed->reason, "");
		at_recording_free(recording);
	}
}

static void a_time_may_be_a_text_or_several(void **state)
{
	static const char *const members[] = { "\"time\": \"2.5\"",
		"\"time\": [2.0, 3.0]", "\"times\": [2.25, 2.75]",
		"\"power\": [[0, 60.5]], \"time\": 2.5" };

	(void)state;
	for (size_t i = 0; i < AT_COUNT_OF(members); i++) {
		struct at_recording *recording = read_filled(cache, members[i]);

		assert_int_equal(row_of(recording, 2)->outcome, AT_OUTCOME_OK);
		assert_float_equal(row_of(recording, 2)->time_ns, 2.5e6, 1e-6);
		at_recording_free(recording);
	}
}

static void what_a_file_was_tuned_for_may_be_a_list(void **state)
{
	static const char *const cases[][2] = {
		{ "\"objective\": [\"GFLOP/s\"],", "GFLOP/s" },
		{ "\"objective\": [\"time\", \"energy\"],", "time, energy" },
		{ "\"objective\": \"energy\",", "energy" },
		{ "\"objective\": [],", "time" },
		{ "", "time" },
	};
	struct at_recording *recording;

	(void)state;
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

static void a_repeated_configuration_is_counted(void **state)
{
	struct at_recording *recording = read_whole(
		"{\"tune_params\": {\"a\": [1]}, \"cache\": {\"x\": {\"a\": 1, \"time\": 2}, \"y\": {\"a\": 1, \"time\": 3}, \"z\": {\"a\": 2, \"time\": 3}}}");

	(void)state;
	assert_int_equal(recording->count, 2);
	assert_int_equal(recording->repeated_count, 1);
	assert_float_equal(row_of(recording, 1)->time_ns, 3e6, 1e-6);
	at_recording_free(recording);
}

#define SAMPLED(value, time) \
	"\"" value "\": {\"a\": " value ", \"time\": " time ", \"times\": [2.0, 2.1]}"

/* A file that has another tool's times beside the samples: its finals would crown what
   was not the fastest. */
static void samples_that_are_not_of_the_times_are_left_out(void **state)
{
	static const char format[] = "{\"tune_params\": {\"a\": [1]}, \"cache\": {%s}}";
	struct at_recording *recording =
		read_filled(format, SAMPLED("1", "52.5") ", " SAMPLED("2", "2.05"));

	(void)state;
	assert_int_equal(recording->foreign_count, 1);
	assert_int_equal(row_of(recording, 1)->sample_count, 0);
	assert_int_equal(row_of(recording, 2)->sample_count, 0);
	assert_float_equal(row_of(recording, 1)->time_ns, 52.5e6, 1e-6);
	at_recording_free(recording);
	/* the least, the mean, and the most, rounded */
	recording = read_filled(format,
		SAMPLED("1", "2") ", " SAMPLED("2", "2.05") ", " SAMPLED("3", "2.101"));
	assert_int_equal(recording->foreign_count, 0);
	assert_int_equal(row_of(recording, 3)->sample_count, 2);
	at_recording_free(recording);
	/* one of eleven is a slip of the file */
	recording = read_filled(
		format, SAMPLED("1", "2") ", " SAMPLED("2", "2") ", " SAMPLED(
				"3", "2") ", " SAMPLED("4", "2") ", " SAMPLED("5",
				"2") ", " SAMPLED("6", "2") ", " SAMPLED("7",
				"2") ", " SAMPLED("8", "2") ", " SAMPLED("9",
				"2") ", " SAMPLED("10", "2") ", " SAMPLED("11", "1.9"));
	assert_int_equal(recording->foreign_count, 0);
	assert_int_equal(row_of(recording, 11)->sample_count, 2);
	at_recording_free(recording);
}

#define T4_ROW(value, more) \
	"{\"configuration\": {\"a\": " value "}, \"times\": {}, " more "}"

static const char t4[] = "{\"metadata\": {%s \"timeunit\": \"Microseconds\"}, \"results\": [" T4_ROW(
	"\"16\"",
	"\"invalidity\": \"correct\", \"measurements\": [{\"name\": \"time\", \"value\": 5, \"unit\": \"\"}]") ", " T4_ROW("\"8\"",
	"\"measurements\": [{\"name\": \"time\", \"value\": 4, \"unit\": \"\xc2\xb5s\"}], \"correctness\": 0") "]}";

static void t4_files_differ_by_the_tool_that_wrote_them(void **state)
{
	struct at_recording *recording = read_filled(t4, "\"autotuner\": \"KTT\",");

	(void)state;
	/* KTT writes numbers as texts: they are in order again */
	assert_int_equal(recording->parameters[0].type, AT_TYPE_INTEGER);
	assert_int_equal(recording->parameters[0].values[0].integer, 8);
	assert_float_equal(row_of(recording, 16)->time_ns, 5e3, 1e-9);
	/* what is not correct has no time, whatever word is missing */
	assert_int_equal(row_of(recording, 8)->outcome, AT_OUTCOME_WRONG_RESULT);
	at_recording_free(recording);
	/* another tool's texts are words */
	recording = read_filled(t4, "\"autotuner\": \"Another\",");
	assert_int_equal(recording->parameters[0].type, AT_TYPE_WORD);
	assert_string_equal(recording->parameters[0].values[0].word, "16");
	at_recording_free(recording);
}

static void files_of_clblast_have_plain_rows(void **state)
{
	struct at_recording *recording = read_whole(
		"{\"kernel_family\": \"xgemm_1\", \"precision\": \"32\", \"clblast_device_name\": \"Tesla\", \"device\": \"GV100\", \"results\": ["
		"{\"kernel\": \"Xgemm\", \"time\": 0.520, \"parameters\": {\"KWG\": 16, \"MWG\": 64}},"
		"{\"kernel\": \"Xgemm\", \"time\": 0.250, \"parameters\": {\"KWG\": 32, \"MWG\": 64}}]}");

	(void)state;
	assert_string_equal(recording->kernel, "xgemm_1");
	assert_string_equal(recording->device, "Tesla");
	assert_int_equal(recording->count, 2);
	assert_int_equal(recording->parameter_count, 2);
	assert_int_equal(row_of(recording, 32)->outcome, AT_OUTCOME_OK);
	assert_float_equal(row_of(recording, 32)->time_ns, 250e3, 1e-6);
	at_recording_free(recording);
	/* another tool's rows that look the same, in the unit that the file names */
	recording = read_whole(
		"{\"results\": [{\"parameters\": {\"A\": 1}, \"time\": 0.005}], \"metadata\": {\"timeunit\": \"s\"}}");
	assert_float_equal(row_of(recording, 1)->time_ns, 5e6, 1e-6);
	at_recording_free(recording);
	recording = read_whole(
		"{\"results\": [{\"parameters\": {\"A\": 1}, \"time\": 0.005}], \"clblast_device_type\": \"GPU\"}");
	assert_float_equal(row_of(recording, 1)->time_ns, 5e3, 1e-6);
	at_recording_free(recording);
	/* in a T4 file a "time" of a row is no time of the kernel */
	recording = read_whole(
		"{\"results\": [{\"configuration\": {\"a\": 1}, \"time\": 7, \"times\": {\"runtimes\": []}},"
		"{\"configuration\": {\"a\": 2}, \"times\": {\"runtimes\": [3]}}]}");
	assert_int_equal(row_of(recording, 1)->outcome, AT_OUTCOME_LAUNCH_FAILED);
	at_recording_free(recording);
}

#define KTT_ROW(value, status, duration) \
	"{\"CompilationOverhead\": 2000, \"Configuration\": [{\"Value\": " value \
	", \"Name\": \"a\", \"ValueType\": \"UnsignedInt\"}], \"KernelName\": \"sum\", \"Status\": \"" status \
	"\", \"TotalDuration\": " duration "}"

#define KTT_FILE(rows) \
	"{\"Metadata\": {\"TimeUnit\": \"Microseconds\"}, \"Results\": [" rows "]}"

static void files_of_ktt_have_pairs_and_a_unit(void **state)
{
	/* "Metadata" may follow; a failure has a time beside it, too */
	struct at_recording *recording = read_whole("{\"Results\": [" KTT_ROW(
		"16", "Ok", "3.5") ", " KTT_ROW("8", "ValidationFailed",
		"1.5") ", " KTT_ROW("4", "CompilationFailed",
		"0") "], \"Metadata\": {\"TimeUnit\": \"Microseconds\", \"Device\": \"board\"}}");

	(void)state;
	assert_string_equal(recording->device, "board");
	assert_string_equal(recording->kernel, "sum");
	assert_string_equal(recording->objective, "time");
	assert_int_equal(recording->count, 3);
	assert_float_equal(row_of(recording, 16)->time_ns, 3.5e3, 1e-9);
	assert_float_equal(row_of(recording, 16)->compile_seconds, 2e-3, 1e-9);
	assert_int_equal(row_of(recording, 8)->outcome, AT_OUTCOME_WRONG_RESULT);
	assert_true(isnan(row_of(recording, 8)->time_ns));
	assert_int_equal(row_of(recording, 4)->outcome, AT_OUTCOME_COMPILE_FAILED);
	at_recording_free(recording);
}

#define CONVERTED(value, time) \
	"{\"configuration\": {\"a\": " value \
	"}, \"objectives\": [\"TotalDuration\"], " \
	"\"times\": {\"compilation_time\": 5000, \"runtimes\": [" time \
	"]}, \"invalidity\": \"correct\", " \
	"\"measurements\": [{\"name\": \"TotalDuration\", \"value\": " time \
	", \"unit\": \"Microseconds\"}, {\"name\": \"issued\", \"value\": 7, \"unit\": \"\"}]}"

/* Taken for milliseconds, all times would be a thousand times as long. */
static void what_was_tuned_for_may_be_a_time_of_another_name(void **state)
{
	struct at_recording *recording = read_whole("{\"results\": [" CONVERTED(
		"1", "3.5") ", " CONVERTED("2", "4.5") "]}");

	(void)state;
	assert_string_equal(recording->objective, "time");
	assert_float_equal(row_of(recording, 1)->time_ns, 3.5e3, 1e-9);
	/* the samples beside it, which name no unit, are in the same one */
	assert_int_equal(row_of(recording, 2)->sample_count, 1);
	assert_float_equal(
		recording->samples_ns[row_of(recording, 2)->sample_begin], 4.5e3, 1e-6);
	assert_float_equal(row_of(recording, 2)->compile_seconds, 5e-3, 1e-9);
	at_recording_free(recording);
	/* not a time: a score beside samples in milliseconds */
	recording = read_whole(
		"{\"results\": [{\"configuration\": {\"a\": 1}, \"objectives\": [\"score\"], \"times\": {\"runtimes\": [2]}, \"measurements\": [{\"name\": \"score\", \"value\": 9, \"unit\": \"\"}]}]}");
	assert_string_equal(recording->objective, "score");
	assert_float_equal(row_of(recording, 1)->time_ns, 2e6, 1e-6);
	at_recording_free(recording);
}

#define MEASURED(list) \
	"{\"results\": [{\"configuration\": {\"a\": 1}, \"times\": {\"runtimes\": [3]}, \"measurements\": [{\"name\": \"time\", \"value\": 3, \"unit\": \"ms\"}]}, " \
	"{\"configuration\": {\"a\": 2}, \"times\": {\"runtimes\": [0.005]}, \"measurements\": [" list \
	"]}]}"
#define TOTAL "{\"name\": \"TotalDuration\", \"value\": 5, \"unit\": \"us\"}"
#define NAMED_TIME(value) "{\"name\": \"time\", \"value\": " value "}"

static void a_time_counts_before_one_of_another_name_in_any_order(void **state)
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

	(void)state;
	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		struct at_recording *recording = read_whole(cases[i].text);
		const struct at_recorded *result = row_of(recording, 2);

		if (isnan(cases[i].time_ns)) {
			assert_int_equal(result->outcome, AT_OUTCOME_LAUNCH_FAILED);
			assert_true(isnan(result->time_ns));
		} else {
			assert_int_equal(result->outcome, AT_OUTCOME_OK);
			assert_float_equal(result->time_ns, cases[i].time_ns, 1e-6);
		}
		at_recording_free(recording);
	}
}

#define IN_MICROSECONDS(value, samples) \
	"{\"configuration\": {\"a\": " value \
	"}, \"times\": {\"compilation_time\": 5000, \"runtimes\": [" samples \
	"]}, \"measurements\": [{\"name\": \"time\", \"value\": 3, \"unit\": \"us\"}]}"
#define WITHOUT_TIME(value, samples, word) \
	"{\"configuration\": {\"a\": " value \
	"}, \"times\": {\"compilation_time\": 5000, \"runtimes\": [" samples \
	"]}, \"invalidity\": \"" word "\"}"

/* Row by row, those without samples would have a compile time a thousand times as
   long. */
static void the_unit_of_samples_is_one_for_all_rows(void **state)
{
	struct at_recording *recording = read_whole(
		"{\"results\": [" WITHOUT_TIME("1", "", "compile") ", " IN_MICROSECONDS(
			"2", "2, 4") ", " IN_MICROSECONDS("3",
			"") ", " WITHOUT_TIME("4", "6", "correct") "]}");

	(void)state;
	for (size_t i = 0; i < 4; i++)
		assert_float_equal(recording->results[i].compile_seconds, 5e-3, 1e-12);
	assert_float_equal(row_of(recording, 2)->time_ns, 3e3, 1e-9);
	assert_float_equal(
		recording->samples_ns[row_of(recording, 2)->sample_begin], 2e3, 1e-9);
	assert_float_equal(row_of(recording, 3)->time_ns, 3e3, 1e-9);
	assert_float_equal(row_of(recording, 4)->time_ns, 6e3, 1e-9);
	at_recording_free(recording);
	/* most rows say that the samples are in the unit of the file */
	recording = read_whole(
		"{\"results\": [" IN_MICROSECONDS("1", "2, 4") ", " IN_MICROSECONDS(
			"2", "0.002, 0.004") ", " IN_MICROSECONDS("3", "0.003") "]}");
	for (size_t i = 0; i < 3; i++)
		assert_float_equal(recording->results[i].compile_seconds, 5, 1e-12);
	at_recording_free(recording);
}

static void csv_of_others_has_failures_and_other_separators(void **state)
{
	static const struct {
		const char *text;
		const char *reason;
	} cases[] = {
		{ "A;time_ms\n2;-1\n1;2.5\n", "failed" },
		{ "A\ttime_ms\n2\t0\n1\t2.5\n", "failed" },
		{ "A,time_us\n2,1e20\n1,2500\n", "failed" },
		{ "A,time_us\n2,nan\n1,2500\n", "nan" },
		{ "A,time_us\n2,-inf\n1,2500\n", "-inf" },
		{ "A,time_us\n2,InvalidConfig\n1,2500\n", "InvalidConfig" },
		{ "A;time_us;\"detail\"\n2;;\"a;b\"\n1;2500;\n", "a;b" },
		/* the unit as people write it */
		{ "A,time (us)\n2,0\n1,2500\n", "failed" },
		{ "A,Time [ms]\n2,0\n1,2.5\n", "failed" },
		{ "A,time(\xc2\xb5s)\n2,0\n1,2500\n", "failed" },
		{ "A,Time_us\n2,0\n1,2500\n", "failed" },
		/* a blank behind each comma */
		{ "A, time_us , outcome\n2 , , no \n1, 2500, \"ok\" \n", "no" },
		/* lines of blanks alone */
		{ "A,time_us\n  \n2,0\r\n \r\n1,2500\n   ", "failed" },
		/* row numbers, with no name or that of pandas; a separator at the end
		 */
		{ ",A,time_us\n0,2,0\n1,1,2500\n", "failed" },
		{ "Unnamed: 0,A,time_us\n0,2,0\n1,1,2500\n", "failed" },
		{ "A;time_us;\n2;0;\n1;2500;\n", "failed" },
	};

	(void)state;
	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		struct at_recording *recording = read_whole(cases[i].text);
		const struct at_recorded *failed = row_of(recording, 2);

		assert_float_equal(row_of(recording, 1)->time_ns, 2.5e6, 1e-6);
		assert_int_equal(failed->outcome, AT_OUTCOME_LAUNCH_FAILED);
		assert_string_equal(failed->reason, cases[i].reason);
		at_recording_free(recording);
	}
}

/* A wrong configuration is often a fast one, and would be taken for the best. */
static void csv_may_say_which_results_are_wrong(void **state)
{
	static const char *const names[] = { "valid", "is_valid", "correct" };

	(void)state;
	for (size_t i = 0; i < AT_COUNT_OF(names); i++) {
		struct at_recording *recording;
		char text[100];

		snprintf(text, sizeof(text), "A,time_us,%s\n2,1,False\n1,2500,1\n",
			names[i]);
		recording = read_whole(text);
		assert_int_equal(recording->parameter_count, 1);
		assert_int_equal(row_of(recording, 1)->outcome, AT_OUTCOME_OK);
		assert_int_equal(
			row_of(recording, 2)->outcome, AT_OUTCOME_WRONG_RESULT);
		assert_true(isnan(row_of(recording, 2)->time_ns));
		at_recording_free(recording);
		/* beside a column of outcomes: the one that says a failure counts */
		snprintf(text, sizeof(text),
			"A,outcome,%s,time_us\n2,ok,false,1\n1,ok,true,2500\n3,crashed,false,\n4,crashed,1,\n5,ok,0,\n",
			names[i]);
		recording = read_whole(text);
		assert_int_equal(row_of(recording, 1)->outcome, AT_OUTCOME_OK);
		assert_int_equal(
			row_of(recording, 2)->outcome, AT_OUTCOME_WRONG_RESULT);
		assert_true(isnan(row_of(recording, 2)->time_ns));
		assert_int_equal(row_of(recording, 3)->outcome, AT_OUTCOME_CRASHED);
		assert_int_equal(row_of(recording, 4)->outcome, AT_OUTCOME_CRASHED);
		assert_int_equal(
			row_of(recording, 5)->outcome, AT_OUTCOME_WRONG_RESULT);
		at_recording_free(recording);
	}
}

static void many_values_are_put_in_order(void **state)
{
	struct at_strbuf text = { 0 };
	struct at_recording *recording;
	struct at_error err = { 0 };

	(void)state;
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
	assert_int_equal(
		read_text(at_strbuf_text(&text), text.length, &recording, &err),
		AT_EINVAL);
	assert_string_equal(err.text,
		"has more than 65535 values of \"x\": is it a measurement, not a parameter?");
	at_strbuf_release(&text);
}

/* What is no recording, and what is said of it. */
static void says_what_a_file_is_instead_and_what_to_do(void **state)
{
#define CASE(text, error) \
	{ \
		text, sizeof(text) - 1, error \
	}
	static const struct {
		const char *text;
		size_t size;
		const char *error;
	} cases[] = {
		CASE("", "other: is empty"),
		CASE("PK\3\4\0\0", "other: is a zip archive: unpack it first"),
		CASE("\xfd"
		     "7zXZ\0",
			"other: is compressed by xz: unpack it first"),
		CASE("BZh9", "other: is compressed by bzip2: unpack it first"),
		CASE("\x28\xb5\x2f\xfd",
			"other: is compressed by zstd: unpack it first"),
		CASE("\xff\xfe{\0}\0", "other: is UTF-16: save it as UTF-8"),
		CASE("version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
			"other: is a pointer of Git LFS in place of the file: fetch it with git lfs pull"),
		CASE("/annex/objects/MD5E-s1--0.json\n",
			"other: is a pointer of git-annex in place of the file: fetch it with git annex get"),
		CASE("PAR1\x15\0", "other: is a Parquet file: save it as CSV"),
		CASE("\x89HDF\r\n", "other: is an HDF5 file: save it as CSV"),
		CASE("\x80\x04\x95\0", "other: is a pickle of Python: save it as CSV"),
		CASE("{\"General\": {}, \"ConfigurationSpace\": {}}",
			"other: is a T1 file, which describes a space and has no times: give the T4 file, or the cache, of what was measured"),
		CASE("<<<<<<< HEAD\nA,time_ms\n=======\nA,time_us\n>>>>>>> x\n",
			"other: begins with both sides of a merge of git: keep one"),
		CASE("{\"sections\": []}",
			"other: is the database of CLBlast, which has the best of each kernel alone: give the files that its tuners wrote"),
		CASE("{\"meta\": {}, \"devices\": [], \"benchmarks\": []}",
			"other: holds benchmarks of nvbench or Google Benchmark: make CSV of it whose first line names the parameters and a time_s"),
		CASE("{\"history\": []}",
			"other: is a log of ATF: make CSV of it whose first line names the parameters and a time_ns"),
		CASE("{\"configs_timings\": []}",
			"other: is a cache of Triton: make CSV of it whose first line names the parameters and a time_ms"),
		CASE("{\"schema_version\": \"1.0.0\", \"metadata\": {\"hardware\": []}}",
			"other: has metadata and no results: give the file that has the results"),
		CASE("{\"input\": []}\n{\"input\": []}\n",
			"other:2: holds one JSON object after another, as logs of TVM do: make CSV of it whose first line names the parameters and a time_s"),
		CASE("{}",
			"other: has neither \"cache\", as Kernel Tuner's files, nor \"results\", as T4 files; of anything else make CSV whose first line names the parameters and a time_ms"),
		CASE("[{\"a\": 1, \"time\": 2}]",
			"other:1: is a list of results, as the value that tune_kernel() returns: give the cache file of Kernel Tuner or a T4 file, which name the parameters, or CSV"),
		CASE("<?xml version=\"1.0\"?>",
			"other: is XML, which is not read: let the tool write JSON in the format T4"),
		CASE("\n{\"Metadata\": {}, \"Results\": []}",
			"other: holds no configurations"),
		CASE("{\"Metadata\": {\"TimeUnit\": \"Weeks\"}, \"Results\": []}",
			"other:1: unknown unit of time \"Weeks\""),
		CASE("{\"Results\": [{\"Configuration\": [{\"Name\": \"a\"}]}]}",
			"other:1: configuration 1 has a value without \"Value\""),
		CASE("{\"results\": [{\"parameters\": {\"A\": 1}, \"time\": 0.005}], \"unit\": \"s\"}",
			"other:1: configuration 1 has a \"time\" whose unit is not known: name it in the file, as in \"metadata\": {\"timeunit\": \"ms\"}"),
		/* KTT's */
		CASE("{\"Results\": [" KTT_ROW("1", "Ok", "3.5") "]}",
			"other:1: configuration 1 has a time whose unit is not known: the file has no \"TimeUnit\" in its \"Metadata\""),
		CASE(KTT_FILE(KTT_ROW("1", "Ok",
			     "1") ", {\"KernelName\": \"scan\", \"TotalDuration\": 2, \"Configuration\": [{\"Name\": \"a\", \"Value\": 2}]}"),
			"other:1: configuration 2 is of a second kernel, \"scan\": one of each in a file"),
		CASE(KTT_FILE(
			     "{\"TotalDuration\": 2, \"Configuration\": [{\"Name\": \"a\", \"Value\": 1}, {\"Name\": \"a\", \"Value\": 2}]}"),
			"other:1: configuration 1 has the parameter \"a\" twice"),
		CASE(KTT_FILE("{\"TotalDuration\": 2}, " KTT_ROW("1", "Ok", "1")),
			"other:1: configuration 1 has no parameters"),
		CASE(KTT_FILE(KTT_ROW("1", "Ok", "1")) "\n" KTT_FILE(
			     KTT_ROW("2", "Ok", "1")),
			"other:2: goes on behind the end of its JSON object: are these two files in one?"),
		CASE("{\"results\": [{\"invalidity\": \"compile\"}]}",
			"other:1: configuration 1 has no parameters"),
		CASE("{\"results\": [{\"configuration\": {\"a\": 1, \"a\": 2}}]}",
			"other:1: configuration 1 has the parameter \"a\" twice"),
		CASE("{\"version\": 1, \"device\": {}, \"problems\": []}",
			"other: is a result file of autotune, which has winners alone: what was measured is in the record, autotune.db"),
		CASE("{\"cache\": {}}\n{}",
			"other:2: goes on behind the end of its JSON object: are these two files in one?"),
		CASE("a,b,Time\n1,2,3\n",
			"other:1: has no column with the time: call it time_ns, time_us, time_ms or time_s"),
		CASE("a,time_ms\n1,2.5ms\n",
			"other:2: expected a time as a number such as 1.5, found \"2.5ms\""),
		CASE("{\"tune_params\": {\"\": [1]}, \"cache\": {}}",
			"other: has a parameter without a name"),
		CASE("{\"tune_params\": {\"\xf6\": [1]}, \"cache\": {}}",
			"other: the name of parameter 1 is not UTF-8: save the file as UTF-8"),
		CASE("{\"tune_params\": {\"a\": [1]}, \"cache\": {\"1\": {\"a\": \"\xf6\", \"time\": 1}}}",
			"other: has a value of \"a\" that is not UTF-8: save the file as UTF-8"),
		CASE("{\"tune_params\": {\"a\": [1]}, \"objective\": \"score\", \"cache\": {\"1\": {\"a\": 1, \"score\": 0.5}}}",
			"other: no configuration has a \"time\": it was tuned for \"score\", and only times are read"),
		CASE("{\"tune_params\": {\"a\": [1]}, \"cache\": {\"1\": {\"a\": 1, \"score\": 0.5}",
			"other: no configuration has a \"time\""),
		CASE("{\"results\": [{\"configuration\": {\"a\": 1}, \"times\": {}, \"invalidity\": \"correct\", \"measurements\": [{\"name\": \"time\", \"unit\": \"weeks\", \"value\": 1}]}]}",
			"other:1: configuration 1 has a time in \"weeks\": known are ns, us, ms and s"),
	};

	(void)state;
	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		struct at_recording *recording;
		struct at_error err = { 0 };
		char text[1400];

		assert_int_not_equal(
			read_text(cases[i].text, cases[i].size, &recording, &err),
			AT_OK);
		assert_string_equal(
			at_error_format(&err, text, sizeof(text)), cases[i].error);
	}
}

/* As many as a space can have, and no more: without the limit the time would grow with
   the square of their number. */
static void too_many_parameters_are_refused_at_once(void **state)
{
	static const struct {
		const char *begin, *each, *behind, *end;
	} formats[] = {
		{ "{\"Metadata\": {\"TimeUnit\": \"ms\"}, \"Results\": [{\"TotalDuration\": 1, \"Configuration\": [",
			"{\"Name\": \"x", "\", \"Value\": 1}", "]}]}" },
		{ "{\"results\": [{\"times\": {\"runtimes\": [1]}, \"configuration\": {",
			"\"x", "\": 1", "}}]}" },
		{ "time_ns,", "x", "", "\n" },
	};

	(void)state;
	for (size_t f = 0; f < AT_COUNT_OF(formats); f++) {
		for (int count = 1024; count <= 1025; count++) {
			struct at_recording *recording;
			struct at_strbuf text = { 0 };
			struct at_error err = { 0 };

			at_strbuf_add(&text, formats[f].begin);
			for (int i = 0; i < count; i++) {
				at_strbuf_add(&text, i ? "," : "");
				at_strbuf_addf(&text, "%s%d%s", formats[f].each, i,
					formats[f].behind);
			}
			at_strbuf_add(&text, formats[f].end);
			if (f == 2)
				for (int i = 0; i <= count; i++)
					at_strbuf_addf(&text, "%s1", i ? "," : "");
			if (!read_text(text.data, text.length, &recording, &err)) {
				assert_int_equal(count, 1024);
				assert_int_equal(recording->parameter_count, 1024);
				at_recording_free(recording);
			} else {
				assert_string_equal(
					err.text, "has more than 1024 parameters");
				assert_int_equal(count, 1025);
			}
			at_strbuf_release(&text);
		}
	}
}

/* ---- into the record and out of it --------------------------------------------- */

static void names_that_the_record_would_refuse_are_refused_with_the_file(void **state)
{
	static const struct {
		const char *text;
		const char *error;
	} cases[] = {
		{ "{\"device_name\": \"a\\u202eb\", \"kernel_name\": \"k\", \"tune_params\": {\"a\": [1]}, \"cache\": {\"1\": {\"a\": 1, \"time\": 1}}}",
			"the name of its device has a control character in it, or one that is not UTF-8: give another one with --model" },
		{ "{\"kernel_name\": \"k\", \"tune_params\": {\"a\\u001b\": [1]}, \"cache\": {\"1\": {\"a\\u001b\": 1, \"time\": 1}}}",
			"the name of the parameter \"a \" is too long, or has a control character in it, or one that is not UTF-8: rename it in the file" },
	};
	const struct at_foreign_options options = { .origin = "x", .version = "0" };
	struct at_store *store;
	struct at_error err = { 0 };

	(void)state;
	assert_int_equal(system("rm -rf refused"), 0);
	assert_int_equal(at_store_open("refused", &store, &err), AT_OK);
	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		struct at_recording *recording = read_whole(cases[i].text);
		struct at_foreign added;

		at_error_clear(&err);
		assert_int_equal(
			at_store_add_foreign(store, recording, &options, &added, &err),
			AT_EINVAL);
		assert_string_equal(err.text, cases[i].error);
		assert_string_equal(err.file, FILE_NAME);
		at_recording_free(recording);
	}
	{
		char text[2000] = "a,time_ns\n", word[1002];
		struct at_foreign_options named = options;
		struct at_recording *recording;
		struct at_foreign added;

		memset(word, 'x', sizeof(word) - 1);
		word[sizeof(word) - 1] = '\0';
		strcat(strcat(text, word), ",1\n");
		recording = read_whole(text);
		named.space = "k";
		at_error_clear(&err);
		assert_int_equal(
			at_store_add_foreign(store, recording, &named, &added, &err),
			AT_EINVAL);
		assert_string_equal(err.text,
			"a value of \"a\" is longer than 1000 bytes: rename it in the file");
		at_recording_free(recording);
	}
	at_store_close(store);
}

static void words_keep_their_order_through_the_record(void **state)
{
	const struct at_foreign_options options = { "s", "p", "d", "x", "0" };
	struct at_recording *before = read_whole(
		"a,w,time_ns\n1,low,5\n1,mid,6\n1,high,7\n2,low,8\n2,high,9\n");
	struct at_recording *after;
	struct at_foreign added;
	struct at_store *store;
	struct at_error err = { 0 };

	(void)state;
	assert_int_equal(system("rm -rf words"), 0);
	assert_int_equal(at_store_open("words", &store, &err), AT_OK);
	assert_int_equal(
		at_store_add_foreign(store, before, &options, &added, &err), AT_OK);
	assert_int_equal(at_recording_from_store(
				 store, "words", "s", "p", added.slug, &after, &err),
		AT_OK);
	assert_int_equal(after->count, before->count);
	assert_memory_equal(
		after->rows, before->rows, before->count * 2 * sizeof(*before->rows));
	for (size_t i = 0; i < 3; i++)
		assert_string_equal(after->parameters[1].values[i].word,
			before->parameters[1].values[i].word);
	assert_int_equal(after->repeated_count, 0);
	at_recording_free(before);
	at_recording_free(after);
	free(added.slug);
	at_store_close(store);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_configuration_without_a_time_is_a_failure),
		cmocka_unit_test(a_time_may_be_a_text_or_several),
		cmocka_unit_test(what_a_file_was_tuned_for_may_be_a_list),
		cmocka_unit_test(a_repeated_configuration_is_counted),
		cmocka_unit_test(samples_that_are_not_of_the_times_are_left_out),
		cmocka_unit_test(t4_files_differ_by_the_tool_that_wrote_them),
		cmocka_unit_test(files_of_clblast_have_plain_rows),
		cmocka_unit_test(files_of_ktt_have_pairs_and_a_unit),
		cmocka_unit_test(what_was_tuned_for_may_be_a_time_of_another_name),
		cmocka_unit_test(a_time_counts_before_one_of_another_name_in_any_order),
		cmocka_unit_test(the_unit_of_samples_is_one_for_all_rows),
		cmocka_unit_test(csv_of_others_has_failures_and_other_separators),
		cmocka_unit_test(csv_may_say_which_results_are_wrong),
		cmocka_unit_test(many_values_are_put_in_order),
		cmocka_unit_test(says_what_a_file_is_instead_and_what_to_do),
		cmocka_unit_test(too_many_parameters_are_refused_at_once),
		cmocka_unit_test(
			names_that_the_record_would_refuse_are_refused_with_the_file),
		cmocka_unit_test(words_keep_their_order_through_the_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
