/* Finds the source of a captured kernel, and writes a space for it. */
#include "capture/source.h"
#include "base/file.h"
#include "base/json.h"
#include "kernel/scan.h"
#include "kernel/source.h"
#include "space/element.h"

#include <ftw.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
	FOLDERS_OPEN = 16,
	FILES_MOST = 50000, /* in one search; a larger tree is not a project */
	PARAMETERS_MOST = 64,
	PROPOSALS_MOST = 12,
};

/* no hand-written file of kernels is larger */
#define SOURCE_LIMIT_BYTES ((size_t)4 << 20)
#define COMMANDS_LIMIT_BYTES ((size_t)64 << 20)

/* ---- parameters ------------------------------------------------------------------ */

struct declared {
	struct at_lexeme name; /* the last word: not a name in a list of types */
	char type[64]; /* "unsigned int"; "": more than words and stars */
	bool is_pointer;
	bool is_const;
};

static bool is_qualifier(struct at_lexeme lexeme)
{
	static const char *const words[] = { "volatile", "restrict", "__restrict__",
		"__restrict", "struct", "__grid_constant__" };

	for (size_t i = 0; i < AT_COUNT_OF(words); i++)
		if (at_lexeme_is(lexeme, words[i]))
			return true;
	return false;
}

static void add_type(struct declared *declared, struct at_lexeme word)
{
	size_t length = strlen(declared->type);

	snprintf(declared->type + length, sizeof(declared->type) - length, "%s%.*s",
		length ? " " : "", (int)word.length, word.text);
}

/* Reads a parameter list from after its "(" to its ")". has_names: the last word of
   each is its name. Returns the number; more than PARAMETERS_MOST: not understood. */
static size_t read_parameters(const char *text, bool has_names, struct declared *out)
{
	size_t count = 0;
	int depth = 0;
	bool is_plain = true, has_any = false, in_default = false;
	struct declared next = { 0 };
	struct at_lexeme lexeme;

	while (at_scan(&text, &lexeme)) {
		char first = lexeme.text[0];

		if (!depth && (first == ',' || first == ')')) {
			if (!has_names && next.name.length)
				add_type(&next, next.name);
			if (!is_plain)
				next.type[0] = '\0';
			if (count == PARAMETERS_MOST)
				return count + 1;
			if (has_any)
				out[count++] = next;
			if (first == ')')
				return count;
			memset(&next, 0, sizeof(next));
			is_plain = true;
			has_any = in_default = false;
			continue;
		}
		has_any = true;
		in_default |= first == '=';
		depth += strchr("(<[{", first) != NULL;
		depth -= strchr(")>]}", first) != NULL;
		if (in_default || is_qualifier(lexeme))
			continue;
		if (at_lexeme_is(lexeme, "const")) {
			next.is_const |= !next.is_pointer;
		} else if (first == '*') {
			/* pointers to pointers are not plain memory */
			is_plain &= !next.is_pointer;
			next.is_pointer = true;
			if (!has_names && next.name.length)
				add_type(&next, next.name);
			if (!has_names)
				next.name.length = 0;
		} else if (at_lexeme_is_identifier(lexeme) && !depth) {
			if (next.name.length)
				add_type(&next, next.name);
			next.name = lexeme;
		} else {
			is_plain = false;
		}
	}
	return PARAMETERS_MOST + 1;
}

/* The type's name in a space; NULL: it has no name there. */
static const char *find_element(
	const struct declared *declared, enum at_element *element, int *lanes)
{
	/* on the systems that CUDA runs on */
	static const char *const same[][2] = { { "long", "long long" },
		{ "unsigned long", "unsigned long long" }, { "long int", "long long" },
		{ "signed", "int" } };
	const char *type = declared->type;

	for (size_t i = 0; i < AT_COUNT_OF(same); i++)
		if (!strcmp(type, same[i][0]))
			type = same[i][1];
	return type[0] && at_element_find(type, element, lanes) ? type : NULL;
}

/* ---- searching ------------------------------------------------------------------- */

/* nftw() passes no context. */
static struct {
	const struct at_captured *captured;
	struct at_captured_source *found;
	size_t file_count;
} search;

