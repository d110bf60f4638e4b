/* Finds processes in /proc and kills them. */
/* for syscall() */
#define _GNU_SOURCE
#include "base/processes.h"

#include "base/memory.h"
#include "base/owner.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* the same on every architecture; old headers lack them */
#define CALL_PIDFD_SEND_SIGNAL 424
#define CALL_PIDFD_OPEN 434

/* killed processes are gone within milliseconds, unless the kernel holds them */
#define PASSES_MAX 100
#define PASS_NS 1000000
/* PF_KTHREAD of Linux, in /proc/PID/stat */
#define KERNEL_PROCESS 0x00200000u
/* without pollable process descriptors */
#define LOOK_MS 50

/* ---- sets ------------------------------------------------------------------------ */

void at_processes_release(struct at_processes *self)
{
	free(self->ids);
	memset(self, 0, sizeof(*self));
}

bool at_processes_have(const struct at_processes *self, pid_t id)
{
	for (size_t i = 0; i < self->count; i++)
		if (self->ids[i] == id)
			return true;
	return false;
}

static void add(struct at_processes *self, pid_t id)
{
	if (id <= 0 || at_processes_have(self, id))
		return;
	AT_GROW(self->ids, self->capacity, self->count + 1);
	self->ids[self->count++] = id;
}

/* ---- finding --------------------------------------------------------------------- */

/* Adds the children of one thread; false: this kernel does not list them. */
static bool add_children_of_thread(
	pid_t id, const char *thread, struct at_processes *out)
{
	char path[320];
	FILE *file;
	long child;

	snprintf(path, sizeof(path), "/proc/%ld/task/%s/children", (long)id, thread);
	file = fopen(path, "re");
	if (!file)
		return false;
	while (fscanf(file, "%ld", &child) == 1)
		add(out, (pid_t)child);
	fclose(file);
	return true;
}

/* Adds the children of a process, none if it is gone; false: this kernel does not list
   them. */
static bool add_children(pid_t id, struct at_processes *out)
{
	char path[64];
	bool listed = true;
	DIR *threads;

	snprintf(path, sizeof(path), "/proc/%ld/task", (long)id);
	threads = opendir(path);
	for (struct dirent *entry; threads && (entry = readdir(threads));)
		if (entry->d_name[0] != '.')
			/* another thread may have ended, so only the first thread's
			   file must exist */
			listed = add_children_of_thread(id, entry->d_name, out) ||
				 (listed && atol(entry->d_name) != (long)id);
	if (threads)
		closedir(threads);
	return listed;
}

struct kin {
	pid_t id, parent;
};

/* Lists all processes with their parents; returns their number. *out is the
   caller's. */
static size_t list_all(struct kin **out)
{
	size_t count = 0, capacity = 0;
	struct kin *all = NULL;
	DIR *entries = opendir("/proc");

	for (struct dirent *entry; entries && (entry = readdir(entries));) {
		int64_t id, parent;

		if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
			continue;
		id = atoll(entry->d_name);
		parent = at_process_parent(id);
		if (!parent)
			continue;
		AT_GROW(all, capacity, count + 1);
		all[count++] = (struct kin){ (pid_t)id, (pid_t)parent };
	}
	if (entries)
		closedir(entries);
	*out = all;
	return count;
}

/* Adds children, or all descendants, on kernels that do not list children: scans all
   processes. */
static void add_below(pid_t root, bool all_the_way, struct at_processes *out)
{
	struct kin *all;
	size_t count = list_all(&all), before;

	do {
		before = out->count;
		for (size_t i = 0; i < count; i++)
			if (all[i].parent == root ||
				(all_the_way && at_processes_have(out, all[i].parent)))
				add(out, all[i].id);
	} while (all_the_way && out->count > before);
	free(all);
}

void at_processes_children(pid_t root, struct at_processes *out)
{
	if (!add_children(root, out))
		add_below(root, false, out);
}

