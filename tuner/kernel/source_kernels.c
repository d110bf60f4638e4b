/* Finds the kernels and names in a template's text. */
#include "kernel/source_kernels.h"
#include "kernel/source.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* how many kernels a user who misspelt one is offered */
#define HINTED_KERNELS 8
#define HINTED_LENGTH 80

bool at_source_next_kernel(const char **at, struct at_lexeme *name, const char **head)
{
	const char *behind = NULL;
	bool is_kernel = false;
	struct at_lexeme lexeme, last = { 0 };

	while (at_scan(at, &lexeme)) {
		char first = lexeme.text[0];

		if (at_lexeme_is(lexeme, "template"))
			behind = *at;
		else if (at_lexeme_is(lexeme, "__global__"))
			is_kernel = true;
		/* a word that begins with _ is an attribute, as in
		   __launch_bounds__(BLOCK) */
		if (first == '(' && is_kernel && last.length && last.text[0] != '_') {
			*name = last;
			*head = behind;
			return true;
		}
		if (first == '(' && last.length)
			for (int depth = 1; depth && at_scan(at, &lexeme);)
				depth += lexeme.text[0] == '('   ? 1
					 : lexeme.text[0] == ')' ? -1
								 : 0;
		if (first == ';' || first == '}') {
			behind = NULL;
			is_kernel = false;
		}
		if (!at_lexeme_is_identifier(lexeme))
			lexeme.length = 0;
		last = lexeme;
	}
	return false;
}

void at_template_hint_kernel(const struct at_template *self, const char *wrong,
	const char *tuned, struct at_strbuf *out)
{
	char names[HINTED_KERNELS][HINTED_LENGTH];
	const char *known[HINTED_KERNELS], *at = self->text, *nearest, *head;
	struct at_lexeme name;
	size_t count = 0;

	while (count < HINTED_KERNELS && at_source_next_kernel(&at, &name, &head)) {
		if (tuned && at_lexeme_is(name, tuned))
			continue;
		snprintf(names[count], sizeof(names[count]), "%.*s", (int)name.length,
			name.text);
		known[count] = names[count];
		count++;
	}
	nearest = at_text_nearest(wrong, known, count);
	if (nearest) {
		at_strbuf_addf(out, "; did you mean \"%s\"?", nearest);
		return;
	}
	if (tuned && !count)
		at_strbuf_add(out,
			": it is a plain kernel that you write beside the tuned one, slow and obviously right");
	at_strbuf_add(out, count ? ", whose kernels are " : "");
	for (size_t i = 0; i < count; i++)
		at_strbuf_addf(
			out, "%s%s", at_text_between(i, count, " and "), names[i]);
}

/* words that may stand behind a "*" ahead of a name, or without one */
static bool is_qualifier(struct at_lexeme word)
{
	static const char *const words[] = { "const", "volatile", "restrict",
		"__restrict", "__restrict__" };

	for (size_t i = 0; i < AT_COUNT_OF(words); i++)
		if (at_lexeme_is(word, words[i]))
			return true;
	return false;
}

/* Reads the parameters of a kernel from behind its "(" on, moves *at behind the ")",
   and finds the name of the index-th, which is the address of something: its last word
   behind the "*" and ahead of a "[" or a "=". False: it has no name. */
static bool find_parameter(const char **at, size_t index, struct at_lexeme *name)
{
	struct at_lexeme lexeme;
	bool is_over = false;
	int depth = 1;

	name->length = 0;
	for (size_t i = 0; depth > 0 && at_scan(at, &lexeme);) {
		char first = lexeme.text[0];

		depth += strchr("([{<", first) ? 1 : strchr(")]}>", first) ? -1 : 0;
		if (depth == 1 && first == ',') {
			i++;
			is_over = false;
		}
		is_over = is_over || first == '[' || first == '=';
		if (i != index || depth != 1 || is_over)
			continue;
		/* what came before is the type */
		if (first == '*' || first == '&')
			name->length = 0;
		else if (at_lexeme_is_identifier(lexeme) && !is_qualifier(lexeme))
			*name = lexeme;
	}
	return name->length > 0;
}

/* Whether a word behind these three and ahead of the text is only named, as in
   "(void)word;". */
static bool is_discarded(const struct at_lexeme *ahead, const char *at)
{
	struct at_lexeme next;

	return ahead[0].length && ahead[0].text[0] == '(' &&
	       at_lexeme_is(ahead[1], "void") && ahead[2].text[0] == ')' &&
	       at_scan(&at, &next) && next.text[0] == ';';
}

bool at_template_uses_parameter(
	const struct at_template *self, const char *kernel, size_t index)
{
	const char *at = self->text, *head, *bare;
	struct at_lexeme name, parameter, lexeme, ahead[3];
	size_t length;
	int depth = 0;

	if (!at)
		return false;
	bare = at_kernel_bare_name(kernel, &length);
	while (at_source_next_kernel(&at, &name, &head)) {
		if (name.length != length || memcmp(name.text, bare, length) != 0)
			continue;
		/* a declaration has no body */
		if (!find_parameter(&at, index, &parameter) || !at_scan(&at, &lexeme) ||
			lexeme.text[0] != '{')
			continue;
		memset(ahead, 0, sizeof(ahead));
		for (depth = 1; depth > 0 && at_scan(&at, &lexeme);) {
			depth += lexeme.text[0] == '{'   ? 1
				 : lexeme.text[0] == '}' ? -1
							 : 0;
			if (lexeme.length == parameter.length &&
				!memcmp(lexeme.text, parameter.text, lexeme.length) &&
				!is_discarded(ahead, at))
				return true;
			ahead[0] = ahead[1];
			ahead[1] = ahead[2];
			ahead[2] = lexeme;
		}
		return false;
	}
	return false;
}

static bool continues_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       (c >= '0' && c <= '9');
}

bool at_template_mentions(const struct at_template *self, const char *name)
{
	/* included files, and names made by ##, are not looked at: the compiler
	   knows */
	return strstr(self->text, "include") || strstr(self->text, "##") ||
	       at_template_mentions_word(self, name);
}

bool at_template_mentions_word(const struct at_template *self, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = self->text; (at = strstr(at, name)); at++)
		if ((at == self->text || !continues_word(at[-1])) &&
			!continues_word(at[length]))
			return true;
	return false;
}
