/* Temporary folders, and the removal of those whose owners have died. */
#define _GNU_SOURCE
#include "program.h"

#include "base/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "suite.h"
#include "folder.h"

static char *place; /* $TMPDIR of all of them, with its whole path */

static int set_up(void **state)
{
	OWNED(free) char *folder = scratch_folder("scratch");

	place = realpath(folder, NULL);
	return setenv("TMPDIR", place, 1);
}

static int tear_down(void **state)
{
	scratch_drop(place);
	return unsetenv("TMPDIR");
}

#define TEST_HERE(name) TEST_WITH(name, set_up, tear_down)

static void write_file(const char *folder, const char *name)
{
	OWNED(free) char *path = scratch_path(folder, name);

	assert_ok(at_file_replace(path, "x", 1, NULL));
}

static bool is_there(const char *folder, const char *name)
{
	OWNED(free) char *path = scratch_path(folder, name);
	struct stat facts;
	bool found = lstat(path, &facts) == 0;

	return found;
}

static const char *name_of(const char *path)
{
	return strrchr(path, '/') + 1;
}

/* A folder of a process that was killed, with files in it. Heap. */
static char *leave_one(void)
{
	char path[512] = "";
	int ends[2], status;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		struct at_scratch scratch;
		char *below;

		if (at_scratch_make(&scratch, "autotune", NULL))
			_exit(1);
		below = scratch_path(scratch.path, "below");
		if (mkdir(below, 0700))
			_exit(2);
		write_file(below, "file");
		(void)!write(ends[1], scratch.path, strlen(scratch.path) + 1);
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_true(read(ends[0], path, sizeof(path)) > 1);
	close(ends[0]);
	close(ends[1]);
	return strdup(path);
}

TEST_HERE(a_folder_ends_with_all_that_is_in_it)
{
	struct at_scratch scratch, empty = { 0 };
	struct stat facts;
	char name[64];
	OWNED(free) char *below, *link;

	assert_ok(at_scratch_make(&scratch, "autotune", NULL));
	snprintf(name, sizeof(name), "%s", name_of(scratch.path));
	assert_memory_equal(scratch.path, place, strlen(place));
	assert_int_equal(stat(scratch.path, &facts), 0);
	assert_int_equal(facts.st_mode & 0777, 0700);
	below = scratch_path(scratch.path, "below");
	assert_int_equal(mkdir(below, 0700), 0);
	write_file(below, "file");
	write_file(scratch.path, "file");
	/* what it leads to is somebody else's */
	write_file(place, "kept");
	link = scratch_path(below, "link");
	assert_int_equal(symlink("../../kept", link), 0);
	at_scratch_remove(&scratch);
	assert_string_equal(scratch.path, "");
	assert_false(is_there(place, name));
	assert_true(is_there(place, "kept"));
	at_scratch_remove(&scratch);
	at_scratch_remove(&empty);
}

TEST_HERE(no_folder_is_one_line_that_names_the_place)
{
	struct at_scratch scratch;
	struct at_error err = { 0 };
	OWNED(free) char *long_place = calloc(1, 600);

	setenv("TMPDIR", "/nowhere", 1);
	assert_int_equal(at_scratch_make(&scratch, "autotune", &err), AT_EIO);
	assert_string_equal(err.file, "/nowhere");
	assert_string_equal(scratch.path, "");
	at_scratch_remove(&scratch);
	at_error_clear(&err);
	assert_int_equal(at_scratch_check(&err), AT_EINVAL);
	assert_string_equal(err.file, "/nowhere");
	assert_string_equal(err.text,
		"there can be no temporary files here: No such file or directory; set TMPDIR to a folder that can be written to");
	at_error_clear(&err);
	setenv("TMPDIR", "/dev/null", 1);
	assert_int_equal(at_scratch_check(&err), AT_EINVAL);
	at_error_clear(&err);
	memset(long_place, '/', 599);
	setenv("TMPDIR", long_place, 1);
	assert_int_equal(at_scratch_make(&scratch, "autotune", &err), AT_EINVAL);
	assert_non_null(strstr(err.text, "TMPDIR"));
	at_error_clear(&err);
	assert_int_equal(at_scratch_check(&err), AT_EINVAL);
	setenv("TMPDIR", place, 1);
	assert_ok(at_scratch_check(NULL));
}

