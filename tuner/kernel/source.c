#include "kernel/source.h"
#include "base/file.h"
#include "base/text.h"
#include "kernel/option_hints.h"
#include "kernel/safe_options.h"
#include "kernel/scan.h"
#include "kernel/source_kernels.h"
#include "kernel/source_layout.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Far above any template; what is larger is some other file. */
#define TEMPLATE_LIMIT_BYTES ((size_t)16 << 20)

/* ---- loading ------------------------------------------------------------ */

/* What was found with one list of options that matter to it. */
struct at_template_memo {
	struct at_template_memo *next;
	struct at_hash options;
	struct at_reach reach;
	/* Of the first alone: what at_source_render_omit() made for a space that asks
	   for these kernels. Finding it reads the whole template, which costs ten times
	   what the rest of a configuration's source does. NULL: not made yet. */
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
	/* what some editors begin a file with; behind our own lines it is a character
	 */
	mark_bytes = at_text_mark_bytes(out->text, out->size);
	out->size -= mark_bytes;
	memmove(out->text, out->text + mark_bytes, out->size + 1);
	out->path = at_strdup(path);
	out->directory = at_path_directory(path);
	if (!out->path || !out->directory) {
		status = at_fail_memory(err);
		goto release;
	}
	out->memo = calloc(1, sizeof(*out->memo));
	if (!out->memo)
		status = at_fail_memory(err);
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
	size_t count, const struct at_reach **out, struct at_error *err)
{
	struct at_hash pair[2] = { { 0 }, { 0 } };
	struct at_template_memo *memo;
	const char *value;
	bool is_folder;
	enum at_status status;

	/* Most options say nothing of files, and differ from configuration to
	   configuration: only those that do are told apart. */
	for (size_t i = 0; i < count; i++)
		if (at_reach_option(options, count, i, &is_folder, &value)) {
			pair[1] = at_hash_bytes(value, strlen(value));
			pair[1].low ^= is_folder;
			pair[0] = at_hash_bytes(pair, sizeof(pair));
		}
	/* the first is empty: it only holds the list, so that this may be constant */
	for (memo = self->memo->next; memo; memo = memo->next)
		if (at_hash_equal(memo->options, pair[0])) {
			*out = &memo->reach;
			return AT_OK;
		}
	memo = calloc(1, sizeof(*memo));
	if (!memo)
		return at_fail_memory(err);
	status = at_reach_find(
		self->text, self->directory, options, count, NULL, &memo->reach, err);
	if (status) {
		free(memo);
		return status;
	}
	memo->options = pair[0];
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

		if (argument->symbol && !at_template_mentions(self, argument->symbol))
			return at_fail(err, AT_ENOENT, spec->path, argument->line,
				"the variable \"%s\" (symbol of argument \"%s\") not found in %s",
				argument->symbol, argument->name, self->path);
	}
	return AT_OK;
}

/* ---- rendering ---------------------------------------------------------- */

static void add_integer(struct at_strbuf *out, int64_t value)
{
	/* the smallest has no literal of its own */
	if (value == INT64_MIN)
		at_strbuf_add(out, "(-9223372036854775807LL - 1)");
	else if (value < 0)
		at_strbuf_addf(out, "(%" PRId64 ")", value);
	else
		at_strbuf_addf(out, "%" PRId64, value);
}

/* A real stays one: 2.0 must not become 2, which divides as an integer. */
static void add_real(struct at_strbuf *out, double value)
{
	char text[64];

	at_text_shortest_real(value, text, sizeof(text));
	at_strbuf_addf(out, text[0] == '-' ? "(%s%s)" : "%s%s", text,
		strpbrk(text, ".eE") ? "" : ".0");
}

/* NAME_value, with whatever cannot be in an identifier turned into '_'. */
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
 * From 1, so that a misspelt name (0 to the preprocessor) equals none of them. Also
 * those that --set leaves out, so that it makes no other source.
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
		at_strbuf_addf(out, " %zu\n", i + 1);
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

/* The names in a text that is no source: an option. */
static bool text_mentions(const char *text, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = text; (at = strstr(at, name)) != NULL; at++)
		/* -DTILE: what stands before a name may be glued to it */
		if (!at[length] || !strchr(AT_SCAN_IDENTIFIER, at[length]))
			return true;
	return false;
}

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

