/* Compiled units as files: which results of compilers are kept, and which are not. */
#include "folder.h"
#include "kernel/units.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "suite.h"

/* ---- a folder and some units -------------------------------------------- */

static char place[64];

static int make_place(void **state)
{
	strcpy(place, "/tmp/autotune-units-XXXXXX");
	assert_non_null(folder_make(place));
	assert_int_equal(setenv("AUTOTUNE_CACHE", place, 1), 0);
	unsetenv("AUTOTUNE_CACHE_MB");
	return 0;
}

static int remove_place(void **state)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", place);
	return system(command);
}

#define IN_PLACE(name) TEST_WITH(name, make_place, remove_place)

static char *path_in(const char *name)
{
	char *path = at_path_join(place, name);

	assert_non_null(path);
	return path;
}

static char kernel_name[] = "scale<4>", kernel_symbol[] = "_Z5scaleILi4EEvPf";
static char other_name[] = "finish", warning[] = "k.cu(3): warning: so\n";

static struct at_kernel_parameter parameters[] = { { AT_PARAMETER_POINTER, 8,
							   AT_ELEMENT_I64 },
	{ AT_PARAMETER_REAL, 4, AT_ELEMENT_NONE } };

/* Two kernels and an image of image_bytes, which the caller frees. */
static struct at_compile_result make_unit(
	size_t image_bytes, struct at_kernel_facts kernels[2])
{
	struct at_compile_result unit = { .outcome = AT_OUTCOME_OK,
		.log = warning,
		.image = malloc(image_bytes),
		.image_bytes = image_bytes,
		.kernel_count = 2,
		.kernels = kernels,
		.compile_ns = UINT64_C(123456789012) };

	assert_non_null(unit.image);
	for (size_t i = 0; i < image_bytes; i++)
		unit.image[i] = (unsigned char)(i * 7 + i / 251);
	kernels[0] = (struct at_kernel_facts){ .name = kernel_name,
		.symbol = kernel_symbol,
		.registers = 40,
		.local_bytes = 16,
		.spill_store_bytes = 4,
		.spill_load_bytes = 8,
		.shared_bytes = 1024,
		.constant_bytes = 12,
		.max_threads = 256,
		.barriers = 1,
		.has_parameters = true,
		.parameter_count = AT_COUNT_OF(parameters),
		.parameters = parameters };
	kernels[1] = (struct at_kernel_facts){ .name = other_name,
		.symbol = other_name,
		.registers = -1,
		.local_bytes = -1,
		.spill_store_bytes = -1,
		.spill_load_bytes = -1,
		.shared_bytes = -1,
		.constant_bytes = -1,
		.max_threads = 0,
		.barriers = -1 };
	return unit;
}

static void assert_same_facts(
	const struct at_kernel_facts *a, const struct at_kernel_facts *b)
{
	struct at_kernel_facts left = *a, right = *b;

	assert_string_equal(a->name, b->name);
	assert_string_equal(a->symbol, b->symbol);
	assert_int_equal(a->parameter_count, b->parameter_count);
	for (size_t i = 0; i < a->parameter_count; i++) {
		assert_int_equal(a->parameters[i].kind, b->parameters[i].kind);
		assert_int_equal(a->parameters[i].bytes, b->parameters[i].bytes);
		assert_int_equal(a->parameters[i].element, b->parameters[i].element);
	}
	left.name = left.symbol = right.name = right.symbol = NULL;
	assert_int_equal(a->has_parameters, b->has_parameters);
	/* behind it there are gaps */
	assert_memory_equal(
		&left, &right, offsetof(struct at_kernel_facts, has_parameters));
}

static size_t count_files(const char *folder)
{
	char command[160];
	unsigned count = 0;
	FILE *pipe;

	snprintf(command, sizeof(command), "find '%s' -type f | wc -l", folder);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	assert_int_equal(fscanf(pipe, "%u", &count), 1);
	pclose(pipe);
	return count;
}

/* ---- one file ----------------------------------------------------------- */

