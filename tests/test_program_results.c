/* The executable on a record with occupancy, ceilings and gains, old and new rows. */
#include "base/file.h"
#include "base/memory.h"
#include "executable.h"
#include "record/sqlite.h"
#include "record/store.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- the record ------------------------------------------------------------- */

struct record {
	struct at_store *store;
	int64_t device_id;
	int64_t run_id;
	uint64_t keys; /* given out */
};

static void use_device(struct record *record, const char *kind, const char *model,
	const char *slug, const char *architecture)
{
	struct at_record_device device = {
		.kind = (char *)kind,
		.model = (char *)model,
		.slug = (char *)slug,
		.architecture = (char *)architecture,
		.driver = "580.1",
		.uuid = "",
	};
	struct at_error err = { 0 };

	assert_int_equal(
		at_store_put_device(record->store, &device, &record->device_id, &err),
		AT_OK);
	assert_int_equal(at_store_begin_run(record->store, record->device_id, "toy",
				 "random", 0, "1", &record->run_id, &err),
		AT_OK);
}

/* As it was before the record knew more than times and registers. */
static struct at_evaluation old_evaluation(
	const char *problem, const char *configuration, double time_ns)
{
	return (struct at_evaluation){
		.space = "toy",
		.problem = (char *)problem,
		.problem_json = "{}",
		.configuration = (char *)configuration,
		.outcome = isnan(time_ns) ? AT_OUTCOME_WRONG_RESULT : AT_OUTCOME_OK,
		.detail = "",
		.log = "",
		.time_ns = time_ns,
		.low_ns = 0.9 * time_ns,
		.high_ns = 1.1 * time_ns,
		.facts.registers = 31,
		.facts.spill_store_bytes = 0,
		.facts.spill_load_bytes = 0,
		.facts.shared_bytes = 8192,
		.facts.threads_per_block = 256,
		.facts.blocks = 1000,
		.facts.resident_blocks = -1,
		.facts.occupancy = NAN,
		.flops = NAN,
		.bytes = NAN,
		.max_relative_error = NAN,
	};
}

static struct at_evaluation evaluation(const char *problem, const char *configuration,
	double time_ns, double flops, double bytes)
{
	struct at_evaluation out = old_evaluation(problem, configuration, time_ns);

	out.facts.resident_blocks = 8;
	out.facts.occupancy = 1;
	strcpy(out.facts.limiting_factor, "threads");
	out.flops = flops;
	out.bytes = bytes;
	return out;
}

static int64_t add(struct record *record, struct at_evaluation evaluation)
{
	struct at_error err = { 0 };

	evaluation.key = (struct at_hash){ ++record->keys, 0 };
	evaluation.run_id = record->run_id;
	evaluation.device_id = record->device_id;
	assert_int_equal(at_store_add(record->store, &evaluation, &err), AT_OK);
	return evaluation.id;
}

static void crown(struct record *record, const char *problem, int64_t winner,
	int64_t baseline, double time_ns, double speedup, const char *gains)
{
	struct at_crown crown = {
		.device_id = record->device_id,
		.space = "toy",
		.problem = (char *)problem,
		.evaluation_id = winner,
		.baseline_id = baseline,
		.objective = &at_objective_time,
		.score = { time_ns, NAN, NAN },
		.speedup = speedup,
		.toolchain = "NVRTC 13.0",
		.driver = "580.1",
		.source_hash = "00",
		.metrics = "{\"flops\": 1e9, \"bytes\": 1e9}",
		.launch = "{}",
		.options = "[]",
		.gains = (char *)gains,
	};
	struct at_error err = { 0 };

	assert_int_equal(at_store_put_crown(record->store, &crown, &err), AT_OK);
}

#define COMPUTE_GAINS \
	"[{\"to\": {\"M\": 8, \"N\": 8}, \"from\": {\"M\": 1, \"N\": 1}, " \
	"\"time_ns\": 4e6, \"share\": 0.93}, " \
	"{\"to\": {\"PAD\": 4}, \"from\": {\"PAD\": 0}, " \
	"\"time_ns\": 3.2e6, \"share\": 0.062}, " \
	"{\"to\": {\"LDG\": true}, \"from\": {\"LDG\": false}, " \
	"\"time_ns\": 3.12e6, \"share\": 0.008}]"
