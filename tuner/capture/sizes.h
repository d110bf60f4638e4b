/*
 * Numbers of several launches of one kernel, as expressions of sizes.
 *
 *   struct at_captured_sizes sizes = { .launch_count = 2 };
 *   at_captured_sizes_write(&sizes, &number, &text);     each number; scalar arguments
 * first at_captured_sizes_add_comment(&sizes, &text);        at the end of its line
 *   at_captured_sizes_write_problems(&sizes, "cuda", &text);
 *   at_captured_sizes_release(&sizes);
 *
 * This knows numbers alone. Threads: one user of one object at a time.
 */
#ifndef AT_CAPTURE_SIZES_H
#define AT_CAPTURE_SIZES_H

#include "base/memory.h"
#include "space/value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of a space. */
#define AT_CAPTURED_LAUNCHES_MOST 100

struct at_captured_size {
	char *name;
	struct at_value *values; /* one a launch */
};

struct at_captured_sizes {
	size_t launch_count;
	size_t count;
	struct at_captured_size *items;
	/* Of the first sizes, products are made; 0: of all. Sizes that stand for one
	   number alone would fit others by accident. */
	size_t base_count;
	struct at_strbuf guesses; /* what was recorded for expressions of this line */
};

/* A number of each launch. */
struct at_captured_number {
	const struct at_value *values;
	/* Of a size that stands for the number if no expression fits, in any letter
	   case; NULL: N0, N1 and so on. */
	const char *name;
	/* It may be rounded up to blocks of so many threads; 0: it is not, as a scalar
	   argument. block_name stands for them in the expression; NULL: the number. */
	int64_t block;
	const char *block_name;
};

/*
 * Appends the number, if all launches have the same; else the first expression of sizes
 * that fits all launches; else the name of a new size. False: the number.
 */
bool at_captured_sizes_write(struct at_captured_sizes *self,
	const struct at_captured_number *number, struct at_strbuf *out);
/* Adds the values to the comment, if there are several launches: for an expression that
   the caller writes. */
void at_captured_sizes_note(
	struct at_captured_sizes *self, const struct at_value *values);
/* Appends " // " and the recorded values of the expressions written since the last
   comment, if there were any. */
void at_captured_sizes_add_comment(
	struct at_captured_sizes *self, struct at_strbuf *out);

/* Whether no two launches have the same sizes. */
bool at_captured_sizes_tell_apart(const struct at_captured_sizes *self);
/* Appends the least sizes that tell launches apart, "1000_64"; as a path of a space has
   them, "${N}_${M}", if launch is launch_count. */
void at_captured_sizes_write_key(
	const struct at_captured_sizes *self, size_t launch, struct at_strbuf *out);
/* Appends the section "problems", a problem for each launch. on: a kind of device;
   NULL: all. */
void at_captured_sizes_write_problems(
	const struct at_captured_sizes *self, const char *on, struct at_strbuf *out);

void at_captured_sizes_release(struct at_captured_sizes *self);

#endif
