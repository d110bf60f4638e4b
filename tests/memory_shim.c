/*
 * A library to be preloaded (LD_PRELOAD) into autotune that lets allocations fail. It
 * counts the allocations of all its processes together, those of libraries included.
 * All of them map a file, AT_MEMORY_PLAN, that says which fail (memory_shim.h).
 * Processes of other programs, such as compilers, are left alone.
 */
#define _GNU_SOURCE
#include "memory_shim.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* glibc's own, which the names below stand before */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static struct memory_plan *plan;

__attribute__((constructor)) static void begin(void)
{
	const char *path = getenv(MEMORY_PLAN), *program = getenv(MEMORY_PROGRAM);
	char own[4096];
	ssize_t length = readlink("/proc/self/exe", own, sizeof(own) - 1);
	void *mapped;
	int file;

	if (!path || !program || length < 0)
		return;
	own[length] = '\0';
	if (strcmp(own, program))
		return;
	file = open(path, O_RDWR | O_CLOEXEC);
	if (file < 0)
		return;
	mapped = mmap(NULL, sizeof(*plan), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	close(file);
	if (mapped != MAP_FAILED)
		plan = mapped;
}

static int fails(void)
{
	unsigned long number;

	if (!plan)
		return 0;
	number = __atomic_fetch_add(&plan->count, 1, __ATOMIC_RELAXED);
	if (number < plan->first || number >= plan->end)
		return 0;
	__atomic_fetch_add(&plan->failed, 1, __ATOMIC_RELAXED);
	errno = ENOMEM;
	return 1;
}

void *malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
	return fails() ? NULL : __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size);
void *memalign(size_t alignment, size_t size)
{
	return fails() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
	void *got = memalign(alignment, size);

	if (got)
		*out = got;
	return got ? 0 : ENOMEM;
}
