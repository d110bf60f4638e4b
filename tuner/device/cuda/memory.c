/*
 * Device memory: allocated by the driver, or guarded memory in separate pages with
 * nothing mapped around them.
 */
#include "device/cuda/cuda_device.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static enum at_status fail_full(
	struct at_cuda_device *self, uint64_t bytes, struct at_error *err)
{
	size_t free_bytes = 0, total_bytes = 0;

	(void)!self->driver->memory_info(&free_bytes, &total_bytes);
	return at_fail(err, AT_ENOMEM, NULL, 0,
		"%s has no %" PRIu64
		" bytes: %zu of %zu are free; tune a smaller problem or end what uses the GPU",
		self->base.info.id, bytes, free_bytes, total_bytes);
}

static enum at_status cuda_allocate(struct at_device *base, uint64_t bytes,
	struct at_memory **out, struct at_error *err)
{
	struct at_cuda_device *self = at_cuda_device_of(base);
	struct at_memory *memory = at_calloc(1, sizeof(*memory));
	unsigned code = self->driver->memory_allocate(&memory->address, bytes);

	if (!code) {
		memory->bytes = bytes;
		*out = memory;
		return AT_OK;
	}
	free(memory);
	if (code != AT_CUDA_OUT_OF_MEMORY)
		return at_cuda_fail(self->driver, err, AT_EDEVICE, "cuMemAlloc", code);
	return fail_full(self, bytes, err);
}

static void cuda_release(struct at_device *base, struct at_memory *memory)
{
	const struct at_cuda_driver *driver = at_cuda_device_of(base)->driver;

	if (!memory)
		return;
	if (memory->reserved_bytes) {
		(void)!driver->pages_unmap(memory->address, memory->bytes);
		(void)!driver->addresses_free(memory->reserved, memory->reserved_bytes);
	} else {
		(void)!driver->memory_free(memory->address);
	}
	free(memory);
}

static uint64_t cuda_address(struct at_device *base, struct at_memory *memory)
{
	(void)base;
	return memory->address;
}

static enum at_status cuda_encode_map(struct at_device *base,
	const struct at_tensor_map *map, uint64_t address,
	unsigned char out[AT_TENSOR_MAP_BYTES], struct at_error *err)
{
	const struct at_cuda_driver *driver = at_cuda_device_of(base)->driver;
	_Alignas(64) unsigned char encoded[AT_TENSOR_MAP_BYTES] = { 0 };
	uint64_t dims[AT_TENSOR_MAP_RANK_MAX], strides[AT_TENSOR_MAP_RANK_MAX];
	uint32_t box[AT_TENSOR_MAP_RANK_MAX], steps[AT_TENSOR_MAP_RANK_MAX];
	unsigned code;

	if (!driver->map_encode)
		return at_fail(err, AT_EDEVICE, NULL, 0,
			"this driver has no tensor maps: install one for CUDA 12.0 or later");
	for (uint32_t i = 0; i < map->rank; i++) {
		dims[i] = (uint64_t)map->dims[i];
		box[i] = (uint32_t)map->box[i];
		steps[i] = (uint32_t)map->steps[i];
		strides[i] = (uint64_t)map->strides[i];
	}
	/* CUtensorMapSwizzle, CUtensorMapL2promotion and CUtensorMapInterleave ascend
	   with the bytes */
	code = driver->map_encode((struct CUtensorMap_st *)(void *)encoded,
		at_tensor_map_type(map->element), map->rank, (void *)(uintptr_t)address,
		dims, strides + 1, box, steps, (unsigned)map->interleave_bytes / 16,
		map->swizzle_bytes == 128 ? 3 : (unsigned)map->swizzle_bytes / 32,
		map->promotion_bytes == 256 ? 3 : (unsigned)map->promotion_bytes / 64,
		map->fills_nan);
	if (code)
		return at_cuda_fail(
			driver, err, AT_EDEVICE, "cuTensorMapEncodeTiled", code);
	memcpy(out, encoded, sizeof(encoded));
	return AT_OK;
}

/* ---- guarded memory ------------------------------------------------------ */

static struct at_cuda_allocation pages_of(const struct at_cuda_device *self)
{
	return (struct at_cuda_allocation){
		.type = AT_CUDA_ALLOCATION_PINNED,
		.location = { AT_CUDA_LOCATION_DEVICE, self->device },
	};
}

/* The functions came together with CUDA 10.2; some virtual GPUs and older ones cannot
   use them. */
