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

/* launch.json has some lines for each parameter, of at most 32 KiB in hexadecimal */
#define JSON_LIMIT_BYTES ((size_t)16 << 20)
/* PyTorch's modules have some megabytes */
#define CUBIN_LIMIT_BYTES ((uint64_t)1 << 30)
#define BLOCK_LIMIT_BYTES ((uint64_t)1 << 40)

enum {
	PARAMETER_BYTES_MAX = 32764, /* CUDA's limit for all parameters of a kernel */
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

/* An integer of the object from 0 to `most`; false: the object lacks it. */
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
	/* beyond the recorded part, if the block was cut */
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

/* Reads an attribute that decides what the launch computes; others may be omitted. */
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
	out->folder = at_strdup(folder);
	status = at_file_read(path, JSON_LIMIT_BYTES, &text, &size, err);
	if (!status)
		status = at_json_parse(text, size, path, &launch, err);
	if (!status && !read_launch(launch, out))
		status = at_fail(err, AT_EINVAL, path, 0,
			"is no launch that the capture library wrote");
	free(path);
	path = at_path_join(folder, "kernel.cubin");
	if (out->has_cubin)
		at_file_hash(path, UINT64_MAX, &out->cubin_hash);
	at_json_free(launch);
	free(text);
	free(path);
	return status;
}

void at_captured_release(struct at_captured *self)
{
	if (self->next)
		at_captured_release(self->next);
	free(self->next);
	for (size_t i = 0; i < self->parameter_count; i++) {
		free(self->parameters[i].data);
		free(self->parameters[i].name);
	}
	for (size_t i = 0; i < self->block_count; i++) {
		free(self->blocks[i].variable);
		free(self->blocks[i].before);
		free(self->blocks[i].after);
	}
	free(self->parameters);
	free(self->blocks);
	free(self->pointers);
	free(self->folder);
	free(self->kernel);
	free(self->name);
	free(self->device);
	free(self->cubin);
	memset(self, 0, sizeof(*self));
}

/* ---- storing --------------------------------------------------------------------- */

/* Calls visit() with a file's pieces, in order, until it returns false (no failure). */
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
	/* equal to itself shifted by one byte, and starting with zero */
	*(bool *)context = !piece[0] && !memcmp(piece, piece + 1, bytes - 1);
	return *(bool *)context;
}

struct copy {
	int file;
	int code; /* errno of a failed write; 0: no failure */
};

static bool write_piece(const unsigned char *piece, size_t bytes, void *context)
{
	struct copy *copy = context;

	copy->code = at_write_all(copy->file, piece, bytes) ? 0 : errno;
	return !copy->code;
}

/* Leaves no file after a failure: a file's name promises complete contents. */
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

/* A file of a recording: its path, and the hash that identifies its contents. */
struct stored {
	char *path; /* heap */
	struct at_hash hash; /* 0: only zeros */
};

/* allows_zeros: a file of zeros need not be stored. */
static enum at_status identify(const char *folder, const char *file, bool allows_zeros,
	struct stored *out, struct at_error *err)
{
	enum at_status status;
	bool is_empty = false;
	uint64_t size;

	out->path = at_path_join(folder, file);
	status = at_file_check(out->path, &size, err);
	if (!status && allows_zeros)
		status = each_piece(out->path, is_zero, &is_empty, err);
	if (status || is_empty)
		return status;
	at_file_hash(out->path, UINT64_MAX, &out->hash);
	/* the hash stays zero if the file cannot be read */
	return out->hash.low || out->hash.high
		       ? AT_OK
		       : at_fail(err, AT_EIO, out->path, 0, "cannot be read");
}

/* Stores a file of each recording: as "data/HASH.bin" if all are equal, else as
   "data/STEM-FILE-1000.bin" with the sizes of the launch. *path: its path in the space;
   NULL: zeros. */
