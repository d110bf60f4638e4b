/*
 * Textures and surfaces: objects of linear memory, and of arrays that copy their
 * buffers. Calls without a kernel copy between the two.
 */
#include "device/cuda/cuda_device.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>

/* The array of a buffer, for all objects of one shape: a texture of a later launch
   reads what a surface wrote. */
struct at_cuda_array {
	struct at_cuda_array *next;
	unsigned users;
	unsigned long long address;
	struct at_texture shape;
	struct CUarray_st *array;
};

struct at_texels {
	bool is_surface;
	bool is_written;
	unsigned long long object;
	struct at_cuda_array *array; /* NULL: linear memory */
};

/* CUarray_format */
static const unsigned formats[AT_ELEMENT_COUNT] = {
	[AT_ELEMENT_U8] = 0x01,
	[AT_ELEMENT_U16] = 0x02,
	[AT_ELEMENT_U32] = 0x03,
	[AT_ELEMENT_I8] = 0x08,
	[AT_ELEMENT_I16] = 0x09,
	[AT_ELEMENT_I32] = 0x0a,
	[AT_ELEMENT_F16] = 0x10,
	[AT_ELEMENT_F32] = 0x20,
};

/* Rejects sizes beyond the limits of this device. */
static enum at_status check_limits(const struct at_cuda_device *self,
	const struct at_texture *texture, struct at_error *err)
{
	static const char *const names[] = { "width", "height", "depth" };
	const int64_t sizes[] = { texture->width, texture->height, texture->depth };
	const unsigned rank = 1 + (texture->height != 0) + (texture->depth != 0);
	/* attributes of one kind are consecutive */
	static const unsigned firsts[3][4] = {
		{ 0, AT_CUDA_MAX_TEXTURE_1D, AT_CUDA_MAX_TEXTURE_2D,
			AT_CUDA_MAX_TEXTURE_3D },
		{ 0, AT_CUDA_MAX_LINEAR_1D, AT_CUDA_MAX_LINEAR_2D },
		{ 0, AT_CUDA_MAX_SURFACE_1D, AT_CUDA_MAX_SURFACE_2D,
			AT_CUDA_MAX_SURFACE_3D },
	};
	const unsigned kind = texture->is_surface ? 2 : texture->is_linear;
	int most = 0;

	for (unsigned i = 0; i < rank; i++)
		if (!self->driver->device_attribute(
			    &most, firsts[kind][rank] + i, self->device) &&
			most && sizes[i] > most)
			return at_fail(err, AT_EINVAL, NULL, 0,
				"the %s of a %s of %u dimension%s is %" PRId64
				": this device has %d at most",
				names[i],
				texture->is_surface  ? "surface"
				: texture->is_linear ? "texture of linear memory"
						     : "texture",
				rank, rank > 1 ? "s" : "", sizes[i], most);
	return AT_OK;
}

static bool is_same(
	const struct at_cuda_array *array, const struct at_texture *b, uint64_t address)
{
	const struct at_texture *a = &array->shape;

	return array->address == address && a->width == b->width &&
	       a->height == b->height && a->depth == b->depth &&
	       a->channels == b->channels && a->element == b->element &&
	       a->pitch_bytes == b->pitch_bytes;
}

static void drop_dangling(struct at_cuda_device *self, struct at_cuda_array *array)
{
	struct at_cuda_array **link = &self->arrays;

	if (!array || --array->users)
		return;
	while (*link != array)
		link = &(*link)->next;
	*link = array->next;
	(void)!self->driver->array_destroy(array->array);
	free(array);
}

static enum at_status use_array(struct at_cuda_device *self,
	const struct at_texture *texture, uint64_t address, struct at_cuda_array **out,
	struct at_error *err)
{
	const struct at_cuda_array_shape shape = {
		.sizes = { (size_t)texture->width, (size_t)texture->height,
			(size_t)texture->depth },
		.format = formats[texture->element],
		.channels = (unsigned)texture->channels,
		/* textures of written buffers share the array of a surface */
		.flags = texture->is_surface || texture->is_written
				 ? AT_CUDA_ARRAY_SURFACE
				 : 0,
	};
	struct at_cuda_array *array = self->arrays;
	unsigned code;

	while (array && !is_same(array, texture, address))
		array = array->next;
	if (!array) {
		array = at_calloc(1, sizeof(*array));
		array->address = address;
		array->shape = *texture;
		code = self->driver->array_create(
			&array->array, (const struct CUDA_ARRAY3D_DESCRIPTOR_st
						       *)(const void *)&shape);
		if (code) {
			free(array);
			return at_cuda_fail(self->driver, err,
				code == AT_CUDA_OUT_OF_MEMORY ? AT_ENOMEM : AT_EDEVICE,
				"cuArray3DCreate", code);
		}
		array->next = self->arrays;
		self->arrays = array;
	}
	array->users++;
	*out = array;
	return AT_OK;
}

