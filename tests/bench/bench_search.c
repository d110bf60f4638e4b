/*
 * What an ask costs a strategy that learns; run by hand:
 *
 *   bench_search [STRATEGY [SECONDS [SPACE]]]
 *
 * A table with a line for each space and each number of evaluations that the strategy
 * (surrogate) has been told: milliseconds of processor time of an ask, with the answer
 * to it told before the next and eight out at once: the mean of an eighth as many asks,
 * at least 32, so that models made anew are in it; and the first ask where all of it is
 * told before. A space is given up after SECONDS (60); all are gone through, or SPACE.
 * The last column stands for all that was asked for so far: it is the same where a
 * change only made it faster.
 */
#include "base/memory.h"
#include "search/strategy.h"
#include "space/spec.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FLIGHT 8

static const size_t told_counts[] = { 50, 200, 500, 1000, 2000 };

/* COUNT parameters of 1 .. LAST, the last of them of 1 .. REST */
static const struct shape {
	const char *name;
	int count, last, rest;
} shapes[] = {
	{ "5,000", 4, 10, 5 },
	{ "20,000", 5, 10, 2 },
	{ "50,000", 5, 10, 5 },
	{ "10^9", 9, 10, 10 },
};

static double processor_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static struct at_search_space *make(const struct shape *shape, struct at_spec **spec)
{
	struct at_strbuf text = { 0 };
	struct at_search_space *space = NULL;
	struct at_value *slots;
	struct at_error err = { 0 };

	at_strbuf_add(&text, "parameters: {");
	for (int i = 0; i < shape->count; i++) {
		int last = i + 1 == shape->count ? shape->rest : shape->last;

		at_strbuf_addf(&text, " P%d = [ ", i);
		for (int value = 1; value <= last; value++)
			at_strbuf_addf(&text, "%s%d", value == 1 ? "" : ", ", value);
		at_strbuf_add(&text, " ];");
	}
	at_strbuf_add(&text, " };");
	if (at_spec_parse(
		    at_strbuf_text(&text), text.length, shape->name, spec, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	slots = calloc((*spec)->slot_count + 1, sizeof(*slots));
	if (!slots)
		abort();
	at_spec_bind(*spec, &(*spec)->problems[0], NULL, NULL, slots);
	if (at_search_space_new(*spec, slots, &space, NULL, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	free(slots);
	at_strbuf_release(&text);
	return space;
}

/* a bowl with a ripple on it; one in 16 fails */
static struct at_told evaluate(const struct at_search_space *space, uint64_t index)
{
	uint16_t x[16];
	double cost = 1;

	at_search_space_get(space, index, x);
	for (size_t i = 0; i < at_search_space_parameter_count(space); i++)
		cost += 0.02 * (x[i] - 3.0) * (x[i] - 3.0) + 0.05 * sin(3.0 * x[i]);
	if (index % 16 == 5)
		cost = INFINITY;
	return (struct at_told){ .index = index,
		.outcome = isfinite(cost) ? AT_OUTCOME_OK : AT_OUTCOME_CRASHED,
		.cost = cost };
}

static void answer(struct at_strategy *strategy, const struct at_search_space *space,
	uint64_t index)
{
	const struct at_told told = evaluate(space, index);

	strategy->kind->tell(strategy, &told);
}

static struct at_strategy *open_strategy(
	const char *text, const struct at_search_space *space)
{
	const struct at_strategy_kind *kind;
	struct at_strategy *strategy = NULL;
	struct at_error err = { 0 };
	const char *options;

	if (at_strategy_find(text, &kind, &options, &err) ||
		kind->open(kind, space, options, 1, &strategy, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	return strategy;
}

/* the first ask, of a strategy that was told of `told` random ones before */
static double first_ask(
	const char *text, const struct at_search_space *space, size_t told)
{
	struct at_strategy *strategy = open_strategy(text, space);
	struct at_random random;
	double start;
	uint64_t index;

	at_random_init(&random, 2);
	for (size_t i = 0; i < told; i++)
		answer(strategy, space, at_search_space_draw(space, &random));
	start = processor_seconds();
	strategy->kind->ask(strategy, &index);
	start = processor_seconds() - start;
	strategy->kind->close(strategy);
	return start;
}

static void measure(const struct shape *shape, const char *text, double most_seconds)
{
	struct at_spec *spec = NULL;
	struct at_search_space *space = make(shape, &spec);
	struct at_strategy *strategy = open_strategy(text, space);
	uint64_t out[FLIGHT];
	size_t out_count = 0, next = 0, told = 0;
	double began = processor_seconds();
	uint64_t all_asked = 0;
	bool is_done = false;

	for (size_t i = 0; i < AT_COUNT_OF(told_counts) && !is_done; i++) {
		size_t asks = told_counts[i] / 8 > 32 ? told_counts[i] / 8 : 32,
		       asked = 0;
		double spent = 0;

		while (asked < asks && !is_done) {
			double start = processor_seconds();

			is_done = strategy->kind->ask(strategy, &out[next]) !=
					  AT_ASK_CONFIGURATION ||
				  start - began > most_seconds;
			if (told >= told_counts[i] - asks / 2) {
				spent += processor_seconds() - start;
				asked++;
			}
			/* Knuth's multiplier for random numbers (MMIX) */
			all_asked = all_asked * UINT64_C(6364136223846793005) +
				    out[next] + 1;
			next = (next + 1) % FLIGHT;
			if (++out_count == FLIGHT) {
				answer(strategy, space, out[next]);
				out_count--;
				told++;
			}
		}
		if (!is_done)
			printf("%-8s %6zu %8.3f %8.1f  %016" PRIx64 "\n", shape->name,
				told_counts[i], spent / (double)asks * 1e3,
				first_ask(text, space, told_counts[i]) * 1e3,
				all_asked);
		fflush(stdout);
	}
	strategy->kind->close(strategy);
	at_search_space_free(space);
	at_spec_free(spec);
}

int main(int argc, char **argv)
{
	const char *text = argc > 1 ? argv[1] : "surrogate";
	double most_seconds = argc > 2 ? atof(argv[2]) : 60;

	printf("%-8s %6s %8s %8s  %s\n", "space", "told", "ms", "first ms", "asked");
	for (size_t i = 0; i < AT_COUNT_OF(shapes); i++)
		if (argc < 4 || !strcmp(argv[3], shapes[i].name))
			measure(&shapes[i], text, most_seconds);
	return 0;
}
