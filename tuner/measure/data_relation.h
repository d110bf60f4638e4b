/*
 * Which inputs belong together: those that are alike, and those whose numbers kernels
 * may look up in another one. data.c gives them values that have to do with each other.
 * Threads: pure functions.
 */
#ifndef AT_MEASURE_DATA_RELATION_H
#define AT_MEASURE_DATA_RELATION_H

#include "measure/data.h"

/* Whether each value of the argument is drawn by itself. */
bool data_is_drawn(const struct at_measure_argument *facts);
/* How many inputs hold integers drawn by the same fill, this argument included. *first:
   the first of them; *ahead: how many of them precede this argument. */
size_t data_count_alike(const struct at_measure_setup *setup, size_t argument,
	size_t *first, size_t *ahead);
/* Whether kernels may look for the numbers of an input among those of `other`. */
bool data_may_be_looked_up(
	const struct at_measure_setup *setup, size_t argument, size_t other);
/* Whether there is such an input for this argument. */
bool data_has_source(const struct at_measure_setup *setup, size_t argument);

#endif
