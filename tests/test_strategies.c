/*
 * The contract of strategies, for every registered one on small spaces of odd shapes.
 * Strategies that learn must find a planted optimum far more often than chance does.
 * Also what strategies share (search/pool.h, options.h, credit.h).
 */
#include "search/credit.h"
#include "search/pool.h"
#include "space/spec.h"

#include <math.h>

#include "suite.h"

#define MOST_PARAMETERS 4
#define MOST_CONFIGURATIONS 2000

static bool always(const uint16_t *x)
{
	return true;
}

/* no configuration has a neighbour */
static bool on_the_diagonal(const uint16_t *x)
{
	return x[0] == x[1];
}

static bool even(const uint16_t *x)
{
	return (x[0] + x[1] + x[2]) % 2 == 0;
}

/* two corners, and nothing between them */
static bool in_two_corners(const uint16_t *x)
{
	return (x[0] < 4 && x[1] < 4) || (x[0] > 9 && x[1] > 9);
}

static bool below_a_hyperbola(const uint16_t *x)
{
	return (x[0] + 1) * (x[1] + 1) <= 12;
}

static bool not_too_large(const uint16_t *x)
{
	return x[0] + x[1] + x[2] <= 13;
}

static const struct shape {
	const char *name;
	size_t value_counts[MOST_PARAMETERS]; /* 0 after the last */
	size_t word; /* which parameter has words; MOST_PARAMETERS: none */
	bool (*is_valid)(const uint16_t *x);
} shapes[] = {
	{ "one configuration", { 1 }, MOST_PARAMETERS, always },
	{ "one parameter", { 40 }, MOST_PARAMETERS, always },
	{ "words alone", { 9 }, 0, always },
	{ "parameters of one value", { 1, 7, 1, 5 }, MOST_PARAMETERS, always },
	{ "no neighbours", { 30, 30 }, MOST_PARAMETERS, on_the_diagonal },
	{ "even sums", { 6, 5, 4 }, 2, even },
	{ "two corners", { 14, 14 }, MOST_PARAMETERS, in_two_corners },
	{ "a hyperbola", { 12, 12, 3 }, MOST_PARAMETERS, below_a_hyperbola },
};

/* what the search for the planted optimum goes over: 1,456 configurations */
static const struct shape landscape = { "the landscape", { 8, 8, 7, 4 }, 3,
	not_too_large };

static struct at_search_space *space_of(const struct shape *shape)
{
	static const struct at_value words[] = {
		{ AT_TYPE_WORD, .word = "a" },
		{ AT_TYPE_WORD, .word = "b" },
		{ AT_TYPE_WORD, .word = "c" },
		{ AT_TYPE_WORD, .word = "d" },
		{ AT_TYPE_WORD, .word = "e" },
		{ AT_TYPE_WORD, .word = "f" },
		{ AT_TYPE_WORD, .word = "g" },
		{ AT_TYPE_WORD, .word = "h" },
		{ AT_TYPE_WORD, .word = "i" },
	};
	static struct at_value integers[64];
	struct at_search_parameter parameters[MOST_PARAMETERS];
	static uint16_t rows[MOST_CONFIGURATIONS * MOST_PARAMETERS];
	uint16_t x[MOST_PARAMETERS] = { 0 };
	struct at_search_space *space = NULL;
	size_t parameter_count = 0, count = 0, i;

	for (i = 0; i < AT_COUNT_OF(integers); i++)
		integers[i] =
			(struct at_value){ AT_TYPE_INTEGER, .integer = (int64_t)i + 1 };
	for (i = 0; i < MOST_PARAMETERS && shape->value_counts[i]; i++) {
		bool is_word = i == shape->word;

		parameters[i] = (struct at_search_parameter){ "P",
			is_word ? AT_TYPE_WORD : AT_TYPE_INTEGER,
			shape->value_counts[i], is_word ? words : integers };
		parameter_count++;
	}
	do {
		if (shape->is_valid(x)) {
			assert_true(count < MOST_CONFIGURATIONS);
			memcpy(rows + count++ * parameter_count, x,
				parameter_count * sizeof(*x));
		}
		for (i = parameter_count; i-- > 0;) {
			if (++x[i] < shape->value_counts[i])
				break;
			x[i] = 0;
		}
	} while (i != SIZE_MAX);
	assert_ok(at_search_space_from_rows(
		parameters, parameter_count, rows, count, &space, NULL));
	return space;
}