/* Its own name, or one of NAME_word. */
static bool parameter_matters(
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
		/* without memory the source will not be had either */
		found = name.failed || matters(context, name.data);
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

void at_source_render(const struct at_source_context *context,
	const uint16_t *configuration, enum at_unit unit, struct at_strbuf *out)
{
	const struct at_spec *spec = context->spec;
	const struct at_template *template = context->template;

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

		if (!parameter_matters(context, parameter))
			continue;
		if (context->reach &&
			at_source_is_template_parameter(spec, context->reach, i))
			add_word_list(out, parameter);
		else
			add_macro(out, parameter, parameter->values[configuration[i]]);
	}
	if (unit == AT_UNIT_REFERENCE_WIDE)
		at_source_write_wide(context->reach
					     ? at_strbuf_text(&context->reach->toolkit)
					     : template->text,
			out);
	at_source_add_line(out, 1, template->path);
	at_strbuf_add_bytes(out, template->text, template->size);
	/* in double, fields lie elsewhere */
	if (unit != AT_UNIT_REFERENCE_WIDE)
		at_source_write_layouts(spec, template->text, out);
}

/* ---- leaving out -------------------------------------------------------- */

/*
 * The name as a macro turns a kernel's definition into the declaration of another
 * kernel, which is never defined, and a function that nobody calls, which the
 * compiler drops before it makes code of it:
 *
 *   __global__ void autotune_without_NAME();
 *   static __device__ void autotune_left_out_NAME(const float *x) { ... }
 *
 * Static and no template, so that it may stand in extern "C" { }; "unused", so that
 * nothing is said about it.
 */
static void add_omission(struct at_strbuf *out, struct at_lexeme name)
{
	int length = (int)name.length;

	at_strbuf_addf(out,
		"#define %.*s(...) autotune_without_%.*s(); static __attribute__((unused)) __device__ void autotune_left_out_%.*s(__VA_ARGS__)\n",
		length, name.text, length, name.text, length, name.text);
}

/* Names of kernels may be C++'s: "tools::scale<4>" asks for scale. */
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

	/* What includes define is not looked for, but the reference's name is known
	   without. One with a name space or template arguments is no macro's name. */
	if (spec->reference.kind == AT_REFERENCE_KERNEL) {
		reference.text = spec->reference.call.kernel;
		reference.length = strlen(reference.text);
	}
	if (at_lexeme_is_identifier(reference) && !is_asked_for(spec, reference))
		add_omission(out, reference);
	/* Templates cost nothing until one is asked for, and their parameters cannot be
	   left out with them. */
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
	return *out ? AT_OK : at_fail_memory(err);
}

/* lines: of each of the list in the space file */
static enum at_status check_trust(const struct at_spec *spec, char *const *list,
	const int *lines, size_t count, struct at_error *err)
{
	const char *why, *hint;
	size_t wrong;

	if (spec->is_trusted || at_options_are_safe(list, count, &wrong, &why))
		return AT_OK;
	hint = at_option_hint(list[wrong]);
	if (hint && !strstr(why, "has a "))
		return at_fail(err, AT_EUNTRUSTED, spec->path, lines[wrong],
			"the option \"%.200s\": %s", list[wrong], hint);
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
	char **list = calloc(spec->option_count + 1, sizeof(*list));
	int *lines = calloc(spec->option_count + 1, sizeof(*lines));

	*options = NULL;
	*count = 0;
	if (!list || !lines) {
		free(list);
		free(lines);
		return at_fail_memory(err);
	}
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

/* Borrowed from the template; NULL: memory ran out. */
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
		status = at_template_reach(
			template, out->options, out->option_count, &context.reach, err);
	if (status)
		return status;
	context.options = out->options;
	context.option_count = out->option_count;
	at_source_render(&context, configuration, unit, &source);
	/* the reference's own unit is one of a few: what is left out of it saves little
	 */
	if (unit == AT_UNIT_TUNED)
		omit = remembered_omit(spec, template);
	out->includes = context.reach->digest;
	out->files = context.reach->files;
	out->source = at_strbuf_detach(&source);
	out->omit = omit ? at_strdup(omit) : NULL;
	return out->source && out->omit ? AT_OK : at_fail_memory(err);
}
