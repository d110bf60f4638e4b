/* Makes, counts and frees what the benches of one device share: the tuner's own kernels
   and the flush buffer. */
#include "measure/shared.h"
#include "measure/support.h"
#include "measure/trip.h"

#include <stdlib.h>

/*
 * A failure here is not the fault of a configuration. The device's own status is
 * returned, so that a device that is full can be told from one that does not work.
 */
enum at_status shared_take(struct at_measure_context *self,
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
	shared = calloc(1, sizeof(*shared));
	if (!shared)
		return at_fail_memory(err);
	shared->device = self->device;
	shared->bench_count = 1;
	self->shared = shared;
	outcome = ops->load(self->device, setup->support_image, setup->support_bytes,
		&shared->module, &reason);
	if (outcome != AT_OUTCOME_OK)
		return at_fail(err, reason.status ? reason.status : AT_EDEVICE, NULL, 0,
			"%s does not load the tuner's own kernels: %s",
			self->device->info.id, reason.text);
	/* all are looked up now, so that no evaluation can fail by a missing one */
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

enum at_status shared_make_flush(struct at_measure_context *self, struct at_error *err)
{
	const struct at_device_ops *ops = self->device->ops;
	const struct at_properties *properties = &self->device->info.properties;
	struct bench_shared *shared = self->shared;
	uint64_t bytes, l2_bytes = 32u << 20; /* if the device does not say */
	struct at_error reason = { 0 };
	enum at_status status;

	if (shared->flush)
		return AT_OK;
	if (properties->known[AT_PROPERTY_L2_BYTES])
		l2_bytes = (uint64_t)properties->value[AT_PROPERTY_L2_BYTES];
	/* twice the cache, since replacement is not exactly least-recently-used */
	bytes = 2 * l2_bytes / 256 * 256;
	/* a CPU's cache can be larger than what can be read before each sample */
	if (bytes > 512u << 20)
		bytes = 512u << 20;
	if (bytes < 256)
		bytes = 256;
	/* the sink follows it, in a cache line of its own */
	status = ops->allocate(self->device, bytes + 256, &shared->flush, err);
	if (status)
		return status;
	shared->flush_bytes = bytes;
	/* zeros, by which at_flush() knows that it need not write to the sink */
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

void shared_drop(struct bench_shared *self)
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
