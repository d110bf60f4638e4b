/*
 * Writes untrusted texts (from files, records, compilers, kernels): one function for
 * each output language. Each appends to a buffer and leaves printable characters
 * unchanged. In the output the text stays a text, and never becomes code or markup.
 * Names that become code have no escape: they are checked when they are read. Threads:
 * safe.
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
 * bytes. AT_NO_CHARACTER with *length 1 if it is invalid: an overlong form, half of a
 * surrogate pair, or a truncated character.
 */
uint32_t at_character(const char *text, size_t size, size_t *length);

/*
 * Whether the character displays as intended. Hidden are: control characters, also
 * U+0080 to U+009F, which terminals also obey; characters that change the writing
 * direction or have no width; line ends; invalid code points.
 */
bool at_character_is_shown(uint32_t character);
bool at_text_is_shown(const char *text, size_t size);

/* ---- languages ------------------------------------------------------------------ */

/* For one line of a terminal: ASCII control characters become blanks, other hidden
   characters '?'. */
void at_escape_line(struct at_strbuf *out, const char *text, size_t size);

/* For the inside of a comment in C: printable ASCII only, without backslashes, which
   could join lines, and without trigraphs and ends of comments. */
void at_escape_c_comment(struct at_strbuf *out, const char *text);
/* For C: a quoted string of the same bytes, without trigraphs. */
void at_escape_c_string(struct at_strbuf *out, const char *text);
/* For XML, HTML and SVG, in texts and attributes; characters invalid in XML become
   '?'. */
void at_escape_xml(struct at_strbuf *out, const char *text);
/* For complete JSON: hidden characters become \uXXXX. They occur only in strings, where
   that means the same. */
void at_escape_json(struct at_strbuf *out, const char *text, size_t size);
/* For Markdown: a table cell, and a code span in a cell; nothing for "". */
void at_escape_markdown(struct at_strbuf *out, const char *text);
void at_escape_markdown_code(struct at_strbuf *out, const char *text);
/* For CSV (RFC 4180): a cell, quoted if necessary. */
void at_escape_csv(struct at_strbuf *out, const char *text);
/* For a POSIX shell: a word, quoted unless it is plain. */
void at_escape_shell(struct at_strbuf *out, const char *text);

#endif
