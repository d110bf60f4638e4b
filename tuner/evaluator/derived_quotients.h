/*
 * What the quotients in the text of an expression say of what they divide; private to
 * derived*.c.
 * Threads: pure functions.
 */
#ifndef AT_EVALUATOR_DERIVED_QUOTIENTS_H
#define AT_EVALUATOR_DERIVED_QUOTIENTS_H

#include <stdbool.h>
#include <stddef.h>

/* how many characters from here on are those of a name or a number */
size_t derived_word_length(const char *text);
/* Whether the quotient at `slash` is rounded up, like "(N + 7) / 8" or "(N + W - 1) /
   W". */
bool derived_rounds_up(const char *text, const char *slash);
/* The same, or whether it counts what fits, like "(N - W) / S + 1". Neither promises
   that the divisor divides the size. */
bool derived_leaves_rest(const char *text, const char *slash);
/* The "(" that the ")" ahead of `place` closes; where there is none, the text. */
const char *derived_opening_of(const char *text, const char *place);
/* The "," or ")" that ends what begins at `text`. */
const char *derived_end_of_operand(const char *text);

#endif
