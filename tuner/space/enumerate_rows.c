/* Packs rows into sortable numbers and sorts them. */
#include "space/enumerate_parts.h"

#include <stdlib.h>

#define WORD_BITS 64

/*
 * Bits of one sorting pass: 2^11 counters of 8 bytes are half of a first-level cache,
 * which leaves room for the rows that are moved.
 */
#define RADIX_BITS 11

/* Places the digits from the last parameter up, least significant first; no digit lies
   across two words. */
enum at_status at_enumerate_layout(
	const struct at_enumerator *enumerator, struct at_group *group)
{
	size_t word = 0;
	unsigned used = 0;

	group->digits = calloc(group->parameter_count, sizeof(*group->digits));
	if (!group->digits)
		return at_fail_memory(enumerator->err);
	for (size_t i = group->parameter_count; i-- > 0;) {
		struct at_digit *digit = &group->digits[i];

		digit->parameter = group->parameters[i];
		while (((size_t)1 << digit->bits) <
			enumerator->domains[digit->parameter].count)
			digit->bits++;
		if (used + digit->bits > WORD_BITS) {
			word++;
			used = 0;
		}
		digit->word = word;
		digit->shift = used;
		used += digit->bits;
	}
	group->word_count = word + 1;
	/*
	 * So far words were counted from the least significant one. The most
	 * significant one has to come first, so that rows compare word by word.
	 */
	for (size_t i = 0; i < group->parameter_count; i++)
		group->digits[i].word = word - group->digits[i].word;
	return AT_OK;
}

/*
 * One pass of a radix sort, by RADIX_BITS bits of one word; stable (Knuth, "The Art of
 * Computer Programming", volume 3, 5.2.5). Rows are short and may be millions, so that
 * a few passes take fewer steps than comparing them.
 */
static void sort_pass(const uint64_t *from, uint64_t *to, size_t count, size_t words,
	size_t word, unsigned shift)
{
	size_t starts[(1 << RADIX_BITS) + 1] = { 0 };
	uint64_t mask = (1 << RADIX_BITS) - 1;

	for (size_t i = 0; i < count; i++)
		starts[(from[i * words + word] >> shift & mask) + 1]++;
	for (size_t i = 1; i <= mask; i++)
		starts[i] += starts[i - 1];
	for (size_t i = 0; i < count; i++) {
		const uint64_t *row = from + i * words;
		size_t place = starts[row[word] >> shift & mask]++;

		for (size_t j = 0; j < words; j++)
			to[place * words + j] = row[j];
	}
}

enum at_status at_enumerate_sort(struct at_enumerator *self, struct at_group *group)
{
	size_t count = (size_t)group->valid, words = group->word_count;
	uint64_t *from = group->rows;
	uint64_t *to = malloc(count * words * sizeof(*to));
	enum at_status status = AT_OK;

	if (!to)
		return at_fail_memory(self->err);
	for (size_t word = words; word-- > 0 && !status;) {
		unsigned used = 0;

		/* Bits above the highest digit of the word need no pass. */
		for (size_t i = 0; i < group->parameter_count; i++)
			if (group->digits[i].word == word &&
				group->digits[i].shift + group->digits[i].bits > used)
				used = group->digits[i].shift + group->digits[i].bits;
		for (unsigned shift = 0; shift < used && !status; shift += RADIX_BITS) {
			uint64_t *sorted = to;

			status = at_enumerate_spend(self, count * words);
			sort_pass(from, to, count, words, word, shift);
			to = from;
			from = sorted;
		}
	}
	group->rows = from;
	free(to);
	return status;
}
