/* The whole tool on the CPU, as a person runs it: every fault of a kernel, a user or a
   machine, and what is recorded afterwards. */
#define _GNU_SOURCE
#include "program.h"
#include "session/session.h"

#include <dirent.h>
#include <glob.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "suite.h"

#define SPACES AT_TEST_DIR "/spaces/"
#define TUNE(space, folder, ...) \
	((const char *const[]){ "tune", SPACES space, "--device", "host", "--results", \
		(folder), "--json", __VA_ARGS__, NULL })

static const char *text_of(const struct at_json *object, const char *key)
{
	const char *text = at_json_text(at_json_get(object, key));

	return text ? text : "";
}

/* outcome of the evaluation whose configuration has this FAULT */
static const char *outcome_of(const struct at_json *events, const char *fault)
{
	for (size_t i = 0; i < at_json_count(events); i++) {
		const struct at_json *event = at_json_at(events, i);

		if (!strcmp(text_of(at_json_get(event, "configuration"), "FAULT"),
			    fault))
			return text_of(event, "outcome");
	}
	return "absent";
}

/* The events of this kind of a run, which must succeed. */
static struct at_json *told_by(const char *kind, const char *const *words)
{
	RELEASED(program_release) struct program_result result;

	program_run(words, &result);
	if (result.exit_status)
		fail_msg("exit %d: %s", result.exit_status, result.errors);
	return program_events(result.output, kind);
}

static size_t count_reused(const struct at_json *events)
{
	size_t count = 0;

	for (size_t i = 0; i < at_json_count(events); i++)
		count += at_json_is_true(at_json_get(at_json_at(events, i), "reused"));
	return count;
}

/* Whether an earlier event has the same problem and configuration: an evaluation that
   was dropped early is measured again, in full, to explain the gain. */
static bool is_repeated(const struct at_json *events, size_t index)
{
	const struct at_json *event = at_json_at(events, index);
	RELEASED(at_strbuf_release) struct at_strbuf wanted = { 0 };
	bool repeated = false;

	at_json_write(at_json_get(event, "configuration"), 0, &wanted);
	for (size_t i = 0; i < index && !repeated; i++) {
		const struct at_json *other = at_json_at(events, i);
		RELEASED(at_strbuf_release) struct at_strbuf found = { 0 };

		at_json_write(at_json_get(other, "configuration"), 0, &found);
		repeated =
			!strcmp(wanted.data, found.data) &&
			!strcmp(text_of(event, "problem"), text_of(other, "problem"));
	}
	return repeated;
}

static size_t count_distinct(const struct at_json *events)
{
	size_t count = 0;

	for (size_t i = 0; i < at_json_count(events); i++)
		count += !is_repeated(events, i);
	return count;
}

static void check_faults_on(const char *device)
{
	static const struct {
		const char *fault, *outcome;
	} rows[] = {
		{ "none", "ok" },
		{ "does_not_compile", "compile_failed" },
		{ "trap", "crashed" },
		{ "hang", "timed_out" },
		{ "write_input", "out_of_bounds" },
		{ "nan", "wrong_result" },
		{ "wrong", "wrong_result" },
		{ "count_off_by_one", "wrong_result" },
		{ "before_start", "out_of_bounds" },
	};
	OWNED(scratch_drop) char *folder = scratch_folder("faults");
	RELEASED(program_release) struct program_result result;
	OWNED(at_json_free) struct at_json *events, *summaries;

	program_run((const char *const[]){ "tune", SPACES "faults.cfg", "--device",
			    device, "--results", folder, "--json", NULL },
		&result);
	assert_int_equal(result.exit_status, 0);
	events = program_events(result.output, "evaluation");
	assert_int_equal(count_distinct(events), 10);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strcmp(outcome_of(events, rows[i].fault), rows[i].outcome) != 0)
			fail_msg("%s on %s: expected %s, found %s", rows[i].fault,
				device, rows[i].outcome,
				outcome_of(events, rows[i].fault));
	/* only correct configurations have a time */
	for (size_t i = 0; i < at_json_count(events); i++) {
		const struct at_json *event = at_json_at(events, i);
		bool ok = !strcmp(text_of(event, "outcome"), "ok");

		assert_true(
			ok == (at_json_number(at_json_get(event, "time_ns"), -1) > 0));
	}
	/* of the measured configurations the baseline was the first */
	for (size_t i = 0; i < at_json_count(events); i++) {
		const struct at_json *event = at_json_at(events, i);
		const char *outcome = text_of(event, "outcome");

		if (!strcmp(outcome, "compile_failed"))
			continue;
		assert_string_equal(
			text_of(at_json_get(event, "configuration"), "FAULT"), "none");
		assert_int_equal(
			at_json_whole(at_json_get(at_json_get(event, "configuration"),
					      "BLOCK"),
				0),
			64);
		break;
	}
	summaries = program_events(result.output, "summary");
	assert_int_equal(at_json_count(summaries), 1);
	assert_string_equal(
		text_of(at_json_get(at_json_at(summaries, 0), "configuration"),
			"FAULT"),
		"none");
}

TEST(every_fault_gets_its_outcome_and_none_is_selected)
{
	check_faults_on("host");
}

TEST(so_it_does_on_a_gpu)
{
	if (!program_has_cuda())
		skip_because("no CUDA driver");
	check_faults_on("cuda:0");
}

