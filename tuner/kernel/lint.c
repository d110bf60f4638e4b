/* The warnings about a template and its space; see lint.h. */
#include "kernel/lint.h"
#include "base/memory.h"
#include "kernel/scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A warning about a comparison with a word that another file may define as a macro. */
struct comparison {
	const char *word; /* borrowed from the space */
	struct at_error warning;
};

struct lint {
	const struct at_spec *spec;
	at_lint_listener *listener;
	void *context;
	const char *file;
	/* false: an included file, whose conditions are unknown */
	bool is_template;
	size_t comparison_count;
	size_t comparison_capacity;
	struct comparison *comparisons;
	/* the macros that files and options define: " aos soa " */
	struct at_strbuf macros;
};

/* ---- the files ----------------------------------------------------------------- */

/* The parameter's value that is this word; NULL: it has no such value. */
static const char *find_word(
	const struct at_parameter *parameter, struct at_lexeme lexeme)
{
	const struct at_value *all =
		parameter->all ? parameter->all : parameter->values;
	size_t count = parameter->all ? parameter->all_count : parameter->value_count;

	for (size_t i = 0; i < count; i++)
		if (all[i].type == AT_TYPE_WORD && at_lexeme_is(lexeme, all[i].word))
			return all[i].word;
	return NULL;
}

static int line_of(const char *text, const char *at)
{
	int line = 1;

	for (; text < at; text++)
		line += *text == '\n';
	return line;
}

/* Records "name == word" if the named parameter has the word as a value. */
static void note_comparison(struct lint *self, struct at_lexeme name,
	struct at_lexeme word, bool is_equal, int line)
{
	for (size_t i = 0; i < self->spec->parameter_count; i++) {
		const struct at_parameter *parameter = &self->spec->parameters[i];
		const char *value = find_word(parameter, word);
		struct comparison *comparison;

		if (!value || !at_lexeme_is(name, parameter->name))
			continue;
		AT_GROW(self->comparisons, self->comparison_capacity,
			self->comparison_count + 1);
		comparison = &self->comparisons[self->comparison_count++];
		*comparison = (struct comparison){ .word = value };
		at_fail(&comparison->warning, AT_EINVAL, self->file, line,
			"\"%.96s %s %.96s\" is %s for every value: to the preprocessor the unknown name %.96s is 0; write %.96s_%.96s",
			parameter->name, is_equal ? "==" : "!=", value,
			is_equal ? "false" : "true", value, parameter->name, value);
	}
}

/* Reads the directive from after its "#" up to `end`. */
static void read_directive(struct lint *self, const char *text, const char *at,
	const char *end, int *depth)
{
	/* "a == b" and the next lexeme; "==" and "!=" are two lexemes each */
	struct at_lexeme kind,
		w[5] = { { "", 0 }, { "", 0 }, { "", 0 }, { "", 0 }, { "", 0 } };

	if (!at_scan(&at, &kind) || kind.text >= end)
		return;
	if (at_lexeme_is(kind, "define") && at_scan(&at, &w[0])) {
		at_strbuf_add_bytes(&self->macros, w[0].text, w[0].length);
		at_strbuf_add(&self->macros, " ");
	}
	*depth += kind.text[0] == 'i' && kind.text[1] == 'f';
	*depth -= at_lexeme_is(kind, "endif") && *depth > 0;
	if (!at_lexeme_is(kind, "if") && !at_lexeme_is(kind, "elif"))
		return;
	for (bool is_over = false; !is_over;) {
		memmove(w, w + 1, 4 * sizeof(*w));
		is_over = !at_scan(&at, &w[4]) || w[4].text >= end;
		/* a macro with arguments is not compared by name */
		if (!at_lexeme_is_identifier(w[0]) || !at_lexeme_is_identifier(w[3]) ||
			!(at_lexeme_is(w[1], "=") || at_lexeme_is(w[1], "!")) ||
			!at_lexeme_is(w[2], "=") ||
			(!is_over && at_lexeme_is(w[4], "(")))
			continue;
		for (int turn = 0; turn < 2; turn++)
			note_comparison(self, w[turn ? 3 : 0], w[turn ? 0 : 3],
				w[1].text[0] == '=', line_of(text, kind.text));
	}
}

/* Notes a definition that the space replaces (kernel/device_code.h) in a list of names.
   given: the names of all macros of the space; a condition with one of them may leave
   the definition out. *line: of the first in the list. */
static void note_definition(const char *text, struct at_lexeme name, const char *given,
	struct at_strbuf *names, int *line)
{
	const char *end, *found = at_scan_definition(text, text, name, given, &end);

	if (!found)
		return;
	if (!names->length || line_of(text, found) < *line)
		*line = line_of(text, found);
	at_strbuf_addf(names, "%s%.*s", names->length ? ", " : "",
		name.length < 96 ? (int)name.length : 96, name.text);
}

/* The macro that an option defines; empty: none. */
static struct at_lexeme defined_by(const struct at_option *option)
{
	const char *name = option->text + 2;

	return strncmp(option->text, "-D", 2)
		       ? (struct at_lexeme){ "", 0 }
		       : (struct at_lexeme){ name, at_scan_span(name) };
}

