/*
 * Reads a template, the files that it includes, and its space, and collects what they
 * do with the space's parameters. The warnings that follow from it are in
 * lint_tell.c.
 */
#include "kernel/lint_parts.h"
#include "base/memory.h"
#include "kernel/host_dialect.h"

#include <stdlib.h>
#include <string.h>

/* of a longer directive only the beginning is looked at */
#define DIRECTIVE_LEXEMES 256

/* The lexemes of a directive, without the #. */
struct directive {
	struct at_lexeme items[DIRECTIVE_LEXEMES];
	size_t count;
	int line;
};

/* ---- names --------------------------------------------------------------- */

static bool same(struct at_lexeme a, struct at_lexeme b)
{
	return a.length == b.length && !memcmp(a.text, b.text, a.length);
}

/*
 * The word of the parameter that the lexeme is, borrowed from the space; NULL: it is
 * none.
 */
static const char *find_word(
	const struct at_parameter *parameter, struct at_lexeme lexeme)
{
	const struct at_value *values;
	size_t count;

	lint_values(parameter, &values, &count);
	for (size_t i = 0; i < count; i++)
		if (values[i].type == AT_TYPE_WORD &&
			at_lexeme_is(lexeme, values[i].word))
			return values[i].word;
	return NULL;
}

/* Whether the lexeme is NAME_word, the macro of one of the parameter's words. */
static bool is_word_macro(const struct at_parameter *parameter, struct at_lexeme lexeme)
{
	size_t length = strlen(parameter->name);

	return lexeme.length > length + 1 && lexeme.text[length] == '_' &&
	       !memcmp(lexeme.text, parameter->name, length) &&
	       find_word(parameter, (struct at_lexeme){ lexeme.text + length + 1,
					    lexeme.length - length - 1 });
}

/*
 * Notes that a name is read: for the parameter of that name, or whose NAME_word it is.
 */
static void note_read(struct lint *self, struct at_lexeme lexeme)
{
	for (size_t i = 0; i < self->spec->parameter_count; i++) {
		const struct at_parameter *parameter = &self->spec->parameters[i];

		if (!at_lexeme_is(lexeme, parameter->name) &&
			!is_word_macro(parameter, lexeme))
			continue;
		self->usages[i].is_read = true;
		self->usages[i].is_read_elsewhere |= !self->is_template;
	}
}

/*
 * Notes what a lexeme reads: a name, or the names in a string, since _Pragma("unroll
 * UNROLL") reads one.
 */
static void note_reads(struct lint *self, struct at_lexeme lexeme)
{
	const char *end = lexeme.text + lexeme.length;

	if (at_lexeme_is_identifier(lexeme)) {
		note_read(self, lexeme);
		return;
	}
	for (const char *at = lexeme.text; lexeme.length > 1 && at < end;) {
		struct at_lexeme name = { at, at_scan_span(at) };

		if (name.length > (size_t)(end - at))
			name.length = (size_t)(end - at);
		if (name.length)
			note_read(self, name);
		at += name.length ? name.length : 1;
	}
}

/* ---- directives ---------------------------------------------------------- */

static enum at_status add_macro(
	struct lint *self, struct at_lexeme name, struct at_error *err)
{
	enum at_status status = AT_RESERVE(
		self->macros, self->macro_capacity, self->macro_count + 1, err);

	if (!status)
		self->macros[self->macro_count++] =
			at_hash_bytes(name.text, name.length).low;
	return status;
}

static enum at_status read_define(
	struct lint *self, const struct directive *directive, struct at_error *err)
{
	struct at_lexeme name = directive->count > 1 ? directive->items[1]
						     : (struct at_lexeme){ "", 0 };
	size_t parameter = lint_find_parameter(self, name);
	bool is_guarded = false, is_own = false;

	for (size_t i = 2; i < directive->count; i++) {
		note_reads(self, directive->items[i]);
		is_own |= same(directive->items[i], name);
	}
	if (parameter < self->spec->parameter_count) {
		struct usage *usage = &self->usages[parameter];

		for (size_t i = 0; i < self->condition_count; i++)
			is_guarded |= !self->conditions[i].is_include_guard;
		usage->is_defined = true;
		/* It is not known under which conditions an included file is included,
		   so only the template counts. If the template has read the parameter
		   before, it may well define it anew on purpose. */
		if (self->is_template && !is_guarded && !is_own && !usage->is_read &&
			!usage->replaced.line) {
			usage->replaced = (struct place){ self->file, directive->line };
			usage->may_be_read_before = self->has_included;
		}
	}
	return name.length ? add_macro(self, name, err) : AT_OK;
}