TEST(nothing_correct_is_exit_3_and_writes_no_header)
{
	OWNED(scratch_drop) char *folder = scratch_folder("wrong");
	RELEASED(program_release) struct program_result result;
	OWNED(at_json_free) struct at_json *summaries;

	program_run(TUNE("faults.cfg", folder, "--set", "FAULT=wrong,nan"), &result);
	assert_int_equal(result.exit_status, 3);
	summaries = program_events(result.output, "summary");
	assert_int_equal(at_json_count(summaries), 1);
	assert_null(at_json_text(at_json_get(at_json_at(summaries, 0), "header")));
}

/* outcome of the evaluation whose configuration has these two words */
static const char *outcome_with(const struct at_json *events, const char *key,
	const char *value, const char *other_key, const char *other_value)
{
	for (size_t i = 0; i < at_json_count(events); i++) {
		const struct at_json *event = at_json_at(events, i);
		const struct at_json *configuration =
			at_json_get(event, "configuration");

		if (!strcmp(text_of(configuration, key), value) &&
			!strcmp(text_of(configuration, other_key), other_value))
			return text_of(event, "outcome");
	}
	return "absent";
}

LONG_TEST(one_reference_judges_every_layout)
{
	static const char *const layouts[] = { "aos", "soa", "tiled" };
	OWNED(scratch_drop) char *folder = scratch_folder("layout");
	OWNED(at_json_free) struct at_json *events;

	events = told_by("evaluation", TUNE("layout.cfg", folder, "--seed", "2"));
	assert_int_equal(count_distinct(events), 12);
	for (int i = 0; i < 3; i++) {
		assert_string_equal(
			outcome_with(events, "LAYOUT", layouts[i], "FIELDS", "BOTH"),
			"ok");
		assert_string_equal(outcome_with(events, "LAYOUT", layouts[i], "FIELDS",
					    "FORGET_Y"),
			"wrong_result");
	}
}

static const struct at_json *evaluation_of(
	const struct at_json *events, const char *where, int64_t room)
{
	for (size_t i = 0; i < at_json_count(events); i++) {
		const struct at_json *event = at_json_at(events, i);
		const struct at_json *values = at_json_get(event, "configuration");

		if (!strcmp(text_of(values, "WHERE"), where) &&
			at_json_whole(at_json_get(values, "ROOM"), 0) == room)
			return event;
	}
	fail_msg("no evaluation of %s, %d", where, (int)room);
	return NULL;
}

TEST(an_input_may_be_a_variable_of_the_template)
{
	OWNED(scratch_drop) char *folder = scratch_folder("weights");
	RELEASED(program_release) struct program_result result;
	const struct at_json *small;
	OWNED(at_json_free) struct at_json *events;

	program_run(TUNE("weights.cfg", folder, "--seed", "2"), &result);
	if (result.exit_status)
		fail_msg("%s", result.errors);
	events = program_events(result.output, "evaluation");
	assert_int_equal(count_distinct(events), 6);
	for (int room = 6; room <= 8; room++)
		assert_string_equal(
			text_of(evaluation_of(events, "global", room), "outcome"),
			"ok");
	for (int room = 7; room <= 8; room++)
		assert_string_equal(
			text_of(evaluation_of(events, "constant", room), "outcome"),
			"ok");
	small = evaluation_of(events, "constant", 6);
	assert_string_equal(text_of(small, "outcome"), "launch_failed");
	assert_string_equal(text_of(small, "detail"),
		"the variable \"table\" has 24 bytes, fewer than the 28 that go into it");
}

/* correct on the tuned size only: found by verify.problems, and never selected */
LONG_TEST(a_winner_that_fails_on_ragged_sizes_is_refused)
{
	OWNED(scratch_drop) char *folder = scratch_folder("ragged");
	struct program_result result;
	OWNED(at_json_free) struct at_json *events, *summaries;

	program_run(TUNE("ragged.cfg", folder, "--set", "CHECK=false"), &result);
	assert_int_equal(result.exit_status, 3);
	assert_non_null(strstr(result.errors, "on problem \"odd\""));
	program_release(&result);
	/* the record keeps the refusals: a rerun does not even measure them */
	program_run(TUNE("ragged.cfg", folder, "--strategy", "exhaustive"), &result);
	assert_int_equal(result.exit_status, 0);
	events = program_events(result.output, "evaluation");
	assert_int_equal(count_distinct(events), 4);
	for (size_t i = 0; i < 4; i++) {
		const struct at_json *event = at_json_at(events, i);
		bool checks = at_json_is_true(
			at_json_get(at_json_get(event, "configuration"), "CHECK"));

		assert_string_equal(
			text_of(event, "outcome"), checks ? "ok" : "out_of_bounds");
	}
	summaries = program_events(result.output, "summary");
	assert_true(at_json_is_true(at_json_get(
		at_json_get(at_json_at(summaries, 0), "configuration"), "CHECK")));
	program_release(&result);
}

