/* Records whose file goes, or makes room for another one, while they are open. */
#include "base/file.h"
#include "base/memory.h"
#include "folder.h"
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
	assert_non_null(mkdtemp(place->folder));
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

/* evaluations of a device, with these keys */
static void add(struct at_store *store, uint64_t first, uint64_t count)
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
		struct at_evaluation evaluation = { .key = { i, i },
			.device_id = id,
			.space = (char *)"space",
			.problem = (char *)"problem",
			.problem_json = (char *)"{}",
			.configuration = (char *)"{}",
			.outcome = AT_OUTCOME_OK,
			.detail = (char *)"",
			.log = (char *)"",
			.time_ns = 1 };

		assert_ok(at_store_add(store, &evaluation, &err));
	}
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
	assert_ok(at_store_rescue(store, &rescued, &err));
	assert_false(rescued);
	folder_remove(place->results);
	assert_ok(at_store_rescue(store, &rescued, &err));
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
	assert_int_equal(at_store_rescue(store, &rescued, &err), AT_EIO);
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
	assert_int_equal(at_store_rescue(store, &rescued, &err), AT_EIO);
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

int main(void)
{
#define test(name) cmocka_unit_test_setup_teardown(name, make_place, remove_place)
	const struct CMUnitTest tests[] = {
		test(a_file_that_is_gone_is_written_again),
		test(a_record_in_its_place_loses_nothing_and_gets_the_rest),
		test(a_database_of_another_program_in_its_place_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
