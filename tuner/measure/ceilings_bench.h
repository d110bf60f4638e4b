/*
 * What the files of the ceilings share; only they include it. ceilings_bench.c has the
 * buffers and takes one sample of a copy or of chains; ceilings.c makes ceilings of
 * samples.
 */
#ifndef AT_MEASURE_CEILINGS_BENCH_H
#define AT_MEASURE_CEILINGS_BENCH_H

#include "measure/ceilings.h"

#define CEILINGS_KERNELS(X) \
	X(FILL, "at_ceiling_fill") \
	X(CHECK, "at_ceiling_check") \
	X(COPY_WIDE, "at_ceiling_copy_wide") \
	X(COPY_DEEP, "at_ceiling_copy_deep") \
	X(COPY_RUN, "at_ceiling_copy_run") \
	X(FLOAT, "at_ceiling_float") \
	X(DOUBLE, "at_ceiling_double")

enum ceilings_kernel {
#define CEILINGS_ENUM(symbol, name) CEILINGS_##symbol,
	CEILINGS_KERNELS(CEILINGS_ENUM)
#undef CEILINGS_ENUM
		CEILINGS_COUNT
};

#define CEILINGS_CHAIN_THREADS 256u
/* So few blocks are resident at once on every device. */
#define CEILINGS_CHAIN_BLOCKS_PER_PROCESSOR 4u

struct ceilings_bench {
	struct at_device *device;
	struct at_module *module;
	struct at_kernel *kernels[CEILINGS_COUNT];
	bool has_run[CEILINGS_COUNT]; /* it ran once, untimed, as time() demands */
	bool lost; /* the device is lost: nothing of it may be touched any more */
	uint32_t processors;
	uint64_t buffer_bytes;
	struct at_memory *from;
	struct at_memory *to;
	struct at_memory *results; /* one double for each thread of the chains */
	double *read; /* room on the host for these results */
	uint64_t seed; /* of the last fill: no two fills have the same contents */
};

/* What is sampled. */
struct ceilings_task {
	const char *what; /* for messages */
	/* Takes one sample of `repeats` rounds or copies: how long it took, and how
	   many bytes or operations were in it. */
	enum at_status (*sample)(struct ceilings_bench *self,
		const struct ceilings_task *task, double *duration_ns, double *amount,
		struct at_error *err);
	enum ceilings_kernel kernel; /* CEILINGS_COUNT: the device's own copy */
	uint32_t blocks_per_processor;
	uint32_t threads;
	unsigned repeats;
	unsigned repeats_max;
};

/* Loads the kernels and allocates. Call ceilings_close() also where this fails. */
enum at_status ceilings_open(struct ceilings_bench *self, const unsigned char *image,
	size_t bytes, struct at_error *err);
/* Frees everything. Nothing of a lost device is touched: it ends with the process. */
void ceilings_close(struct ceilings_bench *self);

/* The functions for a task's `sample`: one sample each, whose copy is compared, or
   whose operations are counted. */
enum at_status ceilings_sample_copy(struct ceilings_bench *self,
	const struct ceilings_task *task, double *duration_ns, double *bytes,
	struct at_error *err);
enum at_status ceilings_sample_chains(struct ceilings_bench *self,
	const struct ceilings_task *task, double *duration_ns, double *flops,
	struct at_error *err);

#endif
