/* The texts of the program: numbers, status lines, summaries, and events as JSON. */
#include "cli/configuration.h"
#include "cli/events.h"
#include "cli/format.h"
#include "cli/progress.h"
#include "cli/summary.h"
#include "cli/tell.h"
#include "record/proof.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define SECOND_NS 1000000000u

static void assert_text(struct at_strbuf *text, const char *expected)
{
	assert_string_equal(at_strbuf_text(text), expected);
	at_strbuf_release(text);
}

/* ---- numbers ---------------------------------------------------------------- */

static void writes_counts_with_separators(void **state)
{
	static const struct {
		uint64_t count;
		const char *text;
	} rows[] = {
		{ 0, "0" },
		{ 999, "999" },
		{ 1000, "1,000" },
		{ 13440, "13,440" },
		{ 1234567, "1,234,567" },
		{ UINT64_MAX, "18,446,744,073,709,551,615" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct at_strbuf out = { 0 };

		at_format_count(&out, rows[i].count);
		assert_text(&out, rows[i].text);
	}
}

static void writes_rates_with_three_digits(void **state)
{
	static const struct {
		double rate;
		const char *text;
	} rows[] = {
		{ 5, "5.00 FLOP/s" },
		{ 999.4, "999 FLOP/s" },
		{ 999.6, "1.00 KFLOP/s" },
		{ 51.43e12, "51.4 TFLOP/s" },
		{ 812e9, "812 GFLOP/s" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct at_strbuf out = { 0 };

		at_format_rate(&out, rows[i].rate, "FLOP/s");
		assert_text(&out, rows[i].text);
	}
}

static void writes_seconds_as_people_say_them(void **state)
{
	static const struct {
		double seconds;
		const char *text;
	} rows[] = {
		{ -1, "0.0s" },
		{ 0.44, "0.4s" },
		{ 9.97, "10s" },
		{ 59.4, "59s" },
		{ 59.6, "1m00s" },
		{ 125, "2m05s" },
		{ 11220, "3h07m" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct at_strbuf out = { 0 };

		at_format_seconds(&out, rows[i].seconds);
		assert_text(&out, rows[i].text);
	}
}

static void writes_bytes_speedups_intervals_and_dates(void **state)
{
	struct at_strbuf out = { 0 };

	(void)state;
	at_format_bytes(&out, 49152);
	at_strbuf_add_char(&out, '|');
	at_format_bytes(&out, 150110011392);
	at_strbuf_add_char(&out, '|');
	at_format_speedup(&out, 3.214);
	at_strbuf_add_char(&out, '|');
	at_format_speedup(&out, NAN);
	at_strbuf_add_char(&out, '|');
	at_format_interval(&out, &at_objective_time, &(struct at_score){ 1, NAN, 1 });
	at_strbuf_add_char(&out, '|');
	at_format_date(&out, 86400 * 365);
	assert_text(&out, "48 KiB|139.8 GiB|3.21x|-||1971-01-01 00:00 UTC");
}

/* ---- texts ------------------------------------------------------------------ */

static void turns_recorded_configurations_into_words(void **state)
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

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct at_strbuf out = { 0 };

		at_format_configuration(&out, rows[i].json);
		assert_text(&out, rows[i].text);
	}
}

static void cuts_lines_to_the_terminal(void **state)
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

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct at_strbuf out = { 0 };

		at_format_fit(&out, rows[i].text, rows[i].columns);
		assert_text(&out, rows[i].fitted);
	}
}

static void folds_lines_at_words_below_the_last_cell_of_their_left_half(void **state)
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

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct at_strbuf out = { 0 };

		at_format_fold(&out, rows[i].text, 30);
		assert_text(&out, rows[i].folded);
	}
}

static void tells_of_a_configuration_what_is_not_the_baselines(void **state)
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

	(void)state;
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

static void wraps_words_and_keeps_indented_lines(void **state)
{
	struct at_strbuf out = { 0 };

	(void)state;
	at_format_wrap(&out, "one two three\n\n  a line  as it is\nend", 0, 2, 9);
	assert_text(&out, "one two\n  three\n\n    a line  as it is\n  end");
	/* a number keeps its unit */
	at_format_wrap(&out, "it took 12 ms, 5.2 TFLOP/s and 7 KiB", 0, 0, 10);
	assert_text(&out, "it took\n12 ms,\n5.2 TFLOP/s\nand 7 KiB");
}

static void lets_no_text_drive_the_terminal(void **state)
{
	struct at_strbuf out = { 0 };

	(void)state;
	at_format_plain(&out, "a\033[2Jb\rc\177");
	assert_text(&out, "a [2Jb c ");
}

/* ---- pages ------------------------------------------------------------------ */

