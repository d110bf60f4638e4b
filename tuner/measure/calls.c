/* Binds calls of the template's kernels to buffers, and sets variables of modules. */
#include "measure/calls.h"

#include "base/memory.h"
#include "measure/buffers.h"
#include "measure/place.h"
#include "measure/support.h"
#include "measure/trip.h"

#include <stdlib.h>
#include <string.h>

void *calls_object(const struct at_measure_setup *setup,
	const struct at_measure_binding *bindings, uint32_t argument)
{
	unsigned char *object = at_calloc(setup->arguments[argument].lanes, 1);

	for (uint32_t i = argument + 1; i < setup->argument_count; i++) {
		const struct at_measure_argument *field = &setup->arguments[i];

		if (field->owner == argument + 1)
			memcpy(object + field->offset_bytes, bindings[i].value,
				at_element_bytes(field->element) * field->lanes);
	}
	return object;
}

struct binding {
	struct at_measure_context *context;
	const struct at_measure_binding *bindings;
	struct staging staging;
	bool expected_outputs;
	const uint32_t *moved;
};

/* The place's memory is NULL for a scalar. */
static const struct place *place_of(const struct binding *self, uint32_t argument)
{
	const struct buffer *buffer = &self->context->buffers[argument];

	/* the reference writes directly to the expected outputs */
	if (self->expected_outputs && buffer->expected[self->staging.set].memory)
		return &buffer->expected[self->staging.set];
	return buffer_place(self->context,
		self->moved ? self->moved[argument] : argument, self->staging);
}

/* The address in a pointer; for an array, its first address. */
static uint64_t pointed(const struct binding *self, uint32_t argument)
{
	const uint32_t buffer = self->context->setup->arguments[argument].points_to - 1;
	uint64_t offset;

	memcpy(&offset, self->bindings[argument].value, sizeof(offset));
	return place_address(self->context, place_of(self, buffer)) + offset;
}

/* Writes a structure's pointers; places differ between bindings. */
static void point_fields(
	const struct binding *self, uint32_t argument, unsigned char *object)
{
	const struct at_measure_setup *setup = self->context->setup;

	for (uint32_t i = argument + 1; i < setup->argument_count; i++) {
		const struct at_measure_argument *field = &setup->arguments[i];
		uint64_t address;

		if (field->owner != argument + 1 || !field->points_to)
			continue;
		address = pointed(self, i);
		memcpy(object + field->offset_bytes, &address, sizeof(address));
	}
}

/* Makes an array of pointers in memory of its own, read-only for kernels. */
static enum at_status make_array(const struct binding *self, uint32_t argument,
	struct place *out, struct at_error *err)
{
	struct at_measure_context *context = self->context;
	const uint64_t count = self->bindings[argument].count;
	uint64_t *addresses, stride;
	enum at_status status;

	if (count > AT_POINTERS_MAX)
		return at_fail(err, AT_EOVERFLOW, NULL, 0,
			"argument \"%s\" has too many pointers",
			context->setup->arguments[argument].name);
	addresses = at_calloc(count, sizeof(*addresses));
	memcpy(&stride, self->bindings[argument].value + sizeof(stride),
		sizeof(stride));
	for (uint64_t i = 0; i < count; i++)
		addresses[i] = pointed(self, argument) + i * stride;
	context->buffers[argument].bytes = count * sizeof(*addresses);
	status = place_make(context, argument, SIDE_END, out, err);
	context->buffers[argument].bytes = 0;
	if (!status)
		status = context->device->ops->write(context->device, out->memory,
			out->offset_bytes, addresses, count * sizeof(*addresses), err);
	if (!status)
		status = place_protect(context, out, AT_PROTECTION_READ, err);
	free(addresses);
	return status;
}

/* The bytes of a tensor map for its buffer's place; zeros on a device without a copy
   engine. The caller frees them. */
static enum at_status encode_map(struct at_measure_context *self,
	const struct at_tensor_map *map, const struct place *place, void **out,
	struct at_error *err)
{
	const struct at_device_ops *ops = self->device->ops;

	*out = at_calloc(AT_TENSOR_MAP_BYTES, 1);
	if (!place->memory)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"a tensor map describes an argument that is no buffer");
	return ops->encode_map ? ops->encode_map(self->device, map,
					 place_address(self, place), *out, err)
			       : AT_OK;
}

static enum at_status make_texels(struct at_measure_context *self,
	const struct at_texture *texture, const struct place *place,
	struct bound_call *call, struct at_parameter_value *out, struct at_error *err)
{
	const struct at_device_ops *ops = self->device->ops;
	const bool is_copied = self->device->has_arrays && !texture->is_linear;
	struct at_texels **last = &call->texels[call->texel_count];
	struct at_texels **own = is_copied ? &call->texels[call->copied_count] : last;
	uint64_t value = 0;
	enum at_status status;

