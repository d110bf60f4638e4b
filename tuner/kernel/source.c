/* Loads templates, renders sources from them, and evaluates a space's options. */
#include "kernel/source.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "kernel/job.h"
#include "kernel/safe_options.h"
#include "kernel/scan.h"
#include "kernel/toolchain.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* far above any template: a larger file is something else */
#define TEMPLATE_LIMIT_BYTES ((size_t)16 << 20)

/* ---- loading ------------------------------------------------------------ */

/* The findings for one list of the options that affect which files are included. */
struct at_template_memo {
	struct at_template_memo *next;
	struct at_hash options;
	const char *const *variables;
	struct at_reach reach;
	/* Only in the list's first entry: the omit text that at_source_render_omit()
	   made for the kernels in `asked`. Making it reads the whole template, which
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
	if (at_is_cubin_name(path, strlen(path))) {
		struct at_strbuf text = { 0 };

		at_strbuf_addf(&text, "#include \"%s\"\n", at_path_name(path));
		free(out->text);
		out->size = text.length;
		out->text = at_strbuf_detach(&text);
	}
	if (strlen(out->text) != out->size) {
		status = at_fail(err, AT_EINVAL, path, 0,
			"holds a NUL byte, so it is no source text; check kernel.template in the space file");
		goto release;
	}
	/* Some editors begin a file with a byte order mark; after the tuner's lines it
	   would be an invalid character. */
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

	/* Most options name no files or folders, and differ between configurations:
	   only options that do make another entry. */
	for (size_t i = 0; i < count; i++) {
		kind = at_option_read(options, count, &i, &value);
		if (kind != AT_OPTION_FOLDER && kind != AT_OPTION_FILE)
			continue;
		pair[1] = at_hash_bytes(value, strlen(value));
		pair[1].low ^= kind == AT_OPTION_FOLDER;
		pair[0] = at_hash_bytes(pair, sizeof(pair));
	}
	/* The first entry has no reach: it starts the list, so self can be const. */
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

/* ---- names in the text -------------------------------------------------- */

/* how many kernels are suggested for a misspelt name */
#define HINTED_KERNELS 8
#define HINTED_LENGTH 80

bool at_source_next_kernel(const char **at, struct at_lexeme *name, bool *is_template)
{
	bool is_kernel = false;
	struct at_lexeme lexeme, last = { 0 };

	*is_template = false;
	while (at_scan(at, &lexeme)) {
		char first = lexeme.text[0];

		if (first == '#') { /* a directive names no kernel */
			*at = at_scan_directive_end(lexeme.text);
			continue;
		}
		if (at_lexeme_is(lexeme, "template"))
			*is_template = true;
		else if (at_lexeme_is(lexeme, "__global__"))
			is_kernel = true;
		/* words that begin with _ are attributes: __launch_bounds__(BLOCK) */
		if (first == '(' && is_kernel && last.length && last.text[0] != '_') {
			*name = last;
			return true;
		}
		if (first == '(' && last.length)
			for (int depth = 1; depth && at_scan(at, &lexeme);)
				depth += lexeme.text[0] == '('   ? 1
					 : lexeme.text[0] == ')' ? -1
								 : 0;
		if (first == ';' || first == '}') {
			*is_template = false;
			is_kernel = false;
		}
		if (!at_lexeme_is_identifier(lexeme))
			lexeme.length = 0;
		last = lexeme;
	}
	return false;
}

bool at_template_mentions(const struct at_template *self, const char *name)
{
	/* does not look at included files and names made by ##: the compiler knows */
	return strstr(self->text, "include") || strstr(self->text, "##") ||
	       at_scan_mentions(self->text, name);
}

/* For a kernel that the template lacks, appends "; did you mean ...?", or the names of
   all its kernels, or nothing if it has none. tuned: for a reference, the tuned kernel,
   which cannot be its own reference; else NULL. */
static void hint_kernel(const struct at_template *self, const char *wrong,
	const char *tuned, struct at_strbuf *out)
{
	char names[HINTED_KERNELS][HINTED_LENGTH];
	const char *known[HINTED_KERNELS], *at = self->text, *nearest;
	bool is_template;
	struct at_lexeme name;
	size_t count = 0;

	while (count < HINTED_KERNELS &&
		at_source_next_kernel(&at, &name, &is_template)) {
		if (tuned && at_lexeme_is(name, tuned))
			continue;
		snprintf(names[count], sizeof(names[count]), "%.*s", (int)name.length,
			name.text);
		known[count] = names[count];
		count++;
	}
	nearest = at_text_nearest(wrong, known, count);
	if (nearest) {
		at_strbuf_addf(out, "; did you mean \"%s\"?", nearest);
		return;
	}
	if (tuned && !count)
		at_strbuf_add(out,
			": it is a plain kernel that you write beside the tuned one, slow and obviously right");
	at_strbuf_add(out, count ? ", whose kernels are " : "");
	for (size_t i = 0; i < count; i++)
		at_strbuf_addf(
			out, "%s%s", at_text_between(i, count, " and "), names[i]);
}

enum at_status at_template_check_kernel(const struct at_template *self,
	const struct at_spec *spec, const struct at_call *call, const char *kernel,
	struct at_error *err)
{
	struct at_strbuf hint = { 0 }, first = { 0 };
	char bare[128], tuned[128];
	const int line = call->line;
	enum at_status status;
	const char *text;
	size_t length;

