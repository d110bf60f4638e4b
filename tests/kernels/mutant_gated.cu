/*
 * Values by a gate that is bent, both cut at a limit, next to each other or in two halves.
 * MISTAKE none is sound.
 *
 * never_cut        no limit
 * gate_both_sides  the gate is cut below as well
 * bend_one         the bend of the space
 * halves           in two halves always
 * no_one           leaves out what is added to the value
 * value_above      the value is cut above alone
 * swapped          the gate for the value
 *
 * Each METHOD is sound:
 *
 * by_tanh          a sigmoid by a tanh
 * doubles          in double
 * two_sided        a sigmoid by the sign
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_gated(const float *x, float *y, float limit, float bend,
	float more, int halves, int rows, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, row, c;
	float gate, value, sigmoid;

	if (i >= rows * n)
		return;
	row = i / n;
	c = i % n;
	x += (long long)row * 2 * n;
	if (IS(halves))
		halves = 1;
	gate = x[halves ? c : 2 * c];
	value = x[halves ? c + n : 2 * c + 1];
	if (IS(swapped)) {
		float other = gate;

		gate = value;
		value = other;
	}
	if (!IS(never_cut)) {
		gate = fminf(gate, limit);
		if (IS(gate_both_sides))
			gate = fmaxf(gate, -limit);
		value = fminf(value, limit);
		if (!IS(value_above))
			value = fmaxf(value, -limit);
	}
	if (IS(bend_one))
		bend = 1.702f;
	if (BY(by_tanh))
		sigmoid = 0.5f * (1.0f + tanhf(0.5f * bend * gate));
	else if (BY(doubles))
		sigmoid = (float)(1.0 / (1.0 + exp(-(double)bend * gate)));
	else if (BY(two_sided))
		sigmoid = gate >= 0.0f ? 1.0f / (1.0f + expf(-bend * gate))
				       : expf(bend * gate) / (1.0f + expf(bend * gate));
	else
		sigmoid = 1.0f / (1.0f + expf(-bend * gate));
	y[i] = (value + (IS(no_one) ? 0.0f : more)) * gate * sigmoid;
}

extern "C" __global__ void mutant_gated_reference(const float *x, float *y, float limit,
	float bend, float more, int halves, int rows, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * n;
		i += gridDim.x * blockDim.x) {
		const float *of = x + (long long)(i / n) * 2 * n;
		float gate = fminf(of[halves ? i % n : i % n * 2], limit);
		float value = of[halves ? i % n + n : i % n * 2 + 1];

		value = fminf(fmaxf(value, -limit), limit);
		y[i] = (value + more) * gate / (1.0f + expf(-bend * gate));
	}
}
