/* Records that are removed, moved or replaced while a run writes to them, with real
   files in folders of their own. */
#define _GNU_SOURCE
#include "folder.h"
#include "base/file.h"
#include "record/sqlite.h"
#include "record/store.h"

#include <dirent.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

struct place {
	char folder[64];
	char results[96];
	char database[128];
};

#define assert_ok(call) \
	do { \
		if ((call) != AT_OK) \
			fail_msg("%s: %s: %s", #call, err.file, err.text); \
	} while (0)

static int make_place(void **state)
{
	struct place *place = calloc(1, sizeof(*place));

	assert_non_null(place);
	strcpy(place->folder, "/tmp/autotune-rescue-XXXXXX");
	assert_non_null(folder_make(place->folder));
	snprintf(place->results, sizeof(place->results), "%s/results", place->folder);
	snprintf(place->database, sizeof(place->database), "%s/autotune.db",
		place->results);
	/* what is saved elsewhere goes away with the test */
	setenv("TMPDIR", place->folder, 1);
	*state = place;
	return 0;
}

static int remove_entry(
	const char *path, const struct stat *facts, int kind, struct FTW *where)
{
	(void)facts;
	(void)kind;
	(void)where;
	return remove(path);
}

static void remove_folder(const char *path)
{
	nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static int remove_place(void **state)
{
	struct place *place = *state;

	unsetenv("TMPDIR");
	remove_folder(place->folder);
	free(place);
	return 0;
}

static struct at_store *open_store(const struct place *place)
{
	struct at_record_device device = {
		.kind = (char *)"host",
		.model = (char *)"A Processor",
		.slug = (char *)"a-processor",
		.architecture = (char *)"x86_64",
		.driver = (char *)"",
		.uuid = (char *)"",
	};
	struct at_error err = { 0 };
	struct at_store *store;
	int64_t id;

	assert_ok(at_store_open(place->results, &store, &err));
	assert_ok(at_store_put_device(store, &device, &id, &err));
	return store;
}

static void add(struct at_store *store, uint64_t key)
{
	struct at_evaluation evaluation = {
		.key = { .low = key, .high = 7 },
		.device_id = 1,
		.space = (char *)"matmul",
		.problem = (char *)"square",
		.problem_json = (char *)"{}",
		.configuration = (char *)"{}",
		.outcome = AT_OUTCOME_WRONG_RESULT,
		.detail = (char *)"",
		.created_seconds = 1763715600,
		.board = (char *)"",
	};
	struct at_error err = { 0 };

	assert_ok(at_store_add(store, &evaluation, &err));
}

/* by whoever opens the path now */
static int64_t count(const char *path)
{
	struct at_sqlite *database;
	struct at_error err = { 0 };
	int64_t rows;

	assert_ok(at_sqlite_open(path, &database, &err));
	assert_ok(at_sqlite_integer(
		database, "SELECT count(DISTINCT key) FROM evaluations", &rows, &err));
	assert_ok(at_sqlite_execute(database, "PRAGMA integrity_check", &err));
	at_sqlite_close(database);
	return rows;
}

/* how many entries there are that nobody asked for */
static size_t count_others(const char *folder)
{
	DIR *directory = opendir(folder);
	struct dirent *entry;
	size_t others = 0;

	assert_non_null(directory);
	while ((entry = readdir(directory)))
		others += entry->d_name[0] != '.' &&
			  strncmp(entry->d_name, "autotune.db", 11) != 0;
	closedir(directory);
	return others;
}

static void assert_goes_on(const struct place *place, struct at_store *store)
{
	struct at_error err = { 0 };
	bool rescued = false;

	assert_ok(at_store_rescue(store, false, &rescued, &err));
	assert_true(rescued);
	/* all is there, and what comes goes there too */
	assert_int_equal(count(place->database), 2);
	add(store, 3);
	assert_int_equal(count(place->database), 3);
	assert_ok(at_store_rescue(store, false, &rescued, &err));
	assert_false(rescued);
	at_store_close(store);
	assert_int_equal(count(place->database), 3);
	assert_int_equal(count_others(place->results), 0);
}

static void a_record_that_is_where_it_was_is_left_alone(void **state)
{
	struct place *place = *state;
	struct at_store *store = open_store(place), *memory;
	struct at_error err = { 0 };
	struct stat before, after;
	bool rescued = true;

	add(store, 1);
	assert_int_equal(stat(place->database, &before), 0);
	assert_ok(at_store_rescue(store, false, &rescued, &err));
	assert_false(rescued);
	assert_int_equal(stat(place->database, &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	at_store_close(store);
	assert_ok(at_store_open_memory("memory", &memory, &err));
	assert_ok(at_store_rescue(memory, false, &rescued, &err));
	assert_false(rescued);
	at_store_close(memory);
}

static void a_removed_folder_comes_back_with_all_that_was_recorded(void **state)
{
	struct place *place = *state;
	struct at_store *store = open_store(place);

	add(store, 1);
	remove_folder(place->results);
	/* nobody notices: it is written to a file that has no name */
	add(store, 2);
	assert_goes_on(place, store);
}

static void a_removed_file_comes_back_beside_its_old_log(void **state)
{
	struct place *place = *state;
	struct at_store *store = open_store(place);

	add(store, 1);
	add(store, 2);
	assert_int_equal(unlink(place->database), 0);
	assert_goes_on(place, store);
}

static void a_folder_that_was_renamed_is_made_again(void **state)
{
	struct place *place = *state;
	struct at_store *store = open_store(place);
	char moved[128], path[160];

	add(store, 1);
	add(store, 2);
	snprintf(moved, sizeof(moved), "%s/moved", place->folder);
	snprintf(path, sizeof(path), "%s/autotune.db", moved);
	assert_int_equal(rename(place->results, moved), 0);
	assert_goes_on(place, store);
	assert_int_equal(count(path), 2);
}

static void a_record_in_its_place_is_given_what_was_measured(void **state)
{
	struct place *place = *state;
	struct at_store *store = open_store(place), *other;
	struct at_error err = { 0 };
	bool rescued = true;

	add(store, 1);
	remove_folder(place->results);
	other = open_store(place);
	add(other, 10);
	add(store, 2);
	assert_int_equal(at_store_rescue(store, false, &rescued, &err), AT_EIO);
	assert_false(rescued);
	assert_string_equal(err.file, place->database);
	assert_non_null(strstr(err.text, "was added to the one that is there now"));
	at_store_close(store);
	/* closing has taken nothing from the other one, which goes on */
	add(other, 11);
	at_store_close(other);
	assert_int_equal(count(place->database), 4);
	assert_int_equal(count_others(place->results), 0);
}

static void what_takes_its_place_and_is_no_record_stays_as_it_is(void **state)
{
	struct place *place = *state;
	struct at_store *store = open_store(place);
	struct at_error err = { 0 };
	bool rescued;
	char *text, *from, path[512] = "";
	size_t size;

	add(store, 1);
	remove_folder(place->results);
	assert_int_equal(mkdir(place->results, 0755), 0);
	assert_ok(at_file_replace(place->database, "my notes\n", 9, &err));
	assert_int_equal(at_store_rescue(store, false, &rescued, &err), AT_EIO);
	at_store_close(store);
	assert_ok(at_file_read(place->database, 0, &text, &size, &err));
	assert_string_equal(text, "my notes\n");
	free(text);
	/* and the line says where it is, and what to do */
	from = strstr(err.text, "what was measured is in ");
	assert_non_null(from);
	assert_int_equal(sscanf(from, "what was measured is in %511[^;]", path), 1);
	assert_int_equal(count(path), 1);
	assert_non_null(strstr(err.text, "`autotune import "));
}

/* The folder above is gone as well, and something else has its name. */
static void what_cannot_be_written_there_is_saved_elsewhere(void **state)
{
	struct place *place = *state;
	struct at_store *store = open_store(place);
	struct at_error err = { 0 };
	char *from, path[512] = "";
	bool rescued;

	add(store, 1);
	remove_folder(place->results);
	assert_ok(at_file_replace(place->results, "a file\n", 7, &err));
	assert_int_equal(at_store_rescue(store, false, &rescued, &err), AT_EIO);
	at_store_close(store);
	from = strstr(err.text, "what was measured is in ");
	assert_non_null(from);
	assert_int_equal(sscanf(from, "what was measured is in %511[^;]", path), 1);
	assert_int_equal(strncmp(path, place->folder, strlen(place->folder)), 0);
	assert_int_equal(count(path), 1);
}

/* Two runs on one record: whoever comes second finds another file in its place. */
static void of_two_runs_one_brings_it_back_and_the_other_adds(void **state)
{
	struct place *place = *state;
	struct at_store *stores[] = { open_store(place), open_store(place) };
	struct at_error err = { 0 };
	bool rescued;

	add(stores[0], 1);
	add(stores[1], 2);
	remove_folder(place->results);
	assert_ok(at_store_rescue(stores[0], false, &rescued, &err));
	assert_true(rescued);
	add(stores[0], 3);
	add(stores[1], 4);
	assert_int_equal(at_store_rescue(stores[1], false, &rescued, &err), AT_EIO);
	for (int i = 0; i < 2; i++)
		at_store_close(stores[i]);
	assert_int_equal(count(place->database), 4);
}

#define test(name) cmocka_unit_test_setup_teardown(name, make_place, remove_place)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(a_record_that_is_where_it_was_is_left_alone),
		test(a_removed_folder_comes_back_with_all_that_was_recorded),
		test(a_removed_file_comes_back_beside_its_old_log),
		test(a_folder_that_was_renamed_is_made_again),
		test(a_record_in_its_place_is_given_what_was_measured),
		test(what_takes_its_place_and_is_no_record_stays_as_it_is),
		test(what_cannot_be_written_there_is_saved_elsewhere),
		test(of_two_runs_one_brings_it_back_and_the_other_adds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
