/* How long does it take? Warm-up, samples until the interval is narrow, racing. */
#include "measure/sample.h"
#include "measure/buffers.h"
#include "measure/trip.h"
#include "measure/statistics.h"
#include "base/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* half the width of the interval over the median at which sampling stops: a quarter
   of a percent, finer than what the finals tell apart */
#define NARROW 0.0025
/*
 * What is surely slower than the incumbent by this much needs no narrower interval: it
 * will not win, and whether it is among those that the finals measure anew does not
 * hang on a quarter of a percent. Ten times what the finals call a tie.
 */
#define BEATEN 1.02
/* a configuration whose best sample is this much above the incumbent is dropped */
#define HOPELESS 1.2
/* the best of two: one alone may have met with something else on the board */
#define SAMPLES_BEFORE_RACING 2
/* and so much above it before any sample, if the clocks were up: a single launch is a
   coarser measure, and nothing is lost but the launches of one sample */
#define HOPELESS_AT_ONCE 1.5
/*
 * What the first launch of a kernel takes beyond its time: the launch and the wait for
 * it, code that comes from memory, room for local variables that the driver has to
 * make. A kernel that is hopeless by less than this costs one or two short launches
 * more, which the device times itself.
 */
#define FIRST_LAUNCH_NS 2000000.0
/* one launch of a kernel that lasts so long is enough to call it hopeless, else two */
#define TELLING_NS 1000000.0
/* one sample should last so many times what the clock can tell: an error of 2.5 % of a
   sample, and of far less of their median */
#define RESOLUTIONS 40
/* and so long in any case: a pair of events alone takes more than a microsecond on a
   GPU, however fine its clock */
#define SAMPLE_NS 20000.0
#define LAUNCHES_MAX 64
/* where each has to be timed alone, and how long all of a sample may take then */
#define ALONE_MAX 8
#define ALONE_NS 1000000.0
/* a warm-up of a board that was idle: it takes so long, at most, to raise its clocks */
#define WARM_UP_NS 3000000u
#define WARM_UP_IDLE_NS 300000000u
/* asking for the clock takes about a millisecond, in which the board rests */
#define WARM_UP_ASK_NS 20000000u

double sample_limit_ns(const struct at_bench *self, double incumbent_ns)
{
	/* a shuffled order of threads is not the one that is timed */
	if (!(incumbent_ns > 0) || self->device->ops->shuffle_threads ||
		bench_is_idle(self))
		return 0;
	return HOPELESS_AT_ONCE * incumbent_ns + FIRST_LAUNCH_NS;
}

enum at_outcome sample_once(struct at_bench *self, struct candidate *candidate,
	unsigned launches, double *time_ns, struct at_error *err)
{
	bool alone = candidate_is_alone(self, candidate);
	unsigned parts = alone ? launches : 1;
	uint64_t start_ns = at_clock_now_ns();
	enum at_outcome outcome = AT_OUTCOME_OK;
	double duration_ns = 0;

	self->is_unwatched = true;
	for (unsigned i = 0; i < parts && outcome == AT_OUTCOME_OK; i++) {
		unsigned set = candidate->next_set;
		double part_ns = 0;

		if (candidate->reloads)
			outcome = candidate_reload(self, candidate, err);
		if (outcome != AT_OUTCOME_OK)
			break;
		outcome = self->device->ops->time(self->device,
			candidate->before[set].calls, candidate->before[set].count,
			&candidate->timed[set], alone ? 1 : self->set_count,
			launches / parts, &part_ns, err);
		candidate->last_set = (set + launches / parts - 1) % self->set_count;
		candidate->next_set = (candidate->last_set + 1) % self->set_count;
		duration_ns += part_ns;
	}
	self->part_wall_ns = (double)(at_clock_now_ns() - start_ns) / parts;
	bench_stayed_busy(self, start_ns);
	*time_ns = duration_ns / launches;
	/* the fastest of all, if it were believed */
	if (outcome == AT_OUTCOME_OK && !(duration_ns > 0)) {
		at_fail(err, AT_EDEVICE, NULL, 0,
			"by the clock of %s the kernel took no time at all",
			self->device->info.id);
		outcome = AT_OUTCOME_UNSTABLE;
	}
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
	double wanted = fmax(RESOLUTIONS * self->device->resolution_ns, SAMPLE_NS) /
			(time_ns > 1 ? time_ns : 1);
	double most = LAUNCHES_MAX;

	if (candidate_is_alone(self, candidate)) {
		most = ALONE_NS / (self->part_wall_ns > 1 ? self->part_wall_ns : 1);
		if (most > ALONE_MAX)
			most = ALONE_MAX;
	}
	if (wanted < 1 || most < 2)
		return 1;
	return wanted + 1 > most ? (unsigned)most : (unsigned)wanted + 1;
}

/*
 * A board that works needs one launch, which fetches the code and tells how many make a
 * sample; a second where the first looks hopeless and is too short to be believed. One
 * that was idle is kept busy until its clocks are up.
 */
