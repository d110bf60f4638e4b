/* The executable on a record: what it shows, and for which devices. */
#include "record_fixture.h"
#include "executable.h"
#include "record/store.h"

#include <math.h>

#include "suite.h"

/* ---- a record with one device, two problems and a winner ------------------------- */

static int64_t put_device(struct at_store *store)
{
	struct at_record_device device =
		record_device("cuda", "NVIDIA H200", "nvidia-h200", "sm_90", "580", "");
	int64_t id;

	assert_ok(at_store_put_device(store, &device, &id, &failure));
	return id;
}

static int64_t put_evaluation(struct at_store *store, int64_t device_id, int64_t run_id,
	const char *problem, int a, enum at_outcome outcome, double time_ns)
{
	char configuration[32];
	struct at_evaluation evaluation = {
		.key = { (uint64_t)a, problem[1] },
		.run_id = run_id,
		.device_id = device_id,
		.space = "toy",
		.problem = (char *)problem,
		.problem_json = "{}",
		.configuration = configuration,
		.outcome = outcome,
		.detail = outcome == AT_OUTCOME_OK ? "" : "C[257] is 0, expected 3.1",
		.time_ns = time_ns,
		.low_ns = 0.9 * time_ns,
		.high_ns = 1.1 * time_ns,
		.max_relative_error = NAN,
	};

	snprintf(configuration, sizeof(configuration), "{\"A\": %d}", a);
	assert_ok(at_store_add(store, &evaluation, &failure));
	return evaluation.id;
}

static void fill(struct at_store *store)
{
	int64_t device_id = put_device(store), run_id;
	struct at_winner best = {
		.device_id = device_id,
		.space = "toy",
		.problem = "p1",
		.evaluation_count = 3,
		.ok_count = 2,
		.objective = &at_objective_time,
		.score = { 0.8e6, 0.75e6, 0.85e6 },
		.speedup = 2.5,
		.speedup_low = 2.25,
		.speedup_high = 2.75,
		.toolchain = "NVRTC 13.0",
		.driver = "580",
		.source_hash = "00",
		.metrics = "{}",
		.launch = "{\"block\": [32, 1, 1]}",
		.options = "[]",
	};

	assert_ok(at_store_begin_run(
		store, device_id, "toy", "random", 0, "1", &run_id, &failure));
	best.baseline_id =
		put_evaluation(store, device_id, run_id, "p1", 1, AT_OUTCOME_OK, 2e6);
	best.evaluation_id =
		put_evaluation(store, device_id, run_id, "p1", 2, AT_OUTCOME_OK, 1e6);
	put_evaluation(store, device_id, run_id, "p1", 3, AT_OUTCOME_WRONG_RESULT, NAN);
	put_evaluation(store, device_id, run_id, "p2", 1, AT_OUTCOME_OK, 5e6);
	assert_ok(at_store_put_winner(store, &best, &failure));
}

static int make_record(void **state)
{
	struct at_store *store;
	OWNED(free) char *directory;

	executable_begin(state);
	directory = executable_path("results");
	assert_ok(at_store_open(directory, &store, &failure));
	fill(store);
	at_store_close(store);
	executable_write("toy.cfg", "parameters: { A = [ 1, 2, 3 ]; };\n");
	executable_write("other.cfg", "parameters: { A = [ 1, 2, 3 ]; };\n");
	return 0;
}

/* ---- results ----------------------------------------------------------------- */

TEST(finds_what_is_asked_for)
{
	static const struct {
		const char *line;
		int code;
		size_t groups; /* of space, problem and device */
	} rows[] = {
		{ "results --json", 0, 2 },
		{ "results --json toy", 0, 2 },
		{ "results --json toy.cfg", 0, 2 },
		{ "results --json toy --problem p2", 0, 1 },
		{ "results --json --device nvidia-h200", 0, 2 },
		{ "results --json --device sm_90", 0, 2 },
		{ "results --json --device cuda:all", 0, 2 },
		{ "results --json --device host,cuda", 0, 2 },
		{ "results --json --device host", 1, 0 },
		{ "results --json --device nvidia-h100", 1, 0 },
		{ "results --json other", 1, 0 },
		{ "results --json other.cfg", 1, 0 },
		{ "results --json --problem p3", 1, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		RELEASED(executable_drop)
		struct executable_outcome outcome = executable_run(rows[i].line);

		if (outcome.code != rows[i].code ||
			executable_count_lines(outcome.out) != rows[i].groups)
			fail_msg("autotune %s: exit code %d\n%s%s", rows[i].line,
				outcome.code, outcome.out, outcome.err);
		/* a caller that gets nothing learns why */
		assert_int_equal(*outcome.err != '\0', rows[i].code != 0);
	}
}

TEST(tells_winner_and_evaluations_in_json)
{
	RELEASED(executable_drop)
	struct executable_outcome outcome =
		executable_run("results --json --problem p1 --top 2");
	OWNED(at_json_free) struct at_json *line = executable_json_line(outcome.out, 0);
	const struct at_json *winner = at_json_get(line, "winner");
	const struct at_json *evaluations = at_json_get(line, "evaluations");
	const struct at_json *best = at_json_at(evaluations, 0);

	assert_string_equal(at_json_text(at_json_get(line, "device")), "nvidia-h200");
	assert_float_equal(
		at_json_number(at_json_get(line, "baseline_ns"), 0), 2e6, 1e-6);
	assert_int_equal(
		at_json_whole(at_json_get(at_json_get(line, "outcomes"), "ok"), -1), 2);
	assert_float_equal(
		at_json_number(at_json_get(winner, "speedup"), 0), 2.5, 1e-12);
	/* the two times that it is the quotient of */
	assert_float_equal(at_json_number(at_json_get(line, "baseline_ns"), 0) /
				   at_json_number(at_json_get(winner, "time_ns"), 0),
		2.5, 1e-12);
	assert_float_equal(
		at_json_number(at_json_get(winner, "speedup_low"), 0), 2.25, 1e-12);
	assert_float_equal(
		at_json_number(at_json_get(winner, "speedup_high"), 0), 2.75, 1e-12);
	assert_int_equal(
		at_json_whole(
			at_json_get(at_json_get(winner, "configuration"), "A"), -1),
		2);
	assert_int_equal(at_json_count(evaluations), 2);
	assert_int_equal(
		at_json_whole(at_json_get(at_json_get(best, "configuration"), "A"), -1),
		2);
	assert_float_equal(at_json_number(at_json_get(best, "speedup"), 0), 2, 1e-12);
}

TEST(shows_a_table_with_winner_and_reasons)
{
	static const char *const parts[] = {
		"toy, p1 on NVIDIA H200 (nvidia-h200, sm_90)\n"
		"  winner    800 us (95 % interval 750 us to 850 us), 2.50x (95 % interval 2.25x to 2.75x) over the baseline",
		"         1  wrong_result        differs from the reference; first, A=3: C[257] is 0, expected 3.1\n",
		"  * 1.00 ms    900 us to 1.10 ms       2.00x     A=2\n"
		"    2.00 ms    1.80 ms to 2.20 ms      1.00x     the baseline\n"
		"    wrong_result                                 A=3: C[257] is 0, expected 3.1\n",
	};
	RELEASED(executable_drop)
	struct executable_outcome outcome = executable_run("results toy");

	assert_int_equal(outcome.code, 0);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!strstr(outcome.out, parts[i]))
			fail_msg("expected\n%s\nin\n%s", parts[i], outcome.out);
}

