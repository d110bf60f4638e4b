/*
 * Proving and measuring configurations on one device.
 *
 * A bench holds, for one problem: the device, its buffers with canary zones on
 * both sides, and the output of the reference. It takes one configuration after
 * the other:
 *
 *   at_bench_new(device, &setup, NULL, &bench, &err);
 *   at_bench_evaluate(bench, &request, &result, &err);   (any number of times)
 *   at_bench_free(bench);
 *
 * Several benches, one a problem, can live on one device side by side: each keeps its
 * buffers and what its reference gave.
 *
 * Everything here is plain data with all expressions already evaluated: a bench
 * knows neither spaces nor strategies, and not which kind of device it is on.
 * It lives in a measure worker; deadlines are kept by whoever watches that
 * process. Sizes are in bytes or elements as named, times in nanoseconds.
 *
 * What an outcome is not: memory that ran out on this machine. Functions return
 * AT_ENOMEM for it, and then there is no result.
 *
 * Threads: all benches of a device belong to the device's thread.
 */
#ifndef AT_MEASURE_MEASURE_H
#define AT_MEASURE_MEASURE_H

#include "base/error.h"
#include "base/fields.h"
#include "base/outcome.h"
#include "device/device.h"
#include "kernel/facts.h"
#include "space/spec.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The data of proofs beside the declared fill: each shows mistakes that tame data
 * hides. All values lie in the range of the fill, or in its domain.
 */
#define AT_DATA_PATTERNS(X) \
	X(DECLARED, "declared") /* the fill as the space says */ \
	X(SPIKES, "spikes") /* few large among small: each that gets lost shows */ \
	X(EQUAL, "equal") \
	X(ALTERNATING, "alternating") /* signs, or low and high, in turns */ \
	X(EXTREMES, "extremes") /* low or high, at random */ \
	X(ASCENDING, "ascending") \
	X(DESCENDING, "descending") \
	X(EDITED, "edited") /* as declared, but for a few pieces */ \
	X(REVERSED, "reversed") /* as declared, the last first: sums stay */ \
	X(TIMED, "timed, edited") /* as what is timed, but for a few pieces */ \
	X(ZEROED, "zeroed") /* as declared, with zeros in pieces, and all to the end \
			     */ \
	X(RELATED, "related") /* whole inputs of one fill hold the same, shifted */ \
	X(NEGATIVE, "negative") /* all below 0, where the range has both sides */ \
	X(POSITIVE, "positive")

enum at_data_pattern {
#define AT_DATA_PATTERN_ENUM(symbol, name) AT_DATA_##symbol,
	AT_DATA_PATTERNS(AT_DATA_PATTERN_ENUM)
#undef AT_DATA_PATTERN_ENUM
		AT_DATA_COUNT
};

/* "spikes"; never NULL. */
const char *at_data_pattern_name(enum at_data_pattern pattern);

/*
 * What the inputs of a bench hold. { AT_DATA_DECLARED, setup->seed } is what is timed,
 * or of a proof setup->timed_seed; under another seed also constants and sequences
 * vary, where that is safe.
 */
struct at_data {
	enum at_data_pattern pattern;
	uint64_t seed;
	/* 1..setup->set_count: the fills of sets[set - 1], and pattern DECLARED; 0: the
	   arguments' own */
	uint32_t set;
	/* what is timed: integers that are no random ones stay, as they may be lengths,
	   beginnings of rows, numbers of steps, which decide how long it takes */
	bool keeps_shape;
};

struct at_measure_setup;
/*
 * Whether an input holds the same in all data, patterns and sets, though nobody asked
 * for it: it comes from a file, is a sequence that nothing says may move, or has a
 * variable that gets it as well.
 */
bool at_data_stays(const struct at_measure_setup *setup, size_t argument);

/* A field's is that of its structure. */
enum at_access at_data_access(const struct at_measure_setup *setup, size_t argument);

/* A fill of a data set of the space's own. */
struct at_measure_fill {
	enum at_fill_kind kind; /* NONE: the argument keeps its own */
	double a;
	double b;
	char *file; /* fill from a file; else "" */
	struct at_hash contents; /* of that file; zero: not looked at */
};

/* Inputs that the space's author wants winners to be proved on too. */
struct at_measure_set {
	char *name;
	uint32_t fill_count; /* as many as there are arguments */
	struct at_measure_fill *fills;
};

