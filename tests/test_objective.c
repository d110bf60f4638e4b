/* The objective of a tuning, with one besides time whose larger values are better. */
#include "base/objective.h"
#include "cli/format.h"
#include "record/evaluation_json.h"

#include "suite.h"

static void format_rate(double value, char *buffer, size_t size)
{
	snprintf(buffer, size, "%.1f GB/s", value);
}

static const struct at_objective rate = {
	.name = "rate",
	.unit = "gbyte_per_second",
	.key = "rate_gbyte_per_second",
	.low_key = "low_gbyte_per_second",
	.high_key = "high_gbyte_per_second",
	.baseline_key = "baseline_gbyte_per_second",
	.direction = AT_DIRECTION_HIGHER,
	.units = { { "GB/s", 1 } },
	.format = format_rate,
};

TEST(finds_objectives_by_name)
{
	assert_ptr_equal(at_objective_find("time"), &at_objective_time);
	assert_ptr_equal(at_objective_find("energy"), &at_objective_energy);
	assert_ptr_equal(at_objective_find("edp"), &at_objective_edp);
	assert_null(at_objective_find("Time"));
	assert_null(at_objective_find(""));
}

TEST(knows_which_way_is_better)
{
	static const struct {
		double a, b;
		bool less, more; /* a is better where less is, where more is */
	} cases[] = {
		{ 1, 2, true, false },
		{ 2, 1, false, true },
		{ 1, 1, false, false },
		{ 1, NAN, true, true },
		{ NAN, 1, false, false },
		{ NAN, NAN, false, false },
		/* what cannot be is as good as not known */
		{ 1, 0, true, true },
		{ 0, 1, false, false },
		{ -1, 1, false, false },
		{ INFINITY, 1, false, false },
	};

	for (size_t i = 0; i < AT_COUNT_OF(cases); i++)
		if (at_objective_better(&at_objective_time, cases[i].a, cases[i].b) !=
				cases[i].less ||
			at_objective_better(&rate, cases[i].a, cases[i].b) !=
				cases[i].more)
			fail_msg("%g and %g", cases[i].a, cases[i].b);
}

TEST(is_clearly_better_only_without_overlap)
{
	const struct at_score small = { 2, 1, 3 }, large = { 5, 4, 6 };
	const struct at_score between = { 3.5, 3, 4 };
	const struct at_score rough = { 0.5, NAN, NAN };

	assert_true(at_objective_clearly_better(&at_objective_time, small, large));
	assert_false(at_objective_clearly_better(&at_objective_time, large, small));
	assert_false(at_objective_clearly_better(&at_objective_time, small, between));
	assert_false(at_objective_clearly_better(&at_objective_time, rough, large));
	assert_true(at_objective_clearly_better(&rate, large, small));
	assert_false(at_objective_clearly_better(&rate, small, large));
	assert_false(at_objective_clearly_better(&rate, large, between));
}

TEST(costs_are_minimised_and_lead_back)
{
	static const double values[] = { 1e-9, 0.25, 1, 3, 1e12 };

	assert_true(at_objective_cost(&at_objective_time, 7) == 7);
	assert_true(at_objective_cost(&rate, 4) == 0.25);
	assert_true(isinf(at_objective_cost(&at_objective_time, NAN)));
	assert_true(isinf(at_objective_cost(&rate, 0)));
	for (size_t i = 0; i < AT_COUNT_OF(values); i++) {
		double cost = at_objective_cost(&rate, values[i]);

		assert_true(
			fabs(at_objective_cost(&rate, cost) / values[i] - 1) < 1e-15);
	}
}

TEST(gains_are_above_one_whichever_way_is_better)
{
	assert_true(at_objective_gain(&at_objective_time, 30, 10) == 3);
	assert_true(at_objective_gain(&rate, 10, 30) > 2.999);
	assert_true(at_objective_gain(&rate, 30, 10) < 1);
	assert_true(isnan(at_objective_gain(&at_objective_time, NAN, 10)));
	assert_true(isnan(at_objective_gain(&at_objective_time, 10, 0)));
	assert_true(at_objective_baseline(&at_objective_time, 3, 10) == 30);
	assert_true(fabs(at_objective_baseline(&rate, 3, 30) - 10) < 1e-12);
	assert_true(isnan(at_objective_baseline(&rate, NAN, 30)));
	assert_true(isnan(at_objective_baseline(&at_objective_time, 3, NAN)));
}

static void assert_text(struct at_strbuf *text, const char *expected)
{
	assert_string_equal(at_strbuf_text(text), expected);
	at_strbuf_release(text);
}

TEST(is_written_with_its_own_keys_and_units)
{
	const struct at_score score = { 3.25, 3.1, NAN };
	struct at_score known = { 3.25, 3.1, 3.5 };
	OWNED(at_json_free) struct at_json *json = at_json_object();
	struct at_strbuf text = { 0 };

	at_json_set_score(json, &rate, score);
	at_json_write(json, 0, &text);
	assert_text(&text,
		"{\"rate_gbyte_per_second\": 3.25, \"low_gbyte_per_second\": 3.1, \"high_gbyte_per_second\": null}");
	assert_string_equal(at_format_value(&rate, 3.25).text, "3.2 GB/s");
	assert_string_equal(at_format_value(&rate, NAN).text, "");
	assert_string_equal(at_format_interval(&rate, &score).text, "");
	assert_string_equal(
		at_format_interval(&rate, &known).text, "3.1 GB/s to 3.5 GB/s");
}

TEST(is_written_in_the_largest_unit_that_gives_one)
{
	static const struct {
		const struct at_objective *objective;
		double value;
		const char *text;
	} rows[] = {
		{ &at_objective_energy, 12.34567, "12.35 J" },
		{ &at_objective_energy, 0.0123, "12.3 mJ" },
		{ &at_objective_energy, 1e-6, "1 uJ" },
		{ &at_objective_energy, 2e-12, "0.002 nJ" },
		{ &at_objective_edp, 0.0025, "2.5 mJs" },
		{ &at_objective_edp, 4.2e-7, "420 nJs" },
		{ &at_objective_time, 1500, "1.50 us" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(
			at_format_value(rows[i].objective, rows[i].value).text,
			rows[i].text);
	assert_string_equal(at_objective_unit(&at_objective_time, 0.5)->name, "ns");
}

/* the time that was measured says nothing of another objective */
TEST(an_evaluation_has_a_score_only_of_what_was_measured)
{
	struct at_evaluation evaluation = {
		.outcome = AT_OUTCOME_OK, .time_ns = 10, .low_ns = 9, .high_ns = 11
	};
	struct at_winner best = { .objective = &rate, .score = { 5, 4, 6 } };
	struct at_score score = at_evaluation_score(&evaluation, &at_objective_time);

	assert_true(score.value == 10 && score.low == 9 && score.high == 11);
	assert_true(isnan(at_evaluation_score(&evaluation, &rate).value));
	assert_true(at_winner_time_ns(&best, &evaluation) == 10);
	assert_true(isnan(at_winner_time_ns(&best, NULL)));
	best.objective = &at_objective_time;
	assert_true(at_winner_time_ns(&best, &evaluation) == 5);
	evaluation.outcome = AT_OUTCOME_WRONG_RESULT;
	assert_true(isnan(at_evaluation_score(&evaluation, &at_objective_time).value));
}

RUN_SUITE(NULL, NULL)
