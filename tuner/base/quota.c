/* Reads the processor quotas of control groups, and counts usable cores. */
/* sched_getaffinity() is Linux's own */
#define _GNU_SOURCE
#include "base/quota.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PATH_SIZE 4096

/* Reads two numbers from a file, or one if `second` is NULL. "max" (version 2) and -1
   (version 1) mean no quota. */
static bool read_numbers(const char *folder, const char *name,
	unsigned long long *first, unsigned long long *second)
{
	char path[PATH_SIZE + 64];
	FILE *file;
	long long value = 0;
	bool found;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "re");
	if (!file)
		return false;
	found = fscanf(file, "%lld", &value) == 1 && value > 0;
	*first = (unsigned long long)value;
	if (found && second)
		found = fscanf(file, "%llu", second) == 1;
	fclose(file);
	return found;
}

static unsigned cores_of(const char *folder)
{
	unsigned long long quota, period;

	if (!read_numbers(folder, "cpu.max", &quota, &period) &&
		!(read_numbers(folder, "cpu.cfs_quota_us", &quota, NULL) &&
			read_numbers(folder, "cpu.cfs_period_us", &period, NULL)))
		return 0;
	return period ? (unsigned)((quota + period - 1) / period) : 0;
}

/* The smallest quota from a group up to the root of its hierarchy. In a container the
   path may be the host's, and only its root is visible. */
static unsigned smallest(const char *root, const char *path)
{
	char folder[PATH_SIZE];
	size_t root_length = strlen(root);
	unsigned least = 0;

	if ((size_t)snprintf(folder, sizeof(folder), "%s%s", root, path) >=
		sizeof(folder))
		return 0;
	for (;;) {
		unsigned cores = cores_of(folder);
		char *slash = strrchr(folder + root_length, '/');

		if (cores && (!least || cores < least))
			least = cores;
		if (!slash)
			return least;
		*slash = '\0';
	}
}

/* Whether the controllers of a line, "cpu,cpuacct", include "cpu". */
static bool has_processors(const char *controllers)
{
	while (*controllers) {
		size_t length = strcspn(controllers, ",");

		if (length == 3 && !strncmp(controllers, "cpu", 3))
			return true;
		controllers += length + (controllers[length] == ',');
	}
	return false;
}

unsigned at_quota_cores(const char *groups, const char *root)
{
	char line[PATH_SIZE], base[PATH_SIZE];
	FILE *file = fopen(groups, "re");
	unsigned least = 0;

	/* lines such as "0::/user.slice/job" and "4:cpu,cpuacct:/job" */
	while (file && fgets(line, sizeof(line), file)) {
		char *controllers = strchr(line, ':');
		char *path = controllers ? strchr(controllers + 1, ':') : NULL;
		unsigned cores;

		if (!path)
			continue;
		*path++ = '\0';
		controllers++;
		path[strcspn(path, "\n")] = '\0';
		if (controllers[0] && !has_processors(controllers))
			continue;
		snprintf(
			base, sizeof(base), "%s%s", root, controllers[0] ? "/cpu" : "");
		cores = smallest(base, path);
		if (cores && (!least || cores < least))
			least = cores;
	}
	if (file)
		fclose(file);
	return least;
}

unsigned at_quota_usable_cores(void)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned cores = online > 0 ? (unsigned)online : 1;
	unsigned quota = at_quota_cores(AT_QUOTA_GROUPS, AT_QUOTA_ROOT);
	cpu_set_t allowed;

	if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0 && CPU_COUNT(&allowed))
		cores = (unsigned)CPU_COUNT(&allowed);
	return quota && quota < cores ? quota : cores;
}
