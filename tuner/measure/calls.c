/* Calls of the template's kernels, and the variables of their modules. */
#include "measure/calls.h"
#include "measure/place.h"
#include "measure/support.h"

#include <stdlib.h>
#include <string.h>

enum at_status bound_call_init(struct at_bench *self, struct at_module *module,
	const struct at_measure_call *call, const struct at_measure_binding *bindings,
	struct staging staging, bool expected_outputs, struct bound_call *out,
	struct at_error *err)
{
	const struct at_device_ops *ops = self->device->ops;
	struct at_invocation *invocation = &out->invocation;

	memset(out, 0, sizeof(*out));
	invocation->kernel = ops->find(self->device, module, call->symbol);
	if (!invocation->kernel)
		return at_fail(err, AT_ENOENT, NULL, 0,
			"kernel \"%s\" is not in the image", call->symbol);
	out->values = calloc(call->argument_count + 1, sizeof(*out->values));
	if (!out->values)
		return at_fail_memory(err);
	for (uint32_t i = 0; i < call->argument_count; i++) {
		uint32_t argument = call->arguments[i];
		const struct buffer *buffer = &self->buffers[argument];
		const struct place *place = buffer_place(self, argument, staging);

		/* the reference writes where comparisons read, not into the outputs */
		if (expected_outputs && buffer->expected[staging.set].memory)
			place = &buffer->expected[staging.set];
		if (place->memory)
			out->values[i] = value_u64(place_address(self, place));
		else
			memcpy(out->values[i].bytes, bindings[argument].value,
				sizeof(out->values[i].bytes));
	}
	for (int i = 0; i < 3; i++) {
		invocation->grid[i] = call->geometry.grid[i];
		invocation->block[i] = call->geometry.block[i];
	}
	invocation->shared_bytes = call->geometry.shared_bytes;
	invocation->argument_count = call->argument_count;
	invocation->arguments = out->values;
	return AT_OK;
}

void bound_call_release(struct bound_call *self)
{
	free(self->values);
	memset(self, 0, sizeof(*self));
}

enum at_outcome bench_set_symbols(
	struct at_bench *self, struct at_module *module, struct at_error *err)
{
	enum at_outcome outcome = AT_OUTCOME_OK;

	for (uint32_t i = 0;
		i < self->setup->argument_count && outcome == AT_OUTCOME_OK; i++) {
		const struct buffer *buffer = &self->buffers[i];
		bool found; /* where not, the kernel has the pointer */

		if (buffer->contents)
			outcome = self->device->ops->set_symbol(self->device, module,
				self->setup->arguments[i].symbol, buffer->contents,
				buffer->bytes, &found, err);
	}
	return outcome;
}
