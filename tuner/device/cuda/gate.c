/*
 * The gate of time(): holds the stream back until all launches of a sample are queued.
 */
#include "device/cuda/cuda_device.h"

#include <stdatomic.h>

/*
 * A stream takes about a thousand pending calls. The next call would block the host,
 * which then could no longer open the gate. So the gate opens early, far below that:
 * with so many launches in a sample the time to queue the rest is hidden behind those
 * that run.
 */
#define QUEUE_LIMIT 256

unsigned at_cuda_gate_close(struct at_cuda_device *self)
{
	struct at_cuda_gate *gate = &self->gate;
	unsigned code;

	if (!gate->word)
		return AT_CUDA_SUCCESS;
	code = self->driver->stream_wait_value(
		self->stream, gate->address, gate->ticket + 1, AT_CUDA_STREAM_WAIT_GEQ);
	if (code)
		return code;
	gate->ticket++;
	gate->closed = true;
	gate->queued = 1;
	return AT_CUDA_SUCCESS;
}

void at_cuda_gate_open(struct at_cuda_device *self)
{
	struct at_cuda_gate *gate = &self->gate;

	if (!gate->closed)
		return;
	/* all that was queued must be visible to the device before the word changes */
	atomic_thread_fence(memory_order_seq_cst);
	*gate->word = gate->ticket;
	atomic_thread_fence(memory_order_seq_cst);
	gate->closed = false;
}

void at_cuda_gate_count(struct at_cuda_device *self)
{
	if (self->gate.closed && ++self->gate.queued >= QUEUE_LIMIT)
		at_cuda_gate_open(self);
}

void at_cuda_gate_init(struct at_cuda_device *self)
{
	const struct at_cuda_driver *driver = self->driver;
	void *word;

	if (!driver->stream_wait_value ||
		driver->pinned_allocate(
			&word, sizeof(*self->gate.word), AT_CUDA_PINNED_DEVICE_MAP))
		return;
	self->gate.word = word;
	*self->gate.word = 0;
	if (driver->pinned_address(&self->gate.address, word, 0) ||
		at_cuda_gate_close(self)) {
		at_cuda_gate_release(self);
		return;
	}
	/* One closing and opening is the only verification that this driver really
	   waits for memory. */
	at_cuda_gate_open(self);
	if (driver->stream_synchronize(self->stream))
		at_cuda_gate_release(self);
}

void at_cuda_gate_release(struct at_cuda_device *self)
{
	if (self->gate.word)
		(void)!self->driver->pinned_free((void *)self->gate.word);
	self->gate.word = NULL;
}