/* what a configuration costs */
typedef double cost_of(const struct at_search_space *space, uint64_t index);

static double all_equal(const struct at_search_space *space, uint64_t index)
{
	return 2;
}

static double all_fail(const struct at_search_space *space, uint64_t index)
{
	return INFINITY;
}

/* every third fails, the others have few costs: many are equal */
static double some_fail(const struct at_search_space *space, uint64_t index)
{
	return index % 3 ? 1 + (double)(index % 7) : INFINITY;
}

/*
 * A bowl around (5, 2, 4) and the third word whose axes are turned against each other,
 * on it a cliff, and a region that fails.
 */
static double bowl(const struct at_search_space *space, uint64_t index)
{
	uint16_t x[MOST_PARAMETERS];
	double a, b, c;

	at_search_space_get(space, index, x);
	a = x[0] - 5.0;
	b = x[1] - 2.0;
	c = x[2] - 4.0;
	if (x[0] == 0 && x[1] > 3)
		return INFINITY;
	return 1 + 0.1 * (a * a + b * b + a * b + c * c) + (x[3] != 2 ? 0.3 : 0) +
	       (x[1] > 5 ? 1 : 0);
}

static struct at_strategy *open_strategy(
	const char *text, const struct at_search_space *space, uint64_t seed)
{
	const struct at_strategy_kind *kind;
	struct at_strategy *strategy = NULL;
	const char *options;

	assert_ok(at_strategy_find(text, &kind, &options, NULL));
	assert_ok(kind->open(kind, space, options, seed, &strategy, &failure));
	return strategy;
}

static void tell(struct at_strategy *strategy, uint64_t index, double cost)
{
	const struct at_told told = {
		.index = index,
		.outcome = isfinite(cost) ? AT_OUTCOME_OK : AT_OUTCOME_CRASHED,
		.cost = cost,
		.is_raced = isfinite(cost) && index % 5 == 0,
	};

	strategy->kind->tell(strategy, &told);
}

struct run {
	size_t flight; /* that are out at once, 1 to 64 */
	size_t limit; /* that are asked for; 0: all */
	bool tells_again; /* what was reported is reported again, as something else */
	/* out: in the order of asking */
	uint64_t asked[MOST_CONFIGURATIONS];
	size_t asked_count;
};

/*
 * Asks and answers, in any order, until it is done, and holds the strategy to its
 * contract. seen[i]: i must not be asked for; is kept up to date.
 */
static void search(struct run *run, struct at_strategy *strategy,
	const struct at_search_space *space, cost_of *cost, bool *seen)
{
	uint64_t out[64];
	size_t out_count = 0;
	struct at_random random;
	bool is_done = false;

	at_random_init(&random, 99);
	run->asked_count = 0;
	for (;;) {
		uint64_t index = AT_NO_CONFIGURATION;

		while (!is_done && out_count < run->flight &&
			(!run->limit || run->asked_count < run->limit)) {
			enum at_ask answer = strategy->kind->ask(strategy, &index);

			if (answer == AT_ASK_WAIT) {
				assert_true(out_count > 0);
				break;
			}
			is_done = answer == AT_ASK_DONE;
			if (is_done)
				break;
			assert_true(index < at_search_space_count(space));
			assert_false(seen[index]);
			seen[index] = true;
			out[out_count++] = index;
			run->asked[run->asked_count++] = index;
		}
		if (!out_count)
			break;
		size_t answered = (size_t)at_random_below(&random, out_count);

		index = out[answered];
		out[answered] = out[--out_count];
		tell(strategy, index, cost(space, index));
		if (run->tells_again && run->asked_count > out_count) {
			/* what seemed best fails, what failed is best */
			index = run->asked[at_random_below(&random, run->asked_count)];
			bool is_out = false;
			for (size_t i = 0; i < out_count; i++)
				is_out |= out[i] == index;
			if (!is_out)
				tell(strategy, index,
					isfinite(cost(space, index)) ? INFINITY : 0.1);
		}
	}
	if (is_done)
		assert_int_equal(
			strategy->kind->ask(strategy, &(uint64_t){ 0 }), AT_ASK_DONE);
}

