/* What outputs must be: the reference, run once a problem. */
#include "measure/bench.h"
#include "base/clock.h"
#include "base/file.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

bool reference_gives(const struct at_bench *self, enum at_access access)
{
	return self->setup->reference != AT_REFERENCE_NONE &&
	       (access == AT_ACCESS_OUT || access == AT_ACCESS_INOUT);
}

enum at_status upload_file(struct at_bench *self, size_t argument, const char *path,
	struct at_memory *memory, struct at_error *err)
{
	const struct buffer *buffer = &self->buffers[argument];
	enum at_status status;
	char *data;
	size_t size;

	status = at_file_read(path, 0, &data, &size, err);
	if (status)
		return status;
	/* a file of another size is another problem's */
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

/*
 * The reference's faults are the space's, to be told to whoever wrote it; memory
 * that ran out is the machine's, and told apart by its status.
 */
static enum at_status run_kernel(
	struct at_bench *self, double *took_ns, struct at_error *err)
{
	const struct at_device_ops *ops = self->device->ops;
	const struct at_measure_setup *setup = self->setup;
	struct at_module *module = NULL;
	struct bound_call call = { 0 };
	struct at_error reason = { 0 };
	enum at_status status = AT_OK;
	enum at_outcome outcome;

	outcome = ops->load(self->device, setup->reference_image,
		setup->reference_bytes, &module, &reason);
	if (outcome != AT_OUTCOME_OK)
		return at_fail(err, reason.status ? reason.status : AT_EDEVICE, NULL, 0,
			"the reference does not load: %s", reason.text);
	/* it is in the same template, and may read the same variables */
	outcome = bench_set_symbols(self, module, &reason);
	if (outcome != AT_OUTCOME_OK)
		status = at_fail(err,
			reason.status == AT_ENOMEM ? AT_ENOMEM : AT_EDEVICE, NULL, 0,
			"the reference: %s", reason.text);
	if (!status)
		status = bound_call_init(self, module, &setup->reference_call,
			setup->bindings, true, &call, err);
	if (!status) {
		uint64_t start_ns = at_clock_now_ns();

		outcome = ops->run(self->device, &call.invocation, 1, &reason);
		*took_ns = (double)(at_clock_now_ns() - start_ns);
		if (outcome != AT_OUTCOME_OK)
			status = at_fail(err,
				reason.status == AT_ENOMEM ? AT_ENOMEM : AT_EDEVICE,
				NULL, 0,
				"the reference kernel \"%s\" failed on %s: %s (%s)",
				setup->reference_call.symbol, self->device->info.id,
				at_outcome_text(outcome), reason.text);
	}
	bound_call_release(&call);
	/* a module of a context that died cannot be unloaded */
	if (outcome != AT_OUTCOME_CRASHED)
		ops->unload(self->device, module);
	return status;
}

/*
 * A function on the CPU: void f(void **arguments), one pointer an argument, to
 * the data of a buffer or to a scalar's value. It gets the inputs' contents and
 * poisoned outputs, which it writes.
 */
static enum at_status call_function(
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
			/* outputs as reference_run() left them: what stays is seen */
			status = ops->read(self->device,
				buffer->expected ? buffer->expected : buffer->memory,
				ZONE_BYTES, pointers[i], buffer->bytes, err);
	}
	if (!status)
		function(pointers);
	/* outputs alone go back: what it did to its copies of inputs is lost with them
	 */
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

static enum at_status run_library(struct at_bench *self, struct at_error *err)
{
	const struct at_measure_setup *setup = self->setup;
	enum at_status status;
	void (*function)(void **);
	void *symbol, *library = dlopen(setup->library, RTLD_NOW | RTLD_LOCAL);

