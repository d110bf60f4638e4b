/* Makes the plan of a header from winners (record/header_plan.h). */
#include "record/header_plan.h"

#include "base/json.h"
#include "base/memory.h"
#include "base/text.h"
#include "kernel/source.h"
#include "kernel/toolchain.h"
#include "record/evaluation_json.h"
#include "record/result.h"

#include <stdlib.h>
#include <string.h>

struct plan_maker {
	struct at_header_plan *plan;
	const struct at_spec *spec;
	/* by configuration: equal for equal configurations */
	char **keys;
	struct at_value *slots; /* scratch, one for each slot */
	/* loaded for the first winner with a recorded hash */
	struct at_template template;
	bool has_template;
};

/* ---- names ---------------------------------------------------------------- */

char *at_header_prefix(const struct at_spec *spec)
{
	char *name = at_text_macro(spec->name);

	for (char *c = name; *c; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c - 'A' + 'a');
	return name;
}

/* ---- options: they distinguish configurations with equal parameters -------- */

/* Whether an option contains the slot's ${NAME}. */
static bool is_in_option(const struct at_spec *spec, const char *text, size_t slot)
{
	const char *name = at_spec_slot_name(spec, (int)slot);
	size_t length = strlen(name);

	while ((text = strstr(text, "${")) != NULL) {
		text += 2;
		if (!strncmp(text, name, length) && text[length] == '}')
			return true;
	}
	return false;
}

/* The texts of a JSON array. Heap: at_source_free_options(), also after a failure. */
static enum at_status read_options(
	const char *recorded, char ***out, size_t *count, struct at_error *err)
{
	struct at_json *array = at_json_embedded(recorded);

	*out = NULL;
	*count = 0;
	if (at_json_kind_of(array) == AT_JSON_NULL)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"the record's options are no JSON: found \"%.200s\"", recorded);
	*out = at_calloc(at_json_count(array) + 1, sizeof(**out));
	for (size_t i = 0; i < at_json_count(array); i++) {
		const char *option = at_json_text(at_json_at(array, i));

		(*out)[(*count)++] = at_strdup(option ? option : "");
	}
	at_json_free(array);
	return AT_OK;
}

/*
 * The options of a record or a result file may come from a stranger, and the compiler
 * of every user of the header gets them. So only options that the space file gives for
 * the same values are used. recorded: a JSON array; NULL or "": not recorded. *found is
 * false if the options cannot be determined or cannot come from this space.
 */
static enum at_status plan_find_options(struct plan_maker *self, const char *recorded,
	char ***out, size_t *count, bool *found, struct at_error *err)
{
	struct at_error reason = { 0 };
	size_t own_count = 0;
	char **own = NULL;
	enum at_status status =
		at_source_options(self->spec, self->slots, &own, &own_count, &reason);

	*found = !status;
	/* not recorded: use those of the space file */
	if (!*found || !recorded || !*recorded) {
		*out = own;
		*count = own_count;
		return AT_OK;
	}
	status = read_options(recorded, out, count, err);
	for (size_t i = 0; i < *count && !status; i++) {
		size_t k = 0;

		while (k < own_count && strcmp(own[k], (*out)[i]) != 0)
			k++;
		*found &= k < own_count;
	}
	at_source_free_options(own, own_count);
	return status;
}

static char *make_key(const struct plan_maker *self,
	const struct at_header_configuration *configuration)
{
	struct at_strbuf key = { 0 };

	for (size_t i = 0; i < self->spec->slot_count; i++) {
		at_value_format(configuration->slots[i], &key);
		at_strbuf_add_char(&key, ' ');
	}
	for (size_t i = 0; i < self->spec->option_count; i++)
		at_strbuf_add_char(&key, configuration->conditions[i] ? '1' : '0');
	for (size_t i = 0; i < configuration->option_count; i++)
		at_strbuf_addf(&key, "\n%s", configuration->options[i]);
	return at_strbuf_detach(&key);
}

static void plan_configuration_release(struct at_header_configuration *self)
{
	at_source_free_options(self->options, self->option_count);
	free(self->values);
	free(self->slots);
	free(self->conditions);
	memset(self, 0, sizeof(*self));
}

/* Adds the configuration, or finds its equal; *index: its number. Takes it over. */
static void plan_configuration_add(struct plan_maker *self,
	struct at_header_configuration *configuration, size_t *index)
{
	struct at_header_plan *plan = self->plan;
	char *key = make_key(self, configuration);

	for (*index = 0; *index < plan->configuration_count; ++*index)
		if (!strcmp(self->keys[*index], key)) {
			plan_configuration_release(configuration);
			free(key);
			return;
		}
	self->keys[*index] = key;
	plan->configurations[plan->configuration_count++] = *configuration;
}

