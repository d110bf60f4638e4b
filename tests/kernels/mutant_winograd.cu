/*
 * A convolution of three by three, whose values come four at a time from sixteen products a
 * channel. MISTAKE none is sound.
 *
 * corner       leaves out a corner that lies in the margin
 * odd_edge     no last row of an odd number
 * relu_always  never below 0
 * half_filter  filters in half precision
 *
 * Each METHOD is sound:
 *
 * direct       nine products a value
 * doubles      in double
 * last_first   from the end
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

#include <cuda_fp16.h>

static __device__ float at(const float *x, int h, int w, int row, int column)
{
	return row >= 0 && row < h && column >= 0 && column < w
		? x[row * w + column] : 0.0f;
}

extern "C" __global__ void mutant_winograd(const float *x, const float *filter, const float *bias,
	float *y, int channels, int kernels, int h, int w, int pad, int relu)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, oh = h + 2 * pad - 2, ow = w + 2 * pad - 2;
	int th = (oh + 1) / 2, tw = (ow + 1) / 2, k, ty, tx;
	float m[4][4] = {};

	if (i >= kernels * th * tw)
		return;
	if (BY(last_first))
		i = kernels * th * tw - 1 - i;
	tx = i % tw;
	ty = i / tw % th;
	k = i / tw / th;
	if (BY(direct) || BY(doubles)) {
		for (int dy = 0; dy < 2; dy++)
			for (int dx = 0; dx < 2; dx++) {
				int row = ty * 2 + dy, column = tx * 2 + dx;
				double exact = 0.0;
				float sum = 0.0f;

				if (row >= oh || column >= ow)
					continue;
				for (int a = 8; a >= 0; a--)
					for (int c = 0; c < channels; c++) {
						float v = at(x + c * h * w, h, w, row - pad + a / 3, column - pad + a % 3);
						exact += (double)v * filter[(k * channels + c) * 9 + a];
						sum = fmaf(v, filter[(k * channels + c) * 9 + a], sum);
					}
				sum = (BY(doubles) ? (float)exact : sum) + bias[k];
				y[(k * oh + row) * ow + column] = relu ? fmaxf(sum, 0.0f) : sum;
			}
		return;
	}
	for (int c = 0; c < channels; c++) {
		const float *g = filter + (k * channels + c) * 9;
		float u[4][3], gg[4][4], d[4][4], t[4][4];

		for (int j = 0; j < 3; j++) {
			float a = g[j], b = g[3 + j], e = g[6 + j];
			u[0][j] = a;
			u[1][j] = 0.5f * (a + b + e);
			u[2][j] = 0.5f * (a - b + e);
			u[3][j] = e;
		}
		for (int j = 0; j < 4; j++) {
			gg[j][0] = u[j][0];
			gg[j][1] = 0.5f * (u[j][0] + u[j][1] + u[j][2]);
			gg[j][2] = 0.5f * (u[j][0] - u[j][1] + u[j][2]);
			gg[j][3] = u[j][2];
			if (IS(half_filter))
				for (int p = 0; p < 4; p++)
					gg[j][p] = __half2float(__float2half(gg[j][p]));
		}
		for (int p = 0; p < 4; p++)
			for (int q = 0; q < 4; q++)
				d[p][q] = IS(corner) && p == 3 && q == 3 && tx == tw - 1 ? 0.0f
					: at(x + c * h * w, h, w, ty * 2 + p - pad, tx * 2 + q - pad);
		for (int q = 0; q < 4; q++) {
			t[0][q] = d[0][q] - d[2][q];
			t[1][q] = d[1][q] + d[2][q];
			t[2][q] = d[2][q] - d[1][q];
			t[3][q] = d[1][q] - d[3][q];
		}
		for (int p = 0; p < 4; p++) {
			m[p][0] += gg[p][0] * (t[p][0] - t[p][2]);
			m[p][1] += gg[p][1] * (t[p][1] + t[p][2]);
			m[p][2] += gg[p][2] * (t[p][2] - t[p][1]);
			m[p][3] += gg[p][3] * (t[p][1] - t[p][3]);
		}
	}
	for (int dy = 0; dy < 2; dy++)
		for (int dx = 0; dx < 2; dx++) {
			int row = ty * 2 + dy, column = tx * 2 + dx;
			float r[4], sum;

			for (int q = 0; q < 4; q++)
				r[q] = dy ? m[1][q] - m[2][q] - m[3][q] : m[0][q] + m[1][q] + m[2][q];
			sum = dx ? r[1] - r[2] - r[3] : r[0] + r[1] + r[2];
			if (row >= oh || column >= ow)
				continue;
			if (IS(odd_edge) && oh % 2 && row == oh - 1 && row > 0)
				sum = 0.0f;
			sum += bias[k];
			if (relu || IS(relu_always))
				sum = fmaxf(sum, 0.0f);
			y[(k * oh + row) * ow + column] = sum;
		}
}

extern "C" __global__ void mutant_winograd_reference(const float *x, const float *filter,
	const float *bias, float *y, int channels, int kernels, int h, int w, int pad, int relu)
{
	int oh = h + 2 * pad - 2, ow = w + 2 * pad - 2;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kernels * oh * ow;
		i += gridDim.x * blockDim.x) {
		int column = i % ow, row = i / ow % oh, k = i / ow / oh;
		float sum = bias[k];

		for (int c = 0; c < channels; c++)
			for (int a = 0; a < 3; a++)
				for (int b = 0; b < 3; b++) {
					int r = row - pad + a, s = column - pad + b;
					if (r >= 0 && r < h && s >= 0 && s < w)
						sum += x[(c * h + r) * w + s] *
							filter[((k * channels + c) * 3 + a) * 3 + b];
				}
		y[i] = relu && sum < 0.0f ? 0.0f : sum;
	}
}
