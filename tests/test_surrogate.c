/*
 * The strategy that learns by Gaussian processes: on planted spaces of some hundred to
 * a thousand million configurations, with right and wrong knowledge from elsewhere,
 * when it stops, and at the limits of what it keeps.
 */
#include "search/kinds.h"
#include "base/memory.h"
#include "space/spec.h"

#include <math.h>

#include "suite.h"

enum { PARAMETERS_MOST = 10 };

struct planted {
	struct at_spec *spec;
	struct at_search_space *space;
	size_t width;
	struct at_strategy *strategy; /* the last that was started on it */
};

static struct planted plant(const char *parameters, const char *constraints)
{
	struct planted planted = { 0 };
	OWNED(free) struct at_value *slots;
	char text[1024];

	snprintf(text, sizeof(text), "parameters: { %s }; constraints = ( %s );",
		parameters, constraints);
	assert_ok(at_spec_parse(
		text, strlen(text), "planted.cfg", &planted.spec, &failure));
	slots = calloc(planted.spec->slot_count + 1, sizeof(*slots));
	assert_non_null(slots);
	at_spec_bind(planted.spec, &planted.spec->problems[0], NULL, NULL, slots);
	assert_ok(at_search_space_new(
		planted.spec, slots, &planted.space, NULL, &failure));
	planted.width = at_search_space_parameter_count(planted.space);
	assert_true(planted.width <= PARAMETERS_MOST);
	return planted;
}

static void clear(struct planted *planted)
{
	if (planted->strategy)
		planted->strategy->kind->close(planted->strategy);
	at_search_space_free(planted->space);
	at_spec_free(planted->spec);
}

/* A parameter of the values from 1 on. */
#define UP_TO(last, name) name " = { from = 1; to = " #last "; step = 1; }; "

/* ---- what configurations cost ---------------------------------------------- */

typedef double cost_of(const struct planted *planted, uint64_t index);

/* 8 x 8 x 7 x 4 values; the sum of the first three is not too large: 1,456 */
#define LANDSCAPE \
	UP_TO(8, "A") UP_TO(8, "B") UP_TO(7, "C") "D = [ \"p\", \"q\", \"r\", \"s\" ];"

static struct planted plant_landscape(void)
{
	return plant(LANDSCAPE, "\"A + B + C <= 16\"");
}

/* A bowl around (5, 2, 4) and the third word, whose axes are turned against each other,
   a cliff on it, and a region that fails. */
static double bowl(const struct planted *planted, uint64_t index)
{
	uint16_t x[PARAMETERS_MOST];
	double a, b, c;

	at_search_space_get(planted->space, index, x);
	a = x[0] - 5.0;
	b = x[1] - 2.0;
	c = x[2] - 4.0;
	if (x[0] == 0 && x[1] > 3)
		return INFINITY;
	return 1 + 0.1 * (a * a + b * b + a * b + c * c) + (x[3] != 2 ? 0.3 : 0) +
	       (x[1] > 5 ? 1 : 0);
}

/* the same shape elsewhere: in other units, and the optimum one step off */
static double bowl_beside(const struct planted *planted, uint64_t index)
{
	uint16_t x[PARAMETERS_MOST];
	double a, b, c;

	at_search_space_get(planted->space, index, x);
	a = x[0] - 5.0;
	b = x[1] - 3.0;
	c = x[2] - 4.0;
	return 700 *
	       (1 + 0.1 * (a * a + b * b + a * b + c * c) + (x[3] != 2 ? 0.3 : 0));
}

/* what is worst is said to be best */
static double bowl_upside_down(const struct planted *planted, uint64_t index)
{
	double cost = bowl(planted, index);

	return isfinite(cost) ? 1 / cost : 0.01;
}

/* the more of the first two the better, until it is too much and fails: the optimum is
   at the edge, and what is beyond it would be better still */
