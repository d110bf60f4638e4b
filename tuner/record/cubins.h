/*
 * The cubins of a kernel's configurations as a C header, <results>/<kernel>_cubins.h,
 * an addition to the ordinary header. It is for programs that load kernels by the
 * driver API and have no compiler for them.
 *
 * Contents for the kernel "matmul" (C99, C++11, CUDA), after its first comments:
 *
 *   the ordinary header           included unless it was; any other header than that of
 *                                 the cubins is an #error, since it numbers the
 *                                 configurations
 *   struct autotune_cubin         common to all such headers: data, size, checksum, the
 *                                 names of the kernel, of prepare and of finish
 *   autotune_cubin_is_sound(cubin)
 *                                 whether the bytes match their checksum
 *   matmul_cubin(n, major, minor) the cubin of configuration n for a device of this
 *                                 compute capability; 0: none
 *   matmul_run_cubin(modules, &device, stream, ...)
 *                                 chooses, loads and launches
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

/* A compute capability: "sm_90" is 9.0. */
struct at_capability {
	unsigned major;
	unsigned minor;
};

/* One configuration for one architecture. */
struct at_cubin {
	size_t configuration; /* its number in the header's plan */
	struct at_capability capability;
	unsigned char *bytes; /* heap */
	size_t size;
	/* The kernels' names in the cubin (mangled in C++), by call of the spec; heap;
	   NULL: the cubin lacks the kernel. */
	size_t kernel_count;
	char **kernels;
};

/* The cubins of a header. */
struct at_cubins {
	char compiler[256]; /* "NVRTC 13.0" */
	size_t count;
	size_t capacity;
	struct at_cubin *items; /* by configuration, then capability */
	/* Differences from the measurement, for people; also written to the header. */
	size_t note_count;
	size_t note_capacity;
	char **notes;
};

/* Frees everything and zeroes it. */
void at_cubins_release(struct at_cubins *self);
void at_cubins_add_note(struct at_cubins *self, const char *format, ...)
	AT_PRINTF(2, 3);

/* False: the architecture has another form, such as "", or "sm_90a", whose cubins run
   on no other capability. */
bool at_capability_read(const char *architecture, struct at_capability *out);
/* FNV-1a (Fowler, Noll, Vo), 64 bits: short enough for C code in the header. */
uint64_t at_cubin_checksum(const unsigned char *bytes, size_t size);

/* Appends the header to out. ordinary: text of the ordinary header, from the same plan;
   include: its name for #include. AT_EINVAL: ordinary is not this kernel's header.
   AT_ENOENT: there is no cubin. */
enum at_status at_cubins_write(const struct at_header_plan *plan,
	const struct at_cubins *cubins, const char *ordinary, const char *include,
	struct at_strbuf *out, struct at_error *err);

#endif