static enum at_status store(const struct at_captured *self,
	const struct at_captured_sizes *sizes, const char *file, const char *directory,
	const char *stem, bool allows_zeros, char **path, struct at_error *err)
{
	const size_t count = sizes->launch_count;
	struct stored all[AT_CAPTURED_LAUNCHES_MOST] = { 0 };
	const struct at_captured *launch = self;
	enum at_status status = AT_OK;
	bool is_one = true;

	for (size_t i = 0; launch && !status; launch = launch->next, i++) {
		status = identify(launch->folder, file, allows_zeros, &all[i], err);
		is_one &= at_hash_equal(all[i].hash, all[0].hash);
	}
	/* after the launches: the name in the space */
	for (size_t i = is_one ? count : 0; i <= count && !status; i++) {
		const struct stored *from = is_one ? &all[0] : &all[i % count];
		const uint64_t hash = from->hash.low ^ from->hash.high;
		struct at_strbuf name = { 0 };
		char *to;

		if (is_one && !from->hash.low && !from->hash.high)
			break;
		if (is_one) {
			at_strbuf_addf(&name, "data/%016" PRIx64, hash);
		} else {
			at_strbuf_addf(&name, "data/%s-%s-", stem, file);
			at_captured_sizes_write_key(sizes, i, &name);
		}
		at_strbuf_add(&name, strcmp(file, "kernel.cubin") ? ".bin" : ".cubin");
		to = at_path_join(directory, name.data);
		if ((is_one || i < count) && !at_file_exists(to))
			status = copy_file(from->path, to, err);
		if (i == count && !status)
			*path = at_strdup(name.data);
		free(to);
		at_strbuf_release(&name);
	}
	for (size_t i = 0; i < count; i++)
		free(all[i].path);
	return status;
}

enum at_status at_captured_store(struct at_captured *self, const char *directory,
	const char *stem, struct at_error *err)
{
	char *data = at_path_join(directory, "data");
	enum at_status status = at_directory_make(data, err);
	struct at_captured_sizes sizes;

	at_captured_find_sizes(self, &sizes);
	if (!status && self->has_cubin)
		status = store(self, &sizes, "kernel.cubin", directory, stem, false,
			&self->cubin, err);
	for (size_t i = 0; i < self->block_count && !status; i++) {
		struct at_captured_block *block = &self->blocks[i];
		char before[32], after[32];

		snprintf(before, sizeof(before), "before-%zu", i);
		snprintf(after, sizeof(after), "after-%zu", i);
		if (block->has_contents)
			status = store(self, &sizes, before, directory, stem, true,
				&block->before, err);
		if (block->is_changed && !status)
			status = store(self, &sizes, after, directory, stem, false,
				&block->after, err);
	}
	at_captured_sizes_release(&sizes);
	free(data);
	return status;
}

/* ---- launches that become spaces --------------------------------------------------
 */

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

/* ---- numbers of launches --------------------------------------------------------- */

struct number {
	enum { GRID, SHARED, BYTES, OFFSET, WORD } kind;
	size_t index; /* of the axis, block, pointer or parameter */
	size_t offset; /* of a word in its parameter */
	size_t bytes; /* of a word, or of an element */
};

static struct at_value number_of(const struct at_captured *launch, struct number number)
{
	struct at_value value = { .type = AT_TYPE_INTEGER };

	switch (number.kind) {
	case GRID:
		value.integer = launch->grid[number.index];
		break;
	case SHARED:
		value.integer = launch->shared_bytes;
		break;
	case BYTES:
		value.integer =
			(int64_t)(launch->blocks[number.index].bytes / number.bytes);
		break;
	case OFFSET:
		value.integer = (int64_t)launch->pointers[number.index].at;
		break;
	case WORD:
		/* little-endian, as every system that CUDA runs on */
		memcpy(&value.integer,
			launch->parameters[number.index].data + number.offset,
			number.bytes);
		break;
	}
	return value;
}

static size_t count_launches(const struct at_captured *self)
{
	size_t count = 0;

	for (; self; self = self->next)
		count++;
	return count;
}

static void get_values(
	const struct at_captured *self, struct number which, struct at_value *out)
{
	for (; self; self = self->next)
		*out++ = number_of(self, which);
}

/* Appends a number or an expression; false: a number. */
static bool add_number(const struct at_captured *self, struct at_captured_sizes *sizes,
	struct number which, struct at_captured_number number, struct at_strbuf *out)
{
	struct at_value values[AT_CAPTURED_LAUNCHES_MOST];

	get_values(self, which, values);
	number.values = values;
	return at_captured_sizes_write(sizes, &number, out);
}

/* The same, with quotes around an expression. */
static void add_quoted(const struct at_captured *self, struct at_captured_sizes *sizes,
	struct number which, struct at_captured_number number, struct at_strbuf *out)
{
	struct at_strbuf text = { 0 };
	const char *quote = add_number(self, sizes, which, number, &text) ? "\"" : "";

	at_strbuf_addf(out, "%s%s%s", quote, text.data, quote);
	at_strbuf_release(&text);
}

