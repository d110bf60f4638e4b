/* Reads recorded launches, stores their arrays, and writes spaces. */
#include "capture/captured.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "kernel/scan.h"
#include "kernel/variables.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* launch.json has some lines for each parameter, of 32 KiB at most in hexadecimal */
#define JSON_LIMIT_BYTES ((size_t)16 << 20)
/* a module of PyTorch has some megabytes */
#define CUBIN_LIMIT_BYTES ((uint64_t)1 << 30)
#define BLOCK_LIMIT_BYTES ((uint64_t)1 << 40)

enum {
	PARAMETER_BYTES_MAX = 32764, /* of all parameters of a kernel, by CUDA */
	ATTRIBUTE_COOPERATIVE = 2, /* CUlaunchAttributeID */
	ATTRIBUTE_CLUSTER = 4,
	ATTRIBUTE_VALUE_BYTES = 64,
	PIECE_BYTES = 1 << 20,
};

/* ---- reading --------------------------------------------------------------------- */

static bool is_identifier(const char *text)
{
	size_t length = strspn(text,
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");

	return length && !text[length] && !isdigit((unsigned char)text[0]);
}

/* A whole number of the object from 0 to `most`; false: the object lacks it. */
static bool read_whole(
	const struct at_json *object, const char *key, uint64_t most, uint64_t *out)
{
	int64_t value = at_json_whole(at_json_get(object, key), -1);

	*out = (uint64_t)value;
	return value >= 0 && (uint64_t)value <= most;
}

static bool read_sizes(const struct at_json *object, const char *key, uint32_t *out)
{
	const struct at_json *list = at_json_get(object, key);

	for (size_t i = 0; i < 3; i++) {
		int64_t value = at_json_whole(at_json_at(list, i), -1);

		if (value < 1 || value > INT32_MAX)
			return false;
		out[i] = (uint32_t)value;
	}
	return true;
}

static bool read_hex(const char *text, unsigned char *out, size_t bytes)
{
	static const char digits[] = "0123456789abcdef";

	if (!text || strlen(text) != 2 * bytes)
		return false;
	for (size_t i = 0; i < 2 * bytes; i++) {
		const char *digit = strchr(digits, text[i]);

		if (!digit)
			return false;
		out[i / 2] = (unsigned char)(out[i / 2] << 4 | (digit - digits));
	}
	return true;
}

static bool read_parameter(
	const struct at_json *item, struct at_captured_parameter *out)
{
	uint64_t bytes;

	if (!read_whole(item, "bytes", PARAMETER_BYTES_MAX, &bytes) || !bytes)
		return false;
	out->bytes = bytes;
	out->data = at_calloc(bytes, 1);
	return read_hex(at_json_text(at_json_get(item, "data")), out->data, bytes);
}

static bool read_block(const struct at_json *item, struct at_captured_block *out)
{
	const char *variable = at_json_text(at_json_get(item, "variable"));
	const char *before = at_json_text(at_json_get(item, "before"));
	const char *after = at_json_text(at_json_get(item, "after"));

	out->variable = at_strdup(variable ? variable : "");
	out->has_contents = before && before[0];
	out->is_changed = after && after[0];
	return read_whole(item, "bytes", BLOCK_LIMIT_BYTES, &out->bytes) &&
	       out->bytes &&
	       read_whole(item, "cut_bytes", BLOCK_LIMIT_BYTES, &out->cut_bytes);
}

static bool read_pointer(const struct at_json *item, const struct at_captured *captured,
	struct at_captured_pointer *out)
{
	uint64_t parameter, offset, block;

	if (!read_whole(item, "parameter", SIZE_MAX, &parameter) ||
		parameter >= captured->parameter_count ||
		!read_whole(item, "offset", PARAMETER_BYTES_MAX, &offset) ||
		offset + 8 > captured->parameters[parameter].bytes ||
		!read_whole(item, "block", SIZE_MAX, &block) ||
		block >= captured->block_count)
		return false;
	out->parameter = parameter;
	out->offset = offset;
	out->block = block;
	/* beyond what was recorded, if the block was cut */
	return read_whole(item, "at", BLOCK_LIMIT_BYTES, &out->at);
}

static bool read_lists(const struct at_json *launch, struct at_captured *out)
{
	const struct at_json *parameters = at_json_get(launch, "parameters");
	const struct at_json *blocks = at_json_get(launch, "blocks");
	const struct at_json *pointers = at_json_get(launch, "pointers");
	bool ok = true;

	out->parameters =
		at_calloc(at_json_count(parameters) + 1, sizeof(*out->parameters));
	out->blocks = at_calloc(at_json_count(blocks) + 1, sizeof(*out->blocks));
	out->pointers = at_calloc(at_json_count(pointers) + 1, sizeof(*out->pointers));
	for (size_t i = 0; i < at_json_count(parameters) && ok; i++)
		ok = read_parameter(at_json_at(parameters, i),
			&out->parameters[out->parameter_count++]);
	for (size_t i = 0; i < at_json_count(blocks) && ok; i++)
		ok = read_block(
			at_json_at(blocks, i), &out->blocks[out->block_count++]);
	for (size_t i = 0; i < at_json_count(pointers) && ok; i++)
		ok = read_pointer(at_json_at(pointers, i), out,
			&out->pointers[out->pointer_count++]);
	return ok;
}

/* An attribute that decides what the launch computes; the others may be left out. */
static bool read_attribute(const struct at_json *item, struct at_captured *out)
{
	const char *value = at_json_text(at_json_get(item, "value"));
	const int64_t id = at_json_whole(at_json_get(item, "id"), -1);
	unsigned char bytes[ATTRIBUTE_VALUE_BYTES] = { 0 };

	if (id != ATTRIBUTE_CLUSTER && id != ATTRIBUTE_COOPERATIVE)
		return true;
	if (!read_hex(value, bytes, sizeof(bytes)))
		return false;
	if (id == ATTRIBUTE_CLUSTER)
		memcpy(out->cluster, bytes, sizeof(out->cluster));
	else
		out->is_cooperative |= bytes[0] != 0;
	return true;
}

static bool read_launch(const struct at_json *launch, struct at_captured *out)
{
	const struct at_json *attributes = at_json_get(launch, "attributes");
	const char *kernel = at_json_text(at_json_get(launch, "kernel"));
	const char *name = at_json_text(at_json_get(launch, "name"));
	const char *device = at_json_text(at_json_get(launch, "device"));
	const char *cubin = at_json_text(at_json_get(launch, "cubin"));
	uint64_t shared_bytes;

	if (!kernel || !name || !read_sizes(launch, "grid", out->grid) ||
		!read_sizes(launch, "block", out->block) ||
		!read_whole(launch, "shared_bytes", INT32_MAX, &shared_bytes) ||
		!read_whole(launch, "number", INT64_MAX, &out->number) ||
		!read_whole(launch, "other_cubins", INT32_MAX, &out->other_cubins))
		return false;
	out->kernel = at_strdup(kernel);
	out->name = at_strdup(name);
	out->device = at_strdup(device ? device : "");
	out->shared_bytes = (uint32_t)shared_bytes;
	out->is_cooperative = at_json_is_true(at_json_get(launch, "is_cooperative"));
	out->is_in_graph = at_json_is_true(at_json_get(launch, "is_in_graph"));
	out->lacks_memory = at_json_is_true(at_json_get(launch, "lacks_memory"));
	out->has_cubin = cubin && cubin[0];
	for (size_t i = 0; i < at_json_count(attributes); i++)
		if (!read_attribute(at_json_at(attributes, i), out))
			return false;
	return read_lists(launch, out);
}

enum at_status at_captured_read(
	const char *folder, struct at_captured *out, struct at_error *err)
{
	char *path = at_path_join(folder, "launch.json"), *text = NULL;
	struct at_json *launch = NULL;
	enum at_status status;
	size_t size;

	memset(out, 0, sizeof(*out));
	status = at_file_read(path, JSON_LIMIT_BYTES, &text, &size, err);
	if (!status)
		status = at_json_parse(text, size, path, &launch, err);
	if (!status && !read_launch(launch, out))
		status = at_fail(err, AT_EINVAL, path, 0,
			"is no launch that the capture library wrote");
	at_json_free(launch);
	free(text);
	free(path);
	return status;
}

void at_captured_release(struct at_captured *self)
{
	for (size_t i = 0; i < self->parameter_count; i++)
		free(self->parameters[i].data);
	for (size_t i = 0; i < self->block_count; i++) {
		free(self->blocks[i].variable);
		free(self->blocks[i].before);
		free(self->blocks[i].after);
	}
	free(self->parameters);
	free(self->blocks);
	free(self->pointers);
	free(self->kernel);
	free(self->name);
	free(self->device);
	free(self->cubin);
	memset(self, 0, sizeof(*self));
}

/* ---- storing --------------------------------------------------------------------- */

/* Calls visit() with the pieces of a file, in order, until it says false, which is no
   failure here. */
static enum at_status each_piece(const char *path,
	bool (*visit)(const unsigned char *piece, size_t bytes, void *context),
	void *context, struct at_error *err)
{
	unsigned char *piece = at_malloc(PIECE_BYTES);
	enum at_status status;
	uint64_t size;
	int file = -1;
	ssize_t got = 1;

	status = at_file_open(path, &file, &size, err);
	while (!status && got > 0) {
		got = read(file, piece, PIECE_BYTES);
		if (got < 0)
			status = at_fail(err, AT_EIO, path, 0, "cannot be read");
		else if (got && !visit(piece, (size_t)got, context))
			break;
	}
	if (file >= 0)
		close(file);
	free(piece);
	return status;
}

static bool is_zero(const unsigned char *piece, size_t bytes, void *context)
{
	/* equal to itself, moved by one byte, with a zero at the start */
	*(bool *)context = !piece[0] && !memcmp(piece, piece + 1, bytes - 1);
	return *(bool *)context;
}

struct copy {
	int file;
	int code; /* errno of a piece that could not be written; 0: all were */
};

static bool write_piece(const unsigned char *piece, size_t bytes, void *context)
{
	struct copy *copy = context;

	copy->code = at_write_all(copy->file, piece, bytes) ? 0 : errno;
	return !copy->code;
}

/* Leaves no file after a failure: the file's name says that its contents are whole. */
static enum at_status copy_file(const char *from, const char *to, struct at_error *err)
{
	struct copy copy = { .file = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
				     0666) };
	enum at_status status;

	if (copy.file < 0)
		return at_fail(
			err, AT_EIO, to, 0, "cannot be written: %s", strerror(errno));
	status = each_piece(from, write_piece, &copy, err);
	if (close(copy.file) && !copy.code)
		copy.code = errno;
	if (!status && copy.code)
		status = at_fail(err, AT_EIO, to, 0, "cannot be written: %s",
			strerror(copy.code));
	if (status)
		unlink(to);
	return status;
}

