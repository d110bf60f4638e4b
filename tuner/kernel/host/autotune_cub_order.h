/*
 * The collectives of NVIDIA's CUB that bring values into another order, for the device
 * "host", after its documentation: BlockRadixSort, BlockMergeSort, BlockExchange,
 * BlockHistogram, BlockDiscontinuity, BlockShuffle. As in autotune_cub.h one thread does
 * the work between barriers, and TempStorage holds what the threads have brought.
 */
#ifndef AT_HOST_CUB_ORDER_H
#define AT_HOST_CUB_ORDER_H
#include <autotune_cub.h>

enum cudaSharedMemConfig { cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte, cudaSharedMemBankSizeEightByte };

namespace cub
{
/* N values of each thread of a block: blocked, thread by thread, or striped. */
template <class at_T, int at_Threads, int at_N> struct at_host_items {
	at_host_places<at_T, at_Threads * at_N> at_all;
	static int at_thread() { return (int)at_host_linear_thread(); }
	static int at_blocked(int i) { return at_thread() * at_N + i; }
	static int at_striped(int i) { return i * at_Threads + at_thread(); }
	template <class at_Place> void at_bring(const at_T (&at_items)[at_N], at_Place &&at_place)
	{
		for (int i = 0; i < at_N; i++)
			at_all.at_put(at_place(i), at_items[i]);
	}
	template <class at_Place> void at_take(at_T (&at_items)[at_N], at_Place &&at_place) const
	{
		for (int i = 0; i < at_N; i++)
			at_items[i] = at_all.at_get(at_place(i));
	}
};
template <int at_Threads, int at_N> struct at_host_items<NullType, at_Threads, at_N> {};

/* Keys of a block, values with them (NullType: none), and which of them comes where. */
template <class at_K, class at_V, int at_Threads, int at_N> struct at_host_sorting {
	static_assert(at_Threads * at_N <= 65536, "more than 65536 keys of a block");
	typedef at_host_items<at_K, at_Threads, at_N> at_items;
	at_items at_keys;
	at_host_items<at_V, at_Threads, at_N> at_values;
	unsigned short at_order[at_Threads * at_N], at_spare[at_Threads * at_N];

	/* find: writes the order, in one thread; place: of a thread's keys afterwards */
	template <class at_U, class at_Find, class at_Place>
	void at_arrange(at_K (&at_own)[at_N], at_U (*at_with)[at_N], at_Find &&at_find, at_Place &&at_place)
	{
		at_keys.at_bring(at_own, at_items::at_blocked);
		if constexpr (!__is_same(at_U, NullType))
			at_values.at_bring(*at_with, at_items::at_blocked);
		__syncthreads();
		if (at_items::at_thread() == 0)
			at_find();
		__syncthreads();
		auto at_from = [&](int i) { return (int)at_order[at_place(i)]; };
		at_keys.at_take(at_own, at_from);
		if constexpr (!__is_same(at_U, NullType))
			at_values.at_take(*at_with, at_from);
	}
};

template <int at_Bytes> struct at_host_word { typedef unsigned long long at_type; };
template <> struct at_host_word<1> { typedef unsigned char at_type; };
template <> struct at_host_word<2> { typedef unsigned short at_type; };
template <> struct at_host_word<4> { typedef unsigned at_type; };

/* A key's bits so that a larger key has the larger number; both zeros are one key. */
template <class at_T> unsigned long long at_host_digits(const at_T &at_key)
{
	typedef typename at_host_word<sizeof(at_T)>::at_type at_Word;
	const at_Word at_high = (at_Word)((at_Word)1 << (8 * sizeof(at_T) - 1));
	at_Word at_bits;
	const bool at_is_real = !((at_T)0.5f == (at_T)0), at_is_signed = (at_T)-1 < (at_T)0;

	__builtin_memcpy(&at_bits, &at_key, sizeof(at_T));
	if (at_is_real && at_bits == at_high)
		at_bits = 0;
	if (at_is_real && at_bits & at_high)
		return (at_Word)~at_bits;
	return at_is_signed ? (at_Word)(at_bits ^ at_high) : at_bits;
}

/* Which of `count` comes where: order[place]; moves between order and spare, ends in order. */
inline void at_host_radix_order(const unsigned long long *at_digits, int at_count, int at_first, int at_end,
	unsigned short *at_order, unsigned short *at_spare)
{
	for (int i = 0; i < at_count; i++)
		at_order[i] = (unsigned short)i;
	for (int at_bit = at_first; at_bit < at_end; at_bit += 8) {
		const int at_wide = at_end - at_bit < 8 ? at_end - at_bit : 8;
		const unsigned at_mask = (1u << at_wide) - 1;
		int at_starts[257] = { 0 };
		for (int i = 0; i < at_count; i++)
			at_starts[(at_digits[i] >> at_bit & at_mask) + 1]++;
		for (int i = 0; i < 256; i++)
			at_starts[i + 1] += at_starts[i];
		for (int i = 0; i < at_count; i++)
			at_spare[at_starts[at_digits[at_order[i]] >> at_bit & at_mask]++] = at_order[i];
		__builtin_memcpy(at_order, at_spare, (unsigned)at_count * sizeof(*at_order));
	}
}

#define AT_CUB_SORTS(at_Name, at_Descends, at_Place) \
	void at_Name(at_K (&at_keys)[at_N], int at_first = 0, int at_end = (int)sizeof(at_K) * 8) \
	{ at_sort<at_Descends, NullType>(at_keys, nullptr, at_first, at_end, [](int i) { return at_items::at_Place(i); }); } \
	template <class at_U> \
	void at_Name(at_K (&at_keys)[at_N], at_U (&at_values)[at_N], int at_first = 0, int at_end = (int)sizeof(at_K) * 8) \
	{ at_sort<at_Descends>(at_keys, &at_values, at_first, at_end, [](int i) { return at_items::at_Place(i); }); }

template <class at_K, int at_X, int at_N, class at_V = NullType, int at_Bits = 4, bool at_Memoize = true,
	BlockScanAlgorithm at_Scan = BLOCK_SCAN_WARP_SCANS, cudaSharedMemConfig at_Config = cudaSharedMemBankSizeFourByte,
	int at_Y = 1, int at_Z = 1, int at_Legacy = 0>
class BlockRadixSort {
	static constexpr int at_Count = at_X * at_Y * at_Z * at_N;
	typedef at_host_items<at_K, at_X * at_Y * at_Z, at_N> at_items;

public:
	struct TempStorage : at_host_sorting<at_K, at_V, at_X * at_Y * at_Z, at_N> {
		unsigned long long at_digits[at_Count];
	};

