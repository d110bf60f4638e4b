/* Measures the energy of launches in windows of the GPU's counter (energy.h). */
#include "measure/energy.h"

#include "base/clock.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The GPU idles while the counter is read, after each run of launches: an H200 takes 3
   to 6 ms for a reading, and its counter moves every 100 ms. So runs are many times as
   long as a reading, and short only while waiting for a step of the counter: a window's
   end is off by part of a short run. */
#define LONG_NS 50e6
#define SHORT_NS 2e6
#define LONG_READINGS 50
#define SHORT_READINGS 4
#define READINGS 3 /* the fastest counts */
#define LAUNCHES_MOST 131072u

/* Launches run this long before each window: clocks and sensor follow a kernel's power
   within a fraction of a second. */
#define LEAD_NS UINT64_C(500000000)
#define GAP_MOST_NS UINT64_C(5000000)

/* A counter that does not move for this long stands still. */
#define STILL_NS UINT64_C(2000000000)

#define IDLE_NS UINT64_C(2000000000)

/* Leakage grows with temperature. The GPU is warm when the temperature drifts no more
   than a degree in a span; this takes minutes at most. Later blocks find the GPU warm
   and only reheat what the timed rounds have cooled. */
#define SPAN_NS UINT64_C(10000000000)
#define SPAN_LATER_NS UINT64_C(2000000000)
#define SPANS_MOST 12
#define DRIFT_CELSIUS 1.0

double at_measure_energy_seconds(const struct at_measure_finals *how, size_t count)
{
	/* each candidate may need two windows, and each window waits for two steps */
	const double window = how->energy_seconds + 2 * how->launch_seconds +
			      (double)(LEAD_NS + GAP_MOST_NS + 2 * STILL_NS) * 1e-9;

	if (!(how->energy_seconds > 0))
		return 0;
	return how->blocks * (2 * (double)count * window +
				     SPANS_MOST * (double)SPAN_LATER_NS * 1e-9) +
	       (double)(SPANS_MOST * SPAN_NS + IDLE_NS + 2 * STILL_NS) * 1e-9;
}

/* Launches with the calls before each, or those calls alone, as one list. */
struct load {
	struct at_invocation *calls;
	size_t *ends; /* index in calls after each launch */
	unsigned launches; /* in a long run */
	unsigned part; /* in a short run */
};

static void load_release(struct load *self)
{
	free(self->calls);
	free(self->ends);
}

/* The number of data sets; a problem without buffers has one. */
static unsigned sets_of(const struct at_measure_context *context)
{
	return context->set_count ? context->set_count : 1;
}

static void load_init(struct load *self, const struct at_measure_context *context,
	const struct candidate *candidate, bool is_before, unsigned launches)
{
	size_t count = 0, room = candidate->length;

	for (unsigned set = 0; set < sets_of(context); set++)
		room += candidate->before[set].count;
	*self = (struct load){
		.calls = at_calloc(room * launches, sizeof(*self->calls)),
		.ends = at_calloc(launches, sizeof(*self->ends)),
		.launches = launches,
		.part = 1,
	};
	for (unsigned i = 0; i < launches; i++) {
		unsigned set = i % sets_of(context);
		const struct call_list *before = &candidate->before[set];

		for (size_t k = 0; k < before->count; k++)
			self->calls[count++] = before->calls[k];
		for (size_t k = 0; k < candidate->length && !is_before; k++)
			self->calls[count++] =
				candidate->timed[set * candidate->length + k];
		self->ends[i] = count;
	}
}

static enum at_outcome refuse(
	const struct energy *self, const char *why, struct at_error *err)
{
	at_fail(err, AT_EUNAVAILABLE, NULL, 0, "the energy of launches on %s: %s",
		self->context->device->info.id, why);
	return AT_OUTCOME_NOT_APPLICABLE;
}

static enum at_outcome read_counter(
	const struct energy *self, struct at_energy *out, struct at_error *err)
{
	struct at_device *device = self->context->device;
	struct at_error reason = { 0 };

	if (!device->ops->energy)
		return refuse(self, "the device counts no energy", err);
	if (device->ops->energy(device, out, &reason))
		return refuse(self, reason.text, err);
	return AT_OUTCOME_OK;
}

/* Runs this many launches, then reads the counter. load NULL: the GPU idles. */
static enum at_outcome run_load(const struct energy *self, const struct load *load,
	unsigned launches, struct at_energy *now, struct at_error *err)
{
	struct at_device *device = self->context->device;
	enum at_outcome outcome = AT_OUTCOME_OK;

	if (load)
		outcome = device->ops->run(
			device, load->calls, load->ends[launches - 1], err);
	return outcome == AT_OUTCOME_OK ? read_counter(self, now, err) : outcome;
}

/* Repeats runs until `until_ns` by the counter's clock; *now: the last reading. */
static enum at_outcome run_until(const struct energy *self, const struct load *load,
	uint64_t until_ns, struct at_energy *now, uint64_t *launches,
	struct at_error *err)
{
	enum at_outcome outcome = AT_OUTCOME_OK;

