/* A compiler's files, arguments and log; see job.h. */
#include "kernel/job.h"

#include "base/clock.h"
#include "base/file.h"
#include "kernel/ptx.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* no image is nearly as large, but a sparse file may claim any size */
#define WRITTEN_LIMIT_BYTES ((size_t)256 << 20)

/* ---- files ---------------------------------------------------------------------- */

enum at_status at_job_begin(struct at_job *self,
	const struct at_compile_request *request, const char *compiler,
	struct at_error *err)
{
	self->request = request;
	self->compiler = compiler;
	self->started_ns = at_clock_now_ns();
	return at_scratch_make(&self->scratch, "autotune-unit", err);
}

void at_job_release(struct at_job *self)
{
	at_scratch_remove(&self->scratch);
	at_strbuf_release(&self->log);
	at_cxx_tool_release(&self->tool);
}

enum at_status at_job_write(
	const char *path, const void *bytes, size_t size, struct at_error *err)
{
	FILE *file = fopen(path, "w");
	bool written;

	if (!file)
		return at_fail(err, AT_EIO, path, 0, "cannot write it: %s; set TMPDIR",
			strerror(errno));
	errno = 0;
	written = fwrite(bytes, 1, size, file) == size;
	if (fclose(file) || !written)
		return at_fail(err, AT_EIO, path, 0, "cannot write it: %s; set TMPDIR",
			strerror(errno ? errno : EIO));
	return AT_OK;
}

enum at_status at_job_write_text(const struct at_job *self, const char *name,
	const struct at_strbuf *text, struct at_error *err)
{
	char *path = at_path_join(self->scratch.path, name);
	enum at_status status =
		at_job_write(path, at_strbuf_text(text), text->length, err);

	free(path);
	return status;
}

enum at_status at_job_run(
	struct at_job *self, const struct at_words *words, struct at_error *err)
{
	return at_cxx_tool_run(&self->tool, self->scratch.path, words, &self->log,
		&self->succeeded, err);
}

void at_job_miss(struct at_job *self, const char *what, const char *why)
{
	at_strbuf_addf(&self->log, "error: %s ended well, but wrote no %s%s\n",
		self->compiler, what, why);
	self->succeeded = false;
}

enum at_status at_job_read(struct at_job *self, const char *name, const char *what,
	char **bytes, size_t *size, struct at_error *err)
{
	char *path = at_path_join(self->scratch.path, name);
	struct at_error reason = { 0 };
	struct at_strbuf why = { 0 };
	enum at_status status =
		at_file_read_plain(path, WRITTEN_LIMIT_BYTES, bytes, size, &reason);

	free(path);
	if (status == AT_ENOMEM || status == AT_EIO)
		return at_fail(err, status, reason.file, 0, "%s", reason.text);
	if (!status && *size)
		return AT_OK;
	if (!status)
		free(*bytes);
	*bytes = NULL;
	if (status != AT_ENOENT)
		at_strbuf_addf(&why, ": %s%s",
			status ? "what it wrote " : "the file is empty", reason.text);
	at_job_miss(self, what, at_strbuf_text(&why));
	at_strbuf_release(&why);
	return AT_OK;
}

/* ---- source text ---------------------------------------------------------------- */

void at_job_add_escaped(struct at_strbuf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			at_strbuf_add_char(out, '\\');
		at_strbuf_add_char(out, *text == '\n' ? ' ' : *text);
	}
}

void at_job_add_line(struct at_strbuf *out, size_t line, const char *before,
	const char *name, const char *behind)
{
	at_strbuf_addf(out, "#line %zu \"%s", line, before);
	at_job_add_escaped(out, name);
	at_strbuf_addf(out, "%s\"\n", behind);
}

#define KERNELS_OF "<kernels of "

void at_job_add_kernel_line(
	struct at_strbuf *out, const struct at_compile_request *request, size_t index)
{
	at_job_add_line(out, index + 1, KERNELS_OF, request->name, ">");
}

bool at_job_is_for_headers(const char *macro)
{
	static const char *const begins[] = { "_", "AT_", "NDEBUG" };

	for (size_t i = 0; i < AT_COUNT_OF(begins); i++)
		if (!strncmp(macro, begins[i], strlen(begins[i])))
			return true;
	return false;
}

/* text is "NAME", "NAME=VALUE" or "NAME(A)=VALUE". */
static void add_macro(struct at_strbuf *out, bool is_defined, const char *text)
{
	size_t name = strcspn(text, "=");
	const char *value = !is_defined ? "" : text[name] ? text + name + 1 : "1";

	at_strbuf_addf(
		out, "#%s %.*s ", is_defined ? "define" : "undef", (int)name, text);
	for (; *value; value++)
		at_strbuf_add_char(
			out, *value == '\n' || *value == '\r' ? ' ' : *value);
	at_strbuf_add_char(out, '\n');
}

void at_job_take_options(const struct at_compile_request *request,
	bool (*goes_on_command_line)(const char *macro), struct at_strbuf *lines,
	struct at_words *words)
{
	struct at_strbuf files = { 0 };
	const char *value;

