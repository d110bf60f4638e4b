/* The names that expressions may use, and the rules for names. */
#include "space/spec_load.h"

#include "base/memory.h"
#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
	SIZES_MAX = 1000, /* of all problems; the lookup is linear */
};

void at_spec_names_add(struct at_spec_names *self, const char *name, enum at_type type)
{
	AT_GROW(self->items, self->capacity, self->count + 1);

	self->items[self->count++] = (struct at_name){ name, type };
}

void at_spec_names_release(struct at_spec_names *self)
{
	free(self->items);
	*self = (struct at_spec_names){ 0 };
}

/* Whether "let" has the name, here or further down, or where it has no meaning. */
static bool is_let(const struct at_spec_names *self, const char *name)
{
	const struct at_config_node *let =
		self->root ? at_config_find(self->root, "let") : NULL;

	return let && let->kind == AT_CONFIG_GROUP && at_config_find(let, name);
}

/* An argument's name is the likeliest unknown name: count = "n" for the scalar n of the
   kernel. */
static bool explain_name(const void *context, const char *name, struct at_strbuf *out)
{
	const struct at_spec_names *self = context;
	const struct at_config_node *arguments =
		self->root ? at_config_find(self->root, "arguments") : NULL;

	if (!strcmp(name, "step")) {
		at_strbuf_add(out,
			"; in \"launches\" the values of scalars, blocks, grids and \"shared_bytes\" have \"step\", and nothing else");
		return true;
	}
	if (is_let(self, name)) {
		at_strbuf_add(out,
			self->definitions
				? "; \"let\" has it, but not ahead of this line: an expression there may use those before it"
				: "; the names of \"let\" have no meaning here");
		return true;
	}
	for (size_t i = 0; arguments && i < arguments->count; i++) {
		const struct at_config_node *argument = &arguments->children[i];
		const struct at_config_node *own =
			argument->kind == AT_CONFIG_GROUP
				? at_config_find(argument, "name")
				: NULL;
		const struct at_config_node *value =
			own ? at_config_find(argument, "value") : NULL;

		if (!own || own->kind != AT_CONFIG_STRING || strcmp(own->text, name))
			continue;
		at_strbuf_add(out, "; it is an argument, and these have no names here");
		if (value && value->kind == AT_CONFIG_STRING)
			at_strbuf_addf(out, ": write its value, %.80s", value->text);
		return false;
	}
	if (self->hint)
		at_strbuf_add(out, self->hint);
	return false;
}

struct at_names at_spec_names_view(const struct at_spec_names *self)
{
	const struct at_spec_definitions *let = self->definitions;

	return (struct at_names){ .count = self->count + self->has_step,
		.items = self->items,
		.definition_count = let ? let->count : 0,
		.definitions = let ? let->items : NULL,
		.defined_over = let ? let->over : NULL,
		.explain = explain_name,
		.context = self };
}

/* The slots of a spec: parameters, sizes, properties. */

/* All names of sizes, each once, in the order of their first appearance. */
static void collect_sizes(struct at_spec_loader *loader)
{
	struct at_spec *spec = loader->spec;

	spec->size_names =
		at_spec_allocate(loader, SIZES_MAX + 1, sizeof(*spec->size_names));
	for (size_t p = 0; p < spec->problem_count; p++)
		for (size_t s = 0; s < spec->problems[p].size_count; s++) {
			const char *name = spec->problems[p].sizes[s].name;
			size_t known = 0;

			/* most problems give the same sizes in the same order */
			if (s < spec->size_count && !strcmp(spec->size_names[s], name))
				continue;
			while (known < spec->size_count &&
				strcmp(spec->size_names[known], name))
				known++;
			if (known < spec->size_count)
				continue;
			if (known == SIZES_MAX)
				at_spec_fail(loader, spec->problems[p].line,
					"more than %d sizes of different names",
					SIZES_MAX);
			spec->size_names[known] = at_spec_copy_text(loader, name);
			spec->size_count++;
		}
}

