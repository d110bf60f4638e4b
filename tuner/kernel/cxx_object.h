/*
 * What is read from and changed in an object file (kernel/elf.h) that the C++ compiler
 * made for device `host`: the parameters of kernels, and shared memory, which is
 * thread-local data there.
 *
 * `extern __shared__ T name[]` is declared and never defined, so such names are
 * undefined symbols: an assembler file is written that gives all of them the same
 * address. Other __shared__ variables lie one behind the other: they are moved apart,
 * so that the runtime can watch the gaps between them.
 * Threads: safe.
 */
#ifndef AT_KERNEL_CXX_OBJECT_H
#define AT_KERNEL_CXX_OBJECT_H

#include "base/memory.h"
#include "kernel/compile.h"

/*
 * Whether the file is as long as its header says. A program may have cut it short and
 * still have ended well.
 */
bool at_cxx_object_is_whole(const unsigned char *object, size_t size);

/*
 * Appends the text of that assembler file to out; nothing when the object has no such
 * names. AT_EINVAL: it is no such object file.
 */
enum at_status at_cxx_object_write_shared(const unsigned char *object, size_t size,
	struct at_strbuf *out, struct at_error *err);

/*
 * Fills in facts->parameters of kernel number `index` of the unit; see
 * AT_HOST_SIGNATURE_SECTION. Facts stay as they are where the object does not say.
 */
void at_cxx_object_read_signature(const unsigned char *object, size_t size,
	size_t index, struct at_kernel_facts *facts);

/*
 * Leaves a gap behind each shared variable that the compiler has put into a section of
 * its own. AT_EINVAL: it is no such object file.
 */
enum at_status at_cxx_object_spread_shared(
	unsigned char *object, size_t size, struct at_error *err);

#endif