IN_PLACE(a_unit_comes_back_as_it_was)
{
	/* an image of nothing much, of exactly a piece, of more than one */
	static const size_t sizes[] = { 1, 255, 256, 65536, 200001 };
	OWNED(free) char *path = path_in("a.unit");

	for (size_t i = 0; i < AT_COUNT_OF(sizes); i++) {
		struct at_kernel_facts kernels[2];
		struct at_compile_result unit = make_unit(sizes[i], kernels), got;
		struct stat facts;

		assert_ok(at_unit_write(path, &unit, &failure));
		assert_int_equal(stat(path, &facts), 0);
		assert_int_equal(facts.st_mode & 0777, 0600);
		assert_int_equal((size_t)facts.st_size % 256, sizes[i] % 256);
		for (int with_image = 0; with_image < 2; with_image++) {
			assert_ok(at_unit_read(path, &got, with_image, &failure));
			assert_int_equal(got.outcome, AT_OUTCOME_OK);
			assert_string_equal(got.log, warning);
			assert_int_equal(got.compile_ns, unit.compile_ns);
			assert_int_equal(got.kernel_count, 2);
			assert_same_facts(&got.kernels[0], &kernels[0]);
			assert_same_facts(&got.kernels[1], &kernels[1]);
			if (with_image) {
				assert_int_equal(got.image_bytes, sizes[i]);
				assert_memory_equal(got.image, unit.image, sizes[i]);
			} else {
				assert_null(got.image);
				assert_int_equal(got.image_bytes, 0);
			}
			at_compile_result_release(&got);
		}
		free(unit.image);
	}
	/* no temporary stays */
	assert_int_equal(count_files(place), 1);
}

IN_PLACE(a_verdict_is_kept_and_an_accident_is_not)
{
	static char log[] = "k.cu(7): error: expected a \";\"\n";
	struct at_compile_result unit = {
		.outcome = AT_OUTCOME_COMPILE_FAILED, .log = log, .is_verdict = true
	};
	struct at_compile_result accident = { .outcome = AT_OUTCOME_COMPILE_FAILED,
		.log = log };
	RELEASED(at_compile_result_release) struct at_compile_result got;
	struct at_compile_result nothing = { 0 };
	OWNED(free) char *path = path_in("b.unit");

	assert_int_equal(at_unit_write(path, &accident, NULL), AT_EINVAL);
	assert_int_equal(at_unit_write(path, &nothing, NULL), AT_EINVAL);
	assert_false(at_file_exists(path));
	assert_ok(at_unit_write(path, &unit, NULL));
	assert_ok(at_unit_read(path, &got, true, NULL));
	assert_int_equal(got.outcome, AT_OUTCOME_COMPILE_FAILED);
	assert_true(got.is_verdict);
	assert_string_equal(got.log, log);
	assert_null(got.image);
	assert_int_equal(got.kernel_count, 0);
}

TEST(what_the_machine_did_is_no_verdict)
{
	static const struct {
		const char *log;
		bool is_verdict;
	} rows[] = {
		{ "k.cu(7): error: identifier \"x\" is undefined", true },
		{ "", true },
		{ "g++: fatal error: Killed signal terminated program cc1plus", false },
		{ "/usr/bin/c++ was killed by signal 9 (Killed)", false },
		{ "cc1plus: out of memory allocating 65536 bytes", false },
		{ "virtual memory exhausted: Cannot allocate memory", false },
		{ "k.cu:9:1: internal compiler error: Segmentation fault", false },
		{ "/tmp/x.s: No space left on device", false },
		/* a toolkit's header may be installed tomorrow */
		{ "k.cu(1): catastrophic error: cannot open source file \"cuda/x\"",
			false },
		{ "k.cu:1:10: fatal error: x.h: No such file or directory", false },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++)
		if (at_compile_log_is_verdict(rows[i].log) != rows[i].is_verdict)
			fail_msg("\"%s\"", rows[i].log);
}