const struct at_size *at_spec_find_size(
	const struct at_problem *problem, const char *name, size_t usual)
{
	if (usual < problem->size_count && !strcmp(problem->sizes[usual].name, name))
		return &problem->sizes[usual];
	return at_problem_find_size(problem, name);
}

/* The common type of the size in all problems that have it, else AT_TYPE_NONE; types
   are then checked at evaluation instead of compilation. */
static enum at_type size_type(const struct at_spec *spec, size_t which)
{
	enum at_type type = AT_TYPE_NONE;

	for (size_t p = 0; p < spec->problem_count; p++) {
		const struct at_size *size = at_spec_find_size(
			&spec->problems[p], spec->size_names[which], which);

		if (!size)
			continue;
		if (type != AT_TYPE_NONE && type != size->value.type)
			return AT_TYPE_NONE;
		type = size->value.type;
	}
	return type;
}

void at_spec_load_names(struct at_spec_loader *loader)
{
	struct at_spec *spec = loader->spec;

	collect_sizes(loader);
	for (size_t i = 0; i < spec->parameter_count; i++)
		at_spec_names_add(&loader->names, spec->parameters[i].name,
			spec->parameters[i].type);
	for (size_t i = 0; i < spec->size_count; i++)
		at_spec_names_add(
			&loader->names, spec->size_names[i], size_type(spec, i));
	spec->slot_count = spec->parameter_count + spec->size_count + AT_PROPERTY_COUNT;
	for (size_t i = loader->names.count; i < spec->slot_count; i++)
		at_spec_names_add(&loader->names, at_spec_slot_name(spec, (int)i),
			AT_TYPE_INTEGER);
	/* after the last slot, for has_step */
	at_spec_names_add(&loader->names, "step", AT_TYPE_INTEGER);
	loader->names.count--;
	loader->names.root = loader->root;
	loader->names.hint =
		spec->size_count
			? "; sizes stand in problems, values to try in parameters"
			: "; sizes stand in problems, which this file lacks: problems = ( { name = \"any\"; SIZE = 1024; } );";
	/* one more: "step" */
	spec->is_read = at_spec_allocate(loader, spec->slot_count + 1, sizeof(bool));
	loader->size_lines =
		at_calloc(spec->size_count + 1, sizeof(*loader->size_lines));
}

static bool is_argument(const struct at_spec_loader *loader, const char *name)
{
	const struct at_config_node *list = at_config_find(loader->root, "arguments");

	for (size_t i = 0; list && i < list->count; i++) {
		const struct at_config_node *own =
			list->children[i].kind == AT_CONFIG_GROUP
				? at_config_find(&list->children[i], "name")
				: NULL;

		if (own && own->kind == AT_CONFIG_STRING && !strcmp(own->text, name))
			return true;
	}
	return false;
}

/* Rejects a name with another meaning, here or in "domain". */
static void check_definition(
	struct at_spec_loader *loader, const struct at_config_node *node)
{
	struct at_names names = at_spec_names_view(&loader->names);
	enum at_type type;
	int slot = at_names_find(&names, node->name, strlen(node->name), &type);
	const bool is_parameter =
		slot >= 0 && (size_t)slot < loader->spec->parameter_count;

	at_spec_check_name(loader, node->line, "a name of \"let\"", node->name);
	if (slot >= 0 || is_argument(loader, node->name))
		at_spec_fail(loader, node->line,
			"\"%.80s\" of \"let\" is the name of %s: choose another name",
			node->name,
			is_parameter ? "a parameter"
			: slot >= 0  ? "a size"
				     : "an argument");
	at_spec_check_no_section(loader, node, "\"let\"");
}

