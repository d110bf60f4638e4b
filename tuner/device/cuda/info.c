/* What is known of a CUDA device before it has a context: at_device_info. */
#include "device/cuda/cuda_device.h"
#include "base/file.h"
#include "base/memory.h"
#include "kernel/toolchain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	enum at_property property;
	enum at_cuda_device_attribute attribute;
	int64_t scale;
} properties[] = {
	{ AT_PROPERTY_MULTIPROCESSOR_COUNT, AT_CUDA_MULTIPROCESSOR_COUNT, 1 },
	{ AT_PROPERTY_WARP_SIZE, AT_CUDA_WARP_SIZE, 1 },
	{ AT_PROPERTY_MAX_THREADS_PER_BLOCK, AT_CUDA_MAX_THREADS_PER_BLOCK, 1 },
	{ AT_PROPERTY_MAX_BLOCK_X, AT_CUDA_MAX_BLOCK_X, 1 },
	{ AT_PROPERTY_MAX_BLOCK_Y, AT_CUDA_MAX_BLOCK_Y, 1 },
	{ AT_PROPERTY_MAX_BLOCK_Z, AT_CUDA_MAX_BLOCK_Z, 1 },
	{ AT_PROPERTY_MAX_GRID_X, AT_CUDA_MAX_GRID_X, 1 },
	{ AT_PROPERTY_MAX_GRID_Y, AT_CUDA_MAX_GRID_Y, 1 },
	{ AT_PROPERTY_MAX_GRID_Z, AT_CUDA_MAX_GRID_Z, 1 },
	{ AT_PROPERTY_MAX_THREADS_PER_MULTIPROCESSOR,
		AT_CUDA_MAX_THREADS_PER_MULTIPROCESSOR, 1 },
	{ AT_PROPERTY_MAX_BLOCKS_PER_MULTIPROCESSOR,
		AT_CUDA_MAX_BLOCKS_PER_MULTIPROCESSOR, 1 },
	{ AT_PROPERTY_MAX_REGISTERS_PER_BLOCK, AT_CUDA_MAX_REGISTERS_PER_BLOCK, 1 },
	{ AT_PROPERTY_MAX_REGISTERS_PER_MULTIPROCESSOR,
		AT_CUDA_MAX_REGISTERS_PER_MULTIPROCESSOR, 1 },
	{ AT_PROPERTY_MAX_SHARED_BYTES_PER_BLOCK, AT_CUDA_MAX_SHARED_PER_BLOCK, 1 },
	{ AT_PROPERTY_MAX_DYNAMIC_SHARED_BYTES_PER_BLOCK,
		AT_CUDA_MAX_SHARED_PER_BLOCK_OPTIN, 1 },
	{ AT_PROPERTY_SHARED_BYTES_PER_MULTIPROCESSOR,
		AT_CUDA_MAX_SHARED_PER_MULTIPROCESSOR, 1 },
	{ AT_PROPERTY_RESERVED_SHARED_BYTES_PER_BLOCK,
		AT_CUDA_RESERVED_SHARED_PER_BLOCK, 1 },
	{ AT_PROPERTY_L2_BYTES, AT_CUDA_L2_BYTES, 1 },
	{ AT_PROPERTY_CLOCK_HZ, AT_CUDA_CLOCK_KHZ, 1000 },
	{ AT_PROPERTY_MEMORY_CLOCK_HZ, AT_CUDA_MEMORY_CLOCK_KHZ, 1000 },
	{ AT_PROPERTY_MEMORY_BUS_BITS, AT_CUDA_MEMORY_BUS_BITS, 1 },
};

/* The higher of a property and NVML's value; 0: both are unknown. */
static uint64_t higher(
	const struct at_properties *known, enum at_property property, uint64_t told)
{
	uint64_t value = known->known[property] ? (uint64_t)known->value[property] : 0;

	return value > told ? value : told;
}

/* Drivers answer 0 for unknown values. Only reserved shared memory may really be 0. */
static void read_properties(struct at_cuda_device *self)
{
	struct at_properties *out = &self->base.info.properties;
	uint64_t clock_hz, memory_clock_hz;
	int64_t limit_watts, default_watts;
	size_t memory_bytes;
	int value;

	for (size_t i = 0; i < AT_COUNT_OF(properties); i++) {
		enum at_property property = properties[i].property;

		if (self->driver->device_attribute(
			    &value, properties[i].attribute, self->device) ||
			value < 0 ||
			(!value && property !=
					   AT_PROPERTY_RESERVED_SHARED_BYTES_PER_BLOCK))
			continue;
		at_properties_set(out, property, value * properties[i].scale);
	}
	if (!self->driver->device_memory(&memory_bytes, self->device))
		at_properties_set(out, AT_PROPERTY_MEMORY_BYTES, (int64_t)memory_bytes);
	/* newer drivers do not report clocks; NVML does */
	at_nvml_max_clocks(self->nvml, &clock_hz, &memory_clock_hz);
	if (!out->known[AT_PROPERTY_CLOCK_HZ] && clock_hz)
		at_properties_set(out, AT_PROPERTY_CLOCK_HZ, (int64_t)clock_hz);
	if (!out->known[AT_PROPERTY_MEMORY_CLOCK_HZ] && memory_clock_hz)
		at_properties_set(
			out, AT_PROPERTY_MEMORY_CLOCK_HZ, (int64_t)memory_clock_hz);
	self->base.info.max_clock_hz = higher(out, AT_PROPERTY_CLOCK_HZ, clock_hz);
	self->base.info.max_memory_clock_hz =
		higher(out, AT_PROPERTY_MEMORY_CLOCK_HZ, memory_clock_hz);
	at_nvml_power_limits(self->nvml, &limit_watts, &default_watts);
	if (limit_watts)
		at_properties_set(out, AT_PROPERTY_POWER_LIMIT_WATTS, limit_watts);
	if (default_watts)
		at_properties_set(
			out, AT_PROPERTY_DEFAULT_POWER_LIMIT_WATTS, default_watts);
}

