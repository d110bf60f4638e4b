/*
 * The `host` row of the registry: runs kernels on this machine's processor, in this
 * process.
 */
/* POSIX 2008 has no anonymous mappings */
#define _DEFAULT_SOURCE
#include "device/device.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/quota.h"
#include "device/host/image.h"
#include "device/host/pool.h"
#include "device/host/process_state.h"
#include "kernel/cxx.h"
#include "kernel/host_dialect.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

struct at_memory {
	unsigned char *bytes;
	uint64_t size; /* the requested size */
	/* Of guarded memory: the bytes of all its pages (0: unguarded), the
	   reservation, and the protection. */
	uint64_t mapped;
	unsigned char *reserved;
	uint64_t reserved_bytes;
	enum at_protection protection;
	struct at_memory *next; /* in the list of guarded memory */
};

struct host {
	struct at_device device; /* first: callers hold a pointer to it */
	struct at_host_pool *pool;
	/* A pool with more workers than cores, for shuffled launches; NULL until
	   needed. */
	struct at_host_pool *shuffle_pool;
	/* likewise, for the blocks of cooperative launches */
	struct at_host_pool *cooperative_pool;
	unsigned core_count;
	uint64_t seed;
	uint64_t worked_ns; /* of all untimed launches */
	struct at_memory *guarded; /* list of all guarded memory */
	char failure[AT_HOST_FAILURE_BYTES]; /* of the last launch */
	/* the process's state at the last has_changed_process() */
	struct at_process_state noted;
};

/* The approximate time to hand a launch to the cores and back, as measured by
   tests/bench/bench_host.c; every reported time includes it. */
#define RESOLUTION_NS 1000.0

static struct host *host_of(struct at_device *device)
{
	return (struct host *)device;
}

static void host_close(struct at_device *device)
{
	struct host *self = host_of(device);

	if (!self)
		return;
	at_host_pool_close(self->cooperative_pool);
	at_host_pool_close(self->shuffle_pool);
	at_host_pool_close(self->pool);
	free(self);
}

/* ---- memory --------------------------------------------------------------- */

static enum at_status host_allocate(struct at_device *device, uint64_t bytes,
	struct at_memory **out, struct at_error *err)
{
	struct at_memory *memory = malloc(sizeof(*memory));
	void *block = NULL;

	(void)device;
	/* Aligned to pages, more than the 256 bytes of the contract: then a buffer lies
	   in the same sets of the first-level cache in every run. */
	if (!memory || bytes > SIZE_MAX / 2 ||
		posix_memalign(&block, (size_t)sysconf(_SC_PAGESIZE), (size_t)bytes)) {
		free(memory);
		return at_fail(err, AT_ENOMEM, NULL, 0,
			"no memory for a buffer of %llu bytes; use a smaller problem",
			(unsigned long long)bytes);
	}
	*memory = (struct at_memory){ .bytes = block, .size = bytes };
	*out = memory;
	return AT_OK;
}

