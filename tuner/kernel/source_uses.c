/* Tells what a kernel's text does with a parameter. */
#include "kernel/source_kernels.h"
#include "kernel/source.h"
#include "base/text.h"

#include <string.h>

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

/* how many words ahead of a name are looked at; the last one is next to it */
#define AHEAD 4
#define NEXT_TO (AHEAD - 1)

static char first_of(struct at_lexeme word)
{
	return word.length ? word.text[0] : ';';
}

/* Whether a word is only named, as in "(void)word;". */
static bool is_discarded(const struct at_lexeme *ahead, const char *at)
{
	struct at_lexeme next;

	return first_of(ahead[NEXT_TO - 2]) == '(' &&
	       at_lexeme_is(ahead[NEXT_TO - 1], "void") &&
	       first_of(ahead[NEXT_TO]) == ')' && at_scan(&at, &next) &&
	       next.text[0] == ';';
}

/* Whether a statement may begin behind the word. */
static bool ends_statement(struct at_lexeme word)
{
	return strchr(";{})", first_of(word)) || at_lexeme_is(word, "else") ||
	       at_lexeme_is(word, "do");
}

/* Whether the text, behind an index if there is one, goes on with "+=" or "++". */
static bool goes_on_adding(const char *at)
{
	struct at_lexeme next[2] = { 0 };
	const char *behind = at;
	int depth = 0;

	while (at_scan(&behind, &next[0])) {
		depth += next[0].text[0] == '[' ? 1 : next[0].text[0] == ']' ? -1 : 0;
		if (depth == 0 && next[0].text[0] != ']')
			break;
	}
	return next[0].length && next[0].text[0] == '+' && at_scan(&behind, &next[1]) &&
	       (next[1].text[0] == '=' || next[1].text[0] == '+');
}

/* Whether a statement adds to what the parameter points to, and does nothing with what
   was there before: "*p += 1;", "p[i]++;", "atomicAdd(&p[i], 1);". */
static bool is_added_to(const struct at_lexeme *ahead, const char *at)
{
	char next_to = first_of(ahead[NEXT_TO]);
	size_t open = NEXT_TO - (next_to == '&');

	if (first_of(ahead[open]) == '(' && at_lexeme_is(ahead[open - 1], "atomicAdd"))
		return ends_statement(ahead[open - 2]);
	return ends_statement(ahead[NEXT_TO - (next_to == '*')]) && goes_on_adding(at);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Whether the text goes on with "< 0" or the like, which asks for a sign or a flag; the
   number may also stand ahead of the "<". */
static bool is_compared(const struct at_lexeme *ahead, const char *at)
{
	size_t before = NEXT_TO;
	struct at_lexeme next;

	if (at_scan(&at, &next) && strchr("<>", next.text[0])) {
		if (at_scan(&at, &next) && next.text[0] == '=')
			at_scan(&at, &next);
		if (is_digit(first_of(next)))
			return true;
	}
	if (first_of(ahead[before]) == '=')
		before--;
	return strchr("<>", first_of(ahead[before])) &&
	       is_digit(first_of(ahead[before - 1]));
}

/* Whether a number is looked at as a whole: whether it is 0, or which one it is, or
   some bits of it. What a function makes of it is not known but for those of a number.
 */
static bool is_looked_at(const struct at_lexeme *ahead, const char *at)
{
	static const char *const functions[] = { "min", "max", "fminf", "fmaxf", "pow",
		"powf", "float", "double", "int", "long", "unsigned" };
	char next_to = first_of(ahead[NEXT_TO]);
	bool is_behind_compare =
		next_to == '=' && strchr("=!", first_of(ahead[NEXT_TO - 1]));
	struct at_lexeme next[2] = { 0 };
	const char *behind = at;

	if (!at_scan(&at, &next[0]))
		return true;
	if (strchr("!&|^", next_to) || is_behind_compare ||
		strchr("?!&|^", next[0].text[0]))
		return true;
	if (next[0].text[0] == '=')
		return at_scan(&at, &next[1]) && next[1].text[0] == '=';
	if (is_compared(ahead, behind))
		return true;
	if (!strchr(",)", next[0].text[0]) || !strchr(",(", next_to))
		return false;
	/* an argument of a call, or all of a condition */
	for (size_t i = 0; i < AT_COUNT_OF(functions); i++)
		for (size_t k = 0; k + 1 < AHEAD; k++)
			if (at_lexeme_is(ahead[k], functions[i]) &&
				first_of(ahead[k + 1]) == '(')
				return false;
	return true;
}

unsigned at_template_uses(
	const struct at_template *self, const char *kernel, size_t index)
{
	const char *at = self->text, *head, *bare;
	struct at_lexeme name, parameter, lexeme, ahead[AHEAD] = { 0 };
	unsigned uses = 0;
	size_t length;

	if (!at)
		return 0;
	bare = at_kernel_bare_name(kernel, &length);
	while (at_source_next_kernel(&at, &name, &head)) {
		if (name.length != length || memcmp(name.text, bare, length) != 0)
			continue;
		/* a declaration has no body */
		if (!find_parameter(&at, index, &parameter) || !at_scan(&at, &lexeme) ||
			lexeme.text[0] != '{')
			continue;
		for (int depth = 1; depth > 0 && at_scan(&at, &lexeme);) {
			depth += lexeme.text[0] == '{'   ? 1
				 : lexeme.text[0] == '}' ? -1
							 : 0;
			if (lexeme.length == parameter.length &&
				!memcmp(lexeme.text, parameter.text, lexeme.length) &&
				!is_discarded(ahead, at)) {
				uses |= AT_USE_ANY;
				uses |= is_looked_at(ahead, at) ? AT_USE_LOOKED_AT : 0;
				uses |= is_added_to(ahead, at) ? 0 : AT_USE_NO_SUM;
			}
			memmove(ahead, ahead + 1, NEXT_TO * sizeof(*ahead));
			ahead[NEXT_TO] = lexeme;
		}
		return uses;
	}
	return 0;
}
