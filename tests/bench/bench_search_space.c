/*
 * Makes search spaces and asks them; run by hand:
 *
 *   bench_search_space [SPACE.cfg...]
 *
 * A table with a line for each file, and for spaces that no list would hold: Cartesian
 * and valid size, milliseconds to make it (the best of three), peak memory of the
 * process beyond what it had before, bytes that stay, and microseconds of a call: get,
 * find, neighbours of both kinds, and nearest to a configuration with each
 * parameter drawn by itself. Each space in a process of its own.
 */
#include "base/clock.h"
#include "space/search_space_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define REPEATS 3
#define CALLS 2000

/* COUNT parameters P0.. with these values, and these constraints */
struct made_up {
	const char *name;
	int count;
	int first;
	int last;
	int step; /* 0: each is twice the one before */
	const char *constraints;
};

static const struct made_up made_up[] = {
	{ "no constraint", 12, 1, 10, 1, "" },
	{ "product of powers of 2", 12, 1, 1024, 0,
		"\"P0 * P1 * P2 * P3 * P4 * P5 <= 4096\", \"P6 * P7 * P8 * P9 * P10 * P11 <= 65536\"" },
	{ "product of 1 to 100", 6, 1, 100, 1,
		"\"P0 * P1 * P2 * P3 * P4 * P5 <= 20000000\"" },
	{ "products, one order against the other", 8, 1, 32, 1,
		"\"P0 * P1 * P2 * P3 <= 4096\", \"P7 * P6 * P5 * P4 <= 4096\", \"P0 * P7 <= 256\", \"(P1 + P6) * 4 <= 100\"" },
	{ "sum of 1 to 100", 6, 1, 100, 1, "\"P0 + P1 + P2 + P3 + P4 + P5 <= 150\"" },
	{ "chain of divisors", 7, 1, 60, 1,
		"\"P0 % P1 == 0\", \"P1 % P2 == 0\", \"P3 % P2 == 0\", \"P3 % P4 == 0\", \"P5 % P4 == 0\", \"P5 >= P6\"" },
	{ "sum of squares", 6, 1, 100, 1,
		"\"P0*P0 + P1*P1 + P2*P2 + P3*P3 + P4*P4 + P5*P5 <= 12000\"" },
	{ "tile of a matrix product", 12, 1, 16, 1,
		"\"P0 * P1 >= 4 && P0 * P1 <= 128\", \"P0 * P2 % P3 == 0\", \"P1 * P4 % P5 == 0\", \"(P0 * P2 + P1 * P4) * P6 * 4 <= 4096\", \"P7 <= P6\", \"P8 * P9 <= 48 || P10 == 1\", \"P10 + P11 <= 20\"" },
};

/* of the process so far, in MiB */
static double peak_mib(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)usage.ru_maxrss / 1024;
}

static double kept_bytes(const struct at_search_space *space)
{
	double bytes = sizeof(*space);

	for (size_t i = 0; i < space->group_count; i++)
		bytes += (double)(space->groups[i].node_count *
					  sizeof(*space->groups[i].nodes) +
				  space->groups[i].edge_count *
					  sizeof(*space->groups[i].edges));
	return bytes;
}

static double microseconds(uint64_t start_ns)
{
	return (double)(at_clock_now_ns() - start_ns) * 1e-3 / CALLS;
}

static void ask(const struct at_search_space *space)
{
	size_t width = at_search_space_parameter_count(space);
	uint16_t *configurations = calloc(CALLS * width, sizeof(*configurations));
	uint64_t *neighbours =
		calloc(at_search_space_neighbours_max(space) + 1, sizeof(*neighbours));
	uint64_t *indices = calloc(CALLS, sizeof(*indices)), start_ns;
	double each[5], found[2] = { 0 };
	struct at_random random;
	uint64_t sum = 0;

	if (!configurations || !neighbours || !indices)
		abort();
	at_random_init(&random, 1);
	for (size_t i = 0; i < CALLS; i++)
		indices[i] = at_search_space_draw(space, &random);
	start_ns = at_clock_now_ns();
	for (size_t i = 0; i < CALLS; i++)
		at_search_space_get(space, indices[i], configurations + i * width);
	each[0] = microseconds(start_ns);
	start_ns = at_clock_now_ns();
	for (size_t i = 0; i < CALLS; i++)
		sum += at_search_space_find(space, configurations + i * width) -
		       indices[i];
	each[1] = microseconds(start_ns);
	for (int kind = 0; kind < 2; kind++) {
		start_ns = at_clock_now_ns();
		for (size_t i = 0; i < CALLS; i++)
			found[kind] += (double)at_search_space_neighbours(space,
				indices[i],
				kind ? AT_NEIGHBOURS_ANY : AT_NEIGHBOURS_ADJACENT,
				neighbours);
		each[2 + kind] = microseconds(start_ns);
	}
	for (size_t i = 0; i < CALLS * width; i++)
		configurations[i] = (uint16_t)at_random_below(&random,
			at_search_space_parameter(space, i % width)->value_count);
	start_ns = at_clock_now_ns();
	for (size_t i = 0; i < CALLS; i++)
		sum += at_search_space_nearest(space, configurations + i * width);
	each[4] = microseconds(start_ns);
	printf("%6.2f %6.2f %7.2f (%.1f) %7.2f (%.1f) %8.2f%s\n", each[0], each[1],
		each[2], found[0] / CALLS, each[3], found[1] / CALLS, each[4],
		sum ? "" : " "); /* sum is used: no call is left out */
	free(indices);
	free(neighbours);
	free(configurations);
}

