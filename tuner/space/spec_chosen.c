/*
 * Buffers whose type a parameter chooses: type = "${T}"; reference_type = "float". They
 * are filled, compared and passed to the reference in the reference's type. Each has a
 * copy in the chosen type, a scratch buffer, which tuned kernels take instead. The
 * calls `prepare` and `finish` convert between the two; kernel/source.c writes their
 * kernels.
 */
#include "space/spec_load.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A type that both C++ and the comparison can convert. */
static bool is_real(const char *type, enum at_element *element)
{
	int lanes;

	return at_element_find(type, element, &lanes) && lanes == 1 &&
	       at_element_kind(*element) == AT_ELEMENT_KIND_REAL;
}

size_t at_spec_find_words(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what)
{
	const struct at_spec *spec = loader->spec;
	const char *at = node->text, *name;
	size_t length;

	if (at_spec_next_reference(&at, &name, &length) == node->text && name && !*at)
		for (size_t i = 0; i < spec->parameter_count; i++)
			if (spec->parameters[i].type == AT_TYPE_WORD &&
				strlen(spec->parameters[i].name) == length &&
				!memcmp(spec->parameters[i].name, name, length))
				return i + 1;
	at_spec_fail(loader, node->line,
		"%s is \"%.80s\": expected the name of a parameter of words", what,
		node->text);
}

void at_spec_load_chosen_type(struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what,
	struct at_argument *argument)
{
	const struct at_config_node *type = at_config_find(group, "type");
	const struct at_config_node *reference =
		at_config_find(group, "reference_type");
	const struct at_parameter *parameter;
	const char *at = type->text, *name;
	size_t length;
	char where[160];

	if (at_spec_next_reference(&at, &name, &length) != type->text || !name || *at ||
		argument->access == AT_ACCESS_NONE ||
		argument->access == AT_ACCESS_SCRATCH)
		at_spec_fail(loader, type->line,
			"\"type\" of %s is \"%.80s\": only the whole type of a buffer of access \"in\", \"out\" or \"inout\" may be a parameter, as in \"${T}\"",
			what, type->text);
	snprintf(where, sizeof(where), "\"type\" of %s", what);
	argument->type_parameter = at_spec_find_words(loader, type, where);
	parameter = &loader->spec->parameters[argument->type_parameter - 1];
	for (size_t i = 0; i < parameter->value_count; i++) {
		enum at_element element;

		if (!is_real(parameter->values[i].word, &element))
			at_spec_fail(loader, parameter->line,
				"parameter \"%.80s\", the type of %s, has the value \"%.80s\": expected floating-point types, as in [ \"float\", \"half\" ]",
				parameter->name, what, parameter->values[i].word);
		if (!i || at_element_precision(element) <
				  at_element_precision(argument->narrowest))
			argument->narrowest = element;
	}
	at_spec_require(loader, group, what, "reference_type",
		"reference_type = \"float\"; the type of the reference");
	if (reference->kind != AT_CONFIG_STRING ||
		!is_real(reference->text, &argument->element))
		at_spec_fail(loader, reference->line,
			"\"reference_type\" of %s: expected a floating-point type, such as \"float\"",
			what);
}

/* The size expression of the copy in bytes: "(N) * (T == 'float' ? 4 : 2)". */
static void count_bytes(struct at_spec_loader *loader,
	const struct at_argument *argument, struct at_expression **out)
{
	const struct at_parameter *parameter =
		&loader->spec->parameters[argument->type_parameter - 1];
	struct at_strbuf text = { 0 };

	at_strbuf_addf(&text, "(%s) * (", at_expression_text(argument->count));
	for (size_t i = 0; i < parameter->value_count; i++) {
		enum at_element element = AT_ELEMENT_NONE;

		is_real(parameter->values[i].word, &element);
		if (i + 1 < parameter->value_count)
			at_strbuf_addf(&text, "%s == '%s' ? ", parameter->name,
				parameter->values[i].word);
		at_strbuf_addf(&text, "%zu%s", at_element_bytes(element),
			i + 1 < parameter->value_count ? " : " : ")");
	}
	at_spec_compile(loader, at_spec_own(loader->spec, at_strbuf_detach(&text)),
		argument->line, out);
}

