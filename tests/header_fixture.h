/* Makes results with winners, from which headers are made, without a record. */
#ifndef AT_TEST_HEADER_FIXTURE_H
#define AT_TEST_HEADER_FIXTURE_H

#include "record/results.h"

struct made_device {
	const char *kind, *model, *architecture;
	int64_t capability, multiprocessors, dynamic_shared_bytes;
};

extern const struct made_device made_h200, made_a100, made_t4, made_host;

/* One winner and its device. */
struct made {
	const struct made_device *device;
	const char *space, *problem, *sizes, *configuration;
	const char *baseline; /* NULL: none */
	const char *options; /* NULL: "[]" */
	const char *launch; /* NULL: none */
	int64_t shared_bytes, registers;
	bool is_unverified;
};

/* Release *out with at_results_release(). */
void make_results(const struct made *from, size_t count, struct at_results *out);

#endif
