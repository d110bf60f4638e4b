/*
 * Makes the expected outputs of a set of data: runs the reference (a kernel, a function
 * of a library, or files), checks what it wrote, and masks it.
 */
#include "measure/reference.h"
#include "measure/buffers.h"
#include "measure/calls.h"
#include "measure/checks.h"
#include "measure/data.h"
#include "measure/place.h"
#include "measure/result.h"
#include "measure/support.h"
#include "measure/tolerance.h"
#include "measure/trip.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "kernel/units.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the reference in double ----------------------------------------------------- */

/*
 * Runs the reference once more, in double. Its values, rounded to the type of the
 * output, replace the expected values, and how far the reference in its own types was
 * off is evidence of what rounding does here (tolerance.c).
 *
 * The reference in double is the same text compiled with float as another name of
 * double (kernel/source_wide.c), which may fail in many ways. So it works on copies
 * that are freed afterwards, any failure leaves the expected values as they are, and it
 * is believed only where it agrees with the reference in its own types.
 */

/* Copies of the reference's arguments; none where there is no reference in double. */
struct wide {
	unsigned set;
	/* one for each argument, NULL where it is not copied; NULL: no copies at all */
	struct at_memory **copies;
};

/*
 * A reference in float that takes longer than this is not run in double: on some boards
 * double takes 64 times as long, and there is a run for each problem and all data.
 */
#define FLOAT_NS_MAX 2.5e8
/* A run in double that took longer than this is not repeated with other data. */
#define WIDE_NS_MAX 5e8
/* What took longer is kept. It is far above FLOAT_NS_MAX: a busy machine must not make
   a reference one that is never run in double. */
#define KEPT_NS_LEAST 1e9
/*
 * The two references agree where they differ by no more than this, in parts of
 * |value| + scale. It is far above what a sound reference loses to rounding, and below
 * what any mistake of reading doubles as floats gives. Sums of 1e4 terms in bfloat16
 * lose 0.16.
 */
#define AGREES 1e-2
#define AGREES_NARROW 0.25
/* One of so many values may differ by more, as where systems are nearly singular. */
#define APART_PART 64
/* The largest error of an output that few operations computed: a quarter of the least
   tolerance. */
#define UNTOUCHED 1.9073486328125e-6 /* 2^-19 */
/* By what factor the largest error may grow where a scale is replaced by a smaller one,
   and up to where: a quarter of what a tolerance can be. */
#define WORSE 2.0
#define WORST 2.5e-4
/* Doubles differ by no more where only the order of atomics does. */
#define IN_DOUBLE 1e-11

/* How far the two references may be apart. */
static double agreement(const struct at_measure_context *self, size_t argument)
{
	return self->setup->arguments[argument].element == AT_ELEMENT_F32
		       ? AGREES
		       : AGREES_NARROW;
}

/* Whether the values of an output may be replaced. Not where the space asks for
   equality (rtol 0): that is equality with the reference in its own type. */
static bool is_replaced(const struct at_measure_context *self, size_t argument)
{
	return self->buffers[argument].expected[0].memory &&
	       calls_is_widened(self, argument) &&
	       !(self->setup->arguments[argument].rtol == 0);
}

/* An output in double stays as it is, but the reference in double shows whether it is
   computed with floats. */
static bool is_looked_at(const struct at_measure_context *self, size_t argument)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];

	return self->buffers[argument].expected[0].memory &&
	       facts->element == AT_ELEMENT_F64 && tolerance_is_default(facts);
}

/* Copies an argument. Every copy has the bytes of as many doubles, whatever its type: a
   kernel that reads other types through a pointer to float stays within it, too. */
