/*
 * An image of device `host`: a shared object that kernel/cxx.c made, loaded into this
 * process.
 * Threads: load and unload on one thread.
 */
#ifndef AT_DEVICE_HOST_IMAGE_H
#define AT_DEVICE_HOST_IMAGE_H

#include "base/error.h"
#include "device/device.h"
#include "kernel/host_dialect.h"
#include "kernel/variables.h"

/*
 * Where an image's shared memory lies. Shared variables have offsets from 0, with gaps
 * between them that no kernel may touch; dynamic shared memory has one offset of its
 * own (see kernel/host_dialect.h).
 */
/* A part between two variables that belongs to neither. */
struct at_host_gap {
	size_t offset;
	size_t bytes;
};

struct at_host_shared {
	size_t static_bytes; /* up to the end of the last variable */
	size_t alignment; /* that the variables need; a power of two */
	size_t dynamic_offset; /* 0: the image has no dynamic shared memory */
	size_t gap_count;
	struct at_host_gap *gaps; /* ascending; on the heap */
};

struct at_kernel {
	const struct at_host_kernel *entry;
	const struct at_module *module;
};

struct at_module {
	void *handle; /* from dlopen() */
	int file; /* kept open so that its name is not taken again; -1: none */
	struct at_host_shared shared;
	/* what kernels can write, except thread-local data */
	struct at_range variables[4];
	size_t variable_count;
	struct at_image_variables names; /* of the single ones */
	uint64_t base; /* what to add to an address in the file */
	struct at_range code; /* the executable segment */
	unsigned kernel_count;
	struct at_kernel *kernels;
};

/*
 * The slots load and unload. The status of an error: AT_EINVAL when it is no image of
 * this kind, with the loader's message; AT_ENOMEM when the machine lacks memory, files
 * or disk.
 */
enum at_outcome at_host_load(struct at_device *device, const unsigned char *bytes,
	size_t size, struct at_module **out, struct at_error *err);
void at_host_unload(struct at_device *device, struct at_module *self);
/*
 * Finds a variable that launches can read anew, by its name in C++ (see
 * kernel/variables.h), and its size; NULL when the image has none of that name. A
 * variable that the compiler takes for a constant is not found.
 */
void *at_host_image_variable(
	const struct at_module *self, const char *name, size_t *bytes);
#endif
