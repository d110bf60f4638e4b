/*
 * Verifying and measuring configurations on one device.
 *
 * A bench (struct at_measure_context) serves one problem. It holds the device, buffers
 * with canary zones on both sides, and the output of the reference. It takes one
 * configuration after another:
 *
 *   at_measure_context_new(device, &setup, NULL, &bench, &err);
 *   at_measure_context_evaluate(bench, &request, &result, &err);   (repeatedly)
 *   at_measure_context_free(bench);
 *
 * Several benches, one for each problem, can share a device. Each has its own buffers
 * and its own reference output.
 *
 * Setups and requests are plain data in which all expressions have been evaluated. A
 * bench knows neither spaces nor strategies, nor the kind of its device. It lives in a
 * measure worker; the process that watches the worker enforces deadlines. Sizes are in
 * bytes or elements as named, times in nanoseconds.
 *
 * If this machine runs out of memory, that says nothing about a configuration. So it is
 * never an outcome: the functions return AT_ENOMEM and give no result.
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

/* The input distributions of verifications. Each pattern exposes mistakes that harmless
   data hides. Values lie in the range of the argument's fill, or in its domain if it
   has one. */
#define AT_DATA_PATTERNS(X) \
	X(DECLARED, "declared") /* the fill that the space declares */ \
	X(SPIKES, "spikes") /* few large among small: each lost value shows */ \
	X(EQUAL, "equal") \
	X(ALTERNATING, "alternating") /* alternating signs, or low and high */ \
	X(EXTREMES, "extremes") /* low or high, at random */ \
	X(ASCENDING, "ascending") \
	X(DESCENDING, "descending") \
	X(EDITED, "edited") /* as declared, with a few pieces changed */ \
	X(REVERSED, "reversed") /* as declared, last element first: same sums */ \
	X(TIMED, "timed, edited") /* the timed data with a few pieces changed */ \
	X(ZEROED, "zeroed") /* as declared, with zeros in pieces and at the end */ \
	X(RELATED, "related") /* inputs of one fill hold the same values, shifted */ \
	X(NEGATIVE, "negative") /* all below 0, if the range has both signs */ \
	X(POSITIVE, "positive")

enum at_data_pattern {
#define AT_DATA_PATTERN_ENUM(symbol, name) AT_DATA_##symbol,
	AT_DATA_PATTERNS(AT_DATA_PATTERN_ENUM)
#undef AT_DATA_PATTERN_ENUM
		AT_DATA_COUNT
};

/* "spikes"; never NULL. */
const char *at_data_pattern_name(enum at_data_pattern pattern);

/* The data in a bench's inputs. The timed data is { AT_DATA_DECLARED, setup->seed };
   the setup of a verification has its seed in setup->timed_seed. Any other seed also
   varies constants and sequences, if that is safe. */
struct at_data {
	enum at_data_pattern pattern;
	uint64_t seed;
	/* 1..setup->set_count: use the fills of sets[set - 1], with pattern DECLARED;
	   0: use the arguments' own fills */
	uint32_t set;
	/* For timed data: integers that are not random keep their values. Lengths, row
	   offsets or step counts decide how long the kernel takes. */
	bool keeps_shape;
};

struct at_measure_setup;
/* The access of an argument; a field has the access of its structure. */
enum at_access at_data_access(const struct at_measure_setup *setup, size_t argument);

/* The fill of one argument in a data set that the space defines. */
struct at_measure_fill {
	enum at_fill_kind kind; /* NONE: the argument keeps its own */
	double a;
	double b;
	char *file; /* fill from a file; else "" */
	struct at_hash contents; /* hash of that file; zero: not computed */
};

/* A data set that the space defines; winners are also verified on it. */
struct at_measure_set {
	char *name;
	uint32_t fill_count; /* one for each argument */
	struct at_measure_fill *fills;
};

/* The smallest default relative tolerance for outputs of this type. */
double at_measure_rtol_least(enum at_element element);