/* Copies a file of the recording into directory/data, and sets *name to the copy's name
   from there. Files of zeros have none, if that is allowed. */
static enum at_status store(const char *folder, const char *file, const char *directory,
	const char *ending, bool allows_zeros, char **name, struct at_error *err)
{
	char *from = at_path_join(folder, file), *to = NULL;
	struct at_hash hash = { 0 };
	struct at_strbuf text = { 0 };
	enum at_status status = AT_OK;
	bool is_empty = false;
	uint64_t size;

	status = at_file_check(from, &size, err);
	if (!status && allows_zeros)
		status = each_piece(from, is_zero, &is_empty, err);
	if (status || is_empty)
		goto release;
	at_file_hash(from, UINT64_MAX, &hash);
	/* it stays zero if the file cannot be read */
	if (!hash.low && !hash.high) {
		status = at_fail(err, AT_EIO, from, 0, "cannot be read");
		goto release;
	}
	at_strbuf_addf(&text, "data/%016" PRIx64 "%s", hash.low ^ hash.high, ending);
	to = at_path_join(directory, text.data);
	if (!at_file_exists(to))
		status = copy_file(from, to, err);
	if (!status)
		*name = at_strdup(text.data);
release:
	at_strbuf_release(&text);
	free(from);
	free(to);
	return status;
}

