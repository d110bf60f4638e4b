/* The ranges from which data.c takes the values of inputs. Threads: pure functions. */
#ifndef AT_MEASURE_DATA_RANGE_H
#define AT_MEASURE_DATA_RANGE_H

#include "measure/data.h"

/* Whether the argument holds reals, and not integers. */
bool data_is_real(const struct at_measure_argument *facts);
/* The range within which a constant may be replaced; equal ends: it stays. */
void data_constant_range(const struct at_measure_setup *setup, size_t argument,
	double *low, double *high);
/* The range from which a pattern takes values, both ends included. False: no pattern
   can fill this argument. */
bool data_range(const struct at_measure_setup *setup, size_t argument,
	enum at_data_pattern pattern, double *low, double *high);

#endif
