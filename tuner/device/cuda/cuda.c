#include "device/cuda/cuda.h"
#include "base/memory.h"
#include "device/cuda/cuda_device.h"
#include "kernel/cubin.h"
#include "kernel/nvrtc.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "A resolution of around 0.5 microseconds": the driver API on cuEventElapsedTime. */
#define RESOLUTION_NS 500.0

/*
 * Far more than a kernel can have (4 KiB of them, 32 KiB since CUDA 12.1): a driver
 * that answers for every index must not keep us for ever.
 */
#define ARGUMENT_LIMIT 65536

/* ---- memory ------------------------------------------------------------- */

static enum at_status cuda_allocate(struct at_device *base, uint64_t bytes,
	struct at_memory **out, struct at_error *err)
{
	struct at_cuda_device *self = at_cuda_device_of(base);
	struct at_memory *memory = calloc(1, sizeof(*memory));
	size_t free_bytes = 0, total_bytes = 0;
	unsigned code;

	if (!memory)
		return at_fail_memory(err);
	code = self->driver->memory_allocate(&memory->address, bytes);
	if (!code) {
		memory->bytes = bytes;
		*out = memory;
		return AT_OK;
	}
	free(memory);
	if (code != AT_CUDA_OUT_OF_MEMORY)
		return at_cuda_fail(self->driver, err, AT_EDEVICE, "cuMemAlloc", code);
	(void)!self->driver->memory_info(&free_bytes, &total_bytes);
	return at_fail(err, AT_ENOMEM, NULL, 0,
		"%s has no %" PRIu64
		" bytes: %zu of %zu are free; tune a smaller problem or end what uses the GPU",
		base->info.id, bytes, free_bytes, total_bytes);
}

static void cuda_release(struct at_device *base, struct at_memory *memory)
{
	if (!memory)
		return;
	(void)!at_cuda_device_of(base)->driver->memory_free(memory->address);
	free(memory);
}

static uint64_t cuda_address(struct at_device *base, struct at_memory *memory)
{
	(void)base;
	return memory->address;
}

enum at_status at_cuda_check_range(const struct at_memory *memory,
	uint64_t offset_bytes, uint64_t bytes, struct at_error *err)
{
	if (offset_bytes <= memory->bytes && bytes <= memory->bytes - offset_bytes)
		return AT_OK;
	return at_fail(err, AT_EINVAL, NULL, 0,
		"a copy of %" PRIu64 " bytes at offset %" PRIu64
		" leaves a buffer of %" PRIu64 " bytes",
		bytes, offset_bytes, memory->bytes);
}

/*
 * Copies go through the stream of the kernels: a copy of pageable memory through
 * the default stream may return while its last part is under way, and this stream
 * would not wait for it.
 */
static enum at_status finish_copy(struct at_cuda_device *self, const char *what,
	unsigned code, struct at_error *err)
{
	if (!code)
		code = self->driver->stream_synchronize(self->stream);
	return code ? at_cuda_fail(self->driver, err, AT_EDEVICE, what, code) : AT_OK;
}

static enum at_status cuda_write(struct at_device *base, struct at_memory *memory,
	uint64_t offset_bytes, const void *data, uint64_t bytes, struct at_error *err)
{
	struct at_cuda_device *self = at_cuda_device_of(base);
	enum at_status status = at_cuda_check_range(memory, offset_bytes, bytes, err);

	if (status || !bytes)
		return status;
	return finish_copy(self, "copying to the device",
		self->driver->copy_to_device(
			memory->address + offset_bytes, data, bytes, self->stream),
		err);
}

static enum at_status cuda_read(struct at_device *base, struct at_memory *memory,
	uint64_t offset_bytes, void *data, uint64_t bytes, struct at_error *err)
{
	struct at_cuda_device *self = at_cuda_device_of(base);
	enum at_status status = at_cuda_check_range(memory, offset_bytes, bytes, err);

	if (status || !bytes)
		return status;
	return finish_copy(self, "copying from the device",
		self->driver->copy_to_host(
			data, memory->address + offset_bytes, bytes, self->stream),
		err);
}

/* ---- modules ------------------------------------------------------------ */