static void add_table(struct at_page *page)
{
	static const struct at_column columns[] = { { "  name", 8 }, { NULL, 5 },
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

static void lays_out_tables_as_text_and_as_markdown(void **state)
{
	struct at_strbuf out = { 0 };

	(void)state;
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

static void colours_and_wraps_entries_only_when_asked(void **state)
{
	struct at_strbuf out = { 0 }, empty = { 0 };
	struct at_page page = { .out = &out };

	(void)state;
	for (int i = 0; i < 2; i++) {
		at_page_title(&page, "toy\033[31m", "p1", "CPU", " (x86)");
		at_page_say(&page, "speed", "%s", "12 ms and more");
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
	struct at_crown crown;
	struct at_event event;
};

static int make_scene(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));
	struct at_error err = { 0 };

	assert_non_null(scene);
	assert_int_equal(at_spec_parse(space_text, strlen(space_text), "toy.cfg",
				 &scene->spec, &err),
		AT_OK);
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
		.objective = &at_objective_time,
		.configuration = configuration,
		.evaluation = &scene->evaluation,
		.incumbent = &scene->evaluation,
		.incumbent_configuration = configuration,
		.baseline = &scene->baseline,
		.flops = 2e9,
	};
	*state = scene;
	return 0;
}

static int drop_scene(void **state)
{
	struct scene *scene = *state;

	at_spec_free(scene->spec);
	free(scene);
	return 0;
}

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

static void puts_typed_configurations_into_json(void **state)
{
	struct scene *scene = *state;
	struct at_json *object;

	scene->event.kind = AT_EVENT_EVALUATION;
	scene->event.reused = true;
	object = to_json(scene);
	assert_line(object, "event", "\"evaluation\"");
	assert_line(object, "space", "\"toy\"");
	assert_line(object, "problem", "\"default\"");
	assert_line(object, "device", "\"cuda:0\"");
	assert_line(object, "configuration",
		"{\"BLOCK\": 16, \"LDG\": true, \"CACHE\": \"cg\", \"SCALE\": 0.5}");
	assert_line(object, "outcome", "\"ok\"");
	assert_line(object, "time_ns", "1000000.0");
	assert_line(object, "reused", "true");
	assert_line(object, "registers", "64");
	assert_line(object, "spill_store_bytes", "null");
	assert_line(object, "resident_blocks", "8");
	assert_line(object, "occupancy", "0.75");
	assert_line(object, "limiting_factor", "\"registers\"");
	at_json_free(object);
}

static void names_the_instance_of_a_template_in_json(void **state)
{
	static const char text[] =
		"parameters: { BLOCK = [ 8, 16 ]; T = [ \"float\", \"half\" ]; };\n"
		"kernel: { name = \"tools::scale<2 * BLOCK, T>\"; template = \"k.cu\"; };\n";
	static const enum at_event_kind kinds[] = { AT_EVENT_EVALUATION,
		AT_EVENT_INCUMBENT, AT_EVENT_SUMMARY };
	struct scene *scene = *state;
	struct at_spec *spec = NULL;

	assert_int_equal(
		at_spec_parse(text, strlen(text), "toy.cfg", &spec, NULL), AT_OK);
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
	at_spec_free(spec);
}

/* whatever an evaluation that failed holds, only ok has a time */
static void gives_no_time_of_what_failed(void **state)
{
	struct scene *scene = *state;
	struct at_json *object;

	scene->event.kind = AT_EVENT_EVALUATION;
	scene->evaluation.outcome = AT_OUTCOME_WRONG_RESULT;
	scene->evaluation.detail = "C[257] is 0, expected 3.1";
	object = to_json(scene);
	assert_line(object, "outcome", "\"wrong_result\"");
	assert_line(object, "time_ns", "null");
	assert_line(object, "low_ns", "null");
	assert_line(object, "detail", "\"C[257] is 0, expected 3.1\"");
	at_json_free(object);
}

static void tells_the_incumbent_with_its_speedup(void **state)
{
	struct scene *scene = *state;
	struct at_json *object = to_json(scene);

	assert_line(object, "event", "\"incumbent\"");
	assert_line(object, "speedup", "2.5");
	assert_line(object, "flops_per_second", "2000000000000.0");
	assert_line(object, "bytes_per_second", "null");
	at_json_free(object);
}

static void tells_the_crown_in_the_summary(void **state)
{
	struct scene *scene = *state;
	struct at_json *object;

	scene->event.kind = AT_EVENT_SUMMARY;
	scene->event.crown = &scene->crown;
	scene->event.header_path = "results/toy.h";
	scene->crown = (struct at_crown){ .objective = &at_objective_time,
		.score = { 1100000, 1000000, 1200000 },
		.speedup = 2.5,
		.speedup_low = 2.25,
		.speedup_high = 2.75,
		.measurement = "{\"blocks\": 6}",
		.launch = "{\"block\": [16, 1, 1]}" };
	scene->progress.audited = 14;
	scene->progress.audited_finalists = 1;
	object = to_json(scene);
	assert_line(object, "event", "\"summary\"");
	assert_line(object, "time_ns", "1100000.0");
	assert_line(object, "speedup", "2.5");
	assert_line(object, "speedup_low", "2.25");
	assert_line(object, "speedup_high", "2.75");
	/* that of the finals, and not the 2.5 ms that it took when it was evaluated */
	assert_line(object, "baseline_ns", "2750000.0");
	assert_line(object, "measurement", "{\"blocks\": 6}");
	assert_line(object, "audited", "14");
	assert_line(object, "audited_finalists", "1");
	assert_line(object, "launch", "{\"block\": [16, 1, 1]}");
	assert_line(object, "options", "null");
	assert_line(object, "header", "\"results/toy.h\"");
	assert_line(object, "evaluated", "120");
	assert_line(object, "outcomes",
		"{\"ok\": 100, \"compile_failed\": 8, \"wrong_result\": 12}");
	at_json_free(object);
}

/* the ceilings of the scene: its kernel makes 2 of 4 TFLOP/s */
static const struct at_ceilings ceilings = { 1e12, 4e12, 3e12 };

static const char gains[] =
	"[{\"to\": {\"BLOCK\": 16}, \"from\": {\"BLOCK\": 8}, \"share\": 0.995},"
	" {\"to\": {\"LDG\": true}, \"from\": {\"LDG\": false}, \"share\": 0.005}]";

static void tells_limits_and_gains_in_the_summary(void **state)
{
	struct scene *scene = *state;
	struct at_evaluation incumbent = { .outcome = AT_OUTCOME_OK, .time_ns = 1 };
	struct at_json *object;

	scene->event.kind = AT_EVENT_SUMMARY;
	scene->event.crown = &scene->crown;
	scene->event.ceilings = &ceilings;
	scene->event.bytes = 1e6;
	scene->crown = (struct at_crown){ .objective = &at_objective_time,
		.score = { 1000000, NAN, NAN },
		.speedup = 2 };
	scene->crown.gains = (char *)gains;
	/* the finals crowned another */
	scene->event.incumbent = &incumbent;
	object = to_json(scene);
	assert_line(object, "intensity", "2000.0");
	assert_line(object, "ceiling_fraction", "0.5");
	assert_line(object, "bound", "\"compute-bound\"");
	assert_line(object, "occupancy", "0.75");
	assert_line(object, "limiting_factor", "\"registers\"");
	assert_int_equal(at_json_count(at_json_get(object, "gains")), 2);
	at_json_free(object);
	scene->evaluation.is_double = true;
	strcpy(scene->evaluation.facts.limiting_factor, "");
	scene->crown.gains = "";
	object = to_json(scene);
	assert_float_equal(at_json_number(at_json_get(object, "ceiling_fraction"), 0),
		2.0 / 3, 1e-12);
	assert_line(object, "limiting_factor", "null");
	assert_line(object, "gains", "null");
	at_json_free(object);
	/* nobody won: the keys are there */
	scene->event.crown = NULL;
	scene->event.incumbent = NULL;
	object = to_json(scene);
	assert_line(object, "registers", "null");
	assert_line(object, "resident_blocks", "null");
	assert_line(object, "occupancy", "null");
	assert_line(object, "limiting_factor", "null");
	assert_line(object, "bound", "null");
	assert_line(object, "gains", "null");
	at_json_free(object);
}

static void tells_what_is_done_from_now_on(void **state)
{
	struct scene *scene = *state;
	struct at_json *object;

	scene->event.kind = AT_EVENT_PHASE;
	scene->event.text = "finals";
	object = to_json(scene);
	assert_line(object, "event", "\"phase\"");
	assert_line(object, "phase", "\"finals\"");
	at_json_free(object);
}

static void says_nothing_in_json_of_mere_talk(void **state)
{
	static const enum at_event_kind kinds[] = { AT_EVENT_BEGIN, AT_EVENT_STATE,
		AT_EVENT_NOTE };
	struct scene *scene = *state;
	struct at_json *out;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		scene->event.kind = kinds[i];
		assert_false(at_event_to_json(&scene->event, &out));
	}
}

