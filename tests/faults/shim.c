/*
 * Loaded ahead of libc (LD_PRELOAD) into a program and all that it starts: the n-th
 * call of one kind, in one kind of process, fails or kills the process. By count, so
 * that the same number finds the same call again.
 *
 *   FAULTS_CALL    kind of call: a name of KINDS
 *   FAULTS_WHERE   kind of process: "coordinator", what follows "--worker", or
 *                  "compiler" for all other programs
 *   FAULTS_AT      which call, from 1; each process counts its own
 *   FAULTS_PLACE   or: the first call whose stack has this hash (shim_stack.h)
 *   FAULTS_TOKEN   a file: whoever removes it injects the fault, and so only one does
 *   FAULTS_SHOW    a file to which is added where the call came from
 *   FAULTS_KILL    number of the signal that the process gets ahead of the call, which
 *                  does not fail then
 *   FAULTS_ERROR   the errno that the call fails with, where not the usual one
 *   FAULTS_LASTS   set: in that process all calls of the kind fail from then on; of
 *                  those that read or write, on regular files alone
 *   FAULTS_HOW     of the kind "answer", a worker's message: "twice", "late" (a
 *                  second), "old" (the one before it instead)
 *   FAULTS_TALLY   instead of all these: a file of KIND_COUNT 64-bit numbers in which
 *                  the most calls are kept that one process of FAULTS_WHERE made
 *   FAULTS_PLACES  instead of all these: a file in which each place is kept that a call
 *                  came from (struct places)
 *   FAULTS_MEETS   of the kind "unlock": a command for the shell, which runs to its end
 *                  ahead of what the process does next; five seconds are waited for it
 *   FAULTS_CLOCK   a file of one 64-bit number, which may change: by so many seconds
 * the clock of the day is off, for every process that sees it FAULTS_DEPTH   how many
 * functions tell one place from another, innermost first
 */
#define _GNU_SOURCE
#include "shim_stack.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <spawn.h>
#include <time.h>
#include <unistd.h>

/* the driver has the same list, in this order */
#define KINDS(X) \
	X(malloc, ENOMEM) \
	X(open, EMFILE) \
	X(write, ENOSPC) \
	X(short, 0) \
	X(fsync, EIO) \
	X(rename, EIO) \
	X(fork, EAGAIN) \
	X(mmap, ENOMEM) \
	X(pipe, EMFILE) \
	X(poll, EINTR) \
	X(read, EIO) \
	X(mkdir, ENOSPC) \
	X(thread, EAGAIN) \
	X(lock, ENOLCK) \
	X(answer, 0) \
	X(stat, EIO) \
	X(remove, EACCES) \
	X(close, EIO) \
	X(list, EIO) \
	X(unlock, 0)

enum kind {
#define KIND(name, error) KIND_##name,
	KINDS(KIND)
#undef KIND
		KIND_COUNT
};

static const struct {
	const char *name;
	int error;
} kinds[] = {
#define KIND(name, error) { #name, error },
	KINDS(KIND)
#undef KIND
};

/* glibc's own, which need no look-up that allocates */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *pointer, size_t size);

static enum kind wanted = KIND_COUNT;
static unsigned long long at, place;
static struct places *places;
static char token[512];
static bool lasts, is_worker, ready;
static int kills; /* a signal; 0: none */
static pid_t process; /* which one began here, and was not forked */
static int error;
static const char *how;
static _Atomic bool has_begun;
static _Atomic unsigned long long *tally;
static _Atomic long long *clock_off;
static _Atomic unsigned long long counts[KIND_COUNT];

/* The kind of process, by its command line; without anything that is wrapped here. */
static void find_role(char *role, size_t size)
{
	char line[4096];
	int file = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/cmdline", O_RDONLY);
	ssize_t length = syscall(SYS_read, file, line, sizeof(line) - 1);
	const char *name, *end, *second, *third;

	syscall(SYS_close, file);
	line[length > 0 ? length : 0] = '\0';
	end = line + (length > 0 ? length : 0);
	name = strrchr(line, '/') ? strrchr(line, '/') + 1 : line;
	second = line + strlen(line) + 1;
	third = second < end ? second + strlen(second) + 1 : end;
	if (strcmp(name, "autotune"))
		snprintf(role, size, "compiler");
	else if (third < end && !strcmp(second, "--worker"))
		snprintf(role, size, "%s", third);
	else
		snprintf(role, size, "coordinator");
}

