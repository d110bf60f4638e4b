/* Loads a configuration, saves its module's variables, and lists the calls before its
   timed launches. */
#include "measure/candidate.h"

#include "base/memory.h"
#include "measure/buffers.h"
#include "measure/checks.h"
#include "measure/place.h"
#include "measure/support.h"
#include "measure/tolerance.h"
#include "measure/trip.h"

#include <stdlib.h>
#include <string.h>

/* ---- calls ------------------------------------------------------------------ */

static void release_calls(struct at_measure_context *self, struct candidate *candidate)
{
	for (unsigned set = 0; set < SETS; set++)
		for (int side = 0; side < SIDE_COUNT; side++) {
			struct bound_calls *calls = &candidate->calls[set][side];

			bound_sequence_release(self, &calls->timed);
			bound_call_release(self, &calls->prepare);
			bound_call_release(self, &calls->finish);
		}
}

/* Whether all arguments that the configuration writes have a place on this side. */
static bool has_side(const struct at_measure_context *self, enum side side)
{
	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		enum at_access access = self->setup->arguments[i].access;

		if (access != AT_ACCESS_NONE && access != AT_ACCESS_IN &&
			!self->buffers[i].places[side].memory)
			return false;
	}
	return true;
}

static enum at_status bind_staging(struct at_measure_context *self,
	struct candidate *candidate, struct staging staging, struct at_error *err)
{
	const struct at_measure_request *request = candidate->request;
	struct bound_calls *calls = &candidate->calls[staging.set][staging.side];
	const struct at_measure_call *const wanted[] = { &request->prepare,
		&request->finish };
	struct bound_call *const bound[] = { &calls->prepare, &calls->finish };
	/* finish works on the result of the launches */
	const uint32_t *const moved[] = { NULL, candidate->moved };
	enum at_status status = bound_sequence_init(self, candidate->module, request,
		staging, &calls->timed, candidate->moved, err);

	for (size_t i = 0; i < AT_COUNT_OF(wanted) && !status; i++)
		if (wanted[i]->symbol[0])
			status = bound_call_init(self, candidate->module, wanted[i],
				request->bindings, staging, false, moved[i], bound[i],
				err);
	return status;
}

enum at_status candidate_bind(struct at_measure_context *self,
	struct candidate *candidate, struct at_error *err)
{
	enum at_status status = AT_OK;

	release_calls(self, candidate);
	for (unsigned set = 0; set < self->set_count; set++)
		for (int side = 0; side < SIDE_COUNT && !status; side++)
			if (has_side(self, (enum side)side))
				status = bind_staging(self, candidate,
					(struct staging){ set, (enum side)side }, err);
	if (!status)
		candidate_list(self, candidate);
	return status;
}

void candidate_list_launches(const struct candidate *candidate, struct call_list *list,
	struct staging staging)
{
	const struct bound_sequence *timed =
		&candidate->calls[staging.set][staging.side].timed;

	for (size_t i = 0; i < timed->count; i++)
		call_list_add(list, &timed->launches[i]);
}

void candidate_list_prepare(struct call_list *list, const struct bound_calls *calls)
{
	if (calls->prepare.invocation.kernel)
		call_list_add(list, &calls->prepare.invocation);
	list_copy(list, &calls->timed, false);
}

struct place *candidate_output(const struct at_measure_context *self,
	const struct candidate *candidate, size_t argument, struct staging staging)
{
	uint32_t owner = self->setup->arguments[argument].owner;

	return buffer_place(
		self, candidate->moved[owner ? owner - 1 : argument], staging);
}

enum at_outcome candidate_time(struct at_measure_context *self,
	struct candidate *candidate, const struct call_list *before, unsigned set,
	bool in_turns, unsigned launches, double *duration_ns, struct at_error *err)
{
	const size_t length = candidate->length;
	enum at_outcome outcome = self->device->ops->time(self->device, before->calls,
		before->count, &candidate->timed[set * length],
		(in_turns ? self->set_count : 1) * length, launches * (unsigned)length,
		duration_ns, err);

	place_tell_fault(self, outcome, err);
	return outcome;
}

/* ---- variables of the module --------------------------------------------------- */

/* The bytes of a variable's copy, rounded up to the 16 bytes of at_variables(). */
static uint64_t slot_bytes(const struct at_range *range)
{
	return (range->bytes + 15) / 16 * 16;
}

