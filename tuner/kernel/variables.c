/* Lists the variables in an image's symbol table, and finds one by its C++ name. */
#include "kernel/variables.h"
#include "base/memory.h"
#include "kernel/elf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_LENGTH 256

void at_image_variables_read(
	const unsigned char *image, size_t size, struct at_image_variables *out)
{
	struct at_elf elf = { .file = { image, size } };
	struct at_elf_symbol symbol;

	if (at_elf_open(&elf))
		return;
	out->symbols = at_calloc(elf.symbol_count + 1, sizeof(*out->symbols));
	out->addresses = at_calloc(elf.symbol_count + 1, sizeof(*out->addresses));
	out->sizes_bytes = at_calloc(elf.symbol_count + 1, sizeof(*out->sizes_bytes));
	for (size_t i = 0; at_elf_symbol(&elf, i, &symbol); i++) {
		if (symbol.type != AT_ELF_SYMBOL_OBJECT || !symbol.section ||
			!symbol.name || !symbol.name[0])
			continue;
		out->symbols[out->count] = at_strdup(symbol.name);
		out->addresses[out->count] = symbol.value;
		out->sizes_bytes[out->count++] = symbol.bytes;
	}
}

void at_image_variables_release(struct at_image_variables *self)
{
	for (size_t i = 0; i < self->count; i++)
		free(self->symbols[i]);
	free(self->symbols);
	free(self->addresses);
	free(self->sizes_bytes);
	*self = (struct at_image_variables){ 0 };
}

/* Reads "7weights", with an L in front if it is static. */
static bool read_identifier(const char **at, const char **name, size_t *length)
{
	const char *text = *at + (**at == 'L');
	size_t count = 0;

	while (*text >= '0' && *text <= '9' && count < NAME_MAX_LENGTH)
		count = 10 * count + (size_t)(*text++ - '0');
	if (!count || strnlen(text, count) < count)
		return false;
	*name = text;
	*length = count;
	*at = text + count;
	return true;
}

/* Writes "blur::weights" for _ZN4blur7weightsE, without namespaces that compilers name;
   false: the symbol is something else. Does not use the C++ library's demangler as for
   kernels (cubin.c): the coordinator reads these symbols, and a symbol of some hundred
   bytes can expand to gigabytes. */
bool at_variable_name(const char *symbol, char *out, size_t size)
{
	static const char *const nameless[] = { "_GLOBAL__N_", "_INTERNAL_" };
	bool is_nested, is_skipped;
	size_t length = 0;

	if (strncmp(symbol, "_Z", 2) != 0)
		return (size_t)snprintf(out, size, "%s", symbol) < size;
	symbol += 2;
	is_nested = *symbol == 'N';
	symbol += is_nested;
	do {
		const char *name;
		size_t name_length;

		if (!read_identifier(&symbol, &name, &name_length))
			return false;
		is_skipped = false;
		for (size_t i = 0; i < AT_COUNT_OF(nameless); i++)
			is_skipped |= name_length >= strlen(nameless[i]) &&
				      !memcmp(name, nameless[i], strlen(nameless[i]));
		if (is_skipped)
			continue;
		length += (size_t)snprintf(out + length, size - length, "%s%.*s",
			length ? "::" : "", (int)name_length, name);
		if (length >= size)
			return false;
	} while (is_nested && *symbol != 'E');
	symbol += is_nested;
	return length && !*symbol;
}

size_t at_variable_find(char *const *symbols, size_t count, const char *name)
{
	size_t inner = AT_NO_VARIABLE, inner_count = 0, length = strlen(name);
	char whole[2 * NAME_MAX_LENGTH];

	for (size_t i = 0; i < count; i++) {
		size_t before;

		if (!at_variable_name(symbols[i], whole, sizeof(whole)) ||
			strlen(whole) < length)
			continue;
		before = strlen(whole) - length;
		if (strcmp(whole + before, name) != 0)
			continue;
		if (!before)
			return i;
		if (before < 2 || memcmp(whole + before - 2, "::", 2) != 0)
			continue;
		inner = i;
		inner_count++;
	}
	return inner_count == 1 ? inner : AT_NO_VARIABLE;
}
