/*
 * Checks the kernel that a space names against the kernels in the template's text.
 * About a wrong instance of a C++ template a compiler writes many lines about source
 * that the user never saw; this writes one, with the line of the space file.
 */
#include "kernel/source.h"
#include "base/text.h"
#include "kernel/scan.h"
#include "kernel/source_kernels.h"
#include "kernel/template_head.h"

#include <stdio.h>
#include <string.h>

/* A kernel's name in the space, and the template in which it is looked for. */
struct named {
	const struct at_template *template;
	const struct at_spec *spec;
	const char *kernel;
	int line;
	char bare[128]; /* without namespace and template arguments */
};

/* more template arguments are not looked at */
#define ARGUMENTS_MAX 64

/* One template argument, as the space writes it. */
struct argument {
	const char *text;
	int length;
	/* the parameter, if the argument is just its name; else NULL */
	const struct at_parameter *parameter;
};

static const struct at_parameter *find_parameter(
	const struct at_spec *spec, const char *name, size_t length)
{
	for (size_t i = 0; i < spec->parameter_count; i++)
		if (strlen(spec->parameters[i].name) == length &&
			!memcmp(spec->parameters[i].name, name, length))
			return &spec->parameters[i];
	return NULL;
}

/* ---- words --------------------------------------------------------------------- */

static bool is_of_language(const char *word)
{
	static const char *const words[] = { "int", "unsigned", "signed", "char",
		"short", "long", "float", "double", "bool", "void", "const", "volatile",
		"true", "false", "sizeof", "alignof", "nullptr", "static_cast",
		"decltype", "template", "typename", "struct", "class", "enum", "and",
		"or", "not", "std", "cuda", "cub", "dim3", "size_t", "ptrdiff_t" };
	enum at_element element;
	int lanes;

	for (size_t i = 0; i < AT_COUNT_OF(words); i++)
		if (!strcmp(words[i], word))
			return true;
	return at_element_find(word, &element, &lanes);
}

/*
 * Whether -DN=... in an option or "#define N" in the template gives the word a meaning.
 */
static bool is_macro(const struct named *self, const char *word)
{
	const struct at_spec *spec = self->spec;
	const char *at = self->template->text;
	struct at_lexeme lexeme;
	size_t length = strlen(word);

	for (size_t i = 0; i < spec->option_count; i++)
		for (const char *text = spec->options[i].text;
			(text = strstr(text, word)) != NULL; text += length)
			if (text > spec->options[i].text &&
				(text[-1] == 'D' || text[-1] == '=' ||
					text[-1] == ' ') &&
				!strchr(AT_SCAN_IDENTIFIER, text[length]))
				return true;
	while ((at = strstr(at, "define")) != NULL) {
		at += strlen("define");
		if (at_scan(&at, &lexeme) && at_lexeme_is(lexeme, word))
			return true;
	}
	return false;
}

/*
 * What the word is, if its value is only known when the kernel is launched; else NULL.
 */
static const char *launch_time_name(const struct named *self, const char *word)
{
	const struct at_spec *spec = self->spec;

	for (size_t i = 0; i < spec->size_count; i++)
		if (!strcmp(spec->size_names[i], word))
			return "a size of the problems";
	for (size_t i = 0; i < spec->argument_count; i++)
		if (!strcmp(spec->arguments[i].name, word))
			return "an argument of the kernel";
	return NULL;
}

/*
 * Reports an unknown word. value: the value of the parameter that the word stands in;
 * both NULL where it stands in the kernel's name.
 */
static enum at_status fail_word(const struct named *self, const char *word,
	const struct at_parameter *parameter, const char *value, struct at_error *err)
{
	const struct at_spec *spec = self->spec;
	const char *known[64], *nearest;
	size_t count = 0;

	if (parameter)
		return at_fail(err, AT_ENOENT, spec->path, parameter->line,
			"the value \"%.80s\" of %.80s: %.80s is neither a type nor a name in %s, and \"%.120s\" takes the word as it is for an argument of the template",
			value, parameter->name, word, self->template->path,
			self->kernel);
	for (size_t i = 0; i < spec->parameter_count && count < AT_COUNT_OF(known); i++)
		known[count++] = spec->parameters[i].name;
	nearest = at_text_nearest(word, known, count);
	return at_fail(err, AT_ENOENT, spec->path, self->line,
		"kernel \"%.120s\": %.80s is neither a parameter nor a type nor a name in %s%s%s%s",
		self->kernel, word, self->template->path,
		nearest ? "; did you mean \"" : "", nearest ? nearest : "",
		nearest ? "\"?" : "");
}