/* DONE means that everything was tried, unless the strategy says another reason. */
static void assert_everything_was_asked(const struct run *run,
	const struct at_strategy *strategy, uint64_t count, const char *where)
{
	const char *why =
		strategy->kind->why_done ? strategy->kind->why_done(strategy) : NULL;

	if (!why && run->asked_count != count)
		fail_msg("%s on %s asked for %zu of %zu", strategy->kind->name, where,
			run->asked_count, (size_t)count);
}

TEST(every_strategy_asks_for_everything_once)
{
	static cost_of *const costs[] = { all_equal, all_fail, some_fail };
	static const size_t flights[] = { 1, 9 };
	const struct at_strategy_kind *kind;
	static struct run run;

	for (size_t s = 0; s < AT_COUNT_OF(shapes); s++) {
		OWNED(at_search_space_free)
		struct at_search_space *space = space_of(&shapes[s]);

		for (size_t k = 0; (kind = at_strategy_kind_at(k)); k++)
			for (size_t i = 0; i < 6; i++) {
				struct at_strategy *strategy =
					open_strategy(kind->name, space, i);
				bool seen[MOST_CONFIGURATIONS] = { false };

				run = (struct run){ .flight = flights[i % 2] };
				search(&run, strategy, space, costs[i / 2], seen);
				assert_everything_was_asked(&run, strategy,
					at_search_space_count(space), shapes[s].name);
				strategy->kind->close(strategy);
			}
	}
}

TEST(an_empty_space_is_done_at_once)
{
	const struct at_search_parameter parameter = { "P", AT_TYPE_INTEGER, 3,
		(struct at_value[3]){ { 0 } } };
	const struct at_strategy_kind *kind;
	OWNED(at_search_space_free) struct at_search_space *space = NULL;

	assert_ok(at_search_space_from_rows(
		&parameter, 1, (uint16_t[1]){ 0 }, 0, &space, NULL));
	for (size_t k = 0; (kind = at_strategy_kind_at(k)); k++) {
		struct at_strategy *strategy = open_strategy(kind->name, space, 1);

		assert_int_equal(
			strategy->kind->ask(strategy, &(uint64_t){ 0 }), AT_ASK_DONE);
		strategy->kind->close(strategy);
	}
}

/* Of all, some are told or excluded before the first ask and some in the middle. */
TEST(what_others_try_takes_part_and_is_not_asked_for)
{
	OWNED(at_search_space_free)
	struct at_search_space *space = space_of(&landscape);
	uint64_t count = at_search_space_count(space);
	const struct at_strategy_kind *kind;
	static struct run run;

	for (size_t k = 0; (kind = at_strategy_kind_at(k)); k++) {
		struct at_strategy *strategy = open_strategy(kind->name, space, 1);
		bool seen[MOST_CONFIGURATIONS] = { false };
		size_t others = 0, asked;

		run = (struct run){ .flight = 4, .limit = 60 };
		for (uint64_t i = 0; i < 40; i++) {
			seen[i * 7] = true;
			others++;
			if (i % 2)
				tell(strategy, i * 7, bowl(space, i * 7));
			else
				strategy->kind->exclude(strategy, i * 7);
		}
		search(&run, strategy, space, bowl, seen);
		asked = run.asked_count;
		for (uint64_t i = 0; i < count; i += 11) {
			others += !seen[i];
			seen[i] = true;
			if (i % 2)
				strategy->kind->exclude(strategy, i);
			tell(strategy, i, bowl(space, i));
		}
		run.limit = 0;
		search(&run, strategy, space, bowl, seen);
		run.asked_count += asked;
		assert_everything_was_asked(
			&run, strategy, count - others, landscape.name);
		strategy->kind->close(strategy);
	}
}

