/* Makes and frees a bench: its buffers, inputs and expected outputs. Moves its buffers
   to other memory between the blocks of the finals. */
#include "measure/bench.h"

#include "measure/buffers.h"
#include "measure/checks.h"
#include "measure/contents.h"
#include "measure/place.h"
#include "measure/statistics.h"
#include "measure/support.h"
#include "measure/trip.h"
#include "base/clock.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* ---- shared by the benches of a device: the tuner's kernels, the flush buffer ---- */

/* Takes the shared state of `beside`, or makes it if `beside` is NULL. Returns the
   device's own status, so that the caller can tell a full device from a broken one. */
static enum at_status shared_take(struct at_measure_context *self,
	struct at_measure_context *beside, struct at_error *err)
{
	const struct at_device_ops *ops = self->device->ops;
	const struct at_measure_setup *setup = self->setup;
	struct at_error reason = { 0 };
	struct bench_shared *shared;
	enum at_outcome outcome;

	if (beside) {
		self->shared = beside->shared;
		self->shared->bench_count++;
		return AT_OK;
	}
	shared = at_calloc(1, sizeof(*shared));
	shared->device = self->device;
	shared->bench_count = 1;
	self->shared = shared;
	outcome = ops->load(self->device, setup->support_image, setup->support_bytes,
		&shared->module, &reason);
	if (outcome != AT_OUTCOME_OK)
		return at_fail(err, reason.status ? reason.status : AT_EDEVICE, NULL, 0,
			"%s does not load the tuner's own kernels: %s",
			self->device->info.id, reason.text);
	/* now, so that no later evaluation fails for a missing kernel */
	for (size_t i = 0; i < SUPPORT_COUNT; i++) {
		shared->kernels[i] = ops->find(
			self->device, shared->module, at_measure_support_kernels[i]);
		if (!shared->kernels[i])
			return at_fail(err, AT_EDEVICE, NULL, 0,
				"the tuner's own kernel %s is not in its image",
				at_measure_support_kernels[i]);
	}
	return AT_OK;
}

/* Allocates the flush buffer on the first call. */
static enum at_status shared_make_flush(
	struct at_measure_context *self, struct at_error *err)
{
	const struct at_device_ops *ops = self->device->ops;
	const struct at_properties *properties = &self->device->info.properties;
	struct bench_shared *shared = self->shared;
	uint64_t bytes, l2_bytes = 32u << 20; /* if the device does not report it */
	struct at_error reason = { 0 };
	enum at_status status;

	if (shared->flush)
		return AT_OK;
	if (properties->known[AT_PROPERTY_L2_BYTES])
		l2_bytes = (uint64_t)properties->value[AT_PROPERTY_L2_BYTES];
	/* twice the cache, since replacement is not exactly least-recently-used */
	bytes = 2 * l2_bytes / 256 * 256;
	/* a CPU's cache can be too large to read all of it before each sample */
	if (bytes > 512u << 20)
		bytes = 512u << 20;
	if (bytes < 256)
		bytes = 256;
	/* the sink follows in a cache line of its own */
	status = ops->allocate(self->device, bytes + 256, &shared->flush, err);
	if (status)
		return status;
	shared->flush_bytes = bytes;
	/* zeros tell at_flush() that it need not write to the sink */
	support_pattern(self, &self->queue, ops->address(self->device, shared->flush),
		bytes + 256, 0);
	/* a kernel has to run once with run() before time() may use it (device.h) */
	support_flush(self, &self->queue);
	if (bench_run(self, &reason) == AT_OUTCOME_OK)
		return AT_OK;
	ops->release(self->device, shared->flush);
	shared->flush = NULL;
	return at_fail(err, reason.status ? reason.status : AT_EDEVICE, NULL, 0,
		"filling and reading the flush buffer failed: %s", reason.text);
}

