/*
 * Sums of long numbers, of 32 bits a limb, and what is carried out of them. MISTAKE none is
 * sound.
 *
 * none_carried   limbs by themselves
 * from_neighbour what is carried into the neighbour goes no further
 * two_back       nor further than two limbs
 * eight_back     nor further than eight
 * word_back      nor further than sixteen
 * equal_too      a sum that equals its first number has carried
 * no_carry_in    nothing comes in
 * no_carry_out   nothing goes out
 * limbs_20       the limbs of the space
 *
 * Each METHOD is sound:
 *
 * back  each limb looks back for what comes in
 * row   a thread for each number
 * wide  the same in 64 bits
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_carried(const unsigned *a, const unsigned *b, unsigned *y,
	unsigned *over, int carry_in, int n, int l)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, row, limb;
	unsigned carry = 0;

	if (IS(no_carry_in))
		carry_in = 0;
	if (BY(row) || BY(wide)) {
		unsigned long long sum = carry_in != 0;

		if (i >= n)
			return;
		carry = carry_in != 0;
		for (int k = 0; k < l; k++) {
			unsigned one = a[i * l + k], other = b[i * l + k], both = one + other;

			if (BY(wide)) {
				sum += (unsigned long long)one + other;
				y[i * l + k] = (unsigned)sum;
				sum >>= 32;
			} else {
				y[i * l + k] = both + carry;
				carry = both < one || both + carry < both;
			}
		}
		over[i] = BY(wide) ? (unsigned)sum : carry;
		return;
	}
	if (IS(limbs_20))
		l = 20;
	if (i >= n * l)
		return;
	row = i / l;
	limb = i % l;
	for (int last = limb; last <= limb + (limb == l - 1); last++) {
		int k = last - 1, most = IS(from_neighbour) ? 1
				: IS(two_back)		    ? 2
				: IS(eight_back)	    ? 8
				: IS(word_back)		    ? 16
							    : l;

		/* a limb of all ones hands on what comes into it */
		while (k >= 0 && most-- > 0 && a[row * l + k] + b[row * l + k] == 0xffffffffu)
			k--;
		carry = k < 0 ? carry_in != 0 : 0;
		if (k >= 0) {
			unsigned sum = a[row * l + k] + b[row * l + k];

			carry = IS(equal_too) ? b[row * l + k] && sum <= a[row * l + k] + carry_in
					      : sum < a[row * l + k];
		}
		if (IS(none_carried))
			carry = 0;
		if (last == limb)
			y[i] = a[i] + b[i] + carry;
		else
			over[row] = IS(no_carry_out) ? 0 : carry;
	}
}

extern "C" __global__ void mutant_carried_reference(const unsigned *a, const unsigned *b,
	unsigned *y, unsigned *over, int carry_in, int n, int l)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		unsigned long long sum = carry_in != 0;

		for (int k = 0; k < l; k++) {
			sum += (unsigned long long)a[i * l + k] + b[i * l + k];
			y[i * l + k] = (unsigned)sum;
			sum >>= 32;
		}
		over[i] = (unsigned)sum;
	}
}
