/* The bench: buffers with their zones, the support kernels, the reference. */
#include "measure/bench.h"
#include "base/clock.h"
#include "base/file.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* rounds up so that the zone behind the data ends on a boundary of 256 bytes */
uint64_t zoned_bytes(uint64_t bytes)
{
	return ZONE_BYTES + (bytes + 255) / 256 * 256 + ZONE_BYTES;
}

uint64_t buffer_address(const struct at_bench *self, size_t argument)
{
	const struct at_device_ops *ops = self->device->ops;

	return ops->address(self->device, self->buffers[argument].memory) + ZONE_BYTES;
}

static uint64_t scalar_count(const struct at_bench *self, size_t argument)
{
	return self->buffers[argument].count * self->setup->arguments[argument].lanes;
}

static enum at_status load_support(struct at_bench *self, struct at_error *err)
{
	const struct at_device_ops *ops = self->device->ops;
	const struct at_measure_setup *setup = self->setup;

	if (ops->load(self->device, setup->support_image, setup->support_bytes,
		    &self->support, err) != AT_OUTCOME_OK)
		return at_fail(err, AT_EDEVICE, NULL, 0,
			"%s does not load the tuner's own kernels",
			self->device->info.id);
	for (size_t i = 0; i < SUPPORT_COUNT; i++) {
		self->kernels[i] = ops->find(
			self->device, self->support, at_measure_support_kernels[i]);
		if (!self->kernels[i])
			return at_fail(err, AT_EDEVICE, NULL, 0,
				"the tuner's own kernel %s is not in its image",
				at_measure_support_kernels[i]);
	}
	return AT_OK;
}

static enum at_status allocate_zoned(struct at_bench *self, size_t argument,
	struct at_memory **out, struct at_error *err)
{
	uint64_t bytes = self->buffers[argument].bytes;
	const struct at_device_ops *ops = self->device->ops;
	struct support_call call;
	struct at_error reason = { 0 };
	enum at_status status;

	if (ops->allocate(self->device, zoned_bytes(bytes), out, &reason))
		return at_fail(err, AT_ENOMEM, NULL, 0,
			"argument \"%s\": %llu bytes do not fit on %s (%s); choose a smaller problem",
			self->setup->arguments[argument].name,
			(unsigned long long)bytes, self->device->info.id, reason.text);
	/* everything canary; the data is overwritten by fills and poison */
	support_pattern(self, ops->address(self->device, *out), zoned_bytes(bytes),
		CANARY(argument), &call);
	status = ops->run(self->device, &call.invocation, 1, err) == AT_OUTCOME_OK
			 ? AT_OK
			 : at_fail(err, AT_EDEVICE, NULL, 0, "filling a buffer failed");
	if (status) {
		ops->release(self->device, *out);
		*out = NULL;
	}
	return status;
}

/* sizes follow from expressions: what they ask for may be beyond any machine */
static enum at_status size_buffer(
	struct at_bench *self, size_t argument, uint64_t count, struct at_error *err)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	uint64_t element_bytes = facts->lanes * at_element_bytes(facts->element);

	if (count > INT64_MAX / element_bytes)
		return at_fail(err, AT_ENOMEM, NULL, 0,
			"argument \"%s\": %llu elements are more than any device holds; choose a smaller problem",
			facts->name, (unsigned long long)count);
	self->buffers[argument].count = count;
	self->buffers[argument].bytes = count * element_bytes;
	return AT_OK;
}

/* something is there to compare it with */
static bool is_compared(const struct at_bench *self, enum at_access access)
{
	return self->setup->reference != AT_REFERENCE_NONE &&
	       (access == AT_ACCESS_OUT || access == AT_ACCESS_INOUT);
}

static enum at_status upload_file(struct at_bench *self, size_t argument,
	const char *path, struct at_memory *memory, struct at_error *err)
{
	const struct buffer *buffer = &self->buffers[argument];
	enum at_status status;
	char *data;
	size_t size;

	status = at_file_read(path, 0, &data, &size, err);
	if (status)
		return status;
	if (size != buffer->bytes)
		status = at_fail(err, AT_EINVAL, path, 0,
			"holds %zu bytes, but argument \"%s\" has %llu", size,
			self->setup->arguments[argument].name,
			(unsigned long long)buffer->bytes);
	else
		status = self->device->ops->write(
			self->device, memory, ZONE_BYTES, data, size, err);
	free(data);
	return status;
}