/* Whether items[i] is only asked for: defined NAME, defined(NAME). */
static bool is_asked(const struct directive *directive, size_t i)
{
	const struct at_lexeme *items = directive->items;

	return (i >= 1 && at_lexeme_is(items[i - 1], "defined")) ||
	       (i >= 2 && at_lexeme_is(items[i - 1], "(") &&
		       at_lexeme_is(items[i - 2], "defined"));
}

static void note_asked(struct lint *self, struct at_lexeme name, int line)
{
	size_t parameter = lint_find_parameter(self, name);

	if (parameter < self->spec->parameter_count &&
		!self->usages[parameter].asked.line)
		self->usages[parameter].asked = (struct place){ self->file, line };
}

static void note_decides(struct lint *self, struct at_lexeme name, int line)
{
	size_t parameter = lint_find_parameter(self, name);

	if (parameter < self->spec->parameter_count &&
		!self->usages[parameter].decides.line)
		self->usages[parameter].decides = (struct place){ self->file, line };
}

static bool is_name(const struct directive *directive, size_t i)
{
	return i < directive->count && at_lexeme_is_identifier(directive->items[i]);
}

/* Notes NAME == word and word == NAME, where NAME is a parameter with such a word. */
static enum at_status read_comparison(struct lint *self,
	const struct directive *directive, size_t operator, struct at_error * err)
{
	const struct at_lexeme *items = directive->items;
	size_t left = operator- 1, right = operator+ 2;

	if (!is_name(directive, left) || !is_name(directive, right) ||
		/* a macro with arguments is not compared by its name */
		(right + 1 < directive->count && at_lexeme_is(items[right + 1], "(")))
		return AT_OK;
	for (int turn = 0; turn < 2; turn++) {
		size_t parameter =
			lint_find_parameter(self, items[turn ? right : left]);
		const char *word;
		enum at_status status;

		if (parameter == self->spec->parameter_count)
			continue;
		/* Only the space's own words count: another name may be a macro of the
		   toolkit, or NAME_word for a word that another space of this template
		   has. */
		word = find_word(
			&self->spec->parameters[parameter], items[turn ? left : right]);
		if (!word)
			continue;
		status = AT_RESERVE(self->comparisons, self->comparison_capacity,
			self->comparison_count + 1, err);
		if (status)
			return status;
		self->comparisons[self->comparison_count++] = (struct comparison){
			.parameter = parameter,
			.word = word,
			.is_equal = at_lexeme_is(items[operator], "="),
			.place = { self->file, directive->line },
		};
	}
	return AT_OK;
}

static enum at_status read_condition(
	struct lint *self, const struct directive *directive, struct at_error *err)
{
	const struct at_lexeme *items = directive->items;
	enum at_status status = AT_OK;

	for (size_t i = 1; i < directive->count && !status; i++) {
		if (is_asked(directive, i)) {
			note_asked(self, items[i], directive->line);
		} else {
			note_reads(self, items[i]);
			note_decides(self, items[i], directive->line);
		}
		/* "==" and "!=" are two lexemes each, as "<=" and ">=" are */
		if (i > 1 && i + 1 < directive->count &&
			(at_lexeme_is(items[i], "=") || at_lexeme_is(items[i], "!")) &&
			at_lexeme_is(items[i + 1], "="))
			status = read_comparison(self, directive, i, err);
	}
	return status;
}

