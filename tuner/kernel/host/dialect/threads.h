/*
 * CUDA's C++ for the CPU: how threads of a block and of a warp meet.
 * Part of the dialect, behind host_dialect.h.
 */
/* Meeting points of a block. */
AT_HOST_INLINE int __syncthreads_count(int predicate)
{
	at_host_context *self = at_host_self();

	return (int)self->barrier(self, predicate != 0);
}
AT_HOST_INLINE void __syncthreads() { __syncthreads_count(0); }
/* The launch ahead has ended, always. */
AT_HOST_INLINE void cudaGridDependencySynchronize() {}
AT_HOST_INLINE void cudaTriggerProgrammaticLaunchCompletion() {}
AT_HOST_INLINE int __syncthreads_or(int predicate)
{ return __syncthreads_count(predicate) != 0; }
AT_HOST_INLINE int __syncthreads_and(int predicate)
{ return __syncthreads_count(!predicate) == 0; }

/*
 * Where threads of a shuffled launch are stopped between two barriers: on both sides of
 * an atomic operation, since what was read before it and what is used after it may have
 * been changed by others; at fences, and where a thread waits. In all other launches it
 * is a look at a pointer.
 */
AT_HOST_INLINE void at_host_turn()
{
	at_host_context *self = at_host_self();

	if (__builtin_expect(self->turn != nullptr, 0))
		self->turn(self);
}

/* One worker runs all threads of a block; other blocks are other CPU threads. */
#define AT_HOST_FENCE(name, fence) \
	AT_HOST_INLINE void name() { fence(__ATOMIC_SEQ_CST); at_host_turn(); }
AT_HOST_FENCE(__threadfence_block, __atomic_signal_fence)
AT_HOST_FENCE(__threadfence, __atomic_thread_fence)
AT_HOST_FENCE(__threadfence_system, __atomic_thread_fence)

/* Meeting points of a warp: 32 threads that follow each other in linear order. */
AT_HOST_INLINE uint64_t at_host_warp(at_host_warp_operation operation, unsigned mask,
	unsigned source, uint64_t value)
{
	at_host_context *self = at_host_self();

	return self->warp(self, operation, mask, source, value);
}

AT_HOST_INLINE unsigned at_host_lane()
{
	return at_host_self()->linear_thread % AT_HOST_WARP_SIZE;
}

AT_HOST_INLINE void __syncwarp(unsigned mask = 0xffffffffu)
{
	at_host_warp(AT_HOST_WARP_SYNC, mask, 0, 0);
}
AT_HOST_INLINE unsigned __ballot_sync(unsigned mask, int predicate)
{
	return (unsigned)at_host_warp(AT_HOST_WARP_BALLOT, mask, 0, predicate != 0);
}
AT_HOST_INLINE int __any_sync(unsigned mask, int predicate)
{ return __ballot_sync(mask, predicate) != 0; }
AT_HOST_INLINE int __all_sync(unsigned mask, int predicate)
{ return __ballot_sync(mask, !predicate) == 0; }
/*
 * Who comes to the same line while no other thread can go on: of a branch that only some
 * lanes take, those. The line is the caller's.
 */
AT_HOST_INLINE unsigned __activemask(
	unsigned line = __builtin_LINE(), const char *file = __builtin_FILE())
{
	return (unsigned)at_host_warp(
		AT_HOST_WARP_GATHER, 0, 0, (uint64_t)(uintptr_t)file + line);
}

template <class T>
AT_HOST_INLINE T at_host_shuffle(unsigned mask, T value, unsigned source)
{
	uint64_t bits = 0;

	static_assert(sizeof(T) <= sizeof(bits), "a shuffle moves at most 8 bytes");
	__builtin_memcpy(&bits, &value, sizeof(T));
	bits = at_host_warp(AT_HOST_WARP_SHUFFLE, mask, source, bits);
	__builtin_memcpy(&value, &bits, sizeof(T));
	return value;
}
/* What is larger goes over in pieces. */
template <class T>
AT_HOST_INLINE T at_host_shuffle_any(unsigned mask, T value, unsigned source)
{
	uint64_t pieces[(sizeof(T) + 7) / 8] = {};

	__builtin_memcpy(pieces, &value, sizeof(T));
	for (uint64_t &piece : pieces)
		piece = at_host_shuffle(mask, piece, source);
	__builtin_memcpy(&value, pieces, sizeof(T));
	return value;
}
template <class T>
AT_HOST_INLINE T __shfl_sync(unsigned mask, T value, int source, int width = 32)
{
	unsigned first = at_host_lane() & ~(unsigned)(width - 1);

	return at_host_shuffle(mask, value, first + ((unsigned)source & (unsigned)(width - 1)));
}
template <class T>
AT_HOST_INLINE T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32)
{
	unsigned lane = at_host_lane(), inside = lane & (unsigned)(width - 1);

	return at_host_shuffle(mask, value, delta <= inside ? lane - delta : lane);
}
template <class T>
AT_HOST_INLINE T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32)
{
	unsigned lane = at_host_lane(), inside = lane & (unsigned)(width - 1);

	return at_host_shuffle(mask, value,
		delta < (unsigned)width - inside ? lane + delta : lane);
}
template <class T>
AT_HOST_INLINE T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32)
{
	unsigned lane = at_host_lane(), source = lane ^ (unsigned)lanes;

	return at_host_shuffle(mask, value,
		source <= (lane | (unsigned)(width - 1)) ? source : lane);
}
#define AT_HOST_REDUCE(name, type, expression) \
	AT_HOST_INLINE type name(unsigned mask, type value) \
	{ \
		type total = value; \
		mask = __ballot_sync(mask, 1); /* not those that have ended */ \
		for (unsigned lane = 0; lane < 32; lane++) { \
			if (!(mask >> lane & 1)) \
				continue; \
			type other = at_host_shuffle(mask, value, lane); \
			if (lane != at_host_lane()) \
				total = expression; \
		} \
		return total; \
	}
AT_HOST_REDUCE(__reduce_add_sync, unsigned, total + other)
AT_HOST_REDUCE(__reduce_add_sync, int, total + other)
AT_HOST_REDUCE(__reduce_min_sync, unsigned, other < total ? other : total)
AT_HOST_REDUCE(__reduce_min_sync, int, other < total ? other : total)
AT_HOST_REDUCE(__reduce_max_sync, unsigned, other > total ? other : total)
AT_HOST_REDUCE(__reduce_max_sync, int, other > total ? other : total)
AT_HOST_REDUCE(__reduce_and_sync, unsigned, total & other)
AT_HOST_REDUCE(__reduce_or_sync, unsigned, total | other)
AT_HOST_REDUCE(__reduce_xor_sync, unsigned, total ^ other)

template <class T> AT_HOST_INLINE unsigned __match_any_sync(unsigned mask, T value)
{
	unsigned same = 0;

	mask = __ballot_sync(mask, 1);
	for (unsigned lane = 0; lane < 32; lane++)
		if (mask >> lane & 1)
			same |= (unsigned)(at_host_shuffle(mask, value, lane) == value)
				<< lane;
	return same;
}
template <class T>
AT_HOST_INLINE unsigned __match_all_sync(unsigned mask, T value, int *all_same)
{
	mask = __ballot_sync(mask, 1);
	*all_same = __match_any_sync(mask, value) == mask;
	return *all_same ? mask : 0;
}