struct at_measure_argument {
	char *name;
	enum at_element element;
	uint32_t lanes;
	enum at_access access; /* AT_ACCESS_NONE: a scalar */
	enum at_fill_kind fill;
	double fill_a;
	double fill_b;
	char *file; /* fill from a file; else "" */
	struct at_hash contents; /* hash of that file; zero: not computed */
	/*
	 * has_fields: the argument is a structure. Its memory is plain bytes; the
	 * fields, which are the arguments after it, are filled and compared.
	 *
	 * owner: for a field, 1 + the index of its structure; else 0. A field uses the
	 * structure's access and memory: its own access is NONE, and its binding has
	 * the structure's count. offset_bytes: its offset in each element.
	 */
	bool has_fields;
	uint32_t owner;
	uint32_t offset_bytes;
	/* If rows have padding that belongs to no element: the elements of a row, and
	   the bytes from one row to the next. 0: the elements are contiguous. */
	uint32_t width;
	uint32_t pitch_bytes;
	/* A scalar or a field that is a pointer: 1 + its buffer's index; else 0. */
	uint32_t points_to;
	bool has_map; /* a tensor map describes the buffer */
	bool has_texels; /* the buffer may be the linear memory of a texture */
	bool is_fixed; /* filled as declared in all data; only random numbers differ */
	bool has_row_offsets; /* row offsets, as a sequence: verifications use uneven
			     steps, some of them 0 */
	bool has_domain; /* patterns take values from low to high, both included */
	double domain_low;
	double domain_high;
	/* Inputs: the module's variable that gets a copy of the contents; else "" */
	char *symbol;
	/* Outputs: a value passes within atol + rtol |expected|. NAN: the default. Then
	   atol is rtol times the mean magnitude of the expected values, and rtol
	   follows from the observed rounding errors (measure/reference.c). */
	double rtol;
	double atol;
	/* The fraction of an output's values that may be off by any amount because
	   rounding decides them (a class, a step count). Rounded up to whole values. */
	double outliers;
};

/* The most bytes in a row, and numbers in it: the layout of support.c has 24 bits. */
#define AT_ROW_BYTES_MAX ((1u << 24) - 1)

/* The bytes of this many elements, including the padding of their rows. */
uint64_t at_measure_bytes(const struct at_measure_argument *self, uint64_t count);

/* A file larger than this is not read as a reference library. */
#define AT_LIBRARY_BYTES_MAX ((uint64_t)4 << 30)

/* The most elements of an array of pointers, which the host makes for each
   candidate. */
#define AT_POINTERS_MAX (UINT64_C(1) << 20)

/* The part of an argument that a configuration may change. */
struct at_measure_binding {
	uint64_t count; /* buffers: elements, at least 1; only scratch may vary */
	/* Scalars: the bytes of the kernel's parameter. Pointers: the offset in bytes;
	   an array of count pointers (if not 0) then has a stride in bytes. */
	unsigned char value[16];
	struct at_tensor_map map;
	struct at_texture texture;
};

/* A scalar's value at one step, which replaces its binding in that launch. */
struct at_measure_value {
	uint32_t argument;
	struct at_measure_binding binding;
};

struct at_measure_call {
	char *symbol; /* "": there is no such call */
	struct at_geometry geometry;
	uint32_t argument_count;
	uint32_t *arguments; /* indices */
	/* Of a timed launch: its index in at_spec.calls, its kernel's first call. */
	uint32_t call;
	uint32_t kernel;
	/* How often the launch is repeated, and the pairs of arguments whose buffers
	   swap places after each launch. */
	uint32_t repeats;
	uint32_t swap_count; /* the number of indices */
	uint32_t *swaps;
	uint32_t value_count;
	struct at_measure_value *values;
	/* For the record only, and not sent in messages: registers of a thread, and
	   static shared memory of a block; 0: unknown or none. */
	int64_t registers;
	int64_t static_shared_bytes;
};

/* The most launches whose scalars differ between repeats: each has its own binding. */
#define AT_STEPS_MAX 4096
/* The most launches of one configuration, repeats included. */
#define AT_LAUNCHES_MAX 65536

struct at_measure_file {
	uint32_t argument;
	char *path;
	struct at_hash contents; /* hash of the file; zero: not computed */
};

struct at_measure_setup {
	uint32_t argument_count;
	struct at_measure_argument *arguments;
	struct at_measure_binding *bindings; /* for the reference */
	unsigned char *support_image; /* measure/support.cu compiled for this device */
	size_t support_bytes;
	enum at_reference_kind reference; /* NONE: nothing is compared */
	unsigned char *reference_image;
	size_t reference_bytes;
	struct at_measure_call reference_call;
	/* Only for AT_REFERENCE_KERNEL, and optional: the reference kernel compiled
	   with float as another name of double. If its output agrees with the
	   reference's, its values, rounded to float, become the expected ones. If it
	   disagrees or does not run, only the reference in float is used. */
	unsigned char *wide_image;
	size_t wide_bytes;
	char *float64_symbol;
	bool widens_narrow; /* it also reads and writes narrow types as doubles */
	char *library; /* of AT_REFERENCE_LIBRARY */
	struct at_hash library_contents; /* hash of the library; zero: not computed */
	char *function;
	uint32_t file_count;
	struct at_measure_file *files;
	uint64_t seed;
	/* When verifying a problem that is also timed: the timed data's seed; else 0 */
	uint64_t timed_seed;
	/* The bench only verifies winners: its buffers may lie anywhere. */
	bool is_for_verifications;
	enum at_cache_mode cache;
	uint32_t set_count; /* for verifications of winners: see struct at_data */
	struct at_measure_set *sets;
	/* The process runs under a checker of all accesses, such as compute-sanitizer.
	   Buffers are then ordinary allocations of exactly their size, without zones.
	   Only inputs are filled, so that the checker sees reads of uninitialised
	   memory. Launches are few. */
	bool watched;
	/* A folder of units (kernel/units.h) that caches the outputs of a slow
	   reference; NULL: none. Borrowed, and not sent in messages. */
	const char *units;
};

