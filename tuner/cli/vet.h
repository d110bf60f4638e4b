/*
 * What check --compile prints: a table of what the kernels of a space need, or one
 * JSON object a configuration; on stderr what does not compile. Threads: one.
 */
#ifndef AT_CLI_VET_H
#define AT_CLI_VET_H

#include "cli/cli.h"
#include "cli/sources.h"
#include "kernel/source.h"

struct at_vet;

struct at_cli_vet {
	const struct at_cli_arguments *arguments; /* --problem */
	bool wanted; /* --compile is given */
	uint64_t random_count;
	uint64_t seed;
	unsigned jobs; /* 0: one a core */
	bool json;
	bool quiet;
	bool wide;
	/* a configuration does not compile, or a baseline cannot be launched: told */
	bool failed;
	bool unavailable; /* no compiler: told; what follows is not compiled */
	struct at_vet *vet; /* opened when it is first needed */
};

extern const struct at_cli_option at_option_compile;

/* As --compile, --seed, --jobs, --json, --quiet say; release it. */
struct at_cli_vet at_cli_vet_of(const struct at_cli_arguments *arguments);

/* The newest architecture that NVRTC and autotune know; err says why there is none. */
enum at_status at_cli_vet_newest(
	struct at_cli_vet *self, char *name, size_t size, struct at_error *err);

/*
 * Vets the space for every source, as sources are used when it is counted: each
 * that was chosen, else for each problem the first that fits it.
 */
enum at_status at_cli_vet_space(struct at_cli_vet *self, const struct at_spec *spec,
	const struct at_template *template, const struct at_property_sources *sources,
	struct at_error *err);
void at_cli_vet_release(struct at_cli_vet *self);

#endif
