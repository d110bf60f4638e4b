/* Tells between which numbers a kernel's text chooses by a parameter, and which of its
   parameters it compares with each other. */
#include "kernel/source_kernels.h"
#include "kernel/source.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A larger number is no kind, but a size of which there is a special case. */
#define LARGEST_KIND 63
/* no more definitions are looked at, since a text can have any number of them */
#define NUMBERS_MOST 256
/* how many words around a name are looked at */
#define AROUND 5

/* what the text defines as a number, in its order: "#define CUBIC 2" */
struct numbers {
	struct {
		struct at_lexeme name;
		int64_t number;
	} all[NUMBERS_MOST];
	size_t count;
};

/* The whole number that a word is; -1: it is none. */
static int64_t number_of(struct at_lexeme word)
{
	char digits[24] = { 0 }, *end;
	int64_t number;

	if (!word.length || word.length >= sizeof(digits) ||
		!isdigit((unsigned char)word.text[0]))
		return -1;
	memcpy(digits, word.text, word.length);
	number = strtoll(digits, &end, 0);
	end += strspn(end, "uUlL");
	return *end ? -1 : number;
}

/* Finds the definitions of one word each that is a number. */
static void find_numbers(const char *text, struct numbers *out)
{
	struct at_lexeme words[3]; /* "define", the name, what it stands for */

	out->count = 0;
	for (const char *at = text;
		out->count < NUMBERS_MOST && at_scan(&at, &words[0]);) {
		const char *end, *next;
		size_t count = 0;
		int64_t number;

		if (words[0].text[0] != '#')
			continue;
		end = at_scan_directive_end(words[0].text);
		while (count < 3 && at_scan(&at, &words[count]) &&
			words[count].text < end)
			count++;
		next = at;
		at = end;
		number = count == 3 ? number_of(words[2]) : -1;
		if (number < 0 || !at_lexeme_is(words[0], "define") ||
			(at_scan(&next, &words[0]) && words[0].text < end))
			continue;
		out->all[out->count].name = words[1];
		out->all[out->count++].number = number;
	}
}

/* The whole number that a word is or is defined as; -1: it is none, or several. */
static int64_t meant_by(const struct numbers *numbers, struct at_lexeme word)
{
	int64_t number = -1;

	if (!word.length || !at_lexeme_is_identifier(word))
		return number_of(word);
	for (size_t i = 0; i < numbers->count; i++) {
		if (numbers->all[i].name.length != word.length ||
			memcmp(numbers->all[i].name.text, word.text, word.length) != 0)
			continue;
		if (number >= 0 && number != numbers->all[i].number)
			return -1;
		number = numbers->all[i].number;
	}
	return number;
}

static bool begins_with(struct at_lexeme word, const char *among)
{
	return word.length && strchr(among, word.text[0]);
}

/* Whether two words are "==" or "!=". */
static bool compares(struct at_lexeme first, struct at_lexeme second)
{
	return begins_with(first, "=!") && at_lexeme_is(second, "=");
}

/* The word with which a name is compared that stands between these words; of no length:
   none, or it is only a part of what is compared. */
static struct at_lexeme compared_with(
	const struct at_lexeme *ahead, const struct at_lexeme *behind)
{
	static const char before[] = "(&|?:=,{};", after[] = ")&|?:,;";

	if (compares(behind[0], behind[1]) && begins_with(behind[3], after) &&
		(begins_with(ahead[AROUND - 1], before) ||
			at_lexeme_is(ahead[AROUND - 1], "return")))
		return behind[2];
	if (compares(ahead[AROUND - 2], ahead[AROUND - 1]) &&
		begins_with(behind[0], after) &&
		(begins_with(ahead[AROUND - 4], before) ||
			at_lexeme_is(ahead[AROUND - 4], "return")))
		return ahead[AROUND - 3];
	return (struct at_lexeme){ 0 };
}

static bool are_same(struct at_lexeme one, struct at_lexeme other)
{
	return one.length && one.length == other.length &&
	       !memcmp(one.text, other.text, one.length);
}

