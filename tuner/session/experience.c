/* Reads experience (experience.h) from the store. */
#include "session/experience.h"

#include "base/memory.h"
#include "record/export.h"
#include "record/import.h"
#include "record/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Similarity of an older source, another problem and another device to what is tuned
   now, 0 .. 1. The values are estimates: they order the priors, and set how far a model
   trusts a prior before the first measurement. */
#define OLDER_SOURCE 0.9
#define OTHER_PROBLEM 0.7
#define OTHER_DEVICE 0.6
/* results of another tool: unknown device, perhaps another template */
#define OTHER_TOOL 0.5

/* Most priors, and most evaluations of each (the best): reading more takes longer than
   searching. */
#define OTHERS_MOST 8
#define EVALUATIONS_MOST 1024
/* This problem has a higher limit: its evaluations need not be measured again. */
#define OWN_MOST 16384

struct recorded {
	struct at_told told;
	int64_t id; /* of the evaluation; newer ones have greater ids */
};

struct reading {
	const struct at_visit *visit;
	struct recorded *recorded;
	size_t count;
	size_t capacity;
	uint16_t *configuration;
	struct at_error *err;
};

struct at_told at_experience_told(
	uint64_t index, const struct at_evaluation *evaluation)
{
	struct at_told told = {
		.index = index,
		.outcome = evaluation->outcome,
		.cost = INFINITY,
		.is_raced = evaluation->raced,
	};

	if (evaluation->outcome == AT_OUTCOME_OK)
		told.cost = at_objective_cost(&at_objective_time, evaluation->time_ns);
	return told;
}

/* Takes a recorded evaluation whose configuration is in this space. */
static enum at_status take_up(void *context, const struct at_evaluation *evaluation)
{
	struct reading *reading = context;
	const struct at_visit *visit = reading->visit;
	uint64_t index = AT_NO_CONFIGURATION;
	bool fits = false;

	at_configuration_from_json(
		visit->spec, evaluation->configuration, reading->configuration, &fits);
	/* else the space no longer has its parameters or values, or --set excludes
	   them */
	if (fits)
		index = at_search_space_find(visit->space, reading->configuration);
	/* too fast follows from `metrics`, not from the kernel's speed */
	if (index == AT_NO_CONFIGURATION || evaluation->outcome == AT_OUTCOME_TOO_FAST)
		return AT_OK;
	AT_GROW(reading->recorded, reading->capacity, reading->count + 1);
	reading->recorded[reading->count++] =
		(struct recorded){ at_experience_told(index, evaluation),
			evaluation->id };
	return AT_OK;
}

static int compare_ids(const void *a, const void *b)
{
	const struct recorded *left = a, *right = b;

	return (left->id > right->id) - (left->id < right->id);
}

static int compare_costs(const void *a, const void *b)
{
	const struct recorded *left = a, *right = b;

	if (left->told.cost != right->told.cost)
		return left->told.cost < right->told.cost ? -1 : 1;
	return compare_ids(a, b);
}

/* by configuration, then newest first */
static int compare_configurations(const void *a, const void *b)
{
	const struct recorded *left = a, *right = b;

	if (left->told.index != right->told.index)
		return left->told.index < right->told.index ? -1 : 1;
	return compare_ids(b, a);
}

/* Reads at most `most` evaluations of a problem on a device. The best `recorded` come
   first, in the order of recording; the others follow, best first. */
static enum at_status read_prior(const struct at_visit *visit, const char *slug,
	const char *problem, size_t most, uint64_t recorded,
	struct at_experience_prior *prior, struct at_error *err)
{
	struct reading reading = {
		.visit = visit,
		.configuration = at_calloc(visit->spec->parameter_count + 1,
			sizeof(*reading.configuration)),
		.err = err,
	};
	size_t count = 0;
	enum at_status status;

	status = at_store_list(visit->store, visit->spec->name, slug, problem, most,
		take_up, &reading, err);
	if (!status && reading.count > 0)
		prior->told = at_calloc(reading.count, sizeof(*prior->told));
	if (!status && reading.count > 0) {
		struct recorded *all = reading.recorded;

		/* A configuration is listed once for each source, driver and so on:
		   keep the newest evaluation. */
		qsort(all, reading.count, sizeof(*all), compare_configurations);
		for (size_t i = 0; i < reading.count; i++)
			if (!i || all[i].told.index != all[count - 1].told.index)
				all[count++] = all[i];
		qsort(all, count, sizeof(*all), compare_costs);
		qsort(all, recorded < count ? (size_t)recorded : count, sizeof(*all),
			compare_ids);
		for (size_t i = 0; i < count; i++)
			prior->told[i] = all[i].told;
		prior->count = count;
	}
	free(reading.recorded);
	free(reading.configuration);
	return status;
}

