/* Lists calls of the tuner's own kernels, whose source is support.cu: parameters are in
   the order of the kernels' there. */
#include "measure/support.h"
#include "measure/checks.h"
#include "measure/data.h"
#include "measure/place.h"
#include "measure/trip.h"
#include "base/memory.h"

#include <assert.h>
#include <float.h>
#include <string.h>

static struct at_parameter_value value_of(const void *bytes, size_t size)
{
	struct at_parameter_value out = { .more = NULL };

	memcpy(out.bytes, bytes, size);
	return out;
}

struct at_parameter_value value_u64(uint64_t value)
{
	return value_of(&value, sizeof(value));
}

static struct at_parameter_value value_u32(uint32_t value)
{
	return value_of(&value, sizeof(value));
}

static struct at_parameter_value value_real(double value)
{
	return value_of(&value, sizeof(value));
}

static struct at_parameter_value value_place(
	const struct at_measure_context *self, const struct place *place)
{
	return value_u64(place_address(self, place));
}

static struct at_parameter_value value_element(
	const struct at_measure_context *self, size_t argument)
{
	return value_u32(self->setup->arguments[argument].element);
}

/* Blocks for each multiprocessor: twice what one holds. A core of a processor runs them
   one after the other, and there threads that begin and add up cost more than their
   work. */
#define BLOCKS_EACH 16

/* Adds a call with these arguments and enough threads for `items`. Returns its entry in
   the list, in which the caller may change the geometry. */
static struct at_invocation *list_values(struct at_measure_context *self,
	struct call_list *list, enum support_kernel kernel, uint64_t items,
	const struct at_parameter_value *values, size_t value_count)
{
	const enum at_property cores = AT_PROPERTY_MULTIPROCESSOR_COUNT;
	const struct at_properties *properties = &self->device->info.properties;
	const uint64_t most =
		BLOCKS_EACH *
		(uint64_t)(properties->known[cores] ? properties->value[cores] : 1);
	uint64_t blocks = (items + 255) / 256;
	struct at_invocation call = {
		.kernel = self->shared->kernels[kernel],
		.grid = { 1, 1, 1 },
		.block = { 256, 1, 1 },
		.argument_count = value_count,
	};

	/* the kernels stride over the rest */
	if (blocks > most)
		blocks = most;
	if (blocks > 1)
		call.grid[0] = (uint32_t)blocks;
	/* the device reads the arguments when the call is sent, so they are kept until
	   then in the list's own storage, which does not move */
	assert(value_count <= AT_COUNT_OF(list->values->items));
	call.arguments = list->values[list->count].items;
	memcpy(list->values[list->count].items, values, value_count * sizeof(*values));
	call_list_add(list, &call);
	return &list->calls[list->count - 1];
}

/* list_values() of the parameters that follow; at least one. */
#define LIST(self, list, kernel, items, ...) \
	list_values(self, list, kernel, items, \
		(const struct at_parameter_value[]){ __VA_ARGS__ }, \
		AT_COUNT_OF(((const struct at_parameter_value[]){ __VA_ARGS__ })))

static void fill_numbers(struct at_measure_context *self, struct call_list *list,
	size_t argument, uint64_t address, const struct at_data *data)
{
	const struct at_parameter_value to = value_u64(address);
	const struct at_parameter_value element = value_element(self, argument);
	const struct at_parameter_value layout =
		value_u64(buffer_layout(self, argument));
	const uint64_t count = buffer_scalars(self, argument);
	struct data_source source;
	struct data_fill fill;

	data_choose(self->setup, argument, data, &fill);
	LIST(self, list, SUPPORT_FILL, count, to, value_u64(count), element,
		value_u32(fill.kind), value_real(fill.a), value_real(fill.b),
		value_u64(fill.seed), value_u32(fill.pattern), value_real(fill.low),
		value_real(fill.high), layout);
	for (uint32_t i = 0; i < self->setup->argument_count; i++)
		if (data_source(self->setup, argument, i, data, &source))
			LIST(self, list, SUPPORT_RELATE, count, to, value_u64(count),
				element, value_u64(fill.seed + i), value_real(fill.low),
				value_u32(source.kind), value_real(source.a),
				value_real(source.b), value_u64(source.seed),
				value_u64(source.count), value_real(source.low),
				value_real(source.high), layout);
}

