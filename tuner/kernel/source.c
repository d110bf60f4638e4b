/* Loads templates, renders sources from them, and evaluates a space's options. */
#include "kernel/source.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "kernel/safe_options.h"
#include "kernel/scan.h"
#include "kernel/source_kernels.h"
#include "kernel/source_layout.h"
#include "kernel/toolchain.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* far above any template: a larger file is something else */
#define TEMPLATE_LIMIT_BYTES ((size_t)16 << 20)

/* ---- loading ------------------------------------------------------------ */

/* What was found for one list of those options that affect which files are included. */
struct at_template_memo {
	struct at_template_memo *next;
	struct at_hash options;
	const char *const *variables;
	struct at_reach reach;
	/* In the first of the list only: the omit text that at_source_render_omit()
	   made for the kernels in `asked`. To make it the whole template is read, which
	   costs ten times as much as the rest of a configuration's source. NULL: not
	   made yet. */
	char *omit;
	struct at_hash asked;
};

enum at_status at_template_load(
	const char *path, struct at_template *out, struct at_error *err)
{
	struct at_error reason = { 0 };
	enum at_status status;
	size_t mark_bytes;

	memset(out, 0, sizeof(*out));
	status = at_file_read(
		path, TEMPLATE_LIMIT_BYTES, &out->text, &out->size, &reason);
	if (status)
		return at_fail(err, status, path, 0,
			"%s; this is the file that kernel.template in the space file names",
			reason.text);
	if (strlen(out->text) != out->size) {
		status = at_fail(err, AT_EINVAL, path, 0,
			"holds a NUL byte, so it is no source text; check kernel.template in the space file");
		goto release;
	}
	/* A byte order mark, with which some editors begin a file; behind our own lines
	   it would be an invalid character. */
	mark_bytes = at_text_mark_bytes(out->text, out->size);
	out->size -= mark_bytes;
	memmove(out->text, out->text + mark_bytes, out->size + 1);
	out->path = at_strdup(path);
	out->directory = at_path_directory(path);
	out->memo = at_calloc(1, sizeof(*out->memo));
release:
	if (status)
		at_template_release(out);
	return status;
}

void at_template_release(struct at_template *self)
{
	struct at_template_memo *next;

	if (!self)
		return;
	for (struct at_template_memo *memo = self->memo; memo; memo = next) {
		next = memo->next;
		at_reach_release(&memo->reach);
		free(memo->omit);
		free(memo);
	}
	free(self->path);
	free(self->directory);
	free(self->text);
	memset(self, 0, sizeof(*self));
}

enum at_status at_template_reach(const struct at_template *self, char *const *options,
	size_t count, const char *const *variables, const struct at_reach **out,
	struct at_error *err)
{
	struct at_hash pair[2] = { { 0 }, { 0 } };
	struct at_template_memo *memo;
	enum at_option_kind kind;
	const char *value;
	enum at_status status;

	/* Most options do not name files and folders, and differ between
	   configurations: only those that do make another entry. */
	for (size_t i = 0; i < count; i++) {
		kind = at_option_read(options, count, &i, &value);
		if (kind != AT_OPTION_FOLDER && kind != AT_OPTION_FILE)
			continue;
		pair[1] = at_hash_bytes(value, strlen(value));
		pair[1].low ^= kind == AT_OPTION_FOLDER;
		pair[0] = at_hash_bytes(pair, sizeof(pair));
	}
	/* The first entry has no reach: it only begins the list, so that self can be
	   const. */
	for (memo = self->memo->next; memo; memo = memo->next)
		if (at_hash_equal(memo->options, pair[0]) &&
			memo->variables == variables) {
			*out = &memo->reach;
			return AT_OK;
		}
	memo = at_calloc(1, sizeof(*memo));
	status = at_reach_find(self->text, self->directory, options, count, variables,
		NULL, &memo->reach, err);
	if (status) {
		free(memo);
		return status;
	}
	memo->options = pair[0];
	memo->variables = variables;
	memo->next = self->memo->next;
	self->memo->next = memo;
	*out = &memo->reach;
	return AT_OK;
}

