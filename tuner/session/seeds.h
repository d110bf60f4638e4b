/*
 * Configurations that a user has a search try first, from a file (--seeds). A line of
 * text has one, "TILE_M=4 VECTOR=2", as the program prints them: a parameter that is
 * not named has its default. "#" begins a comment. Or the file has JSON, one object a
 * line or all of it one value: every object under a key "configuration" is one, or an
 * object of parameters itself.
 *
 *   at_seeds_check(spec, text, path, &err);     (before anything starts)
 *   at_seeds_find(spec, space, text, &indices, &count, &left_out);
 *   free(indices);
 *
 * Threads: pure functions.
 */
#ifndef AT_SESSION_SEEDS_H
#define AT_SESSION_SEEDS_H

#include "base/error.h"
#include "space/search_space.h"
#include "space/spec.h"

/* AT_EINVAL with the line of what is no configuration of the spec, or if the file has
   none. */
enum at_status at_seeds_check(const struct at_spec *spec, const char *text,
	const char *path, struct at_error *err);
/* Finds those that the space has, each once, in their order; *left_out counts the
   others. *indices is the caller's. */
void at_seeds_find(const struct at_spec *spec, const struct at_search_space *space,
	const char *text, uint64_t **indices, size_t *count, size_t *left_out);

#endif
