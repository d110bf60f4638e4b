/*
 * NVIDIA's <cooperative_groups.h> for the device "host", after the CUDA C++ Programming
 * Guide, "Cooperative Groups": blocks, tiles of 1 to 32 threads, coalesced groups, the
 * grid without its barrier.
 */
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_

namespace cooperative_groups
{
/* What is larger than a shuffle goes over in pieces. */
template <class T> inline T at_host_shuffle_any(unsigned mask, T value, unsigned lane)
{
	struct piece { uint64_t bits; } pieces[(sizeof(T) + 7) / 8] = {};

	__builtin_memcpy(pieces, &value, sizeof(T));
	for (unsigned i = 0; i < sizeof(pieces) / 8; i++)
		pieces[i].bits = at_host_shuffle(mask, pieces[i].bits, lane);
	__builtin_memcpy(&value, pieces, sizeof(T));
	return value;
}

struct at_host_never {};

/* Any of those below whose size is known when the kernel runs. */
class thread_group {
public:
	enum at_kind { BLOCK, LANES, GRID } at_kind;
	unsigned at_mask; /* of LANES: of its warp */

	unsigned long long size() const
	{ return at_kind == BLOCK ? at_host_self()->thread_count : __popc(at_mask); }
	unsigned long long num_threads() const { return size(); }
	unsigned long long thread_rank() const
	{
		return at_kind == BLOCK ? at_host_self()->linear_thread
					: __popc(at_mask & ((1u << at_host_lane()) - 1));
	}
	void sync() const
	{
		if (at_kind == BLOCK)
			__syncthreads();
		else
			__syncwarp(at_mask);
	}
	bool is_valid() const { return true; }
};

class thread_block : public thread_group {
public:
	thread_block() : thread_group{ BLOCK, 0 } {}
	static void sync() { __syncthreads(); }
	struct arrival_token {};
	static unsigned size() { return at_host_self()->thread_count; }
	static unsigned num_threads() { return size(); }
	static unsigned thread_rank() { return at_host_self()->linear_thread; }
	static dim3 group_index() { return blockIdx; }
	static dim3 thread_index() { return threadIdx; }
	static dim3 group_dim() { return blockDim; }
	static dim3 dim_threads() { return blockDim; }
};
AT_HOST_INLINE thread_block this_thread_block() { return thread_block(); }

class grid_group {
public:
	static unsigned long long num_blocks()
	{ return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
	static unsigned long long block_rank()
	{
		return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x +
			blockIdx.x;
	}
	static unsigned long long num_threads()
	{ return num_blocks() * at_host_self()->thread_count; }
	static unsigned long long size() { return num_threads(); }
	static unsigned long long thread_rank()
	{ return block_rank() * at_host_self()->thread_count + at_host_self()->linear_thread; }
	static dim3 dim_blocks() { return gridDim; }
	static dim3 group_dim() { return gridDim; }
	static dim3 block_index() { return blockIdx; }
	static bool is_valid() { return false; }
	/* a template, so that only a kernel that calls it is told */
	template <class T = at_host_never> static void sync()
	{
		static_assert(sizeof(T) == 0,
			"grid.sync() needs a cooperative launch, which autotune does not do: "
			"end the kernel there, and launch the rest as another one");
	}
};
AT_HOST_INLINE grid_group this_grid() { return grid_group(); }

/* What groups of lanes have in common; Self says at_mask and at_lane_of(rank). */
template <class Self> class at_host_lanes {
	const Self &self() const { return *(const Self *)this; }
	unsigned mask() const { return self().at_lane_mask(); }

public:
	void sync() const { __syncwarp(mask()); }
	unsigned size() const { return (unsigned)__popc(mask()); }
	unsigned num_threads() const { return size(); }
	unsigned thread_rank() const
	{ return (unsigned)__popc(mask() & ((1u << at_host_lane()) - 1)); }
	bool is_valid() const { return true; }
	/* of the thread with a rank; past the end the own value */
	template <class T> T shfl(T value, unsigned rank) const
	{ return at_host_shuffle_any(mask(), value, self().at_lane_of(rank % size())); }
	template <class T> T shfl_up(T value, unsigned delta) const
	{
		unsigned rank = thread_rank();

		return at_host_shuffle_any(
			mask(), value, self().at_lane_of(delta <= rank ? rank - delta : rank));
	}
	template <class T> T shfl_down(T value, unsigned delta) const
	{
		unsigned rank = thread_rank();

		return at_host_shuffle_any(
			mask(), value, self().at_lane_of(delta < size() - rank ? rank + delta : rank));
	}
	template <class T> T shfl_xor(T value, unsigned lanes) const
	{
		unsigned other = thread_rank() ^ lanes;

		return at_host_shuffle_any(mask(), value,
			self().at_lane_of(other < size() ? other : thread_rank()));
	}
	/* bits are ranks */
	unsigned ballot(int predicate) const
	{ return at_ranks(__ballot_sync(mask(), predicate) & mask()); }
	int any(int predicate) const { return ballot(predicate) != 0; }
	int all(int predicate) const { return ballot(!predicate) == 0; }
	template <class T> unsigned match_any(T value) const
	{
		unsigned ranks = 0;

		for (unsigned i = 0; i < size(); i++)
			if (shfl(value, i) == value)
				ranks |= 1u << i;
		return ranks;
	}
	template <class T> unsigned match_all(T value, int &same) const
	{
		same = all(shfl(value, 0) == value);
		return same ? at_ranks(mask()) : 0;
	}

private:
	unsigned at_ranks(unsigned lanes) const
	{
		unsigned ranks = 0;

		for (unsigned i = 0; i < size(); i++)
			ranks |= (lanes >> self().at_lane_of(i) & 1) << i;
		return ranks;
	}
};

/* Lanes that came together, whichever they are. */
class coalesced_group : public at_host_lanes<coalesced_group> {
public:
	unsigned at_mask;
	unsigned at_group = 0, at_groups = 1;