enum at_status at_captured_store(struct at_captured *self, const char *folder,
	const char *directory, struct at_error *err)
{
	char *data = at_path_join(directory, "data");
	enum at_status status = at_directory_make(data, err);

	if (!status && self->has_cubin)
		status = store(folder, "kernel.cubin", directory, ".cubin", false,
			&self->cubin, err);
	for (size_t i = 0; i < self->block_count && !status; i++) {
		struct at_captured_block *block = &self->blocks[i];
		char before[32], after[32];

		snprintf(before, sizeof(before), "before-%zu", i);
		snprintf(after, sizeof(after), "after-%zu", i);
		if (block->has_contents)
			status = store(folder, before, directory, ".bin", true,
				&block->before, err);
		if (block->is_changed && !status)
			status = store(folder, after, directory, ".bin", false,
				&block->after, err);
	}
	free(data);
	return status;
}

/* ---- the space ------------------------------------------------------------------- */

static bool has_output(const struct at_captured *self)
{
	for (size_t i = 0; i < self->block_count; i++)
		if (self->blocks[i].is_changed && !self->blocks[i].variable[0])
			return true;
	return false;
}

const char *at_captured_refusal(const struct at_captured *self)
{
	if (!is_identifier(self->kernel) || !is_identifier(self->name))
		return "its name has characters that a space cannot have";
	if (self->is_in_graph)
		return "a CUDA graph launches it, and the memory at that time is not known: run the program without graphs";
	if (self->lacks_memory)
		return "its memory could not be copied";
	if (!self->has_cubin)
		return "its machine code was not seen";
	for (size_t i = 0; i < self->pointer_count; i++)
		if (self->pointers[i].at >= self->blocks[self->pointers[i].block].bytes)
			return "a pointer leads past the recorded part of an allocation: record with --all-memory";
	if (!has_output(self))
		return "it changes no memory that its parameters point to, so nothing can be compared";
	return NULL;
}

