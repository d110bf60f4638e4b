/* Writes the C++ source of a unit, and explains what the compiler says about it. */
#include "kernel/cxx_unit.h"
#include "kernel/clash.h"
#include "kernel/cxx.h"
#include "kernel/host_dialect.h"
#include "kernel/host_headers.h"
#include "kernel/reach.h"
#include "kernel/scan.h"

#include <stdbool.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- the unit ----------------------------------------------------------- */

static void add_quoted(struct at_strbuf *out, const char *text)
{
	at_strbuf_add_char(out, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			at_strbuf_add_char(out, '\\');
		at_strbuf_add_char(out, *text == '\n' ? ' ' : *text);
	}
	at_strbuf_add_char(out, '"');
}

/*
 * The file name that messages about the table of kernels have; their line is 1 + index.
 */
static void add_table_name(struct at_strbuf *out, const char *name)
{
	at_strbuf_addf(out, "<kernels of %s>", name);
}

/*
 * Writes the constants that at_cxx_object_read_signature() reads. Each has a section of
 * its own, since compilers reorder the variables within a section.
 */
static void add_signatures(struct at_strbuf *out,
	const struct at_compile_request *request, const char *name)
{
	for (size_t i = 0; i < request->kernel_count; i++) {
		at_strbuf_addf(out, "#line %zu ", i + 1);
		add_quoted(out, name);
		at_strbuf_addf(out,
			"\n__attribute__((used, section(\"" AT_HOST_SIGNATURE_SECTION
			"%zu\")))\n"
			"static constexpr auto at_host_signature_%zu = at_host_launch<(&%s)>::at_signature;\n",
			i, i, request->kernels[i]);
	}
}

static void add_table(struct at_strbuf *out, const struct at_compile_request *request)
{
	struct at_strbuf name = { 0 };

	/* an error that is reported here is a brace that the source has left open */
	at_strbuf_addf(&name, "<end of %s>", request->name);
	at_strbuf_add(out, "\n#line 1 ");
	add_quoted(out, at_strbuf_text(&name));
	at_strbuf_add_char(out, '\n');
	at_strbuf_clear(&name);
	add_table_name(&name, request->name);
	add_signatures(out, request, at_strbuf_text(&name));
	at_strbuf_add(out, "static const at_host_kernel at_host_kernels[] = {\n");
	for (size_t i = 0; i < request->kernel_count; i++) {
		const char *kernel = request->kernels[i];

		at_strbuf_addf(out, "#line %zu ", i + 1);
		add_quoted(out, at_strbuf_text(&name));
		at_strbuf_add(out, "\n{ ");
		add_quoted(out, kernel);
		at_strbuf_addf(out,
			", at_host_launch<(&%s)>::at_run, at_host_launch<(&%s)>::at_parameters },\n",
			kernel, kernel);
	}
	/* the last row keeps the table from being empty */
	at_strbuf_addf(out,
		"{ nullptr, nullptr, 0 } };\n"
		"extern \"C\" __attribute__((used, visibility(\"default\")))\n"
		"const at_host_image at_host_image = { %d, %zu, at_host_kernels };\n",
		AT_HOST_ABI_VERSION, request->kernel_count);
	at_strbuf_release(&name);
}

bool at_cxx_unit_has_macro(const char *text)
{
	static const char *const ahead[] = { "_", "AT_", "NDEBUG" };

	for (size_t i = 0; i < COUNT(ahead); i++)
		if (!strncmp(text, ahead[i], strlen(ahead[i])))
			return false;
	return true;
}

/* The value of -D or -U; *is_undefined: of the latter. NULL: another option. */
static const char *macro_of(
	const struct at_compile_request *request, size_t i, bool *is_undefined)
{
	static const struct {
		const char *name;
		bool may_touch;
	} forms[] = { { "-D", true }, { "--define-macro", false }, { "-U", true },
		{ "--undefine-macro", false } };
	const char *value = NULL;

	for (size_t k = 0; k < COUNT(forms) && !value; k++) {
		value = at_option_value(request->options, request->option_count, i,
			forms[k].name, forms[k].may_touch);
		*is_undefined = k >= 2;
	}
	return value;
}

/* Behind the dialect, whose words a macro such as "width" would replace. */
static void add_macros(struct at_strbuf *out, const struct at_compile_request *request)
{
	bool is_undefined;

	at_strbuf_add(out, "#line 1 \"" AT_CLASH_OPTIONS "\"\n");
	for (size_t i = 0; i < request->option_count; i++) {
		const char *text = macro_of(request, i, &is_undefined), *value;
		size_t name;

		if (!text)
			continue;
		i += i + 1 < request->option_count && text == request->options[i + 1];
		if (!at_cxx_unit_has_macro(text))
			continue;
		name = strcspn(text, "=");
		value = text[name] ? text + name + 1 : "1";
		at_strbuf_addf(out, "#%s %.*s ", is_undefined ? "undef" : "define",
			(int)name, text);
		for (; *value && !is_undefined; value++)
			at_strbuf_add_char(
				out, *value == '\n' || *value == '\r' ? ' ' : *value);
		at_strbuf_add_char(out, '\n');
	}
}

/*
 * Behind __shared__, as nvcc takes it, C++ allows no alignas() of its own: the words
 * change places, and "extern" and "static" go along.
 */
