/*
 * Lines that are longer than a terminal is wide, broken between words: a terminal
 * breaks them anywhere. Threads: safe.
 */
#ifndef AT_CLI_FOLD_H
#define AT_CLI_FOLD_H

#include "base/memory.h"

/*
 * Each line of text with breaks at blanks, so that none has more than `columns`
 * columns. What goes on begins below the last cell of the line that begins in its
 * left half (cells are two blanks apart), else a little to the right of the line's
 * own beginning. A word that is longer than what is left stays whole. Escape
 * sequences take no column; blanks between cells stay as they are.
 */
void at_fold(struct at_strbuf *out, const char *text, int columns);

#endif