#define BAR_GAINS \
	"[{\"to\": {\"L\": \"s|a\"}, \"from\": {\"L\": \"aos\"}, " \
	"\"time_ns\": 1, \"share\": 1.0}]"

static void fill_h200(struct record *record)
{
	struct at_record_ceilings ceilings = {
		.ceilings = { 4.25e12, 60e12, 30e12 },
		.driver = "580.2",
		.created_seconds = 1763715900,
	};
	struct at_evaluation winner = evaluation("bars|2", "{\"A\": 2}", 2.5e5, 1, 1);
	struct at_error err = { 0 };
	int64_t baseline;

	use_device(record, "cuda", "NVIDIA H200", "nvidia-h200", "sm_90");
	assert_int_equal(at_store_put_ceilings(
				 record->store, record->device_id, &ceilings, &err),
		AT_OK);
	baseline = add(record,
		evaluation("compute", "{\"A\": 1}", 26.4e6, 137438953472, 201326592));
	crown(record, "compute",
		add(record, evaluation("compute", "{\"A\": 2}", 3.12e6, 137438953472,
				    201326592)),
		baseline, 3.2e6, 8.25, COMPUTE_GAINS);
	add(record, evaluation("compute", "{\"A\": 3}", NAN, 137438953472, 201326592));
	winner.is_double = true;
	winner.flops = 134217728;
	winner.bytes = 1073741824;
	crown(record, "bars|2", add(record, winner), 0, 2.5e5, NAN, BAR_GAINS);
	/* measured again, the winner is another row with the same configuration */
	baseline = add(record, old_evaluation("same", "{\"A\": 1}", 1e6));
	crown(record, "same",
		add(record, evaluation("same", "{\"A\": 1}", 1e6, 0, 2.125e3)),
		baseline, 1e6, 1, "[]");
	baseline = add(record, old_evaluation("unasked", "{\"A\": 1}", 2e6));
	crown(record, "unasked",
		add(record, old_evaluation("unasked", "{\"A\": 2}", 1e6)), baseline,
		1e6, 2, "");
	add(record, old_evaluation("void", "{\"A\": 1}", NAN));
}

static void fill_h100(struct record *record)
{
	int64_t baseline;

	use_device(record, "cuda", "NVIDIA H100", "nvidia-h100", "sm_90");
	baseline = add(record, evaluation("compute", "{\"A\": 1}", 5e6, 8e9, 2e9));
	crown(record, "compute",
		add(record, evaluation("compute", "{\"A\": 2}", 4e6, 8e9, 2e9)),
		baseline, 4e6, 1.25, "[]");
}

static void fill_host(struct record *record)
{
	struct at_evaluation winner = evaluation("mini", "{\"A\": 2}", 1e6, 8e9, 2e9);
	int64_t baseline;

	use_device(record, "host", "A|B CPU", "a-b-cpu", "x86_64");
	winner.facts.registers = winner.facts.resident_blocks = -1;
	winner.facts.occupancy = NAN;
	strcpy(winner.facts.limiting_factor, "");
	baseline = add(record, evaluation("mini", "{\"A\": 1}", 5e6, 8e9, 2e9));
	crown(record, "mini", add(record, winner), baseline, 1e6, 5, "");
}

static int make_record(void **state)
{
	struct record record = { 0 };
	struct at_error err = { 0 };
	char *directory;

	(void)state;
	executable_begin();
	directory = executable_path("results");
	assert_int_equal(at_store_open(directory, &record.store, &err), AT_OK);
	fill_h200(&record);
	fill_h100(&record);
	fill_host(&record);
	at_store_close(record.store);
	free(directory);
	return 0;
}

static void assert_prints(const char *line, const char *expected)
{
	struct executable_outcome outcome = executable_run(line);

	if (outcome.code || strcmp(outcome.out, expected))
		fail_msg("autotune %s: exit code %d, expected\n%s\nnot\n%s%s", line,
			outcome.code, expected, outcome.out, outcome.err);
	executable_drop(&outcome);
}

