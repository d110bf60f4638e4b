/*
 * How often intervals hold the time that is looked for: that of all samples, as if each
 * were independent, and that of the blocks, which is what is told. Noise of recordings
 * (deviation and correlation of consecutive samples: the median configuration's and
 * the worst tenth's), without and with an offset of each run's blocks.
 * By hand: bench_intervals [RECORDING...]
 */
#include "measure/statistics.h"
#include "noise.h"
#include "record/recording.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TRIALS = 20000, SAMPLES_MIN = 10 };

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
				0.5 * offset * deviations[rank], 0 };
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

int main(int argc, char **argv)
{
	static const struct noise made[] = { { 0.002, 0, 0, 0 }, { 0.002, 0.5, 0, 0 },
		{ 0.002, 0.8, 0, 0 }, { 0.0005, 0.3, 0.006, 0 },
		{ 0.002, 0.3, 0.002, 0.01 } };

	at_random_init(&generator, 1);
	printf("%-28s %27s  %20s\n", "", "noise: %, -, %, %", "95 % holds, %");
	printf("%-28s %6s %6s %6s %6s  %5s %6s %7s   %s\n", "", "sample", "next",
		"block", "drift", "all", "blocks", "ratio", "+- %");
	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++)
		simulate("made up", &made[i]);
	for (int i = 1; i < argc; i++)
		simulate_recording(argv[i]);
	return 0;
}