	if (!library)
		return at_fail(err, AT_ENOENT, setup->library, 0,
			"the reference library does not open: %s", dlerror());
	symbol = dlsym(library, setup->function);
	/* C has no conversion from void * to a function; POSIX wants this to work */
	memcpy(&function, &symbol, sizeof(function));
	status = symbol ? call_function(self, function, err)
			: at_fail(err, AT_ENOENT, setup->library, 0,
				  "has no function \"%s\"", setup->function);
	/* once a problem: nothing of it is needed any more */
	dlclose(library);
	return status;
}

/*
 * An expected output with NaN in it could never be matched, and what the reference
 * writes astray would be blamed on every configuration: said at once.
 */
static enum at_status check_reference(struct at_bench *self, struct at_error *err)
{
	const struct at_measure_setup *setup = self->setup;
	struct at_measure_result astray = { 0 };
	struct at_error reason = { 0 };

	check_begin(self);
	for (uint32_t i = 0; i < setup->argument_count; i++) {
		struct buffer *buffer = &self->buffers[i];

		if (!buffer->memory)
			continue;
		check_queue_zones(
			self, i, buffer->expected ? buffer->expected : buffer->memory);
		if (setup->arguments[i].access == AT_ACCESS_IN)
			check_queue_input(self, i);
		if (!buffer->expected)
			continue;
		check_queue_expected(self, i);
		/* against itself: the poison of reals, and NaN, equal nothing */
		check_queue_output(self, i, buffer->expected, (struct tolerance){ 0 });
	}
	if (check_end(self, &reason) != AT_OUTCOME_OK)
		return at_fail(err, reason.status ? reason.status : AT_EDEVICE, NULL, 0,
			"checking what the reference left failed: %s", reason.text);
	if (judge_borders(self, &astray) != AT_OUTCOME_OK)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"the reference %s: fix the reference", astray.detail);
	for (uint32_t i = 0; i < setup->argument_count; i++) {
		const uint64_t *found = check_result(self, i, CHECK_OUTPUT);

		/* from here on, whoever changes it is caught */
		self->buffers[i].expected_checksum =
			check_result(self, i, CHECK_EXPECTED)[0];
		if (self->buffers[i].expected && found[0])
			return at_fail(err, AT_EINVAL, NULL, 0,
				"the reference leaves %llu of %llu values of \"%s\" unwritten or NaN, the first at index %llu: fix the reference",
				(unsigned long long)found[0],
				(unsigned long long)buffer_scalars(self, i),
				setup->arguments[i].name,
				(unsigned long long)check_first(self, i, CHECK_OUTPUT));
	}
	return AT_OK;
}

enum at_status reference_run(struct at_bench *self, struct at_error *err)
{
	const struct at_measure_setup *setup = self->setup;
	const struct at_device_ops *ops = self->device->ops;
	struct at_error reason = { 0 };
	struct wide wide = { 0 };
	double took_ns = 0;
	enum at_status status = AT_OK;

	/* inout ones hold their contents already, and the reference works on those */
	for (uint32_t i = 0; i < setup->argument_count; i++)
		if (setup->arguments[i].access == AT_ACCESS_OUT &&
			self->buffers[i].expected)
			support_pattern(self, &self->queue,
				ops->address(self->device, self->buffers[i].expected) +
					ZONE_BYTES,
				self->buffers[i].bytes, POISON);
	if (bench_run(self, &reason) != AT_OUTCOME_OK)
		return at_fail(err, reason.status ? reason.status : AT_EDEVICE, NULL, 0,
			"poisoning the expected outputs failed: %s", reason.text);
	switch (setup->reference) {
	case AT_REFERENCE_NONE:
		return AT_OK;
	case AT_REFERENCE_KERNEL:
		wide_begin(self, &wide);
		status = run_kernel(self, &took_ns, err);
		break;
	case AT_REFERENCE_LIBRARY:
		status = run_library(self, err);
		break;
	case AT_REFERENCE_FILE:
		for (uint32_t i = 0; i < setup->file_count && !status; i++)
			status = upload_file(self, setup->files[i].argument,
				setup->files[i].path,
				self->buffers[setup->files[i].argument].expected, err);
		break;
	}
	if (!status)
		status = tolerance_measure_scales(self, err);
	if (!status)
		status = wide_end(self, &wide, took_ns, err);
	wide_release(self, &wide);
	if (!status)
		status = check_reference(self, err);
	return status ? status : tolerance_keep_declared(self, err);
}