static bool guards_memory(struct at_cuda_device *self)
{
	const struct at_cuda_driver *driver = self->driver;
	struct at_cuda_allocation pages = pages_of(self);
	size_t page_bytes = 0;
	int has_it = 0;

	if (!driver->page_bytes || !driver->addresses_reserve ||
		!driver->addresses_free || !driver->pages_create ||
		!driver->pages_release || !driver->pages_map || !driver->pages_unmap ||
		!driver->pages_protect)
		return false;
	if (driver->device_attribute(&has_it, AT_CUDA_VIRTUAL_MEMORY, self->device) ||
		!has_it)
		return false;
	/* the smallest granularity, to waste as little as possible for a small
	   buffer */
	if (driver->page_bytes(&page_bytes,
		    (const struct CUmemAllocationProp_st *)&pages,
		    AT_CUDA_GRANULARITY_MINIMUM) ||
		!page_bytes)
		return false;
	self->page_bytes = page_bytes;
	return true;
}

static unsigned set_access(struct at_cuda_device *self, const struct at_memory *memory,
	enum at_protection protection)
{
	static const unsigned flags[] = {
		[AT_PROTECTION_WRITE] = AT_CUDA_ACCESS_WRITE,
		[AT_PROTECTION_READ] = AT_CUDA_ACCESS_READ,
		[AT_PROTECTION_NONE] = AT_CUDA_ACCESS_NONE,
	};
	const struct at_cuda_access access = {
		.location = { AT_CUDA_LOCATION_DEVICE, self->device },
		.flags = flags[protection],
	};

	return self->driver->pages_protect(memory->address, memory->bytes,
		(const struct CUmemAccessDesc_st *)&access, 1);
}

/* Reserves addresses for the memory's bytes, with these margins on either side. */
static unsigned reserve(struct at_cuda_device *self, struct at_memory *memory,
	uint64_t ahead_bytes, uint64_t behind_bytes)
{
	unsigned code;

	memory->reserved_bytes = ahead_bytes + memory->bytes + behind_bytes;
	code = self->driver->addresses_reserve(
		&memory->reserved, memory->reserved_bytes, 0, 0, 0);
	memory->address = memory->reserved + ahead_bytes;
	return code;
}

/* How many of the caller's extra_gap_bytes are available. */
static uint64_t apart_bytes_of(struct at_cuda_device *self)
{
	uint64_t wanted = self->base.extra_gap_bytes;
	unsigned long long address;

	if (wanted && !self->has_asked_for_addresses) {
		self->has_asked_for_addresses = true;
		if (!self->driver->addresses_reserve(
			    &address, AT_SPARE_BYTES, 0, 0, 0)) {
			(void)!self->driver->addresses_free(address, AT_SPARE_BYTES);
			self->has_spare_addresses = true;
		}
	}
	return self->has_spare_addresses ? wanted / self->page_bytes * self->page_bytes
					 : 0;
}

/* Reserves one range of addresses for the pages and for a guard on either side, and
   maps only its middle: no other memory can lie in a guard. */
static enum at_status cuda_allocate_guarded(struct at_device *base, uint64_t bytes,
	struct at_memory **out, struct at_error *err)
{
	struct at_cuda_device *self = at_cuda_device_of(base);
	const struct at_cuda_driver *driver = self->driver;
	const struct at_cuda_allocation pages = pages_of(self);
	uint64_t page_bytes = self->page_bytes, guard_bytes, extra_gap_bytes;
	unsigned long long handle;
	struct at_memory *memory;
	const char *what;
	unsigned code;

	/* more than any device has, and the sums below cannot overflow */
	if (bytes > UINT64_MAX / 4)
		return fail_full(self, bytes, err);
	memory = at_calloc(1, sizeof(*memory));
	guard_bytes = (AT_GUARD_BYTES + page_bytes - 1) / page_bytes * page_bytes;
	memory->bytes = (bytes + page_bytes - 1) / page_bytes * page_bytes;
	extra_gap_bytes = apart_bytes_of(self);
	what = "cuMemAddressReserve";
	code = reserve(self, memory, guard_bytes + extra_gap_bytes, guard_bytes);
	/* without enough addresses: the guards alone */
	if (code && extra_gap_bytes)
		code = reserve(self, memory, guard_bytes, guard_bytes);
	if (code)
		goto free_memory;
	what = "cuMemCreate";
	code = driver->pages_create(&handle, memory->bytes,
		(const struct CUmemAllocationProp_st *)&pages, 0);
	if (code)
		goto free_addresses;
	what = "cuMemMap";
	code = driver->pages_map(memory->address, memory->bytes, 0, handle, 0);
	/* A mapping holds its pages. If mapping failed, this frees them. */
	(void)!driver->pages_release(handle);
	if (code)
		goto free_addresses;
	what = "cuMemSetAccess";
	code = set_access(self, memory, AT_PROTECTION_WRITE);
	if (code)
		goto unmap;
	*out = memory;
	return AT_OK;
unmap:
	(void)!driver->pages_unmap(memory->address, memory->bytes);
free_addresses:
	(void)!driver->addresses_free(memory->reserved, memory->reserved_bytes);
free_memory:
	free(memory);
	if (code != AT_CUDA_OUT_OF_MEMORY)
		return at_cuda_fail(driver, err, AT_EDEVICE, what, code);
	return fail_full(self, bytes, err);
}

