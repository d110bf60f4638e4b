/*
 * Refuses what C accepts, or nearly accepts, and nobody means: "1 <= N <= 4", "N ^ 2",
 * "++N", "ceil(N / 4)". expression_parse.c asks at each place where such a thing may
 * stand; each answer is AT_OK, or the failure with its message. Private to
 * expression_*.c. Threads: as the compiler.
 */
#ifndef AT_SPACE_EXPRESSION_MEANT_H
#define AT_SPACE_EXPRESSION_MEANT_H

#include "space/expression_emit.h"

bool at_binary_compares(const struct at_binary *binary);

/* Fails, as the token is none of a value: "expected a value", or what the "++" or "--"
   before it is written as. */
enum at_status at_meant_value(const struct at_compiler *self);
/* Of the sign at `place`, which is the token, in front of an operand. */
enum at_status at_meant_sign(const struct at_compiler *self, const char *place);
/* Of the token behind an expression in parentheses. */
enum at_status at_meant_parentheses(const struct at_compiler *self);
/* Of a function's only or combined argument. */
enum at_status at_meant_call(const struct at_compiler *self,
	const struct at_token *name, enum at_opcode code,
	const struct at_compiled *argument);
/* Of the operator at `place` between a and b. With parentheses around a or b all is
   allowed. */
enum at_status at_meant_binary(const struct at_compiler *self, const char *place,
	const struct at_binary *binary, const struct at_compiled *a,
	const struct at_compiled *b);

#endif
