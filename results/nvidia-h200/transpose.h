/*
 * transpose on NVIDIA H200 (sm_90): the fastest correct configuration that was
 * found. Written by autotune; changes made by hand are lost.
 *
 * Problem square_8192: M = 8192, N = 8192
 *   configuration  METHOD=swizzled TILE=64 ROWS=16 ELEMENTS=1 VECTOR=4 ORDER=columns
 *   time           128.9 us (95 % interval 128.67 to 129.18)
 *   speed-up       3.937 over the baseline
 *   chosen from    871 evaluations, 871 of them ok
 *   measured       2026-11-21T22:01:09Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    5530cc448f2d10a7a680ce3f35772d7c
 *
 * Problem ragged_8191: M = 8191, N = 8197
 *   configuration  METHOD=padded TILE=128 ROWS=4 ELEMENTS=1 VECTOR=1 ORDER=columns
 *   time           143.49 us (95 % interval 142.27 to 144.19)
 *   speed-up       4.224 over the baseline
 *   chosen from    1260 evaluations, 1260 of them ok
 *   measured       2026-11-21T22:01:16Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    e9a8f861c1c47d6a194dc3ccb9117173
 *
 * With TRANSPOSE_BARE defined before it is included, it also defines the names
 * that the template reads, so that the template compiles as it stands.
 * The short names, TRANSPOSE_..., are those of the first problem; for another's
 * define TRANSPOSE_PROBLEM_RAGGED_8191, or likewise, before it is included.
 */
#ifndef AUTOTUNE_NVIDIA_H200_TRANSPOSE_H
#define AUTOTUNE_NVIDIA_H200_TRANSPOSE_H

#ifndef AUTOTUNE_CEIL_DIV
#define AUTOTUNE_CEIL_DIV(a, b) \
	((a) / (b) + ((a) % (b) != 0 && ((a) < 0) == ((b) < 0)))
#endif

/* problem square_8192 */
#define TRANSPOSE_SQUARE_8192_METHOD_read 1
#define TRANSPOSE_SQUARE_8192_METHOD_write 2
#define TRANSPOSE_SQUARE_8192_METHOD_tile 3
#define TRANSPOSE_SQUARE_8192_METHOD_padded 4
#define TRANSPOSE_SQUARE_8192_METHOD_swizzled 5
#define TRANSPOSE_SQUARE_8192_METHOD TRANSPOSE_SQUARE_8192_METHOD_swizzled
#define TRANSPOSE_SQUARE_8192_TILE 64
#define TRANSPOSE_SQUARE_8192_ROWS 16
#define TRANSPOSE_SQUARE_8192_ELEMENTS 1
#define TRANSPOSE_SQUARE_8192_VECTOR 4
#define TRANSPOSE_SQUARE_8192_ORDER_rows 1
#define TRANSPOSE_SQUARE_8192_ORDER_columns 2
#define TRANSPOSE_SQUARE_8192_ORDER_diagonal 3
#define TRANSPOSE_SQUARE_8192_ORDER TRANSPOSE_SQUARE_8192_ORDER_columns
#define TRANSPOSE_SQUARE_8192_METHOD_NAME "swizzled"
#define TRANSPOSE_SQUARE_8192_ORDER_NAME "columns"
#define TRANSPOSE_SQUARE_8192_OPTIONS ""
#define TRANSPOSE_SQUARE_8192_BLOCK_DIM_X 16
#define TRANSPOSE_SQUARE_8192_BLOCK_DIM_Y 16
#define TRANSPOSE_SQUARE_8192_BLOCK_DIM_Z 1
#define TRANSPOSE_SQUARE_8192_SHARED_BYTES 16384
#define TRANSPOSE_SQUARE_8192_GRID_X(M, N) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), TRANSPOSE_SQUARE_8192_TILE)))
#define TRANSPOSE_SQUARE_8192_GRID_Y(M, N) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(M), TRANSPOSE_SQUARE_8192_TILE)))
#define TRANSPOSE_SQUARE_8192_GRID_Z(M, N) ((unsigned int)(1))

/* problem ragged_8191 */
#define TRANSPOSE_RAGGED_8191_METHOD_read 1
#define TRANSPOSE_RAGGED_8191_METHOD_write 2
#define TRANSPOSE_RAGGED_8191_METHOD_tile 3
#define TRANSPOSE_RAGGED_8191_METHOD_padded 4
#define TRANSPOSE_RAGGED_8191_METHOD_swizzled 5
#define TRANSPOSE_RAGGED_8191_METHOD TRANSPOSE_RAGGED_8191_METHOD_padded
#define TRANSPOSE_RAGGED_8191_TILE 128
#define TRANSPOSE_RAGGED_8191_ROWS 4
#define TRANSPOSE_RAGGED_8191_ELEMENTS 1
#define TRANSPOSE_RAGGED_8191_VECTOR 1
#define TRANSPOSE_RAGGED_8191_ORDER_rows 1
#define TRANSPOSE_RAGGED_8191_ORDER_columns 2
#define TRANSPOSE_RAGGED_8191_ORDER_diagonal 3
#define TRANSPOSE_RAGGED_8191_ORDER TRANSPOSE_RAGGED_8191_ORDER_columns
#define TRANSPOSE_RAGGED_8191_METHOD_NAME "padded"
#define TRANSPOSE_RAGGED_8191_ORDER_NAME "columns"
#define TRANSPOSE_RAGGED_8191_OPTIONS ""
#define TRANSPOSE_RAGGED_8191_BLOCK_DIM_X 128
#define TRANSPOSE_RAGGED_8191_BLOCK_DIM_Y 4
#define TRANSPOSE_RAGGED_8191_BLOCK_DIM_Z 1
#define TRANSPOSE_RAGGED_8191_SHARED_BYTES 66048
#define TRANSPOSE_RAGGED_8191_GRID_X(M, N) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), TRANSPOSE_RAGGED_8191_TILE)))
#define TRANSPOSE_RAGGED_8191_GRID_Y(M, N) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(M), TRANSPOSE_RAGGED_8191_TILE)))
#define TRANSPOSE_RAGGED_8191_GRID_Z(M, N) ((unsigned int)(1))

