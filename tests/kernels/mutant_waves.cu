/*
 * A step of an electric field between magnetic ones, with edges that take up waves, as
 * the step before tells, or that are 0, or that stay. MISTAKE none is sound.
 *
 * edges_folded   edges take up waves
 * no_stay        edges that are to stay are 0
 * new_inside     edges as the new field tells alone
 * one_direction  edges above and below are 0
 * eps_folded     all lets waves through alike
 * square         takes rows for columns
 * share_folded   the share of the space
 * corners        corners as their rows
 *
 * Each METHOD is sound:
 *
 * doubles        in double
 * divided        divides later
 * inside_again   computes what is inside again
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

template <typename real>
static __device__ real inside(const float *e, const float *hx, const float *hy,
	const float *eps, real c, int nx, int x, int y)
{
	int i = y * nx + x;
	real turn = ((real)hy[i] - hy[i - 1]) - ((real)hx[i] - hx[i - nx]);

	if (IS(eps_folded))
		return e[i] + c * turn;
	return BY(divided) ? e[i] + c * turn / eps[i] : e[i] + c / eps[i] * turn;
}

template <typename real>
static __device__ real field(const float *e, const float *hx, const float *hy,
	const float *eps, real c, real share, int nx, int ny, int edges, int x, int y)
{
	int i = y * nx + x, tx = min(max(x, 1), nx - 2), ty = min(max(y, 1), ny - 2), t;
	real next;

	if (tx == x && ty == y)
		return inside<real>(e, hx, hy, eps, c, nx, x, y);
	if (IS(edges_folded))
		edges = 0;
	if (edges == 1)
		return 0;
	if (edges == 2)
		return IS(no_stay) ? 0 : e[i];
	if (nx < 3 || ny < 3)
		return e[i];
	if (tx != x && ty != y) {
		if (!IS(corners))
			return e[i];
		ty = y;
	}
	if (IS(one_direction) && ty != y)
		return 0;
	t = ty * nx + tx;
	next = IS(corners) && (ty == 0 || ty == ny - 1)
		       ? e[t]
		       : inside<real>(e, hx, hy, eps, c, nx, tx, ty);
	if (IS(new_inside))
		return next;
	return e[t] + share * (next - e[i]);
}

extern "C" __global__ void mutant_waves(const float *e, const float *hx, const float *hy,
	const float *eps, float *out, float c, float share, int nx, int ny, int edges)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= nx * ny)
		return;
	if (IS(square)) {
		int kept = nx;

		nx = ny;
		ny = kept;
	}
	if (IS(share_folded))
		share = -0.25f;
	if (BY(doubles))
		out[i] = field<double>(
			e, hx, hy, eps, c, share, nx, ny, edges, i % nx, i / nx);
	else
		out[i] = field<float>(
			e, hx, hy, eps, c, share, nx, ny, edges, i % nx, i / nx);
}

extern "C" __global__ void mutant_waves_reference(const float *e, const float *hx,
	const float *hy, const float *eps, float *out, float c, float share, int nx,
	int ny, int edges)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nx * ny;
		i += gridDim.x * blockDim.x) {
		int x = i % nx, y = i / nx, at = i;
		bool is_left = x == 0, is_right = x == nx - 1, is_low = y == 0,
		     is_high = y == ny - 1;
		bool is_edge = is_left || is_right || is_low || is_high;
		float next;

		if (is_edge && edges == 1) {
			out[i] = 0;
			continue;
		}
		if (is_edge &&
			(edges == 2 || nx < 3 || ny < 3 ||
				((is_left || is_right) && (is_low || is_high)))) {
			out[i] = e[i];
			continue;
		}
		at += is_left - is_right + nx * (is_low - is_high);
		next = e[at] +
		       c / eps[at] * ((hy[at] - hy[at - 1]) - (hx[at] - hx[at - nx]));
		out[i] = is_edge ? e[at] + share * (next - e[i]) : next;
	}
}
