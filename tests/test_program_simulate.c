/* The executable on recordings: `autotune simulate`, and --device replay:FILE, also in
   shares. */
#include "executable.h"

#include <math.h>
#include <unistd.h>

#include "suite.h"

/* 12 configurations; the fastest has BLOCK = 128 and UNROLL = 2 */
static void write_recording(const char *name)
{
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	const char *separator = "";

	at_strbuf_add(&text,
		"{\"kernel_name\": \"scale\", \"device_name\": \"A board\", \"tune_params_keys\": [\"BLOCK\", \"UNROLL\"], \"cache\": {");
	for (int block = 32; block <= 256; block *= 2)
		for (int unroll = 1; unroll <= 4; unroll *= 2) {
			at_strbuf_addf(&text,
				"%s\"%d,%d\": {\"BLOCK\": %d, \"UNROLL\": %d, \"time\": %s, \"times\": [%g, %g], \"compile_time\": 200, \"benchmark_time\": 50}",
				separator, block, unroll, block, unroll,
				block == 256 && unroll == 4 ? "\"RuntimeFailedConfig\""
				: block == 128 && unroll == 2 ? "0.5"
							      : "1.5",
				block == 128 && unroll == 2 ? 0.5 : 1.5,
				block == 128 && unroll == 2 ? 0.5 : 1.5);
			separator = ",";
		}
	at_strbuf_add(&text, "}}");
	executable_write(name, at_strbuf_text(&text));
}

TEST_WITH(simulate_gives_figures_per_recording_and_strategy, executable_begin,
	executable_end)
{
	RELEASED(executable_drop) struct executable_outcome outcome;
	struct at_json *line;
	const struct at_json *fraction;

	write_recording("a.json");
	write_recording("b.json");
	outcome = executable_run(
		"simulate a.json b.json --strategy random,exhaustive --repeats 7 --in-flight 3 --json");
	assert_int_equal(outcome.code, 0);
	assert_string_equal(outcome.err, "");
	/* two recordings by two strategies, and two totals */
	assert_int_equal(executable_count_lines(outcome.out), 6);
	line = executable_json_line(outcome.out, 1);
	assert_string_equal(at_json_text(at_json_get(line, "recording")), "a.json");
	assert_string_equal(at_json_text(at_json_get(line, "strategy")), "exhaustive");
	assert_string_equal(at_json_text(at_json_get(line, "kernel")), "scale");
	assert_int_equal(at_json_whole(at_json_get(line, "repeats"), 0), 7);
	assert_int_equal(at_json_whole(at_json_get(line, "in_flight"), 0), 3);
	assert_float_equal(
		at_json_number(at_json_get(line, "optimum_ns"), 0), 5e5, 1e-3);
	fraction = at_json_get(line, "fraction");
	/* in the order of the file it is the eighth */
	assert_float_equal(at_json_number(at_json_get(fraction, "10"), 0), 1, 1e-9);
	assert_float_equal(at_json_number(at_json_get(fraction, "200"), 0), 1, 1e-9);
	assert_true(isfinite(at_json_number(at_json_get(line, "area"), NAN)));
	assert_int_equal(at_json_count(at_json_get(line, "area_interval")), 2);
	/* all was measured, and each has one time and no samples */
	assert_float_equal(
		at_json_number(
			at_json_get(at_json_get(line, "gap"), "exploration"), NAN),
		0, 0);
	assert_float_equal(
		at_json_number(at_json_get(at_json_get(line, "gap"), "selection"), NAN),
		0, 0);
	at_json_free(line);
	line = executable_json_line(outcome.out, 5);
	assert_string_equal(
		at_json_text(at_json_get(line, "event")), "simulation_total");
	assert_int_equal(at_json_whole(at_json_get(line, "recordings"), 0), 2);
	at_json_free(line);
}

