/* Evaluates compiled expressions: on values of any type, and faster on integers
   alone. */
#include "space/checked.h"
#include "space/expression_code.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- the operators on one or two integers. They are inline because enumeration runs
   them by the million. Each stores the result in *out and returns AT_EVALUATION_OK, or
   returns the failure. --------------------------------------------------- */

static inline enum at_evaluated unless_overflow(bool fits)
{
	return fits ? AT_EVALUATION_OK : AT_EVALUATION_OVERFLOW;
}

static inline enum at_evaluated integer_multiply(int64_t a, int64_t b, int64_t *out)
{
	return unless_overflow(at_checked_multiply(a, b, out));
}

static inline enum at_evaluated integer_divide(int64_t a, int64_t b, int64_t *out)
{
	if (b == 0)
		return AT_EVALUATION_DIVISION_BY_ZERO;
	if (b == -1)
		return unless_overflow(at_checked_subtract(0, a, out));
	*out = a / b;
	return AT_EVALUATION_OK;
}

static inline enum at_evaluated integer_remainder(int64_t a, int64_t b, int64_t *out)
{
	if (b == 0)
		return AT_EVALUATION_DIVISION_BY_ZERO;
	/* INT64_MIN % -1 traps on some machines */
	*out = b == -1 ? 0 : a % b;
	return AT_EVALUATION_OK;
}

static inline enum at_evaluated integer_add(int64_t a, int64_t b, int64_t *out)
{
	return unless_overflow(at_checked_add(a, b, out));
}

static inline enum at_evaluated integer_subtract(int64_t a, int64_t b, int64_t *out)
{
	return unless_overflow(at_checked_subtract(a, b, out));
}

/* a times 2 to the power of b; also for a negative a, where C leaves it undefined */
static inline enum at_evaluated integer_shift_left(int64_t a, int64_t b, int64_t *out)
{
	if (b < 0 || b > 63)
		return AT_EVALUATION_OVERFLOW;
	if (b == 63) {
		*out = a ? INT64_MIN : 0;
		return unless_overflow(a == 0 || a == -1);
	}
	return unless_overflow(at_checked_multiply(a, (int64_t)1 << b, out));
}

/* keeps the sign, as every compiler does, although C does not require it */
static inline enum at_evaluated integer_shift_right(int64_t a, int64_t b, int64_t *out)
{
	if (b < 0 || b > 63)
		return AT_EVALUATION_OVERFLOW;
	*out = a < 0 ? ~(~a >> b) : a >> b;
	return AT_EVALUATION_OK;
}

#define AT_INTEGER_PLAIN(name, expression) \
	static inline enum at_evaluated integer_##name( \
		int64_t a, int64_t b, int64_t *out) \
	{ \
		*out = (expression); \
		return AT_EVALUATION_OK; \
	}

AT_INTEGER_PLAIN(less, a < b)
AT_INTEGER_PLAIN(less_equal, a <= b)
AT_INTEGER_PLAIN(greater, a > b)
AT_INTEGER_PLAIN(greater_equal, a >= b)
AT_INTEGER_PLAIN(equal, a == b)
AT_INTEGER_PLAIN(not_equal, a != b)
AT_INTEGER_PLAIN(bit_and, a &b)
AT_INTEGER_PLAIN(bit_xor, a ^ b)
AT_INTEGER_PLAIN(bit_or, a | b)
AT_INTEGER_PLAIN(min, a < b ? a : b)
AT_INTEGER_PLAIN(max, a > b ? a : b)
#undef AT_INTEGER_PLAIN

/* rounds towards plus infinity for all signs */
static inline enum at_evaluated integer_ceil_div(int64_t a, int64_t b, int64_t *out)
{
	enum at_evaluated evaluation = integer_divide(a, b, out);

	if (evaluation)
		return evaluation;
	*out += b != -1 && a % b != 0 && (a < 0) == (b < 0);
	return AT_EVALUATION_OK;
}

/* The distance of a from the largest multiple <= a; 0 <= *out < |multiple|. */
static inline enum at_evaluated integer_excess(
	int64_t a, int64_t multiple, int64_t *out)
{
	enum at_evaluated evaluation = integer_remainder(a, multiple, out);

	if (evaluation)
		return evaluation;
	if (*out < 0)
		*out += multiple < 0 ? -multiple : multiple;
	return AT_EVALUATION_OK;
}