static bool is_source(const char *path)
{
	static const char *const endings[] = { ".cu", ".cuh", ".h", ".hpp", ".cpp",
		".cc", ".inl" };
	const char *ending = strrchr(path, '.');

	for (size_t i = 0; ending && i < AT_COUNT_OF(endings); i++)
		if (!strcmp(ending, endings[i]))
			return true;
	return false;
}

/* Where the kernel's parameter list begins; NULL: the text lacks its definition. */
static const char *find_definition(const struct at_captured *captured, const char *text)
{
	struct declared declared[PARAMETERS_MOST];
	struct at_lexeme name;
	const char *at = text;
	bool is_template;

	if (!strstr(text, "__global__") || !strstr(text, captured->name))
		return NULL;
	while (at_source_next_kernel(&at, &name, &is_template))
		if (at_lexeme_is(name, captured->name) &&
			read_parameters(at, true, declared) ==
				captured->parameter_count)
			return at;
	return NULL;
}

/* Keeps the alphabetically first file with the kernel. */
static int look_at(
	const char *path, const struct stat *facts, int kind, struct FTW *where)
{
	struct at_captured_source *found = search.found;
	const char *parameters;
	char *text = NULL;
	size_t size;

	(void)where;
	if (kind != FTW_F)
		return 0;
	if (search.file_count++ == FILES_MOST)
		return 1;
	if (!is_source(path) || (size_t)facts->st_size > SOURCE_LIMIT_BYTES ||
		at_file_read(path, SOURCE_LIMIT_BYTES, &text, &size, NULL))
		return 0;
	parameters = find_definition(search.captured, text);
	if (parameters) {
		found->other_count += found->path != NULL;
		if (!found->path || strcmp(path, found->path) < 0) {
			free(found->path);
			free(found->text);
			found->path = at_strdup(path);
			found->parameters = (size_t)(parameters - text);
			found->text = text;
			text = NULL;
		}
	}
	free(text);
	return 0;
}

/* Searches the files that a build compiles, which may lie elsewhere. */
static void look_at_compiled(const char *folder)
{
	static const char *const places[] = { "compile_commands.json",
		"build/compile_commands.json" };

	for (size_t i = 0; i < AT_COUNT_OF(places); i++) {
		char *path = at_path_join(folder, places[i]), *text = NULL;
		struct at_json *commands = NULL;
		size_t size;

		if (!at_file_read(path, COMMANDS_LIMIT_BYTES, &text, &size, NULL) &&
			at_json_parse(text, size, NULL, &commands, NULL))
			commands = NULL;
		for (size_t k = 0; k < at_json_count(commands); k++) {
			const struct at_json *one = at_json_at(commands, k);
			const char *file = at_json_text(at_json_get(one, "file"));
			const char *from = at_json_text(at_json_get(one, "directory"));
			char *joined =
				file ? at_path_join(from ? from : folder, file) : NULL;
			char *real = joined ? realpath(joined, NULL) : NULL;
			struct stat facts;

			if (real && !stat(real, &facts) && S_ISREG(facts.st_mode))
				look_at(real, &facts, FTW_F, NULL);
			free(joined);
			free(real);
		}
		at_json_free(commands);
		free(text);
		free(path);
	}
}

bool at_captured_find_source(const struct at_captured *self, const char *folder,
	struct at_captured_source *out)
{
	char *absolute = realpath(folder, NULL);

	memset(out, 0, sizeof(*out));
	search.captured = self;
	search.found = out;
	search.file_count = 0;
	if (absolute)
		nftw(absolute, look_at, FOLDERS_OPEN, FTW_PHYS | FTW_MOUNT);
	if (absolute && !out->path)
		look_at_compiled(absolute);
	free(absolute);
	return out->path != NULL;
}

void at_captured_source_release(struct at_captured_source *self)
{
	free(self->path);
	free(self->text);
	memset(self, 0, sizeof(*self));
}

/* ---- writing --------------------------------------------------------------------- */

/* The demangler of the C++ library, whose header is C++ only. */
extern char *__cxa_demangle(
	const char *symbol, char *buffer, size_t *size, int *status);

