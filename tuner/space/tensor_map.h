/*
 * A tensor map: how the copy engine of a GPU (TMA) finds the tiles of a buffer. A space
 * gives its numbers as expressions (spec.h); a plan evaluates and checks them; a device
 * encodes them for each address of the buffer. Must not know: devices, addresses.
 * Threads: pure functions.
 */
#ifndef AT_SPACE_TENSOR_MAP_H
#define AT_SPACE_TENSOR_MAP_H

#include "space/element.h"
#include "space/expression.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AT_TENSOR_MAP_RANK_MAX 5
/* size of a CUtensorMap, which is aligned to 64 */
#define AT_TENSOR_MAP_BYTES 128

struct at_tensor_list {
	size_t count;
	struct at_expression *items[AT_TENSOR_MAP_RANK_MAX];
};

/* The expressions of a map. The contiguous dimension is first. */
struct at_tensor_map_spec {
	struct at_tensor_list dims;
	struct at_tensor_list box; /* as many as dims */
	struct at_tensor_list strides; /* one fewer; none: the buffer is dense */
	struct at_tensor_list steps; /* "element_strides"; none: all are 1 */
	/* NULL: 0 */
	struct at_expression *swizzle;
	struct at_expression *interleave;
	struct at_expression *promotion;
	bool fills_nan;
};

/* The numbers of a map in one configuration. */
struct at_tensor_map {
	uint32_t of; /* 1 + the index of the buffer; 0: no map */
	uint32_t rank; /* 1 to 5 */
	enum at_element element; /* of the buffer; a vector counts as its components */
	int64_t dims[AT_TENSOR_MAP_RANK_MAX]; /* elements */
	int64_t box[AT_TENSOR_MAP_RANK_MAX]; /* elements */
	int64_t strides[AT_TENSOR_MAP_RANK_MAX]; /* bytes, of dimension 1 and above */
	int64_t steps[AT_TENSOR_MAP_RANK_MAX]; /* element strides */
	int64_t swizzle_bytes; /* 0, 32, 64, 128 */
	int64_t interleave_bytes; /* 0, 16, 32 */
	int64_t promotion_bytes; /* 0, 64, 128, 256 */
	bool fills_nan; /* outside of the dimensions; the default is zeros */
};

/*
 * Checks a map against the rules of cuTensorMapEncodeTiled() (CUDA Driver API, "Tensor
 * Map Object Management"), and against the end of its buffer. False: `reason` names the
 * first violated rule, with its numbers.
 */
bool at_tensor_map_check(const struct at_tensor_map *self, uint64_t buffer_bytes,
	char *reason, size_t size);
/* The CUtensorMapDataType of an element; 8-bit types are bytes. */
unsigned at_tensor_map_type(enum at_element element);

#endif
