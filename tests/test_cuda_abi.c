/*
 * The declarations of the CUDA driver and of NVRTC that the program brings itself,
 * held against NVIDIA's headers where these are installed: names, parameters,
 * results and numbers.
 */
#include "device/cuda/driver.h"
#include "kernel/nvrtc_library.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "skip.h"

#if defined(__has_include)
#if __has_include(<cuda.h>) && __has_include(<nvrtc.h>)
#define HAVE_HEADERS 1
#endif
#endif

#ifdef HAVE_HEADERS
#include <cuda.h>
#include <nvrtc.h>

#define SAME_DRIVER_FUNCTION(member, symbol, required, parameters) \
	assert_true(_Generic(&symbol, unsigned(*) parameters : true, default : false));

static void declares_the_functions_of_the_driver_as_its_header_does(void **state)
{
	(void)state;
	AT_CUDA_FUNCTIONS(SAME_DRIVER_FUNCTION)
}

#define SAME_NVRTC_FUNCTION(member, symbol, result, parameters) \
	assert_true(_Generic(&symbol, result(*) parameters : true, default : false));

static void declares_the_functions_of_nvrtc_as_its_header_does(void **state)
{
	(void)state;
	AT_NVRTC_FUNCTIONS(SAME_NVRTC_FUNCTION)
}