static void write_space(const char *path, const char *reference)
{
	OWNED(free) char *text = NULL;

	assert_true(
		asprintf(&text,
			"kernel: { name = \"scale\"; template = \"" AT_TEST_DIR
			"/kernels/scale.cu\";\n"
			"  reference = %s; };\n"
			"parameters: { BLOCK = [ 64 ]; UNROLL = [ 1, 2 ]; };\n"
			"problems = ( { name = \"p\"; N = 1000; } );\n"
			"launch: { block = ( \"BLOCK\" ); grid = ( \"ceil_div(N, BLOCK * UNROLL)\" ); };\n"
			"arguments = (\n"
			"  { name = \"x\"; type = \"float\"; count = \"N\"; access = \"in\";\n"
			"    fill = \"sequence(0, 1)\"; },\n"
			"  { name = \"y\"; type = \"float\"; count = \"N\"; access = \"out\"; },\n"
			"  { name = \"factor\"; type = \"float\"; value = \"2.5\"; },\n"
			"  { name = \"n\"; type = \"int\"; value = \"N\"; } );\n"
			"search: { samples = [ 3, 5 ]; cache = \"warm\"; };\n",
			reference) > 0);
	file_write(path, text);
}

/* the reference as a function in a shared library, and as a file of values */
TEST(references_may_be_libraries_and_files)
{
	OWNED(free)
	char *folder = scratch_folder("references"), *command = NULL,
	     *space = scratch_path(folder, "space.cfg"),
	     *data = scratch_path(folder, "y.bin");
	/* each run has a record of its own; all share the cache of compiled units */
	char results[256];
	float values[1000];
	static const struct {
		const char *reference;
		int exit_status;
	} rows[] = {
		{ "{ library = \"./reference.so\"; function = \"scale_on_cpu\"; }", 0 },
		{ "{ library = \"./reference.so\"; function = \"absent\"; }", 1 },
		{ "{ files = ( { argument = \"y\"; path = \"y.bin\"; } ); }", 0 },
		{ "{ files = ( { argument = \"y\"; path = \"absent.bin\"; } ); }", 1 },
	};

	assert_true(asprintf(&command,
			    "cc -shared -fPIC -o %s/reference.so " AT_TEST_DIR
			    "/kernels/reference.c",
			    folder) > 0);
	assert_int_equal(system(command), 0);
	for (int i = 0; i < 1000; i++)
		values[i] = 2.5f * (float)i;
	assert_ok(at_file_replace(data, values, sizeof(values), NULL));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct program_result result;

		write_space(space, rows[i].reference);
		snprintf(results, sizeof(results), "%s/%zu", folder, i);
		program_run((const char *const[]){ "tune", space, "--device", "host",
				    "--results", results, NULL },
			&result);
		if (result.exit_status != rows[i].exit_status)
			fail_msg("%s: exit %d: %s", rows[i].reference,
				result.exit_status, result.errors);
		program_release(&result);
	}
	/* with one wrong value in the reference no configuration may pass */
	values[999] += 1;
	assert_ok(at_file_replace(data, values, sizeof(values), NULL));
	{
		struct program_result result;

		write_space(space, rows[2].reference);
		snprintf(results, sizeof(results), "%s/off", folder);
		program_run((const char *const[]){ "tune", space, "--device", "host",
				    "--results", results, NULL },
			&result);
		assert_int_equal(result.exit_status, 3);
		program_release(&result);
	}
	scratch_remove(folder);
}

static bool has_results(const char *folder, const char *name)
{
	static const char *const patterns[] = { "*", "*/*" };
	bool has = false;

	for (size_t i = 0; i < 2; i++) {
		OWNED(free) char *pattern = scratch_path(folder, patterns[i]);
		RELEASED(globfree) glob_t found;

		if (glob(pattern, 0, NULL, &found) == 0)
			for (size_t k = 0; k < found.gl_pathc; k++)
				has |= !strcmp(
					strrchr(found.gl_pathv[k], '/') + 1, name);
	}
	return has;
}

static char *read_results(const char *folder, const char *name)
{
	OWNED(free) char *command = NULL;
	char *text = NULL;
	OWNED(free) char *path = scratch_path(folder, "found");

	/* a file in the folder of a device, or in the results folder itself */
	assert_true(asprintf(&command, "cat %s/*/%s > %s 2>/dev/null || cat %s/%s > %s",
			    folder, name, path, folder, name, path) > 0);
	assert_int_equal(system(command), 0);
	text = file_text(path);
	unlink(path);
	return text;
}

/* Whether both runs wrote the same. */
static bool writes_the_same_again(void)
{
	OWNED(scratch_drop) char *folder = scratch_folder("again");
	struct at_json *events;
	char *header[2], *json[2];
	bool is_same;

	for (int i = 0; i < 2; i++) {
		events = told_by("evaluation", TUNE("scale.cfg", folder, "--strategy",
						       "exhaustive", "--thorough"));
		assert_int_equal(count_distinct(events), 24);
		assert_int_equal(count_reused(events), i ? 24 : 0);
		at_json_free(events);
		header[i] = read_results(folder, "scale.h");
		json[i] = read_results(folder, "scale.json");
	}
	is_same = !strcmp(header[0], header[1]) && !strcmp(json[0], json[1]);
	for (int i = 0; i < 2; i++) {
		free(header[i]);
		free(json[i]);
	}
	return is_same;
}

/* Where others have the processors, what looked slow by that may have to be in finals
   once more: but not again and again. */