void at_spec_load_definitions(struct at_spec_loader *loader)
{
	const struct at_config_node *node = at_config_find(loader->root, "let");
	struct at_spec_definitions *all = &loader->definitions;

	all->over = loader->names.items;
	loader->names.definitions = all;
	if (!node)
		return;
	if (node->kind != AT_CONFIG_GROUP)
		at_spec_fail_type(loader, node, "\"let\"",
			"a group { NAME = \"ceil_div(N, TILE)\"; }");
	all->items = at_spec_allocate(loader, node->count + 1, sizeof(*all->items));
	for (size_t i = 0; i < node->count; i++) {
		const struct at_config_node *child = &node->children[i];
		struct at_definition *out = &all->items[all->count];
		struct at_names names = at_spec_names_view(&loader->names);

		out->name = child->name;
		out->line = child->line;
		check_definition(loader, child);
		if (child->kind != AT_CONFIG_STRING)
			at_spec_fail_type(
				loader, child, child->name, "an expression in quotes");
		/* The lines that use the name count as reading the slots. */
		at_spec_compile_over(
			loader, child->text, child->line, &names, &out->expression);
		all->count++;
	}
}

/* For a size the first line is enough for the message. */
void at_spec_note_read(struct at_spec_loader *loader, int slot, int line)
{
	size_t size = (size_t)slot - loader->spec->parameter_count;

	loader->spec->is_read[slot] = true;
	if (size < loader->spec->size_count && !loader->size_lines[size])
		loader->size_lines[size] = line;
}

void at_spec_compile_over(struct at_spec_loader *loader, const char *text, int line,
	const struct at_names *names, struct at_expression **out)
{
	if (at_expression_compile(text, loader->file, line, names, out, loader->err))
		at_spec_give_up(loader);
	at_spec_own_expression(loader->spec, *out);
}

void at_spec_compile(struct at_spec_loader *loader, const char *text, int line,
	struct at_expression **out)
{
	struct at_names names = at_spec_names_view(&loader->names);
	const int *slots;
	size_t count;

	at_spec_compile_over(loader, text, line, &names, out);
	slots = at_expression_slots(*out, &count);
	for (size_t i = 0; i < count; i++)
		at_spec_note_read(loader, slots[i], line);
}

/* A problem may lack a size that no expression uses; the template may use it as a macro
   under #ifdef. */
void at_spec_check_sizes(struct at_spec_loader *loader)
{
	const struct at_spec *spec = loader->spec;

	for (size_t p = 0; p < spec->problem_count; p++)
		for (size_t s = 0; s < spec->size_count; s++)
			if (loader->size_lines[s] &&
				!at_spec_find_size(
					&spec->problems[p], spec->size_names[s], s))
				at_spec_fail(loader, spec->problems[p].line,
					"problem \"%.80s\" does not give the size \"%.80s\", which line %d uses: add %.80s = ...;",
					spec->problems[p].name, spec->size_names[s],
					loader->size_lines[s], spec->size_names[s]);
}

/* Identifiers and references. */

/* A macro with such a name would change the meaning of the template. */
static const char *const keywords[] = { "auto", "break", "case", "char", "const",
	"continue", "default", "do", "double", "else", "enum", "extern", "float", "for",
	"goto", "if", "inline", "int", "long", "register", "restrict", "return",
	"short", "signed", "sizeof", "static", "struct", "switch", "typedef", "union",
	"unsigned", "void", "volatile", "while",
	/* C++11, the language of templates, or a later standard */
	"alignas", "alignof", "and", "and_eq", "asm", "bitand", "bitor", "bool",
	"catch", "char16_t", "char32_t", "class", "compl", "constexpr", "const_cast",
	"decltype", "delete", "dynamic_cast", "explicit", "export", "false", "friend",
	"mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr",
	"operator", "or", "or_eq", "private", "protected", "public", "reinterpret_cast",
	"static_assert", "static_cast", "template", "this", "thread_local", "throw",
	"true", "try", "typeid", "typename", "using", "virtual", "wchar_t", "xor",
	"xor_eq", "co_await", "co_return", "co_yield", "concept", "consteval",
	"constinit", "char8_t", "requires", "typeof", "typeof_unqual",
	/* the preprocessor rejects a macro with this name */
	"defined" };
static const char *const builtins[] = { "threadIdx", "blockIdx", "blockDim", "gridDim",
	"warpSize" };

static bool listed(const char *name, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(list[i], name))
			return true;
	return false;
}

void at_spec_check_identifier(
	struct at_spec_loader *loader, int line, const char *what, const char *name)
{
	const char *problem = NULL;
	const char *c = name;

