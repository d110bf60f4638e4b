/*
 * What the tuner wants of an object file (ELF, 64 bits, of this machine's byte order)
 * that the C++ compiler wrote for the device "host". Threads: safe.
 */
#ifndef AT_KERNEL_CXX_OBJECT_H
#define AT_KERNEL_CXX_OBJECT_H

#include "base/memory.h"
#include "kernel/compile.h"

/*
 * `extern __shared__ T name[]`: storage that is declared and never defined. In an
 * object file such names are undefined thread-local symbols; this finds them and
 * appends an assembler file to out that lets them all begin at one address; nothing
 * when there is no such name. AT_EINVAL for what is no such object file.
 */
enum at_status at_cxx_object_write_shared(const unsigned char *object, size_t size,
	struct at_strbuf *out, struct at_error *err);

/*
 * Fills facts->parameters with what kernel number `index` of the unit takes: see
 * AT_HOST_SIGNATURE_SECTION. Facts stay as they are where the object does not say.
 */
enum at_status at_cxx_object_read_signature(const unsigned char *object, size_t size,
	size_t index, struct at_kernel_facts *facts, struct at_error *err);

#endif
