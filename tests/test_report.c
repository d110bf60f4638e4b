/* The contents of a report: columns, importance, JSON and text; also for hostile
   records and missing data. */
#include "cli/report.h"
#include "report_fixture.h"

#include <math.h>

#include "suite.h"

/* A report of what these fill into a record in memory. */
struct told {
	struct at_cli_arguments arguments;
	struct at_recorded recorded;
	struct at_report report;
};

static void tell(struct told *self, const struct report_fixture *fixtures, size_t count)
{
	RELEASED(at_groups_release)
	struct at_groups groups = { .arguments = &self->arguments };

	*self = (struct told){ .recorded.directory = "results" };
	assert_ok(at_store_open_memory("test", &self->recorded.store, &failure));
	for (size_t i = 0; i < count; i++)
		report_fixture_fill(self->recorded.store, &fixtures[i]);
	groups.arguments = &self->arguments;
	assert_ok(at_groups_collect(&groups, &self->recorded, NULL, &failure));
	assert_ok(at_groups_complete(&groups, &self->recorded, &failure));
	assert_ok(at_report_gather(&self->report, &groups, &self->recorded, &failure));
}

static void forget(struct told *self)
{
	at_report_release(&self->report);
	at_store_close(self->recorded.store);
}

static const struct report_fixture usual = {
	.space = "matmul",
	.problem = "square",
	.model = "NVIDIA H200",
	.slug = "nvidia-h200",
	.count = 240,
	.nights = 12,
	.has_ceilings = true,
};

static struct at_json *json_of(const struct told *told, char **text)
{
	struct at_strbuf out = { 0 };
	struct at_json *json;

	at_report_write_json(&told->report, 1790000000, NULL, &out);
	assert_ok(at_json_parse(out.data, out.length, "report", &json, &failure));
	if (text)
		*text = at_strbuf_detach(&out);
	at_strbuf_release(&out);
	return json;
}

static char *text_of(const struct told *told, int columns)
{
	struct at_strbuf out = { 0 };
	struct at_page page = { .out = &out, .columns = columns };

	for (size_t i = 0; i < told->report.count; i++)
		at_report_write_text(&told->report.parts[i], &page);
	at_report_write_devices(&told->report, &page);
	return at_strbuf_detach(&out);
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no \"%s\" in\n%s", part, text);
}

/* ---- columns --------------------------------------------------------------- */

static const struct at_json *at_path(const struct at_json *json, const char *path)
{
	char key[64];

	while (json && *path) {
		size_t length = strcspn(path, "/");

		snprintf(key, sizeof(key), "%.*s", (int)length, path);
		json = at_json_kind_of(json) == AT_JSON_ARRAY
			       ? at_json_at(json, (size_t)atoi(key))
			       : at_json_get(json, key);
		path += length + (path[length] == '/');
	}
	return json;
}

