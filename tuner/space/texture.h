/*
 * A texture or a surface: how kernels read a buffer by coordinates. A space gives its
 * numbers as expressions (spec.h); a plan evaluates and checks them; a device creates
 * an object for each address of the buffer. Must not know: devices, addresses. Threads:
 * pure functions.
 */
#ifndef AT_SPACE_TEXTURE_H
#define AT_SPACE_TEXTURE_H

#include "space/element.h"
#include "space/expression.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Alignment in bytes of the rows of a linear-memory texture, and of its buffer: the
   largest requirements of any CUDA device. */
#define AT_TEXTURE_PITCH_BYTES 32
#define AT_TEXTURE_ALIGNMENT 512

enum at_texture_kind {
	AT_TEXTURE_NONE = 0, /* the argument is neither */
	AT_TEXTURE_READ, /* a texture */
	AT_TEXTURE_SURFACE,
};

/* The words of a space file, each setting's in the order of its enum. */
extern const char *const at_texture_addresses[],
	*const at_texture_filters[], *const at_texture_reads[],
					     *const at_texture_coordinates[],
						     *const at_texture_layouts[];

/* CUaddress_mode: accesses outside */
enum at_texture_address {
	AT_TEXTURE_WRAP,
	AT_TEXTURE_CLAMP,
	AT_TEXTURE_MIRROR,
	AT_TEXTURE_BORDER, /* zeros */
};

/* A word of a list, or a parameter of such words. */
struct at_texture_choice {
	size_t value; /* index in the list */
	size_t parameter; /* 1 + the index of the parameter; 0: use value */
};

struct at_texture_spec {
	enum at_texture_kind kind;
	struct at_expression *width;
	struct at_expression *height; /* NULL: one dimension */
	struct at_expression *depth; /* NULL: two */
	struct at_expression *pitch; /* NULL: rows are contiguous */
	struct at_expression *channels; /* NULL: the components of an element */
	/* of a texture */
	struct at_texture_choice address;
	struct at_texture_choice filter;
	struct at_texture_choice read;
	struct at_texture_choice coordinates;
	struct at_texture_choice layout;
};

/* The numbers of a texture or surface in one configuration. */
struct at_texture {
	uint32_t of; /* 1 + the index of the buffer; 0: neither */
	bool is_surface;
	bool is_written; /* the buffer is not an input */
	enum at_element element; /* of the buffer; a vector counts as its components */
	int64_t width, height, depth; /* texels; height and depth may be 0 */
	int64_t pitch_bytes; /* between rows */
	int64_t channels; /* per texel */
	enum at_texture_address address;
	bool filters; /* linear instead of nearest texel */
	bool is_normalized; /* integers are read as fractions of their range */
	bool has_normalized_coordinates; /* from 0 to 1 */
	bool is_linear; /* the texels lie in the buffer, not in a separate array */
};

/*
 * Checks a texture against the rules of cuTexObjectCreate() and cuSurfObjectCreate()
 * for all devices (CUDA Driver API, "Texture Object Management"; CUDA C++ Programming
 * Guide, "Texture Fetching"), and against the end of its buffer. False: `reason` names
 * the first violated rule.
 */
bool at_texture_check(const struct at_texture *self, uint64_t buffer_bytes,
	char *reason, size_t size);

/* Bytes of a texel; 1, 2, 4, 8 or 16. */
static inline uint64_t at_texture_texel_bytes(const struct at_texture *self)
{
	return at_element_bytes(self->element) * (uint64_t)self->channels;
}

#endif
