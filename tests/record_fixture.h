/* What the tests of the record share: a place for one, questions to a database, rows to
   add, and rows compared by the columns of their table. */
#ifndef AT_TESTS_RECORD_FIXTURE_H
#define AT_TESTS_RECORD_FIXTURE_H

#include "folder.h"
#include "record/store.h"
#include "record/tables.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "suite.h"

static inline struct at_record_device record_device(const char *kind, const char *model,
	const char *slug, const char *architecture, const char *driver,
	const char *uuid)
{
	return (struct at_record_device){ .kind = (char *)kind,
		.model = (char *)model,
		.slug = (char *)slug,
		.architecture = (char *)architecture,
		.driver = (char *)driver,
		.uuid = (char *)uuid };
}

/* The first number that the query of a database gives. */
static inline int64_t record_ask(const char *path, const char *sql)
{
	struct at_sqlite *database;
	int64_t value;

	assert_ok(at_sqlite_open(path, &database, &failure));
	assert_ok(at_sqlite_integer(database, sql, &value, &failure));
	at_sqlite_close(database);
	return value;
}

static inline void record_tell(const char *path, const char *sql)
{
	struct at_sqlite *database;

	assert_ok(at_sqlite_open(path, &database, &failure));
	assert_ok(at_sqlite_execute(database, sql, &failure));
	at_sqlite_close(database);
}

static inline struct at_store *record_open(const char *folder)
{
	struct at_store *store;

	assert_ok(at_store_open(folder, &store, &failure));
	return store;
}

/* A folder, and in it the path of results, which are not there yet. */
struct record_place {
	char folder[64];
	char results[96];
	char database[128];
	char log[136];
	char index[136];
	struct at_store *store; /* for the test; closed at its end */
};

static inline void record_place_make(struct record_place *place)
{
	strcpy(place->folder, "/tmp/autotune-record-XXXXXX");
	assert_non_null(folder_make(place->folder));
	/* another user has to get through */
	assert_int_equal(chmod(place->folder, 0755), 0);
	/* with what a URI would take for its own */
	snprintf(place->results, sizeof(place->results), "%s/a/b c%%20?d#e",
		place->folder);
	snprintf(place->database, sizeof(place->database), "%s/autotune.db",
		place->results);
	snprintf(place->log, sizeof(place->log), "%s-wal", place->database);
	snprintf(place->index, sizeof(place->index), "%s-shm", place->database);
}

static inline void record_place_remove(struct record_place *place)
{
	at_store_close(place->store);
	chmod(place->results, 0755);
	folder_remove(place->folder);
}

/* A case with a place. */
#define TEST_AT(name, variable) \
	TEST_ON(name, struct record_place, variable, record_place_make, \
		record_place_remove)

static inline int64_t place_ask(const struct record_place *place, const char *sql)
{
	return record_ask(place->database, sql);
}

static inline void place_tell(const struct record_place *place, const char *sql)
{
	record_tell(place->database, sql);
}

static inline struct at_store *place_open(const struct record_place *place)
{
	return record_open(place->results);
}

/* Makes the record of an older version, as tests/data/record has it. */
static inline void place_write_version(const struct record_place *place, int version)
{
	char path[256];
	OWNED(free) char *sql;

	snprintf(
		path, sizeof(path), AT_TEST_DIR "/data/record/version_%d.sql", version);
	sql = file_text(path);
	assert_ok(at_directory_make(place->results, &failure));
	unlink(place->database);
	place_tell(place, sql);
}

/* The query's plan is one step that uses an index, and sorts nothing. */
static inline void assert_plan(
	const struct record_place *place, const char *sql, const char *step)
{
	OWNED(at_sqlite_close) struct at_sqlite *database;
	struct at_statement *plan;
	bool row;

	assert_ok(at_sqlite_open(place->database, &database, &failure));
	assert_ok(at_sqlite_prepare(database, sql, &plan, &failure));
	assert_ok(at_statement_step(plan, &row, &failure));
	assert_non_null(strstr(at_statement_text(plan, 3), step));
	assert_ok(at_statement_step(plan, &row, &failure));
	assert_false(row);
	at_statement_free(plan);
}

static inline void assert_record_is_intact(const char *path)
{
	assert_int_equal(
		record_ask(path,
			"SELECT (SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok')"
			" + (SELECT count(*) FROM pragma_foreign_key_check)"),
		0);
}

/* Runs body(context) in a process of its own, which has to end with 0. */
static inline void in_a_child(int (*body)(void *context), void *context)
{
	pid_t child = fork();

	assert_true(child >= 0);
	if (!child)
		_exit(body(context));
	assert_int_equal(exit_of(child), 0);
}

/* Root may write anywhere: true where this process may not any more. */
static inline bool become_nobody(void)
{
	return geteuid() != 0 || (setgid(65534) == 0 && setuid(65534) == 0);
}

/* An evaluation that took so long; NAN: it was wrong. Nothing else is known. */
static inline struct at_evaluation record_evaluation(
	int64_t device_id, uint64_t key, double time_ns)
{
	struct at_evaluation evaluation = { AT_EVALUATION_UNKNOWN,
		.key = { .low = key }, .device_id = device_id,
		.space = (char *)"matmul", .problem = (char *)"square",
		.problem_json = (char *)"{}", .configuration = (char *)"{}",
		.outcome = isnan(time_ns) ? AT_OUTCOME_WRONG_RESULT : AT_OUTCOME_OK,
		.created_seconds = 1763715600 };

	evaluation.time_ns = time_ns;
	return evaluation;
}

