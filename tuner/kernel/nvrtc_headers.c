/* The texts of the headers for NVRTC; see nvrtc_headers.h. */
#include "kernel/nvrtc_headers.h"

#include "base/memory.h"

#include <string.h>

/* A libcu++ header whose names are made visible in std, which NVRTC itself lacks. */
#define OF_LIBCUXX(name) \
	"#ifndef AUTOTUNE_STD_" #name "\n" \
	"#define AUTOTUNE_STD_" #name "\n" \
	"#if !__has_include(<cuda/std/" #name ">)\n" \
	"#error \"<" #name \
	"> is libcu++'s here, which this toolkit does not have: --include-path=FOLDER in options of the space says where it is\"\n" \
	"#endif\n" \
	"#include <cuda/std/" #name ">\n" \
	"namespace std { using namespace ::cuda::std; }\n" \
	"#endif\n"

#define GUARDED(name, text) \
	"#ifndef AUTOTUNE_" #name "\n#define AUTOTUNE_" #name "\n" text "#endif\n"

/* Names that C++ has both inside and outside std. */
#define STD(names) "namespace std {\n" names "}\n"
#define USING(name) "using ::" #name ";\n"

/* libcu++ defines the same types; without it, these are a 64-bit system's types. */
static const char stdint_text[] = GUARDED(STDINT,
	"#if __has_include(<cuda/std/cstdint>)\n"
	"#include <cuda/std/cstdint>\n"
	"using ::cuda::std::int8_t; using ::cuda::std::int16_t;\n"
	"using ::cuda::std::int32_t; using ::cuda::std::int64_t;\n"
	"using ::cuda::std::uint8_t; using ::cuda::std::uint16_t;\n"
	"using ::cuda::std::uint32_t; using ::cuda::std::uint64_t;\n"
	"using ::cuda::std::intptr_t; using ::cuda::std::uintptr_t;\n"
	"using ::cuda::std::intmax_t; using ::cuda::std::uintmax_t;\n"
	"#else\n"
	"typedef signed char int8_t; typedef short int16_t; typedef int int32_t;\n"
	"typedef long long int64_t; typedef unsigned char uint8_t;\n"
	"typedef unsigned short uint16_t; typedef unsigned int uint32_t;\n"
	"typedef unsigned long long uint64_t; typedef long long intptr_t;\n"
	"typedef unsigned long long uintptr_t; typedef long long intmax_t;\n"
	"typedef unsigned long long uintmax_t;\n"
	"#endif\n"
	"#ifndef INT32_MAX\n"
	"#define INT8_MIN (-128)\n#define INT8_MAX 127\n#define UINT8_MAX 255\n"
	"#define INT16_MIN (-32768)\n#define INT16_MAX 32767\n#define UINT16_MAX 65535\n"
	"#define INT32_MIN (-2147483647 - 1)\n#define INT32_MAX 2147483647\n"
	"#define UINT32_MAX 4294967295u\n"
	"#define INT64_MIN (-9223372036854775807ll - 1)\n"
	"#define INT64_MAX 9223372036854775807ll\n"
	"#define UINT64_MAX 18446744073709551615ull\n"
	"#endif\n" STD(USING(int8_t) USING(int16_t) USING(int32_t) USING(int64_t) USING(
		uint8_t) USING(uint16_t) USING(uint32_t) USING(uint64_t) USING(intptr_t)
			USING(uintptr_t) USING(intmax_t) USING(uintmax_t)));

static const char limits_text[] = GUARDED(LIMITS,
	"#ifndef CHAR_BIT\n#define CHAR_BIT 8\n#endif\n"
	"#ifndef INT_MAX\n"
	"#define SCHAR_MIN (-128)\n#define SCHAR_MAX 127\n#define UCHAR_MAX 255\n"
	"#define CHAR_MIN SCHAR_MIN\n#define CHAR_MAX SCHAR_MAX\n"
	"#define SHRT_MIN (-32768)\n#define SHRT_MAX 32767\n#define USHRT_MAX 65535\n"
	"#define INT_MIN (-2147483647 - 1)\n#define INT_MAX 2147483647\n"
	"#define UINT_MAX 4294967295u\n"
	"#define LLONG_MIN (-9223372036854775807ll - 1)\n"
	"#define LLONG_MAX 9223372036854775807ll\n"
	"#define ULLONG_MAX 18446744073709551615ull\n"
	"#ifdef _WIN64\n"
	"#define LONG_MIN (-2147483647l - 1)\n#define LONG_MAX 2147483647l\n"
	"#define ULONG_MAX 4294967295ul\n"
	"#else\n"
	"#define LONG_MIN (-9223372036854775807l - 1)\n"
	"#define LONG_MAX 9223372036854775807l\n"
	"#define ULONG_MAX 18446744073709551615ul\n"
	"#endif\n#endif\n");

