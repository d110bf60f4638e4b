/*
 * The block and warp collectives of NVIDIA's CUB for the device "host", after its
 * documentation: BlockReduce, BlockScan, BlockLoad, BlockStore, WarpReduce, WarpScan.
 * One thread does the work of all, between the barriers that there are on a GPU, so that
 * a barrier which a kernel lacks is seen here too: results go to who gets them there,
 * and TempStorage holds what the threads have brought. Algorithms are names alone.
 */
#ifndef AT_HOST_CUB_H
#define AT_HOST_CUB_H
/* plus<> and its like alone: all of <functional> costs 0.2 s */
#if __has_include(<bits/stl_function.h>)
#include <type_traits>
#include <bits/stl_function.h>
#else
#include <functional>
#endif
namespace cuda { namespace std { using namespace ::std; } }

namespace cuda
{
#define AT_CUB_OPERATOR(at_name, at_expression) \
	template <class at_T = void> struct at_name { \
		at_T operator()(const at_T &x, const at_T &y) const { return (at_T)(at_expression); } \
	}; \
	template <> struct at_name<void> { \
		template <class at_T> at_T operator()(const at_T &x, const at_T &y) const { return (at_T)(at_expression); } \
	};
AT_CUB_OPERATOR(maximum, x < y ? y : x)
AT_CUB_OPERATOR(minimum, y < x ? y : x)
}

namespace cub
{
/* Names of CUB before 3.0. */
#define AT_CUB_PLAIN(at_name, at_expression) \
	struct at_name { \
		template <class at_T> at_T operator()(const at_T &x, const at_T &y) const { return (at_T)(at_expression); } \
	};
AT_CUB_PLAIN(Sum, x + y)
AT_CUB_PLAIN(Difference, x - y)
AT_CUB_PLAIN(Max, x < y ? y : x)
AT_CUB_PLAIN(Min, y < x ? y : x)
#undef AT_CUB_PLAIN
#undef AT_CUB_OPERATOR

struct NullType {};

enum BlockReduceAlgorithm {
	BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
	BLOCK_REDUCE_RAKING,
	BLOCK_REDUCE_WARP_REDUCTIONS,
	BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC,
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
	BLOCK_LOAD_DIRECT,
	BLOCK_LOAD_STRIPED,
	BLOCK_LOAD_VECTORIZE,
	BLOCK_LOAD_TRANSPOSE,
	BLOCK_LOAD_WARP_TRANSPOSE,
	BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED,
};
enum BlockStoreAlgorithm {
	BLOCK_STORE_DIRECT,
	BLOCK_STORE_STRIPED,
	BLOCK_STORE_VECTORIZE,
	BLOCK_STORE_TRANSPOSE,
	BLOCK_STORE_WARP_TRANSPOSE,
	BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED,
};

/* In shared memory, whatever T's constructors are. */
template <class at_T, int at_Count> struct at_host_places {
	alignas(at_T) unsigned char at_bytes[at_Count * sizeof(at_T)];
	at_T at_get(int i) const
	{
		at_T at_value;
		__builtin_memcpy(&at_value, at_bytes + i * sizeof(at_T), sizeof(at_T));
		return at_value;
	}
	void at_put(int i, const at_T &at_value) { __builtin_memcpy(at_bytes + i * sizeof(at_T), &at_value, sizeof(at_T)); }
};

/* Threads first to first + count - 1 bring a value each; Meet is their barrier. */
template <class at_T, int at_Threads> struct at_host_team {
	typedef at_host_places<at_T, at_Threads> TempStorage;
	TempStorage &at_places;
	int at_rank;

	/* Thread 0's result counts. */
	template <class at_Meet, class at_Op> at_T at_reduce(at_T at_value, int at_count, at_Op &at_op, at_Meet &&at_meet)
	{
		at_places.at_put(at_rank, at_value);
		at_meet();
		if (at_rank == 0)
			for (int i = 1; i < at_count; i++)
				at_value = at_op(at_value, at_places.at_get(i));
		return at_value;
	}
	/* What lies ahead of the own value; *whole is that of all. has_any: rank is not 0. */
	template <class at_Meet, class at_Op> at_T at_scan(at_T at_value, at_Op &at_op, at_Meet &&at_meet, at_T &at_whole)
	{
		at_T at_ahead = at_value, at_sum;

		at_places.at_put(at_rank, at_value);
		at_meet();
		at_sum = at_places.at_get(0);
		for (int i = 1; i < at_Threads; i++) {
			if (i == at_rank)
				at_ahead = at_sum;
			at_sum = at_op(at_sum, at_places.at_get(i));
		}
		at_whole = at_sum;
		return at_ahead;
	}
	template <class at_Meet> at_T at_broadcast(const at_T &at_value, int at_from, at_Meet &&at_meet)
	{
		at_places.at_put(at_rank, at_value);
		at_meet();
		return at_places.at_get(at_from);
	}
};

/* Of several values of a thread, in order. */
template <class at_T, int at_N, class at_Op> at_T at_host_fold(const at_T (&at_values)[at_N], at_Op &at_op)
{
	at_T at_total = at_values[0];
	for (int i = 1; i < at_N; i++)
		at_total = at_op(at_total, at_values[i]);
	return at_total;
}

/* A block's collective is given its TempStorage, or has one of its own. */
#define AT_CUB_STORAGE(at_Class) \
private: \
	TempStorage &at_storage; \
	static TempStorage &at_own() \
	{ \
		__shared__ TempStorage at_storage; \
		return at_storage; \
	} \
\
public: \
	at_Class() : at_storage(at_own()) {} \
	at_Class(TempStorage &at_storage) : at_storage(at_storage) {}

template <class at_T, int at_X, BlockReduceAlgorithm at_Algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int at_Y = 1,
	int at_Z = 1, int at_Legacy = 0>
class BlockReduce {
	typedef at_host_team<at_T, at_X * at_Y * at_Z> at_team;

public:
	struct TempStorage : at_team::TempStorage {};

