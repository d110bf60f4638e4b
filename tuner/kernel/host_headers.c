/* The headers for device `host`: names, texts, and writing them into a folder. */
#include "kernel/host_headers.h"
#include "base/file.h"
#include "base/memory.h"
#include "kernel/job.h"

#include <stdlib.h>
#include <string.h>

/* The headers of folder host/, from files that the build generates. */
#define FILES(X) \
	X("autotune_narrow.h", autotune_narrow_h) \
	X("autotune_small_float.h", autotune_small_float_h) \
	X("cuComplex.h", cuComplex_h) \
	X("cuda_bf16.h", cuda_bf16_h) \
	X("cuda_fp16.h", cuda_fp16_h) \
	X("cuda_fp8.h", cuda_fp8_h) \
	X("cooperative_groups.h", cooperative_groups_h) \
	X("mma.h", mma_h) \
	X("autotune_cub.h", autotune_cub_h) \
	X("autotune_cub_order.h", autotune_cub_order_h) \
	X("cuda/atomic", cuda_atomic) \
	X("cuda/barrier", cuda_barrier) \
	X("cuda/pipeline", cuda_pipeline) \
	X("cuda_pipeline.h", cuda_pipeline_h) \
	X("curand_kernel.h", curand_kernel_h)

/* Headers of CUDA whose contents are already in the dialect. */
#define EMPTY(X) \
	X("cuda_runtime.h") \
	X("cuda_runtime_api.h") \
	X("device_launch_parameters.h") \
	X("device_functions.h") \
	X("vector_types.h") \
	X("vector_functions.h") \
	X("surface_functions.h") \
	X("surface_indirect_functions.h") \
	X("surface_types.h") \
	X("texture_fetch_functions.h") \
	X("texture_indirect_functions.h") \
	X("texture_types.h")

#define GROUPS(X) \
	X("cooperative_groups/reduce.h") \
	X("cooperative_groups/scan.h") \
	X("cooperative_groups/memcpy_async.h")

#define CUB(X) \
	X("cub/block/block_reduce.cuh") \
	X("cub/block/block_scan.cuh") \
	X("cub/warp/warp_reduce.cuh") \
	X("cub/warp/warp_scan.cuh") \
	X("cub/thread/thread_operators.cuh") \
	X("cub/util_type.cuh") \
	X("cuda/functional")

#define CUB_ORDER(X) \
	X("cub/cub.cuh") \
	X("cub/block/block_discontinuity.cuh") \
	X("cub/block/block_exchange.cuh") \
	X("cub/block/block_histogram.cuh") \
	X("cub/block/block_load.cuh") \
	X("cub/block/block_merge_sort.cuh") \
	X("cub/block/block_radix_sort.cuh") \
	X("cub/block/block_shuffle.cuh") \
	X("cub/block/block_store.cuh")

/* The headers of libcu++ that C++17 also has. */
#define STANDARD(X) \
	X(algorithm) \
	X(array) \
	X(atomic) \
	X(bitset) \
	X(cassert) \
	X(cfloat) \
	X(chrono) \
	X(climits) \
	X(cmath) \
	X(complex) \
	X(cstddef) \
	X(cstdint) \
	X(cstdlib) \
	X(cstring) \
	X(ctime) \
	X(functional) \
	X(initializer_list) \
	X(iterator) \
	X(limits) \
	X(memory) \
	X(numeric) \
	X(optional) \
	X(ratio) \
	X(string_view) \
	X(tuple) \
	X(type_traits) \
	X(utility) \
	X(variant)

/* Headers that a toolkit on this machine may have but no CPU can use. The tuner's
   versions include a file that never exists: the compilation ends with one message. */
