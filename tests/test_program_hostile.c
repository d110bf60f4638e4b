/*
 * The executable on records and result files that were made to do harm: every value of
 * every table, schemas that are code, files that are cut. Nothing may be written
 * elsewhere, no header may contain their code, and no output may contain control
 * sequences for a terminal.
 */
#include "record_fixture.h"
#include "base/escape.h"
#include "executable.h"
#include "record/tables.h"
#include "record/sources.h"

#include <dirent.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "suite.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char space[] =
	"kernel: { name = \"toy\"; template = \"toy.cu\"; reference = \"toy_reference\"; };\n"
	"problems = ( { name = \"p1\"; N = 64; } );\n"
	"parameters: { A = [ 1, 2 ]; C = [ \"ca\", \"cg\" ]; };\n"
	"defaults: { A = 1; C = \"ca\"; };\n"
	"options = ( \"-DLEVEL=${A}\" );\n"
	"launch: { block = ( \"32\" ); grid = ( \"ceil_div(N, 32)\" ); };\n"
	"arguments = ( { name = \"x\"; type = \"float\"; count = \"N\"; access = \"out\"; } );\n";

static const char source[] =
	"extern \"C\" __global__ void toy(float *x) { x[threadIdx.x] = A; }\n"
	"extern \"C\" __global__ void toy_reference(float *x) { x[threadIdx.x] = 1; }\n";

/* ---- a record with everything in it ---------------------------------------- */

static int64_t put_evaluation(struct at_store *store, int64_t device_id, int64_t run_id,
	int a, enum at_outcome outcome)
{
	char configuration[64];
	double samples[] = { 1e6, 1.1e6 };
	struct at_evaluation evaluation = {
		.key = { (uint64_t)a, 1 },
		.run_id = run_id,
		.device_id = device_id,
		.space = (char *)"toy",
		.problem = (char *)"p1",
		.problem_json = (char *)"{\"N\": 64}",
		.configuration = configuration,
		.outcome = outcome,
		.detail = (char *)(outcome == AT_OUTCOME_OK ? "" : "x[0] is 1"),
		.log = (char *)"a warning",
		.time_ns = outcome == AT_OUTCOME_OK ? 1e6 : (double)NAN,
		.low_ns = NAN,
		.high_ns = NAN,
		.samples_ns = samples,
		.sample_count = 2,
		.max_relative_error = NAN,
		.facts.limiting_factor = "registers",
		.created_seconds = 1763715900,
		.board = (char *)"GPU-1",
	};

	snprintf(configuration, sizeof(configuration), "{\"A\": %d, \"C\": \"cg\"}", a);
	assert_ok(at_store_add(store, &evaluation, &failure));
	return evaluation.id;
}

static void fill(struct at_store *store)
{
	struct at_record_device device = record_device(
		"cuda", "NVIDIA H200", "nvidia-h200", "sm_90", "580", "GPU-1");
	struct at_winner best = {
		.space = (char *)"toy",
		.problem = (char *)"p1",
		.evaluation_count = 3,
		.ok_count = 2,
		.objective = &at_objective_time,
		.score = { 0.8e6, 0.75e6, 0.85e6 },
		.speedup = 2.5,
		.speedup_low = 2.25,
		.speedup_high = 2.75,
		.measurement =
			(char *)"{\"blocks\": 6, \"samples\": 30, \"clock_reasons\": \"heat\"}",
		.toolchain = (char *)"NVRTC 13.0",
		.driver = (char *)"580",
		.source_hash = (char *)"00",
		.metrics = (char *)"{\"flops\": 10}",
		.launch =
			(char *)"{\"block\": [32], \"grid\": [2], \"shared_bytes\": 0}",
		.options = (char *)"[\"-DLEVEL=2\"]",
		.gains =
			(char *)"[{\"to\": {\"A\": 2}, \"from\": {\"A\": 1}, \"share\": 1}]",
		.verification =
			(char *)"{\"problems\": 3, \"not_run\": {\"racecheck\": \"none\"}}",
		.created_seconds = 1763715900,
	};
	struct at_record_ceilings ceilings = {
		.ceilings = { 4e12, 6e13, 3e13 },
		.driver = (char *)"580",
		.created_seconds = 1763715900,
	};
	int64_t run_id;

	assert_ok(at_store_put_device(store, &device, &best.device_id, &failure));
	assert_ok(at_store_begin_run(
		store, best.device_id, "toy", "auto", 0, "1", &run_id, &failure));
	assert_ok(at_store_put_source(store, run_id, "p1", "00", &failure));
	best.baseline_id =
		put_evaluation(store, best.device_id, run_id, 1, AT_OUTCOME_OK);
	best.evaluation_id =
		put_evaluation(store, best.device_id, run_id, 2, AT_OUTCOME_OK);
	put_evaluation(store, best.device_id, run_id, 3, AT_OUTCOME_WRONG_RESULT);
	assert_ok(at_store_put_winner(store, &best, &failure));
	assert_ok(at_store_put_ceilings(store, best.device_id, &ceilings, &failure));
	assert_ok(at_store_end_run(store, run_id, "done", &failure));
}