/* The line of "#if __CUDA_ARCH__ >= 800", which leaves its code out on host; else 0. */
static int line_above_host(const struct lint *self, const struct directive *directive)
{
	const struct at_lexeme *items = directive->items;
	bool is_above = false;

	for (size_t i = 1; i < directive->count; i++) {
		const bool is_equal =
			i + 2 < directive->count && at_lexeme_is(items[i + 2], "=");
		const size_t number = i + 2 + is_equal;

		if (at_lexeme_is(items[i], "|") ||
			at_lexeme_is(items[i], "AUTOTUNE_HOST"))
			return 0;
		if (at_lexeme_is(items[i], "__CUDA_ARCH__") &&
			number < directive->count && at_lexeme_is(items[i + 1], ">"))
			is_above |= strtol(items[number].text, NULL, 10) >=
				    AT_HOST_CUDA_ARCH + is_equal;
	}
	return is_above && self->is_template && !self->condition_count ? directive->line
								       : 0;
}

static enum at_status open_condition(
	struct lint *self, int above_host, struct at_error *err)
{
	enum at_status status = AT_RESERVE(self->conditions, self->condition_capacity,
		self->condition_count + 1, err);

	if (!status)
		self->conditions[self->condition_count++] =
			(struct condition){ .above_host = above_host };
	return status;
}

static enum at_status read_directive(
	struct lint *self, const struct directive *directive, struct at_error *err)
{
	struct at_lexeme kind = directive->items[0], guard = self->guard;
	struct at_lexeme name = directive->count > 1 ? directive->items[1]
						     : (struct at_lexeme){ "", 0 };
	bool is_negative = at_lexeme_is(kind, "ifndef");
	enum at_status status = AT_OK;

	self->guard.length = 0;
	if (at_lexeme_is(kind, "define")) {
		/* An include guard: #ifndef THIS_H and #define THIS_H. Not for
		   AUTOTUNE...: a file that asks for these knows the tuner, and defines
		   what is missing without it. */
		if (guard.length && same(guard, name) && self->condition_count &&
			lint_find_parameter(self, name) ==
				self->spec->parameter_count &&
			strncmp(name.text, "AUTOTUNE", 8) != 0)
			self->conditions[self->condition_count - 1].is_include_guard =
				true;
		return read_define(self, directive, err);
	}
	if (at_lexeme_is(kind, "undef"))
		return AT_OK;
	if (at_lexeme_is(kind, "if")) {
		status = open_condition(self, line_above_host(self, directive), err);
		return status ? status : read_condition(self, directive, err);
	}
	if (at_lexeme_is(kind, "ifdef") || is_negative) {
		note_asked(self, name, directive->line);
		if (is_negative)
			self->guard = name;
		return open_condition(self, 0, err);
	}
	if (at_lexeme_is(kind, "elif") || at_lexeme_is(kind, "else")) {
		if (self->condition_count)
			self->conditions[self->condition_count - 1] =
				(struct condition){ 0 };
		return read_condition(self, directive, err);
	}
	if (at_lexeme_is(kind, "endif")) {
		if (self->condition_count)
			lint_tell_architecture(self,
				self->conditions[--self->condition_count].above_host);
		return AT_OK;
	}
	self->has_included |= at_lexeme_is(kind, "include");
	/* #pragma unroll UNROLL, #include NAME and the like */
	for (size_t i = 1; i < directive->count; i++)
		note_reads(self, directive->items[i]);
	return AT_OK;
}

/* ---- a file ---------------------------------------------------------------- */

/*
 * Whether a line ends between the two places; a line that is continued by "\" does not.
 */
static bool ends_line(const char *text, const char *from, const char *to, int *line)
{
	bool ends = false;

	for (const char *at = from; at < to; at++) {
		if (*at != '\n')
			continue;
		(*line)++;
		/* the "\" before the newline was a lexeme of its own */
		ends |= at == text || at[-1] != '\\';
	}
	return ends;
}

/* Notes "extern __shared__ float tile[]", with or without an alignment. */
static void note_shared(struct lint *self, struct at_lexeme lexeme, int line)
{
	if (at_lexeme_is(lexeme, "extern"))
		self->since_extern = 1;
	else if (lexeme.text[0] == ';' || lexeme.text[0] == '{')
		self->since_extern = 0;
	else if (self->since_extern && at_lexeme_is(lexeme, "__shared__") &&
		 self->is_template && !self->condition_count && !self->external.line)
		self->external = (struct place){ self->file, line };
}

