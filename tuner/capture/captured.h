/*
 * A launch that the injected library recorded (capture/inject.h), and the space that is
 * made from it.
 *
 *   at_captured_read(folder, &captured, &err);
 *   at_captured_join(&captured, other);           another launch, for the same space
 *   at_captured_store(&captured, directory, "softmax", &err);   arrays and cubin
 *   at_captured_write_replay(&captured, &text);                 a space
 *   at_captured_release(&captured);
 *
 * All input comes from a process that ran foreign code, and is checked.
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

/* Memory to which a parameter points, or a variable of the module. */
struct at_captured_block {
	char *variable; /* mangled; "": memory */
	uint64_t bytes;
	uint64_t cut_bytes; /* bytes after it that were not recorded */
	bool has_contents;
	bool is_changed; /* the launch changed it */
	/* All of it is written, and nothing is read before: a replay from other
	   contents showed it (at_captured_find_outputs()). */
	bool is_output;
	/* File paths relative to the space, in the first launch of a space, set by
	   at_captured_store(); with ${SIZE} if the contents of its launches differ.
	   NULL: zeros. */
	char *before;
	char *after; /* of a changed block; NULL: unchanged */
};

struct at_captured_parameter {
	size_t bytes;
	unsigned char *data;
	char *name; /* from the source; NULL: unknown (at_captured_take_names()) */
	bool is_real; /* also from the source */
};

/* Eight bytes of a parameter that hold an address in a block. */
struct at_captured_pointer {
	size_t parameter;
	size_t offset; /* in the parameter, a multiple of 8 */
	size_t block;
	uint64_t at; /* in the block */
};

struct at_captured {
	char *folder; /* of the recording */
	struct at_captured *next; /* the next launch of the same space; heap */
	char *kernel; /* mangled */
	char *name; /* the function's plain name, without namespaces and arguments */
	char *device; /* "NVIDIA H200" */
	uint64_t number; /* of the launch among the kernel's launches, from 1 */
	uint32_t grid[3];
	uint32_t block[3];
	uint32_t shared_bytes;
	bool is_cooperative;
	uint32_t cluster[3]; /* from an attribute of the launch; 0: not set */
	bool is_in_graph;
	bool lacks_memory; /* copying failed */
	bool has_cubin;
	struct at_hash cubin_hash;
	uint64_t other_cubins; /* modules that also have a kernel of this name; the
				  newest was taken */
	size_t parameter_count;
	struct at_captured_parameter *parameters;
	size_t pointer_count;
	struct at_captured_pointer *pointers;
	size_t block_count;
	struct at_captured_block *blocks;
	char *cubin; /* its path, like `before` of a block */
};

/* Reads a recording. AT_EINVAL: launch.json makes no sense. The caller releases *out,
   even after a failure. */
enum at_status at_captured_read(
	const char *folder, struct at_captured *out, struct at_error *err);
void at_captured_release(struct at_captured *self);

/* Adds a launch to those of a space, and takes ownership (heap). False: it needs a
   space of its own, since it differs in more than numbers, or has the same sizes as
   another launch. */
bool at_captured_join(struct at_captured *self, struct at_captured *other);

/* Copies arrays and the cubin from the recordings' folders into directory/data. A
   file's name is its hash, so that equal files are stored once; arrays that differ
   between launches are named by `stem` and sizes. Sets the names in *self. directory
   must exist. */
enum at_status at_captured_store(struct at_captured *self, const char *directory,
	const char *stem, struct at_error *err);

/* A phrase that says why no space can be made from it; NULL: a space can be made. */
const char *at_captured_refusal(const struct at_captured *self);
/* Appends a space of this name that launches the captured machine code with the
   captured arguments and compares all bits that it changes. File names must be set. */
void at_captured_write_replay(
	const struct at_captured *self, const char *name, struct at_strbuf *out);

/*
 * Finds the changed blocks that are outputs alone, and sets is_output. stands() is
 * asked with some of them set: whether the launches of the space, written with these,
 * give the program's outputs. It runs once, or once more for each block.
 */
void at_captured_find_outputs(
	struct at_captured *self, bool (*stands)(void *context), void *context);

/* Appends the comment at the top of a space. */
void at_captured_add_title(const struct at_captured *self, struct at_strbuf *out);

/* The sizes of a space's launches, without those that stand for a single number. All
   spaces of the launches share them, since file names contain them. The caller releases
   *out. */
void at_captured_find_sizes(
	const struct at_captured *self, struct at_captured_sizes *out);
/* Appends parts of spaces: parameters, defaults and launch; arguments for variables of
   the module. A one-dimensional block is tuned if the grid follows from it: a kernel
   that relies on the captured size then gives different outputs. source: the text that
   must mention a variable; NULL: take all variables. */
void at_captured_add_launch(const struct at_captured *self,
	struct at_captured_sizes *sizes, struct at_strbuf *out);
/* The access of a block: "in", "inout" or "out"; and a line with its fill, or blanks.
 */
const char *at_captured_access(const struct at_captured_block *block);
void at_captured_add_fill(const struct at_captured_block *block, struct at_strbuf *out);
void at_captured_add_variables(const struct at_captured *self,
	struct at_captured_sizes *sizes, const char *source, struct at_strbuf *out);
/* Appends the count of a block, in elements of this size, as `count = 4000;`. */
void at_captured_add_count(const struct at_captured *self,
	struct at_captured_sizes *sizes, size_t block, size_t element_bytes,
	const char *name, struct at_strbuf *out);

#endif