/* ---- text ------------------------------------------------------------------- */

static void shows_why_the_winner_is_no_faster(void **state)
{
	(void)state;
	assert_prints("results --device nvidia-h200 --problem compute",
		"toy, compute on NVIDIA H200 (nvidia-h200, sm_90)\n"
		"  winner    3.20 ms, 8.25x over the baseline, recorded 1970-01-01 00:00 UTC\n"
		"            A=2\n"
		"  resources 31 registers, 8 KiB shared; 8 blocks of 256 threads on a multiprocessor, occupancy 100 %, limited by threads\n"
		"  speed     42.9 TFLOP/s, 72 % of the float FMA ceiling; 683 flop/B, compute-bound (ridge at 14.1 flop/B)\n"
		"  gain      M 1 -> 8 with N 1 -> 8: 7.12x; PAD 0 -> 4: 1.14x; the rest: 1.02x\n"
		"  verified  by an older version of autotune\n"
		"         2  ok                  correct, and timed\n"
		"         1  wrong_result        differs from the reference\n"
		"    time       95 % interval           speed-up  of ceiling  occupancy  configuration\n"
		"  * 3.12 ms    2.81 ms to 3.43 ms      8.46x     73 %        100 %      A=2\n"
		"    26.4 ms    23.8 ms to 29.0 ms      1.00x     9 %         100 %      the baseline\n"
		"    wrong_result                                             100 %      A=3\n"
		"\n");
}

static void leaves_out_what_an_older_record_does_not_know(void **state)
{
	(void)state;
	/* whether its operations are on doubles, it does not know either */
	assert_prints("results --problem unasked",
		"toy, unasked on NVIDIA H200 (nvidia-h200, sm_90)\n"
		"  winner    1.00 ms, 2.00x over the baseline, recorded 1970-01-01 00:00 UTC\n"
		"            A=2\n"
		"  resources 31 registers, 8 KiB shared\n"
		"  speed     1.00 TFLOP/s, 1.00 TB/s; 1 flop/B\n"
		"  verified  by an older version of autotune\n"
		"         2  ok                  correct, and timed\n"
		"    time       95 % interval           speed-up  configuration\n"
		"  * 1.00 ms    900 us to 1.10 ms       2.00x     A=2\n"
		"    2.00 ms    1.80 ms to 2.20 ms      1.00x     the baseline\n"
		"\n");
}

static void says_once_how_to_get_the_ceilings(void **state)
{
	static const char hint[] =
		"\nrun \"autotune devices\" once: it measures the ceilings that these are compared with\n";
	static const struct {
		const char *line;
		bool hints;
	} rows[] = {
		{ "results", true },
		{ "results --device nvidia-h100", true },
		{ "results --device nvidia-h200", false },
		{ "results --device host", true },
	};

	(void)state;
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct executable_outcome outcome = executable_run(rows[i].line);
		const char *found = strstr(outcome.out, hint);

		assert_int_equal(outcome.code, 0);
		if ((found != NULL) != rows[i].hints)
			fail_msg("autotune %s:\n%s", rows[i].line, outcome.out);
		/* at the end, and so only once */
		if (found)
			assert_string_equal(found, hint);
		executable_drop(&outcome);
	}
}

/* ---- the table -------------------------------------------------------------- */

#define HEAD(device) \
	"| space | problem | " device "baseline | winner | speed-up | rate " \
	"| of the ceiling | what mattered |\n"

