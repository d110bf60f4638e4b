/*
 * CUDA's C++ for the CPU: what a kernel template may use when the system's C++
 * compiler compiles it for the device "host" (AUTOTUNE_HOST is 1 there). The parts of it are
 * in host/dialect/, and follow this one.
 *
 * Two readers. The C++ compiler gets all of them in front of every template,
 * so they are kept light: C headers only, no standard C++ library. The runtime
 * (device/host/, C) gets the first part, the contract between the two.
 *
 * How it works: threads of a block are fibers of one worker thread. All stacks
 * of a worker lie in one region that is aligned to its own size, with the
 * worker's context at the bottom, so that the stack pointer leads to threadIdx.
 * __shared__ is thread_local: one instance a worker, hence one a running block.
 *
 * What kernels include beside it (half and bfloat types, cooperative groups, tensor
 * cores, barriers) is in the folder host/. Not there: dynamic parallelism, clusters, inline
 * PTX.
 */
#ifndef AT_KERNEL_HOST_DIALECT_H
#define AT_KERNEL_HOST_DIALECT_H

#include <stddef.h>
#include <stdint.h>

/* ---- The contract between an image and the runtime: C and C++ ---- */

#define AT_HOST_ABI_VERSION 4
#define AT_HOST_WARP_SIZE 32
#define AT_HOST_MAX_THREADS 1024
#define AT_HOST_DYNAMIC_SHARED_BYTES (100 * 1024)
/*
 * __CUDA_ARCH__. From 700 on warps part and meet as they do here, and double has
 * atomicAdd(). Code for later architectures is mostly inline PTX: copies that go on by
 * themselves (800), clusters (900).
 */
#define AT_HOST_CUDA_ARCH 700
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
	/* the barrier of all blocks, and whether the launch is cooperative */
	void (*grid)(struct at_host_context *self);
	unsigned is_cooperative;
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

/* Numbers that a pointer points to, in the order of enum at_element; UNTOLD: anything
   else. */
enum at_host_element {
	AT_HOST_ELEMENT_UNTOLD,
	AT_HOST_ELEMENT_I8,
	AT_HOST_ELEMENT_U8,
	AT_HOST_ELEMENT_I16,
	AT_HOST_ELEMENT_U16,
	AT_HOST_ELEMENT_I32,
	AT_HOST_ELEMENT_U32,
	AT_HOST_ELEMENT_I64,
	AT_HOST_ELEMENT_U64,
	AT_HOST_ELEMENT_F32,
	AT_HOST_ELEMENT_F64,
	AT_HOST_ELEMENT_F16,
	AT_HOST_ELEMENT_BF16,
	AT_HOST_ELEMENT_E4M3,
	AT_HOST_ELEMENT_E5M2,
};

/* Where a kernel writes that misuses a texture or a surface: no process has memory there. */
#define AT_HOST_MISUSE 4032
/* What the object of a texture or a surface is the address of. */
struct at_host_texels {
	unsigned char *address;
	uint64_t pitch_bytes; /* from row to row */
	uint32_t sizes[3]; /* texels; 0: not that dimension */
	uint32_t element; /* enum at_host_element */
	uint32_t element_bytes;
	uint32_t channels; /* of a texel */
	uint32_t mode; /* what lies outside: enum at_texture_address */
	uint8_t is_surface;
	uint8_t is_fetched; /* linear memory: tex1Dfetch() alone reads it */
	uint8_t filters;
	uint8_t is_normalized; /* integers are read as parts of their range */
	uint8_t has_normalized_coordinates;
};

struct at_host_parameter {
	uint32_t kind;
	uint32_t bytes;
	uint32_t element; /* of a pointer */
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
#define __CUDA_ARCH__ AT_HOST_CUDA_ARCH
/* headers for kernels and programs alike ask for these */
#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0

#pragma GCC visibility push(hidden)

#define __global__
#define __device__
#define __host__
/*
 * An argument's contents are copied into it from outside: what the unit itself never
 * writes is no zero all the same, and has a name in the image.
 */
#define __constant__ __attribute__((used))
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
#if defined(__clang__)
/* used: else it takes what nobody sets for 0, and not for what is there */
#define __shared__ __attribute__((visibility("default"), used)) thread_local
#else
#define __shared__ __attribute__((visibility("default"))) thread_local
#endif

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

/* Functions: a parameter "block_size" of a space would replace the name of a member. */
AT_HOST_INLINE const uint3 &at_host_thread() { return at_host_self()->thread; }
AT_HOST_INLINE const uint3 &at_host_block() { return at_host_self()->block; }
AT_HOST_INLINE const uint3 &at_host_block_size() { return at_host_self()->block_size; }
AT_HOST_INLINE const uint3 &at_host_grid_size() { return at_host_self()->grid_size; }
AT_HOST_INLINE unsigned at_host_thread_count() { return at_host_self()->thread_count; }
AT_HOST_INLINE unsigned at_host_linear_thread() { return at_host_self()->linear_thread; }
AT_HOST_INLINE bool at_host_is_cooperative() { return at_host_self()->is_cooperative; }
AT_HOST_INLINE void at_host_grid() { at_host_self()->grid(at_host_self()); }

#define threadIdx (at_host_thread())
#define blockIdx (at_host_block())
#define blockDim (at_host_block_size())
#define gridDim (at_host_grid_size())
static constexpr int warpSize = AT_HOST_WARP_SIZE;

#endif
#endif