	text = at_kernel_bare_name(kernel, &length);
	snprintf(bare, sizeof(bare), "%.*s", (int)(length < 120 ? length : 120), text);
	if (!at_template_mentions(self, bare)) {
		at_spec_write_function(spec, spec->kernel, spec->defaults, &first);
		text = at_kernel_bare_name(at_strbuf_text(&first), &length);
		snprintf(tuned, sizeof(tuned), "%.*s",
			(int)(length < 120 ? length : 120), text);
		at_strbuf_release(&first);
		hint_kernel(self, bare, call == &spec->reference.call ? tuned : NULL,
			&hint);
		status = at_fail(err, AT_ENOENT, spec->path, line,
			"kernel \"%s\" not found in %s%s", kernel, self->path,
			at_strbuf_text(&hint));
		at_strbuf_release(&hint);
		return status;
	}
	if (at_scan_is_no_kernel(self->text, kernel))
		return at_fail(err, AT_EINVAL, spec->path, line,
			"kernel \"%s\" is no __global__ function in %s: write __global__ before its void",
			kernel, self->path);
	return AT_OK;
}

/* ---- rendering ---------------------------------------------------------- */

/* Appends a #line directive: the next line is this line of the file, minus folders. */
static void add_line(struct at_strbuf *out, int line, const char *path)
{
	at_job_add_line(out, (size_t)line, "", at_path_name(path), "");
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

/* Defines the words of a parameter as integers from 1 on. So a misspelt name, which is
   0 to the preprocessor, equals none of them. Words that --set excludes are defined
   too, so that --set does not change the source. */
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
	char text[64];

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
		/* INT64_MIN cannot be written as one literal */
		if (value.integer == INT64_MIN)
			at_strbuf_add(out, "(-9223372036854775807LL - 1)");
		else
			at_strbuf_addf(out,
				value.integer < 0 ? "(%" PRId64 ")" : "%" PRId64,
				value.integer);
		break;
	case AT_TYPE_REAL:
		/* 2.0 must not become 2 and divide as an integer */
		at_text_shortest_real(value.real, text, sizeof(text));
		at_strbuf_addf(out, text[0] == '-' ? "(%s%s)" : "%s%s", text,
			strpbrk(text, ".eE") ? "" : ".0");
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

/* Whether an option, which is not source text, contains the name. */
static bool text_mentions(const char *text, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = text; (at = strstr(at, name)) != NULL; at++)
		/* in -DTILE a letter directly precedes the name */
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
	return at_spec_kernels_read(spec, index) &&
	       at_reach_is_template_parameter(reach, spec->parameters[index].name);
}

/* Whether the text itself declares the name, by typedef, using or #define. */
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

/* Names that nvcc provides in all files, from headers that NVRTC does not include. */
static const struct {
	const char *words;
	const char *headers[2]; /* parts of the names of headers with the words */
	const char *text;
} given[] = {
	{ "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t",
		{ "stdint", "inttypes" }, "#include <stdint.h>\n" },
	{ "INFINITY NAN HUGE_VAL M_PI M_E M_SQRT2 M_LN2", { "math.h", "cmath" },
		"#include <math.h>\n" },
	{ "cudaGridDependencySynchronize cudaTriggerProgrammaticLaunchCompletion",
		{ "cuda_device_runtime_api", "cuda_device_runtime_api" },
		"#ifdef __CUDACC_RTC__\n#include <cuda_device_runtime_api.h>\n#endif\n" },
};

/* Whether the sources read one of the words, and none of them includes its header. */
static bool lacks(const struct at_reach *reach, size_t which)
{
	const char *toolkit = at_strbuf_text(&reach->toolkit);
	const char *at = given[which].words;
	struct at_lexeme word;
	bool reads = false;

	while (!reads && at_scan(&at, &word)) {
		char name[64];

		snprintf(name, sizeof(name), "%.*s", (int)word.length, word.text);
		reads = at_reach_has(reach, name);
	}
	return reads && !strstr(toolkit, given[which].headers[0]) &&
	       !strstr(toolkit, given[which].headers[1]);
}

/* Names that nvcc and gcc on Linux predefine, but NVRTC does not: those of `given`, and
   the short names of unsigned types in <sys/types.h>. Skips short names that the
   template itself declares. */
static void add_short_names(
	const struct at_source_context *context, struct at_strbuf *out)
{
	static const char *const names[][2] = { { "uchar", "char" },
		{ "ushort", "short" }, { "uint", "int" }, { "ulong", "long" } };

	for (size_t i = 0; i < AT_COUNT_OF(names); i++)
		if (context->reach && matters(context, names[i][0]) &&
			!declares(context->template->text, names[i][0])) {
			add_line(out, 1, "types");
			at_strbuf_addf(out, "typedef unsigned %s %s;\n", names[i][1],
				names[i][0]);
		}
	for (size_t i = 0; i < AT_COUNT_OF(given) && context->reach; i++)
		if (lacks(context->reach, i)) {
			add_line(out, 1, "types");
			at_strbuf_add(out, given[i].text);
		}
}

/* ---- structures ---------------------------------------------------------- */

/* Whether the text defines "struct NAME {". Then "struct NAME;" after the text is a
   harmless repetition, whatever conditions surround the definition, or declares another
   structure without fields. Skips a typedef, a template, and a structure in a header;
   also a text with namespaces, where the name could mean another structure. */
static bool defines(const char *text, const char *name)
{
	struct at_lexeme lexeme;
	bool is_struct = false, is_generic = false, is_named = false;

	while (at_scan(&text, &lexeme) && !at_lexeme_is(lexeme, "namespace")) {
		char first = lexeme.text[0];

		if (first == '{' && is_named && !is_generic)
			return true;
		is_generic |= at_lexeme_is(lexeme, "template");
		is_named |= is_struct && at_lexeme_is(lexeme, name);
		is_struct |= at_lexeme_is(lexeme, "struct");
		if (strchr("{};", first))
			is_struct = is_generic = is_named = false;
	}
	return false;
}

/* Appends an assertion about one field. It holds if the template has no such field. */
static void add_field(struct at_strbuf *out, const struct at_spec *spec,
	const struct at_argument *owner, const struct at_argument *field, size_t index)
{
	const char *type = owner->type, *name = strchr(field->name, '.') + 1;

	at_strbuf_addf(out,
		"template <class autotune_T, class autotune_V = void> struct autotune_at_%zu { static const long autotune_n = -1; };\n"
		"template <class autotune_T> struct autotune_at_%zu<autotune_T, decltype((void)sizeof(((autotune_T *)0)->%s))> { static const long autotune_n = (long)autotune_offset(autotune_T, %s) * 65536L + sizeof(((autotune_T *)0)->%s); };\n",
		index, index, name, name, name);
	add_line(out, owner->line, spec->path);
	at_strbuf_addf(out,
		"static_assert(autotune_at_%zu<%s>::autotune_n == -1 || autotune_at_%zu<%s>::autotune_n == %zu * 65536L + %zu, \"%s of %s has %zu bytes from byte %zu on in the space, and others in the template: types has the fields in its order, with its types and align\");\n",
		index, type, index, type, field->offset_bytes,
		at_element_bytes(field->element) * (size_t)field->lanes, name, type,
		at_element_bytes(field->element) * (size_t)field->lanes,
		field->offset_bytes);
}

static void add_structure(
	const struct at_spec *spec, size_t index, struct at_strbuf *out)
{
	const struct at_argument *argument = &spec->arguments[index];

	at_strbuf_addf(out, "struct %s;\n", argument->type);
	for (size_t i = spec->given_count; i < spec->argument_count; i++)
		if (spec->arguments[i].owner == index + 1)
			add_field(out, spec, argument, &spec->arguments[i], i);
	at_strbuf_addf(out,
		"template <class autotune_T, class autotune_V = void> struct autotune_size_%zu { static const long autotune_n = 0; };\n"
		"template <class autotune_T> struct autotune_size_%zu<autotune_T, decltype((void)sizeof(autotune_T))> { static const long autotune_n = sizeof(autotune_T); };\n",
		index, index);
	add_line(out, argument->line, spec->path);
	at_strbuf_addf(out,
		"static_assert(autotune_size_%zu<%s>::autotune_n == 0 || autotune_size_%zu<%s>::autotune_n == %d, \"%s has %d bytes in the space, and others in the template: types has the fields in its order, with its types and align\");\n",
		index, argument->type, index, argument->type, argument->lanes,
		argument->type, argument->lanes);
}

static bool is_first_of_type(const struct at_spec *spec, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (spec->arguments[i].has_fields &&
			spec->arguments[i].access != AT_ACCESS_SCRATCH &&
			!strcmp(spec->arguments[i].type, spec->arguments[index].type))
			return false;
	return true;
}

/* Appends assertions, to be placed after the template's text, that fail to compile if
   the template lays out a structure differently than the space. Each has a line of its
   own. Nothing for a structure that the text does not define. */
static void write_layouts(
	const struct at_spec *spec, const char *text, struct at_strbuf *out)
{
	/* NVRTC's own parser has another name for offsetof */
	static const char offset[] =
		"\n#ifdef __CUDACC_RTC__\n"
		"#define autotune_offset(type, field) __INTADDR__(&((type *)0)->field)\n"
		"#else\n"
		"#define autotune_offset(type, field) __builtin_offsetof(type, field)\n"
		"#endif\n";
	bool has_any = false;

	for (size_t i = 0; i < spec->given_count; i++) {
		const struct at_argument *argument = &spec->arguments[i];

		/* scratch arguments have no fields */
		if (!argument->has_fields || argument->access == AT_ACCESS_SCRATCH ||
			!is_first_of_type(spec, i) || !defines(text, argument->type))
			continue;
		if (!has_any)
			at_strbuf_add(out, offset);
		has_any = true;
		add_structure(spec, i, out);
	}
}

/* The types, from and to, of the k-th argument of a converting prepare or finish. */
static void find_types(const struct at_spec *spec, const uint16_t *configuration,
	const struct at_call *call, size_t k, const char *types[2])
{
	const bool is_finish = call == spec->finish;
	const struct at_argument *argument =
		&spec->arguments[call->arguments[3 * k + is_finish]];
	const size_t parameter = argument->type_parameter - 1;

	types[is_finish] = at_element_name(argument->element);
	types[!is_finish] =
		spec->parameters[parameter].values[configuration[parameter]].word;
}

static bool is_narrow(const char *type)
{
	enum at_element element;
	int lanes;

	return at_element_find(type, &element, &lanes) && at_element_is_narrow(element);
}

/* Appends the kernel of prepare or finish that converts between the reference's type
   and the type that a parameter chooses. C++ has no conversion between two narrow
   types: the values become floats in between. */
static void write_conversion(const struct at_spec *spec, const uint16_t *configuration,
	const struct at_call *call, struct at_strbuf *out)
{
	const char *types[2];

	if (!call || !call->is_generated)
		return;
	at_strbuf_addf(out, "\nextern \"C\" __global__ void %s(", call->kernel);
	for (size_t k = 0; 3 * k < call->argument_count; k++) {
		find_types(spec, configuration, call, k, types);
		at_strbuf_addf(out,
			"%sconst %s *autotune_from_%zu, %s *autotune_to_%zu, long long autotune_count_%zu",
			k ? ", " : "", types[0], k, types[1], k, k);
	}
	at_strbuf_add(out, ")\n{\n");
	for (size_t k = 0; 3 * k < call->argument_count; k++) {
		find_types(spec, configuration, call, k, types);
		at_strbuf_addf(out,
			"\tfor (long long autotune_i = blockIdx.x * (long long)blockDim.x + threadIdx.x; autotune_i < autotune_count_%zu; autotune_i += gridDim.x * (long long)blockDim.x)\n"
			"\t\tautotune_to_%zu[autotune_i] = static_cast<%s>(%s(autotune_from_%zu[autotune_i]));\n",
			k, k, types[1],
			is_narrow(types[0]) && is_narrow(types[1])
				? "static_cast<float>"
				: "",
			k);
	}
	at_strbuf_add(out, "}\n");
}

void at_source_render(const struct at_source_context *context,
	const uint16_t *configuration, enum at_unit unit, struct at_strbuf *out)
{
	const struct at_spec *spec = context->spec;
	const struct at_template *template = context->template;
	const char *includes;

	/* usually room for the template and all additions: one allocation */
	at_strbuf_reserve(out, template->size + 2048);
	at_strbuf_add(out, "#define AUTOTUNE 1\n");
	switch (unit) {
	case AT_UNIT_TUNED:
		break;
	case AT_UNIT_REFERENCE:
	case AT_UNIT_REFERENCE_FLOAT64:
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
	if (unit == AT_UNIT_REFERENCE_FLOAT64) {
		at_source_write_float64(includes, at_source_float64(spec), out);
		at_source_write_traps(template->text, out);
	}
	add_short_names(context, out);
	add_line(out, 1, template->path);
	at_strbuf_add_bytes(out, template->text, template->size);
	/* in double the fields of structures have other offsets */
	if (unit != AT_UNIT_REFERENCE_FLOAT64)
		write_layouts(spec, template->text, out);
	if (unit == AT_UNIT_TUNED) {
		write_conversion(spec, configuration, spec->prepare, out);
		write_conversion(spec, configuration, spec->finish, out);
	}
}

/* ---- leaving out -------------------------------------------------------- */

/*
 * Appends a macro with the name of a kernel to be left out. It turns the kernel's
 * definition into the declaration of another kernel, which is never defined, and a
 * function without a caller, which the compiler drops before it generates code:
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

/* The names of the kernels that a configuration launches, one per line. They may be C++
   names: "tools::scale<4>" means scale. */
static void write_asked(const struct at_spec *spec, const uint16_t *configuration,
	struct at_strbuf *out)
{
	for (size_t i = 0; i < spec->call_count; i++) {
		if (spec->calls[i].kernel)
			at_spec_write_function(
				spec, spec->calls[i].kernel, configuration, out);
		at_strbuf_add_char(out, '\n');
	}
}

static bool is_asked_for(const char *asked, struct at_lexeme name)
{
	struct at_lexeme lexeme;

	assert(name.text);
	while (at_scan(&asked, &lexeme))
		if (at_lexeme_same(lexeme, name))
			return true;
	return false;
}

void at_source_render_omit(const struct at_spec *spec,
	const struct at_template *template, const uint16_t *configuration,
	struct at_strbuf *out)
{
	struct at_lexeme name, reference = { .text = "" };
	struct at_strbuf asked = { 0 };
	const char *at = template->text, *text;
	bool is_template;
	size_t start = out->length;

	write_asked(spec, configuration, &asked);
	text = at_strbuf_text(&asked);
	/* Kernels in included files are not searched for, but the reference's name is
	   known anyway. Names with a namespace or template arguments cannot be
	   macros. */
	if (spec->reference.kind == AT_REFERENCE_KERNEL &&
		spec->reference.call.kernel) {
		reference.text = spec->reference.call.kernel;
		reference.length = strlen(reference.text);
	}
	if (at_lexeme_is_identifier(reference) && !is_asked_for(text, reference))
		add_omission(out, reference);
	/* C++ templates cost nothing until they are instantiated, and a macro could not
	   leave out their heads. */
	while (at_source_next_kernel(&at, &name, &is_template))
		if (!is_template && !is_asked_for(text, name) &&
			!at_lexeme_same(name, reference))
			add_omission(out, name);
	if (out->length > start)
		add_line(out, 1, template->path);
	at_strbuf_release(&asked);
}

/* ---- options ------------------------------------------------------------ */

/* lines: each option's line in the space file. */
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
		struct at_strbuf text = { 0 };
		bool applies = true;

		if (option->when)
			status = at_spec_test(spec, option->when, slots,
				"\"when\" of an option", option->line, &applies, err);
		if (status || !applies)
			continue;
		lines[*count] = option->line;
		status = at_spec_substitute(
			spec, option->text, option->line, slots, &text, err);
		if (status)
			at_strbuf_release(&text);
		else
			list[(*count)++] = at_strbuf_detach(&text);
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

/* The omit text of a template, from its memo if it was made for the same kernels.
   Borrowed from the template. */
static const char *remembered_omit(const struct at_spec *spec,
	const struct at_template *template, const uint16_t *configuration)
{
	const char *reference = spec->reference.call.kernel;
	struct at_template_memo *memo = template->memo;
	struct at_strbuf omit = { 0 }, names = { 0 };
	struct at_hash all;

	write_asked(spec, configuration, &names);
	at_strbuf_add(&names, reference ? reference : "");
	all = at_hash_bytes(at_strbuf_text(&names), names.length);
	at_strbuf_release(&names);
	if (!memo->omit || !at_hash_equal(memo->asked, all)) {
		free(memo->omit);
		at_source_render_omit(spec, template, configuration, &omit);
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
	const struct at_toolchain *toolchain = at_toolchain_named(out->toolchain);
	struct at_source_context context = { .spec = spec, .template = template };
	struct at_strbuf source = { 0 };
	const char *omit = "";
	enum at_status status =
		at_source_options(spec, slots, &out->options, &out->option_count, err);

	if (!status)
		status = at_template_reach(template, out->options, out->option_count,
			toolchain ? toolchain->folders : NULL, &context.reach, err);
	if (status)
		return status;
	context.options = out->options;
	context.option_count = out->option_count;
	at_source_render(&context, configuration, unit, &source);
	/* the reference has few units: leaving kernels out would save little */
	if (unit == AT_UNIT_TUNED)
		omit = remembered_omit(spec, template, configuration);
	out->includes = context.reach->digest;
	out->files = context.reach->files;
	out->source = at_strbuf_detach(&source);
	out->omit = at_strdup(omit);
	return AT_OK;
}