void support_fill(struct at_measure_context *self, struct call_list *list,
	size_t argument, uint64_t address, const struct at_data *data)
{
	const struct at_measure_setup *setup = self->setup;
	const struct buffer *buffer = &self->buffers[argument];
	struct data_fill fill;

	data_choose(setup, argument, data, &fill);
	if (fill.kind == AT_FILL_FILE) {
		/* the contents of a file, which fill_set() has uploaded */
		LIST(self, list, SUPPORT_WIDEN, buffer->bytes, value_u64(address),
			value_place(self, &buffer->originals[data - self->data]),
			value_u64(buffer->bytes), value_u32(AT_ELEMENT_U8),
			value_u32(0));
		return;
	}
	if (!setup->arguments[argument].has_fields) {
		fill_numbers(self, list, argument, address, data);
		return;
	}
	/* poison between the fields, whose contents no kernel may rely on */
	support_pattern(self, list, address, buffer->bytes, POISON);
	for (uint32_t i = 0; i < setup->argument_count; i++)
		if (setup->arguments[i].owner == argument + 1)
			fill_numbers(self, list, i, address, data);
}

void support_pattern(struct at_measure_context *self, struct call_list *list,
	uint64_t address, uint64_t bytes, unsigned pattern)
{
	LIST(self, list, SUPPORT_PATTERN, bytes / 16, value_u64(address),
		value_u64(bytes), value_u32(pattern));
}

void support_garbage(struct at_measure_context *self, struct call_list *list,
	uint64_t address, uint64_t bytes, uint64_t seed)
{
	LIST(self, list, SUPPORT_GARBAGE, bytes / 4, value_u64(address),
		value_u64(bytes), value_u64(seed));
}

void support_padding(struct at_measure_context *self, struct call_list *list,
	size_t argument, const struct place *place, struct at_parameter_value row)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	const uint64_t bytes = self->buffers[argument].bytes;
	const uint64_t row_bytes =
		facts->width * facts->lanes * at_element_bytes(facts->element);

	if (row_bytes != facts->pitch_bytes)
		LIST(self, list, SUPPORT_PADDING,
			bytes - bytes / facts->pitch_bytes * row_bytes,
			value_place(self, place), value_u64(bytes),
			value_u64(row_bytes), value_u64(facts->pitch_bytes),
			value_u32(place->zone), row);
}

void support_pattern_check(struct at_measure_context *self, struct call_list *list,
	uint64_t address, uint64_t bytes, unsigned pattern,
	struct at_parameter_value row)
{
	LIST(self, list, SUPPORT_PATTERN_CHECK, bytes / 16, value_u64(address),
		value_u64(bytes), value_u32(pattern), row);
}

void support_checksum(struct at_measure_context *self, struct call_list *list,
	uint64_t address, uint64_t bytes, struct at_parameter_value row)
{
	/* the last word of an odd size includes zone bytes, which do not change */
	uint64_t words = (bytes + 3) / 4;

	LIST(self, list, SUPPORT_CHECKSUM, words, value_u64(address), value_u64(words),
		row);
}

void check_queue_scale(struct at_measure_context *self, size_t argument,
	const struct place *expected, struct tolerance tolerance)
{
	uint64_t count = buffer_scalars(self, argument);

	LIST(self, &self->queue, SUPPORT_SCALE, count, value_place(self, expected),
		value_u64(count), value_element(self, argument),
		value_real(1.0 / (double)count), value_real(tolerance.rtol),
		value_real(tolerance.atol),
		value_real(tolerance.scale > 0 ? tolerance.scale : DBL_MAX),
		check_row(self, argument, CHECK_OUTPUT),
		value_u64(buffer_layout(self, argument)));
}

void support_widen(struct at_measure_context *self, struct call_list *list,
	size_t argument, const struct place *from, uint64_t to)
{
	uint64_t count = buffer_scalars(self, argument);

	LIST(self, list, SUPPORT_WIDEN, count, value_u64(to), value_place(self, from),
		value_u64(count), value_element(self, argument),
		value_u32(self->setup->widens_narrow));
}

void check_queue_narrow(struct at_measure_context *self, size_t argument,
	const struct place *expected, struct at_memory *wide, double scale,
	double agrees, bool replace)
{
	uint64_t count = buffer_scalars(self, argument);

	LIST(self, &self->queue, SUPPORT_NARROW, count, value_place(self, expected),
		value_u64(self->device->ops->address(self->device, wide)),
		value_u64(count), value_element(self, argument), value_real(scale),
		value_real(agrees), value_u32(replace),
		check_row(self, argument, CHECK_OUTPUT));
}

void support_jolt(struct at_measure_context *self, struct call_list *list,
	size_t argument, uint64_t address, unsigned steps, uint64_t seed, double low,
	double high)
{
	uint64_t count = buffer_scalars(self, argument);

	LIST(self, list, SUPPORT_JOLT, count, value_u64(address), value_u64(count),
		value_element(self, argument), value_u32(steps), value_u64(seed),
		value_real(low), value_real(high));
}

void check_queue_output(struct at_measure_context *self, size_t argument,
	const struct place *actual, const struct place *expected, uint64_t mask,
	struct tolerance tolerance)
{
	uint64_t count = buffer_scalars(self, argument);