/* ---- progress ---------------------------------------------------------------- */

static void draws_the_status_of_a_lane(void **state)
{
	struct scene *scene = *state;
	struct at_lanes lanes = { 0 };
	struct at_lane *lane = at_lanes_find(&lanes, &scene->event);
	struct at_strbuf out = { 0 };

	assert_non_null(lane);
	at_lane_update(lane, &scene->event, SECOND_NS);
	/* 100 measured in 10 s and 380 to go */
	at_progress_write_status(lane, SECOND_NS, false, &out);
	assert_text(&out,
		"toy default cuda:0  120/500  best 1.00 ms  2.50x  2.00 TFLOP/s  38s left  10/s  3 compiling");
	at_progress_write_incumbent(lane, &out);
	assert_text(&out,
		"toy default cuda:0: 120/500 tried, best 1.00 ms, 2.50x over the baseline, 2.00 TFLOP/s: BLOCK=16 LDG=true CACHE=cg\n");
	/* how long the search has left says nothing of what follows it */
	scene->event.kind = AT_EVENT_PHASE;
	scene->event.text = "finals";
	at_lane_update(lane, &scene->event, SECOND_NS);
	at_progress_write_status(lane, SECOND_NS, false, &out);
	assert_text(&out,
		"toy default cuda:0  120/500  finals  best 1.00 ms  2.50x  2.00 TFLOP/s  10/s  3 compiling");
	at_lanes_release(&lanes);
}