TEST(a_second_run_measures_nothing_and_writes_the_same_bytes)
{
	int tries = 1;

	while (!writes_the_same_again())
		assert_true(tries++ < 4);
}

LONG_TEST(a_budget_counts_distinct_evaluations)
{
	OWNED(scratch_drop) char *folder = scratch_folder("budget");
	OWNED(at_json_free) struct at_json *events;

	events = told_by(
		"evaluation", TUNE("scale.cfg", folder, "--budget", "5", "--problem",
				      "small", "--strategy", "random", "--seed", "3"));
	assert_int_equal(count_distinct(events), 5);
	for (size_t i = 0; i < 5; i++)
		for (size_t j = 0; j < i; j++) {
			RELEASED(at_strbuf_release)
			struct at_strbuf a = { 0 }, b = { 0 };

			at_json_write(
				at_json_get(at_json_at(events, i), "configuration"), 0,
				&a);
			at_json_write(
				at_json_get(at_json_at(events, j), "configuration"), 0,
				&b);
			assert_string_not_equal(a.data, b.data);
		}
}

/* A search that ends before its time is over has no second turn, and no evaluation
   counts twice. */
LONG_TEST(problems_share_one_time)
{
	OWNED(scratch_drop) char *folder = scratch_folder("total");
	struct program_result result;
	struct at_json *events;

	program_run(TUNE("scale.cfg", folder, "--total", "9s"), &result);
	assert_int_equal(result.exit_status, 1);
	assert_non_null(strstr(result.errors,
		"--total is 9 s for 2 problems, and a search needs 5 s at least: give it 10 s or more"));
	program_release(&result);
	program_run(
		TUNE("scale.cfg", folder, "--total", "10m", "--budget", "4"), &result);
	assert_int_equal(result.exit_status, 0);
	events = program_events(result.output, "summary");
	assert_int_equal(at_json_count(events), 2);
	assert_string_equal(
		at_json_text(at_json_get(at_json_at(events, 0), "problem")), "small");
	assert_string_equal(
		at_json_text(at_json_get(at_json_at(events, 1), "problem")), "large");
	at_json_free(events);
	events = program_events(result.output, "session");
	assert_int_equal(
		at_json_whole(at_json_get(at_json_at(events, 0), "winners"), 0), 2);
	at_json_free(events);
	program_release(&result);
}

/* 1,280 configurations for each of two problems: no machine compiles them in the five
   seconds of a first turn */
static const char wide_space[] =
	"kernel: { name = \"scale\"; template = \"" AT_TEST_DIR
	"/kernels/scale.cu\"; reference = \"scale_reference\"; };\n"
	"parameters: { BLOCK = { from = 1; to = 320; step = 1; }; UNROLL = [ 1, 2, 3, 4 ]; };\n"
	"problems = ( { name = \"first\"; N = 1000; }, { name = \"second\"; N = 2000; } );\n"
	"launch: { block = ( \"BLOCK\" ); grid = ( \"ceil_div(N, BLOCK * UNROLL)\" ); };\n"
	"arguments = (\n"
	"  { name = \"x\"; type = \"float\"; count = \"N\"; access = \"in\"; },\n"
	"  { name = \"y\"; type = \"float\"; count = \"N\"; access = \"out\"; },\n"
	"  { name = \"factor\"; type = \"float\"; value = \"2.5\"; },\n"
	"  { name = \"n\"; type = \"int\"; value = \"N\"; } );\n"
	"search: { strategy = \"random\"; samples = [ 3, 5 ]; cache = \"warm\"; };\n";

/* The baseline goes first, so that one evaluation a problem shows it. */
TEST(defaults_of_sizes_make_a_baseline_for_each_problem)
{
	static const int blocks[] = { 50, 100 };
	OWNED(scratch_drop) char *folder = scratch_folder("defaults");
	OWNED(free) char *path = scratch_path(folder, "wide.cfg");
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	RELEASED(program_release) struct program_result result;
	OWNED(at_json_free) struct at_json *events = NULL;

	at_strbuf_addf(&text,
		"%sdefaults: { BLOCK = \"N / 20\"; UNROLL = 2; }; verify: { derive = false; };",
		wide_space);
	file_write(path, text.data);
	program_run((const char *const[]){ "tune", path, "--device", "host",
			    "--results", folder, "--json", "--budget", "1", NULL },
		&result);
	assert_int_equal(result.exit_status, 0);
	events = program_events(result.output, "summary");
	assert_int_equal(at_json_count(events), AT_COUNT_OF(blocks));
	for (size_t i = 0; i < AT_COUNT_OF(blocks); i++) {
		const struct at_json *chosen =
			at_json_get(at_json_at(events, i), "configuration");

		assert_int_equal(
			at_json_whole(at_json_get(chosen, "BLOCK"), 0), blocks[i]);
		assert_int_equal(at_json_whole(at_json_get(chosen, "UNROLL"), 0), 2);
	}
}

/* The list of the problems that a share has finished, on the heap; "" where there is
   none. */
static char *finished_in(const char *folder)
{
	OWNED(free) char *pattern = scratch_path(folder, "shards/*/progress");
	char *text = NULL;
	RELEASED(globfree) glob_t found = { 0 };
	size_t size;

	if (glob(pattern, 0, NULL, &found) == 0)
		assert_ok(at_file_read(found.gl_pathv[0], 4096, &text, &size, NULL));
	return text ? text : strdup("");
}

