/* Reads the declaration of a kernel's parameters in PTX. */
#include "kernel/ptx.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\r\n"
/* CUDA lets no parameter be larger: a larger number means something else. */
#define PARAMETER_BYTES_LIMIT 32764

/* A part of the PTX, not terminated. */
struct text {
	const char *data;
	size_t length;
};

/* The parameters of a kernel as PTX declares them. */
struct declaration {
	struct at_kernel_parameter *items;
	size_t count;
	size_t capacity;
	bool marks_pointers; /* some have .ptr */
	struct text *names; /* of the parameters */
	size_t name_capacity;
};

/*
 * The types of the PTX manual, 5.2.1, with what they say about a parameter. LLVM
 * declares half and others as .bNN: what these contain is not known.
 */
static const struct {
	const char *name;
	uint32_t bytes;
	enum at_parameter_kind kind;
} types[] = {
	{ ".u8", 1, AT_PARAMETER_INTEGER },
	{ ".s8", 1, AT_PARAMETER_INTEGER },
	{ ".u16", 2, AT_PARAMETER_INTEGER },
	{ ".s16", 2, AT_PARAMETER_INTEGER },
	{ ".u32", 4, AT_PARAMETER_INTEGER },
	{ ".s32", 4, AT_PARAMETER_INTEGER },
	{ ".u64", 8, AT_PARAMETER_WORD },
	{ ".s64", 8, AT_PARAMETER_WORD },
	{ ".f32", 4, AT_PARAMETER_REAL },
	{ ".f64", 8, AT_PARAMETER_REAL },
	{ ".f16", 2, AT_PARAMETER_NONE },
	{ ".b8", 1, AT_PARAMETER_NONE },
	{ ".b16", 2, AT_PARAMETER_NONE },
	{ ".b32", 4, AT_PARAMETER_NONE },
	{ ".b64", 8, AT_PARAMETER_NONE },
};

/*
 * Not by strspn(), which builds a table of the characters at each call: PTX may be
 * long.
 */
static bool is_of_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '%';
}

static bool is_text(struct text text, const char *other)
{
	return text.length == strlen(other) && !memcmp(text.data, other, text.length);
}

/*
 * Reads the next word from *at on: a name, a directive with its dot, or any other
 * single character. Comments are skipped; NVRTC writes whole lines of them. Empty at
 * the end.
 */
static struct text next_word(const char **at)
{
	struct text word = { *at + strspn(*at, BLANKS), 0 };
	size_t dot;

	while (word.data[0] == '/' && word.data[1] == '/') {
		word.data += strcspn(word.data, "\n");
		word.data += strspn(word.data, BLANKS);
	}
	dot = word.data[0] == '.';
	word.length = dot;
	while (is_of_name(word.data[word.length]))
		word.length++;
	if (!word.length && word.data[0])
		word.length = 1;
	*at = word.data + word.length;
	return word;
}

static bool is_in_comment(const char *text, const char *at)
{
	while (at > text && at[-1] != '\n')
		if (*--at == '/' && at[1] == '/')
			return true;
	return false;
}

/*
 * Whether the kernel is only declared here, "...);": nvcc declares a kernel ahead of
 * its body where its address is taken before. at: behind the "(".
 */
static bool is_only_declared(const char *at)
{
	at += strcspn(at, ")");
	if (!*at)
		return false;
	at++;
	return is_text(next_word(&at), ";");
}

/*
 * The place behind the "(" of ".entry NAME(", where the kernel's parameters begin; NULL
 * where the PTX does not have the kernel.
 */
static const char *find_entry(const char *ptx, const char *symbol)
{
	static const char directive[] = ".entry";

	for (const char *found = ptx; (found = strstr(found, directive)) != NULL;) {
		const char *at = found += strlen(directive);

		if (is_text(next_word(&at), symbol) && is_text(next_word(&at), "(") &&
			!is_in_comment(ptx, found) && !is_only_declared(at))
			return at;
	}
	return NULL;
}

static const struct text no_text = { "", 0 };

/*
 * Reads ".param .u64 .ptr .global .align 4 NAME" or ".param .align 4 .b8 NAME[16]" up
 * to the comma or parenthesis behind it, which becomes *end. False: it is something
 * else.
 */
