/*
 * Small things with text: the nearest known name for a typing mistake, numbers
 * and durations read and written. Threads: safe.
 */
#ifndef AT_BASE_TEXT_H
#define AT_BASE_TEXT_H

#include "base/error.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The name among names[0..count) nearest to `wrong` (Damerau's edit distance,
 * letter case counting half), or NULL when none is near enough to be meant.
 */
const char *at_text_nearest(const char *wrong, const char *const *names, size_t count);

/* As at_escape_line() does, in place: for quoting in a one-line message. */
void at_text_flatten(char *text);

/*
 * Bytes of the mark of UTF-8 (U+FEFF) at the start of a file's text, 0 or 3: editors on
 * Windows write one, and no reader needs it.
 */
size_t at_text_mark_bytes(const char *text, size_t size);

/* Lower case, every run of other than [a-z0-9] one '-', none at the ends; heap. */
char *at_text_slug(const char *text);

/* A C identifier in capitals: "matmul tiled" -> "MATMUL_TILED"; heap. */
char *at_text_macro(const char *text);

/*
 * What stands before item `index` of `count` in a list that a person reads: "",
 * ", ", and before the last one `last`, as " and " or " or ".
 */
const char *at_text_between(size_t index, size_t count, const char *last);

/* Whole decimal integer; false on anything else or on overflow. */
bool at_text_integer(const char *text, int64_t *out);
/* Whole finite real; false on anything else. */
bool at_text_real(const char *text, double *out);

/* "1.23 us", "456 ms": 3 or 4 significant digits, for people. */
void at_text_duration(double ns, char *buffer, size_t size);

/* The shortest decimal that reads back as the same double ("%.17g" at worst). */
void at_text_shortest_real(double value, char *buffer, size_t size);

#endif
