extern "C" __global__ void functions(int *out)
{
	out[0] = A + B;
}
