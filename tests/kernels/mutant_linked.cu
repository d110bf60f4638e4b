/*
 * What pages pass on by links, a step: those without links pass on to all. MISTAKE none
 * is sound.
 *
 * no_dangling     what has no links passes on nothing
 * damping_folded  passes on 85 of 100
 * dangling_links  what has no links passes on by links too
 * by_step         knows how many links come in
 * first_links     at most eight links
 * share_of_one    each gets all of what is not passed on
 * without_itself  a page without links passes nothing on to itself
 * pages_folded    knows how many pages there are
 *
 * Each METHOD is sound:
 *
 * doubles         in double
 * from_behind     the last link first
 * inverse         a factor for each page
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_linked(const int *row_ptr, const int *from,
	const int *degree, const float *rank, float *to, float damping, int pages)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, first, last, all = pages;
	float lost = 0, sum = 0;

	if (i >= pages)
		return;
	if (IS(damping_folded))
		damping = 0.85f;
	if (IS(pages_folded))
		all = 1000;
	if (BY(doubles)) {
		double wide_lost = 0, wide = 0;

		for (int k = 0; k < pages; k++)
			wide_lost += degree[k] ? 0 : rank[k];
		for (int k = row_ptr[i]; k < row_ptr[i + 1]; k++)
			wide += degree[from[k]]
					? (double)rank[from[k]] / degree[from[k]]
					: 0;
		to[i] = (1.0 - damping) / pages + damping * (wide + wide_lost / pages);
		return;
	}
	for (int k = 0; k < pages; k++)
		if (!degree[k] && !(IS(without_itself) && k == i))
			lost += rank[k];
	first = row_ptr[i];
	last = row_ptr[i + 1];
	if (IS(by_step))
		last = min(last, first + row_ptr[1]);
	if (IS(first_links))
		last = min(last, first + 8);
	for (int j = first; j < last; j++) {
		int k = from[BY(from_behind) ? first + last - 1 - j : j];

		if (IS(dangling_links))
			sum += rank[k] / max(degree[k], 1);
		else if (degree[k])
			sum += BY(inverse) ? rank[k] * (1.0f / degree[k])
					   : rank[k] / degree[k];
	}
	if (IS(no_dangling))
		lost = 0;
	to[i] = (1.0f - damping) / (IS(share_of_one) ? 1 : all) +
		damping * (sum + lost / all);
}

extern "C" __global__ void mutant_linked_reference(const int *row_ptr, const int *from,
	const int *degree, const float *rank, float *to, float damping, int pages)
{
	float lost = 0;

	for (int k = 0; k < pages; k++)
		if (!degree[k])
			lost += rank[k];
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pages;
		i += gridDim.x * blockDim.x) {
		float sum = 0;

		for (int k = row_ptr[i]; k < row_ptr[i + 1]; k++)
			if (degree[from[k]])
				sum += rank[from[k]] / degree[from[k]];
		to[i] = (1.0f - damping) / pages + damping * (sum + lost / pages);
	}
}
