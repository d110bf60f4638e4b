/* Reads what images of coverage have left: gcov's account, and comparisons. */
#include "kernel/coverage.h"

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "kernel/cxx_tool.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ACCOUNT_LIMIT_BYTES ((size_t)64 << 20)
#define COMPARED_LIMIT_BYTES ((size_t)64 << 20)

/* ---- gcov ------------------------------------------------------------------------ */

/* Writes the name of the gcov that belongs to the compiler: "g++-12" has "gcov-12",
   beside it. False: the compiler's name does not tell. */
static bool name_gcov(const struct at_cxx_tool *tool, struct at_strbuf *out)
{
	for (size_t i = 0; i < tool->word_count; i++) {
		const char *word = tool->words[i], *slash = strrchr(word, '/');
		const char *name = strstr(slash ? slash : word, "++");

		if (!name || name == word || (name[-1] != 'g' && name[-1] != 'c'))
			continue;
		at_strbuf_add_bytes(out, word, (size_t)(name - 1 - word));
		at_strbuf_addf(out, "gcov%s", name + 2);
		return true;
	}
	return false;
}

/* The child's part: gcov writes beside where it runs unless it prints. */
static void become_gcov(const char *program, const char *folder)
{
	int account = -1, log = -1;

	if (!chdir(folder)) {
		account = open("account", O_WRONLY | O_CREAT | O_TRUNC, 0600);
		log = open("log", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	}
	if (account >= 0 && log >= 0 && dup2(account, 1) >= 0 && dup2(log, 2) >= 0)
		execlp(program, program, "--json-format", "--branch-probabilities",
			"--stdout", AT_COUNTS_NAME, (char *)NULL);
	_exit(127);
}

static enum at_status run_gcov(
	const char *program, const char *folder, struct at_error *err)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0)
		become_gcov(program, folder);
	if (child < 0)
		return at_fail(err, AT_EIO, NULL, 0, "cannot start %s: %s", program,
			strerror(errno));
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return at_fail(err, AT_EIO, NULL, 0, "cannot wait for %s: %s",
				program, strerror(errno));
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			WIFEXITED(status) && WEXITSTATUS(status) == 127
				? "%s cannot be run; install it, it comes with gcc"
				: "%s cannot read the counts of this compiler; install the gcov of the same version",
			program);
	return AT_OK;
}

/* ---- its account ----------------------------------------------------------------- */

/* The template has a name without a folder, as have the dialect's parts and what else
   we write; an included file has a path. */
static bool is_of_space(const char *file, const char *folder, const char *name)
{
	if (!strchr(file, '/'))
		return !strcmp(file, name);
	return strncmp(file, "/usr/", 5) != 0 &&
	       strncmp(file, folder, strlen(folder)) != 0;
}

/* Whether the function of this name ran. */
static bool find_ran(const struct at_json *functions, const char *name)
{
	for (size_t i = 0; i < at_json_count(functions); i++) {
		const struct at_json *one = at_json_at(functions, i);
		const char *found = at_json_text(at_json_get(one, "name"));

		if (found && name && !strcmp(found, name))
			return at_json_number(at_json_get(one, "execution_count"), 0) >
			       0;
	}
	return false;
}

/* Adds a line, or what another instance of its function did to it. */
static enum at_status add_line(struct at_coverage *self, const char *file,
	const struct at_json *from, size_t *capacity, struct at_error *err)
{
	const struct at_json *branches = at_json_get(from, "branches");
	const int number = (int)at_json_whole(at_json_get(from, "line_number"), 0);
	const unsigned count = (unsigned)at_json_count(branches);
	struct at_coverage_line *line = NULL;
	unsigned taken = 0;

	for (size_t i = 0; i < self->line_count && !line; i++)
		if (self->lines[i].file == file && self->lines[i].number == number)
			line = &self->lines[i];
	if (!line) {
		enum at_status status = at_reserve((void **)&self->lines, capacity,
			self->line_count + 1, sizeof(*self->lines), err);

		if (status)
			return status;
		line = &self->lines[self->line_count++];
		*line = (struct at_coverage_line){ .file = file, .number = number };
	}
	for (unsigned i = 0; i < count; i++)
		taken += at_json_number(
				 at_json_get(at_json_at(branches, i), "count"), 0) > 0;
	line->ran |= at_json_number(at_json_get(from, "count"), 0) > 0;
	if (count > line->branch_count)
		line->branch_count = count;
	if (taken > line->taken_count)
		line->taken_count = taken;
	return AT_OK;
}

static int by_place(const void *a, const void *b)
{
	const struct at_coverage_line *x = a, *y = b;
	int files = strcmp(x->file, y->file);

	return files ? files : (x->number > y->number) - (x->number < y->number);
}

