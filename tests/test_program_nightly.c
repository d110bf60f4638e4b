/*
 * `autotune nightly`, the whole program: nights of a recording with noise and planted
 * changes that have to be found, and a short night on device `host`. Nothing here
 * depends on how fast this machine is.
 */
#define _GNU_SOURCE
#include "executable.h"

#include "base/hash.h"
#include "base/memory.h"

#include <glob.h>
#include <math.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "suite.h"

static const char space[] =
	"kernel: { name = \"scale\"; template = \"scale.cu\"; reference = \"plain\"; };\n"
	"problems = ( { name = \"p\"; N = 64; } );\n"
	"parameters: { A = [ 1, 2, 3, 4, 5, 6, 7, 8 ]; B = [ 1, 2, 3, 4, 5, 6, 7, 8 ]; C = [ 1, 2, 3, 4 ]; };\n"
	"defaults: { A = 1; B = 1; C = 1; };\n"
	"launch: { block = ( \"32\" ); grid = ( \"N\" ); };\n"
	"arguments = ( { name = \"x\"; type = \"float\"; count = \"N\"; access = \"out\"; } );\n";

/* 256 configurations; A = 5, B = 4, C = 2 is fastest, its neighbours within half a per
   cent of it */
static void write_recording(void)
{
	static const double noise[] = { 1, 1.002, 0.998, 1.001, 0.999, 1.003, 0.997 };
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	const char *separator = "";

	at_strbuf_add(&text,
		"{\"kernel_name\": \"scale\", \"device_name\": \"A board\", \"tune_params_keys\": [\"A\", \"B\", \"C\"], \"cache\": {");
	for (int i = 0; i < 256; i++) {
		int a = i / 32 + 1, b = i / 4 % 8 + 1, c = i % 4 + 1;
		int off = abs(a - 5) + abs(b - 4) + abs(c - 2);
		double time = 0.5 * (1 + 0.004 * off + (off > 3 ? 0.2 * off : 0));

		at_strbuf_addf(&text,
			"%s\"%d,%d,%d\": {\"A\": %d, \"B\": %d, \"C\": %d, \"time\": %.9g, \"times\": [",
			separator, a, b, c, a, b, c, time);
		for (size_t j = 0; j < AT_COUNT_OF(noise); j++)
			at_strbuf_addf(&text, "%s%.9g", j ? ", " : "", time * noise[j]);
		at_strbuf_add(
			&text, "], \"compile_time\": 200, \"benchmark_time\": 50}");
		separator = ",";
	}
	at_strbuf_add(&text, "}}");
	executable_write("a.json", at_strbuf_text(&text));
}

static int begin(void **state)
{
	executable_begin(state);
	executable_write("scale.cfg", space);
	executable_write("scale.cu",
		"__global__ void scale(float *x) {}\n__global__ void plain(float *x) {}\n");
	write_recording();
	return 0;
}

/* of this night, and of what is planted in it ("" or ",slower=1.1") */
static struct executable_outcome run_night(
	unsigned number, const char *planted, const char *more)
{
	char line[400];

	snprintf(line, sizeof(line),
		"nightly scale.cfg%s --device replay:a.json,night=%u,noise=7%s --budget 30s --seed %u",
		more, number, planted, number);
	return executable_run(line);
}

static void tune_first(const char *budget)
{
	RELEASED(executable_drop) struct executable_outcome outcome;
	char line[200];

	snprintf(line, sizeof(line),
		"scale.cfg --device replay:a.json --budget %s --quiet", budget);
	outcome = executable_run(line);
	if (outcome.code)
		fail_msg("%s", outcome.err);
}