static enum at_status check_words(const struct named *self, const char *text,
	const struct at_parameter *parameter, struct at_error *err)
{
	const char *at = text, *start, *what;
	enum at_status status = AT_OK;
	size_t length;
	bool is_member;

	while (!status && at_kernel_next_word(&at, &start, &length, &is_member)) {
		const struct at_parameter *named =
			parameter ? NULL : find_parameter(self->spec, start, length);
		char word[128];

		snprintf(word, sizeof(word), "%.*s", (int)(length < 120 ? length : 120),
			start);
		if (is_member && (!named || named->type != AT_TYPE_WORD))
			continue;
		for (size_t i = 0; named && named->type == AT_TYPE_WORD &&
				   i < named->value_count && !status;
			i++)
			status = check_words(self, named->values[i].word, named, err);
		if (named || is_of_language(word))
			continue;
		what = parameter ? NULL : launch_time_name(self, word);
		if (what && !is_macro(self, word))
			return at_fail(err, AT_EINVAL, self->spec->path, self->line,
				"kernel \"%.120s\": %.80s is %s, known when it is launched, and an argument of a template is a constant: make it a parameter, or a macro by options = ( \"-DNAME=${%.80s}\" )",
				self->kernel, word, what, word);
		if (!is_macro(self, word) &&
			!at_template_mentions(self->template, word))
			status = fail_word(self, word, parameter, text, err);
	}
	return status;
}

/* ---- arguments ----------------------------------------------------------------- */

static bool is_number(const struct argument *argument)
{
	if (argument->parameter)
		return argument->parameter->type != AT_TYPE_WORD;
	return argument->text[0] >= '0' && argument->text[0] <= '9';
}

static bool is_type(const struct argument *argument)
{
	static const char *const types[] = { "int", "unsigned", "unsigned int", "char",
		"float", "double", "short", "long", "long long", "bool" };
	char text[64];
	enum at_element element;
	int lanes;

	if (argument->parameter || argument->length >= (int)sizeof(text))
		return false;
	snprintf(text, sizeof(text), "%.*s", argument->length, argument->text);
	for (size_t i = 0; i < AT_COUNT_OF(types); i++)
		if (!strcmp(types[i], text))
			return true;
	return at_element_find(text, &element, &lanes);
}

/* Writes "<int BLOCK, typename T>", as it stands in a head. */
static void describe(const char *head, char *out, size_t size)
{
	struct at_lexeme lexeme;
	const char *at = head;
	size_t length = 0;
	int angles = 0;

	out[0] = '\0';
	do {
		bool is_last;

		if (!at_scan(&at, &lexeme))
			return;
		angles += (lexeme.text[0] == '<') - (lexeme.text[0] == '>');
		is_last = angles <= 0;
		if (length + lexeme.length + 8 >= size)
			break;
		length += (size_t)snprintf(out + length, size - length, "%.*s%s",
			(int)lexeme.length, lexeme.text,
			!is_last && (*at == ' ' || *at == '\n') ? " " : "");
	} while (angles > 0);
}

/*
 * Writes an instance as a suggestion: "scale<BLOCK, float>" for template <int BLOCK,
 * typename T>.
 */
static void suggest(const struct named *self, const struct at_template_head *head,
	char *out, size_t size)
{
	/* with the namespace that the user has given */
	size_t length = (size_t)snprintf(out, size, "%.100s<", self->kernel);

	for (size_t i = 0; i < head->required && length + 40 < size; i++) {
		const struct at_template_parameter *it = &head->parameters[i];
		const char *separator = i ? ", " : "";

		if (it->kind == AT_TEMPLATE_TYPE)
			length += (size_t)snprintf(
				out + length, size - length, "%sfloat", separator);
		else
			length += (size_t)snprintf(out + length, size - length,
				"%s%.*s", separator,
				it->name.length && it->name.length < 30
					? (int)it->name.length
					: 5,
				it->name.length && it->name.length < 30 ? it->name.text
									: "VALUE");
	}
	snprintf(out + length, size - length, ">");
}