/* MAP_FAILED: not enough address space. */
static unsigned char *reserve(uint64_t bytes)
{
	return mmap(NULL, (size_t)bytes, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

/* False with 39-bit addresses, and under a limit ("ulimit -v"). */
static bool has_spare_addresses(void)
{
	unsigned char *space = reserve(AT_SPARE_BYTES);

	if (space == MAP_FAILED)
		return false;
	munmap(space, (size_t)AT_SPARE_BYTES);
	return true;
}

/*
 * Also reserves address space for the guards, so that nothing else can lie there; that
 * is free (MAP_NORESERVE). The pages between are remapped without that flag: then the
 * system rejects at once what can never fit, like malloc(), instead of killing the
 * process at the first access.
 */
static enum at_status host_allocate_guarded(struct at_device *device, uint64_t bytes,
	struct at_memory **out, struct at_error *err)
{
	struct host *self = host_of(device);
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t mapped = (bytes + page - 1) / page * page;
	uint64_t ahead = AT_GUARD_BYTES;
	struct at_memory *memory = malloc(sizeof(*memory));
	unsigned char *space = MAP_FAILED;

	if (device->extra_gap_bytes && has_spare_addresses())
		ahead += device->extra_gap_bytes / page * page;
	if (memory && bytes < SIZE_MAX / 4)
		space = reserve(ahead + mapped + AT_GUARD_BYTES);
	if (space == MAP_FAILED)
		goto full;
	if (mmap(space + ahead, (size_t)mapped, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) {
		munmap(space, (size_t)(ahead + mapped + AT_GUARD_BYTES));
		goto full;
	}
	*memory = (struct at_memory){ .bytes = space + ahead,
		.size = bytes,
		.mapped = mapped,
		.reserved = space,
		.reserved_bytes = ahead + mapped + AT_GUARD_BYTES,
		.next = self->guarded };
	self->guarded = memory;
	*out = memory;
	return AT_OK;
full:
	free(memory);
	return at_fail(err, AT_ENOMEM, NULL, 0,
		"no memory for a buffer of %llu bytes between guards of %llu: %s; use a smaller problem or raise `ulimit -v`",
		(unsigned long long)bytes, (unsigned long long)AT_GUARD_BYTES,
		strerror(ENOMEM));
}

static void host_release(struct at_device *device, struct at_memory *memory)
{
	if (!memory)
		return;
	if (memory->mapped) {
		struct at_memory **place = &host_of(device)->guarded;

		while (*place != memory)
			place = &(*place)->next;
		*place = memory->next;
		munmap(memory->reserved, (size_t)memory->reserved_bytes);
	} else {
		free(memory->bytes);
	}
	free(memory);
}

static uint64_t host_mapped(struct at_device *device, struct at_memory *memory)
{
	(void)device;
	return memory->mapped;
}

static enum at_status host_protect(struct at_device *device, struct at_memory *memory,
	enum at_protection protection, struct at_error *err)
{
	static const int flags[] = {
		[AT_PROTECTION_WRITE] = PROT_READ | PROT_WRITE,
		[AT_PROTECTION_READ] = PROT_READ,
		[AT_PROTECTION_NONE] = PROT_NONE,
	};

	(void)device;
	if (protection == memory->protection)
		return AT_OK;
	if (mprotect(memory->bytes, (size_t)memory->mapped, flags[protection]) < 0)
		return at_fail(err, AT_EDEVICE, NULL, 0,
			"cannot protect a buffer of %llu bytes: %s",
			(unsigned long long)memory->size, strerror(errno));
	memory->protection = protection;
	return AT_OK;
}

static uint64_t host_address(struct at_device *device, struct at_memory *memory)
{
	(void)device;
	return (uint64_t)(uintptr_t)memory->bytes;
}

/* strongest: the strongest protection that allows the copy */
static enum at_status check_copy(const struct at_memory *memory, uint64_t offset_bytes,
	uint64_t bytes, enum at_protection strongest, struct at_error *err)
{
	uint64_t size = memory->mapped ? memory->mapped : memory->size;

	if (offset_bytes > size || bytes > size - offset_bytes)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"a copy of %llu bytes at offset %llu leaves its buffer of %llu bytes",
			(unsigned long long)bytes, (unsigned long long)offset_bytes,
			(unsigned long long)size);
	if (memory->protection > strongest)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"a copy of %llu bytes at offset %llu meets a buffer that is protected against it",
			(unsigned long long)bytes, (unsigned long long)offset_bytes);
	return AT_OK;
}

static enum at_status host_write(struct at_device *device, struct at_memory *memory,
	uint64_t offset_bytes, const void *data, uint64_t bytes, struct at_error *err)
{
	enum at_status status =
		check_copy(memory, offset_bytes, bytes, AT_PROTECTION_WRITE, err);

	(void)device;
	if (status == AT_OK && bytes)
		memcpy(memory->bytes + offset_bytes, data, (size_t)bytes);
	return status;
}

static enum at_status host_read(struct at_device *device, struct at_memory *memory,
	uint64_t offset_bytes, void *data, uint64_t bytes, struct at_error *err)
{
	enum at_status status =
		check_copy(memory, offset_bytes, bytes, AT_PROTECTION_READ, err);

	(void)device;
	if (status == AT_OK && bytes)
		memcpy(data, memory->bytes + offset_bytes, (size_t)bytes);
	return status;
}

/* ---- modules -------------------------------------------------------------- */

static struct at_kernel *host_find(
	struct at_device *device, struct at_module *module, const char *symbol)
{
	(void)device;
	for (unsigned i = 0; i < module->kernel_count; i++)
		if (!strcmp(module->kernels[i].entry->name, symbol))
			return &module->kernels[i];
	return NULL;
}

static enum at_outcome host_set_symbol(struct at_device *device,
	struct at_module *module, const char *name, const void *data, uint64_t bytes,
	bool *found, struct at_error *err)
{
	size_t size;
	void *variable = at_host_image_variable(module, name, &size);

	(void)device;
	*found = variable != NULL;
	if (!variable)
		return AT_OUTCOME_OK;
	if (size < bytes) {
		at_fail(err, AT_EINVAL, NULL, 0,
			"the variable \"%s\" has %zu bytes, fewer than the %llu that go into it",
			name, size, (unsigned long long)bytes);
		return AT_OUTCOME_LAUNCH_FAILED;
	}
	memcpy(variable, data, (size_t)bytes);
	return AT_OUTCOME_OK;
}

static size_t host_variables(struct at_device *device, struct at_module *module,
	struct at_range *ranges, size_t room)
{
	(void)device;
	for (size_t i = 0; i < room && i < module->variable_count; i++)
		ranges[i] = module->variables[i];
	return module->variable_count;
}

/* ---- launches ------------------------------------------------------------- */

static enum at_outcome check_axis(const struct host *self, const char *what, char axis,
	uint32_t size, enum at_property limit, struct at_error *err)
{
	int64_t most = self->device.info.properties.value[limit];

	if (size >= 1 && size <= most)
		return AT_OUTCOME_OK;
	at_fail(err, AT_EINVAL, NULL, 0,
		"the launch was refused: %s.%c is %u; expected 1 to %lld", what, axis,
		size, (long long)most);
	return AT_OUTCOME_LAUNCH_FAILED;
}

/* Blocks of a cooperative launch need one worker each: at least this many workers, even
   with fewer cores. */
#define COOPERATIVE_WORKERS 32u

static unsigned cooperative_most(const struct host *self)
{
	return self->core_count > COOPERATIVE_WORKERS ? self->core_count
						      : COOPERATIVE_WORKERS;
}

/* Rejects unsupported attributes; ignores hints. */
static enum at_outcome check_attributes(
	const struct host *self, const struct at_invocation *call, struct at_error *err)
{
	const uint64_t most = cooperative_most(self), blocks = at_blocks_of(call->grid);

	if (at_blocks_of(call->attributes->cluster) > 1) {
		at_fail(err, AT_EINVAL, NULL, 0,
			"the launch was refused: host has no clusters of blocks: give this problem on = \"cuda\"");
		return AT_OUTCOME_LAUNCH_FAILED;
	}
	if (!call->attributes->is_cooperative || blocks <= most)
		return AT_OUTCOME_OK;
	at_fail(err, AT_EINVAL, NULL, 0,
		"the launch was refused: it is cooperative, and has %ux%ux%u blocks; host runs at most %llu at once",
		call->grid[0], call->grid[1], call->grid[2], (unsigned long long)most);
	return AT_OUTCOME_TOO_MANY_RESOURCES;
}

/* Rejects what a GPU would reject. Otherwise a kernel would fail only on the GPU. */
static enum at_outcome check_call(
	const struct host *self, const struct at_invocation *call, struct at_error *err)
{
	static const enum at_property block_limits[] = { AT_PROPERTY_MAX_BLOCK_X,
		AT_PROPERTY_MAX_BLOCK_Y, AT_PROPERTY_MAX_BLOCK_Z };
	static const enum at_property grid_limits[] = { AT_PROPERTY_MAX_GRID_X,
		AT_PROPERTY_MAX_GRID_Y, AT_PROPERTY_MAX_GRID_Z };
	const struct at_host_kernel *kernel = call->kernel->entry;
	uint64_t threads = (uint64_t)call->block[0] * call->block[1] * call->block[2];
	enum at_outcome outcome = AT_OUTCOME_OK;

	if (call->argument_count != kernel->parameter_count) {
		at_fail(err, AT_EINVAL, NULL, 0,
			"the launch was refused: kernel \"%s\" has %u parameters and was given %zu arguments",
			kernel->name, kernel->parameter_count, call->argument_count);
		return AT_OUTCOME_LAUNCH_FAILED;
	}
	if (call->shared_bytes > AT_HOST_DYNAMIC_SHARED_BYTES) {
		at_fail(err, AT_EINVAL, NULL, 0,
			"the launch was refused: %u bytes of dynamic shared memory; the limit is %d",
			call->shared_bytes, AT_HOST_DYNAMIC_SHARED_BYTES);
		return AT_OUTCOME_TOO_MANY_RESOURCES;
	}
	for (int i = 0; i < 3 && outcome == AT_OUTCOME_OK; i++) {
		char axis = (char)('x' + i);

		outcome = check_axis(
			self, "block", axis, call->block[i], block_limits[i], err);
		if (outcome == AT_OUTCOME_OK)
			outcome = check_axis(
				self, "grid", axis, call->grid[i], grid_limits[i], err);
	}
	if (outcome == AT_OUTCOME_OK && call->attributes)
		outcome = check_attributes(self, call, err);
	/* each axis may be this long, but not all three together */
	if (outcome == AT_OUTCOME_OK && threads > AT_HOST_MAX_THREADS) {
		at_fail(err, AT_EINVAL, NULL, 0,
			"the launch was refused: a block of %llu threads; the limit is %d",
			(unsigned long long)threads, AT_HOST_MAX_THREADS);
		return AT_OUTCOME_LAUNCH_FAILED;
	}
	return outcome;
}

/*
 * The minimum number of workers for shuffled launches: the system may preempt them
 * anywhere, so that dependent blocks overlap even on few cores. There are no more,
 * because no device guarantees that more blocks are resident: a kernel that waits for a
 * block that has not begun must not succeed here either.
 */
#define SHUFFLE_WORKERS 4u

/* NULL: no memory or threads for more workers, so the usual pool must do. */
static struct at_host_pool *larger_pool(
	struct host *self, unsigned worker_count, struct at_host_pool **pool)
{
	if (!*pool && at_host_pool_open(worker_count, pool, NULL) == AT_OK)
		self->noted.thread_count += worker_count - 1;
	return *pool;
}

/* NULL: too few workers for the blocks of a cooperative launch. */
static struct at_host_pool *pool_of(
	struct host *self, const struct at_invocation *call, bool is_cooperative)
{
	struct at_host_pool *larger = NULL;

	if (is_cooperative && at_blocks_of(call->grid) > self->core_count)
		return larger_pool(
			self, cooperative_most(self), &self->cooperative_pool);
	if (self->seed && self->core_count < SHUFFLE_WORKERS)
		larger = larger_pool(self, SHUFFLE_WORKERS, &self->shuffle_pool);
	return larger ? larger : self->pool;
}

/* The location of an address, for the message. A fault in guarded memory or its guards
   is an index error, hence OUT_OF_BOUNDS; any other fault may have any cause: NULL. */
static const char *explain_fault(const struct host *self, uint64_t address)
{
	for (const struct at_memory *memory = self->guarded; memory && address;
		memory = memory->next) {
		uint64_t first = (uint64_t)(uintptr_t)memory->bytes;

		if (address < first - AT_GUARD_BYTES ||
			address >= first + memory->mapped + AT_GUARD_BYTES)
			continue;
		if (address < first)
			return "ahead of a buffer";
		if (address >= first + memory->mapped)
			return "behind a buffer";
		return memory->protection == AT_PROTECTION_READ
			       ? "in a buffer that is only to be read"
			       : "in a buffer that no kernel may touch";
	}
	return NULL;
}

static enum at_outcome launch(struct host *self, const struct at_invocation *call,
	bool is_timed, struct at_error *err)
{
	struct at_host_launch plan = {
		.kernel = call->kernel->entry,
		.arguments = (const struct at_host_value *)call->arguments,
		.grid = { call->grid[0], call->grid[1], call->grid[2] },
		.block = { call->block[0], call->block[1], call->block[2] },
		.seed = self->seed,
		.shared = &call->kernel->module->shared,
		.dynamic_bytes = call->shared_bytes,
		.failure = self->failure,
		.undefined = self->device.undefined,
		.has_undefined = self->device.undefined[0] != '\0',
		.code_first = call->kernel->module->code.address,
		.code_bytes = call->kernel->module->code.bytes,
		.is_counted = !is_timed,
	};
	struct at_host_pool *pool;
	const char *place;

	plan.is_cooperative = call->attributes && call->attributes->is_cooperative;
	pool = pool_of(self, call, plan.is_cooperative);
	if (!pool) {
		at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"the launch was refused: no thread for each of its blocks can be had, which a cooperative launch needs");
		return AT_OUTCOME_TOO_MANY_RESOURCES;
	}
	at_host_pool_run(pool, &plan);
	self->worked_ns += atomic_load(&plan.worked_ns);
	if (!plan.failure[0])
		return AT_OUTCOME_OK;
	self->device.is_lost = true;
	self->device.fault_address = plan.fault_address;
	place = explain_fault(self, plan.fault_address);
	at_fail(err, AT_EDEVICE, NULL, 0, "%s%s%s", plan.failure, place ? ", " : "",
		place ? place : "");
	return place ? AT_OUTCOME_OUT_OF_BOUNDS : plan.outcome;
}