void at_captured_add_count(const struct at_captured *self,
	struct at_captured_sizes *sizes, size_t block, size_t element_bytes,
	const char *name, struct at_strbuf *out)
{
	at_strbuf_add(out, "count = ");
	add_quoted(self, sizes,
		(struct number){ BYTES, .index = block, .bytes = element_bytes },
		(struct at_captured_number){ .name = name, .block = self->block[0] },
		out);
	at_strbuf_add_char(out, ';');
}

static bool differs(const struct at_captured *self, struct number number)
{
	const int64_t first = number_of(self, number).integer;

	for (; self; self = self->next)
		if (number_of(self, number).integer != first)
			return true;
	return false;
}

/* Whether the parameter is one word, not a structure. */
static bool is_word(const struct at_captured_parameter *parameter)
{
	return parameter->bytes <= 8 &&
	       word_bytes(parameter->bytes) == parameter->bytes;
}

/* The bytes of the field at that offset of a structure. Eight bytes that differ between
   launches are taken as two integers. */
static size_t field_bytes(
	const struct at_captured *self, size_t parameter, size_t offset)
{
	size_t word = word_bytes(self->parameters[parameter].bytes);
	size_t start = offset / 8 * 8;

	if (word < 8 || is_word(&self->parameters[parameter]) ||
		pointer_at(self, parameter, start) ||
		!differs(self, (struct number){ WORD, parameter, start, word }))
		return word;
	return word / 2;
}

/* Appends a word's value in quotes: a number or an address. */
static void add_word(const struct at_captured *self, struct at_captured_sizes *sizes,
	size_t parameter, size_t offset, struct at_strbuf *out)
{
	const struct at_captured_pointer *pointer = pointer_at(self, parameter, offset);
	struct number number = { WORD, parameter, offset,
		field_bytes(self, parameter, offset) };

	at_strbuf_add_char(out, '"');
	if (pointer) {
		number = (struct number){ OFFSET,
			.index = (size_t)(pointer - self->pointers) };
		at_strbuf_addf(out, "m%zu", pointer->block);
	}
	if (pointer && (pointer->at || differs(self, number)))
		at_strbuf_add(out, " + ");
	if (!pointer || pointer->at || differs(self, number))
		add_number(self, sizes, number,
			(struct at_captured_number){
				.name = self->parameters[parameter].name },
			out);
	at_strbuf_add_char(out, '"');
}

void at_captured_find_sizes(
	const struct at_captured *self, struct at_captured_sizes *out)
{
	struct at_strbuf text = { 0 };

	*out = (struct at_captured_sizes){ .launch_count = count_launches(self) };
	for (size_t p = 0; p < self->parameter_count; p++)
		for (size_t i = 0, bytes; i < self->parameters[p].bytes; i += bytes) {
			bytes = field_bytes(self, p, i);
			/* smaller words are flags */
			if (bytes >= 4 && !self->parameters[p].is_real &&
				!pointer_at(self, p, i))
				add_word(self, out, p, i, &text);
		}
	at_captured_add_launch(self, out, &text);
	out->base_count = out->count;
	at_strbuf_clear(&out->guesses);
	at_strbuf_release(&text);
}

/* ---- the launches of a space ----------------------------------------------------- */

/* Whether the launches differ only in numbers. */
static bool has_shape(const struct at_captured *self, const struct at_captured *other)
{
	bool is_same = !strcmp(self->kernel, other->kernel) &&
		       !strcmp(self->device, other->device) &&
		       !memcmp(self->block, other->block, sizeof(self->block)) &&
		       !memcmp(self->cluster, other->cluster, sizeof(self->cluster)) &&
		       self->is_cooperative == other->is_cooperative &&
		       at_hash_equal(self->cubin_hash, other->cubin_hash) &&
		       self->parameter_count == other->parameter_count &&
		       self->pointer_count == other->pointer_count &&
		       self->block_count == other->block_count;

	for (size_t i = 0; is_same && i < self->parameter_count; i++)
		is_same = self->parameters[i].bytes == other->parameters[i].bytes;
	for (size_t i = 0; is_same && i < self->pointer_count; i++)
		is_same = self->pointers[i].parameter == other->pointers[i].parameter &&
			  self->pointers[i].offset == other->pointers[i].offset &&
			  self->pointers[i].block == other->pointers[i].block;
	for (size_t i = 0; is_same && i < self->block_count; i++)
		is_same =
			!strcmp(self->blocks[i].variable, other->blocks[i].variable) &&
			self->blocks[i].has_contents == other->blocks[i].has_contents &&
			self->blocks[i].is_changed == other->blocks[i].is_changed;
	return is_same;
}