static enum at_status read_account(const struct at_json *account, const char *folder,
	const char *source, struct at_coverage *out, struct at_error *err)
{
	const struct at_json *files = at_json_get(account, "files");
	size_t capacity = 0;
	enum at_status status = AT_OK;

	out->files = calloc(at_json_count(files) + 1, sizeof(*out->files));
	if (!out->files)
		return at_fail_memory(err);
	for (size_t i = 0; i < at_json_count(files) && !status; i++) {
		const struct at_json *file = at_json_at(files, i);
		const struct at_json *functions = at_json_get(file, "functions");
		const struct at_json *lines = at_json_get(file, "lines");
		const char *name = at_json_text(at_json_get(file, "file"));

		if (!name || !is_of_space(name, folder, source))
			continue;
		out->files[out->file_count] = at_strdup(name);
		if (!out->files[out->file_count])
			return at_fail_memory(err);
		name = out->files[out->file_count++];
		for (size_t k = 0; k < at_json_count(lines) && !status; k++) {
			const struct at_json *line = at_json_at(lines, k);
			const struct at_json *function =
				at_json_get(line, "function_name");

			if (find_ran(functions, at_json_text(function)))
				status = add_line(out, name, line, &capacity, err);
		}
	}
	if (out->line_count)
		qsort(out->lines, out->line_count, sizeof(*out->lines), by_place);
	return status;
}

static enum at_status find_gcov(struct at_strbuf *program, struct at_error *err)
{
	struct at_cxx_tool tool = { 0 };
	enum at_status status = at_cxx_tool_find(&tool, err);

	if (!status && (tool.clang || !name_gcov(&tool, program)))
		status = at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"counts need gcc and its gcov, and the C++ compiler is %s; set AUTOTUNE_CXX=g++",
			tool.version);
	at_cxx_tool_release(&tool);
	return status;
}

enum at_status at_coverage_check(struct at_error *err)
{
	struct at_strbuf program = { 0 };
	enum at_status status = find_gcov(&program, err);

	at_strbuf_release(&program);
	return status;
}

enum at_status at_coverage_read(const char *folder, const char *source,
	struct at_coverage *out, struct at_error *err)
{
	struct at_strbuf program = { 0 };
	struct at_json *account = NULL;
	char *path = at_path_join(folder, "account"), *text = NULL;
	size_t size;
	enum at_status status = path ? find_gcov(&program, err) : at_fail_memory(err);

	memset(out, 0, sizeof(*out));
	if (!status)
		status = run_gcov(at_strbuf_text(&program), folder, err);
	if (!status)
		status = at_file_read_plain(
			path, ACCOUNT_LIMIT_BYTES, &text, &size, err);
	if (!status)
		status = at_json_parse(text, size, path, &account, err);
	if (!status)
		status = read_account(account, folder, source, out, err);
	if (!status && !out->line_count)
		status = at_fail(err, AT_ENOENT, NULL, 0,
			"no case ran to its end; the lines below say why");
	if (status)
		at_coverage_release(out);
	at_json_free(account);
	free(text);
	free(path);
	at_strbuf_release(&program);
	return status;
}

void at_coverage_release(struct at_coverage *self)
{
	for (size_t i = 0; i < self->file_count; i++)
		free(self->files[i]);
	free(self->files);
	free(self->lines);
	memset(self, 0, sizeof(*self));
}

/* ---- comparisons ----------------------------------------------------------------- */

enum at_status at_coverage_read_compared(const char *folder, struct at_compared **rows,
	size_t *count, struct at_error *err)
{
	char *path = at_path_join(folder, AT_COMPARED_NAME), *text = NULL;
	size_t size, capacity = 0;
	enum at_status status = path ? AT_OK : at_fail_memory(err);

	*rows = NULL;
	*count = 0;
	if (!status && at_file_exists(path))
		status = at_file_read_plain(
			path, COMPARED_LIMIT_BYTES, &text, &size, err);
	for (const char *at = text; at && *at && !status;) {
		const char *end = strchr(at, '\n');
		struct at_compared row;

		if (!end ||
			sscanf(at, "%" SCNu64 " %" SCNd64 " %" SCNd64 " %" SCNd64,
				&row.place, &row.constant, &row.low, &row.high) != 4)
			break; /* its writer was ended here */
		status = at_reserve(
			(void **)rows, &capacity, *count + 1, sizeof(row), err);
		if (!status)
			(*rows)[(*count)++] = row;
		at = end + 1;
	}
	if (status) {
		free(*rows);
		*rows = NULL;
		*count = 0;
	}
	free(text);
	free(path);
	return status;
}