	AT_CUB_STORAGE(BlockReduce)
private:
	at_team at_self() { return at_team{ at_storage, (int)at_host_linear_thread() }; }

public:
	template <class at_Op> at_T Reduce(at_T at_value, at_Op at_op)
	{ return at_self().at_reduce(at_value, at_X * at_Y * at_Z, at_op, [] { __syncthreads(); }); }
	template <class at_Op> at_T Reduce(at_T at_value, at_Op at_op, int at_count)
	{ return at_self().at_reduce(at_value, at_count < at_X * at_Y * at_Z ? at_count : at_X * at_Y * at_Z, at_op, [] { __syncthreads(); }); }
	template <int at_N, class at_Op> at_T Reduce(at_T (&at_values)[at_N], at_Op at_op) { return Reduce(at_host_fold(at_values, at_op), at_op); }
	at_T Sum(at_T at_value) { return Reduce(at_value, cub::Sum()); }
	at_T Sum(at_T at_value, int at_count) { return Reduce(at_value, cub::Sum(), at_count); }
	template <int at_N> at_T Sum(at_T (&at_values)[at_N]) { return Reduce(at_values, cub::Sum()); }
};

#define AT_CUB_SCANS(at_T, at_SCAN) \
	void InclusiveSum(at_T at_in, at_T &at_out) { at_T at_whole; InclusiveSum(at_in, at_out, at_whole); } \
	void InclusiveSum(at_T at_in, at_T &at_out, at_T &at_whole) { InclusiveScan(at_in, at_out, cub::Sum(), at_whole); } \
	void ExclusiveSum(at_T at_in, at_T &at_out) { at_T at_whole; ExclusiveSum(at_in, at_out, at_whole); } \
	void ExclusiveSum(at_T at_in, at_T &at_out, at_T &at_whole) \
	{ ExclusiveScan(at_in, at_out, at_T(), cub::Sum(), at_whole); } \
	template <class at_Op> void InclusiveScan(at_T at_in, at_T &at_out, at_Op at_op) \
	{ at_T at_whole; InclusiveScan(at_in, at_out, at_op, at_whole); } \
	template <class at_Op> void InclusiveScan(at_T at_in, at_T &at_out, at_Op at_op, at_T &at_whole) \
	{ \
		auto at_team = at_self(); \
		at_T at_ahead = at_team.at_scan(at_in, at_op, at_SCAN, at_whole); \
		at_out = at_team.at_rank ? at_op(at_ahead, at_in) : at_in; \
	} \
	template <class at_Op> void ExclusiveScan(at_T at_in, at_T &at_out, at_T at_initial, at_Op at_op) \
	{ at_T at_whole; ExclusiveScan(at_in, at_out, at_initial, at_op, at_whole); } \
	template <class at_Op> void ExclusiveScan(at_T at_in, at_T &at_out, at_T at_initial, at_Op at_op, at_T &at_whole) \
	{ \
		auto at_team = at_self(); \
		at_T at_ahead = at_team.at_scan(at_in, at_op, at_SCAN, at_whole); \
		at_out = at_team.at_rank ? at_op(at_initial, at_ahead) : at_initial; \
	} \
	template <class at_Op> void ExclusiveScan(at_T at_in, at_T &at_out, at_Op at_op) \
	{ at_T at_whole, at_ahead = at_self().at_scan(at_in, at_op, at_SCAN, at_whole); at_out = at_ahead; }

template <class at_T, int at_X, BlockScanAlgorithm at_Algorithm = BLOCK_SCAN_RAKING, int at_Y = 1, int at_Z = 1,
	int at_Legacy = 0>
class BlockScan {
	typedef at_host_team<at_T, at_X * at_Y * at_Z> at_team;

public:
	struct TempStorage : at_team::TempStorage {};

