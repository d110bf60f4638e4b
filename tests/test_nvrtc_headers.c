/*
 * Headers of the standard library for NVRTC, which has none: what kernels use of them
 * exists, in any order of includes, beside the toolkit's own headers and a template's.
 */
#include "kernel/nvrtc_headers.h"

#include "wish.h"

#define KERNEL "extern \"C\" __global__ void one(float *x) { "

/* Without a word of the compiler's: a warning would be in every log. */
static void compiles_kernel(const char *source, const char *kernel)
{
	RELEASED(at_compile_result_release)
	struct at_compile_result result = COMPILE(.source = source,
		.directory = AT_TEST_DIR "/kernels", .kernels = { kernel });

	if (result.outcome != AT_OUTCOME_OK || strstr(result.log, "warning"))
		fail_msg("%s", result.log);
}

static void compiles(const char *source)
{
	compiles_kernel(source, "one");
}

TEST(headers_of_c_have_types_limits_and_functions)
{
	need_toolchain("nvrtc");
	compiles(
		"#include <stdint.h>\n#include <inttypes.h>\n#include <limits.h>\n"
		"#include <float.h>\n#include <stddef.h>\n#include <stdbool.h>\n"
		"#include <math.h>\n#include <assert.h>\n#include <string.h>\n"
		"#include <stdio.h>\n#include <stdlib.h>\n"
		"struct pair { char a; double b; };\n"
		"static_assert(sizeof(int64_t) == 8 && sizeof(uint16_t) == 2, \"\");\n"
		"static_assert(INT64_MAX == LLONG_MAX && UINT32_MAX == UINT_MAX, \"\");\n"
		"static_assert(INT_MIN < 0 && CHAR_BIT == 8, \"\");\n"
		"static_assert(LONG_MAX > INT_MAX && ULONG_MAX == UINT64_MAX, \"\");\n"
		"static_assert(FLT_MAX > 3e38f && DBL_EPSILON > 0, \"\");\n" KERNEL
		"size_t n = 1; ptrdiff_t d = 2; bool ok = n < 3; assert(ok);\n"
		"x[0] = sqrtf(x[1]) + (float)M_PI + INFINITY + (float)n + (float)d;\n"
		"x[2] = NAN; x[5] = (float)offsetof(pair, b); memcpy(x + 4, x, 8); printf(\"%g\", x[3]); }");
}

TEST(headers_of_cxx_have_the_same_as_std)
{
	need_toolchain("nvrtc");
	compiles("#include <cstdint>\n#include <climits>\n#include <cfloat>\n"
		 "#include <cstddef>\n#include <cmath>\n#include <cassert>\n"
		 "#include <cstring>\n#include <cstdio>\n#include <cstdlib>\n"
		 "#include <algorithm>\n"
		 "static_assert(sizeof(std::uint32_t) == 4, \"\");\n"
		 "static_assert(sizeof(std::size_t) == 8, \"\");\n"
		 "static_assert(std::min(2, 3) == 2 && std::max(2, 3) == 3, \"\");\n"
		 "static_assert(std::clamp(5, 0, 3) == 3, \"\");\n" KERNEL
		 "float a = std::sqrt(x[0]), b = std::fabs(std::exp(x[1]));\n"
		 "std::swap(a, b); std::memcpy(x + 2, &a, 4);\n"
		 "x[3] = std::isnan(b) ? std::pow(a, 2.0f) : std::fmax(a, b); }");
}

TEST(what_libcuxx_has_is_there_as_std)
{
	need_toolchain("nvrtc");
	compiles("#include <type_traits>\n#include <limits>\n#include <utility>\n"
		 "#include <array>\n#include <tuple>\n"
		 "static_assert(std::is_same<std::remove_const<const int>::type, int>"
		 "::value, \"\");\n"
		 "static_assert(std::numeric_limits<float>::max() > 1e38f, \"\");\n"
		 "template <class T> __device__ typename std::enable_if<\n"
		 "std::is_floating_point<T>::value, T>::type half_of(T v)\n"
		 "{ return v / 2; }\n" KERNEL
		 "std::array<float, 2> a{ { x[0], x[1] } };\n"
		 "auto pair = std::make_pair(a[0], a[1]);\n"
		 "x[2] = half_of(std::forward<float>(pair.first)); }");
}

/* cuda_fp8.h and CUB bring types of the same names */
LONG_TEST(they_go_with_the_toolkits_headers_in_any_order)
{
	static const char *const sources[] = {
		"#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include <cuda_fp8.h>\n"
		"#include <stdint.h>\n#include <cmath>\n#include <climits>\n" KERNEL
		"x[0] = __half2float(__float2half(x[1])); }",
		"#include <climits>\n#include <cmath>\n#include <cstdint>\n"
		"#include <mma.h>\n#include <cooperative_groups.h>\n"
		"#include <cuda_fp8.h>\n" KERNEL
		"namespace cg = cooperative_groups; cg::this_thread_block().sync();\n"
		"x[0] = float(__nv_fp8_e4m3(x[1])); }",
		"#include <cstdint>\n#include <cub/block/block_reduce.cuh>\n"
		"#include <type_traits>\n#include <limits.h>\n" KERNEL
		"typedef cub::BlockReduce<float, 128> Sum;\n"
		"__shared__ typename Sum::TempStorage kept; int32_t i = 0;\n"
		"x[i] = Sum(kept).Sum(x[threadIdx.x]); }",
	};

	need_toolchain("nvrtc");
	for (size_t i = 0; i < AT_COUNT_OF(sources); i++)
		compiles(sources[i]);
}

/* What runs on host as it stands: tests/test_host_headers.c, _intrinsics.c,
 * _collectives.c. */
LONG_TEST(kernels_with_all_of_them_are_for_a_gpu_as_well)
{
	static const struct {
		const char *path, *kernel;
	} files[] = {
		{ AT_TEST_DIR "/kernels/headers.cu", "collectives" },
		{ AT_TEST_DIR "/kernels/intrinsics.cu", "parts" },
		{ AT_TEST_DIR "/kernels/collectives.cu", "sorted" },
	};

	need_toolchain("nvrtc");
	for (size_t i = 0; i < AT_COUNT_OF(files); i++) {
		OWNED(free) char *source = file_text(files[i].path);
		compiles_kernel(source, files[i].kernel);
	}
}

TEST(what_is_the_cpus_alone_does_no_harm)
{
	need_toolchain("nvrtc");
	compiles("#include <cuda.h>\n#include <cuda_runtime.h>\n"
		 "#include <device_launch_parameters.h>\n#include <math_constants.h>\n"
		 "#include <cooperative_groups.h>\n"
		 "static_assert(sizeof(CUtensorMap) == 128, \"\");\n" KERNEL
		 "cooperative_groups::this_grid().sync(); x[0] = CUDART_INF_F; }");
}

TEST(each_can_be_included_alone_and_twice)
{
	struct at_nvrtc_headers headers = at_nvrtc_headers();
	RELEASED(at_strbuf_release) struct at_strbuf source = { 0 };

	need_toolchain("nvrtc");
	assert_in_range(headers.count, 25, 100);
	for (int i = 0; i < headers.count; i++) {
		/* each alone would take a minute: what libcu++ has costs a second */
		if (strstr(headers.texts[i], "cuda/std/") ||
			strstr(headers.texts[i], "cub/"))
			continue;
		at_strbuf_clear(&source);
		at_strbuf_addf(&source, "#include <%s>\n#include <%s>\n" KERNEL "}",
			headers.names[i], headers.names[i]);
		compiles(at_strbuf_text(&source));
	}
}

RUN_SUITE(NULL, NULL)
