/*
 * Finds shared memory in an image, which is its thread-local data (PT_TLS) in the ELF
 * file.
 */
#include "device/host/shared.h"
#include "base/memory.h"
#include "kernel/host_dialect.h"

#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct image {
	const unsigned char *bytes;
	size_t size;
};

/* Where a variable lies in shared memory. */
struct piece {
	size_t first;
	size_t end;
};

struct pieces {
	struct piece *items;
	size_t count;
	size_t capacity;
};

/* Copies record number `index` of a table; false when it lies outside the file. */
static bool get_record(const struct image *image, uint64_t offset, uint64_t index,
	void *record, size_t size)
{
	if (offset > image->size || index >= (image->size - offset) / size)
		return false;
	memcpy(record, image->bytes + offset + index * size, size);
	return true;
}

/*
 * Finds the segment of thread-local data; *segment is all zero when there is none.
 * False when the file is cut short.
 */
static bool read_segments(
	const struct image *image, const Elf64_Ehdr *header, Elf64_Phdr *segment)
{
	memset(segment, 0, sizeof(*segment));
	for (unsigned i = 0; i < header->e_phnum; i++) {
		Elf64_Phdr each;

		if (!get_record(image, header->e_phoff, i, &each, sizeof(each)) ||
			each.p_offset > image->size ||
			each.p_filesz > image->size - each.p_offset)
			return false;
		if (each.p_type == PT_TLS)
			*segment = each;
	}
	return true;
}

/*
 * Collects the variables. The loader does not use this table of symbols, so a broken
 * one is no error: it is read as far as it goes.
 */
static enum at_status read_symbols(const struct image *image, const Elf64_Ehdr *header,
	struct pieces *pieces, struct at_error *err)
{
	for (unsigned i = 0; i < header->e_shnum; i++) {
		Elf64_Shdr section;

		if (!get_record(image, header->e_shoff, i, &section, sizeof(section)))
			break;
		if (section.sh_type != SHT_SYMTAB)
			continue;
		for (uint64_t j = 0; j < section.sh_size / sizeof(Elf64_Sym); j++) {
			Elf64_Sym symbol;

			if (!get_record(image, section.sh_offset, j, &symbol,
				    sizeof(symbol)))
				break;
			if (ELF64_ST_TYPE(symbol.st_info) != STT_TLS ||
				symbol.st_value >= AT_HOST_STATIC_SHARED_BYTES)
				continue;
			if (AT_RESERVE(pieces->items, pieces->capacity,
				    pieces->count + 1, NULL))
				return at_fail_memory(err);
			pieces->items[pieces->count++] =
				(struct piece){ symbol.st_value,
					symbol.st_value + symbol.st_size };
		}
	}
	return AT_OK;
}

static int compare_pieces(const void *left, const void *right)
{
	const struct piece *a = left, *b = right;

	return (a->first > b->first) - (a->first < b->first);
}

/* Finds the parts up to the end of the last variable that no variable covers. */
static enum at_status find_gaps(
	struct pieces *pieces, struct at_host_shared *out, struct at_error *err)
{
	size_t end = 0;

	if (!pieces->count)
		return AT_OK;
	out->gaps = calloc(pieces->count, sizeof(*out->gaps));
	if (!out->gaps)
		return at_fail_memory(err);
	qsort(pieces->items, pieces->count, sizeof(*pieces->items), compare_pieces);
	for (size_t i = 0; i < pieces->count; i++) {
		const struct piece *piece = &pieces->items[i];

		if (piece->first > end)
			out->gaps[out->gap_count++] =
				(struct at_host_gap){ end, piece->first - end };
		if (piece->end > end)
			end = piece->end;
	}
	/* not the padding that the segment has behind its last variable */
	out->static_bytes = end;
	return AT_OK;
}

static enum at_status refuse_size(
	const struct at_host_shared *shared, struct at_error *err)
{
	return at_fail(err, AT_EINVAL, NULL, 0,
		"the __shared__ variables of this unit take %zu bytes, more than the %zu that there is room for",
		shared->static_bytes, (size_t)AT_HOST_STATIC_SHARED_BYTES);
}

enum at_status at_host_shared_read(const unsigned char *bytes, size_t size,
	struct at_host_shared *out, struct at_error *err)
{
	const struct image image = { bytes, size };
	struct pieces pieces = { 0 };
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	enum at_status status;

	if (!get_record(&image, 0, 0, &header, sizeof(header)) ||
		memcmp(header.e_ident, ELFMAG, SELFMAG) ||
		!read_segments(&image, &header, &segment))
		return at_fail(err, AT_EINVAL, NULL, 0,
			"this is no shared object, or one that is cut short at %zu bytes",
			size);
	out->alignment = segment.p_align ? segment.p_align : 1;
	out->static_bytes = segment.p_memsz;
	/* dynamic shared memory is at the end of the segment, declared as large as it
	   can be */
	if (segment.p_memsz >=
		((size_t)1 << AT_HOST_DYNAMIC_SHIFT) + AT_HOST_DYNAMIC_SHARED_BYTES) {
		out->dynamic_offset = segment.p_memsz - AT_HOST_DYNAMIC_SHARED_BYTES;
		out->static_bytes =
			out->dynamic_offset - ((size_t)1 << AT_HOST_DYNAMIC_SHIFT);
	}
	if (segment.p_memsz > ((size_t)1 << AT_HOST_DYNAMIC_SHIFT) +
				      AT_HOST_STATIC_SHARED_BYTES +
				      AT_HOST_DYNAMIC_SHARED_BYTES ||
		out->static_bytes > AT_HOST_STATIC_SHARED_BYTES)
		return refuse_size(out, err);
	status = read_symbols(&image, &header, &pieces, err);
	if (!status)
		status = find_gaps(&pieces, out, err);
	/* variables so large that they were taken for dynamic shared memory above */
	if (!status && out->static_bytes > AT_HOST_STATIC_SHARED_BYTES)
		status = refuse_size(out, err);
	free(pieces.items);
	return status;
}

void at_host_shared_release(struct at_host_shared *self)
{
	free(self->gaps);
	*self = (struct at_host_shared){ 0 };
}