void at_spec_add_copies(struct at_spec_loader *loader)
{
	struct at_spec *spec = loader->spec;

	for (size_t i = 0; i < spec->given_count; i++) {
		struct at_argument *argument = &spec->arguments[i];
		struct at_argument *copy = &spec->arguments[spec->argument_count];
		struct at_strbuf name = { 0 };

		if (!argument->type_parameter)
			continue;
		argument->copy = spec->argument_count;
		spec->argument_count += 2;
		/* cannot clash with a name in the file */
		at_strbuf_addf(&name, "%s as %s", argument->name,
			spec->parameters[argument->type_parameter - 1].name);
		*copy = (struct at_argument){
			.name = at_spec_own(spec, at_strbuf_detach(&name)),
			.line = argument->line,
			.element = AT_ELEMENT_U8,
			.lanes = 1,
			.access = AT_ACCESS_SCRATCH,
			.rtol = NAN,
			.atol = NAN,
		};
		at_strbuf_addf(&name, "elements of %s", argument->name);
		copy[1] = (struct at_argument){
			.name = at_spec_own(spec, at_strbuf_detach(&name)),
			.line = argument->line,
			.element = AT_ELEMENT_I64,
			.lanes = 1,
			.value = argument->count,
			.is_fixed = true,
			.rtol = NAN,
			.atol = NAN,
		};
		count_bytes(loader, argument, &copy->count);
	}
}

static void take_copies(struct at_spec *spec, size_t *arguments, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (spec->arguments[arguments[i]].type_parameter)
			arguments[i] = spec->arguments[arguments[i]].copy;
}

/* Adds `prepare`, or `finish` for the opposite conversion. */
static void add_conversion(
	struct at_spec_loader *loader, bool is_finish, struct at_call **out)
{
	struct at_spec *spec = loader->spec;
	struct at_call *call = &spec->calls[spec->call_count];

	call->arguments = at_spec_allocate(
		loader, 3 * spec->given_count, sizeof(*call->arguments));
	for (size_t i = 0; i < spec->given_count; i++) {
		const struct at_argument *argument = &spec->arguments[i];
		size_t *next = &call->arguments[call->argument_count];

		if (!argument->type_parameter ||
			argument->access == (is_finish ? AT_ACCESS_IN : AT_ACCESS_OUT))
			continue;
		next[is_finish] = i;
		next[!is_finish] = argument->copy;
		next[2] = argument->copy + 1;
		call->argument_count += 3;
	}
	if (!call->argument_count)
		return;
	spec->call_count++;
	*out = call;
	call->name = at_spec_copy_text(loader, is_finish ? "finish" : "prepare");
	call->kernel = at_spec_copy_text(
		loader, is_finish ? "autotune_finish" : "autotune_prepare");
	call->is_generated = true;
	call->line = call->launch.line = spec->kernel_line;
	call->launch.block_rank = call->launch.grid_rank = 1;
	/* the kernel has a grid-stride loop */
	at_spec_compile(loader, "256", call->line, &call->launch.block[0]);
	at_spec_compile(loader, "1024", call->line, &call->launch.grid[0]);
}

void at_spec_add_conversions(struct at_spec_loader *loader)
{
	struct at_spec *spec = loader->spec;
	const struct at_argument *chosen = NULL;

	for (size_t i = 0; i < spec->argument_count; i++) {
		const struct at_argument *argument = &spec->arguments[i];
		size_t led = argument->points_to ? argument->points_to : argument->of;

		if (argument->type_parameter)
			chosen = argument;
		if (led && spec->arguments[led - 1].type_parameter)
			at_spec_fail(loader, argument->line,
				"\"%.100s\" leads to \"%.80s\", whose type a parameter chooses: give kernels the buffer itself",
				argument->name, spec->arguments[led - 1].name);
		if (argument->symbol && argument->type_parameter)
			at_spec_fail(loader, argument->line,
				"argument \"%.80s\" has a \"symbol\", whose type a parameter cannot choose",
				argument->name);
	}
	if (!chosen)
		return;
	if (spec->prepare || spec->finish)
		at_spec_fail(loader,
			(spec->prepare ? spec->prepare : spec->finish)->line,
			"\"prepare\" and \"finish\" exclude arguments whose type a parameter chooses, as \"%.80s\", since autotune converts them there",
			chosen->name);
	for (size_t i = 0; i < spec->launch_count; i++) {
		struct at_call *call = &spec->calls[i];

		take_copies(spec, call->arguments, call->argument_count);
		take_copies(spec, call->swaps, call->swap_count);
		take_copies(spec, &call->launch.window.argument, 1);
	}
	add_conversion(loader, false, &spec->prepare);
	add_conversion(loader, true, &spec->finish);
}
