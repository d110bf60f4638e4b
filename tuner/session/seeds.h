/*
 * Configurations of the user to try first, from a file (--seeds). A text line has one,
 * "TILE_M=4 VECTOR=2", as the program prints them; parameters that are not named have
 * their defaults. "#" begins a comment. A JSON file has one object a line, or one
 * value: every object under a key "configuration" is one, or an object of parameters
 * itself.
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

/* AT_EINVAL: a line is not a configuration of the spec (its number is given), or the
   file has none. */
enum at_status at_seeds_check(const struct at_spec *spec, const char *text,
	const char *path, struct at_error *err);
/* Finds the configurations that the space has, each once, in the file's order;
 *left_out counts the others. *indices is the caller's. */
void at_seeds_find(const struct at_spec *spec, const struct at_search_space *space,
	const char *text, uint64_t **indices, size_t *count, size_t *left_out);

#endif