_Static_assert(sizeof(struct at_parameter_value) == sizeof(struct at_host_value),
	"arguments are passed on as they are");

static enum at_outcome host_run(struct at_device *device,
	const struct at_invocation *calls, size_t count, struct at_error *err)
{
	struct host *self = host_of(device);

	for (size_t i = 0; i < count; i++) {
		enum at_outcome outcome = check_call(self, &calls[i], err);

		if (outcome == AT_OUTCOME_OK)
			outcome = launch(self, &calls[i], false, err);
		if (outcome != AT_OUTCOME_OK)
			return outcome;
	}
	return AT_OUTCOME_OK;
}

static enum at_outcome host_time(struct at_device *device,
	const struct at_invocation *before, size_t before_count,
	const struct at_invocation *timed, size_t timed_count, unsigned launches,
	double *duration_ns, struct at_error *err)
{
	struct host *self = host_of(device);
	enum at_outcome outcome = host_run(device, before, before_count, err);
	uint64_t started_ns;

	assert(timed_count > 0);
	for (size_t i = 0; i < timed_count && outcome == AT_OUTCOME_OK; i++)
		outcome = check_call(self, &timed[i], err);
	if (outcome != AT_OUTCOME_OK)
		return outcome;
	/* otherwise the first launch would include the time to wake the cores */
	at_host_pool_wake(self->pool);
	started_ns = at_clock_now_ns();
	for (unsigned i = 0; i < launches && outcome == AT_OUTCOME_OK; i++)
		outcome = launch(self, &timed[i % timed_count], true, err);
	*duration_ns = (double)(at_clock_now_ns() - started_ns);
	return outcome;
}

