/*
 * How many cores a process may use: by its affinity, and by its control groups
 * (cgroups(7)), of version 2 and of version 1, whose quotas a container, systemd or a
 * batch system sets.
 * Threads: safe.
 */
#ifndef AT_BASE_QUOTA_H
#define AT_BASE_QUOTA_H

/* Where the system tells of them. */
#define AT_QUOTA_GROUPS "/proc/self/cgroup"
#define AT_QUOTA_ROOT "/sys/fs/cgroup"

/*
 * The smallest quota of the process's groups and of all that contain them, in cores,
 * rounded up; 0: none exists. groups, root: AT_QUOTA_GROUPS and AT_QUOTA_ROOT, or
 * files like them.
 */
unsigned at_quota_cores(const char *groups, const char *root);

/*
 * How many cores this process may use: those of its affinity, which taskset and batch
 * systems set, at most the quotas of its groups; at least 1. Whatever counts cores to
 * decide how much runs at once asks here.
 */
unsigned at_quota_usable_cores(void);

#endif
