/*
 * cuRAND's device functions for the device "host": the generators XORWOW (which
 * curandState is) and Philox4x32-10, with the numbers that a GPU gives. Uniform ones are
 * the same to the last bit; normal ones go through log() and sin(), and may differ in it.
 */
#ifndef AT_HOST_CURAND_KERNEL_H
#define AT_HOST_CURAND_KERNEL_H

/* Normal numbers come in pairs, of which the second is kept. States are as large as
   cuRAND's: there are buffers of them. */
#define AT_CURAND_KEPT \
	int boxmuller_flag, boxmuller_flag_double; \
	float boxmuller_extra; \
	double boxmuller_extra_double;
enum { AT_HOST_CURAND_NORMAL = 1, AT_HOST_CURAND_LOG_NORMAL = 2 };

/* ---- Philox4x32-10 (Salmon, Moraes, Dror and Shaw, 2011) ---- */

struct alignas(16) curandStatePhilox4_32_10 {
	unsigned long long at_low, at_high; /* the counter */
	unsigned at_output[4];
	unsigned long long at_key;
	unsigned at_next;
	AT_CURAND_KEPT
};
static_assert(sizeof(curandStatePhilox4_32_10) == 64, "");
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

AT_HOST_INLINE void at_host_philox(curandStatePhilox4_32_10 *at_state)
{
	unsigned at_c[4] = { (unsigned)at_state->at_low, (unsigned)(at_state->at_low >> 32), (unsigned)at_state->at_high,
		(unsigned)(at_state->at_high >> 32) };
	unsigned at_k0 = (unsigned)at_state->at_key, at_k1 = (unsigned)(at_state->at_key >> 32);

	for (int i = 0; i < 10; i++) {
		unsigned long long at_0 = 0xd2511f53ull * at_c[0], at_1 = 0xcd9e8d57ull * at_c[2];
		unsigned at_new[4] = { (unsigned)(at_1 >> 32) ^ at_c[1] ^ at_k0, (unsigned)at_1,
			(unsigned)(at_0 >> 32) ^ at_c[3] ^ at_k1, (unsigned)at_0 };
		__builtin_memcpy(at_c, at_new, sizeof(at_c));
		at_k0 += 0x9e3779b9u;
		at_k1 += 0xbb67ae85u;
	}
	__builtin_memcpy(at_state->at_output, at_c, sizeof(at_c));
}
AT_HOST_INLINE void at_host_philox_add(curandStatePhilox4_32_10 *at_state, unsigned long long at_count)
{
	at_state->at_low += at_count;
	at_state->at_high += at_state->at_low < at_count;
	at_host_philox(at_state);
}
AT_HOST_INLINE unsigned curand(curandStatePhilox4_32_10 *at_state)
{
	unsigned at_value = at_state->at_output[at_state->at_next++];

	if (at_state->at_next == 4) {
		at_state->at_next = 0;
		at_host_philox_add(at_state, 1);
	}
	return at_value;
}
AT_HOST_INLINE uint4 curand4(curandStatePhilox4_32_10 *at_state)
{
	uint4 at_all;

	at_all.x = curand(at_state);
	at_all.y = curand(at_state);
	at_all.z = curand(at_state);
	at_all.w = curand(at_state);
	return at_all;
}
AT_HOST_INLINE void skipahead(unsigned long long at_count, curandStatePhilox4_32_10 *at_state)
{
	at_state->at_next += (unsigned)(at_count & 3);
	at_host_philox_add(at_state, at_count / 4 + at_state->at_next / 4);
	at_state->at_next %= 4;
}
AT_HOST_INLINE void skipahead_sequence(unsigned long long at_count, curandStatePhilox4_32_10 *at_state)
{
	at_state->at_high += at_count;
	at_host_philox(at_state);
}
AT_HOST_INLINE void curand_init(unsigned long long at_seed, unsigned long long at_sequence, unsigned long long at_offset,
	curandStatePhilox4_32_10 *at_state)
{
	*at_state = curandStatePhilox4_32_10();
	at_state->at_key = at_seed;
	skipahead_sequence(at_sequence, at_state);
	skipahead(at_offset, at_state);
}

/* ---- XORWOW (Marsaglia, 2003) ---- */

struct curandStateXORWOW {
	unsigned d, v[5];
	AT_CURAND_KEPT
};
static_assert(sizeof(curandStateXORWOW) == 48, "");
#undef AT_CURAND_KEPT
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandState;

AT_HOST_INLINE void at_host_xorwow(unsigned *at_v)
{
	unsigned at_t = at_v[0] ^ at_v[0] >> 2;

	for (int i = 0; i < 4; i++)
		at_v[i] = at_v[i + 1];
	at_v[4] = at_v[4] ^ at_v[4] << 4 ^ at_t ^ at_t << 1;
}
AT_HOST_INLINE unsigned curand(curandStateXORWOW *at_state)
{
	at_host_xorwow(at_state->v);
	at_state->d += 362437;
	return at_state->v[4] + at_state->d;
}

