/*
 * Verifying and measuring configurations on one device.
 *
 * A bench holds, for one problem: the device, its buffers with canary zones on
 * both sides, and the output of the reference. It takes one configuration after
 * the other:
 *
 *   at_measure_context_new(device, &setup, NULL, &bench, &err);
 *   at_measure_context_evaluate(bench, &request, &result, &err);   (any number of
 * times) at_measure_context_free(bench);
 *
 * Several benches, one for each problem, can live on one device side by side. Each
 * keeps its own buffers and the output of its own reference.
 *
 * Setups and requests are plain data in which all expressions have been evaluated. A
 * bench knows neither spaces nor strategies, and not which kind of device it runs on.
 * It lives in a measure worker; the process that watches the worker keeps the
 * deadlines. Sizes are in bytes or elements as named, times in nanoseconds.
 *
 * Memory that runs out on this machine says nothing about a configuration, so it is
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

/*
 * The kinds of input data that verifications use. Each pattern exposes mistakes that
 * harmless data would hide. All values lie in the range of the argument's fill, or in
 * its domain where the space gives one.
 */
#define AT_DATA_PATTERNS(X) \
	X(DECLARED, "declared") /* the fill as the space says */ \
	X(SPIKES, "spikes") /* few large among small: each one that is lost shows */ \
	X(EQUAL, "equal") \
	X(ALTERNATING, "alternating") /* signs, or low and high, in turns */ \
	X(EXTREMES, "extremes") /* low or high, at random */ \
	X(ASCENDING, "ascending") \
	X(DESCENDING, "descending") \
	X(EDITED, "edited") /* as declared, with a few pieces changed */ \
	X(REVERSED, "reversed") /* as declared, last element first: same sums */ \
	X(TIMED, "timed, edited") /* the timed data with a few pieces changed */ \
	X(ZEROED, "zeroed") /* as declared, with zeros in pieces and at the end */ \
	X(RELATED, "related") /* inputs of one fill hold the same values, shifted */ \
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
 * What the inputs of a bench hold. The timed data is { AT_DATA_DECLARED, setup->seed };
 * in the setup of a verification its seed is setup->timed_seed. Under any other seed
 * constants and sequences vary as well, where that is safe.
 */
struct at_data {
	enum at_data_pattern pattern;
	uint64_t seed;
	/* 1..setup->set_count: use the fills of sets[set - 1], with pattern DECLARED;
	   0: use the arguments' own fills */
	uint32_t set;
	/* For timed data: integers that are not random stay as they are. They may be
	   lengths, row offsets or numbers of steps, which decide how long the kernel
	   takes. */
	bool keeps_shape;
};

struct at_measure_setup;
/* The access of an argument; for a field, that of its structure. */
enum at_access at_data_access(const struct at_measure_setup *setup, size_t argument);

/* The fill of one argument in a data set that the space defines. */
struct at_measure_fill {
	enum at_fill_kind kind; /* NONE: the argument keeps its own */
	double a;
	double b;
	char *file; /* fill from a file; else "" */
	struct at_hash contents; /* hash of that file; zero: not computed */
};

/* A data set that the space defines: winners are verified on it too. */
struct at_measure_set {
	char *name;
	uint32_t fill_count; /* as many as there are arguments */
	struct at_measure_fill *fills;
};

