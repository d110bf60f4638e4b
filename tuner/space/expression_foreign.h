/*
 * Hints for what people bring into expressions from other languages: names, functions
 * and operators that mean nothing here or something else. Only for messages. Private to
 * expression_*.c. Threads: pure.
 */
#ifndef AT_SPACE_EXPRESSION_FOREIGN_H
#define AT_SPACE_EXPRESSION_FOREIGN_H

#include <stddef.h>

/* What to write here in place of text[0..length), as the end of a message: "; \"and\"
   is written &&". "" where nothing is known of it. Static storage. */
const char *at_expression_foreign(const char *text, size_t length);

#endif
