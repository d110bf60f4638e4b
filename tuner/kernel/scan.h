/*
 * CUDA C++ as a row of lexemes: just enough to see which names a source has, without
 * compiling it. Macros are not expanded and conditions not decided.
 * Threads: safe.
 */
#ifndef AT_KERNEL_SCAN_H
#define AT_KERNEL_SCAN_H

#include <stdbool.h>
#include <stddef.h>

/* What an identifier is made of; it does not begin with a digit. */
#define AT_SCAN_IDENTIFIER \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"

/* How many characters from here on an identifier is made of. A template is scanned many
   times over, and strspn() makes a table of so many anew for each word. */
static inline size_t at_scan_span(const char *text)
{
	size_t length = 0;

	for (;; length++) {
		unsigned char c = (unsigned char)text[length];
		/* upper case becomes lower case, and nothing else becomes a letter */
		unsigned char letter = (unsigned char)((c | 0x20) - 'a');

		if (letter >= 26 && (unsigned char)(c - '0') >= 10 && c != '_')
			return length;
	}
}

struct at_lexeme {
	const char *text; /* borrowed from the source, not terminated */
	size_t length;
};

/*
 * The next lexeme from *at on, which is moved behind it: an identifier or a number, a
 * string or a character literal with its quotes, else one character. Comments and
 * blanks are passed over. False at the end.
 */
bool at_scan(const char **at, struct at_lexeme *out);

bool at_lexeme_is(struct at_lexeme lexeme, const char *text);
bool at_lexeme_is_identifier(struct at_lexeme lexeme);

/*
 * Whether the source defines the function, "tools::scale<4>" for a C++ one, and surely
 * not as a __global__ one: it says __device__ or __host__ instead, or nothing that
 * could be a macro. False where it is not seen.
 */
bool at_scan_is_no_kernel(const char *source, const char *name);

#endif
