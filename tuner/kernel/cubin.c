#include "kernel/cubin.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ELF64 (System V ABI), little-endian, machine "CUDA". */
#define ELF_HEADER_BYTES 64
#define ELF_SECTION_BYTES 64
#define ELF_SEGMENT_BYTES 56
#define ELF_SYMBOL_BYTES 24
#define ELF_MACHINE_CUDA 190
#define ELF_SECTION_NULL 0
#define ELF_SECTION_SYMBOLS 2
#define ELF_SECTION_NOBITS 8
#define ELF_SYMBOL_OBJECT 1

/* Where ptxas puts what lies in global memory: ".nv.global", ".nv.global.init" for what
   has initial values; and what __constant__ names. */
#define VARIABLES_PREFIX ".nv.global"
#define CONSTANTS ".nv.constant3"

/*
 * Attributes in .nv.info sections: a byte for the format, a byte for the kind,
 * two bytes that are the value itself or the size of what follows. The numbers
 * are those that readers of cubins agree upon; each was held against what
 * `ptxas -v` says for sm_80, sm_90 and sm_120.
 */
#define FORMAT_SIZED 4
#define KIND_MAX_THREADS 0x05 /* 3 x u32: of __launch_bounds__ */
#define KIND_REQUIRED_THREADS 0x10 /* 3 x u32: the only block that may launch */
#define KIND_PARAMETER \
	0x17 /* u32, u16 ordinal, u16 offset, u32: size in the top 14 bits */
#define KIND_PARAMETERS_BYTES 0x19 /* the value: of all parameters, gaps included */
#define KIND_PARAMETER_LARGE \
	0x45 /* the same with a u32 size, beside one above 4 KiB \
	      */
#define KIND_FRAME_BYTES 0x11 /* u32 symbol, u32 */
#define KIND_STACK_BYTES 0x12 /* u32 symbol, u32: callees included */
#define KIND_REGISTERS 0x2f /* u32 symbol, u32 */
#define KIND_BARRIERS 0x4c /* the value is the low byte */

/* CUDA lets a kernel have 32764 bytes of parameters, and none is empty. */
#define PARAMETER_BYTES_LIMIT 32764

/* Since sm_90 a kernel's shared section begins with what the driver keeps. */
#define RESERVED_SHARED_BYTES 1024
#define RESERVED_SHARED_SINCE 90

struct view {
	const unsigned char *data;
	size_t size;
};

struct section {
	const char *name; /* terminated inside the image */
	uint32_t type;
	uint64_t flags;
	uint64_t size; /* in the file, except for NOBITS */
	struct view content; /* empty for NOBITS */
	uint32_t link;
};

struct cubin {
	struct view file;
	uint64_t sections_offset;
	uint32_t section_count;
	struct view names;
	unsigned abi_version;
	unsigned architecture; /* 90 for sm_90 */
};

/* ---- bytes -------------------------------------------------------------- */

/* The callers have checked that offset + width lies inside. */
static uint64_t load(struct view view, size_t offset, unsigned width)
{
	uint64_t value = 0;

	for (unsigned i = width; i-- > 0;)
		value = value << 8 | view.data[offset + i];
	return value;
}

static uint32_t load32(struct view view, size_t offset)
{
	return (uint32_t)load(view, offset, 4);
}

/* false when the part does not lie inside. */
static bool cut(struct view whole, uint64_t offset, uint64_t size, struct view *part)
{
	if (offset > whole.size || size > whole.size - offset)
		return false;
	part->data = whole.data + offset;
	part->size = (size_t)size;
	return true;
}

/* NULL when it starts outside or has no end inside. */
static const char *text_at(struct view strings, uint64_t offset)
{
	if (offset >= strings.size ||
		!memchr(strings.data + offset, '\0', strings.size - (size_t)offset))
		return NULL;
	return (const char *)strings.data + offset;
}

/* ---- sections ----------------------------------------------------------- */

