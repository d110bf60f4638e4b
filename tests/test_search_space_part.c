/* Parts of a search space, and strategies that search a part. */
#include <math.h>

#include "suite.h"

#include "search/part.h"
#include "space/search_space.h"

/* three groups and a constant; constraints that tie, that shorten a list, that divide
 */
static const char tied[] =
	"parameters: { A = [ 1, 2, 4, 8 ]; W = [ \"x\", \"y\", \"z\" ]; B = [ 1, 2, 3, 4, 5 ];\n"
	" ONE = [ 7 ]; C = [ 1, 2, 3 ]; F = [ false, true ]; D = [ 2, 4, 6, 8 ]; };\n"
	"constraints = ( \"A * C <= 12\", \"D % B == 0\", \"D > 2\", \"F || C < 3\" );\n";
static const char product[] =
	"parameters: { A = [ 1, 2, 3 ]; B = [ 1, 2, 3, 4, 5, 6, 7 ]; C = [ false, true ]; };\n";
static const char single[] = "parameters: { A = [ 1 ]; B = [ 2 ]; };\n";
static const char none[] =
	"parameters: { A = [ 1, 2 ]; B = [ 1, 2 ]; };\nconstraints = ( \"A + B > 9\" );\n";

struct world {
	struct at_spec *spec;
	struct at_value *slots;
	struct at_search_space *whole;
};

static void open_world(struct world *self, const char *text)
{
	assert_ok(at_spec_parse(text, strlen(text), "test.cfg", &self->spec, &failure));
	self->slots = calloc(self->spec->slot_count + 1, sizeof(*self->slots));
	assert_non_null(self->slots);
	at_spec_bind(self->spec, &self->spec->problems[0], NULL, NULL, self->slots);
	assert_ok(at_search_space_new(
		self->spec, self->slots, &self->whole, NULL, &failure));
}

static void close_world(struct world *self)
{
	at_search_space_free(self->whole);
	free(self->slots);
	at_spec_free(self->spec);
}

static struct at_search_space *part_of(
	const struct world *world, uint64_t index, uint64_t count)
{
	struct at_search_space *part;

	assert_ok(at_search_space_part(world->whole, index, count, &part, &failure));
	return part;
}

enum { WIDTH_MAX = 16, NEIGHBOURS_MAX = 64, ROWS_MAX = 1024 };

static double distance(
	const struct at_search_space *space, const uint16_t *a, const uint16_t *b)
{
	double sum = 0;

	for (size_t i = 0; i < at_search_space_parameter_count(space); i++) {
		const struct at_search_parameter *parameter =
			at_search_space_parameter(space, i);

		if (parameter->type == AT_TYPE_WORD)
			sum += a[i] != b[i];
		else if (parameter->value_count > 1)
			sum += abs(a[i] - b[i]) / (double)(parameter->value_count - 1);
	}
	return sum;
}

/* those of the whole that are in the part, in the same order */
static void assert_neighbours(const struct world *world,
	const struct at_search_space *part, uint64_t index, const uint16_t *row)
{
	uint64_t all[NEIGHBOURS_MAX], found[NEIGHBOURS_MAX];
	uint16_t other[WIDTH_MAX];
	size_t count = at_search_space_neighbours(world->whole,
		at_search_space_find(world->whole, row), AT_NEIGHBOURS_ANY, all);
	size_t got = at_search_space_neighbours(part, index, AT_NEIGHBOURS_ANY, found);
	size_t expected = 0;

	assert_true(at_search_space_neighbours_max(part) <= NEIGHBOURS_MAX);
	for (size_t i = 0; i < count; i++) {
		uint64_t inside;

		at_search_space_get(world->whole, all[i], other);
		inside = at_search_space_find(part, other);
		if (inside == AT_NO_CONFIGURATION)
			continue;
		assert_true(expected < got);
		assert_true(found[expected++] == inside);
	}
	assert_int_equal(expected, got);
}

