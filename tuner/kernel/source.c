#include "kernel/source.h"
#include "base/file.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Far above any template; what is larger is some other file. */
#define TEMPLATE_LIMIT_BYTES ((size_t)16 << 20)
#define INCLUDE_DEPTH_LIMIT 64

#define IDENTIFIER_CHARACTERS \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"

/* ---- loading ------------------------------------------------------------ */

/* What at_template_load() gathers while it follows the includes. */
struct walk {
	struct at_hasher *hasher;
	const char *root; /* the template's directory, searched after the file's own */
	char **seen;
	size_t seen_count;
	size_t seen_capacity;
};

static bool is_seen(const struct walk *walk, const char *path)
{
	for (size_t i = 0; i < walk->seen_count; i++)
		if (!strcmp(walk->seen[i], path))
			return true;
	return false;
}

/* Takes ownership of path. */
static enum at_status remember(struct walk *walk, char *path, struct at_error *err)
{
	enum at_status status =
		AT_RESERVE(walk->seen, walk->seen_capacity, walk->seen_count + 1, err);

	if (status)
		free(path);
	else
		walk->seen[walk->seen_count++] = path;
	return status;
}

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " \t");
}

/*
 * The name of an #include "name" directive that starts at line, or NULL.
 * Directives inside comments count too: at worst the digest covers a file that
 * does not matter.
 */
static const char *quoted_include(const char *line, size_t *length)
{
	const char *at = skip_blanks(line);
	const char *end;

	if (*at != '#')
		return NULL;
	at = skip_blanks(at + 1);
	if (strncmp(at, "include", 7) != 0)
		return NULL;
	at = skip_blanks(at + 7);
	if (*at != '"')
		return NULL;
	end = at + 1 + strcspn(at + 1, "\"\n");
	if (*end != '"')
		return NULL;
	*length = (size_t)(end - at - 1);
	return at + 1;
}

/* Heap; NULL without an error when neither directory has the file. */
static enum at_status find_include(const struct walk *walk, const char *directory,
	const char *name, char **out, struct at_error *err)
{
	const char *const places[] = { directory, walk->root };

	*out = NULL;
	for (size_t i = 0; i < 2 && !*out; i++) {
		char *path = at_path_join(places[i], name);

		if (!path)
			return at_fail_memory(err);
		if (at_file_exists(path))
			*out = path;
		else
			free(path);
	}
	return AT_OK;
}

static enum at_status digest_includes(struct walk *walk, const char *directory,
	const char *text, int depth, struct at_error *err);

/* Headers of the toolkit are found nowhere here: the version of NVRTC is in every
   key, and stands for them. */
static enum at_status digest_include(struct walk *walk, const char *directory,
	const char *name, int depth, struct at_error *err)
{
	enum at_status status;
	char *path, *text, *folder;
	size_t size;

	status = find_include(walk, directory, name, &path, err);
	if (status || !path)
		return status;
	if (is_seen(walk, path) || depth == INCLUDE_DEPTH_LIMIT) {
		free(path);
		return AT_OK;
	}
	status = at_file_read(path, TEMPLATE_LIMIT_BYTES, &text, &size, err);
	if (status) {
		free(path);
		return status;
	}
	folder = at_path_directory(path);
	status = remember(walk, path, err);
	if (!status && !folder)
		status = at_fail_memory(err);
	if (!status) {
		at_hasher_add_text(walk->hasher, name);
		at_hasher_add(walk->hasher, text, size);
		status = digest_includes(walk, folder, text, depth + 1, err);
	}
	free(folder);
	free(text);
	return status;
}

static enum at_status digest_includes(struct walk *walk, const char *directory,
	const char *text, int depth, struct at_error *err)
{
	enum at_status status = AT_OK;

	while (text && !status) {
		size_t length;
		const char *found = quoted_include(text, &length);

		if (found) {
			char *name = at_strndup(found, length);

			status =
				name ? digest_include(walk, directory, name, depth, err)
				     : at_fail_memory(err);
			free(name);
		}
		text = strchr(text, '\n');
		if (text)
			text++;
	}
	return status;
}