static inline enum at_evaluated integer_round_down(int64_t a, int64_t b, int64_t *out)
{
	int64_t excess;
	enum at_evaluated evaluation;

	/* |INT64_MIN| does not fit; its only multiples are INT64_MIN and 0 */
	if (b == INT64_MIN) {
		*out = a < 0 ? INT64_MIN : 0;
		return AT_EVALUATION_OK;
	}
	evaluation = integer_excess(a, b, &excess);
	return evaluation ? evaluation : integer_subtract(a, excess, out);
}

static inline enum at_evaluated integer_round_up(int64_t a, int64_t b, int64_t *out)
{
	int64_t excess;
	enum at_evaluated evaluation;

	if (b == INT64_MIN) {
		*out = a == INT64_MIN ? a : 0;
		return unless_overflow(a <= 0);
	}
	evaluation = integer_excess(a, b, &excess);
	if (evaluation)
		return evaluation;
	if (excess == 0) {
		*out = a;
		return AT_EVALUATION_OK;
	}
	return integer_add(a, (b < 0 ? -b : b) - excess, out);
}

static inline uint64_t magnitude(int64_t a)
{
	return a < 0 ? 0 - (uint64_t)a : (uint64_t)a;
}

static inline enum at_evaluated integer_gcd(int64_t a, int64_t b, int64_t *out)
{
	uint64_t x = magnitude(a), y = magnitude(b);

	while (y) {
		uint64_t rest = x % y;

		x = y;
		y = rest;
	}
	*out = (int64_t)(x & INT64_MAX);
	return unless_overflow(x <= INT64_MAX);
}

static inline enum at_evaluated integer_lcm(int64_t a, int64_t b, int64_t *out)
{
	int64_t divisor, product;

	if (a == 0 || b == 0) {
		*out = 0;
		return AT_EVALUATION_OK;
	}
	if (integer_gcd(a, b, &divisor) ||
		!at_checked_multiply(a / divisor, b, &product) || product == INT64_MIN)
		return AT_EVALUATION_OVERFLOW;
	*out = product < 0 ? -product : product;
	return AT_EVALUATION_OK;
}

static inline enum at_evaluated integer_negate(int64_t a, int64_t *out)
{
	return integer_subtract(0, a, out);
}

static inline enum at_evaluated integer_abs(int64_t a, int64_t *out)
{
	return a < 0 ? integer_negate(a, out) : integer_add(a, 0, out);
}

/* floor(log2(a)) */
static inline enum at_evaluated integer_log2(int64_t a, int64_t *out)
{
	if (a <= 0)
		return AT_EVALUATION_DOMAIN;
	for (*out = -1; a > 0; a >>= 1)
		++*out;
	return AT_EVALUATION_OK;
}

#define AT_INTEGER_PLAIN(name, expression) \
	static inline enum at_evaluated integer_##name(int64_t a, int64_t *out) \
	{ \
		*out = (expression); \
		return AT_EVALUATION_OK; \
	}

AT_INTEGER_PLAIN(plus, a)
AT_INTEGER_PLAIN(complement, ~a)
AT_INTEGER_PLAIN(not, a == 0)
AT_INTEGER_PLAIN(truth, a != 0)
AT_INTEGER_PLAIN(is_pow2, a > 0 && (a & (a - 1)) == 0)
AT_INTEGER_PLAIN(floor, a)
AT_INTEGER_PLAIN(ceil, a)
AT_INTEGER_PLAIN(int, a)
#undef AT_INTEGER_PLAIN

/* ---- values of any type ---------------------------------------------------------- */

/* The compiler ensures that code never pops more than it pushed. The analyzer does not
   see that. */
// NOLINTBEGIN(clang-analyzer-core.NullDereference,clang-analyzer-core.UndefinedBinaryOperatorResult,clang-analyzer-core.uninitialized.Assign,clang-analyzer-core.CallAndMessage)