/* gives an input its contents, in place */
static enum at_status fill_input(struct at_bench *self, size_t argument,
	struct at_memory *memory, struct at_error *err)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	const struct at_device_ops *ops = self->device->ops;
	struct support_call call;

	if (facts->fill == AT_FILL_FILE)
		return upload_file(self, argument, facts->file, memory, err);
	support_fill(
		self, argument, ops->address(self->device, memory) + ZONE_BYTES, &call);
	if (ops->run(self->device, &call.invocation, 1, err) != AT_OUTCOME_OK)
		return at_fail(err, AT_EDEVICE, NULL, 0,
			"filling argument \"%s\" failed", facts->name);
	return AT_OK;
}

/* for bench_set_symbols() */
static enum at_status keep_contents(
	struct at_bench *self, size_t argument, struct at_error *err)
{
	struct buffer *buffer = &self->buffers[argument];

	buffer->contents = malloc(buffer->bytes);
	if (!buffer->contents)
		return at_fail_memory(err);
	return self->device->ops->read(self->device, buffer->memory, ZONE_BYTES,
		buffer->contents, buffer->bytes, err);
}

static enum at_status sum_input(
	struct at_bench *self, size_t argument, struct at_error *err)
{
	check_queue_input(self, argument);
	if (check_run(self, err) != AT_OUTCOME_OK)
		return at_fail(err, AT_EDEVICE, NULL, 0,
			"summing argument \"%s\" failed",
			self->setup->arguments[argument].name);
	self->buffers[argument].checksum = check_result(self, argument, CHECK_INPUT)[0];
	return AT_OK;
}

static enum at_status make_buffer(
	struct at_bench *self, size_t argument, struct at_error *err)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	struct buffer *buffer = &self->buffers[argument];
	enum at_access access = facts->access;
	enum at_status status;

	if (access == AT_ACCESS_INOUT && facts->fill == AT_FILL_FILE)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"argument \"%s\": inout cannot be filled from a file yet; copy it from an input in a prepare kernel",
			facts->name);
	status =
		size_buffer(self, argument, self->setup->bindings[argument].count, err);
	if (!status)
		status = allocate_zoned(self, argument, &buffer->memory, err);
	if (!status && is_compared(self, access))
		status = allocate_zoned(self, argument, &buffer->expected, err);
	if (!status && (access == AT_ACCESS_IN || access == AT_ACCESS_INOUT))
		status = fill_input(self, argument, buffer->memory, err);
	if (!status && access == AT_ACCESS_INOUT && buffer->expected)
		status = fill_input(self, argument, buffer->expected, err);
	if (!status && access == AT_ACCESS_IN)
		status = sum_input(self, argument, err);
	if (!status && facts->symbol && facts->symbol[0])
		status = keep_contents(self, argument, err);
	return status;
}

static enum at_status make_rows(struct at_bench *self, struct at_error *err)
{
	size_t count = (size_t)self->setup->argument_count * CHECK_COUNT;

	self->results = calloc(count + 1, sizeof(*self->results));
	self->checks = calloc(count + 1, sizeof(*self->checks));
	self->invocations = calloc(count + 1, sizeof(*self->invocations));
	if (!self->results || !self->checks || !self->invocations)
		return at_fail_memory(err);
	/* behind the last row the flush has its sink */
	return self->device->ops->allocate(
		self->device, (count + 1) * sizeof(*self->results), &self->rows, err);
}

static enum at_status make_buffers(struct at_bench *self, struct at_error *err)
{
	enum at_status status = make_rows(self, err);

	for (size_t i = 0; !status && i < self->setup->argument_count; i++)
		if (self->setup->arguments[i].access != AT_ACCESS_NONE)
			status = make_buffer(self, i, err);
	return status;
}

static enum at_status make_flush(struct at_bench *self, struct at_error *err)
{
	const struct at_properties *properties = &self->device->info.properties;
	struct support_call call;
	enum at_status status;
	uint64_t l2_bytes = 32u << 20;