/* ---- devices and problems ------------------------------------------------- */

static void add_device(
	struct plan_maker *self, const struct at_record_device *device, size_t *index)
{
	struct at_header_plan *plan = self->plan;
	struct at_header_device *added;

	for (*index = 0; *index < plan->device_count; ++*index) {
		const struct at_record_device *other = plan->devices[*index].record;

		if (!strcmp(other->kind, device->kind) &&
			!strcmp(other->slug, device->slug))
			return;
	}
	added = &plan->devices[plan->device_count++];
	added->record = device;
	/* the '_' before a digit stays: after "MATMUL_" a number would be a
	   configuration's */
	added->name = at_text_macro(device->slug);
	/* devices of two kinds may have the same name */
	for (size_t i = 0; i < *index; i++) {
		struct at_strbuf name = { 0 };

		if (strcmp(plan->devices[i].name, added->name) != 0)
			continue;
		at_strbuf_addf(&name, "%s_%s", added->name, device->kind);
		free(added->name);
		added->name = at_text_macro(name.data);
		at_strbuf_release(&name);
	}
}

/* Returns the problem count if the space no longer has the problem. */
static size_t find_problem(const struct at_spec *spec, const char *name)
{
	size_t i = 0;

	while (i < spec->problem_count && strcmp(spec->problems[i].name, name) != 0)
		i++;
	return i;
}

/* ---- sizes ---------------------------------------------------------------- */

bool at_header_has_type(const struct at_spec *spec, size_t size, bool is_real)
{
	for (size_t i = 0; i < spec->problem_count; i++)
		for (size_t k = 0; k < spec->problems[i].size_count; k++) {
			const struct at_size *other = &spec->problems[i].sizes[k];

			if (!strcmp(other->name, spec->size_names[size]) &&
				(other->value.type == AT_TYPE_REAL) == is_real)
				return true;
		}
	return false;
}

/* Reads the recorded sizes; those of the space file may have changed. */
static void read_sizes(
	struct plan_maker *self, const char *text, struct at_value *sizes, bool *fits)
{
	const struct at_spec *spec = self->spec;
	struct at_json *object = at_json_embedded(text && *text ? text : "{}");

	*fits = at_json_kind_of(object) != AT_JSON_NULL;
	for (size_t i = 0; i < spec->size_count; i++) {
		const struct at_json *node = at_json_get(object, spec->size_names[i]);
		int64_t whole = at_json_whole(node, 0);

		if (!node)
			continue;
		/* sizes are numbers or booleans */
		if (at_json_kind_of(node) != AT_JSON_NUMBER &&
			at_json_kind_of(node) != AT_JSON_BOOLEAN) {
			*fits = false;
			continue;
		}
		if (at_header_has_type(spec, i, true)) {
			sizes[i].type = AT_TYPE_REAL;
			sizes[i].real = at_json_number(node, 0);
			continue;
		}
		sizes[i].type = AT_TYPE_INTEGER;
		sizes[i].integer = at_json_is_true(node) ? 1 : whole;
		/* the space file has an integer: no other number fits */
		*fits &= at_json_number(node, (double)whole) == (double)whole;
	}
	at_json_free(object);
}

/* ---- entries -------------------------------------------------------------- */

/* Leaves *out unchanged if the JSON is not a launch. */
static void read_launch(const struct at_json *launch, struct at_header_launch *out)
{
	const struct at_json *grid = at_json_get(launch, "grid"),
			     *block = at_json_get(launch, "block");

	if (!grid || !block)
		return;
	for (size_t i = 0; i < 3; i++) {
		out->amounts[i] = at_json_whole(at_json_at(grid, i), 1);
		out->amounts[3 + i] = at_json_whole(at_json_at(block, i), 1);
	}
	out->amounts[6] = at_json_whole(at_json_get(launch, "shared_bytes"), 0);
	out->repeats = at_json_whole(at_json_get(launch, "repeat"), 1);
}

/* A sequence lists the launches that were not left out. */
static void read_launches(
	const struct at_spec *spec, struct at_header_entry *entry, const char *text)
{
	struct at_json *launch = at_json_embedded(text);
	const struct at_json *list = at_json_get(launch, "launches");

	entry->launches = at_calloc(spec->launch_count, sizeof(*entry->launches));
	for (size_t i = 0; i < spec->launch_count; i++)
		entry->launches[i].repeats = list ? 0 : -1;
	for (size_t i = 0; i < at_json_count(list); i++) {
		const struct at_json *one = at_json_at(list, i);
		int64_t index = at_json_whole(at_json_get(one, "launch"), -1);

		if (index >= 0 && (uint64_t)index < spec->launch_count)
			read_launch(one, &entry->launches[index]);
	}
	if (!list)
		read_launch(launch, entry->launches);
	at_json_free(launch);
}