enum at_status at_template_check_symbols(const struct at_template *self,
	const struct at_spec *spec, struct at_error *err)
{
	for (size_t i = 0; i < spec->argument_count; i++) {
		const struct at_argument *argument = &spec->arguments[i];
		const char *at = argument->symbol ? argument->symbol : "";
		struct at_lexeme lexeme;

		while (at_scan(&at, &lexeme)) {
			char word[128];

			snprintf(word, sizeof(word), "%.*s", (int)lexeme.length,
				lexeme.text);
			if (!at_lexeme_is_identifier(lexeme) ||
				at_template_mentions(self, word))
				continue;
			return at_fail(err, AT_ENOENT, spec->path, argument->line,
				"the variable \"%s\" (symbol of argument \"%s\") not found in %s",
				argument->symbol, argument->name, self->path);
		}
	}
	return AT_OK;
}

/* ---- rendering ---------------------------------------------------------- */

static void add_integer(struct at_strbuf *out, int64_t value)
{
	/* INT64_MIN cannot be written as one literal */
	if (value == INT64_MIN) {
		at_strbuf_add(out, "(-9223372036854775807LL - 1)");
		return;
	}
	at_strbuf_add(out, value < 0 ? "(" : "");
	at_strbuf_add_integer(out, value);
	at_strbuf_add(out, value < 0 ? ")" : "");
}

/* Writes a real as a real: 2.0 must not become 2, which divides as an integer. */
static void add_real(struct at_strbuf *out, double value)
{
	char text[64];

	at_text_shortest_real(value, text, sizeof(text));
	at_strbuf_addf(out, text[0] == '-' ? "(%s%s)" : "%s%s", text,
		strpbrk(text, ".eE") ? "" : ".0");
}

/* Appends NAME_value, with '_' for each character that an identifier cannot have. */
static void add_word(struct at_strbuf *out, const char *name, const char *word)
{
	at_strbuf_add(out, name);
	at_strbuf_add_char(out, '_');
	for (; *word; word++) {
		bool plain = (*word >= 'a' && *word <= 'z') ||
			     (*word >= 'A' && *word <= 'Z') ||
			     (*word >= '0' && *word <= '9');

		at_strbuf_add_char(out, plain ? *word : '_');
	}
}

/*
 * Defines the words of a parameter as integers from 1 on, so that a misspelt name,
 * which is 0 to the preprocessor, equals none of them. Words that --set excludes are
 * defined too, so that --set does not change the source.
 */
static void add_word_list(struct at_strbuf *out, const struct at_parameter *parameter)
{
	const struct at_value *all =
		parameter->all ? parameter->all : parameter->values;
	size_t count = parameter->all ? parameter->all_count : parameter->value_count;

	for (size_t i = 0; i < count; i++) {
		if (all[i].type != AT_TYPE_WORD)
			continue;
		at_strbuf_add(out, "#define ");
		add_word(out, parameter->name, all[i].word);
		at_strbuf_add_char(out, ' ');
		at_strbuf_add_integer(out, (int64_t)i + 1);
		at_strbuf_add_char(out, '\n');
	}
}

static void add_macro(struct at_strbuf *out, const struct at_parameter *parameter,
	struct at_value value)
{
	if (value.type == AT_TYPE_WORD)
		add_word_list(out, parameter);
	at_strbuf_add(out, "#define ");
	at_strbuf_add(out, parameter->name);
	at_strbuf_add_char(out, ' ');
	switch (value.type) {
	case AT_TYPE_NONE:
		break;
	case AT_TYPE_INTEGER:
	case AT_TYPE_BOOLEAN:
		add_integer(out, value.integer);
		break;
	case AT_TYPE_REAL:
		add_real(out, value.real);
		break;
	case AT_TYPE_WORD:
		add_word(out, parameter->name, value.word);
		break;
	}
	at_strbuf_add_char(out, '\n');
}

void at_source_write_macros(const struct at_spec *spec, const uint16_t *configuration,
	struct at_strbuf *out)
{
	for (size_t i = 0; i < spec->parameter_count; i++) {
		const struct at_parameter *parameter = &spec->parameters[i];

		add_macro(out, parameter, parameter->values[configuration[i]]);
	}
}