	while (outcome == AT_OUTCOME_OK && now->read_ns < until_ns) {
		outcome = run_load(self, load, load ? load->launches : 0, now, err);
		*launches += load ? load->launches : 0;
	}
	return outcome;
}

/* Repeats short runs until the counter moves. *now: the reading after the step. */
static enum at_outcome wait_for_step(const struct energy *self, const struct load *load,
	struct at_energy *now, uint64_t *launches, struct at_error *err)
{
	const struct at_energy begun = *now;
	enum at_outcome outcome;

	do {
		outcome = run_load(self, load, load ? load->part : 0, now, err);
		if (outcome != AT_OUTCOME_OK)
			return outcome;
		*launches += load ? load->part : 0;
		if (now->millijoules != begun.millijoules)
			return AT_OUTCOME_OK;
	} while (now->read_ns - begun.read_ns < STILL_NS);
	return refuse(self, "the counter stands still", err);
}

static void note_temperature(
	struct at_device *device, struct at_measure_conditions *out)
{
	const double celsius = device->ops->celsius(device);

	if (celsius > 0 && (!(out->least_celsius > 0) || celsius < out->least_celsius))
		out->least_celsius = celsius;
	out->most_celsius = fmax(out->most_celsius, celsius);
}

/* Measures a window from step to step. load NULL: *joules is the idle GPU's power in
   watts; else the energy of one of its launches. */
static enum at_outcome hold_window(const struct energy *self, const struct load *load,
	uint64_t least_ns, double *joules, struct at_error *err)
{
	struct at_energy first, last;
	uint64_t launches = 0;
	enum at_outcome outcome = read_counter(self, &first, err);

	if (outcome == AT_OUTCOME_OK)
		outcome = wait_for_step(self, load, &first, &launches, err);
	launches = 0;
	last = first;
	if (outcome == AT_OUTCOME_OK)
		outcome = run_until(
			self, load, first.read_ns + least_ns, &last, &launches, err);
	if (outcome == AT_OUTCOME_OK)
		outcome = wait_for_step(self, load, &last, &launches, err);
	if (outcome != AT_OUTCOME_OK)
		return outcome;
	if (last.millijoules < first.millijoules)
		return refuse(self, "the counter was set back", err);
	*joules = (double)(last.millijoules - first.millijoules) * 1e-3 /
		  (load ? (double)launches
			: (double)(last.read_ns - first.read_ns) * 1e-9);
	if (load)
		note_temperature(self->context->device, self->conditions);
	return AT_OUTCOME_OK;
}

static enum at_outcome time_reading(
	const struct energy *self, double *took_ns, struct at_error *err)
{
	struct at_energy last = { 0 }, now = { 0 };
	enum at_outcome outcome = read_counter(self, &last, err);

	*took_ns = INFINITY;
	for (unsigned i = 0; i < READINGS && outcome == AT_OUTCOME_OK; i++) {
		outcome = read_counter(self, &now, err);
		*took_ns = fmin(*took_ns, (double)(now.read_ns - last.read_ns));
		last = now;
	}
	return outcome;
}

/* Makes a load for long and short runs. Release it whatever the outcome. */
static enum at_outcome prepare(const struct energy *self,
	const struct candidate *candidate, bool is_before, struct load *load,
	struct at_error *err)
{
	unsigned launches = 1;
	struct at_energy begun, now;
	double took_ns, reading_ns, long_ns, short_ns;
	enum at_outcome outcome = time_reading(self, &reading_ns, err);

	long_ns = fmax(LONG_NS, LONG_READINGS * reading_ns);
	short_ns = fmax(SHORT_NS, SHORT_READINGS * reading_ns);
	while (outcome == AT_OUTCOME_OK) {
		load_init(load, self->context, candidate, is_before, launches);
		outcome = read_counter(self, &begun, err);
		if (outcome == AT_OUTCOME_OK)
			outcome = run_load(self, load, launches, &now, err);
		if (outcome != AT_OUTCOME_OK)
			return outcome;
		took_ns = fmax(1, (double)(now.read_ns - begun.read_ns));
		if (took_ns >= long_ns / 2 || launches == LAUNCHES_MOST) {
			load->part = (unsigned)fmin(
				launches, fmax(1, short_ns / took_ns * launches));
			break;
		}
		/* the first run is slower than the others */
		launches = (unsigned)fmin(
			LAUNCHES_MOST, fmax(2, fmin(16, long_ns / took_ns)) * launches);
		load_release(load);
	}
	return outcome;
}