static const char a_night[] =
	"INSERT INTO revisits (device_id, board, run_id, space, problem, configuration,"
	" source_hash, outcome, detail, verdict, objective, value, low, high, baseline,"
	" speedup, change, look_count, measurement, conditions, created_seconds) VALUES"
	" (1, 'GPU-1', 1, 'toy', 'p1', '{\"A\": 2}', '00', 'ok', 'why', 'same', 'time',"
	" 5e5, 4e5, 6e5, 1e6, 2.0, 1.01, 2, '{}', '{\"driver\": \"580\"}', 1763715900)";

/* Everything anew, and then this is done to the record; false: SQLite refuses it. */
static bool make(const char *sql)
{
	struct at_error err = { 0 };
	OWNED(at_sqlite_close) struct at_sqlite *database;
	struct at_store *store;
	OWNED(free) char *folder, *path;
	bool done;

	executable_end(NULL);
	executable_begin(NULL);
	executable_write("toy.cfg", space);
	executable_write("toy.cu", source);
	folder = executable_path("results");
	path = executable_path("results/autotune.db");
	assert_ok(at_store_open(folder, &store, &failure));
	fill(store);
	at_store_close(store);
	assert_ok(at_sqlite_open(path, &database, &failure));
	assert_ok(at_sqlite_execute(database, a_night, &failure));
	done = !at_sqlite_execute(database, sql, &err);
	return done;
}

/* ---- what must hold -------------------------------------------------------- */

static void assert_shown(const char *line, const char *what, const char *text)
{
	size_t size = strlen(text), length;

	for (size_t i = 0; i < size; i += length) {
		uint32_t character = at_character(text + i, size - i, &length);

		if (character != '\n' && character != '\t' &&
			!at_character_is_shown(character))
			fail_msg("%s of \"autotune %s\" has U+%04X after \"%.60s\"",
				what, line, (unsigned)character,
				text + (i > 40 ? i - 40 : 0));
	}
}

/* Runs it; whatever comes of it, it is an answer, and plain text. */
static struct executable_outcome run(const char *line)
{
	struct executable_outcome outcome = executable_run(line);

	if (outcome.code < 0 || outcome.code > 4)
		fail_msg("autotune %s: %d\n%s", line, outcome.code, outcome.err);
	assert_shown(line, "output", outcome.out);
	assert_shown(line, "error", outcome.err);
	return outcome;
}

static void run_plainly(const char *line)
{
	struct executable_outcome outcome = run(line);

	executable_drop(&outcome);
}

/* Of a header that is another than that of an honest record: it is C, and has no code
   of theirs, which would be of this name. */
static void assert_no_code(const char *header)
{
	char line[400];

	executable_write("found.h", header);
	executable_write("found.c", "#include \"found.h\"\n"
				    "#ifdef INJECTED\n"
				    "#error INJECTED\n"
				    "#endif\n"
				    "enum { injected };\n");
	snprintf(line, sizeof(line),
		"cd %s && cc -std=c99 -Wall -I%s -fsyntax-only found.c 2> cc.txt",
		executable_place, AT_TEST_DIR "/../tuner/record");
	if (system(line)) {
		char *said = executable_read("cc.txt");

		fail_msg("%s\nin a header:\n%s", said, header);
	}
}