/* Checks the arguments against one head of the kernel; reports the first fault. */
static enum at_status check_head(const struct named *self, const char *text,
	const struct argument *arguments, size_t count, struct at_error *err)
{
	const struct at_spec *spec = self->spec;
	struct at_template_head head;
	char taken[160];

	if (!at_template_head_read(text, &head))
		return AT_OK;
	describe(text, taken, sizeof(taken));
	if (count < head.required || (count > head.count && !head.is_open))
		return at_fail(err, AT_EINVAL, spec->path, self->line,
			"kernel \"%.120s\" gives the template %zu argument%s, and %s has template %s",
			self->kernel, count, count == 1 ? "" : "s",
			self->template->path, taken);
	for (size_t i = 0; i < count && i < head.count && !head.is_open; i++) {
		enum at_template_parameter_kind kind = head.parameters[i].kind;

		if (kind == AT_TEMPLATE_TYPE && is_number(&arguments[i]))
			return at_fail(err, AT_EINVAL, spec->path, self->line,
				"kernel \"%.120s\": argument %zu, %.*s, is a number, and template %s takes a type there",
				self->kernel, i + 1, arguments[i].length,
				arguments[i].text, taken);
		if (kind == AT_TEMPLATE_NUMBER && is_type(&arguments[i]))
			return at_fail(err, AT_EINVAL, spec->path, self->line,
				"kernel \"%.120s\": argument %zu, %.*s, is a type, and template %s takes a number there",
				self->kernel, i + 1, arguments[i].length,
				arguments[i].text, taken);
	}
	return AT_OK;
}

/* Checks against all heads of that name: it is enough if one fits. */
static enum at_status check_heads(const struct named *self,
	const struct argument *arguments, size_t count, struct at_error *err)
{
	const char *at = self->template->text, *head;
	struct at_error first = { 0 };
	struct at_lexeme name;

	while (at_source_next_kernel(&at, &name, &head)) {
		if (!head || !at_lexeme_is(name, self->bare))
			continue;
		if (!check_head(self, head, arguments, count, &first))
			return AT_OK;
	}
	return first.status ? at_fail(err, first.status, first.file, first.line, "%s",
				      first.text)
			    : AT_OK;
}

/* ---- namespaces ----------------------------------------------------------------- */

#define DEPTH_MAX 64

/*
 * Writes the namespace of a place in the text, as "tools::detail"; "" where none has to
 * be named. Conditions are not evaluated, so braces in them may mislead it.
 */
static void find_namespace(const char *text, const char *place, char *out, size_t size)
{
	/* the length of `out` without what each open brace adds */
	size_t ends[DEPTH_MAX], length = 0, added = 0, depth = 0;
	struct at_lexeme lexeme, last = { "", 0 };
	bool is_namespace = false;

	out[0] = '\0';
	while (at_scan(&text, &lexeme) && lexeme.text < place) {
		char first = lexeme.text[0];

		if (at_lexeme_is(lexeme, "namespace")) {
			is_namespace = !at_lexeme_is(last, "using") &&
				       !at_lexeme_is(last, "inline");
			added = length;
		} else if (is_namespace && at_lexeme_is_identifier(lexeme)) {
			added += (size_t)snprintf(out + added, size - added, "%s%.*s",
				added ? "::" : "", (int)lexeme.length, lexeme.text);
			added = added < size ? added : size - 1;
		} else if (first == '{' && depth < DEPTH_MAX) {
			ends[depth++] = length;
			length = is_namespace ? added : length;
			is_namespace = false;
		} else if (first == '}' && depth) {
			length = ends[--depth];
		} else if (first == ';' || first == '=') {
			is_namespace = false;
		}
		last = lexeme;
	}
	out[length] = '\0';
}

