/* Walks the tables: put, get, release and hash. */
#include "base/fields.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* scalar elements of lists and arrays: tables of one member each */
static const struct at_field scalars[] = {
	{ .kind = AT_FIELD_KIND_U32, .name = "value", .bytes = sizeof(uint32_t) },
	{ .kind = AT_FIELD_KIND_I64, .name = "value", .bytes = sizeof(int64_t) },
	{ .kind = AT_FIELD_KIND_REAL, .name = "value", .bytes = sizeof(double) },
	{ .kind = AT_FIELD_KIND_BOOL, .name = "value", .bytes = sizeof(bool) },
	{ .kind = AT_FIELD_KIND_TEXT, .name = "value", .bytes = sizeof(char *) },
};
const struct at_fields at_fields_u32 = { sizeof(uint32_t), scalars, scalars + 1 };
const struct at_fields at_fields_i64 = { sizeof(int64_t), scalars + 1, scalars + 2 };
const struct at_fields at_fields_real = { sizeof(double), scalars + 2, scalars + 3 };
const struct at_fields at_fields_bool = { sizeof(bool), scalars + 3, scalars + 4 };
const struct at_fields at_fields_text = { sizeof(char *), scalars + 4, scalars + 5 };

/* by memcpy(), since the member's type is not `void *` but, say, `struct point *` */
static void *pointer_of(const void *member)
{
	void *pointer;

	memcpy(&pointer, member, sizeof(pointer));
	return pointer;
}

static void set_pointer(void *member, const void *pointer)
{
	memcpy(member, &pointer, sizeof(pointer));
}

static size_t count_of(const struct at_field *field, const void *object)
{
	const void *count = (const char *)object + field->count_offset;

	return field->count_bytes == sizeof(uint32_t) ? *(const uint32_t *)count
						      : *(const uint64_t *)count;
}

static void set_count(const struct at_field *field, void *object, size_t value)
{
	void *count = (char *)object + field->count_offset;

	if (field->count_bytes == sizeof(uint32_t))
		*(uint32_t *)count = (uint32_t)value;
	else
		*(uint64_t *)count = value;
}

/*
 * The first element of a struct, an array or a list, and the number of elements. An
 * unread list has no elements, whatever its count: filling a struct may fail between
 * the two, and lists may share a count.
 */
static char *elements_of(
	const struct at_field *field, const void *object, size_t *count)
{
	char *member = (char *)object + field->offset;
	char *elements;

	/* otherwise the table is for elements of another type */
	assert(field->bytes % field->table->object_bytes == 0);
	if (field->kind != AT_FIELD_KIND_LIST) {
		*count = field->bytes / field->table->object_bytes;
		return member;
	}
	elements = pointer_of(member);
	*count = elements ? count_of(field, object) : 0;
	return elements;
}

void at_fields_put(
	const struct at_fields *table, const void *object, struct at_wire_writer *out)
{
	for (const struct at_field *field = table->members; field < table->end;
		field++) {
		const char *member = (const char *)object + field->offset;
		const char *elements;
		size_t count;

		if (field->table) {
			elements = elements_of(field, object, &count);
			/* both ends know the length of an array */
			if (field->kind == AT_FIELD_KIND_LIST)
				at_wire_put_u32(out, (uint32_t)count);
			for (size_t i = 0; i < count; i++)
				at_fields_put(field->table,
					elements + i * field->table->object_bytes, out);
		} else if (field->kind == AT_FIELD_KIND_BOOL) {
			at_wire_put_u32(out, *(const bool *)member);
		} else if (field->kind == AT_FIELD_KIND_TEXT) {
			at_wire_put_text(out, pointer_of(member));
		} else if (field->kind == AT_FIELD_KIND_CHARS) {
			at_wire_put_text(out, member);
		} else if (field->kind == AT_FIELD_KIND_BLOB) {
			at_wire_put_blob(
				out, pointer_of(member), count_of(field, object));
		} else {
			at_strbuf_add_bytes(&out->bytes, member, field->bytes);
		}
	}
}