const char *at_evaluation_text(enum at_evaluated evaluation)
{
	switch (evaluation) {
	case AT_EVALUATION_OK:
		break;
	case AT_EVALUATION_DIVISION_BY_ZERO:
		return "divides by zero";
	case AT_EVALUATION_OVERFLOW:
		return "leaves the range of 64 bits";
	case AT_EVALUATION_DOMAIN:
		return "calls a function outside its domain";
	case AT_EVALUATION_TYPE:
		return "mixes words, reals and integers where they do not go together";
	case AT_EVALUATION_UNBOUND:
		return "uses a name that has no value";
	}
	return "is fine";
}

static bool is_integer(const struct at_value *value)
{
	return value->type == AT_TYPE_INTEGER || value->type == AT_TYPE_BOOLEAN;
}

static bool is_number(const struct at_value *value)
{
	return is_integer(value) || value->type == AT_TYPE_REAL;
}

static double to_real(const struct at_value *value)
{
	return value->type == AT_TYPE_REAL ? value->real : (double)value->integer;
}

/* Reals stay finite: a result out of range is an overflow, as for integers. So no
   infinity or NaN reaches a comparison unnoticed. */
static enum at_evaluated finish_real(double value, struct at_value *out)
{
	out->type = AT_TYPE_REAL;
	out->real = value;
	return isfinite(value) ? AT_EVALUATION_OK : AT_EVALUATION_OVERFLOW;
}

enum order {
	ORDER_LESS,
	ORDER_EQUAL,
	ORDER_GREATER,
	ORDER_NONE, /* a NaN, possible only in a caller's slot */
};

static enum order compare_reals(double a, double b)
{
	if (isnan(a) || isnan(b))
		return ORDER_NONE;
	return a < b ? ORDER_LESS : a > b ? ORDER_GREATER : ORDER_EQUAL;
}

/*
 * Compares without rounding the integer: 2^53 + 1 is not equal to 9007199254740992.0. A
 * real outside the range of integers decides by itself; inside, its integral part
 * converts exactly.
 */
static enum order compare_integer_with_real(int64_t a, double b)
{
	int64_t whole;

	if (isnan(b))
		return ORDER_NONE;
	if (b >= 0x1p63)
		return ORDER_LESS;
	if (b < -0x1p63)
		return ORDER_GREATER;
	whole = (int64_t)b;
	if (a != whole)
		return a < whole ? ORDER_LESS : ORDER_GREATER;
	return compare_reals(0, b - (double)whole);
}

static enum order compare_numbers(const struct at_value *a, const struct at_value *b)
{
	static const enum order mirrored[] = { ORDER_GREATER, ORDER_EQUAL, ORDER_LESS,
		ORDER_NONE };

	if (is_integer(a))
		return compare_integer_with_real(a->integer, b->real);
	if (is_integer(b))
		return mirrored[compare_integer_with_real(b->integer, a->real)];
	return compare_reals(a->real, b->real);
}

static enum at_evaluated finish_boolean(bool value, struct at_value *out)
{
	out->type = AT_TYPE_BOOLEAN;
	out->integer = value;
	return AT_EVALUATION_OK;
}

static enum at_evaluated compare(
	enum at_opcode code, enum order order, struct at_value *out)
{
	bool holds = false;

	if (code == AT_CODE_LESS)
		holds = order == ORDER_LESS;
	else if (code == AT_CODE_LESS_EQUAL)
		holds = order == ORDER_LESS || order == ORDER_EQUAL;
	else if (code == AT_CODE_GREATER)
		holds = order == ORDER_GREATER;
	else if (code == AT_CODE_GREATER_EQUAL)
		holds = order == ORDER_GREATER || order == ORDER_EQUAL;
	else if (code == AT_CODE_EQUAL)
		holds = order == ORDER_EQUAL;
	else if (code == AT_CODE_NOT_EQUAL)
		holds = order != ORDER_EQUAL;
	return finish_boolean(holds, out);
}