	if (properties->known[AT_PROPERTY_L2_BYTES])
		l2_bytes = (uint64_t)properties->value[AT_PROPERTY_L2_BYTES];
	/* twice: replacement is not exactly least-recently-used */
	self->flush_bytes = 2 * l2_bytes / 256 * 256;
	if (self->flush_bytes > 512u << 20)
		self->flush_bytes = 512u << 20;
	if (self->flush_bytes < 256)
		self->flush_bytes = 256;
	status = self->device->ops->allocate(
		self->device, self->flush_bytes, &self->flush, err);
	if (status)
		return status;
	support_pattern(self, self->device->ops->address(self->device, self->flush),
		self->flush_bytes, 0, &call);
	if (self->device->ops->run(self->device, &call.invocation, 1, err) !=
		AT_OUTCOME_OK)
		return at_fail(
			err, AT_EDEVICE, NULL, 0, "filling the flush buffer failed");
	/* once with run(), as everything that goes before a timed launch */
	support_flush(self, &call);
	if (self->device->ops->run(self->device, &call.invocation, 1, err) !=
		AT_OUTCOME_OK)
		return at_fail(
			err, AT_EDEVICE, NULL, 0, "reading the flush buffer failed");
	return AT_OK;
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

static enum at_status run_reference_kernel(struct at_bench *self, struct at_error *err)
{
	const struct at_device_ops *ops = self->device->ops;
	const struct at_measure_setup *setup = self->setup;
	struct at_module *module = NULL;
	struct bound_call call = { 0 };
	struct at_error reason = { 0 };
	enum at_status status;
	enum at_outcome outcome;

	outcome = ops->load(self->device, setup->reference_image,
		setup->reference_bytes, &module, err);
	if (outcome != AT_OUTCOME_OK)
		return at_fail(err, AT_EDEVICE, NULL, 0, "the reference does not load");
	outcome = bench_set_symbols(self, module, &reason);
	status = outcome == AT_OUTCOME_OK ? AT_OK
					  : at_fail(err, AT_EDEVICE, NULL, 0,
						    "the reference: %s", reason.text);
	if (!status)
		status = bound_call_init(self, module, &setup->reference_call,
			setup->bindings, true, &call, err);
	if (!status) {
		outcome = ops->run(self->device, &call.invocation, 1, &reason);
		if (outcome != AT_OUTCOME_OK)
			status = at_fail(err, AT_EDEVICE, NULL, 0,
				"the reference kernel \"%s\" failed on %s: %s (%s)",
				setup->reference_call.symbol, self->device->info.id,
				at_outcome_text(outcome), reason.text);
	}
	bound_call_release(&call);
	if (outcome != AT_OUTCOME_CRASHED)
		ops->unload(self->device, module);
	return status;
}

/*
 * A function on the CPU: void f(void **arguments), one pointer an argument, to
 * the data of a buffer or to a scalar's value. It gets the inputs' contents and
 * poisoned outputs, which it writes.
 */
static enum at_status call_library(
	struct at_bench *self, void (*function)(void **), struct at_error *err)
{
	const struct at_measure_setup *setup = self->setup;
	const struct at_measure_call *call = &setup->reference_call;
	const struct at_device_ops *ops = self->device->ops;
	enum at_status status = AT_OK;
	void **pointers = calloc(call->argument_count + 1, sizeof(*pointers));

	if (!pointers)
		return at_fail_memory(err);
	for (uint32_t i = 0; i < call->argument_count && !status; i++) {
		uint32_t argument = call->arguments[i];
		struct buffer *buffer = &self->buffers[argument];

		if (!buffer->memory) {
			pointers[i] = setup->bindings[argument].value;
			continue;
		}
		pointers[i] = malloc(buffer->bytes);
		if (!pointers[i])
			status = at_fail_memory(err);
		else
			/* outputs as make_expected() left them: what stays is seen */
			status = ops->read(self->device,
				buffer->expected ? buffer->expected : buffer->memory,
				ZONE_BYTES, pointers[i], buffer->bytes, err);
	}
	if (!status)
		function(pointers);
	for (uint32_t i = 0; i < call->argument_count; i++) {
		uint32_t argument = call->arguments[i];
		struct buffer *buffer = &self->buffers[argument];

		if (!buffer->memory)
			continue;
		if (!status && buffer->expected)
			status = ops->write(self->device, buffer->expected, ZONE_BYTES,
				pointers[i], buffer->bytes, err);
		free(pointers[i]);
	}
	free(pointers);
	return status;
}

static enum at_status run_reference_library(struct at_bench *self, struct at_error *err)
{
	const struct at_measure_setup *setup = self->setup;
	enum at_status status;
	void (*function)(void **);
	void *symbol, *library = dlopen(setup->library, RTLD_NOW | RTLD_LOCAL);