struct at_measure_argument {
	char *name;
	enum at_element element;
	uint32_t lanes;
	enum at_access access; /* AT_ACCESS_NONE: a scalar */
	enum at_fill_kind fill;
	double fill_a;
	double fill_b;
	char *file; /* fill from a file; else "" */
	struct at_hash contents; /* of that file; zero: not looked at */
	/*
	 * A structure: bytes, whose fields are filled and compared. A field: 1 + the
	 * number of the structure, which is ahead of it, whose access and memory are
	 * its own too (its access is NONE, its binding's count the structure's), and
	 * where it lies in each element.
	 */
	bool has_fields;
	uint32_t owner;
	uint32_t offset_bytes;
	bool is_fixed; /* filled as declared in all data; only random numbers differ */
	bool has_domain; /* patterns take their values from low..high, both included */
	double domain_low;
	double domain_high;
	/* inputs: the variable of an image that gets the contents as well; else "" */
	char *symbol;
	/*
	 * Of outputs: right is what is within atol + rtol |expected|. NAN: by default.
	 * Then atol is rtol times the mean magnitude of what is expected, and rtol
	 * follows from what was seen of rounding (measure/reference.c).
	 */
	double rtol;
	double atol;
};

/* of a reference's: what is larger is no library, and is not read */
#define AT_LIBRARY_BYTES_MAX ((uint64_t)4 << 30)

/* What of an argument a configuration may decide. */
struct at_measure_binding {
	uint64_t count; /* buffers: elements, at least 1; only scratch may vary */
	unsigned char value[16]; /* scalars, as the kernel's parameter holds them */
};

struct at_measure_call {
	char *symbol; /* "": there is no such call */
	struct at_geometry geometry;
	uint32_t argument_count;
	uint32_t *arguments; /* indices */
};

struct at_measure_file {
	uint32_t argument;
	char *path;
	struct at_hash contents; /* zero: not looked at */
};

struct at_measure_setup {
	uint32_t argument_count;
	struct at_measure_argument *arguments;
	struct at_measure_binding *bindings; /* for the reference */
	unsigned char *support_image; /* measure/support.cu for this device */
	size_t support_bytes;
	enum at_reference_kind reference; /* NONE: nothing is compared */
	unsigned char *reference_image;
	size_t reference_bytes;
	struct at_measure_call reference_call;
	/*
	 * Of AT_REFERENCE_KERNEL, or none: the same kernel compiled with float as
	 * another name of double. Where it agrees with the reference, what it gives is
	 * expected, rounded to float; where it does not, or does not run, nothing is
	 * lost.
	 */
	unsigned char *wide_image;
	size_t wide_bytes;
	char *wide_symbol;
	char *library; /* of AT_REFERENCE_LIBRARY */
	struct at_hash library_contents; /* zero: not looked at */
	char *function;
	uint32_t file_count;
	struct at_measure_file *files;
	uint64_t seed;
	/* of a proof of what is timed: the seed that it is timed with; else 0 */
	uint64_t timed_seed;
	enum at_cache_mode cache;
	uint32_t set_count; /* for proofs of winners: see struct at_data */
	struct at_measure_set *sets;
	/* for a checker that watches every access, such as compute-sanitizer: each
	   buffer is an ordinary allocation of just its size, with no zones beside it,
	   and what is not an input is left as it was allocated; launches are few */
	bool watched;
};

struct at_measure_request {
	unsigned char *image;
	size_t image_bytes;
	struct at_measure_call kernel;
	struct at_measure_call prepare;
	struct at_measure_call finish;
	struct at_measure_binding *bindings; /* as many as the setup has arguments */
	uint32_t binding_count;
	uint32_t samples_min; /* at least 1 */
	uint32_t samples_max;
	double sampling_seconds; /* stop sampling after so long; at least samples_min */
	/* of a proof: after so long no more is tried than has to be; 0: all of it */
	double proof_seconds;
	/* of the fastest so far: what cannot beat it is dropped early. 0: no racing, as
	   for the baseline and for whatever must have a time that can be compared */
	double incumbent_ns;
	/* what would be dropped early is measured in full all the same, and said to be
	   so: to see what dropping costs */
	bool audit;
	bool verify_only;
	uint64_t seed; /* of thread orders on devices that can shuffle */
	/*
	 * The max_relative_error that the baseline was measured with, 0 where it is not
	 * known: it computes as it should, so that others may round as much as it does.
	 */
	double baseline_error;
	/* This is the baseline: where the tolerance is not given, it may be off by as
	   much as any rounding explains. */
	bool is_baseline;
};