TEST(what_is_told_again_counts_as_it_was_told_last)
{
	OWNED(at_search_space_free)
	struct at_search_space *space = space_of(&landscape);
	const struct at_strategy_kind *kind;
	static struct run run;

	for (size_t k = 0; (kind = at_strategy_kind_at(k)); k++) {
		struct at_strategy *strategy = open_strategy(kind->name, space, 1);
		bool seen[MOST_CONFIGURATIONS] = { false };

		run = (struct run){ .flight = 3, .limit = 100, .tells_again = true };
		search(&run, strategy, space, bowl, seen);
		/* then all of it fails after all, and the search goes on */
		for (size_t i = 0; i < run.asked_count; i++)
			tell(strategy, run.asked[i], INFINITY);
		run = (struct run){ .flight = 3, .limit = 50 };
		search(&run, strategy, space, bowl, seen);
		strategy->kind->close(strategy);
	}
}

TEST(the_best_of_priors_are_asked_for_first)
{
	OWNED(at_search_space_free)
	struct at_search_space *space = space_of(&landscape);
	const struct at_strategy_kind *kind;
	struct at_told told[20] = { { 0 } };

	for (size_t i = 0; i < AT_COUNT_OF(told); i++) {
		/* the less the index the better, but for one that fails and one that
		   was dropped early */
		told[i].index = 100 + i;
		told[i].outcome = i == 1 ? AT_OUTCOME_CRASHED : AT_OUTCOME_OK;
		told[i].cost = i == 1 ? INFINITY : 1 + (double)i;
		told[i].is_raced = i == 2;
	}
	for (size_t k = 0; (kind = at_strategy_kind_at(k)); k++) {
		const struct at_prior alike = { AT_COUNT_OF(told), told, 1 };
		const struct at_prior other = { 10, told + 10, 0.1 };
		static const uint64_t expected[] = { 100, 104, 105, 106, 110 };
		struct at_strategy *strategy = open_strategy(kind->name, space, 1);
		bool seen[MOST_CONFIGURATIONS] = { false };
		static struct run run;

		if (strategy->kind->prior == at_pooled_prior) {
			at_pooled_prior(strategy, &alike, NULL);
			at_pooled_prior(strategy, &other, NULL);
			/* one of them is tried by others */
			strategy->kind->exclude(strategy, 103);
			seen[103] = true;
			run = (struct run){ .flight = 1, .limit = 5 };
			search(&run, strategy, space, bowl, seen);
			assert_memory_equal(run.asked, expected, sizeof(expected));
			/* and the others are excluded by nothing */
			run.limit = 0;
			search(&run, strategy, space, bowl, seen);
			run.asked_count += 6;
			assert_everything_was_asked(&run, strategy,
				at_search_space_count(space), landscape.name);
		}
		strategy->kind->close(strategy);
	}
}

/* the sum over parameters of how far each is from its sixth value */
static double far_from_six(const struct at_search_space *space, uint64_t index)
{
	uint16_t x[12];
	double cost = 1;

	at_search_space_get(space, index, x);
	for (size_t i = 0; i < 12; i++)
		cost += abs(x[i] - 5);
	return cost;
}

/*
 * Of 6.6e10 configurations the strategies see no list; what learns comes nearer to the
 * optimum in 160 evaluations than a random sample does in as many.
 */