/* No method of reading the state works on every system without privileges; unknown
   values are better than guesses. */
static void host_state(struct at_device *device, struct at_device_state *out)
{
	(void)device;
	memset(out, 0, sizeof(*out));
}

static void host_shuffle_threads(struct at_device *device, uint64_t seed)
{
	host_of(device)->seed = seed;
}

static bool host_has_left_traces(struct at_device *device)
{
	struct host *self = host_of(device);
	struct at_process_state now;
	bool differs;

	at_process_state_note(&now);
	differs = at_process_state_differs(&self->noted, &now);
	self->noted = now;
	return differs;
}

static uint64_t host_worked_ns(struct at_device *device)
{
	return host_of(device)->worked_ns;
}

/* ---- this machine: its processor, cores, caches and memory ----------------- */

/* Reads the first line of a small file, without its newline. False: no line. */
static bool read_line(const char *path, char *line, size_t size)
{
	FILE *file = fopen(path, "r");
	bool got = file && fgets(line, (int)size, file);

	if (file)
		fclose(file);
	if (got)
		line[strcspn(line, "\n")] = '\0';
	return got;
}

/* Reads the value of "name : value" in /proc/cpuinfo, for the first processor. */
static bool read_processor(const char *name, char *value, size_t size)
{
	FILE *file = fopen("/proc/cpuinfo", "r");
	char line[512];
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file)) {
		char *colon = strchr(line, ':');

		if (!colon || strncmp(line, name, strlen(name)))
			continue;
		colon += 1 + strspn(colon + 1, " \t");
		colon[strcspn(colon, "\n")] = '\0';
		snprintf(value, size, "%s", colon);
		found = true;
	}
	if (file)
		fclose(file);
	return found;
}

