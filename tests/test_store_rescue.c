/* Records whose file is removed or replaced while they are open. */
#include "base/file.h"
#include "base/memory.h"
#include "folder.h"
#include "record/forget.h"
#include "record/sqlite.h"
#include "record/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

struct place {
	char folder[64];
	char results[96], other[96]; /* folders of two records */
	char database[128], moved[128]; /* the files in them */
};

static int make_place(void **state)
{
	struct place *place = calloc(1, sizeof(*place));

	assert_non_null(place);
	strcpy(place->folder, "/tmp/autotune-rescue-XXXXXX");
	assert_non_null(folder_make(place->folder));
	snprintf(place->results, sizeof(place->results), "%s/results", place->folder);
	snprintf(place->other, sizeof(place->other), "%s/other", place->folder);
	snprintf(place->database, sizeof(place->database), "%s/autotune.db",
		place->results);
	snprintf(place->moved, sizeof(place->moved), "%s/autotune.db", place->other);
	*state = place;
	return 0;
}

static int remove_place(void **state)
{
	struct place *place = *state;

	folder_remove(place->folder);
	free(place);
	return 0;
}

#define assert_ok(call) \
	do { \
		if ((call) != AT_OK) \
			fail_msg("%s: %s: %s", #call, err.file, err.text); \
	} while (0)

static struct at_store *open_store(const char *directory)
{
	struct at_error err = { 0 };
	struct at_store *store;

	assert_ok(at_store_open(directory, &store, &err));
	return store;
}

static struct at_evaluation make(int64_t run_id, int64_t device_id, uint64_t key)
{
	return (struct at_evaluation){ .key = { key, key },
		.run_id = run_id,
		.device_id = device_id,
		.space = (char *)"space",
		.problem = (char *)"problem",
		.problem_json = (char *)"{}",
		.configuration = (char *)"{}",
		.outcome = AT_OUTCOME_OK,
		.detail = (char *)"",
		.log = (char *)"",
		.time_ns = 1 };
}

/* evaluations of a device, with these keys; and of a run, unless it is 0 */
static void add_of(
	struct at_store *store, int64_t run_id, uint64_t first, uint64_t count)
{
	const struct at_record_device device = { .kind = (char *)"host",
		.model = (char *)"A CPU",
		.slug = (char *)"a-cpu",
		.architecture = (char *)"x86_64",
		.driver = (char *)"6",
		.uuid = (char *)"" };
	struct at_error err = { 0 };
	int64_t id;

	assert_ok(at_store_put_device(store, &device, &id, &err));
	for (uint64_t i = first; i < first + count; i++) {
		struct at_evaluation evaluation = make(run_id, id, i);

		assert_ok(at_store_add(store, &evaluation, &err));
	}
}

static void add(struct at_store *store, uint64_t first, uint64_t count)
{
	add_of(store, 0, first, count);
}

/* The same of a run that begins here. */
static int64_t begin(struct at_store *store, uint64_t first, uint64_t count)
{
	struct at_error err = { 0 };
	int64_t device_id = 0, id = 0;

	add(store, 1000000, 1);
	assert_ok(at_store_find_device(store, "a-cpu", "host", &device_id, &err));
	assert_ok(at_store_begin_run(
		store, device_id, "space", "random", 1, "1", &id, &err));
	add_of(store, id, first, count);
	return id;
}

static bool has(const char *directory, uint64_t first, uint64_t count)
{
	struct at_store *store = open_store(directory);
	struct at_error err = { 0 };
	bool all = true;

	for (uint64_t i = first; i < first + count; i++) {
		struct at_evaluation evaluation;
		bool found;

		assert_ok(at_store_find(store, (struct at_hash){ i, i }, false,
			&evaluation, &found, &err));
		at_evaluation_release(&evaluation);
		all &= found;
	}
	at_store_close(store);
	return all;
}

static void a_file_that_is_gone_is_written_again(void **state)
{
	struct place *place = *state;
	struct at_store *store = open_store(place->results);
	struct at_error err = { 0 };
	bool rescued;

	add(store, 0, 20);
	assert_ok(at_store_rescue(store, false, &rescued, &err));
	assert_false(rescued);
	folder_remove(place->results);
	assert_ok(at_store_rescue(store, false, &rescued, &err));
	assert_true(rescued);
	add(store, 20, 20);
	at_store_close(store);
	assert_true(has(place->results, 0, 40));
}

/* The log beside it is of the file that was there. */
static void a_record_in_its_place_loses_nothing_and_gets_the_rest(void **state)
{
	struct place *place = *state;
	struct at_store *store = open_store(place->other);
	struct at_error err = { 0 };
	bool rescued;

	add(store, 1000, 20);
	at_store_close(store);
	store = open_store(place->results);
	add(store, 0, 20);
	assert_int_equal(rename(place->moved, place->database), 0);
	assert_int_equal(at_store_rescue(store, false, &rescued, &err), AT_EIO);
	assert_false(rescued);
	assert_non_null(strstr(err.text,
		"was replaced while this run wrote to it: what was measured was added to the one that is there now"));
	at_store_close(store);
	assert_true(has(place->results, 1000, 20));
	assert_true(has(place->results, 0, 20));
}

static void a_database_of_another_program_in_its_place_is_left_alone(void **state)
{
	struct place *place = *state;
	struct at_store *store = open_store(place->results);
	struct at_error err = { 0 };
	struct at_sqlite *database;
	char *before, *after, *folder, *end;
	size_t before_size, after_size;
	bool rescued;

	add(store, 0, 20);
	assert_ok(at_directory_make(place->other, &err));
	assert_ok(at_sqlite_open(place->moved, &database, &err));
	assert_ok(at_sqlite_execute(database,
		"CREATE TABLE addresses (name TEXT); INSERT INTO addresses VALUES ('Ada')",
		&err));
	at_sqlite_close(database);
	assert_ok(at_file_read(place->moved, 0, &before, &before_size, &err));
	assert_int_equal(rename(place->moved, place->database), 0);
	assert_int_equal(at_store_rescue(store, false, &rescued, &err), AT_EIO);
	assert_false(rescued);
	at_store_close(store);
	assert_ok(at_file_read(place->database, 0, &after, &after_size, &err));
	assert_int_equal(before_size, after_size);
	assert_memory_equal(before, after, before_size);
	/* what was measured is where the line says */
	folder = strstr(err.text, "what was measured is in ");
	assert_non_null(folder);
	folder = at_strdup(folder + strlen("what was measured is in "));
	assert_non_null(folder);
	end = strstr(folder, "/autotune.db;");
	assert_non_null(end);
	*end = '\0';
	assert_true(has(folder, 0, 20));
	free(folder);
	free(before);
	free(after);
}

/* ---- written over ---------------------------------------------------------------- */

static long size_of(const char *path)
{
	struct stat facts;

	assert_int_equal(stat(path, &facts), 0);
	return (long)facts.st_size;
}

/* from here on, to the end; the file stays the same one */
static void overwrite(const char *path, long from, int byte)
{
	long size = size_of(path);
	FILE *file = fopen(path, "r+b");

	assert_non_null(file);
	assert_int_equal(fseek(file, from, SEEK_SET), 0);
	for (long i = from; i < size; i++)
		assert_int_equal(fputc(byte, file), byte);
	assert_int_equal(fclose(file), 0);
}

/* To a record that may be damaged: what cannot be added was measured all the same. */
static void try_to_add(struct at_store *store, uint64_t first, uint64_t count)
{
	for (uint64_t i = first; i < first + count; i++) {
		struct at_evaluation evaluation = make(1, 1, i);

		at_store_add(store, &evaluation, NULL);
	}
}

/* What is wrong is told in a line; what the run had added is in the record again. */
static void assert_added_again(
	const struct place *place, struct at_store *store, bool is_whole)
{
	struct at_error err = { 0 };
	bool rescued;

	assert_int_equal(at_store_rescue(store, is_whole, &rescued, &err), AT_EIO);
	assert_false(rescued);
	if (!strstr(err.text, "what was measured was added to what is left of it"))
		fail_msg("%s", err.text);
	at_store_close(store);
	assert_true(has(place->results, 0, 60));
}

static struct at_store *open_with_log(const struct place *place, char log[140])
{
	struct at_store *store = open_store(place->results);
	struct at_error err = { 0 };
	bool rescued;

	snprintf(log, 140, "%s-wal", place->database);
	begin(store, 0, 40);
	assert_ok(at_store_rescue(store, false, &rescued, &err));
	return store;
}

static void a_log_that_is_cut_short_is_noticed(void **state)
{
	static const int parts[] = { 0, 1, 2, 3 };

	for (size_t i = 0; i < AT_COUNT_OF(parts); i++) {
		struct place *place = *state;
		char log[140];
		struct at_store *store;

		folder_remove(place->results);
		store = open_with_log(place, log);
		assert_int_equal(truncate(log, size_of(log) / 4 * parts[i]), 0);
		try_to_add(store, 40, 20);
		assert_added_again(place, store, true);
	}
}

static void a_log_that_is_overwritten_is_noticed(void **state)
{
	static const int parts[] = { 0, 1, 2, 3 }, bytes[] = { 0, 0xa5 };

	for (size_t i = 0; i < AT_COUNT_OF(parts) * AT_COUNT_OF(bytes); i++) {
		struct place *place = *state;
		char log[140];
		struct at_store *store;

		folder_remove(place->results);
		store = open_with_log(place, log);
		overwrite(log, size_of(log) / 4 * parts[i / 2], bytes[i % 2]);
		try_to_add(store, 40, 20);
		assert_added_again(place, store, true);
	}
}

/* ... by its checksums alone: no page that is read is touched */
static void one_bit_of_the_log_is_noticed(void **state)
{
	struct place *place = *state;
	char log[140];
	struct at_store *store = open_with_log(place, log);
	FILE *file = fopen(log, "r+b");
	int byte;

	assert_non_null(file);
	/* of the first frame: an old state of its page, which nobody reads any more */
	assert_int_equal(fseek(file, 32 + 24 + 4000, SEEK_SET), 0);
	byte = fgetc(file);
	assert_int_equal(fseek(file, -1, SEEK_CUR), 0);
	fputc(byte ^ 1, file);
	assert_int_equal(fclose(file), 0);
	try_to_add(store, 40, 20);
	assert_added_again(place, store, true);
}

/* Nothing of it can be told from the log. */
static void a_file_that_is_overwritten_is_noticed(void **state)
{
	static const int bytes[] = { 0, 0xa5 };

	for (size_t i = 0; i < AT_COUNT_OF(bytes); i++) {
		struct place *place = *state;
		struct at_error err = { 0 };
		struct at_store *store;
		bool rescued;
		char *folder, *end;

		folder_remove(place->results);
		store = open_store(place->results);
		add(store, 5000, 200);
		at_store_close(store);
		store = open_store(place->results);
		begin(store, 0, 60);
		overwrite(place->database, 0, bytes[i]);
		assert_int_equal(at_store_rescue(store, false, &rescued, &err), AT_EIO);
		folder = strstr(err.text, "what was measured is in ");
		assert_non_null(folder);
		folder = at_strdup(folder + strlen("what was measured is in "));
		assert_non_null(folder);
		end = strstr(folder, "/autotune.db;");
		assert_non_null(end);
		*end = '\0';
		assert_true(has(folder, 0, 60));
		free(folder);
		/* nobody falls over what is gone */
		at_store_end_run(store, 1, "done", NULL);
		at_store_close(store);
	}
}

/* What is there makes sense, and is not what was written. */
static void another_record_in_the_same_file_is_noticed(void **state)
{
	struct place *place = *state;
	struct at_store *store = open_store(place->other);
	struct at_error err = { 0 };
	char *data;
	size_t size;
	FILE *file;
	bool rescued;

	add(store, 1000, 20);
	at_store_close(store);
	assert_ok(at_file_read(place->moved, 0, &data, &size, &err));
	store = open_store(place->results);
	begin(store, 0, 60);
	/* all is in the file, and the log begins anew */
	assert_ok(at_store_end_run(store, 1, "done", &err));
	assert_ok(at_store_rescue(store, true, &rescued, &err));
	file = fopen(place->database, "r+b");
	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(truncate(place->database, (off_t)size), 0);
	assert_int_equal(at_store_rescue(store, false, &rescued, &err), AT_EIO);
	at_store_close(store);
	free(data);
}

static void what_forget_removes_is_no_fault(void **state)
{
	struct place *place = *state;
	struct at_store *store = open_store(place->results);
	struct at_store *other = open_store(place->results);
	struct at_forget_target target = { .space = (char *)"space" };
	struct at_error err = { 0 };
	struct at_forgotten forgotten;
	bool rescued;

	begin(store, 0, 60);
	assert_ok(at_store_rescue(store, true, &rescued, &err));
	assert_ok(at_store_forget(other, &target, 1, 0, true, &forgotten, &err));
	assert_int_equal(forgotten.evaluations, 61);
	assert_ok(at_store_rescue(store, true, &rescued, &err));
	assert_ok(at_store_compact(other, &err));
	assert_ok(at_store_rescue(store, true, &rescued, &err));
	add_of(store, 1, 60, 20);
	assert_ok(at_store_rescue(store, true, &rescued, &err));
	at_store_close(other);
	at_store_close(store);
	assert_true(has(place->results, 60, 20));
}

/* Numbers of removed rows are free again: a run takes none of its own for another one,
   and has what it needs added again. */
static void what_is_forgotten_under_a_run_keeps_its_number(void **state)
{
	struct place *place = *state;
	struct at_store *store = open_store(place->results);
	struct at_store *other = open_store(place->results);
	struct at_forget_target target = { .space = (char *)"space" };
	struct at_evaluation evaluation;
	struct at_forgotten forgotten;
	struct at_error err = { 0 };
	int64_t first, run = begin(store, 0, 1);
	bool found;

	assert_ok(at_store_find(
		store, (struct at_hash){ 0, 0 }, false, &evaluation, &found, &err));
	first = evaluation.id;
	at_evaluation_release(&evaluation);
	assert_ok(at_store_forget(other, &target, 1, 0, true, &forgotten, &err));
	add_of(store, run, 1, 3);
	/* another run, for which the numbers are free */
	add(other, 100, 8);
	assert_true(has(place->results, 1, 3) && !has(place->results, 0, 1));
	for (int turn = 0; turn < 2; turn++) {
		assert_ok(at_store_get(store, first, true, &evaluation, &err));
		assert_int_equal(evaluation.key.low + evaluation.key.high, 0);
		assert_int_equal(evaluation.id, first);
		at_evaluation_release(&evaluation);
	}
	assert_true(has(place->results, 0, 1));
	/* once is enough, unless it is forgotten again */
	assert_ok(at_store_forget(other, &target, 1, 0, true, &forgotten, &err));
	assert_int_equal(forgotten.evaluations, 3 + 8 + 1);
	add(other, 200, 30);
	assert_ok(at_store_get(store, first, true, &evaluation, &err));
	assert_int_equal(evaluation.key.low + evaluation.key.high, 0);
	at_evaluation_release(&evaluation);
	at_store_close(other);
	at_store_close(store);
}

/* what an earlier run has measured, and a run under way was told of */
static void what_a_run_was_told_of_is_there_again(void **state)
{
	struct place *place = *state;
	struct at_store *store = open_store(place->results), *other;
	struct at_forget_target target = { .space = (char *)"space" };
	struct at_evaluation evaluation;
	struct at_forgotten forgotten;
	struct at_error err = { 0 };
	int64_t told = 0, run;
	bool found;

	begin(store, 0, 3);
	at_store_close(store);
	store = open_store(place->results);
	other = open_store(place->results);
	run = begin(store, 10, 1);
	/* told twice */
	for (int i = 0; i < 2; i++) {
		assert_ok(at_store_find(store, (struct at_hash){ 2, 2 }, false,
			&evaluation, &found, &err));
		assert_true(found && evaluation.run_id != run);
		told = evaluation.id;
		at_evaluation_release(&evaluation);
	}
	for (int turn = 0; turn < 2; turn++) {
		assert_ok(
			at_store_forget(other, &target, 1, 0, true, &forgotten, &err));
		assert_false(has(place->results, 2, 1));
		/* another run, for which the numbers are free */
		add(other, turn ? 110 : 100, 8);
		assert_ok(at_store_get(store, told, true, &evaluation, &err));
		assert_int_equal(evaluation.key.low, 2);
		assert_int_equal(evaluation.id, told);
		assert_int_equal(evaluation.run_id, run);
		assert_int_equal(evaluation.outcome, AT_OUTCOME_OK);
		at_evaluation_release(&evaluation);
		assert_true(has(place->results, 2, 1));
	}
	/* of what nobody was told, nothing is kept */
	assert_false(has(place->results, 1, 1));
	at_store_close(other);
	at_store_close(store);
}

/* A configuration that was measured again has several rows, and an earlier crown may
   name the older. */
static void each_row_of_a_configuration_is_there_again(void **state)
{
	struct place *place = *state;
	struct at_store *store = open_store(place->results), *other;
	struct at_forget_target target = { .space = (char *)"space" };
	struct at_crown crown = { .space = (char *)"space",
		.problem = (char *)"problem",
		.objective = &at_objective_time,
		.score = { 5, 4, 6 },
		.speedup = 2 };
	struct at_crown read;
	struct at_evaluation evaluation;
	struct at_forgotten forgotten;
	struct at_error err = { 0 };
	int64_t ids[2], device_id;
	bool found;

	add(store, 1, 1);
	assert_ok(at_store_find_device(store, "a-cpu", "host", &device_id, &err));
	for (int i = 0; i < 2; i++) {
		evaluation = make(0, device_id, 2);
		evaluation.time_ns = 10 + i;
		assert_ok(at_store_add(store, &evaluation, &err));
		ids[i] = evaluation.id;
	}
	assert_int_not_equal(ids[0], ids[1]);
	crown.device_id = device_id;
	crown.evaluation_id = crown.baseline_id = ids[0];
	assert_ok(at_store_put_crown(store, &crown, &err));
	at_store_close(store);
	store = open_store(place->results);
	other = open_store(place->results);
	begin(store, 10, 1);
	assert_ok(at_store_find_crown(
		store, device_id, "space", "problem", &read, &found, &err));
	assert_true(found && read.evaluation_id == ids[0]);
	at_crown_release(&read);
	assert_ok(at_store_find(
		store, (struct at_hash){ 2, 2 }, false, &evaluation, &found, &err));
	assert_int_equal(evaluation.id, ids[1]);
	at_evaluation_release(&evaluation);
	assert_ok(at_store_forget(other, &target, 1, 0, true, &forgotten, &err));
	for (int i = 0; i < 2; i++) {
		assert_ok(at_store_get(store, ids[i], false, &evaluation, &err));
		assert_int_equal(evaluation.key.low, 2);
		assert_true(evaluation.time_ns == 10 + i);
		at_evaluation_release(&evaluation);
	}
	at_store_close(other);
	at_store_close(store);
}

/* The standing crown of the space, which is released, names these. */
static void assert_crowned(
	struct at_store *store, int64_t device_id, uint64_t winner, uint64_t baseline)
{
	struct at_evaluation evaluation;
	struct at_error err = { 0 };
	struct at_crown crown;
	bool found;

	assert_ok(at_store_find_crown(
		store, device_id, "space", "problem", &crown, &found, &err));
	assert_true(found);
	assert_ok(at_store_get(store, crown.evaluation_id, false, &evaluation, &err));
	assert_int_equal(evaluation.key.low, winner);
	at_evaluation_release(&evaluation);
	assert_int_equal(!!crown.baseline_id, !!baseline);
	if (baseline) {
		assert_ok(at_store_get(
			store, crown.baseline_id, false, &evaluation, &err));
		assert_int_equal(evaluation.key.low, baseline);
		at_evaluation_release(&evaluation);
	}
	at_crown_release(&crown);
}

/* A run does not ask for the baseline that an earlier crown names, but may have to
   record that crown again. */
static void a_crown_that_was_forgotten_is_there_again(void **state)
{
	struct place *place = *state;
	struct at_store *store = open_store(place->results), *other;
	struct at_forget_target target = { .space = (char *)"space" };
	struct at_crown crown = { .space = (char *)"space",
		.problem = (char *)"problem",
		.objective = &at_objective_time,
		.score = { 5, 4, 6 },
		.speedup = 2 };
	int64_t device_id = 0;
	struct at_evaluation evaluation;
	struct at_forgotten forgotten;
	struct at_error err = { 0 };
	struct at_crown read;
	bool found;

	begin(store, 0, 3);
	assert_ok(at_store_find_device(store, "a-cpu", "host", &device_id, &err));
	crown.device_id = device_id;
	for (uint64_t i = 1; i < 3; i++) {
		assert_ok(at_store_find(store, (struct at_hash){ i, i }, false,
			&evaluation, &found, &err));
		*(i == 2 ? &crown.evaluation_id : &crown.baseline_id) = evaluation.id;
		at_evaluation_release(&evaluation);
	}
	at_store_close(store);
	other = open_store(place->results);
	for (int is_kept = 0; is_kept < 2; is_kept++) {
		store = open_store(place->results);
		begin(store, 10 * (1 + (uint64_t)is_kept), 1);
		if (is_kept) {
			assert_ok(at_store_put_crown(other, &crown, &err));
			assert_ok(at_store_find_crown(store, device_id, "space",
				"problem", &read, &found, &err));
			assert_true(found);
			at_crown_release(&read);
		}
		assert_ok(at_store_find(store, (struct at_hash){ 2, 2 }, false,
			&evaluation, &found, &err));
		at_evaluation_release(&evaluation);
		assert_ok(
			at_store_forget(other, &target, 1, 0, true, &forgotten, &err));
		assert_ok(at_store_put_crown(store, &crown, &err));
		/* of a baseline of which nothing is known the gain is left */
		assert_crowned(store, device_id, 2, is_kept ? 1 : 0);
		at_store_close(store);
		/* as before, under other numbers */
		add(other, 1, 1);
		assert_ok(at_store_find(other, (struct at_hash){ 1, 1 }, false,
			&evaluation, &found, &err));
		crown.baseline_id = evaluation.id;
		at_evaluation_release(&evaluation);
		assert_ok(at_store_find(other, (struct at_hash){ 2, 2 }, false,
			&evaluation, &found, &err));
		crown.evaluation_id = evaluation.id;
		at_evaluation_release(&evaluation);
	}
	at_store_close(other);
}

/* What the run knows by its number, checked. */
static void assert_is(struct at_store *store, int64_t id, uint64_t key)
{
	struct at_evaluation evaluation;
	struct at_error err = { 0 };

	assert_ok(at_store_get(store, id, true, &evaluation, &err));
	assert_int_equal(evaluation.key.low, key);
	assert_int_equal(evaluation.id, id);
	at_evaluation_release(&evaluation);
}

/* Numbers of what was forgotten are those of what others measure next, of which the run
   is told: it knows each of them by a number of its own. */
static void a_number_that_is_given_again_is_not_mistaken(void **state)
{
	struct place *place = *state;
	struct at_store *store = open_store(place->results), *other;
	struct at_forget_target target = { .space = (char *)"space" };
	struct at_crown crown = { .space = (char *)"space",
		.problem = (char *)"problem",
		.objective = &at_objective_time,
		.score = { 5, 4, 6 },
		.speedup = 2 };
	struct at_forgotten forgotten;
	struct at_evaluation evaluation;
	struct at_error err = { 0 };
	struct at_crown read;
	/* of three generations, and of them the run's own and what it was told first */
	int64_t ids[3][4], device_id = 0;
	bool found;

	add(store, 1000, 2);
	at_store_close(store);
	store = open_store(place->results);
	other = open_store(place->results);
	begin(store, 0, 2);
	assert_ok(at_store_find_device(store, "a-cpu", "host", &device_id, &err));
	crown.device_id = device_id;
	for (uint64_t turn = 0; turn < 3; turn++) {
		for (uint64_t i = 0; i < 4; i++) {
			uint64_t key = turn ? 100 * turn + i : i < 2 ? 1000 + i : i - 2;

			assert_ok(at_store_find(store, (struct at_hash){ key, key },
				false, &evaluation, &found, &err));
			assert_true(found);
			ids[turn][i] = evaluation.id;
			at_evaluation_release(&evaluation);
			for (uint64_t j = 0; j < 4 * turn + i; j++)
				assert_int_not_equal(ids[j / 4][j % 4], evaluation.id);
		}
		/* what others have crowned is read as what they have measured */
		if (turn) {
			assert_ok(at_store_find_crown(store, device_id, "space",
				"problem", &read, &found, &err));
			assert_true(found && read.evaluation_id == ids[turn][1] &&
				    read.baseline_id == ids[turn][2]);
			assert_is(store, read.evaluation_id, 100 * turn + 1);
			at_crown_release(&read);
		}
		if (turn == 2)
			break;
		assert_ok(
			at_store_forget(other, &target, 1, 0, true, &forgotten, &err));
		add(other, 100 * (turn + 1), 4);
		for (uint64_t i = 1; i < 3; i++) {
			uint64_t key = 100 * (turn + 1) + i;

			assert_ok(at_store_find(other, (struct at_hash){ key, key },
				false, &evaluation, &found, &err));
			*(i == 1 ? &crown.evaluation_id : &crown.baseline_id) =
				evaluation.id;
			at_evaluation_release(&evaluation);
		}
		assert_ok(at_store_put_crown(other, &crown, &err));
	}
	for (uint64_t turn = 0; turn < 3; turn++)
		for (uint64_t i = 0; i < 4; i++)
			assert_is(store, ids[turn][i],
				turn    ? 100 * turn + i
				: i < 2 ? 1000 + i
					: i - 2);
	/* and what is crowned is what was meant */
	crown.evaluation_id = ids[0][2];
	crown.baseline_id = ids[1][3];
	assert_ok(at_store_put_crown(store, &crown, &err));
	assert_crowned(other, device_id, 0, 103);
	crown.evaluation_id = ids[2][0];
	crown.baseline_id = ids[0][0];
	assert_ok(at_store_put_crown(store, &crown, &err));
	assert_crowned(other, device_id, 200, 1000);
	at_store_close(other);
	at_store_close(store);
}

static void what_forget_removes_excuses_no_other_loss(void **state)
{
	struct place *place = *state;
	struct at_store *store = open_store(place->results);
	struct at_store *other = open_store(place->results);
	struct at_forget_target target = { .space = (char *)"space" };
	struct at_error err = { 0 };
	struct at_forgotten forgotten;
	struct at_evaluation evaluation;
	struct at_sqlite *database;
	int64_t device_id = 0, run_id = 0;
	bool rescued;

	begin(store, 0, 20);
	assert_ok(at_store_find_device(store, "a-cpu", "host", &device_id, &err));
	assert_ok(at_store_begin_run(
		store, device_id, "other", "random", 1, "1", &run_id, &err));
	evaluation = make(run_id, device_id, 500);
	evaluation.space = (char *)"other";
	assert_ok(at_store_add(store, &evaluation, &err));
	assert_ok(at_store_forget(other, &target, 1, 0, true, &forgotten, &err));
	assert_ok(at_store_rescue(store, true, &rescued, &err));
	assert_ok(at_sqlite_open(place->database, &database, &err));
	assert_ok(at_sqlite_execute(
		database, "DELETE FROM evaluations WHERE space = 'other'", &err));
	at_sqlite_close(database);
	assert_int_equal(at_store_rescue(store, true, &rescued, &err), AT_EIO);
	at_store_close(other);
	at_store_close(store);
}

/* Others fold the log, cut it short, and begin it anew, which is their right. */
static void what_other_processes_do_is_no_fault(void **state)
{
	static const char *const folds[] = { "PRAGMA wal_checkpoint(PASSIVE)",
		"PRAGMA wal_checkpoint(FULL)", "PRAGMA wal_checkpoint(RESTART)",
		"PRAGMA wal_checkpoint(TRUNCATE)" };
	struct place *place = *state;
	struct at_store *store = open_store(place->results);
	struct at_store *other = open_store(place->results);
	struct at_error err = { 0 };
	struct at_sqlite *database;
	bool rescued;

	begin(store, 0, 20);
	assert_ok(at_sqlite_open(place->database, &database, &err));
	for (uint64_t i = 0; i < 64; i++) {
		assert_ok(at_sqlite_execute(
			database, folds[i % AT_COUNT_OF(folds)], &err));
		assert_ok(at_store_rescue(store, i % 3 == 0, &rescued, &err));
		add(other, 2000 + i, 1);
		assert_ok(at_store_rescue(store, i % 3 == 1, &rescued, &err));
		if (i % 5)
			add_of(store, 1, 20 + i, 1);
		assert_ok(at_store_rescue(store, i % 3 == 2, &rescued, &err));
	}
	at_sqlite_close(database);
	at_store_close(other);
	assert_ok(at_store_rescue(store, true, &rescued, &err));
	at_store_close(store);
	assert_true(has(place->results, 2000, 64));
}

/* All of it is in the file, and the next commit begins the log anew. */
static void a_log_that_is_folded_may_be_anything(void **state)
{
	struct place *place = *state;
	char log[140];
	struct at_store *store = open_with_log(place, log);
	struct at_error err = { 0 };
	struct at_sqlite *database;
	bool rescued = true;

	assert_ok(at_sqlite_open(place->database, &database, &err));
	assert_ok(at_sqlite_execute(database, "PRAGMA wal_checkpoint(PASSIVE)", &err));
	overwrite(log, 0, 0xa5);
	assert_ok(at_store_rescue(store, true, &rescued, &err));
	assert_false(rescued);
	try_to_add(store, 40, 20);
	assert_ok(at_store_rescue(store, true, &rescued, &err));
	assert_false(rescued);
	at_store_close(store);
	at_sqlite_close(database);
	assert_true(has(place->results, 0, 60));
}

/* More than the log holds: it is folded into the file many times. */
static void many_are_added_and_found(void **state)
{
	struct place *place = *state;
	struct at_store *store = open_store(place->results);
	struct at_error err = { 0 };
	bool rescued;

	begin(store, 0, 20);
	for (uint64_t i = 0; i < 10; i++) {
		add_of(store, 1, 20 + 200 * i, 200);
		assert_ok(at_store_rescue(store, false, &rescued, &err));
	}
	assert_ok(at_store_rescue(store, true, &rescued, &err));
	assert_true(size_of(place->database) > 65536);
	at_store_close(store);
	assert_true(has(place->results, 0, 2020));
}

/* ---- while it is closed ---------------------------------------------------------- */

static uint64_t count_at(const char *directory)
{
	struct at_store *store = open_store(directory);
	uint64_t count = 0;

	for (uint64_t key = 1; key <= 60; key++) {
		struct at_evaluation found;
		bool is_there;

		if (!at_store_find(store, (struct at_hash){ key, key }, false, &found,
			    &is_there, NULL) &&
			is_there) {
			count++;
			at_evaluation_release(&found);
		}
	}
	at_store_close(store);
	return count;
}

static void hold(struct at_held *held, const struct at_store *store)
{
	assert_true(at_held_begin(held, store));
	assert_true(held->file >= 0);
}

/* nothing at all, its folder, and what somebody else has begun there */
static void what_goes_while_it_is_closed_is_there_again(void **state)
{
	struct place *place = *state;

	for (int what = 0; what < 4; what++) {
		struct at_store *store = open_store(place->results);
		struct at_error err = { 0 };
		struct at_held held;
		bool rescued;

		add(store, 1, 40);
		hold(&held, store);
		if (what == 1)
			assert_int_equal(unlink(place->database), 0);
		else if (what > 1)
			assert_int_equal(folder_remove(place->results), 0);
		at_store_close(store);
		if (what == 3) {
			store = open_store(place->results);
			add(store, 41, 20);
			at_store_close(store);
		}
		assert_ok(at_held_end(&held, &rescued, &err));
		assert_int_equal(rescued, what > 0);
		assert_int_equal(count_at(place->results), what == 3 ? 60 : 40);
		/* and nothing else is left beside it */
		assert_int_equal(unlink(place->database), 0);
		assert_int_equal(rmdir(place->results), 0);
	}
}

static void what_is_moved_while_it_is_closed_is_let_be(void **state)
{
	struct place *place = *state;
	struct at_store *store = open_store(place->results);
	struct at_error err = { 0 };
	struct at_held held;
	bool rescued;

	add(store, 1, 40);
	hold(&held, store);
	assert_int_equal(rename(place->results, place->other), 0);
	at_store_close(store);
	assert_ok(at_held_end(&held, &rescued, &err));
	assert_false(rescued);
	assert_false(at_file_exists(place->database));
	assert_int_equal(count_at(place->other), 40);
}

static void what_cannot_be_there_again_is_elsewhere(void **state)
{
	struct place *place = *state;
	struct at_store *store = open_store(place->results);
	struct at_error err = { 0 };
	struct at_held held;
	char saved[300];
	bool rescued;
	char *at;

	add(store, 1, 40);
	hold(&held, store);
	assert_int_equal(folder_remove(place->results), 0);
	/* a file in the folder's place */
	assert_int_equal(at_file_replace(place->results, "x", 1, NULL), AT_OK);
	at_store_close(store);
	setenv("TMPDIR", place->folder, 1);
	assert_int_equal(at_held_end(&held, &rescued, &err), AT_EIO);
	unsetenv("TMPDIR");
	assert_false(rescued);
	at = strstr(err.text, "what was measured is in ");
	assert_non_null(at);
	snprintf(saved, sizeof(saved), "%s", at + strlen("what was measured is in "));
	*strstr(saved, "/autotune.db;") = '\0';
	assert_int_equal(count_at(saved), 40);
}

static void a_record_that_is_not_there_is_to_be_rescued_first(void **state)
{
	struct place *place = *state;
	struct at_store *store = open_store(place->results);
	struct at_error err = { 0 };
	struct at_held held;
	bool rescued;

	add(store, 1, 40);
	assert_int_equal(folder_remove(place->results), 0);
	assert_false(at_held_begin(&held, store));
	assert_ok(at_held_end(&held, &rescued, &err));
	assert_ok(at_store_rescue(store, true, &rescued, &err));
	assert_true(rescued);
	hold(&held, store);
	at_store_close(store);
	assert_ok(at_held_end(&held, &rescued, &err));
	assert_int_equal(count_at(place->results), 40);
}

int main(void)
{
#define test(name) cmocka_unit_test_setup_teardown(name, make_place, remove_place)
	const struct CMUnitTest tests[] = {
		test(a_file_that_is_gone_is_written_again),
		test(a_record_in_its_place_loses_nothing_and_gets_the_rest),
		test(a_database_of_another_program_in_its_place_is_left_alone),
		test(a_log_that_is_cut_short_is_noticed),
		test(a_log_that_is_overwritten_is_noticed),
		test(one_bit_of_the_log_is_noticed),
		test(a_file_that_is_overwritten_is_noticed),
		test(another_record_in_the_same_file_is_noticed),
		test(what_forget_removes_is_no_fault),
		test(what_is_forgotten_under_a_run_keeps_its_number),
		test(what_a_run_was_told_of_is_there_again),
		test(each_row_of_a_configuration_is_there_again),
		test(a_crown_that_was_forgotten_is_there_again),
		test(a_number_that_is_given_again_is_not_mistaken),
		test(what_forget_removes_excuses_no_other_loss),
		test(what_other_processes_do_is_no_fault),
		test(a_log_that_is_folded_may_be_anything),
		test(many_are_added_and_found),
		cmocka_unit_test_setup_teardown(
			what_goes_while_it_is_closed_is_there_again, make_place,
			remove_place),
		cmocka_unit_test_setup_teardown(
			what_is_moved_while_it_is_closed_is_let_be, make_place,
			remove_place),
		cmocka_unit_test_setup_teardown(what_cannot_be_there_again_is_elsewhere,
			make_place, remove_place),
		cmocka_unit_test_setup_teardown(
			a_record_that_is_not_there_is_to_be_rescued_first, make_place,
			remove_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