struct at_measure_request {
	unsigned char *image;
	size_t image_bytes;
	/* The launches timed as one: a kernel and, in a sequence, those that follow. */
	struct at_measure_call kernel;
	uint32_t more_count;
	struct at_measure_call *more;
	struct at_measure_call prepare;
	struct at_measure_call finish;
	struct at_measure_binding *bindings; /* as many as the setup has arguments */
	uint32_t binding_count;
	uint32_t samples_min; /* at least 1 */
	uint32_t samples_max;
	double sampling_seconds; /* stop after this time, with at least samples_min */
	/* Without an answer after this time, the evaluation or verification is ended;
	   0: no limit. A verification skips data patterns to meet it. */
	double deadline_seconds;
	/* After this time a verification begins no other data, except for data sets of
	   the space and the first pattern; 0: no limit. */
	double pattern_seconds;
	/* The fastest time so far: configurations that cannot beat it are dropped
	   early. 0: no racing, as for the baseline and for any time that will be
	   compared with others. */
	double incumbent_ns;
	/* Keep measuring what racing would drop, and set was_pruned in the result. If
	   one launch looked hopeless and two samples agree, the configuration is
	   dropped after all. */
	bool audit;
	bool verify_only;
	uint64_t seed; /* of thread orders, on devices that can shuffle them */
	bool is_baseline; /* fill in the result's judged and warnings */
	struct at_clocks clocks; /* set while it is timed; 0 in verifications */
};

/* The most blocks in finals. */
#define AT_BLOCKS_MAX 72

/* The state of the GPU during the finals; 0 if the device does not report it. */
struct at_measure_conditions {
	uint64_t first_clock_hz; /* after the first round */
	uint64_t last_clock_hz; /* after the last round */
	/* Rounds in which the GPU was throttled. Up to as many as there are blocks are
	   repeated (repeated_rounds); the others were kept (throttled_rounds). */
	uint32_t repeated_rounds;
	uint32_t throttled_rounds;
	/* why clocks were below their maximum, in any round: AT_CLOCK_REASON_BIT() */
	uint32_t clock_reasons;
	/* the highest clocks that the GPU's settings allow, and their values without a
	   user's setting */
	uint64_t set_clock_hz;
	uint64_t default_clock_hz;
	uint64_t set_memory_clock_hz;
	uint64_t default_memory_clock_hz;
	/* other conditions that may differ between nightly runs */
	double power_limit_watts;
	uint32_t ecc; /* enum at_device_switch */
	bool is_ungated; /* see at_device */
	/* Blocks in which some memory did not move, mostly for lack of room: the
	   interval then covers less of the effect of addresses. */
	uint32_t unmoved_blocks;
	/* other processes that compute on the GPU, if the device can tell */
	bool knows_neighbours;
	uint32_t neighbours;
	/* The time of one launch of an empty kernel, timed in the same way; only if the
	   fastest finalist takes less than AT_SHORT_NS. */
	double empty_ns;
	double empty_graph_ns; /* the same in a graph; 0: the device has no graphs */
	/* If energy was measured: the idle GPU's power before it, and the GPU's lowest
	   and highest temperatures in the windows (both 0: unknown). */
	double idle_watts;
	double least_celsius;
	double most_celsius;
};

/* Below this time the launch overhead is a large enough part to be reported. */
#define AT_SHORT_NS 10000.0

/* How a configuration was verified beyond one launch whose output was compared. All
   zero for a timed evaluation, and for a configuration that failed. */
