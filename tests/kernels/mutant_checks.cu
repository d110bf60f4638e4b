/*
 * Cyclic checks and sums of texts of some length. MISTAKE none is sound.
 *
 * whole           all of a row
 * by_fours        four letters at a time
 * folded          the polynomial of the space
 * no_start        begins at 0
 * signed_letters  letters with a sign
 * not_inverted    not inverted at the end
 * late_modulus    sums in 16 bits
 * empty_zero      nothing has 0
 *
 * Each METHOD is sound:
 *
 * table           by a table of sixteen
 * bits            bit by bit
 * apart           both apart
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ unsigned stepped(unsigned crc, unsigned polynomial, int bits)
{
	for (int b = 0; b < bits; b++)
		crc = crc >> 1 ^ (crc & 1 ? polynomial : 0);
	return crc;
}

extern "C" __global__ void mutant_checks(const unsigned char *text, const int *length, unsigned *crc,
	unsigned *adler, unsigned polynomial, unsigned start, int rows, int l)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x, end;
	unsigned value, a = 1, b = 0, table[16];

	if (row >= rows)
		return;
	text += (long long)row * l;
	end = IS(whole) ? l : length[row];
	if (IS(by_fours))
		end = end / 4 * 4;
	if (IS(folded))
		polynomial = 3988292384u;
	value = ~(IS(no_start) ? 0 : start);
	if (BY(table)) {
		for (int i = 0; i < 16; i++)
			table[i] = stepped(i, polynomial, 4);
		for (int i = 0; i < end; i++) {
			value ^= text[i];
			value = value >> 4 ^ table[value & 15];
			value = value >> 4 ^ table[value & 15];
		}
	} else {
		for (int i = 0; i < end; i++)
			value = stepped(value ^ (IS(signed_letters) ? (unsigned)(signed char)text[i] : text[i]), polynomial, 8);
	}
	for (int i = 0; i < end; i++) {
		if (IS(late_modulus)) {
			a = (unsigned short)(a + text[i]);
			b = (unsigned short)(b + a);
		} else {
			a = (a + text[i]) % 65521;
			b = (b + a) % 65521;
		}
	}
	crc[row] = IS(not_inverted) ? value : ~value;
	adler[row] = b << 16 | a;
	if (IS(empty_zero) && end == 0)
		adler[row] = 0;
}

extern "C" __global__ void mutant_checks_reference(const unsigned char *text, const int *length,
	unsigned *crc, unsigned *adler, unsigned polynomial, unsigned start, int rows, int l)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += gridDim.x * blockDim.x) {
		unsigned value = ~start, a = 1, b = 0;

		for (int i = 0; i < length[row]; i++) {
			value ^= text[row * l + i];
			for (int k = 0; k < 8; k++)
				value = value & 1 ? value >> 1 ^ polynomial : value >> 1;
			a = (a + text[row * l + i]) % 65521;
			b = (b + a) % 65521;
		}
		crc[row] = ~value;
		adler[row] = b << 16 | a;
	}
}