/* ---- header ------------------------------------------------------------------ */

TEST(says_when_no_winner_is_recorded)
{
	static const char *const lines[] = { "header other.cfg",
		"header toy.cfg --device host" };

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		RELEASED(executable_drop)
		struct executable_outcome outcome = executable_run(lines[i]);

		assert_int_equal(outcome.code, 1);
		assert_string_equal(outcome.out, "");
		assert_non_null(strstr(outcome.err, "no winner of "));
	}
}

/* ---- import, export, forget --------------------------------------------------- */

TEST(takes_records_and_files_in_and_gives_them_out)
{
	static const struct {
		const char *line;
		int code;
		const char *out; /* is in it; "" where there is nothing */
		const char *err;
	} steps[] = {
		{ "import results --results away", 0,
			"results: 4 new evaluations, 1 run, 1 winner, 1 of them stands now\n",
			"" },
		{ "import results/autotune.db results --results away --json", 0,
			"\"evaluations\": {\"added\": 0, \"known\": 4}", "" },
		{ "import nothing results toy.cfg --results away --quiet", 1, "",
			"nothing: cannot read it: No such file or directory" },
		{ "import results --results results", 1, "",
			"is the record that it should be merged into" },
		{ "import none --results none", 1, "",
			"has no autotune.db: name a folder of results, or a file" },
		{ "import none/autotune.db --results none", 1, "",
			"there is no record: name a folder of results, or a file" },
		{ "export toy --results away", 2, "", "say what to write: --format" },
		{ "export toy --format xml --results away", 2, "",
			"expected t4, csv or kernel-tuner, found \"xml\"" },
		{ "export toy --format csv --results away -o x.csv", 1, "",
			"2 problems and devices of \"toy\" are recorded, and -o names one file" },
		{ "export toy --format csv --results away -o - --problem p2", 0,
			"toy,p2,{},NVIDIA H200,cuda,sm_90,1,ok,5000000,", "" },
		{ "export toy.cfg --format t4 --results away", 0,
			"toy-p1-nvidia-h200.t4.json\ntoy-p2-nvidia-h200.t4.json\n",
			"" },
		{ "export toy --format kernel-tuner --problem p1 --results away -o kt.json",
			0, "kt.json\n", "" },
		{ "import kt.json --results away", 0,
			"kt.json: 3 new evaluations of device imported-nvidia-h200\n",
			"" },
		{ "import toy-p1-nvidia-h200.t4.json --results away", 0,
			": 0 new evaluations (3 more known) of device imported-nvidia-h200\n",
			"" },
		{ "results --json --device imported-nvidia-h200 --results away", 0,
			"\"problem\": \"p1\"", "" },
		{ "simulate kt.json --repeats 1", 0, "3 configurations", "" },
		{ "forget --results away", 2, "", "say what: a SPACE" },
		{ "forget toy --device nvidia-h200 --results away", 2,
			"would forget 4 evaluations and 1 winner\n",
			"nothing was removed: say it again with --yes" },
		{ "forget toy --device nvidia-h200 --yes --results away", 0,
			"forgot 4 evaluations and 1 winner\n", "" },
		{ "forget toy --device nvidia-h200 --yes --results away", 1, "",
			"nothing is recorded of \"toy\" and this problem or device" },
		{ "results --json --results away", 0, "imported-nvidia-h200", "" },
	};

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		RELEASED(executable_drop)
		struct executable_outcome outcome = executable_run(steps[i].line);

		if (outcome.code != steps[i].code ||
			!strstr(outcome.out, steps[i].out) ||
			!strstr(outcome.err, steps[i].err) ||
			(*outcome.out != '\0') != (*steps[i].out != '\0') ||
			(*outcome.err != '\0') != (*steps[i].err != '\0'))
			fail_msg("autotune %s: exit code %d\n%s%s", steps[i].line,
				outcome.code, outcome.out, outcome.err);
	}
}

RUN_SUITE(make_record, executable_end)