static void note_dead(const char *path, void *context)
{
	snprintf(context, 512, "%s", path);
	/* nothing is removed before it was told */
	assert_true(is_there(path, "below/file"));
}

TEST_HERE(what_a_killed_process_left_is_swept)
{
	OWNED(free) char *left = leave_one();
	char told[512] = "";
	struct at_scratch mine;

	assert_ok(at_scratch_make(&mine, "autotune", NULL));
	assert_true(is_there(left, "below/file"));
	assert_int_equal(at_scratch_sweep(note_dead, told), 1);
	assert_string_equal(told, left);
	assert_false(is_there(place, name_of(left)));
	assert_true(is_there(place, name_of(mine.path)));
	assert_int_equal(at_scratch_sweep(note_dead, told), 0);
	at_scratch_remove(&mine);
}

TEST_HERE(one_is_swept_when_its_owner_is_dead_alone)
{
	OWNED(free) char *left = leave_one();
	struct at_scratch mine;

	assert_ok(at_scratch_make(&mine, "autotune", NULL));
	assert_false(at_scratch_sweep_one(mine.path, NULL, NULL));
	assert_true(is_there(place, name_of(mine.path)));
	assert_true(at_scratch_sweep_one(left, NULL, NULL));
	assert_false(is_there(place, name_of(left)));
	assert_false(at_scratch_sweep_one(left, NULL, NULL));
	at_scratch_remove(&mine);
}

TEST_HERE(links_are_not_followed)
{
	char *left = leave_one();
	OWNED(free)
	char *link = scratch_path(place, "autotune-abcdef"),
	     *elsewhere = scratch_path(place, "elsewhere"), *inside;

	/* in place of a folder, to a dead one */
	assert_int_equal(rename(left, elsewhere), 0);
	assert_int_equal(symlink("elsewhere", link), 0);
	assert_int_equal(at_scratch_sweep(NULL, NULL), 0);
	assert_true(is_there(elsewhere, "below/file"));
	assert_int_equal(unlink(link), 0);
	free(left);
	/* inside of one */
	left = leave_one();
	inside = scratch_path(left, "link");
	assert_int_equal(symlink("../elsewhere", inside), 0);
	assert_int_equal(at_scratch_sweep(NULL, NULL), 1);
	assert_true(is_there(elsewhere, "below/file"));
	assert_false(is_there(place, name_of(left)));
	free(left);
}

