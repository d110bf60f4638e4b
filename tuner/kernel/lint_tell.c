/* The warnings about a template and its parameters, once all of it has been read. */
#include "kernel/lint_parts.h"
#include "base/file.h"
#include "base/memory.h"
#include "kernel/host_dialect.h"
#include "kernel/reach.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void lint_values(const struct at_parameter *parameter, const struct at_value **values,
	size_t *count)
{
	*values = parameter->all ? parameter->all : parameter->values;
	*count = parameter->all ? parameter->all_count : parameter->value_count;
}

size_t lint_find_parameter(const struct lint *self, struct at_lexeme lexeme)
{
	size_t i = 0;

	while (i < self->spec->parameter_count &&
		!at_lexeme_is(lexeme, self->spec->parameters[i].name))
		i++;
	return i;
}

/* Whether some file or option defines a macro of that name. */
static bool is_macro(const struct lint *self, struct at_lexeme name)
{
	uint64_t hash = at_hash_bytes(name.text, name.length).low;

	for (size_t i = 0; i < self->macro_count; i++)
		if (self->macros[i] == hash)
			return true;
	return false;
}

void lint_tell_at(const struct lint *self, const char *file, int line, const char *text)
{
	struct at_error warning = { 0 };

	at_fail(&warning, AT_EINVAL, file, line, "%s", text);
	self->listener(self->context, &warning);
}

/*
 * The reference is compiled with the defaults, and what they compute counts as right.
 */
void lint_tell_reference(const struct lint *self)
{
	const struct at_spec *spec = self->spec;
	char text[512];

	if (spec->reference.kind != AT_REFERENCE_KERNEL ||
		strcmp(spec->reference.call.kernel, spec->kernel) != 0)
		return;
	snprintf(text, sizeof(text),
		"the reference is the tuned kernel \"%.128s\" itself: what is wrong with every configuration, the defaults too, is taken for right; a plain kernel beside it would tell",
		spec->kernel);
	lint_tell_at(self, spec->path, spec->reference.line, text);
}

void lint_tell_shared(const struct lint *self)
{
	const struct at_spec *spec = self->spec;

	/* if any launch gives a size, the shared memory may be meant for that launch */
	if (!self->external.line || !spec->launch.line || spec->launch.shared_bytes ||
		spec->prepare.launch.shared_bytes || spec->finish.launch.shared_bytes ||
		spec->reference.call.launch.shared_bytes)
		return;
	lint_tell_at(self, self->external.file, self->external.line,
		"the size of this shared memory is said by the launch, and none of the space has \"shared_bytes\": it has none; add shared_bytes = \"...\" to launch");
}

int lint_line_of(const char *text, const char *at)
{
	int line = 1;

	for (; text < at; text++)
		line += *text == '\n';
	return line;
}

/* "this_grid().sync()", and "name.sync()" of what was made of this_grid(): a launch of
   ours is no cooperative one, and the kernel would end or wait there. */
void lint_tell_grid(const struct lint *self, const char *text)
{
	enum { BEFORE = 5 };
	struct at_lexeme last[BEFORE] = { { "", 0 } }, lexeme, grid = { "", 0 };

	for (const char *at = text; at_scan(&at, &lexeme);) {
		bool is_sync =
			at_lexeme_is(lexeme, "sync") && at_lexeme_is(last[0], ".");
		bool is_grid = at_lexeme_is(last[3], "this_grid") ||
			       (grid.length && last[1].length == grid.length &&
				       !memcmp(last[1].text, grid.text, grid.length));

		if (is_sync && is_grid)
			lint_tell_at(self, self->file, lint_line_of(text, lexeme.text),
				"the whole grid meets here, which needs a cooperative launch, and autotune does none: end the kernel there, and launch the rest as another one");
		/* "grid = cg::this_grid" */
		if (at_lexeme_is(lexeme, "this_grid"))
			for (size_t i = 0; i + 1 < BEFORE; i++)
				if (at_lexeme_is(last[i], "="))
					grid = last[i + 1];
		memmove(last + 1, last, (BEFORE - 1) * sizeof(*last));
		last[0] = lexeme;
	}
}

