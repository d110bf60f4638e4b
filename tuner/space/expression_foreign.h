/*
 * Hints for what people bring into expressions from other languages: names, functions
 * and operators that mean nothing here or something else. Only for messages. Private to
 * expression_*.c, and to config_lex.c for numbers. Threads: pure.
 */
#ifndef AT_SPACE_EXPRESSION_FOREIGN_H
#define AT_SPACE_EXPRESSION_FOREIGN_H

#include <stddef.h>

/* What to write here in place of text[0..length), as the end of a message: "; \"and\"
   is written &&". "" where nothing is known of it. Static storage. */
const char *at_expression_foreign(const char *text, size_t length);

/* The hint for a ">" where a value was expected, behind the character `before`. */
const char *at_expression_foreign_behind(char before);

/* What is meant by an "=" that is no part of an operator, between the character before
   it, blanks left out, and the text behind it. */
const char *at_expression_foreign_assignment(char before, const char *behind);

/* The hint for the text up to `end`, which is a number up to `behind` alone: "1K",
   "2.0f", "1_000". "" where there is none. */
const char *at_expression_foreign_number(
	const char *text, const char *behind, const char *end);

/* The hint for the character at which the text begins, which begins no token; `whole`
   is the expression that it is in. "" where there is none. */
const char *at_expression_foreign_character(const char *text, const char *whole);

#endif