/* Bytes of the largest cache of the first processor; 32 MiB when unknown. */
static int64_t last_cache_bytes(void)
{
	int64_t largest = 0;

	/* two caches of the first level (data, instructions), and two or three more
	   levels */
	for (int i = 0; i < 8; i++) {
		char path[96], line[64], unit = 'B';
		long long size;

		snprintf(path, sizeof(path),
			"/sys/devices/system/cpu/cpu0/cache/index%d/size", i);
		if (!read_line(path, line, sizeof(line)) ||
			sscanf(line, "%lld%c", &size, &unit) < 1)
			break;
		size *= unit == 'K' ? 1024 : unit == 'M' ? 1024 * 1024 : 1;
		if (size > largest)
			largest = size;
	}
#ifdef _SC_LEVEL3_CACHE_SIZE
	if (!largest)
		largest = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
	return largest > 0 ? largest : (int64_t)32 << 20;
}

/* The highest clock in Hz; 0 when unknown. */
static int64_t clock_hz(void)
{
	char text[64];

	if (read_line("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", text,
		    sizeof(text)))
		return 1000 * (int64_t)strtoll(text, NULL, 10);
	if (read_processor("cpu MHz", text, sizeof(text)))
		return (int64_t)(1e6 * strtod(text, NULL));
	return 0;
}