/* A file that the driver made, in memory; NULL if none exists. */
static void *map_shared(const char *path, size_t size)
{
	int file = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR) : -1;
	void *mapped;

	if (file < 0)
		return NULL;
	mapped = (void *)syscall(
		SYS_mmap, NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	syscall(SYS_close, file);
	return mapped == MAP_FAILED ? NULL : mapped;
}

__attribute__((constructor)) static void begin(void)
{
	const char *call = getenv("FAULTS_CALL"), *where = getenv("FAULTS_WHERE"),
		   *number = getenv("FAULTS_AT"), *file = getenv("FAULTS_TOKEN"),
		   *hash = getenv("FAULTS_PLACE"), *depth = getenv("FAULTS_DEPTH");
	char role[64];

	clock_off = map_shared(getenv("FAULTS_CLOCK"), sizeof(*clock_off));
	find_role(role, sizeof(role));
	is_worker = !strcmp(role, "compile") || !strcmp(role, "measure");
	if (!where || strcmp(where, role))
		return;
	tally = map_shared(getenv("FAULTS_TALLY"), sizeof(counts));
	places = map_shared(getenv("FAULTS_PLACES"), sizeof(*places));
	place = hash ? strtoull(hash, NULL, 16) : 0;
	if (place || places)
		stack_begin(depth ? atoi(depth) : INT_MAX);
	for (int i = 0; call && i < KIND_COUNT; i++)
		if (!strcmp(kinds[i].name, call))
			wanted = (enum kind)i;
	at = number ? strtoull(number, NULL, 10) : 0;
	snprintf(token, sizeof(token), "%s", file ? file : "");
	kills = getenv("FAULTS_KILL") ? atoi(getenv("FAULTS_KILL")) : 0;
	process = (pid_t)syscall(SYS_getpid);
	lasts = getenv("FAULTS_LASTS") != NULL;
	error = getenv("FAULTS_ERROR") ? atoi(getenv("FAULTS_ERROR")) : 0;
	how = getenv("FAULTS_HOW") ? getenv("FAULTS_HOW") : "";
	ready = true;
}

/* Whether this is the call that fails; errno is set then. */
static bool fails(enum kind kind)
{
	unsigned long long count, before;

	if (!ready)
		return false;
	count = atomic_fetch_add(&counts[kind], 1) + 1;
	if (tally) {
		before = atomic_load(&tally[kind]);
		while (before < count &&
			!atomic_compare_exchange_weak(&tally[kind], &before, count))
			;
	}
	if (places)
		places_add(places, (uint32_t)kind);
	if (kind == wanted && lasts && atomic_load(&has_begun)) {
		errno = error ? error : kinds[kind].error;
		return true;
	}
	if (kind != wanted || (kills && (pid_t)syscall(SYS_getpid) != process) ||
		(place ? stack_hash((uint32_t)kind) != place : count != at) ||
		syscall(SYS_unlinkat, AT_FDCWD, token, 0))
		return false;
	if (place)
		stack_show(getenv("FAULTS_SHOW"));
	if (kills) {
		syscall(SYS_kill, (pid_t)syscall(SYS_getpid), kills);
		return false;
	}
	atomic_store(&has_begun, true);
	errno = error ? error : kinds[kind].error;
	return true;
}

static void *next(_Atomic(void *) *kept, const char *name)
{
	void *found = atomic_load(kept);

	if (!found) {
		found = dlsym(RTLD_NEXT, name);
		atomic_store(kept, found);
	}
	return found;
}