static bool read_section(const struct cubin *cubin, uint32_t index, struct section *out)
{
	struct view header;

	if (index >= cubin->section_count ||
		!cut(cubin->file,
			cubin->sections_offset + (uint64_t)index * ELF_SECTION_BYTES,
			ELF_SECTION_BYTES, &header))
		return false;
	memset(out, 0, sizeof(*out));
	out->type = load32(header, 4);
	out->flags = load(header, 8, 8);
	out->size = load(header, 32, 8);
	out->link = load32(header, 40);
	out->name = cubin->names.size ? text_at(cubin->names, load32(header, 0)) : "";
	if (!out->name)
		return false;
	if (out->type == ELF_SECTION_NULL || out->type == ELF_SECTION_NOBITS)
		return true;
	return cut(cubin->file, load(header, 24, 8), out->size, &out->content);
}

/* The ABI's version says where the flags hold the architecture: 7 is CUDA 12 and
   before, 8 is CUDA 13. */
static unsigned read_architecture(const struct cubin *cubin)
{
	uint32_t flags = load32(cubin->file, 48);

	return cubin->abi_version >= 8 ? flags >> 8 & 0xffff : flags & 0xff;
}

static const char *open_cubin(struct cubin *cubin)
{
	static const unsigned char start[] = { 0x7f, 'E', 'L', 'F', 2, 1, 1 };
	struct view file = cubin->file, part;
	struct section names;
	uint32_t name_index;

	if (file.size < ELF_HEADER_BYTES)
		return "too short for an ELF header";
	if (memcmp(file.data, start, sizeof(start)) != 0 ||
		load(file, 18, 2) != ELF_MACHINE_CUDA)
		return "not a 64-bit ELF file for CUDA";
	cubin->abi_version = file.data[8];
	cubin->architecture = read_architecture(cubin);
	cubin->sections_offset = load(file, 40, 8);
	cubin->section_count = (uint32_t)load(file, 60, 2);
	name_index = (uint32_t)load(file, 62, 2);
	if (load(file, 58, 2) != ELF_SECTION_BYTES || !cubin->section_count)
		return "no sections of the expected size";
	if (!cut(file, cubin->sections_offset,
		    (uint64_t)cubin->section_count * ELF_SECTION_BYTES, &part) ||
		!cut(file, load(file, 32, 8), load(file, 56, 2) * ELF_SEGMENT_BYTES,
			&part))
		return "cut short";
	if (!read_section(cubin, name_index, &names) || !names.content.size)
		return "no section names";
	cubin->names = names.content;
	for (uint32_t i = 0; i < cubin->section_count; i++)
		if (!read_section(cubin, i, &names))
			return "cut short";
	return NULL;
}

/* prefix and name together are the section's name. */
static bool find_section(const struct cubin *cubin, const char *prefix,
	const char *name, struct section *out)
{
	size_t length = strlen(prefix);

	for (uint32_t i = 0; i < cubin->section_count; i++)
		if (read_section(cubin, i, out) &&
			!strncmp(out->name, prefix, length) &&
			!strcmp(out->name + length, name))
			return true;
	return false;
}

/* ---- attributes --------------------------------------------------------- */

struct attribute {
	unsigned kind;
	unsigned value; /* where it has no payload */
	struct view payload;
};

/* Takes the next one off the front of rest; false at the end or when cut short. */
static bool next_attribute(struct view *rest, struct attribute *out)
{
	size_t used = 4;

	if (rest->size < 4)
		return false;
	out->kind = rest->data[1];
	out->value = (unsigned)load(*rest, 2, 2);
	out->payload.data = NULL;
	out->payload.size = 0;
	if (rest->data[0] == FORMAT_SIZED) {
		if (!cut(*rest, 4, out->value, &out->payload))
			return false;
		used += out->value;
	}
	rest->data += used;
	rest->size -= used;
	return true;
}