/* Notes "int main(" and "<<<"; `behind` is the text behind the lexeme. */
static void note_program(
	struct lint *self, struct at_lexeme lexeme, const char *behind, int line)
{
	bool is_main = at_lexeme_is(lexeme, "int") && !strncmp(behind, " main", 5) &&
		       behind[5 + strspn(behind + 5, " ")] == '(';

	if ((is_main || (at_lexeme_is(lexeme, "<") && !strncmp(behind, "<<", 2))) &&
		self->is_template && !self->condition_count && !self->program.line)
		self->program = (struct place){ self->file, line };
}

static enum at_status read_file(struct lint *self, const char *text,
	struct directive *directive, struct at_error *err)
{
	const char *at = text, *last = text;
	bool in_directive = false, begins = true;
	struct at_lexeme lexeme;
	enum at_status status = AT_OK;
	int line = 1;

	self->condition_count = 0;
	self->guard.length = 0;
	self->has_included = false;
	while (!status && at_scan(&at, &lexeme)) {
		if (ends_line(text, last, lexeme.text, &line)) {
			begins = true;
			if (in_directive && directive->count)
				status = read_directive(self, directive, err);
			in_directive = false;
		}
		if (status)
			break;
		if (begins && lexeme.text[0] == '#') {
			in_directive = true;
			directive->count = 0;
			directive->line = line;
		} else if (!in_directive) {
			note_reads(self, lexeme);
			note_shared(self, lexeme, line);
			note_program(self, lexeme, at, line);
		} else if (lexeme.text[0] != '\\' &&
			   directive->count < DIRECTIVE_LEXEMES) {
			directive->items[directive->count++] = lexeme;
		}
		begins = false;
		/* raw strings may contain newlines */
		ends_line(text, lexeme.text, at, &line);
		last = at;
	}
	if (!status && in_directive && directive->count)
		status = read_directive(self, directive, err);
	return status;
}

struct included {
	struct lint *lint;
	struct directive *directive;
	char **paths; /* kept to the end, since warnings name them */
	size_t path_count;
	size_t path_capacity;
};

static enum at_status read_included(
	void *context, const char *path, const char *text, struct at_error *err)
{
	struct included *self = context;
	enum at_status status =
		AT_RESERVE(self->paths, self->path_capacity, self->path_count + 1, err);
	char *copy;

	if (status)
		return status;
	copy = at_strdup(path);
	if (!copy)
		return at_fail_memory(err);
	self->paths[self->path_count++] = copy;
	self->lint->file = copy;
	self->lint->is_template = false;
	return read_file(self->lint, text, self->directive, err);
}

/* ---- the space --------------------------------------------------------------- */

static void read_kernel(struct lint *self, const char *kernel)
{
	for (size_t i = 0; i < self->spec->parameter_count; i++)
		if (at_spec_kernel_reads(self->spec, kernel, i))
			self->usages[i].is_read = true;
}

/* Notes the names in an option, which is no source text. */
static void read_text(struct lint *self, const char *text)
{
	/* in -DTILE a letter stands directly before the name */
	for (size_t i = 0; text && i < self->spec->parameter_count; i++)
		if (strstr(text, self->spec->parameters[i].name))
			self->usages[i].is_read = true;
}

static void read_expression(struct lint *self, const struct at_expression *expression)
{
	size_t count = 0;
	const int *slots = expression ? at_expression_slots(expression, &count) : NULL;

	/* parameters are the first slots */
	for (size_t i = 0; i < count; i++)
		if ((size_t)slots[i] < self->spec->parameter_count)
			self->usages[slots[i]].is_read = true;
}

/*
 * Notes all other uses that a parameter may have: launches, constraints, arguments,
 * options.
 */
