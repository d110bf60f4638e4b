/* Reads and rewrites PTX, and reads the log of ptxas; see ptx.h. */
#include "kernel/ptx.h"
#include "kernel/job.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* CUDA allows 32764 bytes of kernel parameters. */
#define PARAMETER_BYTES_LIMIT 32764

#define BLANKS " \t\r\n"

/* ---- words ---------------------------------------------------------------------- */

/* A part of the PTX, not terminated. */
struct text {
	const char *data;
	size_t length;
};

/* strspn() builds a table of the characters at each call, too slow for long PTX. */
static bool is_of_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '%';
}

static bool is_text(struct text text, const char *other)
{
	return text.length == strlen(other) && !memcmp(text.data, other, text.length);
}

static bool is_same(struct text text, struct text other)
{
	return text.length == other.length &&
	       !memcmp(text.data, other.data, text.length);
}

/* Reads the next word from *at: a name, a directive with its dot, or any other single
   character. Skips comments; NVRTC writes whole lines of them. Empty at the end. */
static struct text next_word(const char **at)
{
	struct text word = { *at + strspn(*at, BLANKS), 0 };

	while (word.data[0] == '/' && word.data[1] == '/') {
		word.data += strcspn(word.data, "\n");
		word.data += strspn(word.data, BLANKS);
	}
	word.length = word.data[0] == '.';
	while (is_of_name(word.data[word.length]))
		word.length++;
	if (!word.length && word.data[0])
		word.length = 1;
	*at = word.data + word.length;
	return word;
}

static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return line + (*line == '\n');
}

/* ---- parameters of kernels ------------------------------------------------------ */

struct declared {
	enum at_parameter_kind kind;
	uint32_t bytes;
	bool is_marked; /* as a pointer, by .ptr */
	struct text name;
	struct text loaded; /* the register into which the body loads it */
};

struct declaration {
	struct declared *items;
	size_t count;
	size_t capacity;
};

/* The types of the PTX manual, 5.2.1, and the kinds that they imply. LLVM declares half
   and others as .bNN, whose contents are unknown. */
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

/* The position after the "(" of ".entry NAME(", where the kernel's parameters begin;
   NULL if the PTX lacks the kernel. Comments mention kernels too. nvcc declares a
   kernel, "...);", before its body if its address is taken earlier. */
static const char *find_entry(const char *ptx, const char *symbol)
{
	static const char directive[] = ".entry";

	for (const char *found = ptx; (found = strstr(found, directive)) != NULL;) {
		const char *line = found, *at = found += strlen(directive), *end;

		if (!is_text(next_word(&at), symbol) || !is_text(next_word(&at), "("))
			continue;
		while (line > ptx && line[-1] != '\n')
			line--;
		while (line < found && (line[0] != '/' || line[1] != '/'))
			line++;
		end = strchr(at, ')');
		end += end != NULL;
		if (line == found && !(end && is_text(next_word(&end), ";")))
			return at;
	}
	return NULL;
}

/* Reads ".u64 .ptr .global .align 4 NAME" or ".align 4 .b8 NAME[16]", after ".param",
   up to the next comma or parenthesis, which becomes *end. False: anything else. */