#define FOR_GPUS "for-gpus-only/"
#define ON_GPUS_ONLY(X) \
	X("cub/block/block_adjacent_difference.cuh") \
	X("cub/block/block_radix_rank.cuh") \
	X("cub/block/block_run_length_decode.cuh") \
	X("cub/device/device_histogram.cuh") \
	X("cub/device/device_radix_sort.cuh") \
	X("cub/device/device_reduce.cuh") \
	X("cub/device/device_scan.cuh") \
	X("cub/device/device_select.cuh") \
	X("cub/warp/warp_exchange.cuh") \
	X("cub/warp/warp_load.cuh") \
	X("cub/warp/warp_merge_sort.cuh") \
	X("cub/warp/warp_store.cuh") \
	X("cuda/annotated_ptr") \
	X("cuda/ptx") \
	X("cuda/std/barrier") \
	X("cuda/std/bit") \
	X("cuda/std/concepts") \
	X("cuda/std/expected") \
	X("cuda/std/mdspan") \
	X("cuda/std/span") \
	X("cuda_awbarrier.h") \
	X("cuda_fp4.h") \
	X("cuda_fp6.h") \
	X("nvToolsExt.h") \
	X("nvtx3/nvToolsExt.h") \
	X("nvtx3/nvtx3.hpp") \
	X("thrust/complex.h") \
	X("thrust/device_vector.h") \
	X("thrust/functional.h") \
	X("thrust/pair.h") \
	X("thrust/tuple.h")

#define DECLARE(name, symbol) \
	extern const unsigned char at_embedded_host_##symbol[]; \
	extern const size_t at_embedded_host_##symbol##_size;
FILES(DECLARE)

static const char constants[] =
	"#ifndef CUDART_INF_F\n"
	"#define CUDART_INF_F __int_as_float(0x7f800000)\n"
	"#define CUDART_NAN_F __int_as_float(0x7fffffff)\n"
	"#define CUDART_MIN_DENORM_F __int_as_float(0x00000001)\n"
	"#define CUDART_MAX_NORMAL_F __int_as_float(0x7f7fffff)\n"
	"#define CUDART_NEG_ZERO_F __int_as_float(0x80000000)\n"
	"#define CUDART_ZERO_F 0.0f\n"
	"#define CUDART_ONE_F 1.0f\n"
	"#define CUDART_SQRT_HALF_F 0.707106781f\n"
	"#define CUDART_SQRT_TWO_F 1.414213562f\n"
	"#define CUDART_LOG2_F 0.301029996f\n"
	"#define CUDART_LN2_F 0.693147181f\n"
	"#define CUDART_L2E_F 1.442695041f\n"
	"#define CUDART_PI_F 3.141592654f\n"
	"#define CUDART_PIO2_F 1.570796327f\n"
	"#define CUDART_PIO4_F 0.785398163f\n"
	"#define CUDART_INF __longlong_as_double(0x7ff0000000000000ll)\n"
	"#define CUDART_NAN __longlong_as_double(0x7fffffffffffffffll)\n"
	"#define CUDART_ZERO 0.0\n"
	"#define CUDART_ONE 1.0\n"
	"#define CUDART_SQRT_TWO 1.4142135623730951\n"
	"#define CUDART_LN2 6.9314718055994529e-1\n"
	"#define CUDART_L2E 1.4426950408889634\n"
	"#define CUDART_PI 3.1415926535897931\n"
	"#define CUDART_PIO2 1.5707963267948966\n"
	"#define CUDART_PIO4 7.8539816339744828e-1\n"
	"#endif\n";

const char at_host_headers_known[] =
	"cuda_fp16.h, cuda_bf16.h, cuda_fp8.h, cuComplex.h, cooperative_groups.h, mma.h, curand_kernel.h, cuda/barrier, cuda/pipeline, most block and warp collectives of CUB, and <cuda/std/...> where C++17 has it";

struct header {
	const char *name;
	const char *text;
	/* NULL: the text ends with a zero */
	const size_t *size;
};

