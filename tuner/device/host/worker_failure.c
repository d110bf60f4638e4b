/* Why a launch was given up: texts for the author of the kernel. */
#include "device/host/worker_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void worker_describe_deadlock(struct at_host_worker *self)
{
	const struct at_host_uint3 *block = &self->context.block;

	snprintf(self->launch->failure, AT_HOST_FAILURE_BYTES,
		"kernel \"%s\", block (%u, %u, %u): threads wait at different barriers: %u at __syncthreads(), %u in warp operations whose other lanes do not come",
		self->launch->kernel->name, block->x, block->y, block->z,
		self->waiting_count, self->warp_waiting_count);
}

void worker_describe_mask(struct at_host_worker *self)
{
	const struct at_host_uint3 *block = &self->context.block;
	const unsigned thread = self->context.linear_thread, lane = thread % LANES;

	snprintf(self->launch->failure, AT_HOST_FAILURE_BYTES,
		"kernel \"%.100s\", block (%u, %u, %u), warp %u: lane %u calls a warp function with the mask 0x%08" PRIx32
		", which lacks this lane: name each lane that calls",
		self->launch->kernel->name, block->x, block->y, block->z,
		thread / LANES, lane, self->warps[thread / LANES].mask[lane]);
}

void worker_note_undefined(
	struct at_host_worker *self, const struct warp *warp, unsigned lane)
{
	struct at_host_launch *launch = self->launch;
	const struct at_host_uint3 *block = &self->context.block;
	const unsigned number = (unsigned)(warp - self->warps),
		       source = warp->source[lane];
	const bool exists = number * LANES + source < self->context.thread_count;

	/* the kernel may come here often, and a write costs the other cores a line */
	if (atomic_load_explicit(&launch->has_undefined, memory_order_relaxed) ||
		atomic_exchange(&launch->has_undefined, true))
		return;
	snprintf(launch->undefined, AT_UNDEFINED_BYTES,
		"block (%u, %u, %u), warp %u: lane %u shuffles from lane %u, which %s 0x%08" PRIx32
		": CUDA leaves the value undefined",
		block->x, block->y, block->z, number, lane, source,
		!exists                          ? "the block does not have, mask"
		: warp->mask[lane] >> source & 1 ? "has ended or waits elsewhere, mask"
						 : "is not in the mask",
		warp->mask[lane]);
}

void worker_describe_no_stack(struct at_host_worker *self)
{
	snprintf(self->launch->failure, AT_HOST_FAILURE_BYTES,
		"kernel \"%s\": no memory for the stack of one more thread (%s); use smaller blocks or raise the sysctl vm.max_map_count",
		self->launch->kernel->name, strerror(errno));
}

void worker_describe_fault(struct at_host_worker *self)
{
	static const char *const accesses[] = {
		[AT_HOST_ACCESS_UNKNOWN] = "touched",
		[AT_HOST_ACCESS_READ] = "read from",
		[AT_HOST_ACCESS_WRITE] = "wrote to",
	};
	const struct at_host_context *context = &self->context;
	const struct at_host_uint3 *block = &context->block, *thread = &context->thread;
	struct at_host_launch *launch = self->launch;
	int length = snprintf(launch->failure, AT_HOST_FAILURE_BYTES,
		"kernel \"%.100s\", block (%u, %u, %u), thread (%u, %u, %u) %s ",
		launch->kernel->name, block->x, block->y, block->z, thread->x,
		thread->y, thread->z, accesses[self->fault.access]);
	char *rest = launch->failure + length;
	size_t room = AT_HOST_FAILURE_BYTES - (size_t)length;
	/* offset in this worker's region; far larger for an address elsewhere */
	uint64_t offset = self->fault.address - (uint64_t)(uintptr_t)self;

	launch->fault_address = self->fault.address;
	if (!self->fault.address) {
		snprintf(rest, room,
			"an address that cannot be told: one that no process can have, or one that a vector of its type cannot have");
	} else if (offset >= STATIC_OFFSET && offset < STACKS_OFFSET) {
		launch->outcome = AT_OUTCOME_OUT_OF_BOUNDS;
		snprintf(rest, room,
			"address 0x%" PRIx64
			", outside its shared memory (%zu bytes of variables, %zu bytes dynamic)",
			self->fault.address, launch->shared->static_bytes,
			launch->dynamic_bytes);
	} else {
		snprintf(rest, room, "address 0x%" PRIx64, self->fault.address);
	}
}

void worker_give_up(struct at_host_worker *self, enum at_outcome outcome,
	void (*describe)(struct at_host_worker *))
{
	static atomic_flag speaking = ATOMIC_FLAG_INIT;

	while (atomic_flag_test_and_set(&speaking))
		;
	if (!atomic_load(&self->launch->stopped)) {
		self->launch->outcome = outcome;
		describe(self);
		atomic_store(&self->launch->stopped, true);
	}
	atomic_flag_clear(&speaking);
}
