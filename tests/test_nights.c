/* The verdicts of a night on a winner: single cases, then 200 nights with planted
   shifts. */
#include "session/nights.h"

#include "base/memory.h"
#include "nights_noise.h"

#include <math.h>

#include "suite.h"

/* ---- nights that are written down ------------------------------------------ */

enum { HISTORY = 40 };

/* 100 us beside a baseline of 250 us at 1.755 GHz; finals agree to 0.1 %. */
static struct at_night a_night(double time, double baseline, double clock)
{
	double ns = 100e3 * time, other_ns = 250e3 * baseline;

	return (struct at_night){
		.cost = { ns, ns * 0.999, ns * 1.001 },
		.baseline = { other_ns, other_ns * 0.999, other_ns * 1.001 },
		.relative = { ns / other_ns, ns / other_ns * 0.999,
			ns / other_ns * 1.001 },
		.clock_hz = 1755e6 * clock,
		.verdict = AT_VERDICT_SAME,
	};
}

/* Nights that differ by a few tenths of a per cent, alike for both and each for itself.
 */
static size_t usual_history(struct at_night *history, size_t count)
{
	static const double common[] = { 0, .3, -.2, .1, -.3, .2, -.1 };
	static const double own[] = { .05, -.1, 0, .1, -.05 };

	for (size_t i = 0; i < count; i++) {
		double board = 1 + common[i % 7] / 100;

		history[i] = a_night(board * (1 + own[i % 5] / 100),
			board * (1 - own[(i + 2) % 5] / 100), 1);
	}
	return count;
}

static struct at_judgement judge(const struct at_night *history, size_t count,
	const struct at_night *looks, size_t look_count)
{
	struct at_judgement judgement;

	memset(&judgement, 0xff, sizeof(judgement));
	at_nights_judge(history, count, looks, look_count, 0, &judgement);
	return judgement;
}

/* What is printed of a night whose looks are all alike. */
static struct at_judgement judge_alike(
	const struct at_night *history, size_t count, struct at_night look)
{
	const struct at_night looks[] = { look, look, look };
	struct at_judgement judgement;
	size_t used = 0;

	do
		judgement = judge(history, count, looks, ++used);
	while (judgement.wants_look);
	assert_true(used <= AT_NIGHTS_LOOKS_MAX);
	return judgement;
}

#define assert_verdict(judgement, expected) \
	assert_string_equal( \
		at_verdict_name((judgement).verdict), at_verdict_name(expected))

TEST(without_a_history_a_night_is_the_first)
{
	struct at_night look = a_night(1, 1, 1), gone = a_night(NAN, NAN, 1);
	struct at_judgement judgement = judge(NULL, 0, &look, 1);

	assert_verdict(judgement, AT_VERDICT_FIRST);
	assert_false(judgement.wants_look);
	assert_true(isnan(judgement.change.value));
	assert_int_equal(judgement.night_count, 0);
	/* nights without a measurement do not count */
	gone.verdict = AT_VERDICT_INCORRECT;
	assert_verdict(judge(&gone, 1, &look, 1), AT_VERDICT_FIRST);
}

TEST(a_night_like_the_others_is_the_same_at_one_look)
{
	struct at_night history[HISTORY], look = a_night(1.002, 1.002, 1);
	size_t count = usual_history(history, HISTORY);
	struct at_judgement judgement = judge(history, count, &look, 1);

	assert_verdict(judgement, AT_VERDICT_SAME);
	assert_false(judgement.wants_look);
	assert_int_equal(judgement.reason, AT_NIGHTS_PLAIN);
	assert_true(fabs(judgement.change.value - 1.002) < 1e-3);
	assert_true(judgement.change.low < 1 && judgement.change.high > 1);
	assert_true(judgement.change.high - judgement.change.low < 0.02);
	assert_int_equal(judgement.night_count, 30);
}

TEST(slower_is_said_after_a_second_look_only)
{
	struct at_night history[HISTORY];
	const struct at_night slow = a_night(1.05, 1, 1), usual = a_night(1, 1, 1);
	const struct at_night twice[] = { slow, slow };
	const struct at_night once[] = { slow, usual, usual };
	size_t count = usual_history(history, HISTORY);
	struct at_judgement judgement = judge(history, count, twice, 1);

	assert_verdict(judgement, AT_VERDICT_UNCLEAR);
	assert_true(judgement.wants_look);
	judgement = judge(history, count, twice, 2);
	assert_verdict(judgement, AT_VERDICT_SLOWER);
	assert_false(judgement.wants_look);
	assert_true(judgement.change.low < 1.05 && judgement.change.high > 1.05);
	assert_true(judgement.change.low > 1.03);
	/* a hiccup */
	judgement = judge(history, count, once, 2);
	assert_verdict(judgement, AT_VERDICT_UNCLEAR);
	assert_true(judgement.wants_look);
	judgement = judge(history, count, once, 3);
	assert_verdict(judgement, AT_VERDICT_SAME);
	assert_false(judgement.wants_look);
}

