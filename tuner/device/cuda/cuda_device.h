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

/* A filler beside the calls of run(). */
struct at_cuda_crowd {
	struct at_kernel *filler;
	unsigned multiprocessors; /* 0: none */
	uint32_t shared_bytes; /* all that a block can have */
	uint64_t limit_ns;
	struct CUstream_st *stream;
	uint32_t *words; /* pinned; NULL: not made yet */
	unsigned long long address; /* of the words, for the device */
};

struct at_cuda_device {
	struct at_device base; /* first: the functions get a pointer to it */
	struct at_device_ops ops; /* of this device: NULL where it cannot */
	const struct at_cuda_driver *driver;
	int device;
	struct CUctx_st *context;
	struct CUstream_st *stream;
	struct CUevent_st *start;
	struct CUevent_st *stop;
	struct at_cuda_gate gate;
	struct at_cuda_crowd crowd;
	bool has_copied; /* within the device */
	uint64_t page_bytes; /* of guarded memory; 0: there is none */
	struct at_nvml *nvml;
	/* kernelParams of one launch */
	void **parameters;
	size_t parameter_capacity;
};

struct at_memory {
	unsigned long long address;
	uint64_t bytes; /* of guarded memory whole pages */
	/* of guarded memory, guards and all; 0 bytes: it is none */
	unsigned long long reserved;
	uint64_t reserved_bytes;
	enum at_protection protection;
};

struct at_kernel {
	struct at_kernel *next;
	char *name;
	struct CUfunc_st *function;
	bool arguments_known;
	size_t argument_count;
	uint32_t shared_limit_bytes; /* dynamic; raised as launches need it */
	bool has_clusters; /* its blocks are placed several at once */
};

struct at_module {
	struct CUmod_st *module;
	struct at_kernel *kernels;
	/* what its kernels can write, found when it was loaded */
	struct at_range *variables;
	size_t variable_count;
	bool hides_variables; /* there are some that the driver does not find */
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

/* info.c: fills base.info but for its kind and id; the NVML handle is opened here. */
enum at_status at_cuda_read_info(struct at_cuda_device *self, struct at_error *err);
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

/*
 * crowd.c. begin() returns when the filler fills what it was told to; no call of the
 * kernels may be under way. end() after their last: *gave_up when the filler had ended
 * by itself.
 */
enum at_status at_cuda_crowd(struct at_device *base, struct at_kernel *filler,
	unsigned multiprocessors, uint64_t limit_ns, struct at_error *err);
unsigned at_cuda_crowd_begin(struct at_cuda_device *self);
unsigned at_cuda_crowd_end(struct at_cuda_device *self, bool *gave_up);
void at_cuda_crowd_release(struct at_cuda_device *self);

/* launch.c: the slots of the same names. */
enum at_outcome at_cuda_run(struct at_device *base, const struct at_invocation *calls,
	size_t count, struct at_error *err);
enum at_outcome at_cuda_time(struct at_device *base, const struct at_invocation *before,
	size_t before_count, const struct at_invocation *timed, size_t timed_count,
	unsigned launches, double *duration_ns, struct at_error *err);
enum at_outcome at_cuda_time_graph(struct at_device *base,
	const struct at_invocation *calls, size_t count, double *durations_ns,
	size_t samples, struct at_error *err);
enum at_outcome at_cuda_time_copy(struct at_device *base, struct at_memory *to,
	struct at_memory *from, uint64_t bytes, unsigned copies, double *duration_ns,
	struct at_error *err);

/* module.c: the slots of the same names. */
enum at_outcome at_cuda_load(struct at_device *base, const unsigned char *image,
	size_t bytes, struct at_module **out, struct at_error *err);
void at_cuda_unload(struct at_device *base, struct at_module *module);
struct at_kernel *at_cuda_find(
	struct at_device *base, struct at_module *module, const char *symbol);
enum at_outcome at_cuda_set_symbol(struct at_device *base, struct at_module *module,
	const char *name, const void *data, uint64_t bytes, bool *found,
	struct at_error *err);
size_t at_cuda_variables(struct at_device *base, struct at_module *module,
	struct at_range *ranges, size_t room);

/* memory.c: the slots of the same names. */
enum at_status at_cuda_allocate(struct at_device *base, uint64_t bytes,
	struct at_memory **out, struct at_error *err);
void at_cuda_release(struct at_device *base, struct at_memory *memory);
uint64_t at_cuda_address(struct at_device *base, struct at_memory *memory);
enum at_status at_cuda_write(struct at_device *base, struct at_memory *memory,
	uint64_t offset_bytes, const void *data, uint64_t bytes, struct at_error *err);
enum at_status at_cuda_read(struct at_device *base, struct at_memory *memory,
	uint64_t offset_bytes, void *data, uint64_t bytes, struct at_error *err);
enum at_status at_cuda_allocate_guarded(struct at_device *base, uint64_t bytes,
	struct at_memory **out, struct at_error *err);
uint64_t at_cuda_mapped(struct at_device *base, struct at_memory *memory);
enum at_status at_cuda_protect(struct at_device *base, struct at_memory *memory,
	enum at_protection protection, struct at_error *err);
/* Whether these three work here; sets page_bytes. Needs no context. */
bool at_cuda_guards_memory(struct at_cuda_device *self);
/* Whether a copy stays inside and may be; AT_EINVAL. */
enum at_status at_cuda_check_range(const struct at_memory *memory,
	enum at_protection needed, uint64_t offset_bytes, uint64_t bytes,
	struct at_error *err);

/*
 * refusal.c: what a code other than success means for the configuration: one that
 * leaves the context usable, or else OUT_OF_BOUNDS or CRASHED, and base.is_lost is set.
 */
enum at_outcome at_cuda_judge(struct at_cuda_device *self, unsigned code);
/* The same of a refused call of load or launch, with text in err. */
enum at_outcome at_cuda_refuse(struct at_cuda_device *self, struct at_error *err,
	const char *what, unsigned code);

#endif
