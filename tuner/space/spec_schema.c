/*
 * The keys of every group of a space file: how each is read, where its value goes, and
 * which kinds of the group have it. One walk reads a group by its table.
 */
#include "space/spec_load.h"

#include "base/file.h"
#include "base/text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum value_kind {
	OTHER = 0, /* read by the loader of the group */
	TEXT, /* char *; not empty, like the next five */
	IDENTIFIER, /* char *: see at_spec_check_identifier() */
	KERNEL, /* char *: see at_spec_check_kernel() */
	PATH, /* char *, resolved against the space file's folder */
	ARGUMENT, /* size_t: the index of a named argument */
	WORD, /* an enum: one of `words` */
	CHOICE, /* struct at_texture_choice: one of `words`, or a parameter of words */
	TOLERANCE, /* double, 0 or more, and below 1 for "rtol" */
	BOOLEAN, /* bool */
	EXPRESSION, /* struct at_expression * */
	DIMENSIONS, /* struct at_expression *[most], and their count */
	ARGUMENTS, /* size_t *, indices of named arguments, and their count */
	WINDOW, /* struct at_window, a group */
};

struct key {
	const char *name;
	enum value_kind kind;
	size_t offset; /* of the value in the output struct */
	size_t count_offset;
	size_t most; /* DIMENSIONS */
	bool has_step; /* its expressions may have "step" */
	const char *const *words; /* terminated by NULL */
	int first; /* the number of the first word */
	/* What to add if it is absent, for the kinds of `of`; NULL: optional. */
	const char *required;
	/* The kinds of group, as bits, that have the key (0: all), and the message for
	   other kinds. */
	unsigned of;
	const char *reason;
};

#define UNFILLED \
	"only buffers of access \"in\" and \"inout\" are filled: \"inout\" is also what a kernel adds to"
#define UNCOMPARED "only buffers of access \"out\" and \"inout\" are compared"
#define FILLED (1 << AT_ACCESS_IN | 1 << AT_ACCESS_INOUT)
#define COMPARED (1 << AT_ACCESS_OUT | 1 << AT_ACCESS_INOUT)
#define BUFFER (FILLED | COMPARED | 1 << AT_ACCESS_SCRATCH)
#define SCALAR (1 << AT_ACCESS_NONE)
#define MAP (1 << AT_ARGUMENT_MAP)
#define OF_MAP \
	.of = MAP, \
	.reason = \
		"only a tensor map has it: add kind = \"tensor_map\"; and of = \"BUFFER\";"
#define TEXTURE (1 << AT_ARGUMENT_TEXTURE)
#define OF_TEXELS \
	.of = TEXTURE | 1 << AT_ARGUMENT_SURFACE, \
	.reason = \
		"only a texture or a surface has it: add kind = \"texture\"; and of = \"BUFFER\";"
#define OF_TEXTURE \
	.of = TEXTURE, \
	.reason = \
		"only a texture has it: add kind = \"texture\"; and of = \"BUFFER\";"
#define OF_BUFFER .of = BUFFER | SCALAR

#define ADD_BLOCK "block = ( ... );"
#define ADD_GRID "grid = ( ... );"

