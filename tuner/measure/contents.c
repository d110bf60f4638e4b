/* Fills the inputs, set by set, and makes the expected outputs. */
#include "measure/contents.h"
#include "base/memory.h"
#include "measure/buffers.h"
#include "measure/checks.h"
#include "measure/place.h"
#include "measure/reference.h"
#include "measure/support.h"
#include "measure/trip.h"
#include "measure/data.h"

#include <math.h>
#include <stdlib.h>

/*
 * An input that is also copied into a variable is the same in all sets: otherwise the
 * variable would have to be written ahead of every launch.
 */
static bool has_symbol(const struct at_measure_context *self, size_t argument)
{
	const char *symbol = self->setup->arguments[argument].symbol;

	return symbol && symbol[0];
}

enum at_status contents_fill(struct at_measure_context *self, size_t argument,
	unsigned set, struct at_error *err)
{
	/* not data[0]: that may be a pattern now, or have been swapped with data[1] */
	const struct at_data of_symbol = { .seed = self->setup->seed,
		.pattern = self->symbols };
	const struct at_data *data =
		has_symbol(self, argument) ? &of_symbol : &self->data[set];
	struct buffer *buffer = &self->buffers[argument];
	struct place *place = &buffer->places[place_side_of_set(self, set)];
	enum at_status status = place_protect(self, place, AT_PROTECTION_WRITE, err);
	struct data_fill fill;

	if (status)
		return status;
	data_choose(self->setup, argument, data, &fill);
	list_place_zones(self, &self->queue, argument, place,
		place_zone_byte(argument, self->fill_count++));
	if (fill.kind != AT_FILL_FILE)
		support_fill(
			self, &self->queue, argument, place_address(self, place), data);
	status = bench_run_own(self, "filling", argument, err);
	if (!status && fill.kind == AT_FILL_FILE)
		status = place_upload(self, argument, fill.file, place, err);
	return status ? status : place_protect(self, place, AT_PROTECTION_READ, err);
}

/* Uploads what an inout buffer is restored from, where a file has its contents. */
static enum at_status keep_original(struct at_measure_context *self, size_t argument,
	unsigned set, struct at_error *err)
{
	struct place *place = &self->buffers[argument].originals[set];
	enum at_status status = AT_OK;
	struct data_fill fill;

	data_choose(self->setup, argument, &self->data[set], &fill);
	if (fill.kind != AT_FILL_FILE)
		return AT_OK;
	if (!place->memory)
		status = place_make(self, argument, SIDE_END, place, err);
	return status ? status : place_upload(self, argument, fill.file, place, err);
}

/* What the space declares for a set. */
struct at_data contents_declared(uint64_t seed, unsigned set)
{
	struct at_data data = { .seed = seed };

	/* set 0 has the space's seed, set 1 another one */
	if (set) {
		data.seed ^= 0x5bd1e9955bd1e995u;
		data.keeps_shape = true;
	}
	return data;
}

/* Takes the checksums of inputs that are not guarded, before any kernel of the template
   has run. */
static enum at_status sum_inputs(
	struct at_measure_context *self, unsigned set, struct at_error *err)
{
	const struct at_measure_setup *setup = self->setup;
	enum at_status status;

	if (self->is_guarded)
		return AT_OK;
	check_begin(self);
	for (uint32_t i = 0; i < setup->argument_count; i++)
		if (setup->arguments[i].access == AT_ACCESS_IN)
			check_queue_input(self, i, set);
	status = check_finish(self, "summing the inputs", err);
	if (status)
		return status;
	for (uint32_t i = 0; i < setup->argument_count; i++)
		self->buffers[i].checksums[set] = check_sum(self, i, CHECK_INPUT, set);
	return AT_OK;
}

static enum at_status fill_set(
	struct at_measure_context *self, unsigned set, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (uint32_t i = 0; i < self->setup->argument_count && !status; i++) {
		if (self->setup->arguments[i].access == AT_ACCESS_IN)
			status = contents_fill(self, i, set, err);
		else if (self->setup->arguments[i].access == AT_ACCESS_INOUT)
			status = keep_original(self, i, set, err);
	}
	/* before the reference runs, which may write to inputs by mistake */
	return status ? status : sum_inputs(self, set, err);
}

/* Protects the expected outputs of a set: the reference writes them, later only our own
   kernels read them. */
static enum at_status protect_expected(struct at_measure_context *self, unsigned set,
	enum at_protection protection, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (uint32_t i = 0; i < self->setup->argument_count && !status; i++)
		status = place_protect(
			self, &self->buffers[i].expected[set], protection, err);
	return status;
}

/* Keeps a host copy of the inputs that are copied into variables: bench_set_symbols()
   needs it for each module that is loaded. */