/* Finals have at most so many blocks. */
#define AT_BLOCKS_MAX 24

/* How the board was while finals were sampled; 0 where it does not say. */
struct at_measure_watch {
	uint64_t first_clock_hz; /* after the first round */
	uint64_t last_clock_hz; /* after the last */
	/* rounds in which it was held back: each was taken again, as long as no more
	   had been than a round a block; how many were, and how many were left so */
	uint32_t repeated_rounds;
	uint32_t throttled_rounds;
	/* why clocks were not at their highest, in any round: AT_CLOCK_REASON_BIT() */
	uint32_t clock_reasons;
	uint64_t set_clock_hz; /* what the user set them to */
	/* what may be otherwise another night */
	uint64_t set_memory_clock_hz;
	double power_limit_watts;
	uint32_t ecc; /* enum at_device_switch */
	/* others that compute on the board; only where it can tell */
	bool knows_neighbours;
	uint32_t neighbours;
	/* of one launch of a kernel that does nothing, timed in the same way; only
	   where the fastest takes less than AT_SHORT_NS */
	double empty_ns;
	double empty_graph_ns; /* the same in a graph; 0 also where there are none */
};

/* Of a launch so short, what any launch takes is a part worth knowing. */
#define AT_SHORT_NS 10000.0

/*
 * `raced`: it cannot win, and was dropped as soon as that was clear. It is correct, as
 * far as one proof shows, but its time is no measurement to compare with another one
 * (no ratios, no effects of parameters): it says "at least so much slower than the
 * incumbent". By sample_count
 *   1   one launch before any sampling: of the proof, by the clock of this side, and
 *       then an upper estimate of one launch, all that a first launch costs included
 *       (up to 2 ms; it was dropped since even so it was too slow); or of the warm-up,
 *       by the device's clock
 *   2.. that many samples like those of any other
 */
/*
 * What an evaluation held a configuration to, beyond launching it and comparing what
 * it wrote: zeros where it was not done, as in one that is timed. Nothing of it is said
 * of a configuration that failed.
 */
struct at_measure_proof {
	uint32_t data_sets; /* inputs with their own expectation, compared side by side
			     */
	uint32_t patterns; /* enum at_data_pattern: how many other kinds of data */
	bool guarded; /* buffers flush against memory that is not mapped, at both ends
		       */
	bool zones; /* zones and poison of changing signs and sizes */
	bool crowded; /* beside a kernel that took a share of the multiprocessors */
	uint32_t launches; /* compared */
};

struct at_measure_result {
	enum at_outcome outcome;
	char detail[512]; /* one line; "" when OK */
	uint32_t sample_count;
	/* of one launch, the mean of a sample's launches, in the order taken; heap */
	double *samples_ns;
	uint32_t launches_per_sample;
	bool raced;
	bool was_hopeless; /* an audit: it would have been raced */
	double time_ns; /* median; of finals the blocks' geometric mean; 0 unless timed
			 */
	/* the 95 % interval of the median (statistics.h; of finals that of the blocks);
	   NAN with fewer than six samples, or one block, which have none; 0 unless
	   timed */
	double low_ns;
	double high_ns;
	/* of finals: the median of each block's samples */
	uint32_t block_count;
	double blocks_ns[AT_BLOCKS_MAX];
	/* and, of less than AT_SHORT_NS, what a launch took in a graph of many; 0: the
	   device has none */
	double graph_ns;
	/* of finals, the same in all results: how the board was during the rounds */
	struct at_measure_watch watch;
	/* the largest |actual - expected| in parts of |expected| and the mean magnitude
	   of the output together; of outputs with tolerances by default, where there
	   are any
	 */
	double max_relative_error;
	/* of the baseline, for people: what its outputs are judged by, and what is odd
	   about that; else "" */
	char judged[512];
	char doubts[512];
	uint64_t measure_ns; /* wall time of the evaluation */
	uint64_t clock_hz; /* right after the samples; 0: unknown, and of raced ones */
	bool throttled;
	struct at_measure_proof proved;
	/* the device or its buffers cannot be trusted any more: end the process */
	bool device_lost;
	/* the device can be, but its process is not as it was: end that all the same.
	   Of whoever runs kernels in a process, not of evaluate() or finals() */
	bool left_traces;
};

