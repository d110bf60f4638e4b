/* NVIDIA's management library (NVML): our own declarations, and the queries. */
#include "device/cuda/nvml.h"
#include "base/clock.h"
#include "base/dynlib.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* nvmlClockType_t, nvmlTemperatureSensors_t */
enum { CLOCK_MULTIPROCESSORS = 1, CLOCK_MEMORY = 2 };
enum { TEMPERATURE_BOARD = 0 };

/* nvmlClocksEventReasons */
static const struct {
	unsigned long long bit;
	enum at_clock_reason reason;
	bool throttles; /* the clocks are lower than requested */
} reasons[] = {
	{ 0x001, AT_CLOCK_REASON_IDLE, false }, { 0x002, AT_CLOCK_REASON_SET, false },
	{ 0x004, AT_CLOCK_REASON_POWER_CAP, true },
	{ 0x008, AT_CLOCK_REASON_HARDWARE, true },
	{ 0x010, AT_CLOCK_REASON_OTHER, false }, /* synchronized with another board */
	{ 0x020, AT_CLOCK_REASON_HEAT, true }, /* software slowdown */
	{ 0x040, AT_CLOCK_REASON_HEAT, true }, /* hardware slowdown */
	{ 0x080, AT_CLOCK_REASON_POWER_BRAKE, true },
	{ 0x100, AT_CLOCK_REASON_OTHER, false }, /* display clocks */
};

/* nvmlProcessInfo_t since driver 450 */
struct process {
	unsigned pid;
	unsigned long long memory_bytes; /* all bits set: unknown */
	unsigned gpu_instance;
	unsigned compute_instance;
};

/* Room for this many processes at first, and at most: beyond this a message does not
   need the names. */
#define PROCESSES 64
#define PROCESSES_MAX 65536

/* nvmlReturn_t: the room is too small, and *count is the required size */
#define INSUFFICIENT_SIZE 7
#define NVML_NOT_SUPPORTED 3
#define NVML_NO_PERMISSION 4

struct nvmlDevice_st;

/*
 * The functions in use: X(member, symbol, required, parameters). Each returns an
 * nvmlReturn_t; 0 is success. throttle_reasons is event_reasons in drivers before 535.
 * Of the three power limits one is in force, whatever set it, one was set, and one is
 * the board's default. board_of_slice takes the handle of a slice (MIG). Only
 * at_nvml_set_clocks() may call the functions that change the board, change_... and
 * reset_....
 */
