/*
 * The tokens of a text in libconfig's syntax. While the lexer reads, it also writes a
 * copy of the text in which every integer is marked as a 64-bit one (suffix L), since
 * libconfig would cut it to 32 bits, and in which the caller may replace tokens.
 * Private to config_scan.c, which has the grammar.
 *
 *   at_config_lexer_init(&lexer, text, size, path, &copy, err);   reads the first token
 *   while (lexer.token.kind != AT_CONFIG_END)
 *           at_config_next(&lexer);
 *   at_config_lexer_end(&lexer);                       completes the copy
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

/* start and length point into the text that was given to the lexer. */
struct at_config_token {
	enum at_config_token_kind kind;
	const char *start;
	size_t length;
	int line;
};

/* The state of the lexer; only token and suspect are read from outside. */
struct at_config_lexer {
	struct at_config_token token;
	/*
	 * The first string of the token's line that ends where another one should
	 * begin, as "x; type = ": its own quote is missing, and it ended with the next
	 * one's. NULL: there is none.
	 */
	const char *suspect;
	int suspect_length;
	const char *path;
	struct at_error *err;
	struct at_strbuf *text; /* the copy, the caller's */
	const char *at; /* the first byte behind the token */
	const char *end;
	const char *copied; /* everything before this is in the copy already */
	int line;
};

/* text, path, out and err are borrowed for as long as the lexer is used. Reads the
   first token. An error names the line and says what was found. */
enum at_status at_config_lexer_init(struct at_config_lexer *self, const char *text,
	size_t size, const char *path, struct at_strbuf *out, struct at_error *err);
/* Reads the next token; at the end of the text the token is AT_CONFIG_END. */
enum at_status at_config_next(struct at_config_lexer *self);
/* Writes this into the copy in place of the current token, which is no number. */
void at_config_replace(struct at_config_lexer *self, const char *text);
/* Adds the rest of the text to the copy. Call it when the last token was read. */
void at_config_lexer_end(struct at_config_lexer *self);

#endif
