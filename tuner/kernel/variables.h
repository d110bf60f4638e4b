/*
 * The variables of an image, a cubin or a shared object, by their C++ names: namespaces
 * count, and the compiler need not export them.
 *
 *   at_image_variables_read(image, size, &variables);
 *   at_variable_find(variables.symbols, variables.count, "blur::weights");
 *   at_image_variables_release(&variables);
 *
 * It must not know where a device puts them.
 * Threads: pure functions.
 */
#ifndef AT_KERNEL_VARIABLES_H
#define AT_KERNEL_VARIABLES_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct at_image_variables {
	size_t count;
	/* for each variable: its mangled symbol, on the heap */
	char **symbols;
	uint64_t *addresses; /* as in the file */
	uint64_t *sizes_bytes;
};

/* Lists the variables; none if the image has no symbol table or is not ELF. *out comes
   zeroed, and the caller releases it. */
void at_image_variables_read(
	const unsigned char *image, size_t size, struct at_image_variables *out);
void at_image_variables_release(struct at_image_variables *self);

/* Writes a variable's C++ name, "blur::weights" for _ZN4blur7weightsE. False: it does
   not fit, or the symbol is something else. */
bool at_variable_name(const char *symbol, char *out, size_t size);

#define AT_NO_VARIABLE ((size_t)-1)
/* The index of the named variable among symbols[0..count): "blur::weights", or
   "weights" if it is in no namespace or only one namespace has it. AT_NO_VARIABLE: no
   such variable, or several. */
size_t at_variable_find(char *const *symbols, size_t count, const char *name);

#endif