/* At least one of the two is a real. */
static enum at_evaluated apply_to_reals(enum at_opcode code,
	const struct at_value *left, const struct at_value *right, struct at_value *out)
{
	double a = to_real(left), b = to_real(right);

	if (at_opcode_compares(code))
		return compare(code, compare_numbers(left, right), out);
	/* As for integers, a division by zero only removes the configuration. An
	   infinity would count as an overflow, which ends the enumeration. */
	if ((code == AT_CODE_DIVIDE || code == AT_CODE_CEIL_DIV ||
		    code == AT_CODE_ROUND_UP || code == AT_CODE_ROUND_DOWN) &&
		b == 0)
		return AT_EVALUATION_DIVISION_BY_ZERO;
	switch ((int)code) {
	case AT_CODE_MULTIPLY:
		return finish_real(a * b, out);
	case AT_CODE_DIVIDE:
		return finish_real(a / b, out);
	case AT_CODE_ADD:
		return finish_real(a + b, out);
	case AT_CODE_SUBTRACT:
		return finish_real(a - b, out);
	case AT_CODE_MIN:
		/* Compared exactly; the result is a real, as for all operators here. */
		return finish_real(
			compare_numbers(left, right) == ORDER_LESS ? a : b, out);
	case AT_CODE_MAX:
		return finish_real(
			compare_numbers(left, right) == ORDER_GREATER ? a : b, out);
	case AT_CODE_CEIL_DIV:
		return finish_real(ceil(a / b), out);
	case AT_CODE_ROUND_UP:
		return finish_real(ceil(a / fabs(b)) * fabs(b), out);
	case AT_CODE_ROUND_DOWN:
		return finish_real(floor(a / fabs(b)) * fabs(b), out);
	}
	return AT_EVALUATION_TYPE;
}

/* Integers are raised exactly, by squaring, if the exponent is not negative. With a
   negative exponent the result is a real, even for a base of 1. */
static enum at_evaluated power(
	const struct at_value *a, const struct at_value *b, struct at_value *out)
{
	double result;

	if (is_integer(a) && is_integer(b) && b->integer >= 0) {
		int64_t base = a->integer, product = 1;

		for (int64_t left = b->integer; left > 0; left >>= 1) {
			if ((left & 1) && !at_checked_multiply(product, base, &product))
				return AT_EVALUATION_OVERFLOW;
			/* The last square would be unused, and may overflow. */
			if (left > 1 && !at_checked_multiply(base, base, &base))
				return AT_EVALUATION_OVERFLOW;
		}
		out->type = AT_TYPE_INTEGER;
		out->integer = product;
		return AT_EVALUATION_OK;
	}
	if (to_real(a) == 0 && to_real(b) < 0)
		return AT_EVALUATION_DOMAIN;
	result = pow(to_real(a), to_real(b));
	return isnan(result) ? AT_EVALUATION_DOMAIN : finish_real(result, out);
}

static enum at_evaluated apply_to_integers(
	enum at_opcode code, int64_t a, int64_t b, struct at_value *out)
{
	int64_t result = 0;
	enum at_evaluated evaluation;

	switch ((int)code) {
#define CASE(symbol, function, operands, text) \
	case AT_CODE_##symbol: \
		evaluation = integer_##function(a, b, &result); \
		break;
		AT_BINARY_OPERATORS(CASE)
#undef CASE
#define CASE(symbol, function, operands, text) \
	case AT_CODE_##symbol: \
		evaluation = integer_##function(a, &result); \
		break;
		AT_UNARY_OPERATORS(CASE)
#undef CASE
	default: /* operands, jumps, and operators handled elsewhere */
		return AT_EVALUATION_TYPE;
	}
	out->type = at_opcode_type(code, AT_TYPE_INTEGER, AT_TYPE_INTEGER);
	out->integer = result;
	return evaluation;
}

