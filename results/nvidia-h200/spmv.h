/*
 * spmv on NVIDIA H200 (sm_90): the fastest correct configuration that was
 * found. Written by autotune; changes made by hand are lost.
 *
 * Problem four_a_row: ROWS = 8388608, COLUMNS = 8388608, PER_ROW = 4
 *   configuration  BLOCK=256 THREADS_PER_ROW=1 ROWS_PER_BLOCK=256 UNROLL=4 USE_LDG=false
 *   time           331.42 us (95 % interval 330.98 to 331.78)
 *   speed-up       1.2 over the baseline
 *   chosen from    510 evaluations, 510 of them ok
 *   measured       2026-11-21T14:07:41Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    5ababadb6abbeabd2a317fdf0d61d90a
 *
 * Problem sixty_four_a_row: ROWS = 1048576, COLUMNS = 1048576, PER_ROW = 64
 *   configuration  BLOCK=256 THREADS_PER_ROW=32 ROWS_PER_BLOCK=32 UNROLL=1 USE_LDG=true
 *   time           476.7 us (95 % interval 476.64 to 476.9)
 *   speed-up       5.794 over the baseline
 *   chosen from    510 evaluations, 510 of them ok
 *   measured       2026-11-21T14:07:45Z
 *   compiler       NVRTC 13.0
 *   driver         580.159.04 (CUDA 13.0)
 *   source hash    18e9efcac57a235f6b3576fecf7e13b7
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
