/* Reads the sections of an ELF file. */
#include "kernel/elf.h"

#include <string.h>

/* ELF64 (System V ABI), little-endian; the machine number of CUDA. */
#define ELF_HEADER_BYTES 64
#define ELF_SECTION_BYTES 64
#define ELF_SEGMENT_BYTES 56
#define ELF_MACHINE_CUDA 190
#define ELF_SYMBOL_BYTES 24
#define ELF_SECTION_NULL 0
#define ELF_SECTION_SYMBOLS 2
#define ELF_SECTION_NOBITS 8

uint64_t at_elf_load(struct at_elf_view view, size_t offset, unsigned width)
{
	uint64_t value = 0;

	for (unsigned i = width; i-- > 0;)
		value = value << 8 | view.data[offset + i];
	return value;
}

uint32_t at_elf_load32(struct at_elf_view view, size_t offset)
{
	return (uint32_t)at_elf_load(view, offset, 4);
}

bool at_elf_cut(struct at_elf_view whole, uint64_t offset, uint64_t size,
	struct at_elf_view *part)
{
	if (offset > whole.size || size > whole.size - offset)
		return false;
	part->data = whole.data + offset;
	part->size = (size_t)size;
	return true;
}

/* The text at the offset; NULL if it begins outside or does not end inside. */
static const char *text_at(struct at_elf_view strings, uint64_t offset)
{
	if (offset >= strings.size ||
		!memchr(strings.data + offset, '\0', strings.size - (size_t)offset))
		return NULL;
	return (const char *)strings.data + offset;
}

bool at_elf_section(
	const struct at_elf *cubin, uint32_t index, struct at_elf_section *out)
{
	struct at_elf_view header;

	if (index >= cubin->section_count ||
		!at_elf_cut(cubin->file,
			cubin->sections_offset + (uint64_t)index * ELF_SECTION_BYTES,
			ELF_SECTION_BYTES, &header))
		return false;
	memset(out, 0, sizeof(*out));
	out->type = at_elf_load32(header, 4);
	out->flags = at_elf_load(header, 8, 8);
	out->size = at_elf_load(header, 32, 8);
	out->link = at_elf_load32(header, 40);
	out->name = cubin->names.size ? text_at(cubin->names, at_elf_load32(header, 0))
				      : "";
	if (!out->name)
		return false;
	if (out->type == ELF_SECTION_NULL || out->type == ELF_SECTION_NOBITS)
		return true;
	return at_elf_cut(
		cubin->file, at_elf_load(header, 24, 8), out->size, &out->content);
}

const char *at_elf_open(struct at_elf *cubin)
{
	static const unsigned char start[] = { 0x7f, 'E', 'L', 'F', 2, 1, 1 };
	struct at_elf_view file = cubin->file, part;
	struct at_elf_section names;
	uint32_t name_index, flags;

	if (file.size < ELF_HEADER_BYTES)
		return "too short for an ELF header";
	if (memcmp(file.data, start, sizeof(start)) != 0)
		return "not a 64-bit ELF file";
	cubin->abi_version = file.data[8];
	/* the ABI version is 7 up to CUDA 12, and 8 for CUDA 13 */
	flags = at_elf_load32(file, 48);
	cubin->architecture =
		cubin->abi_version >= 8 ? flags >> 8 & 0xffff : flags & 0xff;
	cubin->sections_offset = at_elf_load(file, 40, 8);
	cubin->section_count = (uint32_t)at_elf_load(file, 60, 2);
	name_index = (uint32_t)at_elf_load(file, 62, 2);
	if (at_elf_load(file, 58, 2) != ELF_SECTION_BYTES || !cubin->section_count)
		return "no sections of the expected size";
	if (!at_elf_cut(file, cubin->sections_offset,
		    (uint64_t)cubin->section_count * ELF_SECTION_BYTES, &part) ||
		!at_elf_cut(file, at_elf_load(file, 32, 8),
			at_elf_load(file, 56, 2) * ELF_SEGMENT_BYTES, &part))
		return "cut short";
	if (!at_elf_section(cubin, name_index, &names) || !names.content.size)
		return "no section names";
	cubin->names = names.content;
	for (uint32_t i = 0; i < cubin->section_count; i++) {
		struct at_elf_section section;

		if (!at_elf_section(cubin, i, &section))
			return "cut short";
		if (section.type != ELF_SECTION_SYMBOLS || cubin->symbol_count)
			continue;
		cubin->symbols = section.content;
		cubin->symbol_count = section.content.size / ELF_SYMBOL_BYTES;
		if (at_elf_section(cubin, section.link, &names))
			cubin->symbol_names = names.content;
	}
	return NULL;
}

const char *at_elf_open_cubin(struct at_elf *cubin)
{
	if (cubin->file.size >= ELF_HEADER_BYTES &&
		at_elf_load(cubin->file, 18, 2) != ELF_MACHINE_CUDA)
		return "not a 64-bit ELF file for CUDA";
	return at_elf_open(cubin);
}

bool at_elf_find(const struct at_elf *cubin, const char *prefix, const char *name,
	struct at_elf_section *out)
{
	size_t length = strlen(prefix);

	for (uint32_t i = 0; i < cubin->section_count; i++)
		if (at_elf_section(cubin, i, out) &&
			!strncmp(out->name, prefix, length) &&
			!strcmp(out->name + length, name))
			return true;
	return false;
}

bool at_elf_symbol(const struct at_elf *self, size_t index, struct at_elf_symbol *out)
{
	size_t at = index * ELF_SYMBOL_BYTES;

	if (index >= self->symbol_count)
		return false;
	*out = (struct at_elf_symbol){
		.name = text_at(self->symbol_names, at_elf_load32(self->symbols, at)),
		.type = self->symbols.data[at + 4] & 0xf,
		.section = (unsigned)at_elf_load(self->symbols, at + 6, 2),
		.value = at_elf_load(self->symbols, at + 8, 8),
		.bytes = at_elf_load(self->symbols, at + 16, 8),
	};
	return true;
}
