/*
 * CUDA's C++ for the CPU: what a kernel template may use when the system's C++
 * compiler compiles it for the device "host" (AUTOTUNE_HOST is 1 there).
 *
 * Two readers. The C++ compiler gets the whole file in front of every template,
 * so it is kept light: C headers only, no standard C++ library. The runtime
 * (device/host/, C) gets the first part, the contract between the two.
 *
 * How it works: threads of a block are fibers of one worker thread. All stacks
 * of a worker lie in one region that is aligned to its own size, with the
 * worker's context at the bottom, so that the stack pointer leads to threadIdx.
 * __shared__ is thread_local: one instance a worker, hence one a running block.
 *
 * What kernels include beside it (half and bfloat types, cooperative groups, tensor
 * cores) is in the folder host/. Not there: textures, dynamic parallelism, asynchronous
 * copies, inline PTX.
 */
#ifndef AT_KERNEL_HOST_DIALECT_H
#define AT_KERNEL_HOST_DIALECT_H

#include <stddef.h>
#include <stdint.h>

/* ---- The contract between an image and the runtime: C and C++ ---- */

#define AT_HOST_ABI_VERSION 3
#define AT_HOST_WARP_SIZE 32
#define AT_HOST_MAX_THREADS 1024
#define AT_HOST_DYNAMIC_SHARED_BYTES (100 * 1024)
/* A worker's region: its context, shared memory of the block that runs, stacks. */
#define AT_HOST_REGION_BYTES ((uintptr_t)256 << 20)
/*
 * Offsets of thread-local data of an image: variables begin at 0, dynamic shared memory
 * behind this, so that the runtime can give each a place of its own.
 */
#define AT_HOST_DYNAMIC_SHIFT 20
/* What all variables of an image may take, with what lies between them. */
#define AT_HOST_STATIC_SHARED_BYTES (((uintptr_t)1 << AT_HOST_DYNAMIC_SHIFT) - 4096)

struct at_host_uint3 {
	unsigned x, y, z;
};

/* An argument as it lies in the parameter list. */
struct at_host_value {
	unsigned char bytes[16];
	const void *more; /* a structure: where its bytes are; else NULL */
};

enum at_host_warp_operation {
	AT_HOST_WARP_SYNC,
	AT_HOST_WARP_SHUFFLE, /* gives the value of lane `source` */
	AT_HOST_WARP_BALLOT, /* gives a bit for each lane whose value is not 0 */
	/* gives a bit for each lane that is here, with the same value, when no thread of
	   the block can go on: the mask does not count */
	AT_HOST_WARP_GATHER,
};

struct at_host_context {
	/* of the thread that runs now */
	struct at_host_uint3 thread;
	unsigned linear_thread;
	struct at_host_uint3 block;
	struct at_host_uint3 block_size;
	struct at_host_uint3 grid_size;
	/* threads of this block: all, and those that have been started */
	unsigned thread_count;
	unsigned started_count;
	/* no more than these may be started now */
	unsigned start_limit;
	/* where the row of threads lies that starts now: its first thread's number */
	unsigned row_first;
	unsigned row_y;
	unsigned row_z;
	/* NULL, or the order in which to start them */
	const uint16_t *start_order;
	/* what to add to an offset: of a variable, of dynamic shared memory */
	char *shared[2];
	/* NULL, or where another thread of the block may go on meanwhile */
	void (*turn)(struct at_host_context *self);
	/* __syncthreads(): how many threads came with a predicate that is not 0 */
	unsigned (*barrier)(struct at_host_context *self, unsigned predicate);
	uint64_t (*warp)(struct at_host_context *self,
		enum at_host_warp_operation operation, unsigned mask, unsigned source,
		uint64_t value);
};

struct at_host_kernel {
	const char *name;
	/* Starts threads of the block, one after another, until none is left. */
	void (*run)(
		struct at_host_context *context, const struct at_host_value *arguments);
	unsigned parameter_count;
};

/*
 * What a kernel takes: for the compile step alone, which reads it from the object
 * file, section AT_HOST_SIGNATURE_SECTION with the kernel's place in the table behind
 * it: a count, and so many of these. Plain numbers, which the linker need not touch.
 */
#define AT_HOST_SIGNATURE_SECTION "autotune.signature."
enum at_host_parameter_kind {
	AT_HOST_PARAMETER_UNKNOWN,
	AT_HOST_PARAMETER_POINTER,
	AT_HOST_PARAMETER_INTEGER,
	AT_HOST_PARAMETER_REAL,
	AT_HOST_PARAMETER_OBJECT,
	AT_HOST_PARAMETER_CONST_POINTER,
};

struct at_host_parameter {
	uint32_t kind;
	uint32_t bytes;
};