static enum at_evaluated apply_to_real(
	enum at_opcode code, double a, struct at_value *out)
{
	switch ((int)code) {
	case AT_CODE_NEGATE:
		return finish_real(-a, out);
	case AT_CODE_PLUS:
		return finish_real(a, out);
	case AT_CODE_NOT:
		return finish_boolean(a == 0, out);
	case AT_CODE_TRUTH:
		return finish_boolean(a != 0, out);
	case AT_CODE_ABS:
		return finish_real(fabs(a), out);
	case AT_CODE_LOG2:
		return a <= 0 ? AT_EVALUATION_DOMAIN : finish_real(log2(a), out);
	case AT_CODE_FLOOR:
		return finish_real(floor(a), out);
	case AT_CODE_CEIL:
		return finish_real(ceil(a), out);
	case AT_CODE_INT:
		/* Converting other reals is undefined in C. */
		if (!(a >= -0x1p63 && a < 0x1p63))
			return AT_EVALUATION_DOMAIN;
		out->type = AT_TYPE_INTEGER;
		out->integer = (int64_t)a;
		return AT_EVALUATION_OK;
	}
	return AT_EVALUATION_TYPE;
}

static enum at_evaluated apply_unary(
	enum at_opcode code, const struct at_value *a, struct at_value *out)
{
	/* One branch of ?: may be a word while the other is a real. */
	if (code == AT_CODE_PROMOTE && !is_number(a)) {
		*out = *a;
		return AT_EVALUATION_OK;
	}
	if (!is_number(a))
		return AT_EVALUATION_TYPE;
	if (code == AT_CODE_REAL || code == AT_CODE_PROMOTE)
		return finish_real(to_real(a), out);
	if (code == AT_CODE_SQRT)
		return to_real(a) < 0 ? AT_EVALUATION_DOMAIN
				      : finish_real(sqrt(to_real(a)), out);
	if (is_integer(a))
		return apply_to_integers(code, a->integer, 0, out);
	return apply_to_real(code, a->real, out);
}

enum at_evaluated at_operator_apply(enum at_opcode code, const struct at_value *a,
	const struct at_value *b, struct at_value *out)
{
	if (!at_opcode_is_binary(code))
		return apply_unary(code, a, out);
	if (!is_number(a) || !is_number(b)) {
		/* words have no order: they are names such as "ca" */
		if (a->type != b->type ||
			(code != AT_CODE_EQUAL && code != AT_CODE_NOT_EQUAL))
			return AT_EVALUATION_TYPE;
		return compare(
			code, strcmp(a->word, b->word) ? ORDER_LESS : ORDER_EQUAL, out);
	}
	if (code == AT_CODE_POW)
		return power(a, b, out);
	if (is_integer(a) && is_integer(b))
		return apply_to_integers(code, a->integer, b->integer, out);
	return apply_to_reals(code, a, b, out);
}

static enum at_evaluated truth_of(const struct at_value *value, bool *truth)
{
	if (!is_number(value))
		return AT_EVALUATION_TYPE;
	*truth = value->type == AT_TYPE_REAL ? value->real != 0 : value->integer != 0;
	return AT_EVALUATION_OK;
}

/* Executes one of the four jumps. *top is one past the topmost value and is updated;
 *next is set if the jump is taken. */
static enum at_evaluated jump(
	const struct at_instruction *instruction, struct at_value **top, size_t *next)
{
	enum at_evaluated evaluation;
	bool truth = false;

	if (instruction->code == AT_CODE_JUMP) {
		*next = (size_t)instruction->operand;
		return AT_EVALUATION_OK;
	}
	--*top;
	evaluation = truth_of(*top, &truth);
	if (evaluation)
		return evaluation;
	if (truth == (instruction->code == AT_CODE_OR)) {
		*next = (size_t)instruction->operand;
		/* && and || leave their result on the stack; ?: has no result yet. */
		if (instruction->code != AT_CODE_BRANCH)
			return finish_boolean(truth, (*top)++);
	}
	return AT_EVALUATION_OK;
}

enum at_evaluated at_expression_evaluate(const struct at_expression *self,
	const struct at_value *slots, struct at_value *result, int *unbound_slot)
{
	struct at_value stack[AT_EXPRESSION_STACK];
	struct at_value *top = stack; /* one past the top */

	for (size_t i = 0; i < self->code_count;) {
		const struct at_instruction *instruction = &self->code[i++];
		enum at_evaluated evaluation = AT_EVALUATION_OK;
		enum at_opcode code = instruction->code;

		if (code == AT_CODE_SLOT) {
			if (slots[instruction->operand].type == AT_TYPE_NONE) {
				if (unbound_slot)
					*unbound_slot = instruction->operand;
				return AT_EVALUATION_UNBOUND;
			}
			*top++ = slots[instruction->operand];
		} else if (code == AT_CODE_CONSTANT) {
			*top++ = self->constants[instruction->operand];
		} else if (code <= AT_CODE_JUMP) {
			evaluation = jump(instruction, &top, &i);
		} else if (at_opcode_is_binary(code)) {
			top--;
			evaluation = at_operator_apply(code, top - 1, top, top - 1);
		} else {
			evaluation = at_operator_apply(code, top - 1, NULL, top - 1);
		}
		if (evaluation)
			return evaluation;
	}
	assert(top == stack + 1);
	*result = stack[0];
	return AT_EVALUATION_OK;
}

