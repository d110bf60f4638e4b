/* Strategies compared on recordings: areas, seeds, failures, virtual time. */
/* affinity is Linux's own */
#define _GNU_SOURCE
#include "record/recording_build.h"
#include "search/strategy.h"
#include "session/simulate.h"

#include <math.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <cmocka.h>

/* ---- strategies that do not keep to the contract -------------------------------- */

enum manner {
	MANNER_DIES,
	MANNER_ASKS_TWICE,
	MANNER_ASKS_OUTSIDE,
	MANNER_WAITS,
	MANNER_STOPS, /* after two */
	MANNER_COUNTS, /* asks outside where answers are not in order, three behind */
	MANNER_ALONE, /* asks outside where another run is under way */
};

struct odd {
	struct at_strategy strategy;
	enum manner manner;
	uint64_t asked;
	uint64_t told;
	bool is_wrong;
};

static const struct at_strategy_kind odd_kind;
static const char *const manners[] = { "dies", "twice", "outside", "waits", "stops",
	"counts", "alone" };
/* shared by all runs: how many are under way */
static atomic_int *running;

static enum at_status odd_open(const struct at_strategy_kind *kind,
	const struct at_search_space *space, const char *options, uint64_t seed,
	struct at_strategy **out, struct at_error *err)
{
	struct odd *self = calloc(1, sizeof(*self));

	assert_non_null(self);
	self->strategy.kind = &odd_kind;
	for (size_t i = 0; i < AT_COUNT_OF(manners); i++)
		if (!strcmp(options, manners[i]))
			self->manner = (enum manner)i;
	if (self->manner == MANNER_ALONE)
		atomic_fetch_add(running, 1);
	*out = &self->strategy;
	return AT_OK;
}

static void odd_close(struct at_strategy *self)
{
	if (((struct odd *)self)->manner == MANNER_ALONE)
		atomic_fetch_sub(running, 1);
	free(self);
}

static enum at_ask odd_ask(struct at_strategy *strategy, uint64_t *index)
{
	struct odd *self = (struct odd *)strategy;
	const struct timespec moment = { .tv_nsec = 1000000 };

	*index = self->asked++;
	switch (self->manner) {
	case MANNER_DIES:
		if (self->asked == 3)
			raise(SIGKILL);
		break;
	case MANNER_ASKS_TWICE:
		*index = 0;
		break;
	case MANNER_ASKS_OUTSIDE:
		*index = 1000;
		break;
	case MANNER_WAITS:
		return AT_ASK_WAIT;
	case MANNER_STOPS:
		if (self->asked > 2)
			return AT_ASK_DONE;
		break;
	case MANNER_COUNTS:
		if (self->is_wrong ||
			self->told != (self->asked > 3 ? self->asked - 3 : 0))
			*index = 1000;
		break;
	case MANNER_ALONE:
		/* another one that may run does so meanwhile */
		nanosleep(&moment, NULL);
		if (atomic_load(running) != 1)
			*index = 1000;
		break;
	}
	return AT_ASK_CONFIGURATION;
}

static void odd_tell(struct at_strategy *strategy, const struct at_told *told)
{
	struct odd *self = (struct odd *)strategy;

	self->is_wrong = self->is_wrong || told->index != self->told;
	self->told++;
}

static const struct at_strategy_kind odd_kind = {
	.name = "odd",
	.open = odd_open,
	.close = odd_close,
	.ask = odd_ask,
	.tell = odd_tell,
};

/* The linker puts it in front of the registry's: "odd,MANNER" is one of these. */
enum at_status __wrap_at_strategy_find(const char *text,
	const struct at_strategy_kind **kind, const char **options,
	struct at_error *err);
enum at_status __real_at_strategy_find(const char *text,
	const struct at_strategy_kind **kind, const char **options,
	struct at_error *err);

enum at_status __wrap_at_strategy_find(const char *text,
	const struct at_strategy_kind **kind, const char **options,
	struct at_error *err)
{
	if (strncmp(text, "odd,", 4) != 0)
		return __real_at_strategy_find(text, kind, options, err);
	*kind = &odd_kind;
	*options = text + 4;
	return AT_OK;
}

/* ---- what is searched ------------------------------------------------------------ */