static double edge(const struct planted *planted, uint64_t index)
{
	uint16_t x[PARAMETERS_MOST];

	at_search_space_get(planted->space, index, x);
	if (x[0] + x[1] > 8)
		return INFINITY;
	return 1.8 - 0.1 * (x[0] + x[1]) + 0.05 * abs(x[2] - 3) + (x[3] != 2 ? 0.3 : 0);
}

static double all_alike(const struct planted *planted, uint64_t index)
{
	return 3;
}

static double all_fail(const struct planted *planted, uint64_t index)
{
	return INFINITY;
}

/* in any space, a bowl around the middle of each list: 1 is the least */
static double distance_to_middle(const struct planted *planted, uint64_t index)
{
	uint16_t x[PARAMETERS_MOST];
	double sum = 1;

	at_search_space_get(planted->space, index, x);
	for (size_t i = 0; i < planted->width; i++) {
		size_t last =
			at_search_space_parameter(planted->space, i)->value_count - 1;
		double off = (x[i] - floor((double)last / 2)) / (double)(last + 1);

		sum += 4 * off * off;
	}
	return sum;
}

/* ---- searching ------------------------------------------------------------- */

/* Ends the strategy before it. */
static void start(struct planted *planted, const char *text, uint64_t seed)
{
	const struct at_strategy_kind *kind;
	const char *options;

	if (planted->strategy)
		planted->strategy->kind->close(planted->strategy);
	assert_ok(at_strategy_find(text, &kind, &options, NULL));
	assert_ok(kind->open(
		kind, planted->space, options, seed, &planted->strategy, &failure));
}

static enum at_ask ask(const struct planted *planted, uint64_t *index)
{
	return planted->strategy->kind->ask(planted->strategy, index);
}

static void exclude(const struct planted *planted, uint64_t index)
{
	planted->strategy->kind->exclude(planted->strategy, index);
}

static void exclude_neighbours(const struct planted *planted, uint64_t index)
{
	uint64_t neighbours[64];
	size_t count = at_search_space_neighbours(
		planted->space, index, AT_NEIGHBOURS_ANY, neighbours);

	for (size_t i = 0; i < count; i++)
		exclude(planted, neighbours[i]);
}

static void know_prior(const struct planted *planted, const struct at_prior *prior)
{
	assert_ok(planted->strategy->kind->prior(planted->strategy, prior, NULL));
}

static const char *why_done(const struct planted *planted)
{
	return planted->strategy->kind->why_done(planted->strategy);
}

static struct at_told told_of(uint64_t index, double cost)
{
	return (struct at_told){
		.index = index,
		.outcome = isfinite(cost) ? AT_OUTCOME_OK : AT_OUTCOME_CRASHED,
		.cost = cost,
	};
}

static void tell(const struct planted *planted, uint64_t index, double cost)
{
	const struct at_told told = told_of(index, cost);

	planted->strategy->kind->tell(planted->strategy, &told);
}

struct search {
	size_t flight; /* so many are out at once; answers come in any order */
	size_t limit; /* so many are asked for */
	double enough; /* what costs less ends it; 0: nothing does */
	cost_of *cost;
	/* out */
	size_t asked;
	size_t failed;
	size_t found_after; /* the first of the least cost that was told; 0: nothing was
			     */
	double least;
	uint64_t best;
	bool is_done;
	uint64_t order[2048];
};