/* clang-format off */
#define FUNCTIONS(X) \
	X(init, nvmlInit_v2, true, (void)) \
	X(shutdown, nvmlShutdown, true, (void)) \
	X(by_uuid, nvmlDeviceGetHandleByUUID, true, \
		(const char *uuid, struct nvmlDevice_st **device)) \
	X(by_bus_id, nvmlDeviceGetHandleByPciBusId_v2, true, \
		(const char *id, struct nvmlDevice_st **device)) \
	X(clock, nvmlDeviceGetClockInfo, false, \
		(struct nvmlDevice_st *device, unsigned type, unsigned *mhz)) \
	X(max_clock, nvmlDeviceGetMaxClockInfo, false, \
		(struct nvmlDevice_st *device, unsigned type, unsigned *mhz)) \
	X(event_reasons, nvmlDeviceGetCurrentClocksEventReasons, false, \
		(struct nvmlDevice_st *device, unsigned long long *reasons)) \
	X(throttle_reasons, nvmlDeviceGetCurrentClocksThrottleReasons, false, \
		(struct nvmlDevice_st *device, unsigned long long *reasons)) \
	X(driver_version, nvmlSystemGetDriverVersion, false, \
		(char *version, unsigned size)) \
	X(set_clock, nvmlDeviceGetApplicationsClock, false, \
		(struct nvmlDevice_st *device, unsigned type, unsigned *mhz)) \
	X(default_clock, nvmlDeviceGetDefaultApplicationsClock, false, \
		(struct nvmlDevice_st *device, unsigned type, unsigned *mhz)) \
	X(power_limit, nvmlDeviceGetEnforcedPowerLimit, false, \
		(struct nvmlDevice_st *device, unsigned *milliwatts)) \
	X(set_power_limit, nvmlDeviceGetPowerManagementLimit, false, \
		(struct nvmlDevice_st *device, unsigned *milliwatts)) \
	X(default_power_limit, nvmlDeviceGetPowerManagementDefaultLimit, false, \
		(struct nvmlDevice_st *device, unsigned *milliwatts)) \
	X(power_range, nvmlDeviceGetPowerManagementLimitConstraints, false, \
		(struct nvmlDevice_st *device, unsigned *least, unsigned *most)) \
	X(change_power_limit, nvmlDeviceSetPowerManagementLimit, false, \
		(struct nvmlDevice_st *device, unsigned milliwatts)) \
	X(memory_clocks, nvmlDeviceGetSupportedMemoryClocks, false, \
		(struct nvmlDevice_st *device, unsigned *count, unsigned *mhz)) \
	X(clocks, nvmlDeviceGetSupportedGraphicsClocks, false, \
		(struct nvmlDevice_st *device, unsigned memory_mhz, unsigned *count, \
			unsigned *mhz)) \
	X(change_clock, nvmlDeviceSetGpuLockedClocks, false, \
		(struct nvmlDevice_st *device, unsigned least, unsigned most)) \
	X(reset_clock, nvmlDeviceResetGpuLockedClocks, false, \
		(struct nvmlDevice_st *device)) \
	X(change_memory_clock, nvmlDeviceSetMemoryLockedClocks, false, \
		(struct nvmlDevice_st *device, unsigned least, unsigned most)) \
	X(reset_memory_clock, nvmlDeviceResetMemoryLockedClocks, false, \
		(struct nvmlDevice_st *device)) \
	X(energy, nvmlDeviceGetTotalEnergyConsumption, false, \
		(struct nvmlDevice_st *device, unsigned long long *millijoules)) \
	X(temperature, nvmlDeviceGetTemperature, false, \
		(struct nvmlDevice_st *device, unsigned sensor, unsigned *celsius)) \
	X(board_of_slice, nvmlDeviceGetDeviceHandleFromMigDeviceHandle, false, \
		(struct nvmlDevice_st *slice, struct nvmlDevice_st **board)) \
	X(name, nvmlDeviceGetName, false, \
		(struct nvmlDevice_st *device, char *name, unsigned size)) \
	X(processes, nvmlDeviceGetComputeRunningProcesses_v3, false, \
		(struct nvmlDevice_st *device, unsigned *count, \
			struct process *processes)) \
	X(process_name, nvmlSystemGetProcessName, false, \
		(unsigned pid, char *name, unsigned size)) \
	X(ecc, nvmlDeviceGetEccMode, false, \
		(struct nvmlDevice_st *device, unsigned *current, unsigned *pending))
/* clang-format on */

struct functions {
#define MEMBER(member, symbol, required, parameters) unsigned(*member) parameters;
	FUNCTIONS(MEMBER)
};

