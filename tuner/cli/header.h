/* Functions of `autotune header` beyond its main file. Threads: one. */
#ifndef AT_CLI_HEADER_H
#define AT_CLI_HEADER_H

#include "cli/cli.h"
#include "record/header_plan.h"
#include "record/result.h"

/*
 * Prints how to compile each configuration of a plan, in the order of their numbers. A
 * line has the number, the kernel's name and the options, separated by tabs and quoted
 * for a shell. as_json: an object a line with space, macro, template, configuration,
 * kernel, flags, devices.
 */
enum at_status at_header_print_flags(
	const struct at_header_plan *plan, bool as_json, struct at_error *err);

/*
 * Compiles the plan's configurations to cubins and writes the header that contains
 * them, to standard output or to a file, whose path *written gets (heap). Differences
 * from what was measured are reported on standard error.
 */
enum at_status at_header_embed_cubins(const struct at_header_plan *plan,
	const struct at_result_options *options, bool is_to_output, char **written,
	struct at_error *err);

#endif
