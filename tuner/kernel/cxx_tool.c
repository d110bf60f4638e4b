/* Finds the C++ compiler, reads its version, and runs it and nvcc in a sandbox with
   their own environment. */
/* pipe2() is not in POSIX 2008 */
#define _GNU_SOURCE
#include "kernel/cxx_tool.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/processes.h"
#include "base/program_path.h"
#include "base/sandbox.h"
#include "kernel/compile.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define KILLED "killed by signal 9"
/* A killer that strikes at random moments is unlikely to hit all of these. */
#define VERSION_TRIES 3
/* no user's script is nearly as long */
#define SCRIPT_BYTES_MAX ((uint64_t)16 << 20)

/* ---- words ---------------------------------------------------------------------- */

void at_words_add(struct at_words *self, const char *format, ...)
{
	struct at_strbuf word = { 0 };
	va_list arguments;

	va_start(arguments, format);
	at_strbuf_addv(&word, format, arguments);
	va_end(arguments);
	AT_GROW(self->items, self->capacity, self->count + 2);
	self->items[self->count++] = at_strbuf_detach(&word);
	self->items[self->count] = NULL;
}

void at_words_add_all(struct at_words *self, const char *const *texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		at_words_add(self, "%s", texts[i]);
}

void at_words_release(struct at_words *self)
{
	for (size_t i = 0; i < self->count; i++)
		free(self->items[i]);
	free(self->items);
	*self = (struct at_words){ 0 };
}

/* ---- finding it --------------------------------------------------------- */

/* Takes a command such as "ccache g++", split at blanks; false: no such program. */
static bool take_command(struct at_cxx_tool *self, const char *command)
{
	while (*(command += strspn(command, " \t"))) {
		size_t length = strcspn(command, " \t");
		char *path = at_strndup(command, length), *name = path;

		if (!self->words.count) {
			at_program_find(name, &path);
			free(name);
		}
		if (!path)
			return false;
		at_words_add(&self->words, "%s", path);
		free(path);
		command += length;
	}
	return self->words.count > 0;
}

static bool take_first(struct at_cxx_tool *self, struct at_strbuf *tried)
{
	static const char *const variables[] = { "AUTOTUNE_CXX", "CXX" };
	static const char *const names[] = { "c++", "g++", "clang++" };

	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		const char *value = at_environment(variables[i]);

		if (!value)
			continue;
		if (take_command(self, value)) {
			self->was_asked_for = true;
			return true;
		}
		at_strbuf_addf(tried, "%s$%s (\"%s\")", tried->length ? ", " : "",
			variables[i], value);
		/* a user who sets AUTOTUNE_CXX wants this compiler and no other */
		if (i == 0)
			return false;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (take_command(self, names[i]))
			return true;
		at_strbuf_addf(tried, "%s%s", tried->length ? ", " : "", names[i]);
	}
	return false;
}

/* Whether the file begins with "#!": a user's script, not a compiler. */
static bool is_script(const char *path)
{
	uint64_t size;
	char begin[2];
	bool found;
	int file;

	if (at_file_open(path, &file, &size, NULL))
		return false;
	found = read(file, begin, sizeof(begin)) == (ssize_t)sizeof(begin) &&
		!memcmp(begin, "#!", sizeof(begin));
	close(file);
	return found;
}

bool at_cxx_tool_is_script(const struct at_cxx_tool *self)
{
	return self->was_asked_for && is_script(self->words.items[0]);
}

bool at_cxx_tool_would_be_script(void)
{
	struct at_cxx_tool tool = { 0 };
	struct at_strbuf tried = { 0 };
	bool found = take_first(&tool, &tried) && at_cxx_tool_is_script(&tool);

	at_cxx_tool_release(&tool);
	at_strbuf_release(&tried);
	return found;
}

/* Not LIBRARY_PATH, which CUDA containers set: only a libc and a libm are linked. */
const char *const at_cxx_tool_folders[] = { "CPATH", "CPLUS_INCLUDE_PATH",
	"GCC_EXEC_PREFIX", "COMPILER_PATH", NULL };
const char *const at_cxx_tool_header_folders[] = { "CPATH", "CPLUS_INCLUDE_PATH",
	NULL };

enum at_status at_cxx_tool_hash(
	const struct at_cxx_tool *self, struct at_hasher *hasher, struct at_error *err)
{
	enum at_status status;
	char *text;
	size_t size;

	for (size_t i = 1; i < self->words.count; i++)
		at_hasher_add_text(hasher, self->words.items[i]);
	for (size_t i = 0; at_cxx_tool_folders[i]; i++) {
		const char *value = at_environment(at_cxx_tool_folders[i]);

		if (!value)
			continue;
		at_hasher_add_text(hasher, at_cxx_tool_folders[i]);
		at_hasher_add_text(hasher, value);
	}
	if (!at_cxx_tool_is_script(self))
		return AT_OK;
	status =
		at_file_read(self->words.items[0], SCRIPT_BYTES_MAX, &text, &size, err);
	if (status)
		return status;
	at_hasher_add_integer(hasher, (int64_t)size);
	at_hasher_add(hasher, text, size);
	free(text);
	return AT_OK;
}