static unsigned make_object(const struct at_cuda_device *self,
	const struct at_texture *texture, uint64_t address, struct at_texels *texels)
{
	struct at_cuda_resource resource = { .type = AT_CUDA_RESOURCE_ARRAY };
	const unsigned mode = texture->address;
	const struct at_cuda_texture how = {
		.modes = { mode, mode, mode },
		.filter = texture->filters,
		.flags = (texture->is_normalized ? 0 : AT_CUDA_TEXTURE_INTEGERS) |
			 (texture->has_normalized_coordinates
					 ? AT_CUDA_TEXTURE_NORMALIZED
					 : 0),
	};

	if (texels->array) {
		resource.of.array = texels->array->array;
	} else {
		resource.type = texture->height ? AT_CUDA_RESOURCE_PITCH
						: AT_CUDA_RESOURCE_LINEAR;
		resource.of.memory.address = address;
		resource.of.memory.format = formats[texture->element];
		resource.of.memory.channels = (unsigned)texture->channels;
		/* bytes, if the memory has no rows */
		resource.of.memory.width =
			(size_t)texture->width *
			(texture->height ? 1 : at_texture_texel_bytes(texture));
		resource.of.memory.height = (size_t)texture->height;
		resource.of.memory.pitch_bytes =
			texture->height ? (size_t)texture->pitch_bytes : 0;
	}
	return texture->is_surface ? self->driver->surface_create(&texels->object,
					     (const struct CUDA_RESOURCE_DESC_st
							     *)(const void *)&resource)
				   : self->driver->texture_create(&texels->object,
					     (const struct CUDA_RESOURCE_DESC_st
							     *)(const void *)&resource,
					     (const struct CUDA_TEXTURE_DESC_st
							     *)(const void *)&how,
					     NULL);
}

static enum at_status cuda_make_texels(struct at_device *base,
	const struct at_texture *texture, uint64_t address, struct at_texels **out,
	uint64_t *value, struct at_error *err)
{
	struct at_cuda_device *self = at_cuda_device_of(base);
	struct at_texels *texels;
	enum at_status status = check_limits(self, texture, err);
	unsigned code;

	if (status)
		return status;
	texels = at_calloc(1, sizeof(*texels));
	texels->is_surface = texture->is_surface;
	texels->is_written = texture->is_written;
	if (!texture->is_linear)
		status = use_array(self, texture, address, &texels->array, err);
	code = status ? 0 : make_object(self, texture, address, texels);
	if (code)
		status = at_cuda_fail(self->driver, err, AT_EDEVICE,
			texture->is_surface ? "cuSurfObjectCreate"
					    : "cuTexObjectCreate",
			code);
	if (status) {
		drop_dangling(self, texels->array);
		free(texels);
		return status;
	}
	*value = texels->object;
	*out = texels;
	return AT_OK;
}

static void cuda_free_texels(struct at_device *base, struct at_texels *texels)
{
	struct at_cuda_device *self = at_cuda_device_of(base);

	if (!texels)
		return;
	(void)!(texels->is_surface ? self->driver->surface_destroy
				   : self->driver->texture_destroy)(texels->object);
	drop_dangling(self, texels->array);
	free(texels);
}

unsigned at_cuda_copy_texels(
	struct at_cuda_device *self, const struct at_texels *texels, bool is_back)
{
	const struct at_cuda_array *array = texels->array;
	const struct at_texture *shape = &array->shape;
	const struct at_cuda_copy_end memory = {
		.type = AT_CUDA_MEMORY_DEVICE,
		.address = array->address,
		.pitch_bytes = (size_t)shape->pitch_bytes,
		.height = (size_t)shape->height,
	};
	const struct at_cuda_copy_end whole = { .type = AT_CUDA_MEMORY_ARRAY,
		.array = array->array };
	const struct at_cuda_copy copy = {
		.from = is_back ? whole : memory,
		.to = is_back ? memory : whole,
		.width_bytes = (size_t)shape->width * at_texture_texel_bytes(shape),
		.height = shape->height ? (size_t)shape->height : 1,
		.depth = shape->depth ? (size_t)shape->depth : 1,
	};

	if (is_back && !texels->is_written)
		return AT_CUDA_SUCCESS;
	return self->driver->copy_shaped(
		(const struct CUDA_MEMCPY3D_st *)(const void *)&copy, self->stream);
}

void at_cuda_add_textures(struct at_cuda_device *self)
{
	const struct at_cuda_driver *driver = self->driver;

	if (!driver->array_create || !driver->array_destroy || !driver->copy_shaped ||
		!driver->texture_create || !driver->texture_destroy ||
		!driver->surface_create || !driver->surface_destroy)
		return;
	self->ops.make_texels = cuda_make_texels;
	self->ops.free_texels = cuda_free_texels;
	self->base.has_arrays = true;
}
