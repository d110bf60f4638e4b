/*
 * #line directives, and assertions that compare the template's structures with the
 * space's.
 */
#include "kernel/source_layout.h"

#include "kernel/scan.h"

#include <string.h>

void at_source_add_line(struct at_strbuf *out, int line, const char *path)
{
	const char *slash = strrchr(path, '/');

	at_strbuf_addf(out, "#line %d \"", line);
	for (const char *at = slash ? slash + 1 : path; *at; at++) {
		if (*at == '"' || *at == '\\')
			at_strbuf_add_char(out, '\\');
		at_strbuf_add_char(out, *at);
	}
	at_strbuf_add(out, "\"\n");
}

/*
 * Whether the text defines "struct NAME {" at the top level: then "struct NAME;" behind
 * the text is a harmless repetition, whatever conditions the definition stands under. A
 * typedef, and a structure in a namespace or a header, are passed over.
 */
static bool defines(const char *text, const char *name)
{
	struct at_lexeme lexeme;
	bool is_struct = false, is_generic = false, is_named = false;
	int depth = 0;

	while (at_scan(&text, &lexeme)) {
		char first = lexeme.text[0];

		/* in a namespace the name could mean another structure */
		if (at_lexeme_is(lexeme, "namespace"))
			return false;
		if (at_lexeme_is(lexeme, "extern")) {
			/* the brace of extern "C" { opens no scope */
			const char *at = text;

			if (at_scan(&at, &lexeme) && lexeme.text[0] == '"' &&
				at_scan(&at, &lexeme) && lexeme.text[0] == '{') {
				depth--;
				continue;
			}
		} else if (at_lexeme_is(lexeme, "template")) {
			is_generic = true;
		} else if (at_lexeme_is(lexeme, "struct")) {
			is_struct = depth == 0;
			is_named = false;
		} else if (is_struct && at_lexeme_is(lexeme, name)) {
			is_named = true;
		} else if (first == '{' && is_struct && is_named && !is_generic) {
			return true;
		} else if (first == '{') {
			depth++;
		} else if (first == '}') {
			depth -= depth > 0;
		}
		if (first == '{' || first == '}' || first == ';')
			is_struct = is_generic = false;
	}
	return false;
}

/*
 * Appends an assertion about one field. It holds if the template has no field of that
 * name.
 */
static void add_field(struct at_strbuf *out, const struct at_spec *spec,
	const struct at_argument *owner, const struct at_argument *field, size_t index)
{
	const char *type = owner->type, *name = strchr(field->name, '.') + 1;

	at_strbuf_addf(out,
		"template <class autotune_T, class autotune_V = void> struct autotune_at_%zu { static const long autotune_n = -1; };\n"
		"template <class autotune_T> struct autotune_at_%zu<autotune_T, decltype((void)sizeof(((autotune_T *)0)->%s))> { static const long autotune_n = (long)autotune_offset(autotune_T, %s) * 65536L + sizeof(((autotune_T *)0)->%s); };\n",
		index, index, name, name, name);
	at_source_add_line(out, owner->line, spec->path);
	at_strbuf_addf(out,
		"static_assert(autotune_at_%zu<%s>::autotune_n == -1 || autotune_at_%zu<%s>::autotune_n == %zu * 65536L + %zu, \"%s of %s has %zu bytes from byte %zu on in the space, and others in the template: types has the fields in its order, with its types and align\");\n",
		index, type, index, type, field->offset_bytes,
		at_element_bytes(field->element) * (size_t)field->lanes, name, type,
		at_element_bytes(field->element) * (size_t)field->lanes,
		field->offset_bytes);
}

static void add_structure(
	const struct at_spec *spec, size_t index, struct at_strbuf *out)
{
	const struct at_argument *argument = &spec->arguments[index];

	at_strbuf_addf(out, "struct %s;\n", argument->type);
	for (size_t i = spec->given_count; i < spec->argument_count; i++)
		if (spec->arguments[i].owner == index + 1)
			add_field(out, spec, argument, &spec->arguments[i], i);
	at_strbuf_addf(out,
		"template <class autotune_T, class autotune_V = void> struct autotune_size_%zu { static const long autotune_n = 0; };\n"
		"template <class autotune_T> struct autotune_size_%zu<autotune_T, decltype((void)sizeof(autotune_T))> { static const long autotune_n = sizeof(autotune_T); };\n",
		index, index);
	at_source_add_line(out, argument->line, spec->path);
	at_strbuf_addf(out,
		"static_assert(autotune_size_%zu<%s>::autotune_n == 0 || autotune_size_%zu<%s>::autotune_n == %d, \"%s has %d bytes in the space, and others in the template: types has the fields in its order, with its types and align\");\n",
		index, argument->type, index, argument->type, argument->lanes,
		argument->type, argument->lanes);
}

static bool is_first_of_type(const struct at_spec *spec, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (spec->arguments[i].has_fields &&
			spec->arguments[i].access != AT_ACCESS_SCRATCH &&
			!strcmp(spec->arguments[i].type, spec->arguments[index].type))
			return false;
	return true;
}

void at_source_write_layouts(
	const struct at_spec *spec, const char *text, struct at_strbuf *out)
{
	/* NVRTC's own parser has another word for offsetof */
	static const char offset[] =
		"\n#ifdef __CUDACC_RTC__\n"
		"#define autotune_offset(type, field) __INTADDR__(&((type *)0)->field)\n"
		"#else\n"
		"#define autotune_offset(type, field) __builtin_offsetof(type, field)\n"
		"#endif\n";
	bool has_any = false;

	for (size_t i = 0; i < spec->given_count; i++) {
		const struct at_argument *argument = &spec->arguments[i];

		/* arguments that are scratch have no fields */
		if (!argument->has_fields || argument->access == AT_ACCESS_SCRATCH ||
			!is_first_of_type(spec, i) || !defines(text, argument->type))
			continue;
		if (!has_any)
			at_strbuf_add(out, offset);
		has_any = true;
		add_structure(spec, i, out);
	}
}
