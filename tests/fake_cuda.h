/* The driver of tests/fake_cuda.c, for tests/launching_program.c: memory is the
   process's own, and kernels are functions. */
#ifndef AT_TESTS_FAKE_CUDA_H
#define AT_TESTS_FAKE_CUDA_H

#include <stddef.h>

/* A kernel: what a CUfunction points to. */
struct fake_function {
	const char *name;
	void (*run)(void **parameters);
	size_t count;
	size_t bytes[8]; /* of each parameter */
};

unsigned cuInit(unsigned flags);
unsigned cuMemAlloc_v2(unsigned long long *at, size_t bytes);
unsigned cuLaunchKernel(const struct fake_function *function, unsigned grid_x,
	unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
	unsigned block_z, unsigned shared_bytes, void *stream, void **parameters,
	void **extra);
/* Takes a variable of the program as one of the module. */
void fake_variable(const char *name, void *at, size_t bytes);

#endif
