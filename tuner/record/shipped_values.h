/*
 * Values of a result file, each checked when it is read. The first wrong value ends the
 * reading: it sets self->status, and from then on these functions do nothing. Only
 * record/shipped_read.c and shipped_problem.c include this. Threads: one reading, one
 * thread.
 */
#ifndef AT_RECORD_SHIPPED_VALUES_H
#define AT_RECORD_SHIPPED_VALUES_H

#include "base/json.h"
#include "base/objective.h"

/* Limits far above any real file, so that a hostile one cannot make a reader slow or
   large. */
#define AT_READING_NAME_BYTES 200
#define AT_READING_MEMBERS 1000
/* for times in ns, factors and fractions: their products and quotients stay finite */
#define AT_READING_POSITIVE_MAX 1e30

/* One file while it is read. */
struct at_reading {
	const char *path;
	/* the path of the object that is being read, for errors:
	   "problems[2].baseline." */
	char place[160];
	enum at_status status;
	struct at_error *err;
};

/* Sets status to AT_EINVAL with "PATH: problems[2].KEY: ..." unless it failed
   before. */
void at_reading_fail(struct at_reading *self, const char *key, const char *format, ...)
	AT_PRINTF(3, 4);
/* Fails with "expected a number; found "x"". */
void at_reading_fail_kind(struct at_reading *self, const char *key,
	const char *expected, const struct at_json *found);

/*
 * Fails if the text holds control characters or characters that are not printable
 * (base/escape.h), plain or as escapes. What is read here gets printed, and terminals
 * obey control characters. Since the whole text is checked once, names and values need
 * no check of their own.
 */
void at_reading_check_characters(
	struct at_reading *self, const char *text, size_t size);
/* Fails unless the name is an identifier of C. */
void at_reading_check_identifier(
	struct at_reading *self, const char *key, const char *name);

/* Whether a node is null or missing. */
bool at_reading_is_null(const struct at_json *node);
/* The member of this kind; borrowed. NULL where it is null or missing and not needed,
   and after a failure. */
const struct at_json *at_reading_kind(struct at_reading *self,
	const struct at_json *object, const char *key, enum at_json_kind kind,
	bool is_needed);
/* A text of at least `least` and fewer than `size` bytes; heap. "" where it is null or
   missing and `least` is 0; NULL after a failure. */
char *at_reading_text(struct at_reading *self, const struct at_json *object,
	const char *key, size_t least, size_t size);
/* An integer of at least `least`; -1 where it is null or missing and not needed. */
int64_t at_reading_count(struct at_reading *self, const struct at_json *object,
	const char *key, bool is_needed, int64_t least);
/* A number above 0 and at most AT_READING_POSITIVE_MAX; NAN where it is null or missing
   and not needed. */
double at_reading_positive(struct at_reading *self, const struct at_json *object,
	const char *key, bool is_needed);
/* A boolean; `otherwise` where it is null or missing. */
bool at_reading_flag(struct at_reading *self, const struct at_json *object,
	const char *key, bool otherwise);
/* A value with its interval, by three keys: low <= value <= high, with both ends or
   neither. */
struct at_score at_reading_score(struct at_reading *self, const struct at_json *object,
	const char *const keys[3], bool is_needed);
/* A value as the record keeps JSON: on one line, heap; "" for NULL; NULL after a
   failure. */
char *at_reading_keep(struct at_reading *self, const struct at_json *value);
/* An object of numbers, booleans and texts, {"BLOCK_X": 16, "CACHE": "cg"}, checked and
   as at_reading_keep() gives it. */
char *at_reading_values(struct at_reading *self, const struct at_json *object,
	const char *key, bool is_needed);

#endif
