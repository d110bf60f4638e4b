/*
 * A launch that the injected library recorded (capture/inject.h), and the space that is
 * made of it.
 *
 *   at_captured_read(folder, &captured, &err);
 *   at_captured_join(&captured, other);           another launch, for the same space
 *   at_captured_store(&captured, directory, "softmax", &err);   arrays and cubin
 *   at_captured_write_replay(&captured, &text);                 a space
 *   at_captured_release(&captured);
 *
 * Everything that is read comes from a process that ran foreign code, and is checked.
 * Threads: one user of one object at a time.
 */
#ifndef AT_CAPTURE_CAPTURED_H
#define AT_CAPTURE_CAPTURED_H

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "capture/sizes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Memory that a parameter points to, or a variable of the module. */
struct at_captured_block {
	char *variable; /* mangled; "": memory */
	uint64_t bytes;
	uint64_t cut_bytes; /* behind it, not recorded */
	bool has_contents;
	bool is_changed; /* by the launch */
	/* Paths, relative to the space, of the first launch of a space, set by
	   at_captured_store(); with ${SIZE} if the contents of its launches differ.
	   NULL: zeros. */
	char *before;
	char *after; /* of a block that is changed; NULL also: zeros */
};

struct at_captured_parameter {
	size_t bytes;
	unsigned char *data;
	char *name; /* by the source, set by at_captured_take_names(); NULL: unknown */
	bool is_real; /* the same */
};

/* Eight bytes of a parameter that are an address in a block. */
struct at_captured_pointer {
	size_t parameter;
	size_t offset; /* in the parameter, a multiple of 8 */
	size_t block;
	uint64_t at; /* in the block */
};

struct at_captured {
	char *folder; /* of the recording */
	struct at_captured *next; /* launch of the same space; heap */
	char *kernel; /* mangled */
	char *name; /* the function's own, without namespaces and arguments */
	char *device; /* "NVIDIA H200" */
	uint64_t number; /* of the launch, among those of the kernel, from 1 */
	uint32_t grid[3];
	uint32_t block[3];
	uint32_t shared_bytes;
	bool is_cooperative;
	uint32_t cluster[3]; /* of an attribute of the launch; 0: it has none */
	bool is_in_graph;
	bool lacks_memory; /* copying failed */
	bool has_cubin;
	struct at_hash cubin_hash;
	uint64_t other_cubins; /* with a kernel of this name; the newest was taken */
	size_t parameter_count;
	struct at_captured_parameter *parameters;
	size_t pointer_count;
	struct at_captured_pointer *pointers;
	size_t block_count;
	struct at_captured_block *blocks;
	char *cubin; /* as `before` of a block */
};

/* Reads a recording. AT_EINVAL: launch.json makes no sense. The caller releases *out,
   also after a failure. */
enum at_status at_captured_read(
	const char *folder, struct at_captured *out, struct at_error *err);
void at_captured_release(struct at_captured *self);

/*
 * Adds a launch to those of a space, and takes it over (heap). False: it is a space of
 * its own, since it differs in more than numbers, or no size tells the two apart.
 */
bool at_captured_join(struct at_captured *self, struct at_captured *other);

/*
 * Copies arrays and the cubin from the recordings' folders into directory/data, each
 * under a name made of its hash, so that equal ones are one file; arrays that differ
 * between launches under a name made of `stem` and sizes. Sets the names in *self.
 * directory exists.
 */
enum at_status at_captured_store(struct at_captured *self, const char *directory,
	const char *stem, struct at_error *err);

/* Why no space can be made of it, a phrase; NULL: one can. */
const char *at_captured_refusal(const struct at_captured *self);
/*
 * Appends a space that launches the captured machine code with the captured arguments
 * and compares all bits of what it changes. Names of files must be set.
 */
void at_captured_write_replay(const struct at_captured *self, struct at_strbuf *out);

/* Appends the comment with which a space begins. */
void at_captured_add_title(const struct at_captured *self, struct at_strbuf *out);

/* The sizes of the launches of a space, before those that stand for one number. They
   are the same for all its spaces, since files have names made of them. The caller
   releases *out. */
void at_captured_find_sizes(
	const struct at_captured *self, struct at_captured_sizes *out);
/*
 * Appends parts of spaces: parameters, defaults and launch; arguments for variables of
 * the module. A block of one dimension whose grid follows from it is tuned: if the
 * kernel relies on the captured size, its outputs differ. source: the text that has to
 * mention a variable; NULL: all variables count.
 */
void at_captured_add_launch(const struct at_captured *self,
	struct at_captured_sizes *sizes, struct at_strbuf *out);
void at_captured_add_variables(const struct at_captured *self,
	struct at_captured_sizes *sizes, const char *source, struct at_strbuf *out);
/* Appends the count of a block, in elements of so many bytes, as `count = 4000;`. */
void at_captured_add_count(const struct at_captured *self,
	struct at_captured_sizes *sizes, size_t block, size_t element_bytes,
	const char *name, struct at_strbuf *out);

#endif
