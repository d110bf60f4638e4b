/*
 * An image of device `host`: a shared object made by kernel/cxx.c, loaded into this
 * process. Threads: load and unload on one thread.
 */
#ifndef AT_DEVICE_HOST_IMAGE_H
#define AT_DEVICE_HOST_IMAGE_H

#include "base/error.h"
#include "device/device.h"
#include "kernel/host_dialect.h"
#include "kernel/variables.h"

/*
 * The layout of an image's shared memory. Shared variables have offsets from 0, with
 * gaps between them that no kernel may touch; dynamic shared memory has a separate
 * offset (see kernel/host_dialect.h).
 */
/* A part between two variables that belongs to neither. */
struct at_host_gap {
	size_t offset;
	size_t bytes;
};

struct at_host_shared {
	size_t static_bytes; /* up to the end of the last variable */
	size_t alignment; /* of the variables; a power of two */
	size_t dynamic_offset; /* 0: no dynamic shared memory */
	size_t gap_count;
	struct at_host_gap *gaps; /* ascending; on the heap */
};

struct at_kernel {
	const struct at_host_kernel *entry;
	const struct at_module *module;
};

struct at_module {
	void *handle; /* from dlopen() */
	int file; /* kept open so that its name is not reused; -1: none */
	struct at_host_shared shared;
	/* writable by kernels, without thread-local data */
	struct at_range variables[4];
	size_t variable_count;
	struct at_image_variables names; /* of the single ones */
	uint64_t base; /* added to addresses in the file */
	struct at_range code; /* the executable segment */
	unsigned kernel_count;
	struct at_kernel *kernels;
};

/* The slots load and unload. Errors: AT_EINVAL: not an image of this kind, with the
   loader's message; AT_ENOMEM: the machine lacks memory, files or disk. */
enum at_outcome at_host_load(struct at_device *device, const unsigned char *bytes,
	size_t size, struct at_module **out, struct at_error *err);
void at_host_unload(struct at_device *device, struct at_module *self);
/* Finds a variable that launches can reread, by its C++ name (see kernel/variables.h),
   and its size; NULL: not found, also if the compiler turned it into a constant. */
void *at_host_image_variable(
	const struct at_module *self, const char *name, size_t *bytes);
#endif
