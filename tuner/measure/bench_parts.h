/*
 * The state of a bench, on which all files of measure/ work; there are no functions
 * here. Each file has a header for what it does with this state. Only measure/ and its
 * tests include this header and those. The layers, lowest first:
 *
 *   trip        queues calls and sends them to the device
 *   place       says where data and its zones lie
 *   support     lists calls of the tuner's own kernels
 *   buffers     makes and protects the memory of a bench
 *   checks      runs rounds of checks
 *   calls       binds the template's kernels to buffers
 *   tolerance   decides how close an output must be
 *   result      words outcomes
 *   reference   makes the expected outputs
 *   candidate   loads a configuration
 *   contents    fills the inputs
 *   verify      decides whether a launch was correct
 *   sample      times launches
 *   bench       makes and frees a bench, and what all benches of a device share
 *   verification       verifies a winner
 *   evaluate, finals         are the two jobs of a bench
 *
 * A file may use those above it. Threads: the device's alone.
 */
#ifndef AT_MEASURE_BENCH_PARTS_H
#define AT_MEASURE_BENCH_PARTS_H

#include "measure/measure.h"

/* Sets of contents for every input: launches take them in turns, so that no launch gets
   the data of the one before it. */
#define SETS 2
/* The alignment of data that is fitted to the end of its pages, in bytes: what a device
   promises for any allocation. */
#define ALIGNMENT 256u
/* The byte of poison. All bits set is NaN in every IEEE format, and -1 or the largest
   value in integers. */
#define POISON 0xffu
/* The byte for the second verification: no integer result can equal both. */
#define POISON_AGAIN 0xa6u
/* Poison that is not one byte but a different word everywhere; `number` is its seed. */
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

/* The arguments of one call of a support kernel. */
struct support_values {
	struct at_parameter_value items[13];
};

/* The calls of one trip, in order. The room is fixed when the list is made. */
struct call_list {
	struct at_invocation *calls;
	struct support_values *values; /* one for each call; used by support kernels */
	size_t count;
	size_t room;
};

/*
 * What the benches of one device share. Benches are counted; the last one frees it. The
 * flush buffer is shared because it is large, twice the cache, and its contents belong
 * to no problem.
 */
struct bench_shared {
	struct at_device *device;
	unsigned bench_count;
	struct at_module *module;
	struct at_kernel *kernels[SUPPORT_COUNT];
	/* flush_bytes, then the sink of the kernel that reads them; NULL until a bench
	   times with a cold cache */
	struct at_memory *flush;
	uint64_t flush_bytes;
	/* when the board was last known to be at its full clocks; 0: never */
	uint64_t last_busy_ns;
	/* when memory was last freed or mapped differently; 0: never */
	uint64_t remapped_ns;
};

/* Facts about an expected output in one set of data, from which its tolerance follows.
 */
struct expectation {
	/* The mean magnitude of its values, 0 where all are 0 or not finite: the
	   measure of what counts as small. */
	double scale;
	/* The largest error of the reference in its own type against the one in double,
	   in parts of |value| + scale; of an output in double 0 unless the reference
	   computes it with floats. NAN: not known, and the expected values are those of
	   the reference in its own type. */
	double error;
	/* The mean of these errors. It is far below the largest where some of the data
	   magnifies rounding errors. */
	double mean_error;
	/* The largest mean magnitude of a real input: the scale of an output that is 0
	   everywhere. */
	double beside;
	/* Of the values that are not 0: the part for which 0 would pass, */
	double zeros;
	/* the number of those that are not dust beside its tolerance (support.cu), */
	double tiny_count;
	/* and their largest magnitude. */
	double zero_atol;
	/* All values are one number, or the reference left all of them as it found
	   them: a kernel need not compute them to be right. */
	bool is_one_number;
	bool is_left;
	/* How many values of the reference in float differ from those in double by more
	   than rounding can explain (support.cu). */
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
   data, are its zones. */
struct place {
	struct at_memory *memory; /* NULL: none */
	uint64_t capacity_bytes;
	uint64_t offset_bytes; /* of the data */
	/* of the zone behind guarded data that must stay there: see map_reach_bytes */
	uint64_t margin_bytes;
	unsigned zone; /* the byte that the zones hold */
};

/*
 * The memory of an argument. An input has one place for each set of data: set 0 lies at
 * the start of its pages, set 1 at the end of its own. What kernels write has one place
 * for all sets, at SIDE_END, and for some verifications at SIDE_START: when a launch
 * begins it therefore never holds a result of the same data.
 */
struct buffer {
	struct place places[SIDE_COUNT];
	uint64_t bytes; /* without the zones */
	uint64_t count; /* elements */
	uint64_t checksums[SETS]; /* of inputs as filled; unused where guarded */
	/* For inout with contents from a file: the contents of a set, from which a copy
	   restores the buffer. */
	struct place originals[SETS];
	/* A host copy of an input that is also copied into a variable; else NULL. */
	void *contents;
	/* For outputs: the reference's output, masked; none without a reference. */
	struct place expected[SETS];
	uint64_t expected_checksums[SETS]; /* unused where guarded */
	struct expectation expectations[SETS];
	/* The expectation for the space's own data, on which the reference runs first.
	 */
	struct expectation declared;
	/* of what kernels find filled: its checksum ahead of the reference */
	uint64_t begun_checksum;
	/* how many of the expected values of a set are infinite with that data */
	uint64_t infinite[SETS];
	/* The largest error in the present evaluation, as max_relative_error, and as a
	   part of the tolerance. */
	double error;
	double used;
};

/* The places that a launch works on. */
struct staging {
	unsigned set;
	enum side side; /* of what it writes */
};

struct check_row; /* checks.h */

struct at_measure_context {
	struct at_device *device;
	const struct at_measure_setup *setup;
	struct bench_shared *shared;
	struct buffer *buffers; /* one for each argument */
	/* 1 where there is no room for two sets, or other data has no expectation */
	unsigned set_count;
	struct at_data data[SETS];
	enum at_data_pattern symbols; /* the pattern in the variables of modules */
	bool is_settled; /* the sets hold what the space declares */
	unsigned fill_count; /* fills so far: each gives the zones another byte */
	bool is_guarded; /* a touch outside of a buffer's pages traps */
	/* Expected values are stored masked with this word, so that a kernel that finds
	   them cannot use them. */
	uint64_t mask;
	uint64_t places_made; /* so far */
	struct at_memory *rows; /* CHECK_COUNT for each argument, one for variables */
	struct check_row *results; /* the rows as last read back */
	struct call_list queue; /* what the next bench_run() sends */
	bool float64_is_off; /* the reference in double does not work or is too slow */
	bool has_declared; /* the reference ran on the space's own data */
	/* kernels of the template ran since the zones were last checked */
	bool is_unwatched;
	double part_wall_ns; /* wall time of the last timed trip */
	/* places that the last bench_renew() could not move, for want of room or of a
	   file */
	unsigned unmoved;
};

#endif
