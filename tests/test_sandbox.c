/* The sandbox of compilers (base/sandbox.h): what is refused there, and what is not. */

/* prlimit() */
#define _GNU_SOURCE
#include "suite.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"
#include "base/memory.h"
#include "base/sandbox.h"
#include "kernel/compile.h"
#include "kernel/cxx.h"

/* outside/secret, inside/ */
struct places {
	char root[64];
	char inside[96];
	char outside[96];
	char secret[128];
};

static void make_places(struct places *places)
{
	FILE *file;

	snprintf(places->root, sizeof(places->root), "/tmp/at_test_sandbox_XXXXXX");
	assert_non_null(folder_make(places->root));
	snprintf(places->inside, sizeof(places->inside), "%s/inside", places->root);
	snprintf(places->outside, sizeof(places->outside), "%s/outside", places->root);
	snprintf(places->secret, sizeof(places->secret), "%s/secret", places->outside);
	assert_false(mkdir(places->inside, 0700) || mkdir(places->outside, 0700));
	file = fopen(places->secret, "w");
	assert_false(!file || fputs("old", file) < 0 || fclose(file));
}

static void remove_places(struct places *places)
{
	assert_int_equal(folder_remove(places->root), 0);
}

#define IN_PLACES(name) TEST_ON(name, struct places, places, make_places, remove_places)

/* what the child was refused is its exit status: 0 nothing, else the errno */
typedef int (*attempt)(const struct places *places);

static int in_sandbox(const struct places *places, attempt try)
{
	const char *writable[] = { places->inside, "/no/such/folder" };
	struct at_sandbox sandbox;
	pid_t child;

	at_sandbox_prepare(writable, AT_COUNT_OF(writable), &sandbox);
	child = fork();
	if (child == 0)
		_exit(at_sandbox_enter(&sandbox) ? try(places) : 200);
	assert_true(child > 0);
	at_sandbox_release(&sandbox);
	return exit_of(child);
}

static int outcome(int result)
{
	return result < 0 ? errno : 0;
}

static int write_inside(const struct places *places)
{
	char path[160], other[160];
	int file;

	snprintf(path, sizeof(path), "%s/a", places->inside);
	snprintf(other, sizeof(other), "%s/b", places->inside);
	file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (file < 0 || write(file, "x", 1) != 1 || rename(path, other) < 0 ||
		unlink(other) < 0)
		return errno;
	snprintf(path, sizeof(path), "%s/folder", places->inside);
	return outcome(mkdir(path, 0700)) + outcome(rmdir(path));
}

static int create_outside(const struct places *places)
{
	char path[160];

	snprintf(path, sizeof(path), "%s/new", places->outside);
	return outcome(open(path, O_WRONLY | O_CREAT, 0600));
}

static int overwrite_outside(const struct places *places)
{
	return outcome(open(places->secret, O_WRONLY));
}

static int truncate_outside(const struct places *places)
{
	return outcome(truncate(places->secret, 0));
}

static int remove_outside(const struct places *places)
{
	return outcome(unlink(places->secret));
}

static int make_folder_outside(const struct places *places)
{
	char path[160];

	snprintf(path, sizeof(path), "%s/folder", places->outside);
	return outcome(mkdir(path, 0700));
}

/* a link inside that leads out is no way around it */
static int write_through_a_link(const struct places *places)
{
	char path[160];

	snprintf(path, sizeof(path), "%s/link", places->inside);
	if (symlink(places->secret, path) < 0)
		return 201;
	return outcome(open(path, O_WRONLY));
}

static int move_out(const struct places *places)
{
	char from[160], to[160];
	int file;

	snprintf(from, sizeof(from), "%s/moved", places->inside);
	snprintf(to, sizeof(to), "%s/moved", places->outside);
	file = open(from, O_WRONLY | O_CREAT, 0600);
	if (file < 0)
		return 201;
	/* EXDEV, as if it were another file system, where the kernel has no right for
	   it */
	return rename(from, to) < 0 ? (errno == EXDEV ? EACCES : errno) : 0;
}

static int read_outside(const struct places *places)
{
	char text[4] = "";
	int file = open(places->secret, O_RDONLY);

	return file < 0 ? errno : read(file, text, 3) != 3 || strcmp(text, "old") != 0;
}

static int write_to_null(const struct places *places)
{
	return outcome(open("/dev/null", O_RDWR | O_TRUNC));
}