	if (!library)
		return at_fail(err, AT_ENOENT, setup->library, 0,
			"the reference library does not open: %s", dlerror());
	symbol = dlsym(library, setup->function);
	memcpy(&function, &symbol, sizeof(function));
	status = symbol ? call_library(self, function, err)
			: at_fail(err, AT_ENOENT, setup->library, 0,
				  "has no function \"%s\"", setup->function);
	dlclose(library);
	return status;
}

/* poisons what the reference must write, runs it, and looks what it left */
static enum at_status make_expected(struct at_bench *self, struct at_error *err)
{
	const struct at_measure_setup *setup = self->setup;
	const struct at_device_ops *ops = self->device->ops;
	enum at_status status = AT_OK;

	for (uint32_t i = 0; i < setup->argument_count; i++) {
		struct support_call call;

		if (setup->arguments[i].access != AT_ACCESS_OUT ||
			!self->buffers[i].expected)
			continue;
		support_pattern(self,
			ops->address(self->device, self->buffers[i].expected) +
				ZONE_BYTES,
			self->buffers[i].bytes, POISON, &call);
		if (ops->run(self->device, &call.invocation, 1, err) != AT_OUTCOME_OK)
			return at_fail(err, AT_EDEVICE, NULL, 0, "poisoning failed");
	}
	switch (setup->reference) {
	case AT_REFERENCE_NONE:
		return AT_OK;
	case AT_REFERENCE_KERNEL:
		status = run_reference_kernel(self, err);
		break;
	case AT_REFERENCE_LIBRARY:
		status = run_reference_library(self, err);
		break;
	case AT_REFERENCE_FILE:
		for (uint32_t i = 0; i < setup->file_count && !status; i++)
			status = upload_file(self, setup->files[i].argument,
				setup->files[i].path,
				self->buffers[setup->files[i].argument].expected, err);
		break;
	}
	return status;
}

static void queue_reference(struct at_bench *self, size_t argument)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	struct buffer *buffer = &self->buffers[argument];
	struct at_memory *written =
		buffer->expected ? buffer->expected : buffer->memory;
	struct at_parameter_value values[6];

	check_queue_zones(self, argument, written);
	if (facts->access == AT_ACCESS_IN)
		check_queue_input(self, argument);
	if (!buffer->expected)
		return;
	check_queue_expected(self, argument);
	values[0] = values[1] = value_u64(
		self->device->ops->address(self->device, written) + ZONE_BYTES);
	values[2] = value_u64(scalar_count(self, argument));
	values[3] = value_u32(facts->element);
	values[4] = values[5] = value_real(0);
	check_queue(self, argument, CHECK_OUTPUT, SUPPORT_COMPARE, values, 6,
		scalar_count(self, argument));
}

/*
 * An expected output with NaN in it could never be matched, and what the reference
 * writes astray would be blamed on every configuration: said at once.
 */
static enum at_status check_reference(struct at_bench *self, struct at_error *err)
{
	const struct at_measure_setup *setup = self->setup;
	struct at_measure_result astray = { 0 };

	if (setup->reference == AT_REFERENCE_NONE)
		return AT_OK;
	for (uint32_t i = 0; i < setup->argument_count; i++)
		if (self->buffers[i].memory)
			queue_reference(self, i);
	if (check_run(self, err) != AT_OUTCOME_OK)
		return at_fail(err, AT_EDEVICE, NULL, 0, "comparing failed");
	if (verify_borders(self, &astray) != AT_OUTCOME_OK)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"the reference %s: mend the reference", astray.detail);
	for (uint32_t i = 0; i < setup->argument_count; i++) {
		const uint64_t *found = check_result(self, i, CHECK_OUTPUT);

		self->buffers[i].expected_checksum =
			check_result(self, i, CHECK_EXPECTED)[0];
		if (self->buffers[i].expected && found[0])
			return at_fail(err, AT_EINVAL, NULL, 0,
				"the reference leaves %llu of %llu values of \"%s\" unwritten or NaN, the first at index %llu: mend the reference",
				(unsigned long long)found[0],
				(unsigned long long)scalar_count(self, i),
				setup->arguments[i].name, (unsigned long long)found[1]);
	}
	return AT_OK;
}