/* The number from which on something else is done, where the words behind a name
   compare it with a number: "> 1", ">= 2"; -1: they do not. "< 3" is more often a
   check of what may be indexed, and beyond it nothing is right. */
static int64_t limit_of(const struct numbers *numbers, const struct at_lexeme *ahead,
	const struct at_lexeme *behind)
{
	static const char before[] = "(&|?:=,{};", after[] = ")&|?:,;";
	const bool has_equal = at_lexeme_is(behind[1], "=");
	struct at_lexeme last = ahead[AROUND - 1], next = behind[1 + has_equal + 1];
	int64_t number;

	if (!at_lexeme_is(behind[0], ">") || !begins_with(next, after) ||
		(!begins_with(last, before) && !at_lexeme_is(last, "return")) ||
		at_lexeme_is(ahead[AROUND - 2], "while") ||
		/* the middle of a "for" */
		(at_lexeme_is(last, ";") && at_lexeme_is(next, ";")))
		return -1;
	number = meant_by(numbers, behind[1 + has_equal]);
	return number < 0 ? -1 : number + !has_equal;
}

/* Whether a word says that what stands behind it in parentheses holds: it asks
   nothing. */
static bool is_promise(struct at_lexeme word)
{
	return at_lexeme_is(word, "assert") || at_lexeme_is(word, "__builtin_assume") ||
	       at_lexeme_is(word, "__assume");
}

/* The place behind the parentheses that begin at `at`, or `at` where none do. */
static const char *behind_parentheses(const char *at)
{
	const char *next = at;
	struct at_lexeme word;
	int depth = 0;

	while (at_scan(&next, &word)) {
		depth += word.text[0] == '(' ? 1 : word.text[0] == ')' ? -1 : 0;
		if (depth <= 0)
			return word.text[0] == ')' ? next : at;
	}
	return at;
}

/* what is looked for, and in how many functions that are handed the parameter, one by
   the other */
struct kinds_sought {
	const char *text;
	const struct numbers *numbers;
	bool is_limit;
};

#define DEEPEST 2

static uint64_t kinds_in(
	const struct kinds_sought *self, struct at_source_place place, int deeper)
{
	struct at_source_place called[AT_SOURCE_HANDED_MOST];
	struct at_lexeme word, ahead[AROUND] = { 0 };
	const char *at = place.body;
	int depth = 1, inside = 0; /* the depth in a switch over the name; 0: in none */
	bool is_switch = false;
	uint64_t kinds = 0;

	while (depth > 0 && at_scan(&at, &word)) {
		const bool is_name = are_same(word, place.parameter);
		struct at_lexeme behind[AROUND] = { 0 };
		const char *next = at = is_promise(word) ? behind_parentheses(at) : at;
		int64_t number = -1;

		depth += word.text[0] == '{' ? 1 : word.text[0] == '}' ? -1 : 0;
		if (word.text[0] == '{' && is_switch)
			inside = depth;
		if (depth < inside)
			inside = 0;
		is_switch = is_switch && word.text[0] != '{';
		for (size_t i = 0; (is_name || inside == depth) && i < AROUND; i++)
			if (!at_scan(&next, &behind[i]))
				break;
		if (is_name && self->is_limit) {
			number = limit_of(self->numbers, ahead, behind);
		} else if (is_name) {
			number = meant_by(self->numbers, compared_with(ahead, behind));
			is_switch = at_lexeme_is(ahead[AROUND - 2], "switch") &&
				    at_lexeme_is(behind[0], ")");
		} else if (inside == depth && at_lexeme_is(word, "case") &&
			   at_lexeme_is(behind[1], ":")) {
			number = meant_by(self->numbers, behind[0]);
		}
		if (number >= (self->is_limit ? 2 : 1) && number <= LARGEST_KIND)
			kinds |= UINT64_C(1) << number;
		memmove(ahead, ahead + 1, (AROUND - 1) * sizeof(*ahead));
		ahead[AROUND - 1] = word;
	}
	for (size_t i = deeper ? at_source_handed_on(self->text, place, called) : 0;
		i > 0; i--)
		kinds |= kinds_in(self, called[i - 1], deeper - 1);
	return kinds;
}