/* Everything that the page reads, with its kind: what cli/report.h says is there. */
TEST(keeps_to_what_its_header_says_of_the_json)
{
	static const struct {
		const char *path;
		enum at_json_kind kind;
	} rows[] = {
		{ "version", AT_JSON_NUMBER },
		{ "program", AT_JSON_STRING },
		{ "created_seconds", AT_JSON_NUMBER },
		{ "record", AT_JSON_STRING },
		{ "bundled", AT_JSON_BOOLEAN },
		{ "groups", AT_JSON_ARRAY },
		{ "groups/0/space", AT_JSON_STRING },
		{ "groups/0/problem", AT_JSON_STRING },
		{ "groups/0/sizes/N", AT_JSON_NUMBER },
		{ "groups/0/device/slug", AT_JSON_STRING },
		{ "groups/0/device/model", AT_JSON_STRING },
		{ "groups/0/ceilings/copy_bytes_per_second", AT_JSON_NUMBER },
		{ "groups/0/winner/configuration/TILE", AT_JSON_NUMBER },
		{ "groups/0/winner/time_ns", AT_JSON_NUMBER },
		{ "groups/0/winner/low_ns", AT_JSON_NUMBER },
		{ "groups/0/winner/gains/1/share", AT_JSON_NUMBER },
		{ "groups/0/winner/reasons/0/text", AT_JSON_STRING },
		{ "groups/0/winner/reasons/0/figure", AT_JSON_NUMBER },
		{ "groups/0/winner/reasons/0/baseline", AT_JSON_NUMBER },
		{ "groups/0/winner/measured", AT_JSON_STRING },
		{ "groups/0/winner/verified_by", AT_JSON_STRING },
		{ "groups/0/winner/not_run", AT_JSON_STRING },
		{ "groups/0/winner/includes/2", AT_JSON_STRING },
		{ "groups/0/winner/flops_per_second", AT_JSON_NUMBER },
		{ "groups/0/speedup_low", AT_JSON_NUMBER },
		{ "groups/0/baseline/time_ns", AT_JSON_NUMBER },
		{ "groups/0/baseline/configuration/TILE", AT_JSON_NUMBER },
		{ "groups/0/outcomes/0/name", AT_JSON_STRING },
		{ "groups/0/outcomes/1/first", AT_JSON_STRING },
		{ "groups/0/importance/shares/0", AT_JSON_NUMBER },
		{ "groups/0/importance/explained", AT_JSON_NUMBER },
		{ "groups/0/nights/0/nights/0/time_ns", AT_JSON_NUMBER },
		{ "groups/0/evaluations/left_out", AT_JSON_NUMBER },
		{ "groups/0/evaluations/parameters/0/name", AT_JSON_STRING },
		{ "groups/0/evaluations/parameters/0/values/0", AT_JSON_NUMBER },
		{ "groups/0/evaluations/reasons/0", AT_JSON_STRING },
		/* the same of all */
		{ "groups/0/evaluations/flops", AT_JSON_NUMBER },
		{ "groups/0/evaluations/raced", AT_JSON_NUMBER },
	};
	struct told told;
	OWNED(at_json_free) struct at_json *json;

	tell(&told, &usual, 1);
	json = json_of(&told, NULL);
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++)
		if (at_json_kind_of(at_path(json, rows[i].path)) != rows[i].kind)
			fail_msg("%s is of another kind", rows[i].path);
	/* how many blocks there were is not known */
	assert_null(at_path(json, "groups/0/evaluations/blocks"));
	forget(&told);
}

TEST(tells_evaluations_as_columns_in_the_order_of_time)
{
	static const char *const columns[] = { "outcome", "reason", "seconds",
		"time_ns", "registers", "values/0", "values/6" };
	const struct at_json *evaluations, *times, *outcome, *seconds;
	struct told told;
	OWNED(at_json_free) struct at_json *json;

	tell(&told, &usual, 1);
	json = json_of(&told, NULL);
	evaluations = at_path(json, "groups/0/evaluations");
	assert_int_equal(at_json_whole(at_path(evaluations, "count"), 0), 240);
	for (size_t i = 0; i < AT_COUNT_OF(columns); i++)
		assert_int_equal(at_json_count(at_path(evaluations, columns[i])), 240);
	times = at_path(evaluations, "time_ns");
	outcome = at_path(evaluations, "outcome");
	seconds = at_path(evaluations, "seconds");
	/* the first one is the baseline, each twelfth has failed, and 25 take a second
	 */
	assert_true(
		fabs(at_json_number(at_json_at(times, 0), 0) /
				at_json_number(
					at_path(json, "groups/0/baseline/time_ns"), 1) -
			1) < 1e-6);
	for (size_t i = 0; i < 240; i++) {
		bool failed = i % 12 == 11;

		assert_int_equal(
			at_json_whole(at_json_at(outcome, i), 0) == AT_OUTCOME_OK,
			!failed);
		assert_int_equal(at_json_kind_of(at_json_at(times, i)),
			failed ? AT_JSON_NULL : AT_JSON_NUMBER);
		assert_int_equal(at_json_whole(at_json_at(seconds, i), -1), i / 25);
	}
	forget(&told);
}

