/*
 * Shows on a terminal that a space is being counted, once that takes longer than a
 * second. Threads: one.
 */
#ifndef AT_CLI_COUNTER_H
#define AT_CLI_COUNTER_H

#include "base/error.h"

#include <stdint.h>

/* The state of the display; begun_ns is set by the caller. */
struct at_counter {
	const char *path; /* of the space; borrowed */
	uint64_t begun_ns; /* when counting began */
	uint64_t drawn_ns; /* when the display was last drawn */
};

/* The poll() of struct at_search_space_options; context is the counter. */
enum at_status at_counter_poll(void *context, struct at_error *err);
/* Wipes the display off the terminal. */
void at_counter_end(struct at_counter *self);

#endif
