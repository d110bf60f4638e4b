/*
 * What the files of this folder share: the device behind the `cuda` row of the
 * registry. Nothing outside includes this, except tests that bring a driver of
 * their own.
 * Threads: one device, one thread.
 */
#ifndef AT_DEVICE_CUDA_CUDA_DEVICE_H
#define AT_DEVICE_CUDA_CUDA_DEVICE_H

#include "device/cuda/driver.h"
#include "device/cuda/nvml.h"
#include "device/device.h"

/*
 * A word in pinned host memory that the stream can be made to wait for, so that
 * everything is queued before any of it runs. Each closing takes the next ticket;
 * opening writes it.
 */
struct at_cuda_gate {
	volatile uint32_t *word; /* NULL: this driver cannot wait for memory */
	unsigned long long address; /* of the word, for the device */
	uint32_t ticket; /* of the last closing */
	bool closed;
	unsigned queued; /* calls behind the closed gate */
};

struct at_cuda_device {
	struct at_device base; /* first: the functions get a pointer to it */
	const struct at_cuda_driver *driver;
	int device;
	struct CUctx_st *context;
	struct CUstream_st *stream;
	struct CUevent_st *start;
	struct CUevent_st *stop;
	struct at_cuda_gate gate;
	bool has_copied; /* within the device */
	struct at_nvml *nvml;
	/* kernelParams of one launch */
	void **parameters;
	size_t parameter_capacity;
};

struct at_memory {
	unsigned long long address;
	uint64_t bytes;
};

struct at_kernel {
	struct at_kernel *next;
	char *name;
	struct CUfunc_st *function;
	bool arguments_known;
	size_t argument_count;
	uint32_t shared_limit_bytes; /* dynamic; raised as launches need it */
};

struct at_module {
	struct CUmod_st *module;
	struct at_kernel *kernels;
};

static inline struct at_cuda_device *at_cuda_device_of(struct at_device *base)
{
	return (struct at_cuda_device *)base;
}

/*
 * Opens device number index of a driver that was started; the driver must outlive
 * the device.
 */
enum at_status at_cuda_open_with(const struct at_cuda_driver *driver, unsigned index,
	struct at_device **out, struct at_error *err);

/* The same without a context: see begin() of at_device_kind. */
enum at_status at_cuda_begin_with(const struct at_cuda_driver *driver, unsigned index,
	struct at_device **out, struct at_error *err);

/* info.c: fills base.info; the NVML handle is opened here. */
enum at_status at_cuda_read_info(
	struct at_cuda_device *self, unsigned index, struct at_error *err);
/* "580.159.04" out of the text of /proc/driver/nvidia/version; "" when not there. */
void at_cuda_parse_version(const char *text, char *buffer, size_t size);

/* gate.c. Without support the gate is never closed and nothing fails. */
void at_cuda_gate_init(struct at_cuda_device *self);
void at_cuda_gate_release(struct at_cuda_device *self);
/* From here on the stream waits. */
unsigned at_cuda_gate_close(struct at_cuda_device *self);
void at_cuda_gate_open(struct at_cuda_device *self);
/* Says that one more call was queued; opens a gate behind which too many wait. */
void at_cuda_gate_count(struct at_cuda_device *self);

/* launch.c: the slots of the same names. */
enum at_outcome at_cuda_run(struct at_device *base, const struct at_invocation *calls,
	size_t count, struct at_error *err);
enum at_outcome at_cuda_time(struct at_device *base, const struct at_invocation *before,
	size_t before_count, const struct at_invocation *timed, size_t timed_count,
	unsigned launches, double *duration_ns, struct at_error *err);
enum at_outcome at_cuda_time_copy(struct at_device *base, struct at_memory *to,
	struct at_memory *from, uint64_t bytes, unsigned copies, double *duration_ns,
	struct at_error *err);

/* cuda.c: whether a copy stays inside; AT_EINVAL with both sizes in err. */
enum at_status at_cuda_check_range(const struct at_memory *memory,
	uint64_t offset_bytes, uint64_t bytes, struct at_error *err);

/*
 * What a refused call of load or launch means for the configuration: a code that
 * leaves the context usable, or else AT_OUTCOME_CRASHED. With text in err.
 */
enum at_outcome at_cuda_refuse(const struct at_cuda_device *self, struct at_error *err,
	const char *what, unsigned code);

#endif