TEST(a_space_too_large_to_list_is_searched)
{
	static const char text[] =
		"parameters = { A = [1, 2, 4, 8, 16, 32, 64, 128]; "
		"B = [1, 2, 4, 8, 16, 32, 64, 128]; C = [1, 2, 4, 8, 16, 32, 64, 128]; "
		"D = [1, 2, 3, 4, 5, 6, 7, 8]; E = [1, 2, 3, 4, 5, 6, 7, 8]; "
		"F = [1, 2, 3, 4, 5, 6, 7, 8]; G = [1, 2, 3, 4, 5, 6, 7, 8]; "
		"H = [1, 2, 3, 4, 5, 6, 7, 8]; I = [1, 2, 3, 4, 5, 6, 7, 8]; "
		"J = [1, 2, 3, 4, 5, 6, 7, 8]; K = [1, 2, 3, 4, 5, 6, 7, 8]; "
		"L = [1, 2, 3, 4, 5, 6, 7, 8]; };\n"
		"constraints = [\"A * B <= 4096\", \"D + E > 2\"];\n";
	const struct at_strategy_kind *kind;
	OWNED(at_search_space_free) struct at_search_space *space = NULL;
	OWNED(at_spec_free) struct at_spec *spec = NULL;
	OWNED(free) struct at_value *slots;
	double random_sum = 0;
	bool learns;
	enum { SEEDS = 2 };

	assert_ok(at_spec_parse(text, strlen(text), "large.cfg", &spec, &failure));
	slots = calloc(spec->slot_count + 1, sizeof(*slots));
	assert_non_null(slots);
	at_spec_bind(spec, &spec->problems[0], NULL, NULL, slots);
	assert_ok(at_search_space_new(spec, slots, &space, NULL, &failure));
	assert_true(at_search_space_count(space) > UINT64_C(60000000000));
	for (size_t k = 0; (kind = at_strategy_kind_at(k)); k++) {
		double sum = 0;

		for (uint64_t seed = 0; seed < SEEDS; seed++) {
			struct at_strategy *strategy =
				open_strategy(kind->name, space, seed);
			struct at_tried asked = { 0 };
			double best = INFINITY;

			learns = strategy->kind->prior == at_pooled_prior;
			for (int i = 0; i < 160; i++) {
				uint64_t index;

				assert_int_equal(strategy->kind->ask(strategy, &index),
					AT_ASK_CONFIGURATION);
				assert_true(index < at_search_space_count(space));
				assert_false(at_tried_test(&asked, index));
				at_tried_set(&asked, index);
				tell(strategy, index, far_from_six(space, index));
				best = fmin(best, far_from_six(space, index));
			}
			sum += best;
			at_tried_release(&asked);
			strategy->kind->close(strategy);
		}
		if (kind == &at_strategy_random)
			random_sum = sum;
		if (learns && sum >= random_sum / 2)
			fail_msg("%s found %g, random search %g", kind->name,
				sum / SEEDS, random_sum / SEEDS);
	}
}

TEST(a_seed_reproduces_a_search)
{
	OWNED(at_search_space_free)
	struct at_search_space *space = space_of(&landscape);
	const struct at_strategy_kind *kind;
	static struct run runs[3];
	static const uint64_t seeds[3] = { 5, 5, 6 };

	for (size_t k = 0; (kind = at_strategy_kind_at(k)); k++) {
		for (int i = 0; i < 3; i++) {
			struct at_strategy *strategy =
				open_strategy(kind->name, space, seeds[i]);
			bool seen[MOST_CONFIGURATIONS] = { false };

			runs[i] = (struct run){ .flight = 5, .limit = 80 };
			search(&runs[i], strategy, space, bowl, seen);
			strategy->kind->close(strategy);
		}
		assert_memory_equal(
			runs[0].asked, runs[1].asked, sizeof(runs[0].asked));
		if (kind != &at_strategy_exhaustive)
			assert_memory_not_equal(
				runs[0].asked, runs[2].asked, sizeof(runs[0].asked));
	}
}

/*
 * The landscape has one optimum among 1,456. A random sample of 80 has it in 5.5 % of
 * the seeds: of 100 seeds more than 14, or none at all, come less than four times in a
 * thousand. What learns has to find it far more often; the bounds are four standard
 * deviations below what each does.
 */
