/* What a recording's rows take and give, on the recorded night or on another. */
#include "evaluator/replay/replay_source.h"

#include "measure/statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The mean times of the rows that have one; 0 where no row has. */
static void mean_seconds(
	const struct at_recording *recording, double *compile, double *measure)
{
	size_t compiled = 0, measured = 0;

	*compile = *measure = 0;
	for (size_t i = 0; i < recording->count; i++) {
		const struct at_recorded *result = &recording->results[i];

		if (!isnan(result->compile_seconds)) {
			*compile += result->compile_seconds;
			compiled++;
		}
		if (result->outcome == AT_OUTCOME_OK &&
			!isnan(result->measure_seconds)) {
			*measure += result->measure_seconds;
			measured++;
		}
	}
	if (compiled)
		*compile /= (double)compiled;
	if (measured)
		*measure /= (double)measured;
}

static size_t find_fastest(const struct at_recording *recording)
{
	size_t fastest = SIZE_MAX;

	for (size_t i = 0; i < recording->count; i++) {
		const struct at_recorded *result = &recording->results[i];

		if (result->outcome == AT_OUTCOME_OK && !result->is_raced &&
			(fastest == SIZE_MAX ||
				result->time_ns < recording->results[fastest].time_ns))
			fastest = i;
	}
	return fastest;
}

void at_replay_source_init(struct at_replay_source *self,
	const struct at_recording *recording, const struct at_replay_night *night)
{
	*self = (struct at_replay_source){
		.recording = recording,
		.night = *night,
		.fastest = find_fastest(recording),
	};
	mean_seconds(recording, &self->compile_seconds, &self->measure_seconds);
}

const struct at_recorded *at_replay_source_row(
	const struct at_replay_source *self, size_t row)
{
	return &self->recording->results[row];
}

double at_replay_compile_seconds(const struct at_replay_source *self, size_t row)
{
	double seconds = at_replay_source_row(self, row)->compile_seconds;

	return isnan(seconds) ? self->compile_seconds : seconds;
}

double at_replay_measure_seconds(const struct at_replay_source *self, size_t row)
{
	double seconds = at_replay_source_row(self, row)->measure_seconds;

	if (at_replay_source_row(self, row)->outcome != AT_OUTCOME_OK)
		return 0;
	return isnan(seconds) ? self->measure_seconds : seconds;
}

bool at_replay_is_wrong(const struct at_replay_source *self, size_t row)
{
	return self->night.is_wrong && row == self->fastest;
}

static void put_night(const struct at_replay_source *self, size_t row,
	uint64_t occasion, double *samples_ns, size_t count)
{
	at_replay_night_apply(
		&self->night, row, row == self->fastest, occasion, samples_ns, count);
}

enum at_status at_replay_result(const struct at_replay_source *self, size_t row,
	struct at_measure_result *out, struct at_error *err)
{
	const struct at_recording *recording = self->recording;
	const struct at_recorded *result = at_replay_source_row(self, row);
	struct at_interval interval;
	size_t count = result->sample_count ? result->sample_count : 1;
	double *sorted;

	out->outcome = AT_OUTCOME_OK;
	out->raced = result->is_raced;
	out->samples_ns = calloc(count, sizeof(*out->samples_ns));
	if (!out->samples_ns)
		return at_fail_memory(err);
	out->sample_count = (uint32_t)count;
	out->samples_ns[0] = result->time_ns;
	if (result->sample_count)
		memcpy(out->samples_ns, recording->samples_ns + result->sample_begin,
			count * sizeof(*out->samples_ns));
	put_night(self, row, row, out->samples_ns, count);
	sorted = calloc(count, sizeof(*sorted));
	if (!sorted)
		return at_fail_memory(err);
	/* sort a copy: the order in which samples were taken is kept */
	memcpy(sorted, out->samples_ns, count * sizeof(*sorted));
	interval = at_statistics_median(sorted, count);
	free(sorted);
	out->launches_per_sample = 1;
	/* the time that the file gives, which may be the mean of the samples, is what
	   is searched for */
	out->time_ns = result->time_ns;
	if (self->night.night)
		out->time_ns = interval.median;
	out->low_ns = fmin(interval.low, out->time_ns);
	out->high_ns = fmax(interval.high, out->time_ns);
	if (count == 1)
		out->low_ns = out->high_ns = NAN;
	out->measure_ns = (uint64_t)llround(at_replay_measure_seconds(self, row) * 1e9);
	return AT_OK;
}

enum at_status at_replay_final(const struct at_replay_source *self, size_t row,
	const struct at_measure_finals *how, struct at_random *random,
	struct at_measure_result *out, struct at_error *err)
{
	const struct at_recording *recording = self->recording;
	const struct at_recorded *result = at_replay_source_row(self, row);
	uint32_t count = how->blocks * how->rounds;
	double *sorted = calloc(count, sizeof(*sorted));
	struct at_interval interval;

	out->samples_ns = calloc(count, sizeof(*out->samples_ns));
	if (!sorted || !out->samples_ns) {
		free(sorted);
		return at_fail_memory(err);
	}
	for (uint32_t i = 0; i < count; i++)
		out->samples_ns[i] =
			result->sample_count
				? recording->samples_ns[result->sample_begin +
							at_random_below(random,
								result->sample_count)]
				: result->time_ns;
	put_night(self, row, how->seed, out->samples_ns, count);
	memcpy(sorted, out->samples_ns, count * sizeof(*sorted));
	for (uint32_t i = 0; i < how->blocks; i++)
		out->blocks_ns[i] = at_statistics_median(
			sorted + (size_t)i * how->rounds, how->rounds)
					    .median;
	free(sorted);
	interval = at_statistics_blocks(out->blocks_ns, how->blocks, 0.95);
	out->outcome = AT_OUTCOME_OK;
	out->sample_count = count;
	out->block_count = how->blocks;
	out->launches_per_sample = 1;
	out->time_ns = interval.median;
	out->low_ns = interval.low;
	out->high_ns = interval.high;
	return AT_OK;
}

enum at_status at_replay_hash(
	const struct at_recording *recording, struct at_hash *out, struct at_error *err)
{
	double *times = calloc(recording->count, sizeof(*times));
	struct at_hash hash;

	if (!times)
		return at_fail_memory(err);
	for (size_t i = 0; i < recording->count; i++)
		times[i] = recording->results[i].outcome == AT_OUTCOME_OK
				   ? recording->results[i].time_ns
				   : -(double)recording->results[i].outcome;
	*out = at_hash_bytes(recording->rows, recording->count *
						      recording->parameter_count *
						      sizeof(*recording->rows));
	hash = at_hash_bytes(times, recording->count * sizeof(*times));
	out->low ^= hash.low;
	out->high ^= hash.high;
	free(times);
	return AT_OK;
}

void at_replay_describe(
	const struct at_recording *recording, struct at_device_info *out)
{
	memset(out, 0, sizeof(*out));
	snprintf(out->kind, sizeof(out->kind), "replay");
	snprintf(out->id, sizeof(out->id), AT_REPLAY_PREFIX "%s", recording->name);
	snprintf(out->model, sizeof(out->model), "replay of %s",
		*recording->device ? recording->device : recording->name);
}
