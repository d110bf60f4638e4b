/*
 * Reads and changes an object file (kernel/elf.h) of the C++ compiler for device
 * `host`: the parameters of kernels, and shared memory, which is thread-local data
 * there.
 *
 * `extern __shared__ T name[]` is declared and never defined, so such names are
 * undefined symbols. An additional assembler file gives all of them the same address.
 * Other __shared__ variables are contiguous: they are moved apart, so that the runtime
 * can check the gaps between them.
 *
 * Threads: safe.
 */
#ifndef AT_KERNEL_CXX_OBJECT_H
#define AT_KERNEL_CXX_OBJECT_H

#include "base/memory.h"
#include "kernel/compile.h"

/* Whether the file is as long as its header says: a compiler may exit with success
   after a truncated write. */
bool at_cxx_object_is_whole(const unsigned char *object, size_t size);

/* Appends the text of that assembler file; nothing if the object has no such names.
   AT_EINVAL: not such an object file. */
enum at_status at_cxx_object_write_shared(const unsigned char *object, size_t size,
	struct at_strbuf *out, struct at_error *err);

/* Sets facts->parameters of kernel `index` of the unit; see AT_HOST_SIGNATURE_SECTION.
   Facts stay unchanged if the object has no signature. */
void at_cxx_object_read_signature(const unsigned char *object, size_t size,
	size_t index, struct at_kernel_facts *facts);

/* Adds a gap after each shared variable that has its own section. AT_EINVAL: not such
   an object file. */
enum at_status at_cxx_object_spread_shared(
	unsigned char *object, size_t size, struct at_error *err);

#endif