/* Whether an option, which is no source text, contains the name. */
static bool text_mentions(const char *text, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = text; (at = strstr(at, name)) != NULL; at++)
		/* in -DTILE a letter stands directly before the name */
		if (!at[length] || !strchr(AT_SCAN_IDENTIFIER, at[length]))
			return true;
	return false;
}

/* Whether a macro of that name may affect the compilation. */
static bool matters(const struct at_source_context *context, const char *name)
{
	if (!context->reach || at_reach_mentions(context->reach, name))
		return true;
	for (size_t i = 0; i < context->option_count; i++)
		if (text_mentions(context->options[i], name) ||
			strstr(context->options[i], "##"))
			return true;
	return false;
}

bool at_source_reads_parameter(
	const struct at_source_context *context, const struct at_parameter *parameter)
{
	const struct at_value *all =
		parameter->all ? parameter->all : parameter->values;
	size_t count = parameter->all ? parameter->all_count : parameter->value_count;
	bool found = matters(context, parameter->name);

	for (size_t i = 0; i < count && !found; i++) {
		struct at_strbuf name = { 0 };

		if (all[i].type != AT_TYPE_WORD)
			continue;
		add_word(&name, parameter->name, all[i].word);
		found = matters(context, name.data);
		at_strbuf_release(&name);
	}
	return found;
}

bool at_source_is_template_parameter(
	const struct at_spec *spec, const struct at_reach *reach, size_t index)
{
	const char *name = spec->parameters[index].name;
	const char *const kernels[] = { spec->kernel, spec->prepare.kernel,
		spec->finish.kernel, spec->reference.call.kernel };

	for (size_t i = 0; i < AT_COUNT_OF(kernels); i++)
		if (at_spec_kernel_reads(spec, kernels[i], index))
			return at_reach_is_template_parameter(reach, name);
	return false;
}

/* Whether the text gives the name a meaning of its own, by typedef, using or #define.
 */
static bool declares(const char *text, const char *name)
{
	struct at_lexeme lexeme, last = { "", 0 };
	bool is_last = false;

	for (; at_scan(&text, &lexeme); last = lexeme) {
		if (is_last && (lexeme.text[0] == ';' || lexeme.text[0] == '='))
			return true;
		is_last = at_lexeme_is(lexeme, name);
		if (is_last && at_lexeme_is(last, "define"))
			return true;
	}
	return false;
}

/*
 * The short names of unsigned types, which <sys/types.h> gives to what nvcc and gcc
 * compile on Linux, but not to NVRTC. Not where the template has a name itself.
 */
static void add_short_names(
	const struct at_source_context *context, struct at_strbuf *out)
{
	static const char *const names[][2] = { { "uchar", "char" },
		{ "ushort", "short" }, { "uint", "int" }, { "ulong", "long" } };

	for (size_t i = 0; i < AT_COUNT_OF(names); i++)
		if (context->reach && matters(context, names[i][0]) &&
			!declares(context->template->text, names[i][0])) {
			at_source_add_line(out, 1, "types");
			at_strbuf_addf(out, "typedef unsigned %s %s;\n", names[i][1],
				names[i][0]);
		}
}

