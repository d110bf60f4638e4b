/* See record/csv_names.h. */
#include "record/csv_names.h"

#include "base/memory.h"
#include "base/text.h"
#include "record/recording_build.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

/* As a parameter such a column would make a space in which no two configurations
   share a value, and a search of it would learn nothing. Names that could be a
   parameter's (samples, batch, steps, level, min, max) are not here. */
static const char *const whole[] = { "error", "status", "invalidity", "correctness",
	"message", "timestamp", "date", "std", "stddev", "stdev", "std_dev", "variance",
	"mean", "median", "average", "energy", "power", "bandwidth", "throughput",
	"speedup", "runtime", "duration", "latency", "cost", "p50", "p90", "p95",
	"p99" };
static const char *const inside[] = { "flop/s", "flops", "gb/s", "gib/s", "gbps",
	"energy_", "power_usage" };
/* a measurement only where a unit of time follows: "min_ms", "kernel (us)" */
static const char *const timed[] = { "time", "min", "max", "best", "worst", "avg",
	"total", "elapsed", "kernel", "gpu", "cpu", "wall", "exec", "execution",
	"compile", "benchmark" };
/* "time_std", "avg_power": one of these words with one of the others. "std" beside any
   word would refuse CXX_STD. */
static const char *const sums[] = { "avg", "average", "mean", "median", "min", "max",
	"std", "stddev", "stdev", "std_dev", "var", "variance", "p50", "p90", "p95",
	"p99" };
static const char *const measured[] = { "time", "runtime", "duration", "latency",
	"power", "energy", "bandwidth", "throughput", "speedup" };

/* time: what the reader calls a time in this unit; NULL: a unit of something else */
static const struct {
	const char *text, *time;
} units[] = { { "ns", "time_ns" }, { "nsec", "time_ns" }, { "nanoseconds", "time_ns" },
	{ "us", "time_us" }, { "\xc2\xb5s", "time_us" }, { "\xce\xbcs", "time_us" },
	{ "usec", "time_us" }, { "microseconds", "time_us" }, { "ms", "time_ms" },
	{ "msec", "time_ms" }, { "milliseconds", "time_ms" }, { "s", "time_s" },
	{ "sec", "time_s" }, { "secs", "time_s" }, { "seconds", "time_s" },
	{ "j", NULL }, { "mj", NULL }, { "joules", NULL }, { "w", NULL },
	{ "mw", NULL }, { "watts", NULL }, { "percent", NULL } };

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

/* A part of a name. */
struct part {
	const char *text;
	size_t length;
};

static bool is_one_of(struct part part, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(words[i]) == part.length &&
			!strncasecmp(words[i], part.text, part.length))
			return true;
	return false;
}

#define IS_ONE_OF(part, words) is_one_of(part, words, AT_COUNT_OF(words))

/* A name without its unit, and what is known of the unit. */
struct stripped {
	struct part name;
	const char *time; /* as in `units`; NULL: no unit of time */
	bool is_letter; /* "_s" and the like, which may be a part of the name */
};

static struct stripped strip_unit(const char *name)
{
	struct part all = { name, strlen(name) };
	struct stripped out = { .name = all };
	char last = all.length ? name[all.length - 1] : '\0';
	char opening = last == ')' ? '(' : last == ']' ? '[' : '\0';
	struct part unit = { name + all.length, 0 };

	while (unit.text > name &&
		(opening ? unit.text[-1] != opening : !strchr("_ ", unit.text[-1])))
		unit.text--;
	if (unit.text == name)
		return out;
	unit.length = all.length - (size_t)(unit.text - name) - (opening != '\0');
	all.length = (size_t)(unit.text - name) - 1;
	while (all.length && strchr("_ ", name[all.length - 1]))
		all.length--;
	/* whatever is in brackets is a unit, known or not */
	if (opening)
		out.name = all;
	for (size_t i = 0; i < AT_COUNT_OF(units); i++)
		if (is_one_of(unit, &units[i].text, 1))
			out = (struct stripped){ all, units[i].time,
				!opening && unit.length == 1 };
	return out;
}

