/*
 * Merges one record into another and prints what it took; run by hand:
 *
 *   bench_store there 1000000
 *   bench_merge here there
 *
 * Twice: the first time everything is new, the second time nothing is.
 */
#include "base/clock.h"
#include "record/merge.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static double processor_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	struct at_error err = { 0 };
	struct at_store *store;
	struct rusage usage;
	char path[4096];

	if (argc != 3) {
		fprintf(stderr, "usage: bench_merge DIRECTORY OTHER\n");
		return 2;
	}
	snprintf(path, sizeof(path), "%s/autotune.db", argv[2]);
	for (int i = 0; i < 2; i++) {
		uint64_t start_ns = at_clock_now_ns();
		double start_seconds = processor_seconds();
		struct at_merged merged;

		if (at_store_open(argv[1], &store, &err) ||
			at_store_merge(store, path, argv[2], &merged, &err)) {
			fprintf(stderr, "%s: %s\n", err.file, err.text);
			return 1;
		}
		at_store_close(store);
		printf("%9" PRId64 " added %9" PRId64
		       " known  processor %6.2f s  wall %6.2f s\n",
			merged.evaluations.added, merged.evaluations.known,
			processor_seconds() - start_seconds,
			(double)(at_clock_now_ns() - start_ns) / 1e9);
	}
	getrusage(RUSAGE_SELF, &usage);
	printf("%ld KiB of memory at most\n", usage.ru_maxrss);
	return 0;
}
