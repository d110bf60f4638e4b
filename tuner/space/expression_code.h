/*
 * The parts of a compiled expression. Shared by the compiler, the evaluator, the
 * residual and the writer of C; private to expression_*.c.
 *
 * The code is postfix. An operand pushes a value; an operator pops its operands and
 * pushes its result. Operators with lazy evaluation are jumps, always forward:
 *
 *   a && b     a, AND end, b, TRUTH, end:
 *   a || b     a, OR end, b, TRUTH, end:
 *   a ? b : c  a, BRANCH other, b, JUMP end, other: c, end:
 *
 * AND and OR either leave false or true on the stack and jump, or drop their operand
 * and continue. TRUTH converts b to a boolean; it is omitted if b already is a boolean.
 */
#ifndef AT_SPACE_EXPRESSION_CODE_H
#define AT_SPACE_EXPRESSION_CODE_H

#include "space/expression.h"

/* Nested parentheses, arguments, unary operators and ?:. */
#define AT_EXPRESSION_NESTING_MAX 200

/* Limits expansion, since definitions may double at each level. Real expressions have
   tens of steps. */
#define AT_EXPRESSION_CODE_MAX 100000

/* A level of nesting leaves at most one left operand for each of | ^ & == < << + * and
   one argument on the stack, so 200 levels never reach this. */
#define AT_EXPRESSION_STACK 2048

enum at_operand_class {
	AT_OPERAND_ANY = 0, /* numbers, or a word with a word */
	AT_OPERAND_NUMBER,
	AT_OPERAND_INTEGER, /* integers and booleans */
};

/* symbol, suffix of the function on integers (integer_...), operand class, text */
#define AT_BINARY_OPERATORS(X) \
	X(MULTIPLY, multiply, NUMBER, "*") \
	X(DIVIDE, divide, NUMBER, "/") \
	X(REMAINDER, remainder, INTEGER, "%") \
	X(ADD, add, NUMBER, "+") \
	X(SUBTRACT, subtract, NUMBER, "-") \
	X(SHIFT_LEFT, shift_left, INTEGER, "<<") \
	X(SHIFT_RIGHT, shift_right, INTEGER, ">>") \
	X(LESS, less, NUMBER, "<") \
	X(LESS_EQUAL, less_equal, NUMBER, "<=") \
	X(GREATER, greater, NUMBER, ">") \
	X(GREATER_EQUAL, greater_equal, NUMBER, ">=") \
	X(EQUAL, equal, ANY, "==") \
	X(NOT_EQUAL, not_equal, ANY, "!=") \
	X(BIT_AND, bit_and, INTEGER, "&") \
	X(BIT_XOR, bit_xor, INTEGER, "^") \
	X(BIT_OR, bit_or, INTEGER, "|") \
	X(MIN, min, NUMBER, "min") \
	X(MAX, max, NUMBER, "max") \
	X(CEIL_DIV, ceil_div, NUMBER, "ceil_div") \
	X(ROUND_UP, round_up, NUMBER, "round_up") \
	X(ROUND_DOWN, round_down, NUMBER, "round_down") \
	X(GCD, gcd, INTEGER, "gcd") \
	X(LCM, lcm, INTEGER, "lcm")

/* POW is not in these lists: of two integers it may yield a real. */
#define AT_UNARY_OPERATORS(X) \
	X(NEGATE, negate, NUMBER, "-") \
	X(PLUS, plus, NUMBER, "+") \
	X(COMPLEMENT, complement, INTEGER, "~") \
	X(NOT, not, NUMBER, "!") \
	X(TRUTH, truth, NUMBER, "&& or ||") \
	X(ABS, abs, NUMBER, "abs") \
	X(IS_POW2, is_pow2, INTEGER, "is_pow2") \
	X(LOG2, log2, NUMBER, "log2") \
	X(FLOOR, floor, NUMBER, "floor") \
	X(CEIL, ceil, NUMBER, "ceil") \
	X(INT, int, NUMBER, "int")

enum at_opcode {
	AT_CODE_CONSTANT = 0, /* operand: index into constants */
	AT_CODE_SLOT, /* operand: the slot's number */
	AT_CODE_AND, /* operand: the index to jump to, as for the next three */
	AT_CODE_OR,
	AT_CODE_BRANCH,
	AT_CODE_JUMP,
#define AT_CODE_ENUM(symbol, function, operands, text) AT_CODE_##symbol,
	AT_UNARY_OPERATORS(AT_CODE_ENUM) AT_BINARY_OPERATORS(AT_CODE_ENUM)
#undef AT_CODE_ENUM
		AT_CODE_SQRT,
	AT_CODE_REAL,
	AT_CODE_PROMOTE, /* C's implicit conversion to real: c ? 1 : 2.5 */
	AT_CODE_POW,
	AT_CODE_COUNT
};

/* One step of the code; see enum at_opcode for operand. */
struct at_instruction {
	enum at_opcode code;
	int operand;
};

/* The same code for expressions of integers alone. It is much shorter, since a binary
   operator contains its right operand if this is a slot or a constant. */
struct at_fused_instruction {
	int code; /* an opcode, or AT_FUSED_SLOT() or AT_FUSED_CONSTANT() of one */
	int operand; /* as in struct at_instruction */
	int64_t constant; /* of AT_CODE_CONSTANT and AT_FUSED_CONSTANT() */
};

#define AT_FUSED_SLOT(code) ((code) + AT_CODE_COUNT)
#define AT_FUSED_CONSTANT(code) ((code) + 2 * AT_CODE_COUNT)

/* A compiled expression; it owns everything that it points to. */
struct at_expression {
	char *text; /* as written */
	char *full_text; /* with definitions expanded; NULL: text */
	int line; /* in the space file */
	enum at_type type; /* NONE: known only at evaluation */
	int nesting; /* the maximum */
	char *words; /* a copy of the text with a zero byte after every word */
	struct at_instruction *code;
	size_t code_count;
	struct at_value *constants;
	size_t constant_count;
	int *slots; /* ascending, each once */
	size_t slot_count;
	/* Integer operands give integer results throughout: the fused code suffices. */
	bool integers_only;
	struct at_fused_instruction *fused; /* NULL unless integers_only */
	size_t fused_count;
};

/* Applies an operator to values; unary operators ignore b, and out may be a or b. */
enum at_evaluated at_operator_apply(enum at_opcode code, const struct at_value *a,
	const struct at_value *b, struct at_value *out);

/* Makes the fused code from code; only if integers_only. */
void at_expression_fuse(struct at_expression *self);

/* Properties of an operator, not of jumps and operands: whether it is binary, its text,
   its operands. */
bool at_opcode_is_binary(enum at_opcode code);
const char *at_opcode_text(enum at_opcode code);
enum at_operand_class at_opcode_operands(enum at_opcode code);
static inline bool at_opcode_compares(enum at_opcode code)
{
	return code >= AT_CODE_LESS && code <= AT_CODE_NOT_EQUAL;
}
/* The type of the result if the operands' types determine it, else NONE. */
enum at_type at_opcode_type(enum at_opcode code, enum at_type a, enum at_type b);

#endif