/* The sequence of tests/test_score.c, in the order of the space. */
static const char small[] =
	"{\"kernel_name\": \"k\", \"device_name\": \"d\", \"tune_params_keys\": [\"a\"], \"cache\": {"
	"\"1\": {\"a\": 1, \"time\": \"InvalidConfig\"},"
	"\"2\": {\"a\": 2, \"time\": 2},"
	"\"3\": {\"a\": 3, \"time\": 4},"
	"\"4\": {\"a\": 4, \"time\": 1}}}";

/* As in tests/test_replay.c: compiling and measuring take so many seconds. */
static const char timed[] =
	"{\"kernel_name\": \"t\", \"device_name\": \"d\", \"tune_params_keys\": [\"a\"], \"cache\": {"
	"\"1\": {\"a\": 1, \"time\": 5, \"compile_time\": 4000, \"benchmark_time\": 1000},"
	"\"2\": {\"a\": 2, \"time\": 4, \"compile_time\": 2000, \"benchmark_time\": 3000},"
	"\"3\": {\"a\": 3, \"time\": 3, \"compile_time\": 3000, \"benchmark_time\": 2000},"
	"\"4\": {\"a\": 4, \"time\": \"RuntimeFailedConfig\", \"compile_time\": 1000},"
	"\"5\": {\"a\": 5, \"time\": 2, \"compile_time\": 2000, \"benchmark_time\": 1000}}}";

static struct at_recording *read_text(const char *text)
{
	struct at_recording *recording = NULL;
	struct at_error err = { 0 };
	char *copy = strdup(text);

	assert_non_null(copy);
	if (at_recording_read_text("small.json", copy, strlen(copy), &recording, &err))
		fail_msg("%s", err.text);
	free(copy);
	return recording;
}

/* A thousand rows whose times have no order. */
static struct at_recording *make_large(void)
{
	struct at_strbuf text = { 0 };
	struct at_recording *recording;
	uint32_t noise = 1;

	at_strbuf_add(&text,
		"{\"kernel_name\": \"large\", \"tune_params_keys\": [\"a\", \"b\"], \"cache\": {");
	for (int i = 0; i < 1000; i++) {
		noise = noise * 1664525 + 1013904223;
		at_strbuf_addf(&text, "%s\"%d\": {\"a\": %d, \"b\": %d, \"time\": %u}",
			i ? "," : "", i, i / 40, i % 40, 1 + (noise >> 16));
	}
	at_strbuf_add(&text, "}}");
	recording = read_text(at_strbuf_text(&text));
	at_strbuf_release(&text);
	return recording;
}

static struct at_simulation *simulate(const struct at_recording *recording,
	const char *strategy, const struct at_simulate_options *options)
{
	struct at_simulate_options all = *options;
	struct at_simulation *simulation = NULL;
	struct at_error err = { 0 };

	all.strategies = &strategy;
	all.strategy_count = 1;
	if (at_simulate(&recording, 1, &all, &simulation, &err))
		fail_msg("%s", err.text);
	return simulation;
}

static void the_area_is_the_one_computed_by_hand(void **state)
{
	struct at_recording *recording = read_text(small);
	const struct at_simulate_options options = {
		.repeats = 3, .evaluations = 4, .in_flight = 1
	};
	struct at_simulation *simulation = simulate(recording, "exhaustive", &options);
	const struct at_simulate_figures *figures = &simulation->cells[0].figures;

	assert_int_equal(figures->runs, 3);
	assert_int_equal(figures->failed, 0);
	assert_float_equal(figures->area.value, (-5.0 / 7 - 1.0 / 5 - 3) / 3, 1e-9);
	/* all runs are the same */
	assert_float_equal(figures->area.low, figures->area.high, 1e-12);
	assert_float_equal(
		simulation->totals[0].area.value, figures->area.value, 1e-12);
	/* the worst counts until the first success */
	assert_float_equal(simulation->cells[0].quartiles[1][0], 0.25, 1e-12);
	assert_float_equal(simulation->cells[0].quartiles[1][1], 0.5, 1e-12);
	assert_float_equal(simulation->cells[0].quartiles[1][3], 1, 1e-12);
	/* it was not the strategy that stopped */
	assert_int_equal(figures->stopped, 0);
	at_simulation_free(simulation);
	at_recording_free(recording);
}

