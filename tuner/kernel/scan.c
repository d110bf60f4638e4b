/* Splits CUDA C++ into lexemes. */
#include "kernel/scan.h"
#include "base/memory.h"

#include <string.h>

#define DIGITS "0123456789"

static bool opens_raw_string(const char *text, size_t length)
{
	static const char *const prefixes[] = { "R", "LR", "uR", "UR", "u8R" };

	for (size_t i = 0; i < AT_COUNT_OF(prefixes); i++)
		if (length == strlen(prefixes[i]) && !memcmp(text, prefixes[i], length))
			return true;
	return false;
}

/* text begins with R". Returns the end of R"x( ... )x", or of the text. */
static const char *skip_raw_string(const char *text)
{
	const char *name = text + 2, *at;
	size_t length = strcspn(name, "(\"\\ \n");

	if (name[length] != '(')
		return text + 2;
	for (at = name + length; (at = strchr(at, ')')) != NULL; at++)
		if (!strncmp(at + 1, name, length) && at[1 + length] == '"')
			return at + length + 2;
	return text + strlen(text);
}

/* Returns the position after the closing quote, or the end of the line without one. */
static const char *skip_quoted(const char *text)
{
	const char *at = text + 1;

	while (*at && *at != *text && *at != '\n')
		at += at[0] == '\\' && at[1] ? 2 : 1;
	return *at == *text ? at + 1 : at;
}

bool at_scan(const char **at, struct at_lexeme *out)
{
	const char *text = *at, *end;

	for (;;) {
		while (*text == ' ' || (*text >= '\t' && *text <= '\r'))
			text++;
		if (text[0] == '/' && text[1] == '/') {
			text += strcspn(text, "\n");
		} else if (text[0] == '/' && text[1] == '*') {
			end = strstr(text + 2, "*/");
			text = end ? end + 2 : text + strlen(text);
		} else {
			break;
		}
	}
	end = text + at_scan_span(text);
	if (end > text && strchr(DIGITS, *text)) {
		/* the quotes in 1'000'000 begin no literal */
		while (*end == '\'' && at_scan_span(end + 1))
			end += 1 + at_scan_span(end + 1);
	} else if (*end == '"' && opens_raw_string(text, (size_t)(end - text))) {
		end = skip_raw_string(end - 1);
	} else if (end == text && (*text == '"' || *text == '\'')) {
		end = skip_quoted(text);
	} else if (end == text && *text) {
		end = text + 1;
	}
	out->text = text;
	out->length = (size_t)(end - text);
	*at = end;
	return end > text;
}

bool at_scan_mentions(const char *text, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = text; (at = strstr(at, name)); at++)
		if ((at == text || !strchr(AT_SCAN_IDENTIFIER, at[-1])) &&
			!at_scan_span(at + length))
			return true;
	return false;
}

bool at_lexeme_is_identifier(struct at_lexeme lexeme)
{
	/* the next characters may continue a lexeme; its own must be an identifier's */
	return lexeme.length && at_scan_span(lexeme.text) >= lexeme.length &&
	       !strchr(DIGITS, lexeme.text[0]);
}

bool at_lexeme_same(struct at_lexeme a, struct at_lexeme b)
{
	return a.length == b.length && (!a.length || !memcmp(a.text, b.text, a.length));
}

bool at_lexeme_is_one_of(struct at_lexeme lexeme, const char *words)
{
	for (const char *at = words; (at = strchr(at, ' ')); at++)
		if (!strncmp(at + 1, lexeme.text, lexeme.length) &&
			at[1 + lexeme.length] == ' ')
			return true;
	return false;
}

const char *at_scan_directive_end(const char *at)
{
	for (;;) {
		const char *end;

		at += strcspn(at, "\n\"/");
		if (!*at)
			return at;
		if (*at == '\n') {
			if (at[-1] != '\\' && !(at[-1] == '\r' && at[-2] == '\\'))
				return at;
			at++;
		} else if (*at == '"') {
			/* "/" + "*" in a string begins no comment */
			end = at + 1 + strcspn(at + 1, "\"\n");
			at = *end == '"' ? end + 1 : at + 1;
		} else if (at[1] == '/') {
			at += strcspn(at, "\n");
		} else if (at[1] == '*') {
			end = strstr(at + 2, "*/");
			at = end ? end + 2 : at + strlen(at);
		} else {
			at++;
		}
	}
}

