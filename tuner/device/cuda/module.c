/* Modules: loading an image, its kernels and its variables. */
#include "device/cuda/cuda_device.h"
#include "base/memory.h"
#include "kernel/cubin.h"
#include "kernel/elf.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Far more arguments than a kernel can have (4 KiB of them, 32 KiB since CUDA 12.1):
   the loop must end even if a driver answers for every index. */
#define ARGUMENT_LIMIT 65536

/* load() and set_symbol() run no kernel, so their contracts have only these two
   outcomes. */
static enum at_outcome refused_or_crashed(const struct at_cuda_device *self)
{
	return self->base.is_lost ? AT_OUTCOME_CRASHED : AT_OUTCOME_LAUNCH_FAILED;
}

/*
 * Locates each variable that kernels can write. Drivers place variables individually,
 * unlike their layout in the image, so a variable unknown to the driver has no known
 * address.
 */
static enum at_status place_variables(const struct at_cuda_driver *driver,
	struct at_module *module, const unsigned char *image, size_t bytes,
	struct at_error *err)
{
	struct at_cubin_variable *variables;
	size_t count;
	enum at_status status =
		at_cubin_variables(image, bytes, &variables, &count, err);

	if (status)
		return status;
	module->variables = at_calloc(count + 1, sizeof(*module->variables));
	for (size_t i = 0; i < count; i++) {
		unsigned long long address;
		size_t size;

		if (driver->module_global(
			    &address, &size, module->module, variables[i].name))
			module->hides_variables = true;
		else if (size > 0)
			module->variables[module->variable_count++] =
				(struct at_range){ address, size };
	}
	free(variables);
	return AT_OK;
}

static size_t cuda_variables(struct at_device *base, struct at_module *module,
	struct at_range *ranges, size_t room)
{
	(void)base;
	if (module->hides_variables)
		return AT_VARIABLES_UNKNOWN;
	for (size_t i = 0; i < room && i < module->variable_count; i++)
		ranges[i] = module->variables[i];
	return module->variable_count;
}

static void free_kernel(struct at_kernel *kernel)
{
	free(kernel->name);
	free(kernel);
}

static void cuda_unload(struct at_device *base, struct at_module *module)
{
	if (!module)
		return;
	(void)!at_cuda_device_of(base)->driver->module_unload(module->module);
	while (module->kernels) {
		struct at_kernel *next = module->kernels->next;

		free_kernel(module->kernels);
		module->kernels = next;
	}
	at_image_variables_release(&module->names);
	free(module->variables);
	free(module);
}

static enum at_outcome cuda_load(struct at_device *base, const unsigned char *image,
	size_t bytes, struct at_module **out, struct at_error *err)
{
	struct at_cuda_device *self = at_cuda_device_of(base);
	struct at_elf cubin = { .file = { image, bytes } };
	struct at_module *module;
	const char *reason;
	unsigned code;

	/* the driver takes no size, and would read past the end of a truncated image */
	reason = at_elf_open_cubin(&cubin);
	if (reason) {
		at_fail(err, AT_EDEVICE, NULL, 0, "this is no cubin: %s", reason);
		return AT_OUTCOME_LAUNCH_FAILED;
	}
	module = at_calloc(1, sizeof(*module));
	code = self->driver->module_load(&module->module, image);
	if (code) {
		(void)!at_cuda_refuse(self, err, "loading the kernel", code);
		free(module);
		return refused_or_crashed(self);
	}
	if (place_variables(self->driver, module, image, bytes, err)) {
		cuda_unload(base, module);
		return AT_OUTCOME_LAUNCH_FAILED;
	}
	at_image_variables_read(image, bytes, &module->names);
	*out = module;
	return AT_OUTCOME_OK;
}

/* Whether the kernel is launched in clusters; false if the driver does not support
   them. */
