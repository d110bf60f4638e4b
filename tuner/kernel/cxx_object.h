/*
 * `extern __shared__ T name[]`: storage that is declared and never defined. In an
 * object file such names are undefined thread-local symbols; this module finds
 * them and writes an assembler file that lets them all begin at one address.
 * Threads: safe.
 */
#ifndef AT_KERNEL_CXX_OBJECT_H
#define AT_KERNEL_CXX_OBJECT_H

#include "base/memory.h"

/*
 * Appends the assembler text to out; nothing when the object (ELF, 64 bits, of
 * this machine's byte order) has no such name. AT_EINVAL for anything else.
 */
enum at_status at_cxx_object_write_shared(const unsigned char *object, size_t size,
	struct at_strbuf *out, struct at_error *err);

#endif