/* Reads the version, again if the program was killed: that says nothing about it. */
static enum at_status read_version(struct at_cxx_tool *self, struct at_error *err)
{
	struct at_words arguments = { 0 };
	struct at_strbuf text = { 0 };
	enum at_status status = AT_OK;
	bool succeeded = false, was_killed = true;
	size_t length;

	at_words_add(&arguments, "--version");
	for (int i = 0; i < VERSION_TRIES && was_killed && !status; i++) {
		at_strbuf_release(&text);
		status =
			at_cxx_tool_run(self, NULL, &arguments, &text, &succeeded, err);
		was_killed = !succeeded && strstr(at_strbuf_text(&text), KILLED);
	}
	/* AT_EIO: perhaps the machine's fault (evaluator/workers/recovery.c) */
	if (status == AT_OK && was_killed)
		status = at_fail(err, AT_EIO, NULL, 0, "%s --version was " KILLED,
			self->words.items[0]);
	else if (status == AT_OK && (!succeeded || !text.length))
		status = at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"%s --version fails, so it is no working C++ compiler; install g++, or set AUTOTUNE_CXX",
			self->words.items[0]);
	if (status == AT_OK) {
		length = strcspn(text.data, "\n");
		if (length >= sizeof(self->version))
			length = sizeof(self->version) - 1;
		memcpy(self->version, text.data, length);
		self->version[length] = '\0';
		self->clang = strstr(self->version, "clang") != NULL;
	}
	at_words_release(&arguments);
	at_strbuf_release(&text);
	return status;
}

enum at_status at_cxx_tool_find(struct at_cxx_tool *self, struct at_error *err)
{
	struct at_strbuf tried = { 0 };
	enum at_status status = AT_OK;

	memset(self, 0, sizeof(*self));
	if (take_first(self, &tried))
		status = read_version(self, err);
	else
		status = at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"no C++ compiler; tried %s; install g++, or set AUTOTUNE_CXX",
			at_strbuf_text(&tried));
	if (status)
		at_cxx_tool_release(self);
	at_strbuf_release(&tried);
	return status;
}

void at_cxx_tool_release(struct at_cxx_tool *self)
{
	if (!self)
		return;
	at_words_release(&self->words);
	memset(self, 0, sizeof(*self));
}

/* ---- running it --------------------------------------------------------- */

/* Variables that a compiler does not get: they choose its language, or make it write
   more files or compile differently, for some other build. */
static const char *const not_ours[] = { "LANGUAGE=", "GCC_COLORS=",
	"DEPENDENCIES_OUTPUT=", "SUNPRO_DEPENDENCIES=", "GCC_COMPARE_DEBUG=",
	"CCC_OVERRIDE_OPTIONS=", "CCC_ADD_ARGS=", "CC_PRINT_OPTIONS=",
	"CC_LOG_DIAGNOSTICS=", "CC_PRINT_HEADERS=" };

static bool is_listed(const char *variable, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strncmp(variable, list[i], strcspn(list[i], "=") + 1))
			return true;
	return false;
}

/* Adds this process's environment, with messages in plain English ASCII, and the folder
   for temporary files. */
static void add_environment(struct at_words *out, const char *folder)
{
	struct at_words own = { 0 };

	at_words_add(&own, "LC_ALL=C");
	/* ccache would write where the sandbox forbids it, and is not needed: the tuner
	   caches units */
	if (!at_sandbox_is_lifted())
		at_words_add(&own, "CCACHE_DISABLE=1");
	if (folder)
		at_words_add(&own, "TMPDIR=%s", folder);
	for (char **one = environ; *one; one++)
		if (!is_listed(*one, (const char *const *)own.items, own.count) &&
			!is_listed(*one, not_ours, AT_COUNT_OF(not_ours)))
			at_words_add(out, "%s", *one);
	at_words_add_all(out, (const char *const *)own.items, own.count);
	at_words_release(&own);
}

/* The child's part of spawn(). Sends a failure as an errno through `trouble`. */
static void become(char **words, char **environment, int output, int trouble,
	const struct at_sandbox *sandbox)
{
	int nothing = open("/dev/null", O_RDONLY), code;
	sigset_t none;

	sigemptyset(&none);
	if (nothing >= 0 && dup2(nothing, 0) >= 0 && dup2(output, 1) >= 0 &&
		dup2(output, 2) >= 0 && !sigprocmask(SIG_SETMASK, &none, NULL) &&
		at_sandbox_enter(sandbox))
		execve(words[0], words, environment);
	code = errno;
	(void)!write(trouble, &code, sizeof(code));
	_exit(127);
}

/* Starts the program in the sandbox: its output goes to `output`, it reads nothing, and
   no signal is blocked. Returns 0 or an errno. posix_spawn() cannot enter a sandbox. */