	for (size_t i = 0; i < request->option_count; i++) {
		enum at_option_kind kind = at_option_read(
			request->options, request->option_count, &i, &value);

		if (kind == AT_OPTION_FILE)
			at_strbuf_addf(&files, "#include \"%s\"\n", value);
		if (kind != AT_OPTION_DEFINE && kind != AT_OPTION_UNDEFINE)
			continue;
		if (goes_on_command_line(value))
			at_words_add(words, "-%c%s",
				kind == AT_OPTION_DEFINE ? 'D' : 'U', value);
		else
			add_macro(lines, kind == AT_OPTION_DEFINE, value);
	}
	at_strbuf_add(lines, at_strbuf_text(&files));
	at_strbuf_release(&files);
}

/* ---- the log -------------------------------------------------------------------- */

/* Whether gcc, clang or nvcc reports an unknown name. */
static bool says_unknown(const char *line)
{
	static const char *const words[] = { "declared", /* "not", "undeclared" */
		"not a member", "no member", "not a template", "is undefined",
		"must be a class or namespace" };

	for (size_t i = 0; i < AT_COUNT_OF(words); i++)
		if (strstr(line, words[i]))
			return true;
	return false;
}

/* Appends a plain line for each kernel about which the compiler complains in the kernel
   list: "<kernels of k.cu>(1): error: ..." or "<kernels of k.cu>:1:9: error: ...". Only
   if the first error is about the list: otherwise the source broke before, and so lost
   its kernels. */
static void explain_kernels(const struct at_compile_request *request, const char *log,
	struct at_strbuf *out)
{
	struct at_strbuf place = { 0 };
	/* by number, from 1; only the first error about a kernel counts */
	bool *is_seen = at_calloc(request->kernel_count + 1, sizeof(*is_seen));

	at_strbuf_addf(&place, KERNELS_OF "%s>", request->name);
	for (const char *line = log; *line;
		line += strcspn(line, "\n"), line += *line == '\n') {
		bool is_listed = !strncmp(line, place.data, place.length);
		char text[1000];
		const char *at = line + (is_listed ? place.length + 1 : 0);
		size_t number = is_listed ? strtoul(at, NULL, 10) : 0;

		snprintf(text, sizeof(text), "%.*s", (int)strcspn(line, "\n"), line);
		if (!strstr(text, "error:") && !strstr(text, ": error"))
			continue;
		if (!is_listed && !is_seen[0])
			break;
		is_seen[0] = true;
		if (number > request->kernel_count || is_seen[number])
			continue;
		is_seen[number] = true;
		if (says_unknown(text))
			at_strbuf_addf(out, "kernel \"%s\" not found in %s\n",
				request->kernels[number - 1], request->name);
	}
	free(is_seen);
	at_strbuf_release(&place);
}

bool at_log_read_error(const char *line, struct at_log_error *out)
{
	const char *end = line + strcspn(line, "\n"), *quoted, *mark;
	const char *error = strstr(line, "error: ");
	char place[1200];

	if (!error || error > end)
		return false;
	snprintf(place, sizeof(place), "%.*s", (int)(error - line), line);
	out->text = error + strlen("error: ");
	out->column = 0;
	if (sscanf(place, "%1023[^:]:%d:%d: ", out->file, &out->line, &out->column) >=
		2)
		return true;
	if (sscanf(place, "%1023[^(:](%d): ", out->file, &out->line) != 2)
		return false;
	quoted = end + (*end == '\n');
	mark = quoted + strcspn(quoted, "\n");
	mark += *mark == '\n';
	/* both are indented by two blanks */
	if (mark[strspn(mark, " ")] == '^')
		out->column = (int)strspn(mark, " ") - 1;
	return true;
}

size_t at_log_missing_header(const char *log, const char **name)
{
	/* gcc's, clang's and NVRTC's */
	static const struct {
		const char *begin, *end;
	} words[] = { { "fatal error: ", ": No such file or directory" },
		{ "fatal error: '", "' file not found" },
		{ "cannot open source file \"", "\"" } };

	for (size_t i = 0; i < AT_COUNT_OF(words); i++)
		for (const char *at = log; (at = strstr(at, words[i].begin));) {
			const char *end;

			*name = at += strlen(words[i].begin);
			end = strstr(at, words[i].end);
			if (end > at && !memchr(at, '\n', (size_t)(end - at)))
				return (size_t)(end - at);
		}
	return 0;
}

void at_log_put_ahead(struct at_compile_result *result, struct at_strbuf *text)
{
	at_strbuf_add(text, result->log);
	free(result->log);
	result->log = at_strbuf_detach(text);
}

void at_job_add_without(struct at_strbuf *out, const char *text, const char *folder)
{
	for (const char *found; (found = strstr(text, folder)) != NULL;) {
		at_strbuf_add_bytes(out, text, (size_t)(found - text));
		text = found + strlen(folder);
		text += *text == '/';
	}
	at_strbuf_add(out, text);
}

void at_job_finish(struct at_job *self, struct at_compile_result *result)
{
	struct at_strbuf log = { 0 };
	char *said = at_ptxas_strip_log(at_strbuf_text(&self->log), false);

	if (!self->succeeded) {
		at_compile_result_release(result);
		memset(result, 0, sizeof(*result));
	}
	explain_kernels(self->request, said, &log);
	at_job_add_without(&log, said, self->scratch.path);
	free(said);
	result->outcome = self->succeeded ? AT_OUTCOME_OK : AT_OUTCOME_COMPILE_FAILED;
	result->log = at_strbuf_detach(&log);
	/* a failure without a message may be the machine's */
	result->is_verdict = at_compile_log_is_verdict(result->log) &&
			     at_compile_log_judges(result->log);
	result->compile_ns = at_clock_now_ns() - self->started_ns;
}