/* The same problem's winner. */
static inline struct at_winner record_winner(
	int64_t device_id, int64_t evaluation_id, int64_t baseline_id)
{
	return (struct at_winner){
		.device_id = device_id,
		.space = (char *)"matmul",
		.problem = (char *)"square",
		.evaluation_id = evaluation_id,
		.baseline_id = baseline_id,
		.objective = &at_objective_time,
		.source_hash = (char *)"00ff",
		.created_seconds = 1763715600,
	};
}

/* Something in every column: every member differs from every other and from what is not
   known. */
static double record_samples[] = { 1000.25, 0.1, 1e-300, 12345678.901234567, -0.0 };

static inline struct at_evaluation record_full_evaluation(uint64_t key)
{
	return (struct at_evaluation){
		.key = { .low = key, .high = 0xfedcba9876543210 },
		.device_id = 1,
		.space = "matmul",
		.problem = "square",
		.problem_json = "{\"M\": 4096}",
		.configuration = "{\"BLOCK_X\": 16}",
		.outcome = AT_OUTCOME_OK,
		.detail = "a detail",
		.log = "line 1\nline 2: \xff\n",
		.time_ns = 1234.5,
		.low_ns = 1233.25,
		.high_ns = 1236.125,
		.sample_count = 5,
		.samples_ns = record_samples,
		.launches_per_sample = 8,
		.raced = true,
		.facts.registers = 101,
		.facts.local_bytes = 102,
		.facts.spill_store_bytes = 103,
		.facts.spill_load_bytes = 104,
		.facts.shared_bytes = 105,
		.facts.threads_per_block = 106,
		.facts.blocks = 107,
		.facts.resident_blocks = 110,
		.facts.occupancy = 0.375,
		.facts.limiting_factor = "blocks",
		.flops = 1.37e11,
		.bytes = 2.01e8,
		.is_double = true,
		.counters = "[{\"kernel\": \"k\"}]",
		.max_relative_error = 1.5e-6,
		.facts.compile_ns = 108,
		.board = "GPU-1",
		.image = { .low = key, .high = 0x1122334455667788 },
		.measure_ns = 109,
		.clock_hz = 1980000000,
		.throttled = true,
		.created_seconds = 1763715600,
	};
}

/* The same problem's winner, in the same way. */
static inline struct at_winner record_full_winner(
	int64_t evaluation_id, int64_t baseline_id)
{
	return (struct at_winner){
		.device_id = 1,
		.space = "matmul",
		.problem = "square",
		.evaluation_id = evaluation_id,
		.baseline_id = baseline_id,
		.evaluation_count = 200,
		.ok_count = 180,
		.objective = &at_objective_time,
		.score = { 10.5, 10.25, 10.75 },
		.speedup = 2.5,
		.speedup_low = 2.25,
		.speedup_high = 2.75,
		.baseline_low = 25,
		.baseline_high = 27.5,
		.measurement = "{\"blocks\": 6}",
		.toolchain = "NVRTC 13.0",
		.driver = "580.1",
		.source_hash = "00ff",
		.metrics = "{\"flops\": 1.0}",
		.launch = "{\"block\": [16]}",
		.options = "[\"-O3\"]",
		.verification = "{\"problems\": 5}",
		.created_seconds = 1763715600,
	};
}

/* Whether two structs of a table agree in all its columns. */
static inline void assert_same_row(
	const struct at_table *table, const void *left, const void *right)
{
	for (size_t i = 0; i < table->own; i++) {
		const size_t offset = table->columns[i].offset;
		const void *a = (const char *)left + offset;
		const void *b = (const char *)right + offset;
		const char *first, *second;
		bool is_same = false;

		switch (at_cell_form(table->columns[i].kind)) {
		case AT_FORM_NONE:
			break;
		case AT_FORM_TEXT:
			first = *(char *const *)a;
			second = *(char *const *)b;
			is_same = !strcmp(first ? first : "", second ? second : "");
			break;
		case AT_FORM_LINE:
			is_same = !strcmp(a, b);
			break;
		case AT_FORM_INTEGER:
		case AT_FORM_KNOWN:
		case AT_FORM_LINK:
			is_same = *(const int64_t *)a == *(const int64_t *)b;
			break;
		case AT_FORM_REAL:
			is_same = *(const double *)a == *(const double *)b ||
				  (isnan(*(const double *)a) &&
					  isnan(*(const double *)b));
			break;
		case AT_FORM_FLAG:
			is_same = *(const bool *)a == *(const bool *)b;
			break;
		case AT_FORM_HASH:
		case AT_FORM_KNOWN_HASH:
			is_same = !memcmp(a, b, sizeof(struct at_hash));
			break;
		case AT_FORM_OUTCOME:
		case AT_FORM_VERDICT:
			is_same = *(const int *)a == *(const int *)b;
			break;
		case AT_FORM_OBJECTIVE:
			is_same = *(const void *const *)a == *(const void *const *)b;
			break;
		}
		if (!is_same)
			fail_msg("%s: %s", table->name, table->columns[i].name);
	}
}

#endif
