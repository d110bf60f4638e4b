/* Part five: visits every row of a group, by assigning one parameter after the
   other. */
#include "space/checked.h"
#include "space/enumerate_parts.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Results of a constraint are stored for up to so many combinations of its parameters,
 * a byte each: a quarter of a megabyte stays in a second-level cache.
 */
#define TABLE_MAX ((size_t)1 << 18)

/* The bytes of all such tables of a walk together. */
#define TABLES_MAX ((size_t)64 << 20)

enum result {
	RESULT_UNKNOWN = 0,
	RESULT_HOLDS,
	RESULT_FAILS,
	RESULT_DIVIDES_BY_ZERO,
};

/* A constraint, tested at the level that binds the last of its parameters. */
struct test {
	const struct at_tie *tie;
	/* Results by combination of its parameters; NULL where no combination comes
	   twice. */
	unsigned char *table;
	size_t *levels; /* of its other parameters */
	size_t *strides; /* in table, by those levels */
	size_t stride; /* in table, of this level's parameter */
	size_t base; /* index in table of the digits that the levels above have */
	uint64_t failed; /* how often it failed */
	uint64_t divided; /* of these, by dividing by zero */
};

struct level {
	size_t parameter;
	size_t count; /* of its domain */
	size_t digit; /* the next one to try */
	const struct at_digit *place;
	size_t test_count;
	struct test *tests;
	uint64_t weight; /* rows below one assignment if there were no tests */
};

struct walk {
	struct at_enumerator *enumerator;
	struct at_group *group;
	size_t level_count;
	struct level *levels;
	uint64_t *row; /* being assembled */
	size_t capacity; /* of group->rows, in words */
	bool sorted;
	bool keeps_rows;
	size_t table_bytes;
};

/* The share of all rows that the walk has passed, for the progress display. */
static double share_done(const struct walk *self)
{
	double done = 0, part = 1;

	for (size_t i = 0; i < self->level_count && part > 1e-6; i++) {
		const struct level *level = &self->levels[i];
		size_t begun = level->digit; /* one past what is assigned */

		part /= (double)level->count;
		done += part * (double)(begun && i + 1 < self->level_count ? begun - 1
									   : begun);
		if (!begun)
			break;
	}
	return done;
}

static inline enum at_status spend(struct walk *self, uint64_t steps)
{
	struct at_watch *watch = &self->enumerator->watch;

	/* Of a thinned group the share would say nothing about the whole. */
	if (watch->spent + steps >= watch->next)
		watch->done = self->group->is_thinned ? NAN : share_done(self);
	return at_enumerate_spend(self->enumerator, steps);
}

static enum at_status append_row(struct walk *self)
{
	struct at_group *group = self->group;
	size_t words = group->word_count;
	size_t start = (size_t)group->valid * words;
	enum at_status status = AT_RESERVE(
		group->rows, self->capacity, start + words, self->enumerator->err);

	if (status)
		return status;
	memcpy(group->rows + start, self->row, words * sizeof(*self->row));
	/* Notes whether the rows are sorted already, as they are in the order of the
	   file. */
	if (start > 0 && self->sorted)
		for (size_t i = 0; i < words; i++) {
			if (self->row[i] == group->rows[start - words + i])
				continue;
			self->sorted = self->row[i] > group->rows[start - words + i];
			break;
		}
	return AT_OK;
}

static enum at_status count_row(struct walk *self)
{
	struct at_group *group = self->group;
	enum at_status status = AT_OK;

	if (self->keeps_rows && group->valid >= self->enumerator->limit_rows) {
		/* Too many to keep; they are still counted, for the message. */
		self->keeps_rows = false;
		free(group->rows);
		group->rows = NULL;
		self->capacity = 0;
	}
	if (self->keeps_rows)
		status = append_row(self);
	group->valid++;
	return status;
}

/* Puts a parameter's digit into the row. */
static void place_digit(struct walk *self, const struct level *level, size_t digit)
{
	const struct at_digit *place = level->place;
	uint64_t *word = &self->row[place->word];
	uint64_t mask = (((uint64_t)1 << place->bits) - 1) << place->shift;

	*word = (*word & ~mask) | (uint64_t)digit << place->shift;
}

/* Evaluates a test whose result is not in its table; apart from pass(), to keep that
   short. */