static enum at_status copy_argument(struct at_measure_context *self, size_t argument,
	unsigned set, struct at_memory **out, struct at_error *err)
{
	const struct at_device_ops *ops = self->device->ops;
	const struct buffer *buffer = &self->buffers[argument];
	enum at_access access = self->setup->arguments[argument].access;
	uint64_t element_bytes =
		at_element_bytes(self->setup->arguments[argument].element);
	uint64_t bytes =
		buffer->bytes * (element_bytes < 4 && self->setup->widens_narrow
						? sizeof(double) / element_bytes
						: 2);
	enum at_status status = ops->allocate(self->device, bytes, out, err);
	uint64_t address;

	if (status)
		return status;
	address = ops->address(self->device, *out);
	support_pattern(self, &self->queue, address, bytes, POISON);
	if (access == AT_ACCESS_IN || access == AT_ACCESS_INOUT)
		support_widen(self, &self->queue, argument,
			reference_place(self, argument, set), address);
	return bench_run(self, err) == AT_OUTCOME_OK ? AT_OK : AT_EDEVICE;
}

static void float64_release(struct at_measure_context *self, struct wide *wide)
{
	for (uint32_t i = 0; wide->copies && i < self->setup->argument_count; i++)
		if (wide->copies[i] && !self->device->is_lost)
			self->device->ops->release(self->device, wide->copies[i]);
	free(wide->copies);
	*wide = (struct wide){ 0 };
}

/* Makes the copies. Call before the reference in float, which changes inout arguments.
 */
static void float64_begin(
	struct at_measure_context *self, unsigned set, struct wide *out)
{
	const struct at_measure_setup *setup = self->setup;
	const struct at_measure_call *call = &setup->reference_call;
	struct at_error reason = { 0 };
	enum at_status status = AT_OK;
	bool is_wanted = false;

	*out = (struct wide){ .set = set };
	for (uint32_t i = 0; i < setup->argument_count; i++) {
		is_wanted = is_wanted || is_replaced(self, i) || is_looked_at(self, i);
		/* with double members a structure would have another layout, and
		   pointers are to what the reference in float has */
		if (setup->arguments[i].has_fields || setup->arguments[i].points_to)
			return;
	}
	/* a checker of memory is there for mistakes of the space's kernels; this text
	   was made by the tool */
	if (!is_wanted || !setup->wide_bytes || self->float64_is_off || setup->watched)
		return;
	out->copies = at_calloc(setup->argument_count + 1, sizeof(struct at_memory *));
	for (uint32_t i = 0; i < call->argument_count && !status; i++) {
		uint32_t argument = call->arguments[i];

		if (setup->arguments[argument].access != AT_ACCESS_NONE &&
			!out->copies[argument])
			status = copy_argument(
				self, argument, set, &out->copies[argument], &reason);
	}
	/* without room for copies there is no reference in double, and that is all */
	if (status)
		float64_release(self, out);
}

/* Widens a scalar. False: a parameter has no room for it. */
static bool widen_scalar(
	const struct at_measure_argument *facts, struct at_parameter_value *value)
{
	double doubles[2];

	if (facts->lanes > AT_COUNT_OF(doubles))
		return false;
	for (unsigned i = 0; i < facts->lanes; i++)
		doubles[i] = at_element_load(facts->element,
			value->bytes + i * at_element_bytes(facts->element));
	memcpy(value->bytes, doubles, facts->lanes * sizeof(*doubles));
	return true;
}

/* What a launch of the reference has come to. */
enum step { LOADING, BINDING, RUNNING };

/* Loads the reference and launches it; with `wide` the one in double, on the copies.
 *took_ns: how long the launch worked. */
