/*
 * How long does it take? Warm-up, samples until the interval is narrow, racing,
 * finals.
 */
#include "measure/bench.h"
#include "measure/statistics.h"
#include "base/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* half the width of the interval over the median at which sampling stops */
#define NARROW 0.0025
/* a configuration whose best sample is this much above the incumbent is dropped */
#define HOPELESS 1.2
#define SAMPLES_BEFORE_RACING 2
/* and so much above it while warming up, if the clocks were up */
#define HOPELESS_AT_ONCE 1.5
/* one launch of a kernel that lasts so long is enough for that, else two */
#define TELLING_NS 1000000.0
/* one sample should last so many times what the clock can tell */
#define RESOLUTIONS 40
#define LAUNCHES_MAX 64
/* where each has to be timed alone, and how long all of a sample may take then */
#define ALONE_MAX 8
#define ALONE_NS 1000000.0
/* a board that was idle for so long has lowered its clocks */
#define IDLE_NS 50000000u
#define WARM_UP_NS 3000000u
#define WARM_UP_IDLE_NS 300000000u
/* asking for the clock takes about a millisecond, in which the board rests */
#define WARM_UP_ASK_NS 20000000u

static bool has_inout(const struct at_bench *self)
{
	for (uint32_t i = 0; i < self->setup->argument_count; i++)
		if (self->setup->arguments[i].access == AT_ACCESS_INOUT)
			return true;
	return false;
}

/*
 * What goes before a timed launch: inout buffers as they were, the layout made
 * anew, and last, right before the kernel, everything out of the cache. Where that
 * empties the cache anyway, every launch finds poison in its outputs too, so that
 * none can live on what another one wrote.
 */
static size_t list_before(struct at_bench *self, const struct candidate *candidate,
	struct support_call *storage, struct at_invocation *calls)
{
	bool cold = self->setup->cache == AT_CACHE_COLD;
	size_t count = bench_list_restore(self, POISON_AGAIN, !cold, storage, calls);
	size_t used = count;

	if (candidate->prepare.invocation.kernel)
		calls[count++] = candidate->prepare.invocation;
	if (cold) {
		support_flush(self, &storage[used]);
		calls[count++] = storage[used].invocation;
	}
	return count;
}

/* every launch must find the cache cold, or its inputs or its layout made anew */
static bool is_alone(const struct at_bench *self, const struct candidate *candidate)
{
	return self->setup->cache == AT_CACHE_COLD || has_inout(self) ||
	       candidate->prepare.invocation.kernel;
}

enum at_outcome sample_once(struct at_bench *self, const struct candidate *candidate,
	unsigned launches, double *time_ns, struct at_error *err)
{
	size_t room = self->setup->argument_count + 2;
	struct support_call *storage = calloc(room, sizeof(*storage));
	struct at_invocation *calls = calloc(room, sizeof(*calls));
	unsigned parts = is_alone(self, candidate) ? launches : 1;
	uint64_t start_ns = at_clock_now_ns();
	enum at_outcome outcome = AT_OUTCOME_OK;
	double duration_ns = 0;

	if (!storage || !calls) {
		at_fail_memory(err);
		outcome = AT_OUTCOME_CRASHED;
		goto release;
	}
	for (unsigned i = 0; i < parts && outcome == AT_OUTCOME_OK; i++) {
		double part_ns = 0;

		outcome = self->device->ops->time(self->device, calls,
			list_before(self, candidate, storage, calls),
			&candidate->kernel.invocation, launches / parts, &part_ns, err);
		duration_ns += part_ns;
	}
	self->part_wall_ns = (double)(at_clock_now_ns() - start_ns) / parts;
	*time_ns = duration_ns / launches;
	/* the fastest of all, if it were believed */
	if (outcome == AT_OUTCOME_OK && !(duration_ns > 0)) {
		at_fail(err, AT_EDEVICE, NULL, 0,
			"by the clock of %s the kernel took no time at all",
			self->device->info.id);
		outcome = AT_OUTCOME_UNSTABLE;
	}
	self->last_busy_ns = at_clock_now_ns();
release:
	free(calls);
	free(storage);
	return outcome;
}

/*
 * Launches of one sample: as many as it needs to be long enough to tell. Where each
 * has to be timed alone, with all that goes before it, some of them still average
 * out what the clock cannot tell, unless that takes too long.
 */
unsigned sample_launches(
	const struct at_bench *self, const struct candidate *candidate, double time_ns)
{
	double wanted =
		RESOLUTIONS * self->device->resolution_ns / (time_ns > 1 ? time_ns : 1);
	double most = LAUNCHES_MAX;

	if (is_alone(self, candidate)) {
		most = ALONE_NS / (self->part_wall_ns > 1 ? self->part_wall_ns : 1);
		if (most > ALONE_MAX)
			most = ALONE_MAX;
	}
	if (wanted < 1 || most < 2)
		return 1;
	return wanted + 1 > most ? (unsigned)most : (unsigned)wanted + 1;
}

