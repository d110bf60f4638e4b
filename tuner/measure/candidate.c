/* Loads a configuration, saves its module's variables, and lists the calls that precede
   its timed launches. */
#include "measure/candidate.h"

#include "base/memory.h"
#include "measure/buffers.h"
#include "measure/support.h"
#include "measure/tolerance.h"
#include "measure/trip.h"

#include <stdlib.h>
#include <string.h>

/* ---- calls ------------------------------------------------------------------ */

static void release_calls(struct candidate *candidate)
{
	for (unsigned set = 0; set < SETS; set++)
		for (int side = 0; side < SIDE_COUNT; side++) {
			struct bound_calls *calls = &candidate->calls[set][side];

			bound_call_release(&calls->kernel);
			bound_call_release(&calls->prepare);
			bound_call_release(&calls->finish);
		}
}

/* Whether all arguments that the configuration writes have a place at this side. */
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
	const struct at_measure_call *const wanted[] = { &request->kernel,
		&request->prepare, &request->finish };
	struct bound_call *const bound[] = { &calls->kernel, &calls->prepare,
		&calls->finish };
	enum at_status status = AT_OK;

	/* the kernel must exist; prepare and finish only where the space names them */
	for (size_t i = 0; i < 3 && !status; i++)
		if (i == 0 || wanted[i]->symbol[0])
			status = bound_call_init(self, candidate->module, wanted[i],
				request->bindings, staging, false, bound[i], err);
	return status;
}

enum at_status candidate_bind(struct at_measure_context *self,
	struct candidate *candidate, struct at_error *err)
{
	enum at_status status = AT_OK;

	release_calls(candidate);
	for (unsigned set = 0; set < self->set_count; set++)
		for (int side = 0; side < SIDE_COUNT && !status; side++)
			if (has_side(self, (enum side)side))
				status = bind_staging(self, candidate,
					(struct staging){ set, (enum side)side }, err);
	if (!status)
		candidate_list(self, candidate);
	return status;
}

/* ---- variables of the module --------------------------------------------------- */

/* The bytes of a variable's copy, rounded up to whole 16 bytes, in which at_variables
   copies. */
static uint64_t slot_bytes(const struct at_range *range)
{
	return (range->bytes + 15) / 16 * 16;
}

/* Writes the table for at_variables() of support.cu: for each variable its address,
   that of its copy, and its size. */
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

/* Copies the module's variables as they are now, with the symbols set. */
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
	/* the device cannot list its variables, so they are restored by loading the
	   module anew */
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

/* Whether the inputs of all sets and everything that is written stay in the cache from
   launch to launch. */
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
 * A launch is alone if the cache has to be cold for it, or if inputs, scratch,
 * variables or a layout have to be restored. Otherwise launches follow each other
 * directly in a warm cache. The sets of data then take turns, so that no launch can use
 * what the launch before it wrote; if the cache cannot hold both sets, launches are
 * alone too.
 */
bool candidate_is_alone(
	const struct at_measure_context *self, const struct candidate *candidate)
{
	for (uint32_t i = 0; i < self->setup->argument_count; i++)
		if (self->setup->arguments[i].access == AT_ACCESS_INOUT ||
			self->setup->arguments[i].access == AT_ACCESS_SCRATCH)
			return true;
	return self->setup->cache == AT_CACHE_COLD || candidate->keeps_state ||
	       candidate->reloads || candidate->request->prepare.symbol[0] ||
	       !fits_cache(self);
}

void candidate_list_anew(struct at_measure_context *self, struct candidate *candidate,
	struct call_list *list, struct staging staging)
{
	const struct bound_call *prepare =
		&candidate->calls[staging.set][staging.side].prepare;

	if (candidate->keeps_state)
		support_variables(
			self, list, &candidate->saved, VARIABLES_RESTORE, value_u64(0));
	list_restore(self, list, staging, POISON_AGAIN, false);
	if (prepare->invocation.kernel)
		call_list_add(list, &prepare->invocation);
}

/*
 * The calls ahead of each timed launch of a set are the same every time, so they are
 * listed once. They restore outputs, scratch, variables and inout arguments as if there
 * had been no launch before, and make the layout again. For a cold cache the flush
 * follows, right ahead of the kernel. For a warm cache a launch that warms it follows,
 * then everything is restored once more.
 */
void candidate_list(struct at_measure_context *self, struct candidate *candidate)
{
	for (unsigned set = 0; set < self->set_count; set++) {
		struct staging staging = { set, SIDE_END };
		const struct bound_call *kernel =
			&candidate->calls[set][SIDE_END].kernel;
		struct call_list *list = &candidate->before[set];

		candidate->timed[set] = kernel->invocation;
		candidate->timed[set + self->set_count] = kernel->invocation;
		list->count = 0;
		if (!candidate_is_alone(self, candidate))
			continue;
		candidate_list_anew(self, candidate, list, staging);
		if (self->setup->cache == AT_CACHE_COLD) {
			support_flush(self, list);
			continue;
		}
		call_list_add(list, &kernel->invocation);
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
		outcome = bench_set_symbols(self, candidate->module, err);
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
	tolerance_begin(self, request);
	outcome = self->device->ops->load(
		self->device, request->image, request->image_bytes, &out->module, err);
	if (outcome == AT_OUTCOME_OK)
		outcome = bench_set_symbols(self, out->module, err);
	if (outcome == AT_OUTCOME_OK)
		outcome = save_variables(self, out, err);
	if (outcome != AT_OUTCOME_OK)
		return outcome;
	/* room for restoring everything twice, a launch and a flush */
	room = 2 * (self->setup->argument_count + 2) + 1 + SUPPORT_FLUSH_CALLS;
	for (unsigned set = 0; set < self->set_count; set++)
		call_list_init(&out->before[set], room);
	return candidate_bind(self, out, err) ? AT_OUTCOME_LAUNCH_FAILED
					      : AT_OUTCOME_OK;
}

void candidate_release(struct at_measure_context *self, struct candidate *candidate)
{
	release_calls(candidate);
	for (unsigned set = 0; set < SETS; set++)
		call_list_release(&candidate->before[set]);
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