struct at_measure_verification {
	uint32_t data_sets; /* input sets, each with its own expected output */
	/* how many other patterns (enum at_data_pattern) had expected outputs that are
	   not vacuous */
	uint32_t patterns;
	bool was_cut; /* pattern_seconds left some data out */
	bool guarded; /* buffers began and ended at unmapped memory */
	bool zones; /* zones and poison of changing signs and sizes */
	bool crowded; /* while another kernel occupied a share of the multiprocessors */
	uint32_t launches; /* launches whose output was compared */
	/* In all data, each expected output was one number or the buffer's old
	   contents: nothing was verified. */
	bool is_vacuous;
	/* inputs whose contents were the same in all data: "rows, cols"; else "" */
	char only_for[160];
};

/*
 * The result of an evaluation.
 *
 * `raced`: the configuration cannot win and was dropped as soon as that was clear. One
 * verification passed, but its time must not be compared with others (no ratios, no
 * effects of parameters). It only says that the configuration is at least that much
 * slower than the incumbent. sample_count tells where a raced time comes from:
 *
 *   1     One launch before any sampling. Either the launch of the verification, by the
 *         host's clock: an upper bound that includes the cost of a first launch (up to
 *         2 ms; the configuration was too slow even without it). Or the launch of the
 *         warm-up, by the device's clock.
 *   2..   That many samples like those of any other configuration.
 */
struct at_measure_result {
	enum at_outcome outcome;
	char detail[512]; /* one line; "" when OK */
	uint32_t sample_count;
	/* the time of one launch, as the mean over a sample's launches, in the order
	   taken; on the heap */
	double *samples_ns;
	uint32_t launches_per_sample;
	bool raced;
	bool was_pruned; /* in an audit: racing would have dropped it (sooner) */
	/* the median; in finals the geometric mean of the blocks; 0 if not timed */
	double time_ns;
	/* The 95 % interval of the median (statistics.h); in finals that of the blocks.
	   NAN with fewer than six samples or with one block; 0 if not timed. */
	double low_ns;
	double high_ns;
	/* in finals: the median of each block's samples */
	uint32_t block_count;
	double blocks_ns[AT_BLOCKS_MAX];
	/* in finals that measure energy: the energy of one launch, in each block */
	double blocks_joules[AT_BLOCKS_MAX];
	/* Energy cannot be measured on this device now: NOT_APPLICABLE in all results,
	   and the detail says why. It says nothing about the configurations. */
	bool energy_refused;
	/* in finals, below AT_SHORT_NS: the time of a launch in a graph of many; 0: the
	   device has no graphs */
	double graph_ns;
	/* in finals: the state of the GPU, the same in all results */
	struct at_measure_conditions conditions;
	/* The largest |actual - expected| / (|expected| + mean magnitude of the
	   output), over all outputs. */
	double max_relative_error;
	/* For the baseline, one line each for people: the tolerances of its outputs,
	   and what is suspicious about them; else "" */
	char judged[1024];
	char warnings[512];
	uint64_t measure_ns; /* wall time of the evaluation */
	uint64_t clock_hz; /* right after the samples; 0: unknown, or raced */
	bool throttled;
	struct at_measure_verification verified;
	/* of at_measure_context_count(): AT_COUNTER_COUNT values for each launch of the
	   configuration (device/counters.h), on the heap */
	uint32_t counter_count;
	double *counters;
	/* the device or its buffers can no longer be trusted: end the process */
	bool device_lost;
	/* The device can be trusted, but a kernel changed its process: end the process
	   anyway. The worker sets it, not evaluate() or finals(). */
	bool left_traces;
};

#define AT_FINALISTS_MAX 16

struct at_measure_context;

/*
 * Allocates the buffers, fills the inputs and runs the reference. The setup is borrowed
 * until at_measure_context_free(). beside: NULL, or any other bench of this device with
 * the same support image. The two then share the tuner's own kernels and the flush
 * buffer, and may be freed in any order.
 *
 * AT_ENOMEM: no room, on the device or on the host. Nothing is kept, and the device
 * works as before: free other benches and try again (with a cleared err), or give up.
 * AT_EOVERFLOW: a buffer exceeds any device. AT_EDEVICE, AT_EINVAL, AT_ENOENT, AT_EIO:
 * the reference cannot run, writes outside its buffers, or leaves floating-point
 * outputs unwritten; the device may then be lost. Integers that the reference leaves
 * unwritten make all configurations `unstable`.
 */
enum at_status at_measure_context_new(struct at_device *device,
	const struct at_measure_setup *setup, struct at_measure_context *beside,
	struct at_measure_context **out, struct at_error *err);
void at_measure_context_free(struct at_measure_context *self);
/* The device memory in bytes that this bench holds, not counting what benches share. */
uint64_t at_measure_context_bytes(const struct at_measure_context *self);

