/* Files, folders and paths: reading, writing that survives failures, and removal. */
#include "suite.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* a folder of its own for each test, removed with what the tests leave in it */
struct folder {
	char path[64];
	char file[80];
};

static void make_folder(struct folder *folder)
{
	snprintf(folder->path, sizeof(folder->path), "/tmp/at_test_file_XXXXXX");
	assert_non_null(folder_make(folder->path));
	snprintf(folder->file, sizeof(folder->file), "%s/file", folder->path);
}

static void remove_folder(struct folder *folder)
{
	unlink(folder->file);
	/* a temporary file left behind fails it */
	assert_int_equal(rmdir(folder->path), 0);
}

#define IN_FOLDER(name) TEST_ON(name, struct folder, folder, make_folder, remove_folder)

static void assert_file_holds(
	const char *path, const char *expected, size_t expected_size)
{
	OWNED(free) char *data = NULL;
	size_t size = 0;

	assert_ok(at_file_read(path, 0, &data, &size, &failure));
	assert_int_equal(size, expected_size);
	assert_memory_equal(data, expected, size);
	assert_int_equal(data[size], '\0');
}

IN_FOLDER(a_file_reads_back_as_written)
{
	OWNED(free) char *large = malloc(200000);
	struct stat facts;

	assert_non_null(large);
	memset(large, 'x', 200000);
	assert_false(at_file_exists(folder->file));
	assert_ok(at_file_replace(folder->file, "a\0b", 3, NULL));
	assert_true(at_file_exists(folder->file));
	assert_file_holds(folder->file, "a\0b", 3);
	assert_ok(at_file_replace(folder->file, large, 200000, NULL));
	assert_file_holds(folder->file, large, 200000);
	assert_ok(at_file_replace(folder->file, "", 0, NULL));
	assert_int_equal(stat(folder->file, &facts), 0);
	assert_int_equal(facts.st_size, 0);
}

IN_FOLDER(reading_says_what_it_cannot_read)
{
	struct at_error err = { 0 };
	OWNED(free) char *data = NULL;
	size_t size;

	assert_int_equal(at_file_read(folder->file, 0, &data, &size, &err), AT_ENOENT);
	assert_string_equal(err.file, folder->file);
	at_error_clear(&err);
	assert_int_equal(at_file_read(folder->path, 0, &data, &size, &err), AT_EINVAL);
	assert_string_equal(err.text, "is a directory, not a file");
	at_error_clear(&err);
	assert_ok(at_file_replace(folder->file, "12345", 5, NULL));
	assert_int_equal(at_file_read(folder->file, 4, &data, &size, &err), AT_EINVAL);
	assert_non_null(strstr(err.text, "larger than 4 bytes"));
	assert_null(data);
	assert_ok(at_file_read(folder->file, 5, &data, &size, NULL));
}

/* nobody writes to the pipe: whoever opened it as usual would wait for ever */
IN_FOLDER(what_is_no_file_is_refused_and_not_waited_for)
{
	static const struct {
		const char *path; /* NULL: the pipe */
		const char *text;
	} rows[] = { { NULL, "is a pipe, not a file" },
		{ "/dev/zero", "is a device, not a file" },
		{ "/", "is a directory, not a file" } };
	uint64_t bytes;
	size_t size;
	char *data, link[128];
	int file;

	assert_int_equal(mkfifo(folder->file, 0600), 0);
	snprintf(link, sizeof(link), "%s/link", folder->path);
	for (size_t i = 0; i < COUNT(rows); i++) {
		const char *path = rows[i].path ? rows[i].path : folder->file;
		struct at_error err[3] = { { 0 } };

		/* links are fine, but not where they lead here */
		assert_int_equal(symlink(path, link), 0);
		assert_int_equal(
			at_file_read(link, 0, &data, &size, &err[0]), AT_EINVAL);
		assert_int_equal(at_file_open(link, &file, &bytes, &err[1]), AT_EINVAL);
		assert_int_equal(at_file_check(link, &bytes, &err[2]), AT_EINVAL);
		for (int k = 0; k < 3; k++) {
			assert_string_equal(err[k].file, link);
			assert_string_equal(err[k].text, rows[i].text);
		}
		assert_int_equal(unlink(link), 0);
	}
	assert_true(at_file_is_stream(folder->file));
	assert_true(at_file_is_stream("/dev/null"));
	assert_false(at_file_is_stream(folder->path));
}

