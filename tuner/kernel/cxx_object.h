/*
 * What the tuner wants of an object file (ELF, 64 bits, of this machine's byte order)
 * that the C++ compiler wrote for the device "host": what kernels take, and their
 * shared memory, which is thread-local data there.
 *
 * `extern __shared__ T name[]` is storage that is declared and never defined: such
 * names are undefined symbols, for which an assembler file is written that lets them
 * all begin at one address. Other __shared__ variables lie one behind the other: they
 * are moved apart, so that the runtime can watch what lies between them.
 * Threads: safe.
 */
#ifndef AT_KERNEL_CXX_OBJECT_H
#define AT_KERNEL_CXX_OBJECT_H

#include "base/memory.h"
#include "kernel/compile.h"

/* Whether all is there that a header announces; a file may be cut short although
   whoever wrote it has ended well. */
bool at_cxx_object_is_whole(const unsigned char *object, size_t size);

/*
 * Appends the assembler text to out; nothing when the object has no such name.
 * AT_EINVAL for what is no such object file.
 */
enum at_status at_cxx_object_write_shared(const unsigned char *object, size_t size,
	struct at_strbuf *out, struct at_error *err);

/*
 * Fills facts->parameters with what kernel number `index` of the unit takes: see
 * AT_HOST_SIGNATURE_SECTION. Facts stay as they are where the object does not say.
 */
enum at_status at_cxx_object_read_signature(const unsigned char *object, size_t size,
	size_t index, struct at_kernel_facts *facts, struct at_error *err);

/*
 * Leaves some room behind each variable that the compiler gave a section of its own.
 * AT_EINVAL as above.
 */
enum at_status at_cxx_object_spread_shared(
	unsigned char *object, size_t size, struct at_error *err);

#endif