static int spawn(char **words, char **environment, int output,
	const struct at_sandbox *sandbox, pid_t *child)
{
	int trouble[2], code;

	if (pipe2(trouble, O_CLOEXEC) < 0)
		return errno;
	*child = fork();
	if (*child == 0)
		become(words, environment, output, trouble[1], sandbox);
	code = *child < 0 ? errno : 0;
	close(trouble[1]);
	/* reading ends without data when exec() closes the other end */
	if (!code) {
		ssize_t got;

		do
			got = read(trouble[0], &code, sizeof(code));
		while (got < 0 && errno == EINTR);
		if (got != (ssize_t)sizeof(code))
			code = 0;
		while (code && waitpid(*child, NULL, 0) < 0 && errno == EINTR)
			;
	}
	close(trouble[0]);
	return code;
}

/* Compilers write megabytes about a broken template, and the important part may be at
   the end. A compiler that writes more than this is killed: reading a gigabyte costs
   seconds, for each configuration again. */
#define OUTPUT_LIMIT_MIB 64

/* Reads the compiler's output. False: too much, and the compiler has to be killed. */
static bool read_output(int file, pid_t child, struct at_strbuf *out)
{
	const size_t limit_bytes = out->length + ((size_t)OUTPUT_LIMIT_MIB << 20);
	char buffer[65536];
	bool is_whole;

	while (out->length < limit_bytes && at_processes_wait_input(file, child)) {
		ssize_t got = read(file, buffer, sizeof(buffer));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		/* a zero would end the text */
		for (ssize_t i = 0; i < got; i++)
			buffer[i] = buffer[i] ? buffer[i] : ' ';
		at_strbuf_add_bytes(out, buffer, (size_t)got);
	}
	is_whole = out->length < limit_bytes;
	if (out->length)
		out->length = at_compile_log_shorten(out->data, out->length);
	return is_whole;
}

/* Waits for the compiler and describes a bad end in the log. is_ended: the tuner killed
   it for its output, so the machine is not at fault. before: the processes that existed
   before. A killed compiler's children are killed too, since they would run on; those
   of a compiler that ended by itself are meant to stay, such as a cache's server. */
static bool wait_for(pid_t child, const char *program, bool is_ended,
	const struct at_processes *before, struct at_strbuf *log)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	/* truncated output has no final newline */
	if (log->length && log->data[log->length - 1] != '\n')
		at_strbuf_add(log, "\n");
	if (is_ended) {
		at_strbuf_addf(log, "%s" AT_LOUD_WORDS " %d MiB, and was ended\n",
			program, OUTPUT_LIMIT_MIB);
		at_processes_kill_new(before);
	} else if (WIFSIGNALED(status)) {
		at_strbuf_addf(log, "%s was killed by signal %d (%s)\n", program,
			WTERMSIG(status), strsignal(WTERMSIG(status)));
		at_processes_kill_new(before);
	} else if (WEXITSTATUS(status) == 128 + SIGKILL) {
		/* a shell script's status if its compiler was killed */
		at_strbuf_addf(log, "%s ended with status %d: " KILLED "\n", program,
			WEXITSTATUS(status));
	} else if (WEXITSTATUS(status) && !log->length) {
		at_strbuf_addf(log, "%s ended with status %d, and said nothing\n",
			program, WEXITSTATUS(status));
	}
	return !is_ended && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

enum at_status at_cxx_tool_run(const struct at_cxx_tool *self, const char *folder,
	const struct at_words *arguments, struct at_strbuf *log, bool *succeeded,
	struct at_error *err)
{
	enum at_status status = AT_OK;
	struct at_words words = { 0 }, environment = { 0 };
	struct at_sandbox sandbox = { .rules = -1 };
	struct at_processes before = { 0 };
	int ends[2], code;
	pid_t child = 0;

	add_environment(&environment, folder);
	at_words_add_all(
		&words, (const char *const *)self->words.items, self->words.count);
	at_words_add_all(
		&words, (const char *const *)arguments->items, arguments->count);
	assert(words.items);
	/* programs started meanwhile do not inherit the ends */
	if (pipe2(ends, O_CLOEXEC) < 0) {
		status = at_fail(err, AT_EIO, NULL, 0,
			"cannot open a pipe to the C++ compiler: %s", strerror(errno));
		goto release;
	}
	if (!at_cxx_tool_is_script(self))
		at_sandbox_prepare(&folder, folder ? 1 : 0, &sandbox);
	at_processes_note(&before);
	code = spawn(words.items, environment.items, ends[1], &sandbox, &child);
	at_sandbox_release(&sandbox);
	close(ends[1]);
	if (code) {
		/* no such program, it cannot be run, or the machine lacks something */
		status = at_fail(err,
			code == ENOENT || code == EACCES || code == ENOEXEC
				? AT_EUNAVAILABLE
				: AT_EIO,
			words.items[0], 0, "cannot start this compiler: %s",
			strerror(code));
	} else {
		bool is_ended = !read_output(ends[0], child, log);

		if (is_ended)
			kill(child, SIGKILL);
		close(ends[0]);
		ends[0] = -1;
		*succeeded = wait_for(child, words.items[0], is_ended, &before, log);
	}
	if (ends[0] >= 0)
		close(ends[0]);
release:
	at_processes_release(&before);
	at_words_release(&environment);
	at_words_release(&words);
	return status;
}
