/*
 * A step of a lattice of nine velocities, pulled, with walls below and above;
 * the upper one moves, and solid cells that send back. MISTAKE none is sound.
 *
 * rate_folded  goes all the way, as at a rate of 1
 * no_lid       the upper wall stands still
 * lid_below    both walls move
 * no_solids    nothing is solid
 * clamped      the ends in a row do not meet
 * diagonals    what comes back of a diagonal comes back of another one
 * density_one  takes all for as dense
 * square       takes rows for columns
 * solid_flows  solid cells flow as others do
 *
 * Each METHOD is sound:
 *
 * doubles      in double
 * backwards    sums from the last velocity on
 * expanded     the balance in another form
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __constant__ int along[9] = { 0, 1, 0, -1, 0, 1, -1, -1, 1 };
static __constant__ int across[9] = { 0, 0, 1, 0, -1, 1, 1, -1, -1 };
static __constant__ int back[9] = { 0, 3, 4, 1, 2, 7, 8, 5, 6 };

static __device__ float weight_of(int k)
{
	return k == 0 ? 4.0f / 9.0f : k < 5 ? 1.0f / 9.0f : 1.0f / 36.0f;
}

template <typename real>
static __device__ void flow(const float *f, const unsigned char *solid, float *to,
	float rate, float lid, int nx, int ny, int i)
{
	int cells = nx * ny, x = i % nx, y = i / nx;
	real in[9], density = 0, ux = 0, uy = 0;

	if (IS(square)) {
		x = i % ny;
		y = i / ny;
		if (x >= nx)
			return;
		i = y * nx + x;
		if (i >= cells)
			return;
	}
	for (int k = 0; k < 9; k++) {
		int sx = (x - along[k] + nx) % nx, sy = y - across[k];
		int returned = IS(diagonals) && k > 4 ? (k - 5 ^ 1) + 5 : back[k];

		if (IS(clamped))
			sx = min(max(x - along[k], 0), nx - 1);
		if (sy < 0 || sy >= ny) {
			in[k] = f[returned * cells + i];
			if ((sy >= ny && !IS(no_lid)) || (sy < 0 && IS(lid_below)))
				in[k] += (real)(6.0f * weight_of(k) * along[k] * lid);
		} else if (solid[sy * nx + sx] && !IS(no_solids)) {
			in[k] = f[returned * cells + i];
		} else {
			in[k] = f[k * cells + sy * nx + sx];
		}
	}
	if (solid[i] && !IS(no_solids) && !IS(solid_flows)) {
		for (int k = 0; k < 9; k++)
			to[k * cells + i] = f[k * cells + i];
		return;
	}
	for (int j = 0; j < 9; j++) {
		int k = BY(backwards) ? 8 - j : j;

		density += in[k];
		ux += along[k] * in[k];
		uy += across[k] * in[k];
	}
	ux /= density;
	uy /= density;
	if (IS(density_one))
		density = 1;
	if (IS(rate_folded))
		rate = 1.0f;
	for (int k = 0; k < 9; k++) {
		real u = along[k] * ux + across[k] * uy, speed = ux * ux + uy * uy,
		     balance;

		if (BY(expanded))
			balance = weight_of(k) * density *
				  (1 - (real)1.5 * speed + u * (3 + u * (real)4.5));
		else
			balance = weight_of(k) * density *
				  (1 + 3 * u + (real)4.5 * u * u - (real)1.5 * speed);
		to[k * cells + i] = in[k] + rate * (balance - in[k]);
	}
}

extern "C" __global__ void mutant_flow(const float *f, const unsigned char *solid,
	float *to, float rate, float lid, int nx, int ny)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= nx * ny)
		return;
	if (BY(doubles))
		flow<double>(f, solid, to, rate, lid, nx, ny, i);
	else
		flow<float>(f, solid, to, rate, lid, nx, ny, i);
}

extern "C" __global__ void mutant_flow_reference(const float *f,
	const unsigned char *solid, float *to, float rate, float lid, int nx, int ny)
{
	int cells = nx * ny;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < cells;
		i += gridDim.x * blockDim.x) {
		float in[9], density = 0, ux = 0, uy = 0;
		int x = i % nx, y = i / nx;

		for (int k = 0; k < 9; k++) {
			int sx = (x - along[k] + nx) % nx, sy = y - across[k];

			if (sy < 0 || sy >= ny || solid[sy * nx + sx])
				in[k] = f[back[k] * cells + i];
			else
				in[k] = f[k * cells + sy * nx + sx];
			if (sy >= ny)
				in[k] += 6.0f * weight_of(k) * along[k] * lid;
			density += in[k];
			ux += along[k] * in[k];
			uy += across[k] * in[k];
		}
		ux /= density;
		uy /= density;
		for (int k = 0; k < 9; k++) {
			float u = along[k] * ux + across[k] * uy;
			float balance = weight_of(k) * density *
					(1.0f + 3.0f * u + 4.5f * u * u -
						1.5f * (ux * ux + uy * uy));

			to[k * cells + i] = solid[i] ? f[k * cells + i]
						     : in[k] + rate * (balance - in[k]);
		}
	}
}