TEST_WITH(a_trace_holds_every_evaluation_in_its_order, executable_begin, executable_end)
{
	struct executable_outcome outcome;
	struct at_json *line;
	double best = INFINITY;
	OWNED(free) char *trace, *plot;

	write_recording("a.json");
	outcome = executable_run(
		"simulate a.json --strategy random --repeats 3 --evaluations 12 --trace t.jsonl --plot p.svg");
	assert_int_equal(outcome.code, 0);
	assert_non_null(strstr(outcome.out,
		"a: scale on A board, 12 configurations; 1 failed; best 500 us"));
	executable_drop(&outcome);
	trace = executable_read("t.jsonl");
	assert_int_equal(executable_count_lines(trace), 36);
	for (size_t i = 0; i < 12; i++) {
		double cost;

		line = executable_json_line(trace, 12 + i);
		assert_int_equal(at_json_whole(at_json_get(line, "repeat"), -1), 1);
		assert_int_equal(
			at_json_whole(at_json_get(line, "n"), 0), (int64_t)i + 1);
		cost = at_json_number(at_json_get(line, "cost"), INFINITY);
		/* null of what failed */
		assert_int_equal(
			isinf(cost), !strcmp(at_json_text(at_json_get(line, "outcome")),
					     "launch_failed"));
		best = fmin(best, cost);
		assert_float_equal(at_json_number(at_json_get(line, "best"), INFINITY),
			best, 1e-3);
		assert_true(
			at_json_whole(at_json_get(at_json_get(line, "configuration"),
					      "BLOCK"),
				0) >= 32);
		at_json_free(line);
	}
	assert_float_equal(best, 5e5, 1e-3);
	plot = executable_read("p.svg");
	assert_memory_equal(plot, "<svg ", 5);
	assert_non_null(strstr(plot, ">random, area "));
	assert_non_null(strstr(plot, "</svg>\n"));
}

