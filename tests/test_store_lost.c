/* Records that another program removes, replaces or overwrites under a run. */
#define _GNU_SOURCE
#include "record_fixture.h"
#include "record/forget.h"
#include "record/merge.h"

#include <dlfcn.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* ---- a file system that machines share: there SQLite uses no log ----------- */

static long fs_type; /* what statfs() says; 0: the truth */

int statfs(const char *path, struct statfs *out)
{
	int (*real)(const char *, struct statfs *);
	int result;

	*(void **)&real = dlsym(RTLD_NEXT, "statfs");
	result = real(path, out);
	if (fs_type)
		out->f_type = fs_type;
	return result;
}

/* ---- the place ------------------------------------------------------------- */

struct place {
	char folder[64], results[96], database[128], log[136], other[96];
	struct at_store *store;
	int64_t device_id, run_id, old_id;
};

static enum at_status add(struct place *place, uint64_t key, int64_t *id)
{
	struct at_evaluation evaluation = record_evaluation(place->device_id, key, 1);
	enum at_status status;

	evaluation.run_id = place->run_id;
	status = at_store_add(place->store, &evaluation, NULL);
	if (id)
		*id = evaluation.id;
	return status;
}

static void begin_run(struct place *place)
{
	const struct at_record_device device =
		record_device("host", "A CPU", "a-cpu", "x86_64", "6", "");

	assert_ok(at_store_begin_run_on(place->store, &device, "matmul", "random", 1,
		"1", &place->device_id, &place->run_id, &failure));
}

/* keys: 1 and those from 1000 on of an earlier run; 2 to 20 of this run */
static void make_place(struct place *place)
{
	strcpy(place->folder, "/tmp/autotune-lost-XXXXXX");
	assert_non_null(folder_make(place->folder));
	snprintf(place->results, sizeof(place->results), "%s/results", place->folder);
	snprintf(place->other, sizeof(place->other), "%s/other", place->folder);
	snprintf(place->database, sizeof(place->database), "%s/autotune.db",
		place->results);
	snprintf(place->log, sizeof(place->log), "%s-wal", place->database);
	place->store = record_open(place->results);
	begin_run(place);
	assert_ok(add(place, 1, &place->old_id));
	for (uint64_t key = 1000; key < 1200; key++)
		assert_ok(add(place, key, NULL));
	assert_ok(at_store_end_run(place->store, place->run_id, "done", &failure));
	at_store_close(place->store);
	place->store = record_open(place->results);
	begin_run(place);
	for (uint64_t key = 2; key <= 20; key++)
		assert_ok(add(place, key, NULL));
}

static void remove_place(struct place *place)
{
	folder_remove(place->folder);
}

#define TEST_HERE(name) TEST_ON(name, struct place, place, make_place, remove_place)

static bool has(struct at_store *store, uint64_t key)
{
	RELEASED(at_evaluation_release) struct at_evaluation evaluation;
	bool found;

	assert_ok(at_store_find(store, (struct at_hash){ .low = key }, false,
		&evaluation, &found, &failure));
	return found;
}

/* The folder that the line names; the caller's. */
static char *saved_in(const struct at_error *err)
{
	const char *begin = strstr(err->text, "`autotune import");
	char *folder = NULL;

	if (!begin || sscanf(begin, "`autotune import %ms", &folder) != 1)
		fail_msg("%s", err->text);
	return folder;
}

/* ---- what another program does -------------------------------------------------- */

static void remove_file(const struct place *place)
{
	assert_int_equal(unlink(place->database), 0);
}

static void remove_results(const struct place *place)
{
	folder_remove(place->results);
}

static void rename_results(const struct place *place)
{
	assert_int_equal(rename(place->results, place->other), 0);
}

static void put_another_record(const struct place *place)
{
	char path[128];

	at_store_close(record_open(place->other));
	snprintf(path, sizeof(path), "%s/autotune.db", place->other);
	assert_int_equal(rename(path, place->database), 0);
}

static void put_a_text(const struct place *place)
{
	assert_ok(at_file_replace(place->database, "text", 4, &failure));
}

/* Writes into the files, which stay the same ones; zeros in place of data: NULL. */
static void write_over(const char *path, const char *data, size_t size)
{
	struct stat facts;
	FILE *file = fopen(path, "r+b");

	assert_non_null(file);
	assert_int_equal(fstat(fileno(file), &facts), 0);
	if (data)
		assert_int_equal(fwrite(data, 1, size, file), size);
	for (off_t i = 0; !data && i < facts.st_size; i++)
		assert_int_equal(fputc(0, file), 0);
	assert_int_equal(fclose(file), 0);
	if (data)
		assert_int_equal(truncate(path, (off_t)size), 0);
}

static void write_zeros(const struct place *place)
{
	write_over(place->database, NULL, 0);
	if (!fs_type)
		write_over(place->log, NULL, 0);
}

static void cut_short(const struct place *place)
{
	assert_int_equal(truncate(place->database, 0), 0);
	if (!fs_type)
		assert_int_equal(truncate(place->log, 0), 0);
}

static void cut_log(const struct place *place)
{
	assert_int_equal(truncate(place->log, 100), 0);
}

/* as `cp other/autotune.db results/` */
static void copy_another_record(const struct place *place)
{
	char path[128];
	OWNED(free) char *data;
	size_t size;

	at_store_close(record_open(place->other));
	snprintf(path, sizeof(path), "%s/autotune.db", place->other);
	assert_ok(at_file_read(path, 0, &data, &size, &failure));
	write_over(place->database, data, size);
}