/* The largest power of two up to 8 that divides the number of bytes. */
static size_t word_bytes(uint64_t bytes)
{
	size_t word = 8;

	while (bytes % word)
		word /= 2;
	return word;
}

static const char *word_type(size_t bytes)
{
	return bytes == 8   ? "long long"
	       : bytes == 4 ? "unsigned int"
	       : bytes == 2 ? "unsigned short"
			    : "unsigned char";
}

static void add_word(struct at_strbuf *out, const unsigned char *data, size_t bytes)
{
	int64_t value = 0;

	/* little-endian, as all that CUDA runs on */
	memcpy(&value, data, bytes);
	at_strbuf_addf(out, "\"%" PRId64 "\"", value);
}

/* The pointer at that offset of a parameter; NULL: none. */
static const struct at_captured_pointer *pointer_at(
	const struct at_captured *self, size_t parameter, size_t offset)
{
	for (size_t i = 0; i < self->pointer_count; i++)
		if (self->pointers[i].parameter == parameter &&
			self->pointers[i].offset == offset)
			return &self->pointers[i];
	return NULL;
}

static void add_address(
	struct at_strbuf *out, const struct at_captured_pointer *pointer)
{
	at_strbuf_addf(out, "\"m%zu", pointer->block);
	if (pointer->at)
		at_strbuf_addf(out, " + %" PRIu64, pointer->at);
	at_strbuf_add(out, "\"");
}

/* Appends the type of a word, a number or an address in memory of unknown contents. */
static void add_type(
	struct at_strbuf *out, const struct at_captured_pointer *pointer, size_t word)
{
	at_strbuf_add(out, pointer ? "unsigned char *" : word_type(word));
}

/* Whether the parameter is one word, and no structure. */
static bool is_word(const struct at_captured_parameter *parameter)
{
	return parameter->bytes <= 8 &&
	       word_bytes(parameter->bytes) == parameter->bytes;
}

static void add_structures(const struct at_captured *self, struct at_strbuf *out)
{
	bool has_any = false;

	for (size_t p = 0; p < self->parameter_count; p++) {
		size_t bytes = self->parameters[p].bytes, word = word_bytes(bytes);

		if (is_word(&self->parameters[p]))
			continue;
		at_strbuf_addf(out, "%s  P%zu = (", has_any ? "" : "types: {\n", p);
		has_any = true;
		for (size_t i = 0; i < bytes; i += word) {
			at_strbuf_add(out, i ? ", \"" : " \"");
			add_type(out, pointer_at(self, p, i), word);
			at_strbuf_addf(
				out, pointer_at(self, p, i) ? "w%zu\"" : " w%zu\"", i);
		}
		at_strbuf_add(out, " );\n");
	}
	at_strbuf_add(out, has_any ? "};\n" : "");
}