static enum at_outcome cuda_load(struct at_device *base, const unsigned char *image,
	size_t bytes, struct at_module **out, struct at_error *err)
{
	struct at_cuda_device *self = at_cuda_device_of(base);
	char nothing[] = "";
	struct at_kernel_facts facts = { .symbol = nothing };
	struct at_error reason = { 0 };
	struct at_module *module;
	unsigned code;

	/*
	 * The driver takes no size and would read past the end of an image that was
	 * cut short. AT_EINVAL is what our own reader says of such a one; that it
	 * has no kernel of this name does not matter here.
	 */
	if (at_cubin_read(image, bytes, &facts, &reason) == AT_EINVAL) {
		at_fail(err, AT_EDEVICE, NULL, 0, "%s", reason.text);
		return AT_OUTCOME_LAUNCH_FAILED;
	}
	module = calloc(1, sizeof(*module));
	if (!module) {
		at_fail_memory(err);
		return AT_OUTCOME_LAUNCH_FAILED;
	}
	code = self->driver->module_load(&module->module, image);
	if (code) {
		enum at_outcome outcome =
			at_cuda_refuse(self, err, "loading the kernel", code);

		free(module);
		/* the contract's words for a load: refused, or crashed */
		return outcome == AT_OUTCOME_CRASHED ? outcome
						     : AT_OUTCOME_LAUNCH_FAILED;
	}
	*out = module;
	return AT_OUTCOME_OK;
}

static void free_kernel(struct at_kernel *kernel)
{
	if (!kernel)
		return;
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
	free(module);
}

static struct at_kernel *new_kernel(const struct at_cuda_driver *driver,
	struct at_module *module, const char *symbol)
{
	struct at_kernel *kernel = calloc(1, sizeof(*kernel));
	size_t offset, size;
	int limit = 0;

	if (!kernel)
		return NULL;
	kernel->name = at_strdup(symbol);
	if (!kernel->name ||
		driver->module_function(&kernel->function, module->module, symbol)) {
		free_kernel(kernel);
		return NULL;
	}
	/* unknown is 0: then every launch that wants dynamic memory asks for it */
	if (!driver->function_attribute(&limit,
		    AT_CUDA_FUNCTION_MAX_DYNAMIC_SHARED_BYTES, kernel->function) &&
		limit > 0)
		kernel->shared_limit_bytes = (uint32_t)limit;
	/* drivers before CUDA 12.4 do not tell what a kernel takes */
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
	unsigned code =
		self->driver->module_global(&address, &size, module->module, name);

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
	return code ? at_cuda_refuse(self, err, "setting a variable", code)
		    : AT_OUTCOME_OK;
}

/* ---- the device --------------------------------------------------------- */

static void cuda_state(struct at_device *base, struct at_device_state *out)
{
	at_nvml_state(at_cuda_device_of(base)->nvml, out);
}

/* Takes a device that was opened in part; after a crash every call fails, and
   nobody can do anything about it. */
static void cuda_close(struct at_device *base)
{
	struct at_cuda_device *self = at_cuda_device_of(base);
	const struct at_cuda_driver *driver;

	if (!self)
		return;
	driver = self->driver;
	at_cuda_gate_release(self);
	if (self->stop)
		(void)!driver->event_destroy(self->stop);
	if (self->start)
		(void)!driver->event_destroy(self->start);
	if (self->stream)
		(void)!driver->stream_destroy(self->stream);
	if (self->context) {
		(void)!driver->context_use(NULL);
		(void)!driver->context_release(self->device);
	}
	at_nvml_close(self->nvml);
	free(self->parameters);
	free(self);
}

static enum at_status open_context(struct at_device *base, struct at_error *err);

static const struct at_device_ops ops = {
	.wake = open_context,
	.close = cuda_close,
	.allocate = cuda_allocate,
	.release = cuda_release,
	.address = cuda_address,
	.write = cuda_write,
	.read = cuda_read,
	.load = cuda_load,
	.unload = cuda_unload,
	.find = cuda_find,
	.set_symbol = cuda_set_symbol,
	.run = at_cuda_run,
	.time = at_cuda_time,
	.time_copy = at_cuda_time_copy,
	.state = cuda_state,
};

/* a context takes a tenth of a second, in which others can compile for the device */
static enum at_status open_context(struct at_device *base, struct at_error *err)
{
	struct at_cuda_device *self = at_cuda_device_of(base);
	const struct at_cuda_driver *driver = self->driver;
	const char *what = "cuDevicePrimaryCtxRetain";
	unsigned code = driver->context_retain(&self->context, self->device);

