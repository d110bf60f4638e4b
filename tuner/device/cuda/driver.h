/*
 * The CUDA driver API, found at run time: nothing links libcuda, and a build needs no
 * toolkit. The types are those of cuda.h under our own tags (a CUresult is `unsigned`,
 * a CUdevice `int`, a CUdeviceptr `unsigned long long`), and symbol names include the
 * exact ABI version. tests/test_cuda_abi.c compares both with cuda.h if a toolkit is
 * installed.
 *
 * Threads: load and start from one thread; afterwards the table is constant.
 */
#ifndef AT_DEVICE_CUDA_DRIVER_H
#define AT_DEVICE_CUDA_DRIVER_H

#include "base/dynlib.h"
#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct CUctx_st;
struct CUmod_st;
struct CUfunc_st;
struct CUstream_st;
struct CUevent_st;
struct CUgraph_st;
struct CUgraphExec_st;
struct CUuuid_st;
struct CUmemAllocationProp_st;
struct CUmemAccessDesc_st;
struct CUtensorMap_st;
struct CUarray_st;
struct CUDA_ARRAY3D_DESCRIPTOR_st;
struct CUDA_MEMCPY3D_st;
struct CUDA_RESOURCE_DESC_st;
struct CUDA_RESOURCE_VIEW_DESC_st;
struct CUDA_TEXTURE_DESC_st;
struct CUlaunchConfig_st;

/* The functions in use: X(member, symbol, required, parameters). All return a CUresult.
   Optional members are NULL in drivers that lack them. */
