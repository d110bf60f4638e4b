/*
 * Where an image's shared memory lies, read from its segments and symbols.
 *
 * Shared variables have offsets from 0, with gaps between them that no kernel may
 * touch; dynamic shared memory has one offset of its own (see kernel/host_dialect.h).
 * Threads: safe.
 */
#ifndef AT_DEVICE_HOST_SHARED_H
#define AT_DEVICE_HOST_SHARED_H

#include "base/error.h"

#include <stddef.h>

/* A part between two variables that belongs to neither. */
struct at_host_gap {
	size_t offset;
	size_t bytes;
};

struct at_host_shared {
	size_t static_bytes; /* up to the end of the last variable */
	size_t alignment; /* that the variables need; a power of two */
	size_t dynamic_offset; /* 0: the image has no dynamic shared memory */
	size_t gap_count;
	struct at_host_gap *gaps; /* ascending; on the heap */
};

/*
 * Reads the layout from an image; *out comes zeroed, and the caller releases it.
 * AT_EINVAL: the image is no ELF file; it is cut short, so that the loader would map
 * what is not there and crash; or it has more shared memory than there is room for.
 * Where an image has no symbols, no gaps are found.
 */
enum at_status at_host_shared_read(const unsigned char *image, size_t bytes,
	struct at_host_shared *out, struct at_error *err);
void at_host_shared_release(struct at_host_shared *self);

#endif
