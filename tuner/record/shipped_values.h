/*
 * Values of a result file, each checked when it is taken. The first that is wrong ends
 * the reading: functions here do nothing once one has failed, and self->status says so.
 * Only record/shipped_read.c and shipped_problem.c include it. Threads: one reading,
 * one thread.
 */
#ifndef AT_RECORD_SHIPPED_VALUES_H
#define AT_RECORD_SHIPPED_VALUES_H

#include "base/json.h"
#include "base/objective.h"

/* far above what anybody has; they bound what a hostile file makes of a reader */
#define AT_READING_NAME_BYTES 200
#define AT_READING_MEMBERS 1000
/* times in ns, factors, fractions: products and quotients of them are numbers too */
#define AT_READING_POSITIVE_MAX 1e30

struct at_reading {
	const char *path;
	char place[160]; /* of the object that is read: "problems[2].baseline." */
	enum at_status status;
	struct at_error *err;
};

/* "PATH: problems[2].KEY: ...". */
void at_reading_fail(struct at_reading *self, const char *key, const char *format, ...)
	AT_PRINTF(3, 4);
void at_reading_fail_memory(struct at_reading *self);
/* "expected a number; found "x"". */
void at_reading_fail_kind(struct at_reading *self, const char *key,
	const char *expected, const struct at_json *found);

/*
 * Control characters and what is not shown (base/escape.h), as they stand or as
 * escapes: what is read here is printed, also to terminals, which obey them. No result
 * has any, so that one look at the text answers for every name and value in it.
 */
void at_reading_check_characters(
	struct at_reading *self, const char *text, size_t size);
/* A name as C has them. */
void at_reading_check_identifier(
	struct at_reading *self, const char *key, const char *name);

/* It is null, or not there. */
bool at_reading_is_null(const struct at_json *node);
/* Borrowed; NULL where it is null and need not be there, and after a failure. */
const struct at_json *at_reading_kind(struct at_reading *self,
	const struct at_json *object, const char *key, enum at_json_kind kind,
	bool is_needed);
/* Of at least `least` bytes and fewer than `size`, heap; "" where it is null and
   `least` is 0; NULL after a failure. */
char *at_reading_text(struct at_reading *self, const struct at_json *object,
	const char *key, size_t least, size_t size);
/* An integer from `least`; -1 where it is null and need not be there. */
int64_t at_reading_count(struct at_reading *self, const struct at_json *object,
	const char *key, bool is_needed, int64_t least);
/* Above 0, by no more than can be reckoned with; NAN where it is null. */
double at_reading_positive(struct at_reading *self, const struct at_json *object,
	const char *key, bool is_needed);
bool at_reading_flag(struct at_reading *self, const struct at_json *object,
	const char *key, bool otherwise);
/* By the keys of value, low and high: low <= value <= high, neither or both ends. */
struct at_score at_reading_score(struct at_reading *self, const struct at_json *object,
	const char *const keys[3], bool is_needed);
/* As the record keeps JSON: on one line, heap; "" for NULL. */
char *at_reading_keep(struct at_reading *self, const struct at_json *value);
/* {"BLOCK_X": 16, "CACHE": "cg"}, kept. */
char *at_reading_values(struct at_reading *self, const struct at_json *object,
	const char *key, bool is_needed);

#endif
