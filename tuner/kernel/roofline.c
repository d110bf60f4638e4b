/* Computes a kernel's rates as fractions of its device's ceilings. */
#include "kernel/roofline.h"

#include <math.h>

/* NAN for an unknown number. */
static double known(double value)
{
	return value > 0 && isfinite(value) ? value : (double)NAN;
}

static enum at_bound side(const struct at_roofline *self, double flops, double bytes)
{
	if (isnan(flops) && isnan(bytes))
		return AT_BOUND_NONE;
	if (isnan(flops))
		return AT_BOUND_MEMORY;
	if (isnan(bytes))
		return AT_BOUND_COMPUTE;
	if (isnan(self->ridge))
		return AT_BOUND_NONE;
	return self->intensity < self->ridge ? AT_BOUND_MEMORY : AT_BOUND_COMPUTE;
}

void at_roofline(double flops, double bytes, double time_ns,
	const struct at_ceilings *ceilings, bool is_double, struct at_roofline *out)
{
	double copy = known(ceilings ? ceilings->copy_bytes_per_second : 0);
	double fma = NAN;

	if (ceilings)
		fma = known(is_double ? ceilings->double_flops_per_second
				      : ceilings->float_flops_per_second);
	flops = known(flops);
	bytes = known(bytes);
	time_ns = known(time_ns);
	out->intensity = flops / bytes;
	out->ridge = fma / copy;
	out->flops_per_second = flops / time_ns * 1e9;
	out->bytes_per_second = bytes / time_ns * 1e9;
	out->flops_fraction = out->flops_per_second / fma;
	out->bytes_fraction = out->bytes_per_second / copy;
	out->fraction = NAN;
	out->bound = side(out, flops, bytes);
	switch (out->bound) {
	case AT_BOUND_NONE:
		break;
	case AT_BOUND_MEMORY:
		out->fraction = out->bytes_fraction;
		break;
	case AT_BOUND_COMPUTE:
		out->fraction = out->flops_fraction;
		break;
	}
}

const char *at_bound_text(enum at_bound bound)
{
	switch (bound) {
	case AT_BOUND_NONE:
		return "";
	case AT_BOUND_MEMORY:
		return "memory-bound";
	case AT_BOUND_COMPUTE:
		return "compute-bound";
	}
	return "";
}