bool at_captured_join(struct at_captured *self, struct at_captured *other)
{
	struct at_captured *last = self;
	struct at_captured_sizes sizes;
	bool is_apart;

	if (!has_shape(self, other) ||
		count_launches(self) == AT_CAPTURED_LAUNCHES_MOST)
		return false;
	while (last->next)
		last = last->next;
	last->next = other;
	at_captured_find_sizes(self, &sizes);
	is_apart = at_captured_sizes_tell_apart(&sizes);
	at_captured_sizes_release(&sizes);
	if (!is_apart)
		last->next = NULL;
	return is_apart;
}

/* ---- the space ------------------------------------------------------------------- */

void at_captured_add_title(const struct at_captured *self, struct at_strbuf *out)
{
	if (self->next)
		at_strbuf_addf(out,
			"// %zu launches of %s on %s, as \"autotune capture\" recorded them.\n"
			"// Expressions of sizes fit all launches; comments have the recorded numbers.\n",
			count_launches(self), self->kernel, self->device);
	else
		at_strbuf_addf(out,
			"// Launch %" PRIu64
			" of %s on %s, as \"autotune capture\" recorded it.\n",
			self->number, self->kernel, self->device);
}

/* Appends a word's type: a number, or the address of memory of unknown contents. */
static void add_type(
	struct at_strbuf *out, const struct at_captured_pointer *pointer, size_t word)
{
	at_strbuf_add(out, pointer ? "unsigned char *" : word_type(word));
}

static void add_structures(const struct at_captured *self, struct at_strbuf *out)
{
	bool has_any = false;

	for (size_t p = 0; p < self->parameter_count; p++) {
		size_t bytes = self->parameters[p].bytes;

		if (is_word(&self->parameters[p]))
			continue;
		at_strbuf_addf(out, "%s  P%zu = (", has_any ? "" : "types: {\n", p);
		has_any = true;
		for (size_t i = 0, word; i < bytes; i += word) {
			word = field_bytes(self, p, i);
			at_strbuf_add(out, i ? ", \"" : " \"");
			add_type(out, pointer_at(self, p, i), word);
			at_strbuf_addf(
				out, pointer_at(self, p, i) ? "w%zu\"" : " w%zu\"", i);
		}
		at_strbuf_add(out, " );\n");
	}
	at_strbuf_add(out, has_any ? "};\n" : "");
}

const char *at_captured_access(const struct at_captured_block *block)
{
	return block->is_output                           ? "out"
	       : block->is_changed && !block->variable[0] ? "inout"
							  : "in";
}

void at_captured_add_fill(const struct at_captured_block *block, struct at_strbuf *out)
{
	if (block->is_output)
		at_strbuf_add(out, "   ");
	else if (block->before)
		at_strbuf_addf(out, "    fill = \"file('%s')\";", block->before);
	else
		at_strbuf_add(out, "    fill = \"constant(0)\";");
}

static void add_block(const struct at_captured *self, struct at_captured_sizes *sizes,
	size_t index, const char *variable, struct at_strbuf *out)
{
	const struct at_captured_block *block = &self->blocks[index];
	uint64_t cut_bytes = 0;
	char name[32];

	for (const struct at_captured *launch = self; launch; launch = launch->next)
		if (launch->blocks[index].cut_bytes > cut_bytes)
			cut_bytes = launch->blocks[index].cut_bytes;
	snprintf(name, sizeof(name), "M%zu_BYTES", index);
	at_strbuf_addf(out, "  { name = \"m%zu\"; type = \"unsigned char\"; ", index);
	at_captured_add_count(self, sizes, index, 1, name, out);
	at_strbuf_addf(out, " access = \"%s\";%s", at_captured_access(block),
		block->is_output ? "" : " fixed = true;");
	at_captured_sizes_add_comment(sizes, out);
	at_strbuf_add_char(out, '\n');
	at_captured_add_fill(block, out);
	if (variable)
		at_strbuf_addf(out, " symbol = \"%s\";", variable);
	at_strbuf_add(out, " },\n");
	if (cut_bytes)
		at_strbuf_addf(out,
			"  // m%zu: %" PRIu64
			" bytes behind it were not recorded (--all-memory)\n",
			index, cut_bytes);
}

