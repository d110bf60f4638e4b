/*
 * Checks a text in libconfig's syntax before libconfig reads it. libconfig's errors say
 * no more than "syntax error", and it leaks memory when it reports one; it cuts an
 * integer to 32 bits without a word unless the integer ends in L; and it gives the last
 * string of a list the line of the token behind it; and it compares each new name with
 * all names of its group, letter by letter. So this pass reports what was expected and
 * what was found, marks every integer as a 64-bit one, and notes line and name of each
 * value. libconfig gets a text without names: groups are lists there, and the whole is
 * one list, the value of a single setting.
 *
 * libconfig accepts whatever passes here. Threads: a pure function.
 */
#ifndef AT_SPACE_CONFIG_SCAN_H
#define AT_SPACE_CONFIG_SCAN_H

#include "base/error.h"
#include "base/memory.h"

#include <stdbool.h>

/* What libconfig is not told of a value, or would forget. */
struct at_config_value {
	const char *name; /* in the text that was scanned; NULL for elements */
	unsigned name_length;
	int line;
	bool is_group; /* a list for libconfig */
};

/* What the scan finds for libconfig and config.c. */
struct at_config_scan {
	struct at_strbuf text; /* the text for libconfig to read; lines unchanged */
	/* Every value in the order of the text; a group, list or array comes before
	   what it holds. */
	struct at_config_value *values;
	size_t value_count;
	size_t value_capacity;
};

/* self is zeroed before, and released by the caller also after a failure. */
enum at_status at_config_scan(struct at_config_scan *self, const char *text,
	size_t size, const char *path, struct at_error *err);
/* Frees what self owns. */
void at_config_scan_release(struct at_config_scan *self);

#endif
