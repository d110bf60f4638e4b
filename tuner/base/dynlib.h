/*
 * Libraries loaded at run time, so that one executable starts on machines with and
 * without them and says clearly what is missing.
 *
 * The caller describes the functions by a struct of typed pointers and a table with one
 * entry for each: the symbol with its exact ABI version, its offset in the struct, and
 * whether it is required. Threads: open and close on one thread.
 */
#ifndef AT_BASE_DYNLIB_H
#define AT_BASE_DYNLIB_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct at_dynlib_symbol {
	const char *name;
	size_t offset; /* of its pointer, in the struct passed to open */
	bool required;
};

struct at_dynlib {
	void *handle;
	char path[512]; /* the candidate that loaded */
};

/*
 * Opens the first loadable library of candidates[0..count); bare names go through the
 * loader's search. Sets the pointer of every symbol of table[0..symbol_count) in
 * `functions`; missing optional ones are NULL. AT_EUNAVAILABLE: no candidate loads (the
 * text is `what`, then every attempt), or a required symbol is missing (the text names
 * it).
 */
enum at_status at_dynlib_open(struct at_dynlib *self, const char *what,
	const char *const *candidates, size_t count,
	const struct at_dynlib_symbol *table, size_t symbol_count, void *functions,
	struct at_error *err);
void at_dynlib_close(struct at_dynlib *self);

#endif