/* Nothing but what belongs there. */
static void assert_nothing_else(const char *what)
{
	static const char *const known[] = { ".", "..", "toy.cfg", "toy.cu", "results",
		"copy", "err.txt", "out.txt", "found.h", "found.c", "cc.txt", "other",
		"honest" };
	DIR *folder = opendir(executable_place);
	const struct dirent *entry;

	assert_non_null(folder);
	while ((entry = readdir(folder))) {
		bool is_known = false;

		for (size_t i = 0; i < COUNT(known); i++)
			is_known |= !strcmp(entry->d_name, known[i]);
		if (!is_known)
			fail_msg("%s: there is %s now", what, entry->d_name);
	}
	closedir(folder);
}

static char *honest_header;

/* The header, and some of all commands that read a record: from case to case others. */
static void try_some(const char *what)
{
	static const char *const lines[] = { "results --results results --all",
		"results --results results --json", "results --results results --table",
		"header toy.cfg --results results --flags",
		"header toy.cfg --results results", "history --results results",
		"export toy.cfg --results results --format csv -o -",
		"export toy.cfg --results results --format kernel-tuner -o -",
		"compare results results", "forget toy.cfg --results results",
		"import results --results copy" };
	static size_t next_line;
	RELEASED(executable_drop) struct executable_outcome outcome;

	outcome = run("header toy.cfg --results results -o -");
	if (!outcome.code && strcmp(outcome.out, honest_header) != 0)
		assert_no_code(outcome.out);
	for (size_t i = 0; i < 2; i++)
		run_plainly(lines[next_line++ % COUNT(lines)]);
	assert_nothing_else(what);
}

static int begin(void **state)
{
	RELEASED(executable_drop) struct executable_outcome outcome;

	executable_begin(state);
	assert_true(make("SELECT 1"));
	outcome = run("header toy.cfg --results results -o -");
	if (outcome.code)
		fail_msg("%s", outcome.err);
	assert_non_null(strstr(outcome.out, "#define TOY_0_A 2\n"));
	honest_header = strdup(outcome.out);
	return 0;
}

static int end(void **state)
{
	free(honest_header);
	return executable_end(state);
}

/* ---- every value ----------------------------------------------------------- */

/* What a text may be, as SQL: one after the other, row by row of this list. */
static const char *const texts[] = {
	("'x' || char(27) || '[31mx' || char(155) || '2J' || char(8238) || 'y' || char(8203)"
	 " || char(10) || '#define INJECTED 1' || char(10) || 'int injected(void) { return 1; }'"),
	"'x*/ int injected(void) { return 1; } /*'",
	"'../../outside'",
	"'\"; $(touch pwned) `touch pwned` <script> | =1+1 ?' || '?/'",
	"CAST(x'c328ff9b1b5b33316d' AS TEXT)",
};

static bool is_text(enum at_cell kind)
{
	switch (kind) {
	case AT_CELL_ORIGIN:
	case AT_CELL_NAME:
	case AT_CELL_WORD:
	case AT_CELL_SLUG:
	case AT_CELL_LINE:
	case AT_CELL_TEXT:
	case AT_CELL_VALUES:
	case AT_CELL_JSON:
	case AT_CELL_LAUNCH:
	case AT_CELL_OPTIONS:
	case AT_CELL_OUTCOME:
	case AT_CELL_VERDICT:
	case AT_CELL_OBJECTIVE:
		return true;
	default:
		return false;
	}
}

LONG_TEST(survives_any_text_in_any_column)
{
	size_t next = 0;

	for (size_t i = 0; at_tables[i]; i++) {
		const struct at_table *table = at_tables[i];

		for (size_t k = 0; k < table->count; k++) {
			const struct at_column *column = &table->columns[k];
			char sql[600];

			if (!is_text(column->kind))
				continue;
			snprintf(sql, sizeof(sql), "UPDATE %s SET %s = %s", table->name,
				column->name, texts[next++ % COUNT(texts)]);
			assert_true(make(sql));
			try_some(sql);
		}
	}
}

/* Other types, other sizes: of all columns of a table at once, as far as it takes them.
 */