static void set_properties(struct at_properties *properties, unsigned core_count)
{
	long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
	int64_t hz = clock_hz();
	const struct {
		enum at_property property;
		int64_t value;
	} rows[] = {
		{ AT_PROPERTY_MULTIPROCESSOR_COUNT, core_count },
		{ AT_PROPERTY_WARP_SIZE, AT_HOST_WARP_SIZE },
		{ AT_PROPERTY_MAX_THREADS_PER_BLOCK, AT_HOST_MAX_THREADS },
		/* as on every NVIDIA GPU, so that a space means the same on both */
		{ AT_PROPERTY_MAX_BLOCK_X, 1024 },
		{ AT_PROPERTY_MAX_BLOCK_Y, 1024 },
		{ AT_PROPERTY_MAX_BLOCK_Z, 64 },
		{ AT_PROPERTY_MAX_GRID_X, INT32_MAX },
		{ AT_PROPERTY_MAX_GRID_Y, UINT16_MAX },
		{ AT_PROPERTY_MAX_GRID_Z, UINT16_MAX },
		{ AT_PROPERTY_MAX_SHARED_BYTES_PER_BLOCK, 48 * 1024 },
		{ AT_PROPERTY_MAX_DYNAMIC_SHARED_BYTES_PER_BLOCK,
			AT_HOST_DYNAMIC_SHARED_BYTES },
		{ AT_PROPERTY_L2_BYTES, last_cache_bytes() },
	};

	memset(properties, 0, sizeof(*properties));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		at_properties_set(properties, rows[i].property, rows[i].value);
	if (pages > 0 && page_bytes > 0)
		at_properties_set(properties, AT_PROPERTY_MEMORY_BYTES,
			(int64_t)pages * page_bytes);
	if (hz > 0)
		at_properties_set(properties, AT_PROPERTY_CLOCK_HZ, hz);
}

/* Fills in all of *info except kind and id. Every member has a fallback. */
static void describe_machine(unsigned core_count, struct at_device_info *info)
{
	struct utsname system;
	char line[128], digest[AT_HASH_HEX_SIZE];

	memset(info, 0, sizeof(*info));
	memset(&system, 0, sizeof(system));
	uname(&system);
	snprintf(info->architecture, sizeof(info->architecture), "%.15s",
		system.machine);
	snprintf(info->driver, sizeof(info->driver), "%.63s", system.release);
	if (!read_processor("model name", info->model, sizeof(info->model)))
		snprintf(info->model, sizeof(info->model), "%.100s", system.machine);
	/* machine-id(5) calls the id confidential: only a hash is recorded */
	if (read_line("/etc/machine-id", line, sizeof(line)) && line[0]) {
		at_hash_hex(at_hash_bytes(line, strlen(line)), digest);
		snprintf(info->uuid, sizeof(info->uuid), "%s", digest);
	}
	snprintf(info->toolchain, sizeof(info->toolchain), AT_TOOLCHAIN_CXX);
	info->shares_cores = true;
	snprintf(info->no_energy, sizeof(info->no_energy),
		"the device host counts no energy");
	set_properties(&info->properties, core_count);
}