	LIST(self, &self->queue, SUPPORT_COMPARE, count, value_place(self, actual),
		value_place(self, expected), value_u64(count),
		value_element(self, argument), value_u64(mask),
		value_real(tolerance.rtol), value_real(tolerance.atol),
		value_real(tolerance.scale), check_row(self, argument, CHECK_OUTPUT),
		value_u64(buffer_layout(self, argument)));
}

void support_mask(struct at_measure_context *self, struct call_list *list,
	uint64_t address, uint64_t bytes, uint64_t mask)
{
	uint64_t words = (bytes + 15) / 16;

	LIST(self, list, SUPPORT_MASK, words, value_u64(address), value_u64(words),
		value_u64(mask));
}

void support_variables(struct at_measure_context *self, struct call_list *list,
	const struct saved_variables *saved, enum variables_task task,
	struct at_parameter_value row)
{
	if (saved->memory)
		LIST(self, list, SUPPORT_VARIABLES, saved->bytes / 16,
			value_u64(self->device->ops->address(
				self->device, saved->memory)),
			value_u64(saved->count), value_u32(task), row);
}

void support_flush(struct at_measure_context *self, struct call_list *list)
{
	struct bench_shared *shared = self->shared;
	uint64_t address = self->device->ops->address(self->device, shared->flush);
	uint64_t quads = shared->flush_bytes / 16;

	/*
	 * A line that is written has to have a place in the cache. The reading that
	 * follows, in a launch of its own, has all of these lines written back: else
	 * the timed kernel would wait for that.
	 */
	if (self->device->keeps_lines)
		support_pattern(self, list, address, shared->flush_bytes, 0);
	LIST(self, list, SUPPORT_FLUSH, quads, value_u64(address), value_u64(quads),
		value_u64(address + shared->flush_bytes));
}

void support_poison_shared(struct at_measure_context *self, struct call_list *list)
{
	const struct at_properties *properties = &self->device->info.properties;
	const enum at_property most = AT_PROPERTY_MAX_DYNAMIC_SHARED_BYTES_PER_BLOCK;
	const enum at_property blocks = AT_PROPERTY_MULTIPROCESSOR_COUNT;
	struct at_invocation *call;

	/* `host` poisons shared memory itself whenever it shuffles threads */
	if (self->device->ops->shuffle_threads || !properties->known[most] ||
		!properties->known[blocks])
		return;
	call = LIST(self, list, SUPPORT_POISON_SHARED, 0,
		value_u32((uint32_t)properties->value[most]));
	/* a block that takes all shared memory has a multiprocessor for itself; twice
	   as many blocks as multiprocessors, in case one of these is late */
	call->grid[0] = 2 * (uint32_t)properties->value[blocks];
	call->shared_bytes = (uint32_t)properties->value[most];
}

void support_nothing(struct at_measure_context *self, struct call_list *list)
{
	list_values(self, list, SUPPORT_NOTHING, 0,
		&(struct at_parameter_value){ .more = NULL }, 0);
}

void support_poison_local(
	struct at_measure_context *self, struct call_list *list, unsigned seed)
{
	const struct at_properties *properties = &self->device->info.properties;
	const enum at_property threads = AT_PROPERTY_MAX_THREADS_PER_MULTIPROCESSOR;
	const enum at_property blocks = AT_PROPERTY_MULTIPROCESSOR_COUNT;
	struct at_invocation *call;
	uint64_t resident;

	/* `host` poisons local arrays itself whenever it shuffles threads */
	if (self->device->ops->shuffle_threads || !properties->known[threads] ||
		!properties->known[blocks])
		return;
	resident = (uint64_t)properties->value[threads] *
		   (uint64_t)properties->value[blocks];
	call = LIST(self, list, SUPPORT_POISON_LOCAL, 0, value_u32(seed));
	/* Each resident thread has a piece of local memory, so as many threads have to
	   be resident at once as fit. Twice as many are launched, in case a block ends
	   before the last one begins. */
	call->grid[0] = (uint32_t)(2 * (resident + 255) / 256);
}

enum at_status support_crowd(struct at_measure_context *self, unsigned multiprocessors,
	uint64_t limit_ns, struct at_error *err)
{
	if (!self->device->ops->crowd)
		return at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"%s has no filler to run kernels beside",
			self->device->info.id);
	return self->device->ops->crowd(self->device,
		self->shared->kernels[SUPPORT_CROWD], multiprocessors, limit_ns, err);
}

enum at_status support_hold_back(struct at_measure_context *self,
	const struct at_kernel *kernel, uint64_t hold_ns, struct at_error *err)
{
	if (!self->device->ops->delay_blocks)
		return at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"%s cannot have blocks begin late", self->device->info.id);
	return self->device->ops->delay_blocks(self->device,
		self->shared->kernels[SUPPORT_CROWD], kernel, hold_ns, err);
}
