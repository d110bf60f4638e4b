/*
 * The members of a struct as a table, so that one list serializes, deserializes,
 * releases and hashes it:
 *
 *   static const struct at_field point_members[] = {
 *           AT_FIELD(struct point, x_bytes, U64),
 *           AT_FIELD(struct point, name, TEXT),
 *           AT_FIELD_LIST(struct point, tags, tag_count, at_fields_text),
 *   };
 *   const struct at_fields point_fields = AT_FIELDS(struct point, point_members);
 *   at_fields_put(&point_fields, &point, &writer);
 *
 * A new member is one line. A member outside the table is not sent, hashed or released.
 * Members after AT_FIELD_NOT_HASHED are only sent and released.
 *
 * Must not know: what members mean. The owner of the struct checks rules between
 * members. Threads: pure functions on the caller's objects.
 */
#ifndef AT_BASE_FIELDS_H
#define AT_BASE_FIELDS_H

#include "base/hash.h"
#include "base/wire.h"

#include <stddef.h>

enum at_field_kind {
	AT_FIELD_KIND_NONE = 0, /* AT_FIELD_NOT_HASHED: no member */
	AT_FIELD_KIND_U32,
	AT_FIELD_KIND_U64, /* also a size_t */
	AT_FIELD_KIND_I64,
	AT_FIELD_KIND_INT,
	AT_FIELD_KIND_REAL, /* double; sent bitwise */
	AT_FIELD_KIND_BOOL,
	AT_FIELD_KIND_HASH, /* struct at_hash */
	AT_FIELD_KIND_ENUM, /* 0 to below the bound */
	AT_FIELD_KIND_TEXT, /* char *, heap; NULL arrives as "" */
	AT_FIELD_KIND_CHARS, /* char [n], a terminated text */
	AT_FIELD_KIND_BYTES, /* unsigned char [n] */
	AT_FIELD_KIND_BLOB, /* unsigned char *, heap; an empty blob arrives as NULL */
	AT_FIELD_KIND_STRUCT,
	AT_FIELD_KIND_ARRAY, /* of a fixed length, inside the struct */
	AT_FIELD_KIND_LIST, /* heap, with its count in another member */
};

struct at_fields;

struct at_field {
	enum at_field_kind kind;
	const char *name;
	size_t offset;
	size_t bytes; /* size of the member; LIST: of an element */
	uint32_t bound; /* ENUM */
	size_t count_offset; /* BLOB, LIST: the member with the length */
	size_t count_bytes; /* of that member: 4 or 8 */
	const struct at_fields *table; /* STRUCT, and the elements of ARRAY and LIST */
};

struct at_fields {
	size_t object_bytes;
	const struct at_field *members;
	const struct at_field *end; /* past the last */
};

/* Tables for the elements of arrays and lists of scalars. */
extern const struct at_fields at_fields_u32;
extern const struct at_fields at_fields_i64;
extern const struct at_fields at_fields_real;
extern const struct at_fields at_fields_bool;
extern const struct at_fields at_fields_text;

/* clang-format would take the braces of such a macro for a block */
/* clang-format off */

/* Initialises a struct at_fields from the array of its members. */
#define AT_FIELDS(type, array) { sizeof(type), (array), (array) + AT_COUNT_OF(array) }

/*
 * One member. The simple kinds are U32, U64, I64, INT, REAL, BOOL, HASH and TEXT:
 * AT_FIELD(struct point, x_bytes, U64). A kind that does not match the member's type
 * does not compile; `count` is the member with the count, `fields` the elements' table.
 */
