/* Part five: rows as sortable numbers, sorted, and multiplied out. */
#include "space/enumerate_parts.h"

#include <stdlib.h>
#include <string.h>

#define WORD_BITS 64

/*
 * Of one pass: 2^11 counters of 8 bytes are half of a first-level cache, so that
 * the rows that are moved have room beside them.
 */
#define RADIX_BITS 11

/* Digits from the last, least significant, up; none lies across two words. */
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
	 * Words were counted from the least significant so far. The most
	 * significant comes first, so that rows compare word by word.
	 */
	for (size_t i = 0; i < group->parameter_count; i++)
		group->digits[i].word = word - group->digits[i].word;
	return AT_OK;
}

static size_t digit_of(
	const struct at_group *group, const struct at_digit *digit, size_t row)
{
	uint64_t word = group->rows[row * group->word_count + digit->word];

	return (size_t)(word >> digit->shift & (((uint64_t)1 << digit->bits) - 1));
}

/*
 * One pass of a radix sort, by RADIX_BITS bits of one word; stable (Knuth, "The
 * Art of Computer Programming", volume 3, 5.2.5). Rows are short and may be
 * millions: a few passes over them are fewer steps than comparing them.
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

enum at_status at_enumerate_sort(struct at_group *group, struct at_error *err)
{
	size_t count = (size_t)group->valid, words = group->word_count;
	uint64_t *from = group->rows;
	uint64_t *to = malloc(count * words * sizeof(*to));

	if (!to)
		return at_fail_memory(err);
	for (size_t word = words; word-- > 0;) {
		unsigned used = 0;

		/* bits that no digit has are no pass */
		for (size_t i = 0; i < group->parameter_count; i++)
			if (group->digits[i].word == word &&
				group->digits[i].shift + group->digits[i].bits > used)
				used = group->digits[i].shift + group->digits[i].bits;
		for (unsigned shift = 0; shift < used; shift += RADIX_BITS) {
			uint64_t *sorted = to;

			sort_pass(from, to, count, words, word, shift);
			to = from;
			from = sorted;
		}
	}
	group->rows = from;
	free(to);
	return AT_OK;
}

/*
 * A parameter with a choice, in the order of the file. The rows of its group
 * that agree with what is assigned so far are a run, for they are sorted.
 */
struct column {
	const struct at_group *group;
	const struct at_digit *digit;
	const uint16_t *indices; /* of values, by digit */
	const struct column *above; /* of the same group; NULL in the first */
	size_t run; /* the rows that agree up to and with this column */
	size_t run_end;
};

/* Before the first value of the rows that the column above is at. */
static void rewind_column(struct column *self)
{
	self->run_end = self->above ? self->above->run : 0;
}

/* Goes on to the next value; false when there is none. */
static bool next_value(struct column *self, uint16_t *value)
{
	size_t limit = self->above ? self->above->run_end : (size_t)self->group->valid;
	size_t end = self->run_end, digit;

	if (end == limit)
		return false;
	self->run = end;
	digit = digit_of(self->group, self->digit, end);
	for (end++; end < limit; end++)
		if (digit_of(self->group, self->digit, end) != digit)
			break;
	self->run_end = end;
	*value = self->indices[digit];
	return true;
}

/* One a parameter with a choice, whatever group it is of; returns their number. */
static size_t make_columns(const struct at_enumerator *self, struct column *columns)
{
	size_t count = 0;

	for (size_t parameter = 0; parameter < self->spec->parameter_count; parameter++)
		for (size_t i = 0; i < self->group_count; i++) {
			const struct at_group *group = &self->groups[i];

			for (size_t j = 0; j < group->parameter_count; j++)
				if (group->parameters[j] == parameter)
					columns[count++] = (struct column){
						.group = group,
						.digit = &group->digits[j],
						.indices = self->domains[parameter]
								   .indices,
					};
		}
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < i; j++)
			if (columns[j].group == columns[i].group)
				columns[i].above = &columns[j];
	return count;
}

enum at_status at_enumerate_multiply(
	const struct at_enumerator *self, uint16_t *indices)
{
	size_t width = self->spec->parameter_count, count, depth = 0;
	struct column *columns = calloc(width, sizeof(*columns));
	uint16_t *row = calloc(width, sizeof(*row));
	enum at_status status = AT_OK;

	if (!columns || !row) {
		status = at_fail_memory(self->err);
		goto free_row;
	}
	/* constants stay as they are */
	for (size_t i = 0; i < width; i++)
		row[i] = self->domains[i].indices[0];
	count = make_columns(self, columns);
	if (count == 0) {
		memcpy(indices, row, width * sizeof(*row));
		goto free_row;
	}
	/*
	 * Odometer: the last column turns fastest. Columns of other groups in
	 * between start anew each time, which makes the product of the groups
	 * come out in the order of the file without sorting it.
	 */
	for (;;) {
		struct column *column = &columns[depth];

		if (!next_value(column, &row[column->digit->parameter])) {
			if (depth-- == 0)
				break;
		} else if (depth == count - 1) {
			memcpy(indices, row, width * sizeof(*row));
			indices += width;
		} else {
			rewind_column(&columns[++depth]);
		}
	}
free_row:
	free(row);
	free(columns);
	return status;
}