#define FILE_ROW(name, symbol) \
	{ name, (const char *)at_embedded_host_##symbol, \
		&at_embedded_host_##symbol##_size },
#define EMPTY_ROW(name) { name, "", NULL },
#define GROUPS_ROW(name) { name, "#include <cooperative_groups.h>\n", NULL },
#define CUB_ROW(name) { name, "#include <autotune_cub.h>\n", NULL },
#define CUB_ORDER_ROW(name) { name, "#include <autotune_cub_order.h>\n", NULL },
#define STANDARD_ROW(name) \
	{ "cuda/std/" #name, \
		"#include <" #name ">\n" \
		"namespace cuda { namespace std { using namespace ::std; } }\n", \
		NULL },
#define ON_GPUS_ONLY_ROW(name) { name, "#include <" FOR_GPUS name ">\n", NULL },

/* The driver's API is for programs; kernels use only these of its types. */
static const char driver_text[] =
	"#pragma once\n"
	"typedef struct alignas(64) CUtensorMap_st { unsigned long long opaque[16]; } CUtensorMap;\n"
	"typedef unsigned long long CUtexObject, CUsurfObject;\n";

/* libstdc++ has an attribute with the name of a CUDA macro. */
static const char memory_text[] = "#pragma push_macro(\"__noinline__\")\n"
				  "#undef __noinline__\n"
				  "#include_next <memory>\n"
				  "#pragma pop_macro(\"__noinline__\")\n";

static const struct header headers[] = {
	FILES(FILE_ROW) EMPTY(EMPTY_ROW) GROUPS(GROUPS_ROW) CUB(CUB_ROW)
		CUB_ORDER(CUB_ORDER_ROW)
			STANDARD(STANDARD_ROW){ "math_constants.h", constants, NULL },
	{ "memory", memory_text, NULL }, { "cuda.h", driver_text, NULL }
};

static const struct header lacking[] = { ON_GPUS_ONLY(ON_GPUS_ONLY_ROW) };

enum {
	HEADER_COUNT = AT_COUNT_OF(headers),
	ALL_COUNT = HEADER_COUNT + AT_COUNT_OF(lacking),
};

_Static_assert((int)ALL_COUNT <= (int)AT_HOST_HEADERS_MAX, "needs have room for all");

static const struct header *header_at(size_t index)
{
	return index < HEADER_COUNT ? &headers[index] : &lacking[index - HEADER_COUNT];
}

static size_t size_of(const struct header *header)
{
	return header->size ? *header->size : strlen(header->text);
}

const char *at_host_headers_name(size_t index)
{
	return index < HEADER_COUNT ? headers[index].name : NULL;
}

/* Whether the text names the header: in a directive, or in -include=cuda_fp16.h. */
static bool is_named(const char *text, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = text; (at = strstr(at, name)) != NULL; at += length)
		if ((at == text || strchr("<\"=", at[-1])) &&
			(!at[length] || strchr(">\"", at[length])))
			return true;
	return false;
}

void at_host_headers_need_named(struct at_host_needs *self, const char *text)
{
	/* recursion as deep as the headers include each other: three steps */
	for (size_t i = 0; i < ALL_COUNT; i++)
		if (!self->needed[i] && is_named(text, header_at(i)->name)) {
			self->needed[i] = true;
			at_host_headers_need_named(self, header_at(i)->text);
		}
}

void at_host_headers_need_all(struct at_host_needs *self)
{
	for (size_t i = 0; i < ALL_COUNT; i++)
		self->needed[i] = true;
}

enum at_status at_host_headers_write(
	const char *folder, const struct at_host_needs *needs, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (size_t i = 0; i < ALL_COUNT && !status; i++) {
		const struct header *header = header_at(i);
		char *path, *parent;

		if (!needs->needed[i])
			continue;
		path = at_path_join(folder, header->name);
		parent = at_path_directory(path);
		status = at_directory_make(parent, err);
		if (!status)
			status = at_job_write(path, header->text, size_of(header), err);
		free(parent);
		free(path);
	}
	return status;
}

void at_host_headers_digest(struct at_hasher *hasher)
{
	for (size_t i = 0; i < ALL_COUNT; i++) {
		const struct header *header = header_at(i);

		at_hasher_add_text(hasher, header->name);
		at_hasher_add(hasher, header->text, size_of(header));
	}
}

bool at_host_headers_lacks(const char **name, size_t *length)
{
	static const char *const prefixes[] = { "cub/", "cuda/", "thrust/", "nv/",
		"nvtx3/", "cooperative_groups/", "cutlass/", "cute/", "cuda", "curand",
		"cublas", "cufft", "cusparse", "cudnn" };
	size_t mark = strlen(FOR_GPUS);

	if (*length > mark && !strncmp(*name, FOR_GPUS, mark)) {
		*name += mark;
		*length -= mark;
		return true;
	}
	for (size_t i = 0; i < AT_COUNT_OF(prefixes); i++)
		if (strlen(prefixes[i]) <= *length &&
			!strncmp(prefixes[i], *name, strlen(prefixes[i])))
			return true;
	return false;
}
