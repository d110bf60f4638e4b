/*
 * CUDA C++ as a sequence of lexemes: just enough to see which names a source has
 * without compiling it. Macros are not expanded, and conditions are not evaluated.
 *
 * Threads: safe.
 */
#ifndef AT_KERNEL_SCAN_H
#define AT_KERNEL_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The characters of an identifier, which does not begin with a digit. */
#define AT_SCAN_IDENTIFIER \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"

/* The number of identifier characters from here on. strspn() would build a table of
   them at each call, and a template is scanned many times. */
static inline size_t at_scan_span(const char *text)
{
	/* a bit for each of 256 characters: digits; letters and '_' */
	static const uint64_t bits[4] = { 0x03ff000000000000, 0x07fffffe87fffffe };
	size_t length = 0;

	for (;; length++) {
		unsigned char c = (unsigned char)text[length];

		if (!(bits[c >> 6] >> (c & 63) & 1))
			return length;
	}
}

struct at_lexeme {
	const char *text; /* borrowed from the source, not terminated */
	size_t length;
};

/* Reads the next lexeme from *at and moves *at after it: an identifier or a number, a
   string or character literal with its quotes, or any other single character. Skips
   comments and blanks. False at the end of the text. */
bool at_scan(const char **at, struct at_lexeme *out);

/* inline, so that a literal's length is a constant */
static inline bool at_lexeme_is(struct at_lexeme lexeme, const char *text)
{
	return lexeme.length == strlen(text) &&
	       !memcmp(lexeme.text, text, lexeme.length);
}
bool at_lexeme_is_identifier(struct at_lexeme lexeme);
bool at_lexeme_same(struct at_lexeme a, struct at_lexeme b);
/* Whether it is one of the words, which a space precedes and follows: " if else ". */
bool at_lexeme_is_one_of(struct at_lexeme lexeme, const char *words);

/* Whether the source defines the function (for a C++ name such as "tools::scale<4>",
   the function scale), and certainly not as __global__: its declaration has __device__
   or __host__, or no word that might be a macro. False if no definition is seen. */
bool at_scan_is_no_kernel(const char *source, const char *name);

/* Whether the text has the name as a word, even in comments. */
bool at_scan_mentions(const char *text, const char *name);

/* The end of the directive whose "#" is at `at`, before its last newline. Newlines
   after a '\\' (or '\\' and a carriage return) and in comments do not end it. */
const char *at_scan_directive_end(const char *at);

/* Finds a "#define NAME" at or after `from`, a position in the text, that replaces a
   macro defined before the text: the macro has no parameters, no condition around the
   directive has one of the words `guards` (" NAME OTHER "), and no #undef of the name
   precedes it. *end: the end of the directive. NULL: none. */
const char *at_scan_definition(const char *text, const char *from,
	struct at_lexeme name, const char *guards, const char **end);

#endif
