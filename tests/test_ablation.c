/* Which parameter mattered: ablation paths whose shares can be worked out by hand. */
#include "search/ablation.h"

#include <math.h>

#include "suite.h"

#define COUNT 3

/* the time of a configuration of three parameters, two values each */
typedef double world(const uint16_t *configuration);

static const uint16_t baseline[COUNT] = { 0, 0, 0 };
static const uint16_t winner[COUNT] = { 1, 1, 1 };

static double independent(const uint16_t *c)
{
	/* a factor each: 2, 4, 8 of 64 */
	return 64.0 / ((c[0] ? 2 : 1) * (c[1] ? 4 : 1) * (c[2] ? 8 : 1));
}

/* the second pays only once the first is there, and alone it costs */
static double together(const uint16_t *c)
{
	if (c[0] && c[1])
		return c[2] ? 8 : 16;
	return c[1] ? 128 : 64;
}

/* nothing but baseline and winner passes */
static double impossible(const uint16_t *c)
{
	return c[0] && c[1] && c[2] ? 1 : c[0] || c[1] || c[2] ? INFINITY : 64;
}

static double unknown(const uint16_t *c)
{
	return c[2] && !c[0] && !c[1] ? 8 : NAN;
}

static struct at_ablation *begin(world *time)
{
	struct at_ablation *ablation = NULL;

	at_ablation_new(COUNT, baseline, winner, 64,
		isfinite(time(winner)) ? time(winner) : 1, &ablation);
	return ablation;
}

/* *asked: how many times were wanted */
static struct at_ablation *walk(world *time, size_t *asked)
{
	struct at_ablation *ablation = begin(time);
	uint16_t configuration[COUNT];
	enum at_ask ask;

	*asked = 0;
	while ((ask = at_ablation_ask(ablation, configuration)) ==
		AT_ASK_CONFIGURATION) {
		++*asked;
		at_ablation_tell(ablation, configuration, time(configuration));
	}
	assert_int_equal(ask, AT_ASK_DONE);
	return ablation;
}

static void assert_near(double value, double expected)
{
	if (!(fabs(value - expected) < 1e-12))
		fail_msg("%.17g is not %.17g", value, expected);
}

static void assert_step(const struct at_ablation_step *step, size_t parameter,
	double time_ns, double share)
{
	assert_int_equal(step->parameter_count, 1);
	assert_int_equal(step->parameters[0], parameter);
	assert_near(step->cost, time_ns);
	assert_near(step->share, share);
}

TEST(the_largest_gain_comes_first_and_shares_add_up)
{
	const struct at_ablation_step *steps;
	OWNED(at_ablation_free) struct at_ablation *ablation;
	size_t asked, count;

	ablation = walk(independent, &asked);
	steps = at_ablation_steps(ablation, &count);
	assert_int_equal(count, 3);
	assert_int_equal(asked, 3 + 2); /* the last change is the winner's time */
	assert_step(&steps[0], 2, 8, 3.0 / 6);
	assert_step(&steps[1], 1, 2, 2.0 / 6);
	assert_step(&steps[2], 0, 1, 1.0 / 6);
}

TEST(a_change_that_pays_only_after_another_is_told_so)
{
	const struct at_ablation_step *steps;
	OWNED(at_ablation_free) struct at_ablation *ablation;
	size_t asked, count;

	ablation = walk(together, &asked);
	steps = at_ablation_steps(ablation, &count);
	assert_int_equal(count, 3);
	/* 0 and 2 gain nothing alone: the first of them, and then 1 pays */
	assert_step(&steps[0], 0, 64, 0);
	assert_step(&steps[1], 1, 16, 2.0 / 3);
	assert_step(&steps[2], 2, 8, 1.0 / 3);
}

TEST(what_cannot_be_changed_alone_is_one_step)
{
	const struct at_ablation_step *steps;
	OWNED(at_ablation_free) struct at_ablation *ablation;
	size_t asked, count;

	ablation = walk(impossible, &asked);
	steps = at_ablation_steps(ablation, &count);
	assert_int_equal(asked, 3);
	assert_int_equal(count, 1);
	assert_int_equal(steps[0].parameter_count, 3);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(steps[0].parameters[i], i);
	assert_near(steps[0].share, 1);
}

TEST(what_is_not_known_is_left_to_the_last_step)
{
	const struct at_ablation_step *steps;
	OWNED(at_ablation_free) struct at_ablation *ablation;
	size_t asked, count;

	ablation = walk(unknown, &asked);
	steps = at_ablation_steps(ablation, &count);
	assert_int_equal(count, 2);
	assert_step(&steps[0], 2, 8, 0.5);
	assert_int_equal(steps[1].parameter_count, 2);
	assert_near(steps[1].share, 0.5);
	assert_near(steps[1].cost, 1);
}

TEST(a_round_may_be_out_at_once_and_told_in_any_order)
{
	uint16_t round[COUNT + 1][COUNT];
	const struct at_ablation_step *steps;
	OWNED(at_ablation_free) struct at_ablation *ablation = begin(independent);
	size_t count;

	for (size_t i = 0; i < COUNT; i++)
		assert_int_equal(
			at_ablation_ask(ablation, round[i]), AT_ASK_CONFIGURATION);
	for (size_t i = COUNT; i-- > 0;) {
		assert_int_equal(at_ablation_ask(ablation, round[COUNT]), AT_ASK_WAIT);
		at_ablation_tell(ablation, round[i], independent(round[i]));
	}
	/* told twice or never asked for: nothing comes of it */
	at_ablation_tell(ablation, round[0], 1e-6);
	at_ablation_tell(ablation, winner, 1e-6);
	assert_int_equal(at_ablation_ask(ablation, round[COUNT]), AT_ASK_CONFIGURATION);
	/* given up here: what is left is one step */
	steps = at_ablation_steps(ablation, &count);
	assert_int_equal(count, 2);
	assert_step(&steps[0], 2, 8, 0.5);
	assert_int_equal(steps[1].parameter_count, 2);
}

TEST(a_step_that_costs_has_a_share_below_0)
{
	static const uint16_t from[2] = { 0, 0 }, to[2] = { 1, 1 };
	const struct at_ablation_step *steps;
	OWNED(at_ablation_free) struct at_ablation *ablation;
	uint16_t configuration[2];
	size_t count;

	at_ablation_new(2, from, to, 8, 4, &ablation);
	while (at_ablation_ask(ablation, configuration) == AT_ASK_CONFIGURATION)
		at_ablation_tell(ablation, configuration, configuration[0] ? 16 : 32);
	steps = at_ablation_steps(ablation, &count);
	assert_int_equal(count, 2);
	assert_step(&steps[0], 0, 16, -1);
	assert_step(&steps[1], 1, 4, 2);
}

TEST(there_is_no_path_where_nothing_was_gained)
{
	struct at_ablation *ablation;
	uint16_t configuration[COUNT];
	size_t count;

	at_ablation_new(COUNT, baseline, winner, 4, 4, &ablation);
	assert_int_equal(at_ablation_ask(ablation, configuration), AT_ASK_DONE);
	at_ablation_steps(ablation, &count);
	assert_int_equal(count, 0);
	at_ablation_free(ablation);
	at_ablation_new(COUNT, winner, winner, 4, 4, &ablation);
	assert_int_equal(at_ablation_ask(ablation, configuration), AT_ASK_DONE);
	at_ablation_steps(ablation, &count);
	assert_int_equal(count, 0);
	at_ablation_free(ablation);
	at_ablation_free(NULL);
}

RUN_SUITE(NULL, NULL)
