/* Writes configurations as people read them: see configuration.h. */
#include "cli/configuration.h"

#include "base/json.h"
#include "cli/format.h"

#include <string.h>

static const char itself[] = "the baseline";

void at_configuration_write(struct at_strbuf *out, const struct at_spec *spec,
	const uint16_t *configuration, bool wide)
{
	size_t start = out->length;

	if (wide || !spec->has_defaults) {
		at_configuration_format(spec, configuration, out);
		return;
	}
	for (size_t i = 0; i < spec->parameter_count; i++) {
		const struct at_parameter *parameter = &spec->parameters[i];

		if (configuration[i] == spec->defaults[i])
			continue;
		at_strbuf_addf(
			out, "%s%s=", out->length > start ? " " : "", parameter->name);
		at_value_format(parameter->values[configuration[i]], out);
	}
	if (out->length == start)
		at_strbuf_add(out, itself);
}

/* Returns false where the two are not of the same parameters, so that nothing may be
   left out. */
static bool write_changes(struct at_strbuf *out, const struct at_json *configuration,
	const struct at_json *baseline)
{
	size_t start = out->length, count = 0;
	const char *name;

	for (; (name = at_json_key_at(configuration, count)); count++) {
		const struct at_json *usual = at_json_get(baseline, name);
		struct at_value value =
			at_value_from_json(at_json_get(configuration, name));
		struct at_strbuf text = { 0 };

		if (!usual || !value.type)
			return false;
		if (at_value_equal(value, at_value_from_json(usual)))
			continue;
		at_strbuf_addf(&text, "%s%s=", out->length > start ? " " : "", name);
		at_value_format(value, &text);
		/* The record may come from anybody, so control characters are
		   removed. */
		at_format_plain(out, at_strbuf_text(&text));
		at_strbuf_release(&text);
	}
	if (out->length == start)
		at_strbuf_add(out, itself);
	return !at_json_key_at(baseline, count);
}

void at_configuration_write_recorded(
	struct at_strbuf *out, const char *json, const char *baseline, bool wide)
{
	struct at_json *configuration = NULL, *usual = NULL;
	struct at_strbuf changes = { 0 };
	bool is_written = false;

	if (!wide && baseline &&
		!at_json_parse(json, strlen(json), "", &configuration, NULL) &&
		!at_json_parse(baseline, strlen(baseline), "", &usual, NULL))
		is_written = write_changes(&changes, configuration, usual);
	at_json_free(configuration);
	at_json_free(usual);
	if (is_written)
		at_strbuf_add(out, at_strbuf_text(&changes));
	else
		at_format_configuration(out, json);
	at_strbuf_release(&changes);
}

void at_json_set_instance(struct at_json *object, const struct at_spec *spec,
	const uint16_t *configuration)
{
	struct at_strbuf text = { 0 };

	if (!configuration || !spec->kernel || !at_kernel_varies(spec->kernel))
		return;
	at_spec_write_kernel(spec, spec->kernel, configuration, &text);
	at_json_set(object, "instance", at_strbuf_text(&text));
	at_strbuf_release(&text);
}
