/*
 * A shared object that kernel/cxx.c made, loaded into this process.
 * Threads: load and unload from one thread.
 */
#ifndef AT_DEVICE_HOST_IMAGE_H
#define AT_DEVICE_HOST_IMAGE_H

#include "base/error.h"
#include "device/device.h"
#include "device/host/shared.h"
#include "kernel/host_dialect.h"

struct at_kernel {
	const struct at_host_kernel *entry;
	const struct at_module *module;
};

struct at_module {
	void *handle; /* the loader's */
	int file; /* keeps its name taken; -1: none */
	struct at_host_shared shared;
	/* what kernels can write, besides thread-local data */
	struct at_range variables[4];
	size_t variable_count;
	struct at_range code;
	unsigned kernel_count;
	struct at_kernel *kernels;
};

/* AT_EINVAL for what is no such image (with the loader's own words). */
enum at_status at_host_image_load(const unsigned char *bytes, size_t size,
	struct at_module **out, struct at_error *err);
/* A variable declared __constant__; NULL: there is none of that name. */
void *at_host_image_variable(
	const struct at_module *self, const char *name, size_t *bytes);
void at_host_image_unload(struct at_module *self);

#endif
