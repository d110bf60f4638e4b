/*
 * Cross entropy with smoothed labels and weights of classes, and its gradient; nothing
 * where the label is one to be ignored. MISTAKE none is sound.
 *
 * unsafe                does not take the largest away
 * no_smoothing          no smoothing
 * smoothing_folded      the smoothing of the space
 * ignores_none          looks at the label whatever it is
 * no_weight             takes all weights for 1
 * weight_of_label_only  smooths without weights
 * gradient_no_smooth    the gradient is without smoothing
 * others_only           spreads over all other classes
 *
 * Each METHOD is sound:
 *
 * backwards             from the last class
 * apart                 the label apart from the others
 * doubles               in double
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_smoothed(const float *x, const int *label,
	const float *weight, float *loss, float *dx, float smoothing, int ignored,
	int rows, int classes)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x, own;
	float most = -__int_as_float(0x7f800000), sum = 0.0f, total = 0.0f, weights = 0.0f, s = smoothing,
	      logs;

	if (row >= rows)
		return;
	x += (long long)row * classes;
	dx += (long long)row * classes;
	own = label[row];
	if (own == ignored && !IS(ignores_none)) {
		loss[row] = 0.0f;
		for (int c = 0; c < classes; c++)
			dx[c] = 0.0f;
		return;
	}
	if (own < 0 || own >= classes)
		own = 0;
	if (IS(no_smoothing))
		s = 0.0f;
	if (IS(smoothing_folded))
		s = 0.1f;
	for (int c = 0; c < classes; c++)
		most = fmaxf(most, x[c]);
	if (IS(unsafe))
		most = 0.0f;
	if (BY(doubles)) {
		double wide = 0.0;

		for (int c = 0; c < classes; c++)
			wide += exp((double)x[c] - most);
		sum = (float)wide;
	} else {
		for (int k = 0; k < classes; k++)
			sum += expf(x[BY(backwards) ? classes - 1 - k : k] - most);
	}
	logs = logf(sum) + most;
	for (int k = 0; k < classes; k++) {
		int c = BY(backwards) ? classes - 1 - k : k;
		float w = IS(no_weight) || IS(weight_of_label_only) ? 1.0f : weight[c];
		float part = s / (IS(others_only) ? max(classes - 1, 1) : classes) * w;

		if (IS(others_only) && c == own)
			part = 0.0f;
		if (BY(apart) || c != own || IS(others_only)) {
			total += part * (logs - x[c]);
			weights += part;
		} else {
			part += (1.0f - s) * (IS(no_weight) ? 1.0f : weight[own]);
			total += part * (logs - x[c]);
			weights += part;
		}
	}
	if (BY(apart) || IS(others_only)) {
		float part = (1.0f - s) * weight[own];

		total += part * (logs - x[own]);
		weights += part;
	}
	loss[row] = total;
	if (IS(gradient_no_smooth)) {
		s = 0.0f;
		weights = weight[own];
	}
	for (int c = 0; c < classes; c++) {
		float w = IS(no_weight) || IS(weight_of_label_only) ? 1.0f : weight[c];
		float part = s / (IS(others_only) ? max(classes - 1, 1) : classes) * w;

		if (IS(others_only) && c == own)
			part = 0.0f;
		if (c == own)
			part += (1.0f - s) * (IS(no_weight) ? 1.0f : weight[own]);
		dx[c] = weights * expf(x[c] - most) / sum - part;
	}
}

extern "C" __global__ void mutant_smoothed_reference(const float *x, const int *label,
	const float *weight, float *loss, float *dx, float smoothing, int ignored,
	int rows, int classes)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x) {
		const float *values = x + row * classes;
		float most = values[0], sum = 0, total = 0, weights = 0;

		for (int c = 0; c < classes; c++)
			most = values[c] > most ? values[c] : most;
		for (int c = 0; c < classes; c++)
			sum += expf(values[c] - most);
		for (int c = 0; c < classes; c++) {
			float part = weight[c] *
				     (smoothing / classes +
					     (c == label[row] ? 1 - smoothing : 0));

			total += part * (most + logf(sum) - values[c]);
			weights += part;
		}
		loss[row] = label[row] == ignored ? 0 : total;
		for (int c = 0; c < classes; c++) {
			float part = weight[c] *
				     (smoothing / classes +
					     (c == label[row] ? 1 - smoothing : 0));

			dx[row * classes + c] =
				label[row] == ignored
					? 0
					: weights * (expf(values[c] - most) / sum) -
						  part;
		}
	}
}
