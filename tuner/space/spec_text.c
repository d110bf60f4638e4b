/* Reads and writes texts about a space: configurations, options, --set, budgets. */
#include "space/spec_load.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void at_configuration_format(const struct at_spec *self, const uint16_t *configuration,
	struct at_strbuf *out)
{
	for (size_t i = 0; i < self->parameter_count; i++) {
		const struct at_parameter *parameter = &self->parameters[i];

		at_strbuf_addf(out, "%s%s=", i ? " " : "", parameter->name);
		at_value_format(parameter->values[configuration[i]], out);
	}
}

/* ${NAME} */

static int find_slot(const struct at_spec *self, const char *name, size_t length)
{
	for (size_t i = 0; i < self->slot_count; i++) {
		const char *known = at_spec_slot_name(self, (int)i);

		if (!strncmp(known, name, length) && !known[length])
			return (int)i;
	}
	return -1;
}

enum at_status at_spec_substitute(const struct at_spec *self, const char *text,
	int line, const struct at_value *slots, struct at_strbuf *out,
	struct at_error *err)
{
	const char *position = text, *copied = text, *start, *name;
	size_t length;

	while ((start = at_spec_next_reference(&position, &name, &length))) {
		int slot = name ? find_slot(self, name, length) : -1;
		struct at_value value;

		if (slot < 0)
			return at_fail(err, AT_EINVAL, self->path, line,
				"\"%.200s\": expected a parameter, a size or device.NAME between \"${\" and \"}\"",
				text);
		if (slots[slot].type == AT_TYPE_NONE)
			return at_fail(err, AT_EINVAL, self->path, line,
				"\"%.200s\" uses %s, which has no value here", text,
				at_spec_slot_name(self, slot));
		at_strbuf_add_bytes(out, copied, (size_t)(start - copied));
		/* Booleans are 0 and 1, like the macro of that name. */
		value = slots[slot];
		if (value.type == AT_TYPE_BOOLEAN)
			value.type = AT_TYPE_INTEGER;
		at_value_format(value, out);
		copied = position;
	}
	at_strbuf_add(out, copied);
	return AT_OK;
}

enum at_status at_spec_file(const struct at_spec *self, const char *path, int line,
	const struct at_value *slots, char **out, struct at_error *err)
{
	struct at_strbuf text = { 0 };
	enum at_status status = at_spec_substitute(self, path, line, slots, &text, err);

	*out = status ? NULL : at_path_join(self->directory, at_strbuf_text(&text));
	at_strbuf_release(&text);
	return status;
}

/* --set NAME=VALUE[,VALUE] */

static struct at_parameter *find_parameter(
	const struct at_spec *self, const char *name, size_t length)
{
	for (size_t i = 0; i < self->parameter_count; i++) {
		struct at_parameter *parameter = &self->parameters[i];

		if (!strncmp(parameter->name, name, length) && !parameter->name[length])
			return parameter;
	}
	return NULL;
}

static enum at_status fail_parameter(const struct at_spec *self, const char *text,
	size_t length, struct at_error *err)
{
	const char **names = at_calloc(self->parameter_count, sizeof(*names));
	char wrong[96], suggestion[256];
	enum at_status status;

	for (size_t i = 0; i < self->parameter_count; i++)
		names[i] = self->parameters[i].name;
	snprintf(wrong, sizeof(wrong), "%.*s", length > 80 ? 80 : (int)length, text);
	for (size_t i = 0; i < self->size_count; i++)
		if (!strcmp(self->size_names[i], wrong)) {
			free(names);
			return at_fail(err, AT_EINVAL, self->path, 0,
				"\"%s\" is a size of problems and no parameter: problems are chosen by name, with --problem",
				wrong);
		}
	status = at_fail(err, AT_EINVAL, self->path, 0, "unknown parameter \"%s\"%s",
		wrong,
		at_spec_suggestion(wrong, names, self->parameter_count, suggestion,
			sizeof(suggestion)));
	free(names);
	return status;
}

