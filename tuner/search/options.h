/*
 * The options of a strategy, as typed after its name: "population=20,rate=0.5".
 *
 *   static const struct at_search_option options[] = {
 *           { "population", AT_OPTION(struct genetic, population), .standard = 8,
 *                   .low = 2, .high = 256 },
 *           { "neighbours", AT_OPTION(struct genetic, neighbours),
 *                   .words = neighbour_words },
 *   };
 *   at_search_options_parse("genetic", text, options, AT_COUNT_OF(options), self,
 *           &err);
 *
 * Threads: pure.
 */
#ifndef AT_SEARCH_OPTIONS_H
#define AT_SEARCH_OPTIONS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* The type of the member that holds the value. */
enum at_option_kind {
	AT_OPTION_WHOLE, /* size_t; with words, the index of a word */
	AT_OPTION_REAL, /* double */
	AT_OPTION_SET, /* uint32_t; "this+that": a bit for each word, 32 at most */
};

struct at_search_option {
	const char *key;
	enum at_option_kind kind;
	size_t offset; /* of the member in the strategy */
	double standard; /* the value if the option is not given */
	const char *const *words; /* terminated by NULL */
	double low, high; /* without words: the least and the largest value */
};

/* Kind and offset of an option, by the member that holds its value. */
#define AT_OPTION(type, member) \
	.kind = _Generic(((type *)0)->member, size_t \
			 : AT_OPTION_WHOLE, double \
			 : AT_OPTION_REAL, uint32_t \
			 : AT_OPTION_SET), \
	.offset = offsetof(type, member)

/*
 * Sets all options of a strategy: from text ("key=value,key=value" or ""), otherwise
 * to their standard. AT_EINVAL names the strategy, the mistake and the known keys or
 * values: an unknown or duplicate key; a value that is not a number, out of range, or
 * not a known word. A strategy without options accepts only an empty text.
 */
enum at_status at_search_options_parse(const char *strategy, const char *text,
	const struct at_search_option *options, size_t count, void *self,
	struct at_error *err);

#endif
