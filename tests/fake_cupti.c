/*
 * A stand-in for CUPTI's range profiler, which is loaded by its name. It takes the
 * sizes of CUPTI 13.0 alone, and each call in its place. A launch takes three passes,
 * and the value of a metric is the length of its name. FAKE_CUPTI_FAILS="cuptiX:35"
 * fails the call of that name with the code; FAKE_CUPTI_LACKS names a metric that the
 * device does not have.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	INVALID_PARAMETER = 1,
	INVALID_OPERATION = 7,
	UNKNOWN = 999,
	PASSES = 3,
	IMAGE = 24
};

/* what was done so far */
static struct {
	bool is_initialized, has_host, has_profiler, has_config, has_data;
	bool is_started, is_decoded, is_spoiled;
	size_t pass; /* that comes next */
	size_t metrics;
} state;

/* A parameter structure: the members at their offsets in the headers of 13.0. */
static size_t size_at(const void *parameters, size_t offset)
{
	size_t value;

	memcpy(&value, (const char *)parameters + offset, sizeof(value));
	return value;
}

static void put(void *parameters, size_t offset, const void *value, size_t bytes)
{
	memcpy((char *)parameters + offset, value, bytes);
}

static void put_size(void *parameters, size_t offset, size_t value)
{
	put(parameters, offset, &value, sizeof(value));
}

/* The code of a call: as the test wants it, or for a wrong size or order. */
static unsigned enter(
	const char *name, const void *parameters, size_t size, bool is_in_place)
{
	const char *fails = getenv("FAKE_CUPTI_FAILS");
	size_t length = strlen(name);

	if (fails && !strncmp(fails, name, length) && fails[length] == ':')
		return (unsigned)atoi(fails + length + 1);
	if (size_at(parameters, 0) != size || size_at(parameters, 8))
		return INVALID_PARAMETER;
	return is_in_place ? 0 : INVALID_OPERATION;
}