static const char float_text[] = GUARDED(FLOAT,
	"#ifndef FLT_MAX\n"
	"#define FLT_RADIX 2\n#define FLT_MANT_DIG 24\n#define FLT_DIG 6\n"
	"#define FLT_MIN 1.17549435e-38f\n#define FLT_MAX 3.40282347e+38f\n"
	"#define FLT_EPSILON 1.19209290e-7f\n"
	"#define FLT_MIN_EXP (-125)\n#define FLT_MAX_EXP 128\n"
	"#endif\n"
	"#ifndef DBL_MAX\n"
	"#define DBL_MANT_DIG 53\n#define DBL_DIG 15\n"
	"#define DBL_MIN 2.2250738585072014e-308\n"
	"#define DBL_MAX 1.7976931348623157e+308\n"
	"#define DBL_EPSILON 2.2204460492503131e-16\n"
	"#define DBL_MIN_EXP (-1021)\n#define DBL_MAX_EXP 1024\n"
	"#endif\n");

static const char stddef_text[] = GUARDED(STDDEF,
	"typedef decltype(sizeof(0)) size_t;\n"
	"typedef decltype((char *)0 - (char *)0) ptrdiff_t;\n"
	"#ifndef NULL\n#define NULL 0\n#endif\n"
	"#ifndef offsetof\n#define offsetof(type, member) ((size_t)&((type *)0)->member)\n#endif\n" STD(
		USING(size_t)
			USING(ptrdiff_t) "typedef decltype(nullptr) nullptr_t;\n"));

/* 47 is a macro redefinition: libcu++'s <cmath> defines some of these differently */
static const char math_text[] = GUARDED(MATH,
	"#pragma nv_diag_suppress 47\n"
	"#ifndef INFINITY\n#define INFINITY __int_as_float(0x7f800000)\n#endif\n"
	"#ifndef NAN\n#define NAN __int_as_float(0x7fffffff)\n#endif\n"
	"#ifndef HUGE_VAL\n#define HUGE_VAL __longlong_as_double(0x7ff0000000000000ll)\n#endif\n"
	"#ifndef M_PI\n"
	"#define M_E 2.7182818284590452354\n#define M_LOG2E 1.4426950408889634074\n"
	"#define M_LOG10E 0.43429448190325182765\n#define M_LN2 0.69314718055994530942\n"
	"#define M_LN10 2.30258509299404568402\n#define M_PI 3.14159265358979323846\n"
	"#define M_PI_2 1.57079632679489661923\n#define M_PI_4 0.78539816339744830962\n"
	"#define M_1_PI 0.31830988618379067154\n#define M_2_PI 0.63661977236758134308\n"
	"#define M_SQRT2 1.41421356237309504880\n"
	"#define M_SQRT1_2 0.70710678118654752440\n"
	"#endif\n" STD(
		USING(abs) USING(fabs) USING(sqrt) USING(cbrt) USING(exp) USING(exp2) USING(
			expm1) USING(log) USING(log2) USING(log10) USING(log1p) USING(pow)
			USING(sin) USING(cos) USING(tan) USING(asin) USING(acos) USING(
				atan) USING(atan2) USING(sinh) USING(cosh) USING(tanh)
				USING(asinh) USING(acosh) USING(atanh) USING(erf) USING(
					erfc) USING(tgamma) USING(lgamma) USING(floor)
					USING(ceil) USING(trunc) USING(round) USING(rint) USING(
						nearbyint) USING(fmod) USING(remainder)
						USING(fma) USING(fmin) USING(fmax) USING(
							hypot) USING(ldexp) USING(frexp)
							USING(modf) USING(copysign) USING(
								fdim) USING(isnan)
								USING(isinf) USING(
									isfinite)
									USING(signbit)));

static const char assert_text[] =
	"#undef assert\n"
	"#ifdef NDEBUG\n#define assert(condition) ((void)0)\n"
	"#else\n#define assert(condition) ((condition) ? (void)0 : __trap())\n#endif\n";

static const char string_text[] = GUARDED(STRING, STD(USING(memcpy) USING(memset)));

/* The parts that kernels use; not every libcu++ has <cuda/std/algorithm>. */
static const char algorithm_text[] = GUARDED(ALGORITHM,
	"namespace std {\n"
	"template <class T> __host__ __device__ constexpr const T &min(const T &a, const T &b)\n"
	"{ return b < a ? b : a; }\n"
	"template <class T> __host__ __device__ constexpr const T &max(const T &a, const T &b)\n"
	"{ return a < b ? b : a; }\n"
	"template <class T> __host__ __device__ constexpr const T &clamp(const T &value,\n"
	"	const T &low, const T &high)\n"
	"{ return value < low ? low : high < value ? high : value; }\n"
	"template <class T> __host__ __device__ constexpr void swap(T &a, T &b)\n"
	"{ T kept = a; a = b; b = kept; }\n"
	"}\n");

