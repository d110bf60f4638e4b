/* Which parameter mattered, computed from the evaluations that a run recorded. */
#define _GNU_SOURCE
#include "program.h"
#include "record/store.h"

#include <math.h>

#include "suite.h"

#define TUNE(folder, ...) \
	((const char *const[]){ "tune", AT_TEST_DIR "/spaces/costs.cfg", "--device", \
		"host", "--results", (folder), "--json", __VA_ARGS__, NULL })

/* runs it; how many evaluations were told */
static size_t tune(const char *const *arguments)
{
	RELEASED(program_release) struct program_result result;
	OWNED(at_json_free) struct at_json *events;
	size_t count;

	program_run(arguments, &result);
	if (result.exit_status)
		fail_msg("exit status %d: %s", result.exit_status, result.errors);
	events = program_events(result.output, "evaluation");
	count = at_json_count(events);
	return count;
}

static struct at_winner *read_winner(const char *folder)
{
	struct at_winner *winners;
	OWNED(at_store_close) struct at_store *store;
	size_t count;

	assert_ok(at_store_open(folder, &store, NULL));
	assert_ok(at_store_winners(store, "costs", 0, &winners, &count, NULL));
	assert_int_equal(count, 1);
	return winners;
}

static struct at_json *read_gains(const char *folder)
{
	struct at_winner *best = read_winner(folder);
	struct at_json *gains = NULL;

	assert_ok(at_json_parse(best->gains, strlen(best->gains), NULL, &gains, NULL));
	at_store_free_winners(best, 1);
	return gains;
}

static double share(const struct at_json *gains, size_t step)
{
	return at_json_number(
		at_json_get(at_json_at(gains, step), "share"), (double)NAN);
}

static double sum_of_shares(const struct at_json *gains)
{
	double sum = 0;

	for (size_t i = 0; i < at_json_count(gains); i++)
		sum += share(gains, i);
	return sum;
}

static int64_t value(
	const struct at_json *gains, size_t step, const char *side, const char *name)
{
	return at_json_whole(
		at_json_get(at_json_get(at_json_at(gains, step), side), name), -1);
}

/* a scalar that is a double makes no kernel one of doubles */
static void it_is_judged_by_what_its_buffers_hold(const char *folder)
{
	struct at_winner *best = read_winner(folder);
	RELEASED(at_evaluation_release) struct at_evaluation evaluation;
	struct at_store *store;

	assert_ok(at_store_open(folder, &store, NULL));
	assert_ok(at_store_get(store, best->evaluation_id, false, &evaluation, NULL));
	assert_false(evaluation.is_double);
	at_store_close(store);
	at_store_free_winners(best, 1);
}

TEST(the_parameter_that_costs_most_is_named_first)
{
	OWNED(scratch_drop) char *folder = scratch_folder("explain");
	OWNED(at_json_free) struct at_json *gains;

	/* all is recorded by the search: only what it dropped early is measured anew */
	assert_in_range(tune(TUNE(folder, "--strategy", "exhaustive")), 12, 16);
	gains = read_gains(folder);
	assert_true(at_json_count(gains) >= 2);
	assert_int_equal(value(gains, 0, "from", "REPEAT"), 2500);
	assert_int_equal(value(gains, 0, "to", "REPEAT"), 100);
	assert_int_equal(value(gains, 0, "to", "AGAIN"), -1);
	assert_true(fabs(sum_of_shares(gains) - 1) < 1e-9);
	it_is_judged_by_what_its_buffers_hold(folder);
}

TEST(no_more_than_a_tenth_of_the_budget_is_spent_on_it)
{
	OWNED(scratch_drop) char *folder = scratch_folder("tenth");
	OWNED(at_json_free) struct at_json *gains;
	size_t count = tune(TUNE(folder, "--budget", "10"));

	assert_in_range(count, 10, 11);
	gains = read_gains(folder);
	assert_true(at_json_count(gains) >= 1);
	assert_true(fabs(sum_of_shares(gains) - 1) < 1e-9);
}

/* a run that ends before it is through leaves it to the next one */
TEST(what_was_not_looked_into_is_made_good)
{
	OWNED(scratch_drop) char *folder = scratch_folder("good");
	struct at_store *store;
	struct at_winner *before, *after;

	tune(TUNE(folder, "--strategy", "exhaustive"));
	before = read_winner(folder);
	assert_ok(at_store_open(folder, &store, NULL));
	assert_ok(at_store_set_gains(store, before, "", NULL));
	at_store_close(store);
	tune(TUNE(folder, "--strategy", "exhaustive"));
	after = read_winner(folder);
	assert_string_equal(after->gains, before->gains);
	assert_int_equal(after->evaluation_id, before->evaluation_id);
	assert_true(after->score.value == before->score.value);
	at_store_free_winners(before, 1);
	at_store_free_winners(after, 1);
}

/* "--set", "NAME=value", ... that keep this configuration alone */
static void set_all(const struct at_json *configuration, char texts[][64],
	const char **arguments, size_t count)
{
	const char *name;

	for (size_t i = 0; (name = at_json_key_at(configuration, i)); i++) {
		snprintf(texts[i], sizeof(texts[i]), "%s=%lld", name,
			(long long)at_json_whole(at_json_get(configuration, name), -1));
		arguments[count++] = "--set";
		arguments[count++] = texts[i];
	}
}

/* what --set leaves of the space has a baseline of its own: here, the winner */
TEST(a_kept_winner_is_explained_from_its_own_baseline)
{
	OWNED(scratch_drop) char *folder = scratch_folder("own");
	char texts[3][64];
	const char *arguments[24] = { "tune", AT_TEST_DIR "/spaces/costs.cfg",
		"--device", "host", "--results", folder, "--json" };
	OWNED(at_json_free) struct at_json *configuration;
	RELEASED(at_evaluation_release) struct at_evaluation winner;
	struct at_store *store;
	struct at_winner *before, *after;

	tune(TUNE(folder, "--strategy", "exhaustive"));
	before = read_winner(folder);
	assert_ok(at_store_open(folder, &store, NULL));
	assert_ok(at_store_set_gains(store, before, "", NULL));
	assert_ok(at_store_get(store, before->evaluation_id, false, &winner, NULL));
	at_store_close(store);
	assert_ok(at_json_parse(winner.configuration, strlen(winner.configuration),
		NULL, &configuration, NULL));
	set_all(configuration, texts, arguments, 7);
	assert_int_equal(tune(arguments), 1);
	after = read_winner(folder);
	assert_int_equal(after->evaluation_id, before->evaluation_id);
	assert_string_equal(after->gains, "");
	at_store_free_winners(after, 1);
	tune(TUNE(folder, "--strategy", "exhaustive"));
	after = read_winner(folder);
	assert_string_equal(after->gains, before->gains);
	at_store_free_winners(after, 1);
	at_store_free_winners(before, 1);
}

LONG_TEST(a_baseline_that_wins_has_gained_nothing)
{
	OWNED(scratch_drop) char *folder = scratch_folder("nothing");
	struct at_winner *best;

	tune(TUNE(folder, "--set", "REPEAT=2500", "--set", "AGAIN=8", "--set",
		"SPARE=0"));
	best = read_winner(folder);
	assert_string_equal(best->gains, "[]");
	at_store_free_winners(best, 1);
}

RUN_SUITE(NULL, NULL)