static void makes_a_table_of_several_devices(void **state)
{
	(void)state;
	assert_prints("results --table",
		HEAD("device | ") "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"
				  "| `toy` | bars\\|2 | nvidia-h200 | - | 250 us | - | 4.29 TB/s | 101 % | `L` aos -> s\\|a |\n"
				  "| `toy` | compute | nvidia-h100 | 5.00 ms | 4.00 ms | 1.25x | 2.00 TFLOP/s, 500 GB/s | - | nothing: the winner is no faster than the baseline |\n"
				  "| `toy` | compute | nvidia-h200 | 26.4 ms | 3.20 ms | 8.25x | 42.9 TFLOP/s | 72 % | `M` 1 -> 8 with `N` 1 -> 8: 7.12x; `PAD` 0 -> 4: 1.14x; the rest: 1.02x |\n"
				  "| `toy` | mini | a-b-cpu | 5.00 ms | 1.00 ms | 5.00x | 8.00 TFLOP/s, 2.00 TB/s | - | not looked into |\n"
				  "| `toy` | same | nvidia-h200 | 1.00 ms | 1.00 ms | 1.00x | 2.12 MB/s | <0.1 % | nothing: the baseline is the winner |\n"
				  "| `toy` | unasked | nvidia-h200 | 2.00 ms | 1.00 ms | 2.00x | 1.00 TFLOP/s, 1.00 TB/s | - | not looked into |\n"
				  "| `toy` | void | nvidia-h200 | - | - | - | - | - | nothing: there is no winner |\n"
				  "\n"
				  "- NVIDIA H200 (nvidia-h200, sm_90), driver 580.2; ceilings: copy 4.25 TB/s, float FMA 60.0 TFLOP/s, double FMA 30.0 TFLOP/s\n"
				  "- NVIDIA H100 (nvidia-h100, sm_90), driver 580.1; ceilings: not measured\n"
				  "- A\\|B CPU (a-b-cpu, x86_64), driver 580.1; ceilings: not measured\n");
}

static void makes_a_table_of_one_device_without_naming_it_in_each_row(void **state)
{
	(void)state;
	assert_prints("results toy --table --device nvidia-h100",
		HEAD("") "| --- | --- | --- | --- | --- | --- | --- | --- |\n"
			 "| `toy` | compute | 5.00 ms | 4.00 ms | 1.25x | 2.00 TFLOP/s, 500 GB/s | - | nothing: the winner is no faster than the baseline |\n"
			 "\n"
			 "- NVIDIA H100 (nvidia-h100, sm_90), driver 580.1; ceilings: not measured\n");
}

static void refuses_what_has_no_place_in_the_table(void **state)
{
	static const struct {
		const char *line;
		const char *text;
	} rows[] = {
		{ "results --table --json",
			"autotune: --table and --json exclude each other\n" },
		{ "results --top 3 --table toy",
			"autotune: --table and --top exclude each other\n" },
	};

	(void)state;
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct executable_outcome outcome = executable_run(rows[i].line);

		assert_int_equal(outcome.code, 2);
		assert_string_equal(outcome.out, "");
		assert_string_equal(outcome.err, rows[i].text);
		executable_drop(&outcome);
	}
}

/* ---- JSON ------------------------------------------------------------------- */

/* "bound", what is under it as JSON */
struct member {
	const char *key;
	const char *text;
};

static void assert_members(
	const struct at_json *object, const struct member *members, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct at_json *value = at_json_get(object, members[i].key);
		struct at_strbuf text = { 0 };

		if (!value)
			fail_msg("no %s", members[i].key);
		at_json_write(value, 0, &text);
		if (strcmp(at_strbuf_text(&text), members[i].text))
			fail_msg("%s is %s, not %s", members[i].key,
				at_strbuf_text(&text), members[i].text);
		at_strbuf_release(&text);
	}
}

