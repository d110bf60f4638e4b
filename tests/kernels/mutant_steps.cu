/*
 * How many whole steps; few values are wrong, which rounding does not explain. MISTAKE
 * none is sound.
 *
 * some_lost    leaves out one of 100
 * wide_border  is wrong up to a thousandth of a step beyond a border
 * next_step    one of 200 is one step further
 * late_border  rounds up from 0.5005 on
 * half_up      rounds what is on a border up, and not to the even one
 */
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)

extern "C" __global__ void mutant_steps(const float *x, int *steps, float step, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, whole;

	if (i >= n)
		return;
	whole = (int)rintf(x[i] / step);
	if (IS(wide_border))
		whole = (int)rintf(x[i] / step + 0.001f);
	if (IS(late_border))
		whole = (int)floorf(x[i] / step + 0.4995f);
	if (IS(half_up))
		whole = (int)floorf(x[i] / step + 0.5f);
	if (IS(some_lost) && i % 100 == 7)
		whole = 0;
	if (IS(next_step) && i % 200 == 7)
		whole++;
	steps[i] = whole;
}

extern "C" __global__ void mutant_steps_reference(const float *x, int *steps, float step, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		steps[i] = (int)rintf(x[i] / step);
}
