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

/* Of tiles.cfg in data/result: sizes, a configuration, and a winner. more: ",
   \"-D...\"" or "", options beside that of the radius. */
#define TILES_SIZES(m, n, radius) \
	"{\"M\": " #m ", \"N\": " #n ", \"RADIUS\": " #radius "}"
#define TILE(block, tile, where) \
	"{\"BLOCK\": " #block ", \"TILE\": " #tile ", \"WHERE\": \"" where "\"}"
#define TILES_MADE(on, name, m, n, radius, values, more) \
	.device = (on), .space = "tiles", .problem = (name), \
	.sizes = TILES_SIZES(m, n, radius), .configuration = (values), \
	.options = "[\"-DRADIUS=" #radius "\"" more "]"

/* Release *out with at_results_release(). */
void make_results(const struct made *from, size_t count, struct at_results *out);

#endif