/* 2 to the k steps at once, for each k: what becomes of each of the 160 bits. A sequence is
   2 to the 67 steps long. */
enum { AT_HOST_XORWOW_BITS = 160, AT_HOST_XORWOW_SEQUENCE = 67, AT_HOST_XORWOW_JUMPS = AT_HOST_XORWOW_SEQUENCE + 64 };
struct at_host_xorwow_jumps {
	unsigned at_of[AT_HOST_XORWOW_JUMPS][AT_HOST_XORWOW_BITS][5];
};
AT_HOST_INLINE void at_host_xorwow_jump(const unsigned (*at_jump)[5], unsigned *at_v)
{
	unsigned at_sum[5] = { 0 };

	for (int i = 0; i < AT_HOST_XORWOW_BITS; i++)
		if (at_v[i / 32] >> i % 32 & 1)
			for (int j = 0; j < 5; j++)
				at_sum[j] ^= at_jump[i][j];
	__builtin_memcpy(at_v, at_sum, sizeof(at_sum));
}
/* Made once, in 5 ms, by whoever needs it first. */
static __attribute__((noinline, unused)) const at_host_xorwow_jumps *at_host_xorwow_all_jumps()
{
	static at_host_xorwow_jumps at_all;
	static int at_made; /* 1: is being made; 2: is there */
	int at_none = 0;

	if (__atomic_load_n(&at_made, __ATOMIC_ACQUIRE) == 2)
		return &at_all;
	if (!__atomic_compare_exchange_n(&at_made, &at_none, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
		while (__atomic_load_n(&at_made, __ATOMIC_ACQUIRE) != 2)
			at_host_turn();
		return &at_all;
	}
	for (int i = 0; i < AT_HOST_XORWOW_BITS; i++) {
		at_all.at_of[0][i][i / 32] = 1u << i % 32;
		at_host_xorwow(at_all.at_of[0][i]);
	}
	for (int k = 1; k < AT_HOST_XORWOW_JUMPS; k++)
		for (int i = 0; i < AT_HOST_XORWOW_BITS; i++) {
			__builtin_memcpy(at_all.at_of[k][i], at_all.at_of[k - 1][i], sizeof(at_all.at_of[k][i]));
			at_host_xorwow_jump(at_all.at_of[k - 1], at_all.at_of[k][i]);
		}
	__atomic_store_n(&at_made, 2, __ATOMIC_RELEASE);
	return &at_all;
}
AT_HOST_INLINE void at_host_xorwow_skip(curandStateXORWOW *at_state, unsigned long long at_count, int at_first)
{
	for (int k = 0; at_count >> k && k < 64; k++)
		if (at_count >> k & 1)
			at_host_xorwow_jump(at_host_xorwow_all_jumps()->at_of[at_first + k], at_state->v);
}
AT_HOST_INLINE void skipahead(unsigned long long at_count, curandStateXORWOW *at_state)
{
	at_host_xorwow_skip(at_state, at_count, 0);
	at_state->d += 362437 * (unsigned)at_count;
}
AT_HOST_INLINE void skipahead_sequence(unsigned long long at_count, curandStateXORWOW *at_state)
{ at_host_xorwow_skip(at_state, at_count, AT_HOST_XORWOW_SEQUENCE); }
AT_HOST_INLINE void curand_init(unsigned long long at_seed, unsigned long long at_sequence, unsigned long long at_offset,
	curandStateXORWOW *at_state)
{
	unsigned at_low = 1099087573u * ((unsigned)at_seed ^ 0xaad26b49u);
	unsigned at_high = 2591861531u * ((unsigned)(at_seed >> 32) ^ 0xf7dcefddu);

	*at_state = curandStateXORWOW();
	at_state->d = 6615241u + at_high + at_low;
	at_state->v[0] = 123456789u + at_low;
	at_state->v[1] = 362436069u ^ at_low;
	at_state->v[2] = 521288629u + at_high;
	at_state->v[3] = 88675123u ^ at_high;
	at_state->v[4] = 5783321u + at_low;
	skipahead_sequence(at_sequence, at_state);
	skipahead(at_offset, at_state);
}

/* ---- Distributions ---- */

AT_HOST_INLINE float at_host_curand_unit(unsigned at_x) { return (float)at_x * 0x1p-32f + 0x1p-33f; }
AT_HOST_INLINE double at_host_curand_unit(unsigned at_x, unsigned at_y)
{ return (double)(at_x ^ (unsigned long long)at_y << 21) * 0x1p-53 + 0x1p-54; }
AT_HOST_INLINE float2 at_host_curand_pair(unsigned at_x, unsigned at_y)
{
	const float at_turn = 0x1p-32f * 6.2831855f;
	float at_far = sqrtf(-2.0f * logf(at_host_curand_unit(at_x))), at_angle = (float)at_y * at_turn + at_turn / 2;

	return float2{ sinf(at_angle) * at_far, cosf(at_angle) * at_far };
}
AT_HOST_INLINE double2 at_host_curand_pair(unsigned at_x0, unsigned at_x1, unsigned at_y0, unsigned at_y1)
{
	double at_far = sqrt(-2.0 * log(at_host_curand_unit(at_x0, at_x1)));
	double at_sine, at_cosine;

	sincospi(2 * at_host_curand_unit(at_y0, at_y1), &at_sine, &at_cosine);
	return double2{ at_sine * at_far, at_cosine * at_far };
}

#define AT_CURAND(at_State) \
	AT_HOST_INLINE float curand_uniform(at_State *at_state) { return at_host_curand_unit(curand(at_state)); } \
	AT_HOST_INLINE float2 curand_normal2(at_State *at_state) \
	{ unsigned at_x = curand(at_state), at_y = curand(at_state); return at_host_curand_pair(at_x, at_y); } \
	AT_HOST_INLINE double2 curand_normal2_double(at_State *at_state) \
	{ \
		unsigned at_x0 = curand(at_state), at_x1 = curand(at_state), at_y0 = curand(at_state), at_y1 = curand(at_state); \
		return at_host_curand_pair(at_x0, at_x1, at_y0, at_y1); \
	} \
	AT_HOST_INLINE float2 curand_log_normal2(at_State *at_state, float at_mean, float at_deviation) \
	{ \
		float2 at_pair = curand_normal2(at_state); \
		return float2{ expf(at_mean + at_deviation * at_pair.x), expf(at_mean + at_deviation * at_pair.y) }; \
	} \
	AT_HOST_INLINE double2 curand_log_normal2_double(at_State *at_state, double at_mean, double at_deviation) \
	{ \
		double2 at_pair = curand_normal2_double(at_state); \
		return double2{ exp(at_mean + at_deviation * at_pair.x), exp(at_mean + at_deviation * at_pair.y) }; \
	} \
	AT_CURAND_ONE(at_State, curand_normal, float, float2, , (at_State *at_state), curand_normal2(at_state), NORMAL) \
	AT_CURAND_ONE(at_State, curand_normal_double, double, double2, _double, (at_State *at_state), \
		curand_normal2_double(at_state), NORMAL) \
	AT_CURAND_ONE(at_State, curand_log_normal, float, float2, , (at_State *at_state, float at_mean, float at_deviation), \
		curand_log_normal2(at_state, at_mean, at_deviation), LOG_NORMAL) \
	AT_CURAND_ONE(at_State, curand_log_normal_double, double, double2, _double, \
		(at_State *at_state, double at_mean, double at_deviation), \
		curand_log_normal2_double(at_state, at_mean, at_deviation), LOG_NORMAL)
#define AT_CURAND_ONE(at_State, at_name, at_type, at_pair_type, at_suffix, at_parameters, at_draw, at_kind) \
	AT_HOST_INLINE at_type at_name at_parameters \
	{ \
		if (at_state->boxmuller_flag##at_suffix == AT_HOST_CURAND_##at_kind) { \
			at_state->boxmuller_flag##at_suffix = 0; \
			return at_state->boxmuller_extra##at_suffix; \
		} \
		at_pair_type at_pair = at_draw; \
		at_state->boxmuller_flag##at_suffix = AT_HOST_CURAND_##at_kind; \
		at_state->boxmuller_extra##at_suffix = at_pair.y; \
		return at_pair.x; \
	}
AT_CURAND(curandStatePhilox4_32_10)
AT_CURAND(curandStateXORWOW)
#undef AT_CURAND
#undef AT_CURAND_ONE

AT_HOST_INLINE double curand_uniform_double(curandStateXORWOW *at_state)
{ unsigned at_x = curand(at_state), at_y = curand(at_state); return at_host_curand_unit(at_x, at_y); }
AT_HOST_INLINE double curand_uniform_double(curandStatePhilox4_32_10 *at_state)
{ return curand(at_state) * 0x1p-32 + 0x1p-32; }
AT_HOST_INLINE float4 curand_uniform4(curandStatePhilox4_32_10 *at_state)
{
	uint4 at_all = curand4(at_state);
	return float4{ at_host_curand_unit(at_all.x), at_host_curand_unit(at_all.y), at_host_curand_unit(at_all.z), at_host_curand_unit(at_all.w) };
}
AT_HOST_INLINE double2 curand_uniform2_double(curandStatePhilox4_32_10 *at_state)
{
	uint4 at_all = curand4(at_state);
	return double2{ at_host_curand_unit(at_all.x, at_all.y), at_host_curand_unit(at_all.z, at_all.w) };
}
AT_HOST_INLINE float4 curand_normal4(curandStatePhilox4_32_10 *at_state)
{
	float2 at_first = curand_normal2(at_state), at_second = curand_normal2(at_state);
	return float4{ at_first.x, at_first.y, at_second.x, at_second.y };
}
AT_HOST_INLINE float4 curand_log_normal4(curandStatePhilox4_32_10 *at_state, float at_mean, float at_deviation)
{
	float2 at_first = curand_log_normal2(at_state, at_mean, at_deviation);
	float2 at_second = curand_log_normal2(at_state, at_mean, at_deviation);
	return float4{ at_first.x, at_first.y, at_second.x, at_second.y };
}

#endif