static uint64_t find_kinds(
	const struct at_template *self, const char *kernel, size_t index, bool is_limit)
{
	struct numbers numbers;
	struct kinds_sought sought = { self->text, &numbers, is_limit };
	struct at_source_place place;
	const char *parameters;

	if (!at_source_find_body(self->text, kernel, index, &place.parameter,
		    &parameters, &place.body))
		return 0;
	find_numbers(self->text, &numbers);
	return kinds_in(&sought, place, DEEPEST);
}

uint64_t at_template_kinds(
	const struct at_template *self, const char *kernel, size_t index)
{
	return find_kinds(self, kernel, index, false);
}

uint64_t at_template_limits(
	const struct at_template *self, const char *kernel, size_t index)
{
	return find_kinds(self, kernel, index, true);
}

/* how many words behind a name are looked at for "!= 0.0f" and what follows */
#define BEHIND 6

/* Whether a body has the name of a parameter where `is` says so of the words around it,
   or one that it hands the parameter to. */
static bool has_so(const char *text, struct at_source_place place,
	bool (*is)(const struct at_lexeme *ahead, const struct at_lexeme *behind,
		struct at_lexeme against),
	struct at_lexeme against, int deeper)
{
	struct at_source_place called[AT_SOURCE_HANDED_MOST];
	struct at_lexeme word, ahead[AROUND] = { 0 };
	const char *at = place.body;
	bool is_found = false;
	int depth = 1;

	while (depth > 0 && !is_found && at_scan(&at, &word)) {
		struct at_lexeme behind[BEHIND] = { 0 };
		const char *next = at;

		depth += word.text[0] == '{' ? 1 : word.text[0] == '}' ? -1 : 0;
		if (are_same(word, place.parameter)) {
			for (size_t i = 0; i < BEHIND; i++)
				if (!at_scan(&next, &behind[i]))
					break;
			is_found = is(ahead, behind, against);
		}
		memmove(ahead, ahead + 1, (AROUND - 1) * sizeof(*ahead));
		ahead[AROUND - 1] = word;
	}
	for (size_t i = deeper ? at_source_handed_on(text, place, called) : 0;
		i > 0 && !is_found; i--)
		is_found = has_so(text, called[i - 1], is, against, deeper - 1);
	return is_found;
}

/* The same of a kernel's body and its index-th parameter. What it is asked against has
   another name elsewhere, so that only the body itself is looked at then. */
static bool stands_so(const struct at_template *self, const char *kernel, size_t index,
	bool (*is)(const struct at_lexeme *ahead, const struct at_lexeme *behind,
		struct at_lexeme against),
	struct at_lexeme against)
{
	struct at_source_place place;
	const char *parameters;

	return at_source_find_body(self->text, kernel, index, &place.parameter,
		       &parameters, &place.body) &&
	       has_so(self->text, place, is, against, against.length ? 0 : DEEPEST);
}

static bool is_compared(const struct at_lexeme *ahead, const struct at_lexeme *behind,
	struct at_lexeme against)
{
	/* "(a == b", and "(b == a" */
	if ((at_lexeme_is(ahead[AROUND - 1], "(") && is_promise(ahead[AROUND - 2])) ||
		(at_lexeme_is(ahead[AROUND - 4], "(") && is_promise(ahead[AROUND - 5])))
		return false;
	return are_same(compared_with(ahead, behind), against);
}

bool at_template_compares(
	const struct at_template *self, const char *kernel, size_t index, size_t other)
{
	struct at_lexeme against;
	const char *at, *parameters;

	return at_source_find_body(
		       self->text, kernel, other, &against, &parameters, &at) &&
	       stands_so(self, kernel, index, is_compared, against);
}