	explicit coalesced_group(unsigned mask = 1) : at_mask(mask) {}
	unsigned at_lane_mask() const { return at_mask; }
	unsigned at_lane_of(unsigned rank) const
	{
		unsigned left = at_mask;

		while (rank-- && left)
			left &= left - 1;
		return left ? (unsigned)__builtin_ctz(left) : at_host_lane();
	}
	unsigned meta_group_size() const { return at_groups; }
	unsigned meta_group_rank() const { return at_group; }
	operator thread_group() const { return thread_group{ thread_group::LANES, at_mask }; }
};

/*
 * Who comes to the same line while no other thread can go on: as many as a GPU ever
 * sees there together. The line is the caller's.
 */
inline coalesced_group coalesced_threads(
	unsigned line = __builtin_LINE(), const char *file = __builtin_FILE())
{
	return coalesced_group((unsigned)at_host_warp(
		AT_HOST_WARP_GATHER, 0, 0, (uint64_t)(uintptr_t)file + line));
}

/* The lanes of a tile of `size` threads. */
AT_HOST_INLINE unsigned at_host_tile_mask(unsigned size)
{
	unsigned lane = at_host_lane(), left = at_host_self()->thread_count -
		(at_host_self()->linear_thread - lane);
	unsigned exist = left >= 32 ? 0xffffffffu : (1u << left) - 1;

	return exist & (size >= 32 ? 0xffffffffu : ((1u << size) - 1) << (lane & ~(size - 1)));
}

template <unsigned Size, class Parent = void>
class thread_block_tile : public at_host_lanes<thread_block_tile<Size, Parent>> {
	static_assert(Size <= 32,
		"tiles of more than 32 threads are not there on host: give this space's problems "
		"on = \"cuda\", or write the kernel for tiles of 32");
	static_assert(Size && !(Size & (Size - 1)), "a tile has 1, 2, 4, 8, 16 or 32 threads");

public:
	/* of how many threads the tiles are */
	unsigned at_parent_size, at_parent_rank;

