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
	double x, __nv_saturation_t at_saturate, __nv_fp8_interpretation_t at_kind)
{
	unsigned at_code = at_kind == __NV_E4M3 ? at_host_narrow<4, 3, 0x7e>(x)
					  : at_host_narrow<5, 2, 0x7b>(x);
	unsigned at_largest = at_kind == __NV_E4M3 ? 0x7e : 0x7b;

	if (at_saturate == __NV_SATFINITE && x == x && (at_code & 0x7f) > at_largest)
		at_code = (at_code & 0x80) | at_largest;
	return (__nv_fp8_storage_t)at_code;
}

AT_HOST_INLINE __nv_fp8_storage_t __nv_cvt_float_to_fp8(
	float x, __nv_saturation_t at_saturate, __nv_fp8_interpretation_t at_kind)
{ return __nv_cvt_double_to_fp8(x, at_saturate, at_kind); }
AT_HOST_INLINE __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(
	__half_raw x, __nv_saturation_t at_saturate, __nv_fp8_interpretation_t at_kind)
{ return __nv_cvt_double_to_fp8(at_host_half_to(x.x), at_saturate, at_kind); }
AT_HOST_INLINE __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(
	__nv_bfloat16_raw x, __nv_saturation_t at_saturate, __nv_fp8_interpretation_t at_kind)
{ return __nv_cvt_double_to_fp8(at_host_bfloat16_to(x.x), at_saturate, at_kind); }

#define AT_PAIR(at_name, at_single, at_type) \
	AT_HOST_INLINE __nv_fp8x2_storage_t at_name( \
		at_type a, __nv_saturation_t at_saturate, __nv_fp8_interpretation_t at_kind) \
	{ \
		return (__nv_fp8x2_storage_t)(at_single(AT_FIRST(a.x), at_saturate, at_kind) | \
			at_single(AT_FIRST(a.y), at_saturate, at_kind) << 8); \
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
inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t at_kind)
{
	unsigned at_size = x & 0x7fu, at_minus = (x & 0x80u) << 8;

	if (at_kind == __NV_E5M2)
		return __half_raw{ (unsigned short)((at_size > 0x7c ? 0x7f : at_size) << 8 | at_minus |
			(at_size > 0x7c ? 0xff : 0)) };
	if (at_size == 0x7f)
		return __half_raw{ 0x7fff };
	/* one exponent bit less: seen as a half of smaller numbers, then scaled up */
	return __half_raw{ (unsigned short)(at_minus |
		at_host_half_from(at_host_half_to((unsigned short)(at_size << 7)) * 256.0f)) };
}
AT_HOST_INLINE __half2_raw __nv_cvt_fp8x2_to_halfraw2(
	__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t at_kind)
{
	return __half2_raw{ __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, at_kind).x,
		__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), at_kind).x };
}