/* whatever says that it has an owner is not locked by him */
TEST_HERE(what_is_not_surely_left_is_let_be)
{
	static const struct {
		const char *name, *owner;
		mode_t mode;
	} rows[] = {
		/* in the moment between its making and its owner's file */
		{ "autotune-aaaaaa", NULL, 0700 },
		{ "autotune-bbbbbb", "", 0700 },
		/* others may have written there */
		{ "autotune-cccccc", "boot", 0777 },
		/* not ours */
		{ "autotune-program-dddd", "boot", 0700 },
		{ "autotunes", "boot", 0700 },
		{ "autotune-a.b-eeeeee", "boot", 0700 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		OWNED(free)
		char *path = scratch_path(place, rows[i].name),
		     *owner = scratch_path(path, ".owner");

		assert_int_equal(mkdir(path, 0700), 0);
		write_file(path, "file");
		if (rows[i].owner)
			file_write(owner, rows[i].owner);
		assert_int_equal(chmod(path, rows[i].mode), 0);
	}
	assert_int_equal(at_scratch_sweep(NULL, NULL), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_true(is_there(place, rows[i].name));
}

TEST_HERE(what_is_of_another_user_is_let_be)
{
	char *left;

	if (geteuid() != 0)
		skip_because("only root can give a folder to somebody");
	left = leave_one();
	assert_int_equal(chown(left, 65534, 65534), 0);
	assert_int_equal(at_scratch_sweep(NULL, NULL), 0);
	assert_true(is_there(left, "below/file"));
	free(left);
}

/* killed before its owner's file was there: an hour later, and only if it is empty */
TEST_HERE(an_empty_one_goes_after_a_while)
{
	const struct timeval old[2] = { { 1000000000, 0 }, { 1000000000, 0 } };
	/* made while the clock was years ahead */
	const struct timeval future[2] = { { 4000000000, 0 }, { 4000000000, 0 } };
	OWNED(free)
	char *full = scratch_path(place, "autotune-aaaaaa"),
	     *empty = scratch_path(place, "autotune-bbbbbb"),
	     *fresh = scratch_path(place, "autotune-cccccc"),
	     *ahead = scratch_path(place, "autotune-dddddd");

	assert_int_equal(mkdir(full, 0700), 0);
	assert_int_equal(mkdir(empty, 0700), 0);
	assert_int_equal(mkdir(fresh, 0700), 0);
	assert_int_equal(mkdir(ahead, 0700), 0);
	assert_int_equal(utimes(ahead, future), 0);
	write_file(full, "file");
	assert_int_equal(utimes(full, old), 0);
	assert_int_equal(utimes(empty, old), 0);
	at_scratch_sweep(NULL, NULL);
	assert_true(is_there(full, "file"));
	assert_false(is_there(place, "autotune-bbbbbb"));
	assert_false(is_there(place, "autotune-dddddd"));
	assert_true(is_there(place, "autotune-cccccc"));
}

/* killed before it wrote into its owner's file, or without room to: an hour later, and
   not while somebody has the lock */
TEST_HERE(one_without_a_boot_goes_after_a_while)
{
	const struct timeval old[2] = { { 1000000000, 0 }, { 1000000000, 0 } };
	static const char *const names[] = { "autotune-aaaaaa", "autotune-bbbbbb",
		"autotune-cccccc" };
	int held = -1;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		OWNED(free)
		char *path = scratch_path(place, names[i]),
		     *owner = scratch_path(path, ".owner");

		assert_int_equal(mkdir(path, 0700), 0);
		write_file(path, "file");
		write_file(path, ".owner");
		assert_int_equal(truncate(owner, 0), 0);
		if (i < 2)
			assert_int_equal(utimes(owner, old), 0);
		if (i == 1) {
			held = open(owner, O_RDONLY | O_CLOEXEC);
			assert_int_equal(flock(held, LOCK_EX), 0);
		}
	}
	at_scratch_sweep(NULL, NULL);
	assert_false(is_there(place, names[0]));
	assert_true(is_there(place, names[1]));
	assert_true(is_there(place, names[2]));
	close(held);
}

/* What a case that fails leaves behind: folder.h, which makes the folders of all tests.
 */
TEST_HERE(a_test_that_ends_leaves_no_folder)
{
	OWNED(free) char *pattern = scratch_path(place, "left-XXXXXX");
	char *inner;
	int channel[2], outcome;
	char made[PATH_MAX] = "";
	pid_t child;

	assert_int_equal(pipe(channel), 0);
	fflush(NULL);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		inner = folder_make(pattern) ? scratch_path(pattern, "file") : NULL;
		if (!inner || at_file_replace(inner, "x", 1, NULL))
			_exit(1);
		if (write(channel[1], pattern, strlen(pattern)) < 0)
			_exit(1);
		/* its own child removes nothing */
		if (fork() == 0)
			exit(0);
		wait(NULL);
		exit(access(inner, F_OK) ? 2 : 0);
	}
	assert_int_equal(waitpid(child, &outcome, 0), child);
	assert_int_equal(outcome, 0);
	assert_true(read(channel[0], made, sizeof(made) - 1) > 0);
	assert_int_equal(access(made, F_OK), -1);
	/* nor did the child remove what this test made */
	assert_int_equal(access(place, F_OK), 0);
	close(channel[0]);
	close(channel[1]);
}

RUN_SUITE(NULL, NULL)
