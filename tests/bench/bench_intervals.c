/*
 * How often intervals hold the time that is looked for: that of all samples, as if each
 * were independent, and that of the blocks, which is what is printed. Noise of
 * recordings (deviation and correlation of consecutive samples: the median
 * configuration's and the worst tenth's), without and with an offset of each run's
 * blocks. Then whole finals, decided after six blocks and with the looks that there
 * are: how often the baseline is left, how often for what is no faster, how many blocks
 * that takes, what the intervals of the winner's time and gain hold, and how far the
 * times of ten runs are apart. By hand: bench_intervals [RECORDING...]
 */
#include "measure/statistics.h"
#include "noise.h"
#include "record/recording.h"
#include "session/standings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TRIALS = 20000, SAMPLES_MIN = 10, FINALS = 4000 };

static struct at_random generator;

static bool holds(struct at_interval interval, double value)
{
	return interval.low <= value && value <= interval.high;
}

static void simulate(const char *name, const struct noise *noise)
{
	int all = 0, times = 0, ratios = 0;
	double width = 0;

	for (int trial = 0; trial < TRIALS; trial++) {
		double samples[NOISE_SAMPLES], a[NOISE_BLOCKS], b[NOISE_BLOCKS];
		struct at_interval interval;

		noise_run(noise, 1250, &generator, samples, b);
		noise_run(noise, 1000, &generator, samples, a);
		all += holds(at_statistics_median(samples, NOISE_SAMPLES), 1000);
		interval = at_statistics_blocks(a, NOISE_BLOCKS, 0.95);
		times += holds(interval, 1000);
		width += (interval.high - interval.low) / 2 / interval.median / TRIALS;
		ratios += holds(
			at_statistics_block_ratio(b, a, NOISE_BLOCKS, 0.95), 1.25);
	}
	printf("%-28s %6.2f %6.2f %6.2f %6.2f  %5.1f %6.1f %7.1f   %5.2f\n", name,
		100 * noise->deviation, noise->correlation, 100 * noise->offset,
		100 * noise->drift, 100.0 * all / TRIALS, 100.0 * times / TRIALS,
		100.0 * ratios / TRIALS, 100 * width);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void simulate_recording(const char *path)
{
	struct at_recording *recording;
	struct at_error err = { 0 };
	double *deviations, *correlations;
	size_t count = 0;

	if (at_recording_read(path, &recording, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	deviations = calloc(recording->count + 1, sizeof(*deviations));
	correlations = calloc(recording->count + 1, sizeof(*correlations));
	if (!deviations || !correlations)
		exit(1);
	for (size_t i = 0; i < recording->count; i++) {
		const struct at_recorded *result = &recording->results[i];
		struct noise noise;

		if (result->sample_count < SAMPLES_MIN)
			continue;
		noise = noise_of(recording->samples_ns + result->sample_begin,
			result->sample_count);
		deviations[count] = noise.deviation;
		correlations[count++] = noise.correlation;
	}
	if (count)
		qsort(deviations, count, sizeof(*deviations), compare);
	if (count)
		qsort(correlations, count, sizeof(*correlations), compare);
	for (int worst = 0; worst < 2 && count; worst++)
		for (int offset = 0; offset < 2; offset++) {
			size_t rank = worst ? count * 9 / 10 : count / 2;
			struct noise noise = { deviations[rank], correlations[rank],
				0.5 * offset * deviations[rank], 0, 0 };
			char name[64];

			snprintf(name, sizeof(name), "%.20s%s", recording->name,
				worst ? " (9/10)" : "");
			simulate(name, &noise);
		}
	if (!count)
		printf("%-28s fewer than %d samples of each\n", recording->name,
			SAMPLES_MIN);
	free(deviations);
	free(correlations);
	at_recording_free(recording);
}

/* six; the baseline is as fast as the others times `gain`, and each of these
   slower than the one before by `step` */
static void simulate_finals(const char *name, const struct noise *baseline,
	const struct noise *others, double gain, double step)
{
	struct noise_kernel kernels[NOISE_KERNELS] = { { 1000 * gain, *baseline } };

	for (int i = 1; i < NOISE_KERNELS; i++)
		kernels[i] =
			(struct noise_kernel){ 1000 * (1 + step * (i - 1)), *others };
	for (unsigned looks = 1; looks <= AT_LOOKS; looks += AT_LOOKS - 1) {
		int selected = 0, wrong = 0, times = 0, gains = 0;
		double blocks = 0, apart = 0, least = INFINITY, most = 0;

		for (int trial = 0; trial < FINALS; trial++) {
			struct noise_outcome out =
				noise_finals(kernels, NOISE_KERNELS, looks, &generator);
			double winner_ns = kernels[out.winner].true_ns;

			selected += out.winner > 0;
			wrong += out.winner > 0 && winner_ns >= kernels[0].true_ns;
			times += holds(out.time, winner_ns);
			gains += out.winner > 0 &&
				 holds(out.gain, kernels[0].true_ns / winner_ns);
			blocks += (double)out.blocks / FINALS;
			least = fmin(least, out.time.median);
			most = fmax(most, out.time.median);
			if (trial % 10 < 9)
				continue;
			apart += (most / least - 1) * 10 / FINALS;
			least = INFINITY;
			most = 0;
		}
		printf("%-36s %u  %6.2f %6.2f  %5.1f  %5.1f %5.1f  %6.2f\n", name,
			looks, 100.0 * selected / FINALS, 100.0 * wrong / FINALS,
			blocks, 100.0 * times / FINALS,
			selected ? 100.0 * gains / selected : NAN, 100 * apart);
	}
}

static void simulate_all_finals(void)
{
	static const struct noise quiet = { 0.0005, 0.3, 0.0005, 0, 0 },
				  placed = { 0.0005, 0.3, 0.004, 0, 0 },
				  loud = { 0.0117, 0.33, 0.006, 0, 0 },
				  alike = { 0.0131, 0.61, 0, 0, 0 },
				  split = { 0.0005, 0.3, 0.001, 0, 0.036 },
				  split_less = { 0.0005, 0.3, 0.001, 0, 0.016 };

	printf("\n%-36s %s  %6s %6s  %5s  %5s %5s  %s\n", "finals", "looks", "crown",
		"false", "blocks", "time", "gain", "apart %");
	simulate_finals("quiet, all equal", &quiet, &quiet, 1, 0);
	simulate_finals("quiet, 1 % faster", &quiet, &quiet, 1.01, 0.001);
	simulate_finals("placed, all equal", &placed, &placed, 1, 0);
	simulate_finals("placed, 1 % faster", &placed, &placed, 1.01, 0.001);
	simulate_finals("placed, twice as fast", &placed, &placed, 2, 0.001);
	simulate_finals("loud, all equal", &loud, &loud, 1, 0);
	simulate_finals("loud, 3 % faster", &loud, &loud, 1.03, 0.001);
	simulate_finals("alike, all equal", &alike, &alike, 1, 0);
	simulate_finals("alike, twice as fast", &alike, &alike, 2, 0.001);
	simulate_finals("baseline split, all equal", &split, &quiet, 1, 0);
	simulate_finals("baseline 94-101, others 90", &split, &quiet, 97.4 / 90, 0.001);
	simulate_finals(
		"and the others 88.6-91.4", &split, &split_less, 97.4 / 90, 0.001);
}

int main(int argc, char **argv)
{
	static const struct noise made[] = { { 0.002, 0, 0, 0, 0 },
		{ 0.002, 0.5, 0, 0, 0 }, { 0.002, 0.8, 0, 0, 0 },
		{ 0.0005, 0.3, 0.006, 0, 0 }, { 0.002, 0.3, 0.002, 0.01, 0 } };

	at_random_init(&generator, 1);
	printf("%-28s %27s  %20s\n", "", "noise: %, -, %, %", "95 % holds, %");
	printf("%-28s %6s %6s %6s %6s  %5s %6s %7s   %s\n", "", "sample", "next",
		"block", "drift", "all", "blocks", "ratio", "+- %");
	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++)
		simulate("made up", &made[i]);
	for (int i = 1; i < argc; i++)
		simulate_recording(argv[i]);
	simulate_all_finals();
	return 0;
}
