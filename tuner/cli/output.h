/*
 * The two output streams. Results go to stdout in whole lines; messages go to stderr.
 * Texts come from files, records and compilers. Whatever they contain, only line ends,
 * tabs and, on a terminal, the styles of cli/format.h pass; nothing else that a
 * terminal would obey does.
 *
 * A reader that closed the pipe (EPIPE) is no failure: the remaining output is dropped
 * silently. Any other error of stdout, such as a full disk, is reported once and makes
 * the program fail. Threads: one.
 */
#ifndef AT_CLI_OUTPUT_H
#define AT_CLI_OUTPUT_H

#include "base/error.h"
#include "base/json.h"
#include "base/memory.h"

#include <stdbool.h>

/* Call it before anything is printed. It ignores SIGPIPE, so that a closed pipe does
   not kill the program. */
void at_output_begin(void);
/* Call it at the end. Returns false when output was lost, except to a reader that
   closed the pipe. */
bool at_output_end(void);

/* Prints a result, text that ends in a newline, at once, and releases the text. */
void at_print(struct at_strbuf *text);
/* The same for people: lines are folded to the terminal's width. */
void at_print_folded(struct at_strbuf *text);
/* Prints one object on one line and frees it. */
void at_print_json(struct at_json *object);

/*
 * Prints a message of one line on stderr. A status display, where there is one, is
 * cleared before it and drawn again later: see at_say_around(). The line is folded to
 * the terminal's width.
 */
void at_say(const char *format, ...) AT_PRINTF(1, 2);
/*
 * Prints an error as "autotune: file:line: text", with advice where the system ran out
 * of something.
 */
void at_say_error(const struct at_error *err);
/* Prints lines on stderr, which may have the styles of cli/format.h, and releases
   them. */
void at_say_block(struct at_strbuf *text);

/* Redraws a line on stderr, cut to the terminal's width; NULL wipes it. Nothing where
   stderr is no terminal. */
void at_output_status(const char *format, ...) AT_PRINTF(1, 2);

/* Sets a function that is called before anything is printed on either stream; NULL:
   none. */
void at_say_around(void (*hide)(void *context), void *context);

/* Whether a display on this stream may be redrawn: it is a terminal, and not a dumb
   one. */
bool at_output_is_terminal(int file);
/* Whether the stream gets colour: a terminal, unless NO_COLOR is set. */
bool at_output_has_color(int file);
/* Whether the locale that the environment names has UTF-8. */
bool at_output_is_utf8(void);
/* The columns of the terminal on file; 80 where they are not known. */
int at_output_width(int file);

#endif