/* TYPE NAME ARGUMENTS calls libc's own with VALUES, unless it is this one that fails */
#define WRAP(kind, failed, type, name, arguments, values) \
	type name arguments; \
	type name arguments \
	{ \
		static _Atomic(void *) kept; \
		type(*own) arguments; \
\
		if (fails(KIND_##kind)) \
			return (failed); \
		*(void **)&own = next(&kept, #name); \
		return own values; \
	}

/* of those that return the error instead of setting it */
#define WRAP_ERROR(kind, name, arguments, values) \
	WRAP(kind, kinds[KIND_##kind].error, int, name, arguments, values)

#define WRAP_OPEN(name, before, values) \
	int name before; \
	int name before \
	{ \
		static _Atomic(void *) kept; \
		int(*own) before; \
		va_list rest; \
		mode_t mode = 0; \
\
		if (fails(KIND_open)) \
			return -1; \
		va_start(rest, flags); \
		if (flags & (O_CREAT | __O_TMPFILE)) \
			mode = va_arg(rest, mode_t); \
		va_end(rest); \
		*(void **)&own = next(&kept, #name); \
		return own values; \
	}

static bool is_regular(int file)
{
	struct stat facts;

	return !syscall(SYS_fstat, file, &facts) && S_ISREG(facts.st_mode);
}

static bool is_pipe(int file)
{
	struct stat facts;

	return !syscall(SYS_fstat, file, &facts) && S_ISFIFO(facts.st_mode);
}

/* libuv's pipes to itself, a byte that is its lock of signals, and 16 for a signal that
   came: without the one it ends the process, without the other it never hears of a
   child's end. No system takes them away. */
static bool is_lock(int file, size_t size)
{
	return (size == 1 || size == 16) && is_pipe(file);
}

/* a disk that is full takes a part, or nothing; a channel breaks */
static bool fails_to_write(int file)
{
	bool is_file = is_regular(file);

	if ((lasts && !is_file) || !fails(KIND_write))
		return false;
	if (!is_file)
		errno = EIO;
	return true;
}

#define WRAP_READ(name, arguments, values) \
	ssize_t name arguments; \
	ssize_t name arguments \
	{ \
		static _Atomic(void *) kept; \
		ssize_t(*own) arguments; \
\
		/* a pipe has what was written */ \
		if (!is_pipe(file) && (!lasts || is_regular(file)) && \
			fails(KIND_read)) \
			return -1; \
		*(void **)&own = next(&kept, #name); \
		return own values; \
	}

#define WRAP_WRITE(name, arguments, values, bytes, less) \
	ssize_t name arguments; \
	ssize_t name arguments \
	{ \
		static _Atomic(void *) kept; \
		ssize_t(*own) arguments; \
\
		if (!is_lock(file, bytes) && fails_to_write(file)) \
			return -1; \
		if (!is_lock(file, bytes) && fails(KIND_short)) \
			less; \
		*(void **)&own = next(&kept, #name); \
		return own values; \
	}

void *malloc(size_t size)
{
	return fails(KIND_malloc) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return fails(KIND_malloc) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *pointer, size_t size)
{
	return fails(KIND_malloc) ? NULL : __libc_realloc(pointer, size);
}

WRAP_OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
WRAP_OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
WRAP_OPEN(openat, (int folder, const char *path, int flags, ...),
	(folder, path, flags, mode))
WRAP_OPEN(openat64, (int folder, const char *path, int flags, ...),
	(folder, path, flags, mode))
WRAP(open, NULL, FILE *, fopen, (const char *path, const char *mode), (path, mode))
WRAP(open, NULL, FILE *, fopen64, (const char *path, const char *mode), (path, mode))
WRAP(open, -1, int, mkstemp, (char *pattern), (pattern))
WRAP(open, -1, int, mkstemp64, (char *pattern), (pattern))
WRAP(open, -1, int, mkostemp, (char *pattern, int flags), (pattern, flags))
WRAP(open, -1, int, mkostemp64, (char *pattern, int flags), (pattern, flags))

/* ---- a worker's messages ---------------------------------------------------- */

/* evaluator/workers/protocol.h: magic, type, length, number, then the body */
struct header {
	uint32_t magic, type;
	uint64_t body_bytes, number;
};
#define CHANNEL 3

struct message {
	char *bytes;
	size_t size, room;
};
/* what is being written, and what was sent last */
static struct message begun, sent;

static void message_add(struct message *self, const void *data, size_t size)
{
	if (self->room < self->size + size) {
		self->room = 2 * (self->size + size);
		self->bytes = __libc_realloc(self->bytes, self->room);
		if (!self->bytes)
			syscall(SYS_exit_group, 1);
	}
	memcpy(self->bytes + self->size, data, size);
	self->size += size;
}

static void message_send(const struct message *self)
{
	for (size_t done = 0; done < self->size;) {
		ssize_t put = syscall(
			SYS_write, CHANNEL, self->bytes + done, self->size - done);

		if (put > 0)
			done += (size_t)put;
		else if (errno != EINTR && errno != EAGAIN)
			return;
	}
}

static void message_end(void)
{
	const struct timespec second = { 1, 0 };
	bool is_odd = fails(KIND_answer);

	if (is_odd && !strcmp(how, "late"))
		nanosleep(&second, NULL);
	message_send(is_odd && !strcmp(how, "old") && sent.size ? &sent : &begun);
	if (is_odd && !strcmp(how, "twice"))
		message_send(&begun);
	sent.size = 0;
	message_add(&sent, begun.bytes, begun.size);
	begun.size = 0;
}

/* Collects until it is whole; one thread answers. */
static void message_write(const void *data, size_t size)
{
	struct header header;

	message_add(&begun, data, size);
	if (begun.size < sizeof(header))
		return;
	memcpy(&header, begun.bytes, sizeof(header));
	if (begun.size >= sizeof(header) + header.body_bytes)
		message_end();
}

static bool is_channel(int file)
{
	struct stat facts;

	return file == CHANNEL && ready && is_worker &&
	       (tally || wanted == KIND_answer) && !syscall(SYS_fstat, file, &facts) &&
	       S_ISSOCK(facts.st_mode);
}

ssize_t write(int file, const void *data, size_t size)
{
	if (is_channel(file)) {
		message_write(data, size);
		return (ssize_t)size;
	}
	if (!is_lock(file, size) && fails_to_write(file))
		return -1;
	if (!is_lock(file, size) && fails(KIND_short))
		size = (size + 1) / 2;
	return syscall(SYS_write, file, data, size);
}

ssize_t writev(int file, const struct iovec *parts, int count)
{
	ssize_t size = 0;

	if (is_channel(file)) {
		for (int i = 0; i < count; i++) {
			message_write(parts[i].iov_base, parts[i].iov_len);
			size += (ssize_t)parts[i].iov_len;
		}
		return size;
	}
	if (fails_to_write(file))
		return -1;
	/* a half of the first part, and by turns all of it and a half of the next */
	if (fails(KIND_short)) {
		static unsigned times;
		struct iovec cut[2] = { parts[0] };
		unsigned whole = count > 1 ? times++ % 2 : 0;

		if (whole)
			cut[1] = parts[1];
		cut[whole].iov_len = (cut[whole].iov_len + 1) / 2;
		return syscall(SYS_writev, file, cut, whole + 1);
	}
	return syscall(SYS_writev, file, parts, count);
}

WRAP_WRITE(pwrite, (int file, const void *data, size_t size, off_t offset),
	(file, data, size, offset), size, size = (size + 1) / 2)
WRAP_WRITE(pwrite64, (int file, const void *data, size_t size, off64_t offset),
	(file, data, size, offset), size, size = (size + 1) / 2)
WRAP_WRITE(sendmsg, (int file, const struct msghdr *message, int flags),
	(file, message, flags), 0, (void)0)
WRAP_WRITE(send, (int file, const void *data, size_t size, int flags),
	(file, data, size, flags), size, size = (size + 1) / 2)
WRAP(write, -1, int, ftruncate, (int file, off_t size), (file, size))
WRAP(write, -1, int, ftruncate64, (int file, off64_t size), (file, size))

/* what lies in a stream goes out by calls of the C library's own: its close fails then
 */
int fclose(FILE *file)
{
	static _Atomic(void *) kept;
	int (*own)(FILE * file);
	bool failed = fails(KIND_write);
	int code;

	*(void **)&own = next(&kept, "fclose");
	code = own(file);
	if (!failed)
		return code;
	errno = ENOSPC;
	return EOF;
}

WRAP(fsync, -1, int, fsync, (int file), (file))
WRAP(fsync, -1, int, fdatasync, (int file), (file))
WRAP(rename, -1, int, rename, (const char *from, const char *to), (from, to))
WRAP(rename, -1, int, renameat, (int in, const char *from, int out, const char *to),
	(in, from, out, to))
WRAP(rename, -1, int, renameat2,
	(int in, const char *from, int out, const char *to, unsigned flags),
	(in, from, out, to, flags))
WRAP(rename, -1, int, link, (const char *from, const char *to), (from, to))
WRAP(rename, -1, int, linkat,
	(int in, const char *from, int out, const char *to, int flags),
	(in, from, out, to, flags))

WRAP(fork, -1, pid_t, fork, (void), ())
WRAP_ERROR(fork, posix_spawn,
	(pid_t * pid, const char *path, const posix_spawn_file_actions_t *actions,
		const posix_spawnattr_t *attributes, char *const arguments[],
		char *const environment[]),
	(pid, path, actions, attributes, arguments, environment))
WRAP_ERROR(fork, posix_spawnp,
	(pid_t * pid, const char *path, const posix_spawn_file_actions_t *actions,
		const posix_spawnattr_t *attributes, char *const arguments[],
		char *const environment[]),
	(pid, path, actions, attributes, arguments, environment))

WRAP(mmap, MAP_FAILED, void *, mmap,
	(void *where, size_t size, int protection, int flags, int file, off_t offset),
	(where, size, protection, flags, file, offset))
WRAP(mmap, MAP_FAILED, void *, mmap64,
	(void *where, size_t size, int protection, int flags, int file, off64_t offset),
	(where, size, protection, flags, file, offset))

WRAP(pipe, -1, int, pipe, (int ends[2]), (ends))
WRAP(pipe, -1, int, pipe2, (int ends[2], int flags), (ends, flags))
WRAP(pipe, -1, int, socketpair, (int domain, int type, int protocol, int ends[2]),
	(domain, type, protocol, ends))
WRAP(pipe, -1, int, eventfd, (unsigned value, int flags), (value, flags))
WRAP(pipe, -1, int, epoll_create1, (int flags), (flags))
WRAP(pipe, -1, int, dup, (int file), (file))
WRAP(pipe, -1, int, memfd_create, (const char *name, unsigned flags), (name, flags))

WRAP(poll, -1, int, poll, (struct pollfd * files, nfds_t count, int wait_ms),
	(files, count, wait_ms))
WRAP(poll, -1, int, epoll_wait,
	(int file, struct epoll_event *events, int count, int wait_ms),
	(file, events, count, wait_ms))
WRAP(poll, -1, int, epoll_pwait,
	(int file, struct epoll_event *events, int count, int wait_ms,
		const sigset_t *signals),
	(file, events, count, wait_ms, signals))
WRAP(poll, -1, pid_t, waitpid, (pid_t pid, int *status, int flags),
	(pid, status, flags))

WRAP_READ(read, (int file, void *data, size_t size), (file, data, size))
WRAP(read, -1, ssize_t, pread, (int file, void *data, size_t size, off_t offset),
	(file, data, size, offset))
WRAP(read, -1, ssize_t, pread64, (int file, void *data, size_t size, off64_t offset),
	(file, data, size, offset))
WRAP(read, -1, ssize_t, recvmsg, (int file, struct msghdr *message, int flags),
	(file, message, flags))
WRAP(read, 0, size_t, fread, (void *data, size_t size, size_t count, FILE *file),
	(data, size, count, file))

WRAP(stat, -1, int, stat, (const char *path, struct stat *out), (path, out))
WRAP(stat, -1, int, stat64, (const char *path, struct stat64 *out), (path, out))
WRAP(stat, -1, int, lstat, (const char *path, struct stat *out), (path, out))
WRAP(stat, -1, int, lstat64, (const char *path, struct stat64 *out), (path, out))
WRAP(stat, -1, int, fstat, (int file, struct stat *out), (file, out))
WRAP(stat, -1, int, fstat64, (int file, struct stat64 *out), (file, out))
WRAP(stat, -1, int, fstatat,
	(int folder, const char *path, struct stat *out, int flags),
	(folder, path, out, flags))
WRAP(stat, -1, int, fstatat64,
	(int folder, const char *path, struct stat64 *out, int flags),
	(folder, path, out, flags))
WRAP(stat, -1, int, access, (const char *path, int mode), (path, mode))
WRAP(stat, NULL, char *, realpath, (const char *path, char *out), (path, out))
WRAP(stat, NULL, char *, getcwd, (char *out, size_t size), (out, size))
WRAP(stat, -1, ssize_t, readlink, (const char *path, char *out, size_t size),
	(path, out, size))
WRAP(stat, -1, int, statvfs, (const char *path, struct statvfs *out), (path, out))
WRAP(stat, -1, int, statvfs64, (const char *path, struct statvfs64 *out), (path, out))
WRAP(remove, -1, int, unlink, (const char *path), (path))
WRAP(remove, -1, int, unlinkat, (int folder, const char *path, int flags),
	(folder, path, flags))
WRAP(remove, -1, int, rmdir, (const char *path), (path))
WRAP(remove, -1, int, remove, (const char *path), (path))
WRAP(remove, -1, int, chmod, (const char *path, mode_t mode), (path, mode))
WRAP(remove, -1, int, fchmod, (int file, mode_t mode), (file, mode))
WRAP(list, NULL, DIR *, opendir, (const char *path), (path))
WRAP(list, NULL, DIR *, fdopendir, (int file), (file))
WRAP(list, NULL, struct dirent *, readdir, (DIR * folder), (folder))
WRAP(list, NULL, struct dirent64 *, readdir64, (DIR * folder), (folder))

/* a network's file system tells there what was not written; the descriptor is gone */
int close(int file)
{
	bool failed = is_regular(file) && fails(KIND_close);
	int code = (int)syscall(SYS_close, file);

	if (!failed)
		return code;
	errno = EIO;
	return -1;
}

WRAP(mkdir, -1, int, mkdir, (const char *path, mode_t mode), (path, mode))
WRAP(mkdir, NULL, char *, mkdtemp, (char *pattern), (pattern))
WRAP_ERROR(thread, pthread_create,
	(pthread_t * thread, const pthread_attr_t *attributes, void *(*run)(void *),
		void *argument),
	(thread, attributes, run, argument))
WRAP(lock, -1, int, flock, (int file, int operation), (file, operation))

/* ---- somebody else comes between -------------------------------------------- */

#define MEETING_MS 5000

/* Runs the command as if none of this were here, and waits for it: not for ever, since
   it may wait for a lock that this process still has. */
static void meet(const char *command)
{
	const struct timespec pause = { 0, 1000000 };
	char *arguments[] = { "/bin/sh", "-c", (char *)command, NULL };
	char *kept[4096];
	size_t count = 0;
	pid_t child;

	for (char **name = environ; *name && count + 1 < sizeof(kept) / sizeof(*kept);
		name++)
		if (strncmp(*name, "LD_PRELOAD=", 11) &&
			(strncmp(*name, "FAULTS_", 7) ||
				!strncmp(*name, "FAULTS_WORLD=", 13)))
			kept[count++] = *name;
	kept[count] = NULL;
	if (posix_spawn(&child, arguments[0], NULL, NULL, arguments, kept))
		return;
	for (int i = 0; i < MEETING_MS; i++) {
		pid_t ended = (pid_t)syscall(SYS_wait4, child, NULL, WNOHANG, NULL);

		if (ended == child || (ended < 0 && errno != EINTR))
			return;
		nanosleep(&pause, NULL);
	}
}

/* Records are locked by fcntl(); a process that gives a lock of one up is between two
   looks at it, or two changes. */
static int own_fcntl(const char *name, int file, int what, void *argument)
{
	static _Atomic(void *) kept;
	int (*own)(int file, int what, ...);
	const struct flock *range = argument;
	int code, before;

	*(void **)&own = next(&kept, name);
	code = own(file, what, argument);
	if (what != F_SETLK || code || range->l_type != F_UNLCK || !fails(KIND_unlock))
		return code;
	before = errno;
	if (getenv("FAULTS_MEETS"))
		meet(getenv("FAULTS_MEETS"));
	errno = before;
	return code;
}

#define WRAP_FCNTL(name) \
	int name(int file, int what, ...); \
	int name(int file, int what, ...) \
	{ \
		va_list rest; \
		void *argument; \
\
		va_start(rest, what); \
		argument = va_arg(rest, void *); \
		va_end(rest); \
		return own_fcntl(#name, file, what, argument); \
	}

WRAP_FCNTL(fcntl)
WRAP_FCNTL(fcntl64)

/* ---- the clock of the day ------------------------------------------------- */

static long long off(void)
{
	return clock_off ? atomic_load(clock_off) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *out)
{
	int code = (int)syscall(SYS_clock_gettime, clock, out);

	if (!code && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
		out->tv_sec += off();
	return code;
}

time_t time(time_t *out)
{
	struct timespec now = { 0 };

	clock_gettime(CLOCK_REALTIME, &now);
	if (out)
		*out = now.tv_sec;
	return now.tv_sec;
}

int gettimeofday(struct timeval *out, void *zone)
{
	struct timespec now = { 0 };

	(void)zone;
	clock_gettime(CLOCK_REALTIME, &now);
	out->tv_sec = now.tv_sec;
	out->tv_usec = now.tv_nsec / 1000;
	return 0;
}
