/* Reads and changes the object file of a unit: shared memory and signatures. */
#include "kernel/cxx_object.h"

#include "base/memory.h"
#include "kernel/host_dialect.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Gap behind a shared variable. Some hundred bytes catch a tile that is one row too
 * short. A whole number of cache lines that is no power of two keeps tiles of like size
 * from competing for the same sets of the first-level cache.
 */
#define GAP_BYTES (17 * 64)

struct object {
	const unsigned char *bytes;
	size_t size;
};

/* Copies record number `index` of a table; false when it lies outside the file. */
static bool get_record(const struct object *object, uint64_t offset, uint64_t index,
	void *record, size_t size)
{
	if (offset > object->size || index > (object->size - offset) / size)
		return false;
	offset += index * size;
	if (size > object->size - offset)
		return false;
	memcpy(record, object->bytes + offset, size);
	return true;
}

/* A borrowed name; NULL when it lies outside the table or does not end in it. */
static const char *get_name(
	const struct object *object, const Elf64_Shdr *strings, uint64_t offset)
{
	const char *name;

	if (strings->sh_offset > object->size ||
		strings->sh_size > object->size - strings->sh_offset ||
		offset >= strings->sh_size)
		return NULL;
	name = (const char *)object->bytes + strings->sh_offset + offset;
	return memchr(name, '\0', strings->sh_size - offset) ? name : NULL;
}

static void add_label(struct at_strbuf *out, const char *name, bool first)
{
	/* other variables lie in front; the space in between is reserved and takes no
	   memory */
	if (first)
		at_strbuf_addf(out,
			"\t.section .tbss,\"awT\",%%nobits\n\t.p2align 7\n\t.zero %lu\n",
			1ul << AT_HOST_DYNAMIC_SHIFT);
	at_strbuf_addf(out, "\t.globl %s\n\t.hidden %s\n\t.type %s,%%object\n%s:\n",
		name, name, name, name);
}

/* Writes the labels. False when the table of symbols is broken. */
static bool add_symbols(const struct object *object, const Elf64_Shdr *table,
	const Elf64_Shdr *strings, struct at_strbuf *out)
{
	bool first = true;

	for (uint64_t i = 0; i < table->sh_size / sizeof(Elf64_Sym); i++) {
		Elf64_Sym symbol;
		const char *name;

		if (!get_record(object, table->sh_offset, i, &symbol, sizeof(symbol)))
			return false;
		if (symbol.st_shndx != SHN_UNDEF ||
			ELF64_ST_TYPE(symbol.st_info) != STT_TLS)
			continue;
		name = get_name(object, strings, symbol.st_name);
		if (!name)
			return false;
		add_label(out, name, first);
		first = false;
	}
	if (!first)
		at_strbuf_addf(out,
			"\t.zero %d\n\t.section .note.GNU-stack,\"\",%%progbits\n",
			AT_HOST_DYNAMIC_SHARED_BYTES);
	return true;
}

static enum at_status fail_broken(struct at_error *err)
{
	return at_fail(err, AT_EINVAL, NULL, 0,
		"the C++ compiler wrote an object file that is cut short");
}

static enum at_status get_header(
	const struct object *object, Elf64_Ehdr *header, struct at_error *err)
{
	if (!get_record(object, 0, 0, header, sizeof(*header)) ||
		memcmp(header->e_ident, ELFMAG, SELFMAG) ||
		header->e_ident[EI_CLASS] != ELFCLASS64)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"the C++ compiler wrote no 64-bit ELF object; the device \"host\" needs one");
	return AT_OK;
}

bool at_cxx_object_is_whole(const unsigned char *bytes, size_t size)
{
	const struct object object = { bytes, size };
	Elf64_Ehdr header;
	Elf64_Shdr section;

	if (get_header(&object, &header, NULL) || !header.e_shnum)
		return false;
	for (unsigned i = 0; i < header.e_shnum; i++)
		if (!get_record(
			    &object, header.e_shoff, i, &section, sizeof(section)) ||
			(section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL &&
				(section.sh_offset > size ||
					section.sh_size > size - section.sh_offset)))
			return false;
	return true;
}

enum at_status at_cxx_object_write_shared(const unsigned char *bytes, size_t size,
	struct at_strbuf *out, struct at_error *err)
{
	const struct object object = { bytes, size };
	Elf64_Ehdr header;
	Elf64_Shdr section, strings;
	enum at_status status = get_header(&object, &header, err);