	if (code) {
		self->context = NULL;
		goto fail;
	}
	what = "cuCtxSetCurrent";
	code = driver->context_use(self->context);
	if (code)
		goto fail;
	what = "cuStreamCreate";
	code = driver->stream_create(&self->stream, AT_CUDA_STREAM_NON_BLOCKING);
	if (code)
		goto fail;
	what = "cuEventCreate";
	code = driver->event_create(&self->start, AT_CUDA_EVENT_DEFAULT);
	if (!code)
		code = driver->event_create(&self->stop, AT_CUDA_EVENT_DEFAULT);
	if (code)
		goto fail;
	at_cuda_gate_init(self);
	return AT_OK;
fail:
	return at_cuda_fail(driver, err, AT_EUNAVAILABLE, what, code);
}

static enum at_status count_devices(
	const struct at_cuda_driver *driver, unsigned *count, struct at_error *err)
{
	int found = 0;
	unsigned code = driver->device_count(&found);

	*count = 0;
	if (code)
		return at_cuda_fail(
			driver, err, AT_EUNAVAILABLE, "cuDeviceGetCount", code);
	if (found <= 0)
		return at_cuda_fail(driver, err, AT_EUNAVAILABLE, "cuDeviceGetCount",
			AT_CUDA_NO_DEVICE);
	*count = (unsigned)found;
	return AT_OK;
}

enum at_status at_cuda_begin_with(const struct at_cuda_driver *driver, unsigned index,
	struct at_device **out, struct at_error *err)
{
	struct at_cuda_device *self;
	enum at_status status;
	unsigned count, code;

	status = count_devices(driver, &count, err);
	if (status)
		return status;
	if (index >= count)
		return at_fail(err, AT_ENOENT, NULL, 0,
			"there is no cuda:%u; the driver shows %u (cuda:0 to cuda:%u)",
			index, count, count - 1);
	self = calloc(1, sizeof(*self));
	if (!self)
		return at_fail_memory(err);
	self->base.ops = &ops;
	self->base.resolution_ns = RESOLUTION_NS;
	self->driver = driver;
	code = driver->device_get(&self->device, (int)index);
	if (code)
		status =
			at_cuda_fail(driver, err, AT_EUNAVAILABLE, "cuDeviceGet", code);
	if (!status)
		status = at_cuda_read_info(self, index, err);
	if (status)
		cuda_close(&self->base);
	else
		*out = &self->base;
	return status;
}

enum at_status at_cuda_open_with(const struct at_cuda_driver *driver, unsigned index,
	struct at_device **out, struct at_error *err)
{
	struct at_device *self = NULL;
	enum at_status status = at_cuda_begin_with(driver, index, &self, err);

	if (status)
		return status;
	status = open_context(self, err);
	if (status)
		cuda_close(self);
	else
		*out = self;
	return status;
}

static enum at_status cuda_count(unsigned *count, struct at_error *err)
{
	const struct at_cuda_driver *driver;
	enum at_status status = at_cuda_driver_default(&driver, err);

	*count = 0;
	return status ? status : count_devices(driver, count, err);
}

static enum at_status cuda_open(
	unsigned index, struct at_device **out, struct at_error *err)
{
	const struct at_cuda_driver *driver;
	enum at_status status = at_cuda_driver_default(&driver, err);

	return status ? status : at_cuda_open_with(driver, index, out, err);
}

static enum at_status cuda_begin(
	unsigned index, struct at_device **out, struct at_error *err)
{
	const struct at_cuda_driver *driver;
	enum at_status status = at_cuda_driver_default(&driver, err);

	return status ? status : at_cuda_begin_with(driver, index, out, err);
}

static bool cuda_describe(const char *architecture, struct at_device_info *out)
{
	if (!at_properties_of_architecture(architecture, &out->properties))
		return false;
	snprintf(out->kind, sizeof(out->kind), "%s", at_device_kind_cuda.name);
	snprintf(out->architecture, sizeof(out->architecture), "%s", architecture);
	snprintf(out->toolchain, sizeof(out->toolchain), AT_TOOLCHAIN_NVRTC);
	return true;
}

const struct at_device_kind at_device_kind_cuda = {
	.name = "cuda",
	.summary = "NVIDIA GPUs, through the driver and NVRTC found at run time",
	.by_default = AT_DEVICE_PREFERRED,
	.count = cuda_count,
	.open = cuda_open,
	.begin = cuda_begin,
	.toolchain = AT_TOOLCHAIN_NVRTC,
	.has_sanitizer = true,
	.describe = cuda_describe,
};