/* What is noted as finished when the second problem is searched. */
struct turns_told {
	const char *folder;
	char *finished; /* NULL: it was not searched yet */
};

static void look_at_second(void *context, const struct at_event *event)
{
	struct turns_told *self = context;

	if (event->kind == AT_EVENT_EVALUATION && !self->finished &&
		!strcmp(event->problem->name, "second"))
		self->finished = finished_in(self->folder);
}

/* A problem whose time is over may have another turn when all have had their first: if
   the job is requeued before that, it is not left out. */
LONG_TEST(a_share_finishes_a_problem_with_its_last_turn)
{
	OWNED(free)
	char *folder = scratch_folder("turns"),
	     *path = scratch_path(folder, "wide.cfg"), *finished;
	struct turns_told told = { folder, NULL };
	const char *const devices[] = { "host" };
	const struct at_session_options options = {
		.executable = AT_PROGRAM,
		.results = folder,
		.devices = devices,
		.device_count = 1,
		.total_seconds = 10,
		.share = { .count = 1, .job = "7.batch test" },
		.listen = look_at_second,
		.context = &told,
	};
	struct at_session_summary summary;
	OWNED(at_spec_free) struct at_spec *spec;

	file_write(path, wide_space);
	assert_ok(at_spec_load(path, &spec, &failure));
	assert_ok(at_session_run(
		(const struct at_spec *const *)&spec, 1, &options, &summary, &failure));
	assert_non_null(told.finished);
	assert_null(strstr(told.finished, "first"));
	free(told.finished);
	finished = finished_in(folder);
	assert_non_null(strstr(finished, "scale, first on host"));
	assert_non_null(strstr(finished, "scale, second on host"));
	scratch_remove(folder);
}

TEST(a_set_restricts_the_space)
{
	OWNED(scratch_drop) char *folder = scratch_folder("set");
	OWNED(at_json_free) struct at_json *events;

	events = told_by(
		"evaluation", TUNE("scale.cfg", folder, "--set", "BLOCK=64,128",
				      "--set", "UNROLL=2", "--problem", "small"));
	assert_int_equal(count_distinct(events), 2);
}

/* a restricted run must not replace a faster winner that it never looked at */
LONG_TEST(a_set_does_not_replace_the_winner_outside_of_it)
{
	OWNED(scratch_drop) char *folder = scratch_folder("outside");
	struct program_result result;
	char *header[2];

	for (int i = 0; i < 2; i++) {
		program_run(TUNE("slow.cfg", folder, "--set",
				    i ? "REPEAT=500" : "REPEAT=1"),
			&result);
		assert_int_equal(result.exit_status, 0);
		if (i)
			assert_non_null(strstr(result.errors, "is faster and stays"));
		program_release(&result);
		header[i] = read_results(folder, "slow.h");
	}
	assert_string_equal(header[0], header[1]);
	free(header[0]);
	free(header[1]);
}

/* a run that ends before it comes to the recorded winner must not replace it either */
LONG_TEST(a_short_run_does_not_replace_the_winner_of_a_long_one)
{
	OWNED(scratch_drop) char *folder = scratch_folder("short");
	struct program_result result;
	struct at_json *events;
	char *header[2];

	for (int i = 0; i < 2; i++) {
		/* REPEAT = 1 is not the first that is tried */
		program_run(TUNE("slow.cfg", folder, "--strategy", "exhaustive",
				    "--budget", i ? "1" : "10", "--thorough"),
			&result);
		assert_int_equal(result.exit_status, 0);
		header[i] = read_results(folder, "slow.h");
		if (i) {
			/* the baseline and the winner, both from the record */
			events = program_events(result.output, "evaluation");
			assert_int_equal(count_distinct(events), 2);
			assert_int_equal(count_reused(events), 2);
			at_json_free(events);
		}
		program_release(&result);
	}
	assert_non_null(strstr(header[0], "#define SLOW_0_REPEAT 1\n"));
	assert_string_equal(header[0], header[1]);
	free(header[0]);
	free(header[1]);
}

static size_t evaluations_in(const char *path)
{
	struct at_json *events;
	char *text;
	size_t size, count;

	if (at_file_read(path, 0, &text, &size, NULL))
		return 0;
	/* drops a last line that is not whole yet */
	while (size && text[size - 1] != '\n')
		text[--size] = '\0';
	events = program_events(text, "evaluation");
	count = at_json_count(events);
	at_json_free(events);
	free(text);
	return count;
}

/* waits until so many evaluations were told; polls without a clock of its own */
static void wait_for_evaluations(pid_t child, const char *path, size_t wanted)
{
	int status;

	while (evaluations_in(path) < wanted) {
		assert_int_equal(waitpid(child, &status, WNOHANG), 0);
		usleep(1000);
	}
}

TEST(a_killed_run_is_continued_where_it_stopped)
{
	OWNED(free)
	char *folder = scratch_folder("killed"),
	     *output = scratch_path(folder, "output");
	OWNED(at_json_free) struct at_json *events;
	size_t told;
	int status;
	pid_t child =
		program_start(folder, TUNE("scale.cfg", folder, "--problem", "small",
					      "--strategy", "exhaustive"));

	wait_for_evaluations(child, output, 3);
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, &status, 0), child);
	told = evaluations_in(output);
	events = told_by("evaluation", TUNE("scale.cfg", folder, "--problem", "small",
					       "--strategy", "exhaustive"));
	assert_int_equal(count_distinct(events), 12);
	/* all that was reported is in the record, and at most what was in flight */
	assert_in_range(count_reused(events), told, told + 2);
	scratch_remove(folder);
}

