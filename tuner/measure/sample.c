/* Times a candidate: warm-up, samples until the interval is narrow, racing. */
#include "measure/sample.h"

#include "measure/buffers.h"
#include "measure/trip.h"
#include "measure/statistics.h"
#include "base/clock.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Sampling stops when half the interval is this part of the median. The finals measure
   everything within ten times that of the best again. */
#define NARROW 0.005
/* A configuration that is significantly slower than the incumbent by this factor needs
   no narrower interval: half a percent does not decide whether it reaches the finals,
   whose ties are far closer. */
#define BEATEN 1.02
/* A configuration whose best sample is above the incumbent by this factor is
   dropped, */
#define PRUNED 1.2
/* after two samples: a single sample may have been disturbed. */
#define SAMPLES_BEFORE_RACING 2
/* Samples that agree within this part were probably not disturbed; if all were
   disturbed alike, audits would show it. On a device with its own processors they allow
   the next, smaller factor: nothing 5 % slower reaches the finals. On other devices a
   neighbour may disturb all samples. */
#define ALIKE 0.005
#define PRUNED_ALIKE 1.08
/* The factor for the very first launch, in the verification: larger, since that
   measurement is coarser. It applies only if the clocks were up. */
#define PRUNED_AT_ONCE 1.3
/* The extra time of a kernel's first launch. With a cold cache every launch loads its
   code as the first one does. With a warm cache only the first launch reads its data
   from memory. That costs a factor, a larger one for kernels under a millisecond: these
   fit a cache. */
#define FIRST_LAUNCH_NS 100000.0
#define PRUNED_NOT_WARM 1.5
#define FIRST_LAUNCH_NOT_WARM_NS 2000000.0
/* One launch of this length can call a kernel hopeless; shorter ones need two. */
#define TELLING_NS 1000000.0
/* A sample lasts at least this many ticks of the clock: an error of 2.5 % of a sample,
   and far less of their median, */
#define RESOLUTIONS 40
/* and at least this long: recording a pair of events takes more than a microsecond on a
   GPU, however fine its clock. */
#define SAMPLE_NS 20000.0
#define LAUNCHES_MAX 64
/* The lowest rate in bytes a second at which a cache is filled: by a GPU, and by a CPU
   that others share. */
#define WARM_RATE 1e12
#define WARM_RATE_SHARED 5e9
/* Filling the cache shows if it takes more than this part of a launch. */
#define WARM_SHOWS 0.002
/* The most launches of a sample that times each launch alone, and the wall time that
   they may take. */
#define ALONE_MAX 8
#define ALONE_NS 1000000.0
/* The warm-up of an idle GPU: the clock is first read after WARM_UP_NS, and a GPU takes
   at most WARM_UP_IDLE_NS to raise its clocks. */
#define WARM_UP_NS 3000000u
#define WARM_UP_IDLE_NS 300000000u
/* If the clock is unknown, a GPU is warm when no launch was faster by more than this
   for this long. Clocks rise within some tens of milliseconds. */
#define WARM_UP_BLIND_NS 30000000u
#define FASTER 0.99
/* Reading the clock takes about a millisecond, in which the GPU idles: no more often
   than this. */
#define WARM_UP_ASK_NS 20000000u
/* A GPU that reports the same low clock this many times in a row at the end of its
   warm-up is locked or capped. Later warm-ups need not wait for a higher clock. */
#define WARM_UP_ASKS_ALIKE 3

double sample_limit_ns(const struct at_measure_context *self, double incumbent_ns)
{
	/* no limit if threads are shuffled: that order is not the timed order */
	if (!(incumbent_ns > 0) || self->device->ops->shuffle_threads ||
		bench_is_idle(self))
		return 0;
	return self->setup->cache == AT_CACHE_COLD
		       ? PRUNED_AT_ONCE * incumbent_ns + FIRST_LAUNCH_NS
		       : PRUNED_NOT_WARM * incumbent_ns + FIRST_LAUNCH_NOT_WARM_NS;
}