IN_FOLDER(a_pipe_is_written_to_where_somebody_reads)
{
	struct at_error err = { 0 };
	char got[8] = { 0 };
	int reader;

	assert_int_equal(mkfifo(folder->file, 0600), 0);
	/* and is not waited for */
	assert_int_equal(at_file_replace(folder->file, "text", 4, &err), AT_EIO);
	assert_string_equal(err.file, folder->file);
	assert_string_equal(err.text, "is a pipe or a socket without a reader");
	reader = open(folder->file, O_RDONLY | O_NONBLOCK);
	assert_true(reader >= 0);
	assert_ok(at_file_replace(folder->file, "text", 4, NULL));
	assert_int_equal(read(reader, got, sizeof(got)), 4);
	assert_string_equal(got, "text");
	assert_int_equal(close(reader), 0);
}

/* a hole of 64 GiB has the size of a file and is read as one */
IN_FOLDER(a_size_is_refused_before_it_is_read)
{
	const off_t large = (off_t)64 << 30;
	struct at_error err = { 0 };
	uint64_t bytes = 0;
	char *data = NULL;
	size_t size;

	assert_ok(at_file_replace(folder->file, "", 0, NULL));
	assert_int_equal(truncate(folder->file, large), 0);
	assert_int_equal(
		at_file_read(folder->file, (size_t)16 << 20, &data, &size, &err),
		AT_EINVAL);
	assert_null(data);
	assert_string_equal(
		err.text, "is larger than 16777216 bytes, the most that is read");
	assert_ok(at_file_check(folder->file, &bytes, NULL));
	assert_true(bytes == (uint64_t)large);
}

IN_FOLDER(the_same_bytes_leave_a_file_untouched)
{
	struct stat before, after;

	assert_ok(at_file_replace(folder->file, "same", 4, NULL));
	assert_int_equal(stat(folder->file, &before), 0);
	assert_ok(at_file_replace(folder->file, "same", 4, NULL));
	assert_int_equal(stat(folder->file, &after), 0);
	assert_true(before.st_ino == after.st_ino);
	assert_true(before.st_mtim.tv_sec == after.st_mtim.tv_sec &&
		    before.st_mtim.tv_nsec == after.st_mtim.tv_nsec);
	assert_ok(at_file_replace(folder->file, "diff", 4, NULL));
	assert_int_equal(stat(folder->file, &after), 0);
	assert_true(before.st_ino != after.st_ino);
	assert_file_holds(folder->file, "diff", 4);
}

IN_FOLDER(a_folder_that_went_is_made_again)
{
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	struct at_error err = { 0 };
	char inside[512], file[600];

	snprintf(inside, sizeof(inside), "%s/a/b", folder->path);
	snprintf(file, sizeof(file), "%s/c", inside);
	at_strbuf_add(&text, "text");
	for (unsigned i = 0; i < 2; i++) {
		assert_ok(at_file_replace_inside(inside, file, &text, &failure));
		assert_file_holds(file, "text", 4);
		unlink(file);
		rmdir(inside);
	}
	assert_int_equal(at_file_replace_inside(NULL, file, &text, &err), AT_ENOENT);
	assert_string_equal(err.file, file);
	snprintf(inside, sizeof(inside), "%s/a", folder->path);
	rmdir(inside);
}

IN_FOLDER(a_write_that_fails_leaves_the_old_file)
{
	struct rlimit old, small;
	struct at_error err = { 0 };
	char large[4096];
	enum at_status status;
	void (*old_handler)(int);

	memset(large, 'x', sizeof(large));
	assert_ok(at_file_replace(folder->file, "old", 3, NULL));
	/* a full disk, as far as write() can tell: it stops at 1000 bytes */
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = old;
	small.rlim_cur = 1000;
	old_handler = signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	status = at_file_replace(folder->file, large, sizeof(large), &err);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	signal(SIGXFSZ, old_handler);
	assert_int_equal(status, AT_EIO);
	assert_string_equal(err.file, folder->file);
	assert_non_null(strstr(err.text, "cannot write it"));
	assert_file_holds(folder->file, "old", 3);
}

/* a folder where a file is wanted cannot be renamed over, not even by root */
IN_FOLDER(a_rename_that_fails_leaves_nothing_behind)
{
	struct at_error err = { 0 };

	assert_int_equal(mkdir(folder->file, 0777), 0);
	assert_int_equal(at_file_replace(folder->file, "new", 3, &err), AT_EIO);
	assert_int_equal(rmdir(folder->file), 0);
}

