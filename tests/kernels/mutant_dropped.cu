/*
 * Values left out by Philox with ten rounds, four at a time, and a residual. MISTAKE
 * none is sound.
 *
 * seven_rounds  seven rounds
 * no_offset     the counter begins at 0
 * low_seed      the low half of the seed
 * no_scale      does not scale what stays
 * scale_2       scales by 2
 * no_residual   no residual
 * seed_folded   the seed of the space
 * first_three   the last of four is another
 * tail          leaves out the last three
 *
 * Each METHOD is sound:
 *
 * products      by products of 64 bits
 * high          by __umulhi
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ void rounds(unsigned *c, unsigned k0, unsigned k1, int count)
{
	for (int i = 0; i < count; i++) {
		unsigned long long p, q;
		unsigned a, b, e, f;

		if (BY(high)) {
			a = __umulhi(0xD2511F53u, c[0]);
			b = 0xD2511F53u * c[0];
			e = __umulhi(0xCD9E8D57u, c[2]);
			f = 0xCD9E8D57u * c[2];
		} else {
			p = 0xD2511F53ull * c[0];
			q = 0xCD9E8D57ull * c[2];
			a = (unsigned)(p >> 32);
			b = (unsigned)p;
			e = (unsigned)(q >> 32);
			f = (unsigned)q;
		}
		c[0] = e ^ c[1] ^ k0;
		c[2] = a ^ c[3] ^ k1;
		c[1] = f;
		c[3] = b;
		k0 += 0x9E3779B9u;
		k1 += 0xBB67AE85u;
	}
}

extern "C" __global__ void mutant_dropped(const float *x, const float *residual, float *y,
	unsigned char *mask, float p, unsigned long long seed,
	unsigned long long offset, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned long long counter = (IS(no_offset) ? 0 : offset) + (unsigned)i;
	unsigned c[4] = { (unsigned)counter, (unsigned)(counter >> 32), 0, 0 };

	if (IS(seed_folded))
		seed = 1234;
	rounds(c, (unsigned)seed, IS(low_seed) ? 0 : (unsigned)(seed >> 32),
		IS(seven_rounds) ? 7 : 10);
	if (IS(first_three))
		c[3] = c[2];
	for (int k = 0; k < 4 && 4 * i + k < (IS(tail) && n > 3 ? n - 3 : n); k++) {
		bool stays = (c[k] >> 8) * (1.0f / 16777216.0f) >= p;
		float scale = IS(no_scale)  ? 1.0f
			      : IS(scale_2) ? 2.0f
					    : 1.0f / (1.0f - p);

		mask[4 * i + k] = stays;
		y[4 * i + k] = (stays ? x[4 * i + k] * scale : 0.0f) +
			       (IS(no_residual) ? 0.0f : residual[4 * i + k]);
	}
}

extern "C" __global__ void mutant_dropped_reference(const float *x, const float *residual,
	float *y, unsigned char *mask, float p, unsigned long long seed,
	unsigned long long offset, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
		i += gridDim.x * blockDim.x) {
		unsigned long long counter = offset + i / 4;
		unsigned c[4] = { (unsigned)counter, (unsigned)(counter >> 32), 0, 0 };
		unsigned k0 = (unsigned)seed, k1 = (unsigned)(seed >> 32);

		for (int r = 0; r < 10; r++) {
			unsigned long long a = 0xD2511F53ull * c[0],
					   b = 0xCD9E8D57ull * c[2];

			c[0] = (unsigned)(b >> 32) ^ c[1] ^ k0;
			c[2] = (unsigned)(a >> 32) ^ c[3] ^ k1;
			c[1] = (unsigned)b;
			c[3] = (unsigned)a;
			k0 += 0x9E3779B9u;
			k1 += 0xBB67AE85u;
		}
		mask[i] = (c[i % 4] >> 8) * (1.0f / 16777216.0f) >= p;
		y[i] = (mask[i] ? x[i] / (1 - p) : 0) + residual[i];
	}
}
