/*
 * Prints what `check` found by counting a space: a table for people, or a line of JSON.
 */
#ifndef AT_CLI_CHECK_COUNT_H
#define AT_CLI_CHECK_COUNT_H

#include "cli/sources.h"
#include "space/enumerate.h"
#include "space/spec.h"

#include <stdbool.h>

/* One count of a space. problem and source are NULL where the constraints do not depend
   on them. */
struct at_cli_count {
	const struct at_spec *spec;
	const struct at_problem *problem;
	const struct at_property_source *source;
	struct at_enumeration result;
	double seconds; /* that the counting took */
	/* of the domain, where the space declares one: at_domain_count() */
	uint64_t domain_count;
	bool is_domain_exact;
};

/* Prints to standard output. */
void at_cli_count_print(const struct at_cli_count *self, bool json);

#endif