static void add_block(const struct at_captured *self, size_t index,
	const char *variable, struct at_strbuf *out)
{
	const struct at_captured_block *block = &self->blocks[index];

	at_strbuf_addf(out,
		"  { name = \"m%zu\"; type = \"unsigned char\"; count = %" PRIu64
		"; access = \"%s\"; fixed = true;\n",
		index, block->bytes, block->is_changed && !variable ? "inout" : "in");
	if (block->before)
		at_strbuf_addf(out, "    fill = \"file('%s')\";", block->before);
	else
		at_strbuf_add(out, "    fill = \"constant(0)\";");
	if (variable)
		at_strbuf_addf(out, " symbol = \"%s\";", variable);
	at_strbuf_add(out, " },\n");
	if (block->cut_bytes)
		at_strbuf_addf(out,
			"  // m%zu: %" PRIu64
			" bytes behind it were not recorded (--all-memory)\n",
			index, block->cut_bytes);
}

void at_captured_add_variables(
	const struct at_captured *self, const char *source, struct at_strbuf *out)
{
	char name[256];

	for (size_t i = 0; i < self->block_count; i++) {
		const char *symbol = self->blocks[i].variable;

		/* a space names only variables that C++ can name */
		if (!is_identifier(symbol) ||
			!at_variable_name(symbol, name, sizeof(name)))
			continue;
		if (!source || at_scan_mentions(source, name))
			add_block(self, i, name, out);
	}
}

static void add_parameter(
	const struct at_captured *self, size_t index, struct at_strbuf *out)
{
	const struct at_captured_parameter *parameter = &self->parameters[index];
	const struct at_captured_pointer *pointer = pointer_at(self, index, 0);
	size_t word = word_bytes(parameter->bytes);

	if (is_word(parameter)) {
		at_strbuf_addf(out, "  { name = \"p%zu\"; type = \"", index);
		add_type(out, pointer, word);
		at_strbuf_add(out, "\"; fixed = true; value = ");
		if (pointer)
			add_address(out, pointer);
		else
			add_word(out, parameter->data, word);
		at_strbuf_add(out, "; }");
		return;
	}
	at_strbuf_addf(out,
		"  { name = \"p%zu\"; type = \"P%zu\"; fixed = true; value = {", index,
		index);
	for (size_t i = 0; i < parameter->bytes; i += word) {
		pointer = pointer_at(self, index, i);
		at_strbuf_addf(out, " w%zu = ", i);
		if (pointer)
			add_address(out, pointer);
		else
			add_word(out, parameter->data + i, word);
		at_strbuf_add(out, ";");
	}
	at_strbuf_add(out, " }; }");
}

/* The largest number of elements of a thread that is looked for. */
#define ELEMENTS_MOST 16

/*
 * Looks for an integer n among the parameters for which the grid has ceil_div(n, k *
 * block) blocks, with k a small power of two: the number of elements, k of them a
 * thread. A smaller n could be anything. *each: k; 0: none exists.
 */
static uint64_t find_elements(const struct at_captured *self, unsigned *each)
{
	for (*each = 1; *each <= ELEMENTS_MOST; *each *= 2) {
		const uint64_t step = (uint64_t)self->block[0] * *each;

		for (size_t p = 0; p < self->parameter_count; p++) {
			const struct at_captured_parameter *parameter =
				&self->parameters[p];
			const size_t word = word_bytes(parameter->bytes);

			for (size_t i = 0; i < parameter->bytes && word >= 4; i += 4) {
				uint32_t n;

				memcpy(&n, parameter->data + i, sizeof(n));
				if (n > step &&
					(n + step - 1) / step == self->grid[0] &&
					!pointer_at(self, p, i / 8 * 8))
					return n;
			}
		}
	}
	*each = 0;
	return 0;
}

/* The blocks that are tried: a warp, and the largest of CUDA. */
#define BLOCK_LEAST 32
#define BLOCK_MOST 1024

