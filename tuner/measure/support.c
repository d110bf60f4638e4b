/* Invocations of the support kernels and of the template's. */
#include "measure/bench.h"

#include <stdlib.h>
#include <string.h>

struct at_parameter_value value_u64(uint64_t value)
{
	struct at_parameter_value out = { { 0 } };

	memcpy(out.bytes, &value, sizeof(value));
	return out;
}

struct at_parameter_value value_u32(uint32_t value)
{
	struct at_parameter_value out = { { 0 } };

	memcpy(out.bytes, &value, sizeof(value));
	return out;
}

struct at_parameter_value value_real(double value)
{
	struct at_parameter_value out = { { 0 } };

	memcpy(out.bytes, &value, sizeof(value));
	return out;
}

/* enough threads to fill a large device; the kernels stride over the rest */
static void set_geometry(struct at_invocation *invocation, uint64_t items)
{
	uint64_t blocks = (items + 255) / 256;

	if (blocks < 1)
		blocks = 1;
	if (blocks > 2048)
		blocks = 2048;
	for (int i = 0; i < 3; i++)
		invocation->grid[i] = invocation->block[i] = 1;
	invocation->grid[0] = (uint32_t)blocks;
	invocation->block[0] = 256;
	invocation->shared_bytes = 0;
}

static void finish_call(struct at_bench *self, enum support_kernel kernel,
	uint64_t items, size_t value_count, struct support_call *call)
{
	call->invocation.kernel = self->kernels[kernel];
	call->invocation.argument_count = value_count;
	call->invocation.arguments = call->values;
	set_geometry(&call->invocation, items);
}

void support_fill(struct at_bench *self, size_t argument, uint64_t address,
	struct support_call *call)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	uint64_t count = self->buffers[argument].count * facts->lanes;

	call->values[0] = value_u64(address);
	call->values[1] = value_u64(count);
	call->values[2] = value_u32(facts->element);
	call->values[3] = value_u32(facts->fill);
	call->values[4] = value_real(facts->fill_a);
	call->values[5] = value_real(facts->fill_b);
	call->values[6] = value_u64(self->setup->seed * 0x100000001b3u + argument);
	finish_call(self, SUPPORT_FILL, count, 7, call);
}

void support_pattern(struct at_bench *self, uint64_t address, uint64_t bytes,
	unsigned pattern, struct support_call *call)
{
	call->values[0] = value_u64(address);
	call->values[1] = value_u64(bytes);
	call->values[2] = value_u32(pattern);
	finish_call(self, SUPPORT_PATTERN, bytes / 16, 3, call);
}

void support_flush(struct at_bench *self, struct support_call *call)
{
	const struct at_device_ops *ops = self->device->ops;

	call->values[0] = value_u64(ops->address(self->device, self->flush));
	call->values[1] = value_u64(self->flush_bytes / 16);
	call->values[2] = value_u64(ops->address(self->device, self->rows) +
				    (uint64_t)self->setup->argument_count *
					    CHECK_COUNT * sizeof(struct check_row));
	finish_call(self, SUPPORT_FLUSH, self->flush_bytes / 16, 3, call);
}

/* A block that takes all there is has its multiprocessor for itself; more blocks than
   multiprocessors, in case one of them is late. */
bool support_poison_shared(struct at_bench *self, struct support_call *call)
{
	const struct at_properties *properties = &self->device->info.properties;
	const enum at_property most = AT_PROPERTY_MAX_DYNAMIC_SHARED_BYTES_PER_BLOCK;
	const enum at_property blocks = AT_PROPERTY_MULTIPROCESSOR_COUNT;
	uint32_t bytes;

	if (self->device->ops->shuffle_threads || !properties->known[most] ||
		!properties->known[blocks])
		return false;
	bytes = (uint32_t)properties->value[most];
	call->values[0] = value_u32(bytes);
	finish_call(self, SUPPORT_POISON_SHARED, 0, 1, call);
	call->invocation.grid[0] = 2 * (uint32_t)properties->value[blocks];
	call->invocation.shared_bytes = bytes;
	return true;
}

void check_queue(struct at_bench *self, size_t argument, enum check check,
	enum support_kernel kernel, const struct at_parameter_value *values,
	size_t value_count, uint64_t items)
{
	struct support_call *call = &self->checks[self->check_count];
	uint64_t row = argument * CHECK_COUNT + check;

	memcpy(call->values, values, value_count * sizeof(*values));
	call->values[value_count] =
		value_u64(self->device->ops->address(self->device, self->rows) +
			  row * sizeof(struct check_row));
	finish_call(self, kernel, items, value_count + 1, call);
	self->invocations[self->check_count++] = call->invocation;
}