void at_captured_add_variables(const struct at_captured *self,
	struct at_captured_sizes *sizes, const char *source, struct at_strbuf *out)
{
	char name[256];

	for (size_t i = 0; i < self->block_count; i++) {
		const char *symbol = self->blocks[i].variable;

		/* a space can only name variables with C++ names */
		if (!is_identifier(symbol) ||
			!at_variable_name(symbol, name, sizeof(name)))
			continue;
		if (!source || at_scan_mentions(source, name))
			add_block(self, sizes, i, name, out);
	}
}

static void add_parameter(const struct at_captured *self,
	struct at_captured_sizes *sizes, size_t index, struct at_strbuf *out)
{
	const struct at_captured_parameter *parameter = &self->parameters[index];

	at_strbuf_addf(out, "  { name = \"p%zu\"; type = \"", index);
	if (is_word(parameter)) {
		add_type(out, pointer_at(self, index, 0), parameter->bytes);
		at_strbuf_add(out, "\"; fixed = true; value = ");
		add_word(self, sizes, index, 0, out);
		at_strbuf_add(out, "; }");
		return;
	}
	at_strbuf_addf(out, "P%zu\"; fixed = true; value = {", index);
	for (size_t i = 0; i < parameter->bytes; i += field_bytes(self, index, i)) {
		at_strbuf_addf(out, " w%zu = ", i);
		add_word(self, sizes, index, i, out);
		at_strbuf_add_char(out, ';');
	}
	at_strbuf_add(out, " }; }");
}

/* The most elements per thread that the search tries. */
#define ELEMENTS_MOST 16

/* Whether the grid has ceil_div(n, step) blocks in all launches. At least one launch
   must have two blocks: a smaller n could be anything. */
static bool explains_grid(
	const struct at_captured *self, struct number number, int64_t step)
{
	bool has_two = false;

	for (; self; self = self->next) {
		const int64_t n = number_of(self, number).integer;

		has_two |= n > step;
		if (n < 1 || (n + step - 1) / step != self->grid[0])
			return false;
	}
	return has_two;
}

/* Looks for an integer parameter n for which the grid has ceil_div(n, k * block)
   blocks, with k a small power of two: n elements, k per thread. Returns k, or 0. */
static unsigned find_elements(const struct at_captured *self, struct number *number)
{
	for (unsigned each = 1; each <= ELEMENTS_MOST; each *= 2)
		for (size_t p = 0; p < self->parameter_count; p++) {
			const size_t bytes = self->parameters[p].bytes;

			*number = (struct number){ WORD, .index = p, .bytes = 4 };
			for (; number->offset < bytes && word_bytes(bytes) >= 4;
				number->offset += 4)
				if (!pointer_at(self, p, number->offset / 8 * 8) &&
					explains_grid(self, *number,
						(int64_t)self->block[0] * each))
					return each;
		}
	return 0;
}

/* The tuned block sizes: from a warp to the largest of CUDA. */
#define BLOCK_LEAST 32
#define BLOCK_MOST 1024

/* Appends the number of blocks along x. Returns whether the block size may be tuned:
   the expression contains it. */
static bool add_blocks(const struct at_captured *self, struct at_captured_sizes *sizes,
	struct at_strbuf *out)
{
	const bool is_flat = self->block[1] == 1 && self->block[2] == 1;
	struct at_captured_number grid = { .name = "GRID_X",
		.block = self->block[0],
		.block_name = is_flat ? "BLOCK_X" : NULL };
	struct at_value values[AT_CAPTURED_LAUNCHES_MOST];
	struct number elements;
	unsigned each = is_flat ? find_elements(self, &elements) : 0;
	const size_t start = out->length;

	if (!each) {
		add_quoted(self, sizes, (struct number){ .kind = GRID }, grid, out);
		return strstr(out->data + start, "BLOCK_X") != NULL;
	}
	at_strbuf_add(out, "\"ceil_div(");
	add_number(self, sizes, elements,
		(struct at_captured_number){
			.name = self->parameters[elements.index].name },
		out);
	at_strbuf_addf(out, each > 1 ? ", %u * BLOCK_X)\"" : ", BLOCK_X)\"", each);
	get_values(self, (struct number){ .kind = GRID }, values);
	at_captured_sizes_note(sizes, values);
	return true;
}

