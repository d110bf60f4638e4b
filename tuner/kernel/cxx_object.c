/* Reads and changes the object file of a unit: shared memory and signatures. */
#include "kernel/cxx_object.h"

#include "base/memory.h"
#include "kernel/elf.h"
#include "kernel/host_dialect.h"

#include <elf.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The gap after a shared variable. Some hundred bytes catch a tile that is one row too
   short. A multiple of the cache line that is no power of two keeps similar tiles from
   competing for the same sets of the first-level cache. */
#define GAP_BYTES (17 * 64)

static enum at_status open_object(struct at_elf *self, const unsigned char *bytes,
	size_t size, struct at_error *err)
{
	const char *reason;

	*self = (struct at_elf){ .file = { bytes, size } };
	reason = at_elf_open(self);
	return reason ? at_fail(err, AT_EINVAL, NULL, 0,
				"the C++ compiler wrote an object file that is broken: %s",
				reason)
		      : AT_OK;
}

bool at_cxx_object_is_whole(const unsigned char *bytes, size_t size)
{
	struct at_elf elf;

	return !open_object(&elf, bytes, size, NULL);
}

enum at_status at_cxx_object_write_shared(const unsigned char *bytes, size_t size,
	struct at_strbuf *out, struct at_error *err)
{
	struct at_elf elf;
	struct at_elf_symbol symbol;
	bool first = true;
	enum at_status status = open_object(&elf, bytes, size, err);

	for (size_t i = 0; !status && at_elf_symbol(&elf, i, &symbol); i++) {
		if (symbol.type != STT_TLS || symbol.section != SHN_UNDEF)
			continue;
		if (!symbol.name)
			return at_fail(err, AT_EINVAL, NULL, 0,
				"the C++ compiler wrote an object file with a symbol without a name");
		/* other variables come first; the reserved space between takes no
		   memory */
		if (first)
			at_strbuf_addf(out,
				"\t.section .tbss,\"awT\",%%nobits\n\t.p2align 7\n\t.zero %lu\n",
				1ul << AT_HOST_DYNAMIC_SHIFT);
		at_strbuf_addf(out,
			"\t.globl %s\n\t.hidden %s\n\t.type %s,%%object\n%s:\n",
			symbol.name, symbol.name, symbol.name, symbol.name);
		first = false;
	}
	if (!first)
		at_strbuf_addf(out,
			"\t.zero %d\n\t.section .note.GNU-stack,\"\",%%progbits\n",
			AT_HOST_DYNAMIC_SHARED_BYTES);
	return status;
}

/* A section without contents grows by its size field alone, and the linker then places
   the next one further on. Symbols keep their sizes. A variable with an initialiser,
   which CUDA does not allow, is not moved. */
enum at_status at_cxx_object_spread_shared(
	unsigned char *bytes, size_t size, struct at_error *err)
{
	struct at_elf_section section;
	struct at_elf elf;
	enum at_status status = open_object(&elf, bytes, size, err);

	for (uint32_t i = 0; !status && i < elf.section_count; i++) {
		uint64_t at = elf.sections_offset + i * sizeof(Elf64_Shdr);

		if (!at_elf_section(&elf, i, &section) || section.type != SHT_NOBITS ||
			!(section.flags & SHF_TLS) || !section.size)
			continue;
		section.size += GAP_BYTES;
		memcpy(bytes + at + offsetof(Elf64_Shdr, sh_size), &section.size,
			sizeof(section.size));
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

/* both enums have the same order, so values need no conversion */
#define SAME_ELEMENT(symbol, name, bytes, kind, precision, largest, least) \
	_Static_assert((int)AT_HOST_ELEMENT_##symbol == (int)AT_ELEMENT_##symbol, name);
AT_ELEMENTS(SAME_ELEMENT)

void at_cxx_object_read_signature(const unsigned char *bytes, size_t size, size_t index,
	struct at_kernel_facts *facts)
{
	struct at_host_parameter parameter;
	struct at_elf_section section;
	struct at_elf elf;
	char name[64];
	uint32_t count;

	snprintf(name, sizeof(name), AT_HOST_SIGNATURE_SECTION "%zu", index);
	if (open_object(&elf, bytes, size, NULL) ||
		!at_elf_find(&elf, name, "", &section) ||
		section.content.size < sizeof(count))
		return;
	count = at_elf_load32(section.content, 0);
	if (count > (section.content.size - sizeof(count)) / sizeof(parameter))
		return;
	facts->has_parameters = true;
	facts->parameter_count = count;
	facts->parameters = at_calloc((size_t)count + 1, sizeof(*facts->parameters));
	for (uint32_t i = 0; i < count; i++) {
		memcpy(&parameter,
			section.content.data + sizeof(count) + i * sizeof(parameter),
			sizeof(parameter));
		facts->parameters[i] = (struct at_kernel_parameter){
			.kind = parameter.kind < AT_COUNT_OF(kinds)
					? kinds[parameter.kind]
					: AT_PARAMETER_NONE,
			.bytes = parameter.bytes,
			.element = parameter.element < AT_ELEMENT_COUNT
					   ? (enum at_element)parameter.element
					   : AT_ELEMENT_NONE,
		};
	}
}
