/* The arguments of the C++ compiler: a list, and how NVRTC's options translate. */
#include "kernel/cxx_arguments.h"

#include "base/memory.h"
#include "kernel/cxx_unit.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

void at_cxx_arguments_release(struct at_cxx_arguments *self)
{
	for (size_t i = 0; i < self->made_count; i++)
		free(self->made[i]);
	free(self->made);
	free(self->items);
}

void at_cxx_arguments_add(struct at_cxx_arguments *self, const char *text)
{
	AT_GROW(self->items, self->capacity, self->count + 1);
	self->items[self->count++] = text;
}

void at_cxx_arguments_add_all(
	struct at_cxx_arguments *self, const char *const *texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		at_cxx_arguments_add(self, texts[i]);
}

/*
 * Adds option and value as one argument. As an argument of its own a value that begins
 * with '@' would be taken for a file of options, and one that begins with '-' for an
 * option.
 */
static void add_joined(
	struct at_cxx_arguments *self, const char *option, const char *value)
{
	struct at_strbuf text = { 0 };
	char *word;

	at_strbuf_addf(&text, "%s%s", option, value);
	word = at_strbuf_detach(&text);
	AT_GROW(self->made, self->made_capacity, self->made_count + 1);
	self->made[self->made_count++] = word;
	at_cxx_arguments_add(self, word);
}

void at_cxx_arguments_add_folder(
	struct at_cxx_arguments *self, const char *option, const char *folder)
{
	at_cxx_arguments_add(self, option);
	if (folder[0] == '@' || folder[0] == '-')
		add_joined(self, "./", folder);
	else
		at_cxx_arguments_add(self, folder);
}

/* NVRTC's options that take a value, and their names here. */
static const struct {
	const char *nvrtc;
	const char *here;
	/* the value may follow directly: -DNAME, besides -D NAME and -D=NAME */
	bool may_touch;
} valued_options[] = {
	{ "-D", "-D", true },
	{ "--define-macro", "-D", false },
	{ "-U", "-U", true },
	{ "--undefine-macro", "-U", false },
	{ "-I", "-I", true },
	{ "--include-path", "-I", false },
};

void at_cxx_arguments_add_options(
	struct at_cxx_arguments *self, const struct at_compile_request *request)
{
	char *const *options = request->options;
	size_t count = request->option_count;

	for (size_t i = 0; i < count; i++) {
		const char *option = options[i], *here = NULL, *value = NULL;

		for (size_t j = 0; j < COUNT(valued_options) && !value; j++) {
			value = at_option_value(options, count, i,
				valued_options[j].nvrtc, valued_options[j].may_touch);
			here = valued_options[j].here;
		}
		if (value) {
			if (here[1] == 'I' || !at_cxx_unit_has_macro(value))
				add_joined(self, here, value);
			i += i + 1 < count && value == options[i + 1];
		} else if (!strncmp(option, "-fmad=", 6) ||
			   !strncmp(option, "--fmad=", 7)) {
			at_cxx_arguments_add(self, strstr(option, "=false")
							   ? "-ffp-contract=off"
							   : "-ffp-contract=fast");
		} else if (!strncmp(option, "-f", 2) && strncmp(option, "-ftz=", 5)) {
			at_cxx_arguments_add(self, option);
		}
	}
}