/* The one symbol that an image exports: at_host_image. */
struct at_host_image {
	unsigned version;
	unsigned kernel_count;
	const struct at_host_kernel *kernels;
};

#ifdef __cplusplus

/* ---- The language: C++ only ---- */

/* Small functions take a line or two each, as in a table. */
/* clang-format off */

/* The C library's headers as they are: libstdc++'s wrappers cost 0.1 s a unit. */
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS 1
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
/* A template's own <math.h> has nothing to add to the overloads below. */
#define _GLIBCXX_MATH_H 1

#define AUTOTUNE_HOST 1

#pragma GCC visibility push(hidden)

#define __global__
#define __device__
#define __host__
/*
 * Found by its name in the image, where an argument's contents are copied into it:
 * what the unit itself never writes is no zero all the same.
 */
#define __constant__ __attribute__((used, visibility("protected")))
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
/*
 * Inside a function thread_local implies static. `extern __shared__ T name[]`
 * stays undefined here; the link step gives all such names one storage. What is
 * visible is asked for by its own offset, not by its distance from the variables:
 * so dynamic shared memory can lie elsewhere. Other images never meet it: see the flags
 * in cxx.c.
 */
#define __shared__ __attribute__((visibility("default"))) thread_local

#define AT_HOST_INLINE static inline __attribute__((always_inline, unused))

AT_HOST_INLINE char *at_host_stack_pointer()
{
	char *pointer;

#if defined(__x86_64__)
	__asm__("mov %%rsp, %0" : "=r"(pointer));
#elif defined(__aarch64__)
	__asm__("mov %0, sp" : "=r"(pointer));
#else
	pointer = (char *)__builtin_frame_address(0);
#endif
	return pointer;
}

AT_HOST_INLINE at_host_context *at_host_self()
{
	return (at_host_context *)((uintptr_t)at_host_stack_pointer() &
		~(AT_HOST_REGION_BYTES - 1));
}

#if defined(__x86_64__)
/*
 * Thread-local data of an image lives in the worker's region instead of where
 * the dynamic loader would put it: always the same place for the same
 * sizes, so that two configurations meet the same cache lines, and a third of the cost of the
 * loader's own function. Hidden, so it serves this image only. Where compilers
 * reach thread-local data by other means, the loader's storage is used, and nothing
 * guards it.
 */
extern "C" __attribute__((used, visibility("hidden"))) void *__tls_get_addr(size_t *index)
{
	return at_host_self()->shared[index[1] >> AT_HOST_DYNAMIC_SHIFT] + index[1];
}
#endif

/* Vector types, with CUDA's alignments. */
#define AT_HOST_VECTOR(type, name, align2, align4) \
	struct name##1 { type x; }; \
	struct __attribute__((aligned(align2))) name##2 { type x, y; }; \
	struct name##3 { type x, y, z; }; \
	struct __attribute__((aligned(align4))) name##4 { type x, y, z, w; }; \
	AT_HOST_MAKE(type, name)
