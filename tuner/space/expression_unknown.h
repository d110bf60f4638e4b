/*
 * Error messages for unknown names and functions in an expression: what may have been
 * meant, or which ones there are. Private to expression_*.c. Threads: as the compiler.
 */
#ifndef AT_SPACE_EXPRESSION_UNKNOWN_H
#define AT_SPACE_EXPRESSION_UNKNOWN_H

#include "space/expression_emit.h"

/* Reports a function that does not exist; known: the names of those that do. Returns
   AT_EINVAL. */
enum at_status at_expression_fail_function(struct at_compiler *self,
	const struct at_token *name, const char *const *known, size_t known_count);
/* The same for a name that is no function. */
enum at_status at_expression_fail_name(
	struct at_compiler *self, const struct at_token *name);

#endif
