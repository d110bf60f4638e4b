/*
 * NVIDIA's <cooperative_groups.h> for the device "host", after the CUDA C++ Programming
 * Guide, "Cooperative Groups": blocks, tiles of 1 to 32 threads, coalesced groups, the
 * grid.
 */
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_

namespace cooperative_groups
{
struct at_host_never {};

/* Any of those below whose size is known when the kernel runs. */
class thread_group {
public:
	enum at_kind { at_BLOCK, at_LANES, at_GRID } at_kind;
	unsigned at_mask; /* of LANES: of its warp */

	unsigned long long size() const
	{ return at_kind == at_BLOCK ? at_host_thread_count() : __popc(at_mask); }
	unsigned long long num_threads() const { return size(); }
	unsigned long long thread_rank() const
	{
		return at_kind == at_BLOCK ? at_host_linear_thread()
					: __popc(at_mask & ((1u << at_host_lane()) - 1));
	}
	void sync() const
	{
		if (at_kind == at_BLOCK)
			__syncthreads();
		else
			__syncwarp(at_mask);
	}
	bool is_valid() const { return true; }
};

class thread_block : public thread_group {
public:
	thread_block() : thread_group{ at_BLOCK, 0 } {}
	static void sync() { __syncthreads(); }
	struct arrival_token {};
	static unsigned size() { return at_host_thread_count(); }
	static unsigned num_threads() { return size(); }
	static unsigned thread_rank() { return at_host_linear_thread(); }
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
	{ return num_blocks() * at_host_thread_count(); }
	static unsigned long long size() { return num_threads(); }
	static unsigned long long thread_rank()
	{ return block_rank() * at_host_thread_count() + at_host_linear_thread(); }
	static dim3 dim_blocks() { return gridDim; }
	static dim3 group_dim() { return gridDim; }
	static dim3 block_index() { return blockIdx; }
	static bool is_valid() { return at_host_is_cooperative(); }
	static void sync() { at_host_grid(); }
};
AT_HOST_INLINE grid_group this_grid() { return grid_group(); }

/* What kernels use of it, so that they are told of nothing but this_cluster(). */
class cluster_group {
public:
	static void sync() {}
	static void barrier_arrive() {}
	static void barrier_wait() {}
	static unsigned block_rank() { return 0; }
	static unsigned thread_rank() { return 0; }
	static unsigned num_blocks() { return 1; }
	static unsigned num_threads() { return 1; }
	static unsigned size() { return 1; }
	static dim3 block_index() { return dim3(); }
	static dim3 dim_blocks() { return dim3(); }
	static dim3 dim_threads() { return dim3(); }
	template <class at_T> static at_T *map_shared_rank(at_T *at_address, int) { return at_address; }
	template <class at_T> static unsigned query_shared_rank(const at_T *) { return 0; }
};
/* a template, so that only a kernel that calls it is told */
template <class at_T = at_host_never> cluster_group this_cluster()
{
	static_assert(sizeof(at_T) == 0,
		"clusters of blocks are not there on host: give this space's problems on = \"cuda\"");
	return cluster_group();
}

/* What groups of lanes have in common; Self says at_mask and at_lane_of(rank). */
template <class at_Self> class at_host_lanes {
	const at_Self &at_self() const { return *(const at_Self *)this; }
	unsigned at_mask() const { return at_self().at_lane_mask(); }

public:
	void sync() const { __syncwarp(at_mask()); }
	unsigned size() const { return (unsigned)__popc(at_mask()); }
	unsigned num_threads() const { return size(); }
	unsigned thread_rank() const
	{ return (unsigned)__popc(at_mask() & ((1u << at_host_lane()) - 1)); }
	bool is_valid() const { return true; }
	/* of the thread with a rank; past the end the own value */
	template <class at_T> at_T shfl(at_T at_value, unsigned at_rank) const
	{ return at_host_shuffle_any(at_mask(), at_value, at_self().at_lane_of(at_rank % size())); }
	template <class at_T> at_T shfl_up(at_T at_value, unsigned at_delta) const
	{
		unsigned at_rank = thread_rank();

		return shfl(at_value, at_delta <= at_rank ? at_rank - at_delta : at_rank);
	}
	template <class at_T> at_T shfl_down(at_T at_value, unsigned at_delta) const
	{
		unsigned at_rank = thread_rank();

		return shfl(at_value, at_delta < size() - at_rank ? at_rank + at_delta : at_rank);
	}
	template <class at_T> at_T shfl_xor(at_T at_value, unsigned at_lanes) const
	{
		unsigned at_other = thread_rank() ^ at_lanes;

		return shfl(at_value, at_other < size() ? at_other : thread_rank());
	}
	/* bits are ranks */
	unsigned ballot(int at_predicate) const
	{ return at_ranks(__ballot_sync(at_mask(), at_predicate) & at_mask()); }
	int any(int at_predicate) const { return ballot(at_predicate) != 0; }
	int all(int at_predicate) const { return ballot(!at_predicate) == 0; }
	template <class at_T> unsigned match_any(at_T at_value) const
	{
		unsigned at_ranks = 0;

		for (unsigned i = 0; i < size(); i++)
			if (shfl(at_value, i) == at_value)
				at_ranks |= 1u << i;
		return at_ranks;
	}
	template <class at_T> unsigned match_all(at_T at_value, int &at_same) const
	{
		at_same = all(shfl(at_value, 0) == at_value);
		return at_same ? at_ranks(at_mask()) : 0;
	}

private:
	unsigned at_ranks(unsigned at_lanes) const
	{
		unsigned at_ranks = 0;

		for (unsigned i = 0; i < size(); i++)
			at_ranks |= (at_lanes >> at_self().at_lane_of(i) & 1) << i;
		return at_ranks;
	}
};

/* Lanes that came together, whichever they are. */
class coalesced_group : public at_host_lanes<coalesced_group> {
public:
	unsigned at_mask;
	unsigned at_group = 0, at_groups = 1;