static bool has_clusters(
	const struct at_cuda_driver *driver, struct CUfunc_st *function)
{
	static const enum at_cuda_function_attribute extents[] = {
		AT_CUDA_FUNCTION_CLUSTER_WIDTH, AT_CUDA_FUNCTION_CLUSTER_HEIGHT,
		AT_CUDA_FUNCTION_CLUSTER_DEPTH
	};
	bool has_some = false;

	for (size_t i = 0; i < AT_COUNT_OF(extents); i++) {
		int extent = 0;

		if (!driver->function_attribute(&extent, extents[i], function) &&
			extent > 1)
			has_some = true;
	}
	return has_some;
}

static struct at_kernel *new_kernel(const struct at_cuda_driver *driver,
	struct at_module *module, const char *symbol)
{
	struct at_kernel *kernel = at_calloc(1, sizeof(*kernel));
	size_t offset, size;
	int limit = 0;

	kernel->name = at_strdup(symbol);
	if (driver->module_function(&kernel->function, module->module, symbol)) {
		free_kernel(kernel);
		return NULL;
	}
	/* An unknown limit stays 0: every launch with dynamic memory then sets it. */
	if (!driver->function_attribute(&limit,
		    AT_CUDA_FUNCTION_MAX_DYNAMIC_SHARED_BYTES, kernel->function) &&
		limit > 0)
		kernel->shared_limit_bytes = (uint32_t)limit;
	kernel->has_clusters = has_clusters(driver, kernel->function);
	/* drivers before CUDA 12.4 do not report a kernel's arguments */
	kernel->arguments_known = driver->function_parameter != NULL;
	while (kernel->arguments_known && kernel->argument_count < ARGUMENT_LIMIT &&
		!driver->function_parameter(
			kernel->function, kernel->argument_count, &offset, &size))
		kernel->argument_count++;
	return kernel;
}

static struct at_kernel *cuda_find(
	struct at_device *base, struct at_module *module, const char *symbol)
{
	struct at_kernel *kernel = module->kernels;

	while (kernel && strcmp(kernel->name, symbol) != 0)
		kernel = kernel->next;
	if (kernel)
		return kernel;
	kernel = new_kernel(at_cuda_device_of(base)->driver, module, symbol);
	if (kernel) {
		kernel->next = module->kernels;
		module->kernels = kernel;
	}
	return kernel;
}

static enum at_outcome cuda_set_symbol(struct at_device *base, struct at_module *module,
	const char *name, const void *data, uint64_t bytes, bool *found,
	struct at_error *err)
{
	struct at_cuda_device *self = at_cuda_device_of(base);
	unsigned long long address;
	size_t size;
	size_t index =
		at_variable_find(module->names.symbols, module->names.count, name);
	unsigned code = self->driver->module_global(&address, &size, module->module,
		index == AT_NO_VARIABLE ? name : module->names.symbols[index]);

	*found = code != AT_CUDA_NOT_FOUND;
	if (!*found)
		return AT_OUTCOME_OK;
	if (!code && size < bytes) {
		at_fail(err, AT_EINVAL, NULL, 0,
			"the variable \"%s\" has %zu bytes, fewer than the %" PRIu64
			" that go into it",
			name, size, bytes);
		return AT_OUTCOME_LAUNCH_FAILED;
	}
	if (!code)
		code = self->driver->copy_to_device(address, data, bytes, self->stream);
	if (!code)
		code = self->driver->stream_synchronize(self->stream);
	if (!code)
		return AT_OUTCOME_OK;
	(void)!at_cuda_refuse(self, err, "setting a variable", code);
	return refused_or_crashed(self);
}

void at_cuda_add_module(struct at_cuda_device *self)
{
	struct at_device_ops *ops = &self->ops;

	ops->load = cuda_load;
	ops->unload = cuda_unload;
	ops->find = cuda_find;
	ops->set_symbol = cuda_set_symbol;
	ops->variables = cuda_variables;
}
