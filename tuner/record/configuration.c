/* Configurations as the record keeps them: JSON objects of typed values. */
#include "record/result.h"

#include "base/json.h"
#include "record/evaluation_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *at_configuration_to_json(
	const struct at_spec *spec, const uint16_t *configuration)
{
	struct at_json *object = at_json_configuration(spec, configuration);
	struct at_strbuf out = { 0 };

	if (at_json_write(object, 0, &out, NULL))
		at_strbuf_release(&out);
	at_json_free(object);
	return at_strbuf_detach(&out);
}

/* JSON keeps 15 digits, so that two reals are the same when those are. */
static bool is_same_real(double a, double b)
{
	char text[2][32];

	snprintf(text[0], sizeof(text[0]), "%.15g", a);
	snprintf(text[1], sizeof(text[1]), "%.15g", b);
	return !strcmp(text[0], text[1]);
}

/* node_text: the node as it is written */
static bool is_same(
	const struct at_value *value, const struct at_json *node, const char *node_text)
{
	const char *word;

	switch (value->type) {
	case AT_TYPE_NONE:
		return false;
	case AT_TYPE_INTEGER:
		/* two fallbacks, of which one differs from any value */
		return at_json_whole(node, 0) == value->integer &&
		       at_json_whole(node, 1) == value->integer;
	case AT_TYPE_BOOLEAN:
		return !strcmp(node_text, value->integer ? "true" : "false");
	case AT_TYPE_REAL:
		return is_same_real(at_json_number(node, value->real + 1), value->real);
	case AT_TYPE_WORD:
		word = at_json_text(node);
		return word && !strcmp(word, value->word);
	}
	return false;
}

static bool find_value(const struct at_parameter *parameter, const struct at_json *node,
	uint16_t *index)
{
	struct at_strbuf text = { 0 };
	bool found = false;

	if (!node || at_json_write(node, 0, &text, NULL))
		goto release;
	for (size_t i = 0; i < parameter->value_count && !found; i++) {
		found = is_same(&parameter->values[i], node, at_strbuf_text(&text));
		*index = (uint16_t)i;
	}
release:
	at_strbuf_release(&text);
	return found;
}

/*
 * Whether object has no member that the configuration lacks. Every member of the
 * configuration is in it, so that one more would make it longer.
 */
static bool is_all(const struct at_spec *spec, const struct at_json *object,
	const uint16_t *configuration)
{
	char *expected = at_configuration_to_json(spec, configuration);
	struct at_strbuf found = { 0 };
	bool same;

	same = expected && !at_json_write(object, 0, &found, NULL) &&
	       strlen(expected) == found.length;
	at_strbuf_release(&found);
	free(expected);
	return same;
}

bool at_configuration_from_json(
	const struct at_spec *spec, const char *json, uint16_t *configuration)
{
	struct at_json *object;
	bool fits = true;

	if (at_json_parse(json, strlen(json), NULL, &object, NULL))
		return false;
	for (size_t i = 0; i < spec->parameter_count && fits; i++) {
		const struct at_parameter *parameter = &spec->parameters[i];

		fits = find_value(parameter, at_json_get(object, parameter->name),
			&configuration[i]);
	}
	fits = fits && is_all(spec, object, configuration);
	at_json_free(object);
	return fits;
}