	for (unsigned i = 0; !status && i < header.e_shnum; i++) {
		if (!get_record(&object, header.e_shoff, i, &section, sizeof(section)))
			return fail_broken(err);
		if (section.sh_type != SHT_SYMTAB)
			continue;
		if (!get_record(&object, header.e_shoff, section.sh_link, &strings,
			    sizeof(strings)) ||
			!add_symbols(&object, &section, &strings, out))
			return fail_broken(err);
	}
	return status;
}

/*
 * A section without contents becomes longer by its size alone, and the linker then
 * places the next one further behind. Symbols keep their sizes. A variable with an
 * initialiser, which CUDA does not allow, keeps its place.
 */
enum at_status at_cxx_object_spread_shared(
	unsigned char *bytes, size_t size, struct at_error *err)
{
	const struct object object = { bytes, size };
	Elf64_Ehdr header;
	Elf64_Shdr section;
	enum at_status status = get_header(&object, &header, err);

	for (unsigned i = 0; !status && i < header.e_shnum; i++) {
		if (!get_record(&object, header.e_shoff, i, &section, sizeof(section)))
			return fail_broken(err);
		if (section.sh_type != SHT_NOBITS || !(section.sh_flags & SHF_TLS) ||
			!section.sh_size)
			continue;
		section.sh_size += GAP_BYTES;
		memcpy(bytes + header.e_shoff + i * sizeof(section), &section,
			sizeof(section));
	}
	return status;
}

static const enum at_parameter_kind kinds[] = {
	[AT_HOST_PARAMETER_UNKNOWN] = AT_PARAMETER_NONE,
	[AT_HOST_PARAMETER_POINTER] = AT_PARAMETER_POINTER,
	[AT_HOST_PARAMETER_INTEGER] = AT_PARAMETER_INTEGER,
	[AT_HOST_PARAMETER_REAL] = AT_PARAMETER_REAL,
	[AT_HOST_PARAMETER_OBJECT] = AT_PARAMETER_OBJECT,
	[AT_HOST_PARAMETER_CONST_POINTER] = AT_PARAMETER_CONST_POINTER,
};

/* the two have the same order: they are not converted */
#define SAME_ELEMENT(symbol, name, bytes, kind, precision, largest, least) \
	_Static_assert((int)AT_HOST_ELEMENT_##symbol == (int)AT_ELEMENT_##symbol, name);
AT_ELEMENTS(SAME_ELEMENT)

/*
 * Finds a section with contents; false when there is none, or a table lies outside the
 * file.
 */
static bool find_section(const struct object *object, const char *name, Elf64_Shdr *out)
{
	Elf64_Ehdr header;
	Elf64_Shdr strings;

	if (!get_record(object, 0, 0, &header, sizeof(header)) ||
		!get_record(object, header.e_shoff, header.e_shstrndx, &strings,
			sizeof(strings)))
		return false;
	for (unsigned i = 0; i < header.e_shnum; i++) {
		const char *found;

		if (!get_record(object, header.e_shoff, i, out, sizeof(*out)))
			return false;
		found = get_name(object, &strings, out->sh_name);
		if (found && !strcmp(found, name))
			return out->sh_type == SHT_PROGBITS;
	}
	return false;
}

void at_cxx_object_read_signature(const unsigned char *bytes, size_t size, size_t index,
	struct at_kernel_facts *facts)
{
	const struct object object = { bytes, size };
	struct at_host_parameter parameter;
	Elf64_Shdr section;
	char name[64];
	uint32_t count;

	snprintf(name, sizeof(name), AT_HOST_SIGNATURE_SECTION "%zu", index);
	if (!find_section(&object, name, &section) ||
		!get_record(&object, section.sh_offset, 0, &count, sizeof(count)) ||
		section.sh_size < sizeof(count) || section.sh_size > size ||
		count > (section.sh_size - sizeof(count)) / sizeof(parameter))
		return;
	facts->parameters = at_calloc((size_t)count + 1, sizeof(*facts->parameters));
	for (uint32_t i = 0; i < count; i++) {
		if (!get_record(&object, section.sh_offset + sizeof(count), i,
			    &parameter, sizeof(parameter)))
			break;
		facts->parameters[facts->parameter_count++] =
			(struct at_kernel_parameter){
				.kind = parameter.kind < AT_COUNT_OF(kinds)
						? kinds[parameter.kind]
						: AT_PARAMETER_NONE,
				.bytes = parameter.bytes,
				.element = parameter.element < AT_ELEMENT_COUNT
						   ? (enum at_element)parameter.element
						   : AT_ELEMENT_NONE,
			};
	}
	facts->has_parameters = facts->parameter_count == count;
}