static void lets_the_time_budget_end_it_first(void **state)
{
	struct scene *scene = *state;
	struct at_lanes lanes = { 0 };
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
	at_lanes_release(&lanes);
}

/* Whether results are right may depend on one parameter alone, LDG here. */
static void names_the_parameter_that_makes_results_wrong(void **state)
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
	struct scene *scene = *state;
	struct at_lanes lanes = { 0 };
	struct at_lane *lane = at_lanes_find(&lanes, &scene->event);

	memset(scene->progress.by_outcome, 0, sizeof(scene->progress.by_outcome));
	for (size_t i = 0; i < AT_COUNT_OF(steps); i++) {
		struct at_strbuf out = { 0 };
		size_t guilty;

		scene->evaluation.outcome = steps[i].outcome;
		scene->progress.by_outcome[steps[i].outcome]++;
		scene->event.kind = AT_EVENT_EVALUATION;
		scene->event.configuration = steps[i].configuration;
		at_lane_update(lane, &scene->event, SECOND_NS);
		guilty = at_lane_guilty(lane, scene->spec);
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
		at_strbuf_release(&out);
	}
	at_lanes_release(&lanes);
}

static void keeps_devices_apart(void **state)
{
	struct scene *scene = *state;
	struct at_lanes lanes = { 0 };
	struct at_lane *first = at_lanes_find(&lanes, &scene->event);

	assert_ptr_equal(at_lanes_find(&lanes, &scene->event), first);
	snprintf(scene->device.id, sizeof(scene->device.id), "cuda:1");
	assert_ptr_not_equal(at_lanes_find(&lanes, &scene->event), first);
	assert_int_equal(lanes.count, 2);
	at_lanes_remove(&lanes, first);
	assert_int_equal(lanes.count, 1);
	assert_string_equal(lanes.items[0]->label, "toy default cuda:1");
	at_lanes_release(&lanes);
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
	teller->display.redraws = redraws;
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

static void says_in_lines_what_a_run_waits_for(void **state)
{
	struct at_teller teller = { 0 }, json = { .json = true };
	static const char expected[] = "toy default cuda:0: waiting, pid 1\n"
				       "toy default cuda:0: waiting, pid 2\n";
	char *said = say_states(*state, &teller, false);

	assert_string_equal(said, expected);
	free(said);
	said = say_states(*state, &json, false);
	assert_string_equal(said, expected);
	free(said);
}

static void says_no_line_of_what_the_display_shows_or_nobody_wants(void **state)
{
	struct at_teller teller = { 0 }, quiet = { .quiet = true };
	char *said = say_states(*state, &teller, true);

	assert_non_null(strstr(said, "  waiting, pid 1  "));
	assert_null(strstr(said, ": waiting"));
	free(said);
	said = say_states(*state, &quiet, false);
	assert_string_equal(said, "");
	free(said);
}

/* ---- summaries --------------------------------------------------------------- */

static void sums_up_the_winner_and_the_reasons_of_the_rest(void **state)
{
	struct scene *scene = *state;
	struct at_lanes lanes = { 0 };
	struct at_lane *lane = at_lanes_find(&lanes, &scene->event);
	struct at_evaluation wrong = { .outcome = AT_OUTCOME_WRONG_RESULT,
		.detail = "C[257] is 0, expected 3.1" };
	struct at_strbuf out = { 0 };

	scene->event.kind = AT_EVENT_EVALUATION;
	scene->event.evaluation = &wrong;
	at_lane_update(lane, &scene->event, SECOND_NS);
	wrong.detail = "another one";
	at_lane_update(lane, &scene->event, SECOND_NS);
	scene->event.kind = AT_EVENT_SUMMARY;
	scene->event.evaluation = &scene->evaluation;
	scene->event.crown = &scene->crown;
	scene->crown = (struct at_crown){ .objective = &at_objective_time,
		.score = { 1100000, 1000000, 1200000 },
		.speedup = 2,
		.proof =
			"{\"cases\": 5, \"case_ids\": \"0000002a\", \"data_sets\": 2, \"guarded\": true,"
			" \"passed\": [\"racecheck\", \"host\"], \"not_run\":"
			" {\"memcheck\": \"the budget has no time for it\","
			" \"initcheck\": \"it does not start\","
			" \"synccheck\": \"the budget has no time for it\"}}" };
	scene->event.header_path = "results/toy.h";
	write_summary(scene, lane, &out);
	assert_text(&out,
		"toy, default on cuda:0 (NVIDIA H200)\n"
		"  winner    BLOCK=16 LDG=true CACHE=cg\n"
		"  time      1.10 ms, 95 % interval 1.00 ms to 1.20 ms\n"
		"  speed     1.82 TFLOP/s\n"
		"  occupancy 8 blocks of 192 threads on a multiprocessor, 75 %, limited by registers\n"
		"  baseline  2.20 ms; the winner is 2.00x as fast\n"
		"  verified  2 data sets, 5 different cases, guarded, host, racecheck\n"
		"  not run   memcheck, synccheck: the budget has no time for it; initcheck: it does not start\n"
		"  tried     120 of 3,000 configurations in 10s, 20 of them from the record\n"
		"       100  ok                  correct, and timed\n"
		"        12  wrong_result        differs from the reference; first: C[257] is 0, expected 3.1\n"
		"         8  compile_failed      does not compile\n"
		"  note      the time is known to +-9 % only: other programs ran on this machine, it depends on where memory lies, or there was no time for more blocks; an idle machine, or a longer --budget, may narrow the interval\n"
		"  next      #include \"results/toy.h\"\n");
	at_lanes_release(&lanes);
}

static void assert_summary_has(const struct scene *scene, const char *expected)
{
	struct at_strbuf out = { 0 };

	write_summary(scene, NULL, &out);
	if (!strstr(at_strbuf_text(&out), expected))
		fail_msg("expected\n%s\nin\n%s", expected, at_strbuf_text(&out));
	at_strbuf_release(&out);
}

static void sums_up_how_sure_the_gain_is(void **state)
{
	static const struct {
		double speedup, low, high;
		const char *text;
	} rows[] = {
		{ 2.5, 2.25, 2.75,
			"; the winner is 2.50x (95 % interval 2.25x to 2.75x) as fast\n" },
		{ 1.012, 1.0034, 1.0206,
			"; the winner is 1.012x (95 % interval 1.003x to 1.021x) as fast\n" },
		{ 2.5, 0, 0, "; the winner is 2.50x as fast\n" },
		/* of older records */
		{ 0.63, 0, 0, " us; the winner is not faster for sure\n" },
		{ 1.1, 0.9, 1.3, " ms; the winner is not faster for sure\n" },
	};
	struct scene *scene = *state;

	scene->event.kind = AT_EVENT_SUMMARY;
	scene->event.crown = &scene->crown;
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct at_strbuf out = { 0 };

		scene->crown = (struct at_crown){ .objective = &at_objective_time,
			.score = { 1000000, NAN, NAN },
			.speedup = rows[i].speedup,
			.speedup_low = rows[i].low,
			.speedup_high = rows[i].high };
		scene->crown.gains = (char *)gains;
		assert_summary_has(scene, rows[i].text);
		write_summary(scene, NULL, &out);
		assert_int_equal(
			strstr(at_strbuf_text(&out), "  gain ") != NULL, i < 3);
		at_strbuf_release(&out);
	}
}

