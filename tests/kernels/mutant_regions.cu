/*
 * Means of regions of pictures, which begin and end between pixels, by samples, as many
 * as the caller asks for, or about one for each pixel. MISTAKE none is sound.
 *
 * samples_2       two by two always
 * small_not_one   regions may be less than a pixel
 * image_first     of the first picture
 * mean_of_inside  the mean of samples that are inside
 *
 * Each METHOD is sound:
 *
 * doubles         adds up in double
 * backwards       from the right
 * weights_first   weights of corners
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ float sampled(const float *x, float px, float py, int h, int w)
{
	int x0, y0, x1, y1;
	float fx, fy;

	if (py < -1.0f || py > h || px < -1.0f || px > w)
		return 0.0f;
	px = fmaxf(px, 0.0f);
	py = fmaxf(py, 0.0f);
	x0 = (int)px;
	y0 = (int)py;
	if (x0 >= w - 1) {
		x0 = w - 1;
		px = (float)x0;
	}
	if (y0 >= h - 1) {
		y0 = h - 1;
		py = (float)y0;
	}
	x1 = min(x0 + 1, w - 1);
	y1 = min(y0 + 1, h - 1);
	fx = px - x0;
	fy = py - y0;
	if (BY(weights_first))
		return (1.0f - fx) * (1.0f - fy) * x[y0 * w + x0] + fx * (1.0f - fy) * x[y0 * w + x1] +
			(1.0f - fx) * fy * x[y1 * w + x0] + fx * fy * x[y1 * w + x1];
	return (1.0f - fy) * ((1.0f - fx) * x[y0 * w + x0] + fx * x[y0 * w + x1]) +
		fy * ((1.0f - fx) * x[y1 * w + x0] + fx * x[y1 * w + x1]);
}

extern "C" __global__ void mutant_regions(const float *x, const float4 *box, const int *image, float *y,
	float scale, int sampling, int aligned, int c, int h, int w, int r, int out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, column, row, channel, region, nx, ny, inside = 0;
	float left, top, wide, high, half, sum = 0.0f;
	double exact = 0.0;

	if (i >= r * c * out * out)
		return;
	column = i % out;
	row = i / out % out;
	channel = i / out / out % c;
	region = i / out / out / c;
	half = aligned ? 0.5f : 0.0f;
	left = box[region].x * scale - half;
	top = box[region].y * scale - half;
	wide = box[region].z * scale - half - left;
	high = box[region].w * scale - half - top;
	if (!aligned && !IS(small_not_one)) {
		wide = fmaxf(wide, 1.0f);
		high = fmaxf(high, 1.0f);
	}
	if (IS(samples_2))
		sampling = 2;
	nx = sampling > 0 ? sampling : (int)ceilf(wide / out);
	ny = sampling > 0 ? sampling : (int)ceilf(high / out);
	x += ((IS(image_first) ? 0 : image[region]) * c + channel) * h * w;
	for (int a = 0; a < ny; a++)
		for (int step = 0; step < nx; step++) {
			int b = BY(backwards) ? nx - 1 - step : step;
			float px = left + (column + (b + 0.5f) / nx) * wide / out,
			      py = top + (row + (a + 0.5f) / ny) * high / out, v;

			v = sampled(x, px, py, h, w);
			exact += v;
			sum += v;
			inside += px >= -1.0f && px <= w && py >= -1.0f && py <= h;
		}
	nx = max(nx * ny, 1);
	if (IS(mean_of_inside))
		nx = max(inside, 1);
	y[i] = BY(doubles) ? (float)(exact / nx) : sum / nx;
}

extern "C" __global__ void mutant_regions_reference(const float *x, const float4 *box,
	const int *image, float *y, float scale, int sampling, int aligned, int c, int h, int w, int r,
	int out)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < r * c * out * out;
		i += gridDim.x * blockDim.x) {
		int pw = i % out, ph = i / out % out, ch = i / out / out % c, n = i / out / out / c;
		float off = aligned ? 0.5f : 0.0f;
		float x1 = box[n].x * scale - off, y1 = box[n].y * scale - off;
		float rw = box[n].z * scale - off - x1, rh = box[n].w * scale - off - y1;
		float bw, bh, sum = 0.0f;
		int gw, gh;
		const float *p = x + (image[n] * c + ch) * h * w;

		if (!aligned) {
			rw = rw < 1.0f ? 1.0f : rw;
			rh = rh < 1.0f ? 1.0f : rh;
		}
		bw = rw / out;
		bh = rh / out;
		gw = sampling > 0 ? sampling : (int)ceilf(rw / out);
		gh = sampling > 0 ? sampling : (int)ceilf(rh / out);
		for (int iy = 0; iy < gh; iy++)
			for (int ix = 0; ix < gw; ix++) {
				float py = y1 + ph * bh + (iy + 0.5f) * bh / gh;
				float px = x1 + pw * bw + (ix + 0.5f) * bw / gw;
				int xl, yl, xh, yh;

				if (py < -1.0f || py > h || px < -1.0f || px > w)
					continue;
				if (py < 0.0f)
					py = 0.0f;
				if (px < 0.0f)
					px = 0.0f;
				yl = (int)py;
				xl = (int)px;
				if (yl >= h - 1)
					py = yl = h - 1;
				if (xl >= w - 1)
					px = xl = w - 1;
				yh = yl < h - 1 ? yl + 1 : yl;
				xh = xl < w - 1 ? xl + 1 : xl;
				sum += (1.0f - (py - yl)) * (1.0f - (px - xl)) * p[yl * w + xl] +
					(1.0f - (py - yl)) * (px - xl) * p[yl * w + xh] +
					(py - yl) * (1.0f - (px - xl)) * p[yh * w + xl] +
					(py - yl) * (px - xl) * p[yh * w + xh];
			}
		y[i] = sum / (gw * gh > 1 ? gw * gh : 1);
	}
}
