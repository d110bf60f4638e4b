/* What C accepts and nobody means: see expression_meant.h. */
#include "space/expression_meant.h"

#include <string.h>

/* In languages whose / gives reals, ceil(a / b) is right; here / has cut off the
   remainder already. */
enum at_status at_meant_call(const struct at_compiler *self,
	const struct at_token *name, enum at_opcode code,
	const struct at_compiled *argument)
{
	const char *from = argument->from;

	if (code != AT_CODE_CEIL || argument->type != AT_TYPE_INTEGER ||
		!memchr(from, '/', (size_t)(argument->to - from)))
		return AT_OK;
	return at_lexer_fail(&self->lexer, AT_EINVAL, name->start,
		"ceil() comes too late, / of integers has cut off: write ceil_div(a, b)");
}

bool at_binary_compares(const struct at_binary *binary)
{
	return binary->precedence == 6 || binary->precedence == 7;
}

/* Whether ^ is hardly meant as C means it: "N ^ 2" is a square to most, and bits of two
   numbers are not combined by hand, as in "10 ^ 6". "N ^ (2)" is C's. */
static bool is_power(const struct at_compiled *a, const struct at_compiled *b)
{
	static const char digits[] = "0123456789";
	size_t length = (size_t)(b->to - b->from);

	if (strspn(b->from, digits) < length)
		return false;
	return (length == 1 && (*b->from == '2' || *b->from == '3')) ||
	       strspn(a->from, digits) >= (size_t)(a->to - a->from);
}

/* Whether a is the compute capability and b a version as CUDA's documents write
   it: 8.0, or 9. */
static bool is_version(const struct at_compiled *a, const struct at_compiled *b)
{
	static const char property[] = "device.compute_capability";
	size_t length = (size_t)(b->to - b->from);

	if ((size_t)(a->to - a->from) != strlen(property) ||
		strncmp(a->from, property, strlen(property)) != 0 ||
		strspn(b->from, "0123456789.") < length)
		return false;
	return (length == 1 && *b->from != '0') || memchr(b->from, '.', length);
}

/* "1 <= N <= 4" compares 0 or 1 with 4, and "N & 3 == 0" compares before it applies
   &. */
enum at_status at_meant_binary(const struct at_compiler *self, const char *place,
	const struct at_binary *binary, const struct at_compiled *a,
	const struct at_compiled *b)
{
	const struct at_binary *first =
		a->compared_by ? a->compared_by : b->compared_by;
	bool compares = at_binary_compares(binary);

	if (compares && a->compared_by &&
		a->compared_by->precedence == binary->precedence)
		return at_lexer_fail(&self->lexer, AT_EINVAL, place,
			"this compares whether \"%.*s\" with what follows: write a %s b && b %s c",
			(int)(a->to - a->from), a->from, a->compared_by->text,
			binary->text);
	if (compares && (is_version(a, b) || is_version(b, a)))
		return at_lexer_fail(&self->lexer, AT_EINVAL, place,
			"device.compute_capability is 10 * major + minor: write 80 for 8.0");
	if (binary->code == AT_CODE_BIT_XOR && is_power(a, b))
		return at_lexer_fail(&self->lexer, AT_EINVAL, place,
			"^ is the exclusive or of C: a power is written pow(%.*s, %.*s)",
			(int)(a->to - a->from), a->from, (int)(b->to - b->from),
			b->from);
	if (binary->precedence < 3 || binary->precedence > 5 || !first ||
		(a->type == AT_TYPE_BOOLEAN && b->type == AT_TYPE_BOOLEAN))
		return AT_OK;
	return at_lexer_fail(&self->lexer, AT_EINVAL, place,
		"%s comes before %s: write (a %s b) %s c", first->text, binary->text,
		binary->text, first->text);
}
