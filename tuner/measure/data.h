/*
 * What the inputs of a proof hold: which numbers the fill kernel is given so that an
 * argument's contents are those of a struct at_data.
 *
 *   data_choose(setup, argument, &data, &fill);
 *   ... fill.file is uploaded, or at_fill launched with the rest ...
 *
 * Nobody outside measure/ includes it. Threads: pure functions.
 */
#ifndef AT_MEASURE_DATA_H
#define AT_MEASURE_DATA_H

#include "measure/measure.h"

/* Kinds of fills that no space file names, beside enum at_fill_kind. */
enum {
	DATA_FILL_JITTERED = AT_FILL_FILE + 1, /* a sequence, its steps uneven */
	DATA_FILL_ROWS, /* beginnings of rows, 0, b, 2 b, ...: ragged ones */
};

struct data_fill {
	uint32_t kind; /* enum at_fill_kind, or one of the above */
	double a; /* with a pattern: what values in order are multiples of, or 0 */
	double b;
	const char *file; /* of kind FILE; borrowed from the setup */
	uint64_t seed;
	/* DECLARED: the kind with a and b; else values from low to high, both included
	 */
	enum at_data_pattern pattern;
	double low;
	/* also of what is drawn uniformly as declared, in types of few digits: the last
	   number below b */
	double high;
};

void data_choose(const struct at_measure_setup *setup, size_t argument,
	const struct at_data *data, struct data_fill *out);

/* Between what ends numbers of an input lie in this data, both excluded; infinities
   where it says none. */
void data_ends(const struct at_measure_setup *setup, size_t argument,
	const struct at_data *data, double *low, double *high);

/*
 * Whether any input holds something else in this data than { DECLARED, data->seed } of
 * the same setup would give: a pattern of inputs that are all fixed, from files or
 * sequences proves nothing new.
 */
bool data_is_other(const struct at_measure_setup *setup, const struct at_data *data);

#endif