/* Adds a problem on a device, up to OTHERS_MOST. similarity: of the device. */
static enum at_status add_other(const struct at_visit *visit, const char *slug,
	const char *problem, double similarity, struct at_experience *out,
	struct at_error *err)
{
	struct at_experience_prior *prior = &out->others[out->other_count];
	bool is_same_problem = !strcmp(problem, visit->problem->name);
	enum at_status status;

	if (out->other_count == OTHERS_MOST)
		return AT_OK;
	prior->similarity = similarity * (is_same_problem ? 1 : OTHER_PROBLEM);
	status = read_prior(visit, slug, problem, EVALUATIONS_MOST, 0, prior, err);
	out->other_count += prior->count > 0;
	return status;
}

/* Reads other problems, and other devices of this kind: a CPU says nothing about a GPU.
   Without a winner a tuning did not finish, so it does not count. This device's other
   problems come first, as the number of priors is limited. */
static enum at_status read_others(const struct at_visit *visit, const char *kind,
	struct at_experience *out, struct at_error *err)
{
	struct at_winner *winners;
	size_t count;
	enum at_status status = at_store_winners(
		visit->store, visit->spec->name, 0, &winners, &count, err);

	if (status)
		return status;
	for (int own_device = 1; own_device >= 0; own_device--)
		for (size_t i = 0; i < count && !status; i++) {
			const struct at_winner *best = &winners[i];
			struct at_record_device device;

			if ((best->device_id == visit->device_id) != own_device ||
				(own_device &&
					!strcmp(best->problem, visit->problem->name)))
				continue;
			status = at_store_get_device(
				visit->store, best->device_id, &device, err);
			if (status)
				break;
			if (!strcmp(device.kind, kind))
				status = add_other(visit, device.slug, best->problem,
					own_device ? 1 : OTHER_DEVICE, out, err);
			at_record_device_release(&device);
		}
	at_store_free_winners(winners, count);
	return status;
}

/* Reads evaluations imported from other tools, which have no winners. */
static enum at_status read_imported(
	const struct at_visit *visit, struct at_experience *out, struct at_error *err)
{
	struct at_export_groups groups;
	enum at_status status = at_export_list(
		visit->store, visit->spec->name, AT_IMPORTED_KIND, &groups, err);

	for (size_t i = 0; !status && i < groups.count; i++)
		status = add_other(visit, groups.items[i].device.slug,
			groups.items[i].problem, OTHER_TOOL, out, err);
	at_export_release(&groups);
	return status;
}

enum at_status at_experience_gather(
	const struct at_visit *visit, struct at_experience *out, struct at_error *err)
{
	struct at_record_device device;
	enum at_status status =
		at_store_get_device(visit->store, visit->device_id, &device, err);

	*out = (struct at_experience){ .own.similarity = OLDER_SOURCE };
	out->others = at_calloc(OTHERS_MOST + 1, sizeof(*out->others));
	if (status)
		return status;
	status = read_prior(visit, device.slug, visit->problem->name, OWN_MOST,
		visit->budget.evaluations ? visit->budget.evaluations : UINT64_MAX,
		&out->own, err);
	if (!status)
		status = read_others(visit, device.kind, out, err);
	if (!status)
		status = read_imported(visit, out, err);
	/* Insertion sort: stable on every machine, unlike qsort(). */
	for (size_t i = 1; i < out->other_count; i++)
		for (size_t j = i;
			j && out->others[j].similarity > out->others[j - 1].similarity;
			j--) {
			struct at_experience_prior other = out->others[j];

			out->others[j] = out->others[j - 1];
			out->others[j - 1] = other;
		}
	at_record_device_release(&device);
	return status;
}

void at_experience_release(struct at_experience *self)
{
	free(self->own.told);
	for (size_t i = 0; i < self->other_count; i++)
		free(self->others[i].told);
	free(self->others);
	*self = (struct at_experience){ 0 };
}

enum at_status at_experience_teach(const struct at_experience *self,
	struct at_strategy *strategy, struct at_error *err)
{
	enum at_status status = AT_OK;

	if (!strategy->kind->prior)
		return AT_OK;
	for (size_t i = 0; i <= self->other_count && !status; i++) {
		const struct at_experience_prior *prior =
			i ? &self->others[i - 1] : &self->own;

		if (prior->count > 0)
			status = strategy->kind->prior(strategy,
				&(struct at_prior){
					prior->count, prior->told, prior->similarity },
				err);
	}
	return status;
}
