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
bool at_source_find_parameter(const char **at, size_t index, struct at_lexeme *name)
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

/* ---- numbers that only count --------------------------------------------------- */

/*
 * A kernel can tell a flag from a number in ways without end: by a table of two
 * entries, by a parity, by a bool that it makes of it, by 1 less the flag. All of them
 * are right for 0 and 1, and differ at 2. So what is listed here is how a number of
 * things is used, and anything else may be a flag.
 */

/* how many words of a statement are kept; what stands in a longer one counts nothing */
#define LONGEST 512
/* how many brackets may be open around a word */
#define DEEPEST 32

/* A statement without its end, or what stands ahead of one: "for (...)". */
struct statement {
	struct at_lexeme words[LONGEST];
	size_t count; /* more than LONGEST: the rest was dropped */
	bool is_header;
};

static bool is_same(struct at_lexeme one, struct at_lexeme other)
{
	return one.length == other.length && !memcmp(one.text, other.text, one.length);
}

static bool is_one_of(struct at_lexeme word, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (at_lexeme_is(word, list[i]))
			return true;
	return false;
}

#define IS_ONE_OF(word, list) is_one_of(word, list, AT_COUNT_OF(list))

/* Reads the next word that is in no directive. */
static bool scan_plain(const char **at, struct at_lexeme *word)
{
	while (at_scan(at, word)) {
		if (word->text[0] != '#')
			return true;
		*at = at_scan_directive_end(word->text);
	}
	return false;
}

/* Whether a directive has the word, so that a macro may stand for it. */
static bool is_in_directive(const char *text, struct at_lexeme word)
{
	struct at_lexeme lexeme;
	const char *end;

	for (const char *at = text; at_scan(&at, &lexeme);) {
		if (lexeme.text[0] != '#')
			continue;
		end = at_scan_directive_end(lexeme.text);
		while (at < end && at_scan(&at, &lexeme) && lexeme.text < end)
			if (is_same(lexeme, word))
				return true;
		at = end;
	}
	return false;
}

/* Reads the next statement of a body; *depth is that of its braces. False: the body is
   over. */
static bool next_statement(const char **at, int *depth, struct statement *out)
{
	static const char *const headers[] = { "for", "if", "while", "switch" };
	struct at_lexeme word;
	int inside = 0;

	out->count = 0;
	out->is_header = false;
	while (*depth > 0 && scan_plain(at, &word)) {
		char first = word.text[0];

		if (first == '{' || first == '}')
			*depth += first == '{' ? 1 : -1;
		if (inside == 0 && strchr(";{}", first))
			return true;
		if (out->count == 0 &&
			(at_lexeme_is(word, "else") || at_lexeme_is(word, "do")))
			continue;
		if (out->count < LONGEST)
			out->words[out->count] = word;
		out->count++;
		inside += strchr("([", first) ? 1 : strchr(")]", first) ? -1 : 0;
		if (first == ')' && inside == 0 && IS_ONE_OF(out->words[0], headers)) {
			out->is_header = true;
			return true;
		}
	}
	return false;
}

/* What a declaration says of a variable. */
struct declaration {
	bool is_real;
	bool is_flag;
	bool is_address;
};

/*
 * Finds what a kernel declares a name as, from behind the "(" of its parameters up to
 * `end`: at its first mention, and again where a block has another variable of that
 * name; then it is real only if all are. All false where that is no plain declaration.
 */
