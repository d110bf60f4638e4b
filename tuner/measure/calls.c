/* Binds calls of the template's kernels to buffers, and sets the variables of their
   modules. */
#include "measure/calls.h"

#include "base/memory.h"
#include "measure/place.h"
#include "measure/support.h"

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

/*
 * The bytes of a map for the place where its buffer lies; a device without a copy
 * engine gets zeros. The caller frees them.
 */
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

enum at_status bound_call_init(struct at_measure_context *self,
	struct at_module *module, const struct at_measure_call *call,
	const struct at_measure_binding *bindings, struct staging staging,
	bool expected_outputs, const uint32_t *moved, struct bound_call *out,
	struct at_error *err)
{
	const struct at_device_ops *ops = self->device->ops;
	struct at_invocation *invocation = &out->invocation;
	enum at_status status = AT_OK;

	memset(out, 0, sizeof(*out));
	invocation->kernel = ops->find(self->device, module, call->symbol);
	if (!invocation->kernel)
		return at_fail(err, AT_ENOENT, NULL, 0,
			"kernel \"%s\" is not in the image", call->symbol);
	out->values = at_calloc(call->argument_count + 1, sizeof(*out->values));
	out->objects = at_calloc(call->argument_count + 1, sizeof(*out->objects));
	out->object_count = call->argument_count;
	for (uint32_t i = 0; i < call->argument_count && !status; i++) {
		const struct at_tensor_map *map = &bindings[call->arguments[i]].map;
		uint32_t argument = map->of ? map->of - 1 : call->arguments[i];
		const struct buffer *buffer = &self->buffers[argument];
		const struct place *place =
			buffer_place(self, moved ? moved[argument] : argument, staging);

		/* the reference writes to the expected outputs themselves */
		if (expected_outputs && buffer->expected[staging.set].memory)
			place = &buffer->expected[staging.set];
		if (map->of) {
			status = encode_map(self, map, place, &out->objects[i], err);
			out->values[i].more = out->objects[i];
		} else if (place->memory) {
			out->values[i] = value_u64(place_address(self, place));
		} else if (self->setup->arguments[argument].has_fields) {
			out->objects[i] = calls_object(self->setup, bindings, argument);
			out->values[i].more = out->objects[i];
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
	return status;
}

void bound_call_release(struct bound_call *self)
{
	for (uint32_t i = 0; self->objects && i < self->object_count; i++)
		free(self->objects[i]);
	free(self->objects);
	free(self->values);
	memset(self, 0, sizeof(*self));
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

/* Adds the launches of one call. After two of them all buffers are where they were. */
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
		if (!status)
			out->launches[out->count++] =
				out->calls[first + i % needed].invocation;
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
	return status;
}

void bound_sequence_release(struct bound_sequence *self)
{
	for (size_t i = 0; i < self->call_count; i++)
		bound_call_release(&self->calls[i]);
	free(self->calls);
	free(self->launches);
	memset(self, 0, sizeof(*self));
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
		bool found; /* not used: kernels without the variable have a pointer */

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
