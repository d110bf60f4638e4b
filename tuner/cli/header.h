/*
 * What the files of `autotune header` share. Threads: one.
 */
#ifndef AT_CLI_HEADER_H
#define AT_CLI_HEADER_H

#include "cli/cli.h"
#include "record/header_plan.h"
#include "record/result.h"

/*
 * Prints what each configuration of a plan is compiled with, in the order of their
 * numbers. A line is number, kernel's name and options, with tabs between them and the
 * options as a shell reads them; as JSON an object: space, macro, template,
 * configuration, kernel, flags, devices.
 */
enum at_status at_header_print_flags(
	const struct at_header_plan *plan, bool as_json, struct at_error *err);

/*
 * Makes the cubins of a plan and writes their header: to standard output, or to a file
 * whose path is *written (heap). What is not as it was measured is said on standard
 * error.
 */
enum at_status at_header_embed_cubins(const struct at_header_plan *plan,
	const struct at_result_options *options, bool is_to_output, char **written,
	struct at_error *err);

#endif
