#define _GNU_SOURCE
#include "shim_stack.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

#define KEPT_COUNT 16384

/* Addresses that were looked up: `check` is hash ^ address, so that an entry that
 * two threads wrote a half each of does not count. */
static struct {
	_Atomic uint64_t check, hash;
} kept[KEPT_COUNT];
static const void *own_base;
static int depth;
static _Thread_local bool is_inside __attribute__((tls_model("initial-exec")));

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15U;
	return hash ^ hash >> 29;
}

/* Library and distance; 0 for this library's own. */
static uint64_t look_up(uint64_t address)
{
	uint64_t hash = 1;
	const char *name;
	Dl_info facts;

	/* what no library has was made while running, or is a kernel under test */
	if (!dladdr((void *)(uintptr_t)address, &facts) || !facts.dli_fname)
		return hash;
	if (facts.dli_fbase == own_base)
		return 0;
	name = strrchr(facts.dli_fname, '/');
	for (name = name ? name + 1 : facts.dli_fname; *name; name++)
		hash = mix(hash, (unsigned char)*name);
	return mix(hash, address - (uint64_t)(uintptr_t)facts.dli_fbase);
}

static uint64_t hash_of(uint64_t address)
{
	size_t index = (size_t)(mix(0, address) % KEPT_COUNT);
	uint64_t hash = atomic_load(&kept[index].hash);

	if ((atomic_load(&kept[index].check) ^ hash) == address)
		return hash;
	hash = look_up(address);
	atomic_store(&kept[index].hash, hash);
	atomic_store(&kept[index].check, hash ^ address);
	return hash;
}

struct walk {
	uint64_t hash;
	int left;
};

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *closure)
{
	struct walk *self = closure;
	uint64_t address = (uint64_t)_Unwind_GetIP(context);
	uint64_t hash = address ? hash_of(address) : 0;

	if (hash && self->left-- > 0)
		self->hash = mix(self->hash, hash);
	return address && self->left > 0 ? _URC_NO_REASON : _URC_END_OF_STACK;
}

void stack_begin(int functions)
{
	Dl_info facts;

	depth = functions;
	if (dladdr((void *)(uintptr_t)stack_begin, &facts))
		own_base = facts.dli_fbase;
	stack_hash(0);
}

uint64_t stack_hash(uint32_t kind)
{
	struct walk walk = { mix(1, kind), depth };

	if (is_inside)
		return 0;
	is_inside = true;
	_Unwind_Backtrace(step, &walk);
	is_inside = false;
	return walk.hash ? walk.hash : 1;
}

void places_add(struct places *self, uint32_t kind)
{
	uint64_t hash = stack_hash(kind), before;
	size_t at;

	for (size_t i = 0; hash && i < PLACES_MAX; i++) {
		at = (size_t)((hash + i) % PLACES_MAX);
		before = 0;
		if (!__atomic_compare_exchange_n(&self->list[at].hash, &before, hash,
			    false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) &&
			before != hash)
			continue;
		self->list[at].kind = kind;
		__atomic_fetch_add(&self->list[at].count, 1, __ATOMIC_SEQ_CST);
		return;
	}
	if (hash)
		__atomic_fetch_add(&self->lost, 1, __ATOMIC_SEQ_CST);
}

void stack_show(const char *path)
{
	void *list[64];
	int file = path ? (int)syscall(SYS_openat, AT_FDCWD, path,
				  O_WRONLY | O_CREAT | O_APPEND, 0600)
			: -1;

	if (file < 0)
		return;
	is_inside = true;
	backtrace_symbols_fd(list, backtrace(list, 64), file);
	is_inside = false;
	syscall(SYS_close, file);
}