enum at_status at_bench_new(struct at_device *device,
	const struct at_measure_setup *setup, struct at_bench **out,
	struct at_error *err)
{
	struct at_bench *self = calloc(1, sizeof(*self));
	enum at_status status;

	if (!self)
		return at_fail_memory(err);
	self->device = device;
	self->setup = setup;
	self->buffers = calloc(setup->argument_count + 1, sizeof(*self->buffers));
	status = self->buffers ? AT_OK : at_fail_memory(err);
	if (!status)
		status = load_support(self, err);
	if (!status)
		status = make_buffers(self, err);
	if (!status && setup->cache == AT_CACHE_COLD)
		status = make_flush(self, err);
	if (!status)
		status = make_expected(self, err);
	if (!status)
		status = check_reference(self, err);
	if (status) {
		at_bench_free(self);
		return status;
	}
	*out = self;
	return AT_OK;
}

void at_bench_free(struct at_bench *self)
{
	const struct at_device_ops *ops;

	if (!self)
		return;
	ops = self->device->ops;
	for (uint32_t i = 0; self->buffers && i < self->setup->argument_count; i++) {
		if (self->buffers[i].memory)
			ops->release(self->device, self->buffers[i].memory);
		if (self->buffers[i].expected)
			ops->release(self->device, self->buffers[i].expected);
		free(self->buffers[i].contents);
	}
	if (self->rows)
		ops->release(self->device, self->rows);
	if (self->flush)
		ops->release(self->device, self->flush);
	if (self->support)
		ops->unload(self->device, self->support);
	free(self->results);
	free(self->checks);
	free(self->invocations);
	free(self->buffers);
	free(self);
}

enum at_status bench_fit_scratch(struct at_bench *self,
	const struct at_measure_binding *bindings, struct at_error *err)
{
	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		const struct at_measure_argument *facts = &self->setup->arguments[i];
		struct buffer *buffer = &self->buffers[i];
		enum at_status status;

		if (facts->access == AT_ACCESS_NONE ||
			buffer->count == bindings[i].count)
			continue;
		if (facts->access != AT_ACCESS_SCRATCH)
			return at_fail(err, AT_EINVAL, NULL, 0,
				"argument \"%s\": its count depends on the configuration; only scratch may",
				facts->name);
		self->device->ops->release(self->device, buffer->memory);
		buffer->memory = NULL;
		status = size_buffer(self, i, bindings[i].count, err);
		if (!status)
			status = allocate_zoned(self, i, &buffer->memory, err);
		if (status) {
			/* so that the next configuration does not take it as there */
			buffer->count = 0;
			return status;
		}
	}
	return AT_OK;
}

size_t bench_list_restore(struct at_bench *self, unsigned poison, bool inout_only,
	struct support_call *storage, struct at_invocation *calls)
{
	size_t count = 0;

	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		switch (self->setup->arguments[i].access) {
		case AT_ACCESS_NONE:
		case AT_ACCESS_IN:
			continue;
		case AT_ACCESS_INOUT:
			support_fill(self, i, buffer_address(self, i), &storage[count]);
			break;
		case AT_ACCESS_OUT:
		case AT_ACCESS_SCRATCH:
			if (inout_only)
				continue;
			support_pattern(self, buffer_address(self, i),
				self->buffers[i].bytes, poison, &storage[count]);
			break;
		}
		calls[count] = storage[count].invocation;
		count++;
	}
	return count;
}

enum at_outcome bench_restore(
	struct at_bench *self, unsigned poison, struct at_error *err)
{
	size_t count = bench_list_restore(
		self, poison, false, self->checks, self->invocations);

	return self->device->ops->run(self->device, self->invocations, count, err);
}
