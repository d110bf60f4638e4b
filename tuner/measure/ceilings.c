/* What is made of samples: rates, rounds of them, the fastest copy. */
#include "base/clock.h"
#include "base/memory.h"
#include "measure/ceilings_bench.h"
#include "measure/statistics.h"

#include <math.h>
#include <string.h>

/* one sample lasts about so long: a thousand times what a device's clock can tell */
#define SAMPLE_NS 8e6
#define SAMPLES 5
/*
 * A moment in which other work was in the way, which on a CPU is any, must not stay
 * in the record: of so many rounds the best median counts.
 */
#define ROUNDS 3
/* of each of our own copy kernels, to find the fastest */
#define TRIALS 2
/* a board that was idle takes so long, at most, to raise its clocks */
#define WARM_UP_NS 300000000u

#define COPIES_MAX 16
/* 64 links a round and the start: below 2^24, to which a float counts */
#define CHAIN_ROUNDS_MAX 200000

/* ---- rates ---------------------------------------------------------------- */

static enum at_status sample(struct ceilings_bench *self,
	const struct ceilings_task *task, double *duration_ns, double *rate,
	struct at_error *err)
{
	double amount = 0;
	enum at_status status = task->sample(self, task, duration_ns, &amount, err);

	if (status)
		return status;
	/* the fastest of all, if it were believed */
	if (!(*duration_ns > 0))
		return at_fail(err, AT_EDEVICE, NULL, 0,
			"measuring the %s of %s: by its clock it took no time at all",
			task->what, self->device->info.id);
	*rate = amount / *duration_ns * 1e9;
	return AT_OK;
}

/* Raises the repeats until a sample is long enough. */
static enum at_status fit_repeats(
	struct ceilings_bench *self, struct ceilings_task *task, struct at_error *err)
{
	double duration_ns, rate;

	for (;;) {
		enum at_status status = sample(self, task, &duration_ns, &rate, err);
		double wanted;

		if (status)
			return status;
		if (duration_ns >= SAMPLE_NS / 2 || task->repeats == task->repeats_max)
			return AT_OK;
		/* a first guess is a bad one: never far at once */
		wanted = fmin(fmax(SAMPLE_NS / duration_ns, 2), 32) * task->repeats;
		task->repeats = wanted < task->repeats_max ? (unsigned)wanted
							   : task->repeats_max;
	}
}

/* Repeats enough, and clocks that are up. */
static enum at_status warm_up(
	struct ceilings_bench *self, struct ceilings_task *task, struct at_error *err)
{
	uint64_t start_ns = at_clock_now_ns();
	double duration_ns, rate;
	enum at_status status = fit_repeats(self, task, err);

	/* a board that says nothing of its clock is warm as soon as the repeats fit */
	while (!status && at_device_clock_is_low(self->device) &&
		at_clock_now_ns() - start_ns < WARM_UP_NS)
		status = sample(self, task, &duration_ns, &rate, err);
	return status;
}

/* *rate: the median of this round, if it is above what was there */
static enum at_status take_round(struct ceilings_bench *self,
	const struct ceilings_task *task, double *rate, struct at_error *err)
{
	double rates[SAMPLES], duration_ns, median;
	enum at_status status = AT_OK;

	for (int i = 0; i < SAMPLES && !status; i++)
		status = sample(self, task, &duration_ns, &rates[i], err);
	if (status)
		return status;
	/* not the best sample: that is a rate the board touched, and did not hold */
	median = at_statistics_median(rates, SAMPLES).median;
	*rate = fmax(*rate, median);
	return AT_OK;
}

static void set_chains(struct ceilings_task *task, enum ceilings_kernel kernel)
{
	*task = (struct ceilings_task){
		.what = kernel == CEILINGS_FLOAT ? "FMA rate in float"
						 : "FMA rate in double",
		.sample = ceilings_sample_chains,
		.kernel = kernel,
		.blocks_per_processor = CEILINGS_CHAIN_BLOCKS_PER_PROCESSOR,
		.threads = CEILINGS_CHAIN_THREADS,
		.repeats = 1,
		.repeats_max = CHAIN_ROUNDS_MAX,
	};
}

/* the device's own copy, else the fastest of ours */
static enum at_status choose_copy(
	struct ceilings_bench *self, struct ceilings_task *task, struct at_error *err)
{
	static const char what[] = "copy bandwidth";
	static const struct ceilings_task ours[] = {
		{ what, ceilings_sample_copy, CEILINGS_COPY_WIDE, 8, 256, 1,
			COPIES_MAX },
		{ what, ceilings_sample_copy, CEILINGS_COPY_DEEP, 4, 256, 1,
			COPIES_MAX },
		{ what, ceilings_sample_copy, CEILINGS_COPY_RUN, 1, 1, 1, COPIES_MAX },
	};
	enum at_status status = AT_OK;
	double best = 0;

	*task = (struct ceilings_task){ what, ceilings_sample_copy, CEILINGS_COUNT, 0,
		0, 1, COPIES_MAX };
	if (self->device->ops->time_copy)
		return AT_OK;
	for (size_t i = 0; i < AT_COUNT_OF(ours) && !status; i++) {
		double duration_ns, rate = 0, fastest = 0;

		for (int j = 0; j < TRIALS && !status; j++) {
			status = sample(self, &ours[i], &duration_ns, &rate, err);
			fastest = fmax(fastest, rate);
		}
		if (!status && fastest > best) {
			best = fastest;
			*task = ours[i];
		}
	}
	return status;
}

static enum at_status measure(
	struct ceilings_bench *self, struct at_ceilings *out, struct at_error *err)
{
	struct ceilings_task tasks[3];
	double *const rates[] = { &out->float_flops_per_second,
		&out->double_flops_per_second, &out->copy_bytes_per_second };
	enum at_status status;

	/* the chains first: they bring the clocks up for the copies */
	set_chains(&tasks[0], CEILINGS_FLOAT);
	set_chains(&tasks[1], CEILINGS_DOUBLE);
	status = warm_up(self, &tasks[0], err);
	if (!status)
		status = warm_up(self, &tasks[1], err);
	if (!status)
		status = choose_copy(self, &tasks[2], err);
	if (!status)
		status = warm_up(self, &tasks[2], err);
	for (int round = 0; round < ROUNDS; round++)
		for (size_t i = 0; i < AT_COUNT_OF(tasks) && !status; i++)
			status = take_round(self, &tasks[i], rates[i], err);
	return status;
}

enum at_status at_ceilings_measure(struct at_device *device, const unsigned char *image,
	size_t bytes, struct at_ceilings *out, struct at_error *err)
{
	struct ceilings_bench self = { .device = device };
	enum at_status status = ceilings_open(&self, image, bytes, err);

	memset(out, 0, sizeof(*out));
	if (!status)
		status = measure(&self, out, err);
	ceilings_close(&self);
	return status;
}