/* Writes the table for at_variables() of support.cu: each variable's address, its
   copy's address, and its size. */
static enum at_status write_table(struct at_measure_context *self,
	struct candidate *candidate, const struct at_range *ranges,
	struct at_error *err)
{
	const struct at_device_ops *ops = self->device->ops;
	uint64_t table_bytes = candidate->saved.count * 3 * sizeof(uint64_t);
	uint64_t *table = at_malloc((size_t)table_bytes);
	uint64_t copy;
	enum at_status status;

	/* the copies follow the table, at an aligned address */
	table_bytes = (table_bytes + 255) / 256 * 256;
	status = ops->allocate(self->device, table_bytes + candidate->saved.bytes,
		&candidate->saved.memory, err);
	copy = status ? 0
		      : ops->address(self->device, candidate->saved.memory) +
				table_bytes;
	for (uint64_t i = 0; i < candidate->saved.count; i++) {
		table[3 * i] = ranges[i].address;
		table[3 * i + 1] = copy;
		table[3 * i + 2] = ranges[i].bytes;
		copy += slot_bytes(&ranges[i]);
	}
	if (!status)
		status = ops->write(self->device, candidate->saved.memory, 0, table,
			candidate->saved.count * 3 * sizeof(*table), err);
	free(table);
	return status;
}

/* Saves the module's variables in their current state, with the symbols set. */
static enum at_outcome save_variables(struct at_measure_context *self,
	struct candidate *candidate, struct at_error *err)
{
	const struct at_device_ops *ops = self->device->ops;
	struct at_range *ranges;
	enum at_status status;
	size_t count;

	if (!ops->variables)
		return AT_OUTCOME_OK;
	count = ops->variables(self->device, candidate->module, NULL, 0);
	if (!count)
		return AT_OUTCOME_OK;
	/* the device cannot list its variables: loading anew restores them */
	candidate->reloads = count == AT_VARIABLES_UNKNOWN;
	if (candidate->reloads)
		return AT_OUTCOME_OK;
	ranges = at_calloc(count, sizeof(*ranges));
	ops->variables(self->device, candidate->module, ranges, count);
	candidate->saved.count = count;
	for (size_t i = 0; i < count; i++)
		candidate->saved.bytes += slot_bytes(&ranges[i]);
	status = write_table(self, candidate, ranges, err);
	free(ranges);
	if (status)
		return self->device->is_lost ? AT_OUTCOME_CRASHED : AT_OUTCOME_NONE;
	support_variables(
		self, &self->queue, &candidate->saved, VARIABLES_SAVE, value_u64(0));
	return bench_run(self, err);
}

/* ---- calls ahead of timed launches --------------------------------------------- */

/* Whether the inputs of all sets and all writes stay in the cache between launches. */
static bool fits_cache(const struct at_measure_context *self)
{
	const struct at_properties *properties = &self->device->info.properties;
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		bool is_input = self->setup->arguments[i].access == AT_ACCESS_IN;

		bytes += self->buffers[i].bytes * (is_input ? self->set_count : 1);
	}
	return properties->known[AT_PROPERTY_L2_BYTES] &&
	       bytes <= (uint64_t)properties->value[AT_PROPERTY_L2_BYTES] / 2;
}

/*
 * A launch is alone if it needs a cold cache, or if inputs, scratch, variables, arrays
 * or a layout have to be restored before it. Otherwise launches follow each other
 * directly in a warm cache, on alternating data sets, so that no launch can use the
 * previous launch's results. If the cache cannot hold both sets, launches are alone
 * too.
 */
bool candidate_is_alone(
	const struct at_measure_context *self, const struct candidate *candidate)
{
	for (uint32_t i = 0; i < self->setup->argument_count; i++)
		if (self->setup->arguments[i].access == AT_ACCESS_INOUT ||
			self->setup->arguments[i].access == AT_ACCESS_SCRATCH)
			return true;
	return self->setup->cache == AT_CACHE_COLD || candidate->keeps_state ||
	       candidate->reloads || candidate->calls[0][SIDE_END].timed.copied_count ||
	       candidate->request->prepare.symbol[0] || !fits_cache(self);
}

