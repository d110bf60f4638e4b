/* Computes the time below which a launch cannot have done its work (floor.h). */
#include "kernel/floor.h"
#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Room for memory and multiprocessor clocks that a user raised unreported. */
#define MARGIN 1.1

/*
 * Operations per multiprocessor and clock on the tensor cores, dense; a fused
 * multiply-add counts as two. `any` is for bits (mma .b1), or for FP4 if that is more.
 * For newer architectures no rate of bits is published; sixteen times the rate of 16
 * bits stands in, as on A100. An architecture without FP8 has the rate of INT8 instead.
 * GPUs without memory of their own (sm_72, sm_87, sm_110, sm_121) are missing: the
 * driver reports a memory clock that is not the memory's.
 */
static const struct {
	int64_t capability;
	double flops_per_clock[AT_FLOOR_REALS_16 + 1]; /* by enum at_floor_numbers */
} tensor_cores[] = {
	{ 70, { 2048, 1024, 1024 } },
	{ 75, { 16384, 2048, 1024 } },
	{ 80, { 32768, 4096, 2048 } },
	{ 86, { 16384, 2048, 1024 } },
	{ 89, { 16384, 2048, 1024 } },
	{ 90, { 65536, 8192, 4096 } },
	{ 100, { 131072, 16384, 8192 } },
	{ 103, { 131072, 16384, 8192 } },
	{ 120, { 16384, 2048, 1024 } },
};

/* 0 for an unknown number. */
static double known(double value)
{
	return value > 0 && isfinite(value) ? value : 0;
}

static double property(const struct at_properties *self, enum at_property which)
{
	return self->known[which] ? known((double)self->value[which]) : 0;
}

void at_peaks_of(const struct at_properties *properties, uint64_t clock_hz,
	uint64_t memory_clock_hz, enum at_floor_numbers numbers, struct at_peaks *out)
{
	double capability = property(properties, AT_PROPERTY_COMPUTE_CAPABILITY);
	double clock =
		fmax(property(properties, AT_PROPERTY_CLOCK_HZ), (double)clock_hz);
	double memory_clock = fmax(property(properties, AT_PROPERTY_MEMORY_CLOCK_HZ),
		(double)memory_clock_hz);

	*out = (struct at_peaks){ 0 };
	for (size_t i = 0; i < AT_COUNT_OF(tensor_cores); i++) {
		if ((double)tensor_cores[i].capability != capability)
			continue;
		/* two transfers per clock, each as wide as the bus */
		out->bytes_per_second =
			2 * memory_clock *
			property(properties, AT_PROPERTY_MEMORY_BUS_BITS) / 8;
		out->cache_bytes = property(properties, AT_PROPERTY_L2_BYTES);
		out->flops_per_second =
			tensor_cores[i].flops_per_clock[numbers] * clock *
			property(properties, AT_PROPERTY_MULTIPROCESSOR_COUNT);
	}
}

void at_floor_of(
	const struct at_work *work, const struct at_peaks *peaks, struct at_floor *out)
{
	double bytes = fmin(known(work->bytes), known(work->argument_bytes));

	*out = (struct at_floor){ .work = *work, .peaks = *peaks };
	bytes -= (work->is_warm ? 2 : 1) * peaks->cache_bytes;
	if (peaks->cache_bytes > 0 && peaks->bytes_per_second > 0 && bytes > 0) {
		out->least_bytes = bytes;
		out->bytes_ns = bytes / (MARGIN * peaks->bytes_per_second) * 1e9;
	}
	if (peaks->flops_per_second > 0)
		out->flops_ns =
			known(work->flops) / (MARGIN * peaks->flops_per_second) * 1e9;
}

/* Writes 4.92e12 as "4.92 T". */
static void write_scaled(double value, char *buffer, size_t size)
{
	static const char prefixes[] = "kMGTPE";
	size_t steps = 0;

	for (; value >= 999.5 && steps < strlen(prefixes); steps++)
		value /= 1000;
	if (steps)
		snprintf(buffer, size, "%.3g %c", value, prefixes[steps - 1]);
	else
		snprintf(buffer, size, "%.3g ", value);
}

/* Writes "metrics.bytes in line 59", without the line if it is unknown. */
static void write_metric(const char *name, int line, char *buffer, size_t size)
{
	if (line > 0)
		snprintf(buffer, size, "metrics.%s in line %d", name, line);
	else
		snprintf(buffer, size, "metrics.%s", name);
}

bool at_floor_allows(
	const struct at_floor *self, double time_ns, char *text, size_t size)
{
	char time[32];

	if (!(time_ns > 0) || (time_ns >= self->bytes_ns && time_ns >= self->flops_ns))
		return true;
	at_text_duration(time_ns, time, sizeof(time));
	/* report the one that is further off */
	if (self->bytes_ns >= self->flops_ns) {
		char metric[48], least[24], rate[24], peak[24];

		write_metric("bytes", self->work.bytes_line, metric, sizeof(metric));
		write_scaled(self->least_bytes, least, sizeof(least));
		write_scaled(self->least_bytes / time_ns * 1e9, rate, sizeof(rate));
		write_scaled(self->peaks.bytes_per_second, peak, sizeof(peak));
		snprintf(text, size,
			"%s is %.0f; at least %sB of this go through memory, in %s at %sB/s, and the memory of this device has %sB/s at most: correct metrics.bytes, or find the work that the kernel leaves out",
			metric, self->work.bytes, least, time, rate, peak);
	} else {
		char metric[48], rate[24], peak[24];

		write_metric("flops", self->work.flops_line, metric, sizeof(metric));
		write_scaled(self->work.flops / time_ns * 1e9, rate, sizeof(rate));
		write_scaled(self->peaks.flops_per_second, peak, sizeof(peak));
		snprintf(text, size,
			"%s is %.0f; in %s this is %sFLOP/s, and the fastest units of this device have %sFLOP/s at most: correct metrics.flops, or find the work that the kernel leaves out",
			metric, self->work.flops, time, rate, peak);
	}
	return false;
}
