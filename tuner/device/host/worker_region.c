/*
 * The address space of a worker: its parts, and the stacks of its threads. POSIX 2008
 * has no anonymous mappings.
 */
#define _DEFAULT_SOURCE
#include "device/host/worker_parts.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * Guard pages of all workers together. Each makes two mappings, of which a process may
 * have 65530 by default.
 */
#define GUARD_LIMIT 16384u

/*
 * Reserves address space that is aligned to its size; nothing in it may be accessed
 * yet.
 */
static char *reserve_region(void)
{
	size_t bytes = AT_HOST_REGION_BYTES;
	char *wide = mmap(NULL, 2 * bytes, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	size_t before;

	if (wide == MAP_FAILED)
		return NULL;
	before = (bytes - (uintptr_t)wide % bytes) % bytes;
	if (before)
		munmap(wide, before);
	if (before < bytes)
		munmap(wide + before + bytes, bytes - before);
	return wide + before;
}

enum at_status worker_region_make(
	unsigned worker_count, struct at_host_worker **out, struct at_error *err)
{
	static const struct {
		size_t offset, bytes;
	} parts[] = {
		{ 0, sizeof(struct at_host_worker) },
		{ HANDLER_OFFSET, HANDLER_BYTES },
		{ STATIC_OFFSET, STATIC_END - STATIC_OFFSET },
		{ DYNAMIC_OFFSET, DYNAMIC_END - DYNAMIC_OFFSET },
	};
	char *region = reserve_region();
	struct at_host_worker *self;
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);

	if (!region)
		return at_fail(err, AT_ENOMEM, NULL, 0,
			"no address space for the stacks of the device \"host\" (%zu MiB a core): %s; raise `ulimit -v`",
			(size_t)AT_HOST_REGION_BYTES >> 20, strerror(errno));
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (mprotect(region + parts[i].offset, parts[i].bytes,
			    PROT_READ | PROT_WRITE) < 0) {
			munmap(region, AT_HOST_REGION_BYTES);
			return at_fail_memory(err);
		}
	self = (struct at_host_worker *)region;
	self->page_bytes = page_bytes;
	self->slot_bytes = (AT_HOST_REGION_BYTES - STACKS_OFFSET) / THREADS /
			   page_bytes * page_bytes;
	self->guard_count = GUARD_LIMIT / worker_count;
	*out = self;
	return AT_OK;
}

char *worker_stack(const struct at_host_worker *self, unsigned slot)
{
	return (char *)self + STACKS_OFFSET + slot * self->slot_bytes;
}

size_t worker_map_stack(struct at_host_worker *self, unsigned slot)
{
	size_t guard_bytes = slot < self->guard_count ? self->page_bytes : 0;

	if (!self->slots[slot].mapped &&
		mprotect(worker_stack(self, slot) + guard_bytes,
			self->slot_bytes - guard_bytes, PROT_READ | PROT_WRITE) < 0)
		return 0;
	self->slots[slot].mapped = true;
	return self->slot_bytes - guard_bytes;
}

void worker_region_free(struct at_host_worker *self)
{
	at_fiber_forget((char *)self + HANDLER_OFFSET, HANDLER_BYTES);
	for (unsigned i = 0; i < THREADS; i++)
		if (self->slots[i].mapped)
			at_fiber_forget(worker_stack(self, i), self->slot_bytes);
	munmap(self, AT_HOST_REGION_BYTES);
}
