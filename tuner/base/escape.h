/*
 * Writing texts that come from others (files, records, compilers, kernels): one
 * function for each language that is written. Each appends to a buffer and leaves
 * characters that can be shown as they are. For whoever reads the output the text stays
 * a text, and never becomes code or markup. Names that become code have no escape: they
 * are checked when they are read. Threads: safe.
 */
#ifndef AT_BASE_ESCAPE_H
#define AT_BASE_ESCAPE_H

#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- characters ---------------------------------------------------------------- */

/* Stands for a byte that is not UTF-8. */
#define AT_NO_CHARACTER UINT32_MAX

/*
 * Reads the first character of a UTF-8 text of `size` bytes (at least 1); *length: its
 * bytes. AT_NO_CHARACTER with *length 1 if none exists: a form that is too long,
 * half of a surrogate pair, or a character that is cut off.
 */
uint32_t at_character(const char *text, size_t size, size_t *length);

/*
 * Whether a person sees the character as it is meant. Not shown are: control
 * characters, also U+0080 to U+009F, which terminals obey as well; what changes the
 * direction of writing or has no width; ends of lines; codes that are no characters.
 */
bool at_character_is_shown(uint32_t character);
/* Whether all characters of a text are shown. */
bool at_text_is_shown(const char *text, size_t size);

/* ---- languages ------------------------------------------------------------------ */

/* For one line of a terminal: ASCII control characters become blanks, other characters
   that are not shown '?'. */
void at_escape_line(struct at_strbuf *out, const char *text, size_t size);

/*
 * For a comment in C, between its ends: printable ASCII only, without backslashes,
 * which could join lines, and without the pairs that compilers replace (trigraphs) or
 * that end a comment.
 */
void at_escape_c_comment(struct at_strbuf *out, const char *text);
/* For C: a string with its quotes, of the same bytes, without trigraphs. */
void at_escape_c_string(struct at_strbuf *out, const char *text);
/* For XML, HTML and SVG, in texts and attributes; what XML cannot hold becomes '?'. */
void at_escape_xml(struct at_strbuf *out, const char *text);
/* For JSON that is complete already: characters that are not shown become \uXXXX. They
   occur only in strings, where that means the same. */
void at_escape_json(struct at_strbuf *out, const char *text, size_t size);
/* For Markdown: a cell of a table, and a code span in one; nothing for "". */
void at_escape_markdown(struct at_strbuf *out, const char *text);
void at_escape_markdown_code(struct at_strbuf *out, const char *text);
/* For CSV (RFC 4180): a cell, quoted where necessary. */
void at_escape_csv(struct at_strbuf *out, const char *text);
/* For a POSIX shell: a word, quoted unless it is plain. */
void at_escape_shell(struct at_strbuf *out, const char *text);

#endif
