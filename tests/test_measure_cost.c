/*
 * The cost of an evaluation in trips, launches and memory. The processor stands in for
 * a GPU: it does not shuffle threads, kernels take the time that a test says, and the
 * clock advances only by that. The device's functions are wrapped to count their calls.
 */
#include "folder.h"
#include "measure_fixture.h"
#include "measure/place.h"
#include "measure/trip.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRIP_NS 20000u
#define MS 1e6
#define US 1e3

/* ---- clock and threads of this side ---------------------------------------------- */

uint64_t __real_at_clock_now_ns(void);
uint64_t __wrap_at_clock_now_ns(void);

/* what measuring sees; the device's own threads and the inside of its calls see the
   real clock, without which they would wait for each other forever */
static uint64_t clock_ns = 1000000000u;
static _Thread_local bool is_measuring;
static bool is_late; /* the host is: it is not known how long a first launch took */

uint64_t __wrap_at_clock_now_ns(void)
{
	return is_measuring ? clock_ns : __real_at_clock_now_ns();
}

/* ---- what the device is asked -------------------------------------------------- */

struct counts {
	unsigned trips; /* all that wait for the device */
	unsigned tuned; /* launches of the kernel that is tuned */
	unsigned allocations;
	unsigned loads;
	unsigned states;
};

static const struct at_device_ops *host_ops;
static struct at_device_ops ops; /* the device's, which count */
static struct counts counts;
static double kernel_ns; /* what the tuned kernel takes */
static double first_ns; /* and beyond that with run() */
static double other_ns; /* what others take by the device's clock; 0: as long */
/* so long after memory was released everything takes an eighth more */
static double settling_ns;
static uint64_t released_ns;
static double noise_ns; /* on top of that, by the device's clock, every other time */
/* what timed launches take one after the other, from the first on again; NULL: as above
 */
static const double *script_ns;
static unsigned script_count, script_asked;
/* The tuned kernel counts its timed launches since somebody looked at memory, and works
   from this one on. 0, 1: from the first. */
static unsigned works_from, launched_unseen;
static const char *tuned_symbol;
static struct at_kernel *tuned_kernel;
/* what is allocated: the device holds no more than the limit (0: as much as it does) */
static struct {
	struct at_memory *memory;
	uint64_t bytes;
} held[256];
static uint64_t held_bytes, limit_bytes;

/* the questions for its state to which it says that it was held back; 0: to none */
static unsigned throttled_from, throttled_to;

/* the clock that it says to have at first, and by how much it has grown at each further
   question; 0: it does not say */
static uint64_t told_clock_hz, clock_step_hz;

static bool is_throttled(unsigned question)
{
	return throttled_from && question >= throttled_from && question <= throttled_to;
}

static void trip(void)
{
	counts.trips++;
	clock_ns += TRIP_NS;
}

static void launched(
	const struct at_invocation *call, unsigned launches, double more_ns)
{
	if (call->kernel != tuned_kernel)
		return;
	counts.tuned += launches;
	clock_ns += (uint64_t)(launches * kernel_ns + more_ns);
}

static enum at_outcome counted_run(struct at_device *self,
	const struct at_invocation *calls, size_t count, struct at_error *err)
{
	enum at_outcome outcome;

	trip();
	for (size_t i = 0; i < count; i++)
		launched(&calls[i], 1, first_ns);
	is_measuring = false;
	outcome = host_ops->run(self, calls, count, err);
	is_measuring = true;
	return outcome;
}

static enum at_outcome counted_run_timed(struct at_device *self,
	const struct at_invocation *calls, size_t count, double *least_ns,
	struct at_error *err)
{
	*least_ns = is_late ? 0 : kernel_ns + first_ns;
	return counted_run(self, calls, count, err);
}

/* what the device says when it fails, and the kernel is not at fault */
static enum at_status board_fails;
static unsigned board_lasts; /* for so many timings first */

/* the last calls ahead of the last timed launches, with their first two arguments */
static struct {
	const struct at_kernel *kernel;
	uint64_t address, bytes;
} ahead[2];

static void note_ahead(const struct at_invocation *before, size_t count)
{
	memset(ahead, 0, sizeof(ahead));
	for (size_t i = 0; i < 2 && i < count; i++) {
		const struct at_invocation *call = &before[count - 1 - i];

		ahead[i].kernel = call->kernel;
		if (call->argument_count < 2)
			continue;
		memcpy(&ahead[i].address, call->arguments[0].bytes, 8);
		memcpy(&ahead[i].bytes, call->arguments[1].bytes, 8);
	}
}

static enum at_outcome counted_time(struct at_device *self,
	const struct at_invocation *before, size_t before_count,
	const struct at_invocation *timed, size_t timed_count, unsigned launches,
	double *duration_ns, struct at_error *err)
{
	enum at_outcome outcome;

	if (board_fails && !board_lasts--) {
		board_lasts = 0;
		at_fail(err, board_fails, NULL, 0, "the board failed");
		return AT_OUTCOME_CRASHED;
	}
	note_ahead(before, before_count);
	is_measuring = false;
	launched_unseen += timed->kernel == tuned_kernel ? launches : 0;
	if (timed->kernel == tuned_kernel && launched_unseen < works_from)
		outcome = host_ops->run(self, before, before_count, err);
	else
		outcome = host_ops->time(self, before, before_count, timed, timed_count,
			launches, duration_ns, err);
	is_measuring = true;
	trip();
	launched(timed, launches, 0);
	*duration_ns =
		launches *
		(other_ns > 0 && timed->kernel != tuned_kernel ? other_ns : kernel_ns);
	if (script_ns)
		*duration_ns = script_ns[script_asked++ % script_count];
	if ((double)(clock_ns - released_ns) < settling_ns)
		*duration_ns *= 1.125;
	if (counts.trips % 2)
		*duration_ns += launches * noise_ns;
	/* what the next question is answered with has been so for a while */
	if (is_throttled(counts.states + 1))
		*duration_ns *= 1.5;
	return outcome;
}

/* what a launch of the tuned kernel takes in a graph; 0: none can be made; less: it is
   made, and cannot be launched */
static double graph_ns;
static unsigned graphs;
static bool graph_skips; /* the tuned kernel does not run in it */

static enum at_outcome counted_graph(struct at_device *self,
	const struct at_invocation *calls, size_t count, double *durations_ns,
	size_t samples, struct at_error *err)
{
	double duration_ns = 5 * US; /* of the graph itself */

	graphs++;
	if (graph_ns < 0) {
		at_fail(err, AT_ENOMEM, NULL, 0, "no memory for a graph");
		return AT_OUTCOME_TOO_MANY_RESOURCES;
	}
	if (!(graph_ns > 0)) {
		at_fail(err, AT_EDEVICE, NULL, 0, "no graph");
		return AT_OUTCOME_NOT_APPLICABLE;
	}
	is_measuring = false;
	for (size_t i = 0; i < count; i++) {
		bool is_tuned = calls[i].kernel == tuned_kernel;

		duration_ns += is_tuned ? graph_ns : other_ns;
		if (!is_tuned || !graph_skips)
			assert_int_equal(
				host_ops->run(self, &calls[i], 1, err), AT_OUTCOME_OK);
	}
	is_measuring = true;
	for (size_t i = 0; i < samples; i++)
		/* one that met with something else */
		durations_ns[i] = duration_ns * (i == 2 ? 3 : 1);
	return AT_OUTCOME_OK;
}

static enum at_status counted_write(struct at_device *self, struct at_memory *memory,
	uint64_t offset_bytes, const void *data, uint64_t bytes, struct at_error *err)
{
	trip();
	return host_ops->write(self, memory, offset_bytes, data, bytes, err);
}

