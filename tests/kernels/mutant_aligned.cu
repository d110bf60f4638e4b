/*
 * How well pieces of texts agree at best, and where that ends, the first of equals: a
 * gap costs more where it begins than where it goes on. MISTAKE none is sound.
 *
 * one_cost         a gap costs as much all along
 * costs_folded     the costs of the space
 * no_end_at_0      goes on below 0
 * last_of_equals   of equals the last one
 * gaps_in_one      gaps in the second text alone
 * begin_and_go_on  where a gap begins it also goes on
 * byte_score       scores in 7 bits
 * square           takes both for as long
 * miss_ignored     letters that differ cost nothing
 *
 * Each METHOD is sound:
 *
 * by_columns       the second text first
 * doubles          in double
 * from_own_row     cells in registers
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_aligned(const unsigned char *a, const unsigned char *b,
	int *best, int *end, int *work, int match, int miss, int begin, int more, int m,
	int n, int pairs)
{
	int p = blockIdx.x * blockDim.x + threadIdx.x, top = 0, at = -1;
	int *h = work + p * 2 * (m + n), *f = h + m + n;
	int outer = BY(by_columns) ? n : m, inner = BY(by_columns) ? m : n;

	if (p >= pairs)
		return;
	if (IS(costs_folded)) {
		begin = 5;
		more = 1;
	}
	if (IS(one_cost))
		more = begin;
	if (IS(miss_ignored))
		miss = 0;
	if (IS(square))
		inner = min(inner, m);
	for (int j = 0; j < inner; j++) {
		h[j] = 0;
		f[j] = -1000000;
	}
	for (int i = 0; i < outer; i++) {
		int corner = 0, left = 0, e = -1000000;

		for (int j = 0; j < inner; j++) {
			int row = BY(by_columns) ? j : i,
			    column = BY(by_columns) ? i : j, here;
			bool same = a[p * m + row] == b[p * n + column];

			e = max(e - more,
				left - begin - (IS(begin_and_go_on) ? more : 0));
			f[j] = max(f[j] - more,
				h[j] - begin - (IS(begin_and_go_on) ? more : 0));
			here = BY(doubles)
				       ? (int)((double)corner + (same ? match : -miss))
				       : corner + (same ? match : -miss);
			here = max(here, IS(gaps_in_one) ? e : max(e, f[j]));
			if (!IS(no_end_at_0))
				here = max(here, 0);
			if (IS(byte_score))
				here = min(here, 127);
			corner = h[j];
			h[j] = left = here;
			if (here > top || (here == top && top > 0 &&
						  (IS(last_of_equals) ||
							  row * n + column < at))) {
				top = here;
				at = row * n + column;
			}
		}
	}
	best[p] = top;
	end[p] = at;
}

extern "C" __global__ void mutant_aligned_reference(const unsigned char *a,
	const unsigned char *b, int *best, int *end, int *work, int match, int miss,
	int begin, int more, int m, int n, int pairs)
{
	int p = blockIdx.x * blockDim.x + threadIdx.x;

	for (; p < pairs; p += gridDim.x * blockDim.x) {
		int *h = work + p * 2 * (m + n), *f = h + m + n;

		best[p] = 0;
		end[p] = -1;
		for (int j = 0; j < n; j++) {
			h[j] = 0;
			f[j] = -1000000;
		}
		for (int i = 0; i < m; i++) {
			int corner = 0, left = 0, e = -1000000;

			for (int j = 0; j < n; j++) {
				int here =
					corner +
					(a[p * m + i] == b[p * n + j] ? match : -miss);

				e = max(e - more, left - begin);
				f[j] = max(f[j] - more, h[j] - begin);
				here = max(max(here, 0), max(e, f[j]));
				corner = h[j];
				h[j] = left = here;
				if (here > best[p]) {
					best[p] = here;
					end[p] = i * n + j;
				}
			}
		}
	}
}
