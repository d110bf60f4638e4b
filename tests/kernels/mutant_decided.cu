/*
 * Sums of what trees say of rows of features: from a node to the next one, or by a step
 * further if a number is above the node's, or missing; a node beyond the last one, or without
 * a feature, is where it ends. MISTAKE none is sound.
 *
 * or_equal        also if it is equal
 * depth_4         four nodes at most
 * depth_12        twelve at most
 * no_missing      what is missing is a number
 * seven_features  the features of the space
 * none_folded     what stands for missing in the space
 * first_trees     eight trees
 * leaf_0          a tree that ends beyond its last node says nothing
 * base_ignored    begins at 0
 * sides_swapped   to the other side
 *
 * Each METHOD is sound:
 *
 * walks         one tree after the other
 * tree_by_tree  keeps what each said
 * back          from the last tree on
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_decided(const unsigned char *bin, const int *feature,
	const unsigned char *limit, const int *step, const float *value, float *y, int *depth,
	float base, int missing, int f, int t, int nodes, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, deepest = 0;
	float sum = IS(base_ignored) ? 0.0f : base;

	if (i >= n)
		return;
	if (IS(none_folded))
		missing = 0;
	if (IS(first_trees))
		t = min(t, 8);
	for (int l = 0; l < t; l++) {
		int tree = (BY(back) ? t - 1 - l : l) * nodes, at = 0, many = 0;

		while (feature[tree + at] >= 0 && (IS(seven_features) ? feature[tree + at] < 7 : true)) {
			int number = bin[(size_t)i * f + feature[tree + at]], next;
			bool is_far = number == missing && !IS(no_missing) ? true
				: IS(or_equal) ? number >= limit[tree + at] : number > limit[tree + at];

			if (IS(sides_swapped))
				is_far = !is_far;
			if ((IS(depth_4) && many == 4) || (IS(depth_12) && many == 12))
				break;
			next = at + (is_far ? step[tree + at] + 1 : 1);
			many++;
			if (next >= nodes)
				break;
			at = next;
		}
		deepest = max(deepest, many);
		sum += IS(leaf_0) && feature[tree + at] >= 0 ? 0.0f : value[tree + at];
	}
	y[i] = sum;
	depth[i] = deepest;
}

extern "C" __global__ void mutant_decided_reference(const unsigned char *bin, const int *feature,
	const unsigned char *limit, const int *step, const float *value, float *y, int *depth,
	float base, int missing, int f, int t, int nodes, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float sum = base;

		depth[i] = 0;
		for (int tree = 0; tree < t; tree++) {
			int at = 0, many = 0;

			while (feature[tree * nodes + at] >= 0) {
				int number = bin[(size_t)i * f + feature[tree * nodes + at]], next = at + 1;

				if (number == missing || number > limit[tree * nodes + at])
					next += step[tree * nodes + at];
				many++;
				if (next >= nodes)
					break;
				at = next;
			}
			depth[i] = many > depth[i] ? many : depth[i];
			sum += value[tree * nodes + at];
		}
		y[i] = sum;
	}
}