/* The energy of one launch of a load, or of the calls before it. */
static enum at_outcome measure_load(struct energy *self, struct candidate *candidate,
	bool is_before, double *joules, struct at_error *err)
{
	const uint64_t gap_ns = at_random_below(self->random, GAP_MOST_NS);
	uint64_t launches = 0;
	struct load load = { 0 };
	struct at_energy now;
	enum at_outcome outcome = prepare(self, candidate, is_before, &load, err);

	if (outcome == AT_OUTCOME_OK)
		outcome = read_counter(self, &now, err);
	if (outcome == AT_OUTCOME_OK)
		outcome = run_until(
			self, &load, now.read_ns + LEAD_NS, &now, &launches, err);
	if (outcome == AT_OUTCOME_OK)
		outcome = run_until(
			self, NULL, now.read_ns + gap_ns, &now, &launches, err);
	if (outcome == AT_OUTCOME_OK)
		outcome = hold_window(
			self, &load, (uint64_t)(self->seconds * 1e9), joules, err);
	/* the last run is a short one */
	candidate->last_set = (load.part - 1) % sets_of(self->context);
	candidate->next_set = (candidate->last_set + 1) % sets_of(self->context);
	load_release(&load);
	return outcome;
}

static enum at_outcome warm_up(struct energy *self, const struct candidate *candidate,
	uint64_t span_ns, struct at_error *err)
{
	struct load load = { 0 };
	struct at_energy begun = { 0 }, now, since;
	struct at_device *device = self->context->device;
	double least = INFINITY, most = -INFINITY, celsius;
	enum at_outcome outcome = prepare(self, candidate, false, &load, err);

	if (outcome == AT_OUTCOME_OK)
		outcome = read_counter(self, &begun, err);
	since = now = begun;
	while (outcome == AT_OUTCOME_OK && now.read_ns - since.read_ns < span_ns &&
		now.read_ns - begun.read_ns < SPANS_MOST * span_ns) {
		outcome = run_load(self, &load, load.launches, &now, err);
		celsius = device->ops->celsius(device);
		least = fmin(least, celsius);
		most = fmax(most, celsius);
		if (most - least <= DRIFT_CELSIUS)
			continue;
		since = now;
		least = most = celsius;
	}
	load_release(&load);
	return outcome;
}

enum at_outcome energy_end(struct energy *self, struct at_error *err)
{
	struct at_strbuf names = { 0 }, why = { 0 };
	enum at_outcome outcome = AT_OUTCOME_OK;

	if (at_device_add_neighbours(self->context->device, &names)) {
		at_strbuf_addf(&why,
			"other processes use the board, and its counter has their energy too: %s; end them, or tune for time",
			at_strbuf_text(&names));
		outcome = refuse(self, at_strbuf_text(&why), err);
	}
	at_strbuf_release(&names);
	at_strbuf_release(&why);
	self->context->shared->last_busy_ns = at_clock_now_ns();
	return outcome;
}

enum at_outcome energy_begin(
	struct energy *self, struct candidate *candidate, struct at_error *err)
{
	enum at_outcome outcome = energy_end(self, err);

	self->knows_before = false;
	self->context->is_unwatched = true;
	if (outcome == AT_OUTCOME_OK && candidate->reloads)
		outcome = refuse(self,
			"the kernel's module has variables that cannot be restored between launches",
			err);
	if (outcome == AT_OUTCOME_OK && !self->is_warm)
		outcome = hold_window(
			self, NULL, IDLE_NS, &self->conditions->idle_watts, err);
	if (outcome == AT_OUTCOME_OK)
		outcome = warm_up(
			self, candidate, self->is_warm ? SPAN_LATER_NS : SPAN_NS, err);
	self->is_warm = true;
	return outcome;
}

/* Whether the calls before a launch are the same for all candidates of a block. */
static bool has_shared_before(
	const struct at_measure_context *context, const struct candidate *candidate)
{
	return context->setup->cache == AT_CACHE_COLD && !candidate->keeps_state &&
	       !candidate->request->prepare.symbol[0] &&
	       !at_clocks_are_set(&candidate->request->clocks);
}

enum at_outcome energy_measure(struct energy *self, struct candidate *candidate,
	double *joules, struct at_error *err)
{
	const struct at_measure_context *context = self->context;
	const bool is_shared = has_shared_before(context, candidate);
	double before_joules =
		is_shared && self->knows_before ? self->before_joules : 0;
	enum at_outcome outcome = AT_OUTCOME_OK;

	/* first, since it leaves no output of the candidate */
	if (candidate->before[0].count && !(is_shared && self->knows_before))
		outcome = measure_load(self, candidate, true, &before_joules, err);
	if (outcome != AT_OUTCOME_OK)
		return outcome;
	if (is_shared) {
		self->before_joules = before_joules;
		self->knows_before = true;
	}
	outcome = measure_load(self, candidate, false, joules, err);
	if (outcome != AT_OUTCOME_OK)
		return outcome;
	*joules -= before_joules;
	if (!(*joules > 0))
		return refuse(self,
			"a launch needs too little beside what empties the cache or restores buffers ahead of it; with cache = \"warm\" in search, and without inout arguments, only launches count",
			err);
	return AT_OUTCOME_OK;
}
