/*
 * Runs on a machine that fails for a while, or for good: a disk that is really full
 * (needs root, for a file system of its own), and a limit on the size of files (for any
 * user). None of these failures may be recorded as an outcome.
 */
#define _GNU_SOURCE /* unshare */
#include "base/json.h"
#include "program.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "suite.h"

/* whatever waits for ever ends the program */
#define HANGS_SECONDS 120
/* each configuration is a unit of its own */
#define CONFIGURATIONS 6

static const char space[] =
	"kernel: { name = \"scale\"; template = \"scale.cu\"; reference = \"scale_reference\"; };\n"
	"problems = ( { name = \"small\"; N = 64; } );\n"
	"parameters: { WAY = [ 1, 2, 3, 4, 5, 6 ]; };\n"
	"defaults: { WAY = 1; };\n"
	"launch: { block = ( \"32\" ); grid = ( \"2\" ); };\n"
	"arguments = (\n"
	"  { name = \"x\"; type = \"float\"; count = \"N\"; access = \"in\"; },\n"
	"  { name = \"y\"; type = \"float\"; count = \"N\"; access = \"out\"; }\n"
	");\n"
	"verify: { derive = false; };\n"
	"search: { strategy = \"exhaustive\"; samples = [ 2, 3 ]; cache = \"warm\"; };\n";
static const char template[] =
	"extern \"C\" __global__ void scale(const float *x, float *y)\n"
	"{ int i = blockIdx.x * 32 + threadIdx.x; float a[WAY];\n"
	"  for (int j = 0; j < WAY; j++) a[j] = x[i]; y[i] = 2 * a[WAY - 1]; }\n"
	"extern \"C\" __global__ void scale_reference(const float *x, float *y)\n"
	"{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < 64) y[i] = 2 * x[i]; }\n";

/*
 * The compiler: $CALLS_FAIL says from which call to which something is wrong (an odd
 * call compiles, the next one links), and $WRONG what is done then. Whoever fills the
 * disk takes what others give back, too, until his file is removed.
 */
static const char compiler[] =
	"#!/bin/sh\n"
	"[ \"$1\" = --version ] && exec c++ --version\n"
	"echo >>\"$PLACE/calls\"\n"
	"calls=$(wc -l <\"$PLACE/calls\")\n"
	"[ \"$calls\" -ge \"$WRONG_FROM\" ] && [ \"$calls\" -le \"$WRONG_TO\" ] && {\n"
	"  case $WRONG in\n"
	"  full) [ -f \"$PLACE/was_full\" ] || { touch \"$PLACE/was_full\"; : >\"$PLACE/tmp/somebody\"; }\n"
	"    dd if=/dev/zero of=\"$PLACE/tmp/somebody\" bs=64k oflag=append conv=notrunc,nocreat 2>/dev/null ;;\n"
	"  limit) trap '' XFSZ; ulimit -f 1 ;;\n"
	"  esac\n"
	"}\n"
	"exec c++ \"$@\" -O0\n";

struct place {
	char *folder;
	char *temporary;
	char *space;
	char *results;
};

static void put(struct place *self, const char *name, const char *text, mode_t mode)
{
	OWNED(free) char *path = scratch_path(self->folder, name);

	file_write(path, text);
	assert_int_equal(chmod(path, mode), 0);
}

static char *absolute(char *path)
{
	char *whole = realpath(path, NULL);

	assert_non_null(whole);
	free(path);
	return whole;
}

static void set_up(struct place *self, const char *wrong, const char *from,
	const char *to, const char *patience)
{
	char *path;

	self->folder = absolute(scratch_folder("machine"));
	self->temporary = scratch_path(self->folder, "tmp");
	self->results = scratch_path(self->folder, "results");
	self->space = scratch_path(self->folder, "scale.cfg");
	assert_int_equal(mkdir(self->temporary, 0700), 0);
	put(self, "scale.cfg", space, 0600);
	put(self, "scale.cu", template, 0600);
	put(self, "cxx", compiler, 0700);
	path = scratch_path(self->folder, "cxx");
	setenv("AUTOTUNE_CXX", path, 1);
	free(path);
	/* nothing that was compiled before */
	path = scratch_path(self->folder, "cache");
	setenv("AUTOTUNE_CACHE", path, 1);
	free(path);
	setenv("TMPDIR", self->temporary, 1);
	setenv("PLACE", self->folder, 1);
	setenv("WRONG", wrong, 1);
	setenv("WRONG_FROM", from, 1);
	setenv("WRONG_TO", to, 1);
	setenv("AUTOTUNE_PATIENCE", patience, 1);
	alarm(HANGS_SECONDS);
}

