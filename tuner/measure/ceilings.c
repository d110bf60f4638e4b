/* Measures the ceilings: samples become rates, rounds of samples medians, and the best
   median is the ceiling. One sample is taken by ceilings_bench.c. */
#include "base/clock.h"
#include "base/memory.h"
#include "measure/ceilings_bench.h"
#include "measure/statistics.h"

#include <math.h>
#include <string.h>

/* The usual length of a sample: a thousand times the resolution of a device's clock. */
#define SAMPLE_NS 8e6
#define SAMPLES 5
/*
 * Other work may slow down a round, on a CPU at any time, and that rate must not be
 * recorded: so the best median of this many rounds counts.
 */
#define ROUNDS 3
/* The samples of each of the tuner's own copy kernels, to find the fastest kernel. */
#define TRIALS 2
/* The longest time that an idle board takes to raise its clocks. */
#define WARM_UP_NS 300000000u

#define COPIES_MAX 16
/* Each round adds 64 to a chain, and its sum must stay below 2^24, up to which a float
   is exact. */
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
	/* a time of 0 would be an infinite rate */
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
		/* between 2 and 32 times as many, since a short sample says little
		   about a long one */
		wanted = fmin(fmax(SAMPLE_NS / duration_ns, 2), 32) * task->repeats;
		task->repeats = wanted < task->repeats_max ? (unsigned)wanted
							   : task->repeats_max;
	}
}

/* Finds how many repeats a sample needs, and runs samples until the clocks are up. */
static enum at_status warm_up(
	struct ceilings_bench *self, struct ceilings_task *task, struct at_error *err)
{
	uint64_t start_ns = at_clock_now_ns();
	double duration_ns, rate;
	enum at_status status = fit_repeats(self, task, err);

	/* a board whose clock is not known counts as warm when the repeats fit */
	while (!status && at_device_clock_is_low(self->device, NULL) &&
		at_clock_now_ns() - start_ns < WARM_UP_NS)
		status = sample(self, task, &duration_ns, &rate, err);
	return status;
}

/* Takes a round of samples; *rate becomes their median if that is larger. */
static enum at_status take_round(struct ceilings_bench *self,
	const struct ceilings_task *task, double *rate, struct at_error *err)
{
	double rates[SAMPLES], duration_ns, median;
	enum at_status status = AT_OK;

	for (int i = 0; i < SAMPLES && !status; i++)
		status = sample(self, task, &duration_ns, &rates[i], err);
	if (status)
		return status;
	/* the best sample would be a rate that the board cannot hold */
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

/* Chooses the device's own copy, or else the fastest of the tuner's copy kernels. */
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

	/* chains first, since their work raises the clocks for the copies */
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
