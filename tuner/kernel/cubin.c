/* Reads registers, memory, parameters and variables of kernels from a cubin, and types
   of parameters from the kernel's name. */
#include "kernel/cubin.h"
#include "base/memory.h"
#include "kernel/elf.h"
#include "kernel/ptx.h"

#include <stdlib.h>
#include <string.h>

/* The sections of ptxas for variables in global memory (".nv.global", and
   ".nv.global.init" with initial values), and for __constant__ variables. */
#define VARIABLES_PREFIX ".nv.global"
#define CONSTANTS ".nv.constant3"

/* Attributes in .nv.info sections: one byte for the format, one for the kind, and two
   bytes that are the value itself or the size of the payload that follows. Other
   readers of cubins use the same numbers; each was compared with the report of `ptxas
   -v` for sm_80, sm_90 and sm_120. */
#define FORMAT_SIZED 4
#define KIND_MAX_THREADS 0x05 /* 3 x u32, from __launch_bounds__ */
/* 3 x u32: the only block size that may be launched */
#define KIND_REQUIRED_THREADS 0x10
#define KIND_PARAMETER \
	0x17 /* u32, u16 ordinal, u16 offset, u32: size in the top 14 bits */
#define KIND_PARAMETERS_BYTES 0x19 /* the value: bytes of all parameters with gaps */
#define KIND_PARAMETER_LARGE \
	0x45 /* the same with a u32 size, in kernels with a parameter above 4 KiB */
#define KIND_FRAME_BYTES 0x11 /* u32 symbol, u32 */
#define KIND_STACK_BYTES 0x12 /* u32 symbol, u32: with called functions */
#define KIND_REGISTERS 0x2f /* u32 symbol, u32 */
#define KIND_BARRIERS 0x4c /* the value is the low byte */

/* CUDA allows 32764 bytes of kernel parameters, and no parameter is empty. */
#define PARAMETER_BYTES_LIMIT 32764

/* Since sm_90 a kernel's shared section begins with memory reserved by the driver. */
#define RESERVED_SHARED_BYTES 1024
#define RESERVED_SHARED_SINCE 90

/* ---- attributes --------------------------------------------------------- */

struct attribute {
	unsigned kind;
	unsigned value; /* of an attribute without a payload */
	struct at_elf_view payload;
};

/* Takes the next attribute off the front of rest. False at the end or if truncated. */
static bool next_attribute(struct at_elf_view *rest, struct attribute *out)
{
	size_t used = 4;

	if (rest->size < 4)
		return false;
	out->kind = rest->data[1];
	out->value = (unsigned)at_elf_load(*rest, 2, 2);
	out->payload.data = NULL;
	out->payload.size = 0;
	if (rest->data[0] == FORMAT_SIZED) {
		if (!at_elf_cut(*rest, 4, out->value, &out->payload))
			return false;
		used += out->value;
	}
	rest->data += used;
	rest->size -= used;
	return true;
}

/* Reads .nv.info: one list for all kernels; each attribute names a kernel's symbol. */
static void read_common_attributes(
	const struct at_elf *cubin, struct at_kernel_facts *facts)
{
	struct attribute attribute;
	struct at_elf_symbol symbol;
	struct at_elf_section info;
	struct at_elf_view rest;
	int64_t number;

	if (!at_elf_find(cubin, ".nv.info", "", &info))
		return;
	rest = info.content;
	while (next_attribute(&rest, &attribute)) {
		if (attribute.payload.size < 8 ||
			!at_elf_symbol(
				cubin, at_elf_load32(attribute.payload, 0), &symbol) ||
			!symbol.name || strcmp(symbol.name, facts->symbol) != 0)
			continue;
		number = at_elf_load32(attribute.payload, 4);
		if (attribute.kind == KIND_REGISTERS)
			facts->registers = number;
		if ((attribute.kind == KIND_FRAME_BYTES ||
			    attribute.kind == KIND_STACK_BYTES) &&
			number > facts->local_bytes)
			facts->local_bytes = number;
	}
}