TEST(a_planted_optimum_is_found)
{
	static const struct {
		const char *text;
		size_t flight;
		size_t least; /* of 100 seeds */
		size_t most;
	} cases[] = {
		{ "random", 1, 1, 14 },
		{ "local", 1, 85, 100 },
		{ "local", 8, 85, 100 },
		{ "local,improvement=best,neighbours=adjacent", 1, 90, 100 },
		{ "annealing", 1, 85, 100 },
		{ "annealing", 8, 80, 100 },
		{ "tabu", 1, 90, 100 },
		{ "tabu", 8, 80, 100 },
		{ "genetic", 1, 80, 100 },
		{ "genetic", 8, 55, 100 },
		{ "differential", 1, 55, 100 },
		{ "differential", 8, 45, 100 },
		{ "differential,base=random", 1, 20, 100 },
		{ "differential,base=current", 1, 37, 100 },
		{ "swarm", 1, 75, 100 },
		{ "swarm", 8, 70, 100 },
		{ "bandit", 1, 80, 100 },
		{ "bandit", 8, 80, 100 },
		{ "bandit,arms=random+local", 1, 75, 100 },
	};
	OWNED(at_search_space_free)
	struct at_search_space *space = space_of(&landscape);
	const uint16_t optimum[] = { 5, 2, 4, 2 };
	uint64_t planted = at_search_space_find(space, optimum);
	static struct run run;

	for (size_t c = 0; c < AT_COUNT_OF(cases); c++) {
		size_t found = 0;

		for (uint64_t seed = 0; seed < 100; seed++) {
			struct at_strategy *strategy =
				open_strategy(cases[c].text, space, seed);
			bool seen[MOST_CONFIGURATIONS] = { false };

			run = (struct run){ .flight = cases[c].flight, .limit = 80 };
			search(&run, strategy, space, bowl, seen);
			found += seen[planted];
			strategy->kind->close(strategy);
		}
		if (found < cases[c].least || found > cases[c].most)
			fail_msg("%s with %zu out found it in %zu of 100",
				cases[c].text, cases[c].flight, found);
	}
}

TEST(options_that_make_no_sense_are_refused)
{
	static const struct {
		const char *text;
		const char *message;
	} cases[] = {
		{ "genetic,populations=3",
			"strategy \"genetic\" has no option \"populations\", did you mean "
			"\"population\"? Known are start=1..256, population=2..256, "
			"tournament=1..64, mutation=0..16 and crossover=0..1" },
		{ "swarm,zzz=3",
			"strategy \"swarm\" has no option \"zzz\"; known are start=1..256, "
			"population=1..256, inertia=0..1, own=0..4 and best=0..4" },
		{ "local,start=0",
			"strategy \"local\": \"start=0\" is no option, start=1..256 is" },
		{ "local,start=1.5",
			"strategy \"local\": \"start=1.5\" is no option, start=1..256 is" },
		{ "local,start",
			"strategy \"local\": \"start\" is no option, start=1..256 is" },
		{ "local,start=",
			"strategy \"local\": \"start=\" is no option, start=1..256 is" },
		{ "local,start=2,start=3",
			"strategy \"local\": option \"start\" is given twice" },
		{ "local,neighbours=near",
			"strategy \"local\": \"neighbours=near\" is no option, "
			"neighbours=adjacent|any is" },
		{ "differential,factor=nan",
			"strategy \"differential\": \"factor=nan\" is no option, "
			"factor=0..2 is" },
		{ "annealing,hot=0.01,cold=0.5",
			"strategy \"annealing\": cold=0.5 is above hot=0.01" },
		{ "bandit,arms=local+tab",
			"strategy \"bandit\": \"arms=local+tab\" is no option, "
			"arms=local+annealing+tabu+genetic+differential+swarm+random is" },
		{ "bandit,arms=",
			"strategy \"bandit\": \"arms=\" is no option, "
			"arms=local+annealing+tabu+genetic+differential+swarm+random is" },
		{ "tabu,,", "strategy \"tabu\" has no option \"\"; known are "
			    "start=1..256, candidates=1..1000, tenure=0..1000, "
			    "patience=1..1000, perturbation=0..64 and elite=1..256" },
	};
	OWNED(at_search_space_free)
	struct at_search_space *space = space_of(&shapes[1]);

	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		const struct at_strategy_kind *kind;
		struct at_strategy *strategy = NULL;
		const char *options;

		assert_ok(at_strategy_find(cases[i].text, &kind, &options, NULL));
		assert_fails(kind->open(kind, space, options, 1, &strategy, &failure),
			AT_EINVAL, cases[i].message);
		assert_null(strategy);
	}
}

