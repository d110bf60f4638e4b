/* Warnings about what reaches a kernel: constant memory that nothing fills, arguments
   that no kernel takes, and loops whose number of copies a build would not see. */
#include "kernel/lint_parts.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

/* ---- constant memory ------------------------------------------------------------- */

/* Whether an argument of the space is copied into the variable. */
static bool is_filled(const struct at_spec *spec, struct at_lexeme name)
{
	for (size_t i = 0; i < spec->argument_count; i++) {
		const char *symbol = spec->arguments[i].symbol, *bare;
		size_t length = 0;

		bare = symbol ? at_kernel_bare_name(symbol, &length) : NULL;
		if (bare && length == name.length && !memcmp(bare, name.text, length))
			return true;
	}
	return false;
}

/* Whether the name stands in the text again, behind `at`. */
static bool is_named_again(const char *at, struct at_lexeme name)
{
	struct at_lexeme lexeme;

	while (at_scan(&at, &lexeme))
		if (lexeme.length == name.length &&
			!memcmp(lexeme.text, name.text, name.length))
			return true;
	return false;
}

/* The next word that stands in no directive. */
static bool scan_code(const char **at, struct at_lexeme *lexeme)
{
	while (at_scan(at, lexeme)) {
		if (!at_lexeme_is(*lexeme, "#"))
			return true;
		*at = at_scan_directive_end(*at);
	}
	return false;
}

/*
 * The variable that is declared from *at on, behind __constant__; false: it has a value
 * there, or is declared in a way that is not understood. Of several in one declaration
 * only the first one is looked at.
 */
static bool find_variable(const char **at, struct at_lexeme *name)
{
	struct at_lexeme lexeme;
	int brackets = 0;
	bool is_named = false;

	*name = (struct at_lexeme){ "", 0 };
	while (scan_code(at, &lexeme)) {
		char first = lexeme.text[0];

		if (first == '=' || first == '{' || first == '(' || first == '}')
			return false;
		if (first == ';' || (first == ',' && brackets == 0))
			return name->length > 0;
		if (first == '[')
			is_named = true;
		brackets += first == '<' || first == '[';
		brackets -= first == '>' || first == ']';
		if (brackets == 0 && !is_named && at_lexeme_is_identifier(lexeme))
			*name = lexeme;
	}
	return false;
}

void lint_tell_constants(const struct lint *self, const char *text)
{
	struct at_lexeme lexeme, name, last = { "", 0 };
	char told[400];

	for (const char *at = text; scan_code(&at, &lexeme); last = lexeme) {
		/* extern: the variable is declared elsewhere, with a value perhaps */
		if (!at_lexeme_is(lexeme, "__constant__") ||
			at_lexeme_is(last, "extern") || !find_variable(&at, &name) ||
			is_filled(self->spec, name) || !is_named_again(at, name))
			continue;
		snprintf(told, sizeof(told),
			"nothing fills the constant memory \"%.*s\": it is 0, in kernel and reference alike, and what is computed from it proves little; give an argument symbol = \"%.*s\"",
			(int)(name.length < 100 ? name.length : 100), name.text,
			(int)(name.length < 100 ? name.length : 100), name.text);
		lint_tell_at(self, self->file, lint_line_of(text, name.text), told);
	}
}

/* ---- arguments ------------------------------------------------------------------- */

static bool takes(const size_t *arguments, size_t count, size_t index)
{
	for (size_t i = 0; i < count; i++)
		if (arguments[i] == index)
			return true;
	return false;
}

void lint_tell_untaken(const struct lint *self)
{
	const struct at_spec *spec = self->spec;
	const struct at_call *const calls[] = { &spec->reference.call, &spec->prepare,
		&spec->finish };
	char told[256];

	for (size_t i = 0; i < spec->given_count; i++) {
		const struct at_argument *argument = &spec->arguments[i];
		bool is_taken =
			argument->symbol ||
			takes(spec->kernel_arguments, spec->kernel_argument_count, i);

		for (size_t j = 0; j < AT_COUNT_OF(calls) && !is_taken; j++)
			is_taken =
				takes(calls[j]->arguments, calls[j]->argument_count, i);
		if (is_taken)
			continue;
		snprintf(told, sizeof(told),
			"the argument \"%.100s\" reaches no kernel: name it in the \"arguments\" of one, give it a symbol, or take it out",
			argument->name);
		lint_tell_at(self, spec->path, argument->line, told);
	}
}

/* ---- loops ----------------------------------------------------------------------- */

void lint_tell_unroll(const struct lint *self, const char *text, size_t index)
{
	enum { BEFORE = 4 };
	const char *name = self->spec->parameters[index].name;
	struct at_lexeme last[BEFORE] = { { "", 0 } }, lexeme;
	char told[400];

	for (const char *at = text; at_scan(&at, &lexeme);) {
		size_t ahead = at_lexeme_is(last[0], "(");

		if (at_lexeme_is(lexeme, name) && at_lexeme_is(last[ahead], "unroll") &&
			at_lexeme_is(last[ahead + 1], "pragma") &&
			at_lexeme_is(last[ahead + 2], "#")) {
			snprintf(told, sizeof(told),
				"nvcc replaces no macro in \"#pragma unroll %.60s\", so that the template would not build with the header: write enum { STEPS = %.60s }; and #pragma unroll STEPS",
				name, name);
			lint_tell_at(self, self->file, lint_line_of(text, lexeme.text),
				told);
			return;
		}
		memmove(last + 1, last, (BEFORE - 1) * sizeof(*last));
		last[0] = lexeme;
	}
}
