/* Reads the results of covered images: gcov's JSON, and comparisons. */
#include "kernel/coverage.h"

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "kernel/cxx_tool.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ACCOUNT_LIMIT_BYTES ((size_t)64 << 20)
#define COMPARED_LIMIT_BYTES ((size_t)64 << 20)

enum {
	PLACES_SHOWN = 4,
	TEXT_SHOWN = 40, /* characters of a condition */
};

void at_coverage_name(
	const struct at_compile_request *request, char name[AT_COVERAGE_NAME_SIZE])
{
	at_hash_hex(at_compile_identity(request, ""), name);
}

/* ---- gcov ------------------------------------------------------------------------ */

/* Writes the name of the gcov next to the compiler: "g++-12" has "gcov-12". */
static enum at_status find_gcov(struct at_strbuf *program, struct at_error *err)
{
	struct at_cxx_tool tool = { 0 };
	enum at_status status = at_cxx_tool_find(&tool, err);

	for (size_t i = 0; i < tool.words.count && !tool.clang; i++) {
		const char *word = tool.words.items[i];
		const char *name = strstr(at_path_name(word), "++");

		if (!name || name == word || (name[-1] != 'g' && name[-1] != 'c'))
			continue;
		at_strbuf_addf(
			program, "%.*sgcov%s", (int)(name - 1 - word), word, name + 2);
		break;
	}
	if (!status && !program->length)
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

/* Passes names in the environment, so that the shell does not interpret them. */
static enum at_status run_gcov(const char *folder, const char *name,
	const char *program, struct at_strbuf *out, struct at_error *err)
{
	char bytes[1 << 14];
	size_t got;
	FILE *pipe;
	int status;

	setenv("AT_GCOV", program, 1);
	setenv("AT_GCOV_FOLDER", folder, 1);
	setenv("AT_GCOV_UNIT", name, 1);
	pipe = popen("cd \"$AT_GCOV_FOLDER\" && exec \"$AT_GCOV\" --json-format "
		     "--branch-probabilities --stdout \"$AT_GCOV_UNIT.gcda\" 2>log",
		"r");
	if (!pipe)
		return at_fail(err, AT_EIO, NULL, 0, "cannot start %s: %s", program,
			strerror(errno));
	while ((got = fread(bytes, 1, sizeof(bytes), pipe)) > 0)
		if (out->length < ACCOUNT_LIMIT_BYTES)
			at_strbuf_add_bytes(out, bytes, got);
	status = pclose(pipe);
	if (!status)
		return AT_OK;
	return at_fail(err, AT_EUNAVAILABLE, NULL, 0,
		WIFEXITED(status) && WEXITSTATUS(status) == 127
			? "%s cannot be run; install it, it comes with gcc"
			: "%s cannot read the counts of this compiler; install the gcov of the same version",
		program);
}

/* ---- gcov's JSON -------------------------------------------------------- */

/* The template and the dialect's parts have names without a folder. An included file
   has a path; the tuner's headers for the compiler have been removed by now. */
static bool is_of_space(const char *file, const char *name)
{
	if (!strchr(file, '/'))
		return !strcmp(file, name);
	return strncmp(file, "/usr/", 5) != 0 && at_file_exists(file);
}

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

/* Adds a line, or merges another instance of its function into it. */
static void add_line(struct at_coverage *self, const char *file,
	const struct at_json *from, size_t *capacity)
{
	const struct at_json *branches = at_json_get(from, "branches");
	const int number = (int)at_json_whole(at_json_get(from, "line_number"), 0);
	const unsigned count = (unsigned)at_json_count(branches);
	struct at_coverage_line *line = NULL;
	unsigned taken = 0;

	self->has_run = true;
	if (!count)
		return;
	for (size_t i = 0; i < self->line_count && !line; i++)
		if (self->lines[i].file == file && self->lines[i].number == number)
			line = &self->lines[i];
	if (!line) {
		AT_GROW(self->lines, *capacity, self->line_count + 1);
		line = &self->lines[self->line_count++];
		*line = (struct at_coverage_line){ .file = file, .number = number };
	}
	for (unsigned i = 0; i < count; i++)
		taken += at_json_number(
				 at_json_get(at_json_at(branches, i), "count"), 0) > 0;
	if (count > line->branch_count)
		line->branch_count = count;
	if (taken > line->taken_count)
		line->taken_count = taken;
}

static int by_place(const void *a, const void *b)
{
	const struct at_coverage_line *x = a, *y = b;
	int files = strcmp(x->file, y->file);

	return files ? files : (x->number > y->number) - (x->number < y->number);
}

static void read_account(
	const struct at_json *account, const char *source, struct at_coverage *out)
{
	const struct at_json *files = at_json_get(account, "files");
	size_t capacity = 0;

	out->files = at_calloc(at_json_count(files) + 1, sizeof(*out->files));
	for (size_t i = 0; i < at_json_count(files); i++) {
		const struct at_json *file = at_json_at(files, i);
		const struct at_json *functions = at_json_get(file, "functions");
		const struct at_json *lines = at_json_get(file, "lines");
		const char *name = at_json_text(at_json_get(file, "file"));

		if (!name || !is_of_space(name, source))
			continue;
		name = out->files[out->file_count++] = at_strdup(name);
		for (size_t k = 0; k < at_json_count(lines); k++) {
			const struct at_json *line = at_json_at(lines, k);
			const struct at_json *function =
				at_json_get(line, "function_name");

			if (find_ran(functions, at_json_text(function)))
				add_line(out, name, line, &capacity);
		}
	}
	for (size_t i = 0; i < out->line_count; i++) {
		out->branch_count += out->lines[i].branch_count;
		out->taken_count += out->lines[i].taken_count;
	}
	if (out->line_count)
		qsort(out->lines, out->line_count, sizeof(*out->lines), by_place);
}

enum at_status at_coverage_read(const char *folder,
	const struct at_compile_request *request, struct at_coverage *out,
	struct at_error *err)
{
	struct at_strbuf program = { 0 }, text = { 0 };
	struct at_json *account = NULL;
	char name[AT_COVERAGE_NAME_SIZE], file[sizeof(name) + 8];
	char *path;
	enum at_status status = AT_OK;