#define AT_HOST_MAKE(type, name) \
	AT_HOST_INLINE name##1 make_##name##1(type x) { return name##1{ x }; } \
	AT_HOST_INLINE name##2 make_##name##2(type x, type y) { return name##2{ x, y }; } \
	AT_HOST_INLINE name##3 make_##name##3(type x, type y, type z) \
	{ return name##3{ x, y, z }; } \
	AT_HOST_INLINE name##4 make_##name##4(type x, type y, type z, type w) \
	{ return name##4{ x, y, z, w }; }

AT_HOST_VECTOR(signed char, char, 2, 4)
AT_HOST_VECTOR(unsigned char, uchar, 2, 4)
AT_HOST_VECTOR(short, short, 4, 8)
AT_HOST_VECTOR(unsigned short, ushort, 4, 8)
AT_HOST_VECTOR(int, int, 8, 16)
AT_HOST_VECTOR(long, long, 2 * sizeof(long), 16)
AT_HOST_VECTOR(unsigned long, ulong, 2 * sizeof(long), 16)
AT_HOST_VECTOR(long long, longlong, 16, 16)
AT_HOST_VECTOR(unsigned long long, ulonglong, 16, 16)
AT_HOST_VECTOR(float, float, 8, 16)
AT_HOST_VECTOR(double, double, 16, 16)
struct uint1 { unsigned x; };
struct __attribute__((aligned(8))) uint2 { unsigned x, y; };
typedef at_host_uint3 uint3;
struct __attribute__((aligned(16))) uint4 { unsigned x, y, z, w; };
AT_HOST_MAKE(unsigned, uint)

struct dim3 {
	unsigned x, y, z;
	constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
	constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
	constexpr operator uint3() const { return uint3{ x, y, z }; }
};

#define threadIdx (at_host_self()->thread)
#define blockIdx (at_host_self()->block)
#define blockDim (at_host_self()->block_size)
#define gridDim (at_host_self()->grid_size)
static constexpr int warpSize = AT_HOST_WARP_SIZE;

/* Meeting points of a block. */
AT_HOST_INLINE int __syncthreads_count(int predicate)
{
	at_host_context *self = at_host_self();

	return (int)self->barrier(self, predicate != 0);
}
AT_HOST_INLINE void __syncthreads() { __syncthreads_count(0); }
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
/* All lanes that exist, whether or not they have parted. */
AT_HOST_INLINE unsigned at_host_lanes_there()
{
	at_host_context *self = at_host_self();
	unsigned left = self->thread_count - self->linear_thread / 32 * 32;

	return left >= 32 ? 0xffffffffu : (1u << left) - 1;
}
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
		mask &= at_host_lanes_there(); \
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

	mask &= at_host_lanes_there();
	for (unsigned lane = 0; lane < 32; lane++)
		if (mask >> lane & 1)
			same |= (unsigned)(at_host_shuffle(mask, value, lane) == value)
				<< lane;
	return same;
}
template <class T>
AT_HOST_INLINE unsigned __match_all_sync(unsigned mask, T value, int *all_same)
{
	mask &= at_host_lanes_there();
	*all_same = __match_any_sync(mask, value) == mask;
	return *all_same ? mask : 0;
}

/* Loads and stores with cache hints: the hints mean nothing here. */
#define AT_HOST_LOAD(name) \
	template <class T> AT_HOST_INLINE T name(const T *address) { return *address; }
AT_HOST_LOAD(__ldg)
AT_HOST_LOAD(__ldcg)
AT_HOST_LOAD(__ldca)
AT_HOST_LOAD(__ldcs)
AT_HOST_LOAD(__ldlu)
template <class T> AT_HOST_INLINE T __ldcv(const T *address)
{
	at_host_turn();
	return *(const volatile T *)address;
}
#define AT_HOST_STORE(name) \
	template <class T> AT_HOST_INLINE void name(T *address, T value) { *address = value; }
AT_HOST_STORE(__stwb)
AT_HOST_STORE(__stcg)
AT_HOST_STORE(__stcs)
AT_HOST_STORE(__stwt)

/* Atomics: real ones, since blocks run in parallel. All give the old value. */
template <class T, class U> AT_HOST_INLINE T at_host_bits(U value)
{
	T bits;

	static_assert(sizeof(T) == sizeof(U), "");
	__builtin_memcpy(&bits, &value, sizeof(T));
	return bits;
}
#define AT_HOST_ATOMIC(name, type, builtin) \
	AT_HOST_INLINE type name(type *address, type value) \
	{ \
		at_host_turn(); \
		type old = builtin(address, value, __ATOMIC_RELAXED); \
		at_host_turn(); \
		return old; \
	}
/* By compare and swap; `word` is an integer of the size of `type`. */
#define AT_HOST_ATOMIC_SWAP(name, type, word, expression) \
	AT_HOST_INLINE type name(type *address, type value) \
	{ \
		at_host_turn(); \
		word *where = (word *)address; \
		word seen = __atomic_load_n(where, __ATOMIC_RELAXED); \
		for (;;) { \
			type old = at_host_bits<type>(seen); \
			word wanted = at_host_bits<word>((type)(expression)); \
			if (__atomic_compare_exchange_n(where, &seen, wanted, true, \
				__ATOMIC_RELAXED, __ATOMIC_RELAXED)) { \
				at_host_turn(); \
				return old; \
			} \
		} \
	}
/* For types of headers, which are behind a template's macros. */
template <class Word, class T> AT_HOST_INLINE T at_host_atomic_add(T *address, T value)
{
	at_host_turn();
	Word *where = (Word *)address;
	Word seen = __atomic_load_n(where, __ATOMIC_RELAXED);
	T old = at_host_bits<T>(seen);
	while (!__atomic_compare_exchange_n(where, &seen, at_host_bits<Word>((T)(old + value)),
		true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		old = at_host_bits<T>(seen);
	at_host_turn();
	return old;
}
#define AT_HOST_ATOMIC_INTEGER(type) \
	AT_HOST_ATOMIC(atomicAdd, type, __atomic_fetch_add) \
	AT_HOST_ATOMIC(atomicSub, type, __atomic_fetch_sub) \
	AT_HOST_ATOMIC(atomicAnd, type, __atomic_fetch_and) \
	AT_HOST_ATOMIC(atomicOr, type, __atomic_fetch_or) \
	AT_HOST_ATOMIC(atomicXor, type, __atomic_fetch_xor) \
	AT_HOST_ATOMIC(atomicExch, type, __atomic_exchange_n) \
	AT_HOST_ATOMIC_SWAP(atomicMin, type, type, value < old ? value : old) \
	AT_HOST_ATOMIC_SWAP(atomicMax, type, type, value > old ? value : old) \
	AT_HOST_INLINE type atomicCAS(type *address, type compare, type value) \
	{ \
		at_host_turn(); \
		__atomic_compare_exchange_n(address, &compare, value, false, \
			__ATOMIC_RELAXED, __ATOMIC_RELAXED); \
		at_host_turn(); \
		return compare; \
	}
AT_HOST_ATOMIC_INTEGER(int)
AT_HOST_ATOMIC_INTEGER(unsigned)
AT_HOST_ATOMIC_INTEGER(long long)
AT_HOST_ATOMIC_INTEGER(unsigned long long)
AT_HOST_ATOMIC_SWAP(atomicInc, unsigned, unsigned, old >= value ? 0 : old + 1)
AT_HOST_ATOMIC_SWAP(atomicDec, unsigned, unsigned, old == 0 || old > value ? value : old - 1)
AT_HOST_ATOMIC_SWAP(atomicAdd, float, unsigned, old + value)
AT_HOST_ATOMIC_SWAP(atomicAdd, double, unsigned long long, old + value)
AT_HOST_ATOMIC_SWAP(atomicExch, float, unsigned, value)
/* Whoever is to see them at once: here everybody does. */
#define atomicAdd_block atomicAdd
#define atomicSub_block atomicSub
#define atomicMin_block atomicMin
#define atomicMax_block atomicMax
#define atomicAnd_block atomicAnd
#define atomicOr_block atomicOr
#define atomicXor_block atomicXor
#define atomicExch_block atomicExch
#define atomicCAS_block atomicCAS
#define atomicAdd_system atomicAdd
#define atomicSub_system atomicSub
#define atomicMin_system atomicMin
#define atomicMax_system atomicMax
#define atomicAnd_system atomicAnd
#define atomicOr_system atomicOr
#define atomicXor_system atomicXor
#define atomicExch_system atomicExch
#define atomicCAS_system atomicCAS

/* Integer intrinsics. */
AT_HOST_INLINE int __popc(unsigned x) { return __builtin_popcount(x); }
AT_HOST_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
AT_HOST_INLINE int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
AT_HOST_INLINE int __clzll(long long x)
{ return x ? __builtin_clzll((unsigned long long)x) : 64; }
AT_HOST_INLINE int __ffs(int x) { return __builtin_ffs(x); }
AT_HOST_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }
AT_HOST_INLINE unsigned __brev(unsigned x)
{
	x = __builtin_bswap32(x);
	x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
	x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
	return (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
}
AT_HOST_INLINE unsigned long long __brevll(unsigned long long x)
{
	return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
AT_HOST_INLINE int __mul24(int x, int y)
{ return (int)((unsigned)(x << 8 >> 8) * (unsigned)(y << 8 >> 8)); }
AT_HOST_INLINE unsigned __umul24(unsigned x, unsigned y)
{ return (x & 0xffffffu) * (y & 0xffffffu); }
AT_HOST_INLINE int __mulhi(int x, int y) { return (int)((long long)x * y >> 32); }
AT_HOST_INLINE unsigned __umulhi(unsigned x, unsigned y)
{ return (unsigned)((unsigned long long)x * y >> 32); }
AT_HOST_INLINE long long __mul64hi(long long x, long long y)
{ return (long long)((__int128)x * y >> 64); }
AT_HOST_INLINE unsigned long long __umul64hi(unsigned long long x, unsigned long long y)
{
	return (unsigned long long)((unsigned __int128)x * y >> 64);
}
AT_HOST_INLINE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift)
{
	return (unsigned)((((unsigned long long)high << 32 | low) << (shift & 31)) >> 32);
}
AT_HOST_INLINE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift)
{
	return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
AT_HOST_INLINE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift)
{ return shift >= 32 ? low : __funnelshift_l(low, high, shift); }
AT_HOST_INLINE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift)
{ return shift >= 32 ? high : __funnelshift_r(low, high, shift); }
AT_HOST_INLINE unsigned __sad(int x, int y, unsigned z)
{ return z + (x < y ? (unsigned)y - (unsigned)x : (unsigned)x - (unsigned)y); }
AT_HOST_INLINE unsigned __usad(unsigned x, unsigned y, unsigned z)
{ return z + (x < y ? y - x : x - y); }
AT_HOST_INLINE int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
AT_HOST_INLINE int __rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
AT_HOST_INLINE unsigned __uhadd(unsigned x, unsigned y)
{ return (unsigned)(((unsigned long long)x + y) >> 1); }
AT_HOST_INLINE unsigned __urhadd(unsigned x, unsigned y)
{ return (unsigned)(((unsigned long long)x + y + 1) >> 1); }
AT_HOST_INLINE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector)
{
	unsigned long long bytes = (unsigned long long)y << 32 | x;
	unsigned result = 0;

	for (int i = 0; i < 4; i++) {
		unsigned pick = selector >> 4 * i & 15;
		unsigned byte = (unsigned)(bytes >> 8 * (pick & 7)) & 255;

		result |= (pick & 8 ? (byte & 128 ? 255u : 0u) : byte) << 8 * i;
	}
	return result;
}
AT_HOST_INLINE int __dp4a(int a, int b, int sum)
{
	for (int i = 0; i < 32; i += 8)
		sum += (signed char)(a >> i) * (signed char)(b >> i);
	return sum;
}
AT_HOST_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned sum)
{
	for (int i = 0; i < 32; i += 8)
		sum += (a >> i & 255) * (b >> i & 255);
	return sum;
}

