/* See record/recording_csv_names.h. */
#include "record/recording_csv_names.h"

#include "base/memory.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

/* As a parameter such a column would make a space in which no two configurations
   share a value, and a search of it would learn nothing. Names that could be a
   parameter's (samples, batch, steps, level) are not here. */
static const char *const whole[] = { "error", "status", "invalidity", "correctness",
	"message", "timestamp", "date", "std", "stddev", "stdev", "std_dev", "variance",
	"mean", "median", "average", "energy", "power", "bandwidth", "throughput",
	"speedup", "runtime", "duration", "latency", "cost" };
static const char *const inside[] = { "flop/s", "flops", "gb/s", "gib/s", "gbps",
	"energy_", "power_usage", "power_w" };
static const char *const units[] = { "", "_ns", "_us", "_ms", "_s", "_sec", "_seconds",
	" (ns)", " (us)", " (ms)", " (s)" };

const char *at_csv_plain_name(const char *name)
{
	static const struct {
		const char *unit, *name;
	} times[] = { { "ns", "time_ns" }, { "us", "time_us" },
		{ "\xc2\xb5s", "time_us" }, { "\xce\xbcs", "time_us" },
		{ "ms", "time_ms" }, { "s", "time_s" } };
	const char *at = name + strlen("time");
	char closing;

	/* TIME_S may be a parameter, the steps in time of a stencil */
	if (strncmp(name, "time", 4) != 0 && strncmp(name, "Time", 4) != 0)
		return name;
	at += *at == ' ' || *at == '_';
	closing = *at == '(' ? ')' : *at == '[' ? ']' : '\0';
	at += closing != '\0';
	if (!closing && at[-1] != '_')
		return name;
	for (size_t i = 0; i < AT_COUNT_OF(times); i++) {
		size_t length = strlen(times[i].unit);

		if (!strncmp(at, times[i].unit, length) && at[length] == closing &&
			(!closing || !at[length + 1]))
			return times[i].name;
	}
	return name;
}

static bool contains(const char *text, const char *word)
{
	for (size_t length = strlen(word); *text; text++)
		if (!strncasecmp(text, word, length))
			return true;
	return false;
}

/* "compile_time", "benchmark time (ms)": but "time_tile" and "TIME" are not. */
static bool is_other_time(const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < AT_COUNT_OF(units); i++) {
		size_t behind = strlen(units[i]), all = behind + strlen("_time");

		if (length <= all || strcasecmp(name + length - behind, units[i]) != 0)
			continue;
		if (!strncasecmp(name + length - all, "_time", 5) ||
			!strncasecmp(name + length - all, " time", 5))
			return true;
	}
	return false;
}

bool at_csv_is_measurement(const char *name)
{
	for (size_t i = 0; i < AT_COUNT_OF(whole); i++)
		if (!strcasecmp(whole[i], name))
			return true;
	for (size_t i = 0; i < AT_COUNT_OF(inside); i++)
		if (contains(name, inside[i]))
			return true;
	return is_other_time(name);
}

bool at_csv_is_truth(const char *cell)
{
	static const char *const words[] = { "true", "false", "0", "1" };

	for (size_t i = 0; i < AT_COUNT_OF(words); i++)
		if (!strcasecmp(words[i], cell))
			return true;
	return false;
}