/* by the usual history, by one of which the newest nights had another clock, or by one
   of a board that is often held back */
enum past { USUAL, LOW_CLOCK, HELD_BACK };

TEST(nights_are_judged_by_what_moved_and_why)
{
	enum { CHANGED = 1, DISTURBED = 2, HELD = 4 };
	static const struct {
		double time, baseline, clock; /* of tonight's looks, beside the usual */
		int conditions;
		enum past past;
		enum at_verdict verdict;
		enum at_nights_reason reason;
	} rows[] = {
		{ 0.95, 1, 1, 0, USUAL, AT_VERDICT_FASTER, AT_NIGHTS_PLAIN },
		{ 1.05, 1, 1, 0, USUAL, AT_VERDICT_SLOWER, AT_NIGHTS_PLAIN },
		/* a baseline that moves alone says nothing of the winner */
		{ 1, 0.95, 1, 0, USUAL, AT_VERDICT_SAME, AT_NIGHTS_PLAIN },
		{ 1, 1.05, 1, 0, USUAL, AT_VERDICT_SAME, AT_NIGHTS_PLAIN },
		/* a new driver answers for what moves with the baseline, */
		{ 1.05, 1.05, 1, CHANGED, USUAL, AT_VERDICT_SLOWER, AT_NIGHTS_COMMON },
		/* and for nothing else */
		{ 1.003, 1.003, 1, CHANGED, USUAL, AT_VERDICT_SAME, AT_NIGHTS_PLAIN },
		/* a board that others use makes no kernel slower */
		{ 1.3, 1.1, 1, DISTURBED, USUAL, AT_VERDICT_UNCLEAR,
			AT_NIGHTS_DISTURBED },
		/* nor one that is rarely held back; one that always is has no excuse */
		{ 1.08, 1.03, 1, HELD, USUAL, AT_VERDICT_UNCLEAR, AT_NIGHTS_HELD_BACK },
		{ 1.08, 1.03, 1, HELD, HELD_BACK, AT_VERDICT_SLOWER, AT_NIGHTS_PLAIN },
		/* nights at another clock become a history of their own */
		{ 1 / 0.94, 1 / 0.94, 0.94, 0, LOW_CLOCK, AT_VERDICT_SAME,
			AT_NIGHTS_PLAIN },
		{ 1.06 / 0.94, 1 / 0.94, 0.94, 0, LOW_CLOCK, AT_VERDICT_SLOWER,
			AT_NIGHTS_PLAIN },
		{ 1.06, 1, 1, 0, LOW_CLOCK, AT_VERDICT_SLOWER, AT_NIGHTS_PLAIN },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct at_night history[HISTORY];
		struct at_night look =
			a_night(rows[i].time, rows[i].baseline, rows[i].clock);
		size_t count = usual_history(history, HISTORY);
		struct at_judgement judgement;

		for (size_t k = count - 6; k < count && rows[i].past == LOW_CLOCK; k++)
			history[k] = a_night(1 / 0.94, 1 / 0.94, 0.94);
		for (size_t k = 0; k < count && rows[i].past == HELD_BACK; k += 3)
			history[k].is_held_back = true;
		look.is_changed = rows[i].conditions & CHANGED;
		look.is_disturbed = rows[i].conditions & DISTURBED;
		look.is_held_back = rows[i].conditions & HELD;
		judgement = judge_alike(history, count, look);
		if (judgement.verdict != rows[i].verdict ||
			judgement.reason != rows[i].reason)
			fail_msg("row %zu: %s, reason %d", i,
				at_verdict_name(judgement.verdict), judgement.reason);
	}
}

