/* What the files of measure/ share; nobody outside includes it. */
#ifndef AT_MEASURE_BENCH_H
#define AT_MEASURE_BENCH_H

#include "measure/measure.h"

/* on both sides of every buffer; wide enough for a row of a tile gone astray */
#define ZONE_BYTES 65536u
/* each argument's zones hold another byte, 0xc0 to 0xdf: what is copied from behind
   one buffer to behind another shows. None is a likely value: not 0, not 0xff. */
#define CANARY(argument) (0xc5u ^ (unsigned)((argument) % 32))
/* all ones: NaN in every IEEE format, -1 or the largest in integers */
#define POISON 0xffu
/* the second time another one, so that no integer result equals both */
#define POISON_AGAIN 0xa6u

enum support_kernel {
	SUPPORT_FILL,
	SUPPORT_PATTERN,
	SUPPORT_PATTERN_CHECK,
	SUPPORT_CHECKSUM,
	SUPPORT_COMPARE,
	SUPPORT_FLUSH,
	SUPPORT_POISON_SHARED,
	SUPPORT_COUNT
};

struct buffer {
	struct at_memory *memory; /* NULL: a scalar, or not there yet */
	uint64_t bytes; /* without the zones */
	uint64_t count; /* elements */
	uint64_t checksum; /* of inputs, as filled */
	/* the same on this side, of inputs that variables get as well; else NULL */
	void *contents;
	/* of outputs: what the reference gives; NULL where there is no reference */
	struct at_memory *expected;
	uint64_t expected_checksum; /* its zones included */
};

/* What is looked at for an argument; each has a row of results. */
enum check {
	CHECK_BEFORE, /* the zone before the data */
	CHECK_BEHIND,
	CHECK_INPUT, /* the checksum */
	CHECK_EXPECTED, /* the checksum of what the reference gave */
	CHECK_OUTPUT, /* against what the reference gave */
	CHECK_COUNT
};

/* What the kernel of a check adds to: { 0, UINT64_MAX, 0, 0 } before it. */
struct check_row {
	uint64_t words[4];
};

/* One invocation of a support kernel and the storage of its arguments. */
struct support_call {
	struct at_invocation invocation;
	struct at_parameter_value values[8];
};

struct at_bench {
	struct at_device *device;
	const struct at_measure_setup *setup;
	struct at_module *support;
	struct at_kernel *kernels[SUPPORT_COUNT];
	struct buffer *buffers; /* one an argument */
	/* checks are queued, then run with one trip to the device and back */
	struct at_memory *rows; /* CHECK_COUNT an argument, and the flush's sink */
	struct check_row *results; /* as many */
	struct support_call *checks;
	struct at_invocation *invocations; /* of the checks; also of what is restored */
	size_t check_count;
	struct at_memory *flush;
	uint64_t flush_bytes;
	uint64_t last_busy_ns; /* when the device last did something */
	double part_wall_ns; /* what the last trip of a sample took of our time */
};

/* One invocation of a kernel of the template and the storage of its arguments. */
struct bound_call {
	struct at_invocation invocation;
	struct at_parameter_value *values;
};

uint64_t buffer_address(const struct at_bench *self, size_t argument);
/* of a buffer with its zones, for so many bytes of data */
uint64_t zoned_bytes(uint64_t bytes);

void support_fill(struct at_bench *self, size_t argument, uint64_t address,
	struct support_call *call);
void support_pattern(struct at_bench *self, uint64_t address, uint64_t bytes,
	unsigned pattern, struct support_call *call);
void support_flush(struct at_bench *self, struct support_call *call);
/*
 * Poison in the shared memory of all multiprocessors, for whoever runs next and takes
 * it as 0. False where the device does this by itself, or cannot say how much there is.
 */