static uint64_t cuda_mapped(struct at_device *base, struct at_memory *memory)
{
	(void)base;
	return memory->bytes;
}

static enum at_status cuda_protect(struct at_device *base, struct at_memory *memory,
	enum at_protection protection, struct at_error *err)
{
	struct at_cuda_device *self = at_cuda_device_of(base);
	unsigned code;

	/* the driver would rewrite the page tables even without a change */
	if (memory->protection == protection)
		return AT_OK;
	code = set_access(self, memory, protection);
	if (code)
		return at_cuda_fail(
			self->driver, err, AT_EDEVICE, "cuMemSetAccess", code);
	memory->protection = protection;
	return AT_OK;
}

/* ---- copies -------------------------------------------------------------- */

/* A copy that the page tables forbid would end the context, like a kernel's store. So
   it is rejected before the driver sees it. */
enum at_status at_cuda_check_range(const struct at_memory *memory,
	enum at_protection needed, uint64_t offset_bytes, uint64_t bytes,
	struct at_error *err)
{
	if (offset_bytes > memory->bytes || bytes > memory->bytes - offset_bytes)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"a copy of %" PRIu64 " bytes at offset %" PRIu64
			" leaves a buffer of %" PRIu64 " bytes",
			bytes, offset_bytes, memory->bytes);
	if (memory->protection > needed)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"a copy %s a buffer that is protected against it",
			needed == AT_PROTECTION_WRITE ? "into" : "from");
	return AT_OK;
}

/*
 * Copies go through the stream of the kernels. A copy of pageable memory through the
 * default stream may return before its last part is done, and the kernels' stream would
 * not wait for it.
 */
static enum at_status finish_copy(struct at_cuda_device *self, const char *what,
	unsigned code, struct at_error *err)
{
	if (!code)
		code = self->driver->stream_synchronize(self->stream);
	if (!code)
		return AT_OK;
	/* only to set is_lost: a copy has a status, not an outcome */
	(void)!at_cuda_judge(self, code);
	return at_cuda_fail(self->driver, err, AT_EDEVICE, what, code);
}

static enum at_status cuda_write(struct at_device *base, struct at_memory *memory,
	uint64_t offset_bytes, const void *data, uint64_t bytes, struct at_error *err)
{
	struct at_cuda_device *self = at_cuda_device_of(base);
	enum at_status status = at_cuda_check_range(
		memory, AT_PROTECTION_WRITE, offset_bytes, bytes, err);

	if (status || !bytes)
		return status;
	return finish_copy(self, "copying to the device",
		self->driver->copy_to_device(
			memory->address + offset_bytes, data, bytes, self->stream),
		err);
}

static enum at_status cuda_read(struct at_device *base, struct at_memory *memory,
	uint64_t offset_bytes, void *data, uint64_t bytes, struct at_error *err)
{
	struct at_cuda_device *self = at_cuda_device_of(base);
	enum at_status status = at_cuda_check_range(
		memory, AT_PROTECTION_READ, offset_bytes, bytes, err);

	if (status || !bytes)
		return status;
	return finish_copy(self, "copying from the device",
		self->driver->copy_to_host(
			data, memory->address + offset_bytes, bytes, self->stream),
		err);
}

void at_cuda_add_memory(struct at_cuda_device *self)
{
	struct at_device_ops *ops = &self->ops;

	ops->allocate = cuda_allocate;
	ops->release = cuda_release;
	ops->address = cuda_address;
	ops->write = cuda_write;
	ops->read = cuda_read;
	ops->encode_map = cuda_encode_map;
	if (!guards_memory(self))
		return;
	ops->allocate_guarded = cuda_allocate_guarded;
	ops->mapped = cuda_mapped;
	ops->protect = cuda_protect;
}
