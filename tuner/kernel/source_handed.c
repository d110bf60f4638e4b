/* Follows a parameter into the functions to which a body hands it: what chooses between
   ways is often asked for there. */
#include "kernel/source_kernels.h"

#include <ctype.h>
#include <string.h>

/* no more calls are open at a time in what is looked at */
#define OPEN_MOST 16

static bool are_same(struct at_lexeme one, struct at_lexeme other)
{
	return one.length == other.length && !memcmp(one.text, other.text, one.length);
}

#define NAME_MOST 64

/* Whether a word has parentheses behind it without being called, or something that is
   called behind it: then it is no type. */
static bool is_keyword(struct at_lexeme word)
{
	static const char *const keywords[] = { "if", "while", "for", "switch",
		"return", "sizeof", "catch", "do", "else", "case", "alignof",
		"decltype", "noexcept", "constexpr", "new", "delete", "throw", "goto",
		"defined" };

	for (size_t i = 0; i < sizeof(keywords) / sizeof(*keywords); i++)
		if (at_lexeme_is(word, keywords[i]))
			return true;
	return false;
}

static bool is_of_name(char c)
{
	return c && strchr(AT_SCAN_IDENTIFIER, c);
}

/* Whether a type may end ahead of `name`, as where a function is defined. */
static bool is_behind_type(const char *text, const char *name)
{
	struct at_lexeme word = { 0 };

	while (name > text && isspace((unsigned char)name[-1]))
		name--;
	if (name > text && strchr("*&>", name[-1]))
		return true;
	for (word.text = name; word.text > text && is_of_name(word.text[-1]);
		word.text--)
		word.length++;
	return word.length && !is_keyword(word);
}

/*
 * Finds the function of that name that the text defines, and its index-th parameter;
 * none where it defines several, of which the call does not say which one it means. It
 * is looked for as a text: it is asked often, and reading all words takes longer.
 */
static bool find_function(const char *text, struct at_lexeme function, size_t index,
	struct at_source_place *out)
{
	char name[NAME_MOST] = { 0 };
	struct at_lexeme lexeme, parameter;
	size_t count = 0;

	if (!function.text || function.length >= NAME_MOST || is_keyword(function))
		return false;
	memcpy(name, function.text, function.length);
	for (const char *at = text; (at = strstr(at, name)) != NULL;
		at += function.length) {
		const char *next = at + function.length;

		/* what calls it has no body behind the parentheses */
		if ((at == text || !is_of_name(at[-1])) && !is_of_name(*next) &&
			is_behind_type(text, at) && at_scan(&next, &lexeme) &&
			lexeme.text[0] == '(') {
			at_source_find_parameter(&next, index, &parameter);
			if (!at_scan(&next, &lexeme) || lexeme.text[0] != '{')
				continue;
			out->parameter = parameter;
			out->body = next;
			count++;
		}
	}
	return count == 1 && out->parameter.length;
}

size_t at_source_handed_on(const char *text, struct at_source_place from,
	struct at_source_place out[AT_SOURCE_HANDED_MOST])
{
	struct {
		struct at_lexeme function;
		size_t index;
	} open[OPEN_MOST] = { 0 };
	struct at_lexeme lexeme, last = { 0 };
	const char *at = from.body;
	size_t depth = 0, count = 0;

	for (int blocks = 1;
		blocks > 0 && count < AT_SOURCE_HANDED_MOST && at_scan(&at, &lexeme);
		last = lexeme) {
		const char *next = at;
		struct at_lexeme behind;
		const char c = lexeme.text[0];

		blocks += c == '{' ? 1 : c == '}' ? -1 : 0;
		if (c == '(') {
			if (depth < OPEN_MOST) {
				open[depth].function = last;
				open[depth].index = 0;
			}
			depth++;
		} else if (c == ')') {
			depth -= depth > 0;
		} else if (c == ',' && depth > 0 && depth <= OPEN_MOST) {
			open[depth - 1].index++;
		}
		if (!are_same(lexeme, from.parameter) || !depth || depth > OPEN_MOST ||
			!last.length || !strchr("(,", last.text[0]) ||
			!at_lexeme_is_identifier(open[depth - 1].function) ||
			!at_scan(&next, &behind) || !strchr("),", behind.text[0]))
			continue;
		count += find_function(text, open[depth - 1].function,
			open[depth - 1].index, &out[count]);
	}
	return count;
}