static struct declaration find_declaration(
	const char *at, const char *end, struct at_lexeme name)
{
	static const char *const reals[] = { "float", "float2", "float3", "float4",
		"double", "double2", "half", "__half", "half2", "__half2",
		"__nv_bfloat16", "__nv_bfloat162" };
	struct declaration found = { 0 }, outside = { 0 }, all = { 0 };
	bool is_in_body = false, is_type = true, may_declare = true, is_found = false;
	int depth = 0, types = 0;
	struct at_lexeme word;

	while (at < end && scan_plain(&at, &word)) {
		char first = word.text[0];

		is_in_body = is_in_body || first == '{';
		if (first == '(' && depth++ == 0)
			outside = found;
		if (is_same(word, name) &&
			(!is_found || (depth == 0 && types > 0 && may_declare))) {
			all.is_real = found.is_real && (!is_found || all.is_real);
			all.is_flag = all.is_flag || found.is_flag;
			all.is_address = all.is_address || found.is_address;
			is_found = true;
		}
		if (first == ')' && depth > 0 && --depth == 0) {
			/* more variables may follow, as in "float a = f(x), b" */
			found = outside;
			is_type = may_declare = false;
		} else if (strchr(";{}()", first) || (first == ',' && !is_in_body) ||
			   at_lexeme_is(word, "else") || at_lexeme_is(word, "do")) {
			found = (struct declaration){ 0 };
			is_type = may_declare = true;
			types = 0;
		} else if (at_lexeme_is_identifier(word)) {
			found.is_real =
				found.is_real || (is_type && IS_ONE_OF(word, reals));
			found.is_flag = found.is_flag ||
					(is_type && at_lexeme_is(word, "bool"));
			types += is_type;
		} else {
			is_type = false;
			may_declare =
				first == ',' || (may_declare && strchr("*&", first));
			found.is_address =
				first != ',' &&
				(found.is_address || first == '*' || first == '&');
		}
	}
	return all;
}

/* The word at an index; an empty one outside the statement. */
static struct at_lexeme word_at(const struct statement *self, size_t index)
{
	return index < self->count ? self->words[index] : (struct at_lexeme){ 0 };
}

static char char_at(const struct statement *self, size_t index)
{
	return first_of(word_at(self, index));
}

static bool is_cast_to_real(struct at_lexeme word)
{
	return at_lexeme_is(word, "float") || at_lexeme_is(word, "double");
}

/* Whether an operand may end with the word, so that an operator behind it has two. */
static bool ends_operand(const struct statement *self, size_t index)
{
	struct at_lexeme word = word_at(self, index);

	return word.length && (at_scan_span(word.text) || strchr(")]", word.text[0]));
}

/*
 * What a parameter is part of: words `first` to `last` of a statement. It begins as the
 * parameter alone and is widened over "(p)", "(float)p", "float(p)" and "p + 1".
 */
struct operand {
	size_t first, last;
	bool is_real; /* by a cast */
	bool is_sum; /* with 1 */
};

static void widen(const struct statement *self, struct operand *operand)
{
	for (;;) {
		size_t first = operand->first, last = operand->last;
		char before = char_at(self, first - 1);

		if (before == ')' && is_cast_to_real(word_at(self, first - 2)) &&
			char_at(self, first - 3) == '(') {
			operand->first -= 3;
			operand->is_real = true;
		} else if (before == '(' && char_at(self, last + 1) == ')' &&
			   is_cast_to_real(word_at(self, first - 2))) {
			operand->first -= 2;
			operand->last++;
			operand->is_real = true;
		} else if (before == '(' && char_at(self, last + 1) == ')') {
			operand->first--;
			operand->last++;
		} else if (strchr("(,=", before) && char_at(self, last + 1) == '+' &&
			   at_lexeme_is(word_at(self, last + 2), "1")) {
			operand->last += 2;
			operand->is_sum = true;
		} else {
			return;
		}
	}
}

/* Finds the brackets that are open ahead of a word. False: they are too many. */
static bool find_brackets(
	const struct statement *self, size_t index, size_t *open, size_t *count)
{
	*count = 0;
	for (size_t i = 0; i < index; i++) {
		char c = char_at(self, i);

		if (strchr("([{", c)) {
			if (*count == DEEPEST)
				return false;
			open[(*count)++] = i;
		} else if (strchr(")]}", c) && *count) {
			(*count)--;
		}
	}
	return true;
}