static bool read_parameter(const char **at, struct declared *out, struct text *end)
{
	unsigned long count;
	char *behind;

	while ((out->name = next_word(at)).data[0] == '.') {
		out->is_marked |= is_text(out->name, ".ptr");
		if (is_text(out->name, ".align"))
			next_word(at);
		for (size_t i = 0; i < AT_COUNT_OF(types); i++)
			if (is_text(out->name, types[i].name)) {
				out->kind = types[i].kind;
				out->bytes = types[i].bytes;
			}
	}
	*end = next_word(at);
	if (!out->bytes || !out->name.length)
		return false;
	if (out->is_marked)
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

/* Reads all parameters; false: an unknown declaration. */
static bool read_declaration(const char **at, struct declaration *out)
{
	struct text end = next_word(at);
	bool goes_on = !is_text(end, ")");

	while (goes_on) {
		struct declared item = { .bytes = 0 };

		if (!is_text(end, ".param") || !read_parameter(at, &item, &end))
			return false;
		AT_GROW(out->items, out->capacity, out->count + 1);
		out->items[out->count++] = item;
		goes_on = is_text(end, ",");
		end = goes_on ? next_word(at) : end;
	}
	return is_text(end, ")");
}

/*
 * Finds the pointers among parameters that may be pointers or integers: those that the
 * body turns into an address of global memory. at: after the declaration.
 *
 *   ld.param.u64 %rd1, [NAME];   ...   cvta.to.global.u64 %rd4, %rd1;
 */
static void find_addresses(const char *at, struct declaration *self)
{
	/* the beginning of a statement; the two above are not longer */
	struct text words[12], word;
	size_t count = 0, left = 0;

	for (size_t i = 0; i < self->count; i++)
		left += self->items[i].kind == AT_PARAMETER_WORD;
	while (left && (word = next_word(&at)).length) {
		bool is_load, is_address;

		/* the next function reuses register names */
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
		for (size_t i = 0; i < self->count; i++) {
			struct declared *item = &self->items[i];

			if (item->kind != AT_PARAMETER_WORD)
				continue;
			if (is_load && is_same(item->name, words[6]))
				item->loaded = words[3];
			if (is_address && is_same(item->loaded, words[6])) {
				item->kind = AT_PARAMETER_POINTER;
				left--;
			}
		}
	}
}

/* Puts the declaration into the facts, unless present facts contradict it. */
static void merge(const struct declaration *self, struct at_kernel_facts *facts)
{
	if (!facts->has_parameters) {
		facts->has_parameters = true;
		facts->parameter_count = self->count;
		facts->parameters =
			at_calloc(self->count + 1, sizeof(*facts->parameters));
		for (size_t i = 0; i < self->count; i++)
			facts->parameters[i].bytes = self->items[i].bytes;
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
	bool has_marks = false;

	if (at && read_declaration(&at, &found)) {
		find_addresses(at, &found);
		for (size_t i = 0; i < found.count; i++)
			has_marks |= found.items[i].is_marked;
		/* a compiler that marks any pointers (for sm_100 and later) marks all
		   of them */
		for (size_t i = 0; i < found.count && has_marks; i++)
			if (found.items[i].kind == AT_PARAMETER_WORD)
				found.items[i].kind = AT_PARAMETER_INTEGER;
		merge(&found, facts);
	}
	free(found.items);
}

/* ---- the functions that nvcc.c adds --------------------------------------------- */

/* The position after the function whose declaration or definition begins in this line.
   Only the last brace of a definition is in the first column. NULL: the function does
   not end. */
static const char *end_of_function(const char *line)
{
	const char *opening = line + strcspn(line, "{;"), *end;

	if (*opening == ';')
		return opening + 1;
	end = *opening ? strstr(opening, "\n}") : NULL;
	return end ? end + 2 : NULL;
}

/* Whether the line begins one of the extra functions, and for which kernel: ".visible
   .func (.param .b64 func_retval0) autotune_kernel_0()". */
static bool is_marker(const char *line, size_t count, size_t *index)
{
	const char *end = line + strcspn(line, "\n"), *at = line;
	bool is_function = false;
	struct text word;

	while (line[0] == '.' && (word = next_word(&at)).length && at < end) {
		size_t mark = strlen(AT_PTX_MARKER);

		is_function |= is_text(word, ".func");
		if (!is_function || word.length <= mark ||
			strncmp(word.data, AT_PTX_MARKER, mark) != 0)
			continue;
		*index = strtoul(word.data + mark, NULL, 10);
		return strspn(word.data + mark, "0123456789") == word.length - mark &&
		       *at == '(' && *index < count;
	}
	return false;
}

/* Whether the line begins the declaration of a kernel whose body follows later. nvcc
   writes these only because of the extra functions, so they are removed too. */
static bool is_declared_kernel(const char *line)
{
	if (line[0] != '.')
		return false;
	if (!strncmp(line, ".visible ", 9) || !strncmp(line, ".weak ", 6))
		line += strcspn(line, " ") + 1;
	return !strncmp(line, ".entry ", 7) && line[strcspn(line, "{;")] == ';';
}

/* Takes NAME of the first "mov.u64 %rd1, NAME;" of the function; not a register or a
   number, which are also moved. */
static void take_symbol(const char *at, const char *end, char **symbol)
{
	for (; at < end && !*symbol; at = next_line(at)) {
		const char *rest = at;
		struct text move = next_word(&rest), type = next_word(&rest), name;

		if (!is_text(move, "mov") ||
			!(is_text(type, ".u64") || is_text(type, ".b64")))
			continue;
		next_word(&rest);
		if (!is_text(next_word(&rest), ","))
			continue;
		name = next_word(&rest);
		if (*rest == ';' && !strchr("%0123456789", name.data[0]))
			*symbol = at_strndup(name.data, name.length);
	}
}

/* Zeroes the numbers in names such as "_31f2b892_7_unit_cu_". unit.cu is the only
   source in its folder. */
static void drop_numbers(char *text)
{
	static const char behind[] = "_7_unit_cu";

	for (char *at = text; at && (at = strstr(at, behind)) != NULL; at++)
		if (at - text > 8 && at[-9] == '_' &&
			strspn(at - 8, "0123456789abcdef") == 8)
			memset(at - 8, '0', 8);
}

void at_ptx_take_markers(const char *ptx, const char *folder, char **symbols,
	size_t count, struct at_strbuf *text)
{
	const bool has_tables = strstr(ptx, ".debug_info") != NULL;
	const char *kept = ptx, *line = ptx;
	struct at_strbuf left = { 0 };

	while (*line) {
		const bool is_declared = is_declared_kernel(line);
		const char *end = NULL;
		size_t index;

		if (is_marker(line, count, &index)) {
			end = end_of_function(line);
			take_symbol(line, end ? end : line, &symbols[index]);
		} else if (is_declared) {
			end = end_of_function(line);
		}
		if (end && !has_tables) {
			at_strbuf_add_bytes(&left, kept, (size_t)(line - kept));
			kept = end;
		}
		line = next_line(end ? end : line);
	}
	at_strbuf_add(&left, kept);
	at_job_add_without(text, at_strbuf_text(&left), folder);
	at_strbuf_release(&left);
	drop_numbers(text->data);
	for (size_t i = 0; i < count; i++)
		drop_numbers(symbols[i]);
}

/* ---- the log of ptxas ----------------------------------------------------------- */

static bool starts_with(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

void at_ptxas_read_spills(const char *log, struct at_kernel_facts *facts)
{
	static const char title[] = "Function properties for ";
	size_t length = strlen(facts->symbol);
	int64_t frame, stores, loads;

	for (const char *at = log; (at = strstr(at, title)) != NULL;) {
		at += strlen(title);
		if (strncmp(at, facts->symbol, length) != 0 || at[length] != '\n')
			continue;
		/* the next line begins with "ptxas . 0 bytes stack frame, ..." or with
		   blanks only */
		at += length + 1;
		at += starts_with(at, "ptxas") ? strlen("ptxas") : 0;
		at += strspn(at, " .\t");
		if (sscanf(at,
			    "%" SCNd64 " bytes stack frame, %" SCNd64
			    " bytes spill stores, %" SCNd64 " bytes spill loads",
			    &frame, &stores, &loads) == 3) {
			facts->spill_store_bytes = stores;
			facts->spill_load_bytes = loads;
		}
		return;
	}
}

/* Whether the line is part of ptxas's information about a kernel. */
static bool is_information(const char *line)
{
	if (starts_with(line, "ptxas info"))
		return true;
	if (starts_with(line, "ptxas "))
		line += strlen("ptxas ");
	if (*line != ' ')
		return false;
	line += strspn(line, " .");
	line += strspn(line, "0123456789");
	return starts_with(line, " bytes stack frame,");
}

char *at_ptxas_strip_log(const char *log, bool is_all)
{
	struct at_strbuf kept = { 0 };

	for (const char *end; *log; log = end) {
		end = next_line(log);
		if (is_all ? !starts_with(log, "ptxas ") : !is_information(log))
			at_strbuf_add_bytes(&kept, log, (size_t)(end - log));
	}
	/* a log of blank lines counts as empty */
	if (kept.data && !kept.data[strspn(kept.data, " \n")])
		at_strbuf_clear(&kept);
	return at_strbuf_detach(&kept);
}
