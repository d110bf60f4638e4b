/* The executable on records with nights, and on two sets of results. */
#include "base/file.h"
#include "base/memory.h"
#include "executable.h"
#include "record/history.h"

#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define DAY 86400
/* 2025-11-21 02:00 UTC */
#define FIRST 1763690400

static struct at_store *open_store(const char *name)
{
	char *directory = executable_path(name);
	struct at_error err = { 0 };
	struct at_store *store;

	assert_int_equal(at_store_open(directory, &store, &err), AT_OK);
	free(directory);
	return store;
}

static int64_t put_device(struct at_store *store, const char *model, const char *slug)
{
	struct at_record_device device = {
		.kind = "cuda",
		.model = (char *)model,
		.slug = (char *)slug,
		.architecture = "sm_90",
		.driver = "580.1",
		.uuid = "",
	};
	struct at_error err = { 0 };
	int64_t id;

	assert_int_equal(at_store_put_device(store, &device, &id, &err), AT_OK);
	return id;
}

/* ---- nights ---------------------------------------------------------------- */

static double spread = 0.002; /* half of each interval, relative to the time */

static void put_night(struct at_store *store, int64_t device_id, const char *board,
	int night, double time_ms, enum at_verdict verdict)
{
	struct at_revisit revisit = {
		.device_id = device_id,
		.board = (char *)board,
		.space = "toy",
		.problem = "large",
		.configuration = "{\"A\": 2, \"B\": \"ca\"}",
		.source_hash = "00ff",
		.outcome = AT_OUTCOME_OK,
		.detail = "",
		.verdict = verdict,
		.objective = &at_objective_time,
		.score = { 1e6 * time_ms, 1e6 * time_ms * (1 - spread),
			1e6 * time_ms * (1 + spread) },
		.baseline = { 2e6, 1.99e6, 2.01e6 },
		.speedup = { 2 / time_ms, 1.9 / time_ms, 2.1 / time_ms },
		.change = { night ? time_ms : NAN, NAN, NAN },
		.clock_hz = 1755000000,
		.look_count = 1,
		.measurement = "{}",
		.conditions = night < 2 ? "{\"driver\": \"570.1\", \"ecc\": true}"
					: "{\"driver\": \"580.1\", \"ecc\": true}",
		.created_seconds = FIRST + night * DAY,
	};
	struct at_error err = { 0 };

	if (verdict == AT_VERDICT_INCORRECT) {
		revisit.outcome = AT_OUTCOME_WRONG_RESULT;
		revisit.detail = "C[7] is 1, expected\n2";
		revisit.score = revisit.speedup = revisit.change =
			(struct at_score)AT_SCORE_UNKNOWN;
	}
	assert_int_equal(at_store_put_revisit(store, &revisit, &err), AT_OK);
}

static void crown(struct at_store *store, int64_t device_id, const char *problem,
	double time_ms, int64_t seconds)
{
	struct at_evaluation evaluation = {
		.key = { .low = (uint64_t)seconds },
		.device_id = device_id,
		.space = "toy",
		.problem = (char *)problem,
		.problem_json = "{\"N\": 8}",
		.configuration = time_ms < 1 ? "{\"A\": 1}" : "{\"A\": 2}",
		.outcome = AT_OUTCOME_OK,
		.detail = "",
		.log = "",
		.time_ns = 1e6 * time_ms,
	};
	struct at_crown won = {
		.device_id = device_id,
		.space = "toy",
		.problem = (char *)problem,
		.objective = &at_objective_time,
		.score = { 1e6 * time_ms, 0.998e6 * time_ms, 1.002e6 * time_ms },
		.speedup = NAN,
		.source_hash = "00ff",
		.created_seconds = seconds,
	};
	struct at_error err = { 0 };

	assert_int_equal(at_store_add(store, &evaluation, &err), AT_OK);
	won.evaluation_id = evaluation.id;
	assert_int_equal(at_store_put_crown(store, &won, &err), AT_OK);
}

