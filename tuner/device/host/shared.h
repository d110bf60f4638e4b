/*
 * Where an image's shared memory lies: read from its segments and symbols.
 *
 * Variables have offsets from 0, with gaps between them that no kernel may touch;
 * dynamic shared memory has one offset of its own (see kernel/host_dialect.h).
 * Threads: safe.
 */
#ifndef AT_DEVICE_HOST_SHARED_H
#define AT_DEVICE_HOST_SHARED_H

#include "base/error.h"

#include <stddef.h>

struct at_host_gap {
	size_t offset;
	size_t bytes;
};

struct at_host_shared {
	size_t static_bytes; /* up to the end of the last variable */
	size_t alignment; /* that variables count on; a power of two */
	size_t dynamic_offset; /* 0: the image uses none */
	size_t gap_count;
	struct at_host_gap *gaps; /* ascending; heap */
};

/*
 * *out comes zeroed. AT_EINVAL: no ELF file, one that is cut short so that the loader
 * would map what is not there and die of it, or more shared memory than there is room
 * for. An image without symbols has no gaps that are known.
 */
enum at_status at_host_shared_read(const unsigned char *image, size_t bytes,
	struct at_host_shared *out, struct at_error *err);
void at_host_shared_release(struct at_host_shared *self);

#endif
