#include "kernel/cxx_tool.h"
#include "base/file.h"
#include "base/processes.h"
#include "kernel/excerpt.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- finding it --------------------------------------------------------- */

static bool is_program(const char *path)
{
	struct stat facts;

	return stat(path, &facts) == 0 && S_ISREG(facts.st_mode) &&
	       access(path, X_OK) == 0;
}

/* Heap; NULL when $PATH has no such program. */
static char *search_path(const char *name)
{
	const char *folders = getenv("PATH");

	if (strchr(name, '/'))
		return is_program(name) ? at_strdup(name) : NULL;
	if (!folders)
		folders = "/usr/local/bin:/usr/bin:/bin";
	for (;;) {
		size_t length = strcspn(folders, ":");
		char *folder = at_strndup(folders, length);
		char *path = folder ? at_path_join(folder, name) : NULL;

		free(folder);
		if (path && is_program(path))
			return path;
		free(path);
		if (!folders[length])
			return NULL;
		folders += length + 1;
	}
}

/* Splits "ccache g++" at blanks; false when there is no such program. */
static bool take_command(struct at_cxx_tool *self, const char *command)
{
	while (self->word_count < AT_CXX_TOOL_WORDS) {
		size_t length;
		char *word, *path;

		command += strspn(command, " \t");
		length = strcspn(command, " \t");
		if (!length)
			break;
		word = at_strndup(command, length);
		command += length;
		if (word && self->word_count == 0) {
			path = search_path(word);
			free(word);
			word = path;
		}
		if (!word) {
			at_cxx_tool_release(self);
			return false;
		}
		self->words[self->word_count++] = word;
	}
	return self->word_count > 0;
}

static bool take_first(struct at_cxx_tool *self, struct at_strbuf *tried)
{
	static const char *const variables[] = { "AUTOTUNE_CXX", "CXX" };
	static const char *const names[] = { "c++", "g++", "clang++" };

	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		const char *value = getenv(variables[i]);

		if (!value || !value[0])
			continue;
		if (take_command(self, value))
			return true;
		at_strbuf_addf(tried, "%s$%s (\"%s\")", tried->length ? ", " : "",
			variables[i], value);
		if (i == 0) /* whoever sets it means this compiler and no other */
			return false;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (take_command(self, names[i]))
			return true;
		at_strbuf_addf(tried, "%s%s", tried->length ? ", " : "", names[i]);
	}
	return false;
}

static enum at_status read_version(struct at_cxx_tool *self, struct at_error *err)
{
	static const char *const arguments[] = { "--version" };
	struct at_strbuf text = { 0 };
	bool succeeded;
	size_t length;
	enum at_status status =
		at_cxx_tool_run(self, arguments, 1, &text, &succeeded, err);

	if (status == AT_OK && (!succeeded || !text.length))
		status = at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"%s --version fails, so it is no working C++ compiler; install g++, or set AUTOTUNE_CXX",
			self->words[0]);
	if (status == AT_OK) {
		length = strcspn(text.data, "\n");
		if (length >= sizeof(self->version))
			length = sizeof(self->version) - 1;
		memcpy(self->version, text.data, length);
		self->version[length] = '\0';
		self->clang = strstr(self->version, "clang") != NULL;
	}
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
	for (size_t i = 0; i < self->word_count; i++)
		free(self->words[i]);
	memset(self, 0, sizeof(*self));
}

/* ---- running it --------------------------------------------------------- */

/* The environment with messages in plain English ASCII; heap, borrowed texts. */
static char **plain_environment(void)
{
	static char plain[] = "LC_ALL=C";
	size_t count = 0, kept = 0;
	char **copy;

	while (environ[count])
		count++;
	copy = malloc((count + 2) * sizeof(*copy));
	if (!copy)
		return NULL;
	for (size_t i = 0; i < count; i++)
		if (strncmp(environ[i], "LC_ALL=", 7) &&
			strncmp(environ[i], "LANGUAGE=", 9))
			copy[kept++] = environ[i];
	copy[kept++] = plain;
	copy[kept] = NULL;
	return copy;
}

