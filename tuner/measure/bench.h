/* What the files of measure/ share; nobody outside includes it. */
#ifndef AT_MEASURE_BENCH_H
#define AT_MEASURE_BENCH_H

#include "measure/measure.h"

/* on both sides of every buffer; wide enough for a row of a tile gone astray */
#define ZONE_BYTES 65536u
#define CANARY 0xc5u
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
	SUPPORT_COUNT
};

struct buffer {
	struct at_memory *memory; /* NULL: a scalar, or not there yet */
	uint64_t bytes;           /* without the zones */
	uint64_t count;           /* elements */
	uint64_t checksum;        /* of inputs, as filled */
	struct at_memory *expected; /* of outputs: what the reference gives */
	struct at_memory *original; /* of inputs that come from a file */
};

struct at_bench {
	struct at_device *device;
	const struct at_measure_setup *setup;
	struct at_module *support;
	struct at_kernel *kernels[SUPPORT_COUNT];
	struct buffer *buffers; /* one an argument */
	struct at_memory *scratch; /* four u64: results of checks */
	struct at_memory *flush;
	uint64_t flush_bytes;
	uint64_t last_busy_ns; /* when the device last did something */
};

/* One invocation of a support kernel and the storage of its arguments. */
struct support_call {
	struct at_invocation invocation;
	struct at_parameter_value values[8];
};

/* One invocation of a kernel of the template and the storage of its arguments. */
struct bound_call {
	struct at_invocation invocation;
	struct at_parameter_value *values;
};

uint64_t buffer_address(const struct at_bench *self, size_t argument);

void support_fill(struct at_bench *self, size_t argument, uint64_t address,
	struct support_call *call);
void support_pattern(struct at_bench *self, uint64_t address, uint64_t bytes,
	unsigned pattern, struct support_call *call);
void support_flush(struct at_bench *self, struct support_call *call);
/* Runs one check kernel that adds into results[0..4), zeroed but results[1] = ~0. */
enum at_outcome support_check(struct at_bench *self, enum support_kernel kernel,
	const struct at_parameter_value *values, size_t value_count, uint64_t items,
	uint64_t results[4], struct at_error *err);
enum at_outcome support_checksum(struct at_bench *self, size_t argument, uint64_t *sum,
	struct at_error *err);
struct at_parameter_value value_u64(uint64_t value);
struct at_parameter_value value_u32(uint32_t value);
struct at_parameter_value value_real(double value);

enum at_status bound_call_init(struct at_bench *self, struct at_module *module,
	const struct at_measure_call *call, const struct at_measure_binding *bindings,
	bool expected_outputs, struct bound_call *out, struct at_error *err);
void bound_call_release(struct bound_call *self);

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
enum at_outcome bench_restore(struct at_bench *self, unsigned poison, struct at_error *err);

/* Compares outputs, zones and inputs with what they must be. */
enum at_outcome verify_outputs(struct at_bench *self, struct at_measure_result *result,
	struct at_error *err);
/* prepare, kernel, finish from poisoned outputs, then verify_outputs(). */
enum at_outcome verify_once(struct at_bench *self, const struct candidate *candidate,
	unsigned poison, struct at_measure_result *result, struct at_error *err);

/* Warm-up and samples of a candidate that has been verified. */
enum at_outcome sample_candidate(struct at_bench *self, const struct candidate *candidate,
	const struct at_measure_request *request, struct at_measure_result *result,
	struct at_error *err);
/* How many launches one sample takes, given about how long one lasts. */
unsigned sample_launches(const struct at_bench *self, const struct candidate *candidate,
	double time_ns);
/* One sample, time of one launch. */
enum at_outcome sample_once(struct at_bench *self, const struct candidate *candidate,
	unsigned launches, double *time_ns, struct at_error *err);

#endif