static void a_run_beyond_the_space_keeps_what_it_has(void **state)
{
	struct at_recording *recording = read_text(small);
	const struct at_simulate_options options = {
		.repeats = 2, .evaluations = 20, .in_flight = 2
	};
	struct at_simulation *simulation = simulate(recording, "random", &options);

	assert_int_equal(simulation->cells[0].runs[0].count, 4);
	assert_float_equal(simulation->cells[0].figures.fraction[0].value, 1, 1e-12);
	assert_float_equal(simulation->cells[0].figures.fraction[1].value, 1, 1e-12);
	assert_true(isnan(simulation->cells[0].figures.fraction[2].value));
	at_simulation_free(simulation);
	at_recording_free(recording);
}

static void answers_come_in_the_order_asked_so_many_behind(void **state)
{
	struct at_recording *recording = make_large();
	const struct at_simulate_options options = {
		.repeats = 1, .evaluations = 50, .in_flight = 3
	};
	struct at_simulation *simulation = simulate(recording, "odd,counts", &options);

	assert_string_equal(simulation->cells[0].runs[0].failure, "");
	assert_int_equal(simulation->cells[0].runs[0].count, 50);
	for (size_t i = 0; i < 50; i++)
		assert_int_equal(simulation->cells[0].runs[0].steps[i].row, i);
	at_simulation_free(simulation);
	at_recording_free(recording);
}

static void a_seed_reproduces_every_run(void **state)
{
	struct at_recording *recording = make_large();
	struct at_simulate_options options = {
		.repeats = 5, .evaluations = 30, .in_flight = 4, .seed = 11
	};
	struct at_simulation *first = simulate(recording, "random", &options);
	struct at_simulation *again = simulate(recording, "random", &options);
	struct at_simulation *other;

	options.seed = 12;
	other = simulate(recording, "random", &options);
	for (size_t r = 0; r < 5; r++) {
		const struct at_simulate_step *steps = first->cells[0].runs[r].steps;

		assert_memory_equal(
			steps, again->cells[0].runs[r].steps, 30 * sizeof(*steps));
		assert_memory_not_equal(
			steps, other->cells[0].runs[r].steps, 30 * sizeof(*steps));
		/* runs differ */
		if (r > 0)
			assert_memory_not_equal(steps, first->cells[0].runs[0].steps,
				30 * sizeof(*steps));
	}
	assert_float_equal(
		first->cells[0].figures.area.low, again->cells[0].figures.area.low, 0);
	at_simulation_free(first);
	at_simulation_free(again);
	at_simulation_free(other);
	at_recording_free(recording);
}

/* Its area varies from run to run by .85: the mean of 1000 by .027, and the interval is
   some .053 to both sides. */
static void random_search_has_no_area(void **state)
{
	struct at_recording *recording = make_large();
	const struct at_simulate_options options = {
		.repeats = 1000, .evaluations = 100, .in_flight = 1
	};
	struct at_simulation *simulation = simulate(recording, "random", &options);
	struct at_score_estimate area;

	area = simulation->cells[0].figures.area;
	assert_true(fabs(area.value) < 0.08);
	assert_true(area.high - area.low > 0.09 && area.high - area.low < 0.13);
	at_simulation_free(simulation);
	at_recording_free(recording);
}

static void what_a_run_does_wrong_is_its_failure(void **state)
{
	static const struct {
		const char *strategy;
		const char *failure;
	} cases[] = {
		{ "odd,dies", "died of signal 9" },
		{ "odd,twice", "asks twice for configuration 0" },
		{ "odd,outside", "asks for configuration 1000 of 4" },
		{ "odd,waits", "waits for an answer, and nothing is out" },
	};
	struct at_recording *recording = read_text(small);
	const struct at_simulate_options options = {
		.repeats = 3, .evaluations = 4, .in_flight = 2
	};

	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		struct at_simulation *simulation =
			simulate(recording, cases[i].strategy, &options);

		for (size_t r = 0; r < 3; r++)
			assert_string_equal(
				simulation->cells[0].runs[r].failure, cases[i].failure);
		assert_int_equal(simulation->cells[0].figures.failed, 3);
		assert_int_equal(simulation->cells[0].figures.runs, 0);
		assert_int_equal(simulation->totals[0].failed, 3);
		assert_true(isnan(simulation->totals[0].area.value));
		at_simulation_free(simulation);
	}
	at_recording_free(recording);
}