void candidate_list_anew(struct at_measure_context *self, struct candidate *candidate,
	struct call_list *list, struct staging staging)
{
	if (candidate->keeps_state)
		support_variables(
			self, list, &candidate->saved, VARIABLES_RESTORE, value_u64(0));
	list_restore(self, list, staging, POISON_AGAIN, false);
	candidate_list_prepare(list, &candidate->calls[staging.set][staging.side]);
}

/*
 * The calls before each timed launch of a set never change, so they are listed once.
 * They restore outputs, scratch, variables and inout arguments as if no launch had
 * happened, and make the layout again. For a cold cache the flush comes last, right
 * before the kernel. For a warm cache an untimed launch follows, then everything is
 * restored once more.
 */
void candidate_list(struct at_measure_context *self, struct candidate *candidate)
{
	for (unsigned set = 0; set < self->set_count; set++) {
		struct staging staging = { set, SIDE_END };
		const size_t bytes = candidate->length * sizeof(*candidate->timed);
		const struct at_invocation *launches =
			candidate->calls[set][SIDE_END].timed.launches;
		struct call_list *list = &candidate->before[set];

		for (unsigned i = set; i < 2 * self->set_count; i += self->set_count)
			memcpy(&candidate->timed[i * candidate->length], launches,
				bytes);
		list->count = 0;
		if (!candidate_is_alone(self, candidate))
			continue;
		candidate_list_anew(self, candidate, list, staging);
		if (self->setup->cache == AT_CACHE_COLD) {
			support_flush(self, list);
			continue;
		}
		candidate_list_launches(candidate, list, staging);
		candidate_list_anew(self, candidate, list, staging);
	}
}

enum at_outcome candidate_reload(struct at_measure_context *self,
	struct candidate *candidate, struct at_error *err)
{
	const struct at_measure_request *request = candidate->request;
	const struct at_device_ops *ops = self->device->ops;
	enum at_outcome outcome;

	ops->unload(self->device, candidate->module);
	candidate->module = NULL;
	outcome = ops->load(self->device, request->image, request->image_bytes,
		&candidate->module, err);
	if (outcome == AT_OUTCOME_OK)
		outcome = bench_set_symbols(self, candidate->module, false, err);
	if (outcome == AT_OUTCOME_OK && candidate_bind(self, candidate, err))
		outcome = AT_OUTCOME_LAUNCH_FAILED;
	return outcome;
}

/* ---- life ------------------------------------------------------------------- */

enum at_outcome candidate_load(struct at_measure_context *self,
	const struct at_measure_request *request, struct candidate *out,
	struct at_error *err)
{
	enum at_outcome outcome;
	size_t room;

	memset(out, 0, sizeof(*out));
	out->request = request;
	tolerance_begin(self);
	outcome = self->device->ops->load(
		self->device, request->image, request->image_bytes, &out->module, err);
	if (outcome == AT_OUTCOME_OK)
		outcome = bench_set_symbols(self, out->module, false, err);
	if (outcome == AT_OUTCOME_OK)
		outcome = save_variables(self, out, err);
	if (outcome != AT_OUTCOME_OK)
		return outcome;
	for (size_t i = 0; i <= request->more_count; i++)
		out->length += 1 + (size_t)at_measure_launch(request, i)->repeats;
	out->timed = at_calloc(2 * SETS * out->length, sizeof(*out->timed));
	out->moved = at_calloc(self->setup->argument_count + 1, sizeof(*out->moved));
	/* room for restoring everything twice, a launch and a flush */
	room = 2 * (2 * self->setup->argument_count + 3) + out->length +
	       SUPPORT_FLUSH_CALLS;
	for (unsigned set = 0; set < self->set_count; set++)
		call_list_init(&out->before[set], room);
	check_make_room(self, out->length);
	return candidate_bind(self, out, err) ? AT_OUTCOME_LAUNCH_FAILED
					      : AT_OUTCOME_OK;
}

void candidate_release(struct at_measure_context *self, struct candidate *candidate)
{
	release_calls(self, candidate);
	for (unsigned set = 0; set < SETS; set++)
		call_list_release(&candidate->before[set]);
	free(candidate->timed);
	free(candidate->moved);
	/* on a lost device these calls fail, or wait for a kernel that never ends */
	if (!self->device->is_lost) {
		if (candidate->saved.memory)
			self->device->ops->release(
				self->device, candidate->saved.memory);
		if (candidate->module)
			self->device->ops->unload(self->device, candidate->module);
	}
	memset(candidate, 0, sizeof(*candidate));
}
