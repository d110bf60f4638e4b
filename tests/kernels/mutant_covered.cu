/*
 * Which triangle each pixel shows: the nearest one, of equals the first; what lies on
 * an edge belongs to a triangle if the edge is at its top or left. MISTAKE none is
 * sound.
 *
 * all_edges       all edges belong to it
 * no_edges        no edge belongs to it
 * top_only        edges at the left do not
 * one_winding     triangles of one direction
 * last_of_equals  of equals the last one
 * first_64        the first 64 triangles
 * near_folded     the nearest that is shown is that of the space
 * square          takes the height for the width
 * bytes           triangles in 6 bits
 *
 * Each METHOD is sound:
 *
 * boxes           looks at the box around it first
 * backwards       the last triangle first
 * longs           in 64 bits
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ bool is_inside(const int *a, const int *b, int x, int y)
{
	long long wide = (long long)(b[0] - a[0]) * (y - a[1]) -
			 (long long)(b[1] - a[1]) * (x - a[0]);
	int side = (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
	bool top = a[1] == b[1] && b[0] > a[0], left = b[1] < a[1];

	if (BY(longs))
		return wide > 0 || (wide == 0 && (top || left));
	if (side == 0)
		return IS(all_edges)  ? true
		       : IS(no_edges) ? false
		       : IS(top_only) ? top
				      : top || left;
	return side > 0;
}

extern "C" __global__ void mutant_covered(const int *corners, const int *depth,
	int *shown, int nearest, int triangles, int width, int height)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, best = -1, x, y;

	if (i >= width * height)
		return;
	x = i % (IS(square) ? height : width);
	y = i / (IS(square) ? height : width);
	if (IS(near_folded))
		nearest = 0;
	if (IS(first_64))
		triangles = min(triangles, 64);
	for (int j = 0; j < triangles; j++) {
		int t = BY(backwards) ? triangles - 1 - j : j;
		const int *a = corners + 6 * t, *b = a + 2, *c = a + 4;
		int turn =
			(b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

		if (turn == 0 || depth[t] < nearest)
			continue;
		if (BY(boxes) && (x < min(a[0], min(b[0], c[0])) ||
					 x > max(a[0], max(b[0], c[0])) ||
					 y < min(a[1], min(b[1], c[1])) ||
					 y > max(a[1], max(b[1], c[1]))))
			continue;
		if (turn < 0) {
			if (IS(one_winding))
				continue;
			b = a + 4;
			c = a + 2;
		}
		if (!is_inside(a, b, x, y) || !is_inside(b, c, x, y) ||
			!is_inside(c, a, x, y))
			continue;
		if (best < 0 || depth[t] < depth[best] ||
			((BY(backwards) || IS(last_of_equals)) &&
				depth[t] == depth[best]))
			best = t;
	}
	shown[i] = IS(bytes) && best >= 0 ? best & 63 : best;
}

extern "C" __global__ void mutant_covered_reference(const int *corners, const int *depth,
	int *shown, int nearest, int triangles, int width, int height)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	for (; i < width * height; i += gridDim.x * blockDim.x) {
		shown[i] = -1;
		for (int t = 0; t < triangles; t++) {
			const int *p = corners + 6 * t;
			int turn = (p[2] - p[0]) * (p[5] - p[1]) -
				   (p[3] - p[1]) * (p[4] - p[0]);
			int order[4] = { 0, turn > 0 ? 2 : 4, turn > 0 ? 4 : 2, 0 };
			bool inside = turn != 0 && depth[t] >= nearest;

			for (int e = 0; e < 3; e++) {
				const int *a = p + order[e], *b = p + order[e + 1];
				int side = (b[0] - a[0]) * (i / width - a[1]) -
					   (b[1] - a[1]) * (i % width - a[0]);

				inside &=
					side > 0 ||
					(side == 0 &&
						(b[1] < a[1] ||
							(b[1] == a[1] && b[0] > a[0])));
			}
			if (inside && (shown[i] < 0 || depth[t] < depth[shown[i]]))
				shown[i] = t;
		}
	}
}