/* The facts have only the sum of static and dynamic shared memory. */
static void add_facts(struct plan_maker *self, const struct at_header_entry *entry,
	const struct at_facts *facts)
{
	struct at_header_configuration *configuration =
		&self->plan->configurations[entry->configuration];
	const struct at_launch *launch = &self->spec->calls[0].launch;
	int64_t dynamic_bytes = entry->launches[0].amounts[6], static_bytes;

	if (entry->launches[0].repeats < 1 && launch->shared_bytes &&
		at_spec_integer(self->spec, launch->shared_bytes, self->slots, "launch",
			launch->line, 0, INT32_MAX, &dynamic_bytes, NULL))
		dynamic_bytes = 0;
	static_bytes = facts->shared_bytes - dynamic_bytes;
	if (facts->shared_bytes > 0 &&
		static_bytes > configuration->static_shared_bytes)
		configuration->static_shared_bytes = static_bytes;
	if (facts->registers > configuration->registers)
		configuration->registers = facts->registers;
}

/* Sets the slots to their values at the entry's measurement. */
static void bind(struct plan_maker *self, const struct at_header_entry *entry,
	const uint16_t *values)
{
	const struct at_spec *spec = self->spec;

	memset(self->slots, 0, spec->slot_count * sizeof(*self->slots));
	at_spec_bind(spec, &spec->problems[entry->problem], NULL,
		&self->plan->devices[entry->device].record->properties, self->slots);
	for (size_t i = 0; i < spec->size_count; i++)
		self->slots[spec->parameter_count + i] = entry->sizes[i];
	at_spec_bind_configuration(spec, values, self->slots);
}

/* ---- stale winners ------------------------------------------------------------- */

/* Whether the template and its includes differ from the recorded hash, with every
   toolchain's folders. An unreadable template does not count. */
static bool has_other_template(struct plan_maker *self, const char *recorded,
	const struct at_header_configuration *configuration)
{
	const struct at_toolchain *toolchain;

	if (!self->has_template &&
		at_template_load(self->spec->template_path, &self->template, NULL))
		return false;
	self->has_template = true;
	for (size_t i = 0; (toolchain = at_toolchain_at(i)); i++) {
		const struct at_reach *reach;
		char hex[AT_HASH_HEX_SIZE];

		if (at_template_reach(&self->template, configuration->options,
			    configuration->option_count, toolchain->folders, &reach,
			    NULL) ||
			!strcmp(at_hash_hex(reach->digest, hex), recorded))
			return false;
	}
	return true;
}

/* Whether the space file's first launch differs from the recorded one. Values that a
   result file rounds or lacks do not count. */
static bool has_other_launch(
	struct plan_maker *self, const struct at_header_entry *entry)
{
	static const enum at_property rounded[] = { AT_PROPERTY_MEMORY_BYTES,
		AT_PROPERTY_CLOCK_HZ, AT_PROPERTY_MEMORY_CLOCK_HZ };
	const struct at_spec *spec = self->spec;
	const struct at_launch *launch = &spec->calls[0].launch;
	const size_t properties = spec->parameter_count + spec->size_count;

	for (size_t i = 0; i < AT_COUNT_OF(rounded); i++)
		self->slots[properties + rounded[i]].type = AT_TYPE_NONE;
	for (size_t i = 0; i < 7; i++) {
		const struct at_expression *expression =
			i < 3   ? (i < launch->grid_rank ? launch->grid[i] : NULL)
			: i < 6 ? (i - 3 < launch->block_rank ? launch->block[i - 3]
							      : NULL)
				: launch->shared_bytes;
		int64_t amount = i < 6;

		if (expression &&
			at_spec_integer(spec, expression, self->slots, "launch",
				launch->line, INT64_MIN, INT64_MAX, &amount, NULL))
			continue;
		if (amount != entry->launches[0].amounts[i])
			return true;
	}
	return false;
}

void at_header_plan_write_stale(
	const struct at_header_plan *self, size_t configuration, struct at_strbuf *out)
{
	const struct at_header_entry *first = NULL;
	size_t more = 0;

	for (size_t i = 0; i < self->winner_count; i++) {
		const struct at_header_entry *entry = &self->entries[i];

		if (!entry->stale || (configuration != SIZE_MAX &&
					     entry->configuration != configuration))
			continue;
		more += first != NULL;
		first = first ? first : entry;
	}
	if (!first)
		return;
	at_strbuf_addf(out, "the winner of %s on %s was measured with another %s",
		self->problems[first->problem].text, first->result->device.model,
		first->stale);
	if (more)
		at_strbuf_addf(out, ", as %zu more", more);
}

