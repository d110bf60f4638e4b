/* The comparison of two sets of results. */
#include "record/comparison.h"

#include <math.h>

#include "suite.h"

/* 100 us, known to so many per cent */
static struct at_result a_result(
	const char *space, const char *problem, double time, double percent)
{
	double ns = 100e3 * time;

	return (struct at_result){
		.device = { .kind = (char *)"cuda", .slug = (char *)"nvidia-h200" },
		.best = { .space = (char *)space,
			.problem = (char *)problem,
			.objective = &at_objective_time,
			.score = { ns, ns / (1 + percent / 100),
				ns * (1 + percent / 100) },
			.created_seconds = (int64_t)(1e6 * time) },
		.winner = { .configuration = (char *)"{\"A\": 1}",
			.problem_json = (char *)"{\"N\": 8}" },
	};
}

static struct at_comparison_row compare_two(
	struct at_result a, struct at_result b, double margin)
{
	const struct at_results before = { .count = 1, .items = &a };
	const struct at_results after = { .count = 1, .items = &b };
	struct at_comparison comparison;
	struct at_comparison_row row;

	at_results_compare(&before, &after, margin, &comparison);
	assert_int_equal(comparison.count, 1);
	row = comparison.rows[0];
	assert_int_equal(comparison.counts[row.compared], 1);
	at_comparison_release(&comparison);
	return row;
}

TEST(slower_is_beyond_the_interval_and_the_margin)
{
	static const struct {
		double time, percent, margin;
		enum at_compared compared;
	} rows[] = {
		{ 1.05, 0.5, 0.01, AT_COMPARED_SLOWER },
		{ 0.95, 0.5, 0.01, AT_COMPARED_FASTER },
		{ 1.005, 0.1, 0.01, AT_COMPARED_SAME },
		{ 1.005, 0.1, 0.002, AT_COMPARED_SLOWER },
		{ 0.995, 0.1, 0.002, AT_COMPARED_FASTER },
		/* known to 3 % each, it may be the same or 9 % slower */
		{ 1.04, 3, 0.01, AT_COMPARED_UNCLEAR },
		{ 0.96, 3, 0.01, AT_COMPARED_UNCLEAR },
		{ 1.05, 3, 0.01, AT_COMPARED_SLOWER },
		{ 1.05, 0.5, 0.1, AT_COMPARED_SAME },
		/* nothing can be said of what is within a margin of 1 % */
		{ 1.001, 4, 0.01, AT_COMPARED_UNCLEAR },
		{ 1.001, 3, 0.01, AT_COMPARED_SAME },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct at_comparison_row row =
			compare_two(a_result("s", "p", 1, rows[i].percent),
				a_result("s", "p", rows[i].time, rows[i].percent),
				rows[i].margin);

		assert_string_equal(at_compared_name(row.compared),
			at_compared_name(rows[i].compared));
		assert_true(fabs(row.ratio.value - rows[i].time) < 1e-9);
	}
}

TEST(what_both_are_unsure_of_adds_up)
{
	struct at_comparison_row row =
		compare_two(a_result("s", "p", 1, 3), a_result("s", "p", 1.2, 4), 0.01);
	double half = hypot(log(1.03), log(1.04));

	assert_true(fabs(log(row.ratio.high / row.ratio.value) - half) < 1e-9);
	assert_true(fabs(log(row.ratio.value / row.ratio.low) - half) < 1e-9);
}

TEST(without_an_interval_nothing_is_clear)
{
	struct at_result a = a_result("s", "p", 1, 1), b = a_result("s", "p", 2, 1);
	struct at_comparison_row row;

	a.best.score.low = a.best.score.high = NAN;
	row = compare_two(a, b, 0.01);
	assert_int_equal(row.compared, AT_COMPARED_UNCLEAR);
	assert_true(fabs(row.ratio.value - 2) < 1e-9);
	assert_true(isnan(row.ratio.low));
	/* nor without a value */
	a.best.score.value = NAN;
	row = compare_two(a, b, 0.01);
	assert_int_equal(row.compared, AT_COMPARED_UNCLEAR);
	assert_true(isnan(row.ratio.value));
	/* one measurement is itself */
	b.best.score.low = b.best.score.high = NAN;
	row = compare_two(b, b, 0.01);
	assert_int_equal(row.compared, AT_COMPARED_SAME);
	assert_true(row.ratio.low == 1 && row.ratio.high == 1);
}

TEST(other_sizes_of_one_name_are_another_problem)
{
	struct at_result a = a_result("s", "p", 1, 1), b = a_result("s", "p", 2, 1);
	struct at_comparison_row row;

	b.winner.problem_json = (char *)"{\"N\": 16}";
	row = compare_two(a, b, 0.01);
	assert_int_equal(row.compared, AT_COMPARED_OTHER);
	assert_true(isnan(row.ratio.value));
	/* so are those of a board with a part kept for others */
	b = a_result("s", "p", 2, 1);
	at_properties_set(&a.device.properties, AT_PROPERTY_MULTIPROCESSOR_COUNT, 132);
	at_properties_set(&b.device.properties, AT_PROPERTY_MULTIPROCESSOR_COUNT, 120);
	assert_int_equal(compare_two(a, b, 0.01).compared, AT_COMPARED_OTHER);
	b.device.properties = a.device.properties;
	assert_int_equal(compare_two(a, b, 0.01).compared, AT_COMPARED_SLOWER);
	b = a_result("s", "p", 2, 1);
	b.winner.configuration = (char *)"{\"A\": 2}";
	row = compare_two(a, b, 0.01);
	assert_int_equal(row.compared, AT_COMPARED_SLOWER);
	assert_true(row.other_configuration);
}

TEST(everything_that_either_has_is_a_row)
{
	struct at_result before[] = { a_result("a", "x", 1, 1),
		a_result("b", "x", 1, 1), a_result("b", "z", 1, 1) };
	struct at_result after[] = { a_result("b", "x", 1, 1), a_result("b", "y", 1, 1),
		a_result("b", "z", 2, 1), a_result("c", "x", 1, 1) };
	const struct at_results a = { .count = 3, .items = before };
	const struct at_results b = { .count = 4, .items = after };
	static const enum at_compared expected[] = { AT_COMPARED_ONLY_A,
		AT_COMPARED_SAME, AT_COMPARED_ONLY_B, AT_COMPARED_SLOWER,
		AT_COMPARED_ONLY_B };
	struct at_comparison comparison;

	at_results_compare(&a, &b, 0.01, &comparison);
	assert_int_equal(comparison.count, 5);
	for (size_t i = 0; i < comparison.count; i++) {
		const struct at_comparison_row *row = &comparison.rows[i];

		assert_int_equal(row->compared, expected[i]);
		assert_true((row->a == NULL) == (expected[i] == AT_COMPARED_ONLY_B));
		assert_true((row->b == NULL) == (expected[i] == AT_COMPARED_ONLY_A));
	}
	assert_int_equal(comparison.counts[AT_COMPARED_ONLY_B], 2);
	assert_ptr_equal(comparison.rows[3].a, &before[2]);
	assert_ptr_equal(comparison.rows[3].b, &after[2]);
	at_comparison_release(&comparison);
	/* devices of one name and another kind are two */
	after[0].device.kind = (char *)"replay";
	at_results_compare(&a, &b, 0.01, &comparison);
	assert_int_equal(comparison.counts[AT_COMPARED_SAME], 0);
	at_comparison_release(&comparison);
}

RUN_SUITE(NULL, NULL)
