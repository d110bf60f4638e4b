/*
 * Refuses what C accepts with another meaning: "1 <= N <= 4", "N ^ 2", "ceil(N / 4)".
 * expression_parse.c asks at each place where such a thing may stand; each answer is
 * AT_OK, or the failure with its message. Private to expression_*.c. Threads: as the
 * compiler.
 */
#ifndef AT_SPACE_EXPRESSION_MEANT_H
#define AT_SPACE_EXPRESSION_MEANT_H

#include "space/expression_emit.h"

bool at_binary_compares(const struct at_binary *binary);

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