static enum at_status counted_read(struct at_device *self, struct at_memory *memory,
	uint64_t offset_bytes, void *data, uint64_t bytes, struct at_error *err)
{
	trip();
	launched_unseen = 0;
	return host_ops->read(self, memory, offset_bytes, data, bytes, err);
}

static enum at_outcome counted_load(struct at_device *self, const unsigned char *image,
	size_t bytes, struct at_module **out, struct at_error *err)
{
	counts.loads++;
	return host_ops->load(self, image, bytes, out, err);
}

static struct at_kernel *counted_find(
	struct at_device *self, struct at_module *module, const char *symbol)
{
	struct at_kernel *kernel = host_ops->find(self, module, symbol);

	if (tuned_symbol && strcmp(symbol, tuned_symbol) == 0)
		tuned_kernel = kernel;
	return kernel;
}

static enum at_status counted_allocate(struct at_device *self, uint64_t bytes,
	struct at_memory **out, struct at_error *err)
{
	size_t i = 0;
	enum at_status status;

	if (limit_bytes && held_bytes + bytes > limit_bytes)
		return at_fail(err, AT_ENOMEM, NULL, 0, "it is full");
	status = host_ops->allocate(self, bytes, out, err);
	if (status)
		return status;
	counts.allocations++;
	while (held[i].memory)
		assert_true(++i < COUNT(held));
	held[i].memory = *out;
	held[i].bytes = bytes;
	held_bytes += bytes;
	return AT_OK;
}

static void counted_release(struct at_device *self, struct at_memory *memory)
{
	for (size_t i = 0; i < COUNT(held); i++)
		if (held[i].memory == memory) {
			held_bytes -= held[i].bytes;
			held[i].memory = NULL;
		}
	released_ns = clock_ns;
	host_ops->release(self, memory);
}

static void counted_state(struct at_device *self, struct at_device_state *out)
{
	counts.states++;
	clock_ns += 1000000;
	host_ops->state(self, out);
	if (throttled_from)
		out->clock_hz = 2000000000 - counts.states * (uint64_t)10000000;
	if (told_clock_hz)
		out->clock_hz = told_clock_hz + (counts.states - 1) * clock_step_hz;
	out->throttled = is_throttled(counts.states);
	out->clock_reasons = AT_CLOCK_REASON_BIT(AT_CLOCK_REASON_IDLE);
	if (out->throttled)
		out->clock_reasons |= AT_CLOCK_REASON_BIT(AT_CLOCK_REASON_HEAT);
}

static int open_counted(void **unused)
{
	int failed = open_host_alone(unused);

	if (failed)
		return failed;
	host_ops = device->ops;
	ops = *host_ops;
	ops.run = counted_run;
	ops.run_timed = counted_run_timed;
	ops.time = counted_time;
	ops.write = counted_write;
	ops.read = counted_read;
	ops.load = counted_load;
	ops.find = counted_find;
	ops.allocate = counted_allocate;
	ops.release = counted_release;
	ops.state = counted_state;
	ops.time_graph = counted_graph;
	ops.shuffle_threads = NULL;
	/* it has processors of its own, as a GPU has */
	ops.worked_ns = NULL;
	/* the most that any device is asked: sums and zones for want of guards */
	ops.allocate_guarded = NULL;
	ops.variables = NULL;
	device->ops = &ops;
	/* that of the events of a GPU */
	device->resolution_ns = 500;
	is_measuring = true;
	return 0;
}

static struct at_measure_result results[2]; /* of the last finals */

static void release_results(void)
{
	for (int i = 0; i < 2; i++)
		at_measure_result_release(&results[i]);
}

static int close_counted(void **unused)
{
	release_results();
	is_measuring = false;
	return close_host(unused);
}

static int begin_test(void **unused)
{
	kernel_ns = MS;
	first_ns = noise_ns = settling_ns = 0;
	throttled_from = throttled_to = 0;
	told_clock_hz = clock_step_hz = 0;
	is_late = false;
	limit_bytes = 0;
	graph_ns = 0;
	graphs = 0;
	graph_skips = false;
	tuned_symbol = NULL;
	tuned_kernel = NULL;
	return 0;
}

#define TEST_HERE(name) TEST_WITH(name, begin_test, NULL)

static void begin_cold(struct fixture *self)
{
	begin_test(NULL);
	open_bench(self, AT_CACHE_COLD);
}

#define BEGUN_TEST(name) TEST_ON(name, struct fixture, self, begin_cold, end_bench)

/* A board that was idle was busy for as long as this takes. */
static void keep_busy(struct fixture *self)
{
	self->context->shared->last_busy_ns = clock_ns;
}

static void idle(void)
{
	clock_ns += 1000000000u;
}

static void begin_counting(const char *symbol, double ns)
{
	tuned_symbol = symbol;
	kernel_ns = ns;
	memset(&counts, 0, sizeof(counts));
}

/* A bench on a busy board, which is asked for a right kernel that takes so long. */
static void open_busy(struct fixture *self, enum at_cache_mode cache, double ns)
{
	open_bench(self, cache);
	keep_busy(self);
	ask_for(self, "right", 0);
	begin_counting("right", ns);
}

static void expect_counts(const char *what, struct counts wanted)
{
	if (memcmp(&counts, &wanted, sizeof(counts)) == 0)
		return;
	fail_msg(
		"%s: trips %u (%u), tuned launches %u (%u), allocations %u (%u), loads %u (%u), states %u (%u)",
		what, counts.trips, wanted.trips, counts.tuned, wanted.tuned,
		counts.allocations, wanted.allocations, counts.loads, wanted.loads,
		counts.states, wanted.states);
}

/* ---- what an evaluation costs -------------------------------------------------- */

/*
 * A verification: up to the kernel, the checks, and their results back; 2 trips where
 * the kernel is not raced. A warm-up of one launch, or two; three samples; the last
 * checks and their results, and where it was not raced a verification with other data.
 */
