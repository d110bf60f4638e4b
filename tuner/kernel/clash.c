/*
 * Finds the macro of the space that broke a line which the compiler complains about,
 * and other causes that compilers' messages do not name.
 */
#include "kernel/clash.h"

#include "base/file.h"
#include "base/memory.h"
#include "kernel/cxx.h"
#include "kernel/scan.h"
#include "kernel/source_kernels.h"

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
	real = joined ? realpath(joined, NULL) : NULL;
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
		const char *value = at_option_value(
			request->options, request->option_count, *i, "-D", true);

		if (!value)
			value = at_option_value(request->options, request->option_count,
				*i, "--define-macro", false);
		name->text = value;
		name->length = value ? at_scan_span(value) : 0;
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

/* The template's text behind our macros; NULL: there is none. */
static const char *template_text(const char *source)
{
	struct at_lexeme name;

	while (next_of_source(&source, &name))
		;
	if (strncmp(source, "#line ", strlen("#line ")) != 0)
		return NULL;
	source += strcspn(source, "\n");
	return *source ? source + 1 : source;
}

/*
 * The line of the template with the error; NULL: the error is in another file, or there
 * is no such line.
 */
static const char *line_of_template(const struct at_compile_request *request,
	const struct spot *spot, size_t *length)
{
	const char *line = template_text(request->source);

	if (!line || strcmp(spot->file, request->name) != 0)
		return NULL;
	for (size_t i = 1; i < spot->line && *line; i++) {
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	*length = strcspn(line, "\n");
	return line;
}

static const char no_textures[] =
	"textures on host: read through const pointers with __restrict__, or give the problems on = \"cuda\"";

/*
 * What a toolchain does not have. The compiler's message is only about the next
 * character.
 */
static const struct {
	const char *in_line;
	const char *toolchain; /* NULL: any */
	const char *told;
} lacking[] = {
	{ "<<<", NULL,
		"kernels that launch kernels here: what the inner one does is a function that the outer one calls, or a kernel that is tuned by itself" },
	{ "texture<", NULL,
		"texture references in CUDA since 12: read through const pointers with __restrict__, or __ldg()" },
	{ "cudaTextureObject_t", AT_TOOLCHAIN_CXX, no_textures },
	{ "tex1D", AT_TOOLCHAIN_CXX, no_textures },
	{ "tex2D", AT_TOOLCHAIN_CXX, no_textures },
	{ "tex3D", AT_TOOLCHAIN_CXX, no_textures },
	{ "asm", AT_TOOLCHAIN_CXX,
		"instructions of PTX on host: say the same in C behind #ifdef AUTOTUNE_HOST, or give the problems on = \"cuda\"" },
};

static bool tell_lacking(const struct at_compile_request *request,
	const struct spot *spot, struct at_strbuf *out)
{
	size_t length = 0;
	const char *line = line_of_template(request, spot, &length);

	for (size_t i = 0; line && i < AT_COUNT_OF(lacking); i++) {
		const char *found = strstr(line, lacking[i].in_line);

		if (!found || found >= line + length ||
			(lacking[i].toolchain &&
				(!request->toolchain ||
					strcmp(request->toolchain,
						lacking[i].toolchain) != 0)))
			continue;
		at_strbuf_addf(out, AT_LACKING_WORDS "%s\n", lacking[i].told);
		return true;
	}
	return false;
}

/*
 * Whether the line uses a parameter of words ("#define CALL CALL_expf", a number) as if
 * it were the word itself. Not where the line compares the parameter, nor in a
 * directive.
 */
static bool is_word_as_code(const struct at_compile_request *request,
	const struct spot *spot, struct at_lexeme *out)
{
	const char *value, *use, *at = request->source;
	size_t length = 0;
	const char *line = line_of_template(request, spot, &length);

	if (!line || line[strspn(line, " \t")] == '#')
		return false;
	while (next_of_source(&at, out)) {
		value = out->text + out->length + 1;
		if (strncmp(value, out->text, out->length) != 0 ||
			value[out->length] != '_' || !stands_in(line, length, *out))
			continue;
		/* a word of it stands in the line too, so it is compared */
		for (use = line; use + out->length < line + length; use++)
			if (!strncmp(use, value, out->length + 1))
				return false;
		return true;
	}
	return false;
}

/* Whether the lexeme may begin a declaration, or stand in one behind the type. */
static bool is_of_type(struct at_lexeme lexeme)
{
	static const char *const words[] = { "int", "float", "double", "char", "short",
		"long", "unsigned", "signed", "bool", "auto", "size_t", "half", "const",
		"__restrict__" };

	for (size_t i = 0; i < AT_COUNT_OF(words); i++)
		if (at_lexeme_is(lexeme, words[i]))
			return true;
	return false;
}

/*
 * Whether the line declares something with the macro's name: "int n)", "const float
 * *x,", "float sum = 0". Not "2 * n)".
 */
static bool is_declared(const char *line, size_t size, struct at_lexeme name)
{
	struct at_lexeme before = { "", 0 }, lexeme;
	const char *at = line;
	bool is_type = false;

	while (at < line + size && at_scan(&at, &lexeme) && lexeme.text < line + size) {
		bool is_pointer =
			at_lexeme_is(lexeme, "*") || at_lexeme_is(lexeme, "&");

		if (lexeme.length == name.length &&
			!memcmp(lexeme.text, name.text, name.length) && is_type)
			return at >= line + size || strchr(",);=[ ", *at);
		/* behind "float *" a name is declared just as behind "float" */
		is_type = is_of_type(lexeme) ||
			  (is_pointer && (is_type || is_of_type(before)));
		before = lexeme;
	}
	return false;
}

/* Whether the template declares something with the name of a parameter of the space, or
   of an option's macro. */
static bool is_declared_in_template(const struct at_compile_request *request,
	const struct spot *spot, struct macro *out)
{
	const char *at = request->source, *line;
	size_t length = 0;

	out->is_option = false;
	line = line_of_template(request, spot, &length);
	while (line && next_of_source(&at, &out->name))
		if (strncmp(out->name.text, "AUTOTUNE", 8) != 0 &&
			is_declared(line, length, out->name))
			return true;
	out->is_option = true;
	for (size_t i = 0; line && next_of_options(request, &i, &out->name);)
		if (is_declared(line, length, out->name))
			return true;
	return false;
}

/*
 * gcc reports the error at the macro's definition and adds a note with the line that
 * uses the macro: the error is really there.
 */
static void move_to_use(struct spot *spot)
{
	const char *note = strstr(spot->rest, "note: in expansion of macro"), *line;
	size_t length;

	if (!note || (strcmp(spot->file, AT_CLASH_MACROS) != 0 &&
			     strcmp(spot->file, AT_CLASH_OPTIONS) != 0))
		return;
	line = note;
	while (line > spot->rest && line[-1] != '\n')
		line--;
	length = strcspn(line, ":");
	if (line + length >= note || length >= sizeof(spot->file))
		return;
	snprintf(spot->file, sizeof(spot->file), "%.*s", (int)length, line);
	spot->line = strtoul(line + length + 1, NULL, 10);
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
	if (is_word_as_code(request, &spot, &macro.name)) {
		at_strbuf_addf(out,
			AT_CLASH_WORDS
			"%.*s (a parameter of the space) is a number that stands for its word: options = ( \"-DNAME=${%.*s}\" ) makes a macro NAME of the word itself\n",
			(int)macro.name.length, macro.name.text, (int)macro.name.length,
			macro.name.text);
		return;
	}
	move_to_use(&spot);
	if (is_declared_in_template(request, &spot, &macro)) {
		tell(&macro, request->name, out);
		return;
	}
	if (tell_lacking(request, &spot, out) || is_own(request, spot.file))
		return;
	if (!find_in_file(request, &spot, &macro) &&
		!find_macro(request, shown_text(spot.rest),
			strcspn(shown_text(spot.rest), "\n"), &macro))
		return;
	slash = strrchr(spot.file, '/');
	snprintf(where, sizeof(where), "%s", slash ? slash + 1 : spot.file);
	tell(&macro, where, out);
}

/* The plain name of a kernel: "scale" of "tools::scale<4>". */
static struct at_lexeme plain_name(const char *kernel)
{
	struct at_lexeme name = { kernel, strcspn(kernel, "<") };

	for (size_t i = 0; i < name.length; i++)
		if (name.text[i] == ':') {
			name.text += i + 1;
			name.length -= i + 1;
			i = (size_t)-1;
		}
	return name;
}

/* Whether a body follows the parameters, behind whose "(" *at is: no declaration. */
static bool is_defined(const char *at)
{
	struct at_lexeme lexeme;

	for (int depth = 1; depth && at_scan(&at, &lexeme);)
		depth += lexeme.text[0] == '(' ? 1 : lexeme.text[0] == ')' ? -1 : 0;
	return at_scan(&at, &lexeme) && lexeme.text[0] == '{';
}

void at_clash_tell_unclear(const struct at_compile_request *request, const char *kernel,
	struct at_strbuf *out)
{
	const char *text = template_text(request->source), *at, *head, *counted;
	struct at_lexeme name = plain_name(kernel), found;
	size_t count = 0, line = 1;
	struct at_strbuf lines = { 0 };

	at = counted = text ? text : request->source;
	while (at_source_next_kernel(&at, &found, &head)) {
		if (found.length != name.length ||
			memcmp(found.text, name.text, name.length) != 0 ||
			!is_defined(at))
			continue;
		for (; counted < found.text; counted++)
			line += *counted == '\n';
		at_strbuf_addf(&lines, "%s%zu", count++ ? ", " : "", line);
	}
	at_strbuf_addf(out, "kernel \"%s\" cannot be launched as it stands in %s",
		kernel, request->name);
	if (count > 1)
		at_strbuf_addf(out,
			", which has %zu kernels of that name, in lines %s: give each a name of its own, that no other function has",
			count, at_strbuf_text(&lines));
	else
		at_strbuf_add(out,
			": give it a name that no other function has, also none of CUDA's, or, if it is a template of C++, its arguments");
	at_strbuf_add_char(out, '\n');
	out->failed = out->failed || lines.failed;
	at_strbuf_release(&lines);
}