/* The least relative tolerance that outputs of this type get by default. */
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
	 * has_fields: the argument is a structure. Its memory is plain bytes; its
	 * fields, which are arguments that follow it, are filled and compared.
	 * owner: for a field, 1 + the index of its structure; else 0. A field uses the
	 * structure's access and memory (its own access is NONE, and the count of its
	 * binding is the structure's). offset_bytes is where it lies in each element.
	 */
	bool has_fields;
	uint32_t owner;
	uint32_t offset_bytes;
	/* The elements of a row, where rows have padding that belongs to no element,
	   and the bytes from one row to the next; 0: the elements follow each other. */
	uint32_t width;
	uint32_t pitch_bytes;
	/* A scalar or a field that is a pointer: 1 + the index of the buffer; else 0.
	 */
	uint32_t points_to;
	bool has_map; /* a tensor map describes the buffer */
	bool has_texels; /* the buffer may be linear memory of a texture */
	bool is_fixed; /* filled as declared in all data; only random numbers differ */
	bool begins_rows; /* a sequence: in verifications of uneven steps, some 0 */
	bool has_domain; /* patterns take values from low to high, both included */
	double domain_low;
	double domain_high;
	/* Inputs: the variable of the module that gets a copy of the contents; else ""
	 */
	char *symbol;
	/*
	 * Outputs: a value is right within atol + rtol |expected|. NAN: the default.
	 * Then atol is rtol times the mean magnitude of the expected values, and rtol
	 * follows from the rounding errors that were observed (measure/reference.c).
	 */
	double rtol;
	double atol;
	/* The part of an output's values that may be off by any amount, since rounding
	   decides them: a class, a count of steps. Rounded up to whole values. */
	double outliers;
};

/* The most bytes of a row, and numbers in it: the layout of support.c has 24 bits. */
#define AT_ROW_BYTES_MAX ((1u << 24) - 1)

/* The memory of so many elements, with the padding of their rows. */
uint64_t at_measure_bytes(const struct at_measure_argument *self, uint64_t count);

/* A file larger than this is not read as a reference library. */
#define AT_LIBRARY_BYTES_MAX ((uint64_t)4 << 30)

/* The most elements of an array of pointers, which is put together on the host for each
   candidate. */
#define AT_POINTERS_MAX (UINT64_C(1) << 20)

/* The part of an argument that a configuration may decide. */
struct at_measure_binding {
	uint64_t count; /* buffers: elements, at least 1; only scratch may vary */
	/* Scalars, as the kernel's parameter holds them. Pointers: the offset in bytes
	   and, where count is not 0, an array of so many, the distance of the next one.
	 */
	unsigned char value[16];
	struct at_tensor_map map;
	struct at_texture texture;
};

/* A scalar that a launch gets in place of its binding: its value at one step. */
struct at_measure_value {
	uint32_t argument;
	struct at_measure_binding binding;
};

struct at_measure_call {
	char *symbol; /* "": there is no such call */
	struct at_geometry geometry;
	uint32_t argument_count;
	uint32_t *arguments; /* indices */
	/* Of a launch that is timed: its index in at_spec.calls, the first call of the
	   same kernel, */
	uint32_t call;
	uint32_t kernel;
	/* how often it follows itself, and the pairs of arguments whose buffers change
	   places after each time. */
	uint32_t repeats;
	uint32_t swap_count; /* of indices */
	uint32_t *swaps;
	uint32_t value_count;
	struct at_measure_value *values;
	/* For the record alone, and in no message: registers of a thread, and static
	   shared memory of a block; 0: not known, or none. */
	int64_t registers;
	int64_t static_shared_bytes;
};

/* The most launches whose scalars differ from repeat to repeat: each is bound by
 * itself.
 */
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
	unsigned char *support_image; /* measure/support.cu for this device */
	size_t support_bytes;
	enum at_reference_kind reference; /* NONE: nothing is compared */
	unsigned char *reference_image;
	size_t reference_bytes;
	struct at_measure_call reference_call;
	/*
	 * Only for AT_REFERENCE_KERNEL, and optional: the reference kernel compiled
	 * with float as another name of double. Where its output agrees with the
	 * reference's, its values, rounded to float, become the expected ones. Where it
	 * disagrees or does not run, the reference in float is used alone.
	 */
	unsigned char *wide_image;
	size_t wide_bytes;
	char *float64_symbol;
	bool widens_narrow; /* it reads and writes narrow reals as doubles, too */
	char *library; /* of AT_REFERENCE_LIBRARY */
	struct at_hash library_contents; /* hash of the library; zero: not computed */
	char *function;
	uint32_t file_count;
	struct at_measure_file *files;
	uint64_t seed;
	/* In the verification of a problem that is also timed: the seed of the timed
	   data; else 0 */
	uint64_t timed_seed;
	/* Winners are verified on it and nothing else: its buffers may lie anywhere. */
	bool is_for_verifications;
	enum at_cache_mode cache;
	uint32_t set_count; /* for verifications of winners: see struct at_data */
	struct at_measure_set *sets;
	/* The process runs under a checker that watches every access, such as
	   compute-sanitizer. Each buffer is then an ordinary allocation of exactly its
	   size without zones, everything but the inputs stays as it was allocated, so
	   that the checker sees reads of unset memory, and launches are few. */
	bool watched;
	/* A folder of units (kernel/units.h) that keeps the outputs of a slow
	   reference; NULL: none. Borrowed, and in no message. */
	const char *units;
};

