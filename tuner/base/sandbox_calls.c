/* Keeps a process from harming others where Landlock cannot: a seccomp filter on the
   arguments of calls. _GNU_SOURCE is for syscall(). */
#define _GNU_SOURCE
#include "base/sandbox.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define NATIVE AUDIT_ARCH_X86_64
/* the x32 numbers of calls have this bit */
#define X32_BIT 0x40000000
#else
#define NATIVE AUDIT_ARCH_AARCH64
#define X32_BIT 0
#endif

/* the same on every architecture */
#define CALL_PIDFD_SEND_SIGNAL 424
#define CALL_PIDFD_OPEN 434

/* Calls that act on the process, or group, that their first argument names. */
static const uint32_t calls[] = { SYS_kill, SYS_tkill, SYS_tgkill, SYS_rt_sigqueueinfo,
	SYS_rt_tgsigqueueinfo, SYS_prlimit64, SYS_process_vm_writev, CALL_PIDFD_OPEN };

#define CALLS (sizeof(calls) / sizeof(calls[0]))
/* for each process: its number, itself as a group, and the group that it is in; and -1
   for all */
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
   process numbers. */
static void write_program(struct program *self, const uint32_t *values, size_t count)
{
	const size_t allow = 5 + CALLS + 2, first = allow + 1, second = first + 2,
		     compare = second + 1, refuse = compare + count + 1;

	self->count = 0;
	load(self, offsetof(struct seccomp_data, arch));
	/* another architecture's calls are refused, since nothing of ours makes any */
	add(self, BPF_JMP | BPF_JEQ | BPF_K, NATIVE, 1, 0);
	add(self, BPF_JMP | BPF_JA, (uint32_t)(refuse - self->count - 1), 0, 0);
	load(self, offsetof(struct seccomp_data, nr));
	add(self, BPF_ALU | BPF_AND | BPF_K, ~(uint32_t)X32_BIT, 0, 0);
	for (size_t i = 0; i < CALLS; i++)
		jump(self, calls[i], first);
	jump(self, SYS_ptrace, second);
	/* a filter cannot tell which process a descriptor stands for */
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
	struct sock_fprog filter = { 0, program.lines };
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
	filter.len = program.count;
	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
}

#else

bool at_sandbox_spare(const int64_t *processes, size_t count)
{
	(void)processes;
	(void)count;
	return false;
}

#endif