	memset(out, 0, sizeof(*out));
	at_coverage_name(request, name);
	snprintf(file, sizeof(file), "%s.gcda", name);
	path = at_path_join(folder, file);
	if (!at_file_exists(path)) {
		free(path);
		return AT_OK;
	}
	status = find_gcov(&program, err);
	free(path);
	if (!status)
		status = run_gcov(folder, name, at_strbuf_text(&program), &text, err);
	if (!status)
		status = at_json_parse(
			at_strbuf_text(&text), text.length, "gcov", &account, err);
	if (!status)
		read_account(account, request->name, out);
	if (status)
		at_coverage_release(out);
	at_json_free(account);
	at_strbuf_release(&text);
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

/* ---- as text --------------------------------------------------------------------- */

bool at_coverage_is_partial(const struct at_coverage_line *line)
{
	return line->taken_count && line->taken_count < line->branch_count;
}

/* Appends " (n == 0)": the condition on a source line, or the whole line; nothing if
   the file has no such line. */
static void add_condition(struct at_strbuf *out, const char *template,
	const struct at_coverage_line *line)
{
	static const char *const words[] = { "} ", "else ", "if (" };
	const char *at = template;
	char *text = NULL;
	size_t size, length;

	if (strchr(line->file, '/'))
		at = at_file_read(line->file, 0, &text, &size, NULL) ? NULL : text;
	for (int number = 1; at && number < line->number; number++) {
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	if (at) {
		bool is_if = false;

		at += strspn(at, " \t");
		for (size_t i = 0; i < AT_COUNT_OF(words); i++) {
			is_if = !strncmp(at, words[i], strlen(words[i]));
			at += is_if ? strlen(words[i]) : 0;
		}
		length = strcspn(at, "\r\n");
		while (length && (isspace((unsigned char)at[length - 1]) ||
					 (is_if && at[length - 1] == '{')))
			length--;
		length -= is_if && length && at[length - 1] == ')';
		at_strbuf_addf(out, " (%.*s%s)",
			(int)(length < TEXT_SHOWN ? length : TEXT_SHOWN), at,
			length > TEXT_SHOWN ? "..." : "");
	}
	free(text);
}

void at_coverage_write(const struct at_coverage *self, const char *what,
	const char *text, struct at_strbuf *out)
{
	size_t count = 0;

	if (!self->has_run) {
		at_strbuf_addf(out,
			"%s did not run to its end: no case admits it, or there was no time",
			what);
		return;
	}
	at_strbuf_addf(out, "%u of %u branches of %s ran", self->taken_count,
		self->branch_count, what);
	for (size_t i = 0; i < self->line_count; i++) {
		const struct at_coverage_line *line = &self->lines[i];

		if (!at_coverage_is_partial(line) || ++count > PLACES_SHOWN)
			continue;
		at_strbuf_addf(out, "%s %s:%d", count > 1 ? "," : "; never one way of:",
			at_path_name(line->file), line->number);
		add_condition(out, text, line);
	}
	if (count > PLACES_SHOWN)
		at_strbuf_addf(out, " and %zu more", count - PLACES_SHOWN);
}

/* ---- comparisons ----------------------------------------------------------------- */

enum at_status at_coverage_take_compared(const char *folder, struct at_compared **rows,
	size_t *count, struct at_error *err)
{
	char *path = at_path_join(folder, "compared"), *text = NULL;
	size_t size, capacity = 0;
	enum at_status status = AT_OK;

	*rows = NULL;
	*count = 0;
	if (at_file_exists(path))
		status = at_file_read_plain(
			path, COMPARED_LIMIT_BYTES, &text, &size, err);
	for (const char *at = text; at && *at && !status;) {
		const char *end = strchr(at, '\n');
		struct at_compared row;

		if (!end ||
			sscanf(at, "%" SCNu64 " %" SCNd64 " %" SCNd64 " %" SCNd64,
				&row.place, &row.constant, &row.low, &row.high) != 4)
			break; /* its writer was killed here */
		AT_GROW(*rows, capacity, *count + 1);
		(*rows)[(*count)++] = row;
		at = end + 1;
	}
	if (status) {
		free(*rows);
		*rows = NULL;
		*count = 0;
	}
	if (path)
		unlink(path);
	free(text);
	free(path);
	return status;
}
