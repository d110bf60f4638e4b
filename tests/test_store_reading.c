/*
 * Records that cannot be written. They are read by a child process without root's
 * rights, since root may write anywhere. It answers by its exit code: 0, or the number
 * of the check that failed.
 */
#include "folder.h"
#include "record/store.h"

#include "base/memory.h"
#include "record/sqlite.h"

#include <dirent.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "suite.h"

#include "record_fixture.h"

#define NOBODY 65534

struct place {
	char directory[64];
	char results[96];
	char database[128];
	char log[136];
	char index[136];
};

static void make_place(struct place *place)
{
	strcpy(place->directory, "/tmp/autotune-reading-XXXXXX");
	assert_non_null(folder_make(place->directory));
	assert_int_equal(chmod(place->directory, 0755), 0);
	/* with what a URI would take for its own */
	snprintf(place->results, sizeof(place->results), "%s/a b%%20?c#d",
		place->directory);
	snprintf(place->database, sizeof(place->database), "%s/autotune.db",
		place->results);
	snprintf(place->log, sizeof(place->log), "%s-wal", place->database);
	snprintf(place->index, sizeof(place->index), "%s-shm", place->database);
}

static void remove_place(struct place *place)
{
	chmod(place->results, 0755);
	folder_remove(place->directory);
}

#define TEST_HERE(name) TEST_ON(name, struct place, place, make_place, remove_place)

/* ---- a record with so many evaluations --------------------------------------- */

static struct at_store *open_store(const struct place *place)
{
	return record_open(place->results);
}