/* all headers and result files there, one after the other; heap */
static char *read_files(void)
{
	static const char *const patterns[] = { "results/*.h", "results/*/*.h",
		"results/*/scale.json" };
	struct at_strbuf all = { 0 };

	for (size_t i = 0; i < AT_COUNT_OF(patterns); i++) {
		OWNED(free) char *pattern = executable_path(patterns[i]);
		glob_t found;

		if (!glob(pattern, 0, NULL, &found)) {
			for (size_t j = 0; j < found.gl_pathc; j++) {
				OWNED(free) char *text = file_text(found.gl_pathv[j]);
				at_strbuf_addf(&all, "%s\n", found.gl_pathv[j]);
				at_strbuf_add(&all, text);
			}
			globfree(&found);
		}
	}
	return all.data ? at_strbuf_detach(&all) : at_strdup("");
}

static struct at_json *read_night(void)
{
	OWNED(free) char *text = executable_read("results/nights/replay-a-json.json");
	struct at_json *night = NULL;

	assert_ok(at_json_parse(text, strlen(text), "night", &night, NULL));
	return night;
}

static const char *verdict_of(const struct at_json *night)
{
	return at_json_text(
		at_json_get(at_json_at(at_json_get(night, "problems"), 0), "verdict"));
}

/* ---- nights of a recording ------------------------------------------------------- */

TEST_WITH(nights_on_an_unchanged_machine_change_no_header, begin, executable_end)
{
	OWNED(free) char *first;
	char *files;
	int64_t searched = 0;

	tune_first("40");
	first = read_files();
	assert_non_null(strstr(first, "#define SCALE_"));
	for (unsigned number = 1; number <= 5; number++) {
		RELEASED(executable_drop)
		struct executable_outcome outcome = run_night(number, "", "");
		OWNED(at_json_free) struct at_json *night = read_night();

		if (outcome.code)
			fail_msg("night %u: %d: %s", number, outcome.code, outcome.out);
		assert_false(at_json_is_true(at_json_get(night, "regression")));
		searched += at_json_whole(
			at_json_get(
				at_json_get(
					at_json_at(at_json_get(night, "problems"), 0),
					"search"),
				"evaluated"),
			0);
		files = read_files();
		if (strcmp(first, files) != 0)
			fail_msg("night %u: %s", number, files);
		free(files);
	}
	/* not since nothing was tried */
	assert_true(searched > 25);
}

TEST_WITH(a_slowdown_is_told_the_same_night, begin, executable_end)
{
	struct executable_outcome outcome;
	OWNED(at_json_free) struct at_json *night;
	char *text;

	tune_first("1000");
	for (unsigned number = 1; number <= 5; number++) {
		outcome = run_night(number, "", " --quiet");
		assert_int_equal(outcome.code, 0);
		assert_string_equal(outcome.out, "");
		assert_string_equal(outcome.err, "");
		executable_drop(&outcome);
	}
	/* a line and no more: it is what cron mails */
	outcome = run_night(6, ",slower=1.1", " --quiet");
	assert_int_equal(outcome.code, 4);
	assert_ptr_equal(strstr(outcome.out, "scale, p on replay:a.json: slower, "),
		outcome.out);
	assert_ptr_equal(
		strchr(outcome.out, '\n'), outcome.out + strlen(outcome.out) - 1);
	assert_string_equal(outcome.err, "");
	executable_drop(&outcome);
	night = read_night();
	assert_string_equal(verdict_of(night), "slower");
	assert_true(at_json_is_true(at_json_get(night, "regression")));
	text = executable_read("results/nights/replay-a-json.xml");
	assert_non_null(strstr(text, "<failure type=\"slower\" message=\"scale, p on"));
	free(text);
	text = executable_read("results/nights/replay-a-json.md");
	assert_non_null(strstr(text, "## To look at\n\n- scale, p on"));
	free(text);
}