/* Whether symbol number index of the table that info is linked to has this name. */
static bool symbol_is(const struct cubin *cubin, const struct section *info,
	uint32_t index, const char *name)
{
	struct section symbols, strings;
	struct view symbol;
	const char *text;

	if (!read_section(cubin, info->link, &symbols) ||
		!read_section(cubin, symbols.link, &strings) ||
		!cut(symbols.content, (uint64_t)index * ELF_SYMBOL_BYTES,
			ELF_SYMBOL_BYTES, &symbol))
		return false;
	text = text_at(strings.content, load32(symbol, 0));
	return text && !strcmp(text, name);
}

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* .nv.info: one list for all kernels, each attribute with its symbol. */
static void read_common_attributes(
	const struct cubin *cubin, struct at_kernel_facts *facts)
{
	struct attribute attribute;
	struct section info;
	struct view rest;

	if (!find_section(cubin, ".nv.info", "", &info))
		return;
	rest = info.content;
	while (next_attribute(&rest, &attribute)) {
		if (attribute.payload.size < 8 ||
			!symbol_is(cubin, &info, load32(attribute.payload, 0),
				facts->symbol))
			continue;
		if (attribute.kind == KIND_REGISTERS)
			facts->registers = load32(attribute.payload, 4);
		if (attribute.kind == KIND_FRAME_BYTES ||
			attribute.kind == KIND_STACK_BYTES)
			facts->local_bytes = larger(
				facts->local_bytes, load32(attribute.payload, 4));
	}
}

static int64_t threads_of(struct view payload)
{
	uint64_t threads = 1;

	for (size_t i = 0; i < 3; i++) {
		uint32_t extent = load32(payload, 4 * i);

		/* no block is wider; keeps the product far from overflow */
		if (extent == 0 || extent > 65535)
			return 0;
		threads *= extent;
	}
	return (int64_t)threads;
}

/* .nv.info.KERNEL */
static void read_own_attributes(
	const struct cubin *cubin, struct at_kernel_facts *facts)
{
	struct attribute attribute;
	struct section info;
	struct view rest;

	if (!find_section(cubin, ".nv.info.", facts->symbol, &info))
		return;
	facts->max_threads = 0;
	rest = info.content;
	while (next_attribute(&rest, &attribute)) {
		if ((attribute.kind == KIND_MAX_THREADS ||
			    attribute.kind == KIND_REQUIRED_THREADS) &&
			attribute.payload.size >= 12)
			facts->max_threads = threads_of(attribute.payload);
		if (attribute.kind == KIND_BARRIERS && !attribute.payload.data)
			facts->barriers = attribute.value & 0xff;
	}
}

static int64_t shared_bytes(const struct cubin *cubin, const char *symbol)
{
	struct section shared;
	uint64_t size = 0;

	if (find_section(cubin, ".nv.shared.", symbol, &shared))
		size = shared.size;
	if (cubin->architecture >= RESERVED_SHARED_SINCE &&
		size >= RESERVED_SHARED_BYTES)
		size -= RESERVED_SHARED_BYTES;
	return size <= INT32_MAX ? (int64_t)size : -1;
}

enum at_status at_cubin_read(const unsigned char *image, size_t size,
	struct at_kernel_facts *facts, struct at_error *err)
{
	struct cubin cubin = { .file = { image, size } };
	struct section code, constants;
	const char *reason = open_cubin(&cubin);

	if (reason)
		return at_fail(err, AT_EINVAL, NULL, 0, "this is no cubin: %s", reason);
	if (!find_section(&cubin, ".text.", facts->symbol, &code))
		return at_fail(err, AT_ENOENT, NULL, 0,
			"no kernel \"%s\" in this cubin", facts->symbol);
	facts->registers = -1;
	facts->local_bytes = -1;
	facts->max_threads = -1;
	/* where CUDA 12 keeps them; CUDA 13 leaves zeros and has an attribute */
	facts->barriers = (int64_t)(code.flags >> 20 & 0x7f);
	facts->shared_bytes = shared_bytes(&cubin, facts->symbol);
	facts->constant_bytes = 0;
	if (find_section(&cubin, ".nv.constant3", "", &constants))
		facts->constant_bytes = (int64_t)constants.content.size;
	read_common_attributes(&cubin, facts);
	read_own_attributes(&cubin, facts);
	return AT_OK;
}

/* ---- parameters --------------------------------------------------------- */

struct parameter {
	uint32_t ordinal;
	uint32_t offset;
	uint32_t bytes;
};

struct parameters {
	struct parameter *items; /* as they stand in the file: in any order */
	size_t count;
	size_t capacity;
	uint32_t bytes; /* of all, as the cubin says; 0: it does not */
};

