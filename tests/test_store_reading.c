/*
 * Records that cannot be written. They are read by a child process without root's
 * rights, since root may write anywhere. It answers by its exit code: 0, or the number
 * of the check that failed.
 */
#include "record_fixture.h"

#include "base/memory.h"
#include "record/sqlite.h"

#include <dirent.h>
#include <sys/resource.h>

/* ---- a record with so many evaluations --------------------------------------- */

static enum at_status add(struct at_store *store, uint64_t key)
{
	struct at_record_device device =
		record_device("cuda", "NVIDIA H200", "nvidia-h200", "sm_90", "", "");
	struct at_evaluation evaluation = record_evaluation(0, key, 1);
	enum at_status status =
		at_store_put_device(store, &device, &evaluation.device_id, NULL);

	return status ? status : at_store_add(store, &evaluation, NULL);
}

static enum at_status count_one(void *context, const struct at_evaluation *evaluation)
{
	++*(int *)context;
	return AT_OK;
}

/* -1: it cannot be read */
static int count(struct at_store *store)
{
	int found = 0;

	return at_store_list(store, NULL, NULL, NULL, 0, count_one, &found, NULL)
		       ? -1
		       : found;
}

/* Ends without closing, as a killed process does: what it added is in the log. */
static int add_and_die(void *context)
{
	const struct record_place *place = context;
	struct at_store *store;

	if (at_store_open(place->results, &store, NULL) || add(store, 2))
		return 1;
	_exit(0);
}

static void forbid_writing(const struct record_place *place)
{
	const char *const files[] = { place->database, place->log, place->index };

	for (size_t i = 0; i < AT_COUNT_OF(files); i++)
		(void)!chmod(files[i], 0444);
	assert_int_equal(chmod(place->results, 0555), 0);
}

/* What a folder holds, by the sizes of its files: nothing may be added or changed. */
static long long weigh(const char *path)
{
	long long weight = 0;
	const struct dirent *entry;
	DIR *folder = opendir(path);

	assert_non_null(folder);
	while ((entry = readdir(folder))) {
		OWNED(free) char *name = at_path_join(path, entry->d_name);
		struct stat facts;

		if (stat(name, &facts) == 0 && S_ISREG(facts.st_mode))
			weight += 1000000007 + facts.st_size +
				  facts.st_mtim.tv_nsec % 1000;
	}
	closedir(folder);
	return weight;
}

/* ---- reading --------------------------------------------------------------- */

static int expected_count;

static int read_as_nobody(void *context)
{
	const struct record_place *place = context;
	struct at_error err = { 0 };
	struct at_store *store;
	int found;

	if (!become_nobody())
		return 1;
	if (at_store_open_reading(place->results, &store, &err)) {
		fprintf(stderr, "%s: %s\n", err.file, err.text);
		return 2;
	}
	found = count(store);
	at_store_close(store);
	if (found == expected_count)
		return 0;
	fprintf(stderr, "%d evaluations, expected %d\n", found, expected_count);
	return 3;
}

static void assert_read(struct record_place *place, int evaluations)
{
	long long before;

	forbid_writing(place);
	before = weigh(place->results);
	expected_count = evaluations;
	in_a_child(read_as_nobody, place);
	assert_true(weigh(place->results) == before);
}

TEST_AT(reads_a_record_at_rest, place)
{
	struct at_store *store = place_open(place);

	assert_ok(add(store, 1));
	at_store_close(store);
	/* else there is nothing to work around */
	assert_false(at_file_exists(place->index));
	assert_read(place, 1);
}

TEST_AT(reads_what_a_killed_process_left_in_the_log, place)
{
	struct at_store *store = place_open(place);

	assert_ok(add(store, 1));
	at_store_close(store);
	in_a_child(add_and_die, place);
	assert_true(at_file_exists(place->log) && at_file_exists(place->index));
	assert_read(place, 2);
}

static int leftovers(void)
{
	const char *temporary = getenv("TMPDIR");
	const struct dirent *entry;
	DIR *folder = opendir(temporary);
	int found = 0;

	while (folder && (entry = readdir(folder)))
		found += entry->d_name[0] != '.';
	if (folder)
		closedir(folder);
	return found;
}

TEST_AT(reads_a_log_whose_index_is_gone, place)
{
	struct at_store *store = place_open(place);
	char temporary[96];

	assert_ok(add(store, 1));
	at_store_close(store);
	in_a_child(add_and_die, place);
	assert_int_equal(unlink(place->index), 0);
	snprintf(temporary, sizeof(temporary), "%s/tmp", place->folder);
	assert_int_equal(mkdir(temporary, 0777), 0);
	assert_int_equal(chmod(temporary, 0777), 0);
	assert_int_equal(setenv("TMPDIR", temporary, 1), 0);
	assert_read(place, 2);
	assert_int_equal(leftovers(), 0);
	unsetenv("TMPDIR");
}

TEST_AT(reads_beside_one_who_writes, place)
{
	OWNED(at_store_close) struct at_store *store = place_open(place);

	assert_ok(add(store, 1));
	forbid_writing(place);
	expected_count = 1;
	in_a_child(read_as_nobody, place);
	/* who has it open may go on, and its log is not yet folded in */
	assert_ok(add(store, 2));
	expected_count = 2;
	in_a_child(read_as_nobody, place);
}