/* At most so many take part in finals. */
#define AT_FINALISTS_MAX 16

struct at_bench; /* opaque */

/*
 * Allocates, fills and runs the reference. The setup is borrowed until at_bench_free().
 * beside: NULL, or any other bench of this device, with which the tuner's own kernels
 * and the buffer that empties the cache are then shared (in whatever order they are
 * freed); its setup must have the same support image.
 *
 * AT_ENOMEM: no room, on the device or here. Nothing is kept, and the device works as
 * before: free other benches and try again (with a cleared err), or give up.
 * AT_EOVERFLOW: a buffer beyond any device. Else AT_EDEVICE, AT_EINVAL, AT_ENOENT,
 * AT_EIO when the reference cannot run, writes astray, or leaves real outputs unwritten
 * (what it leaves of integers shows as `unstable` in all configurations); the device
 * may then be lost.
 */
enum at_status at_bench_new(struct at_device *device,
	const struct at_measure_setup *setup, struct at_bench *beside,
	struct at_bench **out, struct at_error *err);
void at_bench_free(struct at_bench *self);
/* What it holds of the device's memory at present, without what benches share. */
uint64_t at_bench_bytes(const struct at_bench *self);

/*
 * Whatever happens to the configuration is the result's outcome. AT_ENOMEM, and outcome
 * NONE, when memory of this machine ran out, or scratch does not fit while there are
 * other benches (alone, it is not applicable): free some and try again.
 */
enum at_status at_bench_evaluate(struct at_bench *self,
	const struct at_measure_request *request, struct at_measure_result *result,
	struct at_error *err);

/* How finals are held. */
struct at_measure_finals {
	uint32_t blocks; /* 1 to AT_BLOCKS_MAX */
	uint32_t rounds; /* of a block, at least 1 */
	/* no further round of a block when it has had its part of these; the first
	   round of each is held in any case */
	double seconds;
	uint64_t seed;
	/* where these go on from earlier finals of the same requests: how many blocks
	   those had, and how many launches they made a sample of each, so that their
	   blocks compare with these; else 0, and how many it needs is found out */
	uint32_t begin;
	uint32_t launches[AT_FINALISTS_MAX];
};

/*
 * The finals: blocks of rounds. Each block begins with other memory for all buffers,
 * and with every module loaded, proved and warmed up anew; in each of its rounds every
 * request is sampled once in a shuffled order, so that drift of the board hits all
 * alike. One of which each sample is far from the best gets one sample a block from
 * then on. results[i] gets its samples in the order taken, and what each block agreed
 * on: blocks are paired by index across requests, rounds need not be. All must have
 * passed evaluate() before. What was not sampled has no samples; where the device was
 * lost, device_lost is set in all results. AT_ENOMEM as for evaluate(): all results are
 * then empty.
 */
enum at_status at_bench_finals(struct at_bench *self,
	const struct at_measure_request *requests, size_t count,
	const struct at_measure_finals *how, struct at_measure_result *results,
	struct at_error *err);

/* What travels of each, in base/fields.h's tables. */
extern const struct at_fields at_measure_setup_fields;
extern const struct at_fields at_measure_request_fields;
extern const struct at_fields at_measure_result_fields;
extern const struct at_fields at_measure_finals_fields;

void at_measure_setup_release(struct at_measure_setup *self);
void at_measure_request_release(struct at_measure_request *self);
void at_measure_result_release(struct at_measure_result *self);

/*
 * What decides the verdict or the time of an evaluation, for at_fields_hash():
 * arguments with their fills, tolerances and bindings, the reference, geometries and
 * arguments of the calls, cache mode and the seed of the fills; files and libraries by
 * their contents, which the caller has hashed (zero: none). Not in it: images and
 * symbols (the caller hashes the units), how long to sample, the incumbent, names and
 * paths.
 */
extern const struct at_fields at_measure_setup_identity;
extern const struct at_fields at_measure_request_identity;

/* The source of the fill, comparison and flush kernels, for every toolchain. */
extern const unsigned char at_embedded_support[];
extern const size_t at_embedded_support_size;
/* Their names; compile them with options at_measure_support_options. */
extern const char *const at_measure_support_kernels[];
extern const size_t at_measure_support_kernel_count;
extern const char *const at_measure_support_options[];
extern const size_t at_measure_support_option_count;

#endif