static int64_t threads_of(struct at_elf_view payload)
{
	uint64_t threads = 1;

	for (size_t i = 0; i < 3; i++) {
		uint32_t extent = at_elf_load32(payload, 4 * i);

		/* no block is wider, so the product cannot overflow */
		if (extent == 0 || extent > 65535)
			return 0;
		threads *= extent;
	}
	return (int64_t)threads;
}

/* ---- parameters --------------------------------------------------------- */

struct parameter {
	uint32_t ordinal;
	uint32_t offset;
	uint32_t bytes;
};

struct parameters {
	struct parameter *items; /* in file order, which is arbitrary */
	size_t count;
	size_t capacity;
	uint32_t bytes; /* their total according to the cubin; 0: unknown */
};

/* Adds the attribute if it is a parameter. */
static void add_parameter(const struct attribute *attribute, struct parameters *out)
{
	bool is_large = attribute->kind == KIND_PARAMETER_LARGE;

	if (attribute->kind == KIND_PARAMETERS_BYTES && !attribute->payload.data)
		out->bytes = attribute->value;
	if ((attribute->kind != KIND_PARAMETER && !is_large) ||
		attribute->payload.size < 12)
		return;
	AT_GROW(out->items, out->capacity, out->count + 1);
	out->items[out->count++] = (struct parameter){
		.ordinal = (uint32_t)at_elf_load(attribute->payload, 4, 2),
		.offset = (uint32_t)at_elf_load(attribute->payload, 6, 2),
		.bytes = at_elf_load32(attribute->payload, 8) >> (is_large ? 0 : 18),
	};
}

static int by_ordinal(const void *a, const void *b)
{
	const struct parameter *one = a, *other = b;

	return (one->ordinal > other->ordinal) - (one->ordinal < other->ordinal);
}

/* Whether the list can be a kernel's: each ordinal once, each parameter after the
   previous one, and the total that the cubin gives. Wrong facts would reject kernels,
   so attributes that a later toolkit redefines must not pass for these. */
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

/* ---- a kernel ----------------------------------------------------------- */

/* Reads .nv.info.KERNEL: this kernel's attributes. Inconsistent parameters are not
   reported: a kernel without parameters looks the same. */
static void read_own_attributes(
	const struct at_elf *cubin, struct at_kernel_facts *facts)
{
	struct parameters found = { 0 };
	struct attribute attribute;
	struct at_elf_section info;
	struct at_elf_view rest;

	if (!at_elf_find(cubin, ".nv.info.", facts->symbol, &info))
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
		add_parameter(&attribute, &found);
	}
	if (found.count)
		qsort(found.items, found.count, sizeof(*found.items), by_ordinal);
	if (adds_up(&found)) {
		facts->parameters = at_calloc(found.count, sizeof(*facts->parameters));
		facts->has_parameters = true;
		facts->parameter_count = found.count;
		for (size_t i = 0; i < found.count; i++)
			facts->parameters[i].bytes = found.items[i].bytes;
	}
	free(found.items);
}

static int64_t shared_bytes(const struct at_elf *cubin, const char *symbol)
{
	struct at_elf_section shared;
	uint64_t size = 0;

	if (at_elf_find(cubin, ".nv.shared.", symbol, &shared))
		size = shared.size;
	if (cubin->architecture >= RESERVED_SHARED_SINCE &&
		size >= RESERVED_SHARED_BYTES)
		size -= RESERVED_SHARED_BYTES;
	return size <= INT32_MAX ? (int64_t)size : -1;
}

enum at_status at_cubin_read(const unsigned char *image, size_t size,
	struct at_kernel_facts *facts, struct at_error *err)
{
	struct at_elf cubin = { .file = { image, size } };
	struct at_elf_section code, constants;
	const char *reason = at_elf_open_cubin(&cubin);

