/*
 * Wrong values that rounding decides: next to a border a value jumps by more than any
 * tolerance, and what the reference gives on inputs that are moved a little, or with
 * its results rounded otherwise, is right as well (reference_draws.h).
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
#include "kernel/source.h"

#include <math.h>

/* How many draws are made to excuse wrong values. The first is on the inputs as they
   are; each other one moves half of the values next to a border across it. */
#define EXCUSES 12
/* If the first few excuse nothing, no other is made. */
#define FIRST_EXCUSES 4
/*
 * If at most FEW_WRONG values are wrong, more draws are made, for whether one of them
 * excuses a value is chance then: how many steps a point takes to leave a set depends
 * on every rounding on its way, and agrees with a kernel's count in one draw of ten; a
 * ray that touches a sphere hits it in one of a few. The later draws move inputs by
 * more steps, since intermediate results are larger than inputs and round more of their
 * bits.
 */
#define FEW_WRONG 16
#define EXCUSES_OF_FEW 128
#define STEPS_OF_FEW 64
#define DRAWS_OF_FEW_NS 2e9
#define EXCUSE_SEED 0x3c6ef372fe94f82bu
#define EXCUSE_STEPS 4
/* How close a value has to be to what the reference gives in float where many follow
   that and not double: as where there is no double, however much room patterns get. */
#define FOLLOWS 3.0517578125e-5 /* 2^-15 */
/* A reference that takes longer is not drawn: the evaluation has a deadline. A single
   draw does not tell what it takes on an idle machine: BUSY times as long may pass. */
#define EXCUSE_NS_MAX 2.5e8

/* How many wrong values of an output may be excused at most: one of EXCUSED_PART. In
   outputs with fewer reals than that, as on the smallest problems, each may be. Not so
   for integers, since a lost count must not be excused. */
static uint64_t excused_most(const struct at_bench *self, size_t argument)
{
	enum at_element element = self->setup->arguments[argument].element;
	uint64_t count = buffer_scalars(self, argument);

	return count < EXCUSED_PART && at_element_kind(element) == AT_ELEMENT_KIND_REAL
		       ? count
		       : count / EXCUSED_PART;
}

/* Whether an input is moved to find other right values of an output. A step of a float
   is far more than what rounding does where the reference computes in double: it would
   excuse a kernel that computes in float. */
static bool is_jolted_for(const struct at_bench *self, size_t input, size_t output)
{
	return draws_is_jolted(self, input) &&
	       (self->setup->arguments[input].element == AT_ELEMENT_F64 ||
		       self->setup->arguments[output].element != AT_ELEMENT_F64 ||
		       tolerance_float_error(self, output, 0) != 0);
}

static bool has_jolted(const struct at_bench *self, size_t output)
{
	for (uint32_t i = 0; i < self->setup->argument_count; i++)
		if (is_jolted_for(self, i, output))
			return true;
	return false;
}

/*
 * Whole numbers, such as those of an image, have no last bit to move, and moving the
 * inputs does not move everything: 4 stays, but not 4 / 127. So for an output of whole
 * numbers the results of the reference's operations are rounded up or down at random:
 * what lies next to a border is on either side by some of these draws, and what needs
 * no rounding stays where it is, on a border too.
 */
static bool may_round(const struct at_bench *self, size_t argument)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];

	return self->setup->rounded_bytes &&
	       at_element_kind(facts->element) != AT_ELEMENT_KIND_REAL;
}

/*
 * Whether a value that the reference gives in float may be right although it does not
 * in double: in data of a pattern the same numbers are everywhere, and if they come to
 * a border (half a step), all of an output is on the other side of it. Not on data as
 * declared, where only some do.
 */
static bool may_follow_float(const struct at_bench *self, size_t argument, unsigned set)
{
	const struct at_measure_setup *setup = self->setup;
	enum at_element element = setup->arguments[argument].element;

	return setup->wide_bytes && !self->wide_is_off &&
	       at_element_kind(element) == AT_ELEMENT_KIND_REAL &&
	       self->data[set].pattern != AT_DATA_DECLARED;
}