	if (!place->memory || !ops->make_texels)
		return at_fail(err, AT_EINVAL, NULL, 0,
			place->memory
				? "this device has no textures and no surfaces"
				: "a texture describes an argument that is no buffer");
	*last = *own;
	status = ops->make_texels(
		self->device, texture, place_address(self, place), own, &value, err);
	if (status)
		*own = NULL;
	call->texel_count++;
	call->copied_count += is_copied;
	*out = value_u64(value);
	return status;
}

/* The attributes stay the request's, which outlives its calls. */
static void bind_attributes(struct at_measure_context *self,
	const struct at_attributes *attributes, struct staging staging,
	const uint32_t *moved, struct at_invocation *out)
{
	if (at_attributes_any(attributes))
		out->attributes = attributes;
	if (attributes->window) {
		const uint32_t argument = attributes->window - 1;
		const struct place *place =
			buffer_place(self, moved ? moved[argument] : argument, staging);

		out->window.address = place_address(self, place);
		out->window.bytes = self->buffers[argument].bytes;
	}
}

enum at_status bound_call_init(struct at_measure_context *self,
	struct at_module *module, const struct at_measure_call *call,
	const struct at_measure_binding *bindings, struct staging staging,
	bool expected_outputs, const uint32_t *moved, struct bound_call *out,
	struct at_error *err)
{
	const struct at_device_ops *ops = self->device->ops;
	struct at_invocation *invocation = &out->invocation;
	struct at_measure_binding *own = NULL;
	struct binding binding = { self, bindings, staging, expected_outputs, moved };
	enum at_status status = AT_OK;

	memset(out, 0, sizeof(*out));
	invocation->kernel = ops->find(self->device, module, call->symbol);
	if (!invocation->kernel)
		return at_fail(err, AT_ENOENT, NULL, 0,
			"kernel \"%s\" is not in the image", call->symbol);
	if (call->value_count) {
		own = at_calloc(self->setup->argument_count + 1, sizeof(*own));
		memcpy(own, bindings, self->setup->argument_count * sizeof(*own));
		for (uint32_t i = 0; i < call->value_count; i++)
			own[call->values[i].argument] = call->values[i].binding;
		binding.bindings = bindings = own;
	}
	out->arrays = at_calloc(call->argument_count + 1, sizeof(*out->arrays));
	out->values = at_calloc(call->argument_count + 1, sizeof(*out->values));
	out->objects = at_calloc(call->argument_count + 1, sizeof(*out->objects));
	out->texels = at_calloc(call->argument_count + 1, sizeof(*out->texels));
	out->object_count = call->argument_count;
	for (uint32_t i = 0; i < call->argument_count && !status; i++) {
		const struct at_tensor_map *map = &bindings[call->arguments[i]].map;
		const struct at_texture *texture =
			&bindings[call->arguments[i]].texture;
		uint32_t argument = map->of       ? map->of - 1
				    : texture->of ? texture->of - 1
						  : call->arguments[i];
		const struct place *place = place_of(&binding, argument);

		if (texture->of) {
			status = make_texels(
				self, texture, place, out, &out->values[i], err);
		} else if (map->of) {
			status = encode_map(self, map, place, &out->objects[i], err);
			out->values[i].more = out->objects[i];
		} else if (place->memory) {
			out->values[i] = value_u64(place_address(self, place));
		} else if (self->setup->arguments[argument].has_fields) {
			out->objects[i] = calls_object(self->setup, bindings, argument);
			point_fields(&binding, argument, out->objects[i]);
			out->values[i].more = out->objects[i];
		} else if (self->setup->arguments[argument].points_to &&
			   bindings[argument].count) {
			status = make_array(&binding, argument, &out->arrays[i], err);
			if (!status)
				out->values[i] =
					value_u64(place_address(self, &out->arrays[i]));
		} else if (self->setup->arguments[argument].points_to) {
			out->values[i] = value_u64(pointed(&binding, argument));
		} else {
			memcpy(out->values[i].bytes, bindings[argument].value,
				sizeof(out->values[i].bytes));
		}
	}
	for (int i = 0; i < 3; i++) {
		invocation->grid[i] = call->geometry.grid[i];
		invocation->block[i] = call->geometry.block[i];
	}
	invocation->shared_bytes = call->geometry.shared_bytes;
	invocation->argument_count = call->argument_count;
	invocation->arguments = out->values;
	bind_attributes(self, &call->geometry.attributes, staging, moved, invocation);
	free(own);
	return status;
}

void bound_call_release(struct at_measure_context *self, struct bound_call *call)
{
	for (uint32_t i = 0; call->objects && i < call->object_count; i++) {
		free(call->objects[i]);
		if (!self->device->is_lost)
			place_free(self, &call->arrays[i]);
	}
	for (size_t i = 0; i < call->texel_count && !self->device->is_lost; i++)
		self->device->ops->free_texels(self->device, call->texels[i]);
	free(call->texels);
	free(call->objects);
	free(call->arrays);
	free(call->values);
	memset(call, 0, sizeof(*call));
}

