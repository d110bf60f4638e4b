/*
 * How long a year of nights takes to read: so many spaces, problems each, nights each,
 * a million rows of evaluations beside them where wanted; run by hand:
 *
 *   bench_history DIRECTORY [SPACES PROBLEMS NIGHTS]     (20 2 365)
 *
 * Each query is the best of five, the first one from a file that was just opened.
 */
#include "base/clock.h"
#include "record/history.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { REPEATS = 5 };

static struct at_error error;

static void check(enum at_status status)
{
	char text[1400];

	if (!status)
		return;
	fprintf(stderr, "%s\n", at_error_format(&error, text, sizeof(text)));
	exit(1);
}

static void fill(
	struct at_store *store, int64_t device_id, int spaces, int problems, int nights)
{
	char space[32], problem[32];
	struct at_revisit revisit = {
		.device_id = device_id,
		.board = (char *)"GPU-1b2c3d4e-0000-1111-2222-333344445555",
		.space = space,
		.problem = problem,
		.configuration =
			(char *)"{\"BLOCK_X\": 32, \"BLOCK_Y\": 8, \"TILE_M\": 4, \"TILE_N\": 4, \"TILE_K\": 16, \"CACHE\": \"cg\"}",
		.source_hash = (char *)"00112233445566778899aabbccddeeff",
		.outcome = AT_OUTCOME_OK,
		.verdict = AT_VERDICT_SAME,
		.objective = &at_objective_time,
		.score = { 1e6, 0.99e6, 1.01e6 },
		.baseline = { 2e6, 1.99e6, 2.01e6 },
		.speedup = { 2, 1.99, 2.01 },
		.change = { 1, 0.99, 1.01 },
		.clock_hz = 1755000000,
		.look_count = 1,
		.measurement =
			(char *)"{\"blocks\": 6, \"samples\": 30, \"launches_per_sample\": 1, \"first_clock_hz\": 1755000000, \"last_clock_hz\": 1755000000, \"repeated_rounds\": 0, \"throttled_rounds\": 0, \"clock_reasons\": null, \"set_clock_hz\": null, \"empty_ns\": null}",
		.conditions =
			(char *)"{\"driver\": \"580.65.06 (CUDA 13.0)\", \"toolchain\": \"NVRTC 13.0\", \"power_limit_watts\": 700, \"ecc\": true, \"set_clock_hz\": null, \"processes\": 0}",
	};

	for (int night = 0; night < nights; night++)
		for (int s = 0; s < spaces; s++)
			for (int p = 0; p < problems; p++) {
				snprintf(space, sizeof(space), "space_%d", s);
				snprintf(problem, sizeof(problem), "problem_%d", p);
				revisit.created_seconds =
					1732000000 + INT64_C(86400) * night + s;
				check(at_store_put_revisit(store, &revisit, &error));
			}
}

static double processor_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static size_t ask(struct at_store *store, const struct at_revisit_query *query)
{
	struct at_revisits revisits;
	size_t count;

	check(at_store_revisits(store, query, &revisits, &error));
	count = revisits.count;
	at_revisits_release(&revisits);
	return count;
}

static void time_query(
	struct at_store *store, const char *what, const struct at_revisit_query *query)
{
	double best_ms = 1e9, first_ms = 0, used_ms = 1e9;
	size_t count = 0;

	for (int i = 0; i < REPEATS; i++) {
		uint64_t start_ns = at_clock_now_ns();
		double ms, before_ms = processor_ms();

		count = ask(store, query);
		ms = (double)(at_clock_now_ns() - start_ns) * 1e-6;
		before_ms = processor_ms() - before_ms;
		used_ms = before_ms < used_ms ? before_ms : used_ms;
		first_ms = i ? first_ms : ms;
		best_ms = ms < best_ms ? ms : best_ms;
	}
	printf("%-34s %7zu nights  first %8.2f ms  best %8.2f ms (processor %.2f ms)\n",
		what, count, first_ms, best_ms, used_ms);
}

int main(int argc, char **argv)
{
	const struct at_record_device device = { .kind = (char *)"cuda",
		.model = (char *)"NVIDIA H200",
		.slug = (char *)"nvidia-h200",
		.architecture = (char *)"sm_90",
		.driver = (char *)"580.1",
		.uuid = (char *)"GPU-1" };
	int spaces = argc > 2 ? atoi(argv[2]) : 20;
	int problems = argc > 3 ? atoi(argv[3]) : 2;
	int nights = argc > 4 ? atoi(argv[4]) : 365;
	struct at_revisit_query query = { 0 };
	struct at_dropped dropped;
	const struct at_keep keep = { .nights = 100 };
	struct at_store *store;
	int64_t device_id;
	uint64_t start_ns;

	if (argc < 2 || spaces < 1 || problems < 1 || nights < 1) {
		fprintf(stderr,
			"usage: bench_history DIRECTORY [SPACES PROBLEMS NIGHTS]\n");
		return 2;
	}
	check(at_store_open(argv[1], &store, &error));
	check(at_store_put_device(store, &device, &device_id, &error));
	if (!ask(store, &query))
		fill(store, device_id, spaces, problems, nights);
	at_store_close(store);
	check(at_store_open(argv[1], &store, &error));
	time_query(store, "all", &query);
	query.since_seconds = 1732000000 + INT64_C(86400) * (nights - 30);
	time_query(store, "all of the last month", &query);
	query = (struct at_revisit_query){ .space = "space_0" };
	time_query(store, "a space", &query);
	query.problem = "problem_0";
	query.device_id = device_id;
	query.limit = 60;
	time_query(store, "what a verdict reads", &query);
	start_ns = at_clock_now_ns();
	check(at_store_keep(
		store, &keep, 1732000000 + INT64_C(86400) * nights, &dropped, &error));
	printf("kept 100 nights: %" PRId64 " went, %" PRId64 " KiB, %.0f ms\n",
		dropped.revisit_count, dropped.bytes >> 10,
		(double)(at_clock_now_ns() - start_ns) * 1e-6);
	at_store_close(store);
	return 0;
}
