/* What data.c takes values from: ranges of inputs. Pure functions. */
#ifndef AT_MEASURE_DATA_RANGE_H
#define AT_MEASURE_DATA_RANGE_H

#include "measure/data.h"

bool data_is_real(const struct at_measure_argument *facts);
/* What a constant may become; equal ends: nothing else. */
void data_constant_range(const struct at_measure_setup *setup, size_t argument,
	double *low, double *high);
/* Where a pattern takes its values from, both ends included; false: the argument is for
   no pattern. */
bool data_range(const struct at_measure_setup *setup, size_t argument,
	enum at_data_pattern pattern, double *low, double *high);

#endif
