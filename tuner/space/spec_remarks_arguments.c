/*
 * Warnings about buffers: contents that their names contradict, and counts that change
 * with what is tuned.
 */
#include "space/spec_load.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Of a parameter's values so many are tried; a count that changes does so soon. */
#define VALUES_TRIED 64

/* Whether the name says that kernels index with the contents: col_idx, row_ptr. */
static bool is_of_indices(const char *name)
{
	static const char *const parts[] = { "idx", "index", "indices", "ptr", "offset",
		"perm" };

	for (size_t i = 0; i < AT_COUNT_OF(parts); i++) {
		size_t length = strlen(parts[i]);

		for (const char *at = name; *at; at++)
			if (!strncasecmp(at, parts[i], length))
				return true;
	}
	return false;
}

/* Nothing else tells that a matrix of random row pointers is none: reference and kernel
   read the same nonsense, and agree. */
static enum at_status look_at_fill(
	struct at_spec_loader *loader, const struct at_argument *argument)
{
	if (argument->access != AT_ACCESS_IN || !argument->is_unsaid ||
		at_element_kind(argument->element) == AT_ELEMENT_KIND_REAL ||
		!is_of_indices(argument->name))
		return AT_OK;
	return at_spec_remark(loader, argument->line,
		"argument \"%.80s\" has no fill, so it holds random integers of 0 to 100, whatever its name says: for indices write fill = \"random_index(N)\", for equal steps \"sequence(0, 16)\", for data of your own \"file('path')\"",
		argument->name);
}

/* A size that was written as a real, "4e6": it is no size that proofs vary, and N / 3
   of it is no whole number. */
static enum at_status look_at_sizes(struct at_spec_loader *loader,
	const struct at_argument *argument, const struct at_value *slots, bool *told)
{
	const struct at_spec *spec = loader->spec;
	size_t count = 0;
	const int *used =
		argument->count ? at_expression_slots(argument->count, &count) : NULL;

	for (size_t i = 0; i < count && !*told; i++) {
		const struct at_value *value = &slots[used[i]];

		if (value->type != AT_TYPE_REAL || value->real != floor(value->real) ||
			fabs(value->real) > 0x1p53)
			continue;
		*told = true;
		return at_spec_remark(loader, spec->problems[0].line,
			"the size \"%.80s\" is a real number, and counts elements: write %.0f without a point or an exponent, or proofs do not vary it",
			at_spec_slot_name(spec, used[i]), value->real);
	}
	return AT_OK;
}

/* Whether another value of the parameter than the default's gives another count. */
static bool changes_count(const struct at_spec *spec, const struct at_expression *count,
	size_t parameter, int64_t usual, uint16_t *configuration,
	struct at_value *slots)
{
	size_t values = spec->parameters[parameter].value_count;
	bool changes = false;

	for (size_t i = 0; i < values && i < VALUES_TRIED && !changes; i++) {
		int64_t other;

		configuration[parameter] = (uint16_t)i;
		at_spec_bind_configuration(spec, configuration, slots);
		changes = !at_spec_integer(spec, count, slots, "count", 0, 1, INT64_MAX,
				  &other, NULL) &&
			  other != usual;
	}
	configuration[parameter] = spec->defaults[parameter];
	at_spec_bind_configuration(spec, configuration, slots);
	return changes;
}

/* Inputs and outputs are the same for all configurations, or no reference would fit
   them all. */
static enum at_status look_at_count(struct at_spec_loader *loader,
	const struct at_argument *argument, uint16_t *configuration,
	struct at_value *slots)
{
	const struct at_spec *spec = loader->spec;
	size_t count;
	const int *used;
	int64_t usual;

	if (!argument->count || argument->access == AT_ACCESS_SCRATCH ||
		at_spec_integer(spec, argument->count, slots, "count", 0, 1, INT64_MAX,
			&usual, NULL))
		return AT_OK;
	used = at_expression_slots(argument->count, &count);
	for (size_t i = 0; i < count; i++) {
		const char *name = at_spec_slot_name(spec, used[i]);

		if ((size_t)used[i] >= spec->parameter_count ||
			!changes_count(spec, argument->count, (size_t)used[i], usual,
				configuration, slots))
			continue;
		return at_spec_remark(loader, argument->line,
			"the count \"%.80s\" of argument \"%.80s\" changes with %.80s, and only configurations with that of the defaults are tuned: write it of sizes alone; only a buffer of access = \"scratch\" may change",
			at_expression_text(argument->count), argument->name, name);
	}
	return AT_OK;
}

enum at_status at_spec_look_at_arguments(struct at_spec_loader *loader)
{
	const struct at_spec *spec = loader->spec;
	uint16_t *configuration =
		calloc(spec->parameter_count + 1, sizeof(*configuration));
	struct at_value *slots = calloc(spec->slot_count + 1, sizeof(*slots));
	bool told = false;
	enum at_status status =
		configuration && slots ? AT_OK : at_fail_memory(loader->err);

	if (!status) {
		for (size_t i = 0; i < spec->parameter_count; i++)
			configuration[i] = spec->defaults[i];
		if (spec->problem_count)
			at_spec_bind(spec, &spec->problems[0], NULL, NULL, slots);
		at_spec_bind_configuration(spec, configuration, slots);
	}
	for (size_t i = 0; i < spec->given_count && !status; i++) {
		status = look_at_fill(loader, &spec->arguments[i]);
		if (!status && spec->problem_count)
			status = look_at_sizes(
				loader, &spec->arguments[i], slots, &told);
		if (!status)
			status = look_at_count(
				loader, &spec->arguments[i], configuration, slots);
	}
	free(configuration);
	free(slots);
	return status;
}
