/*
 * struct_update on NVIDIA H200 (sm_90): the fastest correct configuration that was
 * found. Written by autotune; changes made by hand are lost.
 *
 * Problem both_fields: N = 67108864, USED = 2
 *   configuration  LAYOUT=aos WIDTH=8 BLOCK=128 UNROLL=2
 *   time           252.61 us (95 % interval 252.06 to 253.41)
 *   speed-up       1.082 over the baseline
 *   chosen from    144 evaluations, 144 of them ok
 *   measured       2026-11-21T22:00:58Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    20f7a010f4f2d0df16f658a4cd061876
 *
 * Problem one_field: N = 67108864, USED = 1
 *   configuration  LAYOUT=soa WIDTH=8 BLOCK=128 UNROLL=4
 *   time           127.1 us (95 % interval 126.88 to 127.62)
 *   speed-up       2.174 over the baseline
 *   chosen from    144 evaluations, 144 of them ok
 *   measured       2026-11-21T22:01:00Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    28403c0603f9dc8133560afc5dbc6782
 *
 * With STRUCT_UPDATE_BARE defined before it is included, it also defines the names
 * that the template reads, so that the template compiles as it stands.
 * The short names, STRUCT_UPDATE_..., are those of the first problem; for another's
 * define STRUCT_UPDATE_PROBLEM_ONE_FIELD, or likewise, before it is included.
 */
#ifndef AUTOTUNE_NVIDIA_H200_STRUCT_UPDATE_H
#define AUTOTUNE_NVIDIA_H200_STRUCT_UPDATE_H

#ifndef AUTOTUNE_CEIL_DIV
#define AUTOTUNE_CEIL_DIV(a, b) \
	((a) / (b) + ((a) % (b) != 0 && ((a) < 0) == ((b) < 0)))
#endif

/* problem both_fields */
#define STRUCT_UPDATE_BOTH_FIELDS_LAYOUT_aos 1
#define STRUCT_UPDATE_BOTH_FIELDS_LAYOUT_aos_aligned 2
#define STRUCT_UPDATE_BOTH_FIELDS_LAYOUT_soa 3
#define STRUCT_UPDATE_BOTH_FIELDS_LAYOUT_aosoa 4
#define STRUCT_UPDATE_BOTH_FIELDS_LAYOUT STRUCT_UPDATE_BOTH_FIELDS_LAYOUT_aos
#define STRUCT_UPDATE_BOTH_FIELDS_WIDTH 8
#define STRUCT_UPDATE_BOTH_FIELDS_BLOCK 128
#define STRUCT_UPDATE_BOTH_FIELDS_UNROLL 2
#define STRUCT_UPDATE_BOTH_FIELDS_LAYOUT_NAME "aos"
#define STRUCT_UPDATE_BOTH_FIELDS_OPTIONS ""
#define STRUCT_UPDATE_BOTH_FIELDS_BLOCK_DIM_X 128
#define STRUCT_UPDATE_BOTH_FIELDS_BLOCK_DIM_Y 1
#define STRUCT_UPDATE_BOTH_FIELDS_BLOCK_DIM_Z 1
#define STRUCT_UPDATE_BOTH_FIELDS_SHARED_BYTES 0
#define STRUCT_UPDATE_BOTH_FIELDS_GRID_X(N, USED) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), (STRUCT_UPDATE_BOTH_FIELDS_BLOCK * STRUCT_UPDATE_BOTH_FIELDS_UNROLL))))
#define STRUCT_UPDATE_BOTH_FIELDS_GRID_Y(N, USED) ((unsigned int)(1))
#define STRUCT_UPDATE_BOTH_FIELDS_GRID_Z(N, USED) ((unsigned int)(1))

/* problem one_field */
#define STRUCT_UPDATE_ONE_FIELD_LAYOUT_aos 1
#define STRUCT_UPDATE_ONE_FIELD_LAYOUT_aos_aligned 2
#define STRUCT_UPDATE_ONE_FIELD_LAYOUT_soa 3
#define STRUCT_UPDATE_ONE_FIELD_LAYOUT_aosoa 4
#define STRUCT_UPDATE_ONE_FIELD_LAYOUT STRUCT_UPDATE_ONE_FIELD_LAYOUT_soa
#define STRUCT_UPDATE_ONE_FIELD_WIDTH 8
#define STRUCT_UPDATE_ONE_FIELD_BLOCK 128
#define STRUCT_UPDATE_ONE_FIELD_UNROLL 4
#define STRUCT_UPDATE_ONE_FIELD_LAYOUT_NAME "soa"
#define STRUCT_UPDATE_ONE_FIELD_OPTIONS ""
#define STRUCT_UPDATE_ONE_FIELD_BLOCK_DIM_X 128
#define STRUCT_UPDATE_ONE_FIELD_BLOCK_DIM_Y 1
#define STRUCT_UPDATE_ONE_FIELD_BLOCK_DIM_Z 1
#define STRUCT_UPDATE_ONE_FIELD_SHARED_BYTES 0
#define STRUCT_UPDATE_ONE_FIELD_GRID_X(N, USED) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), (STRUCT_UPDATE_ONE_FIELD_BLOCK * STRUCT_UPDATE_ONE_FIELD_UNROLL))))
#define STRUCT_UPDATE_ONE_FIELD_GRID_Y(N, USED) ((unsigned int)(1))
#define STRUCT_UPDATE_ONE_FIELD_GRID_Z(N, USED) ((unsigned int)(1))