/* The machine may have more cores than the process was given. */
static void with_one_core_one_run_is_under_way(void **state)
{
	struct at_recording *recording = read_text(small);
	const struct at_simulate_options options = {
		.repeats = 8, .evaluations = 4, .in_flight = 1
	};
	struct at_simulation *simulation;
	cpu_set_t before, one;
	size_t core = 0;

	running = mmap(NULL, sizeof(*running), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(running != MAP_FAILED);
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	while (!CPU_ISSET(core, &before))
		core++;
	CPU_ZERO(&one);
	CPU_SET(core, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	simulation = simulate(recording, "odd,alone", &options);
	assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
	assert_int_equal(simulation->totals[0].failed, 0);
	at_simulation_free(simulation);
	munmap(running, sizeof(*running));
	at_recording_free(recording);
}

/* It has had the failure and the 2; the optimum is half of it. */
static void stopping_too_early_is_counted(void **state)
{
	struct at_recording *recording = read_text(small);
	const struct at_simulate_options options = {
		.repeats = 2, .evaluations = 4, .in_flight = 1
	};
	struct at_simulation *simulation = simulate(recording, "odd,stops", &options);
	const struct at_simulate_figures *figures = &simulation->cells[0].figures;

	assert_int_equal(figures->stopped, 2);
	assert_float_equal(figures->stopped_evaluations, 2, 0);
	assert_int_equal(figures->stopped_early, 2);
	assert_float_equal(figures->stopped_early_loss, 1, 1e-9);
	assert_int_equal(simulation->totals[0].stopped_early, 2);
	/* and what it had is kept to the end */
	assert_float_equal(simulation->cells[0].quartiles[1][3], 0.5, 1e-12);
	at_simulation_free(simulation);
	at_recording_free(recording);
}

/* It has the 2 and not the 1: all of what is left was never measured. */
static void what_was_never_measured_is_exploration(void **state)
{
	struct at_recording *recording = read_text(small);
	const struct at_simulate_options options = {
		.repeats = 2, .evaluations = 4, .in_flight = 1
	};
	struct at_simulation *simulation = simulate(recording, "odd,stops", &options);

	assert_float_equal(simulation->cells[0].figures.exploration, 1, 1e-9);
	assert_float_equal(simulation->cells[0].figures.selection, 0, 0);
	assert_float_equal(simulation->totals[0].exploration, 1, 1e-9);
	assert_float_equal(simulation->totals[0].selection, 0, 0);
	at_simulation_free(simulation);
	at_recording_free(recording);
}

/* Two that differ by 2 %, with samples that vary by a half, and one far behind. */
static const char noisy[] =
	"{\"kernel_name\": \"n\", \"tune_params_keys\": [\"a\"], \"cache\": {"
	"\"1\": {\"a\": 1, \"time\": 1, \"times\": [0.5, 0.7, 1, 1.3, 1.5]},"
	"\"2\": {\"a\": 2, \"time\": 1.02, \"times\": [0.5, 0.7, 1.02, 1.3, 1.5]},"
	"\"3\": {\"a\": 3, \"time\": 9, \"times\": [9, 9, 9, 9, 9]}}}";

/* The optimum was measured in all runs, and is selected in some of them: a coin, as the
   noise is, and each time that it is not costs 2 %. */
static void what_was_measured_and_is_not_selected_is_selection(void **state)
{
	struct at_recording *recording = read_text(noisy);
	const struct at_simulate_options options = {
		.repeats = 200, .evaluations = 3, .in_flight = 1
	};
	struct at_simulation *simulation = simulate(recording, "random", &options);
	const struct at_simulate_figures *figures = &simulation->cells[0].figures;

	assert_float_equal(figures->exploration, 0, 0);
	assert_true(figures->selection > 0.02 * 0.3 && figures->selection < 0.02 * 0.7);
	at_simulation_free(simulation);
	at_recording_free(recording);
}

static void in_virtual_time_answers_come_when_they_are_due(void **state)
{
	static const uint64_t rows[] = { 0, 1, 3, 2, 4 };
	static const double seconds[] = { 5, 9, 10, 11, 13 };
	struct at_recording *recording = read_text(timed);
	const struct at_simulate_options options = {
		.repeats = 1, .evaluations = 5, .in_flight = 5, .compilers = 1
	};
	struct at_simulation *simulation = simulate(recording, "exhaustive", &options);
	const struct at_simulate_run *run = &simulation->cells[0].runs[0];

	assert_string_equal(run->failure, "");
	assert_int_equal(run->count, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(run->steps[i].row, rows[i]);
		assert_float_equal(
			(double)run->steps[i].at_ns * 1e-9, seconds[i], 1e-9);
	}
	/* the compiler takes 12 s for five */
	assert_float_equal(simulation->mean_seconds[0], 2.4, 1e-9);
	/*
	 * What is expected of random search with 2, 3, 4, 5 and a failure that counts
	 * as 5: 19/5, 3, 5/2, 11/5, 2. By evaluations it has 5, 4, 4, 3, 2:
	 *   (-6/9, -1/1, -3/1, -4/1) / 4 = -13/6
	 * By time, after 2.4, 4.8, 7.2, 9.6 and 12 s, nothing yet, which counts as 5,
	 * twice, and then 5, 4 and 3:
	 *   (-6/9, -2/1, -5/1, -9/1) / 4 = -25/6
	 */
	assert_float_equal(simulation->cells[0].figures.area.value, -13.0 / 6, 1e-9);
	assert_float_equal(
		simulation->cells[0].figures.area_timed.value, -25.0 / 6, 1e-9);
	at_simulation_free(simulation);
	at_recording_free(recording);
}

static void a_recording_without_times_has_no_virtual_time(void **state)
{
	struct at_recording *recording = read_text(small);
	const char *strategy = "random";
	const struct at_simulate_options options = { .strategies = &strategy,
		.strategy_count = 1,
		.repeats = 1,
		.evaluations = 5,
		.compilers = 1 };
	const struct at_recording *const recordings[] = { recording };
	struct at_simulation *simulation = NULL;
	struct at_error err = { 0 };

	assert_int_equal(
		at_simulate(recordings, 1, &options, &simulation, &err), AT_EINVAL);
	assert_string_equal(err.text,
		"does not say how long compiling and measuring took, and has no virtual time");
	at_recording_free(recording);
}

/* Several recordings weigh the same, and where each stands changes nothing. */
static void the_order_of_recordings_changes_nothing(void **state)
{
	struct at_recording *one = read_text(small), *two = make_large();
	const struct at_recording *const there[] = { one, two }, *const back[] = { two,
		one };
	const char *const strategies[] = { "random", "exhaustive" };
	const struct at_simulate_options options = { .strategies = strategies,
		.strategy_count = 2,
		.repeats = 8,
		.evaluations = 50,
		.in_flight = 1 };
	struct at_simulation *a = NULL, *b = NULL;

	assert_int_equal(at_simulate(there, 2, &options, &a, NULL), AT_OK);
	assert_int_equal(at_simulate(back, 2, &options, &b, NULL), AT_OK);
	for (size_t s = 0; s < 2; s++) {
		assert_float_equal(a->cells[s].figures.area.value,
			b->cells[2 + s].figures.area.value, 0);
		assert_float_equal(a->totals[s].area.value,
			(a->cells[s].figures.area.value +
				a->cells[2 + s].figures.area.value) /
				2,
			1e-12);
	}
	at_simulation_free(a);
	at_simulation_free(b);
	at_recording_free(one);
	at_recording_free(two);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_area_is_the_one_computed_by_hand),
		cmocka_unit_test(a_run_beyond_the_space_keeps_what_it_has),
		cmocka_unit_test(answers_come_in_the_order_asked_so_many_behind),
		cmocka_unit_test(a_seed_reproduces_every_run),
		cmocka_unit_test(random_search_has_no_area),
		cmocka_unit_test(what_a_run_does_wrong_is_its_failure),
		cmocka_unit_test(with_one_core_one_run_is_under_way),
		cmocka_unit_test(stopping_too_early_is_counted),
		cmocka_unit_test(what_was_never_measured_is_exploration),
		cmocka_unit_test(what_was_measured_and_is_not_selected_is_selection),
		cmocka_unit_test(in_virtual_time_answers_come_when_they_are_due),
		cmocka_unit_test(a_recording_without_times_has_no_virtual_time),
		cmocka_unit_test(the_order_of_recordings_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