enum at_outcome sample_once(struct at_measure_context *self,
	struct candidate *candidate, unsigned launches, double *time_ns,
	struct at_error *err)
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
		outcome = candidate_time(self, candidate, &candidate->before[set], set,
			!alone, launches / parts, &part_ns, err);
		candidate->last_set = (set + launches / parts - 1) % self->set_count;
		candidate->next_set = (candidate->last_set + 1) % self->set_count;
		duration_ns += part_ns;
	}
	self->part_wall_ns = (double)(at_clock_now_ns() - start_ns) / parts;
	bench_stayed_busy(self, start_ns);
	*time_ns = duration_ns / launches;
	/* a time of 0 would win */
	if (outcome == AT_OUTCOME_OK && !(duration_ns > 0)) {
		at_fail(err, AT_EDEVICE, NULL, 0,
			"by the clock of %s the kernel took no time at all",
			self->device->info.id);
		outcome = AT_OUTCOME_UNSTABLE;
	}
	return outcome;
}

/* The number of launches that makes a sample long enough for the clock. Launches that
   must be timed alone, after calls of their own, are repeated to average out the
   clock's resolution, unless that takes too long. */
unsigned sample_launches(const struct at_measure_context *self,
	const struct candidate *candidate, double time_ns)
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

bool sample_needs_warm_cache(const struct at_measure_context *self,
	const struct candidate *candidate, double time_ns)
{
	double rate = self->device->ops->worked_ns ? WARM_RATE_SHARED : WARM_RATE;
	double bytes = 0;

	/* with one set, an untimed launch would leave the result that the timed one
	   must compute */
	if (candidate_is_alone(self, candidate) || self->set_count < 2)
		return false;
	for (uint32_t i = 0; i < self->setup->argument_count; i++)
		bytes += (double)self->buffers[i].bytes;
	return WARM_SHOWS * time_ns < bytes / rate * 1e9;
}

enum at_outcome sample_warm_cache(struct at_measure_context *self,
	struct candidate *candidate, struct at_error *err)
{
	const struct call_list nothing = { 0 };
	uint64_t start_ns = at_clock_now_ns();
	enum at_outcome outcome;
	double time_ns;

	self->is_unwatched = true;
	/* starts with the next set, so that the last set is not the one with which the
	   sample starts: the sample must not find its own results */
	outcome = candidate_time(self, candidate, &nothing, candidate->next_set, true,
		self->set_count, &time_ns, err);
	bench_stayed_busy(self, start_ns);
	return outcome;
}

/* A busy GPU needs one launch, which loads the code and shows how many launches make a
   sample. It needs a second launch if the first looks hopeless but is too short to
   decide. An idle GPU is kept busy until its clocks are up. */
enum at_outcome sample_warm_up(struct at_measure_context *self,
	struct candidate *candidate, double incumbent_ns, double *time_ns, bool *pruned,
	struct at_error *err)
{
	uint64_t start_ns = at_clock_now_ns(), ask_ns = start_ns + WARM_UP_NS, now_ns;
	bool was_idle = bench_is_idle(self);
	/* if neighbours share the processors, one launch is a coarse measure */
	const double factor = self->device->ops->worked_ns ? PRUNED_AT_ONCE : PRUNED;
	uint64_t clock_hz = 0, last_clock_hz = 0, faster_ns = start_ns;
	bool is_blind = false;
	unsigned asks_alike = 0;
	double last_ns, least_ns = INFINITY;
	enum at_outcome outcome = AT_OUTCOME_OK;

