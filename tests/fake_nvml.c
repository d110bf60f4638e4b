/*
 * A stand-in for NVIDIA's management library, as far as tests need it, which is loaded
 * by its name. Its answers come from variables of the environment; without
 * FAKE_NVML_UUID it fails to initialize. What changes the board is written to the file
 * FAKE_NVML_LOG; without that, or on a slice, it is not supported, and with
 * FAKE_NVML_DENIED there is no right to do it. Signatures are those of NVIDIA's nvml.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* nvmlReturn_t */
enum {
	SUCCESS = 0,
	INVALID_ARGUMENT = 2,
	NOT_SUPPORTED = 3,
	NO_PERMISSION = 4,
	NOT_FOUND = 6,
	INSUFFICIENT_SIZE = 7,
	UNAVAILABLE = 9
};

struct nvmlDevice_st {
	int is_slice;
};

static struct nvmlDevice_st board = { 0 }, slice = { 1 };

unsigned nvmlInit_v2(void);
unsigned nvmlShutdown(void);
unsigned nvmlDeviceGetHandleByUUID(const char *uuid, struct nvmlDevice_st **device);
unsigned nvmlDeviceGetHandleByPciBusId_v2(
	const char *id, struct nvmlDevice_st **device);
unsigned nvmlDeviceGetPowerManagementLimit(struct nvmlDevice_st *device, unsigned *out);
unsigned nvmlDeviceGetPowerManagementDefaultLimit(
	struct nvmlDevice_st *device, unsigned *out);
unsigned nvmlDeviceGetApplicationsClock(
	struct nvmlDevice_st *device, unsigned type, unsigned *out);
unsigned nvmlDeviceGetDefaultApplicationsClock(
	struct nvmlDevice_st *device, unsigned type, unsigned *out);
unsigned nvmlDeviceGetMaxClockInfo(
	struct nvmlDevice_st *device, unsigned type, unsigned *out);
unsigned nvmlDeviceGetDeviceHandleFromMigDeviceHandle(
	struct nvmlDevice_st *from, struct nvmlDevice_st **device);
unsigned nvmlDeviceGetName(struct nvmlDevice_st *device, char *name, unsigned size);
unsigned nvmlDeviceGetTotalEnergyConsumption(
	struct nvmlDevice_st *device, unsigned long long *out);
unsigned nvmlDeviceGetTemperature(
	struct nvmlDevice_st *device, unsigned sensor, unsigned *out);
unsigned nvmlDeviceGetCurrentClocksEventReasons(
	struct nvmlDevice_st *device, unsigned long long *out);
unsigned nvmlDeviceGetPowerManagementLimitConstraints(
	struct nvmlDevice_st *device, unsigned *least, unsigned *most);
unsigned nvmlDeviceGetSupportedMemoryClocks(
	struct nvmlDevice_st *device, unsigned *count, unsigned *mhz);
unsigned nvmlDeviceGetSupportedGraphicsClocks(struct nvmlDevice_st *device,
	unsigned memory_mhz, unsigned *count, unsigned *mhz);
unsigned nvmlDeviceSetPowerManagementLimit(
	struct nvmlDevice_st *device, unsigned milliwatts);
unsigned nvmlDeviceSetGpuLockedClocks(
	struct nvmlDevice_st *device, unsigned least, unsigned most);
unsigned nvmlDeviceResetGpuLockedClocks(struct nvmlDevice_st *device);
unsigned nvmlDeviceSetMemoryLockedClocks(
	struct nvmlDevice_st *device, unsigned least, unsigned most);
unsigned nvmlDeviceResetMemoryLockedClocks(struct nvmlDevice_st *device);

unsigned nvmlInit_v2(void)
{
	return getenv("FAKE_NVML_UUID") ? SUCCESS : UNAVAILABLE;
}

unsigned nvmlShutdown(void)
{
	return SUCCESS;
}

unsigned nvmlDeviceGetHandleByUUID(const char *uuid, struct nvmlDevice_st **device)
{
	const char *known = getenv("FAKE_NVML_UUID");

	if (!known || strcmp(uuid, known) != 0)
		return NOT_FOUND;
	*device = strncmp(uuid, "MIG-", 4) ? &board : &slice;
	return SUCCESS;
}

unsigned nvmlDeviceGetHandleByPciBusId_v2(const char *id, struct nvmlDevice_st **device)
{
	(void)id;
	*device = &board;
	return SUCCESS;
}

/* As the library does, of a whole board alone. */
static unsigned number(
	const struct nvmlDevice_st *device, const char *name, unsigned *out)
{
	const char *text = getenv(name);

	if (device->is_slice || !text)
		return NOT_SUPPORTED;
	*out = (unsigned)strtoul(text, NULL, 10);
	return SUCCESS;
}

unsigned nvmlDeviceGetPowerManagementLimit(struct nvmlDevice_st *device, unsigned *out)
{
	return number(device, "FAKE_NVML_LIMIT", out);
}

unsigned nvmlDeviceGetPowerManagementDefaultLimit(
	struct nvmlDevice_st *device, unsigned *out)
{
	return number(device, "FAKE_NVML_DEFAULT_LIMIT", out);
}