static void tells_limits_and_gains_in_json(void **state)
{
	static const struct member of_row[] = { { "registers", "31" },
		{ "spill_store_bytes", "0" }, { "spill_load_bytes", "0" },
		{ "shared_bytes", "8192" }, { "threads_per_block", "256" },
		{ "blocks", "1000" }, { "resident_blocks", "8" },
		{ "occupancy", "1.0" }, { "limiting_factor", "\"threads\"" },
		{ "flops", "134217728.0" }, { "bytes", "1073741824.0" },
		{ "intensity", "0.125" }, { "flops_per_second", "536870912000.0" },
		{ "bytes_per_second", "4294967296000.0" },
		{ "ceiling_fraction", "1.01058054023529" },
		{ "bound", "\"memory-bound\"" } };
	static const struct member of_winner[] = {
		{ "speedup", "null" }, { "occupancy", "1.0" },
		{ "bound", "\"memory-bound\"" },
		{ "gains",
			"[{\"to\": {\"L\": \"s|a\"}, \"from\": {\"L\": \"aos\"}, \"time_ns\": 1, \"share\": 1.0}]" }
	};
	static const struct member of_group[] = {
		{ "ceilings",
			"{\"copy_bytes_per_second\": 4250000000000.0, \"float_flops_per_second\": 60000000000000.0, \"double_flops_per_second\": 30000000000000.0, \"ridge\": 14.1176470588235, \"driver\": \"580.2\", \"created_seconds\": 1763715900}" }
	};
	struct executable_outcome outcome =
		executable_run("results --json --problem bars|2");
	struct at_json *line = executable_json_line(outcome.out, 0);
	const struct at_json *rows = at_json_get(line, "evaluations");

	(void)state;
	assert_members(at_json_at(rows, 0), of_row, AT_COUNT_OF(of_row));
	assert_members(at_json_get(line, "winner"), of_winner, AT_COUNT_OF(of_winner));
	assert_members(line, of_group, AT_COUNT_OF(of_group));
	at_json_free(line);
	executable_drop(&outcome);
}

static void tells_null_in_json_for_what_is_not_known(void **state)
{
	static const struct member of_row[] = { { "resident_blocks", "null" },
		{ "occupancy", "null" }, { "limiting_factor", "null" },
		{ "flops", "null" }, { "bytes", "null" }, { "intensity", "null" },
		{ "flops_per_second", "null" }, { "bytes_per_second", "null" },
		{ "ceiling_fraction", "null" }, { "bound", "null" } };
	static const struct member of_winner[] = { { "occupancy", "null" },
		/* its crown knows what a launch does */
		{ "bytes_per_second", "1000000000000.0" }, { "bound", "null" },
		{ "gains", "null" } };
	static const struct member of_group[] = { { "ceilings", "null" } };
	struct executable_outcome outcome =
		executable_run("results --json --problem unasked");
	struct at_json *line = executable_json_line(outcome.out, 0);
	const struct at_json *rows = at_json_get(line, "evaluations");

	(void)state;
	assert_members(at_json_at(rows, 0), of_row, AT_COUNT_OF(of_row));
	assert_members(at_json_get(line, "winner"), of_winner, AT_COUNT_OF(of_winner));
	at_json_free(line);
	executable_drop(&outcome);
	outcome = executable_run("results --json --device nvidia-h100");
	line = executable_json_line(outcome.out, 0);
	assert_members(line, of_group, AT_COUNT_OF(of_group));
	at_json_free(line);
	executable_drop(&outcome);
}

static void names_what_there_is_when_asked_for_what_is_not(void **state)
{
	static const struct {
		const char *line;
		const char *text;
	} rows[] = {
		{ "results nope",
			"autotune: nothing is recorded of \"nope\"; recorded: toy\n" },
		{ "results tyo",
			"autotune: nothing is recorded of \"tyo\"; did you mean \"toy\"?\n" },
		{ "export tyo --format csv",
			"autotune: nothing is recorded of \"tyo\"; did you mean \"toy\"?\n" },
		{ "forget nope",
			"autotune: nothing is recorded of \"nope\"; recorded: toy\n" },
		{ "history nope",
			"autotune: nothing is recorded of \"nope\"; recorded: toy\n" },
		{ "history toy",
			"autotune: no night is recorded of \"toy\": \"autotune nightly\" measures recorded winners again\n" },
		{ "results --results results/autotune.db",
			"autotune: \"results/autotune.db\" is a file: --results names the folder that it is in, \"results\"\n" },
		{ "results --results reslts",
			"autotune: nothing is recorded in \"reslts\" (there is no such folder): tune first, or name the folder with --results\n" },
		{ "results toy nope --top 1",
			"autotune: nothing is recorded of \"nope\"; recorded: toy\n" },
		{ "results nope --problem same",
			"autotune: nothing is recorded of \"nope\" and this problem or device\n" },
	};

	(void)state;
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct executable_outcome outcome = executable_run(rows[i].line);

		assert_int_equal(outcome.code, 1);
		assert_string_equal(outcome.err, rows[i].text);
		executable_drop(&outcome);
	}
}

