/*
 * Colours of an image whose colour has half of its rows and columns, at the left of two
 * pixels or between them, become red, green and blue. MISTAKE none is sound.
 *
 * nearest         the next colour, not one between
 * left_always     colours lie at the left
 * floor_half      half of an odd width is less
 * pitch_is_width  rows are as long as the image is wide
 * full_always     takes all of the range
 * not_clamped     bytes go around
 * cut_off         cuts digits off, where half rounds up
 * swapped         red for blue
 * one_pitch       the pitch of colours is half of the other
 *
 * Each METHOD is sound:
 *
 * longs           in 64 bits
 * backwards       pixels from behind
 * by_tables       ends by comparisons
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ unsigned char bounded(int x)
{
	if (BY(by_tables))
		return x & ~255 ? x < 0 ? 0 : 255 : x;
	return IS(not_clamped) ? x : min(max(x, 0), 255);
}

extern "C" __global__ void mutant_chroma(const unsigned char *y, const unsigned char *u,
	const unsigned char *v, unsigned char *rgb, int width, int height, int pitch,
	int half_pitch, int between, int full)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x,
	    half = IS(floor_half) ? max(width / 2, 1) : (width + 1) / 2;
	int column, row, first, second, weight, c[2], light;

	if (i >= width * height)
		return;
	if (BY(backwards))
		i = width * height - 1 - i;
	column = i % width;
	row = i / width;
	if (IS(pitch_is_width))
		pitch = width;
	if (IS(one_pitch))
		half_pitch = pitch / 2;
	if (IS(left_always))
		between = 0;
	if (IS(full_always))
		full = 1;
	first = column / 2;
	second = between && column % 2 == 0 ? first - 1 : first + 1;
	second = min(max(second, 0), half - 1);
	first = min(first, half - 1);
	/* quarters of the second */
	weight = between ? 1 : column % 2 ? 2 : 0;
	if (IS(nearest))
		weight = 0;
	for (int k = 0; k < 2; k++) {
		const unsigned char *plane = (k ? v : u) + row / 2 * half_pitch;

		c[k] = (plane[first] * (4 - weight) + plane[second] * weight +
			       (IS(cut_off) ? 0 : 2)) /
			       4 -
		       128;
	}
	light = y[row * pitch + column];
	if (BY(longs)) {
		long long base = full ? light * 256LL : (light - 16) * 298LL,
			  scale = full ? 256 : 291;

		rgb[i * 3] =
			bounded((int)((base * 256 + 359 * scale * c[1] + 32768) >> 16));
		rgb[i * 3 + 1] = bounded((int)((base * 256 - 88 * scale * c[0] -
						       183 * scale * c[1] + 32768) >>
					       16));
		rgb[i * 3 + 2] =
			bounded((int)((base * 256 + 454 * scale * c[0] + 32768) >> 16));
		return;
	}
	light = full ? light * 65536 : (light - 16) * 298 * 256;
	c[0] *= full ? 256 : 291;
	c[1] *= full ? 256 : 291;
	rgb[i * 3 + (IS(swapped) ? 2 : 0)] =
		bounded((light + 359 * c[1] + 32768) >> 16);
	rgb[i * 3 + 1] = bounded((light - 88 * c[0] - 183 * c[1] + 32768) >> 16);
	rgb[i * 3 + (IS(swapped) ? 0 : 2)] =
		bounded((light + 454 * c[0] + 32768) >> 16);
}

extern "C" __global__ void mutant_chroma_reference(const unsigned char *y,
	const unsigned char *u, const unsigned char *v, unsigned char *rgb, int width,
	int height, int pitch, int half_pitch, int between, int full)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, last = (width + 1) / 2 - 1;

	for (; i < width * height; i += gridDim.x * blockDim.x) {
		int column = i % width, row = i / width, near = column / 2, next = near,
		    scale, light;
		int quarters = 0, cu, cv, red, green, blue;
		const unsigned char *pu = u + row / 2 * half_pitch,
				    *pv = v + row / 2 * half_pitch;

		if (between) {
			next = column % 2 ? near + 1 : near - 1;
			quarters = 1;
		} else if (column % 2) {
			next = near + 1;
			quarters = 2;
		}
		next = next < 0 ? 0 : next > last ? last : next;
		cu = (pu[near] * (4 - quarters) + pu[next] * quarters + 2) / 4 - 128;
		cv = (pv[near] * (4 - quarters) + pv[next] * quarters + 2) / 4 - 128;
		light = full ? y[row * pitch + column] * 256
			     : (y[row * pitch + column] - 16) * 298;
		scale = full ? 256 : 291;
		red = (light * 256 + 359 * scale * cv + 32768) >> 16;
		green = (light * 256 - 88 * scale * cu - 183 * scale * cv + 32768) >>
			16;
		blue = (light * 256 + 454 * scale * cu + 32768) >> 16;
		rgb[i * 3] = red < 0 ? 0 : red > 255 ? 255 : red;
		rgb[i * 3 + 1] = green < 0 ? 0 : green > 255 ? 255 : green;
		rgb[i * 3 + 2] = blue < 0 ? 0 : blue > 255 ? 255 : blue;
	}
}
