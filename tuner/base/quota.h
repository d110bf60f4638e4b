/*
 * How many cores a process may use: by its affinity, and by the quotas of its control
 * groups (cgroups(7), versions 1 and 2), which containers, systemd or batch systems
 * set. Threads: safe.
 */
#ifndef AT_BASE_QUOTA_H
#define AT_BASE_QUOTA_H

/* The system's files about control groups. */
#define AT_QUOTA_GROUPS "/proc/self/cgroup"
#define AT_QUOTA_ROOT "/sys/fs/cgroup"

/*
 * The smallest quota of the process's groups and of all that contain them, in cores,
 * rounded up; 0: no quota. groups, root: AT_QUOTA_GROUPS and AT_QUOTA_ROOT, or similar
 * files.
 */
unsigned at_quota_cores(const char *groups, const char *root);

/*
 * How many cores this process may use: those of its affinity, which taskset and batch
 * systems set, limited by the quotas of its groups; at least 1. All code that decides
 * about concurrency uses this.
 */
unsigned at_quota_usable_cores(void);

#endif
