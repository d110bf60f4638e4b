/*
 * NVIDIA's <cuda_bf16.h> for the device "host", after its documentation (CUDA Math API,
 * "Bfloat16 Precision Intrinsics"): arithmetic in float, rounded once.
 */
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__
#define __CUDA_BF16_TYPES_EXIST__
#include "cuda_fp16.h"

#define AT_T __nv_bfloat16
#define AT_T2 __nv_bfloat162
#define AT_WORD bfloat16
#define AT_OTHER __half
#include "autotune_small_float.h"
#undef AT_T
#undef AT_T2
#undef AT_WORD
#undef AT_OTHER

AT_HOST_ELEMENT(__nv_bfloat16, BF16)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80u)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fffu)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001u)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7fu)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000u)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000u)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80u)

#endif