#define SYMBOL(member, symbol, required, parameters) \
	{ #symbol, offsetof(struct functions, member), required },
static const struct at_dynlib_symbol symbols[] = { FUNCTIONS(SYMBOL) };

struct at_nvml {
	struct at_dynlib library;
	struct functions nvml;
	/* the whole board, even if the device is a slice */
	struct nvmlDevice_st *device;
	struct nvmlDevice_st *slice; /* NULL: the device is the whole board */
	uint64_t set_clock_hz;
	uint64_t set_memory_clock_hz;
	uint64_t default_clock_hz;
	uint64_t default_memory_clock_hz;
	enum at_device_switch ecc;
	struct at_clocks set; /* by at_nvml_set_clocks() */
	uint32_t own_milliwatts; /* the power limit before that */
};

/* Queries a clock in MHz and returns Hz; 0: not reported. */
static uint64_t clock_hz(const struct at_nvml *self,
	unsigned (*ask)(struct nvmlDevice_st *, unsigned, unsigned *), unsigned type)
{
	unsigned mhz;

	if (!ask || ask(self->device, type, &mhz))
		return 0;
	return (uint64_t)mhz * 1000000;
}

static enum at_device_switch read_ecc(const struct at_nvml *self)
{
	unsigned current, pending;

	if (!self->nvml.ecc || self->nvml.ecc(self->device, &current, &pending))
		return AT_SWITCH_UNKNOWN;
	return current ? AT_SWITCH_ON : AT_SWITCH_OFF;
}

/* Finds a slice (MIG). Its UUID has the same digits as the driver's, but begins with
   "MIG-" in NVML. Clocks and power are those of the slice's board. */
static bool find_slice(struct at_nvml *self, const char *uuid)
{
	char name[80];

	if (strncmp(uuid, "GPU-", 4) != 0)
		return false;
	snprintf(name, sizeof(name), "MIG-%s", uuid + 4);
	if (self->nvml.by_uuid(name, &self->slice)) {
		self->slice = NULL;
		return false;
	}
	if (!self->nvml.board_of_slice ||
		self->nvml.board_of_slice(self->slice, &self->device))
		self->device = self->slice;
	return true;
}

struct at_nvml *at_nvml_open(const char *uuid, const char *bus_id)
{
	static const char *const candidates[] = {
		"libnvidia-ml.so.1",
		"/usr/local/nvidia/lib64/libnvidia-ml.so.1",
		"/usr/lib/wsl/lib/libnvidia-ml.so.1",
	};
	struct at_nvml *self = at_calloc(1, sizeof(*self));

	if (at_dynlib_open(&self->library, "no NVML", candidates,
		    AT_COUNT_OF(candidates), symbols, AT_COUNT_OF(symbols), &self->nvml,
		    NULL))
		goto free_self;
	if (self->nvml.init())
		goto close_library;
	if (self->nvml.by_uuid(uuid, &self->device) && !find_slice(self, uuid) &&
		self->nvml.by_bus_id(bus_id, &self->device))
		goto shut_down;
	/* Read once: each takes half a millisecond on an H200, all other queries one
	   microsecond. */
	self->set_clock_hz =
		clock_hz(self, self->nvml.set_clock, CLOCK_MULTIPROCESSORS);
	self->set_memory_clock_hz = clock_hz(self, self->nvml.set_clock, CLOCK_MEMORY);
	self->default_clock_hz =
		clock_hz(self, self->nvml.default_clock, CLOCK_MULTIPROCESSORS);
	self->default_memory_clock_hz =
		clock_hz(self, self->nvml.default_clock, CLOCK_MEMORY);
	self->ecc = read_ecc(self);
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

void at_nvml_state(struct at_nvml *self, struct at_device_state *out)
{
	unsigned long long bits = 0;
	unsigned value;

	memset(out, 0, sizeof(*out));
	if (!self)
		return;
	out->clock_hz = clock_hz(self, self->nvml.clock, CLOCK_MULTIPROCESSORS);
	out->set_clock_hz = self->set_clock_hz;
	out->set_memory_clock_hz = self->set_memory_clock_hz;
	out->default_clock_hz = self->default_clock_hz;
	out->default_memory_clock_hz = self->default_memory_clock_hz;
	out->ecc = self->ecc;
	if (self->nvml.power_limit && !self->nvml.power_limit(self->device, &value))
		out->power_limit_watts = value / 1000.0;
	if (!self->nvml.event_reasons ||
		self->nvml.event_reasons(self->device, &bits)) {
		if (!self->nvml.throttle_reasons ||
			self->nvml.throttle_reasons(self->device, &bits))
			bits = 0;
	}
	for (size_t i = 0; i < AT_COUNT_OF(reasons); i++) {
		if (!(bits & reasons[i].bit))
			continue;
		out->clock_reasons |= AT_CLOCK_REASON_BIT(reasons[i].reason);
		/* a power limit set by the configuration is not a fault of the board */
		out->throttled =
			out->throttled ||
			(reasons[i].throttles &&
				!(reasons[i].reason == AT_CLOCK_REASON_POWER_CAP &&
					self->set.power_milliwatts));
	}
}

enum at_status at_nvml_energy(
	struct at_nvml *self, struct at_energy *out, struct at_error *err)
{
	unsigned long long millijoules = 0;
	unsigned code;

	memset(out, 0, sizeof(*out));
	if (!self)
		return at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"NVIDIA's management library (NVML), which counts energy, was not found");
	if (self->slice)
		return at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"this is a slice of a board (MIG), and energy is counted for the whole board alone");
	code = self->nvml.energy ? self->nvml.energy(self->device, &millijoules)
				 : NVML_NOT_SUPPORTED;
	if (code)
		return at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			code == NVML_NOT_SUPPORTED
				? "the board or its driver counts no energy: boards before Volta do not"
				: "NVML does not tell the energy of the board (code %u)",
			code);
	out->millijoules = millijoules;
	out->read_ns = at_clock_now_ns();
	return AT_OK;
}