static void add_source(struct at_strbuf *out, const char *source)
{
	const char *at = source, *start = NULL;
	struct at_lexeme word;

	while (at_scan(&at, &word)) {
		const bool is_shared = at_lexeme_is(word, "__shared__");
		const char *behind = at, *alignment;
		int depth = 0;

		if (!is_shared && !at_lexeme_is(word, "extern") &&
			!at_lexeme_is(word, "static")) {
			start = NULL;
			continue;
		}
		if (!start)
			start = word.text;
		if (!is_shared || !at_scan(&behind, &word) ||
			!at_lexeme_is(word, "alignas"))
			continue;
		alignment = word.text;
		while (at_scan(&behind, &word)) {
			depth += at_lexeme_is(word, "(") - at_lexeme_is(word, ")");
			if (!depth)
				break;
		}
		at_strbuf_add_bytes(out, source, (size_t)(start - source));
		at_strbuf_add_bytes(out, alignment, (size_t)(behind - alignment));
		at_strbuf_add_char(out, ' ');
		at_strbuf_add_bytes(out, start, (size_t)(alignment - start));
		source = at = behind;
		start = NULL;
	}
	at_strbuf_add(out, source);
}

void at_cxx_unit_write(struct at_strbuf *out, const struct at_compile_request *request,
	const char *prelude)
{
	const char *value;
	bool is_folder;

	/* After the first declaration gcc includes no precompiled headers any more. It
	   must not include others than ours, which are an image of a compiler's memory:
	   one might lie beside a header that -I finds. */
	if (prelude)
		/* the effect of a pragma is not kept in a precompiled header */
		at_strbuf_addf(out,
			"#include \"%s\"\n#pragma GCC visibility push(hidden)\n",
			prelude);
	at_strbuf_add(out, "struct at_host_no_precompiled;\n");
	if (!prelude) {
		at_strbuf_add(out, "#line 1 \"host_dialect.h\"\n");
		at_strbuf_add_bytes(out, (const char *)at_embedded_host_dialect,
			at_embedded_host_dialect_size);
		at_strbuf_add_char(out, '\n');
	}
	add_macros(out, request);
	/* not by the compiler's option -include, which would come before the dialect */
	for (size_t i = 0; i < request->option_count; i++)
		if (at_reach_option(request->options, request->option_count, i,
			    &is_folder, &value) &&
			!is_folder)
			at_strbuf_addf(out, "#include \"%s\"\n", value);
	/* behind its macros the source has a #line of its own */
	at_strbuf_add(out, "#line 1 ");
	add_quoted(out,
		at_clash_macros(request->source) ? AT_CLASH_MACROS : request->name);
	at_strbuf_add_char(out, '\n');
	add_source(out, request->source);
	add_table(out, request);
}

/* ---- the log ------------------------------------------------------------ */

static bool line_has(const char *line, size_t length, const char *text)
{
	const char *found = strstr(line, text);

	return found && (size_t)(found - line) + strlen(text) <= length;
}

static bool says_unknown(const char *line, size_t length)
{
	return line_has(line, length, "declared") || /* "not", "undeclared" */
	       line_has(line, length, "not a member") ||
	       line_has(line, length, "no member named") ||
	       line_has(line, length, "not a template");
}

/*
 * For each kernel about which the compiler complains in the table, writes a plain line.
 */
static void explain_kernels(struct at_strbuf *out, const char *log,
	const struct at_compile_request *request)
{
	struct at_strbuf place = { 0 };

	for (size_t i = 0; i < request->kernel_count; i++) {
		at_strbuf_clear(&place);
		add_table_name(&place, request->name);
		at_strbuf_addf(&place, ":%zu:", i + 1);
		for (const char *line = log; line;) {
			size_t length = strcspn(line, "\n");

			if (!strncmp(line, place.data, place.length) &&
				line_has(line, length, "error:")) {
				if (says_unknown(line, length))
					at_strbuf_addf(out,
						"kernel \"%s\" not found in %s\n",
						request->kernels[i], request->name);
				break;
			}
			line = line[length] ? line + length + 1 : NULL;
		}
	}
	at_strbuf_release(&place);
}

/*
 * Finds the header that the compiler did not find, which is the last thing that it
 * reports. Returns the length of its name, or 0.
 */
static size_t find_missing(const char *log, const char **name)
{
	/* the first is gcc's, the second clang's */
	static const struct {
		const char *begin, *end;
	} words[] = { { "fatal error: ", ": No such file or directory" },
		{ "fatal error: '", "' file not found" } };

	for (size_t i = 0; i < COUNT(words); i++)
		for (const char *at = log; (at = strstr(at, words[i].begin));) {
			size_t length;

			*name = at += strlen(words[i].begin);
			at = strstr(at, words[i].end);
			length = at ? (size_t)(at - *name) : 0;
			if (length && !memchr(*name, '\n', length))
				return length;
			at = *name;
		}
	return 0;
}

static void explain_missing(struct at_strbuf *out, const char *log)
{
	const char *name;
	size_t length = find_missing(log, &name);

	if (length && at_host_headers_lacks(&name, &length))
		at_strbuf_addf(out,
			"<%.*s> is not there on \"host\": include it where AUTOTUNE_HOST is not defined, or give the problems on = \"cuda\"; there are %s\n",
			(int)length, name, at_host_headers_known);
}

char *at_cxx_unit_log(const struct at_strbuf *raw, const char *folder,
	const struct at_compile_request *request)
{
	struct at_strbuf log = { 0 };
	const char *text = at_strbuf_text(raw), *found;
	size_t length = strlen(folder);

	explain_missing(&log, text);
	explain_kernels(&log, text, request);
	while ((found = strstr(text, folder)) != NULL) {
		at_strbuf_add_bytes(&log, text, (size_t)(found - text));
		text = found + length;
		if (*text == '/')
			text++;
	}
	at_strbuf_add(&log, text);
	return at_strbuf_detach(&log);
}
