/*
 * spmv on NVIDIA H200 (sm_90): the fastest correct configuration that was
 * found. Written by autotune; changes made by hand are lost.
 *
 * Problem four_a_row: ROWS = 8388608, COLUMNS = 8388608, PER_ROW = 4
 *   configuration  BLOCK=256 THREADS_PER_ROW=1 ROWS_PER_BLOCK=256 UNROLL=4 USE_LDG=false
 *   time           331.52 us (95 % interval 331.04 to 331.81)
 *   speed-up       1.192 over the baseline
 *   chosen from    510 evaluations, 510 of them ok
 *   measured       2026-11-21T22:00:33Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    a1cd520fe4b4a0cfef12d1f693bc515c
 *
 * Problem sixty_four_a_row: ROWS = 1048576, COLUMNS = 1048576, PER_ROW = 64
 *   configuration  BLOCK=256 THREADS_PER_ROW=32 ROWS_PER_BLOCK=32 UNROLL=1 USE_LDG=true
 *   time           476.8 us (95 % interval 476.7 to 476.93)
 *   speed-up       5.778 over the baseline
 *   chosen from    510 evaluations, 510 of them ok
 *   measured       2026-11-21T22:00:35Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    5b4df8be652159871a529690ba0e473d
 *
 * With SPMV_BARE defined before it is included, it also defines the names
 * that the template reads, so that the template compiles as it stands.
 * The short names, SPMV_..., are those of the first problem; for another's
 * define SPMV_PROBLEM_SIXTY_FOUR_A_ROW, or likewise, before it is included.
 */
#ifndef AUTOTUNE_NVIDIA_H200_SPMV_H
#define AUTOTUNE_NVIDIA_H200_SPMV_H

#ifndef AUTOTUNE_CEIL_DIV
#define AUTOTUNE_CEIL_DIV(a, b) \
	((a) / (b) + ((a) % (b) != 0 && ((a) < 0) == ((b) < 0)))
#endif

/* problem four_a_row */
#define SPMV_FOUR_A_ROW_BLOCK 256
#define SPMV_FOUR_A_ROW_THREADS_PER_ROW 1
#define SPMV_FOUR_A_ROW_ROWS_PER_BLOCK 256
#define SPMV_FOUR_A_ROW_UNROLL 4
#define SPMV_FOUR_A_ROW_USE_LDG 0
#define SPMV_FOUR_A_ROW_OPTIONS ""
#define SPMV_FOUR_A_ROW_BLOCK_DIM_X 256
#define SPMV_FOUR_A_ROW_BLOCK_DIM_Y 1
#define SPMV_FOUR_A_ROW_BLOCK_DIM_Z 1
#define SPMV_FOUR_A_ROW_SHARED_BYTES 0
#define SPMV_FOUR_A_ROW_GRID_X(ROWS, COLUMNS, PER_ROW) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(ROWS), SPMV_FOUR_A_ROW_ROWS_PER_BLOCK)))
#define SPMV_FOUR_A_ROW_GRID_Y(ROWS, COLUMNS, PER_ROW) ((unsigned int)(1))
#define SPMV_FOUR_A_ROW_GRID_Z(ROWS, COLUMNS, PER_ROW) ((unsigned int)(1))

/* problem sixty_four_a_row */
#define SPMV_SIXTY_FOUR_A_ROW_BLOCK 256
#define SPMV_SIXTY_FOUR_A_ROW_THREADS_PER_ROW 32
#define SPMV_SIXTY_FOUR_A_ROW_ROWS_PER_BLOCK 32
#define SPMV_SIXTY_FOUR_A_ROW_UNROLL 1
#define SPMV_SIXTY_FOUR_A_ROW_USE_LDG 1
#define SPMV_SIXTY_FOUR_A_ROW_OPTIONS ""
#define SPMV_SIXTY_FOUR_A_ROW_BLOCK_DIM_X 256
#define SPMV_SIXTY_FOUR_A_ROW_BLOCK_DIM_Y 1
#define SPMV_SIXTY_FOUR_A_ROW_BLOCK_DIM_Z 1
#define SPMV_SIXTY_FOUR_A_ROW_SHARED_BYTES 0
#define SPMV_SIXTY_FOUR_A_ROW_GRID_X(ROWS, COLUMNS, PER_ROW) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(ROWS), SPMV_SIXTY_FOUR_A_ROW_ROWS_PER_BLOCK)))
#define SPMV_SIXTY_FOUR_A_ROW_GRID_Y(ROWS, COLUMNS, PER_ROW) ((unsigned int)(1))
#define SPMV_SIXTY_FOUR_A_ROW_GRID_Z(ROWS, COLUMNS, PER_ROW) ((unsigned int)(1))

#if !defined(SPMV_PROBLEM_SIXTY_FOUR_A_ROW)
#define SPMV_BLOCK 256
#define SPMV_THREADS_PER_ROW 1
#define SPMV_ROWS_PER_BLOCK 256
#define SPMV_UNROLL 4
#define SPMV_USE_LDG 0
#define SPMV_OPTIONS ""
#define SPMV_BLOCK_DIM_X 256
#define SPMV_BLOCK_DIM_Y 1
#define SPMV_BLOCK_DIM_Z 1
#define SPMV_SHARED_BYTES 0
#define SPMV_GRID_X(ROWS, COLUMNS, PER_ROW) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(ROWS), SPMV_ROWS_PER_BLOCK)))
#define SPMV_GRID_Y(ROWS, COLUMNS, PER_ROW) ((unsigned int)(1))
#define SPMV_GRID_Z(ROWS, COLUMNS, PER_ROW) ((unsigned int)(1))
#elif defined(SPMV_PROBLEM_SIXTY_FOUR_A_ROW)
#define SPMV_BLOCK 256
#define SPMV_THREADS_PER_ROW 32
#define SPMV_ROWS_PER_BLOCK 32
#define SPMV_UNROLL 1
#define SPMV_USE_LDG 1
#define SPMV_OPTIONS ""
#define SPMV_BLOCK_DIM_X 256
#define SPMV_BLOCK_DIM_Y 1
#define SPMV_BLOCK_DIM_Z 1
#define SPMV_SHARED_BYTES 0
#define SPMV_GRID_X(ROWS, COLUMNS, PER_ROW) ((unsigned int)(AUTOTUNE_CEIL_DIV((long long)(ROWS), SPMV_ROWS_PER_BLOCK)))
#define SPMV_GRID_Y(ROWS, COLUMNS, PER_ROW) ((unsigned int)(1))
#define SPMV_GRID_Z(ROWS, COLUMNS, PER_ROW) ((unsigned int)(1))
#endif

#endif

#ifdef SPMV_BARE
#undef BLOCK
#define BLOCK SPMV_BLOCK
#undef THREADS_PER_ROW
#define THREADS_PER_ROW SPMV_THREADS_PER_ROW
#undef ROWS_PER_BLOCK
#define ROWS_PER_BLOCK SPMV_ROWS_PER_BLOCK
#undef UNROLL
#define UNROLL SPMV_UNROLL
#undef USE_LDG
#define USE_LDG SPMV_USE_LDG
#endif
