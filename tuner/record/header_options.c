/* Determines the compiler options of a header's configurations: configurations with
   equal parameters and different options are kept apart. */
#include "record/header_plan_parts.h"

#include "base/json.h"
#include "base/memory.h"
#include "kernel/source.h"

#include <stdlib.h>
#include <string.h>

/* Whether an option's text has the ${NAME} of this slot. */
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

void plan_keep_exact(struct plan_maker *self, struct at_value *slots, bool *conditions)
{
	const struct at_spec *spec = self->spec;

	for (size_t i = 0; i < spec->slot_count; i++) {
		bool is_exact = i < spec->parameter_count;

		for (size_t k = 0; k < spec->option_count && !is_exact; k++)
			is_exact = is_in_option(spec, spec->options[k].text, i);
		if (is_exact)
			slots[i] = self->slots[i];
	}
	for (size_t i = 0; i < spec->option_count; i++) {
		const struct at_option *option = &spec->options[i];

		conditions[i] = true;
		if (!option->when)
			continue;
		/* a condition that cannot be evaluated does not hold */
		if (at_spec_test(spec, option->when, self->slots, "options",
			    option->line, &conditions[i], NULL))
			conditions[i] = false;
	}
}

/* The texts of a JSON array, on the heap: at_source_free_options(), also after a
   failure. */
static enum at_status read_options(
	const char *recorded, char ***out, size_t *count, struct at_error *err)
{
	struct at_json *array;
	enum at_status status =
		at_json_parse(recorded, strlen(recorded), NULL, &array, NULL);

	*out = NULL;
	*count = 0;
	if (status)
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

static bool is_among(const char *option, char *const *options, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(options[i], option))
			return true;
	return false;
}

/*
 * The options of a record or a result file may come from a stranger, and the compiler
 * of everybody who builds with the header gets them. So of those only options are used
 * that the space file itself gives for the same values.
 */
enum at_status plan_find_options(struct plan_maker *self, const char *recorded,
	char ***out, size_t *count, bool *found, struct at_error *err)
{
	struct at_error reason = { 0 };
	size_t own_count = 0;
	char **own = NULL;
	enum at_status status =
		at_source_options(self->spec, self->slots, &own, &own_count, &reason);

	*found = !status;
	/* none were recorded: use those of the space file */
	if (!*found || !recorded || !*recorded) {
		*out = own;
		*count = own_count;
		return AT_OK;
	}
	status = read_options(recorded, out, count, err);
	for (size_t i = 0; i < *count && !status; i++)
		*found &= is_among((*out)[i], own, own_count);
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

void plan_configuration_release(struct at_header_configuration *self)
{
	at_source_free_options(self->options, self->option_count);
	free(self->values);
	free(self->slots);
	free(self->conditions);
	memset(self, 0, sizeof(*self));
}

void plan_configuration_add(struct plan_maker *self,
	struct at_header_configuration *configuration, size_t *index)
{
	struct at_header_plan *plan = self->plan;
	char *key = make_key(self, configuration);

	for (*index = 0; *index < self->key_count; ++*index)
		if (!strcmp(self->keys[*index], key)) {
			plan_configuration_release(configuration);
			free(key);
			return;
		}
	self->keys[self->key_count++] = key;
	plan->configurations[plan->configuration_count++] = *configuration;
}