struct at_measure_request {
	unsigned char *image;
	size_t image_bytes;
	/* What is timed as one: a kernel, and in a sequence the launches behind it. */
	struct at_measure_call kernel;
	uint32_t more_count;
	struct at_measure_call *more;
	struct at_measure_call prepare;
	struct at_measure_call finish;
	struct at_measure_binding *bindings; /* as many as the setup has arguments */
	uint32_t binding_count;
	uint32_t samples_min; /* at least 1 */
	uint32_t samples_max;
	double sampling_seconds; /* stop sampling after so long; at least samples_min */
	/* The evaluation, or the verification, is ended if it has no answer after so
	   long; 0: no limit. A verification leaves out patterns of data rather than
	   miss it. */
	double deadline_seconds;
	/* The time of the fastest configuration so far: one that cannot beat it is
	   dropped early. 0: no racing, as for the baseline and for any configuration
	   whose time will be compared with others. */
	double incumbent_ns;
	/* Measure on even what racing would drop, and set was_pruned in the result:
	   this shows what racing misses. What one launch called hopeless is dropped if
	   two samples say so as well, and anything else is measured in full. */
	bool audit;
	bool verify_only;
	uint64_t seed; /* of thread orders on devices that can shuffle */
	bool is_baseline; /* the result's judged and warnings are wanted */
};

/* The most blocks that finals have. */
#define AT_BLOCKS_MAX 72

/* The state of the board while finals were sampled; 0 where the device has no answer.
 */
struct at_measure_conditions {
	uint64_t first_clock_hz; /* after the first round */
	uint64_t last_clock_hz; /* after the last */
	/* Rounds in which the board was throttled. As many as there are blocks are
	   taken again (repeated_rounds); the others were kept (throttled_rounds). */
	uint32_t repeated_rounds;
	uint32_t throttled_rounds;
	/* why clocks were not at their highest, in any round: AT_CLOCK_REASON_BIT() */
	uint32_t clock_reasons;
	/* the highest clocks that the setting of the board allows, and what they are
	   where the user has set nothing */
	uint64_t set_clock_hz;
	uint64_t default_clock_hz;
	uint64_t set_memory_clock_hz;
	uint64_t default_memory_clock_hz;
	/* other conditions that may differ from night to night */
	double power_limit_watts;
	uint32_t ecc; /* enum at_device_switch */
	bool is_ungated; /* see at_device */
	/* Blocks in which some of the memory stayed where it was in the block before,
	   mostly for want of room: the interval has less of what its place does. */
	uint32_t unmoved_blocks;
	/* other processes that compute on the board, where the device can tell */
	bool knows_neighbours;
	uint32_t neighbours;
	/* The time of one launch of an empty kernel, timed in the same way; only where
	   the fastest finalist takes less than AT_SHORT_NS. */
	double empty_ns;
	double empty_graph_ns; /* the same in a graph; 0: the device has no graphs */
	/* Where energy was measured: the power of the idle board ahead of it, and the
	   board's temperatures in the windows (both 0: not told). */
	double idle_watts;
	double least_celsius;
	double most_celsius;
};

/* Below this time the cost of any launch is a large enough part to be reported. */
#define AT_SHORT_NS 10000.0

/*
 * How a configuration was verified, beyond one launch whose output was compared. All
 * zero for an evaluation that is timed, and for a configuration that failed.
 */