LONG_TEST(survives_any_type_in_any_column)
{
	static const char *const values[] = { "x'00ff'", "-1", "9223372036854775807",
		"9e999", "''", "zeroblob(2000000)", "'0x10'" };

	for (size_t v = 0; v < COUNT(values); v++) {
		RELEASED(at_strbuf_release) struct at_strbuf sql = { 0 };

		for (size_t i = 0; at_tables[i]; i++)
			for (size_t k = 0; k < at_tables[i]->count; k++)
				if (at_tables[i]->columns[k].kind >= AT_CELL_ORIGIN &&
					strcmp(at_tables[i]->columns[k].name, "slug") !=
						0)
					at_strbuf_addf(&sql,
						"UPDATE OR IGNORE %s SET %s = %s WHERE id %% 3 = %zu;",
						at_tables[i]->name,
						at_tables[i]->columns[k].name,
						values[v], k % 3);
		make(at_strbuf_text(&sql));
		try_some(values[v]);
	}
}

TEST(survives_json_that_says_something_else)
{
	static const char *const updates[] = {
		"evaluations SET problem_json = '{\"N\": \"*/ int injected = 1; /*\"}'",
		"evaluations SET problem_json = '{\"N\": 1e999}'",
		"evaluations SET problem_json = '{\"N\": -9223372036854775808}'",
		"evaluations SET problem_json = '{\"N\": [1]}'",
		"evaluations SET configuration = '{\"A\": 2, \"C\": \"*/ int injected;\"}'",
		"evaluations SET configuration = '{\"A\": 2, \"\\u001b[31m\": 1}'",
		"evaluations SET configuration = '{\"A\": 2, \"C\": \"\\u009b31m\\u202e\\n\"}'",
		"crowns SET options = '[\"x\\n#define INJECTED 1\\nint injected;\\n//\"]'",
		"crowns SET options = '[\"-Dint=long\", \"-DLEVEL=2\"]'",
		"crowns SET options = '[\"-fplugin=./evil.so\"]'",
		"crowns SET options = '[\"-DX=$<SHELL:touch pwned>;touch pwned\"]'",
		"crowns SET options = '{\"a\": 1}'",
		"crowns SET options = '[1, null, {}]'",
		"crowns SET launch = '{\"block\": [-1], \"grid\": [1e99]}'",
		"crowns SET launch = '{\"block\": [32], \"grid\": [1], \"shared_bytes\": 1e18}'",
		"crowns SET metrics = '{\"flops\": \"*/\", \"bytes\": -1}'",
		"crowns SET gains = '[{\"to\": {\"\\u001b[31m\\n\": \"\\u202e\"}, \"from\": [], \"share\": 1e300}]'",
		"crowns SET measurement = '{\"blocks\": -1e300, \"samples\": 1e300, \"clock_reasons\": \"\\u001b]0;x\\u0007\\n\"}'",
		"crowns SET proof = '{\"withdrawn\": \"\\u001b[2J\\n */ int injected;\"}', is_unproved = 1",
		"crowns SET proof = '{\"not_run\": {\"racecheck\": \"\\u001b[2J\\n\"}, \"problems\": -1}'",
		"crowns SET evaluation_count = 9223372036854775807, ok_count = -5",
		"crowns SET evaluation_id = 99",
		"crowns SET baseline_id = 99",
		"crowns SET created_seconds = 9223372036854775807",
		"crowns SET speedup = -1, value = 9e999",
		"crowns SET portfolio_id = 7",
		"revisits SET conditions = '{\"\\u001b[31m\": \"\\u001b[31m\\n\"}'",
		"devices SET properties = '{\"multiprocessor_count\": -9223372036854775808}'",
		"devices SET properties = '[]'",
		"devices SET slug = '/tmp/outside'",
		"devices SET slug = '..'",
		"devices SET slug = 'nights'",
		"devices SET slug = ''",
		"sources SET source_hash = char(27) || '[31m'",
		"evaluations SET device_id = 77",
		"evaluations SET samples_ns = x'0000000000f07f', log = char(27) || '[31m'",
	};

	for (size_t i = 0; i < COUNT(updates); i++) {
		char sql[400];

		snprintf(sql, sizeof(sql), "PRAGMA foreign_keys = OFF; UPDATE %s",
			updates[i]);
		assert_true(make(sql));
		try_some(sql);
	}
}

/* ---- the file -------------------------------------------------------------- */