#if !defined(STRUCT_UPDATE_PROBLEM_ONE_FIELD)
#define STRUCT_UPDATE_LAYOUT_aos 1
#define STRUCT_UPDATE_LAYOUT_aos_aligned 2
#define STRUCT_UPDATE_LAYOUT_soa 3
#define STRUCT_UPDATE_LAYOUT_aosoa 4
#define STRUCT_UPDATE_LAYOUT STRUCT_UPDATE_LAYOUT_aos
#define STRUCT_UPDATE_WIDTH 8
#define STRUCT_UPDATE_BLOCK 128
#define STRUCT_UPDATE_UNROLL 2
#define STRUCT_UPDATE_LAYOUT_NAME "aos"
#define STRUCT_UPDATE_OPTIONS ""
#define STRUCT_UPDATE_BLOCK_DIM_X 128
#define STRUCT_UPDATE_BLOCK_DIM_Y 1
#define STRUCT_UPDATE_BLOCK_DIM_Z 1
#define STRUCT_UPDATE_SHARED_BYTES 0
#define STRUCT_UPDATE_GRID_X(N, USED) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), (STRUCT_UPDATE_BLOCK * STRUCT_UPDATE_UNROLL))))
#define STRUCT_UPDATE_GRID_Y(N, USED) ((unsigned int)(1))
#define STRUCT_UPDATE_GRID_Z(N, USED) ((unsigned int)(1))
#elif defined(STRUCT_UPDATE_PROBLEM_ONE_FIELD)
#define STRUCT_UPDATE_LAYOUT_aos 1
#define STRUCT_UPDATE_LAYOUT_aos_aligned 2
#define STRUCT_UPDATE_LAYOUT_soa 3
#define STRUCT_UPDATE_LAYOUT_aosoa 4
#define STRUCT_UPDATE_LAYOUT STRUCT_UPDATE_LAYOUT_soa
#define STRUCT_UPDATE_WIDTH 8
#define STRUCT_UPDATE_BLOCK 128
#define STRUCT_UPDATE_UNROLL 4
#define STRUCT_UPDATE_LAYOUT_NAME "soa"
#define STRUCT_UPDATE_OPTIONS ""
#define STRUCT_UPDATE_BLOCK_DIM_X 128
#define STRUCT_UPDATE_BLOCK_DIM_Y 1
#define STRUCT_UPDATE_BLOCK_DIM_Z 1
#define STRUCT_UPDATE_SHARED_BYTES 0
#define STRUCT_UPDATE_GRID_X(N, USED) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), (STRUCT_UPDATE_BLOCK * STRUCT_UPDATE_UNROLL))))
#define STRUCT_UPDATE_GRID_Y(N, USED) ((unsigned int)(1))
#define STRUCT_UPDATE_GRID_Z(N, USED) ((unsigned int)(1))
#endif

#endif

#ifdef STRUCT_UPDATE_BARE
#undef LAYOUT_aos
#define LAYOUT_aos STRUCT_UPDATE_LAYOUT_aos
#undef LAYOUT_aos_aligned
#define LAYOUT_aos_aligned STRUCT_UPDATE_LAYOUT_aos_aligned
#undef LAYOUT_soa
#define LAYOUT_soa STRUCT_UPDATE_LAYOUT_soa
#undef LAYOUT_aosoa
#define LAYOUT_aosoa STRUCT_UPDATE_LAYOUT_aosoa
#undef LAYOUT
#define LAYOUT STRUCT_UPDATE_LAYOUT
#undef WIDTH
#define WIDTH STRUCT_UPDATE_WIDTH
#undef BLOCK
#define BLOCK STRUCT_UPDATE_BLOCK
#undef UNROLL
#define UNROLL STRUCT_UPDATE_UNROLL
#endif
