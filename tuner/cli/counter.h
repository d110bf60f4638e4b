/*
 * How far the counting of a space is, on a terminal, once it takes longer than a
 * second. Threads: one.
 */
#ifndef AT_CLI_COUNTER_H
#define AT_CLI_COUNTER_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct at_counter {
	const char *path; /* of the space */
	uint64_t begun_ns;
	uint64_t drawn_ns;
};

/* For struct at_search_space_options. */
enum at_status at_counter_look(void *context, double done, struct at_error *err);
/* Wipes it off. */
void at_counter_end(struct at_counter *self);

#endif
