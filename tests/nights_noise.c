/* Simulates nights of a board (nights_noise.h) and counts what their verdicts find. */
#include "nights_noise.h"

#include "measure/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CLOCK_HZ 1755e6
#define CLOCK_STEP_HZ 15e6
#define PI 3.14159265358979323846

static double even(struct at_random *random)
{
	return (double)at_random_below(random, 1u << 30) / (1u << 30);
}

static double normal(struct at_random *random)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += even(random);
	return sum;
}

void nights_begin(const struct nights_noise *noise, unsigned night,
	struct nights_board *board, struct at_random *random)
{
	/* half of the variance stays till the next night */
	board->drift = sqrt(0.5) * (board->drift + noise->board * normal(random));
	board->common = board->drift + noise->season * sin(2 * PI * night / 200.0);
	board->cold = even(random) < noise->cold ? 0.02 * even(random) : 0;
	board->clock = 0;
	board->is_seen = true;
	board->is_told = false;
	if (even(random) < noise->throttled) {
		board->clock = -0.03 - 0.09 * even(random);
		board->is_seen = even(random) >= noise->unseen;
		/* it is asked after every round: thirty times */
		board->is_told = even(random) < 0.9;
	}
	board->disturbance = 0;
	if (even(random) < noise->disturbed)
		board->disturbance = 0.02 + 0.13 * even(random);
}

void nights_begin_kernel(const struct nights_noise *noise, struct nights_kernel *kernel,
	struct at_random *random)
{
	kernel->own = noise->kernel * normal(random);
	kernel->baseline_own = noise->kernel * normal(random);
}

/* finals as noisy as this go on to their second look at least (session/standings.h) */
enum { BLOCKS = 2 * NOISE_BLOCKS };

static void hold_finals(const struct noise *noise, double true_ns,
	struct at_random *random, double blocks[BLOCKS])
{
	struct noise_source source;

	noise_begin(&source, noise, true_ns, random);
	for (int i = 0; i < BLOCKS; i++)
		blocks[i] = noise_block(&source, random, NULL);
}

static struct at_score score_of(struct at_interval interval)
{
	return (struct at_score){ interval.median, interval.low, interval.high };
}

struct at_night nights_look(const struct nights_noise *noise,
	const struct nights_board *board, const struct nights_kernel *kernel,
	unsigned look, double shift, double baseline_shift, struct at_random *random)
{
	struct at_night night = { .baseline = AT_SCORE_UNKNOWN,
		.relative = AT_SCORE_UNKNOWN };
	double common = board->common + (look ? 0 : board->cold);
	double own[BLOCKS], other[BLOCKS];
	double clock_hz = CLOCK_HZ * exp(board->is_seen ? board->clock : 0);
	/* another program hits none like the other, nor always alike */
	double hit = board->disturbance * (0.8 + 0.4 * even(random));
	double baseline_hit = board->disturbance * (0.8 + 0.4 * even(random));

	hold_finals(&noise->finals,
		kernel->time_ns * shift *
			exp(common + kernel->own + hit -
				kernel->clock_share * board->clock),
		random, own);
	night.cost = score_of(at_statistics_blocks(own, BLOCKS, 0.95));
	/* the clock is read a few times, in steps */
	night.clock_hz =
		round((clock_hz + CLOCK_STEP_HZ * normal(random) / 2) / CLOCK_STEP_HZ) *
		CLOCK_STEP_HZ;
	night.is_held_back = board->is_told;
	if (!(kernel->baseline_ns > 0))
		return night;
	hold_finals(&noise->finals,
		kernel->baseline_ns * baseline_shift *
			exp(common + kernel->baseline_own + baseline_hit -
				kernel->baseline_clock_share * board->clock),
		random, other);
	night.baseline = score_of(at_statistics_blocks(other, BLOCKS, 0.95));
	night.relative = score_of(at_statistics_block_ratio(own, other, BLOCKS, 0.95));
	return night;
}

/* ---- nights in a row ------------------------------------------------------- */