static void assert_nearest(
	const struct world *world, const struct at_search_space *part)
{
	uint64_t count = at_search_space_count(part);
	uint16_t wanted[WIDTH_MAX], row[WIDTH_MAX];

	/* of what is in other parts too */
	for (uint64_t i = 0; i < at_search_space_count(world->whole); i += 5) {
		double least = INFINITY;

		at_search_space_get(world->whole, i, wanted);
		for (uint64_t j = 0; j < count; j++) {
			at_search_space_get(part, j, row);
			least = fmin(least, distance(part, wanted, row));
		}
		at_search_space_get(part, at_search_space_nearest(part, wanted), row);
		assert_true(distance(part, wanted, row) < least + 1e-9);
	}
}

static void assert_parts(const char *text, uint64_t count)
{
	RELEASED(close_world) struct world world;
	OWNED(free) unsigned *times;
	uint64_t size;

	open_world(&world, text);
	size = at_search_space_count(world.whole);
	times = calloc(size + 1, sizeof(*times));
	assert_non_null(times);
	for (uint64_t i = 0; i < count; i++) {
		OWNED(at_search_space_free)
		struct at_search_space *part = part_of(&world, i, count);
		uint64_t rows = at_search_space_count(part);

		assert_true(rows == size / count || rows == (size + count - 1) / count);
		for (uint64_t j = 0; j < rows; j++) {
			uint16_t row[WIDTH_MAX];
			uint64_t index;

			at_search_space_get(part, j, row);
			assert_true(at_search_space_find(part, row) == j);
			index = at_search_space_find(world.whole, row);
			assert_true(index < size);
			times[index]++;
			assert_neighbours(&world, part, j, row);
		}
		if (rows)
			assert_nearest(&world, part);
	}
	for (uint64_t i = 0; i < size; i++)
		assert_int_equal(times[i], 1);
}

TEST(parts_have_every_configuration_once)
{
	for (uint64_t count = 1; count <= 45; count += count < 12 ? 1 : 11) {
		assert_parts(tied, count);
		assert_parts(product, count);
		assert_parts(single, count);
		assert_parts(none, count);
	}
}

TEST(a_part_outlives_the_whole)
{
	RELEASED(close_world) struct world world;
	OWNED(at_search_space_free) struct at_search_space *part;
	uint16_t row[WIDTH_MAX];

	open_world(&world, product);
	part = part_of(&world, 1, 2);
	at_search_space_free(world.whole);
	world.whole = NULL;
	at_search_space_get(part, 20, row);
	assert_int_equal(at_search_space_find(part, row), 20);
}

/* 3 * 10^18 configurations: products of index and count would not fit */
TEST(a_space_of_62_bits_has_parts)
{
	static const char text[] =
		"parameters: { A = { from = 0; to = 2096; step = 1; }; B = { from = 0; to = 2096; step = 1; };\n"
		" C = { from = 0; to = 2096; step = 1; }; D = { from = 0; to = 1000; step = 1; };\n"
		" E = { from = 0; to = 999; step = 1; }; F = { from = 0; to = 998; step = 1; }; };\n"
		"constraints = ( \"(A + B) % 3 == 0\", \"C + D >= 1\" );\n";
	enum { PARTS = 97 };
	RELEASED(close_world) struct world world;
	uint64_t sum = 0, size;

	open_world(&world, text);
	size = at_search_space_count(world.whole);
	assert_true(size > UINT64_C(1) << 60);
	for (uint64_t i = 0; i < PARTS; i += 1) {
		OWNED(at_search_space_free)
		struct at_search_space *part = part_of(&world, i, PARTS);
		uint64_t rows = at_search_space_count(part);
		const uint64_t places[] = { 0, rows / 3, rows - 1 };

		sum += rows;
		for (size_t j = 0; j < 3; j++) {
			uint16_t row[WIDTH_MAX];

			at_search_space_get(part, places[j], row);
			assert_true(at_search_space_find(part, row) == places[j]);
			assert_true(at_search_space_find(world.whole, row) < size);
		}
	}
	assert_true(sum == size);
}

/* ---- strategies ------------------------------------------------------------------ */

static struct at_strategy *open_strategy(const struct world *world, const char *name,
	struct at_part part, uint64_t *size)
{
	const struct at_strategy_kind *kind;
	struct at_strategy *strategy = NULL;
	const char *options;

