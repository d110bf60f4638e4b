/*
 * The tokens of an expression, and error messages that point into its text. Private to
 * expression_*.c.
 */
#ifndef AT_SPACE_EXPRESSION_LEX_H
#define AT_SPACE_EXPRESSION_LEX_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum at_token_kind {
	AT_TOKEN_END = 0,
	AT_TOKEN_INTEGER,
	AT_TOKEN_REAL,
	AT_TOKEN_WORD, /* start and length are those within the quotes */
	AT_TOKEN_NAME, /* with its dots: device.l2_bytes */
	AT_TOKEN_OPERATOR, /* and ( ) , ? : */
};

/* A token; start and length are a part of the lexer's text. */
struct at_token {
	enum at_token_kind kind;
	const char *start;
	size_t length;
	int64_t integer; /* of INTEGER */
	double real; /* of REAL */
	/* The integer is 9223372036854775808, which fits only with a minus before it;
	   `integer` then holds INT64_MIN. */
	bool needs_minus;
};

/* The state of the lexer; token is the current one. */
struct at_lexer {
	const char *text;
	const char *file;
	int line;
	struct at_error *err;

	const char *next; /* behind the token */
	const char *last_end; /* the end of the token before */
	struct at_token token;
};

/* Reads the first token. text and file are borrowed as long as the lexer is used. */
enum at_status at_lexer_init(struct at_lexer *self, const char *text, const char *file,
	int line, struct at_error *err);
/* Reads the next token; AT_TOKEN_END at the end of the text. */
enum at_status at_lexer_next(struct at_lexer *self);

/* Whether the token is this operator. */
bool at_token_is(const struct at_token *token, const char *operator_text);

/* Fails with `column 7 of "text": ...`; place points into the text. Returns
   status. */
enum at_status at_lexer_fail(const struct at_lexer *self, enum at_status status,
	const char *place, const char *format, ...) AT_PRINTF(4, 5);

/* Fails the same way with "expected X, found" and the current token. */
enum at_status at_lexer_fail_expected(
	const struct at_lexer *self, const char *expected);

#endif
