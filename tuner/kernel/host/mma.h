/*
 * NVIDIA's <mma.h> for the device "host", after the CUDA C++ Programming Guide, "Warp
 * Matrix Functions": the documented shapes of half, bfloat16, tf32, char and double. The
 * lanes of a warp meet in each mma_sync() and share what they have.
 *
 * Products are exact, sums are float's (double's, int's). As documented, which element
 * is where in a fragment is nobody's business: each lane has neighbours in a row.
 */
#ifndef __CUDA_MMA_H__
#define __CUDA_MMA_H__
#include "cuda_bf16.h"

namespace nvcuda
{
namespace wmma
{
struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision { struct tf32; }
namespace experimental
{
namespace precision { struct u4; struct s4; struct b1; }
}

template <class T> struct at_host_element { typedef T type; };
template <> struct at_host_element<precision::tf32> { typedef float type; };

template <class A, class B> constexpr bool at_host_same = false;
template <class A> constexpr bool at_host_same<A, A> = true;

template <class T> constexpr bool at_host_shape(int m, int n, int k)
{
	bool narrow = at_host_same<T, __half> || at_host_same<T, __nv_bfloat16> ||
		at_host_same<T, signed char> || at_host_same<T, unsigned char>;
	bool wide = at_host_same<T, float> || at_host_same<T, int>;
	bool any = (m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32);

	if (at_host_same<T, double>)
		return m == 8 && n == 8 && k == 4;
	if (at_host_same<T, precision::tf32>)
		return m == 16 && n == 16 && k == 8;
	return (any && k == 16 && (narrow || wide)) ||
		(m == 16 && n == 16 && k == 8 && at_host_same<T, float>);
}

template <class Use, int M, int N, int K, class T, class Layout = void> class fragment {
	static_assert(at_host_shape<T>(M, N, K),
		"no shape and type of wmma that host has: m16n16k16, m32n8k16, m8n32k16 of __half, "
		"__nv_bfloat16, signed char, unsigned char; m16n16k8 of precision::tf32; m8n8k4 of double");

public:
	static constexpr int at_rows = at_host_same<Use, matrix_b> ? K : M;
	static constexpr int at_columns = at_host_same<Use, matrix_a> ? K : N;
	static constexpr int num_elements = at_rows * at_columns / 32;
	static constexpr int num_storage_elements = num_elements;
	typedef typename at_host_element<T>::type element_type;
	typedef element_type storage_element_type;

	element_type x[num_elements];

	/* of x[i] in this lane */
	static int at_row(int i) { return ((int)at_host_lane() * num_elements + i) / at_columns; }
	static int at_column(int i) { return ((int)at_host_lane() * num_elements + i) % at_columns; }
};

AT_HOST_INLINE float __float_to_tf32(float x)
{
	/* to nearest, ties away from 0, as the instruction does */
	unsigned bits = at_host_bits<unsigned>(x);

	return x - x != 0 ? x : at_host_bits<float>((bits + 0x1000u) & ~0x1fffu);
}

template <class Fragment, class T> inline void fill_fragment(Fragment &fragment, const T &value)
{
	for (int i = 0; i < Fragment::num_elements; i++)
		fragment.x[i] = (typename Fragment::element_type)value;
}

template <class Use, int M, int N, int K, class T, class Layout, class U>
inline void load_matrix_sync(
	fragment<Use, M, N, K, T, Layout> &to, const U *from, unsigned stride)
{
	typedef fragment<Use, M, N, K, T, Layout> kind;

	__syncwarp();
	for (int i = 0; i < kind::num_elements; i++)
		to.x[i] = at_host_same<Layout, row_major>
			? from[(size_t)kind::at_row(i) * stride + kind::at_column(i)]
			: from[(size_t)kind::at_column(i) * stride + kind::at_row(i)];
}
template <int M, int N, int K, class T, class U>
inline void load_matrix_sync(fragment<accumulator, M, N, K, T> &to, const U *from,
	unsigned stride, layout_t layout)
{
	typedef fragment<accumulator, M, N, K, T> kind;

	__syncwarp();
	for (int i = 0; i < kind::num_elements; i++)
		to.x[i] = layout == mem_row_major
			? from[(size_t)kind::at_row(i) * stride + kind::at_column(i)]
			: from[(size_t)kind::at_column(i) * stride + kind::at_row(i)];
}
template <int M, int N, int K, class T, class U>
inline void store_matrix_sync(U *to, const fragment<accumulator, M, N, K, T> &from,
	unsigned stride, layout_t layout)
{
	typedef fragment<accumulator, M, N, K, T> kind;

	for (int i = 0; i < kind::num_elements; i++)
		to[layout == mem_row_major
				? (size_t)kind::at_row(i) * stride + kind::at_column(i)
				: (size_t)kind::at_column(i) * stride + kind::at_row(i)] = from.x[i];
	__syncwarp();
}

/* What numbers are multiplied and added as, and how one is taken out of a fragment. */
template <class T> struct at_host_wide { typedef float type; };
template <> struct at_host_wide<double> { typedef double type; };
template <> struct at_host_wide<signed char> { typedef int type; };
template <> struct at_host_wide<unsigned char> { typedef int type; };

template <class T, class U> AT_HOST_INLINE typename at_host_wide<T>::type at_host_factor(U x)
{
	/* the bits that the tensor core does not look at */
	if constexpr (at_host_same<T, precision::tf32>)
		return at_host_bits<float>(at_host_bits<unsigned>(x) & ~0x1fffu);
	else
		return (typename at_host_wide<T>::type)x;
}

/* One lane has the room for all: the others hear where. */
template <int M, int N, int K, class T, class LayoutA, class LayoutB, class D, class C>
inline void mma_sync(fragment<accumulator, M, N, K, D> &d,
	const fragment<matrix_a, M, N, K, T, LayoutA> &a,
	const fragment<matrix_b, M, N, K, T, LayoutB> &b,
	const fragment<accumulator, M, N, K, C> &c, bool saturate = false)
{
	typedef typename at_host_wide<T>::type wide;
	typedef fragment<matrix_a, M, N, K, T, LayoutA> kind_a;
	typedef fragment<matrix_b, M, N, K, T, LayoutB> kind_b;
	typedef fragment<accumulator, M, N, K, D> kind_d;
	struct room { wide a[M][K], b[K][N]; } own;
	room *shared = (room *)(uintptr_t)__shfl_sync(
		0xffffffffu, (unsigned long long)(uintptr_t)&own, 0);

	for (int i = 0; i < kind_a::num_elements; i++)
		shared->a[kind_a::at_row(i)][kind_a::at_column(i)] = at_host_factor<T>(a.x[i]);
	for (int i = 0; i < kind_b::num_elements; i++)
		shared->b[kind_b::at_row(i)][kind_b::at_column(i)] = at_host_factor<T>(b.x[i]);
	__syncwarp();
	for (int i = 0; i < kind_d::num_elements; i++) {
		int row = kind_d::at_row(i), column = kind_d::at_column(i);

		if constexpr (at_host_same<wide, int>) {
			long long sum = c.x[i];

			for (int k = 0; k < K; k++)
				sum += (long long)shared->a[row][k] * shared->b[k][column];
			if (saturate)
				sum = sum > 2147483647ll ? 2147483647ll
					: sum < -2147483648ll ? -2147483648ll : sum;
			d.x[i] = (int)sum;
		} else {
			wide sum = (wide)c.x[i];

			for (int k = 0; k < K; k++)
				sum += shared->a[row][k] * shared->b[k][column];
			d.x[i] = (D)sum;
		}
	}
	__syncwarp();
}
}
}

#endif