/* The fewest bytes of an object in a message. */
static size_t least_bytes(const struct at_fields *table)
{
	size_t bytes = 0;

	for (const struct at_field *field = table->members; field < table->end; field++)
		if (field->kind == AT_FIELD_KIND_BOOL ||
			field->kind == AT_FIELD_KIND_LIST) /* its count */
			bytes += sizeof(uint32_t);
		else if (field->table)
			bytes += field->bytes / field->table->object_bytes *
				 least_bytes(field->table);
		else if (field->kind == AT_FIELD_KIND_TEXT ||
			 field->kind == AT_FIELD_KIND_CHARS ||
			 field->kind == AT_FIELD_KIND_BLOB) /* its length */
			bytes += sizeof(uint64_t);
		else
			bytes += field->bytes;
	return bytes;
}

static void get_list(const struct at_fields *table, const struct at_field *field,
	struct at_wire_reader *in, void *object)
{
	size_t count = at_wire_get_count(in, least_bytes(field->table));
	void *elements;

	/* an earlier list that shares the count must have had the same count */
	for (const struct at_field *earlier = table->members; earlier < field;
		earlier++)
		if (earlier->kind == AT_FIELD_KIND_LIST &&
			earlier->count_offset == field->count_offset &&
			count != count_of(field, object))
			in->failed = true;
	if (in->failed)
		return;
	/* One more, so that an empty list is not NULL. An element may take many times
	   its bytes in a message, and a message must not end this process. */
	elements = calloc(count + 1, field->table->object_bytes);
	if (!elements) {
		in->failed = true;
		return;
	}
	set_pointer((char *)object + field->offset, elements);
	set_count(field, object, count);
}

void at_fields_get(
	const struct at_fields *table, struct at_wire_reader *in, void *object)
{
	memset(object, 0, table->object_bytes);
	for (const struct at_field *field = table->members;
		field < table->end && !in->failed; field++) {
		char *member = (char *)object + field->offset;
		char *elements;
		size_t count;

		if (field->table) {
			if (field->kind == AT_FIELD_KIND_LIST)
				get_list(table, field, in, object);
			elements = elements_of(field, object, &count);
			for (size_t i = 0; i < count && !in->failed; i++)
				at_fields_get(field->table, in,
					elements + i * field->table->object_bytes);
		} else if (field->kind == AT_FIELD_KIND_ENUM) {
			*(uint32_t *)member = at_wire_get_below(in, field->bound);
		} else if (field->kind == AT_FIELD_KIND_BOOL) {
			*(bool *)member = at_wire_get_below(in, 2);
		} else if (field->kind == AT_FIELD_KIND_TEXT) {
			set_pointer(member, at_wire_get_text(in));
		} else if (field->kind == AT_FIELD_KIND_CHARS) {
			at_wire_get_text_into(in, member, field->bytes);
		} else if (field->kind == AT_FIELD_KIND_BLOB) {
			set_pointer(member, at_wire_get_copy(in, &count));
			set_count(field, object, count);
		} else {
			at_wire_get_bytes(in, member, field->bytes);
		}
	}
}

static bool owns(const struct at_field *field)
{
	return field->kind == AT_FIELD_KIND_TEXT || field->kind == AT_FIELD_KIND_BLOB ||
	       field->kind == AT_FIELD_KIND_LIST;
}

static bool owns_any(const struct at_fields *table)
{
	for (const struct at_field *field = table->members; field < table->end; field++)
		if (owns(field) || (field->table && owns_any(field->table)))
			return true;
	return false;
}