	if (reason)
		return at_fail(err, AT_EINVAL, NULL, 0, "this is no cubin: %s", reason);
	if (!at_elf_find(&cubin, ".text.", facts->symbol, &code))
		return at_fail(err, AT_ENOENT, NULL, 0,
			"no kernel \"%s\" in this cubin", facts->symbol);
	facts->max_threads = -1;
	/* from the flags of CUDA 12; CUDA 13 leaves zeros there and has an attribute */
	facts->barriers = (int64_t)(code.flags >> 20 & 0x7f);
	facts->shared_bytes = shared_bytes(&cubin, facts->symbol);
	facts->constant_bytes = 0;
	if (at_elf_find(&cubin, ".nv.constant3", "", &constants))
		facts->constant_bytes = (int64_t)constants.content.size;
	read_common_attributes(&cubin, facts);
	read_own_attributes(&cubin, facts);
	return AT_OK;
}

/* ---- types of parameters in the kernel's name ----------------------------- */

/* The demangler of the C++ library, whose header is C++ only. Returns text on the heap;
   NULL: the symbol is no mangled name. */
extern char *__cxa_demangle(
	const char *symbol, char *buffer, size_t *size, int *status);

/* The element type of a C++ type without a trailing " const" and the like. NONE: any
   other type, and char, whose bytes may be anything, as with void. NVIDIA's classes for
   numbers of 8 and 16 bits begin with "__". */
static enum at_element element_of(const char *type)
{
	static const struct {
		const char *name;
		enum at_element element;
	} numbers[] = { { "bool", AT_ELEMENT_U8 }, { "signed char", AT_ELEMENT_I8 },
		{ "unsigned char", AT_ELEMENT_U8 }, { "short", AT_ELEMENT_I16 },
		{ "unsigned short", AT_ELEMENT_U16 }, { "int", AT_ELEMENT_I32 },
		{ "unsigned int", AT_ELEMENT_U32 }, { "long", AT_ELEMENT_I64 },
		{ "unsigned long", AT_ELEMENT_U64 }, { "long long", AT_ELEMENT_I64 },
		{ "unsigned long long", AT_ELEMENT_U64 }, { "float", AT_ELEMENT_F32 },
		{ "double", AT_ELEMENT_F64 } };
	enum at_element element;
	int lanes;

	for (size_t i = 0; i < AT_COUNT_OF(numbers); i++)
		if (!strcmp(numbers[i].name, type))
			return numbers[i].element;
	return !strncmp(type, "__", 2) && at_element_find(type, &element, &lanes) &&
			       lanes == 1
		       ? element
		       : AT_ELEMENT_NONE;
}

/* Removes the word from the end of the text, if present. */
static bool drop_end(char *text, const char *word)
{
	size_t length = strlen(text), end = strlen(word);

	if (length < end || strcmp(text + length - end, word) != 0)
		return false;
	text[length - end] = '\0';
	return true;
}

/* type: as the demangler writes it, "float const*"; modified. */
static void complete(struct at_kernel_parameter *parameter, char *type)
{
	bool is_const = false, is_plain = true;

	if (parameter->bytes == sizeof(void *) && strstr(type, "(*")) {
		/* a pointer to an array or a function */
		parameter->kind = AT_PARAMETER_POINTER;
		parameter->element = AT_ELEMENT_NONE;
	} else if (parameter->bytes == sizeof(void *) && drop_end(type, "*") &&
		   !drop_end(type, "::")) {
		while (is_plain) {
			bool is_dropped = drop_end(type, " const");

			is_const |= is_dropped;
			is_plain = is_dropped || drop_end(type, " volatile") ||
				   drop_end(type, " restrict");
		}
		parameter->kind =
			is_const ? AT_PARAMETER_CONST_POINTER : AT_PARAMETER_POINTER;
		parameter->element = element_of(type);
	} else if (parameter->kind == AT_PARAMETER_WORD && element_of(type) &&
		   at_element_kind(element_of(type)) != AT_ELEMENT_KIND_REAL) {
		parameter->kind = AT_PARAMETER_INTEGER;
	}
}

/* Splits "int const*, float)" at the commas outside brackets; types[room] receives the
   parts. Returns their number; more than room: not understood. */