static const struct {
	const char *name;
	unsigned ours;
	unsigned theirs;
} numbers[] = {
#define NUMBER(ours, theirs) \
	{ \
#theirs, ours, (unsigned)(theirs) \
	}
	NUMBER(AT_CUDA_SUCCESS, CUDA_SUCCESS),
	NUMBER(AT_CUDA_INVALID_VALUE, CUDA_ERROR_INVALID_VALUE),
	NUMBER(AT_CUDA_OUT_OF_MEMORY, CUDA_ERROR_OUT_OF_MEMORY),
	NUMBER(AT_CUDA_STUB_LIBRARY, CUDA_ERROR_STUB_LIBRARY),
	NUMBER(AT_CUDA_DEVICE_UNAVAILABLE, CUDA_ERROR_DEVICE_UNAVAILABLE),
	NUMBER(AT_CUDA_NO_DEVICE, CUDA_ERROR_NO_DEVICE),
	NUMBER(AT_CUDA_INVALID_DEVICE, CUDA_ERROR_INVALID_DEVICE),
	NUMBER(AT_CUDA_INVALID_IMAGE, CUDA_ERROR_INVALID_IMAGE),
	NUMBER(AT_CUDA_NO_BINARY_FOR_GPU, CUDA_ERROR_NO_BINARY_FOR_GPU),
	NUMBER(AT_CUDA_INVALID_PTX, CUDA_ERROR_INVALID_PTX),
	NUMBER(AT_CUDA_JIT_COMPILER_NOT_FOUND, CUDA_ERROR_JIT_COMPILER_NOT_FOUND),
	NUMBER(AT_CUDA_UNSUPPORTED_PTX_VERSION, CUDA_ERROR_UNSUPPORTED_PTX_VERSION),
	NUMBER(AT_CUDA_INVALID_SOURCE, CUDA_ERROR_INVALID_SOURCE),
	NUMBER(AT_CUDA_SYMBOL_NOT_FOUND, CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND),
	NUMBER(AT_CUDA_OPERATING_SYSTEM, CUDA_ERROR_OPERATING_SYSTEM),
	NUMBER(AT_CUDA_INVALID_HANDLE, CUDA_ERROR_INVALID_HANDLE),
	NUMBER(AT_CUDA_NOT_FOUND, CUDA_ERROR_NOT_FOUND),
	NUMBER(AT_CUDA_ILLEGAL_ADDRESS, CUDA_ERROR_ILLEGAL_ADDRESS),
	NUMBER(AT_CUDA_LAUNCH_OUT_OF_RESOURCES, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
	NUMBER(AT_CUDA_COOPERATIVE_LAUNCH_TOO_LARGE,
		CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE),
	NUMBER(AT_CUDA_NOT_SUPPORTED, CUDA_ERROR_NOT_SUPPORTED),
	NUMBER(AT_CUDA_SYSTEM_NOT_READY, CUDA_ERROR_SYSTEM_NOT_READY),
	NUMBER(AT_CUDA_SYSTEM_DRIVER_MISMATCH, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH),
	NUMBER(AT_CUDA_COMPAT_NOT_SUPPORTED, CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE),
	NUMBER(AT_CUDA_INVALID_CLUSTER_SIZE, CUDA_ERROR_INVALID_CLUSTER_SIZE),
#if CUDA_VERSION >= 12040
	NUMBER(AT_CUDA_UNSUPPORTED_DEVSIDE_SYNC, CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC),
	NUMBER(AT_CUDA_FUNCTION_NOT_LOADED, CUDA_ERROR_FUNCTION_NOT_LOADED),
#endif
	NUMBER(AT_CUDA_UNKNOWN, CUDA_ERROR_UNKNOWN),
	NUMBER(AT_CUDA_MAX_THREADS_PER_BLOCK,
		CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
	NUMBER(AT_CUDA_MAX_BLOCK_X, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X),
	NUMBER(AT_CUDA_MAX_BLOCK_Y, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y),
	NUMBER(AT_CUDA_MAX_BLOCK_Z, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z),
	NUMBER(AT_CUDA_MAX_GRID_X, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X),
	NUMBER(AT_CUDA_MAX_GRID_Y, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y),
	NUMBER(AT_CUDA_MAX_GRID_Z, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z),
	NUMBER(AT_CUDA_MAX_SHARED_PER_BLOCK,
		CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK),
	NUMBER(AT_CUDA_WARP_SIZE, CU_DEVICE_ATTRIBUTE_WARP_SIZE),
	NUMBER(AT_CUDA_MAX_REGISTERS_PER_BLOCK,
		CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK),
	NUMBER(AT_CUDA_CLOCK_KHZ, CU_DEVICE_ATTRIBUTE_CLOCK_RATE),
	NUMBER(AT_CUDA_MULTIPROCESSOR_COUNT, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
	NUMBER(AT_CUDA_MEMORY_CLOCK_KHZ, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE),
	NUMBER(AT_CUDA_MEMORY_BUS_BITS, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH),
	NUMBER(AT_CUDA_L2_BYTES, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE),
	NUMBER(AT_CUDA_MAX_THREADS_PER_MULTIPROCESSOR,
		CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR),
	NUMBER(AT_CUDA_CAPABILITY_MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
	NUMBER(AT_CUDA_CAPABILITY_MINOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
	NUMBER(AT_CUDA_MAX_SHARED_PER_MULTIPROCESSOR,
		CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR),
	NUMBER(AT_CUDA_MAX_REGISTERS_PER_MULTIPROCESSOR,
		CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR),
	NUMBER(AT_CUDA_MAX_SHARED_PER_BLOCK_OPTIN,
		CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
	NUMBER(AT_CUDA_VIRTUAL_MEMORY,
		CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED),
	NUMBER(AT_CUDA_MAX_BLOCKS_PER_MULTIPROCESSOR,
		CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR),
	NUMBER(AT_CUDA_RESERVED_SHARED_PER_BLOCK,
		CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK),
	NUMBER(AT_CUDA_FUNCTION_MAX_DYNAMIC_SHARED_BYTES,
		CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES),
	NUMBER(AT_CUDA_STREAM_NON_BLOCKING, CU_STREAM_NON_BLOCKING),
	NUMBER(AT_CUDA_STREAM_WAIT_GEQ, CU_STREAM_WAIT_VALUE_GEQ),
	NUMBER(AT_CUDA_PINNED_DEVICE_MAP, CU_MEMHOSTALLOC_DEVICEMAP),
	NUMBER(AT_CUDA_EVENT_DEFAULT, CU_EVENT_DEFAULT),
	NUMBER(AT_CUDA_ALLOCATION_PINNED, CU_MEM_ALLOCATION_TYPE_PINNED),
	NUMBER(AT_CUDA_LOCATION_DEVICE, CU_MEM_LOCATION_TYPE_DEVICE),
	NUMBER(AT_CUDA_GRANULARITY_MINIMUM, CU_MEM_ALLOC_GRANULARITY_MINIMUM),
	NUMBER(AT_CUDA_ACCESS_NONE, CU_MEM_ACCESS_FLAGS_PROT_NONE),
	NUMBER(AT_CUDA_ACCESS_READ, CU_MEM_ACCESS_FLAGS_PROT_READ),
	NUMBER(AT_CUDA_ACCESS_WRITE, CU_MEM_ACCESS_FLAGS_PROT_READWRITE),
	NUMBER(AT_NVRTC_SUCCESS, NVRTC_SUCCESS),
	NUMBER(AT_NVRTC_OUT_OF_MEMORY, NVRTC_ERROR_OUT_OF_MEMORY),
	NUMBER(AT_NVRTC_COMPILATION, NVRTC_ERROR_COMPILATION),
	NUMBER(AT_NVRTC_BUILTIN_OPERATION_FAILURE,
		NVRTC_ERROR_BUILTIN_OPERATION_FAILURE),
};

static void numbers_are_those_of_the_headers(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (numbers[i].ours != numbers[i].theirs)
			fail_msg("%s is %u, not %u", numbers[i].name, numbers[i].theirs,
				numbers[i].ours);
}

#define SAME_PLACE(ours, member, theirs, their_member) \
	assert_int_equal(offsetof(ours, member), offsetof(theirs, their_member)); \
	assert_int_equal(sizeof(((ours *)NULL)->member), \
		sizeof(((theirs *)NULL)->their_member))

static void lays_structures_out_as_the_header_does(void **state)
{
	(void)state;
	assert_int_equal(sizeof(struct at_cuda_location), sizeof(CUmemLocation));
	SAME_PLACE(struct at_cuda_location, type, CUmemLocation, type);
	SAME_PLACE(struct at_cuda_location, id, CUmemLocation, id);
	assert_int_equal(
		sizeof(struct at_cuda_allocation), sizeof(CUmemAllocationProp));
	SAME_PLACE(struct at_cuda_allocation, type, CUmemAllocationProp, type);
	SAME_PLACE(struct at_cuda_allocation, handle_types, CUmemAllocationProp,
		requestedHandleTypes);
	SAME_PLACE(struct at_cuda_allocation, location, CUmemAllocationProp, location);
	SAME_PLACE(struct at_cuda_allocation, handle_data, CUmemAllocationProp,
		win32HandleMetaData);
	SAME_PLACE(struct at_cuda_allocation, flags, CUmemAllocationProp, allocFlags);
	assert_int_equal(sizeof(struct at_cuda_access), sizeof(CUmemAccessDesc));
	SAME_PLACE(struct at_cuda_access, location, CUmemAccessDesc, location);
	SAME_PLACE(struct at_cuda_access, flags, CUmemAccessDesc, flags);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			declares_the_functions_of_the_driver_as_its_header_does),
		cmocka_unit_test(declares_the_functions_of_nvrtc_as_its_header_does),
		cmocka_unit_test(numbers_are_those_of_the_headers),
		cmocka_unit_test(lays_structures_out_as_the_header_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
	return skip_all(4, "built without cuda.h and nvrtc.h");
}

#endif