/*
 * Verifies one configuration and, unless request->verify_only, measures it. *result
 * gets the outcome (release it). The function itself fails only with AT_ENOMEM and
 * outcome NONE: this machine ran out of memory, or scratch does not fit next to other
 * benches. Free some and try again. Scratch that would not fit even alone makes the
 * configuration not applicable.
 */
enum at_status at_measure_context_evaluate(struct at_measure_context *self,
	const struct at_measure_request *request, struct at_measure_result *result,
	struct at_error *err);

struct at_measure_finals {
	uint32_t blocks; /* 1 to AT_BLOCKS_MAX */
	uint32_t rounds; /* in each block, at least 1 */
	/* Time for all blocks in equal shares: a block that has used its share begins
	   no further round. The first round of each block always runs. */
	double seconds;
	uint64_t seed;
	/* When continuing earlier finals of the same requests: the number of their
	   blocks, and each finalist's launches per sample, so that blocks are
	   comparable. Else 0: a warm-up finds the launches. */
	uint32_t begin;
	uint32_t launches[AT_FINALISTS_MAX];
	/* What one launch of all requests takes together, if known; else 0. The
	   caller's deadline allows for it; the bench does not use it. */
	double launch_seconds;
	/* no finals: call at_measure_context_count() of the requests; all else is 0 */
	bool counts;
	/* above 0: after its rounds each block measures the energy of each finalist in
	   a window of at least this length; this time is not part of `seconds` */
	double energy_seconds;
};

/* An upper bound in seconds for the energy windows of finals: for deadlines. */
double at_measure_energy_seconds(const struct at_measure_finals *how, size_t count);

/*
 * The finals (confirmation runs) sample the possible winners again, in blocks of
 * rounds. Each block moves all buffers, then loads and verifies every module anew. Each
 * round samples every request once, in a shuffled order, so that drift affects all
 * alike. A request whose samples are all far from the best gets few samples in later
 * blocks.
 *
 * results[i] gets its samples in the order taken, and each block's median. Blocks are
 * paired by index across requests; rounds need not be. All requests must have passed
 * evaluate() before. A request that was not sampled has no samples. If the device was
 * lost, all results have device_lost set. AT_ENOMEM as for evaluate(): all results are
 * then empty.
 */
enum at_status at_measure_context_finals(struct at_measure_context *self,
	const struct at_measure_request *requests, size_t count,
	const struct at_measure_finals *how, struct at_measure_result *results,
	struct at_error *err);

/*
 * Reads the hardware counters of the requests one after another, each in as many
 * launches as the counters need, from verified and restored memory. NOT_APPLICABLE: the
 * counters cannot be read, and the detail says why; else the outcomes of evaluate().
 * Nothing may be timed in this process afterwards (left_traces is set). AT_ENOMEM as
 * for evaluate().
 */
enum at_status at_measure_context_count(struct at_measure_context *self,
	const struct at_measure_request *requests, size_t count,
	struct at_measure_result *results, struct at_error *err);

/* Tables (base/fields.h) of the members that are sent between processes. */
extern const struct at_fields at_measure_result_fields;
extern const struct at_fields at_measure_finals_fields;
/*
 * at_fields_hash() takes the members that decide the verdict or the time of an
 * evaluation: arguments with their fills, tolerances and bindings; the reference;
 * geometries and arguments of calls; cache mode; the seed of the fills; files and
 * libraries by their contents, hashed by the caller (zero: none). It omits images and
 * symbols (the caller hashes the units), sampling limits, the incumbent, names and
 * paths.
 */
extern const struct at_fields at_measure_setup_fields;
extern const struct at_fields at_measure_request_fields;

/* The timed launch with this index; below 1 + more_count. */
struct at_measure_call *at_measure_launch(
	const struct at_measure_request *self, size_t index);
/* Whether the request times more than one launch of a space's first kernel. */
bool at_measure_is_sequence(const struct at_measure_request *self);
/* at_fields_hash() of a request and, if it is a sequence, of its launches. */
void at_measure_request_hash(
	const struct at_measure_request *self, struct at_hasher *hasher);

void at_measure_setup_release(struct at_measure_setup *self);
void at_measure_request_release(struct at_measure_request *self);
void at_measure_result_release(struct at_measure_result *self);

/* The source of the fill, comparison and flush kernels, for every toolchain. */
extern const unsigned char at_embedded_support[];
extern const size_t at_embedded_support_size;
/* The names of these kernels; compile them with at_measure_support_options. */
extern const char *const at_measure_support_kernels[];
extern const size_t at_measure_support_kernel_count;
extern const char *const at_measure_support_options[];
extern const size_t at_measure_support_option_count;

#endif