/* right behind the winner, and again where the proof is told */
static void sums_up_what_the_winner_is_not_for(void **state)
{
	struct scene *scene = *state;
	struct at_proof proof = { .cases = 3,
		.data_sets = 2,
		.unfit = 2,
		.unfit_for = "N=99; N=101",
		.coverage = { "3 of 4 branches of the reference ran",
			"5 of 5 branches of the winner ran" } };

	scene->event.kind = AT_EVENT_SUMMARY;
	scene->event.crown = &scene->crown;
	for (int i = 0; i < 2; i++) {
		char *text;

		proof.reference_fails = i;
		text = at_proof_to_json(&proof);
		scene->crown = (struct at_crown){ .objective = &at_objective_time,
			.score = { 1000000, NAN, NAN },
			.speedup = 1,
			.proof = text };
		assert_summary_has(scene,
			i ? "CACHE=cg\n  not for   N=99; N=101: there the reference fails, so the winner is not verified; a \"domain\" in the space says for which sizes and scalars the kernel is meant\n  time "
			  : "CACHE=cg\n  not for   N=99; N=101: there the baseline is not right, so the winner is not verified; a \"domain\" in the space says for which sizes and scalars the kernel is meant\n  time ");
		assert_summary_has(scene,
			"  verified  2 data sets, 3 problems, but not for N=99; N=101\n"
			"  coverage  3 of 4 branches of the reference ran\n"
			"            5 of 5 branches of the winner ran\n");
		free(text);
	}
}

/* never as if it were for all contents, or as if vacuous cases had shown anything */
static void sums_up_what_was_not_verified(void **state)
{
	struct scene *scene = *state;
	struct at_proof proof = { .cases = 3,
		.data_sets = 2,
		.vacuous = 2,
		.vacuous_for = "N=1; N=2",
		.only_for = "rows, cols" };

	scene->event.kind = AT_EVENT_SUMMARY;
	scene->event.crown = &scene->crown;
	for (int i = 0; i < 2; i++) {
		char *text = at_proof_to_json(&proof);

		scene->crown = (struct at_crown){ .objective = &at_objective_time,
			.score = { 1000000, NAN, NAN },
			.speedup = 1,
			.proof = text };
		assert_summary_has(scene,
			i ? "  verified  for these contents of rows, cols only: there was nothing to compare\n"
			  : "  verified  for these contents of rows, cols only: 2 data sets, 3 problems\n");
		assert_summary_has(scene,
			"  not run   N=1; N=2: the expected outputs are one number, or what the buffers held before; other contents of rows, cols: \"data\" of verify, or a \"domain\", gives them\n");
		free(text);
		proof.cases = proof.data_sets = 0;
	}
}