void at_captured_add_launch(const struct at_captured *self,
	struct at_captured_sizes *sizes, struct at_strbuf *out)
{
	static const char *const names[] = { "GRID_X", "GRID_Y", "GRID_Z" };
	const struct number shared = { .kind = SHARED };
	struct at_strbuf blocks = { 0 };
	bool each = add_blocks(self, sizes, &blocks);

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
	at_strbuf_add(out, blocks.data);
	at_strbuf_release(&blocks);
	for (size_t i = 1; i < 3; i++) {
		at_strbuf_add(out, ", ");
		add_quoted(self, sizes, (struct number){ GRID, .index = i },
			(struct at_captured_number){
				.name = names[i], .block = self->block[i] },
			out);
	}
	at_strbuf_add(out, " );");
	/* the same number of bytes for each thread */
	if (each && !differs(self, shared) && self->shared_bytes &&
		self->shared_bytes % self->block[0] == 0) {
		at_strbuf_addf(out, " shared_bytes = \"%" PRIu32 " * BLOCK_X\";",
			self->shared_bytes / self->block[0]);
	} else if (self->shared_bytes || differs(self, shared)) {
		at_strbuf_add(out, " shared_bytes = ");
		add_quoted(self, sizes, shared,
			(struct at_captured_number){
				.name = "SHARED_BYTES", .block = self->block[0] },
			out);
		at_strbuf_add_char(out, ';');
	}
	if (self->cluster[0])
		at_strbuf_addf(out,
			" cluster = ( %" PRIu32 ", %" PRIu32 ", %" PRIu32 " );",
			self->cluster[0], self->cluster[1], self->cluster[2]);
	if (self->is_cooperative)
		at_strbuf_add(out, " cooperative = true;");
	at_strbuf_add(out, " };");
	at_captured_sizes_add_comment(sizes, out);
	at_strbuf_add_char(out, '\n');
}

void at_captured_find_outputs(
	struct at_captured *self, bool (*stands)(void *context), void *context)
{
	size_t count = 0;

	for (size_t i = 0; i < self->block_count; i++) {
		struct at_captured_block *block = &self->blocks[i];

		block->is_output = block->is_changed && !block->variable[0];
		count += block->is_output;
	}
	if (!count || stands(context))
		return;
	for (size_t i = 0; i < self->block_count; i++)
		self->blocks[i].is_output = false;
	for (size_t i = 0; i < self->block_count && count > 1; i++) {
		struct at_captured_block *block = &self->blocks[i];

		block->is_output = block->is_changed && !block->variable[0];
		if (block->is_output && !stands(context))
			block->is_output = false;
	}
}

void at_captured_write_replay(
	const struct at_captured *self, const char *name, struct at_strbuf *out)
{
	struct at_captured_sizes sizes;
	struct at_strbuf body = { 0 };
	bool has_any = false;

	at_captured_find_sizes(self, &sizes);
	at_captured_add_launch(self, &sizes, &body);
	add_structures(self, &body);
	at_strbuf_add(&body, "arguments = (\n");
	for (size_t i = 0; i < self->block_count; i++)
		if (!self->blocks[i].variable[0])
			add_block(self, &sizes, i, NULL, &body);
	at_captured_add_variables(self, &sizes, NULL, &body);
	for (size_t i = 0; i < self->parameter_count; i++) {
		add_parameter(self, &sizes, i, &body);
		at_strbuf_add(&body, i + 1 < self->parameter_count ? "," : "");
		at_captured_sizes_add_comment(&sizes, &body);
		at_strbuf_add_char(&body, '\n');
	}
	at_strbuf_add(&body, ");\nverify: { derive = false; };\n");
	at_captured_add_title(self, out);
	at_strbuf_add(out,
		"// The machine code runs as it is, and all bits of its outputs are compared.\n");
	if (self->other_cubins)
		at_strbuf_addf(out,
			"// Other modules with a kernel of this name: %" PRIu64
			"; this is the newest.\n",
			self->other_cubins);
	at_strbuf_addf(out,
		"kernel: {\n  name = \"%s\"; function = \"%s\"; template = \"%s\";\n  arguments = (",
		name, self->kernel, self->cubin);
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
	if (self->next)
		at_captured_sizes_write_problems(&sizes, "cuda", out);
	else
		at_strbuf_add(out,
			"problems = ( { name = \"captured\"; on = \"cuda\"; } );\n");
	at_strbuf_add(out, body.data);
	at_strbuf_release(&body);
	at_captured_sizes_release(&sizes);
}