static int make_records(void **state)
{
	struct at_store *store;
	int64_t id;

	(void)state;
	executable_begin();
	store = open_store("results");
	id = put_device(store, "NVIDIA H200", "nvidia-h200");
	put_night(store, id, "GPU-1", 0, 1.0, AT_VERDICT_FIRST);
	put_night(store, id, "GPU-1", 1, 1.001, AT_VERDICT_SAME);
	put_night(store, id, "GPU-1", 2, 1.06, AT_VERDICT_SLOWER);
	put_night(store, id, "GPU-1", 3, 0, AT_VERDICT_INCORRECT);
	put_night(store, id, "GPU-2", 0, 1.0, AT_VERDICT_FIRST);
	crown(store, id, "large", 1, 1);
	crown(store, id, "small", 1, 2);
	crown(store, id, "gone", 1, 3);
	put_night(store, put_device(store, "NVIDIA H100", "nvidia-h100"), "", 0, 1.5,
		AT_VERDICT_FIRST);
	at_store_close(store);
	store = open_store("later");
	id = put_device(store, "NVIDIA H200", "nvidia-h200");
	crown(store, id, "large", 1.05, 4);
	crown(store, id, "small", 0.9, 5);
	crown(store, id, "new", 1, 6);
	at_store_close(store);
	store = open_store("elsewhere");
	crown(store, put_device(store, "NVIDIA A100", "nvidia-a100"), "large", 1, 7);
	at_store_close(store);
	setenv("LC_ALL", "C", 1);
	return 0;
}

static void assert_prints(const char *line, int code, const char *out, const char *err)
{
	struct executable_outcome outcome = executable_run(line);

	if (outcome.code != code || (out && strcmp(outcome.out, out) != 0) ||
		(err && strcmp(outcome.err, err) != 0))
		fail_msg("autotune %s: exit code %d, expected\n%s%s\nnot\n%s%s", line,
			outcome.code, out ? out : "", err ? err : "", outcome.out,
			outcome.err);
	executable_drop(&outcome);
}

#define GPU_1 \
	"toy, large on NVIDIA H200, GPU-1\n" \
	"  A=2 B=ca\n"
#define HEAD \
	"  night                 time        95 %      gain     change    verdict\n"
#define NIGHTS(sign) \
	HEAD "  2025-11-21 02:00 UTC  1.0000 ms   " sign "2.00x              first\n" \
	     "  2025-11-22 02:00 UTC  1.0010 ms   " sign "2.00x    +0.1 %    same\n" \
	     "  2025-11-23 02:00 UTC  1.0600 ms   " sign "1.89x    +6.0 %    slower\n" \
	     "    driver 580.1, was 570.1\n" \
	     "  2025-11-24 02:00 UTC  wrong_result                             incorrect\n" \
	     "    C[7] is 1, expected 2\n"

static void shows_the_nights_of_each_board(void **state)
{
	(void)state;
	assert_prints("history --device nvidia-h200", 0,
		GPU_1
		"   1.06 ms |     *\n"
		"           |\n"
		"           |\n"
		"           |\n"
		"           |\n"
		"   1.00 ms |* *\n"
		"                 s !\n"
		"            s slower, ! incorrect\n"
		"            2025-11-21 to 2025-11-24\n" NIGHTS(
			"+-0.20 %  ") "\n"
				      "toy, large on NVIDIA H200, GPU-2\n"
				      "  A=2 B=ca\n" HEAD
				      "  2025-11-21 02:00 UTC  1.0000 ms   +-0.20 %  2.00x              first\n",
		"");
}

static void draws_with_braille_where_the_locale_has_it(void **state)
{
	struct executable_outcome outcome;

	(void)state;
	setenv("LC_ALL", "C.UTF-8", 1);
	outcome = executable_run("history --device nvidia-h200");
	setenv("LC_ALL", "C", 1);
	assert_int_equal(outcome.code, 0);
	assert_non_null(strstr(outcome.out, "\xe2\xa0"));
	assert_non_null(strstr(outcome.out, NIGHTS("\xc2\xb1"
						   "0.20 %   ")));
	assert_null(strchr(outcome.out, '*'));
	executable_drop(&outcome);
}

/* Digits that the interval makes void are not shown; the days stand at the ends of a
   plot that is wide enough. */
static void shows_rough_times_with_few_digits_and_days_below_the_plot(void **state)
{
	struct at_store *store = open_store("rough");
	int64_t id = put_device(store, "NVIDIA H200", "nvidia-h200");
	struct executable_outcome outcome;

	(void)state;
	spread = 0.305;
	for (int night = 0; night < 15; night++)
		put_night(store, id, "GPU-1", night, 1 + 0.001 * night,
			night == 14 ? AT_VERDICT_FASTER : AT_VERDICT_SAME);
	spread = 0.002;
	at_store_close(store);
	outcome = executable_run("history --results rough --device nvidia-h200");
	assert_int_equal(outcome.code, 0);
	assert_non_null(strstr(outcome.out, "UTC  1.00 ms     +-30 %    2.00x"));
	assert_non_null(strstr(outcome.out,
		"            f faster\n"
		"            2025-11-21          2025-12-05\n" HEAD));
	executable_drop(&outcome);
}