void check_queue_zones(struct at_bench *self, size_t argument, struct at_memory *memory)
{
	uint64_t address = self->device->ops->address(self->device, memory);
	struct at_parameter_value values[3] = { value_u64(address),
		value_u64(ZONE_BYTES), value_u32(CANARY(argument)) };

	check_queue(self, argument, CHECK_BEFORE, SUPPORT_PATTERN_CHECK, values, 3,
		ZONE_BYTES / 16);
	values[0] = value_u64(address + ZONE_BYTES + self->buffers[argument].bytes);
	check_queue(self, argument, CHECK_BEHIND, SUPPORT_PATTERN_CHECK, values, 3,
		ZONE_BYTES / 16);
}

static void queue_checksum(struct at_bench *self, size_t argument, enum check check,
	uint64_t address, uint64_t bytes)
{
	/* the last bytes of an odd size lie in a word with canary bytes: constant */
	uint64_t words = (bytes + 3) / 4;
	struct at_parameter_value values[2] = { value_u64(address), value_u64(words) };

	check_queue(self, argument, check, SUPPORT_CHECKSUM, values, 2, words);
}

void check_queue_input(struct at_bench *self, size_t argument)
{
	queue_checksum(self, argument, CHECK_INPUT, buffer_address(self, argument),
		self->buffers[argument].bytes);
}

void check_queue_expected(struct at_bench *self, size_t argument)
{
	const struct buffer *buffer = &self->buffers[argument];

	queue_checksum(self, argument, CHECK_EXPECTED,
		self->device->ops->address(self->device, buffer->expected),
		zoned_bytes(buffer->bytes));
}

enum at_outcome check_run(struct at_bench *self, struct at_error *err)
{
	static const struct check_row start = { { 0, UINT64_MAX, 0, 0 } };
	const struct at_device_ops *ops = self->device->ops;
	size_t row_count = (size_t)self->setup->argument_count * CHECK_COUNT;
	size_t count = self->check_count;
	enum at_outcome outcome;

	self->check_count = 0;
	for (size_t i = 0; i < row_count; i++)
		self->results[i] = start;
	if (ops->write(self->device, self->rows, 0, self->results,
		    row_count * sizeof(start), err))
		return AT_OUTCOME_CRASHED;
	outcome = ops->run(self->device, self->invocations, count, err);
	if (outcome != AT_OUTCOME_OK)
		return outcome;
	if (ops->read(self->device, self->rows, 0, self->results,
		    row_count * sizeof(start), err))
		return AT_OUTCOME_CRASHED;
	return AT_OUTCOME_OK;
}

const uint64_t *check_result(
	const struct at_bench *self, size_t argument, enum check check)
{
	return self->results[argument * CHECK_COUNT + check].words;
}

enum at_status bound_call_init(struct at_bench *self, struct at_module *module,
	const struct at_measure_call *call, const struct at_measure_binding *bindings,
	bool expected_outputs, struct bound_call *out, struct at_error *err)
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
		struct at_memory *memory = buffer->memory;

		if (expected_outputs && buffer->expected)
			memory = buffer->expected;
		if (memory)
			out->values[i] = value_u64(
				ops->address(self->device, memory) + ZONE_BYTES);
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

enum at_outcome candidate_load(struct at_bench *self,
	const struct at_measure_request *request, struct candidate *out,
	struct at_error *err)
{
	enum at_outcome outcome;
	enum at_status status;

	memset(out, 0, sizeof(*out));
	outcome = self->device->ops->load(
		self->device, request->image, request->image_bytes, &out->module, err);
	if (outcome != AT_OUTCOME_OK)
		return outcome;
	outcome = bench_set_symbols(self, out->module, err);
	if (outcome != AT_OUTCOME_OK)
		return outcome;
	status = bound_call_init(self, out->module, &request->kernel, request->bindings,
		false, &out->kernel, err);
	if (!status && request->prepare.symbol[0])
		status = bound_call_init(self, out->module, &request->prepare,
			request->bindings, false, &out->prepare, err);
	if (!status && request->finish.symbol[0])
		status = bound_call_init(self, out->module, &request->finish,
			request->bindings, false, &out->finish, err);
	return status ? AT_OUTCOME_LAUNCH_FAILED : AT_OUTCOME_OK;
}

void candidate_release(struct at_bench *self, struct candidate *candidate)
{
	bound_call_release(&candidate->kernel);
	bound_call_release(&candidate->prepare);
	bound_call_release(&candidate->finish);
	if (candidate->module)
		self->device->ops->unload(self->device, candidate->module);
	memset(candidate, 0, sizeof(*candidate));
}