void at_processes_below(pid_t root, struct at_processes *out)
{
	size_t next = out->count;

	if (!add_children(root, out)) {
		add_below(root, true, out);
		return;
	}
	for (; next < out->count; next++)
		add_children(out->ids[next], out);
}

bool at_processes_has_children(void)
{
	siginfo_t info;

	return waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT) == 0;
}

bool at_processes_adopt(void)
{
	return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0;
}

/* A descriptor that becomes readable when the process ends; -1: unsupported. */
static int open_process(pid_t id)
{
	return (int)syscall(CALL_PIDFD_OPEN, id, 0);
}

void at_processes_note(struct at_processes *out)
{
	if (at_processes_has_children())
		at_processes_below(getpid(), out);
}

static bool has_ended(pid_t child)
{
	siginfo_t info = { 0 };

	return waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
	       info.si_pid == child;
}

bool at_processes_wait_input(int file, pid_t child)
{
	struct pollfd polls[] = { { file, POLLIN, 0 },
		{ open_process(child), POLLIN, 0 } };
	bool ended;

	do {
		/* checked first, so that poll() sees its last output */
		ended = has_ended(child);
		poll(polls, 2, ended ? 0 : polls[1].fd < 0 ? LOOK_MS : -1);
	} while (!polls[0].revents && !ended);
	if (polls[1].fd >= 0)
		close(polls[1].fd);
	return polls[0].revents;
}

/* ---- killing --------------------------------------------------------------------- */

/*
 * Kills a process, and its group if none is spared. A group dies at once, including
 * children during their fork; one by one, processes that fork constantly would escape.
 * Our own group is not killed.
 */
static void kill_with_group(pid_t id, bool is_alone)
{
	pid_t group = getpgid(id);

	kill(id, SIGKILL);
	if (is_alone && group > 1 && group != getpgrp())
		kill(-group, SIGKILL);
}

size_t at_processes_kill_below(pid_t root, const struct at_processes *spared)
{
	struct at_processes found = { 0 };
	bool is_alone = !spared || !spared->count;
	size_t count = 0;

	at_processes_below(root, &found);
	for (size_t i = 0; i < found.count; i++)
		if (is_alone || !at_processes_have(spared, found.ids[i])) {
			kill_with_group(found.ids[i], is_alone);
			count++;
		}
	at_processes_release(&found);
	return count;
}

size_t at_processes_kill_new(const struct at_processes *before)
{
	struct at_processes found = { 0 };
	size_t most = 0;

	for (int pass = 0; pass < PASSES_MAX && at_processes_has_children(); pass++) {
		const struct timespec moment = { 0, PASS_NS };
		size_t left = 0;

		found.count = 0;
		at_processes_below(getpid(), &found);
		for (size_t i = 0; i < found.count; i++) {
			if (at_processes_have(before, found.ids[i]))
				continue;
			left++;
			kill_with_group(found.ids[i], !before->count);
			/* children of other processes become ours when their parents
			   are gone */
			(void)!waitpid(found.ids[i], NULL, WNOHANG);
		}
		most = left > most ? left : most;
		if (!left)
			break;
		nanosleep(&moment, NULL);
	}
	at_processes_release(&found);
	return most;
}

/* ---- by their environment -------------------------------------------------------- */

static bool is_of_this_namespace(pid_t id)
{
	char path[64], mine[64], its[64];
	ssize_t mine_length, its_length;

	snprintf(path, sizeof(path), "/proc/%ld/ns/pid", (long)id);
	mine_length = readlink("/proc/self/ns/pid", mine, sizeof(mine));
	its_length = readlink(path, its, sizeof(its));
	return mine_length > 0 && mine_length == its_length &&
	       !memcmp(mine, its, (size_t)mine_length);
}

/* What the environment with which a process was started says. */
enum mark { MARK_OTHER, MARK_FOUND, MARK_UNKNOWN };

/* Unknown: it has none at the moment. */
static enum mark look_for_mark(pid_t id, const char *entry)
{
	size_t wanted = strlen(entry), length = 0;
	bool matches = true, found = false, is_empty = true;
	struct stat facts;
	char path[64];
	FILE *file;
	int c;