struct at_measure_verification {
	uint32_t data_sets; /* sets of inputs, each with its own expected output */
	/* how many other kinds of data (enum at_data_pattern) whose expected outputs
	   are not vacuous */
	uint32_t patterns;
	bool guarded; /* buffers began and ended at memory that is not mapped */
	bool zones; /* zones and poison of changing signs and sizes */
	bool crowded; /* beside a kernel that took a share of the multiprocessors */
	uint32_t launches; /* launches whose output was compared */
	/* In all data, each expected output was one number or what the buffer held
	   before: nothing was verified. */
	bool is_vacuous;
	/* inputs whose contents were the same in all data: "rows, cols"; else "" */
	char only_for[160];
};

/*
 * The result of an evaluation. `raced`: the configuration cannot win and was dropped as
 * soon as that was clear. It is correct as far as one verification shows, but its time
 * must not be compared with another one (no ratios, no effects of parameters): it only
 * says that the configuration is at least so much slower than the incumbent.
 * sample_count tells where a raced time comes from: 1   one launch before any sampling.
 * Either the launch of the verification, by the host's clock: an upper estimate, with
 * all that a first launch costs (up to 2 ms; the configuration was too slow even
 * without that). Or the launch of the warm-up, by the device's clock. 2.. that many
 * samples like those of any other configuration
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
	bool was_pruned; /* in an audit: it would have been raced, or raced sooner */
	/* the median; in finals the geometric mean of the blocks; 0 unless timed */
	double time_ns;
	/* The 95 % interval of the median (statistics.h); in finals that of the blocks.
	   NAN with fewer than six samples or with one block, for which there is no such
	   interval; 0 unless timed. */
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
	/* in finals: the state of the board during the rounds, the same in all results
	 */
	struct at_measure_conditions conditions;
	/* The largest |actual - expected| / (|expected| + mean magnitude of the
	   output), over all outputs. */
	double max_relative_error;
	/* For the baseline, one line each for people: the tolerances that its outputs
	   are judged by, and what is suspicious about them; else "" */
	char judged[1024];
	char warnings[512];
	uint64_t measure_ns; /* wall time of the evaluation */
	uint64_t clock_hz; /* right after the samples; 0: unknown, or raced */
	bool throttled;
	struct at_measure_verification verified;
	/* of at_measure_context_count(): AT_COUNTER_COUNT values of each launch of the
	   configuration (device/counters.h), on the heap */
	uint32_t counter_count;
	double *counters;
	/* the device or its buffers cannot be trusted any more: end the process */
	bool device_lost;
	/* The device can be trusted, but its process was changed by a kernel: end the
	   process all the same. Set by the worker, not by evaluate() or finals(). */
	bool left_traces;
};

/* The most configurations that take part in finals. */
#define AT_FINALISTS_MAX 16

struct at_measure_context; /* opaque */

/*
 * Allocates the buffers, fills the inputs and runs the reference. The setup is borrowed
 * until at_measure_context_free(). beside: NULL, or any other bench of this device; the
 * two then share the tuner's own kernels and the buffer that empties the cache, and may
 * be freed in any order. The setup of `beside` must have the same support image.
 *
 * AT_ENOMEM: no room, on the device or on the host. Nothing is kept, and the device
 * works as before: free other benches and try again (with a cleared err), or give up.
 * AT_EOVERFLOW: a buffer is larger than any device. AT_EDEVICE, AT_EINVAL, AT_ENOENT,
 * AT_EIO: the reference cannot run, writes outside its buffers, or leaves outputs of
 * reals unwritten (integers that it leaves unwritten make all configurations
 * `unstable`); the device may then be lost.
 */
enum at_status at_measure_context_new(struct at_device *device,
	const struct at_measure_setup *setup, struct at_measure_context *beside,
	struct at_measure_context **out, struct at_error *err);
void at_measure_context_free(struct at_measure_context *self);
/* The device memory that this bench holds now, without what benches share, in bytes. */
uint64_t at_measure_context_bytes(const struct at_measure_context *self);

