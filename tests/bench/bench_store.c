/*
 * Fills a record and prints what it took; run by hand:
 *
 *   bench_store DIRECTORY COUNT [ADDED]
 *
 * Brings the record in DIRECTORY to COUNT evaluations, then times ADDED (10,000)
 * more, as many claimed and added, as many looked up that are there and that are not,
 * the closing and opening of the record, the best ten of a space, and the best of a
 * problem on a device. Evaluations are
 * as a GPU's: 31 samples, a log of ptxas, 7 parameters. Processor time and wall time in
 * microseconds each.
 */
#include "base/clock.h"
#include "base/hash.h"
#include "record/claims.h"
#include "record/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#define SPACES 8
#define TUNING 50000 /* evaluations of one */
#define SAMPLES 31
#define OUT 34 /* evaluations at once, of 16 compilers and a board */

static struct at_error error;

static void check(enum at_status status)
{
	char text[1400];

	if (!status)
		return;
	fprintf(stderr, "%s\n", at_error_format(&error, text, sizeof(text)));
	exit(1);
}

struct stopwatch {
	uint64_t wall_ns;
	uint64_t processor_ns;
};

static uint64_t processor_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static struct stopwatch start(void)
{
	return (struct stopwatch){ at_clock_now_ns(), processor_ns() };
}

static void stop(struct stopwatch from, const char *what, uint64_t count)
{
	double wall_ns = (double)(at_clock_now_ns() - from.wall_ns);
	double used_ns = (double)(processor_ns() - from.processor_ns);

	printf("%-18s %9" PRIu64 "  processor %9.2f us each  wall %9.2f us each\n",
		what, count, used_ns / (double)count / 1e3,
		wall_ns / (double)count / 1e3);
	fflush(stdout);
}

/* one tuning after the other: the keys of each lie together */
static struct at_hash key_of(uint64_t number)
{
	uint64_t group = number / TUNING;

	return at_hash_grouped(at_hash_bytes(&group, sizeof(group)),
		at_hash_bytes(&number, sizeof(number)));
}

static struct at_hash image_of(uint64_t number)
{
	struct at_hash image = key_of(number);

	image.low = ~image.low;
	return image;
}

static void add(struct at_store *store, uint64_t number, int64_t run_id)
{
	static double samples[SAMPLES];
	static const char log[] =
		"ptxas info    : 0 bytes gmem\n"
		"ptxas info    : Compiling entry function '_Z6matmulPKfS0_Pfiii' for 'sm_90'\n"
		"ptxas info    : Function properties for _Z6matmulPKfS0_Pfiii\n"
		"    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
		"ptxas info    : Used 96 registers, used 1 barriers, 8192 bytes smem, 564 bytes cmem[0]\n"
		"ptxas info    : Compile time = 41.233 ms\n";
	char configuration[200], space[32];
	struct at_evaluation evaluation = {
		.key = key_of(number),
		.run_id = run_id,
		.device_id = 1,
		.space = space,
		.problem = (char *)"square_4096",
		.problem_json = (char *)"{\"M\": 4096, \"N\": 4096, \"K\": 4096}",
		.configuration = configuration,
		.outcome = number % 8 ? AT_OUTCOME_OK : AT_OUTCOME_WRONG_RESULT,
		.detail = (char *)(number % 8 ? "" : "C[257] is 0.5, expected 3.1"),
		.log = (char *)log,
		.time_ns = 1e6 + (double)(number * 7919 % 1000003),
		.low_ns = 1e6,
		.high_ns = 2e6,
		.sample_count = SAMPLES,
		.samples_ns = samples,
		.launches_per_sample = 1,
		.facts = { .registers = 96,
			.shared_bytes = 8192,
			.threads_per_block = 256,
			.blocks = 4096,
			.resident_blocks = 2,
			.occupancy = 0.25,
			.limiting_factor = "registers",
			.compile_ns = 400000000 },
		.flops = 137438953472.0,
		.bytes = 201326592.0,
		.max_relative_error = 1e-7,
		.measure_ns = 50000000,
		.clock_hz = 1980000000,
		.created_seconds = 1763715600,
		.board = (char *)"GPU-1b2c3d4e-0000-1111-2222-333344445555",
		.image = image_of(number),
	};

	for (size_t i = 0; i < SAMPLES; i++)
		samples[i] = 1e6 + (double)(number + i);
	snprintf(space, sizeof(space), "matmul_%u",
		(unsigned)(number / TUNING % SPACES));
	snprintf(configuration, sizeof(configuration),
		"{\"BLOCK_X\": 32, \"BLOCK_Y\": 8, \"TILE_M\": %u, \"TILE_N\": %u, \"TILE_K\": 16, \"USE_LDG\": false, \"CACHE\": \"cg\"}",
		(unsigned)(number % 1000), (unsigned)(number / 1000));
	check(at_store_add(store, &evaluation, &error));
}