static size_t split_types(char *text, char **types, size_t room)
{
	size_t count = 0;
	int depth = 0;

	for (char *at = text, *start = text; *at && count <= room; at++) {
		depth += strchr("(<[", *at) != NULL;
		if (!depth && strchr(",)", *at)) {
			/* "()" has no parameters */
			if (count < room && at > text)
				types[count] = start;
			count += at > text;
			start = at + 1 + (at[1] == ' ');
			*at = '\0';
		} else {
			depth -= strchr(")>]", *at) != NULL;
		}
		if (depth < 0)
			return room + 1;
	}
	return count;
}

void at_cubin_name_parameters(struct at_kernel_facts *facts)
{
	size_t count = facts->parameter_count, length;
	char **types = at_calloc(count + 1, sizeof(*types));
	char *text = strncmp(facts->symbol, "_Z", 2) != 0
			     ? NULL
			     : __cxa_demangle(facts->symbol, NULL, NULL, NULL);
	int depth = 0;

	length = text ? strlen(text) : 0;
	/* back to the parenthesis that opens the list, which ends the name */
	if (length && text[length - 1] == ')')
		do {
			length--;
			depth += (text[length] == ')') - (text[length] == '(');
		} while (depth && length);
	else
		length = 0;
	if (length && split_types(text + length + 1, types, count) == count)
		for (size_t i = 0; i < count; i++)
			complete(&facts->parameters[i], types[i]);
	free(text);
	free(types);
}

enum at_status at_cubin_read_kernels(const struct at_compile_request *request,
	const char *const *symbols, const char *log, const char *ptx,
	struct at_compile_result *result, struct at_error *err)
{
	enum at_status status = AT_OK;

	result->kernels =
		at_calloc(request->kernel_count + 1, sizeof(*result->kernels));
	for (size_t i = 0; i < request->kernel_count && !status; i++) {
		struct at_kernel_facts *facts =
			&result->kernels[result->kernel_count++];
		const char *name = request->kernels[i];

		at_kernel_facts_init(
			facts, name, symbols && symbols[i] ? symbols[i] : name);
		at_ptxas_read_spills(log, facts);
		status = at_cubin_read(result->image, result->image_bytes, facts, err);
		if (status || !ptx)
			continue;
		at_ptx_read_parameters(ptx, facts);
		at_cubin_name_parameters(facts);
	}
	return status;
}

/* ---- variables ---------------------------------------------------------- */

/* Appends a section's variables to out[0..*count), which has room for them. False: the
   symbol table is inconsistent. */
static bool read_variables_of(const struct at_elf *cubin, uint32_t index,
	const struct at_elf_section *section, struct at_cubin_variable *out,
	size_t *count)
{
	size_t first = *count;
	struct at_elf_symbol symbol;

	for (size_t i = 0; at_elf_symbol(cubin, i, &symbol); i++) {
		if (symbol.type != AT_ELF_SYMBOL_OBJECT || symbol.section != index)
			continue;
		if (!symbol.name || symbol.value > section->size ||
			symbol.bytes > section->size - symbol.value)
			return false;
		out[(*count)++] =
			(struct at_cubin_variable){ symbol.name, symbol.bytes };
	}
	/* the compiler's constants have no symbols, and kernels cannot take their
	   address */
	if (*count == first && strcmp(section->name, CONSTANTS) != 0)
		out[(*count)++] = (struct at_cubin_variable){ "", section->size };
	return true;
}

enum at_status at_cubin_variables(const unsigned char *image, size_t size,
	struct at_cubin_variable **out, size_t *count, struct at_error *err)
{
	struct at_elf cubin = { .file = { image, size } };
	const char *reason = at_elf_open_cubin(&cubin);
	struct at_cubin_variable *variables;
	struct at_elf_section section;
	size_t found = 0;

	if (reason)
		return at_fail(err, AT_EINVAL, NULL, 0, "this is no cubin: %s", reason);
	/* a symbol lies in one section; a section without symbols takes one entry */
	variables =
		at_calloc(cubin.symbol_count + cubin.section_count, sizeof(*variables));
	for (uint32_t i = 0; i < cubin.section_count; i++) {
		if (!at_elf_section(&cubin, i, &section) || section.size == 0 ||
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