/* Whether a loop goes on while something is less than the operand, or steps by it. */
static bool is_of_loop(const struct statement *self, const struct operand *operand)
{
	bool is_for = at_lexeme_is(self->words[0], "for");
	size_t at = operand->first - 1, part = 0;
	char behind = char_at(self, operand->last + 1);

	if (!is_for && !at_lexeme_is(self->words[0], "while"))
		return false;
	for (size_t i = 0; i < operand->first; i++)
		part += char_at(self, i) == ';';
	if (part == 2)
		return char_at(self, at) == '=' && char_at(self, at - 1) == '+' &&
		       strchr(",)", behind);
	/* a comparison with a number asks for a sign or a flag */
	at -= char_at(self, at) == '=';
	return part == (is_for ? 1 : 0) && char_at(self, at) == '<' &&
	       ends_operand(self, at - 1) &&
	       !strchr("0123456789", char_at(self, at - 1)) &&
	       strchr(is_for ? ";&" : ")&", behind);
}

/* Whether a statement gives something to a real variable, or to real numbers in memory,
   and asks nothing about the word: what is computed is then no index, and no bit. What
   is asked ahead of it ("is_first ? 1 : word") is about others. */
static bool yields_reals(
	const struct statement *self, size_t index, const char *parameters)
{
	size_t begin = 0, equals = 0, asked = 0, at;
	struct at_lexeme name = { 0 };
	struct declaration declaration;
	bool is_content = false;
	int depth = 0, indices = 0;

	for (size_t i = 0; i < index; i++) {
		char c = char_at(self, i);

		depth += strchr("([", c) ? 1 : strchr(")]", c) ? -1 : 0;
		if (c == '?' && depth == 0)
			asked = i;
	}
	depth = 0;
	for (size_t i = 0; i < self->count; i++) {
		char c = char_at(self, i);

		depth += strchr("([", c) ? 1 : strchr(")]", c) ? -1 : 0;
		indices += c == '[' ? 1 : c == ']' ? -1 : 0;
		if (equals && i > equals && i <= asked)
			continue;
		if (indices == 0 && strchr("%&|^!~<>?{}", c))
			return false;
		if (indices == 0 && c == '=' && char_at(self, i + 1) == '=')
			return false;
		if (depth > 0 || i >= index)
			continue;
		if (c == ',') {
			begin = i + 1;
			equals = 0;
		} else if (c == '=' && !equals) {
			equals = i;
		}
	}
	/* ahead of the "=": types, the name, and indices of it */
	for (at = begin; at < equals; at++) {
		if (at_lexeme_is_identifier(self->words[at]))
			name = self->words[at];
		else if (char_at(self, at) == '*' && !name.length)
			is_content = true;
		else if (char_at(self, at) != '*')
			break;
	}
	if (!name.length)
		return false;
	is_content = is_content || (at < equals && strchr("[.", char_at(self, at)));
	declaration = find_declaration(parameters, self->words[index].text, name);
	return declaration.is_real && (!declaration.is_address || is_content);
}

/* Whether the operand is a factor, a divisor, an exponent, a real number, or one more
   than the parameter; all of it, without a minus ahead of it. */
static bool is_of_arithmetic(
	const struct statement *self, const struct operand *operand, size_t innermost)
{
	size_t at = operand->first - 1;
	char before = char_at(self, at), behind = char_at(self, operand->last + 1);
	bool is_assigned = before == '=' && at > 0;
	char assigned_by = char_at(self, at - 1);

	/* a factor or a divisor */
	if ((strchr("*/", before) && ends_operand(self, at - 1)) ||
		(is_assigned && strchr("*/", assigned_by)))
		return strchr("),;+-*/", behind);
	if (behind == '*' && char_at(self, operand->last + 2) != '=')
		return strchr("(,=", before) ||
		       (strchr("+-", before) && ends_operand(self, at - 1));
	/* an exponent */
	if (before == ',' && behind == ')' && innermost > 0)
		return at_lexeme_is(word_at(self, innermost - 1), "pow") ||
		       at_lexeme_is(word_at(self, innermost - 1), "powf") ||
		       operand->is_real || operand->is_sum;
	return (operand->is_real || operand->is_sum) && strchr("(,=+", before) &&
	       strchr(operand->is_real ? "),;+/" : "),;+", behind);
}

/* Whether the index-th word of a statement, which is the parameter, is used as a number
   of things is; or it is only written, or named. */
