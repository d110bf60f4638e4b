enum method { plain, staged };

namespace tools {
template <int BLOCK, int BY, method METHOD> __global__ void shift(int *y)
{
	*y = 1000 * BLOCK + 100 * (METHOD == staged) + 10 * PAD + BY;
}
}