static void sums_up_how_it_was_measured(void **state)
{
	static const struct {
		const char *json, *text;
	} rows[] = {
		{ "{\"blocks\": 6, \"samples\": 30, \"first_clock_hz\": 1980000000, "
		  "\"last_clock_hz\": 1965000000, \"repeated_rounds\": 0}",
			"  measured  30 samples in 6 blocks\n" },
		{ "{\"blocks\": 6, \"samples\": 12, \"first_clock_hz\": 1980000000, "
		  "\"last_clock_hz\": 1755000000, \"repeated_rounds\": 1, "
		  "\"throttled_rounds\": 2, \"empty_ns\": 1900, "
		  "\"clock_reasons\": \"heat\", \"set_clock_hz\": 1500000000}",
			"  measured  12 samples in 6 blocks; a kernel that does nothing takes 1.90 us; the clock went from 1.98 GHz to 1.75 GHz; clocks held by heat; clock set to at most 1.50 GHz; the board was held back in 1 round, taken again; the board was held back in 2 rounds that count\n" },
		{ "{\"blocks\": 6, \"samples\": 30, \"empty_ns\": 1900, \"graph_ns\": 2310, "
		  "\"empty_graph_ns\": 850, \"graph_off\": 0.02}",
			"  measured  30 samples in 6 blocks; a kernel that does nothing takes 1.90 us; in a graph 2.31 us a launch, and 850 ns of nothing\n" },
		{ "{\"blocks\": 6, \"samples\": 30, \"empty_ns\": 1900, \"ungated\": true}",
			"  measured  30 samples in 6 blocks; a kernel that does nothing takes 1.90 us; this driver begins launches before all are queued, so that these times have some of the host's in them\n" },
		{ "{\"blocks\": 6, \"samples\": 30, \"unmoved_blocks\": 5}",
			"  measured  30 samples in 6 blocks; in 5 blocks some memory stayed where it was (no room elsewhere?): another place may make more of a difference than the interval says\n" },
		/* launches that are long hide it */
		{ "{\"blocks\": 6, \"samples\": 30, \"ungated\": true}",
			"  measured  30 samples in 6 blocks\n" },
		{ "{\"blocks\": 6, \"samples\": 30, \"graph_ns\": 2310, \"graph_off\": -0.12}",
			"  measured  30 samples in 6 blocks; in a graph 2.31 us a launch: with the launch overhead taken off both, that is 12 % less than one by one; one of the two is not the time of the kernel\n" },
		{ "{", "" },
	};
	struct scene *scene = *state;

	scene->event.kind = AT_EVENT_SUMMARY;
	scene->event.crown = &scene->crown;
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		scene->crown = (struct at_crown){ .objective = &at_objective_time,
			.score = { 1000000, NAN, NAN },
			.measurement = (char *)rows[i].json,
			.speedup = 2 };
		assert_summary_has(scene, rows[i].text);
	}
}

static void says_that_a_few_configurations_are_no_search(void **state)
{
	struct scene *scene = *state;
	struct at_strbuf out = { 0 };

	scene->event.kind = AT_EVENT_SUMMARY;
	scene->progress.evaluated = 6;
	scene->progress.elapsed_seconds = 43;
	scene->progress.target_seconds = 40;
	/* five in ten seconds, so 194 more in 388 */
	scene->progress.reused = 0;
	scene->progress.first_seconds = 20;
	scene->progress.last_seconds = 30;
	assert_summary_has(scene,
		"\n  note      6 tried are too few to search this space; --budget 8m is time for 200 here\n");
	scene->progress.evaluated = 1;
	scene->progress.last_seconds = 20;
	assert_summary_has(scene,
		"\n  note      1 tried is too few to search this space: give it a longer --budget, such as 10m\n");
	scene->progress.evaluated = 60;
	write_summary(scene, NULL, &out);
	assert_null(strstr(at_strbuf_text(&out), "too few"));
	at_strbuf_release(&out);
}

static void sums_up_what_racing_may_have_missed(void **state)
{
	static const struct {
		uint64_t audited, finalists;
		const char *text;
	} rows[] = {
		{ 14, 0,
			"  racing    as a check, 14 dropped early were measured further: none would have reached the finals\n" },
		{ 1, 1, "  racing    as a check, 1 dropped early was measured further: 1 would have reached the finals\n" },
	};
	struct scene *scene = *state;
	struct at_strbuf out = { 0 };

	scene->event.kind = AT_EVENT_SUMMARY;
	write_summary(scene, NULL, &out);
	assert_null(strstr(at_strbuf_text(&out), "racing"));
	at_strbuf_release(&out);
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		scene->progress.audited = rows[i].audited;
		scene->progress.audited_finalists = rows[i].finalists;
		assert_summary_has(scene, rows[i].text);
	}
}

