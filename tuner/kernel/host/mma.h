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

template <class at_T> struct at_host_element { typedef at_T at_type; };
template <> struct at_host_element<precision::tf32> { typedef float at_type; };

template <class at_A, class at_B> constexpr bool at_host_same = false;
template <class at_A> constexpr bool at_host_same<at_A, at_A> = true;

template <class at_T> constexpr bool at_host_shape(int m, int n, int k)
{
	bool at_narrow = at_host_same<at_T, __half> || at_host_same<at_T, __nv_bfloat16> ||
		at_host_same<at_T, signed char> || at_host_same<at_T, unsigned char>;
	bool at_wide = at_host_same<at_T, float> || at_host_same<at_T, int>;
	bool at_any = (m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32);

	if (at_host_same<at_T, double>)
		return m == 8 && n == 8 && k == 4;
	if (at_host_same<at_T, precision::tf32>)
		return m == 16 && n == 16 && k == 8;
	return (at_any && k == 16 && (at_narrow || at_wide)) ||
		(m == 16 && n == 16 && k == 8 && at_host_same<at_T, float>);
}

template <class at_Use, int at_M, int at_N, int at_K, class at_T, class at_Layout = void> class fragment {
	static_assert(at_host_shape<at_T>(at_M, at_N, at_K),
		"no shape and type of wmma that host has: m16n16k16, m32n8k16, m8n32k16 of __half, "
		"__nv_bfloat16, signed char, unsigned char; m16n16k8 of precision::tf32; m8n8k4 of double");

public:
	static constexpr int at_rows = at_host_same<at_Use, matrix_b> ? at_K : at_M;
	static constexpr int at_columns = at_host_same<at_Use, matrix_a> ? at_K : at_N;
	static constexpr int num_elements = at_rows * at_columns / 32;
	static constexpr int num_storage_elements = num_elements;
	typedef typename at_host_element<at_T>::at_type element_type;
	typedef element_type storage_element_type;

	element_type x[num_elements];

	/* of x[i] in this lane */
	static int at_row(int i) { return ((int)at_host_lane() * num_elements + i) / at_columns; }
	static int at_column(int i) { return ((int)at_host_lane() * num_elements + i) % at_columns; }
	/* of x[i] in memory */
	static size_t at_place(int i, unsigned at_stride, bool at_by_rows)
	{
		return at_by_rows ? (size_t)at_row(i) * at_stride + at_column(i)
				  : (size_t)at_column(i) * at_stride + at_row(i);
	}
};

AT_HOST_INLINE float __float_to_tf32(float x)
{
	/* to nearest, ties away from 0, as the instruction does */
	unsigned at_bits = at_host_bits<unsigned>(x);

	return x - x != 0 ? x : at_host_bits<float>((at_bits + 0x1000u) & ~0x1fffu);
}

template <class at_Fragment, class at_T> inline void fill_fragment(at_Fragment &fragment, const at_T &at_value)
{
	for (int i = 0; i < at_Fragment::num_elements; i++)
		fragment.x[i] = (typename at_Fragment::element_type)at_value;
}

template <class at_Use, int at_M, int at_N, int at_K, class at_T, class at_Layout, class at_U>
inline void load_matrix_sync(
	fragment<at_Use, at_M, at_N, at_K, at_T, at_Layout> &at_to, const at_U *at_from, unsigned at_stride)
{
	typedef fragment<at_Use, at_M, at_N, at_K, at_T, at_Layout> at_kind;

	__syncwarp();
	for (int i = 0; i < at_kind::num_elements; i++)
		at_to.x[i] = at_from[at_kind::at_place(i, at_stride, at_host_same<at_Layout, row_major>)];
}
template <int at_M, int at_N, int at_K, class at_T, class at_U>
inline void load_matrix_sync(fragment<accumulator, at_M, at_N, at_K, at_T> &at_to, const at_U *at_from,
	unsigned at_stride, layout_t at_layout)
{
	typedef fragment<accumulator, at_M, at_N, at_K, at_T> at_kind;

	__syncwarp();
	for (int i = 0; i < at_kind::num_elements; i++)
		at_to.x[i] = at_from[at_kind::at_place(i, at_stride, at_layout == mem_row_major)];
}
template <int at_M, int at_N, int at_K, class at_T, class at_U>
inline void store_matrix_sync(at_U *at_to, const fragment<accumulator, at_M, at_N, at_K, at_T> &at_from,
	unsigned at_stride, layout_t at_layout)
{
	typedef fragment<accumulator, at_M, at_N, at_K, at_T> at_kind;

	for (int i = 0; i < at_kind::num_elements; i++)
		at_to[at_kind::at_place(i, at_stride, at_layout == mem_row_major)] = at_from.x[i];
	__syncwarp();
}

