/*
 * The shared declarations of this folder: the device of the `cuda` row of the registry,
 * and the functions of its table. Only this folder includes it, and tests with their
 * own driver. Threads: each device is used by one thread.
 */
#ifndef AT_DEVICE_CUDA_CUDA_DEVICE_H
#define AT_DEVICE_CUDA_CUDA_DEVICE_H

#include "device/cuda/cupti.h"
#include "device/cuda/driver.h"
#include "device/cuda/nvml.h"
#include "device/device.h"
#include "kernel/variables.h"

/*
 * The gate: a word in pinned host memory that the stream waits for, so that all
 * launches of a sample can be queued before any of them runs. Each closing makes the
 * stream wait until the word reaches the next ticket; opening writes that ticket to the
 * word.
 */
struct at_cuda_gate {
	/* NULL: this driver cannot make a stream wait for memory */
	volatile uint32_t *word;
	unsigned long long address; /* of the word, for the device */
	uint32_t ticket; /* of the last closing */
	bool closed;
	unsigned queued; /* calls queued behind the closed gate */
};

/* A filler that occupies multiprocessors during the calls of run(); see crowd.c. */
struct at_cuda_crowd {
	struct at_kernel *filler;
	unsigned multiprocessors; /* occupied by the filler; 0: no filler */
	/* per filler block: the maximum of a block */
	uint32_t shared_bytes;
	uint64_t limit_ns; /* the filler's time limit */
	/* the kernel whose last blocks start only after hold_ns; NULL: none */
	const struct at_kernel *held_back;
	uint64_t hold_ns;
	struct CUstream_st *stream;
	uint32_t *words; /* in pinned host memory; NULL: not allocated yet */
	unsigned long long address; /* of the words, for the device */
};

struct at_cuda_device {
	struct at_device base; /* first: the functions get a pointer to it */
	/* of this device: slots of missing features are NULL */
	struct at_device_ops ops;
	const struct at_cuda_driver *driver;
	int device;
	struct CUctx_st *context;
	struct CUstream_st *stream; /* all launches and copies go through it */
	struct CUevent_st *start;
	struct CUevent_st *stop;
	struct at_cuda_gate gate;
	struct at_cuda_crowd crowd;
	/* it has run a copy within the device: the first one sets things up */
	bool has_copied;
	/* the driver rejected resetting persisting lines of the L2 */
	bool resets_no_cache;
	uint64_t aside_bytes; /* L2 set aside for the windows of launches */
	struct at_cuda_array *arrays; /* of textures and surfaces: textures.c */
	uint64_t page_bytes; /* granularity of guarded memory; 0: the device has none */
	/* Whether AT_SPARE_BYTES of addresses are free, and whether this was
	   checked. */
	bool has_asked_for_addresses;
	bool has_spare_addresses;
	struct at_nvml *nvml; /* NULL: NVML is missing */
	/* NULL before the first count() */
	struct at_cupti *cupti;
	/* kernelParams of one launch; grows as needed */
	void **parameters;
	size_t parameter_capacity;
};

struct at_memory {
	unsigned long long address; /* for the device */
	uint64_t bytes; /* of guarded memory: whole pages */
	/* The address range of guarded memory with its guards; reserved_bytes is 0 for
	   memory without guards. */
	unsigned long long reserved;
	uint64_t reserved_bytes;
	enum at_protection protection; /* of guarded memory */
};

struct at_kernel {
	struct at_kernel *next;
	char *name;
	struct CUfunc_st *function;
	bool arguments_known; /* the driver reports argument_count */
	size_t argument_count;
	/* dynamic memory; raised when a launch needs more */
	uint32_t shared_limit_bytes;
	bool has_clusters; /* blocks are placed on several multiprocessors at once */
	bool has_large_clusters; /* clusters of more than 8 blocks were enabled */
	uint32_t carveout; /* the last setting, as in at_attributes */
};

