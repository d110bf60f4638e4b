/* The bench: buffers with their zones, made once a problem. */
#include "measure/bench.h"
#include "measure/data.h"
#include "measure/statistics.h"
#include "base/clock.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* a board that did nothing for so long may have lowered its clocks */
#define IDLE_NS 50000000u

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

/* The tuner's own kernels alone: what fails here is no configuration's fault. */
enum at_status bench_run_own(
	struct at_bench *self, const char *what, size_t argument, struct at_error *err)
{
	struct at_error reason = { 0 };

	if (bench_run(self, &reason) == AT_OUTCOME_OK)
		return AT_OK;
	return at_fail(err, reason.status ? reason.status : AT_EDEVICE, NULL, 0,
		"%s argument \"%s\" failed: %s", what,
		self->setup->arguments[argument].name, reason.text);
}

/* ---- buffers ---------------------------------------------------------------- */

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
	status = place_size(self, argument, self->setup->bindings[argument].count, err);
	if (!status && access != AT_ACCESS_IN)
		status = place_make(
			self, argument, SIDE_END, &buffer->places[SIDE_END], err);
	for (unsigned set = 0; set < self->set_count && !status; set++) {
		enum side side = place_side_of_set(self, set);

		if (access == AT_ACCESS_IN)
			status = place_make(
				self, argument, side, &buffer->places[side], err);
		if (!status && reference_gives(self, access))
			status = place_make(
				self, argument, side, &buffer->expected[set], err);
	}
	return status;
}

static void free_buffers(struct at_bench *self)
{
	for (uint32_t i = 0; self->buffers && i < self->setup->argument_count; i++) {
		struct buffer *buffer = &self->buffers[i];

		for (int side = 0; side < SIDE_COUNT; side++)
			place_free(self, &buffer->places[side]);
		for (unsigned set = 0; set < SETS; set++)
			place_free(self, &buffer->expected[set]);
		free(buffer->contents);
		memset(buffer, 0, sizeof(*buffer));
	}
}

static enum at_status make_each(struct at_bench *self, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (uint32_t i = 0; !status && i < self->setup->argument_count; i++)
		if (self->setup->arguments[i].access != AT_ACCESS_NONE)
			status = make_buffer(self, i, err);
	return status;
}

/*
 * Memory for everything. Where nothing beside it could make room, one set has to do for
 * want of two.
 */
static enum at_status make_buffers(
	struct at_bench *self, bool is_alone, struct at_error *err)
{
	struct at_error reason = { 0 };
	enum at_status status = make_each(self, &reason);

	if (status == AT_ENOMEM && is_alone && self->set_count > 1) {
		free_buffers(self);
		self->set_count = 1;
		memset(&reason, 0, sizeof(reason));
		status = make_each(self, &reason);
	}
	if (status && err)
		*err = reason;
	return status;
}

/* the sets with what the space declares */
static enum at_status fill_buffers(struct at_bench *self, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (unsigned set = 0; set < self->set_count && !status; set++) {
		self->data[set] = contents_declared(self->setup->seed, set);
		status = contents_fill_set(self, set, err);
		if (!status && set == 0)
			status = contents_keep(self, err);
	}
	return status;
}

static enum at_status run_references(struct at_bench *self, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (unsigned set = 0; set < self->set_count && !status; set++) {
		status = reference_run(self, set, POISON, err);
		if (!status)
			status = contents_protect_expected(
				self, set, AT_PROTECTION_READ, err);
	}
	return status;
}

/* not from a seed: a program that knows this one's source could compute it */
static uint64_t draw_mask(void)
{
	uint64_t key;

	if (getrandom(&key, sizeof(key), 0) == (ssize_t)sizeof(key))
		return key;
	return at_clock_now_ns() * 0x9e3779b97f4a7c15u;
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
	/* the longest trip is a whole proof: each argument restored, with its zones,
	   and checked; three kernels, each behind a poisoning; the flush; the beginning
	   of the rows; and the variables of a module */
	if (!status)
		status = call_list_init(
			&self->queue, arguments * (6 + CHECK_COUNT) + 16, err);
	if (!status)
		status = shared_take(self, beside, err);
	if (!status)
		status = device->ops->allocate(
			device, (rows + 1) * sizeof(*self->results), &self->rows, err);
	self->is_guarded = device->ops->allocate_guarded && !setup->watched;
	/* a key that nobody can know who sees only what lies on the device */
	self->mask = draw_mask() | 1;
	/* what a file gives is for one set of data */
	self->set_count = setup->reference == AT_REFERENCE_FILE ? 1 : SETS;
	if (!status)
		status = make_buffers(self, beside == NULL, err);
	if (!status)
		status = fill_buffers(self, err);
	/* ahead of the reference: a device that is full is told from a faulty one */
	if (!status && setup->cache == AT_CACHE_COLD)
		status = shared_make_flush(self, err);
	if (!status)
		status = run_references(self, err);
	self->is_settled = true;
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
	free_buffers(self);
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

		for (int side = 0; side < SIDE_COUNT; side++)
			bytes += buffer->places[side].capacity_bytes;
		for (unsigned set = 0; set < SETS; set++)
			bytes += buffer->expected[set].capacity_bytes;
	}
	return bytes;
}