static int code_of(const char *const *arguments)
{
	RELEASED(program_release) struct program_result result;
	int code;

	program_run(arguments, &result);
	code = result.exit_status;
	return code;
}

TEST(what_ctrl_c_left_is_verified_before_it_is_a_header)
{
	OWNED(free)
	char *folder = scratch_folder("interrupted"),
	     *output = scratch_path(folder, "output");
	char *header;
	pid_t child =
		program_start(folder, TUNE("scale.cfg", folder, "--problem", "small",
					      "--strategy", "exhaustive"));

	wait_for_evaluations(child, output, 2);
	kill(child, SIGINT);
	assert_int_equal(exit_of(child), 130);
	assert_false(has_results(folder, "scale.h"));
	header = read_results(folder, "scale.json");
	assert_non_null(strstr(header, "\"verified\": false"));
	free(header);
	/* on request the header is written, and says that it is unverified */
	assert_int_equal(code_of((const char *const[]){ "header", SPACES "scale.cfg",
				 "--results", folder, NULL }),
		1);
	assert_int_equal(code_of((const char *const[]){ "header", SPACES "scale.cfg",
				 "--results", folder, "--unverified", NULL }),
		0);
	header = read_results(folder, "scale.h");
	assert_non_null(strstr(header, "#define SCALE_0_BLOCK "));
	assert_non_null(strstr(header, "_SMALL_UNVERIFIED 1\n"));
	free(header);
	/* the next run goes on and verifies it */
	assert_int_equal(code_of(TUNE("scale.cfg", folder, "--problem", "small",
				 "--strategy", "exhaustive")),
		0);
	header = read_results(folder, "scale.h");
	assert_null(strstr(header, "_UNVERIFIED"));
	assert_non_null(strstr(header, " *   verified "));
	free(header);
	scratch_remove(folder);
}

static size_t entries_in(const char *folder)
{
	DIR *stream = opendir(folder);
	size_t count = 0;

	assert_non_null(stream);
	while (readdir(stream))
		count++;
	closedir(stream);
	return count - 2; /* itself and its parent */
}

/* a unit lies in a folder of its compilation in the folder of its run */
static bool compiles_in(const char *folder)
{
	OWNED(free) char *pattern = scratch_path(folder, "*/*/unit.cc");
	RELEASED(globfree) glob_t found;
	bool some = glob(pattern, 0, NULL, &found) == 0;

	return some;
}

/* a worker of this role that the program started; 0: not yet */
static pid_t find_worker(pid_t program, const char *role)
{
	char path[64], line[512];
	pid_t found = 0;
	FILE *children;
	int child;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)program,
		(int)program);
	children = fopen(path, "r");
	if (!children)
		return 0;
	while (!found && fscanf(children, "%d", &child) == 1) {
		FILE *command;
		size_t size;

		snprintf(path, sizeof(path), "/proc/%d/cmdline", child);
		command = fopen(path, "r");
		if (!command)
			continue;
		size = fread(line, 1, sizeof(line) - 1, command);
		line[size] = '\0';
		if (size > strlen(role) + 1 &&
			!strcmp(line + size - strlen(role) - 1, role))
			found = child;
		fclose(command);
	}
	fclose(children);
	return found;
}

static pid_t wait_for_worker(pid_t program, const char *role)
{
	pid_t worker;
	int status;

	while (!(worker = find_worker(program, role))) {
		assert_int_equal(waitpid(program, &status, WNOHANG), 0);
		usleep(1000);
	}
	return worker;
}

TEST(an_interrupted_compilation_leaves_no_files)
{
	OWNED(free)
	char *folder = scratch_folder("left"), *place = scratch_folder("left-tmp"),
	     *absolute = realpath(place, NULL);
	const char *before = getenv("TMPDIR");
	int status;
	pid_t child;

	before = before ? strdup(before) : NULL;
	setenv("TMPDIR", absolute, 1);
	/* --fresh: it compiles, whatever an earlier test has left in the cache */
	child = program_start(
		folder, TUNE("scale.cfg", folder, "--problem", "small", "--fresh"));
	if (before)
		setenv("TMPDIR", before, 1);
	else
		unsetenv("TMPDIR");
	while (!compiles_in(place)) {
		assert_int_equal(waitpid(child, &status, WNOHANG), 0);
		usleep(1000);
	}
	kill(child, SIGINT);
	assert_int_equal(exit_of(child), 130);
	assert_int_equal(entries_in(place), 0);
	scratch_remove(folder);
	scratch_remove(place);
	free((char *)before);
}

/* If the system kills a compiler for want of memory, that is not the configuration's
   fault. */
