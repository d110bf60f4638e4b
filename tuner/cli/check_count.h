/*
 * What check found by counting a space, printed: a table for people, or a line of JSON.
 */
#ifndef AT_CLI_CHECK_COUNT_H
#define AT_CLI_CHECK_COUNT_H

#include "cli/sources.h"
#include "space/enumerate.h"
#include "space/spec.h"

#include <stdbool.h>

/* One count of a space; problem and source are NULL where they do not matter. */
struct at_cli_count {
	const struct at_spec *spec;
	const struct at_problem *problem;
	const struct at_property_source *source;
	struct at_enumeration result;
	double seconds; /* that counting took */
};

/* On standard output. */
void at_cli_count_print(const struct at_cli_count *self, bool json);

#endif
