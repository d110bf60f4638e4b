/*
 * What the files of `autotune header` share. Threads: one.
 */
#ifndef AT_CLI_HEADER_H
#define AT_CLI_HEADER_H

#include "cli/cli.h"
#include "record/header_plan.h"

/*
 * Prints what each configuration of a plan is compiled with, in the order of their
 * numbers. A line is number, kernel's name and options, with tabs between them and the
 * options as a shell reads them; as JSON an object: space, macro, template,
 * configuration, kernel, flags, devices.
 */
enum at_status at_header_print_flags(
	const struct at_header_plan *plan, bool as_json, struct at_error *err);

#endif
