/* Landlock for files and signals; seccomp for sockets, and for signals without
   Landlock. */
/* for syscall() and O_PATH, which POSIX does not have */
#define _GNU_SOURCE
#include "base/sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

bool at_sandbox_is_lifted(void)
{
	const char *value = getenv(AT_SANDBOX_VARIABLE);

	return value && !strcmp(value, "off");
}

void at_sandbox_lift(void)
{
	setenv(AT_SANDBOX_VARIABLE, "off", 1);
}

/* ---- files: Landlock ------------------------------------------------------ */

/*
 * Landlock's interface, from the kernel's documentation (userspace-api/landlock.rst),
 * declared here so that old headers suffice; the kernel reports its version. The call
 * numbers are the same on every architecture.
 */
enum {
	CALL_CREATE_RULESET = 444,
	CALL_ADD_RULE = 445,
	CALL_RESTRICT_SELF = 446,
	CREATE_VERSION = 1,
	RULE_BENEATH = 1,
};

struct ruleset {
	uint64_t files;
	uint64_t network; /* since version 4 */
	uint64_t scoped; /* since version 6 */
};

/* the kernel reads its first 12 bytes */
struct beneath {
	uint64_t allowed;
	int32_t folder;
};

#define RIGHT(number) (UINT64_C(1) << (number))
#define WRITE_FILE RIGHT(1)
#define READ_FILE RIGHT(2)
#define REFER RIGHT(13) /* since version 2: renaming between folders */
#define TRUNCATE RIGHT(14) /* since version 3 */
#define IOCTL_DEVICE RIGHT(15) /* since version 5 */
/* removing (4, 5) and creating anything (6 to 12) */
#define MAKE_AND_REMOVE (RIGHT(13) - RIGHT(4))
/* creating devices, which compilers never need */
#define MAKE_DEVICES (RIGHT(6) | RIGHT(11))
/* rights for files other than folders */
#define OF_FILES (WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEVICE)
#define TCP (RIGHT(0) | RIGHT(1)) /* binding and connecting */
#define SCOPE_SIGNALS RIGHT(1) /* no signals to processes outside */
#define SCOPES (RIGHT(0) | SCOPE_SIGNALS) /* nor abstract sockets */

/* The kernel's version of Landlock; 0: unsupported or disabled. */
static int landlock_version(void)
{
	long version = syscall(CALL_CREATE_RULESET, NULL, 0, CREATE_VERSION);

	return version > 0 ? (int)version : 0;
}

/* The rights to handle: the kernel rejects those unknown to its version. */
static uint64_t file_rights(int version)
{
	uint64_t rights = WRITE_FILE | READ_FILE | MAKE_AND_REMOVE;

	if (version >= 2)
		rights |= REFER;
	if (version >= 3)
		rights |= TRUNCATE;
	if (version >= 5)
		rights |= IOCTL_DEVICE;
	return rights;
}

/* Allows rights below a path. Missing paths need no rule, nor do links, since a rule
   applies to their targets. */
static void allow(int rules, int at, const char *path, uint64_t rights)
{
	struct beneath rule = { .folder = -1 };
	struct stat facts;

	rule.folder = openat(at, path, O_PATH | O_CLOEXEC | O_NOFOLLOW);
	if (rule.folder < 0)
		return;
	if (fstat(rule.folder, &facts) == 0 && !S_ISLNK(facts.st_mode)) {
		rule.allowed = S_ISDIR(facts.st_mode) ? rights : rights & OF_FILES;
		(void)!syscall(CALL_ADD_RULE, rules, RULE_BENEATH, &rule, 0);
	}
	close(rule.folder);
}

/* Allows reading everything, but of devices only those that compilers use. Rules can
   only allow, so each other entry of the root folder gets a rule. */
static void allow_reading(int rules, uint64_t rights)
{
	static const char *const devices[] = { "/dev/null", "/dev/zero", "/dev/full",
		"/dev/random", "/dev/urandom", "/dev/shm" };
	DIR *root = opendir("/");

	for (struct dirent *entry; root && (entry = readdir(root));)
		if (strcmp(entry->d_name, ".") != 0 &&
			strcmp(entry->d_name, "..") != 0 &&
			strcmp(entry->d_name, "dev") != 0)
			allow(rules, dirfd(root), entry->d_name, READ_FILE);
	if (root)
		closedir(root);
	for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++)
		allow(rules, AT_FDCWD, devices[i], READ_FILE);
	/* for discarded output */
	allow(rules, AT_FDCWD, "/dev/null",
		(READ_FILE | WRITE_FILE | TRUNCATE) & rights);
}