static int read_random(const struct places *places)
{
	return outcome(open("/dev/urandom", O_RDONLY));
}

static int read_a_terminal(const struct places *places)
{
	return outcome(open("/dev/ptmx", O_RDONLY | O_NOCTTY));
}

static int open_a_socket(const struct places *places)
{
	return outcome(socket(AF_INET, SOCK_STREAM, 0));
}

static int open_a_datagram_socket(const struct places *places)
{
	return outcome(socket(AF_INET6, SOCK_DGRAM, 0));
}

static int open_a_local_socket(const struct places *places)
{
	return outcome(socket(AF_UNIX, SOCK_STREAM, 0));
}

static int run_a_program(const struct places *places)
{
	char command[256];

	/* what is started is in it as well */
	snprintf(command, sizeof(command), "echo x 2>/dev/null >%s/new",
		places->outside);
	return system(command) == 0 ? 0 : EACCES;
}

static int write_after_a_second_one(const struct places *places)
{
	const char *wider[] = { places->root };
	struct at_sandbox sandbox;

	at_sandbox_prepare(wider, 1, &sandbox);
	if (!at_sandbox_enter(&sandbox))
		return 201;
	return write_inside(places) ? 202 : create_outside(places);
}

static void need_files(void)
{
	if (strstr(at_sandbox_missing(), "writing files"))
		skip_because(at_sandbox_missing());
}

static void need_sockets(void)
{
	if (strstr(at_sandbox_missing(), "network"))
		skip_because(at_sandbox_missing());
}

IN_PLACES(writes_into_its_folder_and_nowhere_else)
{
	static const struct {
		const char *what;
		attempt try;
		int refused;
	} rows[] = {
		{ "a file inside", write_inside, 0 },
		{ "a new file", create_outside, EACCES },
		{ "an old file", overwrite_outside, EACCES },
		{ "a removal", remove_outside, EACCES },
		{ "a folder", make_folder_outside, EACCES },
		{ "a link", write_through_a_link, EACCES },
		{ "a move", move_out, EACCES },
		{ "a program's file", run_a_program, EACCES },
		{ "two of them", write_after_a_second_one, EACCES },
	};

	need_files();
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		int refused = in_sandbox(places, rows[i].try);

		if (refused != rows[i].refused)
			fail_msg("%s: %s, expected %s", rows[i].what, strerror(refused),
				strerror(rows[i].refused));
	}
}

/* since version 3 of Landlock: Linux 6.2 */
IN_PLACES(truncates_nothing_outside)
{
	int refused;

	need_files();
	refused = in_sandbox(places, truncate_outside);
	if (!refused)
		skip_because("this kernel's Landlock is too old for truncate()");
	assert_int_equal(refused, EACCES);
}

IN_PLACES(reads_files_but_no_devices)
{
	need_files();
	assert_int_equal(in_sandbox(places, read_outside), 0);
	assert_int_equal(in_sandbox(places, write_to_null), 0);
	assert_int_equal(in_sandbox(places, read_random), 0);
	assert_int_equal(in_sandbox(places, read_a_terminal), EACCES);
}

IN_PLACES(opens_no_socket)
{
	need_sockets();
	assert_int_equal(in_sandbox(places, open_a_socket), EACCES);
	assert_int_equal(in_sandbox(places, open_a_datagram_socket), EACCES);
	assert_int_equal(in_sandbox(places, open_a_local_socket), EACCES);
}

