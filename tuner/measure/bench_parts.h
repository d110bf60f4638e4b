/*
 * What a bench consists of: the state that the files of measure/ work on, and no
 * function. Each file has a header of its own for what it does with that; nobody
 * outside of measure/ and its tests includes one. From the ground up:
 *
 *   trip       the queue, and sending it        place      addresses and zones of data
 *   support    calls of the tuner's own kernels
 *   buffers    memory of a bench                shared     what all benches share
 *   checks     a round of checks                calls      calls of the template's
 * kernels tolerance  how close is close enough        result     what is said of an
 * outcome reference  what outputs must be             candidate  a loaded configuration
 *   contents   what inputs hold                 verify     is it correct?
 *   sample, graph, nothing                      how long does it take?
 *   bench      the life of a bench              proof      the proof of a winner
 *   evaluate, finals                            what a bench is there for
 *
 * A line may use those above it. Threads: the device's alone.
 */
#ifndef AT_MEASURE_BENCH_PARTS_H
#define AT_MEASURE_BENCH_PARTS_H

#include "measure/measure.h"

/* contents of every input, so that no launch is given what the one before it was */
#define SETS 2
/* of data that ends where its pages do: what a device gives to any allocation */
#define ALIGNMENT 256u
/* all ones: NaN in every IEEE format, -1 or the largest in integers */
#define POISON 0xffu
/* the second time another one, so that no integer result equals both */
#define POISON_AGAIN 0xa6u
/* no single byte, but another word everywhere, by a number */
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
	SUPPORT_NUDGE,
	SUPPORT_REACH,
	SUPPORT_JOLT,
	SUPPORT_EXCUSE,
	SUPPORT_COUNT
};

/* Arguments of one call of a support kernel. */
struct support_values {
	struct at_parameter_value items[12];
};

/* Calls for one trip, in order. The room is fixed when it is made. */
struct call_list {
	struct at_invocation *calls;
	struct support_values *values; /* one a call; of support kernels only */
	size_t count;
	size_t room;
};

/*
 * What the benches of one device have in common, counted: the last one frees it. The
 * flush buffer is the largest of all, twice the cache, and nothing in it belongs to a
 * problem.
 */
struct bench_shared {
	struct at_device *device;
	unsigned bench_count;
	struct at_module *module;
	struct at_kernel *kernels[SUPPORT_COUNT];
	/* behind flush_bytes the sink; NULL until a bench times with a cold cache */
	struct at_memory *flush;
	uint64_t flush_bytes;
	/* when the board was last known to have its clocks up; 0: never */
	uint64_t last_busy_ns;
	/* when memory was freed last, or mapped otherwise; 0: never */
	uint64_t remapped_ns;
};

/* What is known of an expected output, in one set of data. */
struct expectation {
	/* mean magnitude of its values, 0 where they are 0 or not finite: what is small
	   is small beside that */
	double scale;
	/* the largest error of the reference in float against that in double, in parts
	   of |value| + scale; NAN: there is none in double, and it is the one in float
	 */
	double error;
	/* the mean of these errors; far below the largest where some of the data
	   magnifies what rounding does */
	double mean_error;
	/* mean magnitude of the real inputs, the largest: for what is 0 all over */
	double beside;
	/* the part of its values, of those that are not 0, for which 0 would pass */
	double zeros;
	/* how many these are, and what none of them is above */
	double zero_count;
	/* all of them are one number; of the space's own data alone */
	bool is_one_number;
	double zero_atol;
	/* how many values of the reference in float are off by more than rounding may
	   leave of them (support.cu), by that in double */
	double lost;
	/* what a value may be off by beyond its tolerance for how far rounding reaches
	   there (buffer.reach), at most so many parts of |value| + scale; 0: nothing */
	double reach_part;
};

/*
 * What an output is compared by: |actual - expected| <= atol + rtol |expected|, and
 * more for each value by its reach.
 */
struct tolerance {
	double rtol;
	double atol;
	double scale; /* errors are told in parts of |expected| + scale */
	uint64_t reach; /* address of buffer.reach; 0: none */
	double reach_part; /* as in struct expectation */
};

/* At which end of its pages data lies, against unmapped memory. */
enum side { SIDE_END, SIDE_START, SIDE_COUNT };

/* Where data lies. What is left of the memory on both sides are its zones. */
struct place {
	struct at_memory *memory; /* NULL: there is none */
	uint64_t capacity_bytes;
	uint64_t offset_bytes; /* of the data */
	unsigned zone; /* the byte that its zones hold */
};

/*
 * Inputs have a place a set of data: set 0 begins with its pages and set 1 ends with
 * its own. What kernels write lies at SIDE_END, and for some proofs at SIDE_START: in
 * one place for all sets, so that it never holds what was computed from the same data
 * when a launch begins.
 */
struct buffer {
	struct place places[SIDE_COUNT];
	uint64_t bytes; /* without the zones */
	uint64_t count; /* elements */
	uint64_t checksums[SETS]; /* of inputs, as filled; not of guarded ones */
	/* inputs that are copied into variables as well: their data on this side; else
	   NULL */
	void *contents;
	/* of outputs: what the reference gives, masked; none without a reference */
	struct place expected[SETS];
	uint64_t expected_checksums[SETS]; /* not of guarded ones */
	struct expectation expectations[SETS];
	/* how far off the reference in float was at each value, of several times, where
	   the data magnifies rounding (reference_draws.h); NULL before that */
	struct at_memory *reach[SETS];
	/* of the space's own data, on which the reference ran first */
	struct expectation declared;
	/* the largest of the evaluation in work: as max_relative_error, and the part of
	   the tolerance that it takes up */
	double error;
	double used;
};

/* What a launch works on. */
struct staging {
	unsigned set;
	enum side side; /* of what it writes */
};

struct check_row; /* checks.h */

struct at_bench {
	struct at_device *device;
	const struct at_measure_setup *setup;
	struct bench_shared *shared;
	struct buffer *buffers; /* one an argument */
	/* 1 where there is no room for two, or no expectation of other data */
	unsigned set_count;
	struct at_data data[SETS];
	enum at_data_pattern symbols; /* of the contents of variables */
	bool is_settled; /* the sets hold what the space declares */
	unsigned fill_count; /* of inputs, each time with other zones */
	bool is_guarded; /* buffers lie in memory of which a touch outside traps */
	/* what expected values are masked with: a kernel that finds them has nothing */
	uint64_t mask;
	struct at_memory *rows; /* CHECK_COUNT an argument, and one of the variables */
	struct check_row *results; /* as many, as last read */
	struct call_list queue; /* what the next bench_run() sends */
	bool wide_is_off; /* the reference in double does not work, or takes too long */
	bool has_declared; /* the reference ran with the space's own data */
	/* of the request in work: see struct at_measure_request */
	double baseline_error;
	bool is_baseline;
	/* kernels of a template have run since the borders were looked at */
	bool is_unwatched;
	double part_wall_ns; /* what the last trip of a sample took of our time */
};

#endif