/* ---- records of older versions ---------------------------------------------- */

static void write_older_record(int version)
{
	struct at_sqlite *database;
	struct at_error err = { 0 };
	char *sql, *directory, *path, name[64];
	size_t size;

	snprintf(name, sizeof(name), "version_%d", version);
	directory = executable_path(name);
	assert_int_equal(at_directory_make(directory, &err), AT_OK);
	path = at_path_join(directory, "autotune.db");
	snprintf(name, sizeof(name), "/data/record/version_%d.sql", version);
	free(directory);
	directory = at_path_join(AT_TEST_DIR, name + 1);
	assert_int_equal(at_file_read(directory, 0, &sql, &size, &err), AT_OK);
	assert_int_equal(at_sqlite_open(path, &database, &err), AT_OK);
	assert_int_equal(at_sqlite_execute(database, sql, &err), AT_OK);
	at_sqlite_close(database);
	free(sql);
	free(path);
	free(directory);
}

static void shows_the_winners_of_older_records(void **state)
{
	(void)state;
	write_older_record(1);
	assert_prints("results --results version_1",
		"matmul, square on NVIDIA H200 (nvidia-h200, sm_90)\n"
		"  winner    9.50 ns (95 % interval 9.25 ns to 9.75 ns), the baseline itself, recorded 2025-11-21 09:00 UTC\n"
		"            BLOCK_X=16\n"
		"  resources 101 registers, 103 B spilled, 105 B shared\n"
		"  verified  by an older version of autotune\n"
		"         1  ok                  correct, and timed\n"
		"         1  compile_failed      does not compile; first: a detail\n"
		"    time       95 % interval           speed-up  configuration\n"
		"  * 1.23 us    1.23 us to 1.24 us      1.00x     the baseline\n"
		"    compile_failed                               BLOCK_X=32: a detail\n"
		"\n");
	for (int version = 2; version <= 5; version++) {
		char line[40], expected[1400];

		write_older_record(version);
		snprintf(line, sizeof(line), "results --results version_%d", version);
		snprintf(expected, sizeof(expected),
			"matmul, square on NVIDIA H200 (nvidia-h200, sm_90)\n"
			"  winner    9.50 ns (95 %% interval 9.25 ns to 9.75 ns), the baseline itself, recorded 2025-11-21 09:00 UTC\n"
			"            BLOCK_X=16\n"
			"  resources 101 registers, 103 B spilled, 105 B shared; 4 blocks of 106 threads on a multiprocessor, occupancy 62 %%, limited by registers\n"
			"  speed     14.4 EFLOP/s, 21.2 PB/s; 682 flop/B\n"
			"%s"
			"  verified  %s\n"
			"         1  ok                  correct, and timed\n"
			"         1  compile_failed      does not compile; first: a detail\n"
			"    time       95 %% interval           speed-up  occupancy  configuration\n"
			"  * 1.23 us    1.23 us to 1.24 us      1.00x     62 %%       the baseline\n"
			"    compile_failed                                          BLOCK_X=32: a detail\n"
			"\n",
			version < 5 ? "" : "  measured  30 samples in 6 blocks\n",
			version < 4
				? "by an older version of autotune"
				: "2 data sets, 2 problems, 6 patterns, guarded, crowded, memcheck\n  not run   host: does not compile there");
		assert_prints(line, expected);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_what_there_is_when_asked_for_what_is_not),
		cmocka_unit_test(shows_why_the_winner_is_no_faster),
		cmocka_unit_test(leaves_out_what_an_older_record_does_not_know),
		cmocka_unit_test(says_once_how_to_get_the_ceilings),
		cmocka_unit_test(makes_a_table_of_several_devices),
		cmocka_unit_test(
			makes_a_table_of_one_device_without_naming_it_in_each_row),
		cmocka_unit_test(refuses_what_has_no_place_in_the_table),
		cmocka_unit_test(tells_limits_and_gains_in_json),
		cmocka_unit_test(tells_null_in_json_for_what_is_not_known),
		cmocka_unit_test(shows_the_winners_of_older_records),
	};

	return cmocka_run_group_tests(tests, make_record, executable_end);
}