/* One argument of the space. */
struct argument {
	struct declared declared; /* with the types of the instance */
	char name[64];
	const char *type; /* in the space */
	enum at_element element;
	int lanes;
	const struct at_captured_pointer *pointer;
};

/* Splits "void fill<double, 4>(double*, double)" into the name and the list of types,
   in place. False: the kernel has no C++ name. In "(anonymous namespace)" the name is
   "". */
static bool split_name(char *demangled, char **name, char **types)
{
	int depth = 0;
	char *at = demangled, *start = demangled;

	for (; *at && (depth || *at != '('); at++) {
		depth += (*at == '<') - (*at == '>');
		if (*at == ' ' && !depth)
			start = at + 1;
	}
	if (!*at)
		return false;
	*at = '\0';
	*name = start;
	*types = at + 1;
	return true;
}

static size_t pointers_into(const struct at_captured *self, size_t block)
{
	size_t count = 0;

	for (size_t i = 0; i < self->pointer_count; i++)
		count += self->pointers[i].block == block;
	return count;
}

static bool refuse(
	char *why, size_t size, const struct argument *argument, const char *reason)
{
	snprintf(why, size, "parameter \"%s\": %s", argument->name, reason);
	return false;
}

/* Whether "value" of a space can express the number. */
static bool has_value(const struct argument *argument, const unsigned char *data)
{
	uint64_t bits = 0;

	if (at_element_kind(argument->element) == AT_ELEMENT_KIND_REAL)
		return isfinite(at_element_load(argument->element, data));
	memcpy(&bits, data, at_element_bytes(argument->element));
	return at_element_kind(argument->element) != AT_ELEMENT_KIND_UNSIGNED ||
	       bits <= INT64_MAX;
}

/* Completes an argument from the recording. */
static bool complete(const struct at_captured *self, size_t index,
	struct argument *argument, char *why, size_t size)
{
	const struct at_captured_parameter *parameter = &self->parameters[index];
	const struct at_captured_pointer *pointer = NULL;
	uint64_t zero = 0;
	size_t bytes;

	if (!argument->type)
		return refuse(why, size, argument, "its type is no type of spaces");
	bytes = at_element_bytes(argument->element) * (size_t)argument->lanes;
	if (!argument->declared.is_pointer) {
		if (parameter->bytes != bytes || argument->lanes != 1)
			return refuse(why, size, argument,
				"it is a vector, or has another size in the launch");
		return has_value(argument, parameter->data) ||
		       refuse(why, size, argument,
			       "spaces cannot give a parameter its value: infinity, NaN, or 2^63 and above");
	}
	for (size_t i = 0; i < self->pointer_count; i++)
		if (self->pointers[i].parameter == index)
			pointer = &self->pointers[i];
	argument->pointer = pointer;
	if (!pointer)
		return (parameter->bytes == sizeof(zero) &&
			       !memcmp(parameter->data, &zero, sizeof(zero))) ||
		       refuse(why, size, argument,
			       "it points to memory that was not recorded");
	if (pointer->at || pointers_into(self, pointer->block) > 1)
		return refuse(why, size, argument,
			"another parameter points into the same allocation");
	return true;
}

static struct at_value value_of(
	const struct argument *argument, const unsigned char *data)
{
	const enum at_element element = argument->element;
	size_t bytes = at_element_bytes(element);
	struct at_value value = { .type = AT_TYPE_INTEGER };

	if (at_element_kind(element) == AT_ELEMENT_KIND_REAL)
		return (struct at_value){ .type = AT_TYPE_REAL,
			.real = at_element_load(element, data) };
	memcpy(&value.integer, data, bytes);
	if (at_element_kind(element) == AT_ELEMENT_KIND_INTEGER && bytes < 8 &&
		value.integer >> (8 * bytes - 1))
		value.integer -= (int64_t)1 << 8 * bytes;
	return value;
}

static void add_argument(const struct at_captured *self,
	struct at_captured_sizes *sizes, size_t index, const struct argument *argument,
	struct at_strbuf *out)
{
	struct at_value values[AT_CAPTURED_LAUNCHES_MOST];
	const struct at_captured_number number = { .values = values,
		.name = argument->name };
	const struct at_captured_block *block;
	char name[80];

