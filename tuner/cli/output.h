/*
 * The two streams. Results go to stdout in whole lines; talk goes to stderr. Texts come
 * from files, records and compilers: whatever is in them, nothing that a terminal obeys
 * passes here but ends of lines, tabs and, on a terminal, the styles of cli/format.h.
 *
 * A reader that went away (EPIPE) is no failure: what was still to be printed is
 * dropped in silence. Everything else that stdout refuses, a full disk, is told
 * once and makes the program fail. Threads: one.
 */
#ifndef AT_CLI_OUTPUT_H
#define AT_CLI_OUTPUT_H

#include "base/error.h"
#include "base/json.h"
#include "base/memory.h"

#include <stdbool.h>

/* Before anything is printed: a closed pipe must not kill the program. */
void at_output_begin(void);
/*
 * Flushes; false when something was lost other than to a reader that left, or may be,
 * since memory ran out.
 */
bool at_output_end(void);

/* Results: text ending in a newline, written and flushed at once. */
void at_print(const struct at_strbuf *text);
/* The same for people: lines are folded to a terminal's width. */
void at_print_folded(const struct at_strbuf *text);
/* One object on one line; takes ownership. */
void at_print_json(struct at_json *object);

/*
 * Talk. A status display, where there is one, is cleared before each and drawn
 * again after it: see at_say_around(). Lines are folded to a terminal's width.
 */
void at_say(const char *format, ...) AT_PRINTF(1, 2);
void at_say_error(const struct at_error *err); /* "autotune: file:line: text" */
void at_say_block(const struct at_strbuf *text);

/* hide() is called before anything is printed, on either stream; NULL: none. */
void at_say_around(void (*hide)(void *context), void *context);

/* Colour and redrawing are for terminals only, and colour not with NO_COLOR. */
bool at_output_is_terminal(int file);
bool at_output_has_color(int file);
/* Columns of the terminal on file; 80 where it does not say. */
int at_output_width(int file);

#endif