/* Whether an operand has to follow: the character ahead of `at`, blanks left out, is an
   operator. */
static bool is_behind_operator(const char *text, const char *at)
{
	while (at > text && strchr(" \t\n", at[-1]))
		at--;
	return at > text && strchr("<>+-*/%[?:&|", at[-1]);
}

void lint_tell_placeholders(const struct lint *self, const char *text)
{
	enum { AROUND = 5 };
	struct at_lexeme last[AROUND] = { { "", 0 } };
	struct at_lexeme *name = &last[2];
	char told[256];

	/* last[2] is the name, with two lexemes at each side of it */
	for (const char *at = text; at_scan(&at, &last[AROUND - 1]);
		memmove(last, last + 1, (AROUND - 1) * sizeof(*last))) {
		bool is_shell = at_lexeme_is(last[0], "$") &&
				at_lexeme_is(last[1], "{") &&
				at_lexeme_is(last[3], "}");
		bool is_cmake =
			at_lexeme_is(last[1], "@") && at_lexeme_is(last[3], "@");
		/* {{1}} may be C++'s for an array in an array, but not as an operand */
		bool is_jinja =
			at_lexeme_is(last[0], "{") && at_lexeme_is(last[1], "{") &&
			at_lexeme_is(last[3], "}") && at_lexeme_is(last[4], "}") &&
			last[0].text > text && is_behind_operator(text, last[0].text);

		if (!(is_shell || is_cmake || is_jinja) ||
			lint_find_parameter(self, *name) == self->spec->parameter_count)
			continue;
		snprintf(told, sizeof(told),
			"nothing replaces %s%.*s%s in a template: parameters are macros, write %.*s",
			is_shell   ? "${"
			: is_cmake ? "@"
				   : "{{ ",
			(int)name->length, name->text,
			is_shell   ? "}"
			: is_cmake ? "@"
				   : " }}",
			(int)name->length, name->text);
		lint_tell_at(self, self->file, lint_line_of(text, name->text), told);
	}
}

void lint_tell_comparisons(const struct lint *self)
{
	char text[704];

	for (size_t i = 0; i < self->comparison_count; i++) {
		const struct comparison *comparison = &self->comparisons[i];
		const char *word = comparison->word,
			   *name = self->spec->parameters[comparison->parameter].name;
		struct at_lexeme lexeme = { word, strlen(word) };

		/* the word is a macro, or a parameter, and so has a meaning */
		if (is_macro(self, lexeme) ||
			lint_find_parameter(self, lexeme) < self->spec->parameter_count)
			continue;
		snprintf(text, sizeof(text),
			"\"%.96s %s %.96s\" is %s for every value: to the preprocessor the unknown name %.96s is 0; write %.96s_%.96s",
			name, comparison->is_equal ? "==" : "!=", word,
			comparison->is_equal ? "false" : "true", word, name, word);
		lint_tell_at(
			self, comparison->place.file, comparison->place.line, text);
	}
}

void lint_tell_program(const struct lint *self)
{
	/* nvcc compiles a program's part as well */
	if (self->program.line &&
		(!self->spec->toolchain || strcmp(self->spec->toolchain, "nvcc") != 0))
		lint_tell_at(self, self->program.file, self->program.line,
			"a template holds kernels and what they call: put main(), launches and what else a CPU runs into another file, or between #ifndef AUTOTUNE and #endif");
}

void lint_tell_architecture(const struct lint *self, int line)
{
	const struct at_spec *spec = self->spec;
	bool is_on_host = false;
	char text[256];

	for (size_t i = 0; i < spec->problem_count; i++)
		is_on_host |=
			!spec->problems[i].on || !strcmp(spec->problems[i].on, "host");
	if (!line || !is_on_host)
		return;
	snprintf(text, sizeof(text),
		"device \"host\" leaves this code out, since __CUDA_ARCH__ is %d there: write an #else, or give the problems on = \"cuda\"",
		AT_HOST_CUDA_ARCH);
	lint_tell_at(self, self->file, line, text);
}