static void shows_as_many_nights_as_are_asked_for(void **state)
{
	(void)state;
	assert_prints("history toy --device nvidia-h200 --last 1", 0,
		GPU_1 HEAD
		"  2025-11-24 02:00 UTC  wrong_result                             incorrect\n"
		"    C[7] is 1, expected 2\n"
		"\n"
		"toy, large on NVIDIA H200, GPU-2\n"
		"  A=2 B=ca\n" HEAD
		"  2025-11-21 02:00 UTC  1.0000 ms   +-0.20 %  2.00x              first\n",
		"");
	/* a space that is named twice is shown once; one board needs no name */
	assert_prints("history toy toy --device nvidia-h100", 0,
		"toy, large on NVIDIA H100\n"
		"  A=2 B=ca\n" HEAD
		"  2025-11-21 02:00 UTC  1.5000 ms   +-0.20 %  1.33x              first\n",
		"");
}

static void tells_nights_in_json(void **state)
{
	struct executable_outcome outcome = executable_run("history --json");
	struct at_json *line = executable_json_line(outcome.out, 0);
	const struct at_json *nights = at_json_get(line, "nights");
	const struct at_json *night = at_json_at(nights, 2);

	(void)state;
	assert_int_equal(outcome.code, 0);
	assert_int_equal(executable_count_lines(outcome.out), 3);
	assert_string_equal(at_json_text(at_json_get(line, "event")), "history");
	assert_string_equal(at_json_text(at_json_get(line, "board")), "GPU-1");
	assert_int_equal(at_json_count(nights), 4);
	assert_string_equal(at_json_text(at_json_get(night, "verdict")), "slower");
	assert_string_equal(
		at_json_text(at_json_get(night, "changed")), "driver 580.1, was 570.1");
	assert_true(at_json_number(at_json_get(night, "time_ns"), 0) == 1.06e6);
	assert_true(at_json_number(at_json_get(night, "change"), 0) == 1.06);
	assert_int_equal(at_json_whole(at_json_get(night, "created_seconds"), 0),
		FIRST + 2 * DAY);
	assert_string_equal(
		at_json_text(at_json_get(at_json_get(night, "conditions"), "driver")),
		"580.1");
	at_json_free(line);
	executable_drop(&outcome);
}

static void names_what_there_is_when_no_night_is(void **state)
{
	(void)state;
	assert_prints("history nope", 1, "",
		"autotune: nothing is recorded of \"nope\"; recorded: toy\n");
	assert_prints("history --problem small", 1, "",
		"autotune: no night of this is recorded: \"autotune nightly\" measures winners again and records it\n");
	assert_prints("history --results later", 1, "", NULL);
	assert_prints("history --results nowhere", 1, "", NULL);
}

/* ---- two sets of results --------------------------------------------------- */

static void tells_what_became_slower(void **state)
{
	(void)state;
	assert_prints("compare results later", 4,
		"only_a                                        toy, gone, NVIDIA H200\n"
		"slower        +5.0 % (+4.7 % to +5.3 %)       toy, large, NVIDIA H200: 1.00 ms to 1.05 ms\n"
		"only_b                                        toy, new, NVIDIA H200\n"
		"faster        -10.0 % (-10.3 % to -9.7 %)     toy, small, NVIDIA H200: 1.00 ms to 900 us, other configuration\n"
		"1 slower, 1 faster, 0 same, 0 unclear, 1 only in A, 1 only in B\n",
		"");
	assert_prints("compare results later --margin 6%", 0, NULL, "");
	assert_prints("compare later results", 4, NULL, "");
	assert_prints("compare results results", 0, NULL, "");
}

static void tells_it_in_json(void **state)
{
	struct executable_outcome outcome =
		executable_run("compare results later --json");
	struct at_json *row = executable_json_line(outcome.out, 1);
	struct at_json *summary = executable_json_line(outcome.out, 4);

	(void)state;
	assert_int_equal(outcome.code, 4);
	assert_int_equal(executable_count_lines(outcome.out), 5);
	assert_string_equal(at_json_text(at_json_get(row, "verdict")), "slower");
	assert_string_equal(at_json_text(at_json_get(row, "device")), "nvidia-h200");
	assert_true(fabs(at_json_number(at_json_get(row, "ratio"), 0) - 1.05) < 1e-9);
	assert_string_equal(at_json_text(at_json_get(summary, "event")), "summary");
	assert_int_equal(at_json_whole(at_json_get(summary, "slower"), 0), 1);
	assert_int_equal(at_json_whole(at_json_get(summary, "only_a"), 0), 1);
	assert_true(at_json_number(at_json_get(summary, "margin"), 0) == 0.01);
	at_json_free(row);
	at_json_free(summary);
	executable_drop(&outcome);
}