static bool read_parameter(const char **at, struct at_kernel_parameter *out,
	bool *is_pointer, struct text *name, struct text *end)
{
	bool has_type = false;
	struct text word;
	unsigned long count;
	char *behind;

	*is_pointer = false;
	*name = no_text;
	while ((word = next_word(at)).length && word.data[0] == '.') {
		if (is_text(word, ".ptr"))
			*is_pointer = true;
		if (is_text(word, ".align"))
			next_word(at);
		for (size_t i = 0; i < AT_COUNT_OF(types); i++)
			if (is_text(word, types[i].name)) {
				has_type = true;
				out->kind = types[i].kind;
				out->bytes = types[i].bytes;
			}
	}
	*name = word;
	*end = next_word(at);
	if (!has_type || !word.length)
		return false;
	if (*is_pointer)
		out->kind = AT_PARAMETER_POINTER;
	if (!is_text(*end, "["))
		return true;
	count = strtoul(*at, &behind, 10);
	*at = behind;
	if (!count || count > PARAMETER_BYTES_LIMIT || !is_text(next_word(at), "]"))
		return false;
	out->kind = AT_PARAMETER_OBJECT;
	out->bytes *= (uint32_t)count;
	*end = next_word(at);
	return true;
}

/* Reads all parameters. *known: the declaration is understood. */
static void read_declaration(const char **at, struct declaration *out, bool *known)
{
	struct text end = no_text;
	const char *start = *at;

	*known = false;
	if (is_text(next_word(at), ")")) {
		*known = true;
		return;
	}
	*at = start;
	do {
		struct at_kernel_parameter parameter = { .bytes = 0 };
		struct text name;
		bool is_pointer;

		if (!is_text(next_word(at), ".param") ||
			!read_parameter(at, &parameter, &is_pointer, &name, &end))
			return;
		AT_GROW(out->items, out->capacity, out->count + 1);
		AT_GROW(out->names, out->name_capacity, out->count + 1);
		out->marks_pointers |= is_pointer;
		out->names[out->count] = name;
		out->items[out->count++] = parameter;
	} while (is_text(end, ","));
	*known = is_text(end, ")");
}

/*
 * Among parameters that may be pointers or integers, finds the pointers: those that the
 * body turns into an address of global memory.
 *
 *   ld.param.u64 %rd1, [NAME];   ...   cvta.to.global.u64 %rd4, %rd1;
 *
 * at: behind the declaration. registers: one for each parameter, empty.
 */
static void find_addresses(
	const char *at, const struct declaration *self, struct text *registers)
{
	/* the beginning of a statement; the two above are not longer */
	struct text words[12], word;
	size_t count = 0, left = 0;

	for (size_t i = 0; i < self->count; i++)
		left += self->items[i].kind == AT_PARAMETER_WORD;
	while (left && (word = next_word(&at)).length) {
		bool is_load, is_address;

		/* the next function uses registers of the same names */
		if (is_text(word, ".entry") || is_text(word, ".func"))
			return;
		if (!strchr(";:{}", word.data[0])) {
			if (count < AT_COUNT_OF(words))
				words[count++] = word;
			continue;
		}
		is_load = count == 8 && is_text(words[0], "ld") &&
			  is_text(words[1], ".param") && is_text(words[5], "[");
		is_address = count == 7 && is_text(words[0], "cvta") &&
			     is_text(words[1], ".to") && is_text(words[2], ".global");
		count = 0;
		for (size_t i = 0; i < self->count && (is_load || is_address); i++) {
			const struct text *known =
				is_load ? &self->names[i] : &registers[i];

			if (self->items[i].kind != AT_PARAMETER_WORD ||
				known->length != words[6].length ||
				memcmp(known->data, words[6].data, known->length) != 0)
				continue;
			if (is_load) {
				registers[i] = words[3];
			} else {
				self->items[i].kind = AT_PARAMETER_POINTER;
				left--;
			}
		}
	}
}

/* Puts what is declared into the facts, unless facts that are there contradict it. */
static void merge(struct declaration *self, struct at_kernel_facts *facts)
{
	if (!facts->has_parameters) {
		facts->has_parameters = true;
		facts->parameter_count = self->count;
		facts->parameters = self->items;
		self->items = NULL;
		return;
	}
	if (facts->parameter_count != self->count)
		return;
	for (size_t i = 0; i < self->count; i++)
		if (facts->parameters[i].bytes != self->items[i].bytes)
			return;
	for (size_t i = 0; i < self->count; i++)
		facts->parameters[i].kind = self->items[i].kind;
}

void at_ptx_read_parameters(const char *ptx, struct at_kernel_facts *facts)
{
	struct declaration found = { 0 };
	const char *at = find_entry(ptx, facts->symbol);
	struct text *registers = NULL;
	bool known = false;

	if (at)
		read_declaration(&at, &found, &known);
	if (!known)
		goto release;
	if (found.count) {
		registers = at_calloc(found.count, sizeof(*registers));
		find_addresses(at, &found, registers);
	}
	/* a compiler that marks pointers at all (for sm_100 and later) marks all of
	   them */
	for (size_t i = 0; i < found.count && found.marks_pointers; i++)
		if (found.items[i].kind == AT_PARAMETER_WORD)
			found.items[i].kind = AT_PARAMETER_INTEGER;
	merge(&found, facts);
release:
	free(registers);
	free(found.names);
	free(found.items);
}