void at_captured_add_launch(const struct at_captured *self, struct at_strbuf *out)
{
	unsigned each = 0;
	uint64_t n = self->block[1] == 1 && self->block[2] == 1
			     ? find_elements(self, &each)
			     : 0;

	at_strbuf_add(out, "parameters: { BLOCK_X = [ ");
	for (uint32_t x = BLOCK_LEAST; each && x < self->block[0]; x *= 2)
		at_strbuf_addf(out, "%" PRIu32 ", ", x);
	at_strbuf_addf(out, "%" PRIu32, self->block[0]);
	for (uint32_t x = BLOCK_LEAST; each && x <= BLOCK_MOST; x *= 2)
		if (x > self->block[0])
			at_strbuf_addf(out, ", %" PRIu32, x);
	at_strbuf_addf(out,
		" ]; };\ndefaults: { BLOCK_X = %" PRIu32
		"; };\nlaunch: { block = ( \"BLOCK_X\", %" PRIu32 ", %" PRIu32
		" ); grid = ( ",
		self->block[0], self->block[1], self->block[2]);
	if (each)
		at_strbuf_addf(out, "\"ceil_div(%" PRIu64 ", %u * BLOCK_X)\"", n, each);
	else
		at_strbuf_addf(out, "%" PRIu32, self->grid[0]);
	at_strbuf_addf(
		out, ", %" PRIu32 ", %" PRIu32 " );", self->grid[1], self->grid[2]);
	/* as many bytes for each thread */
	if (each && self->shared_bytes && self->shared_bytes % self->block[0] == 0)
		at_strbuf_addf(out, " shared_bytes = \"%" PRIu32 " * BLOCK_X\";",
			self->shared_bytes / self->block[0]);
	else if (self->shared_bytes)
		at_strbuf_addf(out, " shared_bytes = %" PRIu32 ";", self->shared_bytes);
	if (self->cluster[0])
		at_strbuf_addf(out,
			" cluster = ( %" PRIu32 ", %" PRIu32 ", %" PRIu32 " );",
			self->cluster[0], self->cluster[1], self->cluster[2]);
	if (self->is_cooperative)
		at_strbuf_add(out, " cooperative = true;");
	at_strbuf_add(out, " };\n");
}

void at_captured_write_replay(const struct at_captured *self, struct at_strbuf *out)
{
	bool has_any = false;

	at_strbuf_addf(out,
		"// Launch %" PRIu64
		" of %s on %s, as \"autotune capture\" recorded it.\n"
		"// The machine code runs as it is, and all bits of its outputs are compared.\n",
		self->number, self->kernel, self->device);
	if (self->other_cubins)
		at_strbuf_addf(out,
			"// Other modules with a kernel of this name: %" PRIu64
			"; this is the newest.\n",
			self->other_cubins);
	at_strbuf_addf(out,
		"kernel: {\n  name = \"%s-captured\"; function = \"%s\"; template = \"%s\";\n  arguments = (",
		self->name, self->kernel, self->cubin);
	for (size_t i = 0; i < self->parameter_count; i++)
		at_strbuf_addf(out, "%s\"p%zu\"", i ? ", " : " ", i);
	at_strbuf_add(out, " );\n  reference = { files = (");
	for (size_t i = 0; i < self->block_count; i++) {
		if (!self->blocks[i].is_changed || self->blocks[i].variable[0])
			continue;
		at_strbuf_addf(out, "%s{ argument = \"m%zu\"; path = \"%s\"; }",
			has_any ? ",\n    " : " ", i, self->blocks[i].after);
		has_any = true;
	}
	at_strbuf_add(out, " ); };\n};\n");
	at_strbuf_add(out, "problems = ( { name = \"captured\"; on = \"cuda\"; } );\n");
	at_captured_add_launch(self, out);
	add_structures(self, out);
	at_strbuf_add(out, "arguments = (\n");
	for (size_t i = 0; i < self->block_count; i++)
		if (!self->blocks[i].variable[0])
			add_block(self, i, NULL, out);
	at_captured_add_variables(self, NULL, out);
	for (size_t i = 0; i < self->parameter_count; i++) {
		add_parameter(self, i, out);
		at_strbuf_add(out, i + 1 < self->parameter_count ? ",\n" : "\n");
	}
	at_strbuf_add(out, ");\nverify: { derive = false; };\n");
}
