/* autotune header --flags: prints how each configuration of a header is compiled. */
#include "cli/configuration.h"
#include "cli/header.h"

#include "base/escape.h"
#include "base/text.h"
#include "cli/output.h"
#include "kernel/safe_options.h"
#include "record/header_plan.h"

#include <stdlib.h>

/* The devices where this configuration is a winner or a winner's baseline, each
   once. */
static struct at_json *list_devices(const struct at_header_plan *plan, size_t index)
{
	struct at_json *devices = at_json_array();

	for (size_t i = 0; i < plan->device_count; i++) {
		bool used = false;

		for (size_t k = 0; k < plan->entry_count; k++)
			used |= plan->entries[k].configuration == index &&
				plan->entries[k].device == i;
		if (used)
			at_json_append(
				devices, at_json_string(plan->devices[i].record->slug));
	}
	return devices;
}

static void print_json(const struct at_header_plan *plan, size_t index,
	const char *kernel, const char *macro)
{
	const struct at_header_configuration *it = &plan->configurations[index];
	struct at_json *object = at_json_object(), *flags = at_json_array();

	for (size_t i = 0; i < it->option_count; i++)
		at_json_append(flags, at_json_string(it->options[i]));
	at_json_set(object, "space", at_json_string(plan->spec->name));
	at_json_set(object, "macro", at_json_string(macro));
	at_json_set(object, "template", at_json_string(plan->spec->template_path));
	at_json_set(object, "configuration", at_json_integer((int64_t)index));
	at_json_set(object, "kernel", at_json_string(kernel));
	at_json_set_instance(object, plan->spec, it->values);
	at_json_set(object, "flags", flags);
	at_json_set(object, "devices", list_devices(plan, index));
	at_print_json(object);
}

static void print_text(
	const struct at_header_plan *plan, size_t index, const char *kernel)
{
	const struct at_header_configuration *it = &plan->configurations[index];
	struct at_strbuf line = { 0 };

	at_strbuf_addf(&line, "%zu\t%s\t", index, kernel);
	for (size_t i = 0; i < it->option_count; i++) {
		at_strbuf_add(&line, i ? " " : "");
		at_escape_shell(&line, it->options[i]);
	}
	at_strbuf_add_char(&line, '\n');
	at_print(&line);
	at_strbuf_release(&line);
}

/*
 * A build will give nvcc the options that the record has, and the record may come from
 * anybody. A plan takes only options that the space file has for the same values, but
 * in any order: an option without its value would take the next word as its value.
 */
static enum at_status check_trust(
	const struct at_header_plan *plan, struct at_error *err)
{
	const char *why;
	size_t wrong;

	for (size_t i = 0; i < plan->configuration_count && !plan->spec->is_trusted;
		i++) {
		const struct at_header_configuration *it = &plan->configurations[i];

		if (!at_options_are_safe(it->options, it->option_count, &wrong, &why))
			return at_fail(err, AT_EUNTRUSTED, plan->spec->path, 0,
				"configuration %zu was recorded with the option \"%.200s\", which %s: --trust takes it, where you know who recorded it",
				i, it->options[wrong], why);
	}
	return AT_OK;
}

enum at_status at_header_print_flags(
	const struct at_header_plan *plan, bool as_json, struct at_error *err)
{
	char *prefix = at_header_prefix(plan->spec);
	char *macro = at_text_macro(plan->spec->name);
	struct at_strbuf kernel = { 0 };
	enum at_status status = AT_OK;

	status = check_trust(plan, err);
	for (size_t i = 0; i < plan->configuration_count && !status; i++) {
		at_strbuf_clear(&kernel);
		at_strbuf_addf(&kernel, "%s_%zu", prefix, i);
		if (as_json)
			print_json(plan, i, at_strbuf_text(&kernel), macro);
		else
			print_text(plan, i, at_strbuf_text(&kernel));
	}
	at_strbuf_release(&kernel);
	free(prefix);
	free(macro);
	return status;
}