static enum at_status keep_contents(
	struct at_measure_context *self, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (uint32_t i = 0; i < self->setup->argument_count && !status; i++) {
		struct buffer *buffer = &self->buffers[i];
		const struct place *place = &buffer->places[place_side_of_set(self, 0)];

		if (!has_symbol(self, i))
			continue;
		if (!buffer->contents)
			buffer->contents = malloc(buffer->bytes);
		if (!buffer->contents)
			return at_fail_memory(err);
		status = self->device->ops->read(self->device, place->memory,
			place->offset_bytes, buffer->contents, buffer->bytes, err);
	}
	return status;
}

bool bench_vary_symbols(struct at_measure_context *self)
{
	bool varies = false;

	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		const struct at_data declared = { .seed = self->setup->seed };
		const struct at_data other = { .seed = self->setup->seed,
			.pattern = AT_DATA_REVERSED };
		struct data_fill as_is, varied;

		if (!has_symbol(self, i))
			continue;
		data_choose(self->setup, i, &declared, &as_is);
		data_choose(self->setup, i, &other, &varied);
		varies = varies || as_is.kind != varied.kind ||
			 as_is.pattern != varied.pattern;
	}
	/* Reversed, so that the numbers stay the same: a filter that sums up to one
	   still does. It changes nothing if they are all one number. */
	if (varies)
		self->symbols = AT_DATA_REVERSED;
	return varies;
}

/* Whether an argument holds integers, which a reference computes alike in each run. Not
   a structure: its padding is never written. */
static bool is_whole(const struct at_measure_context *self, size_t argument)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];

	return !facts->has_fields && !data_is_real(facts);
}

/*
 * Whether there are outputs of integers. Any bits are a valid integer, so poison does
 * not show by itself: the reference runs twice, from two poisons, and values that it
 * leaves unwritten differ.
 */
static bool has_whole_outputs(const struct at_measure_context *self)
{
	for (uint32_t i = 0; i < self->setup->argument_count; i++)
		if (self->setup->arguments[i].access == AT_ACCESS_OUT &&
			is_whole(self, i))
			return true;
	return false;
}

static enum at_status expect_twice(
	struct at_measure_context *self, unsigned set, struct at_error *err)
{
	size_t count = self->setup->argument_count;
	uint64_t *sums = at_calloc(count + 1, sizeof(*sums));
	enum at_status status;

	status = reference_run(self, set, POISON, err);
	for (size_t i = 0; i < count; i++)
		sums[i] = self->buffers[i].expected_checksums[set];
	if (!status)
		status = reference_run(self, set, POISON_AGAIN, err);
	for (size_t i = 0; i < count && !status; i++)
		/* sums of reals may be added up in another order in each run */
		if (sums[i] != self->buffers[i].expected_checksums[set] &&
			is_whole(self, i))
			status = at_fail(err, AT_EINVAL, NULL, 0,
				"the reference leaves some of \"%s\" unwritten: write all of it there, or make it \"inout\", which kernels find filled",
				self->setup->arguments[i].name);
	free(sums);
	return status;
}

static enum at_status fill_with(struct at_measure_context *self, unsigned set,
	const struct at_data *data, struct at_error *err)
{
	enum at_status status;

	self->data[set] = *data;
	status = fill_set(self, set, err);
	return status || set ? status : keep_contents(self, err);
}

static enum at_status expect(
	struct at_measure_context *self, unsigned set, bool twice, struct at_error *err)
{
	enum at_status status = protect_expected(self, set, AT_PROTECTION_WRITE, err);

	if (!status)
		status = twice ? expect_twice(self, set, err)
			       : reference_run(self, set, POISON, err);
	return status ? status : protect_expected(self, set, AT_PROTECTION_READ, err);
}

enum at_status contents_begin(struct at_measure_context *self, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (unsigned set = 0; set < self->set_count && !status; set++) {
		const struct at_data data = contents_declared(self->setup->seed, set);

		status = fill_with(self, set, &data, err);
	}
	return status;
}

enum at_status contents_expect(struct at_measure_context *self, struct at_error *err)
{
	enum at_status status = AT_OK;

	/* twice in one set only: what a reference leaves unwritten rarely depends on
	   the data */
	for (unsigned set = 0; set < self->set_count && !status; set++)
		status = expect(self, set, set == 0 && has_whole_outputs(self), err);
	return status;
}

enum at_status bench_use_data(struct at_measure_context *self, unsigned set,
	const struct at_data *data, struct at_error *err)
{
	enum at_status status;

	self->is_settled = false;
	status = fill_with(self, set, data, err);
	/* AT_ENOENT has another meaning here: a file that is missing is AT_EIO */
	if (status)
		return status == AT_ENOENT ? AT_EIO : status;
	status = expect(self, set, has_whole_outputs(self), err);
	/* AT_EINVAL: the reference's output cannot be compared */
	return status == AT_EINVAL ? AT_ENOENT : status;
}

