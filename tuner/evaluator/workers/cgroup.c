/* Finds this process's control group; makes, kills and removes groups below it. */
/* for getxattr(), which POSIX does not have */
#define _GNU_SOURCE
#include "evaluator/workers/cgroup.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif

#define PREFIX "autotune-"

/* Finds where control groups of version 2 are mounted; false: nowhere. */
static bool find_mount(char *path, size_t size)
{
	FILE *mounts = fopen("/proc/self/mounts", "re");
	char line[1024], place[512], kind[64];
	bool found = false;

	while (mounts && !found && fgets(line, sizeof(line), mounts))
		found = sscanf(line, "%*s %511s %63s", place, kind) == 2 &&
			!strcmp(kind, "cgroup2") && strlen(place) < size;
	if (found)
		snprintf(path, size, "%s", place);
	if (mounts)
		fclose(mounts);
	return found;
}

/* Finds this process's own group: "0::/user.slice/..." */
static bool find_group(char *path, size_t size)
{
	FILE *groups = fopen("/proc/self/cgroup", "re");
	char line[512];
	bool found = false;

	while (groups && !found && fgets(line, sizeof(line), groups)) {
		line[strcspn(line, "\n")] = '\0';
		found = !strncmp(line, "0::/", 4) && strlen(line + 3) < size;
	}
	if (found)
		snprintf(path, size, "%s", line + 3);
	if (groups)
		fclose(groups);
	return found;
}

/*
 * Whether this user may divide the group. Root may write to any group, but where a
 * manager like systemd runs, only a group that is marked as delegated may be divided.
 */
static bool is_given_to_us(const char *path)
{
	struct stat facts;

	if (stat(path, &facts) || facts.st_uid != geteuid())
		return false;
	if (facts.st_uid != 0)
		return true;
#ifdef __linux__
	for (int i = 0; i < 2; i++) {
		char mark;

		if (getxattr(path, i ? "trusted.delegate" : "user.delegate", &mark,
			    1) == 1 &&
			mark == '1')
			return true;
	}
#endif
	return false;
}

/* Removes groups that killed guards have left; one that has members cannot be
   removed. */
static void sweep(const char *path)
{
	DIR *folder = opendir(path);

	for (struct dirent *entry; folder && (entry = readdir(folder));)
		if (!strncmp(entry->d_name, PREFIX, strlen(PREFIX)))
			unlinkat(dirfd(folder), entry->d_name, AT_REMOVEDIR);
	if (folder)
		closedir(folder);
}

static void write_to(const struct at_cgroup *self, const char *name, const char *text)
{
	char path[sizeof(self->path) + 32];
	int file;

	if (!self->path[0])
		return;
	snprintf(path, sizeof(path), "%s/%s", self->path, name);
	file = open(path, O_WRONLY | O_CLOEXEC);
	if (file < 0)
		return;
	/* if this fails, the guard does the same process by process */
	(void)!write(file, text, strlen(text));
	close(file);
}

void at_cgroup_make(struct at_cgroup *self)
{
	char mount[200], group[250];

	self->path[0] = '\0';
	if (!find_mount(mount, sizeof(mount)) || !find_group(group, sizeof(group)))
		return;
	snprintf(self->path, sizeof(self->path), "%s%s", mount, group);
	if (!is_given_to_us(self->path)) {
		self->path[0] = '\0';
		return;
	}
	sweep(self->path);
	snprintf(self->path, sizeof(self->path), "%s%s/" PREFIX "%ld", mount, group,
		(long)getpid());
	if (mkdir(self->path, 0755))
		self->path[0] = '\0';
}

void at_cgroup_enter(const struct at_cgroup *self)
{
	write_to(self, "cgroup.procs", "0");
}

void at_cgroup_kill(const struct at_cgroup *self)
{
	write_to(self, "cgroup.kill", "1");
}

void at_cgroup_remove(struct at_cgroup *self)
{
	if (self->path[0])
		rmdir(self->path);
	self->path[0] = '\0';
}
