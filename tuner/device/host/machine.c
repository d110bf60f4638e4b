/* This machine as a device: its processor, cores, caches and memory. */
#include "device/host/machine.h"
#include "base/hash.h"
#include "kernel/cxx.h"
#include "kernel/host_dialect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/*
 * Reads the first line of a small file, without its newline. False if none exists.
 */
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

/* Reads the value of "name : value" in /proc/cpuinfo, of the first processor there. */
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

	/* two caches of the first level (data, instructions), and two or three levels
	   more */
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
		/* the same as on every NVIDIA GPU, so that a space means the same on
		   both */
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

void at_host_machine_describe(unsigned core_count, struct at_device_info *info)
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
	/* machine-id(5) calls the id confidential: only a hash of it is recorded */
	if (read_line("/etc/machine-id", line, sizeof(line)) && line[0]) {
		at_hash_hex(at_hash_bytes(line, strlen(line)), digest);
		snprintf(info->uuid, sizeof(info->uuid), "%s", digest);
	}
	snprintf(info->toolchain, sizeof(info->toolchain), AT_TOOLCHAIN_CXX);
	info->shares_cores = true;
	set_properties(&info->properties, core_count);
}