static bool is_there(struct at_store *store, uint64_t number)
{
	struct at_evaluation evaluation;
	bool found;

	check(at_store_find(store, key_of(number), false, &evaluation, &found, &error));
	at_evaluation_release(&evaluation);
	return found;
}

static enum at_status visit(void *context, const struct at_evaluation *evaluation)
{
	(void)evaluation;
	++*(uint64_t *)context;
	return AT_OK;
}

static struct at_store *open_store(const char *directory)
{
	struct at_store *store;

	check(at_store_open(directory, &store, &error));
	return store;
}

int main(int argc, char **argv)
{
	const struct at_record_device device = { .kind = (char *)"cuda",
		.model = (char *)"NVIDIA H200",
		.slug = (char *)"nvidia-h200",
		.architecture = (char *)"sm_90",
		.driver = (char *)"580.1",
		.uuid = (char *)"GPU-1" };
	uint64_t count, there = 0, added, listed = 0;
	struct stopwatch watch;
	struct at_store *store;
	struct rusage usage;
	struct stat facts;
	int64_t device_id, run_id;
	char path[4096];

	if (argc < 3 || argc > 4) {
		fprintf(stderr, "usage: bench_store DIRECTORY COUNT [ADDED]\n");
		return 2;
	}
	count = strtoull(argv[2], NULL, 10);
	added = argc > 3 ? strtoull(argv[3], NULL, 10) : 10000;
	added -= added % 1000;
	store = open_store(argv[1]);
	check(at_store_begin_run_on(store, &device, "matmul", "random", 1, "0",
		&device_id, &run_id, &error));
	while (is_there(store, there))
		there += 1000;
	watch = start();
	for (uint64_t i = there; i < count; i++)
		add(store, i, run_id);
	if (there < count)
		stop(watch, "filled", count - there);
	count = there > count ? there : count;
	watch = start();
	for (uint64_t i = 0; i < added; i++)
		add(store, count + i, run_id);
	stop(watch, "add", added);
	count += added;
	/* as a run does it: so many are out at once */
	watch = start();
	for (uint64_t i = 0; i < added + OUT; i++) {
		if (i < added)
			at_store_claim(store, key_of(count + i), NULL);
		if (i < OUT)
			continue;
		add(store, count + i - OUT, run_id);
		at_store_drop_claim(store, key_of(count + i - OUT));
	}
	stop(watch, "claim and add", added);
	count += added;
	watch = start();
	for (uint64_t i = 0; i < added; i++)
		is_there(store, i * 7919 % count);
	stop(watch, "find (there)", added);
	watch = start();
	for (uint64_t i = 0; i < added; i++)
		is_there(store, count + i);
	stop(watch, "find (not there)", added);
	watch = start();
	check(at_store_end_run(store, run_id, "done", &error));
	at_store_close(store);
	stop(watch, "close", 1);
	watch = start();
	store = open_store(argv[1]);
	stop(watch, "open", 1);
	watch = start();
	check(at_store_list(store, "matmul_1", NULL, NULL, 10, visit, &listed, &error));
	stop(watch, "best ten", 1);
	/* what a search begins with */
	for (uint64_t most = 10; most <= 16384; most += 16374) {
		listed = 0;
		watch = start();
		check(at_store_list(store, "matmul_1", "nvidia-h200", "square_4096",
			most, visit, &listed, &error));
		stop(watch, "best of a problem", listed);
	}
	at_store_close(store);
	snprintf(path, sizeof(path), "%s/autotune.db", argv[1]);
	if (!stat(path, &facts))
		printf("%.0f bytes an evaluation on disk\n",
			(double)facts.st_size / (double)count);
	getrusage(RUSAGE_SELF, &usage);
	printf("%ld KiB of memory at most\n", usage.ru_maxrss);
	return 0;
}