static int make_rules(const char *const *writable, size_t count)
{
	int version = landlock_version(), rules;
	struct ruleset set = { 0 };
	size_t size = sizeof(set.files);

	if (!version)
		return -1;
	set.files = file_rights(version);
	if (version >= 4) {
		set.network = TCP;
		size = 2 * sizeof(uint64_t);
	}
	if (version >= 6) {
		set.scoped = SCOPES;
		size = sizeof(set);
	}
	rules = (int)syscall(CALL_CREATE_RULESET, &set, size, 0);
	if (rules < 0)
		return -1;
	allow_reading(rules, set.files);
	for (size_t i = 0; i < count; i++) {
		char *path = realpath(writable[i], NULL);

		if (path)
			allow(rules, AT_FDCWD, path,
				set.files & ~(MAKE_DEVICES | IOCTL_DEVICE));
		free(path);
	}
	return rules;
}

/* ---- sockets: seccomp ----------------------------------------------------- */

#if defined(__x86_64__)
#define NATIVE AUDIT_ARCH_X86_64
/* numbers for 32-bit programs, since a compiler may be 32-bit */
#define OTHER AUDIT_ARCH_I386
#define OTHER_SOCKET 359
#define OTHER_SOCKET_CALL 102
/* the x32 numbers of calls have this bit */
#define X32_BIT 0x40000000
#elif defined(__aarch64__)
#define NATIVE AUDIT_ARCH_AARCH64
#define OTHER AUDIT_ARCH_ARM
#define OTHER_SOCKET 281
#define OTHER_SOCKET_CALL 281
#define X32_BIT 0
#endif

/* the same on every architecture; io_uring could bypass the filter */
#define CALL_IO_URING_SETUP 425

#ifdef NATIVE

#define LOAD(member) \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define EQUALS(value, then, otherwise) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), (then), (otherwise))
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, (value))

/*
 * Makes socket() fail with EACCES, for every family: compilers need none, and a local
 * socket leads to servers that could act for a compiler. Open descriptors stay usable,
 * and socketpair() leads nowhere. The numbers in jumps are lines to skip; the last two
 * lines allow and refuse.
 */
static struct sock_filter filter[] = {
	LOAD(arch),
	EQUALS(NATIVE, 4, 0),
	EQUALS(OTHER, 0, 8), /* others, which the kernel cannot run, are refused */
	LOAD(nr),
	EQUALS(OTHER_SOCKET, 6, 0),
	EQUALS(OTHER_SOCKET_CALL, 5, 3),
	LOAD(nr),
	BPF_STMT(BPF_ALU | BPF_AND | BPF_K, ~(uint32_t)X32_BIT),
	EQUALS(SYS_socket, 2, 0),
	EQUALS(CALL_IO_URING_SETUP, 1, 0),
	ANSWER(SECCOMP_RET_ALLOW),
	ANSWER(SECCOMP_RET_ERRNO | EACCES),
};

static bool has_filters(void)
{
	static int known = -1;

	/* tests without setting a filter: EFAULT if filters exist (man 2 seccomp) */
	if (known < 0)
		known = prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL, 0, 0) < 0 &&
			errno == EFAULT;
	return known;
}

static bool refuse_sockets(void)
{
	struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]), filter };

	return !has_filters() ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

/* ---- signals: seccomp ----------------------------------------------------- */

/* the same on every architecture */
#define CALL_PIDFD_SEND_SIGNAL 424
#define CALL_PIDFD_OPEN 434

/* Calls that act on the process, or group, named by their first argument. */
static const uint32_t calls[] = { SYS_kill, SYS_tkill, SYS_tgkill, SYS_rt_sigqueueinfo,
	SYS_rt_tgsigqueueinfo, SYS_prlimit64, SYS_process_vm_writev, CALL_PIDFD_OPEN };

#define CALLS (sizeof(calls) / sizeof(calls[0]))
/* for each process: its id, the group of this id, and its group; and -1 for all */
#define VALUES (1 + 3 * AT_SANDBOX_SPARED_MAX)
#define SIZE (CALLS + VALUES + 16)

struct program {
	struct sock_filter lines[SIZE];
	unsigned char count;
};

static void add(struct program *self, uint16_t code, uint32_t value, unsigned then,
	unsigned otherwise)
{
	self->lines[self->count++] = (struct sock_filter){ code, (unsigned char)then,
		(unsigned char)otherwise, value };
}

static void load(struct program *self, size_t place)
{
	add(self, BPF_LD | BPF_W | BPF_ABS, (uint32_t)place, 0, 0);
}

/* Jumps to the later line `to` if the loaded value is `value`. */
static void jump(struct program *self, uint32_t value, size_t to)
{
	add(self, BPF_JMP | BPF_JEQ | BPF_K, value, (unsigned)to - self->count - 1u, 0);
}

/* Writes the filter. It compares the low halves of arguments (little-endian), which are
   process ids. */