/*
 * Verifies one configuration and, unless request->verify_only, measures it. What
 * happens to the configuration is the outcome in *result (release it); the function
 * itself fails only with AT_ENOMEM, and then the outcome is NONE: this machine ran out
 * of memory, or scratch does not fit beside other benches. Free some and try again.
 * Scratch that does not fit beside no other bench makes the configuration not
 * applicable.
 */
enum at_status at_measure_context_evaluate(struct at_measure_context *self,
	const struct at_measure_request *request, struct at_measure_result *result,
	struct at_error *err);

/* How finals are held. */
struct at_measure_finals {
	uint32_t blocks; /* 1 to AT_BLOCKS_MAX */
	uint32_t rounds; /* of a block, at least 1 */
	/* Time for all blocks in equal shares: a block that has used its share begins
	   no further round. The first round of each block is held in any case. */
	double seconds;
	uint64_t seed;
	/* Where these go on from earlier finals of the same requests: how many blocks
	   those had, and how many launches a sample of each finalist had, so that the
	   blocks can be compared. Else 0, and the launches are found by a warm-up. */
	uint32_t begin;
	uint32_t launches[AT_FINALISTS_MAX];
	/* What one launch of all requests takes together, as far as that is known;
	   else 0. The deadline of whoever waits allows for it; the bench does not need
	   it. */
	double launch_seconds;
	/* no finals: at_measure_context_count() of the requests; all else is 0 */
	bool counts;
	/* above 0: after its rounds each block measures the energy of each finalist in
	   a window of at least so long; this takes its time beside `seconds` */
	double energy_seconds;
};

/* The most that the windows of finals take altogether, in seconds: for deadlines. */
double at_measure_energy_seconds(const struct at_measure_finals *how, size_t count);

/*
 * The finals: blocks of rounds. Each block begins with other memory for all buffers,
 * and every module is loaded, verified and warmed up anew. In each round every request
 * is sampled once, in a shuffled order, so that drift of the board affects all alike. A
 * request all of whose samples are far from the best gets few samples a block from then
 * on. results[i] gets its samples in the order taken, and the median of each block:
 * blocks are paired by index across requests, rounds need not be. All requests must
 * have passed evaluate() before. A request that was not sampled has no samples; where
 * the device was lost, device_lost is set in all results. AT_ENOMEM as for evaluate():
 * all results are then empty.
 */
enum at_status at_measure_context_finals(struct at_measure_context *self,
	const struct at_measure_request *requests, size_t count,
	const struct at_measure_finals *how, struct at_measure_result *results,
	struct at_error *err);

/*
 * Reads the hardware counters of the requests, one after the other, each in as many
 * launches as the counters need, from verified and restored memory. NOT_APPLICABLE: the
 * counters cannot be read, and the detail says why; else the outcomes of evaluate().
 * Nothing may be timed in this process afterwards: left_traces is set. AT_ENOMEM as for
 * evaluate().
 */
enum at_status at_measure_context_count(struct at_measure_context *self,
	const struct at_measure_request *requests, size_t count,
	struct at_measure_result *results, struct at_error *err);

/* The members that are sent between processes, as tables of base/fields.h. */
extern const struct at_fields at_measure_result_fields;
extern const struct at_fields at_measure_finals_fields;
/*
 * at_fields_hash() takes the members that decide the verdict or the time of an
 * evaluation: arguments with their fills, tolerances and bindings, the reference,
 * geometries and arguments of the calls, cache mode and the seed of the fills; files
 * and libraries by their contents, which the caller has hashed (zero: none). Left out
 * are images and symbols (the caller hashes the units), how long to sample, the
 * incumbent, names and paths.
 */
extern const struct at_fields at_measure_setup_fields;
extern const struct at_fields at_measure_request_fields;

/* Launch number index of those that are timed; below 1 + more_count. */
struct at_measure_call *at_measure_launch(
	const struct at_measure_request *self, size_t index);
/* Whether it is more than the first launch of a space, once. */
bool at_measure_is_sequence(const struct at_measure_request *self);
/* at_fields_hash() of a request, and of its sequence, if it is one. */
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