/* Adds the entry of a winner or a baseline; given->device and ->problem are set. *fits
   false: nothing was added, since the space file no longer has the configuration or
   sizes. */
static enum at_status add_entry(struct plan_maker *self, struct at_header_entry *given,
	const struct at_evaluation *evaluation, const char *options, const char *launch,
	bool *fits, struct at_error *err)
{
	struct at_header_plan *plan = self->plan;
	struct at_header_entry *entry = &plan->entries[plan->entry_count];
	struct at_header_configuration configuration = { 0 };
	const struct at_spec *spec = self->spec;
	enum at_status status = AT_OK;

	*entry = *given;
	entry->sizes = at_calloc(spec->size_count + 1, sizeof(*entry->sizes));
	configuration.values =
		at_calloc(spec->parameter_count + 1, sizeof(*configuration.values));
	/* one more: "step", which has no value */
	configuration.slots =
		at_calloc(spec->slot_count + 1, sizeof(*configuration.slots));
	configuration.conditions =
		at_calloc(spec->option_count + 1, sizeof(*configuration.conditions));
	at_configuration_from_json(
		spec, evaluation->configuration, configuration.values, fits);
	if (*fits)
		read_sizes(self, evaluation->problem_json, entry->sizes, fits);
	if (!*fits)
		goto release;
	bind(self, entry, configuration.values);
	status = plan_find_options(self, options, &configuration.options,
		&configuration.option_count, fits, err);
	if (status || !*fits)
		goto release;
	/* keep the slots and the conditions on which options depend */
	for (size_t i = 0; i < spec->slot_count; i++) {
		bool is_exact = i < spec->parameter_count;

		for (size_t k = 0; k < spec->option_count && !is_exact; k++)
			is_exact = is_in_option(spec, spec->options[k].text, i);
		if (is_exact)
			configuration.slots[i] = self->slots[i];
	}
	for (size_t i = 0; i < spec->option_count; i++) {
		const struct at_option *option = &spec->options[i];
		bool holds = true;

		/* a condition that cannot be evaluated does not hold */
		configuration.conditions[i] =
			!option->when ||
			(!at_spec_test(spec, option->when, self->slots, "options",
				 option->line, &holds, NULL) &&
				holds);
	}
	read_launches(spec, entry, launch);
	/* only winners record their template and launch */
	struct at_json *measurement = at_json_embedded(
		entry->is_baseline ? NULL : entry->result->best.measurement);
	const char *recorded = at_json_text(at_json_get(measurement, "template"));

	if (recorded && has_other_template(self, recorded, &configuration))
		entry->stale = "template";
	else if (entry->launches[0].repeats > 0 && has_other_launch(self, entry))
		entry->stale = "launch";
	at_json_free(measurement);
	plan_configuration_add(self, &configuration, &entry->configuration);
	bind(self, entry, plan->configurations[entry->configuration].values);
	add_facts(self, entry, &evaluation->facts);
	plan->entry_count++;
	return AT_OK;
release:
	plan_configuration_release(&configuration);
	free(entry->sizes);
	return status;
}

static enum at_status add_baseline(struct plan_maker *self,
	const struct at_result *result, size_t device, size_t problem,
	struct at_error *err)
{
	struct at_header_entry entry = {
		.result = result,
		.device = device,
		.problem = problem,
		.is_baseline = true,
	};
	bool fits;

	/* for the static analyzer: every entry has a result */
	if (!result || !result->has_baseline ||
		result->baseline.outcome != AT_OUTCOME_OK)
		return AT_OK;
	return add_entry(self, &entry, &result->baseline, NULL, NULL, &fits, err);
}

/* Baselines for problems without a winner (at_results_add_defaults()). */
static enum at_status add_defaults(struct plan_maker *self,
	const struct at_result *items, size_t count, struct at_error *err)
{
	const struct at_spec *spec = self->spec;
	enum at_status status = AT_OK;

	for (size_t i = 0; i < count && !status; i++) {
		size_t device, problem = find_problem(spec, items[i].best.problem);

		if (items[i].winner.configuration || problem == spec->problem_count ||
			strcmp(items[i].best.space, spec->name) != 0)
			continue;
		add_device(self, &items[i].device, &device);
		status = add_baseline(self, &items[i], device, problem, err);
	}
	return status;
}

