/*
 * Turns numbers of several launches of a kernel into expressions of sizes.
 *
 *   struct at_captured_sizes sizes = { .launch_count = 2 };
 *   at_captured_sizes_write(&sizes, &number, &text);   for each number;
 *                                                      scalar arguments first
 *   at_captured_sizes_add_comment(&sizes, &text);      at the end of its line
 *   at_captured_sizes_write_problems(&sizes, "cuda", &text);
 *   at_captured_sizes_release(&sizes);
 *
 * It knows only numbers. Threads: one user of one object at a time.
 */
#ifndef AT_CAPTURE_SIZES_H
#define AT_CAPTURE_SIZES_H

#include "base/memory.h"
#include "space/value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Launches in one space. */
#define AT_CAPTURED_LAUNCHES_MOST 100

struct at_captured_size {
	char *name;
	struct at_value *values; /* one for each launch */
};

struct at_captured_sizes {
	size_t launch_count;
	size_t count;
	struct at_captured_size *items;
	/* Only the first base_count sizes are multiplied; 0: all. A size that stands
	   for a single number would fit others by accident. */
	size_t base_count;
	struct at_strbuf guesses; /* the recorded values of expressions in this line */
};

/* A number of each launch. */
struct at_captured_number {
	const struct at_value *values;
	/* The name, in any letter case, of a new size if no expression fits; NULL: N0,
	   N1 and so on. */
	const char *name;
	/* The number may be rounded up to blocks of this many threads; 0: not rounded,
	   as for a scalar argument. block_name stands for the block size in the
	   expression; NULL: the number itself. */
	int64_t block;
	const char *block_name;
};

/* Appends the number if all launches agree; else the first expression of sizes that
   fits all launches; else the name of a new size. False: a number. */
bool at_captured_sizes_write(struct at_captured_sizes *self,
	const struct at_captured_number *number, struct at_strbuf *out);
/* Adds the values to the comment if there are several launches: for an expression that
   the caller writes. */
void at_captured_sizes_note(
	struct at_captured_sizes *self, const struct at_value *values);
/* Appends " // " and the recorded values of expressions since the last comment. */
void at_captured_sizes_add_comment(
	struct at_captured_sizes *self, struct at_strbuf *out);

/* Whether no two launches have the same sizes. */
bool at_captured_sizes_tell_apart(const struct at_captured_sizes *self);
/* Appends the shortest list of sizes that distinguishes launches, "1000_64"; for launch
   == launch_count, in the form of a path in a space, "${N}_${M}". */
void at_captured_sizes_write_key(
	const struct at_captured_sizes *self, size_t launch, struct at_strbuf *out);
/* Appends the section "problems", a problem for each launch. on: a kind of device;
   NULL: all. */
void at_captured_sizes_write_problems(
	const struct at_captured_sizes *self, const char *on, struct at_strbuf *out);

void at_captured_sizes_release(struct at_captured_sizes *self);

#endif