TEST_AT(reads_one_moment_whatever_others_write, place)
{
	OWNED(at_store_close) struct at_store *store = place_open(place);
	struct at_store *reading;

	assert_ok(add(store, 1));
	assert_ok(at_store_open_reading(place->results, &reading, &failure));
	assert_ok(at_store_begin_reading(reading, &failure));
	/* who writes does not wait for who reads */
	assert_ok(add(store, 2));
	assert_int_equal(count(store), 2);
	assert_int_equal(count(reading), 1);
	at_store_end_reading(reading);
	assert_int_equal(count(reading), 2);
	assert_ok(add(reading, 3));
	assert_ok(at_store_begin_reading(reading, &failure));
	at_store_close(reading);
	assert_int_equal(count(store), 3);
}

TEST_AT(climbs_from_an_older_version_in_memory, place)
{
	for (int version = 1; version <= 3; version++) {
		struct at_sqlite *database;
		int64_t now = 0;

		chmod(place->results, 0755);
		place_write_version(place, version);
		assert_ok(at_sqlite_open(place->database, &database, &failure));
		assert_ok(at_sqlite_use_log(database, &failure));
		at_sqlite_close(database);
		assert_read(place, 2);
		assert_ok(at_sqlite_open_reading(
			place->database, true, &database, &failure));
		assert_ok(at_sqlite_integer(
			database, "PRAGMA user_version", &now, &failure));
		assert_int_equal(now, version);
		at_sqlite_close(database);
	}
}

static int add_as_nobody(void *context)
{
	const struct record_place *place = context;
	struct at_error err = { 0 };
	struct at_store *store;
	int64_t id;

	if (!become_nobody())
		return 1;
	if (at_store_open_reading(place->results, &store, &err))
		return 2;
	if (at_store_begin_run(store, 1, "matmul", "random", 1, "1", &id, &err) !=
		AT_EIO)
		return 3;
	at_store_close(store);
	return strcmp(err.text,
		       "the record or its directory is read-only: make both writable, or choose another place with --results DIR")
		       ? 4
		       : 0;
}

TEST_AT(says_that_nothing_can_be_added, place)
{
	struct at_store *store = place_open(place);

	assert_ok(add(store, 1));
	at_store_close(store);
	forbid_writing(place);
	in_a_child(add_as_nobody, place);
}

/* A copy in memory takes whatever is added, and loses it. */
TEST_AT(adds_nothing_to_a_copy, place)
{
	struct at_store *store = place_open(place);

	assert_ok(add(store, 1));
	at_store_close(store);
	in_a_child(add_and_die, place);
	assert_int_equal(unlink(place->index), 0);
	forbid_writing(place);
	in_a_child(add_as_nobody, place);
}

static int next_descriptor(void)
{
	int file = dup(STDERR_FILENO);

	close(file);
	return file;
}

static int add_without_descriptors(void *context)
{
	const struct record_place *place = context;
	struct rlimit few = { 0 };
	struct at_error err = { 0 };
	struct at_store *store;
	int64_t id;

	/* those that are open, the record's file, and none for its log */
	few.rlim_cur = few.rlim_max = (rlim_t)next_descriptor() + 1;
	if (setrlimit(RLIMIT_NOFILE, &few) < 0)
		return 1;
	if (at_store_open_reading(place->results, &store, &err))
		return 2;
	if (at_store_begin_run(store, 1, "matmul", "random", 1, "1", &id, &err) !=
		AT_EIO)
		return 3;
	at_store_close(store);
	return strstr(err.text, "Too many open files") ? 0 : 4;
}

/* It is not the record that is read-only. */
TEST_AT(says_what_kept_it_from_writing, place)
{
	struct at_store *store = place_open(place);

	assert_ok(add(store, 1));
	at_store_close(store);
	in_a_child(add_without_descriptors, place);
}

static const char *expected_text;

static int fail_as_nobody(void *context)
{
	const struct record_place *place = context;
	struct at_error err = { 0 };
	struct at_store *store;

	if (!become_nobody())
		return 1;
	if (at_store_open_reading(place->results, &store, &err) == AT_OK)
		return 2;
	if (strcmp(err.file, place->database) != 0)
		return 3;
	if (!strcmp(err.text, expected_text))
		return 0;
	fprintf(stderr, "%s\nexpected %s\n", err.text, expected_text);
	return 4;
}

TEST_AT(says_what_keeps_it_from_reading, place)
{
	expected_text = "there is no record";
	in_a_child(fail_as_nobody, place);
	assert_false(at_file_exists(place->results));

	at_store_close(place_open(place));
	assert_int_equal(chmod(place->database, 0600), 0);
	assert_int_equal(chmod(place->results, 0555), 0);
	expected_text =
		"cannot open the record (Permission denied): let the file and its directory be read, or choose another place with --results DIR";
	in_a_child(fail_as_nobody, place);

	assert_int_equal(chmod(place->results, 0755), 0);
	place_tell(place, "PRAGMA user_version = 1000");
	forbid_writing(place);
	expected_text =
		"was written by a newer autotune (version 1000 of the record, this program knows 11): use that one, or choose another place with --results DIR";
	in_a_child(fail_as_nobody, place);
}

TEST_AT(writes_where_it_may, place)
{
	struct at_store *store;

	at_store_close(place_open(place));
	assert_ok(at_store_open_reading(place->results, &store, &failure));
	assert_ok(add(store, 1));
	at_store_close(store);
	store = place_open(place);
	assert_int_equal(count(store), 1);
	at_store_close(store);
}

TEST_AT(keeps_in_memory_what_is_of_no_file, place)
{
	struct at_store *store;

	assert_ok(at_store_open_memory("results", &store, &failure));
	assert_int_equal(count(store), 0);
	assert_ok(add(store, 1));
	assert_ok(add(store, 2));
	assert_int_equal(count(store), 2);
	at_store_close(store);
	assert_ok(at_store_open_memory("results", &store, &failure));
	assert_int_equal(count(store), 0);
	at_store_close(store);
}

RUN_SUITE(NULL, NULL)
