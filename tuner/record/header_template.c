/* Reads the template as far as a header needs it: its hash, and the names that a
   program can define only once. */
#include "kernel/scan.h"
#include "base/memory.h"
#include "kernel/source.h"
#include "record/header_internal.h"

#include <stdlib.h>
#include <string.h>

static void add_function(struct at_header_writer *self, const char *name, size_t length)
{
	char **grown;

	for (size_t i = 0; i < self->function_count; i++)
		if (strlen(self->functions[i]) == length &&
			!strncmp(self->functions[i], name, length))
			return;
	grown = at_realloc(
		self->functions, (self->function_count + 1) * sizeof(*self->functions));
	self->functions = grown;
	grown[self->function_count] = at_strndup(name, length);
	self->function_count++;
}

/* Adds the identifier of a C++ name: "tile" of "kernels::tile<4>". */
static void add_named(struct at_header_writer *self, const char *name)
{
	size_t length = 0;
	const char *bare = name ? at_kernel_bare_name(name, &length) : NULL;

	if (length)
		add_function(self, bare, length);
}

/* Skips to behind the matching ')'; *at is behind the '(' already. */
static void skip_parentheses(const char **at)
{
	struct at_lexeme lexeme;
	int depth = 1;

	while (depth > 0 && at_scan(at, &lexeme))
		depth += at_lexeme_is(lexeme, "(") ? 1 : -at_lexeme_is(lexeme, ")");
}

/* Adds the function declared behind "__global__": the last name before its
   parameters. */
static void add_kernel(struct at_header_writer *self, const char **at)
{
	struct at_lexeme lexeme, last = { 0 };

	while (at_scan(at, &lexeme)) {
		if (at_lexeme_is(lexeme, ";") || at_lexeme_is(lexeme, "{"))
			return;
		if (at_lexeme_is_identifier(lexeme)) {
			last = lexeme;
			continue;
		}
		if (!at_lexeme_is(lexeme, "("))
			continue;
		/* these belong to __launch_bounds__(256) or __attribute__((..)), not to
		   the kernel */
		if (last.length > 4 && !strncmp(last.text, "__", 2)) {
			skip_parentheses(at);
			continue;
		}
		if (last.length)
			add_function(self, last.text, last.length);
		return;
	}
}

static void add_kernels(struct at_header_writer *self, const char *text)
{
	struct at_lexeme lexeme;

	while (at_scan(&text, &lexeme))
		if (at_lexeme_is(lexeme, "__global__"))
			add_kernel(self, &text);
}

static enum at_status visit(
	void *context, const char *path, const char *text, struct at_error *err)
{
	(void)path;
	(void)err;
	add_kernels(context, text);
	return AT_OK;
}

enum at_status at_header_read_template(
	struct at_header_writer *self, char hash[AT_HASH_HEX_SIZE])
{
	const struct at_spec *spec = self->spec;
	const struct at_header_plan *plan = self->plan;
	const struct at_reach_visitor visitor = { visit, self };
	struct at_template template;
	struct at_reach reach = { 0 };
	enum at_status status = AT_OK;

	status = at_spec_require_kernel(spec, self->err);
	if (!status)
		status = at_template_load(spec->template_path, &template, self->err);
	if (status)
		return status;
	/* the tuned kernel must be the first one: header_select.c gives it the short
	   name */
	for (size_t i = 0; i <= spec->call_count; i++)
		add_named(self, at_spec_call(spec, i)->kernel);
	for (size_t i = 0; i < spec->argument_count; i++)
		add_named(self, spec->arguments[i].symbol);
	add_kernels(self, template.text);
	/* options may name further include folders; all configurations are taken to
	   include the same files as the first */
	status = at_reach_find(template.text, template.directory,
		plan->configuration_count ? plan->configurations[0].options : NULL,
		plan->configuration_count ? plan->configurations[0].option_count : 0,
		NULL, &visitor, &reach, self->err);
	self->is_hidden =
		at_calloc(spec->parameter_count + 1, sizeof(*self->is_hidden));
	for (size_t i = 0; i < spec->parameter_count && !status; i++)
		self->is_hidden[i] = at_source_is_template_parameter(spec, &reach, i);
	at_hash_hex(reach.digest, hash);
	at_reach_release(&reach);
	at_template_release(&template);
	return status;
}