TEST_WITH(a_winner_that_is_wrong_is_replaced_the_same_night, begin, executable_end)
{
	struct executable_outcome outcome;
	struct at_json *night;
	OWNED(free) char *before, *after;

	tune_first("1000");
	before = read_files();
	assert_non_null(strstr(before, "\"A\": 5"));
	outcome = run_night(1, ",wrong=1", "");
	assert_int_equal(outcome.code, 4);
	assert_non_null(strstr(outcome.out, "incorrect (wrong_result)"));
	executable_drop(&outcome);
	night = read_night();
	assert_string_equal(verdict_of(night), "incorrect");
	assert_string_equal(
		at_json_text(at_json_get(
			at_json_get(at_json_at(at_json_get(night, "problems"), 0),
				"search"),
			"result")),
		"replaced");
	at_json_free(night);
	/* there is a header, and it has somebody else */
	after = read_files();
	assert_non_null(strstr(after, "#define SCALE_"));
	assert_string_not_equal(before, after);
	/* whom the next night finds correct */
	outcome = run_night(2, "", "");
	assert_int_equal(outcome.code, 0);
	executable_drop(&outcome);
}

/* ---- what goes wrong ------------------------------------------------------------- */

TEST_WITH(what_fails_keeps_nobody_else_from_being_done, begin, executable_end)
{
	struct executable_outcome outcome;
	struct at_json *night;

	tune_first("1000");
	executable_write("broken.cfg", "kernel: { name = 3; };\n");
	outcome = run_night(1, "", " broken.cfg none.cfg");
	assert_int_equal(outcome.code, 1);
	assert_non_null(strstr(outcome.err, "autotune: broken.cfg"));
	assert_non_null(strstr(outcome.err, "none.cfg: "));
	assert_non_null(strstr(outcome.out, "scale, p on replay:a.json: same, "));
	executable_drop(&outcome);
	night = read_night();
	assert_int_equal(at_json_count(at_json_get(night, "failures")), 2);
	assert_string_equal(verdict_of(night), "same");
	at_json_free(night);
	/* a device that is not there */
	executable_expect(
		"nightly scale.cfg --device replay:none.json,replay:a.json --budget 30s --report r/both",
		1,
		"<...>scale, p on replay:none.json: failed; <...>scale, p on replay:a.json: same, <...>",
		"<...>none.json: <...>");
	free(executable_read("r/both.md"));
	/* another folder is a record that begins, which may be a mistake */
	outcome = executable_run(
		"nightly scale.cfg --device replay:a.json --budget 1s --quiet --results reslts");
	assert_string_equal(outcome.err,
		"autotune: nothing is recorded in \"reslts\" yet: this night begins a record there; --results names another folder\n");
	executable_drop(&outcome);
}

/* as where the name of a folder was mistyped */
TEST_WITH(a_night_tells_that_it_begins_a_record, begin, executable_end)
{
	static const char line[] =
		"autotune: nothing is recorded in \"results\" yet: this night begins a record there; --results names another folder\n";
	struct executable_outcome outcome = run_night(1, "", "");

	assert_non_null(strstr(outcome.err, line));
	executable_drop(&outcome);
	outcome = run_night(2, "", "");
	assert_null(strstr(outcome.err, "nothing is recorded"));
	executable_drop(&outcome);
}

TEST_WITH(a_record_that_cannot_be_used_is_told_once, begin, executable_end)
{
	RELEASED(executable_drop) struct executable_outcome outcome;
	OWNED(free) char *folder = executable_path("results");
	const char *first;

	assert_ok(at_directory_make(folder, NULL));
	executable_write("results/autotune.db", "no record at all");
	outcome = run_night(1, "", "");
	assert_int_equal(outcome.code, 1);
	first = strstr(outcome.err, "autotune.db: ");
	assert_non_null(first);
	assert_null(strstr(first + 1, "autotune.db: "));
}

