/* Finds the tuner's macro that broke a line of a header; see clash.h. */
#include "kernel/clash.h"

#include "base/file.h"
#include "base/memory.h"
#include "kernel/job.h"
#include "kernel/scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER_LIMIT_BYTES ((size_t)16 << 20)

static const char definition[] = "#define ";

/* A macro of the tuner, and the position of the next one. */
struct macro {
	struct at_lexeme name;
	bool is_option;
	const char *next_line; /* the next line of macros before the template's text */
	size_t next_option;
};

static const char *behind_line(const char *line)
{
	line += strcspn(line, "\n");
	return line + (*line == '\n');
}

/* Whether the file is the template or near it: its author knows the parameters. */
static bool is_own(const struct at_compile_request *request, const char *file)
{
	const char *folder = request->directory ? request->directory : "";
	char *joined, *real, *real_folder;
	size_t length;
	bool is_inside;

	if (!strcmp(file, request->name))
		return true;
	joined = at_path_join(folder[0] ? folder : ".", file);
	real = realpath(joined, NULL);
	real_folder = realpath(folder[0] ? folder : ".", NULL);
	length = real_folder ? strlen(real_folder) : 0;
	is_inside = real && real_folder && !strncmp(real, real_folder, length) &&
		    (real[length] == '/' || length == 1);
	free(joined);
	free(real);
	free(real_folder);
	return is_inside;
}

/* Advances to the next macro: first those of the source, then those of options. */
static bool next_macro(const struct at_compile_request *request, struct macro *self)
{
	const char *value;

	if (!strncmp(self->next_line, definition, strlen(definition))) {
		self->name.text = self->next_line + strlen(definition);
		self->name.length = at_scan_span(self->name.text);
		self->next_line = behind_line(self->next_line);
		return true;
	}
	self->is_option = true;
	while (self->next_option < request->option_count) {
		enum at_option_kind kind = at_option_read(request->options,
			request->option_count, &self->next_option, &value);

		self->next_option++;
		if (kind != AT_OPTION_DEFINE)
			continue;
		self->name = (struct at_lexeme){ value, at_scan_span(value) };
		return true;
	}
	return false;
}

/* Finds a macro of the tuner in a line. Skips names that begin with AUTOTUNE: these
   clash with nothing. */
static bool find_macro(
	const struct at_compile_request *request, const char *line, struct macro *out)
{
	const char *end = line + strcspn(line, "\n");
	struct at_lexeme lexeme;

	*out = (struct macro){ .next_line = request->source };
	while (next_macro(request, out))
		for (const char *at = line; strncmp(out->name.text, "AUTOTUNE", 8) &&
					    at_scan(&at, &lexeme) && lexeme.text < end;)
			if (lexeme.length == out->name.length && lexeme.length &&
				!memcmp(lexeme.text, out->name.text, lexeme.length))
				return true;
	return false;
}

/* Looks for a macro in the line with the error and in the line before, where a token
   may be missing. Reads the file, since the log may show the line with the macro
   expanded. */
static bool find_in_file(const struct at_compile_request *request,
	const struct at_log_error *spot, struct macro *out)
{
	const char *line, *before;
	char *text;
	size_t size;
	bool found;

	if (at_file_read(spot->file, HEADER_LIMIT_BYTES, &text, &size, NULL))
		return false;
	line = before = text;
	for (int i = 1; i < spot->line && *line; i++) {
		before = line;
		line = behind_line(line);
	}
	found = find_macro(request, line, out) || find_macro(request, before, out);
	free(text);
	return found;
}

/* The source text of a log line: gcc and clang print " 3 | #define size 4". */
static const char *shown_text(const char *rest)
{
	const char *at = rest + strspn(rest, " 0123456789");

	return at[0] == '|' && at[1] == ' ' ? at + 2 : rest;
}

static void tell(const struct macro *macro, const char *where, struct at_strbuf *out)
{
	at_strbuf_addf(out,
		AT_CLASH_WORDS
		"%.*s (%s of the space) replaces that name in %s: give it another name\n",
		(int)macro->name.length, macro->name.text,
		macro->is_option ? "an option" : "a parameter", where);
}

bool at_clash_has_macros(const char *source)
{
	return !strncmp(source, definition, strlen(definition)) &&
	       strstr(source, "\n#line ");
}

static bool find_definition(const struct at_compile_request *request, const char *file,
	size_t line, struct macro *out)
{
	*out = (struct macro){ .next_line = request->source };
	if (strcmp(file, AT_CLASH_MACROS) != 0)
		return false;
	for (size_t i = 0; i < line; i++)
		if (!next_macro(request, out) || out->is_option)
			return false;
	return line > 0;
}

bool at_clash_defines(const struct at_compile_request *request, const char *file,
	size_t line, struct at_lexeme *name)
{
	struct macro macro;

	if (!find_definition(request, file, line, &macro))
		return false;
	*name = macro.name;
	return true;
}

const char *at_clash_use(const char *log)
{
	const char *use = strstr(log, "note: in expansion of macro");
	const char *next = strstr(log, "error: ");

	if (!use || (next && next < use))
		return NULL;
	while (use > log && use[-1] != '\n')
		use--;
	return use;
}

void at_clash_explain(const struct at_compile_request *request, const char *log,
	struct at_strbuf *out)
{
	const char *rest, *use;
	struct at_log_error spot;
	struct macro macro;
	char where[sizeof(spot.file) + 32];

	while (*log && !at_log_read_error(log, &spot))
		log = behind_line(log);
	if (!*log)
		return;
	rest = behind_line(spot.text);
	if (find_definition(request, spot.file, (size_t)spot.line, &macro)) {
		use = at_clash_use(rest);
		if (use && sscanf(use, "%1023[^:]:%d", spot.file, &spot.line) == 2)
			snprintf(where, sizeof(where), "%s:%d", spot.file, spot.line);
		else
			snprintf(where, sizeof(where),
				"a header that the template includes");
		tell(&macro, where, out);
		return;
	}
	if (is_own(request, spot.file) ||
		(!find_in_file(request, &spot, &macro) &&
			!find_macro(request, shown_text(rest), &macro)))
		return;
	tell(&macro, at_path_name(spot.file), out);
}
