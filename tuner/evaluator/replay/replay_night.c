/* The noise of nights, and the keys for it in a recording's name. */
#include "evaluator/replay/replay_night.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Standard deviations of the logarithm of the time: of a night, and of a kernel
   relative to the other kernels of the night. */
#define NIGHT_DEVIATION 0.004
#define KERNEL_DEVIATION 0.0015
/* drift from the first sample to the last */
#define DRIFT_DEVIATION 0.003
/* a board that was idle: the first sample is slower by this share, each further sample
   by half as much */
#define WARM_UP 0.02
/* One night in THROTTLED_IN has throttled clocks for a part of the samples (one in
   THROTTLED_PART). */
#define THROTTLED_IN 10
#define THROTTLED_PART 5
#define THROTTLED 0.08

#define PI 3.14159265358979323846

static bool read_whole(const char *text, uint64_t *out)
{
	int64_t value;

	if (!at_text_integer(text, &value) || value < 0)
		return false;
	*out = (uint64_t)value;
	return true;
}

/* Reads a factor, 0.1 to 10; others are probably typing mistakes. */
static bool read_factor(const char *text, double *out)
{
	return at_text_real(text, out) && *out >= 0.1 && *out <= 10;
}

/* False: the item is not one of these keys, and stays in the name. True with err: its
   value is invalid. */
static bool read_key(
	const char *item, struct at_replay_night *out, struct at_error *err)
{
	const char *value = strchr(item, '=');
	size_t length = value ? (size_t)(value - item) : 0;
	uint64_t wrong = 0;
	bool good;

	if (!value)
		return false;
	value++;
	if (length == 5 && !memcmp(item, "night", 5)) {
		good = read_whole(value, &out->night) && out->night > 0;
	} else if (length == 5 && !memcmp(item, "noise", 5)) {
		good = read_whole(value, &out->noise);
	} else if (length == 6 && !memcmp(item, "slower", 6)) {
		good = read_factor(value, &out->slower);
	} else if (length == 5 && !memcmp(item, "board", 5)) {
		good = read_factor(value, &out->board);
	} else if (length == 5 && !memcmp(item, "wrong", 5)) {
		good = read_whole(value, &wrong) && wrong <= 1;
		out->is_wrong = wrong;
	} else {
		return false;
	}
	if (!good)
		at_fail(err, AT_EINVAL, NULL, 0,
			"of a recording at night: \"%s\" makes no sense; night is a number from 1, noise a number, slower and board are 0.1 to 10, wrong is 0 or 1",
			item);
	return true;
}

enum at_status at_replay_night_split(const char *name, char **file,
	struct at_replay_night *out, struct at_error *err)
{
	struct at_strbuf left = { 0 };
	struct at_error problem = { 0 };
	const char *at = name;
	bool some = false;

	memset(out, 0, sizeof(*out));
	for (bool is_first = true; *at || is_first; is_first = false) {
		size_t length = at_file_exists(name) ? strlen(at) : strcspn(at, ",");
		char *item = at_strndup(at, length);

		if (!is_first && read_key(item, out, &problem))
			some = true;
		else
			at_strbuf_addf(&left, "%s%s", is_first ? "" : ",", item);
		free(item);
		at += length;
		at += *at == ',';
	}
	if (some && !out->night)
		at_fail(&problem, AT_EINVAL, NULL, 0,
			"of a recording at night: which one? expected night=N in \"%s\"",
			name);
	*file = at_strbuf_detach(&left);
	if (!problem.status && *file)
		return AT_OK;
	free(*file);
	*file = NULL;
	if (!problem.status)
		return at_fail_memory(err);
	if (err && !err->status)
		*err = problem;
	return problem.status;
}

static double normal(struct at_random *random)
{
	double radius = sqrt(-2 * log(1 - at_random_unit(random)));

	return radius * cos(2 * PI * at_random_unit(random));
}

/* A random generator for one purpose of this night. */
static struct at_random stream(
	const struct at_replay_night *self, uint64_t what, uint64_t which)
{
	struct at_random random;

	at_random_init(&random, (self->noise + 1) * UINT64_C(0x9e3779b97f4a7c15) ^
					self->night * UINT64_C(0xd1b54a32d192ed03) ^
					what * UINT64_C(0x8cb92ba72f3d8dd7) ^
					which * UINT64_C(0x2545f4914f6cdd1d));
	return random;
}

enum { OF_NIGHT = 1, OF_KERNEL, OF_ROUNDS };

void at_replay_night_apply(const struct at_replay_night *self, size_t row,
	bool is_fastest, uint64_t occasion, double *samples_ns, size_t count)
{
	struct at_random of_night, of_kernel, of_rounds;
	double all, drift, warm = WARM_UP;
	size_t begin = count, end = count;

	if (!self->night)
		return;
	of_night = stream(self, OF_NIGHT, 0);
	of_kernel = stream(self, OF_KERNEL, row);
	of_rounds = stream(self, OF_ROUNDS, occasion);
	all = exp(NIGHT_DEVIATION * normal(&of_night) +
		  KERNEL_DEVIATION * normal(&of_kernel));
	if (self->board > 0)
		all *= self->board;
	if (self->slower > 0 && is_fastest)
		all *= self->slower;
	drift = DRIFT_DEVIATION * normal(&of_rounds);
	if (at_random_below(&of_night, THROTTLED_IN) == 0 && count >= THROTTLED_PART) {
		begin = (size_t)at_random_below(&of_rounds, count);
		end = begin + count / THROTTLED_PART;
	}
	for (size_t i = 0; i < count; i++) {
		double part = count > 1 ? (double)i / (double)(count - 1) - 0.5 : 0;

		samples_ns[i] *= all * exp(drift * part + warm);
		if (i >= begin && i < end)
			samples_ns[i] *= 1 + THROTTLED;
		warm /= 2;
	}
}