static enum at_status evaluate(struct walk *self, struct test *test,
	const struct level *level, size_t digit, enum result *result)
{
	struct at_enumerator *enumerator = self->enumerator;
	int unbound_slot = -1;
	bool holds = false;
	enum at_evaluated evaluation;
	enum at_status status;

	assert(test->tie);
	status = spend(self, test->tie->cost);
	if (status)
		return status;
	at_enumerate_bind(enumerator, level->parameter, digit);
	evaluation = at_expression_test(
		test->tie->expression, enumerator->slots, &holds, &unbound_slot);
	if (evaluation == AT_EVALUATION_DIVISION_BY_ZERO)
		*result = RESULT_DIVIDES_BY_ZERO;
	else
		*result = holds && !evaluation ? RESULT_HOLDS : RESULT_FAILS;
	if (test->table)
		test->table[test->base + digit * test->stride] = (unsigned char)*result;
	return evaluation ? at_enumerate_check(
				    enumerator, test->tie, evaluation, unbound_slot)
			  : AT_OK;
}

/*
 * Whether the constraints that this level completes hold for one of its digits. They
 * are tried in the order of the file, since one may guard the next from an overflow.
 */
static inline enum at_status pass(
	struct walk *self, struct level *level, size_t digit, bool *passes)
{
	*passes = true;
	for (size_t i = 0; i < level->test_count && *passes; i++) {
		struct test *test = &level->tests[i];
		enum result result = RESULT_UNKNOWN;

		if (test->table)
			result = test->table[test->base + digit * test->stride];
		if (result == RESULT_UNKNOWN) {
			enum at_status status =
				evaluate(self, test, level, digit, &result);

			if (status)
				return status;
		}
		if (result == RESULT_HOLDS)
			continue;
		test->failed++;
		test->divided += result == RESULT_DIVIDES_BY_ZERO;
		*passes = false;
	}
	return AT_OK;
}

/* Starts a level from its first digit, after the levels above have changed. */
static void enter(struct walk *self, struct level *level)
{
	level->digit = 0;
	for (size_t i = 0; i < level->test_count; i++) {
		struct test *test = &level->tests[i];

		assert(test->tie);
		test->base = 0;
		for (size_t j = 0; j + 1 < test->tie->parameter_count; j++)
			/* a level's digit is one past the one that it has assigned */
			test->base += (self->levels[test->levels[j]].digit - 1) *
				      test->strides[j];
	}
}

/* A loop of its own because nearly all steps of a walk are steps of the last level. */
static enum at_status walk_last_level(struct walk *self, struct level *level)
{
	enum at_status status = AT_OK;

	for (size_t digit = 0; digit < level->count && !status; digit++) {
		bool passes;

		status = pass(self, level, digit, &passes);
		if (status || !passes)
			continue;
		place_digit(self, level, digit);
		status = count_row(self);
		if (self->enumerator->stop_at_first)
			break;
	}
	return status;
}

/*
 * Depth first, without recursion; `depth` is the level whose digit is chosen next.
 * Where a level's constraints fail, nothing below it is visited.
 */
static enum at_status walk_levels(struct walk *self)
{
	const struct at_enumerator *enumerator = self->enumerator;
	size_t last = self->level_count - 1, depth = 0;

	enter(self, &self->levels[0]);
	for (;;) {
		struct level *level = &self->levels[depth];
		enum at_status status = AT_OK;
		bool passes = false;

		if (enumerator->stop_at_first && self->group->valid > 0)
			return AT_OK;
		if (depth == last) {
			status = spend(self, level->count);
			if (!status)
				status = walk_last_level(self, level);
			level->digit = level->count;
		} else if (level->digit < level->count) {
			status = spend(self, 1 + level->test_count);
			if (!status)
				status = pass(self, level, level->digit++, &passes);
		}
		if (status)
			return status;
		if (passes) {
			at_enumerate_bind(
				self->enumerator, level->parameter, level->digit - 1);
			place_digit(self, level, level->digit - 1);
			enter(self, &self->levels[++depth]);
		} else if (level->digit == level->count && depth-- == 0) {
			return AT_OK;
		}
	}
}

static size_t level_of(const struct walk *self, size_t parameter)
{
	size_t level = 0;

	while (self->levels[level].parameter != parameter)
		level++;
	return level;
}

/* depth: the level that binds the last parameter of the tie */
static enum at_status prepare_test(
	struct walk *self, struct test *test, const struct at_tie *tie, size_t depth)
{
	size_t combinations = 1, others = 0;

	test->tie = tie;
	test->levels = calloc(tie->parameter_count, sizeof(*test->levels));
	test->strides = calloc(tie->parameter_count, sizeof(*test->strides));
	if (!test->levels || !test->strides)
		return at_fail_memory(self->enumerator->err);
	for (size_t i = 0; i < tie->parameter_count; i++) {
		size_t level = level_of(self, tie->parameters[i]);

		if (level == depth) {
			test->stride = combinations;
		} else {
			test->levels[others] = level;
			test->strides[others++] = combinations;
		}
		if (combinations <= TABLE_MAX)
			combinations *= self->levels[level].count;
	}
	/*
	 * If it has all parameters so far, no combination comes twice: a table would be
	 * filled and never read.
	 */
	if (combinations > TABLE_MAX || tie->parameter_count == depth + 1 ||
		self->table_bytes + combinations > TABLES_MAX)
		return AT_OK;
	self->table_bytes += combinations;
	test->table = calloc(combinations, sizeof(*test->table));
	return test->table ? AT_OK : at_fail_memory(self->enumerator->err);
}