/* How many of these words are a 0: "0", "0u", "0.0f". */
static size_t zero_words(const struct at_lexeme *words)
{
	static const char rest[] = "0fFuUlL";

	for (size_t i = 0; i < words[0].length; i++)
		if (i == 0 ? words[0].text[0] != '0' : !strchr(rest, words[0].text[i]))
			return 0;
	if (!words[0].length)
		return 0;
	if (!at_lexeme_is(words[1], "."))
		return 1;
	for (size_t i = 0; i < words[2].length; i++)
		if (!strchr(rest, words[2].text[i]))
			return words[2].text[0] == '0' ? 0 : 2;
	return 3;
}

/* Whether what stands around a name asks whether it is 0. */
static bool is_asked_for_zero(const struct at_lexeme *ahead,
	const struct at_lexeme *behind, struct at_lexeme against)
{
	static const char before[] = "(&|?:=,{};!", after[] = ")&|?:,;";
	struct at_lexeme last = ahead[AROUND - 1], one = ahead[AROUND - 2];
	size_t sign = 0, zero;

	(void)against;
	if (at_lexeme_is(last, "(") && is_promise(one))
		return false;
	if ((!begins_with(last, before) && !at_lexeme_is(last, "return")) ||
		at_lexeme_is(one, "while"))
		return false;
	if (at_lexeme_is(last, "!"))
		return begins_with(behind[0], after);
	if (at_lexeme_is(behind[0], "?") ||
		(begins_with(behind[0], "&|") && begins_with(behind[1], "&|")) ||
		(at_lexeme_is(one, "if") && at_lexeme_is(behind[0], ")")))
		return true;
	if (begins_with(behind[0], "=!<") && at_lexeme_is(behind[1], "="))
		sign = 2;
	else if (at_lexeme_is(behind[0], ">"))
		sign = 1;
	zero = sign ? zero_words(behind + sign) : 0;
	/* the middle of a "for" */
	return zero && begins_with(behind[sign + zero], after) &&
	       !(at_lexeme_is(last, ";") && at_lexeme_is(behind[sign + zero], ";"));
}

bool at_template_asks_for_zero(
	const struct at_template *self, const char *kernel, size_t index)
{
	return stands_so(
		self, kernel, index, is_asked_for_zero, (struct at_lexeme){ 0 });
}

/* "& (n - 1)", "(n - 1) &", "__ffs(n)" and the like */
static bool is_used_as_power(const struct at_lexeme *ahead,
	const struct at_lexeme *behind, struct at_lexeme against)
{
	static const char *const calls[] = { "__ffs", "__ffsll", "__clz", "__clzll",
		"__popc", "__popcll", "log2", "log2f", "__log2f" };
	bool is_mask = at_lexeme_is(behind[0], "-") && at_lexeme_is(behind[1], "1");

	(void)against;
	if (is_mask &&
		(at_lexeme_is(ahead[AROUND - 1], "&") ||
			at_lexeme_is(ahead[AROUND - 2], "&") ||
			at_lexeme_is(behind[2], "&") || at_lexeme_is(behind[3], "&")))
		return true;
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (at_lexeme_is(ahead[AROUND - 1], "(") &&
			at_lexeme_is(ahead[AROUND - 2], calls[i]))
			return true;
	return false;
}

bool at_template_needs_power(
	const struct at_template *self, const char *kernel, size_t index)
{
	return stands_so(
		self, kernel, index, is_used_as_power, (struct at_lexeme){ 0 });
}

/* ">> -n", "<< (-n" */
static bool is_shift_back(const struct at_lexeme *ahead, const struct at_lexeme *behind,
	struct at_lexeme against)
{
	(void)behind;
	(void)against;
	return at_lexeme_is(ahead[AROUND - 1], "-") &&
	       (begins_with(ahead[AROUND - 2], "<>") ||
		       (at_lexeme_is(ahead[AROUND - 2], "(") &&
			       begins_with(ahead[AROUND - 3], "<>")));
}

bool at_template_shifts_back(
	const struct at_template *self, const char *kernel, size_t index)
{
	return stands_so(self, kernel, index, is_shift_back, (struct at_lexeme){ 0 });
}