static void says_that_a_winner_is_not_proved(void **state)
{
	struct scene *scene = *state;
	struct at_strbuf out = { 0 };

	scene->event.kind = AT_EVENT_SUMMARY;
	scene->event.crown = &scene->crown;
	scene->crown = (struct at_crown){ .objective = &at_objective_time,
		.score = { 1000000, NAN, NAN },
		.speedup = 2,
		.is_unproved = true };
	write_summary(scene, NULL, &out);
	assert_non_null(strstr(at_strbuf_text(&out),
		"\n  verified  no: its run ended before finals and verification; the next run verifies it, or replaces it\n"));
	assert_non_null(strstr(at_strbuf_text(&out),
		"\n  next      run it again to verify the winner: without that, only --unverified writes a header\n"));
	at_strbuf_clear(&out);
	/* it was asked for */
	scene->event.header_path = "results/toy.h";
	write_summary(scene, NULL, &out);
	assert_null(strstr(at_strbuf_text(&out), "run it again"));
	assert_non_null(strstr(at_strbuf_text(&out), "  verified  no: "));
	at_strbuf_release(&out);
}

static void sums_up_why_the_winner_is_no_faster(void **state)
{
	static const char expected[] =
		"  time      1.00 ms\n"
		"  speed     2.00 TFLOP/s (50 % of the float FMA ceiling), 1.00 GB/s; 2000 flop/B, compute-bound (ridge at 4 flop/B)\n"
		"  occupancy 8 blocks of 192 threads on a multiprocessor, 75 %, limited by registers\n"
		"  baseline  2.00 ms; the winner is 2.00x as fast\n"
		"  gain      BLOCK 8 -> 16: 1.99x\n"
		"  verified  by an older version of autotune\n"
		"  tried     120 of";
	struct scene *scene = *state;
	struct at_strbuf out = { 0 };

	scene->event.kind = AT_EVENT_SUMMARY;
	scene->event.crown = &scene->crown;
	scene->event.ceilings = &ceilings;
	scene->event.bytes = 1e6;
	scene->crown = (struct at_crown){ .objective = &at_objective_time,
		.score = { 1000000, NAN, NAN },
		.speedup = 2 };
	scene->crown.gains = (char *)gains;
	write_summary(scene, NULL, &out);
	if (!strstr(at_strbuf_text(&out), expected))
		fail_msg("expected\n%s\nin\n%s", expected, at_strbuf_text(&out));
	assert_null(strchr(at_strbuf_text(&out), '\033'));
	at_strbuf_release(&out);
}

static void leaves_out_of_the_summary_what_is_not_known(void **state)
{
	struct scene *scene = *state;
	struct at_strbuf out = { 0 };

	scene->event.kind = AT_EVENT_SUMMARY;
	scene->event.flops = 0;
	scene->evaluation.facts.resident_blocks = -1;
	scene->evaluation.facts.occupancy = NAN;
	write_summary(scene, NULL, &out);
	assert_non_null(strstr(at_strbuf_text(&out), "  time      1.00 ms"));
	assert_null(strstr(at_strbuf_text(&out), "  speed "));
	assert_null(strstr(at_strbuf_text(&out), "  occupancy "));
	assert_null(strstr(at_strbuf_text(&out), "  gain "));
	at_strbuf_release(&out);
}

static void says_that_the_baseline_won(void **state)
{
	struct scene *scene = *state;
	struct at_strbuf out = { 0 };

	scene->event.kind = AT_EVENT_SUMMARY;
	scene->event.incumbent_configuration = scene->spec->defaults;
	write_summary(scene, NULL, &out);
	assert_non_null(strstr(at_strbuf_text(&out), "ms; it is the winner\n"));
	assert_null(strstr(at_strbuf_text(&out), "as fast"));
	at_strbuf_release(&out);
}

static void says_why_there_is_no_baseline(void **state)
{
	struct scene *scene = *state;
	struct at_strbuf out = { 0 };

	scene->event.kind = AT_EVENT_SUMMARY;
	scene->event.baseline = NULL;
	assert_true(scene->spec->has_defaults);
	write_summary(scene, NULL, &out);
	assert_non_null(strstr(at_strbuf_text(&out),
		"  baseline  none: the defaults were not tried, or did not pass\n"));
	at_strbuf_clear(&out);
	scene->spec->has_defaults = false;
	write_summary(scene, NULL, &out);
	assert_non_null(strstr(
		at_strbuf_text(&out), "  baseline  none: the space has no defaults\n"));
	at_strbuf_release(&out);
}

static void says_in_a_line_that_nothing_passed(void **state)
{
	struct scene *scene = *state;
	struct at_lanes lanes = { 0 };
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
	at_lanes_release(&lanes);
}

