/* Hardware counters: CUPTI as it is called (fake_cupti.c), and the rules that make
   sentences of the values. */
#include "base/json.h"
#include "cli/words.h"
#include "device/counters.h"
#include "device/cuda/cupti.h"
#include "suite.h"

#include <math.h>

/* ---- CUPTI --------------------------------------------------------------------------
 */

static const char *const places[] = { "/nowhere/libcupti.so.13", AT_FAKE_CUPTI };

static enum at_status open_fake(struct at_cupti **out, struct at_error *err)
{
	return at_cupti_open(places, 2, (struct CUctx_st *)1, 0, out, err);
}

/* Counts one launch; the number of passes that it took. */
static unsigned count(struct at_cupti *cupti, double *values)
{
	bool is_complete = false;
	unsigned passes = 0;

	assert_ok(at_cupti_begin(cupti, &failure));
	for (; !is_complete; passes++) {
		assert_ok(at_cupti_start(cupti, &failure));
		assert_ok(at_cupti_stop(cupti, &is_complete, &failure));
	}
	assert_ok(at_cupti_read(cupti, values, &failure));
	return passes;
}

TEST(launches_are_counted_in_as_many_passes_as_it_takes)
{
	double values[AT_COUNTER_COUNT];
	struct at_cupti *cupti;

	assert_ok(open_fake(&cupti, &failure));
	for (int launch = 0; launch < 2; launch++) {
		assert_int_equal(count(cupti, values), 3);
		for (int i = 0; i < AT_COUNTER_COUNT; i++)
			assert_true(values[i] == (double)strlen(at_counter_name(
							 (enum at_counter)i)));
	}
	at_cupti_close(cupti);
}

TEST(counters_that_a_device_lacks_are_left_out)
{
	double values[AT_COUNTER_COUNT];
	struct at_cupti *cupti;

	/* the name that it has on older architectures */
	assert_int_equal(setenv("FAKE_CUPTI_LACKS", "dram__bytes_read.sum", 1), 0);
	assert_ok(open_fake(&cupti, &failure));
	count(cupti, values);
	assert_true(values[AT_COUNTER_DRAM_READ] ==
		    (double)strlen("dram__bytes_op_read.sum"));
	at_cupti_close(cupti);
	assert_int_equal(setenv("FAKE_CUPTI_LACKS", "smsp__inst_executed.sum", 1), 0);
	assert_ok(open_fake(&cupti, &failure));
	count(cupti, values);
	assert_true(isnan(values[AT_COUNTER_INSTRUCTIONS]));
	assert_true(values[AT_COUNTER_TIME] > 0);
	at_cupti_close(cupti);
	unsetenv("FAKE_CUPTI_LACKS");
}

