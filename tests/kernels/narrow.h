/*
 * Numbers of 16 and 8 bits without any header of the toolkit: what a kernel that has
 * those does with its own. Rounds to the nearest, ties to even.
 */
struct __align__(2) half_bits
{
	unsigned short code;
};

struct __align__(4) half_pair
{
	half_bits x, y;
};

struct __align__(2) bfloat_bits
{
	unsigned short code;
};

struct e4m3_bits {
	unsigned char code;
};

struct e5m2_bits {
	unsigned char code;
};

/* exponent and fraction of so many bits; numbers are the codes up to `largest` */
static __device__ float to_float(unsigned code, int fraction, int bias, unsigned sign)
{
	unsigned magnitude = code & (sign - 1), exponent = magnitude >> fraction;
	float value;

	if (exponent)
		value = __uint_as_float(
			(exponent + 127 - bias) << 23 |
			(magnitude & ((1u << fraction) - 1)) << (23 - fraction));
	else
		value = (float)magnitude * exp2f((float)(1 - bias - fraction));
	return code & sign ? -value : value;
}

/* by scaling: what is left of the point is the fraction with its hidden bit */
static __device__ unsigned to_code(float value, int fraction, int bias, unsigned sign)
{
	unsigned negative = __float_as_uint(value) >> 31 ? sign : 0;
	float size = fabsf(value);
	int exponent = size > 0.0f ? ilogbf(size) : -1000;

	if (exponent < 1 - bias)
		exponent = 1 - bias;
	return negative + (unsigned)((exponent + bias - 1) << fraction) +
	       (unsigned)rintf(ldexpf(size, fraction - exponent));
}

static __device__ float real(half_bits h)
{
	return to_float(h.code, 10, 15, 0x8000);
}

static __device__ half_bits half_of(float value)
{
	half_bits out = { (unsigned short)to_code(value, 10, 15, 0x8000) };

	return out;
}

static __device__ float real(bfloat_bits b)
{
	return __uint_as_float((unsigned)b.code << 16);
}

static __device__ bfloat_bits bfloat_of(float value)
{
	unsigned bits = __float_as_uint(value);
	bfloat_bits out = { (
		unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16) };

	return out;
}