static bool is_counted_by(
	const struct statement *self, size_t index, const char *parameters)
{
	/* what they make of a real number is one */
	static const char *const functions[] = { "float", "double", "sqrt", "sqrtf",
		"rsqrt", "rsqrtf", "exp", "expf", "expm1f", "exp2f", "log", "logf",
		"log1pf", "log2f", "pow", "powf", "fabs", "fabsf", "tanh", "tanhf",
		"sin", "sinf", "cos", "cosf", "fma", "fmaf", "fmin", "fminf", "fmax",
		"fmaxf" };
	struct operand operand = { .first = index, .last = index };
	size_t open[DEEPEST], count;

	if (index == 0)
		return char_at(self, 1) == '=' && char_at(self, 2) != '=';
	if (index == 3 && self->count == 4 && at_lexeme_is(self->words[1], "void"))
		return true;
	widen(self, &operand);
	if (!find_brackets(self, operand.first, open, &count))
		return false;
	if (self->is_header)
		return count == 1 && is_of_loop(self, &operand);
	for (size_t i = 0; i < count; i++) {
		struct at_lexeme ahead = word_at(self, open[i] - 1);

		if (char_at(self, open[i]) != '(')
			return false;
		if (ends_operand(self, open[i] - 1) && !IS_ONE_OF(ahead, functions))
			return false;
	}
	return is_of_arithmetic(self, &operand, count ? open[count - 1] : 0) &&
	       yields_reals(self, index, parameters);
}

/* Whether a kernel uses a parameter as a number of things and as nothing else. at: its
   body, behind the "{"; parameters: behind their "(". */
static bool only_counts(const char *text, const char *parameters, const char *at,
	struct at_lexeme parameter)
{
	struct statement statement;
	int depth = 1;

	if (is_in_directive(text, parameter) ||
		find_declaration(parameters, at, parameter).is_flag)
		return false;
	while (depth > 0) {
		const char *begin = at;
		bool is_over = !next_statement(&at, &depth, &statement);
		struct at_lexeme word;

		if (statement.count > LONGEST)
			while (begin < at && scan_plain(&begin, &word))
				if (is_same(word, parameter))
					return false;
		for (size_t i = 0; i < statement.count && i < LONGEST; i++)
			if (is_same(statement.words[i], parameter) &&
				!is_counted_by(&statement, i, parameters))
				return false;
		if (is_over)
			break;
	}
	return true;
}

bool at_source_find_body(const char *text, const char *kernel, size_t index,
	struct at_lexeme *parameter, const char **parameters, const char **body)
{
	const char *at = text, *head, *bare;
	struct at_lexeme name, lexeme;
	size_t length;

	if (!at)
		return false;
	bare = at_kernel_bare_name(kernel, &length);
	while (at_source_next_kernel(&at, &name, &head)) {
		if (name.length != length || memcmp(name.text, bare, length) != 0)
			continue;
		*parameters = at;
		/* a declaration has no body */
		if (!at_source_find_parameter(&at, index, parameter) ||
			!at_scan(&at, &lexeme) || lexeme.text[0] != '{')
			continue;
		*body = at;
		return true;
	}
	return false;
}

unsigned at_template_uses(
	const struct at_template *self, const char *kernel, size_t index)
{
	struct at_lexeme parameter, lexeme, ahead[AHEAD] = { 0 };
	const char *at, *parameters;
	unsigned uses;

	if (!at_source_find_body(
		    self->text, kernel, index, &parameter, &parameters, &at))
		return 0;
	uses = only_counts(self->text, parameters, at, parameter) ? 0
								  : AT_USE_LOOKED_AT;
	for (int depth = 1; depth > 0 && at_scan(&at, &lexeme);) {
		depth += lexeme.text[0] == '{' ? 1 : lexeme.text[0] == '}' ? -1 : 0;
		if (is_same(lexeme, parameter) && !is_discarded(ahead, at)) {
			uses |= AT_USE_ANY;
			uses |= is_added_to(ahead, at) ? 0 : AT_USE_NO_SUM;
		}
		memmove(ahead, ahead + 1, NEXT_TO * sizeof(*ahead));
		ahead[NEXT_TO] = lexeme;
	}
	return uses & AT_USE_ANY ? uses : 0;
}
