/*
 * The half of the compiler that writes code: it checks the operators' types and folds
 * constants. The other half, expression_parse.c, reads the text. Private to
 * expression_*.c.
 */
#ifndef AT_SPACE_EXPRESSION_EMIT_H
#define AT_SPACE_EXPRESSION_EMIT_H

#include "space/expression_code.h"
#include "space/expression_lex.h"

/* The state of compiling one expression. */
struct at_compiler {
	struct at_lexer lexer;
	const struct at_names *names;
	struct at_expression *out;
	size_t code_capacity;
	size_t constant_capacity;
	size_t stack_count; /* values on the stack when the code so far has run */
	int nesting;
	struct at_error *err;
};

/* An operator between two operands. */
struct at_binary {
	const char *text;
	int precedence; /* as in C; a higher one is applied first */
	enum at_opcode code;
};

/* A piece of the expression whose code was emitted. */
struct at_compiled {
	size_t start; /* where its code begins */
	enum at_type type; /* NONE: known only when it is evaluated */
	const char *from; /* its text, from..to */
	const char *to;
	/* The comparison operator, where the piece is a comparison without parentheses
	   around it; else NULL. */
	const struct at_binary *compared_by;
};

/* Appends an instruction. operand: see enum at_opcode; 0 for operators. */
void at_emit(struct at_compiler *self, enum at_opcode code, int operand);
/* Appends an instruction that pushes the value. */
void at_emit_constant(struct at_compiler *self, struct at_value value);

/* Makes the jump that was emitted at code index `from` go to the next instruction. */
void at_emit_landing(struct at_compiler *self, size_t from);

/*
 * Emits the operator that stands at `place` in the text, for a and b, which must be the
 * pieces emitted last; b is NULL for unary operators. *out gets the result and may be
 * a.
 */
enum at_status at_emit_operator(struct at_compiler *self, const char *place,
	enum at_opcode code, const struct at_compiled *a, const struct at_compiled *b,
	struct at_compiled *out);

/* AT_EINVAL when the operand's type is known and the operator does not take it. */
enum at_status at_check_operand(const struct at_compiler *self, const char *place,
	enum at_opcode code, const struct at_compiled *operand);

#endif