TEST(a_board_that_clocks_lower_makes_no_kernel_slower)
{
	struct at_night history[HISTORY];
	size_t count = usual_history(history, HISTORY);
	struct at_judgement judgement =
		judge_alike(history, count, a_night(1 / 0.94, 1 / 0.94, 0.94));
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };

	assert_verdict(judgement, AT_VERDICT_SAME);
	assert_int_equal(judgement.reason, AT_NIGHTS_CLOCK);
	assert_true(fabs(judgement.clock - 0.94) < 1e-3);
	assert_true(judgement.change.value > 1.06);
	assert_true(fabs(judgement.cycles.value - 1) < 5e-3);
	at_judgement_explain(&judgement, &at_objective_time, &text);
	assert_non_null(strstr(at_strbuf_text(&text), "the board clocks 6.0 % lower"));
	/* of which half as much would be the kernel's own doing */
	assert_verdict(judge_alike(history, count, a_night(1.12, 1 / 0.94, 0.94)),
		AT_VERDICT_SLOWER);
	/* a kernel that waits for memory does not take longer, and is no faster */
	assert_verdict(
		judge_alike(history, count, a_night(1, 1, 0.94)), AT_VERDICT_SAME);
}

TEST(what_moves_with_its_baseline_is_told_when_it_lasts)
{
	struct at_night history[HISTORY + 1];
	size_t count = usual_history(history, HISTORY);
	struct at_night slow = a_night(1.05, 1.05, 1);
	struct at_judgement judgement = judge_alike(history, count, slow);

	assert_verdict(judgement, AT_VERDICT_UNCLEAR);
	assert_int_equal(judgement.reason, AT_NIGHTS_COMMON);
	slow.verdict = judgement.verdict;
	history[count++] = slow;
	assert_verdict(judge_alike(history, count, a_night(1, 1, 1)), AT_VERDICT_SAME);
	judgement = judge_alike(history, count, slow);
	assert_verdict(judgement, AT_VERDICT_SLOWER);
	assert_int_equal(judgement.reason, AT_NIGHTS_COMMON);
}

TEST(after_a_shift_history_begins_anew)
{
	struct at_night history[HISTORY + 1], slow = a_night(1.06, 1, 1);
	size_t count = usual_history(history, HISTORY);
	struct at_judgement judgement;

	slow.verdict = AT_VERDICT_SLOWER;
	history[count++] = slow;
	judgement = judge_alike(history, count, slow);
	assert_verdict(judgement, AT_VERDICT_SAME);
	assert_int_equal(judgement.night_count, 1);
	/* how much nights differ is still known: 5 % more is seen at once */
	assert_verdict(judge_alike(history, count, a_night(1.06 * 1.05, 1, 1)),
		AT_VERDICT_SLOWER);
	assert_verdict(
		judge_alike(history, count, a_night(1, 1, 1)), AT_VERDICT_FASTER);
}

TEST(a_kernel_without_a_baseline_waits_for_a_second_night)
{
	struct at_night history[HISTORY + 1], slow = a_night(1.05, 1, 1);
	size_t count = usual_history(history, HISTORY);

	for (size_t i = 0; i < count; i++)
		history[i].relative = (struct at_score)AT_SCORE_UNKNOWN;
	slow.relative = (struct at_score)AT_SCORE_UNKNOWN;
	slow.verdict = judge_alike(history, count, slow).verdict;
	assert_int_equal(slow.verdict, AT_VERDICT_UNCLEAR);
	history[count++] = slow;
	assert_verdict(judge_alike(history, count, slow), AT_VERDICT_SLOWER);
}

TEST(few_nights_see_less_than_many)
{
	struct at_night history[HISTORY];
	double last = INFINITY;

	for (size_t count = 1; count <= HISTORY; count += 13) {
		struct at_night look = a_night(1.05, 1, 1);
		struct at_judgement judgement;

		usual_history(history, count);
		judgement = judge_alike(history, count, look);
		assert_verdict(
			judgement, count == 1 ? AT_VERDICT_UNCLEAR : AT_VERDICT_SLOWER);
		assert_true(judgement.change.high / judgement.change.low < last);
		last = judgement.change.high / judgement.change.low;
	}
	/* and what is large is seen by the second night */
	assert_verdict(judge_alike(history, 1, a_night(1.15, 1, 1)), AT_VERDICT_SLOWER);
}

TEST(what_is_within_the_margin_is_the_same)
{
	struct at_night history[HISTORY], looks[3];
	struct at_judgement judgement;

	for (size_t i = 0; i < HISTORY; i++)
		history[i] = a_night(1 + (double)(i % 3) * 1e-4, 1, 1);
	for (size_t i = 0; i < 3; i++)
		looks[i] = a_night(1.009, 1, 1);
	assert_verdict(judge_alike(history, HISTORY, looks[0]), AT_VERDICT_SAME);
	at_nights_judge(history, HISTORY, looks, 2, 0.005, &judgement);
	assert_verdict(judgement, AT_VERDICT_SLOWER);
}