static void tell_definitions(const struct lint *self, const char *text)
{
	const struct at_spec *spec = self->spec;
	struct at_strbuf given = { 0 }, names = { 0 };
	struct at_error warning = { 0 };
	int line = 0;

	at_strbuf_add(&given, " ");
	for (size_t i = 0; i < spec->parameter_count; i++)
		at_strbuf_addf(&given, "%s ", spec->parameters[i].name);
	for (size_t i = 0; i < spec->option_count; i++) {
		const struct at_lexeme name = defined_by(&spec->options[i]);

		at_strbuf_addf(&given, "%.*s ", (int)name.length, name.text);
	}
	for (size_t i = 0; i < spec->parameter_count; i++) {
		const char *name = spec->parameters[i].name;

		note_definition(text, (struct at_lexeme){ name, strlen(name) },
			given.data, &names, &line);
	}
	for (size_t i = 0; i < spec->option_count; i++)
		note_definition(
			text, defined_by(&spec->options[i]), given.data, &names, &line);
	/* one line for all of a file */
	if (names.length) {
		at_fail(&warning, AT_EINVAL, self->file, line,
			"autotune takes the values of the space in place of the definitions of %s; a program does so only with #ifndef around each",
			names.data);
		self->listener(self->context, &warning);
	}
	at_strbuf_release(&given);
	at_strbuf_release(&names);
}

static void read_file(struct lint *self, const char *text)
{
	const struct at_spec *spec = self->spec;
	bool is_sized = !self->is_template || !spec->calls[0].launch.line;
	struct at_error warning = { 0 };
	struct at_lexeme lexeme;
	bool is_extern = false;
	int depth = 0;

	tell_definitions(self, text);
	/* if any launch gives a size, the shared memory may belong to that launch */
	for (size_t i = 0; i <= spec->call_count; i++)
		is_sized |= at_spec_call(spec, i)->launch.shared_bytes != NULL;
	for (const char *at = text; at_scan(&at, &lexeme);) {
		if (lexeme.text[0] == '#') {
			const char *end = at_scan_directive_end(lexeme.text);

			read_directive(self, text, at, end, &depth);
			at = end;
		} else if (at_lexeme_is(lexeme, "extern")) {
			is_extern = true;
		} else if (lexeme.text[0] == ';' || lexeme.text[0] == '{') {
			is_extern = false;
		} else if (is_extern && at_lexeme_is(lexeme, "__shared__") && !depth &&
			   !is_sized) {
			is_sized = true;
			at_fail(&warning, AT_EINVAL, self->file,
				line_of(text, lexeme.text),
				"the launch gives the size of this shared memory, and no launch of the space has \"shared_bytes\": its size is 0; add shared_bytes = \"...\" to launch");
			self->listener(self->context, &warning);
		}
	}
}

static enum at_status read_included(
	void *context, const char *path, const char *text, struct at_error *err)
{
	struct lint *self = context;

	(void)err;
	self->file = path;
	self->is_template = false;
	read_file(self, text);
	return AT_OK;
}

/* ---- all of it ----------------------------------------------------------------- */

static void tell_comparisons(const struct lint *self)
{
	for (size_t i = 0; i < self->comparison_count; i++) {
		const struct comparison *comparison = &self->comparisons[i];
		bool is_parameter = false;
		char name[128];

		for (size_t k = 0; k < self->spec->parameter_count; k++)
			is_parameter |= !strcmp(
				self->spec->parameters[k].name, comparison->word);
		snprintf(name, sizeof(name), " %.120s ", comparison->word);
		if (!is_parameter && !strstr(at_strbuf_text(&self->macros), name))
			self->listener(self->context, &comparison->warning);
	}
}

static void tell_unread(const struct lint *self, const struct at_source_context *source)
{
	const struct at_spec *spec = self->spec;

	for (size_t i = 0; i < spec->parameter_count; i++) {
		const struct at_parameter *parameter = &spec->parameters[i];
		struct at_error warning = { 0 };

		/* a parameter with one value decides nothing */
		if (spec->is_read[i] || at_spec_kernels_read(spec, i) ||
			at_source_reads_parameter(source, parameter) ||
			(parameter->all ? parameter->all_count
					: parameter->value_count) < 2)
			continue;
		at_fail(&warning, AT_EINVAL, spec->path, parameter->line,
			"neither the template nor the space reads the parameter \"%.128s\": all its values make the same kernel; use it, or remove it",
			parameter->name);
		self->listener(self->context, &warning);
	}
}

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
	struct at_reach_visitor visitor = { read_included, &self };
	struct at_reach reach = { 0 };
	struct at_source_context source = { .spec = spec,
		.template = template,
		.reach = &reach,
		.option_count = spec->option_count };
	char **options = at_calloc(spec->option_count + 1, sizeof(*options));
	enum at_status status = AT_OK;
	const char *value;

	source.options = options;
	at_strbuf_add(&self.macros, " ");
	for (size_t i = 0; i < spec->option_count; i++) {
		const char *text = options[i] = spec->options[i].text;

		text += strncmp(text, "-D", 2) ? 0 : 2;
		at_strbuf_add_bytes(&self.macros, text, at_scan_span(text));
		at_strbuf_add(&self.macros, " ");
	}
	read_file(&self, template->text);
	status = at_reach_find(template->text, template->directory, options,
		spec->option_count, NULL, &visitor, &reach, err);
	/* -Iinclude/${KIND} may lead to any file */
	for (size_t i = 0; i < spec->option_count && !status; i++) {
		enum at_option_kind kind =
			at_option_read(options, spec->option_count, &i, &value);

		reach.is_open |= (kind == AT_OPTION_FOLDER || kind == AT_OPTION_FILE) &&
				 strstr(value, "${");
	}
	if (!status) {
		tell_comparisons(&self);
		tell_unread(&self, &source);
	}
	at_reach_release(&reach);
	free(self.comparisons);
	at_strbuf_release(&self.macros);
	free(options);
	return status;
}
