/* The bench: buffers with their zones, made once a problem. */
#include "measure/bench.h"
#include "measure/statistics.h"
#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

/* a board that did nothing for so long may have lowered its clocks */
#define IDLE_NS 50000000u

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

/* fills and comparisons know numbers, not vectors of them */
uint64_t buffer_scalars(const struct at_bench *self, size_t argument)
{
	return self->buffers[argument].count * self->setup->arguments[argument].lanes;
}

/* ---- trips ------------------------------------------------------------------ */

bool bench_is_idle(const struct at_bench *self)
{
	return at_clock_now_ns() - self->shared->last_busy_ns > IDLE_NS;
}

/*
 * One short launch does not raise clocks that were down: work prolongs the time in
 * which they are up, and only a warm-up that saw to it begins one.
 */
void bench_stayed_busy(struct at_bench *self, uint64_t start_ns)
{
	if (start_ns - self->shared->last_busy_ns <= IDLE_NS)
		self->shared->last_busy_ns = at_clock_now_ns();
}

enum at_outcome bench_run(struct at_bench *self, struct at_error *err)
{
	uint64_t start_ns = at_clock_now_ns();
	size_t count = self->queue.count;
	enum at_outcome outcome;

	/* first of all: after a failure nothing of it may be sent again */
	self->queue.count = 0;
	if (count == 0)
		return AT_OUTCOME_OK;
	outcome = self->device->ops->run(self->device, self->queue.calls, count, err);
	bench_stayed_busy(self, start_ns);
	return outcome;
}

/* ---- buffers ---------------------------------------------------------------- */

/* The tuner's own kernels alone: what fails here is no configuration's fault. */
static enum at_status run_own(
	struct at_bench *self, const char *what, size_t argument, struct at_error *err)
{
	struct at_error reason = { 0 };

	if (bench_run(self, &reason) == AT_OUTCOME_OK)
		return AT_OK;
	return at_fail(err, reason.status ? reason.status : AT_EDEVICE, NULL, 0,
		"%s argument \"%s\" failed: %s", what,
		self->setup->arguments[argument].name, reason.text);
}

/* sizes follow from expressions: what they ask for may be beyond any machine */
static enum at_status size_buffer(
	struct at_bench *self, size_t argument, uint64_t count, struct at_error *err)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	uint64_t element_bytes = facts->lanes * at_element_bytes(facts->element);

	/* not AT_ENOMEM: to free something would not help */
	if (count > INT64_MAX / element_bytes)
		return at_fail(err, AT_EOVERFLOW, NULL, 0,
			"argument \"%s\": %llu elements are more than any device holds; choose a smaller problem",
			facts->name, (unsigned long long)count);
	self->buffers[argument].count = count;
	self->buffers[argument].bytes = count * element_bytes;
	return AT_OK;
}

static enum at_status allocate_zoned(struct at_bench *self, size_t argument,
	struct at_memory **out, struct at_error *err)
{
	uint64_t bytes = self->buffers[argument].bytes;
	const struct at_device_ops *ops = self->device->ops;
	struct at_error reason = { 0 };
	enum at_status status =
		ops->allocate(self->device, zoned_bytes(bytes), out, &reason);

	if (status)
		return at_fail(err, status, NULL, 0,
			"argument \"%s\": %llu bytes do not fit on %s (%s); choose a smaller problem",
			self->setup->arguments[argument].name,
			(unsigned long long)bytes, self->device->info.id, reason.text);
	/* everything canary, in one launch; the data is overwritten by fills and poison
	 */
	support_pattern(self, &self->queue, ops->address(self->device, *out),
		zoned_bytes(bytes), CANARY(argument));
	status = run_own(self, "laying zones around", argument, err);
	if (status) {
		ops->release(self->device, *out);
		*out = NULL;
	}
	return status;
}

/* gives an input its contents, in place */
static enum at_status fill_input(struct at_bench *self, size_t argument,
	struct at_memory *memory, struct at_error *err)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];

	if (facts->fill == AT_FILL_FILE)
		return upload_file(self, argument, facts->file, memory, err);
	support_fill(self, &self->queue, argument,
		self->device->ops->address(self->device, memory) + ZONE_BYTES);
	return run_own(self, "filling", argument, err);
}