static bool has_one_of(const char *at, const char *end, const char *words)
{
	struct at_lexeme lexeme;

	while (at_scan(&at, &lexeme) && lexeme.text < end)
		if (at_lexeme_is_one_of(lexeme, words))
			return true;
	return false;
}

const char *at_scan_definition(const char *text, const char *from,
	struct at_lexeme name, const char *guards, const char **end)
{
	size_t depth = 0, guarded = 0; /* the depth of the condition with a guard */
	struct at_lexeme hash, kind, word;

	while (at_scan(&text, &hash)) {
		if (hash.text[0] != '#')
			continue;
		*end = at_scan_directive_end(hash.text);
		if (!at_scan(&text, &kind) || kind.text >= *end) {
			text = *end;
			continue;
		}
		depth += !strncmp(kind.text, "if", 2);
		if (!guarded && (!strncmp(kind.text, "if", 2) ||
					!strncmp(kind.text, "elif", 4)))
			guarded = has_one_of(text, *end, guards) ? depth : 0;
		if (at_lexeme_is(kind, "endif") && depth) {
			guarded = guarded == depth ? 0 : guarded;
			depth--;
		}
		if (at_scan(&text, &word) && word.text < *end &&
			at_lexeme_same(word, name)) {
			if (at_lexeme_is(kind, "undef"))
				return NULL;
			if (at_lexeme_is(kind, "define") && !guarded &&
				hash.text >= from && word.text[word.length] != '(')
				return hash.text;
		}
		text = *end;
	}
	return NULL;
}

/* The words before a function's name in its declaration. */
struct declaration {
	bool is_kernel;
	bool is_other; /* __device__, __host__ */
	/* has a word that is not the language's, and may be a macro */
	bool may_be_macro;
	bool is_void; /* the last word before the name is void */
};

static void read_word(struct declaration *self, struct at_lexeme lexeme)
{
	static const char *const words[] = { "void", "static", "inline", "extern",
		"\"C\"", "constexpr", "__forceinline__", "__noinline__", "__inline__" };
	bool is_known = false;

	for (size_t i = 0; i < AT_COUNT_OF(words); i++)
		is_known |= at_lexeme_is(lexeme, words[i]);
	self->is_kernel |= at_lexeme_is(lexeme, "__global__");
	self->is_other |=
		at_lexeme_is(lexeme, "__device__") || at_lexeme_is(lexeme, "__host__");
	self->may_be_macro |= !is_known;
	self->is_void = at_lexeme_is(lexeme, "void");
}

bool at_scan_is_no_kernel(const char *source, const char *name)
{
	struct declaration declaration = { 0 };
	const char *last = name, *behind;
	struct at_lexeme lexeme, bare;
	bool is_defined = false;

	/* the name without namespaces and template arguments */
	for (const char *at = name; at_scan(&at, &lexeme) && lexeme.text[0] != '<';)
		if (at_lexeme_is_identifier(lexeme))
			last = lexeme.text;
	bare = (struct at_lexeme){ last, at_scan_span(last) };
	while (at_scan(&source, &lexeme)) {
		if (lexeme.text[0] == '#') {
			source = at_scan_directive_end(lexeme.text);
		} else if (strchr(";{}", lexeme.text[0])) {
			declaration = (struct declaration){ 0 };
		} else if (at_lexeme_same(lexeme, bare)) {
			behind = source;
			/* DEFINE_KERNEL(scale) may turn the name into anything */
			if (declaration.is_kernel || !at_scan(&behind, &lexeme) ||
				lexeme.text[0] != '(')
				return false;
			is_defined |=
				declaration.is_void &&
				(declaration.is_other || !declaration.may_be_macro);
		} else {
			read_word(&declaration, lexeme);
		}
	}
	return is_defined;
}
