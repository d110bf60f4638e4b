/*
 * Makes the expected outputs of a set of data: runs the reference (a kernel, a function
 * of a library, or files), checks what it wrote, and masks it. reference_wide.c adds
 * the reference in double.
 */
#include "measure/reference.h"
#include "measure/buffers.h"
#include "measure/calls.h"
#include "measure/checks.h"
#include "measure/place.h"
#include "measure/reference_wide.h"
#include "measure/support.h"
#include "measure/tolerance.h"
#include "measure/trip.h"
#include "base/file.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for the list of arguments in a message; a longer list is cut off. */
#define GIVEN_LENGTH 320

/* The reference's arguments for a message, which help if they are in the wrong order:
   "; it is given x (in), n". */
static const char *given_text(
	const struct at_measure_setup *setup, char *buffer, size_t size)
{
	static const char *const accesses[] = {
		[AT_ACCESS_NONE] = "",
		[AT_ACCESS_IN] = " (in)",
		[AT_ACCESS_OUT] = " (out)",
		[AT_ACCESS_INOUT] = " (inout)",
		[AT_ACCESS_SCRATCH] = " (scratch)",
	};
	const struct at_measure_call *call = &setup->reference_call;
	size_t length = 0;

	buffer[0] = '\0';
	for (uint32_t i = 0; i < call->argument_count && length < size; i++) {
		const struct at_measure_argument *argument =
			&setup->arguments[call->arguments[i]];

		length += (size_t)snprintf(buffer + length, size - length, "%s%.60s%s",
			i ? ", " : "; it is given ", argument->name,
			accesses[argument->access]);
	}
	return buffer;
}

/* How the reference is launched, for an error: one that does not stride over its grid
   needs a launch of its own. */
static const char *launch_text(
	const struct at_measure_setup *setup, char *buffer, size_t size)
{
	const struct at_geometry *geometry = &setup->reference_call.geometry;

	snprintf(buffer, size, ": fix it");
	if (setup->reference == AT_REFERENCE_KERNEL)
		snprintf(buffer, size,
			"; it ran in %ux%ux%u blocks of %ux%ux%u threads: fix it, or give it its own \"block\" and \"grid\" if it does not stride over them",
			geometry->grid[0], geometry->grid[1], geometry->grid[2],
			geometry->block[0], geometry->block[1], geometry->block[2]);
	return buffer;
}

/*
 * Runs the reference kernel; *took_ns: how long its launch worked. A failure is a
 * fault of the space, and its message is for the space's author. Memory that ran out is
 * the machine's fault and has the status AT_ENOMEM.
 */
static enum at_status run_kernel(
	struct at_bench *self, unsigned set, double *took_ns, struct at_error *err)
{
	const struct at_device_ops *ops = self->device->ops;
	const struct at_measure_setup *setup = self->setup;
	struct at_module *module = NULL;
	struct staging staging = { set, SIDE_END };
	struct bound_call call = { 0 };
	struct at_error reason = { 0 };
	enum at_status status = AT_OK;
	enum at_outcome outcome;
	char given[GIVEN_LENGTH];

	outcome = ops->load(self->device, setup->reference_image,
		setup->reference_bytes, &module, &reason);
	if (outcome != AT_OUTCOME_OK)
		return at_fail(err, reason.status ? reason.status : AT_EDEVICE, NULL, 0,
			"the reference does not load: %s", reason.text);
	/* the reference is in the same template and may read the same variables */
	outcome = bench_set_symbols(self, module, &reason);
	if (outcome != AT_OUTCOME_OK)
		status = at_fail(err,
			reason.status == AT_ENOMEM ? AT_ENOMEM : AT_EDEVICE, NULL, 0,
			"the reference: %s", reason.text);
	if (!status)
		status = bound_call_init(self, module, &setup->reference_call,
			setup->bindings, staging, true, &call, err);
	if (!status) {
		uint64_t start_ns = bench_worked_ns(self);

		outcome = ops->run(self->device, &call.invocation, 1, &reason);
		*took_ns = (double)(bench_worked_ns(self) - start_ns);
		if (outcome != AT_OUTCOME_OK)
			status = at_fail(err,
				reason.status == AT_ENOMEM ? AT_ENOMEM : AT_EDEVICE,
				NULL, 0,
				"the reference kernel \"%s\" failed on %s: %s (%s)%s",
				setup->reference_call.symbol, self->device->info.id,
				at_outcome_text(outcome), reason.text,
				outcome == AT_OUTCOME_OUT_OF_BOUNDS ||
						outcome == AT_OUTCOME_CRASHED
					? given_text(setup, given, sizeof(given))
					: "");
	}
	bound_call_release(&call);
	/* a module of a lost device cannot be unloaded */
	if (!self->device->is_lost)
		ops->unload(self->device, module);
	return status;
}

