/*
 * matrix_add on NVIDIA H200 (sm_90): the fastest correct configuration that was
 * found. Written by autotune; changes made by hand are lost.
 *
 * Problem square_8192: ROWS = 8192, COLUMNS = 8192
 *   configuration  BLOCK_X=256 BLOCK_Y=1 PER_THREAD=1 VECTOR=4 STAGE=true
 *   time           182.24 us (95 % interval 181.38 to 182.66)
 *   speed-up       1.422 over the baseline
 *   chosen from    421 evaluations, 421 of them ok
 *   measured       2026-11-21T22:00:19Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    67e17189efbcae6bc0214b2ba56b4b85
 *
 * With MATRIX_ADD_BARE defined before it is included, it also defines the names
 * that the template reads, so that the template compiles as it stands.
 */
#ifndef AUTOTUNE_NVIDIA_H200_MATRIX_ADD_H
#define AUTOTUNE_NVIDIA_H200_MATRIX_ADD_H

#ifndef AUTOTUNE_CEIL_DIV
#define AUTOTUNE_CEIL_DIV(a, b) \
	((a) / (b) + ((a) % (b) != 0 && ((a) < 0) == ((b) < 0)))
#endif

#define MATRIX_ADD_BLOCK_X 256
#define MATRIX_ADD_BLOCK_Y 1
#define MATRIX_ADD_PER_THREAD 1
#define MATRIX_ADD_VECTOR 4
#define MATRIX_ADD_STAGE 1
#define MATRIX_ADD_OPTIONS ""
#define MATRIX_ADD_BLOCK_DIM_X 256
#define MATRIX_ADD_BLOCK_DIM_Y 1
#define MATRIX_ADD_BLOCK_DIM_Z 1
#define MATRIX_ADD_SHARED_BYTES 0
#define MATRIX_ADD_GRID_X(ROWS, COLUMNS) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(COLUMNS), (MATRIX_ADD_BLOCK_X * MATRIX_ADD_VECTOR))))
#define MATRIX_ADD_GRID_Y(ROWS, COLUMNS) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(ROWS), (MATRIX_ADD_BLOCK_Y * MATRIX_ADD_PER_THREAD))))
#define MATRIX_ADD_GRID_Z(ROWS, COLUMNS) ((unsigned int)(1))

#endif

#ifdef MATRIX_ADD_BARE
#undef BLOCK_X
#define BLOCK_X MATRIX_ADD_BLOCK_X
#undef BLOCK_Y
#define BLOCK_Y MATRIX_ADD_BLOCK_Y
#undef PER_THREAD
#define PER_THREAD MATRIX_ADD_PER_THREAD
#undef VECTOR
#define VECTOR MATRIX_ADD_VECTOR
#undef STAGE
#define STAGE MATRIX_ADD_STAGE
#endif
