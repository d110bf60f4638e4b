/*
 * The headers that kernels include on the device "host": NVIDIA's own in software
 * (folder host/), so that a machine without a toolkit has them too, and libcu++'s as
 * names of the C++ library's. Found ahead of all others.
 *
 * What it must not know: compilers.
 * Threads: constant, but for the folder that is written.
 */
#ifndef AT_KERNEL_HOST_HEADERS_H
#define AT_KERNEL_HOST_HEADERS_H

#include "base/error.h"
#include "base/hash.h"

#include <stdbool.h>

/* NULL behind the last one; as it stands in #include. Static storage. */
const char *at_host_headers_name(size_t index);

enum {
	AT_HOST_HEADERS_MAX = 128,
};

/* Those that a unit can reach: 0.8 ms a file would be too much for all of them. */
struct at_host_needs {
	bool needed[AT_HOST_HEADERS_MAX];
};

/* Adds what text names in <> or quotes, and what these need in turn. */
void at_host_headers_look(struct at_host_needs *self, const char *text);
void at_host_headers_need_all(struct at_host_needs *self);

/* Below folder, which is there. AT_EIO names what could not be written. */
enum at_status at_host_headers_write(
	const char *folder, const struct at_host_needs *needs, struct at_error *err);
/* The same again, and their folders; nothing where there are none. */
void at_host_headers_remove(const char *folder, const struct at_host_needs *needs);

/* Names and contents. */
void at_host_headers_digest(struct at_hasher *hasher);

/*
 * Whether a header that a compiler misses is NVIDIA's and one that "host" has not: to
 * be said in plain words. *name and *length, which need not be followed by a 0, become
 * the name as it was written.
 */
bool at_host_headers_lacks(const char **name, size_t *length);

/* What is there, for that message: "cuda_fp16.h, ..., and <cuda/std/...>". */
extern const char at_host_headers_known[];

#endif