static enum at_status make_buffer(
	struct at_bench *self, size_t argument, struct at_error *err)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	struct buffer *buffer = &self->buffers[argument];
	enum at_access access = facts->access;
	enum at_status status;

	/* it is restored before launches, by a kernel: a copy each time takes too long
	 */
	if (access == AT_ACCESS_INOUT && facts->fill == AT_FILL_FILE)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"argument \"%s\": inout cannot be filled from a file yet; copy it from an input in a prepare kernel",
			facts->name);
	status =
		size_buffer(self, argument, self->setup->bindings[argument].count, err);
	if (!status)
		status = allocate_zoned(self, argument, &buffer->memory, err);
	buffer->capacity_bytes = zoned_bytes(buffer->bytes);
	if (!status && reference_gives(self, access))
		status = allocate_zoned(self, argument, &buffer->expected, err);
	if (!status && (access == AT_ACCESS_IN || access == AT_ACCESS_INOUT))
		status = fill_input(self, argument, buffer->memory, err);
	/* the reference works in place on contents of its own */
	if (!status && access == AT_ACCESS_INOUT && buffer->expected)
		status = fill_input(self, argument, buffer->expected, err);
	if (status || !facts->symbol || !facts->symbol[0])
		return status;
	/* for bench_set_symbols(): modules come without what was copied into the last
	 */
	buffer->contents = malloc(buffer->bytes);
	if (!buffer->contents)
		return at_fail_memory(err);
	return self->device->ops->read(self->device, buffer->memory, ZONE_BYTES,
		buffer->contents, buffer->bytes, err);
}

/* What inputs sum up to before any kernel but our own has run. */
static enum at_status sum_inputs(struct at_bench *self, struct at_error *err)
{
	const struct at_measure_setup *setup = self->setup;
	struct at_error reason = { 0 };

	check_begin(self);
	for (uint32_t i = 0; i < setup->argument_count; i++)
		if (setup->arguments[i].access == AT_ACCESS_IN)
			check_queue_input(self, i);
	if (check_end(self, &reason) != AT_OUTCOME_OK)
		return at_fail(err, reason.status ? reason.status : AT_EDEVICE, NULL, 0,
			"summing the inputs failed: %s", reason.text);
	for (uint32_t i = 0; i < setup->argument_count; i++)
		self->buffers[i].checksum = check_result(self, i, CHECK_INPUT)[0];
	return AT_OK;
}

/* ---- life ------------------------------------------------------------------- */

enum at_status at_bench_new(struct at_device *device,
	const struct at_measure_setup *setup, struct at_bench *beside,
	struct at_bench **out, struct at_error *err)
{
	struct at_bench *self = calloc(1, sizeof(*self));
	size_t arguments = setup->argument_count, rows = arguments * CHECK_COUNT;
	enum at_status status;

	if (!self)
		return at_fail_memory(err);
	self->device = device;
	self->setup = setup;
	self->buffers = calloc(arguments + 1, sizeof(*self->buffers));
	self->results = calloc(rows + 1, sizeof(*self->results));
	status = self->buffers && self->results ? AT_OK : at_fail_memory(err);
	/* the longest trip is a whole proof: each argument restored and checked; three
	   kernels, each behind a poisoning; the flush; the beginning of the rows */
	if (!status)
		status = call_list_init(
			&self->queue, arguments * (1 + CHECK_COUNT) + 8, err);
	if (!status)
		status = shared_take(self, beside, err);
	if (!status)
		status = device->ops->allocate(
			device, (rows + 1) * sizeof(*self->results), &self->rows, err);
	for (uint32_t i = 0; !status && i < arguments; i++)
		if (setup->arguments[i].access != AT_ACCESS_NONE)
			status = make_buffer(self, i, err);
	/* of what our own kernels filled, ahead of the reference, which may be wrong */
	if (!status)
		status = sum_inputs(self, err);
	/* ahead of the reference: a device that is full is told from a faulty one */
	if (!status && setup->cache == AT_CACHE_COLD)
		status = shared_make_flush(self, err);
	if (!status)
		status = reference_run(self, err);
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
	shared_drop(self->shared);
	call_list_release(&self->queue);
	free(self->results);
	free(self->buffers);
	free(self);
}

uint64_t at_bench_bytes(const struct at_bench *self)
{
	uint64_t rows = (uint64_t)self->setup->argument_count * CHECK_COUNT + 1;
	uint64_t bytes = rows * sizeof(struct check_row);

	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		const struct buffer *buffer = &self->buffers[i];

		if (buffer->memory)
			bytes += buffer->capacity_bytes;
		if (buffer->expected)
			bytes += zoned_bytes(buffer->bytes);
	}
	return bytes;
}

/* ---- what one configuration needs ------------------------------------------- */

