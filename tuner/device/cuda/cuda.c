/*
 * The `cuda` row of the registry: opening and closing a device, and the table of its
 * functions; most are in the other files of this folder.
 */
#include "device/cuda/cuda_device.h"
#include "base/memory.h"
#include "kernel/toolchain.h"

#include <stdio.h>
#include <stdlib.h>

/* The driver API on cuEventElapsedTime: "a resolution of around 0.5 microseconds". Used
   if the resolution cannot be measured; boards were seen to tick every 32 ns. */
#define RESOLUTION_NS 500.0

/*
 * Pairs of events for measuring the resolution; a pair takes about 10 microseconds. The
 * times between two events spread over some dozens of ticks, so this many pairs include
 * neighbouring ticks.
 */
#define PAIRS 100

/* Smaller steps are float rounding, which is far finer than any board's tick. */
#define TICK_LEAST_NS 0.5

static void cuda_state(struct at_device *base, struct at_device_state *out)
{
	at_nvml_state(at_cuda_device_of(base)->nvml, out);
}

static enum at_status cuda_energy(
	struct at_device *base, struct at_energy *out, struct at_error *err)
{
	return at_nvml_energy(at_cuda_device_of(base)->nvml, out, err);
}

static double cuda_celsius(struct at_device *base)
{
	return at_nvml_celsius(at_cuda_device_of(base)->nvml);
}

static enum at_status cuda_set_clocks(
	struct at_device *base, const struct at_clocks *clocks, struct at_error *err)
{
	return at_nvml_set_clocks(at_cuda_device_of(base)->nvml, clocks, err);
}

static uint32_t cuda_power_milliwatts(struct at_device *base)
{
	return at_nvml_power_milliwatts(at_cuda_device_of(base)->nvml);
}

static size_t cuda_neighbours(
	struct at_device *base, struct at_neighbour *neighbours, size_t room)
{
	return at_nvml_neighbours(at_cuda_device_of(base)->nvml, neighbours, room);
}

static int compare_times(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Takes many times that are as short as possible; the smallest difference between two
   of them is the tick. The tick is unknown if all times are equal. */
static double measure_resolution_ns(struct at_cuda_device *self)
{
	const struct at_cuda_driver *driver = self->driver;
	double times_ns[PAIRS], least_ns = 0;

	for (size_t i = 0; i < PAIRS; i++) {
		float milliseconds;

		if (driver->event_record(self->start, self->stream) ||
			driver->event_record(self->stop, self->stream) ||
			driver->stream_synchronize(self->stream) ||
			driver->event_elapsed(&milliseconds, self->start, self->stop))
			return RESOLUTION_NS;
		times_ns[i] = (double)milliseconds * 1e6;
	}
	qsort(times_ns, PAIRS, sizeof(times_ns[0]), compare_times);
	for (size_t i = 1; i < PAIRS; i++) {
		double step_ns = times_ns[i] - times_ns[i - 1];

		if (step_ns >= TICK_LEAST_NS && (least_ns == 0 || step_ns < least_ns))
			least_ns = step_ns;
	}
	return least_ns > 0 ? least_ns : RESOLUTION_NS;
}

/* Also closes a partly opened device. Return values are ignored: after a crash every
   call fails, and nothing helps. */
static void cuda_close(struct at_device *base)
{
	struct at_cuda_device *self = at_cuda_device_of(base);
	const struct at_cuda_driver *driver;

	if (!self)
		return;
	driver = self->driver;
	at_cuda_crowd_release(self);
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
	at_cupti_close(self->cupti);
	at_nvml_close(self->nvml);
	free(self->parameters);
	free(self);
}

/*
 * Sets no L2 aside for persisting loads. Lines set aside survive a flush and even
 * cuCtxResetPersistingL2Cache(). A kernel cannot change this limit; only the host can.
 * The result is ignored: a device without such lines rejects the limit, and so may a
 * slice of a board or a shared board. cuda.h calls it "purely a performance hint".
 */
static void set_nothing_aside(struct at_cuda_device *self)
{
	if (self->driver->context_limit)
		(void)!self->driver->context_limit(AT_CUDA_LIMIT_PERSISTING_L2, 0);
}

/* Making a context takes a tenth of a second; between open() and this call other
   processes can already compile for the device. */
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
	set_nothing_aside(self);
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
	base->is_ungated = !self->gate.word;
	base->resolution_ns = measure_resolution_ns(self);
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

enum at_status at_cuda_open_with(const struct at_cuda_driver *driver, unsigned index,
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
	self = at_calloc(1, sizeof(*self));
	self->ops = (struct at_device_ops){ .wake = open_context,
		.close = cuda_close,
		.state = cuda_state,
		.energy = cuda_energy,
		.celsius = cuda_celsius,
		.neighbours = cuda_neighbours };
	self->base.ops = &self->ops;
	self->base.resolution_ns = RESOLUTION_NS;
	self->base.keeps_lines = true;
	self->driver = driver;
	at_device_name(&at_device_kind_cuda, index, &self->base.info);
	code = driver->device_get(&self->device, (int)index);
	if (code)
		status =
			at_cuda_fail(driver, err, AT_EUNAVAILABLE, "cuDeviceGet", code);
	if (!status)
		status = at_cuda_read_info(self, err);
	if (!status && !self->base.info.no_clocks[0]) {
		self->ops.set_clocks = cuda_set_clocks;
		self->ops.power_milliwatts = cuda_power_milliwatts;
	}
	if (!status) {
		at_cuda_add_memory(self);
		at_cuda_add_module(self);
		at_cuda_add_launch(self);
		at_cuda_add_crowd(self);
		at_cuda_add_textures(self);
	}
	if (status)
		cuda_close(&self->base);
	else
		*out = &self->base;
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
	.toolchain = AT_TOOLCHAIN_NVRTC,
	.has_sanitizer = true,
	.has_counters = true,
	.describe = cuda_describe,
	.restore_clocks = at_nvml_restore_clocks,
};