/* in a child, which gives up the superuser's rights: nothing stops those */
static int replace_as_nobody(const char *path)
{
	pid_t child = fork();
	int ended = 0;

	if (child == 0) {
		if (geteuid() == 0 && setuid(65534))
			_exit(99);
		_exit((int)at_file_replace(path, "new", 3, NULL));
	}
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &ended, 0), child);
	assert_true(WIFEXITED(ended));
	return WEXITSTATUS(ended);
}

IN_FOLDER(a_folder_that_is_not_writable_leaves_the_old_file)
{
	assert_ok(at_file_replace(folder->file, "old", 3, NULL));
	assert_int_equal(chmod(folder->path, 0555), 0);
	assert_int_equal(replace_as_nobody(folder->file), AT_EIO);
	assert_int_equal(chmod(folder->path, 0777), 0);
	assert_file_holds(folder->file, "old", 3);
}

IN_FOLDER(writing_into_no_folder_says_so)
{
	struct at_error err = { 0 };
	char path[128];

	snprintf(path, sizeof(path), "%s/missing/file", folder->path);
	assert_int_equal(at_file_replace(path, "new", 3, &err), AT_ENOENT);
	assert_string_equal(err.file, path);
}

/* who may write to the folder cannot have foreseen the name of what is written first */
IN_FOLDER(a_link_in_the_way_is_not_written_through)
{
	char precious[128], planted[160];

	snprintf(precious, sizeof(precious), "%s/precious", folder->path);
	snprintf(planted, sizeof(planted), "%s.%ld.tmp", folder->file, (long)getpid());
	assert_ok(at_file_replace(precious, "mine", 4, NULL));
	assert_int_equal(symlink(precious, planted), 0);
	assert_int_equal(symlink(precious, folder->file), 0);
	assert_ok(at_file_replace(folder->file, "new", 3, NULL));
	assert_file_holds(precious, "mine", 4);
	assert_file_holds(folder->file, "new", 3);
	assert_int_equal(unlink(planted), 0);
	assert_int_equal(unlink(precious), 0);
}

IN_FOLDER(a_device_is_written_to_and_stays_one)
{
	struct stat facts;

	assert_ok(at_file_replace("/dev/null", "gone", 4, NULL));
	assert_int_equal(stat("/dev/null", &facts), 0);
	assert_true(S_ISCHR(facts.st_mode));
}

IN_FOLDER(what_a_kill_left_behind_goes_with_the_next_write)
{
	static const struct {
		const char *name;
		int64_t seconds; /* its time; 0: now */
		bool stays;
	} rows[] = {
		{ ".file.0123456789abcdef.tmp", 1000, false },
		/* by a clock that was years ahead */
		{ ".file.0123456789abcde0.tmp", 4000000000, false },
		/* somebody may be writing it */
		{ ".file.fedcba9876543210.tmp", 0, true },
		/* of another file */
		{ ".file2.0123456789abcdef.tmp", 1000, true },
		{ "file.0123456789abcdef.tmp", 1000, true },
		{ ".file.short.tmp", 1000, true },
	};
	char path[160];

	for (size_t i = 0; i < COUNT(rows); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder->path, rows[i].name);
		assert_ok(at_file_replace(path, "half", 4, NULL));
		if (rows[i].seconds) {
			const struct timespec times[2] = { { rows[i].seconds, 0 },
				{ rows[i].seconds, 0 } };

			assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
		}
	}
	assert_ok(at_file_replace(folder->file, "new", 3, NULL));
	for (size_t i = 0; i < COUNT(rows); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder->path, rows[i].name);
		assert_int_equal(at_file_exists(path), rows[i].stays);
		unlink(path);
	}
}

