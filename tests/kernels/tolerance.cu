/*
 * Kernels that test_tolerance.c compares: y[row] = factor times the sum of a row of x,
 * added up in one way or another; z gets y added.
 */
#define ARGUMENTS const float *x, const float *w, float *y, float *z, int rows, int columns, \
	float factor
#define KERNEL extern "C" __global__ void
#define ROW (int)(blockIdx.x * blockDim.x + threadIdx.x)
#define LEAVE(value) \
	do { \
		y[ROW] = (value); \
		z[ROW] += y[ROW]; \
	} while (0)

__constant__ float weight[2];

KERNEL one_after_the_other(ARGUMENTS)
{
	float sum = 0.0f;

	if (ROW >= rows)
		return;
	for (int i = 0; i < columns; i++)
		sum += x[(long long)ROW * columns + i];
	LEAVE(fmaf(factor, sum, 0.0f));
}

KERNEL without_the_last_row(ARGUMENTS)
{
	float sum = 0.0f;

	if (ROW >= rows)
		return;
	for (int i = 0; i < columns; i++)
		sum += x[(long long)ROW * columns + i];
	LEAVE(ROW + 1 < rows ? factor * sum : nanf(""));
}

KERNEL in_parts(ARGUMENTS)
{
	float parts[64] = { 0.0f };

	if (ROW >= rows)
		return;
	for (int i = 0; i < columns; i++)
		parts[i % 64] += x[(long long)ROW * columns + i];
	for (int step = 32; step > 0; step /= 2)
		for (int i = 0; i < step; i++)
			parts[i] += parts[i + step];
	LEAVE(factor * parts[0]);
}

/* the sum as exact as a float can hold it */
static __device__ double exact(const float *x, int columns)
{
	double sum = 0.0;

	for (int i = 0; i < columns; i++)
		sum += (double)x[(long long)ROW * columns + i];
	return sum;
}

KERNEL in_double(ARGUMENTS)
{
	if (ROW < rows)
		LEAVE((float)((double)factor * exact(x, columns)));
}

/* to as many bits as half precision has */
static __device__ float cut(float value)
{
	return __uint_as_float((__float_as_uint(value) + 0x1000u) & 0xffffe000u);
}

KERNEL terms_as_half(ARGUMENTS)
{
	float parts[64] = { 0.0f };

	if (ROW >= rows)
		return;
	for (int i = 0; i < columns; i++)
		parts[i % 64] += cut(x[(long long)ROW * columns + i]);
	for (int i = 1; i < 64; i++)
		parts[0] += parts[i];
	LEAVE(factor * parts[0]);
}

KERNEL sum_as_half(ARGUMENTS)
{
	if (ROW < rows)
		LEAVE(cut((float)((double)factor * exact(x, columns))));
}

KERNEL without_the_last(ARGUMENTS)
{
	if (ROW < rows)
		LEAVE((float)((double)factor *
			(exact(x, columns) - (double)x[(long long)ROW * columns + columns - 1])));
}

KERNEL zeros(ARGUMENTS)
{
	if (ROW < rows)
		LEAVE(0.0f);
}

/* off by as much as an approximation might be */
KERNEL roughly(ARGUMENTS)
{
	if (ROW < rows)
		LEAVE((float)(1.0001 * (double)factor * exact(x, columns)));
}

KERNEL one_slightly_off(ARGUMENTS)
{
	if (ROW < rows)
		LEAVE((float)((ROW == 5 ? 1.05 : 1) * (double)factor * exact(x, columns)));
}

KERNEL one_far_off(ARGUMENTS)
{
	if (ROW < rows)
		LEAVE((float)((ROW == 5 ? 3 : 1) * (double)factor * exact(x, columns)));
}

KERNEL all_slightly_off(ARGUMENTS)
{
	if (ROW < rows)
		LEAVE((float)(1.05 * (double)factor * exact(x, columns)));
}

