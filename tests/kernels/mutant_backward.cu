/*
 * Gradients of layer normalization: of the input, of the factors, which are added to
 * what is there, and of the offsets. MISTAKE none is sound.
 *
 * no_projection  leaves out the part along the normalized values
 * no_mean        leaves out the mean of the gradients
 * no_gamma       takes all factors for 1 in the gradient of the input
 * sets_gamma     sets the gradient of the factors in place of adding
 * rows_96        adds up over the rows of the space
 * no_eps         a row without variance divides by 0
 * half_sums      sums of gradients in half
 * last_row       leaves out the last row of sums over rows
 * eps_outside    adds eps to the root
 *
 * Each METHOD is sound:
 *
 * backwards      adds up from the end
 * doubles        sums in double
 * pairs          adds up pairs of neighbours first
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

#include <cuda_fp16.h>

static __device__ void moments(
	const float *x, int n, float eps, float *mean, float *inverse)
{
	float sum = 0.0f, square = 0.0f;

	for (int i = 0; i < n; i++)
		sum += x[i];
	*mean = sum / n;
	for (int i = 0; i < n; i++)
		square += (x[i] - *mean) * (x[i] - *mean);
	if (IS(eps_outside))
		*inverse = 1.0f / (sqrtf(square / n) + eps);
	else
		*inverse = rsqrtf(square / n + (IS(no_eps) ? 0.0f : eps));
}

extern "C" __global__ void mutant_backward(const float *dy, const float *x,
	const float *gamma, float *dx, float *dgamma, float *dbeta, float eps, int rows,
	int columns)
{
	int at = blockIdx.x * blockDim.x + threadIdx.x, most = IS(rows_96) ? 96 : rows;
	float mean, inverse;

	if (at < rows) {
		const float *row = x + (long long)at * columns,
			    *up = dy + (long long)at * columns;
		float along = 0.0f, sum = 0.0f;

		moments(row, columns, eps, &mean, &inverse);
		if (BY(doubles)) {
			double a = 0.0, s = 0.0;

			for (int i = 0; i < columns; i++) {
				s += (double)up[i] * gamma[i];
				a += (double)up[i] * gamma[i] *
				     ((row[i] - mean) * inverse);
			}
			along = (float)a;
			sum = (float)s;
		} else if (BY(backwards)) {
			for (int i = columns - 1; i >= 0; i--) {
				sum += up[i] * gamma[i];
				along += up[i] * gamma[i] * ((row[i] - mean) * inverse);
			}
		} else {
			for (int i = 0; i < columns; i++) {
				float g = up[i] * (IS(no_gamma) ? 1.0f : gamma[i]);

				if (IS(half_sums))
					g = __half2float(__float2half(g));
				sum += g;
				along += g * ((row[i] - mean) * inverse);
			}
		}
		if (IS(no_projection))
			along = 0.0f;
		if (IS(no_mean))
			sum = 0.0f;
		for (int i = 0; i < columns; i++)
			dx[(long long)at * columns + i] =
				inverse *
				(up[i] * (IS(no_gamma) ? 1.0f : gamma[i]) -
					sum / columns -
					(row[i] - mean) * inverse * (along / columns));
	}
	if (at < columns) {
		float scale = 0.0f, offset = 0.0f;

		for (int k = 0; k < most - IS(last_row); k++) {
			int r = BY(backwards) ? rows - 1 - k : k;

			if (r >= rows)
				break;
			moments(x + (long long)r * columns, columns, eps, &mean,
				&inverse);
			offset += dy[(long long)r * columns + at];
			scale += dy[(long long)r * columns + at] *
				 ((x[(long long)r * columns + at] - mean) * inverse);
		}
		dbeta[at] = offset;
		dgamma[at] = (IS(sets_gamma) ? 0.0f : dgamma[at]) + scale;
	}
}

extern "C" __global__ void mutant_backward_reference(const float *dy, const float *x,
	const float *gamma, float *dx, float *dgamma, float *dbeta, float eps, int rows,
	int columns)
{
	int first = blockIdx.x * blockDim.x + threadIdx.x,
	    step = gridDim.x * blockDim.x;

	for (int r = first; r < rows; r += step) {
		float mean = 0, var = 0, a = 0, b = 0, inv;

		for (int c = 0; c < columns; c++)
			mean += x[r * columns + c];
		mean /= columns;
		for (int c = 0; c < columns; c++)
			var += (x[r * columns + c] - mean) *
			       (x[r * columns + c] - mean);
		inv = 1.0f / sqrtf(var / columns + eps);
		for (int c = 0; c < columns; c++) {
			float g = dy[r * columns + c] * gamma[c],
			      h = (x[r * columns + c] - mean) * inv;

			a += g;
			b += g * h;
		}
		for (int c = 0; c < columns; c++) {
			float g = dy[r * columns + c] * gamma[c],
			      h = (x[r * columns + c] - mean) * inv;

			dx[r * columns + c] = inv * (g - a / columns - h * b / columns);
		}
	}
	for (int c = first; c < columns; c += step) {
		float scale = 0, offset = 0;

		for (int r = 0; r < rows; r++) {
			float mean = 0, var = 0;

			for (int k = 0; k < columns; k++)
				mean += x[r * columns + k];
			mean /= columns;
			for (int k = 0; k < columns; k++)
				var += (x[r * columns + k] - mean) *
				       (x[r * columns + k] - mean);
			scale += dy[r * columns + c] * (x[r * columns + c] - mean) /
				 sqrtf(var / columns + eps);
			offset += dy[r * columns + c];
		}
		dgamma[c] += scale;
		dbeta[c] = offset;
	}
}