static void write_program(struct program *self, const uint32_t *values, size_t count)
{
	const size_t allow = 5 + CALLS + 2, first = allow + 1, second = first + 2,
		     compare = second + 1, refuse = compare + count + 1;

	self->count = 0;
	load(self, offsetof(struct seccomp_data, arch));
	/* another architecture's calls are refused, since our programs never make
	   them */
	add(self, BPF_JMP | BPF_JEQ | BPF_K, NATIVE, 1, 0);
	add(self, BPF_JMP | BPF_JA, (uint32_t)(refuse - self->count - 1), 0, 0);
	load(self, offsetof(struct seccomp_data, nr));
	add(self, BPF_ALU | BPF_AND | BPF_K, ~(uint32_t)X32_BIT, 0, 0);
	for (size_t i = 0; i < CALLS; i++)
		jump(self, calls[i], first);
	jump(self, SYS_ptrace, second);
	/* a filter cannot see the process of a descriptor */
	jump(self, CALL_PIDFD_SEND_SIGNAL, refuse);
	add(self, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
	load(self, offsetof(struct seccomp_data, args[0]));
	add(self, BPF_JMP | BPF_JA, (uint32_t)(compare - self->count - 1), 0, 0);
	load(self, offsetof(struct seccomp_data, args[1]));
	for (size_t i = 0; i < count; i++)
		jump(self, values[i], refuse);
	add(self, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
	add(self, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM, 0, 0);
}

bool at_sandbox_spare(const int64_t *processes, size_t count)
{
	struct program program;
	struct sock_fprog loaded = { 0, program.lines };
	uint32_t values[VALUES];
	size_t value_count = 0;

	if (at_sandbox_is_lifted() || count > AT_SANDBOX_SPARED_MAX)
		return false;
	values[value_count++] = (uint32_t)-1;
	for (size_t i = 0; i < count; i++) {
		pid_t group = getpgid((pid_t)processes[i]);

		values[value_count++] = (uint32_t)processes[i];
		values[value_count++] = (uint32_t)-processes[i];
		if (group > 0 && group != getpgrp())
			values[value_count++] = (uint32_t)-group;
	}
	write_program(&program, values, value_count);
	loaded.len = program.count;
	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &loaded, 0, 0);
}

#else

static bool has_filters(void)
{
	return false;
}

static bool refuse_sockets(void)
{
	return true;
}

bool at_sandbox_spare(const int64_t *processes, size_t count)
{
	(void)processes;
	(void)count;
	return false;
}

#endif

/* ---- both ----------------------------------------------------------------- */

void at_sandbox_prepare(
	const char *const *writable, size_t count, struct at_sandbox *out)
{
	out->is_on = !at_sandbox_is_lifted();
	out->rules = out->is_on ? make_rules(writable, count) : -1;
	if (out->is_on)
		(void)has_filters(); /* tested before fork(), and remembered */
}

bool at_sandbox_enter(const struct at_sandbox *self)
{
	if (!self->is_on)
		return true;
	/* Without this only root may restrict itself. Started programs gain no rights
	   that this process lacks. */
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return false;
	if (self->rules >= 0 && syscall(CALL_RESTRICT_SELF, self->rules, 0) < 0)
		return false;
	return refuse_sockets();
}

bool at_sandbox_keep_signals(void)
{
	const struct ruleset set = { .scoped = SCOPE_SIGNALS };
	bool is_kept = false;
	int rules;

	if (at_sandbox_is_lifted() || landlock_version() < 6)
		return false;
	rules = (int)syscall(CALL_CREATE_RULESET, &set, sizeof(set), 0);
	if (rules < 0)
		return false;
	if (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		is_kept = !syscall(CALL_RESTRICT_SELF, rules, 0);
	close(rules);
	return is_kept;
}

void at_sandbox_release(struct at_sandbox *self)
{
	if (self->is_on && self->rules >= 0)
		close(self->rules);
	memset(self, 0, sizeof(*self));
}

const char *at_sandbox_missing(void)
{
	const int version = landlock_version();
	bool files = version > 0, sockets = has_filters();

	if (at_sandbox_is_lifted() || (version >= 3 && sockets))
		return "";
	if (sockets && files)
		return "emptying files outside their folder, since this kernel's Landlock is older than version 3 (Linux 6.2)";
	if (sockets)
		return "writing files outside their folder, since this kernel has no Landlock";
	if (version >= 3)
		return "using the network, since this kernel has no filters of calls (seccomp)";
	if (files)
		return "using the network and emptying files outside their folder, since this kernel has no filters of calls (seccomp), and a Landlock older than version 3 (Linux 6.2)";
	return "writing files outside their folder and using the network, since this kernel has neither Landlock nor seccomp";
}
