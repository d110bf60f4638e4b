/*
 * The members of a struct as a table, so that one list puts it into a message, gets
 * it out again, releases it and hashes it:
 *
 *   static const struct at_field point_members[] = {
 *           AT_FIELD(struct point, x_bytes, U64),
 *           AT_FIELD(struct point, name, TEXT),
 *           AT_FIELD_LIST(struct point, tags, tag_count, at_fields_text),
 *   };
 *   const struct at_fields point_fields = AT_FIELDS(struct point, point_members);
 *   at_fields_put(&point_fields, &point, &writer);
 *
 * A new member is one line. A member that is in no table neither travels nor is
 * hashed nor released.
 *
 * What it must not know: what members mean. Rules between members are for whoever
 * owns the struct. Threads: pure functions over the caller's objects.
 */
#ifndef AT_BASE_FIELDS_H
#define AT_BASE_FIELDS_H

#include "base/hash.h"
#include "base/wire.h"

#include <stddef.h>

enum at_field_kind {
	AT_FIELD_KIND_NONE = 0,
	AT_FIELD_KIND_U32,
	AT_FIELD_KIND_U64, /* a size_t as well */
	AT_FIELD_KIND_I64,
	AT_FIELD_KIND_INT,
	AT_FIELD_KIND_REAL, /* double; its very bits travel */
	AT_FIELD_KIND_BOOL,
	AT_FIELD_KIND_HASH, /* struct at_hash */
	AT_FIELD_KIND_ENUM, /* from 0 to below the bound */
	AT_FIELD_KIND_TEXT, /* char *, heap; NULL arrives as "" */
	AT_FIELD_KIND_CHARS, /* char [n], a text that ends inside it */
	AT_FIELD_KIND_BYTES, /* unsigned char [n] */
	AT_FIELD_KIND_BLOB, /* unsigned char *, heap; no bytes arrive as NULL */
	AT_FIELD_KIND_STRUCT,
	AT_FIELD_KIND_ARRAY, /* of a fixed length, inside the struct */
	AT_FIELD_KIND_LIST, /* heap, with its count in another member */
};

struct at_fields;

struct at_field {
	enum at_field_kind kind;
	const char *name;
	size_t offset;
	size_t bytes; /* of the member; of a LIST one element */
	uint32_t bound; /* ENUM */
	size_t count_offset; /* BLOB, LIST: the member that counts bytes or elements */
	size_t count_bytes; /* of that member: 4 or 8 */
	const struct at_fields *table; /* STRUCT, and the elements of ARRAY and LIST */
};

struct at_fields {
	size_t object_bytes;
	const struct at_field *members;
	const struct at_field *end; /* past the last */
};

/* The elements of arrays and lists of scalars. */
extern const struct at_fields at_fields_u32;
extern const struct at_fields at_fields_i64;
extern const struct at_fields at_fields_real;
extern const struct at_fields at_fields_bool;
extern const struct at_fields at_fields_text;

/* the formatter takes the braces of such a macro for a block */
/* clang-format off */

/* Initialiser of a struct at_fields from the array of its members. */
#define AT_FIELDS(type, array) { sizeof(type), (array), (array) + AT_COUNT_OF(array) }

/*
 * One member. The simple kinds are U32, U64, I64, INT, REAL, BOOL, HASH and TEXT:
 * AT_FIELD(struct point, x_bytes, U64). A kind that does not fit the member's type
 * does not compile; `count` is the member that counts, `fields` the elements' table.
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

/* Parts of the above. */
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
 * Fills *object, which need not be initialised; members outside the table become 0.
 * Fails softly, as base/wire.h does: an enum out of its range, a bool other than 0
 * and 1, a text with a NUL inside or too long for its array are failures. A count is
 * held against the bytes left before anything is allocated. After a failure *object
 * can be released.
 */
void at_fields_get(
	const struct at_fields *table, struct at_wire_reader *in, void *object);

/* Frees what the members own and zeroes all of *object. Nothing for NULL. */
void at_fields_release(const struct at_fields *table, void *object);

/*
 * Names and values of the members that are not zero (0, false, NULL, "", no elements;
 * a struct or an array of nothing but those), in the table's order. The hash is thus
 * independent of offsets and of the messages' format, and a member that is new keeps
 * the hashes of all objects in which it is zero.
 */
void at_fields_hash(
	const struct at_fields *table, const void *object, struct at_hasher *hasher);

#endif