/* Each is refused in one line by every command, or harmless. */
LONG_TEST(survives_a_schema_that_is_code)
{
	static const char *const changes[] = {
		"ALTER TABLE crowns RENAME TO other; CREATE VIEW crowns AS SELECT * FROM other",
		"CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM evaluations; END",
		"CREATE VIEW v AS SELECT randomblob(1000000000)",
		"CREATE TABLE more (a DEFAULT (hex(randomblob(100000000))))",
		"CREATE INDEX slow ON evaluations (hex(zeroblob(length(space) * 10000000)))",
		"CREATE INDEX some ON evaluations (space) WHERE length(log) > 5",
		"ALTER TABLE devices ADD COLUMN g TEXT GENERATED ALWAYS AS (slug || '/..')",
		"ALTER TABLE devices ADD COLUMN c TEXT CHECK (length(hex(zeroblob(10))) > 1)",
		"ALTER TABLE evaluations DROP COLUMN log",
		"DROP TABLE portfolios",
		"DROP TABLE spaces",
		"PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE crowns (a)' WHERE name = 'crowns'",
		"PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 2 WHERE type = 'table'",
		"PRAGMA user_version = -1",
		"PRAGMA user_version = 2147483647",
		"PRAGMA user_version = 1",
		"PRAGMA user_version = 5",
	};

	for (size_t i = 0; i < COUNT(changes); i++) {
		make(changes[i]);
		try_some(changes[i]);
	}
}

TEST(survives_pages_that_are_rubbish)
{
	OWNED(free) char *path, *data, *broken;
	size_t size;

	assert_true(make("SELECT 1"));
	path = executable_path("results/autotune.db");
	assert_ok(at_file_read(path, 0, &data, &size, &failure));
	broken = malloc(size);
	assert_non_null(broken);
	for (size_t at = 0; at < size; at += 4096) {
		memcpy(broken, data, size);
		for (size_t i = 60; i < 4096; i += 7)
			broken[at + i] = (char)(at / 4096 * 31 + i * 13);
		assert_ok(at_file_replace(path, broken, size, &failure));
		run_plainly("results --results results");
		run_plainly("header toy.cfg --results results -o -");
	}
	assert_nothing_else("rubbish");
}

/* ---- told once, and never deleted ------------------------------------------ */

TEST(tells_of_the_first_row_that_it_leaves_out)
{
	RELEASED(executable_drop) struct executable_outcome outcome;
	struct at_sqlite *database;
	int64_t count = 0;
	OWNED(free) char *path;

	assert_true(make("UPDATE evaluations SET board = char(27) WHERE id = 3;"
			 "UPDATE evaluations SET space = '' WHERE id = 1;"
			 "UPDATE crowns SET baseline_id = NULL"));
	outcome = run("results --results results");
	assert_int_equal(outcome.code, 0);
	assert_string_equal(outcome.err,
		"autotune: results/autotune.db: evaluations 1: \"space\" is empty; rows that make no sense are left out\n");
	assert_non_null(strstr(outcome.out, "A=2 C=cg"));
	assert_null(strstr(outcome.out, "A=3 C=cg"));
	/* still there */
	path = executable_path("results/autotune.db");
	assert_ok(at_sqlite_open(path, &database, &failure));
	assert_ok(at_sqlite_integer(
		database, "SELECT count(*) FROM evaluations", &count, &failure));
	at_sqlite_close(database);
	assert_int_equal(count, 3);
}

TEST(refuses_a_device_that_would_lead_elsewhere)
{
	RELEASED(executable_drop) struct executable_outcome outcome;

	assert_true(make("UPDATE devices SET slug = '../elsewhere'"));
	outcome = run("header toy.cfg --results results");
	assert_int_equal(outcome.code, 1);
	assert_string_equal(outcome.err,
		"autotune: results/autotune.db: devices 1: \"slug\" is no name of a folder; all else refers to devices, so that nothing of this record is used: move it away, or choose another place with --results DIR\n");
	assert_nothing_else("elsewhere");
}

/* ---- result files ---------------------------------------------------------- */