enum at_status bench_fit_scratch(struct at_bench *self,
	const struct at_measure_binding *bindings, struct at_error *err)
{
	const struct at_device_ops *ops = self->device->ops;

	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		const struct at_measure_argument *facts = &self->setup->arguments[i];
		struct buffer *buffer = &self->buffers[i];
		enum at_status status;

		/* nearly always: then nothing is done for it, and no trip taken */
		if (facts->access == AT_ACCESS_NONE ||
			buffer->count == bindings[i].count)
			continue;
		/* inputs of another size would be other inputs, for another reference
		 */
		if (facts->access != AT_ACCESS_SCRATCH)
			return at_fail(err, AT_EINVAL, NULL, 0,
				"argument \"%s\": its count depends on the configuration; only scratch may",
				facts->name);
		status = size_buffer(self, i, bindings[i].count, err);
		/*
		 * To free memory and get other waits for the whole device, for a
		 * millisecond where it is much: it is done to grow, never to shrink.
		 * What fits gets a new zone behind its new end; the zone ahead stays.
		 */
		if (!status && buffer->memory &&
			zoned_bytes(buffer->bytes) <= buffer->capacity_bytes) {
			support_pattern(self, &self->queue,
				buffer_address(self, i) + buffer->bytes, ZONE_BYTES,
				CANARY(i));
			status = run_own(self, "laying a zone behind", i, err);
		} else if (!status) {
			/* the old one first: there may be no room for both */
			if (buffer->memory)
				ops->release(self->device, buffer->memory);
			buffer->memory = NULL;
			buffer->capacity_bytes = zoned_bytes(buffer->bytes);
			status = allocate_zoned(self, i, &buffer->memory, err);
		}
		if (status) {
			/* so that the next configuration does not take it as there */
			buffer->count = 0;
			return status;
		}
	}
	return AT_OK;
}

/*
 * Where a buffer lies decides which channels and which sets of the cache it meets: a
 * few tenths of a percent that no number of samples in one place shows. The new ones
 * are taken while the old ones are held, or an allocator would give the same place
 * again, and in another order, so that they lie otherwise to each other too.
 */
enum at_status bench_renew(struct at_bench *self, uint64_t seed, struct at_error *err)
{
	uint32_t count = self->setup->argument_count;
	struct at_memory **old = calloc(count + 1, sizeof(*old));
	unsigned *order = calloc(count + 1, sizeof(*order));
	enum at_status status = old && order ? AT_OK : at_fail_memory(err);
	struct at_random random;

	at_random_init(&random, seed);
	for (uint32_t i = 0; i < count && !status; i++)
		order[i] = i;
	if (!status)
		at_statistics_shuffle(order, count, &random);
	for (uint32_t i = 0; i < count && !status; i++) {
		struct buffer *buffer = &self->buffers[order[i]];
		enum at_access access = self->setup->arguments[order[i]].access;
		struct at_memory *fresh = NULL;
		struct at_error reason = { 0 };

		if (!buffer->memory)
			continue;
		status = allocate_zoned(self, order[i], &fresh, &reason);
		if (!status && (access == AT_ACCESS_IN || access == AT_ACCESS_INOUT))
			status = fill_input(self, order[i], fresh, &reason);
		if (!status) {
			old[order[i]] = buffer->memory;
			buffer->memory = fresh;
			buffer->capacity_bytes = zoned_bytes(buffer->bytes);
			continue;
		}
		if (fresh)
			self->device->ops->release(self->device, fresh);
		/* what has no room beside itself, or whose file is gone, stays where it
		   is: that is less than promised, and no reason to have no finals */
		if (status == AT_EDEVICE)
			at_fail(err, status, NULL, 0, "%s", reason.text);
		else
			status = AT_OK;
	}
	for (uint32_t i = 0; old && i < count; i++)
		if (old[i])
			self->device->ops->release(self->device, old[i]);
	free(old);
	free(order);
	return status;
}

void list_restore(
	struct at_bench *self, struct call_list *list, unsigned poison, bool inout_only)
{
	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		switch (self->setup->arguments[i].access) {
		case AT_ACCESS_NONE:
		case AT_ACCESS_IN:
			break;
		case AT_ACCESS_INOUT:
			/* filled anew, which needs no second buffer to copy from */
			support_fill(self, list, i, buffer_address(self, i));
			break;
		case AT_ACCESS_OUT:
		case AT_ACCESS_SCRATCH:
			if (!inout_only)
				support_pattern(self, list, buffer_address(self, i),
					self->buffers[i].bytes, poison);
			break;
		}
	}
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