TEST_WITH(what_makes_no_sense_is_refused_in_a_line, begin, executable_end)
{
	static const struct {
		const char *line;
		int code;
		const char *err;
	} cases[] = {
		{ "nightly scale.cfg --budget 200", 2,
			"<...>autotune: a night has a time, as in --budget 30m, and not \"200\"\n<...>" },
		{ "nightly scale.cfg --margin 1", 2,
			"<...>expected a share from 0% to 100% as in --margin 1%, found \"1\"<...>" },
		{ "nightly scale.cfg --margin 101%", 2, "<...>found \"101%\"<...>" },
		{ "nightly scale.cfg --keep yes", 2, "<...>\"yes\"<...>" },
		{ "nightly scale.cfg --device cpu", 2, "<...>\"cpu\"<...>" },
		{ "nightly", 2, "<...>SPACE<...>" },
		{ "nightly scale.cfg --device replay:a.json,night=0", 1,
			"<...>of a recording at night: \"night=0\" makes no sense<...>" },
		{ "nightly scale.cfg --device replay:a.json,slower=2", 1,
			"<...>which one? expected night=N<...>" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(cases); i++)
		executable_expect(cases[i].line, cases[i].code, NULL, cases[i].err);
}

TEST_WITH(a_second_nightly_leaves_the_device_to_the_first, begin, executable_end)
{
	struct executable_outcome outcome;
	char *own = executable_path(""), *results;
	OWNED(free) char *place;
	char name[5000], hex[AT_HASH_HEX_SIZE];
	glob_t found;

	/* in this folder: a lock of any other folder is another one */
	assert_int_equal(setenv("AUTOTUNE_LOCKS", own, 1), 0);
	tune_first("1000");
	outcome = run_night(1, "", "");
	assert_int_equal(outcome.code, 0);
	executable_drop(&outcome);
	free(own);
	/* it leaves no file in a folder that all share */
	own = executable_path("autotune-nightly-*.lock");
	assert_int_equal(glob(own, 0, NULL, &found), GLOB_NOMATCH);
	results = executable_path("results");
	place = realpath(results, NULL);
	assert_non_null(place);
	snprintf(name, sizeof(name), "%s replay:a.json,night=1,noise=7", place);
	at_hash_hex(at_hash_bytes(name, strlen(name)), hex);
	free(results);
	snprintf(name, sizeof(name), "autotune-nightly-%s.lock", hex);
	free(own);
	own = executable_path(name);
	{
		FILE *lock = fopen(own, "w");

		assert_non_null(lock);
		assert_int_equal(flock(fileno(lock), LOCK_EX | LOCK_NB), 0);
		outcome = run_night(1, "", "");
		assert_int_equal(outcome.code, 1);
		assert_non_null(strstr(outcome.err,
			"replay:a.json is left out: another nightly is at work on it for results; --wait waits until that has ended\n"));
		assert_null(strstr(outcome.out, "same"));
		executable_drop(&outcome);
		fclose(lock);
	}
	free(own);
}

/* ---- the units ------------------------------------------------------------- */

static char *put_in_place(char *text, const char *what, const char *with)
{
	struct at_strbuf out = { 0 };
	char *at = text, *next;

	while ((next = strstr(at, what))) {
		at_strbuf_add_bytes(&out, at, (size_t)(next - at));
		at_strbuf_add(&out, with);
		at = next + strlen(what);
	}
	at_strbuf_add(&out, at);
	free(text);
	return at_strbuf_detach(&out);
}

/* as systemd does it: $$ is $, and %i the instance */
TEST_WITH(the_units_run_it_as_it_wants_to_be_run, begin, executable_end)
{
	static const char start[] = "\nExecStart=/bin/sh -c '";
	/* of the second no problem has that name: a failure, and a report all the same;
	   without a device it would take the GPUs of this machine */
	static const struct {
		const char *path, *options, *report;
		int code;
	} units[] = {
		{ AT_TEST_DIR "/../tuner/share/systemd/autotune-nightly@.service",
			"--budget 20s --quiet", "out/nights/replay-a-json.md", 0 },
		{ AT_TEST_DIR "/../tuner/share/systemd/autotune-nightly.service",
			"--device host --problem none --quiet", "out/nights/host.md",
			1 },
	};

	for (size_t i = 0; i < AT_COUNT_OF(units); i++) {
		OWNED(free) char *text, *line, *command;

		text = file_text(units[i].path);
		line = strstr(text, start);
		assert_non_null(line);
		line += strlen(start);
		*strchr(line, '\'') = '\0';
		line = put_in_place(at_strdup(line), "$$", "$");
		line = put_in_place(line, "%i", "replay:a.json,night=1");
		line = put_in_place(line, "/usr/bin/autotune", AT_PROGRAM);
		assert_int_equal(setenv("AUTOTUNE_SPACES", "*.cfg", 1), 0);
		assert_int_equal(setenv("AUTOTUNE_RESULTS", "out", 1), 0);
		assert_int_equal(setenv("AUTOTUNE_OPTIONS", units[i].options, 1), 0);
		assert_true(asprintf(&command, "cd %s && (%s) 2>err.txt",
				    executable_place, line) > 0);
		assert_int_equal(WEXITSTATUS(system(command)), units[i].code);
		free(executable_read(units[i].report));
	}
}

/* ---- on this machine ------------------------------------------------------------- */

/* Starts it and reads its standard output up to and with a line that has `text`. */
static pid_t start_until(char *const *words, const char *text)
{
	char line[1024];
	int ends[2];
	FILE *output;
	pid_t child;
	bool is_there = false;

	assert_int_equal(pipe(ends), 0);
	fflush(NULL);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		if (chdir(executable_place) || dup2(ends[1], 1) < 0)
			_exit(97);
		close(ends[0]);
		execv(AT_PROGRAM, words);
		_exit(99);
	}
	close(ends[1]);
	output = fdopen(ends[0], "r");
	assert_non_null(output);
	while (!is_there && fgets(line, sizeof(line), output))
		is_there = strstr(line, text) != NULL;
	assert_true(is_there);
	/* a reader that went away is no failure */
	fclose(output);
	return child;
}