static enum at_outcome launch(struct at_measure_context *self, unsigned set,
	const struct wide *wide, enum step *step, double *took_ns, struct at_error *err)
{
	const struct at_measure_setup *setup = self->setup;
	const struct at_device_ops *ops = self->device->ops;
	struct at_measure_call reference = setup->reference_call;
	struct at_module *module = NULL;
	struct staging staging = { set, SIDE_END };
	struct bound_call call = { 0 };
	enum at_outcome outcome;

	*step = LOADING;
	outcome = ops->load(self->device,
		wide ? setup->wide_image : setup->reference_image,
		wide ? setup->wide_bytes : setup->reference_bytes, &module, err);
	if (outcome != AT_OUTCOME_OK)
		return outcome;
	*step = BINDING;
	/* the reference is in the same template and may read the same variables */
	outcome = bench_set_symbols(self, module, wide != NULL, err);
	if (wide)
		reference.symbol = setup->float64_symbol;
	if (outcome == AT_OUTCOME_OK &&
		bound_call_init(self, module, &reference, setup->bindings, staging,
			true, NULL, &call, err))
		outcome = AT_OUTCOME_LAUNCH_FAILED;
	for (uint32_t i = 0;
		wide && i < reference.argument_count && outcome == AT_OUTCOME_OK; i++) {
		uint32_t argument = reference.arguments[i];
		struct at_memory *copy = wide->copies[argument];

		if (copy)
			call.values[i] = value_u64(ops->address(self->device, copy));
		else if (calls_is_widened(self, argument) &&
			 !widen_scalar(&setup->arguments[argument], &call.values[i]))
			outcome = AT_OUTCOME_LAUNCH_FAILED;
	}
	/* floats in shared memory have become doubles, and halves, too; for other types
	   more does no harm */
	if (wide)
		call.invocation.shared_bytes *= setup->widens_narrow ? 4 : 2;
	if (outcome == AT_OUTCOME_OK) {
		const uint64_t start_ns = bench_worked_ns(self);

		const struct at_invocation copy = { .texels = call.texels,
			.texel_count = call.copied_count };
		struct at_invocation calls[] = { copy, call.invocation, copy };

		calls[2].copies_back = true;
		*step = RUNNING;
		outcome = ops->run(self->device, calls + !call.copied_count,
			call.copied_count ? 3 : 1, err);
		place_tell_fault(self, outcome, err);
		*took_ns = (double)(bench_worked_ns(self) - start_ns);
	}
	bound_call_release(self, &call);
	/* a module of a lost device cannot be unloaded */
	if (!self->device->is_lost && !(wide && outcome_loses_device(outcome)))
		ops->unload(self->device, module);
	return outcome;
}

static bool is_compared(
	const struct at_measure_context *self, const struct wide *wide, size_t argument)
{
	return (is_replaced(self, argument) || is_looked_at(self, argument)) &&
	       wide->copies[argument];
}

/* The largest error that a round of checks found in an output. */
static double error_found(const struct at_measure_context *self, size_t argument)
{
	return check_real(check_result(self, argument, CHECK_OUTPUT)[2]);
}

/* One round of checks over the outputs. replace: of those that may be replaced. */
static enum at_outcome compare(struct at_measure_context *self, const struct wide *wide,
	bool replace, struct at_error *err)
{
	check_begin(self);
	for (uint32_t i = 0; i < self->setup->argument_count; i++)
		if (is_compared(self, wide, i))
			check_queue_narrow(self, i,
				&self->buffers[i].expected[wide->set], wide->copies[i],
				tolerance_of(self, i, wide->set).scale,
				agreement(self, i), replace && is_replaced(self, i));
	return check_end(self, err);
}

static bool agrees(struct at_measure_context *self, const struct wide *wide)
{
	bool is_pattern = self->data[wide->set].pattern != AT_DATA_DECLARED;
	bool found = true;

	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		const uint64_t *words = check_result(self, i, CHECK_OUTPUT);

		if (!is_replaced(self, i) || !wide->copies[i])
			continue;
		/*
		 * A pattern may differ by more if the two agreed on the declared data:
		 * the reference in double then computes the right thing. In float a
		 * long sum of equal terms stops growing, so that no sound kernel would
		 * be right by the reference in float.
		 */
		found = found && !words[0] &&
			(error_found(self, i) <= agreement(self, i) ||
				words[5] <= buffer_scalars(self, i) / APART_PART ||
				(is_pattern &&
					!isnan(self->buffers[i].declared.error)));
	}
	return found;
}

