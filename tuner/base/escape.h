/*
 * What comes from others (files, records, compilers, kernels) on its way out: one
 * function for each language that is written. Each appends to a buffer and keeps what
 * can be shown as it is; what it writes means a text to whoever reads it, and never
 * more. Names that are to be code have no escape: they are checked when they are read.
 * Threads: safe.
 */
#ifndef AT_BASE_ESCAPE_H
#define AT_BASE_ESCAPE_H

#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- characters ---------------------------------------------------------------- */

/* What a byte that is no UTF-8 counts as. */
#define AT_NO_CHARACTER UINT32_MAX

/*
 * The first of text's `size` bytes, 1 at least, as a character of UTF-8; *length: its
 * bytes. AT_NO_CHARACTER, of one byte, where there is none: too long a form, a half of
 * a pair, or cut off.
 */
uint32_t at_character(const char *text, size_t size, size_t *length);

/*
 * Whether a person sees it as it is meant: no control character, also of U+0080 to
 * U+009F, which terminals obey as well; nothing that turns the direction of writing or
 * has no width; no end of a line; no code that is no character.
 */
bool at_character_is_shown(uint32_t character);
/* Whether all of them are. */
bool at_text_is_shown(const char *text, size_t size);

/* ---- languages ------------------------------------------------------------------ */

/* One line of a terminal: control characters of ASCII become blanks, all else that is
   not shown a '?'. */
void at_escape_line(struct at_strbuf *out, const char *text, size_t size);

/*
 * In a comment of C, between its ends: printable ASCII alone, no backslash, which could
 * join a line with the next, and none of the pairs of which compilers make more.
 */
void at_escape_c_comment(struct at_strbuf *out, const char *text);
/* A string of C with its quotes: the same bytes, no trigraphs. */
void at_escape_c_string(struct at_strbuf *out, const char *text);
/* XML, HTML and SVG, text and attributes alike; what XML cannot hold becomes '?'. */
void at_escape_xml(struct at_strbuf *out, const char *text);
/* JSON that is whole already: what is not shown becomes \uXXXX. That is only in its
   strings, where it means the same. */
void at_escape_json(struct at_strbuf *out, const char *text, size_t size);
/* A cell of a table in Markdown, and a code span in one; nothing for "". */
void at_escape_markdown(struct at_strbuf *out, const char *text);
void at_escape_markdown_code(struct at_strbuf *out, const char *text);
/* A cell of CSV (RFC 4180), quoted where it must be. */
void at_escape_csv(struct at_strbuf *out, const char *text);
/* A word of a POSIX shell, quoted unless it is plain. */
void at_escape_shell(struct at_strbuf *out, const char *text);

#endif
