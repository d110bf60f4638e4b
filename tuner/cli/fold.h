/*
 * Breaks lines that are wider than a terminal between words; a terminal would break
 * them anywhere. Threads: safe.
 */
#ifndef AT_CLI_FOLD_H
#define AT_CLI_FOLD_H

#include "base/memory.h"

/*
 * Appends text with line breaks at blanks, so that no line has more than `columns`
 * columns. A continued line begins below the last cell that begins in the left half of
 * the line (cells are two blanks apart), else a little further right than the line
 * itself. A word that does not fit stays whole. Escape sequences take no column; blanks
 * between cells are kept.
 */
void at_fold(struct at_strbuf *out, const char *text, int columns);

#endif
