// blocks of 32 with their largest value; notes is scratch, one word a warp
extern "C" __global__ void sound_block_notes(const int *x, int *y, int *largest, int *notes, int n)
{
	if (METHOD == METHOD_slow) {
		for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
		     i += gridDim.x * blockDim.x) {
			int first = i / 32 * 32, most = 0;
			for (int j = first; j < first + 32 && j < n; j++)
				most = max(most, x[j]);
			y[i] = most - x[i];
			if (i % 32 == 0 && i / 32 < n / 32)
				largest[i / 32] = most;
		}
		return;
	}
	for (int b = blockIdx.x * blockDim.x + threadIdx.x; b < n / 32;
	     b += gridDim.x * blockDim.x) {
		int most = 0;
		for (int j = 0; j < 32; j++)
			most = max(most, x[b * 32 + j]);
		notes[b] = most;
		for (int j = 0; j < 32; j++)
			y[b * 32 + j] = notes[b] - x[b * 32 + j];
		largest[b] = notes[b];
	}
}

extern "C" __global__ void sound_block_notes_reference(const int *x, int *y, int *largest, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		int first = i / 32 * 32, most = 0;
		for (int j = first; j < first + 32 && j < n; j++)
			most = max(most, x[j]);
		y[i] = most - x[i];
		if (i % 32 == 0 && i / 32 < n / 32)
			largest[i / 32] = most;
	}
}