static void swap_places(const struct at_measure_call *call, uint32_t *moved)
{
	for (uint32_t i = 0; i + 1 < call->swap_count; i += 2) {
		uint32_t *one = &moved[call->swaps[i]];
		uint32_t *other = &moved[call->swaps[i + 1]];
		uint32_t kept = *one;

		*one = *other;
		*other = kept;
	}
}

/* Adds the launches of one call. After two of them all buffers are back in place. */
static enum at_status bind_repeats(struct at_measure_context *self,
	struct at_module *module, const struct at_measure_request *request,
	const struct at_measure_call *call, struct staging staging, uint32_t *moved,
	struct bound_sequence *out, struct at_error *err)
{
	size_t first = out->call_count, needed = call->swap_count ? 2 : 1;
	enum at_status status = AT_OK;

	for (size_t i = 0; i <= call->repeats && !status; i++) {
		if (i < needed)
			status = bound_call_init(self, module, call, request->bindings,
				staging, false, moved, &out->calls[out->call_count++],
				err);
		if (!status) {
			struct at_invocation *launch = &out->launches[out->count++];

			*launch = out->calls[first + i % needed].invocation;
			/* calls before the first launch are not part of the sequence */
			launch->is_dependent = call->geometry.attributes.is_dependent &&
					       launch != out->launches;
		}
		swap_places(call, moved);
	}
	return status;
}

enum at_status bound_sequence_init(struct at_measure_context *self,
	struct at_module *module, const struct at_measure_request *request,
	struct staging staging, struct bound_sequence *out, uint32_t *moved,
	struct at_error *err)
{
	size_t count = 0;
	enum at_status status = AT_OK;

	for (uint32_t i = 0; i < self->setup->argument_count; i++)
		moved[i] = i;
	for (size_t i = 0; i <= request->more_count; i++)
		count += 1 + (size_t)at_measure_launch(request, i)->repeats;
	out->launches = at_calloc(count, sizeof(*out->launches));
	out->calls = at_calloc(2 * (request->more_count + 1), sizeof(*out->calls));
	for (size_t i = 0; i <= request->more_count && !status; i++)
		status = bind_repeats(self, module, request,
			at_measure_launch(request, i), staging, moved, out, err);
	for (size_t i = 0; i < out->call_count; i++) {
		const struct bound_call *call = &out->calls[i];

		out->copied = at_realloc(
			out->copied, (out->copied_count + call->copied_count + 1) *
					     sizeof(*out->copied));
		for (size_t k = 0; k < call->copied_count; k++)
			out->copied[out->copied_count++] = call->texels[k];
	}
	return status;
}

void list_copy(
	struct call_list *list, const struct bound_sequence *sequence, bool is_back)
{
	const struct at_invocation copy = { .texels = sequence->copied,
		.texel_count = sequence->copied_count,
		.copies_back = is_back };

	if (sequence->copied_count)
		call_list_add(list, &copy);
}

void bound_sequence_release(
	struct at_measure_context *self, struct bound_sequence *sequence)
{
	for (size_t i = 0; i < sequence->call_count; i++)
		bound_call_release(self, &sequence->calls[i]);
	free(sequence->calls);
	free(sequence->copied);
	free(sequence->launches);
	memset(sequence, 0, sizeof(*sequence));
}

bool calls_is_widened(const struct at_measure_context *self, size_t argument)
{
	enum at_element element = self->setup->arguments[argument].element;

	return element == AT_ELEMENT_F32 ||
	       (self->setup->widens_narrow && at_element_is_narrow(element));
}

enum at_outcome bench_set_symbols(struct at_measure_context *self,
	struct at_module *module, bool as_doubles, struct at_error *err)
{
	enum at_outcome outcome = AT_OUTCOME_OK;

	for (uint32_t i = 0;
		i < self->setup->argument_count && outcome == AT_OUTCOME_OK; i++) {
		const struct at_measure_argument *facts = &self->setup->arguments[i];
		const struct buffer *buffer = &self->buffers[i];
		const unsigned char *contents = buffer->contents;
		const bool is_wide = as_doubles && calls_is_widened(self, i);
		const uint64_t count = is_wide ? buffer_scalars(self, i) : 0;
		double *doubles;
		bool found; /* unused: kernels without the variable have a pointer */

		if (!contents)
			continue;
		doubles = at_calloc(count + 1, sizeof(*doubles));
		for (uint64_t k = 0; k < count; k++)
			doubles[k] = at_element_load(facts->element,
				contents + k * at_element_bytes(facts->element));
		outcome = self->device->ops->set_symbol(self->device, module,
			facts->symbol, is_wide ? (void *)doubles : buffer->contents,
			is_wide ? count * sizeof(*doubles) : buffer->bytes, &found,
			err);
		free(doubles);
	}
	return outcome;
}
