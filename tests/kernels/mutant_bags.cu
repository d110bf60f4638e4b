/*
 * Weighted sums (mode 0) or means (mode 1) of the rows that a bag names, but for those
 * with the number that stands for none. A bag without rows is 0. MISTAKE none is sound.
 *
 * eight_each     takes eight of each bag
 * empty_divides  divides by 0 where a bag is empty
 * mode_folded    always means
 * no_weight      takes all weights for 1
 * none_zero      takes 0 for none
 * counts_none    counts the absent ones as well
 * first_row      an empty bag is its next row
 * most_64        looks at 64 at most
 *
 * Each METHOD is sound:
 *
 * backwards      from the end of a bag
 * by_pairs       two rows at a time
 * inverse        multiplies by the inverse of the count
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_bags(const float *table, const int *index,
	const int *begins, const float *weight, float *y, int mode, int none, int bags,
	int width)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, bag = i / width,
	    column = i % width;
	int first, end, count = 0;
	float sum = 0.0f;

	if (bag >= bags)
		return;
	first = begins[bag];
	end = IS(eight_each) ? first + 8 : begins[bag + 1];
	if (IS(eight_each) && end > begins[bags])
		end = begins[bags];
	if (IS(most_64) && end > first + 64)
		end = first + 64;
	if (IS(none_zero))
		none = 0;
	if (BY(backwards)) {
		for (int k = end - 1; k >= first; k--)
			if (index[k] != none) {
				sum += weight[k] * table[index[k] * width + column];
				count++;
			}
	} else if (BY(by_pairs)) {
		float other = 0.0f;

		for (int k = first; k < end; k += 2) {
			if (index[k] != none) {
				sum += weight[k] * table[index[k] * width + column];
				count++;
			}
			if (k + 1 < end && index[k + 1] != none) {
				other += weight[k + 1] *
					 table[index[k + 1] * width + column];
				count++;
			}
		}
		sum += other;
	} else {
		for (int k = first; k < end; k++) {
			if (index[k] == none) {
				count += IS(counts_none);
				continue;
			}
			sum += (IS(no_weight) ? 1.0f : weight[k]) *
			       table[index[k] * width + column];
			count++;
		}
	}
	if (IS(first_row) && first == end && first < begins[bags])
		sum = table[index[first] * width + column];
	if (mode == 1 || IS(mode_folded)) {
		if (BY(inverse))
			sum *= count > 0 ? 1.0f / count : 0.0f;
		else if (count > 0 || IS(empty_divides))
			sum /= count;
	}
	y[i] = sum;
}

extern "C" __global__ void mutant_bags_reference(const float *table, const int *index,
	const int *begins, const float *weight, float *y, int mode, int none, int bags,
	int width)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < bags * width;
		i += gridDim.x * blockDim.x) {
		int count = 0;
		float sum = 0;

		for (int k = begins[i / width]; k < begins[i / width + 1]; k++)
			if (index[k] != none) {
				sum += weight[k] * table[index[k] * width + i % width];
				count++;
			}
		y[i] = mode == 1 ? (count ? sum / count : 0) : sum;
	}
}