/*
 * Calls a function on the CPU: void f(void **arguments), with one pointer for each
 * argument, to the data of a buffer or to a scalar's value. The buffers are copies of
 * the inputs and of the poisoned outputs; the outputs are copied back.
 */
static enum at_status call_function(struct at_bench *self, unsigned set,
	void (*function)(void **), struct at_error *err)
{
	const struct at_measure_setup *setup = self->setup;
	const struct at_measure_call *call = &setup->reference_call;
	const struct at_device_ops *ops = self->device->ops;
	enum at_status status = AT_OK;
	size_t count = call->argument_count;
	void **pointers = calloc(2 * count + 1, sizeof(*pointers));
	void **made; /* of these pointers, those that have to be freed */

	if (!pointers)
		return at_fail_memory(err);
	made = pointers + count;
	for (size_t i = 0; i < count && !status; i++) {
		uint32_t argument = call->arguments[i];
		struct buffer *buffer = &self->buffers[argument];
		const struct place *place = reference_place(self, argument, set);

		if (!place->memory && setup->arguments[argument].has_fields) {
			pointers[i] = made[i] =
				calls_object(setup, setup->bindings, argument);
			continue;
		}
		if (!place->memory) {
			pointers[i] = setup->bindings[argument].value;
			continue;
		}
		pointers[i] = made[i] = malloc(buffer->bytes);
		if (!made[i])
			status = at_fail_memory(err);
		else
			/* outputs are poisoned, so that unwritten values show */
			status = ops->read(self->device, place->memory,
				place->offset_bytes, pointers[i], buffer->bytes, err);
	}
	if (!status)
		function(pointers);
	/* only outputs are copied back: writes to the copies of inputs do no harm */
	for (size_t i = 0; i < count; i++) {
		uint32_t argument = call->arguments[i];
		struct buffer *buffer = &self->buffers[argument];
		const struct place *expected = &buffer->expected[set];

		if (!status && reference_place(self, argument, set)->memory &&
			expected->memory)
			status = ops->write(self->device, expected->memory,
				expected->offset_bytes, pointers[i], buffer->bytes,
				err);
		free(made[i]);
	}
	free(pointers);
	return status;
}

static enum at_status run_library(
	struct at_bench *self, unsigned set, struct at_error *err)
{
	const struct at_measure_setup *setup = self->setup;
	struct at_hash contents = setup->library_contents;
	uint64_t size = 0;
	enum at_status status = AT_OK;
	void (*function)(void **);
	void *symbol, *library;

	/* dlopen() would wait for a pipe, so a path is checked first; for a bare name
	   dlopen() searches itself */
	if (strchr(setup->library, '/'))
		status = at_file_check(setup->library, &size, err);
	if (!status && size > AT_LIBRARY_BYTES_MAX)
		status = at_fail(err, AT_EINVAL, setup->library, 0,
			"is larger than any library");
	/* the file that a bare name leads to is not known here, so it is not hashed */
	if (!status && size)
		at_file_hash(setup->library, AT_LIBRARY_BYTES_MAX, &contents);
	if (!status)
		status = bench_check_contents(
			setup->library, contents, setup->library_contents, err);
	if (status)
		return status;
	library = dlopen(setup->library, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return at_fail(err, AT_ENOENT, setup->library, 0,
			"the reference library does not open: %s", dlerror());
	symbol = dlsym(library, setup->function);
	/* ISO C has no conversion from void * to a function pointer; POSIX guarantees
	   that this copy works */
	memcpy(&function, &symbol, sizeof(function));
	status = symbol ? call_function(self, set, function, err)
			: at_fail(err, AT_ENOENT, setup->library, 0,
				  "has no function \"%s\"", setup->function);
	dlclose(library);
	return status;
}

/* In data that magnifies rounding and that the space does not name: the largest error
   of the reference in float, in parts of |value| + scale. If it is larger, the output
   is nothing but rounding, as the solution of a singular system is. */
#define SINGULAR 1e-2

/* What is written is the first part, and the whole so many times that as an element has
   bytes. */
static bool is_count_of_bytes(
	const struct at_bench *self, uint32_t argument, uint64_t unwritten)
{
	uint64_t all = buffer_scalars(self, argument), written = all - unwritten;
	uint64_t bytes =
		(uint64_t)at_element_bytes(self->setup->arguments[argument].element);

	return bytes > 1 && written && all == written * bytes &&
	       check_first(self, argument, CHECK_OUTPUT) == written;
}

/* Of so many infinities it is said that they are all. */
#define MANY_INFINITE 8

/* For a message: "half ends at 65504; give "x" a smaller fill". */
static const char *end_text(const struct at_measure_setup *setup, size_t argument,
	char *buffer, size_t size)
{
	enum at_element element = setup->arguments[argument].element;
	const char *input = "the inputs";

	for (uint32_t i = setup->argument_count; i-- > 0;)
		if (setup->arguments[i].access == AT_ACCESS_IN &&
			at_element_kind(setup->arguments[i].element) ==
				AT_ELEMENT_KIND_REAL)
			input = setup->arguments[i].name;
	snprintf(buffer, size, "%s ends at %.6g; give %.60s a smaller fill",
		at_element_name(element), at_element_largest(element), input);
	return buffer;
}

/*
 * Checks what the reference wrote. An expected output with NaN could never be matched,
 * and a write of the reference out of bounds would be blamed on every configuration, so
 * both are errors here.
 */
static enum at_status check_reference(
	struct at_bench *self, unsigned set, struct at_error *err)
{
	const struct at_measure_setup *setup = self->setup;
	const enum check output = CHECK_OUTPUT, input = (enum check)(CHECK_INPUT + set);
	struct staging staging = { set, SIDE_END };
	struct at_measure_result astray = { 0 };
	enum at_status status;
	char given[GIVEN_LENGTH], launch[160], end[160];

