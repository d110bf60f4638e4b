/*
 * Which box a ray strikes first, of equal ones the first, and how far it is, in lengths of
 * its way; who is inside is at 0; a way of 0 along an axis stays where it is. MISTAKE none
 * is sound.
 *
 * inside_none    who is inside strikes where it leaves
 * behind_too     boxes behind count
 * never_swapped  ways lead up along each axis
 * first_found    the first box that is struck
 * two_axes       the third axis does not count
 * far_folded     the limit of the space
 * last_of_equal  of equal ones the last
 * no_limit       no limit
 * sixteen        the first sixteen boxes
 * by_centre      the nearest by its middle
 *
 * Each METHOD is sound:
 *
 * slabs        one axis after the other
 * divides      by inverses of ways, where these are not 0
 * from_behind  from the last box on
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ bool cut(float from, float way, float low, float high, float *enter, float *leave)
{
	float one, other, kept;

	if (fabsf(way) < 1e-6f)
		return from >= low && from <= high;
	if (BY(divides)) {
		float inverse = 1.0f / way;

		one = (low - from) * inverse;
		other = (high - from) * inverse;
	} else {
		one = (low - from) / way;
		other = (high - from) / way;
	}
	if (one > other && !IS(never_swapped)) {
		kept = one;
		one = other;
		other = kept;
	}
	*enter = fmaxf(*enter, one);
	*leave = fminf(*leave, other);
	return *enter <= *leave;
}

extern "C" __global__ void mutant_struck(const float3 *from, const float3 *way, const float3 *low,
	const float3 *size, int *which, float *how_far, float far, int b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, best = -1;
	float nearest = 1e30f;

	if (i >= n)
		return;
	if (IS(far_folded))
		far = 6.0f;
	if (IS(sixteen) && b > 16)
		b = 16;
	for (int l = 0; l < b; l++) {
		int k = BY(from_behind) ? b - 1 - l : l;
		float enter = IS(behind_too) ? -1e30f : 0.0f, leave = IS(no_limit) ? 1e30f : far, at;

		if (!cut(from[i].x, way[i].x, low[k].x, low[k].x + size[k].x, &enter, &leave) ||
			!cut(from[i].y, way[i].y, low[k].y, low[k].y + size[k].y, &enter, &leave) ||
			(!IS(two_axes) && !cut(from[i].z, way[i].z, low[k].z, low[k].z + size[k].z, &enter, &leave)))
			continue;
		at = IS(inside_none) && enter == 0.0f ? leave : enter;
		if (IS(by_centre))
			at = fabsf(low[k].x + 0.5f * size[k].x - from[i].x) + fabsf(low[k].y + 0.5f * size[k].y - from[i].y);
		if (IS(last_of_equal) || BY(from_behind) ? at <= nearest : at < nearest) {
			nearest = at;
			best = k;
			if (IS(first_found))
				break;
		}
	}
	which[i] = best;
	how_far[i] = best < 0 ? far : nearest;
}

extern "C" __global__ void mutant_struck_reference(const float3 *from, const float3 *way,
	const float3 *low, const float3 *size, int *which, float *how_far, float far, int b, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float f[3] = { from[i].x, from[i].y, from[i].z }, v[3] = { way[i].x, way[i].y, way[i].z };

		which[i] = -1;
		how_far[i] = far;
		for (int k = 0; k < b; k++) {
			float l[3] = { low[k].x, low[k].y, low[k].z }, s[3] = { size[k].x, size[k].y, size[k].z };
			float enter = 0.0f, leave = far;
			bool is_struck = true;

			for (int axis = 0; axis < 3; axis++) {
				float high = l[axis] + s[axis], one, other;

				if (fabsf(v[axis]) < 1e-6f) {
					is_struck = is_struck && f[axis] >= l[axis] && f[axis] <= high;
					continue;
				}
				one = (l[axis] - f[axis]) / v[axis];
				other = (high - f[axis]) / v[axis];
				enter = fmaxf(enter, one < other ? one : other);
				leave = fminf(leave, one < other ? other : one);
			}
			if (is_struck && enter <= leave && (which[i] < 0 || enter < how_far[i])) {
				which[i] = k;
				how_far[i] = enter;
			}
		}
	}
}