TEST(a_refusal_names_its_cause_and_the_remedy)
{
	static const char *const cases[][3] = {
		{ "cuptiRangeProfilerEnable:35",
			"cuptiRangeProfilerEnable says CUPTI_ERROR_35 (35)",
			"NVreg_RestrictProfilingToAdminUsers=0" },
		{ "cuptiProfilerGetCounterAvailability:35",
			"cuptiProfilerGetCounterAvailability says", "run as root" },
		{ "cuptiProfilerInitialize:39", "(39)", "run without nsys" },
		{ "cuptiRangeProfilerEnable:26", "(26)", "dcgmi profiling --pause" },
		{ "cuptiRangeProfilerEnable:33", "(33)", "host of a virtual GPU" },
		{ "cuptiRangeProfilerEnable:40", "(40)", "host of a virtual GPU" },
		{ "cuptiRangeProfilerEnable:41", "(41)", "confidential computing" },
		{ "cuptiRangeProfilerEnable:43", "(43)", "MIG" },
		{ "cuptiProfilerHostInitialize:999", "says CUPTI_ERROR_999 (999)", "" },
		{ "cuptiDeviceGetChipName:2", "cuptiDeviceGetChipName says", "" },
		{ "cuptiProfilerHostGetConfigImageSize:1", "GetConfigImageSize", "" },
		{ "cuptiProfilerHostGetConfigImage:1", "GetConfigImage says", "" },
		{ "cuptiRangeProfilerGetCounterDataSize:1", "GetCounterDataSize", "" },
		{ "cuptiProfilerHostConfigAddMetrics:1", "has none of those", "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct at_error err = { 0 };
		struct at_cupti *cupti;

		assert_int_equal(setenv("FAKE_CUPTI_FAILS", cases[i][0], 1), 0);
		assert_int_equal(open_fake(&cupti, &err), AT_EUNAVAILABLE);
		if (!strstr(err.text, "the hardware counters cannot be read") ||
			!strstr(err.text, cases[i][1]) ||
			!strstr(err.text, cases[i][2]))
			fail_msg("%s: %s", cases[i][0], err.text);
	}
	unsetenv("FAKE_CUPTI_FAILS");
}

TEST(a_launch_that_cannot_be_counted_is_an_error)
{
	static const char *const calls[] = { "cuptiRangeProfilerSetConfig",
		"cuptiRangeProfilerStart", "cuptiRangeProfilerStop",
		"cuptiRangeProfilerDecodeData", "cuptiProfilerHostEvaluateToGpuValues",
		"cuptiRangeProfilerCounterDataImageInitialize" };

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		double values[AT_COUNTER_COUNT];
		struct at_error err = { 0 };
		struct at_cupti *cupti;
		enum at_status status;
		bool is_complete = false;
		char fails[80];

		assert_ok(open_fake(&cupti, &failure));
		snprintf(fails, sizeof(fails), "%s:7", calls[i]);
		assert_int_equal(setenv("FAKE_CUPTI_FAILS", fails, 1), 0);
		status = at_cupti_begin(cupti, &err);
		while (!status && !is_complete) {
			status = at_cupti_start(cupti, &err);
			if (!status)
				status = at_cupti_stop(cupti, &is_complete, &err);
		}
		if (!status)
			status = at_cupti_read(cupti, values, &err);
		assert_int_equal(status, AT_EUNAVAILABLE);
		assert_non_null(strstr(err.text, calls[i]));
		unsetenv("FAKE_CUPTI_FAILS");
		at_cupti_close(cupti);
	}
}

TEST(without_the_library_it_says_where_it_is_found)
{
	struct at_error err = { 0 };
	struct at_cupti *cupti;

	assert_int_equal(
		at_cupti_open(places, 1, NULL, 0, &cupti, &err), AT_EUNAVAILABLE);
	assert_non_null(strstr(err.text, "no CUPTI on this machine"));
	assert_non_null(strstr(err.text, "LD_LIBRARY_PATH"));
	assert_non_null(strstr(err.text, places[0]));
}

/* ---- the rules
 * ------------------------------------------------------------------------ */

/* Counters of a launch whose figures are as unremarkable as can be, then with `changes`
   ("COUNTER=value ...", by the last part of the list in counters.h). */
static char *launch(const char *kernel, const char *changes)
{
	static const struct {
		const char *word;
		enum at_counter counter;
		double value;
	} plain[] = {
#define PLAIN(symbol, name, other) { #symbol, AT_COUNTER_##symbol, 50 },
		AT_COUNTERS(PLAIN)
#undef PLAIN
	};
	struct at_json *array = at_json_array(), *object = at_json_object();
	struct at_strbuf text = { 0 };

	at_json_set(object, "kernel", kernel);
	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
		const char *found = strstr(changes, plain[i].word);
		size_t length = strlen(plain[i].word);
		double value = plain[i].value;

		while (found &&
			(found[length] != '=' || (found > changes && found[-1] != ' ')))
			found = strstr(found + 1, plain[i].word);
		if (plain[i].counter == AT_COUNTER_LATENCY)
			value = 100;
		else if (!strncmp(plain[i].word, "STALL_", 6))
			value = 1;
		if (plain[i].counter == AT_COUNTER_LOAD_CONFLICTS ||
			plain[i].counter == AT_COUNTER_STORE_CONFLICTS ||
			plain[i].counter == AT_COUNTER_LOCAL_LOADS)
			value = 0;
		if (found && !strncmp(found + length, "=-", 2))
			continue;
		if (found)
			value = strtod(found + length + 1, NULL);
		at_json_set(object, at_counter_name(plain[i].counter), value);
	}
	at_json_append(array, object);
	at_json_write(array, 0, &text);
	at_json_free(array);
	return at_strbuf_detach(&text);
}

