/*
 * Texts of letters and of pieces that were there before: a piece that begins further ahead
 * than the text does is a letter. What is behind the text is 0. MISTAKE none is sound.
 *
 * not_overlapping a piece has no more letters than lie ahead of it
 * length_16       nor more than sixteen
 * near_32         it begins at most 32 letters ahead
 * never_all       nor where the text begins
 * by_fours        four letters at a time, wherever they are from
 * room_300        the room of the space
 * none_is_one     a piece has a letter at least
 * first_only      the second half of the pieces are letters
 * far_wraps       places have eight bits
 *
 * Each METHOD is sound:
 *
 * by_byte   letter by letter
 * by_piece  from where in the piece a letter is, once around
 * shared    in shared memory, where it has room
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_copied(const int *back, const int *count,
	const unsigned char *letter, unsigned char *text, int *length, int tokens, int room,
	int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, at = 0;
#ifdef METHOD
	__shared__ unsigned char kept[32][300];
	unsigned char *y = BY(shared) && room <= 300 ? kept[threadIdx.x] : text + (size_t)i * room;
#else
	unsigned char *y = text + (size_t)i * room;
#endif

	if (i >= n)
		return;
	if (IS(room_300))
		room = 300;
	for (int k = 0; k < tokens && at < room; k++) {
		int from = back[i * tokens + k], more = count[i * tokens + k], begin;

		if (IS(near_32) && from > 32)
			from = 0;
		if (IS(first_only) && k >= (tokens + 1) / 2)
			from = 0;
		if (from <= 0 || from > at || (IS(never_all) && from == at)) {
			y[at++] = letter[i * tokens + k];
			continue;
		}
		if (IS(length_16) && more > 16)
			more = 16;
		if (IS(none_is_one) && more < 1)
			more = 1;
		if (IS(not_overlapping) && more > from)
			more = from;
		if (more > room - at)
			more = room - at;
		begin = at - from;
		if (IS(far_wraps))
			begin &= 255;
		if (IS(by_fours)) {
			for (int m = 0; m < more; m += 4) {
				unsigned char four[4];

				for (int o = 0; o < 4 && m + o < more; o++)
					four[o] = begin + m + o < at + m ? y[begin + m + o] : 0;
				for (int o = 0; o < 4 && m + o < more; o++)
					y[at + m + o] = four[o];
			}
		} else if (BY(by_piece)) {
			for (int m = 0; m < more; m++)
				y[at + m] = y[begin + m % from];
		} else {
			for (int m = 0; m < more; m++)
				y[at + m] = y[begin + m];
		}
		at += more;
	}
	length[i] = at;
	for (int k = at; k < room; k++)
		y[k] = 0;
	if (y != text + (size_t)i * room)
		for (int k = 0; k < room; k++)
			text[(size_t)i * room + k] = y[k];
}

extern "C" __global__ void mutant_copied_reference(const int *back, const int *count,
	const unsigned char *letter, unsigned char *text, int *length, int tokens, int room,
	int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		unsigned char *y = text + (size_t)i * room;
		int at = 0;

		for (int k = 0; k < tokens && at < room; k++) {
			int from = back[i * tokens + k];

			if (from <= 0 || from > at)
				y[at++] = letter[i * tokens + k];
			else
				for (int m = 0; m < count[i * tokens + k] && at < room; m++, at++)
					y[at] = y[at - from];
		}
		length[i] = at;
		for (int k = at; k < room; k++)
			y[k] = 0;
	}
}
