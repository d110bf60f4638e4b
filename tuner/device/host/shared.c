/*
 * Finds shared memory in an image, which is its thread-local data (PT_TLS) in the ELF
 * file.
 */
#include "device/host/shared.h"
#include "base/memory.h"
#include "kernel/elf.h"
#include "kernel/host_dialect.h"

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

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

/*
 * Finds the segment of thread-local data; *segment is all zero if none exists.
 * False when a segment is cut short.
 */
static bool find_segment(const struct at_elf *elf, Elf64_Phdr *segment)
{
	uint64_t at = at_elf_load(elf->file, offsetof(Elf64_Ehdr, e_phoff), 8);
	uint64_t count = at_elf_load(elf->file, offsetof(Elf64_Ehdr, e_phnum), 2);

	memset(segment, 0, sizeof(*segment));
	for (; count; count--, at += sizeof(*segment)) {
		struct at_elf_view header, content;
		Elf64_Phdr each;

		if (!at_elf_cut(elf->file, at, sizeof(each), &header))
			return false;
		memcpy(&each, header.data, sizeof(each));
		if (!at_elf_cut(elf->file, each.p_offset, each.p_filesz, &content))
			return false;
		if (each.p_type == PT_TLS)
			*segment = each;
	}
	return true;
}

static void list_variables(const struct at_elf *elf, struct pieces *pieces)
{
	struct at_elf_section table;

	at_elf_find_type(elf, AT_ELF_SECTION_SYMBOLS, &table);
	for (size_t at = 0; table.content.size - at >= sizeof(Elf64_Sym);
		at += sizeof(Elf64_Sym)) {
		Elf64_Sym symbol;

		memcpy(&symbol, table.content.data + at, sizeof(symbol));
		if (ELF64_ST_TYPE(symbol.st_info) != STT_TLS ||
			symbol.st_value >= AT_HOST_STATIC_SHARED_BYTES)
			continue;
		AT_GROW(pieces->items, pieces->capacity, pieces->count + 1);
		pieces->items[pieces->count++] = (struct piece){ symbol.st_value,
			symbol.st_value + symbol.st_size };
	}
}

static int compare_pieces(const void *left, const void *right)
{
	const struct piece *a = left, *b = right;

	return (a->first > b->first) - (a->first < b->first);
}

/* Finds the parts up to the end of the last variable that no variable covers. */
static void find_gaps(struct pieces *pieces, struct at_host_shared *out)
{
	size_t end = 0;

	if (!pieces->count)
		return;
	out->gaps = at_calloc(pieces->count, sizeof(*out->gaps));
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
	struct at_elf elf = { .file = { bytes, size } };
	struct pieces pieces = { 0 };
	Elf64_Phdr segment;

	if (at_elf_open(&elf) || !find_segment(&elf, &segment))
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
	list_variables(&elf, &pieces);
	find_gaps(&pieces, out);
	free(pieces.items);
	/* variables so large that they were taken for dynamic shared memory above */
	return out->static_bytes > AT_HOST_STATIC_SHARED_BYTES ? refuse_size(out, err)
							       : AT_OK;
}

void at_host_shared_release(struct at_host_shared *self)
{
	free(self->gaps);
	*self = (struct at_host_shared){ 0 };
}