static enum at_status measure(
	const char *name, const struct at_spec *spec, struct at_error *err)
{
	struct at_value *slots = calloc(spec->slot_count + 1, sizeof(*slots));
	struct at_enumeration statistics = { 0 };
	struct at_properties properties;
	struct at_search_space *space = NULL;
	uint64_t best_ns = UINT64_MAX;
	enum at_status status = AT_OK;
	double before_mib = peak_mib();

	if (!slots)
		return at_fail_memory(err);
	at_properties_of_architecture("sm_90", &properties);
	at_spec_bind(spec, &spec->problems[0], NULL, &properties, slots);
	for (int i = 0; i < REPEATS && !status; i++) {
		uint64_t start_ns = at_clock_now_ns(), took_ns;

		at_search_space_free(space);
		at_enumeration_release(&statistics);
		status = at_search_space_new(spec, slots, &space, &statistics, err);
		took_ns = at_clock_now_ns() - start_ns;
		best_ns = took_ns < best_ns ? took_ns : best_ns;
	}
	if (!status)
		printf("%-38s %9.3g %11.5g %8.2f %6.1f %9.0f ", name,
			(double)statistics.cartesian, (double)statistics.valid,
			(double)best_ns * 1e-6, peak_mib() - before_mib,
			kept_bytes(space));
	if (!status && statistics.valid)
		ask(space);
	at_enumeration_release(&statistics);
	at_search_space_free(space);
	free(slots);
	return status;
}

static enum at_status parse(
	const struct made_up *space, struct at_spec **spec, struct at_error *err)
{
	struct at_strbuf text = { 0 };
	enum at_status status;

	at_strbuf_add(&text, "parameters: {");
	for (int i = 0; i < space->count; i++) {
		at_strbuf_addf(&text, " P%d = [ ", i);
		for (int value = space->first; value <= space->last;
			value = space->step ? value + space->step : 2 * value)
			at_strbuf_addf(&text, "%s%d", value == space->first ? "" : ", ",
				value);
		at_strbuf_add(&text, " ];");
	}
	at_strbuf_addf(&text, " }; constraints = ( %s );", space->constraints);
	status = at_spec_parse(text.data, text.length, space->name, spec, err);
	at_strbuf_release(&text);
	return status;
}

/* in a process of its own, for its peak of memory */
static int measure_apart(const struct made_up *space, const char *path)
{
	struct at_error err = { 0 };
	struct at_spec *spec = NULL;
	enum at_status status;
	pid_t child;
	int code = 1;

	fflush(stdout);
	child = fork();
	if (child) {
		waitpid(child, &code, 0);
		return code != 0;
	}
	status = space ? parse(space, &spec, &err) : at_spec_load(path, &spec, &err);
	if (!status)
		status = measure(space ? space->name : path, spec, &err);
	if (status)
		fprintf(stderr, "%s: %s\n", space ? space->name : path, err.text);
	at_spec_free(spec);
	fflush(stdout);
	_exit(status != AT_OK);
}

int main(int argc, char **argv)
{
	int failures = 0;

	printf("%-38s %9s %11s %8s %6s %9s %6s %6s %14s %14s %8s\n", "space",
		"cartesian", "valid", "ms", "MiB", "bytes", "get", "find", "adjacent",
		"any", "nearest");
	for (int i = 1; i < argc; i++)
		failures += measure_apart(NULL, argv[i]);
	for (size_t i = 0; i < AT_COUNT_OF(made_up); i++)
		failures += measure_apart(&made_up[i], NULL);
	return failures ? 1 : 0;
}
