/*
 * Cubins of a kernel's configurations, as a header of C that is used with the ordinary
 * one: <results>/<kernel>_cubins.h. For programs that load kernels by the driver API
 * and have no compiler for them.
 *
 * What is in it, for the kernel "matmul" (C99, C++11, CUDA), beside what its first
 * comments say:
 *
 *   the ordinary header, which it includes where it is not there yet; another one than
 *                                 it was made with is an #error, since numbers of
 *                                 configurations would mean something else
 *   struct autotune_cubin         of all such headers together: data, size, checksum,
 *                                 name of the kernel in it, of prepare and finish
 *   autotune_cubin_is_sound(cubin)
 *                                 whether the bytes are those that were written
 *   matmul_cubin(n, major, minor) what runs on a device of this compute capability; 0:
 *                                 nothing
 *
 * Deterministic: the same cubins give the same bytes.
 *
 * Must not know: where cubins come from. Threads: pure functions.
 */
#ifndef AT_RECORD_CUBINS_H
#define AT_RECORD_CUBINS_H

#include "record/header_plan.h"

#include <stddef.h>
#include <stdint.h>

/* "sm_90". */
struct at_capability {
	unsigned major;
	unsigned minor;
};

/* One configuration for one architecture. */
struct at_cubin {
	size_t configuration;
	struct at_capability capability;
	unsigned char *bytes; /* heap */
	size_t size;
	/* as the cubin has them; heap; NULL: the space has no such kernel */
	char *symbol;
	char *prepare;
	char *finish;
};

struct at_cubins {
	char compiler[256]; /* "NVRTC 13.0" */
	size_t count;
	size_t capacity;
	struct at_cubin *items; /* by configuration, then capability */
	/* lines for people, which the header has as well: what is not as it was
	 * measured */
	size_t note_count;
	size_t note_capacity;
	char **notes;
};

void at_cubins_release(struct at_cubins *self);
enum at_status at_cubins_add_note(struct at_cubins *self, struct at_error *err,
	const char *format, ...) AT_PRINTF(3, 4);

/* false: it is not of this form, as "sm_90a", whose cubins run nowhere else, or "". */
bool at_capability_read(const char *architecture, struct at_capability *out);
/* FNV-1a (Fowler, Noll, Vo), 64 bits. */
uint64_t at_cubin_checksum(const unsigned char *bytes, size_t size);

/*
 * Appends the header. ordinary: the text of the ordinary header of the same plan, and
 * the name by which it is included. AT_EINVAL: it is no such header. AT_ENOENT: there
 * is no cubin.
 */
enum at_status at_cubins_write(const struct at_header_plan *plan,
	const struct at_cubins *cubins, const char *ordinary, const char *include,
	struct at_strbuf *out, struct at_error *err);

#endif