	snprintf(path, sizeof(path), "/proc/%ld/environ", (long)id);
	file = fopen(path, "re");
	if (!file)
		return errno == ESRCH ? MARK_UNKNOWN : MARK_OTHER;
	if (fstat(fileno(file), &facts) || facts.st_uid != geteuid()) {
		fclose(file);
		return MARK_OTHER;
	}
	for (; !found && (c = getc(file)) != EOF; is_empty = false) {
		if (c == '\0') {
			found = matches && length == wanted;
			matches = true;
			length = 0;
			continue;
		}
		matches = matches && length < wanted && entry[length] == (char)c;
		length++;
	}
	fclose(file);
	return found ? MARK_FOUND : is_empty ? MARK_UNKNOWN : MARK_OTHER;
}

bool at_processes_is_marked(pid_t id, const char *entry)
{
	return look_for_mark(id, entry) == MARK_FOUND;
}

static void add_activity(pid_t id, struct at_activity *out)
{
	unsigned long long user, system, reaped_user, reaped_system;
	char text[512], state;
	const char *stat = at_process_stat(id, text, sizeof(text));

	/* proc(5): the state is the third field, these are the 14th to 17th */
	if (!stat ||
		sscanf(stat,
			" %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu",
			&state, &user, &system, &reaped_user, &reaped_system) != 5)
		return;
	out->is_stopped = out->is_stopped || state == 'T';
	out->is_running = out->is_running || state == 'R';
	out->is_told = true;
	out->ticks += user + system + reaped_user + reaped_system;
}

void at_processes_activity(pid_t root, struct at_activity *out)
{
	struct at_processes found = { 0 };

	memset(out, 0, sizeof(*out));
	at_processes_below(root, &found);
	for (size_t i = 0; i < found.count; i++)
		add_activity(found.ids[i], out);
	out->count = found.count;
	add_activity(root, out);
	at_processes_release(&found);
}

bool at_processes_is_ending(pid_t id)
{
	char path[64], byte;
	int file;
	bool is_empty;

	snprintf(path, sizeof(path), "/proc/%ld/environ", (long)id);
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return errno == ENOENT || errno == ESRCH;
	is_empty = read(file, &byte, 1) == 0;
	close(file);
	return is_empty;
}

/* Whether a process may yet have an environment: a zombie and the kernel's own
   processes never will. */
static bool has_an_environment(pid_t id)
{
	char text[512], state;
	const char *stat = at_process_stat(id, text, sizeof(text));
	unsigned flags;

	/* proc(5): the state is the third, the flags are the ninth */
	return stat &&
	       sscanf(stat, " %c %*d %*d %*d %*d %*d %u", &state, &flags) == 2 &&
	       state != 'Z' && !(flags & KERNEL_PROCESS);
}

/*
 * Kills a process if it is marked, which is checked with its descriptor open: the id
 * may have been reused. A process that becomes another program has no environment for a
 * moment. Whether to look again: a process that was started without one costs all
 * passes, a part of a second.
 */
static bool kill_if_marked(pid_t id, const char *entry)
{
	int process = open_process(id);
	enum mark mark = process < 0 ? MARK_OTHER : look_for_mark(id, entry);
	bool is_it = mark == MARK_FOUND && is_of_this_namespace(id);

	if (is_it)
		(void)!syscall(CALL_PIDFD_SEND_SIGNAL, process, SIGKILL, NULL, 0);
	if (process >= 0)
		close(process);
	return is_it || (mark == MARK_UNKNOWN && has_an_environment(id));
}

void at_processes_kill_marked(const char *entry)
{
	for (int pass = 0; pass < PASSES_MAX; pass++) {
		const struct timespec moment = { 0, PASS_NS };
		struct kin *all;
		size_t count = list_all(&all), left = 0;

		for (size_t i = 0; i < count; i++)
			if (all[i].id != getpid())
				left += kill_if_marked(all[i].id, entry);
		free(all);
		if (!left)
			return;
		nanosleep(&moment, NULL);
	}
}