double at_nvml_celsius(struct at_nvml *self)
{
	unsigned celsius;

	if (!self || !self->nvml.temperature ||
		self->nvml.temperature(self->device, TEMPERATURE_BOARD, &celsius))
		return 0;
	return celsius;
}

uint32_t at_nvml_power_milliwatts(struct at_nvml *self)
{
	unsigned milliwatts;

	if (!self || !self->nvml.set_power_limit ||
		self->nvml.set_power_limit(self->device, &milliwatts))
		return 0;
	return milliwatts;
}

/* Locks a clock, or unlocks it for 0; *now: the locked value. */
static unsigned set_clock(const struct at_nvml *self,
	unsigned (*change)(struct nvmlDevice_st *, unsigned, unsigned),
	unsigned (*reset)(struct nvmlDevice_st *), uint32_t mhz, uint32_t *now)
{
	unsigned code;

	if (mhz == *now)
		return 0;
	if (!change || !reset)
		return NVML_NOT_SUPPORTED;
	code = mhz ? change(self->device, mhz, mhz) : reset(self->device);
	if (!code)
		*now = mhz;
	return code;
}

static unsigned set_power_limit(struct at_nvml *self, uint32_t milliwatts)
{
	unsigned code;

	if (milliwatts == self->set.power_milliwatts)
		return 0;
	if (!self->set.power_milliwatts)
		self->own_milliwatts = at_nvml_power_milliwatts(self);
	/* without a limit to restore, change nothing */
	if (!self->nvml.change_power_limit || !self->own_milliwatts)
		return NVML_NOT_SUPPORTED;
	code = self->nvml.change_power_limit(
		self->device, milliwatts ? milliwatts : self->own_milliwatts);
	if (!code)
		self->set.power_milliwatts = milliwatts;
	return code;
}

enum at_status at_nvml_set_clocks(
	struct at_nvml *self, const struct at_clocks *clocks, struct at_error *err)
{
	const struct functions *nvml = &self->nvml;
	const struct {
		const char *what;
		unsigned code;
	} steps[] = {
		{ "clock", set_clock(self, nvml->change_clock, nvml->reset_clock,
				   clocks->clock_mhz, &self->set.clock_mhz) },
		{ "memory clock",
			set_clock(self, nvml->change_memory_clock,
				nvml->reset_memory_clock, clocks->memory_clock_mhz,
				&self->set.memory_clock_mhz) },
		{ "power limit", set_power_limit(self, clocks->power_milliwatts) },
	};

	for (size_t i = 0; i < AT_COUNT_OF(steps); i++)
		if (steps[i].code)
			return at_fail(err, AT_EUNAVAILABLE, NULL, 0,
				"NVML does not set the %s (code %u): %s", steps[i].what,
				steps[i].code,
				steps[i].code == NVML_NO_PERMISSION
					? "this needs root, in a container also the right to administer the host (CAP_SYS_ADMIN)"
				: steps[i].code == NVML_NOT_SUPPORTED
					? "the board or its driver cannot; leave it out of \"board\""
					: "leave it out of \"board\"");
	return AT_OK;
}

enum at_status at_nvml_restore_clocks(
	const char *uuid, const struct at_clocks *left, struct at_error *err)
{
	const struct at_clocks none = { 0 };
	struct at_nvml *self = at_nvml_open(uuid, "");
	enum at_status status;

	if (!self)
		return at_fail(
			err, AT_EUNAVAILABLE, NULL, 0, "NVML does not find the board");
	self->set = *left;
	self->own_milliwatts = left->power_milliwatts;
	status = at_nvml_set_clocks(self, &none, err);
	at_nvml_close(self);
	return status;
}

