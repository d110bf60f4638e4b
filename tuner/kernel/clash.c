/* Finds the macro of the space that broke a line of a header; see clash.h. */
#include "kernel/clash.h"

#include "base/file.h"
#include "base/memory.h"
#include "kernel/scan.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	PATH_BYTES = 1024,
	HEADER_LIMIT_BYTES = 16 << 20,
};

/* Where the log says that an error is. */
struct spot {
	char file[PATH_BYTES];
	size_t line;
	const char *rest; /* of the log, behind the line with the error */
};

struct macro {
	struct at_lexeme name;
	bool is_option;
};

/*
 * Reads the first error's place: "file(12): error: ..." or "file:12:5: error: ...",
 * fatal errors too.
 */
static bool read_spot(const char *log, struct spot *out)
{
	for (const char *line = log; *line; line = out->rest) {
		size_t length = strcspn(line, "\n"), at = 0;
		const char *end;

		out->rest = line + length + (line[length] == '\n');
		while (at < length && line[at] != '(' && line[at] != ':')
			at++;
		if (at == length || at >= PATH_BYTES ||
			!isdigit((unsigned char)line[at + 1]))
			continue;
		out->line = strtoul(line + at + 1, (char **)&end, 10);
		end = strchr(end, ' ');
		if (!end || end >= line + length ||
			!(strncmp(end, " error", 6) == 0 ||
				strncmp(end, " fatal error", 12) == 0 ||
				strncmp(end, " catastrophic error", 19) == 0))
			continue;
		snprintf(out->file, sizeof(out->file), "%.*s", (int)at, line);
		return true;
	}
	return false;
}

/*
 * Whether the file is the template or lies in its folder: its author knows the
 * parameters.
 */
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

/* Reads the next "#define NAME ..." of those in front of the template's text. */
static bool next_of_source(const char **at, struct at_lexeme *name)
{
	static const char word[] = "#define ";
	const char *line = *at;
	size_t length = strcspn(line, "\n");

	if (strncmp(line, word, strlen(word)) != 0)
		return false;
	name->text = line + strlen(word);
	name->length = at_scan_span(name->text);
	*at = line + length + (line[length] == '\n');
	return true;
}

static bool stands_in(const char *text, size_t size, struct at_lexeme name)
{
	const char *at = text;
	struct at_lexeme lexeme;

	while (at < text + size && at_scan(&at, &lexeme) && lexeme.text < text + size)
		if (lexeme.length == name.length &&
			!memcmp(lexeme.text, name.text, name.length))
			return true;
	return false;
}

/* The next macro that an option defines, from options[*i] on; false: no more. */
static bool next_of_options(
	const struct at_compile_request *request, size_t *i, struct at_lexeme *name)
{
	for (; *i < request->option_count; ++*i) {
		enum at_option_kind kind = at_option_read(
			request->options, request->option_count, i, &name->text);

		name->length = kind == AT_OPTION_DEFINE ? at_scan_span(name->text) : 0;
		if (name->length) {
			++*i;
			return true;
		}
	}
	return false;
}

/*
 * Finds one of our macros in the text. Names that begin with AUTOTUNE are skipped: they
 * clash with nothing.
 */
static bool find_macro(const struct at_compile_request *request, const char *text,
	size_t size, struct macro *out)
{
	const char *at = request->source;

	out->is_option = false;
	while (next_of_source(&at, &out->name))
		if (strncmp(out->name.text, "AUTOTUNE", 8) != 0 &&
			stands_in(text, size, out->name))
			return true;
	out->is_option = true;
	for (size_t i = 0; next_of_options(request, &i, &out->name);)
		if (stands_in(text, size, out->name))
			return true;
	return false;
}

/*
 * Looks for a macro in the line with the error and in the one before it, where a
 * missing token may belong. The file is read, because the log may show the line with
 * the macro expanded.
 */
static bool find_in_file(const struct at_compile_request *request,
	const struct spot *spot, struct macro *out)
{
	char *text;
	const char *line, *before;
	size_t size;
	bool found = false;

	if (at_file_read(spot->file, HEADER_LIMIT_BYTES, &text, &size, NULL))
		return false;
	line = before = text;
	for (size_t i = 1; i < spot->line && *line; i++) {
		before = line;
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	found = find_macro(request, line, strcspn(line, "\n"), out) ||
		find_macro(request, before, strcspn(before, "\n"), out);
	free(text);
	return found;
}

/* The source in the line of the log: gcc and clang show " 3 | #define size 4". */
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

size_t at_clash_macros(const char *source)
{
	struct at_lexeme name;
	size_t count = 0;

	while (next_of_source(&source, &name))
		count++;
	return strncmp(source, "#line ", strlen("#line ")) ? 0 : count;
}

/*
 * Whether gcc reports the definition of the macro itself, and names no file that uses
 * it. It names the file where that is the template or one beside it, not where it is a
 * system header.
 */
static bool is_definition(const struct at_compile_request *request,
	const struct spot *spot, struct macro *out)
{
	const char *at = request->source;
	const char *next = strstr(spot->rest, "error: ");
	const char *note = strstr(spot->rest, "in expansion of macro");
	size_t line = 1;

	if (strcmp(spot->file, AT_CLASH_MACROS) != 0 ||
		(note && (!next || note < next)))
		return false;
	out->is_option = false;
	while (next_of_source(&at, &out->name))
		if (line++ == spot->line)
			return true;
	return false;
}

void at_clash_explain(const struct at_compile_request *request, const char *log,
	struct at_strbuf *out)
{
	const char *slash;
	struct macro macro;
	struct spot spot;
	char where[PATH_BYTES + 32];

	if (!read_spot(log, &spot))
		return;
	if (is_definition(request, &spot, &macro)) {
		tell(&macro, "a header that the template includes", out);
		return;
	}
	if (is_own(request, spot.file) ||
		(!find_in_file(request, &spot, &macro) &&
			!find_macro(request, shown_text(spot.rest),
				strcspn(shown_text(spot.rest), "\n"), &macro)))
		return;
	slash = strrchr(spot.file, '/');
	snprintf(where, sizeof(where), "%s", slash ? slash + 1 : spot.file);
	tell(&macro, where, out);
}