/* after `count` launches of which the fastest took least_ns */
static bool is_hopeless(const struct at_bench *self, const struct candidate *candidate,
	double incumbent_ns, double least_ns, unsigned count)
{
	return incumbent_ns > 0 && least_ns > HOPELESS_AT_ONCE * incumbent_ns &&
	       count >= (least_ns < TELLING_NS ? 2 : 1) &&
	       /* one launch is slower than one of many in a row */
	       (is_alone(self, candidate) ||
		       sample_launches(self, candidate, least_ns) == 1);
}

enum at_outcome sample_warm_up(struct at_bench *self, const struct candidate *candidate,
	double incumbent_ns, double *time_ns, bool *hopeless, struct at_error *err)
{
	uint64_t start_ns = at_clock_now_ns(), ask_ns = start_ns + WARM_UP_NS, now_ns;
	bool was_idle = start_ns - self->last_busy_ns > IDLE_NS;
	double least_ns = INFINITY;
	unsigned count = 0;
	enum at_outcome outcome = AT_OUTCOME_OK;

	*hopeless = false;
	/* verification has emptied the cache: not a launch that counts */
	if (self->setup->cache != AT_CACHE_COLD)
		outcome = sample_once(self, candidate, 1, time_ns, err);
	while (outcome == AT_OUTCOME_OK) {
		outcome = sample_once(self, candidate, 1, time_ns, err);
		if (outcome != AT_OUTCOME_OK)
			break;
		count++;
		if (*time_ns < least_ns)
			least_ns = *time_ns;
		*hopeless = !was_idle &&
			    is_hopeless(self, candidate, incumbent_ns, least_ns, count);
		if (*hopeless) {
			*time_ns = least_ns;
			break;
		}
		now_ns = at_clock_now_ns();
		if (now_ns < ask_ns)
			continue;
		if (!was_idle || now_ns - start_ns >= WARM_UP_IDLE_NS ||
			!at_device_clock_is_low(self->device))
			break;
		ask_ns = at_clock_now_ns() + WARM_UP_ASK_NS;
	}
	return outcome;
}

static bool narrow_enough(const double *samples_ns, uint32_t count, double *sorted)
{
	struct at_interval interval;

	memcpy(sorted, samples_ns, count * sizeof(*sorted));
	interval = at_statistics_median(sorted, count);
	return interval.high - interval.low <= 2 * NARROW * interval.median;
}

static double smallest(const double *values, uint32_t count)
{
	double least = values[0];

	for (uint32_t i = 1; i < count; i++)
		if (values[i] < least)
			least = values[i];
	return least;
}

static enum at_outcome take_samples(struct at_bench *self,
	const struct candidate *candidate, const struct at_measure_request *request,
	struct at_measure_result *result, double *sorted, struct at_error *err)
{
	uint64_t start_ns = at_clock_now_ns();
	enum at_outcome outcome = AT_OUTCOME_OK;

	while (result->sample_count < request->samples_max) {
		uint32_t count = result->sample_count;
		double elapsed_seconds = (double)(at_clock_now_ns() - start_ns) * 1e-9;

		if (count >= request->samples_min &&
			(elapsed_seconds >= request->sampling_seconds ||
				narrow_enough(result->samples_ns, count, sorted)))
			break;
		if (request->incumbent_ns > 0 && count >= SAMPLES_BEFORE_RACING &&
			smallest(result->samples_ns, count) >
				HOPELESS * request->incumbent_ns) {
			result->raced = true;
			break;
		}
		outcome = sample_once(self, candidate, result->launches_per_sample,
			&result->samples_ns[count], err);
		if (outcome != AT_OUTCOME_OK)
			break;
		result->sample_count++;
	}
	return outcome;
}

enum at_outcome sample_candidate(struct at_bench *self,
	const struct candidate *candidate, const struct at_measure_request *request,
	struct at_measure_result *result, struct at_error *err)
{
	struct at_device_state state = { 0 };
	struct at_interval interval;
	enum at_outcome outcome;
	double *sorted = calloc(request->samples_max + 1, sizeof(*sorted));
	double estimate_ns = 0;
	bool hopeless = false;

	result->samples_ns =
		calloc(request->samples_max + 1, sizeof(*result->samples_ns));
	if (!sorted || !result->samples_ns) {
		at_fail_memory(err);
		outcome = AT_OUTCOME_CRASHED;
		goto release;
	}
	outcome = sample_warm_up(
		self, candidate, request->incumbent_ns, &estimate_ns, &hopeless, err);
	if (outcome != AT_OUTCOME_OK)
		goto release;
	result->launches_per_sample = 1;
	if (hopeless) {
		result->samples_ns[result->sample_count++] = estimate_ns;
		result->raced = true;
	} else {
		result->launches_per_sample =
			sample_launches(self, candidate, estimate_ns);
		outcome = take_samples(self, candidate, request, result, sorted, err);
	}
	if (outcome != AT_OUTCOME_OK)
		goto release;
	self->device->ops->state(self->device, &state);
	result->clock_hz = state.clock_hz;
	result->throttled = state.throttled;
	memcpy(sorted, result->samples_ns, result->sample_count * sizeof(*sorted));
	interval = at_statistics_median(sorted, result->sample_count);
	result->time_ns = interval.median;
	result->low_ns = interval.low;
	result->high_ns = interval.high;
release:
	free(sorted);
	return outcome;
}
