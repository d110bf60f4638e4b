/* The executable on result files: without a record, beside one, and damaged. */
#include "record_fixture.h"
#include "base/memory.h"
#include "executable.h"
#include "record/store.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "suite.h"

#define FOLDER "shipped/nvidia-h200"

static char *bundled_text(void)
{
	char *text = file_text(AT_TEST_DIR "/data/result/matmul.json");
	return text;
}

static void make_directory(const char *name)
{
	OWNED(free) char *path = executable_path(name);

	assert_ok(at_directory_make(path, &failure));
}

static int make_files(void **state)
{
	OWNED(free) char *text;

	executable_begin(state);
	make_directory(FOLDER);
	text = bundled_text();
	executable_write(FOLDER "/matmul.json", text);
	return 0;
}

#define WINNER \
	"matmul, square 4096 on NVIDIA H200 (nvidia-h200, sm_90)\n" \
	"  winner    1.23 ms (95 % interval 1.23 ms to 1.24 ms), 2.02x (95 % interval 2.01x to 2.04x) over the baseline, recorded 2025-11-21 09:05 UTC; of a result file\n"

TEST(shows_what_a_fresh_clone_ships)
{
	static const char *const parts[] = {
		WINNER,
		"         2  ok                  correct, and timed\n",
		"  * 1.23 ms    1.23 ms to 1.24 ms      2.02x     50 %       BLOCK_X=32",
		"    2.50 ms    2.49 ms to 2.51 ms      1.00x                the baseline",
		"matmul, tall on NVIDIA H200",
		"\nThere is no record in shipped: these are its result files, which have winners and baselines alone.\n",
	};
	RELEASED(executable_drop)
	struct executable_outcome outcome = executable_run("results --results shipped");
	OWNED(free) char *database = executable_path("shipped/autotune.db");

	assert_int_equal(outcome.code, 0);
	assert_string_equal(outcome.err, "");
	for (size_t i = 0; i < AT_COUNT_OF(parts); i++)
		if (!strstr(outcome.out, parts[i]))
			fail_msg("no %s in\n%s", parts[i], outcome.out);
	/* there are no ceilings to compare with, and no advice to make a record */
	assert_null(strstr(outcome.out, "autotune devices"));
	assert_false(at_file_exists(database));
}

TEST(finds_what_is_asked_for_in_files)
{
	static const struct {
		const char *line;
		int code;
		size_t groups;
	} rows[] = {
		{ "results --results shipped --json", 0, 2 },
		{ "results --results shipped --json matmul", 0, 2 },
		{ "results --results shipped --json --problem tall", 0, 1 },
		{ "results --results shipped --json --device nvidia-h200", 0, 2 },
		{ "results --results shipped --json --device sm_90", 0, 2 },
		{ "results --results shipped --json --device nvidia-h100", 1, 0 },
		{ "results --results shipped --json other", 1, 0 },
		{ "results --results nowhere --json", 1, 0 },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		RELEASED(executable_drop)
		struct executable_outcome outcome = executable_run(rows[i].line);
		struct at_json *line;

		if (outcome.code != rows[i].code ||
			executable_count_lines(outcome.out) != rows[i].groups)
			fail_msg("autotune %s: exit code %d\n%s%s", rows[i].line,
				outcome.code, outcome.out, outcome.err);
		if (rows[i].groups) {
			line = executable_json_line(outcome.out, 0);
			assert_true(at_json_is_true(at_json_get(line, "bundled")));
			at_json_free(line);
		}
	}
}

TEST(goes_on_beside_a_file_that_is_damaged)
{
	OWNED(free) char *path = executable_path(FOLDER "/broken.json");

	executable_write(FOLDER "/broken.json", "{\"version\": 1,\n");
	executable_expect("results --results shipped", 0, "<...>" WINNER "<...>",
		"autotune: shipped/nvidia-h200/broken.json:2: <...>; this file is left aside\n");
	/* where it is the only one, something is there all the same */
	make_directory("conflict/a");
	executable_write(
		"conflict/a/toy.json", "<<<<<<< HEAD\n{\n=======\n{}\n>>>>>>> other\n");
	executable_expect("results --results conflict", 1, NULL,
		"<...>; this file is left aside\n<...>nothing that is recorded in \"conflict\" can be used: there is no autotune.db, and its result files are left aside<...>");
	assert_int_equal(remove(path), 0);
}