/* clang-format off */
#define AT_CUDA_FUNCTIONS(X) \
	X(init, cuInit, true, (unsigned flags)) \
	X(driver_version, cuDriverGetVersion, true, (int *version)) \
	X(error_name, cuGetErrorName, true, (unsigned error, const char **name)) \
	X(error_text, cuGetErrorString, true, (unsigned error, const char **text)) \
	X(device_count, cuDeviceGetCount, true, (int *count)) \
	X(device_get, cuDeviceGet, true, (int *device, int index)) \
	X(device_name, cuDeviceGetName, true, (char *name, int size, int device)) \
	X(device_uuid, cuDeviceGetUuid_v2, false, \
		(struct CUuuid_st *uuid, int device)) \
	X(device_bus_id, cuDeviceGetPCIBusId, true, (char *id, int size, int device)) \
	X(device_memory, cuDeviceTotalMem_v2, true, (size_t *bytes, int device)) \
	X(device_attribute, cuDeviceGetAttribute, true, \
		(int *value, unsigned attribute, int device)) \
	X(context_retain, cuDevicePrimaryCtxRetain, true, \
		(struct CUctx_st **context, int device)) \
	X(context_release, cuDevicePrimaryCtxRelease_v2, true, (int device)) \
	X(context_use, cuCtxSetCurrent, true, (struct CUctx_st *context)) \
	X(context_limit, cuCtxSetLimit, false, (unsigned limit, size_t value)) \
	X(cache_reset, cuCtxResetPersistingL2Cache, false, (void)) \
	X(module_load, cuModuleLoadData, true, \
		(struct CUmod_st **module, const void *image)) \
	X(module_unload, cuModuleUnload, true, (struct CUmod_st *module)) \
	X(module_function, cuModuleGetFunction, true, \
		(struct CUfunc_st **function, struct CUmod_st *module, \
			const char *name)) \
	X(module_global, cuModuleGetGlobal_v2, true, \
		(unsigned long long *address, size_t *bytes, \
			struct CUmod_st *module, const char *name)) \
	X(function_attribute, cuFuncGetAttribute, true, \
		(int *value, unsigned attribute, struct CUfunc_st *function)) \
	X(function_set, cuFuncSetAttribute, true, \
		(struct CUfunc_st *function, unsigned attribute, int value)) \
	X(function_occupancy, cuOccupancyMaxActiveBlocksPerMultiprocessor, true, \
		(int *blocks, struct CUfunc_st *function, int threads, \
			size_t shared_bytes)) \
	X(function_parameter, cuFuncGetParamInfo, false, \
		(struct CUfunc_st *function, size_t index, size_t *offset, \
			size_t *bytes)) \
	X(memory_allocate, cuMemAlloc_v2, true, \
		(unsigned long long *address, size_t bytes)) \
	X(memory_free, cuMemFree_v2, true, (unsigned long long address)) \
	X(memory_info, cuMemGetInfo_v2, true, (size_t *free, size_t *total)) \
	X(page_bytes, cuMemGetAllocationGranularity, false, \
		(size_t *bytes, const struct CUmemAllocationProp_st *properties, \
			unsigned which)) \
	X(addresses_reserve, cuMemAddressReserve, false, \
		(unsigned long long *address, size_t bytes, size_t alignment, \
			unsigned long long wanted, unsigned long long flags)) \
	X(addresses_free, cuMemAddressFree, false, \
		(unsigned long long address, size_t bytes)) \
	X(pages_create, cuMemCreate, false, \
		(unsigned long long *handle, size_t bytes, \
			const struct CUmemAllocationProp_st *properties, \
			unsigned long long flags)) \
	X(pages_release, cuMemRelease, false, (unsigned long long handle)) \
	X(pages_map, cuMemMap, false, \
		(unsigned long long address, size_t bytes, size_t offset, \
			unsigned long long handle, unsigned long long flags)) \
	X(pages_unmap, cuMemUnmap, false, \
		(unsigned long long address, size_t bytes)) \
	X(pages_protect, cuMemSetAccess, false, \
		(unsigned long long address, size_t bytes, \
			const struct CUmemAccessDesc_st *access, size_t count)) \
	X(map_encode, cuTensorMapEncodeTiled, false, \
		(struct CUtensorMap_st *map, unsigned type, unsigned rank, \
			void *address, const uint64_t *dims, \
			const uint64_t *strides, const uint32_t *box, \
			const uint32_t *steps, unsigned interleave, \
			unsigned swizzle, unsigned promotion, unsigned fill)) \
	X(array_create, cuArray3DCreate_v2, false, \
		(struct CUarray_st **array, \
			const struct CUDA_ARRAY3D_DESCRIPTOR_st *shape)) \
	X(array_destroy, cuArrayDestroy, false, (struct CUarray_st *array)) \
	X(texture_create, cuTexObjectCreate, false, \
		(unsigned long long *object, \
			const struct CUDA_RESOURCE_DESC_st *resource, \
			const struct CUDA_TEXTURE_DESC_st *texture, \
			const struct CUDA_RESOURCE_VIEW_DESC_st *view)) \
	X(texture_destroy, cuTexObjectDestroy, false, (unsigned long long object)) \
	X(surface_create, cuSurfObjectCreate, false, \
		(unsigned long long *object, \
			const struct CUDA_RESOURCE_DESC_st *resource)) \
	X(surface_destroy, cuSurfObjectDestroy, false, (unsigned long long object)) \
	X(copy_shaped, cuMemcpy3DAsync_v2, false, \
		(const struct CUDA_MEMCPY3D_st *copy, struct CUstream_st *stream)) \
	X(copy_to_device, cuMemcpyHtoDAsync_v2, true, \
		(unsigned long long to, const void *from, size_t bytes, \
			struct CUstream_st *stream)) \
	X(copy_to_host, cuMemcpyDtoHAsync_v2, true, \
		(void *to, unsigned long long from, size_t bytes, \
			struct CUstream_st *stream)) \
	X(copy_within, cuMemcpyDtoDAsync_v2, true, \
		(unsigned long long to, unsigned long long from, size_t bytes, \
			struct CUstream_st *stream)) \
	X(pinned_allocate, cuMemHostAlloc, true, \
		(void **memory, size_t bytes, unsigned flags)) \
	X(pinned_free, cuMemFreeHost, true, (void *memory)) \
	X(pinned_address, cuMemHostGetDevicePointer_v2, true, \
		(unsigned long long *address, void *memory, unsigned flags)) \
	X(stream_create, cuStreamCreate, true, \
		(struct CUstream_st **stream, unsigned flags)) \
	X(stream_destroy, cuStreamDestroy_v2, true, (struct CUstream_st *stream)) \
	X(stream_synchronize, cuStreamSynchronize, true, \
		(struct CUstream_st *stream)) \
	X(stream_wait_value, cuStreamWaitValue32_v2, false, \
		(struct CUstream_st *stream, unsigned long long address, \
			unsigned value, unsigned flags)) \
	X(event_create, cuEventCreate, true, \
		(struct CUevent_st **event, unsigned flags)) \
	X(event_destroy, cuEventDestroy_v2, true, (struct CUevent_st *event)) \
	X(event_record, cuEventRecord, true, \
		(struct CUevent_st *event, struct CUstream_st *stream)) \
	X(event_elapsed, cuEventElapsedTime, true, \
		(float *milliseconds, struct CUevent_st *start, \
			struct CUevent_st *stop)) \
	X(capture_begin, cuStreamBeginCapture_v2, false, \
		(struct CUstream_st *stream, unsigned mode)) \
	X(capture_end, cuStreamEndCapture, false, \
		(struct CUstream_st *stream, struct CUgraph_st **graph)) \
	X(graph_release, cuGraphDestroy, false, (struct CUgraph_st *graph)) \
	X(graph_instantiate, cuGraphInstantiateWithFlags, false, \
		(struct CUgraphExec_st **instance, struct CUgraph_st *graph, \
			unsigned long long flags)) \
	X(graph_launch, cuGraphLaunch, false, \
		(struct CUgraphExec_st *instance, struct CUstream_st *stream)) \
	X(graph_end, cuGraphExecDestroy, false, (struct CUgraphExec_st *instance)) \
	X(launch_with, cuLaunchKernelEx, false, \
		(const struct CUlaunchConfig_st *config, struct CUfunc_st *function, \
			void **parameters, void **extra)) \
	X(launch, cuLaunchKernel, true, \
		(struct CUfunc_st *function, unsigned grid_x, unsigned grid_y, \
			unsigned grid_z, unsigned block_x, unsigned block_y, \
			unsigned block_z, unsigned shared_bytes, \
			struct CUstream_st *stream, void **parameters, void **extra))
