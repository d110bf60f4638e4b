/*
 * Some data magnifies rounding errors, by a different factor at each value. A tolerance
 * that is wide enough for the worst value is then far too wide for all others: one
 * system in 20,000 that is nearly singular would excuse an error of a tenth everywhere.
 * And the error of one run of the reference in float is chance: it may be small by
 * luck.
 *
 * So the reference in float runs several times, on inputs of which half are moved to
 * the next number towards 0, which is as good an input. Its error against the expected
 * value of the original inputs then contains both what the data magnifies and what the
 * operations lose. The largest error at each value is the reach of that value.
 *
 * Simulated with systems of 3, 4 and 8 equations, 60,000 to 900,000 unknowns, solved in
 * float by elimination, with pivots, with inverses and by Cramer's rule, with fused
 * operations and without: beyond the least tolerance (2^-17) sound kernels are off by
 * up to 24 times the largest of five draws, but 113 times what the first one alone was.
 * The tolerance for all that this is in place of was a tenth, 1e5 times the mean error.
 *
 * Where an input has whole numbers, further draws round the reference's results at
 * random (has_whole_values()).
 */
#include "measure/reference_draws.h"
#include "measure/reference_draws_parts.h"
#include "measure/calls.h"
#include "measure/checks.h"
#include "measure/data.h"
#include "measure/place.h"
#include "measure/support.h"
#include "measure/tolerance.h"
#include "measure/trip.h"
#include "base/clock.h"
#include "kernel/source.h"

#include <math.h>
#include <stdlib.h>

/* How many draws; the first is on the inputs as they are. */
#define DRAWS 5
/* Behind them, with results rounded towards 0, so that what is computed of them alone
   and then a place is not beyond the last one. */
#define ROUNDED_DRAWS 3
#define TOWARDS_ZERO(draw) (4 * (draw) + 2) /* rounded.cu */
#define DRAW_SEED 0x6a09e667f3bcc908u
/* If at most one of LOST_PART values is nothing but rounding errors, anything passes at
   these values (REACH_ANY). If there are more, an error of REACH_PART is the limit, as
   nearly everything would pass otherwise. */
#define LOST_PART 64
#define REACH_PART 0.1
/* Of so few values one run of the reference in float does not tell whether the data
   magnifies rounding. */
#define FEW_VALUES 256
#define REACH_ANY 1e30

/* An input whose last bit rounding may as well have had otherwise. */
static bool is_drawn(
	const struct at_bench *self, size_t argument, enum at_element element)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];

	return facts->access == AT_ACCESS_IN && facts->element == element &&
	       !facts->has_fields;
}

bool draws_is_jolted(const struct at_bench *self, size_t argument)
{
	return is_drawn(self, argument, AT_ELEMENT_F32) ||
	       is_drawn(self, argument, AT_ELEMENT_F64);
}

/* An input of whole numbers that are neither places nor in order. What is computed from
   them is rounded, but they have no last bit to move: the angle of a rotation by whole
   places is off by its factor's rounding, whatever is rotated. */
static bool has_whole_values(const struct at_measure_setup *setup)
{
	for (uint32_t i = 0; i < setup->argument_count; i++) {
		const struct at_measure_argument *facts = &setup->arguments[i];

		if (facts->access == AT_ACCESS_IN && !facts->has_fields &&
			at_element_kind(facts->element) != AT_ELEMENT_KIND_REAL &&
			facts->fill != AT_FILL_INDEX && facts->fill != AT_FILL_SEQUENCE)
			return true;
	}
	return false;
}

/* Whether the reference in float may be right by luck where others are not, at all of
   an output that has few values: one word that is turned by its place. */
static bool says_little(const struct at_bench *self, size_t argument)
{
	return self->setup->rounded_bytes && has_whole_values(self->setup) &&
	       buffer_scalars(self, argument) <= FEW_VALUES;
}

/* Whether an output has a reach: floats whose expected values are those of the
   reference in double, with a default tolerance, where the data magnifies rounding. */
static bool has_reach(const struct at_bench *self, size_t argument, unsigned set)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];

	return self->buffers[argument].expected[set].memory &&
	       facts->element == AT_ELEMENT_F32 && tolerance_is_default(facts) &&
	       (tolerance_magnifies(self, argument, set) ||
		       says_little(self, argument));
}

struct pace pace_begin(void)
{
	return (struct pace){ .start_ns = at_clock_now_ns(), .least_ns = INFINITY };
}

bool pace_is_over(struct pace *self, unsigned draws, double limit_ns)
{
	double took_ns = (double)(at_clock_now_ns() - self->start_ns);

	self->least_ns = fmin(self->least_ns, took_ns - self->before_ns);
	self->before_ns = took_ns;
	return draws * self->least_ns > limit_ns || took_ns > BUSY * limit_ns;
}

void draws_free_copies(struct at_bench *self, struct at_memory **copies)
{
	for (uint32_t i = 0; copies && i < self->setup->argument_count; i++)
		if (copies[i] && !self->device->is_lost)
			self->device->ops->release(self->device, copies[i]);
	free(copies);
}

struct at_memory **draws_make_copies(
	struct at_bench *self, unsigned set, bool with_reach)
{
	const struct at_measure_setup *setup = self->setup;
	const struct at_device_ops *ops = self->device->ops;
	struct at_memory **copies = calloc(setup->argument_count + 1, sizeof(*copies));
	enum at_status status = copies ? AT_OK : AT_ENOMEM;

