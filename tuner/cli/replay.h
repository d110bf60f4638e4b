/*
 * The output of `check --replay`: whether the baseline gives the expected outputs on a
 * device. Threads: one.
 */
#ifndef AT_CLI_REPLAY_H
#define AT_CLI_REPLAY_H

#include "cli/cli.h"

/*
 * Evaluates the baseline of each problem that --problem does not leave out, on the
 * devices (count 0: on all CUDA devices), and prints the outcomes. Nothing is recorded.
 * *failed is set if an outcome is not ok. AT_EUNAVAILABLE: no such device exists.
 */
enum at_status at_cli_replay_space(const struct at_cli_arguments *arguments,
	const struct at_spec *spec, const char *const *devices, size_t count,
	bool *failed, struct at_error *err);

#endif