IN_FOLDER(makes_folders_within_folders)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/a/b//c/", folder->path);
	assert_ok(at_directory_make(path, &failure));
	assert_true(at_file_exists(path));
	assert_ok(at_directory_make(path, &failure));
	assert_ok(at_file_replace(folder->file, "x", 1, NULL));
	snprintf(path, sizeof(path), "%s/d", folder->file);
	assert_fails_with(at_directory_make(path, &failure), AT_EIO, "");
	/* the reason is that of making it, and not that of looking for it afterwards */
	at_error_clear(&failure);
	snprintf(path, sizeof(path), "%s/link", folder->path);
	assert_int_equal(symlink("nothing", path), 0);
	assert_fails_with(at_directory_make(path, &failure), AT_EIO,
		"/link is a link that leads nowhere");
	assert_int_equal(unlink(path), 0);
	/* one in a circle, above what is to be made */
	at_error_clear(&failure);
	assert_int_equal(symlink("link", path), 0);
	strcat(path, "/below");
	assert_fails_with(at_directory_make(path, &failure), AT_EIO,
		"/link is a link that leads nowhere");
	path[strlen(path) - strlen("/below")] = '\0';
	assert_int_equal(unlink(path), 0);
	for (const char *const *name =
			(const char *const[]){ "a/b/c", "a/b", "a", NULL };
		*name; name++) {
		snprintf(path, sizeof(path), "%s/%s", folder->path, *name);
		assert_int_equal(rmdir(path), 0);
	}
}

IN_FOLDER(removes_of_folders_what_it_made_and_is_empty)
{
	static const struct {
		const char *path;
		const char *there; /* of it, before; "": nothing */
		const char *kept; /* afterwards a file is in there; NULL: nowhere */
		const char *left;
		const char *gone;
	} cases[] = {
		{ "a/b//c/", "", NULL, "", "a" },
		{ "a/b/c", "a", NULL, "a", "a/b" },
		{ "a/b/c", "a/b/c", NULL, "a/b/c", NULL },
		{ "a", "", NULL, "", "a" },
		{ "a/b/c", "", "a/b", "a/b", "a/b/c" },
	};
	char path[128], name[128];
	size_t missing;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder->path, cases[i].there);
		assert_ok(at_directory_make(path, NULL));
		snprintf(path, sizeof(path), "%s/%s", folder->path, cases[i].path);
		missing = at_directory_missing(path);
		assert_ok(at_directory_make(path, NULL));
		assert_int_equal(at_directory_missing(path), 0);
		if (cases[i].kept) {
			snprintf(name, sizeof(name), "%s/%s/file", folder->path,
				cases[i].kept);
			assert_ok(at_file_replace(name, "x", 1, NULL));
		}
		at_directory_unmake(path, missing);
		if (cases[i].kept)
			assert_int_equal(unlink(name), 0);
		snprintf(name, sizeof(name), "%s/%s", folder->path, cases[i].left);
		assert_true(at_file_exists(name));
		snprintf(name, sizeof(name), "%s/%s", folder->path,
			cases[i].gone ? cases[i].gone : "none");
		assert_false(at_file_exists(name));
		/* for the next one */
		snprintf(name, sizeof(name), "%s/a", folder->path);
		at_directory_unmake(path, strlen(name));
		snprintf(path, sizeof(path), "%s/a/b", folder->path);
		at_directory_unmake(path, strlen(name));
		at_directory_unmake(name, strlen(name));
	}
}

IN_FOLDER(what_cannot_be_looked_at_may_be_there)
{
	char path[128], inside[160];

	snprintf(path, sizeof(path), "%s/circle", folder->path);
	assert_int_equal(symlink("circle", path), 0);
	snprintf(inside, sizeof(inside), "%s/file", path);
	assert_true(at_file_may_exist(inside));
	assert_false(at_file_exists(inside));
	assert_int_equal(unlink(path), 0);
	assert_false(at_file_may_exist(inside));
	assert_ok(at_file_replace(path, "x", 1, NULL));
	assert_true(at_file_may_exist(path));
	assert_false(at_file_may_exist(inside));
	assert_int_equal(unlink(path), 0);
}

TEST(takes_paths_apart_and_joins_them)
{
	static const struct {
		const char *path;
		const char *directory;
	} apart[] = { { "a/b.cfg", "a" }, { "b.cfg", "." }, { "/b.cfg", "/" },
		{ "a/b/c", "a/b" } };
	static const struct {
		const char *directory;
		const char *name;
		const char *path;
	} joined[] = { { "a", "b", "a/b" }, { "a/", "b", "a/b" }, { ".", "b", "b" },
		{ "", "b", "b" }, { "a", "/b", "/b" }, { "/", "b", "/b" } };

	for (size_t i = 0; i < COUNT(apart); i++) {
		char *found = at_path_directory(apart[i].path);

		assert_string_equal(found, apart[i].directory);
		free(found);
	}
	for (size_t i = 0; i < COUNT(joined); i++) {
		char *found = at_path_join(joined[i].directory, joined[i].name);

		assert_string_equal(found, joined[i].path);
		free(found);
	}
}

RUN_SUITE(NULL, NULL)