static int compare_indices(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

/* also: nothing is asked for twice, and everything is in the space */
static void run(struct search *search, const struct planted *planted)
{
	uint64_t out[64], sorted[AT_COUNT_OF(search->order)];
	size_t out_count = 0, told = 0;
	struct at_random random;

	assert_true(search->flight <= AT_COUNT_OF(out));
	assert_true(search->limit <= AT_COUNT_OF(search->order));
	at_random_init(&random, 7);
	search->asked = search->found_after = search->failed = 0;
	search->least = INFINITY;
	search->is_done = false;
	for (;;) {
		uint64_t index;
		size_t answered;
		double cost;

		while (!search->is_done && out_count < search->flight &&
			search->asked < search->limit &&
			!(search->least < search->enough)) {
			enum at_ask answer = ask(planted, &index);

			assert_int_not_equal(answer, AT_ASK_WAIT);
			search->is_done = answer == AT_ASK_DONE;
			if (search->is_done)
				break;
			assert_true(index < at_search_space_count(planted->space));
			search->order[search->asked++] = out[out_count++] = index;
		}
		if (!out_count)
			break;
		answered = (size_t)at_random_below(&random, out_count);
		index = out[answered];
		out[answered] = out[--out_count];
		cost = search->cost(planted, index);
		tell(planted, index, cost);
		told++;
		search->failed += !isfinite(cost);
		if (cost < search->least) {
			search->least = cost;
			search->best = index;
			search->found_after = told;
		}
	}
	memcpy(sorted, search->order, search->asked * sizeof(*sorted));
	qsort(sorted, search->asked, sizeof(*sorted), compare_indices);
	for (size_t i = 1; i < search->asked; i++)
		assert_true(sorted[i] != sorted[i - 1]);
}

static void seek(struct search *search, const struct planted *planted, size_t flight,
	size_t limit, cost_of *cost)
{
	*search = (struct search){ .flight = flight, .limit = limit, .cost = cost };
	run(search, planted);
}

/* ---- learning -------------------------------------------------------------- */

/* of so many seeds, how many come to within a thousandth of 1, the least cost */
static size_t count_found(struct search *search, struct planted *planted,
	const char *text, size_t seeds, const struct at_prior *prior)
{
	size_t found = 0;

	/* what is asked after it was found says no more */
	search->enough = 1.001;
	for (uint64_t seed = 0; seed < seeds; seed++) {
		start(planted, text, seed);
		if (prior)
			know_prior(planted, prior);
		run(search, planted);
		found += search->least < search->enough;
	}
	return found;
}

/*
 * A random sample of 90 of the 1,456 has the optimum in 6.2 % of the seeds: in more
 * than three of 8 once in a thousand times. The surrogate had it in all of 40 seeds.
 */
LONG_TEST(a_planted_optimum_is_found)
{
	static const struct {
		const char *text;
		size_t flight, limit, least, most; /* of 8 seeds */
	} cases[] = {
		{ "random", 1, 90, 0, 3 },
		{ "surrogate", 1, 90, 6, 8 },
		{ "surrogate", 8, 90, 6, 8 },
		{ "surrogate,start=2", 1, 90, 5, 8 },
		{ "auto", 1, 90, 6, 8 },
	};
	RELEASED(clear) struct planted planted = plant_landscape();

	assert_int_equal(at_search_space_count(planted.space), 1456);
	for (size_t c = 0; c < AT_COUNT_OF(cases); c++) {
		static struct search search;
		size_t found;

		search = (struct search){
			.flight = cases[c].flight, .limit = cases[c].limit, .cost = bowl
		};
		found = count_found(&search, &planted, cases[c].text, 8, NULL);
		if (found < cases[c].least || found > cases[c].most)
			fail_msg("%s with %zu out found it in %zu of 8", cases[c].text,
				cases[c].flight, found);
	}
}

/*
 * A model of times alone expects the best of what fails. In 16 such searches, and in
 * seven more sets of 16, it asked for 148 to 236 that fail (181 on average) until the
 * optimum was found, and 85 to 107 (100) where what is likely to fail is avoided. How
 * many are asked for in all is as often more as less: that is mostly chance.
 */
TEST(what_is_likely_to_fail_is_avoided)
{
	RELEASED(clear) struct planted planted = plant_landscape();
	size_t failed = 0, found = 0;

	for (uint64_t seed = 0; seed < 8; seed++) {
		static struct search search;

		start(&planted, "surrogate", seed);
		search = (struct search){ .flight = seed % 2 ? 8 : 1,
			.limit = 60,
			.enough = 1.001,
			.cost = edge };
		run(&search, &planted);
		failed += search.failed;
		found += search.least < 1.001;
	}
	if (failed > 69)
		fail_msg("%zu failures until the optimum, 8 times", failed);
	/* the optimum has failures for neighbours */
	assert_true(found >= 7);
}

/* Nothing of the size of the space is ever made: a list of it would be 8 GB. */
TEST(a_space_of_a_thousand_million_is_searched)
{
	RELEASED(clear)
	struct planted planted =
		plant(UP_TO(10, "A") UP_TO(10, "B") UP_TO(10, "C") UP_TO(10, "D")
				UP_TO(10, "E") UP_TO(10, "F") UP_TO(10, "G")
					UP_TO(10, "H") UP_TO(10, "I") UP_TO(8, "J"),
			"\"A * B <= 80\", \"C + D <= 18\"");
	static struct search search, random;
	double gap = 0, random_gap = 0;

	assert_true(at_search_space_count(planted.space) > UINT64_C(1000000000));
	for (uint64_t seed = 0; seed < 2; seed++) {
		start(&planted, "surrogate", seed);
		seek(&search, &planted, 4, 120, distance_to_middle);
		assert_int_equal(search.asked, 120);
		gap += search.least - 1;
		start(&planted, "random", seed);
		seek(&random, &planted, 4, 120, distance_to_middle);
		random_gap += random.least - 1;
	}
	/* what a step of one parameter away from the middle costs is 0.04 */
	if (!(gap < 0.2 * random_gap))
		fail_msg("%g above the optimum, random search %g", gap, random_gap);
}

/* so long that models are made anew often, and of three one is left in the end */
TEST(a_seed_reproduces_a_search)
{
	RELEASED(clear) struct planted planted = plant_landscape();
	static struct search searches[3];
	static const uint64_t seeds[3] = { 5, 5, 6 };
	enum { OTHER = 60 }; /* so soon another seed shows */
	struct at_told told[40];

	for (uint64_t i = 0; i < AT_COUNT_OF(told); i++)
		told[i] = told_of(i * 31, bowl_beside(&planted, i * 31));
	for (int prior = 0; prior < 2; prior++) {
		for (int i = 0; i < 3; i++) {
			start(&planted, "surrogate", seeds[i]);
			if (prior)
				know_prior(
					&planted, &(struct at_prior){ AT_COUNT_OF(told),
							  told, 0.5 });
			seek(&searches[i], &planted, 5,
				i == 2  ? OTHER
				: prior ? 120
					: 340,
				bowl);
		}
		assert_memory_equal(searches[0].order, searches[1].order,
			sizeof(searches[0].order));
		assert_memory_not_equal(searches[0].order, searches[2].order,
			OTHER * sizeof(searches[0].order[0]));
	}
}

/* ---- what is known from elsewhere --------------------------------------- */

/* every seventh configuration, as it is elsewhere */
static size_t know(const struct planted *planted, cost_of *cost, struct at_told *told)
{
	size_t count = 0;

	for (uint64_t i = 0; i < at_search_space_count(planted->space); i += 7)
		told[count++] = told_of(i, cost(planted, i));
	return count;
}

LONG_TEST(a_right_prior_shows_the_way_and_a_wrong_one_does_not_ruin_it)
{
	static const struct {
		const char *name;
		cost_of *elsewhere; /* NULL: nothing is known */
		double similarity;
		size_t limit, least, most; /* of 5 seeds */
	} cases[] = {
		{ "nothing", NULL, 0, 20, 0, 2 },
		{ "the same", bowl, 1, 20, 4, 5 },
		{ "alike", bowl_beside, 0.7, 30, 3, 5 },
		{ "the contrary", bowl_upside_down, 0.7, 90, 3, 5 },
		{ "all alike", all_alike, 0.7, 90, 3, 5 },
		{ "failures", all_fail, 0.7, 90, 3, 5 },
	};
	RELEASED(clear) struct planted planted = plant_landscape();
	static struct at_told told[1456];

	for (size_t c = 0; c < AT_COUNT_OF(cases); c++) {
		static struct search search;
		struct at_prior prior = { 0, told, cases[c].similarity };
		size_t found;

		if (cases[c].elsewhere)
			prior.count = know(&planted, cases[c].elsewhere, told);
		search = (struct search){
			.flight = 1, .limit = cases[c].limit, .cost = bowl
		};
		found = count_found(&search, &planted, "surrogate", 5,
			cases[c].elsewhere ? &prior : NULL);
		if (found < cases[c].least || found > cases[c].most)
			fail_msg("with %s known it was found in %zu of 5",
				cases[c].name, found);
	}
}

TEST(the_best_of_elsewhere_is_tried_first)
{
	RELEASED(clear) struct planted planted = plant_landscape();
	/* costs of two priors do not compare: each has its first rank */
	struct at_told alike[] = { told_of(700, 2), told_of(300, 1), told_of(900, 5),
		told_of(20, INFINITY) };
	struct at_told other[] = { told_of(300, 1e-9), told_of(800, 5e-9),
		told_of(900, 6e-9) };
	const struct at_prior priors[] = { { AT_COUNT_OF(alike), alike, 0.9 },
		{ AT_COUNT_OF(other), other, 0.3 }, { 0, NULL, 1 } };
	uint64_t index;

	start(&planted, "surrogate", 1);
	for (size_t i = 0; i < AT_COUNT_OF(priors); i++)
		know_prior(&planted, &priors[i]);
	assert_int_equal(ask(&planted, &index), AT_ASK_CONFIGURATION);
	assert_int_equal(index, 300);
	/* by whoever else it is tried */
	exclude(&planted, 700);
	assert_int_equal(ask(&planted, &index), AT_ASK_CONFIGURATION);
	assert_int_not_equal(index, 700);
	assert_int_not_equal(index, 300);
}

/* ---- stopping -------------------------------------------------------------- */

/* 20 x 20 x 5 configurations: more than are exhausted */
#define GRID UP_TO(20, "A") UP_TO(20, "B") UP_TO(5, "C")

TEST(auto_stops_after_as_many_again_and_says_why)
{
	RELEASED(clear) struct planted planted = plant(GRID, "");
	static struct search search;
	uint64_t neighbours[64];
	const char *why;
	char expected[128];
	size_t count, least;

	start(&planted, "auto", 0);
	seek(&search, &planted, 1, 2000, distance_to_middle);
	assert_true(search.is_done);
	assert_true(search.least == 1);
	least = 2 * search.found_after + 96 > 192 ? 2 * search.found_after + 96 : 192;
	/* and what was left around the best then */
	assert_in_range(search.asked, least, least + 42);
	/* none is left around the best */
	count = at_search_space_neighbours(
		planted.space, search.best, AT_NEIGHBOURS_ANY, neighbours);
	for (size_t i = 0; i < count; i++) {
		bool is_asked = false;

		for (size_t j = 0; j < search.asked; j++)
			is_asked |= search.order[j] == neighbours[i];
		assert_true(is_asked);
	}
	why = why_done(&planted);
	snprintf(expected, sizeof(expected), "evaluation %zu was the best, %zu more",
		search.found_after, search.asked - search.found_after);
	assert_non_null(why);
	if (!strstr(why, expected))
		fail_msg("\"%s\" does not say \"%s\"", why, expected);
	/* who did not ask for it is not stopped */
	start(&planted, "surrogate", 3);
	seek(&search, &planted, 1, 450, distance_to_middle);
	assert_false(search.is_done);
}

/* the first so many that are told are each better than all before them, by so much */
TEST(what_gains_is_gone_on_with)
{
	static const struct {
		const char *name;
		double gain;
		size_t gains, told;
		bool stops;
	} cases[] = {
		{ "worth it", 0.99, 400, 400, false },
		{ "noise", 0.999999, 270, 270, true },
		{ "too few", 0.99, 1, 191, false },
		{ "as many as it takes", 0.99, 1, 192, true },
		{ "not as many again", 0.99, 120, 335, false },
		{ "as many again", 0.99, 120, 336, true },
	};
	RELEASED(clear) struct planted planted = plant(GRID, "");
	uint64_t index = 0;

	for (size_t c = 0; c < AT_COUNT_OF(cases); c++) {
		double cost = 1;

		start(&planted, "auto", 1);
		for (uint64_t i = 0; i < cases[c].told; i++) {
			if (i < cases[c].gains) {
				index = i * 5;
				cost *= cases[c].gain;
			}
			tell(&planted, i * 5, i < cases[c].gains ? cost : 2);
		}
		/* where the best is, nothing is left to try */
		exclude_neighbours(&planted, 0);
		exclude_neighbours(&planted, index);
		if ((ask(&planted, &index) == AT_ASK_DONE) != cases[c].stops)
			fail_msg("%s", cases[c].name);
		assert_true(!why_done(&planted) == !cases[c].stops);
	}
}

/* The last word on what seemed best is that it fails: what it gained does not count. */
TEST(a_best_that_fails_after_all_is_none)
{
	RELEASED(clear) struct planted planted = plant(GRID, "");
	uint64_t index;

	start(&planted, "auto", 1);
	tell(&planted, 0, 0.1);
	for (uint64_t i = 1; i < 300; i++)
		tell(&planted, 3 * i, 2 + 1e-3 * (double)i);
	tell(&planted, 0, INFINITY);
	/* from 3 on, which is the best now, there is much to be gained, though nothing
	   is left around it */
	exclude_neighbours(&planted, 3);
	for (uint64_t i = 0; i < 200; i++) {
		assert_int_equal(ask(&planted, &index), AT_ASK_CONFIGURATION);
		tell(&planted, index, 1.9 * pow(0.99, (double)i));
	}
}

/*
 * A parameter with 3,000 values: before it stops it tries the values beside that of the
 * best, and not all others.
 */
TEST(long_lists_are_not_gone_through)
{
	OWNED(free) struct at_value *values = calloc(3000, sizeof(*values));
	static const struct at_value few[] = { { AT_TYPE_INTEGER, .integer = 1 },
		{ AT_TYPE_INTEGER, .integer = 2 }, { AT_TYPE_INTEGER, .integer = 3 } };
	struct at_search_parameter parameters[] = {
		{ "P", AT_TYPE_INTEGER, 3000, values }, { "Q", AT_TYPE_INTEGER, 3, few }
	};
	OWNED(free) uint16_t *rows = calloc(9000 * 2, sizeof(*rows));
	RELEASED(clear) struct planted planted = { .width = 2 };

	assert_true(values && rows);
	for (size_t i = 0; i < 3000; i++)
		values[i] =
			(struct at_value){ AT_TYPE_INTEGER, .integer = (int64_t)i + 1 };
	for (size_t i = 0; i < 9000; i++) {
		rows[2 * i] = (uint16_t)(i / 3);
		rows[2 * i + 1] = (uint16_t)(i % 3);
	}
	assert_ok(at_search_space_from_rows(
		parameters, 2, rows, 9000, &planted.space, NULL));
	/* with one success, and with many */
	for (int failing = 0; failing < 2; failing++) {
		uint16_t best[] = { 1500, 1 };
		uint64_t index = at_search_space_find(planted.space, best);
		size_t asked = 0;

		start(&planted, "auto", 1);
		tell(&planted, index, 1);
		for (uint64_t i = 0; i < 300; i++)
			tell(&planted, i * 9, failing ? INFINITY : 2 + (double)i);
		while (ask(&planted, &index) == AT_ASK_CONFIGURATION) {
			uint16_t x[2];

			at_search_space_get(planted.space, index, x);
			assert_int_equal(abs(x[0] - best[0]) + abs(x[1] - best[1]), 1);
			tell(&planted, index, 3);
			asked++;
		}
		assert_int_equal(asked, 4);
		assert_non_null(why_done(&planted));
	}
}

/* 512 configurations are tried to the last one */
TEST(a_small_space_is_exhausted)
{
	RELEASED(clear)
	struct planted planted = plant(UP_TO(8, "A") UP_TO(8, "B") UP_TO(8, "C"), "");
	static struct search search;

	start(&planted, "auto", 1);
	seek(&search, &planted, 16, 1000, distance_to_middle);
	assert_true(search.is_done);
	assert_int_equal(search.asked, 512);
	assert_null(why_done(&planted));
}

/* ---- limits ---------------------------------------------------------------- */

/* More are out than a model holds, which were never asked for, and are never told. */
TEST(any_number_may_be_out)
{
	RELEASED(clear) struct planted planted = plant(GRID, "");
	static struct search search;
	uint64_t index;

	start(&planted, "surrogate", 1);
	for (uint64_t i = 0; i < 600; i++)
		exclude(&planted, i);
	seek(&search, &planted, 3, 60, distance_to_middle);
	/* all of these are out now, and then they are told, the last first */
	for (size_t i = 0; i < 150; i++) {
		assert_int_equal(ask(&planted, &index), AT_ASK_CONFIGURATION);
		search.order[i] = index;
	}
	for (size_t i = 150; i-- > 0;)
		tell(&planted, search.order[i],
			distance_to_middle(&planted, search.order[i]));
	run(&search, &planted);
	assert_int_equal(search.asked, 60);
}

/* What a run knows before it asks: the search goes on from there. */
TEST(thousands_may_be_told_before_the_first_is_asked_for)
{
	RELEASED(clear)
	struct planted planted =
		plant(UP_TO(20, "A") UP_TO(20, "B") UP_TO(20, "C") UP_TO(10, "D"), "");
	static struct search search;
	size_t told = 0;

	start(&planted, "surrogate", 1);
	assert_int_equal(at_search_space_count(planted.space), 80000);
	/* every fifth but those near the optimum; some fail */
	for (uint64_t i = 0; i < 80000; i += 5) {
		double cost = distance_to_middle(&planted, i);

		if (cost < 1.05)
			continue;
		tell(&planted, i, i % 35 ? cost : INFINITY);
		told++;
	}
	assert_true(told > 15000);
	seek(&search, &planted, 4, 30, distance_to_middle);
	/* nothing that was told is, and of all one in hundreds */
	assert_true(search.least < 1.05);
}

/* just what is scored whole, and just more; and what is so until much is known of it */
TEST(large_spaces_are_scored_whole_and_larger_ones_are_not)
{
	static const char *const texts[] = {
		UP_TO(15, "A") UP_TO(15, "B") UP_TO(15, "C") UP_TO(5, "D"),
		UP_TO(15, "A") UP_TO(15, "B") UP_TO(15, "C") UP_TO(6, "D"),
	};
	static const uint64_t counts[] = { 16875, 20250 };

	for (size_t i = 0; i < 2; i++) {
		RELEASED(clear) struct planted planted = plant(texts[i], "");
		static struct search search;

		assert_int_equal(at_search_space_count(planted.space), counts[i]);
		start(&planted, "surrogate", 2);
		seek(&search, &planted, 8, 60, distance_to_middle);
		assert_true(search.least < 1.01);
		/* more rows than a table of the whole space may have */
		for (uint64_t told = 0; told < 240; told++)
			tell(&planted, told * 67,
				distance_to_middle(&planted, told * 67));
		run(&search, &planted);
		assert_int_equal(search.asked, 60);
	}
}

/* Costs that are no numbers are no successes. */
TEST(what_is_no_cost_is_a_failure)
{
	RELEASED(clear) struct planted planted = plant_landscape();
	static struct search search;

	start(&planted, "surrogate", 1);
	for (uint64_t i = 0; i < 30; i++) {
		struct at_told told = told_of(i * 40, 1);

		told.cost = i % 2 ? (double)NAN : (double)INFINITY;
		planted.strategy->kind->tell(planted.strategy, &told);
	}
	seek(&search, &planted, 1, 100, bowl);
	assert_true(search.least < 1.001);
}

RUN_SUITE(NULL, NULL)
