/* Helpers for text: the nearest known name for a typo; reading and writing numbers and
   durations. Threads: safe. */
#ifndef AT_BASE_TEXT_H
#define AT_BASE_TEXT_H

#include "base/error.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

/* The name of names[0..count) that is nearest to `wrong` (Damerau's edit distance,
   where a change of letter case counts half), or NULL if none is near enough. */
const char *at_text_nearest(const char *wrong, const char *const *names, size_t count);
/* Appends a suggestion: `; did you mean "random"?`, or without a similar name `; known
   are auto, random and local`. */
void at_text_add_known(struct at_strbuf *out, const char *wrong,
	const char *const *names, size_t count);

/* Appends to the text in a buffer of `size` bytes, as far as there is room. */
void at_text_append(char *text, size_t size, const char *format, ...) AT_PRINTF(3, 4);

/* at_escape_line() in place: for texts quoted in a one-line message. */
void at_text_flatten(char *text);

/* The length of a UTF-8 byte order mark (U+FEFF) at the start of a text: 3, or 0
   without one. Editors on Windows write it, and no reader needs it. */
size_t at_text_mark_bytes(const char *text, size_t size);

/* The text in lower case, with '-' for every run of characters other than [a-z0-9],
   except at the ends; heap. */
char *at_text_slug(const char *text);

/* The text as a C identifier in capitals: "matmul tiled" -> "MATMUL_TILED"; heap. */
char *at_text_macro(const char *text);

/* The separator before item `index` of `count` in a list for people: "", ", ", and
   before the last item `last`, for example " and ". */
const char *at_text_between(size_t index, size_t count, const char *last);

/* Reads a decimal integer that is the whole text; false for other texts and on
   overflow. */
bool at_text_integer(const char *text, int64_t *out);
/* Reads a finite real that is the whole text; false for other texts. */
bool at_text_real(const char *text, double *out);

/* Writes a duration for people: "1.23 us", "456 ms", with 3 or 4 significant digits. */
void at_text_duration(double ns, char *buffer, size_t size);

/* Reads a time such as "90d": a whole number from 1 to `most`, and one of the units,
   which are letters of "smhdwy". */
bool at_text_time(const char *text, const char *units, int64_t most, int64_t *seconds);

/*
 * The probable meaning of an unreadable time: "90m" for "1h30m", "10m" for "10 min".
 * units: the letters that may end it here, the smallest first, of "smhdwy". False: it
 * does not look like a time, or is not above 0.
 */
bool at_text_meant_time(const char *text, const char *units, char *buffer, size_t size);

/* Writes the shortest decimal that reads back as the same double ("%.17g" at worst). */
void at_text_shortest_real(double value, char *buffer, size_t size);

#endif
