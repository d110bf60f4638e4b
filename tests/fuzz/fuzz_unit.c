/*
 * Any bytes as a file of a compiled unit: as they are, and once more with the
 * checksum and the name that they ought to have, so that what lies behind it is
 * reached.
 */
#include "base/hash.h"
#include "kernel/units.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where kernel/units.h says that the checksum is, and what it is taken of. */
#define NAME_OFFSET 12
#define CHECKSUM_OFFSET 16
#define CHECKSUM_END 32

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_as_unit(const char *path, const uint8_t *data, size_t size)
{
	enum at_status status = AT_OK;
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (file < 0 || write(file, data, size) != (ssize_t)size || close(file))
		abort();
	/* what is damaged has been removed by whoever read it first */
	for (int with_image = 0; with_image < 2 && !status; with_image++) {
		struct at_compile_result unit;

		status = at_unit_read(path, &unit, with_image, NULL);
		at_compile_result_release(&unit);
	}
}

/* data[0..size) holds a header; where its sizes make sense it gets its checksum. */
static void seal(uint8_t *data, size_t size, const char *path)
{
	struct at_hasher *hasher;
	struct at_hash checksum;
	uint64_t facts_bytes, offset;
	const char *name = strrchr(path, '/') + 1;
	uint32_t digest = (uint32_t)at_hash_bytes(name, strlen(name)).low;

	memcpy(data + NAME_OFFSET, &digest, sizeof(digest));
	memcpy(&facts_bytes, data + CHECKSUM_END, sizeof(facts_bytes));
	if (facts_bytes > size)
		return;
	offset = (CHECKSUM_END + 16 + facts_bytes + 255) / 256 * 256;
	/* pieces of at most 64 KiB; corpora are smaller */
	if (offset > size || size - CHECKSUM_END > 65536)
		return;
	hasher = at_hasher_new();
	at_hasher_add(hasher, data + CHECKSUM_END, (size_t)offset - CHECKSUM_END);
	if (size > offset)
		at_hasher_add(hasher, data + offset, size - (size_t)offset);
	checksum = at_hasher_result(hasher);
	at_hasher_free(hasher);
	memcpy(data + CHECKSUM_OFFSET, &checksum.low, sizeof(checksum.low));
	memcpy(data + CHECKSUM_OFFSET + 8, &checksum.high, sizeof(checksum.high));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char path[64];
	uint8_t *copy;

	if (!path[0])
		/* a file is made anew for most inputs: in memory that takes half of
		   what it does on a disk */
		snprintf(path, sizeof(path), "%s/autotune-fuzz-unit-%ld",
			access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm", (long)getpid());
	read_as_unit(path, data, size);
	copy = size >= CHECKSUM_END + 16 ? malloc(size) : NULL;
	if (copy) {
		memcpy(copy, data, size);
		seal(copy, size, path);
		read_as_unit(path, copy, size);
		free(copy);
	}
	unlink(path);
	return 0;
}