/*
 * Evaluates code whose results are integers if its slots are, as in nearly every
 * constraint. If a slot holds another type, sets *mixed, and the result is invalid. The
 * topmost value is in `top`, not on the stack; so the first push stores an unused value
 * of `top`.
 */
static enum at_evaluated test_integers(const struct at_expression *self,
	const struct at_value *slots, bool *result, bool *mixed)
{
	int64_t stack[AT_EXPRESSION_STACK + 1];
	int64_t *next = stack, top = 0;
	const struct at_fused_instruction *i = self->fused;
	const struct at_fused_instruction *end = i + self->fused_count;

	while (i < end) {
		enum at_evaluated evaluation = AT_EVALUATION_OK;
		const struct at_fused_instruction *now = i++;

		switch (now->code) {
		case AT_CODE_CONSTANT:
			*next++ = top;
			top = now->constant;
			continue;
		case AT_CODE_SLOT:
			if (!is_integer(&slots[now->operand]))
				goto is_mixed;
			*next++ = top;
			top = slots[now->operand].integer;
			continue;
		/* the four jumps, as in jump() */
		case AT_CODE_AND:
			if (!top)
				i = self->fused + now->operand;
			else
				top = *--next;
			continue;
		case AT_CODE_OR:
			if (top) {
				top = 1;
				i = self->fused + now->operand;
			} else {
				top = *--next;
			}
			continue;
		case AT_CODE_BRANCH:
			if (!top)
				i = self->fused + now->operand;
			top = *--next;
			continue;
		case AT_CODE_JUMP:
			i = self->fused + now->operand;
			continue;
#define CASE(symbol, function, operands, text) \
	case AT_CODE_##symbol: \
		evaluation = integer_##function(top, &top); \
		break;
			AT_UNARY_OPERATORS(CASE)
#undef CASE
#define CASE(symbol, function, operands, text) \
	case AT_CODE_##symbol: \
		next--; \
		evaluation = integer_##function(*next, top, &top); \
		break; \
	case AT_FUSED_SLOT(AT_CODE_##symbol): \
		if (!is_integer(&slots[now->operand])) \
			goto is_mixed; \
		evaluation = \
			integer_##function(top, slots[now->operand].integer, &top); \
		break; \
	case AT_FUSED_CONSTANT(AT_CODE_##symbol): \
		evaluation = integer_##function(top, now->constant, &top); \
		break;
			AT_BINARY_OPERATORS(CASE)
#undef CASE
		}
		if (evaluation)
			return evaluation;
	}
	*result = top != 0;
	return AT_EVALUATION_OK;
is_mixed:
	*mixed = true;
	return AT_EVALUATION_OK;
}

enum at_evaluated at_expression_test(const struct at_expression *self,
	const struct at_value *slots, bool *result, int *unbound_slot)
{
	enum at_evaluated evaluation;
	struct at_value value;
	bool mixed = false;

	/* A slot holds a real or no value: evaluate values of any type. */
	if (self->integers_only) {
		evaluation = test_integers(self, slots, result, &mixed);
		if (!mixed)
			return evaluation;
	}
	evaluation = at_expression_evaluate(self, slots, &value, unbound_slot);
	return evaluation ? evaluation : truth_of(&value, result);
}

// NOLINTEND(clang-analyzer-core.NullDereference,clang-analyzer-core.UndefinedBinaryOperatorResult,clang-analyzer-core.uninitialized.Assign,clang-analyzer-core.CallAndMessage)