/* Each text of one in turn is made into harm; without a record it is read by all. */
TEST(survives_any_text_in_a_result_file)
{
	static const char *const harms[] = { "\\u001b[31m", "\\u009b2J", "\\u202e",
		"*/ int injected; /*", "\xc2\x9b", "\xff", "?\?/\\n",
		"\\\"; $(touch pwned)" };
	char *path;
	OWNED(free) char *text;
	char *place;
	size_t next = 0, quotes = 0;

	assert_true(make("SELECT 1"));
	run_plainly("header toy.cfg --results results");
	path = executable_path("results/autotune.db");
	assert_int_equal(unlink(path), 0);
	free(path);
	path = executable_path("results/nvidia-h200/toy.json");
	text = file_text(path);
	/* every fifth quote begins a text, or ends one */
	for (place = strchr(text, '"'); place; place = strchr(place + 1, '"')) {
		RELEASED(at_strbuf_release) struct at_strbuf changed = { 0 };
		struct executable_outcome outcome;

		if (++quotes % 5)
			continue;

		at_strbuf_add_bytes(&changed, text, (size_t)(place - text) + 1);
		at_strbuf_add(&changed, harms[next++ % COUNT(harms)]);
		at_strbuf_add(&changed, place + 1);
		assert_ok(
			at_file_replace(path, changed.data, changed.length, &failure));
		outcome = run("header toy.cfg --results results -o -");
		if (!outcome.code && strcmp(outcome.out, honest_header) != 0)
			assert_no_code(outcome.out);
		executable_drop(&outcome);
		run_plainly("results --results results");
	}
	free(path);
	assert_nothing_else("result file");
}

/* ---- two spaces ------------------------------------------------------------ */

TEST(refuses_a_second_space_of_one_name)
{
	static const char tune[] =
		" --device host --results results --set A=1 --budget 1 --sanitize never --quiet";
	static const char work[] =
		"kernel: { name = \"add\"; template = \"add.cu\"; reference = \"add_reference\"; };\n"
		"problems = ( { name = \"p\"; N = 64; } );\n"
		"parameters: { A = [ 1, 2 ]; };\n"
		"defaults: { A = 1; };\n"
		"launch: { block = ( \"32\" ); grid = ( \"ceil_div(N, 32)\" ); };\n"
		"arguments = ( { name = \"x\"; type = \"float\"; count = \"N\"; access = \"out\"; },\n"
		"  { name = \"n\"; type = \"int\"; value = \"N\"; } );\n"
		"search: { cache = \"warm\"; };\n";
	static const char kernel[] =
		"#define BODY { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = 1; }\n"
		"extern \"C\" __global__ void add(float *x, int n) BODY\n"
		"extern \"C\" __global__ void add_reference(float *x, int n) BODY\n";
	struct executable_outcome outcome;
	char line[200];
	OWNED(free) char *from, *to;
	struct at_strbuf other = { 0 };

	executable_end(NULL);
	executable_begin(NULL);
	executable_write("one.cfg", work);
	executable_write("add.cu", kernel);
	snprintf(line, sizeof(line), "one.cfg%s", tune);
	outcome = run(line);
	if (outcome.code)
		fail_msg("%s", outcome.err);
	executable_drop(&outcome);
	/* the same under another name is a copy */
	executable_write("two.cfg", work);
	outcome = run("header two.cfg --results results -o -");
	assert_int_equal(outcome.code, 0);
	executable_drop(&outcome);
	at_strbuf_addf(&other, "# another\n%s", work);
	executable_write("two.cfg", at_strbuf_text(&other));
	at_strbuf_release(&other);
	snprintf(line, sizeof(line), "two.cfg%s", tune);
	outcome = run(line);
	assert_int_equal(outcome.code, 1);
	assert_non_null(strstr(outcome.err,
		"two.cfg:2: the kernel name \"add\" belongs to another space in these results, /"));
	assert_non_null(strstr(outcome.err,
		"/one.cfg, and results and headers are kept by that name: give one of the two files another name in \"kernel\", or this one another folder with --results"));
	assert_int_equal(executable_count_lines(outcome.err), 1);
	executable_drop(&outcome);
	outcome = run("header one.cfg two.cfg --results results -o other");
	executable_drop(&outcome);
	outcome = run("header two.cfg --results results -o -");
	assert_int_equal(outcome.code, 1);
	assert_non_null(strstr(outcome.err, "/one.cfg, and results"));
	executable_drop(&outcome);
	/* who was moved is no other one */
	from = executable_path("one.cfg");
	to = executable_path("moved.cfg");
	assert_int_equal(rename(from, to), 0);
	outcome = run("header moved.cfg --results results -o -");
	assert_int_equal(outcome.code, 0);
	executable_drop(&outcome);
}

RUN_SUITE(begin, end)