static enum at_status read_architecture(
	struct at_cuda_device *self, struct at_error *err)
{
	struct at_device_info *info = &self->base.info;
	int major, minor;
	unsigned code;

	code = self->driver->device_attribute(
		&major, AT_CUDA_CAPABILITY_MAJOR, self->device);
	if (!code)
		code = self->driver->device_attribute(
			&minor, AT_CUDA_CAPABILITY_MINOR, self->device);
	if (code)
		return at_cuda_fail(self->driver, err, AT_EUNAVAILABLE,
			"cuDeviceGetAttribute", code);
	snprintf(info->architecture, sizeof(info->architecture), "sm_%d%d", major,
		minor);
	at_properties_set(
		&info->properties, AT_PROPERTY_COMPUTE_CAPABILITY, 10 * major + minor);
	return AT_OK;
}

/* Writes the UUID as `nvidia-smi -L` does. */
static void read_uuid(struct at_cuda_device *self)
{
	struct at_device_info *info = &self->base.info;
	unsigned char bytes[16];
	int used;

	if (!self->driver->device_uuid ||
		self->driver->device_uuid((struct CUuuid_st *)bytes, self->device))
		return;
	used = snprintf(info->uuid, sizeof(info->uuid), "GPU");
	for (size_t i = 0; i < sizeof(bytes); i++) {
		bool dash = i == 0 || i == 4 || i == 6 || i == 8 || i == 10;

		used += snprintf(info->uuid + used, sizeof(info->uuid) - (size_t)used,
			"%s%02x", dash ? "-" : "", bytes[i]);
	}
}

/*
 * A slice is a different device from its board and from slices of another profile, so
 * its model must name the profile. The driver's name of a slice usually does; otherwise
 * NVML's name is used. A profile is recognised by the letters "MIG".
 */
static void read_slice(struct at_cuda_device *self)
{
	struct at_device_info *info = &self->base.info;
	char name[sizeof(info->model)];

	if (!at_nvml_is_slice(self->nvml))
		return;
	memcpy(info->uuid, "MIG", 3);
	at_nvml_slice_name(self->nvml, name, sizeof(name));
	if (!strstr(info->model, "MIG") && strstr(name, "MIG"))
		memcpy(info->model, name, sizeof(name));
}

static bool is_version(const char *word, size_t length)
{
	size_t dots = 0;

	for (size_t i = 0; i < length; i++) {
		if (word[i] == '.')
			dots++;
		else if (word[i] < '0' || word[i] > '9')
			return false;
	}
	return dots > 0 && word[0] != '.';
}

void at_cuda_parse_version(const char *text, char *buffer, size_t size)
{
	buffer[0] = '\0';
	while (*text && !buffer[0]) {
		size_t length;

		text += strspn(text, " \t\n");
		length = strcspn(text, " \t\n");
		if (length < size && is_version(text, length)) {
			memcpy(buffer, text, length);
			buffer[length] = '\0';
		}
		text += length;
	}
}

static void read_driver(struct at_cuda_device *self)
{
	struct at_device_info *info = &self->base.info;
	char version[40];
	char *text;
	size_t size;
	int cuda = 0;

	at_nvml_driver_version(self->nvml, version, sizeof(version));
	if (!version[0] && !at_file_read("/proc/driver/nvidia/version", 65536, &text,
				   &size, NULL)) {
		at_cuda_parse_version(text, version, sizeof(version));
		free(text);
	}
	(void)!self->driver->driver_version(&cuda);
	if (version[0])
		snprintf(info->driver, sizeof(info->driver), "%s (CUDA %d.%d)", version,
			cuda / 1000, cuda % 1000 / 10);
	else
		snprintf(info->driver, sizeof(info->driver), "CUDA %d.%d", cuda / 1000,
			cuda % 1000 / 10);
}

enum at_status at_cuda_read_info(struct at_cuda_device *self, struct at_error *err)
{
	struct at_device_info *info = &self->base.info;
	struct at_error reason = { 0 };
	struct at_energy energy;
	char bus_id[32] = "";
	int reach = 0;
	unsigned code;

	snprintf(info->toolchain, sizeof(info->toolchain), AT_TOOLCHAIN_NVRTC);
	code = self->driver->device_name(
		info->model, (int)sizeof(info->model), self->device);
	if (code)
		return at_cuda_fail(
			self->driver, err, AT_EUNAVAILABLE, "cuDeviceGetName", code);
	info->model[sizeof(info->model) - 1] = '\0';
	read_uuid(self);
	(void)!self->driver->device_bus_id(bus_id, (int)sizeof(bus_id), self->device);
	/* before read_driver() and read_properties(), which query NVML for what the
	   driver does not report */
	self->nvml = at_nvml_open(info->uuid, bus_id);
	if (at_nvml_energy(self->nvml, &energy, &reason))
		snprintf(info->no_energy, sizeof(info->no_energy), "%.*s",
			(int)sizeof(info->no_energy) - 1, reason.text);
	at_nvml_offer(self->nvml, info);
	read_slice(self);
	read_driver(self);
	read_properties(self);
	/* drivers before CUDA 13.5 do not know the attribute, and leave it unchanged */
	if (!self->driver->device_attribute(&reach, AT_CUDA_MAP_REACH, self->device) &&
		reach > 0)
		self->base.map_reach_bytes = (uint64_t)reach;
	return read_architecture(self, err);
}