/* printf(), malloc() and free() exist without a header */
static const char stdio_text[] = GUARDED(STDIO, STD(USING(printf)));
static const char stdlib_text[] = GUARDED(STDLIB, STD(USING(malloc) USING(free)));

/* CUB's own header includes code that launches kernels, which NVRTC rejects. This
   includes everything that a kernel can call and the toolkit has. */
#define IF_THERE(name) \
	"#if __has_include(<cub/" name ".cuh>)\n#include <cub/" name ".cuh>\n#endif\n"
static const char cub_text[] = GUARDED(CUB,
	"#if !__has_include(<cub/block/block_reduce.cuh>)\n"
	"#error \"<cub/cub.cuh> is not in this toolkit: --include-path=FOLDER in options of the space says where it is\"\n"
	"#endif\n" IF_THERE("version") IF_THERE("thread/thread_operators") IF_THERE(
		"thread/thread_load") IF_THERE("thread/thread_store") IF_THERE("thread/thread_reduce")
		IF_THERE("thread/thread_scan") IF_THERE("warp/warp_exchange") IF_THERE(
			"warp/warp_load") IF_THERE("warp/warp_merge_sort") IF_THERE("warp/warp_reduce")
			IF_THERE("warp/warp_scan") IF_THERE("warp/warp_store") IF_THERE(
				"block/block_adjacent_difference") IF_THERE("block/block_discontinuity")
				IF_THERE("block/block_exchange") IF_THERE(
					"block/block_histogram") IF_THERE("block/block_load")
					IF_THERE("block/block_merge_sort") IF_THERE(
						"block/block_radix_rank") IF_THERE("block/block_radix_sort")
						IF_THERE("block/block_reduce") IF_THERE(
							"block/block_run_length_decode")
							IF_THERE("block/block_scan") IF_THERE(
								"block/block_shuffle")
								IF_THERE(
									"block/block_store"));

/* The driver's API is for the CPU; kernels use only this one of its types. */
static const char driver_text[] = GUARDED(DRIVER,
	"#ifndef __cuda_cuda_h__\n#define __cuda_cuda_h__\n"
	"typedef struct alignas(64) CUtensorMap_st { unsigned long long opaque[16]; } CUtensorMap;\n"
	"#endif\n");

#define HEADERS(X) \
	X("cub/cub.cuh", cub_text) \
	X("cuda.h", driver_text) \
	X("stdint.h", stdint_text) \
	X("cstdint", stdint_text) \
	X("inttypes.h", stdint_text) \
	X("limits.h", limits_text) \
	X("climits", limits_text) \
	X("float.h", float_text) \
	X("cfloat", float_text) \
	X("stddef.h", stddef_text) \
	X("cstddef", stddef_text) \
	X("stdbool.h", "") \
	X("math.h", math_text) \
	X("cmath", math_text) \
	X("assert.h", assert_text) \
	X("cassert", assert_text) \
	X("string.h", string_text) \
	X("cstring", string_text) \
	X("stdio.h", stdio_text) \
	X("cstdio", stdio_text) \
	X("stdlib.h", stdlib_text) \
	X("cstdlib", stdlib_text) \
	X("type_traits", OF_LIBCUXX(type_traits)) \
	X("limits", OF_LIBCUXX(limits)) \
	X("utility", OF_LIBCUXX(utility)) \
	X("array", OF_LIBCUXX(array)) \
	X("tuple", OF_LIBCUXX(tuple)) \
	X("functional", OF_LIBCUXX(functional)) \
	X("algorithm", algorithm_text) \
	X("numeric", OF_LIBCUXX(numeric)) \
	X("bit", OF_LIBCUXX(bit)) \
	X("complex", OF_LIBCUXX(complex))

#define NAME(name, text) name,
#define TEXT(name, text) text,

static const char *const names[] = { HEADERS(NAME) };
static const char *const texts[] = { HEADERS(TEXT) };

struct at_nvrtc_headers at_nvrtc_headers(void)
{
	return (struct at_nvrtc_headers){ AT_COUNT_OF(names), texts, names };
}

struct at_hash at_nvrtc_headers_digest(void)
{
	struct at_hash parts[2 * AT_COUNT_OF(names)];

	for (size_t i = 0; i < AT_COUNT_OF(names); i++) {
		parts[2 * i] = at_hash_bytes(names[i], strlen(names[i]));
		parts[2 * i + 1] = at_hash_bytes(texts[i], strlen(texts[i]));
	}
	return at_hash_bytes(parts, sizeof(parts));
}