	at_strbuf_addf(out, "  { name = \"%s\"; type = \"%s\"; ", argument->name,
		argument->type);
	if (!argument->declared.is_pointer) {
		const struct at_captured *launch = self;

		at_strbuf_add(out, "value = \"");
		for (size_t i = 0; launch; launch = launch->next)
			values[i++] =
				value_of(argument, launch->parameters[index].data);
		at_captured_sizes_write(sizes, &number, out);
		at_strbuf_add(out, "\"; }");
		return;
	}
	if (!argument->pointer) {
		at_strbuf_add(out, "value = \"null\"; }");
		return;
	}
	block = &self->blocks[argument->pointer->block];
	snprintf(name, sizeof(name), "%s_COUNT", argument->name);
	at_captured_add_count(self, sizes, argument->pointer->block,
		at_element_bytes(argument->element) * (size_t)argument->lanes, name,
		out);
	at_strbuf_addf(out, " access = \"%s\";", at_captured_access(block));
	at_captured_sizes_add_comment(sizes, out);
	at_strbuf_add_char(out, '\n');
	at_captured_add_fill(block, out);
	at_strbuf_add(out, " }");
}

static void add_reference(const struct at_captured *self,
	const struct argument *arguments, struct at_strbuf *out)
{
	bool has_any = false;

	at_strbuf_add(out, "  reference = { files = (");
	for (size_t i = 0; i < self->parameter_count; i++) {
		const struct at_captured_pointer *pointer = arguments[i].pointer;

		if (!pointer || !self->blocks[pointer->block].is_changed)
			continue;
		at_strbuf_addf(out, "%s{ argument = \"%s\"; path = \"%s\"; }",
			has_any ? ",\n    " : " ", arguments[i].name,
			self->blocks[pointer->block].after);
		has_any = true;
	}
	at_strbuf_add(out, " ); };\n");
}

/* Proposes macros with small numbers as parameters: block sizes, tiles, unrolling. */
static void add_proposals(const char *text, struct at_strbuf *out)
{
	size_t count = 0;

	for (const char *line = text; line && count < PROPOSALS_MOST;
		line = strchr(line, '\n')) {
		char name[64];
		int value, end = 0;

		line += *line == '\n';
		if (sscanf(line, "#define %63[A-Za-z0-9_] %d%n", name, &value, &end) !=
				2 ||
			value < 2 || value > 1024 || !strchr("\n\r\t /", line[end]))
			continue;
		if (!count++)
			at_strbuf_add(out,
				"// Macros of the source that may be parameters. Put each between #ifndef and #endif there:\n");
		at_strbuf_addf(out, "//   %s = [ %d, %d, %d ];\n", name,
			value > 2 ? value / 2 : 1, value, 2 * value);
	}
}

/* The text of the kernel, from its parameters to the end of its body; heap. */
static char *body_of(const struct at_captured_source *source)
{
	const char *text = source->text + source->parameters, *at = text;
	struct at_lexeme lexeme;
	int depth = 0;

	while (at_scan(&at, &lexeme)) {
		depth += (lexeme.text[0] == '{') - (lexeme.text[0] == '}');
		if (lexeme.text[0] == '}' && !depth)
			break;
	}
	return at_strndup(text, (size_t)(at - text));
}

/* The kernel's arguments, according to the source and the C++ name. */
struct signature {
	char *demangled; /* heap; NULL: the kernel has no C++ name */
	const char *function; /* the name in a space */
	size_t count;
	struct argument arguments[PARAMETERS_MOST];
};