/* Gives up a bench's share; the last bench frees everything. NULL does nothing. */
static void shared_drop(struct bench_shared *self)
{
	const struct at_device_ops *ops;

	if (!self || --self->bench_count)
		return;
	ops = self->device->ops;
	if (self->flush)
		ops->release(self->device, self->flush);
	if (self->module)
		ops->unload(self->device, self->module);
	free(self);
}

/* ---- life ------------------------------------------------------------------- */

/* Random: a kernel whose author knows this source could compute a mask from a seed. */
static uint64_t draw_mask(void)
{
	uint64_t key;

	if (getrandom(&key, sizeof(key), 0) == (ssize_t)sizeof(key))
		return key;
	return at_clock_now_ns() * 0x9e3779b97f4a7c15u;
}

enum at_status at_measure_context_new(struct at_device *device,
	const struct at_measure_setup *setup, struct at_measure_context *beside,
	struct at_measure_context **out, struct at_error *err)
{
	struct at_measure_context *self = at_calloc(1, sizeof(*self));
	size_t arguments = setup->argument_count, rows;
	enum at_status status;

	self->device = device;
	self->setup = setup;
	self->buffers = at_calloc(arguments + 1, sizeof(*self->buffers));
	rows = (size_t)check_row_count(self);
	self->results = at_calloc(rows, sizeof(*self->results));
	check_make_room(self, 1);
	status = shared_take(self, beside, err);
	if (!status)
		status = device->ops->allocate(
			device, rows * sizeof(*self->results), &self->rows, err);
	self->is_guarded = device->ops->allocate_guarded && !setup->watched;
	/* kept off the device, where a kernel could find it; | 1: never 0 */
	self->mask = draw_mask() | 1;
	/* a file holds the expected output for one data set only */
	self->set_count = setup->reference == AT_REFERENCE_FILE ? 1 : SETS;
	if (!status)
		status = buffers_make(self, beside == NULL, err);
	if (!status)
		status = contents_begin(self, err);
	/* before the reference, so that a lack of memory returns AT_ENOMEM instead of
	   failing the reference */
	if (!status && setup->cache == AT_CACHE_COLD)
		status = shared_make_flush(self, err);
	if (!status)
		status = contents_expect(self, err);
	self->is_settled = true;
	if (status) {
		at_measure_context_free(self);
		return status;
	}
	*out = self;
	return AT_OK;
}

void at_measure_context_free(struct at_measure_context *self)
{
	const struct at_device_ops *ops;

	if (!self)
		return;
	ops = self->device->ops;
	buffers_free(self);
	if (self->rows)
		ops->release(self->device, self->rows);
	shared_drop(self->shared);
	call_list_release(&self->queue);
	free(self->results);
	free(self->buffers);
	free(self);
}

uint64_t at_measure_context_bytes(const struct at_measure_context *self)
{
	return buffers_bytes(self) + check_row_count(self) * sizeof(struct check_row);
}

/* ---- other memory ----------------------------------------------------------- */

/* Refills an input for the sets on this side; does nothing for other arguments. */
static enum at_status fill_place(struct at_measure_context *self, size_t argument,
	enum side side, struct at_error *err)
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
 * A buffer's address decides which memory channels and cache sets it uses. That changes
 * a time by a few tenths of a percent, which samples at one address cannot show. New
 * places are allocated before the old ones are freed: otherwise the allocator would
 * return the same memory. The shuffled order also changes the buffers' relative
 * positions.
 */
enum at_status bench_renew(
	struct at_measure_context *self, uint64_t seed, struct at_error *err)
{
	size_t count = (size_t)self->setup->argument_count * SIDE_COUNT;
	struct place *old = at_calloc(count + 1, sizeof(*old));
	unsigned *order = at_calloc(count + 1, sizeof(*order));
	enum at_status status = AT_OK;
	struct at_random random;

	at_random_init(&random, seed);
	self->unmoved = 0;
	for (size_t i = 0; i < count; i++)
		order[i] = (unsigned)i;
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
		/* a buffer without room for a second copy, or whose file is gone, keeps
		   its place: the finals then run with fewer moves */
		self->unmoved++;
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