static enum at_status digest_template(struct at_template *self, struct at_error *err)
{
	struct walk walk = { .root = self->directory };
	enum at_status status = at_hasher_new(&walk.hasher, err);

	if (status)
		return status;
	at_hasher_add(walk.hasher, self->text, self->size);
	status = digest_includes(&walk, self->directory, self->text, 0, err);
	self->digest = at_hasher_result(walk.hasher);
	for (size_t i = 0; i < walk.seen_count; i++)
		free(walk.seen[i]);
	free(walk.seen);
	at_hasher_free(walk.hasher);
	return status;
}

enum at_status at_template_load(
	const char *path, struct at_template *out, struct at_error *err)
{
	struct at_error reason = { 0 };
	enum at_status status;

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
	out->path = at_strdup(path);
	out->directory = at_path_directory(path);
	if (!out->path || !out->directory) {
		status = at_fail_memory(err);
		goto release;
	}
	status = digest_template(out, err);
release:
	if (status)
		at_template_release(out);
	return status;
}

void at_template_release(struct at_template *self)
{
	if (!self)
		return;
	free(self->path);
	free(self->directory);
	free(self->text);
	memset(self, 0, sizeof(*self));
}

bool at_template_mentions(const struct at_template *self, const char *name)
{
	return strstr(self->text, name) || strstr(self->text, "include");
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
	at_strbuf_addf(out, "%s_", name);
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
	at_strbuf_addf(out, "#define %s ", parameter->name);
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

static void add_line_directive(struct at_strbuf *out, const char *path)
{
	const char *slash = strrchr(path, '/');

	at_strbuf_add(out, "#line 1 \"");
	for (const char *at = slash ? slash + 1 : path; *at; at++) {
		if (*at == '"' || *at == '\\')
			at_strbuf_add_char(out, '\\');
		at_strbuf_add_char(out, *at);
	}
	at_strbuf_add(out, "\"\n");
}

void at_source_render(const struct at_spec *spec, const struct at_template *template,
	const uint16_t *configuration, enum at_unit unit, struct at_strbuf *out)
{
	at_strbuf_add(out, "#define AUTOTUNE 1\n");
	switch (unit) {
	case AT_UNIT_TUNED:
		break;
	case AT_UNIT_REFERENCE:
		at_strbuf_add(out, "#define AUTOTUNE_REFERENCE 1\n");
		configuration = spec->defaults;
		break;
	}
	at_source_write_macros(spec, configuration, out);
	add_line_directive(out, template->path);
	at_strbuf_add_bytes(out, template->text, template->size);
}

/* ---- leaving out -------------------------------------------------------- */

/*
 * The next token from *at on, which is moved behind it: an identifier or number as a
 * whole, else one character. Comments, strings and characters are passed over. False
 * at the end.
 */
static bool next_token(const char **at, const char **token, size_t *length)
{
	const char *text = *at, *end;

	for (;;) {
		text += strspn(text, " \t\r\n\f\v");
		if (text[0] == '/' && text[1] == '/') {
			text += strcspn(text, "\n");
		} else if (text[0] == '/' && text[1] == '*') {
			end = strstr(text + 2, "*/");
			text = end ? end + 2 : text + strlen(text);
		} else if (text[0] == '"' || text[0] == '\'') {
			char quote = *text++;

			while (*text && *text != quote && *text != '\n')
				text += text[0] == '\\' && text[1] ? 2 : 1;
			text += *text == quote;
		} else {
			break;
		}
	}
	*token = text;
	*length = strspn(text, IDENTIFIER_CHARACTERS);
	if (!*length && *text)
		*length = 1;
	*at = text + *length;
	return *length != 0;
}

static bool token_is(const char *token, size_t length, const char *text)
{
	return length == strlen(text) && !memcmp(token, text, length);
}

/*
 * Moves *at behind the next __global__ function's name and says where that is; false
 * when there is none. Templates are not told: they cost nothing until one is asked
 * for, and their parameters cannot be left out with them.
 */
static bool next_kernel(const char **at, const char **name, size_t *length)
{
	bool is_template = false, is_kernel = false;
	const char *token, *last = NULL;
	size_t size, last_size = 0;

	while (next_token(at, &token, &size)) {
		bool is_word = strchr(IDENTIFIER_CHARACTERS, *token) != NULL;

		if (token_is(token, size, "template"))
			is_template = true;
		else if (token_is(token, size, "__global__"))
			is_kernel = true;
		if (*token == '(' && is_kernel && last && last[0] != '_') {
			is_kernel = false;
			*name = last;
			*length = last_size;
			if (!is_template)
				return true;
		}
		if (*token == '(' && last) {
			/* an attribute's: __launch_bounds__(BLOCK) */
			for (int depth = 1; depth && next_token(at, &token, &size);)
				depth += *token == '(' ? 1 : *token == ')' ? -1 : 0;
			is_word = false;
		}
		if (*token == ';' || *token == '}')
			is_template = is_kernel = false;
		last = is_word ? token : NULL;
		last_size = is_word ? size : 0;
	}
	return false;
}

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
static void add_omission(struct at_strbuf *out, const char *name, int length)
{
	at_strbuf_addf(out,
		"#define %.*s(...) autotune_without_%.*s(); static __attribute__((unused)) __device__ void autotune_left_out_%.*s(__VA_ARGS__)\n",
		length, name, length, name, length, name);
}

/* Names of kernels may be C++'s: "tools::scale<4>" asks for scale. */
static bool is_asked(
	const char *const *asked, size_t count, const char *name, size_t length)
{
	for (size_t i = 0; i < count; i++) {
		const char *at = asked[i] ? asked[i] : "", *token;
		size_t size;

		while (next_token(&at, &token, &size))
			if (size == length && !memcmp(token, name, length))
				return true;
	}
	return false;
}

void at_source_render_omit(const struct at_spec *spec,
	const struct at_template *template, struct at_strbuf *out)
{
	const char *const asked[] = { spec->kernel, spec->prepare.kernel,
		spec->finish.kernel };
	const char *reference = spec->reference.kind == AT_REFERENCE_KERNEL
					? spec->reference.call.kernel
					: NULL;
	const char *at = template->text, *name;
	size_t length, start = out->length;

	/* What includes define is not looked for, but the reference's name is known
	   without. One with a name space or template arguments is no macro's name. */
	if (reference && !reference[strspn(reference, IDENTIFIER_CHARACTERS)] &&
		!is_asked(asked, AT_COUNT_OF(asked), reference, strlen(reference)))
		add_omission(out, reference, (int)strlen(reference));
	while (next_kernel(&at, &name, &length))
		if (!(reference && token_is(name, length, reference)) &&
			!is_asked(asked, AT_COUNT_OF(asked), name, length))
			add_omission(out, name, (int)length);
	if (out->length > start)
		add_line_directive(out, template->path);
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

enum at_status at_source_options(const struct at_spec *spec,
	const struct at_value *slots, char ***options, size_t *count,
	struct at_error *err)
{
	enum at_status status = AT_OK;
	char **list = calloc(spec->option_count + 1, sizeof(*list));

	*options = NULL;
	*count = 0;
	if (!list)
		return at_fail_memory(err);
	for (size_t i = 0; i < spec->option_count && !status; i++) {
		const struct at_option *option = &spec->options[i];
		bool applies = true;

		if (option->when)
			status = at_spec_test(spec, option->when, slots,
				"\"when\" of an option", option->line, &applies, err);
		if (status || !applies)
			continue;
		status = render_option(spec, option, slots, &list[*count], err);
		if (!status)
			(*count)++;
	}
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
