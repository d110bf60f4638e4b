/*
 * Where data magnifies what rounding does, by a factor of its own at each value, a
 * tolerance that is wide enough for the worst of them is of no use for all others: one
 * system in 20,000 that is nearly singular would excuse a tenth everywhere. And how far
 * off the reference in float was at one value is a draw, that may be lucky.
 *
 * So the reference in float runs several times, on inputs half of which are the next
 * number towards 0: as good as the others for whoever measured them. What it is off by
 * then, from what is expected of the inputs as they are, has both in it, what the data
 * magnifies and what the steps in between lose. The largest at each value is its reach.
 *
 * Simulated with systems of 3, 4 and 8 equations, 60,000 to 900,000 unknowns, solved in
 * float by elimination, with pivots, with inverses and by Cramer's rule, with fused
 * operations and without: beyond the least tolerance (2^-17) sound kernels are off by
 * up to 24 times the largest of five draws, but 113 times what the first one alone was.
 * The tolerance for all that this is in place of was a tenth, 1e5 times the mean error.
 */
#include "measure/reference_draws.h"
#include "measure/calls.h"
#include "measure/checks.h"
#include "measure/place.h"
#include "measure/support.h"
#include "measure/tolerance.h"
#include "measure/trip.h"
#include "base/clock.h"

#include <stdlib.h>

/* the first on inputs as they are */
#define DRAWS 5
/* after so long no more of them: there is data of many kinds, and draws for each */
#define DRAWS_NS 3e8
#define DRAW_SEED 0x6a09e667f3bcc908u
/* so many values may be nothing but rounding, and anything is right there; of more a
   tenth of a value is most that others may be off by, or all would be right */
#define LOST_PART 64
#define REACH_PART 0.1
#define REACH_ANY 1e30

/* Floats that the reference in double has replaced, and that are judged by default. */
static bool has_reach(const struct at_bench *self, size_t argument, unsigned set)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];

	return self->buffers[argument].expected[set].memory &&
	       facts->element == AT_ELEMENT_F32 && tolerance_is_default(facts) &&
	       tolerance_magnifies(self, argument, set);
}

static void free_copies(struct at_bench *self, struct at_memory **copies)
{
	for (uint32_t i = 0; copies && i < self->setup->argument_count; i++)
		if (copies[i] && !self->device->is_lost)
			self->device->ops->release(self->device, copies[i]);
	free(copies);
}

/* One of each buffer that the reference is given, and room for what is found. */
static struct at_memory **make_copies(struct at_bench *self, unsigned set)
{
	const struct at_measure_setup *setup = self->setup;
	const struct at_device_ops *ops = self->device->ops;
	struct at_memory **copies = calloc(setup->argument_count + 1, sizeof(*copies));
	enum at_status status = copies ? AT_OK : AT_ENOMEM;

	for (uint32_t i = 0; i < setup->argument_count && !status; i++) {
		struct buffer *buffer = &self->buffers[i];

		if (setup->arguments[i].access == AT_ACCESS_NONE)
			continue;
		status = ops->allocate(self->device, buffer->bytes, &copies[i], NULL);
		if (!status && has_reach(self, i, set) && !buffer->reach[set])
			status = ops->allocate(self->device,
				buffer_scalars(self, i) * sizeof(float),
				&buffer->reach[set], NULL);
	}
	/* no room for them is no reason to do without the problem */
	if (!status)
		return copies;
	free_copies(self, copies);
	return NULL;
}

/* What the reference finds: inputs with other last bits, outputs that are poisoned. */
static enum at_outcome fill_copies(struct at_bench *self, unsigned set,
	struct at_memory **copies, unsigned draw, struct at_error *err)
{
	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		enum at_access access = self->setup->arguments[i].access;
		uint64_t address, seed = draw ? DRAW_SEED * draw + i : 0;