/* ---- the whole plan -------------------------------------------------------- */

struct place {
	const struct at_result *result;
	size_t problem;
};

static int compare_places(const void *a, const void *b)
{
	const struct place *left = a, *right = b;
	int order = strcmp(left->result->device.kind, right->result->device.kind);

	if (!order)
		order = strcmp(left->result->device.slug, right->result->device.slug);
	if (!order)
		order = (left->problem > right->problem) -
			(left->problem < right->problem);
	return order;
}

enum at_status at_header_plan_make(const struct at_spec *spec,
	const struct at_result *items, size_t count,
	const struct at_header_plan_options *options, struct at_header_plan *out,
	struct at_error *err)
{
	struct plan_maker self = { .plan = out, .spec = spec };
	enum at_status status = AT_OK;
	size_t place_count = 0;

	memset(out, 0, sizeof(*out));
	out->spec = spec;
	out->configurations = at_calloc(2 * count + 1, sizeof(*out->configurations));
	out->devices = at_calloc(count + 1, sizeof(*out->devices));
	out->problems = at_calloc(spec->problem_count + 1, sizeof(*out->problems));
	out->entries = at_calloc(2 * count + 1, sizeof(*out->entries));
	self.keys = at_calloc(2 * count + 1, sizeof(*self.keys));
	self.slots = at_calloc(spec->slot_count + 1, sizeof(*self.slots));
	/* a recorded launch has the numbers of its first step */
	self.slots[spec->slot_count] = (struct at_value){ .type = AT_TYPE_INTEGER };
	for (size_t i = 0; i < spec->problem_count; i++) {
		struct at_header_problem *problem =
			&out->problems[out->problem_count++];
		struct at_strbuf name = { 0 };
		char *macro;
		bool again;

		problem->text = spec->problems[i].name;
		/* The '_' that at_text_macro() puts before a digit is dropped: the name
		   follows "NVIDIA_H200_". */
		macro = at_text_macro(problem->text);
		at_strbuf_add(&name, macro + (macro[0] == '_' && macro[1]));
		free(macro);
		do {
			again = false;
			for (size_t k = 0; k < i; k++)
				again |= !strcmp(
					out->problems[k].name, at_strbuf_text(&name));
			if (again)
				at_strbuf_add_char(&name, '_');
		} while (again);
		problem->name = at_strbuf_detach(&name);
	}
	struct place *places = at_calloc(count + 1, sizeof(*places));

	for (size_t i = 0; i < count; i++) {
		struct place *place = &places[place_count];

		if (strcmp(items[i].best.space, spec->name) != 0 ||
			!items[i].winner.configuration)
			continue;
		if (items[i].best.is_unverified && !options->with_unverified) {
			out->unverified_count++;
			continue;
		}
		place->result = &items[i];
		place->problem = find_problem(spec, items[i].best.problem);
		place_count++;
	}
	if (place_count)
		qsort(places, place_count, sizeof(*places), compare_places);
	for (size_t i = 0; i < place_count && !status; i++) {
		struct at_header_entry entry = { .result = places[i].result,
			.problem = places[i].problem };
		const struct at_winner *best = &entry.result->best;
		bool fits = false;

		if (entry.problem < spec->problem_count) {
			add_device(&self, &entry.result->device, &entry.device);
			status = add_entry(&self, &entry, &entry.result->winner,
				best->options, best->launch, &fits, err);
		}
		if (!status && !fits)
			out->unfit_count++;
	}
	free(places);
	out->winner_count = out->entry_count;
	for (size_t i = 0; i < out->winner_count && !status; i++)
		status = add_baseline(&self, out->entries[i].result,
			out->entries[i].device, out->entries[i].problem, err);
	if (!status)
		status = add_defaults(&self, items, count, err);
	for (size_t i = 0; i < out->configuration_count; i++)
		free(self.keys[i]);
	free(self.keys);
	free(self.slots);
	at_template_release(&self.template);
	return status;
}

void at_header_plan_release(struct at_header_plan *self)
{
	for (size_t i = 0; i < self->configuration_count; i++)
		plan_configuration_release(&self->configurations[i]);
	for (size_t i = 0; i < self->device_count; i++)
		free(self->devices[i].name);
	for (size_t i = 0; i < self->problem_count; i++)
		free(self->problems[i].name);
	for (size_t i = 0; i < self->entry_count; i++) {
		free(self->entries[i].sizes);
		free(self->entries[i].launches);
	}
	free(self->configurations);
	free(self->devices);
	free(self->problems);
	free(self->entries);
	memset(self, 0, sizeof(*self));
}