/* Bits and conversions. */
AT_HOST_INLINE int __float_as_int(float x) { return at_host_bits<int>(x); }
AT_HOST_INLINE unsigned __float_as_uint(float x) { return at_host_bits<unsigned>(x); }
AT_HOST_INLINE float __int_as_float(int x) { return at_host_bits<float>(x); }
AT_HOST_INLINE float __uint_as_float(unsigned x) { return at_host_bits<float>(x); }
AT_HOST_INLINE long long __double_as_longlong(double x)
{ return at_host_bits<long long>(x); }
AT_HOST_INLINE double __longlong_as_double(long long x) { return at_host_bits<double>(x); }
#define AT_HOST_CONVERT(name, to, from, expression) \
	AT_HOST_INLINE to name(from x) { return (to)(expression); }
AT_HOST_CONVERT(__float2int_rn, int, float, rintf(x))
AT_HOST_CONVERT(__float2int_rz, int, float, x)
AT_HOST_CONVERT(__float2int_ru, int, float, ceilf(x))
AT_HOST_CONVERT(__float2int_rd, int, float, floorf(x))
AT_HOST_CONVERT(__float2uint_rn, unsigned, float, rintf(x))
AT_HOST_CONVERT(__float2uint_rz, unsigned, float, x)
AT_HOST_CONVERT(__double2int_rn, int, double, rint(x))
AT_HOST_CONVERT(__double2int_rz, int, double, x)
AT_HOST_CONVERT(__double2float_rn, float, double, x)
AT_HOST_CONVERT(__int2float_rn, float, int, x)
AT_HOST_CONVERT(__uint2float_rn, float, unsigned, x)
AT_HOST_CONVERT(__int2double_rn, double, int, x)
AT_HOST_CONVERT(__uint2double_rn, double, unsigned, x)
AT_HOST_CONVERT(__ll2float_rn, float, long long, x)
AT_HOST_CONVERT(__ull2float_rn, float, unsigned long long, x)
AT_HOST_CONVERT(__ll2double_rn, double, long long, x)
AT_HOST_CONVERT(__ull2double_rn, double, unsigned long long, x)
AT_HOST_CONVERT(__float2uint_ru, unsigned, float, ceilf(x))
AT_HOST_CONVERT(__float2uint_rd, unsigned, float, floorf(x))
AT_HOST_CONVERT(__float2ll_rn, long long, float, rintf(x))
AT_HOST_CONVERT(__float2ll_rz, long long, float, x)
AT_HOST_CONVERT(__float2ll_rd, long long, float, floorf(x))
AT_HOST_CONVERT(__float2ull_rn, unsigned long long, float, rintf(x))
AT_HOST_CONVERT(__float2ull_rz, unsigned long long, float, x)
AT_HOST_CONVERT(__double2int_ru, int, double, ceil(x))
AT_HOST_CONVERT(__double2int_rd, int, double, floor(x))
AT_HOST_CONVERT(__double2uint_rn, unsigned, double, rint(x))
AT_HOST_CONVERT(__double2uint_rz, unsigned, double, x)
AT_HOST_CONVERT(__double2ll_rn, long long, double, rint(x))
AT_HOST_CONVERT(__double2ll_rz, long long, double, x)
AT_HOST_CONVERT(__double2ll_rd, long long, double, floor(x))
AT_HOST_CONVERT(__double2ull_rn, unsigned long long, double, rint(x))
AT_HOST_CONVERT(__double2ull_rz, unsigned long long, double, x)
AT_HOST_CONVERT(__double2hiint, int, double, __double_as_longlong(x) >> 32)
AT_HOST_CONVERT(__double2loint, int, double, __double_as_longlong(x))
AT_HOST_INLINE double __hiloint2double(int high, int low)
{
	return __longlong_as_double((long long)((unsigned long long)(unsigned)high << 32 |
		(unsigned)low));
}

