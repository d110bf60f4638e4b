/* Quotas of control groups, from files like those of the system, and the affinity. */
/* affinity is Linux's own */
#define _GNU_SOURCE
#include "base/quota.h"
#include "folder.h"

#include <sched.h>

#include "suite.h"

static char folder[] = "/tmp/autotune-quota-XXXXXX";

/* Writes a file below the folder, with the folders that lead to it. */
static void put(const char *name, const char *text)
{
	char path[256], *slash;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	slash = strrchr(path, '/');
	*slash = '\0';
	assert_ok(at_directory_make(path, &failure));
	*slash = '/';
	file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static unsigned cores_of(const char *groups)
{
	char path[256], root[256];

	put("groups", groups);
	snprintf(path, sizeof(path), "%s/groups", folder);
	snprintf(root, sizeof(root), "%s/root", folder);
	return at_quota_cores(path, root);
}

static int begin(void **state)
{
	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	return folder_make(folder) ? 0 : -1;
}

static int end(void **state)
{
	return folder_remove(folder);
}

TEST_WITH(nothing_is_said_where_there_is_no_quota, begin, end)
{
	assert_int_equal(at_quota_cores("/nowhere", "/nowhere"), 0);
	put("root/a/cpu.max", "max 100000\n");
	put("root/cpu/b/cpu.cfs_quota_us", "-1\n");
	put("root/cpu/b/cpu.cfs_period_us", "100000\n");
	assert_int_equal(cores_of("1:cpu,cpuacct:/b\n0::/a\n"), 0);
	put("root/a/cpu.max", "odd");
	assert_int_equal(cores_of("no line of a group\n0::/a\n"), 0);
}

TEST_WITH(a_container_sees_its_quota_at_the_root, begin, end)
{
	put("root/cpu.max", "250000 100000\n");
	assert_int_equal(cores_of("0::/\n"), 3);
	/* a path of the host, which is not there */
	assert_int_equal(cores_of("0::/docker/1234\n"), 3);
}

TEST_WITH(the_smallest_of_nested_groups_counts, begin, end)
{
	put("root/slice/cpu.max", "200000 100000\n");
	put("root/slice/job/cpu.max", "800000 100000\n");
	put("root/slice/job/task/cpu.max", "max 100000\n");
	assert_int_equal(cores_of("0::/slice/job/task\n"), 2);
	put("root/slice/job/task/cpu.max", "50000 100000\n");
	assert_int_equal(cores_of("0::/slice/job/task\n"), 1);
	assert_int_equal(cores_of("0::/other\n"), 0);
}

TEST_WITH(version_1_has_a_hierarchy_of_its_own, begin, end)
{
	put("root/cpu/job/cpu.cfs_quota_us", "400000\n");
	put("root/cpu/job/cpu.cfs_period_us", "100000\n");
	put("root/memory/job/cpu.cfs_quota_us", "100000\n");
	put("root/memory/job/cpu.cfs_period_us", "100000\n");
	assert_int_equal(cores_of("9:memory:/job\n4:cpu,cpuacct:/job/1\n0::/\n"), 4);
	assert_int_equal(cores_of("3:cpuset:/job\n"), 0);
}

/* Of the cores that this process may use as many as a smaller affinity leaves. */
TEST(the_affinity_limits_what_is_usable)
{
	unsigned quota = at_quota_cores(AT_QUOTA_GROUPS, AT_QUOTA_ROOT);
	cpu_set_t before, fewer;
	unsigned allowed;

	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	allowed = (unsigned)CPU_COUNT(&before);
	assert_int_equal(
		at_quota_usable_cores(), quota && quota < allowed ? quota : allowed);
	fewer = before;
	for (size_t core = 0; CPU_COUNT(&fewer) > 1; core++)
		CPU_CLR(core, &fewer);
	assert_int_equal(sched_setaffinity(0, sizeof(fewer), &fewer), 0);
	assert_int_equal(at_quota_usable_cores(), 1);
	assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
}

RUN_SUITE(NULL, NULL)