/* ---- textures and surfaces ------------------------------------------------- */

struct at_texels {
	struct at_host_texels object;
};

/* An array's texels also lie in the buffer itself. */
static enum at_status host_make_texels(struct at_device *device,
	const struct at_texture *texture, uint64_t address, struct at_texels **out,
	uint64_t *value, struct at_error *err)
{
	struct at_texels *texels = at_calloc(1, sizeof(*texels));

	(void)device;
	(void)err;
	texels->object = (struct at_host_texels){
		.address = (unsigned char *)(uintptr_t)address,
		.pitch_bytes = (uint64_t)texture->pitch_bytes,
		.sizes = { (uint32_t)texture->width, (uint32_t)texture->height,
			(uint32_t)texture->depth },
		.element = texture->element,
		.element_bytes = (uint32_t)at_element_bytes(texture->element),
		.channels = (uint32_t)texture->channels,
		.mode = (uint32_t)texture->address,
		.is_surface = texture->is_surface,
		.is_fetched = texture->is_linear && !texture->height,
		.filters = texture->filters,
		.is_normalized = texture->is_normalized,
		.has_normalized_coordinates = texture->has_normalized_coordinates,
	};
	*value = (uint64_t)(uintptr_t)&texels->object;
	*out = texels;
	return AT_OK;
}

static void host_free_texels(struct at_device *device, struct at_texels *texels)
{
	(void)device;
	free(texels);
}

/* ---- the kind ------------------------------------------------------------- */

static const struct at_device_ops host_ops = {
	.close = host_close,
	.allocate = host_allocate,
	.release = host_release,
	.address = host_address,
	.write = host_write,
	.read = host_read,
	.load = at_host_load,
	.unload = at_host_unload,
	.find = host_find,
	.set_symbol = host_set_symbol,
	.make_texels = host_make_texels,
	.free_texels = host_free_texels,
	.run = host_run,
	.time = host_time,
	.state = host_state,
	.shuffle_threads = host_shuffle_threads,
	.allocate_guarded = host_allocate_guarded,
	.mapped = host_mapped,
	.protect = host_protect,
	.variables = host_variables,
	.has_changed_process = host_has_left_traces,
	.worked_ns = host_worked_ns,
};

/* Without a compiler no kernel can run. */
static enum at_status count_hosts(unsigned *count, struct at_error *err)
{
	char version[320];
	enum at_status status = at_cxx_version(version, sizeof(version), err);

	*count = status ? 0 : 1;
	return status;
}

static enum at_status open_host(
	unsigned index, struct at_device **out, struct at_error *err)
{
	struct host *self;
	unsigned core_count = at_quota_usable_cores();
	enum at_status status;

	if (index != 0)
		return at_fail(err, AT_ENOENT, NULL, 0,
			"there is no device \"host:%u\"; the one there is has the name \"host\"",
			index);
	self = at_calloc(1, sizeof(*self));
	self->device.ops = &host_ops;
	self->device.resolution_ns = RESOLUTION_NS;
	self->core_count = core_count;
	describe_machine(core_count, &self->device.info);
	at_device_name(&at_device_kind_host, 0, &self->device.info);
	status = at_host_pool_open(core_count, &self->pool, err);
	if (status) {
		free(self);
		return status;
	}
	*out = &self->device;
	return AT_OK;
}

const struct at_device_kind at_device_kind_host = {
	.name = "host",
	.summary = "this machine's CPU, through its C++ compiler; no GPU is needed",
	.by_default = AT_DEVICE_FALLBACK,
	.single = true,
	.runs_here = true,
	.count = count_hosts,
	.open = open_host,
};