static enum at_status list_parameters(
	const struct section *info, struct parameters *out, struct at_error *err)
{
	struct view rest = info->content;
	struct attribute attribute;
	enum at_status status;

	while (next_attribute(&rest, &attribute)) {
		bool is_large = attribute.kind == KIND_PARAMETER_LARGE;

		if (attribute.kind == KIND_PARAMETERS_BYTES && !attribute.payload.data)
			out->bytes = attribute.value;
		if ((attribute.kind != KIND_PARAMETER && !is_large) ||
			attribute.payload.size < 12)
			continue;
		status = AT_RESERVE(out->items, out->capacity, out->count + 1, err);
		if (status)
			return status;
		out->items[out->count++] = (struct parameter){
			.ordinal = (uint32_t)load(attribute.payload, 4, 2),
			.offset = (uint32_t)load(attribute.payload, 6, 2),
			.bytes = load32(attribute.payload, 8) >> (is_large ? 0 : 18),
		};
	}
	return AT_OK;
}

static int by_ordinal(const void *a, const void *b)
{
	const struct parameter *one = a, *other = b;

	return (one->ordinal > other->ordinal) - (one->ordinal < other->ordinal);
}

/*
 * Whether the list is one of a kernel: each place once, one behind the other, and all
 * of them as long as the cubin says. A kernel would be refused for what is told here:
 * attributes that a later toolkit means in another way must not be taken for these.
 */
static bool adds_up(const struct parameters *self)
{
	uint32_t end = 0;

	for (size_t i = 0; i < self->count; i++) {
		const struct parameter *item = &self->items[i];

		if (item->ordinal != i || item->offset < end || !item->bytes ||
			item->bytes > PARAMETER_BYTES_LIMIT)
			return false;
		end = item->offset + item->bytes;
	}
	return self->count && end == self->bytes;
}

enum at_status at_cubin_read_parameters(const unsigned char *image, size_t size,
	struct at_kernel_facts *facts, struct at_error *err)
{
	struct cubin cubin = { .file = { image, size } };
	struct parameters found = { 0 };
	struct section info;
	const char *reason = open_cubin(&cubin);
	enum at_status status;

	if (reason)
		return at_fail(err, AT_EINVAL, NULL, 0, "this is no cubin: %s", reason);
	if (!find_section(&cubin, ".nv.info.", facts->symbol, &info))
		return AT_OK;
	status = list_parameters(&info, &found, err);
	if (!status && found.count)
		qsort(found.items, found.count, sizeof(*found.items), by_ordinal);
	if (!status && adds_up(&found)) {
		facts->parameters = calloc(found.count, sizeof(*facts->parameters));
		if (facts->parameters) {
			facts->has_parameters = true;
			facts->parameter_count = found.count;
			for (size_t i = 0; i < found.count; i++)
				facts->parameters[i].bytes = found.items[i].bytes;
		} else {
			status = at_fail_memory(err);
		}
	}
	free(found.items);
	return status;
}

/* ---- variables ---------------------------------------------------------- */

/* The first of the type; cubins have one of those that are asked for. */
static bool find_type(const struct cubin *cubin, uint32_t type, struct section *out)
{
	for (uint32_t i = 0; i < cubin->section_count; i++)
		if (read_section(cubin, i, out) && out->type == type)
			return true;
	*out = (struct section){ 0 };
	return false;
}

/*
 * Appends the objects of one section to out[0..*count), which has room. false: the
 * symbol table says what cannot be.
 */
static bool read_variables_of(const struct cubin *cubin, uint32_t index,
	const struct section *section, struct at_cubin_variable *out, size_t *count)
{
	struct section symbols = { 0 }, strings = { 0 };
	size_t first = *count;

	if (find_type(cubin, ELF_SECTION_SYMBOLS, &symbols) &&
		!read_section(cubin, symbols.link, &strings))
		return false;
	for (size_t at = 0; symbols.content.size - at >= ELF_SYMBOL_BYTES;
		at += ELF_SYMBOL_BYTES) {
		const char *name =
			text_at(strings.content, load32(symbols.content, at));
		uint64_t offset = load(symbols.content, at + 8, 8);
		uint64_t bytes = load(symbols.content, at + 16, 8);

		if ((symbols.content.data[at + 4] & 0xf) != ELF_SYMBOL_OBJECT ||
			load(symbols.content, at + 6, 2) != index)
			continue;
		if (!name || offset > section->size || bytes > section->size - offset)
			return false;
		out[(*count)++] = (struct at_cubin_variable){ name, bytes };
	}
	/* the compiler's own constants have no names, and no kernel can take an address
	   of them */
	if (*count == first && strcmp(section->name, CONSTANTS) != 0)
		out[(*count)++] = (struct at_cubin_variable){ "", section->size };
	return true;
}

