/*
 * The two output streams. Results go to stdout in whole lines; messages go to stderr.
 * Texts come from files, records and compilers, so they are filtered: only line ends,
 * tabs and, on a terminal, the styles of cli/format.h pass. No other control sequence
 * does.
 *
 * If the reader closed the pipe (EPIPE), the remaining output is dropped silently. Any
 * other error of stdout, such as a full disk, is reported once and makes the program
 * fail. Threads: one.
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
/* Call it at the end. False: output was lost, other than to a closed pipe. */
bool at_output_end(void);

/* Prints a result, a text that ends in a newline, and releases the text. */
void at_print(struct at_strbuf *text);
/* The same for people: lines are folded to the terminal's width. */
void at_print_folded(struct at_strbuf *text);
/* Prints one object on one line and frees it. */
void at_print_json(struct at_json *object);

/* Prints a message of one line on stderr, folded to the terminal's width. The status
   display is cleared before it and redrawn later: see at_say_around(). */
void at_say(const char *format, ...) AT_PRINTF(1, 2);
/* Prints an error as "autotune: file:line: text", with advice if the system ran out of
   something. */
void at_say_error(const struct at_error *err);
/* Prints lines on stderr, which may have the styles of cli/format.h. Releases text. */
void at_say_block(struct at_strbuf *text);

/* Redraws a line on stderr, cut to the terminal's width; NULL clears it. Does nothing
   if stderr is not a terminal. */
void at_output_status(const char *format, ...) AT_PRINTF(1, 2);

/* Sets a function that runs before anything is printed on either stream; may be
   NULL. */
void at_say_around(void (*hide)(void *context), void *context);

/* Whether a display on this stream may be redrawn: it is a terminal, not a dumb one. */
bool at_output_is_terminal(int file);
/* Whether the stream gets colour: a terminal, unless NO_COLOR is set. */
bool at_output_has_color(int file);
/* Whether the environment's locale has UTF-8. */
bool at_output_is_utf8(void);
/* The columns of the terminal on file; 80 if unknown. */
int at_output_width(int file);

#endif
