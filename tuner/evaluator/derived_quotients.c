/* Reads quotients in the text of an expression (derived_quotients.h). */
#include "evaluator/derived_quotients.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t derived_word_length(const char *text)
{
	size_t length = 0;

	while (isalnum((unsigned char)text[length]) || text[length] == '_')
		length++;
	return length;
}

/* Whether the text ahead of `place` ends with `end`, not counting blanks. */
static bool ends_with(const char *text, const char *place, const char *end)
{
	for (size_t left = strlen(end); left > 0; left--) {
		while (place > text && isspace((unsigned char)place[-1]))
			place--;
		if (place == text || *--place != end[left - 1])
			return false;
	}
	return true;
}

/* Whether the text begins with "+ 1", not counting blanks. */
static bool adds_one(const char *text)
{
	text += strspn(text, " \t\n");
	if (*text++ != '+')
		return false;
	text += strspn(text, " \t\n");
	return *text == '1' && !isalnum((unsigned char)text[1]) && text[1] != '.';
}

bool derived_rounds_up(const char *text, const char *slash)
{
	const char *divisor = slash + 1 + strspn(slash + 1, " \t\n");
	int length = (int)derived_word_length(divisor);
	char ends[2][80];

	if (length == 0 || length > 64)
		return false;
	snprintf(ends[0], sizeof(ends[0]), "+%.*s-1)", length, divisor);
	snprintf(ends[1], sizeof(ends[1]), "+%ld)", strtol(divisor, NULL, 10) - 1);
	return ends_with(text, slash, ends[0]) || ends_with(text, slash, ends[1]);
}

bool derived_leaves_rest(const char *text, const char *slash)
{
	const char *divisor = slash + 1 + strspn(slash + 1, " \t\n");
	size_t length = derived_word_length(divisor);

	return (length > 0 && adds_one(divisor + length)) ||
	       derived_rounds_up(text, slash);
}

const char *derived_opening_of(const char *text, const char *place)
{
	int depth = 0;

	while (place > text) {
		place--;
		depth += *place == ')' ? 1 : *place == '(' ? -1 : 0;
		if (*place == '(' && depth <= 0)
			break;
	}
	return place;
}

const char *derived_end_of_operand(const char *text)
{
	for (int depth = 0; *text; text++) {
		if (depth == 0 && strchr(",)", *text))
			break;
		depth += *text == '(' ? 1 : *text == ')' ? -1 : 0;
	}
	return text;
}