TEST(a_verdict_is_about_the_source)
{
	static const struct {
		const char *log;
		bool judges;
	} rows[] = {
		{ "k.cu(7): error: identifier \"x\" is undefined", true },
		{ "a note\nk.cu:7:3: error: expected ';'\n", true },
		{ "k.cu:1:10: fatal error: x.h: No such file or directory", true },
		{ "k.s:7: Error: no such instruction: `blah'", true },
		{ "ptxas k.ptx, line 23; error   : Unknown symbol 'ret'", true },
		{ "ptxas error   : Entry function 'k' uses too much shared data",
			true },
		{ "k.cu:(.text+0x5): undefined reference to `z()'\n"
		  "collect2: error: ld returned 1 exit status",
			true },
		{ "ld.lld: error: undefined symbol: z()", true },
		{ "nvlink error   : Undefined reference to '_Z1zv' in 'k.o'", true },
		{ "g++: error: unrecognized command-line option '-std=c++99'", true },
		{ "nvcc fatal   : Option '--cubin' is not allowed when compiling for a virtual compute architecture",
			true },
		{ "nvcc fatal   : 'abc': expected a number", true },
		{ "nvcc fatal   : Unsupported gpu architecture 'sm_9'", true },
		{ "ptxas fatal   : Unknown option '-nonsense'", true },
		{ "Command-line error: invalid option: --nonsense", true },
		{ "cc1plus: error: bad value 'x' for '-march=' switch", true },
		{ "g++: error: argument to '-fconstexpr-depth=' should be a non-negative integer",
			true },
		{ "error: unknown target CPU 'x'", true },
		{ "kernel \"k\" is no __global__ function in k.cu", true },
		{ "", false },
		{ "g++: error: the licence server does not answer", false },
		{ "g++-14: error: the licence server does not answer", false },
		{ "cc1plus: error while loading shared libraries: libmpfr.so.6: cannot open shared object file: No such file or directory",
			false },
		{ "cc1plus: symbol lookup error: cc1plus: undefined symbol: mpfr_add",
			false },
		{ "k.cu:3:1: warning: x\ng++: error: no daemon", false },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++)
		if (at_compile_log_judges(rows[i].log) != rows[i].judges)
			fail_msg("\"%s\"", rows[i].log);
}

IN_PLACE(what_is_not_there_is_not_there)
{
	struct at_compile_result got;
	struct at_error err = { 0 };
	OWNED(free)
	char *absent = path_in("none/absent.unit"), *link = path_in("link.unit");

	assert_int_equal(at_unit_read(absent, &got, true, &err), AT_ENOENT);
	assert_int_equal(at_unit_read(place, &got, true, NULL), AT_ENOENT);
	/* a link leads who knows where */
	assert_int_equal(symlink("/etc/passwd", link), 0);
	assert_int_equal(at_unit_read(link, &got, true, NULL), AT_ENOENT);
	assert_true(at_file_exists(link));
}

IN_PLACE(damage_at_any_byte_is_found_and_the_file_removed)
{
	struct at_kernel_facts kernels[2];
	struct at_compile_result unit = make_unit(300, kernels);
	RELEASED(at_compile_result_release) struct at_compile_result got;
	OWNED(free) char *path = path_in("c.unit"), *bytes;
	size_t size;

	assert_ok(at_unit_write(path, &unit, NULL));
	assert_ok(at_file_read(path, 0, &bytes, &size, NULL));
	for (size_t i = 0; i < size; i++) {
		for (int with_image = 0; with_image < 2; with_image++) {
			bytes[i] ^= 1 << i % 8;
			assert_ok(at_file_replace(path, bytes, size, NULL));
			bytes[i] ^= 1 << i % 8;
			if (at_unit_read(path, &got, with_image, NULL) != AT_ENOENT)
				fail_msg("byte %zu of %zu", i, size);
			assert_false(at_file_exists(path));
		}
	}
	for (size_t length = 0; length < size; length += 13) {
		assert_ok(at_file_replace(path, bytes, length, NULL));
		assert_int_equal(at_unit_read(path, &got, false, NULL), AT_ENOENT);
	}
	/* and one byte too many */
	bytes = realloc(bytes, size + 1);
	assert_non_null(bytes);
	bytes[size] = 0;
	assert_ok(at_file_replace(path, bytes, size + 1, NULL));
	assert_int_equal(at_unit_read(path, &got, false, NULL), AT_ENOENT);
	/* the file itself was sound */
	assert_ok(at_file_replace(path, bytes, size, NULL));
	assert_ok(at_unit_read(path, &got, true, NULL));
	free(unit.image);
}