/* and the first not written */
KERNEL roughly_the_rest(ARGUMENTS)
{
	if (ROW > 0 && ROW < rows)
		LEAVE((float)(1.0001 * (double)factor * exact(x, columns)));
}

/* a variable that gets contents (1), vectors, dynamic shared memory */
KERNEL with_all_the_rest(ARGUMENTS)
{
	extern __shared__ float kept[];
	const float4 *vectors = (const float4 *)x;
	float sum = 0.0f;

	if (ROW >= rows)
		return;
	for (int i = 0; i < columns / 4; i++) {
		float4 v = vectors[(long long)ROW * (columns / 4) + i];

		sum += v.x;
		sum += v.y;
		sum += v.z;
		sum += v.w;
	}
	kept[threadIdx.x] = sum;
	LEAVE(weight[1] * factor * kept[threadIdx.x]);
}

/* takes floats apart: in double it finds other bits */
KERNEL bit_by_bit(ARGUMENTS)
{
	float sum = 0.0f;

	if (ROW >= rows)
		return;
	for (int i = 0; i < columns; i++) {
		unsigned bits = ((const unsigned *)x)[(long long)ROW * columns + i];
		unsigned *at = &bits;

		sum += __uint_as_float(*at);
	}
	LEAVE(factor * sum);
}

/* every sixteenth row has lost most of its digits */
static __device__ float magnified_of(const float *x, int columns, int how)
{
	float first = x[(long long)ROW * columns];
	float square = first * first;

	if (ROW % 16 != 5)
		return how == 2 ? 1.001f * square : square;
	if (how == 1)
		return (3.0f * square + 4096.0f - 4096.0f) / 3.0f;
	return (square + 4096.0f - 4096.0f) * (how == 3 ? 1.5f : 1.0f);
}

KERNEL magnified(ARGUMENTS)
{
	if (ROW < rows)
		LEAVE(magnified_of(x, columns, 0));
}

KERNEL magnified_otherwise(ARGUMENTS)
{
	if (ROW < rows)
		LEAVE(magnified_of(x, columns, 1));
}

KERNEL wrong_beside_it(ARGUMENTS)
{
	if (ROW < rows)
		LEAVE(magnified_of(x, columns, 2));
}

KERNEL wrong_there(ARGUMENTS)
{
	if (ROW < rows)
		LEAVE(magnified_of(x, columns, 3));
}

/* how many of a row are above 0, and `more`; whole numbers; few are wrong */
static __device__ void count_row(
	const float *x, float *y, float *z, int rows, int columns, int more)
{
	int count = 0;

	if (ROW >= rows)
		return;
	for (int i = 0; i < columns; i++)
		count += x[(long long)ROW * columns + i] > 0.0f;
	((int *)y)[ROW] = count + more;
	((int *)z)[ROW] += count;
}

KERNEL counted(ARGUMENTS)
{
	count_row(x, y, z, rows, columns, 0);
}

KERNEL counted_one_more(ARGUMENTS)
{
	count_row(x, y, z, rows, columns, ROW == 5);
}

/* of few counts nearly all, of many a part that is no chance */
KERNEL counted_sixteen_more(ARGUMENTS)
{
	count_row(x, y, z, rows, columns, ROW < 16);
}

KERNEL counted_two_less(ARGUMENTS)
{
	count_row(x, y, z, rows, columns, ROW == 5 ? -2 : 0);
}

KERNEL counted_all_one_more(ARGUMENTS)
{
	count_row(x, y, z, rows, columns, 1);
}

/* of a row only where the first number is so large */
KERNEL rarely(ARGUMENTS)
{
	if (ROW < rows)
		y[ROW] = x[0] > 0.5f ? factor * x[ROW] : 0.0f;
}

KERNEL leaves_z(ARGUMENTS)
{
	if (ROW < rows)
		y[ROW] = factor * (float)(ROW + 1);
}
