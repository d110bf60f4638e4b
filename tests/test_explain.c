/* Which parameter mattered, told from what a run has recorded. */
#define _GNU_SOURCE
#include "program.h"
#include "record/store.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TUNE(folder, ...) \
	((const char *const[]){ "tune", AT_TEST_DIR "/spaces/costs.cfg", "--device", \
		"host", "--results", (folder), "--json", __VA_ARGS__, NULL })

/* runs it; how many evaluations were told */
static size_t tune(const char *const *arguments)
{
	struct program_result result;
	struct at_json *events;
	size_t count;

	program_run(arguments, &result);
	if (result.exit_status)
		fail_msg("exit status %d: %s", result.exit_status, result.errors);
	events = program_events(result.output, "evaluation");
	count = at_json_count(events);
	at_json_free(events);
	program_release(&result);
	return count;
}

static struct at_crown *read_crown(const char *folder)
{
	struct at_crown *crowns;
	struct at_store *store;
	size_t count;

	assert_int_equal(at_store_open(folder, &store, NULL), AT_OK);
	assert_int_equal(
		at_store_crowns(store, "costs", 0, &crowns, &count, NULL), AT_OK);
	assert_int_equal(count, 1);
	at_store_close(store);
	return crowns;
}

static struct at_json *read_gains(const char *folder)
{
	struct at_crown *crown = read_crown(folder);
	struct at_json *gains = NULL;

	assert_int_equal(
		at_json_parse(crown->gains, strlen(crown->gains), NULL, &gains, NULL),
		AT_OK);
	at_store_free_crowns(crown, 1);
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

static void the_parameter_that_costs_most_is_named_first(void **state)
{
	char *folder = scratch_folder("explain");
	struct at_json *gains;

	/* all is recorded by the search: nothing is measured for it */
	assert_int_equal(tune(TUNE(folder, "--strategy", "exhaustive")), 12);
	gains = read_gains(folder);
	assert_true(at_json_count(gains) >= 2);
	assert_int_equal(value(gains, 0, "from", "REPEAT"), 3000);
	assert_int_equal(value(gains, 0, "to", "REPEAT"), 1);
	assert_int_equal(value(gains, 0, "to", "AGAIN"), -1);
	assert_true(share(gains, 0) > 0.5);
	assert_true(fabs(sum_of_shares(gains) - 1) < 1e-9);
	at_json_free(gains);
	scratch_remove(folder);
	free(folder);
}

static void no_more_than_a_tenth_of_the_budget_is_spent_on_it(void **state)
{
	char *folder = scratch_folder("tenth");
	struct at_json *gains;
	size_t count = tune(TUNE(folder, "--budget", "10"));

	assert_in_range(count, 10, 11);
	gains = read_gains(folder);
	assert_true(at_json_count(gains) >= 1);
	assert_true(fabs(sum_of_shares(gains) - 1) < 1e-9);
	at_json_free(gains);
	scratch_remove(folder);
	free(folder);
}

/* a run that ends before it is through leaves it to the next one */
static void what_was_not_looked_into_is_made_good(void **state)
{
	char *folder = scratch_folder("good");
	struct at_store *store;
	struct at_crown *before, *after;

	tune(TUNE(folder, "--strategy", "exhaustive"));
	before = read_crown(folder);
	assert_int_equal(at_store_open(folder, &store, NULL), AT_OK);
	assert_int_equal(at_store_set_gains(store, before, "", NULL), AT_OK);
	at_store_close(store);
	tune(TUNE(folder, "--strategy", "exhaustive"));
	after = read_crown(folder);
	assert_string_equal(after->gains, before->gains);
	assert_int_equal(after->evaluation_id, before->evaluation_id);
	assert_true(after->time_ns == before->time_ns);
	at_store_free_crowns(before, 1);
	at_store_free_crowns(after, 1);
	scratch_remove(folder);
	free(folder);
}

static void a_baseline_that_wins_has_gained_nothing(void **state)
{
	char *folder = scratch_folder("nothing");
	struct at_crown *crown;

	tune(TUNE(folder, "--set", "REPEAT=3000", "--set", "AGAIN=4", "--set",
		"SPARE=0"));
	crown = read_crown(folder);
	assert_string_equal(crown->gains, "[]");
	at_store_free_crowns(crown, 1);
	scratch_remove(folder);
	free(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_parameter_that_costs_most_is_named_first),
		cmocka_unit_test(no_more_than_a_tenth_of_the_budget_is_spent_on_it),
		cmocka_unit_test(what_was_not_looked_into_is_made_good),
		cmocka_unit_test(a_baseline_that_wins_has_gained_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
