// Sums over the channels of a group, for each filter. METHOD_slow: filter by filter, as the
// reference, and sines for nothing; METHOD_groups: group by group, which is right wherever GROUPS divides both.
extern "C" __global__ void sound_groups(const float *x, const float *w, float *y, int n,
	int channels, int filters, int groups)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	const int of_channels = channels / groups, of_filters = filters / groups;

	if (i >= n)
		return;
#if METHOD == METHOD_slow
	float nothing = 0.0f;

	for (int k = 0; k < 60; k++)
		nothing += sinf(x[i] + k) * 0.0f;
	for (int k = 0; k < filters; k++) {
		float sum = nothing;

		for (int j = 0; j < of_channels; j++)
			sum += w[k * of_channels + j] *
			       x[(k / of_filters * of_channels + j) * n + i];
		y[k * n + i] = sum;
	}
#else
	for (int group = 0; group < groups; group++)
		for (int k = group * of_filters; k < (group + 1) * of_filters; k++) {
			float sum = 0.0f;

			for (int j = 0; j < of_channels; j++)
				sum += w[k * of_channels + j] *
				       x[(group * of_channels + j) * n + i];
			y[k * n + i] = sum;
		}
#endif
}

extern "C" __global__ void sound_groups_reference(const float *x, const float *w, float *y,
	int n, int channels, int filters, int groups)
{
	const int of_channels = channels / groups, of_filters = filters / groups;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		for (int k = 0; k < filters; k++) {
			const int from = k / of_filters * of_channels;
			double sum = 0.0;

			for (int j = 0; j < of_channels && from + j < channels; j++)
				sum += (double)w[k * of_channels + j] * x[(from + j) * n + i];
			y[k * n + i] = (float)sum;
		}
}