/* clang-format on */

struct at_cuda_driver {
#define AT_CUDA_MEMBER(member, symbol, required, parameters) \
	unsigned(*member) parameters;
	AT_CUDA_FUNCTIONS(AT_CUDA_MEMBER)
#undef AT_CUDA_MEMBER
};

/* CUresult: only the values that affect decisions. */
enum at_cuda_result {
	AT_CUDA_SUCCESS = 0,
	AT_CUDA_INVALID_VALUE = 1,
	AT_CUDA_OUT_OF_MEMORY = 2,
	AT_CUDA_STUB_LIBRARY = 34,
	AT_CUDA_DEVICE_UNAVAILABLE = 46,
	AT_CUDA_NO_DEVICE = 100,
	AT_CUDA_INVALID_DEVICE = 101,
	AT_CUDA_INVALID_IMAGE = 200,
	AT_CUDA_NO_BINARY_FOR_GPU = 209,
	AT_CUDA_ECC_UNCORRECTABLE = 214,
	AT_CUDA_INVALID_PTX = 218,
	AT_CUDA_NVLINK_UNCORRECTABLE = 220,
	AT_CUDA_JIT_COMPILER_NOT_FOUND = 221,
	AT_CUDA_UNSUPPORTED_PTX_VERSION = 222,
	AT_CUDA_UNSUPPORTED_DEVSIDE_SYNC = 225,
	AT_CUDA_INVALID_SOURCE = 300,
	AT_CUDA_SYMBOL_NOT_FOUND = 302,
	AT_CUDA_OPERATING_SYSTEM = 304,
	AT_CUDA_INVALID_HANDLE = 400,
	AT_CUDA_NOT_FOUND = 500,
	AT_CUDA_ILLEGAL_ADDRESS = 700,
	AT_CUDA_LAUNCH_OUT_OF_RESOURCES = 701,
	AT_CUDA_LAUNCH_TIMEOUT = 702,
	AT_CUDA_COOPERATIVE_LAUNCH_TOO_LARGE = 720,
	AT_CUDA_NOT_SUPPORTED = 801,
	AT_CUDA_SYSTEM_NOT_READY = 802,
	AT_CUDA_SYSTEM_DRIVER_MISMATCH = 803,
	AT_CUDA_COMPAT_NOT_SUPPORTED = 804,
	/* 805 to 810: the service for sharing a board among processes (MPS) */
	AT_CUDA_MPS_CONNECTION_FAILED = 805,
	AT_CUDA_MPS_CLIENT_TERMINATED = 810,
	AT_CUDA_INVALID_CLUSTER_SIZE = 912,
	AT_CUDA_FUNCTION_NOT_LOADED = 913,
	AT_CUDA_UNKNOWN = 999,
};

