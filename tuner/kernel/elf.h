/*
 * The container of a cubin: ELF of 64 bits, little-endian, for CUDA, with its sections.
 * The image is anybody's: nothing is read outside of it. Threads: pure.
 */
#ifndef AT_KERNEL_ELF_H
#define AT_KERNEL_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AT_ELF_SYMBOL_BYTES 24
#define AT_ELF_SECTION_SYMBOLS 2
#define AT_ELF_SYMBOL_OBJECT 1

struct at_elf_view {
	const unsigned char *data;
	size_t size;
};

struct at_elf_section {
	const char *name; /* terminated inside the image */
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
	struct at_elf_view names;
	unsigned abi_version;
	unsigned architecture; /* 90 for sm_90 */
};

/* self->file is the caller's. NULL, or why it is no cubin. Afterwards each section can
   be read. */
const char *at_elf_open(struct at_elf *self);
/* false: there is no such section, or it is cut short. */
bool at_elf_section(
	const struct at_elf *self, uint32_t index, struct at_elf_section *out);
/* prefix and name together are the section's name. */
bool at_elf_find(const struct at_elf *self, const char *prefix, const char *name,
	struct at_elf_section *out);
/* The first of the type; cubins have one of those that are asked for. */
bool at_elf_find_type(
	const struct at_elf *self, uint32_t type, struct at_elf_section *out);

/* The callers have checked that offset + width lies inside. */
uint64_t at_elf_load(struct at_elf_view view, size_t offset, unsigned width);
uint32_t at_elf_load32(struct at_elf_view view, size_t offset);
/* false when the part does not lie inside. */
bool at_elf_cut(struct at_elf_view whole, uint64_t offset, uint64_t size,
	struct at_elf_view *part);
/* NULL when it starts outside or has no end inside. */
const char *at_elf_text(struct at_elf_view strings, uint64_t offset);

#endif