/*
 * The scale of an output may come from values beside which any other would pass: values
 * that mean "no value", such as -1e30, or a few that are far above all others, such as
 * the forces between particles that are close to each other. It is then made that of
 * the other values, but only if the reference in float is about as good beside it:
 * where large terms cancel out it is not. True: a round of checks was made, so that
 * earlier results are gone.
 */
static bool lower_scales(
	struct at_measure_context *self, const struct wide *wide, struct at_error *err)
{
	const bool is_declared = self->data[wide->set].pattern == AT_DATA_DECLARED;
	bool has_looked = false;

	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		struct expectation *known = &self->buffers[i].expectations[wide->set];
		const double before = known->scale;
		double most;

		/* the scale of patterns is no less than that of the space's own data */
		if (!is_replaced(self, i) || !wide->copies[i] || !(before > 0) ||
			(!is_declared && before <= self->buffers[i].declared.scale))
			continue;
		has_looked = true;
		if (compare(self, wide, false, err) != AT_OUTCOME_OK)
			return true;
		most = fmin(WORST, fmax(UNTOUCHED, error_found(self, i) * WORSE));
		if (tolerance_leave_out_large(self, wide->set, i) &&
			(compare(self, wide, false, err) != AT_OUTCOME_OK ||
				error_found(self, i) > most))
			known->scale = before;
	}
	return has_looked;
}

/*
 * Call after the reference in float, when the scales are known; float_ns is how long it
 * took, by which the run in double is bounded. Replaces the expected values by those in
 * double where the two agree. Releases the copies. AT_EDEVICE: the device is lost.
 */
static enum at_status float64_end(struct at_measure_context *self, struct wide *wide,
	double float_ns, struct at_error *err)
{
	struct at_error reason = { 0 };
	enum at_outcome outcome;
	enum step step;
	double took_ns = 0;

	if (!wide->copies)
		return AT_OK;
	if (float_ns > FLOAT_NS_MAX) {
		self->float64_is_off = true;
		goto release;
	}
	outcome = launch(self, wide->set, wide, &step, &took_ns, &reason);
	if (self->device->is_lost || outcome_loses_device(outcome))
		goto lost;
	/* if it does not run with this data, it will not with other data either */
	self->float64_is_off = outcome != AT_OUTCOME_OK || took_ns > WIDE_NS_MAX;
	if (outcome != AT_OUTCOME_OK)
		goto release;
	outcome = compare(self, wide, false, &reason);
	if (outcome == AT_OUTCOME_OK && !agrees(self, wide))
		goto release;
	if (outcome == AT_OUTCOME_OK && lower_scales(self, wide, &reason))
		outcome = compare(self, wide, false, &reason);
	for (uint32_t i = 0;
		i < self->setup->argument_count && outcome == AT_OUTCOME_OK; i++) {
		const uint64_t *words = check_result(self, i, CHECK_OUTPUT);
		enum at_element element = self->setup->arguments[i].element;
		struct expectation *known = &self->buffers[i].expectations[wide->set];

		if (!is_compared(self, wide, i))
			continue;
		known->error = error_found(self, i);
		if (element == AT_ELEMENT_F64) {
			known->error = known->error > AGREES      ? NAN
				       : known->error > IN_DOUBLE ? known->error
								  : 0;
			continue;
		}
		/* rounding a result to a narrow type is no error */
		if (element != AT_ELEMENT_F32)
			known->error = fmax(
				0, known->error -
					   ldexp(1, -at_element_precision(element)));
		known->mean_error =
			check_real(words[1]) / fmax(1, (double)buffer_scalars(self, i));
		known->lost = (double)words[4];
	}
	if (outcome == AT_OUTCOME_OK)
		outcome = compare(self, wide, true, &reason);
	if (outcome != AT_OUTCOME_OK)
		goto lost;
release:
	float64_release(self, wide);
	return AT_OK;
lost:
	/* the caller can make the setup again without a reference in double */
	float64_release(self, wide);
	return at_fail(err, AT_EDEVICE, NULL, 0, "the reference in double failed: %s",
		reason.text);
}