static void says_what_to_do_when_nothing_passed(void **state)
{
	struct scene *scene = *state;
	struct at_strbuf out = { 0 };

	scene->event.kind = AT_EVENT_SUMMARY;
	scene->event.incumbent = NULL;
	scene->event.baseline = NULL;
	scene->progress.by_outcome[AT_OUTCOME_OK] = 0;
	write_summary(scene, NULL, &out);
	assert_non_null(
		strstr(at_strbuf_text(&out), "none: no configuration passed\n"));
	assert_non_null(
		strstr(at_strbuf_text(&out), "  next      compare kernel and "));
	assert_null(strstr(at_strbuf_text(&out), "#include"));
	assert_null(strstr(at_strbuf_text(&out), "stride over its grid"));
	/* a reference without a launch of its own may have left most of its inputs out
	 */
	scene->spec->reference.kind = AT_REFERENCE_KERNEL;
	at_strbuf_clear(&out);
	write_summary(scene, NULL, &out);
	assert_non_null(strstr(at_strbuf_text(&out),
		"how close is close enough; the reference runs in as many threads as the largest output has elements: if it does not stride over its grid, give it \"block\" and \"grid\"\n"));
	scene->spec->reference.call.launch.block_rank = 1;
	scene->spec->reference.call.launch.grid_rank = 1;
	at_strbuf_clear(&out);
	write_summary(scene, NULL, &out);
	assert_null(strstr(at_strbuf_text(&out), "stride over its grid"));
	at_strbuf_release(&out);
}

/* the finals may find the best one wrong: then it is no winner any more */
static void never_calls_a_refused_incumbent_the_winner(void **state)
{
	struct scene *scene = *state;
	struct at_best best;

	scene->event.kind = AT_EVENT_SUMMARY;
	assert_true(at_event_best(&scene->event, &best));
	scene->evaluation.outcome = AT_OUTCOME_WRONG_RESULT;
	assert_false(at_event_best(&scene->event, &best));
	assert_null(best.configuration);
	scene->baseline.outcome = AT_OUTCOME_CRASHED;
	assert_true(isnan(at_event_baseline(&scene->event)));
}

#define SCENE_TEST(name) cmocka_unit_test_setup_teardown(name, make_scene, drop_scene)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_counts_with_separators),
		cmocka_unit_test(writes_rates_with_three_digits),
		cmocka_unit_test(writes_seconds_as_people_say_them),
		cmocka_unit_test(writes_bytes_speedups_intervals_and_dates),
		cmocka_unit_test(turns_recorded_configurations_into_words),
		cmocka_unit_test(cuts_lines_to_the_terminal),
		cmocka_unit_test(
			folds_lines_at_words_below_the_last_cell_of_their_left_half),
		cmocka_unit_test(tells_of_a_configuration_what_is_not_the_baselines),
		cmocka_unit_test(wraps_words_and_keeps_indented_lines),
		cmocka_unit_test(lets_no_text_drive_the_terminal),
		cmocka_unit_test(lays_out_tables_as_text_and_as_markdown),
		cmocka_unit_test(colours_and_wraps_entries_only_when_asked),
		SCENE_TEST(puts_typed_configurations_into_json),
		SCENE_TEST(names_the_instance_of_a_template_in_json),
		SCENE_TEST(gives_no_time_of_what_failed),
		SCENE_TEST(tells_the_incumbent_with_its_speedup),
		SCENE_TEST(tells_the_crown_in_the_summary),
		SCENE_TEST(tells_limits_and_gains_in_the_summary),
		SCENE_TEST(tells_what_is_done_from_now_on),
		SCENE_TEST(says_nothing_in_json_of_mere_talk),
		SCENE_TEST(draws_the_status_of_a_lane),
		SCENE_TEST(lets_the_time_budget_end_it_first),
		SCENE_TEST(names_the_parameter_that_makes_results_wrong),
		SCENE_TEST(keeps_devices_apart),
		SCENE_TEST(says_in_lines_what_a_run_waits_for),
		SCENE_TEST(says_no_line_of_what_the_display_shows_or_nobody_wants),
		SCENE_TEST(sums_up_the_winner_and_the_reasons_of_the_rest),
		SCENE_TEST(sums_up_how_sure_the_gain_is),
		SCENE_TEST(sums_up_what_the_winner_is_not_for),
		SCENE_TEST(sums_up_what_was_not_verified),
		SCENE_TEST(sums_up_how_it_was_measured),
		SCENE_TEST(says_that_a_few_configurations_are_no_search),
		SCENE_TEST(sums_up_what_racing_may_have_missed),
		SCENE_TEST(says_that_a_winner_is_not_proved),
		SCENE_TEST(sums_up_why_the_winner_is_no_faster),
		SCENE_TEST(leaves_out_of_the_summary_what_is_not_known),
		SCENE_TEST(says_that_the_baseline_won),
		SCENE_TEST(says_why_there_is_no_baseline),
		SCENE_TEST(says_in_a_line_that_nothing_passed),
		SCENE_TEST(says_what_to_do_when_nothing_passed),
		SCENE_TEST(never_calls_a_refused_incumbent_the_winner),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