bool support_poison_shared(struct at_bench *self, struct support_call *call);
/* Queues one; no argument's check twice. */
void check_queue(struct at_bench *self, size_t argument, enum check check,
	enum support_kernel kernel, const struct at_parameter_value *values,
	size_t value_count, uint64_t items);
void check_queue_zones(
	struct at_bench *self, size_t argument, struct at_memory *memory);
void check_queue_input(struct at_bench *self, size_t argument);
void check_queue_expected(struct at_bench *self, size_t argument);
/* Runs what is queued; afterwards check_result() has it. */
enum at_outcome check_run(struct at_bench *self, struct at_error *err);
const uint64_t *check_result(
	const struct at_bench *self, size_t argument, enum check check);

struct at_parameter_value value_u64(uint64_t value);
struct at_parameter_value value_u32(uint32_t value);
struct at_parameter_value value_real(double value);

enum at_status bound_call_init(struct at_bench *self, struct at_module *module,
	const struct at_measure_call *call, const struct at_measure_binding *bindings,
	bool expected_outputs, struct bound_call *out, struct at_error *err);
void bound_call_release(struct bound_call *self);

/*
 * Copies inputs into the variables that a module has for them. Once, when it was
 * loaded: a kernel that writes there spoils its own later launches, and is judged
 * by them.
 */
enum at_outcome bench_set_symbols(
	struct at_bench *self, struct at_module *module, struct at_error *err);

/* A loaded configuration. */
struct candidate {
	struct at_module *module;
	struct bound_call kernel;
	struct bound_call prepare; /* .invocation.kernel NULL: none */
	struct bound_call finish;
};

enum at_outcome candidate_load(struct at_bench *self,
	const struct at_measure_request *request, struct candidate *out,
	struct at_error *err);
void candidate_release(struct at_bench *self, struct candidate *candidate);

/* Fits scratch buffers to this configuration and fills what kernels change. */
enum at_status bench_fit_scratch(struct at_bench *self,
	const struct at_measure_binding *bindings, struct at_error *err);
/*
 * Lists the calls that do so: inout buffers as they were, and unless only those
 * are wanted, poison in outputs and scratch. Both arrays have room for a call an
 * argument. Returns how many.
 */
size_t bench_list_restore(struct at_bench *self, unsigned poison, bool inout_only,
	struct support_call *storage, struct at_invocation *calls);
enum at_outcome bench_restore(
	struct at_bench *self, unsigned poison, struct at_error *err);

/* Looks for writes into zones and inputs in the results of a check_run(). */
enum at_outcome verify_borders(struct at_bench *self, struct at_measure_result *result);
/* Compares outputs, zones and inputs with what they must be. */
enum at_outcome verify_outputs(
	struct at_bench *self, struct at_measure_result *result, struct at_error *err);
/* prepare, kernel, finish from poisoned outputs, then verify_outputs(). */
enum at_outcome verify_once(struct at_bench *self, const struct candidate *candidate,
	unsigned poison, struct at_measure_result *result, struct at_error *err);

/* Warm-up and samples of a candidate that has been verified. */
enum at_outcome sample_candidate(struct at_bench *self,
	const struct candidate *candidate, const struct at_measure_request *request,
	struct at_measure_result *result, struct at_error *err);
/*
 * Launches until the clocks are up: more of them when the board has been idle.
 * *time_ns: about how long one launch lasts. *hopeless: the kernel is so much
 * slower than the incumbent (0: there is none) that no sample is worth taking.
 */
enum at_outcome sample_warm_up(struct at_bench *self, const struct candidate *candidate,
	double incumbent_ns, double *time_ns, bool *hopeless, struct at_error *err);
/* How many launches one sample takes, given about how long one lasts. */
unsigned sample_launches(
	const struct at_bench *self, const struct candidate *candidate, double time_ns);
/* One sample, time of one launch. */
enum at_outcome sample_once(struct at_bench *self, const struct candidate *candidate,
	unsigned launches, double *time_ns, struct at_error *err);

#endif