/* 0 or an errno. The child writes to `output`, reads nothing, blocks no signal. */
static int spawn(char **words, char **environment, int output, pid_t *child)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none;
	int code = posix_spawn_file_actions_init(&actions);

	if (code)
		return code;
	code = posix_spawnattr_init(&attributes);
	if (code)
		goto destroy_actions;
	sigemptyset(&none);
	code = posix_spawnattr_setsigmask(&attributes, &none);
	if (!code)
		code = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	if (!code)
		code = posix_spawn_file_actions_addopen(
			&actions, 0, "/dev/null", O_RDONLY, 0);
	if (!code)
		code = posix_spawn_file_actions_adddup2(&actions, output, 1);
	if (!code)
		code = posix_spawn_file_actions_adddup2(&actions, output, 2);
	if (!code)
		code = posix_spawn(
			child, words[0], &actions, &attributes, words, environment);
	posix_spawnattr_destroy(&attributes);
destroy_actions:
	posix_spawn_file_actions_destroy(&actions);
	return code;
}

/* Nobody has so much to say: who goes on has nobody who listens. */
#define OUTPUT_LIMIT_BYTES ((uint64_t)2 << 30)

static void read_output(int file, pid_t child, struct at_strbuf *out)
{
	struct at_excerpt excerpt = { 0 };
	char buffer[16384];

	while (excerpt.total_bytes < OUTPUT_LIMIT_BYTES &&
		at_processes_hear(file, child)) {
		ssize_t got = read(file, buffer, sizeof(buffer));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		at_excerpt_add(&excerpt, buffer, (size_t)got);
	}
	at_excerpt_end(&excerpt, out);
}

/*
 * before: what was there before it. Where it was killed, what it had started runs on
 * and would be in the way; where it ended by itself that is meant, as a cache's server.
 */
static bool wait_for(pid_t child, const char *program,
	const struct at_processes *before, struct at_strbuf *log)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	if (WIFSIGNALED(status)) {
		at_strbuf_addf(log, "%s was killed by signal %d (%s)\n", program,
			WTERMSIG(status), strsignal(WTERMSIG(status)));
		at_processes_kill_new(before);
	} else if (WEXITSTATUS(status) == 128 + SIGKILL) {
		/* a wrapper's word for what has become of the compiler that it started */
		at_strbuf_addf(log, "%s ended with status %d: killed by signal 9\n",
			program, WEXITSTATUS(status));
	}
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Both ends are closed in whatever else is started meanwhile. */
static int make_pipe(int ends[2])
{
	if (pipe(ends) < 0)
		return errno;
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	return 0;
}

enum at_status at_cxx_tool_run(const struct at_cxx_tool *self,
	const char *const *arguments, size_t count, struct at_strbuf *log,
	bool *succeeded, struct at_error *err)
{
	enum at_status status = AT_OK;
	char **words = malloc((self->word_count + count + 1) * sizeof(*words));
	char **environment = plain_environment();
	struct at_processes before = { 0 };
	int ends[2], code;
	pid_t child;

	if (!words || !environment) {
		status = at_fail_memory(err);
		goto free_words;
	}
	memcpy(words, self->words, self->word_count * sizeof(*words));
	/* exec's prototype lacks a const that it honours */
	memcpy(words + self->word_count, arguments, count * sizeof(*words));
	words[self->word_count + count] = NULL;
	code = make_pipe(ends);
	if (code) {
		status = at_fail(err, AT_EIO, NULL, 0,
			"cannot open a pipe to the C++ compiler: %s", strerror(code));
		goto free_words;
	}
	at_processes_note(&before);
	code = spawn(words, environment, ends[1], &child);
	close(ends[1]);
	if (code) {
		/* what others use up now, or that there is no such program */
		status = at_fail(err,
			code == ENOENT || code == EACCES || code == ENOEXEC
				? AT_EUNAVAILABLE
				: AT_EIO,
			words[0], 0, "cannot start this C++ compiler: %s",
			strerror(code));
	} else {
		read_output(ends[0], child, log);
		close(ends[0]);
		ends[0] = -1;
		*succeeded = wait_for(child, words[0], &before, log);
	}
	if (ends[0] >= 0)
		close(ends[0]);
free_words:
	at_processes_release(&before);
	free(environment);
	free(words);
	return status;
}
