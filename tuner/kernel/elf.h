/*
 * The container of an image: a little-endian 64-bit ELF file, for CUDA (a cubin) or for
 * the CPU (a shared object), and its sections. The file may have any contents: nothing
 * outside it is read.
 *
 * Threads: pure functions.
 */
#ifndef AT_KERNEL_ELF_H
#define AT_KERNEL_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The ELF type of a symbol that is a variable. */
#define AT_ELF_SYMBOL_OBJECT 1

struct at_elf_view {
	const unsigned char *data;
	size_t size;
};

struct at_elf_section {
	const char *name; /* ends inside the image */
	uint32_t type;
	uint64_t flags;
	uint64_t size; /* in the file, except for NOBITS */
	struct at_elf_view content; /* empty for NOBITS */
	uint32_t link;
};

struct at_elf {
	struct at_elf_view file;
	uint64_t sections_offset;
	uint32_t section_count;
	struct at_elf_view names; /* of sections */
	/* The first symbol table and its names; images have at most one. */
	struct at_elf_view symbols;
	struct at_elf_view symbol_names;
	size_t symbol_count;
	unsigned abi_version;
	unsigned architecture; /* of a cubin: 90 for sm_90 */
};

/* Reads the header of self->file, which the caller has set and still owns. Returns
   NULL, or why the file is not ELF. Sections can be read afterwards. */
const char *at_elf_open(struct at_elf *self);
/* The same, only for cubins. */
const char *at_elf_open_cubin(struct at_elf *self);
/* False: there is no such section, or it is truncated. */
bool at_elf_section(
	const struct at_elf *self, uint32_t index, struct at_elf_section *out);
/* Finds the section whose name is prefix followed by name. */
bool at_elf_find(const struct at_elf *self, const char *prefix, const char *name,
	struct at_elf_section *out);
struct at_elf_symbol {
	const char *name; /* NULL: it is not inside the file */
	unsigned type;
	unsigned section; /* 0: defined elsewhere */
	uint64_t value;
	uint64_t bytes;
};
/* Reads a symbol of the table; false after the last. */
bool at_elf_symbol(const struct at_elf *self, size_t index, struct at_elf_symbol *out);

/* Reads an unsigned number of `width` bytes, which the caller knows to be inside. */
uint64_t at_elf_load(struct at_elf_view view, size_t offset, unsigned width);
uint32_t at_elf_load32(struct at_elf_view view, size_t offset);
/* Makes *part a part of the whole; false if it is not inside. */
bool at_elf_cut(struct at_elf_view whole, uint64_t offset, uint64_t size,
	struct at_elf_view *part);

#endif
