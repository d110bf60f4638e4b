/*
 * Numbers in groups that share a power of two, as whole numbers from -127 to 127 in steps
 * of a 64th of it. MISTAKE none is sound.
 *
 * not_magnitude  the largest, not the largest magnitude
 * group_folded   groups of 32
 * zero_anything  a group of zeros has the power of the smallest number
 * truncates      towards 0
 * wraps          what is beyond 127 wraps
 * next_power     the next higher power
 * first_eight    the largest of the first eight
 * power_signed   powers at least 1
 * one_for_row    the power of the first group of a row
 *
 * Each METHOD is sound:
 *
 * frexp  by frexpf()
 * bits   by the bits of the largest
 * steps  doubles and halves until it is between 1 and 2
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_powered(
	const float *x, signed char *q, unsigned char *power, int n, int m, int group)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, groups = m / group, exponent = -127;
	float largest = 0.0f;

	if (i >= n * groups)
		return;
	if (IS(group_folded))
		group = 32;
	x += (size_t)i * (m / groups);
	q += (size_t)i * (m / groups);
	if (IS(one_for_row)) {
		const float *row = x - (size_t)(i % groups) * (m / groups);

		for (int k = 0; k < group; k++)
			largest = fmaxf(largest, fabsf(row[k]));
	} else {
		for (int k = 0; k < (IS(first_eight) && group > 8 ? 8 : group); k++)
			largest = fmaxf(largest, IS(not_magnitude) ? x[k] : fabsf(x[k]));
	}
	if (largest >= 1.1754944e-38f) {
		if (BY(frexp)) {
			frexpf(largest, &exponent);
			exponent--;
		} else if (BY(steps)) {
			float left = largest;

			exponent = 0;
			for (; left >= 2.0f; left *= 0.5f)
				exponent++;
			for (; left < 1.0f; left *= 2.0f)
				exponent--;
		} else {
			exponent = (__float_as_int(largest) >> 23) - 127;
		}
	}
	if (IS(next_power))
		exponent++;
	if (IS(zero_anything) && exponent == -127)
		exponent = -126;
	if (IS(power_signed) && exponent < 0 && exponent > -127)
		exponent = 0;
	power[i] = (unsigned char)(exponent + 127);
	for (int k = 0; k < group; k++) {
		float step = exponent == -127 ? 0.0f : ldexpf(x[k], 6 - exponent);
		int whole = IS(truncates) ? (int)step : (int)rintf(step);

		if (!IS(wraps))
			whole = whole > 127 ? 127 : whole < -127 ? -127 : whole;
		q[k] = (signed char)whole;
	}
}

extern "C" __global__ void mutant_powered_reference(
	const float *x, signed char *q, unsigned char *power, int n, int m, int group)
{
	int groups = m / group;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n * groups; i += gridDim.x * blockDim.x) {
		float largest = 0.0f;
		int exponent = -127;

		for (int k = 0; k < group; k++)
			largest = fmaxf(largest, fabsf(x[i * group + k]));
		if (largest >= 1.1754944e-38f) {
			frexpf(largest, &exponent);
			exponent--;
		}
		power[i] = (unsigned char)(exponent + 127);
		for (int k = 0; k < group; k++) {
			float step = exponent == -127 ? 0.0f : ldexpf(x[i * group + k], 6 - exponent);
			int whole = (int)rintf(step);

			q[i * group + k] = (signed char)(whole > 127 ? 127 : whole < -127 ? -127 : whole);
		}
	}
}
