/*
 * What people bring into expressions from other languages: names, functions and
 * operators that mean nothing here, and those that mean something else. For messages
 * alone. Private to expression_*.c. Threads: pure.
 */
#ifndef AT_SPACE_EXPRESSION_FOREIGN_H
#define AT_SPACE_EXPRESSION_FOREIGN_H

#include <stddef.h>

/* What is written for text[0..length) here, as the end of a message: "; \"and\" is
   written &&". "": nothing is known of it. Static storage. */
const char *at_expression_foreign(const char *text, size_t length);

#endif
