/*
 * Enumerates space files and prints what it took; run by hand:
 *
 *   bench_enumerate [--count] SPACE.cfg...
 *
 * One line a file: Cartesian size, valid size, the best of five times, bytes of
 * the result.
 */
#include "base/clock.h"
#include "space/enumerate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPEATS 5

static enum at_status measure(
	const struct at_spec *spec, bool count_only, struct at_error *err)
{
	struct at_value *slots = calloc(spec->slot_count + 1, sizeof(*slots));
	struct at_enumerate_options options = { .count_only = count_only };
	uint64_t best_ns = UINT64_MAX, cartesian = 0, valid = 0;
	enum at_status status = AT_OK;
	size_t bytes = 0;

	if (!slots)
		return at_fail_memory(err);
	at_spec_bind(spec, &spec->problems[0], NULL, NULL, slots);
	for (int i = 0; i < REPEATS && !status; i++) {
		struct at_configurations configurations;
		struct at_enumeration statistics;
		uint64_t start_ns = at_clock_now_ns(), took_ns;

		status = at_enumerate(
			spec, slots, &options, &configurations, &statistics, err);
		took_ns = at_clock_now_ns() - start_ns;
		best_ns = took_ns < best_ns ? took_ns : best_ns;
		cartesian = statistics.cartesian;
		valid = statistics.valid;
		bytes = configurations.count * configurations.parameter_count *
			sizeof(*configurations.indices);
		at_configurations_release(&configurations);
		at_enumeration_release(&statistics);
	}
	if (!status)
		printf("%-40s cartesian %" PRIu64 " valid %" PRIu64
		       " seconds %.6f bytes %zu\n",
			spec->path, cartesian, valid, (double)best_ns * 1e-9, bytes);
	free(slots);
	return status;
}

int main(int argc, char **argv)
{
	bool count_only = argc > 1 && !strcmp(argv[1], "--count");
	int failures = 0;

	if (argc < 2 + count_only) {
		fprintf(stderr, "usage: bench_enumerate [--count] SPACE.cfg...\n");
		return 2;
	}
	for (int i = 1 + count_only; i < argc; i++) {
		struct at_spec *spec = NULL;
		struct at_error err = { 0 };
		char text[1400];

		if (at_spec_load(argv[i], &spec, &err) ||
			measure(spec, count_only, &err)) {
			fprintf(stderr, "%s\n",
				at_error_format(&err, text, sizeof(text)));
			failures++;
		}
		at_spec_free(spec);
	}
	return failures > 0;
}