/* ---- and what becomes of the run ------------------------------------------- */

static void assert_nothing_is_lost(
	struct place *place, void (*harm)(const struct place *place), bool has_moved)
{
	struct at_error err = { 0 }, lost = { 0 };
	enum at_status status = AT_OK;
	struct at_merged merged;
	OWNED(at_store_close) struct at_store *other;
	uint64_t key = 21;
	OWNED(free) char *folder;

	harm(place);
	/* a run that goes on */
	while (!status && key < 40)
		status = add(place, key++, NULL);
	if (has_moved)
		assert_int_equal(status, AT_EIO);
	assert_true(at_store_end_run(place->store, place->run_id, "done", &err));
	memset(&err, 0, sizeof(err));
	assert_int_equal(at_store_save_lost(place->store, &lost), AT_EIO);
	assert_string_equal(lost.file, place->database);
	assert_int_equal(strstr(lost.text, "removed or replaced") != NULL, has_moved);
	at_store_close(place->store);
	folder = saved_in(&lost);
	assert_memory_equal(folder, place->folder, strlen(place->folder));
	folder_remove(place->other);
	other = record_open(place->other);
	snprintf(place->database, sizeof(place->database), "%s/autotune.db", folder);
	assert_ok(at_store_merge(other, place->database, "", &merged, &failure));
	for (uint64_t k = 2; k < key; k++)
		assert_true(has(other, k));
}

TEST_HERE(nothing_that_was_measured_is_lost)
{
	static const struct {
		void (*harm)(const struct place *place);
		bool has_moved;
	} cases[] = {
		{ remove_file, true },
		{ remove_results, true },
		{ rename_results, true },
		{ put_another_record, true },
		{ put_a_text, true },
		{ write_zeros, false },
		{ cut_short, false },
		{ copy_another_record, false },
		{ cut_log, false },
	};
	const size_t count = sizeof(cases) / sizeof(cases[0]);

	at_store_close(((struct place *)place)->store);
	for (size_t i = 0; i < 2 * count; i++) {
		const long nfs = 0x6969;

		/* there is no log there */
		fs_type = i < count ? 0 : nfs;
		if (fs_type && cases[i % count].harm == cut_log)
			continue;
		remove_place(place);
		memset(place, 0, sizeof(*place));
		make_place(place);
		assert_nothing_is_lost(
			place, cases[i % count].harm, cases[i % count].has_moved);
	}
	fs_type = 0;
}

TEST_HERE(what_took_its_place_stays_as_it_is)
{
	struct at_error err = { 0 };
	OWNED(at_store_close) struct at_store *there;

	put_another_record(place);
	add(place, 21, NULL);
	assert_int_equal(at_store_save_lost(place->store, &err), AT_EIO);
	at_store_close(place->store);
	assert_false(at_file_exists(place->log));
	there = record_open(place->results);
	assert_false(has(there, 2));
}

/* a winner of an earlier run that won again, and one that this run never read */
TEST_HERE(a_winner_is_saved_with_what_it_names)
{
	const struct at_winner best = record_winner(place->device_id, place->old_id, 0);
	struct at_error err = { 0 };
	RELEASED(at_winner_release) struct at_winner found;
	OWNED(at_store_close) struct at_store *other;
	OWNED(free) char *folder;
	bool is_there;

	assert_ok(at_store_put_winner(place->store, &best, &failure));
	remove_results(place);
	assert_int_equal(at_store_save_lost(place->store, &err), AT_EIO);
	at_store_close(place->store);
	folder = saved_in(&err);
	other = record_open(folder);
	memset(&err, 0, sizeof(err));
	assert_ok(at_store_find_winner(
		other, 1, "matmul", "square", &found, &is_there, &failure));
	assert_true(is_there);
	assert_true(has(other, 1));
}

TEST_HERE(without_a_folder_beside_it_the_current_one_is_taken)
{
	char here[] = "/tmp/autotune-here-XXXXXX";
	char before[1024], there[160];
	OWNED(free) char *folder;
	struct at_error err = { 0 };

	assert_non_null(getcwd(before, sizeof(before)));
	assert_non_null(folder_make(here));
	assert_int_equal(chdir(here), 0);
	folder_remove(place->folder);
	assert_int_equal(at_store_save_lost(place->store, &err), AT_EIO);
	at_store_close(place->store);
	folder = saved_in(&err);
	snprintf(there, sizeof(there), "%s/%s/autotune.db", here, folder);
	assert_true(at_file_exists(there));
	assert_int_equal(chdir(before), 0);
	folder_remove(here);
}

TEST_HERE(what_is_in_the_record_is_not_saved_elsewhere)
{
	const struct at_forget_target all = { .space = "matmul" };
	struct at_forgotten forgotten;
	struct at_store *other = record_open(place->results);

	assert_ok(at_store_save_lost(place->store, &failure));
	/* a run under way keeps what it knows */
	assert_fails(at_store_forget(other, &all, 1, 0, true, &forgotten, &failure),
		AT_EINVAL, "a run of matmul is under way: try again when it has ended");
	assert_true(has(other, 1) && has(other, 20));
	memset(&failure, 0, sizeof(failure));
	/* what is forgotten after a run is not lost */
	assert_ok(at_store_end_run(place->store, place->run_id, "done", &failure));
	assert_ok(at_store_forget(other, &all, 1, 0, true, &forgotten, &failure));
	assert_false(has(other, 20));
	assert_ok(at_store_save_lost(place->store, &failure));
	at_store_close(other);
	at_store_close(place->store);
}

RUN_SUITE(NULL, NULL)
