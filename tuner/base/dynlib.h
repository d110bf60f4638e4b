/*
 * Libraries that are found at run time, so that one executable starts on
 * machines with and without them and says clearly what is missing.
 *
 * Describe the functions in a struct of typed pointers and one table of
 * {symbol with its exact ABI version, offset in that struct, required}.
 * Threads: open and close from one thread.
 */
#ifndef AT_BASE_DYNLIB_H
#define AT_BASE_DYNLIB_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct at_dynlib_symbol {
	const char *name;
	size_t offset; /* of a function pointer in the struct given to open */
	bool required;
};

struct at_dynlib {
	void *handle;
	char path[512]; /* the candidate that was opened */
};

/*
 * Tries candidates[0..count) in order (bare names go through the loader's own
 * search). On success fills every symbol of table[0..symbol_count) into
 * `functions`; a missing optional one is NULL. AT_EUNAVAILABLE when no candidate
 * opens (the text is `what`, then every place tried) or when a required symbol
 * is missing (the text names it).
 */
enum at_status at_dynlib_open(struct at_dynlib *self, const char *what,
	const char *const *candidates, size_t count,
	const struct at_dynlib_symbol *table, size_t symbol_count, void *functions,
	struct at_error *err);
void at_dynlib_close(struct at_dynlib *self);

#endif