	while (isalnum((unsigned char)*c) || *c == '_')
		c++;
	if (*c || !name[0] || isdigit((unsigned char)name[0]))
		problem =
			"is not a C identifier: expected a letter, then letters, digits and \"_\"";
	else if (listed(name, keywords, AT_COUNT_OF(keywords)))
		problem = "is a keyword of C or C++: choose another name";
	else if (listed(name, builtins, AT_COUNT_OF(builtins)))
		problem = "is a built-in variable of CUDA: choose another name";
	if (problem)
		at_spec_fail(loader, line, "%s: \"%.80s\" %s", what, name, problem);
}

void at_spec_check_name(
	struct at_spec_loader *loader, int line, const char *what, const char *name)
{
	at_spec_check_identifier(loader, line, what, name);
	if (!strcmp(name, "device") || !strcmp(name, "devices"))
		at_spec_fail(loader, line,
			"%s: \"%.80s\" is not a name for it: the kind of device of a problem is on = \"cuda\"; or on = \"host\";",
			what, name);
	/* Future properties must not collide with a name in a file. */
	if (!strncmp(name, "device", 6))
		at_spec_fail(loader, line,
			"%s: \"%.80s\" begins with \"device\", as device properties do: choose another name",
			what, name);
}

/*
 * The meaning of a name in CUDA, its headers, the language or this program; NULL: none
 * is known. A macro of the template with that name would replace it there. Compiling a
 * header reports clashes with its other names (kernel/clash.h).
 */
static const char *meaning_of(const char *name)
{
	static const char *const functions[] = { "min", "max", "abs", "fabs", "fma",
		"exp", "log", "pow", "sin", "cos", "tan", "sqrt", "rsqrt", "floor",
		"ceil", "round", "isnan", "isinf", "isfinite", "signbit", "printf",
		"malloc", "free", "memcpy", "memset", "assert", "atomicAdd",
		"atomicCAS", "atomicMax", "atomicMin", "clock" };
	static const char *const macros[] = { "NULL", "EOF", "NAN", "INFINITY", "errno",
		"stdin", "stdout", "stderr", "offsetof", "CHAR_BIT", "RAND_MAX",
		"HUGE_VAL", "M_PI", "M_E", "INT_MAX", "INT_MIN", "UINT_MAX", "LONG_MAX",
		"LONG_MIN", "SIZE_MAX", "FLT_MAX", "FLT_MIN", "FLT_EPSILON", "DBL_MAX",
		"DBL_MIN", "DBL_EPSILON" };
	static const char *const spaces[] = { "std", "cuda", "cub", "thrust",
		"cooperative_groups", "nvcuda" };
	enum at_element element;
	int lanes;

	if (at_element_find(name, &element, &lanes) || !strcmp(name, "dim3"))
		return "is a type of CUDA";
	if (listed(name, functions, AT_COUNT_OF(functions)))
		return "is a function of CUDA";
	if (listed(name, macros, AT_COUNT_OF(macros)))
		return "is a macro of the C library";
	if (listed(name, spaces, AT_COUNT_OF(spaces)))
		return "is a namespace of the toolkit";
	if (!strncmp(name, "AUTOTUNE_", 9) || !strcmp(name, "AUTOTUNE"))
		return "is of a form that macros of autotune have";
	return NULL;
}

void at_spec_check_macro(struct at_spec_loader *loader, int line, const char *name)
{
	static const char what[] = "a parameter's name";
	const char *meaning = meaning_of(name);

	at_spec_check_name(loader, line, what, name);
	if (meaning)
		at_spec_fail(loader, line,
			"%s: \"%.80s\" %s, and as a macro would replace it: choose another name",
			what, name, meaning);
}

const char *at_spec_next_reference(
	const char **position, const char **name, size_t *length)
{
	const char *start = strstr(*position, "${");
	const char *end;

	if (!start)
		return NULL;
	end = strchr(start, '}');
	*name = end ? start + 2 : NULL;
	*length = end ? (size_t)(end - start - 2) : 0;
	*position = end ? end + 1 : start + strlen(start);
	return start;
}