/* Arithmetic whose fast forms on a GPU are the plain ones here. */
AT_HOST_CONVERT(rsqrtf, float, float, 1.0f / sqrtf(x))
AT_HOST_CONVERT(rsqrt, double, double, 1.0 / sqrt(x))
AT_HOST_CONVERT(__frsqrt_rn, float, float, 1.0f / sqrtf(x))
AT_HOST_CONVERT(__fsqrt_rn, float, float, sqrtf(x))
AT_HOST_CONVERT(__frcp_rn, float, float, 1.0f / x)
AT_HOST_CONVERT(__saturatef, float, float, x > 0.0f ? x < 1.0f ? x : 1.0f : 0.0f)
AT_HOST_CONVERT(sinpif, float, float, sinf(3.14159265358979f * x))
AT_HOST_CONVERT(cospif, float, float, cosf(3.14159265358979f * x))
AT_HOST_CONVERT(sinpi, double, double, sin(3.14159265358979323846 * x))
AT_HOST_CONVERT(cospi, double, double, cos(3.14159265358979323846 * x))
AT_HOST_CONVERT(rcbrtf, float, float, 1.0f / cbrtf(x))
AT_HOST_CONVERT(rcbrt, double, double, 1.0 / cbrt(x))
AT_HOST_CONVERT(normcdff, float, float, 0.5f * erfcf(-0.70710678118654752f * x))
AT_HOST_CONVERT(normcdf, double, double, 0.5 * erfc(-0.70710678118654752440 * x))
AT_HOST_CONVERT(__dsqrt_rn, double, double, sqrt(x))
AT_HOST_CONVERT(__drcp_rn, double, double, 1.0 / x)
AT_HOST_INLINE void sincospif(float x, float *sine, float *cosine)
{
	*sine = sinpif(x);
	*cosine = cospif(x);
}
AT_HOST_INLINE void sincospi(double x, double *sine, double *cosine)
{
	*sine = sinpi(x);
	*cosine = cospi(x);
}
AT_HOST_INLINE float norm3df(float x, float y, float z)
{ return (float)sqrt((double)x * x + (double)y * y + (double)z * z); }
AT_HOST_INLINE float rnorm3df(float x, float y, float z) { return 1.0f / norm3df(x, y, z); }
AT_HOST_INLINE float norm4df(float x, float y, float z, float w)
{ return (float)sqrt((double)x * x + (double)y * y + (double)z * z + (double)w * w); }
AT_HOST_INLINE float rnorm4df(float x, float y, float z, float w)
{ return 1.0f / norm4df(x, y, z, w); }
AT_HOST_INLINE double norm3d(double x, double y, double z) { return hypot(hypot(x, y), z); }
AT_HOST_INLINE double rnorm3d(double x, double y, double z) { return 1.0 / norm3d(x, y, z); }
#define AT_HOST_BINARY(name, type, expression) \
	AT_HOST_INLINE type name(type x, type y) { return expression; }
