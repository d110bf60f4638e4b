/* The texts of the program: numbers, status lines, summaries, and events as JSON. */
#include "cli/words.h"
#include "cli/format.h"
#include "cli/tell.h"
#include "record/verification.h"

#include <math.h>
#include <unistd.h>

#include "suite.h"

#define SECOND_NS 1000000000u

static void assert_text(struct at_strbuf *text, const char *expected)
{
	assert_string_equal(at_strbuf_text(text), expected);
	at_strbuf_release(text);
}

/* ---- numbers ---------------------------------------------------------------- */

#define ASSERT_SHORT(call, expected) \
	assert_string_equal(at_format_##call.text, expected)

TEST(writes_numbers_as_people_read_them)
{
	ASSERT_SHORT(count(0), "0");
	ASSERT_SHORT(count(999), "999");
	ASSERT_SHORT(count(1000), "1,000");
	ASSERT_SHORT(count(13440), "13,440");
	ASSERT_SHORT(count(1234567), "1,234,567");
	ASSERT_SHORT(count(UINT64_MAX), "18,446,744,073,709,551,615");
	ASSERT_SHORT(rate(5, "FLOP/s"), "5.00 FLOP/s");
	ASSERT_SHORT(rate(999.4, "FLOP/s"), "999 FLOP/s");
	ASSERT_SHORT(rate(999.6, "FLOP/s"), "1.00 KFLOP/s");
	ASSERT_SHORT(rate(51.43e12, "FLOP/s"), "51.4 TFLOP/s");
	ASSERT_SHORT(rate(812e9, "FLOP/s"), "812 GFLOP/s");
	ASSERT_SHORT(seconds(-1), "0.0s");
	ASSERT_SHORT(seconds(0.44), "0.4s");
	ASSERT_SHORT(seconds(9.97), "10s");
	ASSERT_SHORT(seconds(59.4), "59s");
	ASSERT_SHORT(seconds(59.6), "1m00s");
	ASSERT_SHORT(seconds(125), "2m05s");
	ASSERT_SHORT(seconds(11220), "3h07m");
	ASSERT_SHORT(bytes(49152), "48 KiB");
	ASSERT_SHORT(bytes(150110011392), "139.8 GiB");
	ASSERT_SHORT(speedup(3.214), "3.21x");
	ASSERT_SHORT(speedup(NAN), "-");
	ASSERT_SHORT(interval(&at_objective_time, &(struct at_score){ 1, NAN, 1 }), "");
	ASSERT_SHORT(date(86400 * 365), "1971-01-01 00:00 UTC");
	ASSERT_SHORT(share(1), "100 %");
	ASSERT_SHORT(share(1.0106), "101 %");
	ASSERT_SHORT(share(0.73), "73 %");
	ASSERT_SHORT(share(0.0156), "2 %");
	ASSERT_SHORT(share(0.0096), "1 %");
	ASSERT_SHORT(share(0.0094), "0.9 %");
	ASSERT_SHORT(share(0.0006), "0.1 %");
	ASSERT_SHORT(share(0.0001), "<0.1 %");
	ASSERT_SHORT(share(0), "0 %");
	ASSERT_SHORT(share(-0.0001), "0 %");
	ASSERT_SHORT(share(-0.004), "-0.4 %");
	ASSERT_SHORT(share(-0.12), "-12 %");
	ASSERT_SHORT(intensity(0.125), "0.125 flop/B");
	ASSERT_SHORT(intensity(1.0 / 12), "0.0833 flop/B");
	ASSERT_SHORT(intensity(14.29), "14.3 flop/B");
	ASSERT_SHORT(intensity(682.67), "683 flop/B");
	ASSERT_SHORT(intensity(999.7), "1000 flop/B");
	ASSERT_SHORT(intensity(10922.7), "10923 flop/B");
}

/* ---- texts ------------------------------------------------------------------ */

TEST(turns_recorded_configurations_into_words)
{
	static const struct {
		const char *json;
		const char *text;
	} rows[] = {
		{ "{\"A\": 16, \"B\": true, \"C\": \"ca\"}", "A=16 B=true C=ca" },
		{ "{\"A\":0.5}", "A=0.5" },
		{ "{\"A\": \"x, y: {z}\"}", "A=x, y: {z}" },
		{ "{\"A\": \"q\\\"q\"}", "A=q\"q" },
		{ "{}", "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct at_strbuf out = { 0 };

		at_format_configuration(&out, rows[i].json);
		assert_text(&out, rows[i].text);
	}
}

TEST(cuts_lines_to_the_terminal)
{
	static const struct {
		const char *text;
		int columns;
		const char *fitted;
	} rows[] = {
		{ "abcdef", 6, "abcdef" },
		{ "abcdefg", 6, "abc..." },
		{ "best 1.25 ms  14.7x", 18, "best 1.25 ms  ..." },
		{ "best 1.25 ms  14.7x", 14, "best ..." },
		{ "TILE=16 PAD=44", 13, "TILE=16 ..." },
		{ "195 MB/s  1 compiling", 20, "195 MB/s  ..." },
		{ "abc", 2, "" },
		{ "\033[1mabc\033[0m", 3, "\033[1mabc\033[0m" },
		{ "\033[1mabcdefg\033[0m", 6, "\033[1mabc...\033[0m" },
		{ "\xc3\xa9\xc3\xa9\xc3\xa9", 3, "\xc3\xa9\xc3\xa9\xc3\xa9" },
		{ "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 4, "\xc3\xa9..." },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct at_strbuf out = { 0 };

		at_format_fit(&out, rows[i].text, rows[i].columns);
		assert_text(&out, rows[i].fitted);
	}
}

TEST(folds_lines_at_words_below_the_last_cell_of_their_left_half)
{
	static const struct {
		const char *text;
		const char *folded; /* at 30 columns */
	} rows[] = {
		{ "short\n", "short\n" },
		{ "\n\n", "\n\n" },
		{ "  winner    A=1 B=2 C=3 D=4 E=5\n",
			"  winner    A=1 B=2 C=3 D=4\n            E=5\n" },
		{ "a line of words that is no table at all\nnext",
			"a line of words that is no\n  table at all\nnext" },
		/* a cell in the right half is no place to go on at */
		{ "    1.00 ms       x     A=1 B=2", "    1.00 ms       x     A=1\n    "
						     "  B=2" },
		{ "  gain  a lot of all that is 51 % and more",
			"  gain  a lot of all that is\n        51 % and more" },
		{ "a line of words and that is 1.5 ms of it",
			"a line of words and that is\n  1.5 ms of it" },
		/* no unit, though it begins like one */
		{ "a line of all the words A=1 B=2",
			"a line of all the words A=1\n  B=2" },
		/* what has no blank stays whole */
		{ "next      #include/a/path/that/is/longer/than/that",
			"next\n          #include/a/path/that/is/longer/than/that" },
		{ "\033[1mbold words of a line\033[0m that goes on",
			"\033[1mbold words of a line\033[0m that goes\n  on" },
		{ "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9 and so 0123456789 0123456",
			"\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9 and so 0123456789\n  0123456" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct at_strbuf out = { 0 };

		at_format_fold(&out, rows[i].text, 30);
		assert_text(&out, rows[i].folded);
	}
}

TEST(tells_of_a_configuration_what_is_not_the_baselines)
{
	static const struct {
		const char *json, *baseline;
		const char *text, *wide;
	} rows[] = {
		{ "{\"A\": 16, \"B\": true}", "{\"A\": 8, \"B\": true}", "A=16",
			"A=16 B=true" },
		{ "{\"A\": 8, \"B\": \"x y\"}", "{\"A\": 8, \"B\": \"x\"}", "B=x y",
			"A=8 B=x y" },
		{ "{\"A\": 8}", "{\"A\": 8}", "the baseline", "A=8" },
		{ "{\"A\": 8}", NULL, "A=8", "A=8" },
		/* the space has changed meanwhile */
		{ "{\"A\": 8, \"C\": 1}", "{\"A\": 8, \"B\": 1}", "A=8 C=1",
			"A=8 C=1" },
		{ "{\"A\": 8, \"C\": 1}", "{\"A\": 8}", "A=8 C=1", "A=8 C=1" },
		{ "{\"A\": 8}", "no JSON", "A=8", "A=8" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct at_strbuf out = { 0 };

		at_configuration_write_recorded(
			&out, rows[i].json, rows[i].baseline, false);
		assert_text(&out, rows[i].text);
		at_configuration_write_recorded(
			&out, rows[i].json, rows[i].baseline, true);
		assert_text(&out, rows[i].wide);
	}
}

TEST(wraps_words_and_keeps_indented_lines)
{
	struct at_strbuf out = { 0 };

	at_format_wrap(&out, "one two three\n\n  a line  as it is\nend", 0, 2, 9);
	assert_text(&out, "one two\n  three\n\n    a line  as it is\n  end");
	/* a number keeps its unit */
	at_format_wrap(&out, "it took 12 ms, 5.2 TFLOP/s and 7 KiB", 0, 0, 10);
	assert_text(&out, "it took\n12 ms,\n5.2 TFLOP/s\nand 7 KiB");
}

TEST(lets_no_text_drive_the_terminal)
{
	struct at_strbuf out = { 0 };

	at_format_plain(&out, "a\033[2Jb\rc\177");
	assert_text(&out, "a [2Jb c ");
}

/* ---- pages ------------------------------------------------------------------ */

static void add_table(struct at_page *page)
{
	static const struct at_page_column columns[] = { { "  name", 8 }, { NULL, 5 },
		{ "count", -6 }, { "", 2 }, { "text", 0 } };

	at_page_head(page, columns, AT_COUNT_OF(columns));
	for (int i = 0; i < 2; i++) {
		at_strbuf_add(at_page_cell(page),
			i ? "  \033[1m\xc3\xa9\033[0m" : "  long name");
		at_strbuf_add(at_page_cell(page), "hidden");
		at_strbuf_addf(at_page_cell(page), "%d", i ? 12345678 : 9);
		at_page_cell(page);
		at_strbuf_add(at_page_cell(page), i ? "" : "x");
		at_page_row_end(page);
	}
}

TEST(lays_out_tables_as_text_and_as_markdown)
{
	struct at_strbuf out = { 0 };

	add_table(&(struct at_page){ .out = &out });
	assert_text(&out, "  name   count  text\n"
			  "  long name  9  x\n"
			  "  \033[1m\xc3\xa9\033[0m     12345678 \n");
	add_table(&(struct at_page){ .out = &out, .is_markdown = true });
	assert_text(&out, "|   name | count | - | text |\n"
			  "| --- | --- | --- | --- |\n"
			  "|   long name | 9 | - | x |\n"
			  "|   \033[1m\xc3\xa9\033[0m | 12345678 | - | - |\n");
}

TEST(colours_and_wraps_entries_only_when_asked)
{
	struct at_strbuf out = { 0 }, empty = { 0 };
	struct at_page page = { .out = &out };

	for (int i = 0; i < 2; i++) {
		at_page_title(&page, "toy\033[31m", "p1", "CPU", " (x86)");
		at_page_say(&page, "speed", "%s", "12 ms\nand more");
		at_page_entry(&page, "nothing", &empty);
		page.color = true;
		page.columns = 22;
	}
	assert_text(&out, "toy [31m, p1 on CPU (x86)\n  speed     12 ms and more\n"
			  "\033[1mtoy [31m, p1 on CPU\033[0m (x86)\n"
			  "  speed     12 ms and\n            more\n");
}

/* ---- events ------------------------------------------------------------------ */

static const char space_text[] =
	"parameters: { BLOCK = [ 8, 16 ]; LDG = [ false, true ]; CACHE = [ \"ca\", \"cg\" ];"
	" SCALE = [ 0.5, 1.0 ]; };\n"
	"defaults: { BLOCK = 8; LDG = false; CACHE = \"ca\"; SCALE = 0.5; };\n";

static const uint16_t configuration[] = { 1, 1, 1, 0 };

/* A session's last evaluation, and everything that an event of it points at. */
struct scene {
	struct at_spec *spec;
	struct at_device_info device;
	struct at_progress progress;
	struct at_evaluation evaluation;
	struct at_evaluation baseline;
	struct at_winner best;
	struct at_event event;
};

static void make_scene(struct scene *scene)
{
	assert_ok(at_spec_parse(
		space_text, strlen(space_text), "toy.cfg", &scene->spec, &failure));
	snprintf(scene->device.id, sizeof(scene->device.id), "cuda:0");
	snprintf(scene->device.model, sizeof(scene->device.model), "NVIDIA H200");
	scene->progress = (struct at_progress){
		.valid_count = 3000,
		.target_evaluations = 500,
		.elapsed_seconds = 10,
		.evaluated = 120,
		.reused = 20,
		.compiling = 3,
	};
	scene->progress.by_outcome[AT_OUTCOME_OK] = 100;
	scene->progress.by_outcome[AT_OUTCOME_WRONG_RESULT] = 12;
	scene->progress.by_outcome[AT_OUTCOME_COMPILE_FAILED] = 8;
	scene->evaluation = (struct at_evaluation){
		.outcome = AT_OUTCOME_OK,
		.time_ns = 1000000,
		.low_ns = 990000,
		.high_ns = 1010000,
		.facts.registers = 64,
		.facts.spill_store_bytes = -1,
		.facts.threads_per_block = 192,
		.facts.resident_blocks = 8,
		.facts.occupancy = 0.75,
		.facts.limiting_factor = "registers",
	};
	scene->baseline = (struct at_evaluation){
		.outcome = AT_OUTCOME_OK,
		.time_ns = 2500000,
		.low_ns = 2400000,
		.high_ns = 2600000,
	};
	scene->event = (struct at_event){
		.kind = AT_EVENT_INCUMBENT,
		.spec = scene->spec,
		.problem = &scene->spec->problems[0],
		.device = &scene->device,
		.progress = &scene->progress,
		.configuration = configuration,
		.evaluation = &scene->evaluation,
		.incumbent = &scene->evaluation,
		.incumbent_configuration = configuration,
		.baseline = &scene->baseline,
		.flops = 2e9,
	};
}

static void drop_scene(struct scene *scene)
{
	at_spec_free(scene->spec);
}

#define SCENE_TEST(name) TEST_ON(name, struct scene, scene, make_scene, drop_scene)

static void write_summary(
	const struct scene *scene, const struct at_lane *lane, struct at_strbuf *out)
{
	struct at_page page = { .out = out };

	at_summary_write(&scene->event, lane, &page);
}

static struct at_json *to_json(const struct scene *scene)
{
	struct at_json *out = NULL;

	assert_true(at_event_to_json(&scene->event, &out));
	assert_non_null(out);
	return out;
}

static void assert_line(
	const struct at_json *object, const char *key, const char *expected)
{
	struct at_strbuf text = { 0 };

	assert_non_null(at_json_get(object, key));
	at_json_write(at_json_get(object, key), 0, &text);
	assert_text(&text, expected);
}

SCENE_TEST(names_the_instance_of_a_template_in_json)
{
	static const char text[] =
		"parameters: { BLOCK = [ 8, 16 ]; T = [ \"float\", \"half\" ]; };\n"
		"kernel: { name = \"tools::scale<2 * BLOCK, T>\"; template = \"k.cu\"; };\n";
	static const enum at_event_kind kinds[] = { AT_EVENT_EVALUATION,
		AT_EVENT_INCUMBENT, AT_EVENT_SUMMARY };
	OWNED(at_spec_free) struct at_spec *spec = NULL;

	assert_ok(at_spec_parse(text, strlen(text), "toy.cfg", &spec, NULL));
	for (size_t i = 0; i < AT_COUNT_OF(kinds); i++) {
		struct at_json *object;

		scene->event.kind = kinds[i];
		scene->event.spec = scene->spec;
		object = to_json(scene);
		assert_null(at_json_get(object, "instance"));
		at_json_free(object);
		scene->event.spec = spec;
		object = to_json(scene);
		assert_line(object, "instance", "\"tools::scale<2 * 16, half>\"");
		at_json_free(object);
	}
}

SCENE_TEST(says_nothing_in_json_of_mere_talk)
{
	static const enum at_event_kind kinds[] = { AT_EVENT_BEGIN, AT_EVENT_STATE,
		AT_EVENT_NOTE };
	struct at_json *out;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		scene->event.kind = kinds[i];
		assert_false(at_event_to_json(&scene->event, &out));
	}
}

/* ---- progress ---------------------------------------------------------------- */

SCENE_TEST(draws_the_status_of_a_lane)
{
	RELEASED(at_lanes_release) struct at_lanes lanes = { 0 };
	struct at_lane *lane = at_lanes_find(&lanes, &scene->event);
	struct at_strbuf out = { 0 };

	assert_non_null(lane);
	at_lane_update(lane, &scene->event, SECOND_NS);
	/* 100 measured in 10 s and 380 to go */
	at_progress_write_status(lane, SECOND_NS, false, &out);
	assert_text(&out,
		"toy default cuda:0  120 of 500 tried  10s  best 1.00 ms  2.50x  2.00 TFLOP/s");
	at_progress_write_activity(lane, SECOND_NS, false, &out);
	assert_text(&out,
		"  searching, 38s left, 10/s, 3 compiling  BLOCK=16 LDG=true CACHE=cg");
	at_progress_write_incumbent(lane, &out);
	assert_text(&out,
		"toy default cuda:0: 120 of 500 tried, best 1.00 ms, 2.50x over the baseline, 2.00 TFLOP/s: BLOCK=16 LDG=true CACHE=cg\n");
	/* how long the search has left says nothing about the phases behind it */
	scene->event.kind = AT_EVENT_PHASE;
	scene->event.text = "finals";
	at_lane_update(lane, &scene->event, SECOND_NS);
	at_progress_write_activity(lane, SECOND_NS, false, &out);
	assert_text(&out, "  finals, 3 compiling  BLOCK=16 LDG=true CACHE=cg");
	/* the budget's end does */
	scene->progress.target_seconds = 30;
	scene->progress.target_evaluations = 0;
	at_lane_update(lane, &scene->event, SECOND_NS);
	at_progress_write_status(lane, SECOND_NS, false, &out);
	assert_text(&out,
		"toy default cuda:0  120 tried  10s of 30s  best 1.00 ms  2.50x  2.00 TFLOP/s");
	at_progress_write_activity(lane, SECOND_NS, false, &out);
	assert_text(
		&out, "  finals, 20s left, 3 compiling  BLOCK=16 LDG=true CACHE=cg");
}

SCENE_TEST(lets_the_time_budget_end_it_first)
{
	RELEASED(at_lanes_release) struct at_lanes lanes = { 0 };
	struct at_lane *lane = at_lanes_find(&lanes, &scene->event);

	scene->progress.target_seconds = 30;
	at_lane_update(lane, &scene->event, 5 * (uint64_t)SECOND_NS);
	/* told at 10 s, asked 5 s later */
	assert_float_equal(
		at_lane_seconds_left(lane, 10 * (uint64_t)SECOND_NS), 15, 1e-9);
	scene->progress.target_seconds = 0;
	scene->progress.evaluated = scene->progress.reused = 0;
	at_lane_update(lane, &scene->event, 5 * (uint64_t)SECOND_NS);
	assert_true(isnan(at_lane_seconds_left(lane, 5 * (uint64_t)SECOND_NS)));
}

/* The five fastest evaluations, and the time in which the run's clock stood still. */
SCENE_TEST(keeps_the_fastest_and_what_was_waited)
{
	static const double times[] = { 7e6, 3e6, 5e6, 1e6, 9e6, 2e6, 4e6, NAN };
	/* 3e6 was of a configuration that then took 6e6 */
	static const double kept[] = { 1e6, 2e6, 4e6, 5e6, 6e6 };
	uint16_t row[4] = { 0 };
	RELEASED(at_lanes_release) struct at_lanes lanes = { 0 };
	struct at_lane *lane = at_lanes_find(&lanes, &scene->event);

	scene->event.kind = AT_EVENT_EVALUATION;
	scene->event.evaluation = &scene->evaluation;
	scene->event.configuration = row;
	scene->progress.elapsed_seconds = 10;
	for (size_t i = 0; i < AT_COUNT_OF(times); i++) {
		for (size_t bit = 0; bit < 3; bit++)
			row[bit] = i >> bit & 1;
		scene->evaluation.time_ns = times[i];
		at_lane_update(lane, &scene->event, (i + 1) * (uint64_t)SECOND_NS);
	}
	memcpy(row, (uint16_t[4]){ 1 }, sizeof(row));
	scene->evaluation.time_ns = 6e6;
	at_lane_update(lane, &scene->event, AT_COUNT_OF(times) * (uint64_t)SECOND_NS);
	assert_int_equal(lane->top_count, AT_COUNT_OF(kept));
	for (size_t i = 0; i < AT_COUNT_OF(kept); i++)
		assert_float_equal(lane->top[i].value, kept[i], 0);
	/* 7 s; the run's clock counted 2.5 */
	scene->progress.elapsed_seconds = 12.5;
	at_lane_update(lane, &scene->event, 8 * (uint64_t)SECOND_NS);
	assert_float_equal(at_lane_waited_seconds(lane), 4.5, 1e-9);
}

/* Whether results are right may depend on one parameter alone, LDG here. */
SCENE_TEST(names_the_parameter_that_makes_results_wrong)
{
	static const struct {
		enum at_outcome outcome;
		uint16_t configuration[4];
		const char *guilty; /* from here on; "": several, or none */
	} steps[] = {
		{ AT_OUTCOME_OK, { 0, 0, 0, 0 }, "" },
		{ AT_OUTCOME_WRONG_RESULT, { 1, 1, 1, 0 }, "" },
		{ AT_OUTCOME_WRONG_RESULT, { 1, 1, 0, 0 }, "" },
		/* BLOCK or LDG */
		{ AT_OUTCOME_WRONG_RESULT, { 1, 1, 0, 1 }, "" },
		{ AT_OUTCOME_OK, { 1, 0, 1, 1 }, "LDG" },
		{ AT_OUTCOME_COMPILE_FAILED, { 1, 0, 0, 0 }, "LDG" },
		{ AT_OUTCOME_OK, { 0, 1, 1, 1 }, "" },
	};
	RELEASED(at_lanes_release) struct at_lanes lanes = { 0 };
	struct at_lane *lane = at_lanes_find(&lanes, &scene->event);

	memset(scene->progress.by_outcome, 0, sizeof(scene->progress.by_outcome));
	for (size_t i = 0; i < AT_COUNT_OF(steps); i++) {
		RELEASED(at_strbuf_release) struct at_strbuf out = { 0 };
		size_t guilty;

		scene->evaluation.outcome = steps[i].outcome;
		scene->progress.by_outcome[steps[i].outcome]++;
		scene->event.kind = AT_EVENT_EVALUATION;
		scene->event.configuration = steps[i].configuration;
		at_lane_update(lane, &scene->event, SECOND_NS);
		guilty = at_lane_find_culprit(lane, scene->spec);
		assert_string_equal(guilty < scene->spec->parameter_count
					    ? scene->spec->parameters[guilty].name
					    : "",
			steps[i].guilty);
		scene->event.kind = AT_EVENT_SUMMARY;
		write_summary(scene, lane, &out);
		assert_int_equal(strstr(out.data, "all wrong results have") != NULL,
			steps[i].guilty[0] != '\0');
		if (steps[i].guilty[0])
			assert_non_null(strstr(out.data,
				"  note      all wrong results have another LDG than the default, false, and no right one has: the template is wrong with others\n"));
	}
}

SCENE_TEST(keeps_devices_apart)
{
	RELEASED(at_lanes_release) struct at_lanes lanes = { 0 };
	struct at_lane *first = at_lanes_find(&lanes, &scene->event);

	assert_ptr_equal(at_lanes_find(&lanes, &scene->event), first);
	snprintf(scene->device.id, sizeof(scene->device.id), "cuda:1");
	assert_ptr_not_equal(at_lanes_find(&lanes, &scene->event), first);
	assert_int_equal(lanes.count, 2);
	at_lanes_remove(&lanes, first);
	assert_int_equal(lanes.count, 1);
	assert_string_equal(lanes.items[0]->label, "toy default cuda:1");
}

/* What these states, one after the other, put on stderr; heap. */
static char *say_states(struct scene *scene, struct at_teller *teller, bool redraws)
{
	static const char *const texts[] = { "waiting, pid 1", "", "waiting, pid 1",
		"waiting, pid 2", "" };
	FILE *file = tmpfile();
	int before = dup(STDERR_FILENO);
	char *said = calloc(1, 4096);

	assert_true(file && before >= 0 && said);
	fflush(stderr);
	assert_true(dup2(fileno(file), STDERR_FILENO) >= 0);
	at_teller_begin(teller);
	teller->redraws = redraws;
	scene->event.kind = AT_EVENT_STATE;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		scene->event.text = texts[i];
		at_teller_listen(teller, &scene->event);
	}
	at_teller_end(teller);
	fflush(stderr);
	assert_true(dup2(before, STDERR_FILENO) >= 0);
	rewind(file);
	said[fread(said, 1, 4095, file)] = '\0';
	fclose(file);
	close(before);
	return said;
}

SCENE_TEST(says_in_lines_what_a_run_waits_for)
{
	struct at_teller teller = { 0 }, json = { .json = true };
	static const char expected[] = "toy default cuda:0: waiting, pid 1\n"
				       "toy default cuda:0: waiting, pid 2\n";
	char *said = say_states(scene, &teller, false);

	assert_string_equal(said, expected);
	free(said);
	said = say_states(scene, &json, false);
	assert_string_equal(said, expected);
	free(said);
}

SCENE_TEST(says_no_line_of_what_the_display_shows_or_nobody_wants)
{
	struct at_teller teller = { 0 }, quiet = { .quiet = true };
	char *said = say_states(scene, &teller, true);

	assert_non_null(strstr(said, "s left, waiting, pid 1"));
	assert_null(strstr(said, ": waiting"));
	free(said);
	said = say_states(scene, &quiet, false);
	assert_string_equal(said, "");
	free(said);
}

/* ---- summaries and events ----------------------------------------------------- */

#define GOLDEN AT_TEST_DIR "/data/cli/summaries.txt"

/* the ceilings of the scene: its kernel makes 2 of 4 TFLOP/s */
static const struct at_ceilings ceilings = { 1e12, 4e12, 3e12 };

static const char gains[] =
	"[{\"to\": {\"BLOCK\": 16}, \"from\": {\"BLOCK\": 8}, \"share\": 0.995},"
	" {\"to\": {\"LDG\": true}, \"from\": {\"LDG\": false}, \"share\": 0.005}]";

/* A scene that differs from the usual one; zero: as usual. */
struct variant {
	const char *name;
	bool is_json; /* what it writes: else the summary */
	enum at_event_kind kind; /* 0: the summary */
	/* the winner's; speed-up 0: there is no winner */
	double speedup[3], low_ns, high_ns;
	const struct at_objective *objective; /* NULL: time */
	const char *measurement, *verification_json, *launch;
	const struct at_verification *verification;
	const char *gains;
	bool is_unverified;
	const char *header, *text;
	bool reused, has_ceilings, is_double, has_no_metrics, has_no_facts;
	bool has_no_incumbent, has_no_baseline, has_no_defaults, baseline_wins;
	bool is_single; /* --set leaves one configuration */
	enum at_outcome frequent; /* of the run, more than all others */
	enum at_outcome outcome; /* of the evaluation */
	const char *detail;
	bool has_reference, has_launch;
	uint64_t evaluated, audited, audited_finalists;
	double last_seconds; /* the first evaluation came at 20 s */
	/* of a wrong result that was told before */
	const char *first, *second;
};

static const struct at_verification not_for = { .cases = 3,
	.data_sets = 2,
	.unfit = 2,
	.unfit_for = "N=99; N=101",
	.coverage = { "3 of 4 branches of the reference ran",
		"5 of 5 branches of the winner ran" } };
static const struct at_verification not_for_either = { .cases = 3,
	.data_sets = 2,
	.unfit = 2,
	.unfit_for = "N=99; N=101",
	.reference_fails = true };
static const struct at_verification some_contents = { .cases = 3,
	.data_sets = 2,
	.vacuous = 2,
	.vacuous_for = "N=1; N=2",
	.only_for = "rows, cols" };
static const struct at_verification nothing_compared = {
	.vacuous = 2, .vacuous_for = "N=1; N=2", .only_for = "rows, cols"
};

static const struct at_verification on_all_multiprocessors = {
	.cases = 3, .data_sets = 2, .guarded = true
};

static const struct variant variants[] = {
	{ "an evaluation", .is_json = true, .kind = AT_EVENT_EVALUATION,
		.reused = true },
	/* whatever an evaluation that failed holds, only ok has a time */
	{ "an evaluation that failed", .is_json = true, .kind = AT_EVENT_EVALUATION,
		.outcome = AT_OUTCOME_WRONG_RESULT,
		.detail = "C[257] is 0, expected 3.1" },
	{ "an incumbent", .is_json = true, .kind = AT_EVENT_INCUMBENT },
	{ "a phase", .is_json = true, .kind = AT_EVENT_PHASE, .text = "finals" },
	/* the baseline's time is that of the finals, not the 2.5 ms of its evaluation
	 */
	{ "a winner", .is_json = true, .speedup = { 2.5, 2.25, 2.75 },
		.low_ns = 1000000, .high_ns = 1200000, .measurement = "{\"blocks\": 6}",
		.header = "results/toy.h", .audited = 14, .audited_finalists = 1 },
	{ "limits and gains", .is_json = true, .speedup = { 2 }, .has_ceilings = true,
		.gains = gains },
	{ "limits of doubles", .is_json = true, .speedup = { 2 }, .has_ceilings = true,
		.is_double = true, .gains = "" },
	{ "no winner: the keys are there", .is_json = true, .has_no_incumbent = true },
	{ "a summary", .speedup = { 2 } },
	{ "the winner, and the reasons of the rest", .speedup = { 2 },
		.low_ns = 1000000, .high_ns = 1200000,
		.verification_json =
			"{\"cases\": 5, \"case_ids\": \"0000002a\", \"data_sets\": 2, \"guarded\": true,"
			" \"passed\": [\"racecheck\", \"host\"], \"not_run\":"
			" {\"memcheck\": \"there was no time for it\","
			" \"initcheck\": \"it does not start\","
			" \"synccheck\": \"there was no time for it\"}}",
		.header = "results/toy.h", .first = "C[257] is 0, expected 3.1",
		.second = "another one" },
	{ "a time that is not known", .speedup = { 2 }, .low_ns = 300000,
		.high_ns = 2600000 },
	{ "the only configuration", .speedup = { 2 }, .is_single = true },
	{ "nothing ended in time", .has_no_incumbent = true, .has_no_baseline = true,
		.frequent = AT_OUTCOME_TIMED_OUT },
	{ "a gain", .speedup = { 2.5, 2.25, 2.75 }, .gains = gains },
	{ "a small gain", .speedup = { 1.012, 1.0034, 1.0206 }, .gains = gains },
	{ "a gain without an interval", .speedup = { 2.5 }, .gains = gains },
	{ "no gain, as older records have it", .speedup = { 0.63 }, .gains = gains },
	{ "a gain that may be none", .speedup = { 1.1, 0.9, 1.3 }, .gains = gains },
	{ "why it is no faster", .speedup = { 2 }, .has_ceilings = true,
		.gains = gains },
	/* right behind the winner, and again with the verification */
	{ "not for", .speedup = { 1 }, .verification = &not_for },
	{ "not for, nor is the reference", .speedup = { 1 },
		.verification = &not_for_either },
	/* never as if vacuous cases had shown anything */
	{ "some contents only", .speedup = { 1 }, .verification = &some_contents },
	{ "nothing compared", .speedup = { 1 }, .verification = &nothing_compared },
	{ "a cooperative launch in a sequence", .speedup = { 1 },
		.verification = &on_all_multiprocessors,
		.launch =
			"{\"launches\": [{\"launch\": 0, \"registers\": 31, \"static_shared_bytes\": 4096, \"shared_bytes\": 4096, \"cluster\": [1, 1, 1]},"
			" {\"launch\": 1, \"cooperative\": true, \"dependent\": true, \"carveout\": 50}]}" },
	{ "a launch with attributes", .speedup = { 1 },
		.verification = &on_all_multiprocessors,
		.launch =
			"{\"preferred_cluster\": [8, 2, 1], \"l2_window_percent\": 25, \"cluster\": [4, 1, 1]}" },
	{ "steady clocks", .speedup = { 2 },
		.measurement =
			"{\"blocks\": 6, \"samples\": 30, \"first_clock_hz\": 1980000000, \"last_clock_hz\": 1965000000, \"repeated_rounds\": 0}" },
	{ "a clock that fell", .speedup = { 2 },
		.measurement =
			"{\"blocks\": 6, \"samples\": 12, \"first_clock_hz\": 1980000000, \"last_clock_hz\": 1755000000, \"repeated_rounds\": 1, \"throttled_rounds\": 2, \"empty_ns\": 1900, \"clock_reasons\": \"heat\", \"set_clock_hz\": 1500000000}" },
	{ "in a graph", .speedup = { 2 },
		.measurement =
			"{\"blocks\": 6, \"samples\": 30, \"empty_ns\": 1900, \"graph_ns\": 2310, \"empty_graph_ns\": 850, \"graph_off\": 0.02}" },
	{ "in a graph, which does not agree", .speedup = { 2 },
		.measurement =
			"{\"blocks\": 6, \"samples\": 30, \"graph_ns\": 2310, \"graph_off\": -0.12}" },
	{ "ungated", .speedup = { 2 },
		.measurement =
			"{\"blocks\": 6, \"samples\": 30, \"empty_ns\": 1900, \"ungated\": true}" },
	{ "ungated, and long launches hide it", .speedup = { 2 },
		.measurement = "{\"blocks\": 6, \"samples\": 30, \"ungated\": true}" },
	{ "memory that stayed", .speedup = { 2 },
		.measurement =
			"{\"blocks\": 6, \"samples\": 30, \"unmoved_blocks\": 5}" },
	{ "a winner by energy", .speedup = { 1.5, 1.4, 1.6 },
		.objective = &at_objective_energy,
		.measurement =
			"{\"blocks\": 12, \"energy\": {\"idle_watts\": 71.4, \"least_celsius\": 55, \"most_celsius\": 57, \"finalists\": ["
			"{\"configuration\": {\"TILE\": 8}, \"time_ns\": 1100000, \"energy_joules\": 0.125, \"on_front\": true},"
			"{\"configuration\": {\"TILE\": 4}, \"time_ns\": 1200000, \"energy_joules\": 0.2, \"on_front\": false},"
			"{\"configuration\": {\"TILE\": 2}, \"time_ns\": 1000000, \"energy_joules\": 0.15, \"on_front\": true}]}}" },
	{ "no measurement that can be read", .speedup = { 2 }, .measurement = "{" },
	/* five in ten seconds, so 194 more in 388 */
	{ "too few", .evaluated = 6, .last_seconds = 30 },
	{ "one", .evaluated = 1, .last_seconds = 20 },
	{ "enough", .evaluated = 60, .last_seconds = 30 },
	{ "racing that missed nothing", .audited = 14 },
	{ "racing that missed the one", .audited = 1, .audited_finalists = 1 },
	{ "not verified", .speedup = { 2 }, .is_unverified = true },
	{ "not verified, and its header asked for", .speedup = { 2 },
		.is_unverified = true, .header = "results/toy.h" },
	{ "not known", .has_no_metrics = true, .has_no_facts = true },
	{ "the baseline", .baseline_wins = true },
	{ "the baseline, undecided", .baseline_wins = true, .speedup = { 1 },
		.measurement = "{\"blocks\": 3, \"samples\": 6, \"undecided\": true}" },
	{ "no baseline", .has_no_baseline = true },
	{ "no defaults", .has_no_baseline = true, .has_no_defaults = true },
	{ "nothing passed", .has_no_incumbent = true, .has_no_baseline = true },
	/* a reference without a launch of its own may have left out most of its inputs
	 */
	{ "nothing passed, and the reference has no launch", .has_no_incumbent = true,
		.has_no_baseline = true, .has_reference = true },
	{ "nothing passed, and the reference has a launch", .has_no_incumbent = true,
		.has_no_baseline = true, .has_reference = true, .has_launch = true },
};

static void vary(struct scene *scene, const struct variant *variant, char *verification)
{
	struct at_progress *progress = &scene->progress;
	struct at_event *event = &scene->event;

	event->kind = variant->kind ? variant->kind : AT_EVENT_SUMMARY;
	event->text = variant->text;
	event->header_path = variant->header;
	event->reused = variant->reused;
	if (variant->speedup[0] > 0)
		event->best = &scene->best;
	scene->best = (struct at_winner){ .objective = variant->objective
							       ? variant->objective
							       : &at_objective_time,
		.score = { variant->low_ns > 0 ? 1100000 : 1000000,
			variant->low_ns > 0 ? variant->low_ns : (double)NAN,
			variant->low_ns > 0 ? variant->high_ns : (double)NAN },
		.speedup = variant->speedup[0],
		.speedup_low = variant->speedup[1],
		.speedup_high = variant->speedup[2],
		.measurement = (char *)variant->measurement,
		.launch = variant->launch ? (char *)variant->launch
					  : (char *)"{\"block\": [16, 1, 1]}",
		.verification = verification ? verification
					     : (char *)variant->verification_json,
		.gains = (char *)variant->gains,
		.is_unverified = variant->is_unverified };
	if (variant->has_ceilings) {
		event->ceilings = &ceilings;
		event->bytes = 1e6;
	}
	if (variant->objective)
		scene->best.score = (struct at_score){ 0.125, 0.12, 0.13 };
	scene->evaluation.is_double = variant->is_double;
	if (variant->outcome)
		scene->evaluation.outcome = variant->outcome;
	scene->evaluation.detail = (char *)variant->detail;
	if (variant->has_no_metrics)
		event->flops = 0;
	if (variant->has_no_facts)
		scene->evaluation.facts = (struct at_facts)AT_FACTS_UNKNOWN;
	if (variant->has_no_incumbent) {
		event->incumbent = NULL;
		progress->by_outcome[AT_OUTCOME_OK] = 0;
	}
	if (variant->has_no_baseline)
		event->baseline = NULL;
	scene->spec->has_defaults = !variant->has_no_defaults;
	if (variant->baseline_wins)
		event->configuration = event->incumbent_configuration =
			scene->spec->defaults;
	if (variant->is_single) {
		assert_ok(at_spec_restrict(scene->spec, "BLOCK=16", NULL));
		assert_ok(at_spec_restrict(scene->spec, "LDG=true", NULL));
		assert_ok(at_spec_restrict(scene->spec, "CACHE=cg", NULL));
		assert_ok(at_spec_restrict(scene->spec, "SCALE=0.5", NULL));
		event->configuration = event->incumbent_configuration =
			scene->spec->defaults;
	}
	if (variant->frequent)
		progress->by_outcome[variant->frequent] = 50;
	if (variant->has_reference)
		scene->spec->reference.kind = AT_REFERENCE_KERNEL;
	scene->spec->reference.call.launch.block_rank = variant->has_launch;
	scene->spec->reference.call.launch.grid_rank = variant->has_launch;
	progress->audited = variant->audited;
	progress->audited_finalists = variant->audited_finalists;
	if (variant->evaluated) {
		progress->evaluated = variant->evaluated;
		progress->reused = 0;
		progress->elapsed_seconds = 43;
		progress->target_seconds = 40;
		progress->first_seconds = 20;
		progress->last_seconds = variant->last_seconds;
	}
}

static void tell_wrong(struct scene *scene, struct at_lane *lane, const char *detail)
{
	struct at_evaluation wrong = { .outcome = AT_OUTCOME_WRONG_RESULT,
		.detail = (char *)detail };
	struct at_event event = scene->event;

	event.kind = AT_EVENT_EVALUATION;
	event.evaluation = &wrong;
	at_lane_update(lane, &event, SECOND_NS);
}

/* Whether the text has the line that begins at `line`. */
static bool has_line(const char *text, const char *line)
{
	size_t length = strcspn(line, "\n") + 1;

	while (*text && strncmp(text, line, length) != 0)
		text += strcspn(text, "\n") + 1;
	return *text != '\0';
}

/* Appends the lines of one text that the other has not, behind a sign. */
static void add_others(
	struct at_strbuf *out, const char *sign, const char *text, const char *other)
{
	for (; *text; text += strcspn(text, "\n") + 1)
		if (!has_line(other, text))
			at_strbuf_addf(out, "%s%.*s", sign,
				(int)strcspn(text, "\n") + 1, text);
}

/* The first summary is there as a whole, and of the others what differs from it. */
TEST(tells_every_scene_as_the_golden_has_it)
{
	RELEASED(at_strbuf_release) struct at_strbuf found = { 0 }, usual = { 0 };
	OWNED(free) char *golden;

	for (size_t i = 0; i < AT_COUNT_OF(variants); i++) {
		const struct variant *variant = &variants[i];
		OWNED(free)
		char *verification =
			variant->verification
				? at_verification_to_json(variant->verification)
				: NULL;
		RELEASED(at_lanes_release) struct at_lanes lanes = { 0 };
		RELEASED(drop_scene) struct scene varied = { 0 };
		RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
		struct scene *scene = &varied;
		struct at_lane *lane = NULL;

		make_scene(scene);
		if (variant->first) {
			lane = at_lanes_find(&lanes, &scene->event);
			tell_wrong(scene, lane, variant->first);
			tell_wrong(scene, lane, variant->second);
		}
		vary(scene, variant, verification);
		at_strbuf_addf(&found, "== %s\n", variant->name);
		if (variant->is_json) {
			OWNED(at_json_free) struct at_json *json = to_json(scene);

			at_json_write(json, 0, &found);
			at_strbuf_add_char(&found, '\n');
			continue;
		}
		write_summary(scene, lane, &text);
		add_others(&found, "- ", at_strbuf_text(&usual), text.data);
		add_others(&found, usual.length ? "+ " : "", text.data,
			at_strbuf_text(&usual));
		if (!usual.length)
			at_strbuf_add(&usual, text.data);
	}
	assert_ok(at_file_read(GOLDEN, 0, &golden, &(size_t){ 0 }, NULL));
	if (strcmp(golden, found.data) != 0) {
		assert_ok(at_file_replace(
			"summaries.txt", found.data, found.length, NULL));
		fail_msg(
			"what was found, summaries.txt in the folder of this test, is not %s",
			GOLDEN);
	}
}

SCENE_TEST(says_in_a_line_that_nothing_passed)
{
	RELEASED(at_lanes_release) struct at_lanes lanes = { 0 };
	struct at_lane *lane = at_lanes_find(&lanes, &scene->event);
	struct at_strbuf out = { 0 };

	assert_non_null(lane);
	memset(scene->progress.by_outcome, 0, sizeof(scene->progress.by_outcome));
	at_summary_write_failure(&scene->event, lane, &out);
	assert_text(&out, "autotune: toy default cuda:0: no configuration passed\n");
	scene->progress.by_outcome[AT_OUTCOME_CRASHED] = 1;
	scene->progress.by_outcome[AT_OUTCOME_WRONG_RESULT] = 7;
	snprintf(lane->first_detail[AT_OUTCOME_WRONG_RESULT], AT_LANE_DETAIL_SIZE,
		"y[3] is 1,\nexpected 2");
	at_summary_write_failure(&scene->event, lane, &out);
	assert_text(&out,
		"autotune: toy default cuda:0: no configuration passed: wrong_result, y[3] is 1, expected 2\n");
}

/* the finals may find the best one wrong: then it is no winner any more */
SCENE_TEST(never_calls_a_refused_incumbent_the_winner)
{
	struct at_best best;

	scene->event.kind = AT_EVENT_SUMMARY;
	assert_true(at_event_best(&scene->event, &best));
	scene->evaluation.outcome = AT_OUTCOME_WRONG_RESULT;
	assert_false(at_event_best(&scene->event, &best));
	assert_null(best.configuration);
	scene->baseline.outcome = AT_OUTCOME_CRASHED;
	assert_true(isnan(at_event_baseline(&scene->event)));
}

RUN_SUITE(NULL, NULL)