	AT_CUB_STORAGE(BlockScan)
private:
	at_team at_self() { return at_team{ at_storage, (int)at_host_linear_thread() }; }

public:
	AT_CUB_SCANS(at_T, [] { __syncthreads(); })
	/* several values a thread, which follow each other */
	template <int at_N, class at_Op> void InclusiveScan(at_T (&at_in)[at_N], at_T (&at_out)[at_N], at_Op at_op, at_T &at_whole)
	{
		auto at_team = at_self();
		at_T at_ahead = at_team.at_scan(at_host_fold(at_in, at_op), at_op, [] { __syncthreads(); }, at_whole);
		for (int i = 0; i < at_N; i++)
			at_out[i] = at_ahead = i || at_team.at_rank ? at_op(at_ahead, at_in[i]) : at_in[i];
	}
	template <int at_N, class at_Op> void InclusiveScan(at_T (&at_in)[at_N], at_T (&at_out)[at_N], at_Op at_op)
	{ at_T at_whole; InclusiveScan(at_in, at_out, at_op, at_whole); }
	template <int at_N, class at_Op>
	void ExclusiveScan(at_T (&at_in)[at_N], at_T (&at_out)[at_N], at_T at_initial, at_Op at_op, at_T &at_whole)
	{
		auto at_team = at_self();
		at_T at_ahead = at_team.at_scan(at_host_fold(at_in, at_op), at_op, [] { __syncthreads(); }, at_whole);
		at_ahead = at_team.at_rank ? at_op(at_initial, at_ahead) : at_initial;
		for (int i = 0; i < at_N; i++) {
			at_T at_value = at_in[i];
			at_out[i] = at_ahead;
			at_ahead = at_op(at_ahead, at_value);
		}
	}
	template <int at_N, class at_Op> void ExclusiveScan(at_T (&at_in)[at_N], at_T (&at_out)[at_N], at_T at_initial, at_Op at_op)
	{ at_T at_whole; ExclusiveScan(at_in, at_out, at_initial, at_op, at_whole); }
	template <int at_N> void InclusiveSum(at_T (&at_in)[at_N], at_T (&at_out)[at_N])
	{ InclusiveScan(at_in, at_out, cub::Sum()); }
	template <int at_N> void InclusiveSum(at_T (&at_in)[at_N], at_T (&at_out)[at_N], at_T &at_whole)
	{ InclusiveScan(at_in, at_out, cub::Sum(), at_whole); }
	template <int at_N> void ExclusiveSum(at_T (&at_in)[at_N], at_T (&at_out)[at_N])
	{ ExclusiveScan(at_in, at_out, at_T(), cub::Sum()); }
	template <int at_N> void ExclusiveSum(at_T (&at_in)[at_N], at_T (&at_out)[at_N], at_T &at_whole)
	{ ExclusiveScan(at_in, at_out, at_T(), cub::Sum(), at_whole); }
};

/* The calling lane's tile of Threads lanes: a power of two, or one tile a warp. */
template <int at_Threads> struct at_host_tile {
	static_assert(at_Threads >= 1 && at_Threads <= 32, "a warp has 32 lanes");
	static unsigned at_first() { return at_host_lane() / at_Threads * at_Threads; }
	static unsigned at_mask()
	{ return (at_Threads == 32 ? 0xffffffffu : ((1u << (at_Threads % 32)) - 1)) << at_first(); }
	static void at_meet() { __syncwarp(at_mask()); }
};

/* The same as at_host_team, for a tile of a power of two of lanes: these shuffle, and leave the storage empty. */
template <class at_T, int at_Threads> struct at_host_shuffles {
	typedef at_host_tile<at_Threads> at_tile;
	struct TempStorage {};
	TempStorage &at_storage;
	int at_rank;

	at_T at_get(const at_T &at_value, int at_from)
	{ return at_host_shuffle_any(at_tile::at_mask(), at_value, at_tile::at_first() + (unsigned)at_from); }
	template <class at_Meet, class at_Op> at_T at_reduce(at_T at_value, int at_count, at_Op &at_op, at_Meet &&)
	{
		for (int at_step = 1; at_step < at_Threads; at_step *= 2) {
			bool at_is = at_rank + at_step < at_count;
			at_T at_other = at_get(at_value, at_rank + (at_rank + at_step < at_Threads ? at_step : 0));
			if (at_is)
				at_value = at_op(at_value, at_other);
		}
		return at_value;
	}
	template <class at_Meet, class at_Op> at_T at_scan(at_T at_value, at_Op &at_op, at_Meet &&, at_T &at_whole)
	{
		at_T at_ahead;

		for (int at_step = 1; at_step < at_Threads; at_step *= 2) {
			at_T at_other = at_get(at_value, at_rank >= at_step ? at_rank - at_step : at_rank);
			if (at_rank >= at_step)
				at_value = at_op(at_other, at_value);
		}
		at_ahead = at_get(at_value, at_rank ? at_rank - 1 : 0);
		at_whole = at_get(at_value, at_Threads - 1);
		return at_ahead;
	}
	template <class at_Meet> at_T at_broadcast(const at_T &at_value, int at_from, at_Meet &&)
	{ return at_get(at_value, at_from); }
};
template <class at_T, int at_Threads>
using at_host_warp_team = typename std::conditional<(at_Threads & (at_Threads - 1)) == 0,
	at_host_shuffles<at_T, at_Threads>, at_host_team<at_T, at_Threads>>::type;

template <class at_T, int at_Threads = 32, int at_Legacy = 0> class WarpReduce {
	typedef at_host_tile<at_Threads> at_tile;
	typedef at_host_warp_team<at_T, at_Threads> at_team;

public:
	struct TempStorage : at_team::TempStorage {};

private:
	TempStorage &at_storage;
	at_team at_self() { return at_team{ at_storage, (int)(at_host_lane() - at_tile::at_first()) }; }

public:
	WarpReduce(TempStorage &at_storage) : at_storage(at_storage) {}
	template <class at_Op> at_T Reduce(at_T at_value, at_Op at_op) { return at_self().at_reduce(at_value, at_Threads, at_op, at_tile::at_meet); }
	template <class at_Op> at_T Reduce(at_T at_value, at_Op at_op, int at_count)
	{ return at_self().at_reduce(at_value, at_count < at_Threads ? at_count : at_Threads, at_op, at_tile::at_meet); }
	at_T Sum(at_T at_value) { return Reduce(at_value, cub::Sum()); }
	at_T Sum(at_T at_value, int at_count) { return Reduce(at_value, cub::Sum(), at_count); }
	at_T Max(at_T at_value) { return Reduce(at_value, cub::Max()); }
	at_T Min(at_T at_value) { return Reduce(at_value, cub::Min()); }
};

template <class at_T, int at_Threads = 32, int at_Legacy = 0> class WarpScan {
	typedef at_host_tile<at_Threads> at_tile;
	typedef at_host_warp_team<at_T, at_Threads> at_team;

public:
	struct TempStorage : at_team::TempStorage {};

private:
	TempStorage &at_storage;
	at_team at_self() { return at_team{ at_storage, (int)(at_host_lane() - at_tile::at_first()) }; }

public:
	WarpScan(TempStorage &at_storage) : at_storage(at_storage) {}
	AT_CUB_SCANS(at_T, at_tile::at_meet)
	at_T Broadcast(at_T at_value, unsigned at_lane)
	{ return at_self().at_broadcast(at_value, (int)at_lane, at_tile::at_meet); }
};
#undef AT_CUB_SCANS

/* Loads and stores by a thread's number, without a class. Striped: neighbours go to neighbouring
   threads; blocked: N a thread. */
#define AT_CUB_MOVES(at_Load, at_Store, at_Parameters, at_place) \
	template <at_Parameters class at_T, int at_N, class at_From> \
	inline void at_Load(int at_thread, at_From at_from, at_T (&at_items)[at_N]) \
	{ for (int i = 0; i < at_N; i++) at_items[i] = at_from[at_place]; } \
	template <at_Parameters class at_T, int at_N, class at_From> \
	inline void at_Load(int at_thread, at_From at_from, at_T (&at_items)[at_N], int at_count) \
	{ for (int i = 0; i < at_N; i++) if (at_place < at_count) at_items[i] = at_from[at_place]; } \
	template <at_Parameters class at_T, class at_Rest, int at_N, class at_From> \
	inline void at_Load(int at_thread, at_From at_from, at_T (&at_items)[at_N], int at_count, at_Rest at_rest) \
	{ for (int i = 0; i < at_N; i++) at_items[i] = at_place < at_count ? (at_T)at_from[at_place] : (at_T)at_rest; } \
	template <at_Parameters class at_T, int at_N, class at_To> \
	inline void at_Store(int at_thread, at_To at_to, at_T (&at_items)[at_N]) \
	{ for (int i = 0; i < at_N; i++) at_to[at_place] = at_items[i]; } \
	template <at_Parameters class at_T, int at_N, class at_To> \
	inline void at_Store(int at_thread, at_To at_to, at_T (&at_items)[at_N], int at_count) \
	{ for (int i = 0; i < at_N; i++) if (at_place < at_count) at_to[at_place] = at_items[i]; }
#define AT_CUB_NONE
#define AT_CUB_THREADS int at_Threads,
AT_CUB_MOVES(LoadDirectBlocked, StoreDirectBlocked, AT_CUB_NONE, (at_thread * at_N + i))
AT_CUB_MOVES(LoadDirectStriped, StoreDirectStriped, AT_CUB_THREADS, (at_thread + i * at_Threads))
AT_CUB_MOVES(LoadDirectWarpStriped, StoreDirectWarpStriped, AT_CUB_NONE, (at_thread / 32 * 32 * at_N + at_thread % 32 + i * 32))
#undef AT_CUB_MOVES
#undef AT_CUB_NONE
#undef AT_CUB_THREADS

template <class at_T, int at_X, int at_N, BlockLoadAlgorithm at_Algorithm = BLOCK_LOAD_DIRECT, int at_Y = 1, int at_Z = 1,
	int at_Legacy = 0>
class BlockLoad {
public:
	struct TempStorage { int unused; };
	BlockLoad() {}
	BlockLoad(TempStorage &) {}
	/* rest: how many there are, and what the others get */
	template <class at_From, class... at_Rest> void Load(at_From at_from, at_T (&at_to)[at_N], at_Rest... at_rest)
	{
		if constexpr (at_Algorithm == BLOCK_LOAD_STRIPED)
			LoadDirectStriped<at_X * at_Y * at_Z>((int)at_host_linear_thread(), at_from, at_to, at_rest...);
		else
			LoadDirectBlocked((int)at_host_linear_thread(), at_from, at_to, at_rest...);
	}
};

template <class at_T, int at_X, int at_N, BlockStoreAlgorithm at_Algorithm = BLOCK_STORE_DIRECT, int at_Y = 1,
	int at_Z = 1, int at_Legacy = 0>
class BlockStore {
public:
	struct TempStorage { int unused; };
	BlockStore() {}
	BlockStore(TempStorage &) {}
	template <class at_To, class... at_Rest> void Store(at_To at_to, at_T (&at_from)[at_N], at_Rest... at_rest)
	{
		if constexpr (at_Algorithm == BLOCK_STORE_STRIPED)
			StoreDirectStriped<at_X * at_Y * at_Z>((int)at_host_linear_thread(), at_to, at_from, at_rest...);
		else
			StoreDirectBlocked((int)at_host_linear_thread(), at_to, at_from, at_rest...);
	}
};
}

#endif