LONG_TEST(a_compiler_that_is_killed_costs_no_configuration)
{
	OWNED(free)
	char *folder = scratch_folder("oom"), *output = scratch_path(folder, "output");
	struct at_json *events;
	char *text;
	pid_t child;

	if (access("/proc/self/task", R_OK))
		skip_because("no /proc");
	child = program_start(
		folder, TUNE("scale.cfg", folder, "--problem", "small", "--jobs", "1",
				"--fresh", "--set", "UNROLL=1"));
	/* the first compile worker has work as soon as it runs */
	kill(wait_for_worker(child, "compile"), SIGKILL);
	assert_int_equal(exit_of(child), 0);
	text = file_text(output);
	events = program_events(text, "evaluation");
	assert_int_equal(count_distinct(events), 4);
	for (size_t i = 0; i < at_json_count(events); i++)
		assert_string_equal(text_of(at_json_at(events, i), "outcome"), "ok");
	at_json_free(events);
	free(text);
	scratch_remove(folder);
}

/* How many configurations the run of this output measured, without those measured again
   to explain the gain. */
static size_t measured_in(const char *folder)
{
	OWNED(free) char *path = scratch_path(folder, "output"), *text;
	OWNED(at_json_free) struct at_json *events;
	size_t count = 0;

	text = file_text(path);
	events = program_events(text, "evaluation");
	for (size_t i = 0; i < at_json_count(events); i++)
		count += !at_json_is_true(
				 at_json_get(at_json_at(events, i), "reused")) &&
			 !is_repeated(events, i);
	return count;
}

TEST(two_runs_at_once_lose_nothing_and_repeat_nothing)
{
	OWNED(free)
	char *folder = scratch_folder("two"), *first = scratch_folder("two-a"),
	     *second = scratch_folder("two-b");
	const char *const arguments[] = { "tune", SPACES "scale.cfg", "--device",
		"host", "--results", folder, "--json", "--problem", "small", NULL };
	RELEASED(program_release) struct program_result result;
	OWNED(at_json_free) struct at_json *events;
	pid_t children[2];
	int status;

	children[0] = program_start(first, arguments);
	children[1] = program_start(second, arguments);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(waitpid(children[i], &status, 0), children[i]);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 0);
	}
	assert_int_equal(measured_in(first) + measured_in(second), 12);
	program_run(arguments, &result);
	events = program_events(result.output, "evaluation");
	assert_int_equal(count_reused(events), 12);
	scratch_remove(folder);
	scratch_remove(first);
	scratch_remove(second);
}

TEST(a_folder_that_is_removed_under_a_run_ends_it_and_loses_nothing)
{
	OWNED(free)
	char *folder = scratch_folder("removed"),
	     *output = scratch_path(folder, "output"),
	     *errors = scratch_path(folder, "errors"),
	     *results = scratch_path(folder, "results");
	const char *advice = "`autotune import ";
	struct program_result result;
	OWNED(at_json_free) struct at_json *events;
	OWNED(free) char *text;
	char *saved;
	pid_t child =
		program_start(folder, TUNE("scale.cfg", results, "--problem", "small",
					      "--strategy", "exhaustive"));

	wait_for_evaluations(child, output, 3);
	scratch_remove(results);
	assert_int_equal(exit_of(child), 1);
	text = file_text(errors);
	saved = strstr(text, advice);
	assert_non_null(saved);
	saved = strtok(saved + strlen(advice), " ");
	program_run(
		(const char *const[]){ "import", saved, "--results", results, NULL },
		&result);
	assert_int_equal(result.exit_status, 0);
	program_release(&result);
	events = told_by("evaluation", TUNE("scale.cfg", results, "--problem", "small",
					       "--strategy", "exhaustive"));
	assert_true(count_reused(events) >= measured_in(folder));
	assert_true(measured_in(folder) >= 3);
	scratch_remove(folder);
}

/* a limit on the size of files has the effect of a full disk */
LONG_TEST(a_full_disk_loses_nothing_recorded_before)
{
	OWNED(free)
	char *folder = scratch_folder("full"), *errors = scratch_path(folder, "errors");
	struct program_result result;
	OWNED(at_json_free) struct at_json *events;
	struct rlimit old, limit;
	OWNED(free) char *text;
	size_t before;
	pid_t child;

	program_run(TUNE("scale.cfg", folder, "--problem", "small", "--budget", "2"),
		&result);
	assert_int_equal(result.exit_status, 0);
	program_release(&result);
	child = fork();
	if (child == 0) {
		getrlimit(RLIMIT_FSIZE, &old);
		limit = old;
		limit.rlim_cur = 100 * 1024; /* the log of the store outgrows it soon */
		setrlimit(RLIMIT_FSIZE, &limit);
		freopen(errors, "w", stderr);
		freopen("/dev/null", "w", stdout);
		execl(AT_PROGRAM, AT_PROGRAM, "tune", SPACES "scale.cfg", "--device",
			"host", "--results", folder, "--strategy", "exhaustive", NULL);
		_exit(127);
	}
	assert_int_equal(exit_of(child), 1);
	text = file_text(errors);
	if (!strstr(text, "autotune.db"))
		fail_msg("the store is not named: %s", text);
	events = told_by(
		"evaluation", TUNE("scale.cfg", folder, "--strategy", "exhaustive"));
	assert_int_equal(count_distinct(events), 24);
	before = count_reused(events);
	assert_true(before >= 2);
	scratch_remove(folder);
}