	AT_CUB_STORAGE(BlockRadixSort)
private:
	template <bool at_Descends, class at_U, class at_Place>
	void at_sort(at_K (&at_keys)[at_N], at_U (*at_values)[at_N], int at_first, int at_end, at_Place &&at_place)
	{
		for (int i = 0; i < at_N; i++) {
			unsigned long long at_digits = at_host_digits(at_keys[i]);
			at_storage.at_digits[at_items::at_blocked(i)] = at_Descends ? ~at_digits : at_digits;
		}
		at_storage.at_arrange(at_keys, at_values, [&] {
			at_host_radix_order(at_storage.at_digits, at_Count, at_first, at_end, at_storage.at_order, at_storage.at_spare);
		}, at_place);
	}

public:
	AT_CUB_SORTS(Sort, false, at_blocked)
	AT_CUB_SORTS(SortDescending, true, at_blocked)
	AT_CUB_SORTS(SortBlockedToStriped, false, at_striped)
	AT_CUB_SORTS(SortDescendingBlockedToStriped, true, at_striped)
};
#undef AT_CUB_SORTS

template <class at_K, int at_X, int at_N, class at_V = NullType, int at_Y = 1, int at_Z = 1> class BlockMergeSort {
	static constexpr int at_Count = at_X * at_Y * at_Z * at_N;
	typedef at_host_items<at_K, at_X * at_Y * at_Z, at_N> at_items;

public:
	struct TempStorage : at_host_sorting<at_K, at_V, at_X * at_Y * at_Z, at_N> {};

	AT_CUB_STORAGE(BlockMergeSort)
private:
	/* runs that double: the earlier one goes first among equals */
	template <class at_Less> void at_merge(int at_count, at_Less &at_less)
	{
		unsigned short *at_order = at_storage.at_order, *at_spare = at_storage.at_spare;
		for (int i = 0; i < at_count; i++)
			at_order[i] = (unsigned short)i;
		for (int at_run = 1; at_run < at_count; at_run *= 2) {
			for (int at_from = 0; at_from < at_count; at_from += 2 * at_run) {
				int at_middle = at_from + at_run < at_count ? at_from + at_run : at_count;
				int at_end = at_middle + at_run < at_count ? at_middle + at_run : at_count;
				for (int i = at_from, at_a = at_from, at_b = at_middle; i < at_end; i++)
					at_spare[i] = at_b < at_end && (at_a == at_middle ||
							at_less(at_storage.at_keys.at_all.at_get(at_order[at_b]), at_storage.at_keys.at_all.at_get(at_order[at_a])))
						? at_order[at_b++] : at_order[at_a++];
			}
			__builtin_memcpy(at_order, at_spare, (unsigned)at_count * sizeof(*at_order));
		}
		for (int i = at_count; i < at_Count; i++)
			at_order[i] = (unsigned short)i;
	}
	template <class at_U, class at_Less> void at_sort(at_K (&at_keys)[at_N], at_U (*at_values)[at_N], at_Less &at_less, int at_count)
	{
		at_storage.at_arrange(at_keys, at_values, [&] { at_merge(at_count, at_less); }, at_items::at_blocked);
	}

public:
	template <class at_Less> void Sort(at_K (&at_keys)[at_N], at_Less at_less) { at_sort<NullType>(at_keys, nullptr, at_less, at_Count); }
	template <class at_Less> void Sort(at_K (&at_keys)[at_N], at_Less at_less, int at_count, at_K at_rest)
	{
		for (int i = 0; i < at_N; i++)
			if (at_items::at_blocked(i) >= at_count)
				at_keys[i] = at_rest;
		at_sort<NullType>(at_keys, nullptr, at_less, at_count < at_Count ? at_count : at_Count);
	}
	template <class at_Less> void Sort(at_K (&at_keys)[at_N], at_V (&at_values)[at_N], at_Less at_less)
	{ at_sort(at_keys, &at_values, at_less, at_Count); }
	template <class at_Less> void StableSort(at_K (&at_keys)[at_N], at_Less at_less) { Sort(at_keys, at_less); }
	template <class at_Less> void StableSort(at_K (&at_keys)[at_N], at_V (&at_values)[at_N], at_Less at_less)
	{ Sort(at_keys, at_values, at_less); }
};

template <class at_T, int at_X, int at_N, bool at_Slices = false, int at_Y = 1, int at_Z = 1, int at_Legacy = 0> class BlockExchange {
	typedef at_host_items<at_T, at_X * at_Y * at_Z, at_N> at_items;

public:
	struct TempStorage { at_items at_all; };

	AT_CUB_STORAGE(BlockExchange)
private:
	template <class at_From, class at_To>
	void at_move(const at_T (&at_in)[at_N], at_T (&at_out)[at_N], at_From &&at_from, at_To &&at_to)
	{
		at_storage.at_all.at_bring(at_in, at_from);
		__syncthreads();
		at_storage.at_all.at_take(at_out, at_to);
	}

public:
	void StripedToBlocked(const at_T (&at_in)[at_N], at_T (&at_out)[at_N])
	{ at_move(at_in, at_out, at_items::at_striped, at_items::at_blocked); }
	void BlockedToStriped(const at_T (&at_in)[at_N], at_T (&at_out)[at_N])
	{ at_move(at_in, at_out, at_items::at_blocked, at_items::at_striped); }
	template <class at_Rank> void ScatterToBlocked(const at_T (&at_in)[at_N], at_T (&at_out)[at_N], at_Rank (&at_ranks)[at_N])
	{ at_move(at_in, at_out, [&](int i) { return (int)at_ranks[i]; }, at_items::at_blocked); }
	template <class at_Rank> void ScatterToStriped(const at_T (&at_in)[at_N], at_T (&at_out)[at_N], at_Rank (&at_ranks)[at_N])
	{ at_move(at_in, at_out, [&](int i) { return (int)at_ranks[i]; }, at_items::at_striped); }
	void StripedToBlocked(at_T (&at_both)[at_N]) { StripedToBlocked(at_both, at_both); }
	void BlockedToStriped(at_T (&at_both)[at_N]) { BlockedToStriped(at_both, at_both); }
	template <class at_Rank> void ScatterToBlocked(at_T (&at_both)[at_N], at_Rank (&at_ranks)[at_N])
	{ ScatterToBlocked(at_both, at_both, at_ranks); }
	template <class at_Rank> void ScatterToStriped(at_T (&at_both)[at_N], at_Rank (&at_ranks)[at_N])
	{ ScatterToStriped(at_both, at_both, at_ranks); }
};

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

template <class at_T, int at_X, int at_N, int at_Bins, BlockHistogramAlgorithm at_Algorithm = BLOCK_HISTO_SORT, int at_Y = 1, int at_Z = 1,
	int at_Legacy = 0>
class BlockHistogram {
public:
	struct TempStorage { int at_unused; };
	BlockHistogram() {}
	BlockHistogram(TempStorage &) {}
	/* a barrier ahead of Composite() is the kernel's: so with CUB */
	template <class at_C> void InitHistogram(at_C *at_bins)
	{
		for (int i = (int)at_host_linear_thread(); i < at_Bins; i += at_X * at_Y * at_Z)
			at_bins[i] = 0;
	}
	template <class at_C> void Composite(at_T (&at_items)[at_N], at_C *at_bins)
	{
		for (int i = 0; i < at_N; i++) {
			at_host_turn();
			__atomic_fetch_add(&at_bins[at_items[i]], (at_C)1, __ATOMIC_RELAXED);
		}
	}
	template <class at_C> void Histogram(at_T (&at_items)[at_N], at_C *at_bins)
	{
		InitHistogram(at_bins);
		__syncthreads();
		Composite(at_items, at_bins);
	}
};

template <class at_T, int at_X, int at_Y = 1, int at_Z = 1, int at_Legacy = 0> class BlockDiscontinuity {
	static constexpr int at_Threads = at_X * at_Y * at_Z;

public:
	struct TempStorage { at_host_places<at_T, at_Threads> at_ends; };

	AT_CUB_STORAGE(BlockDiscontinuity)
private:
	static int at_thread() { return (int)at_host_linear_thread(); }
	/* CUB's operators may ask for the place as a third */
	template <class at_Op> static auto at_differ(at_Op &at_op, const at_T &x, const at_T &y, int i, int)
		-> decltype((bool)at_op(x, y, i)) { return (bool)at_op(x, y, i); }
	template <class at_Op> static bool at_differ(at_Op &at_op, const at_T &x, const at_T &y, int, long) { return (bool)at_op(x, y); }

public:
	template <int at_N, class at_Flag, class at_Op>
	void FlagHeads(at_Flag (&at_flags)[at_N], const at_T (&at_items)[at_N], at_Op at_op)
	{
		at_storage.at_ends.at_put(at_thread(), at_items[at_N - 1]);
		__syncthreads();
		for (int i = 0; i < at_N; i++)
			at_flags[i] = (at_Flag)(i ? at_differ(at_op, at_items[i - 1], at_items[i], at_thread() * at_N + i, 0)
				: at_thread() ? at_differ(at_op, at_storage.at_ends.at_get(at_thread() - 1), at_items[0], at_thread() * at_N, 0) : true);
	}
	template <int at_N, class at_Flag, class at_Op>
	void FlagHeads(at_Flag (&at_flags)[at_N], const at_T (&at_items)[at_N], at_Op at_op, at_T at_before)
	{
		FlagHeads(at_flags, at_items, at_op);
		if (!at_thread())
			at_flags[0] = (at_Flag)at_differ(at_op, at_before, at_items[0], 0, 0);
	}
	template <int at_N, class at_Flag, class at_Op>
	void FlagTails(at_Flag (&at_flags)[at_N], const at_T (&at_items)[at_N], at_Op at_op)
	{
		at_storage.at_ends.at_put(at_thread(), at_items[0]);
		__syncthreads();
		for (int i = 0; i < at_N; i++)
			at_flags[i] = (at_Flag)(i + 1 < at_N ? at_differ(at_op, at_items[i], at_items[i + 1], at_thread() * at_N + i + 1, 0)
				: at_thread() + 1 < at_Threads
				? at_differ(at_op, at_items[i], at_storage.at_ends.at_get(at_thread() + 1), (at_thread() + 1) * at_N, 0) : true);
	}
	template <int at_N, class at_Flag, class at_Op>
	void FlagTails(at_Flag (&at_flags)[at_N], const at_T (&at_items)[at_N], at_Op at_op, at_T at_behind)
	{
		FlagTails(at_flags, at_items, at_op);
		if (at_thread() + 1 == at_Threads)
			at_flags[at_N - 1] = (at_Flag)at_differ(at_op, at_items[at_N - 1], at_behind, at_Threads * at_N, 0);
	}
};

template <class at_T, int at_X, int at_Y = 1, int at_Z = 1, int at_Legacy = 0> class BlockShuffle {
	static constexpr int at_Threads = at_X * at_Y * at_Z;

public:
	struct TempStorage { at_host_places<at_T, at_Threads> at_all; };

	AT_CUB_STORAGE(BlockShuffle)
private:
	static int at_thread() { return (int)at_host_linear_thread(); }

public:
	void Offset(at_T at_in, at_T &at_out, int at_distance = 1)
	{
		at_storage.at_all.at_put(at_thread(), at_in);
		__syncthreads();
		int at_from = at_thread() + at_distance;
		if (at_from >= 0 && at_from < at_Threads)
			at_out = at_storage.at_all.at_get(at_from);
	}
	void Rotate(at_T at_in, at_T &at_out, unsigned at_distance = 1)
	{
		at_storage.at_all.at_put(at_thread(), at_in);
		__syncthreads();
		at_out = at_storage.at_all.at_get((at_thread() + (int)at_distance) % at_Threads);
	}
	template <int at_N> void Up(at_T (&at_in)[at_N], at_T (&at_out)[at_N])
	{
		at_storage.at_all.at_put(at_thread(), at_in[at_N - 1]);
		__syncthreads();
		for (int i = at_N - 1; i > 0; i--)
			at_out[i] = at_in[i - 1];
		if (at_thread())
			at_out[0] = at_storage.at_all.at_get(at_thread() - 1);
	}
	template <int at_N> void Down(at_T (&at_in)[at_N], at_T (&at_out)[at_N])
	{
		at_storage.at_all.at_put(at_thread(), at_in[0]);
		__syncthreads();
		for (int i = 0; i + 1 < at_N; i++)
			at_out[i] = at_in[i + 1];
		if (at_thread() + 1 < at_Threads)
			at_out[at_N - 1] = at_storage.at_all.at_get(at_thread() + 1);
	}
};
}

#endif