/* as a file system that was repaired may leave it: the kernel of another one */
IN_PLACE(a_unit_under_another_ones_name_is_none)
{
	struct at_kernel_facts kernels[2];
	struct at_compile_result unit = make_unit(300, kernels);
	RELEASED(at_compile_result_release) struct at_compile_result got;
	OWNED(free) char *path = path_in("d.unit");
	char *other = path_in("e.unit");

	assert_ok(at_unit_write(path, &unit, NULL));
	assert_int_equal(rename(path, other), 0);
	assert_int_equal(at_unit_read(other, &got, true, NULL), AT_ENOENT);
	assert_false(at_file_exists(other));
	/* a folder that is elsewhere is the same folder */
	assert_ok(at_unit_write(path, &unit, NULL));
	assert_int_equal(mkdir(other, 0700), 0);
	free(other);
	other = path_in("e.unit/d.unit");
	assert_int_equal(rename(path, other), 0);
	assert_ok(at_unit_read(other, &got, true, NULL));
	free(other);
	free(unit.image);
}

/* Children write the same unit over and over, one image each, while we read. */
IN_PLACE(writers_at_once_leave_a_whole_unit)
{
	enum { WRITERS = 3, ROUNDS = 60 };
	OWNED(free) char *path = at_unit_path(place, (struct at_hash){ 5, 7 });
	struct at_kernel_facts kernels[2];
	struct at_compile_result unit = make_unit(100000, kernels), got;
	pid_t children[WRITERS];
	size_t running = WRITERS, found = 0;

	assert_non_null(path);
	for (int i = 0; i < WRITERS; i++) {
		children[i] = fork();
		assert_true(children[i] >= 0);
		if (children[i] == 0) {
			memset(unit.image, 'a' + i, unit.image_bytes);
			for (int round = 0; round < ROUNDS; round++)
				if (at_unit_write(path, &unit, NULL))
					_exit(1);
			_exit(0);
		}
	}
	while (running) {
		int ended;
		enum at_status status = at_unit_read(path, &got, true, NULL);

		if (status == AT_OK) {
			found++;
			for (size_t i = 1; i < got.image_bytes; i++)
				if (got.image[i] != got.image[0])
					fail_msg("half of two images");
			at_compile_result_release(&got);
		} else {
			/* before the first was whole; never later */
			assert_int_equal(status, AT_ENOENT);
			assert_int_equal(found, 0);
		}
		while (running && waitpid(-1, &ended, WNOHANG) > 0) {
			assert_int_equal(ended, 0);
			running--;
		}
	}
	assert_ok(at_unit_read(path, &got, true, NULL));
	at_compile_result_release(&got);
	assert_int_equal(count_files(place), 1);
	free(unit.image);
}

/* ---- the folder --------------------------------------------------------- */