TEST_WITH(an_interrupted_night_has_its_report, begin, executable_end)
{
	char path[] = AT_TEST_DIR "/spaces/slow.cfg";
	char *words[] = { "autotune", "nightly", path, "--device", "host", "--budget",
		"1h", "--jobs", "1", NULL };
	pid_t child = start_until(words, "no winner is recorded yet");
	OWNED(free) char *text;

	kill(child, SIGTERM);
	assert_int_equal(exit_of(child), 130);
	text = executable_read("results/nights/host.md");
	assert_non_null(strstr(text, "; interrupted\n"));
	free(executable_read("results/nights/host.xml"));
}

TEST_WITH(a_short_night_on_the_host, begin, executable_end)
{
	struct executable_outcome outcome;
	struct at_json *line;
	char command[600];
	const char *verdict;

	snprintf(command, sizeof(command),
		"%s/spaces/scale.cfg --device host --problem small --budget 6 --quiet --sanitize never",
		AT_TEST_DIR);
	outcome = executable_run(command);
	assert_int_equal(outcome.code, 0);
	executable_drop(&outcome);
	/* too short for a search: one winner measured again */
	snprintf(command, sizeof(command),
		"nightly %s/spaces/scale.cfg --device host --problem small --budget 1s --json",
		AT_TEST_DIR);
	outcome = executable_run(command);
	/* whatever this machine does meanwhile */
	assert_true(outcome.code == 0 || outcome.code == 4);
	line = executable_json_line(outcome.out, 0);
	assert_string_equal(at_json_text(at_json_get(line, "event")), "revisit");
	assert_string_equal(at_json_text(at_json_get(line, "outcome")), "ok");
	verdict = at_json_text(at_json_get(line, "verdict"));
	assert_string_not_equal(verdict, "none");
	assert_string_not_equal(verdict, "incorrect");
	assert_true(at_json_number(at_json_get(line, "time_ns"), 0) > 0);
	assert_true(at_json_whole(at_json_get(line, "looks"), 0) >= 1);
	at_json_free(line);
	line = executable_json_line(
		outcome.out, executable_count_lines(outcome.out) - 1);
	assert_string_equal(at_json_text(at_json_get(line, "event")), "night");
	at_json_free(line);
	executable_drop(&outcome);
}

RUN_SUITE(NULL, NULL)