/* Files that say little, and what is told of them beside the figures. */
TEST_WITH(
	simulate_tells_what_a_recording_was_and_lacks, executable_begin, executable_end)
{
	static const struct {
		const char *text;
		const char *out;
		const char *err;
	} cases[] = {
		{ "A,time_ns\n1,2e6\n", "b: 1 configuration; best 2.00 ms\n<...>", "" },
		{ "A,device,time_ns\n1,x,2e6\n2,x,3e6\n",
			"b: on x, 2 configurations; best 2.00 ms\n<...>", "" },
		{ "A,time_ns\n1,2e6\n1,3e6\n2,\n",
			"b: 2 configurations; 1 failed; best 3.00 ms\n<...>",
			"autotune: b.csv: left out, since a later one has the same configuration: 1\n" },
		{ "{\"tune_params\": {\"A\": [1]}, \"objective\": [\"GFLOP/s\"], \"kernel_name\": \"k\", \"cache\": {\"1\": {\"A\": 1, \"time\": 2, \"GFLOP/s\": 7}, \"2\": {\"A\": 2, \"__error__\": \"InvalidConfig\"},",
			"b: k, 2 configurations; 1 failed; best 2.00 ms; the file ends too early\n<...>",
			"autotune: b.csv: was tuned for \"GFLOP/s\"; here only its times count\n" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		executable_write("b.csv", cases[i].text);
		executable_expect("simulate b.csv --strategy random --repeats 1", 0,
			cases[i].out, cases[i].err);
	}
}

TEST_WITH(simulate_says_what_it_cannot_do, executable_begin, executable_end)
{
	static const struct {
		const char *line;
		int code;
		const char *err;
	} cases[] = {
		{ "simulate", 2, "<...>RECORDING<...>" },
		{ "simulate none.json", 1,
			"<...>autotune: none.json: cannot read it: No such file or directory\n<...>" },
		{ "simulate planted:none", 1,
			"<...>autotune: unknown kind of planted space \"none\"<...>" },
		{ "simulate a.json --strategy random,randon", 2,
			"<...>unknown strategy \"randon\"; did you mean \"random\"?<...>" },
		{ "simulate a.json --strategy random,speed=2 --repeats 1", 2,
			"<...>autotune: --strategy: strategy \"random\" takes no options, found \"speed=2\"\n<...>" },
		{ "simulate a.json --trace none/t.jsonl --repeats 1", 1,
			"<...>autotune: none/t.jsonl: cannot write it: No such file or directory\n<...>" },
	};

	write_recording("a.json");
	for (size_t i = 0; i < AT_COUNT_OF(cases); i++)
		executable_expect(cases[i].line, cases[i].code, NULL, cases[i].err);
}

static const char space[] =
	"kernel: { name = \"scale\"; template = \"scale.cu\"; reference = \"plain\"; };\n"
	"problems = ( { name = \"p\"; N = 64; }, { name = \"q\"; N = 32; } );\n"
	"parameters: { UNROLL = [ 4, 2, 1 ]; BLOCK = [ 32, 64, 128, 256, 512 ]; };\n"
	"defaults: { UNROLL = 1; BLOCK = 32; };\n"
	"launch: { block = ( \"BLOCK\" ); grid = ( \"N\" ); };\n"
	"arguments = ( { name = \"x\"; type = \"float\"; count = \"N\"; access = \"out\"; } );\n";

/* an hour in virtual time; nothing is compiled and nothing is launched */
TEST_WITH(tune_takes_a_recording_for_a_device, executable_begin, executable_end)
{
	struct executable_outcome outcome;
	struct at_json *line;

	write_recording("a.json");
	executable_write("scale.cfg", space);
	executable_write("scale.cu",
		"__global__ void scale(float *x) {}\n__global__ void plain(float *x) {}\n");
	executable_expect("scale.cfg --device replay:a.json --budget 1h", 1, NULL,
		"autotune: scale.cfg: has 2 problems, and a recording is of one: choose it with --problem\n");
	outcome = executable_run(
		"scale.cfg --device replay:a.json --problem p --budget 1h --json --quiet");
	assert_int_equal(outcome.code, 0);
	line = executable_json_line(
		outcome.out, executable_count_lines(outcome.out) - 2);
	assert_string_equal(at_json_text(at_json_get(line, "event")), "summary");
	assert_string_equal(at_json_text(at_json_get(line, "device")), "replay:a");
	at_json_free(line);
	/* 15; three of them were not recorded */
	line = executable_json_line(
		outcome.out, executable_count_lines(outcome.out) - 1);
	assert_int_equal(at_json_whole(at_json_get(line, "evaluated"), 0), 15);
	assert_int_equal(at_json_whole(at_json_get(line, "winners"), 0), 1);
	at_json_free(line);
	executable_drop(&outcome);
	executable_expect("results scale", 0,
		"<...>replay of A board<...>  UNROLL=2 BLOCK=128\n<...>is not in the recording a<...>",
		NULL);
}

/* the lines of evaluations: which of the 15 were tried, by their values */
static void note_tried(const char *out, unsigned *tried)
{
	for (size_t i = 0; i < executable_count_lines(out); i++) {
		OWNED(at_json_free) struct at_json *line = executable_json_line(out, i);
		const struct at_json *configuration =
			at_json_get(line, "configuration");
		const char *event = at_json_text(at_json_get(line, "event"));

		if (event && !strcmp(event, "evaluation")) {
			int64_t block =
				at_json_whole(at_json_get(configuration, "BLOCK"), 0);
			int64_t unroll =
				at_json_whole(at_json_get(configuration, "UNROLL"), 0);

			assert_true(block <= 512 && unroll <= 4);
			tried[(unroll >> 1) * 16 + block / 32 - 1]++;
		}
	}
}

TEST_WITH(shares_of_a_space_are_tried_apart, executable_begin, executable_end)
{
	unsigned tried[3 * 16] = { 0 }, all = 0;
	struct executable_outcome outcome;
	char command[128];
	OWNED(free) char *path;

	write_recording("a.json");
	executable_write("scale.cfg", space);
	executable_write("scale.cu",
		"__global__ void scale(float *x) {}\n__global__ void plain(float *x) {}\n");
	for (int share = 1; share <= 4; share++) {
		snprintf(command, sizeof(command),
			"scale.cfg --device replay:a.json --problem p --budget 1h --shard %d/4 --json",
			share);
		outcome = executable_run(command);
		assert_int_equal(outcome.code, 0);
		snprintf(command, sizeof(command),
			"autotune: share %d of 4: of scale, p part %d of 4 of the space; its record is in results/shards/scale-",
			share, share);
		assert_non_null(strstr(outcome.err, command));
		note_tried(outcome.out, tried);
		executable_drop(&outcome);
	}
	/* the baseline in each of them, all others in one; no file is written */
	assert_int_equal(tried[0], 4);
	for (size_t i = 1; i < 3 * 16; i++) {
		assert_true(tried[i] <= 1);
		all += tried[i];
	}
	assert_int_equal(all, 14);
	path = executable_path("results/autotune.db");
	assert_int_not_equal(access(path, F_OK), 0);
	/* the same share again finds its record */
	executable_expect(
		"scale.cfg --device replay:a.json --problem p --budget 1h --shard 2/4",
		0,
		"<...>tried     5 of 15 configurations<...>5 of them from the record<...>",
		NULL);
}

TEST_WITH(a_share_is_refused_where_it_makes_no_sense, executable_begin, executable_end)
{
	static const struct {
		const char *line;
		int code;
		const char *err;
	} cases[] = {
		{ "scale.cfg --shard 5/4", 2,
			"<...>autotune: --shard: expected slurm, or which share of how many as in --shard 3/8, found \"5/4\"<...>" },
		{ "scale.cfg --shard slurm", 2,
			"<...>--shard slurm: SLURM_JOB_ID is not set<...>" },
		{ "scale.cfg --shard 1/4 --portfolio 5%", 2,
			"<...>--portfolio needs all problems<...>" },
	};

	unsetenv("SLURM_JOB_ID");
	executable_write("scale.cfg", space);
	for (size_t i = 0; i < AT_COUNT_OF(cases); i++)
		executable_expect(cases[i].line, cases[i].code, NULL, cases[i].err);
}

RUN_SUITE(NULL, NULL)
