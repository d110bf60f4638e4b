/*
 * A step of the wave equation with its own speed everywhere; the ends meet, or stay at
 * 0. MISTAKE none is sound.
 *
 * no_wrap       ends are always 0
 * always_wrap   ends always meet
 * one_spacing   one spacing for all axes
 * no_speed      a speed of 1
 * no_damping    no damping
 * no_source     no source
 * speed_once    the speed and not its square
 * axes_swapped  takes y for z
 * cube          all axes as long as the first
 * two_axes      leaves out an axis
 *
 * Each METHOD is sound:
 *
 * fused         by fmaf
 * inverse       inverse squares of spacings
 * other_order   axes the other way
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ float at(
	const float *u, int x, int y, int z, int nx, int ny, int nz, int periodic)
{
	if (x < 0 || x >= nx || y < 0 || y >= ny || z < 0 || z >= nz) {
		if (!(periodic || IS(always_wrap)) || IS(no_wrap))
			return 0.0f;
		x = (x + nx) % nx;
		y = (y + ny) % ny;
		z = (z + nz) % nz;
	}
	return u[(z * ny + y) * nx + x];
}

extern "C" __global__ void mutant_periodic(const float *u, float *old, const float *c,
	const float *source, float dt, float dx, float dy, float dz, float damping,
	int nx, int ny, int nz, int periodic)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % nx, y = i / nx % ny,
	    z = i / nx / ny;
	float a, b, e, sum, speed;

	if (z >= nz)
		return;
	if (IS(cube))
		ny = nx;
	if (IS(one_spacing))
		dy = dz = dx;
	a = at(u, x - 1, y, z, nx, ny, nz, periodic) - 2.0f * u[i] +
	    at(u, x + 1, y, z, nx, ny, nz, periodic);
	b = at(u, x, y - 1, z, nx, ny, nz, periodic) - 2.0f * u[i] +
	    at(u, x, y + 1, z, nx, ny, nz, periodic);
	e = at(u, x, y, z - 1, nx, ny, nz, periodic) - 2.0f * u[i] +
	    at(u, x, y, z + 1, nx, ny, nz, periodic);
	if (IS(axes_swapped)) {
		float t = dy;

		dy = dz;
		dz = t;
	}
	if (BY(inverse))
		sum = a * (1.0f / (dx * dx)) + b * (1.0f / (dy * dy)) +
		      e * (1.0f / (dz * dz));
	else if (BY(other_order))
		sum = e / (dz * dz) + b / (dy * dy) + a / (dx * dx);
	else if (BY(fused))
		sum = fmaf(
			a, 1.0f / (dx * dx), fmaf(b, 1.0f / (dy * dy), e / (dz * dz)));
	else
		sum = a / (dx * dx) + b / (dy * dy) +
		      (IS(two_axes) ? 0.0f : e / (dz * dz));
	speed = IS(no_speed) ? 1.0f : IS(speed_once) ? c[i] : c[i] * c[i];
	sum = speed * sum + (IS(no_source) ? 0.0f : source[i]);
	if (!IS(no_damping))
		sum -= damping * (u[i] - old[i]) / dt;
	old[i] = 2.0f * u[i] - old[i] + dt * dt * sum;
}

extern "C" __global__ void mutant_periodic_reference(const float *u, float *old,
	const float *c, const float *source, float dt, float dx, float dy, float dz,
	float damping, int nx, int ny, int nz, int periodic)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nx * ny * nz;
		i += gridDim.x * blockDim.x) {
		int p[3] = { i % nx, i / nx % ny, i / (nx * ny) },
		    n[3] = { nx, ny, nz };
		int step[3] = { 1, nx, nx * ny };
		float spacing[3] = { dx, dy, dz }, sum = 0;

		for (int k = 0; k < 3; k++) {
			float low = p[k] > 0   ? u[i - step[k]]
				    : periodic ? u[i + (n[k] - 1) * step[k]]
					       : 0;
			float high = p[k] < n[k] - 1 ? u[i + step[k]]
				     : periodic      ? u[i - (n[k] - 1) * step[k]]
						     : 0;

			sum += (low - 2 * u[i] + high) / (spacing[k] * spacing[k]);
		}
		sum = c[i] * c[i] * sum + source[i] - damping * (u[i] - old[i]) / dt;
		old[i] = 2 * u[i] - old[i] + dt * dt * sum;
	}
}
