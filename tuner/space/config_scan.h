/*
 * Looks over a text in libconfig's syntax before libconfig does. libconfig says
 * no more than "syntax error", keeps memory when it says so, cuts an integer
 * to 32 bits without a word unless it ends in L, and gives the last string of a
 * list the line of what follows it. So this pass names what was expected and
 * what was found, marks every integer as 64-bit, and notes each value's line.
 *
 * What passes here, libconfig accepts. Threads: a pure function.
 */
#ifndef AT_SPACE_CONFIG_SCAN_H
#define AT_SPACE_CONFIG_SCAN_H

#include "base/error.h"
#include "base/memory.h"

struct at_config_scan {
	struct at_strbuf text; /* what libconfig shall read; lines unchanged */
	/* of every value, a group before what it holds: the order of the text */
	int *lines;
	size_t line_count;
	size_t line_capacity;
};

/* self is zeroed before, and released by the caller also after a failure. */
enum at_status at_config_scan(struct at_config_scan *self, const char *text,
	size_t size, const char *path, struct at_error *err);
void at_config_scan_release(struct at_config_scan *self);

#endif
