/* A configuration's way to a board: compiled, checked against the device, then ready or
   decided. */
#include "evaluator/workers/workers_parts.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* where the space does not say; see struct at_measure_request */
#define SAMPLES_MIN 6
#define SAMPLES_MAX 60
#define SAMPLING_SECONDS 0.5

/* The symbol of a kernel in the compiled unit; "" where the space has no such
   kernel. */
static char *symbol_of(const struct at_spec *spec, enum at_plan_role role,
	const struct at_compile_result *compiled)
{
	const struct at_kernel_facts *facts = at_plan_find_kernel(spec, role, compiled);

	return at_strdup(facts ? facts->symbol : "");
}

enum at_status workers_set_symbols(const struct workers *self,
	const struct at_compile_result *compiled, struct at_measure_request *request,
	struct at_error *err)
{
	const struct at_spec *spec = self->options.spec;

	request->kernel.symbol = symbol_of(spec, AT_PLAN_KERNEL, compiled);
	request->prepare.symbol = symbol_of(spec, AT_PLAN_PREPARE, compiled);
	request->finish.symbol = symbol_of(spec, AT_PLAN_FINISH, compiled);
	if (!request->kernel.symbol || !request->prepare.symbol ||
		!request->finish.symbol)
		return at_fail_memory(err);
	return AT_OK;
}

void workers_release_symbols(struct at_measure_request *request)
{
	free(request->kernel.symbol);
	free(request->prepare.symbol);
	free(request->finish.symbol);
	request->kernel.symbol = request->prepare.symbol = request->finish.symbol =
		NULL;
}

void workers_fill_facts(const struct scene *scene, const struct at_planned *planned,
	const struct at_compile_result *compiled, struct at_facts *facts)
{
	const struct at_geometry *geometry = &planned->request.kernel.geometry;
	const struct at_kernel_facts *kernel =
		compiled->kernel_count ? &compiled->kernels[0] : NULL;
	struct at_occupancy occupancy;
	bool has_occupancy =
		kernel && at_plan_occupancy(&scene->plan, kernel, geometry, &occupancy);

	at_facts_fill(facts, kernel, geometry, has_occupancy ? &occupancy : NULL,
		(int64_t)compiled->compile_ns);
}

void workers_set_sampling(
	const struct workers *self, struct at_measure_request *request)
{
	const struct at_search_defaults *given = &self->options.spec->search;

	request->samples_min =
		given->samples_min > 0 ? (uint32_t)given->samples_min : SAMPLES_MIN;
	request->samples_max =
		given->samples_max > 0 ? (uint32_t)given->samples_max : SAMPLES_MAX;
	if (request->samples_max < request->samples_min)
		request->samples_max = request->samples_min;
	request->sampling_seconds = SAMPLING_SECONDS;
}

/* The hash that items share if they have the same image, launch and data; zero where it
   cannot be made. */
static struct at_hash identify_image(
	const struct item *item, const struct at_compile_result *compiled)
{
	const struct at_measure_setup *setup;
	struct at_hasher *hasher;
	struct at_hash identity;
	struct at_hash none = { 0 }, hash;

	if (at_plan_borrow_setup(&item->scene->plan, &setup, &identity, NULL) ||
		at_hasher_new(&hasher, NULL))
		return none;
	at_hasher_add(hasher, &compiled->image_hash, sizeof(compiled->image_hash));
	at_hasher_add(hasher, &identity, sizeof(identity));
	at_fields_hash(&at_measure_request_identity, &item->planned->request, hasher);
	/* hashes of one problem lie together in the record's index, as its keys do */
	hash = at_hash_grouped(identity, at_hasher_result(hasher));
	at_hasher_free(hasher);
	return hash;
}

/* Sends a compiled item to a board, or decides it if it cannot be launched. False:
   everything has failed. */
static bool route(struct workers *self, struct item *item,
	const struct at_compile_result *compiled)
{
	const struct at_geometry *geometry = &item->planned->request.kernel.geometry;
	enum at_outcome outcome = compiled->outcome;
	char detail[512] = "";
	struct at_error misfit = { 0 };

	if (outcome != AT_OUTCOME_OK) {
		at_compile_first_error(
			compiled->log ? compiled->log : "", detail, sizeof(detail));
	} else if (at_plan_check_signatures(
			   self->options.spec, AT_UNIT_TUNED, compiled, &misfit)) {
		/*
		 * All others are compared with the baseline: if the baseline's kernel
		 * takes other arguments, the space is wrong. Other configurations may
		 * differ, since a parameter can choose the kernel's types.
		 */
		if (misfit.status != AT_EINVAL || item == self->first) {
			workers_fail(self, &misfit);
			return false;
		}
		outcome = AT_OUTCOME_LAUNCH_FAILED;
		snprintf(detail, sizeof(detail), "%.500s", misfit.text);
	} else {
		outcome = at_plan_check_resources(&item->scene->plan,
			&compiled->kernels[0], geometry, detail, sizeof(detail));
	}
	if (outcome != AT_OUTCOME_OK) {
		workers_decide(self, item, outcome, detail);
		return true;
	}
	if (!item->proved)
		item->image = identify_image(item, compiled);
	workers_push_ready(self, item, item == self->first);
	return true;
}

static void item_compiled(void *context, const char *path,
	const struct at_compile_result *result, const struct at_error *problem)
{
	struct item *item = context;
	struct workers *self = item->owner;
	struct at_error err = { 0 };

	if (problem) {
		workers_fail(self, problem);
		return;
	}
	free(item->unit);
	free(item->log);
	item->unit = at_strdup(path);
	item->log = at_strdup(result->log ? result->log : "");
	workers_fill_facts(item->scene, item->planned, result, &item->facts);
	if (!item->unit || !item->log ||
		workers_set_symbols(self, result, &item->planned->request, &err)) {
		at_fail_memory(&err);
		workers_fail(self, &err);
		return;
	}
	workers_set_sampling(self, &item->planned->request);
	item->planned->request.seed = item->options.seed;
	item->planned->request.verify_only = item->proved != NULL;
	item->planned->request.proof_seconds = item->proof_seconds;
	if (route(self, item, result))
		self->pump(self);
}

enum at_status workers_want_item(struct item *item, struct at_error *err)
{
	item->stage = STAGE_COMPILING;
	return at_farm_want(item->owner->options.farm, &item->planned->compile,
		item->planned->unit, item == item->owner->first || item->proved,
		item_compiled, item, err);
}

/* Takes planned and facts->doubt over, also when it fails. */
enum at_status workers_add_item(struct workers *self, struct scene *scene,
	struct at_planned *planned, const struct item *facts, struct at_error *err)
{
	struct item *item = malloc(sizeof(*item));
	enum at_status status = AT_OK;

	if (!item) {
		at_planned_free(planned);
		workers_free_doubt(facts->doubt);
		return at_fail_memory(err);
	}
	*item = *facts;
	item->owner = self;
	item->scene = scene;
	item->planned = planned;
	item->facts = (struct at_facts)AT_FACTS_UNKNOWN;
	item->next = self->items;
	self->items = item;
	if (item->options.first)
		self->first = item;
	if (self->failed) {
		status = workers_refuse(self, err);
		workers_unlink_item(self, item);
		workers_free_item(item);
		return status;
	}
	if (planned->outcome != AT_OUTCOME_OK) {
		workers_decide(self, item, planned->outcome, planned->detail);
		return AT_OK;
	}
	status = workers_want_parts(self, scene, err);
	if (!status)
		status = workers_want_item(item, err);
	if (status) {
		workers_unlink_item(self, item);
		workers_free_item(item);
	}
	return status;
}