/* ---- the reference --------------------------------------------------------------- */

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

	buffer[0] = '\0';
	for (uint32_t i = 0; i < call->argument_count; i++) {
		const struct at_measure_argument *argument =
			&setup->arguments[call->arguments[i]];

		at_text_append(buffer, size, "%s%.60s%s", i ? ", " : "; it is given ",
			argument->name, accesses[argument->access]);
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
static enum at_status run_kernel(struct at_measure_context *self, unsigned set,
	double *took_ns, struct at_error *err)
{
	const struct at_measure_setup *setup = self->setup;
	struct at_error reason = { 0 };
	enum step step;
	enum at_outcome outcome = launch(self, set, NULL, &step, took_ns, &reason);
	const enum at_status status =
		reason.status == AT_ENOMEM ? AT_ENOMEM : AT_EDEVICE;
	char given[GIVEN_LENGTH];

	if (outcome == AT_OUTCOME_OK)
		return AT_OK;
	if (step == LOADING)
		return at_fail(err, reason.status ? reason.status : AT_EDEVICE, NULL, 0,
			"the reference does not load: %s", reason.text);
	if (step == BINDING)
		return at_fail(err, status, NULL, 0, "the reference: %s", reason.text);
	return at_fail(err, status, NULL, 0,
		"the reference kernel \"%s\" failed on %s: %s (%s)%s",
		setup->reference_call.symbol, self->device->info.id,
		at_outcome_text(outcome), reason.text,
		outcome == AT_OUTCOME_OUT_OF_BOUNDS || outcome == AT_OUTCOME_CRASHED
			? given_text(setup, given, sizeof(given))
			: "");
}

/*
 * Calls a function on the CPU: void f(void **arguments), with one pointer for each
 * argument, to the data of a buffer or to a scalar's value. The buffers are copies of
 * the inputs and of the poisoned outputs; the outputs are copied back.
 */
static enum at_status call_function(struct at_measure_context *self, unsigned set,
	void (*function)(void **), struct at_error *err)
{
	const struct at_measure_setup *setup = self->setup;
	const struct at_measure_call *call = &setup->reference_call;
	const struct at_device_ops *ops = self->device->ops;
	enum at_status status = AT_OK;
	size_t count = call->argument_count;
	void **pointers = at_calloc(2 * count + 1, sizeof(*pointers));
	void **made = pointers + count; /* those of them that have to be freed */

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
	struct at_measure_context *self, unsigned set, struct at_error *err)
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
	const struct at_measure_context *self, uint32_t argument, uint64_t unwritten)
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
			data_is_real(&setup->arguments[i]))
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
	struct at_measure_context *self, unsigned set, struct at_error *err)
{
	const struct at_measure_setup *setup = self->setup;
	struct staging staging = { set, SIDE_END };
	struct at_measure_result astray = { 0 };
	enum at_status status;
	char given[GIVEN_LENGTH], launch[160], end[160];

