/*
 * The output of `check --cover`: branches that no case of a verification reached, and a
 * domain to start from; as text or JSON. Threads: one.
 */
#ifndef AT_CLI_COVER_H
#define AT_CLI_COVER_H

#include "cli/cli.h"
#include "kernel/source.h"

/*
 * Runs the reference and the baseline on the cases of each problem that --problem does
 * not leave out (evaluator/cases_coverage.h), for 20 seconds together at most, and
 * prints. The spec must have a kernel. If a problem cannot be measured, the reason
 * is printed, and that is no error.
 */
enum at_status at_cli_cover_space(const struct at_cli_arguments *arguments,
	const struct at_spec *spec, const struct at_template *template,
	struct at_error *err);

#endif