	check_begin(self);
	for (uint32_t i = 0; i < setup->argument_count; i++) {
		const struct place *place = reference_place(self, i, set);

		if (!place->memory)
			continue;
		if (setup->arguments[i].access != AT_ACCESS_IN)
			check_queue_zones(self, i, place, CHECK_BEFORE, CHECK_BEHIND);
		else if (!self->is_guarded)
			check_queue_zones(self, i, buffer_place(self, i, staging),
				(enum check)(CHECK_INPUT_BEFORE + set),
				(enum check)(CHECK_INPUT_BEHIND + set));
		if (setup->arguments[i].access == AT_ACCESS_IN && !self->is_guarded)
			check_queue_input(self, i, set);
	}
	/* each output is compared with itself: NaN, which is also the poison of reals,
	   does not equal itself */
	for (uint32_t i = 0; i < setup->argument_count; i++) {
		const struct place *expected = compared_place(self, i, set);

		if (expected)
			check_queue_output(self, i, expected, expected, 0,
				(struct tolerance){ 0 });
	}
	status = check_finish(self, "checking what the reference left", err);
	if (status)
		return status;
	for (uint32_t i = 0; i < setup->argument_count; i++)
		if (setup->arguments[i].access == AT_ACCESS_IN && !self->is_guarded &&
			check_result(self, i, input)[0] !=
				self->buffers[i].checksums[set])
			return at_fail(err, AT_EINVAL, NULL, 0,
				"the reference wrote into \"%s\", which is an input%s: fix it",
				setup->arguments[i].name,
				given_text(setup, given, sizeof(given)));
	if (judge_zones(self, staging, true, &astray) != AT_OUTCOME_OK)
		return at_fail(err, AT_EINVAL, NULL, 0, "the reference %s%s: fix it",
			astray.detail, given_text(setup, given, sizeof(given)));
	for (uint32_t i = 0; i < setup->argument_count; i++) {
		const uint64_t *found = check_result(self, i, output);

		/* With data that the space does not name, sound kernels may differ
		   where a value overflows: infinity, a finite number or NaN. As many
		   infinities as with the space's own data are no overflow: they stand
		   for the maximum of nothing, or for what a mask leaves out. */
		if (self->data[set].pattern == AT_DATA_DECLARED) {
			if (found[3] >= MANY_INFINITE &&
				found[3] == buffer_scalars(self, i))
				return at_fail(err, AT_EINVAL, NULL, 0,
					"the reference is infinite in all %llu values of \"%s\": %s",
					(unsigned long long)found[3],
					setup->arguments[i].name,
					end_text(setup, i, end, sizeof(end)));
			if (!self->data[set].set)
				self->buffers[i].infinite[set] = found[3];
		} else if (found[3] && found[3] != self->buffers[i].infinite[set]) {
			return at_fail(err, AT_EINVAL, NULL, 0,
				"%llu values of \"%s\" are not finite",
				(unsigned long long)found[3], setup->arguments[i].name);
		}
		if (self->data[set].pattern != AT_DATA_DECLARED &&
			tolerance_magnifies(self, i, set) &&
			self->buffers[i].expectations[set].error > SINGULAR)
			return at_fail(err, AT_EINVAL, NULL, 0,
				"all of \"%s\" is rounding", setup->arguments[i].name);
		if (compared_place(self, i, set) && found[0])
			return at_fail(err, AT_EINVAL, NULL, 0,
				"the reference leaves %llu of %llu values of \"%s\" unwritten or NaN, the first at index %llu%s%s; %s",
				(unsigned long long)found[0],
				(unsigned long long)buffer_scalars(self, i),
				setup->arguments[i].name,
				(unsigned long long)check_first(self, i, output),
				given_text(setup, given, sizeof(given)),
				launch_text(setup, launch, sizeof(launch)),
				is_count_of_bytes(self, i, found[0])
					? "a count is of elements, not of bytes"
				: found[0] == buffer_scalars(self, i) &&
						at_element_is_narrow(
							setup->arguments[i].element)
					? end_text(setup, i, end, sizeof(end))
					: "what kernels leave as they find it is \"inout\"");
	}
	return AT_OK;
}

/*
 * Masks the expected outputs, so that kernels cannot use them, and takes their
 * checksums, so that a kernel that changes them is found out where they are not
 * guarded.
 */
static enum at_status seal(struct at_bench *self, unsigned set, struct at_error *err)
{
	enum at_status status;

