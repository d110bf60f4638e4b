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
#define AT_CUB_OPERATOR(name, expression) \
	template <class T = void> struct name { \
		T operator()(const T &x, const T &y) const { return (T)(expression); } \
	}; \
	template <> struct name<void> { \
		template <class T> T operator()(const T &x, const T &y) const { return (T)(expression); } \
	};
AT_CUB_OPERATOR(maximum, x < y ? y : x)
AT_CUB_OPERATOR(minimum, y < x ? y : x)
}

namespace cub
{
/* Names of CUB before 3.0. */
#define AT_CUB_PLAIN(name, expression) \
	struct name { \
		template <class T> T operator()(const T &x, const T &y) const { return (T)(expression); } \
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
template <class T, int Count> struct at_host_places {
	alignas(T) unsigned char bytes[Count * sizeof(T)];
	T get(int i) const
	{
		T value;
		__builtin_memcpy(&value, bytes + i * sizeof(T), sizeof(T));
		return value;
	}
	void put(int i, const T &value) { __builtin_memcpy(bytes + i * sizeof(T), &value, sizeof(T)); }
};

/* Threads first to first + count - 1 bring a value each; Meet is their barrier. */
template <class T, int Threads> struct at_host_team {
	typedef at_host_places<T, Threads> TempStorage;
	TempStorage &places;
	int rank;

	/* Thread 0's result counts. */
	template <class Meet, class Op> T reduce(T value, int count, Op &op, Meet &&meet)
	{
		places.put(rank, value);
		meet();
		if (rank == 0)
			for (int i = 1; i < count; i++)
				value = op(value, places.get(i));
		return value;
	}
	/* What lies ahead of the own value; *whole is that of all. has_any: rank is not 0. */
	template <class Meet, class Op> T scan(T value, Op &op, Meet &&meet, T &whole)
	{
		T ahead = value, sum;

		places.put(rank, value);
		meet();
		sum = places.get(0);
		for (int i = 1; i < Threads; i++) {
			if (i == rank)
				ahead = sum;
			sum = op(sum, places.get(i));
		}
		whole = sum;
		return ahead;
	}
};

template <class T, int X, BlockReduceAlgorithm Algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1,
	int Z = 1, int Legacy = 0>
class BlockReduce {
	typedef at_host_team<T, X * Y * Z> team;

public:
	struct TempStorage : team::TempStorage {};

private:
	TempStorage &storage;
	static TempStorage &own()
	{
		__shared__ TempStorage storage;
		return storage;
	}
	team self() { return team{ storage, (int)at_host_self()->linear_thread }; }
	template <int N, class Op> static T fold(const T (&values)[N], Op &op)
	{
		T total = values[0];
		for (int i = 1; i < N; i++)
			total = op(total, values[i]);
		return total;
	}

public:
	BlockReduce() : storage(own()) {}
	BlockReduce(TempStorage &storage) : storage(storage) {}
	template <class Op> T Reduce(T value, Op op)
	{ return self().reduce(value, X * Y * Z, op, [] { __syncthreads(); }); }
	template <class Op> T Reduce(T value, Op op, int count)
	{ return self().reduce(value, count < X * Y * Z ? count : X * Y * Z, op, [] { __syncthreads(); }); }
	template <int N, class Op> T Reduce(T (&values)[N], Op op) { return Reduce(fold(values, op), op); }
	T Sum(T value) { return Reduce(value, cub::Sum()); }
	T Sum(T value, int count) { return Reduce(value, cub::Sum(), count); }
	template <int N> T Sum(T (&values)[N]) { return Reduce(values, cub::Sum()); }
};

#define AT_CUB_SCANS(T, SCAN) \
	void InclusiveSum(T in, T &out) { T whole; InclusiveSum(in, out, whole); } \
	void InclusiveSum(T in, T &out, T &whole) { InclusiveScan(in, out, cub::Sum(), whole); } \
	void ExclusiveSum(T in, T &out) { T whole; ExclusiveSum(in, out, whole); } \
	void ExclusiveSum(T in, T &out, T &whole) \
	{ ExclusiveScan(in, out, T(), cub::Sum(), whole); } \
	template <class Op> void InclusiveScan(T in, T &out, Op op) \
	{ T whole; InclusiveScan(in, out, op, whole); } \
	template <class Op> void InclusiveScan(T in, T &out, Op op, T &whole) \
	{ \
		auto team = self(); \
		T ahead = team.scan(in, op, SCAN, whole); \
		out = team.rank ? op(ahead, in) : in; \
	} \
	template <class Op> void ExclusiveScan(T in, T &out, T initial, Op op) \
	{ T whole; ExclusiveScan(in, out, initial, op, whole); } \
	template <class Op> void ExclusiveScan(T in, T &out, T initial, Op op, T &whole) \
	{ \
		auto team = self(); \
		T ahead = team.scan(in, op, SCAN, whole); \
		out = team.rank ? op(initial, ahead) : initial; \
	} \
	template <class Op> void ExclusiveScan(T in, T &out, Op op) \
	{ T whole, ahead = self().scan(in, op, SCAN, whole); out = ahead; }

template <class T, int X, BlockScanAlgorithm Algorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1,
	int Legacy = 0>
class BlockScan {
	typedef at_host_team<T, X * Y * Z> team;

public:
	struct TempStorage : team::TempStorage {};

private:
	TempStorage &storage;
	static TempStorage &own()
	{
		__shared__ TempStorage storage;
		return storage;
	}
	team self() { return team{ storage, (int)at_host_self()->linear_thread }; }

public:
	BlockScan() : storage(own()) {}
	BlockScan(TempStorage &storage) : storage(storage) {}
	AT_CUB_SCANS(T, [] { __syncthreads(); })
	/* several values a thread, which follow each other */
	template <int N, class Op> void InclusiveScan(T (&in)[N], T (&out)[N], Op op, T &whole)
	{
		T total = in[0], ahead;
		for (int i = 1; i < N; i++)
			total = op(total, in[i]);
		auto team = self();
		ahead = team.scan(total, op, [] { __syncthreads(); }, whole);
		for (int i = 0; i < N; i++)
			out[i] = ahead = i || team.rank ? op(ahead, in[i]) : in[i];
	}
	template <int N, class Op> void InclusiveScan(T (&in)[N], T (&out)[N], Op op)
	{ T whole; InclusiveScan(in, out, op, whole); }
	template <int N, class Op>
	void ExclusiveScan(T (&in)[N], T (&out)[N], T initial, Op op, T &whole)
	{
		T total = in[0], ahead;
		for (int i = 1; i < N; i++)
			total = op(total, in[i]);
		auto team = self();
		ahead = team.scan(total, op, [] { __syncthreads(); }, whole);
		ahead = team.rank ? op(initial, ahead) : initial;
		for (int i = 0; i < N; i++) {
			T value = in[i];
			out[i] = ahead;
			ahead = op(ahead, value);
		}
	}
	template <int N, class Op> void ExclusiveScan(T (&in)[N], T (&out)[N], T initial, Op op)
	{ T whole; ExclusiveScan(in, out, initial, op, whole); }
	template <int N> void InclusiveSum(T (&in)[N], T (&out)[N])
	{ InclusiveScan(in, out, cub::Sum()); }
	template <int N> void InclusiveSum(T (&in)[N], T (&out)[N], T &whole)
	{ InclusiveScan(in, out, cub::Sum(), whole); }
	template <int N> void ExclusiveSum(T (&in)[N], T (&out)[N])
	{ ExclusiveScan(in, out, T(), cub::Sum()); }
	template <int N> void ExclusiveSum(T (&in)[N], T (&out)[N], T &whole)
	{ ExclusiveScan(in, out, T(), cub::Sum(), whole); }
};

/* Lanes of a tile of Threads, a power of two or one tile a warp. */
template <class T, int Threads = 32, int Legacy = 0> class WarpReduce {
	static_assert(Threads >= 1 && Threads <= 32, "a warp has 32 lanes");
	typedef at_host_team<T, Threads> team;

public:
	struct TempStorage : team::TempStorage {};

private:
	TempStorage &storage;
	static unsigned first() { return at_host_lane() / Threads * Threads; }
	static void meet()
	{ __syncwarp((Threads == 32 ? 0xffffffffu : ((1u << (Threads % 32)) - 1)) << first()); }
	team self() { return team{ storage, (int)(at_host_lane() - first()) }; }

public:
	WarpReduce(TempStorage &storage) : storage(storage) {}
	template <class Op> T Reduce(T value, Op op) { return self().reduce(value, Threads, op, meet); }
	template <class Op> T Reduce(T value, Op op, int count)
	{ return self().reduce(value, count < Threads ? count : Threads, op, meet); }
	T Sum(T value) { return Reduce(value, cub::Sum()); }
	T Sum(T value, int count) { return Reduce(value, cub::Sum(), count); }
	T Max(T value) { return Reduce(value, cub::Max()); }
	T Min(T value) { return Reduce(value, cub::Min()); }
};

template <class T, int Threads = 32, int Legacy = 0> class WarpScan {
	static_assert(Threads >= 1 && Threads <= 32, "a warp has 32 lanes");
	typedef at_host_team<T, Threads> team;

public:
	struct TempStorage : team::TempStorage {};

private:
	TempStorage &storage;
	static unsigned first() { return at_host_lane() / Threads * Threads; }
	static void meet()
	{ __syncwarp((Threads == 32 ? 0xffffffffu : ((1u << (Threads % 32)) - 1)) << first()); }
	team self() { return team{ storage, (int)(at_host_lane() - first()) }; }

public:
	WarpScan(TempStorage &storage) : storage(storage) {}
	AT_CUB_SCANS(T, meet)
	T Broadcast(T value, unsigned lane)
	{
		auto team = self();
		team.places.put(team.rank, value);
		meet();
		return team.places.get((int)lane);
	}
};
#undef AT_CUB_SCANS

/* Striped: neighbours go to neighbouring threads; all others: N a thread. */
template <class T, int X, int N, bool IsStriped, int Y, int Z> struct at_host_pieces {
	static long long place(int i)
	{
		int thread = (int)at_host_self()->linear_thread;
		return IsStriped ? (long long)i * X * Y * Z + thread : (long long)thread * N + i;
	}
};

template <class T, int X, int N, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1,
	int Legacy = 0>
class BlockLoad {
	typedef at_host_pieces<T, X, N, Algorithm == BLOCK_LOAD_STRIPED, Y, Z> pieces;

public:
	struct TempStorage { int unused; };
	BlockLoad() {}
	BlockLoad(TempStorage &) {}
	template <class From> void Load(From from, T (&to)[N])
	{
		for (int i = 0; i < N; i++)
			to[i] = from[pieces::place(i)];
	}
	template <class From> void Load(From from, T (&to)[N], int count)
	{
		for (int i = 0; i < N; i++)
			if (pieces::place(i) < count)
				to[i] = from[pieces::place(i)];
	}
	template <class From, class Rest> void Load(From from, T (&to)[N], int count, Rest rest)
	{
		for (int i = 0; i < N; i++)
			to[i] = pieces::place(i) < count ? from[pieces::place(i)] : (T)rest;
	}
};

template <class T, int X, int N, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int Y = 1,
	int Z = 1, int Legacy = 0>
class BlockStore {
	typedef at_host_pieces<T, X, N, Algorithm == BLOCK_STORE_STRIPED, Y, Z> pieces;

public:
	struct TempStorage { int unused; };
	BlockStore() {}
	BlockStore(TempStorage &) {}
	template <class To> void Store(To to, T (&from)[N])
	{
		for (int i = 0; i < N; i++)
			to[pieces::place(i)] = from[i];
	}
	template <class To> void Store(To to, T (&from)[N], int count)
	{
		for (int i = 0; i < N; i++)
			if (pieces::place(i) < count)
				to[pieces::place(i)] = from[i];
	}
};
}

#endif