#if !defined(TRANSPOSE_PROBLEM_RAGGED_8191)
#define TRANSPOSE_METHOD_read 1
#define TRANSPOSE_METHOD_write 2
#define TRANSPOSE_METHOD_tile 3
#define TRANSPOSE_METHOD_padded 4
#define TRANSPOSE_METHOD_swizzled 5
#define TRANSPOSE_METHOD TRANSPOSE_METHOD_swizzled
#define TRANSPOSE_TILE 64
#define TRANSPOSE_ROWS 16
#define TRANSPOSE_ELEMENTS 1
#define TRANSPOSE_VECTOR 4
#define TRANSPOSE_ORDER_rows 1
#define TRANSPOSE_ORDER_columns 2
#define TRANSPOSE_ORDER_diagonal 3
#define TRANSPOSE_ORDER TRANSPOSE_ORDER_columns
#define TRANSPOSE_METHOD_NAME "swizzled"
#define TRANSPOSE_ORDER_NAME "columns"
#define TRANSPOSE_OPTIONS ""
#define TRANSPOSE_BLOCK_DIM_X 16
#define TRANSPOSE_BLOCK_DIM_Y 16
#define TRANSPOSE_BLOCK_DIM_Z 1
#define TRANSPOSE_SHARED_BYTES 16384
#define TRANSPOSE_GRID_X(M, N) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), TRANSPOSE_TILE)))
#define TRANSPOSE_GRID_Y(M, N) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(M), TRANSPOSE_TILE)))
#define TRANSPOSE_GRID_Z(M, N) ((unsigned int)(1))
#elif defined(TRANSPOSE_PROBLEM_RAGGED_8191)
#define TRANSPOSE_METHOD_read 1
#define TRANSPOSE_METHOD_write 2
#define TRANSPOSE_METHOD_tile 3
#define TRANSPOSE_METHOD_padded 4
#define TRANSPOSE_METHOD_swizzled 5
#define TRANSPOSE_METHOD TRANSPOSE_METHOD_padded
#define TRANSPOSE_TILE 128
#define TRANSPOSE_ROWS 4
#define TRANSPOSE_ELEMENTS 1
#define TRANSPOSE_VECTOR 1
#define TRANSPOSE_ORDER_rows 1
#define TRANSPOSE_ORDER_columns 2
#define TRANSPOSE_ORDER_diagonal 3
#define TRANSPOSE_ORDER TRANSPOSE_ORDER_columns
#define TRANSPOSE_METHOD_NAME "padded"
#define TRANSPOSE_ORDER_NAME "columns"
#define TRANSPOSE_OPTIONS ""
#define TRANSPOSE_BLOCK_DIM_X 128
#define TRANSPOSE_BLOCK_DIM_Y 4
#define TRANSPOSE_BLOCK_DIM_Z 1
#define TRANSPOSE_SHARED_BYTES 66048
#define TRANSPOSE_GRID_X(M, N) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(N), TRANSPOSE_TILE)))
#define TRANSPOSE_GRID_Y(M, N) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(M), TRANSPOSE_TILE)))
#define TRANSPOSE_GRID_Z(M, N) ((unsigned int)(1))
#endif

#endif

#ifdef TRANSPOSE_BARE
#undef METHOD_read
#define METHOD_read TRANSPOSE_METHOD_read
#undef METHOD_write
#define METHOD_write TRANSPOSE_METHOD_write
#undef METHOD_tile
#define METHOD_tile TRANSPOSE_METHOD_tile
#undef METHOD_padded
#define METHOD_padded TRANSPOSE_METHOD_padded
#undef METHOD_swizzled
#define METHOD_swizzled TRANSPOSE_METHOD_swizzled
#undef METHOD
#define METHOD TRANSPOSE_METHOD
#undef TILE
#define TILE TRANSPOSE_TILE
#undef ROWS
#define ROWS TRANSPOSE_ROWS
#undef ELEMENTS
#define ELEMENTS TRANSPOSE_ELEMENTS
#undef VECTOR
#define VECTOR TRANSPOSE_VECTOR
#undef ORDER_rows
#define ORDER_rows TRANSPOSE_ORDER_rows
#undef ORDER_columns
#define ORDER_columns TRANSPOSE_ORDER_columns
#undef ORDER_diagonal
#define ORDER_diagonal TRANSPOSE_ORDER_diagonal
#undef ORDER
#define ORDER TRANSPOSE_ORDER
#endif
