/* Lists the variables in an image's table of symbols. */
#include "kernel/variables.h"
#include "base/memory.h"
#include "kernel/elf.h"
#include "kernel/mangled.h"

#include <stdlib.h>

/* Adds the symbol at this place of the table, if it is a variable with a name. */
static void add(struct at_elf_view table, size_t at, struct at_elf_view names,
	struct at_image_variables *out)
{
	const char *name = at_elf_text(names, at_elf_load32(table, at));

	if ((table.data[at + 4] & 0xf) != AT_ELF_SYMBOL_OBJECT || !name || !name[0] ||
		!at_elf_load(table, at + 6, 2))
		return;
	out->symbols[out->count] = at_strdup(name);
	out->addresses[out->count] = at_elf_load(table, at + 8, 8);
	out->sizes_bytes[out->count++] = at_elf_load(table, at + 16, 8);
}

void at_image_variables_read(
	const unsigned char *image, size_t size, struct at_image_variables *out)
{
	struct at_elf elf = { .file = { image, size } };
	struct at_elf_section table, names;
	size_t room;

	if (at_elf_open(&elf) ||
		!at_elf_find_type(&elf, AT_ELF_SECTION_SYMBOLS, &table) ||
		!at_elf_section(&elf, table.link, &names))
		return;
	room = table.content.size / AT_ELF_SYMBOL_BYTES + 1;
	out->symbols = at_calloc(room, sizeof(*out->symbols));
	out->addresses = at_calloc(room, sizeof(*out->addresses));
	out->sizes_bytes = at_calloc(room, sizeof(*out->sizes_bytes));
	for (size_t i = 0; i + 1 < room; i++)
		add(table.content, i * AT_ELF_SYMBOL_BYTES, names.content, out);
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

size_t at_variable_find(char *const *symbols, size_t count, const char *name)
{
	size_t inner = AT_NO_VARIABLE, inner_count = 0;

	for (size_t i = 0; i < count; i++)
		switch (at_mangled_compare(symbols[i], name)) {
		case AT_MANGLED_WHOLE:
			return i;
		case AT_MANGLED_INNER:
			inner = i;
			inner_count++;
			break;
		case AT_MANGLED_OTHER:
			break;
		}
	return inner_count == 1 ? inner : AT_NO_VARIABLE;
}