/* "compile_time", "Execution Time", "TotalTime": but "time_tile" and "TIME" are not. */
static bool is_other_time(struct part name)
{
	const char *time = name.text + name.length - strlen("time");

	if (name.length <= strlen("_time") || strncasecmp(time, "time", 4) != 0)
		return false;
	return strchr("_ ", time[-1]) ||
	       (*time == 'T' && time[-1] >= 'a' && time[-1] <= 'z');
}

/* "time_std", "Mean Power": what was measured, and how its samples are summed up. */
static bool is_sum(struct part name)
{
	for (size_t i = 1; i + 1 < name.length; i++) {
		struct part first = { name.text, i };
		struct part second = { name.text + i + 1, name.length - i - 1 };

		if (!strchr("_ ", name.text[i]))
			continue;
		if (IS_ONE_OF(first, sums) && IS_ONE_OF(second, measured))
			return true;
		if (IS_ONE_OF(first, measured) && IS_ONE_OF(second, sums))
			return true;
	}
	return false;
}

static bool is_measurement(const char *name)
{
	struct stripped stripped = strip_unit(name);

	for (size_t i = 0; i < AT_COUNT_OF(inside); i++)
		if (contains(name, inside[i]))
			return true;
	if (stripped.time && !stripped.is_letter && IS_ONE_OF(stripped.name, timed))
		return true;
	return IS_ONE_OF(stripped.name, whole) || is_other_time(stripped.name) ||
	       is_sum(stripped.name);
}

bool at_csv_is_column(const char *name)
{
#define NAME(name) #name,
#define FACT_NAME(name, kind) #name,
	static const char *const names[] = { AT_CSV_PLACE(NAME) AT_CSV_RESULT(NAME)
			AT_FACTS(FACT_NAME) AT_CSV_MORE(NAME) };

	for (size_t i = 0; i < AT_COUNT_OF(names); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

bool at_csv_needs_prefix(const char *name)
{
#define FOREIGN_NAME(name) #name,
	static const char *const foreign[] = { AT_CSV_FOREIGN(FOREIGN_NAME) "time" };
	const char *plain = at_csv_plain_name(name);

	if (!*name || !strncmp(name, AT_CSV_PARAMETER, strlen(AT_CSV_PARAMETER)) ||
		at_csv_is_column(plain) || at_csv_is_row_number(name))
		return true;
	for (size_t i = 0; i < AT_COUNT_OF(foreign); i++)
		if (!strcmp(foreign[i], plain))
			return true;
	return is_measurement(name);
}

bool at_csv_is_row_number(const char *name)
{
	/* what pandas calls a column without a name */
	return !*name || !strncmp(name, "Unnamed: ", strlen("Unnamed: "));
}

const char *at_csv_time_unit(const char *name)
{
	return strip_unit(name).time;
}

bool at_csv_is_true(const char *cell)
{
	return *cell == 't' || *cell == 'T' || *cell == '1';
}

bool at_csv_is_truth(const char *cell)
{
	static const char *const words[] = { "true", "false", "0", "1" };

	for (size_t i = 0; i < AT_COUNT_OF(words); i++)
		if (!strcasecmp(words[i], cell))
			return true;
	return false;
}

bool at_recording_is_csv(const char *text, size_t size)
{
	static const char *const names[] = { "outcome", "time" };
	const char *begin = text + at_text_mark_bytes(text, size), *end = text + size;
	const char *line;

	while (begin < end && strchr(" \t\r\n", *begin))
		begin++;
	line = memchr(begin, '\n', (size_t)(end - begin));
	end = line ? line : end;
	/* JSON has such words in quotes, too */
	if (begin == end || *begin == '{' || *begin == '[')
		return false;
	/* "time (ms)" and "Time" make it CSV as well: the reader says what they
	   should be called */
	for (size_t i = 0; i < AT_COUNT_OF(names); i++)
		for (const char *at = begin; (size_t)(end - at) >= strlen(names[i]);
			at++)
			if (!strncasecmp(at, names[i], strlen(names[i])) &&
				(at == begin || strchr(",;\t\" ", at[-1])))
				return true;
	return false;
}
