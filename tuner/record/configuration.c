/* Configurations and sizes as the record keeps them, JSON objects, and back. */
#include "record/result.h"

#include "base/json.h"
#include "record/evaluation_json.h"

#include <stdio.h>
#include <string.h>

/* Writes a configuration as at_json_write() would, without a tree: each evaluation is
   recorded with one. False: it has values that are left to the tree. */
static bool write_plainly(const struct at_spec *spec, const uint16_t *configuration,
	struct at_strbuf *out)
{
	at_strbuf_add_char(out, '{');
	for (size_t i = 0; i < spec->parameter_count; i++) {
		const struct at_parameter *parameter = &spec->parameters[i];
		struct at_value value = parameter->values[configuration[i]];

		if (!at_json_is_plain(parameter->name, strlen(parameter->name)))
			return false;
		at_strbuf_add(out, i ? ", \"" : "\"");
		at_strbuf_add(out, parameter->name);
		at_strbuf_add(out, "\": ");
		switch (value.type) {
		case AT_TYPE_INTEGER:
			at_strbuf_add_integer(out, value.integer);
			break;
		case AT_TYPE_BOOLEAN:
			at_strbuf_add(out, value.integer ? "true" : "false");
			break;
		case AT_TYPE_WORD:
			if (!at_json_is_plain(value.word, strlen(value.word)))
				return false;
			at_strbuf_add_char(out, '"');
			at_strbuf_add(out, value.word);
			at_strbuf_add_char(out, '"');
			break;
		case AT_TYPE_REAL:
		case AT_TYPE_NONE:
			return false;
		}
	}
	at_strbuf_add_char(out, '}');
	return true;
}

char *at_configuration_to_json(
	const struct at_spec *spec, const uint16_t *configuration)
{
	struct at_strbuf out = { 0 };
	struct at_json *object;

	if (configuration && write_plainly(spec, configuration, &out))
		return at_strbuf_detach(&out);
	at_strbuf_clear(&out);
	object = at_json_configuration(spec, configuration);
	at_json_write(object, 0, &out);
	at_json_free(object);
	return at_strbuf_detach(&out);
}

char *at_problem_to_json(const struct at_spec *spec, const struct at_problem *problem)
{
	struct at_json *object = at_json_object();
	struct at_strbuf out = { 0 };

	/* in the order that all problems of the space share */
	for (size_t i = 0; i < spec->size_count; i++)
		for (size_t k = 0; k < problem->size_count; k++)
			if (!strcmp(spec->size_names[i], problem->sizes[k].name))
				at_json_set(object, spec->size_names[i],
					at_value_to_json(problem->sizes[k].value));
	at_json_write(object, 0, &out);
	at_json_free(object);
	return at_strbuf_detach(&out);
}

static bool is_same(const struct at_value *value, const struct at_json *node)
{
	struct at_strbuf text = { 0 };
	char digits[2][32];
	const char *word;
	bool same;

	switch (value->type) {
	case AT_TYPE_NONE:
		return false;
	case AT_TYPE_INTEGER:
		/* at_json_whole() returns the fallback for anything but an integer:
		   with two different fallbacks one of them differs from the value */
		return at_json_whole(node, 0) == value->integer &&
		       at_json_whole(node, 1) == value->integer;
	case AT_TYPE_BOOLEAN:
		if (value->integer)
			return at_json_is_true(node);
		at_json_write(node, 0, &text);
		same = !strcmp(at_strbuf_text(&text), "false");
		at_strbuf_release(&text);
		return same;
	case AT_TYPE_REAL:
		/* JSON keeps 15 digits, so reals are the same where these are */
		snprintf(digits[0], sizeof(digits[0]), "%.15g",
			at_json_number(node, value->real + 1));
		snprintf(digits[1], sizeof(digits[1]), "%.15g", value->real);
		return !strcmp(digits[0], digits[1]);
	case AT_TYPE_WORD:
		word = at_json_text(node);
		return word && !strcmp(word, value->word);
	}
	return false;
}

void at_configuration_from_json(const struct at_spec *spec, const char *json,
	uint16_t *configuration, bool *fits)
{
	struct at_json *object;
	enum at_status status = at_json_parse(json, strlen(json), NULL, &object, NULL);

	*fits = false;
	if (status)
		return;
	/* a member more than the space has parameters does not fit either */
	*fits = !at_json_key_at(object, spec->parameter_count);
	for (size_t i = 0; i < spec->parameter_count && *fits; i++) {
		const struct at_parameter *parameter = &spec->parameters[i];
		const struct at_json *node = at_json_get(object, parameter->name);
		size_t value = 0;

		while (node && value < parameter->value_count &&
			!is_same(&parameter->values[value], node))
			value++;
		*fits = node && value < parameter->value_count;
		configuration[i] = (uint16_t)value;
	}
	at_json_free(object);
}