	explicit coalesced_group(unsigned at_mask = 1) : at_mask(at_mask) {}
	unsigned at_lane_mask() const { return at_mask; }
	unsigned at_lane_of(unsigned at_rank) const
	{
		unsigned at_left = at_mask;

		while (at_rank-- && at_left)
			at_left &= at_left - 1;
		return at_left ? (unsigned)__builtin_ctz(at_left) : at_host_lane();
	}
	unsigned meta_group_size() const { return at_groups; }
	unsigned meta_group_rank() const { return at_group; }
	operator thread_group() const { return thread_group{ thread_group::at_LANES, at_mask }; }
};

/*
 * Who comes to the same line while no other thread can go on: as many as a GPU ever
 * sees there together. The line is the caller's.
 */
inline coalesced_group coalesced_threads(
	unsigned at_line = __builtin_LINE(), const char *at_file = __builtin_FILE())
{
	return coalesced_group((unsigned)at_host_warp(
		AT_HOST_WARP_GATHER, 0, 0, (uint64_t)(uintptr_t)at_file + at_line));
}

/* The lanes of a tile of `size` threads. */
AT_HOST_INLINE unsigned at_host_tile_mask(unsigned size)
{
	unsigned at_lane = at_host_lane(), at_left = at_host_thread_count() -
		(at_host_linear_thread() - at_lane);
	unsigned at_exist = at_left >= 32 ? 0xffffffffu : (1u << at_left) - 1;

	return at_exist & (size >= 32 ? 0xffffffffu : ((1u << size) - 1) << (at_lane & ~(size - 1)));
}

template <unsigned at_Size, class at_Parent = void>
class thread_block_tile : public at_host_lanes<thread_block_tile<at_Size, at_Parent>> {
	static_assert(at_Size <= 32,
		"tiles of more than 32 threads are not there on host: give this space's problems "
		"on = \"cuda\", or write the kernel for tiles of 32");
	static_assert(at_Size && !(at_Size & (at_Size - 1)), "a tile has 1, 2, 4, 8, 16 or 32 threads");

public:
	/* of how many threads the tiles are */
	unsigned at_parent_size, at_parent_rank;

