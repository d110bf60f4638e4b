/*
 * The headers that kernels include on device `host`: NVIDIA's in software (folder
 * host/), so that a machine without a toolkit has them too, and libcu++'s, which lead
 * to the C++ library. They are found before all others.
 *
 * Threads: safe, except that only one thread at a time may write a folder.
 */
#ifndef AT_KERNEL_HOST_HEADERS_H
#define AT_KERNEL_HOST_HEADERS_H

#include "base/error.h"
#include "base/hash.h"

#include <stdbool.h>

/* The name of this header in #include, in static storage; NULL after the last. */
const char *at_host_headers_name(size_t index);

enum {
	AT_HOST_HEADERS_MAX = 128, /* at least the number of headers */
};

/* The headers that a unit can reach. Only these are written for it: a file takes 0.8
   ms, too much for all of them. */
struct at_host_needs {
	bool needed[AT_HOST_HEADERS_MAX];
};

/* Adds the headers that text names in <> or quotes, and those that they include. */
void at_host_headers_need_named(struct at_host_needs *self, const char *text);
void at_host_headers_need_all(struct at_host_needs *self);

/* Writes the headers below folder, which must exist. AT_EIO names the file that could
   not be written. */
enum at_status at_host_headers_write(
	const char *folder, const struct at_host_needs *needs, struct at_error *err);

/* Hashes the names and contents of all headers. */
void at_host_headers_digest(struct at_hasher *hasher);

/* Whether a header that a compiler did not find is an NVIDIA header missing on `host`;
   a message then says so. On entry *name and *length are the name as the compiler wrote
   it (not necessarily terminated); on return, the name as in #include. */
bool at_host_headers_lacks(const char **name, size_t *length);

/* The headers on `host`, for that message: "cuda_fp16.h, ..., and <cuda/std/...>". */
extern const char at_host_headers_known[];

#endif