TEST(each_rule_says_its_sentence_with_both_figures)
{
	static const struct {
		const char *baseline, *own;
		const char *text; /* NULL: nothing */
		double figure, other;
	} cases[] = {
		{ "", "", NULL, 0, 0 },
		/* the same amount of work in other units is no reason */
		{ "LOAD_SECTORS=100", "LOAD_SECTORS=110", NULL, 0, 0 },
		{ "LOAD_SECTORS=3200 LOAD_REQUESTS=100",
			"LOAD_SECTORS=400 LOAD_REQUESTS=100",
			"reads 4.0 sectors a request where the baseline reads 32: coalesced",
			4, 32 },
		{ "LOAD_SECTORS=400 LOAD_REQUESTS=100",
			"LOAD_SECTORS=3200 LOAD_REQUESTS=100",
			"reads 32 sectors a request where the baseline reads 4.0: less coalesced",
			32, 4 },
		{ "STORE_SECTORS=400 STORE_REQUESTS=100",
			"STORE_SECTORS=400 STORE_REQUESTS=25",
			"writes 16 sectors a request where the baseline writes 4.0: wider accesses",
			16, 4 },
		{ "STORE_SECTORS=400 STORE_REQUESTS=25",
			"STORE_SECTORS=400 STORE_REQUESTS=100",
			"writes 4.0 sectors a request where the baseline writes 16: narrower accesses",
			4, 16 },
		{ "LOAD_SECTORS=3200 LOAD_REQUESTS=100",
			"LOAD_SECTORS=400 LOAD_REQUESTS=25",
			"reads 16 sectors a request where the baseline reads 32: coalesced",
			16, 32 },
		/* wider, narrower, or more reuse: the figure alone does not say it */
		{ "LOAD_SECTORS=400 LOAD_REQUESTS=100",
			"LOAD_SECTORS=120 LOAD_REQUESTS=10",
			"reads 12 sectors a request where the baseline reads 4.0", 12,
			4 },
		/* by TMA */
		{ "LOAD_SECTORS=4e6 LOAD_REQUESTS=1e6",
			"LOAD_SECTORS=0 LOAD_REQUESTS=0", NULL, 0, 0 },
		{ "LOAD_SECTORS=4e6 LOAD_REQUESTS=1e6",
			"LOAD_SECTORS=4e5 LOAD_REQUESTS=1e5",
			"reads 12.2 MiB of global memory where the baseline reads 122.1 MiB: more reuse on the multiprocessor",
			12800000, 128000000 },
		/* too little to count */
		{ "LOAD_SECTORS=400 LOAD_REQUESTS=100",
			"LOAD_SECTORS=40 LOAD_REQUESTS=10", NULL, 0, 0 },
		{ "LOAD_CONFLICTS=1.9e8 INSTRUCTIONS=1e9", "INSTRUCTIONS=1e9",
			"shared-memory conflicts: 0 where the baseline has 1.9e8", 0,
			1.9e8 },
		/* too few to show */
		{ "LOAD_CONFLICTS=1000 INSTRUCTIONS=1e9", "INSTRUCTIONS=1e9", NULL, 0,
			0 },
		{ "LOCAL_LOADS=0", "LOCAL_LOADS=0.1", NULL, 0, 0 },
		{ "LOCAL_LOADS=0", "LOCAL_LOADS=123456",
			"loads of local memory, where spilled registers are: 1.2e5 where the baseline has 0",
			123456, 0 },
		{ "DRAM_READ=1e9 DRAM_WRITE=1e9", "DRAM_READ=3e8 DRAM_WRITE=2e8",
			"moves 476.8 MiB through DRAM where the baseline moves 1.9 GiB",
			5e8, 2e9 },
		/* few bytes, which the launch itself moves */
		{ "DRAM_READ=1000", "DRAM_READ=100000", NULL, 0, 0 },
		{ "L2_READ=1e8", "L2_READ=1e7",
			"moves 305.2 MiB through the L2 cache where the baseline moves 3.0 GiB",
			(1e7 + 50) * 32, (1e8 + 50) * 32 },
		{ "INSTRUCTIONS=4e9", "INSTRUCTIONS=1e9",
			"executes 1.0e9 instructions of warps where the baseline executes 4.0e9",
			1e9, 4e9 },
		{ "WARPS_SHARE=93", "WARPS_SHARE=32",
			"holds 32 % of the warps that a multiprocessor can hold where the baseline has 93 %",
			32, 93 },
		{ "ISSUE_SHARE=34", "ISSUE_SHARE=88",
			"issues instructions in 88 % of the cycles where the baseline has 34 %: this limits it",
			88, 34 },
		{ "ISSUE_SHARE=34", "ISSUE_SHARE=55",
			"issues instructions in 55 % of the cycles where the baseline has 34 %",
			55, 34 },
		{ "STALL_LONG_SCOREBOARD=85", "STALL_LONG_SCOREBOARD=88",
			"stalls: long scoreboard (memory) 85 % -> 88 %: this limits it",
			88, 85 },
		/* of two the longer one */
		{ "STALL_LONG_SCOREBOARD=28 STALL_BARRIER=30",
			"STALL_LONG_SCOREBOARD=28 STALL_BARRIER=30",
			"stalls: barrier 30 % -> 30 %: this limits it", 30, 30 },
		{ "STALL_LONG_SCOREBOARD=61", "STALL_LONG_SCOREBOARD=12",
			"stalls: long scoreboard (memory) 61 % -> 12 %", 12, 61 },
		{ "STALL_BARRIER=5", "STALL_BARRIER=12", NULL, 0, 0 },
		{ "DRAM_SHARE=93", "DRAM_SHARE=93",
			"DRAM at 93 % of the ceiling (baseline: 93 %): nothing left to gain by memory",
			93, 93 },
		{ "FMA_SHARE=31", "FMA_SHARE=92",
			"FMA pipes at 92 % of the ceiling (baseline: 31 %): nothing left to gain by arithmetic of this kind",
			92, 31 },
		/* nearer, and not there */
		{ "DRAM_SHARE=37", "DRAM_SHARE=66",
			"DRAM at 66 % of the ceiling (baseline: 37 %)", 66, 37 },
		/* without its figure a rule says nothing */
		{ "DRAM_SHARE=93", "DRAM_SHARE=-", NULL, 0, 0 },
		{ "LATENCY=- STALL_BARRIER=50", "STALL_BARRIER=5", NULL, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *baseline = launch("k", cases[i].baseline);
		char *own = launch("k", cases[i].own);
		struct at_reasons reasons;

		at_reasons_find(baseline, own, &reasons);
		if (reasons.count != (cases[i].text ? 1u : 0u))
			fail_msg("case %zu: %zu reasons, first: %s", i, reasons.count,
				reasons.count ? reasons.items[0].text : "none");
		if (cases[i].text) {
			assert_string_equal(reasons.items[0].text, cases[i].text);
			assert_true(fabs(reasons.items[0].figure - cases[i].figure) <
				    1e-6 * (1 + cases[i].figure));
			assert_true(fabs(reasons.items[0].baseline - cases[i].other) <
				    1e-6 * (1 + cases[i].other));
		}
		at_reasons_release(&reasons);
		free(baseline);
		free(own);
	}
}

/* "[a]" and "[b]" as "[a,b]" */
static char *join(char *first, char *second)
{
	struct at_strbuf out = { 0 };

	at_strbuf_addf(&out, "%.*s,%s", (int)strlen(first) - 1, first, second + 1);
	free(first);
	free(second);
	return at_strbuf_detach(&out);
}

TEST(sequences_of_other_kernels_are_compared_as_one)
{
	OWNED(free)
	char *baseline = launch("one", "TIME=300 INSTRUCTIONS=50 DRAM_SHARE=2");
	OWNED(free)
	char *own = join(
		launch("parts", "TIME=30 INSTRUCTIONS=20 DRAM_SHARE=80 LATENCY=50"),
		launch("rows",
			"TIME=10 INSTRUCTIONS=30 DRAM_SHARE=40 STALL_BARRIER=30"));
	/* amounts add up: 100 where the baseline has 50; shares are means */
	static const struct {
		const char *rule;
		double figure, baseline;
	} expected[] = {
		{ "stall_barrier", 100 * (20 * 1 + 30 * 30) / 50.0 / 80, 1 },
		{ "dram_ceiling", (30 * 80 + 10 * 40) / 40.0, 2 },
	};
	RELEASED(at_reasons_release) struct at_reasons reasons;

	at_reasons_find(baseline, own, &reasons);
	for (size_t i = 0, k = 0; i < 2; i++, k++) {
		while (k < reasons.count &&
			strcmp(reasons.items[k].rule, expected[i].rule) != 0)
			k++;
		assert_true(k < reasons.count);
		assert_string_equal(reasons.items[k].kernel, "");
		assert_true(fabs(reasons.items[k].figure - expected[i].figure) < 1e-9);
		assert_true(
			fabs(reasons.items[k].baseline - expected[i].baseline) < 1e-9);
	}
}

TEST(launches_of_a_sequence_are_compared_by_their_kernels)
{
	OWNED(free)
	char *baseline = join(launch("sum", ""), launch("finish", "DRAM_SHARE=20"));
	OWNED(free)
	char *own = join(launch("finish", "DRAM_SHARE=90"), launch("sum", ""));
	struct at_reasons reasons;
	OWNED(at_json_free) struct at_json *object = at_json_object();
	const struct at_json *first;

	at_reasons_find(baseline, own, &reasons);
	assert_int_equal(reasons.count, 1);
	assert_string_equal(reasons.items[0].kernel, "finish");
	at_reasons_release(&reasons);
	at_reasons_set(object, baseline, own);
	first = at_json_at(at_json_get(object, "reasons"), 0);
	assert_string_equal(at_json_text(at_json_get(first, "kernel")), "finish");
	assert_string_equal(at_json_text(at_json_get(first, "rule")), "dram_ceiling");
	assert_true(at_json_number(at_json_get(first, "figure"), 0) == 90);
	assert_true(at_json_number(at_json_get(first, "baseline"), 0) == 20);
	assert_int_equal(at_json_count(at_json_get(object, "counters")), 2);
}

TEST(what_was_not_read_gives_no_reasons)
{
	OWNED(free) char *own = launch("k", "DRAM_SHARE=93");
	const char *const nothing[] = { NULL, "", "{", "7", "[1, null]" };

	for (size_t i = 0; i < sizeof(nothing) / sizeof(nothing[0]); i++) {
		struct at_reasons reasons;

		at_reasons_find(nothing[i], own, &reasons);
		assert_int_equal(reasons.count, 0);
		at_reasons_release(&reasons);
		at_reasons_find(own, nothing[i], &reasons);
		assert_int_equal(reasons.count, 0);
		at_reasons_release(&reasons);
	}
}

RUN_SUITE(NULL, NULL)