/* What a command line alone gets wrong is in test_program. */
TEST(what_cannot_work_says_so_in_one_line)
{
	static const struct {
		const char *name, *space;
		const char *environment; /* NULL: as it is */
		const char *results; /* NULL: a folder */
		const char *expected; /* somewhere in the errors */
	} rows[] = {
		{ "missing template", "broken/template_missing", NULL, NULL,
			"absent.cu" },
		{ "template that never compiles", "broken/never_compiles", NULL, NULL,
			"does not compile for host: never.cu:" },
		{ "kernel not in the template", "broken/no_kernel", NULL, NULL,
			"kernel \"scalar\" not found in " },
		{ "preparing kernel not in the template", "broken/no_prepare", NULL,
			NULL,
			"no_prepare.cfg:13: kernel \"scaled_referense\" not found in " },
		{ "variable not in the template", "broken/no_variable", NULL, NULL,
			"no_variable.cfg:6: the variable \"table\" (symbol of argument \"x\") not found in " },
		{ "a space that a constraint empties", "broken/empty", NULL, NULL,
			"BLOCK > 1000" },
		{ "results below a file", "scale", NULL, SPACES "scale.cfg/results",
			"scale.cfg/results" },
		{ "no compiler", "scale", "PATH=/nonexistent", NULL, "g++" },
		{ "a reference that leaves holes", "broken/holes", NULL, NULL,
			"holes.cfg:2: the reference leaves 5003 of 10007 values of \"y\" unwritten or NaN, the first at index 1; it is given x (in), y (out), factor, n; it ran in 40x1x1 blocks of 256x1x1 threads: fix it, or give it its own \"block\" and \"grid\" if it does not stride over them" },
		{ "a reference that writes far outside its buffer", "broken/far", NULL,
			NULL,
			"far.cfg:4: the reference kernel \"far_reference\" failed on host: " },
		{ "a reference that does not compile", "broken/broken", NULL, NULL,
			"broken.cfg:5: the reference (with the defaults) does not compile for host: " },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		OWNED(scratch_drop) char *folder = scratch_folder("refused");
		RELEASED(program_release) struct program_result result;
		const char *newline;
		char space[256];

		snprintf(space, sizeof(space), SPACES "%s.cfg", rows[i].space);
		program_run_with(rows[i].environment,
			(const char *const[]){ "tune", space, "--device", "host",
				"--results", rows[i].results ? rows[i].results : folder,
				NULL },
			&result);
		if (result.exit_status != 1 || !strstr(result.errors, rows[i].expected))
			fail_msg("%s: exit %d: %s", rows[i].name, result.exit_status,
				result.errors);
		newline = strchr(result.errors, '\n');
		if (!newline || newline[1])
			fail_msg("%s: not one line: %s", rows[i].name, result.errors);
	}
}

/* otherwise a mistake in the last space would show only hours later */
TEST(what_is_wrong_with_the_last_space_is_said_before_the_first_is_begun)
{
	static const struct {
		const char *space, *set, *expected;
	} rows[] = {
		{ "tests/spaces/broken/template_missing.cfg", "BLOCK=64", "absent.cu" },
		{ "tests/spaces/broken/no_kernel.cfg", "BLOCK=64",
			"kernel \"scalar\" not found in " },
		{ "tests/spaces/slow.cfg", "BLOCK=64", "\"BLOCK\"" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		OWNED(free)
		char *folder = scratch_folder("last"),
		     *space = scratch_path(AT_TEST_DIR "/..", rows[i].space);
		RELEASED(program_release) struct program_result result;

		program_run(TUNE("scale.cfg", folder, space, "--set", rows[i].set),
			&result);
		if (result.exit_status != 1 || !strstr(result.errors, rows[i].expected))
			fail_msg("%s: exit %d: %s", rows[i].space, result.exit_status,
				result.errors);
		assert_string_equal(result.output, "");
		scratch_remove(folder);
	}
}

TEST(a_device_that_is_not_there_is_named)
{
	OWNED(scratch_drop) char *folder = scratch_folder("nodevice");
	RELEASED(program_release) struct program_result result;

	program_run((const char *const[]){ "tune", SPACES "scale.cfg", "--device",
			    "cuda:63", "--results", folder, NULL },
		&result);
	assert_int_equal(result.exit_status, 1);
	assert_true(
		strstr(result.errors, "driver") || strstr(result.errors, "cuda:63"));
}

/* what the header gives is enough to compile the template for production */
LONG_TEST(the_matmul_template_compiles_from_its_header_alone)
{
	OWNED(free)
	char *folder = scratch_folder("production"), *command = NULL,
	     *space = program_quick_space(AT_TEST_DIR "/../spaces/matmul.cfg", folder);
	struct program_result result;

	if (system("command -v nvcc >/dev/null 2>&1"))
		skip_because("no nvcc");
	program_run((const char *const[]){ "tune", space, "--device", "host",
			    "--results", folder, "--budget", "3", NULL },
		&result);
	assert_int_equal(result.exit_status, 0);
	program_release(&result);
	assert_true(
		asprintf(&command,
			"nvcc -cubin -arch=sm_90 -DMATMUL_BARE -include %s/matmul.h -o %s/matmul.cubin " AT_TEST_DIR
			"/../templates/matmul.cu",
			folder, folder) > 0);
	assert_int_equal(system(command), 0);
	scratch_remove(folder);
}

RUN_SUITE(NULL, NULL)
