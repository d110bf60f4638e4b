/*
 * Digests of messages: blocks of 64 letters, the last ones filled with a bit, zeros and the
 * length in bits, of eight bytes. MISTAKE none is sound.
 *
 * fits_always     the length is in the last block of letters
 * fits_at_56      also where 56 letters are there
 * no_length       no length
 * length_byte     the length in eight bits
 * signed_letters  letters have a sign
 * rounds_12       twelve rounds
 * empty_is_0      an empty message has no block
 * words_only      whole words of a message
 * rest_read       what is behind the message is read, not zeros
 * same_seed       the seed of the space
 *
 * Each METHOD is sound:
 *
 * blocks  block by block
 * bytes   each letter of a block by where it is
 * padded  the last blocks are made first
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ unsigned turned(unsigned x, int by)
{
	return x << by | x >> (32 - by);
}

static __device__ void mix(unsigned *s, const unsigned *word)
{
	unsigned a = s[0], b = s[1], c = s[2], d = s[3];

	for (int k = 0; k < (IS(rounds_12) ? 12 : 16); k++) {
		unsigned f = (b & c) | (~b & d), kept = d;

		f += a + word[k] + 0x9e3779b9u * (k + 1);
		d = c;
		c = b;
		b += turned(f, 5 + k % 4 * 4);
		a = kept;
	}
	s[0] += a;
	s[1] += b;
	s[2] += c;
	s[3] += d;
}

/* the letter at a place of a message that is made up to whole blocks */
static __device__ unsigned letter_at(const unsigned char *m, int at, int length, int end)
{
	unsigned long long bits = (unsigned long long)length * 8;

	if (at < length)
		return IS(signed_letters) ? (unsigned)(int)(signed char)m[at] : m[at];
	if (at == length)
		return 128;
	if (at >= end - 8 && !IS(no_length)) {
		unsigned byte = (unsigned)(bits >> 8 * (at - (end - 8)) & 255);

		return IS(length_byte) && at != end - 8 ? 0 : byte;
	}
	return 0;
}

extern "C" __global__ void mutant_digested(const unsigned char *letters, const int *length,
	unsigned *digest, unsigned seed, int room, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, l, end;
	const unsigned char *m = letters + (size_t)i * room;
	unsigned s[4], word[16];
	unsigned char last[128];

	if (i >= n)
		return;
	if (IS(same_seed))
		seed = 19;
	l = min(max(length[i], 0), room);
	if (IS(words_only))
		l = l / 4 * 4;
	end = (l + 1 + (IS(fits_always) ? 0 : IS(fits_at_56) ? 7 : 8) + 63) / 64 * 64;
	for (int k = 0; k < 4; k++)
		s[k] = seed * (k + 1);
	if (IS(empty_is_0) && l == 0)
		end = 0;
	if (BY(padded)) {
		int from = l / 64 * 64;

		for (int k = 0; k < end - from; k++)
			last[k] = (unsigned char)letter_at(m, from + k, l, end);
		for (int at = 0; at < end; at += 64) {
			for (int k = 0; k < 16; k++) {
				const unsigned char *four = at < from ? m + at + 4 * k : last + at - from + 4 * k;

				word[k] = four[0] | four[1] << 8 | four[2] << 16 | (unsigned)four[3] << 24;
			}
			mix(s, word);
		}
	} else {
		for (int at = 0; at < end; at += 64) {
			for (int k = 0; k < 16; k++)
				word[k] = 0;
			for (int k = 0; k < 64; k++) {
				unsigned letter = letter_at(m, at + k, l, end);

				if (IS(rest_read) && at + k > l && at + k < room && at + k < end - 8)
					letter = m[at + k];
				word[k / 4] += letter << 8 * (k % 4);
			}
			mix(s, word);
		}
	}
	for (int k = 0; k < 4; k++)
		digest[4 * i + k] = s[k];
}

extern "C" __global__ void mutant_digested_reference(const unsigned char *letters,
	const int *length, unsigned *digest, unsigned seed, int room, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		int l = min(max(length[i], 0), room), end = (l + 9 + 63) / 64 * 64;
		unsigned s[4];

		for (int k = 0; k < 4; k++)
			s[k] = seed * (k + 1);
		for (int at = 0; at < end; at += 64) {
			unsigned word[16], v[4];

			for (int k = 0; k < 16; k++) {
				word[k] = 0;
				for (int o = 0; o < 4; o++) {
					int place = at + 4 * k + o;
					unsigned letter = place < l ? letters[(size_t)i * room + place]
						: place == l ? 128
						: place >= end - 8 ? (unsigned)(8 * l) >> 8 * min(place - end + 8, 3) & 255
								   : 0;

					if (place > end - 5)
						letter = 0;
					word[k] |= letter << 8 * o;
				}
			}
			for (int k = 0; k < 4; k++)
				v[k] = s[k];
			for (int k = 0; k < 16; k++) {
				unsigned f = ((v[1] & v[2]) | (~v[1] & v[3])) + v[0] + word[k] + 0x9e3779b9u * (k + 1);
				int by = 5 + k % 4 * 4;

				v[0] = v[3];
				v[3] = v[2];
				v[2] = v[1];
				v[1] += f << by | f >> (32 - by);
			}
			for (int k = 0; k < 4; k++)
				s[k] += v[k];
		}
		for (int k = 0; k < 4; k++)
			digest[4 * i + k] = s[k];
	}
}