IN_PLACE(the_folder_is_where_the_environment_says)
{
	static const struct {
		const char *own, *cache, *home, *megabytes; /* in the place */
		enum at_status status;
		const char *folder;
		uint64_t limit_bytes;
	} rows[] = {
		{ "/own", "/cache", "/home", NULL, AT_OK, "/own",
			UINT64_C(2048) << 20 },
		{ NULL, "/cache", "/home", "3", AT_OK, "/cache/autotune/units",
			3 << 20 },
		{ NULL, NULL, "/home", "", AT_OK, "/home/.cache/autotune/units",
			UINT64_C(2048) << 20 },
		{ NULL, NULL, NULL, NULL, AT_EUNAVAILABLE, NULL, 0 },
		{ "/own", NULL, NULL, "0", AT_EUNAVAILABLE, NULL, 0 },
		{ "/own", NULL, NULL, "many", AT_EINVAL, NULL, 0 },
		{ "/own", NULL, NULL, "-1", AT_EINVAL, NULL, 0 },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		const char *const names[] = { "AUTOTUNE_CACHE", "XDG_CACHE_HOME",
			"HOME" };
		const char *const values[] = { rows[i].own, rows[i].cache,
			rows[i].home };
		struct at_error err = { 0 };
		char *folder, text[160];
		uint64_t limit_bytes;
		struct stat facts;

		for (size_t j = 0; j < 3; j++) {
			snprintf(text, sizeof(text), "%s%s", place,
				values[j] ? values[j] : "");
			if (values[j])
				setenv(names[j], text, 1);
			else
				unsetenv(names[j]);
		}
		if (rows[i].megabytes)
			setenv("AUTOTUNE_CACHE_MB", rows[i].megabytes, 1);
		else
			unsetenv("AUTOTUNE_CACHE_MB");
		assert_int_equal(
			at_units_folder(&folder, &limit_bytes, &err), rows[i].status);
		assert_int_equal(limit_bytes, rows[i].limit_bytes);
		if (!rows[i].folder) {
			assert_null(folder);
			assert_true(err.text[0]);
			continue;
		}
		snprintf(text, sizeof(text), "%s%s", place, rows[i].folder);
		assert_string_equal(folder, text);
		assert_int_equal(stat(folder, &facts), 0);
		assert_int_equal(facts.st_mode & 0777, 0700);
		free(folder);
	}
}

IN_PLACE(a_folder_that_others_may_write_in_is_refused)
{
	uint64_t limit_bytes;
	char *folder;
	OWNED(free) char *file = path_in("file");

	assert_int_equal(chmod(place, 0777), 0);
	assert_fails_with(at_units_folder(&folder, &limit_bytes, &failure),
		AT_EUNAVAILABLE, "others may write in the folder");
	assert_null(folder);
	assert_int_equal(chmod(place, 0700), 0);
	/* nor a file, nor what is below one */
	assert_ok(at_file_replace(file, "x", 1, NULL));
	setenv("AUTOTUNE_CACHE", file, 1);
	assert_int_equal(at_units_folder(&folder, &limit_bytes, NULL), AT_EUNAVAILABLE);
	if (geteuid() == 0) {
		/* only root can make somebody else's folder */
		assert_int_equal(chown(place, 12345, (gid_t)-1), 0);
		setenv("AUTOTUNE_CACHE", place, 1);
		at_error_clear(&failure);
		assert_fails_with(at_units_folder(&folder, &limit_bytes, &failure),
			AT_EUNAVAILABLE, "belongs to another user");
		assert_int_equal(chown(place, 0, (gid_t)-1), 0);
	}
}

/* A unit of some 100 kB that was last used hours ago. */
static char *put_unit(uint64_t number, int hours)
{
	struct at_kernel_facts kernels[2];
	struct at_compile_result unit = make_unit(100000, kernels);
	struct timespec times[2] = { { 0 }, { 0 } };
	char *path = at_unit_path(place, (struct at_hash){ number, number << 56 });

	assert_non_null(path);
	assert_ok(at_unit_write(path, &unit, NULL));
	times[0].tv_sec = times[1].tv_sec = time(NULL) - hours * 3600;
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	free(unit.image);
	return path;
}

