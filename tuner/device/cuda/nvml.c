#include "device/cuda/nvml.h"
#include "base/dynlib.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* nvmlClockType_t, nvmlTemperatureSensors_t */
enum { CLOCK_MULTIPROCESSORS = 1, CLOCK_MEMORY = 2 };
enum { SENSOR_GPU = 0 };

/* nvmlClocksEventReasons: those that hold the clocks below what was asked for */
enum {
	REASON_POWER_CAP = 0x04,
	REASON_HARDWARE = 0x08,
	REASON_SOFTWARE_HEAT = 0x20,
	REASON_HARDWARE_HEAT = 0x40,
	REASON_POWER_BRAKE = 0x80,
	REASONS_THROTTLED = REASON_POWER_CAP | REASON_HARDWARE | REASON_SOFTWARE_HEAT |
			    REASON_HARDWARE_HEAT | REASON_POWER_BRAKE,
};

struct nvmlDevice_st;

/* Each returns an nvmlReturn_t; 0 is success. */
struct functions {
	unsigned (*init)(void);
	unsigned (*shutdown)(void);
	unsigned (*by_uuid)(const char *uuid, struct nvmlDevice_st **device);
	unsigned (*by_bus_id)(const char *id, struct nvmlDevice_st **device);
	unsigned (*clock)(struct nvmlDevice_st *device, unsigned type, unsigned *mhz);
	unsigned (*max_clock)(
		struct nvmlDevice_st *device, unsigned type, unsigned *mhz);
	unsigned (*temperature)(
		struct nvmlDevice_st *device, unsigned sensor, unsigned *celsius);
	unsigned (*power)(struct nvmlDevice_st *device, unsigned *milliwatts);
	unsigned (*event_reasons)(
		struct nvmlDevice_st *device, unsigned long long *reasons);
	/* its name before driver 535 */
	unsigned (*throttle_reasons)(
		struct nvmlDevice_st *device, unsigned long long *reasons);
	unsigned (*driver_version)(char *version, unsigned size);
};

#define SYMBOL(symbol, member, required) \
	{ \
		symbol, offsetof(struct functions, member), required \
	}

static const struct at_dynlib_symbol symbols[] = {
	SYMBOL("nvmlInit_v2", init, true),
	SYMBOL("nvmlShutdown", shutdown, true),
	SYMBOL("nvmlDeviceGetHandleByUUID", by_uuid, true),
	SYMBOL("nvmlDeviceGetHandleByPciBusId_v2", by_bus_id, true),
	SYMBOL("nvmlDeviceGetClockInfo", clock, false),
	SYMBOL("nvmlDeviceGetMaxClockInfo", max_clock, false),
	SYMBOL("nvmlDeviceGetTemperature", temperature, false),
	SYMBOL("nvmlDeviceGetPowerUsage", power, false),
	SYMBOL("nvmlDeviceGetCurrentClocksEventReasons", event_reasons, false),
	SYMBOL("nvmlDeviceGetCurrentClocksThrottleReasons", throttle_reasons, false),
	SYMBOL("nvmlSystemGetDriverVersion", driver_version, false),
};

struct at_nvml {
	struct at_dynlib library;
	struct functions nvml;
	struct nvmlDevice_st *device;
};

struct at_nvml *at_nvml_open(const char *uuid, const char *bus_id)
{
	static const char *const candidates[] = {
		"libnvidia-ml.so.1",
		"/usr/local/nvidia/lib64/libnvidia-ml.so.1",
		"/usr/lib/wsl/lib/libnvidia-ml.so.1",
	};
	struct at_nvml *self = calloc(1, sizeof(*self));

	if (!self)
		return NULL;
	if (at_dynlib_open(&self->library, "no NVML", candidates,
		    AT_COUNT_OF(candidates), symbols, AT_COUNT_OF(symbols), &self->nvml,
		    NULL))
		goto free_self;
	if (self->nvml.init())
		goto close_library;
	if (self->nvml.by_uuid(uuid, &self->device) &&
		self->nvml.by_bus_id(bus_id, &self->device))
		goto shut_down;
	return self;
shut_down:
	self->nvml.shutdown();
close_library:
	at_dynlib_close(&self->library);
free_self:
	free(self);
	return NULL;
}

void at_nvml_close(struct at_nvml *self)
{
	if (!self)
		return;
	self->nvml.shutdown();
	at_dynlib_close(&self->library);
	free(self);
}

/* 0 when the board does not say. */
static uint64_t clock_hz(const struct at_nvml *self,
	unsigned (*ask)(struct nvmlDevice_st *, unsigned, unsigned *), unsigned type)
{
	unsigned mhz;

	if (!ask || ask(self->device, type, &mhz))
		return 0;
	return (uint64_t)mhz * 1000000;
}

void at_nvml_state(struct at_nvml *self, struct at_device_state *out)
{
	unsigned long long reasons;
	unsigned value;

	memset(out, 0, sizeof(*out));
	if (!self)
		return;
	out->clock_hz = clock_hz(self, self->nvml.clock, CLOCK_MULTIPROCESSORS);
	out->memory_clock_hz = clock_hz(self, self->nvml.clock, CLOCK_MEMORY);
	if (self->nvml.temperature &&
		!self->nvml.temperature(self->device, SENSOR_GPU, &value))
		out->temperature_celsius = value;
	if (self->nvml.power && !self->nvml.power(self->device, &value))
		out->power_watts = value / 1000.0;
	if (self->nvml.event_reasons &&
		!self->nvml.event_reasons(self->device, &reasons))
		out->throttle_reasons = reasons;
	else if (self->nvml.throttle_reasons &&
		 !self->nvml.throttle_reasons(self->device, &reasons))
		out->throttle_reasons = reasons;
	out->throttled = (out->throttle_reasons & REASONS_THROTTLED) != 0;
}

void at_nvml_driver_version(struct at_nvml *self, char *buffer, size_t size)
{
	buffer[0] = '\0';
	if (!self || !self->nvml.driver_version ||
		self->nvml.driver_version(buffer, (unsigned)size))
		buffer[0] = '\0';
}

void at_nvml_max_clocks(struct at_nvml *self, uint64_t *clock, uint64_t *memory_clock)
{
	*clock = self ? clock_hz(self, self->nvml.max_clock, CLOCK_MULTIPROCESSORS) : 0;
	*memory_clock = self ? clock_hz(self, self->nvml.max_clock, CLOCK_MEMORY) : 0;
}
