// A specialization that does not compile must not give way to what it replaces.
#define MODE 0

template <int> struct Wide;
template <> struct Wide<1> { enum { width = 4 }; };
template <int N> struct Step { enum { width = 1 }; };
template <> struct Step<64> : Wide<MODE> {};

template <int N> __global__ void shift(float *x)
{
	x[threadIdx.x] += Step<N>::width;
}