/* Reads text as a value of the type; a word is borrowed. */
static bool read_value(enum at_type type, const char *text, struct at_value *out)
{
	bool yes = !strcmp(text, "true") || !strcmp(text, "1");

	*out = (struct at_value){ .type = type };
	switch (type) {
	case AT_TYPE_NONE:
		break;
	case AT_TYPE_INTEGER:
		return at_text_integer(text, &out->integer);
	case AT_TYPE_BOOLEAN:
		out->integer = yes;
		return yes || !strcmp(text, "false") || !strcmp(text, "0");
	case AT_TYPE_REAL:
		return at_text_real(text, &out->real);
	case AT_TYPE_WORD:
		out->word = text;
		return true;
	}
	return false;
}

static enum at_status keep_value(const struct at_spec *self,
	const struct at_parameter *parameter, const char *text, bool *keep,
	struct at_error *err)
{
	struct at_value value;
	char values[300];
	size_t index;

	if (!read_value(parameter->type, text, &value) ||
		!at_spec_find_value(parameter, value, &index))
		return parameter->all
			       ? at_fail(err, AT_EINVAL, self->path, parameter->line,
					 "parameter \"%.80s\" was given %s before, which leaves no value \"%.80s\": name all values at once, with commas between them",
					 parameter->name,
					 at_spec_values_text(
						 parameter, values, sizeof(values)),
					 text)
			       : at_fail(err, AT_EINVAL, self->path, parameter->line,
					 "parameter \"%.80s\" has no value \"%.80s\": expected some of %s%s",
					 parameter->name, text,
					 at_spec_values_text(
						 parameter, values, sizeof(values)),
					 text[0] && strchr("[({", text[0])
						 ? "; values are written without brackets, as in 4,8"
					 : strchr(text, '=')
						 ? "; another parameter has a --set of its own"
						 : "");
	if (keep[index])
		return at_fail(err, AT_EINVAL, self->path, parameter->line,
			"value \"%.80s\" of parameter \"%.80s\" is given twice", text,
			parameter->name);
	keep[index] = true;
	return AT_OK;
}

/*
 * Leaves only the marked values, in the order of the file, which is the order of
 * configurations. The file's values stay in `all`: words are macros with numbers, which
 * must be the same in a restricted run. Otherwise the run would not find the records of
 * a whole run.
 */
static void drop_values(
	struct at_parameter *parameter, const bool *keep, uint16_t *default_index)
{
	struct at_value *values = at_calloc(parameter->value_count, sizeof(*values));
	size_t kept = 0, moved = 0;

	for (size_t i = 0; i < parameter->value_count; i++) {
		if (!keep[i])
			continue;
		if (i == *default_index)
			moved = kept;
		values[kept++] = parameter->values[i];
	}
	if (parameter->all) {
		free(parameter->values);
	} else {
		parameter->all = parameter->values;
		parameter->all_count = parameter->value_count;
	}
	parameter->values = values;
	parameter->value_count = kept;
	*default_index = (uint16_t)moved;
}

enum at_status at_spec_restrict(
	struct at_spec *self, const char *text, struct at_error *err)
{
	const char *equals = strchr(text, '=');
	struct at_parameter *parameter;
	enum at_status status = AT_OK;
	char *values;
	bool *keep;

	if (!equals)
		return at_fail(err, AT_EINVAL, self->path, 0,
			"\"%.80s\": expected PARAMETER=VALUE or PARAMETER=VALUE,VALUE",
			text);
	parameter = find_parameter(self, text, (size_t)(equals - text));
	if (!parameter)
		return fail_parameter(self, text, (size_t)(equals - text), err);
	values = at_strdup(equals + 1);
	keep = at_calloc(parameter->value_count, sizeof(*keep));
	status = AT_OK;
	/* All values are marked before any is dropped, so that a failure changes
	   nothing. */
	for (char *value = values; value && !status;) {
		char *comma = strchr(value, ',');

		if (comma)
			*comma = '\0';
		status = keep_value(self, parameter, value, keep, err);
		value = comma ? comma + 1 : NULL;
	}
	if (!status)
		drop_values(
			parameter, keep, &self->defaults[parameter - self->parameters]);
	for (size_t i = 0; self->of_problems && i < self->problem_count && !status; i++)
		status = at_spec_restrict(self->of_problems[i], text, err);
	free(values);
	free(keep);
	return status;
}