TEST(options_at_their_limits_still_search_everything)
{
	static const char *const texts[] = {
		"local,start=1,neighbours=adjacent,improvement=best,perturbation=1",
		"local,start=256,neighbours=any,improvement=first,perturbation=64",
		"annealing,start=1,neighbours=adjacent,hot=1000,cold=1000,steps=1",
		"annealing,hot=1e-6,cold=1e-6,steps=100000",
		"tabu,start=1,candidates=1,tenure=0,patience=1,elite=1",
		"tabu,candidates=1000,tenure=1000,patience=1000,elite=256",
		"genetic,start=1,population=2,tournament=1,mutation=0,crossover=0",
		"genetic,population=256,tournament=64,mutation=16,crossover=1",
		"differential,start=1,population=4,factor=0,crossover=0,base=best",
		"differential,population=256,factor=2,crossover=1,base=current",
		"swarm,start=1,population=1,inertia=0,own=0,best=0",
		"swarm,population=256,inertia=1,own=4,best=4",
		"bandit,arms=random,start=1,window=1,exploration=0,elite=1",
		"bandit,arms=swarm+tabu,window=1024,exploration=100,elite=256",
	};
	OWNED(at_search_space_free)
	struct at_search_space *space = space_of(&shapes[7]);
	static struct run run;

	for (size_t i = 0; i < AT_COUNT_OF(texts); i++) {
		struct at_strategy *strategy = open_strategy(texts[i], space, i);
		bool seen[MOST_CONFIGURATIONS] = { false };

		run = (struct run){ .flight = 1 + i % 4 };
		search(&run, strategy, space, bowl, seen);
		assert_everything_was_asked(
			&run, strategy, at_search_space_count(space), texts[i]);
		strategy->kind->close(strategy);
	}
}

/* The share of pulls that go to the arm which pays in 30 % of them, others in 5 %. */
static double share_of_what_pays(struct at_credit *credit, size_t arm, uint64_t seed)
{
	struct at_random random;
	size_t pulls = 0;
	enum { PULLS = 600 };

	at_random_init(&random, seed);
	for (int i = 0; i < PULLS; i++) {
		size_t chosen = at_credit_choose(credit, 0, &random);
		uint64_t pull = at_credit_pull(credit, chosen);

		pulls += chosen == arm;
		if (at_random_unit(&random) < (chosen == arm ? 0.3 : 0.05))
			at_credit_paid(credit, pull);
	}
	return (double)pulls / PULLS;
}

TEST(a_bandit_prefers_the_arm_that_pays)
{
	double first = 0, second = 0;
	enum { SEEDS = 20 };

	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct at_credit credit = {
			.arm_count = 4, .window = 100, .exploration = 0.1
		};

		first += share_of_what_pays(&credit, 2, seed) / SEEDS;
		/* and follows when it is another one that pays */
		second += share_of_what_pays(&credit, 0, seed) / SEEDS;
	}
	/* by chance it would be 0.25 */
	assert_true(first > 0.5);
	assert_true(second > 0.5);
}

TEST(a_bandit_tries_each_arm_and_those_it_may)
{
	struct at_credit credit = { .arm_count = 5, .window = 10 };
	struct at_random random;
	bool is_pulled[5] = { false };

	at_random_init(&random, 1);
	for (int i = 0; i < 5; i++) {
		size_t arm = at_credit_choose(&credit, 0, &random);

		assert_false(is_pulled[arm]);
		is_pulled[arm] = true;
		at_credit_pull(&credit, arm);
	}
	for (int i = 0; i < 50; i++)
		assert_int_equal(at_credit_choose(&credit, 0x1d, &random), 1);
}

TEST(what_pays_late_counts_while_it_is_in_the_window)
{
	struct at_credit credit = { .arm_count = 2, .window = 4 };
	struct at_random random;
	size_t chosen[2] = { 0 };
	uint64_t early, late;

	at_random_init(&random, 1);
	early = at_credit_pull(&credit, 0);
	late = at_credit_pull(&credit, 1);
	for (int i = 0; i < 3; i++)
		at_credit_pull(&credit, 0);
	/* the first pull left the window: no strategy gets its gain */
	at_credit_paid(&credit, early);
	for (int i = 0; i < 40; i++)
		chosen[at_credit_choose(&credit, 0, &random)]++;
	assert_true(chosen[0] > 0 && chosen[1] > 0);
	at_credit_paid(&credit, late);
	for (int i = 0; i < 40; i++)
		assert_int_equal(at_credit_choose(&credit, 0, &random), 1);
}

