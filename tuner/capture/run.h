/*
 * Runs a program under the injected library (capture/inject.h).
 *
 * Threads: one run at a time.
 */
#ifndef AT_CAPTURE_RUN_H
#define AT_CAPTURE_RUN_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most bytes recorded of one allocation without --all-memory. */
#define AT_CAPTURE_BYTES_USUAL ((uint64_t)1 << 30)

struct at_capture_run {
	const char *kernel; /* glob; NULL: all kernels */
	uint64_t skip; /* launches of each kernel */
	uint64_t limit; /* of each kernel; 0: no limit */
	uint64_t most_bytes; /* of an allocation; 0: all */
	bool is_apart; /* the program's standard output goes to standard error */
	char *const *words; /* the program and its arguments; NULL after the last */
};

/*
 * Runs the program until it ends, with its own standard streams; the library writes
 * into `folder`. The program is interrupted at its start if this process already was
 * (at_interrupt_was_noted()). *exit_status: 128 + the signal's number if a signal ended
 * it. AT_EIO: the library cannot be written into the folder; AT_ENOENT: there is no
 * such program.
 */
enum at_status at_capture_program(const struct at_capture_run *run, const char *folder,
	int *exit_status, struct at_error *err);

/* Sends the signal to the program, from any thread; false: no program is running. */
bool at_capture_signal(int number);

#endif