/* CUdevice_attribute */
enum at_cuda_device_attribute {
	AT_CUDA_MAX_THREADS_PER_BLOCK = 1,
	AT_CUDA_MAX_BLOCK_X = 2,
	AT_CUDA_MAX_BLOCK_Y = 3,
	AT_CUDA_MAX_BLOCK_Z = 4,
	AT_CUDA_MAX_GRID_X = 5,
	AT_CUDA_MAX_GRID_Y = 6,
	AT_CUDA_MAX_GRID_Z = 7,
	AT_CUDA_MAX_SHARED_PER_BLOCK = 8,
	AT_CUDA_WARP_SIZE = 10,
	AT_CUDA_MAX_REGISTERS_PER_BLOCK = 12,
	AT_CUDA_CLOCK_KHZ = 13,
	AT_CUDA_MULTIPROCESSOR_COUNT = 16,
	/* widths; heights and depths follow */
	AT_CUDA_MAX_TEXTURE_1D = 21,
	AT_CUDA_MAX_TEXTURE_2D = 22,
	AT_CUDA_MAX_TEXTURE_3D = 24,
	AT_CUDA_MEMORY_CLOCK_KHZ = 36,
	AT_CUDA_MEMORY_BUS_BITS = 37,
	AT_CUDA_L2_BYTES = 38,
	AT_CUDA_MAX_THREADS_PER_MULTIPROCESSOR = 39,
	AT_CUDA_MAX_SURFACE_1D = 55,
	AT_CUDA_MAX_SURFACE_2D = 56,
	AT_CUDA_MAX_SURFACE_3D = 58,
	AT_CUDA_MAX_LINEAR_1D = 69,
	AT_CUDA_MAX_LINEAR_2D = 70,
	AT_CUDA_CAPABILITY_MAJOR = 75,
	AT_CUDA_CAPABILITY_MINOR = 76,
	AT_CUDA_MAX_SHARED_PER_MULTIPROCESSOR = 81,
	AT_CUDA_MAX_REGISTERS_PER_MULTIPROCESSOR = 82,
	AT_CUDA_MAX_SHARED_PER_BLOCK_OPTIN = 97,
	/* whether pages can be mapped at chosen addresses */
	AT_CUDA_VIRTUAL_MEMORY = 102,
	AT_CUDA_MAX_BLOCKS_PER_MULTIPROCESSOR = 106,
	/* bytes of the L2 that can be set aside, and of an access policy window */
	AT_CUDA_MAX_PERSISTING_L2 = 108,
	AT_CUDA_MAX_WINDOW = 109,
	AT_CUDA_RESERVED_SHARED_PER_BLOCK = 111,
	/* bytes after a buffer that its tensor map may touch */
	AT_CUDA_MAP_REACH = 160,
};

/* CUfunction_attribute */
enum at_cuda_function_attribute {
	AT_CUDA_FUNCTION_SHARED_BYTES = 1,
	AT_CUDA_FUNCTION_MAX_DYNAMIC_SHARED_BYTES = 8,
	AT_CUDA_FUNCTION_CARVEOUT = 9, /* percent; -1: the driver's choice */
	AT_CUDA_FUNCTION_CLUSTER_WIDTH = 11,
	AT_CUDA_FUNCTION_CLUSTER_HEIGHT = 12,
	AT_CUDA_FUNCTION_CLUSTER_DEPTH = 13,
	AT_CUDA_FUNCTION_LARGE_CLUSTERS = 14, /* more than 8 blocks */
};

/* CUlaunchAttributeID */
enum at_cuda_launch_attribute {
	AT_CUDA_LAUNCH_WINDOW = 1,
	AT_CUDA_LAUNCH_COOPERATIVE = 2,
	AT_CUDA_LAUNCH_CLUSTER = 4,
	AT_CUDA_LAUNCH_DEPENDENT = 6,
	AT_CUDA_LAUNCH_PREFERRED_CLUSTER = 11,
};

/* CUaccessPolicyWindow */
struct at_cuda_window {
	void *address;
	size_t bytes;
	float hit_ratio;
	unsigned hit; /* CUaccessProperty */
	unsigned miss;
};

/* CUlaunchAttribute */
struct at_cuda_attribute {
	unsigned id;
	unsigned padding;
	union {
		char bytes[64];
		struct at_cuda_window window;
		int is_on;
		unsigned cluster[3];
	} value;
};

/* CUlaunchConfig */
struct at_cuda_launch {
	unsigned grid[3];
	unsigned block[3];
	unsigned shared_bytes;
	struct CUstream_st *stream;
	struct at_cuda_attribute *attributes;
	unsigned attribute_count;
};