TEST(wide_finals_make_a_wide_interval)
{
	struct at_night history[HISTORY], look = a_night(1.03, 1.001, 1);
	size_t count = usual_history(history, HISTORY);
	double width = judge(history, count, &look, 1).change.high -
		       judge(history, count, &look, 1).change.low;

	look.cost.low *= 0.9;
	look.cost.high *= 1.1;
	assert_true(judge(history, count, &look, 1).change.high -
			    judge(history, count, &look, 1).change.low >
		    5 * width);
	assert_verdict(judge_alike(history, count, look), AT_VERDICT_SAME);
}

/* Finals that are known to a half say nothing of a third, be there ever so few nights
   to see it by. */
TEST(what_intervals_do_not_tell_apart_is_not_told)
{
	struct at_night first = a_night(1, 1, 1);

	for (int wide = 0; wide < 3; wide++) {
		struct at_night best = first, look = a_night(1.4, 1, 1);

		/* the finals of the winner, tonight's, or both */
		for (int i = 0; i < 2; i++) {
			struct at_night *night = i ? &look : &best;

			if (wide != 2 && wide != i)
				continue;
			night->cost.low /= 1.55;
			night->cost.high *= 1.55;
			night->relative.low /= 1.55;
			night->relative.high *= 1.55;
		}
		assert_verdict(judge_alike(&best, 1, look), AT_VERDICT_UNCLEAR);
		look.cost.value *= 3;
		look.cost.low *= 3;
		look.cost.high *= 3;
		look.relative.value *= 3;
		look.relative.low *= 3;
		look.relative.high *= 3;
		assert_verdict(judge_alike(&best, 1, look), AT_VERDICT_SLOWER);
	}
	assert_verdict(judge_alike(&first, 1, a_night(1.4, 1, 1)), AT_VERDICT_SLOWER);
}

/* A baseline that is not known hides what the winner did. */
TEST(a_ratio_is_judged_by_its_own_interval)
{
	struct at_night best = a_night(1, 1, 1), look = a_night(1.1, .95, 1);

	assert_verdict(judge_alike(&best, 1, look), AT_VERDICT_SLOWER);
	look.relative.low /= 1.55;
	look.relative.high *= 1.55;
	assert_true(judge_alike(&best, 1, look).verdict != AT_VERDICT_SLOWER);
}

/* ---- nights of the record -------------------------------------------------- */

/* as on a CPU that others use: nobody can say that it is the same */
TEST(nights_that_tell_nothing_are_not_called_the_same)
{
	struct at_night history[HISTORY], look = a_night(.7, .7, 1);
	size_t count = usual_history(history, HISTORY);
	struct at_judgement judgement;
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };

	look.cost.low = .1;
	look.cost.high = 4.7;
	judgement = judge_alike(history, count, look);
	assert_verdict(judgement, AT_VERDICT_UNCLEAR);
	at_judgement_explain(&judgement, &at_objective_time, &text);
	assert_string_equal(at_strbuf_text(&text),
		"70.0 us tonight, 100 us before; the difference is within the noise of this machine");
}

TEST(reads_nights_of_the_record)
{
	struct at_revisit before = { .outcome = AT_OUTCOME_OK,
		.objective = &at_objective_time,
		.conditions = "{\"driver\": \"570.1\", \"processes\": 3}" };
	struct at_revisit revisit = {
		.outcome = AT_OUTCOME_OK,
		.verdict = AT_VERDICT_SLOWER,
		.objective = &at_objective_time,
		.score = { 100, 99, 102 },
		.baseline = { 250, 240, 260 },
		.speedup = { 2.5, 2.4, 2.6 },
		.clock_hz = 1755000000,
		.conditions = "{\"driver\": \"570.1\", \"processes\": 0}",
	};
	struct at_night night = at_night_of_revisit(&revisit, &before);

	assert_true(night.cost.value == 100 && night.cost.low == 99 &&
		    night.cost.high == 102);
	assert_true(night.baseline.value == 250);
	assert_true(night.relative.value == 1 / 2.5 && night.relative.low == 1 / 2.6 &&
		    night.relative.high == 1 / 2.4);
	assert_true(night.clock_hz == 1755e6);
	assert_int_equal(night.verdict, AT_VERDICT_SLOWER);
	/* other processes come and go: they do not change the board */
	assert_false(night.is_changed);
	assert_false(night.is_disturbed);
	assert_true(at_night_of_revisit(&before, NULL).is_disturbed);
	revisit.conditions = "{\"driver\": \"580.1\"}";
	assert_true(at_night_of_revisit(&revisit, &before).is_changed);
	assert_false(at_night_of_revisit(&revisit, NULL).is_changed);
	/* the winner is the baseline */
	revisit.speedup = (struct at_score){ 1, NAN, NAN };
	assert_true(isnan(at_night_of_revisit(&revisit, NULL).relative.value));
	revisit.outcome = AT_OUTCOME_WRONG_RESULT;
	assert_true(isnan(at_night_of_revisit(&revisit, NULL).cost.value));
}