TEST_HERE(an_evaluation_takes_so_many_trips_and_launches)
{
	static const struct {
		const char *what;
		enum at_cache_mode cache;
		bool was_idle;
		double kernel_ns, incumbent_ns;
		uint32_t samples;
		bool raced;
		unsigned trips, tuned, states;
	} rows[] = {
		/* five launches a sample: 40 times what the clock can tell */
		{ "5 us, as fast as the best", AT_CACHE_COLD, false, 5 * US, 5 * US, 3,
			false, 3 + 1 + 15 + 4, 1 + 1 + 15 + 1, 1 },
		{ "200 us, as fast as the best", AT_CACHE_COLD, false, 200 * US,
			200 * US, 3, false, 3 + 1 + 3 + 4, 1 + 1 + 3 + 1, 1 },
		{ "10 ms, as fast as the best", AT_CACHE_COLD, false, 10 * MS, 10 * MS,
			3, false, 3 + 1 + 3 + 4, 1 + 1 + 3 + 1, 1 },
		{ "5 us, twice the best", AT_CACHE_COLD, false, 5 * US, 2.5 * US, 1,
			true, 3 + 2 + 2, 1 + 2, 0 },
		{ "200 us, twice the best", AT_CACHE_COLD, false, 200 * US, 100 * US, 1,
			true, 3 + 2 + 2, 1 + 2, 0 },
		{ "200 us, three times the best", AT_CACHE_COLD, false, 200 * US,
			66 * US, 1, true, 3, 1, 0 },
		{ "1.5 ms, 1.36 times the best", AT_CACHE_COLD, false, 1.5 * MS,
			1.1 * MS, 1, true, 3 + 1 + 2, 1 + 1, 0 },
		{ "10 ms, twice the best", AT_CACHE_COLD, false, 10 * MS, 5 * MS, 1,
			true, 3, 1, 0 },
		{ "a second, far behind the best", AT_CACHE_COLD, false, 1000 * MS,
			5 * US, 1, true, 3, 1, 0 },
		{ "10 ms, 1.25 times the best", AT_CACHE_COLD, false, 10 * MS, 8 * MS,
			1, true, 3 + 1 + 2, 1 + 1, 0 },
		{ "10 ms, 1.1 times the best", AT_CACHE_COLD, false, 10 * MS, 9.1 * MS,
			2, true, 3 + 1 + 2 + 2, 1 + 1 + 2, 0 },
		{ "10 ms, 1.07 times the best", AT_CACHE_COLD, false, 10 * MS,
			9.35 * MS, 3, false, 3 + 1 + 3 + 4, 1 + 1 + 3 + 1, 1 },
		/* the baseline has no rival to race with */
		{ "10 ms, the baseline", AT_CACHE_COLD, false, 10 * MS, 0, 3, false,
			2 + 1 + 3 + 4, 1 + 1 + 3 + 1, 1 },
		/* a clock that may be down says nothing about the kernel; it is asked
		   once whether it is */
		{ "10 ms, twice the best, idle", AT_CACHE_COLD, true, 10 * MS, 5 * MS,
			2, true, 2 + 1 + 2 + 2, 1 + 1 + 2, 1 },
		/* launches for 3 ms, a trip and 200 us each */
		{ "200 us, as fast as the best, idle", AT_CACHE_COLD, true, 200 * US,
			200 * US, 3, false, 2 + 14 + 3 + 4, 1 + 14 + 3 + 1, 2 },
		/* each launch has one ahead of it that fills the cache */
		{ "10 ms, as fast as the best, warm", AT_CACHE_WARM, false, 10 * MS,
			10 * MS, 3, false, 3 + 1 + 3 + 4, 1 + 1 + 3 + 1, 1 },
		{ "10 ms, twice the best, warm", AT_CACHE_WARM, false, 10 * MS, 5 * MS,
			1, true, 3, 1, 0 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		RELEASED(end_bench) struct fixture self;

		open_bench(&self, rows[i].cache);
		told_clock_hz = UINT64_C(10000000000);
		if (rows[i].was_idle)
			idle();
		else
			keep_busy(&self);
		ask_for(&self, "right", 0);
		self.request.incumbent_ns = rows[i].incumbent_ns;
		begin_counting("right", rows[i].kernel_ns);
		expect_outcome(&self, AT_OUTCOME_OK, "");
		expect_counts(rows[i].what, (struct counts){ .trips = rows[i].trips,
						    .tuned = rows[i].tuned,
						    .loads = 1,
						    .states = rows[i].states });
		if (self.result.sample_count != rows[i].samples ||
			self.result.raced != rows[i].raced)
			fail_msg("%s: %u samples", rows[i].what,
				self.result.sample_count);
		/* three samples have none of 95 % */
		assert_true(isnan(self.result.low_ns) && isnan(self.result.high_ns));
		assert_true(self.result.time_ns >= rows[i].kernel_ns);
	}
}

/* What one launch dropped, in the verification or in the warm-up, is dropped by two
   samples at last; what two samples drop is measured in full, and so is what nothing
   drops. */
TEST_HERE(an_audit_measures_what_would_be_dropped)
{
	static const struct {
		double kernel_ns, incumbent_ns;
		uint32_t samples, audited_samples;
	} rows[] = {
		{ 10 * MS, 5 * MS, 1, 2 },
		{ 200 * US, 100 * US, 1, 2 },
		{ 10 * MS, 8 * MS, 1, 2 },
		{ 10 * MS, 9.1 * MS, 2, 6 },
		{ 10 * MS, 9.9 * MS, 6, 6 },
	};
	struct fixture self;

	for (size_t i = 0; i < COUNT(rows); i++)
		for (int audit = 0; audit < 2; audit++) {
			uint32_t samples =
				audit ? rows[i].audited_samples : rows[i].samples;

			open_bench_without_inout(&self, AT_CACHE_COLD);
			keep_busy(&self);
			ask_for(&self, "right", 0);
			self.request.samples_min = 6;
			self.request.samples_max = 8;
			self.request.incumbent_ns = rows[i].incumbent_ns;
			self.request.audit = audit;
			begin_counting("right", rows[i].kernel_ns);
			expect_outcome(&self, AT_OUTCOME_OK, "");
			assert_int_equal(self.result.sample_count, samples);
			assert_int_equal(self.result.raced, samples < 6);
			assert_int_equal(
				self.result.was_pruned, audit && rows[i].samples < 6);
			end_bench(&self);
		}
}

/* a kernel that a neighbour may have disturbed gets more samples, within a fifth of the
   best; so does any kernel where all samples may be disturbed alike */
TEST_HERE(what_may_have_been_disturbed_is_not_dropped)
{
	static const struct {
		double incumbent_ns, noise_ns;
		bool has_neighbours, raced;
	} rows[] = {
		{ 9 * MS, 0, false, true },
		{ 9 * MS, 0.04 * MS, false, true },
		{ 9 * MS, 0.2 * MS, false, false },
		{ 9 * MS, 0, true, false },
		{ 7.5 * MS, 0.2 * MS, true, true },
	};
	struct fixture self;

	for (size_t i = 0; i < COUNT(rows); i++) {
		open_bench(&self, AT_CACHE_COLD);
		ops.worked_ns = rows[i].has_neighbours ? host_ops->worked_ns : NULL;
		keep_busy(&self);
		ask_for(&self, "right", 0);
		self.request.samples_min = 6;
		self.request.samples_max = 8;
		self.request.incumbent_ns = rows[i].incumbent_ns;
		begin_counting("right", 10 * MS);
		noise_ns = rows[i].noise_ns;
		expect_outcome(&self, AT_OUTCOME_OK, "");
		if (self.result.raced != rows[i].raced)
			fail_msg("row %zu: %u samples", i, self.result.sample_count);
		end_bench(&self);
	}
	ops.worked_ns = NULL;
}

/* The clock's noise keeps the interval so wide, however many samples there are: 1 % of
   the median is narrow. */
BEGUN_TEST(only_what_may_win_is_sampled_until_its_interval_is_narrow)
{
	static const struct {
		const char *what;
		double incumbent_ns, noise_ns;
		uint32_t samples;
	} rows[] = {
		{ "the baseline", 0, 0.015 * MS, 40 },
		{ "the baseline, by a good clock", 0, 0.009 * MS, 6 },
		{ "the best so far", 1.1 * MS, 0.015 * MS, 40 },
		{ "as fast as the best", MS, 0.015 * MS, 40 },
		{ "as fast, by a good clock", MS, 0.009 * MS, 6 },
		{ "a per cent behind", 0.99 * MS, 0.015 * MS, 40 },
		{ "three per cent behind", 0.97 * MS, 0.015 * MS, 6 },
		{ "a tenth behind", 0.9 * MS, 0.015 * MS, 6 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		keep_busy(self);
		ask_for(self, "right", 0);
		self->request.incumbent_ns = rows[i].incumbent_ns;
		self->request.samples_min = 6;
		self->request.samples_max = 40;
		self->request.sampling_seconds = 1e9;
		begin_counting("right", MS);
		noise_ns = rows[i].noise_ns;
		expect_outcome(self, AT_OUTCOME_OK, "");
		if (self->result.raced || self->result.sample_count != rows[i].samples)
			fail_msg("%s: %u samples", rows[i].what,
				self->result.sample_count);
		assert_true(
			self->result.low_ns >= MS && self->result.high_ns < 1.016 * MS);
	}
}

TEST_HERE(what_is_not_right_takes_few_trips)
{
	static const struct {
		const char *kernel;
		int64_t reach;
		bool verify_only;
		enum at_outcome outcome;
		unsigned trips, tuned, allocations, loads;
	} rows[] = {
		/* a verification, two values for the text, the borders and their
		   results */
		{ "wrong", 0, false, AT_OUTCOME_WRONG_RESULT, 3 + 2 + 2, 1, 0, 1 },
		/* seen after the samples, not at once */
		{ "astray", N, false, AT_OUTCOME_OUT_OF_BOUNDS, 3 + 1 + 3 + 4,
			1 + 1 + 3 + 1, 0, 1 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		RELEASED(end_bench) struct fixture self;

		open_bench(&self, AT_CACHE_COLD);
		keep_busy(&self);
		ask_for(&self, rows[i].kernel, rows[i].reach);
		self.request.verify_only = rows[i].verify_only;
		self.request.incumbent_ns = MS;
		begin_counting(rows[i].kernel, MS);
		assert_int_equal(evaluate(&self), rows[i].outcome);
		expect_counts(rows[i].kernel,
			(struct counts){ .trips = rows[i].trips,
				.tuned = rows[i].tuned,
				.allocations = rows[i].allocations,
				.loads = rows[i].loads,
				.states = rows[i].tuned == 1 + 1 + 3 + 1 });
	}
}

/* ---- racing by the verification's launch ----------------------------------- */

TEST_HERE(what_a_verification_took_at_least_is_its_time)
{
	RELEASED(end_bench) struct fixture self;

	open_busy(&self, AT_CACHE_COLD, 10 * MS);
	self.request.incumbent_ns = MS;
	first_ns = MS;
	expect_outcome(&self, AT_OUTCOME_OK, "");
	assert_true(self.result.raced);
	assert_int_equal(self.result.sample_count, 1);
	assert_int_equal(self.result.launches_per_sample, 1);
	/* nothing of the trip */
	assert_true(self.result.samples_ns[0] == 11 * MS);
	assert_true(self.result.time_ns == 11 * MS);
}

/*
 * A warm-up of an idle board waits for its highest clock, 2 GHz here, for 300 ms. One
 * that is locked below that would have each evaluation wait as long.
 */
BEGUN_TEST(a_board_that_keeps_to_a_low_clock_is_waited_for_once)
{
	static const struct {
		const char *what;
		uint64_t clock_hz, step_hz;
		uint64_t kept_hz; /* afterwards */
		bool is_long; /* the warm-up */
	} rows[] = {
		{ "its highest", 1900000000, 0, 0, false },
		{ "still rising", 200000000, 10000000, 0, true },
		{ "locked", 1200000000, 0, 1200000000, true },
		{ "locked, again", 1200000000, 0, 1200000000, false },
		{ "a little lower for heat", 1100000000, 0, 1200000000, false },
		{ "idle, and will not rise", 300000000, 0, 300000000, true },
		{ "set free", 1980000000, 0, 1980000000, false },
	};
	struct at_properties *properties = &device->info.properties;
	const struct at_properties before = *properties;

	properties->known[AT_PROPERTY_CLOCK_HZ] = true;
	properties->value[AT_PROPERTY_CLOCK_HZ] = 2000000000;
	for (size_t i = 0; i < COUNT(rows); i++) {
		uint64_t start_ns;

		idle();
		ask_for(self, "right", 0);
		begin_counting("right", MS);
		told_clock_hz = rows[i].clock_hz;
		clock_step_hz = rows[i].step_hz;
		start_ns = clock_ns;
		expect_outcome(self, AT_OUTCOME_OK, "");
		if ((clock_ns - start_ns > 300 * (uint64_t)MS) != rows[i].is_long ||
			device->sustained_clock_hz != rows[i].kept_hz)
			fail_msg("%s: %.0f ms, keeps to %.0f MHz", rows[i].what,
				(double)(clock_ns - start_ns) / MS,
				(double)device->sustained_clock_hz / MS);
	}
	*properties = before;
	device->sustained_clock_hz = 0;
}

/* A board that does not tell its clock: 60 launches of a millisecond, each 2 % faster
   than the one before it, while the clock rises. */
TEST_HERE(a_board_that_does_not_tell_its_clock_is_warm_when_it_is_fast)
{
	double times_ns[1000];
	RELEASED(end_bench) struct fixture self;
	uint64_t start_ns;

	times_ns[0] = 4 * MS;
	for (size_t i = 1; i < COUNT(times_ns); i++)
		times_ns[i] = times_ns[i - 1] * (i < 60 ? .98 : 1);
	open_bench(&self, AT_CACHE_COLD);
	for (int is_up = 0; is_up < 2; is_up++) {
		idle();
		ask_for(&self, "right", 0);
		begin_counting("right", MS);
		script_ns = is_up ? &times_ns[60] : times_ns;
		script_count = is_up ? 900 : COUNT(times_ns);
		script_asked = 0;
		start_ns = clock_ns;
		expect_outcome(&self, AT_OUTCOME_OK, "");
		assert_true(self.result.time_ns == times_ns[60]);
		/* one question, which has no answer, and one for the samples */
		assert_int_equal(counts.states, 2);
		if (is_up)
			assert_in_range(clock_ns - start_ns, 30 * MS, 60 * MS);
	}
	script_ns = NULL;
}

/* 1.3 times the incumbent, and a tenth of a millisecond that is the first one's own;
   with a warm cache 1.5 times, and two milliseconds */
TEST_HERE(a_first_launch_may_take_longer_than_the_kernel)
{
	static const double more_ns[] = {
		[AT_CACHE_COLD] = 0.4 * MS, [AT_CACHE_WARM] = 2.5 * MS
	};

	for (size_t i = 0; i < 2 * COUNT(more_ns); i++) {
		bool is_more = i % 2;
		RELEASED(end_bench) struct fixture self;

		open_busy(&self, (enum at_cache_mode)(i / 2), MS);
		self.request.incumbent_ns = MS;
		first_ns = more_ns[i / 2] + (is_more ? 1 : 0);
		expect_outcome(&self, AT_OUTCOME_OK, "");
		assert_int_equal(self.result.raced, is_more);
		assert_true(is_more || self.result.time_ns == MS);
	}
}

/* the host was late to queue it, as others had our core */
BEGUN_TEST(a_launch_of_unknown_time_is_timed_again)
{
	is_late = true;
	for (int i = 0; i < 2; i++) {
		keep_busy(self);
		ask_for(self, "right", 0);
		self->request.incumbent_ns = MS;
		begin_counting("right", i ? 10 * MS : MS);
		first_ns = i ? 0 : 20 * MS;
		expect_outcome(self, AT_OUTCOME_OK, "");
		assert_int_equal(self->result.raced, i);
		assert_true(self->result.time_ns == kernel_ns);
	}
}

/* what writes astray is told so, however slow it is */
BEGUN_TEST(what_is_dropped_at_once_has_its_borders_watched)
{
	keep_busy(self);
	ask_for(self, "changes_input", 0);
	self->request.incumbent_ns = MS;
	begin_counting("changes_input", 10 * MS);
	expect_outcome(
		self, AT_OUTCOME_OUT_OF_BOUNDS, "wrote into \"x\", which is an input");
	expect_counts("astray and slow",
		(struct counts){ .trips = 3, .tuned = 1, .loads = 1 });
}

/* the next one works with the same inputs */
TEST_HERE(no_evaluation_ends_with_borders_unwatched)
{
	static const struct {
		const char *prepare, *kernel;
		uint32_t threads;
	} rows[] = {
		{ "", "changes_input", 256 }, { "changes_input", "wrong", 256 },
		{ "changes_input", "right", 2048 }, /* which is refused */
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		for (int verify_only = 0; verify_only < 2; verify_only++) {
			RELEASED(end_bench) struct fixture self;

			open_bench(&self, AT_CACHE_COLD);
			ask_for(&self, rows[i].kernel, 0);
			self.request.prepare = call_of(rows[i].prepare);
			self.request.kernel.geometry.block[0] = rows[i].threads;
			self.request.verify_only = verify_only;
			begin_counting(rows[i].kernel, MS);
			expect_outcome(&self, AT_OUTCOME_OUT_OF_BOUNDS,
				"wrote into \"x\", which is an input");
			assert_true(self.result.device_lost);
		}
}

/* ---- what is kept where nothing puts it back ------------------------------------- */

#define KEPT \
	{ \
		100 * US, 10 * US, 12 * US, 11 * US \
	}

TEST_HERE(who_is_fast_on_known_data_alone_is_unstable)
{
	static const struct {
		/* of four rounds: the first launch on new data, and the same again */
		double times_ns[4][4];
		unsigned rounds;
		const char *why; /* NULL: it passes */
	} rows[] = {
		{ { KEPT, KEPT, KEPT, KEPT }, 30, "100 us" },
		/* a third of the rounds has to be as fast as on known data, */
		{ { KEPT, KEPT, KEPT, { 90 * US, 60 * US, 55 * US, 50 * US } }, 30,
			"100 us" },
		/* by the fastest one, */
		{ { KEPT, { 90 * US, 60 * US, 55 * US, 50 * US }, KEPT,
			  { 90 * US, 60 * US, 55 * US, 50 * US } },
			20, NULL },
		/* or of nine the least times of all are alike: blocks waited */
		{ { KEPT, KEPT, KEPT, { 15 * US, 10 * US, 11 * US, 12 * US } }, 9,
			NULL },
		/* or the first at once, by the fastest one */
		{ { { 100 * US, 95 * US, 96 * US, 97 * US } }, 1, NULL },
		/* what waking up takes says nothing */
		{ { { 25 * US, 6 * US, 6 * US, 6 * US } }, 1, NULL },
	};
	/* whatever launches take that warm it up, by known data */
	enum { AHEAD = 3, ROUND = AHEAD + 4 };

	for (size_t i = 0; i < COUNT(rows); i++) {
		double script[4 * ROUND];
		char why[160];
		RELEASED(end_bench) struct fixture self;

		open_bench(&self, AT_CACHE_COLD);
		ask_for(&self, "right", 0);
		self.request.verify_only = true;
		begin_counting("right", MS);
		for (int j = 0; j < 4 * ROUND; j++)
			script[j] = j % ROUND < AHEAD
					    ? 1 * US
					    : rows[i].times_ns[j / ROUND]
							      [j % ROUND - AHEAD];
		script_ns = script;
		script_count = 4 * ROUND;
		script_asked = 0;
		snprintf(why, sizeof(why),
			"it is fast only on data that it has met before: %s on new data, 10 us on the same again",
			rows[i].why ? rows[i].why : "");
		expect_outcome(&self, rows[i].why ? AT_OUTCOME_UNSTABLE : AT_OUTCOME_OK,
			rows[i].why ? why : "");
		assert_int_equal(script_asked, rows[i].rounds * ROUND);
		script_ns = NULL;
	}
}

/* ---- memory ---------------------------------------------------------------------- */

BEGUN_TEST(scratch_is_allocated_only_to_grow)
{
	static const struct {
		uint64_t count;
		unsigned allocations, trips;
	} rows[] = { { SCRATCH, 0, 0 }, { 70000, 1, 1 }, { 3, 0, 1 }, { 69000, 0, 1 },
		{ 80000, 1, 1 } };

	for (size_t i = 0; i < COUNT(rows); i++) {
		keep_busy(self);
		ask_for(self, "fills_scratch", (int64_t)rows[i].count);
		self->bindings[T].count = rows[i].count;
		begin_counting("fills_scratch", MS);
		expect_outcome(self, AT_OUTCOME_OK, "");
		expect_counts("scratch",
			(struct counts){ .trips = 2 + 1 + 3 + 4 + rows[i].trips,
				.tuned = 6,
				.allocations = rows[i].allocations,
				.loads = 1,
				.states = 1 });
		/* the zone is where its end is now */
		ask_for(self, "right", 0);
		self->bindings[T].count = rows[i].count;
		expect_outcome(self, AT_OUTCOME_OK, "");
	}
	self->bindings[T].count = 50000;
	self->request.kernel = call_of("fills_scratch");
	memcpy(self->bindings[REACH].value, &(int64_t){ 50001 }, sizeof(int64_t));
	expect_outcome(self, AT_OUTCOME_OUT_OF_BOUNDS,
		"wrote 4 bytes behind buffer \"t\" (200000 bytes)");
}

static void open_beside(struct fixture *self, struct at_measure_context *beside)
{
	begin_bench(self, "right", AT_CACHE_COLD);
	assert_ok(at_measure_context_new(
		device, &self->setup, beside, &self->context, &failure));
}

TEST_HERE(benches_of_a_device_share_what_is_no_problems_own)
{
	struct fixture first, second, third;
	uint64_t before_bytes = held_bytes, alone_bytes;

	open_beside(&first, NULL);
	alone_bytes = held_bytes - before_bytes;
	assert_true(at_measure_context_bytes(first.context) < alone_bytes);
	memset(&counts, 0, sizeof(counts));
	open_beside(&second, first.context);
	/* the reference: a set of data, of the first from two poisons for its integers
	 */
	assert_int_equal(counts.loads, 3);
	assert_true(held_bytes - before_bytes ==
		    alone_bytes + at_measure_context_bytes(second.context));
	open_beside(&third, second.context);
	expect_right(&first);
	expect_right(&third);
	expect_right(&second);
	/* one that was busy is busy for all */
	assert_false(bench_is_idle(third.context));
	end_bench(&first);
	expect_right(&second);
	end_bench(&third);
	expect_right(&second);
	end_bench(&second);
	assert_true(held_bytes == before_bytes);
}

TEST_HERE(a_bench_without_room_leaves_the_others_as_they_are)
{
	struct fixture first, second;
	uint64_t before_bytes = held_bytes, bytes;
	struct at_error err = { 0 };

	open_beside(&first, NULL);
	bytes = held_bytes;
	begin_bench(&second, "right", AT_CACHE_COLD);
	/* whatever it is that does not fit any more */
	for (uint64_t more = 0; more < at_measure_context_bytes(first.context);
		more += 65536) {
		limit_bytes = bytes + more;
		at_error_clear(&err);
		assert_int_equal(at_measure_context_new(device, &second.setup,
					 first.context, &second.context, &err),
			AT_ENOMEM);
		assert_true(held_bytes == bytes);
	}
	expect_right(&first);
	end_bench(&first);
	at_error_clear(&err);
	assert_ok(at_measure_context_new(
		device, &second.setup, NULL, &second.context, &failure));
	expect_right(&second);
	end_bench(&second);
	assert_true(held_bytes == before_bytes);
}

/* others may be freed to make room for it */
TEST_HERE(scratch_without_room_is_no_outcome)
{
	const struct at_measure_finals how = finals_of(3, 2);
	RELEASED(end_bench) struct fixture first;
	struct fixture second;
	struct at_error err = { 0 };

	open_beside(&first, NULL);
	open_beside(&second, first.context);
	ask_for(&first, "right", 0);
	first.bindings[T].count = 1000000;
	limit_bytes = held_bytes + 1000000;
	assert_int_equal(at_measure_context_evaluate(
				 first.context, &first.request, &first.result, &err),
		AT_ENOMEM);
	assert_int_equal(first.result.outcome, AT_OUTCOME_NONE);
	assert_non_null(strstr(err.text, "argument \"t\": 4000000 bytes"));
	assert_false(first.result.device_lost);
	at_error_clear(&err);
	assert_int_equal(at_measure_context_finals(first.context, &first.request, 1,
				 &how, &first.result, &err),
		AT_ENOMEM);
	end_bench(&second);
	/* alone neither: others may have the device's memory, and whoever tries again
	   says whose fault it is */
	at_error_clear(&err);
	assert_int_equal(at_measure_context_evaluate(
				 first.context, &first.request, &first.result, &err),
		AT_ENOMEM);
	assert_int_equal(first.result.outcome, AT_OUTCOME_NONE);
	limit_bytes = 0;
	expect_outcome(&first, AT_OUTCOME_OK, "");
}

/* memory that cannot be corrected, say, or another of the processes that share it */
BEGUN_TEST(a_board_that_fails_is_no_outcome)
{
	const struct at_measure_finals how = finals_of(3, 2);
	enum at_status status = AT_EUNAVAILABLE;
	struct at_error err = { 0 };

	ask_for(self, "right", 0);
	begin_counting("right", MS);
	board_fails = AT_EUNAVAILABLE;
	assert_int_equal(at_measure_context_evaluate(
				 self->context, &self->request, &self->result, &err),
		AT_EUNAVAILABLE);
	assert_int_equal(self->result.outcome, AT_OUTCOME_NONE);
	assert_string_equal(err.text, "the board failed");
	at_measure_result_release(&self->result);
	/* this the kernel has to answer for */
	board_fails = AT_EDEVICE;
	assert_ok(at_measure_context_evaluate(
		self->context, &self->request, &self->result, &failure));
	assert_int_equal(self->result.outcome, AT_OUTCOME_CRASHED);
	assert_true(self->result.device_lost);
	/* also in the finals, wherever it is */
	board_fails = AT_EUNAVAILABLE;
	for (unsigned n = 0; status; n++) {
		at_measure_result_release(&self->result);
		board_lasts = n;
		at_error_clear(&err);
		status = at_measure_context_finals(
			self->context, &self->request, 1, &how, &self->result, &err);
		assert_true(status ? status == AT_EUNAVAILABLE : n > 10);
	}
	board_fails = AT_OK;
}

/* ---- the finals -------------------------------------------------------------- */

/* Of these requests; the results of finals before them are released. */
static void hold(struct fixture *self, const struct at_measure_request *requests,
	uint32_t count, const struct at_measure_finals *how)
{
	release_results();
	assert_ok(at_measure_context_finals(
		self->context, requests, count, how, results, NULL));
}

/* of the same kernel twice */
static void hold_finals(struct fixture *self, const struct at_measure_finals *how)
{
	const struct at_measure_request requests[2] = { self->request, self->request };

	hold(self, requests, 2, how);
}

/* of one */
static void hold_final(struct fixture *self, const struct at_measure_finals *how)
{
	hold(self, &self->request, 1, how);
}

TEST_HERE(finals_take_three_trips_a_sample)
{
	struct at_measure_finals how = finals_of(1, 7);
	RELEASED(end_bench) struct fixture self;

	open_busy(&self, AT_CACHE_COLD, MS);
	hold_finals(&self, &how);
	/* each its verification and warm-up; the rounds, and after each sample what it
	   left; the borders after them */
	assert_int_equal(counts.trips, 2 * (2 + 1) + 2 * 7 * (1 + 2) + 2);
	assert_int_equal(counts.allocations, 0);
	/* how the board was, after each round */
	assert_int_equal(counts.states, 7);
	assert_int_equal(counts.loads, 2);
}

static uint64_t nothing_worked(struct at_device *self)
{
	return 0;
}

/* Between two samples others run and outputs are compared: a launch for each set fills
   the cache again, unless launches are so long that it does not matter. */
TEST_HERE(a_warm_cache_is_warm_in_finals_too)
{
	static const struct {
		double kernel_ns;
		unsigned more; /* launches ahead of a sample of one */
	} rows[] = { { 100 * US, 2 }, { 10 * MS, 0 } };
	struct at_properties *properties = &device->info.properties;
	const struct at_properties before = *properties;

	/* 9 KB, which a processor that others share reads in 2 us */
	ops.worked_ns = nothing_worked;
	properties->known[AT_PROPERTY_L2_BYTES] = true;
	properties->value[AT_PROPERTY_L2_BYTES] = INT64_C(1) << 30;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct at_measure_finals how = finals_of(1, 7);
		unsigned tuned[2];
		RELEASED(end_bench) struct fixture self;

		open_bench_without_inout(&self, AT_CACHE_WARM);
		for (int j = 0; j < 2; j++) {
			how.rounds = j ? 7 : 6;
			/* memory has settled */
			clock_ns += (uint64_t)(300 * MS);
			keep_busy(&self);
			ask_for(&self, "right", 0);
			begin_counting("right", rows[i].kernel_ns);
			hold_finals(&self, &how);
			tuned[j] = counts.tuned;
		}
		/* of one of the two finalists */
		assert_int_equal(tuned[1] - tuned[0], 1 + rows[i].more);
	}
	*properties = before;
	ops.worked_ns = NULL;
}

/* what a process has once, another one would have otherwise */
TEST_HERE(each_block_of_the_finals_begins_anew)
{
	static const enum at_cache_mode modes[] = { AT_CACHE_COLD, AT_CACHE_WARM };
	struct at_measure_finals how = finals_of(2, 2);

	for (size_t mode = 0; mode < COUNT(modes); mode++) {
		struct fixture self;
		uint64_t before[ARGUMENTS][SIDE_COUNT] = { { 0 } }, bytes;
		unsigned places = 0;

		open_bench(&self, modes[mode]);
		ask_for(&self, "right", 0);
		bytes = held_bytes;
		for (int i = X; i <= T; i++)
			for (int side = 0; side < SIDE_COUNT; side++) {
				const struct place *place =
					&self.context->buffers[i].places[side];

				if (!place->memory)
					continue;
				before[i][side] = place_address(self.context, place);
				places++;
			}
		begin_counting("right", MS);
		hold_finals(&self, &how);
		for (int i = X; i <= T; i++)
			for (int side = 0; side < SIDE_COUNT; side++)
				assert_true(!before[i][side] ||
					    before[i][side] !=
						    place_address(self.context,
							    &self.context->buffers[i]
								     .places[side]));
		assert_true(places > T - X);
		assert_true(held_bytes == bytes);
		/* and something ahead of them, or the third would lie as the first */
		assert_int_equal(counts.allocations, places + 1);
		assert_int_equal(counts.loads, 2 * 2);
		for (int i = 0; i < 2; i++) {
			assert_int_equal(results[i].outcome, AT_OUTCOME_OK);
			assert_int_equal(results[i].block_count, 2);
			assert_int_equal(results[i].sample_count, 4);
		}
		/* with the contents that they had */
		expect_right(&self);
		end_bench(&self);
	}
}

/* those that go on from others begin anew as well, and compare with them */
BEGUN_TEST(finals_that_go_on_begin_with_other_memory_too)
{
	struct at_measure_finals how = finals_of(1, 2);
	uint64_t before;

	ask_for(self, "right", 0);
	for (int goes_on = 0; goes_on < 2; goes_on++) {
		how.begin = goes_on ? 6 : 0;
		how.launches[0] = goes_on ? 3 : 0;
		how.launches[1] = goes_on ? 2 : 0;
		before = place_address(
			self->context, &self->context->buffers[Y].places[SIDE_END]);
		begin_counting("right", MS);
		hold_finals(self, &how);
		assert_int_equal(
			place_address(self->context,
				&self->context->buffers[Y].places[SIDE_END]) != before,
			goes_on);
		assert_int_equal(results[0].launches_per_sample, goes_on ? 3 : 1);
		assert_int_equal(results[1].launches_per_sample, goes_on ? 2 : 1);
		assert_float_equal(results[0].time_ns, MS, 1e-3);
	}
	expect_right(self);
}

/* what lasts when others were slow already is a place that is slower */
TEST_HERE(blocks_begin_when_the_board_has_settled)
{
	static const struct {
		double settling_ns;
		bool is_seen;
	} rows[] = { { 5 * MS, false }, { 40 * MS, false }, { 150 * MS, false },
		{ 1e12, true } };
	struct at_measure_finals how = finals_of(6, 5);

	for (size_t i = 0; i < COUNT(rows); i++) {
		RELEASED(end_bench) struct fixture self;
		uint64_t start_ns;

		open_busy(&self, AT_CACHE_COLD, MS);
		/* nothing was released here yet */
		released_ns = 0;
		settling_ns = rows[i].settling_ns;
		if (rows[i].is_seen)
			clock_ns += (uint64_t)settling_ns;
		start_ns = clock_ns;
		hold_finals(&self, &how);
		for (int j = 0; j < 2; j++)
			for (uint32_t k = 0; k < results[j].sample_count; k++) {
				bool is_slow = rows[i].is_seen && k >= 5;

				assert_float_equal(results[j].samples_ns[k],
					is_slow ? 1.125 * MS : MS, 1e-3);
			}
		assert_int_equal(results[0].sample_count, 30);
		/* and no block waits for ever */
		assert_true(clock_ns - start_ns < 6 * 300 * (uint64_t)MS);
	}
}

/* all that fits beside itself */
BEGUN_TEST(a_full_device_holds_finals_where_everything_lies)
{
	struct at_measure_finals how = finals_of(3, 2);

	ask_for(self, "right", 0);
	begin_counting("right", MS);
	limit_bytes = held_bytes;
	hold_finals(self, &how);
	assert_int_equal(counts.allocations, 0);
	assert_int_equal(results[0].block_count, 3);
	assert_int_equal(results[0].conditions.unmoved_blocks, 2);
	limit_bytes = 0;
	hold_finals(self, &how);
	assert_int_equal(results[0].conditions.unmoved_blocks, 0);
}

BEGUN_TEST(rounds_of_a_board_that_is_held_back_are_taken_again)
{
	static const struct {
		unsigned from, to; /* questions to which it says so */
		uint32_t repeated, left;
	} rows[] = { { 100, 100, 0, 0 }, { 1, 1, 1, 0 }, { 4, 6, 3, 0 }, { 3, 6, 3, 1 },
		{ 1, 100, 3, 6 } };
	struct at_measure_finals how = finals_of(3, 2);

	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct at_measure_conditions *conditions = &results[1].conditions;

		ask_for(self, "right", 0);
		begin_counting("right", MS);
		keep_busy(self);
		throttled_from = rows[i].from;
		throttled_to = rows[i].to;
		hold_finals(self, &how);
		assert_int_equal(counts.states, 6 + rows[i].repeated);
		assert_int_equal(results[1].sample_count, 6);
		assert_int_equal(conditions->repeated_rounds, rows[i].repeated);
		assert_int_equal(conditions->throttled_rounds, rows[i].left);
		assert_int_equal(conditions->clock_reasons,
			rows[i].repeated ? AT_CLOCK_REASON_BIT(AT_CLOCK_REASON_HEAT)
					 : 0);
		/* slow samples stay out where there are others */
		if (!rows[i].left)
			assert_float_equal(results[1].time_ns, MS, 1e-3);
		assert_true(conditions->first_clock_hz == 1990000000);
		assert_true(conditions->last_clock_hz ==
			    2000000000 - counts.states * (uint64_t)10000000);
	}
}

/* a second of launches that can change nothing more is not spent */
BEGUN_TEST(who_is_far_behind_has_the_fewest_samples)
{
	static const double times_ns[] = { 1.03 * MS, 1.01 * MS, 1.49 * MS, 26 * MS };
	/* a block in full, five of three rounds; all in full; the first three rounds of
	   each */
	static const uint32_t samples[] = { 20, 30, 20, 18 };
	struct at_measure_finals how = finals_of(6, 5);
	struct at_measure_request requests[2];

	for (size_t i = 0; i < COUNT(times_ns); i++) {
		ask_for(self, "right", 0);
		requests[0] = requests[1] = self->request;
		requests[1].kernel.symbol = (char *)"in_place";
		requests[1].prepare = call_of("prepare");
		requests[1].finish = call_of("finish");
		begin_counting("in_place", times_ns[i]);
		other_ns = MS;
		hold(self, requests, 2, &how);
		assert_int_equal(results[0].sample_count, 30);
		assert_int_equal(results[1].sample_count, samples[i]);
		/* of all blocks all the same: they are paired */
		assert_int_equal(results[1].block_count, 6);
		assert_float_equal(results[1].time_ns, times_ns[i], 1e-3);
	}
	other_ns = 0;
}

/* two events cost as much whether one launch lies between them or many */
TEST_HERE(finalists_that_are_about_as_fast_have_as_many_launches_a_sample)
{
	static const struct {
		double times_ns[2];
		uint32_t fixed; /* launches of the first in an earlier look */
		uint32_t launches[2];
	} rows[] = {
		{ { 19.9 * US, 20.1 * US }, 0, { 2, 2 } },
		{ { 20.1 * US, 19.9 * US }, 0, { 2, 2 } },
		{ { 5 * US, 7 * US }, 0, { 5, 5 } },
		{ { 5 * US, 8 * US }, 0, { 5, 3 } }, /* far behind */
		{ { 5 * US, 7 * US }, 4, { 4, 4 } },
		{ { 7 * US, 5 * US }, 3, { 3, 5 } }, /* blocks are comparable */
	};
	RELEASED(end_bench) struct fixture self;
	struct at_measure_request requests[2];

	open_bench_without_inout(&self, AT_CACHE_WARM);
	ask_for(&self, "right", 0);
	requests[0] = requests[1] = self.request;
	requests[1].kernel.symbol = (char *)"right_too";
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct at_measure_finals how = finals_of(3, 2);

		begin_counting("right_too", rows[i].times_ns[1]);
		other_ns = rows[i].times_ns[0];
		how.launches[0] = rows[i].fixed;
		hold(&self, requests, 2, &how);
		for (int j = 0; j < 2; j++)
			assert_int_equal(
				results[j].launches_per_sample, rows[i].launches[j]);
	}
	other_ns = 0;
}

TEST_HERE(beside_a_short_kernel_one_is_timed_that_does_nothing)
{
	static const struct {
		double kernel_ns, empty_ns;
	} rows[] = { { 4 * US, 2 * US }, { 9 * US, 2 * US }, { 11 * US, 0 } };
	static const enum at_cache_mode modes[] = { AT_CACHE_COLD, AT_CACHE_WARM };
	struct at_measure_finals how = finals_of(3, 2);
	struct fixture self;

	for (size_t mode = 0; mode < COUNT(modes); mode++) {
		open_bench(&self, modes[mode]);
		for (size_t i = 0; i < COUNT(rows); i++) {
			ask_for(&self, "right", 0);
			begin_counting("right", rows[i].kernel_ns);
			other_ns = 2 * US;
			hold_final(&self, &how);
			assert_float_equal(
				results[0].conditions.empty_ns, rows[i].empty_ns, 1e-3);
		}
		other_ns = 0;
		expect_right(&self);
		end_bench(&self);
	}
}

/* of which events around each launch tell as much of the launch as of the kernel */
TEST_HERE(a_short_kernel_is_timed_in_a_graph_too)
{
	static const struct {
		enum at_cache_mode mode;
		const char *kernel;
		double kernel_ns, graph_ns, told_ns, told_empty_ns;
		unsigned graphs; /* one with it and one without, and as many of nothing
				  */
	} rows[] = {
		{ AT_CACHE_COLD, "right", 4 * US, 3 * US, 3 * US, 2 * US, 4 },
		{ AT_CACHE_WARM, "right", 4 * US, 3 * US, 3 * US, 2 * US, 4 },
		{ AT_CACHE_COLD, "in_place", 4 * US, 3 * US, 3 * US, 2 * US, 4 },
		/* long enough for events */
		{ AT_CACHE_COLD, "right", 11 * US, 3 * US, 0, 0, 0 },
		/* no graph can be made */
		{ AT_CACHE_WARM, "right", 4 * US, 0, 0, 0, 1 },
		{ AT_CACHE_WARM, "right", 4 * US, -1, 0, 0, 1 },
	};
	struct at_measure_finals how = finals_of(3, 2);
	struct fixture self;

	for (size_t i = 0; i < COUNT(rows); i++) {
		open_bench(&self, rows[i].mode);
		ask_for(&self, rows[i].kernel, 0);
		if (!strcmp(rows[i].kernel, "in_place")) {
			self.request.prepare = call_of("prepare");
			self.request.finish = call_of("finish");
		}
		begin_counting(rows[i].kernel, rows[i].kernel_ns);
		other_ns = 2 * US;
		graph_ns = rows[i].graph_ns;
		graphs = 0;
		hold_final(&self, &how);
		assert_int_equal(results[0].outcome, AT_OUTCOME_OK);
		assert_int_equal(graphs, rows[i].graphs);
		assert_float_equal(results[0].graph_ns, rows[i].told_ns, 1e-3);
		assert_float_equal(results[0].conditions.empty_graph_ns,
			rows[i].told_empty_ns, 1e-3);
		/* once, and not again where finals go on */
		how.begin = 6;
		how.launches[0] = 1;
		graphs = 0;
		hold_final(&self, &how);
		assert_int_equal(graphs, 0);
		how.begin = how.launches[0] = 0;
		other_ns = 0;
		end_bench(&self);
	}
}

BEGUN_TEST(what_a_graph_leaves_is_looked_at)
{
	struct at_measure_finals how = finals_of(3, 2);

	ask_for(self, "right", 0);
	begin_counting("right", 4 * US);
	graph_ns = 3 * US;
	graph_skips = true;
	hold_final(self, &how);
	assert_int_equal(results[0].outcome, AT_OUTCOME_UNSTABLE);
}

/* the output of any launch of a sample may be the one that is compared */
TEST_HERE(who_works_in_the_last_launch_of_a_sample_alone_is_unstable)
{
	static const enum at_cache_mode modes[] = { AT_CACHE_COLD, AT_CACHE_WARM };
	struct at_measure_finals how = finals_of(3, 5);

	how.launches[0] = 6;
	for (size_t mode = 0; mode < COUNT(modes); mode++)
		for (unsigned from = 1; from <= 6; from += 5) {
			RELEASED(end_bench) struct fixture self;

			open_bench_without_inout(&self, modes[mode]);
			ask_for(&self, "right", 0);
			begin_counting("right", 4 * US);
			works_from = from;
			hold_final(&self, &how);
			works_from = 0;
			assert_int_equal(results[0].outcome,
				from == 1 ? AT_OUTCOME_OK : AT_OUTCOME_UNSTABLE);
		}
}

/* Where kernels can ask the cache to keep lines, reading may not replace these lines.
   The reading comes last, so that no line is left to be written back. */
TEST_HERE(a_flush_also_writes_where_kernels_can_keep_lines)
{
	struct at_properties *properties = &device->info.properties;
	const struct at_properties before = *properties;

	at_properties_set(properties, AT_PROPERTY_L2_BYTES, 1 << 20);
	for (int keeps = 0; keeps < 2; keeps++) {
		const struct bench_shared *shared;
		RELEASED(end_bench) struct fixture self;
		uint64_t flush;
		bool writes;

		device->keeps_lines = keeps;
		open_bench(&self, AT_CACHE_COLD);
		shared = self.context->shared;
		flush = device->ops->address(device, shared->flush);
		ask_for(&self, "right", 0);
		begin_counting("right", MS);
		expect_right(&self);
		assert_int_equal(shared->flush_bytes, 2 << 20);
		assert_ptr_equal(ahead[0].kernel, shared->kernels[SUPPORT_FLUSH]);
		assert_true(ahead[0].address == flush);
		writes = ahead[1].kernel == shared->kernels[SUPPORT_PATTERN] &&
			 ahead[1].address == flush &&
			 ahead[1].bytes == shared->flush_bytes;
		assert_int_equal(writes, keeps);
	}
	device->keeps_lines = false;
	*properties = before;
}

/* Two sets of data; flags are integers, for which the reference runs twice on one set.
 */
#define REFERENCE_RUNS 3

static unsigned count_reference_runs(const char *folder, uint64_t seed, double ns)
{
	struct fixture self;
	struct at_error err = { 0 };
	unsigned runs;

	begin_bench(&self, "right", AT_CACHE_COLD);
	self.setup.units = folder;
	self.setup.seed = seed;
	begin_counting("right", ns);
	/* another kernel may have the address of the last one by now */
	tuned_kernel = NULL;
	if (at_measure_context_new(device, &self.setup, NULL, &self.context, &err))
		fail_msg("%s", err.text);
	runs = counts.tuned;
	/* what was kept is what the reference gave */
	ask_for(&self, "right", 0);
	begin_counting("", MS);
	expect_right(&self);
	end_bench(&self);
	return runs;
}

TEST_HERE(outputs_of_a_slow_reference_are_kept)
{
	char folder[] = "/tmp/outputs-XXXXXX";
	const struct {
		const char *folder;
		uint64_t seed;
		double ns;
		unsigned runs;
	} rows[] = {
		{ folder, 1, 900 * MS, REFERENCE_RUNS },
		{ folder, 1, 1100 * MS, REFERENCE_RUNS },
		{ folder, 1, 1100 * MS, 0 },
		{ NULL, 1, 1100 * MS, REFERENCE_RUNS },
		{ folder, 2, 1100 * MS, REFERENCE_RUNS },
		{ folder, 1, 1100 * MS, 0 },
	};

	assert_non_null(folder_make(folder));
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_int_equal(
			count_reference_runs(rows[i].folder, rows[i].seed, rows[i].ns),
			rows[i].runs);
	assert_int_equal(folder_remove(folder), 0);
}

RUN_SUITE(open_counted, close_counted)