static void compares_single_result_files(void **state)
{
	char *path = at_path_join(AT_TEST_DIR, "data/result/matmul.json"), line[600];
	char *text, *found;
	struct at_error err = { 0 };
	size_t size;

	(void)state;
	assert_int_equal(at_file_read(path, 0, &text, &size, &err), AT_OK);
	executable_write("before.json", text);
	/* another day */
	found = strstr(text, "\"measured\": \"2");
	assert_non_null(found);
	found[strlen("\"measured\": \"")] = '3';
	executable_write("after.json", text);
	snprintf(line, sizeof(line), "compare before.json %s", path);
	assert_prints(line, 0, NULL, "");
	assert_prints("compare before.json after.json", 0, NULL, "");
	/* what is cut off is not taken for what is gone */
	text[size / 2] = '\0';
	executable_write("cut.json", text);
	assert_prints("compare before.json cut.json", 1, "", NULL);
	free(text);
	free(path);
}

static void refuses_what_cannot_be_compared(void **state)
{
	(void)state;
	assert_prints("compare results nowhere", 1, "",
		"autotune: nowhere: there is no such folder of results, nor a result file\n");
	assert_prints("compare results elsewhere", 1, NULL,
		"autotune: nothing can be compared: \"results\" and \"elsewhere\" share no space, problem and device\n");
	assert_prints("compare results .", 1, "",
		"autotune: .: has no results: neither autotune.db nor <device>/<kernel>.json\n");
	assert_prints("compare results", 2, "", NULL);
	assert_prints("compare results later --margin 2", 2, "", NULL);
}

/* What the command prints on a terminal of so many columns. */
static char *run_on_terminal(int columns, const char *command)
{
	struct winsize size = { .ws_row = 24, .ws_col = (unsigned short)columns };
	int master = posix_openpt(O_RDWR | O_NOCTTY), slave, outcome;
	struct at_strbuf out = { 0 };
	char part[1024];
	ssize_t length;
	pid_t child;

	assert_true(master >= 0 && !grantpt(master) && !unlockpt(master));
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	assert_true(slave >= 0 && !ioctl(slave, TIOCSWINSZ, &size));
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		dup2(slave, 1);
		close(slave);
		close(master);
		if (!chdir(executable_place) && !setenv("NO_COLOR", "1", 1))
			execl(AT_PROGRAM, "autotune", command, "--device",
				"nvidia-h200", (char *)NULL);
		_exit(127);
	}
	close(slave);
	/* EIO where the last one has closed it */
	while ((length = read(master, part, sizeof(part))) > 0)
		at_strbuf_add_bytes(&out, part, (size_t)length);
	close(master);
	assert_int_equal(waitpid(child, &outcome, 0), child);
	assert_int_equal(outcome, 0);
	return at_strbuf_detach(&out);
}

/* A terminal would break them within their figures. */
static void lines_are_broken_between_words_on_a_narrow_terminal(void **state)
{
	static const char *const commands[] = { "history", "report", "results" };

	for (size_t i = 0; i < AT_COUNT_OF(commands); i++) {
		char *out = run_on_terminal(48, commands[i]), *line;

		assert_non_null(strstr(out, "NVIDIA H200"));
		for (line = strtok(out, "\r\n"); line; line = strtok(NULL, "\r\n"))
			if (strlen(line) > 48)
				fail_msg("%s: %s", commands[i], line);
		free(out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shows_the_nights_of_each_board),
		cmocka_unit_test(draws_with_braille_where_the_locale_has_it),
		cmocka_unit_test(
			shows_rough_times_with_few_digits_and_days_below_the_plot),
		cmocka_unit_test(shows_as_many_nights_as_are_asked_for),
		cmocka_unit_test(lines_are_broken_between_words_on_a_narrow_terminal),
		cmocka_unit_test(tells_nights_in_json),
		cmocka_unit_test(names_what_there_is_when_no_night_is),
		cmocka_unit_test(tells_what_became_slower),
		cmocka_unit_test(tells_it_in_json),
		cmocka_unit_test(compares_single_result_files),
		cmocka_unit_test(refuses_what_cannot_be_compared),
	};

	return cmocka_run_group_tests(tests, make_records, executable_end);
}