struct at_module {
	struct CUmod_st *module;
	struct at_kernel *kernels;
	/* writable by its kernels; found when the module was loaded */
	struct at_range *variables;
	size_t variable_count;
	bool hides_variables; /* the driver cannot locate some of them */
	struct at_image_variables names; /* for set_symbol() */
};

static inline struct at_cuda_device *at_cuda_device_of(struct at_device *base)
{
	return (struct at_cuda_device *)base;
}

/* Opens device number index, from 0, of a started driver, without a context, which
   wake() makes. The driver must outlive the device. */
enum at_status at_cuda_open_with(const struct at_cuda_driver *driver, unsigned index,
	struct at_device **out, struct at_error *err);

/* info.c: fills in base.info except kind and id, and opens NVML. */
enum at_status at_cuda_read_info(struct at_cuda_device *self, struct at_error *err);
/* Finds the version, such as "580.159.04", in the text of /proc/driver/nvidia/version,
   or "". */
void at_cuda_parse_version(const char *text, char *buffer, size_t size);

/* launch.c. If the driver cannot wait for memory the gate never closes, without an
   error. */
void at_cuda_gate_init(struct at_cuda_device *self);
void at_cuda_gate_release(struct at_cuda_device *self);

/*
 * crowd.c. crowd_begin() starts the filler and returns when it occupies that many
 * multiprocessors; no kernel of the calls may be running. After limit_ns the filler
 * ends by itself. crowd_end() ends it after stay_ns of the device's time, and waits for
 * it; *gave_up: it had reached its time limit. Both return the driver's code.
 */
unsigned at_cuda_crowd_begin(
	struct at_cuda_device *self, unsigned multiprocessors, uint64_t limit_ns);
unsigned at_cuda_crowd_end(
	struct at_cuda_device *self, uint64_t stay_ns, bool *gave_up);
void at_cuda_crowd_release(struct at_cuda_device *self);

/*
 * crowd.c: how to launch a kernel so that as few blocks as possible, but at least one,
 * find no room at first. late_begin() computes this, and raises the kernel's memory
 * limit. False if impossible: a single block, more blocks than fit on the device,
 * clusters. late_end() is called once the launch is queued.
 */
struct at_cuda_late {
	unsigned multiprocessors; /* occupied by the filler */
	/* dynamic memory: more than the launch needs, so that fewer blocks fit on a
	   multiprocessor */
	uint32_t shared_bytes;
};
bool at_cuda_late_begin(struct at_cuda_device *self, const struct at_invocation *call,
	struct at_cuda_late *out);
void at_cuda_late_end(struct at_cuda_device *self, struct at_kernel *kernel);

/* Each sets the slots of its file in self->ops that driver and device support, without
   a context. at_cuda_add_memory() also sets page_bytes. */
void at_cuda_add_memory(struct at_cuda_device *self);
void at_cuda_add_module(struct at_cuda_device *self);
void at_cuda_add_launch(struct at_cuda_device *self);
void at_cuda_add_crowd(struct at_cuda_device *self);
void at_cuda_add_textures(struct at_cuda_device *self);

/* textures.c: queues the copy of an object's buffer to its array, or back for buffers
   that launches write. Returns the driver's code. */
unsigned at_cuda_copy_texels(
	struct at_cuda_device *self, const struct at_texels *texels, bool is_back);

/* AT_EINVAL: a copy would leave the memory, or needs more access than its protection
   allows. needed: the strongest protection that allows such a copy. */
enum at_status at_cuda_check_range(const struct at_memory *memory,
	enum at_protection needed, uint64_t offset_bytes, uint64_t bytes,
	struct at_error *err);

/*
 * launch.c: the outcome for a driver code other than success. Codes after which the
 * context works have specific outcomes; all others are OUT_OF_BOUNDS, TIMED_OUT or
 * CRASHED, and set base.is_lost.
 */
enum at_outcome at_cuda_judge(struct at_cuda_device *self, unsigned code);
/* at_cuda_judge() for a rejected load or launch, with a text in err that begins with
   `what`. */
enum at_outcome at_cuda_refuse(struct at_cuda_device *self, struct at_error *err,
	const char *what, unsigned code);

#endif
