/*
 * The state of a bench, which all files of measure/ share; there are no functions here.
 * Each file has its own header for what it does with this state. Only measure/ and its
 * tests include these headers. The layers, lowest first:
 *
 *   trip           queues calls and sends them to the device
 *   place          says where data and its canary zones lie
 *   support        lists calls of the tuner's own kernels
 *   buffers        allocates and protects the memory of a bench
 *   checks         runs rounds of checks
 *   calls          binds the template's kernels to buffers
 *   tolerance      decides how close an output must be
 *   result         words outcomes
 *   reference      computes the expected outputs
 *   candidate      loads a configuration
 *   contents       fills the inputs
 *   verify         decides whether a launch was correct
 *   sample         times launches
 *   bench          makes and frees a bench, and the state that benches share
 *   verification   verifies a winner
 *   evaluate, finals   the two jobs of a bench
 *
 * A file may use those above it. Threads: the device's thread only.
 */
#ifndef AT_MEASURE_BENCH_PARTS_H
#define AT_MEASURE_BENCH_PARTS_H

#include "measure/measure.h"

/* Data sets of every input. Launches alternate between them, so that no launch gets the
   data of the launch before it. */
#define SETS 2
/* The alignment in bytes of data that ends at the end of its pages: the alignment that
   devices guarantee for any allocation. */
#define ALIGNMENT 256u
/* The poison byte. All bits set is NaN in every IEEE format, and -1 or the largest
   value in integers. */
#define POISON 0xffu
/* The poison of the second verification: no integer result can equal both. */
#define POISON_AGAIN 0xa6u
/* Poison that differs in every word; `number` is its seed. */
#define POISON_GARBAGE(number) (0x100u * ((number) + 1))

enum support_kernel {
	SUPPORT_FILL,
	SUPPORT_PATTERN,
	SUPPORT_PATTERN_CHECK,
	SUPPORT_CHECKSUM,
	SUPPORT_SCALE,
	SUPPORT_WIDEN,
	SUPPORT_NARROW,
	SUPPORT_COMPARE,
	SUPPORT_FLUSH,
	SUPPORT_POISON_SHARED,
	SUPPORT_MASK,
	SUPPORT_VARIABLES,
	SUPPORT_POISON_LOCAL,
	SUPPORT_CROWD,
	SUPPORT_NOTHING,
	SUPPORT_GARBAGE,
	SUPPORT_JOLT,
	SUPPORT_RELATE,
	SUPPORT_PADDING,
	SUPPORT_COUNT
};

struct support_values {
	struct at_parameter_value items[13];
};

/* The calls of one trip, in order. The capacity is fixed when the list is made. */
struct call_list {
	struct at_invocation *calls;
	struct support_values *values; /* one for each call; for support kernels */
	size_t count;
	size_t room;
};

/* State shared by the benches of one device, and freed by the last. The flush buffer is
   shared because it is large (twice the cache) and belongs to no problem. */
struct bench_shared {
	struct at_device *device;
	unsigned bench_count;
	struct at_module *module;
	struct at_kernel *kernels[SUPPORT_COUNT];
	/* flush_bytes, then the sink of the kernel that reads them; NULL until a bench
	   times with a cold cache */
	struct at_memory *flush;
	uint64_t flush_bytes;
	/* when the device was last known to run at full clocks; 0: never */
	uint64_t last_busy_ns;
	/* when memory was last freed or remapped; 0: never */
	uint64_t remapped_ns;
};

/* Facts about an expected output in one data set; its tolerance follows from them. */
struct expectation {
	/* The mean magnitude of the values; 0 if all are 0 or not finite. It decides
	   which values count as small. */
	double scale;
	/* The largest error of the reference in its own type against the reference in
	   double, in parts of |value| + scale. It is 0 for an output in double, unless
	   the reference computes the output with floats. NAN: unknown, and the expected
	   values come from the reference in its own type. */
	double error;
	/* The mean of these errors; far below the largest if part of the data magnifies
	   rounding errors. */
	double mean_error;
	/* The largest mean magnitude of a floating-point input: the scale of an output
	   that is 0 everywhere. */
	double beside;
	/* Among the nonzero values: the fraction for which 0 would pass, */
	double zeros;
	/* the number of values that are not negligible beyond tolerance
	   (support.cu), */
	double tiny_count;
	/* and the largest magnitude of these. */
	double zero_atol;
	/* All values are the same number, or the reference changed none of them: a
	   kernel need not compute anything to be right. */
	bool is_one_number;
	bool is_left;
	/* How many values of the reference in float differ from those in double by more
	   than rounding explains (support.cu). */
	double lost;
};