void lint_tell_condition(const struct lint *self, size_t index)
{
	const char *name = self->spec->parameters[index].name;
	const struct place *place = &self->usages[index].decides;
	char text[512];

	if (!place->line)
		return;
	snprintf(text, sizeof(text),
		"%.128s is a parameter of a C++ template and so no macro: to the preprocessor the unknown name is 0; write if constexpr (%.128s ...) in the template, or give one of the two another name",
		name, name);
	lint_tell_at(self, place->file, place->line, text);
}

static bool has_zero(const struct at_parameter *parameter)
{
	const struct at_value *values;
	size_t count;

	lint_values(parameter, &values, &count);
	for (size_t i = 0; i < count; i++)
		if ((values[i].type == AT_TYPE_INTEGER ||
			    values[i].type == AT_TYPE_BOOLEAN) &&
			values[i].integer == 0)
			return true;
	return false;
}

void lint_tell_usage(
	const struct lint *self, size_t index, bool in_template, bool is_open)
{
	const struct at_parameter *parameter = &self->spec->parameters[index];
	const struct usage *usage = &self->usages[index];
	size_t count = parameter->all ? parameter->all_count : parameter->value_count;
	char text[512];

	if (usage->replaced.line &&
		!(usage->may_be_read_before && usage->is_read_elsewhere)) {
		snprintf(text, sizeof(text),
			"%.128s is a parameter, and defined here once more: its values do not reach what follows; put this between #ifndef %.128s and #endif, or give it another name",
			parameter->name, parameter->name);
		lint_tell_at(self, usage->replaced.file, usage->replaced.line, text);
		return;
	}
	/* A parameter with one value decides nothing. Where it may be read in ways that
	   are not seen, nothing is said. */
	if (is_open || count < 2)
		return;
	if (!in_template && usage->asked.line && !usage->is_defined &&
		(has_zero(parameter) || !usage->is_read)) {
		snprintf(text, sizeof(text),
			"whether %.128s is defined is asked and nothing else: each parameter is, with every value; write #if %.128s",
			parameter->name, parameter->name);
		lint_tell_at(self, usage->asked.file, usage->asked.line, text);
	} else if (!usage->is_read) {
		snprintf(text, sizeof(text),
			"the parameter \"%.128s\" is read nowhere: not by the template, nor by launch, arguments, constraints or options; its values are the same kernel",
			parameter->name);
		lint_tell_at(self, self->spec->path, parameter->line, text);
	}
}

static bool is_folder(const char *path)
{
	struct stat facts;

	return !stat(path, &facts) && S_ISDIR(facts.st_mode);
}

void lint_tell_folders(const struct lint *self, char *const *options)
{
	const struct at_spec *spec = self->spec;

	for (size_t i = 0; i < spec->option_count; i++) {
		bool names_folder;
		const char *value;
		char text[1200], *beside;

		if (!at_reach_option(
			    options, spec->option_count, i, &names_folder, &value) ||
			!names_folder || strstr(value, "${") || is_folder(value))
			continue;
		beside = value[0] == '/' ? NULL : at_path_join(spec->directory, value);
		snprintf(text, sizeof(text),
			"the folder \"%.200s\" of -I is not there%s%s%.300s%s", value,
			value[0] == '/'
				? ""
				: ": it is looked for from where autotune is started",
			beside && is_folder(beside)
				? ", and lies beside the space file, at \""
				: "",
			beside && is_folder(beside) ? beside : "",
			beside && is_folder(beside)
				? "\": start there, or give it from the root; a template finds files of its own folder without -I"
				: "");
		free(beside);
		lint_tell_at(self, spec->path, spec->options[i].line, text);
	}
}