static void release_members(const struct at_fields *table, void *object)
{
	for (const struct at_field *field = table->members; field < table->end;
		field++) {
		size_t count = 0;
		char *elements;

		/* most arrays are numbers, and some structs have hundreds */
		if (field->table && owns_any(field->table)) {
			elements = elements_of(field, object, &count);
			for (size_t i = 0; i < count; i++)
				release_members(field->table,
					elements + i * field->table->object_bytes);
		}
		if (owns(field))
			free(pointer_of((char *)object + field->offset));
	}
}

void at_fields_release(const struct at_fields *table, void *object)
{
	if (!object)
		return;
	release_members(table, object);
	/* at the end, since lists may share a count */
	memset(object, 0, table->object_bytes);
}

static bool is_zero(const struct at_field *field, const void *object)
{
	const char *member = (const char *)object + field->offset;
	const char *elements;
	size_t count;

	if (field->table) {
		elements = elements_of(field, object, &count);
		if (field->kind == AT_FIELD_KIND_LIST)
			return !count;
		for (size_t i = 0; i < count; i++)
			for (const struct at_field *inner = field->table->members;
				inner < field->table->end && inner->kind; inner++)
				if (!is_zero(inner,
					    elements + i * field->table->object_bytes))
					return false;
		return true;
	}
	if (field->kind == AT_FIELD_KIND_BLOB)
		return !pointer_of(member) || !count_of(field, object);
	if (field->kind == AT_FIELD_KIND_TEXT)
		member = pointer_of(member);
	if (field->kind == AT_FIELD_KIND_TEXT || field->kind == AT_FIELD_KIND_CHARS)
		return !member || !*member;
	/* -0.0 is not zero here */
	for (size_t i = 0; i < field->bytes; i++)
		if (member[i])
			return false;
	return true;
}

void at_fields_hash(
	const struct at_fields *table, const void *object, struct at_hasher *hasher)
{
	for (const struct at_field *field = table->members;
		field < table->end && field->kind; field++) {
		const char *member = (const char *)object + field->offset;
		const char *elements;
		size_t count;

		if (is_zero(field, object))
			continue;
		at_hasher_add_text(hasher, field->name);
		switch (field->kind) {
		case AT_FIELD_KIND_NONE:
			break;
		/* as wide as any integer, so that a widened member keeps its hash */
		case AT_FIELD_KIND_U32:
		case AT_FIELD_KIND_ENUM:
			at_hasher_add_integer(hasher, *(const uint32_t *)member);
			break;
		case AT_FIELD_KIND_INT:
			at_hasher_add_integer(hasher, *(const int *)member);
			break;
		case AT_FIELD_KIND_BOOL:
			at_hasher_add_integer(hasher, *(const bool *)member);
			break;
		case AT_FIELD_KIND_U64:
			at_hasher_add_integer(
				hasher, (int64_t) * (const uint64_t *)member);
			break;
		case AT_FIELD_KIND_I64:
			at_hasher_add_integer(hasher, *(const int64_t *)member);
			break;
		case AT_FIELD_KIND_REAL:
		case AT_FIELD_KIND_HASH:
		case AT_FIELD_KIND_BYTES:
			at_hasher_add(hasher, member, field->bytes);
			break;
		case AT_FIELD_KIND_TEXT:
			at_hasher_add_text(hasher, pointer_of(member));
			break;
		case AT_FIELD_KIND_CHARS:
			at_hasher_add_text(hasher, member);
			break;
		case AT_FIELD_KIND_BLOB:
			count = count_of(field, object);
			at_hasher_add(hasher, pointer_of(member), count);
			break;
		case AT_FIELD_KIND_STRUCT:
		case AT_FIELD_KIND_ARRAY:
		case AT_FIELD_KIND_LIST:
			elements = elements_of(field, object, &count);
			at_hasher_add_integer(hasher, (int64_t)count);
			for (size_t i = 0; i < count; i++)
				at_fields_hash(field->table,
					elements + i * field->table->object_bytes,
					hasher);
			break;
		}
	}
	/* marks the end: no member has this name */
	at_hasher_add_text(hasher, "");
}
