/* The executable on records with nights, and on two sets of results. */
#include "record_fixture.h"
#include "base/memory.h"
#include "executable.h"
#include "record/history.h"

#include <fcntl.h>
#include <math.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "suite.h"

#define DAY 86400
/* 2025-11-21 02:00 UTC */
#define FIRST 1763690400

static struct at_store *open_store(const char *name)
{
	OWNED(free) char *directory = executable_path(name);
	struct at_store *store;

	assert_ok(at_store_open(directory, &store, &failure));
	return store;
}

static int64_t put_device(struct at_store *store, const char *model, const char *slug)
{
	struct at_record_device device =
		record_device("cuda", model, slug, "sm_90", "580.1", "");
	int64_t id;

	assert_ok(at_store_put_device(store, &device, &id, &failure));
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

	if (verdict == AT_VERDICT_INCORRECT) {
		revisit.outcome = AT_OUTCOME_WRONG_RESULT;
		revisit.detail = "C[7] is 1, expected\n2";
		revisit.score = revisit.speedup = revisit.change =
			(struct at_score)AT_SCORE_UNKNOWN;
	}
	assert_ok(at_store_put_revisit(store, &revisit, &failure));
}

static void best(struct at_store *store, int64_t device_id, const char *problem,
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
		.time_ns = 1e6 * time_ms,
	};
	struct at_winner won = {
		.device_id = device_id,
		.space = "toy",
		.problem = (char *)problem,
		.objective = &at_objective_time,
		.score = { 1e6 * time_ms, 0.998e6 * time_ms, 1.002e6 * time_ms },
		.speedup = NAN,
		.source_hash = "00ff",
		.created_seconds = seconds,
	};

	assert_ok(at_store_add(store, &evaluation, &failure));
	won.evaluation_id = evaluation.id;
	assert_ok(at_store_put_winner(store, &won, &failure));
}

static int make_records(void **state)
{
	struct at_store *store;
	int64_t id;

	executable_begin(state);
	store = open_store("results");
	id = put_device(store, "NVIDIA H200", "nvidia-h200");
	put_night(store, id, "GPU-1", 0, 1.0, AT_VERDICT_FIRST);
	put_night(store, id, "GPU-1", 1, 1.001, AT_VERDICT_SAME);
	put_night(store, id, "GPU-1", 2, 1.06, AT_VERDICT_SLOWER);
	put_night(store, id, "GPU-1", 3, 0, AT_VERDICT_INCORRECT);
	put_night(store, id, "GPU-2", 0, 1.0, AT_VERDICT_FIRST);
	best(store, id, "large", 1, 1);
	best(store, id, "small", 1, 2);
	best(store, id, "gone", 1, 3);
	put_night(store, put_device(store, "NVIDIA H100", "nvidia-h100"), "", 0, 1.5,
		AT_VERDICT_FIRST);
	at_store_close(store);
	store = open_store("later");
	id = put_device(store, "NVIDIA H200", "nvidia-h200");
	best(store, id, "large", 1.05, 4);
	best(store, id, "small", 0.9, 5);
	best(store, id, "new", 1, 6);
	at_store_close(store);
	store = open_store("elsewhere");
	best(store, put_device(store, "NVIDIA A100", "nvidia-a100"), "large", 1, 7);
	at_store_close(store);
	store = open_store("rough");
	id = put_device(store, "NVIDIA H200", "nvidia-h200");
	spread = 0.305;
	for (int night = 0; night < 15; night++)
		put_night(store, id, "GPU-1", night, 1 + 0.001 * night,
			night == 14 ? AT_VERDICT_FASTER : AT_VERDICT_SAME);
	spread = 0.002;
	at_store_close(store);
	setenv("LC_ALL", "C", 1);
	return 0;
}

/* Nights of each board, by space and as many as are asked for; rough times, with few
   digits and days below the plot; what became slower; what cannot be compared. */
TEST(shows_what_the_golden_has)
{
	executable_compare("nights", NULL);
}

TEST(draws_with_braille_where_the_locale_has_it)
{
	RELEASED(executable_drop) struct executable_outcome outcome;

	setenv("LC_ALL", "C.UTF-8", 1);
	outcome = executable_run("history --device nvidia-h200");
	setenv("LC_ALL", "C", 1);
	assert_int_equal(outcome.code, 0);
	assert_non_null(strstr(outcome.out, "\xe2\xa0"));
	assert_non_null(
		strstr(outcome.out, "  2025-11-21 02:00 UTC  1.0000 ms   \xc2\xb1"
				    "0.20 %   2.00x              first\n"));
	assert_null(strchr(outcome.out, '*'));
}

/* ---- two sets of results --------------------------------------------------- */

TEST(compares_single_result_files)
{
	OWNED(free) char *path = at_path_join(AT_TEST_DIR, "data/result/matmul.json");
	char line[600];
	OWNED(free) char *text;
	char *found;
	size_t size;

	assert_ok(at_file_read(path, 0, &text, &size, &failure));
	executable_write("before.json", text);
	/* another day */
	found = strstr(text, "\"measured\": \"2");
	assert_non_null(found);
	found[strlen("\"measured\": \"")] = '3';
	executable_write("after.json", text);
	snprintf(line, sizeof(line), "compare before.json %s", path);
	executable_expect(line, 0, NULL, "");
	executable_expect("compare before.json after.json", 0, NULL, "");
	/* what is cut off is not taken for what is gone */
	text[size / 2] = '\0';
	executable_write("cut.json", text);
	executable_expect("compare before.json cut.json", 1, "", NULL);
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
TEST(lines_are_broken_between_words_on_a_narrow_terminal)
{
	static const char *const commands[] = { "history", "report", "results" };

	for (size_t i = 0; i < AT_COUNT_OF(commands); i++) {
		OWNED(free) char *out = run_on_terminal(48, commands[i]);
		char *line;

		assert_non_null(strstr(out, "NVIDIA H200"));
		for (line = strtok(out, "\r\n"); line; line = strtok(NULL, "\r\n"))
			if (strlen(line) > 48)
				fail_msg("%s: %s", commands[i], line);
	}
}

RUN_SUITE(make_records, executable_end)
