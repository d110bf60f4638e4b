/*
 * What cuda13_*_parameters.cubin and parameters_*.ptx beside this file were compiled
 * from, with NVRTC 13.0. Names are short, since each is in the files many times.
 */
struct pair {
	float a;
	int b;
};
struct odd {
	char bytes[5];
};
struct large {
	char bytes[5000];
};

extern "C" __global__ void all(float *p, const double *q, int i, unsigned u, float f,
	double d, long long l, bool t, short s, pair o, float4 v, odd e)
{
	p[i] = f + d + l + t + s + o.a + v.x + e.bytes[u] + q[u];
}

extern "C" __global__ void none()
{
}

extern "C" __global__ void big(large x, int *p)
{
	p[0] = x.bytes[4999];
}

template <class T, int N> __global__ void made(T *p, T x)
{
	p[N] = x;
}
