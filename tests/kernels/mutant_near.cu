/*
 * Forces between points that are in order of their cells, up to a distance, in a box
 * whose ends meet; and how many are near. MISTAKE none is sound.
 *
 * reach_folded  the distance of the space
 * no_wrap       the ends do not meet
 * half_cells    looks into five of nine cells
 * first_eight   at most eight of a cell
 * by_step       knows the step of the cells
 * square        takes rows for columns
 * itself        is near to itself
 * no_strength   all are as strong
 *
 * Each METHOD is sound:
 *
 * doubles       in double
 * backwards     the last cell first
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_near(const int *start, const float *x, const float *y,
	const float *strength, float *fx, int *near, float reach, int gx, int gy)
{
	int cell = blockIdx.x * blockDim.x + threadIdx.x, cx = cell % gx,
	    cy = cell / gx;

	if (cell >= gx * gy)
		return;
	if (IS(reach_folded))
		reach = 1.0f;
	if (IS(square)) {
		cx = cell % gy;
		cy = cell / gy;
	}
	for (int i = start[cell]; i < start[cell + 1]; i++) {
		double wide = 0;
		float sum = 0;
		int count = 0;

		for (int step = 0; step < 9; step++) {
			int at = BY(backwards) ? 8 - step : step;
			int ox = at % 3 - 1, oy = at / 3 - 1;
			int nx = (cx + ox + gx) % gx, ny = (cy + oy + gy) % gy, first,
			    last;

			if (IS(half_cells) && step < 4)
				continue;
			if (IS(no_wrap) && (nx != cx + ox || ny != cy + oy))
				continue;
			if (ny * gx + nx >= gx * gy)
				continue;
			first = start[ny * gx + nx];
			last = start[ny * gx + nx + 1];
			if (IS(first_eight))
				last = min(last, first + 8);
			if (IS(by_step))
				last = min(last, first + start[1]);
			for (int j = first; j < last; j++) {
				float dx = x[j] + ox - x[i], dy = y[j] + oy - y[i];
				float r = dx * dx + dy * dy,
				      s = strength[i] * strength[j];

				if ((j == i && at == 4 && !IS(itself)) ||
					r >= reach * reach)
					continue;
				if (IS(no_strength))
					s = strength[i] * strength[i];
				if (BY(doubles))
					wide += (double)s *
						((double)reach * reach - r) * dx;
				else
					sum += s * (reach * reach - r) * dx;
				count++;
			}
		}
		fx[i] = BY(doubles) ? (float)wide : sum;
		near[i] = count;
	}
}

extern "C" __global__ void mutant_near_reference(const int *start, const float *x,
	const float *y, const float *strength, float *fx, int *near, float reach,
	int gx, int gy)
{
	int cell = blockIdx.x * blockDim.x + threadIdx.x;

	for (; cell < gx * gy; cell += gridDim.x * blockDim.x)
		for (int i = start[cell]; i < start[cell + 1]; i++) {
			fx[i] = 0;
			near[i] = 0;
			for (int oy = -1; oy <= 1; oy++)
				for (int ox = -1; ox <= 1; ox++) {
					int other = (cell / gx + oy + gy) % gy * gx +
						    (cell % gx + ox + gx) % gx;

					for (int j = start[other]; j < start[other + 1];
						j++) {
						float dx = x[j] + ox - x[i],
						      dy = y[j] + oy - y[i];
						float r = dx * dx + dy * dy;

						if ((j == i && !ox && !oy) ||
							r >= reach * reach)
							continue;
						fx[i] += strength[i] * strength[j] *
							 (reach * reach - r) * dx;
						near[i]++;
					}
				}
		}
}