AT_HOST_BINARY(__fadd_rn, float, x + y)
AT_HOST_BINARY(__fsub_rn, float, x - y)
AT_HOST_BINARY(__fmul_rn, float, x * y)
AT_HOST_BINARY(__fdiv_rn, float, x / y)
AT_HOST_BINARY(__fdividef, float, x / y)
AT_HOST_BINARY(fdividef, float, x / y)
AT_HOST_BINARY(__dadd_rn, double, x + y)
AT_HOST_BINARY(__dmul_rn, double, x * y)
AT_HOST_BINARY(__dsub_rn, double, x - y)
AT_HOST_BINARY(__ddiv_rn, double, x / y)
AT_HOST_BINARY(rhypotf, float, 1.0f / hypotf(x, y))
AT_HOST_BINARY(rhypot, double, 1.0 / hypot(x, y))
AT_HOST_BINARY(umin, unsigned, x < y ? x : y)
AT_HOST_BINARY(umax, unsigned, x < y ? y : x)
AT_HOST_BINARY(llmin, long long, x < y ? x : y)
AT_HOST_BINARY(llmax, long long, x < y ? y : x)
AT_HOST_BINARY(ullmin, unsigned long long, x < y ? x : y)
AT_HOST_BINARY(ullmax, unsigned long long, x < y ? y : x)
AT_HOST_INLINE float __fmaf_rn(float x, float y, float z)
{ return __builtin_fmaf(x, y, z); }
AT_HOST_INLINE double __fma_rn(double x, double y, double z)
{ return __builtin_fma(x, y, z); }
/* Macros, since glibc has private functions of these names. */
#define __expf expf
#define __exp10f exp10f
#define __logf logf
#define __log2f log2f
#define __log10f log10f
#define __sinf sinf
#define __cosf cosf
#define __tanf tanf
#define __powf powf
#define __sincosf sincosf

