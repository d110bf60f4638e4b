/*
 * Any bytes as a space file: loads or is refused with one line, and leaves
 * nothing behind.
 */
#include "space/spec.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use(struct at_spec *spec)
{
	struct at_value *slots = calloc(spec->slot_count, sizeof(*slots));
	struct at_strbuf text = { 0 };

	if (!slots)
		abort();
	at_spec_bind(spec, &spec->problems[0], NULL, NULL, slots);
	at_spec_bind_configuration(spec, spec->defaults, slots);
	at_configuration_format(spec, spec->defaults, &text);
	for (size_t i = 0; i < spec->option_count; i++) {
		const struct at_option *option = &spec->options[i];
		bool applies;

		at_spec_substitute(
			spec, option->text, option->line, slots, &text, NULL);
		if (option->when)
			at_spec_test(spec, option->when, slots, "when", option->line,
				&applies, NULL);
	}
	at_strbuf_release(&text);
	free(slots);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct at_spec *spec = NULL;
	struct at_error err = { 0 };
	enum at_status status =
		at_spec_parse((const char *)data, size, "space.cfg", &spec, &err);

	if (!status)
		use(spec);
	else if (spec || err.status != status || !err.text[0] || strchr(err.text, '\n'))
		abort();
	at_spec_free(spec);
	return 0;
}