struct course {
	struct nights_kernel kernel;
	unsigned shift_night;
	struct at_night *history;
	bool is_found;
};

/* The verdict of tonight, measured as often as it is asked for. */
static struct at_night spend_night(const struct nights_noise *noise,
	const struct nights_board *board, const struct course *course, unsigned night,
	double shift, double baseline_shift, bool is_changed, struct at_random *random,
	struct nights_figures *out)
{
	struct at_night looks[AT_NIGHTS_LOOKS_MAX];
	struct at_judgement judgement;
	unsigned count = 0;

	do {
		looks[count] = nights_look(noise, board, &course->kernel, count, shift,
			baseline_shift, random);
		looks[count++].is_changed = is_changed;
		at_nights_judge(course->history, night, looks, count, 0, &judgement);
	} while (judgement.wants_look);
	out->looks += count;
	/* what is kept of a night is its last look */
	looks[count - 1].verdict = judgement.verdict;
	return looks[count - 1];
}

static void begin_course(struct course *self, enum nights_kind kind, unsigned nights,
	unsigned settled, struct at_random *random)
{
	bool is_alone = kind == NIGHTS_ALONE;

	self->kernel = (struct nights_kernel){
		.time_ns = 1e5 * (1 + even(random)),
		.baseline_ns = is_alone ? 0 : 2e5 * (1 + even(random)),
		.clock_share = even(random),
		.baseline_clock_share = even(random),
	};
	self->shift_night =
		settled + (unsigned)at_random_below(random, nights - settled - 1);
	self->history = calloc(nights, sizeof(*self->history));
	if (!self->history)
		abort();
}

static void count_night(struct course *course, enum nights_kind kind, unsigned night,
	bool *is_false, struct nights_figures *out)
{
	enum at_verdict verdict = course->history[night].verdict;
	bool is_slower = verdict == AT_VERDICT_SLOWER;
	unsigned late = night - course->shift_night;

	if (kind != NIGHTS_NO_SHIFT && night >= course->shift_night &&
		late < NIGHTS_TO_FIND && !course->is_found) {
		out->kernels += late == 0;
		for (unsigned i = late; i < NIGHTS_TO_FIND; i++)
			out->found[i] += is_slower;
		course->is_found = is_slower;
		return;
	}
	out->kernel_nights++;
	out->false_slower += is_slower;
	out->false_faster += verdict == AT_VERDICT_FASTER;
	out->unclear += verdict == AT_VERDICT_UNCLEAR;
	*is_false = *is_false || is_slower;
}

void nights_simulate(const struct nights_noise *noise, enum nights_kind kind,
	double shift, unsigned kernels, unsigned nights, unsigned settled,
	uint64_t seed, struct nights_figures *out)
{
	struct course *courses = calloc(kernels, sizeof(*courses));
	struct nights_board board = { 0 };
	struct at_random random;

	if (!courses)
		abort();
	at_random_init(&random, seed);
	for (unsigned k = 0; k < kernels; k++)
		begin_course(&courses[k], kind, nights, settled, &random);
	for (unsigned night = 0; night < nights; night++) {
		bool is_false = false;

		nights_begin(noise, night, &board, &random);
		for (unsigned k = 0; k < kernels; k++) {
			struct course *course = &courses[k];
			bool is_shifted =
				kind != NIGHTS_NO_SHIFT && night >= course->shift_night;
			bool is_both = kind == NIGHTS_DRIVER || kind == NIGHTS_SILENT;
			double slower = is_shifted ? 1 + shift : 1;

			nights_begin_kernel(noise, &course->kernel, &random);
			course->history[night] = spend_night(noise, &board, course,
				night, slower, is_both ? slower : 1,
				kind == NIGHTS_DRIVER && night == course->shift_night,
				&random, out);
			count_night(course, kind, night, &is_false, out);
		}
		out->nights++;
		out->false_nights += is_false;
	}
	for (unsigned k = 0; k < kernels; k++)
		free(courses[k].history);
	free(courses);
}
