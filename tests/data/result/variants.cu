__global__ void shift_plain(int *out)
{
	*out = BLOCK;
}

__global__ void shift_staged(int *out)
{
	*out = 1000 + BLOCK;
}
