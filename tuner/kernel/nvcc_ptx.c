/* Reads and rewrites PTX between the two steps of nvcc; see nvcc_ptx.h. */
#include "kernel/nvcc_ptx.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define HEX "0123456789abcdef"

static bool is_of_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c == '$';
}

/*
 * Reads "mov.u64 %rd1, NAME;" at the beginning of a line. Returns the length of the
 * name; 0: the line is another.
 */
static size_t moved_name(const char *line, const char **name)
{
	size_t length = 0;

	line += strspn(line, " \t");
	if (strncmp(line, "mov.u64", 7) != 0 && strncmp(line, "mov.b64", 7) != 0)
		return 0;
	line += strcspn(line, ",;\n");
	if (*line != ',')
		return 0;
	line++;
	line += strspn(line, " \t");
	/* a register begins with '%', a number with a digit */
	if (*line >= '0' && *line <= '9')
		return 0;
	while (is_of_name(line[length]))
		length++;
	*name = line;
	return line[length] == ';' ? length : 0;
}

/*
 * The place behind the function whose declaration or definition begins in this line.
 * Only the last brace of a definition stands in the first column. NULL: the function
 * does not end.
 */
static const char *end_of_function(const char *line)
{
	const char *opening = line + strcspn(line, "{;"), *end;

	if (*opening == ';')
		return opening + 1;
	end = *opening ? strstr(opening, "\n}") : NULL;
	return end ? end + 2 : NULL;
}

/*
 * Whether the line begins one of the functions that nvcc.c adds, and for which
 * kernel:
 * ".visible .func  (.param .b64 func_retval0) autotune_kernel_0()".
 */
static bool is_marker(const char *line, size_t count, size_t *index)
{
	static const char mark[] = AT_NVCC_MARKER;
	bool is_function = false;
	char *end;

	if (line[0] != '.')
		return false;
	for (; *line && *line != '\n'; line += strcspn(line, " \t\n")) {
		line += strspn(line, " \t");
		is_function = is_function || !strncmp(line, ".func", 5);
		if (!is_function || strncmp(line, mark, strlen(mark)) != 0)
			continue;
		line += strlen(mark);
		if (*line < '0' || *line > '9')
			return false;
		*index = strtoul(line, &end, 10);
		return *end == '(' && *index < count;
	}
	return false;
}

/*
 * Whether the line begins the declaration of a kernel whose body follows later. nvcc
 * writes these only because of the added functions, so they are removed with them.
 */
static bool is_declared_kernel(const char *line)
{
	const char *at = line;

	if (line[0] != '.')
		return false;
	if (!strncmp(at, ".visible ", 9) || !strncmp(at, ".weak ", 6))
		at += strcspn(at, " ") + 1;
	return !strncmp(at, ".entry ", 7) && at[strcspn(at, "{;")] == ';';
}

static void take_symbol(const char *at, const char *end, char **symbol)
{
	for (; at < end && !*symbol; at += strcspn(at, "\n"), at += *at == '\n') {
		const char *name;
		size_t length = moved_name(at, &name);

		if (!length)
			continue;
		*symbol = at_strndup(name, length);
	}
}

/*
 * Zeroes the numbers in names such as "_31f2b892_7_unit_cu_". unit.cu is the only
 * source in its folder.
 */
static void drop_numbers(char *text)
{
	static const char behind[] = "_7_unit_cu";

	for (char *at = text; (at = strstr(at, behind)) != NULL; at++)
		if (at - text > 8 && at[-9] == '_' && strspn(at - 8, HEX) == 8)
			memset(at - 8, '0', 8);
}

/* Appends PTX without the name of the folder. */
static void add_without(
	struct at_strbuf *out, const char *text, size_t size, const char *folder)
{
	const char *end = text + size, *found;
	size_t length = strlen(folder);

	while (length && (found = strstr(text, folder)) != NULL &&
		found + length <= end) {
		at_strbuf_add_bytes(out, text, (size_t)(found - text));
		text = found + length;
		text += text < end && *text == '/';
	}
	at_strbuf_add_bytes(out, text, (size_t)(end - text));
}

void at_nvcc_ptx_read(const char *ptx, const char *folder, char **symbols, size_t count,
	struct at_strbuf *text)
{
	bool has_tables = strstr(ptx, ".debug_info") != NULL;
	const char *kept = ptx, *line = ptx;

	while (*line) {
		const char *end = NULL;
		size_t index;

		if (is_marker(line, count, &index)) {
			end = end_of_function(line);
			if (end)
				take_symbol(line, end, &symbols[index]);
		} else if (is_declared_kernel(line)) {
			end = end_of_function(line);
		}
		if (end && !has_tables) {
			add_without(text, kept, (size_t)(line - kept), folder);
			kept = end;
		}
		line = end ? end : line;
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	add_without(text, kept, strlen(kept), folder);
	if (text->data)
		drop_numbers(text->data);
	for (size_t i = 0; i < count; i++)
		if (symbols[i])
			drop_numbers(symbols[i]);
}
