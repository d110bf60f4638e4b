/* A batch of rows by arrays of pointers, with a view whose pointers lie inside buffers. */
struct View {
	const float *scale;
	float *out;
	int n;
};

extern "C" __global__ void mutant_pointed(
	const float *const *rows, float *const *to, View view, const float *bias, int batch)
{
	int b = blockIdx.y, i = blockIdx.x * BLOCK + threadIdx.x;

#if MISTAKE == MISTAKE_first_row
	const float *row = rows[0];
#elif MISTAKE == MISTAKE_next_row
	const float *row = rows[b + 1];
#else
	const float *row = rows[b];
#endif
#if MISTAKE == MISTAKE_no_bounds
	if (b < batch)
#else
	if (b < batch && i < view.n)
#endif
		to[b][i] = row[i] * view.scale[i] + bias[i];
#if MISTAKE == MISTAKE_moves_pointer
	if (b == 0 && i == 0)
		((float **)to)[batch - 1] = to[0];
#endif
#if MISTAKE == MISTAKE_view_from_start
	if (b == 0 && i < view.n)
		(view.out - 3)[i] = row[i];
#else
	if (b == 0 && i < view.n)
		view.out[i] = row[i];
#endif
}

/* with the same buffers, without pointers in between */
extern "C" __global__ void mutant_pointed_reference(
	const float *x, const float *scale, const float *bias, float *y, float *first, int n, int batch)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n * batch; i += gridDim.x * blockDim.x)
		y[i] = x[i] * scale[2 + i % n] + bias[1 + i % n];
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n + 3; i += gridDim.x * blockDim.x)
		first[i] = i < 3 ? first[i] : x[i - 3];
}