/* What numbers are multiplied and added as, and how one is taken out of a fragment. */
template <class at_T> struct at_host_wide { typedef float at_type; };
template <> struct at_host_wide<double> { typedef double at_type; };
template <> struct at_host_wide<signed char> { typedef int at_type; };
template <> struct at_host_wide<unsigned char> { typedef int at_type; };

template <class at_T, class at_U> AT_HOST_INLINE typename at_host_wide<at_T>::at_type at_host_factor(at_U x)
{
	/* the bits that the tensor core does not look at */
	if constexpr (at_host_same<at_T, precision::tf32>)
		return at_host_bits<float>(at_host_bits<unsigned>(x) & ~0x1fffu);
	else
		return (typename at_host_wide<at_T>::at_type)x;
}

/* One lane has the room for all: the others hear where. */
template <int at_M, int at_N, int at_K, class at_T, class at_LayoutA, class at_LayoutB, class at_D, class at_C>
inline void mma_sync(fragment<accumulator, at_M, at_N, at_K, at_D> &d,
	const fragment<matrix_a, at_M, at_N, at_K, at_T, at_LayoutA> &a,
	const fragment<matrix_b, at_M, at_N, at_K, at_T, at_LayoutB> &b,
	const fragment<accumulator, at_M, at_N, at_K, at_C> &c, bool at_saturate = false)
{
	typedef typename at_host_wide<at_T>::at_type at_wide;
	typedef fragment<matrix_a, at_M, at_N, at_K, at_T, at_LayoutA> at_kind_a;
	typedef fragment<matrix_b, at_M, at_N, at_K, at_T, at_LayoutB> at_kind_b;
	typedef fragment<accumulator, at_M, at_N, at_K, at_D> at_kind_d;
	struct at_room { at_wide a[at_M][at_K], b[at_K][at_N]; } at_own;
	at_room *at_shared = (at_room *)(uintptr_t)__shfl_sync(
		0xffffffffu, (unsigned long long)(uintptr_t)&at_own, 0);

	for (int i = 0; i < at_kind_a::num_elements; i++)
		at_shared->a[at_kind_a::at_row(i)][at_kind_a::at_column(i)] = at_host_factor<at_T>(a.x[i]);
	for (int i = 0; i < at_kind_b::num_elements; i++)
		at_shared->b[at_kind_b::at_row(i)][at_kind_b::at_column(i)] = at_host_factor<at_T>(b.x[i]);
	__syncwarp();
	for (int i = 0; i < at_kind_d::num_elements; i++) {
		int at_row = at_kind_d::at_row(i), at_column = at_kind_d::at_column(i);

		if constexpr (at_host_same<at_wide, int>) {
			long long at_sum = c.x[i];

			for (int k = 0; k < at_K; k++)
				at_sum += (long long)at_shared->a[at_row][k] * at_shared->b[k][at_column];
			if (at_saturate)
				at_sum = at_sum > 2147483647ll ? 2147483647ll
					: at_sum < -2147483648ll ? -2147483648ll : at_sum;
			d.x[i] = (int)at_sum;
		} else {
			at_wide at_sum = (at_wide)c.x[i];

			for (int k = 0; k < at_K; k++)
				at_sum += at_shared->a[at_row][k] * at_shared->b[k][at_column];
			d.x[i] = (at_D)at_sum;
		}
	}
	__syncwarp();
}
}
}

#endif