static enum at_status add(struct at_store *store, uint64_t key)
{
	struct at_record_device device =
		record_device("cuda", "NVIDIA H200", "nvidia-h200", "sm_90", "", "");
	struct at_evaluation evaluation = {
		.key = { .low = key },
		.space = "matmul",
		.problem = "square",
		.problem_json = "{}",
		.configuration = "{}",
		.outcome = AT_OUTCOME_OK,
		.time_ns = 1,
	};
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
static int add_and_die(struct place *place)
{
	struct at_store *store;

	if (at_store_open(place->results, &store, NULL) || add(store, 2))
		return 1;
	_exit(0);
}

static void in_a_child(struct place *place, int (*body)(struct place *place))
{
	pid_t child = fork();

	assert_true(child >= 0);
	if (!child)
		_exit(body(place));
	assert_int_equal(exit_of(child), 0);
}

static void forbid_writing(const struct place *place)
{
	const char *const files[] = { place->database, place->log, place->index };

	for (size_t i = 0; i < AT_COUNT_OF(files); i++)
		(void)!chmod(files[i], 0444);
	assert_int_equal(chmod(place->results, 0555), 0);
}

static bool become_nobody(void)
{
	return geteuid() != 0 || (setgid(NOBODY) == 0 && setuid(NOBODY) == 0);
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

static int read_as_nobody(struct place *place)
{
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

static void assert_read(struct place *place, int evaluations)
{
	long long before;

	forbid_writing(place);
	before = weigh(place->results);
	expected_count = evaluations;
	in_a_child(place, read_as_nobody);
	assert_true(weigh(place->results) == before);
}

TEST_HERE(reads_a_record_at_rest)
{
	struct at_store *store = open_store(place);

	assert_ok(add(store, 1));
	at_store_close(store);
	/* else there is nothing to work around */
	assert_false(at_file_exists(place->index));
	assert_read(place, 1);
}

TEST_HERE(reads_what_a_killed_process_left_in_the_log)
{
	struct at_store *store = open_store(place);

	assert_ok(add(store, 1));
	at_store_close(store);
	in_a_child(place, add_and_die);
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

TEST_HERE(reads_a_log_whose_index_is_gone)
{
	struct at_store *store = open_store(place);
	char temporary[96];

	assert_ok(add(store, 1));
	at_store_close(store);
	in_a_child(place, add_and_die);
	assert_int_equal(unlink(place->index), 0);
	snprintf(temporary, sizeof(temporary), "%s/tmp", place->directory);
	assert_int_equal(mkdir(temporary, 0777), 0);
	assert_int_equal(chmod(temporary, 0777), 0);
	assert_int_equal(setenv("TMPDIR", temporary, 1), 0);
	assert_read(place, 2);
	assert_int_equal(leftovers(), 0);
	unsetenv("TMPDIR");
}

TEST_HERE(reads_beside_one_who_writes)
{
	OWNED(at_store_close) struct at_store *store = open_store(place);

	assert_ok(add(store, 1));
	forbid_writing(place);
	expected_count = 1;
	in_a_child(place, read_as_nobody);
	/* who has it open may go on, and its log is not yet folded in */
	assert_ok(add(store, 2));
	expected_count = 2;
	in_a_child(place, read_as_nobody);
}

TEST_HERE(reads_one_moment_whatever_others_write)
{
	OWNED(at_store_close) struct at_store *store = open_store(place);
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

TEST_HERE(climbs_from_an_older_version_in_memory)
{
	for (int version = 1; version <= 3; version++) {
		struct at_sqlite *database;
		OWNED(free) char *sql;
		char path[256];
		int64_t now = 0;

		snprintf(path, sizeof(path), AT_TEST_DIR "/data/record/version_%d.sql",
			version);
		assert_ok(at_directory_make(place->results, &failure));
		assert_int_equal(chmod(place->results, 0755), 0);
		unlink(place->database);
		sql = file_text(path);
		assert_ok(at_sqlite_open(place->database, &database, &failure));
		assert_ok(at_sqlite_execute(database, sql, &failure));
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

static int add_as_nobody(struct place *place)
{
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

TEST_HERE(says_that_nothing_can_be_added)
{
	struct at_store *store = open_store(place);

	assert_ok(add(store, 1));
	at_store_close(store);
	forbid_writing(place);
	in_a_child(place, add_as_nobody);
}

/* A copy in memory takes whatever is added, and loses it. */
TEST_HERE(adds_nothing_to_a_copy)
{
	struct at_store *store = open_store(place);

	assert_ok(add(store, 1));
	at_store_close(store);
	in_a_child(place, add_and_die);
	assert_int_equal(unlink(place->index), 0);
	forbid_writing(place);
	in_a_child(place, add_as_nobody);
}

static int next_descriptor(void)
{
	int file = dup(STDERR_FILENO);

	close(file);
	return file;
}

static int add_without_descriptors(struct place *place)
{
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
TEST_HERE(says_what_kept_it_from_writing)
{
	struct at_store *store = open_store(place);

	assert_ok(add(store, 1));
	at_store_close(store);
	in_a_child(place, add_without_descriptors);
}

static const char *expected_text;

static int fail_as_nobody(struct place *place)
{
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

TEST_HERE(says_what_keeps_it_from_reading)
{
	struct at_sqlite *database;

	expected_text = "there is no record";
	in_a_child(place, fail_as_nobody);
	assert_false(at_file_exists(place->results));

	at_store_close(open_store(place));
	assert_int_equal(chmod(place->database, 0600), 0);
	assert_int_equal(chmod(place->results, 0555), 0);
	expected_text =
		"cannot open the record (Permission denied): let the file and its directory be read, or choose another place with --results DIR";
	in_a_child(place, fail_as_nobody);

	assert_int_equal(chmod(place->results, 0755), 0);
	assert_ok(at_sqlite_open(place->database, &database, &failure));
	assert_ok(at_sqlite_execute(database, "PRAGMA user_version = 1000", &failure));
	at_sqlite_close(database);
	forbid_writing(place);
	expected_text =
		"was written by a newer autotune (version 1000 of the record, this program knows 11): use that one, or choose another place with --results DIR";
	in_a_child(place, fail_as_nobody);
}

TEST_HERE(writes_where_it_may)
{
	struct at_store *store = open_store(place);

	at_store_close(store);
	assert_ok(at_store_open_reading(place->results, &store, &failure));
	assert_ok(add(store, 1));
	at_store_close(store);
	store = open_store(place);
	assert_int_equal(count(store), 1);
	at_store_close(store);
}

TEST_HERE(keeps_in_memory_what_is_of_no_file)
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