void at_source_render(const struct at_source_context *context,
	const uint16_t *configuration, enum at_unit unit, struct at_strbuf *out)
{
	const struct at_spec *spec = context->spec;
	const struct at_template *template = context->template;
	const char *includes;

	/* the template and, most often, all that is added to it: grown once */
	at_strbuf_reserve(out, template->size + 2048);
	at_strbuf_add(out, "#define AUTOTUNE 1\n");
	switch (unit) {
	case AT_UNIT_TUNED:
		break;
	case AT_UNIT_REFERENCE:
	case AT_UNIT_REFERENCE_WIDE:
		at_strbuf_add(out, "#define AUTOTUNE_REFERENCE 1\n");
		configuration = spec->defaults;
		break;
	}
	for (size_t i = 0; i < spec->parameter_count; i++) {
		const struct at_parameter *parameter = &spec->parameters[i];

		if (!at_source_reads_parameter(context, parameter))
			continue;
		if (context->reach &&
			at_source_is_template_parameter(spec, context->reach, i))
			add_word_list(out, parameter);
		else
			add_macro(out, parameter, parameter->values[configuration[i]]);
	}
	includes = context->reach ? at_strbuf_text(&context->reach->toolkit)
				  : template->text;
	if (unit == AT_UNIT_REFERENCE_WIDE) {
		at_source_write_wide(includes, at_source_wide(spec), out);
		at_source_write_traps(template->text, out);
	}
	add_short_names(context, out);
	at_source_add_line(out, 1, template->path);
	at_strbuf_add_bytes(out, template->text, template->size);
	/* in double the fields of structures have other offsets */
	if (unit != AT_UNIT_REFERENCE_WIDE)
		at_source_write_layouts(spec, template->text, out);
}

/* ---- leaving out -------------------------------------------------------- */

/*
 * Appends a macro with the name of a kernel that is to be left out. It turns the
 * kernel's definition into the declaration of another kernel, which is never defined,
 * and a function that nobody calls, which the compiler drops before it generates code:
 *
 *   __global__ void autotune_without_NAME();
 *   static __device__ void autotune_left_out_NAME(const float *x) { ... }
 *
 * The function is static and no template, so that it may stand in extern "C" { };
 * "unused" prevents a warning.
 */
static void add_omission(struct at_strbuf *out, struct at_lexeme name)
{
	int length = (int)name.length;

	at_strbuf_addf(out,
		"#define %.*s(...) autotune_without_%.*s(); static __attribute__((unused)) __device__ void autotune_left_out_%.*s(__VA_ARGS__)\n",
		length, name.text, length, name.text, length, name.text);
}

/*
 * Whether the space asks for the kernel. Its names may be C++ names: "tools::scale<4>"
 * asks for scale.
 */
static bool is_asked_for(const struct at_spec *spec, struct at_lexeme name)
{
	const char *const kernels[] = { spec->kernel, spec->prepare.kernel,
		spec->finish.kernel };

	for (size_t i = 0; i < AT_COUNT_OF(kernels); i++) {
		const char *at = kernels[i] ? kernels[i] : "";
		struct at_lexeme lexeme;

		assert(name.text);
		while (at_scan(&at, &lexeme))
			if (lexeme.length == name.length &&
				!memcmp(lexeme.text, name.text, name.length))
				return true;
	}
	return false;
}

void at_source_render_omit(const struct at_spec *spec,
	const struct at_template *template, struct at_strbuf *out)
{
	struct at_lexeme name, reference = { .text = "" };
	const char *at = template->text, *head;
	size_t start = out->length;

	/* Kernels in included files are not searched for, but the reference's name is
	   known anyway. A name with a namespace or template arguments cannot be a
	   macro's. */
	if (spec->reference.kind == AT_REFERENCE_KERNEL) {
		reference.text = spec->reference.call.kernel;
		reference.length = strlen(reference.text);
	}
	if (at_lexeme_is_identifier(reference) && !is_asked_for(spec, reference))
		add_omission(out, reference);
	/* C++ templates cost nothing until they are instantiated, and a macro could not
	   leave out their heads. */
	while (at_source_next_kernel(&at, &name, &head))
		if (!head && !is_asked_for(spec, name) &&
			!(name.length == reference.length &&
				!memcmp(name.text, reference.text, name.length)))
			add_omission(out, name);
	if (out->length > start)
		at_source_add_line(out, 1, template->path);
}

/* ---- options ------------------------------------------------------------ */

static enum at_status render_option(const struct at_spec *spec,
	const struct at_option *option, const struct at_value *slots, char **out,
	struct at_error *err)
{
	struct at_strbuf text = { 0 };
	enum at_status status =
		at_spec_substitute(spec, option->text, option->line, slots, &text, err);

	if (status) {
		at_strbuf_release(&text);
		return status;
	}
	*out = at_strbuf_detach(&text);
	return AT_OK;
}