bool draws_may_excuse(const struct at_bench *self, size_t argument, unsigned set,
	const uint64_t *found)
{
	const struct at_measure_setup *setup = self->setup;
	const struct at_measure_argument *facts = &setup->arguments[argument];
	bool is_real = at_element_kind(facts->element) == AT_ELEMENT_KIND_REAL;

	if (setup->reference != AT_REFERENCE_KERNEL || setup->watched || facts->owner ||
		/* a space that asks for equal reals gets that */
		(is_real && facts->rtol == 0 && facts->atol == 0))
		return false;
	/* Of whole inputs, a value that another rounding of the reference gives is
	   right, however many there are: all of them, where the same numbers everywhere
	   come to a border. */
	if (may_round(self, argument) && !has_jolted(self, argument) && found[5] == 0)
		return true;
	return may_follow_float(self, argument, set) ||
	       (found[0] <= excused_most(self, argument) &&
		       (has_jolted(self, argument) || may_round(self, argument)));
}

/* A copy of an output, in which excused values are replaced by the expected ones. */
struct excuse {
	size_t argument;
	struct tolerance tolerance;
	struct at_memory *actual;
	struct at_memory *expected; /* not masked */
	uint64_t wrong; /* values, before any is excused */
	bool is_rounding; /* by roundings at random, and not by jolted inputs */
};

/* How many values of the copy are wrong now; UINT64_MAX: not known. */
static uint64_t count_wrong(struct at_bench *self, const struct excuse *excuse)
{
	const struct place actual = { .memory = excuse->actual };
	const struct place expected = { .memory = excuse->expected };
	struct at_error ignored = { 0 };

	check_begin(self);
	check_queue_output(
		self, excuse->argument, &actual, &expected, 0, excuse->tolerance);
	return check_end(self, &ignored) == AT_OUTCOME_OK
		       ? check_result(self, excuse->argument, CHECK_OUTPUT)[0]
		       : UINT64_MAX;
}

static void list_jolts(struct at_bench *self, unsigned set, size_t output,
	struct at_memory **copies, unsigned draw)
{
	for (uint32_t i = 0; draw && i < self->setup->argument_count; i++) {
		double low, high;

		if (!copies[i] || !is_jolted_for(self, i, output))
			continue;
		data_ends(self->setup, i, &self->data[set], &low, &high);
		support_jolt(self, &self->queue, i,
			self->device->ops->address(self->device, copies[i]),
			draw < EXCUSES ? EXCUSE_STEPS : STEPS_OF_FEW,
			EXCUSE_SEED * draw + i, low, high);
	}
}

/* Draws until all wrong values are excused. Most wrong outputs are wrong whatever is
   drawn, so the first few draws end it if they excuse nothing. */
static bool take_excuses(struct at_bench *self, unsigned set, struct at_module *module,
	const struct bound_call *call, struct at_memory **copies, void *context,
	struct at_error *err)
{
	const struct at_device_ops *ops = self->device->ops;
	struct excuse *excuse = context;
	struct excuse drawn = *excuse;
	uint64_t wrong = excuse->wrong;
	uint64_t few = excused_most(self, excuse->argument);
	enum at_element element = self->setup->arguments[excuse->argument].element;
	bool is_real = at_element_kind(element) == AT_ELEMENT_KIND_REAL;
	bool is_few = wrong <= FEW_WRONG, is_rounding = excuse->is_rounding;
	/* many only by the reference in float as it is, which is the first draw */
	bool is_many = wrong > few && !is_rounding;
	unsigned most = is_many ? 1 : is_few || is_rounding ? EXCUSES_OF_FEW : EXCUSES;
	struct tolerance tolerance = excuse->tolerance;
	struct pace pace = pace_begin();