TEST(an_elite_keeps_the_best_and_each_once)
{
	struct at_elite elite = { .size = 3 };

	assert_false(at_elite_tell(&elite, 1, INFINITY));
	assert_true(at_elite_tell(&elite, 2, 5));
	assert_true(at_elite_tell(&elite, 3, 4));
	assert_true(at_elite_tell(&elite, 4, 5)); /* as good, and newer */
	assert_false(at_elite_tell(&elite, 5, 6));
	assert_true(at_elite_tell(&elite, 2, 1)); /* again */
	assert_int_equal(elite.count, 3);
	assert_int_equal(elite.members[0].index, 2);
	assert_int_equal(elite.members[1].index, 3);
	assert_int_equal(elite.members[2].index, 4);
	assert_false(at_elite_tell(&elite, 3, INFINITY));
	assert_int_equal(elite.count, 2);
	assert_int_equal(elite.members[1].index, 4);
}

TEST(a_step_goes_to_each_parameter_as_often)
{
	/* 30 values and 2 values: half of the steps change either */
	static const struct shape shape = { "long and short", { 30, 2 },
		MOST_PARAMETERS, always };
	OWNED(at_search_space_free) struct at_search_space *space = space_of(&shape);
	RELEASED(at_pooled_release) struct at_pooled pooled;
	uint16_t x[2], y[2];
	size_t changed[2] = { 0 };

	at_pooled_init(&pooled, &at_strategy_local, space, 1);
	at_search_space_get(space, 31, x);
	for (int i = 0; i < 1000; i++) {
		uint64_t index = at_pool_step(&pooled.pool, 31,
			i % 2 ? AT_NEIGHBOURS_ANY : AT_NEIGHBOURS_ADJACENT);

		at_search_space_get(space, index, y);
		assert_int_equal((x[0] != y[0]) + (x[1] != y[1]), 1);
		if (i % 2 == 0)
			assert_true(abs(x[0] - y[0]) <= 1);
		changed[x[1] != y[1]]++;
	}
	/* four standard deviations of 1000 throws of a coin */
	assert_in_range(changed[0], 500 - 64, 500 + 64);
}

/* The least distance between two of twelve, in steps of the grid: the mean over seeds.
 */
static double mean_gap(const struct at_search_space *space, bool is_start)
{
	double sum = 0;
	enum { SEEDS = 50, COUNT = 12 };

	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct at_pooled pooled;
		uint16_t x[COUNT][MOST_PARAMETERS];
		int least = 1000;

		at_pooled_init(&pooled, &at_strategy_local, space, seed);
		for (int i = 0; i < COUNT; i++) {
			uint64_t index;

			assert_true(is_start
					    ? at_pool_start(&pooled.pool, COUNT, &index)
					    : at_pool_draw(&pooled.pool, &index));
			at_search_space_get(space, index, x[i]);
			for (int j = 0; j < i; j++) {
				int gap = 0;

				for (int k = 0; k < 3; k++)
					gap += abs(x[i][k] - x[j][k]);
				least = gap < least ? gap : least;
			}
		}
		if (is_start)
			assert_false(
				at_pool_start(&pooled.pool, COUNT, &(uint64_t){ 0 }));
		sum += least;
		at_pooled_release(&pooled);
	}
	return sum / SEEDS;
}

TEST(a_start_lies_apart)
{
	static const struct shape shape = { "a cube", { 11, 11, 11 }, MOST_PARAMETERS,
		always };
	OWNED(at_search_space_free) struct at_search_space *space = space_of(&shape);

	assert_true(mean_gap(space, true) > 1.5 * mean_gap(space, false));
}

RUN_SUITE(NULL, NULL)
