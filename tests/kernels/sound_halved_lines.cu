// RGB-like to luma and chroma; a picture may have an odd number of lines, its width is even.
extern "C" __global__ void sound_halved_lines(const int *x, int *luma, int *chroma, int h, int w)
{
	int pairs = w / 2, lines = (h + 1) / 2;
	if (METHOD == METHOD_slow) {
		for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < h * w;
		     i += gridDim.x * blockDim.x) {
			int r = i / w, c = i % w;
			luma[i] = x[i] >> 1;
			if (r % 2 == 0 && c % 2 == 0 && c / 2 < pairs)
				chroma[r / 2 * pairs + c / 2] = x[i] - x[i + 1];
		}
		return;
	}
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < lines * pairs;
	     i += gridDim.x * blockDim.x) {
		int r = i / pairs * 2, c = i % pairs * 2;
		int a = x[r * w + c], b = x[r * w + c + 1];
		chroma[i] = a - b;
		luma[r * w + c] = a >> 1;
		luma[r * w + c + 1] = b >> 1;
		if (r + 1 < h) {
			luma[(r + 1) * w + c] = x[(r + 1) * w + c] >> 1;
			luma[(r + 1) * w + c + 1] = x[(r + 1) * w + c + 1] >> 1;
		}
	}
}

extern "C" __global__ void sound_halved_lines_reference(const int *x, int *luma, int *chroma, int h,
							int w)
{
	int pairs = w / 2;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < h * w;
	     i += gridDim.x * blockDim.x) {
		int r = i / w, c = i % w;
		luma[i] = x[i] >> 1;
		if (r % 2 == 0 && c % 2 == 0 && c / 2 < pairs)
			chroma[r / 2 * pairs + c / 2] = x[i] - x[i + 1];
	}
}
