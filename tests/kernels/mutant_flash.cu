/*
 * Attention and the logarithm of its sums. MISTAKE none is sound.
 *
 * next_too       looks one word ahead
 * always_causal  never ahead
 * no_shift       does not take the largest away
 * parts_alike    puts parts together as if both had one largest
 * first_part     the first half alone
 * no_largest     the logarithm without the largest
 * own_not        does not look at itself
 * half_scores    scores in half
 * last_key       leaves the last key out
 *
 * Each METHOD is sound:
 *
 * one_pass       in one pass
 * binary         by powers of two
 * two_parts      in two parts
 * late           divides at once
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

#include <cuda_fp16.h>

#define MOST 64
#define LOG2E 1.44269504f

extern "C" __global__ void mutant_flash(const float *q, const float *k, const float *v,
	float *y, float *sums, float scale, int causal, int n, int d)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x,
	    parts = BY(two_parts) || IS(parts_alike) ? 2 : 1;
	float most[2] = { -__int_as_float(0x7f800000), -__int_as_float(0x7f800000) }, sum[2] = { 0.0f, 0.0f },
	      part[2][MOST], top, all;
	int end;

	if (i >= n)
		return;
	end = causal || IS(always_causal) ? i + 1 : n;
	if (IS(next_too))
		end = min(end + 1, n);
	if (IS(own_not) && end > 1)
		end = causal ? end - 1 : end;
	if (IS(first_part))
		end = (end + 1) / 2;
	if (IS(last_key) && end == n && n > 1)
		end--;
	for (int p = 0; p < parts; p++)
		for (int c = 0; c < d; c++)
			part[p][c] = 0.0f;
	for (int t = 0; t < end; t++) {
		int p = t * parts / end;
		float score = 0.0f, weight;

		for (int c = 0; c < d; c++)
			score += q[i * d + c] * k[t * d + c];
		score *= BY(binary) ? scale * LOG2E : scale;
		if (IS(half_scores))
			score = __half2float(__float2half(score));
		if (IS(no_shift)) {
			most[p] = 0.0f;
		} else if (score > most[p]) {
			float shrink = BY(binary) ? exp2f(most[p] - score)
						  : expf(most[p] - score);

			sum[p] *= shrink;
			for (int c = 0; c < d; c++)
				part[p][c] *= shrink;
			most[p] = score;
		}
		weight = BY(binary) ? exp2f(score - most[p]) : expf(score - most[p]);
		sum[p] += weight;
		for (int c = 0; c < d; c++)
			part[p][c] += weight * v[t * d + c];
	}
	top = fmaxf(most[0], most[1]);
	for (int p = 0; p < parts; p++) {
		float shrink = BY(binary) ? exp2f(most[p] - top) : expf(most[p] - top);

		if (IS(parts_alike))
			shrink = 1.0f;
		sum[p] *= shrink;
		for (int c = 0; c < d; c++)
			part[p][c] *= shrink;
	}
	all = sum[0] + sum[1];
	for (int c = 0; c < d; c++) {
		float value = part[0][c] + (parts > 1 ? part[1][c] : 0.0f);

		y[i * d + c] = BY(late) ? value * (1.0f / all) : value / all;
	}
	sums[i] = logf(all) + (IS(no_largest) ? 0.0f : BY(binary) ? top / LOG2E : top);
}

extern "C" __global__ void mutant_flash_reference(const float *q, const float *k,
	const float *v, float *y, float *sums, float scale, int causal, int n, int d)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
		i += gridDim.x * blockDim.x) {
		int end = causal ? i + 1 : n;
		float most = -__int_as_float(0x7f800000), sum = 0;

		for (int c = 0; c < d; c++)
			y[i * d + c] = 0;
		for (int pass = 0; pass < 2; pass++)
			for (int t = 0; t < end; t++) {
				float score = 0;

				for (int c = 0; c < d; c++)
					score += q[i * d + c] * k[t * d + c];
				score *= scale;
				if (pass == 0) {
					most = score > most ? score : most;
					continue;
				}
				sum += expf(score - most);
				for (int c = 0; c < d; c++)
					y[i * d + c] +=
						expf(score - most) * v[t * d + c];
			}
		for (int c = 0; c < d; c++)
			y[i * d + c] /= sum;
		sums[i] = most + logf(sum);
	}
}
