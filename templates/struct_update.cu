/*
 * n particles on a line, each a position and a velocity, one step on, in place:
 * with both fields (used = 2) position += step * velocity, velocity *= damping;
 * with one (used = 1) only position *= damping, and what the velocities cost then
 * is the layout's doing.
 *
 * LAYOUT  aos: { position, velocity } one after another, aligned as floats;
 *         aos_aligned: the same, aligned as a pair; soa: all positions, then all
 *         velocities; aosoa: blocks of WIDTH positions and WIDTH velocities
 * WIDTH   of an aosoa block
 * BLOCK   threads of a block
 * UNROLL  particles of a thread, BLOCK apart: all loads before the stores
 *
 * pitch: n rounded up to whole aosoa blocks; an array of soa has as many floats.
 */
#if LAYOUT == LAYOUT_soa
#define AT(i, field) ((field) * pitch + (i))
#elif LAYOUT == LAYOUT_aosoa
#define AT(i, field) ((i) / WIDTH * (2 * WIDTH) + (field) * WIDTH + (i) % WIDTH)
#else
#define AT(i, field) (2 * (i) + (field))
#endif

/* the first `used` fields of particle i */
static __device__ __forceinline__ float2 load(const float *packed, size_t pitch, size_t i,
	int used)
{
#if LAYOUT == LAYOUT_aos_aligned
	if (used == 2)
		return *(const float2 *)(packed + AT(i, 0));
#endif
	return make_float2(packed[AT(i, 0)], used == 2 ? packed[AT(i, 1)] : 0.0f);
}

static __device__ __forceinline__ void store(float *packed, size_t pitch, size_t i, int used,
	float2 particle)
{
#if LAYOUT == LAYOUT_aos_aligned
	if (used == 2) {
		*(float2 *)(packed + AT(i, 0)) = particle;
		return;
	}
#endif
	packed[AT(i, 0)] = particle.x;
	if (used == 2)
		packed[AT(i, 1)] = particle.y;
}

static __device__ __forceinline__ float2 move(float2 particle, int used, float step,
	float damping)
{
	if (used == 1)
		return make_float2(particle.x * damping, particle.y);
	return make_float2(particle.x + step * particle.y, particle.y * damping);
}

static __device__ __forceinline__ void update(float *packed, size_t n, size_t pitch, int used,
	float step, float damping)
{
	const size_t first = (size_t)blockIdx.x * BLOCK * UNROLL + threadIdx.x;
	float2 kept[UNROLL];

#pragma unroll
	for (int j = 0; j < UNROLL; j++)
		if (first + j * BLOCK < n)
			kept[j] = load(packed, pitch, first + j * BLOCK, used);
#pragma unroll
	for (int j = 0; j < UNROLL; j++)
		if (first + j * BLOCK < n)
			store(packed, pitch, first + j * BLOCK, used,
				move(kept[j], used, step, damping));
}

extern "C" __global__ void __launch_bounds__(BLOCK)
struct_update(float *packed, long long n, long long pitch, int used, float step, float damping)
{
	/* a constant for the compiler on either side */
	if (used == 1)
		update(packed, n, pitch, 1, step, damping);
	else
		update(packed, n, pitch, 2, step, damping);
}

extern "C" __global__ void to_layout(const float2 *particles, float *packed, long long n,
	long long pitch)
{
	const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		store(packed, pitch, i, 2, particles[i]);
}

extern "C" __global__ void from_layout(const float *packed, float2 *moved, long long n,
	long long pitch)
{
	const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		moved[i] = load(packed, pitch, i, 2);
}

extern "C" __global__ void struct_update_reference(const float2 *particles, float2 *moved,
	long long n, int used, float step, float damping)
{
	const size_t stride = (size_t)gridDim.x * blockDim.x;

	for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
		moved[i] = move(particles[i], used, step, damping);
}