	for (uint32_t i = 0; i < setup->argument_count && !status; i++) {
		struct buffer *buffer = &self->buffers[i];

		if (setup->arguments[i].access == AT_ACCESS_NONE)
			continue;
		/* comparisons read whole words of 16 bytes */
		status = ops->allocate(
			self->device, (buffer->bytes + 15) / 16 * 16, &copies[i], NULL);
		if (!status && with_reach && has_reach(self, i, set) &&
			!buffer->reach[set])
			status = ops->allocate(self->device,
				buffer_scalars(self, i) * sizeof(float),
				&buffer->reach[set], NULL);
	}
	/* without room there are no draws, and that is all */
	if (!status)
		return copies;
	draws_free_copies(self, copies);
	return NULL;
}

void draws_list_copies(
	struct at_bench *self, unsigned set, struct at_memory **copies, unsigned draw)
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
}

/* nudged: the number of the draw, 0 for inputs as they are */
static enum at_outcome take_one(struct at_bench *self, unsigned set,
	const struct bound_call *call, struct at_memory **copies, unsigned nudged,
	bool is_first, struct at_error *err)
{
	enum at_outcome outcome;

	draws_list_copies(self, set, copies, nudged);
	outcome = bench_run(self, err);
	if (outcome == AT_OUTCOME_OK)
		outcome =
			self->device->ops->run(self->device, &call->invocation, 1, err);
	if (outcome != AT_OUTCOME_OK)
		return outcome;
	check_begin(self);
	for (uint32_t i = 0; i < self->setup->argument_count; i++)
		if (has_reach(self, i, set))
			check_queue_reach(self, i, set, copies[i], is_first);
	return check_end(self, err);
}

/* Takes all draws: at least two, since one alone says nothing. */
static bool take_all(struct at_bench *self, unsigned set, struct at_module *module,
	const struct bound_call *call, struct at_memory **copies, void *context,
	struct at_error *err)
{
	struct pace pace = pace_begin();
	/* without an input to nudge all draws would be the same */
	const bool *is_nudged = context;
	unsigned draws = *is_nudged ? DRAWS : 1;

	(void)module;
	for (unsigned taken = 0; taken < draws; taken++) {
		if (take_one(self, set, call, copies, taken, taken == 0, err) !=
			AT_OUTCOME_OK)
			return false;
		if (pace_is_over(&pace, taken + 1, DRAWS_NS) && taken > 0)
			break;
	}
	return true;
}

bool draws_round(struct at_bench *self, struct at_module *module, uint32_t draw,
	struct at_error *err)
{
	bool found = false;

	return self->device->ops->set_symbol(self->device, module, AT_ROUNDED_DRAW,
		       &draw, sizeof(draw), &found, err) == AT_OUTCOME_OK &&
	       found;
}

/* Takes some behind these, of the reference with random roundings. */
static bool take_rounded(struct at_bench *self, unsigned set, struct at_module *module,
	const struct bound_call *call, struct at_memory **copies, void *context,
	struct at_error *err)
{
	struct pace pace = pace_begin();

	(void)context;
	for (uint32_t taken = 0; taken < ROUNDED_DRAWS; taken++)
		if (!draws_round(self, module, TOWARDS_ZERO(taken), err) ||
			take_one(self, set, call, copies, 0, false, err) !=
				AT_OUTCOME_OK)
			return false;
		else if (pace_is_over(&pace, taken + 1, DRAWS_NS))
			break;
	return true;
}

static bool bind_draws(struct at_bench *self, unsigned set, struct at_module *module,
	const struct at_measure_call *reference, struct at_memory **copies,
	take_draws take, void *context, struct at_error *err)
{
	const struct at_measure_setup *setup = self->setup;
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
		is_done = take(self, set, module, &call, copies, context, err);
	}
	bound_call_release(&call);
	return is_done;
}

bool draws_run(struct at_bench *self, unsigned set, bool is_rounded,
	struct at_memory **copies, take_draws take, void *context, struct at_error *err)
{
	const struct at_measure_setup *setup = self->setup;
	const struct at_device_ops *ops = self->device->ops;
	struct at_measure_call reference = setup->reference_call;
	struct at_module *module = NULL;
	bool is_done = false;

	if (is_rounded)
		reference.symbol = setup->rounded_symbol;
	if (ops->load(self->device,
		    is_rounded ? setup->rounded_image : setup->reference_image,
		    is_rounded ? setup->rounded_bytes : setup->reference_bytes, &module,
		    err) == AT_OUTCOME_OK) {
		is_done = bind_draws(
			self, set, module, &reference, copies, take, context, err);
		if (!self->device->is_lost)
			ops->unload(self->device, module);
	}
	self->queue.count = 0;
	return is_done;
}

/* Sets the limit of each output's reach, by the findings of the last draw, which cover
   all draws. */
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
	struct at_error reason = { 0 };
	struct at_memory **copies;
	bool is_wanted = false, is_nudged = false;
	bool is_rounded = setup->rounded_bytes && has_whole_values(setup);

	for (uint32_t i = 0; i < setup->argument_count; i++) {
		is_wanted = is_wanted || has_reach(self, i, set);
		is_nudged = is_nudged || is_drawn(self, i, AT_ELEMENT_F32);
	}
	if (!is_wanted || !(is_nudged || is_rounded) || setup->watched)
		return AT_OK;
	copies = draws_make_copies(self, set, true);
	if (!copies)
		return AT_OK;
	if (draws_run(self, set, false, copies, take_all, &is_nudged, &reason)) {
		keep(self, set);
		if (is_rounded &&
			draws_run(self, set, true, copies, take_rounded, NULL, &reason))
			keep(self, set);
	}
	draws_free_copies(self, copies);
	if (self->device->is_lost)
		return at_fail(err, AT_EDEVICE, NULL, 0,
			"the reference on inputs with other last bits failed: %s",
			reason.text);
	return AT_OK;
}