/* In a process of its own: who is below it, and who is above. */
TEST(keeps_signals_from_whoever_is_not_below)
{
	int status;
	pid_t child;

	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		pid_t below;

		if (!at_sandbox_keep_signals())
			_exit(77);
		if (!kill(getppid(), 0) || errno != EPERM)
			_exit(1);
		below = fork();
		if (below == 0)
			for (;;)
				pause();
		if (below < 0 || kill(below, SIGKILL) ||
			waitpid(below, &status, 0) != below)
			_exit(2);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* For kernels (Linux) that cannot keep signals; seccomp is older. */
TEST(spares_whom_it_is_told_and_all_at_once)
{
	int status;
	pid_t child;

	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		const int64_t parent = getppid();
		struct rlimit limit;
		pid_t below;

		setsid();
		if (!at_sandbox_spare(&parent, 1))
			_exit(77);
		if (!kill(-1, 0) || errno != EPERM)
			_exit(1);
		if (!kill((pid_t)parent, 0) || errno != EPERM)
			_exit(2);
		if (!kill(-getpgid((pid_t)parent), 0) || errno != EPERM)
			_exit(3);
		if (!ptrace(PTRACE_ATTACH, (pid_t)parent, NULL, NULL) || errno != EPERM)
			_exit(4);
		if (!prlimit((pid_t)parent, RLIMIT_CORE, NULL, &limit) ||
			errno != EPERM)
			_exit(5);
		/* itself, its group, and what it starts */
		if (kill(getpid(), 0) || kill(0, 0) ||
			prlimit(0, RLIMIT_CORE, NULL, &limit))
			_exit(6);
		below = fork();
		if (below == 0) {
			raise(SIGKILL);
			_exit(7);
		}
		if (below < 0 || waitpid(below, &status, 0) != below ||
			!WIFSIGNALED(status))
			_exit(8);
		below = fork();
		if (below == 0)
			for (;;)
				pause();
		if (below < 0 || kill(below, SIGKILL) ||
			waitpid(below, &status, 0) != below)
			_exit(9);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

IN_PLACES(is_left_out_where_it_was_lifted)
{
	setenv(AT_SANDBOX_VARIABLE, "on", 1);
	assert_false(at_sandbox_is_lifted());
	at_sandbox_lift();
	assert_true(at_sandbox_is_lifted());
	assert_string_equal(at_sandbox_missing(), "");
	assert_int_equal(in_sandbox(places, create_outside), 0);
	assert_int_equal(in_sandbox(places, open_a_socket), 0);
	unsetenv(AT_SANDBOX_VARIABLE);
	assert_false(at_sandbox_is_lifted());
}

/* ---- the C++ compiler ------------------------------------------------------- */

/* A compiler that tries `work`, and fails where that fails. */
static bool compiles_with(
	const struct places *places, const char *work, struct at_compile_result *result)
{
	static char name[] = "any.cu", source[] = "", toolchain[] = AT_TOOLCHAIN_CXX;
	struct at_compile_request request = { .toolchain = toolchain,
		.name = name,
		.directory = source,
		.source = source };
	char path[160];
	FILE *script;

	/* a program of somebody's own may write to /tmp, where these places are: but
	   not when it comes as the first of PATH */
	snprintf(path, sizeof(path), "%s/c++", places->root);
	script = fopen(path, "w");
	assert_non_null(script);
	fprintf(script,
		"#!/bin/sh\n[ \"$1\" = --version ] && echo some compiler && exit\n"
		"%s\n",
		work);
	assert_int_equal(fclose(script), 0);
	assert_int_equal(chmod(path, 0700), 0);
	assert_ok(at_cxx_compile(&request, result, &failure));
	return result->outcome == AT_OUTCOME_OK;
}

IN_PLACES(a_compiler_writes_into_the_folder_of_its_unit_alone)
{
	struct at_compile_result result;
	char work[512];
	OWNED(free) char *path = at_strdup(getenv("PATH"));
	char extended[512];

	need_files();
	need_sockets();
	unsetenv("AUTOTUNE_CXX");
	unsetenv("CXX");
	snprintf(extended, sizeof(extended), "%s:%s", places->root, path);
	setenv("PATH", extended, 1);
	snprintf(work, sizeof(work),
		"touch $TMPDIR/own && rm $TMPDIR/own && echo wrote its own\n"
		"echo x >%s/new || echo was refused\n"
		"echo $TMPDIR $CCACHE_DISABLE\nexit 1",
		places->outside);
	assert_false(compiles_with(places, work, &result));
	assert_non_null(strstr(result.log, "wrote its own\n"));
	assert_non_null(strstr(result.log, "was refused\n"));
	assert_non_null(strstr(result.log, " 1\n"));
	at_compile_result_release(&result);
	snprintf(extended, sizeof(extended), "%s/new", places->outside);
	assert_int_equal(access(extended, F_OK), -1);

	/* lifted, it does as it likes */
	at_sandbox_lift();
	assert_false(compiles_with(places, work, &result));
	assert_null(strstr(result.log, "was refused\n"));
	at_compile_result_release(&result);
	assert_int_equal(access(extended, F_OK), 0);
	unsetenv(AT_SANDBOX_VARIABLE);
	setenv("PATH", path, 1);
}

RUN_SUITE(NULL, NULL)
