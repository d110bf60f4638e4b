/*
 * The tuner's own kernels: filling, poisoning, checking, comparing, flushing.
 * One source for every device: compiled by NVRTC for a GPU and by the C++
 * compiler for the CPU. All stride over the grid, so any geometry will do.
 * Numbers of elements and fills are those of space/spec.h.
 */

typedef unsigned long long u64;

#define FIRST ((u64)blockIdx.x * blockDim.x + threadIdx.x)
#define STRIDE ((u64)gridDim.x * blockDim.x)

enum { I8 = 1, U8, I16, U16, I32, U32, I64, U64, F32, F64 };
enum { CONSTANT = 1, UNIFORM, NORMAL, SEQUENCE, INDEX };

/* SplitMix64's finalizer: a good hash of (seed, index) */
static __device__ u64 mix(u64 z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

static __device__ double unit(u64 seed, u64 index)
{
	return (double)(mix(seed + (index + 1) * 0x9e3779b97f4a7c15ull) >> 11) *
		(1.0 / 9007199254740992.0);
}

static __device__ double filled(int kind, int real, double a, double b, u64 seed, u64 i)
{
	double u, v;

	switch (kind) {
	case CONSTANT:
		return a;
	case UNIFORM:
		u = unit(seed, i);
		return real ? a + (b - a) * u : floor(a + (b - a + 1.0) * u);
	case NORMAL:
		u = unit(seed, 2 * i);
		v = unit(seed, 2 * i + 1);
		return a + b * (sqrt(-2.0 * log(1.0 - u)) * cos(6.283185307179586 * v));
	case SEQUENCE:
		return a + b * (double)i;
	case INDEX:
		return floor(a * unit(seed, i));
	default:
		return 0.0;
	}
}

static __device__ void store(void *data, u64 i, int element, double value)
{
	switch (element) {
	case I8:
		((signed char *)data)[i] = (signed char)(long long)value;
		break;
	case U8:
		((unsigned char *)data)[i] = (unsigned char)(long long)value;
		break;
	case I16:
		((short *)data)[i] = (short)(long long)value;
		break;
	case U16:
		((unsigned short *)data)[i] = (unsigned short)(long long)value;
		break;
	case I32:
		((int *)data)[i] = (int)(long long)value;
		break;
	case U32:
		((unsigned *)data)[i] = (unsigned)(long long)value;
		break;
	case I64:
		((long long *)data)[i] = (long long)value;
		break;
	case U64:
		((u64 *)data)[i] = (u64)value;
		break;
	case F32:
		((float *)data)[i] = (float)value;
		break;
	default:
		((double *)data)[i] = value;
		break;
	}
}

extern "C" __global__ void at_fill(void *data, u64 count, int element, int kind, double a,
	double b, u64 seed)
{
	int real = element >= F32;

	for (u64 i = FIRST; i < count; i += STRIDE)
		store(data, i, element, filled(kind, real, a, b, seed, i));
}

/* bytes that are not `pattern` are counted; first holds the lowest such offset */
extern "C" __global__ void at_pattern_check(const unsigned char *data, u64 bytes,
	unsigned pattern, u64 *count_and_first)
{
	for (u64 i = FIRST; i < bytes; i += STRIDE)
		if (data[i] != (unsigned char)pattern) {
			atomicAdd(&count_and_first[0], (u64)1);
			atomicMin(&count_and_first[1], i);
		}
}

extern "C" __global__ void at_pattern(unsigned char *data, u64 bytes, unsigned pattern)
{
	for (u64 i = FIRST; i < bytes; i += STRIDE)
		data[i] = (unsigned char)pattern;
}

/* a checksum that does not depend on the order: the sum of mixed (index, word) */
extern "C" __global__ void at_checksum(const unsigned *data, u64 words, u64 *sum)
{
	u64 local = 0;

	for (u64 i = FIRST; i < words; i += STRIDE)
		local += mix(((i + 1) << 32) ^ ((u64)data[i] * 0x9e3779b97f4a7c15ull));
	if (local)
		atomicAdd(sum, local);
}

static __device__ double load(const void *data, u64 i, int element)
{
	switch (element) {
	case I8:
		return ((const signed char *)data)[i];
	case U8:
		return ((const unsigned char *)data)[i];
	case I16:
		return ((const short *)data)[i];
	case U16:
		return ((const unsigned short *)data)[i];
	case I32:
		return ((const int *)data)[i];
	case U32:
		return ((const unsigned *)data)[i];
	case F32:
		return ((const float *)data)[i];
	case F64:
		return ((const double *)data)[i];
	default:
		return 0.0;
	}
}

/* |a - b| of 64-bit integers, which doubles cannot hold */
static __device__ double distance64(u64 a, u64 b, int is_signed)
{
	int a_is_less = is_signed ? (long long)a < (long long)b : a < b;

	return (double)(a_is_less ? b - a : a - b);
}

/*
 * result[0] mismatches, [1] the lowest index of one, [2] the largest relative
 * error among finite pairs as the bits of a double, [3] expected values that are
 * not finite. Written so that a NaN on either side is a mismatch.
 */
extern "C" __global__ void at_compare(const void *actual, const void *expected, u64 count,
	int element, double rtol, double atol, u64 *result)
{
	double worst = 0.0;
	u64 mismatches = 0, first = ~(u64)0, odd = 0;

	for (u64 i = FIRST; i < count; i += STRIDE) {
		double difference, magnitude;
		int same;

		if (element == I64 || element == U64) {
			u64 a = ((const u64 *)actual)[i], e = ((const u64 *)expected)[i];

			difference = distance64(a, e, element == I64);
			magnitude = element == I64 ? fabs((double)(long long)e) : (double)e;
			same = a == e;
		} else {
			double a = load(actual, i, element), e = load(expected, i, element);

			/* equal infinities are equal, though their difference is NaN */
			same = a == e;
			difference = fabs(a - e);
			magnitude = fabs(e);
			if (!(magnitude <= 1.7976931348623157e308))
				odd++;
		}
		if (!(same || (difference <= atol + rtol * magnitude &&
				      magnitude <= 1.7976931348623157e308))) {
			mismatches++;
			if (i < first)
				first = i;
		}
		if (!same && magnitude > atol && difference <= 1.7976931348623157e308 &&
			difference / magnitude > worst)
			worst = difference / magnitude;
	}
	if (mismatches) {
		atomicAdd(&result[0], mismatches);
		atomicMin(&result[1], first);
	}
	if (worst > 0.0)
		atomicMax(&result[2], (u64)__double_as_longlong(worst));
	if (odd)
		atomicAdd(&result[3], odd);
}

/* reads all of it and leaves no dirty line behind */
extern "C" __global__ void at_flush(const uint4 *data, u64 count, unsigned *sink)
{
	unsigned sum = 0;

	for (u64 i = FIRST; i < count; i += STRIDE) {
		uint4 v = data[i];

		sum += v.x ^ v.y ^ v.z ^ v.w;
	}
	if (sum == 0x9e3779b9u) /* never true for the zeros that lie there */
		*sink = sum;
}