/* A value passes where |actual - expected| <= atol + rtol |expected|. */
struct tolerance {
	double rtol;
	double atol;
	double scale; /* errors are reported in parts of |expected| + scale */
};

/* The end of its pages at which data lies, next to unmapped memory. */
enum side { SIDE_END, SIDE_START, SIDE_COUNT };

/* Where data lies in an allocation. The rest of the allocation, on both sides of the
   data, forms its zones. */
struct place {
	struct at_memory *memory; /* NULL: no place */
	uint64_t capacity_bytes;
	uint64_t offset_bytes; /* of the data */
	/* the part of the zone after guarded data that must stay (map_reach_bytes) */
	uint64_t margin_bytes;
	unsigned zone; /* the byte that fills the zones */
};

/* The memory of an argument. An input has one place for each data set: set 0 starts at
   the start of its pages, set 1 ends at the end of its own. A buffer that kernels write
   has one place for all sets, at SIDE_END, and for some verifications one at
   SIDE_START: at a launch's begin it never holds a result of the same data. */
struct buffer {
	struct place places[SIDE_COUNT];
	uint64_t bytes; /* without the zones */
	uint64_t count; /* elements */
	uint64_t checksums[SETS]; /* of inputs as filled; unused if guarded */
	/* For inout arguments filled from a file: the contents of a set, copied back to
	   restore the buffer. */
	struct place originals[SETS];
	/* A host copy of an input that is also copied into a variable; else NULL. */
	void *contents;
	/* For outputs: the reference's output, masked; unset without a reference. */
	struct place expected[SETS];
	uint64_t expected_checksums[SETS]; /* unused if guarded */
	struct expectation expectations[SETS];
	/* The expectation for the space's own data, the first of the reference. */
	struct expectation declared;
	/* of a buffer that kernels find filled: its checksum before the reference */
	uint64_t begun_checksum;
	/* how many expected values of a set are infinite with the current data */
	uint64_t infinite[SETS];
	/* The largest error in this evaluation, as max_relative_error, and as a
	   fraction of the tolerance. */
	double error;
	double used;
};

/* The places that a launch uses. */
struct staging {
	unsigned set;
	enum side side; /* of the buffers that it writes */
};

struct check_row; /* checks.h */

struct at_measure_context {
	struct at_device *device;
	const struct at_measure_setup *setup;
	struct bench_shared *shared;
	struct buffer *buffers; /* one for each argument */
	/* 1 if there is no room for two sets, or other data has no expected output */
	unsigned set_count;
	struct at_data data[SETS];
	enum at_data_pattern symbols; /* the pattern in the variables of modules */
	bool is_settled; /* the sets hold the data that the space declares */
	unsigned fill_count; /* fills so far: each fill gives the zones another byte */
	bool is_guarded; /* an access outside a buffer's pages traps */
	/* Expected values are stored masked with this word, so that a kernel that finds
	   them cannot use them. */
	uint64_t mask;
	uint64_t places_made; /* so far */
	struct at_memory *rows; /* CHECK_COUNT for each argument, one for variables */
	struct check_row *results; /* the rows that were last read back */
	struct call_list queue; /* the calls that the next bench_run() sends */
	bool float64_is_off; /* the reference in double does not work or is too slow */
	bool has_declared; /* the reference has run on the space's own data */
	/* kernels of the template have run since the zones were last checked */
	bool is_unwatched;
	double part_wall_ns; /* wall time of the last timed trip */
	/* places that the last bench_renew() left, for lack of room or of a file */
	unsigned unmoved;
};

#endif