	check_begin(self);
	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		const struct buffer *buffer = &self->buffers[i];
		const struct place *expected = &buffer->expected[set];

		if (!expected->memory)
			continue;
		support_mask(self, &self->queue, place_address(self, expected),
			buffer->bytes, self->mask);
		check_queue_expected(self, i, set);
	}
	status = check_finish(self, "masking what the reference gave", err);
	if (status)
		return status;
	for (uint32_t i = 0; i < self->setup->argument_count; i++)
		self->buffers[i].expected_checksums[set] =
			check_result(self, i, (enum check)(CHECK_EXPECTED + set))[0];
	return AT_OK;
}

/* Fills the expected outputs for the reference: poison, or the contents of inout. */
static enum at_status prepare_expected(
	struct at_bench *self, unsigned set, unsigned poison, struct at_error *err)
{
	enum at_status status;

	check_begin(self);
	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		struct buffer *buffer = &self->buffers[i];
		struct place *expected = &buffer->expected[set];

		if (!expected->memory)
			continue;
		/* masking works in 16 bytes and may have reached into the zone */
		list_place_zones(
			self, &self->queue, expected, buffer->bytes, expected->zone);
		if (self->setup->arguments[i].access == AT_ACCESS_INOUT)
			support_fill(self, &self->queue, i,
				place_address(self, expected), &self->data[set]);
		else
			support_pattern(self, &self->queue,
				place_address(self, expected), buffer->bytes, poison);
		check_queue_expected(self, i, set);
	}
	status = check_finish(self, "preparing the expected outputs", err);
	if (status)
		return status;
	for (uint32_t i = 0; i < self->setup->argument_count; i++)
		self->buffers[i].begun_checksum =
			check_result(self, i, (enum check)(CHECK_EXPECTED + set))[0];
	return AT_OK;
}

enum at_status reference_run(
	struct at_bench *self, unsigned set, unsigned poison, struct at_error *err)
{
	const struct at_measure_setup *setup = self->setup;
	struct wide wide = { 0 };
	double took_ns = 0;
	enum at_status status = prepare_expected(self, set, poison, err);

	if (status)
		return status;
	switch (setup->reference) {
	case AT_REFERENCE_NONE:
		return AT_OK;
	case AT_REFERENCE_KERNEL:
		wide_begin(self, set, &wide);
		status = run_kernel(self, set, &took_ns, err);
		break;
	case AT_REFERENCE_LIBRARY:
		status = run_library(self, set, err);
		break;
	case AT_REFERENCE_FILE:
		for (uint32_t i = 0; i < setup->file_count && !status; i++)
			status = place_upload(self, setup->files[i].argument,
				setup->files[i].path,
				&self->buffers[setup->files[i].argument].expected[set],
				err);
		break;
	}
	if (!status)
		status = tolerance_measure_scales(self, set, err);
	if (!status)
		status = wide_end(self, &wide, took_ns, err);
	wide_release(self, &wide);
	if (!status)
		status = check_reference(self, set, err);
	if (!status)
		status = tolerance_keep_declared(self, set, err);
	return status ? status : seal(self, set, err);
}