TEST(counts_long_pauses_as_none)
{
	static const int64_t when[] = { 1000, 1003, 90000, 90601, 91201 };
	static const double expected[] = { 0, 3, 3, 3, 603 };
	struct at_evaluation rows[AT_COUNT_OF(when)];
	RELEASED(at_report_evaluations_release) struct at_report_evaluations told;
	char texts[AT_COUNT_OF(when)][32];

	for (size_t i = 0; i < AT_COUNT_OF(when); i++) {
		snprintf(texts[i], sizeof(texts[i]), "{\"A\": %zu}", i);
		rows[i] = (struct at_evaluation){ .id = (int64_t)i + 1,
			.configuration = texts[i],
			.outcome = AT_OUTCOME_OK,
			.time_ns = 1,
			.facts = AT_FACTS_UNKNOWN,
			.created_seconds = when[i] };
	}
	assert_ok(at_report_evaluations_init(
		&told, "test", rows, AT_COUNT_OF(when), &failure));
	assert_int_equal(told.count, AT_COUNT_OF(when));
	assert_int_equal(told.pause_count, 2);
	for (size_t i = 0; i < told.count; i++)
		assert_true(told.seconds[i] == expected[i]);
}

/* Whatever a damaged record holds, what can be read is told. */
TEST(leaves_out_what_is_no_configuration)
{
	static const char *const texts[] = { "{\"A\": 1}", "no json", "", "[1, 2]",
		"{\"A\": {\"B\": 1}}", "{\"B\": 1}", "{\"A\": 1, \"C\": 2}",
		"{\"A\": 1}", "{\"A\": 2}" };
	struct at_evaluation rows[AT_COUNT_OF(texts)];
	struct at_report_evaluations told;

	for (size_t i = 0; i < AT_COUNT_OF(texts); i++)
		rows[i] = (struct at_evaluation){ .id = (int64_t)i + 1,
			.configuration = (char *)texts[i],
			.outcome = AT_OUTCOME_OK,
			.time_ns = 10 + (double)i,
			.facts = AT_FACTS_UNKNOWN,
			.created_seconds = 1000 + (int64_t)i };
	assert_ok(at_report_evaluations_init(
		&told, "test", rows, AT_COUNT_OF(texts), &failure));
	/* A=1 as it was measured last, and A=2 */
	assert_int_equal(told.count, 2);
	assert_int_equal(told.left_out, 7);
	assert_true(told.rows[0]->time_ns == 17 && told.rows[1]->time_ns == 18);
	at_report_evaluations_release(&told);
	assert_ok(at_report_evaluations_init(&told, "test", rows + 1, 2, &failure));
	assert_int_equal(told.count, 0);
	assert_int_equal(told.left_out, 2);
	at_report_evaluations_release(&told);
}

/* ---- importance ------------------------------------------------------------ */

TEST(finds_which_parameters_times_go_with)
{
	const struct at_report_evaluations *told_of;
	struct told told;
	double tile = 0, block = 0, others = 0;

	tell(&told, &usual, 1);
	told_of = &told.report.parts[0].evaluations;
	assert_int_equal(told_of->importance.count, told_of->parameter_count);
	for (size_t i = 0; i < told_of->parameter_count; i++) {
		double share = told_of->importance.shares[i];

		if (!strcmp(told_of->parameters[i].name, "TILE"))
			tile = share;
		else if (!strcmp(told_of->parameters[i].name, "BLOCK"))
			block = share;
		else if (strcmp(told_of->parameters[i].name, "CACHE") != 0)
			others = fmax(others, share);
	}
	assert_true(told_of->importance.explained > 0.9);
	assert_true(tile > 3 * block && block > 3 * others && others < 0.02);
	forget(&told);
}

TEST(is_silent_where_a_model_would_be_a_guess)
{
	struct report_fixture few = usual;
	struct told told;
	OWNED(at_json_free) struct at_json *json;

	few.count = AT_IMPORTANCE_LEAST;
	tell(&told, &few, 1);
	assert_int_equal(told.report.parts[0].evaluations.importance.count, 0);
	json = json_of(&told, NULL);
	assert_int_equal(
		at_json_kind_of(at_path(json, "groups/0/importance")), AT_JSON_NULL);
	forget(&told);
}

/* ---- hostile records ------------------------------------------------------- */

/* control characters are in no name that a record gives (base/escape.h) */
#define HOSTILE "</script><script>alert(1)</script><!--\"'&"