	*pruned = false;
	/* The verification emptied the cache: one uncounted launch for each set refills
	   it. The first begins from poison; later launches must find the cache as it
	   was left. If launches are timed alone, each has its own warming launch. */
	if (!candidate_is_alone(self, candidate)) {
		list_restore(self, &self->queue, (struct staging){ 0, SIDE_END },
			POISON_AGAIN, false);
		self->is_unwatched = true;
		outcome = candidate_time(self, candidate, &self->queue, 0, true,
			self->set_count, &last_ns, err);
		self->queue.count = 0;
		candidate->next_set = 0;
		bench_stayed_busy(self, start_ns);
	}
	for (unsigned count = 1; outcome == AT_OUTCOME_OK; count++) {
		bool slow, is_low;

		outcome = sample_once(self, candidate, 1, &last_ns, err);
		if (outcome != AT_OUTCOME_OK)
			break;
		if (last_ns < FASTER * least_ns)
			faster_ns = at_clock_now_ns();
		if (last_ns < least_ns)
			least_ns = last_ns;
		if (!was_idle) {
			slow = incumbent_ns > 0 && least_ns > factor * incumbent_ns &&
			       /* a single launch is slower than one in a row */
			       (candidate_is_alone(self, candidate) ||
				       sample_launches(self, candidate, least_ns) == 1);
			*pruned = slow && (count > 1 || least_ns >= TELLING_NS);
			if (!slow || *pruned)
				break;
			continue;
		}
		now_ns = at_clock_now_ns();
		if (now_ns < ask_ns)
			continue;
		is_low = !is_blind && at_device_clock_is_low(self->device, &clock_hz);
		/* if the clock is unknown, launch times show whether it rises */
		is_blind = !clock_hz && !self->device->ops->worked_ns;
		if (is_blind ? now_ns - faster_ns >= WARM_UP_BLIND_NS ||
					now_ns - start_ns >= WARM_UP_IDLE_NS
			     : !is_low)
			break;
		if (is_blind)
			continue;
		asks_alike = clock_hz == last_clock_hz ? asks_alike + 1 : 1;
		last_clock_hz = clock_hz;
		if (now_ns - start_ns >= WARM_UP_IDLE_NS) {
			if (asks_alike >= WARM_UP_ASKS_ALIKE)
				self->device->sustained_clock_hz = clock_hz;
			break;
		}
		ask_ns = at_clock_now_ns() + WARM_UP_ASK_NS;
	}
	*time_ns = least_ns;
	/* the clocks stay up until the GPU idles again */
	if (outcome == AT_OUTCOME_OK)
		self->shared->last_busy_ns = at_clock_now_ns();
	return outcome;
}

/* Whether sampling can stop: the interval is narrow enough, or it lies above the
   incumbent (0: none). */
static bool is_telling(const double *sorted, uint32_t count, double incumbent_ns)
{
	struct at_interval interval;

	/* the interval of one sample has no width and no meaning */
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
	/* fewer samples have no 95 % interval */
	if (result->sample_count < AT_SAMPLES_TELLING)
		interval.low = interval.high = NAN;
	result->low_ns = interval.low;
	result->high_ns = interval.high;
}

/* Whether the samples so far show that the configuration will not reach the finals. */
static bool is_pruned(const struct at_measure_context *self, const double *sorted,
	uint32_t count, double incumbent_ns)
{
	if (!(incumbent_ns > 0) || count < SAMPLES_BEFORE_RACING)
		return false;
	return sorted[0] > PRUNED * incumbent_ns ||
	       (!self->device->ops->worked_ns &&
		       sorted[0] > PRUNED_ALIKE * incumbent_ns &&
		       sorted[count - 1] <= (1 + ALIKE) * sorted[0]);
}

enum at_outcome sample_candidate(struct at_measure_context *self,
	struct candidate *candidate, const struct at_measure_request *request,
	struct at_measure_result *result, struct at_error *err)
{
	struct at_device_state state = { 0 };
	enum at_outcome outcome;
	bool pruned = false, by_launch; /* by_launch: a single launch decided it */
	/* the samples in ascending order; each is inserted when taken */
	double *sorted = at_calloc(request->samples_max + 1, sizeof(*sorted));
	double estimate_ns = 0;
	uint64_t start_ns;

	outcome = sample_warm_up(
		self, candidate, request->incumbent_ns, &estimate_ns, &pruned, err);
	result->raced = pruned && !request->audit;
	result->was_pruned |= pruned && request->audit;
	by_launch = result->was_pruned;
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
		if (is_pruned(self, sorted, count, request->incumbent_ns)) {
			/* the audit of a single launch is decided now */
			result->raced =
				!request->audit ||
				(by_launch &&
					sorted[0] > PRUNED * request->incumbent_ns);
			result->was_pruned = request->audit;
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
		/* reading the state takes a millisecond in which the GPU idles: not
		   worth it for a raced time, which is not compared with others */
		if (!result->raced)
			self->device->ops->state(self->device, &state);
		result->clock_hz = state.clock_hz;
		result->throttled = state.throttled;
	}
	free(sorted);
	return outcome;
}