	check_begin(self);
	for (uint32_t i = 0; i < setup->argument_count; i++) {
		const struct place *place = reference_place(self, i, set);
		const struct place *expected = compared_place(self, i, set);

		if (place->memory && setup->arguments[i].access != AT_ACCESS_IN)
			check_queue_zones(self, i, place, CHECK_BEFORE, CHECK_BEHIND);
		else if (place->memory && !self->is_guarded)
			check_queue_read_only(self, i, set);
		if (place->memory)
			support_padding(self, &self->queue, i, place,
				check_row(self, i, CHECK_PADDING));
		/* it is compared with itself: NaN, which is also the poison of reals,
		   does not equal itself */
		if (expected)
			check_queue_output(self, i, expected, expected, 0,
				(struct tolerance){ 0 });
	}
	status = check_finish(self, "checking what the reference left", err);
	if (status)
		return status;
	for (uint32_t i = 0; i < setup->argument_count; i++)
		if (setup->arguments[i].access == AT_ACCESS_IN && !self->is_guarded &&
			check_sum(self, i, CHECK_INPUT, set) !=
				self->buffers[i].checksums[set])
			return at_fail(err, AT_EINVAL, NULL, 0,
				"the reference wrote into \"%s\", which is an input%s: fix it",
				setup->arguments[i].name,
				given_text(setup, given, sizeof(given)));
	if (judge_zones(self, staging, true, &astray) != AT_OUTCOME_OK ||
		judge_padding(self, &astray) != AT_OUTCOME_OK)
		return at_fail(err, AT_EINVAL, NULL, 0, "the reference %s%s: fix it",
			astray.detail, given_text(setup, given, sizeof(given)));
	for (uint32_t i = 0; i < setup->argument_count; i++) {
		const uint64_t *found = check_result(self, i, CHECK_OUTPUT);

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
				(unsigned long long)check_first(self, i, CHECK_OUTPUT),
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
static enum at_status seal(
	struct at_measure_context *self, unsigned set, struct at_error *err)
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
			check_sum(self, i, CHECK_EXPECTED, set);
	return AT_OK;
}

/* Fills the expected outputs for the reference: poison, or the contents of inout. */
static enum at_status prepare_expected(struct at_measure_context *self, unsigned set,
	unsigned poison, struct at_error *err)
{
	enum at_status status;

	check_begin(self);
	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		struct buffer *buffer = &self->buffers[i];
		struct place *expected = &buffer->expected[set];

		if (!expected->memory)
			continue;
		if (self->setup->arguments[i].access == AT_ACCESS_INOUT)
			support_fill(self, &self->queue, i,
				place_address(self, expected), &self->data[set]);
		else
			support_pattern(self, &self->queue,
				place_address(self, expected), buffer->bytes, poison);
		/* after the contents, which cover the padding of rows; masking works
		   in 16 bytes and may have reached into the zone */
		list_place_zones(self, &self->queue, i, expected, expected->zone);
		check_queue_expected(self, i, set);
	}
	status = check_finish(self, "preparing the expected outputs", err);
	if (status)
		return status;
	for (uint32_t i = 0; i < self->setup->argument_count; i++)
		self->buffers[i].begun_checksum =
			check_sum(self, i, CHECK_EXPECTED, set);
	return AT_OK;
}

/* ---- outputs that are kept ------------------------------------------------------- */

/*
 * The outputs of a reference that is too slow for a run in double are kept as a unit,
 * so that a process that replaces another, a later run or a night need not wait for it.
 * They are named by all that decides them, and checked like others. What is kept has
 * room in the folder for much else.
 */
#define KEPT_BYTES_MAX ((uint64_t)64 << 20)

static uint64_t count_expected_bytes(
	const struct at_measure_context *self, unsigned set)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < self->setup->argument_count; i++)
		if (self->buffers[i].expected[set].memory)
			bytes += self->buffers[i].bytes;
	return bytes;
}

/* On the heap; NULL: nothing is kept. */
static char *find_kept(
	const struct at_measure_context *self, unsigned set, unsigned poison)
{
	const struct at_measure_setup *setup = self->setup;
	const struct at_device_info *info = &self->device->info;
	const struct at_data *data = &self->data[set];
	const uint64_t numbers[] = { data->pattern, data->seed, data->set,
		data->keeps_shape, set, poison };
	struct at_hasher *hasher;
	char *path;

	if (!setup->units || setup->watched ||
		count_expected_bytes(self, set) > KEPT_BYTES_MAX)
		return NULL;
	hasher = at_hasher_new();
	at_hasher_add_text(hasher, "outputs of a reference");
	at_fields_hash(&at_measure_setup_fields, setup, hasher);
	at_hasher_add_text(hasher, setup->reference_call.symbol);
	at_hasher_add(hasher, setup->reference_image, setup->reference_bytes);
	at_hasher_add(hasher, setup->support_image, setup->support_bytes);
	at_hasher_add(hasher, numbers, sizeof(numbers));
	for (uint32_t i = 0; i < setup->argument_count; i++)
		at_hasher_add(hasher, &self->buffers[i].begun_checksum,
			sizeof(self->buffers[i].begun_checksum));
	at_hasher_add_text(hasher, info->model);
	at_hasher_add_text(hasher, info->architecture);
	at_hasher_add_text(hasher, info->driver);
	path = at_unit_path(setup->units, at_hasher_result(hasher));
	at_hasher_free(hasher);
	return path;
}