TEST(writes_json_that_can_lie_in_a_page)
{
	struct report_fixture hostile = usual;
	struct told told;
	OWNED(at_json_free) struct at_json *json;
	char *text;

	hostile.space = hostile.problem = hostile.model = hostile.detail = HOSTILE;
	tell(&told, &hostile, 1);
	json = json_of(&told, &text);
	assert_null(strchr(text, '<'));
	assert_string_equal(at_json_text(at_path(json, "groups/0/space")), HOSTILE);
	assert_string_equal(
		at_json_text(at_path(json, "groups/0/evaluations/reasons/0")), HOSTILE);
	free(text);
	text = text_of(&told, 80);
	free(text);
	forget(&told);
}

/* ---- text ------------------------------------------------------------------ */

TEST(tells_the_same_story_in_eighty_columns)
{
	static const char *const parts[] = {
		"matmul, square on NVIDIA H200\n  winner    2.00 ms (95 % interval ",
		" over the baseline, recorded 20",
		"\n  speed     60.0 TFLOP/s (99 % of the float FMA ceiling), 100 GB/s; ",
		"\n  baseline  32.1 ms (95 % interval ",
		"\n  verified  2 data sets, 3 problems, 10 patterns, guarded, crowded, host\n",
		"\n  not run   racecheck: compute-sanitizer is not installed\n",
		"\n  header    #define MATMUL_DEVICE NVIDIA_H200\n            #define MATMUL_PROBLEM SQUARE\n            #include \"results/matmul.h\"\n",
		"\n  tried     240 configurations, 220 evaluations passed\n",
		"    100           3.0s",
		"wrong_result: differs from the reference; first, ",
		"C[17] is",
		"\n  gain      TILE 1 -> 16: 6.98x; BLOCK 32 -> 256: 2.30x\n",
		"\n  why       DRAM at 93 % of the ceiling (baseline: 41 %): nothing left to",
		"\n    TILE ",
		"\n  best with TILE 1: 1",
		"\n  together  BLOCK (down) and TILE (across), the best with both\n",
		"\n    256        ",
		"\n  chosen    from 240 evaluations; 240 passed\n",
		"\n  made by   ",
		"\n  baseline  3.7",
		"60.0 TFLOP/s (",
		"copy 4.25 TB/s, float FMA 60.3 TFLOP/s",
		"+8.0 %    slower\n",
	};
	struct told told;
	OWNED(free) char *text;

	tell(&told, &usual, 1);
	text = text_of(&told, 80);
	for (size_t i = 0; i < AT_COUNT_OF(parts); i++)
		assert_has(text, parts[i]);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		size_t columns = 0;

		for (const char *c = line; *c; c++)
			columns += ((unsigned char)*c & 0xc0) != 0x80;
		if (columns > 80)
			fail_msg("%zu columns: %s", columns, line);
	}
	forget(&told);
}

TEST(says_what_is_missing_and_how_to_get_it)
{
	struct report_fixture bare = usual;
	struct told told;
	OWNED(free) char *text;

	bare.has_ceilings = false;
	bare.nights = 0;
	bare.count = 30;
	tell(&told, &bare, 1);
	told.report.parts[0].evaluations.count = 0;
	text = text_of(&told, 80);
	assert_has(text, "\n  search    no evaluation is recorded\n");
	assert_has(text, "\n  ceilings  not measured: run \"autotune devices\" once");
	assert_has(text, "\n  nights    none are recorded: \"autotune nightly\"");
	forget(&told);
}

TEST(puts_devices_side_by_side)
{
	struct report_fixture both[] = { usual, usual };
	struct told told;
	OWNED(free) char *text;

	both[1].model = "NVIDIA H100";
	both[1].slug = "nvidia-h100";
	both[1].factor = 2;
	tell(&told, both, 2);
	assert_int_equal(told.report.count, 2);
	text = text_of(&told, 80);
	assert_has(text, "Devices side by side\n");
	assert_has(text, "\n    device       winner    95 % interval         gain\n");
	assert_has(text, "\n    nvidia-h100  4.00 ms   3.96 ms to 4.04 ms");
	assert_has(text, "\n    nvidia-h200  2.00 ms   ");
	forget(&told);
}

RUN_SUITE(NULL, NULL)
