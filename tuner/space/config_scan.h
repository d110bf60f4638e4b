/*
 * Checks a text in libconfig's syntax before libconfig reads it. libconfig's errors say
 * no more than "syntax error", and it leaks memory when it reports one; it cuts an
 * integer to 32 bits without a word unless the integer ends in L; and it gives the last
 * string of a list the line of the token behind it. So this pass reports what was
 * expected and what was found, marks every integer as a 64-bit one, and notes the line
 * of each value.
 *
 * libconfig accepts whatever passes here. Threads: a pure function.
 */
#ifndef AT_SPACE_CONFIG_SCAN_H
#define AT_SPACE_CONFIG_SCAN_H

#include "base/error.h"
#include "base/memory.h"

/* What the scan finds for libconfig and config.c. */
struct at_config_scan {
	struct at_strbuf text; /* the text for libconfig to read; lines unchanged */
	/* The line of every value in the order of the text; a group, list or array
	   comes before what it holds. */
	int *lines;
	size_t line_count;
	size_t line_capacity;
};

/* self is zeroed before, and released by the caller also after a failure. */
enum at_status at_config_scan(struct at_config_scan *self, const char *text,
	size_t size, const char *path, struct at_error *err);
/* Frees what self owns. */
void at_config_scan_release(struct at_config_scan *self);

#endif
