/*
 * NVIDIA's <cuda_fp8.h> for the device "host", after its documentation (CUDA Math API,
 * "FP8 Intrinsics"): E4M3 (no infinity, at most 448) and E5M2 (at most 57344), storage
 * and conversions. The scale type __nv_fp8_e8m0 is not there.
 */
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__
#define __CUDA_FP8_TYPES_EXIST__
#include "cuda_bf16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

/* What is too large: the largest where `saturate` says so, else infinity or NaN. */
inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(
	double x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)
{
	unsigned code = kind == __NV_E4M3 ? at_host_narrow<4, 3, 0x7e>(x)
					  : at_host_narrow<5, 2, 0x7b>(x);
	unsigned largest = kind == __NV_E4M3 ? 0x7e : 0x7b;

	if (saturate == __NV_SATFINITE && x == x && (code & 0x7f) > largest)
		code = (code & 0x80) | largest;
	return (__nv_fp8_storage_t)code;
}

AT_HOST_INLINE __nv_fp8_storage_t __nv_cvt_float_to_fp8(
	float x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)
{ return __nv_cvt_double_to_fp8(x, saturate, kind); }
AT_HOST_INLINE __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(
	__half_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)
{ return __nv_cvt_double_to_fp8(at_host_half_to(x.x), saturate, kind); }
AT_HOST_INLINE __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(
	__nv_bfloat16_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)
{ return __nv_cvt_double_to_fp8(at_host_bfloat16_to(x.x), saturate, kind); }

#define AT_PAIR(name, single, type) \
	AT_HOST_INLINE __nv_fp8x2_storage_t name( \
		type a, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) \
	{ \
		return (__nv_fp8x2_storage_t)(single(AT_FIRST(a.x), saturate, kind) | \
			single(AT_FIRST(a.y), saturate, kind) << 8); \
	}
#define AT_FIRST(x) x
AT_PAIR(__nv_cvt_double2_to_fp8x2, __nv_cvt_double_to_fp8, double2)
AT_PAIR(__nv_cvt_float2_to_fp8x2, __nv_cvt_float_to_fp8, float2)
#undef AT_FIRST
#define AT_FIRST(x) (__half_raw{ x })
AT_PAIR(__nv_cvt_halfraw2_to_fp8x2, __nv_cvt_halfraw_to_fp8, __half2_raw)
#undef AT_FIRST
#define AT_FIRST(x) (__nv_bfloat16_raw{ x })
AT_PAIR(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_cvt_bfloat16raw_to_fp8, __nv_bfloat162_raw)
#undef AT_FIRST
#undef AT_PAIR

/* Exact: half has all numbers of both. */
inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind)
{
	unsigned size = x & 0x7fu, minus = (x & 0x80u) << 8;

	if (kind == __NV_E5M2)
		return __half_raw{ (unsigned short)((size > 0x7c ? 0x7f : size) << 8 | minus |
			(size > 0x7c ? 0xff : 0)) };
	if (size == 0x7f)
		return __half_raw{ 0x7fff };
	/* one exponent bit less: seen as a half of smaller numbers, then scaled up */
	return __half_raw{ (unsigned short)(minus |
		at_host_half_from(at_host_half_to((unsigned short)(size << 7)) * 256.0f)) };
}
AT_HOST_INLINE __half2_raw __nv_cvt_fp8x2_to_halfraw2(
	__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t kind)
{
	return __half2_raw{ __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, kind).x,
		__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), kind).x };
}