#define CALL(name, size, is_in_place) \
	unsigned name(void *parameters); \
	static unsigned inside_##name(void *parameters); \
	unsigned name(void *parameters) \
	{ \
		unsigned code = enter(#name, parameters, size, is_in_place); \
\
		return code ? code : inside_##name(parameters); \
	} \
	static unsigned inside_##name(void *parameters)

unsigned cuptiGetResultString(unsigned code, const char **text);

unsigned cuptiGetResultString(unsigned code, const char **text)
{
	static char buffer[32];

	snprintf(buffer, sizeof(buffer), "CUPTI_ERROR_%u", code);
	*text = buffer;
	return 0;
}

CALL(cuptiProfilerInitialize, 16, true)
{
	(void)parameters;
	memset(&state, 0, sizeof(state));
	state.is_initialized = true;
	return 0;
}

CALL(cuptiDeviceGetChipName, 32, state.is_initialized)
{
	static const char *const name = "GH100";

	put(parameters, 24, &name, sizeof(name));
	return 0;
}

CALL(cuptiProfilerGetCounterAvailability, 40, state.is_initialized)
{
	if (!size_at(parameters, 32)) {
		put_size(parameters, 24, IMAGE);
		return 0;
	}
	return size_at(parameters, 24) == IMAGE ? 0 : INVALID_PARAMETER;
}

CALL(cuptiProfilerHostInitialize, 48, state.is_initialized)
{
	if (size_at(parameters, 16) & 0xffffffff || !size_at(parameters, 24) ||
		!size_at(parameters, 32))
		return INVALID_PARAMETER;
	put_size(parameters, 40, 11);
	state.has_host = true;
	state.is_spoiled = false;
	state.metrics = 0;
	return 0;
}

CALL(cuptiProfilerHostDeinitialize, 24, state.has_host)
{
	state.has_host = false;
	return size_at(parameters, 16) == 11 ? 0 : INVALID_PARAMETER;
}

CALL(cuptiProfilerHostConfigAddMetrics, 40, state.has_host)
{
	const char *lacks = getenv("FAKE_CUPTI_LACKS");
	const char *const *names = (const char *const *)size_at(parameters, 24);

	size_t count = size_at(parameters, 32);

	/* as CUPTI 13.0 does it: one call has all, or each gets a pass of its own; and
	   after a refusal nothing is taken any more */
	for (size_t i = 0; i < count && lacks && !state.is_spoiled; i++)
		state.is_spoiled = !strcmp(names[i], lacks);
	if (state.is_spoiled || state.metrics)
		return UNKNOWN;
	state.metrics = count;
	return 0;
}

CALL(cuptiProfilerHostGetConfigImageSize, 32, state.metrics > 0)
{
	put_size(parameters, 24, IMAGE);
	return 0;
}

CALL(cuptiProfilerHostGetConfigImage, 40, state.metrics > 0)
{
	if (size_at(parameters, 24) != IMAGE)
		return INVALID_PARAMETER;
	memset((void *)size_at(parameters, 32), 'c', IMAGE);
	return 0;
}

CALL(cuptiRangeProfilerEnable, 32, state.has_host)
{
	put_size(parameters, 24, 12);
	state.has_profiler = true;
	return size_at(parameters, 16) ? 0 : INVALID_PARAMETER;
}

CALL(cuptiRangeProfilerDisable, 24, state.has_profiler)
{
	state.has_profiler = false;
	return size_at(parameters, 16) == 12 ? 0 : INVALID_PARAMETER;
}

CALL(cuptiRangeProfilerGetCounterDataSize, 64, state.has_profiler)
{
	put_size(parameters, 56, IMAGE);
	return size_at(parameters, 32) == state.metrics && size_at(parameters, 40) == 1
		       ? 0
		       : INVALID_PARAMETER;
}

CALL(cuptiRangeProfilerCounterDataImageInitialize, 40, state.has_profiler)
{
	state.has_data = true;
	state.pass = 0;
	state.is_decoded = false;
	memset((void *)size_at(parameters, 32), 'd', IMAGE);
	return size_at(parameters, 24) == IMAGE ? 0 : INVALID_PARAMETER;
}

CALL(cuptiRangeProfilerSetConfig, 90, state.has_data && !state.is_started)
{
	const char *config = (const char *)size_at(parameters, 32);
	uint16_t levels[2], level;
	int modes[2];

	memcpy(modes, (char *)parameters + 56, sizeof(modes));
	memcpy(levels, (char *)parameters + 72, sizeof(levels));
	memcpy(&level, (char *)parameters + 88, sizeof(level));
	/* each launch is a range, and the user launches it again */
	if (size_at(parameters, 24) != IMAGE || config[0] != 'c' || modes[0] != 1 ||
		modes[1] != 3 || size_at(parameters, 64) != 1 || levels[0] != 1 ||
		levels[1] != 1 || level != 1 || size_at(parameters, 80) != state.pass)
		return INVALID_PARAMETER;
	state.has_config = true;
	return 0;
}

CALL(cuptiRangeProfilerStart, 24, state.has_config && !state.is_started)
{
	state.is_started = true;
	return size_at(parameters, 16) == 12 ? 0 : INVALID_PARAMETER;
}

CALL(cuptiRangeProfilerStop, 41, state.is_started)
{
	uint8_t is_complete = ++state.pass == PASSES;

	state.is_started = state.has_config = false;
	put_size(parameters, 24, state.pass);
	put_size(parameters, 32, 1);
	put(parameters, 40, &is_complete, sizeof(is_complete));
	return 0;
}

CALL(cuptiRangeProfilerDecodeData, 32, state.pass == PASSES)
{
	put_size(parameters, 24, 0);
	state.is_decoded = true;
	return 0;
}

CALL(cuptiProfilerHostEvaluateToGpuValues, 72, state.is_decoded)
{
	const char *const *names = (const char *const *)size_at(parameters, 48);
	double *values = (double *)size_at(parameters, 64);

	if (size_at(parameters, 56) != state.metrics || size_at(parameters, 40))
		return INVALID_PARAMETER;
	for (size_t i = 0; i < state.metrics; i++)
		values[i] = (double)strlen(names[i]);
	return 0;
}
