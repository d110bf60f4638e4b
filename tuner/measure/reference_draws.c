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
/* Behind them, with results rounded towards 0, which as places stay in bounds. */
#define ROUNDED_DRAWS 3
#define TOWARDS_ZERO(draw) (4 * (draw) + 2) /* rounded.cu */
/* No further draw after so long: there are many kinds of data, with draws for each. */
#define DRAWS_NS 3e8
/* The times here are those of a machine that does nothing else, or verdicts would
   depend on its load: as many times the fastest draw. But no more than BUSY times as
   long is waited, for the evaluation has a deadline. */
#define BUSY 2.0
#define DRAW_SEED 0x6a09e667f3bcc908u
/* If at most one of LOST_PART values is nothing but rounding errors, anything passes at
   these values (REACH_ANY). If there are more, an error of REACH_PART is the limit, as
   nearly everything would pass otherwise. */
#define LOST_PART 64
#define REACH_PART 0.1
#define REACH_ANY 1e30

/* Whether an output has a reach: floats whose expected values are those of the
   reference in double, with a default tolerance, where the data magnifies rounding. */
static bool has_reach(const struct at_bench *self, size_t argument, unsigned set)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];

	return self->buffers[argument].expected[set].memory &&
	       facts->element == AT_ELEMENT_F32 && tolerance_is_default(facts) &&
	       tolerance_magnifies(self, argument, set);
}

/* An input whose last bit rounding may as well have had otherwise. */
static bool is_drawn(
	const struct at_bench *self, size_t argument, enum at_element element)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];

	return facts->access == AT_ACCESS_IN && facts->element == element &&
	       !facts->has_fields;
}

static bool is_jolted(const struct at_bench *self, size_t argument)
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

/* How long draws take. */
struct pace {
	uint64_t start_ns;
	double before_ns; /* the last draw's end, since then */
	double least_ns; /* of one draw; only if there was one */
};

static struct pace pace_begin(void)
{
	return (struct pace){ .start_ns = at_clock_now_ns(), .least_ns = INFINITY };
}

/* Call after each draw. Whether so many draws have taken as long as they may. */
static bool pace_is_over(struct pace *self, unsigned draws, double limit_ns)
{
	double took_ns = (double)(at_clock_now_ns() - self->start_ns);

	self->least_ns = fmin(self->least_ns, took_ns - self->before_ns);
	self->before_ns = took_ns;
	return draws * self->least_ns > limit_ns || took_ns > BUSY * limit_ns;
}

static void free_copies(struct at_bench *self, struct at_memory **copies)
{
	for (uint32_t i = 0; copies && i < self->setup->argument_count; i++)
		if (copies[i] && !self->device->is_lost)
			self->device->ops->release(self->device, copies[i]);
	free(copies);
}

/* Makes a copy of each buffer of the reference, and with_reach memory for the reach.
   NULL: there is no room. */
static struct at_memory **make_copies(
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
	free_copies(self, copies);
	return NULL;
}

/* Lists the calls that fill the copies for a draw: nudged inputs, poisoned outputs. */
static void list_copies(
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

	list_copies(self, set, copies, nudged);
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

	(void)module;
	(void)context;
	for (unsigned taken = 0; taken < DRAWS; taken++) {
		if (take_one(self, set, call, copies, taken, taken == 0, err) !=
			AT_OUTCOME_OK)
			return false;
		if (pace_is_over(&pace, taken + 1, DRAWS_NS) && taken > 0)
			break;
	}
	return true;
}

/* Chooses how the reference's results are rounded in a draw. */
static bool round_draw(struct at_bench *self, struct at_module *module, uint32_t draw,
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
		if (!round_draw(self, module, TOWARDS_ZERO(taken), err) ||
			take_one(self, set, call, copies, 0, false, err) !=
				AT_OUTCOME_OK)
			return false;
		else if (pace_is_over(&pace, taken + 1, DRAWS_NS))
			break;
	return true;
}

/* What to do with the reference bound to the copies. False: it failed. */
typedef bool (*take_draws)(struct at_bench *self, unsigned set,
	struct at_module *module, const struct bound_call *call,
	struct at_memory **copies, void *context, struct at_error *err);

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

/* is_rounded: of the reference with random roundings. */
static bool run_draws(struct at_bench *self, unsigned set, bool is_rounded,
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
	/* without an input to nudge all draws would be the same */
	if (!is_wanted || !(is_nudged || is_rounded) || setup->watched)
		return AT_OK;
	copies = make_copies(self, set, true);
	if (!copies)
		return AT_OK;
	if (run_draws(self, set, false, copies, take_all, NULL, &reason)) {
		keep(self, set);
		if (is_rounded &&
			run_draws(self, set, true, copies, take_rounded, NULL, &reason))
			keep(self, set);
	}
	free_copies(self, copies);
	if (self->device->is_lost)
		return at_fail(err, AT_EDEVICE, NULL, 0,
			"the reference on inputs with other last bits failed: %s",
			reason.text);
	return AT_OK;
}

/* ---- what rounding decides ------------------------------------------------------ */

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
	return is_jolted(self, input) &&
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
		list_copies(self, set, copies, 0);
		if (!is_rounding)
			list_jolts(self, set, excuse->argument, copies, draw);
		if (is_rounding && !round_draw(self, module, draw, err))
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
	struct at_memory **copies = make_copies(self, staging.set, false);
	struct at_error ignored = { 0 };
	bool answer = copies && begin_excuse(self, staging, &excuse) &&
		      run_draws(self, staging.set, is_rounding, copies, take_excuses,
			      &excuse, &ignored);

	self->queue.count = 0;
	if (!self->device->is_lost) {
		if (excuse.actual)
			self->device->ops->release(self->device, excuse.actual);
		if (excuse.expected)
			self->device->ops->release(self->device, excuse.expected);
	}
	free_copies(self, copies);
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