enum at_cuda_flag {
	AT_CUDA_STREAM_NON_BLOCKING = 1,
	AT_CUDA_STREAM_WAIT_GEQ = 0, /* waits until (int32_t)(*address - value) >= 0 */
	AT_CUDA_PINNED_DEVICE_MAP = 2,
	AT_CUDA_EVENT_DEFAULT = 0,
	AT_CUDA_CAPTURE_THREAD_LOCAL = 1, /* CUstreamCaptureMode */
	AT_CUDA_ALLOCATION_PINNED = 1, /* CUmemAllocationType */
	AT_CUDA_LOCATION_DEVICE = 1, /* CUmemLocationType */
	AT_CUDA_GRANULARITY_MINIMUM = 0,
	AT_CUDA_ACCESS_NONE = 0, /* CUmemAccess_flags */
	AT_CUDA_ACCESS_READ = 1,
	AT_CUDA_ACCESS_WRITE = 3,
	/* CUlimit: bytes of L2 set aside for persisting accesses */
	AT_CUDA_LIMIT_PERSISTING_L2 = 6,
	AT_CUDA_ACCESS_NORMAL = 0, /* CUaccessProperty */
	AT_CUDA_ACCESS_PERSISTING = 2,
	AT_CUDA_ARRAY_SURFACE = 2, /* CUDA_ARRAY3D_SURFACE_LDST */
	AT_CUDA_TEXTURE_INTEGERS = 1, /* CU_TRSF_READ_AS_INTEGER */
	AT_CUDA_TEXTURE_NORMALIZED = 2, /* CU_TRSF_NORMALIZED_COORDINATES */
	AT_CUDA_RESOURCE_ARRAY = 0, /* CUresourcetype */
	AT_CUDA_RESOURCE_LINEAR = 2,
	AT_CUDA_RESOURCE_PITCH = 3,
	AT_CUDA_MEMORY_DEVICE = 2, /* CUmemorytype */
	AT_CUDA_MEMORY_ARRAY = 3,
};

/* CUDA_ARRAY3D_DESCRIPTOR */
struct at_cuda_array_shape {
	size_t sizes[3]; /* 0: unused dimension */
	unsigned format;
	unsigned channels;
	unsigned flags;
};

/* CUDA_RESOURCE_DESC: an array, or memory with or without a pitch */
struct at_cuda_resource {
	unsigned type;
	union {
		struct CUarray_st *array;
		struct {
			unsigned long long address;
			unsigned format;
			unsigned channels;
			size_t width; /* of linear memory: in bytes */
			size_t height;
			size_t pitch_bytes;
		} memory;
		int reserved[32];
	} of;
	unsigned flags;
};

/* CUDA_TEXTURE_DESC */
struct at_cuda_texture {
	unsigned modes[3];
	unsigned filter;
	unsigned flags;
	unsigned others[4]; /* of mipmaps */
	float last_level;
	float border[4];
	int reserved[12];
};

/* CUDA_MEMCPY3D, with the same members for both ends */
struct at_cuda_copy_end {
	size_t x_bytes, y, z, level;
	unsigned type;
	const void *host;
	unsigned long long address;
	struct CUarray_st *array;
	void *reserved;
	size_t pitch_bytes;
	size_t height;
};

struct at_cuda_copy {
	struct at_cuda_copy_end from, to;
	size_t width_bytes, height, depth;
};

/* CUmemLocation */
struct at_cuda_location {
	unsigned type;
	int id;
};

/* CUmemAllocationProp: the kind of pages to create */
struct at_cuda_allocation {
	unsigned type;
	unsigned handle_types;
	struct at_cuda_location location;
	void *handle_data;
	unsigned char flags[8];
};

/* CUmemAccessDesc: a device and its access */
struct at_cuda_access {
	struct at_cuda_location location;
	unsigned flags;
};

/*
 * Opens the first loadable library of candidates[0..count), and fills in *out.
 * AT_EUNAVAILABLE: no driver, with a hint. The library stays open until the process
 * ends, since an initialised driver has its own threads.
 */
enum at_status at_cuda_driver_load(struct at_cuda_driver *out,
	const char *const *candidates, size_t count, struct at_error *err);

/* Calls cuInit(). AT_EUNAVAILABLE, with a hint for each kind of failure. */
enum at_status at_cuda_driver_start(
	const struct at_cuda_driver *driver, struct at_error *err);

/* The driver of this machine, loaded and started on the first call. */
enum at_status at_cuda_driver_default(
	const struct at_cuda_driver **out, struct at_error *err);

/* Writes name and text of a code into buffer, such as "CUDA_ERROR_NO_DEVICE (no
   CUDA-capable device is detected)", and returns buffer. */
char *at_cuda_describe(
	const struct at_cuda_driver *driver, unsigned code, char *buffer, size_t size);

/* at_fail() with "WHAT: ", the description of the code, and a hint if one exists.
   Returns status. */
enum at_status at_cuda_fail(const struct at_cuda_driver *driver, struct at_error *err,
	enum at_status status, const char *what, unsigned code);

#endif
