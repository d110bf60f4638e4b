/*
 * The half of the compiler that writes code: operators with their types checked
 * and constants folded. The other half reads the text. Private to expression_*.c.
 */
#ifndef AT_SPACE_EXPRESSION_EMIT_H
#define AT_SPACE_EXPRESSION_EMIT_H

#include "space/expression_code.h"
#include "space/expression_lex.h"

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

struct binary; /* an operator, as expression_parse.c knows it */

/* A piece of the expression that was compiled. */
struct at_compiled {
	size_t start; /* where its code begins */
	enum at_type type; /* NONE: only evaluation will tell */
	const char *from; /* its text */
	const char *to;
	/* the comparison that it is, where no parentheses are around it; else NULL */
	const struct binary *compared_by;
};

/* operand: what the opcode says; 0 for operators. */
enum at_status at_emit(struct at_compiler *self, enum at_opcode code, int operand);
enum at_status at_emit_constant(struct at_compiler *self, struct at_value value);

/* The jump emitted at code index `from` goes to what is emitted next. */
void at_emit_landing(struct at_compiler *self, size_t from);

/*
 * The operator at `place` of the text on a and b, which were compiled last; b is
 * NULL for unary operators. out may be a.
 */
enum at_status at_emit_operator(struct at_compiler *self, const char *place,
	enum at_opcode code, const struct at_compiled *a, const struct at_compiled *b,
	struct at_compiled *out);

/* AT_EINVAL when the operator is known not to take this operand. */
enum at_status at_check_operand(const struct at_compiler *self, const char *place,
	enum at_opcode code, const struct at_compiled *operand);

#endif