/* Up to 1/512 of a value: enough that a kernel which recognizes numbers by their
   leading digits does not take one for the other. */
#define JOLT_STEPS (1u << 14)
#define JOLT_SEED 0xbb67ae8584caa73bu
/* 2^53: below it integers lose no bits as doubles. */
#define JOLT_MOST 9007199254740992.0

/* Whether an input may be jolted, and the bounds for its values. */
static bool is_jolted(const struct at_measure_context *self, size_t argument,
	double *low, double *high)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];

	if (facts->access != AT_ACCESS_IN || facts->has_fields || facts->width ||
		facts->is_fixed)
		return false;
	if (!data_range(self->setup, argument, AT_DATA_DECLARED, low, high)) {
		/* what may not change */
		if (facts->fill == AT_FILL_CONSTANT || facts->has_domain)
			return false;
		*low = -INFINITY;
		*high = INFINITY;
		/* a range of one number: no index goes below 0 */
		if (!data_is_real(facts))
			*low = facts->fill == AT_FILL_INDEX
				       ? 0
				       : ceil(fmin(facts->fill_a, facts->fill_b));
	}
	if (data_is_real(facts))
		return facts->element == AT_ELEMENT_F32;
	return (facts->fill == AT_FILL_INDEX || facts->fill == AT_FILL_UNIFORM) &&
	       fabs(facts->fill_a) < JOLT_MOST && fabs(facts->fill_b) < JOLT_MOST;
}

bool bench_jolt(struct at_measure_context *self, unsigned set, struct at_error *err)
{
	enum at_status status = AT_OK;
	bool has_jolted = false;

	self->is_settled = false;
	/* only guarded inputs: for others the checksums would have to be taken again */
	for (uint32_t i = 0;
		i < self->setup->argument_count && self->is_guarded && !status; i++) {
		struct place *place =
			&self->buffers[i].places[place_side_of_set(self, set)];
		double low, high;

		if (!is_jolted(self, i, &low, &high))
			continue;
		status = place_protect(self, place, AT_PROTECTION_WRITE, err);
		if (status)
			break;
		support_jolt(self, &self->queue, i, place_address(self, place),
			JOLT_STEPS, JOLT_SEED + i, low, high);
		status = bench_run_own(self, "changing", i, err);
		if (!status)
			status = place_protect(self, place, AT_PROTECTION_READ, err);
		has_jolted = true;
	}
	return has_jolted && !status;
}

enum at_status bench_settle(struct at_measure_context *self, struct at_error *err)
{
	enum at_status status = AT_OK;

	self->symbols = AT_DATA_DECLARED;
	for (unsigned set = 0; set < self->set_count && !self->is_settled && !status;
		set++) {
		const struct at_data data = contents_declared(self->setup->seed, set);

		status = fill_with(self, set, &data, err);
		if (!status)
			status = expect(self, set, false, err);
	}
	self->is_settled = !status;
	return status;
}

enum at_status bench_exchange(struct at_measure_context *self, struct at_error *err)
{
	struct at_data data = self->data[0];
	enum at_status status;

	if (self->set_count < 2)
		return AT_OK;
	self->data[0] = self->data[1];
	self->data[1] = data;
	self->is_settled = false;
	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		struct buffer *buffer = &self->buffers[i];
		const struct buffer old = *buffer;

		for (unsigned set = 0; set < SETS; set++) {
			buffer->expected[set] = old.expected[1 - set];
			buffer->expected_checksums[set] =
				old.expected_checksums[1 - set];
			buffer->expectations[set] = old.expectations[1 - set];
		}
	}
	status = fill_set(self, 0, err);
	return status ? status : fill_set(self, 1, err);
}

enum at_status bench_align(
	struct at_measure_context *self, uint64_t alignment, struct at_error *err)
{
	struct staging end = { .side = SIDE_END };
	enum at_status status = AT_OK;

	if (!self->is_guarded)
		return AT_OK;
	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		struct buffer *buffer = &self->buffers[i];

		if (buffer->places[SIDE_END].memory)
			place_fit(self, i, &buffer->places[SIDE_END], SIDE_END,
				alignment);
	}
	list_zones(self, &self->queue, end, 0);
	if (bench_run(self, err) != AT_OUTCOME_OK)
		return AT_EDEVICE;
	for (unsigned set = 0; set < self->set_count && !status; set++)
		if (place_side_of_set(self, set) == SIDE_END)
			status = fill_set(self, set, err);
	return status;
}