	thread_block_tile(unsigned parent_size = 32, unsigned parent_rank = 0)
		: at_parent_size(parent_size), at_parent_rank(parent_rank) {}
	unsigned at_lane_mask() const { return at_host_tile_mask(Size); }
	unsigned at_lane_of(unsigned rank) const { return (at_host_lane() & ~(Size - 1)) + rank; }
	static constexpr unsigned size() { return Size; }
	static constexpr unsigned num_threads() { return Size; }
	static unsigned thread_rank() { return at_host_lane() & (Size - 1); }
	unsigned meta_group_size() const { return (at_parent_size + Size - 1) / Size; }
	unsigned meta_group_rank() const { return at_parent_rank / Size; }
	operator thread_group() const
	{ return thread_group{ thread_group::LANES, at_lane_mask() }; }
};

template <unsigned Size, class Parent>
inline thread_block_tile<Size, Parent> tiled_partition(const Parent &parent)
{
	return thread_block_tile<Size, Parent>(
		(unsigned)parent.size(), (unsigned)parent.thread_rank());
}
inline thread_group tiled_partition(const thread_block &, unsigned size)
{ return thread_group{ thread_group::LANES, at_host_tile_mask(size) }; }
inline coalesced_group tiled_partition(const coalesced_group &parent, unsigned size)
{
	coalesced_group tile(0);
	unsigned first = parent.thread_rank() & ~(size - 1);

	for (unsigned i = first; i < first + size && i < parent.size(); i++)
		tile.at_mask |= 1u << parent.at_lane_of(i);
	tile.at_group = first / size;
	tile.at_groups = (parent.size() + size - 1) / size;
	return tile;
}

template <class Group> inline coalesced_group binary_partition(const Group &parent, bool predicate)
{
	unsigned mask = parent.at_lane_mask(), yes = __ballot_sync(mask, predicate) & mask;
	coalesced_group part(predicate ? yes : mask & ~yes);

	part.at_group = predicate;
	part.at_groups = 2;
	return part;
}
template <class Group> inline coalesced_group labeled_partition(const Group &parent, int label)
{
	unsigned ranks = parent.match_any(label), lanes = 0;

	for (unsigned i = 0; i < parent.size(); i++)
		if (ranks >> i & 1)
			lanes |= 1u << parent.at_lane_of(i);
	return coalesced_group(lanes);
}

template <class Group> AT_HOST_INLINE void sync(const Group &group) { group.sync(); }
template <class Group> AT_HOST_INLINE unsigned long long thread_rank(const Group &group)
{ return group.thread_rank(); }
template <class Group> AT_HOST_INLINE unsigned long long group_size(const Group &group)
{ return group.size(); }

/* Copies here and now; wait() is the barrier that it says. */
template <class Group, class T, class U, class Size>
inline void memcpy_async(const Group &group, T *to, const U *from, const Size &bytes)
{
	for (unsigned long long i = group.thread_rank(); i < (unsigned long long)bytes; i += group.size())
		((char *)to)[i] = ((const char *)from)[i];
}
template <class Group> AT_HOST_INLINE void wait(const Group &group) { group.sync(); }
template <unsigned Stages, class Group> AT_HOST_INLINE void wait_prior(const Group &group)
{ group.sync(); }
template <class Group, class F> AT_HOST_INLINE void invoke_one(const Group &group, F &&function)
{
	if (group.thread_rank() == 0)
		function();
}

/* ---- reductions and scans over tiles and coalesced groups ---- */

#define AT_CG_OPERATOR(name, expression) \
	template <class T = void> struct name { \
		T operator()(T x, T y) const { return (T)(expression); } \
	}; \
	template <> struct name<void> { \
		template <class T> T operator()(T x, T y) const { return (T)(expression); } \
	};
AT_CG_OPERATOR(plus, x + y)
AT_CG_OPERATOR(less, y < x ? y : x)
AT_CG_OPERATOR(greater, x < y ? y : x)
AT_CG_OPERATOR(bit_and, x & y)
AT_CG_OPERATOR(bit_or, x | y)
AT_CG_OPERATOR(bit_xor, x ^ y)
#undef AT_CG_OPERATOR

/* In a tree, as a GPU does. */
template <class Group, class T, class Operation>
inline T reduce(const Group &group, T value, Operation &&operation)
{
	unsigned size = group.size(), rank = group.thread_rank(), step = 1;

	while (step < size)
		step *= 2;
	for (step /= 2; step > 0; step /= 2) {
		T other = group.shfl_down(value, step);

		if (rank + step < size && rank < step)
			value = operation(value, other);
	}
	return group.shfl(value, 0);
}
template <class Group, class T, class Operation>
inline T inclusive_scan(const Group &group, T value, Operation &&operation)
{
	unsigned size = group.size(), rank = group.thread_rank();

	for (unsigned step = 1; step < size; step *= 2) {
		T other = group.shfl_up(value, step);

		if (rank >= step)
			value = operation(other, value);
	}
	return value;
}
template <class Group, class T> inline T inclusive_scan(const Group &group, T value)
{ return inclusive_scan(group, value, plus<T>()); }
template <class Group, class T, class Operation>
inline T exclusive_scan(const Group &group, T value, Operation &&operation)
{
	T before = group.shfl_up(inclusive_scan(group, value, operation), 1);

	return group.thread_rank() ? before : T();
}
template <class Group, class T> inline T exclusive_scan(const Group &group, T value)
{ return exclusive_scan(group, value, plus<T>()); }
}

#endif