/*
 * Reports a kernel that is in a namespace which the space does not name: compilers only
 * say that they do not find it.
 */
static enum at_status check_namespace(const struct named *self, struct at_error *err)
{
	const char *at = self->template->text, *head, *behind;
	struct at_lexeme name = { 0 };
	char space[128] = "";
	size_t length;

	if (at_kernel_bare_name(self->kernel, &length) > self->kernel ||
		at_template_mentions_word(self->template, "using"))
		return AT_OK;
	while (at_source_next_kernel(&at, &name, &head)) {
		if (!at_lexeme_is(name, self->bare))
			continue;
		find_namespace(self->template->text, name.text, space, sizeof(space));
		if (!space[0])
			return AT_OK;
	}
	if (!space[0])
		return AT_OK;
	behind = self->kernel + strlen(self->bare);
	return at_fail(err, AT_EINVAL, self->spec->path, self->line,
		"kernel \"%.120s\" stands in a namespace in %s: name it \"%s::%s%.120s\"",
		self->kernel, self->template->path, space, self->bare, behind);
}

/* ---- all of it ----------------------------------------------------------------- */

/*
 * Finds a kernel of that name in the text: *head of the first that is a template, and
 * whether there is one that is not.
 */
static void find(const struct named *self, const char **head, bool *is_plain)
{
	const char *at = self->template->text, *found;
	struct at_lexeme name;

	*head = NULL;
	*is_plain = false;
	while (at_source_next_kernel(&at, &name, &found)) {
		if (!at_lexeme_is(name, self->bare))
			continue;
		*is_plain |= !found;
		if (found && !*head)
			*head = found;
	}
}

static enum at_status check_instance(const struct named *self, struct at_error *err)
{
	const char *at = at_kernel_arguments(self->kernel), *text;
	struct argument arguments[ARGUMENTS_MAX];
	size_t count = 0, length;
	enum at_status status = check_words(self, at, NULL, err);

	while (count < AT_COUNT_OF(arguments) &&
		at_kernel_next_argument(&at, &text, &length))
		arguments[count++] = (struct argument){ text, (int)length,
			find_parameter(self->spec, text, length) };
	return status ? status : check_heads(self, arguments, count, err);
}

enum at_status at_template_check_kernel(const struct at_template *self,
	const struct at_spec *spec, const char *kernel, int line, struct at_error *err)
{
	struct named named = { self, spec, kernel, line, "" };
	struct at_template_head head;
	struct at_strbuf hint = { 0 };
	char instance[192], taken[160], tuned[128];
	enum at_status status;
	const char *text;
	size_t length;
	bool is_plain;

	text = at_kernel_bare_name(kernel, &length);
	snprintf(named.bare, sizeof(named.bare), "%.*s",
		(int)(length < 120 ? length : 120), text);
	if (!at_template_mentions(self, named.bare)) {
		text = at_kernel_bare_name(spec->kernel, &length);
		snprintf(tuned, sizeof(tuned), "%.*s",
			(int)(length < 120 ? length : 120), text);
		at_template_hint_kernel(self, named.bare,
			kernel == spec->reference.call.kernel ? tuned : NULL, &hint);
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
	find(&named, &text, &is_plain);
	if (text || is_plain) {
		status = check_namespace(&named, err);
		if (status)
			return status;
	}
	if (at_kernel_arguments(kernel)) {
		if (is_plain && !text)
			return at_fail(err, AT_EINVAL, spec->path, line,
				"kernel \"%s\": %s is no template in %s: name it without <...>, parameters are macros there",
				kernel, named.bare, self->path);
		return check_instance(&named, err);
	}
	if (is_plain || !text || !at_template_head_read(text, &head))
		return AT_OK;
	describe(text, taken, sizeof(taken));
	suggest(&named, &head, instance, sizeof(instance));
	return at_fail(err, AT_EINVAL, spec->path, line,
		"kernel \"%s\" is a template of C++, template %s in %s: name an instance, as in \"%s\", where parameters stand for their values",
		kernel, taken, self->path, instance);
}