/* Results are kept in git: a header that lacks the winners of a file that a merge left
   in pieces would replace the one that has them, and so would the file itself. */
TEST(replaces_nothing_beside_a_file_in_pieces)
{
	static const char space[] =
		"kernel: { name = \"matmul\"; template = \"k.cu\"; reference = \"r\"; };\n"
		"problems = ( { name = \"square 4096\"; N = 4096; } );\n"
		"parameters: { BLOCK_X = [ 16, 32 ]; };\n"
		"launch: { block = ( \"BLOCK_X\" ); grid = ( 1 ); };\n"
		"arguments = ( { name = \"y\"; type = \"float\"; count = \"N\"; access = \"out\"; } );\n";
	char *path, *text = bundled_text(), *begin = strchr(text, ',') + 2;
	RELEASED(at_strbuf_release) struct at_strbuf pieces = { 0 };

	at_strbuf_add_bytes(&pieces, text, (size_t)(begin - text));
	at_strbuf_addf(&pieces, "<<<<<<< HEAD\n%s", begin);
	executable_write(FOLDER "/matmul.json", at_strbuf_text(&pieces));
	executable_write("matmul.cfg", space);
	executable_write("k.cu",
		"extern \"C\" __global__ void matmul(float *y) { *y = BLOCK_X; }\n"
		"extern \"C\" __global__ void r(float *y) { *y = 1; }\n");
	executable_write("shipped/matmul.h", "as it was\n");
	/* another device has a whole file */
	make_directory("shipped/nvidia-h201");
	*strstr(strstr(text, "NVIDIA H200"), "0\"") = '1';
	executable_write("shipped/nvidia-h201/matmul.json", text);
	*strstr(strstr(text, "NVIDIA H201"), "1\"") = '0';
	executable_expect("header matmul.cfg --results shipped", 1, "",
		"<...>autotune: shipped/nvidia-h200/matmul.json:3: <...>: a merge left its conflict in this file; nothing is written that would lack its winners: mend this file, or remove it, and run \"autotune header\"\n");
	executable_expect("results --results shipped", 0, "<...>nvidia-h201<...>",
		"<...>; this file is left aside\n<...>");
	executable_write(FOLDER "/matmul.json", text);
	path = executable_path("shipped/nvidia-h201/matmul.json");
	assert_int_equal(remove(path), 0);
	free(path);
	path = executable_path("shipped/matmul.h");
	free(text);
	text = file_text(path);
	assert_string_equal(text, "as it was\n");
	free(path);
	free(text);
}

/* Somebody tuned something else here: what is shipped is still there. */
TEST(shows_files_beside_a_record)
{
	struct at_record_device device =
		record_device("host", "A CPU", "a-cpu", "x86_64", "6", "");
	struct at_evaluation evaluation = {
		.key = { 1, 1 },
		.space = "toy",
		.problem = "p",
		.problem_json = "{}",
		.configuration = "{\"A\": 1}",
		.outcome = AT_OUTCOME_OK,
		.time_ns = 1e6,
		.low_ns = 1e6,
		.high_ns = 1e6,
	};
	OWNED(free)
	char *directory = executable_path("shipped"),
	     *database = executable_path("shipped/autotune.db");
	struct executable_outcome outcome;
	struct at_store *store;

	assert_ok(at_store_open(directory, &store, &failure));
	assert_ok(at_store_put_device(store, &device, &evaluation.device_id, &failure));
	assert_ok(at_store_add(store, &evaluation, &failure));
	at_store_close(store);
	outcome = executable_run("results --results shipped");
	assert_int_equal(outcome.code, 0);
	assert_non_null(strstr(outcome.out, WINNER));
	assert_non_null(strstr(outcome.out, "  * 1.23 ms"));
	assert_non_null(strstr(outcome.out, "    2.50 ms"));
	assert_non_null(strstr(outcome.out, "toy, p on A CPU"));
	assert_null(strstr(outcome.out, "There is no record"));
	executable_drop(&outcome);
	outcome = executable_run("results --results shipped matmul --json");
	assert_int_equal(executable_count_lines(outcome.out), 2);
	executable_drop(&outcome);
	assert_int_equal(remove(database), 0);
}

RUN_SUITE(make_files, executable_end)