IN_PLACE(what_was_used_least_recently_goes_first)
{
	enum { COUNT = 10 };
	/* hours; the order of the files is not the order of their use */
	static const int hours[COUNT] = { 14, 3, 20, 12, 9, 17, 5, 11, 8, 30 };
	char *paths[COUNT];
	OWNED(free) char *stale, *fresh, *foreign;
	RELEASED(at_compile_result_release) struct at_compile_result got;
	struct timespec times[2] = { { 0 }, { 0 } };

	for (int i = 0; i < COUNT; i++)
		paths[i] = put_unit((uint64_t)i + 1, hours[i]);
	/* reading is using: the oldest of all becomes the newest */
	assert_ok(at_unit_read(paths[9], &got, false, NULL));
	at_compile_result_release(&got);
	stale = path_in("01/x.unit.tmp.aB1cD2");
	fresh = path_in("01/y.unit.tmp.aB1cD2");
	foreign = path_in("01/notes.txt");
	assert_ok(at_file_replace(stale, "x", 1, NULL));
	assert_ok(at_file_replace(fresh, "x", 1, NULL));
	assert_ok(at_file_replace(foreign, "x", 1, NULL));
	times[0].tv_sec = times[1].tv_sec = time(NULL) - 7200;
	assert_int_equal(utimensat(AT_FDCWD, stale, times, 0), 0);
	assert_int_equal(utimensat(AT_FDCWD, foreign, times, 0), 0);

	/* ten of 102400 bytes each: three must go for 90 % of 860000 */
	assert_ok(at_units_trim(place, 860000, NULL));
	for (int i = 0; i < COUNT; i++)
		assert_int_equal(at_file_exists(paths[i]),
			hours[i] != 20 && hours[i] != 17 && hours[i] != 14);
	assert_false(at_file_exists(stale));
	assert_true(at_file_exists(fresh));
	assert_true(at_file_exists(foreign));

	/* not again within the hour, and then again */
	assert_ok(at_units_trim(place, 1, NULL));
	assert_true(at_file_exists(paths[0]) || at_file_exists(paths[1]));
	OWNED(free) char *stamp = path_in("trimmed");
	assert_int_equal(utimensat(AT_FDCWD, stamp, times, 0), 0);
	assert_ok(at_units_trim(place, 1, NULL));
	for (int i = 0; i < COUNT; i++) {
		assert_false(at_file_exists(paths[i]));
		free(paths[i]);
	}
	assert_true(at_file_exists(foreign));
}

/* A clock was years ahead: what it touched must not outlast all that is used since. */
IN_PLACE(what_was_used_in_the_future_goes_first)
{
	OWNED(free)
	char *future = put_unit(1, -90000), *used = put_unit(2, -90000),
	     *old = put_unit(3, 2000), *left;
	struct timespec times[2] = { { 0 }, { 0 } };
	RELEASED(at_compile_result_release) struct at_compile_result got;

	left = path_in("01/x.unit.tmp.aB1cD2");
	assert_ok(at_file_replace(left, "x", 1, NULL));
	times[0].tv_sec = times[1].tv_sec = time(NULL) + 90000 * 3600;
	assert_int_equal(utimensat(AT_FDCWD, left, times, 0), 0);
	assert_ok(at_unit_read(used, &got, false, NULL));
	assert_ok(at_units_trim(place, 300000, NULL));
	assert_false(at_file_exists(future));
	assert_true(at_file_exists(used) && at_file_exists(old));
	assert_false(at_file_exists(left));
}

IN_PLACE(a_folder_below_its_limit_is_left_alone)
{
	OWNED(free) char *path = put_unit(3, 1000);

	assert_ok(at_units_trim(place, 102400, NULL));
	assert_true(at_file_exists(path));
	assert_int_equal(at_units_trim("/nowhere/at/all", 1, NULL), AT_EIO);
}

IN_PLACE(reading_writes_no_time_within_the_hour)
{
	OWNED(free) char *path = put_unit(4, 0);
	struct timespec times[2] = { { 0 }, { 0 } };
	RELEASED(at_compile_result_release) struct at_compile_result got;
	struct stat facts;

	times[0].tv_sec = times[1].tv_sec = time(NULL) - 1800;
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	assert_ok(at_unit_read(path, &got, false, NULL));
	assert_int_equal(stat(path, &facts), 0);
	assert_int_equal(facts.st_mtime, times[1].tv_sec);
}

RUN_SUITE(NULL, NULL)
