/*
 * Chooses the numbers for the fill kernel, so that an argument's contents are those
 * that a struct at_data describes.
 *
 *   data_choose(setup, argument, &data, &fill);
 *   ... fill.file is uploaded, or at_fill launched with the rest ...
 *
 * No file outside measure/ includes it. Threads: pure functions.
 */
#ifndef AT_MEASURE_DATA_H
#define AT_MEASURE_DATA_H

#include "measure/measure.h"

/* Kinds of fills beyond enum at_fill_kind, which no space file can name. */
enum {
	DATA_FILL_JITTERED = AT_FILL_FILE + 1, /* a sequence with uneven steps */
	DATA_FILL_ROWS, /* row offsets, in place of 0, b, 2 b, ..., of uneven rows */
};

/* An input from which another one takes some of its numbers. */
struct data_source {
	uint32_t kind;
	double a;
	double b;
	uint64_t seed;
	uint64_t count;
	/* what the other one may hold, both included */
	double low;
	double high;
};

struct data_fill {
	uint32_t kind; /* enum at_fill_kind, or one of the above */
	double a; /* with a pattern: values in order are multiples of this, or 0 */
	double b;
	const char *file; /* of kind FILE; borrowed from the setup */
	uint64_t seed;
	/* DECLARED: the kind with a and b; else values from low to high, both included
	 */
	enum at_data_pattern pattern;
	double low;
	/* Also used by uniform fills as declared, in types of few digits: the largest
	   number below b. */
	double high;
};

/* Whether the argument holds reals, and not integers. */
bool data_is_real(const struct at_measure_argument *facts);
/* Whether a kernel finds the argument, or the structure of a field, filled. */
bool data_is_filled(const struct at_measure_setup *setup, size_t argument);
/* Whether each value of the argument is drawn by itself. */
bool data_is_drawn(const struct at_measure_argument *facts);
/* Chooses the fill of an argument in this data. */
void data_choose(const struct at_measure_setup *setup, size_t argument,
	const struct at_data *data, struct data_fill *out);

/* Whether in this data an input takes numbers from another one: in RELATED alone, where
   kernels may look for them there. */
bool data_source(const struct at_measure_setup *setup, size_t argument, size_t other,
	const struct at_data *data, struct data_source *out);

/* The range from which a pattern takes values, both ends included. False: no pattern
   can fill this argument. */
bool data_range(const struct at_measure_setup *setup, size_t argument,
	enum at_data_pattern pattern, double *low, double *high);

/*
 * Lists the inputs that hold the same in all data, patterns and sets: "rows, cols", or
 * "m0, m1, m2, m3 and 23 other buffers".
 * Their fill is a file, or a sequence that may not be shifted, or fixed and not random;
 * a variable of the module gets a copy of them; or the expected outputs come from
 * files.
 */
void data_list_staying(const struct at_measure_setup *setup, char *out, size_t size);

/* Whether there are inputs, but none with more than a few numbers, as on the smallest
   cases. */
bool data_is_few(const struct at_measure_setup *setup);

/*
 * Whether any input differs in this data from { DECLARED, data->seed } of the same
 * setup. Where all inputs are fixed, from files or sequences, a pattern changes nothing
 * and would verify nothing new.
 */
bool data_is_other(const struct at_measure_setup *setup, const struct at_data *data);

#endif