/*
 * CUDA's overloads. In a namespace of their own, so that a template that does
 * include <cmath> or <algorithm> meets no second declaration.
 */
namespace at_host_overloads
{
#define AT_HOST_MIN_MAX(result, left, right) \
	AT_HOST_INLINE constexpr result min(left x, right y) \
	{ return (result)y < (result)x ? (result)y : (result)x; } \
	AT_HOST_INLINE constexpr result max(left x, right y) \
	{ return (result)x < (result)y ? (result)y : (result)x; }
#define AT_HOST_MIN_MAX_MIXED(signed_type, unsigned_type) \
	AT_HOST_MIN_MAX(signed_type, signed_type, signed_type) \
	AT_HOST_MIN_MAX(unsigned_type, unsigned_type, unsigned_type) \
	AT_HOST_MIN_MAX(unsigned_type, signed_type, unsigned_type) \
	AT_HOST_MIN_MAX(unsigned_type, unsigned_type, signed_type)
AT_HOST_MIN_MAX_MIXED(int, unsigned)
AT_HOST_MIN_MAX_MIXED(long, unsigned long)
AT_HOST_MIN_MAX_MIXED(long long, unsigned long long)
AT_HOST_INLINE float min(float x, float y) { return __builtin_fminf(x, y); }
AT_HOST_INLINE float max(float x, float y) { return __builtin_fmaxf(x, y); }
AT_HOST_INLINE double min(double x, double y) { return __builtin_fmin(x, y); }
AT_HOST_INLINE double max(double x, double y) { return __builtin_fmax(x, y); }
AT_HOST_INLINE double min(float x, double y) { return __builtin_fmin(x, y); }
AT_HOST_INLINE double max(float x, double y) { return __builtin_fmax(x, y); }
AT_HOST_INLINE double min(double x, float y) { return __builtin_fmin(x, y); }
AT_HOST_INLINE double max(double x, float y) { return __builtin_fmax(x, y); }

#ifndef _LIBCPP_VERSION
#define AT_HOST_FLOAT(name) \
	AT_HOST_INLINE float name(float x) { return __builtin_##name##f(x); }
#define AT_HOST_FLOAT2(name) \
	AT_HOST_INLINE float name(float x, float y) { return __builtin_##name##f(x, y); }
AT_HOST_FLOAT(sqrt)
AT_HOST_FLOAT(cbrt)
AT_HOST_FLOAT(exp)
AT_HOST_FLOAT(exp2)
AT_HOST_FLOAT(expm1)
AT_HOST_FLOAT(log)
AT_HOST_FLOAT(log2)
AT_HOST_FLOAT(log10)
AT_HOST_FLOAT(log1p)
AT_HOST_FLOAT(sin)
AT_HOST_FLOAT(cos)
AT_HOST_FLOAT(tan)
AT_HOST_FLOAT(asin)
AT_HOST_FLOAT(acos)
AT_HOST_FLOAT(atan)
AT_HOST_FLOAT(sinh)
AT_HOST_FLOAT(cosh)
AT_HOST_FLOAT(tanh)
AT_HOST_FLOAT(erf)
AT_HOST_FLOAT(erfc)
AT_HOST_FLOAT(floor)
AT_HOST_FLOAT(ceil)
AT_HOST_FLOAT(round)
AT_HOST_FLOAT(trunc)
AT_HOST_FLOAT(rint)
AT_HOST_FLOAT(fabs)
AT_HOST_FLOAT2(pow)
AT_HOST_FLOAT2(fmod)
AT_HOST_FLOAT2(atan2)
AT_HOST_FLOAT2(hypot)
AT_HOST_FLOAT2(fmin)
AT_HOST_FLOAT2(fmax)
AT_HOST_FLOAT2(copysign)
AT_HOST_INLINE float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
AT_HOST_INLINE float abs(float x) { return __builtin_fabsf(x); }
AT_HOST_INLINE double abs(double x) { return __builtin_fabs(x); }
AT_HOST_INLINE long long abs(long long x) { return x < 0 ? -x : x; }
AT_HOST_INLINE long abs(long x) { return x < 0 ? -x : x; }
#endif
AT_HOST_INLINE float rsqrt(float x) { return 1.0f / __builtin_sqrtf(x); }
}
using namespace at_host_overloads;
extern "C" int abs(int) noexcept;

AT_HOST_INLINE long long clock64()
{
#if defined(__x86_64__)
	return (long long)__builtin_ia32_rdtsc();
#else
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
#endif
}
AT_HOST_INLINE int at_host_clock() { return (int)clock64(); }
#define clock at_host_clock
AT_HOST_INLINE void __nanosleep(unsigned) { at_host_turn(); }
#define __trap() __builtin_trap()
#define __assume(condition) ((condition) ? (void)0 : __builtin_unreachable())
#ifndef __clang__
#define __builtin_assume(condition) ((condition) ? (void)0 : __builtin_unreachable())
#endif

/* ---- Kernels, as the runtime calls them ---- */

template <unsigned N, unsigned... I>
struct at_host_count_up : at_host_count_up<N - 1, N - 1, I...> {};
template <unsigned... I> struct at_host_count_up<0, I...> {};

template <class T> AT_HOST_INLINE T at_host_argument(const at_host_value *value)
{
	T argument;

	/* whose sizes agree was found out before anything is launched */
	__builtin_memcpy(&argument,
		sizeof(T) > sizeof(value->bytes) || value->more ? value->more
								: value->bytes,
		sizeof(T));
	return argument;
}

/* Coordinates come from a row that seldom changes: to read what was just written
   in parts would cost more than a small thread. */
AT_HOST_INLINE bool at_host_start_thread(at_host_context *self)
{
	unsigned number = self->started_count, x;
	uint3 size = self->block_size;

	if (number >= self->start_limit)
		return false;
	self->started_count = number + 1;
	if (__builtin_expect(self->start_order != nullptr, 0)) {
		/* one at a time, each when the runtime says so */
		self->start_limit = 0;
		number = self->start_order[number];
		x = number % size.x;
		self->row_y = number / size.x % size.y;
		self->row_z = number / size.x / size.y;
	} else {
		x = number - self->row_first;
		if (x == size.x) {
			x = 0;
			self->row_first = number;
			if (++self->row_y == size.y) {
				self->row_y = 0;
				self->row_z++;
			}
		}
	}
	self->thread = uint3{ x, self->row_y, self->row_z };
	self->linear_thread = number;
	return true;
}

template <class T> struct at_host_kind {
	static constexpr uint32_t value = __is_enum(T) ? AT_HOST_PARAMETER_INTEGER
		: __is_class(T) || __is_union(T) ? AT_HOST_PARAMETER_OBJECT
		: AT_HOST_PARAMETER_UNKNOWN;
};
template <class T> struct at_host_kind<T *> {
	static constexpr uint32_t value = AT_HOST_PARAMETER_POINTER;
};
template <class T> struct at_host_kind<const T *> {
	static constexpr uint32_t value = AT_HOST_PARAMETER_CONST_POINTER;
};
#define AT_HOST_KIND(type, kind) \
	template <> struct at_host_kind<type> { \
		static constexpr uint32_t value = AT_HOST_PARAMETER_##kind; \
	};
AT_HOST_KIND(bool, INTEGER)
AT_HOST_KIND(char, INTEGER)
AT_HOST_KIND(signed char, INTEGER)
AT_HOST_KIND(unsigned char, INTEGER)
AT_HOST_KIND(wchar_t, INTEGER)
AT_HOST_KIND(char16_t, INTEGER)
AT_HOST_KIND(char32_t, INTEGER)
AT_HOST_KIND(short, INTEGER)
AT_HOST_KIND(unsigned short, INTEGER)
AT_HOST_KIND(int, INTEGER)
AT_HOST_KIND(unsigned, INTEGER)
AT_HOST_KIND(long, INTEGER)
AT_HOST_KIND(unsigned long, INTEGER)
AT_HOST_KIND(long long, INTEGER)
AT_HOST_KIND(unsigned long long, INTEGER)
AT_HOST_KIND(float, REAL)
AT_HOST_KIND(double, REAL)

template <unsigned N> struct at_host_signature {
	uint32_t count;
	/* one more: there is no array of none */
	at_host_parameter parameters[N + 1];
};

template <auto Kernel> struct at_host_launch;
template <class... P, void (*Kernel)(P...)> struct at_host_launch<Kernel> {
	static constexpr unsigned at_parameters = sizeof...(P);
	static constexpr at_host_signature<sizeof...(P)> at_signature = { sizeof...(P),
		{ { at_host_kind<P>::value, (uint32_t)sizeof(P) }..., { 0, 0 } } };

	static void at_threads(at_host_context *self, P... arguments)
	{
		while (at_host_start_thread(self))
			Kernel(arguments...);
	}
	template <unsigned... I>
	static void at_unpack(at_host_context *self, const at_host_value *values,
		at_host_count_up<0, I...>)
	{
		at_threads(self, at_host_argument<P>(values + I)...);
	}
	static void at_run(at_host_context *self, const at_host_value *values)
	{
		at_unpack(self, values, at_host_count_up<sizeof...(P)>());
	}
};

#endif
#endif
