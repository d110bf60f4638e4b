/*
 * What kernels do with floats, and must compile if these are of a class that rounds at
 * random (tuner/kernel/rounded.cu). 1.5f in a comment, "1.5f" and 'f' are no numbers.
 */
#define GAIN 1.25e-1f
static __device__ const char *text = "0.5f \" 1.f";
__constant__ float weights[3] = { 0.25f, .5f, 0x1p-2f };
union both { float real; int whole; };

static __device__ float chosen(int i) { return i == 0 ? 0.3f : i < 0 ? -1.0f : 2.f; }
template <class T> static __device__ T twice(T x) { return x + x; }

extern "C" __global__ void rounded(const unsigned char *x, unsigned char *y, float *sum, float factor, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		y[i] = (unsigned char)(x[i] * factor);
}

extern "C" __global__ void rounded_reference(
	const unsigned char *x, unsigned char *y, float *sum, float factor, int n)
{
	__shared__ float row[256];
	float some[4] = { 0.0f, 1, factor, GAIN }, total = 0, part = x[0] * 0.1f;
	int t = threadIdx.x;

	row[t % 256] = x[t % n];
	__syncthreads();
	for (int i = t; i < n; i += blockDim.x) {
		float value = x[i], other = (float)x[i] / 3;
		unsigned char byte = value;
		int whole = (int)(value + 0.5f), near = __float2int_rn(value * 0.3f), floored = floorf(other);
		union both bits;
		float4 four = make_float4(1.0f, 2.0f, 3.0f, 4.0f);

		bits.real = value;
		value += weights[i % 3] * some[i & 3] - chosen(i) * row[i % 256];
		value = value > 255.0f ? 255.0f : value < 0 ? 0.0f : value;
		value *= i;
		value = fmaxf(fminf(value, 255), 0.0f) + max(part, other) + min(value, 1.0f) + fabsf(-value);
		value = fmaf(value, 0.5f, other) + sqrtf(value) + powf(value, 2) + twice(other) + rintf(value);
		value += four.x * 0.1 + __expf(-value) + expf(part) + (value == other) + !(value != 0);
		value = i % 5 ? value : 0;
		value += i ? -1 : value < 9 ? value : 2.0f * (i > 3 ? 1 : 0);
		const char *none = i ? text : nullptr;
		enum { SIX = sizeof(int) == 4 ? 6 : 7 };
		int places[SIX] = { i ? 1 : 0 };
		switch (i) {
		case 1: value += places[0] * (none ? 3 : 0x10) + 2u; break;
		default: whole = i < 0 ? 3 : whole;
		}
		four.y += value;
		value = value / 7 + __shfl_down_sync(0xffffffffu, value, 1) + four.y;
		sincosf(part, &part, &other);
		sincospif(other, &four.x, &four.z);
		value += modff(part, &other) + frexpf(other, &whole);
		if (value)
			total++;
		total += (double)value + __int_as_float(bits.whole) + __float_as_int(part) + __ldg(sum + 1);
		y[i] = (unsigned char)((whole + near + floored + byte) * 0.25f + 1e-3f);
		sum[1] -= (float)text[0];
	}
	atomicAdd(&sum[0], total);
	atomicAdd(sum, 1.0f);
}