	if (is_many) {
		tolerance.rtol = fmin(tolerance.rtol, FOLLOWS);
		tolerance.atol = fmin(tolerance.atol, FOLLOWS * tolerance.scale);
	}
	for (unsigned draw = 0; draw < most && wrong > 0; draw++) {
		double limit_ns = draw == 1                ? BUSY * EXCUSE_NS_MAX
				  : is_few && !is_rounding ? DRAWS_OF_FEW_NS
							   : DRAWS_NS;

		if (draw > 0 && pace_is_over(&pace, draw, limit_ns) &&
			(draw == 1 || draw > (is_rounding ? EXCUSES : FIRST_EXCUSES)))
			break;
		draws_list_copies(self, set, copies, 0);
		if (!is_rounding)
			list_jolts(self, set, excuse->argument, copies, draw);
		if (is_rounding && !draws_round(self, module, draw, err))
			return false;
		call_list_add(&self->queue, &call->invocation);
		support_excuse(self, &self->queue, excuse->argument,
			ops->address(self->device, excuse->actual),
			ops->address(self->device, copies[excuse->argument]),
			ops->address(self->device, excuse->expected), tolerance,
			draw > 0 && draw < EXCUSES && excuse->wrong <= few);
		if (bench_run(self, err) != AT_OUTCOME_OK)
			return false;
		if (draw + 1 < FIRST_EXCUSES && !is_many)
			continue;
		wrong = count_wrong(self, excuse);
		if (wrong >= excuse->wrong && !is_few)
			return false;
		/* If a draw itself has many other values, the output depends on luck
		   and nothing is excused. Not asked of reals moved by many steps, all
		   of which differ, nor where inputs stay as they are. */
		drawn.actual = copies[excuse->argument];
		if (!(is_real && draw >= EXCUSES) && !is_rounding && !is_many &&
			count_wrong(self, &drawn) > few)
			return false;
	}
	/* counted again so that the row of checks is that of the output */
	return wrong == 0 && count_wrong(self, excuse) == 0;
}

/* Makes and fills the two copies; comparisons read whole words of 16 bytes. */
static bool begin_excuse(
	struct at_bench *self, struct staging staging, struct excuse *excuse)
{
	const struct at_device_ops *ops = self->device->ops;
	uint64_t bytes = (self->buffers[excuse->argument].bytes + 15) / 16 * 16;
	const struct place *written = written_place(self, excuse->argument, staging);
	const struct place *expected =
		compared_place(self, excuse->argument, staging.set);
	struct at_error ignored = { 0 };

	if (ops->allocate(self->device, bytes, &excuse->actual, NULL) ||
		ops->allocate(self->device, bytes, &excuse->expected, NULL))
		return false;
	support_copy(self, &self->queue, excuse->argument, place_address(self, written),
		ops->address(self->device, excuse->actual));
	support_copy(self, &self->queue, excuse->argument,
		place_address(self, expected),
		ops->address(self->device, excuse->expected));
	support_mask(self, &self->queue, ops->address(self->device, excuse->expected),
		self->buffers[excuse->argument].bytes, self->mask);
	return bench_run(self, &ignored) == AT_OUTCOME_OK;
}

static bool excuse_by(struct at_bench *self, size_t argument, struct staging staging,
	uint64_t differing, bool is_rounding)
{
	struct excuse excuse = { .argument = argument,
		.wrong = differing,
		.is_rounding = is_rounding,
		.tolerance = tolerance_of(self, argument, staging.set) };
	struct at_memory **copies = draws_make_copies(self, staging.set, false);
	struct at_error ignored = { 0 };
	bool answer = copies && begin_excuse(self, staging, &excuse) &&
		      draws_run(self, staging.set, is_rounding, copies, take_excuses,
			      &excuse, &ignored);

	self->queue.count = 0;
	if (!self->device->is_lost) {
		if (excuse.actual)
			self->device->ops->release(self->device, excuse.actual);
		if (excuse.expected)
			self->device->ops->release(self->device, excuse.expected);
	}
	draws_free_copies(self, copies);
	return answer;
}

bool draws_excuse(struct at_bench *self, size_t argument, struct staging staging,
	uint64_t differing)
{
	bool is_some =
		has_jolted(self, argument) && differing <= excused_most(self, argument);

	if ((is_some || may_follow_float(self, argument, staging.set)) &&
		excuse_by(self, argument, staging, differing, false))
		return true;
	return !self->device->is_lost && may_round(self, argument) &&
	       excuse_by(self, argument, staging, differing, true);
}