	assert_ok(at_strategy_find(name, &kind, &options, &failure));
	assert_ok(at_part_strategy_open(
		kind, world->whole, &part, options, 1, &strategy, size, &failure));
	return strategy;
}

static struct at_told told_of(const struct world *world, uint64_t index)
{
	uint16_t row[WIDTH_MAX];
	struct at_told told = { .index = index, .outcome = AT_OUTCOME_OK };

	at_search_space_get(world->whole, index, row);
	told.cost = 100;
	for (size_t i = 0; i < at_search_space_parameter_count(world->whole); i++)
		told.cost += abs(row[i] - 1) * (double)(i + 1);
	return told;
}

/* until it is done; each that it asked for once more */
static uint64_t search(
	const struct world *world, struct at_strategy *strategy, unsigned *times)
{
	uint64_t index, asked = 0;

	while (strategy->kind->ask(strategy, &index) == AT_ASK_CONFIGURATION) {
		struct at_told told = told_of(world, index);

		assert_true(index < at_search_space_count(world->whole));
		times[index]++;
		asked++;
		strategy->kind->tell(strategy, &told);
	}
	return asked;
}

TEST(strategies_search_their_parts_alone)
{
	static const char *const names[] = { "exhaustive", "random", "local", "auto" };

	for (size_t i = 0; i < 4; i++) {
		RELEASED(close_world) struct world world;
		unsigned times[ROWS_MAX] = { 0 };
		uint64_t size;

		open_world(&world, tied);
		size = at_search_space_count(world.whole);
		assert_true(size <= ROWS_MAX);
		for (uint64_t j = 0; j < 3; j++) {
			uint64_t own;
			struct at_strategy *strategy = open_strategy(
				&world, names[i], (struct at_part){ j, 3 }, &own);
			uint64_t asked = search(&world, strategy, times);

			/* in spaces so small all of them look at everything */
			assert_true(asked == own);
			assert_null(strategy->kind->why_done(strategy));
			strategy->kind->close(strategy);
		}
		for (uint64_t j = 0; j < size; j++)
			assert_int_equal(times[j], 1);
	}
}

TEST(what_is_known_of_other_parts_does_not_reach_a_strategy)
{
	RELEASED(close_world) struct world world;
	unsigned times[ROWS_MAX] = { 0 };
	struct at_told all[ROWS_MAX];
	struct at_prior prior = { .told = all, .similarity = 1 };
	struct at_strategy *strategy;
	uint64_t size, own, asked;

	open_world(&world, tied);
	size = at_search_space_count(world.whole);
	for (uint64_t i = 0; i < size; i++)
		all[prior.count++] = told_of(&world, i);
	strategy = open_strategy(&world, "auto", (struct at_part){ 1, 3 }, &own);
	assert_ok(strategy->kind->prior(strategy, &prior, NULL));
	/* the whole of every fourth is known, whosever it is */
	for (uint64_t i = 0; i < size; i += 4) {
		if (i % 8)
			strategy->kind->tell(strategy, &all[i]);
		else
			strategy->kind->exclude(strategy, i);
		times[i]++;
	}
	asked = search(&world, strategy, times);
	assert_true(asked < own && asked > own / 2);
	for (uint64_t i = 0; i < size; i++)
		assert_true(times[i] <= 1);
	strategy->kind->close(strategy);
}

TEST(a_strategy_with_an_empty_part_is_done)
{
	struct at_told told = { .outcome = AT_OUTCOME_OK, .cost = 1 };
	struct at_prior prior = { 1, &told, 1 };
	RELEASED(close_world) struct world world;
	struct at_strategy *strategy;
	uint64_t size, index;

	open_world(&world, single);
	strategy = open_strategy(&world, "auto", (struct at_part){ 1, 2 }, &size);
	assert_int_equal(size, 0);
	assert_ok(strategy->kind->prior(strategy, &prior, NULL));
	strategy->kind->exclude(strategy, 0);
	strategy->kind->tell(strategy, &told);
	assert_int_equal(strategy->kind->ask(strategy, &index), AT_ASK_DONE);
	assert_non_null(strstr(strategy->kind->why_done(strategy), "more shares than"));
	strategy->kind->close(strategy);
}

RUN_SUITE(NULL, NULL)
