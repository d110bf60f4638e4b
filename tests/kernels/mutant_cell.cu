/*
 * One step of a recurrent cell with four gates; sequences that are over stay as they were.
 * MISTAKE none is sound.
 *
 * gates_swapped  takes the gate of the output for that of the cell
 * no_ends        sequences are never over
 * cell_plain     the output does not bend the cell
 * never_cuts     does not cut the cell
 * no_bias        no offsets
 * cell_kept      the cell stays
 * no_forget      forgets nothing
 * clears         what is over is 0
 *
 * Each METHOD is sound:
 *
 * half_angle     a tanh by a sigmoid
 * doubles        in double
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ float sigmoid_of(float x)
{
	return 1.0f / (1.0f + expf(-x));
}

static __device__ float bend(float x)
{
	if (BY(half_angle))
		return 2.0f * sigmoid_of(2.0f * x) - 1.0f;
	return tanhf(x);
}

extern "C" __global__ void mutant_cell(const float *gates, const float *bias, const int *length,
	float *cell, float *hidden, float cut, int step, int batch, int size)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, item, c;
	float z[4], fresh;

	if (i >= batch * size)
		return;
	item = i / size;
	c = i % size;
	if (step >= length[item] && !IS(no_ends)) {
		if (IS(clears))
			cell[i] = hidden[i] = 0.0f;
		return;
	}
	for (int g = 0; g < 4; g++)
		z[g] = gates[((long long)item * 4 + g) * size + c] +
			(IS(no_bias) ? 0.0f : bias[g * size + c]);
	if (IS(gates_swapped)) {
		float other = z[2];

		z[2] = z[3];
		z[3] = other;
	}
	if (BY(doubles))
		fresh = (float)(cell[i] / (1.0 + exp(-(double)z[1])) +
			tanh((double)z[2]) / (1.0 + exp(-(double)z[0])));
	else
		fresh = (IS(no_forget) ? cell[i] : sigmoid_of(z[1]) * cell[i]) +
			sigmoid_of(z[0]) * bend(z[2]);
	if (cut > 0.0f && !IS(never_cuts))
		fresh = fminf(fmaxf(fresh, -cut), cut);
	if (!IS(cell_kept))
		cell[i] = fresh;
	hidden[i] = sigmoid_of(z[3]) * (IS(cell_plain) ? fresh : bend(fresh));
}

extern "C" __global__ void mutant_cell_reference(const float *gates, const float *bias,
	const int *length, float *cell, float *hidden, float cut, int step, int batch, int size)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < batch * size;
		i += gridDim.x * blockDim.x) {
		const float *z = gates + (long long)(i / size) * 4 * size + i % size;
		const float *b = bias + i % size;

		if (step >= length[i / size])
			continue;
		cell[i] = cell[i] / (1.0f + expf(-z[size] - b[size])) +
			tanhf(z[2 * size] + b[2 * size]) / (1.0f + expf(-z[0] - b[0]));
		if (cut > 0.0f)
			cell[i] = fminf(fmaxf(cell[i], -cut), cut);
		hidden[i] = tanhf(cell[i]) / (1.0f + expf(-z[3 * size] - b[3 * size]));
	}
}