static void read_space(struct lint *self)
{
	const struct at_spec *spec = self->spec;
	const struct at_launch *launches[] = { &spec->launch, &spec->prepare.launch,
		&spec->finish.launch, &spec->reference.call.launch };

	for (size_t i = 0; i < AT_COUNT_OF(launches); i++) {
		for (size_t axis = 0; axis < 3; axis++) {
			read_expression(self, launches[i]->block[axis]);
			read_expression(self, launches[i]->grid[axis]);
		}
		read_expression(self, launches[i]->shared_bytes);
	}
	for (size_t i = 0; i < spec->constraint_count; i++)
		read_expression(self, spec->constraints[i].expression);
	for (size_t i = 0; i < spec->argument_count; i++) {
		read_expression(self, spec->arguments[i].count);
		read_expression(self, spec->arguments[i].value);
		for (size_t k = 0; k < AT_COUNT_OF(spec->arguments[i].more_values); k++)
			read_expression(self, spec->arguments[i].more_values[k]);
	}
	for (size_t i = 0; i < spec->option_count; i++) {
		read_expression(self, spec->options[i].when);
		read_text(self, spec->options[i].text);
	}
	read_expression(self, spec->flops);
	read_expression(self, spec->bytes);
	read_kernel(self, spec->kernel);
	read_kernel(self, spec->prepare.kernel);
	read_kernel(self, spec->finish.kernel);
	read_kernel(self, spec->reference.call.kernel);
}

/* ---- all of it ----------------------------------------------------------------- */

enum at_status at_lint_check(const struct at_spec *spec,
	const struct at_template *template, at_lint_listener *listener, void *context,
	struct at_error *err)
{
	struct lint self = {
		.spec = spec,
		.listener = listener,
		.context = context,
		.file = template->path,
		.is_template = true,
	};
	struct directive *directive = malloc(sizeof(*directive));
	struct included included = { .lint = &self, .directive = directive };
	struct at_reach_visitor visitor = { read_included, &included };
	struct at_reach reach = { 0 };
	char **options = calloc(spec->option_count + 1, sizeof(*options));
	bool *in_template = calloc(spec->parameter_count + 1, sizeof(*in_template));
	bool is_open = false, is_folder;
	const char *value;
	enum at_status status;

	self.usages = calloc(spec->parameter_count + 1, sizeof(*self.usages));
	if (!directive || !options || !in_template || !self.usages) {
		status = at_fail_memory(err);
		goto release;
	}
	for (size_t i = 0; i < spec->option_count; i++) {
		options[i] = spec->options[i].text;
		/* -DF(x)=a##x can make any name */
		is_open |= strstr(options[i], "##") != NULL;
	}
	/* -Iinclude/${KIND} can lead to any file */
	for (size_t i = 0; i < spec->option_count; i++)
		is_open |= at_reach_option(options, spec->option_count, i, &is_folder,
				   &value) &&
			   strstr(value, "${");
	status = read_file(&self, template->text, directive, err);
	if (!status)
		status = at_reach_find(template->text, template->directory, options,
			spec->option_count, NULL, &visitor, &reach, err);
	for (size_t i = 0; i < spec->option_count && !status; i++)
		for (const char *at = options[i]; *at && !status;) {
			struct at_lexeme name = { at, at_scan_span(at) };

			/* in -DNAME the D does not belong to the name */
			if (name.length > 1 && *at == 'D')
				name = (struct at_lexeme){ at + 1, name.length - 1 };
			if (name.length)
				status = add_macro(&self, name, err);
			at = name.length ? name.text + name.length : at + 1;
		}
	for (size_t i = 0; i < spec->parameter_count; i++)
		in_template[i] = self.usages[i].is_read;
	if (!status) {
		read_space(&self);
		lint_tell_reference(&self);
		lint_tell_folders(&self, options);
		lint_tell_shared(&self);
		lint_tell_program(&self);
		self.file = template->path;
		lint_tell_grid(&self, template->text);
		lint_tell_placeholders(&self, template->text);
		lint_tell_types(&self, template->text);
		lint_tell_untaken(&self);
		lint_tell_constants(&self, template->text);
		lint_tell_comparisons(&self);
	}
	for (size_t i = 0; i < spec->parameter_count && !status; i++) {
		if (at_source_is_template_parameter(spec, &reach, i))
			lint_tell_condition(&self, i);
		else
			lint_tell_unroll(&self, template->text, i);
		lint_tell_usage(&self, i, in_template[i], is_open || reach.is_open);
	}
release:
	at_reach_release(&reach);
	for (size_t i = 0; i < included.path_count; i++)
		free(included.paths[i]);
	free(included.paths);
	free(self.usages);
	free(self.macros);
	free(self.comparisons);
	free(self.conditions);
	free(in_template);
	free(options);
	free(directive);
	return status;
}