/* ---- what one configuration needs ------------------------------------------- */

/*
 * To free memory and get other waits for the whole device, for a millisecond where it
 * is much: it is done to grow, never to shrink. What fits gets new zones.
 */
static enum at_status fit_scratch(
	struct at_bench *self, size_t argument, struct at_error *err)
{
	struct buffer *buffer = &self->buffers[argument];
	struct place *place = &buffer->places[SIDE_END];
	uint64_t around = self->is_guarded ? 0 : 2 * place_zone_bytes(self);

	if (place->memory && buffer->bytes + around <= place->capacity_bytes) {
		place_fit(self, place, buffer->bytes, SIDE_END, ALIGNMENT);
		list_place_zones(self, &self->queue, place, buffer->bytes, place->zone);
		return bench_run_own(self, "laying zones around", argument, err);
	}
	/* the old one first: there may be no room for both */
	place_free(self, place);
	return place_make(self, argument, SIDE_END, place, err);
}

enum at_status bench_fit_scratch(struct at_bench *self,
	const struct at_measure_binding *bindings, struct at_error *err)
{
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
		status = place_size(self, i, bindings[i].count, err);
		if (!status)
			status = fit_scratch(self, i, err);
		if (status) {
			/* so that the next configuration does not take it as there */
			buffer->count = 0;
			return status;
		}
	}
	return AT_OK;
}

/* fills what is an input, of all sets that lie there */
static enum at_status fill_place(
	struct at_bench *self, size_t argument, enum side side, struct at_error *err)
{
	enum at_status status = AT_OK;

	if (self->setup->arguments[argument].access != AT_ACCESS_IN)
		return AT_OK;
	for (unsigned set = 0; set < self->set_count && !status; set++)
		if (place_side_of_set(self, set) == side)
			status = contents_fill(self, argument, set, err);
	return status;
}

/*
 * Where a buffer lies decides which channels and which sets of the cache it meets: a
 * few tenths of a percent that no number of samples in one place shows. The new ones
 * are taken while the old ones are held, or an allocator would give the same place
 * again, and in another order, so that they lie otherwise to each other too.
 */
enum at_status bench_renew(struct at_bench *self, uint64_t seed, struct at_error *err)
{
	size_t count = (size_t)self->setup->argument_count * SIDE_COUNT;
	struct place *old = calloc(count + 1, sizeof(*old));
	unsigned *order = calloc(count + 1, sizeof(*order));
	enum at_status status = old && order ? AT_OK : at_fail_memory(err);
	struct at_random random;

	at_random_init(&random, seed);
	for (size_t i = 0; i < count && !status; i++)
		order[i] = (unsigned)i;
	if (!status)
		at_statistics_shuffle(order, count, &random);
	for (size_t i = 0; i < count && !status; i++) {
		size_t argument = order[i] / SIDE_COUNT;
		enum side side = (enum side)(order[i] % SIDE_COUNT);
		struct place *place = &self->buffers[argument].places[side];
		struct place fresh = { 0 };
		struct at_error reason = { 0 };

		if (!place->memory)
			continue;
		status = place_make(self, argument, side, &fresh, &reason);
		if (!status) {
			old[i] = *place;
			*place = fresh;
			status = fill_place(self, argument, side, &reason);
		}
		if (!status)
			continue;
		if (fresh.memory) {
			*place = old[i];
			memset(&old[i], 0, sizeof(old[i]));
			place_free(self, &fresh);
		}
		/* what has no room beside itself, or whose file is gone, stays where it
		   is: that is less than promised, and no reason to have no finals */
		if (status == AT_EDEVICE || self->device->is_lost)
			at_fail(err, status, NULL, 0, "%s", reason.text);
		else
			status = AT_OK;
	}
	for (size_t i = 0; old && i < count; i++)
		place_free(self, &old[i]);
	free(old);
	free(order);
	return status;
}

void list_restore(struct at_bench *self, struct call_list *list, struct staging staging,
	unsigned poison, bool inout_only)
{
	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		enum at_access access = self->setup->arguments[i].access;
		uint64_t address;

		if (access == AT_ACCESS_NONE || access == AT_ACCESS_IN)
			continue;
		address = place_address(self, buffer_place(self, i, staging));
		/* filled anew, which needs no second buffer to copy from */
		if (access == AT_ACCESS_INOUT)
			support_fill(self, list, i, address, &self->data[staging.set]);
		else if (!inout_only && !self->setup->watched && poison > 0xff)
			support_garbage(
				self, list, address, self->buffers[i].bytes, poison);
		else if (!inout_only && !self->setup->watched)
			support_pattern(
				self, list, address, self->buffers[i].bytes, poison);
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