#define KEY(key) .name = (key)
#define INTO(type, member) .offset = offsetof(struct type, member)
/* Dimensions of a launch, which lies at an offset in the output struct. */
#define AXES(base, member) \
	.kind = DIMENSIONS, .most = 3, ATTRIBUTE(base, member), \
	.count_offset = (base) + offsetof(struct at_launch, member##_rank)
#define ATTRIBUTE(base, member) .offset = (base) + offsetof(struct at_launch, member)
#define NAMES(member, count) \
	.kind = ARGUMENTS, INTO(at_call, member), \
	.count_offset = offsetof(struct at_call, count)
#define TENSOR(member) \
	.kind = DIMENSIONS, .most = AT_TENSOR_MAP_RANK_MAX, \
	INTO(at_argument, map.member.items), \
	.count_offset = offsetof(struct at_argument, map.member.count)
/* Of texels, or of a buffer with padded rows. */
#define ROWS(member) \
	.kind = EXPRESSION, INTO(at_argument, texture.member), \
	.of = TEXTURE | 1 << AT_ARGUMENT_SURFACE | BUFFER, \
	.reason = "only a buffer, a texture or a surface has rows"
#define TEXELS(member) .kind = EXPRESSION, INTO(at_argument, texture.member), OF_TEXELS
#define CHOOSES(member, list) \
	.kind = CHOICE, INTO(at_argument, texture.member), .words = (list), OF_TEXTURE

static const struct key file_keys[] = {
	{ KEY("kernel") },
	{ KEY("problems") },
	{ KEY("parameters") },
	{ KEY("defaults") },
	{ KEY("let") },
	{ KEY("constraints") },
	{ KEY("toolchain"), .kind = TEXT, INTO(at_spec, toolchain) },
	{ KEY("options") },
	{ KEY("launch") },
	{ KEY("launches") },
	{ KEY("types") },
	{ KEY("arguments") },
	{ KEY("prepare") },
	{ KEY("finish") },
	{ KEY("domain") },
	{ KEY("verify") },
	{ KEY("metrics") },
	{ KEY("board") },
	{ KEY("search") },
};

static const struct key kernel_keys[] = {
	{ KEY("name"), .kind = TEXT, INTO(at_spec, name),
		.required = "name = \"...\";" },
	{ KEY("template"), .kind = PATH, INTO(at_spec, template_path),
		.required = "template = \"....cu\";" },
	{ KEY("reference") },
	{ KEY("function"), .kind = KERNEL, INTO(at_spec, kernel) },
	{ KEY("arguments") },
	{ KEY("arch_specific"), .kind = BOOLEAN, INTO(at_spec, is_arch_specific) },
};

static const struct key problem_keys[] = {
	{ KEY("name"), .kind = TEXT, INTO(at_problem, name) },
	{ KEY("on"), .kind = TEXT, INTO(at_problem, on) },
};

#define ATTRIBUTE_KEYS(base) \
	{ KEY("cluster"), AXES(base, cluster) }, \
		{ KEY("preferred_cluster"), AXES(base, preferred) }, \
		{ KEY("cooperative"), .kind = EXPRESSION, \
			ATTRIBUTE(base, cooperative) }, \
		{ KEY("carveout"), .kind = EXPRESSION, ATTRIBUTE(base, carveout) }, \
	{ \
		KEY("l2_window"), .kind = WINDOW, ATTRIBUTE(base, window) \
	}

static const struct key window_keys[] = {
	{ KEY("argument"), .kind = ARGUMENT, INTO(at_window, argument),
		.required = "argument = \"...\";" },
	{ KEY("percent"), .kind = EXPRESSION, INTO(at_window, percent),
		.required = "percent = 100;" },
};

static const struct key launch_keys[] = {
	{ KEY("block"), AXES(0, block), .required = ADD_BLOCK },
	{ KEY("grid"), AXES(0, grid), .required = ADD_GRID },
	{ KEY("shared_bytes"), .kind = EXPRESSION, ATTRIBUTE(0, shared_bytes) },
	ATTRIBUTE_KEYS(0),
};

#define CALL offsetof(struct at_call, launch)
#define CALL_KEYS(steps) \
	{ KEY("kernel"), .kind = KERNEL, INTO(at_call, kernel), \
		.required = "kernel = \"...\";" }, \
		{ KEY("arguments"), NAMES(arguments, argument_count) }, \
		{ KEY("block"), AXES(CALL, block), .has_step = (steps), \
			.required = ADD_BLOCK }, \
		{ KEY("grid"), AXES(CALL, grid), .has_step = (steps), \
			.required = ADD_GRID }, \
	{ \
		KEY("shared_bytes"), .kind = EXPRESSION, .has_step = (steps), \
				     ATTRIBUTE(CALL, shared_bytes) \
	}

static const struct key launches_keys[] = {
	CALL_KEYS(true),
	ATTRIBUTE_KEYS(CALL),
	{ KEY("dependent"), .kind = EXPRESSION, ATTRIBUTE(CALL, dependent) },
	{ KEY("when"), .kind = EXPRESSION, INTO(at_call, when) },
	{ KEY("repeat"), .kind = EXPRESSION, INTO(at_call, repeat) },
	{ KEY("swap"), NAMES(swaps, swap_count) },
};

static const struct key rounds_keys[] = {
	{ KEY("repeat"), .kind = EXPRESSION, INTO(at_call, rounds),
		.required = "repeat = \"N\";" },
	{ KEY("launches") },
};

static const struct key call_keys[] = { CALL_KEYS(false) };

#define REFERENCE offsetof(struct at_reference, call.launch)
#define CALLED (1 << AT_REFERENCE_KERNEL)
#define CALLED_ONLY \
	.of = CALLED, .reason = "only a reference with a \"kernel\" is launched"
static const struct key reference_keys[] = {
	{ KEY("kernel"), .kind = KERNEL, INTO(at_reference, call.kernel) },
	{ KEY("library"), .kind = PATH, INTO(at_reference, library),
		.of = 1 << AT_REFERENCE_LIBRARY,
		.reason = "expected one of \"kernel\", \"library\" and \"files\"" },
	{ KEY("files"), .of = 1 << AT_REFERENCE_FILE,
		.reason = "expected one of \"kernel\", \"library\" and \"files\"" },
	{ KEY("function"), .kind = IDENTIFIER, INTO(at_reference, function),
		.of = 1 << AT_REFERENCE_LIBRARY,
		.reason = "only a reference with a \"library\" has one",
		.required = "function = \"...\";" },
	{ KEY("arguments"), .kind = ARGUMENTS, INTO(at_reference, call.arguments),
		.count_offset = offsetof(struct at_reference, call.argument_count),
		.of = CALLED | 1 << AT_REFERENCE_LIBRARY, .reason = "files take none" },
	{ KEY("block"), AXES(REFERENCE, block), CALLED_ONLY },
	{ KEY("grid"), AXES(REFERENCE, grid), CALLED_ONLY },
	{ KEY("shared_bytes"), .kind = EXPRESSION, ATTRIBUTE(REFERENCE, shared_bytes),
		CALLED_ONLY },
};

static const struct key reference_file_keys[] = {
	{ KEY("argument"), .kind = ARGUMENT, INTO(at_reference_file, argument),
		.required = "argument = \"...\";" },
	{ KEY("path"), .kind = TEXT, INTO(at_reference_file, path),
		.required = "path = \"...\";" },
};

static const char *const accesses[] = { "in", "out", "inout", "scratch", NULL };
static const char *const caches[] = { "cold", "warm", NULL };

/* Outputs and scratch are poisoned instead of filled, so that unwritten elements show.
   A symbol for an output is invalid: the kernel would write the variable, and nothing
   would compare it. */
static const struct key argument_keys[] = {
	{ KEY("name"), .kind = IDENTIFIER, INTO(at_argument, name),
		.required = "name = \"...\";" },
	{ KEY("type"), OF_BUFFER },
	{ KEY("reference_type"), .of = COMPARED | FILLED,
		.reason =
			"only a buffer that the reference takes may have another type there" },
	{ KEY("count"), .kind = EXPRESSION, INTO(at_argument, count), OF_BUFFER },
	{ KEY("value"), OF_BUFFER },
	{ KEY("stride"), .kind = EXPRESSION, INTO(at_argument, stride), .of = SCALAR,
		.reason = "only an array of pointers has one" },
	{ KEY("access"), .kind = WORD, INTO(at_argument, access), .words = accesses,
		.first = AT_ACCESS_IN, .of = BUFFER },
	{ KEY("fill"), .of = FILLED, .reason = UNFILLED },
	{ KEY("fixed"), .kind = BOOLEAN, INTO(at_argument, is_fixed),
		.of = FILLED | SCALAR, .reason = UNFILLED },
	{ KEY("domain"), .of = FILLED, .reason = UNFILLED },
	{ KEY("symbol"), .kind = TEXT, INTO(at_argument, symbol),
		.of = 1 << AT_ACCESS_IN,
		.reason =
			"only buffers of access \"in\" are copied into a variable of the template" },
	{ KEY("rtol"), .of = COMPARED, .reason = UNCOMPARED },
	{ KEY("atol"), .of = COMPARED, .reason = UNCOMPARED },
	{ KEY("outliers"), .kind = TOLERANCE, INTO(at_argument, outliers),
		.of = COMPARED, .reason = UNCOMPARED },
	{ KEY("kind") },
	{ KEY("of"), .of = MAP | TEXTURE | 1 << AT_ARGUMENT_SURFACE,
		.reason =
			"only a tensor map, a texture or a surface has it: add its kind",
		.required = "of = \"BUFFER\";" },
	{ KEY("dims"), TENSOR(dims), OF_MAP, .required = "dims = ( \"N\" );" },
	{ KEY("box"), TENSOR(box), OF_MAP, .required = "box = ( \"TILE\" );" },
	{ KEY("strides"), TENSOR(strides), OF_MAP },
	{ KEY("element_strides"), TENSOR(steps), OF_MAP },
	{ KEY("swizzle"), .kind = EXPRESSION, INTO(at_argument, map.swizzle), OF_MAP },
	{ KEY("interleave"), .kind = EXPRESSION, INTO(at_argument, map.interleave),
		OF_MAP },
	{ KEY("promotion"), .kind = EXPRESSION, INTO(at_argument, map.promotion),
		OF_MAP },
	{ KEY("nan_fill"), .kind = BOOLEAN, INTO(at_argument, map.fills_nan), OF_MAP },
	{ KEY("width"), ROWS(width) },
	{ KEY("height"), TEXELS(height) },
	{ KEY("depth"), TEXELS(depth) },
	{ KEY("pitch"), ROWS(pitch) },
	{ KEY("channels"), TEXELS(channels) },
	{ KEY("address"), CHOOSES(address, at_texture_addresses) },
	{ KEY("filter"), CHOOSES(filter, at_texture_filters) },
	{ KEY("read"), CHOOSES(read, at_texture_reads) },
	{ KEY("coordinates"), CHOOSES(coordinates, at_texture_coordinates) },
	{ KEY("layout"), CHOOSES(layout, at_texture_layouts) },
};

static const struct key structure_keys[] = {
	{ KEY("fields"),
		.required = "fields = ( \"float3 position\", \"float mass\" );" },
	{ KEY("align") },
};

static const struct key range_keys[] = {
	{ KEY("from"), .required = "from = ...;" },
	{ KEY("to"), .required = "to = ...;" },
	{ KEY("times") },
	{ KEY("step") },
};

static const struct key option_keys[] = {
	{ KEY("option"), .kind = TEXT, INTO(at_option, text),
		.required = "option = \"...\";" },
	{ KEY("when"), .kind = EXPRESSION, INTO(at_option, when),
		.required = "when = \"...\"; or write the option as a string" },
};

static const struct key verify_keys[] = {
	{ KEY("rtol"), .kind = TOLERANCE, INTO(at_verify, rtol) },
	{ KEY("atol"), .kind = TOLERANCE, INTO(at_verify, atol) },
	{ KEY("problems") },
	{ KEY("cases") },
	{ KEY("derive"), .kind = BOOLEAN, INTO(at_verify, derives_problems) },
	{ KEY("data") },
};

static const struct key data_keys[] = {
	{ KEY("name"), .kind = TEXT, INTO(at_data_set, name) },
};

static const struct key metrics_keys[] = {
	{ KEY("flops"), .kind = EXPRESSION, INTO(at_spec, flops) },
	{ KEY("bytes"), .kind = EXPRESSION, INTO(at_spec, bytes) },
};

static const struct key board_keys[] = {
	{ KEY("clock_mhz"), .kind = EXPRESSION, INTO(at_spec, board.clock_mhz) },
	{ KEY("memory_clock_mhz"), .kind = EXPRESSION,
		INTO(at_spec, board.memory_clock_mhz) },
	{ KEY("power_watts"), .kind = EXPRESSION, INTO(at_spec, board.power_watts) },
};

static const struct key search_keys[] = {
	{ KEY("strategy"), .kind = TEXT, INTO(at_search_defaults, strategy) },
	{ KEY("budget") },
	{ KEY("deadline") },
	{ KEY("samples") },
	{ KEY("objective") },
	{ KEY("cache"), .kind = WORD, INTO(at_search_defaults, cache),
		.words = caches },
};

#define FIXED(keys) keys, AT_COUNT_OF(keys), false
#define OPEN(keys) keys, AT_COUNT_OF(keys), true
/* In the order of messages. */
static const struct {
	const char *place; /* the group's name in messages; NULL: not named */
	const struct key *keys;
	size_t count;
	bool is_open; /* the file defines further keys */
} groups[AT_GROUP_COUNT] = {
	[AT_GROUP_FILE] = { "the file itself, beside \"parameters\"",
		FIXED(file_keys) },
	[AT_GROUP_KERNEL] = { "kernel", FIXED(kernel_keys) },
	[AT_GROUP_PROBLEM] = { "a problem", OPEN(problem_keys) },
	[AT_GROUP_LAUNCH] = { "launch", FIXED(launch_keys) },
	[AT_GROUP_LAUNCHES] = { "launches", FIXED(launches_keys) },
	[AT_GROUP_ROUNDS] = { NULL, FIXED(rounds_keys) },
	[AT_GROUP_WINDOW] = { "the group \"l2_window\" of a launch",
		FIXED(window_keys) },
	[AT_GROUP_CALL] = { "prepare and finish", FIXED(call_keys) },
	[AT_GROUP_REFERENCE] = { "the group \"reference\" of kernel",
		FIXED(reference_keys) },
	[AT_GROUP_REFERENCE_FILE] = { "a file of a reference's \"files\"",
		FIXED(reference_file_keys) },
	[AT_GROUP_ARGUMENT] = { "an argument", FIXED(argument_keys) },
	[AT_GROUP_STRUCTURE] = { "a structure of \"types\"", FIXED(structure_keys) },
	[AT_GROUP_RANGE] = { "a range of a parameter", FIXED(range_keys) },
	[AT_GROUP_OPTION] = { "a group in \"options\"", FIXED(option_keys) },
	[AT_GROUP_VERIFY] = { "verify", FIXED(verify_keys) },
	[AT_GROUP_DATA] = { NULL, OPEN(data_keys) },
	[AT_GROUP_METRICS] = { "metrics", FIXED(metrics_keys) },
	[AT_GROUP_BOARD] = { "board", FIXED(board_keys) },
	[AT_GROUP_SEARCH] = { "search", FIXED(search_keys) },
};

/* ---- unknown keys --------------------------------------------------------------- */

static bool has_key(enum at_spec_group group, const char *name)
{
	for (size_t i = 0; i < groups[group].count; i++)
		if (!strcmp(groups[group].keys[i].name, name))
			return true;
	return false;
}

/* Writes ": it belongs to A, B or C", the other groups with the key, or "". */
static const char *key_home(
	enum at_spec_group group, const char *key, char *buffer, size_t size)
{
	const char *places[AT_GROUP_COUNT];
	size_t count = 0, length = 0;

	for (int i = AT_GROUP_FILE; i < AT_GROUP_COUNT; i++)
		if (groups[i].place && i != (int)group &&
			has_key((enum at_spec_group)i, key))
			places[count++] = groups[i].place;
	buffer[0] = '\0';
	for (size_t i = 0; i < count && length < size; i++)
		length += (size_t)snprintf(buffer + length, size - length, "%s%s",
			i == 0          ? ": it belongs to "
			: i + 1 < count ? ", "
					: " or ",
			places[i]);
	return buffer;
}

const char *at_spec_suggestion(const char *wrong, const char *const *names,
	size_t count, char *buffer, size_t size)
{
	const char *nearest = at_text_nearest(wrong, names, count);
	size_t length;

	if (nearest) {
		snprintf(buffer, size, ", did you mean \"%s\"?", nearest);
		return buffer;
	}
	snprintf(buffer, size, ", expected ");
	for (size_t i = 0; i < count; i++) {
		const char *between = i == 0 ? "" : i + 1 < count ? ", " : " or ";

		length = strlen(buffer);
		/* 6 bytes: ", ..." and the end, in case the next name does not fit */
		if (length + strlen(between) + strlen(names[i]) + 6 > size) {
			snprintf(buffer + length, size - length, ", ...");
			break;
		}
		snprintf(buffer + length, size - length, "%s%s", between, names[i]);
	}
	if (count == 0)
		snprintf(buffer, size, ", and there are no such names");
	return buffer;
}

/* An unknown key is an error: an ignored typo would change the result unnoticed. */
static void check_keys(struct at_spec_loader *loader, const struct at_config_node *node,
	const char *what, enum at_spec_group group, const char *const *names,
	size_t count)
{
	char hint[256];

	for (size_t i = 0; i < node->count; i++) {
		const struct at_config_node *child = &node->children[i];
		size_t known = 0;

		while (known < count && strcmp(names[known], child->name))
			known++;
		if (known < count)
			continue;
		if (at_text_nearest(child->name, names, count) ||
			!key_home(group, child->name, hint, sizeof(hint))[0])
			at_spec_suggestion(
				child->name, names, count, hint, sizeof(hint));
		at_spec_fail(loader, child->line, "unknown key \"%.80s\" in %s%s",
			child->name, what, hint);
	}
}

void at_spec_check_keys(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, const char *const *keys,
	size_t key_count)
{
	if (node->kind != AT_CONFIG_GROUP)
		at_spec_fail_type(loader, node, what, "a group { ... }");
	check_keys(loader, node, what, AT_GROUP_COUNT, keys, key_count);
}

void at_spec_check_no_section(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what)
{
	if (has_key(AT_GROUP_FILE, node->name) &&
		!at_config_find(loader->root, node->name))
		at_spec_fail(loader, node->line,
			"\"%.80s\" in %s is a section of its own: it belongs to %s",
			node->name, what, groups[AT_GROUP_FILE].place);
}

/* ---- values --------------------------------------------------------------------- */

void at_spec_read_tolerance(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *key, const char *of, double *out)
{
	char what[200];

	snprintf(what, sizeof(what), "\"%s\" of %s", node->name, of);
	if (node->kind != AT_CONFIG_REAL && node->kind != AT_CONFIG_INTEGER)
		at_spec_fail_type(loader, node, what, "a number");
	*out = node->kind == AT_CONFIG_REAL ? node->real : (double)node->integer;
	/* 0 means equal; NaN and infinity cannot be written */
	if (*out < 0)
		at_spec_fail(
			loader, node->line, "%s is negative: expected 0 or more", what);
	if (!strcmp(key, "rtol") && *out >= 1)
		at_spec_fail(loader, node->line,
			"%s is %g: from 1 on zeros are right for any value: expected less, as in 1e-4",
			what, *out);
}

/* The index of a word, which is the node's or a value of the parameter that it
   names. */
static int read_word(struct at_spec_loader *loader, const struct at_config_node *node,
	const char *what, const char *const *words, const char *word)
{
	size_t count = 0;
	char hint[128];

	for (; words[count]; count++)
		if (!strcmp(word, words[count]))
			return (int)count;
	at_spec_fail(loader, node->line, "%s is \"%.80s\"%s", what, word,
		at_spec_suggestion(word, words, count, hint, sizeof(hint)));
}

static void read_choice(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, const char *const *words,
	struct at_texture_choice *out)
{
	const struct at_parameter *parameter;

	if (!strstr(node->text, "${")) {
		out->value = (size_t)read_word(loader, node, what, words, node->text);
		return;
	}
	out->parameter = at_spec_find_words(loader, node, what);
	at_spec_note_read(loader, (int)out->parameter - 1, node->line);
	parameter = &loader->spec->parameters[out->parameter - 1];
	for (size_t i = 0; i < parameter->value_count; i++)
		(void)!read_word(loader, node, what, words, parameter->values[i].word);
}

static void read_dimensions(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, size_t most,
	struct at_expression **out, size_t *rank)
{
	char expected[64];

	snprintf(expected, sizeof(expected),
		"a list of 1 to %zu expressions or integers, as in ( \"N\", 4 )", most);
	at_spec_check_list(loader, node, what, expected);
	if (node->count < 1 || node->count > most)
		at_spec_fail(loader, node->line,
			"%s: expected 1 to %zu dimensions, found %zu", what, most,
			node->count);
	for (; *rank < node->count; ++*rank) {
		const struct at_config_node *item = &node->children[*rank];

		/* A constant is checked here, where its line is known; an expression is
		   checked when it is evaluated. */
		if (item->kind == AT_CONFIG_INTEGER && item->integer < 1)
			at_spec_fail(loader, item->line,
				"%s: dimension %zu is %lld: expected 1 or more", what,
				*rank + 1, (long long)item->integer);
		if (item->kind != AT_CONFIG_INTEGER && item->kind != AT_CONFIG_STRING)
			at_spec_fail_type(loader, item, what, expected);
		at_spec_compile_node(loader, item, what, &out[*rank]);
	}
}

/* of: the group's name in messages. */
static void read_value(struct at_spec_loader *loader, const struct at_config_node *node,
	const char *of, const struct key *key, void *out)
{
	void *field = (char *)out + key->offset;
	size_t *count = (void *)((char *)out + key->count_offset);
	char what[200];

	snprintf(what, sizeof(what), "\"%s\" of %s", key->name, of);
	if (key->kind >= TEXT && key->kind <= CHOICE && node->kind != AT_CONFIG_STRING)
		at_spec_fail_type(loader, node, what, "a string");
	/* An empty name or path would fail later, far from its line. */
	if (key->kind >= TEXT && key->kind <= CHOICE && !node->text[0])
		at_spec_fail(loader, node->line, "%s is empty", what);
	loader->names.has_step = key->has_step;
	switch (key->kind) {
	case OTHER:
		break;
	case IDENTIFIER:
		at_spec_check_identifier(loader, node->line, what, node->text);
		/* fall through */
	case TEXT:
		*(char **)field = at_spec_copy_text(loader, node->text);
		break;
	case KERNEL:
		*(char **)field = at_spec_copy_text(loader, node->text);
		at_spec_check_kernel(loader, node->line, what, node->text);
		break;
	case PATH:
		/* Not relative to the working folder, so that a file means the same
		   everywhere. */
		*(char **)field = at_spec_own(loader->spec,
			at_path_join(loader->spec->directory, node->text));
		break;
	case ARGUMENT:
		at_spec_find_argument(loader, node, what, field);
		break;
	case WORD:
		*(int *)field = read_word(loader, node, what, key->words, node->text) +
				key->first;
		break;
	case CHOICE:
		read_choice(loader, node, what, key->words, field);
		break;
	case TOLERANCE:
		at_spec_read_tolerance(loader, node, key->name, of, field);
		break;
	case BOOLEAN:
		if (node->kind != AT_CONFIG_BOOLEAN)
			at_spec_fail_type(loader, node, what, "true or false");
		*(bool *)field = node->integer != 0;
		break;
	case EXPRESSION:
		at_spec_compile_node(loader, node, what, field);
		break;
	case DIMENSIONS:
		read_dimensions(loader, node, what, key->most, field, count);
		break;
	case ARGUMENTS:
		at_spec_read_argument_names(loader, node, what, field, count);
		break;
	case WINDOW:
		at_spec_read(loader, node, what, AT_GROUP_WINDOW, field);
		break;
	}
	loader->names.has_step = false;
}

void at_spec_require(struct at_spec_loader *loader, const struct at_config_node *group,
	const char *what, const char *key, const char *hint)
{
	if (!at_config_find(group, key))
		at_spec_fail(loader, group->line, "%s has no \"%s\": add %s", what, key,
			hint);
}

void at_spec_read(struct at_spec_loader *loader, const struct at_config_node *node,
	const char *what, enum at_spec_group group, void *out)
{
	const struct key *keys = groups[group].keys;
	const char *names[AT_GROUP_KEYS_MAX] = { NULL };
	size_t count = groups[group].count;

	if (node->kind != AT_CONFIG_GROUP)
		at_spec_fail_type(loader, node, what, "a group { ... }");
	assert(count <= AT_GROUP_KEYS_MAX);
	for (size_t i = 0; i < count; i++)
		names[i] = keys[i].name;
	if (!groups[group].is_open)
		check_keys(loader, node, what, group, names, count);
	for (size_t i = 0; i < count; i++)
		if (keys[i].required && !keys[i].of)
			at_spec_require(loader, node, what, names[i], keys[i].required);
	for (size_t i = 0; i < count; i++) {
		const struct at_config_node *value = at_config_find(node, names[i]);

		if (value)
			read_value(loader, value, what, &keys[i], out);
	}
}

/* If such a key were ignored, its author would believe that it works. */
void at_spec_check_kind(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, enum at_spec_group group,
	unsigned kind, const char *reason)
{
	for (size_t i = 0; i < groups[group].count; i++) {
		const struct key *key = &groups[group].keys[i];
		const struct at_config_node *value = at_config_find(node, key->name);

		if (value && key->of && !(key->of & 1u << kind))
			at_spec_fail(loader, value->line, "\"%s\" of %s: %s", key->name,
				what, reason ? reason : key->reason);
		if (key->required && key->of & 1u << kind)
			at_spec_require(loader, node, what, key->name, key->required);
	}
}