static size_t depth_of_tie(const struct walk *self, const struct at_tie *tie)
{
	size_t depth = 0;

	for (size_t i = 0; i < tie->parameter_count; i++) {
		size_t level = level_of(self, tie->parameters[i]);

		depth = level > depth ? level : depth;
	}
	return depth;
}

/* Makes the levels in their order, with each constraint at the level that binds the
   last of its parameters. */
static enum at_status prepare(struct walk *self, const size_t *order)
{
	const struct at_group *group = self->group;
	enum at_status status = AT_OK;
	uint64_t weight = 1;

	for (size_t i = self->level_count; i-- > 0;) {
		struct level *level = &self->levels[i];

		level->parameter = group->parameters[order[i]];
		level->place = &group->digits[order[i]];
		level->count = self->enumerator->domains[level->parameter].count;
		level->weight = weight;
		weight = at_saturated_multiply(weight, level->count);
	}
	/* First counts each level's tests, then fills them in. */
	for (size_t i = 0; i < group->tie_count && !status; i++) {
		status = spend(self,
			group->ties[i]->parameter_count * (1 + self->level_count / 2));
		self->levels[depth_of_tie(self, group->ties[i])].test_count++;
	}
	for (size_t depth = 0; depth < self->level_count && !status; depth++) {
		struct level *level = &self->levels[depth];

		level->tests = calloc(level->test_count + 1, sizeof(*level->tests));
		if (!level->tests)
			status = at_fail_memory(self->enumerator->err);
		level->test_count = 0;
	}
	for (size_t i = 0; i < group->tie_count && !status; i++) {
		const struct at_tie *tie = group->ties[i];
		size_t depth = depth_of_tie(self, tie);
		struct level *level = &self->levels[depth];

		status = spend(self, tie->parameter_count * (2 + self->level_count));
		if (!status)
			status = prepare_test(
				self, &level->tests[level->test_count++], tie, depth);
	}
	return status;
}

/*
 * Tells the statistics what was removed. A failed prefix stands for all rows below it
 * (weight), and each row for a number of configurations (others), which were never
 * visited.
 */
static void report(struct walk *self, uint64_t others)
{
	for (size_t i = 0; i < self->level_count; i++) {
		const struct level *level = &self->levels[i];
		uint64_t each = at_saturated_multiply(level->weight, others);

		for (size_t j = 0; j < level->test_count; j++) {
			const struct test *test = &level->tests[j];

			at_enumerate_remove(self->enumerator, test->tie,
				AT_EVALUATION_OK,
				at_saturated_multiply(
					test->failed - test->divided, each));
			at_enumerate_remove(self->enumerator, test->tie,
				AT_EVALUATION_DIVISION_BY_ZERO,
				at_saturated_multiply(test->divided, each));
		}
	}
}

static void release(struct walk *self)
{
	for (size_t i = 0; self->levels && i < self->level_count; i++) {
		struct level *level = &self->levels[i];

		for (size_t j = 0; level->tests && j < level->test_count; j++) {
			free(level->tests[j].table);
			free(level->tests[j].levels);
			free(level->tests[j].strides);
		}
		free(level->tests);
	}
	free(self->levels);
	free(self->row);
}

enum at_status at_enumerate_walk(
	struct at_enumerator *self, struct at_group *group, uint64_t others)
{
	struct walk walk = {
		.enumerator = self,
		.group = group,
		.level_count = group->parameter_count,
		.levels = calloc(group->parameter_count, sizeof(*walk.levels)),
		.row = calloc(group->word_count, sizeof(*walk.row)),
		.sorted = true,
		.keeps_rows = self->limit_rows > 0,
	};
	size_t *order = calloc(group->parameter_count, sizeof(*order));
	enum at_status status = AT_OK;

	if (!walk.levels || !walk.row || !order)
		status = at_fail_memory(self->err);
	if (!status)
		status = at_enumerate_order(self, group, order);
	if (!status)
		status = prepare(&walk, order);
	if (!status)
		status = walk_levels(&walk);
	if (!status)
		report(&walk, others);
	if (!status && group->rows && !walk.sorted)
		status = at_enumerate_sort(self, group);
	free(order);
	release(&walk);
	return status;
}
