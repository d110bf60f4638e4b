/*
 * The tokens of a text in libconfig's syntax, and a copy of it in which every integer
 * is marked as one of 64 bits. Private to config_scan.c, which has the grammar.
 *
 *   at_config_lexer_init(&lexer, text, size, path, &copy, err); the first token
 *   while (lexer.token.kind != AT_CONFIG_END)
 *           at_config_next(&lexer);
 *   at_config_lexer_end(&lexer); the rest of the copy
 *
 * Threads: no shared state.
 */
#ifndef AT_SPACE_CONFIG_LEX_H
#define AT_SPACE_CONFIG_LEX_H

#include "base/error.h"
#include "base/memory.h"

enum at_config_token_kind {
	AT_CONFIG_END = 0,
	AT_CONFIG_NAME,
	AT_CONFIG_INTEGER,
	AT_CONFIG_REAL,
	AT_CONFIG_BOOLEAN,
	AT_CONFIG_STRING,
	AT_CONFIG_MARK, /* one of = : ; , { } ( ) [ ] */
};

struct at_config_token {
	enum at_config_token_kind kind;
	const char *start;
	size_t length;
	int line;
};

struct at_config_lexer {
	struct at_config_token token;
	const char *path;
	struct at_error *err;
	struct at_strbuf *text; /* the copy */
	const char *at; /* behind the token */
	const char *end;
	const char *copied; /* the copy has all before */
	int line;
};

/* text, path, out and err stay the caller's, for as long as the lexer is used. An error
   says what was found where. */
enum at_status at_config_lexer_init(struct at_config_lexer *self, const char *text,
	size_t size, const char *path, struct at_strbuf *out, struct at_error *err);
enum at_status at_config_next(struct at_config_lexer *self);
void at_config_lexer_end(struct at_config_lexer *self);

#endif