/* lines: the line in the space file of each option in the list. */
static enum at_status check_trust(const struct at_spec *spec, char *const *list,
	const int *lines, size_t count, struct at_error *err)
{
	const char *why;
	size_t wrong;

	if (spec->is_trusted || at_options_are_safe(list, count, &wrong, &why))
		return AT_OK;
	if (strchr(list[wrong], ' ') && strstr(why, "has a blank"))
		return at_fail(err, AT_EUNTRUSTED, spec->path, lines[wrong],
			"the option \"%.200s\" %s", list[wrong], why);
	return at_fail(err, AT_EUNTRUSTED, spec->path, lines[wrong],
		"the option \"%.200s\" %s: a compiler might run or write what it names; --trust takes it, where you know who wrote this file",
		list[wrong], why);
}

enum at_status at_source_options(const struct at_spec *spec,
	const struct at_value *slots, char ***options, size_t *count,
	struct at_error *err)
{
	enum at_status status = AT_OK;
	char **list = at_calloc(spec->option_count + 1, sizeof(*list));
	int *lines = at_calloc(spec->option_count + 1, sizeof(*lines));

	*options = NULL;
	*count = 0;
	for (size_t i = 0; i < spec->option_count && !status; i++) {
		const struct at_option *option = &spec->options[i];
		bool applies = true;

		if (option->when)
			status = at_spec_test(spec, option->when, slots,
				"\"when\" of an option", option->line, &applies, err);
		if (status || !applies)
			continue;
		lines[*count] = option->line;
		status = render_option(spec, option, slots, &list[*count], err);
		if (!status)
			(*count)++;
	}
	if (!status)
		status = check_trust(spec, list, lines, *count, err);
	free(lines);
	if (status) {
		at_source_free_options(list, *count);
		*count = 0;
	} else {
		*options = list;
	}
	return status;
}

void at_source_free_options(char **options, size_t count)
{
	if (!options)
		return;
	for (size_t i = 0; i < count; i++)
		free(options[i]);
	free(options);
}

/*
 * The omit text of a template, from its memo where it was made for the same kernels.
 * Borrowed from the template.
 */
static const char *remembered_omit(
	const struct at_spec *spec, const struct at_template *template)
{
	const char *const names[] = { spec->kernel, spec->prepare.kernel,
		spec->finish.kernel, spec->reference.call.kernel };
	struct at_template_memo *memo = template->memo;
	struct at_hash asked[AT_COUNT_OF(names)] = { { 0 } }, all;
	struct at_strbuf omit = { 0 };

	for (size_t i = 0; i < AT_COUNT_OF(names); i++)
		if (names[i])
			asked[i] = at_hash_bytes(names[i], strlen(names[i]));
	all = at_hash_bytes(asked, sizeof(asked));
	if (!memo->omit || !at_hash_equal(memo->asked, all)) {
		free(memo->omit);
		at_source_render_omit(spec, template, &omit);
		memo->omit = at_strbuf_detach(&omit);
		memo->asked = all;
	}
	return memo->omit;
}

enum at_status at_source_fill(const struct at_spec *spec,
	const struct at_template *template, const struct at_value *slots,
	const uint16_t *configuration, enum at_unit unit,
	struct at_compile_request *out, struct at_error *err)
{
	struct at_source_context context = { .spec = spec, .template = template };
	struct at_strbuf source = { 0 };
	const char *omit = "";
	enum at_status status =
		at_source_options(spec, slots, &out->options, &out->option_count, err);

	if (!status)
		status = at_template_reach(template, out->options, out->option_count,
			at_toolchain_folders(out->toolchain), &context.reach, err);
	if (status)
		return status;
	context.options = out->options;
	context.option_count = out->option_count;
	at_source_render(&context, configuration, unit, &source);
	/* the units of the reference are few: leaving kernels out of them would save
	   little */
	if (unit == AT_UNIT_TUNED)
		omit = remembered_omit(spec, template);
	out->includes = context.reach->digest;
	out->files = context.reach->files;
	out->source = at_strbuf_detach(&source);
	out->omit = at_strdup(omit);
	return AT_OK;
}
