/*
 * Makes a record to report of: so many evaluations of one problem on one device, and a
 * tenth of them on another; run by hand, and by report_page.sh:
 *
 *   bench_report DIRECTORY [EVALUATIONS]     (100000, and 115200 at most)
 */
#include "report_fixture.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	size_t count = argc > 2 ? (size_t)atoll(argv[2]) : 100000;
	struct report_fixture fixture = {
		.space = "matmul",
		.problem = "square_4096",
		.model = "NVIDIA H200",
		.slug = "nvidia-h200",
		.count = count,
		.nights = 40,
		.has_ceilings = true,
	};
	struct at_error err = { 0 };
	struct at_store *store;
	char text[1400];

	if (argc < 2 || !count || count > REPORT_FIXTURE_MOST) {
		fprintf(stderr, "usage: bench_report DIRECTORY [EVALUATIONS]\n");
		return 2;
	}
	if (at_store_open(argv[1], &store, &err)) {
		fprintf(stderr, "%s\n", at_error_format(&err, text, sizeof(text)));
		return 1;
	}
	report_fixture_fill(store, &fixture);
	fixture.model = "NVIDIA H100 80GB HBM3";
	fixture.slug = "nvidia-h100-80gb-hbm3";
	fixture.count = count / 10 + 1;
	fixture.nights = 0;
	fixture.factor = 1.3;
	fixture.has_ceilings = false;
	report_fixture_fill(store, &fixture);
	at_store_close(store);
	return 0;
}