#define AT_FIELD(type, member, kind) \
	AT_FIELD_AS(type, member, kind, \
		AT_FIELD_IS(AT_FIELD_OF(type, member), AT_FIELD_TYPE_##kind), \
		.table = NULL)
#define AT_FIELD_ENUM(type, member, end) \
	AT_FIELD_AS(type, member, ENUM, \
		AT_FIELD_IS(AT_FIELD_OF(type, member) + 0, unsigned), .bound = (end))
#define AT_FIELD_CHARS(type, member) \
	AT_FIELD_AS(type, member, CHARS, \
		AT_FIELD_IS(&AT_FIELD_OF(type, member), \
			char(*)[sizeof(AT_FIELD_OF(type, member))]), \
		.table = NULL)
#define AT_FIELD_BYTES(type, member) \
	AT_FIELD_AS(type, member, BYTES, \
		AT_FIELD_IS(&AT_FIELD_OF(type, member), \
			unsigned char(*)[sizeof(AT_FIELD_OF(type, member))]), \
		.table = NULL)
#define AT_FIELD_BLOB(type, member, count) \
	AT_FIELD_AS(type, member, BLOB, \
		AT_FIELD_IS(AT_FIELD_OF(type, member), unsigned char *), \
		AT_FIELD_COUNT(type, count))
#define AT_FIELD_STRUCT(type, member, fields) \
	AT_FIELD_AS(type, member, STRUCT, 0, .table = &(fields))
#define AT_FIELD_ARRAY(type, member, fields) \
	AT_FIELD_AS(type, member, ARRAY, 0, .table = &(fields))
#define AT_FIELD_LIST(type, member, count, fields) \
	{ .kind = AT_FIELD_KIND_LIST, .name = #member, \
		.offset = offsetof(type, member), \
		.bytes = sizeof(*AT_FIELD_OF(type, member)), \
		AT_FIELD_COUNT(type, count), .table = &(fields) }

#define AT_FIELD_NOT_HASHED { .kind = AT_FIELD_KIND_NONE }

/* ---- parts of the above */
#define AT_FIELD_TYPE_U32 uint32_t
#define AT_FIELD_TYPE_U64 uint64_t
#define AT_FIELD_TYPE_I64 int64_t
#define AT_FIELD_TYPE_INT int
#define AT_FIELD_TYPE_REAL double
#define AT_FIELD_TYPE_BOOL bool
#define AT_FIELD_TYPE_HASH struct at_hash
#define AT_FIELD_TYPE_TEXT char *
#define AT_FIELD_OF(type, member) (((type *)0)->member)
#define AT_FIELD_IS(member, wanted) _Generic((member), wanted : 0)
#define AT_FIELD_AS(type, member, field_kind, zero, ...) \
	{ .kind = AT_FIELD_KIND_##field_kind, .name = #member, \
		.offset = offsetof(type, member) + (zero), \
		.bytes = sizeof(AT_FIELD_OF(type, member)), __VA_ARGS__ }
#define AT_FIELD_COUNT(type, count) \
	.count_offset = offsetof(type, count), \
	.count_bytes = _Generic(AT_FIELD_OF(type, count), uint32_t : 4, uint64_t : 8)
/* clang-format on */

void at_fields_put(
	const struct at_fields *table, const void *object, struct at_wire_writer *out);

/*
 * Reads the members from a message into *object, which need not be initialised; members
 * outside the table become 0. On failure the reader is `failed`, as in base/wire.h: an
 * enum out of its range, a bool other than 0 and 1, a text with a NUL inside or too
 * long for its array. A count is compared with the remaining bytes before any
 * allocation. After a failure *object can be released.
 */
void at_fields_get(
	const struct at_fields *table, struct at_wire_reader *in, void *object);

/* Frees what the members own and zeroes all of *object; does nothing for NULL. */
void at_fields_release(const struct at_fields *table, void *object);

/*
 * Hashes names and values of the members before AT_FIELD_NOT_HASHED that are not zero
 * (0, false, NULL, "", no elements; a struct or an array of only such), in the table's
 * order. So the hash does not depend on offsets or on the format of messages, and a new
 * member keeps the hashes of all objects in which it is zero.
 */
void at_fields_hash(
	const struct at_fields *table, const void *object, struct at_hasher *hasher);

#endif