void at_nvml_offer(struct at_nvml *self, struct at_device_info *out)
{
	struct at_clocks_offer *offer = &out->offer;
	unsigned count = AT_MEMORY_CLOCKS_MOST, highest = 0;
	const char *why =
		!self ? "NVML, which sets them, was not found"
		: self->slice
			? "this is a slice of a board (MIG), and they are set for the whole board alone"
		: geteuid() ? "setting them needs root: run autotune as root"
			    : "";

	snprintf(out->no_clocks, sizeof(out->no_clocks), "%s", why);
	if (!self)
		return;
	if (!self->nvml.memory_clocks || self->nvml.memory_clocks(self->device, &count,
						 offer->memory_clocks_mhz))
		memset(offer, 0, sizeof(*offer));
	for (size_t i = 0; i < AT_MEMORY_CLOCKS_MOST; i++)
		if (offer->memory_clocks_mhz[i] > highest)
			highest = offer->memory_clocks_mhz[i];
	count = AT_CLOCKS_MOST;
	if (!self->nvml.clocks ||
		self->nvml.clocks(self->device, highest, &count, offer->clocks_mhz))
		memset(offer->clocks_mhz, 0, sizeof(offer->clocks_mhz));
	if (!self->nvml.power_range ||
		self->nvml.power_range(self->device, &offer->power_milliwatts[0],
			&offer->power_milliwatts[1]))
		memset(offer->power_milliwatts, 0, sizeof(offer->power_milliwatts));
}

/* All processes that compute on the board, on the heap. NULL with *count 0: unknown. */
static struct process *list_processes(struct at_nvml *self, unsigned *count)
{
	unsigned room = PROCESSES;

	/* NVML reports the required size, but more may have come before the next
	   call */
	for (int i = 0; i < 3 && room <= PROCESSES_MAX; i++) {
		struct process *processes = at_calloc(room, sizeof(*processes));
		unsigned code;

		*count = room;
		code = self->nvml.processes(self->device, count, processes);
		if (!code && *count <= room)
			return processes;
		free(processes);
		if (code != INSUFFICIENT_SIZE)
			break;
		room = *count + PROCESSES;
	}
	*count = 0;
	return NULL;
}

size_t at_nvml_neighbours(
	struct at_nvml *self, struct at_neighbour *neighbours, size_t room)
{
	struct process *processes;
	unsigned count;
	size_t found = 0;

	if (!self || !self->nvml.processes)
		return 0;
	processes = list_processes(self, &count);
	for (unsigned i = 0; i < count; i++) {
		struct at_neighbour *neighbour;
		char path[512] = "";
		const char *name;

		if (processes[i].pid == (unsigned)getpid() || found++ >= room)
			continue;
		neighbour = &neighbours[found - 1];
		if (!self->nvml.process_name ||
			self->nvml.process_name(processes[i].pid, path, sizeof(path)))
			path[0] = '\0';
		name = strrchr(path, '/');
		snprintf(neighbour->name, sizeof(neighbour->name), "%.*s",
			(int)sizeof(neighbour->name) - 1, name ? name + 1 : path);
		neighbour->pid = processes[i].pid;
		neighbour->memory_bytes = processes[i].memory_bytes == ~0ull
						  ? 0
						  : processes[i].memory_bytes;
	}
	free(processes);
	return found;
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

bool at_nvml_is_slice(const struct at_nvml *self)
{
	return self && self->slice;
}

void at_nvml_slice_name(struct at_nvml *self, char *buffer, size_t size)
{
	buffer[0] = '\0';
	if (!at_nvml_is_slice(self) || !self->nvml.name ||
		self->nvml.name(self->slice, buffer, (unsigned)size))
		buffer[0] = '\0';
	buffer[size - 1] = '\0';
}

void at_nvml_power_limits(struct at_nvml *self, int64_t *set, int64_t *by_default)
{
	unsigned milliwatts;

	*set = *by_default = 0;
	if (!self)
		return;
	if (self->nvml.set_power_limit &&
		!self->nvml.set_power_limit(self->device, &milliwatts))
		*set = ((int64_t)milliwatts + 500) / 1000;
	if (self->nvml.default_power_limit &&
		!self->nvml.default_power_limit(self->device, &milliwatts))
		*by_default = ((int64_t)milliwatts + 500) / 1000;
}