/* Moves the expected outputs to the device, or from there. */
static bool move_expected(struct at_measure_context *self, unsigned set,
	unsigned char *bytes, bool to_device)
{
	const struct at_device_ops *ops = self->device->ops;
	enum at_status status = AT_OK;

	for (uint32_t i = 0; i < self->setup->argument_count && !status; i++) {
		const struct buffer *buffer = &self->buffers[i];
		const struct place *place = &buffer->expected[set];

		if (!place->memory)
			continue;
		status = to_device ? ops->write(self->device, place->memory,
					     place->offset_bytes, bytes, buffer->bytes,
					     NULL)
				   : ops->read(self->device, place->memory,
					     place->offset_bytes, bytes, buffer->bytes,
					     NULL);
		bytes += buffer->bytes;
	}
	return !status;
}

/* No kernel may find expected outputs in memory that was freed. */
static void scrub(struct at_compile_result *kept)
{
	for (volatile unsigned char *byte = kept->image;
		byte && byte < kept->image + kept->image_bytes; byte++)
		*byte = 0;
	at_compile_result_release(kept);
}

static bool recall(struct at_measure_context *self, unsigned set, const char *path,
	double *took_ns)
{
	struct at_compile_result kept;
	bool found;

	if (!path || at_unit_read(path, &kept, true, NULL))
		return false;
	found = kept.image_bytes == count_expected_bytes(self, set) &&
		move_expected(self, set, kept.image, true);
	*took_ns = (double)kept.compile_ns;
	scrub(&kept);
	return found;
}

/* A folder that is full or gone is no reason to end. */
static void keep(
	struct at_measure_context *self, unsigned set, const char *path, double took_ns)
{
	struct at_compile_result kept = { .outcome = AT_OUTCOME_OK,
		.compile_ns = (uint64_t)took_ns,
		.image_bytes = count_expected_bytes(self, set) };

	kept.image = malloc(kept.image_bytes + 1);
	if (kept.image && move_expected(self, set, kept.image, false))
		(void)!at_unit_write(path, &kept, NULL);
	scrub(&kept);
}

enum at_status reference_run(struct at_measure_context *self, unsigned set,
	unsigned poison, struct at_error *err)
{
	const struct at_measure_setup *setup = self->setup;
	struct wide wide = { 0 };
	double took_ns = 0;
	char *kept = NULL;
	bool is_new = false;
	enum at_status status = prepare_expected(self, set, poison, err);

	if (status)
		return status;
	switch (setup->reference) {
	case AT_REFERENCE_NONE:
		return AT_OK;
	case AT_REFERENCE_KERNEL:
		float64_begin(self, set, &wide);
		kept = find_kept(self, set, poison);
		is_new = !recall(self, set, kept, &took_ns);
		/* what was moved in part may be an input as well */
		if (is_new && took_ns > 0)
			status = prepare_expected(self, set, poison, err);
		if (is_new && !status)
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
		status = float64_end(self, &wide, took_ns, err);
	float64_release(self, &wide);
	if (!status)
		status = check_reference(self, set, err);
	if (!status)
		status = tolerance_keep_declared(self, set, err);
	/* beyond that time no run in double has replaced them */
	if (!status && kept && is_new && took_ns > KEPT_NS_LEAST)
		keep(self, set, kept, took_ns);
	free(kept);
	return status ? status : seal(self, set, err);
}