		if (!copies[i])
			continue;
		address = self->device->ops->address(self->device, copies[i]);
		if (access == AT_ACCESS_IN)
			support_nudge(self, &self->queue, i,
				reference_place(self, i, set), address, seed);
		else if (access == AT_ACCESS_INOUT)
			support_fill(self, &self->queue, i, address, &self->data[set]);
		else
			support_pattern(self, &self->queue, address,
				self->buffers[i].bytes, POISON);
	}
	return bench_run(self, err);
}

static enum at_outcome take_one(struct at_bench *self, unsigned set,
	const struct bound_call *call, struct at_memory **copies, unsigned draw,
	struct at_error *err)
{
	enum at_outcome outcome = fill_copies(self, set, copies, draw, err);

	if (outcome == AT_OUTCOME_OK)
		outcome =
			self->device->ops->run(self->device, &call->invocation, 1, err);
	if (outcome != AT_OUTCOME_OK)
		return outcome;
	check_begin(self);
	for (uint32_t i = 0; i < self->setup->argument_count; i++)
		if (has_reach(self, i, set))
			check_queue_reach(self, i, set, copies[i], draw == 0);
	return check_end(self, err);
}

/* Two draws at least, or what one of them says would be taken for all. */
static bool take_all(struct at_bench *self, unsigned set, const struct bound_call *call,
	struct at_memory **copies, struct at_error *err)
{
	uint64_t start_ns = at_clock_now_ns();
	unsigned taken = 0;

	while (taken < DRAWS &&
		(taken < 2 || (double)(at_clock_now_ns() - start_ns) < DRAWS_NS)) {
		if (take_one(self, set, call, copies, taken, err) != AT_OUTCOME_OK)
			return false;
		taken++;
	}
	return true;
}

static bool run_draws(struct at_bench *self, unsigned set, struct at_module *module,
	struct at_memory **copies, struct at_error *err)
{
	const struct at_measure_setup *setup = self->setup;
	const struct at_measure_call *reference = &setup->reference_call;
	struct staging staging = { set, SIDE_END };
	struct bound_call call = { 0 };
	bool is_done = false;

	if (bench_set_symbols(self, module, err) == AT_OUTCOME_OK &&
		!bound_call_init(self, module, reference, setup->bindings, staging,
			true, &call, err)) {
		for (uint32_t i = 0; i < reference->argument_count; i++) {
			struct at_memory *copy = copies[reference->arguments[i]];

			if (copy)
				call.values[i] = value_u64(
					self->device->ops->address(self->device, copy));
		}
		is_done = take_all(self, set, &call, copies, err);
	}
	bound_call_release(&call);
	return is_done;
}

/* By the last draw, which has looked at all. */
static void keep(struct at_bench *self, unsigned set)
{
	for (uint32_t i = 0; i < self->setup->argument_count; i++)
		if (has_reach(self, i, set))
			self->buffers[i].expectations[set].reach_part =
				check_result(self, i, CHECK_OUTPUT)[0] >
						buffer_scalars(self, i) / LOST_PART
					? REACH_PART
					: REACH_ANY;
}

enum at_status draws_take(struct at_bench *self, unsigned set, struct at_error *err)
{
	const struct at_measure_setup *setup = self->setup;
	const struct at_device_ops *ops = self->device->ops;
	struct at_module *module = NULL;
	struct at_error reason = { 0 };
	struct at_memory **copies;
	bool is_wanted = false;

	for (uint32_t i = 0; i < setup->argument_count; i++)
		is_wanted = is_wanted || has_reach(self, i, set);
	if (!is_wanted || setup->watched)
		return AT_OK;
	copies = make_copies(self, set);
	if (!copies)
		return AT_OK;
	if (ops->load(self->device, setup->reference_image, setup->reference_bytes,
		    &module, &reason) == AT_OUTCOME_OK) {
		if (run_draws(self, set, module, copies, &reason))
			keep(self, set);
		if (!self->device->is_lost)
			ops->unload(self->device, module);
	}
	self->queue.count = 0;
	free_copies(self, copies);
	if (self->device->is_lost)
		return at_fail(err, AT_EDEVICE, NULL, 0,
			"the reference on inputs with other last bits failed: %s",
			reason.text);
	return AT_OK;
}
