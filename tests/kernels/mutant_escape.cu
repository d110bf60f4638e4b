/*
 * In how many steps each point of a plane leaves a set; some depend on all that
 * was rounded on the way; a kernel that is wrong of others must not be taken for one of these.
 * MISTAKE none is sound, and does not round as the reference does.
 *
 * near_border  takes for gone what is at 3.96 and more
 * sixty        gives up four steps before the last
 * one_late     counts one more where a point stays for more than twenty
 * by_twos      looks at every other step only from the eighth on
 */
#ifndef REAL
#define REAL float
#define FMA fmaf
#define MOST 64
#endif

extern "C" __global__ void mutant_escape(const REAL *x, const REAL *y, int *steps, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, count = 0;
	REAL a = 0.0f, b = 0.0f, gone = 4.0f;
	int most = MOST;

	if (i >= n)
		return;
#if MISTAKE == MISTAKE_near_border
	gone = 3.96f;
#elif MISTAKE == MISTAKE_sixty
	most = MOST - 4;
#endif
	while (count < most && a * a + b * b < gone) {
		REAL next = FMA(a, a, FMA(-b, b, x[i]));

		b = FMA(2.0f * a, b, y[i]);
		a = next;
		count++;
#if MISTAKE == MISTAKE_by_twos
		if (count >= 8 && count < most) {
			next = FMA(a, a, FMA(-b, b, x[i]));
			b = FMA(2.0f * a, b, y[i]);
			a = next;
			count++;
		}
#endif
	}
#if MISTAKE == MISTAKE_one_late
	if (count > 20 && count < most)
		count++;
#endif
	steps[i] = count;
}

extern "C" __global__ void mutant_escape_reference(const REAL *x, const REAL *y, int *steps, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		REAL a = 0.0f, b = 0.0f;
		int count = 0;

		for (; count < MOST && a * a + b * b < 4.0f; count++) {
			REAL next = a * a - b * b + x[i];

			b = 2.0f * a * b + y[i];
			a = next;
		}
		steps[i] = count;
	}
}