	thread_block_tile(unsigned at_parent_size = 32, unsigned at_parent_rank = 0)
		: at_parent_size(at_parent_size), at_parent_rank(at_parent_rank) {}
	/* thread_block_tile<32> tile = tiled_partition<32>(block): of whom does not matter */
	template <class at_Other>
	thread_block_tile(const thread_block_tile<at_Size, at_Other> &at_tile)
		: at_parent_size(at_tile.at_parent_size), at_parent_rank(at_tile.at_parent_rank) {}
	unsigned at_lane_mask() const { return at_host_tile_mask(at_Size); }
	unsigned at_lane_of(unsigned at_rank) const { return (at_host_lane() & ~(at_Size - 1)) + at_rank; }
	static constexpr unsigned size() { return at_Size; }
	static constexpr unsigned num_threads() { return at_Size; }
	static unsigned thread_rank() { return at_host_lane() & (at_Size - 1); }
	unsigned meta_group_size() const { return (at_parent_size + at_Size - 1) / at_Size; }
	unsigned meta_group_rank() const { return at_parent_rank / at_Size; }
	operator thread_group() const
	{ return thread_group{ thread_group::at_LANES, at_lane_mask() }; }
};

template <unsigned at_Size, class at_Parent>
inline thread_block_tile<at_Size, at_Parent> tiled_partition(const at_Parent &at_parent)
{
	return thread_block_tile<at_Size, at_Parent>(
		(unsigned)at_parent.size(), (unsigned)at_parent.thread_rank());
}
inline thread_group tiled_partition(const thread_block &, unsigned size)
{ return thread_group{ thread_group::at_LANES, at_host_tile_mask(size) }; }
inline coalesced_group tiled_partition(const coalesced_group &at_parent, unsigned size)
{
	coalesced_group at_tile(0);
	unsigned at_first = at_parent.thread_rank() & ~(size - 1);

	for (unsigned i = at_first; i < at_first + size && i < at_parent.size(); i++)
		at_tile.at_mask |= 1u << at_parent.at_lane_of(i);
	at_tile.at_group = at_first / size;
	at_tile.at_groups = (at_parent.size() + size - 1) / size;
	return at_tile;
}

template <class at_Group> inline coalesced_group binary_partition(const at_Group &at_parent, bool at_predicate)
{
	unsigned at_mask = at_parent.at_lane_mask(), at_yes = __ballot_sync(at_mask, at_predicate) & at_mask;
	coalesced_group at_part(at_predicate ? at_yes : at_mask & ~at_yes);

	at_part.at_group = at_predicate;
	at_part.at_groups = 2;
	return at_part;
}
template <class at_Group> inline coalesced_group labeled_partition(const at_Group &at_parent, int at_label)
{
	unsigned at_ranks = at_parent.match_any(at_label), at_lanes = 0;

	for (unsigned i = 0; i < at_parent.size(); i++)
		if (at_ranks >> i & 1)
			at_lanes |= 1u << at_parent.at_lane_of(i);
	return coalesced_group(at_lanes);
}

template <class at_Group> AT_HOST_INLINE void sync(const at_Group &at_group) { at_group.sync(); }
template <class at_Group> AT_HOST_INLINE unsigned long long thread_rank(const at_Group &at_group)
{ return at_group.thread_rank(); }
template <class at_Group> AT_HOST_INLINE unsigned long long group_size(const at_Group &at_group)
{ return at_group.size(); }

/* Copies here and now; wait() is the barrier that it says. */
template <class at_Group, class at_T, class at_U, class at_Size>
inline void memcpy_async(const at_Group &at_group, at_T *at_to, const at_U *at_from, const at_Size &at_bytes)
{
	for (unsigned long long i = at_group.thread_rank(); i < (unsigned long long)at_bytes; i += at_group.size())
		((char *)at_to)[i] = ((const char *)at_from)[i];
}
template <class at_Group> AT_HOST_INLINE void wait(const at_Group &at_group) { at_group.sync(); }
template <unsigned at_Stages, class at_Group> AT_HOST_INLINE void wait_prior(const at_Group &at_group)
{ at_group.sync(); }
template <class at_Group, class at_F> AT_HOST_INLINE void invoke_one(const at_Group &at_group, at_F &&at_function)
{
	if (at_group.thread_rank() == 0)
		at_function();
}

/* ---- reductions and scans over tiles and coalesced groups ---- */

#define AT_CG_OPERATOR(at_name, at_expression) \
	template <class at_T = void> struct at_name { \
		at_T operator()(at_T x, at_T y) const { return (at_T)(at_expression); } \
	}; \
	template <> struct at_name<void> { \
		template <class at_T> at_T operator()(at_T x, at_T y) const { return (at_T)(at_expression); } \
	};
AT_CG_OPERATOR(plus, x + y)
AT_CG_OPERATOR(less, y < x ? y : x)
AT_CG_OPERATOR(greater, x < y ? y : x)
AT_CG_OPERATOR(bit_and, x & y)
AT_CG_OPERATOR(bit_or, x | y)
AT_CG_OPERATOR(bit_xor, x ^ y)
#undef AT_CG_OPERATOR

/* In a tree, as a GPU does. */
template <class at_Group, class at_T, class at_Operation>
inline at_T reduce(const at_Group &at_group, at_T at_value, at_Operation &&at_operation)
{
	unsigned size = at_group.size(), at_rank = at_group.thread_rank(), at_step = 1;

	while (at_step < size)
		at_step *= 2;
	for (at_step /= 2; at_step > 0; at_step /= 2) {
		at_T at_other = at_group.shfl_down(at_value, at_step);

		if (at_rank + at_step < size && at_rank < at_step)
			at_value = at_operation(at_value, at_other);
	}
	return at_group.shfl(at_value, 0);
}
template <class at_Group, class at_T, class at_Operation>
inline at_T inclusive_scan(const at_Group &at_group, at_T at_value, at_Operation &&at_operation)
{
	unsigned size = at_group.size(), at_rank = at_group.thread_rank();

	for (unsigned at_step = 1; at_step < size; at_step *= 2) {
		at_T at_other = at_group.shfl_up(at_value, at_step);

		if (at_rank >= at_step)
			at_value = at_operation(at_other, at_value);
	}
	return at_value;
}
template <class at_Group, class at_T> inline at_T inclusive_scan(const at_Group &at_group, at_T at_value)
{ return inclusive_scan(at_group, at_value, plus<at_T>()); }
template <class at_Group, class at_T, class at_Operation>
inline at_T exclusive_scan(const at_Group &at_group, at_T at_value, at_Operation &&at_operation)
{
	at_T at_before = at_group.shfl_up(inclusive_scan(at_group, at_value, at_operation), 1);

	return at_group.thread_rank() ? at_before : at_T();
}
template <class at_Group, class at_T> inline at_T exclusive_scan(const at_Group &at_group, at_T at_value)
{ return exclusive_scan(at_group, at_value, plus<at_T>()); }
}

#endif
