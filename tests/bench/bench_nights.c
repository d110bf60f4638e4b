/*
 * What verdicts of nights are worth: kernels whose winner becomes 2, 5 or 10 % slower
 * in some night of 200, and how often that is found, that night or by the next; how
 * often something is reported that was not there. A row a noise and kind of shift.
 * Noise within finals is made up, or of recordings (the median configuration's). By
 * hand: bench_nights [RECORDING...]
 */
#include "nights_noise.h"
#include "record/recording.h"

#include <stdio.h>
#include <stdlib.h>

enum { BOARDS = 10, KERNELS = 20, NIGHTS = 200, SETTLED = 10, SAMPLES_MIN = 10 };

static const double shifts[] = { 0.02, 0.05, 0.10 };
static const char *const kinds[] = { "none", "kernel", "driver", "silent", "alone" };

static double percent(unsigned long part, unsigned long whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void simulate(const struct nights_noise *noise, enum nights_kind kind)
{
	struct nights_figures total = { 0 };

	printf("%-20s %-7s", noise->name, kinds[kind]);
	for (size_t i = 0; i < sizeof(shifts) / sizeof(shifts[0]); i++) {
		struct nights_figures found = { 0 };

		for (unsigned board = 0; board < BOARDS; board++)
			nights_simulate(noise, kind, shifts[i], KERNELS, NIGHTS,
				SETTLED, 1000 * (unsigned)kind + board, &found);
		total = found;
		if (kind == NIGHTS_NO_SHIFT)
			break;
		for (int late = 0; late < NIGHTS_TO_FIND; late++)
			printf(" %5.1f", percent(found.found[late], found.kernels));
		printf(" ");
	}
	if (kind == NIGHTS_NO_SHIFT)
		printf("%57s", "");
	printf("  %6.3f %6.3f %7.2f  %6.2f %5.2f\n",
		percent(total.false_slower, total.kernel_nights),
		percent(total.false_faster, total.kernel_nights),
		percent(total.unclear, total.kernel_nights),
		percent(total.false_nights, total.nights),
		(double)total.looks / (double)(total.nights * KERNELS));
	fflush(stdout);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Of the median configuration: deviation and correlation of consecutive samples. */
static struct noise read_noise(const struct at_recording *recording)
{
	double *deviations = calloc(recording->count + 1, sizeof(*deviations));
	double *correlations = calloc(recording->count + 1, sizeof(*correlations));
	struct noise noise = { 0 };
	size_t count = 0;

	if (!deviations || !correlations)
		exit(1);
	for (size_t i = 0; i < recording->count; i++) {
		const struct at_recorded *result = &recording->results[i];
		struct noise one;

		if (result->sample_count < SAMPLES_MIN)
			continue;
		one = noise_of(recording->samples_ns + result->sample_begin,
			result->sample_count);
		deviations[count] = one.deviation;
		correlations[count++] = one.correlation;
	}
	if (count) {
		qsort(deviations, count, sizeof(*deviations), compare);
		qsort(correlations, count, sizeof(*correlations), compare);
		noise.deviation = deviations[count / 2];
		noise.correlation = correlations[count / 2];
		noise.offset = noise.deviation / 2;
	}
	free(deviations);
	free(correlations);
	return noise;
}

static void simulate_all(const struct nights_noise *noise)
{
	for (int kind = NIGHTS_NO_SHIFT; kind <= NIGHTS_ALONE; kind++)
		simulate(noise, (enum nights_kind)kind);
}

int main(int argc, char **argv)
{
	static const struct nights_noise made[] = {
		{ "fixed clocks", { .002, .3, .001, 0, 0 }, .001, .001, .001, .05, 0, 0,
			.005 },
		{ "usual", { .005, .3, .002, .002, 0 }, .004, .003, .003, .1, .03, .2,
			.01 },
		{ "noisy", { .012, .3, .006, .005, 0 }, .008, .006, .005, .2, .05, .2,
			.02 },
		{ "very noisy", { .02, .5, .01, .01, 0 }, .015, .01, .01, .2, .1, .3,
			.03 },
	};

	printf("%-20s %-7s %18s %18s %18s  %20s  %6s\n", "", "", "2 % found, %",
		"5 % found, %", "10 % found, %", "told wrongly, %", "nights");
	printf("%-20s %-7s", "noise", "shift");
	for (size_t i = 0; i < sizeof(shifts) / sizeof(shifts[0]); i++)
		printf(" %5s %5s %5s ", "then", "+1", "+2");
	printf("  %6s %6s %7s  %6s %5s\n", "slower", "faster", "unclear", "false",
		"looks");
	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++)
		simulate_all(&made[i]);
	for (int i = 1; i < argc; i++) {
		struct nights_noise noise = made[1];
		struct at_recording *recording;
		struct at_error err = { 0 };

		if (at_recording_read(argv[i], &recording, &err)) {
			fprintf(stderr, "%s\n", err.text);
			return 1;
		}
		noise.name = recording->name;
		noise.finals = read_noise(recording);
		simulate_all(&noise);
		at_recording_free(recording);
	}
	return 0;
}