/* The types: conversions to them saturate, as NVIDIA's do. */
#define AT_FP8(at_name, at_kind) \
	struct __nv_fp8_##at_name { \
		__nv_fp8_storage_t __x; \
		__nv_fp8_##at_name() = default; \
		AT_FP8_FROM(at_name, float, __nv_cvt_double_to_fp8(at_value, __NV_SATFINITE, at_kind)) \
		AT_FP8_FROM(at_name, double, __nv_cvt_double_to_fp8(at_value, __NV_SATFINITE, at_kind)) \
		AT_FP8_FROM(at_name, __half, __nv_cvt_halfraw_to_fp8(at_value, __NV_SATFINITE, at_kind)) \
		AT_FP8_FROM(at_name, __nv_bfloat16, \
			__nv_cvt_bfloat16raw_to_fp8(at_value, __NV_SATFINITE, at_kind)) \
		AT_WIDE_INTEGERS(AT_FP8_FROM_INTEGER, at_name, at_kind) \
		float at_value() const { return at_host_half_to(__nv_cvt_fp8_to_halfraw(__x, at_kind).x); } \
		explicit operator __half() const { return __half(__nv_cvt_fp8_to_halfraw(__x, at_kind)); } \
		explicit operator __nv_bfloat16() const { return __nv_bfloat16(at_value()); } \
		explicit operator float() const { return at_value(); } \
		explicit operator double() const { return at_value(); } \
		explicit operator bool() const { return (__x & 0x7f) != 0; } \
		AT_BYTES(AT_FP8_TO_INTEGER) \
		AT_WIDE_INTEGERS(AT_FP8_TO_INTEGER) \
	}; \
	struct __attribute__((aligned(2))) __nv_fp8x2_##at_name { \
		__nv_fp8x2_storage_t __x; \
		__nv_fp8x2_##at_name() = default; \
		explicit __nv_fp8x2_##at_name(float2 at_value) \
			: __x(__nv_cvt_float2_to_fp8x2(at_value, __NV_SATFINITE, at_kind)) {} \
		explicit __nv_fp8x2_##at_name(double2 at_value) \
			: __x(__nv_cvt_double2_to_fp8x2(at_value, __NV_SATFINITE, at_kind)) {} \
		explicit __nv_fp8x2_##at_name(__half2 at_value) \
			: __x(__nv_cvt_halfraw2_to_fp8x2(at_value, __NV_SATFINITE, at_kind)) {} \
		explicit __nv_fp8x2_##at_name(__nv_bfloat162 at_value) \
			: __x(__nv_cvt_bfloat16raw2_to_fp8x2(at_value, __NV_SATFINITE, at_kind)) {} \
		explicit operator __half2() const { return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, at_kind)); } \
		explicit operator float2() const { return __half22float2((__half2)*this); } \
	}; \
	struct __attribute__((aligned(4))) __nv_fp8x4_##at_name { \
		__nv_fp8x4_storage_t __x; \
		__nv_fp8x4_##at_name() = default; \
		explicit __nv_fp8x4_##at_name(float4 at_value) \
			: __nv_fp8x4_##at_name(double4{ at_value.x, at_value.y, at_value.z, at_value.w }) {} \
		explicit __nv_fp8x4_##at_name(double4 at_value) \
			: __x((__nv_fp8x4_storage_t)(__nv_cvt_double2_to_fp8x2( \
				double2{ at_value.x, at_value.y }, __NV_SATFINITE, at_kind) | \
				(unsigned)__nv_cvt_double2_to_fp8x2( \
					double2{ at_value.z, at_value.w }, __NV_SATFINITE, at_kind) << 16)) {} \
		__nv_fp8x4_##at_name(__half2 at_low, __half2 at_high) \
			: __x(__nv_fp8x2_##at_name(at_low).__x | (unsigned)__nv_fp8x2_##at_name(at_high).__x << 16) {} \
		explicit operator float4() const \
		{ \
			__nv_fp8x2_##at_name at_low, at_high; \
			at_low.__x = (__nv_fp8x2_storage_t)__x; \
			at_high.__x = (__nv_fp8x2_storage_t)(__x >> 16); \
			float2 at_first = (float2)at_low, at_second = (float2)at_high; \
			return float4{ at_first.x, at_first.y, at_second.x, at_second.y }; \
		} \
	};
#define AT_FP8_FROM(at_name, at_type, at_expression) \
	explicit __nv_fp8_##at_name(at_type at_value) : __x(at_expression) {}
#define AT_FP8_FROM_INTEGER(at_type, at_name, at_kind) \
	AT_FP8_FROM(at_name, at_type, \
		__nv_cvt_double_to_fp8(at_host_odd_integer(at_value), __NV_SATFINITE, at_kind))
#define AT_FP8_TO_INTEGER(at_type) \
	explicit operator at_type() const { return at_host_integer<at_type>(at_value()); }
AT_FP8(e4m3, __NV_E4M3)
AT_FP8(e5m2, __NV_E5M2)
#undef AT_FP8
#undef AT_FP8_FROM
#undef AT_FP8_FROM_INTEGER
#undef AT_FP8_TO_INTEGER

#endif