/* The types: conversions to them saturate, as NVIDIA's do. */
#define AT_FP8(name, kind) \
	struct __nv_fp8_##name { \
		__nv_fp8_storage_t __x; \
		__nv_fp8_##name() = default; \
		AT_FP8_FROM(name, float, __nv_cvt_double_to_fp8(value, __NV_SATFINITE, kind)) \
		AT_FP8_FROM(name, double, __nv_cvt_double_to_fp8(value, __NV_SATFINITE, kind)) \
		AT_FP8_FROM(name, __half, __nv_cvt_halfraw_to_fp8(value, __NV_SATFINITE, kind)) \
		AT_FP8_FROM(name, __nv_bfloat16, \
			__nv_cvt_bfloat16raw_to_fp8(value, __NV_SATFINITE, kind)) \
		AT_FP8_FROM_INTEGER(name, short, kind) \
		AT_FP8_FROM_INTEGER(name, unsigned short, kind) \
		AT_FP8_FROM_INTEGER(name, int, kind) \
		AT_FP8_FROM_INTEGER(name, unsigned, kind) \
		AT_FP8_FROM_INTEGER(name, long, kind) \
		AT_FP8_FROM_INTEGER(name, unsigned long, kind) \
		AT_FP8_FROM_INTEGER(name, long long, kind) \
		AT_FP8_FROM_INTEGER(name, unsigned long long, kind) \
		float at_value() const { return at_host_half_to(__nv_cvt_fp8_to_halfraw(__x, kind).x); } \
		explicit operator __half() const { return __half(__nv_cvt_fp8_to_halfraw(__x, kind)); } \
		explicit operator __nv_bfloat16() const { return __nv_bfloat16(at_value()); } \
		explicit operator float() const { return at_value(); } \
		explicit operator double() const { return at_value(); } \
		explicit operator bool() const { return (__x & 0x7f) != 0; } \
		AT_FP8_TO_INTEGER(char) \
		AT_FP8_TO_INTEGER(signed char) \
		AT_FP8_TO_INTEGER(unsigned char) \
		AT_FP8_TO_INTEGER(short) \
		AT_FP8_TO_INTEGER(unsigned short) \
		AT_FP8_TO_INTEGER(int) \
		AT_FP8_TO_INTEGER(unsigned) \
		AT_FP8_TO_INTEGER(long) \
		AT_FP8_TO_INTEGER(unsigned long) \
		AT_FP8_TO_INTEGER(long long) \
		AT_FP8_TO_INTEGER(unsigned long long) \
	}; \
	struct __attribute__((aligned(2))) __nv_fp8x2_##name { \
		__nv_fp8x2_storage_t __x; \
		__nv_fp8x2_##name() = default; \
		explicit __nv_fp8x2_##name(float2 value) \
			: __x(__nv_cvt_float2_to_fp8x2(value, __NV_SATFINITE, kind)) {} \
		explicit __nv_fp8x2_##name(double2 value) \
			: __x(__nv_cvt_double2_to_fp8x2(value, __NV_SATFINITE, kind)) {} \
		explicit __nv_fp8x2_##name(__half2 value) \
			: __x(__nv_cvt_halfraw2_to_fp8x2(value, __NV_SATFINITE, kind)) {} \
		explicit __nv_fp8x2_##name(__nv_bfloat162 value) \
			: __x(__nv_cvt_bfloat16raw2_to_fp8x2(value, __NV_SATFINITE, kind)) {} \
		explicit operator __half2() const { return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, kind)); } \
		explicit operator float2() const { return __half22float2((__half2)*this); } \
	}; \
	struct __attribute__((aligned(4))) __nv_fp8x4_##name { \
		__nv_fp8x4_storage_t __x; \
		__nv_fp8x4_##name() = default; \
		explicit __nv_fp8x4_##name(float4 value) \
			: __nv_fp8x4_##name(double4{ value.x, value.y, value.z, value.w }) {} \
		explicit __nv_fp8x4_##name(double4 value) \
			: __x((__nv_fp8x4_storage_t)(__nv_cvt_double2_to_fp8x2( \
				double2{ value.x, value.y }, __NV_SATFINITE, kind) | \
				(unsigned)__nv_cvt_double2_to_fp8x2( \
					double2{ value.z, value.w }, __NV_SATFINITE, kind) << 16)) {} \
		__nv_fp8x4_##name(__half2 low, __half2 high) \
			: __x(__nv_fp8x2_##name(low).__x | (unsigned)__nv_fp8x2_##name(high).__x << 16) {} \
		explicit operator float4() const \
		{ \
			__nv_fp8x2_##name low, high; \
			low.__x = (__nv_fp8x2_storage_t)__x; \
			high.__x = (__nv_fp8x2_storage_t)(__x >> 16); \
			float2 first = (float2)low, second = (float2)high; \
			return float4{ first.x, first.y, second.x, second.y }; \
		} \
	};
#define AT_FP8_FROM(name, type, expression) \
	explicit __nv_fp8_##name(type value) : __x(expression) {}
#define AT_FP8_FROM_INTEGER(name, type, kind) \
	AT_FP8_FROM(name, type, \
		__nv_cvt_double_to_fp8(at_host_odd_integer(value), __NV_SATFINITE, kind))
#define AT_FP8_TO_INTEGER(type) \
	explicit operator type() const { return at_host_integer<type>(at_value()); }
AT_FP8(e4m3, __NV_E4M3)
AT_FP8(e5m2, __NV_E5M2)
#undef AT_FP8
#undef AT_FP8_FROM
#undef AT_FP8_FROM_INTEGER
#undef AT_FP8_TO_INTEGER

#endif