enum at_status at_cubin_variables(const unsigned char *image, size_t size,
	struct at_cubin_variable **out, size_t *count, struct at_error *err)
{
	struct cubin cubin = { .file = { image, size } };
	const char *reason = open_cubin(&cubin);
	struct at_cubin_variable *variables;
	struct section section = { 0 };
	size_t room = 0, found = 0;

	if (reason)
		return at_fail(err, AT_EINVAL, NULL, 0, "this is no cubin: %s", reason);
	/* no symbol is of two sections, and a section without any takes one place */
	if (find_type(&cubin, ELF_SECTION_SYMBOLS, &section))
		room = section.content.size / ELF_SYMBOL_BYTES;
	room += cubin.section_count;
	variables = calloc(room, sizeof(*variables));
	if (!variables)
		return at_fail_memory(err);
	for (uint32_t i = 0; i < cubin.section_count; i++) {
		if (!read_section(&cubin, i, &section) || section.size == 0 ||
			(strncmp(section.name, VARIABLES_PREFIX,
				 strlen(VARIABLES_PREFIX)) != 0 &&
				strcmp(section.name, CONSTANTS) != 0))
			continue;
		if (read_variables_of(&cubin, i, &section, variables, &found))
			continue;
		free(variables);
		return at_fail(err, AT_EINVAL, NULL, 0,
			"this is no cubin: a variable is not where its section is");
	}
	*out = variables;
	*count = found;
	return AT_OK;
}

/* ---- the log of ptxas --------------------------------------------------- */

static bool starts_with(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

static const char *line_end(const char *line)
{
	return line + strcspn(line, "\n");
}

/* The line after "Function properties for SYMBOL", or NULL. */
static const char *properties_of(const char *log, const char *symbol)
{
	static const char title[] = "Function properties for ";
	size_t length = strlen(symbol);

	while ((log = strstr(log, title)) != NULL) {
		log += strlen(title);
		if (!strncmp(log, symbol, length) && log[length] == '\n')
			return log + length + 1;
	}
	return NULL;
}

void at_cubin_read_spills(const char *log, struct at_kernel_facts *facts)
{
	const char *line = properties_of(log, facts->symbol);
	int64_t frame, stores, loads;

	if (!line)
		return;
	/* "ptxas         .     0 bytes stack frame, ..." or only blanks in front */
	if (starts_with(line, "ptxas"))
		line += strlen("ptxas");
	line += strspn(line, " .\t");
	if (sscanf(line,
		    "%" SCNd64 " bytes stack frame, %" SCNd64
		    " bytes spill stores, %" SCNd64 " bytes spill loads",
		    &frame, &stores, &loads) != 3)
		return;
	facts->spill_store_bytes = stores;
	facts->spill_load_bytes = loads;
}

static bool is_information(const char *line)
{
	const char *at = line;

	if (starts_with(line, "ptxas info"))
		return true;
	if (starts_with(at, "ptxas "))
		at += strlen("ptxas ");
	if (*at != ' ')
		return false;
	at += strspn(at, " .");
	at += strspn(at, "0123456789");
	return starts_with(at, " bytes stack frame,");
}

char *at_cubin_strip_log(const char *log)
{
	struct at_strbuf kept = { 0 };

	while (*log) {
		const char *end = line_end(log);

		if (*end)
			end++;
		if (!is_information(log))
			at_strbuf_add_bytes(&kept, log, (size_t)(end - log));
		log = end;
	}
	/* blank lines alone are nothing that was said */
	if (kept.data && !kept.data[strspn(kept.data, " \n")])
		at_strbuf_clear(&kept);
	return at_strbuf_detach(&kept);
}