/* type: 1 is the multiprocessors' clock, 2 the memory's */
unsigned nvmlDeviceGetApplicationsClock(
	struct nvmlDevice_st *device, unsigned type, unsigned *out)
{
	return number(
		device, type == 1 ? "FAKE_NVML_CLOCK" : "FAKE_NVML_MEMORY_CLOCK", out);
}

unsigned nvmlDeviceGetDefaultApplicationsClock(
	struct nvmlDevice_st *device, unsigned type, unsigned *out)
{
	return number(device,
		type == 1 ? "FAKE_NVML_DEFAULT_CLOCK"
			  : "FAKE_NVML_DEFAULT_MEMORY_CLOCK",
		out);
}

unsigned nvmlDeviceGetMaxClockInfo(
	struct nvmlDevice_st *device, unsigned type, unsigned *out)
{
	return number(device,
		type == 1 ? "FAKE_NVML_MAX_CLOCK" : "FAKE_NVML_MAX_MEMORY_CLOCK", out);
}

unsigned nvmlDeviceGetDeviceHandleFromMigDeviceHandle(
	struct nvmlDevice_st *from, struct nvmlDevice_st **device)
{
	if (!from->is_slice)
		return NOT_FOUND;
	*device = &board;
	return SUCCESS;
}

unsigned nvmlDeviceGetName(struct nvmlDevice_st *device, char *name, unsigned size)
{
	snprintf(name, size, device->is_slice ? "Fake GPU MIG 1g.18gb" : "Fake GPU");
	return SUCCESS;
}

unsigned nvmlDeviceGetTotalEnergyConsumption(
	struct nvmlDevice_st *device, unsigned long long *out)
{
	unsigned millijoules, code = number(device, "FAKE_NVML_ENERGY", &millijoules);

	*out = code ? 0 : millijoules;
	return code;
}

unsigned nvmlDeviceGetTemperature(
	struct nvmlDevice_st *device, unsigned sensor, unsigned *out)
{
	return sensor ? NOT_SUPPORTED : number(device, "FAKE_NVML_TEMPERATURE", out);
}

unsigned nvmlDeviceGetCurrentClocksEventReasons(
	struct nvmlDevice_st *device, unsigned long long *out)
{
	unsigned bits, code = number(device, "FAKE_NVML_REASONS", &bits);

	*out = code ? 0 : bits;
	return code;
}

/* ---- clocks and power limits ---------------------------------------------------- */

static unsigned list(
	const unsigned *values, unsigned have, unsigned *count, unsigned *out)
{
	const unsigned room = *count;

	*count = have;
	if (room < have)
		return INSUFFICIENT_SIZE;
	memcpy(out, values, have * sizeof(*out));
	return SUCCESS;
}

unsigned nvmlDeviceGetPowerManagementLimitConstraints(
	struct nvmlDevice_st *device, unsigned *least, unsigned *most)
{
	if (device->is_slice)
		return NOT_SUPPORTED;
	*least = 200000;
	*most = 700000;
	return SUCCESS;
}

unsigned nvmlDeviceGetSupportedMemoryClocks(
	struct nvmlDevice_st *device, unsigned *count, unsigned *mhz)
{
	static const unsigned clocks[] = { 1593, 2619 };

	return device->is_slice ? NOT_SUPPORTED : list(clocks, 2, count, mhz);
}

unsigned nvmlDeviceGetSupportedGraphicsClocks(struct nvmlDevice_st *device,
	unsigned memory_mhz, unsigned *count, unsigned *mhz)
{
	static const unsigned clocks[] = { 1980, 1965, 1950, 345 };

	if (memory_mhz != 2619)
		return INVALID_ARGUMENT;
	return device->is_slice ? NOT_SUPPORTED : list(clocks, 4, count, mhz);
}

static unsigned change(const struct nvmlDevice_st *device, const char *what,
	unsigned least, unsigned most)
{
	const char *path = getenv("FAKE_NVML_LOG");
	FILE *file;

	if (device->is_slice || !path)
		return NOT_SUPPORTED;
	if (getenv("FAKE_NVML_DENIED"))
		return NO_PERMISSION;
	file = fopen(path, "a");
	if (!file || fprintf(file, "%s %u %u\n", what, least, most) < 0 || fclose(file))
		abort();
	return SUCCESS;
}

unsigned nvmlDeviceSetPowerManagementLimit(
	struct nvmlDevice_st *device, unsigned milliwatts)
{
	return change(device, "power", milliwatts, milliwatts);
}

unsigned nvmlDeviceSetGpuLockedClocks(
	struct nvmlDevice_st *device, unsigned least, unsigned most)
{
	return change(device, "clock", least, most);
}

unsigned nvmlDeviceResetGpuLockedClocks(struct nvmlDevice_st *device)
{
	return change(device, "clock", 0, 0);
}

unsigned nvmlDeviceSetMemoryLockedClocks(
	struct nvmlDevice_st *device, unsigned least, unsigned most)
{
	return change(device, "memory", least, most);
}

unsigned nvmlDeviceResetMemoryLockedClocks(struct nvmlDevice_st *device)
{
	return change(device, "memory", 0, 0);
}