enum at_outcome sample_warm_up(struct at_bench *self, struct candidate *candidate,
	double incumbent_ns, double *time_ns, bool *hopeless, struct at_error *err)
{
	uint64_t start_ns = at_clock_now_ns(), ask_ns = start_ns + WARM_UP_NS, now_ns;
	bool was_idle = bench_is_idle(self);
	double last_ns, least_ns = INFINITY;
	enum at_outcome outcome = AT_OUTCOME_OK;

	*hopeless = false;
	/*
	 * A warm cache was emptied by the proof: launches that do not count fill it,
	 * one a set. The first also is the one that begins from poison, since those
	 * after it must find the cache as it left it. Where launches are alone, each is
	 * warmed by one of its own.
	 */
	if (!candidate_is_alone(self, candidate)) {
		list_restore(self, &self->queue, (struct staging){ 0, SIDE_END },
			POISON_AGAIN, false);
		self->is_unwatched = true;
		outcome = self->device->ops->time(self->device, self->queue.calls,
			self->queue.count, candidate->timed, self->set_count,
			self->set_count, &last_ns, err);
		self->queue.count = 0;
		candidate->next_set = 0;
		bench_stayed_busy(self, start_ns);
	}
	for (unsigned count = 1; outcome == AT_OUTCOME_OK; count++) {
		bool slow;

		outcome = sample_once(self, candidate, 1, &last_ns, err);
		if (outcome != AT_OUTCOME_OK)
			break;
		if (last_ns < least_ns)
			least_ns = last_ns;
		if (!was_idle) {
			slow = incumbent_ns > 0 &&
			       least_ns > HOPELESS_AT_ONCE * incumbent_ns &&
			       /* one launch is slower than one of many in a row */
			       (candidate_is_alone(self, candidate) ||
				       sample_launches(self, candidate, least_ns) == 1);
			*hopeless = slow && (count > 1 || least_ns >= TELLING_NS);
			if (!slow || *hopeless)
				break;
			continue;
		}
		now_ns = at_clock_now_ns();
		if (now_ns < ask_ns)
			continue;
		if (now_ns - start_ns >= WARM_UP_IDLE_NS ||
			!at_device_clock_is_low(self->device))
			break;
		ask_ns = at_clock_now_ns() + WARM_UP_ASK_NS;
	}
	*time_ns = least_ns;
	/* from here on the board is busy, as long as nobody lets it rest */
	if (outcome == AT_OUTCOME_OK)
		self->shared->last_busy_ns = at_clock_now_ns();
	return outcome;
}

/* The interval is as narrow as anybody needs it. incumbent_ns: 0 for none. */
static bool is_telling(const double *sorted, uint32_t count, double incumbent_ns)
{
	struct at_interval interval;

	/* of one sample the interval has no width, and no meaning */
	if (count < 2)
		return false;
	interval = at_statistics_median_sorted(sorted, count);
	return interval.high - interval.low <= 2 * NARROW * interval.median ||
	       (incumbent_ns > 0 && interval.low > BEATEN * incumbent_ns);
}

void sample_summarize(struct at_measure_result *result, const double *sorted)
{
	struct at_interval interval =
		at_statistics_median_sorted(sorted, result->sample_count);

	result->time_ns = interval.median;
	/* of fewer no interval holds the median in 95 of 100 cases: none is told */
	if (result->sample_count < AT_SAMPLES_TELLING)
		interval.low = interval.high = NAN;
	result->low_ns = interval.low;
	result->high_ns = interval.high;
}

enum at_outcome sample_candidate(struct at_bench *self, struct candidate *candidate,
	const struct at_measure_request *request, struct at_measure_result *result,
	struct at_error *err)
{
	struct at_device_state state = { 0 };
	enum at_outcome outcome;
	bool hopeless = false;
	/* the samples in ascending order, each put in its place as it comes */
	double *sorted = calloc(request->samples_max + 1, sizeof(*sorted));
	double estimate_ns = 0;
	uint64_t start_ns;

	if (!sorted) {
		at_fail_memory(err);
		return AT_OUTCOME_NONE;
	}
	outcome = sample_warm_up(
		self, candidate, request->incumbent_ns, &estimate_ns, &hopeless, err);
	result->raced = hopeless && !request->audit;
	result->was_hopeless |= hopeless && request->audit;
	result->launches_per_sample = 1;
	if (outcome == AT_OUTCOME_OK && result->raced)
		result->samples_ns[result->sample_count++] = sorted[0] = estimate_ns;
	else if (outcome == AT_OUTCOME_OK)
		result->launches_per_sample =
			sample_launches(self, candidate, estimate_ns);
	start_ns = at_clock_now_ns();
	while (outcome == AT_OUTCOME_OK && !result->raced &&
		result->sample_count < request->samples_max) {
		uint32_t count = result->sample_count;
		double time_ns;

		if (count >= request->samples_min &&
			((double)(at_clock_now_ns() - start_ns) * 1e-9 >=
					request->sampling_seconds ||
				is_telling(sorted, count, request->incumbent_ns)))
			break;
		if (request->incumbent_ns > 0 && count >= SAMPLES_BEFORE_RACING &&
			sorted[0] > HOPELESS * request->incumbent_ns) {
			result->raced = !request->audit;
			result->was_hopeless = request->audit;
			if (result->raced)
				break;
		}
		outcome = sample_once(
			self, candidate, result->launches_per_sample, &time_ns, err);
		if (outcome != AT_OUTCOME_OK)
			break;
		result->samples_ns[result->sample_count++] = time_ns;
		at_statistics_insert(sorted, count, time_ns);
	}
	if (outcome == AT_OUTCOME_OK) {
		sample_summarize(result, sorted);
		/* the board rests while it is asked, for a millisecond: not worth it
		   for what nobody will compare with anything */
		if (!result->raced)
			self->device->ops->state(self->device, &state);
		result->clock_hz = state.clock_hz;
		result->throttled = state.throttled;
	}
	free(sorted);
	return outcome;
}