bool at_spec_is_single(const struct at_spec *self)
{
	for (size_t i = 0; i < self->parameter_count; i++)
		if (self->parameters[i].value_count > 1)
			return false;
	return true;
}

enum at_status at_configuration_set(const struct at_spec *self, const char *text,
	uint16_t *configuration, struct at_error *err)
{
	const char *equals = strchr(text, '=');
	const struct at_parameter *parameter;
	struct at_value value;
	char values[300];
	size_t index;

	if (!equals)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"\"%.80s\": expected PARAMETER=VALUE", text);
	parameter = find_parameter(self, text, (size_t)(equals - text));
	if (!parameter)
		return fail_parameter(self, text, (size_t)(equals - text), err);
	if (!read_value(parameter->type, equals + 1, &value) ||
		!at_spec_find_value(parameter, value, &index))
		return at_fail(err, AT_EINVAL, NULL, 0,
			"parameter \"%.80s\" has no value \"%.80s\": expected one of %s",
			parameter->name, equals + 1,
			at_spec_values_text(parameter, values, sizeof(values)));
	configuration[parameter - self->parameters] = (uint16_t)index;
	return AT_OK;
}

/* Budgets. */

/* part: the unreadable piece of the text. */
static enum at_status fail_budget(
	const char *text, const char *part, struct at_error *err)
{
	char meant[16];

	if (at_text_meant_time(part, "smh", meant, sizeof(meant)) &&
		strcmp(part, meant) != 0)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"the budget \"%.80s\": a time is written as in \"90s\", \"10m\" or \"2h\"; did you mean \"%s\"?",
			text, meant);
	return at_fail(err, AT_EINVAL, NULL, 0,
		"the budget \"%.80s\": expected evaluations as in \"200\", a time as in \"90s\", \"10m\" or \"2h\", or both as in \"200,10m\"",
		text);
}

/* Reads a part such as "200", "90s", "10m", "2h"; leaves the other result unchanged. */
static bool read_part(const char *part, uint64_t *evaluations, double *seconds)
{
	char number[32];
	size_t length = strlen(part);
	int64_t count;
	double factor;

	if (!isdigit((unsigned char)part[0]) || length >= sizeof(number))
		return false;
	if (at_text_integer(part, &count)) {
		if (count <= 0 || *evaluations)
			return false;
		*evaluations = (uint64_t)count;
		return true;
	}
	switch (part[length - 1]) {
	case 's':
		factor = 1;
		break;
	case 'm':
		factor = 60;
		break;
	case 'h':
		factor = 3600;
		break;
	default:
		return false;
	}
	memcpy(number, part, length - 1);
	number[length - 1] = '\0';
	if (*seconds > 0 || !at_text_real(number, seconds))
		return false;
	*seconds *= factor;
	/* 1e12 s are 30000 years: more is a typo. */
	return *seconds > 0 && *seconds < 1e12;
}

enum at_status at_budget_parse(
	const char *text, uint64_t *evaluations, double *seconds, struct at_error *err)
{
	char part[32];
	const char *c = text;

	*evaluations = 0;
	*seconds = 0;
	for (;;) {
		size_t length = strcspn(c, ",");

		if (length >= sizeof(part))
			return fail_budget(text, text, err);
		memcpy(part, c, length);
		part[length] = '\0';
		if (!read_part(part, evaluations, seconds))
			return fail_budget(text, part, err);
		if (!c[length])
			return AT_OK;
		c += length + 1;
		c += *c == ' ';
	}
}