static void tear_down(struct place *self)
{
	alarm(0);
	unsetenv("TMPDIR");
	scratch_remove(self->folder);
	free(self->folder);
	free(self->temporary);
	free(self->space);
	free(self->results);
}

/* The exit status; what was written becomes the caller's. */
static int tune(struct place *self, void (*meanwhile)(struct place *, pid_t),
	char **output, char **errors)
{
	const char *const arguments[] = { self->space, "--device", "host", "--results",
		self->results, "--jobs", "2", "--budget", "6", "--json", NULL };
	OWNED(free)
	char *output_path = scratch_path(self->folder, "output"),
	     *errors_path = scratch_path(self->folder, "errors");
	pid_t child = program_start(self->folder, arguments);
	int status;
	size_t size;

	if (meanwhile)
		meanwhile(self, child);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_ok(at_file_read(output_path, 0, output, &size, NULL));
	assert_ok(at_file_read(errors_path, 0, errors, &size, NULL));
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* So many configurations were evaluated, or found in the record: all of them well. */
static size_t count_ok(const char *output)
{
	OWNED(at_json_free)
	struct at_json *events = program_events(output, "evaluation");
	size_t count = at_json_count(events);

	for (size_t i = 0; i < count; i++)
		assert_string_equal(
			at_json_text(at_json_get(at_json_at(events, i), "outcome")),
			"ok");
	return count;
}

/* With a machine that is well, the same again: whatever was recorded before is found,
   and told as an evaluation. */
static void assert_nothing_is_blamed(struct place *self)
{
	OWNED(free) char *output, *errors;

	setenv("WRONG_FROM", "1000000", 1);
	if (tune(self, NULL, &output, &errors))
		fail_msg("%s", errors);
	assert_true(count_ok(output) >= CONFIGURATIONS);
}

/* ---- the limit of a file's size: anybody can have it ----------------------------- */

LONG_TEST(files_that_may_not_be_written_for_a_while_cost_no_configuration)
{
	RELEASED(tear_down) struct place place;
	OWNED(free) char *output, *errors;

	set_up(&place, "limit", "9", "14", "60");
	if (tune(&place, NULL, &output, &errors))
		fail_msg("%s", errors);
	assert_int_equal(count_ok(output), CONFIGURATIONS);
	assert_nothing_is_blamed(&place);
}

LONG_TEST(a_machine_that_stays_ill_ends_the_run_and_blames_nobody)
{
	RELEASED(tear_down) struct place place;
	OWNED(free) char *output, *errors;

	set_up(&place, "limit", "11", "1000000", "0");
	assert_int_equal(tune(&place, NULL, &output, &errors), 1);
	assert_true(count_ok(output) < CONFIGURATIONS);
	assert_non_null(
		strstr(errors, "this machine fails, and not the configurations: "));
	assert_non_null(strstr(errors, "What was measured is kept"));
	assert_nothing_is_blamed(&place);
}

/* ---- a disk that is full --------------------------------------------------- */

/* Whoever filled it leaves when the run has said that it waits for that. */
static void make_room_once_it_waits(struct place *self, pid_t child)
{
	OWNED(free)
	char *errors = scratch_path(self->folder, "errors"),
	     *somebody = scratch_path(self->temporary, "somebody");
	bool waits = false;

	while (!waits) {
		siginfo_t ended = { 0 };
		char *text;
		size_t size;

		/* what it said instead is for the caller to show */
		if (waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT) ||
			ended.si_pid == child)
			break;

		if (at_file_read(errors, 0, &text, &size, NULL))
			continue;
		waits = strstr(text, "paused, since this machine fails") != NULL;
		free(text);
		sched_yield();
	}
	assert_int_equal(unlink(somebody), 0);
}

TEST(a_disk_that_is_full_for_a_while_pauses_the_run)
{
	struct place place;
	char *output, *errors;

	set_up(&place, "full", "9", "1000000", "120");
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
		mount("tmpfs", place.temporary, "tmpfs", 0, "size=4m")) {
		tear_down(&place);
		skip_because("no file system of one's own can be mounted here");
	}
	if (tune(&place, make_room_once_it_waits, &output, &errors))
		fail_msg("%s", errors);
	assert_int_equal(count_ok(output), CONFIGURATIONS);
	/* by what is left, or by what a compiler said of it */
	if (!strstr(errors, "; see that the disk has room") ||
		!strstr(errors, "goes on"))
		fail_msg("%s", errors);
	free(output);
	free(errors);
	assert_nothing_is_blamed(&place);
	assert_int_equal(umount(place.temporary), 0);
	tear_down(&place);
}

RUN_SUITE(NULL, NULL)