TEST(the_finals_that_selected_it_are_a_night_before_the_first)
{
	struct at_winner best = {
		.objective = &at_objective_time,
		.score = { 100, 99, 102 },
		.speedup = 2.5,
		.speedup_low = 2.4,
		.speedup_high = 2.6,
		.measurement =
			"{\"first_clock_hz\": 1700000000, \"last_clock_hz\": 1800000000}",
	};
	struct at_night night = at_night_of_winner(&best);

	assert_true(night.cost.value == 100);
	assert_true(night.relative.value == 1 / 2.5);
	assert_true(night.baseline.value == 250);
	assert_true(night.clock_hz == 1750e6);
	best.measurement = "";
	assert_true(isnan(at_night_of_winner(&best).clock_hz));
	best.measurement = "{\"first_clock_hz\": null}";
	assert_true(isnan(at_night_of_winner(&best).clock_hz));
	best.measurement = "no JSON";
	assert_true(isnan(at_night_of_winner(&best).clock_hz));
}

/* ---- 200 nights ------------------------------------------------------------ */

/* finals as recordings have them, a board that drifts, is cold in a tenth of the
   nights, held back in one of 33, and in one of a hundred not alone */
static const struct nights_noise usual = { "usual", { .005, .3, .002, .002, 0 }, .004,
	.003, .003, .1, .03, .2, .01 };

enum { KERNELS = 20, NIGHTS = 200, SETTLED = 10 };

static struct nights_figures simulate(enum nights_kind kind, double shift, int boards)
{
	struct nights_figures figures = { 0 };

	for (int i = 0; i < boards; i++)
		nights_simulate(&usual, kind, shift, KERNELS, NIGHTS, SETTLED,
			(uint64_t)(10 * kind + i), &figures);
	return figures;
}

/* that very night, and by so many nights later */
static void assert_found(enum nights_kind kind, int boards, int late)
{
	struct nights_figures figures = simulate(kind, 0.05, boards);

	assert_int_equal(figures.kernels, boards * KERNELS);
	assert_true((double)figures.found[late] >= 0.95 * (double)figures.kernels);
}

TEST(finds_kernels_that_are_5_percent_slower)
{
	assert_found(NIGHTS_KERNEL, 5, 0);
}

LONG_TEST(finds_drivers_that_make_all_5_percent_slower)
{
	/* in one night of 33 the board is held back, and the next one tells */
	assert_found(NIGHTS_DRIVER, 5, 1);
	/* it has to last if no reason is known */
	assert_found(NIGHTS_SILENT, 3, 2);
	assert_found(NIGHTS_ALONE, 3, 2);
}

TEST(in_200_nights_hardly_anything_is_made_up)
{
	struct nights_figures figures = simulate(NIGHTS_NO_SHIFT, 0, 4);

	assert_int_equal(figures.kernel_nights, 4 * KERNELS * NIGHTS);
	/* a kernel, and also all twenty together */
	assert_true(
		(double)figures.false_slower < 0.005 * (double)figures.kernel_nights);
	assert_true((double)figures.false_nights < 0.02 * (double)figures.nights);
	assert_true((double)figures.unclear < 0.06 * (double)figures.kernel_nights);
	/* and few are measured again for nothing */
	assert_true((double)figures.looks < 1.25 * (double)figures.kernel_nights);
}

/* a CPU that others use: finals of samples that differ by 60 % */
TEST(few_nights_of_a_noisy_machine_make_nothing_up)
{
	static const struct nights_noise noise = { "shared", { .6, .3, .2, .1, 0 }, .05,
		.02, .02, .1, 0, 0, .01 };
	struct nights_figures figures = { 0 };

	for (unsigned i = 0; i < 10; i++)
		nights_simulate(&noise, NIGHTS_NO_SHIFT, 0, KERNELS, 4, 1, i, &figures);
	assert_true((double)(figures.false_slower + figures.false_faster) <
		    0.01 * (double)figures.kernel_nights);
}

RUN_SUITE(NULL, NULL)