/* False, and a phrase in `why`: the source is not the launch's. Free out->demangled. */
static bool read_signature(const struct at_captured *self,
	const struct at_captured_source *source, struct signature *out, char *why,
	size_t size)
{
	struct declared declared[PARAMETERS_MOST] = { 0 };
	struct declared types[PARAMETERS_MOST] = { 0 };
	char *name = NULL, *list = NULL;

	memset(out, 0, sizeof(*out));
	out->function = self->kernel;
	out->count = read_parameters(source->text + source->parameters, true, declared);
	if (!strncmp(self->kernel, "_Z", 2))
		out->demangled = __cxa_demangle(self->kernel, NULL, NULL, NULL);
	if (!out->demangled || !split_name(out->demangled, &name, &list))
		memcpy(types, declared, sizeof(types));
	else if (read_parameters(list, false, types) != out->count)
		out->count = PARAMETERS_MOST + 1;
	if (name)
		out->function = name;
	if (out->count != self->parameter_count || !out->function[0]) {
		snprintf(why, size, "the source declares the kernel otherwise");
		return false;
	}
	for (size_t i = 0; i < out->count; i++) {
		struct argument *argument = &out->arguments[i];

		argument->declared = types[i];
		/* a single word is the type of a parameter without a name */
		if (declared[i].type[0])
			snprintf(argument->name, sizeof(argument->name), "%.*s",
				(int)declared[i].name.length, declared[i].name.text);
		else
			snprintf(argument->name, sizeof(argument->name), "p%zu", i);
		argument->type = find_element(
			&argument->declared, &argument->element, &argument->lanes);
	}
	return true;
}

void at_captured_take_names(
	struct at_captured *self, const struct at_captured_source *source)
{
	struct signature signature;
	char why[200];

	if (read_signature(self, source, &signature, why, sizeof(why)))
		for (size_t i = 0; i < signature.count; i++) {
			const struct argument *argument = &signature.arguments[i];

			if (!argument->type || argument->declared.is_pointer)
				continue;
			self->parameters[i].name = at_strdup(argument->name);
			self->parameters[i].is_real =
				at_element_kind(argument->element) ==
				AT_ELEMENT_KIND_REAL;
		}
	free(signature.demangled);
}

bool at_captured_write_source(const struct at_captured *self,
	const struct at_captured_source *source, const char *name,
	struct at_strbuf *out, char *why, size_t size)
{
	struct signature signature;
	struct argument *arguments = signature.arguments;
	struct at_captured_sizes sizes;
	struct at_strbuf body = { 0 };
	char *text;
	bool ok = read_signature(self, source, &signature, why, size);

	if (strpbrk(source->path, "\"\\\n")) {
		snprintf(why, size,
			"the path of the source has a quote, a backslash or a line break");
		ok = false;
	}
	for (size_t i = 0; i < self->parameter_count && ok; i++)
		for (const struct at_captured *launch = self; launch && ok;
			launch = launch->next)
			ok = complete(launch, i, &arguments[i], why, size);
	if (!ok)
		goto release;
	at_captured_find_sizes(self, &sizes);
	at_captured_add_launch(self, &sizes, &body);
	add_proposals(source->text, &body);
	at_strbuf_add(&body, "arguments = (\n");
	text = body_of(source);
	/* a space must not give contents to a variable that nothing reads */
	at_captured_add_variables(self, &sizes, text, &body);
	free(text);
	for (size_t i = 0; i < signature.count; i++) {
		add_argument(self, &sizes, i, &arguments[i], &body);
		at_strbuf_add(&body, i + 1 < signature.count ? "," : "");
		at_captured_sizes_add_comment(&sizes, &body);
		at_strbuf_add_char(&body, '\n');
	}
	at_strbuf_add(&body, ");\nverify: { derive = false; };\n");
	at_captured_add_title(self, out);
	at_strbuf_add(out,
		"// The source is as it is. Outputs are compared with those of the program, within\n// the tolerances of their types.\n");
	if (source->other_count)
		at_strbuf_addf(out,
			"// Other files with a kernel of this name: %zu; this is the first.\n",
			source->other_count);
	at_strbuf_addf(out,
		"kernel: {\n  name = \"%s\"; function = \"%s\";\n  template = \"%s\";\n  arguments = (",
		name, signature.function, source->path);
	for (size_t i = 0; i < signature.count; i++)
		at_strbuf_addf(out, "%s\"%s\"", i ? ", " : " ", arguments[i].name);
	at_strbuf_add(out, " );\n");
	add_reference(self, arguments, out);
	at_strbuf_add(out, "};\n");
	if (self->next)
		at_captured_sizes_write_problems(&sizes, NULL, out);
	at_strbuf_add(out, body.data);
	at_strbuf_release(&body);
	at_captured_sizes_release(&sizes);
release:
	free(signature.demangled);
	return ok;
}
